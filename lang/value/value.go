package value

import (
	"math"
	"unsafe"
)

// Kind says how the exact built-in layout behind a Header looks. An instance of
// a script class, also of one that derives from a built-in type, has
// KindInstance; its payload then hangs on the instance.
type Kind uint8

// The kinds. Immediates come first; KindInt never stands in a Header on the heap.
const (
	KindInt Kind = iota
	KindFloat
	KindBool
	KindNone
	KindUnbound        // an empty slot or binding
	KindNotImplemented // the value NotImplemented
	KindEllipsis
	KindBig // int outside int64
	KindComplex
	KindStr
	KindBytes
	KindByteArray
	KindList
	KindTuple
	KindDict
	KindSet
	KindFrozenSet
	KindRange
	KindSlice
	KindFunc   // script function
	KindBound  // bound method: receiver and function
	KindNative // function implemented in Go
	KindClass  // type object
	KindInstance
	KindModule
	KindCell
	KindGenerator
	KindIter // iterators that are structs in Go
	KindException
	KindProperty // property, staticmethod, classmethod, slots: descriptors
	KindCode
	KindTraceback
	KindOther // an object in Go with no fast path; its Type says all
	// KindTensor is the first of the kinds whose objects are counted (Header.Own).
	KindTensor
	KindArray    // np.ndarray
	KindVariable // tf.Variable
	KindSym      // symbolic tensor
)

// Flags of a Header.
const (
	FlagWatched     = 1 << iota // a trace read it: a store takes the slow path
	FlagWeakRef                 // a weak reference exists
	FlagFinalizable             // finalize when the last counted place goes
	FlagImmortal                // static object, never counted
)

// Header is the first field of every object that a Value can point to.
type Header struct {
	Type  *Type
	Site  uint32 // script position that allocated it, as the Thread numbers them; 0 unknown
	Own   uint16 // at most so many counted places hold it; 0: not counted, for good
	Kind  Kind
	Flags uint8
}

// Type is the part of a class that objects of lower layers can name. It is
// always the first field of a lang.Class.
type Type struct {
	Header
	Name string
	Inst Kind // kind of its exact instances
}

// Value is one register: see the package comment.
type Value struct {
	P unsafe.Pointer
	N uint64
}

// The headers that P of an immediate points to. lang fills in their Type.
var (
	IntTag            = Header{Kind: KindInt, Flags: FlagImmortal} // never pointed to; holds the Type of ints
	FloatTag          = Header{Kind: KindFloat, Flags: FlagImmortal}
	BoolTag           = Header{Kind: KindBool, Flags: FlagImmortal}
	NoneTag           = Header{Kind: KindNone, Flags: FlagImmortal}
	UnboundTag        = Header{Kind: KindUnbound, Flags: FlagImmortal}
	NotImplementedTag = Header{Kind: KindNotImplemented, Flags: FlagImmortal}
	EllipsisTag       = Header{Kind: KindEllipsis, Flags: FlagImmortal}
)

// None, Unbound, NotImplemented, Ellipsis, True and False are the immediates without payload.
var (
	None           = Value{P: unsafe.Pointer(&NoneTag)}
	Unbound        = Value{P: unsafe.Pointer(&UnboundTag)}
	NotImplemented = Value{P: unsafe.Pointer(&NotImplementedTag)}
	Ellipsis       = Value{P: unsafe.Pointer(&EllipsisTag)}
	True           = Value{P: unsafe.Pointer(&BoolTag), N: 1}
	False          = Value{P: unsafe.Pointer(&BoolTag)}
)

// Int, Float and Bool make immediates.
func Int(i int64) Value { return Value{N: uint64(i)} }

// Float returns the script float f.
func Float(f float64) Value {
	return Value{P: unsafe.Pointer(&FloatTag), N: math.Float64bits(f)}
}

// Bool returns True or False.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Of returns the value that points to an object, given its header.
func Of(h *Header) Value { return Value{P: unsafe.Pointer(h)} }

// IsInt reports an int that fits int64 (bool is not one).
func (v Value) IsInt() bool { return v.P == nil }

// IsFloat, IsBool, IsNone and IsUnbound look at the tag alone.
func (v Value) IsFloat() bool { return v.P == unsafe.Pointer(&FloatTag) }

// IsBool reports True or False.
func (v Value) IsBool() bool { return v.P == unsafe.Pointer(&BoolTag) }

// IsNone reports None.
func (v Value) IsNone() bool { return v.P == unsafe.Pointer(&NoneTag) }

// IsUnbound reports an empty slot.
func (v Value) IsUnbound() bool { return v.P == unsafe.Pointer(&UnboundTag) }

// IsNotImplemented reports the value NotImplemented.
func (v Value) IsNotImplemented() bool { return v.P == unsafe.Pointer(&NotImplementedTag) }

// Int64, Float64 and Truth read the payload of an immediate of that kind.
func (v Value) Int64() int64 { return int64(v.N) }

// Float64 reads the payload of a float.
func (v Value) Float64() float64 { return math.Float64frombits(v.N) }

// Truth reads the payload of a bool.
func (v Value) Truth() bool { return v.N != 0 }

// Kind is the exact kind of v.
func (v Value) Kind() Kind {
	if v.P == nil {
		return KindInt
	}
	return (*Header)(v.P).Kind
}

// Head returns the header of v; an int has the shared IntTag.
func (v Value) Head() *Header {
	if v.P == nil {
		return &IntTag
	}
	return (*Header)(v.P)
}

// Is reports identity, as the script's `is`: same object or same immediate.
func (v Value) Is(w Value) bool { return v == w }

// Held is a Value in a place that is not counted: a list, a dict, Go code, a
// capture. Only Value.Held makes one, so that forgetting to hold an object
// doesn't compile.
type Held struct{ v Value }

// Held marks the object behind v as held by a place that is not counted; from
// now on it is the collector's.
func (v Value) Held() Held {
	if v.P != nil {
		if h := (*Header)(v.P); h.Own != 0 {
			h.Own = 0
		}
	}
	return Held{v}
}

// Value reads what is held; loads need no bookkeeping.
func (h Held) Value() Value { return h.v }

// Counted reports that v's object still has an exact owner count.
func (v Value) Counted() bool { return v.P != nil && (*Header)(v.P).Own != 0 }
