/* targets/cuda/routine_gemm.c: matrix products by cublasLt, the best of what its
 * heuristics offer.
 *
 * The library counts column-major.  Our row-major C = A B is its C' = B' A',
 * so its first operand is our B: not transposed when B is [k, n]. */
#include <stdlib.h>
#include <string.h>

#include "cublaslt.h"
#include "routines.h"
#include "err/cuda.h"

enum {
    Candidates = 32,      /* asked for */
    Finalists = 6,        /* that are timed again */
    Trials = 3, FinalTrials = 11,
    WorkBytes = 64 << 20, /* also written over before each trial: what the L2 held is gone */
    ScaleBytes = 256      /* behind it: scale factors of 8-bit floats, all 1 */
};

typedef struct RoutineGemm RoutineGemm;
struct RoutineGemm {
    CublasLt lib;
    LtDesc *desc;
    LtLayout *layout[3];  /* of our B, A, C: the library's A, B, and C and D */
    GpuAddress work;
    LtCandidate best;
    int offered, worked;  /* candidates; of them ran */
    int chosen;           /* place in the heuristics' order, -1: not yet */
    double ms;            /* of the best when it was chosen */
};

/* Forms ------------------------------------------------------------------ */

static int lt_type(enum Dtype t)
{
    switch (t) {
    case DTf16: return LTf16;
    case DTbf16: return LTbf16;
    case DTf32: case DTtf32: return LTf32;
    case DTf64: return LTf64;
    case DTe4m3: return LTe4m3;
    case DTe5m2: return LTe5m2;
    case DTi8: return LTi8;
    case DTi32: return LTi32;
    default: return -1;
    }
}

/* Type of the arithmetic, and of alpha, beta. */
static int lt_compute(const RoutineSpec *s, int *scale)
{
    *scale = LTf32;
    switch (s->acc) {
    case DTf16: *scale = LTf16; return LTcompute_16f;
    case DTf32: return s->a == DTtf32 ? LTcompute_tf32 : LTcompute_32f;
    case DTf64: *scale = LTf64; return LTcompute_64f;
    case DTi32: *scale = s->c == DTi32 ? LTi32 : LTf32; return LTcompute_32i;
    default: return -1;
    }
}

static bool is_fp8(enum Dtype t) { return t == DTe4m3 || t == DTe5m2; }

static DevError routine_gemm_refused(const char *call, int status)
{
    return dev_error(E_cublas_failed, call, cublaslt_error(status));
}

/* The library has no function for these types. */
static DevError no_form(const RoutineSpec *s)
{
    return dev_error(E_cublas_form, dev_text("%s %s -> %s", dtypeinfo[s->a].name,
                                             dtypeinfo[s->b].name, dtypeinfo[s->c].name));
}

static bool lt_ok(const char *call, int status, DevError *err)
{
    if (status != LTok)
        *err = routine_gemm_refused(call, status);
    return status == LTok;
}

/* A row-major matrix of rows x columns, one after another for a batch. */
static bool make_layout(RoutineGemm *g, LtLayout **out, int type, int64_t rows, int64_t columns,
                        int64_t batch, DevError *err)
{
    int32_t count = (int32_t)batch;
    int64_t stride = rows * columns;
    int r = g->lib.LayoutCreate(out, type, (uint64_t)columns, (uint64_t)rows, columns);
    if (r == LTok && batch > 1)
        r = g->lib.LayoutSet(*out, LTbatch, &count, sizeof count);
    if (r == LTok && batch > 1)
        r = g->lib.LayoutSet(*out, LTstride, &stride, sizeof stride);
    return lt_ok("cublasLtMatrixLayoutCreate", r, err);
}

/* What the product is, without the buffers. */
static bool routine_gemm_describe(RoutineGemm *g, const RoutineSpec *s, DevError *err)
{
    int scale, compute = lt_compute(s, &scale);
    int ta = lt_type(s->a), tb = lt_type(s->b), tc = lt_type(s->c);
    int32_t transa = s->tb, transb = s->ta;
    int8_t fast = 1;
    bool fp8 = is_fp8(s->a) && is_fp8(s->b);
    if (compute < 0 || ta < 0 || tb < 0 || tc < 0 || s->m < 1 || s->n < 1 || s->k < 1) {
        *err = no_form(s);
        return false;
    }
    int r = g->lib.DescCreate(&g->desc, compute, scale);
    if (r == LTok)
        r = g->lib.DescSet(g->desc, LTtransa, &transa, sizeof transa);
    if (r == LTok)
        r = g->lib.DescSet(g->desc, LTtransb, &transb, sizeof transb);
    if (r == LTok && fp8)
        r = g->lib.DescSet(g->desc, LTfast_accum, &fast, sizeof fast);
    for (int attr = LTscale_a; r == LTok && fp8 && attr <= LTscale_b; attr++) {
        uint64_t at = g->work + WorkBytes;
        r = g->lib.DescSet(g->desc, attr, &at, sizeof at);
    }
    return lt_ok("cublasLtMatmulDescCreate", r, err) &&
           make_layout(g, &g->layout[0], tb, s->tb ? s->n : s->k, s->tb ? s->k : s->n, s->batch,
                       err) &&
           make_layout(g, &g->layout[1], ta, s->ta ? s->k : s->m, s->ta ? s->m : s->k, s->batch,
                       err) &&
           make_layout(g, &g->layout[2], tc, s->m, s->n, s->batch, err);
}

