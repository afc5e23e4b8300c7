package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tfs-lang/tfs"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the platform and the kernels in use",
		Args:  cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) {
			fmt.Printf("tfs %s (%s, %s/%s)\nlanguage: Python 3.11; library: TensorFlow 2.21, NumPy 2.4\nkernels: %s\n",
				tfs.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, tfs.Kernels())
		},
	}
}
