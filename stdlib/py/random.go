package py

import (
	"crypto/rand"
	"crypto/sha512"
	"math/big"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/lang/value"
)

// _random is the Mersenne Twister behind the script module random.
var _ = define("_random", func() *lang.ModuleDef {
	return &lang.ModuleDef{Init: func(th *Thread, m *lang.Module) error {
		m.Set("Random", twisterClass.Value())
		return nil
	}}
})

const (
	mtN = 624
	mtM = 397
)

// twister is MT19937 in the form of init_by_array.
type twister struct {
	lang.Header
	mt [mtN]uint32
	i  int
}

var twisterClass = newClass("Random", "_random")

func twisterOf(v Value) *twister { return native[twister](v, twisterClass) }

func (t *twister) seed(s uint32) {
	t.mt[0] = s
	for i := 1; i < mtN; i++ {
		t.mt[i] = 1812433253*(t.mt[i-1]^t.mt[i-1]>>30) + uint32(i)
	}
	t.i = mtN
}

func (t *twister) seedArray(key []uint32) {
	t.seed(19650218)
	i, j := 1, 0
	for range max(mtN, len(key)) {
		t.mt[i] = (t.mt[i] ^ (t.mt[i-1]^t.mt[i-1]>>30)*1664525) + key[j] + uint32(j)
		i++
		j++
		if i >= mtN {
			t.mt[0] = t.mt[mtN-1]
			i = 1
		}
		if j >= len(key) {
			j = 0
		}
	}
	for range mtN - 1 {
		t.mt[i] = (t.mt[i] ^ (t.mt[i-1]^t.mt[i-1]>>30)*1566083941) - uint32(i)
		i++
		if i >= mtN {
			t.mt[0] = t.mt[mtN-1]
			i = 1
		}
	}
	t.mt[0] = 0x80000000
}

func (t *twister) next() uint32 {
	if t.i >= mtN {
		for k := range mtN {
			y := t.mt[k]&0x80000000 | t.mt[(k+1)%mtN]&0x7fffffff
			t.mt[k] = t.mt[(k+mtM)%mtN] ^ y>>1 ^ (y&1)*0x9908b0df
		}
		t.i = 0
	}
	y := t.mt[t.i]
	t.i++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (t *twister) float() float64 {
	a, b := t.next()>>5, t.next()>>6
	return (float64(a)*67108864 + float64(b)) / 9007199254740992
}

// bits is an int of k random bits, the lowest word drawn first.
func (t *twister) bits(k int) *big.Int {
	if k <= 32 {
		return new(big.Int).SetUint64(uint64(t.next() >> (32 - k)))
	}
	n := (k + 31) / 32
	b := make([]byte, 4*n)
	for i := range n {
		w := t.next()
		if left := k - 32*i; left < 32 {
			w >>= 32 - left
		}
		at := len(b) - 4*i
		b[at-1], b[at-2], b[at-3], b[at-4] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	}
	return new(big.Int).SetBytes(b)
}

// below is a random int in [0, n) by rejection of bits, n > 0.
func (t *twister) below(n *big.Int) *big.Int {
	k := n.BitLen()
	for {
		if r := t.bits(k); r.Cmp(n) < 0 {
			return r
		}
	}
}

func (t *twister) smallBelow(n uint64) uint64 {
	k := 0
	for m := n; m > 0; m >>= 1 {
		k++
	}
	for {
		var r uint64
		if k <= 32 {
			r = uint64(t.next() >> (32 - k))
		} else {
			lo := uint64(t.next())
			r = lo | uint64(t.next()>>(64-k))<<32
		}
		if r < n {
			return r
		}
	}
}

func init() {
	c := twisterClass
	c.New = &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		t := &twister{Header: head(twisterClass, value.KindOther)}
		t.seedRandomly()
		return wrap(a[0], Value{P: unsafe.Pointer(t)}), nil
	}}
	c.Init = &lang.Def{Sig: "__init__(self, x=None)", Fn: twisterSeed}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "seed(self, a=None, version=2)", Fn: twisterSeed},
		{Sig: "random(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Float(twisterOf(a[0]).float()), nil }, Doc: "random() -> x in the interval [0, 1)."},
		{Sig: "getrandbits(self, k, /)", Fn: twisterBits},
		{Sig: "_randbelow(self, n, /)", Fn: twisterBelow},
		{Sig: "_getstate(self, /)", Fn: twisterGetstate},
		{Sig: "_setstate(self, state, /)", Fn: twisterSetstate},
		{Sig: "shuffle(self, x, /)", Fn: twisterShuffle, Doc: "Shuffle list x in place."},
	})
}

