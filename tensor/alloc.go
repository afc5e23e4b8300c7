package tensor

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/tfs-lang/tfs/internal/poison"
	"github.com/tfs-lang/tfs/lang/value"
)

// Allocator makes tensors and takes dead ones back. It belongs to one context
// and is not safe for concurrent use.
type Allocator struct {
	Accountant
	// Site is the script position that new tensors are charged to.
	Site uint32
	// Poison fills dead data and new data with NaN bytes, to find reads of dead tensors.
	Poison bool
	// Keeps turns recycling off: what dies is the collector's (a debugging aid).
	Keeps bool
	// Room, if set, is asked before a large fresh block is made; its error is New's.
	Room func(n int) error
	// OnDead, if set, sees each tensor before it is used again.
	OnDead func(*Tensor)
	// OnEnd, if set, is told that the last counted place of a tensor with flags went.
	OnEnd func(*Tensor)

	smalls []*Tensor // dead, with inline data
	heads  []*Tensor // dead, data gone
	free   [256][]*Buffer
	low    [256]int // shortest each list was since the last trim
	cycle  *atomic.Bool
	// Stats counts what the steady state should not do.
	Stats AllocStats
}

// AllocStats counts allocations.
type AllocStats struct {
	FreshBlocks, ReusedBlocks, FreshSmalls, FreshHeads int
}

// maxOwn is the largest count; one more place makes a tensor the collector's.
const maxOwn = 65000

// NewAllocator returns one that recycles.
func NewAllocator() *Allocator { return &Allocator{} }

// New returns a tensor with undefined content; the caller owns its one
// reference. It fails with *LimitError, *NoRoomError or what Room returns. Strings are made by Strings.
func (a *Allocator) New(dt DType, s Shape) (*Tensor, error) {
	n := s.NumElements()
	if n*dt.Size() <= InlineBytes && n <= InlineBytes {
		t := a.small()
		t.dtype, t.shape, t.n = dt, s, n
		return t, nil
	}
	return a.large(dt, s, n)
}

// Like returns a tensor of t's dtype and shape with undefined content.
func (a *Allocator) Like(t *Tensor) (*Tensor, error) { return a.New(t.dtype, t.shape) }

// Zeros returns a tensor of zeros (False, empty strings).
func (a *Allocator) Zeros(dt DType, s Shape) (*Tensor, error) {
	if dt == String {
		var b StringBuilder
		b.offs = make([]int, s.NumElements()+1)
		return a.Strings(&b, s)
	}
	t, err := a.New(dt, s)
	if err == nil {
		clear(t.Bytes())
	}
	return t, err
}

// Copy returns a tensor with a copy of t's elements.
func (a *Allocator) Copy(t *Tensor) (*Tensor, error) {
	if t.dtype == String {
		return a.View(t, 0, t.shape)
	}
	u, err := a.New(t.dtype, t.shape)
	if err == nil {
		copy(u.Bytes(), t.Bytes())
	}
	return u, err
}

func (a *Allocator) small() *Tensor {
	var t *Tensor
	if n := len(a.smalls) - 1; n >= 0 {
		t = a.smalls[n]
		a.smalls = a.smalls[:n]
		t.Header = value.Header{Type: EagerType, Own: 1, Kind: value.KindTensor}
		t.Node = 0
	} else {
		a.Stats.FreshSmalls++
		s := &small{}
		s.Header = value.Header{Type: EagerType, Own: 1, Kind: value.KindTensor}
		s.data = unsafe.Pointer(&s.inline)
		t = &s.Tensor
		if a.Poison {
			poison.Fill(unsafe.Slice((*byte)(t.data), InlineBytes))
		}
	}
	a.chargeSmall(t)
	return t
}

func (a *Allocator) head() *Tensor {
	var t *Tensor
	if n := len(a.heads) - 1; n >= 0 {
		t = a.heads[n]
		a.heads[n] = nil
		a.heads = a.heads[:n]
	} else {
		a.Stats.FreshHeads++
		t = &Tensor{}
	}
	t.Header = value.Header{Type: EagerType, Own: 1, Kind: value.KindTensor, Site: a.Site}
	t.Node = 0
	return t
}

func (a *Allocator) large(dt DType, s Shape, n int) (*Tensor, error) {
	if n < 0 || dt == String || dt.Size() == 0 {
		panic("tfs bug: tensor of " + dt.Name() + " " + s.String())
	}
	if n > 1<<46/dt.Size() {
		return nil, &NoRoomError{dt, s}
	}
	b, err := a.block(n * dt.Size())
	if err != nil {
		if err == ErrNoRoom {
			err = &NoRoomError{dt, s}
		}
		return nil, err
	}
	t := a.head()
	t.buf, t.data = b, b.ptr()
	t.dtype, t.shape, t.n = dt, s, n
	return t, nil
}

