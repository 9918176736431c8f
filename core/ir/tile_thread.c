/* core/ir/tile_thread.c: what the operations of thread programs ask of their
 * operands: scopes, numbers of bytes and registers, ranges of attributes.
 *
 * One row of `wants` for each operation; what a row cannot say stands in the
 * function that it names.  Sources: the PTX ISA's chapters on ldmatrix, cp.async,
 * cp.async.bulk.tensor, mbarrier and wgmma. */
#include <string.h>

#include "core/layout/machine.h"
#include "tile.h"
#include "err/ir.h"
#include "err/kernel.h"

#define NUM(i) afmt(&p->ctx, "%lld", (long long)(i))

enum {
    Gl = 1 << SCglobal, Sh = 1 << SCshared, Lo = 1 << SClocal, Ba = 1 << SCbarrier,
    Ri = 1 << SCpipe
};

/* An operation about to be made. */
typedef struct IntrCheck IntrCheck;
struct IntrCheck {
    Prog *p;
    enum Op op;
    const char *what; /* in messages */
    const Region *r;
    Ex value;
    const int32_t *attr; /* in the order of ops.h */
    const char *text;
};

/* T's names of operations, where they are others than ops.h has. */
static const char *const tname[NOp] = {
    [Otma_put] = "tma_copy", [Ocp_async_commit] = "ptx_commit_group",
    [Ocp_async_wait] = "ptx_wait_group", [Ocp_async_arrive] = "cp_async_barrier_noinc",
    [Obulk_commit] = "tma_store_arrive", [Obulk_wait] = "tma_store_wait",
    [Owgmma_fence] = "warpgroup_arrive", [Owgmma_commit] = "warpgroup_commit_batch",
    [Owgmma_wait] = "wait_wgmma", [Ombar_init] = "alloc_barrier",
    [Ombar_arrive] = "mbarrier_arrive", [Ombar_expect] = "mbarrier_expect_tx",
    [Ombar_arrive_expect] = "mbarrier_arrive_expect_tx", [Ombar_wait] = "mbarrier_wait_parity",
    [Obar_sync] = "sync_threads", [Obar_arrive] = "named_barrier_arrive",
    [Owarp_sync] = "sync_warp", [Ofence_async] = "fence_proxy_async",
    [Osetmaxnreg] = "set_max_nreg",
};

const char *op_name(Prog *p, enum Op op)
{
    return afmt(&p->ctx, "T.%s", tname[op] ? tname[op] : opinfo[op].text);
}

const char *op_said(Prog *p, const Stmt *s)
{
    const char *family = s->op.op == Oreduce ? "T.reduce_" : s->op.op == Oscan ? "T.cum" : "T.atomic_";
    if (s->op.op != Oreduce && s->op.op != Oscan && s->op.op != Oatomic)
        return op_name(p, (enum Op)s->op.op);
    const RedInfo *kind = &redinfo[s->op.attr[0]]; /* the first attribute of all three */
    return afmt(&p->ctx, "%s%s", family, s->op.op == Oatomic ? kind->update : kind->text);
}

/* Elements of a region, or -1 when they are not known. */
static int64_t tthread_elements(const Prog *p, const Region *r)
{
    int64_t n = 1, v;
    for (int i = 0; i < tile_rank(p, r); i++)
        if (!x_isint(p, r->extent[i], &v) || __builtin_mul_overflow(n, v, &n))
            return -1;
    return n;
}

static enum Dtype tthread_typeof_region(const Prog *p, const Region *r)
{
    return (enum Dtype)p->buf[r->buf].dt;
}

static int tthread_bits_of(const Prog *p, const Region *r)
{
    return dtypeinfo[tthread_typeof_region(p, r)].bits;
}

/* Every extent is a number. */
static void tthread_fixed(const IntrCheck *c, const Region *r)
{
    Prog *p = c->p;
    for (int i = 0; i < tile_rank(p, r); i++)
        if (!x_isint(p, r->extent[i], &(int64_t){0}))
            diag_fail(&p->ctx, E_extent_static, p->here, c->what, tile_name(p, r), NUM(i), NULL);
}

