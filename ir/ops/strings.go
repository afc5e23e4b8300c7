package ops

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// eachString maps the elements of operand 0 to strings.
func eachString(f func(c *ir.Call, s []byte) []byte) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x := c.T(0)
		var b tensor.StringBuilder
		b.Grow(x.Len())
		for i := range x.Len() {
			b.AddBytes(f(c, x.Str(i)))
		}
		return setStrings(c, 0, &b, x.Shape())
	}
}

// EncodingAttrs are those of the case changing ops: "" works on ASCII only.
type EncodingAttrs struct{ Encoding string }

func utf8Of(c *ir.Call) bool {
	a, ok := c.Attrs.(*EncodingAttrs)
	return ok && a != nil && a.Encoding == "utf-8"
}

// StringLower makes letters small.
var StringLower = ir.NewOp("StringLower", "input, encoding=''", "tf.strings.lower")

// StringUpper makes letters capital.
var StringUpper = ir.NewOp("StringUpper", "input, encoding=''", "tf.strings.upper")

// StringStrip removes white space at both ends.
var StringStrip = ir.NewOp("StringStrip", "input", "tf.strings.strip")

func init() {
	StringLower.Define(ir.Rules{
		Attrs: &EncodingAttrs{}, Infer: like0, Grad: ir.NotDifferentiable,
		Alloc: eachString(func(c *ir.Call, s []byte) []byte {
			if utf8Of(c) {
				return bytes.ToLower(s)
			}
			return ascii(s, 'A', 'Z')
		}),
	})
	StringUpper.Define(ir.Rules{
		Attrs: &EncodingAttrs{}, Infer: like0, Grad: ir.NotDifferentiable,
		Alloc: eachString(func(c *ir.Call, s []byte) []byte {
			if utf8Of(c) {
				return bytes.ToUpper(s)
			}
			return ascii(s, 'a', 'z')
		}),
	})
	StringStrip.Define(ir.Rules{
		Infer: like0, Grad: ir.NotDifferentiable,
		Alloc: eachString(func(_ *ir.Call, s []byte) []byte { return bytes.Trim(s, " \t\n\v\f\r") }),
	})
}

// ascii switches the case of the letters from lo to hi.
func ascii(s []byte, lo, hi byte) []byte {
	out := bytes.Clone(s)
	for i, b := range out {
		if b >= lo && b <= hi {
			out[i] = b ^ 0x20
		}
	}
	return out
}

// UnitAttrs are those of ops that count bytes (BYTE) or characters (UTF8_CHAR).
type UnitAttrs struct{ Unit string }

func chars(c *ir.Call) bool {
	a, ok := c.Attrs.(*UnitAttrs)
	return ok && a != nil && a.Unit == "UTF8_CHAR"
}

// StringLength is the length of each string.
var StringLength = ir.NewOp("StringLength", "input, unit='BYTE'", "tf.strings.length")

func init() {
	StringLength.Define(ir.Rules{
		Attrs: &UnitAttrs{}, Infer: toType(tensor.Int32), Grad: ir.NotDifferentiable,
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, o := c.T(0), c.O(0).I32()
			for i := range o {
				if chars(c) {
					o[i] = int32(utf8.RuneCount(x.Str(i)))
				} else {
					o[i] = int32(len(x.Str(i)))
				}
			}
			return nil
		},
	})
}

// SeparatorAttrs are those of StringJoin and ReduceJoin.
type SeparatorAttrs struct {
	Separator string
	KeepDims  bool
}

// StringJoin joins the strings of its operands, which broadcast if scalar.
var StringJoin = ir.NewOp("StringJoin", "inputs, separator=''", "tf.strings.join")

func init() {
	StringJoin.Define(ir.Rules{
		Attrs: &SeparatorAttrs{}, Grad: ir.NotDifferentiable,
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			for i := 1; i < c.N(); i++ {
				t := c.Shape(i)
				switch {
				case t.Rank() == 0:
				case s.Rank() == 0:
					s = t
				case !tensor.Compatible(s, t):
					return ir.Invalid("Input shapes do not match: %s vs. %s", s.Brackets(), t.Brackets())
				}
			}
			return c.SetOut(tensor.String, s)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			sep := c.Attrs.(*SeparatorAttrs).Separator
			s := c.OutType(0).Shp
			for i := range c.N() {
				if c.Shape(i).Rank() > 0 {
					s = c.Shape(i)
				}
			}
			var b tensor.StringBuilder
			for k := range s.NumElements() {
				var parts []string
				for i := range c.N() {
					j := k
					if c.Shape(i).Rank() == 0 {
						j = 0
					}
					parts = append(parts, string(c.T(i).Str(j)))
				}
				b.Add(strings.Join(parts, sep))
			}
			return setStrings(c, 0, &b, s)
		},
	})
}

