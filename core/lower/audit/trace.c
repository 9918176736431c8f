/* core/lower/audit/trace.c: executes the block and lists what its threads come to,
 * in the order of the text; each warp goes through the list by itself later. */
#include <string.h>

#include "core/ir/expr.h"
#include "audit.h"
#include "core/lower/build/low.h"

/* Common: what the phases of up to 4, 6 or 8 stages repeat after. */
enum { MaxExact = 64, Margin = 2, Common = 48 };
enum { GOon, GObreak, GOcontinue };

static int trace_list(Audit *a, Step *k, const Mask *mask, uint32_t step);

/* Events ---------------------------------------------------------------- */

static AuditEvent *audit_trace_event(Audit *a, int what, const Stmt *s, const Mask *mask,
                                     uint32_t step)
{
    a->work++;
    agrow(a->c, &a->e, &a->cap, a->n + 1, sizeof *a->e);
    AuditEvent *e = &a->e[a->n++];
    *e = (AuditEvent){.what = (uint8_t)what, .s = s, .mask = mask, .step = step};
    return e;
}

/* The mbarrier that region r names; false: not known. */
static bool trace_object(Audit *a, const Region *r, uint32_t *id)
{
    int64_t i;
    uint32_t b = buf_root(a->p, r->buf);
    eval_reset(&a->ev);
    if (a->p->buf[b].ndim != 1 || !a->object[b] || !eval_one(&a->ev, r->min[0], &i) || i < 0 ||
        i >= a->mbars[b]) {
        a->lost = true;
        return false;
    }
    *id = a->object[b] - 1 + (uint32_t)i;
    return true;
}

static int fly_of(const AuditAccess *t)
{
    return t->done == 'c' ? AFcopy : t->done == 'w' ? AFwgmma : t->done == 'b' ? AFbulk
         : t->done == 'm' ? AFbarrier : AFnone;
}

static void trace_accessed(Audit *a, AuditAccess *t, const Step *in, const Step *at,
                           const Mask *mask, uint32_t step, int part)
{
    uint32_t id = 0;
    int fly = fly_of(t);
    if (fly == AFbarrier && !trace_object(a, &t->s->op.r[2], &id))
        return;
    Cells *c = audit_cells(a, t, in, at, mask, part);
    AuditEvent *e = audit_trace_event(a, DOaccess, t->s, mask, step);
    e->fly = (uint8_t)fly;
    e->id = id;
    e->access = t;
    e->cells = c;
    if (fly == AFwgmma) {
        e->time = anew(a->c, (size_t)a->warps * sizeof *e->time);
        memset(e->time, 0xff, (size_t)a->warps * sizeof *e->time); /* at no time */
    }
}

/* A load that the blocks of the cluster do in parts, each for all. */
static bool trace_divided(Audit *a, const Stmt *s)
{
    int64_t v;
    return s->kind == Sop && s->op.op == Otma_load && a->blocks > 1 &&
           !(eval_one(&a->ev, s->op.value, &v) && v == 0);
}

static void trace_accesses(Audit *a, Step *k, const Step *in, const Mask *mask, uint32_t step)
{
    for (uint32_t i = 0; i < k->naccess && !a->lost; i++) {
        AuditAccess *t = &k->access[i];
        int parts = fly_of(t) == AFbarrier && trace_divided(a, k->s) ? a->blocks : 0;
        for (int r = parts ? 1 : 0; r <= parts; r++)
            trace_accessed(a, t, in, k, mask, step, r);
    }
}

/* All of a loop that is one step. */
static void loop_as_step(Audit *a, Step *k, const Step *in, const Mask *mask, uint32_t step)
{
    trace_accesses(a, k, in, mask, step);
    for (int i = 0; i < 2; i++)
        for (Step *c = k->child[i]; c; c = c->next)
            loop_as_step(a, c, in, mask, step);
}

/* Operations -------------------------------------------------------------- */

static int64_t trace_number(Audit *a, Ex e, int64_t otherwise)
{
    int64_t v;
    return e && eval_one(&a->ev, e, &v) ? v : otherwise;
}

