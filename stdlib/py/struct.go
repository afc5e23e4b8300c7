package py

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

// _struct packs values to bytes and back; the class Struct is in script.
var _ = define("_struct", func() *lang.ModuleDef {
	return &lang.ModuleDef{Init: func(th *Thread, m *lang.Module) error {
		m.Set("error", structError.Value())
		return nil
	}, Defs: []lang.Def{
		{Sig: "calcsize(format, /)", Fn: structCalcSize},
		{Sig: "pack(format, /, *values)", Fn: structPack},
		{Sig: "pack_into(format, buffer, offset, /, *values)", Fn: structPackInto},
		{Sig: "unpack(format, buffer, /)", Fn: structUnpack},
		{Sig: "unpack_from(format, /, buffer, offset=0)", Fn: structUnpackFrom},
	}}
})

var structError = lang.NewExceptionClass("error", "struct", lang.ExceptionClass)

// structFormat is a format string, read.
type structFormat struct {
	items []structItem
	size  int
	order binary.ByteOrder
}

// structItem is one code of a format with its count.
type structItem struct {
	code   byte
	count  int // s, p: bytes of one value
	offset int
	size   int // of one
}

// values is how many values the item takes.
func (it structItem) values() int {
	switch it.code {
	case 's', 'p':
		return 1
	case 'x':
		return 0
	}
	return it.count
}

const (
	structStandard = "xcbB?hHiIlLqQefdsp"
	structNative   = structStandard + "nNP"
)

func structSize(code byte, native bool) int {
	switch code {
	case 'h', 'H', 'e':
		return 2
	case 'i', 'I', 'f':
		return 4
	case 'l', 'L':
		if native {
			return 8
		}
		return 4
	case 'q', 'Q', 'd', 'n', 'N', 'P':
		return 8
	}
	return 1
}

func structErrorf(th *Thread, text string, args ...any) error {
	return th.Raise(structError, text, args...)
}

func structParse(th *Thread, v Value) (*structFormat, error) {
	text := ""
	if s, ok := lang.AsStr(v); ok {
		if _, err := builtin.Encode(th, s, "ascii", "strict"); err != nil {
			return nil, err
		}
		text = s.String()
	} else if b, ok := lang.BytesOf(v); ok {
		text = b
	} else {
		return nil, th.TypeErrorf("Struct() argument 1 must be a str or bytes object, not %s", lang.TypeName(v))
	}
	f := &structFormat{order: binary.LittleEndian}
	native := true
	if text != "" && strings.IndexByte("@=<>!", text[0]) >= 0 {
		native = text[0] == '@'
		if text[0] == '>' || text[0] == '!' {
			f.order = binary.BigEndian
		}
		text = text[1:]
	}
	return f, f.read(th, text, native)
}

func (f *structFormat) read(th *Thread, text string, native bool) error {
	codes := structStandard
	if native {
		codes = structNative
	}
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(" \t\n\r\v\f", text[i]) >= 0 {
			continue
		}
		count, counted := 1, false
		for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			if !counted {
				count, counted = 0, true
			}
			if count = count*10 + int(text[i]-'0'); count > math.MaxInt32*64 {
				return structErrorf(th, "total struct size too long")
			}
		}
		if i >= len(text) {
			return structErrorf(th, "repeat count given without format specifier")
		}
		if strings.IndexByte(codes, text[i]) < 0 {
			return structErrorf(th, "bad char in struct format")
		}
		it := structItem{code: text[i], count: count, size: structSize(text[i], native)}
		if native && it.size > 1 {
			f.size = (f.size + it.size - 1) / it.size * it.size
		}
		it.offset = f.size
		f.size += it.size * count
		f.items = append(f.items, it)
	}
	return nil
}

func (f *structFormat) values() int {
	n := 0
	for _, it := range f.items {
		n += it.values()
	}
	return n
}

func structCalcSize(th *Thread, a []Value) (Value, error) {
	f, err := structParse(th, a[0])
	if err != nil {
		return fail(err)
	}
	return lang.Int(int64(f.size)), nil
}

func structPack(th *Thread, a []Value) (Value, error) {
	f, err := structParse(th, a[0])
	if err != nil {
		return fail(err)
	}
	args, _ := lang.AsTuple(a[1])
	if n := f.values(); n != args.Len() {
		return fail(structErrorf(th, "pack expected %d items for packing (got %d)", n, args.Len()))
	}
	if err := th.CheckSize(f.size, 1); err != nil {
		return fail(err)
	}
	out := make([]byte, f.size)
	if err := f.pack(th, out, args); err != nil {
		return fail(err)
	}
	return lang.NewBytes(string(out)), nil
}

