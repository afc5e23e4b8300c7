package np

import (
	"sync"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

func exception(name, module string, bases ...*lang.Class) *lang.Class {
	c := lang.NewBuiltinClass(name, module, value.KindException, bases...)
	c.Flags |= lang.ClassException
	return c
}

// The exception classes of numpy.
var (
	AxisError      = exception("AxisError", "numpy.exceptions", lang.ValueError, lang.IndexError)
	ComplexWarning = exception("ComplexWarning", "numpy.exceptions", lang.RuntimeWarning)
	RankWarning    = exception("RankWarning", "numpy.exceptions", lang.RuntimeWarning)
	LinAlgError    = exception("LinAlgError", "numpy.linalg", lang.ValueError)
	UFuncTypeError = exception("UFuncTypeError", "numpy._core._exceptions", lang.TypeError)
)

// titled gives classes the names that NumPy's messages have for them.
func titled(cs ...*lang.Class) {
	for _, c := range cs {
		c.Title = c.Module + "." + c.Name
	}
}

func init() {
	titled(ArrayClass, DTypeClass, UFuncClass, flatClass, Generic, ObjectClass)
	for i := range classes {
		if classes[i].c != BFloat16Class {
			titled(classes[i].c)
		}
	}
}

var errorClasses = sync.OnceValue(func() map[string]*lang.Class {
	m := map[string]*lang.Class{"AxisError": AxisError, "ComplexWarning": ComplexWarning, "LinAlgError": LinAlgError, "UFuncTypeError": UFuncTypeError}
	for _, c := range lang.ExceptionClasses() {
		m[c.Name] = c
	}
	return m
})
