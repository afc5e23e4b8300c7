package py_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/stdlib/py"
)

func run(t *testing.T, src string) string {
	t.Helper()
	var out bytes.Buffer
	in := lang.NewInterp(lang.Host{Stdout: &out, Stderr: &out})
	builtin.Install(in)
	in.Native, in.Source = py.Native, py.Source
	if err := in.Main.RunSource(in.MainModule(""), src, "<test>"); err != nil {
		t.Fatalf("%s\n%s", src, lang.FormatException(in.Main, lang.AsError(err)))
	}
	return out.String()
}

// TestImports imports every module in script: it compiles and runs.
func TestImports(t *testing.T) {
	names, err := py.Scripts().Modules()
	if err != nil || len(names) < 30 {
		t.Fatal(len(names), err)
	}
	for i, name := range names {
		names[i] = strings.ReplaceAll(strings.TrimSuffix(name, "/__init__"), "/", ".")
	}
	run(t, "import "+strings.Join(names, "\nimport "))
}

// TestValues holds a few values of each module recorded from CPython 3.11.
func TestValues(t *testing.T) {
	rows := []struct{ src, want string }{
		{"import math; print(math.sin(1), math.exp(1), math.gamma(5.5), math.fsum([0.1]*10), math.comb(50, 25))",
			"0.8414709848078965 2.718281828459045 52.34277778455352 1.0 126410606437752\n"},
		{"import random; random.seed(42); print(random.random(), random.randint(1, 100), random.sample(range(100), 5))",
			"0.6394267984578837 4 [94, 35, 31, 28, 17]\n"},
		{"import itertools as i; print(list(i.permutations('abc', 2))[:2], list(i.islice(i.count(3, 2), 3)))",
			"[('a', 'b'), ('a', 'c')] [3, 5, 7]\n"},
		{"import json; print(json.dumps({'a': [1, None, 'é']}), json.loads('[1e2, true]'))", "{\"a\": [1, null, \"\\u00e9\"]} [100.0, True]\n"},
		{"import re; print(re.sub(r'(\\w)(\\d)?', r'<\\1\\2>', 'a1 b'), re.findall(r'[^\\W\\d]+', 'a1b_c'))", "<a1> <b> ['a', 'b_c']\n"},
		{"import datetime as d; print(d.date(2024, 2, 28) + d.timedelta(2), repr(d.datetime(2020, 1, 2, 3)))",
			"2024-03-01 datetime.datetime(2020, 1, 2, 3, 0)\n"},
		{"import hashlib; print(hashlib.sha256(b'x').hexdigest()[:8], hashlib.blake2b(b'b', digest_size=8).hexdigest())", "2d711642 8472c2e34d854f75\n"},
		{"import struct, pickle; print(pickle.loads(pickle.dumps({1: [2.5, 'x']})))", "{1: [2.5, 'x']}\n"},
		{"from fractions import Fraction as F; print(F(1, 3) + F('0.5'), hash(F(1, 2)) == hash(0.5))", "5/6 True\n"},
	}
	for _, r := range rows {
		if got := run(t, r.src); got != r.want {
			t.Errorf("%s\n got %s want %s", r.src, got, r.want)
		}
	}
}