func structPackInto(th *Thread, a []Value) (Value, error) {
	f, err := structParse(th, a[0])
	if err != nil {
		return fail(err)
	}
	args, _ := lang.AsTuple(a[3])
	if n := f.values(); n != args.Len() {
		return fail(structErrorf(th, "pack_into expected %d items for packing (got %d)", n, args.Len()))
	}
	buf, ok := lang.AsByteArray(a[1])
	if !ok {
		return fail(th.TypeErrorf("argument must be read-write bytes-like object, not %s", lang.TypeName(a[1])))
	}
	at, err := f.place(th, a[2], len(buf.B), "pack_into", "no space to pack", "packing")
	if err != nil {
		return fail(err)
	}
	return none, f.pack(th, buf.B[at:at+f.size], args)
}

// place is where in a buffer of n bytes the offset v means, with room for f.
func (f *structFormat) place(th *Thread, v Value, n int, name, short, doing string) (int, error) {
	at, err := intOf(th, v)
	if err != nil {
		return 0, err
	}
	given := at
	if at < 0 {
		if at+f.size > 0 {
			return 0, structErrorf(th, "%s %d bytes at offset %d", short, f.size, given)
		}
		if at += n; at < 0 {
			return 0, structErrorf(th, "offset %d out of range for %d-byte buffer", given, n)
		}
	}
	if n-at < f.size {
		return 0, structErrorf(th, "%s requires a buffer of at least %d bytes for %s %d bytes at offset %d (actual buffer size is %d)",
			name, at+f.size, doing, f.size, at, n)
	}
	return at, nil
}

func (f *structFormat) pack(th *Thread, out []byte, args *lang.Tuple) error {
	n := 0
	for _, it := range f.items {
		switch it.code {
		case 'x':
			continue
		case 's', 'p':
			if err := it.packBytes(th, out, args.At(n)); err != nil {
				return err
			}
			n++
			continue
		}
		for i := range it.count {
			at := it.offset + i*it.size
			if err := f.packOne(th, it, out[at:at+it.size], args.At(n)); err != nil {
				return err
			}
			n++
		}
	}
	return nil
}

func (it structItem) packBytes(th *Thread, out []byte, v Value) error {
	b, ok := lang.BytesOf(v)
	if !ok {
		if ba, isArray := lang.AsByteArray(v); isArray {
			b, ok = string(ba.B), true
		}
	}
	if !ok {
		return structErrorf(th, "argument for '%c' must be a bytes object", it.code)
	}
	dst := out[it.offset : it.offset+it.count]
	if it.code == 'p' && it.count > 0 {
		n := min(len(b), it.count-1)
		dst[0] = byte(min(n, 255))
		dst = dst[1:]
	}
	copy(dst, b)
	return nil
}

func (f *structFormat) packOne(th *Thread, it structItem, dst []byte, v Value) error {
	switch it.code {
	case 'c':
		b, ok := lang.BytesOf(v)
		if !ok || len(b) != 1 {
			return structErrorf(th, "char format requires a bytes object of length 1")
		}
		dst[0] = b[0]
		return nil
	case '?':
		t, err := lang.Truth(th, v)
		if t {
			dst[0] = 1
		}
		return err
	case 'e', 'f', 'd':
		return f.packFloat(th, it, dst, v)
	}
	return f.packInt(th, it, dst, v)
}

func (f *structFormat) packFloat(th *Thread, it structItem, dst []byte, v Value) error {
	x, err := lang.FloatOf(th, v)
	if err != nil {
		if lang.Matches(err, lang.TypeError) {
			return structErrorf(th, "required argument is not a float")
		}
		return err
	}
	switch it.code {
	case 'd':
		f.order.PutUint64(dst, math.Float64bits(x))
	case 'f':
		y := float32(x)
		if math.IsInf(float64(y), 0) && !math.IsInf(x, 0) {
			return th.Raise(lang.OverflowError, "float too large to pack with f format")
		}
		f.order.PutUint32(dst, math.Float32bits(y))
	default:
		h, ok := halfBits(x)
		if !ok {
			return th.Raise(lang.OverflowError, "float too large to pack with e format")
		}
		f.order.PutUint16(dst, h)
	}
	return nil
}

// halfBits rounds to half precision, half to even; false when it is too large.
func halfBits(x float64) (uint16, bool) {
	sign := uint16(math.Float64bits(x) >> 48 & 0x8000)
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return sign | 0x7e00, true
	case math.IsInf(x, 0):
		return sign | 0x7c00, true
	case a < 0x1p-14:
		return sign | uint16(math.RoundToEven(a*0x1p24)), true
	}
	m, e := math.Frexp(a) // a = m * 2^e, m in [0.5, 1)
	r := math.RoundToEven(m * 2048)
	if r == 2048 {
		r, e = 1024, e+1
	}
	if e > 16 {
		return 0, false
	}
	return sign | uint16((e+14)<<10) + uint16(r) - 1024, true
}

