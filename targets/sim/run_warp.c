/* targets/sim/run_warp.c: what the lanes of a warp, and the threads of a block,
 * do together. */
#include <string.h>

#include "run.h"
#include "err/sim.h"

/* A value of a register as bits, whatever its class. */
static int64_t bits_at(const SimRun *r, const Strand *s, Val v, int k)
{
    const char *p = operand(r, s, v, 0);
    int64_t x = 0;
    size_t n = (size_t)class_bytes((enum ValueClass)v.cls);
    memcpy(&x, p + (v.shape == SHu ? 0 : (size_t)k * n), n);
    return x;
}

static void set_bits(const SimRun *r, const Strand *s, Val v, int k, int64_t x)
{
    size_t n = (size_t)class_bytes((enum ValueClass)v.cls);
    memcpy((char *)operand(r, s, v, 0) + (size_t)k * n, &x, n);
}

static bool run_warp_truth(const SimRun *r, const Strand *s, Val v, int k)
{
    int at = v.shape == SHu ? 0 : k;
    switch (v.cls) {
    case VCf: return ((const float *)operand(r, s, v, 0))[at] != 0;
    case VCd: return ((const double *)operand(r, s, v, 0))[at] != 0;
    default: return bits_at(r, s, v, k) != 0;
    }
}

/* The warp at hand: lane l is thread k0 + l of the strand. */
typedef struct WarpArgs WarpArgs;
struct WarpArgs {
    SimRun *r; Strand *s; const Ins *i; const CallArgs *a;
    Meeting m;
};

static bool run_warp_is_on(const WarpArgs *w, int lane)
{
    return lane >= 0 && lane < w->m.n && (w->m.here >> lane & 1);
}

static bool run_warp_meets(const WarpArgs *w, int lane, int other)
{
    return w->m.with[lane] >> other & 1;
}

static void report_lane(const WarpArgs *w, int lane, int64_t src)
{
    Report *q = &w->r->report;
    int t = w->s->t0 + w->m.k0 + lane;
    if (w->r->opt->lanes && !report_has(q, E_sim_lane, w->i->site, 0))
        report_add(q, E_sim_lane, w->i->site, E_none, 0, w->r->sp->site[w->i->site].what,
                   report_thread(q, t), report_block(q, t), report_number(q, src),
                   report_where(q), (const char *)NULL);
    w->r->stop |= q->full;
}

/* A shuffle in groups that hardware does not have. */
static void report_width(const WarpArgs *w, int lane, int64_t width)
{
    Report *q = &w->r->report;
    int t = w->s->t0 + w->m.k0 + lane;
    if (w->r->opt->lanes && !report_has(q, E_sim_width, w->i->site, 0))
        report_add(q, E_sim_width, w->i->site, E_none, 0, w->r->sp->site[w->i->site].what,
                   report_number(q, width), report_number(q, w->r->sp->m->warp),
                   report_thread(q, t), report_block(q, t), report_where(q), (const char *)NULL);
    w->r->stop |= q->full;
}

/* Shuffles ---------------------------------------------------------------------- */

/* Groups that hardware has. */
static bool run_warp_width(int64_t width, int warp)
{
    return width > 0 && width <= warp && (width & (width - 1)) == 0;
}

/* Of what is wrong with a lane, one thing is said: there is no such group, it asks one that is off, or its mask is wrong,
 * or the one that it asks is not in it. */
static void shuffle(const WarpArgs *w)
{
    int64_t out[64];
    bool wrong = false;
    int off = 0, outside = -1, from = 0;
    int full = w->r->sp->m->warp;
    for (int l = 0; l < w->m.n; l++) {
        if (!run_warp_is_on(w, l))
            continue;
        int64_t width = ivalue(w->r, w->s, w->a->arg[2], w->m.k0 + l);
        int wide = run_warp_width(width, full) ? (int)width : full;
        if (!run_warp_width(width, full)) {
            report_width(w, l, width);
            wrong = true;
        }
        int src = intr_shuffle_source(w->a->fn, l, ivalue(w->r, w->s, w->a->arg[1], w->m.k0 + l),
                                      wide, full);
        if (!run_warp_is_on(w, src) && wrong) {
            src = l;
        } else if (!run_warp_is_on(w, src)) {
            report_lane(w, l, src);
            off++;
            src = l;
        } else if (outside < 0 && !run_warp_meets(w, l, src)) {
            outside = l;
            from = src;
        }
        out[l] = bits_at(w->r, w->s, w->a->arg[0], w->m.k0 + src);
    }
    for (int l = 0; l < w->m.n; l++)
        if (run_warp_is_on(w, l))
            set_bits(w->r, w->s, w->i->d, w->m.k0 + l, out[l]);
    if (off || wrong)
        return;
    if (!meeting_check(w->r, w->s, w->i, w->a->mask, &w->m) && outside >= 0)
        meeting_outside(w->r, w->s, w->i, &w->m, outside, from);
}

