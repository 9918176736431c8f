/* core/tensor/show.c: what T.print writes.
 *
 *     block (0, 1): step 3
 *     block (0, 1): after softmax: S float32 (4, 3)
 *       [[ 0.5   0.25  0.25]
 *        [ ...              ]]
 *
 * Large tiles show their edges: Edge rows and columns at each end. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show.h"
#include "tensor.h"

enum { Edge = 4, MaxRows = 16, MaxCols = 12, MaxSlices = 4, CellBytes = 32 };

/* Significant digits that tell neighbouring values apart by eye. */
static int significant_digits(enum Dtype dt)
{
    switch (dtypeinfo[dt].bits) {
    case 8: return 4;
    case 16: return 5;
    case 64: return 8;
    default: return 6;
    }
}

static void show_cell(char out[CellBytes], enum Dtype dt, const void *data, int64_t i)
{
    if (dtypeinfo[dt].cls == 'F') {
        double v = dtype_load(dt, data, i);
        if (isnan(v))
            snprintf(out, CellBytes, "nan"); /* C may print its sign */
        else
            snprintf(out, CellBytes, "%.*g", significant_digits(dt), v);
    } else if (dt == DTbool) {
        snprintf(out, CellBytes, "%s", dtype_loadi(dt, data, i) ? "true" : "false");
    } else if (dt == DTu64) {
        snprintf(out, CellBytes, "%" PRIu64, (uint64_t)dtype_loadi(dt, data, i));
    } else {
        snprintf(out, CellBytes, "%" PRId64, dtype_loadi(dt, data, i));
    }
}

/* The k-th index shown of n, -1 for the ellipsis; n itself after the last. */
static int64_t show_shown(int64_t k, int64_t n, int64_t max)
{
    if (n <= max || k < Edge)
        return k < n ? k : n;
    if (k == Edge)
        return -1;
    int64_t i = n - Edge + (k - Edge - 1);
    return i < n ? i : n;
}

/* rows x cols elements from element `at`; the outermost bracket and what
 * separates slices is the caller's. */
static void show_matrix(Str *out, const Shown *w, const void *data, int64_t at,
                        int64_t rows, int64_t cols, int64_t rstride, int64_t cstride)
{
    enum Dtype dt = w->dt;
    char s[CellBytes];
    int width = 0;
    for (int64_t a = 0, i; (i = show_shown(a, rows, MaxRows)) < rows; a++) {
        for (int64_t b = 0, j; i >= 0 && (j = show_shown(b, cols, MaxCols)) < cols; b++) {
            if (j < 0)
                continue;
            show_cell(s, dt, data, at + i * rstride + j * cstride);
            int n = (int)strlen(s);
            width = n > width ? n : width;
        }
    }
    for (int64_t a = 0, i; (i = show_shown(a, rows, MaxRows)) < rows; a++) {
        str_puts(out, a ? "\n   " : "  [");
        if (i < 0) {
            str_puts(out, "...");
            continue;
        }
        str_puts(out, "[");
        for (int64_t b = 0, j; (j = show_shown(b, cols, MaxCols)) < cols; b++) {
            if (j >= 0)
                show_cell(s, dt, data, at + i * rstride + j * cstride);
            str_fmt(out, "%s%*s", b ? "  " : "", j < 0 ? 3 : width, j < 0 ? "..." : s);
        }
        str_puts(out, "]");
    }
    str_puts(out, "]\n");
}

static void show_vector(Str *out, const Shown *w, const void *data)
{
    char s[CellBytes];
    str_puts(out, "  [");
    for (int64_t b = 0, j; (j = show_shown(b, w->shape[0], MaxRows)) < w->shape[0]; b++) {
        if (j >= 0)
            show_cell(s, w->dt, data, j * w->stride[0]);
        str_fmt(out, "%s%s", b ? "  " : "", j < 0 ? "..." : s);
    }
    str_puts(out, "]\n");
}

/* Three dimensions and more: the last two as a matrix for each index of the
 * others, "[2, :, :]" above it. */
static void slices(Str *out, const Shown *w, const void *data)
{
    int outer = w->ndim - 2;
    int64_t count = 1;
    for (int d = 0; d < outer; d++)
        count *= w->shape[d];
    for (int64_t k = 0; k < count; k++) {
        int64_t idx[8], at = 0, rest = k;
        if (k == MaxSlices) {
            str_fmt(out, "  ... %" PRId64 " more slices\n", count - k);
            return;
        }
        for (int d = outer - 1; d >= 0; d--) {
            idx[d] = rest % w->shape[d];
            rest /= w->shape[d];
            at += idx[d] * w->stride[d];
        }
        str_puts(out, "  [");
        for (int d = 0; d < outer; d++)
            str_fmt(out, "%" PRId64 ", ", idx[d]);
        str_puts(out, ":, :]\n");
        show_matrix(out, w, data, at, w->shape[outer], w->shape[outer + 1],
                    w->stride[outer], w->stride[outer + 1]);
    }
}

static void show_title(Str *out, const Shown *w)
{
    str_fmt(out, "%s %s (", w->name, dtypeinfo[w->dt].name);
    for (int d = 0; d < w->ndim; d++)
        str_fmt(out, "%s%" PRId64, d ? ", " : "", w->shape[d]);
    str_puts(out, w->ndim == 1 ? ",)\n" : ")\n");
}

void show_print(Str *out, const int64_t block[3], const Shown *w, const void *data)
{
    char s[CellBytes];
    str_fmt(out, "block (%" PRId64 ", %" PRId64, block[0], block[1]);
    if (block[2])
        str_fmt(out, ", %" PRId64, block[2]);
    str_puts(out, "):");
    if (w->message && *w->message) {
        str_puts(out, " ");
        str_visible(out, w->message, strlen(w->message));
    }
    if (w->ndim < 0) {
        str_puts(out, "\n");
    } else if (w->ndim == 0) {
        show_cell(s, w->dt, data, 0);
        str_fmt(out, " %s%s%s\n", w->name ? w->name : "", w->name ? " = " : "", s);
    } else {
        str_puts(out, w->message && *w->message ? ": " : " ");
        show_title(out, w);
        if (w->ndim == 1)
            show_vector(out, w, data);
        else if (w->ndim == 2)
            show_matrix(out, w, data, 0, w->shape[0], w->shape[1], w->stride[0], w->stride[1]);
        else
            slices(out, w, data);
    }
}
