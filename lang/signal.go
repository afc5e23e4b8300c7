package lang

import "sync/atomic"

// signals are those that the script handles and those that have come.
type signals struct {
	handled, pending atomic.Uint64
}

const flagSignal = 4

// HandleSignal says that the script handles signal n from now on, or not any more.
func (in *Interp) HandleSignal(n int, on bool) {
	if on {
		in.signals.handled.Or(1 << n)
	} else {
		in.signals.handled.And(^(uint64(1) << n))
	}
}

// Signal gives the script a signal that it handles; callable from any goroutine.
// It reports false for one that it doesn't.
func (in *Interp) Signal(n int) bool {
	if n < 0 || n > 63 || in.signals.handled.Load()>>n&1 == 0 {
		return false
	}
	in.signals.pending.Or(1 << n)
	in.Main.flags.set(flagSignal)
	return true
}

// runSignals calls the script's handlers of the signals that have come.
func (th *Thread) runSignals() error {
	in := th.Interp
	came := in.signals.pending.Swap(0)
	for n := 1; came>>n != 0; n++ {
		if came>>n&1 == 0 || in.OnSignal == nil {
			continue
		}
		if err := in.OnSignal(th, n); err != nil {
			return err
		}
	}
	return nil
}
