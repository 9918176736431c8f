/* lua/pyreader/convert.h: a Python text as a learner would write it in the dialect.  What the parts share.
 *
 *     convert.c         the entry, lines, comments, ends of blocks, what is not converted
 *     convert_local.c   where variables are declared
 *     convert_kind.c    what values are: a list counts from 1, a tensor from 0
 *     convert_name.c    modules, and the names of libraries that have a counterpart
 *     convert_text.c    strings, numbers, f-strings
 *     convert_expr.c    operators, choices
 *     convert_index.c   lists, indices
 *     convert_call.c    calls
 *     convert_stmt.c    simple statements
 *     convert_flow.c    branches and loops
 *     convert_func.c    functions
 *
 * Line n of the Python text becomes line n of the Lua text; blank lines take the `end`s of blocks.  A statement is
 * printed as a trial: if something in it has no counterpart, `why` says what, and the statement is taken back
 * and stays as a comment. */
#ifndef MOONTILE_PYTHON_CONVERT_H
#define MOONTILE_PYTHON_CONVERT_H

#include "scope.h"
#include "err/python_convert.h"

/* How tightly what was printed holds together in Lua. */
enum CvPrec {
    CVor = 1, CVand, CVcompare, CVbor, CVxor, CVband, CVshift, CVconcat, CVadd, CVmul, CVunary, CVpow,
    CVvalue, /* a literal: not to be called or indexed without parentheses */
    CVatom,
};

enum CvKind {
    CKunknown, CKint, CKfloat, CKnumber, CKbool, CKstr, CKnone,
    CKlist,   /* a table from 1: lists, tuples, shapes */
    CKdict, CKtensor, CKbuffer, CKobject, CKfunc,
    CKsymbol, /* an expression of a kernel */
};

/* Statements that follow one another. */
typedef struct CvBlock CvBlock;
struct CvBlock {
    CvBlock *up;
    const PyNode *stmt; /* where it stands in up */
    const PyScope *scope;
    const PyNode *targets; /* of the loop: its variables live here only */
    bool loop;
};

/* What a variable is given somewhere. */
enum CvHow { CSvalue, CSitem, CSpart, CSparam, CSdef, CSother };
typedef struct CvSource CvSource;
struct CvSource {
    CvSource *next;
    enum CvHow how;
    const PyNode *node; /* the value, the iterable, the tuple's value, the Arg, the FunctionDef */
    const PyNode *arg;  /* CSparam: a call's argument */
    uint32_t part;
    PyScope *scope;     /* where node stands */
};

/* A place that speaks of a variable. */
typedef struct CvRef {
    CvBlock *block;
    const PyNode *stmt;
    bool plain;    /* gives it a value, unconditionally */
    bool elsewhere; /* in a function inside, which runs who knows when */
} CvRef;

/* A declaration: by the statement, or in front of it. */
typedef struct CvDecl CvDecl;
struct CvDecl {
    CvDecl *next;
    const PyNode *stmt;
    bool early;
};

typedef struct CvVar CvVar;
struct CvVar {
    CvVar *next, *chain;    /* of all; of its bucket */
    const PyVar *v;
    const char *lua;
    CvRef *ref;
    uint32_t nref, capref;
    CvDecl *decl;
    bool global;            /* of Lua: a function speaks of it before it is declared */
    bool lost;              /* what gives it a value was not converted */
    uint32_t loopend;       /* of the last loop that has it as its variable */
    const PyNode *behind;   /* where it is read behind such a loop */
    CvSource *source, **tail;
    enum CvKind kind;
    uint8_t known;          /* of kind: 0 not asked, 1 being asked, 2 yes */
    const char *path;       /* a module's or a library's name: "torch.nn" */
};

/* A block whose `end` is still to come. */
typedef struct CvOpen CvOpen;
struct CvOpen {
    CvOpen *up;
    const PyNode *node;
    uint32_t col, indent; /* of its first statement: in Python, in Lua */
};

typedef struct CvWhy { Err err; uint32_t at; const char *a, *b; } CvWhy;

typedef struct Cv {
    Ctx *c;
    const PyTree *t;
    Str *out;
    uint32_t *at;        /* of each line's begin; from 1 */
    uint32_t nline;
    uint32_t line;       /* of the text so far */
    uint32_t done;       /* the last line of Python that is printed */
    uint32_t ncomment;   /* comments behind us */
    bool fresh;          /* nothing on this line yet */
    bool commented;      /* this line ends in a comment */
    uint32_t indent;     /* of the statement, in Lua */
    uint32_t col;        /* of the statement, in Python */
    CvOpen *open;
    PyScope *scope;
    bool traced;         /* in the statements of a kernel */
    CvVar *var, **vartail;
    CvVar *var_at[1024];    /* by their PyVar */
    CvBlock *block;      /* convert_local.c */
    PyScope *around;     /* where the value stands that is given; NULL: in the scope at hand */
    struct CvCallSite { const PyNode *call; PyScope *scope; } *site; /* calls of names */
    uint32_t nsite, capsite;
    const PyNode *stmt;
    CvWhy why;           /* err 0: all is well */
    bool first;          /* the statement is its block's first */
    bool element;        /* the expression at hand is an element of a tensor, or some of them */
    bool spread;         /* the call at hand may give several values */
    uint32_t nleft;      /* statements that are not converted */
    uint32_t depth;
} Cv;

