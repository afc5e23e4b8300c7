package tfs

import (
	"io"

	"github.com/tfs-lang/tfs/tracer"
)

// Traces is the ledger of an Interp: every trace of its functions.
type Traces struct{ l *tracer.Ledger }

// Traces gives the ledger; it is read while no script runs.
func (in *Interp) Traces() Traces { return Traces{&tracer.Of(in.rt.Main).Ledger} }

// Trace is one trace of a function.
type Trace = tracer.Entry

// All lists the traces in the order in which they were made.
func (t Traces) All() []*Trace { return t.l.Entries }

// Print writes a table of the traces with their reasons.
func (t Traces) Print(w io.Writer) error { return t.l.Print(w) }
