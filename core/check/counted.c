/* core/check/counted.c: a while loop that counts is as good as a for loop.
 *
 *     n = 0
 *     while n < 16 do  W[n] = A[n]  n = n + 1  end          for v = 0, 15: W[v] = A[v]
 *
 * It counts where a variable of the thread, constant in front of the loop, is compared with a
 * constant, changes once in each round, by a constant, and nothing leaves the loop.  In a round the
 * variable is first + by * (number of the round) until that statement, and `by` more behind it. */
#include "core/ir/effects.h"
#include "core/ir/expr.h"
#include "counted.h"

enum { MostRounds = 1 << 20 };

/* buf[0], a variable of the thread; 0: e is none such. */
static uint32_t variable_of(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    return x->op == Xload && p->buf[x->sym].scope == SCvar && !p->buf[x->sym].base &&
                   dtypeinfo[x->dt].cls == 'I' && dtypeinfo[x->dt].bits >= 32
               ? x->sym : 0;
}

/* Writes of buf in what is walked. */
typedef struct CountedWrites CountedWrites;
struct CountedWrites { const Prog *p; uint32_t buf; int n; };

static bool counted_write(void *ud, const MemEffect *e)
{
    CountedWrites *w = ud;
    w->n += e->mode & FXwrite && e->root == w->buf;
    return true;
}

static bool counted_statement(Stmt *s, void *ud)
{
    CountedWrites *w = ud;
    stmt_effects(w->p, s, counted_write, w);
    return true;
}

/* How many statements of s, and of its blocks, write buf. */
static int writes_of(const Prog *p, const Stmt *s, uint32_t buf)
{
    CountedWrites w = {p, buf, 0};
    Stmt one = *s;
    one.next = NULL;
    stmt_walk(&one, counted_statement, &w);
    return w.n;
}

/* The constant that buf has in front of s, a statement of list. */
static bool counted_first(const Prog *p, const Stmt *list, const Stmt *s, uint32_t buf, int64_t *v)
{
    bool known = false;
    for (; list != s; list = list->next) {
        if (list->kind == Salloc && list->alloc.buf == buf)
            known = list->alloc.init && x_isint(p, list->alloc.init, v);
        else if (list->kind == Sstore && list->store.buf == buf)
            known = x_isint(p, list->store.value, v);
        else if (writes_of(p, list, buf))
            known = false;
    }
    return known;
}

/* The statement of the loop's body, one of all rounds, that alone changes buf, by *by. */
static const Stmt *counted_step(Prog *p, const Stmt *body, uint32_t buf, int64_t *by)
{
    const Stmt *found = NULL;
    for (const Stmt *s = body; s; s = s->next) {
        int n = writes_of(p, s, buf);
        if (!n)
            continue;
        ExSum sum = s->kind == Sstore ? x_linear(p, s->store.value) : (ExSum){0};
        if (found || n > 1 || s->kind != Sstore || sum.n != 1 || sum.coef[0] != 1 ||
            variable_of(p, sum.atom[0]) != buf)
            return NULL;
        found = s;
        *by = sum.c;
    }
    return found;
}

/* Rounds while first + by * round is below `end` (by < 0: above it); -1: there is no end. */
static int64_t counted_rounds(int64_t first, int64_t by, int64_t end)
{
    int64_t far = (int64_t)1 << 30, span = by > 0 ? end - first : first - end, step = by > 0 ? by : -by;
    if (first < -far || first > far || end < -far || end > far || by == 0 || step > far)
        return -1;
    return span <= 0 ? 0 : (span + step - 1) / step;
}

/* buf, and where it ends, of a condition `n < 16`, `n <= 15`, `n > 0`, `n >= 0`. */
static uint32_t counted_end(const Prog *p, Ex cond, bool *up, int64_t *end)
{
    const Expr *x = ex_at(p, cond);
    bool not = x->op == Xnot;
    x = not ? ex_at(p, x->arg[0]) : x;
    if (x->op != Xlt && x->op != Xle)
        return 0;
    *up = x_isint(p, x->arg[1], end) != not;
    if (!x_isint(p, x->arg[*up != not], end))
        return 0;
    *end += (x->op == Xle) == not ? 0 : *up ? 1 : -1; /* not n < 5: n > 4 */
    return variable_of(p, x->arg[*up == not]);
}

bool counted_loop(Prog *p, const Stmt *list, const Stmt *s, Counted *k)
{
    bool up;
    int64_t end, lo, hi;
    *k = (Counted){.buf = counted_end(p, s->whil.cond, &up, &end)};
    if (!k->buf || stmt_leaves(s->whil.body) || !counted_first(p, list, s, k->buf, &k->first) ||
        !(k->step = counted_step(p, s->whil.body, k->buf, &k->by)) || (k->by > 0) != up)
        return false;
    k->rounds = counted_rounds(k->first, k->by, end);
    ex_limits((enum Dtype)p->buf[k->buf].dt, &lo, &hi);
    int64_t last = k->first + k->rounds * k->by;
    return k->rounds >= 0 && k->rounds <= MostRounds && last >= lo && last <= hi;
}

typedef struct CountedSubst CountedSubst;
struct CountedSubst { Prog *p; const Counting *c; };

static int64_t counted_value(ExFold *k, Ex e)
{
    const CountedSubst *t = k->ud;
    uint32_t buf = variable_of(t->p, e);
    for (const Counting *c = t->c; buf && c; c = c->up)
        if (c->buf == buf)
            return c->value;
    return ex_refold(t->p, k, e);
}

Ex counted_ex(Prog *p, const Counting *c, Ex e)
{
    CountedSubst t = {p, c};
    return c && e ? (Ex)ex_fold(&(ExFold){.p = p, .f = counted_value, .ud = &t}, e) : e;
}
