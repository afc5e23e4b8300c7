package ir

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// String is the text of g: deterministic, and Parse reads it back.
//
//	graph f(x: float32[2,?], y: float32[]) {
//	  add = AddV2(x, y) : float32[2,?] @12
//	  If, If:1 = If{Then: graph …{…}, Else: …}(c, add) : float32[], int32[]
//	  return add, If:1
//	}
func (g *Graph) String() string {
	p := printer{}
	p.graph(g, "")
	return p.String()
}

type printer struct {
	strings.Builder
	identity bool // Go functions are told apart, by their addresses
}

func (p *printer) graph(g *Graph, indent string) {
	fmt.Fprintf(p, "graph %s(", strconv.Quote(g.Title))
	for i, s := range g.Params {
		if i > 0 {
			p.WriteString(", ")
		}
		if i == g.NumArgs() {
			p.WriteString("| ")
		}
		p.WriteString(s.OpName() + ": " + symType(s))
	}
	p.WriteString(") {\n")
	g.nameAll()
	for _, n := range g.Nodes {
		p.node(n, indent+"  ")
	}
	p.WriteString(indent + "  return")
	for i, r := range g.Results {
		p.WriteString(" " + ref(r))
		if i+1 < len(g.Results) {
			p.WriteString(",")
		}
	}
	p.WriteString("\n" + indent + "}")
}

// symType is the type, with that behind a handle: resource[]<float32[2]>.
func symType(s *Sym) string {
	t := TypeOf(s).String()
	if s.DT == tensor.Resources || s.DT == tensor.Variant {
		t += "<" + s.Handle.String() + ">"
	}
	return t
}

func ref(s *Sym) string {
	if s.Index == 0 || s.Node == nil {
		return s.OpName()
	}
	return s.OpName() + ":" + strconv.Itoa(s.Index)
}

func (p *printer) node(n *Node, indent string) {
	p.WriteString(indent + n.name + " = " + n.Op.Name)
	p.attrs(n.Attrs, indent)
	p.WriteString("(")
	for i, x := range n.In {
		if i > 0 {
			p.WriteString(", ")
		}
		p.WriteString(ref(x))
	}
	p.WriteString(")")
	for i, a := range n.After {
		p.WriteString([]string{" after ", ", "}[min(i, 1)] + a.name)
	}
	for i, o := range n.Out {
		p.WriteString([]string{" : ", ", "}[min(i, 1)] + symType(o))
	}
	if n.Pos != 0 {
		fmt.Fprintf(p, " @%d", n.Pos)
	}
	p.WriteString("\n")
}

// attrs prints the fields of an attribute struct that aren't zero.
func (p *printer) attrs(a any, indent string) {
	if a == nil || reflect.ValueOf(a).IsNil() {
		return
	}
	v := reflect.ValueOf(a).Elem()
	sep := "{"
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if v.Field(i).IsZero() || !f.IsExported() || f.Type == derivType {
			continue
		}
		p.WriteString(sep + f.Name + ": ")
		sep = ", "
		if f.Type.Kind() == reflect.Interface && !p.identity {
			p.WriteString(hostText)
			continue
		}
		p.attr(v.Field(i).Interface(), indent)
	}
	if sep != "{" {
		p.WriteString("}")
	}
}

// AttrText is an attribute struct as a graph's print shows it: equal texts mean
// equal attributes.
func AttrText(a any) string {
	p := printer{identity: true}
	p.attrs(a, "")
	return p.String()
}

// hostText stands for an attribute that is a part of the host: it has no text, and a
// graph that is read back lacks it.
const hostText = "host"

var derivType = reflect.TypeFor[Derivative]()

func (p *printer) attr(x any, indent string) {
	switch x := x.(type) {
	case *Graph:
		p.graph(x, indent)
	case []*Graph:
		p.WriteString("[")
		for i, g := range x {
			if i > 0 {
				p.WriteString(", ")
			}
			p.graph(g, indent)
		}
		p.WriteString("]")
	case *tensor.Tensor:
		p.tensor(x)
	case tensor.DType:
		p.WriteString(x.Name())
	case tensor.Shape:
		p.WriteString(x.Brackets())
	case Type:
		p.WriteString(x.String())
	case string:
		p.WriteString(strconv.Quote(x))
	case float64:
		p.WriteString(floatText(x, 64))
	case float32:
		p.WriteString(floatText(float64(x), 32))
	default:
		p.reflected(reflect.ValueOf(x), indent)
	}
}

func (p *printer) reflected(v reflect.Value, indent string) {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		fmt.Fprint(p, v.Interface())
		return
	}
	p.WriteString("[")
	for i := range v.Len() {
		if i > 0 {
			p.WriteString(" ")
		}
		p.attr(v.Index(i).Interface(), indent)
	}
	p.WriteString("]")
}

func floatText(f float64, bits int) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// tensor prints dtype, shape and elements; floats by their shortest exact text.
func (p *printer) tensor(t *tensor.Tensor) {
	p.WriteString(TypeOf(t).String() + "{")
	for i := range t.Len() {
		if i > 0 {
			p.WriteString(" ")
		}
		p.WriteString(elemText(t, i))
	}
	p.WriteString("}")
}

func elemText(t *tensor.Tensor, i int) string {
	switch t.DType() {
	case tensor.Float32:
		return floatBits(float64(t.F32()[i]), 32)
	case tensor.Float64:
		return floatBits(t.F64()[i], 64)
	case tensor.Bool:
		return strconv.FormatBool(t.Bools()[i])
	case tensor.String:
		return strconv.Quote(string(t.Str(i)))
	}
	if v, ok := tensorInts(t); ok {
		return strconv.FormatInt(v[i], 10)
	}
	n := t.DType().Size()
	return fmt.Sprintf("0x%x", t.Bytes()[i*n:(i+1)*n])
}

func floatBits(f float64, bits int) string { return strconv.FormatFloat(f, 'g', -1, bits) }
