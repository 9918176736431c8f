/* core/cost/feedback.c: walks a thread program and counts what each line costs.
 *
 * feedback_value.c knows indices and conditions, feedback_access.c what an
 * access costs; feedback_total.c goes through the launch's blocks; feedback_sum.c adds
 * up registers, occupancy and the roofline; feedback_fix.c looks for layouts that help. */
#include <string.h>

#include "feedback_p.h"
#include "core/ir/walk.h"

enum {
    MaxBudget = 1024,   /* iterations that are looked at one by one, nested ones multiplied */
    Head = 2, Period = 4, Tail = 4, /* of more: at both ends; in between one of how many */
    MaxCount = 1 << 14, /* iterations whose conditions are counted */
    Ends = 4            /* blocks of an axis that are looked at: first, two in the middle, last */
};

/* Masks ------------------------------------------------------------------ */

/* Leaves only the threads for which cond is (not) true; what is not known
 * leaves a thread in.  Returns the mask to restore. */
static FbMask feedback_narrow(Fb *f, Ex cond, bool not)
{
    FbMask old = f->mask;
    const Expr *x = &f->p->ex[cond];
    if (x->op == (not ? Xor : Xand)) { /* one side may be known without the other */
        feedback_narrow(f, x->arg[0], not);
        feedback_narrow(f, x->arg[1], not);
        return old;
    }
    const FbVal *v = fb_value(f, cond);
    if (!v->known)
        return old;
    uint8_t *on = anew(&f->p->ctx, (size_t)f->threads);
    f->mask.n = 0;
    for (int t = f->lo; t < f->hi; t++) {
        on[t] = f->mask.on[t] && (fb_at(v, t) != 0) != not;
        f->mask.n += on[t];
    }
    f->mask.on = on;
    return old;
}

static FbMask feedback_range(Fb *f, int lo, int hi)
{
    FbMask old = f->mask;
    uint8_t *on = anew(&f->p->ctx, (size_t)f->threads);
    for (int t = lo; t < hi; t++)
        on[t] = old.on ? old.on[t] : 1;
    f->mask.on = on;
    f->mask.n = 0;
    for (int t = lo; t < hi; t++)
        f->mask.n += on[t];
    f->lo = lo;
    f->hi = hi;
    return old;
}

/* Expressions ------------------------------------------------------------ */

static bool feedback_arithmetic(const Expr *x)
{
    return dtype_isfloat((enum Dtype)x->dt) &&
           ((x->op >= Xadd && x->op <= Xmax) || x->op == Xcall);
}

/* n of the line at hand; it is mostly the one that came last. */
static void line_flops(Fb *f, double n)
{
    Feedback *o = f->out;
    uint32_t i = o->nwork;
    if (f->brief)
        return;
    while (i > 0 && (o->work[i - 1].loc.line != f->s->loc.line || o->work[i - 1].loc.file != f->s->loc.file))
        i--;
    if (i == 0) {
        agrow(&f->p->ctx, &o->work, &o->capwork, o->nwork + 1, sizeof *o->work);
        o->work[o->nwork++] = (FbWork){.loc = f->s->loc};
        i = o->nwork;
    }
    o->work[i - 1].flops += n;
}

static void flops(Fb *f, double n)
{
    if (f->times <= 0)
        return;
    f->out->flops += f->times * n * f->vec;
    line_flops(f, f->times * n * f->vec);
}

/* The loads and operations of e, each node once a statement. */
static void feedback_reads(Fb *f, Ex e)
{
    if (!e || f->seen[e] == f->once)
        return;
    f->seen[e] = f->once;
    Expr x = f->p->ex[e];
    if (x.op < Xadd)
        return;
    if (feedback_arithmetic(&x))
        flops(f, f->mask.n);
    if (x.op == Xselect) {
        feedback_reads(f, x.arg[0]);
        for (int i = 1; i < 3; i++) {
            FbMask old = feedback_narrow(f, x.arg[0], i == 2);
            if (f->mask.n > 0)
                feedback_reads(f, x.arg[i]);
            f->mask = old;
        }
        return;
    }
    for (int i = 0; i < x.n; i++)
        feedback_reads(f, x.arg[i]);
    if (x.op == Xload)
        fb_element(f, x.sym, x.arg, "read", 'r');
}

