/* core/lower/mma/select_gemm.c: the plan of one T.gemm: instruction, warps, layouts
 * of its operands in registers, wanted arrangement of those in shared memory.
 *
 * The machine's instructions are tried in its order, best first; the first one
 * whose conditions hold is taken, and every better one that was not leaves a
 * note with the condition that failed.  Reference: lowering.md 4, 3.3 to 3.5. */
#include <stdlib.h>
#include <string.h>

#include "gemm.h"
#include "gemm.h"
#include "err/dialect.h"
#include "err/lower.h"

#define TEXT(...) afmt(&t->l->p->ctx, __VA_ARGS__)

enum { GroupWarps = 4 };

/* A gemm that looks for its instruction. */
typedef struct GemmTry GemmTry;
struct GemmTry {
    Low *l;
    Stmt *s;
    const Region *r;
    int M, N, K;
    enum Dtype dt[3];
    enum Scope scope[3];
    int policy, warps;
};

static int letter_extent(const GemmTry *t, int which, int letter)
{
    int64_t v = 0;
    x_isint(t->l->p, t->r[which].extent[gemm_dim(t->l->p, t->s, which, letter)], &v);
    return (int)v;
}

static const char *select_gemm_name(const GemmTry *t, int which)
{
    return t->l->p->buf[t->r[which].buf].name;
}

static const char *select_gemm_types(const GemmTry *t)
{
    return TEXT("%s x %s -> %s", dtypeinfo[t->dt[GemmA]].name, dtypeinfo[t->dt[GemmB]].name,
                dtypeinfo[t->dt[GemmC]].name);
}

/* Partition ------------------------------------------------------------- */

/* w units of warps as m x n; unit tiles of um x un must divide.  Fewer than w
 * where none fits: then the others repeat their work.  cost: elements of A and
 * B that a unit reads for one k. */
typedef struct LetterPart { int m, n; } LetterPart;

static bool better(const GemmTry *t, LetterPart a, LetterPart b, double ca, double cb)
{
    if (a.m * a.n != b.m * b.n)
        return a.m * a.n > b.m * b.n;
    if (t->policy == PolicyFullRow)
        return a.m > b.m;
    if (t->policy == PolicyFullCol)
        return a.n > b.n;
    if (ca != cb)
        return ca < cb;
    int da = a.m > a.n ? a.m - a.n : a.n - a.m, db = b.m > b.n ? b.m - b.n : b.n - b.m;
    return da < db;
}

/* A warp group reads 64 rows of A again for each of its instructions along n. */
static double select_gemm_traffic(const GemmTry *t, const Mma *i, LetterPart p)
{
    double m = (double)t->M / p.m, n = (double)t->N / p.n;
    if (i->kind == MMAwarp)
        return m + n;
    int pieces = ((int)n + i->nmax - 1) / i->nmax;
    return m / i->m * (i->m * pieces + n);
}

static bool select_gemm_partition(const GemmTry *t, const Mma *i, int units, int um, int un,
                                  LetterPart *out)
{
    double best = 0;
    *out = (LetterPart){0, 0};
    for (int m = 1; m <= units; m++)
        for (int n = 1; m * n <= units; n++) {
            LetterPart p = {m, n};
            if (units % (m * n) || t->M % (m * um) || t->N % (n * un))
                continue;
            double cost = select_gemm_traffic(t, i, p);
            if (out->m == 0 || better(t, p, *out, cost, best)) {
                *out = p;
                best = cost;
            }
        }
    return out->m != 0;
}

/* Shared operands -------------------------------------------------------- */

/* Elements of a row of r's buffer: its last dimension. */
static int select_gemm_row(const GemmTry *t, int which)
{
    const Buf *b = &t->l->p->buf[t->r[which].buf];
    int64_t v = 0;
    x_isint(t->l->p, b->shape[b->ndim - 1], &v);
    return (int)v;
}

static bool k_last(const GemmTry *t, int which)
{
    return gemm_dim(t->l->p, t->s, which, which == GemmA ? 1 : 0) ==
           t->l->p->buf[t->r[which].buf].ndim - 1;
}

