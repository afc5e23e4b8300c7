package tensor

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
)

// Accountant knows live and peak bytes of tensor storage, also by the script
// line (site) that allocated it, and holds the limit. "Live" is what was
// reserved and not yet seen to be gone; Recount makes it exact.
type Accountant struct {
	// Limit is the most live bytes; 0 means none.
	Limit int64
	// Pressure, if set, is called before a limit error is raised: it should let
	// go of what it can (dead slots, caches), run the collector, and call
	// Recount. When it is nil, a collection is run.
	Pressure func()

	live, peak int64
	loose      int64  // part of live that no cleanup will report: small blocks
	cached     int64  // bytes on free lists, part of no site
	gen        uint32 // counts recounts; loose bytes of an older one are forgotten
	sites      map[uint32]*siteStat
	recent     [64]*siteStat
	gone       atomic.Int64 // bytes that the collector took, settled lazily
}

type siteStat struct {
	site              uint32
	live, peak, loose int64
	gone              atomic.Int64
}

// charge says on whose account a block stands. It outlives the block, so that
// the collector's cleanup can read it.
type charge struct {
	acct *Accountant
	stat atomic.Pointer[siteStat]
	n    int64
	gen  uint32      // Accountant.gen when it was charged or last seen
	free atomic.Bool // on a free list: not live
}

// cleanupBytes is the size from which a block reports its own end (one cleanup
// costs as much as the allocation of a small block).
const cleanupBytes = 64 << 10

func (a *Accountant) stat(site uint32) *siteStat {
	if s := a.recent[site&63]; s != nil && s.site == site {
		return s
	}
	s := a.sites[site]
	if s == nil {
		if a.sites == nil {
			a.sites = map[uint32]*siteStat{}
		}
		s = &siteStat{site: site}
		a.sites[site] = s
	}
	a.recent[site&63] = s
	return s
}

func (a *Accountant) add(s *siteStat, n int64) {
	a.live += n
	s.live += n
	if n > 0 {
		a.peak = max(a.peak, a.live)
		s.peak = max(s.peak, s.live)
	}
}

// Charge puts n bytes that are not a tensor's (strings, lists) on the site's
// account; negative n takes them off.
func (a *Accountant) Charge(site uint32, n int64) { a.add(a.stat(site), n) }

// chargeNew puts a fresh block on the account of the current site.
func (a *Allocator) chargeNew(b *Buffer, n int64) {
	b.charge = &charge{acct: &a.Accountant, n: n}
	a.chargeAgain(b.charge)
	if n >= cleanupBytes {
		runtime.AddCleanup(b, (*charge).collected, b.charge)
	}
}

// chargeAgain puts a block, new or from a free list, on the account.
func (a *Allocator) chargeAgain(c *charge) {
	s := a.stat(a.Site)
	c.stat.Store(s)
	c.gen = a.gen
	a.add(s, c.n)
	if c.n < cleanupBytes {
		a.addLoose(s, c.n)
	}
}

// discharge takes off a block that died by count.
func (a *Accountant) discharge(c *charge) {
	s := c.stat.Load()
	if c.n < cleanupBytes {
		if c.gen != a.gen {
			return // a recount forgot it already
		}
		a.addLoose(s, -c.n)
	}
	a.add(s, -c.n)
}

func (a *Accountant) addLoose(s *siteStat, n int64) {
	a.loose += n
	s.loose += n
}

// smallBytes is the size of a tensor with inline data.
const smallBytes = 64 + InlineBytes

// chargeSmall puts a tensor with inline data on the account of the current site.
func (a *Allocator) chargeSmall(t *Tensor) {
	t.Site, t.gen = a.Site, uint8(a.gen)
	s := a.stat(a.Site)
	a.add(s, smallBytes)
	a.addLoose(s, smallBytes)
}

func (a *Accountant) dischargeSmall(t *Tensor) {
	if t.gen != uint8(a.gen) {
		return
	}
	s := a.stat(t.Site)
	a.add(s, -smallBytes)
	a.addLoose(s, -smallBytes)
}

// collected runs on the collector's goroutine.
func (c *charge) collected() {
	if c.free.Load() {
		return // taken off when it went to the free list
	}
	c.stat.Load().gone.Add(c.n)
	c.acct.gone.Add(c.n)
}

