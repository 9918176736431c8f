/* core/lower/iterations.c: which iteration does what, for the simulator.
 *
 *     for i in T.Parallel(128) do S[A[i]] = i end
 *
 * Whether two iterations meet in an element of S is a matter of A's values: the checks leave that
 * open, and the simulator looks at a run.  It sees threads, though, of which one may do several
 * iterations.  So each statement of such a loop knows whose iterations it does (Stmt.turn), as a
 * sum over thread, register and element of a vector, since lower/parallel/ has put these in the
 * places of the loop's variables.  No pass looks at that.  Behind all of them it becomes text:
 *
 *     call parallel(1, 0, 128)
 *     ...
 *     for v in vectorized(4) do
 *       call iteration(1, tid * 4 + v, tid * 4 + v)
 *       S[A[tid * 4 + v]] = tid * 4 + v
 *     end
 *
 * in front of what touches storage that iterations share and one of them writes. */
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "core/lower/build/low.h"

typedef struct Iterations Iterations;
struct Iterations {
    Low *l;
    bool *written;         /* [loop * nbuf + root]: in that loop */
    bool touches;
    uint32_t loop;
};

static bool iteration_shared(const Prog *p, uint32_t root)
{
    int sc = p->buf[root].scope;
    return sc == SCglobal || sc == SCshared || (sc == SClocal && p->buf[root].map);
}

static bool iteration_effect(void *ud, const MemEffect *e)
{
    Iterations *k = ud;
    if (e->mode & FXwrite && iteration_shared(k->l->p, e->root))
        k->written[k->loop * k->l->p->nbuf + e->root] = true;
    return true;
}

static bool iteration_writes(Stmt *s, void *ud)
{
    Iterations *k = ud;
    k->loop = s->turn.loop;
    if (k->loop && (s->kind == Sstore || s->kind == Satomic))
        stmt_effects(k->l->p, s, iteration_effect, k);
    return true;
}

static bool iteration_touch(void *ud, const MemEffect *e)
{
    Iterations *k = ud;
    k->touches |= k->written[k->loop * k->l->p->nbuf + e->root];
    return true;
}

static Stmt *iteration_call(const Stmt *s, enum Intr fn, const Low *l)
{
    Stmt *c = anew(&l->p->ctx, sizeof *c);
    c->kind = Scall;
    c->loc = s->loc;
    c->call.fn = (uint8_t)fn;
    return c;
}

/* "call parallel" where a loop begins, "call iteration" in front of s where that is of interest. */
static Stmt *iteration_said(Low *l, Stmt *s, bool *into, void *ud)
{
    Iterations *k = ud;
    bool begins = s->kind == Sassume && s->check.begins;
    (void)into;
    k->loop = s->turn.loop;
    k->touches = false;
    if (!k->loop)
        return s;
    if (!begins)
        stmt_effects(l->p, s, iteration_touch, k);
    if (!begins && !k->touches)
        return s;
    Stmt *c = iteration_call(s, begins ? Iparallel : Iiteration, l);
    c->call.arg[0] = low_i(l, k->loop);
    c->call.arg[1] = s->turn.first;
    c->call.arg[2] = s->turn.last;
    s->turn = (Turn){0};
    c->next = begins ? NULL : s;
    return c;
}

void low_iterations(Low *l)
{
    Prog *p = l->p;
    Iterations k = {.l = l};
    if (!p->nopen)
        return;
    k.written = anew(&p->ctx, ((size_t)p->nopen + 1) * p->nbuf);
    stmt_walk(l->launch->launch.body, iteration_writes, &k);
    low_rewrite(l, &l->launch->launch.body, iteration_said, &k);
}