static bool reading(void *ud, Ex e)
{
    feedback_reads(ud, e);
    return true;
}

/* Operations ------------------------------------------------------------- */

static void feedback_chosen(Fb *f, const char *name, double times, double ops, double bytes)
{
    Feedback *o = f->out;
    FbOp *k = NULL;
    if (f->brief)
        return;
    for (uint32_t i = 0; i < o->nop && !k; i++)
        if (o->op[i].loc.line == f->s->loc.line && strcmp(o->op[i].name, name) == 0)
            k = &o->op[i];
    if (!k) {
        agrow(&f->p->ctx, &o->op, &o->capop, o->nop + 1, sizeof *o->op);
        k = &o->op[o->nop++];
        *k = (FbOp){.loc = f->s->loc, .name = name};
    }
    k->times = times < 0 || k->times < 0 ? -1 : k->times + times;
    k->flops += ops;
    k->bytes += bytes;
}

/* How often warps (or groups) of so many threads do what stands here. */
static double collectives(const Fb *f, int threads)
{
    int n = (f->mask.n + threads - 1) / threads;
    return f->times < 0 ? -1 : f->times * n;
}

static void feedback_matrix(Fb *f)
{
    const Mma *i = f->s->op.text ? mma_find(f->s->op.text) : NULL;
    if (!i)
        return;
    bool group = f->s->op.op == Owgmma;
    int n = group ? f->s->op.attr[0] : i->n, bits = dtypeinfo[i->a].bits;
    double times = collectives(f, group ? f->m->warp * f->m->group : f->m->warp);
    double ops = times > 0 ? 2.0 * i->m * n * i->k * times : 0;
    feedback_chosen(f, i->name, times, ops, 0);
    f->out->flops += ops;
    f->out->mmaflops += ops;
    if (bits > f->out->mmabits)
        f->out->mmabits = bits;
}

/* Elements of a box along dimension d that lie inside of the buffer: no others move. */
static int64_t elements_inside(Fb *f, const Region *r, int d)
{
    int64_t n, lo, size;
    if (!fb_number(f, r->extent[d], &n))
        return 1;
    if (!fb_number(f, r->min[d], &lo) || !fb_number(f, f->p->buf[r->buf].shape[d], &size))
        return n;
    int64_t hi = lo + n < size ? lo + n : size;
    lo = lo > 0 ? lo : 0;
    return hi > lo ? hi - lo : 0;
}

/* A box that one thread moves: whole rows, without conflicts.  Under a condition each
 * thread that is on moves its own: one of every warp, say. */
static void feedback_box(Fb *f)
{
    const OpInfo *o = &opinfo[f->s->op.op];
    int movers = f->mask.n > 0 && f->mask.n < f->hi - f->lo ? f->mask.n : 1;
    double moved = 0;
    for (int i = 0; i < o->nregion; i++) {
        const Region *r = &f->s->op.r[i];
        const Buf *b = &f->p->buf[r->buf];
        double bits = dtypeinfo[b->dt].bits;
        if (!r->buf || b->scope != SCglobal || f->times < 0)
            continue;
        for (int d = 0; d < b->ndim; d++)
            bits *= (double)elements_inside(f, r, d);
        moved += f->times * movers * bits / 8;
        f->traffic[buf_root(f->p, r->buf)] += f->times * movers * bits / 8;
    }
    f->out->gbytes += moved;
    feedback_chosen(f, o->text, f->times, 0, moved);
}

/* One region that each lane touches by itself. */
static void lane_region(Fb *f, const Region *r, const OpInfo *o, char dir)
{
    const Buf *b = &f->p->buf[r->buf];
    FbCall c = {.buf = r->buf, .idx = r->min, .what = o->text, .dir = (uint8_t)dir};
    int64_t bits = dtypeinfo[b->dt].bits, n;
    for (int d = 0; d < b->ndim; d++)
        bits *= fb_number(f, r->extent[d], &n) ? n : 1;
    c.bytes = (int)(bits >= 8 ? bits / 8 : 1);
    if (f->s->op.op == Oldmatrix || f->s->op.op == Ostmatrix) {
        c.bytes = 16;
        c.rows = 8 * f->s->op.attr[0];
    }
    fb_access(f, &c);
}

