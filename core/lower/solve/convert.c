/* core/lower/solve/convert.c: moving values from one layout of a fragment to another.
 *
 * Within the warps: shuffles.  Register t of the new layout is wanted by every lane
 * from a lane and a register that its modes name; a register number that differs
 * between lanes costs one shuffle for each of its values.  Across warps:
 * through shared memory, in two parallel loops. */
#include <string.h>

#include "solve.h"

/* Parallel loops ------------------------------------------------------------------ */

Stmt *move_parloop(Solve *s, uint32_t dst, uint32_t src, int ndim, const int32_t *size,
                   const Layout *loop, Loc loc)
{
    static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    Low *l = s->l;
    Prog *p = l->p;
    Ex lo[MaxDim], hi[MaxDim], v[MaxDim];
    low_begin(l, loc);
    for (int d = 0; d < ndim; d++) {
        lo[d] = low_i(l, 0);
        hi[d] = low_i(l, size[d]);
    }
    Stmt *f = s_for(p, Fparallel, lo, hi, ndim, 0, names);
    for (int d = 0; d < ndim; d++)
        v[d] = x_var(p, f->loop.var[d]);
    s_store(p, dst, v, ndim, x_load(p, src, v, ndim));
    s_close(p);
    f->loop.plan = low_loop_plan(l, loop);
    return low_end(l);
}

/* Shuffles --------------------------------------------------------------- */

/* Value of the axis without its broadcast modes: the first copy's. */
static int64_t convert_first_copy(const Layout *l, enum Axis a, int64_t v)
{
    for (int i = 0; i < l->nb; i++)
        if (l->b[i].axis == a)
            v -= v / l->b[i].stride % l->b[i].extent * l->b[i].stride;
    return v;
}

enum { MaxShuffle = 512, MaxLane = 64 };

/* Registers of a from which the lanes of a warp take register t of b, ascending; how
 * many, or -1: one stands in another warp. */
static int sources(const Solve *s, const Layout *a, const Layout *b, int64_t t, int64_t *reg)
{
    int n = 0, lanes = s->l->m->warp;
    int64_t warps = layout_extent(b, AXwarp);
    for (int64_t w = 0; w < warps; w++)
        for (int lane = 0; lane < lanes; lane++) {
            int32_t idx[LayDims];
            Spot at = {{[AXreg] = t, [AXlane] = lane, [AXwarp] = w}};
            if (!layout_invert(b, &at, idx))
                continue;
            Spot from = layout_eval(a, idx);
            if (from.at[AXwarp] != convert_first_copy(a, AXwarp, w) ||
                w >= layout_extent(a, AXwarp))
                return -1;
            int k = 0;
            while (k < n && reg[k] < from.at[AXreg])
                k++;
            if (k < n && reg[k] == from.at[AXreg])
                continue;
            if (n == MaxLane)
                return -1;
            memmove(&reg[k + 1], &reg[k], (size_t)(n - k) * sizeof *reg);
            reg[k] = from.at[AXreg];
            n++;
        }
    return n;
}

int shuffle_count(const Solve *s, const Layout *a, const Layout *b)
{
    int64_t reg[MaxLane + 1], regs = layout_extent(b, AXreg);
    int sum = 0;
    for (int64_t t = 0; t < regs && sum <= MaxShuffle; t++) {
        int n = sources(s, a, b, t, reg);
        if (n < 0)
            return 0;
        sum += n;
    }
    return sum > MaxShuffle ? 0 : sum;
}

/* Where index idx stands on an axis of map, as an expression. */
static Ex on_axis(Low *l, const Layout *map, enum Axis a, const Ex *idx)
{
    Ex sum = low_i(l, 0);
    for (int i = 0; i < map->n; i++) {
        const Mode *g = &map->d[i];
        if (g->axis != a)
            continue;
        Ex v = low_mod(l, low_div(l, idx[g->dim], g->weight), g->extent);
        sum = low_add(l, sum, low_mul(l, v, g->stride));
    }
    return sum;
}