// Add joins strings: the operator + on string tensors.
var Add = ir.NewOp("Add", "x, y")

func init() {
	Add.Define(ir.Rules{
		Infer: broadcast, Grad: ir.NotDifferentiable,
		Alloc: func(c *ir.Call) *ir.Mistake {
			if c.DType(0) != tensor.String {
				return unsupported(c)
			}
			x, y, s := c.T(0), c.T(1), c.OutType(0).Shp
			ix, iy := spread(x, s.Dims()), spread(y, s.Dims())
			var b tensor.StringBuilder
			for i := range ix {
				b.Add(string(x.Str(int(ix[i]))) + string(y.Str(int(iy[i]))))
			}
			return setStrings(c, 0, &b, s)
		},
	})
}

// ReduceJoin joins strings along axes.
var ReduceJoin = ir.NewOp("ReduceJoin", "inputs, axis=None, keepdims=False, separator=''")

func init() {
	ReduceJoin.Define(ir.Rules{
		Attrs: &SeparatorAttrs{}, IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
		Infer: func(c *ir.Call) *ir.Mistake {
			keep := reduceAttrs(c.Attrs.(*SeparatorAttrs).KeepDims)
			k := *c
			k.Attrs = keep
			dt, s, m := reducedShape(&k)
			return c.SetOutOr(dt, s, m)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			axes, _ := c.IntsExact(1)
			marked := make([]bool, x.Rank())
			var perm []int
			for _, a := range axes {
				i, _ := axisOf(a, x.Rank())
				marked[i] = true
			}
			inner := 1
			for i, d := range x.Dims() {
				if !marked[i] {
					perm = append(perm, i)
				} else {
					inner *= d
				}
			}
			for _, a := range axes {
				i, _ := axisOf(a, x.Rank())
				perm = append(perm, i)
			}
			idx := make([]int64, x.Len())
			src := make([]int64, x.Len())
			kernel.Iota(src, 0, 1)
			kernel.Transpose(idx, src, x.Dims(), perm)
			var b tensor.StringBuilder
			s := c.OutType(0).Shp
			for k := range s.NumElements() {
				var parts []string
				for j := range inner {
					parts = append(parts, string(x.Str(int(idx[k*inner+j]))))
				}
				b.Add(strings.Join(parts, c.Attrs.(*SeparatorAttrs).Separator))
			}
			return setStrings(c, 0, &b, s)
		},
	})
}

// Substr cuts pieces out of strings; pos and len broadcast.
var Substr = ir.NewOp("Substr", "input, pos, len, unit='BYTE'", "tf.strings.substr")

func init() {
	Substr.Define(ir.Rules{
		Attrs: &UnitAttrs{}, Grad: ir.NotDifferentiable,
		Infer: func(c *ir.Call) *ir.Mistake {
			s, ok := tensor.Broadcast(c.Shape(0), c.Shape(1))
			if !ok {
				return incompatible(c.Shape(0), c.Shape(1))
			}
			return c.SetOut(tensor.String, s)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, s := c.T(0), c.OutType(0).Shp
			pos, _ := ir.KnownInts(c.T(1))
			n, _ := ir.KnownInts(c.T(2))
			ix, ip := spread(x, s.Dims()), spread(c.T(1), s.Dims())
			var b tensor.StringBuilder
			for i := range ix {
				str := x.Str(int(ix[i]))
				part, ok := substr(str, pos[ip[i]], n[ip[i]], chars(c))
				if !ok {
					return ir.Invalid("pos %d out of range for string b'%s' at index %d", pos[ip[i]], str, i)
				}
				b.AddBytes(part)
			}
			return setStrings(c, 0, &b, s)
		},
	})
}

func substr(s []byte, pos, n int64, runes bool) ([]byte, bool) {
	if runes {
		r := []rune(string(s))
		lo, hi, ok := cutRange(pos, n, int64(len(r)))
		return []byte(string(r[lo:hi])), ok
	}
	lo, hi, ok := cutRange(pos, n, int64(len(s)))
	return s[lo:hi], ok
}

func cutRange(pos, n, size int64) (lo, hi int64, ok bool) {
	if pos < -size || pos > size {
		return 0, 0, false
	}
	if pos < 0 {
		pos += size
	}
	return pos, max(pos, min(pos+max(n, 0), size)), true
}

// RegexAttrs are those of the ops on regular expressions (RE2).
type RegexAttrs struct {
	Pattern, Rewrite string
	Global           bool
}

