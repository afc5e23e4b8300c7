package tensor

import "github.com/tfs-lang/tfs/lang/value"

// Resource is the storage of a variable: one current value, replaced or changed
// by assignments. Reads are snapshots: they share the block, and a change in
// place happens only when nobody shares it.
type Resource struct {
	value.Header
	// Name is the variable's name with scopes, without ":0".
	Name string
	// DType and Declared are fixed when the variable is made; values keep within.
	DType    DType
	Declared Shape
	cur      *Tensor
}

// ResourceType is the script type of bare resource handles, set by the bindings.
var ResourceType *value.Type

// NewResource returns storage without a value yet.
func NewResource(name string, dt DType, declared Shape) *Resource {
	return &Resource{Header: value.Header{Type: ResourceType, Kind: value.KindOther},
		Name: name, DType: dt, Declared: declared}
}

// Initialized reports that there is a value.
func (r *Resource) Initialized() bool { return r.cur != nil }

// Peek is the current value, borrowed until the next assignment; nil before the first.
func (r *Resource) Peek() *Tensor { return r.cur }

// Shape is the shape of the current value, the declared one before the first.
func (r *Resource) Shape() Shape {
	if r.cur == nil {
		return r.Declared
	}
	return r.cur.shape
}

// Read returns a snapshot; the caller owns its one reference.
func (r *Resource) Read(a *Allocator) (*Tensor, error) { return a.View(r.cur, 0, r.cur.shape) }

// Assign makes t's elements the value. t is borrowed; its block becomes shared.
func (r *Resource) Assign(a *Allocator, t *Tensor) error {
	v, err := a.View(t, 0, t.shape)
	if err != nil {
		return err
	}
	r.Adopt(a, v)
	return nil
}

// Adopt makes t itself the value and takes over the caller's reference.
func (r *Resource) Adopt(a *Allocator, t *Tensor) {
	old := r.cur
	r.cur = t
	if old != nil {
		a.Drop(old)
	}
}

// Mutable returns the value for writing in place: if a snapshot shares its
// block, the variable gets a copy first. Borrowed until the next assignment.
func (r *Resource) Mutable(a *Allocator) (*Tensor, error) {
	if !r.cur.Alone() {
		t, err := a.Copy(r.cur)
		if err != nil {
			return nil, err
		}
		r.Adopt(a, t)
	}
	return r.cur, nil
}

// Replaceable is like Mutable for one who overwrites every element: the content
// is undefined, nothing is copied.
func (r *Resource) Replaceable(a *Allocator) (*Tensor, error) {
	if !r.cur.Alone() {
		t, err := a.Like(r.cur)
		if err != nil {
			return nil, err
		}
		r.Adopt(a, t)
	}
	return r.cur, nil
}

// Clear drops the value; for one who ends the variable.
func (r *Resource) Clear(a *Allocator) {
	if r.cur != nil {
		a.Drop(r.cur)
		r.cur = nil
	}
}
