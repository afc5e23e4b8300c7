package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

// stageOps are the instructions of staged code. On plain values they branch; on
// symbolic ones the thread's Stager opens a region.
func stageOps(t *[opLast]slow) {
	for op := code.SIfBegin; op <= code.SNot; op++ {
		t[op] = stage
	}
	t[code.SCall] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		f := ci.slot(in.A)
		return stagedCall(ci, pc, *f, callSite{w: unsafe.Add(unsafe.Pointer(f), vsz), n: int(in.B), dst: in.C, room: true})
	}
	t[code.SCallGlobal] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		f := ci.global(in.K).v
		if f.IsUnbound() {
			var err error
			if f, err = ci.builtin(pc); err != nil {
				return throw(ci, pc, err)
			}
		} else if r := ci.reader(pc); r != nil {
			r.ReadCell(ci, ci.rawName(in).s, ci.global(in.K))
		}
		return stagedCall(ci, pc, f, callSite{w: unsafe.Pointer(ci.slot(in.A)), n: int(in.B), dst: in.C})
	}
	t[code.SCallMethod] = stagedMethod
	t[code.SCallMethodKw] = stagedMethod
	t[code.SCallKw] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		f := ci.slot(in.A)
		return stagedCall(ci, pc, *f, callSite{w: unsafe.Add(unsafe.Pointer(f), vsz), n: int(in.B), dst: in.C, room: true, names: ci.code.kwNames(int(in.K))})
	}
	t[code.SCallEx] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		s := ci.slot((*Instr)(pc).A)
		f, err := ci.th.converted(*s)
		if err != nil {
			return throw(ci, pc, err)
		}
		ci.th.put(s, f)
		return callEx(ci, pc)
	}
}

// converted is the callable that staged code calls instead of f.
func (th *Thread) converted(f Value) (Value, error) {
	if th.Stager == nil {
		return f, nil
	}
	return th.Stager.Call(th, f)
}

func stagedCall(ci *Frame, pc unsafe.Pointer, f Value, s callSite) (*Frame, unsafe.Pointer) {
	ci.pc, ci.th.cur = pc, ci
	f, err := ci.th.converted(f)
	if err != nil {
		return throw(ci, pc, err)
	}
	return invoke(ci, pc, f, s)
}

func stagedMethod(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	o := ci.slot(in.A)
	s := callSite{w: unsafe.Add(unsafe.Pointer(o), vsz), n: int(in.B), dst: in.C, room: true}
	k := in.K
	if in.Op == code.SCallMethodKw {
		s.names = ci.code.kwNames(int(in.K >> 32))
		k &= 0xFFFFFFFF
	}
	if r := ci.reader(pc); r != nil {
		r.ReadAttr(ci, *o, ci.code.ics[k].name)
	}
	f, err := GetAttr(th, *o, ci.code.ics[k].name)
	if err != nil {
		return throwInner(ci, pc, err)
	}
	return stagedCall(ci, pc, f, s)
}

// stage runs one region instruction.
func stage(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	to, err := th.stage(ci, in)
	if err != nil {
		return throw(ci, pc, err)
	}
	if to >= 0 {
		return ci, ci.at(to)
	}
	return ci, unsafe.Add(pc, isz)
}

func (th *Thread) symbolic(v Value) bool {
	return th.Stager != nil && v.P != nil && th.Stager.Symbolic(v)
}

// stage says where to go on; -1 is the next instruction.
func (th *Thread) stage(ci *Frame, in *Instr) (int, error) {
	if in.Op == code.SNot {
		return th.stageNot(ci, in)
	}
	k := int(in.K)
	r := &ci.code.code.Regions[k]
	v := *ci.slot(in.B)
	switch in.Op {
	case code.SEnd, code.STest:
		if n := len(ci.stages); n > 0 && ci.stages[n-1].Region() == k {
			to, done, err := th.Stager.End(ci, ci.stages[n-1])
			if done {
				ci.stages = ci.stages[:n-1]
			}
			return to, err
		}
		return th.plainEnd(ci, in, r, v)
	case code.SIfBegin:
		if th.symbolic(v) {
			return th.begin(ci, k, v)
		}
		t, err := Truth(th, v)
		if t {
			return int(r.Then), err
		}
		return int(r.Else), err
	case code.SBool:
		if th.symbolic(v) {
			return th.begin(ci, k, v)
		}
		t, err := Truth(th, v)
		if t == (r.Kind == code.RegionOr) {
			return int(r.Join), err
		}
		return -1, err
	case code.SWhileIn:
		if th.Stager == nil {
			return int(r.Else), nil
		}
		return th.begin(ci, k, Unbound)
	case code.SForIn:
		if th.symbolic(v) {
			return th.begin(ci, k, v)
		}
		it, err := Iter(th, v)
		if err == nil {
			th.put(ci.slot(in.B), it)
		}
		return -1, err
	case code.SForNext:
		return th.stageNext(ci, in, r)
	case code.SFlag:
		if th.symbolic(v) {
			return -1, th.Raise(NotImplementedError, "break and return statements which depend on a TF condition are not supported in Python for loops. Did you intend to make it a TF loop?")
		}
		t, err := Truth(th, v)
		if t {
			return int(r.Join), err
		}
		return -1, err
	}
	return -1, nil
}

func (th *Thread) begin(ci *Frame, region int, v Value) (int, error) {
	s, to, err := th.Stager.Begin(ci, region, v)
	if s != nil {
		ci.stages = append(ci.stages, s)
	}
	return to, err
}

func (th *Thread) stageNot(ci *Frame, in *Instr) (int, error) {
	v, err := th.notOf(*ci.slot(in.B))
	if err == nil {
		th.put(ci.slot(in.A), v)
	}
	return -1, err
}

func (th *Thread) notOf(v Value) (Value, error) {
	if th.symbolic(v) {
		if n, ok := th.Stager.(interface {
			Not(th *Thread, v Value) (Value, error)
		}); ok {
			return n.Not(th, v)
		}
	}
	return UnaryOperation(th, OpNot, v)
}

func (th *Thread) stageNext(ci *Frame, in *Instr, r *code.Region) (int, error) {
	if n := len(ci.stages); n > 0 && ci.stages[n-1].Region() == int(in.K) {
		return -1, nil // the stager has put the element
	}
	x, ok, err := Next(th, *ci.slot(r.Iter))
	if err != nil {
		return -1, err
	}
	if !ok {
		return int(r.Join), nil
	}
	th.put(ci.slot(in.C), x)
	return -1, nil
}

// plainEnd is the end of a part, or a loop's test, of a region that runs as plain Python.
func (th *Thread) plainEnd(ci *Frame, in *Instr, r *code.Region, v Value) (int, error) {
	if in.Op == code.STest {
		if th.symbolic(v) {
			return -1, th.Raise(NotImplementedError, "The condition of while loop started as non-Tensor, then changed to Tensor. This may happen either because variables changed type, or when a break or return statement inside the loop depends on a Tensor condition.")
		}
		t, err := Truth(th, v)
		if !t {
			return int(r.Join), err
		}
		return -1, err
	}
	if r.Kind == code.RegionWhile || r.Kind == code.RegionFor {
		return int(r.Else), nil
	}
	return int(r.Join), nil
}
