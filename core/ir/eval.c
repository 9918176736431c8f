/* core/ir/eval.c: integer and bool expressions, for all lanes at once. */
#include <string.h>

#include "eval.h"
#include "expr.h"
#include "walk.h"

enum { EKunseen, EKlane, EKother }; /* made of the lane and constants alone; of more */

struct EvalMemo {
    Lanes val;
    uint32_t epoch;        /* that val is of; of EKlane: 1 once it is known */
    uint32_t resets;       /* ... and Eval.resets then: vectors live until the next */
    uint8_t kind;
};

/* Bindings -------------------------------------------------------------- */

void eval_init(Eval *v, Prog *p, uint32_t lane, int n)
{
    *v = (Eval){.p = p, .lane = lane, .n = n, .epoch = 1, .known = 1};
    agrow(&p->ctx, &v->var, &v->nvar, p->nvar, sizeof *v->var);
    agrow(&p->ctx, &v->memo, &v->nmemo, p->nex, sizeof *v->memo);
}

void eval_changed(Eval *v) { v->epoch++; }

/* One number, or that it is not known, stays so, but for those who see what is asked. */
void eval_reset(Eval *v)
{
    v->used = 0;
    v->resets++;
    v->epoch += v->ask || v->guess;
}

static void bind_variable(Eval *v, uint32_t var, Bound b)
{
    agrow(&v->p->ctx, &v->var, &v->nvar, var + 1, sizeof *v->var);
    for (uint32_t i = 0; i < v->nresidue; i++)
        if (v->residue[i] == var)
            v->residue[i--] = v->residue[--v->nresidue];
    v->known += v->p->var[var].kind != Vloop && (v->var[var].how == EBfree) != (b.how == EBfree);
    v->var[var] = b;
    v->epoch++;
}

void eval_bind(Eval *v, uint32_t var, int64_t val)
{
    bind_variable(v, var, (Bound){EBvalue, val, 0});
}

void eval_free(Eval *v, uint32_t var) { bind_variable(v, var, (Bound){EBfree, 0, 0}); }

void eval_residue(Eval *v, uint32_t var, int64_t val, int64_t m)
{
    bind_variable(v, var, (Bound){EBresidue, ex_floormod(val, m), m});
    agrow(&v->p->ctx, &v->residue, &v->capresidue, v->nresidue + 1, sizeof *v->residue);
    v->residue[v->nresidue++] = var;
}

void eval_free_all(Eval *v)
{
    memset(v->var, 0, v->nvar * sizeof *v->var);
    v->nresidue = 0;
    v->epoch++;
    v->known++;
}

void eval_assume(Eval *v, Ex e, int64_t x)
{
    agrow(&v->p->ctx, &v->given, &v->capgiven, v->ngiven + 1, sizeof *v->given);
    agrow(&v->p->ctx, &v->as, &v->capas, v->ngiven + 1, sizeof *v->as);
    v->given[v->ngiven] = e;
    v->as[v->ngiven++] = x;
    v->givenops |= (uint64_t)1 << v->p->ex[ex_named(v->p, e)].op;
    v->givens++;
    v->epoch++;
    v->known++;
}

void eval_assume_none(Eval *v)
{
    v->known += v->ngiven > 0;
    v->givens++;
    v->ngiven = 0;
    v->givenops = 0;
    v->epoch++;
}

typedef struct Is Is;
struct Is { const Prog *p; uint32_t var; };

static bool eval_is_var(void *ud, Ex e)
{
    const Is *k = ud;
    return k->p->ex[e].op == Xvar && k->p->ex[e].sym == k->var;
}

bool eval_depends(const Prog *p, Ex e, uint32_t var)
{
    return ex_any_let(p, e, eval_is_var, &(Is){p, var});
}

