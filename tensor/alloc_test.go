package tensor

import (
	"errors"
	"math"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

func mustNew(t *testing.T, a *Allocator, dt DType, dims ...int) *Tensor {
	t.Helper()
	x, err := a.New(dt, ShapeOf(dims...))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestLoopThatDropsReusesItsBlocks(t *testing.T) {
	a := NewAllocator()
	x := mustNew(t, a, Float32, 1000)
	step := func() {
		y, _ := a.Like(x)
		a.Drop(x)
		x = y
	}
	step()
	fresh := a.Stats
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	if a.Stats.FreshBlocks != fresh.FreshBlocks || a.Stats.FreshHeads != fresh.FreshHeads {
		t.Errorf("fresh blocks: %+v, before %+v", a.Stats, fresh)
	}
}

func TestSmallTensorsAreInlineAndReused(t *testing.T) {
	a := NewAllocator()
	if n := testing.AllocsPerRun(100, func() {
		x, _ := a.New(Float32, ShapeOf(4, 4))
		if x.Buffer() != nil {
			t.Fatal("not inline")
		}
		a.Drop(x)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestViewKeepsTheBlock(t *testing.T) {
	a := NewAllocator()
	a.Poison = true
	x := mustNew(t, a, Float32, 100)
	for i := range x.F32() {
		x.F32()[i] = float32(i)
	}
	v, _ := a.View(x, 50, ShapeOf(5, 10))
	if x.Alone() || v.Alone() {
		t.Error("a viewed block is shared")
	}
	a.Drop(x)
	if !v.Alone() || v.F32()[3] != 53 {
		t.Errorf("view lost its data: %v", v.F32()[3])
	}
	a.Drop(v)
	y := mustNew(t, a, Float32, 100)
	if a.Stats.ReusedBlocks != 1 {
		t.Error("the block was not recycled")
	}
	if f := y.F32()[3]; f == f {
		t.Errorf("recycled data is %v, want NaN", f)
	}
}

func TestHeldTensorsAreNeverRecycled(t *testing.T) {
	a := NewAllocator()
	x := mustNew(t, a, Float32, 100)
	x.Value().Held()
	a.Drop(x)
	a.Drop(x)
	if mustNew(t, a, Float32, 100); a.Stats.ReusedBlocks != 0 {
		t.Error("a held block was recycled")
	}
}

func TestByteLimit(t *testing.T) {
	a := NewAllocator()
	a.Limit = 1 << 20
	var xs []*Tensor
	var err error
	for site := uint32(7); err == nil; {
		a.Site = site
		var x *Tensor
		x, err = a.New(Float32, ShapeOf(64<<10))
		xs = append(xs, x)
		if len(xs) > 10 {
			t.Fatal("no limit")
		}
	}
	var le *LimitError
	if !errors.As(err, &le) || le.Limit != 1<<20 || le.Need != 256<<10 {
		t.Fatalf("got %#v", err)
	}
	if len(le.Top) != 1 || le.Top[0].Site != 7 || le.Top[0].Live != le.Live {
		t.Errorf("top holders %+v of %d", le.Top, le.Live)
	}
	if len(xs) != 5 {
		t.Errorf("%d tensors made", len(xs))
	}
	a.Drop(xs[0])
	if _, err := a.New(Float32, ShapeOf(64<<10)); err != nil {
		t.Errorf("after a drop: %v", err)
	}
	runtime.KeepAlive(xs)
}

func TestLimitFindsWhatTheCollectorTook(t *testing.T) {
	a := NewAllocator()
	a.Limit = 8 << 20
	a.Pressure = func() {
		for range 3 {
			runtime.GC()
		}
		runtime.Gosched()
	}
	for i := range 100 {
		x, err := a.New(Float32, ShapeOf(256<<10))
		if err != nil {
			t.Fatalf("tensor %d: %v", i, err)
		}
		Hold(x)
	}
}

func TestHugeShapeIsALimitError(t *testing.T) {
	a := NewAllocator()
	if _, err := a.New(Float32, ShapeOf(math.MaxInt, 3)); err == nil {
		t.Error("no error")
	}
}

func TestRecountCountsWhatIsReachable(t *testing.T) {
	a := NewAllocator()
	x, y := mustNew(t, a, Float32, 100), mustNew(t, a, Float32, 2)
	Hold(mustNew(t, a, Float32, 100))
	before := a.Live()
	a.Recount(func(mark func(*Tensor)) { mark(x); mark(x); mark(y) })
	if a.Live() != 448+128 || before != 2*448+128 {
		t.Errorf("live %d, before %d", a.Live(), before)
	}
	a.Drop(x)
	a.Drop(y)
	if a.Live() != 0 {
		t.Errorf("%d live at the end", a.Live())
	}
}

// A random program of new, view, keep, drop and hold on poisoned memory never
// sees another one's data.
func TestRecyclingNeverDisturbsLiveTensors(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := NewAllocator()
		a.Poison = true
		type entry struct {
			t     *Tensor
			count int
			want  float32
		}
		var live []entry
		for i := range rapid.IntRange(1, 60).Draw(r, "steps") {
			k := -1
			if len(live) > 0 {
				k = rapid.IntRange(0, len(live)-1).Draw(r, "which")
			}
			switch op := rapid.IntRange(0, 5).Draw(r, "op"); {
			case k < 0 || op == 0:
				x, _ := a.New(Float32, ShapeOf(rapid.SampledFrom([]int{1, 16, 17, 100, 20000}).Draw(r, "n")))
				for j := range x.F32() {
					x.F32()[j] = float32(i)
				}
				live = append(live, entry{x, 1, float32(i)})
			case op == 1:
				v, _ := a.View(live[k].t, 0, live[k].t.Shape())
				live = append(live, entry{v, 1, live[k].want})
			case op == 2:
				a.Keep(live[k].t)
				live[k].count++
			case op == 3:
				Hold(live[k].t)
			default:
				a.Drop(live[k].t)
				if live[k].count--; live[k].count == 0 {
					live = append(live[:k], live[k+1:]...)
				}
			}
			for _, e := range live {
				for _, f := range e.t.F32() {
					if f != e.want {
						r.Fatalf("step %d: %v in a tensor of %v", i, f, e.want)
					}
				}
			}
		}
	})
}