/* r covers `bytes` bytes, which may be 0: a multiple of 16. */
static void tthread_bytes(const IntrCheck *c, const Region *r, int64_t want)
{
    Prog *p = c->p;
    int64_t n = tthread_elements(p, r), have = n < 0 ? -1 : n * tthread_bits_of(p, r) / 8;
    if (want ? have != want : have < 16 || have % 16)
        diag_fail(&p->ctx, E_op_bytes, p->here, c->what, tile_name(p, r), NUM(have),
                  want ? NUM(want) : "16 * n", NULL);
}

static void tthread_regs(const IntrCheck *c, int i, int64_t want)
{
    static const char who[] = "ABC";
    Prog *p = c->p;
    int64_t n = tthread_elements(p, &c->r[i]);
    if (n != want)
        diag_fail(&p->ctx, E_op_regs, p->here, c->what, afmt(&p->ctx, "%c", who[i]),
                  tile_name(p, &c->r[i]), NUM(n), NUM(want), NULL);
}

static void tthread_type(const IntrCheck *c, const Region *r, enum Dtype want)
{
    Prog *p = c->p;
    enum Dtype t = tthread_typeof_region(p, r);
    if (t != want && !(want == DTtf32 && t == DTf32)) /* the unit drops the low bits */
        diag_fail(&p->ctx, E_op_types, p->here, c->what, tile_name(p, r), dtypeinfo[t].name,
                  dtypeinfo[want].name, NULL);
}

static void sametype(const IntrCheck *c)
{
    tthread_type(c, &c->r[1], tthread_typeof_region(c->p, &c->r[0]));
}

static int tthread_attribute(const IntrCheck *c, const char *name)
{
    const char *k = opinfo[c->op].attrs;
    size_t len = strlen(name);
    for (int i = 0; *k; i++) {
        size_t n = strcspn(k, " ");
        if (n == len && memcmp(k, name, n) == 0)
            return c->attr[i];
        k += n;
        k += *k == ' ';
    }
    return 0;
}

/* Attribute `name` is one of n values. */
static int oneof(const IntrCheck *c, const char *name, const int *set, int n, const char *shown)
{
    Prog *p = c->p;
    int v = tthread_attribute(c, name);
    for (int i = 0; i < n; i++)
        if (set[i] == v)
            return v;
    diag_fail(&p->ctx, E_op_attr, p->here, c->what, name, NUM(v), shown, NULL);
}

static int ranged(const IntrCheck *c, const char *name, int lo, int hi, int step)
{
    Prog *p = c->p;
    int v = tthread_attribute(c, name);
    const char *shown = hi == INT32_MAX ? afmt(&p->ctx, ">= %d", lo)
                        : step > 1      ? afmt(&p->ctx, "%d, %d .. %d", lo, lo + step, hi)
                                        : afmt(&p->ctx, "%d .. %d", lo, hi);
    if (v < lo || v > hi || v % step)
        diag_fail(&p->ctx, E_op_attr, p->here, c->what, name, NUM(v), shown, NULL);
    return v;
}

static void tthread_constant(const IntrCheck *c, const char *name, int64_t lo, int64_t hi)
{
    Prog *p = c->p;
    int64_t v;
    if (x_isint(p, c->value, &v) && (v < lo || v > hi))
        diag_fail(&p->ctx, E_op_attr, p->here, c->what, name, NUM(v),
                  afmt(&p->ctx, "%lld .. %lld", (long long)lo, (long long)hi), NULL);
}

/* A barrier: one element of its buffer. */
static void tthread_object(const IntrCheck *c, const Region *r)
{
    Prog *p = c->p;
    int64_t n = tthread_elements(p, r);
    if (n != 1)
        diag_fail(&p->ctx, E_op_object, p->here, c->what, tile_name(p, r), NUM(n), NULL);
}

/* Matrix instructions ---------------------------------------------------- */

/* Registers of an operand from the bits of its register string. */
static int64_t reg_count(const char *reg)
{
    int64_t n = 1;
    for (; *reg; reg++)
        n <<= *reg == 'm' || *reg == 'n' || *reg == 'k';
    return n;
}

static const Mma *tthread_instruction(const IntrCheck *c, enum MmaKind kind)
{
    const Mma *m = c->text ? mma_find(c->text) : NULL;
    if (!m || m->kind != kind)
        diag_fail(&c->p->ctx, E_op_mma, c->p->here, c->text ? c->text : "", c->what, NULL);
    return m;
}

