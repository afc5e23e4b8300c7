package builtin

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/runenames"
)

// RuneName is the Unicode name of r, "" if it has none.
func RuneName(r rune) string {
	n := runenames.Name(r)
	switch {
	case strings.HasPrefix(n, "<CJK Ideograph"):
		return fmt.Sprintf("CJK UNIFIED IDEOGRAPH-%X", r)
	case strings.HasPrefix(n, "<"):
		return ""
	}
	return n
}
