package lang

// Suggestion is the name that the interpreter proposes for an unknown one: of an
// attribute, a variable or an imported name; "" for none.
func Suggestion(th *Thread, e *Exception) string {
	if e.fatal != nil || len(e.Data) == 0 {
		return ""
	}
	switch {
	case e.IsA(AttributeError) && len(e.Data) > 1:
		name, ok := AsStr(e.Data[0])
		if !ok {
			return ""
		}
		if m, ok := AsModule(e.Data[1]); ok && m.def != nil && m.def.Nearest != nil {
			return m.def.Nearest(name.s)
		}
		return Nearest(name.s, DirNames(th, e.Data[1]))
	case e.IsA(NameError):
		name, ok := AsStr(e.Data[0])
		if !ok {
			return ""
		}
		return Nearest(name.s, th.namesIn(e))
	}
	return ""
}

// namesIn are the names that the frame which raised e could see.
func (th *Thread) namesIn(e *Exception) []string {
	t := e.Trace
	if t == nil {
		return nil
	}
	for t.Next != nil {
		t = t.Next
	}
	var out []string
	if t.Code != nil {
		for _, n := range t.Code.LocalNames {
			if n != "" {
				out = append(out, n)
			}
		}
		for _, f := range t.Code.Free {
			out = append(out, f.Name)
		}
	}
	add := func(d *Dict) {
		for at := 0; ; {
			k, _, next, ok := d.Entry(at)
			if !ok {
				return
			}
			at = next
			if s, ok := AsStr(k); ok {
				out = append(out, s.s)
			}
		}
	}
	if t.Globals != nil {
		add(t.Globals)
	}
	m := th.Interp.Builtins
	m.Complete()
	add(m.dict)
	return out
}

const (
	maxCandidates = 750
	maxNameSize   = 40
	moveCost      = 2
	caseCost      = 1
)

// Nearest is the candidate closest to name by CPython's measure, "" when none is close.
func Nearest(name string, candidates []string) string {
	if len(candidates) >= maxCandidates || len(name) > maxNameSize {
		return ""
	}
	best, at := "", 0
	for _, c := range candidates {
		if c == name {
			continue
		}
		limit := (len(name) + len(c) + 3) * moveCost / 6
		if best != "" {
			limit = min(limit, at-1)
		}
		if d := editDistance(name, c, limit); d <= limit && (best == "" || d < at) {
			best, at = c, d
		}
	}
	return best
}

func substitution(a, b byte) int {
	if a == b {
		return 0
	}
	if a&31 == b&31 && lower(a) == lower(b) {
		return caseCost
	}
	return moveCost
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 32
	}
	return c
}

// editDistance is the weighted distance of two names, limit+1 when it is larger.
func editDistance(a, b string, limit int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return (len(a) + len(b)) * moveCost
	}
	if len(a) > maxNameSize || len(b) > maxNameSize {
		return limit + 1
	}
	if len(b) < len(a) {
		a, b = b, a
	}
	if (len(b)-len(a))*moveCost > limit {
		return limit + 1
	}
	row := make([]int, len(a))
	for i := range row {
		row[i] = (i + 1) * moveCost
	}
	result := 0
	for j := range len(b) {
		result = j * moveCost
		diagonal := result
		least := 1 << 30
		for i := range len(a) {
			sub := diagonal + substitution(b[j], a[i])
			diagonal = row[i]
			result = min(sub, min(result, diagonal)+moveCost)
			row[i] = result
			least = min(least, result)
		}
		if least > limit {
			return limit + 1
		}
	}
	return result
}
