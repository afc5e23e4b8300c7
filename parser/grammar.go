package parser

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// The frame of the grammar: compound statements. A token decides each choice.
type (
	file struct {
		Body []statement `parser:"@@*"`
	}

	// statement is one of the structs below.
	statement interface {
		// lower appends the tree of the statement.
		lower(out []ast.Stmt) []ast.Stmt
	}

	// suite is an indented block, or simple statements on the same line.
	suite struct {
		Body []statement `parser:"':' ( Newline Indent @@+ Dedent"`
		Line *line       `parser:"| @@ )"`
	}

	ifStmt struct {
		Pos  lexer.Position
		Test named       `parser:"'if' @@"`
		Body *suite      `parser:"@@"`
		Elif []*elifPart `parser:"@@*"`
		Else *suite      `parser:"( 'else' @@ )?"`
	}
	elifPart struct {
		Pos  lexer.Position
		Test named  `parser:"'elif' @@"`
		Body *suite `parser:"@@"`
	}
	whileStmt struct {
		Pos  lexer.Position
		Test named  `parser:"'while' @@"`
		Body *suite `parser:"@@"`
		Else *suite `parser:"( 'else' @@ )?"`
	}
	forStmt struct {
		Pos    lexer.Position
		Target target `parser:"'for' @@ 'in'"`
		Iter   exprs  `parser:"@@"`
		Body   *suite `parser:"@@"`
		Else   *suite `parser:"( 'else' @@ )?"`
	}
	withStmt struct {
		Pos   lexer.Position
		Items items  `parser:"'with' @@"`
		Body  *suite `parser:"@@"`
	}
	tryStmt struct {
		Pos      lexer.Position
		Body     *suite        `parser:"'try' @@"`
		Handlers []*exceptPart `parser:"@@*"`
		Else     *suite        `parser:"( 'else' @@ )?"`
		Finally  *suite        `parser:"( 'finally' @@ )?"`
	}
	exceptPart struct {
		Pos  lexer.Position
		Star bool   `parser:"'except' @'*'?"`
		Type single `parser:"( @@"`
		Name string `parser:"( 'as' @Ident )? )?"`
		Body *suite `parser:"@@"`
	}
	funcDef struct {
		Pos     lexer.Position
		Name    string `parser:"'def' @Ident"`
		Params  params `parser:"@@"`
		Returns single `parser:"( '->' @@ )?"`
		Body    *suite `parser:"@@"`
	}
	classDef struct {
		Pos  lexer.Position
		Name string    `parser:"'class' @Ident"`
		Args arguments `parser:"@@?"`
		Body *suite    `parser:"@@"`
	}
	asyncStmt struct {
		Pos  lexer.Position
		Def  *funcDef  `parser:"'async' ( @@"`
		For  *forStmt  `parser:"| @@"`
		With *withStmt `parser:"| @@ )"`
	}
	decorated struct {
		Decorators []named    `parser:"( '@' @@ Newline )+"`
		Def        *funcDef   `parser:"( @@"`
		Class      *classDef  `parser:"| @@"`
		Async      *asyncStmt `parser:"| @@ )"`
	}
	matchStmt struct {
		Pos     lexer.Position
		Subject subject     `parser:"Match @@ ':' Newline Indent"`
		Cases   []*casePart `parser:"@@+ Dedent"`
	}
	casePart struct {
		Pos     lexer.Position
		Pattern pattern `parser:"Case @@"`
		Guard   named   `parser:"( 'if' @@ )?"`
		Body    *suite  `parser:"@@"`
	}
)

// What is parsed by hand inside the frame. participle wants a type of its own,
// an interface, for each kind of place.
type (
	// named is an expression that may be an assignment expression.
	named interface{ ast.Expr }
	// single is one expression.
	single interface{ ast.Expr }
	// exprs is an expression, or a tuple without parentheses.
	exprs interface{ ast.Expr }
	// subject is what match looks at.
	subject interface{ ast.Expr }
	// target is what a for loop binds.
	target interface{ ast.Expr }
	// pattern is all that follows case up to its guard or colon.
	pattern interface{ ast.Pattern }
	// params is a parameter list in parentheses: an *ast.Arguments.
	params interface{ ast.Node }
	// items are the context managers of a with statement: a withItems.
	items interface{ items() []*ast.WithItem }
	// arguments are those of a class, in parentheses: a callArgs.
	arguments interface{ arguments() callArgs }
)

// line is a logical line of small statements, lines are one or more of them:
// all that follow each other, since each call by participle costs more than a
// line does.
type (
	line struct {
		stmts []ast.Stmt
		end   end
	}
	lines line
)

// Parse is called by participle.
func (l *line) Parse(lex *lexer.PeekingLexer) (err error) {
	if !startsLine(lex.Peek().Type) {
		return participle.NextMatch
	}
	defer recoverRefused(&err)
	p := parser{PeekingLexer: lex}
	l.stmts, l.end = p.line(nil)
	return nil
}

// Parse is called by participle.
func (l *lines) Parse(lex *lexer.PeekingLexer) (err error) {
	if !startsLine(lex.Peek().Type) {
		return participle.NextMatch
	}
	defer recoverRefused(&err)
	p := parser{PeekingLexer: lex}
	for startsLine(p.kind()) {
		l.stmts, l.end = p.line(l.stmts)
	}
	return nil
}

type withItems []*ast.WithItem

func (w withItems) items() []*ast.WithItem { return w }

// callArgs are the arguments of a call or class.
type callArgs struct {
	args     []ast.Expr
	keywords []*ast.Keyword
	// the only argument is a generator expression without parentheses of its own
	bareGenerator bool
}

func (c callArgs) arguments() callArgs { return c }

// grammar is built once; it may be used concurrently.
var grammar = sync.OnceValue(func() *participle.Parser[file] {
	return participle.MustBuild[file](
		participle.Lexer(definition{}),
		hand(startsExpr, func(p *parser) named { return p.named() }),
		hand(startsExpr, func(p *parser) single { return p.expression() }),
		hand(startsExpr, func(p *parser) exprs { return p.exprs() }),
		hand(startsExpr, func(p *parser) subject { return p.subject() }),
		hand(startsExpr, func(p *parser) target { return p.forTarget() }),
		hand(startsExpr, func(p *parser) items { return p.withItems() }),
		hand(startsPattern, func(p *parser) pattern { return p.casePattern() }),
		hand(isLParen, func(p *parser) params { return p.params() }),
		hand(isLParen, func(p *parser) arguments { return p.classArgs() }),
		participle.Union[statement](&lines{}, &ifStmt{}, &forStmt{}, &funcDef{}, &withStmt{}, &whileStmt{}, &decorated{},
			&classDef{}, &tryStmt{}, &matchStmt{}, &asyncStmt{}),
	)
})
