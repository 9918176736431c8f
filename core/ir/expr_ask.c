/* core/ir/expr_ask.c: what is known of an expression: its range, its linear form,
 * what it uses, its value in an environment; and substitution. */
#include <string.h>

#include "expr.h"
#include "walk.h"

static bool expr_ask_clip(enum Dtype dt, int64_t *lo, int64_t *hi)
{
    int64_t a, b;
    ex_limits(dt, &a, &b);
    return *lo >= a && *hi <= b; /* else it may have wrapped */
}

static bool mulrange(int64_t a, int64_t b, int64_t c, int64_t d, int64_t *lo, int64_t *hi)
{
    int64_t v[4];
    if (__builtin_mul_overflow(a, c, &v[0]) || __builtin_mul_overflow(a, d, &v[1]) ||
        __builtin_mul_overflow(b, c, &v[2]) || __builtin_mul_overflow(b, d, &v[3]))
        return false;
    *lo = *hi = v[0];
    for (int i = 1; i < 4; i++) {
        *lo = v[i] < *lo ? v[i] : *lo;
        *hi = v[i] > *hi ? v[i] : *hi;
    }
    return true;
}

bool x_range_of(enum Xop op, const int64_t l[2], const int64_t r[2], int64_t *lo, int64_t *hi)
{
    int64_t a = l[0], b = l[1], c = r[0], d = r[1];
    switch (op) {
    case Xadd: return !__builtin_add_overflow(a, c, lo) && !__builtin_add_overflow(b, d, hi);
    case Xsub: return !__builtin_sub_overflow(a, d, lo) && !__builtin_sub_overflow(b, c, hi);
    case Xmul: return mulrange(a, b, c, d, lo, hi);
    case Xmin: *lo = a < c ? a : c; *hi = b < d ? b : d; return true;
    case Xmax: *lo = a > c ? a : c; *hi = b > d ? b : d; return true;
    case Xfmod: *lo = 0, *hi = d - 1; return c > 0;
    case Xfdiv:
        if (c <= 0)
            return false;
        *lo = ex_floordiv(a, a < 0 ? c : d);
        *hi = ex_floordiv(b, b < 0 ? d : c);
        return true;
    case Xtdiv:
        if (a < 0 || c <= 0)
            return false;
        *lo = a / d, *hi = b / c;
        return true;
    case Xtmod:
        if (a < 0 || c <= 0)
            return false;
        *lo = 0, *hi = b < d - 1 ? b : d - 1;
        return true;
    case Xbxor: case Xbor:
        if (a < 0 || c < 0)
            return false;
        *lo = 0, *hi = (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)(b | d) | 1));
        return true;
    case Xshr:
        if (a < 0 || c != d || c < 0 || c > 62)
            return false;
        *lo = a >> c, *hi = b >> c;
        return true;
    case Xshl:
        if (c != d || c < 0 || c > 62)
            return false;
        return mulrange(a, b, (int64_t)1 << c, (int64_t)1 << c, lo, hi);
    default: return false;
    }
}

static bool range2(const Prog *p, const Expr *x, int64_t *lo, int64_t *hi)
{
    int64_t l[2], r[2];
    if (!x_range(p, x->arg[1], &r[0], &r[1]))
        return false;
    if (x->op == Xfmod && r[0] > 0) {
        *lo = 0, *hi = r[1] - 1;
        return true;
    }
    if (x->op == Xband && r[0] >= 0) {
        *lo = 0, *hi = r[1];
        return true;
    }
    return x_range(p, x->arg[0], &l[0], &l[1]) && x_range_of((enum Xop)x->op, l, r, lo, hi);
}

