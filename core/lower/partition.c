/* core/lower/partition.c: conditions that a whole parallel loop satisfies.
 *
 *     for i, j in parallel: S[i, j] = select(k * 64 + j <= b * 64 + i, x, y)
 *
 * asks for each element what nearly always has one answer for all of them: the
 * left side is at most  k * 64 + 63, the right side at least  b * 64.  So
 *
 *     if k * 64 + 63 <= b * 64 then for i, j: S[i, j] = x
 *                              else the parallel loop as it is
 *
 * with one test by the block instead of one an element; masks of causal
 * attention and of last tiles cost nothing where nothing is masked.  A condition that picks out
 * what is masked, as  j >= length, is looked at the other way round.  Parallel loops on
 * fragments only: those on memory have their interior from lower/parallel/guard.c. */
#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "core/lower/build/low.h"

enum { Small = 1 << 28 };

typedef struct Partition Partition;
struct Partition {
    Low *l;
    const Stmt *parloop;
    struct { Ex e; bool truth; } *cond; /* of selects in the parallel loop, what `all` says of them */
    uint32_t capcond;
    int n;
    Ex all;             /* the conjunction, known by the block; 0: none yet */
};

static bool is_own_var(const Partition *k, uint32_t var)
{
    for (int i = 0; i < k->parloop->loop.n; i++)
        if (k->parloop->loop.var[i] == var)
            return true;
    return false;
}

/* Different in the iterations of the parallel loop, or in threads. */
static bool partition_varies(const Partition *k, Ex e)
{
    for (int i = 0; i < k->parloop->loop.n; i++)
        if (x_uses(k->l->p, e, k->parloop->loop.var[i]))
            return true;
    return !x_pure(k->l->p, e) || !low_uniform(k->l, e);
}

/* The values of a parallel loop's variable; of other terms what is known of them. */
static bool partition_range(const Partition *k, Ex e, int64_t *lo, int64_t *hi)
{
    const Prog *p = k->l->p;
    const Expr *x = ex_at(p, e);
    if (x->op != Xvar || !is_own_var(k, x->sym))
        return x_range(p, e, lo, hi) && *lo > INT32_MIN && *hi < INT32_MAX;
    for (int i = 0; i < k->parloop->loop.n; i++)
        if (k->parloop->loop.var[i] == x->sym && x_isint(p, k->parloop->loop.lo[i], lo) &&
            x_isint(p, k->parloop->loop.hi[i], hi)) {
            *hi -= 1;
            return *lo <= *hi;
        }
    return false;
}

/* The smaller one is tested first: what orders the sides of min and max, their handles, is chance. */
static Ex partition_both(Prog *p, Ex a, Ex b)
{
    if (!a || !b)
        return 0;
    return p->ex[b].size < p->ex[a].size ? x_bin(p, Xand, b, a) : x_bin(p, Xand, a, b);
}

/* c * x for the x of lo .. hi that makes it greatest, added to *sum; false: it has left dt. */
static bool partition_greatest(enum Dtype dt, int64_t c, int64_t lo, int64_t hi, int64_t *sum)
{
    int64_t most, from, to;
    ex_limits(dt, &from, &to);
    return !__builtin_mul_overflow(c, c < 0 ? lo : hi, &most) &&
           !__builtin_add_overflow(*sum, most, sum) && *sum >= from && *sum <= to;
}

static Ex partition_sum_of(Prog *p, enum Dtype dt, const Ex *t, const int64_t *c, int n,
                           int64_t rest)
{
    Ex u = x_int(p, dt, 0);
    for (int i = 0; i < n; i++)
        u = x_bin(p, Xadd, u, x_bin(p, Xmul, x_cast(p, dt, t[i]), x_int(p, dt, c[i])));
    return x_bin(p, Xadd, u, x_int(p, dt, rest));
}

