package py

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding"
	"hash"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/lang/value"
)

var _ = define("_hashlib", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "new(name, data, key, /)", Fn: newDigest},
		{Sig: "pbkdf2(name, password, salt, iterations, length, /)", Fn: digestPBKDF2},
		{Sig: "blake2b(data, size, key, /)", Fn: newBlakeDigest},
		{Sig: "names()", Fn: func(th *Thread, a []Value) (Value, error) { return strList(digestNames), nil }},
	}}
})

var digestNames = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256", "sha3_224", "sha3_256", "sha3_384", "sha3_512"}

func hashMaker(name string) func() hash.Hash {
	switch name {
	case "md5":
		return md5.New
	case "sha1":
		return sha1.New
	case "sha224":
		return sha256.New224
	case "sha256":
		return sha256.New
	case "sha384":
		return sha512.New384
	case "sha512":
		return sha512.New
	case "sha512_224":
		return sha512.New512_224
	case "sha512_256":
		return sha512.New512_256
	case "sha3_224":
		return func() hash.Hash { return sha3.New224() }
	case "sha3_256":
		return func() hash.Hash { return sha3.New256() }
	case "sha3_384":
		return func() hash.Hash { return sha3.New384() }
	case "sha3_512":
		return func() hash.Hash { return sha3.New512() }
	}
	return nil
}

// digest is a running hash, or a keyed one.
type digest struct {
	lang.Header
	h    hash.Hash
	name string
	log  []byte // what was hashed so far, for copy() of a keyed hash
	key  []byte
	hmac bool
}

var digestClass = newClass("HASH", "_hashlib")

func digestOf(v Value) *digest { return native[digest](v, digestClass) }

func init() {
	digestClass.Repr = func(th *Thread, v Value) (Value, error) {
		return lang.NewStr("<" + digestOf(v).name + " _hashlib.HASH object @ " + lang.Address(v) + ">"), nil
	}
	lang.DefineMethods(digestClass, []lang.Def{
		{Sig: "update(self, data, /)", Fn: func(th *Thread, a []Value) (Value, error) { return none, digestOf(a[0]).update(th, a[1]) }},
		{Sig: "digest(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return lang.NewBytes(string(digestOf(a[0]).h.Sum(nil))), nil
		}},
		{Sig: "hexdigest(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return lang.NewStr(builtin.HexText(string(digestOf(a[0]).h.Sum(nil)), "", 0)), nil
		}},
		{Sig: "copy(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return digestOf(a[0]).copy(), nil }},
		{Sig: "name", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewStr(digestOf(a[0]).name), nil }},
		{Sig: "digest_size", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(digestOf(a[0]).h.Size())), nil }},
		{Sig: "block_size", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(digestOf(a[0]).h.BlockSize())), nil }},
	})
}

func (d *digest) update(th *Thread, v Value) error {
	if _, ok := lang.AsStr(v); ok {
		return th.TypeErrorf("Strings must be encoded before hashing")
	}
	b, ok := builtin.BytesLike(v)
	if !ok {
		return th.TypeErrorf("object supporting the buffer API required")
	}
	if d.hmac {
		d.log = append(d.log, b...)
	}
	d.h.Write([]byte(b))
	return nil
}

func (d *digest) copy() Value {
	c := &digest{Header: head(digestClass, value.KindOther), name: d.name, key: d.key, hmac: d.hmac, log: d.log}
	if d.hmac {
		c.h = hmac.New(hashMaker(d.name), d.key)
		c.h.Write(d.log)
	} else if b, ok := d.h.(*blake2b); ok {
		x := *b
		c.h = &x
	} else {
		c.h = hashMaker(d.name)()
		state, _ := d.h.(encoding.BinaryMarshaler).MarshalBinary()
		_ = c.h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state)
	}
	return Value{P: unsafe.Pointer(c)}
}

// newDigest is new(name, data, key); key None for a plain hash.
func newDigest(th *Thread, a []Value) (Value, error) {
	name, err := strOf(th, a[0], "name")
	if err != nil {
		return fail(err)
	}
	mk := hashMaker(name)
	if mk == nil {
		return fail(th.ValueErrorf("unsupported hash type %s", name))
	}
	d := &digest{Header: head(digestClass, value.KindOther), name: name}
	if a[2].IsNone() {
		d.h = mk()
	} else {
		k, ok := builtin.BytesLike(a[2])
		if !ok {
			return fail(th.TypeErrorf("key: expected bytes or bytearray, but got '%s'", lang.TypeName(a[2])))
		}
		d.key, d.hmac = []byte(k), true
		d.h = hmac.New(mk, d.key)
	}
	return Value{P: unsafe.Pointer(d)}, d.update(th, a[1])
}

func digestPBKDF2(th *Thread, a []Value) (Value, error) {
	name, err := strOf(th, a[0], "hash_name")
	if err != nil {
		return fail(err)
	}
	mk := hashMaker(name)
	if mk == nil {
		return fail(th.ValueErrorf("unsupported hash type"))
	}
	pass, ok := builtin.BytesLike(a[1])
	salt, ok2 := builtin.BytesLike(a[2])
	if !ok || !ok2 {
		return fail(th.TypeErrorf("a bytes-like object is required"))
	}
	n, err := intOf(th, a[3])
	if err != nil {
		return fail(err)
	}
	size := mk().Size()
	if !a[4].IsNone() {
		if size, err = intOf(th, a[4]); err != nil {
			return fail(err)
		}
	}
	key, err := pbkdf2.Key(mk, pass, []byte(salt), n, size)
	if err != nil {
		return fail(th.ValueErrorf("%s", err.Error()))
	}
	return lang.NewBytes(string(key)), nil
}

func newBlakeDigest(th *Thread, a []Value) (Value, error) {
	size, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if size < 1 || size > 64 {
		return fail(th.ValueErrorf("digest_size for blake2b must be between 1 and 64 bytes, here it is %d", size))
	}
	key, err := bytesOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	if len(key) > 64 {
		return fail(th.ValueErrorf("maximum key length is 64 bytes"))
	}
	d := &digest{Header: head(digestClass, value.KindOther), name: "blake2b", h: newBlake2b(size, key)}
	return Value{P: unsafe.Pointer(d)}, d.update(th, a[0])
}
