package ir

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"

	"github.com/tfs-lang/tfs/tensor"
)

// tfdefs.txt is TensorFlow 2.21's registry of ops, for the ops that we name: a
// line is Op(arg:type …) -> (arg:type …) attr:type=default{allowed} …, ! for
// stateful. A type is an attribute's name, N*T for a list, or =dtype.
//
//go:embed tfdefs.txt
var tfdefs string

// Def is TensorFlow's definition of an op.
type Def struct {
	line     string
	Stateful bool
	once     sync.Once
	args     []ArgDef
	attrs    []AttrDef
}

// ArgDef is an operand or result.
type ArgDef struct {
	Name string
	Attr string       // the attribute that names its dtype
	DT   tensor.DType // if Attr is empty
	List bool
}

// AttrDef is an attribute; only those of type "type" have allowed values here.
type AttrDef struct {
	Name, Type, Default string
	Allowed             []string // C names in TensorFlow's order; nil: any
	mask                uint32
}

var defs = sync.OnceValue(func() map[string]*Def {
	m := make(map[string]*Def, 420)
	for line := range strings.Lines(tfdefs) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "(")
		if name != "" {
			m[name] = &Def{line: rest, Stateful: strings.HasSuffix(rest, " !")}
		}
	}
	return m
})

// Args are the operands.
func (d *Def) Args() []ArgDef { d.once.Do(d.parse); return d.args }

// TypeAttrs are the attributes that are dtypes, and all others, in order.
func (d *Def) Attrs() []AttrDef { d.once.Do(d.parse); return d.attrs }

func (d *Def) parse() {
	ins, rest, _ := strings.Cut(d.line, ") -> (")
	_, rest, _ = strings.Cut(rest, ") ")
	for f := range strings.FieldsSeq(ins) {
		d.args = append(d.args, parseArg(f))
	}
	for f := range strings.FieldsSeq(rest) {
		if f != "!" {
			d.attrs = append(d.attrs, parseAttr(f))
		}
	}
}

func parseArg(f string) ArgDef {
	name, t, _ := strings.Cut(f, ":")
	a := ArgDef{Name: name}
	if i := strings.IndexByte(t, '*'); i >= 0 {
		a.List, t = true, t[i+1:]
	}
	if c, ok := strings.CutPrefix(t, "="); ok {
		a.DT = fromC(c)
	} else {
		a.Attr = t
	}
	return a
}

func parseAttr(f string) AttrDef {
	name, t, _ := strings.Cut(f, ":")
	a := AttrDef{Name: name, mask: ^uint32(0)}
	if b, allowed, ok := strings.Cut(t, "{"); ok {
		t = b
		a.Allowed = strings.Split(strings.TrimSuffix(allowed, "}"), ",")
		a.mask = 0
		for _, c := range a.Allowed {
			if d := fromC(c); d != tensor.Invalid {
				a.mask |= 1 << d
			}
		}
	}
	a.Type, a.Default, _ = strings.Cut(t, "=")
	return a
}

func fromC(c string) tensor.DType {
	if d, ok := tensor.ParseDType(c); ok {
		return d
	}
	return tensor.Invalid
}

// dtypeRule is what a call is checked against before Infer: for each operand the
// first operand that must have the same dtype, and the allowed dtypes.
type dtypeRule struct {
	same  []int8 // per argument of the Def: first argument with the same attribute
	mask  []uint32
	list  []bool // arguments that are lists; all lists of a call have one length
	lists int
	plain bool // two operands or one, all of attribute T: the fast path
	like  bool // plain, and element-wise with one result of T
	all   uint32
}

// dtypeRule is worked out at the first call of the op; contexts on several
// goroutines may do so at once and get the same.
func (op *Op) dtypeRule() *dtypeRule {
	if r := op.rule.Load(); r != nil {
		return r
	}
	r := op.newDTypeRule()
	op.rule.Store(r)
	return r
}

func (op *Op) newDTypeRule() *dtypeRule {
	r := &dtypeRule{}
	if op.Def == nil {
		return r
	}
	first := map[string]int8{}
	r.plain = true
	for i, a := range op.Def.Args() {
		m := uint32(1) << a.DT
		same := int8(i)
		if a.Attr != "" {
			m = op.Def.attr(a.Attr).mask
			if j, ok := first[a.Attr]; ok {
				same = j
			} else {
				first[a.Attr] = int8(i)
			}
		}
		r.list = append(r.list, a.List)
		if a.List {
			r.lists++
		}
		r.plain = r.plain && same == 0 && !a.List && a.Attr != ""
		r.same, r.mask = append(r.same, same), append(r.mask, m)
		r.all = r.mask[0]
	}
	r.plain = r.plain && len(r.same) > 0
	r.like = r.plain && op.InPlace && op.Kernel != nil && op.Alloc == nil && op.View == nil && op.Effect == Pure &&
		op.Def.oneResultOf(op.Def.args[0].Attr)
	return r
}

