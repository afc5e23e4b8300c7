package script_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/stdlib/np"
	"github.com/tfs-lang/tfs/stdlib/py"
	"github.com/tfs-lang/tfs/stdlib/script"
	"github.com/tfs-lang/tfs/stdlib/tf"
)

// TestFresh: what is committed is what the compiler makes of the texts today.
func TestFresh(t *testing.T) {
	for name, l := range map[string]*script.Library{"py": py.Scripts(), "np": np.Scripts(), "tf": tf.Scripts()} {
		stale, err := l.Stale(os.DirFS("../" + name))
		if err != nil {
			t.Fatal(err)
		}
		if len(stale) > 0 {
			t.Errorf("stdlib/%s/compiled is stale (%s): run `go generate ./stdlib/...` and commit what it wrote", name, strings.Join(stale, ", "))
		}
	}
}
