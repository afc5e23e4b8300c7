package parser

// rulesText is the grammar of the second parser. It is tried as a PEG: the
// first alternative that fits is taken. The order of rules' alternatives, and
// which rules are remembered, decide what CPython says about a wrong program, so
// both follow its grammar.
//
//	'if' "match"     a keyword or operator; a soft keyword
//	NAME NEWLINE …   a kind of token; SOFT is a name that is a soft keyword
//	x? x* x+         optional, repeated
//	x%','            one or more x with commas between
//	&x !x            what must, or must not, come next
//	^':'             must come next, or it is an error that it doesn't
//	~                no later alternative is tried once this is passed
//	a:x              x, called a in the action
//	-> Kind          makes a node of that kind; the default is the one part
//	-> a             the value is that part's
//	-> at a "…"      an error at a; range a b: from a to b; from a: from a to
//	                 where the scanner stands; here: at the last token read;
//	                 indent a: an IndentationError there, for the block of a.
//	                 In the text {a} is what kind of thing a is.
//	-> call f        an action in action.go
//
// name! : remembered. name~ : tries no bad rules below it. Rules whose names
// begin with bad_ hold what is wrong but foreseen; alternatives that consist of
// one are tried in the second pass only.
const rulesText = `
file: statement* EOF
single: compound EOF | simple_line
eval: expressions NEWLINE* EOF
fragment: star_expressions

statement: compound | simple_line
simple_line: simple !';' NEWLINE | simple%';' ';'? NEWLINE
simple!: assignment | star_expressions | &'return' return | &('import' | 'from') import | &'raise' raise | 'pass' | &'del' del
  | &'yield' yield | &'assert' assert | 'break' | 'continue' | &'global' global | &'nonlocal' nonlocal
compound: &('def' | '@' | 'async') function | &'if' if | &('class' | '@') class | &('with' | 'async') with | &('for' | 'async') for
  | &'try' try | &'while' while | match

assignment: NAME ':' expression ('=' right_side)?
  | ('(' single_target ')' | single_place) ':' expression ('=' right_side)?
  | (star_targets '=')+ right_side !'='
  | single_target augmented ~ right_side
  | bad_assignment
right_side: yield | star_expressions
augmented: '+=' | '-=' | '*=' | '@=' | '/=' | '%=' | '&=' | '|=' | '^=' | '<<=' | '>>=' | '**=' | '//='
return: 'return' star_expressions?
raise: 'raise' expression ('from' expression)? | 'raise'
global: 'global' NAME%','
nonlocal: 'nonlocal' NAME%','
del: 'del' del_targets &(';' | NEWLINE) | bad_del
assert: 'assert' expression (',' expression)?
import: 'import' dotted_as%',' | 'from' ('.' | '...')* dotted 'import' from_names | 'from' ('.' | '...')+ 'import' from_names
from_names: '(' from_list ','? ')' | from_list !',' | '*' | bad_from_names
from_list: (NAME ('as' NAME)?)%','
dotted_as: dotted ('as' NAME)?
dotted: NAME ('.' NAME)*

block!: NEWLINE INDENT statement+ DEDENT | simple_line | bad_block
decorators: ('@' named NEWLINE)+
class: decorators class_raw | class_raw
class_raw: bad_class | 'class' NAME ('(' arguments? ')')? ':' block
function: decorators function_raw | function_raw
function_raw: bad_function | 'def' NAME ^'(' params? ')' ('->' expression)? ^':' block
  | 'async' 'def' NAME ^'(' params? ')' ('->' expression)? ^':' block
params: bad_params | parameters
parameters: slash_plain plain_param* default_param* star_part? | slash_default default_param* star_part?
  | plain_param+ default_param* star_part? | default_param+ star_part? | star_part
slash_plain: plain_param+ '/' ',' | plain_param+ '/' &')'
slash_default: plain_param* default_param+ '/' ',' | plain_param* default_param+ '/' &')'
star_part: bad_star_part | '*' plain_param any_param* double_star? | '*' star_annotated any_param* double_star?
  | '*' ',' any_param+ double_star? | double_star
double_star: bad_double_star | '**' plain_param
plain_param: a:param ',' -> a | a:param &')' -> a
star_annotated: NAME ':' star_expression ',' | NAME ':' star_expression &')'
default_param: param default ',' | param default &')'
any_param: param default? ',' | param default? &')'
param: NAME (':' expression)? -> Param
default: '=' expression | bad_default

if: bad_if | 'if' named ':' block elif | 'if' named ':' block else?
elif: bad_elif | 'elif' named ':' block elif | 'elif' named ':' block else?
else: bad_else | 'else' ^':' block
while: bad_while | 'while' named ':' block else?
for: bad_for | 'for' star_targets 'in' ~ star_expressions ':' block else? | 'async' 'for' star_targets 'in' ~ star_expressions ':' block else?
  | bad_for_target
with: bad_with_indent | 'with' '(' with_item%',' ','? ')' ':' block | 'with' with_item%',' ':' block
  | 'async' 'with' '(' with_item%',' ','? ')' ':' block | 'async' 'with' with_item%',' ':' block | bad_with
with_item: expression 'as' star_target &(',' | ')' | ':') | bad_with_item | expression
try: bad_try | 'try' ^':' block finally | 'try' ^':' block except+ else? finally? | 'try' ^':' block except_star+ else? finally?
except: bad_except_indent | 'except' expression ('as' NAME)? ':' block | 'except' ':' block | bad_except
except_star: bad_except_star_indent | 'except' '*' expression ('as' NAME)? ':' block | bad_except
finally: bad_finally | 'finally' ^':' block

match: "match" subject ':' NEWLINE INDENT case+ DEDENT | bad_match
subject: star_named ',' star_nameds? -> Tuple | named
case: bad_case | "case" patterns guard? ':' block
guard: 'if' named
patterns: open_sequence | pattern
pattern: as_pattern | or_pattern
as_pattern: or_pattern 'as' capture | bad_as
or_pattern: closed%'|' -> Pattern
closed!: literal_pattern | capture | "_" | attr !('.' | '(' | '=') | '(' pattern ')' | sequence_pattern | mapping_pattern | class_pattern
literal_pattern: signed !('+' | '-') | complex | strings | 'None' | 'True' | 'False'
complex: real '+' NUMBER -> call complex | real '-' NUMBER -> call complex
real: NUMBER -> call real | '-' NUMBER -> call real
signed: NUMBER -> Number | '-' NUMBER -> Number
capture: !"_" NAME !('.' | '(' | '=')
attr: NAME ('.' NAME)+
name_or_attr: NAME ('.' NAME)*
sequence_pattern: '[' maybe_sequence? ']' | '(' open_sequence? ')'
open_sequence: maybe_star ',' maybe_sequence?
maybe_sequence: maybe_star%',' ','?
maybe_star: star_pattern | pattern
star_pattern!: '*' capture | '*' "_"
mapping_pattern: '{' '}' | '{' rest_pattern ','? '}' | '{' item_pattern%',' ',' rest_pattern ','? '}' | '{' item_pattern%',' ','? '}'
item_pattern: (literal_pattern | attr) ':' pattern
rest_pattern: '**' capture
class_pattern: name_or_attr '(' ')' | name_or_attr '(' positionals ','? ')' | name_or_attr '(' keyword_pattern%',' ','? ')'
  | name_or_attr '(' positionals ',' keyword_pattern%',' ','? ')' | bad_class_pattern
positionals: pattern%',' -> Patterns
keyword_pattern: NAME '=' pattern

expressions: expression (',' expression)+ ','? -> Tuple | expression ',' -> Tuple | expression
expression!: bad_expression | bad_legacy | disjunction 'if' disjunction 'else' expression -> IfExp | disjunction | lambda
yield: 'yield' 'from' expression -> Yield | 'yield' star_expressions? -> Yield
star_expressions: star_expression (',' star_expression)+ ','? -> Tuple | star_expression ',' -> Tuple | star_expression
star_expression!: '*' bit_or -> Starred | expression
star_nameds: star_named%',' ','? -> List
star_named: '*' bit_or -> Starred | named
walrus: NAME ':=' ~ expression -> NamedExpr
named: walrus | bad_named | a:expression !':=' -> a
disjunction!: conjunction ('or' conjunction)+ -> BoolOp | conjunction
conjunction!: inversion ('and' inversion)+ -> BoolOp | inversion
inversion!: 'not' inversion -> UnaryOp | comparison
comparison: bit_or (compare_op bit_or)+ -> Compare | bit_or
compare_op: '==' | '!=' | '<=' | '<' | '>=' | '>' | 'not' 'in' -> Op | 'in' -> In | 'is' 'not' -> Op | 'is'
bit_or!: bit_or '|' bit_xor -> BinOp | bit_xor
bit_xor!: bit_xor '^' bit_and -> BinOp | bit_and
bit_and!: bit_and '&' shift -> BinOp | shift
shift!: shift '<<' sum -> BinOp | shift '>>' sum -> BinOp | sum
sum!: sum '+' term -> BinOp | sum '-' term -> BinOp | term
term!: term '*' factor -> BinOp | term '/' factor -> BinOp | term '//' factor -> BinOp | term '%' factor -> BinOp | term '@' factor -> BinOp | factor
factor!: '+' factor -> UnaryOp | '-' factor -> UnaryOp | '~' factor -> UnaryOp | power
power: await '**' factor -> BinOp | await
await!: 'await' primary -> Await | primary
primary!: primary '.' NAME -> Attribute | primary genexp -> Call | primary '(' arguments? ')' -> Call | primary '[' slices ']' -> Subscript | atom
slices: slice !',' | (slice | starred)%',' ','?
slice: expression? ':' expression? (':' expression?)? | named
atom: NAME -> Name | 'True' -> True | 'False' -> False | 'None' -> None | &STRING strings | NUMBER -> call number | &'(' (tuple | group | genexp)
  | &'[' (list | listcomp) | &'{' (dict | set | dictcomp | setcomp) | '...' -> Ellipsis
group: '(' a:(yield | named) ')' -> a | bad_group
lambda: 'lambda' lambda_params? ':' expression -> Lambda
lambda_params: bad_lambda_params | lambda_parameters
lambda_parameters: lambda_slash_plain lambda_plain* lambda_default* lambda_star? | lambda_slash_default lambda_default* lambda_star?
  | lambda_plain+ lambda_default* lambda_star? | lambda_default+ lambda_star? | lambda_star
lambda_slash_plain: lambda_plain+ '/' ',' | lambda_plain+ '/' &':'
lambda_slash_default: lambda_plain* lambda_default+ '/' ',' | lambda_plain* lambda_default+ '/' &':'
lambda_star: bad_lambda_star | '*' lambda_plain lambda_any* lambda_double_star? | '*' ',' lambda_any+ lambda_double_star? | lambda_double_star
lambda_double_star: bad_lambda_double_star | '**' lambda_plain
lambda_plain: a:lambda_param ',' -> a | a:lambda_param &':' -> a
lambda_default: lambda_param default ',' | lambda_param default &':'
lambda_any: lambda_param default? ',' | lambda_param default? &':'
lambda_param: NAME -> Param
strings!: STRING+ -> call strings
list: '[' star_nameds? ']' -> List
tuple: '(' (star_named ',' star_nameds?)? ')' -> Tuple
set: '{' star_nameds '}' -> Set
dict: '{' (pair%',' ','?)? '}' -> Dict | '{' bad_pairs '}'
pair: '**' bit_or | key_value
key_value: expression ':' expression
for_clauses: for_clause+ -> Clauses
for_clause: 'async' 'for' star_targets 'in' ~ disjunction ('if' disjunction)* -> Clause
  | 'for' star_targets 'in' ~ disjunction ('if' disjunction)* -> Clause | bad_for_target
listcomp: '[' named for_clauses ']' -> ListComp | bad_comprehension
setcomp: '{' named for_clauses '}' -> SetComp | bad_comprehension
genexp: '(' (walrus | expression !':=') for_clauses ')' -> GeneratorExp | bad_comprehension
dictcomp: '{' key_value for_clauses '}' -> DictComp | bad_dict_comprehension
arguments!: a:args ','? &')' -> a | bad_arguments
args: (starred | (walrus | expression !':=') !'=')%',' (',' kwargs)? -> Args | kwargs -> Args
kwargs: kwarg_or_starred%',' ',' kwarg_or_mapping%',' -> List | kwarg_or_starred%',' -> List | kwarg_or_mapping%',' -> List
starred: '*' expression -> Starred
kwarg_or_starred: bad_kwarg | NAME '=' expression -> Keyword | starred
kwarg_or_mapping: bad_kwarg | NAME '=' expression -> Keyword | '**' expression -> Mapping

star_targets: a:star_target !',' -> a | star_target (',' star_target)* ','? -> Tuple
star_target!: '*' !'*' star_target -> Starred | star_place
star_place!: t_primary '.' NAME !t_next -> Attribute | t_primary '[' slices ']' !t_next -> Subscript | star_atom
star_atom: NAME -> Name | '(' a:star_place ')' -> a | '(' star_tuple? ')' -> Tuple | '[' (star_target%',' ','?)? ']' -> List
star_tuple: star_target (',' star_target)+ ','? | star_target ','
single_target: single_place | NAME -> Name | '(' a:single_target ')' -> a
single_place: t_primary '.' NAME !t_next -> Attribute | t_primary '[' slices ']' !t_next -> Subscript
t_primary!: t_primary '.' NAME &t_next -> Attribute | t_primary '[' slices ']' &t_next -> Subscript | t_primary genexp &t_next -> Call
  | t_primary '(' arguments? ')' &t_next -> Call | a:atom &t_next -> a
t_next: '(' | '[' | '.'
del_targets: del_target%',' ','?
del_target!: t_primary '.' NAME !t_next | t_primary '[' slices ']' !t_next | NAME | '(' del_target ')' | '(' del_targets? ')' | '[' del_targets? ']'

bad_arguments: ((starred | (walrus | expression !':=') !'=')%',' ',' kwargs | kwargs) ',' a:'*' -> at a "iterable argument unpacking follows keyword argument unpacking"
  | a:expression b:for_clauses ',' (args | expression for_clauses)? -> range a b "Generator expression must be parenthesized"
  | a:NAME b:'=' expression for_clauses -> range a b "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
  | a:args b:for_clauses -> call bareGenerator
  | args ',' a:expression b:for_clauses -> range a b "Generator expression must be parenthesized"
  | a:args ',' args -> call positional
bad_kwarg: a:('True' | 'False' | 'None') b:'=' -> range a b "cannot assign to {a}"
  | a:NAME b:'=' expression for_clauses -> range a b "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
  | !(NAME '=') a:expression b:'=' -> range a b "expression cannot contain assignment, perhaps you meant \"==\"?"
plain_expression~: disjunction 'if' disjunction 'else' expression -> IfExp | disjunction | lambda
bad_legacy: a:NAME !'(' b:star_expressions -> call legacy
bad_expression: !(NAME STRING | SOFT) a:disjunction b:plain_expression -> call comma
  | a:disjunction 'if' b:disjunction !('else' | ':') -> range a b "expected 'else' after 'if' expression"
bad_named!: a:expression ':=' expression -> at a "cannot use assignment expressions with {a}"
  | a:NAME '=' b:bit_or !('=' | ':=') -> range a b "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
  | !(list | tuple | genexp | 'True' | 'None' | 'False') a:bit_or b:'=' bit_or !('=' | ':=') -> at a "cannot assign to {a} here. Maybe you meant '==' instead of '='?"
bad_assignment: a:bad_annotated ':' expression -> at a "only single target (not {a}) can be annotated"
  | a:star_named ',' star_nameds* ':' expression -> at a "only single target (not tuple) can be annotated"
  | a:expression ':' expression -> at a "illegal target for annotation"
  | (star_targets '=')* a:star_expressions '=' -> call target
  | (star_targets '=')* a:yield '=' -> at a "assignment to yield expression not possible"
  | a:star_expressions augmented right_side -> at a "'{a}' is an illegal expression for augmented assignment"
bad_annotated: list | tuple | '(' a:bad_annotated ')' -> a
bad_del: 'del' a:star_expressions -> call delTarget
bad_block: NEWLINE !INDENT -> indent "expected an indented block"
bad_comprehension: ('[' | '(' | '{') a:starred for_clauses -> at a "iterable unpacking cannot be used in comprehension"
  | ('[' | '{') a:star_named ',' b:star_nameds for_clauses -> call parens
  | ('[' | '{') a:star_named b:',' for_clauses -> range a b "did you forget parentheses around the comprehension target?"
bad_dict_comprehension: '{' a:'**' bit_or for_clauses '}' -> at a "dict unpacking cannot be used in dict comprehension"
bad_params: plain_param* bad_params_help a:plain_param -> at a "non-default argument follows default argument"
  | plain_param* a:'(' plain_param+ ','? b:')' -> range a b "Function parameters cannot be parenthesized"
  | a:'/' ',' -> at a "at least one argument must precede /"
  | (slash_plain | slash_default) any_param* a:'/' -> at a "/ may appear only once"
  | (slash_plain | slash_default)? any_param* '*' (',' | plain_param) any_param* a:'/' -> at a "/ must be ahead of *"
  | any_param+ '/' a:'*' -> at a "expected comma between / and *"
bad_params_help: slash_default | default_param+
bad_default: a:'=' &(')' | ',') -> at a "expected default value expression"
bad_star_part: a:'*' (')' | ',' (')' | '**')) -> at a "named arguments must follow bare *"
  | '*' param a:'=' -> at a "var-positional argument cannot have default value"
  | '*' (plain_param | ',') any_param* a:'*' (plain_param | ',') -> at a "* argument may appear only once"
bad_double_star: '**' param a:'=' -> at a "var-keyword argument cannot have default value"
  | '**' param ',' a:param -> at a "arguments cannot follow var-keyword argument"
  | '**' param ',' a:('*' | '**' | '/') -> at a "arguments cannot follow var-keyword argument"
bad_lambda_params: lambda_plain* bad_lambda_help a:lambda_plain -> at a "non-default argument follows default argument"
  | lambda_plain* a:'(' lambda_param%',' ','? b:')' -> range a b "Lambda expression parameters cannot be parenthesized"
  | a:'/' ',' -> at a "at least one argument must precede /"
  | (lambda_slash_plain | lambda_slash_default) lambda_any* a:'/' -> at a "/ may appear only once"
  | (lambda_slash_plain | lambda_slash_default)? lambda_any* '*' (',' | lambda_plain) lambda_any* a:'/' -> at a "/ must be ahead of *"
  | lambda_any+ '/' a:'*' -> at a "expected comma between / and *"
bad_lambda_help: lambda_slash_default | lambda_default+
bad_lambda_star: '*' (':' | ',' (':' | '**')) -> here "named arguments must follow bare *"
  | '*' lambda_param a:'=' -> at a "var-positional argument cannot have default value"
  | '*' (lambda_plain | ',') lambda_any* a:'*' (lambda_plain | ',') -> at a "* argument may appear only once"
bad_lambda_double_star: '**' lambda_param a:'=' -> at a "var-keyword argument cannot have default value"
  | '**' lambda_param ',' a:lambda_param -> at a "arguments cannot follow var-keyword argument"
  | '**' lambda_param ',' a:('*' | '**' | '/') -> at a "arguments cannot follow var-keyword argument"
bad_with_item: expression 'as' a:expression &(',' | ')' | ':') -> call target
bad_for_target: 'async'? 'for' a:star_expressions -> call forTarget
bad_group: '(' a:starred ')' -> at a "cannot use starred expression here"
  | '(' a:'**' expression ')' -> at a "cannot use double starred expression here"
bad_from_names: from_list ',' NEWLINE -> here "trailing comma not allowed without surrounding parentheses"
bad_with: 'async'? 'with' (expression ('as' star_target)?)%',' NEWLINE -> here "expected ':'"
  | 'async'? 'with' '(' (expressions ('as' star_target)?)%',' ','? ')' NEWLINE -> here "expected ':'"
bad_with_indent: 'async'? a:'with' (expression ('as' star_target)?)%',' ':' NEWLINE !INDENT -> indent "expected an indented block after 'with' statement on line %d"
  | 'async'? a:'with' '(' (expressions ('as' star_target)?)%',' ','? ')' ':' NEWLINE !INDENT -> indent "expected an indented block after 'with' statement on line %d"
bad_try: a:'try' ':' NEWLINE !INDENT -> indent "expected an indented block after 'try' statement on line %d"
  | 'try' ':' block !('except' | 'finally') -> here "expected 'except' or 'finally' block"
  | 'try' ':' block* except+ a:'except' b:'*' expression ('as' NAME)? ':' -> range a b "cannot have both 'except' and 'except*' on the same 'try'"
  | 'try' ':' block* except_star+ a:'except' (expression ('as' NAME)?)? ':' -> at a "cannot have both 'except' and 'except*' on the same 'try'"
bad_except: 'except' '*'? a:expression ',' expressions ('as' NAME)? ':' -> from a "multiple exception types must be parenthesized"
  | 'except' '*'? expression ('as' NAME)? NEWLINE -> here "expected ':'"
  | 'except' NEWLINE -> here "expected ':'"
  | 'except' '*' (NEWLINE | ':') -> here "expected one or more exception types"
bad_finally: a:'finally' ':' NEWLINE !INDENT -> indent "expected an indented block after 'finally' statement on line %d"
bad_except_indent: a:'except' expression ('as' NAME)? ':' NEWLINE !INDENT -> indent "expected an indented block after 'except' statement on line %d"
  | a:'except' ':' NEWLINE !INDENT -> indent "expected an indented block after 'except' statement on line %d"
bad_except_star_indent: a:'except' '*' expression ('as' NAME)? ':' NEWLINE !INDENT -> indent "expected an indented block after 'except*' statement on line %d"
bad_match: "match" subject NEWLINE -> here "expected ':'"
  | a:"match" subject ':' NEWLINE !INDENT -> indent "expected an indented block after 'match' statement on line %d"
bad_case: "case" patterns guard? NEWLINE -> here "expected ':'"
  | a:"case" patterns guard? ':' NEWLINE !INDENT -> indent "expected an indented block after 'case' statement on line %d"
bad_as: or_pattern 'as' a:"_" -> at a "cannot use '_' as a target"
  | or_pattern 'as' !NAME a:expression -> at a "invalid pattern target"
bad_class_pattern: name_or_attr '(' a:bad_class_arguments -> at a "positional patterns follow keyword patterns"
bad_class_arguments: (positionals ',')? keyword_pattern%',' ',' a:positionals -> a
bad_if: 'if' named NEWLINE -> here "expected ':'"
  | a:'if' named ':' NEWLINE !INDENT -> indent "expected an indented block after 'if' statement on line %d"
bad_elif: 'elif' named NEWLINE -> here "expected ':'"
  | a:'elif' named ':' NEWLINE !INDENT -> indent "expected an indented block after 'elif' statement on line %d"
bad_else: a:'else' ':' NEWLINE !INDENT -> indent "expected an indented block after 'else' statement on line %d"
bad_while: 'while' named NEWLINE -> here "expected ':'"
  | a:'while' named ':' NEWLINE !INDENT -> indent "expected an indented block after 'while' statement on line %d"
bad_for: 'async'? 'for' star_targets 'in' star_expressions NEWLINE -> here "expected ':'"
  | 'async'? a:'for' star_targets 'in' star_expressions ':' NEWLINE !INDENT -> indent "expected an indented block after 'for' statement on line %d"
bad_function: 'async'? a:'def' NAME '(' params? ')' ('->' expression)? ':' NEWLINE !INDENT -> indent "expected an indented block after function definition on line %d"
bad_class: 'class' NAME ('(' arguments? ')')? NEWLINE -> here "expected ':'"
  | a:'class' NAME ('(' arguments? ')')? ':' NEWLINE !INDENT -> indent "expected an indented block after class definition on line %d"
bad_pairs: pair%',' ',' bad_pair
  | expression ':' a:'*' bit_or -> from a "cannot use a starred expression in a dictionary value"
  | expression a:':' &('}' | ',') -> at a "expression expected after dictionary key and ':'"
bad_pair: a:expression !':' -> call colon
  | expression ':' a:'*' bit_or -> from a "cannot use a starred expression in a dictionary value"
  | expression a:':' &('}' | ',') -> at a "expression expected after dictionary key and ':'"
`
