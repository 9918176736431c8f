/* core/check/together.c: which parameters may be one and the same tensor.
 *
 * A kernel is lowered, and printed with `restrict`, as if all of its tensors lay apart.  One
 * tensor for two of them is right nevertheless where the kernel goes through it element by
 * element: all accesses to both have the same index, no two iterations have the same element,
 * and what is read of it is read before it is written.  This is a proof, not a guess: what it
 * does not see through has to lie apart. */
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/ir/walk.h"

/* A parameter: where it is accessed, always there, and when: first and last accesses by number. */
typedef struct TogetherAccess TogetherAccess;
struct TogetherAccess {
    bool any, odd; /* odd: it is not seen through */
    Ex at[MaxDim], extent[MaxDim];
    uint32_t read, write; /* the last read, the first write; 0: none */
};

typedef struct TogetherWalk TogetherWalk;
struct TogetherWalk {
    Prog *p;
    TogetherAccess *t;       /* by Buf */
    uint32_t *around, n, cap; /* variables of what is around */
    uint32_t threads[MaxLaunchDim], nthread, now;
    uint32_t *var, capvar;   /* room: those that tell iterations and threads apart, ... */
    bool *told; uint32_t captold; /* ... which of them an access tells apart, ... */
    struct IndexTerm *term; uint32_t capterm; /* ... and its terms */
    uint32_t parallel, odd;  /* loops around of which the one shares its iterations out, the
                              * other is nothing that is known */
};

/* Distinct iterations, distinct elements ------------------------------------- */

typedef struct IndexTerm IndexTerm;
struct IndexTerm { uint32_t var; int64_t coef; };

/* How many values v has; 0: not known. */
static int64_t together_values(const Prog *p, uint32_t v)
{
    const Var *x = &p->var[v];
    bool known = x->lo > INT32_MIN && x->hi < INT32_MAX && x->hi >= x->lo;
    return known ? x->hi - x->lo + 1 : 0;
}

/* Do the terms, each a variable of its own, give another box of `span` elements for all of
 * their values?  They do when each steps over all that the smaller ones reach. */
static bool steps_over(const Prog *p, IndexTerm *t, int n, int64_t span)
{
    for (int i = 1; i < n; i++) /* the smallest first */
        for (int k = i; k && t[k].coef < t[k - 1].coef; k--) {
            IndexTerm x = t[k];
            t[k] = t[k - 1];
            t[k - 1] = x;
        }
    for (int i = 0; i < n; i++) {
        int64_t most = together_values(p, t[i].var);
        if (t[i].coef < span)
            return false;
        if (i + 1 < n && (!most || __builtin_mul_overflow(t[i].coef, most, &span)))
            return false;
    }
    return true;
}

/* Marks in w->told which of the n variables dimension d of the access tells apart. */
static void tell_apart(TogetherWalk *w, const MemEffect *e, int d, uint32_t n)
{
    const Prog *p = w->p;
    ExSum s = x_linear(p, e->at[d]);
    int64_t span = 1;
    int m = 0;
    if (e->extent && !x_isint(p, e->extent[d], &span))
        return;
    for (int i = 0; i < s.n; i++) {
        const Expr *v = ex_at(p, s.atom[i]);
        int64_t by = s.coef[i];
        for (uint32_t k = 0; k < n; k++) {
            if (v->op == Xvar && v->sym == w->var[k] && by != INT64_MIN) {
                agrow(&w->p->ctx, &w->term, &w->capterm, (uint32_t)m + 1, sizeof *w->term);
                w->term[m++] = (IndexTerm){w->var[k], by < 0 ? -by : by};
            } else if (eval_depends(p, s.atom[i], w->var[k])) {
                return;
            }
        }
    }
    if (!steps_over(p, w->term, m, span))
        return;
    for (uint32_t k = 0; k < n; k++)
        for (int i = 0; i < m; i++)
            w->told[k] |= w->term[i].var == w->var[k];
}

