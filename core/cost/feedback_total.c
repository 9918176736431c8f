/* core/cost/feedback_total.c: the facts of a launch: of its first block, and added up over all. */
#include <string.h>

#include "feedback_p.h"
#include "core/ir/walk.h"

enum { Ends = 4 /* blocks of an axis that are looked at: first, two in the middle, last */ };

/* Blocks ----------------------------------------------------------------- */

static void byblock(Fb *f, Ex e, const Stmt *launch)
{
    for (int i = 0; e && i < launch->launch.n && !f->byblock; i++)
        f->byblock = fb_uses(f, e, launch->launch.block[i]);
}

typedef struct Asks { Fb *f; const Stmt *launch; } Asks;

static bool asks(Stmt *s, void *ud)
{
    Asks *a = ud;
    if (s->kind == Sif)
        byblock(a->f, s->cond.cond, a->launch);
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++) {
        byblock(a->f, s->loop.lo[i], a->launch);
        byblock(a->f, s->loop.hi[i], a->launch);
    }
    return !a->f->byblock;
}

static ExGo select_of(void *ud, Ex e)
{
    Asks *a = ud;
    const Expr *x = &a->f->p->ex[e];
    if (x->op == Xselect)
        byblock(a->f, x->arg[0], a->launch);
    return EXinto;
}

static bool selects(void *ud, Ex e)
{
    Asks *a = ud;
    return ex_walk(a->f->p, e, select_of, a);
}

static bool feedback_looks(Stmt *s, void *ud)
{
    Asks *a = ud;
    stmt_exprs(a->f->p, s, selects, a);
    return !a->f->byblock;
}

static void feedback_total(Fb *f, double blocks)
{
    Feedback *o = f->out;
    o->all_flops += o->flops * blocks;
    o->all_mmaflops += o->mmaflops * blocks;
    o->all_gbytes += o->gbytes * blocks;
    for (uint32_t b = 0; b < f->p->nbuf; b++)
        f->all_traffic[b] += f->traffic[b] * blocks;
}

/* The k-th block looked at on an axis of n, and how many it stands for.  Two in
 * the middle: work that grows with the index adds up exactly. */
static int64_t representative(int64_t n, int k, double *weight)
{
    const int64_t at[Ends] = {0, (n - 1) / 2, n / 2, n - 1};
    *weight = n <= Ends || k == 0 || k == Ends - 1 ? 1 : (double)(n - 2) / 2;
    return n <= Ends ? k : at[k];
}

/* Totals of all blocks; the first one is counted already. */
static void all_blocks(Fb *f, const Stmt *s, const int64_t *grid)
{
    Feedback *o = f->out, first = *o;
    int count[MaxLaunchDim], n = 1;
    for (int i = 0; i < s->launch.n; i++) {
        count[i] = (int)(grid[i] < Ends ? grid[i] : Ends);
        n *= count[i];
        o->sampled = o->sampled || grid[i] > Ends;
    }
    for (int k = 0; k < n; k++) {
        double weight = 1, w;
        for (int i = 0, at = k; i < s->launch.n; at /= count[i++]) {
            fb_set(f, s->launch.block[i], representative(grid[i], at % count[i], &w));
            weight *= w;
        }
        f->brief = true;
        fb_count(f, s);
        feedback_total(f, weight);
    }
    o->flops = first.flops;
    o->mmaflops = first.mmaflops;
    o->gbytes = first.gbytes;
}

/* Each byte of global memory moved once: no more than its buffer has. */
static double feedback_once(Fb *f)
{
    double sum = 0;
    for (uint32_t b = 1; b < f->p->nbuf; b++) {
        double bits = dtypeinfo[f->p->buf[b].dt].bits, moved = f->all_traffic[b];
        bool known = true;
        for (int d = 0; d < f->p->buf[b].ndim; d++) {
            int64_t n;
            known = known && fb_number(f, f->p->buf[b].shape[d], &n);
            bits *= known ? (double)n : 1;
        }
        if (moved > 0)
            sum += known && bits / 8 < moved ? bits / 8 : moved;
    }
    return sum;
}

