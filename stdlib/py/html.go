package py

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang"
)

// _html knows the named characters of HTML 5.
var _ = define("_html", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "entity(name, /)", Fn: htmlEntity}}}
})

// htmlEntity is what a name stands for, with or without its semicolon, or None.
func htmlEntity(th *Thread, a []Value) (Value, error) {
	name, err := strOf(th, a[0], "name")
	if err != nil {
		return fail(err)
	}
	text := html.UnescapeString("&" + name)
	known := utf8.RuneCountInString(text) == 1 // names without semicolon are of one character
	if strings.HasSuffix(name, ";") {
		known = !strings.HasSuffix(text, ";") || name == "semi;"
	}
	if !known {
		return none, nil
	}
	return lang.NewStr(text), nil
}
