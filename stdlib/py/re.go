package py

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/dlclark/regexp2"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
)

// _re is the engine behind the script module re.
var _ = define("_re", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "compile(pattern, flags, error, /)", Fn: reCompile},
		{Sig: "template(pattern, repl, error, /)", Fn: reTemplateCheck},
	}, Init: func(th *Thread, m *lang.Module) error {
		m.Set("Pattern", patternClass.Value())
		m.Set("Match", matchClass.Value())
		return nil
	}}
})

// pattern is a compiled pattern. The three engines are made on first use: search
// from a place, match at a place, and either of them when the match may not be
// empty at the place.
type pattern struct {
	lang.Header
	source Value // str or bytes
	text   string
	flags  int
	groups int
	names  []string
	nums   []int
	closed []int
	engine string
	opts   regexp2.RegexOptions
	cache  [6]*regexp2.Regexp
	bytes  bool
	fail   Value // makes re.error
}

// How a pattern is asked.
const (
	reSearch = iota
	reMatch
	reFull
	reAdvance // search, not empty at the start
)

var (
	patternClass = lang.NewBuiltinClass("Pattern", "re", value.KindOther)
	matchClass   = lang.NewBuiltinClass("Match", "re", value.KindOther)
)

func patternOf(v Value) *pattern { return native[pattern](v, patternClass) }

// subject is the text that is searched, as code points or bytes.
type subject struct {
	of    Value
	runes []rune
	bytes bool
}

func (s *subject) slice(i, j int) Value {
	if s.bytes {
		b := make([]byte, j-i)
		for k := range b {
			b[k] = byte(s.runes[i+k])
		}
		return lang.NewBytes(string(b))
	}
	return lang.NewStr(lang.FromRunes(s.runes[i:j]))
}

func subjectOf(th *Thread, p *pattern, v Value) (*subject, error) {
	if s, ok := lang.AsStr(v); ok {
		if p.bytes {
			return nil, th.TypeErrorf("cannot use a bytes pattern on a string-like object")
		}
		return &subject{of: v.Held().Value(), runes: lang.Runes(s.String())}, nil
	}
	b, ok := builtin.BytesLike(v)
	if !ok {
		return nil, th.TypeErrorf("expected string or bytes-like object, got '%s'", lang.TypeName(v))
	}
	if !p.bytes {
		return nil, th.TypeErrorf("cannot use a string pattern on a bytes-like object")
	}
	return &subject{of: v.Held().Value(), runes: byteRunes(b), bytes: true}, nil
}

func byteRunes(b string) []rune {
	r := make([]rune, len(b))
	for i := range len(b) {
		r[i] = rune(b[i])
	}
	return r
}

func reError(th *Thread, makeError Value, m reMistake, pattern Value) error {
	pos := none
	if m.pos >= 0 {
		pos = lang.Int(int64(m.pos))
	}
	e, err := th.Call(makeError, []Value{lang.NewStr(m.msg), pattern, pos})
	if err != nil {
		return err
	}
	x, ok := lang.AsException(e)
	if !ok {
		return th.ValueErrorf("%s", m.msg)
	}
	return x
}

func reCompile(th *Thread, a []Value) (Value, error) {
	flags, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	p := &pattern{Header: head(patternClass, value.KindOther), source: a[0].Held().Value(), fail: a[2].Held().Value()}
	t := &reTranslator{flags: flags}
	if s, ok := lang.AsStr(a[0]); ok {
		p.text = s.String()
		t.src = lang.Runes(p.text)
	} else if b, ok := builtin.BytesLike(a[0]); ok {
		p.text, p.bytes, t.bytes = b, true, true
		t.src = byteRunes(b)
	} else {
		return fail(th.TypeErrorf("first argument must be string or compiled pattern"))
	}
	if m := t.translate(); m != nil {
		return fail(reError(th, p.fail, *m, a[0]))
	}
	p.flags, p.groups, p.names, p.nums, p.closed = t.flags, t.groups, t.order, t.nums, t.closed
	if !p.bytes && p.flags&reA == 0 {
		p.flags |= reU
	}
	p.engine = t.out.String()
	if p.flags&reI != 0 {
		p.opts |= regexp2.IgnoreCase
	}
	if p.flags&reM != 0 {
		p.opts |= regexp2.Multiline
	}
	if _, err := p.compiled(reSearch); err != nil {
		return fail(reError(th, p.fail, reMistake{err.Error(), -1}, a[0]))
	}
	return Value{P: unsafe.Pointer(p)}, nil
}

