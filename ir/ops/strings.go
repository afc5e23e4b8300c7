package ops

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// StringAttrs are those of the string ops; each reads its own.
type StringAttrs struct {
	Unit, Separator        string
	Pattern, Rewrite       string
	ReplaceGlobal          bool
	OutType                tensor.DType
	Precision, Width       int
	Scientific, Shortest   bool
	Fill, Encoding, Format string
	NumBuckets             int
	KeepDims               bool
}

// setTexts makes result i of texts.
func setTexts(c *ir.Call, i int, v []string, s tensor.Shape) *ir.Mistake {
	var b tensor.StringBuilder
	for _, x := range v {
		b.Add(x)
	}
	t, err := c.Env.Alloc.Strings(&b, s)
	if err != nil {
		return ir.Raise(err)
	}
	c.SetResult(i, t)
	return nil
}

// perString defines an op that maps each element.
func perString(op *ir.Op, f func(a *StringAttrs, s string) string) {
	op.Define(ir.Rules{
		Attrs: &StringAttrs{}, Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(tensor.String, c.Shape(0)) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			v := c.T(0).Strs()
			for i, s := range v {
				v[i] = f(stringAttrs(c), s)
			}
			return setTexts(c, 0, v, c.T(0).Shape())
		},
		Grad: ir.NotDifferentiable,
	})
}

// StringLower makes ASCII letters small, or all letters of UTF-8.
var StringLower = ir.NewOp("StringLower", "input, encoding=''")

// StringUpper makes ASCII letters big, or all letters of UTF-8.
var StringUpper = ir.NewOp("StringUpper", "input, encoding=''")

// StringStrip cuts white space off both ends.
var StringStrip = ir.NewOp("StringStrip", "input", "tf.strings.strip")

// RegexReplace replaces what a pattern matches.
var RegexReplace = ir.NewOp("StaticRegexReplace", "input, pattern, rewrite, replace_global=True")

func init() {
	perString(StringLower, func(a *StringAttrs, s string) string { return mapCase(a, s, 'A', 'Z', 'a'-'A', strings.ToLower) })
	perString(StringUpper, func(a *StringAttrs, s string) string { return mapCase(a, s, 'a', 'z', 'A'-'a', strings.ToUpper) })
	perString(StringStrip, func(_ *StringAttrs, s string) string { return strings.Trim(s, " \t\n\v\f\r") })
	perString(RegexReplace, func(a *StringAttrs, s string) string { return replaced(a, s) })
}

func mapCase(a *StringAttrs, s string, lo, hi byte, add int, all func(string) string) string {
	if strings.EqualFold(a.Encoding, "utf-8") {
		return all(s)
	}
	b := []byte(s)
	for i, x := range b {
		if x >= lo && x <= hi {
			b[i] = byte(int(x) + add)
		}
	}
	return string(b)
}

// replaced rewrites matches; \1 in the rewrite stands for a group.
func replaced(a *StringAttrs, s string) string {
	re, err := regexp.Compile(a.Pattern)
	if err != nil {
		return s
	}
	done := false
	return re.ReplaceAllStringFunc(s, func(m string) string {
		if done && !a.ReplaceGlobal {
			return m
		}
		done = true
		groups := re.FindStringSubmatch(m)
		var b strings.Builder
		for i := 0; i < len(a.Rewrite); i++ {
			if a.Rewrite[i] == '\\' && i+1 < len(a.Rewrite) {
				i++
				if k := int(a.Rewrite[i] - '0'); k >= 0 && k <= 9 {
					if k < len(groups) {
						b.WriteString(groups[k])
					}
					continue
				}
			}
			b.WriteByte(a.Rewrite[i])
		}
		return b.String()
	})
}

// badPattern is the mistake of a pattern that can't be compiled.
func badPattern(c *ir.Call) *ir.Mistake {
	if _, err := regexp.Compile(c.Attrs.(*StringAttrs).Pattern); err != nil {
		return ir.Invalid("Invalid pattern: %s, error: %v", c.Attrs.(*StringAttrs).Pattern, err)
	}
	return nil
}

// RegexFullMatch reports which elements a pattern matches from end to end.
var RegexFullMatch = ir.NewOp("StaticRegexFullMatch", "input, pattern")

