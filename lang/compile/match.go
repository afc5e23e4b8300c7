package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// captured is a value a pattern took, stored in its name when the whole pattern fits.
type captured struct {
	name string
	slot slot
}

// matcher compiles the patterns of one match statement.
type matcher struct {
	*gen
	caps []captured
}

func (g *gen) match(n *ast.Match) {
	m := &matcher{gen: g}
	subject := g.keep(n.Subject)
	end := newLabel()
	for _, c := range n.Cases {
		if g.dead {
			break
		}
		mark := g.hidden
		fail := newLabel()
		m.caps = m.caps[:0]
		m.pattern(c.Pattern, subject, &fail)
		for _, k := range m.caps {
			g.at(c.Pattern)
			g.store(k.name, k.slot)
		}
		if c.Guard != nil {
			g.at(c.Guard)
			g.cond(c.Guard, false, &fail)
		}
		g.stmts(c.Body)
		g.jump(&end)
		g.place(&fail)
		g.hidden = mark
	}
	g.place(&end)
	g.release(subject)
}

// pattern goes on if the value in s fits, else to fail.
func (m *matcher) pattern(p ast.Pattern, s slot, fail *label) {
	save := m.sp
	m.at(p)
	switch p := p.(type) {
	case *ast.MatchValue:
		v := m.operand(p.Value)
		m.at(p)
		m.branch(code.JEQSS, 0, s, v, 0, fail)
	case *ast.MatchSingleton:
		m.singleton(p, s, fail)
	case *ast.MatchSequence:
		m.sequencePattern(p, s, fail)
	case *ast.MatchMapping:
		m.mapping(p, s, fail)
	case *ast.MatchClass:
		m.classPattern(p, s, fail)
	case *ast.MatchStar:
		m.take(p.Name, s)
	case *ast.MatchAs:
		if p.Pattern != nil {
			m.pattern(p.Pattern, s, fail)
		}
		m.take(p.Name, s)
	case *ast.MatchOr:
		m.or(p, s, fail)
	}
	m.sp = save
}

func (m *matcher) take(name string, s slot) {
	if name != "" {
		m.caps = append(m.caps, captured{name, s})
	}
}

func (m *matcher) singleton(p *ast.MatchSingleton, s slot, fail *label) {
	if p.Value == nil {
		m.branch(code.JumpNotNone, 0, s, 0, 0, fail)
		return
	}
	t, k := m.temp(), m.temp()
	m.loadConst(literal(p.Value), k)
	m.emit(code.IsOp, t, s, k, 0)
	m.branch(code.JumpF, 0, t, 0, 0, fail)
}

// or tries the alternatives; what they take goes to the places of the first one.
func (m *matcher) or(p *ast.MatchOr, s slot, fail *label) {
	end := newLabel()
	first := len(m.caps)
	for i, alt := range p.Patterns {
		next := newLabel()
		out := &next
		if i == len(p.Patterns)-1 {
			out = fail
		}
		start := len(m.caps)
		m.pattern(alt, s, out)
		if i == 0 {
			m.settleCaps(first)
		} else {
			m.moveCaps(first, start)
		}
		m.jump(&end)
		m.place(&next)
	}
	m.place(&end)
}

// settleCaps gives what the first alternative took places of its own.
func (m *matcher) settleCaps(first int) {
	for i := first; i < len(m.caps); i++ {
		h := m.hide(1)
		m.emit(code.Move, h, m.caps[i].slot, 0, 0)
		m.caps[i].slot = h
	}
}

func (m *matcher) moveCaps(first, start int) {
	for _, c := range m.caps[start:] {
		for _, to := range m.caps[first:start] {
			if to.name == c.name {
				m.emit(code.Move, to.slot, c.slot, 0, 0)
			}
		}
	}
	m.caps = m.caps[:start]
}

