package py

import (
	"crypto/rand"
	"io/fs"
	"os"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

// _os is the native core of the script module os.
var _ = define("_os", func() *lang.ModuleDef { return &lang.ModuleDef{Defs: osRows, Init: osInit} })

var statResult = func() *structSeq {
	s := newStructSeq("stat_result", "os", "st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size", "_st_atime", "_st_mtime", "_st_ctime",
		"st_atime", "st_mtime", "st_ctime", "st_atime_ns", "st_mtime_ns", "st_ctime_ns", "st_blksize", "st_blocks")
	s.shown = 10
	return s
}()

var osRows = []lang.Def{
	{Sig: "listdir(path=None)", Fn: osListdir},
	{Sig: "entries(path, /)", Fn: osEntries},
	{Sig: "mkdir(path, mode=511, *, dir_fd=None)", Fn: osPath1(func(f lang.Files, p string) error { return f.Mkdir(p, 0o777) })},
	{Sig: "rmdir(path, *, dir_fd=None)", Fn: osPath1(removeDir)},
	{Sig: "remove(path, *, dir_fd=None)", Fn: osPath1(removeFile)},
	{Sig: "rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None)", Fn: osRename},
	{Sig: "stat(path, *, dir_fd=None, follow_symlinks=True)", Fn: osStat},
	{Sig: "getcwd()", Fn: osGetcwd},
	{Sig: "chdir(path)", Fn: osPath1(func(f lang.Files, p string) error { return f.Chdir(p) })},
	{Sig: "chmod(path, mode, *, dir_fd=None, follow_symlinks=True)", Fn: osChmod},
	{Sig: "utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True)", Fn: osUtime},
	{Sig: "readlink(path, *, dir_fd=None)", Fn: osReadlink},
	{Sig: "symlink(src, dst, target_is_directory=False, *, dir_fd=None)", Fn: osSymlink},
	{Sig: "link(src, dst, *, src_dir_fd=None, dst_dir_fd=None, follow_symlinks=True)", Fn: osLink},
	{Sig: "getpid()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(os.Getpid())), nil }},
	{Sig: "getppid()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(os.Getppid())), nil }},
	{Sig: "getuid()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(os.Getuid())), nil }},
	{Sig: "cpu_count()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(runtime.NumCPU())), nil }},
	{Sig: "urandom(size, /)", Fn: osUrandom},
	{Sig: "strerror(code, /)", Fn: osStrerror},
	{Sig: "fspath(path)", Fn: osFspath},
	{Sig: "environ()", Fn: osEnviron},
	{Sig: "disk(path, /)", Fn: osDisk},
}

func osInit(th *Thread, m *lang.Module) error {
	m.Set("stat_result", statResult.class.Value())
	return nil
}

// pathAndFiles reads a path argument.
func pathAndFiles(th *Thread, v Value) (string, lang.Files, error) {
	p, err := builtin.PathArg(th, v)
	if err != nil {
		if lang.IsIntValue(v) {
			err = th.TypeErrorf("file descriptors are not supported; pass a path")
		}
		return "", nil, err
	}
	f, err := builtin.HostFiles(th)
	return p, f, err
}

func osPath1(f func(fsys lang.Files, p string) error) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		p, fsys, err := pathAndFiles(th, a[0])
		if err != nil {
			return fail(err)
		}
		if err := f(fsys, p); err != nil {
			return fail(builtin.OSError(th, err, a[0]))
		}
		return none, nil
	}
}

func removeDir(f lang.Files, p string) error {
	st, err := f.Lstat(p)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return syscall.ENOTDIR
	}
	return f.Remove(p)
}

func removeFile(f lang.Files, p string) error {
	st, err := f.Lstat(p)
	if err != nil {
		return err
	}
	if st.IsDir() {
		return syscall.EISDIR
	}
	return f.Remove(p)
}

func osRename(th *Thread, a []Value) (Value, error) {
	from, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	to, err := builtin.PathArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	if err := f.Rename(from, to); err != nil {
		return fail(builtin.OSError(th, err, a[0], a[1]))
	}
	return none, nil
}

func readDir(th *Thread, v Value) ([]fs.DirEntry, error) {
	p := "."
	var f lang.Files
	var err error
	if v.IsNone() {
		v = lang.NewStr(".")
	}
	if p, f, err = pathAndFiles(th, v); err != nil {
		return nil, err
	}
	es, err := f.ReadDir(p)
	if err != nil {
		return nil, builtin.OSError(th, err, v)
	}
	sort.Slice(es, func(i, j int) bool { return es[i].Name() < es[j].Name() })
	return es, nil
}

func osListdir(th *Thread, a []Value) (Value, error) {
	es, err := readDir(th, a[0])
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(len(es))
	for _, e := range es {
		l.Append(lang.NewStr(e.Name()))
	}
	return l.Value(), nil
}

// osEntries lists (name, is directory, is symbolic link).
func osEntries(th *Thread, a []Value) (Value, error) {
	es, err := readDir(th, a[0])
	if err != nil {
		return fail(err)
	}
	l := lang.MakeList(len(es))
	for _, e := range es {
		l.Append(lang.NewTuple(lang.NewStr(e.Name()), lang.Bool(e.IsDir()), lang.Bool(e.Type()&fs.ModeSymlink != 0)))
	}
	return l.Value(), nil
}

func osStat(th *Thread, a []Value) (Value, error) {
	p, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	follow, err := lang.Truth(th, a[2])
	if err != nil {
		return fail(err)
	}
	get := f.Stat
	if !follow {
		get = f.Lstat
	}
	st, err := get(p)
	if err != nil {
		return fail(builtin.OSError(th, err, a[0]))
	}
	return statValue(st), nil
}

func statValue(st fs.FileInfo) Value {
	mode := int64(st.Mode().Perm())
	switch {
	case st.IsDir():
		mode |= 0o040000
	case st.Mode()&fs.ModeSymlink != 0:
		mode |= 0o120000
	case st.Mode()&fs.ModeNamedPipe != 0:
		mode |= 0o010000
	case st.Mode()&fs.ModeCharDevice != 0:
		mode |= 0o020000
	default:
		mode |= 0o100000
	}
	m := statMore(st)
	mtime := st.ModTime()
	sec, ns := func(t time.Time) Value { return lang.Float(float64(t.UnixNano()) / 1e9) }, func(t time.Time) Value { return lang.Int(t.UnixNano()) }
	vs := ints(mode, m.ino, m.dev, m.nlink, m.uid, m.gid, st.Size(), m.atime.Unix(), mtime.Unix(), m.ctime.Unix())
	vs = append(vs, sec(m.atime), sec(mtime), sec(m.ctime), ns(m.atime), ns(mtime), ns(m.ctime), lang.Int(4096), lang.Int((st.Size()+511)/512))
	return statResult.of(vs...)
}

// extraStat is what fs.FileInfo doesn't say portably.
type extraStat struct {
	ino, dev, nlink, uid, gid int64
	atime, ctime              time.Time
}

func osGetcwd(th *Thread, a []Value) (Value, error) {
	f, err := builtin.HostFiles(th)
	if err != nil {
		return fail(err)
	}
	d, err := f.Getwd()
	if err != nil {
		return fail(builtin.OSError(th, err))
	}
	return lang.NewStr(d), nil
}

func unsupported(th *Thread, what string) error {
	return th.Raise(lang.NotImplementedError, "%s is not available on this file system", what)
}

func osChmod(th *Thread, a []Value) (Value, error) {
	p, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	mode, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	c, ok := f.(interface {
		Chmod(name string, mode fs.FileMode) error
	})
	if !ok {
		return fail(unsupported(th, "chmod"))
	}
	if err := c.Chmod(p, fs.FileMode(mode)); err != nil {
		return fail(builtin.OSError(th, err, a[0]))
	}
	return none, nil
}

func osUtime(th *Thread, a []Value) (Value, error) {
	p, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	c, ok := f.(interface {
		Chtimes(name string, atime, mtime time.Time) error
	})
	if !ok {
		return fail(unsupported(th, "utime"))
	}
	at, mt := now(th), now(th)
	if t, ok := lang.AsTuple(a[1]); ok && t.Len() == 2 {
		if at, err = timeAt(th, t.At(0)); err == nil {
			mt, err = timeAt(th, t.At(1))
		}
	} else if t, ok := lang.AsTuple(a[2]); ok && t.Len() == 2 {
		i, _ := lang.AsInt(t.At(0))
		j, _ := lang.AsInt(t.At(1))
		at, mt = time.Unix(0, i), time.Unix(0, j)
	}
	if err == nil {
		if err = c.Chtimes(p, at, mt); err != nil {
			err = builtin.OSError(th, err, a[0])
		}
	}
	return none, err
}

func osReadlink(th *Thread, a []Value) (Value, error) {
	p, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	c, ok := f.(interface {
		Readlink(name string) (string, error)
	})
	if !ok {
		return fail(unsupported(th, "readlink"))
	}
	s, err := c.Readlink(p)
	if err != nil {
		return fail(builtin.OSError(th, err, a[0]))
	}
	return lang.NewStr(s), nil
}

func osSymlink(th *Thread, a []Value) (Value, error) {
	from, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	to, err := builtin.PathArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	c, ok := f.(interface{ Symlink(from, to string) error })
	if !ok {
		return fail(unsupported(th, "symlink"))
	}
	if err := c.Symlink(from, to); err != nil {
		return fail(builtin.OSError(th, err, a[0], a[1]))
	}
	return none, nil
}

func osLink(th *Thread, a []Value) (Value, error) {
	from, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	to, err := builtin.PathArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	c, ok := f.(interface{ Link(from, to string) error })
	if !ok {
		return fail(unsupported(th, "link"))
	}
	if err := c.Link(from, to); err != nil {
		return fail(builtin.OSError(th, err, a[0], a[1]))
	}
	return none, nil
}

func osUrandom(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if n < 0 {
		return fail(th.ValueErrorf("negative argument not allowed"))
	}
	if err := th.CheckSize(n, 1); err != nil {
		return fail(err)
	}
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return lang.NewBytes(string(b)), nil
}

func osStrerror(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[0])
	return lang.NewStr(builtin.Strerror(syscall.Errno(n))), err
}

func osFspath(th *Thread, a []Value) (Value, error) {
	if _, ok := lang.AsStr(a[0]); ok {
		return a[0], nil
	}
	if _, ok := lang.AsBytes(a[0]); ok {
		return a[0], nil
	}
	s, err := builtin.PathArg(th, a[0])
	return lang.NewStr(s), err
}

// osEnviron is the environment granted to the script, as a dict.
func osEnviron(th *Thread, a []Value) (Value, error) {
	d := lang.NewDict()
	for _, kv := range th.Interp.Host.Environ {
		if k, v, ok := strings.Cut(kv, "="); ok {
			d.PutStr(k, lang.NewStr(v))
		}
	}
	return d.Value(), nil
}

// osDisk is (total, free, available) bytes of the disk that holds a path.
func osDisk(th *Thread, a []Value) (Value, error) {
	p, f, err := pathAndFiles(th, a[0])
	if err != nil {
		return fail(err)
	}
	if _, err := f.Stat(p); err != nil {
		return fail(builtin.OSError(th, err, a[0]))
	}
	d, ok := f.(interface {
		Disk(name string) (total, free, available int64, ok bool)
	})
	var total, free, available int64
	if ok {
		total, free, available, ok = d.Disk(p)
	}
	if !ok {
		return fail(unsupported(th, "the size of the disk"))
	}
	return lang.NewTuple(ints(total, free, available)...), nil
}
