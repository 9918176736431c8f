/* targets/cpu/sums.c: loops that add up several whole numbers.
 *
 * gcc makes wrong code of them: where a loop has several sums, several variables or the
 * elements of a row whose own loop was unrolled, and what follows reads some of them before
 * and some behind the conversion to their type, vectors of sums end up with parts of others.
 * Its PR 107212 mended some of that in 12.3 and 13; 13.3 was seen to be wrong as well, and
 * later ones are not trusted either.  For gcc an empty asm keeps such a loop from becoming
 * vectors; loops inside it still do, and a loop with one sum was never wrong. */
#include "emit.h"

typedef struct Sums Sums;
struct Sums {
    Gen *g;
    const Stmt *loop;
    uint32_t var; /* the loop's */
    int n;        /* stores that may hit one element again and again: a sum has one */
    bool inner;   /* there is a loop inside */
};

static bool whole_number(const Gen *g, uint32_t buf)
{
    return !is_float((enum Dtype)g->p->buf[buf].dt);
}

/* Is it made anew in each round? */
static bool made_anew(const Sums *q, uint32_t buf)
{
    uint32_t root = buf_root(q->g->p, buf);
    for (const Stmt *s = q->loop->loop.body; s; s = s->next)
        if (s->kind == Salloc && s->alloc.buf == root)
            return true;
    return false;
}

static void sums_store(Sums *q, uint32_t buf, const Ex *idx)
{
    int64_t stride;
    if (whole_number(q->g, buf) && !made_anew(q, buf))
        q->n += !access_stride(q->g, buf, idx, q->var, &stride) || stride == 0;
}

static bool sums_statement(Stmt *s, void *ud)
{
    Sums *q = ud;
    switch (s->kind) {
    case Sstore: sums_store(q, s->store.buf, s->store.idx); break;
    case Satomic: sums_store(q, s->atomic.buf, s->atomic.idx); break;
    case Sfor:
    case Swhile: q->inner = true; break;
    case Sop:
        q->inner = true;
        for (int i = 0; i < MaxRegion; i++)
            q->n += s->op.r[i].buf && whole_number(q->g, s->op.r[i].buf);
        break;
    default: break;
    }
    return true;
}

bool keeps_sums(Gen *g, const Stmt *loop, int i, bool last)
{
    Sums q = {.g = g, .loop = loop, .var = loop->loop.var[i], .inner = !last};
    stmt_walk(loop->loop.body, sums_statement, &q);
    return q.n > 1 || (q.n == 1 && q.inner);
}
