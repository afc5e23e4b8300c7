//go:build !amd64 || noasm

package kernel

func bestTier() Tier { return Portable }

func asmUnary(op UnaryOp, dst, x []float32) bool                    { return false }
func asmVV(op BinaryOp, dst, x, y []float32) bool                   { return false }
func asmVS(op BinaryOp, dst, x []float32, y float32) bool           { return false }
func asmSV(op BinaryOp, dst []float32, x float32, y []float32) bool { return false }
func (g *gemm[T]) prepare()                                         {}
func vector32(g *gemm[float32]) bool                                { return false }
func vector64(g *gemm[float64]) bool                                { return false }

func lanesSum32(x []float32) float64              { return lanesSum32Go(x) }
func lanesSquares32(x []float32) float64          { return lanesSquares32Go(x) }
func lanesSum64(x []float64, square bool) float64 { return lanesSum64Go(x, square) }
func addRow32(acc []float64, row []float32)       { addRow32Go(acc, row) }
func max32(x []float32) float32                   { return max32Go(x) }
func min32(x []float32) float32                   { return min32Go(x) }
func lanesDot32(x, y []float32) float32           { return lanesDot32Go(x, y) }
func lanesDot64(x, y []float64) float64           { return lanesDot64Go(x, y) }

func transposeAsm[T any](dst []T, dr int, src []T, sn, rows, n int) bool { return false }

func asmCompareVV(op CompareOp, dst []bool, x, y []float32) bool               { return false }
func asmCompareVS(op CompareOp, dst []bool, x []float32, y float32) bool       { return false }
func asmChoose[T any](dst []T, cond []bool, x []T, sx int, y []T, sy int) bool { return false }
func asmMulAdd(dst, x, y []float32) bool                                       { return false }
func asmMaxNumber(dst, x []float32) bool                                       { return false }
func addFourRows(acc []float64, x []float32, stride int) bool                  { return false }
func asmExpSum(dst, x []float32, m float32) (sum float64, ok bool)             { return 0, false }
func asmArg(op ReduceOp, x []float32) (at int, ok bool)                        { return 0, false }
