package lang

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// holders finds which bindings hold the memory: a walk from each name of the
// running frames and of the script's modules; what two names reach is the first
// one's.
type holders struct {
	seen map[unsafe.Pointer]struct{}
	todo []Value
	held []holder
}

type holder struct {
	what, file string
	line       int32
	bytes      int
}

const (
	maxSeen    = 1 << 20 // objects that are looked at: the walk itself must stay small
	topHolders = 3
	leastShare = 1 << 16 // what holds less isn't worth a word
)

// limitText is the text of a MemoryError at a limit that the user set.
func (in *Interp) limitText() string {
	text := "the limit of " + bytesText(int(in.memory.max)) + " is reached"
	var parts []string
	for _, h := range in.topHolders() {
		parts = append(parts, fmt.Sprintf("%s (%s:%d) %s", h.what, filepath.Base(h.file), h.line, bytesText(h.bytes)))
	}
	if len(parts) == 0 {
		return text
	}
	return text + "; most is held by " + strings.Join(parts, ", ")
}

func bytesText(n int) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}

func (in *Interp) topHolders() []holder {
	h := &holders{seen: map[unsafe.Pointer]struct{}{}}
	for _, th := range in.threads {
		for f := th.cur; f != nil; f = f.up {
			if f.code != hostCode {
				h.frame(f)
			}
		}
	}
	slices.SortStableFunc(h.held, func(a, b holder) int { return cmp.Compare(b.bytes, a.bytes) })
	for i := range h.held {
		if i == topHolders || h.held[i].bytes < leastShare {
			return h.held[:i]
		}
	}
	return h.held
}

// frame measures the locals of a frame, what it is working on, and the globals that
// it sees.
func (h *holders) frame(f *Frame) {
	c := f.code.code
	f.eachLive(func(s *Value) {
		i := int((uintptr(unsafe.Pointer(s)) - uintptr(f.base)) / vsz)
		if i < len(c.LocalNames) && c.LocalNames[i] != "" && c.LocalNames[i][0] != '.' {
			h.add(fmt.Sprintf("'%s'", c.LocalNames[i]), c.File, firstStore(c, uint16(uintptr(i)*vsz), ""), *s)
			return
		}
		h.add("a value in progress", c.File, int32(f.Line()), *s)
	})
	g := f.code.globals
	if g == nil {
		return
	}
	for i := range g.ents {
		if e := &g.ents[i]; e.live() {
			if name, ok := AsStr(e.k.Value()); ok {
				h.add(fmt.Sprintf("'%s'", name.s), c.File, globalLine(f, g, name.s), e.v.Value())
			}
		}
	}
}

// globalLine is where a module binds a name first: in its own frame when that still
// runs, else where the function at hand begins.
func globalLine(f *Frame, g *Dict, name string) int32 {
	for m := f; m != nil; m = m.up {
		if m.code.globals == g && m.code.code != nil && m.code.code.Flags&code.FlagModule != 0 {
			return firstStore(m.code.code, code.NoSlot, name)
		}
	}
	return f.code.code.FirstLine
}

// firstStore is the line of the first instruction that writes a slot or binds a global.
func firstStore(c *code.Code, slot uint16, global string) int32 {
	for i := range c.Ins {
		in := &c.Ins[i]
		found := false
		switch {
		case global != "":
			found = in.Op == code.SetGlobal && c.Names[in.K&0xFFFFFFFF] == global
		default:
			in.EachSlot(c, func(off uint16, r code.Role) {
				found = found || off == slot && (r == code.Write || r == code.ReadWrite)
			})
		}
		if found && i < len(c.Pos) {
			return c.Pos[i].Line
		}
	}
	return c.FirstLine
}

// add measures what v reaches and nothing before it did.
func (h *holders) add(what, file string, line int32, v Value) {
	if v.Kind() == value.KindModule {
		return
	}
	h.reach(v)
	n := 0
	for len(h.todo) > 0 {
		x := h.todo[len(h.todo)-1]
		h.todo = h.todo[:len(h.todo)-1]
		n += shallowSize(x)
		if k := x.Kind(); k == value.KindCell {
			h.reach((*Cell)(x.P).v)
		} else if k != value.KindFunc && k != value.KindClass {
			Walk(x, h.reach)
		}
	}
	if n > 0 {
		h.held = append(h.held, holder{what, file, line, n})
	}
}

func (h *holders) reach(v Value) {
	switch v.Kind() {
	case value.KindInt, value.KindFloat, value.KindBool, value.KindNone, value.KindUnbound, value.KindModule:
		return
	}
	if len(h.seen) >= maxSeen {
		return
	}
	if _, ok := h.seen[v.P]; !ok {
		h.seen[v.P] = struct{}{}
		h.todo = append(h.todo, v)
	}
}

// shallowSize is what an object itself takes, about.
func shallowSize(v Value) int {
	const object = 32
	switch v.Kind() {
	case value.KindStr:
		return object + len((*Str)(v.P).s)
	case value.KindBytes:
		return object + len((*Bytes)(v.P).B)
	case value.KindByteArray:
		return object + cap((*ByteArray)(v.P).B)
	case value.KindList:
		return object + cap((*List)(v.P).items)*heldSize
	case value.KindTuple:
		return object + len((*Tuple)(v.P).items)*heldSize
	case value.KindDict:
		d := (*Dict)(v.P)
		return object + cap(d.ents)*int(unsafe.Sizeof(entry{})) + d.idx.bytes()
	case value.KindSet, value.KindFrozenSet:
		return object + len((*Set)(v.P).table)*setEntrySize
	}
	if b, ok := AsBig(v); ok {
		return object + len(b.Bits())*8
	}
	if size := ClassOf(v).Size; size != nil {
		return object + size(v)
	}
	return object
}
