package code

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// Unmarshal reads what Marshal wrote and verifies it.
func Unmarshal(b []byte) (*Code, error) {
	r, file, err := open(string(b))
	if err != nil {
		return nil, err
	}
	c := &Code{}
	if r.code(c, file, 0); r.err != nil {
		return nil, r.err
	}
	return c, Verify(c)
}

// Lazy reads no more than the head of what Marshal wrote; each body, and with it the
// heads of the functions inside, is read by Load. Nothing is verified: text is trusted,
// and is kept. The code's file is named file.
func Lazy(text, file string) (*Code, error) {
	r, _, err := open(text)
	if err != nil {
		return nil, err
	}
	r.lazy = true
	c := &Code{}
	r.code(c, file, 0)
	return c, r.err
}

// open reads what stands before the first code object.
func open(text string) (r *reader, file string, err error) {
	if len(text) < len(magic)+8 || text[:len(magic)] != magic {
		return nil, "", errors.New("not marshalled code")
	}
	if binary.LittleEndian.Uint64([]byte(text[len(magic):len(magic)+8])) != Stamp {
		return nil, "", ErrStamp
	}
	r = &reader{buf: text[len(magic)+8:]}
	file = r.text()
	return r, file, nil
}

// later is a body that is still to be read.
type later struct {
	once sync.Once
	text string
}

// Load reads the body of c if that was put off: LocalNames, Names, Ins and the rest.
// Whoever has c from a function or a frame that ran needs no Load.
func (c *Code) Load() {
	if c.later != nil {
		c.later.once.Do(c.load)
	}
}

func (c *Code) load() {
	r := &reader{buf: c.later.text, lazy: true}
	r.body(c, 0)
	if r.err != nil {
		panic("tfs bug: " + c.Qualname + ": " + r.err.Error())
	}
	c.later.text = ""
}

// Loaded reports that the body of c was read.
func (c *Code) Loaded() bool { return c.later == nil || c.later.text == "" }

type reader struct {
	buf  string
	err  error
	lazy bool // bodies are put off
}

var errShort = errors.New("marshalled code is cut short or damaged")

func (r *reader) fail() {
	if r.err == nil {
		r.err = errShort
	}
	r.buf = ""
}

func (r *reader) uint() uint64 {
	v := uint64(0)
	for i := 0; i < len(r.buf) && i < binary.MaxVarintLen64; i++ {
		b := r.buf[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.buf = r.buf[i+1:]
			return v
		}
	}
	r.fail()
	return 0
}

func (r *reader) int() int64 {
	u := r.uint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads the length of a list, of which every element takes at least one byte.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.buf)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count()
	s := r.buf[:n]
	r.buf = r.buf[n:]
	return s
}

func (r *reader) texts() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = r.text()
	}
	return list
}

func (r *reader) offsets() []uint16 {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]uint16, n)
	for i := range list {
		list[i] = uint16(r.uint())
	}
	return list
}

func (r *reader) span() Span {
	var v [4]int32
	for i := range v {
		v[i] = int32(r.int())
	}
	return Span{v[0], v[1], v[2], v[3]}
}

// leastCode is how many bytes a code object takes at least.
const leastCode = 18

// maxNesting bounds code objects and constants inside each other in damaged bytes.
const maxNesting = 500

// code reads a head; the body is read now, or left for Load.
func (r *reader) code(c *Code, file string, depth int) {
	c.File, c.Name, c.Qualname = file, r.text(), r.text()
	c.Flags = uint32(r.uint())
	for _, p := range [...]*int{&c.ArgCount, &c.PosOnly, &c.KwOnly, &c.NLocals, &c.NSlots, &c.NWide} {
		*p = int(r.uint())
	}
	c.FirstLine = int32(r.uint())
	c.Span = r.span()
	c.NoStaged = r.text()
	if r.uint() != 0 {
		doc := r.text()
		c.Doc = &doc
	}
	for range r.count() {
		f := FreeVar{Name: r.text()}
		v := r.uint()
		f.FromCell, f.Index = v&1 != 0, int(v>>1)
		c.Free = append(c.Free, f)
	}
	body := r.text()
	if r.lazy {
		c.later = &later{text: body}
		return
	}
	in := &reader{buf: body}
	if in.body(c, depth); in.err != nil {
		r.err = in.err
	}
}

