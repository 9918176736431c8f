/* core/lower/lower.c: the passes that turn a tile program into the thread
 * program of a machine, in order.  Read this first; lower.h says what each
 * one finds and leaves. */
#include <string.h>

#include "core/ir/verify.h"
#include "core/ir/walk.h"
#include "core/lower/shared/retry.h"
#include "core/lower/vary/vary.h"
#include "resume.h"
#include "err/ir.h"
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

enum { NPasses = COUNT(passes) };

/* Its number; `none` if there is no such pass. */
static int pass_named(const char *name, int none)
{
    for (int i = 0; i < NPasses; i++)
        if (strcmp(passes[i].name, name) == 0)
            return i;
    return none;
}

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

/* Passes `first` to `last` over a program; all: and what follows the last one. */
typedef struct LowerRun {
    Prog *p;
    const Machine *m;
    int first, last;
    bool all;
    bool keeps;            /* what it leaves can be gone on with */
    LowSeen *seen; void *ud;
    bool ok;
} LowerRun;

/* A text that somebody wrote need not be what passes leave: what one of them then finds wrong is
 * no bug of ours. */
static void blame_text(const LowerRun *r, int pass)
{
    Ctx *c = &r->p->ctx;
    const char *name = prog_pass(pass), *before = pass ? prog_pass(pass - 1) : name;
    for (Diag *d = c->diags; d && r->first > 0; d = d->next)
        if (d->err == E_bug) {
            d->err = E_pass_text;
            d->arg[1] = d->arg[0];
            d->arg[0] = name;
            d->arg[2] = r->m->name;
            d->arg[3] = before;
        }
}

/* Those passes over one launch; false: errors, of pass *at, or NPasses: of the barriers. */
static bool passes_run(const LowerRun *r, Low *l, int *at)
{
    for (int i = r->first; i <= r->last; i++) {
        *at = i;
        passes[i].run(l);
        if (r->p->ctx.nerror || !prog_verify(r->p, passes[i].name))
            return false;
        if (r->seen)
            r->seen(r->ud, r->p, l->launch, passes[i].name);
    }
    if (!r->all) {
        resume_keep(l);
        return true;
    }
    low_audit(l);
    *at = NPasses;
    return low_check_mbarriers(l);
}

/* One launch, lowered once. */
typedef struct LowerTry LowerTry;
struct LowerTry {
    const LowerRun *r;
    Low *l;
    int at;                /* the pass that runs, or was the last one */
    bool ok;
};

static void lower_try(Ctx *c, void *ud)
{
    LowerTry *t = ud;
    (void)c;
    t->ok = passes_run(t->r, t->l, &t->at);
}

/* Lowers the launch of b as r says, each time going without more, until its shared memory
 * is enough and its barriers hold, or nothing is left: *with. */
