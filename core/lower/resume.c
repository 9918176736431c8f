/* core/lower/resume.c: lowering that stops between two passes, and goes on from there.
 *
 * What passes leave for later ones is in the program, in the plans of its statements and in that
 * of the launch (core/ir/handover.h).  Low has the last one while passes run: resume_keep() puts it
 * where a program that is printed has it, resume_take() gets it back.  The rest of a Low is
 * found again from the program, or means nothing behind the end of a pass.
 *
 * A text may lack what a pass relies on.  resume_ready() looks at that before the first pass
 * runs: `needs` below says which plan which statement has behind which pass. */
#include <string.h>

#include "core/ir/walk.h"
#include "core/lower/build/accesses.h"
#include "resume.h"
#include "err/ir.h"

#define NUM(i) afmt(c, "%lld", (long long)(i))

void resume_keep(Low *l)
{
    LaunchPlan *k = anew(&l->p->ctx, sizeof *k);
    *k = (LaunchPlan){.tid = l->tid, .threads = l->threads, .rank = l->rank, .retry = l->retry,
                      .buf = l->buf, .nbuf = l->capbuf};
    l->launch->launch.plan = k;
}

/* Layouts that all can see stand for those that Low has, too. */
static void seen_maps(Low *l)
{
    Prog *p = l->p;
    for (uint32_t b = 1; b < p->nbuf; b++) {
        BufLow *k = low_buf(l, b);
        bool tile = p->buf[b].scope == SCshared || p->buf[b].scope == SCfragment;
        if (tile && p->buf[b].map && !k->map.ndim)
            k->map = *p->buf[b].map;
    }
}

void resume_take(Low *l)
{
    const LaunchPlan *k = l->launch->launch.plan;
    l->tid = k->tid ? k->tid : l->launch->launch.thread[0];
    l->threads = k->threads ? k->threads : l->total;
    l->rank = k->rank;
    l->retry = k->retry;
    low_buf(l, l->p->nbuf);
    for (uint32_t i = 0; i < k->nbuf && i < l->p->nbuf; i++)
        *low_buf(l, i) = k->buf[i];
    seen_maps(l);
    low_uses(l);
}

enum { SharedBytes = 1 << 28 }; /* of a buffer that is still to be placed: more than machines have */

/* What must be there --------------------------------------------------------- */

typedef struct Ready Ready;
struct Ready {
    Low *l;
    int after;             /* number of the pass behind which the program stands */
    const char *pass;      /* the next one */
    bool ok;
};

/* Reports that the plan `what` of a statement at loc lacks, which pass `of` leaves. */
static void lacks(Ready *r, Loc loc, const char *what, const char *of)
{
    if (r->ok)
        diag(&r->l->p->ctx, E_pass_plan, loc, r->pass, what, of, r->l->m->name, NULL);
    r->ok = false;
}

/* Behind a pass (and in front of another, from where on nobody asks) each such statement has a
 * plan. */
static bool of_gemm(Prog *p, const Stmt *s)
{
    (void)p;
    return s->kind == Sop && s->op.op == Ogemm && !s->op.gemm;
}

/* A gemm that is left has an instruction. */
static bool of_matrix(Prog *p, const Stmt *s)
{
    (void)p;
    return s->kind == Sop && s->op.op == Ogemm && s->op.gemm && !s->op.gemm->mma;
}

static bool of_copy(Prog *p, const Stmt *s)
{
    (void)p;
    return s->kind == Sop && !s->op.copy &&
           (s->op.op == Oasync_copy || s->op.op == Otma_copy || s->op.op == Otma_put);
}

static bool no_fragment(Stmt *s, void *ud)
{
    const Prog *p = ud;
    return !(s->kind == Sstore && low_fragment(p, s->store.buf)) &&
           !stmt_any(p, s, low_of_fragment, ud);
}

/* Others have the plan that parloop_plan() makes. */
static bool of_loop(Prog *p, const Stmt *s)
{
    return s->kind == Sfor && s->loop.kind == Fparallel && !s->loop.plan &&
           !stmt_walk(s->loop.body, no_fragment, p);
}

static bool of_reduce(Prog *p, const Stmt *s)
{
    return s->kind == Sop && s->op.op == Oreduce && !s->op.reduce &&
           low_fragment(p, s->op.r[0].buf) && low_fragment(p, s->op.r[1].buf);
}

typedef struct Need Need;
struct Need {
    const char *from, *to; /* behind the first pass, up to the second */
    bool (*lacks)(Prog *p, const Stmt *s);
    const char *what;
};

static const Need needs[] = {
    {"select", "gemm", of_gemm, "plan gemm mma=.. warps=.."},
    {"tile_ops", "gemm", of_matrix, "plan gemm mma=.. warps=.."},
    {"select", "tma", of_copy, "plan copy how=.."},
    {"layouts", "parallel", of_loop, "plan loop map=.."},
    {"layouts", "reduce", of_reduce, "plan reduce map=.."},
};

