/* core/emit/expr.c: what the C family's texts say of an expression in their own words: what
 * is known of it, sums of indices in a better order, the dialect's functions, shared parts. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "emit_p.h"

/* What is known ---------------------------------------------------------- */

/* Does it count something whose extent is not known? */
static bool is_open(void *ud, Ex x)
{
    enum { Extent = 1 << 20 };
    const Prog *p = *(const Prog *const *)ud;
    const Expr *k = ex_at(p, x);
    const Var *v = k->op == Xvar ? &p->var[k->sym] : NULL;
    return k->op == Xcall || (v && !ex_let(p, x) && (v->lo < -Extent || v->hi > Extent));
}

/* Whether signed + - * must be spelled so that it wraps.  Without a proof that it does
 * not, only what counts along an extent that the launch must find room for is taken not
 * to; narrow types are C's int until they are told otherwise. */
static bool expr_text_may_wrap(Scalar *s, Ex x)
{
    const Prog *p = s->p;
    int64_t lo, hi;
    if (x_range(p, x, &lo, &hi))
        return false;
    return bits_of(ex_type(p, x)) < 32 || !ex_index_like(p, x) ||
           !ex_any_let(p, x, is_open, &p);
}

static ExGo is_simple(void *ud, Ex x)
{
    const Prog *p = *(const Prog *const *)ud;
    const Expr *k = ex_at(p, x);
    switch ((enum Xop)k->op) {
    case Xint: return k->i >= 0 ? EXinto : EXstop;
    case Xvar: {
        int kind = p->var[k->sym].kind;
        return ex_let(p, x) || kind == Vthread || kind == Vblock || kind == Vloop ? EXinto : EXstop;
    }
    case Xadd: case Xmul: case Xfdiv: case Xfmod: case Xmin: case Xbxor: return EXinto;
    default: return EXstop;
    }
}

/* Can a C compiler see that what is divided is not negative, given that it is not? */
static bool plainly(Scalar *s, const Expr *k)
{
    const Prog *p = s->p;
    int64_t n;
    return x_isint(p, k->arg[1], &n) && ex_walk_let(p, k->arg[0], is_simple, &p);
}

static bool expr_text_varies(void *ud, Ex x)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, x);
    const Var *v = k->op == Xvar ? &e->p->var[k->sym] : NULL;
    if (v)
        return v->kind == Vthread || (v->kind == Vlet && !v->value);
    if (k->op == Xload) /* variables are taken for the block's: counters, flags */
        return in_registers(e, k->sym) && !is_variable(e, k->sym);
    return k->op == Xcall && intrinfo[k->sym].level == 'T';
}

bool ex_varies(Emit *e, Ex x) { return ex_any_let(e->p, x, expr_text_varies, e); }

static bool has_load(void *ud, Ex x)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, x);
    return k->op == Xload && !in_registers(e, k->sym);
}

bool ex_loads(Emit *e, Ex x) { return ex_any(e->p, x, has_load, e); }

/* Sums --------------------------------------------------------------------- */

static int64_t expr_text_size_of(int64_t v) { return v < 0 ? -v : v; }

/* Adds k * what lies in x[0] .. x[1] to sum; false: that, or k's magnitude, may be beyond
 * what dt is computed in. */
static bool sum_reach(enum Dtype dt, int64_t k, const int64_t x[2], int64_t sum[2])
{
    const int64_t by[2] = {k, k};
    int64_t t[2], lo, hi;
    ex_limits(dtypeinfo[dt].bits < 32 ? DTi32 : dt, &lo, &hi); /* narrow types are C's int */
    return -hi <= k && x_range_of(Xmul, x, by, &t[0], &t[1]) &&
           x_range_of(Xadd, sum, t, &sum[0], &sum[1]) && lo <= sum[0] && sum[1] <= hi;
}

/* Does the sum stay within its type on the way, in this order?  What is subtracted comes last. */
static bool sum_stays(const Prog *p, enum Dtype dt, const Ex *t, const int64_t *coef, int n,
                      int64_t rest)
{
    static const int64_t one[2] = {1, 1};
    int64_t sum[2] = {0, 0}, x[2];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            if ((coef[i] < 0) == pass &&
                (!x_range(p, t[i], &x[0], &x[1]) || !sum_reach(dt, coef[i], x, sum)))
                return false;
    return sum_reach(dt, rest, one, sum);
}

