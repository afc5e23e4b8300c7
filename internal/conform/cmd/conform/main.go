// Command conform runs the conformance programs under a binary and prints
// counts by topic; with -v also the failures, grouped by what ended them.
//
//	go run ./internal/conform/cmd/conform -bin ./tfs [-only REGEX] [-v]
//	go run ./internal/conform/cmd/conform -cmd "python3.11" -only '^python/'
//	go run ./internal/conform/cmd/conform -cmd "python3.11" -record new.tfs
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tfs-lang/tfs/internal/conform"
)

type options struct {
	bin, cmd, root, data, only string
	verbose, list              bool
	record, update             bool
	jobs                       int
	limit                      time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.bin, "bin", "", "binary of tfs; programs run under `BIN run FILE`")
	flag.StringVar(&o.cmd, "cmd", "", "whole command, the file is appended (in place of -bin)")
	flag.StringVar(&o.root, "root", "testdata/conformance", "folder of the programs")
	flag.StringVar(&o.data, "data", "testdata/data", "what TFS_DATA names")
	flag.StringVar(&o.only, "only", "", "only programs whose name matches this regular expression")
	flag.BoolVar(&o.verbose, "v", false, "print the failures, grouped by what ended them")
	flag.BoolVar(&o.list, "l", false, "print one line for each program: ok or FAIL, time, name")
	flag.BoolVar(&o.record, "record", false, "run the files that are named and write .out and .err beside them")
	flag.BoolVar(&o.update, "update", false, "bring pending.txt in the folder of the programs up to date")
	flag.IntVar(&o.jobs, "j", 2, "programs at a time")
	flag.DurationVar(&o.limit, "limit", 20*time.Second, "time for one program")
	flag.Parse()
	passed, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		os.Exit(2)
	}
	if !passed {
		os.Exit(1)
	}
}

func run(o options) (passed bool, err error) {
	runner, err := newRunner(o)
	if err != nil {
		return false, err
	}
	if o.record {
		return true, record(runner, flag.Args())
	}
	programs, err := selected(o)
	if err != nil {
		return false, err
	}
	outcomes := runner.RunAll(context.Background(), programs, o.jobs)
	if o.list {
		printList(outcomes)
	}
	if o.verbose {
		conform.WriteFailures(os.Stdout, outcomes)
	}
	if o.update {
		err = update(filepath.Join(o.root, "pending.txt"), outcomes)
	}
	return conform.WriteCounts(os.Stdout, outcomes) == 0, err
}

func update(path string, outcomes []conform.Outcome) error {
	pending, err := conform.ReadPending(path)
	if err != nil {
		return err
	}
	pending.Update(outcomes)
	return pending.Write(path)
}

func record(runner *conform.Runner, files []string) error {
	for _, file := range files {
		if err := runner.Record(context.Background(), file); err != nil {
			return err
		}
	}
	return nil
}

func selected(o options) ([]*conform.Program, error) {
	pattern, err := regexp.Compile(o.only)
	if err != nil {
		return nil, err
	}
	programs, err := conform.Load(o.root)
	if err != nil {
		return nil, err
	}
	programs = conform.Select(programs, pattern)
	if len(programs) == 0 {
		return nil, fmt.Errorf("no program matches %q", o.only)
	}
	return programs, nil
}

func newRunner(o options) (*conform.Runner, error) {
	data, err := filepath.Abs(o.data)
	if err != nil {
		return nil, err
	}
	r := &conform.Runner{Command: strings.Fields(o.cmd), Data: data, Limit: o.limit}
	if o.bin != "" {
		bin, err := filepath.Abs(o.bin)
		if err != nil {
			return nil, err
		}
		r.Command = []string{bin, "run"}
	}
	if len(r.Command) == 0 {
		return nil, fmt.Errorf("-bin or -cmd is needed")
	}
	return r, nil
}

func printList(outcomes []conform.Outcome) {
	for _, o := range outcomes {
		mark := "ok  "
		if o.Mismatch != nil {
			mark = "FAIL"
		}
		fmt.Printf("%s %7.3fs %s\n", mark, o.Result.Took.Seconds(), o.Program.Name)
	}
}
