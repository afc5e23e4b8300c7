package tfs_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tfs-lang/tfs"
)

// Scripts see only the files that they are given.
func ExampleReadOnly() {
	files := fstest.MapFS{
		"data/iris.csv": {Data: []byte("5.1,3.5\n4.9,3.0\n")},
		"tools.py":      {Data: []byte("def total(rows): return sum(float(r[0]) for r in rows)\n")},
	}
	in := tfs.New(tfs.Stdout(os.Stdout), tfs.Files(tfs.ReadOnly(files)), tfs.Env("HOME=/"), tfs.Path("/"))
	defer in.Close()
	err := in.Exec(context.Background(), `
import csv, os, tools
with open("data/iris.csv") as f:
    print(tools.total(csv.reader(f)), os.listdir("/"), dict(os.environ))
try:
    open("new.txt", "w")
except OSError as e:
    print(e)
`)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 10.0 ['data', 'tools.py'] {'HOME': '/'}
	// [Errno 30] Read-only file system: 'new.txt'
}

// TestHost: what an interpreter isn't given raises an error that says so.
func TestHost(t *testing.T) {
	files := tfs.ReadOnly(fstest.MapFS{"d/f.txt": {Data: []byte("text")}, "s.tfs": {Data: []byte("print('from the file system', __file__)")}})
	rows := []struct {
		opts      []tfs.Option
		src, want string
	}{
		{[]tfs.Option{tfs.Files(nil)}, "open('f')", "PermissionError: [Errno 13] no file system is granted to this script"},
		{[]tfs.Option{tfs.Files(nil)}, "import os; os.stat('/')", "PermissionError: [Errno 13] no file system is granted to this script"},
		{[]tfs.Option{tfs.Files(nil)}, "import os, json, math, threading, tempfile, shutil, pathlib; print(os.getenv('PATH') is None)", "False\n"},
		{[]tfs.Option{tfs.Env()}, "import os; print(dict(os.environ), os.path.expandvars('$HOME'))", "{} $HOME\n"},
		{[]tfs.Option{tfs.Files(files)}, "import os; os.chdir('d'); print(os.getcwd(), open('f.txt').read(), os.path.exists('/etc/passwd'))", "/d text False\n"},
		{[]tfs.Option{tfs.Files(files)}, "import os; os.remove('/d/f.txt')", "OSError: [Errno 30] Read-only file system: '/d/f.txt'"},
		{[]tfs.Option{tfs.Files(files)}, "import os; os.chmod('/d/f.txt', 0)", "NotImplementedError: chmod is not available on this file system"},
		{nil, "import subprocess; subprocess.run(['true'])", "PermissionError: [Errno 1] this script may not start programs; tfs run --allow-processes lets it, tfs.AllowProcesses in Go"},
		{nil, "import os; os.system('true')", "PermissionError: [Errno 1] this script may not start programs; tfs run --allow-processes lets it, tfs.AllowProcesses in Go"},
		{[]tfs.Option{tfs.AllowProcesses(true)}, "import subprocess; print(subprocess.run('echo in; echo out >&2', shell=True, stderr=subprocess.STDOUT).returncode)", "in\nout\n0\n"},
		{[]tfs.Option{tfs.AllowProcesses(true)}, "import subprocess; print(subprocess.run(['cat'], input='x', capture_output=True, text=True).stdout, subprocess.Popen(['sleep', '60']).poll())", "x None\n"},
		{[]tfs.Option{tfs.AllowProcesses(true)}, "import subprocess; subprocess.run('exit 3', shell=True, check=True)", "CalledProcessError: Command 'exit 3' returned non-zero exit status 3."},
	}
	for _, r := range rows {
		var out bytes.Buffer
		in := tfs.New(append(r.opts, tfs.Stdout(&out), tfs.Stderr(&out))...)
		got := ""
		if err := in.Exec(context.Background(), r.src); err != nil {
			got = err.Error()
		}
		in.Close()
		if got = out.String() + got; got != r.want {
			t.Errorf("%s\n got %s\nwant %s", r.src, got, r.want)
		}
	}
	var out bytes.Buffer
	in := tfs.New(tfs.Stdout(&out), tfs.Files(files))
	if err := in.RunFile(context.Background(), "/s.tfs"); err != nil || !strings.HasSuffix(out.String(), "/s.tfs\n") {
		t.Errorf("RunFile: %v, %q", err, out.String())
	}
}
