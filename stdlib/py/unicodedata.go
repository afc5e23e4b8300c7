package py

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	unorm "golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/parser"
)

// unicodedata reads the tables of Go and of x/text, which are of a later Unicode
// than CPython 3.11's 14.0; characters that 14.0 did not have are taken out.
var _ = define("unicodedata", func() *lang.ModuleDef {
	return &lang.ModuleDef{
		Init: func(th *Thread, m *lang.Module) error {
			m.Set("unidata_version", lang.NewStr("14.0.0"))
			return nil
		},
		Defs: []lang.Def{
			{Sig: "bidirectional(chr, /)", Fn: unicodeText("bidirectional", bidiClass)},
			{Sig: "category(chr, /)", Fn: unicodeText("category", category)},
			{Sig: "combining(chr, /)", Fn: unicodeInt("combining", func(r rune) int64 { return int64(unorm.NFD.PropertiesString(format.EncodeRune(r)).CCC()) })},
			{Sig: "decomposition(chr, /)", Fn: unicodeText("decomposition", decomposition)},
			{Sig: "east_asian_width(chr, /)", Fn: unicodeText("east_asian_width", eastAsianWidth)},
			{Sig: "mirrored(chr, /)", Fn: unicodeInt("mirrored", mirrored)},
			{Sig: "name(chr, default=..., /)", Fn: unicodeName},
			{Sig: "lookup(name, /)", Fn: unicodeLookup},
			{Sig: "decimal(chr, default=..., /)", Fn: unicodeValue("decimal", "not a decimal", func(r rune) (Value, bool) {
				d := format.DecimalDigit(r)
				return lang.Int(int64(d)), d >= 0
			})},
			{Sig: "digit(chr, default=..., /)", Fn: unicodeValue("digit", "not a digit", digitValue)},
			{Sig: "numeric(chr, default=..., /)", Fn: unicodeValue("numeric", "not a numeric character", numericValue)},
			{Sig: "normalize(form, unistr, /)", Fn: unicodeNormalize},
			{Sig: "is_normalized(form, unistr, /)", Fn: unicodeIsNormalized},
		},
	}
})

func runeOf(th *Thread, v Value, name string, alone bool) (rune, error) {
	where := name + "() argument"
	if !alone {
		where += " 1"
	}
	s, ok := lang.AsStr(v)
	if !ok {
		return 0, th.TypeErrorf("%s must be a unicode character, not %s", where, lang.TypeName(v))
	}
	r, n := format.DecodeRune(s.String())
	if n == 0 || n != len(s.String()) {
		return 0, th.TypeErrorf("%s must be a unicode character, not %s", where, lang.TypeName(v))
	}
	return r, nil
}

func unicodeText(name string, f func(r rune) string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		r, err := runeOf(th, a[0], name, true)
		if err != nil {
			return fail(err)
		}
		return lang.NewStr(f(r)), nil
	}
}

func unicodeInt(name string, f func(r rune) int64) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		r, err := runeOf(th, a[0], name, true)
		if err != nil {
			return fail(err)
		}
		return lang.Int(f(r)), nil
	}
}

// unicodeValue is a value, or the default, or a ValueError.
func unicodeValue(name, not string, f func(r rune) (Value, bool)) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		r, err := runeOf(th, a[0], name, false)
		if err != nil {
			return fail(err)
		}
		if v, ok := f(r); ok {
			return v, nil
		}
		if !a[1].IsUnbound() {
			return a[1], nil
		}
		return fail(th.ValueErrorf("%s", not))
	}
}

var categories = []string{"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
	"Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"}

func category(r rune) string {
	if format.IsNew(r) {
		return "Cn"
	}
	for _, c := range categories {
		if unicode.Is(unicode.Categories[c], r) {
			return c
		}
	}
	return "Cn"
}

var bidiNames = map[bidi.Class]string{bidi.L: "L", bidi.R: "R", bidi.EN: "EN", bidi.ES: "ES", bidi.ET: "ET", bidi.AN: "AN", bidi.CS: "CS", bidi.B: "B", bidi.S: "S",
	bidi.WS: "WS", bidi.ON: "ON", bidi.BN: "BN", bidi.NSM: "NSM", bidi.AL: "AL"}

var bidiControls = map[rune]string{0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI"}

func bidiClass(r rune) string {
	if c := bidiControls[r]; c != "" {
		return c
	}
	if category(r) == "Cn" {
		return ""
	}
	p, _ := bidi.LookupRune(r)
	return bidiNames[p.Class()]
}

func eastAsianWidth(r rune) string {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianAmbiguous:
		return "A"
	case width.EastAsianWide:
		return "W"
	case width.EastAsianNarrow:
		return "Na"
	case width.EastAsianFullwidth:
		return "F"
	case width.EastAsianHalfwidth:
		return "H"
	}
	return "N"
}

// mirrored: brackets have the property; of the symbols those of mathematics that
// point to a side, of which only the common ones are known here.
func mirrored(r rune) int64 {
	p, _ := bidi.LookupRune(r)
	if p.IsBracket() || strings.ContainsRune("<>«»≤≥≪≫⊂⊃⊆⊇∈∉∋≠∑∫√∝∠∼≈≅≺≻", r) {
		return 1
	}
	return 0
}

