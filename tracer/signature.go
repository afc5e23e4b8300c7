package tracer

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
)

// param is a parameter of a traced function.
type param struct {
	name   string
	kind   string     // as inspect prints it: POSITIONAL_OR_KEYWORD …
	def    lang.Value // default, Unbound without
	kwOnly bool
}

// signature is how calls of a function are bound.
type signature struct {
	params []param
	star   string // name of *args, "" without
	starKw string
	self   lang.Value // bound receiver, Unbound without
}

const (
	posOnly = "POSITIONAL_ONLY"
	posKw   = "POSITIONAL_OR_KEYWORD"
	kwOnly  = "KEYWORD_ONLY"
)

// signatureOf reads the parameters of a script function. Defaults are read once,
// when the Function is made (rule D9).
func signatureOf(f *lang.Func) *signature {
	c := f.Code()
	s := &signature{self: lang.Unbound}
	for i := range c.ArgCount {
		p := param{name: c.LocalNames[i], kind: posKw, def: lang.Unbound}
		if i < c.PosOnly {
			p.kind = posOnly
		}
		if d := i - (c.ArgCount - len(f.Defaults)); d >= 0 {
			p.def = f.Defaults[d].Value()
		}
		s.params = append(s.params, p)
	}
	for i := range c.KwOnly {
		p := param{name: c.LocalNames[c.ArgCount+i], kind: kwOnly, def: lang.Unbound, kwOnly: true}
		if f.KwDef != nil {
			if d, ok := f.KwDef.GetStr(p.name); ok {
				p.def = d
			}
		}
		s.params = append(s.params, p)
	}
	at := c.ArgCount + c.KwOnly
	if c.Flags&code.FlagVarArgs != 0 {
		s.star = c.LocalNames[at]
		at++
	}
	if c.Flags&code.FlagVarKw != 0 {
		s.starKw = c.LocalNames[at]
	}
	return s
}

// methodSignature is that of a bound method: without its receiver.
func methodSignature(f *lang.Func) *signature {
	s := signatureOf(f)
	if len(s.params) > 0 {
		s.params = s.params[1:]
	}
	return s
}

// anySignature is that of a callable whose parameters can't be read.
func anySignature() *signature {
	return &signature{star: "args", starKw: "kwargs", self: lang.Unbound}
}

// bound is a call's arguments by parameter: what the key is made of.
type bound struct {
	names []string
	kinds []string
	vals  []lang.Value
	npos  int // of vals, how many are passed by position
}

// bind puts the arguments of a call to parameters, in their order; *args become
// parameters rest_0, rest_1 …, **kwargs parameters of their names, sorted. A
// wrong call returns the reason (rule D9).
func (s *signature) bind(args []lang.Value, names []*lang.Str, out *bound) (reason string) {
	npos := len(args) - len(names)
	out.names, out.kinds, out.vals = out.names[:0], out.kinds[:0], out.vals[:0]
	for i := range s.params {
		p := &s.params[i]
		out.names, out.kinds = append(out.names, p.name), append(out.kinds, p.kind)
		v := lang.Unbound
		if i < npos && !p.kwOnly {
			v = args[i]
		}
		out.vals = append(out.vals, v)
	}
	positional := s.positional()
	if npos > positional && s.star == "" {
		return "too many positional arguments"
	}
	extra := map[string]lang.Value{}
	unexpected := ""
	for i, n := range names {
		at := s.find(n.String())
		switch {
		case at < 0 && s.starKw == "":
			if unexpected == "" {
				unexpected = n.String()
			}
		case at < 0:
			extra[n.String()] = args[npos+i]
		case !out.vals[at].IsUnbound():
			return "multiple values for argument '" + n.String() + "'"
		default:
			out.vals[at] = args[npos+i]
		}
	}
	if reason = s.fill(out); reason != "" {
		return reason
	}
	if unexpected != "" {
		return "got an unexpected keyword argument '" + unexpected + "'"
	}
	out.npos = positional
	if npos > positional {
		out.addRest(s.star, positional, args[positional:npos])
	}
	out.addNamed(extra)
	return ""
}

func (s *signature) positional() (n int) {
	for i := range s.params {
		if !s.params[i].kwOnly {
			n++
		}
	}
	return n
}

func (s *signature) find(name string) int {
	for i := range s.params {
		if s.params[i].name == name && s.params[i].kind != posOnly {
			return i
		}
	}
	return -1
}

// fill takes defaults for what was not passed.
func (s *signature) fill(out *bound) string {
	for i := range s.params {
		if !out.vals[i].IsUnbound() {
			continue
		}
		if s.params[i].def.IsUnbound() {
			return "missing a required argument: '" + s.params[i].name + "'"
		}
		out.vals[i] = s.params[i].def
	}
	return ""
}
