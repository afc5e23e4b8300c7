package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tfs-lang/tfs"
)

// Why a run is ended from outside.
var (
	errTerminated = errors.New("terminated")
	errTimeout    = errors.New("time limit reached")
)

// watchSignals turns the first Ctrl-C into KeyboardInterrupt, which the script
// may catch, and the second, like SIGTERM, into the end of the run. Signals that
// the script handles go to it.
func watchSignals(in *tfs.Interp, end context.CancelCauseFunc) (stop func()) {
	c := make(chan os.Signal, 4)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // writing to a closed pipe is a BrokenPipeError
	done := make(chan struct{})
	go func() {
		asked := false
		for {
			select {
			case s := <-c:
				if n, ok := s.(syscall.Signal); ok && in.Signal(int(n)) {
					continue
				}
				if s == os.Interrupt && !asked {
					asked = true
					in.Interrupt()
					continue
				}
				if s == os.Interrupt {
					end(tfs.ErrInterrupted)
				} else {
					end(errTerminated)
				}
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(c); close(done) }
}

// patience is how long a run that was ended may go on: the second of its finally
// blocks, and one for what it was doing.
const patience = 2 * time.Second

// watchEnd ends the process when a run goes on in Go code, which looks at nothing,
// although it was ended. What it printed last may be lost.
func watchEnd(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	context.AfterFunc(ctx, func() {
		select {
		case <-done:
		case <-time.After(patience):
			fmt.Fprintf(os.Stderr, "tfs: %v; the run did not stop by itself\n", context.Cause(ctx))
			os.Exit(status(context.Cause(ctx), true))
		}
	})
	return func() { close(done) }
}