static bool select_gemm_annotated(const GemmTry *t, int which)
{
    const Prog *p = t->l->p;
    uint32_t b = t->r[which].buf;
    return p->buf[b].layout || p->buf[buf_root(p, b)].layout;
}

/* Another shape of the same bytes exists: then their order is not free. */
static bool viewed(const GemmTry *t, int which)
{
    const Prog *p = t->l->p;
    uint32_t root = buf_root(p, t->r[which].buf);
    for (uint32_t v = root; v < p->nbuf; v++)
        if (p->buf[v].base && buf_root(p, v) == root)
            return true;
    return false;
}

/* The widest swizzle whose span divides rows of so many bytes; 0: none.  (An odd
 * number of 16 bytes is free of conflicts as it is.) */
static int widest_swizzle(int bytes)
{
    for (int span = 128; span >= 32; span /= 2)
        if (bytes % span == 0)
            return span;
    return 0;
}

void select_exchange(Low *l, uint32_t buf)
{
    const Buf *b = &l->p->buf[buf];
    BufLow *k = low_buf(l, buf);
    int64_t v;
    int bits = dtypeinfo[b->dt].bits;
    if (b->scope == SCshared && !b->base && !b->layout && b->ndim >= 2 && k->span == 0 &&
        bits >= 8 && bits <= 32 && x_isint(l->p, b->shape[b->ndim - 1], &v))
        k->span = widest_swizzle((int)(v * bits / 8));
}

/* -1: rows want padding. */
static int mma_span(const GemmTry *t, const Mma *i, int which)
{
    int bits = dtypeinfo[t->dt[which]].bits, bytes = select_gemm_row(t, which) * bits / 8;
    if (i->transposed || t->l->m->warp == 64)
        return -2;
    bool pads = bits == 8 && !k_last(t, which) && bytes % 16 == 0 && !t->l->retry.dense;
    return pads ? -1 : widest_swizzle(bytes);
}

/* The span of a layout that the user gave and a descriptor can say: of the
 * swizzles by name, or written out; 0: another one. */
static int user_span(GemmTry *t, const Mma *i, int which)
{
    Prog *p = t->l->p;
    const Buf *b = &p->buf[t->r[which].buf];
    int k = gemm_dim(p, t->s, which, which == GemmA ? 1 : 0), n = b->ndim;
    int mn = 2 * n - 3 - k, bits = dtypeinfo[b->dt].bits;
    Layout l;
    Descriptor d;
    int32_t size[LayDims];
    int64_t v;
    for (int x = 0; x < n; x++)
        size[x] = x_isint(p, b->shape[x], &v) ? (int32_t)v : 1;
    if (*b->layout == '[' ? !layout_parse(&l, b->layout)
                          : strncmp(b->layout, "swizzle_", 8) != 0 ||
                                !layout_swizzled(&l, n, size, bits, atoi(b->layout + 8)))
        return 0;
    if (l.ndim < n) { /* of the last dimensions */
        k -= n - l.ndim;
        mn -= n - l.ndim;
    }
    if (k < 0 || mn < 0 || l.ndim > n ||
        !gemm_descriptor(&l, mn, k, l.size[mn] < 64 ? l.size[mn] : 64, i->k, bits, &d))
        return 0;
    return d.swizzle ? d.swizzle : 16;
}

static int group_span(GemmTry *t, const Mma *i, int which)
{
    const Buf *b = &t->l->p->buf[t->r[which].buf];
    if (b->layout)
        return user_span(t, i, which);
    int bytes = select_gemm_row(t, which) * dtypeinfo[t->dt[which]].bits / 8;
    int span = widest_swizzle(bytes);
    return span ? span : 16;
}

/* The buffer takes what all its products can use: the arrangements of wgmma
 * are needed, the others only wanted. */
