/* core/lower/pipe/deps.c: what the units of a pipelined loop do to buffers. */
#include <stdlib.h>

#include "core/ir/walk.h"
#include "pipeline.h"

Touched *pipe_does(const Pipe *q, int i)
{
    Unit *u = &q->unit[i];
    if (!u->does)
        u->does = low_touched(q->l, u->s);
    return u->does;
}

int pipe_touches(const Pipe *q, int i, uint32_t b) { return low_touched_how(pipe_does(q, i), b); }

void pipe_forget(Pipe *q)
{
    for (int i = 0; i < q->n; i++)
        q->unit[i].does = NULL;
    q->nknown = 0;
}

static int touch_order(const void *x, const void *y)
{
    const PipeTouch *a = x, *b = y;
    return a->buf != b->buf ? (a->buf > b->buf) - (a->buf < b->buf) : (a->unit > b->unit) - (a->unit < b->unit);
}

static void touches_find(Pipe *q)
{
    q->ntouch = 0;
    for (int i = 0; i < q->n; i++) {
        const Touched *t = pipe_does(q, i);
        uint32_t b;
        for (uint32_t k = 0; (b = low_touched_buf(t, k)) != 0; k++) {
            agrow(&q->l->p->ctx, &q->touch, &q->captouch, q->ntouch + 1, sizeof *q->touch);
            q->touch[q->ntouch++] = (PipeTouch){b, i};
        }
    }
    if (q->ntouch)
        qsort(q->touch, q->ntouch, sizeof *q->touch, touch_order);
    q->nknown = q->n;
}

const PipeTouch *pipe_touching(Pipe *q, uint32_t b, int *n)
{
    if (q->nknown != q->n)
        touches_find(q);
    uint32_t as = low_touched_as(q->l, b), lo = pipe_first(q->touch, q->ntouch, sizeof *q->touch, as);
    for (*n = 0; lo + (uint32_t)*n < q->ntouch && q->touch[lo + (uint32_t)*n].buf == as;)
        ++*n;
    return q->touch + lo;
}

/* Units in program order. */
static void ranked(const Pipe *q, const PipeTouch *t, int n, int *at)
{
    for (int i = 0; i < n; i++) {
        int k = i;
        for (; k > 0 && q->unit[at[k - 1]].rank > q->unit[t[i].unit].rank; k--)
            at[k] = at[k - 1];
        at[k] = t[i].unit;
    }
}

Ex pipe_under(Pipe *q, uint32_t b)
{
    Ex under = 0;
    int n;
    const PipeTouch *t = pipe_touching(q, b, &n);
    for (int i = 0; i < n; i++) {
        Ex c = low_condition(q->l, q->unit[t[i].unit].s, q->loop->loop.body);
        if (!c || (under && c != under))
            return 0;
        under = c;
    }
    return under;
}

bool pipe_fresh(Pipe *q, uint32_t b)
{
    Low *l = q->l;
    int all, n = 0;
    const PipeTouch *t = pipe_touching(q, b, &all);
    Stmt **w = anew(&l->p->ctx, ((size_t)all + 1) * sizeof *w);
    int *at = anew(&l->p->ctx, ((size_t)all + 1) * sizeof *at);
    Ex under = pipe_under(q, b);
    ranked(q, t, all, at);
    for (int i = 0; i < all; i++) {
        int how = pipe_touches(q, at[i], b);
        if (how & FXread)
            return n > 0 && low_covers_under(l, w, n, b, under);
        if (how & FXwrite)
            w[n++] = q->unit[at[i]].s;
    }
    return n > 0 && (!low_read_behind(q->l, q->loop, q->above, b) || low_covers_under(l, w, n, b, under));
}
