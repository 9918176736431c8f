/* core/tensor/op_lines.c: operators of host programs along one dimension: a line of elements is read
 * into an array, worked on, and written to the same place of the output. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op.h"
#include "op_lines.h"
#include "ref.h"
#include "vec.h"

typedef struct LinesJob LinesJob;
struct LinesJob {
    const Lines *l;
    int split;           /* the dimension that threads divide, below 0: none */
    _Atomic bool failed; /* no memory */
};

static void line(const Lines *l, Line *w, const Rows *r, int64_t k)
{
    int64_t n = w->n;
    if (l->ints)
        tensor_loadin(&l->x, r->at[0] + k * r->step[0], l->x.stride[l->dim], n, w->in.i);
    else
        tensor_loadn(&l->x, r->at[0] + k * r->step[0], l->x.stride[l->dim], n, w->in.f);
    l->f(l->ud, w);
    Tensor out = l->out, index = l->index;
    if (l->out.st && l->ints)
        tensor_storein(&out, r->at[1] + k * r->step[1], out.stride[l->dim], n, w->out.i);
    else if (l->out.st)
        tensor_storen(&out, r->at[1] + k * r->step[1], out.stride[l->dim], n, w->out.f);
    if (l->index.st)
        tensor_storein(&index, r->at[2] + k * r->step[2], index.stride[l->dim], n, w->index);
}

static void lines_piece(void *ud, int64_t lo, int64_t hi)
{
    LinesJob *j = ud;
    Lines l = *j->l;
    Line w = {.n = l.x.shape[l.dim]};
    size_t room = (size_t)(w.n + VecBlock), extra = (size_t)(l.scratch * w.n) + 1;
    double *v = malloc((3 * room + extra) * sizeof *v);
    if (!v) {
        atomic_store(&j->failed, true);
        return;
    }
    w.in.f = v;
    w.out.f = v + room;
    w.index = (int64_t *)(v + 2 * room);
    w.scratch = v + 3 * room;
    Tensor first[3] = {l.x, l.out, l.index};
    const Tensor *t[3] = {first, first + 1, first + 2};
    for (int i = 0; i < 3; i++) {
        if (i && !first[i].st)
            first[i] = first[0]; /* walked along, not used */
        if (j->split >= 0)
            tensor_narrow(&first[i], j->split, lo, hi);
        tensor_select(&first[i], l.dim, 0);
    }
    Rows r;
    for (rows_start(&r, 3, t); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k++)
            line(&l, &w, &r, k);
    free(v);
}

bool lines_apply(const Lines *l, double work)
{
    LinesJob j = {.l = l, .split = -1};
    if (tensor_count(&l->x) == 0)
        return true;
    storage_read(l->x.st);
    if (l->out.st)
        storage_write(l->out.st);
    if (l->index.st)
        storage_write(l->index.st);
    int64_t most = 1;
    for (int d = 0; d < l->x.ndim; d++)
        if (d != l->dim && l->x.shape[d] > most)
            most = l->x.shape[j.split = d];
    op_parallel(l->out.st ? &l->out : NULL, most, work * (double)tensor_count(&l->x), lines_piece, &j);
    return !atomic_load(&j.failed);
}

/* Softmax -------------------------------------------------------------- */

/* A line of nothing but -inf gives NaN, as in PyTorch. */
static void softmax_line(const void *ud, Line *l)
{
    double max = -HUGE_VAL, sum = 0, *y = l->out.f;
    const double *x = l->in.f;
    int64_t n = l->n, whole = (n + VecBlock - 1) / VecBlock * VecBlock;
    for (int64_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] - max;
    for (int64_t i = n; i < whole; i++)
        y[i] = 0;
    vec_loops()->exp(y, whole);
    double lane[8] = {0};
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int q = 0; q < 8; q++)
            lane[q] += y[i + q];
    for (; i < n; i++)
        sum += y[i];
    for (int q = 0; q < 8; q++)
        sum += lane[q];
    if (*(const bool *)ud) {
        double shift = max + log(sum);
        for (i = 0; i < n; i++)
            y[i] = x[i] - shift;
    } else {
        for (i = 0; i < n; i++)
            y[i] /= sum;
    }
}

