package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/chzyer/readline"

	"github.com/tfs-lang/tfs"
	"github.com/tfs-lang/tfs/parser"
)

// The prompts, as Python's.
const (
	prompt1 = ">>> "
	prompt2 = "... "
)

// Options of a session.
type Options struct {
	History string    // file that keeps the history, "" for none
	Reader  Reader    // where lines come from; nil: the terminal
	Out     io.Writer // banner and tracebacks; nil: stderr
}

// Reader gives one line at a time under a prompt. Its errors are io.EOF and
// readline.ErrInterrupt.
type Reader interface {
	SetPrompt(string)
	Readline() (string, error)
	Close() error
}

// Run reads inputs and executes them on in until the end of input or sys.exit.
func Run(in *tfs.Interp, o Options) error {
	if o.Out == nil {
		o.Out = os.Stderr
	}
	r := o.Reader
	if r == nil {
		rl, err := readline.NewEx(&readline.Config{Prompt: prompt1, HistoryFile: o.History})
		if err != nil {
			return fmt.Errorf("no terminal: %w", err)
		}
		r = rl
	}
	defer r.Close()
	fmt.Fprintf(o.Out, "tfs %s: Python 3.11 and TensorFlow 2.21 without either. Ctrl-D leaves.\n", tfs.Version)
	s := session{in: in, r: r, out: o.Out}
	return s.loop()
}

// session is one run of the prompt; pending holds the lines of an unfinished input.
type session struct {
	in      *tfs.Interp
	r       Reader
	out     io.Writer
	pending []string
}

func (s *session) loop() error {
	for {
		s.r.SetPrompt(s.prompt())
		line, err := s.r.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			s.pending = s.pending[:0]
			fmt.Fprintln(s.out, "KeyboardInterrupt")
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(s.out)
			return nil
		case err != nil:
			return err
		}
		s.pending = append(s.pending, line)
		if err := s.step(); err != nil {
			return err
		}
	}
}

func (s *session) prompt() string {
	if len(s.pending) > 0 {
		return prompt2
	}
	return prompt1
}

// step runs what is pending once it is complete; it returns an error only to leave.
func (s *session) step() error {
	src := strings.Join(s.pending, "\n") + "\n"
	if parser.NeedMore(src) {
		return nil
	}
	s.pending = s.pending[:0]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := s.interruptible(func() error { return s.in.Interact(ctx, src) })
	var script *tfs.Error
	if errors.As(err, &script) {
		fmt.Fprint(s.out, script.Traceback)
		return nil
	}
	return err
}

// interruptible turns Ctrl-C into KeyboardInterrupt while f runs.
func (s *session) interruptible(f func() error) error {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-c:
				s.in.Interrupt()
			case <-done:
				return
			}
		}
	}()
	defer func() { signal.Stop(c); close(done) }()
	return f()
}
