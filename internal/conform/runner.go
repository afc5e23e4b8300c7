package conform

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A Runner runs programs under a command.
type Runner struct {
	Command []string      // the program's path is appended
	Data    string        // what TFS_DATA names
	Limit   time.Duration // for one program
	Env     []string      // added to the environment
}

// A Result is what one run of a program did.
type Result struct {
	Status   int
	Stdout   string
	Stderr   string
	TimedOut bool
	Took     time.Duration
	Err      error // the command could not be run at all
}

// environment makes a run repeatable: CPython's hashes without a random key, TensorFlow without its log.
var environment = []string{
	"PYTHONHASHSEED=0", "TF_CPP_MIN_LOG_LEVEL=2", "CUDA_VISIBLE_DEVICES=-1", "TF_ENABLE_ONEDNN_OPTS=0",
}

// maxOutput bounds what is kept of one stream: a runaway loop must not eat the memory.
const maxOutput = 8 << 20

// Run runs one program in an empty folder of its own.
func (r *Runner) Run(ctx context.Context, p *Program) Result {
	folder, err := os.MkdirTemp("", "conform-")
	if err != nil {
		return Result{Err: err}
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithTimeout(ctx, r.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.Command[0], append(r.Command[1:len(r.Command):len(r.Command)], p.Path)...)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), environment...), "TFS_DATA="+r.Data)
	cmd.Env = append(cmd.Env, r.Env...)
	cmd.WaitDelay = time.Second
	var out, errs boundedBuffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err = cmd.Run()
	res := Result{Stdout: placeless(out.String(), p.Path), Stderr: errs.String(), Took: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		res.TimedOut = true
	case errors.As(err, &exit):
		res.Status = exit.ExitCode()
	case err != nil:
		res.Err = err
	}
	return res
}

var packagesFolder = regexp.MustCompile(`"/[^"\n]*/(?:site|dist)-packages/`)

// placeless takes the folders of this machine out of a text, as the recorder does.
func placeless(text, path string) string {
	text = strings.ReplaceAll(text, filepath.Dir(path)+string(filepath.Separator), "")
	return packagesFolder.ReplaceAllString(text, `"`)
}

// Judge compares a result with the program's recording; nil means that it passes.
func Judge(p *Program, r Result) *Mismatch {
	if r.Err != nil {
		return &Mismatch{What: "command", Want: "a run", Got: r.Err.Error()}
	}
	if r.TimedOut {
		return &Mismatch{What: "timeout", Want: "an end", Got: "none after " + r.Took.Round(time.Second).String()}
	}
	if m := CompareOutput(p.Directives, p.Out, r.Stdout); m != nil {
		return m
	}
	if m := judgeEnd(p, r); m != nil {
		return m
	}
	for _, text := range p.Directives.Stderr {
		if !strings.Contains(r.Stderr, text) {
			return &Mismatch{What: "stderr", Want: text, Got: lastLine(r.Stderr)}
		}
	}
	return nil
}

func judgeEnd(p *Program, r Result) *Mismatch {
	want := p.Fault
	if want == nil {
		want = &Fault{}
	}
	got := FaultOf(r.Status, placeless(r.Stderr, p.Path))
	if want.Status == 0 && got.Status == 0 {
		return nil
	}
	if want.Status == 0 {
		return &Mismatch{"status", 0, "status 0", got.Message}
	}
	if want.Message == "" && want.Status == got.Status {
		return nil
	}
	return CompareFault(want, got)
}

func lastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// An Outcome is the judgement of one program.
type Outcome struct {
	Program  *Program
	Result   Result
	Mismatch *Mismatch // nil: it passes
}

// RunAll runs programs, some at a time, and returns the outcomes in the programs' order.
func (r *Runner) RunAll(ctx context.Context, programs []*Program, atATime int) []Outcome {
	outcomes := make([]Outcome, len(programs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range atATime {
		wg.Go(func() {
			for i := range next {
				res := r.Run(ctx, programs[i])
				outcomes[i] = Outcome{programs[i], res, Judge(programs[i], res)}
			}
		})
	}
	for i := range programs {
		next <- i
	}
	close(next)
	wg.Wait()
	return outcomes
}

// A boundedBuffer keeps the first maxOutput bytes and drops the rest.
type boundedBuffer struct{ buf bytes.Buffer }

// Write implements io.Writer; it never fails.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if room := maxOutput - b.buf.Len(); room > 0 {
		b.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String returns what was kept.
func (b *boundedBuffer) String() string { return b.buf.String() }
