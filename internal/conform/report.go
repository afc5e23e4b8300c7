package conform

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Select keeps the programs whose name matches.
func Select(programs []*Program, pattern *regexp.Regexp) []*Program {
	var kept []*Program
	for _, p := range programs {
		if pattern.MatchString(p.Name) {
			kept = append(kept, p)
		}
	}
	return kept
}

// WriteCounts prints passed and all by topic and returns how many failed.
func WriteCounts(w io.Writer, outcomes []Outcome) (failed int) {
	type count struct{ passed, all int }
	counts := map[string]*count{}
	var topics []string
	for _, o := range outcomes {
		topic := o.Program.Topic()
		if counts[topic] == nil {
			counts[topic] = &count{}
			topics = append(topics, topic)
		}
		counts[topic].all++
		if o.Mismatch == nil {
			counts[topic].passed++
		} else {
			failed++
		}
	}
	slices.Sort(topics)
	for _, topic := range topics {
		fmt.Fprintf(w, "%-16s %4d of %4d\n", topic, counts[topic].passed, counts[topic].all)
	}
	fmt.Fprintf(w, "%-16s %4d of %4d\n", "all", len(outcomes)-failed, len(outcomes))
	return failed
}

// WriteFailures prints the programs that fail, those that end alike together, the largest group first.
func WriteFailures(w io.Writer, outcomes []Outcome) {
	groups := map[string][]Outcome{}
	for _, o := range outcomes {
		if o.Mismatch != nil {
			key := groupKey(o)
			groups[key] = append(groups[key], o)
		}
	}
	keys := make([]string, 0, len(groups))
	for key := range groups {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if c := cmp.Compare(len(groups[b]), len(groups[a])); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	for _, key := range keys {
		fmt.Fprintf(w, "=== %d × %s\n", len(groups[key]), key)
		for _, o := range groups[key] {
			writeFailure(w, o)
		}
	}
}

// groupKey is the line that ended the run, when the program should not have ended so; else the kind of mismatch.
func groupKey(o Outcome) string {
	if strings.Contains(o.Result.Stderr, "tfs bug") || strings.Contains(o.Result.Stderr, "goroutine ") {
		return "CRASH"
	}
	if o.Result.Status != 0 && o.Program.Fault == nil {
		message, _, _ := strings.Cut(FaultOf(o.Result.Status, o.Result.Stderr).Message, "\n")
		return message
	}
	kind, _, _ := strings.Cut(o.Mismatch.What, " ")
	return "different " + kind
}

func writeFailure(w io.Writer, o Outcome) {
	fmt.Fprintf(w, "--- %s (%.2fs)\n", o.Program.Name, o.Result.Took.Seconds())
	fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(o.Mismatch.Error(), "\n", "\n    "))
	if o.Result.Status != 0 || o.Mismatch.What == "stderr" {
		for _, line := range tail(o.Result.Stderr, 6) {
			fmt.Fprintf(w, "    | %s\n", line)
		}
	}
}

func tail(text string, n int) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[max(0, len(lines)-n):]
}
