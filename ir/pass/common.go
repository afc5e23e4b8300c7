package pass

import (
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/ir"
)

// maxKeyed is the largest constant that is compared with others, in bytes.
const maxKeyed = 4 << 10

// joinCommon replaces nodes that repeat an earlier one: same op, attributes and
// operands, no effects.
func joinCommon(g *ir.Graph) {
	first := map[string]*ir.Node{}
	same := map[*ir.Sym]*ir.Sym{}
	for _, n := range g.Nodes {
		for i, x := range n.In {
			if y := same[x]; y != nil {
				n.In[i] = y
			}
		}
		k, ok := key(n)
		if !ok {
			continue
		}
		if f := first[k]; f != nil {
			for i, o := range n.Out {
				same[o] = f.Out[i]
			}
			continue
		}
		first[k] = n
	}
	for i, r := range g.Results {
		if y := same[r]; y != nil {
			g.Results[i] = y
		}
	}
}

// key names what a node computes; ok is false where it must stay on its own.
func key(n *ir.Node) (string, bool) {
	if !pure(n) {
		return "", false
	}
	if k, ok := n.Attrs.(*ir.ConstAttrs); ok && k.Value.NumBytes() > maxKeyed {
		return "", false
	}
	var b strings.Builder
	b.WriteString(n.Op.Name)
	b.WriteString(ir.AttrText(n.Attrs))
	for _, x := range n.In {
		fmt.Fprintf(&b, ",%d", x.ID)
	}
	for _, o := range n.Out { // a dtype may be an attribute of the result alone
		b.WriteString(":" + ir.TypeOf(o).String())
	}
	return b.String(), true
}
