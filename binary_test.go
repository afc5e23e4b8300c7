package tfs_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var buildFlags = flag.String("conform.build", "", "flags for go build of the tfs binary, as in `-tags noasm`")

var binaryFolder string

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if binaryFolder != "" {
		os.RemoveAll(binaryFolder)
	}
	os.Exit(status)
}

// tfsBinary builds cmd/tfs, once for all tests of this folder, and returns its path.
func tfsBinary(t *testing.T) string {
	t.Helper()
	path, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var builtBinary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "tfs-binary-")
	if err != nil {
		return "", err
	}
	binaryFolder = folder
	path := filepath.Join(folder, "tfs.exe") // Windows wants the ending, the others don't mind
	args := append([]string{"build", "-o", path}, strings.Fields(*buildFlags)...)
	out, err := exec.Command("go", append(args, "./cmd/tfs")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build ./cmd/tfs: %w\n%s", err, out)
	}
	return path, nil
})
