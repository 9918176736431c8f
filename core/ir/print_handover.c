/* core/ir/print_handover.c: the plans of passes as lines of IR text; parse.c has their grammar.
 *
 * A plan of a statement stands in front of it, that of a name behind the statement that declares
 * it, or, where it speaks of other names, behind the last of those:
 *
 *     alloc Cl: fragment float32[64, 64] map="..."
 *     alloc 'Cl.2': local float32[32] map="..."
 *     plan buffer Cl strength=gemm regs=Cl.2
 *     plan loop map="[64,64] lane(..) warp(..) reg(..)" vec=4
 *     for i, j in parallel(64, 64) do
 *
 * Values that mean nothing (0, false, none) are left out, and so is what the reader finds by
 * itself: see handover.h. */
#include <string.h>

#include "handover.h"
#include "print.h"

/* Values ----------------------------------------------------------------- */

static void print_handover_begin(Pr *w, const char *what)
{
    pr_indent(w);
    str_fmt(w->out, "plan %s", what);
}

static void print_handover_number(Pr *w, const char *name, int64_t v)
{
    if (v)
        str_fmt(w->out, " %s=%lld", name, (long long)v);
}

static void print_handover_map(Pr *w, const char *name, const Layout *l)
{
    Str text = {0};
    layout_print(l, &text);
    str_fmt(w->out, " %s=", name);
    pr_quoted(w->out, text.s ? text.s : "", '"');
    w->out->bad |= text.bad;
    str_free(&text);
}

static void print_handover_buf(Pr *w, const char *name, uint32_t b)
{
    if (!b)
        return;
    str_fmt(w->out, " %s=", name);
    pr_buf(w, b);
}

static void print_handover_value(Pr *w, const char *name, Ex e)
{
    if (!e)
        return;
    str_fmt(w->out, " %s=", name);
    pr_expr(w, e, 0, false);
}

static void print_handover_end(Pr *w) { str_puts(w->out, "\n"); }

/* Statements --------------------------------------------------------------- */

static void print_gemm(Pr *w, const GemmPlan *g)
{
    print_handover_begin(w, "gemm");
    if (g->mma) {
        str_puts(w->out, " mma=");
        pr_quoted(w->out, g->mma->name, '"');
        str_fmt(w->out, " warps=[%d, %d]", g->wm, g->wn);
    }
    print_handover_number(w, "n", g->n);
    if (g->aspan || g->bspan)
        str_fmt(w->out, " spans=[%d, %d]", g->aspan, g->bspan);
    print_handover_number(w, "pack", g->pack == 1 ? 0 : g->pack);
    print_handover_number(w, "widen", g->widen);
    print_handover_number(w, "async", g->async);
    print_handover_number(w, "behind", g->behind);
    print_handover_value(w, "keep", g->keep);
    print_handover_end(w);
    const Layout *map[] = {&g->a, &g->b, &g->c};
    static const char *const name[] = {"gemm A", "gemm B", "gemm C"};
    for (size_t i = 0; i < COUNT(map); i++)
        if (map[i]->ndim) {
            print_handover_begin(w, name[i]);
            print_handover_map(w, "map", map[i]);
            print_handover_end(w);
        }
}

static void print_copy(Pr *w, const CopyPlan *c)
{
    print_handover_begin(w, "copy");
    str_fmt(w->out, " how=%s", copyhow[c->how < NCopyHow ? c->how : 0]);
    print_handover_number(w, "commit", c->commit);
    print_handover_number(w, "shared", c->shared);
    print_handover_buf(w, "bar", c->bar);
    print_handover_value(w, "use", c->use);
    print_handover_end(w);
}

static void print_parloop(Pr *w, const char *what, const ParLoopPlan *q, bool open)
{
    if (!q && !open)
        return;
    print_handover_begin(w, what);
    print_handover_number(w, "open", open);
    if (q) {
        print_handover_map(w, "map", &q->loop);
        print_handover_number(w, "vec", q->vec == 1 ? 0 : q->vec);
        print_handover_number(w, "partial", q->partial);
    }
    print_handover_end(w);
}

static void print_turn(Pr *w, const Stmt *s)
{
    if (!s->turn.loop)
        return;
    print_handover_begin(w, "turn");
    print_handover_number(w, "loop", s->turn.loop);
    print_handover_value(w, "first", s->turn.first);
    print_handover_value(w, "last", s->turn.last);
    print_handover_end(w);
}

