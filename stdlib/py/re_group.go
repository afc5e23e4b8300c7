package py

import (
	"fmt"
	"strconv"

	"github.com/tfs-lang/tfs/lang/format"
)

// group reads what follows an opening parenthesis; ok is false for what leaves
// no item: comments and flags of the whole pattern, which go to *global.
func (p *reParser) group(flags int, first bool, global *int) (it reItem, ok bool) {
	start := p.pos - 1
	if !p.match("?") {
		return p.capture("", flags, start), true
	}
	char := p.get()
	switch char {
	case "":
		p.fail(0, "unexpected end of pattern")
	case "P":
		return p.named(flags, start), true
	case ":":
		return p.plain("(?:", flags, start), true
	case ">":
		return p.plain("(?>", flags, start), true
	case "#":
		p.comment(start)
		return it, false
	case "=", "!", "<":
		return p.look(char, flags, start), true
	case "(":
		return p.conditional(flags, start), true
	}
	if r := []rune(char)[0]; char != "-" && reFlagOf[r] == 0 {
		p.fail(runeLen(char)+1, "unknown extension ?%s", char)
	}
	add, del, scoped := p.inlineFlags(char)
	if scoped {
		return p.plain(reScope(add, del), reApply(flags, add, del), start), true
	}
	if !first {
		p.fail(p.pos-start, "global flags not at the start of the expression")
	}
	if add&reX != 0 && flags&reX == 0 {
		panic(reRestart{})
	}
	p.flags |= add
	*global = flags | add
	return it, false
}

// reScope opens a group with the one flag that is not resolved while parsing.
func reScope(add, del int) string {
	switch {
	case add&reI != 0:
		return "(?i:"
	case del&reI != 0:
		return "(?-i:"
	}
	return "(?:"
}

func reApply(flags, add, del int) int {
	if add&reTypes != 0 {
		flags &^= reTypes
	}
	return (flags | add) &^ del
}

// close takes the closing parenthesis.
func (p *reParser) close(start int) {
	if !p.match(")") {
		p.fail(p.pos-start, "missing ), unterminated subpattern")
	}
}

func (p *reParser) plain(begin string, flags, start int) reItem {
	text, w := p.alternatives(flags, false)
	p.close(start)
	return reItem{text: begin + text + ")", width: w}
}

func (p *reParser) capture(name string, flags, start int) reItem {
	g := p.groups
	p.groups++
	if name != "" {
		if old, dup := p.names[name]; dup {
			p.fail(runeLen(name)+1, "redefinition of group name %s as group %d; was group %d", format.Repr(name), g, old)
		}
		p.names[name] = g
	}
	p.open[g] = true
	text, w := p.alternatives(flags, false)
	p.close(start)
	delete(p.open, g)
	p.width[g] = w
	p.closed = append(p.closed, g)
	return reItem{text: fmt.Sprintf("(?<%d>%s)", g, text), width: w}
}

// named reads (?P<name>…) and (?P=name).
func (p *reParser) named(flags, start int) reItem {
	if p.match("<") {
		name := p.until(">", "group name")
		p.checkName(name)
		return p.capture(name, flags, start)
	}
	if p.match("=") {
		name := p.until(")", "group name")
		p.checkName(name)
		g, ok := p.names[name]
		if !ok {
			p.fail(runeLen(name)+1, "unknown group name %s", format.Repr(name))
		}
		return p.reference(g, runeLen(name)+1)
	}
	char := p.get()
	if char == "" {
		p.fail(0, "unexpected end of pattern")
	}
	p.fail(runeLen(char)+2, "unknown extension ?P%s", char)
	return reItem{}
}

func (p *reParser) reference(g, offset int) reItem {
	if p.open[g] {
		p.fail(offset, "cannot refer to an open group")
	}
	p.checkBehind(g)
	return reItem{text: fmt.Sprintf(`\k<%d>`, g), width: p.width[g]}
}

func (p *reParser) checkBehind(g int) {
	if n := len(p.behind); n > 0 && g >= p.behind[0] {
		p.fail(0, "cannot refer to group defined in the same lookbehind subpattern")
	}
}

