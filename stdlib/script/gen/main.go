// Gen compiles the modules in script of the package in the current folder, with -pack it also packs their texts;
// `go generate ./stdlib/...` runs it.
package main

import (
	"fmt"
	"os"

	"github.com/tfs-lang/tfs/stdlib/script"
)

func main() {
	if err := script.Generate(".", len(os.Args) > 1 && os.Args[1] == "-pack"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
