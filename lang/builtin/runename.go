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
	case r >= 0xac00 && r <= 0xd7a3:
		return "HANGUL SYLLABLE " + hangul(int(r-0xac00))
	case strings.HasPrefix(n, "<"):
		return ""
	}
	return n
}

// The short names of the letters that syllables are made of: first, middle, last.
var (
	hangulFirst  = strings.Split("G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H", ",")
	hangulMiddle = strings.Split("A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I", ",")
	hangulLast   = strings.Split(",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H", ",")
)

func hangul(i int) string {
	return hangulFirst[i/588] + hangulMiddle[i/28%21] + hangulLast[i%28]
}
