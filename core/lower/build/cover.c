/* core/lower/pipeline_deps.c: what statements of tile programs do to buffers,
 * and the questions a pipeline asks about it. */
#include <string.h>

#include "../../ir/walk.h"
#include "../pipe/pipeline.h"

/* Effects --------------------------------------------------------------- */

typedef struct Gather Gather;
struct Gather {
    const Low *l;
    EffectFn *f;
    void *ud;
    const Stmt *s;
    bool ok;
};

static void tell(Gather *g, uint32_t buf, int mode, const Region *r)
{
    Effect e = {buf_root(g->l->p, buf), (uint8_t)mode, r, g->s};
    if (buf && g->ok)
        g->ok = g->f(g->ud, &e);
}

static ExGo load(void *ud, Ex e)
{
    Gather *g = ud;
    const Expr *x = &g->l->p->ex[e];
    if (x->op == Xload)
        tell(g, x->sym, EFread, NULL);
    return g->ok ? EXinto : EXstop;
}

static bool loads(void *ud, Ex e)
{
    Gather *g = ud;
    return ex_walk(g->l->p, e, load, g);
}

/* An operation that may overwrite instead of adding: those attributes. */
static bool overwrites(const Stmt *s)
{
    return (s->op.op == Ogemm && s->op.attr[3]) || (s->op.op == Oreduce && s->op.attr[2]);
}

static void operation(Gather *g, const Stmt *s)
{
    const char *c = opinfo[s->op.op].regions;
    for (int i = 0; i < opinfo[s->op.op].nregion; i++) {
        int mode = c[i] == 'r' ? EFread : c[i] == 'w' ? EFwrite : EFread | EFwrite;
        if (c[i] == 'u' && overwrites(s))
            mode = EFwrite;
        if (s->op.op == Oatomic && i == 0)
            mode |= EFatomic;
        tell(g, s->op.r[i].buf, mode, &s->op.r[i]);
    }
}

/* pipe_effects(), of the statements alone unless `exprs`. */
static bool effects(const Low *l, const Stmt *s, bool all, bool exprs, EffectFn *f, void *ud)
{
    Stmt *b[2];
    for (; s; s = all ? s->next : NULL) {
        Gather g = {l, f, ud, s, true};
        if (exprs)
            stmt_exprs(l->p, s, loads, &g);
        if (s->kind == Sop)
            operation(&g, s);
        else if (s->kind == Sstore)
            tell(&g, s->store.buf, EFwrite, NULL);
        else if (s->kind == Salloc && s->alloc.init)
            tell(&g, s->alloc.buf, EFwrite, NULL);
        else if (s->kind == Satomic)
            tell(&g, s->atomic.buf, EFread | EFatomic | (s->atomic.kind == ATload ? 0 : EFwrite),
                 NULL);
        for (int i = 0, n = stmt_blocks(s, b); i < n && g.ok; i++)
            g.ok = effects(l, b[i], true, exprs, f, ud);
        if (!g.ok)
            return false;
    }
    return true;
}

bool pipe_effects(const Low *l, const Stmt *s, bool all, EffectFn *f, void *ud)
{
    return effects(l, s, all, true, f, ud);
}

typedef struct Ask Ask;
struct Ask { const Low *l; uint32_t buf; int mode; };

/* A fragment and its slots are one thing: conversions speak of the slots. */
static uint32_t one_name(const Low *l, uint32_t b)
{
    return b < l->capbuf && l->buf[b].fragment ? l->buf[b].fragment : b;
}

static bool collect(void *ud, const Effect *e)
{
    Ask *a = ud;
    if (one_name(a->l, e->buf) == a->buf)
        a->mode |= e->mode;
    return true;
}

int pipe_touches(const Low *l, const Stmt *s, bool all, uint32_t b)
{
    Ask a = {l, one_name(l, b), 0};
    pipe_effects(l, s, all, collect, &a);
    return a.mode;
}

/* Does s write b?  Expressions do not. */
static bool writes(const Low *l, const Stmt *s, uint32_t b)
{
    Ask a = {l, one_name(l, b), 0};
    effects(l, s, false, false, collect, &a);
    return a.mode & EFwrite;
}

int pipe_units_touch(const Pipe *q, int from, int to, uint32_t b)
{
    int mode = 0;
    for (int i = from; i < to; i++)
        mode |= pipe_touches(q->l, q->unit[i].s, true, b);
    return mode;
}

