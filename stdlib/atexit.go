package stdlib

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/stdlib/py"
)

// AtExit runs the script's atexit functions and writes out open files, at the end of a run.
func AtExit(th *lang.Thread) error {
	err := py.AtExit(th)
	builtin.FlushAll(th)
	return err
}
