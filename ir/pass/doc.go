// Package pass makes graphs cheaper before they are planned. Optimize works on a
// copy: the traced graph keeps all its nodes and names.
//
// Each pass is one file and one test, listed once in passes with the reason for its
// place. Verify runs between passes in tests.
//
// The package must not know how ops are computed: folding asks a Folder.
package pass
