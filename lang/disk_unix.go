//go:build linux

package lang

import "syscall"

// diskSpace asks the system for the bytes of the disk that holds a path.
func diskSpace(path string) (total, free, available int64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return 0, 0, 0, false
	}
	n := int64(s.Bsize)
	return int64(s.Blocks) * n, int64(s.Bfree) * n, int64(s.Bavail) * n, true
}
