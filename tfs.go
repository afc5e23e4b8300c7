package tfs

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/stdlib"
)

// Version of tfs.
const Version = "0.1.0"

// Interp is one interpreter.
type Interp struct {
	rt   *lang.Interp
	out  *bufio.Writer
	mu   sync.Mutex
	main *lang.Module // __main__
	file string       // of the script, "" for none
}

// New returns an interpreter. Without options scripts print to the process's
// stdout and stderr and read nothing.
func New(opts ...Option) *Interp {
	c := config{stdout: os.Stdout, stderr: os.Stderr}
	for _, o := range opts {
		o(&c)
	}
	in := &Interp{out: bufio.NewWriterSize(c.stdout, 1<<16)}
	in.rt = lang.NewInterp(c.host(in.out))
	builtin.Install(in.rt)
	stdlib.Install(in.rt, stdlib.Options{Strict: c.strict})
	in.rt.MaxSteps, in.rt.Grace = c.maxSteps, c.grace
	if c.maxMemory > 0 {
		in.rt.SetMemoryLimit(c.maxMemory)
	} else {
		in.rt.SetMemoryCeiling(c.ceiling)
	}
	in.rt.Path = append(in.rt.Path, c.path...)
	in.rt.Argv = []string{""}
	in.main = in.newMain()
	return in
}

// host is what scripts reach of the world.
func (c *config) host(out io.Writer) lang.Host {
	h := lang.OSHost()
	h.Stdout, h.Stderr, h.Stdin = out, c.stderr, c.stdin
	if c.ownFiles {
		h.Files = c.files
	}
	if c.ownEnv {
		h.Environ = c.env
	}
	if c.processes {
		h.Processes = lang.OSProcesses(c.stdin, c.stdout, c.stderr)
	}
	return h
}

func (in *Interp) newMain() *lang.Module {
	m := lang.NewModule("__main__")
	m.Set("__builtins__", in.rt.Builtins.Value())
	in.rt.Modules.PutStr("__main__", m.Value())
	return m
}

// SetArgs sets sys.argv, the script's name first.
func (in *Interp) SetArgs(args ...string) { in.rt.Argv = args }

// begin takes the interpreter for one run under ctx.
func (in *Interp) begin(ctx context.Context) error {
	if !in.mu.TryLock() {
		return ErrBusy
	}
	in.rt.Main.Reset()
	in.rt.Main.Ctx = ctx
	return nil
}

// end gives the interpreter back; a panic of ours becomes an error with the
// script position.
func (in *Interp) end(err *error) {
	if p := recover(); p != nil {
		*err = in.rt.Main.Bug(p)
	}
	if e := in.out.Flush(); *err == nil && e != nil {
		*err = in.lost(e)
	}
	in.mu.Unlock()
}

// RunFile runs a script of the file system that scripts see as the main module, with sys.argv = [path, args…].
func (in *Interp) RunFile(ctx context.Context, path string, args ...string) (err error) {
	src, err := in.rt.ReadFile(path)
	if err != nil {
		return err
	}
	if err := in.begin(ctx); err != nil {
		return err
	}
	defer in.end(&err)
	in.rt.Argv = append([]string{path}, args...)
	if abs, err := filepath.Abs(path); err == nil { // as CPython names the main script
		path = abs
	}
	in.rt.Path = append([]string{filepath.Dir(path)}, in.rt.Path...)
	in.file = path
	in.main.Set("__file__", lang.NewStr(path))
	return in.wrap(ctx, in.run([]byte(src), path))
}

// Exec runs source text in the main module.
func (in *Interp) Exec(ctx context.Context, src string) error {
	return in.ExecNamed(ctx, "<string>", src)
}

// ExecNamed is Exec for source text that tracebacks and warnings call name.
func (in *Interp) ExecNamed(ctx context.Context, name, src string) (err error) {
	if err := in.begin(ctx); err != nil {
		return err
	}
	defer in.end(&err)
	return in.wrap(ctx, in.run([]byte(src), name))
}

func (in *Interp) run(src []byte, name string) error {
	return in.rt.Main.RunModule(src, name, in.main)
}

// Interact runs one complete input of a prompt: the value of an expression
// statement is printed and bound to _. sys.exit is an *ExitError, also with status 0.
func (in *Interp) Interact(ctx context.Context, src string) (err error) {
	if err := in.begin(ctx); err != nil {
		return err
	}
	defer in.end(&err)
	ran := in.rt.Main.RunInteractive([]byte(src), "<stdin>", in.main)
	if err := in.wrap(ctx, ran); err != nil || ran == nil {
		return err
	}
	return &ExitError{} // sys.exit(0) leaves the prompt, too
}

// Eval is the value of an expression in the main module.
func (in *Interp) Eval(ctx context.Context, expr string) (v any, err error) {
	if err := in.begin(ctx); err != nil {
		return nil, err
	}
	defer in.end(&err)
	x, err := in.rt.Main.EvalSource([]byte(expr), "<string>", in.main)
	if err != nil {
		return nil, in.wrap(ctx, err)
	}
	return in.toGo(x)
}

// Call calls a function of the main module by name.
func (in *Interp) Call(ctx context.Context, name string, args ...any) (v any, err error) {
	if err := in.begin(ctx); err != nil {
		return nil, err
	}
	defer in.end(&err)
	th := in.rt.Main
	f, ok := in.main.Dict().GetStr(name)
	if !ok {
		return nil, in.wrap(ctx, th.Raise(lang.NameError, "name '%s' is not defined", name))
	}
	vs := make([]lang.Value, len(args))
	for i, a := range args {
		if vs[i], err = in.fromGo(a); err != nil {
			return nil, fmt.Errorf("argument %d of %s: %w", i+1, name, err)
		}
	}
	x, err := th.Call(f, vs)
	if err != nil {
		return nil, in.wrap(ctx, err)
	}
	return in.toGo(x)
}

// Set binds a name of the main module.
func (in *Interp) Set(name string, v any) (err error) {
	if err := in.begin(context.Background()); err != nil {
		return err
	}
	defer in.end(&err)
	x, err := in.fromGo(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in.main.Set(name, x)
	return nil
}

// Get is the value of a name of the main module.
func (in *Interp) Get(name string) (v any, err error) {
	if err := in.begin(context.Background()); err != nil {
		return nil, err
	}
	defer in.end(&err)
	x, ok := in.main.Dict().GetStr(name)
	if !ok {
		return nil, fmt.Errorf("no name %q in the main module", name)
	}
	return in.toGo(x)
}

// Interrupt asks the running script for a KeyboardInterrupt, which it may catch.
// It may be called from any goroutine.
func (in *Interp) Interrupt() { in.rt.Interrupt() }

// Signal gives the script a signal of the operating system. It reports false if the
// script has no handler of its own. It may be called from any goroutine.
func (in *Interp) Signal(n int) bool { return in.rt.Signal(n) }

// Flush writes out what print has buffered.
func (in *Interp) Flush() error { return in.out.Flush() }

// Close waits for the script's threads, runs its atexit functions and writes out
// its output.
func (in *Interp) Close() error { return in.Shutdown(context.Background()) }

// Shutdown is Close with a context that ends the waiting.
func (in *Interp) Shutdown(ctx context.Context) (err error) {
	if err := in.begin(ctx); err != nil {
		return err
	}
	defer in.end(&err)
	err = in.wrap(ctx, stdlib.AtExit(in.rt.Main))
	in.rt.Main.Finish(in.main)
	return err
}