bool eval_counts(const Prog *p, Ex e, uint32_t var)
{
    ExSum s = x_linear(p, e);
    bool once = false;
    for (int i = 0; i < s.n; i++) {
        const Expr *x = &p->ex[s.atom[i]];
        bool is = x->op == Xvar && x->sym == var && s.coef[i] == 1;
        if (!is && eval_depends(p, s.atom[i], var))
            return false;
        once |= is;
    }
    return once;
}

/* Vectors --------------------------------------------------------------- */

static const Lanes unknown = {true, 0, NULL}, maybe = {false, EVmaybe, NULL};

static Lanes eval_scalar(int64_t n) { return (Lanes){false, n, NULL}; }
static Lanes known_lanes(const int64_t *v) { return (Lanes){false, 0, v}; }
static int64_t eval_at(const Lanes *a, int i) { return a->v ? a->v[i] : a->one; }
static bool eval_isbool(const Eval *v, Ex e) { return v->p->ex[e].dt == DTbool; }
static Lanes nothing(const Eval *v, Ex e) { return eval_isbool(v, e) ? maybe : unknown; }

/* Room for one value a lane, until eval_reset(). */
static int64_t *eval_fresh(Eval *v)
{
    if (v->used == v->npool) {
        agrow(&v->p->ctx, &v->pool, &v->cappool, v->npool + 1, sizeof *v->pool);
        v->pool[v->npool++] = anew(&v->p->ctx, (size_t)v->n * sizeof **v->pool);
    }
    return v->pool[v->used++];
}

/* Is a bool, or one lane of it, not known? */
static bool unsure(const Eval *v, Lanes a)
{
    for (int i = 0; a.v && i < v->n; i++)
        if (a.v[i] == EVmaybe)
            return true;
    return a.unknown || (!a.v && a.one == EVmaybe);
}

/* Operators ------------------------------------------------------------- */

/* Sums and products of int32, most of all indices, and digits by powers of two. */
static bool often(const Eval *v, enum Xop op, enum Dtype dt, Lanes a, Lanes b, int64_t *r)
{
    int n = v->n;
    if (dt == DTi32 && (op == Xadd || op == Xsub || op == Xmul)) {
        for (int i = 0; i < n; i++) {
            uint32_t x = (uint32_t)eval_at(&a, i), y = (uint32_t)eval_at(&b, i);
            r[i] = (int32_t)(op == Xadd ? x + y : op == Xsub ? x - y : x * y);
        }
        return true;
    }
    if (dt != DTi32 || b.v || b.one <= 0 || (b.one & (b.one - 1)) || (op != Xfdiv && op != Xfmod))
        return false;
    int s = __builtin_ctzll((unsigned long long)b.one);
    for (int i = 0; i < n; i++)
        r[i] = op == Xfdiv ? eval_at(&a, i) >> s : eval_at(&a, i) & (b.one - 1);
    return true;
}

/* The same of one number; and comparisons.  false: not of these. */
static bool often_one(enum Xop op, enum Dtype dt, int64_t a, int64_t b, int64_t *r)
{
    if (dt != DTi32)
        return false;
    switch (op) {
    case Xadd: *r = (int32_t)((uint32_t)a + (uint32_t)b); return true;
    case Xsub: *r = (int32_t)((uint32_t)a - (uint32_t)b); return true;
    case Xmul: *r = (int32_t)((uint32_t)a * (uint32_t)b); return true;
    case Xfdiv: *r = b > 0 ? ex_floordiv(a, b) : 0; return b > 0;
    case Xfmod: *r = b > 0 ? ex_floormod(a, b) : 0; return b > 0;
    case Xlt: *r = a < b; return true;
    case Xeq: *r = a == b; return true;
    default: return false;
    }
}

