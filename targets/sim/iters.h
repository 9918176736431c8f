/* targets/sim/iters.h: iterations of T.Parallel that meet in an element.
 *
 * Of each loop that the static checks left open, a table says which iterations have touched an
 * element since the loop began: the first two that read it, the first two that updated it
 * atomically, and one that wrote it, with what.  Two iterations of which one writes without an
 * atomic are a finding, whichever threads they are done by; unless both write one value, or what
 * was there before the loop: then it is no matter who comes first.  So are two that update it
 * atomically, in two ways of which neither gives back what was there. */
#ifndef MOONTILE_SIM_ITERS_H
#define MOONTILE_SIM_ITERS_H

#include "report.h"

enum { ItRead = 1, ItWrite = 2, ItAtomic = 4 };

/* One iteration touches one element of a block's memory. */
typedef struct IterTouch IterTouch;
struct IterTouch {
    uint32_t loop;         /* its number */
    uint32_t round;        /* how often it began before */
    uint32_t root, site;
    int cta, thread;       /* thread: of the cluster, for the message */
    int64_t element;       /* of root's storage */
    int64_t iteration;     /* row by row; negative: there is none */
    uint8_t mode;          /* It* */
    uint64_t was;          /* what is there now */
    uint64_t value;        /* ItWrite without ItAtomic: what comes there */
};

typedef struct Iters Iters;

/* In c's arena; r is where findings go. */
Iters *iters_new(Ctx *c, Report *r);
/* Other blocks run now: nothing has been touched. */
void iters_clear(Iters *t);
/* Dimension dim of the loop has so many iterations. */
void iters_extent(Iters *t, uint32_t loop, int dim, int64_t n);
/* name: of the element, for a message. */
typedef const char *IterName(void *ud, const IterTouch *k);
void iters_touch(Iters *t, const IterTouch *k, IterName *name, void *ud);

#endif
