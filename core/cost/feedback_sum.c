/* core/cost/feedback_sum.c: registers (an estimate), shared memory, occupancy and
 * the roofline of a launch. */
#include <string.h>

#include "feedback_p.h"
#include "core/ir/walk.h"

const char *const fblimit[NFbLimit] = {
    [FLthreads] = "threads", [FLregisters] = "registers", [FLshared] = "shared memory",
    [FLblocks] = "blocks",
};

/* Registers ------------------------------------------------------------ */

enum { OtherRegs = 24 }; /* addresses, counters, temporaries: what compilers were seen to add */

static int regs_of(const Prog *p, const Buf *b)
{
    int64_t n = 1, v;
    for (int d = 0; d < b->ndim; d++)
        n *= x_isint(p, b->shape[d], &v) ? v : 1;
    return (int)((n * dtypeinfo[b->dt].bits + 31) / 32);
}

typedef struct LiveBuffers LiveBuffers; /* where each local buffer is touched first and last */
struct LiveBuffers { Fb *f; uint32_t *first, *last; uint32_t now; };

static void mark_live_buffer(LiveBuffers *l, uint32_t buf)
{
    if (!l->first[buf])
        l->first[buf] = l->now;
    l->last[buf] = l->now;
}

static ExGo mark_live_load(void *ud, Ex e)
{
    LiveBuffers *l = ud;
    const Expr *x = &l->f->p->ex[e];
    if (x->op == Xload)
        mark_live_buffer(l, x->sym);
    return EXinto;
}

static bool fb_sum_loads(void *ud, Ex e)
{
    LiveBuffers *l = ud;
    return ex_walk(l->f->p, e, mark_live_load, l);
}

static void fb_sum_visit(LiveBuffers *l, const Stmt *s)
{
    for (; s; s = s->next) {
        Stmt *inner[2];
        uint32_t before = ++l->now;
        stmt_exprs(l->f->p, s, fb_sum_loads, l);
        if (s->kind == Sstore)
            mark_live_buffer(l, s->store.buf);
        else if (s->kind == Satomic)
            mark_live_buffer(l, s->atomic.buf);
        for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
            if (s->op.r[i].buf)
                mark_live_buffer(l, s->op.r[i].buf);
        int n = stmt_blocks(s, inner);
        for (int i = 0; i < n; i++)
            fb_sum_visit(l, inner[i]);
        if (s->kind != Sfor && s->kind != Swhile)
            continue;
        /* what a loop touches and was there before lives through all of it */
        for (uint32_t b = 1; b < l->f->p->nbuf; b++)
            if (l->first[b] && l->first[b] < before && l->last[b] >= before)
                l->last[b] = l->now;
    }
}

/* The most registers that local buffers hold at one time. */
static int fullest(Fb *f, const Stmt *launch)
{
    LiveBuffers l = {.f = f};
    uint32_t n = f->p->nbuf;
    l.first = anew(&f->p->ctx, n * sizeof *l.first);
    l.last = anew(&f->p->ctx, n * sizeof *l.last);
    fb_sum_visit(&l, launch->launch.body);
    int *delta = anew(&f->p->ctx, (l.now + 2) * sizeof *delta);
    for (uint32_t b = 1; b < n; b++) {
        int sc = f->p->buf[b].scope;
        if (!l.first[b] || (sc != SClocal && sc != SCvar && sc != SCfragment))
            continue;
        delta[l.first[b]] += regs_of(f->p, &f->p->buf[b]);
        delta[l.last[b] + 1] -= regs_of(f->p, &f->p->buf[b]);
    }
    int now = 0, most = 0;
    for (uint32_t t = 0; t <= l.now; t++) {
        now += delta[t];
        if (now > most)
            most = now;
    }
    return most;
}

/* Shared memory -------------------------------------------------------- */

