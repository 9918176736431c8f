/* core/tensor/op_elem.c: operators of host programs, one element at a time.
 *
 * Blocks of elements are read into arrays of one type, double or int64_t, go through one loop of the
 * table and are written back: a dtype, a stride, a broadcast dimension cost a conversion of the
 * block, and each operator is written once. */
#include <math.h>
#include <string.h>

#include "op.h"
#include "vec.h"

enum { Block = 4 * VecBlock };

enum Elem {
#define F(name, n, expr) EF_##name,
    ELEM_FLOATS(F)
#undef F
#define E(name, of, expr) EE_##name,
    ELEM_EXPS(E)
#undef E
#define I(name, n, expr, uexpr) EI_##name,
    ELEM_INTS(I)
#undef I
    NElem
};

typedef struct ElemInfo ElemInfo;
struct ElemInfo { const char *name; int inputs; bool ints; };
static const ElemInfo info[NElem] = {
#define F(name, n, expr) [EF_##name] = {#name, n, false},
    ELEM_FLOATS(F)
#undef F
#define E(name, of, expr) [EE_##name] = {#name, 1, false},
    ELEM_EXPS(E)
#undef E
#define I(name, n, expr, uexpr) [EI_##name] = {#name, n, true},
    ELEM_INTS(I)
#undef I
};

int elem_find(const char *name, bool ints)
{
    for (int op = 0; op < NElem; op++)
        if (info[op].ints == ints && strcmp(info[op].name, name) == 0)
            return op;
    return -1;
}

int elem_inputs(int op) { return info[op].inputs; }

/* Floats --------------------------------------------------------------- */

/* As PyTorch: rounded down, and exact where x / y is not. */
static double op_floordiv(double x, double y)
{
    double m = fmod(x, y), d = (x - m) / y;
    if (y == 0)
        return x / y;
    if (m != 0 && (y < 0) != (m < 0))
        d -= 1;
    double f = floor(d);
    return d == 0 ? copysign(0, x / y) : d - f > 0.5 ? f + 1 : f;
}

static double op_mod(double x, double y)
{
    double m = fmod(x, y);
    return m != 0 && (m < 0) != (y < 0) ? m + y : m;
}

static void float_block(enum Elem op, int64_t n, double *x_, const double *y_, const double *z_,
                        const double par[3])
{
    const double p = par[0], q = par[1], op_tolerance = par[2];
    (void)p, (void)q, (void)op_tolerance;
    switch (op) {
#define F(name, inputs, expr)                                                  \
    case EF_##name:                                                            \
        for (int64_t k = 0; k < n; k++) {                                      \
            double x = x_[k], y = inputs > 1 ? y_[k] : 0, z = inputs > 2 ? z_[k] : 0; \
            (void)y, (void)z;                                                  \
            x_[k] = expr;                                                      \
        }                                                                      \
        break;
        ELEM_FLOATS(F)
#undef F
#define E(name, of, expr)                                                      \
    case EE_##name: {                                                          \
        double e_[Block];                                                      \
        int64_t whole = (n + VecBlock - 1) / VecBlock * VecBlock;              \
        for (int64_t k = 0; k < whole; k++) {                                  \
            double x = k < n ? x_[k] : 0;                                      \
            e_[k] = of;                                                        \
        }                                                                      \
        vec_loops()->exp(e_, whole);                                           \
        for (int64_t k = 0; k < n; k++) {                                      \
            double x = x_[k], e = e_[k];                                       \
            (void)x;                                                           \
            x_[k] = expr;                                                      \
        }                                                                      \
        break;                                                                 \
    }
        ELEM_EXPS(E)
#undef E
    default: break;
    }
}

/* Integers ------------------------------------------------------------- */

#define WRAP(a, op, b) (int64_t)((uint64_t)(a)op(uint64_t)(b))
#define BELOW(a, b)    ((uint64_t)(a) < (uint64_t)(b))

/* Division by 0 gives 0: a caller who minds has looked. */
static int64_t op_divi(int64_t x, int64_t y, bool down)
{
    if (y == 0 || y == -1)
        return y == 0 ? 0 : WRAP(0, -, x);
    return x / y - (down && x % y != 0 && (x < 0) != (y < 0));
}

static int64_t op_modi(int64_t x, int64_t y, bool down)
{
    if (y == 0 || y == -1)
        return 0;
    int64_t m = x % y;
    return down && m != 0 && (m < 0) != (y < 0) ? m + y : m;
}

