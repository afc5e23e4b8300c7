package py

import (
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/lang/format"
)

// Flags of patterns, with Python's numbers.
const (
	reI = 2
	reL = 4
	reM = 8
	reS = 16
	reU = 32
	reX = 64
	reA = 256
)

// reMistake is a mistake in a pattern: text and position.
type reMistake struct {
	msg string
	pos int // -1 unknown
}

// reTranslator turns Python's syntax into that of the engine. Every group gets the
// name gN, so that both count alike; widths are kept for look-behind.
type reTranslator struct {
	src    []rune
	i      int
	flags  int
	out    strings.Builder
	groups int
	names  map[string]int
	order  []string // group names in order of definition
	nums   []int
	closed []int // how many groups were closed when group i was
	nclose int
	isOpen map[int]bool
	bytes  bool
	first  bool
	depth  int
}

type reWidth struct{ lo, hi int }

const reMany = 1 << 30

func (t *reTranslator) fail(pos int, f string, a ...any) { panic(reMistake{fmt.Sprintf(f, a...), pos}) }

func (t *reTranslator) more() bool { return t.i < len(t.src) }

func (t *reTranslator) peek() rune {
	if t.i < len(t.src) {
		return t.src[t.i]
	}
	return -1
}

func (t *reTranslator) accept(s string) bool {
	r := []rune(s)
	if t.i+len(r) > len(t.src) {
		return false
	}
	for k, c := range r {
		if t.src[t.i+k] != c {
			return false
		}
	}
	t.i += len(r)
	return true
}

// translate parses the whole pattern.
func (t *reTranslator) translate() (m *reMistake) {
	defer func() {
		if r := recover(); r != nil {
			x, ok := r.(reMistake)
			if !ok {
				panic(r)
			}
			m = &x
		}
	}()
	t.names, t.isOpen = map[string]int{}, map[int]bool{}
	t.closed = []int{0}
	t.first = true
	t.alternatives()
	if t.more() {
		t.fail(t.i, "unbalanced parenthesis")
	}
	return nil
}

func (t *reTranslator) alternatives() reWidth {
	w := t.sequence()
	for t.peek() == '|' {
		t.i++
		t.out.WriteByte('|')
		v := t.sequence()
		w = reWidth{min(w.lo, v.lo), max(w.hi, v.hi)}
	}
	return w
}

func (t *reTranslator) sequence() reWidth {
	var w reWidth
	for t.more() && t.peek() != '|' && t.peek() != ')' {
		if t.flags&reX != 0 && t.skipVerbose() {
			continue
		}
		v := t.item()
		w.lo, w.hi = min(w.lo+v.lo, reMany), min(w.hi+v.hi, reMany)
	}
	return w
}

func (t *reTranslator) skipVerbose() bool {
	c := t.peek()
	if c == '#' {
		for t.more() && t.peek() != '\n' {
			t.i++
		}
		return true
	}
	if format.IsSpace(c) && c < 0x80 {
		t.i++
		return true
	}
	return false
}

// item is an atom with its quantifiers.
func (t *reTranslator) item() reWidth {
	at := t.i
	start := t.out.Len()
	w, can := t.atom()
	if !can {
		if c := t.peek(); c == '*' || c == '+' || c == '?' {
			if !t.more() {
				return w
			}
		}
	}
	for t.more() {
		if t.flags&reX != 0 && t.skipVerbose() {
			continue
		}
		lo, hi, text, ok := t.quantifier()
		if !ok {
			return w
		}
		if !can {
			if at == -1 {
				t.fail(t.i-len([]rune(text)), "multiple repeat")
			}
			t.fail(t.i-len([]rune(text)), "nothing to repeat")
		}
		atom := t.out.String()[start:]
		suffix := ""
		if t.peek() == '?' {
			suffix = "?"
			t.i++
		} else if t.peek() == '+' {
			t.i++
			rest := t.out.String()[:start]
			t.out.Reset()
			t.out.WriteString(rest + "(?>" + atom + text + ")")
			text = ""
		}
		t.out.WriteString(text + suffix)
		w = reWidth{min(w.lo*lo, reMany), min(w.hi*hi, reMany)}
		if hi >= reMany && w.hi > 0 {
			w.hi = reMany
		}
		can, at = false, -1
	}
	return w
}

