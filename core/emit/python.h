/* core/emit/python.h: the tile program as TileLang Python, for who goes on there.
 *
 * What is printed is a module: symbols, one @T.prim_func, and the call of
 * tilelang.compile with the outputs.  Names are the user's, made into Python
 * identifiers; lines of the user's text stand in comments where they change.
 * What TileLang has no word for is printed as near as it comes and counted. */
#ifndef MOONTILE_PYTHON_H
#define MOONTILE_PYTHON_H

#include "core/ir/ir.h"
#include "core/ir/names.h"

/* p: a tile program; fast_math: as it was compiled.  *missing: how many statements or expressions have no
 * spelling; each stands in the text behind "# moontile:".  false: no memory. */
bool prog_python(Prog *p, bool fast_math, Str *out, int *missing);

/* Inside: python.c prints statements, python_op.c operations, python_expr.c names and expressions. */
/* The name of a loop's variable: another loop's behind it may have it too. */
typedef struct LoopName LoopName;
struct LoopName { const char *want, *text; bool busy; };

typedef struct Py Py;
struct Py {
    Prog *p;
    Str *out;
    int indent, missing;
    uint32_t line, last;       /* of the user's text: to be shown (0: none), last shown */
    const char **var, **buf;   /* names by number; NULL: none yet */
    Names names;
    LoopName *loop;
    uint32_t nloop, caploop;
    const Stmt *closed;        /* the end of a group that the call in front of it has said */
};
/* A line at w->indent, with the user's line behind the first one of a statement. */
PRINTF(2, 3) void py_line(Py *w, const char *fmt, ...);
/* What TileLang has no word for. */
void py_missing(Py *w, const char *what);
void py_op(Py *w, const Stmt *s);
void py_atomic(Py *w, const Stmt *s);
/* s with what no identifier has as "_", and a number behind it when it is taken. */
const char *py_fresh(Py *w, const char *s);
const char *py_var(Py *w, uint32_t v);
/* The same of a loop's variable, until py_loop_end(). */
const char *py_loop_var(Py *w, uint32_t v);
void py_loop_end(Py *w, uint32_t v);
const char *py_buf(Py *w, uint32_t b);
const char *py_ex(Py *w, Ex e);              /* in the Prog's arena; unwinds */
const char *py_list(Py *w, const Ex *e, int n, const char *last); /* "(a, b)"; "(a,)" with one and last "," */
const char *py_element(Py *w, uint32_t buf, const Ex *idx); /* "A[i, j]", a T.alloc_var's name */
const char *py_region(Py *w, const Region *r);
const char *py_quoted(Py *w, const char *s);
const char *py_dtype(enum Dtype dt);         /* "float16" */

#endif
