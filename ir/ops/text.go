package ops

import (
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
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

// floatAt is element i of a tensor of numbers.
func floatAt(t *tensor.Tensor, i int) float64 {
	n := t.DType().Size()
	one := tensor.Make(t.DType(), tensor.Scalar)
	copy(one.Bytes(), t.Bytes()[i*n:(i+1)*n])
	return floatOf(one)
}
