/* lua/pyreader/python_p.h: what the files of the reader of Python share.
 *
 *     python_lex.c     text -> tokens, with lines, indentation and f-strings
 *     python_number.c  numerals
 *     python_string.c  string literals: their values, the parts of f-strings
 *     python_expr.c    expressions
 *     python_call.c    arguments, parameters, comprehensions
 *     python_stmt.c    simple statements, targets
 *     python_block.c   compound statements
 *     python_wrong.c   what is said where the text is not valid
 *     python_habit.c   words of Lua, C and Python 2: what is meant by them
 *     python_parse.c   the entry; nodes
 *     python_looks.c   is a text Python at all?
 *     python_dump.c    the tree as text
 *
 * All tokens are read before parsing starts.  What cannot be read becomes one last token PTerr, which is
 * reported when the parser gets there, so that errors come in the order of the text. */
#ifndef MOONTILE_PYTHON_P_H
#define MOONTILE_PYTHON_P_H

#include "ast.h"

/* Tokens ------------------------------------------------------------------------ */

#define PY_KEYWORDS(K) \
    K(False) K(None) K(True) K(and) K(as) K(assert) K(async) K(await) K(break) K(class) K(continue) K(def) \
    K(del) K(elif) K(else) K(except) K(finally) K(for) K(from) K(global) K(if) K(import) K(in) K(is) \
    K(lambda) K(nonlocal) K(not) K(or) K(pass) K(raise) K(return) K(try) K(while) K(with) K(yield)

/* Longer ones first: the lexer takes the first that fits.  The compound assignments stand in the order of
 * the operators of PY_OPERATORS from Add on. */
#define PY_PUNCTUATION(P) \
    P(dots, "...") P(poweq, "**=") P(idiveq, "//=") P(shleq, "<<=") P(shreq, ">>=") \
    P(arrow, "->") P(walrus, ":=") P(eq, "==") P(ne, "!=") P(le, "<=") P(ge, ">=") P(shl, "<<") P(shr, ">>") \
    P(pow, "**") P(idiv, "//") P(addeq, "+=") P(subeq, "-=") P(muleq, "*=") P(diveq, "/=") P(modeq, "%=") \
    P(andeq, "&=") P(oreq, "|=") P(xoreq, "^=") P(mateq, "@=") \
    P(add, "+") P(sub, "-") P(mul, "*") P(div, "/") P(mod, "%") P(at, "@") P(band, "&") P(bor, "|") \
    P(bxor, "^") P(bnot, "~") P(lt, "<") P(gt, ">") P(assign, "=") P(lparen, "(") P(rparen, ")") \
    P(lbracket, "[") P(rbracket, "]") P(lbrace, "{") P(rbrace, "}") P(comma, ",") P(colon, ":") \
    P(dot, ".") P(semi, ";") P(bang, "!")

enum PyTk {
    PTeof, PTerr, PTnewline, PTindent, PTdedent, PTname, PTnumber, PTstring,
    PTfstart, PTfmiddle, PTfend, /* f", the text between fields, the closing quotes */
#define K(id) PT##id,
    PY_KEYWORDS(K)
#undef K
#define P(id, text) PT##id,
    PY_PUNCTUATION(P)
#undef P
    NPyTk
};

typedef struct PyTok {
    uint32_t at, end;    /* src[at..end) */
    uint32_t line, last; /* of its first byte, of its last */
    uint8_t kind;        /* enum PyTk */
} PyTok;

/* What is open: a bracket, 'f' an f-string, '$' a field of one. */
typedef struct PyOpen {
    uint32_t at, line;
    uint32_t width;      /* 'f': bytes of prefix and quotes */
    char kind;
    char quote;          /* 'f' */
    bool triple, raw;    /* 'f' */
    bool spec;           /* '$': in its format */
} PyOpen;

typedef struct PyReader {
    Ctx *c;
    PyInfo *info;
    PyTree *tree;
    const char *src;
    uint32_t n;
    PyTok *tok;    uint32_t ntok, captok;
    PyOpen *open;  uint32_t nopen, capopen; /* at the end: what was never closed */
    uint32_t capcomment;
    uint32_t at;   /* the current token */
    int deep;      /* of the recursion */
    uint32_t listed; /* token: an entry of a display or call ends here, which a comma could follow */
    /* the error that the token PTerr stands for */
    Err lexerr;
    uint32_t lexat;
    const char *lexarg[4];
    bool lexmore;  /* more text could cure it */
} PyReader;

typedef struct PyList { PyNode *first, *last; } PyList;

/* python_lex.c */
extern const char *const py_word[NPyTk];
void py_lex(PyReader *p);
bool py_isword(char c); /* of a name: a letter, a digit, _ or part of a character beyond ASCII */

/* python_number.c: s points to a numeral in a text that ends at e.  Behind it; NULL: it is wrong, then
 * *err and arg are set and *end is where the wrong word ends. */
