/* core/lower/sync_eval.c: integer expressions for all threads of a block at
 * once, and which of them are the same for all. */
#include <string.h>

#include "../expr.h"
#include "../walk.h"
#include "sync.h"

/* Eval.kind */
enum { Kunseen, Kthread, Kloops, Kother }; /* of tid and constants alone; with loops; with more */

void eval_init(Eval *v, Low *l)
{
    Ctx *c = &l->p->ctx;
    memset(v, 0, sizeof *v);
    v->l = l;
    v->tid = l->launch->launch.thread[0];
    v->n = l->launch->launch.threads[0];
    v->nvar = l->p->nvar;
    v->nex = l->p->nex;
    v->val = anew(c, v->nvar * sizeof *v->val);
    v->has = anew(c, v->nvar);
    v->kind = anew(c, v->nex);
    v->memo = anew(c, v->nex * sizeof *v->memo);
    v->cap = 64;
    v->pool = anew(c, (size_t)v->cap * (size_t)v->n * sizeof *v->pool);
}

void eval_reset(Eval *v) { v->used = 0; }

static int64_t *fresh(Eval *v)
{
    if (v->used == v->cap) { /* deep expressions: those in use stay where they are */
        v->pool = anew(&v->l->p->ctx, (size_t)v->cap * (size_t)v->n * sizeof *v->pool);
        v->used = 0;
    }
    return v->pool + (size_t)v->used++ * (size_t)v->n;
}

static int kind_of(Eval *v, Ex e)
{
    const Prog *p = v->l->p;
    const Expr *x = &p->ex[e];
    if (e < v->nex && v->kind[e])
        return v->kind[e];
    int k = Kthread;
    if (x->op == Xvar) {
        const Var *a = &p->var[x->sym];
        if (a->kind == Vlet)
            k = a->value ? kind_of(v, a->value) : Kother;
        else
            k = x->sym == v->tid ? Kthread : a->kind == Vloop ? Kloops : Kother;
    } else if (x->op == Xload || x->op == Xcall || x->op == Xfloat) {
        k = Kother;
    }
    for (int i = 0; i < x->n; i++) {
        int a = kind_of(v, x->arg[i]);
        k = a > k ? a : k;
    }
    if (e < v->nex)
        v->kind[e] = (uint8_t)k;
    return k;
}

static const Vec unknown = {true, 0, NULL}, maybe = {false, 2, NULL};

static Vec scalar(int64_t n) { return (Vec){false, n, NULL}; }
static int64_t at(const Vec *a, int i) { return a->v ? a->v[i] : a->one; }

static bool isbool(const Eval *v, Ex e) { return v->l->p->ex[e].dt == DTbool; }

static Vec nothing(const Eval *v, Ex e) { return isbool(v, e) ? maybe : unknown; }

int64_t eval_op2(enum Xop op, int64_t a, int64_t b)
{
    switch (op) {
    case Xadd: return ex_wadd(a, b);
    case Xsub: return ex_wadd(a, ex_wmul(b, -1));
    case Xmul: return ex_wmul(a, b);
    case Xmin: return a < b ? a : b;
    case Xmax: return a > b ? a : b;
    case Xlt: return a < b;
    case Xle: return a <= b;
    case Xeq: return a == b;
    case Xne: return a != b;
    case Xband: return a & b;
    case Xbor: return a | b;
    case Xbxor: return a ^ b;
    case Xshl: return b >= 0 && b < 64 ? (int64_t)((uint64_t)a << b) : 0;
    case Xshr: return b >= 0 && b < 64 ? a >> b : 0;
    case Xfdiv: return b ? ex_floordiv(a, b) : 0;
    case Xfmod: return b ? ex_floormod(a, b) : 0;
    case Xtdiv: return b && b != -1 ? a / b : 0;
    case Xtmod: return b && b != -1 ? a % b : 0;
    case Xand: return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : 2;
    case Xor: return a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : 2;
    default: return 0;
    }
}

/* Comparisons of unknown bools stay unknown. */
static Vec apply(Eval *v, enum Xop op, Vec a, Vec b)
{
    if (!a.v && !b.v)
        return scalar(eval_op2(op, a.one, b.one));
    int64_t *r = fresh(v);
    if (!b.v && b.one > 0 && (op == Xfdiv || op == Xfmod) && (b.one & (b.one - 1)) == 0) {
        int s = __builtin_ctzll((unsigned long long)b.one);
        for (int i = 0; i < v->n; i++) /* powers of two: most digits */
            r[i] = op == Xfdiv ? a.v[i] >> s : a.v[i] & (b.one - 1);
        return (Vec){false, 0, r};
    }
    if (op == Xadd || op == Xmul) {
        for (int i = 0; i < v->n; i++) {
            int64_t x = at(&a, i), y = at(&b, i);
            r[i] = op == Xadd ? ex_wadd(x, y) : ex_wmul(x, y);
        }
        return (Vec){false, 0, r};
    }
    for (int i = 0; i < v->n; i++)
        r[i] = eval_op2(op, at(&a, i), at(&b, i));
    return (Vec){false, 0, r};
}