/* The index that register t of map holds in this thread. */
static void convert_index_at(Low *l, const Layout *map, int64_t t, Ex *idx)
{
    Ex reg[LayModes];
    int n = 0;
    for (int i = 0; i < map->n; i++)
        if (map->d[i].axis == AXreg)
            reg[n++] = low_i(l, t / map->d[i].stride % map->d[i].extent);
    for (int d = 0; d < map->ndim; d++)
        idx[d] = low_index(l, map, d, reg);
}

Stmt *shuffle_move(Solve *s, uint32_t dst, const Layout *b, uint32_t src, const Layout *a, Loc loc)
{
    Low *l = s->l;
    Prog *p = l->p;
    int64_t reg[MaxLane + 1], regs = layout_extent(b, AXreg);
    low_begin(l, loc);
    for (int64_t t = 0; t < regs; t++) {
        Ex idx[MaxDim], v = 0, at = low_i(l, t);
        int n = sources(s, a, b, t, reg);
        convert_index_at(l, b, t, idx);
        Ex lane = on_axis(l, a, AXlane, idx), which = on_axis(l, a, AXreg, idx);
        for (int k = 0; k < n; k++) {
            Ex from = low_i(l, reg[k]), x = x_load(p, src, &from, 1);
            x = x_var(p, s_let(p, "t", low_shuffle(l, Ishfl, x, lane, l->m->warp)));
            v = v ? x_select(p, x_bin(p, Xeq, which, from), x, v) : x;
        }
        if (!v) { /* padding: a value all the same */
            enum Dtype dt = (enum Dtype)p->buf[dst].dt;
            v = dtypeinfo[dt].cls == 'F' ? x_float(p, dt, 0) : x_int(p, dt, 0);
        }
        s_store(p, dst, &at, 1, v);
    }
    return low_end(l);
}

/* Staging memory --------------------------------------------------------- */

static bool in_layout(const Layout *m, const int32_t *idx)
{
    for (int d = 0; d < m->ndim; d++)
        if (idx[d] >= m->size[d])
            return false;
    return true;
}

/* Wavefronts of a warp that touches its register t through map m, which may be that of a part. */
static int waves(const Solve *s, const Layout *loop, int64_t t, int bits, const Layout *m)
{
    int64_t addr[MaxLane];
    const Machine *mc = s->l->m;
    int bytes = bits < 8 ? 1 : bits / 8;
    for (int lane = 0; lane < mc->warp; lane++) {
        int32_t idx[LayDims];
        Spot at = {{[AXreg] = t, [AXlane] = lane}};
        bool there = layout_invert(loop, &at, idx) && in_layout(m, idx);
        addr[lane] = there ? layout_eval(m, idx).at[AXoff] * bytes : -1;
    }
    return bank_cost(addr, mc->warp, bytes, mc->banks, mc->bank_bytes).waves;
}

enum { Samples = 4 };

static int all_waves(const Solve *s, const Layout *w, const Layout *r, int bits, const Layout *m)
{
    int sum = 0;
    for (int t = 0; t < Samples; t++) {
        if (t < layout_extent(w, AXreg))
            sum += waves(s, w, t, bits, m);
        if (r && t < layout_extent(r, AXreg))
            sum += waves(s, r, t, bits, m);
    }
    return sum;
}

static int convert_log2of(int64_t v)
{
    int n = 0;
    while (v > 1)
        v /= 2, n++;
    return n;
}

void stage_map(const Solve *s, int ndim, const int32_t *size, int bits, const Layout *w,
               const Layout *r, Layout *out)
{
    layout_linear(out, ndim, size);
    if (ndim < 2 || bits < 8)
        return;
    int32_t row = size[ndim - 1];
    int64_t total = layout_extent(out, AXoff);
    int best = all_waves(s, w, r, bits, out), base = convert_log2of(128 / bits);
    if ((row & (row - 1)) || bits > 128)
        return;
    for (int b = 1; b <= 3; b++) {
        Layout m = *out;
        int shift = convert_log2of(row) - base;
        if (shift < b || total % ((int64_t)row << b))
            break;
        m.x.bits = (int8_t)b;
        m.x.base = (int8_t)base;
        m.x.shift = (int8_t)shift;
        int c = all_waves(s, w, r, bits, &m);
        if (c < best) {
            best = c;
            out->x.bits = m.x.bits;
            out->x.base = m.x.base;
            out->x.shift = m.x.shift;
        }
    }
}