/* Marks of statements, each a word. */
static void print_marks(Pr *w, const Stmt *s)
{
    const char *mark = s->kind == Sstore && s->store.strict    ? "strict"
                       : s->kind == Sfor && s->loop.apart      ? "apart"
                       : s->kind == Srole && s->role.apart     ? "apart"
                       : s->kind == Sassume && s->check.begins ? "begins"
                       : s->kind == Sif && s->cond.look        ? "look"
                                                               : NULL;
    if (!mark)
        return;
    print_handover_begin(w, "mark ");
    str_puts(w->out, mark);
    print_handover_end(w);
}

static void print_launch_plan(Pr *w, const Stmt *s)
{
    const LaunchPlan *l = s->launch.plan;
    const Retry *t = &l->retry;
    int all = 1;
    for (int i = 0; i < s->launch.nthread; i++)
        all *= s->launch.threads[i];
    bool beside = l->threads && l->threads != all; /* producers */
    if (!beside && !t->keep && !t->one && !t->most && !t->whole && !t->tight &&
        !t->apart && !t->united && !t->lean && !t->dense && !t->beside)
        return;
    print_handover_begin(w, "launch");
    print_handover_number(w, "threads", beside ? l->threads : 0);
    print_handover_number(w, "keep", t->keep);
    print_handover_number(w, "one", t->one);
    print_handover_number(w, "most", t->most);
    print_handover_number(w, "whole", t->whole);
    print_handover_number(w, "tight", t->tight);
    print_handover_number(w, "apart", t->apart);
    print_handover_number(w, "united", t->united);
    print_handover_number(w, "lean", t->lean);
    print_handover_number(w, "dense", t->dense);
    print_handover_number(w, "beside", t->beside);
    print_handover_end(w);
}

void pr_handover_before(Pr *w, const Stmt *s)
{
    if (!w->plans)
        return;
    if (s->kind == Slaunch && s->launch.plan)
        print_launch_plan(w, s);
    if (s->kind == Sop && s->op.gemm)
        print_gemm(w, s->op.gemm);
    if (s->kind == Sop && s->op.copy)
        print_copy(w, s->op.copy);
    if (s->kind == Sop)
        print_parloop(w, "reduce", s->op.reduce, false);
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        print_parloop(w, "loop", s->loop.plan, s->loop.open);
    print_turn(w, s);
    print_marks(w, s);
}

/* Variables ------------------------------------------------------------------ */

/* Variable v, declared by s, of which the builder knows lo to hi. */
static void print_variable(Pr *w, uint32_t v, int64_t lo, int64_t hi)
{
    const Var *k = v < w->p->nvar ? &w->p->var[v] : NULL;
    const LaunchPlan *l = w->plan;
    if (!k)
        return;
    bool ranged = k->lo != lo || k->hi != hi, tid = l && l->tid == v && k->kind == Vlet;
    bool rank = l && l->rank == v;
    if (!ranged && !k->once && !tid && !rank)
        return;
    print_handover_begin(w, "var ");
    pr_var(w, v);
    if (ranged)
        str_fmt(w->out, " in %lld..%lld", (long long)k->lo, (long long)k->hi);
    print_handover_number(w, "once", k->once);
    print_handover_number(w, "tid", tid);
    print_handover_number(w, "rank", rank);
    print_handover_end(w);
}

/* Variables that live in the blocks of s, before its first statement. */
static void print_inner(Pr *w, const Stmt *s)
{
    int n = s->kind == Sfor ? s->loop.n : s->kind == Slaunch ? s->launch.n : 0;
    int64_t lo, hi;
    for (int i = 0; i < n; i++) {
        stmt_range(w->p, s, i, &lo, &hi);
        print_variable(w, s->kind == Sfor ? s->loop.var[i] : s->launch.block[i], lo, hi);
    }
}

/* Buffers --------------------------------------------------------------------- */

/* Can b be named here, or is there no b? */
static bool print_handover_visible(const Pr *w, uint32_t b)
{
    if (!b)
        return true;
    for (const PrintName *k = b < w->p->nbuf ? w->bucket[w->buf[b].bucket] : NULL; k; k = k->below)
        if (k == &w->buf[b])
            return true;
    return false;
}

/* Is k's layout that of buffer b itself, for all to see? */
static bool same_map(const Buf *b, const BufLow *k)
{
    Str one = {0}, two = {0};
    if (b->map)
        layout_print(b->map, &one);
    layout_print(&k->map, &two);
    bool same = b->map && one.n == two.n && memcmp(one.s, two.s, one.n) == 0;
    str_free(&one);
    str_free(&two);
    return same;
}

