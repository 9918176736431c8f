/* repl/serve/numbered.h: things by their numbers, which only count up. */
#ifndef MOONTILE_NUMBERED_H
#define MOONTILE_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct NumberedRow { uint64_t k; void *v; } NumberedRow;
typedef struct Numbered Numbered;
struct Numbered { NumberedRow *row; size_t n, cap; }; /* ascending */

/* k is greater than all that are there; false: it is not, or no memory. */
bool numbered_add(Numbered *t, uint64_t k, void *v);
void *numbered_find(const Numbered *t, uint64_t k); /* NULL: none */
void *numbered_take(Numbered *t, uint64_t k);       /* found and removed */
void numbered_free(Numbered *t);                    /* the table; not what it names */

#endif
