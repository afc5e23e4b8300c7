package tf

import (
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
)

// printRows is tf.print (rules A47, A48).
var printRows = []row{
	{names: "tf.print", sig: "print(*inputs, output_stream=..., summarize=3, sep=' ', end='\\n', name=None)", fn: objFn(printFn)},
	{names: "tf.strings.format", sig: "format(template, inputs, placeholder='{}', summarize=3, name=None)", fn: fn(formatFn)},
}

// printer writes texts with tensors between them: parts[0], tensor 0, parts[1] and
// so on, one part more than tensors.
type printer struct {
	st        *bridge.State
	to        lang.Held // the stream
	parts     []string
	summarize int
}

// Call writes the line; it is what a PrintV2 node runs.
func (p *printer) Call(_ *ir.Env, in []ir.Value) ([]ir.Value, error) {
	w, err := lang.Attr(p.st.Th, p.to.Value(), "write")
	if err != nil {
		return nil, err
	}
	_, err = p.st.Th.Call(w, []lang.Value{lang.NewStr(p.text(in))})
	return nil, err
}

func (p *printer) text(in []ir.Value) string {
	var b strings.Builder
	for i, part := range p.parts {
		b.WriteString(part)
		if i < len(in) {
			switch t := in[i].(type) {
			case *tensor.Tensor:
				b.WriteString(format.TFPrint(t, p.summarize))
			case *ir.Ints:
				b.WriteString(format.TFPrint(t.Tensor(), p.summarize))
			}
		}
	}
	return b.String()
}

// template collects the parts and the tensors of what is printed.
type template struct {
	c     *call
	parts []string
	in    []ir.Value
	cur   strings.Builder
}

func printFn(c *call) lang.Value {
	t := &template{c: c}
	for i, v := range c.list(5) {
		if i > 0 {
			t.cur.WriteString(c.str(2, " "))
		}
		t.top(v)
	}
	t.cur.WriteString(c.str(3, "\n"))
	t.parts = append(t.parts, t.cur.String())
	to := c.stream(0)
	if !c.ok() {
		return lang.Unbound
	}
	p := &printer{st: c.State, to: to.Held(), parts: t.parts, summarize: c.int(1, 3)}
	if c.Tracing() {
		c.op(ops.PrintV2, &ops.HostAttrs{Fn: p, Text: "print"}, t.in...)
		return lang.None
	}
	_, err := p.Call(nil, t.in)
	c.keep(err)
	return lang.None
}

// stream is the output stream: a file object of sys.
func (c *call) stream(i int) lang.Value {
	sys, err := c.Th.Import("sys")
	if !c.keep(err) {
		return lang.Unbound
	}
	if !c.has(i) {
		v, err := lang.Attr(c.Th, sys, "stderr")
		c.keep(err)
		return v
	}
	v := c.a[i]
	for _, name := range []string{"stdout", "stderr", "__stdout__", "__stderr__"} {
		if f, found, _ := lang.AttrOr(c.Th, sys, name); found && f.Is(v) {
			return v
		}
	}
	c.valueError("Unknown output stream or output_stream not provided: %s: use sys.stdout or sys.stderr", text(c, i))
	return lang.Unbound
}

// tensor puts a tensor's place into the text.
func (t *template) tensor(v lang.Value) bool {
	if !tensorLike(v) {
		return false
	}
	x := t.c.convert(v, tensor.Invalid)
	t.parts = append(t.parts, t.cur.String())
	t.cur.Reset()
	t.in = append(t.in, x)
	return true
}

// top is an argument of tf.print: strings stand bare.
func (t *template) top(v lang.Value) {
	if s, ok := lang.AsStr(v); ok {
		t.cur.WriteString(s.String())
		return
	}
	t.value(v, 0)
}

// value is anything else: Python's syntax with tensors inside.
func (t *template) value(v lang.Value, depth int) {
	if t.c.err != nil || t.tensor(v) {
		return
	}
	c, err := bridge.Open(t.c.Th, v)
	if !t.c.keep(err) {
		return
	}
	if depth > 100 {
		c.Kind = bridge.Atom
	}
	switch c.Kind {
	case bridge.ListLike:
		t.items("[", "]", c.Items, depth)
	case bridge.TupleLike:
		end := ")"
		if len(c.Items) == 1 {
			end = ",)"
		}
		t.items("(", end, c.Items, depth)
	case bridge.NamedTuple:
		t.named(c, depth)
	case bridge.DictLike:
		t.dict(c, depth)
	default:
		s, err := lang.Repr(t.c.Th, v)
		t.c.keep(err)
		t.cur.WriteString(s)
	}
}

func (t *template) items(open, end string, items []lang.Value, depth int) {
	t.cur.WriteString(open)
	for i, it := range items {
		if i > 0 {
			t.cur.WriteString(", ")
		}
		t.value(it, depth+1)
	}
	t.cur.WriteString(end)
}

func (t *template) named(c bridge.Container, depth int) {
	cls := lang.ClassOf(c.V)
	fields, _ := lang.Sequence(cls.Lookup("_fields"))
	t.cur.WriteString(cls.Name + "(")
	for i, it := range c.Items {
		if i > 0 {
			t.cur.WriteString(", ")
		}
		if i < len(fields) {
			if s, ok := lang.AsStr(fields[i].Value()); ok {
				t.cur.WriteString(s.String() + "=")
			}
		}
		t.value(it, depth+1)
	}
	t.cur.WriteString(")")
}

func (t *template) dict(c bridge.Container, depth int) {
	t.cur.WriteString("{")
	for i, it := range c.Items {
		if i > 0 {
			t.cur.WriteString(", ")
		}
		k, err := lang.Repr(t.c.Th, c.Keys[i])
		t.c.keep(err)
		t.cur.WriteString(k + ": ")
		t.value(it, depth+1)
	}
	t.cur.WriteString("}")
}

// formatted is the text as a string tensor: what a StringFormat node runs.
type formatted struct{ printer }

func (p *formatted) Call(_ *ir.Env, in []ir.Value) ([]ir.Value, error) {
	return []ir.Value{scalarString(p.text(in))}, nil
}

func scalarString(s string) *tensor.Tensor { return tensor.FromStrings([]string{s}) }

// formatFn is tf.strings.format.
func formatFn(c *call) ir.Value {
	items := []lang.Value{c.a[1]}
	if _, ok := lang.Sequence(c.a[1]); ok {
		items = c.list(1)
	}
	parts := strings.Split(c.str(0, ""), c.str(2, "{}"))
	if len(parts) != len(items)+1 {
		return c.valueError("The template expects %d inputs, but the inputs only has %d elements.", len(parts)-1, len(items))
	}
	in := make([]ir.Value, len(items))
	for i, v := range items {
		in[i] = c.convert(v, tensor.Invalid)
	}
	p := &formatted{printer{st: c.State, parts: parts, summarize: c.int(3, 3)}}
	if !c.ok() {
		return nil
	}
	if !c.Tracing() {
		return scalarString(p.text(in))
	}
	return c.op(ops.EagerPyFunc, &ops.HostAttrs{Fn: p, Out: []ir.Type{{DT: tensor.String, Shp: tensor.Scalar}}, Text: "format"}, in...)
}