/* e differs between threads, by names, too; or holds an atomic's old value. */
static bool of_threads(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    if ((x->op == Xcall && intrinfo[x->sym].level == 'T') || (v && v->kind == Vthread))
        return true;
    return v && v->kind == Vlet && !v->value;
}

typedef struct Changed Changed;
struct Changed { const Low *l; const Stmt *list; };

static bool changed(void *ud, Ex e)
{
    const Changed *k = ud;
    const Prog *p = k->l->p;
    const Expr *x = &p->ex[e];
    return x->op == Xload && pipe_touches(k->l, k->list, true, buf_root(p, x->sym)) & EFwrite;
}

bool pipe_stable(const Low *l, Ex e, const Stmt *list)
{
    Changed k = {l, list};
    return !ex_any_let(l->p, e, of_threads, l->p) && !ex_any(l->p, e, changed, &k);
}

/* Coverage: which elements of a buffer are written, by enumeration ------ */

enum { MaxMarks = 1 << 20 };

typedef struct Cover Cover;
struct Cover {
    const Low *l;
    uint32_t buf;
    int64_t size[MaxDim], total, left;
    int64_t marks; /* elements and rounds of loops that were looked at */
    struct CoverRoom *room;
    uint8_t *bit;
    int64_t *env;
    bool *known;   /* of each Var: env holds its value */
    Ex under;      /* the condition that all readers share */
    bool all;      /* conditions that are not known hold, on both sides */
    bool twice;    /* an element was written again */
    bool lost;     /* there is a write whose elements are not known */
    bool open;     /* .. or one of which it is not known whether it is done */
};

static bool unknown(void *ud, Ex e)
{
    const Cover *c = ud;
    const Expr *x = &c->l->p->ex[e];
    return x->op == Xvar ? !c->known[x->sym] : x->op == Xload || x->op == Xcall;
}

static bool value(Cover *c, Ex e, int64_t *v)
{
    return !ex_any(c->l->p, e, unknown, c) && x_eval(c->l->p, e, c->env, v);
}

static void mark(Cover *c, int64_t i)
{
    if (c->bit[i / 8] >> (i % 8) & 1) {
        c->twice = true;
        return;
    }
    c->bit[i / 8] |= (uint8_t)(1 << (i % 8));
    c->left--;
}

static void box(Cover *c, const Region *r)
{
    int64_t lo[MaxDim], n[MaxDim], at[MaxDim] = {0};
    int nd = c->l->p->buf[c->buf].ndim;
    for (int d = 0; d < nd; d++)
        if (!value(c, r->min[d], &lo[d]) || !value(c, r->extent[d], &n[d]) || n[d] < 1 ||
            lo[d] < 0 || n[d] > c->size[d] || lo[d] > c->size[d] - n[d]) {
            c->lost = true;
            return;
        }
    for (;;) {
        int64_t i = 0;
        for (int d = 0; d < nd; d++)
            i = i * c->size[d] + lo[d] + at[d];
        mark(c, i);
        if (++c->marks > MaxMarks)
            return;
        int d = nd;
        while (d > 0 && ++at[d - 1] == n[d - 1])
            at[--d] = 0;
        if (d == 0)
            return;
    }
}

static void element(Cover *c, const Ex *idx)
{
    int64_t i = 0, v;
    for (int d = 0; d < c->l->p->buf[c->buf].ndim; d++) {
        if (!value(c, idx[d], &v) || v < 0 || v >= c->size[d]) {
            c->lost = true;
            return;
        }
        i = i * c->size[d] + v;
    }
    c->marks++;
    mark(c, i);
}

static void covers(Cover *c, const Stmt *s);

/* Can the next write tell anything? */
static bool more(Cover *c)
{
    return c->marks <= MaxMarks && (c->all ? !c->twice && !c->lost : c->left > 0);
}

