package lang

import (
	"errors"
	"unsafe"
)

// ErrPaused is what a run ends with that was paused: Thread.Resume goes on with it.
var ErrPaused = errors.New("the run is paused")

const flagPause = 2

// Pause asks the main thread to stop at the next back-edge or call at which no Go
// code waits for script code; callable from any goroutine.
func (in *Interp) Pause() { in.Main.flags.set(flagPause) }

// pause leaves the run loop with all frames as they are; pc is the instruction to
// go on with.
func (th *Thread) pause(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	ci.pc = pc
	th.paused = ci
	e := NewException(BaseException)
	e.fatal = ErrPaused
	th.err = e
	return th.root, unsafe.Pointer(&haltIns[0])
}

// Paused reports a run that waits for Resume.
func (th *Thread) Paused() bool { return th.paused != nil }

// Resume goes on with a paused run.
func (th *Thread) Resume() (Value, error) {
	ci := th.paused
	if ci == nil {
		return Unbound, errors.New("no run is paused")
	}
	if err := th.enterRun(); err != nil {
		return Unbound, err
	}
	th.paused = nil
	err := th.execute(ci, ci.pc)
	th.nested--
	if th.paused == nil {
		th.cur = th.root
	}
	r := th.ret
	th.ret = Value{}
	return r, err
}
