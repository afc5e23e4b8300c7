//go:build unix

package py

import (
	"syscall"
	"time"
)

// processTime is the processor time of the process.
func processTime(th *Thread) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return sinceStart(th)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
