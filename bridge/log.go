package bridge

import "fmt"

// Log writes a line as TensorFlow's logger does, the same text at most times
// times (0: always), if the logger's level lets it through.
func (st *State) Log(level, text string, times int) {
	if st.LogLevel > levels[level] {
		return
	}
	if times > 0 {
		if st.logged == nil {
			st.logged = map[string]int{}
		}
		if st.logged[text]++; st.logged[text] > times {
			return
		}
	}
	fmt.Fprintf(st.Th.Interp.Host.Stderr, "%s:tensorflow:%s\n", level, text)
}

// levels are Python's numbers of the logging levels.
var levels = map[string]int{"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}
