/* Products of every matrix instruction: the statements that low_select and
 * low_gemm make of a T.gemm are executed here lane by lane, from the definitions
 * of the instructions, and must give A * B; every fetch by ldmatrix must be
 * free of bank conflicts where the operand's arrangement promises it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lower/build/low.h"
#include "core/lower/lower.h"
#include "../../targets/targets.h"
#include "times.h"

enum { MaxBufs = 64 };
static int failures, products, conflicts;

/* One product to try. */
typedef struct Case Case;
struct Case {
    const Machine *m;
    enum Dtype a, b, c;
    int M, N, K, threads, policy, k_pack;
    bool ta, tb, clear, afrag, bfrag, mixed, slices; /* mixed: slots in another order */
};

/* A block that runs: values of all registers and of shared memory. */
typedef struct Run Run;
struct Run {
    const Case *c;
    Prog *p;
    Low *l;
    int64_t *env;
    double **at; /* of a buffer: [slot][thread], or [element offset] */
    uint32_t first; /* buffers from here on come into being while it runs */
    int threads;
};

static void describe(const Case *c)
{
    printf("  %s %s x %s -> %s, %d x %d x %d, threads %d, policy %d, k_pack %d%s%s%s%s%s%s%s\n",
           c->m->name, dtypeinfo[c->a].name, dtypeinfo[c->b].name, dtypeinfo[c->c].name, c->M, c->N,
           c->K, c->threads, c->policy, c->k_pack, c->ta ? " ta" : "", c->tb ? " tb" : "",
           c->clear ? " clear" : "", c->afrag ? " A fragment" : "", c->bfrag ? " B fragment" : "",
           c->mixed ? " mixed" : "", c->slices ? " slices" : "");
}

PRINTF(2, 3) static void wrong(const Case *c, const char *fmt, ...)
{
    va_list ap;
    if (failures++ > 10)
        return;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n");
    describe(c);
}

/* Small integers: exact in every type, products too. */
static double a_value(int m, int k) { return (m * 5 + k * 3 + m * k) % 4; }
static double b_value(int k, int n) { return (k * 7 + n * 2 + k * n) % 3; }
static double c_value(int m, int n) { return (m + 2 * n) % 5; }

/* Memory ----------------------------------------------------------------- */

static const Layout *map(const Run *r, uint32_t buf) { return &low_buf(r->l, buf)->map; }

static int bytes_of(const Run *r, uint32_t buf) { return dtypeinfo[r->p->buf[buf].dt].bits / 8; }

static int64_t num(Run *r, Ex e, int thread)
{
    int64_t v = 0;
    r->env[r->l->tid] = thread;
    if (!x_eval(r->p, e, r->env, &v))
        wrong(r->c, "an index cannot be evaluated");
    return v;
}

static double *cell(Run *r, uint32_t buf, const Ex *idx, int thread)
{
    const Buf *b = &r->p->buf[buf];
    int32_t at[LayDims];
    for (int d = 0; d < b->ndim; d++)
        at[d] = (int32_t)num(r, idx[d], thread);
    if (b->scope == SClocal)
        return &r->at[buf][at[0] * r->threads + thread];
    return &r->at[buf][layout_eval(map(r, buf), at).at[AXoff]];
}

static double value(Run *r, Ex e, int thread)
{
    const Expr *x = ex_at(r->p, e);
    if (x->op == Xload)
        return *cell(r, x->sym, x->arg, thread);
    if (x->op == Xcast)
        return value(r, x->arg[0], thread);
    return x->op == Xfloat ? x->f : (double)x->i;
}

/* Slots of a region of registers. */
static double *slot(Run *r, const Region *g, int k, int thread)
{
    return &r->at[g->buf][(num(r, g->min[0], thread) + k) * r->threads + thread];
}

/* Instructions ------------------------------------------------------------- */