static void print_buffer(Pr *w, uint32_t b)
{
    static const BufLow none;
    const BufLow *k = handover_buf(w->plan, b);
    k = k ? k : &none;
    print_handover_begin(w, "buffer ");
    pr_buf(w, b);
    if (k->strength && k->strength < NStrength)
        str_fmt(w->out, " strength=%s", strengthname[k->strength]);
    print_handover_number(w, "span", k->span);
    print_handover_number(w, "versions", k->versions);
    print_handover_number(w, "async", k->async);
    print_handover_number(w, "scratch", k->scratch);
    print_handover_buf(w, "pipe", k->pipe);
    print_handover_buf(w, "staging", k->staging);
    print_handover_number(w, "settles", k->settles);
    print_handover_buf(w, "regs", k->regs);
    print_handover_number(w, "nth", w->nth[b]);
    if (k->strength && !same_map(&w->p->buf[b], k))
        print_handover_map(w, "map", &k->map);
    pr_endline(w, k->why);
}

/* Is there anything to say of k?  Fragments of registers are named by their fragments, layouts
 * without strength are those of the buffer. */
static bool telling(const BufLow *k)
{
    return k->strength || k->span || k->versions || k->async || k->scratch || k->pipe ||
           k->staging || k->settles || k->regs;
}

static void print_handover_note(Pr *w, uint32_t b)
{
    const BufLow *k = handover_buf(w->plan, b);
    if ((k && telling(k)) || w->nth[b])
        w->pend[w->npend++] = b;
}

/* Shared buffers in the order of the text, and whether each is older than the next. */
typedef struct Aged { Pr *w; uint64_t last; uint32_t n; bool sorted; } Aged;

static bool find_aged(Stmt *s, void *ud)
{
    Aged *k = ud;
    Pr *w = k->w;
    uint32_t b = s->kind == Salloc && s->alloc.buf < w->p->nbuf ? s->alloc.buf : 0;
    int sc = w->p->buf[b].scope;
    if (!b || (sc != SCshared && sc != SCbarrier))
        return true;
    uint64_t age = buf_age(handover_buf(w->plan, b), b);
    k->sorted &= age >= k->last;
    k->last = age;
    w->pend[k->n++] = b;
    return k->n < w->p->nbuf;
}

/* Numbers them by age where the text does not have them in that order. */
static void print_handover_ages(Pr *w, const Stmt *launch)
{
    Aged k = {.w = w, .sorted = true};
    memset(w->nth, 0, w->p->nbuf * sizeof *w->nth);
    stmt_walk(launch->launch.body, find_aged, &k);
    for (uint32_t i = 1; i < k.n && !k.sorted; i++) { /* w->pend becomes sorted */
        uint32_t b = w->pend[i], j = i;
        uint64_t age = buf_age(handover_buf(w->plan, b), b);
        for (; j && buf_age(handover_buf(w->plan, w->pend[j - 1]), w->pend[j - 1]) > age; j--)
            w->pend[j] = w->pend[j - 1];
        w->pend[j] = b;
    }
    for (uint32_t i = 0; i < k.n && !k.sorted; i++)
        w->nth[w->pend[i]] = i + 1;
}

/* The plans of buffers whose names can all be said by now. */
static void print_buffers(Pr *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->npend; i++) {
        const BufLow *k = handover_buf(w->plan, w->pend[i]);
        if (!k || (print_handover_visible(w, k->pipe) && print_handover_visible(w, k->staging) &&
                   print_handover_visible(w, k->regs)))
            print_buffer(w, w->pend[i]);
        else
            w->pend[n++] = w->pend[i];
    }
    w->npend = n;
}

void pr_handover_inside(Pr *w, const Stmt *s)
{
    if (!w->plans)
        return;
    if (s->kind == Slaunch) {
        w->plan = s->launch.plan;
        print_handover_ages(w, s);
        w->npend = 0;
        for (uint32_t b = 1; b < w->p->nbuf; b++)
            if (pr_headbuf(w, pr_root(w->p, b)))
                print_handover_note(w, b);
    }
    print_inner(w, s);
    print_buffers(w);
}

void pr_handover_behind(Pr *w, const Stmt *s)
{
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    if (!w->plans)
        return;
    if (s->kind == Slet) {
        stmt_range(w->p, s, 0, &lo, &hi);
        print_variable(w, s->let.var, lo, hi);
    } else if (s->kind == Satomic && s->atomic.prev) {
        print_variable(w, s->atomic.prev, lo, hi);
    } else if (s->kind == Salloc) {
        for (uint32_t b = s->alloc.buf; b < w->p->nbuf; b++)
            if (b == s->alloc.buf || (w->p->buf[b].base && pr_root(w->p, b) == s->alloc.buf))
                print_handover_note(w, b);
        print_buffers(w);
    }
}
