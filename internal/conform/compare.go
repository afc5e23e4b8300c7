package conform

import (
	"fmt"
	"strings"
)

// A Mismatch says where a result first differs from its recording.
type Mismatch struct {
	What      string // "output", "status", "exception", "message", "stderr" or "timeout"
	Line      int    // line of the recording, from 1; 0 where there is none
	Want, Got string
}

// Error makes a Mismatch usable as an error.
func (m *Mismatch) Error() string {
	where := m.What
	if m.Line > 0 {
		where = fmt.Sprintf("%s line %d", m.What, m.Line)
	}
	return fmt.Sprintf("%s\n  want: %s\n  got:  %s", where, m.Want, m.Got)
}

// CompareOutput compares two outputs as the directives ask; nil means that they agree.
func CompareOutput(d Directives, want, got string) *Mismatch {
	if want == got {
		return nil
	}
	if d.Exact {
		return firstLine(want, got)
	}
	ws, gs := tokens(want), tokens(got)
	for i, w := range ws {
		if i >= len(gs) {
			return lineMismatch(want, w.at, got, len(got))
		}
		if !d.same(w, gs[i]) {
			return lineMismatch(want, w.at, got, gs[i].at)
		}
	}
	if len(gs) > len(ws) {
		return lineMismatch(want, len(want), got, gs[len(ws)].at)
	}
	return nil
}

// firstLine finds the first line that differs in two texts that are not equal.
func firstLine(want, got string) *Mismatch {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	return lineMismatch(want, i, got, i)
}

func lineMismatch(want string, w int, got string, g int) *Mismatch {
	return &Mismatch{
		What: "output",
		Line: 1 + strings.Count(want[:w], "\n"),
		Want: lineAt(want, w),
		Got:  lineAt(got, g),
	}
}

// lineAt returns the line of text around a byte offset.
func lineAt(text string, at int) string {
	if at >= len(text) {
		return "<end of output>"
	}
	start := strings.LastIndexByte(text[:at], '\n') + 1
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return text[start:]
	}
	return text[start : at+end]
}
