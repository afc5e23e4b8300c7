package tracer_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/tfs-lang/tfs"
)

// Random programs of ifs, loops, boolean operators and early exits do what they do
// on TensorFlow.
func TestStagingOfRandomPrograms(t *testing.T) {
	src, err := os.ReadFile("testdata/staging.tfs")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := os.ReadFile("testdata/staging.json")
	if err != nil {
		t.Fatal(err)
	}
	var out, warnings bytes.Buffer
	in := tfs.New(tfs.Stdout(&out), tfs.Stderr(&warnings))
	defer in.Close()
	ctx := context.Background()
	if err := in.Set("text", string(programs)); err != nil {
		t.Fatal(err)
	}
	if err := in.Exec(ctx, "import json\nprograms = json.loads(text)\n"+string(src)); err != nil {
		t.Fatal(err)
	}
	if err := in.Flush(); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		t.Error(out.String())
	}
}

// A cancelled context ends a loop inside a traced function.
func TestCancelInsideTracedLoop(t *testing.T) {
	var out bytes.Buffer
	in := tfs.New(tfs.Stdout(&out), tfs.Stderr(&out))
	defer in.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- in.Exec(ctx, `
import tensorflow as tf

@tf.function
def f(x):
    while x > 0:
        x = x + 1 - 1
    return x

f(tf.constant(1))
`)
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the loop goes on")
	}
}