func (d *Def) attr(name string) *AttrDef {
	for i := range d.Attrs() {
		if d.attrs[i].Name == name {
			return &d.attrs[i]
		}
	}
	return &AttrDef{mask: ^uint32(0)}
}

// oneResultOf reports a definition with one result whose dtype is the attribute.
func (d *Def) oneResultOf(attr string) bool {
	_, outs, _ := strings.Cut(d.line, ") -> (")
	outs, _, _ = strings.Cut(outs, ")")
	_, t, _ := strings.Cut(outs, ":")
	return t == attr && attr != ""
}

// Alike is the fast way through Check: it reports a call of an element-wise op on
// tensors of one type, and then has set the type of the result.
func (c *Call) Alike() bool {
	r := c.Op.rule.Load()
	if r == nil {
		r = c.Op.dtypeRule()
	}
	if !r.like {
		return false
	}
	t, ok := c.In[0].(*tensor.Tensor)
	if !ok || r.all>>t.DType()&1 == 0 {
		return false
	}
	for _, v := range c.In[1:] {
		if u, ok := v.(*tensor.Tensor); !ok || !u.Same(t) {
			return false
		}
	}
	c.like, c.nout = 0, 1
	if len(c.outBuf) == 0 {
		c.outBuf = append(c.outBuf, nil)
	}
	c.Out = c.outBuf[:1]
	return true
}

// Allows reports whether operand arg may have dtype dt.
func (op *Op) Allows(arg int, dt tensor.DType) bool {
	r := op.dtypeRule()
	return arg >= len(r.mask) || r.mask[arg]>>dt&1 != 0
}

// checkDTypes finds operands of a dtype that the op does not take, and operands
// that should agree and don't.
func (op *Op) checkDTypes(c *Call) *Mistake {
	r := op.dtypeRule()
	if r.plain {
		dt := c.In[0].DType()
		ok := r.all>>dt&1 != 0
		for _, v := range c.In[1:] {
			ok = ok && v.DType() == dt
		}
		if ok {
			return nil
		}
	}
	return op.checkSlow(c, r)
}

func (op *Op) checkSlow(c *Call, r *dtypeRule) *Mistake {
	if len(r.same) == 0 {
		return nil
	}
	firsts := make([]tensor.DType, len(r.same))
	names := make([]int, len(r.same))
	for i, v := range c.In {
		a := r.argOf(i, len(c.In))
		if a >= len(r.same) {
			break
		}
		dt, f := v.DType(), r.same[a]
		switch {
		case op.Def.args[a].Attr == "" && dt != op.Def.args[a].DT && !op.Def.args[a].List:
			return &Mistake{WrongArgDType, []any{op, i, a, op.Def.args[a].DT, dt}}
		case firsts[f] == tensor.Invalid:
			firsts[f], names[f] = dt, a
		case firsts[f] != dt && !(op.Def.args[a].List && strings.HasPrefix(op.Def.args[a].Attr, "T") && op.Def.listOfTypes(a)):
			return &Mistake{DTypesDiffer, []any{op, i, a, firsts[f], dt, names[f]}}
		}
	}
	for a := range r.same {
		if dt := firsts[a]; dt != tensor.Invalid && r.mask[a]>>dt&1 == 0 {
			return &Mistake{DTypeNotAllowed, []any{op, a, dt}}
		}
	}
	return nil
}

// listOfTypes reports an argument like *Tin whose elements may differ.
func (d *Def) listOfTypes(a int) bool {
	return strings.HasPrefix(d.attr(d.args[a].Attr).Type, "list")
}

// argOf maps operand i of n to its argument.
func (r *dtypeRule) argOf(i, n int) int {
	if r.lists == 0 {
		return i
	}
	size := (n - len(r.list) + r.lists) / r.lists
	for a, list := range r.list {
		w := 1
		if list {
			w = size
		}
		if i < w {
			return a
		}
		i -= w
	}
	return len(r.list)
}

// Bits counts the dtypes of a mask; for tests of the table.
func (a AttrDef) Bits() int { return bits.OnesCount32(a.mask) }
