/* core/tensor/op_sort.c: order, for host programs: stable sorting, places in sorted lines. */
#include <math.h>
#include <string.h>

#include "op.h"
#include "op_lines.h"

/* Keys as numbers without a sign that are in the order of the values, NaN the greatest: the sort
 * knows nothing but these, and places. */
typedef struct SortKey SortKey;
struct SortKey { uint64_t key; int64_t at; };

static const uint64_t top = (uint64_t)1 << 63;

static uint64_t float_key(double v)
{
    uint64_t u;
    v = v == 0 ? 0 : v; /* -0 is no less than 0 */
    memcpy(&u, &v, sizeof u);
    return v != v ? UINT64_MAX : u & top ? ~u : u | top;
}

static void merge(const SortKey *a, int64_t n, const SortKey *b, int64_t m, SortKey *to)
{
    while (n && m) {
        bool second = b->key < a->key;
        *to++ = second ? *b : *a;
        a += !second, n -= !second;
        b += second, m -= second;
    }
    memcpy(to, a, (size_t)n * sizeof *a);
    memcpy(to + n, b, (size_t)m * sizeof *b);
}

enum { Small = 12 };

/* Sorts n keys at v by way of as many at w; stable. */
static void sort_keys(SortKey *v, SortKey *w, int64_t n)
{
    for (int64_t lo = 0; lo < n; lo += Small)
        for (int64_t i = lo + 1; i < n && i < lo + Small; i++) {
            SortKey k = v[i];
            int64_t j = i;
            for (; j > lo && k.key < v[j - 1].key; j--)
                v[j] = v[j - 1];
            v[j] = k;
        }
    SortKey *from = v, *to = w;
    for (int64_t run = Small; run < n; run *= 2) {
        for (int64_t i = 0; i < n; i += 2 * run) {
            int64_t a = n - i < run ? n - i : run, b = n - i - a < run ? n - i - a : run;
            merge(from + i, a, from + i + a, b, to + i);
        }
        SortKey *t = from;
        from = to;
        to = t;
    }
    if (from != v)
        memcpy(v, from, (size_t)n * sizeof *v);
}

typedef struct SortLine SortLine;
struct SortLine { bool ints, u, falling; };

static void sort_line(const void *ud, Line *l)
{
    const SortLine *s = ud;
    SortKey *key = (SortKey *)(void *)l->scratch;
    for (int64_t i = 0; i < l->n; i++) {
        uint64_t k = !s->ints ? float_key(l->in.f[i]) : (uint64_t)l->in.i[i] ^ (s->u ? 0 : top);
        key[i] = (SortKey){s->falling ? ~k : k, i};
    }
    sort_keys(key, key + l->n, l->n);
    for (int64_t i = 0; i < l->n; i++) {
        l->index[i] = key[i].at;
        l->out.i[i] = l->in.i[key[i].at]; /* the bits, of a double too */
    }
}

bool sort_apply(Tensor *values, Tensor *index, const Tensor *x, int dim, bool falling)
{
    SortLine s = {!dtype_isfloat(x->dt), x->dt == DTu64, falling};
    Lines l = {.out = *values, .index = *index, .x = *x, .dim = dim, .scratch = 4, .ints = s.ints,
               .f = sort_line, .ud = &s};
    return lines_apply(&l, 100);
}

/* Places in sorted lines ------------------------------------------------- */

static bool goes_before(double a, double v, bool right)
{
    if (a != a || v != v)
        return a == a || (right && v != v);
    return right ? a <= v : a < v;
}

static int64_t place_of(const Tensor *s, int64_t at, double v, bool right)
{
    int64_t lo = 0, n = s->shape[s->ndim - 1], step = s->stride[s->ndim - 1];
    while (n > 0) {
        int64_t half = n / 2;
        double a;
        tensor_loadn(s, at + (lo + half) * step, 1, 1, &a);
        if (goes_before(a, v, right)) {
            lo += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return lo;
}

void search_apply(Tensor *out, const Tensor *sorted, const Tensor *x, bool right)
{
    Tensor line = *sorted; /* its first elements, expanded to x */
    line.ndim = x->ndim;
    for (int d = 0; d < x->ndim; d++) {
        bool own = sorted->ndim == x->ndim && sorted->ndim > 1 && d < x->ndim - 1;
        line.shape[d] = x->shape[d];
        line.stride[d] = own ? sorted->stride[d] : 0;
    }
    Rows r;
    for (rows_start(&r, 3, (const Tensor *[]){out, x, &line}); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k++) {
            double v;
            tensor_loadn(x, r.at[1] + k * r.step[1], 1, 1, &v);
            int64_t at = place_of(sorted, r.at[2] + k * r.step[2], v, right);
            tensor_storein(out, r.at[0] + k * r.step[0], 1, 1, &at);
        }
}