static void tthread_types(const IntrCheck *c, const Mma *m)
{
    tthread_type(c, &c->r[0], (enum Dtype)m->a);
    tthread_type(c, &c->r[1], (enum Dtype)m->b);
    tthread_type(c, &c->r[2], (enum Dtype)m->c);
}

static void check_mma(const IntrCheck *c)
{
    const Mma *m = tthread_instruction(c, MMAwarp);
    tthread_types(c, m);
    tthread_regs(c, 0, reg_count(m->areg));
    tthread_regs(c, 1, reg_count(m->breg));
    tthread_regs(c, 2, reg_count(m->creg));
}

static const int spans[] = {0, 32, 64, 128};
static const int flags[] = {0, 1};

/* Offsets in a descriptor are 14 bits of 16 bytes each. */
static void tthread_descriptor(const IntrCheck *c, char who)
{
    Prog *p = c->p;
    enum { MaxOffset = ((1 << 14) - 1) * 16 };
    oneof(c, afmt(&p->ctx, "%c_swizzle", who), spans, COUNT(spans), "0, 32, 64, 128");
    oneof(c, afmt(&p->ctx, "%c_tnsp", who), flags, COUNT(flags), "0, 1");
    ranged(c, afmt(&p->ctx, "%c_lbo", who), 0, MaxOffset, 16);
    ranged(c, afmt(&p->ctx, "%c_sbo", who), 0, MaxOffset, 16);
}

static void check_wgmma(const IntrCheck *c)
{
    Prog *p = c->p;
    const Mma *m = tthread_instruction(c, MMAgroup);
    static const int none[] = {0};
    int n = ranged(c, "n", m->n, m->nmax, m->n);
    bool regs = p->buf[c->r[0].buf].scope == SClocal;
    tthread_types(c, m);
    tthread_regs(c, 0, (int64_t)m->m * m->k / (regs ? 128 : 1));
    tthread_regs(c, 1, (int64_t)n * m->k);
    tthread_regs(c, 2, (int64_t)m->m * n / 128);
    if (!regs)
        tthread_descriptor(c, 'a');
    tthread_descriptor(c, 'b');
    if (regs || m->kmajor_only)
        oneof(c, "a_tnsp", none, 1, "0");
    if (m->kmajor_only)
        oneof(c, "b_tnsp", none, 1, "0");
}

/* Fetches ---------------------------------------------------------------- */

/* Each lane names one row of 16 bytes and gets or gives num registers of 32
 * bits; the transposed forms exchange elements of 16 bits. */
static void check_ldmatrix(const IntrCheck *c)
{
    static const int nums[] = {1, 2, 4}, none[] = {0};
    int row = c->op == Oldmatrix ? 0 : 1;
    int num = oneof(c, "num", nums, COUNT(nums), "1, 2, 4");
    sametype(c);
    tthread_bytes(c, &c->r[row], 16);
    tthread_bytes(c, &c->r[1 - row], (int64_t)num * 4);
    if (tthread_bits_of(c->p, &c->r[0]) != 16)
        oneof(c, "trans", none, 1, "0");
    oneof(c, "trans", flags, COUNT(flags), "0, 1");
}

/* Between two passes: of one iteration of a parallel or vectorized loop, which later ones make as
 * wide as it must be. */
static bool of_iteration(const Prog *p)
{
    bool is = false;
    for (uint32_t i = 0; i < p->nframe && p->between.after; i++)
        is |= p->frame[i]->kind == Sfor &&
              (p->frame[i]->loop.kind == Fparallel || p->frame[i]->loop.kind == Fvectorized);
    return is;
}

static void check_cp_async(const IntrCheck *c)
{
    static const int sizes[] = {4, 8, 16};
    int n = of_iteration(c->p) ? ranged(c, "bytes", 1, 16, 1)
                               : oneof(c, "bytes", sizes, COUNT(sizes), "4, 8, 16");
    sametype(c);
    tthread_bytes(c, &c->r[0], n);
    tthread_bytes(c, &c->r[1], n);
}

static void check_wait(const IntrCheck *c) { ranged(c, "n", 0, INT32_MAX, 1); }

static void check_bulk_wait(const IntrCheck *c)
{
    check_wait(c);
    oneof(c, "read", flags, COUNT(flags), "0, 1");
}

