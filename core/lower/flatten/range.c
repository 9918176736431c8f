/* core/lower/flatten/range.c: tile operations under conditions on the thread.
 *
 * `if tx < 128 then T.copy(..) end` spreads the copy over those threads, as
 * TileLang does.  A condition that selects threads side by side makes a role of
 * its branch, and of the other branch where that has tile operations too:
 *
 *   if 64 <= tx and tx < 128 and U then A end     role 64..128 do if U then A end end
 *   if tx < 128 then A else B end                 role 0..128 do A end role 128..n do B end
 *   if tx < 128 and U then A else B end           if U then (the form above) else B end
 *
 * with U the same in all threads.  Branches of one condition run side by side, as
 * those of T.ws do; what stands behind the whole comes after it (role.apart).  Inside
 * of a role the same holds of its threads: a round for each depth of conditions.
 *
 * A range that is not made of whole warps has no barrier and no matrix instruction.
 * Tiles of registers that are its own are kept in shared memory; those of others are
 * fetched and brought back by all (apart.c); products, reductions and scans
 * are errors.  ranges.c makes a condition of such a role again, at the end.
 *
 * Everything else that differs between threads (data, loops of other lengths, sets with
 * gaps) is an error where a tile operation stands under it. */
#include <string.h>

#include "core/check/check.h"
#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "flatten.h"
#include "err/kernel.h"
#include "err/pipes.h"

typedef struct Ranges Ranges;
struct Ranges {
    Low *l;
    RangePlace at;
    uint32_t caploop;
    const Stmt *div;     /* the innermost statement around that threads take differently */
    bool made, again;
    bool talk;           /* threads of a condition in this list wait for others, or others for them */
};

#define NUM(n) afmt(&r->l->p->ctx, "%lld", (long long)(n))

static const char *range_threads_text(const Ranges *r, int lo, int hi)
{
    Ctx *c = &r->l->p->ctx;
    return hi - lo == 1 ? afmt(c, "%d", lo) : afmt(c, "%d..%d", lo, hi - 1);
}

/* What is spread over threads --------------------------------------------- */

static bool names_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xvar && p->var[x->sym].kind == Vthread;
}

/* A copy that a thread starts of a part of its own (T.ptx_cp_async), also where others do not. */
static bool flat_started(const Prog *p, const Stmt *s)
{
    const Region *r = s->op.r;
    if (s->op.op != Oasync_copy || !s->op.attr[1])
        return false;
    for (int d = 0; d < p->buf[r[1].buf].ndim; d++)
        if (ex_any_let(p, r[1].min[d], names_thread, (void *)(uintptr_t)p))
            return true;
    return false;
}

/* Is s spread over the threads that come to it? */
static bool flat_spread(const Prog *p, const Stmt *s)
{
    if (s->kind == Sfor)
        return s->loop.kind == Fparallel;
    if (s->kind != Sop || opinfo[s->op.op].level != 'T')
        return false;
    for (int i = 0; i < opinfo[s->op.op].nregion; i++)
        if (vary_private(p, s->op.r[i].buf) && s->op.op != Oprint)
            return false; /* every thread's own */
    return !flat_started(p, s);
}

static bool not_tile(Stmt *s, void *ud) { return s->kind != Srole && !flat_spread(ud, s); }

static bool range_tiles(Prog *p, Stmt *list) { return !stmt_walk(list, not_tile, p); }

static const char *range_what_of(Prog *p, const Stmt *s)
{
    return s->kind == Sfor ? "T.Parallel" : s->kind == Srole ? "T.ws" :
           op_said(p, s);
}

typedef struct FirstThread { Prog *p; const Stmt *s; } FirstThread;

static bool range_first_of(Stmt *s, void *ud)
{
    FirstThread *f = ud;
    if (!not_tile(s, f->p))
        f->s = s;
    return !f->s;
}

/* The first tile operation in list, which has one. */
static const Stmt *first_tile(Prog *p, Stmt *list)
{
    FirstThread f = {p, NULL};
    stmt_walk(list, range_first_of, &f);
    return f.s;
}

/* Memory that a list writes, and touches otherwise too: its threads may have to wait for
 * each other.  Atomics of one update_number() need not: seen holds that of a buffer, above the bits
 * of RW*; of two it is 0. */
