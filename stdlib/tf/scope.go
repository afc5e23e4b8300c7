package tf

import (
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tracer"
)

// scopeRows are name scopes and the other context managers that only steer names
// and placement.
var scopeRows = []row{
	{names: "tf.get_current_name_scope", sig: "get_current_name_scope()", fn: func(th *lang.Thread, _ []lang.Value) (lang.Value, error) {
		return lang.NewStr(strings.TrimSuffix(*currentScope(bridge.Of(th)), "/")), nil
	}},
	{names: "tf.device", sig: "device(device_name)", fn: func(*lang.Thread, []lang.Value) (lang.Value, error) { return newContext(""), nil }},
	{names: "tf.control_dependencies", sig: "control_dependencies(control_inputs)", fn: func(*lang.Thread, []lang.Value) (lang.Value, error) { return newContext(""), nil }},
}

// scopeContext is a tf.name_scope, or with an empty name a context that does nothing.
type scopeContext struct {
	value.Header
	name  string
	saved string
	in    *string
}

var scopeClass = lang.NewPythonClass("name_scope", "tensorflow.python.framework.ops", value.KindOther)

func init() {
	scopeClass.New = &lang.Def{Sig: "name_scope(cls, name)", Flags: lang.DefPython, Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		n, ok := lang.AsStr(a[1])
		if !ok {
			return lang.Unbound, th.ValueErrorf("name for name_scope must be a string.")
		}
		return newContext(n.String()), nil
	}}
	lang.DefineMethods(scopeClass, []lang.Def{
		{Sig: "name(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.NewStr((*scopeContext)(a[0].P).name), nil
		}},
		{Sig: "__enter__(self)", Fn: scopeEnter},
		{Sig: "__exit__(self, *args)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			s := (*scopeContext)(a[0].P)
			if s.in != nil {
				*s.in = s.saved
			}
			return lang.None, nil
		}},
	})
	classConstants = append(classConstants, fixed("tf.name_scope", scopeClass.Value()))
}

func newContext(name string) lang.Value {
	s := &scopeContext{Header: value.Header{Type: &scopeClass.Type, Kind: value.KindOther}, name: name}
	return value.Of(&s.Header)
}

// currentScope is where the scope of names stands: of the graph, or of eager code.
func currentScope(st *bridge.State) *string {
	if g := tracer.Current(st); g != nil {
		return g.Scope()
	}
	return &st.Scope
}

// scopeEnter opens the scope: relative to the current one, or absolute when the
// name ends in a slash.
func scopeEnter(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	s, st := (*scopeContext)(a[0].P), bridge.Of(th)
	s.in = currentScope(st)
	s.saved = *s.in
	switch {
	case s.name == "":
	case strings.HasSuffix(s.name, "/"):
		*s.in = s.name
	default:
		*s.in += s.name + "/"
	}
	return lang.NewStr(*s.in), nil
}