func (t *twister) seedRandomly() {
	var b [2496]byte
	_, _ = rand.Read(b[:])
	var key [624]uint32
	for i := range key {
		key[i] = uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24
	}
	t.seedArray(key[:])
}

// seedBig seeds with the 32-bit words of |n|, the lowest first.
func (t *twister) seedBig(n *big.Int) {
	n = new(big.Int).Abs(n)
	key := []uint32{}
	mask := big.NewInt(0xffffffff)
	for n.Sign() > 0 {
		key = append(key, uint32(new(big.Int).And(n, mask).Uint64()))
		n = new(big.Int).Rsh(n, 32)
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	t.seedArray(key)
}

func twisterSeed(th *Thread, a []Value) (Value, error) {
	t := twisterOf(a[0])
	v := a[1]
	if v.IsNone() {
		t.seedRandomly()
		return none, nil
	}
	if b, ok := lang.AsBig(v); ok {
		t.seedBig(b)
		return none, nil
	}
	text := ""
	if s, ok := lang.AsStr(v); ok {
		text = s.String()
	} else if b, ok := builtin.BytesLike(v); ok {
		text = b
	} else if lang.IsFloatValue(v) {
		h, err := lang.Hash(th, v)
		if err != nil {
			return fail(err)
		}
		t.seedBig(new(big.Int).SetUint64(uint64(h)))
		return none, nil
	} else {
		return fail(th.TypeErrorf("The only supported seed types are: None,\nint, float, str, bytes, and bytearray."))
	}
	sum := sha512.Sum512([]byte(text))
	t.seedBig(new(big.Int).SetBytes(append([]byte(text), sum[:]...)))
	return none, nil
}

func twisterBits(th *Thread, a []Value) (Value, error) {
	k, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if k < 0 {
		return fail(th.ValueErrorf("number of bits must be non-negative"))
	}
	if k == 0 {
		return lang.Int(0), nil
	}
	if err := th.CheckSize(k/8, 1); err != nil {
		return fail(err)
	}
	return lang.BigInt(twisterOf(a[0]).bits(k)), nil
}

func twisterBelow(th *Thread, a []Value) (Value, error) {
	if a[1].IsInt() && a[1].Int64() > 0 {
		return lang.Int(int64(twisterOf(a[0]).smallBelow(uint64(a[1].Int64())))), nil
	}
	n, err := bigOf(th, a[1])
	if err != nil || n.Sign() <= 0 {
		return lang.Int(0), err
	}
	return lang.BigInt(twisterOf(a[0]).below(n)), nil
}

func twisterGetstate(th *Thread, a []Value) (Value, error) {
	t := twisterOf(a[0])
	out := make([]Value, 0, mtN+1)
	for _, w := range t.mt {
		out = append(out, lang.Int(int64(w)))
	}
	return lang.NewTuple(append(out, lang.Int(int64(t.i)))...), nil
}

func twisterSetstate(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsTuple(a[1])
	if !ok || s.Len() != mtN+1 {
		return fail(th.ValueErrorf("state vector is the wrong size"))
	}
	t := twisterOf(a[0])
	for i := range mtN {
		n, _ := lang.AsInt(s.At(i))
		t.mt[i] = uint32(n)
	}
	n, _ := lang.AsInt(s.At(mtN))
	t.i = int(min(max(n, 0), mtN))
	return none, nil
}

// twisterShuffle is the inner loop of shuffle for a list of an exact Random.
func twisterShuffle(th *Thread, a []Value) (Value, error) {
	t := twisterOf(a[0])
	l, ok := lang.AsList(a[1])
	if ok {
		items := l.Items()
		for i := len(items) - 1; i > 0; i-- {
			j := t.smallBelow(uint64(i + 1))
			items[i], items[j] = items[j], items[i]
		}
		return none, nil
	}
	n, err := lang.Len(th, a[1])
	if err != nil {
		return fail(err)
	}
	for i := n - 1; i > 0; i-- {
		j := lang.Int(int64(t.smallBelow(uint64(i + 1))))
		k := lang.Int(int64(i))
		x, err := lang.GetItem(th, a[1], k)
		if err != nil {
			return fail(err)
		}
		y, err := lang.GetItem(th, a[1], j)
		if err == nil {
			if err = lang.SetItem(th, a[1], k, y); err == nil {
				err = lang.SetItem(th, a[1], j, x)
			}
		}
		if err != nil {
			return fail(err)
		}
	}
	return none, nil
}
