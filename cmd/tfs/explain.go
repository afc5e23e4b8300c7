package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/tfs-lang/tfs"
)

func newExplain() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "explain FILE [ARGS…]",
		Short: "Run a script, then list every trace with its reason",
		Args:  needFile,
		RunE:  func(_ *cobra.Command, args []string) error { return o.explain(args) },
	}
	c.Flags().SetInterspersed(false)
	o.register(c)
	return c
}

// explain prints the ledger also when the script fails: that is when it is wanted most.
func (o *options) explain(args []string) error {
	if err := readable(args[0]); err != nil {
		return err
	}
	return o.start(func(ctx context.Context, in *tfs.Interp) error {
		err := in.RunFile(ctx, args[0], args[1:]...)
		if e := in.Flush(); err == nil {
			err = e
		}
		if e := in.Traces().Print(os.Stdout); err == nil {
			err = e
		}
		return err
	})
}
