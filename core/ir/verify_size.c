/* core/ir/verify_size.c: how large tiles, regions and parallel loops may be before lowering.
 *
 * The passes count elements, registers and bytes of them in 32 bits, and round up to whole warps
 * and powers of two on the way.  What is looked at here stays far below that: a tile of 2^26
 * elements is a hundred times what any card has on a multiprocessor, and each stage of a pipeline
 * takes some of that.  Tensors in global memory and serial loops are counted in 64 bits and have
 * no such bound. */
#include <stdio.h>

#include "verify.h"
#include "err/ir.h"

enum { MostElements = 1 << 26, MostStages = 64 };

typedef struct Sizes Sizes;
struct Sizes { Verify *v; Prog *p; };

/* Multiplies *n by an extent where that is constant; what is empty does not hide the rest. */
static void vsize_times(int64_t *n, int64_t extent)
{
    if (extent > 1 && __builtin_mul_overflow(*n, extent, n))
        *n = INT64_MAX;
}

static void vsize_at_most(const Sizes *z, const char *what, int64_t n, int limit)
{
    char most[24];
    if (n <= limit)
        return;
    snprintf(most, sizeof most, "%d", limit);
    verify_wrong(z->v, E_block_size, what,
                 n == INT64_MAX ? "2^63" : afmt(&z->p->ctx, "%lld", (long long)n), most, NULL);
}

static void vsize_tile(const Sizes *z, uint32_t id)
{
    const Prog *p = z->p;
    const Buf *b = &p->buf[id];
    int64_t n = 1, v;
    if (b->scope == SCglobal)
        return;
    for (int i = 0; i < b->ndim; i++)
        if (x_isint(p, b->shape[i], &v))
            vsize_times(&n, v);
    vsize_at_most(z, b->name, n, MostElements);
}

static void vsize_regions(const Sizes *z, const Stmt *s)
{
    for (int i = 0; i < opinfo[s->op.op].nregion; i++) {
        const Region *r = &s->op.r[i];
        int64_t n = 1, v;
        for (int d = 0; r->buf && d < z->p->buf[r->buf].ndim; d++)
            if (x_isint(z->p, r->extent[d], &v))
                vsize_times(&n, v);
        if (r->buf)
            vsize_at_most(z, z->p->buf[r->buf].name, n, MostElements);
    }
}

/* Iterations of a parallel loop; of others only that they can be counted. */
static void vsize_loop(const Sizes *z, const Stmt *s)
{
    int64_t n = 1, lo, hi, e;
    for (int i = 0; i < s->loop.n; i++) {
        if (!x_isint(z->p, s->loop.lo[i], &lo) || !x_isint(z->p, s->loop.hi[i], &hi))
            continue;
        if (__builtin_sub_overflow(hi, lo, &e))
            e = INT64_MAX;
        if (s->loop.kind == Fparallel)
            vsize_times(&n, e);
        else if (e == INT64_MAX)
            n = e;
    }
    vsize_at_most(z, forname[s->loop.kind], n, MostElements);
    vsize_at_most(z, "num_stages", s->loop.num_stages, MostStages);
    for (uint32_t i = 0; i < s->loop.nstage; i++)
        vsize_at_most(z, "stage", s->loop.stage[i], MostStages);
}

static bool count_statement_size(Stmt *s, void *ud)
{
    const Sizes *z = ud;
    verify_at(z->v, s->loc);
    if (s->kind == Salloc)
        vsize_tile(z, s->alloc.buf);
    else if (s->kind == Sop)
        vsize_regions(z, s);
    else if (s->kind == Sfor)
        vsize_loop(z, s);
    return !verify_enough(z->v);
}

void verify_sizes(Verify *v, Prog *p)
{
    Sizes z = {v, p};
    for (uint32_t i = 1; i < p->nbuf; i++)
        if (p->buf[i].base) {
            verify_at(v, p->buf[i].loc);
            vsize_tile(&z, i);
        }
    stmt_walk(p->body, count_statement_size, &z);
}