/* No two rounds of what is around, nor two threads, come to one element of e? */
static bool element_is_private(TogetherWalk *w, const MemEffect *e)
{
    uint32_t n = w->n;
    agrow(&w->p->ctx, &w->var, &w->capvar, n + MaxLaunchDim, sizeof *w->var);
    agrow(&w->p->ctx, &w->told, &w->captold, n + MaxLaunchDim, sizeof *w->told);
    if (n)
        memcpy(w->var, w->around, n * sizeof *w->var);
    for (uint32_t i = 0; i < w->nthread && e->level != 'T' && !w->parallel; i++)
        w->var[n++] = w->threads[i];
    memset(w->told, 0, w->captold * sizeof *w->told);
    for (int d = 0; d < e->nd; d++) {
        if (!x_pure(w->p, e->at[d]))
            return false;
        tell_apart(w, e, d, n);
    }
    for (uint32_t i = 0; i < n; i++)
        if (!w->told[i] && together_values(w->p, w->var[i]) != 1)
            return false;
    return true;
}

/* Accesses ------------------------------------------------------------------- */

static bool effect_is_private(void *ud, const MemEffect *e)
{
    TogetherWalk *w = ud;
    TogetherAccess *t = &w->t[e->root];
    size_t n = (size_t)e->nd * sizeof *t->at;
    if (!w->p->buf[e->root].param)
        return true;
    w->now++;
    if (w->odd || e->buf != e->root || (e->mode & FXatomic) || !e->at || e->lanes != 1)
        t->odd = true;
    if (t->odd)
        return true;
    if (!t->any) {
        memcpy(t->at, e->at, n);
        if (e->extent)
            memcpy(t->extent, e->extent, n);
        t->any = true;
    }
    const Ex none[MaxDim] = {0};
    t->odd = memcmp(t->at, e->at, n) != 0 || memcmp(t->extent, e->extent ? e->extent : none, n) != 0 ||
             !element_is_private(w, e);
    if (e->mode & FXread)
        t->read = w->now;
    if ((e->mode & FXwrite) && !t->write)
        t->write = w->now;
    return true;
}

static void around(TogetherWalk *w, uint32_t var)
{
    agrow(&w->p->ctx, &w->around, &w->cap, w->n + 1, sizeof *w->around);
    w->around[w->n++] = var;
}

static void enter_loop(TogetherWalk *w, const Stmt *s)
{
    if (s->kind == Slaunch) {
        for (int i = 0; i < s->launch.n; i++)
            around(w, s->launch.block[i]);
        w->nthread = s->launch.nthread;
        memcpy(w->threads, s->launch.thread, sizeof w->threads);
    } else if (s->kind == Sfor) {
        for (int i = 0; i < s->loop.n; i++)
            around(w, s->loop.var[i]);
        w->parallel += s->loop.kind == Fparallel;
    } else if (s->kind == Swhile) {
        w->odd++;
    }
}

static void walk_list(TogetherWalk *w, const Stmt *list)
{
    for (const Stmt *s = list; s; s = s->next) {
        Stmt *block[2];
        uint32_t n = w->n, parallel = w->parallel, odd = w->odd;
        stmt_effects(w->p, s, effect_is_private, w);
        enter_loop(w, s);
        int m = stmt_blocks(s, block);
        for (int i = 0; i < m; i++)
            walk_list(w, block[i]);
        w->odd = odd;
        w->n = n;
        w->parallel = parallel;
    }
}

/* Groups ----------------------------------------------------------------------- */

static bool together_same_place(const TogetherAccess *a, const TogetherAccess *b)
{
    return a->any && b->any && !a->odd && !b->odd && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->extent, b->extent, sizeof a->extent) == 0;
}

void prog_together(Prog *p, uint32_t *group)
{
    TogetherWalk w = {.p = p, .t = anew(&p->ctx, p->nbuf * sizeof *w.t)};
    walk_list(&w, p->body);
    memset(group, 0, p->nbuf * sizeof *group);
    for (uint32_t i = 1; i < p->nbuf; i++) {
        uint32_t read = 0, write = UINT32_MAX;
        if (group[i] || !p->buf[i].param || !w.t[i].any)
            continue;
        for (uint32_t k = i; k < p->nbuf; k++) {
            const TogetherAccess *t = &w.t[k];
            if (!p->buf[k].param || !together_same_place(&w.t[i], t))
                continue;
            group[k] = i;
            read = t->read > read ? t->read : read;
            write = t->write && t->write < write ? t->write : write;
        }
        for (uint32_t k = p->nbuf; k-- > i && read > write;)
            if (group[k] == i)
                group[k] = 0;
    }
}
