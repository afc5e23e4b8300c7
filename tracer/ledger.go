package tracer

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tfs-lang/tfs/lang"
)

// Ledger lists every trace of an interpreter.
type Ledger struct {
	Entries []*Entry
	byFn    map[*Function]int // traces so far
}

// Entry is one trace.
type Entry struct {
	Function string
	Number   int    // of the function's traces, from 1
	Reason   string // why it was traced
	File     string // where the call was
	Line     int
	Defined  int // line of the function
	Ops      int
	Took     time.Duration
	Hits     int64 // later calls that used it
	Effects  []string
	Stale    []string // captured values that changed later
}

// Reason says why a trace was made.
type Reason string

// firstTrace is the reason of a function's first trace.
const firstTrace Reason = "first call"

func (l *Ledger) add(t *trace, cf *ConcreteFunction, took time.Duration) *Entry {
	if l.byFn == nil {
		l.byFn = map[*Function]int{}
	}
	l.byFn[t.fn]++
	e := &Entry{Function: t.fn.Name, Number: l.byFn[t.fn], Reason: string(t.why), Ops: countOps(cf), Took: took}
	e.File, e.Line = callSite(t.tr.st.Th)
	if f, ok := lang.AsFunc(t.fn.Python); ok {
		e.Defined = int(f.Code().FirstLine)
	}
	l.Entries = append(l.Entries, e)
	return e
}

// callSite is the script line that runs now.
func callSite(th *lang.Thread) (file string, line int) {
	f := th.Caller()
	if f == nil {
		return "", 0
	}
	return f.File(), f.Line()
}

func countOps(cf *ConcreteFunction) int { return len(cf.graph.G.Nodes) }

// Print writes the ledger as a table, one function after the other.
func (l *Ledger) Print(w io.Writer) error {
	var b strings.Builder
	if len(l.Entries) == 0 {
		b.WriteString("no function was traced\n")
	}
	seen := map[string]bool{}
	for _, e := range l.Entries {
		key := fmt.Sprint(e.Function, e.Defined)
		if seen[key] {
			continue
		}
		seen[key] = true
		l.printFunction(&b, e)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l *Ledger) printFunction(b *strings.Builder, first *Entry) {
	fmt.Fprintf(b, "%s (line %d)\n", first.Function, first.Defined)
	for _, e := range l.Entries {
		if e.Function != first.Function || e.Defined != first.Defined {
			continue
		}
		fmt.Fprintf(b, "  trace %d at line %d: %s; %d ops, %.1f ms, %d more calls\n", e.Number, e.Line, e.Reason, e.Ops, float64(e.Took)/1e6, e.Hits)
		for _, s := range e.Stale {
			fmt.Fprintf(b, "    stale: %s\n", s)
		}
	}
}

// why finds the reason of a new trace: how its key differs from the nearest one.
func (c *Cache) why(th *lang.Thread, b *bound, key []*TraceType) Reason {
	if len(c.list) == 0 {
		return firstTrace
	}
	best, fewest := Reason(""), 1<<30
	for i := len(c.list) - 1; i >= 0; i-- {
		r, n := compareKeys(th, b, key, c.list[i])
		if n < fewest {
			best, fewest = r, n
		}
	}
	return best
}

func compareKeys(th *lang.Thread, b *bound, key []*TraceType, cf *ConcreteFunction) (Reason, int) {
	if len(key) != len(cf.key) {
		return "another number of arguments", 1 << 20
	}
	var parts []string
	for i, t := range key {
		if b.names[i] != cf.names[i] {
			parts = append(parts, "argument `"+b.names[i]+"` in place of `"+cf.names[i]+"`")
			continue
		}
		if d := difference(th, cf.key[i], t); d != "" {
			parts = append(parts, "`"+b.names[i]+"`: "+d)
		}
	}
	return Reason(strings.Join(parts, "; ")), len(parts)
}
