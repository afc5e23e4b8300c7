package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tfs-lang/tfs"
)

// Exit statuses that are not the script's own.
const (
	exitFailure   = 1
	exitUsage     = 2
	exitInterrupt = 130
	exitLost      = 120 // what was printed could not be written, as in CPython
	exitTimeout   = 124
	exitTerminate = 143
)

// gcPercent is higher than Go's default because eager temporaries are recycled
// before the collector sees them: what is left lives long.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if n := machineMemory(); n > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(n / 10 * 6)
	}
	os.Exit(execute(os.Args[1:]))
}

// execute runs the command line and returns the process's exit status.
func execute(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	return status(err, false)
}

// usageError is a mistake on the command line.
type usageError struct{ error }

// status reports err on stderr, unless that was done, and says how the process ends.
func status(err error, reported bool) int {
	var exit *tfs.ExitError
	var script *tfs.Error
	var usage usageError
	var lost interface{ LostOutput() }
	switch {
	case err == nil:
		return 0
	case errors.As(err, &lost):
		if errors.As(err, &script) {
			report(err)
			if script.Class == "BrokenPipeError" {
				return exitFailure
			}
		}
		fmt.Fprintf(os.Stderr, "Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>\n%v\n", lost)
		return exitLost
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &script):
		report(err)
		if script.Class == "KeyboardInterrupt" {
			return exitInterrupt
		}
		return exitFailure
	case errors.Is(err, tfs.ErrInterrupted):
		return exitInterrupt
	case errors.Is(err, errTimeout):
		return said(err, reported, exitTimeout)
	case errors.Is(err, errTerminated):
		return said(err, reported, exitTerminate)
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "tfs: %v\nTry 'tfs --help'.\n", usage.error)
		return exitUsage
	}
	fmt.Fprintf(os.Stderr, "tfs: %v\n", err)
	return exitUsage
}

func said(err error, reported bool, code int) int {
	if !reported {
		fmt.Fprintf(os.Stderr, "tfs: %v\n", err)
	}
	return code
}

// report prints the traceback of an exception that no one caught, once.
func report(err error) {
	var script *tfs.Error
	if errors.As(err, &script) {
		fmt.Fprint(os.Stderr, script.Traceback)
		script.Traceback = ""
	}
}

func newRoot() *cobra.Command {
	var o options
	root := &cobra.Command{
		Use:           "tfs",
		Short:         "Run TensorFlow-style training scripts",
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(_ *cobra.Command, args []string) error { return runRoot(&o, args) },
	}
	root.Flags().SetInterspersed(false)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.Flags().StringVarP(&o.code, "command", "c", "", "run `CODE`; the arguments after it are sys.argv[1:]")
	o.register(root)
	root.AddCommand(newRun(), newExplain(), newVersion())
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}
