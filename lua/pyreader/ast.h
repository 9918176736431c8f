/* lua/pyreader/ast.h: a Python text as a tree.
 *
 * Nodes and their fields are those of CPython's module ast; where it has objects between (arguments,
 * comprehension targets with operators) the table below says what stands there.  A node has up to four fields,
 * a b c d, each a node or a list of nodes (linked by `next`), and a text.  All of it lives in the Ctx's arena. */
#ifndef MOONTILE_PYTHON_AST_H
#define MOONTILE_PYTHON_AST_H

#include "core/base/base.h"

/* N(kind, a, b, c, d, text): the names of the fields; one that ends in * is a list; "" is none. */
#define PY_STATEMENTS(N) \
    N(Module,       "body*",    "",            "",          "",           "") \
    N(FunctionDef,  "args*",    "body*",       "decorators*", "returns",  "name") \
    N(ClassDef,     "bases*",   "body*",       "decorators*", "",         "name") /* bases: Keyword too */ \
    N(Return,       "value",    "",            "",          "",           "") \
    N(Delete,       "targets*", "",            "",          "",           "") \
    N(Assign,       "targets*", "value",       "",          "",           "") /* a = b = value: two targets */ \
    N(AugAssign,    "target",   "value",       "",          "",           "") /* op */ \
    N(AnnAssign,    "target",   "annotation",  "value",     "",           "") \
    N(For,          "target",   "iter",        "body*",     "orelse*",    "") \
    N(While,        "test",     "body*",       "orelse*",   "",           "") \
    N(If,           "test",     "body*",       "orelse*",   "",           "") /* elif: an If alone in orelse, op 1 */ \
    N(With,         "items*",   "body*",       "",          "",           "") \
    N(WithItem,     "context",  "target",      "",          "",           "") \
    N(Raise,        "exc",      "cause",       "",          "",           "") \
    N(Try,          "body*",    "handlers*",   "orelse*",   "finalbody*", "") \
    N(ExceptHandler,"type",     "body*",       "",          "",           "name") \
    N(Assert,       "test",     "msg",         "",          "",           "") \
    N(Import,       "names*",   "",            "",          "",           "") \
    N(ImportFrom,   "names*",   "",            "",          "",           "module") /* op: number of dots */ \
    N(Alias,        "",         "",            "",          "",           "name") /* "a.b" or "*"; asname in text2 */ \
    N(Global,       "names*",   "",            "",          "",           "") /* of Name */ \
    N(Nonlocal,     "names*",   "",            "",          "",           "") \
    N(Expr,         "value",    "",            "",          "",           "") \
    N(Pass,         "",         "",            "",          "",           "") \
    N(Break,        "",         "",            "",          "",           "") \
    N(Continue,     "",         "",            "",          "",           "")

#define PY_EXPRESSIONS(N) \
    N(BoolOp,       "values*",  "",            "",          "",           "") /* op */ \
    N(NamedExpr,    "target",   "value",       "",          "",           "") \
    N(BinOp,        "left",     "right",       "",          "",           "") /* op */ \
    N(UnaryOp,      "operand",  "",            "",          "",           "") /* op */ \
    N(Lambda,       "args*",    "body",        "",          "",           "") \
    N(IfExp,        "test",     "body",        "orelse",    "",           "") \
    N(Dict,         "items*",   "",            "",          "",           "") \
    N(DictItem,     "key",      "value",       "",          "",           "") /* no key: **value */ \
    N(Set,          "elts*",    "",            "",          "",           "") \
    N(ListComp,     "elt",      "generators*", "",          "",           "") \
    N(SetComp,      "elt",      "generators*", "",          "",           "") \
    N(GeneratorExp, "elt",      "generators*", "",          "",           "") \
    N(DictComp,     "key",      "value",       "generators*", "",         "") \
    N(Comprehension,"target",   "iter",        "ifs*",      "",           "") \
    N(Yield,        "value",    "",            "",          "",           "") \
    N(YieldFrom,    "value",    "",            "",          "",           "") \
    N(Compare,      "left",     "rest*",       "",          "",           "") \
    N(Comparison,   "right",    "",            "",          "",           "") /* op */ \
    N(Call,         "func",     "args*",       "",          "",           "") /* Starred, Keyword too, as written */ \
    N(Keyword,      "value",    "",            "",          "",           "name") /* no name: **value */ \
    N(FormattedValue,"value",   "spec",        "",          "",           "") /* op: 'r' 's' 'a', 0; spec: JoinedStr */ \
    N(JoinedStr,    "values*",  "",            "",          "",           "") /* Constant strings, FormattedValue */ \
    N(Constant,     "",         "",            "",          "",           "value") /* op: enum PyConst */ \
    N(Attribute,    "value",    "",            "",          "",           "name") \
    N(Subscript,    "value",    "index",       "",          "",           "") \
    N(Starred,      "value",    "",            "",          "",           "") \
    N(Name,         "",         "",            "",          "",           "name") \
    N(List,         "elts*",    "",            "",          "",           "") \
    N(Tuple,        "elts*",    "",            "",          "",           "") \
    N(Slice,        "lower",    "upper",       "step",      "",           "") \
    N(Arg,          "annotation", "default",   "",          "",           "name") /* op: enum PyArg */