/* Buffers that the launch allocates. */
static bool fb_sum_allocated(Stmt *s, void *ud)
{
    Fb *f = ud;
    Feedback *o = f->out;
    int64_t n = 1, v;
    if (s->kind != Salloc)
        return true;
    const Buf *x = &f->p->buf[s->alloc.buf];
    if ((x->scope != SCshared && x->scope != SCbarrier) || x->at < 0 || x->base)
        return true;
    for (int d = 0; d < x->ndim; d++)
        n *= x_isint(f->p, x->shape[d], &v) ? v : 1;
    if (x->map)
        n = layout_extent(x->map, AXoff);
    agrow(&f->p->ctx, &o->buffer, &o->capbuffer, o->nbuffer + 1, sizeof *o->buffer);
    o->buffer[o->nbuffer++] =
        (FbBuffer){s->alloc.buf, x->at, (n * dtypeinfo[x->dt].bits + 7) / 8};
    return true;
}

static void bill(Fb *f, const Stmt *launch)
{
    stmt_walk(launch->launch.body, fb_sum_allocated, f);
}

/* Occupancy ------------------------------------------------------------ */

static int up(int n, int unit) { return unit > 0 ? (n + unit - 1) / unit * unit : n; }

/* Registers that each thread has from the launch on: those that it needs, and no more than leave room for
 * the blocks that the launch asks for (roles change theirs between them). */
static int launched(const Fb *f, const Stmt *launch)
{
    enum { Unit = 8 };
    const Machine *m = f->m;
    int regs = up(f->out->regs < m->regs_thread ? f->out->regs : m->regs_thread, Unit);
    int of = m->residents ? launch->launch.blocks * f->out->warps * m->warp : 0;
    int room = of ? m->regs_sm / of / Unit * Unit : regs;
    return room < regs ? room : regs;
}

static void occupancy(Fb *f, const Stmt *launch)
{
    const Machine *m = f->m;
    Feedback *o = f->out;
    int regs = launched(f, launch);
    int warp_regs = up(regs * m->warp, m->regs_unit);
    int64_t shared = o->shared + m->shared_reserved;
    o->per[FLthreads] = o->warps ? m->warps_sm / o->warps : 0;
    o->per[FLregisters] = warp_regs && o->warps ? m->regs_sm / warp_regs / o->warps : m->blocks_sm;
    o->per[FLshared] = shared > 0 ? (int)(m->shared_sm / shared) : m->blocks_sm;
    o->per[FLblocks] = m->blocks_sm;
    o->limit = FLthreads;
    for (int i = 0; i < NFbLimit; i++)
        if (o->per[i] < o->per[o->limit])
            o->limit = i;
    o->blocks_sm = o->per[o->limit];
    o->occupancy = m->warps_sm ? (double)o->blocks_sm * o->warps / m->warps_sm : 0;
}

/* Roofline ------------------------------------------------------------- */

/* 1e12 operations a second that the kernel's arithmetic can reach at most. */
static double peak(const Feedback *o)
{
    const Card *c = o->card;
    switch (o->mmaflops > 0 ? o->mmabits : 0) {
    case 8: return c->f8 > 0 ? c->f8 : c->i8;
    case 16: return c->f16;
    case 32: case 19: return c->tf32 > 0 ? c->tf32 : c->f32;
    case 64: return c->f64;
    default: return c->f32;
    }
}

static void roofline(Feedback *o)
{
    o->intensity = o->gbytes > 0 ? o->flops / o->gbytes : 0;
    if (!o->card || o->card->gbs <= 0)
        return;
    o->peak = peak(o);
    if (o->peak > 0) {
        o->ridge = o->peak * 1e3 / o->card->gbs;
        o->compute_bound = o->intensity >= o->ridge;
    }
    if (!o->counted || o->blocks < 0)
        return;
    double plain = o->all_flops - o->all_mmaflops, memory = o->once / (o->card->gbs * 1e6);
    double units = o->peak > 0 && o->mmaflops > 0 ? o->all_mmaflops / (o->peak * 1e9) : 0;
    double cores = o->card->f32 > 0 ? plain / (o->card->f32 * 1e9) : 0;
    double compute = units > cores ? units : cores;
    o->bound_ms = compute > memory ? compute : memory;
}

void fb_sum(Fb *f, const Stmt *launch)
{
    Feedback *o = f->out;
    o->fragment_regs = fullest(f, launch);
    o->regs = o->fragment_regs + OtherRegs;
    bill(f, launch);
    occupancy(f, launch);
    roofline(o);
}