// quantifier reads *, +, ? or {m,n}.
func (t *reTranslator) quantifier() (lo, hi int, text string, ok bool) {
	switch t.peek() {
	case '*':
		t.i++
		return 0, reMany, "*", true
	case '+':
		t.i++
		return 1, reMany, "+", true
	case '?':
		t.i++
		return 0, 1, "?", true
	case '{':
	default:
		return 0, 0, "", false
	}
	at := t.i
	t.i++
	num := func() (int, bool) {
		n, any := 0, false
		for c := t.peek(); c >= '0' && c <= '9'; c = t.peek() {
			n, any = n*10+int(c-'0'), true
			if n > reMany {
				t.fail(at, "the repetition number is too large")
			}
			t.i++
		}
		return n, any
	}
	lo, has := num()
	hi = lo
	if t.peek() == ',' {
		t.i++
		var hasHi bool
		if hi, hasHi = num(); !hasHi {
			hi = reMany
		}
		if !has {
			lo = 0
			has = true
		}
	}
	if !has || t.peek() != '}' {
		t.i = at
		return 0, 0, "", false
	}
	t.i++
	if hi < lo {
		t.fail(at+1, "min repeat greater than max repeat")
	}
	if hi == reMany {
		return lo, hi, fmt.Sprintf("{%d,}", lo), true
	}
	return lo, hi, fmt.Sprintf("{%d,%d}", lo, hi), true
}

// atom writes one atom; can says whether it may be repeated.
func (t *reTranslator) atom() (w reWidth, can bool) {
	c := t.peek()
	switch c {
	case '^':
		t.i++
		t.out.WriteByte('^')
		return reWidth{}, false
	case '$':
		t.i++
		if t.flags&reM != 0 {
			t.out.WriteString(`(?=\n|\z)`)
		} else {
			t.out.WriteString(`(?=\n?\z)`)
		}
		return reWidth{}, false
	case '.':
		t.i++
		if t.flags&reS != 0 {
			t.out.WriteString(`[\s\S]`)
		} else {
			t.out.WriteString(`[^\n]`)
		}
		return reWidth{1, 1}, true
	case '(':
		return t.group()
	case '[':
		t.class()
		return reWidth{1, 1}, true
	case '\\':
		return t.escape()
	case '*', '+', '?':
		t.fail(t.i, "nothing to repeat")
	case '{':
		at := t.i
		if _, _, _, ok := t.quantifier(); ok {
			t.fail(at, "nothing to repeat")
		}
	}
	t.i++
	t.literal(c)
	return reWidth{1, 1}, true
}

func (t *reTranslator) literal(c rune) {
	if strings.ContainsRune(`\.+*?()|[]{}^$#`, c) || c == ' ' {
		t.out.WriteByte('\\')
	}
	t.out.WriteRune(c)
}

// shorthand is \d and kin as a class, or inside brackets as a set; "!" before it: everything else.
func (t *reTranslator) shorthand(c rune, inside bool) (string, bool) {
	ascii := t.flags&reA != 0 || t.bytes
	var set string
	switch c | 0x20 {
	case 'd':
		set = `\d`
		if ascii {
			set = "0-9"
		}
	case 'w':
		set = `\p{L}\p{N}_`
		if ascii {
			set = "a-zA-Z0-9_"
		}
	case 's':
		set = `\s\x1c-\x1f`
		if ascii {
			set = ` \t\n\r\f\v`
		}
	default:
		return "", false
	}
	upper := c < 'a'
	switch {
	case !upper && inside:
		return set, true
	case !upper:
		return "[" + set + "]", true
	case inside:
		return "!" + set, true
	}
	return "[^" + set + "]", true
}

// char reads the escape of one character; ok is false when it is none.
func (t *reTranslator) char(at int) (rune, bool) {
	c := t.peek()
	if i := strings.IndexRune("abfnrtv\\", c); i >= 0 && !(c == 'b') {
		t.i++
		return []rune("\a\b\f\n\r\t\v\\")[i], true
	}
	switch c {
	case 'x':
		return t.hex(at, 2), true
	case 'u', 'U':
		if t.bytes {
			break
		}
		if c == 'u' {
			return t.hex(at, 4), true
		}
		return t.hex(at, 8), true
	case '0':
		n := 0
		for k := 0; k < 3 && t.peek() >= '0' && t.peek() <= '7'; k++ {
			n = n*8 + int(t.peek()-'0')
			t.i++
		}
		return rune(n), true
	}
	return 0, false
}

