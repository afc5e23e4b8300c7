package lang

import (
	"bytes"
	"strings"
	"testing"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// token is a counted kind for tests: + makes a new one, and one that is freed while
// some place still holds it is a failure.
type token struct {
	Header
	n    int64
	dead bool
}

var tokenClass = NewBuiltinClass("token", "test", value.KindTensor)

// tokens is what a test looks at: how many are alive, made in place and freed.
type tokens struct {
	t           *testing.T
	in          *Interp
	alive, made int
	reused      int
	freed       int
	script      string
	uncounted   bool // tokens are the collector's: nothing is freed or reused
	all         map[*token]bool
}

func (k *tokens) make(n int64) *token {
	o := &token{Header: Header{Type: &tokenClass.Type, Kind: value.KindTensor, Own: 1}, n: n}
	if k.uncounted {
		o.Own = 0
	}
	k.alive++
	k.made++
	k.all[o] = true
	return o
}

func (k *tokens) keep(th *Thread, p unsafe.Pointer) { (*token)(p).Own++ }

func (k *tokens) drop(th *Thread, p unsafe.Pointer) {
	o := (*token)(p)
	o.Own--
	if o.Own > 0 {
		return
	}
	k.audit(o)
	o.dead = true
	k.alive--
	k.freed++
	delete(k.all, o)
}

// audit looks for o in every place that can be reached.
func (k *tokens) audit(o *token) {
	seen := map[unsafe.Pointer]bool{}
	var walk func(v Value)
	walk = func(v Value) {
		if v.P == nil || seen[v.P] {
			return
		}
		if v.P == unsafe.Pointer(o) {
			k.t.Fatalf("token %d was freed while a place holds it\n%s", o.n, k.script)
		}
		switch v.Kind() {
		case value.KindFloat, value.KindBool, value.KindNone, value.KindUnbound, value.KindTensor, value.KindNative, value.KindStr:
			return
		}
		seen[v.P] = true
		Walk(v, walk)
	}
	k.in.WalkRoots(walk)
}

func (k *tokens) binary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, ok := tokenOf(a)
	y, ok2 := tokenOf(b)
	if !ok && !ok2 || op != OpAdd && op != OpSub && op != OpMul {
		return NotImplemented, nil
	}
	for _, v := range []Value{a, b} {
		if _, isTok := tokenOf(v); !isTok && !v.IsInt() {
			return NotImplemented, nil
		}
	}
	var m, n int64
	for i, o := range []*token{x, y} {
		if o != nil && o.dead {
			k.t.Fatalf("operand %d of an addition is dead\n%s", i, k.script)
		}
	}
	if x != nil {
		m = x.n
	} else {
		m, _ = AsInt(a)
	}
	if y != nil {
		n = y.n
	} else {
		n, _ = AsInt(b)
	}
	r := m + n
	if x != nil && dying&1 != 0 && x.Own == 1 && x != y {
		k.reused++
		x.n = r
		return a, nil
	}
	return obj(unsafe.Pointer(k.make(r))), nil
}

func tokenOf(v Value) (*token, bool) {
	if v.Kind() == value.KindTensor {
		return (*token)(v.P), true
	}
	return nil, false
}

// runTokens runs a script in which tok(n) makes a token, and audits every death.
func runTokens(t *testing.T, script string) (*tokens, string) {
	return runTokensAs(t, script, false)
}