func init() {
	RegexFullMatch.Define(ir.Rules{
		Attrs: &StringAttrs{}, Infer: func(c *ir.Call) *ir.Mistake {
			if m := badPattern(c); m != nil {
				return m
			}
			return c.SetOut(tensor.Bool, c.Shape(0))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			re := regexp.MustCompile("^(?:" + c.Attrs.(*StringAttrs).Pattern + ")$")
			for i, s := range c.T(0).Strs() {
				c.O(0).Bools()[i] = re.MatchString(s)
			}
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// StringLength counts bytes or characters.
var StringLength = ir.NewOp("StringLength", "input, unit='BYTE'")

func init() {
	StringLength.Define(ir.Rules{
		Attrs: &StringAttrs{Unit: "BYTE"}, Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(tensor.Int32, c.Shape(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			for i, s := range c.T(0).Strs() {
				n := len(s)
				if c.Attrs.(*StringAttrs).Unit == "UTF8_CHAR" {
					n = utf8.RuneCountInString(s)
				}
				c.O(0).I32()[i] = int32(n)
			}
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// Substr cuts pieces of given position and length out.
var Substr = ir.NewOp("Substr", "input, pos, len, unit='BYTE'")

func init() {
	Substr.Define(ir.Rules{
		Attrs: &StringAttrs{Unit: "BYTE"},
		Infer: func(c *ir.Call) *ir.Mistake {
			s, ok := tensor.Broadcast(c.Shape(0), c.Shape(1))
			if !ok {
				return ir.Invalid("pos and len must have the shape of the input, or of a scalar")
			}
			return c.SetOut(tensor.String, s)
		},
		Alloc: runSubstr, Grad: ir.NotDifferentiable,
	})
}

func runSubstr(c *ir.Call) *ir.Mistake {
	in, out := c.T(0).Strs(), c.OutType(0).Shp
	pos, _ := ir.KnownInts(c.T(1))
	size, _ := ir.KnownInts(c.T(2))
	is, ip := spread(c.T(0), out.Dims()), spread(c.T(1), out.Dims())
	v := make([]string, len(is))
	for i := range v {
		s, p, n := in[is[i]], pos[ip[i]], size[ip[i]]
		cut := []rune(nil)
		total := int64(len(s))
		if c.Attrs.(*StringAttrs).Unit == "UTF8_CHAR" {
			cut = []rune(s)
			total = int64(len(cut))
		}
		if p < -total || p > total {
			return ir.Invalid("pos %d out of range for string at index %d", p, is[i])
		}
		if p < 0 {
			p += total
		}
		end := min(p+max(n, 0), total)
		if cut != nil {
			v[i] = string(cut[p:end])
		} else {
			v[i] = s[p:end]
		}
	}
	return setTexts(c, 0, v, out)
}

// StringJoin joins the elements of several tensors one by one; scalars repeat.
var StringJoin = ir.NewOp("StringJoin", "inputs, separator=''")

func init() {
	StringJoin.Define(ir.Rules{
		Attrs: &StringAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := tensor.Scalar
			for i := range c.N() {
				if c.Shape(i).Rank() == 0 {
					continue
				}
				if s.Rank() != 0 && !tensor.Compatible(s, c.Shape(i)) {
					return ir.Invalid("Input shapes do not match: %s vs. %s", s.Brackets(), c.Shape(i).Brackets())
				}
				s = c.Shape(i)
			}
			return c.SetOut(tensor.String, s)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			s := c.OutType(0).Shp
			parts := make([][]string, c.N())
			for k := range parts {
				parts[k] = c.T(k).Strs()
			}
			v := make([]string, s.NumElements())
			for i := range v {
				row := make([]string, len(parts))
				for k, p := range parts {
					row[k] = p[min(i, len(p)-1)]
				}
				v[i] = strings.Join(row, c.Attrs.(*StringAttrs).Separator)
			}
			return setTexts(c, 0, v, s)
		},
		Grad: ir.NotDifferentiable,
	})
}

// StringAdd is Add, which AddV2 is not for strings.
var StringAdd = ir.NewOp("Add", "x, y")

func init() {
	StringAdd.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake { return broadcastTo(c.DType(0))(c) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			if c.DType(0) != tensor.String {
				return unsupported(c)
			}
			s := c.OutType(0).Shp
			x, y := c.T(0).Strs(), c.T(1).Strs()
			ix, iy := spread(c.T(0), s.Dims()), spread(c.T(1), s.Dims())
			v := make([]string, len(ix))
			for i := range v {
				v[i] = x[ix[i]] + y[iy[i]]
			}
			return setTexts(c, 0, v, s)
		},
		Grad: ir.NotDifferentiable,
	})
}

// ReduceJoin joins along dimensions.
var ReduceJoin = ir.NewOp("ReduceJoin", "inputs, reduction_indices, keep_dims=False, separator=''")

func init() {
	ReduceJoin.Define(ir.Rules{
		Attrs: &StringAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			axes, ok := c.IntsExact(1)
			s := c.Shape(0)
			if !ok || !s.RankKnown() {
				return c.SetOut(tensor.String, tensor.UnknownShape)
			}
			drop := map[int]bool{}
			for _, a := range axes {
				i, ok := axisOf(a, s.Rank())
				if !ok {
					return ir.Invalid("Invalid reduction dimension %d for input with %d dimension(s)", a, s.Rank())
				}
				drop[i] = true
			}
			var dims []int
			for i, d := range s.Dims() {
				if !drop[i] {
					dims = append(dims, d)
				} else if c.Attrs.(*StringAttrs).KeepDims {
					dims = append(dims, 1)
				}
			}
			return c.SetOut(tensor.String, tensor.ShapeOf(dims...))
		},
		Alloc: runReduceJoin, IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// runReduceJoin walks the joined dimensions in the order they are given.
func runReduceJoin(c *ir.Call) *ir.Mistake {
	axes, _ := c.IntsExact(1)
	dims := c.T(0).Dims()
	in := c.T(0).Strs()
	dense := kernel.Dense(dims)
	isJoined := make([]bool, len(dims))
	joined := []int{}
	for _, a := range axes {
		i, _ := axisOf(a, len(dims))
		isJoined[i] = true
		joined = append(joined, i)
	}
	offsets := func(axes []int) []int {
		out := []int{0}
		for _, d := range axes {
			var next []int
			for _, o := range out {
				for k := range dims[d] {
					next = append(next, o+k*dense.Stride[d])
				}
			}
			out = next
		}
		return out
	}
	var free []int
	for i := range dims {
		if !isJoined[i] {
			free = append(free, i)
		}
	}
	inner := offsets(joined)
	var v []string
	for _, base := range offsets(free) {
		row := make([]string, len(inner))
		for k, o := range inner {
			row[k] = in[base+o]
		}
		v = append(v, strings.Join(row, c.Attrs.(*StringAttrs).Separator))
	}
	return setTexts(c, 0, v, c.OutType(0).Shp)
}

// AsString writes numbers as text.
var AsString = ir.NewOp("AsString", "input, precision=-1, scientific=False, shortest=False, width=-1, fill=''")

func init() {
	AsString.Define(ir.Rules{
		Attrs: &StringAttrs{Precision: -1, Width: -1}, Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(tensor.String, c.Shape(0)) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			v := make([]string, x.Len())
			for i := range v {
				v[i] = numberText(c.Attrs.(*StringAttrs), x, i)
			}
			return setTexts(c, 0, v, x.Shape())
		},
		Grad: ir.NotDifferentiable,
	})
}

func numberText(a *StringAttrs, x *tensor.Tensor, i int) string {
	s := ""
	switch dt := x.DType(); {
	case dt == tensor.String:
		s = string(x.Str(i))
	case dt == tensor.Bool:
		s = strconv.FormatBool(x.Bools()[i])
	case dt.IsInteger():
		v, _ := ir.KnownInts(x)
		if s = strconv.FormatInt(v[i], 10); dt == tensor.Uint64 {
			s = strconv.FormatUint(uint64(v[i]), 10)
		}
	default:
		verb, prec := byte('f'), 6
		if a.Precision >= 0 {
			prec = a.Precision
		}
		switch {
		case a.Scientific:
			verb = 'e'
		case a.Shortest:
			verb = 'g'
		}
		s = cNumber(floatAt(x, i), verb, prec)
	}
	return padded(s, a.Width, a.Fill)
}

// padded fills s up to a width: with blanks or zeros on the left (after a sign), or
// with blanks on the right for "-".
func padded(s string, width int, fill string) string {
	n := width - len(s)
	switch {
	case n <= 0:
		return s
	case fill == "-":
		return s + strings.Repeat(" ", n)
	case fill == "0" && strings.HasPrefix(s, "-"):
		return "-" + strings.Repeat("0", n) + s[1:]
	case fill == "":
		fill = " "
	}
	return strings.Repeat(fill, n) + s
}

// cNumber is C's %f, %e or %g.
func cNumber(f float64, verb byte, prec int) string {
	switch {
	case f != f:
		return "nan"
	case f > 1.7976931348623157e308:
		return "inf"
	case f < -1.7976931348623157e308:
		return "-inf"
	case verb == 'g':
		return format.TFFloat(tensor.Float32, f)
	}
	return strconv.FormatFloat(f, verb, prec, 64)
}

// StringToNumber reads numbers from text.
var StringToNumber = ir.NewOp("StringToNumber", "string_tensor, out_type=tf.float32")

func init() {
	StringToNumber.Define(ir.Rules{
		Attrs: &StringAttrs{OutType: tensor.Float32}, Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.Attrs.(*StringAttrs).OutType, c.Shape(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			dt := c.O(0).DType()
			f, n := make([]float64, c.O(0).Len()), make([]int64, c.O(0).Len())
			for i, s := range c.T(0).Strs() {
				var err error
				if dt.IsInteger() {
					n[i], err = strconv.ParseInt(strings.TrimSpace(s), 10, 8*dt.Size())
				} else {
					f[i], err = strconv.ParseFloat(strings.TrimSpace(s), 8*dt.Size())
				}
				if err != nil {
					return ir.Invalid("StringToNumberOp could not correctly convert string: %s", s)
				}
			}
			if dt.IsInteger() {
				setInts(c.O(0), n)
			} else {
				kernel.Cast(elems(c.O(0)), f)
			}
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// StringSplit cuts the elements of a vector; the result is the pieces and how many
// each element has. An empty separator cuts at white space and drops empty pieces.
var StringSplit = ir.NewOp("StringPieces", "input, sep, maxsplit=-1")

func init() {
	StringSplit.Define(ir.Rules{
		Attrs: &StringAttrs{Width: -1},
		Infer: func(c *ir.Call) *ir.Mistake {
			c.SetOut(tensor.String, tensor.UnknownDims(1))
			return c.SetOut(tensor.Int64, tensor.ShapeOf(c.Shape(0).NumElements()))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			sep, limit := c.Attrs.(*StringAttrs).Separator, c.Attrs.(*StringAttrs).Width
			var v []string
			var n []int64
			for _, s := range c.T(0).Strs() {
				p := pieces(s, sep, limit)
				v, n = append(v, p...), append(n, int64(len(p)))
			}
			if m := setTexts(c, 0, v, tensor.ShapeOf(len(v))); m != nil {
				return m
			}
			c.SetResult(1, tensor.From(n, len(n)))
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

func pieces(s, sep string, limit int) []string {
	if sep != "" {
		if limit >= 0 {
			return strings.SplitN(s, sep, limit+1)
		}
		return strings.Split(s, sep)
	}
	if limit < 0 {
		return strings.Fields(s)
	}
	var out []string
	for s = strings.TrimLeft(s, " \t\n\v\f\r"); s != ""; s = strings.TrimLeft(s, " \t\n\v\f\r") {
		at := strings.IndexAny(s, " \t\n\v\f\r")
		if at < 0 || len(out) == limit {
			return append(out, s)
		}
		out, s = append(out, s[:at]), s[at:]
	}
	return out
}

// stringAttrs are a call's attributes, the zero ones if it has none.
func stringAttrs(c *ir.Call) *StringAttrs {
	if a, ok := c.Attrs.(*StringAttrs); ok && a != nil {
		return a
	}
	return &StringAttrs{}
}
