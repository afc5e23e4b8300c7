package tracer

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
)

// Graphs are the traces of a traced function, in the order in which they were made; none for other values.
func Graphs(v lang.Value) (list []*ir.Graph) {
	if f, ok := AsFunction(v); ok {
		for _, cf := range f.cache.list {
			list = append(list, cf.graph.G)
		}
	}
	return list
}
