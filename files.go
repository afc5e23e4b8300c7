package tfs

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"syscall"

	"github.com/tfs-lang/tfs/lang"
)

// FileSystem is what scripts see of files: open, os, pathlib, imports and all that
// builds on them go through it. Names come as the script wrote them.
type FileSystem = lang.Files

// Files gives scripts a file system, nil for none at all. Without this option they
// see the process's.
func Files(f FileSystem) Option { return func(c *config) { c.files, c.ownFiles = f, true } }

// Env is the environment that scripts see, each "NAME=value". Without this option
// it is the process's.
func Env(env ...string) Option { return func(c *config) { c.env, c.ownEnv = env, true } }

// ReadOnly is fsys as a file system whose files scripts can read and not change.
// Its root is their folder /, where they begin.
func ReadOnly(fsys fs.FS) FileSystem { return &readOnly{fsys: fsys, dir: "/"} }

type readOnly struct {
	fsys fs.FS
	dir  string
}

// at is the name in fsys of a script's name.
func (r *readOnly) at(name string) string {
	if !path.IsAbs(name) {
		name = path.Join(r.dir, name)
	}
	name = path.Clean(name)[1:]
	if name == "" {
		return "."
	}
	return name
}

func refused(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: syscall.EROFS}
}

func (r *readOnly) OpenFile(name string, flag int, _ fs.FileMode) (lang.File, error) {
	if flag&(syscall.O_WRONLY|syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC) != 0 {
		return nil, refused("open", name)
	}
	f, err := r.fsys.Open(r.at(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.IsDir() {
		return &readFile{Reader: bytes.NewReader(nil), info: st}, err
	}
	b, err := io.ReadAll(f)
	return &readFile{Reader: bytes.NewReader(b), info: st}, err
}

func (r *readOnly) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(r.fsys, r.at(name)) }
func (r *readOnly) Lstat(name string) (fs.FileInfo, error)     { return r.Stat(name) }
func (r *readOnly) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.fsys, r.at(name)) }
func (r *readOnly) Mkdir(name string, _ fs.FileMode) error     { return refused("mkdir", name) }
func (r *readOnly) Remove(name string) error                   { return refused("remove", name) }
func (r *readOnly) Rename(from, _ string) error                { return refused("rename", from) }
func (r *readOnly) Getwd() (string, error)                     { return r.dir, nil }

func (r *readOnly) Chdir(name string) error {
	st, err := r.Stat(name)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return &fs.PathError{Op: "chdir", Path: name, Err: syscall.ENOTDIR}
	}
	r.dir = "/" + r.at(name)
	if r.dir == "/." {
		r.dir = "/"
	}
	return nil
}

// readFile is an open file, read as a whole when it was opened.
type readFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *readFile) Write([]byte) (int, error)  { return 0, refused("write", f.info.Name()) }
func (f *readFile) Close() error               { return nil }
func (f *readFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *readFile) Truncate(int64) error       { return refused("truncate", f.info.Name()) }
func (f *readFile) Sync() error                { return nil }
