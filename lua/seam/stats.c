/* lua/seam/stats.c: moontile.stats: what figures of tensors need, in one pass.
 *
 * A tensor is seen as a matrix: its last dimension gives the columns, the others
 * together the rows; a matrix as cells of `high` x `wide` elements, row-major.
 *
 *     blocks(t, high, wide) -> {rows, cols, mean, nan, inf (lists by cell; mean of the
 *         finite elements, false where there are none), count, nans, infs, zeros, min, max,
 *         average (of the finite ones; absent without any)}
 *     errors(got, want, rtol, atol, high, wide) -> {rows, cols, count, cells (bad elements of
 *         each), bad, first (flat index), got, want (there), max_abs, abs_at, max_rel, rel_at (of all
 *         elements, flat indices), nans, zeros (bad elements of got that are so), row_set, col_set,
 *         inside, above, below, diagonal, even, odd, diff_lo, diff_hi, ratio_lo, ratio_hi}
 *     moved(got, want, rtol, atol, down, right, xor_down, xor_right) -> good, compared
 *     settle(got, want, limit [, most]) -> got with the good elements exact, facts
 *
 * row_set and col_set say which rows (columns) hold most of the bad elements: {kind = "all"
 * | "range" | "every" | "some", count, from, to, period}: "range" from .. to; "every": those with
 * from <= index % period <= to; "some": no form that has a name.  inside is how many of the bad
 * elements lie in both.  above, below, diagonal: bad elements with column >, <, = row; even,
 * odd: by the parity of row + column.  diff and ratio: the range of got - want and got / want over
 * bad elements (NaN where one of them is not finite). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensor.h"

enum { Run = 256 };

/* Cells ----------------------------------------------------------------- */

typedef struct StatsGrid StatsGrid;
struct StatsGrid { int64_t rows, cols, high, wide, across, cells; };

/* The matrix that t is, in cells; raises when a cell has no size. */
static StatsGrid grid_of(lua_State *L, const Tensor *t, int arg)
{
    StatsGrid g = {0};
    int64_t n = tensor_count(t);
    g.high = luaL_checkinteger(L, arg);
    g.wide = luaL_checkinteger(L, arg + 1);
    luaL_argcheck(L, g.high > 0, arg, "a cell has rows");
    luaL_argcheck(L, g.wide > 0, arg + 1, "a cell has columns");
    g.cols = t->ndim ? t->shape[t->ndim - 1] : 1;
    g.rows = g.cols ? n / g.cols : 0;
    g.across = (g.cols + g.wide - 1) / g.wide;
    g.cells = (g.rows + g.high - 1) / g.high * g.across;
    return g;
}

/* A walk over one or two matrices of equal shape, by pieces of rows that lie
 * in one cell each. */
typedef void StatsFn(void *ud, const double *a, const double *b, int64_t n, int64_t row,
                     int64_t col, int64_t cell);

static void row_pieces(const StatsGrid *g, const Tensor *const *t, const int64_t *at,
                       const int64_t *step, int64_t row, StatsFn *f, void *ud)
{
    double v[2][Run];
    for (int64_t k = 0, n; k < g->cols; k += n) {
        int64_t left = g->wide - k % g->wide;
        n = g->cols - k < Run ? g->cols - k : Run;
        n = left < n ? left : n;
        for (int i = 0; i < 2 && t[i]; i++)
            tensor_loadn(t[i], at[i] + k * step[i], step[i], n, v[i]);
        f(ud, v[0], v[1], n, row, k, row / g->high * g->across + k / g->wide);
    }
}

