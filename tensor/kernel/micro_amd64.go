//go:build !noasm

package kernel

// micro32 calls the microkernel of the block's form: one register wide if the mask
// says so, reading a by rows or by steps.
func micro32(b *block[float32]) {
	switch narrow := b.mask < 1<<16; {
	case narrow && b.direct:
		micro32NarrowDirect(b)
	case narrow:
		micro32NarrowPacked(b)
	case b.direct:
		micro32Direct(b)
	default:
		micro32Packed(b)
	}
}

// micro32Direct calls the microkernel of the block's height.
func micro32Direct(b *block[float32]) {
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
}

// micro32Packed calls the microkernel of the block's height.
func micro32Packed(b *block[float32]) {
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

// micro32NarrowDirect calls the microkernel of the block's height.
func micro32NarrowDirect(b *block[float32]) {
	switch b.rows {
	case 1:
		sgemmNarrowDirect1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 2:
		sgemmNarrowDirect2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 3:
		sgemmNarrowDirect3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 4:
		sgemmNarrowDirect4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 5:
		sgemmNarrowDirect5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 6:
		sgemmNarrowDirect6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 7:
		sgemmNarrowDirect7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 8:
		sgemmNarrowDirect8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 9:
		sgemmNarrowDirect9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 10:
		sgemmNarrowDirect10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 11:
		sgemmNarrowDirect11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 12:
		sgemmNarrowDirect12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	}
}

// micro32NarrowPacked calls the microkernel of the block's height.
func micro32NarrowPacked(b *block[float32]) {
	switch b.rows {
	case 1:
		sgemmNarrowPacked1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 2:
		sgemmNarrowPacked2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 3:
		sgemmNarrowPacked3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 4:
		sgemmNarrowPacked4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 5:
		sgemmNarrowPacked5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 6:
		sgemmNarrowPacked6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 7:
		sgemmNarrowPacked7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 8:
		sgemmNarrowPacked8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 9:
		sgemmNarrowPacked9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 10:
		sgemmNarrowPacked10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 11:
		sgemmNarrowPacked11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 12:
		sgemmNarrowPacked12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
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

// micro64 calls the microkernel of the block's form: one register wide if the mask
// says so, reading a by rows or by steps.
func micro64(b *block[float64]) {
	switch narrow := b.mask < 1<<8; {
	case narrow && b.direct:
		micro64NarrowDirect(b)
	case narrow:
		micro64NarrowPacked(b)
	case b.direct:
		micro64Direct(b)
	default:
		micro64Packed(b)
	}
}

// micro64Direct calls the microkernel of the block's height.
func micro64Direct(b *block[float64]) {
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
}

// micro64Packed calls the microkernel of the block's height.
func micro64Packed(b *block[float64]) {
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

// micro64NarrowDirect calls the microkernel of the block's height.
func micro64NarrowDirect(b *block[float64]) {
	switch b.rows {
	case 1:
		dgemmNarrowDirect1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 2:
		dgemmNarrowDirect2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 3:
		dgemmNarrowDirect3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 4:
		dgemmNarrowDirect4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 5:
		dgemmNarrowDirect5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 6:
		dgemmNarrowDirect6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 7:
		dgemmNarrowDirect7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 8:
		dgemmNarrowDirect8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 9:
		dgemmNarrowDirect9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 10:
		dgemmNarrowDirect10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 11:
		dgemmNarrowDirect11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 12:
		dgemmNarrowDirect12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	}
}

// micro64NarrowPacked calls the microkernel of the block's height.
func micro64NarrowPacked(b *block[float64]) {
	switch b.rows {
	case 1:
		dgemmNarrowPacked1(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 2:
		dgemmNarrowPacked2(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 3:
		dgemmNarrowPacked3(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 4:
		dgemmNarrowPacked4(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 5:
		dgemmNarrowPacked5(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 6:
		dgemmNarrowPacked6(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 7:
		dgemmNarrowPacked7(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 8:
		dgemmNarrowPacked8(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 9:
		dgemmNarrowPacked9(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 10:
		dgemmNarrowPacked10(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 11:
		dgemmNarrowPacked11(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
	case 12:
		dgemmNarrowPacked12(b.k, b.a, b.as, b.b, b.bs, b.c, b.cs, b.mask, b.add)
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
