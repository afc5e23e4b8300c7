package tfs_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/tfs-lang/tfs/internal/conform"
)

var (
	conformOnly   = flag.String("conform.only", "", "run only programs whose name matches this regular expression")
	conformUpdate = flag.Bool("conform.update", false, "bring testdata/conformance/pending.txt up to date")
	conformDiff   = flag.Bool("conform.v", false, "show where failing programs differ, listed ones too")
)

const (
	conformFolder  = "testdata/conformance"
	conformPending = conformFolder + "/pending.txt"
)

// TestConformance runs every program under the tfs binary. A program that fails must stand in
// pending.txt, and one that passes must not.
func TestConformance(t *testing.T) {
	pattern, err := regexp.Compile(*conformOnly)
	if err != nil {
		t.Fatal(err)
	}
	programs, err := conform.Load(conformFolder)
	if err != nil {
		t.Fatal(err)
	}
	pending, err := conform.ReadPending(conformPending)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pending.Stale(programs) {
		t.Errorf("pending.txt names %s, which there is not", name)
	}
	outcomes := conformRunner(t).RunAll(t.Context(), conform.Select(programs, pattern), 2)
	report(t, outcomes)
	if *conformUpdate {
		pending.Update(outcomes)
		if err := pending.Write(conformPending); err != nil {
			t.Fatal(err)
		}
	}
	failing, passing := pending.Check(outcomes)
	for _, o := range failing {
		t.Errorf("%s fails and is not in pending.txt: %v", o.Program.Name, o.Mismatch)
	}
	for _, o := range passing {
		t.Errorf("%s passes: take it out of pending.txt", o.Program.Name)
	}
}

// conformRunner runs programs with the shipped data and a time limit that is shorter in CI.
func conformRunner(t *testing.T) *conform.Runner {
	data, err := filepath.Abs("testdata/data")
	if err != nil {
		t.Fatal(err)
	}
	limit := 20 * time.Second
	if os.Getenv("CI") != "" {
		limit = 10 * time.Second
	}
	return &conform.Runner{Command: []string{tfsBinary(t), "run"}, Data: data, Limit: limit}
}

func report(t *testing.T, outcomes []conform.Outcome) {
	var text bytes.Buffer
	if *conformDiff {
		conform.WriteFailures(&text, outcomes)
	}
	conform.WriteCounts(&text, outcomes)
	t.Logf("\n%s", &text)
}