/* a * 4 + b - c + 1, without wrapping; false: it is no sum of integers, or a part of it that
 * the user did not write might wrap. */
static bool expr_text_sum(Scalar *s, Ex x, const Expr *k, int prec)
{
    Ctx *c = &s->p->ctx;
    int shown = 0;
    enum Dtype dt = (enum Dtype)k->dt;
    ExSum sum = x_linear(s->p, x);
    int n = sum.n;
    int64_t rest = sum.c, lo, hi;
    if (n < 1 || (n == 1 && sum.atom[0] == x))
        return false;
    for (int i = 0; i < n; i++)
        if (ex_type(s->p, sum.atom[i]) != dt)
            return false;
    Ex *t = anew(c, (size_t)n * sizeof *t);
    int64_t *coef = anew(c, (size_t)n * sizeof *coef);
    memcpy(t, sum.atom, (size_t)n * sizeof *t);
    memcpy(coef, sum.coef, (size_t)n * sizeof *coef);
    for (int i = 1; i < n; i++) /* the larger steps first */
        for (int j = i; j > 0 && expr_text_size_of(coef[j]) > expr_text_size_of(coef[j - 1]); j--) {
            int64_t k1 = coef[j];
            Ex t1 = t[j];
            coef[j] = coef[j - 1];
            t[j] = t[j - 1];
            coef[j - 1] = k1;
            t[j - 1] = t1;
        }
    if (x_range(s->p, x, &lo, &hi) && !sum_stays(s->p, dt, t, coef, n, rest))
        return false;
    bool alone = n == 1 && rest == 0;
    bool parens = prec > (!alone || coef[0] < 0 ? PRadd : PRmul);
    str_puts(s->out, parens ? "(" : "");
    for (int pass = 0; pass < 2; pass++) /* what is subtracted stands behind */
        for (int i = 0; i < n; i++) {
            if ((coef[i] < 0) != pass)
                continue;
            int64_t m = expr_text_size_of(coef[i]);
            const char *sign = coef[i] < 0 ? shown ? " - " : "-" : shown ? " + " : "";
            int at = coef[i] < 0 && !shown ? PRunary : m != 1 ? PRmul : PRterm;
            scalar_form(s, false, m == 1 ? "%s%e" : "%s%e * %s", sign, t[i], at,
                        scalar_int(s, m, dt, PRunary));
            shown++;
        }
    if (rest)
        str_fmt(s->out, " %c %s", rest < 0 ? '-' : '+',
                scalar_int(s, expr_text_size_of(rest), dt, PRunary));
    str_puts(s->out, parens ? ")" : "");
    return true;
}

/* Calls -------------------------------------------------------------------- */

/* (tid / div) % mod, mod 0: whole. */
static const char *thread_part_text(Emit *e, const Expr *k, int64_t lanes, int64_t warps, bool lane)
{
    Ctx *c = &e->p->ctx;
    int64_t v, n[2] = {lanes, warps};
    for (int i = 0; i < k->n && i < 2; i++)
        if (x_isint(e->p, k->arg[i], &v) && v > 0)
            n[i] = v;
    const char *tid = emit_varname(e, e->l->launch->launch.thread[0]);
    return afmt(c, "(%s %c %" PRId64 ")", tid, lane ? '%' : '/', lane ? n[0] : n[0] * n[1]);
}

static void expr_text_call(Scalar *s, const Expr *k, enum Dtype dt)
{
    enum { MostArgs = 4 };
    Emit *e = s->ud;
    const char *arg[MostArgs], *t;
    int warp = e->m->warp;
    for (int i = 0; i < k->n && i < MostArgs; i++)
        arg[i] = ex_text(e, k->arg[i], PRany);
    int mask = intr_mask(k->sym);
    if (e->d->lockstep && mask >= 0 && x_all_lanes(e->p, k->arg[mask]))
        arg[mask] = NULL;
    switch (k->sym) {
    case Ilane_idx: t = thread_part_text(e, k, warp, 1, true); break;
    case Iwarp_idx: t = thread_part_text(e, k, warp, 1, false); break;
    case Iwarp_group_idx: t = thread_part_text(e, k, warp, 4, false); break;
    default: t = e->d->call(e, (enum Intr)k->sym, dt, arg, k->n); break;
    }
    if (!t)
        diag_fail(&e->p->ctx, E_bug, e->here,
                  afmt(&e->p->ctx, "`%s` has no text", intrinfo[k->sym].text), NULL);
    str_puts(s->out, t);
}

