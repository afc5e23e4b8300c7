package decimal

import "testing"

// The results are those of libmpdec.
func TestOperations(t *testing.T) {
	for _, r := range []struct {
		op, x, y string
		prec     int64
		want     string
	}{
		{"+", "1e30", "1e-30", 9, "1.00000000E+30"},
		{"+", "0.1", "0.2", 28, "0.3"},
		{"-", "1e10", "1e-40", 5, "1.0000E+10"},
		{"/", "1", "7", 10, "0.1428571429"},
		{"/", "8", "2", MaxPrec, "4"},
		{"/", "1", "3", MaxPrec, "NaN"},
		{"^", "2", "0.5", 20, "1.4142135623730950488"},
		{"^", "1.0000001", "1e7", 20, "2.7182816925449662712"},
		{"^", "-2", "-3", 9, "-0.125"},
		{"%", "-7.5", "2", 9, "-1.5"},
	} {
		c := &Context{Prec: r.prec, Emin: MinEmin, Emax: MaxEmax, Rounding: RoundHalfEven}
		f := map[string]func(c *Context, x, y *Number) *Number{"+": (*Context).Add, "-": (*Context).Sub, "/": (*Context).Div, "^": (*Context).Pow, "%": (*Context).Rem}[r.op]
		if got := f(c, Parse(r.x), Parse(r.y)).Text(false, "E"); got != r.want {
			t.Errorf("%s %s %s: %s, want %s", r.x, r.op, r.y, got, r.want)
		}
	}
}

func TestSpecialTexts(t *testing.T) {
	for text, want := range map[string]string{"+inf": "Infinity", "-snan012": "-sNaN12", "1E-10": "1E-10", ".5e1": "5", "00": "0", "1e9999999999999999999": "1E+4000000000000000000"} {
		if got := Parse(text).Text(false, "E"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1e", "1e+", "1.2.3", "nanx", "infin", "e5"} {
		if x := Parse(text); x != nil {
			t.Errorf("%q: %s, want none", text, x.Text(false, "E"))
		}
	}
}
