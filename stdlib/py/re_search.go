package py

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/tfs-lang/tfs/lang"
)

// A search that takes longer than firstSlice goes on, from the beginning, on a
// goroutine of its own, so that Ctrl-C and time limits end the wait for it. The
// engine can't be stopped from outside: it stops by itself after a slice, and each
// slice is twice as long as the one before.
const (
	firstSlice = 500 * time.Millisecond
	watchTurn  = 20 * time.Millisecond
)

func (p *pattern) search(th *Thread, r *regexp2.Regexp, runes []rune, start int) (*regexp2.Match, error) {
	m, err := r.FindRunesMatchStartingAt(runes, start)
	if err == nil {
		return m, nil
	}
	if !strings.HasPrefix(err.Error(), "match timeout") {
		return nil, th.Raise(lang.RuntimeError, "%s", err.Error())
	}
	own, err := regexp2.Compile(r.String(), p.opts)
	if err != nil {
		return nil, th.Raise(lang.RuntimeError, "%s", err.Error())
	}
	return longSearch(th, own, runes, start)
}

// longSearch searches with an expression that nobody else uses.
func longSearch(th *Thread, r *regexp2.Regexp, runes []rune, start int) (*regexp2.Match, error) {
	var given atomic.Bool
	result := make(chan *regexp2.Match, 1)
	go func() {
		for r.MatchTimeout = 2 * firstSlice; ; r.MatchTimeout *= 2 {
			m, err := r.FindRunesMatchStartingAt(runes, start)
			if err == nil || given.Load() {
				result <- m
				return
			}
		}
	}()
	tick := time.NewTicker(watchTurn)
	defer tick.Stop()
	for {
		select {
		case m := <-result:
			return m, nil
		case <-tick.C:
			if err := th.Check(); err != nil {
				given.Store(true)
				return nil, err
			}
		}
	}
}