/* Offsets of the 16 bytes that a lane's row of an ldmatrix names. */
static int64_t row_of(Run *r, const Region *g, int thread, double *out)
{
    const Buf *b = &r->p->buf[g->buf];
    Ex idx[MaxDim];
    int64_t n = 1, first = 0;
    int along = 0;
    for (int d = 0; d < b->ndim; d++) {
        int64_t e = num(r, g->extent[d], thread);
        idx[d] = g->min[d];
        if (e > 1) {
            along = d;
            n = e;
        }
    }
    for (int k = 0; k < n; k++) {
        idx[along] = low_add(r->l, g->min[along], low_i(r->l, k));
        double *at = cell(r, g->buf, idx, thread);
        if (k == 0)
            first = at - r->at[g->buf];
        if (at - r->at[g->buf] != first + k || first * bytes_of(r, g->buf) % 16)
            wrong(r->c, "the row of an ldmatrix is not 16 bytes in order");
        out[k] = *at;
    }
    return first * bytes_of(r, g->buf);
}

static void ldmatrix(Run *r, const Stmt *s, int warp)
{
    static double row[32][16];
    int64_t addr[32];
    int nrow = s->op.attr[0] * 8, per = 4 / bytes_of(r, s->op.r[0].buf);
    for (int k = 0; k < 32; k++)
        addr[k] = k < nrow ? row_of(r, &s->op.r[0], warp * 32 + k, row[k]) : -1;
    int span = low_buf(r->l, s->op.r[0].buf)->span;
    BankCost cost = bank_cost(addr, 32, 16, 32, 4);
    if (span && cost.waves != cost.ideal) {
        wrong(r->c, "ldmatrix: %d waves, ideal %d, span %d", cost.waves, cost.ideal, span);
        conflicts++;
    }
    for (int t = 0; t < 32; t++)
        for (int j = 0; j < s->op.attr[0]; j++)
            for (int q = 0; q < per; q++)
                *slot(r, &s->op.r[1], j * per + q, warp * 32 + t) =
                    s->op.attr[1] ? row[8 * j + 2 * (t % 4) + q][t / 4]
                                  : row[8 * j + t / 4][per * (t % 4) + q];
}

/* D += A * B from the fragments of the instruction. */
static void multiply(const Mma *i, int n, double *a, double *b, double *d)
{
    for (int x = 0; x < i->m; x++)
        for (int y = 0; y < n; y++)
            for (int k = 0; k < i->k; k++)
                d[x * n + y] += a[x * i->k + k] * b[k * n + y];
}

/* Place in the rows x cols matrix of l of a slot, a lane and a warp: the digits of slots add
 * to those of threads; -1: it has none. */
static int spot(const Layout *l, int slot, int lane, int warp)
{
    int32_t idx[LayDims];
    Spot at = {{[AXreg] = slot, [AXlane] = lane, [AXwarp] = warp}};
    return layout_invert(l, &at, idx) ? idx[0] * l->size[1] + idx[1] : -1;
}

/* Values of an operand in registers of the warps from `warp` on. */
static void gather(Run *r, const Mma *i, char which, int n, const Region *g, int warp, double *out,
                   bool back)
{
    Layout l;
    int lanes = r->c->m->warp, warps = i->kind == MMAgroup ? 4 : 1;
    mma_layout(i, which, n, &l);
    int regs = (int)layout_extent(&l, AXreg), of[256];
    if (regs > (int)COUNT(of))
        wrong(r->c, "an operand of %d slots", regs);
    for (int k = 0; k < regs && k < (int)COUNT(of); k++)
        of[k] = spot(&l, k, 0, 0);
    for (int w = 0; w < warps; w++)
        for (int t = 0; t < lanes; t++) {
            double *reg = slot(r, g, 0, (warp + w) * lanes + t);
            int base = spot(&l, 0, t, w);
            for (int k = 0; k < regs; k++)
                if (base < 0 || of[k] < 0)
                    continue;
                else if (back)
                    reg[k * r->threads] = out[base + of[k]];
                else
                    out[base + of[k]] = reg[k * r->threads];
        }
}

static double ma[64 * 32], mb[64 * 256], mc[64 * 256];

