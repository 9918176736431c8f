/* lua/pyreader/print.h: a Python tree as Lua text of the same lines.  What the parts share.
 *
 *     print.c         the entry, lines, names
 *     print_expr.c    expressions
 *     print_stmt.c    statements
 *     print_flow.c    branches, loops, with, try; of kernels too
 *     print_func.c    functions, lambdas, classes, comprehensions
 *
 * What the text calls is in moontile.python (`__py`), for kernels also `__stage`. */
#ifndef MOONTILE_PYTHON_PRINT_H
#define MOONTILE_PYTHON_PRINT_H

#include "scope.h"

/* A loop around the statement at hand. */
typedef struct PyLoop PyLoop;
struct PyLoop {
    PyLoop *up;
    uint32_t id;            /* of its labels */
    uint32_t slot;          /* kernels: of its depth */
    uint32_t tries;         /* how many functions of `try` were around it */
    bool breaks, continues; /* labels that are used */
};

/* The function that is printed. */
typedef struct PyFn PyFn;
struct PyFn {
    PyFn *up;
    PyScope *scope;
    bool staged;            /* a kernel's or macro's statements */
    bool symbolic;          /* conditions in expressions may be: staged, and what stands inside */
    uint32_t level;         /* the N of __stN, __sigN */
    uint32_t nslot, nlabel;
    uint32_t block, nblock; /* the block at hand, blocks begun: 0 is the body */
    uint32_t *parent, capparent; /* of blocks */
    PyLoop *loop;
    uint32_t tries;         /* functions of `try` around the statement at hand */
    bool *has;              /* variables that surely have a value here, by index */
    bool ended;             /* nothing behind the statement before is reached */
};

typedef struct PyPrint {
    Ctx *c;
    const PyTree *t;
    Str *out;
    uint32_t line; /* of the text so far */
    PyScope *scope;
    PyFn *fn;
    uint32_t ntemp; /* names of temporaries given out */
    bool looping;   /* the targets of a `for` are being printed */
    uint32_t part;  /* parts of expressions around the one at hand that are evaluated only now and then */
    uint32_t depth; /* of the expression at hand */
    const PyNode *value; /* the expression that the program gives; NULL: none */
} PyPrint;

/* print.c */
PRINTF(2, 3) void pp(PyPrint *p, const char *fmt, ...);
void pp_line(PyPrint *p, const PyNode *n); /* to the line of n, if that is still to come */
void pp_string(PyPrint *p, const char *s, size_t n); /* as a literal of Lua's, without a line end */
NORETURN void pp_fail(PyPrint *p, Err e, const PyNode *n, const char *a, const char *b);
uint32_t pp_temp(PyPrint *p);

/* print_expr.c */
void pp_expr(PyPrint *p, const PyNode *n);
void pp_list(PyPrint *p, const PyNode *list); /* a, b, c */
void pp_set(PyPrint *p, const PyNode *n, bool iterated); /* iterated: by a `for` */
void pp_read(PyPrint *p, const PyNode *name);
/* The keys of an index, behind a comma each; are there several? */
bool pp_index(PyPrint *p, const PyNode *index);
uint32_t pp_index_count(const PyNode *index); /* how many it prints */

/* print_stmt.c */
void pp_block(PyPrint *p, const PyNode *list);
void pp_statements(PyPrint *p, const PyNode *list, const PyNode *until); /* until NULL: to the end */
/* Gives the target the value that `value` prints or, NULL, the Lua text. */
void pp_assign(PyPrint *p, const PyNode *target, const PyNode *value, const char *text);
void pp_name_set(PyPrint *p, const char *name, const PyNode *value, const char *text);
void pp_name_give(PyPrint *p, const char *verb, const char *name, const PyNode *value, const char *text);

/* print_flow.c */
void pp_if(PyPrint *p, const PyNode *n);
void pp_while(PyPrint *p, const PyNode *n);
void pp_iterated(PyPrint *p, const PyNode *e); /* what a `for` or a comprehension goes over */
void pp_for(PyPrint *p, const PyNode *n);
void pp_with(PyPrint *p, const PyNode *n);
void pp_try(PyPrint *p, const PyNode *n);
void pp_jump(PyPrint *p, const PyNode *n);
void pp_return(PyPrint *p, const PyNode *n);

/* print_func.c */
void pp_def(PyPrint *p, const PyNode *n);
void pp_lambda(PyPrint *p, const PyNode *n);
void pp_class(PyPrint *p, const PyNode *n);
const char *pp_attr_name(PyPrint *p, const char *name);
void pp_comprehension(PyPrint *p, const PyNode *n);

/* The same by a name for each: P.add */
const char *pp_operator(enum PyOp op);

#endif
