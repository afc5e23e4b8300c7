package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A meter runs commands on pinned CPUs and collects their figures.
type meter struct {
	tfs    []string // command of tfs
	folder string
	data   string
	runs   int
	cpus   int
	limit  time.Duration
}

// Figures are what the runs of one side gave, the least of each.
type Figures struct {
	Bench  map[string]float64 `json:"bench"`
	Check  map[string]string  `json:"check"`
	Failed map[string]string  `json:"failed"`
}

// Results holds the figures of each side.
type Results map[string]*Figures

func newMeter(o options, tfs []string) (*meter, error) {
	data := os.Getenv("TFS_DATA")
	if data == "" {
		data = "testdata/data"
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(o.folder)
	return &meter{tfs: tfs, folder: folder, data: data, runs: o.runs, cpus: o.cpus, limit: o.limit}, err
}

// side returns the figures of a side, made on first use.
func (r Results) side(name string) *Figures {
	if r[name] == nil {
		r[name] = &Figures{map[string]float64{}, map[string]string{}, map[string]string{}}
	}
	return r[name]
}

// measureAll runs the plan; the sides take turns.
func (m *meter) measureAll(ctx context.Context, p plan) (Results, error) {
	results := Results{}
	for _, prog := range p.programs {
		for range m.runs {
			m.measureOnce(ctx, results.side(sideTFS), prog.name, m.tfs, prog.path, true)
			if p.python == "" {
				continue
			}
			side := sideTF
			if prog.plain {
				side = sideCPython
			}
			m.measureOnce(ctx, results.side(side), prog.name, []string{p.python}, prog.path, true)
		}
	}
	for _, peer := range p.peers {
		path := filepath.Join(m.folder, "peers", peer+".py")
		for range m.runs {
			m.measureOnce(ctx, results.side(peer), peer, []string{p.python}, path, false)
		}
	}
	return results, ctx.Err()
}

// measureOnce runs a program and keeps what is less than before.
func (m *meter) measureOnce(ctx context.Context, f *Figures, name string, command []string, path string, outside bool) {
	if f.Failed[name] != "" {
		return
	}
	r := m.runChild(ctx, command, path)
	found, checks := parseFigures(r.stdout)
	if outside && r.err == nil {
		found["wall."+name], found["rss."+name] = r.wall.Seconds(), r.peak
	}
	for key, value := range found {
		if old, ok := f.Bench[key]; !ok || value < old {
			f.Bench[key] = value
		}
	}
	maps.Copy(f.Check, checks)
	state := "ok"
	if r.err != nil {
		f.Failed[name] = r.err.Error()
		state = "failed: " + r.err.Error()
	}
	fmt.Fprintf(os.Stderr, "%-36s %-8s %6.1f s  %s\n", name, filepath.Base(command[0]), r.wall.Seconds(), state)
}

// parseFigures reads the `bench` and `check` lines of an output.
func parseFigures(out string) (bench map[string]float64, check map[string]string) {
	bench, check = map[string]float64{}, map[string]string{}
	for line := range strings.Lines(out) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		key, value, _ := strings.Cut(rest, " ")
		switch word {
		case "bench":
			if seconds, err := strconv.ParseFloat(value, 64); err == nil {
				bench[key] = seconds
			}
		case "check":
			check[key] = value
		}
	}
	return bench, check
}

// A childRun is one run of a child process.
type childRun struct {
	stdout string
	wall   time.Duration
	peak   float64 // MiB
	err    error   // what went wrong, in one line
}

// runChild runs a command on a path in an empty folder.
func (m *meter) runChild(ctx context.Context, command []string, path string) childRun {
	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return childRun{err: err}
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithTimeout(ctx, m.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], path)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = folder, m.environment(), &out, &errs, time.Second

	start := time.Now()
	if err := startPinned(cmd, m.cpus); err != nil {
		return childRun{err: err}
	}
	sampled := samplePeak(cmd.Process.Pid)
	err = cmd.Wait()
	r := childRun{stdout: out.String(), wall: time.Since(start), peak: peakMemory(cmd.ProcessState, sampled())}
	if ctx.Err() != nil {
		r.err = fmt.Errorf("no end after %v", m.limit)
	} else if err != nil {
		r.err = errors.New(lastLine(errs.String(), err.Error()))
	}
	return r
}

// environment makes runs alike: one thread, no key in hashes, no log of TensorFlow.
func (m *meter) environment() []string {
	env := []string{"TF_CPP_MIN_LOG_LEVEL=2", "CUDA_VISIBLE_DEVICES=-1", "PYTHONHASHSEED=0"}
	if m.cpus > 0 {
		for _, name := range []string{
			"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "GOMAXPROCS",
		} {
			env = append(env, fmt.Sprintf("%s=%d", name, m.cpus))
		}
	}
	return append(append(env, os.Environ()...), "TFS_DATA="+m.data)
}

// peakMemory is the child's peak in MiB. The system's figure can't be less than this process's own size, so that
// below it the sampled one counts.
func peakMemory(state *os.ProcessState, sampledKiB int64) float64 {
	kib := maxRSS(state)
	if sampledKiB > 0 && kib <= ownMaxRSS() {
		kib = sampledKiB
	}
	if runtime.GOOS == "darwin" {
		return float64(kib) / (1 << 20) // there it is counted in bytes
	}
	return float64(kib) / (1 << 10)
}

func lastLine(text, otherwise string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return otherwise
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func writeJSON(path string, results Results) error {
	text, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
