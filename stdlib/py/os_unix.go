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

// diskSpace asks the system for the bytes of the disk that holds a path.
func diskSpace(path string) (total, free, available int64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return 0, 0, 0, false
	}
	n := int64(s.Bsize)
	return int64(s.Blocks) * n, int64(s.Bfree) * n, int64(s.Bavail) * n, true
}
