package py_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/stdlib/py"
)

// TestThreads holds what scripts with threads print. Locks and joins order
// everything: nothing here waits for a clock.
func TestThreads(t *testing.T) {
	rows := []struct{ name, src, want string }{
		{"counter", `
import threading
n, lock = 0, threading.Lock()
def work():
    global n
    for _ in range(2000):
        with lock:
            n += 1
ts = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
print(n, ts[0], threading.active_count())`, "8000 <Thread(Thread-1 (work), stopped 2)> 1\n"},
		{"functions in Go on the stacks of all threads that wait", `
import queue, threading
q, done = queue.Queue(), queue.Queue()
def work():
    for x in iter(q.get, None):
        done.put(x * x)
    q.put(None)
ts = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in ts]
[q.put(i) for i in range(6)]; q.put(None)
[t.join() for t in ts]
print(sorted(done.get() for _ in range(6)))
b, got = threading.Barrier(3), []
ts = [threading.Thread(target=lambda: got.extend(map(lambda _: b.wait(), "x"))) for _ in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]
print(sorted(got))`, "[0, 1, 4, 9, 16, 25]\n[0, 1, 2]\n"},
		{"a thread that never waits lets others run", `
import threading
stop, seen = [], threading.Event()
def spin():
    seen.set()
    while not stop: pass
t = threading.Thread(target=spin); t.start()
print(sorted([3, 1], key=lambda x: (seen.wait(), x)[1])); stop.append(1); t.join()`, "[1, 3]\n"},
		{"an executor", `
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
with ThreadPoolExecutor(2) as ex:
    print(list(ex.map(lambda x: x + 1, range(5))))
    fs = [ex.submit(divmod, 7, i) for i in (2, 0)]
    print(sorted(repr(f.exception()) for f in as_completed(fs)), len(wait(fs).done))
try: ex.submit(print)
except RuntimeError as e: print(e)`, "[1, 2, 3, 4, 5]\n['None', \"ZeroDivisionError('integer division or modulo by zero')\"] 2\ncannot schedule new futures after shutdown\n"},
		{"local attributes", `
import threading
x = threading.local(); x.a = 1
def f(): print(hasattr(x, "a")); x.a = 2
t = threading.Thread(target=f); t.start(); t.join(); print(x.a, vars(x))`, "False\n1 {'a': 1}\n"},
		{"a deadlock is an error", `
import threading
l = threading.Lock(); l.acquire()
try: l.acquire()
except RuntimeError as e: print(str(e).partition(":")[0])
print(l.acquire(timeout=0), l.acquire(False))
t = threading.Thread(target=l.acquire, daemon=True); t.start()
try: t.join()
except RuntimeError as e: print(str(e).partition(":")[0])`, "deadlock\nFalse False\ndeadlock\n"},
		{"exceptions", `
import threading
print([type(e) for e in [threading.BrokenBarrierError()]])
def f(): raise SystemExit
t = threading.Thread(target=f, name="quiet"); t.start(); t.join()
def hook(args): print(args.exc_type.__name__, args.exc_value, args.thread.name)
threading.excepthook = hook
t = threading.Thread(target=lambda: 1 / 0, name="T"); t.start(); t.join()
for g in (t.start, threading.current_thread().join, threading.Lock().release, threading.Condition().notify):
    try: g()
    except RuntimeError as e: print(e)`, "[<class 'threading.BrokenBarrierError'>]\nZeroDivisionError division by zero T\nthreads can only be started once\n" +
			"cannot join current thread\nrelease unlocked lock\ncannot notify on un-acquired lock\n"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := run(t, r.src); got != r.want {
				t.Errorf("got %s\nwant %s", got, r.want)
			}
		})
	}
}

// TestThreadsEnd: the end of a run reaches the main thread while it waits, and
// threads that are left end with the interpreter.
func TestThreadsEnd(t *testing.T) {
	var out bytes.Buffer
	in := lang.NewInterp(lang.Host{Stdout: &out, Stderr: &out})
	builtin.Install(in)
	in.Native, in.Source = py.Native, py.Source
	in.Grace = time.Minute
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	src := `
import threading
def f():
    try: threading.Event().wait(1000)
    finally: print("never")
t = threading.Thread(target=f, daemon=True); t.start()
try: t.join()
except BaseException: print("never")
finally: print("finally")`
	in.Main.Ctx = ctx
	err := in.Main.RunSource(in.MainModule(""), src, "<test>")
	if e := lang.AsError(err); err == nil || !e.IsFatal() {
		t.Errorf("the run ended with %v", err)
	}
	in.Main.KillStrands()
	if got := out.String(); strings.Contains(got, "never") || in.Main.Strands() != 1 {
		t.Errorf("printed %q, %d threads left", got, in.Main.Strands())
	}
}