static void count_operation(Fb *f)
{
    const Stmt *s = f->s;
    const OpInfo *o = &opinfo[s->op.op];
    if (s->op.op == Omma || s->op.op == Owgmma) {
        feedback_matrix(f);
        return;
    }
    if (o->level == 'H' && (o->done == 'm' || o->done == 'b') && o->nregion >= 2) {
        feedback_box(f);
        return;
    }
    bool named = false;
    for (int i = 0; i < o->nregion; i++) {
        const Region *r = &s->op.r[i];
        if (!r->buf || o->regions[i] == 'b')
            continue;
        int scope = f->p->buf[r->buf].scope;
        bool memory = scope == SCshared || scope == SCglobal;
        FbMask old = f->mask;
        if (scope == SCglobal && o->nvalue && s->op.value) /* cp_async: zeros, nothing read */
            feedback_narrow(f, s->op.value, false);
        if (memory)
            lane_region(f, r, o, o->regions[i]);
        f->mask = old;
        named = named || memory;
    }
    if (named)
        feedback_chosen(f, o->text, collectives(f, f->m->warp), 0, 0);
}

/* Loops ------------------------------------------------------------------ */

static void count_block(Fb *f, const Stmt *s);

/* Iterations of variable i of loop s; false: not known. */
static bool feedback_trips(Fb *f, const Stmt *s, int i, FbFrame *out)
{
    int64_t hi;
    *out = (FbFrame){s->loop.var[i], 0, 1, -1};
    if (!fb_number(f, s->loop.lo[i], &out->lo))
        return false;
    fb_set(f, out->var, out->lo);
    if (!fb_number(f, s->loop.hi[i], &hi) ||
        (s->loop.step && !fb_number(f, s->loop.step, &out->step)) || out->step == 0)
        return false;
    int64_t span = out->step > 0 ? hi - out->lo : out->lo - hi;
    int64_t by = out->step > 0 ? out->step : -out->step;
    out->n = span > 0 ? (span + by - 1) / by : 0;
    return true;
}

static void feedback_nested(Fb *f, const Stmt *s, int i);

/* Iterations from .. to - 1, one by one, at the cost of `budget`. */
static void run_iterations(Fb *f, const Stmt *s, int i, const FbFrame *r, int64_t from, int64_t to,
                           double budget)
{
    double old = f->budget;
    f->budget = budget / (double)(to - from);
    for (int64_t k = from; k < to; k++) {
        fb_set(f, r->var, r->lo + k * r->step);
        feedback_nested(f, s, i + 1);
    }
    f->budget = old;
}

/* Iteration `at` stands for all. */
static void one_for_all(Fb *f, const Stmt *s, int i, const FbFrame *r, int64_t at)
{
    double times = f->times;
    agrow(&f->p->ctx, &f->frame, &f->capframe, f->nframe + 1, sizeof *f->frame);
    f->frame[f->nframe++] = *r;
    fb_set(f, r->var, r->lo + at * r->step);
    f->times = times < 0 ? -1 : times * (double)r->n;
    feedback_nested(f, s, i + 1);
    f->times = times;
    f->nframe--;
}

/* One by one when they are few.  Else those of the beginning and the end, where
 * pipelines start and end and tiles lie across an edge; in the middle, where
 * addresses and registers come again, one of every Period-th for all of these: each
 * time further on, for what changes on the way. */
static void feedback_iterate(Fb *f, const Stmt *s, int i, const FbFrame *r)
{
    double budget = f->budget;
    if ((double)r->n <= budget) {
        run_iterations(f, s, i, r, 0, r->n, budget);
        return;
    }
    if (budget < Head + Period + Tail) {
        one_for_all(f, s, i, r, 0);
        return;
    }
    run_iterations(f, s, i, r, 0, Head, budget / 3);
    f->budget = budget / 3 / Period;
    for (int64_t k = 0, n = r->n - Head - Tail; k < Period; k++) {
        FbFrame part = {r->var, r->lo + (Head + k) * r->step, r->step * Period,
                        (n - k + Period - 1) / Period};
        one_for_all(f, s, i, &part, part.n * (2 * k + 1) / (2 * Period));
    }
    f->budget = budget;
    run_iterations(f, s, i, r, r->n - Tail, r->n, budget / 3);
}