static int64_t trace_box_bytes(const Audit *a, const Region *g)
{
    int64_t n = 1, v;
    for (int d = 0; d < a->p->buf[g->buf].ndim; d++)
        n = ex_wmul(n, x_isint(a->p, g->extent[d], &v) ? v : 0);
    if (n < 0 || n > INT32_MAX)
        return 0;
    return n * dtypeinfo[a->p->buf[g->buf].dt].bits / 8;
}

static void on_mbarrier(Audit *a, int what, const Stmt *s, const Mask *mask, int64_t n)
{
    uint32_t id;
    if (trace_object(a, &s->op.r[what == DOload ? 2 : 0], &id)) {
        AuditEvent *e = audit_trace_event(a, what, s, mask, 0);
        e->id = id;
        e->n = n;
        e->arrives = s->op.op == Ombar_arrive_expect;
    }
}

/* An operand that decides the order. */
static int64_t trace_decides(Audit *a, Ex e)
{
    int64_t v = 0;
    eval_reset(&a->ev);
    if (!eval_one(&a->ev, e, &v))
        a->lost = true;
    return v;
}

/* Of each warp all lanes, or none. */
static bool trace_whole_warps(const Audit *a, const Mask *mask)
{
    int n = 0;
    for (int w = 0; w < a->warps; w++) {
        int left = a->threads - w * a->m->warp;
        n += mask->warp[w] ? left < a->m->warp ? left : a->m->warp : 0;
    }
    return n == mask->n;
}

static void trace_meet(Audit *a, int what, const Stmt *s, const Mask *mask, int64_t id,
                       int64_t count)
{
    a->guess |= !trace_whole_warps(a, mask); /* they count as one, or are wrong */
    AuditEvent *e = audit_trace_event(a, what, s, mask, 0);
    if (id < 0 || id > NamedBarriers)
        id = 0;
    e->id = (uint32_t)id;
    e->n = count > 0 && id > 0 ? count : a->threads;
}

static void asynchronous(Audit *a, int what, int fly, const Stmt *s, const Mask *mask)
{
    AuditEvent *e = audit_trace_event(a, what, s, mask, 0);
    e->fly = (uint8_t)fly;
    e->n = s->op.attr[0];
}

static void trace_operation(Audit *a, const Stmt *s, const Mask *mask)
{
    switch ((enum Op)s->op.op) {
    case Obar_sync: trace_meet(a, DObarrier, s, mask, s->op.attr[0], s->op.attr[1]); break;
    case Obar_arrive: trace_meet(a, DOarrive, s, mask, s->op.attr[0], s->op.attr[1]); break;
    case Ocluster_arrive: trace_meet(a, DOarrive, s, mask, NamedBarriers, a->threads); break;
    case Ocluster_wait: trace_meet(a, DOleave, s, mask, NamedBarriers, a->threads); break;
    case Owarp_sync: audit_trace_event(a, DOwarp, s, mask, 0); break;
    case Ofence_async: audit_trace_event(a, DOfence, s, mask, 0); break;
    case Ocp_async_commit: asynchronous(a, DOcommit, AFcopy, s, mask); break;
    case Owgmma_commit: asynchronous(a, DOcommit, AFwgmma, s, mask); break;
    case Obulk_commit: asynchronous(a, DOcommit, AFbulk, s, mask); break;
    case Ocp_async_wait: asynchronous(a, DOwait, AFcopy, s, mask); break;
    case Owgmma_wait: asynchronous(a, DOwait, AFwgmma, s, mask); break;
    case Obulk_wait: asynchronous(a, DOwait, AFbulk, s, mask); break;
    case Ombar_init: on_mbarrier(a, DOinit, s, mask, trace_decides(a, s->op.value)); break;
    case Ombar_arrive: on_mbarrier(a, DOmarrive, s, mask, 0); break;
    case Ombar_expect: case Ombar_arrive_expect:
        on_mbarrier(a, DOexpect, s, mask, trace_decides(a, s->op.value));
        break;
    case Ombar_wait: on_mbarrier(a, DOmwait, s, mask, trace_decides(a, s->op.value)); break;
    case Otma_load: case Obulk_load:
        on_mbarrier(a, DOload, s, mask,
                    trace_box_bytes(a, &s->op.r[1]) * (trace_divided(a, s) ? a->blocks : 1));
        break;
    case Ocp_async_arrive: a->lost = true; break;
    default: break;
    }
}

