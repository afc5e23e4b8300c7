// Package parser turns Python 3.11 source into the tree of package lang/ast.
//
// [ParseFile], [ParseExpr] and [ParseInteractive] are CPython's modes exec, eval
// and single; [NeedMore] tells a prompt whether a statement goes on. A mistake is
// a [*SyntaxError] with CPython's class, words and place.
//
// There are two parsers over one scanner (scan.go):
//
//   - The first is made for valid source. participle is its frame: compound
//     statements are struct tags (grammar.go), one-line statements and
//     expressions are parsed by hand through ParseTypeWith (line.go, expr.go),
//     and lower.go makes tree nodes of the structs. It doesn't explain: what it
//     can't read it refuses with errRefused.
//   - The second runs only on source that the first refused. It interprets the
//     rules in rules.go as a PEG with memoization, first without and then with
//     the rules for wrong programs, as CPython does, since CPython's messages
//     and places follow from that order. It makes no tree.
//
// What CPython finds after parsing, in its symbol table and compiler, check.go
// and scope.go find at the end of each parse.
//
// Grammar and rules are built on first use.
package parser
