package progfuzz

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/tfs-lang/tfs"
)

// Result is what a program did.
type Result struct {
	Out string // what it printed
	End string // "", or the exception that ended it, or why the run was ended
}

// File is the name under which programs run, so that tracebacks are alike.
const File = "prog.tfs"

// Run runs a program in a fresh interpreter in folder dir. The error is a mistake of
// ours: a panic, or a run that hangs.
func Run(src, dir string, limit time.Duration) (Result, error) {
	path := filepath.Join(dir, File)
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		return Result{}, err
	}
	var out bytes.Buffer
	in := tfs.New(tfs.Stdout(&out), tfs.Stderr(io.Discard), tfs.MaxSteps(50_000_000), tfs.MaxMemory(1<<30))
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	err := in.RunFile(ctx, path)
	err = errors.Join(err, in.Close())
	r := Result{Out: out.String()}
	var script *tfs.Error
	var exit *tfs.ExitError
	switch {
	case err == nil:
	case errors.As(err, &script):
		r.End = script.Traceback
	case errors.As(err, &exit):
		r.End = exit.Error()
	default:
		return r, err
	}
	return r, nil
}

var (
	address = regexp.MustCompile(`0x[0-9a-f]{6,}`)
	suggest = regexp.MustCompile(`\. Did you mean: .*\?`)
	limited = regexp.MustCompile(`MemoryError:? the limit of .*`)
	folder  = regexp.MustCompile(`File "[^"]*/` + File)
)

// Normal is a result without what differs from run to run: addresses, folders, and
// the suggestions that only the interpreter's own printer makes.
func (r Result) Normal() Result {
	f := func(s string) string {
		s = address.ReplaceAllString(s, "0x")
		s = limited.ReplaceAllString(s, "MemoryError ")
		s = suggest.ReplaceAllString(s, "")
		return folder.ReplaceAllString(s, `File "`+File)
	}
	return Result{f(r.Out), f(r.End)}
}
