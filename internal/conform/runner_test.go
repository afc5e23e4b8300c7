package conform

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The test binary itself plays the command: CONFORM_PLAY makes it "run" a program file of
// lines `out TEXT`, `err TEXT`, `env NAME`, `clock`, `sleep`, `exit SIGNS` (their number is the status).
func TestMain(m *testing.M) {
	if os.Getenv("CONFORM_PLAY") != "" {
		os.Exit(play(os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

func play(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 99
	}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "out":
			fmt.Println(rest)
		case "err":
			fmt.Fprintln(os.Stderr, rest)
		case "env":
			fmt.Println(os.Getenv(rest))
		case "clock":
			fmt.Println(time.Now().UnixNano())
		case "sleep":
			time.Sleep(time.Minute)
		case "exit":
			return len(rest)
		}
	}
	return 0
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRunAll(t *testing.T) {
	root := writeFiles(t, map[string]string{
		"a/pass.tfs":     "out one\nenv TFS_DATA\n",
		"a/pass.out":     "one\n/the/data\n",
		"a/wrong.tfs":    "out one\nout two\n",
		"a/wrong.out":    "one\n2\n",
		"b/ends.tfs":     "err Traceback (most recent call last):\nerr KeyError: 'k'\nexit 1\n",
		"b/ends.out":     "",
		"b/ends.err":     "status 1\nKeyError: 'k'\n",
		"b/fails.tfs":    "err Traceback (most recent call last):\nerr ValueError: v\nexit 1\n",
		"b/fails.out":    "",
		"b/quiet.tfs":    "# stderr: spoken\nout x\n",
		"b/quiet.out":    "x\n",
		"b/slow.tfs":     "sleep\n",
		"b/slow.out":     "",
		"b/side/mod.tfs": "a module without a recording\n",
	})
	programs, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Command: []string{self}, Data: "/the/data", Limit: 2 * time.Second, Env: []string{"CONFORM_PLAY=1"}}
	outcomes := r.RunAll(context.Background(), programs, 3)
	got := map[string]string{}
	for _, o := range outcomes {
		got[o.Program.Name] = "pass"
		if o.Mismatch != nil {
			got[o.Program.Name] = o.Mismatch.What
		}
	}
	for name, want := range map[string]string{
		"a/pass.tfs": "pass", "a/wrong.tfs": "output", "b/ends.tfs": "pass", "b/fails.tfs": "status",
		"b/quiet.tfs": "stderr", "b/slow.tfs": "timeout", "b/side/mod.tfs": "",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}

	var report bytes.Buffer
	WriteFailures(&report, outcomes)
	if failed := WriteCounts(&report, outcomes); failed != 4 {
		t.Errorf("%d failed, want 4", failed)
	}
	for _, text := range []string{"1 × ValueError: v", "a                   1 of    2", "--- b/slow.tfs"} {
		if !strings.Contains(report.String(), text) {
			t.Errorf("report lacks %q:\n%s", text, &report)
		}
	}
	if kept := Select(programs, regexp.MustCompile("^a/")); len(kept) != 2 {
		t.Errorf("Select keeps %d", len(kept))
	}
	checkPending(t, programs, outcomes)
}

func checkPending(t *testing.T, programs []*Program, outcomes []Outcome) {
	p := Pending{"a/pass.tfs": "language", "b/slow.tfs": "mine", "gone.tfs": "language"}
	failing, passing := p.Check(outcomes)
	if len(failing) != 3 || len(passing) != 1 {
		t.Errorf("%d failing, %d passing", len(failing), len(passing))
	}
	if stale := p.Stale(programs); len(stale) != 1 || stale[0] != "gone.tfs" {
		t.Errorf("stale: %v", stale)
	}
	p.Update(outcomes)
	path := filepath.Join(t.TempDir(), "pending.txt")
	if err := p.Write(path); err != nil {
		t.Fatal(err)
	}
	back, err := ReadPending(path)
	if err != nil {
		t.Fatal(err)
	}
	if back["a/pass.tfs"] != "" || back["b/slow.tfs"] != "mine" || back["b/fails.tfs"] != "unsorted" {
		t.Errorf("after the update: %v", back)
	}
	if failing, passing := back.Check(outcomes); len(failing)+len(passing) != 0 {
		t.Errorf("still %d failing, %d passing", len(failing), len(passing))
	}
}

func TestDefaultIssueOfEveryTopic(t *testing.T) {
	programs, err := Load("../../testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if DefaultIssue(p.Topic()) == "unsorted" {
			t.Errorf("topic %s has no issue", p.Topic())
		}
	}
}

func TestRecord(t *testing.T) {
	root := writeFiles(t, map[string]string{
		"ends.tfs":  "out said\nerr Traceback (most recent call last):\nerr KeyError: 'k'\nexit 1\n",
		"fine.tfs":  "out fine\n",
		"fine.err":  "status 1\nstale\n",
		"twice.tfs": "env CONFORM_NONE\nclock\n",
	})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Command: []string{self}, Limit: 10 * time.Second, Env: []string{"CONFORM_PLAY=1"}}
	for _, name := range []string{"ends.tfs", "fine.tfs"} {
		if err := r.Record(t.Context(), filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	if err := r.Record(t.Context(), filepath.Join(root, "twice.tfs")); err == nil {
		t.Error("two runs that differ are recorded")
	}
	programs, err := Load(root)
	if err != nil || len(programs) != 2 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	if p := programs[0]; p.Out != "said\n" || p.Fault == nil || p.Fault.Message != "KeyError: 'k'" {
		t.Errorf("recorded %+v", p)
	}
	if p := programs[1]; p.Out != "fine\n" || p.Fault != nil {
		t.Errorf("recorded %+v", p)
	}
}
