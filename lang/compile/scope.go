package compile

import (
	"sort"

	"github.com/tfs-lang/tfs/lang/ast"
)

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	functionScope
	lambdaScope
	genexpScope
	classScope
	compScope // compiled into the frame of the scope around it
)

// symFlag says what a scope does with a name.
type symFlag uint16

const (
	symBound symFlag = 1 << iota
	symUsed
	symParam
	symGlobal   // declared
	symNonlocal // declared, or bound by := in a comprehension
	symDeleted  // by del or at the end of an except clause
	symWalrus
	symCell     // a frame inside uses it
	symWideable // a named local, which may live in the wide area
)

// place says where the value of a name is.
type place uint8

const (
	unplaced place = iota
	inSlot
	inCell      // own cell in a slot
	inFree      // free cell of the frame
	inGlobal    // global, then builtins
	inName      // namespace, then global
	inClassFree // namespace, then free cell
)

// symbol is one name of one scope.
type symbol struct {
	name  string
	flags symFlag
	place place
	index int     // slot number or index of the free cell
	ref   *symbol // a comprehension's name that belongs to a scope around it in the same frame
}

// visible is the name as programs see it.
func (s *symbol) visible() string {
	if s.name == ownCell {
		return classCell
	}
	return s.name
}

// freeName is a cell that a frame takes from its maker.
type freeName struct {
	name  string
	owner *scope
	sym   *symbol
}

// scope is a name space of the program text.
type scope struct {
	kind      scopeKind
	name      string
	qualname  string
	node      ast.Node
	up        *scope // the scope around it
	frame     *scope // itself, or for a comprehension the scope whose frame it runs in
	private   string // class name for mangling
	syms      []symbol
	index     map[string]int32 // only when syms is long
	free      []freeName
	locals    []int32 // frames: symbols that get a slot, parameters first
	generator bool
	coroutine bool
	groups    bool // frames: an except* is in it
	annotated bool // module or class with annotations
}

const linearSymbols = 8

// find returns the symbol called name or nil.
func (s *scope) find(name string) *symbol {
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return &s.syms[i]
		}
		return nil
	}
	for i := range s.syms {
		if s.syms[i].name == name {
			return &s.syms[i]
		}
	}
	return nil
}

// add notes flags for name.
func (s *scope) add(name string, flags symFlag) *symbol {
	if sym := s.find(name); sym != nil {
		sym.flags |= flags
		return sym
	}
	if s.syms == nil {
		s.syms = make([]symbol, 0, linearSymbols)
	}
	s.syms = append(s.syms, symbol{name: name, flags: flags})
	n := len(s.syms)
	switch {
	case s.index != nil:
		s.index[name] = int32(n - 1)
	case n > linearSymbols:
		s.index = make(map[string]int32, 4*linearSymbols)
		for i := range s.syms {
			s.index[s.syms[i].name] = int32(i)
		}
	}
	return &s.syms[n-1]
}

// isFunction reports a scope whose bindings live in slots of its own frame.
func (s *scope) isFunction() bool {
	return s.kind == functionScope || s.kind == lambdaScope || s.kind == genexpScope
}

// mangle returns the name as a class body around s makes it.
func (s *scope) mangle(name string) string { return ast.Mangle(s.private, name) }

// resolve places every name of all scopes, outer scopes first.
func (u *Unit) resolve() error {
	for _, s := range u.scopes {
		for i := range s.syms {
			if err := u.placeSymbol(s, &s.syms[i]); err != nil {
				return err
			}
		}
	}
	for _, s := range u.scopes {
		sort.Slice(s.free, func(i, j int) bool { return s.free[i].name < s.free[j].name })
	}
	for _, s := range u.scopes {
		for i := range s.syms {
			s.settle(&s.syms[i])
		}
		s.number()
	}
	return nil
}

// classCell is the name through which methods find their class.
const classCell = "__class__"