static void mma(Run *r, const Stmt *s, int warp)
{
    const Mma *i = mma_find(s->op.text);
    gather(r, i, 'a', 0, &s->op.r[0], warp, ma, false);
    gather(r, i, 'b', 0, &s->op.r[1], warp, mb, false);
    gather(r, i, 'c', 0, &s->op.r[2], warp, mc, false);
    multiply(i, i->n, ma, mb, mc);
    gather(r, i, 'c', 0, &s->op.r[2], warp, mc, true);
    products++;
}

/* Where in memory the operand of a descriptor begins, in bytes. */
static int64_t origin(Run *r, const Region *g, int thread)
{
    return (cell(r, g->buf, g->min, thread) - r->at[g->buf]) * bytes_of(r, g->buf);
}

/* Element (x, k) of an operand that begins at `at`, as a descriptor has it: lowering.md 3.4. */
static double described(const Run *r, const Region *g, const int32_t *attr, int x, int k, int64_t at)
{
    int bytes = bytes_of(r, g->buf), tnsp = attr[0], lbo = attr[1], sbo = attr[2];
    int S = attr[3] ? attr[3] : 16, w = S / bytes;
    if (!tnsp && S > 16)
        at += x / 8 * sbo + x % 8 * S + k * bytes;
    else if (!tnsp)
        at += k / w * lbo + x / 8 * sbo + x % 8 * 16 + k % w * bytes;
    else if (S > 16)
        at += x / w * lbo + k / 8 * sbo + k % 8 * S + x % w * bytes;
    else
        at += x / 8 * sbo + k / 8 * lbo + k % 8 * 16 + x % 8 * bytes;
    int64_t mask = S == 128 ? 0x70 : S == 64 ? 0x30 : S == 32 ? 0x10 : 0;
    return r->at[g->buf][(at ^ (at >> 3 & mask)) / bytes];
}

static void wgmma(Run *r, const Stmt *s, int warp)
{
    const Mma *i = mma_find(s->op.text);
    const int32_t *a = s->op.attr;
    int n = a[0], thread = warp * 32;
    int64_t at_b = origin(r, &s->op.r[1], thread);
    if (r->p->buf[s->op.r[0].buf].scope == SClocal) {
        gather(r, i, 'a', 0, &s->op.r[0], warp, ma, false);
    } else {
        int64_t at_a = origin(r, &s->op.r[0], thread);
        for (int x = 0; x < 64; x++)
            for (int k = 0; k < i->k; k++)
                ma[x * i->k + k] = described(r, &s->op.r[0], a + 1, x, k, at_a);
    }
    for (int k = 0; k < i->k; k++)
        for (int x = 0; x < n; x++)
            mb[k * n + x] = described(r, &s->op.r[1], a + 5, x, k, at_b);
    gather(r, i, 'c', n, &s->op.r[2], warp, mc, false);
    if (!num(r, s->op.value, thread))
        memset(mc, 0, sizeof mc);
    multiply(i, n, ma, mb, mc);
    gather(r, i, 'c', n, &s->op.r[2], warp, mc, true);
    products++;
}

/* Statements --------------------------------------------------------------- */

static void allocate(Run *r, uint32_t buf)
{
    const Buf *b = &r->p->buf[buf];
    int64_t n = 0, regs = 0;
    if (b->scope == SClocal && x_isint(r->p, b->shape[0], &regs))
        n = regs * r->threads;
    else if (b->scope == SCshared)
        n = layout_extent(map(r, buf), AXoff);
    free(r->at[buf]);
    r->at[buf] = calloc((size_t)n + 1, sizeof(double));
}

static void block(Run *r, const Stmt *s);

static void loop(Run *r, const Stmt *s)
{
    int64_t hi = num(r, s->loop.hi[0], 0);
    for (int64_t v = num(r, s->loop.lo[0], 0); v < hi; v++) {
        r->env[s->loop.var[0]] = v;
        block(r, s->loop.body);
    }
}