func runTokensAs(t *testing.T, script string, uncounted bool) (*tokens, string) {
	var out bytes.Buffer
	in := newTestInterp(&out)
	k := &tokens{t: t, in: in, script: script, uncounted: uncounted, all: map[*token]bool{}}
	tokenClass.Keep, tokenClass.Drop, tokenClass.Binary = k.keep, k.drop, k.binary
	tokenClass.InPlace = nil
	in.Builtins.Set("tok", NewFunc("tok(n, /)", func(th *Thread, a []Value) (Value, error) {
		n, _ := AsInt(a[0])
		return obj(unsafe.Pointer(k.make(n))), nil
	}))
	in.Builtins.Set("num", NewFunc("num(x, /)", func(th *Thread, a []Value) (Value, error) {
		o, ok := tokenOf(a[0])
		if !ok {
			return a[0], nil
		}
		if o.dead {
			t.Fatalf("num of a dead token\n%s", script)
		}
		return Int(o.n), nil
	}))
	in.Builtins.Set("same", NewFunc("same(x, /)", func(th *Thread, a []Value) (Value, error) { return a[0], nil }))
	in.Builtins.Set("alive", NewFunc("alive()", func(th *Thread, a []Value) (Value, error) { return Int(int64(k.alive)), nil }))
	m := in.MainModule("test.tfs")
	if err := in.Main.RunSource(m, script, "test.tfs"); err != nil {
		out.WriteString(FormatUncaught(in.Main, AsError(err)))
	}
	return k, out.String()
}

// TestCountedPlaces runs small programs that move tokens through every counted
// place; want is what they print, in which alive() tells that nothing leaks.
func TestCountedPlaces(t *testing.T) {
	for i, c := range []struct{ script, want string }{
		{"def f():\n x = tok(1)\n for i in range(100):\n  x = x + 1\n return num(x), alive()\nprint(f(), alive())", "(101, 1) 0\n"},
		{"x = tok(1)\nfor i in range(100):\n x = x + 1 + 1\nprint(num(x), alive())", "201 1\n"},
		{"def add(a, b):\n return a + b\nx = tok(1)\nfor i in range(50):\n x = add(x, 1)\nprint(num(x), alive())", "51 1\n"},
		{"class A: pass\na = A()\na.h = tok(0)\nfor i in range(50):\n a.h = a.h + 1\nprint(num(a.h), alive())", "50 1\n"},
		{"def make():\n s = tok(0)\n def step():\n  nonlocal s\n  s = s + 1\n  return s\n return step\nf = make()\nfor i in range(20): y = f()\nprint(num(y), alive())", "20 1\n"},
		{"def g():\n x = tok(0)\n while True:\n  x = x + 1\n  yield x\nn = 0\nfor y in g():\n n += 1\n if n == 20: break\nprint(num(y))", "20\n"},
		{"x = tok(1)\ny = x\nx = x + 1\nprint(num(x), num(y), alive())\ndel y\nprint(alive())", "2 1 2\n1\n"},
		{"x = [tok(1), tok(2)]\ny = x[0] + x[1]\nprint(num(y), num(x[0]))", "3 1\n"},
		{"def f(a, b=None, *c, **d):\n return a + (b or 0)\nprint(num(f(tok(1), b=2)), num(f(*[tok(3)])), alive())", "3 3 1\n"},
		{"try:\n x = tok(1) + tok(2) + 'a'\nexcept TypeError:\n print('no')\nx = tok(5)\nx = same(x)\nx = same(x) + 1\nprint(num(x))", "no\n6\n"},
		{"a, b = tok(1), tok(2)\na, b = b, a\nprint(num(a), num(b))", "2 1\n"},
		{"class P:\n def __init__(s, x): s.x = x\n @property\n def dbl(s): return s.x + s.x\n def __add__(s, o): return P(s.x + o.x)\np = P(tok(1)) + P(tok(2))\nprint(num(p.dbl), num(p.x))", "6 3\n"},
		{"def f(n):\n if n == 0: return tok(0)\n return f(n - 1) + 1\nprint(num(f(50)), alive())", "50 0\n"},
	} {
		k, got := runTokens(t, c.script)
		if got != c.want {
			t.Errorf("%d: got %q, want %q\n%s", i, got, c.want, c.script)
		}
		_ = k
	}
}

// TestCountedReuse checks that chains of operations reuse the storage of what dies.
func TestCountedReuse(t *testing.T) {
	k, out := runTokens(t, "def f(x):\n return ((x + 1) * 2 - 3) + x\nx = tok(1)\nfor i in range(10):\n  x = f(x)\nprint(alive())")
	if k.made > 25 || strings.TrimSpace(out) != "1" {
		t.Errorf("made %d tokens, %d in place: %s", k.made, k.reused, out)
	}
}
