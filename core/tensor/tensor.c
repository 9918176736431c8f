/* core/tensor/tensor.c: strided tensors over shared storage.
 *
 * A view is a second Tensor over the same Storage.  Everything that visits
 * all elements goes through Rows, which merges dimensions first, so a compact
 * tensor of any rank is one run. */
#include <string.h>

#include "tensor.h"
#include "vec.h"

/* 2^46 bytes: no machine has them, and no product below can overflow. */
static const int64_t maxcount = (int64_t)1 << 46;

int64_t tensor_count(const Tensor *t)
{
    int64_t n = 1;
    for (int d = 0; d < t->ndim; d++)
        n *= t->shape[d];
    return n;
}

int64_t tensor_bytes(enum Dtype dt, int64_t count)
{
    return (count * dtypeinfo[dt].bits + 7) / 8;
}

/* Row-major strides of t's shape. */
static void setstrides(Tensor *t)
{
    int64_t n = 1;
    for (int d = t->ndim - 1; d >= 0; d--) {
        t->stride[d] = n;
        n *= t->shape[d] ? t->shape[d] : 1;
    }
}

bool tensor_new(Tensor *t, enum Dtype dt, int ndim, const int64_t *shape)
{
    *t = (Tensor){.dt = dt, .ndim = ndim};
    int64_t n = 1;
    for (int d = 0; d < ndim; d++) {
        int64_t ext = shape[d];
        if (ext < 0 || ext > maxcount || (ext && n > maxcount / ext))
            return false;
        n *= ext ? ext : 1;
        t->shape[d] = ext;
    }
    setstrides(t);
    int64_t bytes = tensor_bytes(dt, tensor_count(t));
    t->st = storage_new(bytes ? (size_t)bytes : 1);
    return t->st != NULL;
}

void tensor_free(Tensor *t)
{
    if (t->st)
        storage_unref(t->st);
    t->st = NULL;
}

bool tensor_compact(const Tensor *t)
{
    int64_t n = 1;
    for (int d = t->ndim - 1; d >= 0; d--) {
        if (t->shape[d] != 1 && t->stride[d] != n)
            return tensor_count(t) == 0;
        n *= t->shape[d];
    }
    return true;
}

static int64_t element_offset(const Tensor *t, const int64_t *idx)
{
    int64_t at = t->offset;
    for (int d = 0; d < t->ndim; d++)
        at += idx[d] * t->stride[d];
    return at;
}

double tensor_get(const Tensor *t, const int64_t *idx)
{
    return dtype_load(t->dt, storage_read(t->st), element_offset(t, idx));
}

int64_t tensor_geti(const Tensor *t, const int64_t *idx)
{
    return dtype_loadi(t->dt, storage_read(t->st), element_offset(t, idx));
}

void tensor_set(Tensor *t, const int64_t *idx, double v)
{
    dtype_wrapn(t->dt, storage_write(t->st), element_offset(t, idx), 1, &v);
}

void tensor_seti(Tensor *t, const int64_t *idx, int64_t v)
{
    dtype_storei(t->dt, storage_write(t->st), element_offset(t, idx), v);
}

bool tensor_sameshape(const Tensor *a, const Tensor *b)
{
    return a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0;
}

/* Views ---------------------------------------------------------------- */

void tensor_view(Tensor *out, const Tensor *t)
{
    *out = *t;
    storage_ref(t->st);
}

static void dropdim(Tensor *t, int dim)
{
    for (int d = dim; d + 1 < t->ndim; d++) {
        t->shape[d] = t->shape[d + 1];
        t->stride[d] = t->stride[d + 1];
    }
    t->ndim--;
}

void tensor_select(Tensor *t, int dim, int64_t i)
{
    t->offset += i * t->stride[dim];
    dropdim(t, dim);
}

void tensor_narrow(Tensor *t, int dim, int64_t lo, int64_t hi)
{
    t->offset += lo * t->stride[dim];
    t->shape[dim] = hi > lo ? hi - lo : 0;
}

void tensor_permute(Tensor *t, const int *dim)
{
    Tensor old = *t;
    for (int d = 0; d < t->ndim; d++) {
        t->shape[d] = old.shape[dim[d]];
        t->stride[d] = old.stride[dim[d]];
    }
}

void tensor_unsqueeze(Tensor *t, int dim)
{
    int64_t stride = dim < t->ndim ? t->shape[dim] * t->stride[dim] : 1;
    for (int d = t->ndim; d > dim; d--) {
        t->shape[d] = t->shape[d - 1];
        t->stride[d] = t->stride[d - 1];
    }
    t->shape[dim] = 1;
    t->stride[dim] = stride;
    t->ndim++;
}