bool x_range(const Prog *p, Ex e, int64_t *lo, int64_t *hi)
{
    const Expr *x = &p->ex[e];
    int64_t a, b;
    if (dtype_isfloat((enum Dtype)x->dt))
        return false;
    switch (x->op) {
    case Xint:
        *lo = *hi = x->i;
        return x->dt != DTu64 || x->i >= 0; /* beyond INT64_MAX it is held as a negative number */
    case Xvar:
        *lo = p->var[x->sym].lo;
        *hi = p->var[x->sym].hi;
        /* a loop without rounds leaves its variable no value: nothing is known there */
        return *lo != INT64_MIN && *hi != INT64_MAX && *lo <= *hi;
    case Xselect:
        if (!x_range(p, x->arg[1], lo, hi) || !x_range(p, x->arg[2], &a, &b))
            return false;
        *lo = a < *lo ? a : *lo;
        *hi = b > *hi ? b : *hi;
        return true;
    case Xcast:
        return x_range(p, x->arg[0], lo, hi) && expr_ask_clip((enum Dtype)x->dt, lo, hi);
    case Xload:
        ex_limits((enum Dtype)x->dt, lo, hi);
        return dtypeinfo[x->dt].bits <= 16;
    default:
        if (xopinfo[x->op].kind == 'C' || xopinfo[x->op].kind == 'B') {
            *lo = 0, *hi = 1;
            return true;
        }
        return x->n == 2 && range2(p, x, lo, hi) && expr_ask_clip((enum Dtype)x->dt, lo, hi);
    }
}

void x_extremes(const Prog *p, Ex e, int64_t *lo, int64_t *hi)
{
    const Expr *x = &p->ex[e];
    int64_t a, b;
    if (x_range(p, e, lo, hi))
        return;
    if (x->op != Xmax && x->op != Xmin) {
        ex_limits((enum Dtype)x->dt, lo, hi);
        return;
    }
    x_extremes(p, x->arg[0], lo, hi);
    x_extremes(p, x->arg[1], &a, &b);
    *lo = (*lo < a) == (x->op == Xmax) ? a : *lo;
    *hi = (*hi < b) == (x->op == Xmax) ? b : *hi;
}

/* A value that may be anything of its type: of memory, of calls. */
static bool of_data(void *ud, Ex e)
{
    const Prog *p = *(const Prog *const *)ud;
    const Expr *x = &p->ex[e];
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    return x->op == Xload || x->op == Xcall || x->op == Xbits ||
           (v && (v->kind == Vscalar || (v->kind == Vlet && !v->value)));
}

/* Counts something whose extent is not known: its range is what its type, or any grid,
 * has room for. */
static bool open_ended(void *ud, Ex e)
{
    enum { Extent = 1 << 20 };
    const Prog *p = *(const Prog *const *)ud;
    const Expr *x = &p->ex[e];
    return x->op == Xvar && (p->var[x->sym].lo < -Extent || p->var[x->sym].hi > Extent);
}

static bool counts_wide(const Expr *x)
{
    return dtypeinfo[x->dt].cls == 'I' && dtypeinfo[x->dt].bits >= 32;
}

/* A sum, difference or product without a proof. */
static bool expr_ask_granted(const Prog *p, Ex e)
{
    return counts_wide(&p->ex[e]) && ex_any(p, e, open_ended, &p) && !ex_any_let(p, e, of_data, &p);
}

/* Do all values of type `from` fit into type `to`? */
static bool widens(enum Dtype from, enum Dtype to)
{
    int64_t lo, hi;
    if (!dtype_isint(from) && from != DTbool)
        return false;
    ex_limits(from, &lo, &hi);
    return (from != DTu64 || to == DTu64) && expr_ask_clip(to, &lo, &hi);
}

/* Of a small expression without lets. */
static int64_t expr_ask_whole(ExFold *k, Ex e)
{
    const Expr *x = &k->p->ex[e];
    int64_t lo, hi;
    if (dtype_isfloat((enum Dtype)x->dt))
        return false;
    if (x->op == Xload || x->op == Xcall || x->op == Xbits || x_range(k->p, e, &lo, &hi))
        return true;
    if (x->op == Xcast && !widens(ex_type(k->p, x->arg[0]), (enum Dtype)x->dt))
        return false;
    if ((x->op == Xadd || x->op == Xsub || x->op == Xmul) && !expr_ask_granted(k->p, e))
        return false;
    return x->op != Xshl && x->op != Xbnot && ex_fold_least(k, e, true);
}

