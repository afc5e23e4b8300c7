package tfs

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

// ErrInterrupted is what a run returns that Interrupt ended.
var ErrInterrupted = errors.New("interrupted")

// ErrBusy is what a method returns while another goroutine uses the Interp.
var ErrBusy = errors.New("the interpreter is in use by another goroutine")

// Error is an exception that no one caught.
type Error struct {
	Class     string // "ValueError"
	Message   string // what str(e) gives
	Traceback string // the text that Python prints, with a newline at its end
	File      string // where it was raised, if known
	Line      int
}

// Error is the last line of the traceback.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Class
	}
	return e.Class + ": " + e.Message
}

// ExitError is sys.exit with a status other than 0.
type ExitError struct{ Code int }

// Error names the status.
func (e *ExitError) Error() string { return fmt.Sprintf("the script exited with status %d", e.Code) }

// wrap turns what a run returned into an error of the API.
func (in *Interp) wrap(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var e *lang.Exception
	if !errors.As(err, &e) {
		return err
	}
	if e.IsFatal() {
		return in.ended(ctx, e)
	}
	if e.IsA(lang.SystemExit) {
		return in.exit(e)
	}
	th := in.rt.Main
	out := &Error{Class: e.Class().Name, Traceback: lang.FormatUncaught(th, e)}
	out.Message, _ = lang.StrOf(th, e.Value())
	for t := e.Trace; t != nil; t = t.Next {
		out.Line, out.File = int(t.Line), t.Code.File
	}
	return out
}

// ended says why a run ended from outside: the context's cause, or a limit.
func (in *Interp) ended(ctx context.Context, e *lang.Exception) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Unwrap(error(e))
}

// exit handles SystemExit: its code, or its text on stderr and status 1.
func (in *Interp) exit(e *lang.Exception) error {
	th := in.rt.Main
	code := lang.None
	if e.Args.Len() == 1 {
		code = e.Args.At(0)
	} else if e.Args.Len() > 1 {
		code = e.Args.Value()
	}
	if code.IsNone() {
		return nil
	}
	if n, ok := lang.AsInt(code); ok {
		if n == 0 {
			return nil
		}
		return &ExitError{int(n & 0xff)}
	}
	text, err := lang.StrOf(th, code)
	if err != nil {
		text = err.Error()
	}
	_ = in.Flush()
	io.WriteString(in.rt.Host.Stderr, text+"\n")
	return &ExitError{1}
}

// lostOutput is what a script printed and nobody took.
type lostOutput struct {
	text  string // of the OSError
	cause error
}

// Error is the last line of a traceback.
func (e *lostOutput) Error() string { return e.text }

// Unwrap is the error of the writer.
func (e *lostOutput) Unwrap() error { return e.cause }

// LostOutput tells the command that the run itself was right.
func (e *lostOutput) LostOutput() {}

// lost words an error of the last flush.
func (in *Interp) lost(cause error) error {
	var e *lang.Exception
	if !errors.As(builtin.OSError(in.rt.Main, cause), &e) {
		return cause
	}
	text, _ := lang.StrOf(in.rt.Main, e.Value())
	return &lostOutput{e.Class().Name + ": " + text, cause}
}
