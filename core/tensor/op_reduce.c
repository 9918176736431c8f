/* core/tensor/op_reduce.c: reductions of host programs.
 *
 * Either the reduced elements lie behind each other: a row of them is folded into `Lanes` values,
 * which are joined at its end.  Or the results lie behind each other: a block of them is folded at
 * once, one element of the reduced dimensions after the other.  Either way memory is read in its
 * order, and both are one loop: a[k] takes in x[i][k]. */
#include <math.h>
#include <string.h>

#include "op.h"
#include "vec.h"

enum { Block = 4 * VecBlock, FoldLanes = 16 };

const char *const fold_name[NFold] = {
#define R(name) [Fold_##name] = #name,
    FOLD_OPS(R)
#undef R
};

/* One pass over the elements.  S(name, the start, what a becomes by x, how two of a are joined); s is
 * a number of each result, p the operator's. */
#define FLOAT_STEPS(S)                                                         \
    S(Sum, 0, a + x, Sum)                                                      \
    S(Prod, 1, a * x, Prod)                                                    \
    S(Max, -HUGE_VAL, x > a || x != x ? x : a, Max)                            \
    S(Min, HUGE_VAL, x < a || x != x ? x : a, Min)                             \
    S(Any, 0, a != 0 || x != 0, Any)                                           \
    S(All, 1, a != 0 && x != 0, All)                                           \
    S(Count, 0, a + (x != 0), Sum)                                             \
    S(Abs, 0, a + fabs(x), Sum)                                                \
    S(Square, 0, a + (x - s) * (x - s), Sum)                                   \
    S(Power, 0, a + pow(fabs(x), p), Sum)                                      \
    S(Exp, 0, a + x, Sum)

/* Sums and products wrap; u: without a sign. */
#define INT_STEPS(S)                                                           \
    S(Sum, 0, (int64_t)((uint64_t)a + (uint64_t)x), Sum)                       \
    S(Prod, 1, (int64_t)((uint64_t)a * (uint64_t)x), Prod)                     \
    S(Max, u ? 0 : INT64_MIN, (u ? (uint64_t)x > (uint64_t)a : x > a) ? x : a, Max) \
    S(Min, u ? -1 : INT64_MAX, (u ? (uint64_t)x < (uint64_t)a : x < a) ? x : a, Min)

enum Step {
#define S(name, start, expr, join) Step##name,
    FLOAT_STEPS(S)
#undef S
};

static const enum Step step_join[] = {
#define S(name, start, expr, join) [Step##name] = Step##join,
    FLOAT_STEPS(S)
#undef S
};

static const double step_start[] = {
#define S(name, start, expr, join) [Step##name] = start,
    FLOAT_STEPS(S)
#undef S
};

typedef struct FoldJob FoldJob;
struct FoldJob {
    enum Fold op;
    Tensor out, index, x;
    bool places, ints, u; /* wanted: places; computed in int64; without a sign */
    int kept, dim;        /* dimensions that stay; which of them threads divide, below 0: none */
    double p;
};

/* A block of results on its way. */
typedef union FoldCell FoldCell;
union FoldCell { double f[Block]; int64_t i[Block]; };
typedef struct FoldAcc FoldAcc;
struct FoldAcc {
    FoldCell a, x;
    double s[Block];
    int64_t at[Block], n;
};

/* Loops ---------------------------------------------------------------- */

/* a[k] takes in x[i * w + k], for all i < n and k < w. */
static void fold_floats(enum Step step, double *restrict a_, const double *restrict x_, int64_t n,
                        int64_t w, const double *restrict s_, double p)
{
#define LOOP(w, expr)                                                          \
    for (int64_t i = 0; i < n; i++)                                            \
        for (int64_t k = 0; k < w; k++) {                                      \
            const double x = x_[i * w + k], a = a_[k], s = s_[k];              \
            (void)s;                                                           \
            a_[k] = expr;                                                      \
        }
    switch (step) {
#define S(name, start, expr, join)                                             \
    case Step##name:                                                           \
        if (w == FoldLanes)                                                    \
            LOOP(FoldLanes, expr)                                              \
        else                                                                   \
            LOOP(w, expr)                                                      \
        break;
        FLOAT_STEPS(S)
#undef S
    }
#undef LOOP
}

static void fold_ints(enum Step step, bool u, int64_t *restrict a_, const int64_t *restrict x_,
                      int64_t n)
{
    switch (step) {
#define S(name, start, expr, join)                                             \
    case Step##name:                                                           \
        for (int64_t k = 0; k < n; k++) {                                      \
            const int64_t x = x_[k], a = a_[k];                                \
            a_[k] = expr;                                                      \
        }                                                                      \
        break;
        INT_STEPS(S)
#undef S
    default: break;
    }
}

static int64_t int_start(enum Step step, bool u)
{
    switch (step) {
#define S(name, start, expr, join)                                             \
    case Step##name: return start;
        INT_STEPS(S)
#undef S
    default: return 0;
    }
}

