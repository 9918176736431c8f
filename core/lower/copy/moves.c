/* core/lower/copy/moves.c: places in global memory that are written once.
 *
 * Bulk stores keep no order among themselves, and none with what others write or read there until
 * they have been waited for whole, which takes a microsecond: only where somebody may come again.
 *
 *     for w: C[w * 128, by * 128]                 another row of tiles each time
 *     for w: C[(x + 16 * w) // 8 * 128, (x + 16 * w) % 8 * 128]      another tile
 *     for w: C[w // 2 * 128, by * 128]            not known: comes again */
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "select.h"

typedef struct Moves Moves;
struct Moves {
    const Low *l;
    const Region *to;
    const Stmt **loop; uint32_t n, cap; /* those around, outer first */
};

/* Loads and loops' variables; variables that get another value in a round. */
static bool moves_changes(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    return x->op == Xload || x->op == Xcall ||
           (v && (v->kind == Vloop || (v->kind == Vlet && !v->value)));
}

static bool moves_fixed(const Moves *m, Ex e)
{
    Prog *p = m->l->p;
    return !ex_any_let(p, e, moves_changes, p);
}

/* By how much e moves when var does, and nothing else that changes is in it; 0: not so. */
static int64_t moves_by(const Moves *m, Ex e, uint32_t var)
{
    const Prog *p = m->l->p;
    ExSum s = x_linear(p, e);
    int64_t by = 0;
    for (int i = 0; i < s.n; i++) {
        const Expr *x = ex_at(p, s.atom[i]);
        if (x->op == Xvar && x->sym == var)
            by = s.coef[i];
        else if (!moves_fixed(m, s.atom[i]))
            return 0;
    }
    return by;
}

static int64_t moves_size(const Moves *m, int d)
{
    int64_t n;
    return x_isint(m->l->p, m->to->extent[d], &n) ? n : INT64_MAX;
}

/* coef * (E // n), or coef * (E % n), and what stays: E, n and coef, which is enough for the
 * extent; false: min[d] is none. */
static bool moves_part(const Moves *m, int d, uint8_t op, Ex arg[2])
{
    const Prog *p = m->l->p;
    ExSum s = x_linear(p, m->to->min[d]);
    int64_t size = moves_size(m, d);
    arg[0] = 0;
    for (int i = 0; i < s.n; i++) {
        Ex e = ex_let(p, s.atom[i]) ? ex_let(p, s.atom[i]) : s.atom[i];
        const Expr *x = ex_at(p, e);
        if (x->op == op && !arg[0] && (s.coef[i] >= size || s.coef[i] <= -size)) {
            arg[0] = x->arg[0];
            arg[1] = x->arg[1];
        } else if (!moves_fixed(m, s.atom[i])) {
            return false;
        }
    }
    return arg[0] != 0;
}

/* Two dimensions are the quotient and the rest of one number that moves with var. */
static bool moves_split(const Moves *m, int nd, uint32_t var)
{
    Ex a[2], b[2];
    for (int d = 0; d < nd; d++)
        for (int k = 0; k < nd; k++)
            if (k != d && moves_part(m, d, Xfdiv, a) && moves_part(m, k, Xfmod, b) &&
                a[0] == b[0] && a[1] == b[1] && moves_fixed(m, a[1]) && moves_by(m, a[0], var))
                return true;
    return false;
}

/* In each round of loop s another place, whatever the rounds of the others. */
static bool moves_with(const Moves *m, const Stmt *s)
{
    const Prog *p = m->l->p;
    int nd = p->buf[m->to->buf].ndim;
    int64_t step = 1;
    if (s->kind != Sfor || (s->loop.step && !x_isint(p, s->loop.step, &step)))
        return false;
    for (int i = 0; i < s->loop.n; i++) {
        bool any = moves_split(m, nd, s->loop.var[i]);
        for (int d = 0; d < nd && !any; d++) {
            int64_t by = moves_by(m, m->to->min[d], s->loop.var[i]) * step, size = moves_size(m, d);
            any = by >= size || by <= -size;
        }
        if (!any)
            return false;
    }
    return true;
}

/* The loops around `of` in list, outermost first; false: it is not there. */
static bool moves_around(Moves *m, const Stmt *list, const Stmt *of)
{
    Stmt *b[2];
    for (const Stmt *s = list; s; s = s->next) {
        bool loop = s->kind == Sfor || s->kind == Swhile;
        if (s == of)
            return true;
        if (loop) {
            agrow(&m->l->p->ctx, &m->loop, &m->cap, m->n + 1, sizeof *m->loop);
            m->loop[m->n++] = s;
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (moves_around(m, b[i], of))
                return true;
        m->n -= loop;
    }
    return false;
}

bool store_repeats(const Low *l, const Stmt *s, const Region *to)
{
    Moves m = {.l = l, .to = to};
    if (!moves_around(&m, l->launch->launch.body, s))
        return true;
    for (uint32_t i = 0; i < m.n; i++)
        if (!moves_with(&m, m.loop[i]))
            return true;
    return false;
}

bool stores_apart(const Low *l, const Region *a, const Region *b)
{
    Prog *p = l->p;
    Moves m = {.l = l, .to = a}, k = {.l = l, .to = b};
    if (a->buf != b->buf)
        return false;
    for (int d = 0; d < p->buf[a->buf].ndim; d++) {
        ExSum s = x_linear(p, x_bin(p, Xsub, b->min[d], a->min[d]));
        if (moves_fixed(&m, a->min[d]) && moves_fixed(&k, b->min[d]) && s.n == 0 &&
            (s.c >= moves_size(&m, d) || -s.c >= moves_size(&k, d)))
            return true;
    }
    return false;
}

typedef struct StoreOthers StoreOthers;
struct StoreOthers { const Low *l; const Stmt *s; const Region *to; };

static bool store_alone(void *ud, const MemEffect *e)
{
    const StoreOthers *k = ud;
    Region r = {.buf = e->buf};
    if (e->s == k->s || e->root != buf_root(k->l->p, k->to->buf))
        return true;
    if (e->mode & FXread || !e->extent)
        return false;
    memcpy(r.min, e->at, (size_t)e->nd * sizeof *r.min);
    memcpy(r.extent, e->extent, (size_t)e->nd * sizeof *r.extent);
    return stores_apart(k->l, k->to, &r);
}

bool store_comes_back(const Low *l, const Stmt *s, const Region *to)
{
    StoreOthers k = {l, s, to};
    return store_repeats(l, s, to) ||
           !block_effects(l->p, l->launch->launch.body, true, store_alone, &k);
}