/* Of any other, each node once: with what expr_ask_granted() asks of it. */
enum { WholeYes = 1, WholeOpen = 2, WholeData = 4 };

static int64_t whole_bits(ExFold *k, Ex e)
{
    const Prog *p = k->p;
    const Expr *x = &p->ex[e];
    int64_t lo, hi, all = WholeYes;
    int64_t bits = (open_ended(&p, e) ? WholeOpen : 0) | (of_data(&p, e) ? WholeData : 0);
    for (int i = 0; i < x->n; i++) {
        int64_t is = ex_fold(k, x->arg[i]);
        all &= is;
        bits |= is & ~WholeYes;
    }
    if (ex_let(p, e)) {
        int64_t is = ex_fold_let(k, e);
        all = is & WholeYes;
        bits |= is & WholeData;
    }
    bool sum = x->op == Xadd || x->op == Xsub || x->op == Xmul, granted = counts_wide(x) && bits == WholeOpen;
    if (dtype_isfloat((enum Dtype)x->dt))
        return bits;
    if (x->op == Xload || x->op == Xcall || x->op == Xbits || x_range(p, e, &lo, &hi))
        return bits | WholeYes;
    if ((x->op == Xcast && !widens(ex_type(p, x->arg[0]), (enum Dtype)x->dt)) || (sum && !granted) ||
        x->op == Xshl || x->op == Xbnot)
        return bits;
    return bits | all;
}

static bool whole_let(void *ud, Ex e)
{
    const Prog *p = *(const Prog *const *)ud;
    return ex_let(p, e) != 0;
}

bool x_whole(const Prog *p, Ex e)
{
    bool small = ex_small(p, e) && !ex_any(p, e, whole_let, &p);
    return ex_fold(&(ExFold){.p = p, .f = small ? expr_ask_whole : whole_bits}, e) & WholeYes;
}

typedef struct LetName LetName;
struct LetName { const Prog *p; uint32_t var; };

static bool expr_ask_is_name(void *ud, Ex e)
{
    const LetName *k = ud;
    const Expr *x = &k->p->ex[e];
    return x->op == Xvar && x->sym == k->var;
}

bool x_uses(const Prog *p, Ex e, uint32_t var)
{
    return ex_any_let(p, e, expr_ask_is_name, &(LetName){p, var});
}

static bool not_pure(void *ud, Ex e)
{
    const Prog *p = *(const Prog *const *)ud;
    const Expr *x = &p->ex[e];
    return x->op == Xload || (x->op == Xcall && intr_fleeting(x->sym));
}

bool x_all_lanes(const Prog *p, Ex e)
{
    int64_t v = -1;
    return !e || (x_isint(p, e, &v) && (v == -1 || v == UINT32_MAX));
}

bool x_pure(const Prog *p, Ex e) { return !ex_any(p, e, not_pure, &p); }

/* What variables become: number v map[v], where that is not 0, v < nmap; those of a list. */
typedef struct VarSubst VarSubst;
struct VarSubst { Prog *p; const Ex *map; uint32_t nmap; const ExNew *list; int n; };

static Ex new_of(const VarSubst *t, uint32_t v)
{
    if (v < t->nmap)
        return t->map[v];
    for (int i = 0; i < t->n; i++)
        if (t->list[i].var == v)
            return t->list[i].to;
    return 0;
}

/* An index stays a whole number, see x_index(). */
static Ex load_again(Prog *p, uint32_t buf, const Ex *arg, int n)
{
    bool narrow = false;
    for (int i = 0; i < n; i++)
        narrow |= dtypeinfo[ex_type(p, arg[i])].bits < 32;
    return narrow ? x_load(p, buf, arg, n)
                  : ex_mk(p, Xload, (enum Dtype)p->buf[buf].dt, buf, arg, n);
}

