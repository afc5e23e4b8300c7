package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A target is a ratio tfs / peer to reach; lower is better.
type target struct {
	stage, pattern, peer string
	reach, moonshot      float64
}

// readTargets reads the rows of one stage, or of all; none for the stage "".
func readTargets(path, stage string) ([]target, error) {
	if stage == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var targets []target
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		t, err := parseTarget(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if stage == "all" || stage == t.stage {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

func parseTarget(line string) (target, error) {
	fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	if len(fields) < 5 {
		return target{}, fmt.Errorf("a target has five columns, got %q", line)
	}
	t := target{stage: fields[0], pattern: fields[1], peer: fields[2]}
	var err error
	if t.reach, err = strconv.ParseFloat(fields[3], 64); err != nil {
		return t, err
	}
	t.moonshot, err = strconv.ParseFloat(strings.TrimSpace(fields[4]), 64)
	return t, err
}

// A verdict is one measurement held against its target.
type verdict struct {
	mark  string
	name  string
	ratio float64
	target
}

const (
	markMoonshot = "moonshot"
	markReached  = "reached"
	markShort    = "SHORT"
	markMissing  = "MISSING"
	markNoPeer   = "NO PEER"
)

// judge compares the figures with the targets. Where several rows match a measurement and peer, the first counts.
func judge(results Results, targets []target, patterns []string) []verdict {
	var verdicts []verdict
	type key struct{ stage, name, peer string }
	seen := map[key]bool{}
	for _, t := range targets {
		for _, name := range namesFor(results.side(t.peer), t.pattern) {
			k := key{t.stage, name, t.peer}
			if seen[k] || !selects(patterns, name) {
				continue
			}
			seen[k] = true
			verdicts = append(verdicts, judgeOne(results, t, name))
		}
	}
	return verdicts
}

// namesFor lists the peer's measurements that a pattern matches, or the pattern itself when there is none.
func namesFor(peer *Figures, pattern string) []string {
	var names []string
	for name := range peer.Bench {
		if matches(pattern, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return []string{pattern}
	}
	slices.Sort(names)
	return names
}

// selects reports whether the -only patterns take a measurement: by its name, by its group or by its program.
func selects(patterns []string, name string) bool {
	group, rest, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(patterns, func(p string) bool {
		return matches(p, name) || matches(p, group) || matches(p, rest)
	})
}

func judgeOne(results Results, t target, name string) verdict {
	v := verdict{mark: markShort, name: name, target: t}
	peer, ok := results.side(t.peer).Bench[name]
	if !ok {
		v.mark = markNoPeer
		return v
	}
	ours, ok := results.side(sideTFS).Bench[name]
	if !ok {
		v.mark = markMissing
		return v
	}
	v.ratio = ours / peer
	switch {
	case v.ratio <= t.moonshot:
		v.mark = markMoonshot
	case v.ratio <= t.reach:
		v.mark = markReached
	}
	return v
}
