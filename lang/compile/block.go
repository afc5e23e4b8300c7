package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

type blockKind uint8

const (
	loopBlock    blockKind = iota
	tryBlock               // body of try … except
	finallyBlock           // body of try … finally
	handlerBlock           // an exception is being handled
	nameBlock              // the name of an except clause is bound
	withBlock              // body of with
)

// block is a statement around the one being compiled that return, break and
// continue have something to do with, or that catches exceptions.
type block struct {
	kind    blockKind
	start   int32  // of the piece of code it covers now
	handler *label // where exceptions go; nil for loops
	exc     slot   // and where they are found
	entry   slotSet

	next, exit *label // loop
	state      slot   // loop: iterator state
	hasState   bool
	final      []ast.Stmt // finally
	saved      slot       // handler: the exception handled before
	name       string     // name of the except clause
	manager    slot       // with: bound __exit__
	node       ast.Node   // with: the manager's expression
}

// handlerRef is one piece of covered code; labels are known at the end.
type handlerRef struct {
	from, to int32
	target   *label
	exc      slot
}

func (g *gen) push(b block) {
	b.start = g.pc()
	g.fixed = b.start
	b.entry = g.bound
	b.entry.without(g.unstable)
	g.blocks = append(g.blocks, b)
}

// pop ends the innermost block and returns what was known where it began.
func (g *gen) pop() block {
	b := g.blocks[len(g.blocks)-1]
	g.cover(&b)
	g.blocks = g.blocks[:len(g.blocks)-1]
	return b
}

// cover notes that b catches what the code since b.start raises.
func (g *gen) cover(b *block) {
	g.fixed = g.pc()
	if b.handler != nil && b.start < g.pc() {
		b.handler.reached = true
		g.handlers = append(g.handlers, handlerRef{b.start, g.pc(), b.handler, b.exc})
	}
}

// catch places the handler of a block that was popped: control comes from anywhere in it.
func (g *gen) catch(b *block) {
	b.handler.pos = g.pc()
	g.fixed = g.pc()
	g.dead = false
	g.bound = b.entry
}

// hasExits reports that return must do something before it returns.
func (g *gen) hasExits() bool {
	for i := range g.blocks {
		if k := g.blocks[i].kind; k != loopBlock && k != tryBlock {
			return true
		}
	}
	return false
}

// leave compiles the way out of the blocks from number to on, innermost first, and
// then last. Each block is out of force while its own exit code runs.
func (g *gen) leave(to int, last func()) {
	all := g.blocks
	bound := g.bound
	for i := len(all) - 1; i >= to; i-- {
		g.cover(&all[i])
		all[i].start = g.pc()
		if !g.dead {
			g.blocks = all[:i:i]
			g.exitBlock(&all[i])
		}
	}
	if !g.dead {
		last()
	}
	g.blocks = all
	g.fixed = g.pc()
	for i := to; i < len(all); i++ {
		all[i].start = g.pc()
	}
	g.bound, g.dead = bound, true
}

func (g *gen) exitBlock(b *block) {
	save := g.sp
	switch b.kind {
	case finallyBlock:
		g.stmts(b.final)
	case nameBlock:
		g.dropName(b.name)
	case handlerBlock:
		g.emit(code.PopExc, 0, b.saved, 0, 0)
	case withBlock:
		loc := g.loc
		g.at(b.node)
		g.emit(code.WithExit, b.manager, code.NoSlot, g.temp(), 0)
		g.loc = loc
	}
	g.sp = save
}

// leaveLoop is break or continue.
func (g *gen) leaveLoop(n ast.Node, again bool) {
	i := len(g.blocks) - 1
	for i >= 0 && g.blocks[i].kind != loopBlock {
		i--
	}
	if i < 0 {
		g.outsideLoop(n, again)
		return
	}
	l := &g.blocks[i]
	next, exit, state, hasState := l.next, l.exit, l.state, l.hasState
	loc := g.loc
	g.leave(i+1, func() {
		g.loc = loc
		if again {
			g.jump(next)
			return
		}
		if hasState {
			g.emit(code.Unset, state, 0, 0, 0)
		}
		g.jump(exit)
	})
}

func (g *gen) outsideLoop(n ast.Node, again bool) {
	if again {
		g.u.fail(n, "'continue' not properly in loop")
	} else {
		g.u.fail(n, "'break' outside loop")
	}
}