/* rest + the sum of the n terms t[i] * c[i] <= 0, in numbers that do not wrap. */
static Ex below_zero(Prog *p, enum Dtype dt, const Ex *t, const int64_t *c, int n, int64_t rest)
{
    if (n == 1 && c[0] == -1 && rest >= INT32_MIN && rest <= INT32_MAX)
        return x_bin(p, Xle, x_int(p, dt, rest), t[0]);
    if (n == 1 && c[0] == 1 && rest > INT32_MIN && rest <= INT32_MAX)
        return x_bin(p, Xle, t[0], x_int(p, dt, -rest));
    Ex e = partition_sum_of(p, dt, t, c, n, rest);
    bool fits = rest > INT32_MIN / 2 && rest < INT32_MAX / 2 && x_whole(p, e);
    for (int i = 0; i < n && fits; i++)
        fits = c[i] > INT32_MIN && c[i] < INT32_MAX;
    if (!fits)
        e = partition_sum_of(p, DTi64, t, c, n, rest);
    return x_bin(p, Xle, e, x_int(p, ex_type(p, e), 0));
}

/* e * k as a sum whose numbers stay small: a few of them together are numbers of int32. */
static bool partition_small(const Prog *p, Ex e, int64_t k)
{
    ExSum s = x_linear(p, e);
    bool ok = k > -Small && k < Small && s.c > -Small && s.c < Small;
    for (int i = 0; i < s.n && ok; i++)
        ok = s.coef[i] > -Small && s.coef[i] < Small && s.coef[i] * k > -Small &&
             s.coef[i] * k < Small;
    return ok && s.c * k > -Small && s.c * k < Small;
}

/* A condition of the block under which d <= 0 in all iterations; 0: none found. */
static Ex never_above_zero(const Partition *k, Ex d)
{
    Prog *p = k->l->p;
    ExSum sum = x_linear(p, d);
    Ex *kept = anew(&p->ctx, (size_t)sum.n * sizeof *kept);
    int64_t *by = anew(&p->ctx, (size_t)sum.n * sizeof *by), lo, hi, rest = sum.c;
    int nkept = 0;
    enum Dtype dt = ex_type(p, d);
    for (int i = 0; i < sum.n; i++) {
        Ex t = sum.atom[i];
        int64_t c = sum.coef[i];
        if (!partition_varies(k, t)) {
            kept[nkept] = t;
            by[nkept++] = c;
            continue;
        }
        Ex term = x_bin(p, Xmul, t, x_int(p, dt, c));
        Expr x = *ex_at(p, t);
        if ((x.op == Xmin && c < 0) || (x.op == Xmax && c > 0)) { /* both sides must do */
            Ex side[2], a[2] = {x.arg[0], x.arg[1]}, without = x_bin(p, Xsub, d, term);
            if (!partition_small(p, d, 1) || !partition_small(p, a[0], c) ||
                !partition_small(p, a[1], c))
                return 0;
            for (int s = 0; s < 2; s++)
                side[s] = never_above_zero(k, x_bin(p, Xadd, without,
                                                    x_bin(p, Xmul, a[s], x_int(p, dt, c))));
            return partition_both(p, side[0], side[1]);
        }
        if (!partition_range(k, t, &lo, &hi) || !partition_greatest(dt, c, lo, hi, &rest))
            return 0;
    }
    return below_zero(p, dt, kept, by, nkept, rest);
}

/* Is the difference of two values of dt one of dt?  It is for indices; values of 8 and 16
 * bits use all of their type, and wrap. */
static bool counts(enum Dtype dt) { return dtypeinfo[dt].cls == 'I' && dtypeinfo[dt].bits >= 32; }

/* A condition of the block under which u, the same in all iterations, is at most f - less in each of
 * them (above: at least f + less); 0: none found. */
