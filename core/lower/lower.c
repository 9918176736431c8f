/* core/lower/lower.c: the passes that turn a tile program into the thread
 * program of a machine, in order.  Read this first; lower.h says what each
 * one finds and leaves. */
#include <string.h>

#include "core/ir/verify.h"
#include "core/ir/walk.h"
#include "core/lower/shared/retry.h"
#include "core/lower/vary/vary.h"
#include "lower.h"
#include "err/kernel.h"

typedef struct LowPass LowPass;
struct LowPass {
    const char *name; /* as :ir(pass) and verifier messages call it */
    void (*run)(Low *l);
};

static const LowPass passes[] = {
    {"flatten", low_flatten},   /* threads, uniform statements */
    {"select", low_select},     /* instructions of gemms and copies */
    {"pipeline", low_pipeline}, /* stages, roles and barrier pairs */
    {"tile_ops", low_tile_ops}, /* tile operations as parallel loops */
    {"layouts", low_layouts},   /* who holds which element; conversions */
    {"shared", low_shared},     /* where elements of shared buffers stand */
    {"epilogue", low_epilogue}, /* accumulators through shared memory to TMA */
    {"tma", low_tma},           /* boxes and bulk copies */
    {"split_acc", low_split_acc}, /* sums of lanes, behind loops */
    {"partition", low_partition}, /* masks only where something is masked */
    {"zero_init", low_zero_init}, /* products that overwrite */
    {"overlap", low_overlap},   /* products in flight under other work */
    {"gemm", low_gemm},         /* operand fetches, matrix instructions */
    {"reduce", low_reduce},     /* reductions and scans */
    {"parallel", low_parallel}, /* parallel loops: registers, vectors, guards */
    {"mbarriers", low_mbarriers}, /* barrier pairs as two mbarriers each */
    {"simplify", low_simplify}, /* what has become constant goes */
    {"unused", low_unused},     /* and the buffers that nothing touches now */
    {"alloc_shared", low_alloc_shared}, /* offsets in shared memory, by lifetimes */
    {"sync", low_sync},         /* barriers and fences, from the effect table */
    {"fences", low_fences},     /* of global memory that bulk copies come to, too */
    {"ranges", low_ranges},     /* roles of parts of warps as conditions */
    {"unroll", low_unroll},     /* loops that would be too much text stay loops */
};

const char *prog_pass(int i)
{
    return i >= 0 && (size_t)i < COUNT(passes) ? passes[i].name : NULL;
}

static void low_init(Low *l, Prog *p, const Machine *m, Stmt *launch)
{
    *l = (Low){.p = p, .m = m, .launch = launch};
    l->threads = 1;
    for (int i = 0; i < launch->launch.nthread; i++)
        l->threads *= launch->launch.threads[i];
    l->total = l->threads;
    low_names_taken(l);
}

typedef struct LowerRun {
    Prog *p;
    const Machine *m;
    const char *until;
    LowSeen *seen; void *ud;
    bool ok;
} LowerRun;

/* All passes over one launch; false: errors. */
static bool passes_run(const LowerRun *r, Low *l)
{
    for (size_t i = 0; i < COUNT(passes); i++) {
        passes[i].run(l);
        if (r->p->ctx.nerror || !prog_verify(r->p, passes[i].name))
            return false;
        if (r->seen)
            r->seen(r->ud, r->p, l->launch, passes[i].name);
        if (r->until && strcmp(r->until, passes[i].name) == 0)
            break;
    }
    if (r->until)
        return true;
    low_audit(l);
    return low_check_mbarriers(l);
}

/* One launch, lowered once. */
typedef struct LowerTry LowerTry;
struct LowerTry {
    const LowerRun *r;
    Low *l;
    bool ok;
};

static void lower_try(Ctx *c, void *ud)
{
    LowerTry *t = ud;
    (void)c;
    t->ok = passes_run(t->r, t->l);
}

/* Lowers the launch of b as r says, each time going without more, until its shared memory
 * is enough or nothing is left: *with. */
static bool lower_until_fits(const LowerRun *r, const Before *b, Retry *with)
{
    Low l;
    for (;;) {
        LowerTry t = {.r = r, .l = &l};
        low_init(&l, r->p, r->m, b->launch);
        l.retry = *with;
        if (ctx_try(&r->p->ctx, lower_try, &t) && t.ok)
            return true;
        if (!retry_more(&l, with))
            return false;
        retry_back(&l, b);
    }
}

