//go:build !noasm

package random

import "github.com/tfs-lang/tfs/tensor/kernel"

// stepWords is how many words one step of philoxBlocks makes.
const stepWords = 128

// fillWordsAsm fills what it can of dst and returns how much.
func fillWordsAsm(p *Philox, dst []uint32) int {
	steps := len(dst) / stepWords
	blocks := uint64(steps) * stepWords / 4
	if steps == 0 || kernel.CurrentTier() < kernel.AVX512 || p.Lo+blocks < p.Lo {
		return 0
	}
	philoxBlocks(steps, &dst[0], p.Lo, p.Hi, p.Key)
	p.Lo += blocks
	return steps * stepWords
}

// normalWordsAsm makes what it can of dst and returns how much.
func normalWordsAsm(dst []float32, words []uint32) int {
	n := len(words) / 16
	if n == 0 || kernel.CurrentTier() < kernel.AVX512 {
		return 0
	}
	_ = dst[16*n-1]
	boxMullerWords(n, &dst[0], &words[0])
	return 16 * n
}

// uniformWordsAsm makes what it can of dst and returns how much.
func uniformWordsAsm(dst []float32, words []uint32) int {
	n := min(len(words), len(dst)) / 16
	if n == 0 || kernel.CurrentTier() < kernel.AVX512 {
		return 0
	}
	uniformWords(n, &dst[0], &words[0])
	return 16 * n
}
