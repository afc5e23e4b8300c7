package tracer

import (
	"unsafe"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// graphObject is the graph of a trace as a script object (rule D42).
type graphObject struct {
	value.Header
	g *FuncGraph
}

// nodeObject is an op of a graph: name, type, inputs, outputs.
type nodeObject struct {
	value.Header
	name, op string
	node     *ir.Node
	param    *ir.Sym
}

// nodeList is what as_graph_def() gives: an object with the field node.
type nodeList struct {
	value.Header
	nodes lang.Held
}

var (
	graphClass    = lang.NewPythonClass("FuncGraph", "tensorflow.python.framework.func_graph", value.KindOther)
	nodeClass     = lang.NewPythonClass("Operation", "tensorflow.python.framework.ops", value.KindOther)
	graphDefClass = lang.NewPythonClass("GraphDef", "tensorflow.core.framework.graph_pb2", value.KindOther)
)

func init() {
	lang.DefineMethods(graphClass, []lang.Def{
		{Sig: "as_graph_def(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			o := &nodeList{value.Header{Type: &graphDefClass.Type, Kind: value.KindOther}, nodeObjects(graphOf(a[0]).g).Held()}
			return value.Of(&o.Header), nil
		}},
		{Sig: "get_operations(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return nodeObjects(graphOf(a[0]).g), nil }},
		{Sig: "name(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.NewStr(graphOf(a[0]).g.G.Title), nil
		}},
		{Sig: "building_function(self)", Flags: lang.DefProperty, Fn: func(*lang.Thread, []lang.Value) (lang.Value, error) { return lang.Bool(true), nil }},
		{Sig: "get_operation_by_name(self, name)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			want, _ := lang.StrOf(th, a[1])
			nodes, _ := lang.Sequence(nodeObjects(graphOf(a[0]).g))
			for _, n := range nodes {
				if (*nodeObject)(n.Value().P).name == want {
					return n.Value(), nil
				}
			}
			return lang.Unbound, th.Raise(lang.KeyError, "The name '%s' refers to an Operation not in the graph.", want)
		}},
		{Sig: "inputs(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return symList(graphOf(a[0]).g.G.Params), nil
		}},
		{Sig: "outputs(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return symList(graphOf(a[0]).g.G.Results), nil
		}},
	})
	lang.DefineMethods(graphDefClass, []lang.Def{
		{Sig: "node(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return (*nodeList)(a[0].P).nodes.Value(), nil
		}},
	})
	lang.DefineMethods(nodeClass, []lang.Def{
		{Sig: "name(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.NewStr((*nodeObject)(a[0].P).name), nil
		}},
		{Sig: "op(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.NewStr((*nodeObject)(a[0].P).op), nil
		}},
		{Sig: "type(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.NewStr((*nodeObject)(a[0].P).op), nil
		}},
		{Sig: "outputs(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			n := (*nodeObject)(a[0].P)
			if n.node == nil {
				return symList([]*ir.Sym{n.param}), nil
			}
			return symList(n.node.Out), nil
		}},
		{Sig: "inputs(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			n := (*nodeObject)(a[0].P)
			if n.node == nil {
				return lang.NewTuple(), nil
			}
			return symList(n.node.In), nil
		}},
	})
	bridge.GraphValue = func(st *bridge.State, v lang.Value) (lang.Value, error) {
		g := Current(st)
		s, _ := bridge.AsSym(v)
		for ; g != nil; g = g.Outer {
			if g.G == s.Graph {
				return graphValue(g), nil
			}
		}
		return lang.None, nil
	}
	bridge.NodeValue = func(_ *bridge.State, v lang.Value) (lang.Value, error) {
		s, _ := bridge.AsSym(v)
		return nodeValue(s.OpName(), s.Node, s), nil
	}
}

func graphOf(v lang.Value) *graphObject { return (*graphObject)(unsafe.Pointer(v.P)) }

func graphValue(g *FuncGraph) lang.Value {
	o := &graphObject{value.Header{Type: &graphClass.Type, Kind: value.KindOther}, g}
	return value.Of(&o.Header)
}

func nodeValue(name string, n *ir.Node, param *ir.Sym) lang.Value {
	o := &nodeObject{value.Header{Type: &nodeClass.Type, Kind: value.KindOther}, name, "Placeholder", n, param}
	if n != nil {
		o.op = n.Op.Name
	}
	return value.Of(&o.Header)
}

// nodeObjects are the arguments, then captures and nodes in the order of their use.
func nodeObjects(g *FuncGraph) lang.Value {
	l := lang.MakeList(len(g.G.Params) + len(g.G.Nodes))
	params := g.G.Params
	args := g.G.NumArgs()
	for i, n := range g.G.Nodes {
		for len(params) > 0 && (len(g.G.Params)-len(params) < args || params[0].After() <= i) {
			l.Append(paramValue(params[0]))
			params = params[1:]
		}
		l.Append(nodeValue(n.Name(), n, nil))
	}
	for _, p := range params {
		l.Append(paramValue(p))
	}
	return l.Value()
}

// maxConst is the number of elements up to which a captured tensor shows as a
// constant.
const maxConst = 128

// paramValue is the placeholder of an argument or of a captured value.
func paramValue(p *ir.Sym) lang.Value {
	v := nodeValue(p.OpName(), nil, p)
	if i := p.Index - p.Graph.NumArgs(); i >= 0 {
		if t, ok := p.Graph.Captures[i].(*tensor.Tensor); ok && t.Len() <= maxConst {
			(*nodeObject)(v.P).op = "Const"
		}
	}
	return v
}
