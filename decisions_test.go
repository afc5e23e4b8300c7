package tfs_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tfs-lang/tfs"
)

// Each test here holds one decision of the design that can't be changed later.

// run executes a script on a fresh interpreter and gives what it printed.
func run(t *testing.T, src string, opts ...tfs.Option) (string, error) {
	t.Helper()
	var out bytes.Buffer
	in := tfs.New(append([]tfs.Option{tfs.Stdout(&out), tfs.Stderr(&out)}, opts...)...)
	err := in.Exec(context.Background(), src)
	if e := in.Close(); err == nil {
		err = e
	}
	return out.String(), err
}

func mustPrint(t *testing.T, src, want string, opts ...tfs.Option) {
	t.Helper()
	got, err := run(t, src, opts...)
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// Two interpreters run the same embedded modules side by side; the race detector
// watches.
func TestInterpretersRunSideBySide(t *testing.T) {
	const src = `
import collections, math
import tensorflow as tf

@tf.function
def f(x):
    return tf.tanh(x) * 2.0

P = collections.namedtuple("P", "a b")
total = 0.0
for i in range(50):
    total += float(f(tf.constant([float(i)]))[0]) + P(i, math.sqrt(i)).b
print(round(total, 3))
`
	want, err := run(t, src)
	if err != nil {
		t.Fatal(err, want)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := run(t, src); err != nil || got != want {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
	wg.Wait()
}

// One interpreter serves one goroutine at a time and says so.
func TestBusyInterpreterSaysSo(t *testing.T) {
	in := tfs.New(tfs.Stdout(&bytes.Buffer{}))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- in.Exec(ctx, "while True: pass") }()
	for deadline := time.Now().Add(5 * time.Second); ; {
		if errors.Is(in.Set("x", 1), tfs.ErrBusy) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("never busy")
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// A context stops a script also inside a loop of a traced function.
func TestContextStopsATracedLoop(t *testing.T) {
	in := tfs.New(tfs.Stdout(&bytes.Buffer{}))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	err := in.Exec(ctx, `
import tensorflow as tf
@tf.function
def f(x):
    while tf.reduce_sum(x) < 1e30:
        x = x * 1.0
    return x
f(tf.ones([4]))
`)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ended with %v", err)
	}
	if v, err := in.Eval(context.Background(), "1 + 1"); err != nil || v != int64(2) {
		t.Errorf("afterwards: %v, %v", v, err)
	}
}

// mallocs counts the allocations of body, run n times by a script loop, beyond
// those of an empty loop.
func mallocs(t *testing.T, setup, body string, n int) float64 {
	t.Helper()
	in := tfs.New(tfs.Stdout(&bytes.Buffer{}))
	ctx := context.Background()
	src := setup + "\ndef loop(n):\n    for i in range(n):\n        " + body + "\n"
	if err := in.Exec(ctx, src); err != nil {
		t.Fatal(err)
	}
	count := func(n int) uint64 {
		var before, after runtime.MemStats
		if _, err := in.Call(ctx, "loop", n); err != nil { // warm
			t.Fatal(err)
		}
		runtime.ReadMemStats(&before)
		if _, err := in.Call(ctx, "loop", n); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	few, many := count(1), count(n)
	return (float64(many) - float64(few)) / float64(n)
}

// An eager op in a loop that overwrites its result allocates nothing.
func TestEagerAddAllocatesNothing(t *testing.T) {
	setup := "import tensorflow as tf\na = tf.ones([8])\nb = tf.ones([8])"
	if per := mallocs(t, setup, "c = a + b", 2000); per > 0.01 {
		t.Errorf("%.2f allocations an op", per)
	}
}

// A hit of a traced function allocates nothing over 1,000 calls from a script.
func TestHitAllocatesNothing(t *testing.T) {
	setup := "import tensorflow as tf\nx = tf.ones([8])\n@tf.function\ndef f(x):\n    return x + 1.0"
	if per := mallocs(t, setup, "y = f(x)", 1000); per > 0.01 {
		t.Errorf("%.2f allocations a call", per)
	}
}

// Native code that calls back is counted: deep recursion through it is a
// RecursionError, and the interpreter goes on.
func TestDeepRecursionThroughNativeCode(t *testing.T) {
	for name, src := range map[string]string{
		"sorted": "def f(x):\n    return sorted([1, 2], key=f)\n",
		"repr":   "class A:\n    def __repr__(self):\n        return repr([self])\ndef f(x):\n    return repr(A())\n",
		"eq":     "class A:\n    def __eq__(self, o):\n        return [self] == [o, A()][:1]\n    __hash__ = None\ndef f(x):\n    class B(A):\n        def __eq__(self, o):\n            return [B()] == [B()]\n    return B() == B()\n",
		"map":    "def f(x):\n    return list(map(f, [x]))\n",
		"traced": "import tensorflow as tf\n@tf.function\ndef g(n):\n    return g(n + 1)\ndef f(x):\n    try:\n        g(0)\n    except Exception as e:\n        raise RecursionError(str(e)[:20])\n",
	} {
		t.Run(name, func(t *testing.T) {
			mustPrint(t, src+"try:\n    f(1)\nexcept RecursionError:\n    print('deep')\nprint(1 + 1)\n", "deep\n2\n")
		})
	}
}

// Instances of script classes that derive from built-in types pass every fast path.
func TestSubclassesPassFastPaths(t *testing.T) {
	mustPrint(t, `
class I(int):
    def __add__(self, o): return "I+"
class S(str):
    def upper(self): return "mine"
class L(list):
    def __getitem__(self, i): return ("L", i)
    def append(self, x): super().append(x * 2)
class D(dict):
    def __missing__(self, k): return k + "?"
    def __getitem__(self, k): return dict.get(self, k, "none")
i, s, l, d = I(3), S("abc"), L([1, 2]), D(a=1)
l.append(5)
print(i + 1, i * 2, -i, i < 4, [10, 20, 30, 40][i], s + "d", s.upper(), s[1], len(s))
print(l[0], len(l), list(l), l + [9], d["a"], d["b"], len(d), sorted(d))
for x in l: print(x, end=" ")
n = 0
for k in range(I(2)): n += k
print(n, sum(l), "%d %s" % (i, s), f"{i} {s}", isinstance(i, int), type(i + 1) is str)
`, "I+ 6 -3 True 40 abcd mine b 3\n('L', 0) 3 [1, 2, 10] [1, 2, 10, 9] 1 none 1 ['a']\n1 2 10 1 13 3 abc 3 abc True True\n")
}

// A byte limit hit inside a comprehension is an exception that leaves the state usable.
func TestByteLimitInsideAComprehension(t *testing.T) {
	got, err := run(t, `
import tensorflow as tf
keep = [1, 2, 3]
try:
    big = [tf.ones([1000, 1000]) * float(i) for i in range(1000)]
except MemoryError as e:
    print("MemoryError")
print(keep, [x * 2 for x in keep], tf.reduce_sum(tf.ones([10])).numpy())
`, tfs.MaxMemory(64<<20))
	if err != nil || got != "MemoryError\n[1, 2, 3] [2, 4, 6] 10.0\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// A script error comes back with Python's class, text and traceback.
func TestErrorsCarryTheTraceback(t *testing.T) {
	_, err := run(t, "def f():\n    return {}['k']\nf()\n")
	var e *tfs.Error
	if !errors.As(err, &e) || e.Class != "KeyError" || e.Line != 2 || !strings.Contains(e.Traceback, "in f\n") {
		t.Errorf("%#v", err)
	}
}
