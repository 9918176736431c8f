/* core/lower/shared/spread.c: a swizzle for tiles whose accesses would queue at the banks.
 *
 *     T.copy(A[..], s)                                  rows: 16 bytes a thread, in a row
 *     for i, j in T.Parallel(32, 128) do
 *       C[i, j] = s[j, i]                               columns: all lanes of a warp at one bank
 *     end
 *
 * Nobody has asked for a layout of s, no instruction wants one.  The accesses of all parallel loops
 * are gone through with the threads that the loops will have, for the first warp, and their
 * wavefronts counted row-major and with each XOR of pieces of 4 to 16 bytes; one that takes at most
 * half as many is taken.  It costs a few instructions an address, so less is no gain. */
#include <string.h>

#include "core/lower/parallel/parallel.h"
#include "shared.h"

enum { MaxLanes = 64, MostRegs = 16, MaxTouches = 32, MaxRun = 4, VectorBytes = 16 };

/* One access of a parallel loop: the row-major offset of each register's and lane's element, -1:
 * there is none. */
typedef struct Touch Touch;
struct Touch {
    int64_t *off;
    int nreg, run;             /* run: so many accesses beside each other, which compilers join */
    double weight;
};

typedef struct Spread Spread;
struct Spread {
    Low *l;
    uint32_t buf;
    int lead;                  /* dimensions of stages, in front */
    Layout plain;
    int bytes, lanes;
    bool closed;               /* something else than elements of parallel loops: no */
    const Stmt *loop;          /* the parallel loop at hand and its layout */
    Layout at;
    const Stmt *vector;        /* the loop over a vector's elements around; NULL: none */
    int each;                  /* elements of that, else 1 */
    double weight;
    int64_t *env;
    Touch touch[MaxTouches];
    int n;
};

static bool spread_this(const Spread *t, uint32_t buf)
{
    return buf && buf_root(t->l->p, buf) == t->buf;
}

/* The accesses -------------------------------------------------------------- */

/* The row-major offset of the element at the variables' values; -1: it cannot be known, or is
 * beyond the buffer. */
static int64_t spread_offset(Spread *t, const Ex *idx)
{
    const Prog *p = t->l->p;
    int32_t at[LayDims] = {0};
    for (int d = 0; d < t->plain.ndim; d++) {
        int64_t v;
        Ex e = idx[t->lead + d];
        x_eval_lets(p, e, t->env);
        if (!x_eval(p, e, t->env, &v) || v < 0 || v >= t->plain.size[d])
            return -1;
        at[d] = (int32_t)v;
    }
    return layout_eval(&t->plain, at).at[AXoff];
}

/* Is what b takes beside the last element of each access of a? */
static bool spread_beside(const Spread *t, const Touch *a, const Touch *b)
{
    if (a->weight != b->weight || a->nreg != b->nreg * a->run || a->run == MaxRun)
        return false;
    for (int i = 0; i < b->nreg * t->lanes; i++) {
        int r = i / t->lanes, lane = i % t->lanes;
        int64_t last = a->off[((r + 1) * a->run - 1) * t->lanes + lane];
        if (b->off[i] != (last < 0 ? -1 : last + 1))
            return false;
    }
    return true;
}

/* The last access joins the one in front of it, if that is beside it. */
static void spread_join(Spread *t)
{
    if (t->n < 2)
        return;
    Touch *a = &t->touch[t->n - 2], *b = a + 1, c;
    if (!spread_beside(t, a, b))
        return;
    c = (Touch){.nreg = a->nreg + b->nreg, .run = a->run + 1, .weight = a->weight};
    c.off = anew(&t->l->p->ctx, (size_t)(c.nreg * t->lanes) * sizeof *c.off);
    for (int i = 0; i < c.nreg; i++) {
        int r = i / c.run, e = i % c.run;
        const int64_t *from = e < a->run ? a->off + (r * a->run + e) * t->lanes
                                         : b->off + r * t->lanes;
        memcpy(&c.off[i * t->lanes], from, (size_t)t->lanes * sizeof *from);
    }
    *a = c;
    t->n--;
}