/* What mask names: of all threads *one, or of each its own; all lanes where it is not known: a right
 * one names those who come. */
static const int64_t *trace_named(Audit *a, Ex mask, int64_t *one)
{
    eval_reset(&a->ev);
    Lanes v = eval(&a->ev, mask);
    *one = v.v || v.unknown ? -1 : v.one;
    if (!v.v)
        return NULL;
    size_t bytes = (size_t)a->threads * sizeof *v.v;
    return memcpy(anew(a->c, bytes), v.v, bytes);
}

static void trace_warp_barrier(Audit *a, const Stmt *s, const Mask *mask)
{
    Ex lanes = s->call.arg[0];
    bool all = x_all_lanes(a->p, lanes);
    AuditEvent *e = audit_trace_event(a, all ? DOwarp : DOlanes, s, mask, 0);
    if (!all)
        e->named = trace_named(a, lanes, &e->n);
}

static bool is_vote(void *ud, Ex e)
{
    const Expr *x = &((const Prog *)ud)->ex[e];
    return x->op == Xcall && (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync);
}

static bool trace_no_vote(void *ud, Ex e) { return !ex_any(ud, e, is_vote, ud); }

static void trace_orders(Audit *a, const Stmt *s, const Mask *mask)
{
    eval_reset(&a->ev);
    if (s->kind == Sop)
        trace_operation(a, s, mask);
    else if (s->kind == Scall && s->call.fn == Isync_warp)
        trace_warp_barrier(a, s, mask);
    else if (s->kind == Scall && (s->call.fn == Isync_threads || s->call.fn == Isync_grid))
        trace_meet(a, DObarrier, s, mask, trace_number(a, s->call.arg[0], -1),
                   trace_number(a, s->call.arg[1], -1));
    else if (stmt_vote_last(a->p, s) && !stmt_exprs(a->p, s, trace_no_vote, a->p))
        trace_meet(a, DObarrier, s, mask, 0, 0);
}

/* Private variables --------------------------------------------------------- */

static void trace_keep(Audit *a, uint32_t b, Ex value)
{
    int64_t v;
    int scope = a->p->buf[b].scope;
    if (scope != SCvar && scope != SClocal)
        return;
    b = buf_root(a->p, b);
    eval_reset(&a->ev);
    a->set[b] = value && eval_one(&a->ev, value, &v);
    if (a->set[b])
        a->mem[b] = v;
    eval_changed(&a->ev);
}

/* Loops --------------------------------------------------------------------- */

typedef struct Period Period;
struct Period { Audit *a; uint32_t var; int64_t n, common; };

static void trace_meet_period(Period *r, Ex e, bool may)
{
    int64_t k = e ? eval_period(&r->a->ev, e, r->var) : 1;
    if (k || !may)
        r->n = eval_lcm(r->n, k);
    if (k && eval_lcm(r->common, k))
        r->common = eval_lcm(r->common, k);
}

static void periods(Period *r, const Step *k)
{
    for (; k; k = k->next) {
        const Stmt *s = k->s;
        if (!k->busy)
            continue;
        for (uint32_t i = 0; i < k->naccess; i++)
            for (int d = 0; d < k->access[i].nd; d++)
                trace_meet_period(r, k->access[i].idx[d], false);
        if (s->kind == Sop && s->op.op != Owgmma) /* which says whether to add, not when */
            trace_meet_period(r, s->op.value, false);
        if (s->kind == Sif)
            trace_meet_period(r, s->cond.cond, true);
        for (int i = 0; s->kind == Sfor && i < s->loop.n; i++) {
            trace_meet_period(r, s->loop.lo[i], true);
            trace_meet_period(r, s->loop.hi[i], true);
        }
        periods(r, k->child[0]);
        periods(r, k->child[1]);
    }
}

