// Progfuzz compares random programs with a CPython, and writes the corpus.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tfs-lang/tfs/internal/progfuzz"
)

var (
	python  = flag.String("python", "", "the CPython to compare with; without it only panics and hangs are found")
	seed    = flag.Uint64("seed", 1, "the first seed")
	count   = flag.Uint64("n", 300, "how many programs")
	show    = flag.Int("show", 20, "how many differences to print")
	printed = flag.Bool("print", false, "print the program of the first seed")
	reached = flag.Bool("counts", false, "print how often each form was reached")
	limit   = flag.Duration("limit", 20*time.Second, "what a program may take")
	write   = flag.String("write", "", "write the programs and what CPython did to this folder")
)

func main() {
	flag.Parse()
	if *printed {
		fmt.Print(progfuzz.Program(*seed))
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "progfuzz:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "progfuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		return err
	}
	const batch = 200
	total := map[string]int{}
	bad := 0
	for at := *seed; at < *seed+*count; at += batch {
		n := min(batch, *seed+*count-at)
		programs := make([]string, n)
		for i := range programs {
			programs[i] = progfuzz.Program(at + uint64(i))
			for k, v := range progfuzz.Forms(at + uint64(i)) {
				total[k] += v
			}
		}
		var want []progfuzz.Result
		if *python != "" {
			if want, err = progfuzz.Oracle(*python, dir, programs); err != nil {
				return err
			}
		}
		for i, p := range programs {
			bad += one(at+uint64(i), p, dir, want, i)
		}
	}
	counts(total)
	if bad > 0 {
		return fmt.Errorf("%d of %d programs differ", bad, *count)
	}
	fmt.Println("ok:", *count, "programs")
	return nil
}

// one runs a program; 1 when it isn't right.
func one(seed uint64, p, dir string, want []progfuzz.Result, i int) int {
	watch := time.AfterFunc(2**limit, func() {
		fmt.Printf("== %d hangs\n", seed)
		os.Exit(1)
	})
	start := time.Now()
	got, err := progfuzz.Run(p, dir, *limit)
	watch.Stop()
	if took := time.Since(start); took > *limit/8 {
		fmt.Printf("== %d took %v\n", seed, took)
	}
	if err != nil {
		fmt.Printf("== %d: %v\n", seed, err)
		return 1
	}
	if want == nil {
		return 0
	}
	g, w := got.Normal(), want[i].Normal()
	if *write != "" && g == w && len(p) < 7000 && w.Out != "" {
		name := filepath.Join(*write, fmt.Sprintf("%d", seed))
		if os.WriteFile(name+".tfs", []byte(p), 0o666) != nil || os.WriteFile(name+".out", []byte(w.Out+w.End), 0o666) != nil {
			return 1
		}
	}
	if g == w {
		return 0
	}
	report(seed, strings.Split(w.Out+w.End, "\n"), strings.Split(g.Out+g.End, "\n"))
	return 1
}

var reported = map[string]int{}

// report prints the first lines that differ, or all when each stands for itself; what
// was printed before only counts.
func report(seed uint64, want, got []string) {
	alone := len(want) == len(got)
	for i := range min(len(want), len(got)) {
		if want[i] == got[i] {
			continue
		}
		key := want[i] + "\n" + got[i]
		reported[key]++
		if reported[key] == 1 && *show > 0 {
			*show--
			fmt.Printf("== %d\n  want %s\n  got  %s\n", seed, want[i], got[i])
		}
		if !alone || seed%3 != 0 {
			return
		}
	}
	if !alone && *show > 0 {
		*show--
		fmt.Printf("== %d: %d lines, want %d\n", seed, len(got), len(want))
	}
}

func counts(total map[string]int) {
	if *reached {
		for _, k := range slices.Sorted(maps.Keys(total)) {
			fmt.Printf("%6d %s\n", total[k], k)
		}
	}
}
