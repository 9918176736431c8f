/* core/tensor/ref_elem.c: reference operators, one element at a time, and sums. */
#include <math.h>
#include <string.h>

#include "ref.h"

enum { Run = 256 };

const char *const unary_name[NUnary] = {
#define U(name, expr) #name,
    UNARY_OPS(U)
#undef U
};

const char *const binary_name[NBinary] = {
#define B(name, expr) #name,
    BINARY_OPS(B)
#undef B
};

const char *const reduce_name[NReduce] = {
    [R_sum] = "sum",       [R_mean] = "mean",     [R_prod] = "prod", [R_max] = "max",
    [R_min] = "min",       [R_absmax] = "absmax", [R_abssum] = "abssum",
    [R_any] = "any",       [R_all] = "all",       [R_argmax] = "argmax",
    [R_argmin] = "argmin",
};

static void unary_run(enum Unary op, double *v, int64_t n)
{
    switch (op) {
#define U(name, expr)                                                          \
    case U_##name:                                                             \
        for (int64_t k = 0; k < n; k++) {                                      \
            double x = v[k];                                                   \
            v[k] = expr;                                                       \
        }                                                                      \
        break;
        UNARY_OPS(U)
#undef U
    case NUnary: break;
    }
}

void ref_unary(enum Unary op, Tensor *out, const Tensor *x)
{
    double v[Run];
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){out, x}); rows_next(&r);)
        for (int64_t k = 0, n; k < r.n; k += n) {
            n = r.n - k < Run ? r.n - k : Run;
            tensor_loadn(x, r.at[1] + k * r.step[1], r.step[1], n, v);
            unary_run(op, v, n);
            tensor_storen(out, r.at[0] + k * r.step[0], r.step[0], n, v);
        }
}

static void binary_run(enum Binary op, double *a, const double *b, int64_t n)
{
    switch (op) {
#define B(name, expr)                                                          \
    case B_##name:                                                             \
        for (int64_t k = 0; k < n; k++) {                                      \
            double x = a[k], y = b[k];                                         \
            a[k] = expr;                                                       \
        }                                                                      \
        break;
        BINARY_OPS(B)
#undef B
    case NBinary: break;
    }
}

/* Exact and wrapping; false: op has no such form. */
static bool integer_run(enum Binary op, int64_t *a, const int64_t *b, int64_t n)
{
#define INT(name, expr)                                                        \
    case B_##name:                                                             \
        for (int64_t k = 0; k < n; k++) {                                      \
            int64_t x = a[k], y = b[k];                                        \
            a[k] = expr;                                                       \
        }                                                                      \
        return true;
    switch (op) {
        INT(add, (int64_t)((uint64_t)x + (uint64_t)y))
        INT(sub, (int64_t)((uint64_t)x - (uint64_t)y))
        INT(mul, (int64_t)((uint64_t)x * (uint64_t)y))
        INT(maximum, x > y ? x : y)
        INT(minimum, x < y ? x : y)
        INT(eq, x == y)
        INT(ne, x != y)
        INT(lt, x < y)
        INT(le, x <= y)
        INT(gt, x > y)
        INT(ge, x >= y)
    default: return false;
    }
#undef INT
}

void ref_binary(enum Binary op, Tensor *out, const Tensor *a, const Tensor *b)
{
    double x[Run], y[Run];
    int64_t u[Run] = {0}, w[Run] = {0};
    bool ints = !dtype_isfloat(a->dt) && !dtype_isfloat(b->dt) && !dtype_isfloat(out->dt) &&
                a->dt != DTu64 && b->dt != DTu64 && integer_run(op, u, w, 1);
    Rows r;
    for (rows_start(&r, 3, (const Tensor *[]){out, a, b}); rows_next(&r);)
        for (int64_t k = 0, n; k < r.n; k += n) {
            n = r.n - k < Run ? r.n - k : Run;
            int64_t at[3];
            for (int j = 0; j < 3; j++)
                at[j] = r.at[j] + k * r.step[j];
            if (ints) {
                tensor_loadin(a, at[1], r.step[1], n, u);
                tensor_loadin(b, at[2], r.step[2], n, w);
                integer_run(op, u, w, n);
                tensor_storein(out, at[0], r.step[0], n, u);
            } else {
                tensor_loadn(a, at[1], r.step[1], n, x);
                tensor_loadn(b, at[2], r.step[2], n, y);
                binary_run(op, x, y, n);
                tensor_storen(out, at[0], r.step[0], n, x);
            }
        }
}