/* a op b of operands of type dt, which are known. */
static Lanes apply(Eval *v, Ex e, enum Xop op, enum Dtype dt, Lanes a, Lanes b)
{
    int64_t k;
    if (!a.v && !b.v && often_one(op, dt, a.one, b.one, &k))
        return eval_scalar(k);
    if (!a.v && !b.v)
        return x_operate(op, dt, a.one, b.one, &k) ? eval_scalar(k) : nothing(v, e);
    int64_t *r = eval_fresh(v);
    if (often(v, op, dt, a, b, r))
        return known_lanes(r);
    for (int i = 0; i < v->n; i++)
        if (!x_operate(op, dt, eval_at(&a, i), eval_at(&b, i), &r[i]))
            return nothing(v, e);
    return known_lanes(r);
}

static Lanes eval_arithmetic(Eval *v, Ex e, const Expr *x)
{
    enum Dtype dt = (enum Dtype)v->p->ex[x->arg[0]].dt;
    if (dtype_isfloat(dt))
        return nothing(v, e);
    Lanes a = eval(v, x->arg[0]);
    if (a.unknown)
        return nothing(v, e);
    Lanes b = eval(v, x->arg[1]);
    if (b.unknown || (dt == DTbool && (unsure(v, a) || unsure(v, b))))
        return nothing(v, e);
    return apply(v, e, (enum Xop)x->op, dt, a, b);
}

static int64_t eval_both(enum Xop op, int64_t a, int64_t b)
{
    int64_t stop = op == Xor; /* what decides by itself */
    return a == stop || b == stop ? stop : a == EVmaybe || b == EVmaybe ? EVmaybe : !stop;
}

static Lanes eval_logic(Eval *v, const Expr *x)
{
    enum Xop op = (enum Xop)x->op;
    Lanes a = eval(v, x->arg[0]);
    if (!a.v && a.one == (op == Xor))
        return a;
    Lanes b = eval(v, x->arg[1]);
    if (!a.v && !b.v)
        return eval_scalar(eval_both(op, a.one, b.one));
    int64_t *r = eval_fresh(v);
    for (int i = 0; i < v->n; i++)
        r[i] = eval_both(op, eval_at(&a, i), eval_at(&b, i));
    return known_lanes(r);
}

static Lanes negate(Eval *v, Lanes a)
{
    if (!a.v)
        return eval_scalar(a.one == EVmaybe ? EVmaybe : !a.one);
    int64_t *r = eval_fresh(v);
    for (int i = 0; i < v->n; i++)
        r[i] = a.v[i] == EVmaybe ? EVmaybe : !a.v[i];
    return known_lanes(r);
}

/* Where it is not known which side is taken, they must agree. */
static Lanes eval_select(Eval *v, Ex e, const Expr *x)
{
    Lanes c = eval(v, x->arg[0]);
    if (!c.v && c.one != EVmaybe)
        return eval(v, x->arg[c.one ? 1 : 2]);
    Lanes a = eval(v, x->arg[1]), b = eval(v, x->arg[2]);
    if (!c.v && !a.v && !b.v)
        return !a.unknown && !b.unknown && a.one == b.one ? a : nothing(v, e);
    int64_t *r = eval_fresh(v);
    for (int i = 0; i < v->n; i++) {
        int64_t k = eval_at(&c, i);
        if ((k && a.unknown) || (k != 1 && b.unknown))
            return nothing(v, e);
        r[i] = k ? eval_at(&a, i) : eval_at(&b, i);
        if (k != EVmaybe || eval_at(&a, i) == eval_at(&b, i))
            continue;
        if (!eval_isbool(v, e))
            return unknown;
        r[i] = EVmaybe;
    }
    return known_lanes(r);
}

static Lanes eval_cast(Eval *v, Ex e, const Expr *x)
{
    enum Dtype from = (enum Dtype)v->p->ex[x->arg[0]].dt, to = (enum Dtype)x->dt;
    if (dtype_isfloat(from) || dtype_isfloat(to))
        return nothing(v, e);
    Lanes a = eval(v, x->arg[0]);
    if (a.unknown || (from == DTbool && unsure(v, a)))
        return nothing(v, e);
    if (!a.v)
        return eval_scalar(ex_wrap(to, a.one));
    int64_t *r = eval_fresh(v);
    for (int i = 0; i < v->n; i++)
        r[i] = ex_wrap(to, a.v[i]);
    return known_lanes(r);
}

