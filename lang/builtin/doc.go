// Package builtin holds the methods of the built-in types, the built-in
// functions and the file objects: everything a script finds without an import,
// on top of the object model of package lang.
//
// Every type's methods are rows of a static table (lang.Def), one file a type
// or a group of methods: str*.go, bytes*.go, int.go, float.go, list.go, dict.go,
// set.go, range.go, class.go, exception.go, file*.go. The functions stand in
// fn_*.go; Functions lists them all for the namespace `builtins`. Text algorithms
// that need no object are in lang/format.
//
// Nothing here knows of tensors or of the standard library's modules.
package builtin
