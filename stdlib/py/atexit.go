package py

import (
	"github.com/tfs-lang/tfs/lang"
)

var _ = define("atexit", func() *lang.ModuleDef {
	return &lang.ModuleDef{Doc: "Functions to be called when the run ends.", Defs: []lang.Def{
		{Sig: "register(func, /, *args, **kwargs)", Fn: atexitRegister},
		{Sig: "unregister(func, /)", Fn: atexitUnregister},
	}}
})

const atexitKey = "atexit"

type atexitCall struct{ fn, args, kwargs Value }

func atexitRegister(th *Thread, a []Value) (Value, error) {
	calls, _ := th.Interp.Ext[atexitKey].([]atexitCall)
	th.Interp.Ext[atexitKey] = append(calls, atexitCall{a[0].Held().Value(), a[1].Held().Value(), a[2].Held().Value()})
	return a[0], nil
}

func atexitUnregister(th *Thread, a []Value) (Value, error) {
	calls, _ := th.Interp.Ext[atexitKey].([]atexitCall)
	var kept []atexitCall
	for _, c := range calls {
		eq, err := lang.Equal(th, c.fn, a[0])
		if err != nil {
			return fail(err)
		}
		if !eq {
			kept = append(kept, c)
		}
	}
	th.Interp.Ext[atexitKey] = kept
	return none, nil
}

// AtExit waits for the threads that are not daemons, runs what scripts
// registered, the last first, and ends the threads that are left.
func AtExit(th *Thread) error {
	defer th.KillStrands()
	last := joinThreads(th)
	for {
		calls, _ := th.Interp.Ext[atexitKey].([]atexitCall)
		if len(calls) == 0 {
			return last
		}
		c := calls[len(calls)-1]
		th.Interp.Ext[atexitKey] = calls[:len(calls)-1]
		args, names := lang.SplitArgs(c.args, c.kwargs)
		if _, err := th.Call(c.fn, args, names...); err != nil {
			last = err
		}
	}
}

func joinThreads(th *Thread) error {
	if m, ok := th.Interp.Modules.GetStr("threading"); ok {
		if _, found, err := lang.AttrOr(th, m, "_shutdown"); err != nil || !found {
			return err
		}
		_, err := th.CallMethod(m, "_shutdown")
		return err
	}
	return nil
}