/* Lowering was broken off: it would not end another time either. */
static bool broken_off(const Ctx *c)
{
    for (const Diag *d = c->diags; d; d = d->next)
        if (d->err == E_build_interrupted || d->err == E_memory)
            return true;
    return false;
}

/* Who looks at single passes sees those of the last time alone. */
static bool lower_launch(const LowerRun *r, Stmt *launch)
{
    LowerRun quiet = {.p = r->p, .m = r->m, .until = "alloc_shared"};
    bool shown = r->until || r->seen;
    Retry with = {0};
    Before b;
    Low l;
    low_init(&l, r->p, r->m, launch);
    retry_keep(&l, &b);
    bool ok = lower_until_fits(shown ? &quiet : r, &b, &with);
    if (!shown || (!ok && broken_off(&r->p->ctx)))
        return ok;
    retry_back(&l, &b);
    low_init(&l, r->p, r->m, launch);
    l.retry = with;
    return passes_run(r, &l);
}

static void lower_prog(Ctx *c, void *ud)
{
    LowerRun *r = ud;
    (void)c;
    if (!prog_fits(r->p, r->m))
        return;
    for (Stmt *s = r->p->body; s; s = s->next)
        if (s->kind == Slaunch && !lower_launch(r, s))
            return;
    for (Stmt *s = r->p->body; s && !r->until; s = s->next)
        if (s->kind == Slaunch) { /* of threads alone: behind the passes of all launches */
            Low l;
            low_init(&l, r->p, r->m, s);
            low_iterations(&l);
        }
    r->p->machine = r->until ? NULL : r->m->name;
    r->ok = r->until || prog_verify(r->p, "lower");
}

static bool lower_all(LowerRun *r)
{
    return ctx_try(&r->p->ctx, lower_prog, r) && r->ok && r->p->ctx.nerror == 0;
}

bool prog_lower(Prog *p, const Machine *m, const char *until)
{
    LowerRun r = {.p = p, .m = m, .until = until};
    return lower_all(&r);
}

bool prog_lower_seen(Prog *p, const Machine *m, LowSeen *seen, void *ud)
{
    LowerRun r = {.p = p, .m = m, .seen = seen, .ud = ud};
    return lower_all(&r);
}

/* Programs that are not lowered ------------------------------------------------ */

typedef struct Kept Kept;
struct Kept { const Prog *p; const Stmt *loop; uint32_t root; };

static bool alike_born(Stmt *s, void *ud)
{
    const Kept *k = ud;
    return s->kind != Salloc || s->alloc.buf != k->root;
}

/* Does a parallel loop leave nothing in private variables from outside of it? */
static bool alike_leaves(Stmt *s, void *ud)
{
    const Kept *in = ud;
    Kept k = *in;
    if (s->kind != Sstore || !vary_private(k.p, s->store.buf))
        return true;
    k.root = buf_root(k.p, s->store.buf);
    return !stmt_walk(k.loop->loop.body, alike_born, &k);
}

static bool alike_loop(Stmt *s, void *ud)
{
    Kept k = {ud, s, 0};
    return s->kind != Sfor || s->loop.kind != Fparallel ||
           stmt_walk(s->loop.body, alike_leaves, &k);
}

typedef struct Alike Alike;
struct Alike { Prog *p, *q; const Machine *m; bool refused; };

static void alike_flatten(Ctx *c, void *ud)
{
    const Alike *a = ud;
    (void)c;
    for (Stmt *s = a->q->body; s; s = s->next) {
        Low l;
        if (s->kind != Slaunch)
            continue;
        low_init(&l, a->q, a->m, s);
        low_flatten(&l);
    }
}

static void alike_report(Ctx *c, void *ud)
{
    Alike *a = ud;
    for (const Diag *d = a->q->ctx.diags; d; d = d->next)
        a->refused |= d->err == E_parallel_place || d->err == E_parallel_value ||
                      d->err == E_parallel_condition || d->err == E_tile_thread;
    if (a->refused)
        diag_adopt(c, &a->q->ctx);
}

bool prog_alike(Prog *p, const Machine *m)
{
    if (stmt_walk(p->body, alike_loop, p))
        return true;
    Alike a = {.p = p, .q = prog_copy(p), .m = m};
    if (!a.q)
        return true; /* no memory for it: what follows says so */
    bool done = ctx_try(&a.q->ctx, alike_flatten, &a);
    if (!done || a.q->ctx.nerror)
        ctx_try(&p->ctx, alike_report, &a);
    prog_free(a.q);
    return !a.refused;
}
