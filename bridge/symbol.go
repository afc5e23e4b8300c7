package bridge

import (
	"github.com/tfs-lang/tfs/lang"
)

// Texts of what a symbol refuses. Only the beginning is TensorFlow's; the advice
// is ours.
const (
	boolAdvice = "You can attempt the following resolutions to the problem: If you are running in Graph mode, use Eager execution mode or decorate this function with @tf.function. " +
		"If you are using AutoGraph, you can try decorating this function with @tf.autograph.experimental.do_not_convert removed, or write the condition with tf.cond."
	iterAdvice = "Use tf.map_fn, tf.unstack, or a loop inside a converted function."
)

func symTruth(th *lang.Thread, v lang.Value) (bool, error) {
	return false, Of(th).Raise(NotAllowedInGraph, "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. "+boolAdvice)
}

func symIter(th *lang.Thread, v lang.Value) (lang.Value, error) {
	if symOf(v).Shp.Rank() == 0 {
		return lang.Unbound, th.TypeErrorf("Cannot iterate over a scalar.")
	}
	return lang.Unbound, Of(th).Raise(NotAllowedInGraph, "Iterating over a symbolic `tf.Tensor` is not allowed. "+iterAdvice)
}

func symLen(th *lang.Thread, v lang.Value) (int, error) {
	return 0, th.TypeErrorf("len is not well defined for a symbolic Tensor (%s). Please call `x.shape` rather than `len(x)` for shape information.", symOf(v).Name())
}

// GraphValue makes the script object of a symbol's graph and of its node; the
// tracer sets them.
var (
	GraphValue func(st *State, v lang.Value) (lang.Value, error)
	NodeValue  func(st *State, v lang.Value) (lang.Value, error)
)

func symGetAttr(th *lang.Thread, v lang.Value, name *lang.Str) (lang.Value, error) {
	switch n := name.String(); {
	case n == "name":
		return lang.NewStr(symOf(v).Name()), nil
	case n == "device":
		return lang.NewStr(""), nil
	case n == "graph" && GraphValue != nil:
		return GraphValue(Of(th), v)
	case n == "op" && NodeValue != nil:
		return NodeValue(Of(th), v)
	case n == "assign":
		if f, ok := Of(th).sliceAssign(symOf(v)); ok {
			return f, nil
		}
	case numpyAdvice[n]:
		return lang.Unbound, th.Raise(lang.AttributeError, "SymbolicTensor object has no attribute '%s'. %s", n, adviceText)
	}
	return lang.GenericGetAttr(th, v, name)
}

func symSetAttr(th *lang.Thread, v lang.Value, name *lang.Str, _ lang.Value) error {
	return th.Raise(lang.AttributeError, "can't set attribute '%s'", name.String())
}