static void feedback_nested(Fb *f, const Stmt *s, int i)
{
    FbFrame r;
    if (i == s->loop.n) {
        count_block(f, s->loop.body);
        return;
    }
    bool serial = s->loop.kind == Fserial;
    agrow(&f->p->ctx, &f->serial, &f->capserial, f->nserial + 1, sizeof *f->serial);
    if (serial)
        f->serial[f->nserial++] = s->loop.var[i];
    if (feedback_trips(f, s, i, &r)) {
        if (r.n > 0)
            feedback_iterate(f, s, i, &r);
    } else {
        double times = f->times;
        f->times = -1;
        f->out->counted = false;
        feedback_nested(f, s, i + 1);
        f->times = times;
    }
    f->nserial -= serial;
    fb_free(f, s->loop.var[i]);
}

/* A vectorized loop is one access; the first element stands for it. */
static void vector_loop(Fb *f, const Stmt *s)
{
    int vec = f->vec;
    uint32_t var = f->vecvar;
    FbFrame r;
    if (feedback_trips(f, s, 0, &r)) {
        f->vec = (int)r.n;
        f->vecvar = r.var;
    }
    if (r.n != 0)
        count_block(f, s->loop.body);
    f->vec = vec;
    f->vecvar = var;
    fb_free(f, r.var);
}

/* Conditions ------------------------------------------------------------- */

/* Sets the loops' variables to those of their at-th iteration together. */
static void at_iteration(Fb *f, const FbFrame *r, int nr, int64_t at)
{
    for (int i = 0; i < nr; i++) {
        fb_set(f, r[i].var, r[i].lo + at % r[i].n * r[i].step);
        at /= r[i].n;
    }
}

/* Does an iteration come here, by the conditions around? */
static bool feedback_comes(Fb *f)
{
    int64_t v;
    for (uint32_t i = 0; i < f->ngiven; i++)
        if (fb_number(f, f->given[i].cond, &v) && (v != 0) == f->given[i].not)
            return false;
    return true;
}

/* The iterations of loops of which one stands for all, as a condition parts them: of MaxCount
 * at most, so of no more loops than that has halves. */
enum { MostParted = 16 };
typedef struct Parted Parted;
struct Parted {
    FbFrame r[MostParted];
    int nr;
    int64_t n, count[2], first[2]; /* for which it is false, true; the first of these */
};

/* Of those that come here; false: the condition is not known. */
static bool iterations(Fb *f, Ex cond, Parted *q)
{
    int64_t v;
    q->first[0] = q->first[1] = -1;
    q->count[0] = q->count[1] = 0;
    for (int64_t k = 0; k < q->n; k++) {
        at_iteration(f, q->r, q->nr, k);
        if (!fb_number(f, cond, &v))
            return false;
        if (!feedback_comes(f))
            continue;
        if (q->count[v != 0]++ == 0)
            q->first[v != 0] = k;
    }
    return true;
}

/* One side of a branch, taken in a part of the iterations. */
static void feedback_side(Fb *f, const Stmt *s, const Parted *q, int which)
{
    double times = f->times, part = (double)q->count[which];
    bool parted = q->nr > 0;
    if (part <= 0)
        return;
    at_iteration(f, q->r, q->nr, q->first[which]);
    agrow(&f->p->ctx, &f->given, &f->capgiven, f->ngiven + 1, sizeof *f->given);
    if (parted)
        f->given[f->ngiven++] = (FbGiven){s->cond.cond, which == 0};
    f->times = times < 0 ? -1 : times * part / (double)(q->count[0] + q->count[1]);
    count_block(f, which ? s->cond.then : s->cond.els);
    f->times = times;
    f->ngiven -= parted;
}

