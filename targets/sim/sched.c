/* targets/sim/sched.c: the strands of a cluster, and whose turn it is.
 *
 * A strand runs until it waits, ends, or has gone round many loops.  Without a
 * seed the strands take turns in the order of their threads; with one, at
 * random, and every warp (warp group, where there are such) is a strand. */
#include <stdlib.h>
#include <string.h>

#include "trace.h"

uint64_t run_random(SimRun *r)
{
    uint64_t z = r->x->rng += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Strands ------------------------------------------------------------------- */

static void sched_insert(Machinery *x, Ctx *c, Strand *s, uint32_t at)
{
    agrow(c, &x->strand, &x->capstrand, x->nstrand + 1, sizeof *x->strand);
    memmove(x->strand + at + 1, x->strand + at, (x->nstrand - at) * sizeof *x->strand);
    x->strand[at] = s;
    x->nstrand++;
    for (uint32_t k = at; k < x->nstrand; k++)
        x->strand[k]->index = k;
}

static Strand *new_strand(SimRun *r)
{
    Machinery *x = r->x;
    Strand *s = x->nspare ? x->spares[--x->nspare] : anew(r->ctx, sizeof *s);
    Reg *u = s->u ? s->u : anew(r->ctx, (r->l->nreg + 1) * sizeof *u);
    bool *full = s->full ? s->full : anew(r->ctx, r->l->nlevel * sizeof *full);
    memset(full, 0, r->l->nlevel * sizeof *full);
    *s = (Strand){.u = u, .full = full, .state = SRrun};
    return s;
}

static void remove_strand(SimRun *r, Strand *s)
{
    Machinery *x = r->x;
    uint32_t at = s->index;
    queue_drop(r, s);
    memmove(x->strand + at, x->strand + at + 1, (x->nstrand - at - 1) * sizeof *x->strand);
    x->nstrand--;
    for (uint32_t k = at; k < x->nstrand; k++)
        x->strand[k]->index = k;
    agrow(r->ctx, &x->spares, &x->capspare, x->nspare + 1, sizeof *x->spares);
    x->spares[x->nspare++] = s;
}

Strand *strand_split(SimRun *r, Strand *s, int at)
{
    Strand *k = new_strand(r);
    Reg *u = k->u;
    bool *full = k->full;
    *k = *s;
    k->u = u;
    k->full = full;
    memcpy(u, s->u, r->l->nreg * sizeof *u);
    memcpy(full, s->full, r->l->nlevel * sizeof *full);
    memset(k->q, 0, sizeof k->q);
    k->t0 = at;
    k->n = s->t0 + s->n - at;
    s->n = at - s->t0;
    queue_split(r, s, k, at);
    sched_insert(r->x, r->ctx, k, s->index + 1);
    return k;
}

void strand_parts(SimRun *r, Strand *s, const uint8_t *key)
{
    int warp = r->sp->m->warp, n = (s->n + warp - 1) / warp;
    for (int w = n; w-- > 1;)
        if (key[w] != key[w - 1])
            strand_split(r, s, s->t0 + w * warp);
}

const Ins *strand_wait(Strand *s, const Ins *i)
{
    s->pc = i;
    s->state = SRwait;
    return NULL;
}

/* Barriers -------------------------------------------------------------------- */

static bool same_values(const Strand *a, const Strand *b, const Live *v)
{
    for (uint32_t k = 0; v && k < v->n; k++)
        if (a->u[v->reg[k]].l != b->u[v->reg[k]].l)
            return false;
    return true;
}

/* May b, whose threads come next, go on as a part of a? */
static bool joinable(const Strand *a, const Strand *b, const Ins *i)
{
    return a->state == SRwait && b->state == SRwait && a->pc == i && b->pc == i &&
           a->cta == b->cta && i->y && a->t0 + a->n == b->t0 && i->level == 0 && a->wait.entered &&
           b->wait.entered && a->wait.phase == b->wait.phase && a->wait.id == b->wait.id &&
           same_values(a, b, i->y);
}

void sched_release(SimRun *r, Strand *s, const Ins *i)
{
    Machinery *x = r->x;
    (void)s;
    if (r->opt->seed)
        return;
    for (uint32_t k = 0; k + 1 < x->nstrand;) {
        Strand *a = x->strand[k], *b = x->strand[k + 1];
        if (joinable(a, b, i) && queue_join(r, a, b)) {
            a->n += b->n;
            remove_strand(r, b);
        } else {
            k++;
        }
    }
}

/* Warp groups ------------------------------------------------------------------- */

static int sched_group_lanes(const SimRun *r)
{
    return r->sp->m->warp * (r->sp->m->group ? r->sp->m->group : 1);
}

static bool strands_whole(const SimRun *r, const Strand *s, int n)
{
    int g = sched_group_lanes(r);
    return (s->t0 - s->cta * r->l->lanes) % g == 0 && n % g == 0;
}

/* Are the strands behind s, up to the end of its group, at i too? */
static bool assembled(const SimRun *r, const Strand *s, const Ins *i)
{
    int n = s->n;
    if (!strands_whole(r, s, 0))
        return false;
    for (uint32_t k = s->index + 1; !strands_whole(r, s, n); k++) {
        const Strand *b = k < r->x->nstrand ? r->x->strand[k] : NULL;
        if (!b || b->state != SRwait || b->pc != i || b->wait.kind != STUCKgroup ||
            b->cta != s->cta || b->t0 != s->t0 + n || !same_values(s, b, i->y))
            return false;
        n += b->n;
    }
    return true;
}

bool sched_group(SimRun *r, Strand *s, const Ins *i)
{
    if (strands_whole(r, s, s->n))
        return true;
    bool joined = assembled(r, s, i);
    while (joined && !strands_whole(r, s, s->n)) {
        Strand *b = r->x->strand[s->index + 1];
        joined = queue_join(r, s, b);
        s->n += joined ? b->n : 0;
        if (joined)
            remove_strand(r, b);
    }
    if (joined)
        return true;
    s->wait = (StrandWait){.kind = STUCKgroup, .site = i->site};
    strand_wait(s, i);
    return false;
}

/* Turns ------------------------------------------------------------------------ */

/* May a waiting strand try again? */
static bool sched_ready(const SimRun *r, const Strand *s)
{
    const StrandWait *w = &s->wait;
    switch (w->kind) {
    case STUCKmbar: return mbar_ready(r->x->bars, s->cta, w->at, w->parity);
    case STUCKbar: return bar_open(r->x->bars, s->cta, w->id, w->phase);
    case STUCKgroup: return assembled(r, s, s->pc);
    case STUCKcluster: return cluster_open(r->x->bars, w->phase);
    default: return r->x->gridphase != w->phase;
    }
}

static void run_strand(SimRun *r, Strand *s)
{
    s->state = SRrun;
    r->x->cur = s;
    for (const Ins *i = s->pc; i && !r->stop;) {
        r->x->ins = i;
        i = i->fn(r, s, i);
    }
    r->x->cur = NULL;
}

static void sched_ended(SimRun *r, Strand *s)
{
    if (r->x->nstrand > 1) /* nobody else is left to miss it */
        bars_exit(r->x->bars, (Who){s->t0, s->n, NULL});
    remove_strand(r, s);
}

static void deadlock(SimRun *r)
{
    for (uint32_t k = 0; k < r->x->nstrand; k++) {
        const Strand *s = r->x->strand[k];
        const StrandWait *w = &s->wait;
        bars_stuck(r->x->bars, w->kind, w->site, s->cta, w->kind == STUCKmbar ? w->at : w->id,
                   w->kind == STUCKmbar ? w->parity : w->count,
                   (Who){s->t0, s->n, mask_of(r, s, s->pc->level)});
    }
    bars_deadlock(r->x->bars);
    r->stop = true;
}

/* One that can go on, from *turn on; NULL: none. */
static Strand *sched_pick(SimRun *r, uint32_t *turn)
{
    Machinery *x = r->x;
    uint32_t first = r->opt->seed ? (uint32_t)(run_random(r) % x->nstrand) : *turn;
    for (uint32_t k = 0; k < x->nstrand; k++) {
        Strand *s = x->strand[(first + k) % x->nstrand];
        if (s->state == SRrun || sched_ready(r, s)) {
            *turn = s->index;
            return s;
        }
    }
    return NULL;
}

bool sched_run(SimRun *r)
{
    uint32_t turn = 0;
    while (r->x->nstrand && !r->stop) {
        turn = turn < r->x->nstrand ? turn : 0;
        Strand *s = sched_pick(r, &turn);
        if (!s && flight_land(r))
            continue;
        if (!s) {
            deadlock(r);
            break;
        }
        if (late(r, s))
            break;
        if (r->trace)
            trace_strand(r, s);
        else
            run_strand(r, s);
        if (s->state == SRend)
            sched_ended(r, s);
        else
            turn++;
        run_tell(r);
    }
    return !r->stop;
}

/* A cluster ---------------------------------------------------------------------- */

static void strand_start(SimRun *r, int cta, int t0, int n)
{
    int64_t b = r->block[cta];
    Strand *s = new_strand(r);
    s->pc = r->l->code;
    s->cta = cta;
    s->t0 = cta * r->l->lanes + t0;
    s->n = n;
    s->full[0] = true;
    memcpy(s->u, r->x->u, r->l->nreg * sizeof *s->u);
    s->u[r->l->block[0]].i = (int32_t)(b % r->grid[0]);
    s->u[r->l->block[1]].i = (int32_t)(b / r->grid[0] % r->grid[1]);
    s->u[r->l->block[2]].i = (int32_t)(b / r->grid[0] / r->grid[1]);
    sched_insert(r->x, r->ctx, s, r->x->nstrand);
}

void sched_start(SimRun *r)
{
    Machinery *x = r->x;
    int threads = r->l->threads, lanes = r->l->lanes;
    int part = r->sp->m->warp * (r->sp->m->group ? r->sp->m->group : 1);
    flight_clear(r);
    while (x->nstrand)
        remove_strand(r, x->strand[x->nstrand - 1]);
    for (int c = 0; c < r->ncta; c++) {
        if (!r->opt->seed)
            strand_start(r, c, 0, threads);
        else
            for (int t = 0; t < threads; t += part)
                strand_start(r, c, t, t + part < threads ? part : threads - t);
        if (threads < lanes)
            bars_exit(x->bars, (Who){c * lanes + threads, lanes - threads, NULL});
    }
    locals_reset(r);
}
