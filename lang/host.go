package lang

import (
	"io"
	"io/fs"
	"sync/atomic"
)

// Files is the file system that scripts see. Names are as the script wrote them.
// Errors are Go's (*fs.PathError with a syscall.Errno inside); bindings turn
// them into OSError.
type Files interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Mkdir(name string, perm fs.FileMode) error
	Remove(name string) error
	Rename(from, to string) error
	Getwd() (string, error)
	Chdir(name string) error
}

// File is an open file.
type File interface {
	io.ReadWriteCloser
	io.Seeker
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
}

// atomicFlags are requests to a thread from other goroutines.
type atomicFlags struct{ bits atomic.Uint32 }

const flagInterrupt = 1

func (f *atomicFlags) set(b uint32)       { f.bits.Or(b) }
func (f *atomicFlags) has(b uint32) bool  { return f.bits.Load()&b != 0 }
func (f *atomicFlags) take(b uint32) bool { return f.bits.And(^b)&b != 0 }

// Interrupt asks the main thread to raise KeyboardInterrupt; callable from any goroutine.
func (in *Interp) Interrupt() { in.Main.flags.set(flagInterrupt) }