static void spread_touch(Spread *t, uint32_t buf, const Ex *idx)
{
    if (!spread_this(t, buf) || t->closed)
        return;
    if (!t->loop || t->n == MaxTouches) {
        t->closed = true;
        return;
    }
    int64_t all = layout_extent(&t->at, AXreg) * t->each;
    int nreg = all < MostRegs ? (int)all : MostRegs;
    Touch *k = &t->touch[t->n++];
    *k = (Touch){.nreg = nreg, .run = 1, .weight = t->weight * (double)all / nreg};
    k->off = anew(&t->l->p->ctx, (size_t)(nreg * t->lanes) * sizeof *k->off);
    for (int i = 0; i < nreg * t->lanes; i++) {
        Spot spot = {{[AXreg] = i / t->lanes / t->each, [AXlane] = i % t->lanes}};
        int32_t in[LayDims] = {0};
        k->off[i] = -1;
        if (!layout_invert(&t->at, &spot, in))
            continue;
        for (int v = 0; v < t->loop->loop.n; v++) {
            int64_t lo = 0;
            x_isint(t->l->p, t->loop->loop.lo[v], &lo);
            t->env[t->loop->loop.var[v]] = in[v] + lo;
        }
        if (t->vector)
            t->env[t->vector->loop.var[0]] = i / t->lanes % t->each;
        k->off[i] = spread_offset(t, idx);
    }
    spread_join(t);
}

static ExGo spread_load(void *ud, Ex e)
{
    Spread *t = ud;
    Expr x = *ex_at(t->l->p, e);
    if (x.op == Xload)
        spread_touch(t, x.sym, x.arg);
    return EXinto;
}

static void spread_statement(Spread *t, const Stmt *s)
{
    stmt_ex_walk(t->l->p, s, spread_load, t);
    if (s->kind == Sstore)
        spread_touch(t, s->store.buf, s->store.idx);
    if (s->kind == Satomic)
        spread_touch(t, s->atomic.buf, s->atomic.idx);
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++) {
        if (s->op.op == Ocp_async)
            spread_touch(t, s->op.r[i].buf, s->op.r[i].min);
        else
            t->closed |= spread_this(t, s->op.r[i].buf);
    }
}

static bool spread_loads_this(void *ud, Ex e)
{
    const Spread *t = ud;
    return t->l->p->ex[e].op == Xload && spread_this(t, t->l->p->ex[e].sym);
}

static bool spread_none(Stmt *s, void *ud)
{
    Spread *t = ud;
    bool named = stmt_any(t->l->p, s, spread_loads_this, t) ||
                 (s->kind == Sstore && spread_this(t, s->store.buf)) ||
                 (s->kind == Satomic && spread_this(t, s->atomic.buf));
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
        named |= spread_this(t, s->op.r[i].buf);
    return !named;
}

static void spread_block(Spread *t, const Stmt *s);

/* Iterations of loop s, where they are known: how much more its accesses weigh. */
static double spread_times(const Prog *p, const Stmt *s)
{
    double all = 1;
    for (int i = 0; i < s->loop.n; i++) {
        int64_t lo, hi;
        if (x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi) && hi > lo)
            all *= (double)(hi - lo);
    }
    return all;
}

/* Is s a loop over a vector's elements, as many as an access has at most? */
static bool spread_vector(Spread *t, const Stmt *s)
{
    int64_t lo, hi;
    if (s->loop.kind != Fvectorized || s->loop.n != 1 || t->vector ||
        !x_isint(t->l->p, s->loop.lo[0], &lo) || !x_isint(t->l->p, s->loop.hi[0], &hi) ||
        lo != 0 || hi < 1 || hi > MostRegs)
        return false;
    t->each = (int)hi;
    return true;
}

/* A parallel loop that touches the buffer, by threads as it will have them: a copy, since plans may
 * change variables. */
static void spread_parloop(Spread *t, const Stmt *s)
{
    Low *l = t->l;
    Stmt one = *s;
    one.next = NULL;
    if (stmt_walk(&one, spread_none, t) || t->closed)
        return;
    const ParLoopPlan *plan = loop_plan(s);
    Stmt *copy = low_renew(l, low_clone(l, &one));
    if (plan)
        t->at = plan->loop;
    else
        parloop_plan(l, copy, &t->at);
    t->env = anew(&l->p->ctx, (l->p->nvar + 1) * sizeof *t->env);
    t->loop = copy;
    spread_block(t, copy->loop.body);
    t->loop = NULL;
}