static void lstats_pieces(const StatsGrid *g, const Tensor *a, const Tensor *b, StatsFn *f,
                          void *ud)
{
    const Tensor *t[2] = {a, b};
    Tensor head[2];
    const Tensor *h[2] = {&head[0], &head[1]};
    int64_t step[2] = {1, 1}, row = 0;
    int n = b ? 2 : 1;
    for (int i = 0; i < n; i++) {
        head[i] = *t[i];
        if (t[i]->ndim) {
            step[i] = t[i]->stride[t[i]->ndim - 1];
            tensor_select(&head[i], t[i]->ndim - 1, 0);
        }
    }
    Rows r;
    for (rows_start(&r, n, h); g->cols && rows_next(&r);)
        for (int64_t i = 0; i < r.n; i++, row++) {
            int64_t at[2] = {r.at[0] + i * r.step[0], n > 1 ? r.at[1] + i * r.step[1] : 0};
            row_pieces(g, t, at, step, row, f, ud);
        }
}

/* Results --------------------------------------------------------------- */

static void lstats_set_number(lua_State *L, const char *name, double v)
{
    lua_pushnumber(L, v);
    lua_setfield(L, -2, name);
}

static void set_counts(lua_State *L, const char *name, const int64_t *v, int64_t n)
{
    lua_createtable(L, (int)n, 0);
    for (int64_t i = 0; i < n; i++) {
        lua_pushinteger(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

/* Zeroed memory that goes with its place on the stack. */
static void *lstats_scratch(lua_State *L, int64_t n, size_t size)
{
    size_t bytes = (size_t)n * size;
    void *p = lua_newuserdatauv(L, bytes ? bytes : 1, 0);
    memset(p, 0, bytes);
    return p;
}

/* Means ----------------------------------------------------------------- */

typedef struct Means Means;
struct Means {
    double *sum, min, max, total;
    int64_t *good, *nan, *inf, zeros;
};

static void mean_piece(void *ud, const double *a, const double *b, int64_t n, int64_t row,
                       int64_t col, int64_t cell)
{
    Means *m = ud;
    double sum = 0, lo = m->min, hi = m->max;
    int64_t good = 0, zeros = 0;
    (void)b, (void)row, (void)col;
    for (int64_t i = 0; i < n; i++) {
        double v = a[i];
        if (!(fabs(v) <= DBL_MAX)) {
            *(v != v ? &m->nan[cell] : &m->inf[cell]) += 1;
            continue;
        }
        sum += v;
        good++;
        zeros += v == 0;
        lo = v < lo ? v : lo;
        hi = v > hi ? v : hi;
    }
    m->min = lo;
    m->max = hi;
    m->zeros += zeros;
    m->sum[cell] += sum;
    m->good[cell] += good;
}

static int f_blocks(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    StatsGrid g = grid_of(L, t, 2);
    Means m = {.min = INFINITY, .max = -INFINITY};
    m.sum = lstats_scratch(L, g.cells, sizeof *m.sum);
    m.good = lstats_scratch(L, g.cells, sizeof *m.good);
    m.nan = lstats_scratch(L, g.cells, sizeof *m.nan);
    m.inf = lstats_scratch(L, g.cells, sizeof *m.inf);
    lstats_pieces(&g, t, NULL, mean_piece, &m);
    int64_t good = 0, nans = 0, infs = 0;
    lua_createtable(L, 0, 12);
    lua_createtable(L, (int)g.cells, 0);
    for (int64_t i = 0; i < g.cells; i++) {
        good += m.good[i];
        nans += m.nan[i];
        infs += m.inf[i];
        m.total += m.sum[i];
        if (m.good[i])
            lua_pushnumber(L, m.sum[i] / (double)m.good[i]);
        else
            lua_pushboolean(L, 0);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "mean");
    set_counts(L, "nan", m.nan, g.cells);
    set_counts(L, "inf", m.inf, g.cells);
    field_integer(L, "rows", g.rows);
    field_integer(L, "cols", g.cols);
    field_integer(L, "count", g.rows * g.cols);
    field_integer(L, "nans", nans);
    field_integer(L, "infs", infs);
    field_integer(L, "zeros", m.zeros);
    if (good) {
        lstats_set_number(L, "min", m.min);
        lstats_set_number(L, "max", m.max);
        lstats_set_number(L, "average", m.total / (double)good);
    }
    return 1;
}

/* Errors ---------------------------------------------------------------- */

typedef struct Errors Errors;
struct Errors {
    double rtol, atol;
    int64_t cols, bad, first, nans, zeros, above, below, diagonal, odd;
    double got, want, max_abs, max_rel;
    int64_t abs_at, rel_at;
    double diff_lo, diff_hi, ratio_lo, ratio_hi;
    int64_t *cell, *row, *col;   /* bad elements of each */
};

/* The rule of core/tensor/ref.h's compare(). */
static bool lstats_close_enough(double g, double w, double rtol, double atol)
{
    return g == w || (fabs(w) <= DBL_MAX && fabs(g - w) <= atol + rtol * fabs(w));
}

static void lstats_widen(double *lo, double *hi, double v, bool first)
{
    if (first || !(v >= *lo)) /* NaN stays */
        *lo = first || *lo == *lo ? v : *lo;
    if (first || !(v <= *hi))
        *hi = first || *hi == *hi ? v : *hi;
}

static void lstats_bad_element(Errors *e, double g, double w, int64_t row, int64_t col)
{
    bool first = e->bad++ == 0;
    if (first) {
        e->first = row * e->cols + col;
        e->got = g;
        e->want = w;
    }
    e->nans += g != g;
    e->zeros += g == 0;
    e->above += col > row;
    e->below += col < row;
    e->diagonal += col == row;
    e->odd += (row + col) & 1;
    e->row[row]++;
    e->col[col]++;
    lstats_widen(&e->diff_lo, &e->diff_hi, g - w, first);
    lstats_widen(&e->ratio_lo, &e->ratio_hi, g / w, first);
}

/* Remembers the greatest differences. */
static void differ(Errors *e, double g, double w, int64_t at)
{
    double diff = fabs(g - w), rel = w != 0 ? diff / fabs(w) : 0;
    if (diff > e->max_abs) {
        e->max_abs = diff;
        e->abs_at = at;
    }
    if (rel > e->max_rel) {
        e->max_rel = rel;
        e->rel_at = at;
    }
}

static void error_piece(void *ud, const double *g, const double *w, int64_t n, int64_t row,
                        int64_t col, int64_t cell)
{
    Errors *e = ud;
    for (int64_t i = 0; i < n; i++) {
        if (g[i] == w[i])
            continue;
        differ(e, g[i], w[i], row * e->cols + col + i);
        if (!lstats_close_enough(g[i], w[i], e->rtol, e->atol)) {
            lstats_bad_element(e, g[i], w[i], row, col + i);
            e->cell[cell]++;
        }
    }
}

/* Sets of rows and columns ---------------------------------------------- */

typedef struct ValueSet ValueSet;
struct ValueSet {
    const char *kind;
    int64_t count, from, to, period;
    int64_t sum;     /* bad elements in them */
};

/* Is membership of i the same as that of i - period, for all i? */
static bool lstats_repeats(const int64_t *v, int64_t n, int64_t least, int64_t period)
{
    for (int64_t i = period; i < n; i++)
        if ((v[i] >= least) != (v[i - period] >= least))
            return false;
    return true;
}

/* One run of members within the first `n`: its ends; false: several, or none. */
static bool one_run(const int64_t *v, int64_t n, int64_t least, int64_t *from, int64_t *to)
{
    int64_t i = 0;
    while (i < n && v[i] < least)
        i++;
    *from = i;
    while (i < n && v[i] >= least)
        i++;
    *to = i - 1;
    while (i < n && v[i] < least)
        i++;
    return i == n && *to >= *from;
}

/* The indices with at least half as many bad elements as the fullest one, as a
 * set that has a name. */
static ValueSet set_of(const int64_t *v, int64_t n)
{
    ValueSet s = {.kind = "some"};
    int64_t most = 0;
    for (int64_t i = 0; i < n; i++)
        most = v[i] > most ? v[i] : most;
    int64_t least = (most + 1) / 2;
    for (int64_t i = 0; i < n; i++)
        if (v[i] >= least) {
            s.count++;
            s.sum += v[i];
        }
    s.to = n - 1;
    if (s.count == n) {
        s.kind = "all";
    } else if (one_run(v, n, least, &s.from, &s.to)) {
        s.kind = "range";
    } else {
        enum { Longest = 1024 };
        for (int64_t k = 2; k <= n / 2 && k <= Longest; k++)
            if (lstats_repeats(v, n, least, k) && one_run(v, k, least, &s.from, &s.to)) {
                s.kind = "every";
                s.period = k;
                break;
            }
    }
    return s;
}

static void push_set(lua_State *L, const char *name, const ValueSet *s)
{
    lua_createtable(L, 0, 5);
    lua_pushstring(L, s->kind);
    lua_setfield(L, -2, "kind");
    field_integer(L, "count", s->count);
    field_integer(L, "from", s->from);
    field_integer(L, "to", s->to);
    field_integer(L, "period", s->period);
    lua_setfield(L, -2, name);
}

static const Tensor *lstats_same_shape(lua_State *L)
{
    const Tensor *a = check_tensor(L, 1), *b = check_tensor(L, 2);
    luaL_argcheck(L, tensor_sameshape(a, b), 2, "shapes differ");
    return a;
}

static int f_errors(lua_State *L)
{
    const Tensor *a = lstats_same_shape(L), *b = check_tensor(L, 2);
    Errors e = {.rtol = luaL_checknumber(L, 3), .atol = luaL_checknumber(L, 4)};
    StatsGrid g = grid_of(L, a, 5);
    e.cols = g.cols;
    e.cell = lstats_scratch(L, g.cells, sizeof *e.cell);
    e.row = lstats_scratch(L, g.rows, sizeof *e.row);
    e.col = lstats_scratch(L, g.cols, sizeof *e.col);
    lstats_pieces(&g, a, b, error_piece, &e);
    ValueSet rows = set_of(e.row, g.rows), cols = set_of(e.col, g.cols);
    lua_createtable(L, 0, 24);
    set_counts(L, "cells", e.cell, g.cells);
    push_set(L, "row_set", &rows);
    push_set(L, "col_set", &cols);
    const struct { const char *name; int64_t v; } counts[] = {
        {"rows", g.rows}, {"cols", g.cols}, {"count", g.rows * g.cols}, {"bad", e.bad},
        {"first", e.first}, {"abs_at", e.abs_at}, {"rel_at", e.rel_at}, {"nans", e.nans},
        {"zeros", e.zeros}, {"above", e.above},
        {"below", e.below}, {"diagonal", e.diagonal}, {"odd", e.odd}, {"even", e.bad - e.odd},
        /* at least: what is outside of one may be outside of the other, too */
        {"inside", rows.sum + cols.sum > e.bad ? rows.sum + cols.sum - e.bad : 0}};
    for (size_t i = 0; i < COUNT(counts); i++)
        field_integer(L, counts[i].name, counts[i].v);
    lstats_set_number(L, "got", e.got);
    lstats_set_number(L, "want", e.want);
    lstats_set_number(L, "max_abs", e.max_abs);
    lstats_set_number(L, "max_rel", e.max_rel);
    lstats_set_number(L, "diff_lo", e.diff_lo);
    lstats_set_number(L, "diff_hi", e.diff_hi);
    lstats_set_number(L, "ratio_lo", e.ratio_lo);
    lstats_set_number(L, "ratio_hi", e.ratio_hi);
    return 1;
}

/* Elements that stand elsewhere ------------------------------------------- */

/* moved: how many elements of got, whose place (row, col) comes from
 * (row + down ^ xor_down, col + right ^ xor_right) of want, are close to that
 * one.  Of large matrices some rows are looked at; stops when too many are not. */
static int f_moved(lua_State *L)
{
    enum { MaxRows = 512 };
    const Tensor *a = lstats_same_shape(L), *b = check_tensor(L, 2);
    double rtol = luaL_checknumber(L, 3), atol = luaL_checknumber(L, 4);
    int64_t v[4], good = 0, seen = 0;
    for (int i = 0; i < 4; i++)
        v[i] = luaL_checkinteger(L, 5 + i);
    luaL_argcheck(L, a->ndim == 2, 1, "a matrix");
    int64_t rows = a->shape[0], cols = a->shape[1], jump = (rows + MaxRows - 1) / MaxRows;
    double *w = lstats_scratch(L, cols, sizeof *w), *g = lstats_scratch(L, cols, sizeof *g);
    for (int64_t r = 0; r < rows; r += jump) {
        int64_t from = (r + v[0]) ^ v[2];
        if (from < 0 || from >= rows)
            continue;
        tensor_loadn(a, a->offset + r * a->stride[0], a->stride[1], cols, g);
        tensor_loadn(b, b->offset + from * b->stride[0], b->stride[1], cols, w);
        for (int64_t c = 0; c < cols; c++) {
            int64_t k = (c + v[1]) ^ v[3];
            if (k < 0 || k >= cols)
                continue;
            seen++;
            good += lstats_close_enough(g[c], w[k], rtol, atol);
        }
        if (seen - good > 64 && (seen - good) * 8 > seen)
            break;
    }
    lua_pushinteger(L, good);
    lua_pushinteger(L, seen);
    return 2;
}

/* Limits for each element ------------------------------------------------- */

/* settle(got, want, limit [, most]) -> a float64 copy of got in which every element within its
 * limit is want's, {bad =, worst = the greatest |got - want| / limit, at = flat index of it}.
 * An element of want beyond `most`, the dtype's greatest number, may also be infinite; NaN is
 * within no limit.  A limit of 0 asks for equality; worst is then 0 or infinite. */
static int f_settle(lua_State *L)
{
    const Tensor *t[3] = {lstats_same_shape(L), check_tensor(L, 2), check_tensor(L, 3)};
    double most = luaL_optnumber(L, 4, INFINITY), worst = 0;
    luaL_argcheck(L, tensor_sameshape(t[0], t[2]), 3, "shapes differ");
    for (int i = 1; i < 3; i++)
        luaL_argcheck(L, tensor_compact(t[i]), i + 1, "compact");
    luaL_argcheck(L, tensor_compact(t[0]), 1, "compact");
    int64_t n = tensor_count(t[0]), bad = 0, at = 0;
    Tensor *out = new_tensor(L, DTf64, t[0]->ndim, t[0]->shape);
    for (int64_t i = 0; i < n; i += Run) {
        double v[3][Run];
        int64_t m = n - i < Run ? n - i : Run;
        for (int k = 0; k < 3; k++)
            tensor_loadn(t[k], t[k]->offset + i, 1, m, v[k]);
        for (int64_t j = 0; j < m; j++) {
            double g = v[0][j], w = v[1][j], diff = fabs(g - w);
            bool beyond = fabs(w) > most && fabs(g) >= most && (g > 0) == (w > 0);
            double part = g == w || beyond ? 0 : v[2][j] > 0 ? diff / v[2][j] : INFINITY;
            if (part <= 1)
                v[0][j] = w;
            else
                bad++;
            if (!(part <= worst)) { /* a NaN is worst of all, and stays */
                at = worst == worst ? i + j : at;
                worst = worst == worst ? part : worst;
            }
        }
        tensor_storen(out, out->offset + i, 1, m, v[0]);
    }
    lua_createtable(L, 0, 3);
    field_integer(L, "bad", bad);
    lstats_set_number(L, "worst", worst);
    field_integer(L, "at", at);
    return 2;
}

int luaopen_moontile_stats(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"blocks", f_blocks}, {"errors", f_errors}, {"moved", f_moved}, {"settle", f_settle},
        {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
