//go:build !unix

package main

import "os"

// maxRSS is not known here.
func maxRSS(*os.ProcessState) int64 { return 0 }

// ownMaxRSS is not known here.
func ownMaxRSS() int64 { return 0 }
