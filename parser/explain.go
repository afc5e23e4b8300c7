package parser

import (
	"strings"
	"unicode/utf8"
)

// mode is what a source is to be.
type mode int

const (
	modeFile   mode = iota // a file
	modeText               // a program in memory
	modeSingle             // a statement
	modeExpr               // an expression
)

var startRules = [...]string{modeFile: "file", modeText: "file", modeSingle: "single", modeExpr: "eval"}

// place is a range in the source: lines, and byte columns from 1.
type place struct{ line, col, endLine, endCol int }

// explain makes the error of a source that the first parser refused.
func explain(cause error, s *source) error {
	if e, ok := cause.(*SyntaxError); ok { // found after parsing
		e.Filename, e.Text = s.name, lineOf(s.text, e.Line)
		return e
	}
	if cause == errDeep {
		return &SyntaxError{Class: "MemoryError"}
	}
	scan := newScanner(s.text)
	scan.bare = s.bare
	p := &peg{src: s.text, name: s.name, names: scan, line0: 1, bytes: s.bytes, file: s.mode == modeFile, bare: s.bare}
	if err := p.run(startRules[s.mode], scan); err != nil {
		return err
	}
	if s.mode == modeSingle && p.toks[p.pos].kind != tEOF {
		return p.errorHere("SyntaxError", "multiple statements found while compiling a single statement")
	}
	// Both parsers should refuse the same; say the least if they don't.
	return &SyntaxError{Class: "SyntaxError", Msg: "invalid syntax", Filename: s.name, Line: 1, Col: 1, EndLine: 1, EndCol: 1, Text: lineOf(s.text, 1)}
}

// explainFragment parses an expression of an f-string; nil means it is right.
func explainFragment(f fragment, outer *peg) *SyntaxError {
	src := f.src + "\n"
	s := newScanner(src)
	s.line0, s.col0 = f.line, f.col
	p := &peg{src: src, name: outer.name, names: s, line0: f.line, wrapped: &f, level: outer.level}
	return p.run("fragment", s)
}

// readAll reads the tokens, up to the end or to a mistake.
func (p *peg) readAll(s *scanner) {
	for {
		t, ok := s.nextPlaced()
		if !ok {
			p.stop = s.stop
			return
		}
		if s.pos >= len(s.src) && !t.located && t.kind != tNewline && p.wrapped == nil {
			p.atEnd(&t, s.lastBuf)
		}
		p.toks = append(p.toks, t)
		if t.kind == tEOF {
			return
		}
	}
}

// run parses with the rules: once without those for wrong programs, and again
// with them if need be.
func (p *peg) run(start string, s *scanner) (failed *SyntaxError) {
	p.readAll(s)
	level := p.level
	ok, failed := p.pass(start, level)
	if ok || p.stopped {
		return failed
	}
	if failed == nil {
		failed = p.secondPass(start, level)
	}
	if failed.Class == "SyntaxError" || failed.Class == "IndentationError" && !p.unexpected {
		if later := p.laterError(); later != nil && !p.stopped {
			return later
		}
	}
	return failed
}

// secondPass looks for what is wrong.
func (p *peg) secondPass(start string, level int) *SyntaxError {
	last := p.fill - 1
	p.bad, p.pos, p.memo = true, 0, nil
	if _, failed := p.pass(start, level); failed != nil {
		return failed
	}
	if t := p.toks[last]; t.kind == tIndent || t.kind == tDedent {
		what := "unexpected indent"
		if t.kind == tDedent {
			what = "unexpected unindent"
		}
		p.unexpected = true
		return p.errorHere("IndentationError", what)
	}
	n := &node{first: last, last: last}
	return p.errorRange("SyntaxError", n, n, "invalid syntax")
}

// atEnd places a token behind the last line as CPython does: on it.
func (p *peg) atEnd(t *placed, buf int) {
	t.buf = buf
	t.bol0 = strings.LastIndexByte(p.src[:max(len(p.src)-1, 0)], '\n') + 1
	if t.cursor = len(p.src); p.bare {
		t.cursor--
	}
	if t.line > 1 {
		t.line--
	}
	t.eline = t.line
}

// pass parses once.
func (p *peg) pass(start string, level int) (ok bool, failed *SyntaxError) {
	p.steps, p.budget = 0, p.maxSteps()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			failed = r
		case refused: // too many steps
		default:
			panic(r)
		}
		p.level = level
	}()
	return p.rule(rules()[start]) != nil, nil
}

// laterError looks for a mistake of the scanner's behind a mistake of grammar:
// it is the likelier cause.
func (p *peg) laterError() *SyntaxError {
	if p.stop == nil {
		return nil
	}
	if p.stop.kind == stopMessage {
		later := p.scanFailure()
		p.stopped = false
		return later
	}
	if n := len(p.names.brackets); n > 0 && int(p.toks[p.fill-1].line) > int(p.names.brackets[n-1].line)+p.line0-1 {
		return p.unclosed()
	}
	return nil
}

// unclosed reports the innermost bracket left open.
func (p *peg) unclosed() *SyntaxError {
	b := p.names.brackets[len(p.names.brackets)-1]
	line := int(b.line) + p.line0 - 1
	return p.errorAt("SyntaxError", "'"+string(b.open)+"' was never closed", place{line, int(b.col) + 1 + p.shift(int(b.line)), line, 0})
}