enum PyKind {
    PYnone,
#define N(kind, a, b, c, d, text) PY##kind,
    PY_STATEMENTS(N)
    PY_EXPRESSIONS(N)
#undef N
    NPyKind
};

/* Operators: BoolOp, BinOp and AugAssign, UnaryOp, Comparison. */
#define PY_OPERATORS(O) \
    O(And, "and") O(Or, "or") \
    O(Add, "+") O(Sub, "-") O(Mult, "*") O(MatMult, "@") O(Div, "/") O(Mod, "%") O(Pow, "**") O(LShift, "<<") \
    O(RShift, ">>") O(BitOr, "|") O(BitXor, "^") O(BitAnd, "&") O(FloorDiv, "//") \
    O(Invert, "~") O(Not, "not") O(UAdd, "+") O(USub, "-") \
    O(Eq, "==") O(NotEq, "!=") O(Lt, "<") O(LtE, "<=") O(Gt, ">") O(GtE, ">=") O(Is, "is") O(IsNot, "is not") \
    O(In, "in") O(NotIn, "not in")

enum PyOp {
    POnone,
#define O(id, text) PO##id,
    PY_OPERATORS(O)
#undef O
    NPyOp
};

enum PyConst { PCnone, PCtrue, PCfalse, PCellipsis, PCint, PCfloat, PCstr, PCbytes };
/* The order in which arguments may stand is the order here. */
enum PyArg { PAposonly, PApos, PAvararg, PAkwonly, PAkwarg };

typedef struct PyNode PyNode;
struct PyNode {
    uint8_t kind;        /* enum PyKind */
    uint8_t op;
    bool parens;         /* stands in parentheses of its own */
    uint32_t at, end;    /* src[at..end), as CPython has it: without parentheses of its own, but those of a tuple or
                          * generator; of a definition without its decorators */
    uint32_t line, last; /* of its first byte and of its last */
    uint32_t ntext;      /* of Constant: bytes of text */
    PyNode *next;        /* in the list where it stands */
    PyNode *a, *b, *c, *d;
    const char *text;    /* NUL-terminated; of strings and bytes, which may have NULs inside, the value, in UTF-8;
                          * of other constants as they are written; names as they are, not normalized */
    union {
        const char *text2; /* Alias */
        int64_t i;       /* PCint; -9223372036854775808 is one Constant, which includes the sign */
        double f;        /* PCfloat */
    };
    void *note;          /* of whoever works on the tree */
};

typedef struct PyComment { uint32_t at, end, line; bool alone; /* on its line */ } PyComment;

typedef struct PyTree PyTree;
struct PyTree {
    const char *src;
    uint32_t n;
    uint16_t file;
    PyNode *module;
    PyComment *comment; uint32_t ncomment;
};

typedef struct PyInfo { /* what a prompt asks */
    bool incomplete;    /* the text ends too early: more of it could be right.  Also set with a tree, where the last
                         * statement is one with a block and its last line is not blank: what follows may belong to it.
                         * A prompt that joins its lines by \n reads on until an empty one. */
    bool value;         /* asked for: the program gives the value of its last statement, if that is an expression,
                         * and says so in the next field */
    bool expression;
} PyInfo;

/* Reads src[0..n), 0-terminated or not.  chunk is the name as Lua has it ("@file.py").  NULL: exactly one error
 * was added to c.  Never unwinds.  The tree and its texts live in c's arena; src must live as long.  Brackets and
 * blocks are nested in 500 levels at most, the tree is 1000 levels deep, so that who walks it may recurse. */
PyTree *py_parse(Ctx *c, const char *src, size_t n, const char *chunk, PyInfo *info);
/* The place of a byte, with the column counted in bytes, as everywhere in moontile, which the carets below a line
 * are placed by.  Costs a scan of the text up to there; nodes know their lines. */
Loc py_loc(const PyTree *t, uint32_t at);
/* Is the text Python rather than Lua of the dialect? */
enum PyLooks { PyNo, PyMaybe, PyYes };
enum PyLooks py_looks(const char *src, size_t n);
/* The tree as text, one node a line, for tests: "  field Kind op text @at-end". */
void py_dump(const PyTree *t, Str *out);

#endif