typedef struct AccessedBuffers { const Prog *p; uint32_t *seen; bool meet; } AccessedBuffers;
enum { RWread = 1, RWwritten = 2, RWatomic = 4, RWupdate = 8 };

static void range_accessed(AccessedBuffers *t, uint32_t buf, uint32_t how)
{
    uint32_t *at = &t->seen[buf_root(t->p, buf)];
    int scope = t->p->buf[buf].scope;
    if (scope != SCshared && scope != SCglobal)
        return;
    bool commute = how >= RWupdate && how == *at;
    t->meet |= *at && !commute && (how | *at) & (RWwritten | RWatomic);
    *at |= how;
}

static uint32_t range_atomic(const Prog *p, const Stmt *s)
{
    if (s->kind == Satomic && s->atomic.kind == ATload)
        return RWread;
    return RWatomic | RWupdate * (uint32_t)update_number(p, s);
}

static ExGo accessed_load(void *ud, Ex e)
{
    AccessedBuffers *t = ud;
    const Expr *x = ex_at(t->p, e);
    if (x->op == Xload)
        range_accessed(t, x->sym, RWread);
    return EXinto;
}

/* They wait for somebody, as the program says, or others for them. */
static bool range_waits(const Stmt *s)
{
    if (s->kind != Sop)
        return s->kind == Scall && s->call.fn == Isync_threads;
    return s->op.op == Ombar_wait || s->op.op == Ombar_arrive || s->op.op == Obar_sync || s->op.op == Obar_arrive;
}

static bool accesses_buffer(Stmt *s, void *ud)
{
    AccessedBuffers *t = ud;
    stmt_ex_walk(t->p, s, accessed_load, t);
    t->meet |= range_waits(s);
    if (s->kind == Sstore)
        range_accessed(t, s->store.buf, RWwritten);
    if (s->kind == Satomic)
        range_accessed(t, s->atomic.buf, range_atomic(t->p, s));
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        if (s->op.r[i].buf && opinfo[s->op.op].regions[i] != 'b')
            range_accessed(t, s->op.r[i].buf,
                           opinfo[s->op.op].regions[i] == 'r' ? RWread
                           : s->op.op == Oatomic              ? range_atomic(t->p, s)
                                                              : RWwritten);
    return !t->meet;
}

static bool range_meets(Prog *p, Stmt *list)
{
    AccessedBuffers t = {p, anew(&p->ctx, p->nbuf * sizeof *t.seen), false};
    stmt_walk(list, accesses_buffer, &t);
    return t.meet;
}

/* Conditions ----------------------------------------------------------------- */

static void refuse_data(const Ranges *r, const Stmt *at, const Stmt *div)
{
    const Stmt *where;
    Ex cause = vary_cause(r->at.v, div, &where);
    diag_fail(&r->l->p->ctx, E_range_data, at->loc, range_what_of(r->l->p, at),
              cause ? low_text(r->l, cause) : "", NUM(where->loc.line), NULL);
}

/* Threads side by side, lo == hi: none. */
typedef struct ThreadSpan { int lo, hi; bool gaps; } ThreadSpan;

static ThreadSpan span_of(const Ranges *r, const RangeSplit *k, bool in)
{
    ThreadSpan s = {r->at.lo, r->at.lo, false};
    int n = 0;
    for (int t = r->at.lo; t < r->at.hi; t++)
        if (k->in[t - r->at.lo] == in) {
            s.lo = n++ ? s.lo : t;
            s.hi = t + 1;
        }
    s.gaps = s.hi - s.lo != n;
    return s;
}

/* Roles ---------------------------------------------------------------------- */

bool flat_ragged(const Low *l, const Stmt *s)
{
    return s->kind == Srole && (s->role.lo % l->m->warp || s->role.hi % l->m->warp);
}

static Stmt *range_role(Ranges *r, const Stmt *s, ThreadSpan k, Stmt *body, bool apart)
{
    Low *l = r->l;
    if (k.lo == k.hi || !body)
        return NULL;
    r->again = true; /* for what is inside */
    if (k.lo == r->at.lo && k.hi == r->at.hi)
        return body;
    Stmt *out = anew(&l->p->ctx, sizeof *out);
    out->kind = Srole;
    out->loc = s->loc;
    out->role.lo = k.lo;
    out->role.hi = k.hi;
    out->role.body = body;
    out->role.apart = apart;
    if (k.hi - k.lo == 1) { /* the thread is known */
        LowNew tid = {l->tid, low_i(l, k.lo)};
        low_vars(l, body, &tid, 1);
    }
    r->made = true;
    return out;
}

