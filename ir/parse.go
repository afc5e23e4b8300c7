package ir

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// Parse reads what Graph.String printed. What isn't printed (values of captures,
// compiled functions) is missing in the result.
func Parse(text string) (g *Graph, err error) {
	p := &parser{text: text}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(parseError)
			if !ok {
				panic(r)
			}
			g, err = nil, fmt.Errorf("line %d: %s", strings.Count(text[:p.at], "\n")+1, string(e))
		}
	}()
	g = p.graph(nil)
	p.space()
	if p.at != len(text) {
		p.fail("text after the graph")
	}
	return g, nil
}

type parser struct {
	text string
	at   int
	deep int
}

type parseError string

func (p *parser) fail(format string, args ...any) { panic(parseError(fmt.Sprintf(format, args...))) }

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \n\t", p.text[p.at]) >= 0 {
		p.at++
	}
}

// eat skips s if it comes next.
func (p *parser) eat(s string) bool {
	p.space()
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) want(s string) {
	if !p.eat(s) {
		p.fail("%q expected", s)
	}
}

// word reads up to one of the stop characters or white space.
func (p *parser) word(stop string) string {
	p.space()
	i := p.at
	for p.at < len(p.text) && strings.IndexByte(stop+" \n", p.text[p.at]) < 0 {
		p.at++
	}
	return p.text[i:p.at]
}

func (p *parser) quoted() string {
	p.space()
	s, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil {
		p.fail("string expected")
	}
	p.at += len(s)
	s, _ = strconv.Unquote(s)
	return s
}

const maxNest = 200

func (p *parser) graph(outer *Graph) *Graph {
	if p.deep++; p.deep > maxNest {
		p.fail("graphs nest too deeply")
	}
	p.want("graph")
	g := NewGraph(p.quoted(), outer)
	syms := map[string]*Sym{}
	p.want("(")
	args := -1
	for !p.eat(")") {
		if p.eat("|") {
			args = len(g.Params)
		}
		name := p.word(":")
		p.want(":")
		t, h := p.typ()
		s := g.AddParam(name, t)
		s.Handle = h
		syms[s.name] = s
		p.eat(",")
	}
	if args >= 0 {
		g.Captures = make([]Value, len(g.Params)-args)
	}
	p.want("{")
	for !p.eat("return") {
		p.node(g, syms)
	}
	for !p.eat("}") {
		g.Results = append(g.Results, p.ref(syms))
		p.eat(",")
	}
	p.deep--
	return g
}

func (p *parser) ref(syms map[string]*Sym) *Sym {
	name := p.word(",)}")
	s := syms[name]
	if s == nil {
		p.fail("%q is not defined", name)
	}
	return s
}

func (p *parser) node(g *Graph, syms map[string]*Sym) {
	name := p.word("=")
	p.want("=")
	opName := p.word("{(")
	op := FindOp(opName)
	if op == nil {
		p.fail("no op %q", opName)
	}
	n := &Node{Op: op, Graph: g, Attrs: op.NewAttrs(), name: name}
	if p.eat("{") {
		p.attrs(g, n.Attrs)
	}
	p.want("(")
	for !p.eat(")") {
		n.In = append(n.In, p.ref(syms))
		p.eat(",")
	}
	if p.eat("after") {
		for again := true; again; again = p.eat(",") {
			n.After = append(n.After, p.earlier(g))
		}
	}
	if p.eat(":") {
		for again := true; again; again = p.eat(",") {
			t, h := p.typ()
			g.addOut(n, []Type{t})[0].Handle = h
		}
	}
	if p.eat("@") {
		pos, err := strconv.ParseUint(p.word(""), 10, 32)
		if err != nil {
			p.fail("position expected")
		}
		n.Pos = uint32(pos)
	}
	p.finish(g, n, syms)
}

func (p *parser) earlier(g *Graph) *Node {
	name := p.word(",:")
	for _, n := range g.Nodes {
		if n.name == name {
			return n
		}
	}
	p.fail("no node %q", name)
	return nil
}

// finish notes what is derived: names and known values.
func (p *parser) finish(g *Graph, n *Node, syms map[string]*Sym) {
	g.nameAll()
	g.unique(n.name)
	g.Nodes = append(g.Nodes, n)
	g.named = len(g.Nodes)
	for i, o := range n.Out {
		key := n.name
		if i > 0 {
			key += ":" + strconv.Itoa(i)
		}
		if syms[key] != nil {
			p.fail("%q is defined twice", key)
		}
		syms[key] = o
	}
	for _, b := range n.Graphs() {
		if b == nil {
			p.fail("%s without a graph", n.Op.Name)
		}
	}
	c := &Call{Op: n.Op, Attrs: n.Attrs}
	for _, x := range n.In {
		c.In = append(c.In, x)
	}
	if k, ok := n.Attrs.(*ConstAttrs); ok {
		if k.Value == nil || len(n.Out) != 1 {
			p.fail("constant without value")
		}
		n.Out[0].SetExact(k.Value)
	} else if n.Op.Known != nil && len(n.Out) > 0 {
		n.Out[0].Known = knownOf(c)
	}
}

// knownOf is what the op's rule knows of its result, nothing if the operands in the
// text aren't those of the op: Verify says so.
func knownOf(c *Call) (v []int64) {
	defer func() {
		if recover() != nil {
			v = nil
		}
	}()
	if k, ok := c.Op.Known(c); ok {
		return append([]int64{}, k...)
	}
	return nil
}

