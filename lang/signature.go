package lang

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
)

// Signature is a parsed Def.Sig.
type Signature struct {
	Name    string
	Params  []Param // positional-only, positional, keyword-only
	PosOnly int
	NPos    int // positional parameters, positional-only included
	Star    int // slot of *args, -1 without
	StarKw  int // slot of **kw, -1 without
	NSlots  int
	Min     int // positional parameters without default
	NoKw    bool
}

// Param is a parameter of a native function.
type Param struct {
	Name    *Str
	Default Value // Unbound with Optional: absent
	// Optional: there is a default. A str or number default is made once and shared.
	Optional bool
	Text     string // of the default, for signatures
}

type sigOnce struct {
	once sync.Once
	sig  *Signature
}

// name is the function's name, without parsing the signature.
func (d *Def) name() string {
	if i := strings.IndexByte(d.Sig, '('); i >= 0 {
		return d.Sig[:i]
	}
	return d.Sig
}

// Signature is the parsed signature.
func (d *Def) Signature() *Signature {
	d.sig.once.Do(func() { d.sig.sig = parseSignature(d.Sig) })
	return d.sig.sig
}

func parseSignature(text string) *Signature {
	s := &Signature{Star: -1, StarKw: -1}
	open := strings.IndexByte(text, '(')
	if open < 0 {
		s.Name = text
		return s
	}
	s.Name = text[:open]
	var star, starKw string
	kwOnly := false
	for _, p := range splitParams(text[open+1 : strings.LastIndexByte(text, ')')]) {
		switch {
		case p == "/":
			s.PosOnly = len(s.Params)
		case p == "*":
			kwOnly = true
		case strings.HasPrefix(p, "**"):
			starKw = p[2:]
		case strings.HasPrefix(p, "*"):
			star, kwOnly = p[1:], true
		default:
			q := parseParam(p)
			s.Params = append(s.Params, q)
			if !kwOnly {
				s.NPos++
				if !q.Optional {
					s.Min = s.NPos
				}
			}
		}
	}
	s.NSlots = len(s.Params)
	if star != "" {
		s.Star = s.NSlots
		s.NSlots++
	}
	if starKw != "" {
		s.StarKw = s.NSlots
		s.NSlots++
	}
	s.NoKw = s.PosOnly == len(s.Params) && s.StarKw < 0
	return s
}

// splitParams splits at commas outside brackets and quotes.
func splitParams(text string) []string {
	var out []string
	depth, from := 0, 0
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		out = append(out, last)
	}
	return out
}

func parseParam(p string) Param {
	name, def, has := strings.Cut(p, "=")
	q := Param{Name: Intern(strings.TrimSpace(name)), Default: Unbound, Optional: has}
	if has {
		q.Text = strings.TrimSpace(def)
		q.Default = literal(q.Text)
	}
	return q
}

// literal is the value of a default in a signature.
func literal(s string) Value {
	switch s {
	case "...":
		return Unbound
	case "None":
		return None
	case "True":
		return True
	case "False":
		return False
	case "()":
		return emptyTuple.Value()
	case "Ellipsis":
		return Ellipsis
	}
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') {
		return Intern(unescape(s[1 : len(s)-1])).Value()
	}
	if i, err := strconv.ParseInt(s, 0, 64); err == nil {
		return Int(i)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && !isDigits(s) {
		return Float(f)
	}
	if b, ok := new(big.Int).SetString(s, 0); ok {
		return BigInt(b)
	}
	panic(fmt.Sprintf("tfs bug: default %q of a signature is not a literal", s))
}

func isDigits(s string) bool {
	for _, c := range strings.TrimPrefix(s, "-") {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	r, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		return s
	}
	return r
}
