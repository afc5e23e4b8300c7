package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/tfs-lang/tfs"
)

// watchSignals turns the first Ctrl-C into KeyboardInterrupt, which the script
// may catch, and the second, like SIGTERM, into the end of the run.
func watchSignals(in *tfs.Interp, end func()) (stop func()) {
	c := make(chan os.Signal, 4)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		asked := false
		for {
			select {
			case s := <-c:
				if s == os.Interrupt && !asked {
					asked = true
					in.Interrupt()
					continue
				}
				end()
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(c); close(done) }
}
