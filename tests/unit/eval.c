/* The evaluator against a plain one: random expressions over lanes and loop
 * variables, lane by lane with numbers that cannot overflow; what eval_period() says
 * against many values of the variable; what is known of a residue against all
 * values that have it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/eval.h"
#include "../../targets/targets.h"

enum { Lanes_ = 16, Rounds = 4000 };
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UWide;

static uint64_t state = 88172645463325252u;

static uint32_t rnd(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static int failures;
static Prog *p;
static uint32_t tid, vk, vj, vn;

static void fail(const char *what, Ex e)
{
    Str s = {0};
    ex_print(p, e, &s);
    if (failures++ < 10)
        printf("%s: %s\n", what, s.s);
    str_free(&s);
}

/* A plain evaluator ------------------------------------------------------- */

typedef struct Env Env;
struct Env { int64_t tid, k, j; };
static bool met; /* something that is not known */

static Wide wrapped(enum Dtype dt, Wide v)
{
    int bits = dtypeinfo[dt].bits;
    Wide m = (Wide)1 << bits;
    if (dt == DTbool)
        return v != 0;
    v = (v % m + m) % m;
    return dtypeinfo[dt].cls == 'I' && v >= m / 2 ? v - m : v;
}

static Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* false: not known. */
static bool plain(Ex e, const Env *env, Wide *v);

static bool plain_logic(const Expr *x, const Env *env, Wide *v)
{
    Wide a, b, stop = x->op == Xor;
    bool ka = plain(x->arg[0], env, &a);
    if (ka && a == stop) {
        *v = a;
        return true;
    }
    bool kb = plain(x->arg[1], env, &b);
    *v = kb ? b : 0;
    return kb && (ka || b == stop);
}

static bool plain_binary(const Expr *x, Wide a, Wide b, Wide *v)
{
    int bits = dtypeinfo[p->ex[x->arg[0]].dt].bits;
    bool divides = x->op == Xfdiv || x->op == Xfmod || x->op == Xtdiv || x->op == Xtmod;
    bool shifts = x->op == Xshl || x->op == Xshr;
    if ((divides && b == 0) || (shifts && (b < 0 || b >= bits)))
        return false;
    switch (x->op) {
    case Xadd: *v = a + b; break;
    case Xsub: *v = a - b; break;
    case Xmul: *v = (Wide)((UWide)a * (UWide)b); break; /* modulo 2^128 */
    case Xfdiv: *v = floor_div(a, b); break;
    case Xfmod: *v = a - floor_div(a, b) * b; break;
    case Xtdiv: *v = a / b; break;
    case Xtmod: *v = a % b; break;
    case Xmin: *v = a < b ? a : b; break;
    case Xmax: *v = a > b ? a : b; break;
    case Xlt: *v = a < b; break;
    case Xle: *v = a <= b; break;
    case Xeq: *v = a == b; break;
    case Xne: *v = a != b; break;
    case Xband: *v = a & b; break;
    case Xbor: *v = a | b; break;
    case Xbxor: *v = a ^ b; break;
    case Xshl: *v = a * ((Wide)1 << b); break;
    case Xshr: *v = floor_div(a, (Wide)1 << b); break;
    default: return false;
    }
    *v = wrapped((enum Dtype)x->dt, *v);
    return true;
}

static bool plain(Ex e, const Env *env, Wide *v)
{
    const Expr *x = &p->ex[e];
    Wide a, b;
    switch (x->op) {
    case Xint: *v = wrapped((enum Dtype)x->dt, x->i); return true;
    case Xvar:
        *v = x->sym == tid ? env->tid : x->sym == vk ? env->k : env->j;
        met |= x->sym == vn;
        return x->sym != vn;
    case Xand: case Xor: return plain_logic(x, env, v);
    case Xnot:
        if (!plain(x->arg[0], env, &a))
            return false;
        *v = !a;
        return true;
    case Xbnot: case Xcast:
        if (!plain(x->arg[0], env, &a))
            return false;
        *v = wrapped((enum Dtype)x->dt, x->op == Xcast ? a : -a - 1);
        return true;
    case Xselect:
        if (plain(x->arg[0], env, &a))
            return plain(x->arg[a ? 1 : 2], env, v);
        return plain(x->arg[1], env, v) && plain(x->arg[2], env, &b) && *v == b;
    default:
        return plain(x->arg[0], env, &a) && plain(x->arg[1], env, &b) && plain_binary(x, a, b, v);
    }
}

/* Expressions ------------------------------------------------------------- */

static Ex grow(int depth);

static Ex condition(int depth)
{
    static const enum Xop op[] = {Xlt, Xle, Xeq, Xne};
    if (depth > 0 && rnd(4) == 0)
        return x_bin(p, rnd(2) ? Xand : Xor, condition(depth - 1), condition(depth - 1));
    return x_bin(p, op[rnd(4)], grow(depth - 1), grow(depth - 1));
}

