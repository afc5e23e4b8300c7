package ast

// Walk calls visit for n and, where visit returns true, for the nodes below it,
// in the order of CPython's fields. Nil nodes are not visited.
func Walk(n Node, visit func(Node) bool) {
	if visit(n) {
		Children(n, func(c Node) { Walk(c, visit) })
	}
}

// Children calls visit for each node directly below n.
func Children(n Node, visit func(Node)) {
	w := walker(visit)
	switch n := n.(type) {
	case *Module:
		nodes(w, n.Body)
	case *Interactive:
		nodes(w, n.Body)
	case *Expression:
		w.expr(n.Body)
	case Stmt:
		w.stmtFields(n)
	case Expr:
		w.exprFields(n)
	case Pattern:
		w.patternFields(n)
	case *Arguments:
		w.arguments(n)
	case *Arg:
		w.expr(n.Annotation)
	case *Keyword:
		w.expr(n.Value)
	case *WithItem:
		w.expr(n.ContextExpr)
		w.expr(n.OptionalVars)
	case *Comprehension:
		w.expr(n.Target)
		w.expr(n.Iter)
		nodes(w, n.Ifs)
	case *ExceptHandler:
		w.expr(n.Type)
		nodes(w, n.Body)
	case *MatchCase:
		w.pattern(n.Pattern)
		w.expr(n.Guard)
		nodes(w, n.Body)
	}
}

type walker func(Node)

func (w walker) expr(e Expr) {
	if e != nil {
		w(e)
	}
}

func (w walker) pattern(p Pattern) {
	if p != nil {
		w(p)
	}
}

func (w walker) arg(a *Arg) {
	if a != nil {
		w(a)
	}
}

// nodes visits a list, in which only expressions may be nil.
func nodes[T Node](w walker, list []T) {
	for _, n := range list {
		if Node(n) != nil {
			w(n)
		}
	}
}

func (w walker) arguments(n *Arguments) {
	nodes(w, n.Posonlyargs)
	nodes(w, n.Args)
	w.arg(n.Vararg)
	nodes(w, n.Kwonlyargs)
	nodes(w, n.KwDefaults)
	w.arg(n.Kwarg)
	nodes(w, n.Defaults)
}

func (w walker) function(args *Arguments, body []Stmt, decorators []Expr, returns Expr) {
	w(args)
	nodes(w, body)
	nodes(w, decorators)
	w.expr(returns)
}

func (w walker) loop(target, iter Expr, body, orelse []Stmt) {
	w.expr(target)
	w.expr(iter)
	nodes(w, body)
	nodes(w, orelse)
}

func (w walker) try(body []Stmt, handlers []*ExceptHandler, orelse, final []Stmt) {
	nodes(w, body)
	nodes(w, handlers)
	nodes(w, orelse)
	nodes(w, final)
}

func (w walker) stmtFields(n Stmt) {
	switch n := n.(type) {
	case *FunctionDef:
		w.function(n.Args, n.Body, n.DecoratorList, n.Returns)
	case *AsyncFunctionDef:
		w.function(n.Args, n.Body, n.DecoratorList, n.Returns)
	case *ClassDef:
		nodes(w, n.Bases)
		nodes(w, n.Keywords)
		nodes(w, n.Body)
		nodes(w, n.DecoratorList)
	case *Return:
		w.expr(n.Value)
	case *Delete:
		nodes(w, n.Targets)
	case *Assign:
		nodes(w, n.Targets)
		w.expr(n.Value)
	case *AugAssign:
		w.expr(n.Target)
		w.expr(n.Value)
	case *AnnAssign:
		w.expr(n.Target)
		w.expr(n.Annotation)
		w.expr(n.Value)
	case *For:
		w.loop(n.Target, n.Iter, n.Body, n.Orelse)
	case *AsyncFor:
		w.loop(n.Target, n.Iter, n.Body, n.Orelse)
	case *While:
		w.loop(n.Test, nil, n.Body, n.Orelse)
	case *If:
		w.loop(n.Test, nil, n.Body, n.Orelse)
	case *With:
		nodes(w, n.Items)
		nodes(w, n.Body)
	case *AsyncWith:
		nodes(w, n.Items)
		nodes(w, n.Body)
	case *Match:
		w.expr(n.Subject)
		nodes(w, n.Cases)
	case *Raise:
		w.expr(n.Exc)
		w.expr(n.Cause)
	case *Try:
		w.try(n.Body, n.Handlers, n.Orelse, n.Finalbody)
	case *TryStar:
		w.try(n.Body, n.Handlers, n.Orelse, n.Finalbody)
	case *Assert:
		w.expr(n.Test)
		w.expr(n.Msg)
	case *Import:
		nodes(w, n.Names)
	case *ImportFrom:
		nodes(w, n.Names)
	case *ExprStmt:
		w.expr(n.Value)
	}
}

func (w walker) exprFields(n Expr) {
	switch n := n.(type) {
	case *BoolOp:
		nodes(w, n.Values)
	case *NamedExpr:
		w.expr(n.Target)
		w.expr(n.Value)
	case *BinOp:
		w.expr(n.Left)
		w.expr(n.Right)
	case *UnaryOp:
		w.expr(n.Operand)
	case *Lambda:
		w(n.Args)
		w.expr(n.Body)
	case *IfExp:
		w.expr(n.Test)
		w.expr(n.Body)
		w.expr(n.Orelse)
	case *Dict:
		nodes(w, n.Keys)
		nodes(w, n.Values)
	case *Set:
		nodes(w, n.Elts)
	case *ListComp:
		w.expr(n.Elt)
		nodes(w, n.Generators)
	case *SetComp:
		w.expr(n.Elt)
		nodes(w, n.Generators)
	case *DictComp:
		w.expr(n.Key)
		w.expr(n.Value)
		nodes(w, n.Generators)
	case *GeneratorExp:
		w.expr(n.Elt)
		nodes(w, n.Generators)
	case *Await:
		w.expr(n.Value)
	case *Yield:
		w.expr(n.Value)
	case *YieldFrom:
		w.expr(n.Value)
	case *Compare:
		w.expr(n.Left)
		nodes(w, n.Comparators)
	case *Call:
		w.expr(n.Func)
		nodes(w, n.Args)
		nodes(w, n.Keywords)
	case *FormattedValue:
		w.expr(n.Value)
		w.expr(n.FormatSpec)
	case *JoinedStr:
		nodes(w, n.Values)
	case *Attribute:
		w.expr(n.Value)
	case *Subscript:
		w.expr(n.Value)
		w.expr(n.Slice)
	case *Starred:
		w.expr(n.Value)
	case *List:
		nodes(w, n.Elts)
	case *Tuple:
		nodes(w, n.Elts)
	case *Slice:
		w.expr(n.Lower)
		w.expr(n.Upper)
		w.expr(n.Step)
	}
}

func (w walker) patternFields(n Pattern) {
	switch n := n.(type) {
	case *MatchValue:
		w.expr(n.Value)
	case *MatchSequence:
		nodes(w, n.Patterns)
	case *MatchMapping:
		nodes(w, n.Keys)
		nodes(w, n.Patterns)
	case *MatchClass:
		w.expr(n.Cls)
		nodes(w, n.Patterns)
		nodes(w, n.KwdPatterns)
	case *MatchAs:
		w.pattern(n.Pattern)
	case *MatchOr:
		nodes(w, n.Patterns)
	}
}
