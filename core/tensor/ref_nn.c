/* core/tensor/ref_nn.c: reference operators along one axis: softmax, norms, running
 * sums, top-k. */
#include <math.h>
#include <stdlib.h>

#include "ref.h"

/* Calls f for every line of x along axis: in holds its n elements as float64,
 * res receives as many, and goes to the same place of out (of x's shape). */
typedef void LineFn(const void *ud, const double *in, double *res, int64_t n);

static bool lines(Tensor *out, const Tensor *x, int axis, LineFn *f, const void *ud)
{
    int64_t n = x->shape[axis];
    double *in = malloc(2 * (size_t)(n ? n : 1) * sizeof *in), *res = in + n;
    if (!in)
        return false;
    Tensor first_out = *out, first = *x;
    tensor_select(&first_out, axis, 0);
    tensor_select(&first, axis, 0);
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){&first_out, &first}); rows_next(&r);)
        for (int64_t k = 0; k < r.n && n; k++) {
            tensor_loadn(x, r.at[1] + k * r.step[1], x->stride[axis], n, in);
            f(ud, in, res, n);
            tensor_storen(out, r.at[0] + k * r.step[0], out->stride[axis], n, res);
        }
    free(in);
    return true;
}

/* exp(x - max) / sum of the same; a line of -inf only gives NaN, as in
 * PyTorch. */
static void softmax_line(const void *ud, const double *x, double *y, int64_t n)
{
    bool logarithm = *(const bool *)ud;
    double max = -HUGE_VAL, sum = 0;
    for (int64_t i = 0; i < n; i++)
        max = x[i] > max || x[i] != x[i] ? x[i] : max;
    for (int64_t i = 0; i < n; i++)
        sum += y[i] = exp(x[i] - max);
    for (int64_t i = 0; i < n; i++)
        y[i] = logarithm ? x[i] - max - log(sum) : y[i] / sum;
}

bool ref_softmax(Tensor *out, const Tensor *x, int axis, bool logarithm)
{
    return lines(out, x, axis, softmax_line, &logarithm);
}

typedef struct Norm Norm;
struct Norm {
    double *w, *b; /* NULL: 1 and 0 */
    double eps;
    bool centre;
};

static void norm_line(const void *ud, const double *x, double *y, int64_t n)
{
    const Norm *p = ud;
    double mean = 0, square = 0;
    for (int64_t i = 0; i < n && p->centre; i++)
        mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    double scale = 1 / sqrt(square / (double)n + p->eps);
    for (int64_t i = 0; i < n; i++)
        y[i] = (x[i] - mean) * scale * (p->w ? p->w[i] : 1) + (p->b ? p->b[i] : 0);
}

static bool norm(Tensor *out, const Tensor *x, const Tensor *w, const Tensor *b, double eps,
                 bool centre)
{
    Norm p = {w ? ref_doubles(w) : NULL, b ? ref_doubles(b) : NULL, eps, centre};
    bool ok = (!w || p.w) && (!b || p.b) && lines(out, x, x->ndim - 1, norm_line, &p);
    free(p.w);
    free(p.b);
    return ok;
}

bool ref_rmsnorm(Tensor *out, const Tensor *x, const Tensor *w, double eps)
{
    return norm(out, x, w, NULL, eps, false);
}

bool ref_layernorm(Tensor *out, const Tensor *x, const Tensor *w, const Tensor *b, double eps)
{
    return norm(out, x, w, b, eps, true);
}

typedef struct NnScan NnScan;
struct NnScan { bool reverse, exclusive; };

static void cumsum_line(const void *ud, const double *x, double *y, int64_t n)
{
    const NnScan *p = ud;
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = p->reverse ? n - 1 - k : k;
        double before = sum;
        sum += x[i];
        y[i] = p->exclusive ? before : sum;
    }
}

bool ref_cumsum(Tensor *out, const Tensor *x, int axis, bool reverse, bool exclusive)
{
    NnScan p = {reverse, exclusive};
    return lines(out, x, axis, cumsum_line, &p);
}

/* Top-k ---------------------------------------------------------------- */

typedef struct Ranked Ranked;
struct Ranked {
    double key; /* small first */
    int64_t i;
};

static int by_rank(const void *pa, const void *pb)
{
    const Ranked *a = pa, *b = pb;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

bool ref_topk(Tensor *values, Tensor *index, const Tensor *x, int64_t k, bool largest)
{
    int axis = x->ndim - 1;
    int64_t n = x->shape[axis], nrows = n ? tensor_count(x) / n : 0;
    Ranked *rank = malloc((size_t)(n ? n : 1) * sizeof *rank);
    double *all = ref_doubles(x);
    if (rank && all)
        for (int64_t r = 0; r < nrows; r++) {
            const double *v = all + r * n;
            for (int64_t i = 0; i < n; i++) /* NaN counts as the greatest */
                rank[i] = (Ranked){v[i] != v[i] ? (largest ? -HUGE_VAL : HUGE_VAL)
                                   : largest    ? -v[i]
                                                : v[i], i};
            qsort(rank, (size_t)n, sizeof *rank, by_rank);
            for (int64_t j = 0; j < k; j++) {
                dtype_store(values->dt, storage_write(values->st), r * k + j, v[rank[j].i]);
                dtype_storei(index->dt, storage_write(index->st), r * k + j, rank[j].i);
            }
        }
    bool ok = rank && all;
    free(rank);
    free(all);
    return ok;
}
