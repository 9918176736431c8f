/* core/tensor/compare.c: is one tensor close to another, and if not, where not.
 *
 * Tensors are seen as a matrix: the last dimension gives the columns, the
 * others together the rows.  One pass counts, finds the worst, and marks which
 * rows and columns hold bad and good elements; the patterns that people know
 * are then read off those marks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ref.h"

enum { Run = 256, Bad = 1, Good = 2 };

/* What one pass gathers. */
typedef struct ComparePass ComparePass;
struct ComparePass {
    const Tensor *got, *want;
    double rtol, atol;
    Compare *c;
    uint8_t *row, *col; /* Bad and Good by row and column; NULL: only count */
    int64_t nonzero, nonzero_want; /* elements that are not 0 */
    double big, big_got; /* the greatest |want|, and got there */
    int64_t good_row, good_col; /* one beyond the last that is good */
};

static bool compare_close_enough(double g, double w, double rtol, double atol)
{
    return g == w || (fabs(w) <= DBL_MAX && fabs(g - w) <= atol + rtol * fabs(w));
}

static void compare_unflatten(const Tensor *t, int64_t at, int64_t *idx)
{
    for (int d = t->ndim - 1; d >= 0; d--) {
        idx[d] = at % t->shape[d];
        at /= t->shape[d];
    }
}

static void compare_worst(ComparePass *p, double g, double w, int64_t at)
{
    Compare *c = p->c;
    double diff = fabs(g - w), rel = w != 0 ? diff / fabs(w) : 0;
    if (diff > c->maxabs) {
        c->maxabs = diff;
        compare_unflatten(p->got, at, c->abs_at);
    }
    if (rel > c->maxrel) {
        c->maxrel = rel;
        compare_unflatten(p->got, at, c->rel_at);
    }
}

static void compare_bad_element(ComparePass *p, double g, double w, int64_t row, int64_t col)
{
    Compare *c = p->c;
    if (c->bad++ == 0) {
        compare_unflatten(p->got, row * c->cols + col, c->first);
        c->got = g;
        c->want = w;
    }
    c->map[row / c->cell_rows][col / c->cell_cols] = 'x';
    p->row[row] |= Bad;
    p->col[col] |= Bad;
}

/* n elements of row `row` from column col on. */
static void compare_run(ComparePass *p, const double *g, const double *w, int64_t n, int64_t row,
                        int64_t col)
{
    for (int64_t k = 0; k < n; k++) {
        p->nonzero += g[k] != 0;
        p->nonzero_want += w[k] != 0;
        if (fabs(w[k]) > p->big && fabs(w[k]) <= DBL_MAX) {
            p->big = fabs(w[k]);
            p->big_got = w[k] < 0 ? -g[k] : g[k];
        }
        if (g[k] != w[k])
            compare_worst(p, g[k], w[k], row * p->c->cols + col + k);
        p->c->nan += g[k] != g[k];
        if (!compare_close_enough(g[k], w[k], p->rtol, p->atol)) {
            compare_bad_element(p, g[k], w[k], row, col + k);
            continue;
        }
        p->row[row] |= Good;
        p->col[col + k] |= Good;
        p->good_row = row + 1;
        p->good_col = col + k >= p->good_col ? col + k + 1 : p->good_col;
    }
}

/* Calls compare_run() for pieces of every row. */
static void pass(ComparePass *p)
{
    double g[Run], w[Run];
    Tensor a = *p->got, b = *p->want;
    int64_t cols = p->c->cols, da = 1, db = 1, row = 0;
    if (a.ndim) {
        da = a.stride[a.ndim - 1];
        db = b.stride[b.ndim - 1];
        tensor_select(&a, a.ndim - 1, 0);
        tensor_select(&b, b.ndim - 1, 0);
    }
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){&a, &b}); rows_next(&r);)
        for (int64_t i = 0; i < r.n; i++, row++)
            for (int64_t k = 0, n; k < cols; k += n) {
                n = cols - k < Run ? cols - k : Run;
                tensor_loadn(p->got, r.at[0] + i * r.step[0] + k * da, da, n, g);
                tensor_loadn(p->want, r.at[1] + i * r.step[1] + k * db, db, n, w);
                compare_run(p, g, w, n, row, k);
            }
}

/* Whether got is close to factor * want everywhere; stops at the first miss. */
static bool all_close(const Tensor *got, const Tensor *want, double factor, double rtol,
                      double atol)
{
    double g[Run], w[Run];
    Rows r;
    for (rows_start(&r, 2, (const Tensor *[]){got, want}); rows_next(&r);)
        for (int64_t k = 0, n; k < r.n; k += n) {
            n = r.n - k < Run ? r.n - k : Run;
            tensor_loadn(got, r.at[0] + k * r.step[0], r.step[0], n, g);
            tensor_loadn(want, r.at[1] + k * r.step[1], r.step[1], n, w);
            for (int64_t i = 0; i < n; i++)
                if (!compare_close_enough(g[i], factor * w[i], rtol, atol))
                    return false;
        }
    return true;
}

