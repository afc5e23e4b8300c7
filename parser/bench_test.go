package parser

import "testing"

// BenchmarkParseFile parses the recorded programs, one file after the other.
func BenchmarkParseFile(b *testing.B) {
	files, bytes := programs(b), 0
	for _, f := range files {
		bytes += len(f.Data)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			if _, err := ParseFile(f.Data, f.Name); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkMistake finds what is wrong in the last line of a file.
func BenchmarkMistake(b *testing.B) {
	src := string(programs(b)[0].Data) + "\nx = [1 2]\n"
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := ParseString(src, "f.py"); err == nil {
			b.Fatal("no error")
		}
	}
}
