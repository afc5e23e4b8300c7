package tracer

import (
	"slices"
	"strconv"

	"github.com/tfs-lang/tfs/lang"
)

// addRest puts *args in front of the keyword-only parameters; all positional
// parameters are then positional-only (rule D9).
func (b *bound) addRest(star string, at int, rest []lang.Value) {
	for i := range at {
		b.kinds[i] = posOnly
	}
	for i, v := range rest {
		b.names = slices.Insert(b.names, at+i, star+"_"+strconv.Itoa(i))
		b.kinds = slices.Insert(b.kinds, at+i, posOnly)
		b.vals = slices.Insert(b.vals, at+i, v)
	}
	b.npos = at + len(rest)
}

// addNamed appends **kwargs in the order of their names, so that their order in
// the call makes no other key.
func (b *bound) addNamed(extra map[string]lang.Value) {
	names := make([]string, 0, len(extra))
	for n := range extra {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		b.names, b.kinds, b.vals = append(b.names, n), append(b.kinds, kwOnly), append(b.vals, extra[n])
	}
}

// call splits bound values into what a call of the Python function takes.
func (b *bound) call(vals []lang.Value) (args []lang.Value, names []*lang.Str) {
	args = append(args, vals[:b.npos]...)
	for i := b.npos; i < len(vals); i++ {
		names = append(names, lang.Intern(b.names[i]))
		args = append(args, vals[i])
	}
	return args, names
}
