/* core/tensor/op_index.c: elements of host tensors that are chosen by the elements of others. */
#include <stdlib.h>
#include <string.h>

#include "op.h"

/* x[i], n elements with a step, takes in v of src, by how. */
static void put_run(enum Put how, Tensor *x, int64_t i, int64_t step, const Tensor *src, int64_t j,
                    int64_t from, int64_t n)
{
    enum { Run = 128 };
    bool ints = !dtype_isfloat(x->dt);
    for (int64_t k = 0, m; k < n; k += m, i += m * step, j += m * from) {
        union { double f[Run]; int64_t i[Run]; } a, b;
        m = n - k < Run ? n - k : Run;
        if (ints) {
            tensor_loadin(src, j, from, m, b.i);
            tensor_loadin(x, i, step, m, a.i);
        } else {
            tensor_loadn(src, j, from, m, b.f);
            tensor_loadn(x, i, step, m, a.f);
        }
#define EACH(f, add, mul)                                                      \
    for (int64_t q = 0; q < m; q++)                                            \
        switch (how) {                                                         \
        case PutSet: a.f[q] = b.f[q]; break;                                   \
        case PutAdd: a.f[q] = add; break;                                      \
        case PutMul: a.f[q] = mul; break;                                      \
        case PutMax: a.f[q] = b.f[q] > a.f[q] || b.f[q] != b.f[q] ? b.f[q] : a.f[q]; break; \
        case PutMin: a.f[q] = b.f[q] < a.f[q] || b.f[q] != b.f[q] ? b.f[q] : a.f[q]; break; \
        }
        if (ints) {
            EACH(i, (int64_t)((uint64_t)a.i[q] + (uint64_t)b.i[q]),
                 (int64_t)((uint64_t)a.i[q] * (uint64_t)b.i[q]))
            tensor_storein(x, i, step, m, a.i);
        } else {
            EACH(f, a.f[q] + b.f[q], a.f[q] * b.f[q])
            tensor_storen(x, i, step, m, a.f);
        }
#undef EACH
    }
}

/* One element of the same dtype. */
static void move_one(enum Dtype dt, char *to, int64_t i, const char *from, int64_t j)
{
    switch (dtypeinfo[dt].bits) {
    case 8:  to[i] = from[j]; break;
    case 16: ((uint16_t *)to)[i] = ((const uint16_t *)from)[j]; break;
    case 32: ((uint32_t *)to)[i] = ((const uint32_t *)from)[j]; break;
    case 64: ((uint64_t *)to)[i] = ((const uint64_t *)from)[j]; break;
    default: dtype_storei(dt, to, i, dtype_loadi(dt, from, j));
    }
}

/* Along a dimension ------------------------------------------------------ */

/* x as index lies: an element of it is found by adding place * stride[dim]. */
static Tensor along(const Tensor *x, int dim, const Tensor *index)
{
    Tensor v = *x;
    memcpy(v.shape, index->shape, sizeof v.shape);
    v.stride[dim] = 0;
    return v;
}

bool gather_apply(Tensor *out, const Tensor *x, int dim, const Tensor *index, int64_t *bad)
{
    Tensor v = along(x, dim, index);
    const char *from = storage_read(x->st);
    char *to = storage_write(out->st);
    Rows r;
    for (rows_start(&r, 3, (const Tensor *[]){out, index, &v}); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k++) {
            int64_t i;
            tensor_loadin(index, r.at[1] + k * r.step[1], 1, 1, &i);
            if (i < 0 || i >= x->shape[dim]) {
                *bad = i;
                return false;
            }
            move_one(x->dt, to, r.at[0] + k * r.step[0], from,
                     r.at[2] + k * r.step[2] + i * x->stride[dim]);
        }
    return true;
}

bool scatter_apply(enum Put how, Tensor *x, int dim, const Tensor *index, const Tensor *src,
                   int64_t *bad)
{
    Tensor v = along(x, dim, index);
    Rows r;
    for (rows_start(&r, 3, (const Tensor *[]){index, src, &v}); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k++) {
            int64_t i;
            tensor_loadin(index, r.at[0] + k * r.step[0], 1, 1, &i);
            if (i < 0 || i >= x->shape[dim]) {
                *bad = i;
                return false;
            }
            put_run(how, x, r.at[2] + k * r.step[2] + i * x->stride[dim], 1, src,
                    r.at[1] + k * r.step[1], 1, 1);
        }
    return true;
}

/* By lists of places ------------------------------------------------------ */

