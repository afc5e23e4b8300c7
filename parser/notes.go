package parser

import "github.com/tfs-lang/tfs/lang/ast"

// notes are what the first parser sees on its way that the checks behind it may
// refuse or that Warnings may report. Only statements with such a note are looked
// at again: two walks over the whole tree cost as much as parsing it. A note too
// many costs time, one too few lets a wrong program pass; FuzzParse compares.
type notes struct {
	suspect  bool // the checks must see this top-level statement
	whole    bool // they must see the whole file
	doubtful bool // Warnings must see this statement

	events    int  // yields, awaits and assignment expressions so far
	returns   bool // in a function
	loops     int  // around, in this function
	blocks    int  // of loops, with and try, around
	functions int  // and classes around
	weight    int  // tokens of the statements around: no tree is deeper
}

// lightLine is how many tokens a statement with those around it may have without
// a look at how deep its tree is.
const lightLine = 1500

// scope is what of the notes a function or class body begins anew.
func (n *notes) enter(returns bool) (outer notes) {
	outer = *n
	n.returns, n.loops = returns, 0
	n.functions++
	return outer
}

func (n *notes) leave(outer notes) {
	n.returns, n.loops, n.functions = outer.returns, outer.loops, outer.functions
}

// indent is one more block; CPython's compiler counts a try twice.
func (n *notes) indent(by int) {
	if n.blocks += by; n.blocks >= maxBlocks {
		n.suspect = true
	}
}

// yields notes a yield expression.
func (n *notes) yields() {
	n.events++
	if !n.returns {
		n.suspect = true
	}
}

// params notes parameters with one name.
func (n *notes) params(a *ast.Arguments) {
	count := len(a.Posonlyargs) + len(a.Args) + len(a.Kwonlyargs)
	if count > 20 {
		n.suspect = true
		return
	}
	var buffer [24]string
	seen := buffer[:0]
	note := func(p *ast.Arg) {
		for _, s := range seen {
			if s == p.Arg {
				n.suspect = true
			}
		}
		seen = append(seen, p.Arg)
	}
	for _, list := range [...][]*ast.Arg{a.Posonlyargs, a.Args, a.Kwonlyargs} {
		for _, p := range list {
			note(p)
		}
	}
	if a.Vararg != nil {
		note(a.Vararg)
	}
	if a.Kwarg != nil {
		note(a.Kwarg)
	}
}

// keywords notes keyword arguments with one name.
func (n *notes) keywords(list []*ast.Keyword) {
	if len(list) > 20 {
		n.suspect = true
		return
	}
	for i, k := range list {
		for _, l := range list[:i] {
			if l.Arg == k.Arg && k.Arg != "" {
				n.suspect = true
			}
		}
	}
}
