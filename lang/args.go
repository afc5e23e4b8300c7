package lang

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

// bindArgs fills the parameter slots of a script function from a call's
// arguments, keyword values last. Slots are positional parameters, keyword-only
// ones, *args, **kwargs. args must not overlap slots; references move.
func (th *Thread) bindArgs(fn *Func, args []Value, names []*Str, slots []Value) error {
	c := fn.code.code
	npos := len(args) - len(names)
	if c.ArgCount+c.KwOnly+2 > len(slots) && c.NWide > 0 {
		return th.Raise(NotImplementedError, "%s() has %d parameters: more than %d are not supported yet", fn.Qualname.s, c.ArgCount+c.KwOnly, len(slots)-2)
	}
	n := copy(slots[:c.ArgCount], args[:npos])
	nparams := c.ArgCount + c.KwOnly
	for i := n; i < nparams; i++ {
		slots[i] = Unbound
	}
	at := nparams
	if c.Flags&code.FlagVarArgs != 0 {
		if npos > c.ArgCount {
			slots[at] = NewTuple(args[c.ArgCount:npos]...)
		} else {
			slots[at] = emptyTuple.Value()
		}
		at++
	}
	var kw *Dict
	if c.Flags&code.FlagVarKw != 0 {
		kw = newDict()
		slots[at] = kw.Value()
	}
	for i, name := range names {
		if err := th.bindKeyword(fn, name, args[npos+i], slots, n, kw); err != nil {
			return err
		}
	}
	if npos > c.ArgCount && c.Flags&code.FlagVarArgs == 0 {
		return th.tooManyArgs(fn, npos, slots)
	}
	if n < nparams {
		return th.fillDefaults(fn, slots, n)
	}
	return nil
}

// fewKeywords is how many keywords bindInPlace takes.
const fewKeywords = 8

// bindInPlace is bindArgs for arguments that stand in the slots already, no more
// positional ones than there are parameters for.
func (th *Thread) bindInPlace(fn *Func, slots []Value, s callSite) error {
	c := fn.code.code
	var values [fewKeywords]Value
	n := s.n - len(s.names)
	all := unsafe.Slice(unsafe.SliceData(slots), s.n) // keywords may stand behind the frame's slots
	copy(values[:], all[n:])
	nparams := c.ArgCount + c.KwOnly
	clear(all[min(nparams, s.n):])
	for i := n; i < nparams; i++ {
		slots[i] = Unbound
	}
	at := nparams
	if c.Flags&code.FlagVarArgs != 0 {
		slots[at] = emptyTuple.Value()
		at++
	}
	var kw *Dict
	if c.Flags&code.FlagVarKw != 0 {
		kw = MakeDict(max(0, len(s.names)-(nparams-n)))
		slots[at] = kw.Value()
	}
	for i, name := range s.names {
		if err := th.bindKeyword(fn, name, values[i], slots, n, kw); err != nil {
			return err
		}
	}
	if n < nparams {
		return th.fillDefaults(fn, slots, n)
	}
	return nil
}

func (th *Thread) bindKeyword(fn *Func, name *Str, v Value, slots []Value, npos int, kw *Dict) error {
	c := fn.code.code
	params := fn.code.params
	for i := c.PosOnly; i < len(params); i++ {
		if p := params[i]; p != name && (name.Flags&flagInterned != 0 || p.s != name.s) {
			continue
		}
		if i < npos || !slots[i].IsUnbound() {
			return th.TypeErrorf("%s() got multiple values for argument '%s'", fn.Qualname.s, name.s)
		}
		slots[i] = v
		return nil
	}
	if kw != nil {
		kw.putStr(name, v)
		return nil
	}
	var only []string
	for i := range c.PosOnly {
		if c.LocalNames[i] == name.s {
			only = append(only, name.s)
		}
	}
	if only != nil {
		return th.TypeErrorf("%s() got some positional-only arguments passed as keyword arguments: '%s'", fn.Qualname.s, strings.Join(only, ", "))
	}
	return th.TypeErrorf("%s() got an unexpected keyword argument '%s'", fn.Qualname.s, name.s)
}

func (th *Thread) tooManyArgs(fn *Func, npos int, slots []Value) error {
	c := fn.code.code
	kwGiven := 0
	for i := c.ArgCount; i < c.ArgCount+c.KwOnly; i++ {
		if !slots[i].IsUnbound() {
			kwGiven++
		}
	}
	takes := strconv.Itoa(c.ArgCount)
	many := c.ArgCount != 1
	if d := len(fn.Defaults); d > 0 {
		takes = "from " + strconv.Itoa(c.ArgCount-d) + " to " + takes
		many = true
	}
	given := strconv.Itoa(npos)
	if kwGiven > 0 {
		given += " " + "positional " + plural("argument", npos) + " (and " + strconv.Itoa(kwGiven) + " keyword-only " + plural("argument", kwGiven) + ")"
	}
	were := "were"
	if npos == 1 && kwGiven == 0 {
		were = "was"
	}
	arg := "argument"
	if many {
		arg = "arguments"
	}
	return th.TypeErrorf("%s() takes %s positional %s but %s %s given", fn.Qualname.s, takes, arg, given, were)
}

// fillDefaults fills parameters without argument, from slot n on.
func (th *Thread) fillDefaults(fn *Func, slots []Value, n int) error {
	c := fn.code.code
	first := c.ArgCount - len(fn.Defaults)
	var missing []string
	for i := n; i < c.ArgCount; i++ {
		if !slots[i].IsUnbound() {
			continue
		}
		if i >= first {
			slots[i] = fn.Defaults[i-first].Value()
		} else {
			missing = append(missing, "'"+c.LocalNames[i]+"'")
		}
	}
	if missing != nil {
		return th.TypeErrorf("%s", missingText(fn.Qualname.s, missing, true))
	}
	for i := c.ArgCount; i < c.ArgCount+c.KwOnly; i++ {
		if !slots[i].IsUnbound() {
			continue
		}
		if fn.KwDef != nil {
			if v, ok := fn.KwDef.getStr(fn.code.params[i]); ok {
				slots[i] = v
				continue
			}
		}
		missing = append(missing, "'"+c.LocalNames[i]+"'")
	}
	if missing != nil {
		return th.TypeErrorf("%s", missingText(fn.Qualname.s, missing, false))
	}
	return nil
}
