package py

import (
	"time"

	"github.com/tfs-lang/tfs/lang"
)

// _signal is the native core of the script module signal.
var _ = define("_signal", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "dispatch(function, /)", Fn: signalDispatch},
		{Sig: "watch(signum, on, /)", Fn: signalWatch},
		{Sig: "send(signum, /)", Fn: signalSend},
		{Sig: "interrupt()", Fn: threadInterrupt},
		{Sig: "timer(seconds, interval, signum, /)", Fn: signalTimer},
		{Sig: "check()", Fn: func(th *Thread, a []Value) (Value, error) { return none, th.Check() }},
	}}
})

// signalDispatch sets the function that runs handlers.
func signalDispatch(th *Thread, a []Value) (Value, error) {
	f := a[0].Held().Value()
	th.Interp.OnSignal = func(th *Thread, n int) error {
		frame := none
		if c := th.Caller(); c != nil && c.Up() != nil {
			frame = lang.FrameValue(c)
		}
		_, err := th.Call(f, []Value{lang.Int(int64(n)), frame})
		return err
	}
	return none, nil
}

func signalWatch(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[0])
	if err == nil {
		th.Interp.HandleSignal(n, a[1].Truth())
	}
	return none, err
}

// signalSend gives the script a signal; False if it doesn't handle it.
func signalSend(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[0])
	return lang.Bool(th.Interp.Signal(n)), err
}

const timerKey = "signal.timer"

// alarm is a timer that sends signals.
type alarm struct {
	t     *time.Timer
	at    time.Time
	every time.Duration
}

// signalTimer sets the timer and returns what was left of the one before:
// (seconds, interval).
func signalTimer(th *Thread, a []Value) (Value, error) {
	s, err := floatOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	every, err := floatOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	n, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	left, interval := 0.0, 0.0
	if old, ok := th.Interp.Ext[timerKey].(*alarm); ok {
		if old.t.Stop() || old.every > 0 {
			left, interval = max(time.Until(old.at).Seconds(), 1e-6), old.every.Seconds()
		}
		delete(th.Interp.Ext, timerKey)
	}
	if s > 0 {
		th.Interp.Ext[timerKey] = newAlarm(th.Interp, time.Duration(s*1e9), time.Duration(every*1e9), n)
	}
	return lang.NewTuple(lang.Float(left), lang.Float(interval)), nil
}

func newAlarm(in *lang.Interp, first, every time.Duration, n int) *alarm {
	x := &alarm{at: time.Now().Add(first), every: every}
	ready := make(chan struct{})
	x.t = time.AfterFunc(first, func() {
		<-ready
		in.Signal(n)
		if every > 0 {
			x.t.Reset(every)
		}
	})
	close(ready)
	return x
}
