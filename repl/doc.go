// Package repl is the interactive session on chzyer/readline: blocks continue
// by the scanner's state, values and tracebacks show as in Python, Ctrl-C drops
// the input or interrupts what runs, Ctrl-D leaves. It must not know how
// scripts are run: it only feeds complete inputs to an Interp.
package repl