static void select_gemm_wish(const GemmTry *t, int which, int span)
{
    BufLow *b = low_buf(t->l, buf_root(t->l->p, t->r[which].buf));
    int old = b->span;
    if (span == 0 || old == span || select_gemm_annotated(t, which))
        return;
    Buf *of = &t->l->p->buf[buf_root(t->l->p, t->r[which].buf)];
    of->cause = "gemm";
    of->fixed = t->s->loc;
    b->span = old == 0 ? span : old > 0 && span > 0 ? (old < span ? old : span)
                                                    : (old > span ? old : span);
    if (old > 0 && span > 0)
        low_note(t->l, E_gemm_span, t->s, select_gemm_name(t, which), TEXT("%d", b->span),
                 TEXT("%d", old > span ? old : span));
}

/* Layouts ----------------------------------------------------------------- */

typedef struct Tiling { int count, split, stride; } Tiling;

/* The fragment of a warp (or warp group) with the tiles of each letter on
 * REG, and the warps along it. */
static bool warp_fragment(const GemmTry *t, const GemmPlan *g, char which, Layout *out)
{
    Layout in;
    MmaShape s = gemm_shape(g->mma, g->n);
    int unit = g->mma->kind == MMAgroup ? GroupWarps : 1, gm = g->wm / unit;
    int inst[2], warps = gm * g->wn;
    Tiling x[2];
    int32_t size[2], extra = (int32_t)(t->warps / (g->wm * g->wn));
    if (!gemm_inst(g->mma, which, g->n, 1, &in))
        return false;
    int items = (int)layout_extent(&in, AXreg);
    Tiling m = {g->M / gm / s.m, gm, unit}, n = {g->N / g->wn / s.n, g->wn, unit * gm};
    Tiling k = {g->K / s.k, 1, 0};
    x[0] = which == 'b' ? k : m;
    x[1] = which == 'a' ? k : n;
    for (int d = 0; d < 2; d++)
        inst[d] = in.size[d];
    for (int d = 0; d < 2; d++)
        size[d] = (int32_t)(inst[d] * x[d].count * x[d].split);
    int inner = which == 'b' ? 0 : 1; /* the letter whose tiles stand side by side */
    layout_init(out, 2, size);
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < in.n; i++)
            if (in.d[i].dim == d)
                layout_mode(out, d, in.d[i].extent, (enum Axis)in.d[i].axis, in.d[i].stride);
        layout_mode(out, d, x[d].count, AXreg, d == inner ? items : items * x[inner].count);
        layout_mode(out, d, x[d].split, AXwarp, x[d].stride);
    }
    for (int i = 0; i < in.nb; i++)
        layout_bcast(out, in.b[i].extent, (enum Axis)in.b[i].axis, in.b[i].stride);
    if (which == 'a')
        layout_bcast(out, g->wn, AXwarp, unit * gm);
    if (which == 'b')
        layout_bcast(out, gm, AXwarp, unit);
    layout_bcast(out, extra, AXwarp, unit * warps);
    layout_canon(out);
    return true;
}

/* Conditions --------------------------------------------------------------- */

static bool select_gemm_divides(GemmTry *t, const char *what, int v, int by, const char **why)
{
    if (v % by)
        *why = TEXT("%s: %d %% %d != 0", what, v, by);
    return v % by == 0;
}

/* The assembler counts the registers that all threads of the block have at its start, a producer's
 * too, whatever setmaxnreg does later, and wants some beside the accumulators (ptxas: C7602). */
enum { InstructionBeside = 26 };

int gemm_launch_registers(const Mma *i, int n) { return n * dtypeinfo[i->c].bits / 64 + InstructionBeside; }

/* N of one instruction for which a thread has registers. */
static int register_n(const GemmTry *t, const Mma *i)
{
    enum { Unit = 8 };
    const Low *l = t->l;
    const Machine *m = l->m;
    bool all = l->threads == l->total && m->tma;
    int blocks = l->launch->launch.blocks ? l->launch->launch.blocks : 1;
    int regs = m->regs_sm / blocks / (l->total + (all ? GroupWarps * m->warp : 0)) / Unit * Unit;
    if (regs > m->regs_thread)
        regs = m->regs_thread;
    return (regs - InstructionBeside) * 2 * 32 / dtypeinfo[i->c].bits;
}

