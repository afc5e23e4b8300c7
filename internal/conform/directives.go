package conform

import (
	"fmt"
	"strconv"
	"strings"
)

// Default tolerances of a program without a `# tol:` line.
const (
	defaultRTol = 1e-5
	defaultATol = 1e-6
)

// Directives are the comment lines at the head of a program.
type Directives struct {
	RTol, ATol float64  // `# tol: RTOL ATOL`
	Exact      bool     // `# exact`: not a character may differ
	Plain      bool     // `# oracle: python`: needs no TensorFlow
	Stderr     []string // `# stderr: TEXT`: standard error must contain TEXT
}

// ParseDirectives reads the comment lines that stand before the first other line.
func ParseDirectives(source string) (Directives, error) {
	d := Directives{RTol: defaultRTol, ATol: defaultATol}
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.HasPrefix(line, "#") {
			break
		}
		if err := d.read(line); err != nil {
			return d, err
		}
	}
	return d, nil
}

func (d *Directives) read(line string) error {
	key, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "#")), ":")
	value = strings.TrimSpace(value)
	switch key {
	case "exact":
		d.Exact = true
	case "oracle":
		d.Plain = value == "python"
	case "stderr":
		d.Stderr = append(d.Stderr, value)
	case "tol":
		return d.readTolerance(value)
	}
	return nil
}

func (d *Directives) readTolerance(value string) error {
	fields := strings.Fields(value)
	if len(fields) != 2 {
		return fmt.Errorf("`# tol:` wants two numbers, got %q", value)
	}
	var err error
	if d.RTol, err = strconv.ParseFloat(fields[0], 64); err != nil {
		return fmt.Errorf("`# tol:` %w", err)
	}
	if d.ATol, err = strconv.ParseFloat(fields[1], 64); err != nil {
		return fmt.Errorf("`# tol:` %w", err)
	}
	return nil
}