static Vec choose(Eval *v, Ex e, const Expr *x)
{
    Vec c = eval(v, x->arg[0]);
    if (!c.v && c.one != 2)
        return eval(v, x->arg[c.one ? 1 : 2]);
    Vec a = eval(v, x->arg[1]), b = eval(v, x->arg[2]);
    if (a.unknown || b.unknown || !c.v)
        return nothing(v, e);
    int64_t *r = fresh(v);
    for (int i = 0; i < v->n; i++) {
        if (c.v[i] == 2)
            return nothing(v, e);
        r[i] = c.v[i] ? at(&a, i) : at(&b, i);
    }
    return (Vec){false, 0, r};
}

static Vec negate(Eval *v, Vec a)
{
    if (!a.v)
        return scalar(a.one == 2 ? 2 : !a.one);
    int64_t *r = fresh(v);
    for (int i = 0; i < v->n; i++)
        r[i] = a.v[i] == 2 ? 2 : !a.v[i];
    return (Vec){false, 0, r};
}

static Vec variable(Eval *v, Ex e, uint32_t var)
{
    const Var *a = &v->l->p->var[var];
    if (var == v->tid) {
        int64_t *r = fresh(v);
        for (int i = 0; i < v->n; i++)
            r[i] = i;
        return (Vec){false, 0, r};
    }
    if (a->kind == Vlet && a->value)
        return eval(v, a->value);
    if (var < v->nvar && v->has[var])
        return scalar(v->val[var]);
    return nothing(v, e);
}

static Vec compute(Eval *v, Ex e)
{
    Expr x = v->l->p->ex[e];
    switch ((enum Xop)x.op) {
    case Xint: return scalar(x.i);
    case Xvar: return variable(v, e, x.sym);
    case Xfloat: case Xload: case Xcall: case Xbits: return nothing(v, e);
    case Xselect: return choose(v, e, &x);
    case Xnot: return negate(v, eval(v, x.arg[0]));
    case Xcast: {
        Vec a = eval(v, x.arg[0]);
        if (dtypeinfo[v->l->p->ex[x.arg[0]].dt].cls == 'F')
            return nothing(v, e);
        return isbool(v, e) && !isbool(v, x.arg[0])
                   ? a.unknown ? maybe : apply(v, Xne, a, scalar(0)) : a;
    }
    default: break;
    }
    if (x.n != 2)
        return nothing(v, e);
    Vec a = eval(v, x.arg[0]), b = eval(v, x.arg[1]);
    if (a.unknown || b.unknown)
        return nothing(v, e);
    return apply(v, (enum Xop)x.op, a, b);
}

Vec eval(Eval *v, Ex e)
{
    if (e >= v->nex || kind_of(v, e) != Kthread)
        return compute(v, e);
    if (!v->memo[e]) {
        Vec a = compute(v, e), *keep = anew(&v->l->p->ctx, sizeof *keep);
        if (a.v) {
            int64_t *own = anew(&v->l->p->ctx, (size_t)v->n * sizeof *own);
            memcpy(own, a.v, (size_t)v->n * sizeof *own);
            a.v = own;
        }
        *keep = a;
        v->memo[e] = keep;
    }
    return *v->memo[e];
}

bool eval_depends(const Eval *v, Ex e, uint32_t var)
{
    const Prog *p = v->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar)
        return x->sym == var || (p->var[x->sym].kind == Vlet && p->var[x->sym].value &&
                                 eval_depends(v, p->var[x->sym].value, var));
    for (int i = 0; i < x->n; i++)
        if (eval_depends(v, x->arg[i], var))
            return true;
    return false;
}

/* Periods --------------------------------------------------------------- */

enum { MaxPeriod = 32 };

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

int64_t eval_lcm(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    int64_t n = a / gcd(a, b) * b;
    return n > MaxPeriod ? 0 : n;
}

static int64_t sum_period(const Eval *v, Ex e, uint32_t var, int64_t m);

/* A term of a sum that goes through `% m`: after how many steps of var it
 * repeats; 0: not known. */
