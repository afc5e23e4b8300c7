package builtin

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/tfs-lang/tfs/lang"
)

// OSError turns a Go error of the host into an OSError of the right class;
// names are the file names it is about.
func OSError(th *Thread, err error, names ...Value) error {
	if _, ok := err.(*lang.Exception); ok {
		return err
	}
	no, text := errnoOf(err)
	e := lang.NewException(osErrorClass(no), lang.Int(no), lang.NewStr(text))
	setData(e, 0, lang.Int(no))
	setData(e, 1, lang.NewStr(text))
	for i, n := range names {
		setData(e, 2+i, n)
	}
	return e
}

// Refused is the PermissionError for what the host doesn't grant.
func Refused(no syscall.Errno, text string) error {
	e := lang.NewException(lang.PermissionError, lang.Int(int64(no)), lang.NewStr(text))
	setData(e, 0, lang.Int(int64(no)))
	setData(e, 1, lang.NewStr(text))
	return e
}

// HostFiles is the file system of the host, or the error that there is none. What
// open files hold back is written out.
func HostFiles(th *Thread) (lang.Files, error) {
	if f := th.Interp.Host.Files; f != nil {
		FlushAll(th)
		return f, nil
	}
	return nil, Refused(syscall.EACCES, "no file system is granted to this script")
}

func errnoOf(err error) (int64, string) {
	var no syscall.Errno
	if errors.As(err, &no) {
		return int64(no), Strerror(no)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return int64(syscall.ENOENT), Strerror(syscall.ENOENT)
	case errors.Is(err, fs.ErrExist):
		return int64(syscall.EEXIST), Strerror(syscall.EEXIST)
	case errors.Is(err, fs.ErrPermission):
		return int64(syscall.EACCES), Strerror(syscall.EACCES)
	case errors.Is(err, fs.ErrInvalid):
		return int64(syscall.EINVAL), Strerror(syscall.EINVAL)
	}
	return int64(syscall.EIO), err.Error()
}

// Strerror is the system's text of an error number.
func Strerror(no syscall.Errno) string {
	s := no.Error()
	if s == "" || strings.HasPrefix(s, "errno ") {
		return "Unknown error " + strings.TrimPrefix(s, "errno ")
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
