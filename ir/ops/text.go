package ops

import (
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// commas lists integers for a message.
func commas(v []int64) string { return joinInts(v, ",") }

func joinInts(v []int64, sep string) string {
	var b strings.Builder
	for i, x := range v {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(strconv.FormatInt(x, 10))
	}
	return b.String()
}

// formatG is C's %g.
func formatG(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// elemText is element i as C++ streams print it.
func elemText(t *tensor.Tensor, i int) string {
	switch t.DType() {
	case tensor.String:
		return string(t.Str(i))
	case tensor.Bool:
		if t.Bools()[i] {
			return "1"
		}
		return "0"
	}
	if v, ok := ir.KnownInts(t); ok {
		return strconv.FormatInt(v[i], 10)
	}
	var f [1]float64
	one := make([]float64, t.Len())
	kernel.Cast(one, elems(t))
	f[0] = one[i]
	return formatG(f[0])
}