static void range_contiguous(const Ranges *r, const Stmt *s, ThreadSpan k, Stmt *body)
{
    if (!k.gaps)
        return;
    const Stmt *at = first_tile(r->l->p, body);
    diag_fail(&r->l->p->ctx, E_range_gaps, at->loc, range_what_of(r->l->p, at),
              low_text(r->l, s->cond.cond), NUM(s->loc.line), range_threads_text(r, k.lo, k.hi),
              NULL);
}

/* A part of those who are here that can wait for itself? */
static bool range_warps(const Ranges *r, ThreadSpan k)
{
    int w = r->l->m->warp, n = k.hi - k.lo;
    return n && n < r->at.hi - r->at.lo && !k.gaps && k.lo % w == 0 && k.hi % w == 0 &&
           (n == w || r->l->m->named_barriers);
}

/* One branch: a role, or what each thread does by itself. */
static Stmt *range_side(Ranges *r, Stmt *s, Ex cond, ThreadSpan k, Stmt *body, bool apart)
{
    Prog *p = r->l->p;
    if (body && range_tiles(p, body))
        range_contiguous(r, s, k, body);
    else if (k.lo != k.hi && !range_warps(r, k))
        return low_if(r->l, cond, body, NULL);
    return range_role(r, s, k, body, apart);
}

/* Tile operations under a condition of which it is not known which threads it chooses. */
static Stmt *range_open(Ranges *r, Stmt *s, Ex cond)
{
    Prog *p = r->l->p;
    Stmt *out = flat_cases(r->l, &r->at, s, cond);
    if (!out)
        refuse_data(r, first_tile(p, range_tiles(p, s->cond.then) ? s->cond.then : s->cond.els), s);
    r->again = true;
    return out;
}

/* `if c then A else B` over the threads that are here, which differ in c.  s itself: it
 * is left to each thread. */
static Stmt *range_divided(Ranges *r, Stmt *s)
{
    Low *l = r->l;
    Prog *p = l->p;
    Ex cond = s->cond.cond;
    RangeSplit k = flat_split(l, &r->at, cond);
    bool then_tiles = range_tiles(p, s->cond.then), els_tiles = range_tiles(p, s->cond.els);
    if (k.mixed && (then_tiles || els_tiles)) {
        cond = flat_stated(l, &r->at, cond);
        k = flat_split(l, &r->at, cond);
        if (k.mixed)
            return range_open(r, s, cond);
    }
    if (k.mixed)
        return s;
    if (k.uniform && s->cond.els) { /* the next round divides what is inside */
        Stmt *in = anew(&p->ctx, sizeof *in);
        *in = *s;
        in->next = NULL;
        in->cond.cond = k.range;
        Stmt *other = low_renew(l, low_clone(l, s->cond.els));
        r->again = true;
        return low_if(l, k.uniform, in, other);
    }
    ThreadSpan yes = span_of(r, &k, true), no = span_of(r, &k, false);
    if (!then_tiles && !els_tiles && !range_warps(r, yes) && !range_warps(r, no))
        return s;
    low_begin(l, s->loc);
    if (!x_pure(p, k.range)) /* one branch may set what the other one is chosen by */
        k.range = x_var(p, s_let(p, "chosen", k.range));
    Stmt *then = low_if(l, k.uniform, s->cond.then, NULL);
    Stmt *a = range_side(r, s, k.range, yes, then, true);
    Stmt *b = range_side(r, s, x_un(p, Xnot, k.range), no, s->cond.els, !a || a->kind != Srole);
    Stmt *named = low_end(l);
    if (s->next && s->next->kind == Srole)
        s->next->role.apart = true;
    return low_append(named, low_append(a, b));
}