/* The best so far and its place; element k of w results is the at-th of each. */
static void fold_place(const FoldJob *j, FoldAcc *c, int64_t k, int64_t from, int64_t at)
{
    bool less = j->op == Fold_min || j->op == Fold_argmin, better;
    if (j->ints) {
        int64_t a = c->a.i[k], x = c->x.i[from];
        uint64_t flip = j->u ? 0 : (uint64_t)1 << 63, b = (uint64_t)a ^ flip, y = (uint64_t)x ^ flip;
        better = at == 0 || (less ? y < b : y > b);
        c->a.i[k] = better ? x : a;
    } else {
        double a = c->a.f[k], x = c->x.f[from];
        better = at == 0 || (a == a && (x != x || (less ? x < a : x > a)));
        c->a.f[k] = better ? x : a;
    }
    c->at[k] = better ? at : c->at[k];
}

/* x - s, then e to that; n elements of the block, s of element k is s[k % w]. */
static void fold_exp(double *x, int64_t n, const double *s, int64_t w)
{
    int64_t whole = (n + VecBlock - 1) / VecBlock * VecBlock;
    for (int64_t k = 0; k < n; k++)
        x[k] -= s[w == 1 ? 0 : k];
    for (int64_t k = n; k < whole; k++)
        x[k] = 0;
    vec_loops()->exp(x, whole);
}

/* Rows and columns ------------------------------------------------------- */

static void fold_load(const FoldJob *j, FoldCell *to, int64_t at, int64_t step, int64_t n)
{
    if (j->ints)
        tensor_loadin(&j->x, at, step, n, to->i);
    else
        tensor_loadn(&j->x, at, step, n, to->f);
}

/* n <= Block elements of one result, in c->x, into a.f[0 .. FoldLanes). */
static void fold_row(const FoldJob *j, enum Step step, FoldAcc *c, int64_t n)
{
    if (j->places) {
        for (int64_t k = 0; k < n; k++)
            fold_place(j, c, 0, k, c->n++);
    } else if (j->ints) {
        for (int64_t k = 0, m; k < n; k += m) {
            m = n - k < FoldLanes ? n - k : FoldLanes;
            fold_ints(step, j->u, c->a.i, c->x.i + k, m);
        }
    } else {
        if (step == StepExp)
            fold_exp(c->x.f, n, c->s, 1);
        int64_t whole = n / FoldLanes;
        fold_floats(step, c->a.f, c->x.f, whole, FoldLanes, c->s, j->p);
        fold_floats(step, c->a.f, c->x.f + whole * FoldLanes, 1, n % FoldLanes, c->s, j->p);
    }
}

/* w results, one element of each, in c->x. */
static void fold_column(const FoldJob *j, enum Step step, FoldAcc *c, int64_t w)
{
    if (j->places) {
        for (int64_t k = 0; k < w; k++)
            fold_place(j, c, k, k, c->n);
        c->n++;
    } else if (j->ints) {
        fold_ints(step, j->u, c->a.i, c->x.i, w);
    } else {
        if (step == StepExp)
            fold_exp(c->x.f, w, c->s, w);
        fold_floats(step, c->a.f, c->x.f, 1, w, c->s, j->p);
    }
}

/* One pass: the w results whose first elements are at `at` and `step` apart; c->s is given, w == 1
 * folds rows. */
static void fold_pass(const FoldJob *j, enum Step step, FoldAcc *c, int64_t at, int64_t apart,
                      int64_t w)
{
    Tensor inner = j->x;
    inner.offset = at;
    inner.ndim -= j->kept;
    memmove(inner.shape, inner.shape + j->kept, (size_t)inner.ndim * sizeof *inner.shape);
    memmove(inner.stride, inner.stride + j->kept, (size_t)inner.ndim * sizeof *inner.stride);
    int64_t lanes = w == 1 ? FoldLanes : w;
    for (int64_t k = 0; k < lanes; k++) {
        if (j->ints)
            c->a.i[k] = int_start(step, j->u);
        else
            c->a.f[k] = step_start[step];
        c->s[k] = w == 1 ? c->s[0] : c->s[k];
        c->at[k] = 0;
    }
    c->n = 0;
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){&inner}); rows_next(&r);)
        for (int64_t k = 0, n; k < r.n; k += n) {
            n = w > 1 ? 1 : r.n - k < Block ? r.n - k : Block;
            int64_t from = r.at[0] + k * r.step[0];
            fold_load(j, &c->x, from, w > 1 ? apart : r.step[0], w > 1 ? w : n);
            if (w > 1)
                fold_column(j, step, c, w);
            else
                fold_row(j, step, c, n);
        }
    for (int64_t k = 1; w == 1 && !j->places && k < FoldLanes; k++) {
        if (j->ints)
            fold_ints(step_join[step], j->u, c->a.i, c->a.i + k, 1);
        else
            fold_floats(step_join[step], c->a.f, c->a.f + k, 1, 1, c->s, j->p);
    }
}

/* Operators -------------------------------------------------------------- */

