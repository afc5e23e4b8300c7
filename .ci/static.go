//go:build ignore

// Static says whether a binary is statically linked and not larger than it may be: static.go BINARY BYTES.
package main

import (
	"debug/elf"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if err := check(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(path, limit string) error {
	most, err := strconv.ParseInt(limit, 10, 64)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() > most {
		return fmt.Errorf("%s has %d bytes, at most %d are allowed", path, info.Size(), most)
	}
	f, err := elf.Open(path)
	if err != nil {
		fmt.Printf("%d bytes; no ELF binary, linkage not looked at\n", info.Size())
		return nil
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("%s is linked dynamically", path)
		}
	}
	fmt.Printf("%d bytes, static\n", info.Size())
	return nil
}