func (p *pattern) compiled(how int) (*regexp2.Regexp, error) {
	if p.cache[how] == nil {
		e := p.engine
		switch how {
		case reMatch:
			e = `\G(?:` + e + `)`
		case reFull:
			e = `\G(?:` + e + `)\z`
		case reAdvance:
			e = `(?:` + e + `)(?!\G)`
		}
		r, err := regexp2.Compile(e, p.opts)
		if err != nil {
			return nil, err
		}
		r.MatchTimeout = firstSlice
		p.cache[how] = r
	}
	return p.cache[how], nil
}

// find looks for a match in runes[:end] from start on.
func (p *pattern) find(th *Thread, s *subject, how, start, end int) (*match, error) {
	if start > end {
		return nil, nil
	}
	r, err := p.compiled(how)
	if err != nil {
		return nil, th.Raise(lang.RuntimeError, "%s", err.Error())
	}
	m, err := p.search(th, r, s.runes[:end], start)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, nil
	}
	return newMatch(p, s, m, start, end), nil
}

// match is the result of a search: begin and end of every group, -1 unmatched.
type match struct {
	lang.Header
	p           *pattern
	s           *subject
	span        []int
	pos, endpos int
}

func newMatch(p *pattern, s *subject, m *regexp2.Match, pos, end int) *match {
	x := &match{Header: head(matchClass, value.KindOther), p: p, s: s, pos: pos, endpos: end, span: make([]int, 2*(p.groups+1))}
	for i := range x.span {
		x.span[i] = -1
	}
	x.span[0], x.span[1] = m.Index, m.Index+m.Length
	for i := 1; i <= p.groups; i++ {
		g := m.GroupByName("g" + strconv.Itoa(i))
		if g == nil || len(g.Captures) == 0 {
			continue
		}
		c := g.Captures[len(g.Captures)-1]
		x.span[2*i], x.span[2*i+1] = c.Index, c.Index+c.Length
	}
	return x
}

func (m *match) value() Value { return Value{P: unsafe.Pointer(m)} }

func orNone(m *match) Value {
	if m == nil {
		return none
	}
	return m.value()
}

func matchOf(v Value) *match { return native[match](v, matchClass) }

// group is the text of group i, or def when it did not match.
func (m *match) group(i int, def Value) Value {
	if m.span[2*i] < 0 {
		return def
	}
	return m.s.slice(m.span[2*i], m.span[2*i+1])
}

func (m *match) index(th *Thread, v Value) (int, error) {
	if lang.HasIndex(v) {
		i, err := intOf(th, v)
		if err == nil && i >= 0 && i <= m.p.groups {
			return i, nil
		}
	} else if s, ok := lang.AsStr(v); ok {
		for k, n := range m.p.names {
			if n == s.String() {
				return m.p.nums[k], nil
			}
		}
	}
	return 0, th.Raise(lang.IndexError, "no such group")
}

// lastIndex is the group that was closed last, 0 for none.
func (m *match) lastIndex() int {
	best := 0
	for i := 1; i <= m.p.groups; i++ {
		if m.span[2*i] < 0 {
			continue
		}
		if best == 0 || m.span[2*i+1] > m.span[2*best+1] || m.span[2*i+1] == m.span[2*best+1] && m.p.closed[i] > m.p.closed[best] {
			best = i
		}
	}
	return best
}

// each calls f for the matches of finditer, sub and split, in order.
func (p *pattern) each(th *Thread, s *subject, pos, end int, f func(m *match) (bool, error)) error {
	how := reSearch
	for pos <= end {
		m, err := p.find(th, s, how, pos, end)
		if err != nil || m == nil {
			return err
		}
		more, err := f(m)
		if err != nil || !more {
			return err
		}
		how = reSearch
		if pos = m.span[1]; m.span[0] == m.span[1] {
			how = reAdvance
		}
		if err := th.Check(); err != nil {
			return err
		}
	}
	return nil
}

// window reads pos and endpos.
func window(th *Thread, s *subject, a, b Value) (pos, end int, err error) {
	if pos, err = intOf(th, a); err != nil {
		return
	}
	if end, err = intOf(th, b); err != nil {
		return
	}
	end = min(max(end, 0), len(s.runes))
	return min(max(pos, 0), len(s.runes)), end, nil
}

func reAsk(how int) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		p := patternOf(a[0])
		s, err := subjectOf(th, p, a[1])
		if err != nil {
			return fail(err)
		}
		pos, end, err := window(th, s, a[2], a[3])
		if err != nil {
			return fail(err)
		}
		m, err := p.find(th, s, how, pos, end)
		return orNone(m), err
	}
}