static bool lower_until_fits(const LowerRun *r, const Before *b, Retry *with)
{
    Low l;
    for (;;) {
        LowerTry t = {.r = r, .l = &l};
        low_init(&l, r->p, r->m, b->launch);
        l.retry = *with;
        if (ctx_try(&r->p->ctx, lower_try, &t) && t.ok)
            return true;
        bool unsound = t.at == NPasses && retry_united(&l, with);
        if (!unsound && !retry_more(&l, with))
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

/* From a tile program.  Who looks at single passes sees those of the last time alone. */
static bool lower_launch(const LowerRun *r, Stmt *launch)
{
    LowerRun quiet = {.p = r->p, .m = r->m, .last = NPasses - 1, .all = true};
    bool shown = !r->all || r->seen;
    Retry with = {0};
    Before b;
    Low l;
    int at;
    low_init(&l, r->p, r->m, launch);
    retry_keep(&l, &b);
    bool ok = lower_until_fits(shown ? &quiet : r, &b, &with);
    if (!shown || (!ok && broken_off(&r->p->ctx)))
        return ok;
    retry_back(&l, &b);
    low_init(&l, r->p, r->m, launch);
    l.retry = with;
    return passes_run(r, &l, &at);
}

/* What follows the last pass, once it is known to be a thread program. */
static bool lower_ends(const LowerRun *r)
{
    Prog *p = r->p;
    bool ok;
    p->machine = r->m->name;
    ok = prog_verify(p, passes[NPasses - 1].name);
    p->machine = NULL;
    for (Stmt *s = p->body; s && ok; s = s->next)
        if (s->kind == Slaunch) {
            Low l;
            low_init(&l, p, r->m, s);
            resume_take(&l);
            low_audit(&l);
            ok = low_check_mbarriers(&l);
        }
    return ok;
}

/* From between two passes: with what those before have found to be enough. */
static bool lower_on(const LowerRun *run, Stmt *launch)
{
    Low l;
    LowerRun passes_alone = *run, *r = &passes_alone;
    LowerTry t = {.r = r, .l = &l, .at = r->first};
    r->all = false;
    low_init(&l, r->p, r->m, launch);
    resume_take(&l);
    if (!resume_ready(&l, r->first))
        return false;
    bool ok = ctx_try(&r->p->ctx, lower_try, &t) && t.ok;
    blame_text(r, t.at);
    return ok;
}

static void lower_prog(Ctx *c, void *ud)
{
    LowerRun *r = ud;
    Prog *p = r->p;
    (void)c;
    if (!prog_fits(p, r->m))
        return;
    for (Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch && !(r->first ? lower_on : lower_launch)(r, s))
            return;
    if (r->first && r->all && !lower_ends(r))
        return;
    for (Stmt *s = p->body; s && r->all; s = s->next)
        if (s->kind == Slaunch) { /* of threads alone: behind the passes of all launches */
            Low l;
            low_init(&l, p, r->m, s);
            low_iterations(&l);
        }
    p->between.machine = r->keeps ? r->m->name : NULL;
    p->between.after = r->keeps ? passes[r->last].name : NULL;
    p->machine = r->all ? r->m->name : NULL;
    r->ok = !r->all || prog_verify(p, "lower");
}

static bool lower_all(LowerRun *r)
{
    bool ok = ctx_try(&r->p->ctx, lower_prog, r) && r->ok && r->p->ctx.nerror == 0;
    blame_text(r, NPasses - 1);
    return ok;
}

/* Which passes ----------------------------------------------------------------- */

static const char *pass_names(Ctx *c)
{
    const char *all = passes[0].name;
    for (int i = 1; i < NPasses; i++)
        all = afmt(c, "%s, %s", all, passes[i].name);
    return all;
}

/* The pass whose name is the first n bytes of s; n 0: number `none`. */
static int lower_pass(Prog *p, const char *s, size_t n, int none)
{
    Ctx *c = &p->ctx;
    const char *name = astr(c, s, n);
    int i = n ? pass_named(name, NPasses) : none;
    if (i == NPasses)
        diag_fail(c, E_pass_unknown, p->loc, name, pass_names(c), NULL);
    return i;
}

/* Pass `wanted` cannot run now: number `next` comes next. */
NORETURN static void wrong_order(const LowerRun *r, int wanted, int next)
{
    const char *after = r->p->between.after;
    diag_fail(&r->p->ctx, E_pass_order, r->p->loc, passes[wanted].name, after ? after : "tile",
              passes[next].name, r->m->name, NULL);
}

/* `PASS`, `=PASS`, `[PASS]..[PASS]`; NULL: all that are left. */
static void lower_which(LowerRun *r, const char *which)
{
    Ctx *c = &r->p->ctx;
    const char *after = r->p->between.after, *dots = which ? strstr(which, "..") : NULL;
    int next = after ? lower_pass(r->p, after, strlen(after), 0) + 1 : 0;
    if (r->p->machine || (next == NPasses && which && strcmp(which, "..")))
        diag_fail(c, E_pass_none, r->p->loc, which ? which : "..",
                  r->p->machine ? "thread" : after, NULL);
    r->first = next;
    r->last = NPasses - 1;
    r->all = !which || (dots && !dots[2]);
    if (dots) {
        r->first = lower_pass(r->p, which, (size_t)(dots - which), next);
        r->last = lower_pass(r->p, dots + 2, strlen(dots + 2), NPasses - 1);
    } else if (which) {
        const char *name = which + (*which == '=');
        r->last = lower_pass(r->p, name, strlen(name), NPasses);
        r->first = *which == '=' ? r->last : next;
    }
    r->keeps = !r->all && (dots || after || *which == '=');
    bool begins = r->first == next, ends = r->all || r->last >= r->first;
    if (!begins || !ends) /* nowhere in order: next < NPasses */
        wrong_order(r, begins ? r->last : r->first, next);
    if (after && strcmp(r->p->between.machine, r->m->name))
        diag_fail(c, E_pass_machine, r->p->loc, r->p->between.machine, r->m->name, NULL);
}

typedef struct LowerWhich { LowerRun *r; const char *which; } LowerWhich;

static void lower_chosen(Ctx *c, void *ud)
{
    const LowerWhich *k = ud;
    (void)c;
    lower_which(k->r, k->which);
}

static bool lower_some(LowerRun *r, const char *which)
{
    return ctx_try(&r->p->ctx, lower_chosen, &(LowerWhich){r, which}) && lower_all(r);
}

bool prog_lower(Prog *p, const Machine *m, const char *which)
{
    LowerRun r = {.p = p, .m = m};
    return lower_some(&r, which);
}

bool prog_lower_seen(Prog *p, const Machine *m, LowSeen *seen, void *ud)
{
    LowerRun r = {.p = p, .m = m, .seen = seen, .ud = ud};
    return lower_some(&r, NULL);
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