static Ex partition_against(const Partition *k, Ex u, Ex f, int64_t less, bool above)
{
    Prog *p = k->l->p;
    ExSum sum = x_linear(p, f);
    Ex *kept = anew(&p->ctx, ((size_t)sum.n + 1) * sizeof *kept);
    int64_t *by = anew(&p->ctx, ((size_t)sum.n + 1) * sizeof *by), lo, hi, rest = 0, to = above ? 1 : -1;
    int nkept = 0;
    for (int i = 0; i < sum.n; i++) {
        kept[nkept] = sum.atom[i];
        by[nkept] = sum.coef[i];
        if (!partition_varies(k, sum.atom[i]))
            nkept++;
        else if (!partition_range(k, sum.atom[i], &lo, &hi) ||
                 !partition_greatest(ex_type(p, f), to * sum.coef[i], lo, hi, &rest))
            return 0;
    }
    Ex e = partition_sum_of(p, DTi64, kept, by, nkept, sum.c + to * (rest + less));
    u = x_cast(p, DTi64, u);
    return above ? x_bin(p, Xle, e, u) : x_bin(p, Xle, u, e);
}

/* A condition of the block under which a <= b, or a < b, in all iterations; 0: none found. */
static Ex partition_order(const Partition *k, Ex a, Ex b, bool less)
{
    Prog *p = k->l->p;
    Ex arg[2] = {a, b};
    if (!counts(ex_type(p, a)))
        return 0;
    for (int i = 0; i < 2; i++) /* what may have wrapped, but is one number for all of them */
        if (!partition_varies(k, arg[i]) && !x_whole(p, arg[i]) && ex_type(p, arg[i]) == DTi32 &&
            x_whole(p, arg[1 - i]) && partition_small(p, arg[1 - i], 1))
            return partition_against(k, arg[i], arg[1 - i], less, i == 1);
    if (!x_whole(p, a) || !x_whole(p, b) || !partition_small(p, a, 1) || !partition_small(p, b, 1))
        return 0;
    Ex d = x_bin(p, Xsub, a, b);
    if (less)
        d = x_bin(p, Xadd, d, x_int(p, ex_type(p, d), 1));
    return never_above_zero(k, d);
}

/* Of a and b, one may be 0: both, or one of them. */
static Ex partition_joined(Prog *p, Ex a, Ex b, bool both)
{
    if (both)
        return a && b ? x_bin(p, Xand, a, b) : 0;
    return a && b ? x_bin(p, Xor, a, b) : a ? a : b;
}

/* What is asked of a condition: that it holds in all iterations, or in none. */
typedef struct PartitionAsk PartitionAsk;
struct PartitionAsk { const Partition *k; bool truth; };

static int64_t always_node(ExFold *f, Ex e)
{
    const PartitionAsk *q = f->ud;
    Prog *p = q->k->l->p;
    Expr x = *ex_at(p, e);
    if (!partition_varies(q->k, e))
        return q->truth ? e : x_un(p, Xnot, e);
    if (x.op == Xand || x.op == Xor) {
        Ex a = (Ex)ex_fold(f, x.arg[0]), b = (Ex)ex_fold(f, x.arg[1]);
        return partition_joined(p, a, b, (x.op == Xand) == q->truth);
    }
    if (x.op != Xlt && x.op != Xle)
        return 0;
    return q->truth ? partition_order(q->k, x.arg[0], x.arg[1], x.op == Xlt)
                    : partition_order(q->k, x.arg[1], x.arg[0], x.op == Xle);
}

/* A condition of the block under which e holds in all iterations, or in none; 0: none found. */
static Ex always(const Partition *k, Ex e, bool truth)
{
    PartitionAsk q = {k, truth};
    return (Ex)ex_fold(&(ExFold){.p = k->l->p, .f = always_node, .ud = &q}, e);
}

/* Does e pick out what lies behind some bound of the block, as  bound <= index? */
static int64_t beyond_node(ExFold *f, Ex e)
{
    const Partition *k = *(const Partition *const *)f->ud;
    const Prog *p = k->l->p;
    Expr x = *ex_at(p, e);
    if (x.op == Xor || x.op == Xand)
        return ex_fold(f, x.arg[0]) | ex_fold(f, x.arg[1]);
    return (x.op == Xlt || x.op == Xle) && !partition_varies(k, x.arg[0]) && partition_varies(k, x.arg[1]);
}

