// Package script finds the modules of the library that are written in script, and compiles them beforehand.
//
// A package of modules has two folders: lib/ holds the texts, compiled/ the marshalled code of each text, one file a
// module, made by `go generate ./stdlib/...` and committed. A compiled file begins with the length and the checksum of the text
// that it was made from: a module whose text was changed since, or whose code is of another instruction set, is compiled from its text at
// import, which is slower and otherwise the same. So a stale file is never wrong in what it does, and Stale, which the
// tests of the packages call, finds it.
//
// Python's modules are many, so they are packed: their texts, which only staging and stale code need, are embedded as an archive,
// lib.zip, that `go generate` makes too, and their code is deflated and has the lines of positions only.
//
// The package knows no module by name.
package script
