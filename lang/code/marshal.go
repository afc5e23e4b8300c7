package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
)

// magic begins every marshalled code object.
const magic = "tfsc"

// Stamp identifies the instruction set and the format: bytes with another stamp
// must be made again from the source.
var Stamp = func() uint64 {
	h := fnv.New64a()
	h.Write([]byte("3"))
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

// code writes the head of c, which is what making a function of it takes, and its body
// behind its length, so that a reader can put it off.
func (w *writer) code(c *Code) {
	c.Load()
	w.text(c.Name)
	w.text(c.Qualname)
	for _, v := range [...]int{int(c.Flags), c.ArgCount, c.PosOnly, c.KwOnly, c.NLocals, c.NSlots, c.NWide, int(c.FirstLine)} {
		w.uint(uint64(v))
	}
	w.span(c.Span)
	w.text(c.NoStaged)
	w.uint(boolBit(c.Doc != nil))
	if c.Doc != nil {
		w.text(*c.Doc)
	}
	w.free(c.Free)
	body := &writer{}
	body.body(c)
	w.text(string(body.buf))
}

func (w *writer) body(c *Code) {
	w.texts(c.LocalNames)
	w.texts(c.Cells)
	w.texts(c.Names)
	w.offsets(c.CellSlots)
	w.offsets(c.Unbound)
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

// What follows an instruction's operation: which of its operands aren't 0, and how its
// position differs from that of the instruction before.
const (
	hasA = 1 << iota
	hasB
	hasC
	hasK
	otherPos
	otherLine
	manyLines // ends on another line than it begins on
)

func (w *writer) instructions(c *Code) {
	w.uint(uint64(len(c.Ins)))
	var last Pos
	for i := range c.Ins {
		in, p := &c.Ins[i], c.Pos[i]
		w.uint(uint64(in.Op))
		mask := boolBit(in.A != 0)*hasA | boolBit(in.B != 0)*hasB | boolBit(in.C != 0)*hasC | boolBit(in.K != 0)*hasK
		mask |= boolBit(p != last)*otherPos | boolBit(p.Line != last.Line)*otherLine | boolBit(p.EndLine != p.Line)*manyLines
		w.uint(mask)
		for _, v := range [...]uint16{in.A, in.B, in.C} {
			if v != 0 {
				w.uint(uint64(bits.RotateLeft16(v, -4))) // slot offsets are multiples of 16
			}
		}
		if in.K != 0 {
			w.uint(in.K)
		}
		if p != last {
			w.position(p, last)
		}
		last = p
	}
}

func (w *writer) position(p, last Pos) {
	if p.Line != last.Line {
		w.int(int64(p.Line - last.Line))
	}
	if p.EndLine != p.Line {
		w.int(int64(p.EndLine - p.Line))
	}
	w.uint(uint64(p.Col))
	w.int(int64(p.EndCol - p.Col))
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