static void operation(Run *r, const Stmt *s)
{
    int warps = r->threads / r->c->m->warp;
    for (int w = 0; w < warps; w++)
        if (s->op.op == Oldmatrix)
            ldmatrix(r, s, w);
        else if (s->op.op == Omma)
            mma(r, s, w);
        else if (s->op.op == Owgmma && w % 4 == 0)
            wgmma(r, s, w);
}

static void block(Run *r, const Stmt *s)
{
    for (; s; s = s->next)
        switch (s->kind) {
        case Salloc:
            if (s->alloc.buf >= r->first)
                allocate(r, s->alloc.buf);
            break;
        case Sfor: loop(r, s); break;
        case Sop: operation(r, s); break;
        case Sstore:
            for (int t = 0; t < r->threads; t++) {
                double v = value(r, s->store.value, t);
                *cell(r, s->store.buf, s->store.idx, t) = v;
            }
            break;
        default: break;
        }
}

/* One case ------------------------------------------------------------------ */

/* The fragment of a (x, y) tile: as the plan has it, turned round with the
 * operand, its slots renumbered when asked. */
static void fragment(Run *r, uint32_t buf, Layout l, bool turned)
{
    static const int swap[2] = {1, 0};
    if (turned)
        layout_permute(&l, swap);
    if (r->c->mixed) {
        int32_t next = 1;
        for (int i = l.n; i--;)
            if (l.d[i].axis == AXreg) {
                l.d[i].stride = next;
                next *= l.d[i].extent;
            }
    }
    if (r->c->slices) /* the third of four such tiles */
        layout_insert(&l, 0, 4, AXreg, (int32_t)layout_extent(&l, AXreg));
    layout_canon(&l);
    const char *why = layout_check(&l, r->c->m->warp);
    if (why)
        wrong(r->c, "%s: %s", r->p->buf[buf].name, why);
    BufLow *b = low_buf(r->l, buf);
    b->map = l;
    uint32_t regs = low_local(r->l, (enum Dtype)r->p->buf[buf].dt, "slots",
                              layout_extent(&l, AXreg));
    low_buf(r->l, buf)->regs = regs;
    allocate(r, regs);
}

static void shared(Run *r, uint32_t buf)
{
    BufLow *b = low_buf(r->l, buf);
    const Buf *of = &r->p->buf[buf];
    int32_t size[LayDims];
    int bits = dtypeinfo[of->dt].bits;
    for (int d = 0; d < of->ndim; d++) {
        int64_t v = 0;
        x_isint(r->p, of->shape[d], &v);
        size[d] = (int32_t)v;
    }
    bool ok = true;
    if (b->span > 0)
        ok = layout_swizzled(&b->map, of->ndim, size, bits, b->span);
    else if (b->span == -1)
        layout_padded(&b->map, of->ndim, size, bits);
    else if (b->span != -2 || !layout_phased(&b->map, of->ndim, size, bits, 64 / bits))
        layout_linear(&b->map, of->ndim, size);
    if (!ok)
        wrong(r->c, "no layout with span %d", b->span);
    allocate(r, buf);
}

/* Writes (back: compares) all copies of the elements of a fragment. */
static void each(Run *r, uint32_t buf, bool turned, double (*f)(int, int), bool back)
{
    const Layout *l = map(r, buf);
    uint32_t regs = low_buf(r->l, buf)->regs;
    int warp = r->c->m->warp, lead = r->c->slices;
    for (int64_t k = 0; k < layout_extent(l, AXreg); k++)
        for (int t = 0; t < r->threads; t++) {
            int32_t idx[LayDims];
            Spot at = {{[AXreg] = k, [AXlane] = t % warp, [AXwarp] = t / warp}};
            if (!layout_invert(l, &at, idx) || (lead && idx[0] != 2))
                continue;
            double want = f(idx[lead + turned], idx[lead + !turned]);
            double *have = &r->at[regs][k * r->threads + t];
            if (back && *have != want) {
                wrong(r->c, "C[%d, %d] in thread %d: %g, not %g", idx[lead], idx[lead + 1], t,
                      *have, want);
                return;
            }
            *have = want;
        }
}

