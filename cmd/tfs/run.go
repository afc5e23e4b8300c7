package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tfs-lang/tfs"
	"github.com/tfs-lang/tfs/repl"
)

// options are the limits and switches that every way of running a script takes.
type options struct {
	code      string
	maxMemory string
	maxSteps  int64
	timeout   time.Duration
	strict    bool
	processes bool
}

// register adds the flags to a command that runs scripts.
func (o *options) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.maxMemory, "max-memory", "", "raise MemoryError beyond `SIZE` bytes (suffixes K, M, G)")
	f.Int64Var(&o.maxSteps, "max-steps", 0, "end the run after `N` calls and loop turns")
	f.DurationVar(&o.timeout, "timeout", 0, "end the run after `DURATION`, such as 30s")
	f.BoolVar(&o.strict, "strict", false, "a captured value that went stale is an error")
	f.BoolVar(&o.processes, "allow-processes", false, "let the script start other programs")
}

// interp makes the interpreter that the options ask for.
func (o *options) interp() (*tfs.Interp, error) {
	opts := []tfs.Option{tfs.Stdin(os.Stdin), tfs.Stdout(os.Stdout), tfs.Stderr(os.Stderr), tfs.Strict(o.strict), tfs.MaxSteps(o.maxSteps), tfs.AllowProcesses(o.processes)}
	if o.maxMemory != "" {
		n, err := parseSize(o.maxMemory)
		if err != nil {
			return nil, usageError{err}
		}
		opts = append(opts, tfs.MaxMemory(n))
	} else if n := machineMemory(); n > 0 {
		opts = append(opts, tfs.MemoryCeiling(n/10*8))
	}
	return tfs.New(opts...), nil
}

// start runs f on a fresh interpreter under the time limit, with Ctrl-C and
// SIGTERM wired to it, and flushes what the script printed.
func (o *options) start(f func(context.Context, *tfs.Interp) error) (err error) {
	in, err := o.interp()
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	if o.timeout > 0 {
		timer := time.AfterFunc(o.timeout, func() { end(errTimeout) })
		defer timer.Stop()
	}
	defer watchSignals(in, end)()
	defer watchEnd(ctx)()
	err = f(ctx, in)
	report(err) // before the script's threads have ended, as Python does
	return errors.Join(err, in.Shutdown(ctx))
}

func newRun() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "run FILE [ARGS…]",
		Short: "Run a script",
		Args:  needFile,
		RunE:  func(_ *cobra.Command, args []string) error { return o.runFile(args) },
	}
	c.Flags().SetInterspersed(false)
	o.register(c)
	return c
}

func needFile(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{errors.New("which FILE? none was given")}
	}
	return nil
}

func (o *options) runFile(args []string) error {
	if args[0] == "-" {
		return o.runInput(args)
	}
	if err := readable(args[0]); err != nil {
		return err
	}
	return o.start(func(ctx context.Context, in *tfs.Interp) error {
		return in.RunFile(ctx, args[0], args[1:]...)
	})
}

// runInput runs what standard input holds, with sys.argv = argv.
func (o *options) runInput(argv []string) error {
	src, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return o.start(func(ctx context.Context, in *tfs.Interp) error {
		in.SetArgs(argv...)
		return in.ExecNamed(ctx, "<stdin>", string(src))
	})
}

// readable reports what keeps path from being a script, in CPython's words and with its status.
func readable(path string) error {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		reason := err
		var pe *os.PathError
		if errors.As(err, &pe) {
			reason = pe.Err
		}
		return usageError{fmt.Errorf("can't open file %q: %w", path, reason)}
	case st.IsDir():
		return usageError{fmt.Errorf("%q is a folder, not a script", path)}
	}
	return nil
}

// runRoot is `tfs` without a subcommand: -c CODE, a file, or the prompt.
func runRoot(o *options, args []string) error {
	switch {
	case o.code != "":
		return o.start(func(ctx context.Context, in *tfs.Interp) error {
			in.SetArgs(append([]string{"-c"}, args...)...)
			return in.Exec(ctx, o.code)
		})
	case len(args) > 0 && isScript(args[0]):
		return o.runFile(args)
	case len(args) > 0 && args[0] == "-":
		return o.runInput(args)
	case len(args) > 0:
		return usageError{fmt.Errorf("unknown command %q; to run a script: tfs run %s", args[0], args[0])}
	case term.IsTerminal(int(os.Stdin.Fd())):
		in, err := o.interp()
		if err != nil {
			return err
		}
		return errors.Join(repl.Run(in, repl.Options{History: historyFile()}), in.Close())
	}
	return o.runInput([]string{""})
}

// isScript lets `tfs train.tfs` mean `tfs run train.tfs`.
func isScript(arg string) bool {
	ext := filepath.Ext(arg)
	return ext == ".tfs" || ext == ".py"
}

// historyFile is where the prompt keeps its history, or "" when there is no home.
func historyFile() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, ".tfs_history")
}
