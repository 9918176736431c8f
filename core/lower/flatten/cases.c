/* core/lower/flatten/cases.c: ranges of threads that a number chooses, known only when it runs.
 *
 * A range is known before: a role of threads lo .. hi - 1.  Where a condition on the thread is made
 * of a number, too, which is the same in all threads that are here, there is a case for each value
 * of it that chooses another range:
 *
 *     if tid // 32 == k then A end
 *
 *     if k == 0 then if tid // 32 == 0 then A end
 *     else if k == 1 then if tid // 32 == 1 then A end
 *     ..
 *
 * with k a variable of a loop, of few values; or anything that is compared with what takes few
 * values in the threads that are here.  The next round of range.c divides the conditions. */
#include <string.h>

#include "core/ir/walk.h"
#include "flatten.h"

enum {
    MostCases = 32,
    MostStatements = 1 << 12 /* that stand in all of them */
};

typedef struct Cases Cases;
struct Cases {
    RangePlace *at;
    Low *l;
    Ex cond;
    Ex by, of, side;       /* by: the number.  It is compared in `of` with side; 0: a loop's variable */
    int64_t value[MostCases];
    int n;
    bool more;             /* it may have other values, too: then `of` is false */
};

/* The number ------------------------------------------------------------------- */

/* Adds a value; false: there is no room for it. */
static bool case_value(Cases *c, int64_t value)
{
    for (int i = 0; i < c->n; i++)
        if (c->value[i] == value)
            return true;
    if (c->n == MostCases)
        return false;
    c->value[c->n++] = value;
    return true;
}

/* a * coef, added to a sum, which is 0 as long as nothing is. */
static Ex case_term(Low *l, Ex sum, Ex a, int64_t coef)
{
    Prog *p = l->p;
    Ex term = x_bin(p, Xmul, a, x_int(p, ex_type(p, a), coef));
    return sum ? x_bin(p, Xadd, sum, term) : term;
}

/* Of a comparison of integers, a == b: `side`, which differs between threads, == by, which does
 * not. */
static bool case_sides(Cases *c, Ex a, Ex b)
{
    Prog *p = c->l->p;
    Vary *v = c->at->v;
    bool first = vary_ex(v, a), second = vary_ex(v, b);
    int64_t n;
    bool whole = dtypeinfo[ex_type(p, a)].cls == 'I' || dtypeinfo[ex_type(p, a)].cls == 'U';
    if (!whole || ex_type(p, a) != ex_type(p, b))
        return false;
    c->side = first && !second ? a : second && !first ? b : 0;
    c->by = first ? b : a;
    if (c->side && !x_isint(p, c->by, &n))
        return true;
    c->side = c->by = 0;
    ExSum s = x_linear(p, x_bin(p, Xsub, a, b));
    for (int i = 0; i < s.n; i++) {
        if (ex_type(p, s.atom[i]) != ex_type(p, a))
            return false;
        if (vary_ex(v, s.atom[i]))
            c->side = case_term(c->l, c->side, s.atom[i], s.coef[i]);
        else
            c->by = case_term(c->l, c->by, s.atom[i], -s.coef[i]);
    }
    if (!c->side || !c->by)
        return false;
    c->side = x_bin(p, Xadd, c->side, x_int(p, ex_type(p, a), s.c));
    return true;
}

/* The values of side in the threads that are here, those that by may have. */
static bool case_values(Cases *c)
{
    RangePlace *at = c->at;
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    Ex is = vary_value(at->v, c->side);
    c->n = 0;
    eval_reset(&at->ev);
    Lanes side = eval(&at->ev, is ? is : c->side);
    if (side.unknown)
        return false;
    bool known = x_range(c->l->p, c->by, &lo, &hi);
    for (int t = at->lo; t < at->hi; t++) {
        int64_t value = side.v ? side.v[t] : side.one;
        if ((!known || (lo <= value && value <= hi)) && !case_value(c, value))
            return false;
    }
    c->more = !known || hi - lo >= c->n;
    return true;
}

static ExGo case_compared(void *ud, Ex e)
{
    Cases *c = ud;
    Expr x = *ex_at(c->l->p, e);
    if (!vary_ex(c->at->v, e))
        return EXskip;
    if (x.op != Xeq && x.op != Xne)
        return EXinto;
    if (!case_sides(c, x.arg[0], x.arg[1]) || !case_values(c))
        return EXinto;
    c->of = e;
    return EXstop;
}