/* A condition that is the same for all threads and known but for loops that
 * are not looked at one by one; false: it is not like that. */
static bool feedback_counted(Fb *f, const Stmt *s)
{
    Parted q = {.n = 1};
    int64_t was[MostParted];
    for (uint32_t i = f->nframe; i-- > 0;)
        if (f->frame[i].n > 1 && fb_uses(f, s->cond.cond, f->frame[i].var)) {
            if (q.n > MaxCount / f->frame[i].n)
                break;
            q.n *= f->frame[i].n;
            was[q.nr] = fb_get(f, f->frame[i].var);
            q.r[q.nr++] = f->frame[i];
        }
    bool known = iterations(f, s->cond.cond, &q);
    for (int which = 1; known && which >= 0; which--)
        feedback_side(f, s, &q, which);
    for (int i = 0; i < q.nr; i++)
        fb_set(f, q.r[i].var, was[i]);
    return known;
}

static void count_branch(Fb *f, const Stmt *s)
{
    if (feedback_counted(f, s))
        return;
    const FbVal *v = fb_value(f, s->cond.cond);
    bool known = v->known, size = !known && !fb_data(f, s->cond.cond);
    FbMask old = feedback_narrow(f, s->cond.cond, false);
    if (f->mask.n > 0)
        count_block(f, s->cond.then);
    f->mask = old;
    if (size) { /* a size that was not given: the tile is taken to lie inside */
        f->out->assumed = true;
        return;
    }
    f->out->counted = f->out->counted && known;
    feedback_narrow(f, s->cond.cond, true);
    if (f->mask.n > 0)
        count_block(f, s->cond.els);
    f->mask = old;
}

/* Statements ------------------------------------------------------------- */

static void whiles(Fb *f, const Stmt *s)
{
    double times = f->times;
    f->times = -1;
    f->out->counted = false;
    count_block(f, s->whil.body);
    f->times = times;
}

static void count_role(Fb *f, const Stmt *s)
{
    int lo = f->lo, hi = f->hi;
    FbMask old = feedback_range(f, s->role.lo, s->role.hi);
    count_block(f, s->role.body);
    f->lo = lo;
    f->hi = hi;
    f->mask = old;
}

static void count_statement(Fb *f, const Stmt *s)
{
    f->s = s;
    f->once++;
    switch ((enum StmtKind)s->kind) {
    case Slet: case Scall: case Sprint: case Sassert:
        stmt_exprs(f->p, s, reading, f);
        break;
    case Sstore:
        stmt_exprs(f->p, s, reading, f);
        fb_element(f, s->store.buf, s->store.idx, "write", 'w');
        break;
    case Satomic:
        stmt_exprs(f->p, s, reading, f);
        if (dtype_isfloat((enum Dtype)f->p->buf[s->atomic.buf].dt) && s->atomic.kind < NRed)
            flops(f, f->mask.n);
        fb_element(f, s->atomic.buf, s->atomic.idx, "atomic", 'u');
        break;
    case Sop:
        count_operation(f);
        break;
    case Sfor:
        if (s->loop.kind == Fvectorized)
            vector_loop(f, s);
        else
            feedback_nested(f, s, 0);
        break;
    case Sif:
        stmt_exprs(f->p, s, reading, f);
        count_branch(f, s);
        break;
    case Swhile:
        whiles(f, s);
        break;
    case Srole:
        count_role(f, s);
        break;
    default:
        break;
    }
}

static void count_block(Fb *f, const Stmt *s)
{
    for (; s; s = s->next)
        count_statement(f, s);
}

void fb_count(Fb *f, const Stmt *s)
{
    Feedback *o = f->out;
    memset(f->traffic, 0, f->p->nbuf * sizeof *f->traffic);
    o->flops = o->mmaflops = o->gbytes = 0;
    f->times = 1;
    f->vec = 1;
    f->vecvar = 0;
    f->nframe = f->nserial = f->ngiven = 0;
    f->budget = MaxBudget;
    f->lo = 0;
    f->hi = f->threads;
    f->mask = (FbMask){NULL, 0};
    fb_moment(f);
    feedback_range(f, 0, f->threads);
    count_block(f, s->launch.body);
}
