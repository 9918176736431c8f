/* core/tensor/show.h: values that a running kernel prints, as text. */
#ifndef MOONTILE_SHOW_H
#define MOONTILE_SHOW_H

#include "core/base/base.h"

/* One T.print: a message, a scalar, or a tile. */
typedef struct Shown Shown;
struct Shown {
    const char *message, *name; /* or NULL; name: of the tile or variable */
    enum Dtype dt;
    int ndim;                   /* -1: only the message, 0: a scalar */
    int64_t shape[8], stride[8]; /* elements */
};

/* show.c: appends "block (0, 1): message: name float32 (4, 3)" and the elements
 * of data; large tiles show their edges. */
void show_print(Str *out, const int64_t block[3], const Shown *what, const void *data);

#endif