func (t *reTranslator) hex(at, n int) rune {
	kind := t.peek()
	t.i++
	start, v := t.i, 0
	for t.i-start < n && t.more() {
		d := strings.IndexRune("0123456789abcdef", t.peek()|0x20)
		if t.peek() < '0' || d < 0 {
			break
		}
		v = v*16 + d
		t.i++
	}
	if t.i-start != n {
		t.fail(at, `incomplete escape \%c%s`, kind, string(t.src[start:t.i]))
	}
	if v > 0x10ffff {
		t.fail(at, `bad escape \%c%s`, kind, string(t.src[start:t.i]))
	}
	return rune(v)
}

func (t *reTranslator) escape() (reWidth, bool) {
	at := t.i
	t.i++
	if !t.more() {
		t.fail(at, "bad escape (end of pattern)")
	}
	c := t.peek()
	if s, ok := t.shorthand(c, false); ok {
		t.i++
		t.out.WriteString(s)
		return reWidth{1, 1}, true
	}
	switch c {
	case 'A':
		t.i++
		t.out.WriteString(`\A`)
		return reWidth{}, false
	case 'Z':
		t.i++
		t.out.WriteString(`\z`)
		return reWidth{}, false
	case 'b', 'B':
		t.i++
		t.out.WriteString(t.boundary(c == 'B'))
		return reWidth{}, false
	}
	if c >= '1' && c <= '9' {
		return t.backReference(at)
	}
	if r, ok := t.char(at); ok {
		t.literal(r)
		return reWidth{1, 1}, true
	}
	if c < 0x80 && format.IsAlpha(c) {
		t.fail(at, `bad escape \%c`, c)
	}
	t.i++
	t.literal(c)
	return reWidth{1, 1}, true
}

// boundary is \b in terms of Python's word characters.
func (t *reTranslator) boundary(not bool) string {
	w, _ := t.shorthand('w', false)
	if not {
		return "(?:(?<=" + w + ")(?=" + w + ")|(?<!" + w + ")(?!" + w + "))"
	}
	return "(?:(?<=" + w + ")(?!" + w + ")|(?<!" + w + ")(?=" + w + "))"
}

func (t *reTranslator) backReference(at int) (reWidth, bool) {
	n := int(t.peek() - '0')
	t.i++
	if c := t.peek(); c >= '0' && c <= '9' {
		if d := t.src[t.i-1]; d <= '3' && c <= '7' && t.i+1 < len(t.src) && t.src[t.i+1] >= '0' && t.src[t.i+1] <= '7' {
			v := (int(d-'0')*8+int(c-'0'))*8 + int(t.src[t.i+1]-'0')
			t.i += 2
			t.literal(rune(v))
			return reWidth{1, 1}, true
		}
		n = n*10 + int(c-'0')
		t.i++
	}
	t.reference(n, at+1)
	return reWidth{0, reMany}, true
}

func (t *reTranslator) reference(n, at int) {
	if n > t.groups {
		t.fail(at, "invalid group reference %d", n)
	}
	if t.isOpen[n] {
		t.fail(at-1, "cannot refer to an open group")
	}
	fmt.Fprintf(&t.out, `\k<g%d>`, n)
}

// class translates [...].
func (t *reTranslator) class() {
	at := t.i
	t.i++
	neg := t.accept("^")
	var b strings.Builder
	var without []string
	for first := true; ; first = false {
		if !t.more() {
			t.fail(at, "unterminated character set")
		}
		if t.peek() == ']' && !first {
			t.i++
			break
		}
		lo, set, from := t.classItem(at)
		if t.peek() == '-' && t.i+1 < len(t.src) && t.src[t.i+1] != ']' {
			t.i++
			hi, set2, _ := t.classItem(at)
			if set != "" || set2 != "" || hi < lo {
				t.fail(from, "bad character range %s", string(t.src[from:t.i]))
			}
			b.WriteString(classChar(lo) + "-" + classChar(hi))
			continue
		} else if t.peek() == '-' && t.i+1 >= len(t.src) {
			t.fail(at, "unterminated character set")
		}
		switch {
		case strings.HasPrefix(set, "!"):
			without = append(without, set[1:])
		case set != "":
			b.WriteString(set)
		default:
			b.WriteString(classChar(lo))
		}
	}
	t.writeClass(b.String(), without, neg)
}

