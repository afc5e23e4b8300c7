package tfs

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// Tensor is a dense array on its way between Go and a script.
type Tensor struct {
	DType string // "float32"
	Shape []int
	t     *tensor.Tensor
}

// NewTensor returns a tensor with a copy of the elements in row-major order:
// a []float32, []float64, []int32, []int64 or []bool.
func NewTensor(data any, shape ...int) (*Tensor, error) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	if v := reflect.ValueOf(data); v.Kind() != reflect.Slice || v.Len() != n {
		return nil, fmt.Errorf("a tensor of shape %v needs a slice of %d elements, got %T", shape, n, data)
	}
	var t *tensor.Tensor
	switch d := data.(type) {
	case []float32:
		t = tensor.From(d, shape...)
	case []float64:
		t = tensor.From(d, shape...)
	case []int32:
		t = tensor.From(d, shape...)
	case []int64:
		t = tensor.From(d, shape...)
	case []bool:
		t = tensor.From(d, shape...)
	default:
		return nil, fmt.Errorf("no tensor of %T", data)
	}
	return wrapTensor(t), nil
}

func wrapTensor(t *tensor.Tensor) *Tensor {
	return &Tensor{t.DType().Name(), append([]int{}, t.Dims()...), t}
}

// Data is a copy of the elements in row-major order, as a slice of the dtype's Go
// type: []float32 for float32, []string for string.
func (t *Tensor) Data() any {
	switch t.t.DType() {
	case tensor.Float32:
		return append([]float32{}, t.t.F32()...)
	case tensor.Float64:
		return append([]float64{}, t.t.F64()...)
	case tensor.Int32:
		return append([]int32{}, t.t.I32()...)
	case tensor.Int64:
		return append([]int64{}, t.t.I64()...)
	case tensor.Bool:
		return append([]bool{}, t.t.Bools()...)
	case tensor.String:
		return t.t.Strs()
	}
	out := make([]any, t.t.Len())
	for i := range out {
		out[i], _ = (&Interp{}).toGo(bridge.PyItem(t.t, i))
	}
	return out
}

// maxDepth bounds the nesting of values that cross.
const maxDepth = 200

// toGo converts a script value.
func (in *Interp) toGo(v lang.Value) (any, error) { return toGo(v, 0) }

func toGo(v lang.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("a value is nested more than %d levels", maxDepth)
	}
	switch p := lang.Payload(v); p.Kind() {
	case value.KindNone:
		return nil, nil
	case value.KindBool:
		return p.Truth(), nil
	case value.KindInt:
		return p.Int64(), nil
	case value.KindFloat:
		return p.Float64(), nil
	}
	if b, ok := lang.AsBig(v); ok {
		return new(big.Int).Set(b), nil
	}
	if s, ok := lang.AsStr(v); ok {
		return s.String(), nil
	}
	if s, ok := lang.BytesOf(v); ok {
		return []byte(s), nil
	}
	if items, ok := lang.Sequence(v); ok {
		return listToGo(items, depth)
	}
	if d, ok := lang.AsDict(v); ok {
		return dictToGo(d, depth)
	}
	if t, ok := bridge.AsTensor(v); ok {
		v.Held()
		return wrapTensor(t), nil
	}
	return nil, fmt.Errorf("a %s has no Go form", lang.TypeName(v))
}

func listToGo(items []lang.Held, depth int) (any, error) {
	out := make([]any, len(items))
	for i, it := range items {
		x, err := toGo(it.Value(), depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

func dictToGo(d *lang.Dict, depth int) (any, error) {
	out := make(map[string]any, d.Len())
	for at := 0; ; {
		k, v, next, ok := d.Entry(at)
		if !ok {
			return out, nil
		}
		at = next
		s, isStr := lang.AsStr(k)
		if !isStr {
			return nil, fmt.Errorf("a dict with a key that is a %s has no Go form", lang.TypeName(k))
		}
		x, err := toGo(v, depth+1)
		if err != nil {
			return nil, err
		}
		out[s.String()] = x
	}
}

// fromGo converts a Go value.
func (in *Interp) fromGo(v any) (lang.Value, error) {
	switch v := v.(type) {
	case nil:
		return lang.None, nil
	case *Tensor:
		tensor.Hold(v.t)
		bridge.Of(in.rt.Main)
		return v.t.Value(), nil
	case *big.Int:
		return lang.BigInt(new(big.Int).Set(v)), nil
	case []byte:
		return lang.NewBytes(string(v)), nil
	}
	return in.fromReflect(reflect.ValueOf(v), 0)
}

func (in *Interp) fromReflect(v reflect.Value, depth int) (lang.Value, error) {
	if depth > maxDepth {
		return lang.Unbound, fmt.Errorf("a value is nested more than %d levels", maxDepth)
	}
	switch v.Kind() {
	case reflect.Bool:
		return lang.Bool(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return lang.Int(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return lang.BigInt(new(big.Int).SetUint64(v.Uint())), nil
	case reflect.Float32, reflect.Float64:
		return lang.Float(v.Float()), nil
	case reflect.String:
		return lang.NewStr(v.String()), nil
	case reflect.Interface:
		if v.IsNil() {
			return lang.None, nil
		}
		return in.fromGo(v.Elem().Interface())
	case reflect.Slice, reflect.Array:
		l := lang.MakeList(v.Len())
		for i := range v.Len() {
			x, err := in.fromReflect(v.Index(i), depth+1)
			if err != nil {
				return lang.Unbound, err
			}
			l.Append(x)
		}
		return l.Value(), nil
	case reflect.Map:
		return in.fromMap(v, depth)
	}
	return lang.Unbound, fmt.Errorf("a %s has no script form", v.Type())
}

func (in *Interp) fromMap(v reflect.Value, depth int) (lang.Value, error) {
	if v.Type().Key().Kind() != reflect.String {
		return lang.Unbound, fmt.Errorf("a %s has no script form: keys must be strings", v.Type())
	}
	d := lang.NewDict()
	for _, k := range sortedKeys(v) {
		x, err := in.fromReflect(v.MapIndex(k), depth+1)
		if err != nil {
			return lang.Unbound, err
		}
		d.PutStr(k.String(), x)
	}
	return d.Value(), nil
}