/* A new dimension must be cut out of one run of old dimensions that lie
 * behind each other without gaps.  Both shapes are consumed from the left,
 * group by group of equal products. */
bool tensor_reshape(Tensor *t, int ndim, const int64_t *shape)
{
    Tensor r = *t;
    r.ndim = ndim;
    memset(r.shape, 0, sizeof r.shape);
    for (int d = 0; d < ndim; d++)
        r.shape[d] = shape[d];
    if (tensor_count(t) == 0 || tensor_compact(t)) {
        setstrides(&r);
        *t = r;
        return true;
    }
    for (int i = 0, j = 0; i < t->ndim || j < ndim;) {
        int i0 = i, j0 = j;
        int64_t a = i < t->ndim ? t->shape[i++] : 1, b = j < ndim ? shape[j++] : 1;
        while (a != b) {
            if (a < b)
                a *= t->shape[i++];
            else
                b *= shape[j++];
        }
        int64_t step = 0, gap = 0; /* of the last dimension that is not 1 */
        for (int k = i - 1; k >= i0; k--) {
            if (t->shape[k] == 1)
                continue;
            if (gap && t->stride[k] != gap)
                return false;
            if (!gap)
                step = t->stride[k];
            gap = t->stride[k] * t->shape[k];
            if (!gap)
                return false; /* an expanded dimension */
        }
        for (int k = j - 1; k >= j0; k--) {
            r.stride[k] = step;
            step *= shape[k];
        }
    }
    *t = r;
    return true;
}

bool tensor_expand(Tensor *t, int ndim, const int64_t *shape)
{
    if (ndim < t->ndim)
        return false;
    Tensor r = *t;
    r.ndim = ndim;
    for (int d = ndim - 1, s = t->ndim - 1; d >= 0; d--, s--) {
        bool same = s >= 0 && t->shape[s] == shape[d];
        if (s >= 0 && !same && t->shape[s] != 1)
            return false;
        r.shape[d] = shape[d];
        r.stride[d] = same ? t->stride[s] : 0;
        if (s < 0 && shape[d] == 1 && t->ndim > 0)
            r.stride[d] = r.shape[d + 1] * r.stride[d + 1];
    }
    *t = r;
    return true;
}

bool tensor_broadcast(const Tensor *a, const Tensor *b, int *ndim, int64_t *shape)
{
    int n = a->ndim > b->ndim ? a->ndim : b->ndim;
    for (int k = 1; k <= n; k++) {
        int64_t x = k <= a->ndim ? a->shape[a->ndim - k] : 1;
        int64_t y = k <= b->ndim ? b->shape[b->ndim - k] : 1;
        if (x != y && x != 1 && y != 1)
            return false;
        shape[n - k] = x == 1 ? y : x;
    }
    *ndim = n;
    return true;
}

/* Rows ----------------------------------------------------------------- */

/* Whether dimension d of r can be one with d + 1: in every tensor a step of d
 * is a whole dimension d + 1. */
static bool mergeable(const Rows *r, int d)
{
    for (int j = 0; j < r->nt; j++)
        if (r->stride[j][d] != r->shape[d + 1] * r->stride[j][d + 1])
            return false;
    return true;
}

void rows_start(Rows *r, int nt, const Tensor *const *t)
{
    *r = (Rows){.nt = nt, .n = 1, .left = 1};
    for (int d = 0; d < t[0]->ndim; d++) {
        if (t[0]->shape[d] == 1)
            continue;
        r->shape[r->ndim] = t[0]->shape[d];
        for (int j = 0; j < nt; j++)
            r->stride[j][r->ndim] = t[j]->stride[d];
        r->ndim++;
    }
    for (int d = r->ndim - 2; d >= 0; d--) {
        if (!mergeable(r, d))
            continue;
        r->shape[d] *= r->shape[d + 1];
        for (int j = 0; j < nt; j++)
            r->stride[j][d] = r->stride[j][d + 1];
        r->ndim--;
        for (int k = d + 1; k < r->ndim; k++) {
            r->shape[k] = r->shape[k + 1];
            for (int j = 0; j < nt; j++)
                r->stride[j][k] = r->stride[j][k + 1];
        }
    }
    for (int j = 0; j < nt; j++)
        r->at[j] = t[j]->offset;
    if (r->ndim) {
        int last = --r->ndim;
        r->n = r->shape[last];
        for (int j = 0; j < nt; j++)
            r->step[j] = r->stride[j][last];
    }
    for (int d = 0; d < r->ndim; d++)
        r->left *= r->shape[d];
    if (r->n == 0)
        r->left = 0;
    if (r->ndim) /* rows_next() steps before each run: start one before */
        r->idx[r->ndim - 1] = -1;
    for (int j = 0; j < nt && r->ndim; j++)
        r->at[j] -= r->stride[j][r->ndim - 1];
}

