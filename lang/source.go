package lang

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

// CompileModule compiles a program that is in a file.
func (th *Thread) CompileModule(text, file string) (*code.Code, error) {
	return th.compile(text, file, true, func() (*compile.Unit, error) {
		m, err := parser.ParseFile([]byte(text), file)
		if err != nil {
			return nil, err
		}
		th.warnings(parser.Warnings(m), file)
		return compile.NewUnit(m, file, compile.Options{})
	})
}

// compileTyped is compile for a text that is not in a file.
func (th *Thread) compileTyped(text, file string, make func() (*compile.Unit, error)) (*code.Code, error) {
	c, err := th.compile(text, file, false, make)
	if err == nil {
		th.Interp.keepTyped(c, len(text))
	}
	return c, err
}

// CompileExec compiles text for exec(); namespace: locals are a dict of their own.
func (th *Thread) CompileExec(text, file string, namespace bool) (*code.Code, error) {
	return th.compileExec(text, file, compile.Options{Namespace: namespace})
}

func (th *Thread) compileExec(text, file string, o compile.Options) (*code.Code, error) {
	return th.compileTyped(text, file, func() (*compile.Unit, error) {
		m, err := parser.ParseString(text, file)
		if err != nil {
			return nil, err
		}
		th.warnings(parser.Warnings(m), file)
		return compile.NewUnit(m, file, o)
	})
}

// CompileMode compiles text for compile(), to run in any namespace; annotations: as
// if it began with the import from __future__ of that name.
func (th *Thread) CompileMode(text, file, mode string, annotations bool) (*code.Code, error) {
	switch mode {
	case "eval":
		return th.CompileEval(text, file, true)
	case "single":
		return th.CompileInteractive(text, file, true)
	}
	return th.compileExec(text, file, compile.Options{Namespace: true, FutureAnnotations: annotations})
}

// CompileEval compiles an expression for eval().
func (th *Thread) CompileEval(text, file string, namespace bool) (*code.Code, error) {
	return th.compileTyped(text, file, func() (*compile.Unit, error) {
		m, err := parser.ParseExpr(text, file)
		if err != nil {
			return nil, err
		}
		return compile.Expr(m, file, compile.Options{Namespace: namespace})
	})
}

// CompileInteractive compiles what was typed at a prompt.
func (th *Thread) CompileInteractive(text, file string, namespace bool) (*code.Code, error) {
	return th.compileTyped(text, file, func() (*compile.Unit, error) {
		m, err := parser.ParseInteractive(text, file)
		if err != nil {
			return nil, err
		}
		th.warnings(parser.Warnings(m), file)
		return compile.Interactive(m, file, compile.Options{Namespace: namespace})
	})
}

func (th *Thread) compile(text, file string, inFile bool, make func() (*compile.Unit, error)) (*code.Code, error) {
	u, err := make()
	if err != nil {
		return nil, th.syntaxError(err, text, file, inFile)
	}
	th.Interp.keepText(file, text)
	th.Interp.keepUnit(u)
	return u.Code, nil
}

func (th *Thread) warnings(ws []parser.Warning, file string) {
	if strings.HasPrefix(file, "<tfs>") { // a module of ours
		return
	}
	for _, w := range ws {
		if f := th.Interp.WarnAt; f != nil {
			f(th, SyntaxWarning, w.Msg, file, w.Line)
			continue
		}
		text := fmt.Sprintf("%s:%d: SyntaxWarning: %s\n", file, w.Line, w.Msg)
		if line, ok := th.Interp.SourceLine(file, w.Line); ok {
			text += "  " + strings.TrimSpace(line) + "\n"
		}
		_, _ = th.Interp.Host.Stderr.Write([]byte(text))
	}
}

// syntaxError is the exception of a mistake in the text.
func (th *Thread) syntaxError(err error, text, file string, inFile bool) error {
	var p *parser.SyntaxError
	var c *compile.Error
	switch {
	case errors.As(err, &c):
		p = &parser.SyntaxError{Class: "SyntaxError", Msg: c.Msg, Filename: file, Line: int(c.Span.Line), Col: int(c.Span.Col) + 1,
			EndLine: int(c.Span.EndLine), EndCol: int(c.Span.EndCol) + 1}
		lines := strings.Split(text, "\n")
		if p.Line >= 1 && p.Line <= len(lines) && !strings.HasPrefix(file, "<") {
			p.Text = lines[p.Line-1] + "\n"
		}
	case errors.As(err, &p):
		if p.Late && !inFile { // CPython asks the file for the line, if there is one
			line, _ := th.Interp.fileLine(file, p.Line)
			p.Text = line
		}
	default:
		return err
	}
	return NewSyntaxError(p)
}