static Ex grow(int depth)
{
    static const enum Dtype to[] = {DTi8, DTu8, DTi16, DTu16, DTi32, DTu32, DTi64, DTu64};
    static const enum Xop op[] = {Xadd, Xadd, Xsub, Xmul, Xmin, Xmax, Xband, Xbor, Xbxor};
    static const enum Xop by[] = {Xfdiv, Xfmod, Xfmod, Xtdiv, Xtmod};
    if (depth <= 0 || rnd(6) == 0) {
        const uint32_t var[] = {tid, vk, vk, vk, vj, rnd(8) ? vk : vn};
        return rnd(3) ? x_var(p, var[rnd(6)]) : x_int(p, DTi32, (int64_t)rnd(60) - 15);
    }
    Ex a = grow(depth - 1);
    switch (rnd(9)) {
    case 0: case 1: case 2: return x_bin(p, op[rnd(9)], a, grow(depth - 1));
    case 3: case 4: return x_bin(p, by[rnd(5)], a, x_int(p, DTi32, (int64_t)rnd(12) + 1));
    case 5: return x_bin(p, by[rnd(5)], a, x_int(p, DTi32, -(int64_t)rnd(3) - 1));
    case 6: return x_cast(p, to[rnd(8)], a);
    case 7: return x_bin(p, rnd(2) ? Xshl : Xshr, x_cast(p, to[rnd(8)], a), x_int(p, DTi32, rnd(8)));
    default: return x_select(p, condition(depth - 1), a, grow(depth - 1));
    }
}

/* What must hold ---------------------------------------------------------- */

static void values(Eval *v, Ex e, int64_t k, int64_t j)
{
    eval_bind(v, vk, k);
    eval_bind(v, vj, j);
    Lanes a = eval(v, e);
    bool all = true;
    met = false;
    for (int i = 0; i < Lanes_; i++) {
        Wide w;
        bool known = plain(e, &(Env){i, k, j}, &w);
        int64_t got = a.v ? a.v[i] : a.one;
        all = all && known;
        if (!a.unknown && (!known || (int64_t)w != got))
            fail("another value", e);
    }
    if (all && a.unknown && !met)
        fail("unknown", e);
    eval_reset(v);
}

static bool alike(Lanes a, const int64_t *was, bool unknown)
{
    for (int i = 0; i < Lanes_; i++)
        if (!a.unknown && !unknown && (a.v ? a.v[i] : a.one) != was[i])
            return false;
    return a.unknown == unknown;
}

static void periods(Eval *v, Ex e, int64_t k, int64_t j)
{
    int64_t q = eval_period(v, e, vk), was[Lanes_];
    eval_bind(v, vj, j);
    eval_bind(v, vk, k);
    Lanes a = eval(v, e);
    bool unknown = a.unknown;
    for (int i = 0; i < Lanes_; i++)
        was[i] = a.v ? a.v[i] : a.one;
    for (int64_t t = 1; q > 0 && t < 6; t++) {
        eval_bind(v, vk, k + t * q);
        if (!alike(eval(v, e), was, unknown))
            fail("a wrong period", e);
    }
    eval_reset(v);
}

static void residues(Eval *v, Ex e, int64_t k, int64_t j, int64_t m)
{
    int64_t was[Lanes_];
    eval_bind(v, vj, j);
    eval_residue(v, vk, k, m);
    Lanes a = eval(v, e);
    bool unknown = a.unknown;
    for (int i = 0; i < Lanes_; i++)
        was[i] = a.v ? a.v[i] : a.one;
    for (int64_t t = 0; !unknown && t < 6; t++) {
        eval_bind(v, vk, k + t * m);
        Lanes b = eval(v, e);
        if (!alike(b, was, false))
            fail("not so for all of a residue", e);
    }
    eval_reset(v);
}

/* A part of e that is not known, or n itself. */
static Ex open_part(Eval *v, Ex e)
{
    Ex at = e;
    for (int i = 0; i < 4 && p->ex[at].n > 0 && p->ex[at].op != Xload; i++) {
        Ex k = p->ex[at].arg[rnd(p->ex[at].n)];
        if (p->ex[k].dt != DTbool && eval(v, k).unknown)
            return k;
        at = k;
    }
    return x_var(p, vn);
}

/* The same where something that was not known is assumed, or bound. */
static void given(Eval *v, Ex e, int64_t k, int64_t j)
{
    int64_t as = (int64_t)rnd(40) - 10;
    eval_bind(v, vj, j);
    eval_bind(v, vk, k);
    Ex part = open_part(v, e);
    if (rnd(3))
        eval_assume(v, part, as);
    else
        eval_bind(v, vn, as);
    if (rnd(4) == 0)
        eval_assume(v, x_var(p, vn), as + 1);
    periods(v, e, k, j);
    residues(v, e, k, j, (int64_t)rnd(16) + 1);
    eval_assume_none(v);
    eval_free(v, vn);
}

static void check(Ctx *c, void *ud)
{
    Eval v;
    (void)c;
    (void)ud;
    tid = p_var(p, Vthread, DTi32, "tid", 0, Lanes_ - 1);
    vk = p_var(p, Vloop, DTi32, "k", 0, 4000);
    vj = p_var(p, Vloop, DTi32, "j", -100, 100);
    vn = p_var(p, Vscalar, DTi32, "n", INT64_MIN, INT64_MAX);
    eval_init(&v, p, tid, Lanes_);
    for (int i = 0; i < Rounds; i++) {
        int64_t k = rnd(200), j = (int64_t)rnd(200) - 100;
        Ex e = grow(4);
        values(&v, e, k, j);
        periods(&v, e, k, j);
        residues(&v, e, k, j, (int64_t)rnd(16) + 1);
        for (int t = 0; t < 4; t++) {
            if (t)
                e = x_bin(p, t & 1 ? Xfmod : Xtmod, x_bin(p, Xadd, e, x_var(p, rnd(2) ? vn : vk)),
                          x_int(p, DTi32, (int64_t)rnd(6) + 1));
            given(&v, e, k, j);
        }
    }
}

int main(void)
{
    targets_init();
    p = prog_new(NULL, "eval");
    if (!p)
        return 1;
    bool ok = ctx_try(&p->ctx, check, NULL);
    prog_free(p);
    printf("%d failures\n", failures);
    return !ok || failures != 0;
}
