package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/tensor"
)

// block is one recorded case: the words of its "==" line and the text under it.
type block struct {
	line  int
	words []string
	text  string
}

// readBlocks reads a file that testdata/record.py wrote.
func readBlocks(t *testing.T, name string) (out []block) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	line := 1
	for _, part := range strings.Split("\n"+string(data), "\n== ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		out = append(out, block{line, splitHead(head), text})
		line += strings.Count(part, "\n") + 1
	}
	return out
}

// splitHead keeps a JSON list of strings in one word.
func splitHead(head string) []string {
	i := strings.IndexByte(head, '[')
	if i < 0 {
		return strings.Fields(head)
	}
	j := strings.LastIndexByte(head, ']')
	return append(append(strings.Fields(head[:i]), head[i:j+1]), strings.Fields(head[j+1:])...)
}

func (b block) tensor(t *testing.T) *tensor.Tensor {
	t.Helper()
	var dims []int
	for _, d := range strings.Split(b.words[1], ",") {
		if d != "-" {
			n, _ := strconv.Atoi(d)
			dims = append(dims, n)
		}
	}
	if b.words[0] == "string" {
		return stringTensor(t, b.words[2], dims)
	}
	dt, ok := tensor.ParseDType(b.words[0])
	if !ok {
		t.Fatal(b.words[0])
	}
	x := tensor.Make(dt, tensor.ShapeOf(dims...))
	data, _ := hex.DecodeString(strings.Trim(b.words[2], "-"))
	if copy(x.Bytes(), data) != x.NumBytes() {
		t.Fatalf("line %d: bad data", b.line)
	}
	return x
}

func stringTensor(t *testing.T, text string, dims []int) *tensor.Tensor {
	var vals []string
	if err := json.Unmarshal([]byte(text), &vals); err != nil {
		t.Fatal(err)
	}
	for i, s := range vals {
		var raw []byte
		for _, r := range s {
			raw = append(raw, byte(r))
		}
		vals[i] = string(raw)
	}
	return tensor.FromStrings(vals, dims...)
}

func (b block) options(t *testing.T) *Options {
	o := Default()
	for _, w := range b.words[3:] {
		k, v, _ := strings.Cut(w, "=")
		n, _ := strconv.Atoi(v)
		switch k {
		case "precision":
			o.Precision = n
		case "threshold":
			o.Threshold = n
		case "edgeitems":
			o.EdgeItems = n
		case "linewidth":
			o.LineWidth = n
		case "suppress":
			o.Suppress = true
		case "sign":
			o.Sign = (v + " ")[0]
		case "floatmode":
			o.FloatMode = v
		case "nanstr":
			o.NanStr = v
		case "infstr":
			o.InfStr = v
		default:
			t.Fatal(w)
		}
	}
	return &o
}

func TestArraysPrintAsNumPy(t *testing.T) {
	for _, b := range readBlocks(t, "arrays.txt") {
		str, repr, _ := strings.Cut(b.text, "\n--\n")
		a, o := FromTensor(b.tensor(t)), b.options(t)
		if got := Str(a, o); got != str {
			t.Errorf("line %d %v\nstr\n%s\nwant\n%s", b.line, b.words, got, str)
		}
		if got := Repr(a, o); got != strings.TrimSuffix(repr, "\n") {
			t.Errorf("line %d %v\nrepr\n%s\nwant\n%s", b.line, b.words, got, repr)
		}
	}
}

func TestScalarsPrintAsNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/scalars.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		dt, raw, _ := strings.Cut(f[0], " ")
		a := FromTensor(block{words: []string{dt, "-", raw}}.tensor(t))
		for k, got := range []string{ScalarStr(a, nil), ScalarRepr(a), ItemRepr(a)} {
			if got != f[k+1] {
				t.Errorf("line %d: form %d is %s, want %s", i+1, k, got, f[k+1])
			}
		}
	}
}

// The digest stands for the text of all 63,490 half numbers.
func TestEveryHalfPrintsAsNumPy(t *testing.T) {
	want, err := os.ReadFile("testdata/halves.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range 1 << 16 {
		if x := float64(tensor.Half(i).Float32()); x == x {
			all = append(all, Float(tensor.Float16, x))
		}
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(all, "\n")))); got != strings.TrimSpace(string(want)) {
		t.Errorf("digest %s", got)
	}
}

func TestTFPrint(t *testing.T) {
	for _, b := range readBlocks(t, "tfprint.txt") {
		n, _ := strconv.Atoi(b.words[3])
		if got := TFPrint(b.tensor(t), n); got != strings.TrimSuffix(b.text, "\n") {
			t.Errorf("line %d %v\n%s\nwant\n%s", b.line, b.words, got, b.text)
		}
	}
}

func TestTensorText(t *testing.T) {
	for _, c := range []struct {
		t         *tensor.Tensor
		str, repr string
	}{
		{tensor.FromScalar(float32(3)), "tf.Tensor(3.0, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=3.0>"},
		{tensor.From([]int32{1, 2, 3, 4}, 2, 2), "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)",
			"<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([[1, 2],\n       [3, 4]], dtype=int32)>"},
		{tensor.FromScalar(float32(0.1)), "tf.Tensor(0.1, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=0.10000000149011612>"},
		{tensor.FromStrings([]string{"a"}), "tf.Tensor(b'a', shape=(), dtype=string)", "<tf.Tensor: shape=(), dtype=string, numpy=b'a'>"},
		{tensor.FromScalar(true), "tf.Tensor(True, shape=(), dtype=bool)", "<tf.Tensor: shape=(), dtype=bool, numpy=True>"},
	} {
		if got := TensorStr(c.t, nil); got != c.str {
			t.Errorf("str\n%s\nwant\n%s", got, c.str)
		}
		if got := TensorRepr(c.t, nil); got != c.repr {
			t.Errorf("repr\n%s\nwant\n%s", got, c.repr)
		}
	}
}

func TestStridedArrayPrintsWithoutACopy(t *testing.T) {
	x := tensor.From([]int32{0, 1, 2, 3, 4, 5}, 2, 3)
	a := Array{DType: tensor.Int32, Dims: []int{3, 2}, Strides: []int{-4, 12}, Offset: 8, Data: x.Bytes()}
	if got := Str(a, nil); got != "[[2 5]\n [1 4]\n [0 3]]" {
		t.Error(got)
	}
}