static int64_t term_period(const Eval *v, Ex e, uint32_t var, int64_t coef, int64_t m)
{
    const Prog *p = v->l->p;
    const Expr *x = &p->ex[e];
    int64_t d;
    if (x->op == Xvar && x->sym == var)
        return m / gcd(coef, m);
    if (x->op == Xvar && p->var[x->sym].kind == Vlet && p->var[x->sym].value)
        return sum_period(v, p->var[x->sym].value, var, m);
    if (x->op == Xfdiv && x_isint(p, x->arg[1], &d) && d > 0)
        return sum_period(v, x->arg[0], var, d * m);
    return 0;
}

static int64_t sum_period(const Eval *v, Ex e, uint32_t var, int64_t m)
{
    enum { MaxTerm = 16 };
    Ex atom[MaxTerm];
    int64_t coef[MaxTerm], c, all = 1;
    int n = x_linear(v->l->p, e, atom, coef, MaxTerm, &c);
    for (int i = 0; i < n; i++)
        if (eval_depends(v, atom[i], var))
            all = eval_lcm(all, term_period(v, atom[i], var, coef[i], m));
    return n < 0 ? 0 : all;
}

int64_t eval_period(const Eval *v, Ex e, uint32_t var)
{
    const Prog *p = v->l->p;
    const Expr *x = &p->ex[e];
    int64_t m, all = 1;
    if (!eval_depends(v, e, var) || xopinfo[x->op].kind == 'C' || x->op == Xload)
        return 1;
    if (x->op == Xvar)
        return x->sym == var ? 0 : eval_period(v, p->var[x->sym].value, var);
    if (x->op == Xfmod && x_isint(p, x->arg[1], &m) && m > 0)
        return sum_period(v, x->arg[0], var, m);
    for (int i = 0; i < x->n; i++)
        all = eval_lcm(all, eval_period(v, x->arg[i], var));
    return all;
}

/* Uniformity ------------------------------------------------------------ */

bool uniform_ex(const Uniform *u, Ex e)
{
    const Prog *p = u->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar) {
        const Var *a = &p->var[x->sym];
        if (a->kind == Vlet)
            return a->value && uniform_ex(u, a->value);
        return x->sym != u->tid && !(x->sym < u->nvar && u->var[x->sym]);
    }
    int sc = x->op == Xload ? p->buf[x->sym].scope : SCnone;
    bool memory = sc == SCshared || sc == SCglobal; /* what is read in one place is one value */
    if (x->op == Xload && !memory && (sc == SCfragment || u->mixed[buf_root(p, x->sym)]))
        return false;
    if (x->op == Xcall && intrinfo[x->sym].level == 'T')
        return x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync;
    for (int i = 0; i < x->n; i++)
        if (!uniform_ex(u, x->arg[i]))
            return false;
    return true;
}

/* One more round over all stores: true if a buffer turned out mixed. */
static bool spread(Uniform *u, const Stmt *s, bool uniform)
{
    const Prog *p = u->l->p;
    Stmt *b[2];
    bool more = false;
    for (; s; s = s->next) {
        uint32_t buf = 0;
        bool ok = uniform, in = uniform;
        if (s->kind == Sstore) {
            buf = buf_root(p, s->store.buf);
            ok = ok && uniform_ex(u, s->store.value);
            for (int d = 0; d < p->buf[s->store.buf].ndim; d++)
                ok = ok && uniform_ex(u, s->store.idx[d]);
        } else if (s->kind == Sop) {
            const char *c = opinfo[s->op.op].regions;
            for (int i = 0; c[i]; i++)
                if (c[i] != 'r' && s->op.r[i].buf && !u->mixed[buf_root(p, s->op.r[i].buf)]) {
                    u->mixed[buf_root(p, s->op.r[i].buf)] = true;
                    more = true;
                }
        } else if (s->kind == Sif) {
            in = in && uniform_ex(u, s->cond.cond);
        } else if (s->kind == Swhile) {
            in = in && uniform_ex(u, s->whil.cond);
        } else if (s->kind == Sfor) {
            for (int i = 0; i < s->loop.n; i++) {
                bool same = uniform_ex(u, s->loop.lo[i]);
                more |= !same && !u->var[s->loop.var[i]];
                u->var[s->loop.var[i]] = !same;
                in = in && same && uniform_ex(u, s->loop.hi[i]);
            }
        }
        if (buf && !ok && !u->mixed[buf]) {
            u->mixed[buf] = true;
            more = true;
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            more |= spread(u, b[i], in);
    }
    return more;
}

void uniform_init(Uniform *u, Low *l)
{
    *u = (Uniform){.l = l, .n = l->p->nbuf, .tid = l->launch->launch.thread[0]};
    u->mixed = anew(&l->p->ctx, u->n * sizeof *u->mixed);
    u->nvar = l->p->nvar;
    u->var = anew(&l->p->ctx, u->nvar * sizeof *u->var);
    while (spread(u, l->launch->launch.body, true))
        ;
}
