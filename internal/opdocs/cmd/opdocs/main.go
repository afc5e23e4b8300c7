// Command opdocs writes docs/ops.md from the op table; run it in the root of the repository.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tfs-lang/tfs/internal/opdocs"
)

func main() {
	var page bytes.Buffer
	err := opdocs.Write(&page, "ir/ops")
	if err == nil {
		err = os.WriteFile("docs/ops.md", page.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "opdocs:", err)
		os.Exit(1)
	}
}
