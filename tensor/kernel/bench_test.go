package kernel

import (
	"fmt"
	"testing"
)

func BenchmarkGemm32(b *testing.B) {
	for _, n := range []int{16, 32, 64, 128, 256, 512, 1024} {
		for mode := 0; mode < 4; mode++ {
			b.Run(fmt.Sprintf("%d/mode%d", n, mode), func(b *testing.B) {
				x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
				Iota(x, 0, 0.001)
				Iota(y, 1, 0.001)
				b.ResetTimer()
				for range b.N {
					Gemm(mode&1 != 0, mode&2 != 0, n, n, n, x, n, y, n, z, n, false)
				}
				b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}

func BenchmarkElementwise(b *testing.B) {
	const n = 4096
	x, y, d := make([]float32, n), make([]float32, n), make([]float32, n)
	Iota(x, 0.001, 0.001)
	Iota(y, 1, 0.001)
	for name, f := range map[string]func(){
		"add": func() { Binary(Add, d, x, y, nil) }, "exp": func() { Unary(Exp, d, x) },
		"tanh": func() { Unary(Tanh, d, x) }, "sigmoid": func() { Unary(Sigmoid, d, x) },
		"log": func() { Unary(Log, d, x) }, "sum": func() { Reduce(Sum, d, x, 1, n, 1) },
		"max": func() { Reduce(Max, d, x, 1, n, 1) }, "columns": func() { Reduce(Sum, d, x, 1, 64, 64) },
		"softmax": func() { Softmax(d, x, 64, 64) }, "transpose": func() { Transpose(d, x, []int{64, 64}, []int{1, 0}) },
		"erf": func() { Unary(Erf, d, x) }, "greater": func() { Compare(Greater, make([]bool, n), x, y, nil) },
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
		})
	}
}
