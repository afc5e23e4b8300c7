package parser

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/ast"
)

// builder makes the nodes of one tree. Most are cut from slabs, which costs a
// tenth of an allocation each; the tree lives and dies as a whole.
type builder struct {
	names    nameTable
	node     slabs
	exprs    lists[ast.Expr]
	stmts    lists[ast.Stmt]
	keywords lists[*ast.Keyword]
	args     lists[*ast.Arg]
	notes    notes
	suspects []ast.Stmt
	doubtful []ast.Stmt
}

// slabs are those of the most frequent nodes.
type slabs struct {
	name      slab[ast.Name]
	constant  slab[ast.Constant]
	attribute slab[ast.Attribute]
	call      slab[ast.Call]
	binOp     slab[ast.BinOp]
	compare   slab[ast.Compare]
	subscript slab[ast.Subscript]
	tuple     slab[ast.Tuple]
	keyword   slab[ast.Keyword]
	arg       slab[ast.Arg]
	arguments slab[ast.Arguments]
	assign    slab[ast.Assign]
	exprStmt  slab[ast.ExprStmt]
	returns   slab[ast.Return]
	ifs       slab[ast.If]
	function  slab[ast.FunctionDef]
}

// slabBytes is about how large slabs grow.
const slabBytes = 8 << 10

// slab allocates values of one type, some at a time.
type slab[T any] struct {
	room []T
	used int
}

// next returns a zero value.
func (s *slab[T]) next() *T {
	if s.used == len(s.room) {
		s.grow()
	}
	x := &s.room[s.used]
	s.used++
	return x
}

func (s *slab[T]) grow() {
	var x T
	s.room = make([]T, grown(len(s.room), unsafe.Sizeof(x)))
	s.used = 0
}

// grown is the next size of a slab of n values.
func grown(n int, size uintptr) int { return min(max(4, 2*n), slabBytes/int(size)) }

// lists collects lists that nest in each other: push the items behind a mark,
// then keep them.
type lists[T any] struct {
	stack []T
	room  []T
	used  int
}

func (l *lists[T]) mark() int { return len(l.stack) }
func (l *lists[T]) push(x T)  { l.stack = append(l.stack, x) }

// keep returns the items behind the mark as a list of their own.
func (l *lists[T]) keep(mark int) []T {
	items := l.stack[mark:]
	n := len(items)
	if n == 0 {
		return nil
	}
	if len(l.room)-l.used < n {
		var x T
		l.room, l.used = make([]T, max(n, grown(len(l.room), unsafe.Sizeof(x)))), 0
	}
	out := l.room[l.used : l.used+n : l.used+n]
	copy(out, items)
	l.used += n
	l.stack = l.stack[:mark]
	return out
}

// one is a list of one item.
func (l *lists[T]) one(x T) []T {
	m := l.mark()
	l.push(x)
	return l.keep(m)
}

// done lets go of the tree and keeps the tables for the next one.
func (b *builder) done() {
	names, exprs, stmts, keywords, args := b.names, b.exprs.stack, b.stmts.stack, b.keywords.stack, b.args.stack
	clear(names.table)
	names.count, names.debug = 0, false
	*b = builder{names: names}
	b.exprs.stack, b.stmts.stack, b.keywords.stack, b.args.stack = emptied(exprs), emptied(stmts), emptied(keywords), emptied(args)
}

// emptied clears a whole buffer.
func emptied[T any](s []T) []T {
	s = s[:cap(s)]
	clear(s)
	return s[:0]
}
