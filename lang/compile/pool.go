package compile

import (
	"math"

	"github.com/tfs-lang/tfs/lang/code"
)

const linearNames = 12

// interner numbers strings.
type interner struct {
	list []string
	at   map[string]int
}

// reset forgets the strings and keeps the buffer.
func (t interner) reset() interner {
	clear(t.list)
	return interner{list: t.list[:0]}
}

func (t *interner) index(s string) int {
	if t.at != nil {
		if i, ok := t.at[s]; ok {
			return i
		}
	} else {
		for i, have := range t.list {
			if have == s {
				return i
			}
		}
	}
	t.list = append(t.list, s)
	n := len(t.list)
	switch {
	case t.at != nil:
		t.at[s] = n - 1
	case n > linearNames:
		t.at = make(map[string]int, 4*linearNames)
		for i, have := range t.list {
			t.at[have] = i
		}
	}
	return n - 1
}

// pool numbers constants; equal scalars share a place.
type pool struct {
	list  []code.Const
	texts map[string]int // strings, once there are many
}

// reset forgets the constants and keeps the buffer.
func (p pool) reset() pool {
	clear(p.list)
	return pool{list: p.list[:0]}
}

func (p *pool) index(c code.Const) int {
	if p.texts != nil && c.Kind == code.ConstStr {
		if i, ok := p.texts[c.S]; ok {
			return i
		}
	} else {
		for i := range p.list[:min(len(p.list), linearNames)] {
			if sameScalar(&p.list[i], &c) {
				return i
			}
		}
	}
	p.list = append(p.list, c)
	n := len(p.list)
	if p.texts == nil && n > linearNames {
		p.texts = map[string]int{}
		for i := range p.list {
			if p.list[i].Kind == code.ConstStr {
				p.texts[p.list[i].S] = i
			}
		}
	} else if p.texts != nil && c.Kind == code.ConstStr {
		p.texts[c.S] = n - 1
	}
	return n - 1
}

// sameScalar reports constants that are the same in every way that shows.
func sameScalar(a, b *code.Const) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case code.ConstStr, code.ConstBytes:
		return a.S == b.S
	case code.ConstInt, code.ConstBool:
		return a.I == b.I
	case code.ConstFloat:
		return math.Float64bits(a.F) == math.Float64bits(b.F)
	case code.ConstNone, code.ConstEllipsis:
		return true
	case code.ConstTuple:
		if len(a.T) != len(b.T) {
			return false
		}
		for i := range a.T {
			if !sameScalar(&a.T[i], &b.T[i]) {
				return false
			}
		}
		return true
	}
	return false
}