// block takes a block from its free list or makes one.
func (a *Allocator) block(n int) (*Buffer, error) {
	c, size := classOf(n)
	if a.Limit != 0 {
		if err := a.admit(int64(size)); err != nil {
			return nil, err
		}
	}
	if l := a.free[c]; len(l) > 0 {
		b := l[len(l)-1]
		l[len(l)-1] = nil
		a.free[c] = l[:len(l)-1]
		a.low[c] = min(a.low[c], len(l)-1)
		b.refs = 1
		a.Stats.ReusedBlocks++
		a.cached -= int64(size)
		b.charge.free.Store(false)
		a.chargeAgain(b.charge)
		return b, nil
	}
	if a.Room != nil && size >= cleanupBytes {
		if err := a.Room(size); err != nil {
			return nil, err
		}
	}
	a.Stats.FreshBlocks++
	a.settle()
	a.lookAtCycle()
	b := &Buffer{mem: alignedBytes(size), refs: 1, class: int32(c)}
	if a.Poison {
		poison.Fill(b.mem)
	}
	a.chargeNew(b, int64(size))
	return b, nil
}

// View returns a tensor of another shape on t's data from element off on. The
// caller owns its one reference. Inline data is copied.
func (a *Allocator) View(t *Tensor, off int, s Shape) (*Tensor, error) {
	n := s.NumElements()
	if t.buf == nil {
		v, err := a.New(t.dtype, s)
		if err == nil {
			size := t.dtype.Size()
			copy(v.Bytes(), t.Bytes()[off*size:(off+n)*size])
		}
		return v, err
	}
	v := a.head()
	v.dtype, v.shape, v.n, v.buf = t.dtype, s, n, t.buf
	v.data = t.data
	if n > 0 || t.dtype == String { // never point past the end of the block
		v.data = unsafe.Add(t.data, off*t.dtype.Size())
	}
	t.buf.refs++
	return v, nil
}

// Keep counts one more place that holds t.
func (a *Allocator) Keep(t *Tensor) {
	switch {
	case t.Own == 0:
	case t.Own >= maxOwn:
		t.Own = 0
	default:
		t.Own++
	}
}

// Drop releases one place that held t; the last one gives header and block back.
func (a *Allocator) Drop(t *Tensor) {
	if t.Own == 0 {
		return
	}
	if t.Own--; t.Own == 0 && !a.Keeps {
		a.dead(t)
	}
}

// Hold leaves t to the collector for good.
func Hold(t *Tensor) { t.Own = 0 }

func (a *Allocator) dead(t *Tensor) {
	if a.OnDead != nil {
		a.OnDead(t)
	}
	if t.Flags != 0 { // someone may ask for it again: the header is not used twice
		if a.OnEnd != nil {
			a.OnEnd(t)
		}
		return
	}
	b := t.buf
	if b == nil {
		if a.Poison {
			poison.Fill(unsafe.Slice((*byte)(t.data), InlineBytes))
		}
		a.dischargeSmall(t)
		a.smalls = append(a.smalls, t)
		return
	}
	t.buf, t.data, t.n = nil, nil, 0
	a.heads = append(a.heads, t)
	a.release(b)
}

// release takes one reference off a block and recycles it at the last.
func (a *Allocator) release(b *Buffer) {
	if b.refs--; b.refs > 0 || b.charge == nil || b.charge.acct != &a.Accountant {
		return
	}
	a.discharge(b.charge)
	b.charge.free.Store(true)
	if b.class == noClass {
		b.charge = nil
		return
	}
	if a.Poison {
		poison.Fill(b.mem)
	}
	a.cached += int64(len(b.mem))
	a.free[b.class] = append(a.free[b.class], b)
}

// Trim hands all cached blocks and headers to the collector.
func (a *Allocator) Trim() {
	for i := range a.free {
		a.free[i] = nil
		a.low[i] = 0
	}
	a.cached = 0
	a.smalls, a.heads = nil, nil
}

// lookAtCycle trims what lay unused since the collection before, once for each
// collection. Fresh blocks ask; a program that needs none has nothing to trim.
func (a *Allocator) lookAtCycle() {
	if a.cycle != nil && !a.cycle.Load() {
		return
	}
	if a.cycle != nil {
		a.trimUnused()
	}
	a.cycle = new(atomic.Bool)
	// The sentinel dies in the next collection, and says so.
	runtime.AddCleanup(&sentinel{}, func(b *atomic.Bool) { b.Store(true) }, a.cycle)
}

// sentinel is large enough to have a block of its own.
type sentinel struct{ _ [16]uintptr }

func (a *Allocator) trimUnused() {
	for c, l := range a.free {
		if n := min(a.low[c], len(l)); n > 0 {
			for _, b := range l[:n] {
				a.cached -= int64(len(b.mem))
			}
			a.free[c] = append([]*Buffer(nil), l[n:]...)
		}
		a.low[c] = len(a.free[c])
	}
}