// NewSyntaxError is the exception of a parser's mistake.
func NewSyntaxError(p *parser.SyntaxError) *Exception {
	class := map[string]*Class{"IndentationError": IndentationError, "TabError": TabError, "MemoryError": MemoryError,
		"RecursionError": RecursionError, "ValueError": ValueError, "OverflowError": OverflowError}[p.Class]
	if class == nil {
		class = SyntaxError
	}
	if p.Line == 0 && p.Class != "SyntaxError" {
		if p.Msg == "" {
			return NewException(class)
		}
		return NewException(class, NewStr(p.Msg))
	}
	msg := NewStr(p.Msg)
	if p.Filename == "" { // text that is none
		e := NewException(class, msg)
		e.Data = []Value{msg, None, None, None, None, None, None}
		return e
	}
	n := func(i int) Value { return Int(int64(i)) }
	text := None
	if p.Text != "" || p.Line == 0 && p.Col == 0 {
		text = NewStr(p.Text)
	}
	place := []Value{NewStr(p.Filename), n(p.Line), n(p.Col), text}
	if p.Col >= 0 { // else there is no place in the text
		place = append(place, n(p.EndLine), n(p.EndCol))
	}
	e := NewException(class, msg, NewTuple(place...))
	if p.Table {
		e = NewException(class, msg)
	}
	e.Data = append([]Value{msg}, place...)
	for len(e.Data) < syntaxFields {
		e.Data = append(e.Data, None)
	}
	return e
}

// keepUnit remembers which unit a code object comes from, for its staged variant.
func (in *Interp) keepUnit(u *compile.Unit) {
	if in.units == nil {
		in.units = map[*code.Code]*compile.Unit{}
	}
	in.keepCode(u.Code, u)
}

// keepTyped remembers the unit of a text given to exec, eval or the prompt: they
// may come in a loop, so old ones are forgotten.
func (in *Interp) keepTyped(c *code.Code, size int) {
	in.typed = append(in.typed, typedText{c, size})
	in.typedSize += size
	for len(in.typed) > keptTexts || in.typedSize > keptBytes && len(in.typed) > 1 {
		in.forget(in.typed[0].code)
		in.typedSize -= in.typed[0].size
		in.typed = append(in.typed[:0], in.typed[1:]...)
	}
}

// typedText is a text that was not in a file.
type typedText struct {
	code *code.Code
	size int
}

// keptTexts and keptBytes are how many of these texts, and how much of them, can
// still be staged.
const (
	keptTexts = 1024
	keptBytes = 4 << 20
)

func (in *Interp) forget(c *code.Code) {
	delete(in.units, c)
	for _, inner := range c.Codes {
		in.forget(inner)
	}
}

// keepCode notes the unit of c and of the functions inside it.
func (in *Interp) keepCode(c *code.Code, u *compile.Unit) {
	in.units[c] = u
	for _, inner := range c.Codes {
		in.keepCode(inner, u)
	}
}

// Exec runs a module-level code object in globals, with separate locals or Unbound.
func (th *Thread) Exec(c *code.Code, globals *Dict, locals Value) (Value, error) {
	return th.RunCode(c, globals, locals)
}

// StagedFunc is the staged variant of a script function as a function of its own
// with the same closure, made at the first call and kept; nil with the reason when
// the function can't be converted.
func (th *Thread) StagedFunc(f *Func) (*Func, string) {
	l, why := th.stagedCode(f.code)
	if l == nil {
		return nil, why
	}
	s := *f
	s.code = l
	return &s, ""
}

// stagedCode links the staged variant of l.
func (th *Thread) stagedCode(l *Linked) (*Linked, string) {
	if l.staged != nil {
		return l.staged, ""
	}
	c := l.code
	if c.Flags&code.FlagStaged != 0 {
		return l, ""
	}
	u, whole := th.unit(c)
	if u == nil {
		return nil, "its source is not at hand"
	}
	sc := u.Staged(whole)
	if sc == nil {
		return nil, whole.NoStaged
	}
	th.Interp.keepCode(sc, u)
	l.staged = newLinked(sc, l.globals)
	return l.staged, ""
}
