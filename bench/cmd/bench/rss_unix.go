//go:build unix

package main

import (
	"os"
	"syscall"
)

// maxRSS is the peak memory of an ended child in the system's unit (KiB, on macOS bytes).
func maxRSS(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss)
	}
	return 0
}

// ownMaxRSS is the same of this process.
func ownMaxRSS() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return int64(usage.Maxrss)
}