// decomposition is one step: the canonical mapping, or the full compatibility
// mapping, whose kind the tables don't tell.
func decomposition(r rune) string {
	s := format.EncodeRune(r)
	if r >= 0xac00 && r <= 0xd7a3 {
		return ""
	}
	d, tag := unorm.NFD.PropertiesString(s).Decomposition(), ""
	if d == nil {
		if d = unorm.NFKD.PropertiesString(s).Decomposition(); d == nil {
			return ""
		}
		tag = "<compat> "
	} else if inner := unorm.NFC.String(string(d[:len(d)-lastRune(d)])); inner != "" {
		d = append([]byte(inner), d[len(d)-lastRune(d):]...)
	}
	var b strings.Builder
	for i, x := range []rune(string(d)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToUpper(hex4(x)))
	}
	return tag + b.String()
}

func lastRune(d []byte) int {
	_, n := utf8.DecodeLastRune(d)
	return n
}

func hex4(r rune) string {
	const digits = "0123456789ABCDEF"
	var b []byte
	for ; r > 0 || len(b) < 4; r >>= 4 {
		b = append([]byte{digits[r&15]}, b...)
	}
	return string(b)
}

func unicodeName(th *Thread, a []Value) (Value, error) {
	r, err := runeOf(th, a[0], "name", false)
	if err != nil {
		return fail(err)
	}
	if n := builtin.RuneName(r); n != "" && !format.IsNew(r) {
		return lang.NewStr(n), nil
	}
	if !a[1].IsUnbound() {
		return a[1], nil
	}
	return fail(th.ValueErrorf("no such name"))
}

func unicodeLookup(th *Thread, a []Value) (Value, error) {
	name, err := strOf(th, a[0], "lookup() argument")
	if err != nil {
		return fail(err)
	}
	r, ok := parser.RuneNamed(name)
	if !ok || format.IsNew(r) {
		return fail(lang.NewException(lang.KeyError, lang.NewStr("undefined character name '"+name+"'")))
	}
	return lang.NewStr(format.EncodeRune(r)), nil
}

// digitValue is also that of superscripts and of digits in circles.
func digitValue(r rune) (Value, bool) {
	if d := format.DecimalDigit(r); d >= 0 {
		return lang.Int(int64(d)), true
	}
	if !format.IsDigit(r) {
		return none, false
	}
	for _, c := range unorm.NFKD.String(string(r)) {
		if d := format.DecimalDigit(c); d >= 0 {
			return lang.Int(int64(d)), true
		}
	}
	return none, false
}

// numericValue is that of digits, fractions, numbers in circles and numerals that
// decompose into digits or Roman letters.
func numericValue(r rune) (Value, bool) {
	if v, ok := digitValue(r); ok {
		return lang.Float(float64(v.Int64())), true
	}
	if !format.IsNumeric(r) {
		return none, false
	}
	if i := strings.IndexRune("〇一二三四五六七八九", r); i >= 0 {
		return lang.Float(float64(i / 3)), true
	}
	if f := map[rune]float64{'十': 10, '百': 100, '千': 1000, '万': 10000, '億': 1e8, '兆': 1e12}[r]; f != 0 {
		return lang.Float(f), true
	}
	text := strings.Trim(unorm.NFKD.String(string(r)), "().")
	if num, den, ok := strings.Cut(text, "⁄"); ok {
		n, ok1 := wholeNumber(num)
		d, ok2 := wholeNumber(den)
		return lang.Float(n / d), ok1 && ok2
	}
	n, ok := wholeNumber(text)
	return lang.Float(n), ok
}

func wholeNumber(s string) (float64, bool) {
	n := 0.0
	if s != "" && strings.Trim(s, "0123456789") == "" {
		for _, c := range s {
			n = 10*n + float64(c-'0')
		}
		return n, true
	}
	roman := map[rune]float64{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}
	last := 0.0
	for _, c := range strings.ToUpper(s) {
		v := roman[c]
		if v == 0 {
			return 0, false
		}
		if v > last {
			n -= 2 * last
		}
		n, last = n+v, v
	}
	return n, s != ""
}

var forms = map[string]unorm.Form{"NFC": unorm.NFC, "NFD": unorm.NFD, "NFKC": unorm.NFKC, "NFKD": unorm.NFKD}

func formOf(th *Thread, a []Value, name string) (unorm.Form, string, error) {
	form, ok := lang.AsStr(a[0])
	if !ok {
		return 0, "", th.TypeErrorf("%s() argument 1 must be str, not %s", name, lang.TypeName(a[0]))
	}
	text, ok := lang.AsStr(a[1])
	if !ok {
		return 0, "", th.TypeErrorf("%s() argument 2 must be str, not %s", name, lang.TypeName(a[1]))
	}
	f, ok := forms[form.String()]
	if !ok {
		return 0, "", th.ValueErrorf("invalid normalization form")
	}
	return f, text.String(), nil
}

func unicodeNormalize(th *Thread, a []Value) (Value, error) {
	f, text, err := formOf(th, a, "normalize")
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(f.String(text)), nil
}

func unicodeIsNormalized(th *Thread, a []Value) (Value, error) {
	f, text, err := formOf(th, a, "is_normalized")
	return lang.Bool(err == nil && f.IsNormalString(text)), err
}
