/* targets/sim/async.h: asynchronous operations between their issue and the wait
 * that makes them happen. */
#ifndef MOONTILE_SIM_ASYNC_H
#define MOONTILE_SIM_ASYNC_H

#include "run.h"

enum CopyKind { CKcp, CKload, CKstore, CKwgmma };

/* What was issued together by one strand (cp.async), by one thread (loads and
 * stores of boxes and of bytes), or by a warp group (wgmma). */
struct Copy {
    Copy *next;
    uint8_t kind;
    const OpArgs *a;
    int cta, t0, n;          /* by these threads of the cluster */
    Async *h;                /* NULL without checks */
    Async *out;              /* of a store: what it does to global memory */
    /* cp.async: for each thread */
    int cap;
    int64_t *dst;            /* byte offset in the block's shared memory */
    const char **src;
    uint8_t *on;             /* 0 off, 1 copies, 2 writes zeros */
    int bytes;
    /* boxes and bytes */
    bool box;
    TmaBox b;
    char *global;
    int64_t at, size;        /* shared: byte offset and how many */
    int red;                 /* enum Red of a reducing store */
    int64_t mbar;
    /* wgmma */
    Val v[3];                /* registers of A and C; A shape SHu: in shared memory */
    Desc da, db;
    bool accumulate;
    int64_t lands;           /* cycle, when it is traced: 0 not known */
    bool happened;           /* done already: its threads have parted (wgmma), or its tile was read */
};

Copy *copy_new(SimRun *r, const OpArgs *a, enum CopyKind kind, int lanes);
void copy_free(SimRun *r, Copy *c);
void queue_add(SimRun *r, Queue *q, Copy *c);
void queue_close(SimRun *r, Queue *q);              /* the open group is complete */
/* ... what the threads that are on have put into it; on NULL: all.  Groups are each thread's. */
void queue_commit(SimRun *r, const Strand *s, Queue *q, const uint8_t *on);
/* The threads that are on wait for all but their newest `left` groups. */
void queue_wait(SimRun *r, Strand *s, Queue *q, int left, const uint8_t *on);
/* ... of bulk stores: their tiles are read, but what they write may not be there (Qstored). */
void queue_read(SimRun *r, Strand *s, int left, const uint8_t *on);
void queue_written(SimRun *r, Strand *s, int left, const uint8_t *on); /* it is */
bool wgmma_happens(SimRun *r, const Copy *c);       /* async_wgmma.c */

static inline char *block_memory(const SimRun *r, int cta)
{
    return r->shared + (int64_t)cta * r->l->shared;
}

#endif
