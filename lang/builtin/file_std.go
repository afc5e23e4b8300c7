package builtin

import (
	"syscall"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

const (
	errIsDir   = syscall.EISDIR
	errBadFile = syscall.EBADF
)

const openKey = "builtin.open"

// openFiles are the files of an interpreter that may hold unwritten output.
type openFiles struct {
	files []*File
	std   [3]*File
}

func filesOf(th *Thread) *openFiles {
	if o, ok := th.Interp.Ext[openKey].(*openFiles); ok {
		return o
	}
	o := &openFiles{}
	th.Interp.Ext[openKey] = o
	return o
}

// track remembers a file until it is closed, so that its output is written at
// the end of the run even when the script forgets to close it.
func track(th *Thread, f *File) {
	if !f.write {
		return
	}
	o := filesOf(th)
	kept := o.files[:0]
	for _, g := range o.files {
		if !g.closed {
			kept = append(kept, g)
		}
	}
	o.files = append(kept, f)
}

// FlushAll writes out what any open file holds back. It is called before a file
// is opened or looked at by name, and at the end of a run: a script may rely on
// CPython closing a file as soon as nothing refers to it.
func FlushAll(th *Thread) {
	o, ok := th.Interp.Ext[openKey].(*openFiles)
	if !ok {
		return
	}
	for _, f := range o.files {
		if !f.closed {
			_ = f.flush(th)
		}
	}
}

func stdStream(th *Thread, n int) hostStream {
	h := &th.Interp.Host
	switch n {
	case 0:
		return hostStream{r: h.Stdin}
	case 1:
		return hostStream{w: h.Stdout}
	}
	return hostStream{w: h.Stderr}
}

// Std is the file object of a standard stream: 0 stdin, 1 stdout, 2 stderr.
func Std(th *Thread, n int) *File {
	o := filesOf(th)
	if o.std[n] == nil {
		name := [3]string{"<stdin>", "<stdout>", "<stderr>"}[n]
		f := newFile(TextIOClass, stdStream(th, n), lang.NewStr(name), map[bool]string{true: "r", false: "w"}[n == 0])
		f.text, f.std, f.num = true, true, int64(n)
		f.read, f.write = n == 0, n != 0
		f.dec = textState{codec: UTF8, name: "utf-8", errors: "strict"}
		if n == 2 {
			f.dec.errors = "backslashreplace"
		}
		o.std[n] = f
	}
	return o.std[n]
}

// SysFile is sys.stdin, sys.stdout or sys.stderr as the script sees it now.
func SysFile(th *Thread, name string, n int) (Value, error) {
	if v, ok := th.Interp.Modules.GetStr("sys"); ok {
		if m, ok := lang.AsModule(v); ok {
			if f, ok := m.Dict().GetStr(name); ok {
				return f, nil
			}
			return m.Get(th, name)
		}
	}
	return Std(th, n).Value(), nil
}

// display shows the value of an expression statement at the prompt: by
// sys.displayhook once sys is there.
func display(th *Thread, v Value) error {
	if sys, ok := th.Interp.Modules.GetStr("sys"); ok {
		hook, err := lang.Attr(th, sys, "displayhook")
		if lang.Matches(err, lang.AttributeError) {
			err = th.Raise(lang.RuntimeError, "lost sys.displayhook")
		}
		if err == nil {
			_, err = th.Call(hook, []Value{v})
		}
		return err
	}
	return Display(th, v)
}

// Display is the first sys.displayhook.
func Display(th *Thread, v Value) error {
	if v.IsNone() {
		return nil
	}
	out, err := SysFile(th, "stdout", 1)
	if err != nil || out.IsNone() {
		return err
	}
	s, err := lang.Repr(th, v)
	if err != nil {
		return err
	}
	for _, part := range []string{s, "\n"} {
		if _, err := th.CallMethod(out, "write", lang.NewStr(part)); err != nil {
			return err
		}
	}
	th.Interp.Builtins.Set("_", v)
	return nil
}

func fnPrint(th *Thread, a []Value) (Value, error) {
	sep, err := separator(th, "sep", a[0], " ")
	if err != nil {
		return fail(err)
	}
	end, err := separator(th, "end", a[1], "\n")
	if err != nil {
		return fail(err)
	}
	out := a[2]
	if out.IsNone() {
		if out, err = SysFile(th, "stdout", 1); err != nil || out.IsNone() {
			return none, err
		}
	}
	args, _ := lang.AsTuple(a[4])
	if f, ok := AsFile(out); ok && f.text && out.Kind() != value.KindInstance {
		err = printFile(th, f, args.Items(), sep, end)
	} else {
		err = printObject(th, out, args.Items(), sep, end)
	}
	if err != nil {
		return fail(err)
	}
	flush, err := lang.Truth(th, a[3])
	if err == nil && flush {
		_, err = th.CallMethod(out, "flush")
	}
	return none, err
}

func separator(th *Thread, name string, v Value, def string) (string, error) {
	if v.IsNone() {
		return def, nil
	}
	s, ok := lang.AsStr(v)
	if !ok {
		return "", th.TypeErrorf("%s must be None or a string, not %s", name, lang.TypeName(v))
	}
	return s.String(), nil
}

// printFile makes one text of everything; what came before an error is written.
func printFile(th *Thread, f *File, args []lang.Held, sep, end string) error {
	var buf [128]byte
	b := buf[:0]
	for i, x := range args {
		if i > 0 {
			b = append(b, sep...)
		}
		s, err := lang.StrOf(th, x.Value())
		if err != nil {
			if werr := f.WriteText(th, string(b)); werr != nil {
				return werr
			}
			return err
		}
		b = append(b, s...)
	}
	return f.WriteText(th, string(append(b, end...)))
}

func printObject(th *Thread, out Value, args []lang.Held, sep, end string) error {
	write, err := lang.Attr(th, out, "write")
	if err != nil {
		return err
	}
	put := func(s string) error {
		_, err := th.Call(write, []Value{lang.NewStr(s)})
		return err
	}
	for i, x := range args {
		if i > 0 {
			if err := put(sep); err != nil {
				return err
			}
		}
		s, err := lang.StrOf(th, x.Value())
		if err != nil {
			return err
		}
		if err := put(s); err != nil {
			return err
		}
	}
	return put(end)
}

func fnInput(th *Thread, a []Value) (Value, error) {
	if !a[0].IsUnbound() {
		out, err := SysFile(th, "stdout", 1)
		if err != nil {
			return fail(err)
		}
		s, err := lang.StrOf(th, a[0])
		if err != nil {
			return fail(err)
		}
		if _, err := th.CallMethod(out, "write", lang.NewStr(s)); err != nil {
			return fail(err)
		}
		if _, err := th.CallMethod(out, "flush"); err != nil {
			return fail(err)
		}
	}
	in, err := SysFile(th, "stdin", 0)
	if err != nil {
		return fail(err)
	}
	v, err := th.CallMethod(in, "readline")
	if err != nil {
		return fail(err)
	}
	s, ok := lang.AsStr(v)
	if !ok {
		return fail(th.TypeErrorf("object.readline() returned non-string"))
	}
	line := s.String()
	if line == "" {
		return fail(th.Raise(lang.EOFError, "EOF when reading a line"))
	}
	if line[len(line)-1] == '\n' {
		line = line[:len(line)-1]
	}
	return lang.NewStr(line), nil
}
