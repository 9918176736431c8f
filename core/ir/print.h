/* core/ir/print.h: inside the writer of IR text: print.c, print_expr.c,
 * print_handover.c and print_plan.c. */
#ifndef MOONTILE_PRINT_H
#define MOONTILE_PRINT_H

#include "ir.h"

enum {
    SortTerms = 64,   /* sums longer than this are printed as they stand */
    NameBuckets = 256
};

/* A name as it is printed: base, or base.n where n > 1. */
typedef struct PrintName PrintName;
struct PrintName {
    const char *base;
    uint32_t n;
    uint32_t bucket;
    PrintName *below; /* in the bucket while in scope */
};

/* How strongly the place of an expression binds: see pr_expr. */
enum { BindAdd = 8, BindMul = 9, BindUnary = 10 };

#define CUT UINT32_MAX

typedef struct Pr Pr;
struct Pr {
    const Prog *p;
    Str *out;
    int indent;
    int nodes, depth;       /* left, in a message; -1 without limit */
    PrintName *var, *buf;   /* NULL in a message: plain names */
    PrintName *bucket[NameBuckets];
    PrintName **scope;      /* declared, in order */
    uint32_t nscope;
    uint32_t *order;        /* of variables, then buffers: place in the text */
    uint64_t *key;          /* of an expression: equal text, equal key */
    uint32_t *inner;        /* of an expression: its innermost variable */
    uint32_t *def;          /* of an expression: 0, CUT or its number */
    uint32_t ndef;
    bool cuts, views;       /* are there any? */
    uint32_t *seen, epoch;  /* of an expression: by which walk */
    Ex *todo;               /* room for two handles each */
    uint8_t *used;          /* of variables, then buffers: does the text name it? */
    uint8_t *allocated;     /* of a buffer: has it an alloc statement? */
    uint32_t places;
    uint16_t *file;         /* of ctx.file: number in the text */
    uint16_t nfile;
    bool plans;             /* between two passes: with what they hand over */
    const struct LaunchPlan *plan; /* of the launch around */
    uint32_t *pend, npend;  /* buffers whose plans speak of names that are still to come */
    uint32_t *nth;          /* of a shared buffer: its number by age, or 0 */
};

/* A term of an integer sum; atom 0 is the constant. */
typedef struct PrintTerm PrintTerm;
struct PrintTerm { Ex atom; int64_t coef; };

/* print_expr.c */
void pr_quoted(Str *out, const char *s, char quote);
void pr_name(Str *out, const char *s);       /* quoted where it must be */
void pr_var(Pr *w, uint32_t v);
void pr_buf(Pr *w, uint32_t b);
/* e where an operator binds with strength `bind` (0: anything goes); bare: a
 * constant may leave out its type. */
void pr_expr(Pr *w, Ex e, int bind, bool bare);
void pr_exprs(Pr *w, const Ex *e, int n);    /* with commas */
void pr_element(Pr *w, uint32_t buf, const Ex *idx, int n);
/* The terms of an integer sum or product, the constant last; 0 if it is none
 * or too long. */
int pr_terms(const Pr *w, Ex e, PrintTerm t[SortTerms]);
bool pr_isint(const Expr *x);

/* print_plan.c: before the first line: which names and files occur, where;
 * which parts of expressions need names; how to order what has no order. */
void pr_plan(Pr *w);
bool pr_headvar(const Pr *w, uint32_t v); /* does it stand in the head? */
bool pr_headbuf(const Pr *w, uint32_t b);
uint32_t pr_root(const Prog *p, uint32_t b); /* buf_root, of a broken program too */

/* print_handover.c: lines of plans in front of statement s; at the beginning of its block; behind
 * it, of what it has declared. */
void pr_handover_before(Pr *w, const Stmt *s);
void pr_handover_inside(Pr *w, const Stmt *s);
void pr_handover_behind(Pr *w, const Stmt *s);

/* print.c */
void pr_indent(Pr *w);
void pr_endline(Pr *w, Loc l);
void pr_declare(Pr *w, PrintName *m, const char *name);
void pr_declarevar(Pr *w, uint32_t v);

#endif
