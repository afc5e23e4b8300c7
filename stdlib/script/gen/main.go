// Gen compiles the modules in script of the package in the current folder; `go generate ./stdlib/...` runs it.
package main

import (
	"fmt"
	"os"

	"github.com/tfs-lang/tfs/stdlib/script"
)

func main() {
	if err := script.Generate("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
