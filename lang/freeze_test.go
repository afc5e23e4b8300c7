package lang_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang"
)

const longRun = `
class Log:
    def __init__(self, name): self.name = name
    def __enter__(self): print("enter", self.name); return self
    def __exit__(self, *a): print("exit", self.name)
    def __eq__(self, o): return self is o
    def __hash__(self): return hash(self.name)
class Sub(dict):
    __slots__ = ("extra",)
    @property
    def size(self): return len(self)
seen = {Log: 1, "k": [1, 2.5, None, True, 10**30, 1j, b"x", (1, (2,))], 3: {4, 5, "six"}}
def numbers(n, step=1, *, log):
    total = 0
    def add(k):
        nonlocal total
        total += k
        return total
    with log as l:
        try:
            for i in range(n):
                if i % 10007 == 0:
                    pause()
                yield add(i * step)
        finally:
            print("finally", l.name)
def outer(n):
    yield from numbers(n, log=Log("inner"))
def recurse(d, acc):
    if d:
        return recurse(d - 1, acc) + 1
    s = 0
    items = iter([10, 20, 30])
    next(items)
    text = iter("héllo")
    next(text)
    for k, v in {"a": 1, "b": 2}.items():
        for x in outer(15000):
            s = (s + x * v) % 1000003
    acc.append((s, list(items), "".join(text)))
    return s
box = Sub(a=1)
box.extra = "slot"
acc = []
try:
    with Log("main") as m:
        print(recurse(20, acc), acc, m.name, box, box.extra, box.size)
        print(sorted(map(str, seen["k"])), seen[Log], seen[3] == {"six", 5, 4})
        raise KeyError("end")
except KeyError as e:
    print("caught", e)
`

// TestPausedFramesAreMarshalled: the frames of a script paused in a loop, in a
// generator and in a with are written, read back in another interpreter, and go on.
func TestPausedFramesAreMarshalled(t *testing.T) {
	make := func(out *bytes.Buffer, pauses bool) *lang.Interp {
		in := newInterp(out)
		f := lang.NewFunc("pause()", func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			if pauses {
				in.Pause()
			}
			return lang.None, nil
		})
		n, _ := lang.AsNative(f)
		n.Mod = lang.NewStr("builtins")
		in.Builtins.Set("pause", f)
		return in
	}
	var want bytes.Buffer
	in := make(&want, false)
	if err := in.Main.RunModule([]byte(longRun), "long.tfs", in.MainModule("long.tfs")); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	in = make(&got, true)
	err := in.Main.RunModule([]byte(longRun), "long.tfs", in.MainModule("long.tfs"))
	moves := 0
	for errors.Is(err, lang.ErrPaused) {
		b, ferr := in.Main.Freeze()
		if ferr != nil {
			t.Fatal(ferr)
		}
		in = make(&got, moves < 3)
		if ferr = in.Main.Thaw(b); ferr != nil {
			t.Fatal(ferr)
		}
		moves++
		_, err = in.Main.Resume()
	}
	if err != nil {
		t.Fatal(lang.FormatUncaught(in.Main, lang.AsError(err)))
	}
	if moves < 3 {
		t.Errorf("the run moved %d times", moves)
	}
	if got.String() != want.String() {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want.String())
	}
	if !strings.Contains(want.String(), "caught 'end'") {
		t.Errorf("the script failed: %s", want.String())
	}
}
