package main

import (
	"fmt"
	"strconv"
	"strings"
)

// parseSize reads a number of bytes with an optional suffix K, M or G (powers of 1024).
func parseSize(s string) (int64, error) {
	t := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B"), "I")
	shift := 0
	if n := len(t); n > 0 {
		if i := strings.IndexByte("KMGT", t[n-1]); i >= 0 {
			shift = 10 * (i + 1)
			t = t[:n-1]
		}
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil || f <= 0 || f*float64(int64(1)<<shift) > 1<<62 {
		return 0, fmt.Errorf("%q is no size; say 512M or 2G", s)
	}
	return int64(f * float64(int64(1)<<shift)), nil
}