static bool partition_beyond(const Partition *k, Ex e)
{
    return ex_fold(&(ExFold){.p = k->l->p, .f = beyond_node, .ud = &k}, e);
}

static bool partition_known(const Partition *k, Ex all)
{
    int64_t v;
    return all && (!x_isint(k->l->p, all, &v) || v);
}

/* Selects of the parallel loop's expressions; those inside of others too. */
static ExGo partition_gather(void *ud, Ex e)
{
    Partition *k = ud;
    Prog *p = k->l->p;
    Expr x = *ex_at(p, e);
    if (x.op == Xselect && partition_varies(k, x.arg[0])) {
        Ex c = x.arg[0];
        bool truth = !partition_beyond(k, c);
        Ex all = always(k, c, truth);
        if (partition_known(k, all)) {
            agrow(&p->ctx, &k->cond, &k->capcond, (uint32_t)k->n + 1, sizeof *k->cond);
            k->cond[k->n].e = c;
            k->cond[k->n++].truth = truth;
            k->all = k->all ? x_bin(p, Xand, k->all, all) : all;
        }
    }
    return EXinto;
}

/* Stores to fragments and nothing else. */
static bool fills_fragment(const Prog *p, const Stmt *s)
{
    for (; s; s = s->next)
        if (s->kind != Sstore || p->buf[s->store.buf].scope != SCfragment)
            return false;
    return true;
}

static Ex partition_granted(Low *l, Ex e, void *ud)
{
    const Partition *k = ud;
    for (int i = 0; i < k->n; i++)
        if (k->cond[i].e == e)
            return x_int(l->p, DTbool, k->cond[i].truth);
    return e;
}

/* A store of what the element is already. */
static bool partition_idle(const Prog *p, const Stmt *s)
{
    const Expr *x = ex_at(p, s->store.value);
    if (x->op != Xload || x->sym != s->store.buf)
        return false;
    for (int d = 0; d < x->n; d++)
        if (x->arg[d] != s->store.idx[d])
            return false;
    return true;
}

static Stmt *without_idle(const Prog *p, Stmt *s)
{
    if (!s)
        return NULL;
    s->next = without_idle(p, s->next);
    return partition_idle(p, s) ? s->next : s;
}

static Stmt *lower_partition(Low *l, Stmt *s, bool *into, void *ud)
{
    Partition k = {.l = l, .parloop = s};
    int64_t v;
    (void)ud;
    if (s->kind != Sfor || s->loop.kind != Fparallel)
        return s;
    *into = false;
    if (!fills_fragment(l->p, s->loop.body))
        return s;
    for (const Stmt *t = s->loop.body; t; t = t->next)
        stmt_ex_walk(l->p, t, partition_gather, &k);
    if (!k.all)
        return s;
    Stmt *free = low_renew(l, low_clone(l, s));
    Partition in = k; /* its variables are others now */
    LowNew map[MaxLoop];
    for (int i = 0; i < s->loop.n; i++)
        map[i] = (LowNew){s->loop.var[i], x_var(l->p, free->loop.var[i])};
    in.cond = anew(&l->p->ctx, (size_t)k.n * sizeof *in.cond);
    for (int i = 0; i < k.n; i++) {
        in.cond[i].e = low_varsx(l, k.cond[i].e, map, s->loop.n);
        in.cond[i].truth = k.cond[i].truth;
    }
    low_map(l, free, partition_granted, &in);
    free->loop.body = without_idle(l->p, free->loop.body);
    free = free->loop.body ? free : NULL;
    if (x_isint(l->p, k.all, &v))
        return free;
    Stmt *f = anew(&l->p->ctx, sizeof *f);
    f->kind = Sif;
    f->loc = s->loc;
    f->cond.cond = free ? k.all : x_un(l->p, Xnot, k.all);
    f->cond.then = free ? free : s;
    f->cond.els = free ? s : NULL;
    return f;
}

void low_partition(Low *l) { low_rewrite(l, &l->launch->launch.body, lower_partition, NULL); }
