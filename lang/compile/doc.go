// Package compile turns a syntax tree into code objects of package code.
//
// Phases, in order:
//
//  1. scan (scan.go): one walk over the tree makes a scope for the module and for
//     every function, lambda, class, comprehension and generator expression and
//     notes in it which names are bound, used, declared.
//  2. resolve (scope.go): every name of every scope gets its place: local slot,
//     cell, free cell, global, or namespace of a class body.
//  3. generate (gen.go and one file for each part of the language): a second walk
//     emits instructions, one gen for each code object. List, set and dict
//     comprehensions are compiled into the frame around them.
//  4. finish (finish.go): slot numbers become offsets, labels are checked, and the
//     code object is made. A function too wide or too long for the short forms is
//     generated once more in wide or far form.
//
// While it generates, gen keeps two things: the slots in use (named locals, then
// hidden locals, then temporaries, each a stack) and the set of locals that are
// bound for sure at this point, so that only doubtful reads get a Check. A value in a
// temporary is read once, because reading ends its life in the VM; what is read
// twice lives in a hidden local.
//
// Staged code (lower.go, live.go, regions.go) is made on demand from the same tree by
// Unit.Staged: see package code for what a region is.
//
// The package trusts the tree: what CPython's compiler or symbol table rejects is
// rejected by the parser's check, except for nonlocal names without a binding. It
// knows nothing of values, of the VM, or of source text.
package compile