static Lanes eval_variable(Eval *v, Ex e, uint32_t var)
{
    const Var *a = &v->p->var[var];
    if (v->lane && var == v->lane) {
        int64_t *r = eval_fresh(v);
        for (int i = 0; i < v->n; i++)
            r[i] = i;
        return known_lanes(r);
    }
    int how = eval_bound(v, var);
    if (how == EBvalue || (how == EBresidue && v->inside))
        return eval_scalar(v->var[var].val);
    if (a->kind == Vlet && a->value && how == EBfree)
        return eval(v, a->value);
    return nothing(v, e);
}

static Lanes eval_asked(Eval *v, Ex e)
{
    int64_t k;
    return v->ask && v->ask(v->ud, e, &k) ? eval_scalar(k) : nothing(v, e);
}

static Lanes bits_not(Eval *v, Ex e, const Expr *x)
{
    Lanes a = eval(v, x->arg[0]);
    if (a.unknown)
        return nothing(v, e);
    enum Dtype dt = (enum Dtype)x->dt;
    return apply(v, e, Xbxor, dt, a, eval_scalar(-1)); /* wrapped */
}

int eval_given(Eval *v, Ex e)
{
    uint8_t op = v->p->ex[ex_named(v->p, e)].op;
    if (v->ngiven == 0 || !(v->givenops >> op & 1))
        return -1;
    for (uint32_t i = 0; i < v->ngiven; i++) /* a name alone is its own loop's */
        if (v->given[i] == e || (op != Xvar && eval_key(v, v->given[i]) == eval_key(v, e)) ||
            (op == Xvar && ex_named(v->p, v->given[i]) == ex_named(v->p, e)))
            return (int)i;
    return -1;
}

typedef struct Holds Holds;
struct Holds { Eval *v; int given; }; /* its number, or -1: any */

static bool is_given(void *ud, Ex e)
{
    const Holds *h = ud;
    int i = eval_given(h->v, e);
    return i >= 0 && (h->given < 0 || i == h->given);
}

bool eval_assumes(Eval *v, Ex e, int i)
{
    Holds h = {v, i};
    return v->ngiven > 0 && ex_any_let(v->p, e, is_given, &h);
}

static Lanes eval_known(Eval *v, Ex e)
{
    Expr x = v->p->ex[e];
    int given = eval_given(v, e);
    if (given >= 0)
        return eval_scalar(v->as[given]);
    switch ((enum Xop)x.op) {
    case Xint: return eval_scalar(x.i);
    case Xvar: return eval_variable(v, e, x.sym);
    case Xload: case Xcall: return eval_asked(v, e);
    case Xselect: return eval_select(v, e, &x);
    case Xand: case Xor: return eval_logic(v, &x);
    case Xnot: return negate(v, eval(v, x.arg[0]));
    case Xbnot: return bits_not(v, e, &x);
    case Xcast: return eval_cast(v, e, &x);
    case Xnone: case Xfloat: case Xbits: case NXop: return nothing(v, e);
    default: return eval_arithmetic(v, e, &x);
    }
}

static Lanes eval_compute(Eval *v, Ex e)
{
    Lanes a = eval_known(v, e);
    int64_t k;
    if (v->guess && (a.unknown || (eval_isbool(v, e) && unsure(v, a))) && v->guess(v->ud, e, &k))
        return eval_scalar(k);
    return a;
}

/* Memo ------------------------------------------------------------------ */

/* What e is made of, lets followed. */
static int eval_kind_of(Eval *v, Ex e);

static inline int eval_made_of(Eval *v, Ex e)
{
    return e < v->nmemo && v->memo[e].kind ? v->memo[e].kind : eval_kind_of(v, e);
}