/* N of one instruction: the largest that divides a group's columns; pieces of
 * an MN-major operand begin at a span or stay in one.  Integer types have only
 * multiples of 16 above 24 (PTX ISA, wgmma). */
static int group_n(const GemmTry *t, const Mma *i, int columns, int span)
{
    int w = span * 8 / dtypeinfo[t->dt[GemmB]].bits, cap = register_n(t, i);
    cap = cap < i->nmax ? cap : i->nmax;
    for (int n = cap < columns ? cap : columns; n >= i->n; n--) {
        if (n % i->n || columns % n)
            continue;
        if (k_last(t, GemmB) || n % w == 0 || w % n == 0)
            return n;
    }
    return 0;
}

/* A shared operand of wgmma: where the tile begins in its buffer, and an
 * arrangement that a descriptor can say. */
static const char *group_operand(GemmTry *t, const Mma *i, int which)
{
    Prog *p = t->l->p;
    int kl = which == GemmA ? 1 : 0;
    Ex k = t->r[which].min[gemm_dim(p, t->s, which, kl)];
    Ex x = t->r[which].min[gemm_dim(p, t->s, which, 1 - kl)];
    int span = group_span(t, i, which), w = span * 8 / dtypeinfo[t->dt[which]].bits;
    if (t->scope[which] != SCshared)
        return TEXT("`%s` %s", select_gemm_name(t, which), scopename[t->scope[which]]);
    if (i->kmajor_only && !k_last(t, which))
        return TEXT("`%s` %s, %s", select_gemm_name(t, which), dtypeinfo[t->dt[which]].name,
                    which == GemmA ? "transpose_A = true" : "transpose_B = false");
    if (span == 0)
        return TEXT("`%s`: T.annotate_layout", select_gemm_name(t, which));
    if (viewed(t, which))
        return TEXT("`%s`: T.view", select_gemm_name(t, which));
    if (!x_multiple(p, k, i->k) || !x_multiple(p, x, k_last(t, which) ? 8 : w))
        return TEXT("`%s` %% %d != 0", select_gemm_name(t, which), k_last(t, which) ? 8 : w);
    return NULL;
}

static const char *try_group(GemmTry *t, const Mma *i, GemmPlan *g)
{
    const char *why = NULL;
    LetterPart p;
    if (!select_gemm_divides(t, "threads", t->l->threads, GroupWarps * t->l->m->warp, &why) ||
        !select_gemm_divides(t, "threads", t->l->base, GroupWarps * t->l->m->warp, &why) ||
        !select_gemm_divides(t, "M", t->M, i->m, &why) ||
        !select_gemm_divides(t, "N", t->N, i->n, &why) ||
        !select_gemm_divides(t, "K", t->K, i->k, &why))
        return why;
    if (!select_gemm_partition(t, i, t->warps / GroupWarps, i->m, i->n, &p))
        return TEXT("M %d, N %d", t->M, t->N);
    if (p.m * p.n * GroupWarps != t->warps)
        return TEXT("threads %d > %d", t->l->threads, p.m * p.n * GroupWarps * t->l->m->warp);
    if (t->scope[GemmA] != SCfragment && (why = group_operand(t, i, GemmA)))
        return why;
    if ((why = group_operand(t, i, GemmB)))
        return why;
    g->aspan = t->scope[GemmA] == SCshared ? group_span(t, i, GemmA) : 0;
    g->bspan = group_span(t, i, GemmB);
    g->wm = p.m * GroupWarps;
    g->wn = p.n;
    g->n = group_n(t, i, t->N / p.n, g->bspan);
    return g->n ? NULL : TEXT("N %d", t->N);
}

static bool select_gemm_onchip(enum Scope s) { return s == SCshared || s == SCfragment; }