/* Where in x the parts begin, beyond its offset; free().  *why says why it is NULL. */
static int64_t *part_offsets(const Tensor *x, int lists, const Tensor *place, enum Take *why, int *k,
                             int64_t *bad)
{
    int64_t n = tensor_count(&place[0]);
    int64_t *at = calloc((size_t)n + 1, sizeof *at);
    *why = at ? TakeOk : TakeMemory;
    for (int j = 0; at && j < lists; j++) {
        Rows r;
        int64_t i = 0, extent = x->shape[j];
        for (rows_start(&r, 1, (const Tensor *[]){&place[j]}); rows_next(&r);)
            for (int64_t q = 0; q < r.n; q++, i++) {
                int64_t v;
                tensor_loadin(&place[j], r.at[0] + q * r.step[0], 1, 1, &v);
                if (v < -extent || v >= extent) {
                    *why = TakeRange;
                    *k = j;
                    *bad = v;
                    free(at);
                    return NULL;
                }
                at[i] += (v < 0 ? v + extent : v) * x->stride[j];
            }
    }
    return at;
}

/* Dimensions lo to hi - 1 of x. */
static Tensor part(const Tensor *x, int lo, int hi)
{
    Tensor v = *x;
    v.ndim = hi - lo;
    for (int d = lo; d < hi; d++) {
        v.shape[d - lo] = x->shape[d];
        v.stride[d - lo] = x->stride[d];
    }
    return v;
}

enum Take take_apply(Tensor *out, const Tensor *x, int lists, const Tensor *place, int *k,
                     int64_t *bad)
{
    enum Take why;
    int64_t *at = part_offsets(x, lists, place, &why, k, bad), i = 0;
    if (!at)
        return why;
    Tensor from = part(x, lists, x->ndim), to = part(out, place[0].ndim, out->ndim);
    Tensor outer = part(out, 0, place[0].ndim);
    int64_t n = tensor_count(&from), bits = dtypeinfo[x->dt].bits;
    bool whole = tensor_compact(&from) && tensor_compact(&to) && bits >= 8;
    const char *src = storage_read(x->st);
    char *dst = storage_write(out->st);
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){&outer}); n && rows_next(&r);)
        for (int64_t q = 0; q < r.n; q++, i++) {
            to.offset = r.at[0] + q * r.step[0];
            from.offset = x->offset + at[i];
            if (n == 1)
                move_one(x->dt, dst, to.offset, src, from.offset);
            else if (whole)
                memcpy(dst + to.offset * (bits / 8), src + from.offset * (bits / 8),
                       (size_t)(n * bits / 8));
            else
                tensor_copy(&to, &from);
        }
    free(at);
    return TakeOk;
}

enum Take put_apply(enum Put how, Tensor *x, int lists, const Tensor *place, const Tensor *value,
                    int *k, int64_t *bad)
{
    enum Take why;
    int64_t *at = part_offsets(x, lists, place, &why, k, bad), i = 0;
    if (!at)
        return why;
    Tensor to = part(x, lists, x->ndim), from = part(value, place[0].ndim, value->ndim);
    Tensor outer = part(value, 0, place[0].ndim);
    Rows r, s;
    for (rows_start(&r, 1, (const Tensor *[]){&outer}); rows_next(&r);)
        for (int64_t q = 0; q < r.n; q++, i++) {
            from.offset = r.at[0] + q * r.step[0];
            to.offset = x->offset + at[i];
            for (rows_start(&s, 2, (const Tensor *[]){&to, &from}); rows_next(&s);)
                put_run(how, x, s.at[0], s.step[0], value, s.at[1], s.step[1], s.n);
        }
    free(at);
    return TakeOk;
}

/* Places of elements that are not 0 ---------------------------------------- */

/* Calls itself for each index of dimension dim; with out NULL it counts. */
static int64_t nonzero_walk(const Tensor *x, int dim, int64_t at, int64_t *idx, Tensor *out,
                            int64_t n)
{
    if (dim == x->ndim) {
        double v;
        tensor_loadn(x, at, 1, 1, &v);
        if (v != 0 && out)
            tensor_storein(out, n * x->ndim, 1, x->ndim, idx);
        return n + (v != 0);
    }
    for (int64_t i = 0; i < x->shape[dim]; i++) {
        idx[dim] = i;
        n = nonzero_walk(x, dim + 1, at + i * x->stride[dim], idx, out, n);
    }
    return n;
}

bool nonzero_apply(Tensor *out, const Tensor *x)
{
    int64_t idx[TensorDims] = {0};
    int64_t shape[2] = {nonzero_walk(x, 0, x->offset, idx, NULL, 0), x->ndim};
    if (!tensor_new(out, DTi64, 2, shape))
        return false;
    nonzero_walk(x, 0, x->offset, idx, out, 0);
    return true;
}
