package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// DiagAttrs are those of the MatrixDiag family; Align is RIGHT_LEFT unless set.
type DiagAttrs struct{ Align string }

// span reads operand i as one diagonal or a range of them.
func span(c *ir.Call, i int) (lo, hi int, ok bool) {
	v, ok := c.IntsExact(i)
	if !ok || len(v) == 0 {
		return 0, 0, false
	}
	return int(v[0]), int(v[len(v)-1]), true
}

// diagLen is the length of diagonal k of an m×n matrix.
func diagLen(m, n, k int) int { return min(m+min(k, 0), n-max(k, 0)) }

// MatrixBandPart keeps lower and upper diagonals; a negative number keeps all.
var MatrixBandPart = ir.NewOp("MatrixBandPart", "input, num_lower, num_upper", "tf.linalg.band_part")

func init() {
	MatrixBandPart.Define(ir.Rules{
		Infer: like0, IntArgs: ir.In(1) | ir.In(2), Uses: ir.In(1) | ir.In(2),
		Kernel: func(c *ir.Call) *ir.Mistake {
			lo, _ := c.Int(1)
			hi, _ := c.Int(2)
			x, o := c.T(0), c.O(0)
			if x.Rank() < 2 {
				return ir.Invalid("input must be at least 2-dim, received shape: %s", x.Shape().Brackets())
			}
			copy(o.Bytes(), x.Bytes())
			d := x.Dims()
			m, n, size := d[len(d)-2], d[len(d)-1], x.DType().Size()
			out := o.Bytes()
			for i := range x.Len() {
				r, k := int64(i/n%m), int64(i%n)
				if lo >= 0 && r-k > lo || hi >= 0 && k-r > hi {
					clear(out[i*size : (i+1)*size])
				}
			}
			return nil
		},
		Grad: func(g *ir.Grad) { g.DX[0] = g.EmitN(MatrixBandPart, nil, g.Dy(), g.X(1), g.X(2)) },
	})
}

// MatrixDiagV3 puts a vector on diagonal k of a matrix of a padding value: operands
// diagonal, k, num_rows, num_cols, padding_value.
var MatrixDiagV3 = ir.NewOp("MatrixDiagV3", "diagonal, k=0, num_rows=-1, num_cols=-1, padding_value=0, align='RIGHT_LEFT'")

func init() {
	MatrixDiagV3.Define(ir.Rules{
		Attrs: &DiagAttrs{}, IntArgs: ir.In(1) | ir.In(2) | ir.In(3), Uses: ir.In(1),
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			lo, hi, ok := span(c, 1)
			rows, _ := c.Int(2)
			cols, _ := c.Int(3)
			if !ok || !s.RankKnown() {
				return c.SetOut(c.DType(0), tensor.UnknownShape)
			}
			batch := s.Slice(0, s.Rank()-1)
			if hi > lo {
				batch = s.Slice(0, s.Rank()-2)
			}
			n := s.Dim(-1)
			m, k := n-min(hi, 0), n+max(lo, 0)
			if n < 0 {
				m, k = -1, -1
			}
			if rows >= 0 {
				m = int(rows)
			}
			if cols >= 0 {
				k = int(cols)
			}
			if rows < 0 && cols < 0 {
				m = max(m, k)
				k = m
			}
			return c.SetOut(c.DType(0), batch.Concat(tensor.ShapeOf(m, k)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			repeat(c.O(0), c.T(4))
			lo, hi, _ := span(c, 1)
			place2(c, c.O(0), c.T(0), lo, hi, true)
			return nil
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.EmitN(MatrixDiagPartV3, g.Attrs, g.Dy(), g.X(1), zero(g.Session, g.Dy().DType()))
		},
	})
}

// place2 copies between the diagonals lo..hi of the matrices of m and the rows of d.
func place2(c *ir.Call, m, d *tensor.Tensor, lo, hi int, toMatrix bool) {
	md := m.Dims()
	rows, cols := md[len(md)-2], md[len(md)-1]
	dd := d.Dims()
	width := dd[len(dd)-1]
	size := m.DType().Size()
	batch := prod(md[:len(md)-2])
	count := hi - lo + 1
	align := "RIGHT_LEFT"
	if a, ok := c.Attrs.(*DiagAttrs); ok && a != nil && a.Align != "" {
		align = a.Align
	}
	for b := range batch {
		for q := range count {
			k := hi - q
			n := diagLen(rows, cols, k)
			off := 0
			if left := k >= 0 && align[:5] == "RIGHT" || k < 0 && align[len(align)-5:] == "RIGHT"; left && count > 1 {
				off = width - n
			}
			for i := range n {
				r, col := i-min(k, 0), i+max(k, 0)
				mi := ((b*rows+r)*cols + col) * size
				di := ((b*count+q)*width + off + i) * size
				if toMatrix {
					copy(m.Bytes()[mi:mi+size], d.Bytes()[di:di+size])
				} else {
					copy(d.Bytes()[di:di+size], m.Bytes()[mi:mi+size])
				}
			}
		}
	}
}

// MatrixDiagPartV3 reads diagonals of matrices: operands input, k, padding_value.
var MatrixDiagPartV3 = ir.NewOp("MatrixDiagPartV3", "input, k=0, padding_value=0, align='RIGHT_LEFT'")

func init() {
	MatrixDiagPartV3.Define(ir.Rules{
		Attrs: &DiagAttrs{}, IntArgs: ir.In(1), Uses: ir.In(1),
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			lo, hi, ok := span(c, 1)
			if !ok || !s.RankKnown() {
				return c.SetOut(c.DType(0), tensor.UnknownShape)
			}
			if s.Rank() < 2 {
				return ir.Invalid("input must be at least 2-dim, received shape: %s", s.Brackets())
			}
			m, n := s.Dim(-2), s.Dim(-1)
			b := s.Slice(0, s.Rank()-2)
			if m < 0 || n < 0 {
				return c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(-1)))
			}
			if lo <= -m && m > 0 || hi >= n && n > 0 {
				return ir.Invalid("lower_diag_index is out of bound: %d. It must be between %d and %d", lo, -m, n)
			}
			width := 0
			for k := lo; k <= hi; k++ {
				width = max(width, diagLen(m, n, k))
			}
			if hi > lo {
				b = b.Concat(tensor.ShapeOf(hi - lo + 1))
			}
			return c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(width)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			repeat(c.O(0), c.T(2))
			lo, hi, _ := span(c, 1)
			place2(c, c.T(0), c.O(0), lo, hi, false)
			return nil
		},
		Grad: func(g *ir.Grad) {
			s := g.Session
			g.DX[0] = s.EmitN(MatrixSetDiagV3, g.Attrs, s.Emit2(Fill, nil, inShape(g, 0), zero(s, g.Dy().DType())), g.Dy(), g.X(1))
		},
	})
}

