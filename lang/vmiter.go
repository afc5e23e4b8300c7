package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// forPrep turns the iterable in A into the loop's state: a small range with step 1
// is its end in A and the next number in A+1; lists, tuples and other ranges stay
// with an index in A+1; everything else is an iterator.
func forPrep(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	s := ci.slot(in.A)
	v := *s
	ix := (*Value)(unsafe.Add(unsafe.Pointer(s), vsz))
	next := unsafe.Add(pc, jump(in.B, in.K)*int(isz))
	switch v.Kind() {
	case value.KindRange:
		if r := (*Range)(v.P); r.Big == nil {
			if r.Step == 1 {
				*s = Int(r.Stop)
				*ix = Int(r.Start)
			} else {
				*ix = Int(0)
			}
			return ci, next
		}
	case value.KindList, value.KindTuple, value.KindStr:
		*ix = Int(0)
		return ci, next
	}
	ci.pc, th.cur = pc, ci
	if counted(v) {
		th.setSite(ci, pc)
	}
	it, err := Iter(th, v)
	if err != nil {
		return throw(ci, pc, err)
	}
	if it.P == v.P {
		th.keep(it)
	}
	th.put(s, it)
	*ix = Int(0)
	return ci, next
}

// slowFor is ForLoop over anything but small ranges and lists.
//
//go:noinline
func slowFor(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	s := *ci.slot(in.A)
	ix := (*Value)(unsafe.Add(ci.base, uintptr(in.A)+vsz))
	var x Value
	switch s.Kind() {
	case value.KindRange:
		r := (*Range)(s.P)
		if ix.Int64() >= r.n {
			return endLoop(ci, pc)
		}
		x = Int(r.At(ix.Int64()))
		ix.N++
	case value.KindTuple:
		t := (*Tuple)(s.P)
		if ix.N >= uint64(len(t.items)) {
			return endLoop(ci, pc)
		}
		x = t.items[ix.N].Value()
		ix.N++
	case value.KindStr:
		text := (*Str)(s.P).s
		if ix.N >= uint64(len(text)) {
			return endLoop(ci, pc)
		}
		c := text[ix.N]
		if c < 0x80 {
			x = chars[c].Value()
			ix.N++
			break
		}
		n := uint64(runeLen(c))
		x = NewStr(text[ix.N : ix.N+n])
		ix.N += n
	case value.KindGenerator:
		g := (*Generator)(s.P)
		if g.state == genDone {
			return endLoop(ci, pc)
		}
		ci.pc = pc
		f, p, err := th.resume(ci, g, None, contFor)
		if err != nil {
			return throw(ci, pc, err)
		}
		return f, p
	case value.KindInstance:
		if m, _ := th.find(ClassOf(s), nameNext); m.Kind() == value.KindFunc {
			if f, p, ok := callMethodFrame(ci, pc, (*Func)(m.P), s, Value{}, 1, 0, contNext); ok {
				return f, p
			}
		}
		fallthrough
	default:
		ci.pc, th.cur = pc, ci
		v, ok, err := Next(th, s)
		if err != nil {
			return throw(ci, pc, err)
		}
		if !ok {
			return endLoop(ci, pc)
		}
		x = v
	}
	th.put(ci.slot(in.B), x)
	return ci, unsafe.Add(pc, jump(in.C, in.K)*int(isz))
}

// endLoop leaves a for loop.
func endLoop(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	ci.th.cur = ci
	ci.th.put(ci.slot((*Instr)(pc).A), None)
	return ci, unsafe.Add(pc, isz)
}

func opGetIter(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	v := *ci.slot(in.B)
	it, err := Iter(th, v)
	if err != nil {
		return throw(ci, pc, err)
	}
	if it.P == v.P {
		th.keep(it)
	}
	th.put(ci.slot(in.A), it)
	return ci, unsafe.Add(pc, isz)
}

