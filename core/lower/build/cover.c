/* core/lower/build/cover.c: which elements of a buffer statements of tile programs write,
 * by enumeration. */
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "accesses.h"

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

static bool cover_unknown(void *ud, Ex e)
{
    const Cover *c = ud;
    const Expr *x = &c->l->p->ex[e];
    return x->op == Xvar ? !c->known[x->sym] : x->op == Xload || x->op == Xcall;
}

static bool cover_value(Cover *c, Ex e, int64_t *v)
{
    return !ex_any(c->l->p, e, cover_unknown, c) && x_eval(c->l->p, e, c->env, v);
}

static void cover_mark(Cover *c, int64_t i)
{
    if (c->bit[i / 8] >> (i % 8) & 1) {
        c->twice = true;
        return;
    }
    c->bit[i / 8] |= (uint8_t)(1 << (i % 8));
    c->left--;
}

/* How many elements of c->buf one of `buf` is, which shows the same bytes, and how long the
 * dimensions of `buf` are; 0: not known. */
static int64_t cover_shown(const Cover *c, uint32_t buf, int64_t *size)
{
    const Prog *p = c->l->p;
    const Buf *b = &p->buf[buf];
    int bits = dtypeinfo[b->dt].bits, own = dtypeinfo[p->buf[c->buf].dt].bits;
    for (int d = 0; d < b->ndim; d++)
        if (!x_isint(p, b->shape[d], &size[d]))
            return 0;
    return bits % own == 0 ? bits / own : 0;
}

static void cover_box(Cover *c, const Region *r)
{
    int64_t lo[MaxDim], n[MaxDim], at[MaxDim] = {0}, size[MaxDim];
    int64_t each = cover_shown(c, r->buf, size);
    int nd = c->l->p->buf[r->buf].ndim;
    for (int d = 0; d < nd; d++)
        if (!each || !cover_value(c, r->min[d], &lo[d]) || !cover_value(c, r->extent[d], &n[d]) ||
            n[d] < 1 || lo[d] < 0 || n[d] > size[d] || lo[d] > size[d] - n[d]) {
            c->lost = true;
            return;
        }
    for (;;) {
        int64_t i = 0;
        for (int d = 0; d < nd; d++)
            i = i * size[d] + lo[d] + at[d];
        for (int64_t k = 0; k < each; k++)
            cover_mark(c, i * each + k);
        if ((c->marks += each) > MaxMarks)
            return;
        int d = nd;
        while (d > 0 && ++at[d - 1] == n[d - 1])
            at[--d] = 0;
        if (d == 0)
            return;
    }
}

static void cover_element(Cover *c, uint32_t buf, const Ex *idx)
{
    int64_t i = 0, v, size[MaxDim], each = cover_shown(c, buf, size);
    for (int d = 0; d < c->l->p->buf[buf].ndim; d++) {
        if (!each || !cover_value(c, idx[d], &v) || v < 0 || v >= size[d]) {
            c->lost = true;
            return;
        }
        i = i * size[d] + v;
    }
    for (int64_t k = 0; k < each; k++)
        cover_mark(c, i * each + k);
    c->marks += each;
}

/* Is `buf` a name of the bytes of c->buf? */
static bool cover_named(const Cover *c, uint32_t buf)
{
    const Prog *p = c->l->p;
    return buf && (buf == c->buf || buf_root(p, buf) == buf_root(p, c->buf));
}

/* Does s, which is none of those that cover_covers() knows, write? */
static bool cover_writes(const Cover *c, const Stmt *s)
{
    Stmt *b[2];
    return (s->kind == Satomic || s->kind == Salloc || stmt_blocks(s, b) > 0) &&
           low_accesses(c->l, s, false, c->buf) & FXwrite;
}

static void cover_covers(Cover *c, const Stmt *s);

/* Can the next write tell anything? */
static bool cover_more(Cover *c)
{
    return c->marks <= MaxMarks && (c->all ? !c->twice && !c->lost : c->left > 0);
}