// StaticRegexReplace replaces what matches; \1 names a group.
var StaticRegexReplace = ir.NewOp("StaticRegexReplace", "input, pattern, rewrite, replace_global=True")

// StaticRegexFullMatch reports strings that match as a whole.
var StaticRegexFullMatch = ir.NewOp("StaticRegexFullMatch", "input, pattern")

func init() {
	StaticRegexReplace.Define(ir.Rules{
		Attrs: &RegexAttrs{Global: true}, Infer: like0, Grad: ir.NotDifferentiable,
		Alloc: func(c *ir.Call) *ir.Mistake {
			a := c.Attrs.(*RegexAttrs)
			re, m := regexOf(a.Pattern)
			if m != nil {
				return m
			}
			to := []byte(rewriteOf(a.Rewrite))
			return eachString(func(_ *ir.Call, s []byte) []byte {
				if a.Global {
					return re.ReplaceAll(s, to)
				}
				at := re.FindSubmatchIndex(s)
				if at == nil {
					return s
				}
				out := re.Expand(bytes.Clone(s[:at[0]]), to, s, at)
				return append(out, s[at[1]:]...)
			})(c)
		},
	})
	StaticRegexFullMatch.Define(ir.Rules{
		Attrs: &RegexAttrs{}, Infer: toType(tensor.Bool), Grad: ir.NotDifferentiable,
		Kernel: func(c *ir.Call) *ir.Mistake {
			re, m := regexOf(`\A(?:` + c.Attrs.(*RegexAttrs).Pattern + `)\z`)
			if m != nil {
				return m
			}
			for i := range c.O(0).Bools() {
				c.O(0).Bools()[i] = re.Match(c.T(0).Str(i))
			}
			return nil
		},
	})
}

func regexOf(p string) (*regexp.Regexp, *ir.Mistake) {
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, ir.Invalid("Invalid pattern: %s, error: %s", p, err)
	}
	return re, nil
}

// rewriteOf turns RE2's \1 into Go's ${1}.
func rewriteOf(r string) string {
	var b strings.Builder
	for i := 0; i < len(r); i++ {
		switch {
		case r[i] == '\\' && i+1 < len(r) && r[i+1] >= '0' && r[i+1] <= '9':
			i++
			b.WriteString("${" + r[i:i+1] + "}")
		case r[i] == '\\' && i+1 < len(r):
			i++
			b.WriteByte(r[i])
		case r[i] == '$':
			b.WriteString("$$")
		default:
			b.WriteByte(r[i])
		}
	}
	return b.String()
}

// NumberAttrs are those of StringToNumber.
type NumberAttrs struct{ OutType tensor.DType }

// StringToNumber parses numbers.
var StringToNumber = ir.NewOp("StringToNumber", "input, out_type=tf.float32")

func init() {
	StringToNumber.Define(ir.Rules{
		Attrs: &NumberAttrs{OutType: tensor.Float32}, Grad: ir.NotDifferentiable,
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.Attrs.(*NumberAttrs).OutType, c.Shape(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, o := c.T(0), c.O(0)
			for i := range x.Len() {
				s := strings.TrimSpace(string(x.Str(i)))
				if !parseNumber(o, i, s) {
					return ir.Invalid("StringToNumberOp could not correctly convert string: %s", x.Str(i))
				}
			}
			return nil
		},
	})
}

func parseNumber(o *tensor.Tensor, i int, s string) bool {
	switch o.DType() {
	case tensor.Float32:
		v, err := strconv.ParseFloat(s, 32)
		o.F32()[i] = float32(v)
		return err == nil || v != 0
	case tensor.Float64:
		v, err := strconv.ParseFloat(s, 64)
		o.F64()[i] = v
		return err == nil || v != 0
	case tensor.Int32:
		v, err := strconv.ParseInt(s, 10, 32)
		o.I32()[i] = int32(v)
		return err == nil
	case tensor.Int64:
		v, err := strconv.ParseInt(s, 10, 64)
		o.I64()[i] = v
		return err == nil
	}
	return false
}

// AsStringAttrs are those of AsString.
type AsStringAttrs struct {
	Precision, Width     int
	Scientific, Shortest bool
	Fill                 string
}

// AsString writes numbers as C's printf does.
var AsString = ir.NewOp("AsString", "input, precision=-1, scientific=False, shortest=False, width=-1, fill=''", "tf.strings.as_string", "tf.as_string")

