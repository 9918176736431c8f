/* core/lower/pipe/deps.c: what the units of a pipelined loop do to buffers. */
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
}

/* The units in program order. */
static void ranked(const Pipe *q, int *at)
{
    for (int i = 0; i < q->n; i++) {
        int k = i;
        for (; k > 0 && q->unit[at[k - 1]].rank > q->unit[i].rank; k--)
            at[k] = at[k - 1];
        at[k] = i;
    }
}

Ex pipe_under(const Pipe *q, uint32_t b)
{
    Ex under = 0;
    for (int i = 0; i < q->n; i++) {
        const Stmt *s = q->unit[i].s;
        if (!pipe_touches(q, i, b))
            continue;
        Ex c = low_condition(q->l, s, q->loop->loop.body);
        if (!c || (under && c != under))
            return 0;
        under = c;
    }
    return under;
}

bool pipe_fresh(const Pipe *q, uint32_t b)
{
    Low *l = q->l;
    Stmt **w = anew(&l->p->ctx, (q->n + 1) * sizeof *w);
    int *at = anew(&l->p->ctx, (q->n + 1) * sizeof *at), n = 0;
    Ex under = pipe_under(q, b);
    ranked(q, at);
    for (int i = 0; i < q->n; i++) {
        int t = pipe_touches(q, at[i], b);
        if (t & FXread)
            return n > 0 && low_covers_under(l, w, n, b, under);
        if (t & FXwrite)
            w[n++] = q->unit[at[i]].s;
    }
    return n > 0 && (!low_read_behind(q->l, q->loop, q->above, b) || low_covers_under(l, w, n, b, under));
}