/* Of rounds that depend on what is assumed of open values there may be more to come. */
int64_t audit_period(Audit *a, Step *k)
{
    if (k->since != a->ev.known) {
        Period r = {a, k->s->loop.var[0], 1, 1};
        periods(&r, k->child[0]);
        k->period = r.n;
        k->common = r.common;
        k->since = a->ev.known;
    }
    if (a->skip == SKcommon && (k->period == 0 || Common % k->period == 0))
        return Common;
    return k->period || !a->ev.ngiven ? k->period : Common;
}

/* The one open term of e becomes such that e is v; or e itself. */
static void trace_assume(Audit *a, Ex e, int64_t v)
{
    ExSum s = x_linear(a->p, e);
    Ex open = 0;
    int64_t c = s.c, k, by = 1;
    int opens = 0;
    for (int i = 0; i < s.n; i++) {
        if (eval_one(&a->ev, s.atom[i], &k)) {
            c = ex_wadd(c, ex_wmul(s.coef[i], k));
        } else {
            open = s.atom[i];
            by = s.coef[i];
            opens++;
        }
    }
    if (opens == 1 && (by == 1 || by == -1))
        eval_assume(&a->ev, open, ex_wmul(ex_wadd(v, ex_wmul(c, -1)), by));
    else
        eval_assume(&a->ev, e, v);
}

/* e's value; an open one becomes `otherwise`, within what it can be.  False: threads
 * have their own. */
static bool trace_bound(Audit *a, Ex e, int64_t otherwise, int64_t *v)
{
    int64_t least, most;
    eval_reset(&a->ev);
    Lanes l = eval(&a->ev, e);
    if (l.v)
        return false;
    *v = l.one;
    if (!l.unknown)
        return true;
    a->open = true;
    if (x_range(a->p, e, &least, &most))
        otherwise = otherwise < least ? least : otherwise > most ? most : otherwise;
    *v = otherwise;
    trace_assume(a, e, otherwise);
    return true;
}

static bool trace_over(const Audit *a) { return a->lost || (a->limit && a->work > a->limit); }

static int64_t trace_trips(int64_t lo, int64_t hi, int64_t by)
{
    uint64_t far = by > 0 ? (uint64_t)hi - (uint64_t)lo : (uint64_t)lo - (uint64_t)hi;
    uint64_t step = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
    if (by > 0 ? hi <= lo : lo <= hi)
        return 0;
    uint64_t n = far / step + (far % step != 0);
    return n > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)n;
}

/* Rounds lo, lo + by, .. of variable d: n of them, all, or the first and the last, as many apart
 * as what repeats does. */
static int trace_rounds(Audit *a, Step *k, const Mask *mask, uint32_t step, int d)
{
    const Stmt *s = k->s;
    int64_t lo, hi, by = 1;
    if (d == s->loop.n)
        return trace_list(a, k->child[0], mask, step);
    uint32_t var = s->loop.var[d];
    if (!trace_bound(a, s->loop.lo[d], 0, &lo) ||
        (s->loop.step && !trace_bound(a, s->loop.step, 1, &by)) || by == 0 ||
        !trace_bound(a, s->loop.hi[d], ex_wadd(lo == 1 ? 0 : lo, ex_wmul(a->trial.trips, by)),
                     &hi)) {
        a->guess |= k->orders || k->jumps;
        trace_list(a, k->child[0], mask, step ? step : ++a->step); /* of each thread its own: any */
        return GOon;
    }
    int64_t p = s->loop.n == 1 ? audit_period(a, k) : 1, go = GOon, n = trace_trips(lo, hi, by);
    int64_t beat = p ? p : k->common, head = beat + Margin - 1, tail = n;
    if (!p && head < 8)
        head = 8;
    if (n > 2 * (head + 1) && (p || n > MaxExact))
        tail = Margin + (n - head - Margin) % beat;
    for (int64_t i = 0; i < n && go != GObreak && !trace_over(a); i++) {
        if (i == head && n - i > tail && a->skip != SKnone) {
            a->skipped = true;
            i = n - tail;
        }
        a->work++;
        eval_bind(&a->ev, var, ex_wadd(lo, ex_wmul(i, by)));
        go = trace_rounds(a, k, mask, step, d + 1);
    }
    eval_free(&a->ev, var);
    return go == GObreak && d > 0 ? GObreak : GOon;
}

