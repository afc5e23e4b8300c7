package tfs_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var buildTags = flag.String("conform.tags", "", "build tags of the tfs binary that the programs run under")

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
	out, err := exec.Command("go", "build", "-tags", *buildTags, "-o", path, "./cmd/tfs").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build ./cmd/tfs: %w\n%s", err, out)
	}
	return path, nil
})