Ex ex_remake(Prog *p, const Expr *x, uint32_t sym, const Ex *arg)
{
    switch ((enum Xop)x->op) {
    case Xload: return load_again(p, sym, arg, x->n);
    case Xcall:
        return intr_own(sym) ? ex_mk(p, Xcall, (enum Dtype)x->dt, sym, arg, x->n)
                             : x_call(p, (enum Intr)sym, arg, x->n);
    case Xselect: return x_select(p, arg[0], arg[1], arg[2]);
    case Xcast: return x_cast(p, (enum Dtype)x->dt, arg[0]);
    case Xbits: return x_bits(p, (enum Dtype)x->dt, arg[0]);
    case Xnot: case Xbnot: return x_un(p, (enum Xop)x->op, arg[0]);
    default: return x_bin(p, (enum Xop)x->op, arg[0], arg[1]);
    }
}

Ex ex_refold(Prog *p, ExFold *k, Ex e)
{
    Expr x = p->ex[e];
    if (x.n == 0)
        return e;
    Ex small[8], *a = x.n <= 8 ? small : anew(&p->ctx, x.n * sizeof *a);
    bool changed = false;
    for (int i = 0; i < x.n; i++) {
        a[i] = (Ex)ex_fold(k, x.arg[i]);
        changed |= a[i] != x.arg[i];
    }
    return changed ? ex_remake(p, &x, x.sym, a) : e;
}

static int64_t subst_variable(ExFold *k, Ex e)
{
    const VarSubst *t = k->ud;
    const Expr *x = &t->p->ex[e];
    Ex to = x->op == Xvar ? new_of(t, x->sym) : 0;
    return to ? to : ex_refold(t->p, k, e);
}

static Ex expr_ask_subst(Prog *p, Ex e, VarSubst t)
{
    t.p = p;
    return (Ex)ex_fold(&(ExFold){.p = p, .f = subst_variable, .ud = &t}, e);
}

Ex x_subst(Prog *p, Ex e, const Ex *map, uint32_t nmap)
{
    return expr_ask_subst(p, e, (VarSubst){.map = map, .nmap = nmap});
}

Ex x_replace_all(Prog *p, Ex e, const ExNew *list, int n)
{
    return expr_ask_subst(p, e, (VarSubst){.list = list, .n = n});
}

Ex x_replace(Prog *p, Ex e, uint32_t v, Ex by)
{
    return x_replace_all(p, e, &(ExNew){v, by}, 1);
}

/* Of uint64 beyond INT64_MAX, which is held as a negative number. */
static int64_t divide_unsigned(enum Xop op, uint64_t a, uint64_t b)
{
    return (int64_t)(op == Xfdiv || op == Xtdiv ? a / b : a % b);
}

static int64_t expr_ask_divide(enum Xop op, enum Dtype dt, int64_t a, int64_t b)
{
    if (dtypeinfo[dt].cls == 'U')
        return divide_unsigned(op, (uint64_t)a, (uint64_t)b);
    if (b == -1) /* the least number wraps */
        return op == Xfdiv || op == Xtdiv ? ex_wmul(a, -1) : 0;
    switch (op) {
    case Xfdiv: return ex_floordiv(a, b);
    case Xfmod: return ex_floormod(a, b);
    case Xtdiv: return a / b;
    default: return a % b;
    }
}

bool x_operate(enum Xop op, enum Dtype dt, int64_t a, int64_t b, int64_t *v)
{
    bool less = dtypeinfo[dt].cls == 'U' ? (uint64_t)a < (uint64_t)b : a < b;
    switch (op) {
    case Xadd: *v = ex_wadd(a, b); break;
    case Xsub: *v = ex_wadd(a, ex_wmul(b, -1)); break;
    case Xmul: *v = ex_wmul(a, b); break;
    case Xfdiv: case Xfmod: case Xtdiv: case Xtmod:
        if (b == 0)
            return false;
        *v = expr_ask_divide(op, dt, a, b);
        break;
    case Xmin: *v = less ? a : b; break;
    case Xmax: *v = less ? b : a; break;
    case Xlt: *v = less; return true;
    case Xle: *v = less || a == b; return true;
    case Xeq: *v = a == b; return true;
    case Xne: *v = a != b; return true;
    case Xband: *v = a & b; break;
    case Xbor: *v = a | b; break;
    case Xbxor: *v = a ^ b; break;
    case Xshl: case Xshr:
        if (b < 0 || b >= dtypeinfo[dt].bits)
            return false;
        *v = op == Xshl ? (int64_t)((uint64_t)a << b)
             : dtypeinfo[dt].cls == 'U' ? (int64_t)((uint64_t)a >> b) : a >> b;
        break;
    default: return false;
    }
    *v = ex_wrap(dt, *v);
    return true;
}

