// Loops is the patient of asmcheck's tests: a dispatch loop as it should be, one with a planted spill, one that is none.
package main

import "os"

type inst struct {
	op, a, b, c uint16
}

//go:noinline
func clean(code []inst, r []int) int {
	pc := 0
	for {
		in := code[pc]
		switch in.op {
		case 0:
			r[in.a] = r[in.b] + r[in.c]
		case 1:
			r[in.a] = r[in.b] - r[in.c]
		case 2:
			r[in.a] = r[in.b] * r[in.c]
		case 3:
			r[in.a] = r[in.b] & r[in.c]
		case 4:
			r[in.a] = r[in.b] | r[in.c]
		case 5:
			r[in.a] = r[in.b] ^ r[in.c]
		case 6:
			r[in.a] = int(in.b)
		case 7:
			r[in.a] = -r[in.b]
		case 8:
			r[in.a] = ^r[in.b]
		case 9:
			r[in.a] = r[in.b]
		case 10:
			r[in.a] = r[in.b] << 1
		case 11:
			return r[in.a]
		}
		pc++
	}
}

//go:noinline
func spilled(code []inst, r []int) int {
	var seen [16]int
	pc := 0
	for {
		in := code[pc]
		seen[pc&15]++ // an array that is indexed lives on the stack
		switch in.op {
		case 0:
			r[in.a] = r[in.b] + r[in.c]
		case 1:
			r[in.a] = r[in.b] - r[in.c]
		case 2:
			r[in.a] = r[in.b] * r[in.c]
		case 3:
			r[in.a] = r[in.b] & r[in.c]
		case 4:
			r[in.a] = r[in.b] | r[in.c]
		case 5:
			r[in.a] = r[in.b] ^ r[in.c]
		case 6:
			r[in.a] = int(in.b)
		case 7:
			r[in.a] = -r[in.b]
		case 8:
			r[in.a] = ^r[in.b]
		case 9:
			r[in.a] = r[in.b]
		case 10:
			r[in.a] = r[in.b] << 1
		case 11:
			return r[in.a] + seen[in.b&15]
		}
		pc++
	}
}

//go:noinline
func plain(r []int) (sum int) {
	for _, x := range r {
		sum += x
	}
	return sum
}

func main() {
	r := make([]int, 16)
	code := []inst{{op: 6, a: 1, b: 2}, {op: 0, a: 0, b: 1, c: 1}, {op: 11}}
	if clean(code, r) != spilled(code, r)-1 || plain(r) == 0 {
		os.Exit(1)
	}
}
