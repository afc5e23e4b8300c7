package py

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/lang/value"
)

// _subprocess is the native core of the script module subprocess.
var _ = define("_subprocess", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "start(path, args, cwd, env, stdin, stdout, stderr, /)", Fn: processStart},
		{Sig: "allowed()", Fn: func(th *Thread, a []Value) (Value, error) { return none, processesAllowed(th) }},
	}}
})

// process is a program that the script started.
type process struct {
	lang.Header
	p       *lang.Process
	collect *collector // of communicate
}

var processClass = newClass("process", "_subprocess")

func init() {
	lang.DefineMethods(processClass, []lang.Def{
		{Sig: "poll(self)", Fn: processPoll},
		{Sig: "wait(self, timeout=None, /)", Fn: processWait},
		{Sig: "send_signal(self, sig, /)", Fn: processSignal},
		{Sig: "communicate(self, input, timeout, /)", Fn: processCommunicate},
		{Sig: "open(self, number, mode, buffering, encoding, errors, newline, /)", Fn: processOpen},
		{Sig: "pid", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(processOf(a[0]).p.PID())), nil }},
	})
	processClass.Flags |= lang.ClassNoNew
}

func processOf(v Value) *process { return native[process](v, processClass) }

func processesAllowed(th *Thread) error {
	if th.Interp.Host.Processes == nil {
		return builtin.Refused(syscall.EPERM, "this script may not start programs; tfs run --allow-processes lets it, tfs.AllowProcesses in Go")
	}
	return nil
}

func processStart(th *Thread, a []Value) (Value, error) {
	if err := processesAllowed(th); err != nil {
		return fail(err)
	}
	c := &lang.Command{}
	var err error
	if c.Path, err = builtin.PathArg(th, a[0]); err != nil {
		return fail(err)
	}
	if c.Args, err = texts(th, a[1]); err == nil {
		c.Env, err = texts(th, a[3])
	}
	if err == nil && !a[2].IsNone() {
		c.Dir, err = builtin.PathArg(th, a[2])
	}
	for i := range c.Std {
		if err == nil {
			c.Std[i], err = redirect(th, a[4+i], i)
		}
	}
	if err != nil {
		return fail(err)
	}
	builtin.FlushAll(th)
	for n := 1; n <= 2; n++ {
		if err := builtin.Std(th, n).Flush(th); err != nil {
			return fail(err)
		}
	}
	p, err := th.Interp.Host.Processes.Start(c)
	if err != nil {
		return fail(builtin.OSError(th, err, a[0]))
	}
	o := &process{Header: head(processClass, value.KindOther), p: p}
	return Value{P: unsafe.Pointer(o)}, nil
}

// texts are the items of a list of str, bytes or paths.
func texts(th *Thread, v Value) ([]string, error) {
	var out []string
	err := each(th, v, func(x Value) error {
		s, err := builtin.PathArg(th, x)
		if err == nil && strings.IndexByte(s, 0) >= 0 {
			err = th.ValueErrorf("embedded null byte")
		}
		out = append(out, s)
		return err
	})
	return out, err
}

// redirect reads what the script gave for a standard stream: None, PIPE (-1),
// STDOUT (-2), DEVNULL (-3) or a file.
func redirect(th *Thread, v Value, i int) (lang.Redirect, error) {
	if v.IsNone() {
		return lang.Redirect{}, nil
	}
	n, isInt := lang.AsInt(v)
	switch {
	case isInt && n == -1:
		return lang.Redirect{Kind: lang.ToPipe}, nil
	case isInt && n == -2 && i == 2:
		return lang.Redirect{Kind: lang.ToStdout}, nil
	case isInt && n == -3:
		return lang.Redirect{Kind: lang.ToNull}, nil
	case isInt && (n == 1 || n == 2) && i > 0:
		return lang.Redirect{Std: int(n)}, nil
	case isInt && n == 0 && i == 0:
		return lang.Redirect{}, nil
	}
	f, ok := builtin.AsFile(v)
	if !ok {
		return lang.Redirect{}, th.TypeErrorf("a standard stream must be None, PIPE, STDOUT, DEVNULL or an open file, not %s", lang.TypeName(v))
	}
	if n := f.StdNumber(); n == i || n > 0 && i > 0 {
		return lang.Redirect{Std: n}, f.Flush(th)
	}
	raw, err := f.Raw(th)
	if err == nil && raw == nil {
		err = th.Raise(builtin.UnsupportedOperation, "fileno")
	}
	return lang.Redirect{Kind: lang.ToFile, File: raw}, err
}

func statusValue(status int, ended bool) Value {
	if !ended {
		return none
	}
	return lang.Int(int64(status))
}

