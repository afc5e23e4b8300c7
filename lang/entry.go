package lang

import (
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// RunModule compiles the text of a file and runs it in module m.
func (th *Thread) RunModule(src []byte, file string, m *Module) error {
	return th.RunSource(m, string(src), file)
}

// RunInteractive runs one input of a prompt in module m: expression statements show
// their value.
func (th *Thread) RunInteractive(src []byte, file string, m *Module) error {
	if blankText(string(src)) {
		return nil
	}
	th.Interp.KeepSource(file, string(src))
	c, err := th.CompileInteractive(string(src)+"\n", file, false)
	if err != nil {
		return err
	}
	_, err = th.RunCode(c, m.dict, Unbound)
	return err
}

// blankText tells whether there is nothing in a text but comments.
func blankText(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// EvalSource is the value of an expression in module m.
func (th *Thread) EvalSource(src []byte, file string, m *Module) (Value, error) {
	c, err := th.CompileEval(strings.TrimLeft(string(src), " \t"), file, false)
	if err != nil {
		return Unbound, err
	}
	return th.RunCode(c, m.dict, Unbound)
}

// BugError is a panic of ours, reported once with the script's position.
type BugError struct {
	Panic any
	Where string // "file:line" of the script, "" outside one
	Stack string
}

// Error asks for a report.
func (e *BugError) Error() string {
	where := ""
	if e.Where != "" {
		where = " at " + e.Where
	}
	return fmt.Sprintf("tfs bug%s: %v", where, e.Panic)
}

// Bug turns a recovered panic into an error that names the script's line.
func (th *Thread) Bug(p any) error {
	if e, ok := p.(*BugError); ok { // of another strand
		return e
	}
	e := &BugError{Panic: p, Stack: string(debug.Stack())}
	if strings.Contains(os.Getenv("TFS_DEBUG"), "bug") {
		fmt.Fprintln(os.Stderr, e.Stack)
	}
	if f := th.cur; f != nil && f.code != nil && f.code != hostCode && f.pc != nil {
		e.Where = fmt.Sprintf("%s:%d", f.Code().File, f.Line())
	}
	return e
}

// OSHost is the world of the process: its files, streams and clock.
func OSHost() Host {
	return Host{Stdout: os.Stdout, Stderr: os.Stderr, Stdin: os.Stdin, Files: osFiles{}, Now: time.Now, Environ: os.Environ()}
}

type osFiles struct{}

func (osFiles) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFiles) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osFiles) Lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }
func (osFiles) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFiles) Mkdir(name string, perm fs.FileMode) error  { return os.Mkdir(name, perm) }
func (osFiles) Remove(name string) error                   { return os.Remove(name) }
func (osFiles) Rename(from, to string) error               { return os.Rename(from, to) }
func (osFiles) Getwd() (string, error)                     { return os.Getwd() }
func (osFiles) Chdir(name string) error                    { return os.Chdir(name) }

// What a file system may have beside Files.
func (osFiles) Chmod(name string, mode fs.FileMode) error { return os.Chmod(name, mode) }
func (osFiles) Chtimes(name string, atime, mtime time.Time) error {
	return os.Chtimes(name, atime, mtime)
}
func (osFiles) Readlink(name string) (string, error)                     { return os.Readlink(name) }
func (osFiles) Symlink(from, to string) error                            { return os.Symlink(from, to) }
func (osFiles) Link(from, to string) error                               { return os.Link(from, to) }
func (osFiles) Disk(name string) (total, free, available int64, ok bool) { return diskSpace(name) }
