package lang

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/parser"
)

// TracebackEntry is one frame of a traceback, as text is made of it.
type TracebackEntry struct {
	File, Name string
	Span       code.Span // columns in bytes; EndLine 0 without columns
}

// Entry is the frame that t stands for.
func (t *Traceback) Entry() TracebackEntry {
	if t.PC < 0 { // before the first instruction
		return TracebackEntry{t.Code.File, t.Code.Name, code.Span{Line: t.Line}}
	}
	e := TracebackEntry{File: t.Code.File, Name: t.Code.Name, Span: t.Code.Pos[t.PC]}
	if e.Span.Line == 0 {
		e.Span = code.Span{Line: t.Line}
	}
	if t.inner {
		for i := range t.Code.Inner {
			if t.Code.Inner[i].At == t.PC {
				e.Span = t.Code.Inner[i].Pos
			}
		}
	}
	if t.comp != nil {
		e.Name = t.comp.Name
	}
	if t.Next != nil && t.Next.comp != nil && t.Next.Code == t.Code && t.Next.PC == t.PC && t.comp != t.Next.comp {
		e.Span = t.Next.comp.Span // here the comprehension was called
	}
	return e
}

// FormatException is the whole traceback of e with chained exceptions, as CPython
// prints it; every line ends in a newline.
func FormatException(th *Thread, e *Exception) string {
	var b strings.Builder
	r := report{th: th, b: &b, seen: map[*Exception]bool{}}
	r.chain(e)
	return b.String()
}

// FormatTrace is the frames of a traceback without its head.
func FormatTrace(th *Thread, t *Traceback) string {
	var b strings.Builder
	writeTrace(th, &b, t)
	return b.String()
}

// repeatedFrames is how many equal frames are printed before they fold.
const repeatedFrames = 3

func writeTrace(th *Thread, b *strings.Builder, t *Traceback) {
	var last TracebackEntry
	count := 0
	fold := func() {
		if n := count - repeatedFrames; n > 0 {
			b.WriteString("  [Previous line repeated " + strconv.Itoa(n) + " more " + plural("time", n) + "]\n")
		}
	}
	for ; t != nil; t = t.Next {
		e := t.Entry()
		if count > 0 && e.File == last.File && e.Span.Line == last.Span.Line && e.Name == last.Name {
			count++
		} else {
			fold()
			count, last = 1, e
		}
		if count <= repeatedFrames {
			b.WriteString(FormatEntry(th, e))
		}
	}
	fold()
}

// FormatEntry is one frame: the place, the source line, the carets.
func FormatEntry(th *Thread, e TracebackEntry) string {
	head := "  File \"" + e.File + "\", line " + strconv.Itoa(int(e.Span.Line)) + ", in " + e.Name + "\n"
	line, ok := th.Interp.SourceLine(e.File, int(e.Span.Line))
	text := strings.TrimSpace(line)
	if !ok || text == "" {
		return head
	}
	head += "    " + text + "\n"
	if e.Span.EndLine == 0 {
		return head
	}
	return head + carets(line, text, e.Span)
}

// carets marks the part of the line that failed, "" when that is the whole line.
func carets(line, text string, s code.Span) string {
	start, end := int(s.Col), int(s.EndCol)
	if start > len(line) || start < 0 {
		return ""
	}
	var mark *anchors
	if s.Line != s.EndLine {
		end = len(strings.TrimRight(line, " \t\r\n\f"))
	} else {
		end = min(end, len(line))
		if end > start {
			mark = findAnchors(line[start:end])
		}
	}
	n := utf8.RuneCountInString(line[start:max(start, end)])
	if n >= utf8.RuneCountInString(text) && (mark == nil || mark.right <= mark.left) {
		return ""
	}
	segment := line[start:max(start, end)]
	indent := strings.Repeat(" ", max(0, width(line[:start])-width(line[:len(line)-len(strings.TrimLeft(line, " \t\f"))])))
	if mark == nil {
		return "    " + indent + strings.Repeat("^", width(segment)) + "\n"
	}
	left, right := width(segment[:mark.left]), width(segment[:mark.right])
	return "    " + indent + strings.Repeat("~", left) + strings.Repeat("^", right-left) + strings.Repeat("~", max(0, width(segment)-right)) + "\n"
}

func width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return runewidth.StringWidth(s)
		}
	}
	return len(s)
}

// anchors are byte offsets of the operator, or of the subscript's brackets.
type anchors struct{ left, right int }