func processPoll(th *Thread, a []Value) (Value, error) {
	return statusValue(processOf(a[0]).p.Poll()), nil
}

func processSignal(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[1])
	if err == nil {
		if err = processOf(a[0]).p.Signal(n); err != nil {
			err = builtin.OSError(th, err)
		}
	}
	return none, err
}

// untilOf is the end of a wait of some seconds; None is for ever.
func untilOf(th *Thread, timeout Value) (time.Time, error) {
	if timeout.IsNone() {
		return time.Time{}, nil
	}
	s, err := floatOf(th, timeout)
	return time.Now().Add(time.Duration(max(s, 0) * 1e9)), err
}

// await lets other threads run until done says so, or the time comes.
func await(th *Thread, until time.Time, done func() bool) (bool, error) {
	const shortest, longest = 500 * time.Microsecond, 20 * time.Millisecond
	for step := shortest; !done(); step = min(2*step, longest) {
		now := time.Now()
		if !until.IsZero() && !now.Before(until) {
			return false, nil
		}
		next := now.Add(step)
		if !until.IsZero() && until.Before(next) {
			next = until
		}
		if err := th.SleepStrand(next); err != nil {
			return false, err
		}
	}
	return true, nil
}

// processWait is the status, None when the time came first.
func processWait(th *Thread, a []Value) (Value, error) {
	until, err := untilOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	p := processOf(a[0])
	v := none
	_, err = await(th, until, func() bool {
		v = statusValue(p.p.Poll())
		return !v.IsNone()
	})
	return v, err
}

// collector reads both pipes and writes the input while the script waits.
type collector struct {
	out, err []byte
	done     chan struct{}
	left     int
}

func newCollector(p *lang.Process, input []byte) *collector {
	c := &collector{done: make(chan struct{}, 3)}
	run := func(f func()) {
		c.left++
		go func() {
			f()
			c.done <- struct{}{}
		}()
	}
	if p.Stdin != nil {
		run(func() {
			_, _ = p.Stdin.Write(input) // a program that doesn't read it is no error
			p.Stdin.Close()
		})
	}
	if p.Stdout != nil {
		run(func() { c.out, _ = io.ReadAll(p.Stdout) })
	}
	if p.Err != nil {
		run(func() { c.err, _ = io.ReadAll(p.Err) })
	}
	return c
}

// finished reports that the pipes are at their ends.
func (c *collector) finished() bool {
	for c.left > 0 {
		select {
		case <-c.done:
			c.left--
		default:
			return false
		}
	}
	return true
}

// processCommunicate is (stdout, stderr) as bytes when all pipes are at their ends
// and the program has ended; None when the time came first.
func processCommunicate(th *Thread, a []Value) (Value, error) {
	p := processOf(a[0])
	until, err := untilOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	if p.collect == nil {
		var input []byte
		if b, ok := lang.AsBytes(a[1]); ok {
			input = []byte(b.B)
		}
		p.collect = newCollector(p.p, input)
	}
	done, err := await(th, until, func() bool {
		_, ended := p.p.Poll()
		return p.collect.finished() && ended
	})
	if err != nil || !done {
		return none, err
	}
	return lang.NewTuple(lang.NewBytes(string(p.collect.out)), lang.NewBytes(string(p.collect.err))), nil
}

// pipeEnd makes a pipe a stream in both directions, one of which fails.
type pipeEnd struct {
	io.Reader
	io.Writer
	io.Closer
}

// Close closes the pipe, which communicate may have done.
func (p pipeEnd) Close() error {
	if err := p.Closer.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

type closedEnd struct{}

func (closedEnd) Read([]byte) (int, error)  { return 0, syscall.EBADF }
func (closedEnd) Write([]byte) (int, error) { return 0, syscall.EBADF }

// processOpen is the file object of a pipe: 0 stdin, 1 stdout, 2 stderr.
func processOpen(th *Thread, a []Value) (Value, error) {
	p := processOf(a[0]).p
	n, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	end := pipeEnd{closedEnd{}, closedEnd{}, nil}
	switch n {
	case 0:
		end.Writer, end.Closer = p.Stdin, p.Stdin
	case 1:
		end.Reader, end.Closer = p.Stdout, p.Stdout
	default:
		end.Reader, end.Closer = p.Err, p.Err
	}
	fd := int64(-1)
	if f, ok := end.Closer.(interface{ Fd() uintptr }); ok {
		fd = int64(f.Fd())
	}
	return builtin.OpenStream(th, end, fd, append([]Value{lang.Int(fd)}, a[2:]...)...)
}
