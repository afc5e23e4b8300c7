package code_test

import (
	"errors"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
)

// TestTable: every instruction is described, under a name of its own.
func TestTable(t *testing.T) {
	names := map[string]code.Op{}
	for op := code.Op(0); op < code.NumOps; op++ {
		d := code.Describe(op)
		if d.Name == "" {
			t.Errorf("instruction %d has no description", op)
		}
		if other, ok := names[d.Name]; ok {
			t.Errorf("instructions %d and %d are both called %s", other, op, d.Name)
		}
		names[d.Name] = op
		if (d.K == code.KJump || d.Flow == code.Branch) && d.Flow != code.Branch && d.Flow != code.Goto {
			t.Errorf("%s jumps, but its flow says otherwise", d.Name)
		}
	}
}

func sample() *code.Code {
	return &code.Code{
		Name: "f", Qualname: "f", File: "x.tfs", ArgCount: 1, NLocals: 2, NSlots: 3, LocalNames: []string{"a", "b"},
		Names: []string{"g"}, Consts: []code.Const{{Kind: code.ConstStr, S: "k"}, {Kind: code.ConstFloat, F: 0.5}},
		Ins: []code.Instr{
			{Op: code.LoadI, A: 16, K: 1},
			{Op: code.Move, A: 32, B: 0},
			{Op: code.CallGlobal, A: 32, B: 1, C: 32, K: 0},
			{Op: code.JLTSI, A: 2, B: 32, K: 3},
			{Op: code.Return, A: 16},
			{Op: code.Return, A: 0},
		},
		Pos: make([]code.Pos, 6), FirstLine: 1,
	}
}

func TestLiveness(t *testing.T) {
	c := sample()
	if err := code.Verify(c); err != nil {
		t.Fatal(err)
	}
	l := code.Liveness(c)
	for pc, want := range []uint64{0b001, 0b011, 0b111, 0b111, 0b010, 0b001} {
		if got := l.Before(pc)[0]; got != want {
			t.Errorf("before %d: slots %03b, want %03b", pc, got, want)
		}
	}
	after := make([]uint64, 1)
	l.After(2, after)
	if after[0] != 0b011 {
		t.Errorf("during the call: slots %03b, want 011", after[0])
	}
}

func TestUnmarshalDamaged(t *testing.T) {
	b := code.Marshal(sample())
	if _, err := code.Unmarshal(b); err != nil {
		t.Fatal(err)
	}
	for i := range b {
		if _, err := code.Unmarshal(b[:i]); err == nil {
			t.Errorf("the first %d bytes were accepted", i)
		}
		bad := append([]byte(nil), b...)
		bad[i] ^= 0x41
		_, err := code.Unmarshal(bad) // must not panic; some changes are harmless
		if i >= 4 && i < 12 && !errors.Is(err, code.ErrStamp) {
			t.Errorf("another stamp gave %v", err)
		}
	}
}