bool rows_next(Rows *r)
{
    if (r->left-- <= 0)
        return false;
    for (int d = r->ndim - 1; d >= 0; d--) {
        bool carry = ++r->idx[d] == r->shape[d];
        for (int j = 0; j < r->nt; j++)
            r->at[j] += r->stride[j][d] * (carry ? 1 - r->shape[d] : 1);
        if (!carry)
            break;
        r->idx[d] = 0;
    }
    return true;
}

/* Strided runs --------------------------------------------------------- */

enum { Run = 512 };

#define STRIDED(type)                                                          \
    {                                                                          \
        type *d = (type *)dst + i;                                             \
        const type *s = (const type *)src + j;                                 \
        for (int64_t k = 0; k < n; k++)                                        \
            d[k * di] = s[k * dj];                                             \
    }

/* n elements of one type between strides. */
static void move(enum Dtype dt, void *dst, int64_t i, int64_t di,
                 const void *src, int64_t j, int64_t dj, int64_t n)
{
    switch (dtypeinfo[dt].bits) {
    case 8:  STRIDED(uint8_t) break;
    case 16: STRIDED(uint16_t) break;
    case 32: STRIDED(uint32_t) break;
    case 64: STRIDED(uint64_t) break;
    default:
        for (int64_t k = 0; k < n; k++)
            dtype_storei(dt, dst, i + k * di, dtype_loadi(dt, src, j + k * dj));
    }
}

static void load(enum Dtype dt, const void *p, int64_t at, int64_t n, double *out)
{
    if (dt == DTf16)
        vec_loops()->from_f16(out, (const uint16_t *)p + at, n);
    else if (dt == DTbf16)
        vec_loops()->from_bf16(out, (const uint16_t *)p + at, n);
    else
        dtype_loadn(dt, p, at, n, out);
}

static void store(enum Dtype dt, void *p, int64_t at, int64_t n, const double *v)
{
    if (dt == DTf16)
        vec_loops()->to_f16((uint16_t *)p + at, v, n);
    else if (dt == DTbf16)
        vec_loops()->to_bf16((uint16_t *)p + at, v, n);
    else
        dtype_wrapn(dt, p, at, n, v);
}

/* A run that is not contiguous goes through a small contiguous one, so that the loops over dtypes
 * see many elements at once; an element that is repeated is read once. */
#define RUNS(one)                                                              \
    if (step == 1 || n == 1) {                                                 \
        one(t->dt, p, at, n, v);                                               \
        return;                                                                \
    }                                                                          \
    uint64_t cell[Run];                                                        \
    for (int64_t k = 0, m; k < n; k += m, at += m * step) {                    \
        m = n - k < Run ? n - k : Run;

void tensor_loadn(const Tensor *t, int64_t at, int64_t step, int64_t n, double *v)
{
    const char *p = storage_read(t->st);
    if (step == 0 && n > 1) {
        load(t->dt, p, at, 1, v);
        for (int64_t k = 1; k < n; k++)
            v[k] = v[0];
        return;
    }
    RUNS(load)
        move(t->dt, cell, 0, 1, p, at, step, m);
        load(t->dt, cell, 0, m, v + k);
    }
}

void tensor_storen(Tensor *t, int64_t at, int64_t step, int64_t n, const double *v)
{
    char *p = storage_write(t->st);
    RUNS(store)
        store(t->dt, cell, 0, m, v + k);
        move(t->dt, p, at, step, cell, 0, 1, m);
    }
}

void tensor_loadin(const Tensor *t, int64_t at, int64_t step, int64_t n, int64_t *v)
{
    const char *p = storage_read(t->st);
    RUNS(dtype_loadin)
        move(t->dt, cell, 0, 1, p, at, step, m);
        dtype_loadin(t->dt, cell, 0, m, v + k);
    }
}

void tensor_storein(Tensor *t, int64_t at, int64_t step, int64_t n, const int64_t *v)
{
    char *p = storage_write(t->st);
    RUNS(dtype_storein)
        dtype_storein(t->dt, cell, 0, m, v + k);
        move(t->dt, p, at, step, cell, 0, 1, m);
    }
}
#undef RUNS

/* Whole tensors -------------------------------------------------------- */

static bool whole_storage(const Tensor *t)
{
    size_t bytes = (size_t)tensor_bytes(t->dt, tensor_count(t));
    return t->offset == 0 && bytes == t->st->bytes && tensor_compact(t);
}

