package compile

import (
	"maps"
	"slices"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// bound returns the names that statements bind. The value is nil for a simple name
// and the target expression for a composite symbol such as self.x.
func bound(list []ast.Stmt) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	boundIn(list, out)
	return out
}

func boundIn(list []ast.Stmt, out map[string]ast.Expr) {
	for _, n := range list {
		boundBy(n, out)
		eachBlock(n, func(b *[]ast.Stmt) { boundIn(*b, out) })
	}
}

func boundBy(n ast.Stmt, out map[string]ast.Expr) {
	switch n := n.(type) {
	case *ast.Assign:
		for _, t := range n.Targets {
			boundTarget(t, out)
		}
	case *ast.AugAssign:
		boundTarget(n.Target, out)
	case *ast.AnnAssign:
		if n.Value != nil {
			boundTarget(n.Target, out)
		}
	case *ast.For:
		boundTarget(n.Target, out)
	case *ast.With:
		for _, it := range n.Items {
			if it.OptionalVars != nil {
				boundTarget(it.OptionalVars, out)
			}
		}
	case *ast.Try:
		for _, h := range n.Handlers {
			if h.Name != "" {
				out[h.Name] = nil
			}
		}
	case *ast.Delete:
		for _, t := range n.Targets {
			boundTarget(t, out)
		}
	case *ast.FunctionDef:
		out[n.Name] = nil
	case *ast.ClassDef:
		out[n.Name] = nil
	case *ast.Import:
		for _, a := range n.Names {
			out[importedName(a)] = nil
		}
	case *ast.ImportFrom:
		for _, a := range n.Names {
			out[importedName(a)] = nil
		}
	case *ast.Match:
		for _, c := range n.Cases {
			boundPattern(c.Pattern, out)
		}
	}
}

func boundPattern(p ast.Node, out map[string]ast.Expr) {
	switch p := p.(type) {
	case *ast.MatchAs:
		if p.Name != "" {
			out[p.Name] = nil
		}
	case *ast.MatchStar:
		if p.Name != "" {
			out[p.Name] = nil
		}
	case *ast.MatchMapping:
		if p.Rest != "" {
			out[p.Rest] = nil
		}
	}
	ast.Children(p, func(c ast.Node) { boundPattern(c, out) })
}

func boundTarget(t ast.Expr, out map[string]ast.Expr) {
	switch n := t.(type) {
	case *ast.Name:
		out[n.Id] = nil
	case *ast.Starred:
		boundTarget(n.Value, out)
	case *ast.Attribute, *ast.Subscript:
		if q := qualified(t); q != "" {
			out[q] = t
		}
	default:
		elts, _ := targetElts(t)
		for _, e := range elts {
			boundTarget(e, out)
		}
	}
}

// qualified returns the text of a composite symbol: names, attributes, and subscripts
// with a plain constant or a name; "" for anything else, as AutoGraph does.
func qualified(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Name:
		return n.Id
	case *ast.Attribute:
		if q := qualified(n.Value); q != "" {
			return q + "." + n.Attr
		}
	case *ast.Subscript:
		q := qualified(n.Value)
		switch k := n.Slice.(type) {
		case *ast.Constant:
			if q != "" {
				return q + "[" + ast.Repr(k.Value) + "]"
			}
		case *ast.Name:
			if q != "" {
				return q + "[" + k.Id + "]"
			}
		}
	}
	return ""
}

// supported reports that every simple name in a composite symbol is in live.
func (l *liveness) supported(e ast.Expr, live *slotSet) bool {
	switch n := e.(type) {
	case *ast.Name:
		return live.has(l.id(n.Id))
	case *ast.Attribute:
		return l.supported(n.Value, live)
	case *ast.Subscript:
		return l.supported(n.Value, live) && l.supported(n.Slice, live)
	}
	return true
}

// vars fills Vars, NOut and Mod by AutoGraph's rules: a simple name that is live
// before or after, or nonlocal; a composite symbol if every name in it is live before.
func (g *gen) vars(r int, info *liveInfo, b map[string]ast.Expr) {
	live := g.staged.live
	reg := &g.regions[r]
	var ins []code.Var
	for _, id := range slices.Sorted(maps.Keys(b)) {
		if e := b[id]; e != nil {
			if live.supported(e, &info.in) {
				v := g.composite(id, e)
				reg.Vars = append(reg.Vars, v)
				reg.Mod = append(reg.Mod, v)
			}
			continue
		}
		v := g.variable(id)
		reg.Mod = append(reg.Mod, v)
		switch {
		case info.out.has(live.id(id)) || v.Kind == code.VarFree:
			reg.Vars = append(reg.Vars, v)
		case v.Kind == code.VarGlobal: // written only if the function reads it later
		case info.in.has(live.id(id)):
			ins = append(ins, v)
		}
	}
	reg.NOut = len(reg.Vars)
	reg.Vars = append(reg.Vars, ins...)
}

// variable is the place of a simple name. Slots are numbers until finish.
func (g *gen) variable(id string) code.Var {
	sym, name := g.lookup(id)
	v := code.Var{Name: id}
	switch sym.place {
	case inSlot:
		v.Kind, v.Slot = code.VarSlot, slot(sym.index)
	case inCell:
		v.Kind, v.Slot = code.VarCell, slot(sym.index)
	case inFree, inClassFree:
		v.Kind, v.Slot = code.VarFree, uint16(sym.index)
	case inName:
		v.Kind, v.Name = code.VarName, name
	default:
		v.Kind, v.Name = code.VarGlobal, name
	}
	return v
}

// composite is the path of a composite symbol from its root.
func (g *gen) composite(id string, e ast.Expr) code.Var {
	v := code.Var{Name: id, Kind: code.VarComposite}
	for {
		switch n := e.(type) {
		case *ast.Attribute:
			v.Path = append(v.Path, code.Step{Attr: g.sc.mangle(n.Attr)})
			e = n.Value
			continue
		case *ast.Subscript:
			var st code.Step
			switch k := n.Slice.(type) {
			case *ast.Constant:
				c := literal(k.Value)
				st.Key = &c
			case *ast.Name:
				by := g.variable(k.Id)
				st.Var = &by
			}
			v.Path = append(v.Path, st)
			e = n.Value
			continue
		}
		break
	}
	slices.Reverse(v.Path)
	root := g.variable(e.(*ast.Name).Id)
	v.Root = &root
	return v
}

// placeRegions turns the slot numbers of regions into offsets.
func (g *gen) placeRegions(list []code.Region) {
	for i := range list {
		r := &list[i]
		r.Value, r.Iter = g.offset(r.Value), g.offset(r.Iter)
		for _, vars := range [...][]code.Var{r.Vars, r.Mod, r.Flags} {
			for j := range vars {
				vars[j] = g.placeVar(vars[j])
			}
		}
	}
}

// placeVar returns v with offsets; composites are copied, because regions share them.
func (g *gen) placeVar(v code.Var) code.Var {
	switch v.Kind {
	case code.VarSlot, code.VarCell:
		v.Slot = g.offset(v.Slot)
	case code.VarComposite:
		root := g.placeVar(*v.Root)
		v.Root = &root
		path := slices.Clone(v.Path)
		for i := range path {
			if path[i].Var != nil {
				by := g.placeVar(*path[i].Var)
				path[i].Var = &by
			}
		}
		v.Path = path
	}
	return v
}
