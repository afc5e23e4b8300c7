// Package ast declares the syntax tree of Python 3.11, node for node and field
// for field as CPython's ast module has it, so that a tree can be compared with
// CPython's and so that scripts can be shown one.
//
// Start with [Module], [Stmt] and [Expr]. Field names are CPython's in Go's
// spelling (decorator_list is DecoratorList). Three conventions differ because
// Go has no None and one name space for types:
//
//   - An absent optional node is a nil interface or pointer; an absent optional
//     name is the empty string. Dict.Keys and Arguments.KwDefaults hold nil
//     where CPython's list holds None.
//   - The statement that CPython calls Expr is [ExprStmt]; Expr is the interface.
//   - Nodes without a position in CPython (Arguments, Comprehension, WithItem,
//     MatchCase) have a [Span] here too; [Dump] leaves it out.
//
// The package knows nothing of tokens or of how a tree is made or used.
package ast
