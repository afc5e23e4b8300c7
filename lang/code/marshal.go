package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
)

// magic begins every marshalled code object.
const magic = "tfsc"

// Stamp identifies the instruction set and the format: bytes with another stamp
// must be made again from the source.
var Stamp = func() uint64 {
	h := fnv.New64a()
	h.Write([]byte("1"))
	for i := range table {
		d := &table[i]
		fmt.Fprintf(h, "%s %d %d %d %d %d;", d.Name, d.A, d.B, d.C, d.K, d.Range)
	}
	return h.Sum64()
}()

// ErrStamp says that bytes were made by another version.
var ErrStamp = errors.New("code was compiled by another version of tfs")

// Marshal writes c and all code objects in it as bytes. Equal code gives equal bytes.
func Marshal(c *Code) []byte {
	w := &writer{buf: append([]byte(nil), magic...)}
	w.buf = binary.LittleEndian.AppendUint64(w.buf, Stamp)
	w.text(c.File)
	w.code(c)
	return w.buf
}

// Unmarshal reads what Marshal wrote and verifies it.
func Unmarshal(b []byte) (c *Code, err error) {
	if len(b) < len(magic)+8 || string(b[:len(magic)]) != magic {
		return nil, errors.New("not marshalled code")
	}
	if binary.LittleEndian.Uint64(b[len(magic):]) != Stamp {
		return nil, ErrStamp
	}
	r := &reader{buf: b[len(magic)+8:]}
	file := r.text()
	c = r.code(file, 0)
	if r.err != nil {
		return nil, r.err
	}
	return c, Verify(c)
}

type writer struct{ buf []byte }

func (w *writer) uint(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }
func (w *writer) int(v int64)   { w.buf = binary.AppendVarint(w.buf, v) }
func (w *writer) text(s string) {
	w.uint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *writer) texts(list []string) {
	w.uint(uint64(len(list)))
	for _, s := range list {
		w.text(s)
	}
}

func (w *writer) offsets(list []uint16) {
	w.uint(uint64(len(list)))
	for _, v := range list {
		w.uint(uint64(v))
	}
}

func (w *writer) code(c *Code) {
	w.text(c.Name)
	w.text(c.Qualname)
	for _, v := range [...]int{int(c.Flags), c.ArgCount, c.PosOnly, c.KwOnly, c.NLocals, c.NSlots, c.NWide, int(c.FirstLine)} {
		w.uint(uint64(v))
	}
	w.span(c.Span)
	w.texts(c.LocalNames)
	w.texts(c.Cells)
	w.texts(c.Names)
	w.offsets(c.CellSlots)
	w.offsets(c.Unbound)
	w.text(c.NoStaged)
	w.uint(boolBit(c.Doc != nil))
	if c.Doc != nil {
		w.text(*c.Doc)
	}
	w.free(c.Free)
	w.instructions(c)
	w.uint(uint64(len(c.Consts)))
	for i := range c.Consts {
		w.constant(&c.Consts[i])
	}
	w.tables(c)
	w.uint(uint64(len(c.Codes)))
	for _, in := range c.Codes {
		w.code(in)
	}
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (w *writer) free(list []FreeVar) {
	w.uint(uint64(len(list)))
	for _, f := range list {
		w.text(f.Name)
		w.uint(uint64(f.Index)<<1 | boolBit(f.FromCell))
	}
}

func (w *writer) span(s Span) {
	for _, v := range [...]int32{s.Line, s.Col, s.EndLine, s.EndCol} {
		w.int(int64(v))
	}
}

// instructions writes operands that are mostly small, and positions as differences.
func (w *writer) instructions(c *Code) {
	w.uint(uint64(len(c.Ins)))
	line := int32(0)
	for i := range c.Ins {
		in, p := &c.Ins[i], &c.Pos[i]
		w.uint(uint64(in.Op))
		w.uint(uint64(in.A))
		w.uint(uint64(in.B))
		w.uint(uint64(in.C))
		w.uint(in.K)
		w.int(int64(p.Line - line))
		w.uint(uint64(p.Col))
		w.int(int64(p.EndLine - p.Line))
		w.uint(uint64(p.EndCol))
		line = p.Line
	}
}

func (w *writer) constant(k *Const) {
	w.uint(uint64(k.Kind))
	switch k.Kind {
	case ConstBool, ConstInt:
		w.int(k.I)
	case ConstBig:
		w.text(k.Big.String())
	case ConstFloat, ConstComplex:
		w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(k.F))
		w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(k.G))
	case ConstStr, ConstBytes:
		w.text(k.S)
	case ConstTuple, ConstFrozenSet:
		w.uint(uint64(len(k.T)))
		for i := range k.T {
			w.constant(&k.T[i])
		}
	}
}

func (w *writer) tables(c *Code) {
	w.uint(uint64(len(c.Handlers)))
	for _, h := range c.Handlers {
		w.uint(uint64(h.From))
		w.uint(uint64(h.To))
		w.uint(uint64(h.Target))
		w.uint(uint64(h.Exc))
	}
	w.uint(uint64(len(c.Inlined)))
	for _, n := range c.Inlined {
		w.uint(uint64(n.From))
		w.uint(uint64(n.To))
		w.text(n.Name)
		w.span(n.Span)
	}
	w.uint(uint64(len(c.Inner)))
	for _, n := range c.Inner {
		w.uint(uint64(n.At))
		w.span(n.Pos)
	}
}

type reader struct {
	buf []byte
	err error
}

var errShort = errors.New("marshalled code is cut short or damaged")

func (r *reader) fail() {
	if r.err == nil {
		r.err = errShort
	}
	r.buf = nil
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.buf)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.buf)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.buf = r.buf[n:]
	return v
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
	s := string(r.buf[:n])
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

// maxNesting bounds code objects and constants inside each other in damaged bytes.
const maxNesting = 500

func (r *reader) code(file string, depth int) *Code {
	if depth > maxNesting {
		r.fail()
		return &Code{}
	}
	c := &Code{File: file, Name: r.text(), Qualname: r.text()}
	c.Flags = uint32(r.uint())
	for _, p := range [...]*int{&c.ArgCount, &c.PosOnly, &c.KwOnly, &c.NLocals, &c.NSlots, &c.NWide} {
		*p = int(r.uint())
	}
	c.FirstLine = int32(r.uint())
	c.Span = r.span()
	c.LocalNames, c.Cells, c.Names = r.texts(), r.texts(), r.texts()
	c.CellSlots, c.Unbound = r.offsets(), r.offsets()
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
	r.instructions(c)
	for range r.count() {
		c.Consts = append(c.Consts, r.constant(0))
	}
	r.tables(c)
	for range r.count() {
		c.Codes = append(c.Codes, r.code(file, depth+1))
	}
	return c
}

func (r *reader) instructions(c *Code) {
	n := r.count()
	c.Ins, c.Pos = make([]Instr, n), make([]Pos, n)
	line := int32(0)
	for i := range c.Ins {
		in, p := &c.Ins[i], &c.Pos[i]
		in.Op, in.A, in.B, in.C = Op(r.uint()), uint16(r.uint()), uint16(r.uint()), uint16(r.uint())
		in.K = r.uint()
		line += int32(r.int())
		p.Line, p.Col = line, int32(r.uint())
		p.EndLine, p.EndCol = line+int32(r.int()), int32(r.uint())
	}
}

func (r *reader) float() float64 {
	if len(r.buf) < 8 {
		r.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(r.buf)
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