// shift is by how much the columns of a line of a fragment are moved.
func (p *peg) shift(line int) int {
	if p.wrapped != nil && line == 1 {
		return p.wrapped.col
	}
	return 0
}

// scanFailure is the scanner's error.
func (p *peg) scanFailure() *SyntaxError {
	e := p.stop
	p.stopped = true
	line := e.line + p.line0 - 1
	cursor := place{line, e.cursor - e.bol, line, 0}
	switch e.kind {
	case stopEOF:
		if len(p.names.brackets) > 0 {
			return p.unclosed()
		}
		return p.errorAt("SyntaxError", "unexpected EOF while parsing", place{line, cursor.col, line, -1})
	case stopDedent:
		end := strings.IndexByte(p.src[e.cursor:], '\n')
		if p.bare && e.cursor+end+1 == len(p.src) {
			end--
		}
		return p.errorAt("IndentationError", "unindent does not match any outer indentation level", place{line, e.cursor - e.bol + end + 1, line, -1})
	case stopTabs:
		return p.errorAt("TabError", "inconsistent use of tabs and spaces in indentation", place{line, 1, line, 0})
	case stopDeep:
		return p.errorAt("IndentationError", "too many levels of indentation", place{line, 1, line, 0})
	case stopContinuation:
		return p.errorAt("SyntaxError", "unexpected character after line continuation character", place{line, cursor.col, line, 0})
	}
	// CPython's tokenizer words and places its errors itself, also in fragments.
	text := lineOf(p.src, e.line)
	col, end := codePoints(text, e.offset), codePoints(text, e.endOffset)
	if e.raw {
		col, end = e.offset, e.endOffset
	}
	return &SyntaxError{Class: "SyntaxError", Msg: e.msg, Filename: p.name, Line: line, Col: col, EndLine: line, EndCol: end,
		Text: strings.TrimSuffix(text, "\n")}
}

// errorRange is an error from the beginning of a to the end of b, or of a.
func (p *peg) errorRange(class string, a, b *node, msg string) *SyntaxError {
	if b == nil {
		b = a
	}
	from, to := p.toks[a.first], p.toks[b.last]
	at := place{int(from.line), int(from.col) + 1, int(to.eline), int(to.ecol) + 1}
	if !from.located {
		at.col = 0
	}
	if !to.located {
		at.endCol = 0
	}
	return p.errorAt(class, msg, at)
}

// errorHere is an error at the last token read.
func (p *peg) errorHere(class, msg string) *SyntaxError {
	t := p.toks[p.fill-1]
	at := place{int(t.line), int(t.col) + 1, int(t.eline), int(t.ecol) + 1}
	if !t.located {
		at.col, at.endCol = t.cursor-t.bol0, -1
		if p.file && t.kind != tIndent && t.cursor == len(p.src) {
			at.col = 0 // behind the last line
		}
	}
	return p.errorAt(class, msg, at)
}

// errorAt makes an error, with columns in code points.
func (p *peg) errorAt(class, msg string, at place) *SyntaxError {
	e := &SyntaxError{Class: class, Msg: msg, Filename: p.name, Line: at.line, EndLine: at.endLine}
	first := at.line - p.line0 + 1
	if p.wrapped != nil {
		e.Msg = "f-string: " + msg
		at.col -= p.wrapped.col
		if at.endCol > 0 {
			at.endCol -= p.wrapped.col
		}
	}
	switch {
	case p.file:
		e.Text = lineOf(p.src, first)
	case at.line < p.scanLine():
		e.Text = strings.TrimSuffix(lineOf(p.src, first), "\n")
	default:
		e.Text = p.held()
	}
	e.Col, e.EndCol = at.col, at.endCol
	if p.wrapped == nil && !p.bytes {
		e.Col, e.EndCol = codePoints(e.Text, at.col), codePoints(e.Text, at.endCol)
	}
	return e
}

// scanLine is the line that has been read last.
func (p *peg) scanLine() int {
	switch {
	case !p.stopped:
		return int(p.toks[p.fill-1].eline)
	case p.stop.bol >= len(p.src): // behind the last line
		return p.stop.line + p.line0 - 2
	}
	return p.stop.line + p.line0 - 1
}

// held is the text that CPython's tokenizer holds.
func (p *peg) held() string {
	from, to := 0, 0
	if p.stopped {
		from, to = p.stop.buf, p.stop.cursor
	} else {
		t := p.toks[p.fill-1]
		from, to = t.buf, t.cursor
	}
	if to == 0 || p.src[to-1] != '\n' || to == from {
		to += strings.IndexByte(p.src[to:], '\n') + 1
	}
	if to == len(p.src) && p.bare {
		to--
	}
	return p.src[min(from, to):to]
}

// lineOf returns a line of the source with its newline.
func lineOf(src string, line int) string {
	for ; line > 1; line-- {
		i := strings.IndexByte(src, '\n')
		if i < 0 {
			return ""
		}
		src = src[i+1:]
	}
	if i := strings.IndexByte(src, '\n'); i >= 0 {
		return src[:i+1]
	}
	return src
}

// codePoints turns a byte column that counts from 1 into one of code points.
func codePoints(line string, col int) int {
	if col <= 0 {
		return col
	}
	if col > len(line) { // of an error that ends on another line
		return utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) + 1
	}
	return utf8.RuneCountInString(line[:col])
}
