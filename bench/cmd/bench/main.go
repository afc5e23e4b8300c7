package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

type options struct {
	folder, binary, stage, only, json string
	runs, cpus                        int
	limit                             time.Duration
	smoke, short                      bool
}

var errShort = errors.New("a target was missed or a program failed")

func main() {
	var o options
	flag.StringVar(&o.folder, "folder", "bench", "folder of the programs, peers and targets")
	flag.StringVar(&o.binary, "tfs", "", "binary of tfs (built from ./cmd/tfs when empty)")
	flag.StringVar(&o.stage, "stage", "", "compare with the targets of this stage, or `all`")
	flag.StringVar(&o.only, "only", "*", "shell patterns of programs or measurements, separated by commas")
	flag.StringVar(&o.json, "json", "", "write all figures to this file")
	flag.IntVar(&o.runs, "runs", 2, "runs of each program; the least figure counts")
	flag.IntVar(&o.cpus, "cpus", 1, "pin children to so many CPUs (0: don't pin)")
	flag.DurationVar(&o.limit, "limit", 180*time.Second, "time for one run")
	flag.BoolVar(&o.smoke, "smoke", false, "run each program briefly and only see whether it runs")
	flag.BoolVar(&o.short, "short", false, "print only the targets that fall short")
	flag.Parse()
	switch err := run(context.Background(), o); {
	case errors.Is(err, errShort):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, o options) error {
	if o.binary == "" {
		folder, err := os.MkdirTemp("", "bench-tfs-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if o.binary, err = build(ctx, folder); err != nil {
			return err
		}
	}
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return err
	}
	m, err := newMeter(o, []string{binary, "run"})
	if err != nil {
		return err
	}
	if o.smoke {
		return smoke(ctx, o, m)
	}
	return measure(ctx, o, m)
}

// build makes the binary as it is released: static and stripped.
func build(ctx context.Context, folder string) (string, error) {
	path := filepath.Join(folder, "tfs.exe")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./cmd/tfs")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/tfs: %w\n%s", err, out)
	}
	return path, nil
}

func measure(ctx context.Context, o options, m *meter) error {
	targets, err := readTargets(filepath.Join(o.folder, "targets.tsv"), o.stage)
	if err != nil {
		return err
	}
	if o.stage != "" && len(targets) == 0 {
		return fmt.Errorf("targets.tsv has no stage %q", o.stage)
	}
	programs, err := listPrograms(o.folder)
	if err != nil {
		return err
	}
	patterns := strings.Split(o.only, ",")
	plan := newPlan(programs, targets, patterns, os.Getenv("TFS_ORACLE"))
	results, err := m.measureAll(ctx, plan)
	if err != nil {
		return err
	}
	if o.json != "" {
		if err := writeJSON(o.json, results); err != nil {
			return err
		}
	}
	return report(os.Stdout, o, results, targets)
}
