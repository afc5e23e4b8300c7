package main

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"syscall"
)

// machineMemory is what this process may use at most: the machine's memory, or less
// where a control group or a limit of the address space says so.
func machineMemory() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	n := int64(info.Totalram) * int64(info.Unit)
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(name); err == nil {
			if m, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && m > 0 {
				n = min(n, m)
			}
		}
	}
	var space syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &space) == nil && space.Cur < math.MaxInt64 {
		n = min(n, int64(space.Cur))
	}
	return n
}