const char *py_numeral(Ctx *c, const char *s, const char *e, Err *err, const char *arg[2], const char **end);
/* The constant of the token at hand; with minus that of `-` and it, which begins at the token before. */
PyNode *py_number(PyReader *p, bool minus);
bool py_lowest(const PyReader *p, uint32_t tok); /* 2^63, which only fits behind a `-` */

/* python_string.c: the adjacent string literals at hand, as one. */
PyNode *py_strings(PyReader *p);

/* python_expr.c */
PyNode *py_expr(PyReader *p);          /* a if c else b; lambda */
PyNode *py_named(PyReader *p);         /* also x := a */
PyNode *py_or(PyReader *p);            /* operators only */
PyNode *py_exprs(PyReader *p);         /* a, *b: a tuple where there is a comma */
PyNode *py_value(PyReader *p);         /* also yield */
PyNode *py_target_part(PyReader *p);   /* *a, or operators down to `|`: what can stand before `in` */
bool py_starts_expr(enum PyTk k);
void py_deeper(PyReader *p);
static inline void py_shallower(PyReader *p) { p->deep--; }

/* python_call.c */
PyNode *py_arguments(PyReader *p, bool call); /* at `(`, to behind `)`; call: of one, not of a class */
PyNode *py_parameters(PyReader *p, enum PyTk closer); /* up to the `)` or `:` */
PyNode *py_comprehensions(PyReader *p); /* at `for` */
bool py_at_comprehension(const PyReader *p);

/* python_stmt.c */
void py_simple_line(PyReader *p, PyList *into); /* a; b and the end of the line */
enum PyWhy { PWassign, PWdelete, PWfor, PWwith, PWaug, PWnamed, PWcomp };
void py_check_target(PyReader *p, PyNode *n, enum PyWhy why);
PyNode *py_targets(PyReader *p, enum PyWhy why); /* for TARGETS in */
const char *py_what(const PyNode *n); /* "a function call", as CPython calls it */

/* python_block.c */
PyNode *py_module(PyReader *p);

/* python_wrong.c: positions are bytes, tok is a number of a token. */
NORETURN void py_fail(PyReader *p, Err e, uint32_t at, const char *a, const char *b, const char *c, const char *d);
const char *py_quote(PyReader *p, uint32_t at, uint32_t end);
const char *py_quote_tok(PyReader *p, uint32_t tok);
char *py_text(PyReader *p, uint32_t tok);
uint32_t py_behind(const PyReader *p); /* the end of the token before the current one */
/* Each looks first for what explains more than that: a bracket that is open, a habit. */
NORETURN void py_fail_here(PyReader *p, Err e, const char *a, const char *b, const char *c, const char *d);
NORETURN void py_expected(PyReader *p, enum PyTk what);
NORETURN void py_no_expr(PyReader *p);
NORETURN void py_no_statement(PyReader *p);
NORETURN void py_no_name(PyReader *p);
NORETURN void py_no_end(PyReader *p);      /* of a statement */
NORETURN void py_no_closer(PyReader *p, uint32_t opener); /* , or ) */
NORETURN void py_no_colon(PyReader *p, uint32_t opener);
NORETURN void py_no_block(PyReader *p, uint32_t opener, const char *what);
bool py_ends_blank(const PyReader *p, int lines); /* as many empty lines, or lines of blanks, at the end */
NORETURN void py_unsupported(PyReader *p, uint32_t tok, const char *what, const char *help);
void py_error_token(PyReader *p); /* raises what the token at hand stands for, if it is PTerr */

/* python_habit.c: raises a better message than the one that is due at the current token, or returns. */
void py_habits(PyReader *p);
const char *py_habit_char(const char *s, const char *e, size_t *n); /* of characters: what to write instead */

/* python_parse.c */
PyNode *py_node(PyReader *p, enum PyKind k, uint32_t tok); /* begins at that token */
PyNode *py_done(PyReader *p, PyNode *n);                   /* ends before the current one */
void py_append(PyList *l, PyNode *n);
char *py_copy(PyReader *p, uint32_t at, uint32_t end);

static inline enum PyTk py_kind(const PyReader *p, uint32_t tok)
{
    return tok < p->ntok ? (enum PyTk)p->tok[tok].kind : PTeof;
}

static inline enum PyTk py_cur(const PyReader *p) { return (enum PyTk)p->tok[p->at].kind; }

static inline enum PyTk py_peek(const PyReader *p, uint32_t k) { return py_kind(p, p->at + k); }

static inline void py_next(PyReader *p)
{
    if (p->at + 1 < p->ntok)
        p->at++;
}

static inline bool py_take(PyReader *p, enum PyTk k)
{
    if (py_cur(p) != k)
        return false;
    py_next(p);
    return true;
}

static inline void py_want(PyReader *p, enum PyTk k)
{
    if (!py_take(p, k))
        py_expected(p, k);
}

#endif