static void trace_repeat(Audit *a, Step *k, const Mask *mask, uint32_t step)
{
    Ex cond = k->s->whil.cond;
    for (int64_t i = 0; !trace_over(a); i++) {
        eval_reset(&a->ev);
        Lanes c = eval(&a->ev, cond);
        bool open = c.v || c.one == EVmaybe || c.unknown;
        a->open |= open;
        if (open ? i >= a->trial.trips : !c.one)
            break;
        trace_accesses(a, k, k, mask, step ? step : ++a->step);
        a->work++;
        if (trace_list(a, k->child[0], mask, step) == GObreak)
            break;
    }
}

/* Conditions ---------------------------------------------------------------- */

static bool trace_by_thread(void *ud, Ex e)
{
    const Audit *a = ud;
    const Expr *x = &a->p->ex[e];
    if (x->op == Xvar)
        return x->sym == a->ev.lane;
    return x->op == Xcall && intrinfo[x->sym].level == 'T';
}

/* One side of branch k, which those of `side` take; those whose condition c is open: perhaps. */
static int trace_side(Audit *a, Step *k, const Mask *side, const uint8_t *open, uint32_t step)
{
    uint8_t *was = a->perhaps;
    if (open) {
        a->perhaps = anew(a->c, (size_t)a->threads);
        for (int i = 0; i < a->threads; i++)
            a->perhaps[i] = open[i] || (was && was[i]);
    }
    int go = trace_list(a, k, side, step);
    a->perhaps = was;
    return go;
}

/* The threads that c is not known of; NULL: there are none. */
static const uint8_t *trace_open(Audit *a, Lanes c)
{
    bool any = false;
    uint8_t *open = anew(a->c, (size_t)a->threads);
    for (int i = 0; i < a->threads; i++)
        any |= open[i] = c.unknown || (c.v ? c.v[i] : c.one) == EVmaybe;
    return any ? open : NULL;
}

static int trace_branch(Audit *a, Step *k, const Mask *mask, uint32_t step)
{
    Ex cond = k->s->cond.cond;
    trace_accesses(a, k, k, mask, step ? step : ++a->step);
    if (!trace_no_vote(a->p, cond))
        trace_meet(a, DObarrier, k->s, mask, 0, 0);
    eval_reset(&a->ev);
    Lanes c = eval(&a->ev, cond);
    bool open = c.unknown || (!c.v && c.one == EVmaybe);
    if (!c.v && !open)
        return trace_list(a, k->child[c.one ? 0 : 1], mask, step);
    if (open && !ex_any_let(a->p, cond, trace_by_thread, a)) {
        a->fork = true;
        return trace_list(a, k->child[a->trial.truth ? 0 : 1], mask, step);
    }
    a->guess |= open && (k->orders || k->jumps);
    const Mask *then = audit_side(a, mask, c, false), *els = audit_side(a, mask, c, true);
    const uint8_t *perhaps = k->orders ? trace_open(a, c) : NULL;
    if (!k->orders && !step)
        step = ++a->step;
    for (int i = 0; i < 2; i++) {
        const Mask *side = i ? els : then;
        if (side->n)
            trace_side(a, k->child[i], side, perhaps, step);
    }
    return GOon;
}

/* Statements ---------------------------------------------------------------- */

static const Mask *role_mask(Audit *a, const Stmt *s, const Mask *mask)
{
    for (int i = 0; i < a->threads; i++)
        a->on[i] = mask->on[i] && i >= s->role.lo && i < s->role.hi;
    return audit_mask(a, a->on);
}