func halfValue(h uint16) float64 {
	e, m := int(h>>10&31), float64(h&1023)
	x := math.Ldexp(m, -24)
	switch {
	case e == 31 && m == 0:
		x = math.Inf(1)
	case e == 31:
		return math.NaN()
	case e > 0:
		x = math.Ldexp(m+1024, e-25)
	}
	if h&0x8000 != 0 {
		x = -x
	}
	return x
}

func (f *structFormat) packInt(th *Thread, it structItem, dst []byte, v Value) error {
	if !lang.HasIndex(v) {
		return structErrorf(th, "required argument is not an integer")
	}
	x, err := lang.Index(th, v)
	if err != nil {
		return err
	}
	b, _ := lang.AsBig(x)
	lo, hi := intRange(it)
	if b.Cmp(lo) < 0 || b.Cmp(hi) > 0 {
		return it.outOfRange(th, b, lo, hi)
	}
	u := new(big.Int).And(b, maxU64).Uint64()
	switch it.size {
	case 1:
		dst[0] = byte(u)
	case 2:
		f.order.PutUint16(dst, uint16(u))
	case 4:
		f.order.PutUint32(dst, uint32(u))
	default:
		f.order.PutUint64(dst, u)
	}
	return nil
}

var maxU64 = new(big.Int).SetUint64(math.MaxUint64)

// intRange is what an integer code can hold; P takes both kinds of numbers.
func intRange(it structItem) (lo, hi *big.Int) {
	one := big.NewInt(1)
	bits := uint(8 * it.size)
	if it.code >= 'a' || it.code == 'P' {
		lo = new(big.Int).Neg(new(big.Int).Lsh(one, bits-1))
		hi = new(big.Int).Sub(new(big.Int).Lsh(one, bits-1), one)
		if it.code == 'P' {
			hi = maxU64
		}
		return lo, hi
	}
	return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
}

func (it structItem) outOfRange(th *Thread, b, lo, hi *big.Int) error {
	names := map[byte]string{'b': "byte", 'B': "ubyte", 'h': "short", 'H': "ushort"}
	unsigned := it.code < 'a'
	switch {
	case names[it.code] != "":
		return structErrorf(th, "%s format requires %v <= number <= %v", names[it.code], lo, hi)
	case it.size == 8, unsigned && b.Sign() < 0, !b.IsInt64() && !unsigned, b.BitLen() > 64:
		return structErrorf(th, "argument out of range")
	}
	return structErrorf(th, "'%c' format requires %v <= number <= %v", it.code, lo, hi)
}

func structUnpack(th *Thread, a []Value) (Value, error) {
	f, err := structParse(th, a[0])
	if err != nil {
		return fail(err)
	}
	b, ok := builtin.BytesLike(a[1])
	if !ok {
		return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[1])))
	}
	if len(b) != f.size {
		return fail(structErrorf(th, "unpack requires a buffer of %d bytes", f.size))
	}
	return f.unpack(b), nil
}

func structUnpackFrom(th *Thread, a []Value) (Value, error) {
	f, err := structParse(th, a[0])
	if err != nil {
		return fail(err)
	}
	b, ok := builtin.BytesLike(a[1])
	if !ok {
		return fail(th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(a[1])))
	}
	at, err := f.place(th, a[2], len(b), "unpack_from", "not enough data to unpack", "unpacking")
	if err != nil {
		return fail(err)
	}
	return f.unpack(b[at : at+f.size]), nil
}

func (f *structFormat) unpack(b string) Value {
	var out []Value
	for _, it := range f.items {
		src := b[it.offset : it.offset+it.size*it.count]
		switch it.code {
		case 'x':
		case 's':
			out = append(out, lang.NewBytes(src))
		case 'p':
			n := 0
			if len(src) > 0 {
				n = min(int(src[0]), len(src)-1)
				src = src[1:]
			}
			out = append(out, lang.NewBytes(src[:n]))
		default:
			for i := range it.count {
				out = append(out, f.unpackOne(it, []byte(src[i*it.size:(i+1)*it.size])))
			}
		}
	}
	return lang.NewTuple(out...)
}

func (f *structFormat) unpackOne(it structItem, b []byte) Value {
	switch it.code {
	case 'c':
		return lang.NewBytes(string(b))
	case '?':
		return lang.Bool(b[0] != 0)
	case 'd':
		return lang.Float(math.Float64frombits(f.order.Uint64(b)))
	case 'f':
		return lang.Float(float64(math.Float32frombits(f.order.Uint32(b))))
	case 'e':
		return lang.Float(halfValue(f.order.Uint16(b)))
	}
	var u uint64
	switch it.size {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(f.order.Uint16(b))
	case 4:
		u = uint64(f.order.Uint32(b))
	default:
		u = f.order.Uint64(b)
	}
	if it.code < 'a' {
		return lang.BigInt(new(big.Int).SetUint64(u))
	}
	shift := 64 - 8*it.size
	return lang.Int(int64(u) << shift >> shift)
}
