// Package parser turns Python 3.11 source into the tree of package lang/ast.
//
// [ParseFile], [ParseExpr] and [ParseInteractive] are CPython's modes exec, eval
// and single; [NeedMore] tells a prompt whether a statement goes on. A mistake is
// a [*SyntaxError] with CPython's class, words and place.
//
// There are two parsers over one scanner (scan.go):
//
//   - The first is made for valid source. The scanner fills a buffer with the
//     tokens of some whole top-level statements (reader.go), which participle's
//     frame sees as one (frame.go); statements (compound.go, line.go) and
//     expressions (expr.go and the files beside it) are parsed by hand into nodes
//     cut from slabs (build.go). It doesn't explain: what it can't read it refuses
//     with errRefused.
//   - The second runs only on source that the first refused. It interprets the
//     rules in rules.go as a PEG with memoization, first without and then with
//     the rules for wrong programs, as CPython does, since CPython's messages
//     and places follow from that order. It makes no tree.
//
// What CPython finds after parsing, in its symbol table and compiler, check.go
// and scope.go find at the end of each parse. They walk only the statements in
// which the first parser saw something that they might refuse (notes.go).
//
// The rules are built on first use.
package parser
