//go:build !amd64 || noasm

package random

func fillWordsAsm(p *Philox, dst []uint32) int          { return 0 }
func normalWordsAsm(dst []float32, words []uint32) int  { return 0 }
func uniformWordsAsm(dst []float32, words []uint32) int { return 0 }