static void count_launch(Fb *f, const Stmt *s, bool first)
{
    Feedback *o = f->out;
    int64_t grid[MaxLaunchDim] = {1, 1, 1};
    f->tid = s->launch.thread[0];
    f->threads = s->launch.threads[0];
    fb_block(f);
    o->threads = f->threads;
    o->warps = (f->threads + f->m->warp - 1) / f->m->warp;
    o->shared = s->launch.shared;
    o->blocks = 1;
    for (int i = 0; i < s->launch.n; i++) {
        if (!fb_number(f, s->launch.grid[i], &grid[i]))
            o->blocks = -1;
        o->blocks = o->blocks < 0 ? -1 : o->blocks * (double)grid[i];
    }
    for (int i = 0; i < s->launch.n; i++)
        fb_set(f, s->launch.block[i], 0);
    fb_count(f, s);
    if (first)
        return;
    Asks a = {f, s};
    stmt_walk(s->launch.body, asks, &a);
    if (!f->byblock)
        stmt_walk(s->launch.body, feedback_looks, &a);
    if (o->blocks < 0)
        o->all_flops = o->all_mmaflops = o->all_gbytes = o->once = -1;
    else if (f->byblock && o->blocks > 1)
        all_blocks(f, s, grid);
    else
        feedback_total(f, o->blocks);
    if (o->blocks >= 0)
        o->once = feedback_once(f);
    fb_sum(f, s);
}

/* The program ------------------------------------------------------------ */

typedef struct FeedbackJob FeedbackJob;
struct FeedbackJob {
    Prog *p;
    int launch;
    const Machine *m;
    const Card *card;
    const int64_t *dims;
    const uint8_t *known;
    bool first;           /* totals are not asked for */
    FbAsk *ask;
    Feedback *out;
};

static void feedback_init(Ctx *c, const FeedbackJob *j, Fb *f)
{
    *f = (Fb){.p = j->p, .m = j->m, .out = j->out, .shots = j->ask, .vec = 1,
              .moment = 1};
    fb_values(f);
    f->seen = anew(c, j->p->nex * sizeof *f->seen);
    f->traffic = anew(c, j->p->nbuf * sizeof *f->traffic);
    f->all_traffic = anew(c, j->p->nbuf * sizeof *f->all_traffic);
    for (uint32_t i = 0; j->dims && i < j->p->nvar; i++)
        if (j->known[i])
            fb_set(f, i, j->dims[i]);
    *j->out = (Feedback){.m = j->m, .card = j->card ? j->card : j->m->card, .counted = true};
}

static void feedback_run(Ctx *c, void *ud)
{
    FeedbackJob *j = ud;
    Fb f;
    int n = 0;
    feedback_init(c, j, &f);
    for (const Stmt *s = j->p->body; s; s = s->next)
        if (s->kind == Slaunch && n++ == j->launch)
            count_launch(&f, s, j->first);
}

bool feedback(Prog *p, int launch, const Machine *m, const Card *card, const int64_t *dims,
              const uint8_t *known, Feedback *out)
{
    FeedbackJob j = {p, launch, m, card, dims, known, false, NULL, out};
    return ctx_try(&p->ctx, feedback_run, &j);
}

bool fb_first(Prog *p, int launch, const Machine *m, const int64_t *dims, const uint8_t *known,
              Feedback *out)
{
    FeedbackJob j = {p, launch, m, NULL, dims, known, true, NULL, out};
    return ctx_try(&p->ctx, feedback_run, &j);
}

bool feedback_shots(Prog *p, int launch, const Machine *m, const int64_t *dims,
                    const uint8_t *known, FbAsk *ask)
{
    Feedback out;
    FeedbackJob j = {p, launch, m, NULL, dims, known, true, ask, &out};
    return ctx_try(&p->ctx, feedback_run, &j);
}

int feedback_launches(const Prog *p)
{
    int n = 0;
    for (const Stmt *s = p->body; s; s = s->next)
        n += s->kind == Slaunch;
    return n;
}

typedef struct Dims Dims;
struct Dims { Prog *p; FbDim *value; void *ud; int64_t *v; uint8_t *known; };

static void feedback_read_dims(Ctx *c, void *ud)
{
    Dims *d = ud;
    d->v = anew(c, d->p->nvar * sizeof *d->v);
    d->known = anew(c, d->p->nvar);
    for (uint32_t i = 1; i < d->p->nvar; i++) {
        const Var *x = &d->p->var[i];
        if (x->kind == Vdim || x->kind == Vscalar)
            d->known[i] = d->value && d->value(d->ud, x->name, &d->v[i]);
    }
}

bool feedback_dims(Prog *p, FbDim *value, void *ud, int64_t **dims, uint8_t **known)
{
    Dims d = {.p = p, .value = value, .ud = ud};
    bool ok = ctx_try(&p->ctx, feedback_read_dims, &d);
    *dims = d.v;
    *known = d.known;
    return ok;
}