static void badbox(const IntrCheck *c, const Region *r, const char *why)
{
    diag_fail(&c->p->ctx, E_op_box, c->p->here, c->what, tile_name(c->p, r), why, NULL);
}

/* The limits of a tensor map: 5 dimensions of up to 256 elements; a row of
 * whole 16 bytes, no longer than the swizzle's span. */
static void tthread_box(const IntrCheck *c, const Region *global, const Region *shared)
{
    Prog *p = c->p;
    int64_t v = 0, row;
    int span = oneof(c, "swizzle", spans, COUNT(spans), "0, 32, 64, 128");
    int n = tile_rank(p, global);
    sametype(c);
    tthread_fixed(c, global);
    tthread_fixed(c, shared);
    if (tthread_elements(p, global) != tthread_elements(p, shared))
        diag_fail(&p->ctx, E_copy_extent, p->here, tile_name(p, global), tile_extents(p, global),
                  tile_name(p, shared), tile_extents(p, shared), NULL);
    if (n < 1 || n > 5)
        badbox(c, global, afmt(&p->ctx, "%d-D", n));
    for (int i = 0; i < n; i++)
        if (x_isint(p, global->extent[i], &v) && v > 256)
            badbox(c, global, afmt(&p->ctx, "%lld > 256", (long long)v));
    row = v * tthread_bits_of(p, global) / 8; /* of the last dimension */
    if (row % 16 || (span && row > span))
        badbox(c, global, afmt(&p->ctx, "%lld bytes", (long long)row));
}

static void check_tma_load(const IntrCheck *c)
{
    tthread_box(c, &c->r[0], &c->r[1]);
    if (c->p->buf[c->r[2].buf].scope == SCbarrier)
        tthread_object(c, &c->r[2]);
}

static void check_tma_store(const IntrCheck *c)
{
    int kind = tthread_attribute(c, "kind");
    tthread_box(c, &c->r[1], &c->r[0]);
    if (kind != Rnone && (!kind_updates(kind) || kind >= NRed)) /* none: a plain store */
        kind_fail(c->p, c->what, kind);
}

static void check_bulk(const IntrCheck *c)
{
    int n = ranged(c, "bytes", 16, 1 << 20, 16);
    sametype(c);
    tthread_bytes(c, &c->r[0], n);
    tthread_bytes(c, &c->r[1], n);
    if (c->op == Obulk_load && c->p->buf[c->r[2].buf].scope == SCbarrier)
        tthread_object(c, &c->r[2]);
}

/* Copies of tiles that the user waits for.  The others are checked where
 * instructions are chosen, which knows the machine. */
static void check_copy(const IntrCheck *c)
{
    Prog *p = c->p;
    sametype(c);
    if (!tile_matches(p, &c->r[0], &c->r[1]))
        diag_fail(&p->ctx, E_copy_extent, p->here, tile_name(p, &c->r[0]),
                  tile_extents(p, &c->r[0]), tile_name(p, &c->r[1]), tile_extents(p, &c->r[1]),
                  NULL);
    if (c->op == Otma_copy)
        tthread_object(c, &c->r[2]);
}

/* Barriers --------------------------------------------------------------- */

enum { MaxArrivals = (1 << 20) - 1, MaxCluster = 16 };

static void check_mbar(const IntrCheck *c)
{
    tthread_object(c, &c->r[0]);
    switch (c->op) {
    case Ombar_init: tthread_constant(c, "count", 1, MaxArrivals); break;
    case Ombar_arrive: tthread_constant(c, "block", -1, MaxCluster - 1); break;
    case Ombar_expect:
    case Ombar_arrive_expect: tthread_constant(c, "bytes", 0, MaxArrivals); break;
    case Ombar_wait: tthread_constant(c, "parity", 0, 1); break;
    default: break;
    }
}

static void check_pipe(const IntrCheck *c)
{
    tthread_constant(c, "use", 0, INT32_MAX);
    if (c->op == Opipe_commit)
        ranged(c, "bytes", 0, MaxArrivals, 1);
}

/* Named barriers: 16 of them, 0 is the block's; whole warps take part.  count
 * 0: all threads of the block. */
static void check_bar(const IntrCheck *c)
{
    int id = ranged(c, "id", 0, 15, 1);
    ranged(c, "count", id ? 32 : 0, 1024, 32);
}