func (m *matcher) sequencePattern(p *ast.MatchSequence, s slot, fail *label) {
	star := -1
	for i, q := range p.Patterns {
		if _, ok := q.(*ast.MatchStar); ok {
			star = i
		}
	}
	n := len(p.Patterns)
	m.guard(code.MatchSeq, s, fail)
	length := m.temp()
	if star < 0 {
		m.emit(code.GetLen, length, s, 0, 0)
		m.branch(code.JEQSI, 0, length, 0, uint64(n), fail)
	} else if n > 1 {
		m.emit(code.GetLen, length, s, 0, 0)
		m.branch(code.JGESI, 0, length, 0, uint64(n-1), fail)
	}
	if n == 0 || wildcards(p.Patterns) {
		return
	}
	if star >= 0 && p.Patterns[star].(*ast.MatchStar).Name == "" {
		m.aroundStar(p.Patterns, star, s, length, fail)
		return
	}
	parts := m.hide(n)
	if star < 0 {
		m.emit(code.UnpackSeq, s, parts, uint16(n), 0)
	} else {
		m.emit(code.UnpackEx, s, parts, 0, uint64(star)|uint64(n-star-1)<<32)
	}
	m.parts(p.Patterns, parts, fail)
}

// aroundStar takes items by position: what `*_` skips may be long.
func (m *matcher) aroundStar(list []ast.Pattern, star int, s, length slot, fail *label) {
	for i, q := range list {
		if i == star || wildcards(list[i:i+1]) {
			continue
		}
		item := m.hide(1)
		m.at(q)
		if i < star {
			m.loadConst(literal(int64(i)), item)
		} else {
			m.loadConst(literal(int64(len(list)-i)), item)
			m.emit(code.SubSS, item, length, item, 0)
		}
		m.emit(code.GetItem, item, s, item, 0)
		m.pattern(q, item, fail)
	}
}

func (m *matcher) parts(list []ast.Pattern, first slot, fail *label) {
	for i, q := range list {
		m.pattern(q, first+slot(i), fail)
	}
}

// guard goes to fail unless op says yes.
func (m *matcher) guard(op code.Op, s slot, fail *label) {
	t := m.temp()
	m.emit(op, t, s, 0, 0)
	m.branch(code.JumpF, 0, t, 0, 0, fail)
	m.sp--
}

func wildcards(list []ast.Pattern) bool {
	for _, p := range list {
		switch p := p.(type) {
		case *ast.MatchAs:
			if p.Name != "" || p.Pattern != nil {
				return false
			}
		case *ast.MatchStar:
			if p.Name != "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (m *matcher) mapping(p *ast.MatchMapping, s slot, fail *label) {
	m.guard(code.MatchMap, s, fail)
	n := len(p.Keys)
	if n == 0 && p.Rest == "" {
		return
	}
	if n > 0 {
		length := m.temp()
		m.emit(code.GetLen, length, s, 0, 0)
		m.branch(code.JGESI, 0, length, 0, uint64(n), fail)
	}
	keys, values := m.hide(1), m.hide(1)
	m.display(p, p.Keys, code.BuildTuple, keys)
	m.at(p)
	if n > 0 {
		m.emit(code.MatchKeys, values, s, keys, 0)
		m.branch(code.JumpNone, 0, values, 0, 0, fail)
		parts := m.hide(n)
		m.emit(code.UnpackSeq, values, parts, uint16(n), 0)
		m.parts(p.Patterns, parts, fail)
	}
	if p.Rest != "" {
		rest := m.hide(1)
		m.at(p)
		m.emit(code.MatchRest, rest, s, keys, 0)
		m.take(p.Rest, rest)
	}
}

func (m *matcher) classPattern(p *ast.MatchClass, s slot, fail *label) {
	cls := m.operand(p.Cls)
	names := make([]code.Const, len(p.KwdAttrs))
	for i, a := range p.KwdAttrs {
		names[i] = literal(a)
	}
	k := m.constIndex(code.Const{Kind: code.ConstTuple, T: names})
	t := m.hide(1)
	m.at(p)
	m.emit(code.MatchClass, t, s, cls, uint64(len(p.Patterns))|k<<32)
	m.branch(code.JumpNone, 0, t, 0, 0, fail)
	n := len(p.Patterns) + len(p.KwdPatterns)
	if n == 0 {
		return
	}
	parts := m.hide(n)
	m.emit(code.UnpackSeq, t, parts, uint16(n), 0)
	m.parts(p.Patterns, parts, fail)
	m.parts(p.KwdPatterns, parts+slot(len(p.Patterns)), fail)
}
