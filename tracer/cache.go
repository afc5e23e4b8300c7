package tracer

import (
	"strconv"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// Cache holds the traces of one Function. Nothing leaves it (rule D15).
type Cache struct {
	list  []*ConcreteFunction
	exact map[string]*ConcreteFunction // by the numbers of the types
	count int
	plans [4]plan // the calls made last
	next  int
	buf   []byte
}

// plan is what a hit compares: the arguments of a call by header, dtype and shape,
// and which trace they led to.
type plan struct {
	args []planArg
	cf   *ConcreteFunction
}

type planArg struct {
	kind value.Kind
	dt   tensor.DType
	sh   tensor.Shape
	lit  lang.Value // of a literal: the same value
}

// hit finds the trace of a call that looks like one of the last ones. It
// allocates nothing.
func (c *Cache) hit(args []lang.Value) *ConcreteFunction {
	for i := range c.plans {
		p := &c.plans[i]
		if p.cf == nil || len(p.args) != len(args) {
			continue
		}
		if p.fits(args) {
			return p.cf
		}
	}
	return nil
}

func (p *plan) fits(args []lang.Value) bool {
	for i, v := range args {
		a := &p.args[i]
		if v.Kind() != a.kind {
			return false
		}
		if a.kind == value.KindTensor {
			t := tensor.Of(v)
			if t.Shape() != a.sh || t.DType() != a.dt {
				return false
			}
		} else if v != a.lit {
			return false
		}
	}
	return true
}

// remember notes a plan, if every argument is a tensor, a small literal or a
// variable: those are told apart by a word.
func (c *Cache) remember(args []lang.Value, b *bound, cf *ConcreteFunction) {
	if cf.plain = cf.plainInputs(); !cf.plain {
		return
	}
	p := plan{cf: cf, args: make([]planArg, len(args))}
	for i, v := range args {
		a := planArg{kind: v.Kind()}
		switch a.kind {
		case value.KindTensor:
			t := tensor.Of(v)
			a.dt, a.sh = t.DType(), t.Shape()
		case value.KindInt, value.KindBool, value.KindFloat, value.KindNone, value.KindVariable:
			a.lit = v.Held().Value()
		case value.KindStr:
			a.lit = v.Held().Value()
		default:
			return
		}
		p.args[i] = a
	}
	c.plans[c.next] = p
	c.next = (c.next + 1) % len(c.plans)
}

// keyText is the key as bytes: the parameter names and the numbers of the types.
func (c *Cache) keyText(b *bound, key []*TraceType) []byte {
	k := c.buf[:0]
	for i, t := range key {
		k = append(append(k, b.names[i]...), ':')
		k = strconv.AppendUint(k, uint64(t.id), 36)
		k = append(k, ',')
	}
	c.buf = k
	return k
}

// find is the trace of an equal key, or the most specific one that is more
// general (rule D11).
func (c *Cache) find(tr *Tracer, b *bound, key []*TraceType) *ConcreteFunction {
	if cf := c.exact[string(c.keyText(b, key))]; cf != nil {
		return cf
	}
	var best *ConcreteFunction
	for _, cf := range c.list {
		if !cf.accepts(tr.st.Th, b, key) {
			continue
		}
		if best == nil || cf.below(tr.st.Th, best) {
			best = cf
		}
	}
	return best
}

// accepts reports that a call of this key may use cf.
func (cf *ConcreteFunction) accepts(th *lang.Thread, b *bound, key []*TraceType) bool {
	if len(key) != len(cf.key) {
		return false
	}
	for i, t := range key {
		if b.names[i] != cf.names[i] || !t.sub(th, cf.key[i]) {
			return false
		}
	}
	return true
}

// below reports that cf is more specific than o.
func (cf *ConcreteFunction) below(th *lang.Thread, o *ConcreteFunction) bool {
	for i, t := range cf.key {
		if !t.sub(th, o.key[i]) {
			return false
		}
	}
	return true
}

func (c *Cache) add(b *bound, key []*TraceType, cf *ConcreteFunction) {
	if c.exact == nil {
		c.exact = map[string]*ConcreteFunction{}
	}
	c.list = append(c.list, cf)
	c.exact[string(c.keyText(b, key))] = cf
}

// relax generalises a key that missed against the traces that are there (rule D18).
func (c *Cache) relax(ts *Types, b *bound, key []*TraceType) []*TraceType {
	out := key
	for _, cf := range c.list {
		if g := cf.generalise(ts, b, out); g != nil {
			out = g
		}
	}
	return out
}

func (cf *ConcreteFunction) generalise(ts *Types, b *bound, key []*TraceType) []*TraceType {
	if len(key) != len(cf.key) {
		return nil
	}
	g := make([]*TraceType, len(key))
	for i, t := range key {
		if b.names[i] != cf.names[i] {
			return nil
		}
		if g[i] = ts.generalise(t, cf.key[i]); g[i] == nil {
			return nil
		}
	}
	return g
}