func (r *reader) body(c *Code, depth int) {
	if depth > maxNesting {
		r.fail()
		return
	}
	c.LocalNames, c.Cells, c.Names = r.texts(), r.texts(), r.texts()
	c.CellSlots, c.Unbound = r.offsets(), r.offsets()
	r.instructions(c)
	if n := r.count(); n > 0 {
		c.Consts = make([]Const, n)
	}
	for i := range c.Consts {
		c.Consts[i] = r.constant(0)
	}
	r.tables(c)
	n := r.count()
	if n > len(r.buf)/leastCode {
		r.fail()
		return
	}
	if n > 0 {
		c.Codes = make([]*Code, n)
	}
	block := make([]Code, len(c.Codes))
	for i := range c.Codes {
		c.Codes[i] = &block[i]
		r.code(c.Codes[i], c.File, depth+1)
	}
}

func (r *reader) instructions(c *Code) {
	n := r.count()
	c.Ins, c.Pos = make([]Instr, n), make([]Pos, n)
	var last Pos
	for i := range c.Ins {
		in := &c.Ins[i]
		in.Op = Op(r.uint())
		mask := r.uint()
		in.A, in.B, in.C = r.operand(mask&hasA), r.operand(mask&hasB), r.operand(mask&hasC)
		if mask&hasK != 0 {
			in.K = r.uint()
		}
		if mask&otherPos != 0 {
			last = r.position(mask, last)
		}
		c.Pos[i] = last
	}
}

func (r *reader) operand(there uint64) uint16 {
	if there == 0 {
		return 0
	}
	return bits.RotateLeft16(uint16(r.uint()), 4)
}

func (r *reader) position(mask uint64, last Pos) (p Pos) {
	p.Line = last.Line
	if mask&otherLine != 0 {
		p.Line += int32(r.int())
	}
	p.EndLine = p.Line
	if mask&manyLines != 0 {
		p.EndLine += int32(r.int())
	}
	p.Col = int32(r.uint())
	p.EndCol = p.Col + int32(r.int())
	return p
}

func (r *reader) float() float64 {
	if len(r.buf) < 8 {
		r.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64([]byte(r.buf[:8]))
	r.buf = r.buf[8:]
	return math.Float64frombits(v)
}

func (r *reader) constant(depth int) (k Const) {
	k.Kind = ConstKind(r.uint())
	switch k.Kind {
	case ConstBool, ConstInt:
		k.I = r.int()
	case ConstBig:
		b, ok := new(big.Int).SetString(r.text(), 10)
		if !ok {
			r.fail()
			b = new(big.Int)
		}
		k.Big = b
	case ConstFloat, ConstComplex:
		k.F, k.G = r.float(), r.float()
	case ConstStr, ConstBytes:
		k.S = r.text()
	case ConstTuple, ConstFrozenSet:
		if depth > maxNesting {
			r.fail()
			return k
		}
		n := r.count()
		if n > 0 {
			k.T = make([]Const, n)
		}
		for i := range k.T {
			k.T[i] = r.constant(depth + 1)
		}
	case ConstNone, ConstEllipsis:
	default:
		r.fail()
	}
	return k
}

func (r *reader) tables(c *Code) {
	for range r.count() {
		c.Handlers = append(c.Handlers, Handler{int32(r.uint()), int32(r.uint()), int32(r.uint()), uint16(r.uint())})
	}
	for range r.count() {
		c.Inlined = append(c.Inlined, Inlined{int32(r.uint()), int32(r.uint()), r.text(), r.span()})
	}
	for range r.count() {
		c.Inner = append(c.Inner, Inner{int32(r.uint()), r.span()})
	}
}
