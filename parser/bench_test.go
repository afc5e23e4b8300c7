package parser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sources joins the recorded programs until they are of a realistic size.
func sources(tb testing.TB) []byte {
	tb.Helper()
	names, err := filepath.Glob("testdata/programs/*.tfs")
	if err != nil || len(names) == 0 {
		tb.Fatal("no programs: ", err)
	}
	var all []byte
	for _, n := range names {
		src, err := os.ReadFile(n)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(append(all, strings.TrimRight(string(src), "\n")...), '\n')
	}
	return all
}

func BenchmarkParseFile(b *testing.B) {
	src := sources(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseFile(src, "bench.tfs"); err != nil {
			b.Fatal(err)
		}
	}
}
