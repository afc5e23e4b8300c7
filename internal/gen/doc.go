// Package gen holds the generators of tensor/kernel's loops and assembly. It is a
// module of its own, so that avo is no dependency of tfs.
//
//	cd internal/gen && go run ./loops && go run ./asm
//
// rewrites the generated files in place; a test in tensor/kernel can't check their
// freshness without avo, so run both after every change here.
package gen
