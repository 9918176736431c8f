/* core/tensor/op_lines.h: work along one dimension, line by line. */
#ifndef MOONTILE_OP_LINES_H
#define MOONTILE_OP_LINES_H

#include "tensor.h"

/* A line: its n elements as read, and arrays for n results and n places; all with room for a whole
 * VecBlock.  scratch: n times what Lines asks for. */
typedef struct Line Line;
struct Line {
    int64_t n;
    union { double *f; int64_t *i; } in, out;
    int64_t *index;
    double *scratch;
};

/* f is called for every line of x along dim, in threads.  out and index [of x's shape] receive
 * results and places where their storage is not NULL; ints: as int64, else as double. */
typedef struct Lines Lines;
struct Lines {
    Tensor out, index, x;
    int dim, scratch;
    bool ints;
    void (*f)(const void *ud, Line *l);
    const void *ud;
};
/* work: simple operations for an element; false: no memory */
bool lines_apply(const Lines *l, double work);

#endif