static int pass_number(const char *name)
{
    int i = 0;
    while (prog_pass(i) && strcmp(prog_pass(i), name))
        i++;
    return i;
}

static bool behind(const Ready *r, const char *from, const char *to)
{
    return r->after >= pass_number(from) && (!to || r->after < pass_number(to));
}

/* Does shared buffer b have a layout for each of its elements, or none? */
static bool map_fits(const Prog *p, const Buf *b)
{
    int64_t v;
    bool fits = !b->map || (b->scope == SCshared && b->map->ndim == b->ndim && !layout_check(b->map, 0));
    for (int d = 0; fits && b->map && d < b->ndim; d++)
        fits = x_isint(p, b->shape[d], &v) && v <= b->map->extent[d];
    return fits;
}

/* A shared buffer or barrier: its layout, and its place in the block's memory once it has one. */
static void ready_placed(Ready *r, const Stmt *s)
{
    Prog *p = r->l->p;
    Ctx *c = &p->ctx;
    const Buf *b = &p->buf[s->alloc.buf];
    int64_t all = r->l->launch->launch.shared;
    int64_t bytes = b->map ? layout_extent(b->map, AXoff) * dtypeinfo[b->dt].bits / 8
                           : buf_bytes(p, s->alloc.buf);
    if (!map_fits(p, b) || bytes > SharedBytes) {
        lacks(r, s->loc, afmt(c, "alloc %s .. map=..", b->name), "shared");
    } else if (behind(r, "alloc_shared", NULL) && b->at < 0) {
        lacks(r, s->loc, afmt(c, "alloc %s .. at=..", b->name), "alloc_shared");
    } else if (r->ok && b->at >= 0 && (b->at > all || b->at + bytes > all)) {
        diag(c, E_place_outside, s->loc, b->name, NUM(b->at), NUM(b->at + bytes - 1), NUM(all), "1",
             NULL);
        r->ok = false;
    }
}

/* A fragment's registers, from the solver on until nothing speaks of it. */
static void ready_alloc(Ready *r, const Stmt *s)
{
    const Prog *p = r->l->p;
    const Buf *b = &p->buf[s->alloc.buf];
    const BufLow *k = low_buf(r->l, s->alloc.buf);
    if (b->scope == SCfragment && behind(r, "layouts", "unroll") && !k->regs)
        lacks(r, s->loc, afmt(&r->l->p->ctx, "plan buffer %s strength=.. regs=..", b->name),
              "layouts");
    if (b->scope == SCshared || b->scope == SCbarrier)
        ready_placed(r, s);
    if (b->scope == SCshared && behind(r, "shared", "reduce") && !b->map)
        lacks(r, s->loc, afmt(&r->l->p->ctx, "alloc %s .. map=..", b->name), "shared");
}

/* A parallel loop over fragments has about as many iterations as they have elements; checks of tile
 * programs have seen to that.  What is unrolled is no longer than that, either. */
static void ready_loop(Ready *r, const Stmt *s)
{
    enum { MostHeld = 1 << 18 };
    Prog *p = r->l->p;
    bool parallel = s->loop.kind == Fparallel;
    int64_t n = 1, lo, hi;
    if (s->loop.kind == Fserial || (parallel && stmt_walk(s->loop.body, no_fragment, p)))
        return;
    for (int i = 0; i < s->loop.n; i++)
        if (x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi) && hi > lo &&
            (__builtin_sub_overflow(hi, lo, &lo) || __builtin_mul_overflow(n, lo, &n)))
            n = INT64_MAX;
    if (n <= MostHeld)
        return;
    Ctx *c = &p->ctx;
    diag(c, E_block_size, s->loc, forname[s->loop.kind], n == INT64_MAX ? "2^63" : NUM(n),
         NUM(MostHeld), NULL);
    r->ok = false;
}

static bool ready_statement(Stmt *s, void *ud)
{
    Ready *r = ud;
    for (size_t i = 0; i < COUNT(needs); i++)
        if (behind(r, needs[i].from, needs[i].to) && needs[i].lacks(r->l->p, s))
            lacks(r, s->loc, needs[i].what, needs[i].from);
    if (s->kind == Salloc)
        ready_alloc(r, s);
    else if (s->kind == Sfor)
        ready_loop(r, s);
    return r->ok;
}

bool resume_ready(Low *l, int first)
{
    const char *pass = prog_pass(first);
    Ready r = {.l = l, .after = first - 1, .pass = pass ? pass : "..", .ok = true};
    if (first > 0 && l->launch->launch.nthread != 1)
        lacks(&r, l->launch->loc, "launch .. threads N", "flatten");
    stmt_walk(l->launch->launch.body, ready_statement, &r);
    return r.ok;
}
