package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tfs-lang/tfs/internal/conform"
)

// In a smoke run the programs' repeats are cut down to what shows that they run.
const (
	repeatsInPrograms = "min_time=0.03, repeats=5"
	repeatsInSmoke    = "min_time=0.0, repeats=1"
)

// smoke runs each program briefly. Those in pending.txt may fail, and only those must.
func smoke(ctx context.Context, o options, m *meter) error {
	pending, err := conform.ReadPending(filepath.Join(o.folder, "pending.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		pending, err = conform.Pending{}, nil
	}
	if err != nil {
		return err
	}
	programs, err := listPrograms(o.folder)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "bench-smoke-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	ran, surprises := 0, 0
	for _, p := range programs {
		if !p.wanted(strings.Split(o.only, ",")) {
			continue
		}
		failed, err := m.runBriefly(ctx, p, folder)
		if err != nil {
			return err
		}
		_, listed := pending[p.name]
		if failed == nil {
			ran++
		}
		fmt.Println(smokeLine(p.name, failed, listed))
		if listed == (failed == nil) {
			surprises++
		}
	}
	fmt.Printf("%d programs ran, %d surprises\n", ran, surprises)
	if surprises > 0 {
		return errShort
	}
	return nil
}

func smokeLine(name string, failed error, listed bool) string {
	switch {
	case failed != nil && listed:
		return fmt.Sprintf("pending  %-36s %v", name, failed)
	case failed != nil:
		return fmt.Sprintf("FAILED   %-36s %v", name, failed)
	case listed:
		return fmt.Sprintf("RUNS     %-36s take it out of pending.txt", name)
	}
	return "ok       " + name
}

// runBriefly runs a shortened copy of a program and returns how it failed.
func (m *meter) runBriefly(ctx context.Context, p program, folder string) (failed, err error) {
	source, err := os.ReadFile(p.path)
	if err != nil {
		return nil, err
	}
	brief := filepath.Join(folder, p.name+".tfs")
	text := strings.Replace(string(source), repeatsInPrograms, repeatsInSmoke, 1)
	if err := os.WriteFile(brief, []byte(text), 0o644); err != nil {
		return nil, err
	}
	return m.runChild(ctx, m.tfs, brief).err, nil
}
