package conform

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Record runs a program twice, under CPython as a rule, and writes what it did beside it: NAME.out and, when it ends with
// another status than 0, NAME.err. A program that does not do the same twice is not recorded.
func (r *Runner) Record(ctx context.Context, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	p := &Program{Path: path}
	first, second := r.Run(ctx, p), r.Run(ctx, p)
	switch {
	case first.Err != nil:
		return first.Err
	case first.TimedOut || second.TimedOut:
		return fmt.Errorf("%s: no end after %v", path, r.Limit)
	case first.Stdout != second.Stdout || first.Status != second.Status:
		return fmt.Errorf("%s: two runs differ", path)
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	if err := os.WriteFile(base+".out", []byte(first.Stdout), 0o644); err != nil {
		return err
	}
	if first.Status == 0 {
		if err := os.Remove(base + ".err"); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	fault := FaultOf(first.Status, placeless(first.Stderr, path))
	return os.WriteFile(base+".err", []byte(fault.text()), 0o644)
}

// text is the fault as an .err file holds it.
func (f *Fault) text() string {
	text := fmt.Sprintf("status %d\n%s\n", f.Status, f.Message)
	if f.Position != "" {
		text += f.Position + "\n"
	}
	return text
}