// settle takes in what the collector took since the last look.
func (a *Accountant) settle() {
	if a.gone.Load() == 0 {
		return
	}
	a.gone.Store(0)
	for _, s := range a.sites {
		if n := s.gone.Swap(0); n != 0 {
			s.live -= n
			a.live -= n
		}
	}
}

// Live is the bytes reserved now.
func (a *Accountant) Live() int64 { a.settle(); return a.live }

// Peak is the most that Live was since the start or ResetPeak.
func (a *Accountant) Peak() int64 { return a.peak }

// ResetPeak makes the current state the peak.
func (a *Accountant) ResetPeak() {
	a.settle()
	a.peak = a.live
	for _, s := range a.sites {
		s.peak = s.live
	}
}

// Cached is the bytes that wait on free lists.
func (a *Accountant) Cached() int64 { return a.cached }

// Holder is what one site holds.
type Holder struct {
	Site       uint32
	Live, Peak int64
}

// Top lists the n sites that hold most, the largest first.
func (a *Accountant) Top(n int) []Holder {
	a.settle()
	var hs []Holder
	for _, s := range a.sites {
		if s.live > 0 {
			hs = append(hs, Holder{s.site, s.live, s.peak})
		}
	}
	slices.SortFunc(hs, func(x, y Holder) int {
		return cmp.Or(cmp.Compare(y.Live, x.Live), cmp.Compare(x.Site, y.Site))
	})
	return hs[:min(n, len(hs))]
}

// LimitError says that an allocation would pass the limit.
type LimitError struct {
	Need, Live, Limit int64
	Top               []Holder
}

// Error names the numbers; the script's exception adds the lines of Top.
func (e *LimitError) Error() string {
	return fmt.Sprintf("out of memory: %d bytes wanted, %d in use, limit %d", e.Need, e.Live, e.Limit)
}

// ErrNoRoom is Room's answer when the machine hasn't got the memory.
var ErrNoRoom = errors.New("no room")

// NoRoomError says that the machine hasn't got the memory for a tensor.
type NoRoomError struct {
	DType DType
	Shape Shape
}

func (e *NoRoomError) Error() string {
	return "OOM when allocating tensor with shape" + e.Shape.Brackets() + " and type " + e.DType.CName() +
		" on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"
}

// admit asks whether n more bytes are allowed.
func (a *Allocator) admit(n int64) error {
	if a.Limit == 0 || a.live+n <= a.Limit && n <= a.Limit {
		return nil
	}
	return a.underPressure(n)
}

func (a *Allocator) underPressure(n int64) error {
	a.settle()
	if n >= 0 && a.live <= a.Limit-n {
		return nil
	}
	a.Trim()
	if a.Pressure != nil {
		a.Pressure()
	} else {
		runtime.GC()
		a.Recount(nil)
	}
	a.settle()
	if n >= 0 && a.live <= a.Limit-n {
		return nil
	}
	return &LimitError{Need: n, Live: a.live, Limit: a.Limit, Top: a.Top(5)}
}

// Recount makes the figures exact: walk must call its argument for every tensor
// that a root reaches. Blocks seen twice count once; a nil walk forgets all
// small blocks, the best guess after a collection when there is no walk.
func (a *Accountant) Recount(walk func(mark func(*Tensor))) {
	a.settle()
	for _, s := range a.sites {
		s.live -= s.loose
		s.loose = 0
	}
	a.live -= a.loose
	a.loose = 0
	a.gen++
	if walk != nil {
		walk(a.mark)
	}
}

func (a *Accountant) mark(t *Tensor) {
	if t.buf == nil {
		if t.gen != uint8(a.gen) {
			t.gen = uint8(a.gen)
			s := a.stat(t.Site)
			a.add(s, smallBytes)
			a.addLoose(s, smallBytes)
		}
		return
	}
	c := t.buf.charge
	if c == nil || c.acct != a || c.n >= cleanupBytes || c.gen == a.gen {
		return
	}
	c.gen = a.gen
	s := c.stat.Load()
	a.add(s, c.n)
	a.addLoose(s, c.n)
}