/* All iterations of dimension d and the inner ones. */
static void iterate(Cover *c, const Stmt *s, int d)
{
    int64_t lo, hi, step = 1;
    if (d == s->loop.n) {
        covers(c, s->loop.body);
        return;
    }
    if (!value(c, s->loop.lo[d], &lo) || !value(c, s->loop.hi[d], &hi) ||
        (s->loop.step && (!value(c, s->loop.step, &step) || step < 1))) {
        c->lost = true;
        return;
    }
    c->known[s->loop.var[d]] = true;
    for (int64_t i = lo; i < hi && more(c);) {
        c->env[s->loop.var[d]] = i;
        iterate(c, s, d + 1);
        if (++c->marks > MaxMarks) /* too many: what the others write is not known */
            c->lost = c->open = true;
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    c->known[s->loop.var[d]] = false;
}

/* What follows a jump, or comes in later iterations of its loop, may not run. */
static bool no_jump(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sbreak && s->kind != Scontinue;
}

static bool jumps(Stmt *s) { return !stmt_walk(s, no_jump, NULL); }

static void covers(Cover *c, const Stmt *s)
{
    for (; s && more(c); s = s->next) {
        int64_t v;
        if (s->kind == Sop) {
            const char *r = opinfo[s->op.op].regions;
            for (int i = 0; r[i]; i++)
                if (s->op.r[i].buf == c->buf && (r[i] == 'w' || (r[i] == 'u' && overwrites(s))))
                    box(c, &s->op.r[i]);
                else if (s->op.r[i].buf == c->buf)
                    c->open |= r[i] != 'r';
        } else if (s->kind == Sstore && s->store.buf == c->buf) {
            element(c, s->store.idx);
        } else if (s->kind == Sfor) {
            iterate(c, s, 0);
        } else if (s->kind == Sif) {
            bool under = s->cond.cond == c->under, sure = !under && value(c, s->cond.cond, &v);
            c->open |= !under && !sure;
            if (under || (sure ? v != 0 : c->all))
                covers(c, s->cond.then);
            if (!under && (sure ? v == 0 : c->all))
                covers(c, s->cond.els);
        } else if (writes(c->l, s, c->buf)) {
            c->open = true;
        }
    }
}

/* Runs the writes of list; false: b is too large for that. */
static bool enumerate(Cover *c, Stmt *const *list, int n)
{
    Prog *p = c->l->p;
    c->total = 1;
    for (int d = 0; d < p->buf[c->buf].ndim; d++) {
        if (!x_isint(p, p->buf[c->buf].shape[d], &c->size[d]))
            return false;
        if (c->size[d] < 0 || __builtin_mul_overflow(c->total, c->size[d], &c->total) || c->total > MaxMarks)
            return false;
    }
    c->left = c->total;
    size_t bytes = (size_t)c->total / 8 + 1;
    c->room = pipe_room(c->l);
    agrow(&p->ctx, &c->room->bit, &c->room->capbit, (uint32_t)bytes, 1);
    agrow(&p->ctx, &c->room->env, &c->room->capenv, p->nvar, sizeof *c->room->env);
    agrow(&p->ctx, &c->room->known, &c->room->capknown, p->nvar, sizeof *c->room->known);
    c->bit = memset(c->room->bit, 0, bytes);
    c->env = c->room->env;
    c->known = c->room->known; /* none; those of loops are taken back */
    for (int i = 0; i < n; i++) {
        Stmt one = *list[i];
        one.next = NULL;
        if (!c->all && more(c) && jumps(&one))
            c->open = true;
        else
            covers(c, &one);
    }
    return true;
}

static bool cover(const Low *l, Stmt *const *list, int n, uint32_t b, Ex under)
{
    const Prog *p = l->p;
    Cover c = {.l = l, .buf = b, .under = under};
    for (int i = 0; i < n; i++) { /* the common case, without counting */
        const Stmt *s = list[i];
        while (s->kind == Sif && under && s->cond.cond == under && s->cond.then &&
               !s->cond.then->next)
            s = s->cond.then;
        if (s->kind == Sop && (s->op.op == Ocopy || s->op.op == Ofill))
            for (int k = 0; k < 2; k++)
                if (s->op.r[k].buf == b && opinfo[s->op.op].regions[k] == 'w' &&
                    region_whole(p, &s->op.r[k]))
                    return true;
    }
    return enumerate(&c, list, n) && c.left == 0;
}

bool pipe_once(const Low *l, Stmt *const *list, int n, uint32_t b)
{
    Cover c = {.l = l, .buf = b, .all = true};
    const Stmt *s = list[0];
    while (s->kind == Sif && s->cond.then && !s->cond.then->next && !s->cond.els)
        s = s->cond.then;
    if (n == 1 && (s->kind == Sop || (s->kind == Sfor && s->loop.kind == Fparallel)))
        return true; /* the common case */
    return enumerate(&c, list, n) && !c.twice && !c.lost && c.marks <= MaxMarks;
}

bool pipe_covers(const Low *l, Stmt *const *list, int n, uint32_t b)
{
    return cover(l, list, n, b, 0);
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* The box around all marks; false: there are none. */
static bool hull(const Cover *c, Marked *w, int64_t *n)
{
    int nd = c->l->p->buf[c->buf].ndim;
    int64_t first[MaxDim], at[MaxDim];
    *n = 0;
    for (int64_t i = 0; i < c->total; i++) {
        int64_t rest = i;
        if (!(c->bit[i / 8] >> (i % 8) & 1))
            continue;
        for (int d = nd - 1; d >= 0; d--) {
            at[d] = rest % c->size[d];
            rest /= c->size[d];
            if (*n == 0)
                w->lo[d] = w->hi[d] = first[d] = at[d], w->step[d] = 0;
            w->lo[d] = at[d] < w->lo[d] ? at[d] : w->lo[d];
            w->hi[d] = at[d] >= w->hi[d] ? at[d] + 1 : w->hi[d];
            w->step[d] = gcd(w->step[d], at[d] < first[d] ? first[d] - at[d] : at[d] - first[d]);
        }
        ++*n;
    }
    return *n > 0;
}

bool pipe_written(const Low *l, Stmt *s, uint32_t b, Marked *w)
{
    Cover c = {.l = l, .buf = b};
    int64_t n, box = 1;
    if (!enumerate(&c, &s, 1) || c.lost || c.open || c.marks > MaxMarks || !hull(&c, w, &n))
        return false;
    for (int d = 0; d < l->p->buf[b].ndim; d++) {
        w->step[d] = w->step[d] ? w->step[d] : 1;
        box *= (w->hi[d] - 1 - w->lo[d]) / w->step[d] + 1;
    }
    w->all = n == box;
    return true;
}

Ex pipe_condition(const Low *l, const Stmt *s, const Stmt *list)
{
    return s->kind == Sif && !s->cond.els && pipe_stable(l, s->cond.cond, list) ? s->cond.cond : 0;
}

/* The units in program order. */
static void ranked(const Pipe *q, int *at)
{
    for (int i = 0; i < q->n; i++) {
        int k = i;
        for (; k > 0 && q->unit[at[k - 1]].rank > q->unit[i].rank; k--)
            at[k] = at[k - 1];
        at[k] = i;
    }
}

Ex pipe_under(const Pipe *q, uint32_t b)
{
    Ex under = 0;
    for (int i = 0; i < q->n; i++) {
        const Stmt *s = q->unit[i].s;
        if (!pipe_touches(q->l, s, true, b))
            continue;
        Ex c = pipe_condition(q->l, s, q->loop->loop.body);
        if (!c || (under && c != under))
            return 0;
        under = c;
    }
    return under;
}

bool pipe_fresh(const Pipe *q, uint32_t b)
{
    Low *l = q->l;
    Stmt **w = anew(&l->p->ctx, (q->n + 1) * sizeof *w);
    int *at = anew(&l->p->ctx, (q->n + 1) * sizeof *at), n = 0;
    Ex under = pipe_under(q, b);
    ranked(q, at);
    for (int i = 0; i < q->n; i++) {
        int t = pipe_touches(l, q->unit[at[i]].s, true, b);
        if (t & EFread)
            return n > 0 && cover(l, w, n, b, under);
        if (t & EFwrite)
            w[n++] = q->unit[at[i]].s;
    }
    return n > 0 && (!pipe_live_out(q, b) || cover(l, w, n, b, under));
}

Stmt pipe_bare(const Stmt *s)
{
    Stmt one = *s;
    one.next = NULL;
    if (s->kind == Sif)
        one.cond.then = one.cond.els = NULL;
    else if (s->kind == Sfor && s->loop.kind != Fparallel)
        one.loop.body = NULL;
    else if (s->kind == Swhile)
        one.whil.body = NULL;
    else if (s->kind == Srole)
        one.role.body = NULL;
    return one;
}
