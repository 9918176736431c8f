/* targets/sim/trace_time.c: clocks and units: how long things take in the model of
 * trace.h. */
#include <string.h>

#include "trace_p.h"

/* Rates --------------------------------------------------------------------------- */

/* Of a machine that says nothing: what sm_80 does.  mma.sync beside wgmma: 0.65 of it
 * (performance.md 0.1). */
int64_t trace_rate(const Machine *m, const Mma *i, bool *guess)
{
    if (i->rate)
        return i->rate;
    for (int k = 0; k < m->nmma; k++)
        if (m->mma[k].kind == MMAgroup && m->mma[k].a == i->a && m->mma[k].rate)
            return m->mma[k].rate * 65 / 100;
    *guess = true;
    int bits = dtypeinfo[i->a].bits;
    return bits == 64 ? 128 : 2048 * 16 / (bits > 8 ? bits : 8);
}

/* Units ------------------------------------------------------------------------ */

/* The first range that ends at `at` or behind it. */
static uint32_t first_behind(const Calendar *k, int64_t at)
{
    uint32_t lo = 0, hi = k->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (k->r[mid].to < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Replaces ranges [lo, hi) by one. */
static void trace_time_replace(Ctx *c, Calendar *k, uint32_t lo, uint32_t hi, TraceRange r)
{
    if (hi == lo) {
        agrow(c, &k->r, &k->cap, k->n + 1, sizeof *k->r);
        memmove(k->r + lo + 1, k->r + lo, (k->n - lo) * sizeof *k->r);
        k->n++;
    } else {
        memmove(k->r + lo + 1, k->r + hi, (k->n - hi) * sizeof *k->r);
        k->n -= hi - lo - 1;
    }
    k->r[lo] = r;
}

int64_t calendar_take(Ctx *c, Calendar *k, int64_t at, int64_t n, int64_t *end)
{
    *end = at;
    if (n <= 0)
        return at;
    uint32_t lo = first_behind(k, at), hi = lo;
    int64_t from = at, start, left = n;
    k->busy += n;
    if (lo < k->n && k->r[lo].from <= at) {
        from = k->r[lo].from;
        at = k->r[lo].to;
        hi = lo + 1;
    }
    start = at;
    for (; hi < k->n && k->r[hi].from <= at + left; hi++) { /* jumped over */
        left -= k->r[hi].from - at;
        *end = k->r[hi].from;
        at = k->r[hi].to;
    }
    *end = left ? at + left : *end;
    trace_time_replace(c, k, lo, hi, (TraceRange){from, at + left});
    return start;
}

/* Clocks ----------------------------------------------------------------------- */

int64_t trace_clock(const Trace *t, int w0, int w1)
{
    int64_t v = 0;
    for (int w = w0; w < w1; w++)
        v = t->w[w].clock > v ? t->w[w].clock : v;
    return v;
}

void trace_set(Trace *t, int w0, int w1, int64_t clock)
{
    for (int w = w0; w < w1; w++)
        t->w[w].clock = clock;
}

/* Barriers --------------------------------------------------------------------- */

TrBar *trace_bar(SimRun *r, int kind, int cta, int64_t at)
{
    Trace *t = r->trace;
    for (uint32_t k = 0; k < t->nbar; k++)
        if (t->bar[k].kind == kind && t->bar[k].cta == cta && t->bar[k].at == at)
            return &t->bar[k];
    agrow(r->ctx, &t->bar, &t->capbar, t->nbar + 1, sizeof *t->bar);
    t->bar[t->nbar] = (TrBar){.kind = (uint8_t)kind, .cta = cta, .at = at};
    return &t->bar[t->nbar++];
}

void bar_come(TrBar *b, int64_t phase, int64_t when, Loc by, bool copy)
{
    TrPhase *p = &b->reg[phase % TrPhases];
    if (p->of != phase + 1)
        *p = (TrPhase){.of = phase + 1};
    if (when >= p->at)
        *p = (TrPhase){phase + 1, when, by, copy};
}

const TrPhase *bar_done(const TrBar *b, int64_t phase)
{
    const TrPhase *p = &b->reg[(phase + TrPhases) % TrPhases];
    return p->of == phase + 1 ? p : NULL;
}

/* Arithmetic ------------------------------------------------------------------- */

static bool among(Kern *const *list, int n, Kern *f)
{
    for (int k = 0; k < n; k++)
        if (list[k] == f)
            return true;
    return false;
}

/* Instructions of one lane.  special: of the unit for functions. */
int kern_cycles(const KernTable *k, Kern *f, bool *special)
{
    static const uint8_t slow[NXop] = {
        [Xdiv] = 8, [Xfdiv] = 2, [Xfmod] = 2, [Xtdiv] = 2, [Xtmod] = 2};
    static const uint8_t fast[NIntr] = {
        [Iabs] = 1, [Iisnan] = 1, [Iisinf] = 1, [Iisfinite] = 1, [Icopysign] = 1, [Ifloor] = 1,
        [Iceil] = 1, [Itrunc] = 1, [Iround] = 1, [Inearbyint] = 1, [Iclz] = 1, [Ipopcount] = 1};
    *special = false;
    for (int d = 0; d < NDtype; d++)
        if (f == k->wrap[d] || f == k->pack[d] || f == k->unpack[d])
            return 0;
    if (among(k->truth, NKernClass, f) || among(k->fill, 2, f))
        return 0;
    for (int x = 0; x < NXop; x++)
        if (slow[x])
            for (int c = 0; c < NKernClass; c++)
                if (among(k->bin[x][c], NKernForm, f))
                    return slow[x];
    for (int n = 0; n < NIntr; n++)
        if (among(k->call1[n], NKernClass, f) || among(k->call2[n], 2, f)) {
            *special = !fast[n];
            return 1;
        }
    return 1;
}