func init() {
	AsString.Define(ir.Rules{
		Attrs: &AsStringAttrs{Precision: -1, Width: -1}, Infer: toType(tensor.String), Grad: ir.NotDifferentiable,
		Alloc: func(c *ir.Call) *ir.Mistake {
			a, x := c.Attrs.(*AsStringAttrs), c.T(0)
			if a.Scientific && a.Shortest {
				return ir.Invalid("scientific and shortest are not allowed together")
			}
			var b tensor.StringBuilder
			b.Grow(x.Len())
			for i := range x.Len() {
				b.Add(pad(a, numberText(a, x, i)))
			}
			return setStrings(c, 0, &b, x.Shape())
		},
	})
}

func pad(a *AsStringAttrs, s string) string {
	n := a.Width - len(s)
	if n <= 0 {
		return s
	}
	switch a.Fill {
	case "0":
		if strings.HasPrefix(s, "-") {
			return "-" + strings.Repeat("0", n) + s[1:]
		}
		return strings.Repeat("0", n) + s
	case "-":
		return s + strings.Repeat(" ", n)
	}
	return strings.Repeat(" ", n) + s
}

func numberText(a *AsStringAttrs, x *tensor.Tensor, i int) string {
	switch {
	case x.DType() == tensor.Bool:
		return strconv.FormatBool(x.Bools()[i])
	case x.DType() == tensor.String:
		return string(x.Str(i))
	case x.DType() == tensor.Uint64:
		return strconv.FormatUint(raw[uint64](x)[i], 10)
	case x.DType().IsInteger():
		v, _ := ir.KnownInts(x)
		return strconv.FormatInt(v[i], 10)
	}
	z := complexOf(x)[i]
	if x.DType().IsComplex() {
		return "(" + floatText(a, real(z)) + "," + floatText(a, imag(z)) + ")"
	}
	return floatText(a, real(z))
}

func floatText(a *AsStringAttrs, f float64) string {
	p, verb := a.Precision, byte('f')
	if p < 0 {
		p = 6
	}
	switch {
	case a.Scientific:
		verb = 'e'
	case a.Shortest:
		verb = 'g'
	}
	switch s := strconv.FormatFloat(f, verb, p, 64); s {
	case "NaN":
		return "nan"
	case "+Inf":
		return "inf"
	case "-Inf":
		return "-inf"
	default:
		return s
	}
}

// StringSplitV2 cuts strings at a separator: indices [n, 2], values and the shape
// [rows, most parts].
var StringSplitV2 = ir.NewOp("StringSplitV2", "input, sep, maxsplit=-1")

// SplitTextAttrs are those of StringSplitV2.
type SplitTextAttrs struct{ MaxSplit int }

func init() {
	StringSplitV2.Define(ir.Rules{
		Attrs: &SplitTextAttrs{MaxSplit: -1}, Grad: ir.NotDifferentiable,
		Infer: func(c *ir.Call) *ir.Mistake {
			c.SetOut(tensor.Int64, tensor.ShapeOf(-1, 2))
			c.SetOut(tensor.String, tensor.UnknownDims(1))
			return c.SetOut(tensor.Int64, tensor.ShapeOf(2))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, sep := c.T(0), string(c.T(1).Str(0))
			var idx []int64
			var b tensor.StringBuilder
			n, most := 0, 0
			for i := range x.Len() {
				parts := splitText(string(x.Str(i)), sep, c.Attrs.(*SplitTextAttrs).MaxSplit)
				for k, p := range parts {
					idx = append(idx, int64(i), int64(k))
					b.Add(p)
				}
				n, most = n+len(parts), max(most, len(parts))
			}
			t, m := newResult(c, 0, tensor.Int64, tensor.ShapeOf(n, 2))
			if m != nil {
				return m
			}
			copy(t.I64(), idx)
			if m := setStrings(c, 1, &b, tensor.ShapeOf(n)); m != nil {
				return m
			}
			t, m = newResult(c, 2, tensor.Int64, tensor.ShapeOf(2))
			if m == nil {
				t.I64()[0], t.I64()[1] = int64(x.Len()), int64(most)
			}
			return m
		},
	})
}

// splitText splits at white space, dropping empty parts, where sep is empty.
func splitText(s, sep string, most int) []string {
	if sep != "" {
		if most < 0 {
			return strings.Split(s, sep)
		}
		return strings.SplitN(s, sep, most+1)
	}
	var parts []string
	for {
		s = strings.TrimLeft(s, " \t\n\v\f\r")
		if s == "" {
			return parts
		}
		if most >= 0 && len(parts) == most {
			return append(parts, s)
		}
		i := strings.IndexAny(s, " \t\n\v\f\r")
		if i < 0 {
			return append(parts, s)
		}
		parts, s = append(parts, s[:i]), s[i:]
	}
}