// MatrixSetDiagV3 replaces diagonals of matrices: operands input, diagonal, k.
var MatrixSetDiagV3 = ir.NewOp("MatrixSetDiagV3", "input, diagonal, k=0, align='RIGHT_LEFT'")

func init() {
	MatrixSetDiagV3.Define(ir.Rules{
		Attrs: &DiagAttrs{}, Infer: like0, IntArgs: ir.In(2), Uses: ir.In(2),
		Kernel: func(c *ir.Call) *ir.Mistake {
			copy(c.O(0).Bytes(), c.T(0).Bytes())
			lo, hi, _ := span(c, 2)
			place2(c, c.O(0), c.T(1), lo, hi, true)
			return nil
		},
		Grad: func(g *ir.Grad) {
			s := g.Session
			d := s.Emit2(Fill, nil, inShape(g, 1), zero(s, g.Dy().DType()))
			g.DX[0] = s.EmitN(MatrixSetDiagV3, g.Attrs, g.Dy(), d, g.X(2))
			g.DX[1] = s.EmitN(MatrixDiagPartV3, g.Attrs, g.Dy(), g.X(2), zero(s, g.Dy().DType()))
		},
	})
}

// Cross is the cross product of vectors of three.
var Cross = ir.NewOp("Cross", "a, b", "tf.linalg.cross")

func init() {
	Cross.Define(ir.Rules{
		Infer: sameShapes, Uses: ir.In(0) | ir.In(1),
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, y := make([]float64, c.T(0).Len()), make([]float64, c.T(1).Len())
			kernel.Cast(x, elems(c.T(0)))
			kernel.Cast(y, elems(c.T(1)))
			if d := c.T(0).Dims(); len(d) == 0 || d[len(d)-1] != 3 {
				return ir.Invalid("Cross-products are only defined for 3-element vectors.")
			}
			o := make([]float64, len(x))
			for i := 0; i < len(x); i += 3 {
				o[i] = x[i+1]*y[i+2] - x[i+2]*y[i+1]
				o[i+1] = x[i+2]*y[i] - x[i]*y[i+2]
				o[i+2] = x[i]*y[i+1] - x[i+1]*y[i]
			}
			kernel.Cast(elems(c.O(0)), o)
			return nil
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.Emit2(Cross, nil, g.X(1), g.Dy())
			g.DX[1] = g.Emit2(Cross, nil, g.Dy(), g.X(0))
		},
	})
}