// writeClass writes a class of the set has and of everything outside the sets
// without; the engine gets those as alternatives, or as look-ahead when negated.
func (t *reTranslator) writeClass(has string, without []string, neg bool) {
	if len(without) == 0 {
		if neg {
			has = "^" + has
		}
		t.out.WriteString("[" + has + "]")
		return
	}
	t.out.WriteString("(?:")
	if neg {
		if has != "" {
			t.out.WriteString("(?![" + has + "])")
		}
		for _, w := range without[1:] {
			t.out.WriteString("(?=[" + w + "])")
		}
		t.out.WriteString("[" + without[0] + "])")
		return
	}
	if has != "" {
		t.out.WriteString("[" + has + "]|")
	}
	for i, w := range without {
		if i > 0 {
			t.out.WriteByte('|')
		}
		t.out.WriteString("[^" + w + "]")
	}
	t.out.WriteByte(')')
}

func classChar(r rune) string {
	if strings.ContainsRune(`\]^-[&~|`, r) || r < ' ' {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return string(r)
}

// classItem is a character or a shorthand set at the front, and where it began.
func (t *reTranslator) classItem(open int) (r rune, set string, at int) {
	at = t.i
	c := t.peek()
	t.i++
	if c != '\\' {
		return c, "", at
	}
	if !t.more() {
		t.fail(at, "bad escape (end of pattern)")
	}
	c = t.peek()
	if s, ok := t.shorthand(c, true); ok {
		t.i++
		return 0, s, at
	}
	if c == 'b' {
		t.i++
		return '\b', "", at
	}
	if c >= '0' && c <= '7' {
		n := 0
		for k := 0; k < 3 && t.peek() >= '0' && t.peek() <= '7'; k++ {
			n = n*8 + int(t.peek()-'0')
			t.i++
		}
		return rune(n), "", at
	}
	if r, ok := t.char(at); ok {
		return r, "", at
	}
	if c < 0x80 && (format.IsAlpha(c) || format.IsDigit(c)) {
		t.fail(at, `bad escape \%c`, c)
	}
	t.i++
	return c, "", at
}

// group translates everything that begins with a parenthesis.
func (t *reTranslator) group() (reWidth, bool) {
	at := t.i
	t.i++
	if t.depth++; t.depth > 200 {
		t.fail(at, "too many nested groups")
	}
	defer func() { t.depth-- }()
	if !t.accept("?") {
		return t.capture(at, ""), true
	}
	if !t.more() {
		t.fail(t.i, "unexpected end of pattern")
	}
	c := t.peek()
	t.i++
	switch c {
	case 'P':
		return t.pythonGroup(at)
	case ':':
		return t.plain(at, "(?:"), true
	case '>':
		return t.plain(at, "(?>"), true
	case '=', '!':
		t.plain(at, "(?"+string(c))
		return reWidth{}, true
	case '<':
		return t.lookBehind(at), true
	case '#':
		for t.more() && t.peek() != ')' {
			t.i++
		}
		if !t.accept(")") {
			t.fail(at, "missing ), unterminated comment")
		}
		return reWidth{}, true
	case '(':
		return t.conditional(at), true
	}
	t.i--
	return t.inlineFlags(at)
}

func (t *reTranslator) closing(at int) {
	if !t.accept(")") {
		t.fail(at, "missing ), unterminated subpattern")
	}
}

func (t *reTranslator) plain(at int, open string) reWidth {
	t.out.WriteString(open)
	saved := t.flags
	w := t.alternatives()
	t.flags = saved
	t.closing(at)
	t.out.WriteByte(')')
	return w
}

func (t *reTranslator) capture(at int, name string) reWidth {
	t.groups++
	n := t.groups
	if name != "" {
		if old, dup := t.names[name]; dup {
			t.fail(at, "redefinition of group name %s as group %d; was group %d", format.StrRepr(name), n, old)
		}
		t.names[name] = n
		t.order = append(t.order, name)
		t.nums = append(t.nums, n)
	}
	t.closed = append(t.closed, 0)
	t.isOpen[n] = true
	start := at
	if name != "" {
		start = at - 4
	}
	w := t.plain(max(start, 0), fmt.Sprintf("(?<g%d>", n))
	delete(t.isOpen, n)
	t.nclose++
	t.closed[n] = t.nclose
	return w
}

// name reads a group name up to end.
func (t *reTranslator) name(end rune, what string) (string, int) {
	at := t.i
	for t.more() && t.peek() != end {
		t.i++
	}
	name := string(t.src[at:t.i])
	if !t.more() {
		if name == "" {
			t.fail(at, "missing group name")
		}
		t.fail(at, "missing %c, unterminated name", end)
	}
	t.i++
	if name == "" {
		t.fail(at, "missing group name")
	}
	return name, at
}

func (t *reTranslator) pythonGroup(at int) (reWidth, bool) {
	switch {
	case t.accept("<"):
		name, pos := t.name('>', "group name")
		if !format.IsIdentifier(name) {
			t.fail(pos, "bad character in group name %s", format.StrRepr(name))
		}
		return t.capture(at+4, name), true
	case t.accept("="):
		name, pos := t.name(')', "group name")
		if !format.IsIdentifier(name) {
			t.fail(pos, "bad character in group name %s", format.StrRepr(name))
		}
		n, ok := t.names[name]
		if !ok {
			t.fail(pos, "unknown group name %s", format.StrRepr(name))
		}
		t.reference(n, pos)
		return reWidth{0, reMany}, true
	}
	if !t.more() {
		t.fail(t.i, "unexpected end of pattern")
	}
	t.fail(at+1, "unknown extension ?P%c", t.peek())
	return reWidth{}, false
}

func (t *reTranslator) lookBehind(at int) reWidth {
	if !t.more() {
		t.fail(t.i, "unexpected end of pattern")
	}
	c := t.peek()
	if c != '=' && c != '!' {
		t.fail(at+1, "unknown extension ?<%c", c)
	}
	t.i++
	w := t.plain(at, "(?<"+string(c))
	if w.lo != w.hi {
		t.fail(-1, "look-behind requires fixed-width pattern")
	}
	return reWidth{}
}

func (t *reTranslator) conditional(at int) reWidth {
	name, pos := t.name(')', "group name")
	n, ok := t.names[name]
	if !ok {
		v := 0
		for _, c := range name {
			if c < '0' || c > '9' {
				if format.IsIdentifier(name) {
					t.fail(pos, "unknown group name %s", format.StrRepr(name))
				}
				t.fail(pos, "bad character in group name %s", format.StrRepr(name))
			}
			v = v*10 + int(c-'0')
		}
		if n = v; n == 0 {
			t.fail(pos, "bad group number")
		}
	}
	fmt.Fprintf(&t.out, "(?(g%d)", n)
	w := t.sequence()
	if t.accept("|") {
		t.out.WriteByte('|')
		v := t.sequence()
		w = reWidth{min(w.lo, v.lo), max(w.hi, v.hi)}
		if t.peek() == '|' {
			t.fail(t.i, "conditional backref with more than two branches")
		}
	} else {
		w.lo = 0
		t.out.WriteByte('|')
	}
	t.closing(at)
	t.out.WriteByte(')')
	return w
}

var reFlagLetters = map[rune]int{'a': reA, 'i': reI, 'L': reL, 'm': reM, 's': reS, 'u': reU, 'x': reX}

// inlineFlags are (?i), (?i:...), (?-i:...).
func (t *reTranslator) inlineFlags(at int) (reWidth, bool) {
	add, del, minus := 0, 0, false
	for {
		if !t.more() {
			t.fail(t.i, "missing -, : or )")
		}
		c := t.peek()
		if c == ')' || c == ':' {
			break
		}
		if c == '-' && !minus {
			minus = true
			t.i++
			continue
		}
		f, ok := reFlagLetters[c]
		if !ok {
			if t.i == at+2 {
				t.fail(at+1, "unknown extension ?%c", c)
			}
			if format.IsAlpha(c) {
				t.fail(t.i, "unknown flag")
			}
			t.fail(t.i, "missing -, : or )")
		}
		if minus {
			del |= f
		} else {
			add |= f
		}
		t.i++
	}
	if t.accept(")") {
		if minus {
			t.fail(t.i-1, "missing :")
		}
		if at != 0 {
			t.fail(at, "global flags not at the start of the expression")
		}
		t.flags |= add
		if add&reI != 0 {
			t.out.WriteString("(?i)")
		}
		if add&reM != 0 {
			t.out.WriteString("(?m)")
		}
		return reWidth{}, false
	}
	t.i++
	saved := t.flags
	t.flags = t.flags&^del | add
	letters, off := "", ""
	for f, s := range map[int]string{reI: "i", reM: "m"} {
		if add&f != 0 {
			letters += s
		}
		if del&f != 0 {
			off += s
		}
	}
	if off != "" {
		letters += "-" + off
	}
	w := t.plain(at, "(?"+letters+":")
	t.flags = saved
	return w, true
}