static int trace_step(Audit *a, Step *k, const Mask *mask, uint32_t step)
{
    const Stmt *s = k->s;
    uint32_t own = step ? step : ++a->step;
    switch ((enum StmtKind)s->kind) {
    case Sbreak: return GObreak;
    case Scontinue: return GOcontinue;
    case Srole: return trace_list(a, k->child[0], role_mask(a, s, mask), step);
    case Sif: return trace_branch(a, k, mask, step);
    case Swhile: trace_repeat(a, k, mask, step); return GOon;
    case Sfor:
        if (!audit_as_one(k)) {
            trace_accesses(a, k, k, mask, own);
            return trace_rounds(a, k, mask, step, 0);
        }
        loop_as_step(a, k, k, mask, own);
        return GOon;
    default: break;
    }
    trace_accesses(a, k, k, mask, own);
    if (k->orders)
        trace_orders(a, s, mask);
    if (s->kind == Sstore)
        trace_keep(a, s->store.buf, s->store.value);
    else if (s->kind == Salloc)
        trace_keep(a, s->alloc.buf, s->alloc.init);
    return GOon;
}

static bool trace_loads(void *ud, Ex e) { return ((const Prog *)ud)->ex[e].op == Xload; }

/* Of the threads of mask that perhaps come to the list those that its barriers of warps name: who
 * comes to one is named by it.
 *
 *     if X[tx] % 2 == 0 then T.sync_warp(0x55555555) end      no odd lanes */
static const Mask *trace_named_come(Audit *a, const Step *list, const Mask *mask)
{
    for (const Step *k = list; k; k = k->next) {
        int64_t one;
        if (k->s->kind != Scall || k->s->call.fn != Isync_warp ||
            x_all_lanes(a->p, k->s->call.arg[0]) ||
            ex_any_let(a->p, k->s->call.arg[0], trace_loads, a->p))
            continue;
        const int64_t *own = trace_named(a, k->s->call.arg[0], &one);
        for (int i = 0; i < a->threads; i++) {
            uint64_t named = (uint64_t)(own ? own[i] : one);
            a->on[i] = mask->on[i] && (!a->perhaps[i] || named >> i % a->m->warp & 1);
        }
        mask = audit_mask(a, a->on);
    }
    return mask;
}

static int trace_list(Audit *a, Step *k, const Mask *mask, uint32_t step)
{
    int go = GOon;
    if (a->perhaps)
        mask = trace_named_come(a, k, mask);
    for (; k && go == GOon && !trace_over(a); k = k->next)
        if (k->busy && mask->n)
            go = trace_step(a, k, mask, step);
    return go;
}

/* Of loops all around: what is assumed of one is so in conditions in front of it, too. */
static bool trace_varies(void *ud, Ex e)
{
    const Audit *a = ud;
    const Expr *x = &a->p->ex[e];
    const Var *v = x->op == Xvar ? &a->p->var[x->sym] : NULL;
    if (x->op == Xload)
        return a->p->buf[x->sym].scope != SCglobal;
    return (v && (v->kind == Vloop || x->sym == a->ev.lane)) || x->op == Xcall;
}

static void assume_all(Audit *a, const Step *k)
{
    int64_t v;
    for (; k; k = k->next) {
        const Stmt *s = k->s;
        if (!k->busy)
            continue;
        for (int d = 0; s->kind == Sfor && d < s->loop.n; d++) {
            if (ex_any_let(a->p, s->loop.lo[d], trace_varies, a) ||
                ex_any_let(a->p, s->loop.hi[d], trace_varies, a))
                continue;
            int64_t lo = trace_bound(a, s->loop.lo[d], 0, &v) ? v : 0;
            trace_bound(a, s->loop.hi[d], ex_wadd(lo == 1 ? 0 : lo, a->trial.trips), &v);
        }
        assume_all(a, k->child[0]);
        assume_all(a, k->child[1]);
    }
}

void audit_trace(Audit *a)
{
    a->n = 0;
    a->step = 0;
    a->lost = a->guess = a->skipped = false;
    a->perhaps = NULL;
    memset(a->set, 0, a->p->nbuf);
    eval_assume_none(&a->ev);
    eval_free_all(&a->ev);
    memset(a->on, 1, (size_t)a->threads);
    const Mask *all = audit_mask(a, a->on);
    assume_all(a, a->root);
    trace_list(a, a->root, all, 0);
}
