package random

// batch is how many words are made at a time: a multiple of what one assembly step
// makes.
const batch = 1024

// fillWords fills dst, whole blocks, and moves p on.
func fillWords(p *Philox, dst []uint32) {
	n := fillWordsAsm(p, dst)
	for dst = dst[n:]; len(dst) > 0; dst = dst[4:] {
		b := p.Block()
		copy(dst, b[:])
	}
}

// eachBatch calls f with consecutive words for n of them, batch by batch, the last
// rounded up to whole blocks.
func eachBatch(p Philox, n int, f func(at int, words []uint32)) {
	var buf [batch]uint32
	for at := 0; at < n; at += batch {
		w := buf[:min(batch, (n-at+3)/4*4)]
		fillWords(&p, w)
		f(at, w)
	}
}