// findAnchors finds what carets point at inside a binary operation or a subscript.
func findAnchors(segment string) *anchors {
	m, err := parser.ParseString(segment, "<segment>")
	if err != nil || len(m.Body) != 1 {
		return nil
	}
	st, ok := m.Body[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	switch x := st.Value.(type) {
	case *ast.BinOp:
		return operatorAnchors(segment, int(x.Left.Where().EndCol), int(x.Right.Where().Col))
	case *ast.Subscript:
		return subscriptAnchors(segment, int(x.Value.Where().EndCol), int(x.Slice.Where().EndCol))
	}
	return nil
}

func operatorAnchors(segment string, leftEnd, rightStart int) *anchors {
	if leftEnd > rightStart || rightStart > len(segment) {
		return nil
	}
	op := segment[leftEnd:rightStart]
	lead := len(op) - len(strings.TrimLeft(op, " \t\n\f"))
	a := anchors{leftEnd + lead, leftEnd + lead + 1}
	if lead+1 < len(op) && !isBlank(op[lead+1]) {
		a.right++
	}
	for a.left < len(segment) && (isBlank(segment[a.left]) || segment[a.left] == ')' || segment[a.left] == '#') {
		a.left++
		a.right++
	}
	a.right = min(a.right, len(segment))
	return &a
}

func subscriptAnchors(segment string, valueEnd, sliceEnd int) *anchors {
	a := anchors{valueEnd, sliceEnd + 1}
	for a.left < len(segment) && segment[a.left] != '[' {
		a.left++
	}
	for a.right < len(segment) && segment[a.right] != ']' {
		a.right++
	}
	a.right = min(a.right+1, len(segment))
	return &a
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// FormatOnly is the last part of a traceback: class, text and notes; of a
// SyntaxError with its place.
func FormatOnly(th *Thread, e *Exception) string {
	out := ""
	if e.IsA(SyntaxError) {
		out = formatSyntaxError(th, e)
	} else {
		out = exceptionLine(th, e) + "\n"
	}
	if e.Notes != nil {
		for _, h := range e.Notes.items {
			s, err := StrOf(th, h.Value())
			if err != nil {
				s = "<note str() failed>"
			}
			out += s + "\n"
		}
	}
	return out
}

// Fields of SyntaxError's Data: msg, filename, lineno, offset, text, end_lineno,
// end_offset, print_file_and_line.
const (
	SyntaxMsg = iota
	SyntaxFile
	SyntaxLine
	SyntaxOffset
	SyntaxText
	SyntaxEndLine
	SyntaxEndOffset
	syntaxFields
)

func formatSyntaxError(th *Thread, e *Exception) string {
	name := e.Class().Name
	if len(e.Data) < syntaxFields || e.Data[SyntaxLine].IsNone() {
		return exceptionLine(th, e) + "\n"
	}
	str := func(i int) string {
		s, ok := AsStr(e.Data[i])
		if !ok {
			return ""
		}
		return s.s
	}
	num := func(i int) int { n, _ := AsInt(e.Data[i]); return int(n) }
	p := parser.SyntaxError{Class: name, Msg: str(SyntaxMsg), Filename: str(SyntaxFile), Line: num(SyntaxLine), Col: num(SyntaxOffset),
		EndLine: num(SyntaxEndLine), EndCol: num(SyntaxEndOffset), Text: str(SyntaxText)}
	if p.Filename == "" {
		p.Filename = "<string>"
	}
	msg := p.Msg
	if msg == "" {
		msg = "<no detail available>"
	}
	return p.Block() + name + ": " + msg + "\n"
}

// SourceLine is a line of a file's text: of what was compiled, or of the file.
func (in *Interp) SourceLine(file string, line int) (string, bool) {
	src := in.sources[file]
	if src == nil {
		if strings.HasPrefix(file, "<") || in.Host.Files == nil {
			return "", false
		}
		text, err := readFile(in.Host.Files, file)
		if err != nil {
			return "", false
		}
		in.KeepSource(file, text)
		src = in.sources[file]
	}
	lines := src.split()
	if line < 1 || line > len(lines) {
		return "", false
	}
	return strings.TrimRight(lines[line-1], "\r"), true
}

// fileLine is a line of a file, with its newline, if there is such a file.
func (in *Interp) fileLine(file string, line int) (string, bool) {
	if strings.HasPrefix(file, "<") || in.Host.Files == nil {
		return "", false
	}
	text, err := readFile(in.Host.Files, file)
	if err != nil {
		return "", false
	}
	for s := range strings.Lines(text) {
		if line--; line == 0 {
			return s, true
		}
	}
	return "", false
}

// KeepSource remembers the text of a file that tracebacks show lines of.
func (in *Interp) KeepSource(file, text string) { in.sources[file] = &sourceText{text: text} }

// keepText is KeepSource for what has lines to show: a file, or a module of tf's library.
func (in *Interp) keepText(file, text string) {
	if !strings.HasPrefix(file, "<") {
		in.KeepSource(file, text)
	}
}

// sourceText is a file's text, cut into lines once one is asked for.
type sourceText struct {
	text  string
	lines []string
}

func (s *sourceText) split() []string {
	if s.lines == nil {
		s.lines = strings.Split(s.text, "\n")
	}
	return s.lines
}

// FormatUncaught is the traceback of an exception that nobody caught, with the
// interpreter's own suggestion.
func FormatUncaught(th *Thread, e *Exception) string {
	text := FormatException(th, e)
	if s := Suggestion(th, e); s != "" {
		only := FormatOnly(th, e)
		first, notes, _ := strings.Cut(only, "\n")
		text = strings.TrimSuffix(text, only) + first + ". Did you mean: '" + s + "'?\n" + notes
	}
	return text
}