static int eval_kind_of(Eval *v, Ex e)
{
    const Prog *p = v->p;
    const Expr *x = &p->ex[e];
    agrow(&v->p->ctx, &v->memo, &v->nmemo, e + 1, sizeof *v->memo);
    if (v->memo[e].kind)
        return v->memo[e].kind;
    int k = EKlane;
    if (x->op == Xvar) {
        const Var *a = &p->var[x->sym];
        bool lane = v->lane && x->sym == v->lane;
        k = lane ? EKlane : a->kind == Vlet && a->value ? eval_kind_of(v, a->value) : EKother;
    } else if (x->op == Xload || x->op == Xcall) {
        k = EKother;
    }
    for (int i = 0; i < x->n; i++)
        if (eval_kind_of(v, p->ex[e].arg[i]) == EKother)
            k = EKother;
    v->memo[e].kind = (uint8_t)k;
    return k;
}

static bool memo_holds(const Eval *v, const EvalMemo *m)
{
    return m->epoch == v->epoch && (!m->val.v || m->resets == v->resets);
}

static void memo_keep(const Eval *v, EvalMemo *m, Lanes a)
{
    m->val = a;
    m->epoch = v->epoch;
    m->resets = v->resets;
}

/* Of the lane alone: for good. */
static Lanes lasting(Eval *v, Ex e)
{
    if (!v->memo[e].epoch) {
        Lanes a = eval_compute(v, e);
        if (a.v) {
            int64_t *own = anew(&v->p->ctx, (size_t)v->n * sizeof *own);
            memcpy(own, a.v, (size_t)v->n * sizeof *own);
            a.v = own;
        }
        v->memo[e].val = a;
        v->memo[e].epoch = 1;
    }
    return v->memo[e].val;
}

/* Do the residues that e depends on decide its value? */
static bool value_repeats(Eval *v, Ex e)
{
    bool uses = false;
    for (uint32_t i = 0; i < v->nresidue; i++) {
        uint32_t var = v->residue[i];
        int64_t q = eval_period(v, e, var);
        if (q == 0 || v->var[var].mod % q)
            return false;
        uses |= q != 1;
    }
    return uses;
}

/* A constant, or a variable that is bound: what most operands are. */
static bool eval_at_hand(const Eval *v, Ex e, int64_t *k)
{
    const Expr *x = &v->p->ex[e];
    if (x->op == Xint) {
        *k = x->i;
        return true;
    }
    if (x->op != Xvar || (v->givenops >> Xvar & 1) || eval_bound(v, x->sym) != EBvalue)
        return false;
    *k = v->var[x->sym].val;
    return !v->lane || x->sym != v->lane;
}

/* While residues stand for values, or something is assumed of lanes: lets may name what
 * is in them many times over. */
static Lanes eval_passing(Eval *v, Ex e)
{
    agrow(&v->p->ctx, &v->pass, &v->npass, e + 1, sizeof *v->pass);
    if (memo_holds(v, &v->pass[e]))
        return v->pass[e].val;
    Lanes a = eval_compute(v, e);
    memo_keep(v, &v->pass[e], a); /* eval_compute() may have moved the table */
    return a;
}

Lanes eval(Eval *v, Ex e)
{
    int64_t k;
    if (eval_at_hand(v, e, &k))
        return eval_scalar(k);
    int kind = eval_made_of(v, e);
    if (kind == EKlane && v->ngiven == 0)
        return lasting(v, e);
    if (v->inside || kind == EKlane)
        return eval_passing(v, e);
    if (memo_holds(v, &v->memo[e]))
        return v->memo[e].val;
    v->inside = value_repeats(v, e);
    Lanes a = v->inside ? eval_passing(v, e) : eval_compute(v, e);
    v->inside = 0;
    memo_keep(v, &v->memo[e], a);
    return a;
}

bool eval_one(Eval *v, Ex e, int64_t *out)
{
    Lanes a = eval(v, e);
    if (a.unknown || a.v || (eval_isbool(v, e) && a.one == EVmaybe))
        return false;
    *out = a.one;
    return true;
}
