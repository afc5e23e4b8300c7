package np

import (
	"archive/zip"
	"bytes"
	"io"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// nativeDef is numpy._native: what the modules in script need of Go.
func nativeDef() *lang.ModuleDef {
	return &lang.ModuleDef{Name: "numpy._native", Defs: []lang.Def{
		{Sig: "set_print(options, formatter)", Fn: fn(nativeSetPrint)},
		{Sig: "get_print()", Fn: fn(getPrint)},
		{Sig: "array2string(a, options, separator, prefix, suffix)", Fn: fn(nativeArray2string)},
		{Sig: "set_err(modes)", Fn: fn(nativeSetErr)},
		{Sig: "get_err()", Fn: fn(nativeGetErr)},
		{Sig: "format_float(x, scientific, precision, unique, trim, sign, pad_left, pad_right, min_digits)", Fn: fn(formatFloat)},
		{Sig: "zip_files(members)", Fn: fn(zipFiles)},
		{Sig: "unzip_files(data)", Fn: fn(unzipFiles)},
		{Sig: "warn(text, category)", Fn: fn(nativeWarn)},
		{Sig: "as_strided(x, shape, strides, writeable)", Fn: viewFn(nativeAsStrided)},
	}, Init: func(_ *lang.Thread, m *lang.Module) error {
		for _, c := range []*lang.Class{AxisError, ComplexWarning, RankWarning} {
			m.Set(c.Name, c.Value())
		}
		return nil
	}}
}

func nativeSetPrint(r *args) (Value, error) {
	d, _ := lang.AsDict(r.a[0])
	if err := r.printOptions(r.s.print, d); err != nil {
		return lang.Unbound, err
	}
	return lang.None, r.formatter(r.s.print, r.a[1])
}

func nativeArray2string(r *args) (Value, error) {
	o := *r.s.print
	d, _ := lang.AsDict(r.a[1])
	if err := r.printOptions(&o, d); err != nil {
		return lang.Unbound, err
	}
	if f, ok := d.GetStr("formatter"); ok {
		if err := r.formatter(&o, f); err != nil {
			return lang.Unbound, err
		}
	}
	return lang.NewStr(format.Text(r.s.format(r.arr(0)), &o, r.str(2, " "), r.str(3, ""), r.str(4, ""))), nil
}

func nativeSetErr(r *args) (Value, error) {
	d, _ := lang.AsDict(r.a[0])
	for i, k := range errNames {
		if v, ok := d.GetStr(k); ok {
			r.s.c.Err[i] = action(r.s.Text(v))
		}
	}
	return lang.None, nil
}

func nativeGetErr(r *args) (Value, error) {
	d := lang.NewDict()
	for i, k := range errNames {
		d.PutStr(k, lang.NewStr([]string{"warn", "ignore", "raise"}[r.s.c.Err[i]]))
	}
	return d.Value(), nil
}

func nativeWarn(r *args) (Value, error) {
	if c, ok := lang.AsClass(r.a[1]); ok && r.s.th.Interp.Warn != nil {
		r.s.th.Interp.Warn(r.s.th, c, r.str(0, ""))
	}
	return lang.None, nil
}

func nativeAsStrided(r *args) (*ndarray.Array, error) {
	x, dims, st := r.arr(0), r.shape(1), r.shape(2)
	if r.err != nil {
		return nil, r.err
	}
	v, err := x.Restrided(dims, st)
	if err == nil {
		v.ReadOnly = v.ReadOnly || !r.flag(3)
	}
	return v, err
}

var errNames = [4]string{"divide", "over", "under", "invalid"}

func action(name string) ndarray.Action {
	switch name {
	case "ignore":
		return ndarray.Ignore
	case "raise":
		return ndarray.Raise
	}
	return ndarray.Warn
}

// printOptions reads the options of a dict.
func (r *args) printOptions(o *format.Options, d *lang.Dict) error {
	ints := map[string]*int{"precision": &o.Precision, "threshold": &o.Threshold, "edgeitems": &o.EdgeItems, "linewidth": &o.LineWidth}
	strs := map[string]*string{"nanstr": &o.NanStr, "infstr": &o.InfStr, "floatmode": &o.FloatMode}
	for at := 0; ; {
		k, v, next, ok := d.Entry(at)
		if !ok {
			return nil
		}
		at = next
		name := r.s.Text(k)
		switch {
		case ints[name] != nil:
			f, err := lang.FloatOf(r.s.th, v)
			if err != nil {
				return err
			}
			*ints[name] = int(min(f, 1<<62))
		case strs[name] != nil:
			*strs[name] = r.s.Text(v)
		case name == "suppress":
			t, err := lang.Truth(r.s.th, v)
			if err != nil {
				return err
			}
			o.Suppress = t
		case name == "sign":
			o.Sign = (r.s.Text(v) + " ")[0]
		}
	}
}

// formatterKey is where the script's formatter dict is kept.
const formatterKey = "numpy.formatter"

// formatter sets the functions that replace the text of elements.
func (r *args) formatter(o *format.Options, v Value) error {
	o.Formatter = nil
	if o == r.s.print {
		r.s.th.Ext[formatterKey] = v.Held()
	}
	d, ok := lang.AsDict(v)
	if !ok {
		return nil
	}
	o.Formatter = map[string]func(*format.Array, int) string{}
	for at := 0; ; {
		k, f, next, ok := d.Entry(at)
		if !ok {
			return nil
		}
		at = next
		s := r.s
		o.Formatter[s.Text(k)] = func(a *format.Array, pos int) string { return s.formatted(f, a, pos) }
	}
}

func (s *state) formatted(f Value, a *format.Array, pos int) string {
	x := ndarray.New(ndarray.DType{K: a.DType})
	size := x.DT.Size()
	if a.Text != nil || size == 0 {
		return a.Text(pos)
	}
	x.SetBytes(a.Data[pos : pos+size])
	v, err := s.th.Call(f, []Value{scalarAt(x, 0)})
	if err != nil {
		return "?"
	}
	return s.Text(v)
}

func getPrint(r *args) (Value, error) {
	o, d := r.s.print, lang.NewDict()
	d.PutStr("edgeitems", lang.Int(int64(o.EdgeItems)))
	d.PutStr("threshold", lang.Int(int64(o.Threshold)))
	d.PutStr("floatmode", lang.NewStr(o.FloatMode))
	d.PutStr("precision", lang.Int(int64(o.Precision)))
	d.PutStr("suppress", lang.Bool(o.Suppress))
	d.PutStr("linewidth", lang.Int(int64(o.LineWidth)))
	d.PutStr("nanstr", lang.NewStr(o.NanStr))
	d.PutStr("infstr", lang.NewStr(o.InfStr))
	d.PutStr("sign", lang.NewStr(string(rune(o.Sign))))
	f := lang.None
	if h, ok := r.s.th.Ext[formatterKey].(lang.Held); ok {
		f = h.Value()
	}
	d.PutStr("formatter", f)
	d.PutStr("legacy", lang.False)
	d.PutStr("override_repr", lang.None)
	return d.Value(), nil
}

func formatFloat(r *args) (Value, error) {
	x := r.arr(0)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	if !x.DT.IsFloat() {
		y, err := r.s.c.Cast(x, ndarray.Float64)
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
		x = y
	}
	trim := r.str(4, "k")
	s := format.FloatSpec{Precision: r.int(2, -1), MinDigits: r.int(8, -1), Unique: r.flag(3), Trim: trim[0], Plus: r.flag(5), PadLeft: r.int(6, 0)}
	if r.flag(1) {
		s.ExpDigits = r.int(7, 0)
	} else {
		s.PadRight = r.int(7, 0)
	}
	return lang.NewStr(s.Format(x.DT.K, x.FloatAt(x.Offset()), r.flag(1))), r.err
}

func zipFiles(r *args) (Value, error) {
	items, err := lang.ToSlice(r.s.th, r.a[0])
	if err != nil {
		return lang.Unbound, err
	}
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, it := range items {
		t, _ := lang.AsTuple(it.Value())
		f, err := w.Create(r.s.Text(t.At(0)))
		if err != nil {
			return lang.Unbound, err
		}
		b, _ := lang.BytesOf(t.At(1))
		if _, err := io.WriteString(f, b); err != nil {
			return lang.Unbound, err
		}
	}
	if err := w.Close(); err != nil {
		return lang.Unbound, err
	}
	return lang.NewBytes(buf.String()), nil
}

func unzipFiles(r *args) (Value, error) {
	b, _ := lang.BytesOf(r.a[0])
	z, err := zip.NewReader(bytes.NewReader([]byte(b)), int64(len(b)))
	if err != nil {
		return lang.Unbound, r.s.th.ValueErrorf("not a zip file: %s", err)
	}
	l := lang.MakeList(0)
	for _, f := range z.File {
		rd, err := f.Open()
		if err != nil {
			return lang.Unbound, r.s.th.ValueErrorf("%s: %s", f.Name, err)
		}
		data, err := io.ReadAll(rd)
		if err != nil {
			return lang.Unbound, r.s.th.ValueErrorf("%s: %s", f.Name, err)
		}
		l.Append(lang.NewTuple(lang.NewStr(f.Name), lang.NewBytes(string(data))))
	}
	return l.Value(), nil
}