static void spread_block(Spread *t, const Stmt *s)
{
    Stmt *b[2];
    for (; s && !t->closed; s = s->next) {
        double outer = t->weight;
        if (!t->loop && s->kind == Sfor && s->loop.kind == Fparallel) {
            spread_parloop(t, s);
            continue;
        }
        spread_statement(t, s);
        const Stmt *vector = t->vector;
        if (s->kind == Sfor && t->loop && spread_vector(t, s))
            t->vector = s;
        else if (s->kind == Sfor)
            t->weight *= spread_times(t->l->p, s);
        LowRole role = low_enter(t->l, s);
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            spread_block(t, b[i]);
        low_leave(t->l, role);
        if (t->vector != vector)
            t->vector = vector, t->each = 1;
        t->weight = outer;
    }
}

/* What they cost ------------------------------------------------------------ */

/* Elements that one access takes: as many registers in a row as have elements in a row for each
 * lane, `most` at most. */
static int spread_width(const Spread *t, const Touch *k, int most)
{
    int w = VectorBytes / t->bytes;
    while (w > 1 && (w > most || k->nreg % w))
        w /= 2;
    for (int i = 0; w > 1 && i < k->nreg * t->lanes; i++) {
        int r = i / t->lanes, first = r / w * w * t->lanes + i % t->lanes;
        if (k->off[i] != (k->off[first] < 0 ? -1 : k->off[first] + r % w) ||
            (k->off[first] > 0 && k->off[first] % w))
            w /= 2, i = -1;
    }
    return w;
}

/* Wavefronts with the XOR of m; least, unless NULL: those without any conflict. */
static double spread_cost(const Spread *t, const Layout *m, double *least)
{
    const Machine *machine = t->l->m;
    int most = m->x.bits ? 1 << m->x.base : VectorBytes;
    double sum = 0, ideal = 0;
    for (int i = 0; i < t->n; i++) {
        const Touch *k = &t->touch[i];
        int w = spread_width(t, k, k->run > 1 && m->x.bits ? 1 : most); /* no more in a row */
        BankCost all = {0, 0, 0, 0};
        for (int r = 0; r < k->nreg; r += w) {
            int64_t addr[MaxLanes];
            for (int lane = 0; lane < t->lanes; lane++) {
                int64_t off = k->off[r * t->lanes + lane];
                addr[lane] = off < 0 ? -1 : layout_xor(m, off) * t->bytes;
            }
            BankCost one = bank_cost(addr, t->lanes, w * t->bytes, machine->banks,
                                     machine->bank_bytes);
            all.waves += one.waves;
            all.ideal += one.ideal;
        }
        sum += k->weight * all.waves;
        ideal += k->weight * all.ideal;
    }
    if (least)
        *least = ideal;
    return sum;
}

/* The cheapest XOR, if one is cheap enough; of equals that of the largest pieces, then of the
 * fewest bits. */
static void spread_best(const Spread *t, Layout *m)
{
    double least, best = spread_cost(t, m, &least) / 2;
    int64_t all = layout_extent(m, AXoff);
    Layout try = *m;
    bool found = false;
    int chunk = 0;
    if (least > best)
        return;
    while ((1 << (chunk + 1)) * t->bytes <= VectorBytes)
        chunk++;
    for (int base = chunk; base >= 0 && (1 << base) * t->bytes >= 4; base--)
        for (int bits = 1; bits <= 5; bits++)
            for (int shift = bits; (int64_t)1 << (base + shift + bits) <= all; shift++) {
                if (all % ((int64_t)1 << (base + bits)))
                    continue;
                try.x.bits = (int8_t)bits;
                try.x.base = (int8_t)base;
                try.x.shift = (int8_t)shift;
                double cost = spread_cost(t, &try, NULL);
                if (cost > best || (found && cost == best))
                    continue;
                best = cost;
                found = true;
                *m = try;
            }
}

void low_spread(Low *l, uint32_t buf, Layout *m)
{
    const Buf *b = &l->p->buf[buf]; /* until a plan makes another */
    Spread t = {.l = l, .buf = buf, .weight = 1, .each = 1, .lanes = l->m->warp,
                .lead = b->ndim - m->ndim, .bytes = dtypeinfo[b->dt].bits / 8};
    layout_linear(&t.plain, m->ndim, m->size);
    if (m->ndim < 2 || dtypeinfo[b->dt].bits < 8 || t.bytes > VectorBytes || t.lanes > MaxLanes ||
        l->m->banks == 0 || low_buf(l, buf)->async)
        return;
    spread_block(&t, l->launch->launch.body);
    if (!t.closed && t.n)
        spread_best(&t, m);
}

