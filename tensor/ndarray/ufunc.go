package ndarray

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// UFunc is a universal function: an op on elements, with broadcasting.
type UFunc struct {
	Name string
	NIn  int
	// kinds lists the letters of the types that have loops, of ?biufcO.
	kinds string
	// floats: integers go to floats of their width.
	floats bool
	// identity starts a reduction; nil: the first element does.
	identity *float64
	// pole tells a division by zero from an overflow in a row with infinities.
	pole func(x, y, r float64) bool
	test bool // can't produce odd values: no look at the results
}

func num(x float64) *float64 { return &x }

func poleDivide(x, y, _ float64) bool { return y == 0 && x != 0 }
func poleZero(x, _, _ float64) bool   { return x == 0 }
func poleAlways(_, _, _ float64) bool { return true }

// ufuncs is the table of functions, in NumPy's names.
var ufuncs = func() map[string]*UFunc {
	m := map[string]*UFunc{}
	add := func(nin int, kinds string, f UFunc, names string) {
		for _, n := range strings.Fields(names) {
			g := f
			g.Name, g.NIn, g.kinds = n, nin, kinds
			m[n] = &g
		}
	}
	add(2, "?biufcOU", UFunc{identity: num(0)}, "add")
	add(2, "biufcO", UFunc{}, "subtract")
	add(2, "?biufcO", UFunc{identity: num(1)}, "multiply")
	add(2, "fcO", UFunc{floats: true, pole: poleDivide}, "divide")
	add(2, "biufO", UFunc{pole: poleDivide}, "floor_divide remainder")
	add(2, "biuf", UFunc{}, "fmod")
	add(2, "biufcO", UFunc{pole: poleZero}, "power")
	add(2, "dcO", UFunc{floats: true, pole: poleZero}, "float_power")
	add(2, "?biufcO", UFunc{test: true}, "maximum minimum fmax fmin")
	add(2, "?biufcOU", UFunc{test: true}, "equal not_equal less less_equal greater greater_equal")
	add(2, "?biufcO", UFunc{test: true, identity: num(1)}, "logical_and")
	add(2, "?biufcO", UFunc{test: true, identity: num(0)}, "logical_or logical_xor")
	add(2, "?biuO", UFunc{identity: num(-1)}, "bitwise_and")
	add(2, "?biuO", UFunc{identity: num(0)}, "bitwise_or bitwise_xor")
	add(2, "biuO", UFunc{}, "left_shift right_shift gcd lcm")
	add(2, "f", UFunc{floats: true}, "arctan2 hypot copysign nextafter logaddexp logaddexp2 heaviside")
	m["hypot"].identity = num(0)
	m["logaddexp"].identity = num(math.Inf(-1))
	add(1, "fcO", UFunc{floats: true}, "exp exp2 expm1 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh sqrt rint")
	add(1, "fcO", UFunc{floats: true, pole: poleAlways}, "log log2 log10 log1p arctanh")
	add(1, "fO", UFunc{floats: true}, "cbrt deg2rad rad2deg radians degrees fabs spacing")
	add(1, "biufcO", UFunc{}, "negative positive")
	add(1, "biufcO", UFunc{}, "sign square conjugate")
	add(1, "biufcO", UFunc{pole: poleZero}, "reciprocal")
	add(1, "?biufcO", UFunc{}, "absolute")
	add(1, "?biufO", UFunc{test: true}, "floor ceil trunc")
	add(1, "?biufc", UFunc{test: true}, "isnan isinf isfinite")
	add(1, "f", UFunc{test: true, floats: true}, "signbit")
	add(1, "?biuO", UFunc{}, "invert")
	add(1, "?biufcO", UFunc{test: true}, "logical_not")
	add(1, "biu", UFunc{}, "bitwise_count")
	return m
}()

