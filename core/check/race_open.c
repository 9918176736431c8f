/* core/check/race_open.c: what the race checks could not decide.
 *
 *     for i in T.Parallel(128) do C[J[i]] = X[i] end
 *
 * Whether two iterations write one element is a matter of J's values.  A pair of accesses is left
 * open where equations do not rule it out for all values that its unknowns may take, nothing was
 * enumerated and nothing reported.  race.c finds such a pair within a T.Parallel; here are those
 * of two blocks.  One note a program: whoever reads it goes to the simulator. */
#include <string.h>

#include "race.h"
#include "err/check.h"

typedef struct OpenLaunch OpenLaunch;
struct OpenLaunch {
    RaceLoop *n;
    const CheckFrame *frame;
    const enum RaceBlock *how;
    bool *known;               /* of an access: race_block.c has looked at it */
    bool *all;                 /* of a root: at all of its accesses */
    bool part;                 /* not all pairs were compared */
};

enum { PairSteps = 64 };       /* what to compare two accesses takes of RaceLoop.work, at least */

static bool several_blocks(const Facts *f, const Stmt *launch)
{
    for (int i = 0; i < launch->launch.n; i++) {
        const Domain *d = &f->dom[launch->launch.block[i]];
        if (!d->exact || d->hi > 0)
            return true;
    }
    return false;
}

/* Marks what race_block.c has looked at in the launch k->frame: nothing, where blocks wait for
 * each other. */
static void open_known(OpenLaunch *k)
{
    Facts *f = k->n->f;
    bool independent = race_independent(f, k->frame);
    RaceAccess t;
    memset(k->all, 1, f->p->nbuf);
    for (uint32_t i = k->frame->first; i < k->frame->last; i++) {
        const Access *a = &f->a[i];
        uint32_t root = buf_root(f->p, a->buf);
        if (f->p->buf[root].scope != SCglobal)
            continue;
        k->known[i] = independent && access_of(f, k->frame->s, a, &t);
        k->all[root] &= k->known[i];
    }
}

/* Is it known whether access i, a write, meets access j of another block? */
static bool open_decided(OpenLaunch *k, uint32_t i, uint32_t j)
{
    RaceLoop *n = k->n;
    const Access *a = &n->f->a[i], *b = &n->f->a[j];
    if (n->told[buf_root(n->f->p, b->buf)] || k->how[j] == RBtold || k->how[j] == RBseen)
        return true; /* it was said that this one meets others */
    if ((k->known[i] && k->known[j]) || (b->mode & Awrite && race_one_value(n, a, b)))
        return true;
    k->part |= n->work <= 0;
    n->work -= PairSteps;
    return k->part || race_apart(n, a, b);
}

typedef struct OpenSame OpenSame;
struct OpenSame { const Facts *f; const Access *a; const Stmt *launch; };

/* Is e another value in another block, or may it be? */
static bool open_of_block(void *ud, Ex e)
{
    const OpenSame *k = ud;
    const Prog *p = k->f->p;
    const Expr *x = ex_at(p, e);
    if (x->op == Xload)
        return p->buf[x->sym].scope != SCglobal || buf_root(p, x->sym) == buf_root(p, k->a->buf);
    return x->op == Xvar && (k->f->dom[x->sym].s == k->launch ||
                             (p->var[x->sym].kind == Vlet && !p->var[x->sym].value));
}

/* Does every block do with a exactly what any other does?  Then each of its elements gets one
 * value, whichever block comes last. */
static bool open_alike(const Facts *f, const Access *a)
{
    OpenSame k = {f, a, frame_find(a->in, Slaunch)->s};
    Prog *p = f->p;
    bool of = a->s->kind != Sstore || ex_any_let(p, a->s->store.value, open_of_block, &k);
    for (int d = 0; d < a->ndim && !of; d++)
        of = ex_any_let(p, a->idx[d], open_of_block, &k);
    for (const Guard *g = a->guard; g && !of; g = g->up)
        of = !g->cond || ex_any_let(p, g->cond, open_of_block, &k);
    for (const CheckFrame *r = a->in; r && r->s->kind != Slaunch && !of; r = r->up)
        for (int i = 0; r->s->kind == Sfor && i < r->s->loop.n && !of; i++)
            of = ex_any_let(p, r->s->loop.lo[i], open_of_block, &k) ||
                 ex_any_let(p, r->s->loop.hi[i], open_of_block, &k);
    return !of;
}

static void open_write(OpenLaunch *k, uint32_t i)
{
    RaceLoop *n = k->n;
    const Facts *f = n->f;
    uint32_t root = buf_root(f->p, f->a[i].buf);
    for (uint32_t j = k->frame->first; j < k->frame->last && !n->openblock && !k->part; j++) {
        const Access *b = &f->a[j];
        if (buf_root(f->p, b->buf) != root || !(b->mode & (Aread | Awrite)) ||
            (b->mode == Awrite && j < i))
            continue;
        if (!open_decided(k, i, j) && !(i == j && open_alike(f, &f->a[i])))
            n->openblock = &f->a[i];
    }
}

void race_open_launches(RaceLoop *n, const enum RaceBlock *how)
{
    Facts *f = n->f;
    Ctx *c = &f->p->ctx;
    OpenLaunch k = {.n = n, .how = how, .known = anew(c, f->n + 1), .all = anew(c, f->p->nbuf)};
    n->unsized = true;
    for (uint32_t i = 0; i < f->n && !n->openblock && !k.part; i++) {
        const Access *a = &f->a[i];
        const CheckFrame *fr = frame_find(a->in, Slaunch);
        if (!fr || a->mode != Awrite || f->p->buf[a->buf].scope != SCglobal ||
            how[i] == RBtold || how[i] == RBseen)
            continue;
        if (fr != k.frame) {
            k.frame = fr;
            open_known(&k);
            race_open_blocks(n, fr);
        }
        if (!k.all[buf_root(f->p, a->buf)] && several_blocks(f, fr->s))
            open_write(&k, i);
        if (k.part)
            diag(c, E_race_part, a->s->loc, NULL);
    }
    n->unsized = false;
}

void race_say_open(RaceLoop *n)
{
    Ctx *c = &n->f->p->ctx;
    if (!n->open && n->placed && !n->told[buf_root(n->f->p, n->placed->buf)])
        n->open = n->placed;
    const Access *a = n->open ? n->open : n->openblock;
    if (a && c->nerror == 0)
        diag(c, n->open ? E_race_open : E_race_block_open, a->s->loc, n->f->p->buf[a->buf].name, NULL);
}