/* All lanes on, and all ask alike: one table of lanes serves every warp. */
static bool shuffle_all(SimRun *r, Strand *s, const Ins *i, const CallArgs *a)
{
    int warp = r->sp->m->warp, src[64];
    if (mask_of(r, s, i->level) || s->n % warp || s->t0 % warp || !a->mask->all ||
        a->arg[0].shape == SHu || a->arg[1].shape != SHu || a->arg[2].shape != SHu)
        return false;
    int64_t width = uvalue(s, a->arg[2]), by = uvalue(s, a->arg[1]);
    if (!run_warp_width(width, warp))
        return false; /* the slow way reports it */
    for (int l = 0; l < warp; l++)
        src[l] = intr_shuffle_source(a->fn, l, by, (int)width, warp);
    if (class_bytes((enum ValueClass)i->d.cls) == 4) {
        uint32_t *d = operand(r, s, i->d, 0);
        const uint32_t *v = operand(r, s, a->arg[0], 0);
        for (int k = 0; k < s->n; k += warp)
            for (int l = 0; l < warp; l++)
                d[k + l] = v[k + src[l]];
    } else {
        uint64_t *d = operand(r, s, i->d, 0);
        const uint64_t *v = operand(r, s, a->arg[0], 0);
        for (int k = 0; k < s->n; k += warp)
            for (int l = 0; l < warp; l++)
                d[k + l] = v[k + src[l]];
    }
    return true;
}

/* Which lanes take a value that was ever given, out of register k of y. */
const Ins *run_shuffled(SimRun *r, Strand *s, const Ins *i)
{
    const CallArgs *a = i->x;
    const uint8_t *d = local_undefined(r, s, i->y, i->k);
    int32_t *from = operand(r, s, d ? a->arg[0] : i->d, 0);
    for (int k = 0; k < s->n; k++)
        from[k] = !d || d[k];
    if (d)
        run_warp(r, s, i);
    return i + 1;
}

/* d = c ? a : b, of these. */
const Ins *run_choose(SimRun *r, Strand *s, const Ins *i)
{
    int32_t *d = operand(r, s, i->d, 0);
    const int32_t *a = operand(r, s, i->a, 0), *b = operand(r, s, i->b, 0);
    for (int k = 0; k < s->n; k++)
        d[k] = run_warp_truth(r, s, i->c, k) ? a[k] : b[k];
    return i + 1;
}

/* What is moved next has a value where a is not 0. */
const Ins *run_hold(SimRun *r, Strand *s, const Ins *i)
{
    const int32_t *a = operand(r, s, i->a, 0);
    uint8_t *held = held_row(r, s, 0);
    for (int k = 0; k < s->n; k++)
        held[k] = a[k] != 0;
    return i + 1;
}

/* .. and where a condition, of each element or of all, is not true: select(c, s[i], 0). */
const Ins *run_hold_else(SimRun *r, Strand *s, const Ins *i)
{
    for (int e = (int)i->k - 1; e >= 0; e--) {
        uint8_t *held = held_row(r, s, e);
        Val c = i->a;
        c.at += c.shape == SHw ? (uint32_t)e * class_rows((enum ValueClass)c.cls) : 0;
        c.shape = c.shape == SHw ? SHt : c.shape;
        if (e >= i->n)
            memcpy(held, held_row(r, s, 0), (size_t)s->n);
        for (int k = 0; k < s->n; k++)
            held[k] |= !run_warp_truth(r, s, c, k);
    }
    return i + 1;
}

/* Votes --------------------------------------------------------------------------- */

static uint64_t voted(const WarpArgs *w)
{
    uint64_t m = 0;
    for (int l = 0; l < w->m.n; l++)
        m |= (uint64_t)(run_warp_is_on(w, l) && run_warp_truth(w->r, w->s, w->a->arg[0], w->m.k0 + l))
             << l;
    return m;
}

/* Lanes whose value has the bits of lane l's. */
static uint64_t equals(const WarpArgs *w, int l)
{
    uint64_t m = 0;
    int64_t v = bits_at(w->r, w->s, w->a->arg[0], w->m.k0 + l);
    for (int k = 0; k < w->m.n; k++)
        m |= (uint64_t)(run_warp_is_on(w, k) && bits_at(w->r, w->s, w->a->arg[0], w->m.k0 + k) == v)
             << k;
    return m;
}

