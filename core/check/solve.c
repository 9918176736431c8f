/* core/check/solve.c: small systems of linear equations over integers in boxes: do
 * two accesses meet in one element?
 *
 * Search with bounds propagation: each equation narrows the range of each of
 * its unknowns by what the others can still make up for, and fails when the
 * common divisor of its open coefficients does not divide the rest.  Mixed
 * radix indices (32 i + j, j < 32) are decided by propagation alone.  Values
 * near 0 are tried first, so that witnesses are small. */
#include "core/ir/eval.h"
#include "check.h"

typedef struct SolveBox SolveBox;
struct SolveBox { int64_t lo[MaxUnknown], hi[MaxUnknown]; };

static int64_t floordiv(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* Narrows z[k] to at least lo and at most hi. */
static bool check_solve_narrow(SolveBox *x, int k, int64_t lo, int64_t hi, bool *changed)
{
    if (lo > x->lo[k]) {
        x->lo[k] = lo;
        *changed = true;
    }
    if (hi < x->hi[k]) {
        x->hi[k] = hi;
        *changed = true;
    }
    return x->lo[k] <= x->hi[k];
}

static bool equation(const EqSolve *s, int e, SolveBox *x, bool *changed)
{
    const int64_t *a = s->a[e];
    int64_t min = 0, max = 0, fixed = 0, g = 0;
    for (int k = 0; k < s->n; k++) {
        min += a[k] * (a[k] > 0 ? x->lo[k] : x->hi[k]);
        max += a[k] * (a[k] > 0 ? x->hi[k] : x->lo[k]);
        if (a[k] && x->lo[k] == x->hi[k])
            fixed += a[k] * x->lo[k];
        else
            g = eval_gcd(g, a[k]);
    }
    if (s->b[e] < min || s->b[e] > max || (g == 0 ? fixed != s->b[e] : (s->b[e] - fixed) % g != 0))
        return false;
    for (int k = 0; k < s->n; k++) {
        if (a[k] == 0 || x->lo[k] == x->hi[k])
            continue;
        /* a z must lie between b - (max of the others) and b - (min of them) */
        int64_t from = s->b[e] - (max - a[k] * (a[k] > 0 ? x->hi[k] : x->lo[k]));
        int64_t to = s->b[e] - (min - a[k] * (a[k] > 0 ? x->lo[k] : x->hi[k]));
        int64_t lo = a[k] > 0 ? -floordiv(-from, a[k]) : -floordiv(-to, a[k]);
        int64_t hi = a[k] > 0 ? floordiv(to, a[k]) : floordiv(from, a[k]);
        bool moved = false;
        if (!check_solve_narrow(x, k, lo, hi, &moved))
            return false;
        if (moved) {
            *changed = true;
            return true; /* min and max are stale */
        }
    }
    return true;
}

static bool propagate(const EqSolve *s, SolveBox *x)
{
    bool changed = true;
    for (int round = 0; changed && round < 200; round++) {
        changed = false;
        for (int e = 0; e < s->neq; e++)
            if (!equation(s, e, x, &changed))
                return false;
    }
    return true;
}

static int check_solve_search(EqSolve *s, SolveBox x)
{
    if (s->steps-- <= 0)
        return -1;
    if (!propagate(s, &x) || (s->accept && !s->accept(s, x.lo, x.hi, s->ud)))
        return 0;
    int k = -1;
    for (int i = 0; i < s->n; i++)
        if (x.lo[i] != x.hi[i] && (k < 0 || x.hi[i] - x.lo[i] < x.hi[k] - x.lo[k]))
            k = i;
    if (k < 0) {
        for (int i = 0; i < s->n; i++)
            s->z[i] = x.lo[i];
        return 1;
    }
    /* from the value nearest to 0 outwards */
    int64_t lo = x.lo[k], hi = x.hi[k], mid = lo > 0 ? lo : hi < 0 ? hi : 0;
    for (int64_t d = 0; mid + d <= hi || mid - d >= lo; d++)
        for (int side = 0; side < (d ? 2 : 1); side++) {
            int64_t v = side ? mid - d : mid + d;
            if (v < lo || v > hi)
                continue;
            x.lo[k] = x.hi[k] = v;
            int r = check_solve_search(s, x);
            if (r)
                return r;
        }
    return 0;
}

int solve(EqSolve *s)
{
    SolveBox x;
    const int64_t far = (int64_t)1 << 50;
    for (int k = 0; k < s->n; k++) {
        x.lo[k] = s->lo[k];
        x.hi[k] = s->hi[k];
        if (x.lo[k] > x.hi[k])
            return 0;
        for (int e = 0; e < s->neq; e++) { /* no overflow in the sums */
            int64_t a = s->a[e][k] < 0 ? -s->a[e][k] : s->a[e][k];
            if (x.lo[k] < -far || x.hi[k] > far || (a && (x.hi[k] > far / a || x.lo[k] < -far / a)))
                return -1;
        }
    }
    return check_solve_search(s, x);
}
