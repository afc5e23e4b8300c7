package tracer_test

import (
	"bytes"
	"context"
	"runtime"
	"testing"

	"github.com/tfs-lang/tfs"
)

const hits = `
import tensorflow as tf

@tf.function
def one(x):
    return x * 2.0

@tf.function
def mixed(x, n, v):
    return x * v + float(n)

x = tf.ones([8])
v = tf.Variable(3.0)

def call_one(n):
    for _ in range(n):
        one(x)

def call_mixed(n):
    for _ in range(n):
        mixed(x, 3, v)
`

// A call that finds its trace allocates nothing: design §6.
func TestHitAllocatesNothing(t *testing.T) {
	var out bytes.Buffer
	in := tfs.New(tfs.Stdout(&out), tfs.Stderr(&out))
	defer in.Close()
	ctx := context.Background()
	if err := in.Exec(ctx, hits); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"call_one", "call_mixed"} {
		few, many := mallocs(t, in, f, 10), mallocs(t, in, f, 1010)
		if more := many - few; more > 20 {
			t.Errorf("1,000 calls in %s allocate %d objects", f, more)
		}
	}
}

// mallocs is the number of objects that f(n) allocates.
func mallocs(t *testing.T, in *tfs.Interp, f string, n int) int64 {
	t.Helper()
	least := int64(1 << 62)
	for range 3 {
		var a, b runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&a)
		if _, err := in.Call(context.Background(), f, n); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&b)
		least = min(least, int64(b.Mallocs-a.Mallocs))
	}
	return least
}
