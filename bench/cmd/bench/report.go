package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// report prints the figures or, with a stage, the ratios against its targets.
func report(w io.Writer, o options, results Results, targets []target) error {
	if len(targets) == 0 || len(results) == 1 {
		reportFigures(w, results)
	}
	if len(targets) > 0 && len(results) > 1 {
		if !reportTargets(w, o, results, targets) {
			return errShort
		}
	}
	return reportFailures(w, results)
}

// reportFigures prints every figure of tfs with those of the peers beside it.
func reportFigures(w io.Writer, results Results) {
	ours := results.side(sideTFS)
	names := slices.Sorted(maps.Keys(ours.Bench))
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(results)), func(s string) bool { return s == sideTFS })
	for _, name := range names {
		fmt.Fprintf(w, "%-56s %s", name, figure(name, ours.Bench[name]))
		for _, side := range others {
			if theirs, ok := results[side].Bench[name]; ok {
				fmt.Fprintf(w, "   %s %s, ratio %.3f", side, figure(name, theirs), ours.Bench[name]/theirs)
			}
		}
		fmt.Fprintln(w)
	}
}

// figure shows seconds in a fitting unit, memory in MiB.
func figure(name string, value float64) string {
	if strings.HasPrefix(name, "rss.") {
		return fmt.Sprintf("%8.1f MiB", value)
	}
	for _, unit := range []struct {
		name  string
		scale float64
	}{{"s ", 1}, {"ms", 1e3}, {"us", 1e6}} {
		if value*unit.scale >= 1 {
			return fmt.Sprintf("%8.2f %s ", value*unit.scale, unit.name)
		}
	}
	return fmt.Sprintf("%8.1f ns ", value*1e9)
}

// reportTargets prints the ratios and reports whether every target is reached.
func reportTargets(w io.Writer, o options, results Results, targets []target) bool {
	reached, short, absent := 0, 0, 0
	for _, v := range judge(results, targets, strings.Split(o.only, ",")) {
		switch v.mark {
		case markNoPeer:
			absent++
		case markShort, markMissing:
			short++
		default:
			reached++
			if o.short {
				continue
			}
		}
		fmt.Fprintf(w, "%-8s %-56s %8.4f × %-8s (reach %v, moonshot %v)\n",
			v.mark, v.name, v.ratio, v.peer, v.reach, v.moonshot)
	}
	fmt.Fprintf(w, "%d reached, %d short, %d without a peer's figure\n", reached, short, absent)
	return short == 0 && absent == 0
}

// reportFailures names the programs that failed and the checks that differ between the sides.
func reportFailures(w io.Writer, results Results) error {
	var err error
	ours := results.side(sideTFS)
	for _, side := range slices.Sorted(maps.Keys(results)) {
		f := results[side]
		for _, name := range slices.Sorted(maps.Keys(f.Failed)) {
			fmt.Fprintf(w, "%s failed: %s: %s\n", side, name, f.Failed[name])
			if side == sideTFS {
				err = errShort
			}
		}
		for _, key := range slices.SortedFunc(maps.Keys(f.Check), cmp.Compare[string]) {
			if mine, ok := ours.Check[key]; ok && !sameCheck(mine, f.Check[key]) {
				fmt.Fprintf(w, "check differs: %s: %s %s, tfs %s\n", key, side, f.Check[key], mine)
				err = errShort
			}
		}
	}
	return err
}

// sameCheck compares two values of a check line: numbers loosely, for peers compute in another order.
func sameCheck(a, b string) bool {
	split := func(r rune) bool { return strings.ContainsRune(" ,()[]\t", r) }
	x, y := strings.FieldsFunc(a, split), strings.FieldsFunc(b, split)
	return slices.EqualFunc(x, y, func(u, v string) bool {
		p, err1 := strconv.ParseFloat(u, 64)
		q, err2 := strconv.ParseFloat(v, 64)
		if err1 != nil || err2 != nil {
			return u == v
		}
		return p == q || math.Abs(p-q) <= max(2e-3*max(math.Abs(p), math.Abs(q)), 1e-6)
	})
}