static void gemm_close(Gpu *d, Routine *v)
{
    RoutineGemm *g = v->state;
    for (size_t i = 0; i < COUNT(g->layout); i++)
        if (g->layout[i])
            g->lib.LayoutDestroy(g->layout[i]);
    if (g->desc)
        g->lib.DescDestroy(g->desc);
    if (g->work)
        d->cu.MemFree(g->work);
    cublaslt_close(&g->lib);
    free(g);
    v->state = NULL;
}

static bool gemm_open(Gpu *d, Routine *v, DevError *err)
{
    static const float one = 1;
    uint32_t bits;
    memcpy(&bits, &one, sizeof bits);
    RoutineGemm *g = calloc(1, sizeof *g);
    if (!(v->state = g))
        return false;
    g->chosen = -1;
    *err = cublaslt_open(&g->lib, d->cu.version);
    bool ok = !err->is &&
              gpu_ok(d, gpu_alloc(d, &g->work, WorkBytes + ScaleBytes), NULL, GCMemAlloc,
                      err) &&
              gpu_ok(d, d->cu.MemsetD32Async(g->work + WorkBytes, bits,
                                              ScaleBytes / sizeof bits, d->cu.stream),
                      NULL, GCMemsetD32Async, err) &&
              gpu_ok(d, d->cu.StreamSynchronize(d->cu.stream), NULL, GCStreamSynchronize, err) &&
              routine_gemm_describe(g, &v->spec, err);
    if (!ok)
        gemm_close(d, v);
    return ok;
}

/* Running ---------------------------------------------------------------- */

static int routine_gemm_run(const RoutineGemm *g, const RoutineSpec *s, const LtCandidate *c,
                            const DevArg *arg, void *stream)
{
    const float one = 1, zero = 0;
    const double one64 = 1, zero64 = 0;
    const int32_t onei = 1, zeroi = 0;
    const uint16_t oneh = 0x3c00, zeroh = 0;
    const void *alpha = &one, *beta = &zero;
    int scale;
    lt_compute(s, &scale);
    switch (scale) {
    case LTf64: alpha = &one64; beta = &zero64; break;
    case LTi32: alpha = &onei; beta = &zeroi; break;
    case LTf16: alpha = &oneh; beta = &zeroh; break;
    default: break;
    }
    return g->lib.Matmul(g->lib.lt, g->desc, alpha, arg[1].p, g->layout[0], arg[0].p,
                         g->layout[1], beta, arg[2].p, g->layout[2], arg[2].p, g->layout[2],
                         &c->algo, (void *)(uintptr_t)g->work, WorkBytes, stream);
}

/* Choosing --------------------------------------------------------------- */

typedef struct RoutineGemmTrial RoutineGemmTrial;
struct RoutineGemmTrial {
    Gpu *d; RoutineGemm *g;
    const RoutineSpec *s;
    const DevArg *arg;
    void *stream;      /* of its own: the device's may be held back just now */
    void *begin, *end;
};

/* The largest power of two, up to 256, that divides the address. */
static uint32_t alignment(const void *p)
{
    uintptr_t a = (uintptr_t)p;
    uint32_t n = 1;
    while (n < 256 && a % (2 * (uintptr_t)n) == 0)
        n *= 2;
    return n;
}

/* Fills c with what the heuristics offer for these buffers. */
static int routine_gemm_candidates(const RoutineGemmTrial *t, LtCandidate *c, DevError *err)
{
    const RoutineGemm *g = t->g;
    const void *buffer[] = {t->arg[1].p, t->arg[0].p, t->arg[2].p, t->arg[2].p};
    LtPreference *pref = NULL;
    uint64_t most = WorkBytes;
    int n = 0, r = g->lib.PreferenceCreate(&pref);
    if (r == LTok)
        r = g->lib.PreferenceSet(pref, LTmax_workspace, &most, sizeof most);
    for (int i = 0; r == LTok && i < 4; i++) {
        uint32_t a = alignment(buffer[i]);
        r = g->lib.PreferenceSet(pref, LTalign_a + i, &a, sizeof a);
    }
    if (r == LTok)
        r = g->lib.Heuristic(g->lib.lt, g->desc, g->layout[0], g->layout[1], g->layout[2],
                             g->layout[2], pref, Candidates, c, &n);
    if (pref)
        g->lib.PreferenceDestroy(pref);
    if (r == LTok && n > 0)
        return n;
    if (r == LTok || r == LTnot_supported)
        *err = no_form(t->s);
    else
        *err = routine_gemm_refused("cublasLtMatmulAlgoGetHeuristic", r);
    return 0;
}