/* Patterns ---------------------------------------------------------------- */

/* The least period of "holds a bad element" over n marks when exactly one
 * place in each period is bad; that place in *at; 0: none. */
static int64_t compare_period(const uint8_t *mark, int64_t n, int64_t *at)
{
    int64_t first = 0, second;
    while (first < n && !(mark[first] & Bad))
        first++;
    for (second = first + 1; second < n && !(mark[second] & Bad); second++)
        ;
    int64_t p = second - first;
    if (second >= n || p < 2 || first >= p)
        return 0;
    for (int64_t i = 0; i < n; i++)
        if (((mark[i] & Bad) != 0) != (i % p == first))
            return 0;
    *at = first;
    return p;
}

/* The first mark that is bad, when from there on all hold only bad elements
 * and none does before. */
static int64_t tail(const uint8_t *mark, int64_t n)
{
    int64_t i = 0;
    while (i < n && !(mark[i] & Bad))
        i++;
    int64_t from = i;
    while (i < n && mark[i] == Bad)
        i++;
    return i == n && from > 0 && from < n ? from : 0;
}

static bool transposed(const ComparePass *p)
{
    int n = p->got->ndim;
    if (n < 2 || p->got->shape[n - 1] != p->got->shape[n - 2] || p->got->shape[n - 1] < 2)
        return false;
    Tensor w = *p->want;
    int dim[TensorDims];
    for (int d = 0; d < n; d++)
        dim[d] = d;
    dim[n - 1] = n - 2;
    dim[n - 2] = n - 1;
    tensor_permute(&w, dim);
    return all_close(p->got, &w, 1, p->rtol, p->atol);
}

/* A period of at least 4 whose last place is bad is a tile. */
static bool periodic(Compare *c, const uint8_t *mark, int64_t n, enum Pattern every,
                     enum Pattern last)
{
    int64_t at, p = compare_period(mark, n, &at);
    if (!p)
        return false;
    c->pattern = p >= 4 && at == p - 1 ? last : every;
    c->p[0] = c->pattern == last ? p : at;
    c->p[1] = at + p;
    c->p[2] = p;
    return true;
}

static void name_pattern(ComparePass *p)
{
    Compare *c = p->c;
    double factor = p->big > 0 ? p->big_got / p->big : 0;
    if (p->nonzero == 0 && p->nonzero_want > 0) {
        c->pattern = Pzeros;
        return;
    }
    if (transposed(p)) {
        c->pattern = Ptransposed;
        return;
    }
    if (factor != 0 && fabs(factor) <= DBL_MAX && c->count >= 4 &&
        all_close(p->got, p->want, factor, p->rtol + 1e-6, p->atol)) {
        c->pattern = Pscaled;
        c->factor = factor;
        return;
    }
    if (c->count < 16)
        return; /* anything looks like a pattern */
    if (periodic(c, p->col, c->cols, Peverycol, Plastcol) ||
        periodic(c, p->row, c->rows, Peveryrow, Plastrow))
        return;
    if ((c->p[0] = tail(p->col, c->cols)) > 0) {
        c->pattern = Ptailcol;
    } else if (p->got->ndim <= 2 && (c->p[0] = tail(p->row, c->rows)) > 0) {
        c->pattern = Ptailrow;
    } else if (c->count - c->bad == p->good_row * p->good_col && c->bad < c->count) {
        c->pattern = Pfirstblock;
        c->p[0] = p->good_row;
        c->p[1] = p->good_col;
    }
}

/* Cells of a power of two, so that their borders are those of tiles. */
static int64_t compare_cell(int64_t n, int most)
{
    int64_t size = 1;
    while ((n + size - 1) / size > most)
        size *= 2;
    return size;
}

static void size_map(Compare *c)
{
    c->cell_rows = compare_cell(c->rows, MapRows);
    c->cell_cols = compare_cell(c->cols, MapCols);
    c->map_rows = (int)((c->rows + c->cell_rows - 1) / c->cell_rows);
    c->map_cols = (int)((c->cols + c->cell_cols - 1) / c->cell_cols);
    for (int i = 0; i < c->map_rows; i++)
        memset(c->map[i], '.', (size_t)c->map_cols);
}

bool compare(Compare *c, const Tensor *got, const Tensor *want, double rtol, double atol)
{
    *c = (Compare){.count = tensor_count(got)};
    c->cols = got->ndim ? got->shape[got->ndim - 1] : 1;
    c->rows = c->cols ? c->count / c->cols : 0;
    size_map(c);
    ComparePass p = {.got = got, .want = want, .rtol = rtol, .atol = atol, .c = c};
    p.row = calloc((size_t)(c->rows + c->cols + 1), 1);
    if (!p.row)
        return false;
    p.col = p.row + c->rows;
    pass(&p);
    if (c->bad)
        name_pattern(&p);
    free(p.row);
    return true;
}