/* -------------------------------------------------------------------------- */

void ex_room(Emit *e)
{
    EmitPriv *q = priv(e);
    scalar_room(&q->scalar);
    agrow(&e->p->ctx, &q->raw, &q->capraw, e->p->nex + 1, sizeof *q->raw);
}

static bool expr_text_leaf(Scalar *s, Ex x, const Expr *k, int prec)
{
    Emit *e = s->ud;
    int64_t n;
    const char *t = NULL;
    if (ex_raw(e, x))
        t = from_stored(e, (enum Dtype)k->dt, ex_raw(e, x), true);
    else if (k->op == Xvar)
        t = emit_varname(e, k->sym);
    else if (k->op == Xload)
        t = read_text(e, x, prec);
    else if (k->op == Xfdiv && x_isint(e->p, k->arg[1], &n))
        t = emit_group(e, k->arg[0], n);
    else if (x != s->unrounded && narrow_op(e, x))
        t = from_stored(e, (enum Dtype)k->dt, stored_text(e, x, (enum Dtype)k->dt, PRany), true);
    str_puts(s->out, t ? t : "");
    return t != NULL;
}

/* May lanes differ in x?  Any value of a thread's own, counters too. */
static bool expr_text_own(void *ud, Ex x)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, x);
    return expr_text_varies(ud, x) || (k->op == Xload && in_registers(e, k->sym));
}

/* May a compiler not compute x where nobody asked for it?  It also does not where that is work:
 * *work counts operations. */
typedef struct Unbidden Unbidden;
struct Unbidden { const Emit *e; Ex before; int work; }; /* before: computed already */

static bool expr_text_is(void *ud, Ex x) { return x == *(const Ex *)ud; }

static bool expr_text_unbidden(void *ud, Ex x)
{
    Unbidden *u = ud;
    const Expr *k = ex_at(u->e->p, x);
    bool divides = k->op == Xfdiv || k->op == Xfmod || k->op == Xtdiv || k->op == Xtmod;
    int64_t by;
    bool leaf = k->op == Xvar || k->op == Xint || k->op == Xfloat || k->op == Xload ||
                (k->op >= Xlt && k->op <= Xne) || k->op == Xand || k->op == Xor || k->op == Xnot;
    u->work += !leaf;
    return ((k->op == Xload && !in_registers(u->e, k->sym)) || k->op == Xcall ||
            (divides && !x_isint(u->e->p, k->arg[1], &by))) &&
           !ex_any(u->e->p, u->before, expr_text_is, &x);
}

/* See `joined` in targets/cuda/prelude_math.c: for what becomes a branch of its own, which lanes
 * take apart.  What chooses a value, not a statement, is computed ahead where it is cheap. */
static const char *expr_text_joined(Scalar *s, const Expr *k)
{
    Emit *e = s->ud;
    Unbidden u = {e, k->arg[0], 0};
    int condition = priv(e)->condition;
    if (condition == TextAdmits ||
        (!ex_any_let(e->p, k->arg[0], expr_text_own, e) &&
         !ex_any_let(e->p, k->arg[1], expr_text_own, e)))
        return NULL;
    bool branch = ex_any(e->p, k->arg[1], expr_text_unbidden, &u) ||
                  (condition == TextBranches && u.work > 1);
    return branch && emit_has(e, "joined") ? "joined" : NULL;
}

typedef struct TextRead TextRead;
struct TextRead { const Prog *p; int left; };

/* Is x read from memory, or is there so much that it may be? */
static bool expr_text_read(void *ud, Ex x)
{
    TextRead *r = ud;
    return r->left-- == 0 || ex_at(r->p, x)->op == Xload;
}

static bool has_int8(Emit *e)
{
    EmitPriv *q = priv(e);
    if (!q->int8) {
        q->int8 = 1;
        for (uint32_t b = 1; b < e->p->nbuf; b++)
            if (e->p->buf[b].dt == DTi8)
                q->int8 = 2;
    }
    return q->int8 == 2;
}

/* See `kept` in targets/cuda/prelude_math.c: wherever there are elements of 8 bits, for what they
 * are computed from may be wider, or stand in a variable. */
static const char *expr_text_kept(Scalar *s, const Expr *k)
{
    enum { Most = 64 };
    Emit *e = s->ud;
    TextRead r = {e->p, Most};
    if (bits_of((enum Dtype)k->dt) > 32 || !has_int8(e) || !ex_any_let(e->p, k->arg[0], expr_text_read, &r))
        return NULL;
    return emit_has(e, "kept") ? "+kept" : NULL;
}

