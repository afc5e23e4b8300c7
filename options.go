package tfs

import (
	"io"
	"time"
)

// Option configures an Interp.
type Option func(*config)

type config struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	path           []string
	maxMemory      int64
	ceiling        int64
	maxSteps       int64
	grace          time.Duration
	strict         bool
	processes      bool
	files          FileSystem
	env            []string
	ownFiles       bool // files counts
	ownEnv         bool // env counts
}

// Stdin is where input() reads; without it, input() finds the end of the file.
func Stdin(r io.Reader) Option { return func(c *config) { c.stdin = r } }

// Stdout is where print writes. The Interp buffers it: see Interp.Flush.
func Stdout(w io.Writer) Option { return func(c *config) { c.stdout = w } }

// Stderr is where warnings, tf.print and logging write, unbuffered.
func Stderr(w io.Writer) Option { return func(c *config) { c.stderr = w } }

// Path adds folders in which imports are looked up.
func Path(dirs ...string) Option { return func(c *config) { c.path = append(c.path, dirs...) } }

// MaxMemory is the most bytes that tensors, strings, lists and dicts may hold;
// beyond it a script gets a MemoryError that names the lines holding the most.
// 0 means no limit.
func MaxMemory(bytes int64) Option { return func(c *config) { c.maxMemory = bytes } }

// MemoryCeiling is what the machine has for the process, which a script must not
// swallow: beyond it, it gets the MemoryError of a machine that is full. MaxMemory
// goes before it.
func MemoryCeiling(bytes int64) Option { return func(c *config) { c.ceiling = bytes } }

// MaxSteps ends a run after n calls and loop turns. 0 means no limit.
func MaxSteps(n int64) Option { return func(c *config) { c.maxSteps = n } }

// Grace is how long finally blocks may run after the end of a run was ordered;
// one second without this option.
func Grace(d time.Duration) Option { return func(c *config) { c.grace = d } }

// Strict makes a captured value that went stale an error instead of a warning.
func Strict(on bool) Option { return func(c *config) { c.strict = on } }

// AllowProcesses lets scripts start other programs.
func AllowProcesses(on bool) Option { return func(c *config) { c.processes = on } }