/* A variable of a loop around, the same in all threads, that has few values. */
static bool case_of_loop(Cases *c, const Stmt *s)
{
    const Prog *p = c->l->p;
    int64_t lo, hi, step = 1;
    for (int i = 0; i < s->loop.n; i++) {
        Ex var = x_var(c->l->p, s->loop.var[i]);
        bool known = x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi) &&
                     (!s->loop.step || (x_isint(p, s->loop.step, &step) && step > 0));
        if (!x_uses(p, c->cond, s->loop.var[i]) || vary_ex(c->at->v, var))
            continue;
        if (!known && x_range(p, var, &lo, &hi)) {
            known = true;
            hi++;
            step = 1;
        }
        if (!known || hi <= lo || (hi - lo - 1) / step >= MostCases)
            continue;
        c->n = 0;
        c->more = false;
        c->of = 0;
        c->by = var;
        for (int64_t k = lo; k < hi; k += step)
            case_value(c, k);
        return true;
    }
    return false;
}

static bool case_find(Cases *c)
{
    if (!ex_walk(c->l->p, c->cond, case_compared, c))
        return true;
    for (uint32_t i = c->at->nloop; i-- > 0;)
        if (case_of_loop(c, c->at->loop[i]))
            return true;
    return false;
}

/* The statements ---------------------------------------------------------------- */

static bool case_counted(Stmt *s, void *ud)
{
    int *n = ud;
    (void)s;
    return ++*n <= MostStatements;
}

static int case_statements(const Stmt *s)
{
    int n = 0;
    stmt_walk(s->cond.then, case_counted, &n);
    stmt_walk(s->cond.els, case_counted, &n);
    return n;
}

static Ex case_chosen(Low *l, Ex e, void *ud)
{
    const Ex *pair = ud;
    (void)l;
    return e == pair[0] ? pair[1] : e;
}

/* The condition where the number is `value`. */
static Ex case_condition(Cases *c, int64_t value)
{
    Prog *p = c->l->p;
    if (!c->of) {
        LowNew is = {ex_at(p, c->by)->sym, x_int(p, ex_type(p, c->by), value)};
        return low_varsx(c->l, c->cond, &is, 1);
    }
    Ex is = x_bin(p, (enum Xop)ex_at(p, c->of)->op, c->side,
                  x_int(p, ex_type(p, c->side), value));
    Ex pair[2] = {c->of, is};
    return low_mapx(c->l, c->cond, case_chosen, pair);
}

static Stmt *case_branch(Low *l, Stmt *body, bool first)
{
    return first || !body ? body : low_renew(l, low_clone(l, body));
}

/* s with another condition; which may be known. */
static Stmt *case_if(Low *l, const Stmt *s, Ex cond, bool first)
{
    low_say(l, cond, s->cond.cond);
    Stmt *out = low_if(l, cond, case_branch(l, s->cond.then, first),
                       case_branch(l, s->cond.els, first));
    if (out && out->kind == Sif && out->cond.cond == cond)
        out->loc = s->loc;
    return out;
}

/* Is it known which threads come, for one value of each number? */
static bool case_helps(const Cases *c)
{
    Cases in = *c;
    for (;;) {
        in.cond = case_condition(&in, in.n ? in.value[0] : 0);
        if (!flat_split(c->l, c->at, in.cond).mixed)
            return true;
        if (!case_find(&in))
            return false;
    }
}

Stmt *flat_cases(Low *l, RangePlace *at, Stmt *s, Ex cond)
{
    Prog *p = l->p;
    Cases c = {.at = at, .l = l, .cond = cond};
    if (!case_find(&c) || !case_helps(&c) || case_statements(s) * (c.n + 1) > MostStatements)
        return NULL;
    low_begin(l, s->loc);
    Ex by = ex_at(p, c.by)->op == Xvar ? c.by : x_var(p, s_let(p, "choice", c.by));
    Stmt *all = NULL;
    if (c.more) { /* a comparison that holds for no thread */
        Ex pair[2] = {c.of, x_int(p, DTbool, ex_at(p, c.of)->op == Xne)};
        all = case_if(l, s, low_mapx(l, cond, case_chosen, pair), false);
    }
    for (int i = c.n; i-- > 0;) {
        Stmt *one = case_if(l, s, case_condition(&c, c.value[i]), i == 0);
        bool last = !c.more && i == c.n - 1;
        all = last ? one : low_if(l, x_bin(p, Xeq, by, x_int(p, ex_type(p, by), c.value[i])), one,
                                  all);
    }
    return low_append(low_end(l), all);
}