void tensor_renew(Tensor *t)
{
    if (whole_storage(t))
        storage_replace(t->st);
}

/* Elements of t in 8 bytes; 0: they do not fill them. */
static int word_elements(const Tensor *t)
{
    int bits = dtypeinfo[t->dt].bits;
    return 64 % bits ? 0 : 64 / bits;
}

void tensor_fill(Tensor *t, double v)
{
    double one[Run];
    for (int k = 0; k < Run; k++)
        one[k] = v;
    if (whole_storage(t) && word_elements(t)) {
        uint64_t word;
        store(t->dt, &word, 0, word_elements(t), one);
        storage_fill(t->st, word);
        return;
    }
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){t}); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k += Run)
            tensor_storen(t, r.at[0] + k * r.step[0], r.step[0],
                          r.n - k < Run ? r.n - k : Run, one);
}

void tensor_filli(Tensor *t, int64_t v)
{
    int64_t one[Run];
    for (int k = 0; k < Run; k++)
        one[k] = v;
    if (whole_storage(t) && word_elements(t)) {
        uint64_t word;
        dtype_storein(t->dt, &word, 0, word_elements(t), one);
        storage_fill(t->st, word);
        return;
    }
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){t}); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k += Run)
            tensor_storein(t, r.at[0] + k * r.step[0], r.step[0],
                           r.n - k < Run ? r.n - k : Run, one);
}

/* One run: gathered, converted, scattered, by way of small buffers where a
 * side is strided. */
static void copyrun(Tensor *dst, const Tensor *src, const Rows *r)
{
    uint64_t in[Run], out[Run];
    char *d = storage_write(dst->st);
    const char *s = storage_read(src->st);
    if (dst->dt == src->dt && (r->step[0] != 1 || r->step[1] != 1)) {
        move(dst->dt, d, r->at[0], r->step[0], s, r->at[1], r->step[1], r->n);
        return;
    }
    if (r->step[0] == 1 && r->step[1] == 1) {
        dtype_convert(dst->dt, d, r->at[0], src->dt, s, r->at[1], r->n);
        return;
    }
    for (int64_t k = 0, n; k < r->n; k += n) {
        n = r->n - k < Run ? r->n - k : Run;
        move(src->dt, in, 0, 1, s, r->at[1] + k * r->step[1], r->step[1], n);
        dtype_convert(dst->dt, out, 0, src->dt, in, 0, n);
        move(dst->dt, d, r->at[0] + k * r->step[0], r->step[0], out, 0, 1, n);
    }
}

static bool tensor_overlaps(const Tensor *a, const Tensor *b)
{
    return a->st == b->st && tensor_count(a) > 0;
}

static bool identical(const Tensor *a, const Tensor *b)
{
    return a->dt == b->dt && a->offset == b->offset &&
           memcmp(a->stride, b->stride, (size_t)a->ndim * sizeof *a->stride) == 0;
}

bool tensor_copy(Tensor *dst, const Tensor *src)
{
    Tensor tmp = {0};
    if (tensor_overlaps(dst, src)) {
        if (identical(dst, src))
            return true;
        if (!tensor_clone(&tmp, src, src->dt))
            return false;
        src = &tmp;
    }
    tensor_renew(dst);
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){dst, src}); rows_next(&r);)
        copyrun(dst, src, &r);
    tensor_free(&tmp);
    return true;
}

bool tensor_clone(Tensor *out, const Tensor *t, enum Dtype dt)
{
    return tensor_new(out, dt, t->ndim, t->shape) && tensor_copy(out, t);
}

bool tensor_equal(const Tensor *a, const Tensor *b)
{
    if (a->dt != b->dt || !tensor_sameshape(a, b))
        return false;
    bool ints = !dtype_isfloat(a->dt);
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){a, b}); rows_next(&r);) {
        for (int64_t k = 0, n; k < r.n; k += n) {
            n = r.n - k < Run ? r.n - k : Run;
            int64_t i = r.at[0] + k * r.step[0], j = r.at[1] + k * r.step[1];
            double x[Run], y[Run];
            int64_t u[Run], w[Run];
            if (ints) {
                tensor_loadin(a, i, r.step[0], n, u);
                tensor_loadin(b, j, r.step[1], n, w);
                if (memcmp(u, w, (size_t)n * sizeof *u) != 0)
                    return false;
                continue;
            }
            tensor_loadn(a, i, r.step[0], n, x);
            tensor_loadn(b, j, r.step[1], n, y);
            for (int64_t q = 0; q < n; q++)
                if (!(x[q] == y[q]))
                    return false;
        }
    }
    return true;
}
