/* core/lower/mma/gemm_fetch.c: operands of matrix instructions from shared memory:
 * by ldmatrix where 8x8 matrices stand there, else by plain loads as wide as a
 * lane's elements and the memory allow.  Reference: lowering.md 3.1, 3.2. */
#include "gemm.h"
#include "err/lower.h"

typedef struct Fetch Fetch;
struct Fetch {
    Gemm *q;
    const Operand *o;
    Low *l;
    Prog *p;
    int x;         /* the letter that C has too; the other one is k */
    int bits;
    Ex step;
    uint32_t to;
    Matrices m;
    int group;     /* tiles along x of one ldmatrix */
};

/* The fragment of n tiles along letter x, side by side in the registers. */
static Layout gemm_fetch_side_by_side(const Operand *o, int x, int n)
{
    Layout f;
    int32_t size[2] = {o->inst.size[0], o->inst.size[1]};
    size[x] *= n;
    layout_init(&f, 2, size);
    for (int i = 0; i < o->inst.n; i++) {
        const Mode *g = &o->inst.d[i];
        layout_mode(&f, g->dim, g->extent, (enum Axis)g->axis, g->stride);
    }
    layout_mode(&f, x, n, AXreg, o->items);
    return f;
}

static const char *gemm_fetch_order(Fetch *f)
{
    const Prog *p = f->p;
    int last = p->buf[f->o->r->buf].ndim - 1;
    static const char letter[3][2] = {{'m', 'k'}, {'k', 'n'}, {'m', 'n'}};
    const char *name = letter[f->o->which];
    bool turned = f->o->dim[0] == last;
    return afmt(&f->p->ctx, "%s [%c][%c]", dtypeinfo[p->buf[f->o->r->buf].dt].name, name[turned],
                name[!turned]);
}

/* NULL, or why ldmatrix cannot fetch this operand. */
static const char *gemm_fetch_match(Fetch *f)
{
    const Operand *o = f->o;
    int row = 128 / f->bits, c = -1;
    if (f->bits > 32)
        return gemm_fetch_order(f);
    for (int d = 0; d < 2; d++)
        if (gemm_contiguous(&o->map, o->dim[d], row))
            c = d;
    if (c < 0)
        return afmt(&f->p->ctx, "%s: 16 B", gemm_fetch_order(f));
    if (!x_multiple(f->p, o->r->min[o->dim[c]], row))
        return afmt(&f->p->ctx, "min %% %d != 0", row);
    const char *why = "";
    for (f->group = 4; f->group >= 1; f->group /= 2) {
        if (o->count[f->x] % f->group)
            continue;
        Layout tile = gemm_fetch_side_by_side(o, f->x, f->group);
        if (!(why = gemm_matrices(&tile, f->bits, c, &f->m)))
            return NULL;
    }
    return afmt(&f->p->ctx, "%s: %s", gemm_fetch_order(f), why);
}

static void matrices(Fetch *f)
{
    Low *l = f->l;
    const Operand *o = f->o;
    Ex row[2];
    int32_t attr[MaxAttr] = {f->m.num, f->m.trans};
    int n = o->count[f->x] / f->group, c = o->dim[1 - f->m.row];
    Ex x = gemm_for(l, f->x ? "j" : "i", n);
    Ex first = low_mul(l, x, f->group), t[2] = {f->x ? f->step : first, f->x ? first : f->step};
    Region r = {.buf = o->r->buf};
    gemm_row(l, &f->m, row);
    gemm_origin(f->q, o, t, true, r.min);
    for (int d = 0; d < 2; d++)
        r.min[o->dim[d]] = low_add(l, r.min[o->dim[d]], row[d]);
    for (int d = 0; d < f->p->buf[r.buf].ndim; d++)
        r.extent[d] = low_i(l, d == c ? 128 / f->bits : 1);
    Region to = gemm_regs(l, f->to, low_mul(l, first, o->items), f->group * o->items);
    s_op(f->p, Oldmatrix, (Region[MaxRegion]){r, to}, 0, attr, NULL);
    gemm_end(l, n);
}

/* How many elements one load takes: a lane's lowest run of registers, as far as
 * they stand side by side in memory. */
static int fetch_width(const Fetch *f)
{
    const Operand *o = f->o;
    for (int i = 0; i < o->inst.n; i++) {
        const Mode *g = &o->inst.d[i];
        if (g->axis != AXreg || g->stride != 1 || g->weight != 1)
            continue;
        int w = g->extent, d = o->dim[g->dim];
        while (w > 1 && (w * f->bits > f->l->m->vec_bytes * 8 ||
                         !gemm_contiguous(&o->map, d, w) || !x_multiple(f->p, o->r->min[d], w)))
            w /= 2;
        return w;
    }
    return 1;
}

static void fetch_loads(Fetch *f, int w)
{
    Low *l = f->l;
    const Operand *o = f->o;
    Ex zero = low_i(l, 0), idx[MaxDim], reg[LayModes], v = zero;
    Ex x = gemm_for(l, f->x ? "j" : "i", o->count[f->x]);
    Ex e = low_mul(l, gemm_for(l, "e", o->items / w), w);
    Ex t[2] = {f->x ? f->step : x, f->x ? x : f->step};
    if (w > 1) {
        const char *name = "v";
        Ex hi = low_i(l, w);
        v = x_var(f->p, s_for(f->p, Fvectorized, &zero, &hi, 1, 0, &name)->loop.var[0]);
    }
    int r = 0;
    for (int i = 0; i < o->inst.n; i++) {
        const Mode *g = &o->inst.d[i];
        if (g->axis != AXreg)
            continue;
        reg[r] = low_mod(l, low_div(l, e, g->stride), g->extent);
        if (g->stride == 1)
            reg[r] = low_add(l, reg[r], v);
        r++;
    }
    gemm_origin(f->q, o, t, true, idx);
    for (int d = 0; d < 2; d++)
        idx[o->dim[d]] = low_add(l, idx[o->dim[d]], low_index(l, &o->inst, d, reg));
    Ex at = low_add(l, low_add(l, low_mul(l, x, o->items), e), v);
    s_store(f->p, f->to, &at, 1, x_load(f->p, o->r->buf, idx, f->p->buf[o->r->buf].ndim));
    if (w > 1)
        s_close(f->p);
    gemm_end(l, o->items / w);
    gemm_end(l, o->count[f->x]);
}

static void gemm_fetch_moves(Fetch *f)
{
    Ex x = gemm_for(f->l, f->x ? "j" : "i", f->o->count[f->x]);
    gemm_move(f->q, f->o, (Ex[2]){f->x ? f->step : x, f->x ? x : f->step}, f->to,
              low_mul(f->l, x, f->o->items), false);
    gemm_end(f->l, f->o->count[f->x]);
}

void gemm_fetch(Gemm *q, const Operand *o, Ex step, uint32_t to)
{
    Fetch f = {.q = q, .o = o, .l = q->l, .p = q->p, .x = o->which == GemmB, .step = step,
               .to = to, .bits = dtypeinfo[q->p->buf[o->r->buf].dt].bits};
    if (o->frag) {
        if (!o->inplace)
            gemm_fetch_moves(&f);
        return;
    }
    const char *why = q->l->m->ldmatrix ? gemm_fetch_match(&f) : NULL;
    if (q->l->m->ldmatrix && !why) {
        matrices(&f);
        return;
    }
    int w = fetch_width(&f);
    if (why)
        low_note(q->l, E_gemm_fetch, q->s, q->p->buf[o->r->buf].name,
                 afmt(&q->p->ctx, "%d", w * f.bits / 8), why);
    fetch_loads(&f, w);
}
