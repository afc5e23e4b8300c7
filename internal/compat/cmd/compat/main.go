// Command compat asks a tfs binary which public names of Python, NumPy and TensorFlow it has and writes docs/compat-*.md.
//
//	go run ./internal/compat/cmd/compat -bin ./tfs [-docs docs]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tfs-lang/tfs/internal/compat"
)

func main() {
	bin := flag.String("bin", "", "binary of tfs")
	docs := flag.String("docs", "docs", "folder to write to")
	flag.Parse()
	if err := run(*bin, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "compat:", err)
		os.Exit(1)
	}
}

func run(bin, docs string) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	for _, page := range compat.Pages {
		report, err := compat.Probe(bin, page)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := report.Write(&text); err != nil {
			return err
		}
		path := filepath.Join(docs, "compat-"+page.File+".md")
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return err
		}
		present, all := report.Counts()
		fmt.Printf("%-12s %5d of %5d\n", page.Title, present, all)
	}
	return nil
}