static const struct { enum Step first, second; bool two; } passes[NFold] = {
    [Fold_sum] = {.first = StepSum},     [Fold_mean] = {.first = StepSum},
    [Fold_prod] = {.first = StepProd},   [Fold_max] = {.first = StepMax},
    [Fold_min] = {.first = StepMin},     [Fold_any] = {.first = StepAny},
    [Fold_all] = {.first = StepAll},     [Fold_count] = {.first = StepCount},
    [Fold_abssum] = {.first = StepAbs},  [Fold_norm2] = {.first = StepSquare},
    [Fold_powers] = {.first = StepPower}, [Fold_lse] = {StepMax, StepExp, true},
    [Fold_var] = {StepSum, StepSquare, true}, [Fold_std] = {StepSum, StepSquare, true},
    [Fold_argmax] = {.first = StepMax},  [Fold_argmin] = {.first = StepMin},
};

/* What the sum of a pass becomes; n: how many elements there were. */
static double fold_end(const FoldJob *j, double a, double s, double n)
{
    double left = n - j->p;
    switch (j->op) {
    case Fold_mean:  return a / n;
    case Fold_norm2: return sqrt(a);
    case Fold_lse:   return s + log(a);
    case Fold_var:   return a / (left > 0 ? left : 0);
    case Fold_std:   return sqrt(a / (left > 0 ? left : 0));
    default:         return a;
    }
}

static void fold_block(const FoldJob *j, FoldAcc *c, int64_t at, int64_t apart, int64_t w)
{
    int64_t n = 1;
    for (int d = j->kept; d < j->x.ndim; d++)
        n *= j->x.shape[d];
    memset(c->s, 0, sizeof c->s);
    fold_pass(j, passes[j->op].first, c, at, apart, w);
    if (passes[j->op].two) {
        for (int64_t k = 0; k < w; k++) {
            double m = c->a.f[k]; /* all infinite: their sum is that, not NaN */
            c->s[k] = j->op != Fold_lse ? m / (double)n : fabs(m) < HUGE_VAL || m != m ? m : 0;
        }
        fold_pass(j, passes[j->op].second, c, at, apart, w);
    }
    for (int64_t k = 0; k < w && !j->ints; k++)
        c->a.f[k] = fold_end(j, c->a.f[k], c->s[k], (double)n);
}

/* w results, from element k of run r on. */
static void fold_results(FoldJob *j, FoldAcc *c, const Rows *r, int64_t k, int64_t w)
{
    bool arg = j->op == Fold_argmax || j->op == Fold_argmin;
    int64_t at = r->at[0] + k * r->step[0], to = r->at[1] + k * r->step[1];
    fold_block(j, c, at, r->step[0], w);
    if (arg)
        tensor_storein(&j->out, to, r->step[1], w, c->at);
    else if (j->ints)
        tensor_storein(&j->out, to, r->step[1], w, c->a.i);
    else
        tensor_storen(&j->out, to, r->step[1], w, c->a.f);
    if (j->index.st && !arg)
        tensor_storein(&j->index, r->at[2] + k * r->step[2], r->step[2], w, c->at);
}

static void fold_piece(void *ud, int64_t lo, int64_t hi)
{
    FoldJob j = *(FoldJob *)ud;
    FoldAcc c;
    if (j.dim >= 0) {
        tensor_narrow(&j.x, j.dim, lo, hi);
        tensor_narrow(&j.out, j.dim, lo, hi);
        if (j.index.st)
            tensor_narrow(&j.index, j.dim, lo, hi);
    }
    Tensor outer = j.x;
    outer.ndim = j.kept;
    /* results behind each other, and reduced elements further apart */
    int last = j.x.ndim - 1;
    int64_t near = INT64_MAX;
    for (int d = j.kept; d <= last; d++)
        if (j.x.shape[d] > 1 && j.x.stride[d] < near)
            near = j.x.stride[d];
    Rows r;
    const Tensor *t[3] = {&outer, &j.out, &j.index};
    for (rows_start(&r, j.index.st ? 3 : 2, t); rows_next(&r);) {
        bool columns = r.n > 1 && r.step[0] < near;
        for (int64_t k = 0, w; k < r.n; k += w) {
            w = columns ? (r.n - k < Block ? r.n - k : Block) : 1;
            fold_results(&j, &c, &r, k, w);
        }
    }
}

void fold_apply(enum Fold op, Tensor *out, Tensor *index, const Tensor *x, int reduced, double p)
{
    FoldJob j = {.op = op, .out = *out, .x = *x, .kept = x->ndim - reduced, .dim = -1, .p = p};
    enum Step first = passes[op].first;
    bool arg = op == Fold_argmax || op == Fold_argmin;
    j.ints = !dtype_isfloat(x->dt) && (arg || !dtype_isfloat(out->dt)) && first <= StepMin &&
             !passes[op].two;
    j.u = x->dt == DTu64;
    j.places = arg || index;
    if (index) {
        j.index = *index;
        storage_write(index->st);
    }
    storage_read(x->st);
    storage_write(out->st);
    int64_t most = 1;
    for (int d = 0; d < j.kept; d++)
        if (x->shape[d] > most)
            most = x->shape[j.dim = d];
    op_parallel(out, most, 2.0 * (double)tensor_count(x), fold_piece, &j);
}