/* T.ws under a condition: of its threads those that come. */
static Stmt *role_in_branch(Ranges *r, Stmt *s)
{
    ThreadSpan k = {s->role.lo, s->role.hi, false};
    bool whole = r->at.lo == 0 && r->at.hi == r->l->total;
    if (whole)
        return s;
    k.lo = k.lo > r->at.lo ? k.lo : r->at.lo;
    k.hi = k.hi < r->at.hi ? k.hi : r->at.hi;
    if (k.lo >= k.hi) {
        low_note(r->l, E_range_empty, s, range_threads_text(r, s->role.lo, s->role.hi),
                 range_threads_text(r, r->at.lo, r->at.hi));
        return NULL;
    }
    if (k.lo == r->at.lo && k.hi == r->at.hi) {
        r->again = true; /* for what is inside */
        return s->role.body;
    }
    s->role.lo = k.lo;
    s->role.hi = k.hi;
    return s;
}

/* A role of nothing but roles that run side by side: those alone. */
static Stmt *only_roles(Stmt *s)
{
    const Stmt *k = s->role.body;
    for (; k && k->kind == Srole && (k == s->role.body || !k->role.apart); k = k->next)
        ;
    if (k || !s->role.body)
        return s;
    s->role.body->role.apart = s->role.apart;
    return s->role.body;
}

/* The walk ------------------------------------------------------------------- */

static void range_block(Ranges *r, Stmt **at);

static void range_nested(Ranges *r, Stmt *s)
{
    Stmt **b[2];
    const Stmt *outer = r->div;
    uint32_t nloop = r->at.nloop;
    bool loop = s->kind == Sfor || s->kind == Swhile;
    if (s->kind == Sfor) {
        agrow(&r->l->p->ctx, &r->at.loop, &r->caploop, nloop + 1, sizeof *r->at.loop);
        r->at.loop[r->at.nloop++] = s;
    }
    if ((loop && vary_loop(r->at.v, s)) || (s->kind == Sif && vary_ex(r->at.v, s->cond.cond)))
        r->div = s;
    int lo = r->at.lo, hi = r->at.hi;
    r->at.lo = s->kind == Srole ? s->role.lo : lo;
    r->at.hi = s->kind == Srole ? s->role.hi : hi;
    for (int i = 0, n = low_blocks(s, b); i < n; i++)
        range_block(r, b[i]);
    r->at.lo = lo;
    r->at.hi = hi;
    r->div = outer;
    r->at.nloop = nloop;
}

/* Loop s, whose rounds some threads end early, and go on with the next one together with the
 * others: as conditions.  The next round of ours looks at those. */
static bool range_rejoined(Ranges *r, Stmt *s)
{
    bool ordinary = s->kind == Swhile ||
                    (s->kind == Sfor && (s->loop.kind == Fserial || s->loop.kind == Funroll ||
                                         s->loop.kind == Fpersistent));
    Stmt **body = s->kind == Swhile ? &s->whil.body : &s->loop.body;
    bool found = ordinary && range_tiles(r->l->p, *body) && vary_loop(r->at.v, s) &&
                 flat_drop_continue(r->l, body, s->loc);
    r->again |= found;
    return found;
}

static Stmt *range_statement(Ranges *r, Stmt *s)
{
    Prog *p = r->l->p;
    bool parloop = s->kind == Sfor && s->loop.kind == Fparallel;
    if (r->div && s->kind == Sop && s->op.op == Oprint && !s->op.r[0].buf) {
        *s = (Stmt){.kind = Sprint, .loc = s->loc, .next = s->next, .print.text = s->op.text};
        return s; /* a message: who comes says it */
    }
    if (r->div && !not_tile(s, p))
        refuse_data(r, s, r->div);
    if (parloop)
        return s;
    Stmt *out = s->kind == Srole ? role_in_branch(r, s) : s;
    vary_at(r->at.v, s);
    if (s->kind == Sif && !r->div && vary_ex(r->at.v, s->cond.cond) &&
        (r->talk || range_tiles(p, s->cond.then) || range_tiles(p, s->cond.els) ||
         range_meets(p, s->cond.then) || range_meets(p, s->cond.els)))
        out = range_divided(r, s);
    if (out != s || (!r->div && range_rejoined(r, s)))
        return out;
    range_nested(r, s);
    return s->kind == Srole ? only_roles(s) : s;
}

static bool range_silent(Stmt *s, void *ud)
{
    (void)ud;
    return !range_waits(s);
}

static bool range_talks(const Stmt *s)
{
    for (; s; s = s->next)
        if (s->kind == Sif && (!stmt_walk(s->cond.then, range_silent, NULL) ||
                               !stmt_walk(s->cond.els, range_silent, NULL)))
            return true;
    return false;
}

