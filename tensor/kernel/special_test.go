package kernel

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// special holds results recorded from TensorFlow 2.21 for operands at the edges.
func loadSpecial(t *testing.T) map[string][]string {
	src, err := os.ReadFile("testdata/special.json")
	if err != nil {
		t.Fatal(err)
	}
	var v map[string][]string
	if err := json.Unmarshal(src, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func parseFloats(t *testing.T, s []string) []float64 {
	out := make([]float64, len(s))
	for i, x := range s {
		f, err := strconv.ParseFloat(x, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = f
	}
	return out
}

var unaryNames = map[string]UnaryOp{
	"Neg": Neg, "Abs": Abs, "Sign": Sign, "Square": Square, "Relu": Relu, "Relu6": Relu6,
	"Reciprocal": Reciprocal, "Sqrt": Sqrt, "Rsqrt": Rsqrt, "Floor": Floor, "Ceil": Ceil, "Round": Round,
	"Exp": Exp, "Log": Log, "Tanh": Tanh, "Sigmoid": Sigmoid, "Expm1": Expm1, "Log1p": Log1p, "Sin": Sin,
	"Cos": Cos, "Tan": Tan, "Asin": Asin, "Acos": Acos, "Atan": Atan, "Sinh": Sinh, "Cosh": Cosh,
	"Asinh": Asinh, "Acosh": Acosh, "Atanh": Atanh, "Elu": Elu, "Selu": Selu, "Softplus": Softplus,
	"Softsign": Softsign, "LogSigmoid": LogSigmoid, "Erf": Erf, "Erfc": Erfc, "Erfinv": Erfinv,
	"Ndtri": Ndtri, "Lgamma": Lgamma, "Digamma": Digamma, "BesselI0e": BesselI0e, "BesselI1e": BesselI1e,
}

var binaryNames = map[string]BinaryOp{
	"Add": Add, "Sub": Sub, "Mul": Mul, "Div": Div, "Maximum": Maximum, "Minimum": Minimum,
	"SquaredDifference": SquaredDifference, "FloorDiv": FloorDiv, "FloorMod": FloorMod, "TruncDiv": TruncDiv,
	"TruncMod": TruncMod, "Pow": Pow, "Atan2": Atan2, "DivNoNan": DivNoNan, "MulNoNan": MulNoNan,
	"Xlogy": Xlogy, "Xlog1py": Xlog1py, "Xdivy": Xdivy, "Igamma": Igamma, "Igammac": Igammac, "Zeta": Zeta,
	"Polygamma": Polygamma, "NextAfter": NextAfter,
	"ReluGrad": ReluGrad, "Relu6Grad": Relu6Grad, "EluGrad": EluGrad, "SeluGrad": SeluGrad,
	"SoftplusGrad": SoftplusGrad, "SoftsignGrad": SoftsignGrad, "TanhGrad": TanhGrad,
	"SigmoidGrad": SigmoidGrad, "SqrtGrad": SqrtGrad, "RsqrtGrad": RsqrtGrad, "ReciprocalGrad": ReciprocalGrad,
}

// near allows what TensorFlow's own vector code is off by; it flushes tiny results.
func near(got, want float64, tol float64) bool {
	if got == want {
		return math.Signbit(got) == math.Signbit(want) || got == 0
	}
	if got != got || want != want {
		return got != got && want != want
	}
	return math.Abs(got-want) <= tol*math.Abs(want)+1e-37
}

// differs lists the operands where we keep the mathematical result and TensorFlow's
// vector code doesn't, or where it is inconsistent between its own paths.
var differs = map[string]bool{
	"float64 Erf(+Inf)": true, "float64 Erf(-Inf)": true, // nan in TensorFlow
	// Below the range where its polynomials are relatively accurate.
	"float32 Selu(-0.001)": true, "float32 Elu(-0.001)": true,
	"float32 Erfinv(0.001)": true, "float32 Erfinv(-0.001)": true,
}

func TestSpecialUnary(t *testing.T) {
	v := loadSpecial(t)
	x := parseFloats(t, v["inputs"])
	for name, op := range unaryNames {
		d64, d32 := make([]float64, len(x)), make([]float32, len(x))
		Unary(op, d64, x)
		x32 := make([]float32, len(x))
		Cast(x32, x)
		Unary(op, d32, x32)
		w64, w32 := parseFloats(t, v[name+" float64"]), parseFloats(t, v[name+" float32"])
		for i := range x {
			if key := fmt.Sprintf("float64 %s(%v)", name, x[i]); !near(d64[i], w64[i], 1e-12) && !differs[key] {
				t.Errorf("%s = %v, want %v", key, d64[i], w64[i])
			}
			if key := fmt.Sprintf("float32 %s(%v)", name, x[i]); !near(float64(d32[i]), w32[i], 1e-5) && !differs[key] {
				t.Errorf("%s = %v, want %v", key, d32[i], w32[i])
			}
		}
	}
}

func TestSpecialBinary(t *testing.T) {
	v := loadSpecial(t)
	in := parseFloats(t, v["inputs"])[:17]
	ys := []float64{2, -2, 3, 0, math.NaN(), math.Inf(1), math.Inf(-1), 1, 0.5, -3}
	var a, b []float64
	for _, x := range in {
		for _, y := range ys {
			a, b = append(a, x), append(b, y)
		}
	}
	for name, op := range binaryNames {
		if w := v[name+" float64"]; w != nil {
			binaryCase(t, name, op, a, b, parseFloats(t, w), 1e-12)
		}
		if w := v[name+" float32"]; w != nil {
			a32, b32 := make([]float32, len(a)), make([]float32, len(a))
			Cast(a32, a)
			Cast(b32, b)
			binaryCase(t, name, op, a32, b32, parseFloats(t, w), 1e-5)
		}
		if w := v["grid "+name]; w != nil {
			binaryCase(t, name, op, []float64{1.5, 2, 3, 5, 30, 2, 1, 3}, []float64{.3, 2, 1.5, 9, 25, .5, 4, .1}, parseFloats(t, w), 1e-11)
		}
	}
}

func binaryCase[T Float](t *testing.T, name string, op BinaryOp, a, b []T, want []float64, tol float64) {
	t.Helper()
	d := make([]T, len(a))
	if err := Binary(op, d, a, b, nil); err != nil {
		t.Fatal(err)
	}
	for i := range d {
		key := fmt.Sprintf("%s(%v, %v)", name, a[i], b[i])
		if !near(float64(d[i]), want[i], tol) && !differs[key] {
			t.Errorf("%T %s = %v, want %v", a[0], key, d[i], want[i])
		}
	}
}

func TestSpecialInt(t *testing.T) {
	v := loadSpecial(t)
	for key, want := range v {
		op, dtype, _ := strings.Cut(key, " ")
		switch dtype {
		case "int8":
			intCase[int8](t, key, binaryNames[op], want)
		case "int32":
			intCase[int32](t, key, binaryNames[op], want)
		case "int64":
			intCase[int64](t, key, binaryNames[op], want)
		case "uint8":
			intCase[uint8](t, key, binaryNames[op], want)
		}
	}
}

func intCase[T Int](t *testing.T, name string, op BinaryOp, want []string) {
	t.Helper()
	var a, b []T
	for _, x := range []int64{7, -7, 5, -5, 0, 127, -128, 1, 6} {
		for _, y := range []int64{2, -2, 3, -3, 1, -1, 5} {
			a, b = append(a, T(x)), append(b, T(y))
		}
	}
	d := make([]T, len(a))
	if err := Binary(op, d, a, b, nil); err != nil {
		t.Fatal(err)
	}
	for i := range d {
		if fmt.Sprint(d[i]) != want[i] {
			t.Errorf("%s: %v, %v = %v, want %s", name, a[i], b[i], d[i], want[i])
		}
	}
}

func TestCastSpecial(t *testing.T) {
	v := loadSpecial(t)
	in := parseFloats(t, v["cast inputs"])
	f32, h, b := make([]float32, len(in)), make([]Float16, len(in)), make([]BFloat16, len(in))
	Cast(f32, in)
	Cast(h, in)
	Cast(b, in)
	for name, src := range map[string]any{"float64": in, "float32": f32, "float16": h, "bfloat16": b} {
		for dtype, dst := range map[string]any{"int8": make([]int8, len(in)), "int16": make([]int16, len(in)),
			"int32": make([]int32, len(in)), "int64": make([]int64, len(in)), "uint8": make([]uint8, len(in)),
			"uint16": make([]uint16, len(in)), "uint32": make([]uint32, len(in)), "uint64": make([]uint64, len(in))} {
			Cast(dst, src)
			got := strings.Fields(strings.Trim(fmt.Sprint(dst), "[]"))
			for i, w := range v["cast "+name+" "+dtype] {
				if got[i] != w {
					t.Errorf("cast %s(%v) to %s = %s, want %s", name, in[i], dtype, got[i], w)
				}
			}
		}
	}
}

func TestHalfRounding(t *testing.T) {
	v := loadSpecial(t)
	in := parseFloats(t, v["half inputs"])
	f32 := make([]float32, len(in))
	Cast(f32, in)
	back := make([]float64, len(in))
	h, b := make([]Float16, len(in)), make([]BFloat16, len(in))
	check := func(name string) {
		for i, w := range parseFloats(t, v["half "+name]) {
			if back[i] != w {
				t.Errorf("%s: %v = %v, want %v", name, in[i], back[i], w)
			}
		}
	}
	Cast(h, f32)
	Cast(back, h)
	check("float16 float32")
	Cast(b, in)
	Cast(back, b)
	check("bfloat16 float32")
	NarrowDouble(h, in)
	Cast(back, h)
	check("float16 float64")
	for u := 0; u < 1<<16; u++ {
		if h := Float16(u); h.Float32() == h.Float32() && ToFloat16(h.Float32()) != h {
			t.Fatalf("half %#x doesn't survive", u)
		}
		if b := BFloat16(u); b.Float32() == b.Float32() && ToBFloat16(b.Float32()) != b {
			t.Fatalf("bfloat16 %#x doesn't survive", u)
		}
	}
}