/* All iterations of dimension d and the inner ones. */
static void cover_iterate(Cover *c, const Stmt *s, int d)
{
    int64_t lo, hi, step = 1;
    if (d == s->loop.n) {
        cover_covers(c, s->loop.body);
        return;
    }
    if (!cover_value(c, s->loop.lo[d], &lo) || !cover_value(c, s->loop.hi[d], &hi) ||
        (s->loop.step && (!cover_value(c, s->loop.step, &step) || step < 1))) {
        c->lost = true;
        return;
    }
    c->known[s->loop.var[d]] = true;
    for (int64_t i = lo; i < hi && cover_more(c);) {
        c->env[s->loop.var[d]] = i;
        cover_iterate(c, s, d + 1);
        if (++c->marks > MaxMarks) /* too many: what the others write is not known */
            c->lost = c->open = true;
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    c->known[s->loop.var[d]] = false;
}

/* What follows a jump, or comes in later iterations of its loop, may not run. */
static bool cover_no_jump(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sbreak && s->kind != Scontinue;
}

static bool cover_jumps(Stmt *s) { return !stmt_walk(s, cover_no_jump, NULL); }

static void cover_covers(Cover *c, const Stmt *s)
{
    for (; s && cover_more(c); s = s->next) {
        int64_t v;
        if (s->kind == Sop) {
            const char *r = opinfo[s->op.op].regions;
            for (int i = 0; r[i]; i++)
                if (cover_named(c, s->op.r[i].buf) && (r[i] == 'w' || (r[i] == 'u' && stmt_overwrites(c->l->p, s))))
                    cover_box(c, &s->op.r[i]);
                else if (cover_named(c, s->op.r[i].buf))
                    c->open |= r[i] != 'r';
        } else if (s->kind == Sstore && cover_named(c, s->store.buf)) {
            cover_element(c, s->store.buf, s->store.idx);
        } else if (s->kind == Sfor) {
            cover_iterate(c, s, 0);
        } else if (s->kind == Sif) {
            bool under = s->cond.cond == c->under,
                 sure = !under && cover_value(c, s->cond.cond, &v);
            c->open |= !under && !sure;
            if (under || (sure ? v != 0 : c->all))
                cover_covers(c, s->cond.then);
            if (!under && (sure ? v == 0 : c->all))
                cover_covers(c, s->cond.els);
        } else if (s->kind == Srole) {
            cover_covers(c, s->role.body); /* some threads, always */
        } else if (cover_writes(c, s)) {
            c->open = true;
        }
    }
}

/* Runs the writes of list; false: b is too large for that. */
static bool cover_enumerate(Cover *c, Stmt *const *list, int n)
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
    c->room = cover_room(c->l);
    agrow(&p->ctx, &c->room->bit, &c->room->capbit, (uint32_t)bytes, 1);
    agrow(&p->ctx, &c->room->env, &c->room->capenv, p->nvar, sizeof *c->room->env);
    agrow(&p->ctx, &c->room->known, &c->room->capknown, p->nvar, sizeof *c->room->known);
    c->bit = memset(c->room->bit, 0, bytes);
    c->env = c->room->env;
    c->known = c->room->known; /* none; those of loops are taken back */
    for (int i = 0; i < n; i++) {
        Stmt one = *list[i];
        one.next = NULL;
        if (!c->all && cover_more(c) && cover_jumps(&one))
            c->open = true;
        else
            cover_covers(c, &one);
    }
    return true;
}

bool low_covers_under(const Low *l, Stmt *const *list, int n, uint32_t b, Ex under)
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
                if (cover_named(&c, s->op.r[k].buf) && opinfo[s->op.op].regions[k] == 'w' &&
                    region_whole(p, &s->op.r[k]))
                    return true;
    }
    return cover_enumerate(&c, list, n) && c.left == 0;
}

bool low_writes_once(const Low *l, Stmt *const *list, int n, uint32_t b)
{
    Cover c = {.l = l, .buf = b, .all = true};
    const Stmt *s = list[0];
    while (s->kind == Sif && s->cond.then && !s->cond.then->next && !s->cond.els)
        s = s->cond.then;
    if (n == 1 && (s->kind == Sop || (s->kind == Sfor && s->loop.kind == Fparallel)))
        return true; /* the common case */
    return cover_enumerate(&c, list, n) && !c.twice && !c.lost && c.marks <= MaxMarks;
}

bool low_covers(const Low *l, Stmt *const *list, int n, uint32_t b)
{
    return low_covers_under(l, list, n, b, 0);
}

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
            w->step[d] =
                eval_gcd(w->step[d], at[d] < first[d] ? first[d] - at[d] : at[d] - first[d]);
        }
        ++*n;
    }
    return *n > 0;
}

bool low_written(const Low *l, Stmt *s, uint32_t b, Marked *w)
{
    Cover c = {.l = l, .buf = b};
    int64_t n, box = 1;
    if (!cover_enumerate(&c, &s, 1) || c.lost || c.open || c.marks > MaxMarks || !hull(&c, w, &n))
        return false;
    for (int d = 0; d < l->p->buf[b].ndim; d++) {
        w->step[d] = w->step[d] ? w->step[d] : 1;
        box *= (w->hi[d] - 1 - w->lo[d]) / w->step[d] + 1;
    }
    w->all = n == box;
    return true;
}
