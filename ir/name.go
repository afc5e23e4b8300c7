package ir

import (
	"strconv"
	"strings"
)

// Names are TensorFlow's. They are given in order, and only when somebody asks: by
// then it is known whose operand a constant or a capture is.

// label is what a name will be made of.
type label struct {
	want string // asked for
	of   *Node  // of a constant or capture without a wish: the first node that reads it
	arg  string // as which operand
}

// read notes that operand arg of n is what the label names.
func (l *label) read(n *Node, arg string) {
	if l.of == nil && arg != "" {
		l.of, l.arg = n, arg
	}
}

// Name is TensorFlow's name of the tensor: "add:0". Branches and loops number their
// results otherwise than their nodes do here: a branch's go through an Identity, a
// loop's stand behind its counter and its bound.
func (s *Sym) Name() string {
	if s.Node == nil {
		return s.OpName() + ":0"
	}
	name, i := s.Node.Name(), s.Index
	switch s.Node.Attrs.(type) {
	case *IfAttrs, *CaseAttrs:
		name += "/Identity"
		if i > 0 {
			name += "_" + strconv.Itoa(i)
		}
		i = 0
	case *WhileAttrs:
		i += 2
	}
	return name + ":" + strconv.Itoa(i)
}

// After is the number of nodes that a capture came after.
func (s *Sym) After() int { return s.at }

// OpName is the name of the node, or of the parameter.
func (s *Sym) OpName() string {
	if s.Node != nil {
		return s.Node.Name()
	}
	if s.name == "" {
		s.Graph.nameAll()
	}
	return s.name
}

// Name is the node's name in the graph: the op's (or the requested one), with _1
// and so on when it is taken.
func (n *Node) Name() string {
	if n.name == "" {
		n.Graph.nameAll()
	}
	return n.name
}

// SetName asks for another name; only before names were given.
func (n *Node) SetName(name string) {
	if n.name == "" {
		n.want = name
	}
}

func (g *Graph) nameAll() {
	for ; g.named < len(g.Nodes); g.named++ {
		g.nameCaptures(g.named)
		g.nameNode(g.Nodes[g.named])
	}
	g.nameCaptures(g.named)
}

// nameCaptures names the captures that came before node at.
func (g *Graph) nameCaptures(at int) {
	for len(g.nameless) > 0 && g.nameless[0].at <= at {
		s := g.nameless[0]
		g.nameless = g.nameless[1:]
		s.name = g.labelled(&s.label, "capture")
	}
}

func (g *Graph) nameNode(n *Node) {
	if n.name == "" {
		n.name = g.labelled(&n.label, n.Op.Name)
	}
}

// labelled is the name that a label asks for.
func (g *Graph) labelled(l *label, otherwise string) string {
	switch {
	case l.want != "":
		return g.unique(l.want)
	case l.of != nil:
		g.nameNode(l.of)
		return g.unique(l.of.name + "/" + l.arg)
	}
	return g.unique(otherwise)
}

// Unique returns a name that the graph doesn't have yet, and takes it.
func (g *Graph) Unique(name string) string { g.nameAll(); return g.unique(name) }

func (g *Graph) unique(name string) string {
	if g.names == nil {
		g.names = map[string]int{}
	}
	if strings.HasSuffix(name, "/") {
		return strings.TrimSuffix(name, "/")
	}
	key := strings.ToLower(name)
	k, taken := g.names[key]
	g.names[key] = k + 1
	if !taken {
		g.takeScopes(key)
		return name
	}
	for ; ; k++ {
		if k == 0 {
			continue
		}
		u := name + "_" + strconv.Itoa(k)
		if _, taken := g.names[strings.ToLower(u)]; !taken {
			g.names[key] = k + 1
			g.names[strings.ToLower(u)] = 1
			return u
		}
	}
}

// takeScopes marks the scopes of a/b/c as taken, as TensorFlow does.
func (g *Graph) takeScopes(key string) {
	for i := strings.LastIndexByte(key, '/'); i > 0; i = strings.LastIndexByte(key[:i], '/') {
		if g.names[key[:i]] == 0 {
			g.names[key[:i]] = 1
		}
	}
}
