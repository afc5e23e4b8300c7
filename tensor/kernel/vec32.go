package kernel

// The float32 loops that have assembly. Each falls back to its Go definition.

// Exp32 writes e to the x.
func Exp32(dst, x []float32) { map32(exp32, dst, x) }

// Log32 writes the natural logarithm.
func Log32(dst, x []float32) { map32(log32, dst, x) }

// Tanh32 writes the hyperbolic tangent.
func Tanh32(dst, x []float32) { map32(tanh32, dst, x) }

// Sigmoid32 writes 1 / (1 + exp(-x)).
func Sigmoid32(dst, x []float32) { map32(sigmoid32, dst, x) }

func relu32(dst, x []float32) { reluV(dst, x) }

func lanesSum32(x []float32) float64        { return lanesSum32Go(x) }
func addRow32(acc []float64, row []float32) { addRow32Go(acc, row) }
func max32(x []float32) float32             { return max32Go(x) }
func min32(x []float32) float32             { return min32Go(x) }

func lanesDot32(x, y []float32) float32 { return lanesDot32Go(x, y) }
func lanesDot64(x, y []float64) float64 { return lanesDot64Go(x, y) }
func (g *gemm[T]) vector32() bool       { return false }
func vector64(g *gemm[float64]) bool    { return false }