static int routine_gemm_by_time(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* One timed run, caches cold.  < 0: it does not work; *err may be set. */
static double routine_gemm_once(const RoutineGemmTrial *t, const LtCandidate *c, DevError *err)
{
    const GpuDriver *u = &t->d->cu;
    float ms = -1;
    u->MemsetD8Async(t->g->work, 0, WorkBytes, t->stream);
    u->EventRecord(t->begin, t->stream);
    if (routine_gemm_run(t->g, t->s, c, t->arg, t->stream) != LTok)
        return -1;
    u->EventRecord(t->end, t->stream);
    if (!gpu_ok(t->d, u->StreamSynchronize(t->stream), NULL, GCStreamSynchronize, err) ||
        gpu_elapsed(u, &ms, t->begin, t->end) != GpuOk)
        return -1;
    return (double)ms;
}

/* Median of n runs behind an untimed one; < 0: as routine_gemm_once(). */
static double median(const RoutineGemmTrial *t, const LtCandidate *c, int n, DevError *err)
{
    double ms[FinalTrials];
    if (routine_gemm_once(t, c, err) < 0)
        return -1;
    for (int i = 0; i < n; i++)
        if ((ms[i] = routine_gemm_once(t, c, err)) < 0)
            return -1;
    qsort(ms, (size_t)n, sizeof *ms, routine_gemm_by_time);
    return ms[n / 2];
}

typedef struct Timed Timed;
struct Timed { double ms; int i; }; /* of candidate i */

static int by_ms(const void *x, const void *y)
{
    const Timed *a = x, *b = y;
    int way = routine_gemm_by_time(&a->ms, &b->ms);
    return way ? way : a->i - b->i;
}

/* Times all, then the best of them once more and longer. */
static bool routine_gemm_pick(const RoutineGemmTrial *t, const LtCandidate *c, int n, DevError *err)
{
    Timed timed[Candidates];
    int worked = 0;
    for (int i = 0; i < n && !err->is; i++) {
        bool fits = c[i].state == LTok && c[i].workspace <= WorkBytes;
        double ms = fits ? median(t, &c[i], Trials, err) : -1;
        if (ms >= 0)
            timed[worked++] = (Timed){ms, i};
    }
    qsort(timed, (size_t)worked, sizeof *timed, by_ms);
    int last = worked < Finalists ? worked : Finalists;
    for (int i = 0; i < last && !err->is; i++) {
        double ms = median(t, &c[timed[i].i], FinalTrials, err);
        timed[i].ms = ms >= 0 ? ms : 1e30;
    }
    if (err->is)
        return false;
    if (!worked) {
        *err = routine_gemm_refused("cublasLtMatmul", LTnot_supported);
        return false;
    }
    qsort(timed, (size_t)last, sizeof *timed, by_ms);
    *t->g = (RoutineGemm){.lib = t->g->lib, .desc = t->g->desc, .work = t->g->work,
                          .layout = {t->g->layout[0], t->g->layout[1], t->g->layout[2]},
                   .best = c[timed[0].i], .offered = n, .worked = worked,
                   .chosen = timed[0].i, .ms = timed[0].ms};
    return true;
}

static bool routine_gemm_choose(Gpu *d, Routine *v, const DevArg *arg, DevError *err)
{
    LtCandidate c[Candidates];
    RoutineGemmTrial t = {.d = d, .g = v->state, .s = &v->spec, .arg = arg};
    const GpuDriver *u = &d->cu;
    int n = routine_gemm_candidates(&t, c, err);
    bool ok = n > 0 &&
              gpu_ok(d, u->StreamCreate(&t.stream, GpuNonblocking), NULL, GCStreamCreate, err) &&
              gpu_ok(d, gpu_event(u, &t.begin, 0), NULL, GCEventCreate, err) &&
              gpu_ok(d, gpu_event(u, &t.end, 0), NULL, GCEventCreate, err) &&
              routine_gemm_pick(&t, c, n, err);
    if (t.begin)
        u->EventDestroy(t.begin);
    if (t.end)
        u->EventDestroy(t.end);
    if (t.stream)
        u->StreamDestroy(t.stream);
    return ok;
}

static bool gemm_enqueue(Gpu *d, Routine *v, const DevArg *arg, DevError *err)
{
    RoutineGemm *g = v->state;
    if (g->chosen < 0 && !routine_gemm_choose(d, v, arg, err))
        return false;
    return lt_ok("cublasLtMatmul", routine_gemm_run(g, &v->spec, &g->best, arg, d->cu.stream), err);
}

static void gemm_facts(const Routine *v, Str *out)
{
    const RoutineGemm *g = v->state;
    str_fmt(out, "library %s\nversion %zu\n", g->lib.path, g->lib.version);
    if (g->chosen >= 0)
        str_fmt(out, "candidates %d\nworked %d\nchosen %d\nms %g\n", g->offered, g->worked,
                g->chosen, g->ms);
}

const RoutineKind routine_gemm = {
    .name = "gemm", .narg = 3, .open = gemm_open, .enqueue = gemm_enqueue,
    .facts = gemm_facts, .close = gemm_close,
};
