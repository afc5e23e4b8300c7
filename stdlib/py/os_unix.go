//go:build linux

package py

import (
	"io/fs"
	"syscall"
	"time"
)

func statMore(st fs.FileInfo) extraStat {
	e := extraStat{nlink: 1, atime: st.ModTime(), ctime: st.ModTime()}
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		e.ino, e.dev, e.nlink = int64(s.Ino), int64(s.Dev), int64(s.Nlink)
		e.uid, e.gid = int64(s.Uid), int64(s.Gid)
		e.atime, e.ctime = time.Unix(s.Atim.Unix()), time.Unix(s.Ctim.Unix())
	}
	return e
}
