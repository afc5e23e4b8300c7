package builtin

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// The functions of this file work on the bytes behind a str or a bytes object;
// what counts as white space is the caller's.

type spaceTest func(s string) (space bool, size int)

// splitSpace splits at runs of white space, at most max times (max < 0: all).
func splitSpace(s string, max int, space spaceTest) []string {
	var out []string
	i := skipSpace(s, 0, space)
	for i < len(s) {
		if max == 0 {
			return append(out, s[i:])
		}
		j := i
		for j < len(s) {
			sp, n := space(s[j:])
			if sp {
				break
			}
			j += n
		}
		out = append(out, s[i:j])
		max--
		i = skipSpace(s, j, space)
	}
	return out
}

func skipSpace(s string, i int, space spaceTest) int {
	for i < len(s) {
		sp, n := space(s[i:])
		if !sp {
			break
		}
		i += n
	}
	return i
}

func trimRightSpace(s string, space spaceTest) string {
	for s != "" {
		n := lastSize(s)
		if sp, _ := space(s[len(s)-n:]); !sp {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

// lastSize is the length of the last code point of s.
func lastSize(s string) int {
	n := 1
	for n < len(s) && n < 4 && s[len(s)-n]&0xc0 == 0x80 {
		n++
	}
	return n
}

// rsplitSpace splits at runs of white space from the right.
func rsplitSpace(s string, max int, space spaceTest) []string {
	var out []string
	s = trimRightSpace(s, space)
	for s != "" {
		if max == 0 {
			out = append(out, s)
			break
		}
		j := len(s)
		for j > 0 {
			n := lastSize(s[:j])
			if sp, _ := space(s[j-n : j]); sp {
				break
			}
			j -= n
		}
		out = append(out, s[j:])
		max--
		s = trimRightSpace(s[:j], space)
	}
	reverseStrings(out)
	return out
}

func reverseStrings(a []string) {
	for i, j := 0, len(a)-1; i < j; i, j = i+1, j-1 {
		a[i], a[j] = a[j], a[i]
	}
}

// splitSep splits at a separator that isn't empty.
func splitSep(s, sep string, max int) []string {
	if max < 0 {
		return strings.Split(s, sep)
	}
	return strings.SplitN(s, sep, max+1)
}

func rsplitSep(s, sep string, max int) []string {
	var out []string
	for max != 0 {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		out = append(out, s[i+len(sep):])
		s = s[:i]
		max--
	}
	out = append(out, s)
	reverseStrings(out)
	return out
}

// splitLines splits at line breaks; brk gives the length of the break at the
// front of s, 0 if there is none.
func splitLines(s string, keep bool, brk func(s string) int) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); {
		n := brk(s[i:])
		if n == 0 {
			i++
			continue
		}
		end := i
		if keep {
			end += n
		}
		out = append(out, s[start:end])
		i += n
		start = i
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// expandTabs replaces tabs by spaces up to the next column that size divides.
func expandTabs(s string, size int) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var b strings.Builder
	col := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\t':
			if size > 0 {
				n := size - col%size
				col += n
				b.WriteString(strings.Repeat(" ", n))
			}
		case c == '\n' || c == '\r':
			col = 0
			b.WriteByte(c)
		default:
			if c&0xc0 != 0x80 {
				col++
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

// zeroFill puts zeros between a sign and the rest; width counts what length says s has.
func zeroFill(s string, missing int) string {
	if missing <= 0 {
		return s
	}
	sign := ""
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[:1], s[1:]
	}
	return sign + strings.Repeat("0", missing) + s
}

// centerPads is how center() shares missing columns.
func centerPads(missing, width int) (left, right int) {
	left = missing/2 + (missing & width & 1)
	return left, missing - left
}

func spaceByte(s string) (bool, int) {
	c := s[0]
	return c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f, 1
}

func spaceRune(s string) (bool, int) {
	r, n := lang.DecodeRune(s)
	return format.IsSpace(r), n
}

// strBreak is the length of a str's line break at the front of s.
func strBreak(s string) int {
	switch c := s[0]; {
	case c == '\r' && len(s) > 1 && s[1] == '\n':
		return 2
	case c >= '\n' && c <= '\r' || c >= 0x1c && c <= 0x1e:
		return 1
	case c < 0x80:
		return 0
	}
	if r, n := lang.DecodeRune(s); format.IsLineBreak(r) {
		return n
	}
	return 0
}

// bytesBreak is the length of the line break of bytes at the front of s.
func bytesBreak(s string) int {
	switch {
	case s[0] == '\r' && len(s) > 1 && s[1] == '\n':
		return 2
	case s[0] == '\n' || s[0] == '\r':
		return 1
	}
	return 0
}

func spaceOfBytes(s string) (bool, int) {
	c := s[0]
	return c == ' ' || c >= '\t' && c <= '\r', 1
}