/* 24 to 256 registers in steps of 8 (PTX, setmaxnreg). */
static void check_setmaxnreg(const IntrCheck *c)
{
    ranged(c, "n", 24, 256, 8);
    oneof(c, "inc", flags, COUNT(flags), "0, 1");
}

static void check_extern(const IntrCheck *c) { oneof(c, "valued", flags, COUNT(flags), "0, 1"); }

/* ---------------------------------------------------------------------- */

static const struct Wants {
    uint8_t op;
    uint8_t scope[MaxRegion];
    void (*check)(const IntrCheck *);
} wants[] = {
    {Oasync_copy, {Gl, Sh}, check_copy},
    {Otma_copy, {Gl, Sh, Ba}, check_copy},
    {Otma_put, {Sh, Gl}, check_copy},
    {Omma, {Lo, Lo, Lo}, check_mma},
    {Oldmatrix, {Sh, Lo}, check_ldmatrix},
    {Ostmatrix, {Lo, Sh}, check_ldmatrix},
    {Ocp_async, {Gl, Sh}, check_cp_async},
    {Ocp_async_wait, {0}, check_wait},
    {Ocp_async_arrive, {Ba}, check_mbar},
    {Otma_load, {Gl, Sh, Ba | Ri}, check_tma_load},
    {Otma_store, {Sh, Gl}, check_tma_store},
    {Obulk_load, {Gl, Sh, Ba | Ri}, check_bulk},
    {Obulk_store, {Sh, Gl}, check_bulk},
    {Obulk_wait, {0}, check_bulk_wait},
    {Owgmma, {Sh | Lo, Sh, Lo}, check_wgmma},
    {Owgmma_wait, {0}, check_wait},
    {Ombar_init, {Ba}, check_mbar},
    {Ombar_arrive, {Ba}, check_mbar},
    {Ombar_expect, {Ba}, check_mbar},
    {Ombar_arrive_expect, {Ba}, check_mbar},
    {Ombar_wait, {Ba}, check_mbar},
    {Obar_sync, {0}, check_bar},
    {Obar_arrive, {0}, check_bar},
    {Osetmaxnreg, {0}, check_setmaxnreg},
    {Ocall_extern, {Lo, Lo}, check_extern},
    {Opipe_acquire, {Ri}, check_pipe},
    {Opipe_commit, {Ri}, check_pipe},
    {Opipe_wait, {Ri}, check_pipe},
    {Opipe_release, {Ri}, check_pipe},
};

static void scopes(const IntrCheck *c, const uint8_t *allowed)
{
    Prog *p = c->p;
    for (int i = 0; i < opinfo[c->op].nregion; i++) {
        const char *list = "";
        if (!c->r[i].buf)
            diag_fail(&p->ctx, E_bug, p->here, "an operation without one of its regions", NULL);
        for (int k = 1; k < NScope; k++)
            if (allowed[i] >> k & 1)
                list = afmt(&p->ctx, *list ? "%s, %s" : "%s%s", list, scopename[k]);
        tile_scope(p, c->what, &c->r[i], allowed[i] >> p->buf[c->r[i].buf].scope & 1, list);
    }
}

static Ex tthread_number(const IntrCheck *c, Ex e)
{
    Prog *p = c->p;
    enum Dtype t = ex_type(p, e);
    if (dtypeinfo[t].cls == 'F')
        diag_fail(&p->ctx, E_op_value, p->here, c->what, dtypeinfo[t].name, NULL);
    return t == DTbool || p->between.after || p->machine ? e : x_cast(p, DTi32, e);
}

void check_thread_op(Prog *p, enum Op op, const Region *r, Ex *value, const int32_t *attr,
                     const char *text)
{
    IntrCheck c = {p, op, p->textfile ? opinfo[op].text : op_name(p, op), r, *value, attr, text};
    if (opinfo[op].nvalue && !*value)
        diag_fail(&p->ctx, E_bug, p->here, "an operation without its value", NULL);
    if (opinfo[op].nvalue)
        c.value = *value = tthread_number(&c, *value);
    for (size_t i = 0; i < COUNT(wants); i++)
        if (wants[i].op == op) {
            scopes(&c, wants[i].scope);
            wants[i].check(&c);
        }
}
