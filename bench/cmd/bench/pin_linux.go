package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// startPinned starts a child that may use only the last CPUs: a child inherits the affinity of the thread that made it.
func startPinned(cmd *exec.Cmd, cpus int) error {
	if cpus == 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, few unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return err
	}
	for cpu := len(all) * 64; cpu >= 0 && few.Count() < cpus; cpu-- {
		if all.IsSet(cpu) {
			few.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(0, &few); err != nil {
		return err
	}
	defer func() { _ = unix.SchedSetaffinity(0, &all) }() // it was ours a moment ago
	return cmd.Start()
}

// samplePeak reads a process's peak memory from outside until it ends; the function that it returns gives it in KiB.
func samplePeak(pid int) func() int64 {
	peak := make(chan int64, 1)
	go func() {
		var highest int64
		begin := time.Now()
		for {
			kib := highWater(pid)
			if kib == 0 {
				peak <- highest
				return
			}
			highest = kib
			if time.Since(begin) < 500*time.Millisecond {
				time.Sleep(time.Millisecond)
			} else {
				time.Sleep(50 * time.Millisecond)
			}
		}
	}()
	return func() int64 { return <-peak }
}

// highWater reads VmHWM; 0 when the process is gone.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	number, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	kib, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return 0
	}
	return kib
}
