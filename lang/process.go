package lang

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// Processes starts programs for scripts.
type Processes interface {
	Start(c *Command) (*Process, error)
}

// Command is a program to start.
type Command struct {
	Path string   // of the program
	Args []string // the name it sees first
	Dir  string   // "" for the current folder
	Env  []string
	Std  [3]Redirect // stdin, stdout, stderr
}

// Redirect is where a standard stream of a program leads.
type Redirect struct {
	Kind RedirectKind
	File File // of ToFile
	Std  int  // of ToHost: which of its streams, 1 or 2; 0: the one in the same place
}

// RedirectKind says what a Redirect is.
type RedirectKind uint8

// Where a standard stream leads.
const (
	ToHost   RedirectKind = iota // the interpreter's own
	ToNull                       // nowhere
	ToPipe                       // the script
	ToFile                       // an open file
	ToStdout                     // of stderr: where stdout leads
)

// Process is a program that was started.
type Process struct {
	Child
	// Pipes to the script, nil for those that it didn't ask for.
	Stdin       io.WriteCloser
	Stdout, Err io.ReadCloser
}

// Child is a running program.
type Child interface {
	PID() int
	// Poll reports the status of a program that has ended, or minus the signal that
	// ended it. It passes on what the program printed to the host's streams.
	Poll() (status int, ended bool)
	Signal(n int) error
}

// OSProcesses starts programs of the process's machine, whose own streams are those
// of the host.
func OSProcesses(stdin io.Reader, stdout, stderr io.Writer) Processes {
	return &osProcesses{stdin, [2]io.Writer{stdout, stderr}}
}

type osProcesses struct {
	in  io.Reader
	out [2]io.Writer
}

// osChild is a program of the machine.
type osChild struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	relays []*relay
}

// relay keeps what a program prints until the script's goroutine passes it on.
type relay struct {
	mu sync.Mutex
	b  bytes.Buffer
	to io.Writer
}

func (r *relay) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *relay) pass() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = r.b.WriteTo(r.to)
}

func (o *osProcesses) Start(c *Command) (*Process, error) {
	cmd := &exec.Cmd{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: append([]string{}, c.Env...)}
	p := &Process{}
	child := &osChild{cmd: cmd, ended: make(chan struct{})}
	p.Child = child
	ends, err := o.wire(cmd, c, p, child)
	defer func() {
		for _, e := range ends { // the program's ends of the pipes
			e.Close()
		}
	}()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // Poll reads the state
		close(child.ended)
	}()
	return p, nil
}

// wire connects the streams; ends are to be closed when the program runs.
func (o *osProcesses) wire(cmd *exec.Cmd, c *Command, p *Process, child *osChild) (ends []io.Closer, err error) {
	var in *os.File
	switch s := c.Std[0]; s.Kind {
	case ToHost:
		cmd.Stdin = o.in
	case ToFile:
		cmd.Stdin = s.File
	case ToPipe:
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		in, p.Stdin = r, w
		cmd.Stdin = in
		ends = append(ends, r)
	}
	for i, to := range []*io.Writer{&cmd.Stdout, &cmd.Stderr} {
		switch s := c.Std[i+1]; s.Kind {
		case ToHost:
			if s.Std == 0 {
				s.Std = i + 1
			}
			*to = o.host(s.Std-1, child)
		case ToFile:
			*to = s.File
		case ToStdout:
			*to = cmd.Stdout
		case ToPipe:
			r, w, err := os.Pipe()
			if err != nil {
				return ends, err
			}
			*to = w
			ends = append(ends, w)
			if i == 0 {
				p.Stdout = r
			} else {
				p.Err = r
			}
		}
	}
	return ends, nil
}

// host is a stream of the host: a file itself, anything else through a relay.
func (o *osProcesses) host(i int, child *osChild) io.Writer {
	if f, ok := o.out[i].(*os.File); ok {
		return f
	}
	r := &relay{to: o.out[i]}
	child.relays = append(child.relays, r)
	return r
}

func (c *osChild) PID() int { return c.cmd.Process.Pid }

func (c *osChild) Poll() (status int, ended bool) {
	for _, r := range c.relays {
		r.pass()
	}
	select {
	case <-c.ended:
	default:
		return 0, false
	}
	for _, r := range c.relays {
		r.pass()
	}
	if w, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return -int(w.Signal()), true
	}
	return c.cmd.ProcessState.ExitCode(), true
}

func (c *osChild) Signal(n int) error {
	err := c.cmd.Process.Signal(syscall.Signal(n))
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}
