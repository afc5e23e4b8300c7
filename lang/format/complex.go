package format

import (
	"math"
	"strings"
)

// ComplexRepr is repr(c).
func ComplexRepr(c complex128) string {
	re, im := real(c), imag(c)
	imText := strings.TrimSuffix(FloatRepr(im), ".0") + "j"
	if re == 0 && !math.Signbit(re) {
		return imText
	}
	if imText[0] != '-' {
		imText = "+" + imText
	}
	return "(" + strings.TrimSuffix(FloatRepr(re), ".0") + imText + ")"
}

// Complex formats a complex number.
func (s Spec) Complex(c complex128, typeName string) (string, *Error) {
	switch s.Type {
	case 0, 'e', 'E', 'f', 'F', 'g', 'G', 'n':
	default:
		return "", unknownCode(s.Type, typeName)
	}
	if s.Fill == '0' && s.fillGiven {
		return "", valueError("Zero padding is not allowed in complex format specifier")
	}
	if s.Align == '=' {
		return "", valueError("'=' alignment flag is not allowed in complex format specifier")
	}
	skip := s.Type == 0 && real(c) == 0 && !math.Signbit(real(c))
	text := ""
	one := s
	one.Width = -1
	if !skip {
		t, err := one.part(real(c))
		if err != nil {
			return "", err
		}
		text = t
		one.Sign = '+'
	}
	t, err := one.part(imag(c))
	if err != nil {
		return "", err
	}
	text += t + "j"
	if s.Type == 0 && !skip {
		text = "(" + text + ")"
	}
	return s.pad(text)
}

func (s Spec) part(f float64) (string, *Error) {
	n, err := s.floatParts(f, 'r', false)
	if err != nil {
		return "", err
	}
	return s.layout(n)
}