func opNextOr(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	s := *ci.slot(in.B)
	ci.pc = pc
	if g, ok := AsGenerator(s); ok && g.state != genDone {
		f, p, err := th.resume(ci, g, None, contNextOr)
		if err != nil {
			return throw(ci, pc, err)
		}
		return f, p
	}
	th.cur = ci
	v, ok, err := Next(th, s)
	if err != nil {
		return throw(ci, pc, err)
	}
	if !ok {
		return ci, unsafe.Add(pc, int(int16(in.C))*int(isz))
	}
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// opYield suspends a generator.
func opYield(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	if ci.cont == contFor && ci.caught == 0 && ci.gen.handling == nil && ci.handling == ci.th.handling {
		if v := *ci.slot((*Instr)(pc).A); v.P == nil || (*Header)(v.P).Own == 0 {
			return ci.yieldToLoop(pc, v)
		}
	}
	v := ci.take((*Instr)(pc).A)
	ci.pc = pc
	return ci.yield(v)
}

// yieldToLoop is yield for a generator under a for loop, when neither handles an
// exception of its own.
func (ci *Frame) yieldToLoop(pc unsafe.Pointer, v Value) (*Frame, unsafe.Pointer) {
	th, up := ci.th, ci.up
	ci.pc, ci.cont = pc, contPlain
	if ci.handling != nil {
		ci.handling = nil
	}
	th.leaveWindow(ci)
	th.gens--
	ci.gen.state = genSuspended
	in := (*Instr)(up.pc)
	if d := up.slot(in.B); d.P == nil || (*Header)(d.P).Own == 0 {
		if d.P != v.P {
			d.P = v.P
		}
		d.N = v.N
	} else {
		th.cur = up
		th.put(d, v)
	}
	return up, unsafe.Add(up.pc, jump(in.C, in.K)*int(isz))
}

// opYieldFrom asks the iterator in B for its next item and yields it; at its end
// the result goes to A.
func opYieldFrom(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	d := *ci.slot(in.B)
	ci.pc = pc
	if g, ok := AsGenerator(d); ok {
		if g.state == genDone {
			th.put(ci.slot(in.A), None)
			return ci, unsafe.Add(pc, isz)
		}
		f, p, err := th.resume(ci, g, None, contYield)
		if err != nil {
			return throw(ci, pc, err)
		}
		return f, p
	}
	th.cur = ci
	v, ok, err := Next(th, d)
	if err != nil {
		return throw(ci, pc, err)
	}
	if ok {
		return ci.yield(v)
	}
	th.put(ci.slot(in.A), th.StopValue)
	return ci, unsafe.Add(pc, isz)
}

// opUnpack is a, b = A.
func opUnpack(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	v := *ci.slot(in.A)
	n := int(in.C)
	ci.pc, th.cur = pc, ci
	if items, ok := exactSequence(v); ok {
		if len(items) != n {
			return throw(ci, pc, unpackError(th, len(items), n, false))
		}
		if int(in.B)+16*n < 1<<16 {
			slots := unsafe.Slice(ci.slot(in.B), n)
			for i := range slots {
				if d := &slots[i]; d.P == nil || (*Header)(d.P).Own == 0 {
					*d = items[i].Value()
				} else {
					th.put(d, items[i].Value())
				}
			}
			return ci, unsafe.Add(pc, isz)
		}
		for i, h := range items {
			th.put(ci.slot(in.B+uint16(i)*16), h.Value())
		}
		return ci, unsafe.Add(pc, isz)
	}
	it, err := th.unpackIter(v)
	if err != nil {
		return throw(ci, pc, err)
	}
	got := make([]Value, 0, n)
	for {
		x, ok, err := it.Next(th)
		if err != nil {
			return throw(ci, pc, err)
		}
		if !ok {
			break
		}
		if len(got) == n {
			return throw(ci, pc, unpackError(th, n+1, n, true))
		}
		got = append(got, x)
	}
	if len(got) < n {
		return throw(ci, pc, unpackError(th, len(got), n, false))
	}
	for i, x := range got {
		th.put(ci.slot(in.B+uint16(i)*16), x)
	}
	return ci, unsafe.Add(pc, isz)
}

func (th *Thread) unpackIter(v Value) (Iteration, error) {
	it, err := Iterate(th, v)
	if err != nil && Matches(err, TypeError) && !IsIterable(v) {
		err = th.TypeErrorf("cannot unpack non-iterable %s object", TypeName(v))
	}
	return it, err
}

func unpackError(th *Thread, got, want int, more bool) error {
	if got < want {
		return th.ValueErrorf("not enough values to unpack (expected %d, got %d)", want, got)
	}
	return th.ValueErrorf("too many values to unpack (expected %d)", want)
}

// opUnpackEx is a, *b, c = A.
func opUnpackEx(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	v := *ci.slot(in.A)
	before, after := int(in.K&0xFFFFFFFF), int(in.K>>32)
	ci.pc, th.cur = pc, ci
	items, exact := exactSequence(v)
	var it Iteration
	var err error
	if !exact {
		it, err = th.unpackIter(v)
	}
	if err != nil {
		return throw(ci, pc, err)
	}
	for !exact {
		x, ok, err := it.Next(th)
		if err != nil {
			return throw(ci, pc, err)
		}
		if !ok {
			break
		}
		items = append(items, x.Held())
	}
	if len(items) < before+after {
		return throw(ci, pc, th.ValueErrorf("not enough values to unpack (expected at least %d, got %d)", before+after, len(items)))
	}
	at := in.B
	put := func(x Value) { th.put(ci.slot(at), x); at += 16 }
	for _, h := range items[:before] {
		put(h.Value())
	}
	rest := items[before : len(items)-after]
	l := makeShort(len(rest))
	l.items = append(l.items, rest...)
	put(l.Value())
	for _, h := range items[len(items)-after:] {
		put(h.Value())
	}
	return ci, unsafe.Add(pc, isz)
}
