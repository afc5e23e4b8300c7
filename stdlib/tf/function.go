package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tracer"
)

var functionRows = []row{
	{names: "tf.function", fn: makeFunction,
		sig: "function(func=None, input_signature=None, autograph=True, jit_compile=None, reduce_retracing=False, experimental_implements=None, experimental_autograph_options=None, experimental_attributes=None, experimental_relax_shapes=None, experimental_compile=None, experimental_follow_type_hints=None)"},
	{names: "tf.executing_eagerly", sig: "executing_eagerly()", fn: func(th *lang.Thread, _ []lang.Value) (lang.Value, error) {
		return lang.Bool(!bridge.Of(th).Tracing()), nil
	}},
	{names: "tf.inside_function", sig: "inside_function()", fn: func(th *lang.Thread, _ []lang.Value) (lang.Value, error) {
		return lang.Bool(bridge.Of(th).Tracing()), nil
	}},
	{names: "tf.config.run_functions_eagerly tf.config.experimental_run_functions_eagerly", sig: "run_functions_eagerly(run_eagerly)", fn: runEagerly},
	{names: "tf.config.functions_run_eagerly tf.config.experimental_functions_run_eagerly", sig: "functions_run_eagerly()", fn: func(th *lang.Thread, _ []lang.Value) (lang.Value, error) {
		return lang.Bool(tracer.Of(th).RunEagerly), nil
	}},
	{names: "tf.init_scope", sig: "init_scope()", fn: func(*lang.Thread, []lang.Value) (lang.Value, error) {
		s := &initScope{Header: value.Header{Type: &initScopeClass.Type, Kind: value.KindOther}}
		return value.Of(&s.Header), nil
	}},
	{names: "tf.autograph.experimental.do_not_convert", sig: "do_not_convert(func=None)", fn: doNotConvert},
	{names: "tf.autograph.experimental.set_loop_options", fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return lang.None, tracer.Of(th).SetLoopOptions(a[3], a[2])
	},
		sig: "set_loop_options(parallel_iterations=None, swap_memory=None, maximum_iterations=None, shape_invariants=None)"},
}

// makeFunction is tf.function, as a decorator with or without arguments.
func makeFunction(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	o := tracer.Options{Signature: a[1]}
	auto, err := lang.Truth(th, a[2])
	if err != nil {
		return lang.Unbound, err
	}
	o.NoAutograph = !auto
	for _, v := range []lang.Value{a[4], a[8]} {
		on, err := lang.Truth(th, v)
		if err != nil {
			return lang.Unbound, err
		}
		o.Reduce = o.Reduce || on
	}
	if a[0].IsNone() {
		return tracer.NewDecorator(tracer.Of(th), o), nil
	}
	fn, err := tracer.NewFunction(tracer.Of(th), a[0], o)
	if err != nil {
		return lang.Unbound, err
	}
	return fn.Value(), nil
}

func runEagerly(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	on, err := lang.Truth(th, a[0])
	tracer.Of(th).RunEagerly = on
	return lang.None, err
}

func doNotConvert(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	if a[0].IsNone() {
		return lang.NewFunc("do_not_convert(func)", doNotConvert), nil
	}
	tracer.DoNotConvert(a[0])
	return a[0], nil
}

// initScope is the context manager tf.init_scope().
type initScope struct {
	value.Header
	entered bool
	scope   tracer.InitScope
}

var initScopeClass = lang.NewPythonClass("init_scope", "tensorflow.python.framework.ops", value.KindOther)

func init() {
	lang.DefineMethods(initScopeClass, []lang.Def{
		{Sig: "__enter__(self)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			s := (*initScope)(a[0].P)
			s.entered, s.scope = true, tracer.EnterInitScope(bridge.Of(th))
			return lang.None, nil
		}},
		{Sig: "__exit__(self, *args)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			s := (*initScope)(a[0].P)
			if s.entered {
				s.entered = false
				s.scope.Leave(bridge.Of(th))
			}
			return lang.None, nil
		}},
	})
}