// typ reads float32[2,?] or resource[]<float32[2]>.
func (p *parser) typ() (t, handle Type) {
	name := p.word("[")
	dt, ok := tensor.ParseDType(name)
	if !ok && name != "invalid" {
		p.fail("no dtype %q", name)
	}
	t = Type{dt, p.shape()}
	if p.eat("<") {
		handle, _ = p.typ()
		p.want(">")
	}
	return t, handle
}

func (p *parser) shape() tensor.Shape {
	if p.eat("<unknown>") {
		return tensor.UnknownShape
	}
	p.want("[")
	if p.eat("...") {
		p.want("]")
		return tensor.UnknownShape
	}
	var dims []int
	for !p.eat("]") {
		w := p.word(",]")
		d, err := strconv.Atoi(w)
		if w == "?" {
			d, err = -1, nil
		}
		if err != nil {
			p.fail("dimension expected, got %q", w)
		}
		dims = append(dims, d)
		p.eat(",")
	}
	return tensor.ShapeOf(dims...)
}

func (p *parser) attrs(g *Graph, a any) {
	if a == nil {
		p.fail("op without attributes")
	}
	v := reflect.ValueOf(a).Elem()
	for !p.eat("}") {
		name := p.word(":")
		p.want(":")
		f := v.FieldByName(name)
		if !f.IsValid() || !f.CanSet() {
			p.fail("no attribute %q", name)
		}
		p.attr(g, f)
		p.eat(",")
	}
}

func (p *parser) attr(g *Graph, f reflect.Value) {
	switch f.Interface().(type) {
	case *Graph:
		f.Set(reflect.ValueOf(p.graph(g)))
	case *tensor.Tensor:
		f.Set(reflect.ValueOf(p.tensor()))
	case tensor.DType:
		name := p.word(",}]")
		dt, ok := tensor.ParseDType(name)
		if !ok {
			p.fail("no dtype %q", name)
		}
		f.Set(reflect.ValueOf(dt))
	case tensor.Shape:
		f.Set(reflect.ValueOf(p.shape()))
	case Type:
		t, _ := p.typ()
		f.Set(reflect.ValueOf(t))
	default:
		p.basic(g, f)
	}
}

func (p *parser) basic(g *Graph, f reflect.Value) {
	var err error
	switch f.Kind() {
	case reflect.String:
		f.SetString(p.quoted())
		return
	case reflect.Slice, reflect.Array:
		p.slice(g, f)
		return
	}
	w := p.word(",}]")
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(w == "true")
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int8:
		var i int64
		i, err = strconv.ParseInt(w, 10, 64)
		f.SetInt(i)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		var i uint64
		i, err = strconv.ParseUint(w, 10, 64)
		f.SetUint(i)
	case reflect.Float64, reflect.Float32:
		var x float64
		x, err = strconv.ParseFloat(w, 64)
		f.SetFloat(x)
	case reflect.Interface:
		if w != hostText {
			p.fail("attribute of the host: %s", w)
		}
	default:
		p.fail("attribute of kind %s", f.Kind())
	}
	if err != nil {
		p.fail("number expected, got %q", w)
	}
}

func (p *parser) slice(g *Graph, f reflect.Value) {
	p.want("[")
	for i := 0; !p.eat("]"); i++ {
		if f.Kind() == reflect.Slice {
			f.Set(reflect.Append(f, reflect.Zero(f.Type().Elem())))
		} else if i >= f.Len() {
			p.fail("too many elements")
		}
		p.attr(g, f.Index(i))
		p.eat(",")
	}
}

func (p *parser) tensor() *tensor.Tensor {
	ty, _ := p.typ()
	if !ty.Shp.Known() || ty.Shp.NumElements() > len(p.text) {
		p.fail("shape of a constant")
	}
	p.want("{")
	if ty.DT == tensor.String {
		var vals []string
		for !p.eat("}") {
			vals = append(vals, p.quoted())
		}
		if len(vals) != ty.Shp.NumElements() {
			p.fail("wrong number of elements")
		}
		return tensor.FromStrings(vals, ty.Shp.Dims()...)
	}
	t := tensor.Make(ty.DT, ty.Shp)
	for i := range t.Len() {
		p.elem(t, i, p.word("}"))
	}
	p.want("}")
	return t
}

func (p *parser) elem(t *tensor.Tensor, i int, w string) {
	var err error
	switch t.DType() {
	case tensor.Float32:
		var f float64
		f, err = strconv.ParseFloat(w, 32)
		t.F32()[i] = float32(f)
	case tensor.Float64:
		t.F64()[i], err = strconv.ParseFloat(w, 64)
	case tensor.Bool:
		t.Bools()[i] = w == "true"
	default:
		err = p.raw(t, i, w)
	}
	if err != nil {
		p.fail("element %d: %v", i, err)
	}
}

// raw reads an integer, or 0x and the bytes of an element.
func (p *parser) raw(t *tensor.Tensor, i int, w string) error {
	n := t.DType().Size()
	dst := t.Bytes()[i*n : (i+1)*n]
	if h, ok := strings.CutPrefix(w, "0x"); ok {
		b, err := hex.DecodeString(h)
		copy(dst, b)
		return err
	}
	v, err := strconv.ParseInt(w, 10, 64)
	for k := range dst {
		dst[k] = byte(v >> (8 * k))
	}
	return err
}
