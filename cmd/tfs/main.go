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
)

// gcPercent is higher than Go's default because eager temporaries are recycled
// before the collector sees them: what is left lives long.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	os.Exit(execute(os.Args[1:]))
}

// execute runs the command line and returns the process's exit status.
func execute(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	return status(err)
}

// usageError is a mistake on the command line.
type usageError struct{ error }

// status reports err on stderr, unless the script has done so, and says how the process ends.
func status(err error) int {
	var exit *tfs.ExitError
	var script *tfs.Error
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &script):
		fmt.Fprint(os.Stderr, script.Traceback)
		if script.Class == "KeyboardInterrupt" {
			return exitInterrupt
		}
		return exitFailure
	case errors.Is(err, tfs.ErrInterrupted):
		return exitInterrupt
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "tfs: %v\nTry 'tfs --help'.\n", usage.error)
		return exitUsage
	}
	fmt.Fprintf(os.Stderr, "tfs: %v\n", err)
	return exitUsage
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
