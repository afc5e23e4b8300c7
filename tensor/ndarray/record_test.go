package ndarray

import (
	"encoding/hex"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// quiet is a Host without a language.
type quiet struct{}

func (quiet) Binary(string, value.Value, value.Value) (value.Value, error) {
	return value.None, errors.New("no objects")
}
func (quiet) Unary(string, value.Value) (value.Value, error) {
	return value.None, errors.New("no objects")
}
func (quiet) Truth(value.Value) (bool, error)      { return false, nil }
func (quiet) Box(*Array, int) value.Value          { return value.None }
func (quiet) Store(*Array, int, value.Value) error { return nil }
func (quiet) Text(value.Value) string              { return "" }
func (quiet) Reserve(int) (bool, string)           { return true, "" }
func (quiet) Warn(string, string) error            { return nil }

func readOperand(t *testing.T, s string) Operand {
	switch {
	case s[0] == 'i' && !strings.HasPrefix(s, "int"):
		i, _ := strconv.ParseInt(s[1:], 10, 64)
		return Operand{Array: FromInt(i), Weak: WeakInt}
	case s[0] == 'f' && !strings.HasPrefix(s, "float"):
		f, _ := strconv.ParseFloat(s[1:], 64)
		return Operand{Array: FromFloat(f), Weak: WeakFloat}
	}
	if b, ok := strings.CutSuffix(s, ":T"); ok {
		return Operand{Array: readOperand(t, b).Array.T()}
	}
	if b, ok := strings.CutSuffix(s, ":R"); ok {
		v, _ := readOperand(t, b).Array.Flip([]int{0}, false)
		return Operand{Array: v}
	}
	p := strings.SplitN(s, ":", 3)
	dt, err := ParseDType(p[0])
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	var dims []int
	for _, d := range strings.Split(p[1], ",") {
		if d != "" {
			n, _ := strconv.Atoi(d)
			dims = append(dims, n)
		}
	}
	a := New(dt, dims...)
	b, _ := hex.DecodeString(p[2])
	copy(a.buf.Bytes(), b)
	return Operand{Array: a}
}

// call runs the recorded function.
func call(c *Ctx, name string, axis *int, ops []Operand) (*Array, error) {
	r := AllAxes()
	if axis != nil {
		r = Axis(*axis)
	}
	var x *Array
	if len(ops) > 0 {
		x = ops[0].Array
	}
	scan := func(f string) (*Array, error) {
		if axis != nil {
			return c.Accumulate(Func(f), x, *axis, nil, nil)
		}
		return c.Accumulate(Func(f), x.Ravel(), 0, nil, nil)
	}
	base, arg, _ := strings.Cut(name, "=")
	switch base {
	case "sum":
		return c.Reduce(Func("add"), x, r)
	case "prod":
		return c.Reduce(Func("multiply"), x, r)
	case "max":
		return c.Reduce(Func("maximum"), x, r)
	case "min":
		return c.Reduce(Func("minimum"), x, r)
	case "any":
		return c.Reduce(Func("logical_or"), x, r)
	case "all":
		return c.Reduce(Func("logical_and"), x, r)
	case "mean":
		return c.Mean(x, r)
	case "std":
		return c.Std(x, 0, r)
	case "var":
		return c.Var(x, 0, r)
	case "median":
		return c.Quantile(x, FromFloat(0.5), r)
	case "argmax", "argmin":
		f := Func("maximum")
		if base == "argmin" {
			f = Func("minimum")
		}
		ax := 0
		if axis != nil {
			ax = *axis
		}
		return c.ArgReduce(f, x, ax, axis == nil, false)
	case "cumsum":
		return scan("add")
	case "cumprod":
		return scan("multiply")
	case "sort":
		return c.Sort(x, -1)
	case "argsort":
		return c.ArgSort(x, -1)
	case "unique":
		u, err := c.Unique(x)
		if err != nil {
			return nil, err
		}
		return u.Values, nil
	case "matmul":
		return c.MatMul(x, ops[1].Array)
	case "dot":
		return c.Dot(x, ops[1].Array)
	case "astype":
		dt, _ := ParseDType(arg)
		return c.Cast(x, dt)
	case "einsum":
		var as []*Array
		for _, o := range ops {
			as = append(as, o.Array)
		}
		return c.Einsum(arg, as)
	}
	return c.Call(Func(base), ops, Options{})
}

func TestCallsAgreeWithNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := &Ctx{Host: quiet{}, Err: ErrState{Ignore, Ignore, Ignore, Ignore}}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.SplitN(line, " | ", 3)
		name := f[0]
		var axis *int
		if a, rest, ok := strings.Cut(name, " "); ok {
			n, _ := strconv.Atoi(strings.TrimPrefix(a, "axis="))
			axis, name = &n, rest
		}
		var ops []Operand
		for _, s := range strings.Fields(f[1]) {
			ops = append(ops, readOperand(t, s))
		}
		got, err := call(c, name, axis, ops)
		if want, ok := strings.CutPrefix(f[2], "!"); ok {
			class, text, _ := strings.Cut(want, " ")
			var e *Error
			if !errors.As(err, &e) || e.Text != text || e.Class != class && !strings.HasPrefix(class, "UFunc") {
				t.Errorf("line %d %s: error %v, want %s", i+1, name, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("line %d: %s: %v, want %s\n%s", i+1, name, err, f[2], f[1])
			continue
		}
		want := readOperand(t, f[2]).Array.Contiguous()
		if got.DT != want.DT || !slices.Equal(got.dims, want.dims) || !near(got.Contiguous(), want, name) {
			t.Errorf("line %d: %s of %s\ngot  %s %v %x\nwant %s %v %x", i+1, name, f[1], got.DT, got.dims, got.Bytes(), want.DT, want.dims, want.Bytes())
		}
	}
}

// near compares bits, with two units in the last place for functions that
// libraries round differently.
func near(x, y *Array, name string) bool {
	if !x.DT.IsFloat() && !x.DT.IsComplex() {
		return string(x.Bytes()) == string(y.Bytes())
	}
	k := x.DT.K.Real()
	get, n := getter(k), x.n*x.DT.Size()/k.Size()
	ulps := 2.0
	switch name {
	case "add", "cumsum", "subtract", "multiply", "divide", "sum", "floor_divide", "remainder", "maximum", "minimum", "mean", "sqrt":
		ulps = 0
	}
	if name == "cumprod" || name == "var" {
		ulps = 8
	}
	if x.DT.IsComplex() || name == "matmul" || name == "power" || name == "tan" {
		ulps = 64
	}
	for i := range n {
		a, b := get(unsafe.Add(x.at(x.off), i*k.Size())), get(unsafe.Add(y.at(y.off), i*k.Size()))
		if a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b) {
			continue
		}
		size := max(math.Abs(a), math.Abs(b))
		if x.DT.IsComplex() {
			size = max(size, math.Abs(get(unsafe.Add(y.at(y.off), (i^1)*k.Size()))))
		}
		if !(math.Abs(a-b) <= ulps*unit(k, size)) || ulps == 0 {
			return false
		}
	}
	return true
}

func unit(k tensor.DType, x float64) float64 {
	eps := map[tensor.DType]float64{tensor.Float16: 1.0 / 1024, tensor.Float32: 1.0 / (1 << 23), tensor.Float64: 1.0 / (1 << 52)}[k]
	return math.Max(x, 1e-3) * eps
}
