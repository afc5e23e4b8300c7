// Package decimal computes in decimal floating point as the General Decimal
// Arithmetic specification has it, with the choices that libmpdec makes where the
// specification leaves any.
//
// A Number is immutable: sign, coefficient and exponent, an infinity or a NaN. A
// Context holds precision, exponent range and rounding; every operation is a
// method of it and adds the conditions that it met to Context.Status, which the
// caller turns into flags and exceptions. The package knows no values of scripts.
package decimal