func reFindall(th *Thread, a []Value) (Value, error) {
	return reCollect(th, a, func(m *match) Value {
		empty := m.s.slice(0, 0)
		switch m.p.groups {
		case 0:
			return m.group(0, empty)
		case 1:
			return m.group(1, empty)
		}
		out := make([]Value, m.p.groups)
		for i := range out {
			out[i] = m.group(i+1, empty)
		}
		return lang.NewTuple(out...)
	})
}

func reFinditer(th *Thread, a []Value) (Value, error) {
	l, err := reCollect(th, a, func(m *match) Value { return m.value() })
	if err != nil {
		return fail(err)
	}
	return lang.Iter(th, l)
}

func reCollect(th *Thread, a []Value, f func(m *match) Value) (Value, error) {
	p := patternOf(a[0])
	s, err := subjectOf(th, p, a[1])
	if err != nil {
		return fail(err)
	}
	pos, end, err := window(th, s, a[2], a[3])
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(0)
	err = p.each(th, s, pos, end, func(m *match) (bool, error) {
		return true, l.Push(th, f(m))
	})
	return l.Value(), err
}

func reSplit(th *Thread, a []Value) (Value, error) {
	p := patternOf(a[0])
	s, err := subjectOf(th, p, a[1])
	if err != nil {
		return fail(err)
	}
	limit, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(0)
	last, n := 0, 0
	err = p.each(th, s, 0, len(s.runes), func(m *match) (bool, error) {
		l.Append(s.slice(last, m.span[0]))
		for i := 1; i <= p.groups; i++ {
			l.Append(m.group(i, none))
		}
		last = m.span[1]
		n++
		return limit <= 0 || n < limit, nil
	})
	l.Append(s.slice(last, len(s.runes)))
	return l.Value(), err
}

// reSub is sub and subn: the text and the number of replacements.
func reSub(th *Thread, a []Value) (Value, int, error) {
	p := patternOf(a[0])
	s, err := subjectOf(th, p, a[2])
	if err != nil {
		return lang.Unbound, 0, err
	}
	limit, err := intOf(th, a[3])
	if err != nil {
		return lang.Unbound, 0, err
	}
	repl, err := p.replacer(th, a[1])
	if err != nil {
		return lang.Unbound, 0, err
	}
	var out []rune
	last, n := 0, 0
	err = p.each(th, s, 0, len(s.runes), func(m *match) (bool, error) {
		out = append(out, s.runes[last:m.span[0]]...)
		r, err := repl(m)
		if err != nil {
			return false, err
		}
		out = append(out, r...)
		last = m.span[1]
		n++
		if n&1023 == 0 {
			if err := th.CheckSize(len(out), 4); err != nil {
				return false, err
			}
		}
		return limit <= 0 || n < limit, nil
	})
	if err != nil {
		return lang.Unbound, 0, err
	}
	if n == 0 {
		return a[2], 0, nil
	}
	all := &subject{runes: append(out, s.runes[last:]...), bytes: s.bytes}
	return all.slice(0, len(all.runes)), n, nil
}

// replacer makes the replacement of a match: from a template or a callable.
func (p *pattern) replacer(th *Thread, repl Value) (func(m *match) ([]rune, error), error) {
	if lang.IsCallable(repl) {
		return func(m *match) ([]rune, error) {
			r, err := th.Call(repl, []Value{m.value()})
			if err != nil || r.IsNone() {
				return nil, err
			}
			if s, ok := lang.AsStr(r); ok && !p.bytes {
				return lang.Runes(s.String()), nil
			}
			if b, ok := builtin.BytesLike(r); ok && p.bytes {
				return byteRunes(b), nil
			}
			return nil, th.TypeErrorf("expected str instance, %s found", lang.TypeName(r))
		}, nil
	}
	parts, err := p.template(th, repl)
	if err != nil {
		return nil, err
	}
	return func(m *match) ([]rune, error) { return expand(m, parts), nil }, nil
}

// templatePart is literal text, or a group when its number is not negative.
type templatePart struct {
	text  []rune
	group int
}

func expand(m *match, parts []templatePart) []rune {
	var out []rune
	for _, t := range parts {
		if t.group < 0 {
			out = append(out, t.text...)
		} else if i := 2 * t.group; m.span[i] >= 0 {
			out = append(out, m.s.runes[m.span[i]:m.span[i+1]]...)
		}
	}
	return out
}

