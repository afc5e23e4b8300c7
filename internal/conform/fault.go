package conform

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Fault is how a program ended that did not end with status 0.
type Fault struct {
	Status   int
	Message  string // `Class: message`, perhaps of several lines
	Position string // of a program that does not compile: the file line, the source line, the caret line
}

var (
	fileLine     = regexp.MustCompile(`^  File "(.*)", line \d+$`)
	classLine    = regexp.MustCompile(`^[A-Za-z_][\w.]*(:|$)`)
	syntaxLine   = regexp.MustCompile(`^[A-Z]\w*Error: `)
	functionNode = regexp.MustCompile(`\{\{function_node [^}]*\}\} ?`)
	quotedText   = regexp.MustCompile(`"([^"\n]*)"|'([^'\n]*)'`)
)

const tracebackHead = "Traceback (most recent call last)"

// ParseFault reads the text of an .err file.
func ParseFault(text string) (*Fault, error) {
	head, rest, _ := strings.Cut(text, "\n")
	number, ok := strings.CutPrefix(head, "status ")
	status, err := strconv.Atoi(number)
	if !ok || err != nil {
		return nil, fmt.Errorf("an .err file begins with `status N`, got %q", head)
	}
	lines := strings.Split(strings.TrimRight(rest, "\n"), "\n")
	for i, line := range lines {
		if i > 0 && fileLine.MatchString(line) && syntaxLine.MatchString(lines[0]) {
			return &Fault{status, strings.Join(lines[:i], "\n"), strings.Join(lines[i:], "\n")}, nil
		}
	}
	return &Fault{Status: status, Message: strings.Join(lines, "\n")}, nil
}

// FaultOf finds in standard error what ended the program.
func FaultOf(status int, stderr string) *Fault {
	lines := strings.Split(strings.TrimRight(stderr, "\n"), "\n")
	last := lines[len(lines)-1]
	traceback, file := -1, -1
	for i, line := range lines {
		if strings.HasPrefix(line, tracebackHead) {
			traceback = i
		}
		if fileLine.MatchString(line) {
			file = i
		}
	}
	if traceback >= 0 {
		return &Fault{Status: status, Message: messageAfter(lines, traceback)}
	}
	if file >= 0 && syntaxLine.MatchString(last) {
		position := append([]string{baseName(lines[file])}, lines[file+1:len(lines)-1]...)
		return &Fault{status, last, strings.Join(position, "\n")}
	}
	return &Fault{Status: status, Message: last}
}

// messageAfter joins the lines from the first that names a class after line i.
func messageAfter(lines []string, i int) string {
	for j := i + 1; j < len(lines); j++ {
		if classLine.MatchString(lines[j]) {
			return strings.Join(lines[j:], "\n")
		}
	}
	return lines[len(lines)-1]
}

// baseName drops the folders from a `  File "…", line N` line.
func baseName(line string) string {
	m := fileLine.FindStringSubmatchIndex(line)
	name := line[m[2]:m[3]]
	return line[:m[2]] + name[strings.LastIndexAny(name, `/\`)+1:] + line[m[3]:]
}

// CompareFault compares how a program ended with how it should have; nil means that they agree.
func CompareFault(want, got *Fault) *Mismatch {
	if want.Status != got.Status {
		return &Mismatch{"status", 0, strconv.Itoa(want.Status), strconv.Itoa(got.Status)}
	}
	if want.className() != got.className() {
		return &Mismatch{"exception", 0, want.Message, got.Message}
	}
	if want.Position != "" {
		return comparePosition(want, got)
	}
	if missing := want.missingIn(got); missing != "" {
		return &Mismatch{"message (" + missing + " is missing)", 0, want.Message, got.Message}
	}
	return nil
}

func comparePosition(want, got *Fault) *Mismatch {
	w := want.Message + "\n" + want.Position
	g := got.Message + "\n" + got.Position
	if w == g {
		return nil
	}
	m := firstLine(w, g)
	m.What = "syntax error"
	return m
}

// className is the last part of the exception's dotted name.
func (f *Fault) className() string {
	name, _, _ := strings.Cut(f.Message, ":")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// missingIn returns the first quoted word or number of the message that the other message lacks, or "".
func (f *Fault) missingIn(other *Fault) string {
	mine, theirs := f.body(), other.body()
	for _, m := range quotedText.FindAllStringSubmatch(mine, -1) {
		if text := m[1] + m[2]; !strings.Contains(theirs, text) {
			return m[0]
		}
	}
	numbers := map[string]bool{}
	for _, t := range tokens(theirs) {
		numbers[bareNumber(t)] = true
	}
	for _, t := range tokens(mine) {
		if n := bareNumber(t); n != "" && !numbers[n] {
			return t.text
		}
	}
	return ""
}

// body is the message without the class and without TensorFlow's function node prefix.
func (f *Fault) body() string {
	_, text, _ := strings.Cut(f.Message, ":")
	return functionNode.ReplaceAllString(text, "")
}

// bareNumber is a number's text; "" for another token.
func bareNumber(t token) string {
	if t.kind == intToken || t.kind == floatToken {
		return t.text
	}
	return ""
}