var ufuncAliases = map[string]string{"true_divide": "divide", "mod": "remainder", "abs": "absolute", "conj": "conjugate",
	"bitwise_not": "invert", "bitwise_invert": "invert", "pow": "power", "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2",
	"acosh": "arccosh", "asinh": "arcsinh", "atanh": "arctanh", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift"}

// Func finds a ufunc by name, nil if there is none.
func Func(name string) *UFunc {
	if a, ok := ufuncAliases[name]; ok {
		name = a
	}
	return ufuncs[name]
}

// FuncNames lists the names of all ufuncs, aliases included.
func FuncNames() []string {
	var out []string
	for n := range ufuncs {
		out = append(out, n)
	}
	for n := range ufuncAliases {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// Weak says that an operand is a Python number, which adopts the others' type.
type Weak uint8

// The Python numbers, in NumPy's order.
const (
	Strong Weak = iota
	WeakInt
	WeakFloat
	WeakComplex
)

// Operand is an argument of a ufunc. A weak one is an array of rank 0 of int64,
// float64 or complex128, or of objects for an int beyond int64.
type Operand struct {
	*Array
	Weak Weak
	Big  *big.Int // the value of a WeakInt beyond int64
}

// Strongly wraps arrays as operands that keep their types.
func Strongly(as ...*Array) []Operand {
	ops := make([]Operand, len(as))
	for i, a := range as {
		ops[i].Array = a
	}
	return ops
}

// Options are a ufunc call's keyword arguments.
type Options struct {
	Out     *Array
	Where   *Array
	DType   *DType
	Casting string // "" is same_kind
	// Scalar: the operands are scalars, which the warnings' texts say.
	Scalar bool
}

// ResultType is np.result_type of operands: what they are cast to.
func ResultType(ops ...Operand) (DType, error) {
	var t DType
	strong, weak := false, Strong
	var err error
	for _, o := range ops {
		if o.Weak != Strong {
			weak = max(weak, o.Weak)
			continue
		}
		if !strong {
			t, strong = o.DT, true
		} else if t, err = Promote(t, o.DT); err != nil {
			return t, err
		}
	}
	if weak == Strong {
		return t, nil
	}
	return weakWith(t, strong, weak, ops), nil
}

// weakWith is the type of strong operands of type t beside a Python number.
func weakWith(t DType, strong bool, weak Weak, ops []Operand) DType {
	if strong && !t.IsNumber() {
		return mustPromote(t, [...]DType{WeakInt: Int64, WeakFloat: Float64, WeakComplex: Complex128}[weak])
	}
	switch weak {
	case WeakInt:
		if strong && t != Bool {
			return t
		}
		return intDefault(ops)
	case WeakFloat:
		if strong && (t.IsFloat() || t.IsComplex()) {
			return t
		}
		return Float64
	}
	switch {
	case strong && t.IsComplex():
		return t
	case strong && t.IsFloat() && t.Size() < 8:
		return Complex64
	}
	return Complex128
}

func mustPromote(a, b DType) DType {
	t, err := Promote(a, b)
	if err != nil {
		return Objects
	}
	return t
}

// intDefault is the type of Python ints among themselves.
func intDefault(ops []Operand) DType {
	for _, o := range ops {
		if o.Big != nil {
			if o.Big.IsUint64() {
				return Uint64
			}
			return Objects
		}
	}
	return Int64
}

// Call applies f. The result has rank 0 for scalars; the caller unwraps it.
func (c *Ctx) Call(f *UFunc, ops []Operand, opt Options) (*Array, error) {
	in, out, err := c.resolve(f, ops, opt.DType)
	if err != nil {
		return nil, err
	}
	if f.Name == "power" && in.IsInt() {
		if err := checkPower(ops[0], ops[1]); err != nil {
			return nil, err
		}
	}
	casting := opt.Casting
	if casting == "" {
		casting = "same_kind"
	}
	if opt.Out != nil && !CanCast(out, opt.Out.DT, casting) {
		return nil, fail("UFuncTypeError", "Cannot cast ufunc '%s' output from %s to %s with casting rule '%s'", f.Name, typeRepr(out), typeRepr(opt.Out.DT), casting)
	}
	var xs [3]*Array
	var shapes [4][]int
	n := f.NIn
	for i := range n {
		if xs[i], err = c.operandAs(f, ops[i], in); err != nil {
			return nil, err
		}
		shapes[i] = xs[i].dims
	}
	if opt.Where != nil {
		shapes[n] = opt.Where.dims
		n++
	}
	if opt.Out != nil {
		if _, err := BroadcastShapes(append(shapes[:n:n], opt.Out.dims)...); err != nil {
			return nil, err
		}
	}
	shape := shapes[0]
	if n > 1 {
		if shape, err = BroadcastShapes(shapes[:n]...); err != nil {
			return nil, err
		}
	}
	return c.apply(f, xs[:f.NIn], in, out, shape, opt)
}

func typeRepr(d DType) string { return "dtype('" + d.String() + "')" }

// apply runs f's loop over operands that have the loop's type.
func (c *Ctx) apply(f *UFunc, xs []*Array, in, out DType, shape []int, opt Options) (*Array, error) {
	res := opt.Out
	if res != nil {
		if res.ReadOnly {
			return nil, valueError("output array is read-only")
		}
		if !slices.Equal(shape, res.dims) {
			if s, err := BroadcastShapes(shape, res.dims); err != nil || !slices.Equal(s, res.dims) {
				return nil, valueError("non-broadcastable output operand with shape %s doesn't match the broadcast shape %s", tupleText(res.dims), tupleText(shape))
			}
			shape = res.dims
		}
	}
	tmp := res
	if err := c.Room(out, shape); err != nil {
		return nil, err
	}
	if res == nil || res.DT != out || opt.Where != nil || overlaps(res, xs) {
		tmp = newLike(out, shape, xs)
	}
	if err := c.run(f, tmp, xs, in, shape, opt.Scalar); err != nil {
		return nil, err
	}
	switch {
	case res == nil:
		return tmp, nil
	case opt.Where != nil:
		return res, c.PutMask(res, opt.Where, tmp)
	case tmp != res:
		return res, c.CopyTo(res, tmp)
	}
	return res, nil
}

// newLike returns an array whose axes lie in memory as those of the first operand
// of that shape do, NumPy's order K.
func newLike(dt DType, shape []int, xs []*Array) *Array {
	for _, x := range xs {
		if len(x.dims) < 2 || x.dense() || !slices.Equal(x.dims, shape) {
			continue
		}
		perm := byStride(x)
		dims, back := make([]int, len(perm)), make([]int, len(perm))
		for i, ax := range perm {
			dims[i], back[ax] = shape[ax], i
		}
		v := New(dt, dims...).permuted(back)
		v.base = nil
		return v
	}
	return New(dt, shape...)
}

func overlaps(res *Array, xs []*Array) bool {
	for _, x := range xs {
		if res.SharesMemory(x) {
			return true
		}
	}
	return false
}

// run fills dst.
func (c *Ctx) run(f *UFunc, dst *Array, xs []*Array, in DType, shape []int, scalar bool) error {
	if in.K >= Object {
		return c.runOther(f, dst, xs, shape)
	}
	l := f.loopFor(in.K)
	if l == nil {
		return f.noLoop(in)
	}
	var ops [3]operand
	ops[0] = dst.target()
	for i, x := range xs {
		ops[i+1] = x.operand()
	}
	var p plan
	p.init(shape, ops[:len(xs)+1]...)
	if p.n <= exactElements {
		if e := f.exactLoop(in.K); e != nil {
			l = e
		}
	}
	flags := p.run(l)
	if !f.test && (dst.DT.IsFloat() || dst.DT.IsComplex()) {
		flags |= c.lookForMishaps(f, &p, dst.DT.K, in.K)
	}
	if flags == 0 {
		return nil
	}
	name := f.Name
	if scalar && strings.Contains(scalarWords, " "+name+" ") {
		name = "scalar " + name
	}
	return c.report(flags, name)
}

// scalarWords are the functions whose operators on NumPy scalars name themselves so.
const scalarWords = " add subtract multiply divide floor_divide remainder power negative absolute "

// lookForMishaps walks the results again, only closely where they are odd.
func (c *Ctx) lookForMishaps(f *UFunc, p *plan, out, in tensor.DType) (flags Flags) {
	p.run(func(a *args) {
		if !oddRow(out, a.p[0], a.n, a.s[0]) {
			return
		}
		if out == in {
			flags |= mishaps(a, out, f.NIn, f.pole)
		}
	})
	return flags
}

func (f *UFunc) loopFor(k tensor.DType) loop {
	switch {
	case k == tensor.Bool:
		return boolLoop(f.Name)
	case k.IsComplex():
		return complexLoop(f.Name, k, f.NIn)
	}
	return realLoop(f.Name, k, f.NIn)
}

func (f *UFunc) noLoop(in DType) error {
	if in == Bool && f.Name == "subtract" {
		return typeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
	}
	if in == Bool && f.Name == "negative" {
		return typeError("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.")
	}
	return f.notSupported()
}

func (f *UFunc) notSupported() error {
	return typeError("ufunc '%s' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''", f.Name)
}

// resolve chooses the type that operands are cast to and that of the result.
func (c *Ctx) resolve(f *UFunc, ops []Operand, asked *DType) (in, out DType, err error) {
	t, err := ResultType(ops...)
	if err != nil {
		return t, t, err
	}
	if asked != nil {
		t = *asked
	}
	if len(ops) > 0 && f.test && (f.isCompare() || strings.HasPrefix(f.Name, "logical")) {
		t = compareType(t, ops)
	}
	in, err = f.loopType(t, ops)
	return in, f.resultOf(in), err
}

func (f *UFunc) isCompare() bool {
	switch f.Name {
	case "equal", "not_equal", "less", "less_equal", "greater", "greater_equal":
		return true
	}
	return false
}

// compareType widens where a Python int doesn't fit the other operand's type, as
// comparisons never overflow.
func compareType(t DType, ops []Operand) DType {
	for _, o := range ops {
		if o.Weak != WeakInt || !t.IsInt() {
			continue
		}
		if o.Big != nil {
			return Float64
		}
		if i := o.int(); !fits(t.K, i) {
			return mustPromote(t, Int64)
		}
	}
	return t
}

func (o Operand) int() int64 { return *(*int64)(o.at(o.off)) }

func fits(k tensor.DType, i int64) bool {
	lo, hi := k.IntRange()
	return i >= lo && (i < 0 || uint64(i) <= hi)
}

// loopType is the first type with a loop that t casts to safely.
func (f *UFunc) loopType(t DType, ops []Operand) (DType, error) {
	has := func(k byte) bool { return strings.IndexByte(f.kinds, k) >= 0 }
	switch {
	case t.K == Object:
		if has('O') {
			return t, nil
		}
	case t.IsText():
		if has('U') && allText(ops) {
			return t, nil
		}
		if f.isCompare() || f.Name == "add" {
			return t, f.noSignature(ops)
		}
	case f.floats && !t.IsFloat() && !t.IsComplex():
		return f.floatForAll(t, ops), nil
	case f.floats && t.IsComplex() && !has('c'):
	case f.Name == "float_power" && !t.IsComplex():
		return Float64, nil
	case t == Bool && has('?'), t.IsInt() && has('i'), t.IsFloat() && has('f'), t.IsComplex() && has('c'):
		return t, nil
	case t == Bool && (f.Name == "subtract" || f.Name == "negative"):
		return t, f.noLoop(t)
	case t == Bool && has('b') && f.Name != "positive" && f.Name != "sign":
		return Int8, nil
	}
	return t, f.refuse(t, ops)
}

// refuse words the error: functions without any float loop name the types.
func (f *UFunc) refuse(t DType, ops []Operand) error {
	if f.Name != "gcd" && f.Name != "lcm" && !(t == Bool && (f.Name == "positive" || f.Name == "sign")) {
		return f.notSupported()
	}
	var names []string
	for _, o := range ops {
		names = append(names, "<class 'numpy.dtypes."+className(o)+"DType'>")
	}
	list := names[0]
	if len(names) > 1 {
		list = "(" + strings.Join(names, ", ") + ")"
	}
	return fail("UFuncTypeError", "ufunc '%s' did not contain a loop with signature matching types %s -> None", f.Name, list)
}

// className is how NumPy's dtype classes call an operand's type.
func className(o Operand) string {
	switch o.Weak {
	case WeakInt:
		return "_PyLong"
	case WeakFloat:
		return "_PyFloat"
	case WeakComplex:
		return "_PyComplex"
	}
	n := o.DT.Name()
	switch o.DT.K {
	case Str:
		return "Str"
	case Bytes:
		return "Bytes"
	}
	if strings.HasPrefix(n, "uint") {
		return "UInt" + n[4:]
	}
	return strings.ToUpper(n[:1]) + n[1:]
}

func allText(ops []Operand) bool {
	for _, o := range ops {
		if !o.DT.IsText() {
			return false
		}
	}
	return true
}

func (f *UFunc) noSignature(ops []Operand) error {
	var ts []string
	for _, o := range ops {
		if f.isCompare() {
			ts = append(ts, "<class 'numpy.dtypes."+className(o)+"DType'>")
			continue
		}
		ts = append(ts, typeRepr(o.DT))
	}
	return fail("UFuncTypeError", "ufunc '%s' did not contain a loop with signature matching types (%s) -> None", f.Name, strings.Join(ts, ", "))
}

// floatForAll is the smallest float type that each operand fits by itself.
func (f *UFunc) floatForAll(t DType, ops []Operand) DType {
	if len(ops) < 2 {
		return f.floatFor(t)
	}
	var out DType
	for i, o := range ops {
		d := o.DT
		if o.Weak != Strong {
			d = t
		}
		if d = f.floatFor(d); i == 0 || d.Size() > out.Size() {
			out = d
		}
	}
	return out
}

// floatFor is the float type for integers in functions that have only float loops.
func (f *UFunc) floatFor(t DType) DType {
	if f.Name == "divide" || f.Name == "float_power" {
		return Float64
	}
	switch {
	case t == Bool || t.Size() == 1:
		return Float16
	case t.Size() == 2:
		return Float32
	}
	return Float64
}

// resultOf is the type of results from operands of type in.
func (f *UFunc) resultOf(in DType) DType {
	switch f.Name {
	case "isnan", "isinf", "isfinite", "signbit", "logical_not":
		return Bool
	case "logical_and", "logical_or", "logical_xor":
		if in.K == Object {
			return in
		}
		return Bool
	case "bitwise_count":
		return Uint8
	case "absolute":
		if in.IsComplex() {
			return DType{K: in.K.Real()}
		}
	}
	if f.isCompare() {
		return Bool
	}
	return in
}

// operandAs casts an operand to the loop's type; a Python int must fit.
func (c *Ctx) operandAs(f *UFunc, o Operand, in DType) (*Array, error) {
	if o.Weak == WeakInt && in.IsInt() {
		if o.Big != nil && !(in.K == tensor.Uint64 && o.Big.IsUint64()) {
			return nil, outOfBounds(o.Big.String(), in)
		}
		if o.Big == nil {
			if i := o.int(); !fits(in.K, i) {
				return nil, outOfBounds(big.NewInt(i).String(), in)
			}
		}
	}
	if o.Big != nil && in.IsNumber() {
		return bigAs(o.Big, in), nil
	}
	if in.IsText() {
		return o.Array, nil
	}
	return c.Cast(o.Array, in)
}

func bigAs(b *big.Int, in DType) *Array {
	a := New(in)
	if in.K == tensor.Uint64 {
		slice[uint64](a)[0] = b.Uint64()
		return a
	}
	x, _ := new(big.Float).SetInt(b).Float64()
	putter(in.K)(a.at(0), x)
	return a
}

func outOfBounds(text string, in DType) error {
	if in == Int64 {
		return fail("OverflowError", "Python int too large to convert to C long")
	}
	return fail("OverflowError", "Python integer %s out of bounds for %s", text, in.Name())
}

// checkPower refuses negative integer exponents.
func checkPower(x, n Operand) error {
	t, err := ResultType(x, n)
	if err != nil || !t.IsInt() || !n.DT.IsInt() || !n.DT.K.IsSigned() {
		return err
	}
	get, bad := intGetter(n.DT.K), false
	n.each(func(pos int) { bad = bad || get(n.at(pos)) < 0 })
	if bad {
		return valueError("Integers to negative integer powers are not allowed.")
	}
	return nil
}

// runOther applies f to objects and text, element by element.
func (c *Ctx) runOther(f *UFunc, dst *Array, xs []*Array, shape []int) error {
	pos := make([][]int, len(xs))
	for i, x := range xs {
		broadcastView(x, shape).each(func(p int) { pos[i] = append(pos[i], p) })
	}
	k, err := 0, error(nil)
	if dst.DT.IsText() {
		return c.addText(dst, xs, pos)
	}
	dst.each(func(p int) {
		if err == nil {
			err = c.other(f, dst, p, xs, pos, k)
		}
		k++
	})
	return err
}

func (c *Ctx) other(f *UFunc, dst *Array, p int, xs []*Array, pos [][]int, k int) error {
	if xs[0].DT.IsText() {
		*(*bool)(dst.at(p)) = compareText(f.Name, xs[0].text(pos[0][k]), xs[1].text(pos[1][k]))
		return nil
	}
	x := xs[0].objs.vals[pos[0][k]/8].Value()
	var r value.Value
	var err error
	if len(xs) == 1 {
		r, err = c.Unary(f.Name, x)
	} else {
		r, err = c.Binary(f.Name, x, xs[1].objs.vals[pos[1][k]/8].Value())
	}
	if err != nil {
		return err
	}
	if dst.DT == Bool {
		b, err := c.Truth(r)
		*(*bool)(dst.at(p)) = b
		return err
	}
	dst.objs.vals[p/8] = r.Held()
	return nil
}

func compareText(op, x, y string) bool {
	switch op {
	case "equal":
		return x == y
	case "not_equal":
		return x != y
	case "less":
		return x < y
	case "less_equal":
		return x <= y
	case "greater":
		return x > y
	}
	return x >= y
}

// addText joins strings; the result is as wide as both.
func (c *Ctx) addText(dst *Array, xs []*Array, pos [][]int) error {
	wide := New(DType{dst.DT.K, xs[0].DT.W + xs[1].DT.W}, dst.dims...)
	k := 0
	wide.each(func(p int) {
		setText(wide.DT, wide.at(p), xs[0].text(pos[0][k])+xs[1].text(pos[1][k]))
		k++
	})
	*dst = *wide
	return nil
}