/* Each lane asks those that it meets. */
static void run_warp_vote(const WarpArgs *w)
{
    bool match = w->a->fn == Imatch_any || w->a->fn == Imatch_all;
    uint64_t yes = w->a->fn == Iactivemask || match ? 0 : voted(w);
    for (int l = 0; l < w->m.n; l++) {
        uint64_t v = 0, with = w->m.with[l];
        if (!run_warp_is_on(w, l))
            continue;
        switch (w->a->fn) {
        case Iany_sync: v = (yes & with) != 0; break;
        case Iall_sync: v = (yes & with) == with; break;
        case Iballot: v = yes & with; break;
        case Iactivemask: v = with; break;
        case Imatch_any: v = equals(w, l) & with; break;
        default: v = (equals(w, l) & with) == with ? with : 0; break;
        }
        set_bits(w->r, w->s, w->i->d, w->m.k0 + l, (int64_t)v);
    }
    meeting_check(w->r, w->s, w->i, w->a->mask, &w->m);
}

/* One thread of each group of arg[0] threads (0: of the block): the first lane
 * on of the group's first warp. */
static void elect(const WarpArgs *w)
{
    int warp = w->r->sp->m->warp, first = __builtin_ctzll(w->m.here);
    int64_t size = ivalue(w->r, w->s, w->a->arg[0], w->m.k0 + first);
    int64_t index = (w->s->t0 + w->m.k0 - w->s->cta * w->r->l->lanes) / warp;
    bool here = size <= 0 ? index == 0 : index % (size / warp > 0 ? size / warp : 1) == 0;
    for (int l = 0; l < w->m.n; l++)
        if (run_warp_is_on(w, l))
            set_bits(w->r, w->s, w->i->d, w->m.k0 + l, here && l == first);
}

/* Reductions ------------------------------------------------------------------------ */

static const enum Xop redop[NIntr] = {
    [Iwarp_sum] = Xadd, [Iwarp_max] = Xmax, [Iwarp_min] = Xmin,
    [Iwarp_bitand] = Xband, [Iwarp_bitor] = Xbor, [Iwarp_bitxor] = Xbxor};

static int64_t run_warp_combine(const WarpArgs *w, int64_t x, int64_t y)
{
    const KernTable *k = w->r->sp->kern;
    enum Dtype dt = (enum Dtype)w->i->d.dt;
    int64_t v = 0;
    k->bin[redop[w->a->fn]][kern_class(dt)][KFvv](&v, &x, &y, NULL, 1);
    Kern *settle = k->round[dt] ? k->round[dt] : k->wrap[dt];
    if (settle)
        settle(&v, &v, NULL, NULL, 1);
    return v;
}

/* A butterfly where all lanes are there, so that all get the same bits; else one
 * lane after the other. */
static void run_warp_reduce(const WarpArgs *w)
{
    int64_t v[64], t[64];
    bool all = w->m.n == w->r->sp->m->warp;
    int first = -1;
    for (int l = 0; l < w->m.n; l++) {
        v[l] = run_warp_is_on(w, l) ? bits_at(w->r, w->s, w->a->arg[0], w->m.k0 + l) : 0;
        all = all && run_warp_is_on(w, l);
    }
    for (int step = w->m.n / 2; all && step; step /= 2) {
        for (int l = 0; l < w->m.n; l++)
            t[l] = run_warp_combine(w, v[l & ~step], v[l | step]);
        memcpy(v, t, sizeof v);
    }
    for (int l = 0; !all && l < w->m.n; l++)
        if (run_warp_is_on(w, l)) {
            v[first < 0 ? l : first] = first < 0 ? v[l] : run_warp_combine(w, v[first], v[l]);
            first = first < 0 ? l : first;
        }
    for (int l = 0; l < w->m.n; l++)
        if (run_warp_is_on(w, l))
            set_bits(w->r, w->s, w->i->d, w->m.k0 + l, all ? v[l] : v[first]);
}

const Ins *run_warp(SimRun *r, Strand *s, const Ins *i)
{
    WarpArgs w = {.r = r, .s = s, .i = i, .a = i->x};
    bool shuffles = w.a->fn >= Ishfl && w.a->fn <= Ishfl_down;
    if (shuffles && shuffle_all(r, s, i, w.a))
        return i + 1;
    meeting_first(r, s, &w.m);
    while (meeting_next(r, s, i, w.a->mask, &w.m)) {
        switch (w.a->fn) {
        case Ishfl: case Ishfl_xor: case Ishfl_up: case Ishfl_down: shuffle(&w); break;
        case Ishuffle_elect: elect(&w); break;
        default: redop[w.a->fn] ? run_warp_reduce(&w) : run_warp_vote(&w); break;
        }
    }
    return i + 1;
}
