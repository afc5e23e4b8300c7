package names

import (
	"embed"
	"strings"
)

//go:embed *.txt
var files embed.FS

// A List holds the names of one program.
type List struct {
	File string // python, numpy or tensorflow
	From string // what the names were read off
}

// Lists are all lists.
var Lists = []List{
	{"python", "CPython 3.11"},
	{"numpy", "NumPy 2.4"},
	{"tensorflow", "TensorFlow 2.21"},
}

// Text is the list as it is stored: "MODULE NAME" a line.
func (l List) Text() string {
	text, err := files.ReadFile(l.File + ".txt")
	if err != nil {
		panic("names: " + err.Error()) // embedded: it can't be missing
	}
	return string(text)
}

// Owner says whose module has the name, "" when none of the lists has it. The modules of TensorFlow are listed as dotted
// names of one.
func Owner(module, name string) string {
	if rest, ok := strings.CutPrefix(module, "tensorflow."); ok {
		module, name = "tensorflow", rest+"."+name
	}
	line := module + " " + name + "\n"
	for _, l := range Lists {
		text := l.Text()
		if strings.HasPrefix(text, line) || strings.Contains(text, "\n"+line) {
			return l.From
		}
	}
	return ""
}