static void fill(Run *r, uint32_t buf, int x, int y, bool turned, double (*f)(int, int))
{
    int lead = r->c->slices;
    for (int i = 0; i < x; i++)
        for (int j = 0; j < y; j++) {
            int32_t idx[3] = {2, 0, 0};
            idx[lead + turned] = i;
            idx[lead + !turned] = j;
            r->at[buf][layout_eval(map(r, buf), idx).at[AXoff]] = f(i, j);
        }
}

static const Case *current;

static double expected(int m, int n)
{
    double s = current->clear ? 0 : c_value(m, n);
    for (int k = 0; k < current->K; k++)
        s += a_value(m, k) * b_value(k, n);
    return s;
}

/* Text of the tile program: with slices every operand is the third of four. */
static void source(const Case *c, Str *s)
{
    const char *lead = c->slices ? "4, " : "";
    str_fmt(s, "kernel k(X) -> X\n  buffer X: global float32[4]\n"
               "  launch bx in 1 threads t in %d do\n", c->threads);
    str_fmt(s, "    alloc A: %s %s[%s%d, %d]\n", c->afrag ? "fragment" : "shared",
            dtypeinfo[c->a].name, lead, c->ta ? c->K : c->M, c->ta ? c->M : c->K);
    str_fmt(s, "    alloc B: %s %s[%s%d, %d]\n", c->bfrag ? "fragment" : "shared",
            dtypeinfo[c->b].name, lead, c->tb ? c->N : c->K, c->tb ? c->K : c->N);
    str_fmt(s, "    alloc C: fragment %s[%s%d, %d]\n", dtypeinfo[c->c].name, lead, c->M, c->N);
    if (c->slices)
        str_fmt(s, "    gemm A[2:+1, 0:+%d, 0:+%d], B[2:+1, 0:+%d, 0:+%d] -> "
                   "C[2:+1, 0:+%d, 0:+%d]", c->ta ? c->K : c->M, c->ta ? c->M : c->K,
                c->tb ? c->N : c->K, c->tb ? c->K : c->N, c->M, c->N);
    else
        str_puts(s, "    gemm A, B -> C");
    str_fmt(s, " transpose_A=%d transpose_B=%d policy=%d clear_accum=%d k_pack=%d\n  end\nend\n",
            c->ta, c->tb, c->policy, c->clear, c->k_pack);
}

static void run(Run *r, Stmt *gemm, const GemmPlan *g)
{
    const Case *c = r->c;
    uint32_t a = gemm->op.r[0].buf, b = gemm->op.r[1].buf, d = gemm->op.r[2].buf;
    if (c->afrag)
        fragment(r, a, g->a, c->ta);
    else
        shared(r, a);
    if (c->bfrag)
        fragment(r, b, g->b, c->tb);
    else
        shared(r, b);
    fragment(r, d, g->c, false);
    r->first = r->p->nbuf;
    low_gemm(r->l);
    if (r->p->nbuf >= MaxBufs) {
        wrong(c, "%u buffers", (unsigned)r->p->nbuf);
        return;
    }
    r->env = calloc(r->p->nvar + 1, sizeof *r->env);
    if (c->afrag)
        each(r, a, c->ta, a_value, false);
    else
        fill(r, a, c->M, c->K, c->ta, a_value);
    if (c->bfrag)
        each(r, b, c->tb, b_value, false);
    else
        fill(r, b, c->K, c->N, c->tb, b_value);
    each(r, d, false, c_value, false);
    block(r, r->l->launch->launch.body);
    current = c;
    each(r, d, false, expected, true);
}

typedef struct Try { const Case *c; Prog *p; Run *r; bool must; } Try;

static void attempt(Ctx *ctx, void *ud)
{
    Try *t = ud;
    (void)ctx;
    Stmt *launch = t->p->body, *gemm = launch->launch.body->next->next->next;
    Low l = {.p = t->p, .m = t->c->m, .launch = launch, .tid = launch->launch.thread[0],
             .threads = t->c->threads, .total = t->c->threads, .bars = 1};
    t->r->l = &l;
    low_select(&l);
    const GemmPlan *g = gemm_plan(gemm);
    if (g->mma)
        run(t->r, gemm, g);
    else if (t->must)
        wrong(t->c, "no instruction was chosen");
}

