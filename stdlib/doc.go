// Package stdlib is the registry of modules that come with tfs: import name →
// definition in Go, or text of a module in script. It must not know what the
// modules do.
package stdlib
