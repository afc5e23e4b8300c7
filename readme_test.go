package tfs_test

import (
	"os"
	"strings"
	"testing"
)

// The first script and the first Go program of the README are files under examples, which the other tests run and build.
func TestReadmeShowsExamples(t *testing.T) {
	readme := readFile(t, "README.md")
	for _, row := range []struct{ fence, file string }{
		{"```python\n", "examples/line/line.tfs"},
		{"```go\n", "examples/embed/main.go"},
	} {
		_, rest, _ := strings.Cut(readme, row.fence)
		shown, _, _ := strings.Cut(rest, "```")
		if shown == "" || !strings.HasSuffix(readFile(t, row.file), shown) {
			t.Errorf("README.md does not show %s", row.file)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