func (p *reParser) comment(start int) {
	for {
		switch p.get() {
		case "":
			p.fail(p.pos-start, "missing ), unterminated comment")
		case ")":
			return
		}
	}
}

// look reads look-ahead and look-behind.
func (p *reParser) look(char string, flags, start int) reItem {
	begin := "(?" + char
	back := char == "<"
	if back {
		char = p.get()
		if char == "" {
			p.fail(0, "unexpected end of pattern")
		}
		if char != "=" && char != "!" {
			p.fail(runeLen(char)+2, "unknown extension ?<%s", char)
		}
		begin += char
		p.behind = append(p.behind, p.groups)
	}
	text, w := p.alternatives(flags, false)
	if back {
		p.behind = p.behind[:len(p.behind)-1]
	}
	p.close(start)
	if back && w.lo != w.hi {
		panic(&reError{msg: "look-behind requires fixed-width pattern", pos: -1})
	}
	return reItem{text: begin + text + ")"}
}

// conditional reads (?(group)yes|no).
func (p *reParser) conditional(flags, start int) reItem {
	name := p.until(")", "group name")
	var g int
	if format.IsIdentifier(name) {
		var ok bool
		if g, ok = p.names[name]; !ok {
			p.fail(runeLen(name)+1, "unknown group name %s", format.Repr(name))
		}
	} else {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 {
			p.fail(runeLen(name)+1, "bad character in group name %s", format.Repr(name))
		}
		if n == 0 {
			p.fail(runeLen(name)+1, "bad group number")
		}
		g = n
		p.refs = append(p.refs, reRef{g, p.pos - runeLen(name) - 1})
	}
	p.checkBehind(g)
	yes, w := p.sequence(flags, false, nil)
	no, v := "", reWidth{}
	if p.match("|") {
		no, v = p.sequence(flags, false, nil)
		if p.next() == "|" {
			p.fail(0, "conditional backref with more than two branches")
		}
	}
	p.close(start)
	return reItem{text: fmt.Sprintf("(?(%d)%s|%s)", g, yes, no), width: w.or(v)}
}

// inlineFlags reads (?flags), scoped (?flags-flags:.
func (p *reParser) inlineFlags(char string) (add, del int, scoped bool) {
	if char != "-" {
		if add, char = p.flagsOn(char); char == ")" {
			return add, 0, false
		}
	}
	if char == "-" {
		del = p.flagsOff()
	}
	if add&del != 0 {
		p.fail(1, "bad inline flags: flags turned on and off")
	}
	return add, del, true
}

func (p *reParser) flagsOn(char string) (add int, end string) {
	for {
		flag := reFlagOf[[]rune(char)[0]]
		if !p.bytes && char == "L" {
			p.fail(0, "bad inline flags: cannot use 'L' flag with a str pattern")
		}
		if p.bytes && char == "u" {
			p.fail(0, "bad inline flags: cannot use 'u' flag with a bytes pattern")
		}
		add |= flag
		if flag&reTypes != 0 && add&reTypes != flag {
			p.fail(0, "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
		}
		char = p.get()
		if char == ")" || char == "-" || char == ":" {
			return add, char
		}
		p.flagChar(char, "missing -, : or )")
	}
}

func (p *reParser) flagsOff() (del int) {
	char := p.get()
	p.flagChar(char, "missing flag")
	for {
		flag := reFlagOf[[]rune(char)[0]]
		if flag&reTypes != 0 {
			p.fail(0, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
		}
		del |= flag
		if char = p.get(); char == ":" {
			return del
		}
		p.flagChar(char, "missing :")
	}
}

// flagChar fails unless char names a flag.
func (p *reParser) flagChar(char, missing string) {
	if char == "" {
		p.fail(0, "%s", missing)
	}
	if reFlagOf[[]rune(char)[0]] != 0 && len(char) == 1 {
		return
	}
	if isAlphaText(char) {
		missing = "unknown flag"
	}
	p.fail(runeLen(char), "%s", missing)
}