static int64_t op_divu(int64_t x, int64_t y)
{
    return y ? (int64_t)((uint64_t)x / (uint64_t)y) : 0;
}

static int64_t op_modu(int64_t x, int64_t y)
{
    return y ? (int64_t)((uint64_t)x % (uint64_t)y) : 0;
}

/* Below 0 the power of anything but 1 and -1 is 0. */
static int64_t op_powi(int64_t x, int64_t y)
{
    if (y < 0)
        return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
    int64_t r = 1;
    for (; y; y >>= 1, x = WRAP(x, *, x))
        if (y & 1)
            r = WRAP(r, *, x);
    return r;
}

static int64_t op_gcd(int64_t x, int64_t y)
{
    while (y) {
        int64_t m = op_modi(x, y, false);
        x = y;
        y = m;
    }
    return x < 0 ? WRAP(0, -, x) : x;
}

static void int_block(enum Elem op, bool sign, int64_t n, int64_t *x_, const int64_t *y_,
                      const int64_t *z_, const double par[3])
{
    const int64_t p = (int64_t)par[0];
    (void)p;
    switch (op) {
#define LOOP(inputs, expr)                                                     \
    for (int64_t k = 0; k < n; k++) {                                          \
        int64_t x = x_[k], y = inputs > 1 ? y_[k] : 0, z = inputs > 2 ? z_[k] : 0; \
        (void)y, (void)z;                                                      \
        x_[k] = expr;                                                          \
    }
#define I(name, inputs, expr, uexpr)                                           \
    case EI_##name:                                                            \
        if (sign)                                                              \
            LOOP(inputs, expr)                                                 \
        else                                                                   \
            LOOP(inputs, uexpr)                                                \
        break;
        ELEM_INTS(I)
#undef I
#undef LOOP
    default: break;
    }
}

/* The walk ------------------------------------------------------------- */

typedef struct ElemJob ElemJob;
struct ElemJob {
    enum Elem op;
    bool sign;
    const double *p;
    int nt, dim;    /* which dimension is divided among threads; below 0: none */
    Tensor t[RowsTensors]; /* the output, the inputs */
};

static void elem_run(ElemJob *j, const Rows *r, int64_t k, int64_t n)
{
    bool ints = info[j->op].ints;
    union {
        double f[Block];
        int64_t i[Block];
    } v[RowsTensors - 1];
    for (int i = 1; i < j->nt; i++) {
        int64_t at = r->at[i] + k * r->step[i];
        if (ints)
            tensor_loadin(&j->t[i], at, r->step[i], n, v[i - 1].i);
        else
            tensor_loadn(&j->t[i], at, r->step[i], n, v[i - 1].f);
    }
    int64_t at = r->at[0] + k * r->step[0];
    if (ints) {
        int_block(j->op, j->sign, n, v[0].i, v[1].i, v[2].i, j->p);
        tensor_storein(&j->t[0], at, r->step[0], n, v[0].i);
    } else {
        float_block(j->op, n, v[0].f, v[1].f, v[2].f, j->p);
        tensor_storen(&j->t[0], at, r->step[0], n, v[0].f);
    }
}

static void elem_piece(void *ud, int64_t lo, int64_t hi)
{
    ElemJob j = *(ElemJob *)ud;
    const Tensor *t[RowsTensors];
    for (int i = 0; i < j.nt; i++) {
        if (j.dim >= 0)
            tensor_narrow(&j.t[i], j.dim, lo, hi);
        t[i] = &j.t[i];
    }
    Rows r;
    for (rows_start(&r, j.nt, t); rows_next(&r);)
        for (int64_t k = 0; k < r.n; k += Block)
            elem_run(&j, &r, k, r.n - k < Block ? r.n - k : Block);
}

void elem_apply(int op, Tensor *out, const Tensor *const *in, const double p[3])
{
    ElemJob j = {.op = (enum Elem)op, .sign = true, .p = p, .nt = info[op].inputs + 1, .dim = -1};
    j.t[0] = *out;
    for (int i = 1; i < j.nt; i++) {
        j.t[i] = *in[i - 1];
        j.sign &= j.t[i].dt != DTu64;
        storage_read(j.t[i].st);
    }
    storage_write(out->st);
    int64_t most = 1;
    for (int d = 0; d < out->ndim; d++)
        if (out->shape[d] > most)
            most = out->shape[j.dim = d];
    op_parallel(out, most, 8.0 * (double)tensor_count(out), elem_piece, &j);
}