bool softmax_apply(Tensor *out, const Tensor *x, int dim, bool logarithm)
{
    return lines_apply(&(Lines){.out = *out, .x = *x, .dim = dim, .f = softmax_line,
                                .ud = &logarithm}, 8);
}

/* Norms ---------------------------------------------------------------- */

typedef struct NormLine NormLine;
struct NormLine {
    double *w, *b; /* NULL: 1 and 0 */
    double eps;
    bool root;
};

static void norm_line(const void *ud, Line *l)
{
    const NormLine *p = ud;
    const double *x = l->in.f;
    double *y = l->out.f, mean = 0, square = 0;
    for (int64_t i = 0; i < l->n && !p->root; i++)
        mean += x[i];
    mean /= (double)l->n;
    for (int64_t i = 0; i < l->n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    double scale = 1 / sqrt(square / (double)l->n + p->eps);
    for (int64_t i = 0; i < l->n; i++)
        y[i] = (x[i] - mean) * scale * (p->w ? p->w[i] : 1) + (p->b ? p->b[i] : 0);
}

bool norm_apply(Tensor *out, const Tensor *x, const Tensor *w, const Tensor *b, double eps, bool root)
{
    NormLine p = {w ? ref_doubles(w) : NULL, b ? ref_doubles(b) : NULL, eps, root};
    bool ok = (!w || p.w) && (!b || p.b) &&
              lines_apply(&(Lines){.out = *out, .x = *x, .dim = x->ndim - 1, .f = norm_line,
                                   .ud = &p}, 4);
    free(p.w);
    free(p.b);
    return ok;
}

/* Scans ---------------------------------------------------------------- */

typedef struct ScanLine ScanLine;
struct ScanLine { enum Scan op; bool ints, u; };

/* log(exp(a) + exp(b)) */
static double lse_of(double a, double b)
{
    double most = a > b ? a : b;
    return fabs(most) == HUGE_VAL ? most : most + log1p(exp(-fabs(a - b)));
}

static void scan_floats(enum Scan op, Line *l)
{
    const double *x = l->in.f;
    double *y = l->out.f, a = x[0];
    int64_t at = 0;
    for (int64_t i = 0; i < l->n; i++) {
        double v = x[i];
        if (i > 0 && op == ScanSum)
            a += v;
        else if (i > 0 && op == ScanProd)
            a *= v;
        else if (i > 0 && op == ScanLse)
            a = lse_of(a, v);
        else if (v != v || (a == a && (op == ScanMax ? v >= a : v <= a)))
            a = x[at = i];
        y[i] = a;
        l->index[i] = at;
    }
}

static void scan_ints(const ScanLine *s, Line *l)
{
    const int64_t *x = l->in.i;
    uint64_t flip = s->u ? 0 : (uint64_t)1 << 63;
    int64_t *y = l->out.i, a = x[0], at = 0;
    for (int64_t i = 0; i < l->n; i++) {
        uint64_t v = (uint64_t)x[i], b = (uint64_t)a;
        if (i && s->op == ScanSum)
            a = (int64_t)(b + v);
        else if (i && s->op == ScanProd)
            a = (int64_t)(b * v);
        else if (i && (s->op == ScanMax ? (v ^ flip) >= (b ^ flip) : (v ^ flip) <= (b ^ flip)))
            a = x[at = i];
        y[i] = a;
        l->index[i] = at;
    }
}

static void scan_line(const void *ud, Line *l)
{
    const ScanLine *s = ud;
    if (s->ints)
        scan_ints(s, l);
    else
        scan_floats(s->op, l);
}

bool scan_apply(enum Scan op, Tensor *out, Tensor *index, const Tensor *x, int dim)
{
    ScanLine s = {op, op != ScanLse && !dtype_isfloat(x->dt) && !dtype_isfloat(out->dt),
                  x->dt == DTu64};
    Lines l = {.out = *out, .x = *x, .dim = dim, .ints = s.ints, .f = scan_line, .ud = &s};
    if (index)
        l.index = *index;
    return lines_apply(&l, 4);
}
