/* core/cost/peek.h: a tile of a kernel, brought out at one point of a run.
 *
 * prog_peek() changes a copy of a tile program: behind a statement it copies the
 * buffer to a new tensor, under "this block, this iteration".  Nothing else of the
 * program changes, so the passes that come after give the copy its barriers, its
 * layout and its stage of a pipeline like those of any other statement.
 *
 * New parameters, behind all others and in this order:
 *   peek_values  global tensor of the buffer's dtype: its shape; of a private buffer
 *                that differs between threads a dimension of the threads in front
 *   peek_where   int32[1 + loops]: 1 when the point was reached, and the values that
 *                the variables of the loops around it had then, outer first
 *   peek_block.. int32 scalars: indices of the block, as many as the launch has
 *   peek_loop..  int32 scalars: for each loop that value of its variable which counts,
 *                INT32_MIN: any, so that the last one stays
 *   peek_fill    float32 scalar: what the buffer holds in that block before anything is
 *                written to it; only if fill is asked */
#ifndef MOONTILE_PEEK_H
#define MOONTILE_PEEK_H

#include "core/ir/ir.h"

enum { PeekLoops = 16 };

enum PeekResult {
    PEfound,
    PEnobuffer,  /* no buffer of that name in a kernel */
    PEglobal,    /* it is a tensor */
    PEkind,      /* a barrier: nothing that has values */
    PEnowrite,   /* nothing in a kernel writes it */
    PEnoline,    /* nothing at that line */
    PEnoloop,    /* no such loop around it: Peek.name */
    PEparallel,  /* Peek.name is a variable of a T.Parallel */
    PEscope      /* it does not live at that line: it was made at Peek.born */
};

typedef struct Peek Peek;
struct Peek {
    /* asked */
    const char *buffer;        /* as printed: the second of a name is "As.2" */
    uint32_t line;             /* behind this line; 0: where it is written last */
    int nwant;                 /* loops that must be around the point; NULL: any one */
    const char *want[PeekLoops];
    bool fill;
    /* found */
    const char *name;
    Loc born;
    uint32_t buf;              /* Buf */
    int launch;                /* which one, from 0 */
    const Stmt *in;            /* that launch */
    const Stmt *behind;        /* the statement before the point */
    const Stmt *end;           /* the loop at whose body's end the point is, or NULL */
    bool inside;               /* the line lies inside of behind, which has no order */
    bool threads;              /* it differs between threads: one row each */
    int nloop;
    const Stmt *loop[PeekLoops]; /* ordered loops around the point, outer first */
    uint32_t var[PeekLoops];     /* their variables */
};

/* Looks for the point and, when it is PEfound, changes p.  Unwinds on lack of memory. */
enum PeekResult prog_peek(Prog *p, Peek *k);

#endif