/* A float of constants, casts of whole numbers, and what is exact or rounded once in every
 * printed language.  A product in a sum is not: a compiler may round both at once. */
static bool expr_ask_float(const Prog *p, Ex e, const int64_t *env, double *v)
{
    const Expr *x = &p->ex[e];
    enum Dtype dt = (enum Dtype)x->dt, from = x->n ? ex_type(p, x->arg[0]) : DTnone;
    double a, b;
    int64_t i;
    if (x->op == Xfloat) {
        *v = x->f;
        return true;
    }
    if (x->op == Xcast && !dtype_isfloat(from)) {
        if (!x_eval(p, x->arg[0], env, &i) || i > (int64_t)1 << 53 || i < -((int64_t)1 << 53))
            return false;
        *v = dtype_round(dt, (double)i);
        return true;
    }
    if (x->op == Xcast && expr_ask_float(p, x->arg[0], env, &a)) {
        *v = dtype_round(dt, a);
        return true;
    }
    bool sum = x->op == Xadd || x->op == Xsub;
    if ((!sum && x->op != Xmul) || x->n != 2 || dtypeinfo[dt].bits > 32)
        return false;
    for (int k = 0; sum && k < 2; k++)
        if (p->ex[x->arg[k]].op == Xmul)
            return false;
    if (!expr_ask_float(p, x->arg[0], env, &a) || !expr_ask_float(p, x->arg[1], env, &b))
        return false;
    *v = dtype_round(dt, x->op == Xadd ? a + b : x->op == Xsub ? a - b : a * b);
    return true;
}

/* As dtype_storen(), which all targets follow. */
static bool expr_ask_from_float(const Prog *p, enum Dtype dt, Ex e, const int64_t *env, int64_t *v)
{
    double d;
    int64_t k[1] = {0};
    if (dt == DTbool || !expr_ask_float(p, e, env, &d))
        return false;
    dtype_store(dt, k, 0, d);
    *v = dtype_loadi(dt, k, 0);
    return true;
}

bool x_eval(const Prog *p, Ex e, const int64_t *env, int64_t *v)
{
    const Expr *x = &p->ex[e];
    int64_t a, b;
    if (dtype_isfloat((enum Dtype)x->dt))
        return false;
    switch (x->op) {
    case Xint: *v = x->i; return true;
    case Xvar: *v = env[x->sym]; return true;
    case Xand: case Xor:
        if (!x_eval(p, x->arg[0], env, &a))
            return false;
        if ((a != 0) == (x->op == Xor)) {
            *v = a != 0;
            return true;
        }
        return x_eval(p, x->arg[1], env, v);
    case Xnot: case Xbnot:
        if (!x_eval(p, x->arg[0], env, &a))
            return false;
        *v = x->op == Xnot ? !a : ex_wrap((enum Dtype)x->dt, ~a);
        return true;
    case Xselect:
        return x_eval(p, x->arg[0], env, &a) && x_eval(p, x->arg[a ? 1 : 2], env, v);
    case Xcast:
        if (dtype_isfloat(ex_type(p, x->arg[0])))
            return expr_ask_from_float(p, (enum Dtype)x->dt, x->arg[0], env, v);
        if (!x_eval(p, x->arg[0], env, &a))
            return false;
        *v = ex_wrap((enum Dtype)x->dt, a);
        return true;
    default:
        if (x->n != 2 || !x_eval(p, x->arg[0], env, &a) || !x_eval(p, x->arg[1], env, &b) ||
            dtype_isfloat(ex_type(p, x->arg[0])))
            return false;
        return x_operate((enum Xop)x->op, ex_type(p, x->arg[0]), a, b, v);
    }
}
