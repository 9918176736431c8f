/* core/tensor/overlap.c: whether two strided tensors over one storage have an element in
 * common.
 *
 * Element (i, j, ..) of one is element (k, l, ..) of the other where
 *     a1*i + a2*j + .. - b1*k - b2*l .. = the distance of their first elements.
 * With each index of the second counted from its end, all coefficients are
 * positive.  The largest is tried first: what the others can still make up for
 * leaves it few values, mostly one. */
#include "tensor.h"

enum { MaxTerms = 2 * TensorDims, MaxTries = 100000 };

typedef struct OverlapTest OverlapTest;
struct OverlapTest {
    int64_t coef[MaxTerms], most[MaxTerms]; /* 0 .. most times coef */
    int n, tries;
};

/* sign * stride * index is one more term of the equation `.. = *want`. */
static void overlap_test_add_term(OverlapTest *m, int64_t stride, int64_t shape, int64_t *want)
{
    if (stride == 0 || shape <= 1)
        return;
    if (stride < 0) {
        *want -= stride * (shape - 1);
        stride = -stride;
    }
    int i = 0;
    while (i < m->n && m->coef[i] > stride)
        i++;
    if (i < m->n && m->coef[i] == stride) {
        m->most[i] += shape - 1;
        return;
    }
    for (int k = m->n++; k > i; k--) {
        m->coef[k] = m->coef[k - 1];
        m->most[k] = m->most[k - 1];
    }
    m->coef[i] = stride;
    m->most[i] = shape - 1;
}

static bool solvable(OverlapTest *m, int i, int64_t want)
{
    int64_t rest = 0;
    if (want < 0 || i == m->n)
        return want == 0;
    for (int k = i + 1; k < m->n; k++)
        rest += m->coef[k] * m->most[k];
    int64_t hi = want / m->coef[i], lo = want > rest ? (want - rest + m->coef[i] - 1) / m->coef[i] : 0;
    hi = hi < m->most[i] ? hi : m->most[i];
    for (int64_t v = lo; v <= hi; v++)
        if (m->tries-- <= 0 || solvable(m, i + 1, want - v * m->coef[i]))
            return true;
    return false;
}

/* First and last bit of t in its storage. */
static void bit_range(const Tensor *t, int64_t *from, int64_t *to)
{
    int64_t bits = dtypeinfo[t->dt].bits;
    *from = *to = t->offset;
    for (int d = 0; d < t->ndim; d++)
        *(t->stride[d] < 0 ? from : to) += t->stride[d] * (t->shape[d] - 1);
    *from *= bits;
    *to = (*to + 1) * bits - 1;
}

bool tensor_meets(const Tensor *a, const Tensor *b)
{
    int64_t from[2], to[2], want = b->offset - a->offset;
    OverlapTest m = {.tries = MaxTries};
    if (a->st != b->st || tensor_count(a) == 0 || tensor_count(b) == 0)
        return false;
    bit_range(a, &from[0], &to[0]);
    bit_range(b, &from[1], &to[1]);
    if (to[0] < from[1] || to[1] < from[0])
        return false;
    if (dtypeinfo[a->dt].bits != dtypeinfo[b->dt].bits)
        return true;
    for (int d = 0; d < a->ndim; d++)
        overlap_test_add_term(&m, a->stride[d], a->shape[d], &want);
    for (int d = 0; d < b->ndim; d++)
        overlap_test_add_term(&m, -b->stride[d], b->shape[d], &want);
    return solvable(&m, 0, want);
}