func (p *pattern) template(th *Thread, repl Value) ([]templatePart, error) {
	var src []rune
	if s, ok := lang.AsStr(repl); ok && !p.bytes {
		src = lang.Runes(s.String())
	} else if b, ok := builtin.BytesLike(repl); ok && p.bytes {
		src = byteRunes(b)
	} else {
		return nil, th.TypeErrorf("expected string or bytes-like object, got '%s'", lang.TypeName(repl))
	}
	t := &templateReader{th: th, p: p, src: src}
	parts, m := t.run()
	if m != nil {
		if strings.HasPrefix(m.msg, "unknown group name") {
			return nil, th.Raise(lang.IndexError, "%s", m.msg)
		}
		return nil, reError(th, p.fail, *m, repl)
	}
	return parts, nil
}

func reTemplateCheck(th *Thread, a []Value) (Value, error) {
	_, err := patternOf(a[0]).template(th, a[1])
	return none, err
}

type templateReader struct {
	th    *Thread
	p     *pattern
	src   []rune
	i     int
	parts []templatePart
	text  []rune
}

func (t *templateReader) group(n, at int) *reMistake {
	if n > t.p.groups {
		return &reMistake{"invalid group reference " + strconv.Itoa(n), at}
	}
	t.parts = append(t.parts, templatePart{t.text, -1}, templatePart{nil, n})
	t.text = nil
	return nil
}

func (t *templateReader) run() ([]templatePart, *reMistake) {
	for t.i < len(t.src) {
		c := t.src[t.i]
		if c != '\\' {
			t.text = append(t.text, c)
			t.i++
			continue
		}
		if m := t.escape(); m != nil {
			return nil, m
		}
	}
	return append(t.parts, templatePart{t.text, -1}), nil
}

func (t *templateReader) escape() *reMistake {
	at := t.i
	if t.i+1 >= len(t.src) {
		return &reMistake{"bad escape (end of pattern)", at}
	}
	c := t.src[t.i+1]
	t.i += 2
	switch {
	case c == 'g':
		return t.named()
	case c == '0':
		n := 0
		for k := 0; k < 2 && t.i < len(t.src) && t.src[t.i] >= '0' && t.src[t.i] <= '7'; k++ {
			n = n*8 + int(t.src[t.i]-'0')
			t.i++
		}
		t.text = append(t.text, rune(n))
	case c >= '1' && c <= '9':
		n := int(c - '0')
		if t.i < len(t.src) && t.src[t.i] >= '0' && t.src[t.i] <= '9' {
			if c <= '3' && t.src[t.i] <= '7' && t.i+1 < len(t.src) && t.src[t.i+1] >= '0' && t.src[t.i+1] <= '7' {
				v := (int(c-'0')*8+int(t.src[t.i]-'0'))*8 + int(t.src[t.i+1]-'0')
				t.i += 2
				t.text = append(t.text, rune(v))
				return nil
			}
			n = n*10 + int(t.src[t.i]-'0')
			t.i++
		}
		return t.group(n, at+1)
	default:
		if i := strings.IndexRune("abfnrtv\\", c); i >= 0 {
			t.text = append(t.text, []rune("\a\b\f\n\r\t\v\\")[i])
		} else if c < 0x80 && format.IsAlpha(c) {
			return &reMistake{`bad escape \` + string(c), at}
		} else {
			t.text = append(t.text, '\\', c)
		}
	}
	return nil
}

func (t *templateReader) named() *reMistake {
	if t.i >= len(t.src) || t.src[t.i] != '<' {
		return &reMistake{"missing <", t.i}
	}
	t.i++
	at := t.i
	for t.i < len(t.src) && t.src[t.i] != '>' {
		t.i++
	}
	name := string(t.src[at:t.i])
	if t.i >= len(t.src) {
		if name == "" {
			return &reMistake{"missing group name", at}
		}
		return &reMistake{"missing >, unterminated name", at}
	}
	t.i++
	if name == "" {
		return &reMistake{"missing group name", at}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		return t.group(n, at)
	}
	if !format.IsIdentifier(name) {
		return &reMistake{"bad character in group name " + format.StrRepr(name), at}
	}
	for k, x := range t.p.names {
		if x == name {
			return t.group(t.p.nums[k], at)
		}
	}
	return &reMistake{"unknown group name " + format.StrRepr(name), at}
}

func objectOf(p *pattern) Value { return Value{P: unsafe.Pointer(p)} }
