package parser

import (
	"bytes"
	"testing"
)

// BenchmarkParseFile parses the recorded programs, one file after the other.
func BenchmarkParseFile(b *testing.B) {
	files, size := programs(b), 0
	for _, f := range files {
		size += len(f.Data)
	}
	b.SetBytes(int64(size))
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

// BenchmarkLargeFile parses the recorded programs as one file.
func BenchmarkLargeFile(b *testing.B) {
	var src []byte
	for _, f := range programs(b) {
		if !bytes.Contains(f.Data, []byte("__future__")) {
			src = append(src, f.Data...)
		}
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseFile(src, "f.py"); err != nil {
			b.Fatal(err)
		}
	}
}