static const char *expr_text_fn(Scalar *s, const char *name)
{
    return *name == '+' ? emit_need(s->ud, name + 1) : emit_fn(s->ud, name);
}

const ScalarWords emit_words = {
    .type = {"float", "double", "int", "unsigned", "long long", "unsigned long long"},
    .cast = {"(float)", "(double)", "(int)", "(unsigned)", "(long long)", "(unsigned long long)"},
    .suffix = {"f", "", "", "u", "ll", "ull"},
    .nan = {"+not_a_number", "+not_a_number"}, .nan_args = "()", .inf = {"+inf", "+inf"},
    .min = {"fminf", "fmin", "min", "min", "min", "min"},
    .max = {"fmaxf", "fmax", "max", "max", "max", "max"},
    .abs = {[FLi32] = "+abs_i32", [FLi64] = "+abs_i64"},
    .clz = {"__clz", "__clzll"}, .popcount = {"__popc", "__popcll"},
    .odd = {NULL, "+to_odd_f64", "+to_odd_i32", "+to_odd_u32", "+to_odd_i64", "+to_odd_u64"},
    .to_int = {{NULL, NULL, "__float2int_rz", "__float2uint_rz", "+f32_i64", "+f32_u64"},
               {NULL, NULL, "+f64_i32", "+f64_u32", "+f64_i64", "+f64_u64"}},
    .fn = expr_text_fn, .leaf = expr_text_leaf, .may_wrap = expr_text_may_wrap,
    .sum = expr_text_sum, .plainly = plainly, .joined = expr_text_joined, .kept = expr_text_kept, .round = emit_rounding,
    .call = expr_text_call,
    .stored_bits = emit_stored_bits, .float_bits = emit_float_bits, .bits_float = emit_bits_float,
};

const char *ex_text(Emit *e, Ex x, int prec)
{
    Scalar *s = &priv(e)->scalar;
    size_t at = s->out->n;
    scalar_put(s, x, prec);
    return scalar_take(s, at);
}

const char *emit_ex(Emit *e, Ex x) { return ex_text(e, x, PRpost); }
const char *emit_top(Emit *e, Ex x) { return ex_text(e, x, PRany); }

/* Shared parts ------------------------------------------------------------- */

enum { BigTree = 48, DearPart = 10 };

/* Whether evaluating x where the user would not is harmless, and worth a name. */
static bool expr_text_worth_naming(const Emit *e, const ExUses *s, Ex x)
{
    const Expr *k = ex_at(e->p, x);
    return s->n[x] > 1 && k->size >= DearPart && x_pure(e->p, x) &&
           !(k->op == Xload || is_narrow((enum Dtype)k->dt));
}

void ex_begin(Emit *e, const Ex *x, int n)
{
    EmitPriv *q = priv(e);
    ExUses s = {0};
    uint32_t size = 0;
    for (int i = 0; i < n; i++)
        size += x[i] ? ex_at(e->p, x[i])->size : 0;
    if (size < BigTree)
        return;
    ex_room(e);
    ex_shared(e->p, &s, x, n, NULL, NULL);
    for (uint32_t i = 0; i < s.nseen; i++) {
        if (!expr_text_worth_naming(e, &s, s.seen[i]))
            continue;
        agrow(&e->p->ctx, &q->part, &q->cappart, q->npart + 1, sizeof *q->part);
        const char *name = emit_fresh(e, "part");
        q->scalar.temp[s.seen[i]] = (ScalarName){name, false};
        q->part[q->npart++] = (struct EmitPart){s.seen[i], name, NULL};
    }
}

void ex_end(Emit *e)
{
    EmitPriv *q = priv(e);
    for (uint32_t i = q->npart; i-- > 0;) { /* a part may use those before it */
        struct EmitPart *part = &q->part[i];
        bool used = q->scalar.temp[part->x].used;
        q->scalar.temp[part->x] = (ScalarName){NULL, false};
        part->text = used ? ex_text(e, part->x, PRany) : NULL;
    }
    for (uint32_t i = 0; i < q->npart; i++)
        if (q->part[i].text)
            emit_line(e, "const %s %s = %s;", flight_type(ex_type(e->p, q->part[i].x)),
                      q->part[i].name, q->part[i].text);
    q->npart = 0;
}
