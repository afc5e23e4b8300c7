// Embed runs a piece of script inside a Go program and calls a function of it.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/tfs-lang/tfs"
)

func main() {
	in := tfs.New()
	defer in.Close()
	ctx := context.Background()
	if err := in.Exec(ctx, "def double(x):\n    return 2 * x\n"); err != nil {
		log.Fatal(err)
	}
	y, err := in.Call(ctx, "double", 21)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
}
