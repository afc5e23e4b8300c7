package lang

import (
	"strconv"
	"strings"
)

// CPython shows so many members of a group, and groups so deep in each other.
const (
	groupWidth = 15
	groupDepth = 10
)

// report prints an exception with what it is chained to; the members of a group
// stand behind a margin, one level deeper for each group.
type report struct {
	th    *Thread
	b     *strings.Builder
	seen  map[*Exception]bool
	depth int  // of groups
	open  bool // the last member's frame must be closed
}

func (r *report) chain(e *Exception) {
	r.seen[e] = true
	if c := e.Cause; c != nil && !r.seen[c] {
		r.chain(c)
		r.link("The above exception was the direct cause of the following exception:")
	} else if c := e.Context; c != nil && !e.Suppress && e.Cause == nil && !r.seen[c] {
		r.chain(c)
		r.link("During handling of the above exception, another exception occurred:")
	}
	if e.IsA(BaseExceptionGroup) {
		r.group(e)
	} else {
		r.one(e, "Traceback")
	}
}

func (r *report) link(text string) {
	r.lines("\n" + text + "\n\n")
}

// lines writes whole lines behind the margin.
func (r *report) lines(text string) {
	for line := range strings.Lines(text) {
		if r.depth > 0 {
			r.b.WriteString(r.indent() + "| ")
		}
		r.b.WriteString(line)
	}
}

func (r *report) indent() string { return strings.Repeat("  ", r.depth) }

// one writes an exception without those that it is chained to.
func (r *report) one(e *Exception, title string) {
	if e.Trace != nil {
		title += " (most recent call last):\n"
		if r.depth == 1 && e.IsA(BaseExceptionGroup) {
			r.b.WriteString(r.indent() + "+ " + title)
		} else {
			r.lines(title)
		}
		var trace strings.Builder
		writeTrace(r.th, &trace, e.Trace)
		r.lines(trace.String())
	}
	r.lines(FormatOnly(r.th, e))
}

func (r *report) group(e *Exception) {
	if r.depth > groupDepth {
		r.lines("... (max_group_depth is " + strconv.Itoa(groupDepth) + ")\n")
		return
	}
	if r.depth == 0 {
		r.depth++
	}
	r.one(e, "Exception Group Traceback")
	members := GroupMembers(e)
	shown := min(len(members), groupWidth+1)
	r.open = false
	for i, m := range members[:shown] {
		r.open = r.open || i == shown-1
		title, lead := strconv.Itoa(i+1), "  "
		if i == groupWidth {
			title = "..."
		}
		if i == 0 {
			lead = "+-"
		}
		r.b.WriteString(r.indent() + lead + "+---------------- " + title + " ----------------\n")
		r.depth++
		if i == groupWidth {
			n := len(members) - groupWidth
			r.lines("and " + strconv.Itoa(n) + " more " + plural("exception", n) + "\n")
		} else {
			r.chain(m)
		}
		if i == shown-1 && r.open {
			r.b.WriteString(r.indent() + "+------------------------------------\n")
			r.open = false
		}
		r.depth--
	}
	if r.depth == 1 {
		r.depth = 0
	}
}
