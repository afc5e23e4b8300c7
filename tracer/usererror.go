package tracer

import (
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
)

// keptClasses are the exceptions that leave a trace under their own class; all
// others arrive as StagingError (rule D32).
var keptClasses = []*lang.Class{
	lang.AssertionError, lang.AttributeError, lang.KeyError, lang.NameError, lang.NotImplementedError, lang.RuntimeError,
	lang.StopIteration, lang.TypeError, lang.UnboundLocalError, lang.ValueError, lang.ExceptionClass,
}

// userError words an exception that leaves a trace: "in user code:" with the
// frames, then its last line. Exceptions that end programs pass as they are.
func (tr *Tracer) userError(fn *Function, err error) error {
	e := lang.AsError(err)
	if e.IsFatal() || !e.IsA(lang.ExceptionClass) || e.Ext == inUserCode || fn.opts.NoAutograph {
		return err
	}
	class, text := tr.outside(e)
	out := bridge.NewError(class, text)
	out.Ext = inUserCode
	out.Data = e.Data
	out.Cause, out.Suppress = nil, true
	out.Trace = e.Trace
	return out
}

// inUserCode marks exceptions that have been worded.
var inUserCode = new(int)

// outside is the class under which e leaves, and its message.
func (tr *Tracer) outside(e *lang.Exception) (*lang.Class, string) {
	message, err := lang.StrOf(tr.st.Th, e.Value())
	if err != nil {
		message = ""
	}
	text := "in user code:\n\n" + frames(tr.st.Th, e) + "\n    " + e.Class().Name + ": " + strings.ReplaceAll(message, "\n", "\n    ") + "\n"
	if c := e.Class(); kept(c) {
		return c, text
	}
	return bridge.StagingError, text
}

func kept(c *lang.Class) bool {
	for _, k := range keptClasses {
		if c == k {
			return true
		}
	}
	if c.IsSub(bridge.OpError) || c == bridge.NotAllowedInGraph || c == bridge.InaccessibleTensor {
		return true
	}
	// A direct subclass of Exception without an __init__ of its own can be rebuilt.
	if c.IsScript() && len(c.Bases) == 1 && c.Bases[0] == lang.ExceptionClass {
		_, own := c.Dict().GetStr("__init__")
		return !own
	}
	return false
}

// frames lists the script frames of e's traceback; a star marks converted ones.
func frames(th *lang.Thread, e *lang.Exception) string {
	var b strings.Builder
	for t := e.Trace; t != nil; t = t.Next {
		if t.Code == nil {
			continue
		}
		b.WriteString("    File \"" + t.Code.File + "\", line " + itoa(int(t.Line)) + ", in " + t.Code.Name)
		if t.Code.Staged == t.Code {
			b.WriteString("  *")
		}
		b.WriteByte('\n')
		if line, ok := th.Interp.SourceLine(t.Code.File, int(t.Line)); ok {
			b.WriteString("        " + strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}
