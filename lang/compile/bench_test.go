package compile_test

import (
	"testing"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

// BenchmarkCompile compiles all programs that parse; MB/s of source.
func BenchmarkCompile(b *testing.B) {
	var trees []*ast.Module
	size := 0
	programs(b, func(path string, src []byte) {
		if m, err := parser.ParseFile(src, path); err == nil {
			if _, err := compile.Module(m, path, compile.Options{}); err == nil {
				trees = append(trees, m)
				size += len(src)
			}
		}
	})
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range trees {
			if _, err := compile.Module(m, "x", compile.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
