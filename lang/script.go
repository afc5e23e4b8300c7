package lang

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
)

// Script is a module in script: its text and, when it was compiled beforehand, its
// marshalled code, of which each function is read at its first call.
type Script struct {
	File    string
	Package bool
	Code    string
	Text    func() string
}

// embedded is a module that came compiled and is in use.
type embedded struct {
	*Script
	unit *compile.Unit // once a function of it was staged
}

// runScript runs a module that came compiled; the parser isn't asked.
func (th *Thread) runScript(m *Module, s *Script) error {
	c, err := code.Lazy(s.Code, s.File)
	if err != nil {
		return err
	}
	in := th.Interp
	if in.embedded == nil {
		in.embedded = map[string]*embedded{}
	}
	in.embedded[s.File] = &embedded{Script: s}
	if !strings.HasPrefix(s.File, "<") {
		in.KeepSource(s.File, s.Text())
	}
	_, err = th.RunCode(c, m.dict, Unbound)
	return err
}

// unit is the compiled text that c is part of, and the code that this text has for c:
// a module that came compiled is compiled again when the first function of it is staged.
func (th *Thread) unit(c *code.Code) (*compile.Unit, *code.Code) {
	in := th.Interp
	if u := in.units[c]; u != nil {
		return u, c
	}
	e := in.embedded[c.File]
	if e == nil {
		return nil, nil
	}
	if e.unit == nil {
		root, err := th.CompileModule(e.Text(), e.File)
		if err != nil {
			return nil, nil
		}
		e.unit = in.units[root]
	}
	return e.unit, codeAt(e.unit.Code, c)
}

// codeAt is the code object in root that was compiled from the same place as c.
func codeAt(root, c *code.Code) *code.Code {
	if root.Span == c.Span && root.Qualname == c.Qualname {
		return root
	}
	for _, k := range root.Codes {
		if found := codeAt(k, c); found != nil {
			return found
		}
	}
	return nil
}