/* convert.c */
PRINTF(2, 3) void cv(Cv *p, const char *fmt, ...);
void cv_move(Cv *p, uint32_t line); /* to that line, with the comments before it */
/* There is no way to say n. */
void cv_cannot(Cv *p, Err e, const PyNode *n, const char *a, const char *b);
const char *cv_source(Cv *p, const PyNode *n); /* its text, on one line */
typedef struct CvMark { size_t n; uint32_t line, ncomment; bool fresh, commented; } CvMark;
CvMark cv_mark(const Cv *p);
void cv_back(Cv *p, CvMark m);
void cv_left(Cv *p, const PyNode *n); /* takes p->why: n stays as a comment */
void cv_begin(Cv *p, const PyNode *n, uint32_t line); /* a statement begins */
void cv_open(Cv *p, CvOpen *o, const PyNode *n, const PyNode *body);
void cv_close(Cv *p, const char *text); /* "end", "end)" */

/* convert_local.c */
void cv_locals(Cv *p);
CvVar *cv_find(Cv *p, PyScope *s, const char *name);
/* Is it the statement n that declares v, by giving it its first value? */
bool cv_new_here(const CvVar *v, const PyNode *n);
/* Is it a variable of the kernel's (T.alloc_var), to which `v = 0` stores? */
bool cv_is_stored_to(Cv *p, const CvVar *v);
bool cv_is_main(const PyNode *n); /* if __name__ == "__main__" */

/* convert_kind.c */
enum CvKind cv_kind(Cv *p, const PyNode *n);
/* The value of a name that is given one only once; NULL. */
const PyNode *cv_only_value(Cv *p, const PyNode *name);
/* A tensor of one element in PyTorch that is a number in moontile: x[i], x.sum(). */
bool cv_is_element(Cv *p, const PyNode *n);
/* The function that the name always means; NULL. */
const PyNode *cv_function(Cv *p, const PyNode *name);

/* convert_name.c */
typedef struct CvLib CvLib;
struct CvLib {
    const char *path, *lua;
    const char *takes; /* see convert_name.c */
    enum CvKind kind;
};
/* "torch.nn.relu" of a name or attribute; NULL: it is no library's. */
const char *cv_path(Cv *p, const PyNode *n);
const CvLib *cv_lib(const char *path);
const CvLib *cv_method(const char *name, enum CvKind of);
/* The name in Lua of what has a path: "T.gemm"; NULL: none. */
const char *cv_lua_path(Cv *p, const char *path);
bool cv_known_module(const char *path);
const char *cv_lua_name(Cv *p, const char *name);

/* convert_text.c */
void cv_string(Cv *p, const PyNode *n);
void cv_bytes(Cv *p, const char *s, size_t n, char quote, bool format);
/* A value's place in string.format's text, by Python's spec or NULL; true: the value is to be times 100. */
bool cv_format(Cv *p, const PyNode *spec, const PyNode *n);
enum CvPrec cv_fstring(Cv *p, const PyNode *n);
enum CvPrec cv_number(Cv *p, const PyNode *n);
bool cv_is_name(const char *s, size_t n); /* a name of Lua's, no keyword */

/* convert_expr.c */
void cv_expr(Cv *p, const PyNode *n, enum CvPrec least);
void cv_list(Cv *p, const PyNode *list);
void cv_condition(Cv *p, const PyNode *n, enum CvPrec least);
void cv_name(Cv *p, const PyNode *n);
bool cv_truthy(Cv *p, const PyNode *n); /* neither nil nor false, for sure */

bool cv_pure(Cv *p, const PyNode *n); /* evaluated twice it is still the same */
bool cv_is_int(const PyNode *n, int64_t *k); /* a literal, with its sign */

/* convert_index.c */
enum CvPrec cv_repeated(Cv *p, const PyNode *n); /* [x] * n */
enum CvPrec cv_joined(Cv *p, const PyNode *n);   /* a + b of lists */
enum CvPrec cv_subscript(Cv *p, const PyNode *n);
enum CvPrec cv_dict(Cv *p, const PyNode *n);
void cv_table(Cv *p, const PyNode *list, uint32_t last);
void cv_plus(Cv *p, const PyNode *n, int64_t k, enum CvPrec least); /* n + k, folded */

/* convert_call.c */
enum CvPrec cv_call(Cv *p, const PyNode *n);
void cv_options(Cv *p, const PyNode *list); /* {a = 1, b = 2} of the keywords in the list */
/* A call whose results may be several values in Lua, for all that the text tells. */
bool cv_several(Cv *p, const PyNode *n);
/* A function of the text that returns a tuple: several values in Lua. */
bool cv_gives_tuple(Cv *p, const PyNode *call);

/* convert_stmt.c */
void cv_block(Cv *p, const PyNode *list);
void cv_lose(Cv *p, const PyNode *n); /* what n would have given a value has none */

/* convert_flow.c */
void cv_if(Cv *p, const PyNode *n);
void cv_while(Cv *p, const PyNode *n);
void cv_for(Cv *p, const PyNode *n);
void cv_with(Cv *p, const PyNode *n);
/* `for .. do` of a loop over the iterable; how many `end`s close it. */
uint32_t cv_loop_head(Cv *p, const PyNode *target, const PyNode *iter, bool traced);

/* convert_func.c */
bool cv_is_type(Cv *p, const PyNode *ann); /* else it cannot be converted */
void cv_def(Cv *p, const PyNode *n);
enum CvPrec cv_lambda(Cv *p, const PyNode *n);
enum CvPrec cv_comprehension(Cv *p, const PyNode *n);
void cv_product(Cv *p, const PyNode *call); /* list(itertools.product(..)) */
/* x = [..]: the loop that fills it. */
void cv_comprehension_into(Cv *p, const PyNode *n, const char *name);
uint32_t cv_def_line(const PyNode *n); /* of its first decorator */

#endif
