// Package poison makes reads of memory that nobody wrote visible, in binaries built with the tag poison: `go build -tags poison ./cmd/tfs`.
//
// There every buffer that is made or recycled is filled with bytes that are NaN as floating point numbers, and the slots of a
// planned program are looked at after each run. Results must not change; `.ci/run poison` compares them.
//
// Without the tag On is a constant false and nothing of this is in the binary.
package poison

// Fill makes m unusable.
func Fill(m []byte) {
	for i := range m {
		m[i] = 0xff
	}
}
