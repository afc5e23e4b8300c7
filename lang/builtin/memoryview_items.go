package builtin

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
)

// itemFormat is how a memoryview reads and writes one item. put is false for a
// value of the wrong type; fits for one that is too large.
type itemFormat struct {
	size int
	get  func(b string) Value
	put  func(th *Thread, b []byte, x Value) (typed, fits bool, err error)
}

// itemFormats are the native formats of one character, as in module struct.
var itemFormats = map[byte]itemFormat{
	'B': unsigned(1), 'H': unsigned(2), 'I': unsigned(4), 'L': unsigned(8), 'Q': unsigned(8), 'N': unsigned(8), 'P': unsigned(8),
	'b': signed(1), 'h': signed(2), 'i': signed(4), 'l': signed(8), 'q': signed(8), 'n': signed(8),
	'f': {4, func(b string) Value { return lang.Float(float64(math.Float32frombits(uint32(loadItem(b))))) }, putFloat},
	'd': {8, func(b string) Value { return lang.Float(math.Float64frombits(loadItem(b))) }, putFloat},
	'?': {1, func(b string) Value { return lang.Bool(b[0] != 0) }, putBool},
	'c': {1, lang.NewBytes, putChar},
}

func byteFormat(code byte) bool { return code == 'B' || code == 'b' || code == 'c' }

func loadItem(b string) uint64 {
	var room [8]byte
	copy(room[:], b)
	return binary.LittleEndian.Uint64(room[:])
}

func storeItem(b []byte, x uint64) {
	var room [8]byte
	binary.LittleEndian.PutUint64(room[:], x)
	copy(b, room[:len(b)])
}

func unsigned(size int) itemFormat {
	return itemFormat{size, func(b string) Value { return lang.BigInt(new(big.Int).SetUint64(loadItem(b))) },
		func(th *Thread, b []byte, x Value) (bool, bool, error) {
			i, ok, err := indexBig(th, x)
			if !ok || err != nil {
				return ok, false, err
			}
			if i.Sign() < 0 || i.BitLen() > 8*size {
				return true, false, nil
			}
			storeItem(b, i.Uint64())
			return true, true, nil
		}}
}

func signed(size int) itemFormat {
	shift := 64 - 8*size
	return itemFormat{size, func(b string) Value { return lang.Int(int64(loadItem(b)<<shift) >> shift) },
		func(th *Thread, b []byte, x Value) (bool, bool, error) {
			i, ok, err := indexBig(th, x)
			if !ok || err != nil {
				return ok, false, err
			}
			if !i.IsInt64() || i.Int64()<<shift>>shift != i.Int64() {
				return true, false, nil
			}
			storeItem(b, uint64(i.Int64()))
			return true, true, nil
		}}
}

func putFloat(th *Thread, b []byte, x Value) (bool, bool, error) {
	f, ok := lang.AsFloat(x)
	if !ok {
		return false, false, nil
	}
	if len(b) == 4 {
		storeItem(b, uint64(math.Float32bits(float32(f))))
	} else {
		storeItem(b, math.Float64bits(f))
	}
	return true, true, nil
}

func putBool(th *Thread, b []byte, x Value) (bool, bool, error) {
	t, err := lang.Truth(th, x)
	b[0] = 0
	if t {
		b[0] = 1
	}
	return true, true, err
}

func putChar(th *Thread, b []byte, x Value) (bool, bool, error) {
	s, ok := lang.AsBytes(x)
	if !ok {
		return false, false, nil
	}
	if len(s.B) != 1 {
		return true, false, nil
	}
	b[0] = s.B[0]
	return true, true, nil
}