/* must: an instruction has to be found. */
static void try(Case c, bool must)
{
    static int tried;
    if (tried++ % TIMES(1, 3))
        return;
    Str text = {0};
    source(&c, &text);
    Prog *p = prog_parse(&mem_libc, text.s, text.n, "case");
    Run r = {.c = &c, .p = p, .threads = c.threads, .at = calloc(MaxBufs, sizeof(double *))};
    Try t = {&c, p, &r, must};
    if (p->ctx.nerror || !ctx_try(&p->ctx, attempt, &t)) {
        const Diag *d = p->ctx.diags;
        while (d && err_info(d->err)->level != Lerror)
            d = d->next;
        wrong(&c, "%s: %s", d ? err_info(d->err)->id : "?", d && d->arg[0] ? d->arg[0] : "");
        printf("%s", text.s);
    }
    for (int k = 0; k < MaxBufs; k++)
        free(r.at[k]);
    free(r.at);
    free(r.env);
    prog_free(p);
    str_free(&text);
}

/* What is tried -------------------------------------------------------------- */

/* Operand sources and transpositions of one instruction, every other pair of
 * them: `turn` says which half. */
static void instruction(const Machine *m, const Mma *i, enum Dtype c, int turn)
{
    int warp = m->warp, group = i->kind == MMAgroup;
    int n = 4 * i->n, k = i->k > 16 ? 2 * i->k : 32;
    for (int trans = 0; trans < 4; trans++)
        for (int frag = (trans + turn) % 2; frag < 4; frag += 2) {
            Case q = {.m = m, .a = i->a, .b = i->b, .c = c, .M = group ? 128 : 2 * i->m, .N = n,
                      .K = k, .threads = group ? 128 : 4 * warp, .ta = trans & 1, .tb = trans >> 1,
                      .afrag = frag & 1, .bfrag = frag >> 1, .k_pack = 1 + (trans & 1)};
            q.clear = trans == 2;
            q.mixed = frag != 0 && trans == 1;
            q.slices = trans >= 2 && frag < 2;
            try(q, true);
        }
}

static void sizes(const Machine *m, enum Dtype a, enum Dtype c)
{
    static const int shape[][3] = {
        {64, 64, 64}, {128, 128, 32}, {64, 80, 48}, {192, 96, 16}, {16, 16, 64}, {32, 8, 32},
        {128, 24, 64}, {48, 64, 32},
    };
    for (size_t s = 0; s < COUNT(shape); s++)
        for (int policy = 0; policy < 3; policy++)
            for (int trans = 0; trans < 4; trans++)
                for (int w = 1; w <= 8; w *= 2)
                    if (w == 1 << (s + (size_t)(trans + policy)) % 4)
                        try((Case){.m = m, .a = a, .b = a, .c = c, .M = shape[s][0],
                                   .N = shape[s][1], .K = shape[s][2], .threads = w * m->warp,
                                   .policy = policy, .ta = trans & 1, .tb = trans >> 1},
                            false);
}

int main(void)
{
    targets_init();
    for (const Machine *const *m = machines; *m; m++)
        for (int i = 0; i < (*m)->nmma; i++) {
            const Mma *x = &(*m)->mma[i];
            if (mma_find(x->name) != x) /* another machine's row had it */
                continue;
            instruction(*m, x, (enum Dtype)x->c, i);
            if (x->c == DTf32 && dtypeinfo[x->a].bits == 16)
                instruction(*m, x, (enum Dtype)x->a, i + 1);
        }
    static const char *const names[] = {"sm_80", "sm_90a", "gfx90a"};
    for (size_t k = 0; k < COUNT(names); k++)
        sizes(machine_find(names[k]), DTf16, DTf32);
    if (products == 0)
        failures++;
    printf("%d products, %d failures, %d bank conflicts\n", products, failures, conflicts);
    return failures != 0;
}
