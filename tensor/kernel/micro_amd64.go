//go:build !noasm

package kernel

// micro32 calls the microkernel of the block's height.
func micro32(b *block[float32]) {
	if b.direct {
		switch b.rows {
		case 1:
			sgemmDirect1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 2:
			sgemmDirect2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 3:
			sgemmDirect3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 4:
			sgemmDirect4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 5:
			sgemmDirect5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 6:
			sgemmDirect6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 7:
			sgemmDirect7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 8:
			sgemmDirect8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 9:
			sgemmDirect9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 10:
			sgemmDirect10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 11:
			sgemmDirect11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 12:
			sgemmDirect12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		}
		return
	}
	switch b.rows {
	case 1:
		sgemmPacked1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 2:
		sgemmPacked2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 3:
		sgemmPacked3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 4:
		sgemmPacked4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 5:
		sgemmPacked5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 6:
		sgemmPacked6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 7:
		sgemmPacked7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 8:
		sgemmPacked8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 9:
		sgemmPacked9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 10:
		sgemmPacked10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 11:
		sgemmPacked11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 12:
		sgemmPacked12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	}
}

// micro64 calls the microkernel of the block's height.
func micro64(b *block[float64]) {
	if b.direct {
		switch b.rows {
		case 1:
			dgemmDirect1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 2:
			dgemmDirect2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 3:
			dgemmDirect3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 4:
			dgemmDirect4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 5:
			dgemmDirect5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 6:
			dgemmDirect6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 7:
			dgemmDirect7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 8:
			dgemmDirect8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 9:
			dgemmDirect9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 10:
			dgemmDirect10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 11:
			dgemmDirect11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		case 12:
			dgemmDirect12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
		}
		return
	}
	switch b.rows {
	case 1:
		dgemmPacked1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 2:
		dgemmPacked2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 3:
		dgemmPacked3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 4:
		dgemmPacked4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 5:
		dgemmPacked5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 6:
		dgemmPacked6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 7:
		dgemmPacked7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 8:
		dgemmPacked8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 9:
		dgemmPacked9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 10:
		dgemmPacked10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 11:
		dgemmPacked11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 12:
		dgemmPacked12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	}
}

// micro32Half calls the microkernel of the block's height.
func micro32Half(b *block[float32]) {
	switch b.rows {
	case 1:
		sgemmHalf1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 2:
		sgemmHalf2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 3:
		sgemmHalf3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 4:
		sgemmHalf4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 5:
		sgemmHalf5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 6:
		sgemmHalf6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	}
}

// micro64Half calls the microkernel of the block's height.
func micro64Half(b *block[float64]) {
	switch b.rows {
	case 1:
		dgemmHalf1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 2:
		dgemmHalf2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 3:
		dgemmHalf3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 4:
		dgemmHalf4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 5:
		dgemmHalf5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	case 6:
		dgemmHalf6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.add)
	}
}
