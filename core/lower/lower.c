/* core/lower/lower.c: the passes that turn a tile program into the thread
 * program of a machine, in order.  Read this first; lower.h says what each
 * one finds and leaves. */
#include <string.h>

#include "core/ir/verify.h"
#include "core/lower/shared/thrift.h"
#include "lower.h"

typedef struct Pass Pass;
struct Pass {
    const char *name; /* as :ir(pass) and verifier messages call it */
    void (*run)(Low *l);
};

static const Pass passes[] = {
    {"flatten", low_flatten},   /* threads, uniform statements */
    {"choose", low_choose},     /* instructions of gemms and copies */
    {"pipeline", low_pipeline}, /* stages, versions, roles and rings */
    {"expand", low_expand},     /* tile operations as parallel nests */
    {"layouts", low_layouts},   /* who holds which element; conversions */
    {"shared", low_shared},     /* where elements of shared buffers stand */
    {"epilogue", low_epilogue}, /* accumulators through shared memory to TMA */
    {"tma", low_tma},           /* boxes and bulk copies */
    {"partial", low_partial},   /* sums of lanes, behind loops */
    {"peel", low_peel},         /* masks only where something is masked */
    {"clear", low_clear},       /* products that overwrite */
    {"overlap", low_overlap},   /* products in flight under other work */
    {"gemm", low_gemm},         /* operand fetches, matrix instructions */
    {"reduce", low_reduce},     /* reductions and scans */
    {"nests", low_nests},       /* nests: slots, vectors, guards */
    {"rings", low_rings},       /* rings as pairs of mbarriers */
    {"simplify", low_simplify}, /* what has become constant goes */
    {"unused", low_unused},     /* and the buffers that nothing touches now */
    {"place", low_place},       /* offsets in shared memory, by lifetimes */
    {"sync", low_sync},         /* barriers and fences, from the effect table */
    {"ranges", low_ranges},     /* roles of parts of warps as conditions */
    {"unroll", low_unroll},     /* loops that would be too much text stay loops */
};

const char *prog_pass(int i)
{
    return i >= 0 && (size_t)i < COUNT(passes) ? passes[i].name : NULL;
}

static void start(Low *l, Prog *p, const Machine *m, Stmt *launch)
{
    *l = (Low){.p = p, .m = m, .launch = launch};
    l->threads = 1;
    for (int i = 0; i < launch->launch.nthread; i++)
        l->threads *= launch->launch.threads[i];
    l->total = l->threads;
    low_names_taken(l);
}

typedef struct Run {
    Prog *p;
    const Machine *m;
    const char *until;
    LowSeen *seen; void *ud;
    bool ok;
} Run;

/* All passes over one launch; false: errors. */
static bool passes_run(const Run *r, Low *l)
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
    return low_replay(l);
}

/* One launch, lowered once. */
typedef struct Try Try;
struct Try {
    const Run *r;
    Low *l;
    bool ok;
};

static void try(Ctx *c, void *ud)
{
    Try *t = ud;
    (void)c;
    t->ok = passes_run(t->r, t->l);
}

/* Lowers the launch of b as r says, each time going without more, until its shared memory
 * is enough or nothing is left: *with. */
static bool settle(const Run *r, const Before *b, Thrift *with)
{
    Low l;
    for (;;) {
        Try t = {.r = r, .l = &l};
        start(&l, r->p, r->m, b->launch);
        l.thrift = *with;
        if (ctx_try(&r->p->ctx, try, &t) && t.ok)
            return true;
        if (!thrift_more(&l, with))
            return false;
        thrift_back(&l, b);
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
static bool one(const Run *r, Stmt *launch)
{
    Run quiet = {.p = r->p, .m = r->m, .until = "place"};
    bool shown = r->until || r->seen;
    Thrift with = {0};
    Before b;
    Low l;
    start(&l, r->p, r->m, launch);
    thrift_keep(&l, &b);
    bool ok = settle(shown ? &quiet : r, &b, &with);
    if (!shown || (!ok && broken_off(&r->p->ctx)))
        return ok;
    thrift_back(&l, &b);
    start(&l, r->p, r->m, launch);
    l.thrift = with;
    return passes_run(r, &l);
}

static void lower(Ctx *c, void *ud)
{
    Run *r = ud;
    (void)c;
    if (!prog_fits(r->p, r->m))
        return;
    for (Stmt *s = r->p->body; s; s = s->next)
        if (s->kind == Slaunch && !one(r, s))
            return;
    r->p->machine = r->until ? NULL : r->m->name;
    r->ok = r->until || prog_verify(r->p, "lower");
}

static bool run(Run *r)
{
    return ctx_try(&r->p->ctx, lower, r) && r->ok && r->p->ctx.nerror == 0;
}

bool prog_lower(Prog *p, const Machine *m, const char *until)
{
    Run r = {.p = p, .m = m, .until = until};
    return run(&r);
}

bool prog_lower_seen(Prog *p, const Machine *m, LowSeen *seen, void *ud)
{
    Run r = {.p = p, .m = m, .seen = seen, .ud = ud};
    return run(&r);
}