// ownCell is where a class body keeps the cell that its methods know as classCell:
// no name of a program.
const ownCell = ".class"

func (u *Unit) placeSymbol(s *scope, sym *symbol) error {
	switch {
	case s.kind == classScope && sym.name == ownCell:
		sym.place = inSlot // until a method captures it
		return nil
	case sym.flags&symGlobal != 0:
		sym.place = inGlobal
		return nil
	case sym.flags&symBound != 0 && sym.flags&symNonlocal == 0:
		sym.place = s.ownPlace(u)
		return nil
	}
	owner, osym := s.up.owner(sym.name)
	switch {
	case owner == nil && sym.flags&symNonlocal != 0 && sym.flags&symWalrus == 0:
		return errorAt(u.nonlocals[nonlocalKey{s, sym.name}], "no binding for nonlocal '%s' found", sym.name)
	case owner == nil:
		sym.place = inGlobal
		if s.kind == moduleScope || s.kind == classScope {
			sym.place = s.ownPlace(u)
		}
	case owner.frame == s.frame:
		sym.ref = osym
	default:
		s.capture(owner, osym, sym.name)
		sym.place = inFree
		if s.kind == classScope && sym.flags&symNonlocal == 0 {
			sym.place = inClassFree
		}
	}
	return nil
}

// ownPlace is where s keeps what it binds.
func (s *scope) ownPlace(u *Unit) place {
	switch s.kind {
	case moduleScope:
		if u.opts.Namespace {
			return inName
		}
		return inGlobal
	case classScope:
		return inName
	}
	return inSlot
}

// owner finds the function or comprehension scope from s outwards that binds name.
func (s *scope) owner(name string) (*scope, *symbol) {
	for ; s != nil; s = s.up {
		if s.kind == moduleScope {
			break
		}
		if s.kind == classScope {
			if name == classCell {
				return s, s.find(ownCell)
			}
			continue
		}
		sym := s.find(name)
		if sym == nil {
			continue
		}
		if sym.flags&symGlobal != 0 {
			break
		}
		if sym.flags&symBound != 0 && sym.flags&symNonlocal == 0 {
			return s, sym
		}
	}
	return nil, nil
}

// capture makes owner's symbol a cell and a free name of every frame from s up to it.
func (s *scope) capture(owner *scope, sym *symbol, name string) {
	sym.flags |= symCell
	for f := s.frame; f != owner.frame; f = f.up.frame {
		if f.freeIndex(name) < 0 {
			f.free = append(f.free, freeName{name, owner, sym})
		}
	}
}

func (s *scope) freeIndex(name string) int {
	for i := range s.free {
		if s.free[i].name == name {
			return i
		}
	}
	return -1
}

// settle fills in what is known only when all captures are.
func (s *scope) settle(sym *symbol) {
	switch sym.place {
	case inSlot:
		if sym.flags&symCell != 0 {
			sym.place = inCell
		}
	case inFree, inClassFree:
		sym.index = s.frame.freeIndex(sym.name)
	}
}

// number gives the slots of a frame to its locals: parameters, then cells, then the rest.
func (s *scope) number() {
	switch {
	case s.kind == classScope:
		if sym := s.find(ownCell); sym.place == inCell {
			s.locals = append(s.locals, s.indexOf(sym))
		}
	case s.isFunction():
		s.numberKind(inCell)
		s.numberKind(inSlot)
	}
	for slot, i := range s.locals {
		s.syms[i].index = slot
		if s.syms[i].place == inSlot {
			s.syms[i].flags |= symWideable
		}
	}
}

func (s *scope) numberKind(p place) {
	for i := range s.syms {
		if sym := &s.syms[i]; sym.flags&symParam == 0 && sym.ref == nil && sym.place == p {
			s.locals = append(s.locals, int32(i))
		}
	}
}

func (s *scope) indexOf(sym *symbol) int32 {
	for i := range s.syms {
		if &s.syms[i] == sym {
			return int32(i)
		}
	}
	return -1
}
