//go:build !unix

package py

import "time"

func processTime(th *Thread) time.Duration { return sinceStart(th) }
