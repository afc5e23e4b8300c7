package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptsLimit is the time for all scripts together.
const scriptsLimit = time.Minute

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tfs": main})
}

// TestScripts runs testdata/script/*.txtar: each is a little shell script followed by the files that it needs. Besides
// testscript's own commands there are
//
//	exits STATUS tfs ARGS…   run and expect this exit status
//	await FILE               wait until a program in the background has made FILE
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Deadline:            time.Now().Add(scriptsLimit), // a script that hangs is killed and reported
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir) // the prompt's history goes there
			env.Setenv("TFS_DATA", filepath.Join(env.WorkDir, "data"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"await": await,
		},
	})
}

func exits(ts *testscript.TestScript, negative bool, args []string) {
	if negative || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func await(ts *testscript.TestScript, negative bool, args []string) {
	if negative || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	path := ts.MkAbs(args[0])
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear", args[0])
}