static const char *try_warp(GemmTry *t, const Mma *i, GemmPlan *g)
{
    const char *why = NULL;
    MmaShape s = gemm_shape(i, 0);
    LetterPart p;
    if (!select_gemm_divides(t, "threads", t->l->threads, t->l->m->warp, &why) ||
        !select_gemm_divides(t, "M", t->M, s.m, &why) ||
        !select_gemm_divides(t, "N", t->N, s.n, &why) ||
        !select_gemm_divides(t, "K", t->K, s.k, &why))
        return why;
    for (int k = 0; k < 2; k++)
        if (!select_gemm_onchip(t->scope[k]))
            return TEXT("`%s` %s", select_gemm_name(t, k), scopename[t->scope[k]]);
    if (!select_gemm_partition(t, i, t->warps, s.m, s.n, &p))
        return TEXT("M %d, N %d", t->M, t->N);
    g->aspan =
        t->scope[GemmA] == SCshared && !select_gemm_annotated(t, GemmA) ? mma_span(t, i, GemmA) : 0;
    g->bspan =
        t->scope[GemmB] == SCshared && !select_gemm_annotated(t, GemmB) ? mma_span(t, i, GemmB) : 0;
    g->wm = p.m;
    g->wn = p.n;
    return NULL;
}

/* C as the instruction has it, or (widen) as one that is converted to it. */
static bool fits_types(const GemmTry *t, const Mma *i, bool widen)
{
    if (i->a != t->dt[GemmA] || i->b != t->dt[GemmB])
        return false;
    return widen ? i->c == DTf32 && t->dt[GemmC] != DTf32 && dtypeinfo[t->dt[GemmC]].cls == 'F' &&
                       dtypeinfo[t->dt[GemmC]].bits < 32
                 : i->c == t->dt[GemmC];
}

/* The instruction, with what it asks filled into g; NULL: none, and why. */
static const Mma *select_gemm_instruction(GemmTry *t, GemmPlan *g, const char **why)
{
    const Machine *m = t->l->m;
    const char *failed[16];
    const Mma *passed[16];
    int n = 0;
    *why = select_gemm_types(t);
    for (int widen = 0; widen < 2; widen++)
        for (int k = 0; k < m->nmma; k++) {
            const Mma *i = &m->mma[k];
            if (!fits_types(t, i, widen))
                continue;
            const char *no = i->kind == MMAgroup ? try_group(t, i, g) : try_warp(t, i, g);
            if (!no) {
                for (int j = 0; j < n; j++)
                    low_note(t->l, E_gemm_better, t->s, passed[j]->name, failed[j], i->name);
                g->widen = widen;
                return i;
            }
            *why = no;
            if (n < (int)COUNT(failed)) {
                passed[n] = i;
                failed[n++] = no;
            }
        }
    return NULL;
}

/* 8-bit floats are in every value of float16, which most machines multiply. */
static bool float8(const GemmTry *t)
{
    bool a = false, b = false, half = false, any = false;
    for (int i = 0; i < t->l->m->nmma; i++) {
        uint8_t dt = t->l->m->mma[i].a;
        half |= dt == DTf16;
        any |= dt == DTe4m3 || dt == DTe5m2;
    }
    a = t->dt[GemmA] == DTe4m3 || t->dt[GemmA] == DTe5m2;
    b = t->dt[GemmB] == DTe4m3 || t->dt[GemmB] == DTe5m2;
    return a && b && half && !any;
}

/* Why no instruction was found, as a note; where another type helps, as a warning. */
static void select_gemm_scalar(GemmTry *t, const char *why)
{
    const Machine *m = t->l->m;
    if (m->nmma == 0) {
        low_note(t->l, E_gemm_no_matrix, t->s, m->name);
        return;
    }
    if (float8(t)) {
        low_note(t->l, E_gemm_float8, t->s, m->name, select_gemm_name(t, GemmA),
                 dtypeinfo[t->dt[GemmA]].name, select_gemm_name(t, GemmB),
                 dtypeinfo[t->dt[GemmB]].name, dtypeinfo[DTf16].name);
        return;
    }
    for (int i = 0; i < m->nmma; i++)
        if (t->dt[GemmA] == DTf32 && m->mma[i].a == DTtf32) {
            low_note(t->l, E_gemm_float32, t->s, m->name, select_gemm_name(t, GemmA),
                     select_gemm_name(t, GemmB));
            return;
        }
    low_note(t->l, E_gemm_scalar, t->s, m->name, why);
}