/* Reductions ----------------------------------------------------------- */

/* The running value, and the place of the best for argmax and argmin. */
typedef struct ElemAcc ElemAcc;
struct ElemAcc {
    double v;
    int64_t at, n;
};

static ElemAcc acc_start(enum Reduce op)
{
    switch (op) {
    case R_prod:
    case R_all:    return (ElemAcc){1, 0, 0};
    case R_max:
    case R_argmax: return (ElemAcc){-HUGE_VAL, 0, 0};
    case R_min:
    case R_argmin: return (ElemAcc){HUGE_VAL, 0, 0};
    default:       return (ElemAcc){0, 0, 0};
    }
}

static void acc_best(ElemAcc *a, double x, bool greater)
{
    bool better = greater ? x > a->v : x < a->v;
    if (a->v == a->v && (better || x != x || a->n == 0)) {
        a->v = x;
        a->at = a->n;
    }
}

static void acc_add(enum Reduce op, ElemAcc *a, double x)
{
    switch (op) {
    case R_sum:
    case R_mean:   a->v += x; break;
    case R_prod:   a->v *= x; break;
    case R_abssum: a->v += fabs(x); break;
    case R_absmax: acc_best(a, fabs(x), true); break;
    case R_max:
    case R_argmax: acc_best(a, x, true); break;
    case R_min:
    case R_argmin: acc_best(a, x, false); break;
    case R_any:    a->v = a->v != 0 || x != 0; break;
    case R_all:    a->v = a->v != 0 && x != 0; break;
    case NReduce:  break;
    }
    a->n++;
}

static double acc_end(enum Reduce op, const ElemAcc *a)
{
    if (op == R_mean)
        return a->v / (double)a->n;
    return op == R_argmax || op == R_argmin ? (double)a->at : a->v;
}

static void acc_run(enum Reduce op, ElemAcc *a, const Tensor *x, int64_t at, int64_t step,
                    int64_t len)
{
    double v[Run];
    for (int64_t k = 0, n; k < len; k += n) {
        n = len - k < Run ? len - k : Run;
        tensor_loadn(x, at + k * step, step, n, v);
        for (int64_t i = 0; i < n; i++)
            acc_add(op, a, v[i]);
    }
}

void ref_reduce(enum Reduce op, Tensor *out, const Tensor *x, int axis)
{
    Tensor outer = *x;
    tensor_select(&outer, axis, 0);
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){out, &outer}); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k++) {
            ElemAcc a = acc_start(op);
            acc_run(op, &a, x, r.at[1] + k * r.step[1], x->stride[axis], x->shape[axis]);
            double v = acc_end(op, &a);
            tensor_storen(out, r.at[0] + k * r.step[0], 1, 1, &v);
        }
}

double ref_total(enum Reduce op, const Tensor *x)
{
    ElemAcc a = acc_start(op);
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){x}); rows_next(&r);)
        acc_run(op, &a, x, r.at[0], r.step[0], r.n);
    return acc_end(op, &a);
}

void ref_stats(Stats *s, const Tensor *x)
{
    *s = (Stats){.min = HUGE_VAL, .max = -HUGE_VAL};
    double v[Run];
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){x}); rows_next(&r);)
        for (int64_t k = 0, n; k < r.n; k += n) {
            n = r.n - k < Run ? r.n - k : Run;
            tensor_loadn(x, r.at[0] + k * r.step[0], r.step[0], n, v);
            s->n += n;
            for (int64_t i = 0; i < n; i++) {
                bool nan = v[i] != v[i], inf = fabs(v[i]) > 1.7976931348623157e308;
                s->nan += nan;
                s->inf += inf;
                s->sum += nan || inf ? 0 : v[i];
                s->min = v[i] < s->min ? v[i] : s->min;
                s->max = v[i] > s->max ? v[i] : s->max;
            }
        }
}
