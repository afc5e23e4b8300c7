// Package random reproduces the random number generators of TensorFlow, NumPy and
// CPython bit by bit.
//
//   - Philox with TensorFlow's samplers (philox.go, sample.go, discrete.go), and the
//     rules which say where an op starts reading (seed.go, eager.go, generator.go).
//   - MT19937 (mt.go), under CPython's random module and NumPy's RandomState
//     (legacy.go).
//   - SeedSequence, PCG64 and NumPy's Generator with its ziggurats (seedsequence.go,
//     pcg.go, npgenerator.go, ziggurat.go).
//
// States are plain data: a copy of one draws what the original would. Integers,
// uniforms and choices equal the originals to the last bit; values that go through
// log, sin, exp or pow may differ by an ulp, as those libraries differ between
// machines. A state serves one goroutine at a time.
package random