/* Lanes that load twice as many consecutive k: only where both operands come
 * from memory, so that both get the same order of k. */
static int packing(GemmTry *t, const GemmPlan *g)
{
    int k = gemm_shape(g->mma, 0).k;
    if (t->s->op.attr[GEkpack] != 2)
        return 1;
    const char *why = t->l->m->warp != 64 ? t->l->m->name
                      : g->areg || g->breg
                          ? TEXT("`%s` fragment", select_gemm_name(t, g->areg ? 0 : 1))
                      : t->K % (2 * k) ? TEXT("K: %d %% %d != 0", t->K, 2 * k)
                                       : NULL;
    if (why)
        low_note(t->l, E_gemm_k_pack, t->s, why);
    return why ? 1 : 2;
}

static void layouts(GemmTry *t, GemmPlan *g)
{
    bool ok = warp_fragment(t, g, 'c', &g->c);
    if (g->areg)
        ok &= warp_fragment(t, g, 'a', &g->a);
    if (g->breg)
        ok &= warp_fragment(t, g, 'b', &g->b);
    if (!ok)
        diag_fail(&t->l->p->ctx, E_bug, t->s->loc, TEXT("no layout for `%s`", g->mma->name), NULL);
    if (!g->areg)
        select_gemm_wish(t, GemmA, g->aspan);
    if (!g->breg)
        select_gemm_wish(t, GemmB, g->bspan);
    for (int k = 0; k < 2 && g->mma->kind == MMAgroup; k++)
        if (t->scope[k] == SCshared)
            low_async(t->l, t->r[k].buf);
}

GemmPlan *select_gemm(Low *l, Stmt *s)
{
    Prog *p = l->p;
    GemmTry t = {.l = l, .s = s, .r = s->op.r, .policy = s->op.attr[GEpolicy],
                 .warps = l->threads / l->m->warp};
    GemmPlan *g = anew(&p->ctx, sizeof *g);
    const char *why = "";
    for (int k = 0; k < 3; k++) {
        t.dt[k] = (enum Dtype)p->buf[t.r[k].buf].dt;
        t.scope[k] = (enum Scope)p->buf[t.r[k].buf].scope;
    }
    t.M = g->M = letter_extent(&t, GemmC, 0);
    t.N = g->N = letter_extent(&t, GemmC, 1);
    t.K = g->K = letter_extent(&t, GemmA, 1);
    g->async = s->op.attr[GEasync] != 0;
    g->areg = t.scope[GemmA] == SCfragment;
    g->breg = t.scope[GemmB] == SCfragment;
    g->pack = 1;
    if (t.scope[GemmC] != SCfragment)
        why = afmt(&p->ctx, "`%s` %s", select_gemm_name(&t, GemmC), scopename[t.scope[GemmC]]);
    else
        g->mma = select_gemm_instruction(&t, g, &why);
    if (!g->mma) {
        select_gemm_scalar(&t, why);
        return g;
    }
    g->pack = packing(&t, g);
    layouts(&t, g);
    if (g->wm * g->wn < t.warps)
        low_note(l, E_gemm_copies, s, afmt(&p->ctx, "%d x %d", t.M, t.N),
                 afmt(&p->ctx, "%d", g->wm * g->wn), afmt(&p->ctx, "%d", t.warps), g->mma->name);
    if (g->async && g->mma->kind != MMAgroup && !l->m->wgmma)
        low_note(l, E_gemm_async, s, g->mma->name, l->m->name);
    const MmaSum *sum = g->mma->sum;
    if (sum && g->mma->c == DTf32 && sum->places < 23)
        low_note(l, E_gemm_places, s, g->mma->name, l->m->name, afmt(&p->ctx, "%d", sum->places),
                 afmt(&p->ctx, "%d", sum->group));
    if (g->widen)
        low_note(l, E_gemm_widened, s, dtypeinfo[g->mma->c].name, select_gemm_name(&t, GemmC),
                 dtypeinfo[t.dt[GemmC]].name, g->mma->name);
    return g;
}