static void range_block(Ranges *r, Stmt **at)
{
    bool outer = r->talk;
    r->talk = range_talks(*at);
    while (*at) {
        Stmt *s = *at, *next = s->next;
        *at = range_statement(r, s);
        if (*at == s) {
            at = &s->next;
            continue;
        }
        s->next = NULL; /* what stands there instead may end in s's blocks */
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
    r->talk = outer;
}

/* What was made ----------------------------------------------------------------- */

static bool range_whole_warps(Stmt *s, void *ud)
{
    Ranges *r = ud;
    Prog *p = r->l->p;
    if (s->kind == Sfor && (s->loop.kind == Fpipelined || s->loop.kind == Fpersistent)) {
        if (s->loop.kind == Fpipelined)
            low_note(r->l, E_pipe_range, s,
                     range_threads_text(r, r->div->role.lo, r->div->role.hi));
        s->loop.kind = Fserial; /* stages would wait for each other */
    }
    if (s->kind != Sop || (s->op.op != Ogemm && s->op.op != Oreduce && s->op.op != Oscan))
        return true;
    const Stmt *k = r->div;
    diag_fail(&p->ctx, E_range_part, s->loc, range_what_of(p, s),
              range_threads_text(r, k->role.lo, k->role.hi), NUM(k->loc.line), r->l->m->name,
              NUM(r->l->m->warp), NULL);
    return false;
}

/* T.sync_threads() in a range is for its threads. */
static void range_barrier(Ranges *r, Stmt *s, const Stmt *in)
{
    Low *l = r->l;
    int64_t id;
    if (s->kind != Scall || s->call.fn != Isync_threads || !in ||
        !x_isint(l->p, s->call.arg[0], &id) || id >= 0)
        return;
    Stmt out = {.kind = Sop, .loc = s->loc, .next = s->next};
    out.op.op = flat_ragged(l, in) ? Onone : in->role.hi - in->role.lo == l->m->warp ? Owarp_sync
                                                                                     : Obar_sync;
    if (!out.op.op || (out.op.op == Obar_sync && !l->m->named_barriers))
        low_no_barrier(l, s->loc, in, NULL, s->loc);
    if (out.op.op == Obar_sync) {
        out.op.attr[0] = low_named(l, 1);
        out.op.attr[1] = in->role.hi - in->role.lo;
        if (!out.op.attr[0])
            diag_fail(&l->p->ctx, E_named_many, s->loc, NULL);
    }
    *s = out;
}

static void range_finish(Ranges *r, Stmt *s, const Stmt *in)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        range_barrier(r, s, in);
        if (flat_ragged(r->l, s)) {
            r->div = s;
            stmt_walk(s->role.body, range_whole_warps, r);
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            range_finish(r, b[i], s->kind == Srole ? s : in);
    }
}

void low_no_barrier(Low *l, Loc loc, const Stmt *role, const char *buf, Loc early)
{
    Ctx *c = &l->p->ctx;
    int lo = role->role.lo, hi = role->role.hi;
    const char *who = hi - lo == 1 ? afmt(c, "%d", lo) : afmt(c, "%d..%d", lo, hi - 1);
    bool part = flat_ragged(l, role);
    const char *line = afmt(c, "%d", (int)role->loc.line), *warp = afmt(c, "%d", l->m->warp);
    if (!buf)
        diag_fail(c, E_range_sync, loc, who, line, l->m->name, warp, part ? "1" : "0", NULL);
    diag_fail(c, part ? E_range_wait : E_range_named, loc, who, line, l->m->name, warp, buf,
              afmt(c, "%d", (int)early.line), NULL);
}

void flat_ranges(Low *l)
{
    Prog *p = l->p;
    Ranges r = {.l = l};
    do {
        r.again = false;
        r.at.hi = l->total;
        r.at.v = vary_look(l, VaryTiles, NULL, NULL);
        eval_init(&r.at.ev, p, l->tid, l->total);
        range_block(&r, &l->launch->launch.body);
    } while (r.again);
    flat_waits(l, r.at.v);
    flat_masks(l, r.at.v);
    if (!r.made)
        return;
    range_finish(&r, l->launch->launch.body, NULL);
    check_role(facts_gather(p));
    if (p->ctx.nerror)
        ctx_unwind(&p->ctx);
}
