package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseFigures(t *testing.T) {
	bench, check := parseFigures("hello\nbench a.b 1.5e-06\ncheck a.b 1 True\nbench broken x\n")
	if len(bench) != 1 || bench["a.b"] != 1.5e-6 || check["a.b"] != "1 True" {
		t.Errorf("got %v and %v", bench, check)
	}
}

func TestGives(t *testing.T) {
	for _, row := range []struct {
		program, measurement string
		want                 bool
	}{
		{"eager", "eager.add_vec8", true},
		{"eager", "function.call", false},
		{"numpy_ops", "numpy.*", true},
		{"memory_while_loop", "memory.x", true},
		{"startup_language", "wall.startup_language", true},
		{"startup_language", "rss.startup_tensorflow", false},
		{"train", "rss.train", true},
	} {
		if got := (program{name: row.program}).gives(row.measurement); got != row.want {
			t.Errorf("%s gives %s: %v", row.program, row.measurement, got)
		}
	}
}

func TestJudge(t *testing.T) {
	targets := []target{
		{"s", "a.slow", "tf", 0.5, 0.1}, {"s", "a.ok", "tf", 0.5, 0.1}, {"s", "a.best", "tf", 0.5, 0.1},
		{"s", "a.not_run", "tf", 0.5, 0.1}, {"s", "a.unknown", "tf", 0.5, 0.1}, {"s", "a.*", "tf", 9, 9},
	}
	results := Results{}
	for name, seconds := range map[string]float64{"a.slow": 1, "a.ok": 1, "a.best": 1, "a.not_run": 1} {
		results.side("tf").Bench[name] = seconds
	}
	ours := results.side(sideTFS)
	ours.Bench["a.slow"], ours.Bench["a.ok"], ours.Bench["a.best"] = 0.6, 0.3, 0.05
	var got []string
	for _, v := range judge(results, targets, []string{"*"}) {
		got = append(got, v.name+" "+v.mark)
	}
	want := "a.slow SHORT|a.ok reached|a.best moonshot|a.not_run MISSING|a.unknown NO PEER"
	if strings.Join(got, "|") != want {
		t.Errorf("got %v", got)
	}
}

func TestSameCheck(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"1.0 True", "1.0005 True", true}, {"1.0", "1.01", false}, {"(1, 2)", "(1, 2)", true},
		{"1 2", "1", false}, {"a", "b", false}, {"inf", "inf", true},
	} {
		if sameCheck(row.a, row.b) != row.want {
			t.Errorf("%q and %q: not %v", row.a, row.b, row.want)
		}
	}
}

// Every program's repeats can be cut down, and every target belongs to a program: a renamed one must not go unnoticed.
func TestShippedPrograms(t *testing.T) {
	const folder = "../.."
	programs, err := listPrograms(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		source, err := os.ReadFile(p.path)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(source); strings.Contains(text, "def bench(") && !strings.Contains(text, repeatsInPrograms) {
			t.Errorf("%s: no %q to cut down", p.name, repeatsInPrograms)
		}
	}
	targets, err := readTargets(filepath.Join(folder, "targets.tsv"), "all")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if !anyGives(programs, target.pattern) {
			t.Errorf("no program gives %s", target.pattern)
		}
	}
	if _, err := parseTarget("too\tfew\n"); err == nil {
		t.Error("two columns, no error")
	}
}

func TestRunChild(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMeter(options{folder: "../..", cpus: 1, limit: 1e10}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := m.runChild(t.Context(), []string{self, "-test.run=NoSuchTest", "-test.v"}, "x")
	if r.err != nil || r.wall <= 0 || !strings.Contains(r.stdout, "PASS") {
		t.Errorf("got %+v", r)
	}
}
