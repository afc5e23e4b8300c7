package tfs

import (
	"reflect"
	"slices"
	"strings"

	"github.com/tfs-lang/tfs/tensor/kernel"
)

// Kernels says which kernels run on this machine, such as "AVX-512 assembly".
func Kernels() string { return kernel.CurrentTier().String() }

// sortedKeys are the keys of a map with string keys, so that dicts don't show the
// order of a Go map.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return keys
}
