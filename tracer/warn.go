package tracer

import (
	"fmt"

	"github.com/tfs-lang/tfs/lang"
)

// window is what the retracing warning looks at, for one code object (rule D19):
// the number of calls that each trace served, oldest first.
type window struct {
	calls  []int
	warned int
}

// The thresholds of the warning.
const (
	windowCalls  = 10
	windowTraces = 5
	maxWarnings  = 2
)

func (tr *Tracer) windowOf(fn *Function) *window {
	var key any = fn
	if f, ok := lang.AsFunc(fn.script()); ok {
		key = f.Code()
	}
	w := tr.retrace[key]
	if w == nil {
		w = &window{}
		tr.retrace[key] = w
	}
	return w
}

// script is the script function behind the Python callable.
func (fn *Function) script() lang.Value {
	if b, ok := lang.AsBound(fn.Python); ok {
		return b.Fn
	}
	return fn.Python
}

// countHit notes a call that was served by a trace.
func (tr *Tracer) countHit(fn *Function) { tr.countCall(fn, false) }

// countCall notes a call from eager code and warns when too many of the last ones
// traced.
func (tr *Tracer) countCall(fn *Function, traced bool) {
	if tr.st.Tracing() {
		return
	}
	w := fn.window
	if w == nil {
		w = tr.windowOf(fn)
		fn.window = w
	}
	if !traced {
		if n := len(w.calls); n > 0 {
			w.calls[n-1]++
		}
		return
	}
	w.calls = append(w.calls, 1)
	total := 0
	for _, c := range w.calls {
		total += c
	}
	for len(w.calls) > 1 && total-w.calls[0] > windowCalls {
		total -= w.calls[0]
		w.calls = w.calls[1:]
	}
	if len(w.calls) >= windowTraces && w.warned < maxWarnings {
		w.warned++
		tr.warnRetracing(fn, len(w.calls), total)
	}
}

func (tr *Tracer) warnRetracing(fn *Function, traces, calls int) {
	text, err := lang.Repr(tr.st.Th, fn.Python)
	if err != nil {
		text = fn.Name
	}
	tr.Log("WARNING", fmt.Sprintf("%d out of the last %d calls to %s triggered tf.function retracing. Tracing is expensive and the excessive number of tracings could be due to "+
		"(1) creating @tf.function repeatedly in a loop, (2) passing tensors with different shapes, (3) passing Python objects instead of tensors. "+
		"For (1), define the @tf.function outside of the loop. For (2), relax shapes with reduce_retracing=True. For (3), pass tensors; "+
		"`tfs explain` lists every trace with its reason.", traces, calls, text))
}

// Log writes a line as TensorFlow's logger does, if its level lets it through.
func (tr *Tracer) Log(level, text string) { tr.st.Log(level, text, 0) }
