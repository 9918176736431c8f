/* targets/gpu/probe_mma.c: are the registers of a matrix instruction where they are
 * assumed to be?
 *
 * A program of one instruction is printed, compiled and launched as every program is.  It
 * gets each lane's registers of A, B and C from memory and gives those of C back.
 *
 * First A and B are such that each element of D names its own place: with four slots of K,
 *     A[m][0..3] = (m & 7) + 1, m & 24, 16, 16      B[0..3][n] = 1, 1, n & 7, n & 24
 * D[m][n] = m + 1 + 16 * n (32 for 32 rows), and all factors are exact in every type.
 * Then a product of random integers is compared element by element: maps of A and B that
 * are wrong in K would not show before. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

enum { MostLanes = 64, MostK = 64, LaneBytes = 128 };

/* Elements of a matrix by row and column. */
typedef struct Matrix Matrix;
struct Matrix { double at[MostK][MostK]; };

/* Lane maps -------------------------------------------------------------------- */

/* Sets v['m' - 'k'] and the like from the bits of `number`, by their names. */
static void probe_mma_place(const char *bits, int number, int v[4])
{
    for (int bit = 0; *bits; bit++) {
        size_t n = strcspn(bits, " ");
        if (bits[0] != '*' && (number >> bit & 1))
            v[bits[0] - 'k'] |= 1 << atoi(bits + 1);
        bits += n;
        bits += strspn(bits, " ");
    }
}

static int count_bits(const char *bits)
{
    int n = 0;
    for (; *bits; n++) {
        bits += strcspn(bits, " ");
        bits += strspn(bits, " ");
    }
    return n;
}

/* Row and column of register r of a lane, for operand which: 'a', 'b', 'c'. */
static void probe_mma_where(const Mma *i, char which, int lane, int r, int *row, int *col)
{
    int v[4] = {0}; /* k, l, m, n */
    probe_mma_place(which == 'a' ? i->alane : which == 'b' ? i->blane : i->clane, lane, v);
    probe_mma_place(which == 'a' ? i->areg : which == 'b' ? i->breg : i->creg, r, v);
    *row = which == 'b' ? v[0] : v[2];
    *col = which == 'a' ? v[0] : v[3];
}

static int probe_mma_registers(const Mma *i, char which)
{
    return 1 << count_bits(which == 'a' ? i->areg : which == 'b' ? i->breg : i->creg);
}

/* The program -------------------------------------------------------------------- */

/* What is stored of tf32 is float. */
static enum Dtype probe_mma_stored(enum Dtype t) { return t == DTtf32 ? DTf32 : t; }
static const char *dtype_name(enum Dtype t) { return dtypeinfo[probe_mma_stored(t)].name; }

/* Loads of the operand's n registers from its matrix of lanes. */
static void say_load(Str *s, char name, char reg, int n)
{
    str_fmt(s, "    for e in unroll(%d) step=1 do @1\n      %c[e] = %c[tid, e] @1\n    end @1\n", n,
            reg, name);
}

static void say_program(const Mma *i, const Machine *m, Str *s)
{
    int na = probe_mma_registers(i, 'a'), nb = probe_mma_registers(i, 'b'),
        nc = probe_mma_registers(i, 'c');
    const struct { char name; enum Dtype t; int n; } op[] = {
        {'A', i->a, na}, {'B', i->b, nb}, {'C', i->c, nc}
    };
    str_fmt(s, "file 1 \"@moontile/probe\"\nkernel product(A, B, C) machine %s\n", m->name);
    for (int k = 0; k < 3; k++)
        str_fmt(s, "  buffer %c: global %s[%d, %d] @1\n", op[k].name, dtype_name(op[k].t), m->warp,
                op[k].n);
    str_fmt(s, "  launch bx in 1 threads tid in %d shared=0 do @1\n", m->warp);
    for (int k = 0; k < 3; k++)
        str_fmt(s, "    alloc %c: local %s[%d] @1\n", op[k].name + 32, dtype_name(op[k].t),
                op[k].n);
    for (int k = 0; k < 3; k++)
        say_load(s, op[k].name, (char)(op[k].name + 32), op[k].n);
    str_fmt(s, "    mma a, b -> c \"%s\" @1\n", i->name);
    str_fmt(s, "    for e in unroll(%d) step=1 do @1\n      C[tid, e] = c[e] @1\n    end @1\n"
               "  end @1\nend\n", nc);
}

/* The same instruction on four sums, n times, in g blocks of 256 threads. */
static void say_loop(const Mma *i, const Machine *m, Str *s)
{
    enum { Sums = 4 };
    int na = probe_mma_registers(i, 'a'), nb = probe_mma_registers(i, 'b'),
        nc = probe_mma_registers(i, 'c');
    str_fmt(s, "file 1 \"@moontile/probe\"\nkernel rate(C, n, g) machine %s\n"
               "  scalar n: int32 @1\n  scalar g: int32 @1\n"
               "  buffer C: global %s[%d, %d] @1\n"
               "  launch bx in g threads tid in 256 shared=0 do @1\n",
            m->name, dtype_name(i->c), m->warp, Sums * nc);
    str_fmt(s, "    alloc a: local %s[%d] @1\n    alloc b: local %s[%d] @1\n"
               "    alloc c: local %s[%d] @1\n", dtype_name(i->a), na, dtype_name(i->b), nb,
            dtype_name(i->c), Sums * nc);
    str_fmt(s, "    for e in unroll(%d) step=1 do @1\n      a[e] = %s(1.0) @1\n    end @1\n"
               "    for e in unroll(%d) step=1 do @1\n      b[e] = %s(1.0) @1\n    end @1\n"
               "    for e in unroll(%d) step=1 do @1\n      c[e] = %s(0.0) @1\n    end @1\n",
            na, dtype_name(i->a), nb, dtype_name(i->b), Sums * nc, dtype_name(i->c));
    str_puts(s, "    for r in serial(n) step=1 do @1\n");
    for (int k = 0; k < Sums; k++)
        str_fmt(s, "      mma a, b -> c[%d:+%d] \"%s\" @1\n", k * nc, nc, i->name);
    str_fmt(s, "    end @1\n    for e in unroll(%d) step=1 do @1\n      C[tid %% %d, e] = c[e] @1\n"
               "    end @1\n  end @1\nend\n", Sums * nc, m->warp);
}

/* Loads a program by its text, through a file as every program. */
static void *probe_mma_load(Gpu *d, const Str *s, const char *name, DevError *err)
{
    Str path = {0};
    const Str *part[] = {s};
    void *mod = NULL;
    cache_temp(&d->cache, "ir", &path);
    if (!s->bad && !path.bad && gpu_write_file(path.s, part, 1))
        mod = gpu_load(d, path.s, name, err);
    if (path.s)
        unlink(path.s);
    str_free(&path);
    return mod;
}

void *probe_mma_loop(Gpu *d, const Mma *i, double *flops, DevError *err)
{
    enum { Sums = 4, Threads = 256 };
    Str s = {0};
    say_loop(i, d->opt.m, &s);
    void *mod = probe_mma_load(d, &s, "rate", err);
    *flops = 2.0 * i->m * i->n * i->k * Sums * (Threads / d->opt.m->warp);
    str_free(&s);
    return mod;
}

/* Asking --------------------------------------------------------------------------- */

typedef struct ProbeMmaAsked ProbeMmaAsked;
struct ProbeMmaAsked {
    const Probe *p;
    const Mma *i;
    char name[96];
    void *mod, *at[3];
    size_t bytes[3];
    unsigned char host[3][MostLanes * LaneBytes];
    Matrix a, b, c;
};

static void probe_mma_silent(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}
static void probe_mma_unheard(void *ud, const DevMessage *m) { (void)ud, (void)m; }
static const DevHost quiet = {.print = probe_mma_silent, .report = probe_mma_unheard};

/* The registers of all lanes from the matrices. */
static void probe_mma_fill(ProbeMmaAsked *q)
{
    const enum Dtype t[] = {q->i->a, q->i->b, q->i->c};
    const Matrix *m[] = {&q->a, &q->b, &q->c};
    int row, col, lanes = q->p->d->opt.m->warp;
    for (int k = 0; k < 3; k++) {
        int n = probe_mma_registers(q->i, "abc"[k]);
        for (int l = 0; l < lanes; l++)
            for (int r = 0; r < n; r++) {
                probe_mma_where(q->i, "abc"[k], l, r, &row, &col);
                dtype_store(probe_mma_stored(t[k]), q->host[k], l * n + r, m[k]->at[row][col]);
            }
    }
}

static bool probe_mma_run(ProbeMmaAsked *q, DevError *err)
{
    Gpu *d = q->p->d;
    DevArg arg[3];
    double ms = 0;
    uint32_t line = 0;
    probe_mma_fill(q);
    for (int k = 0; k < 3; k++) {
        arg[k].p = q->at[k];
        if (!gpu_mem_put(d, q->at[k], q->host[k], 0, q->bytes[k], err))
            return false;
    }
    return gpu_launch(d, q->mod, arg, 3, &quiet, &ms, &line, err) &&
           gpu_mem_get(d, q->at[2], q->host[2], 0, q->bytes[2], err);
}

/* How many of C's registers are not those of a * b + c; the first of them goes to *bad.
 * Elements are integers: the sums of MetaX' floats are known to carry residues of 1e-7, and a
 * lane that is not where it should be is off by 1 or more. */
static int probe_mma_wrong(const ProbeMmaAsked *q, int bad[2])
{
    int n = probe_mma_registers(q->i, 'c'), count = 0, row, col;
    double slack = dtype_isfloat(q->i->c) ? 0.125 : 0;
    for (int l = 0; l < q->p->d->opt.m->warp; l++)
        for (int r = 0; r < n; r++) {
            probe_mma_where(q->i, 'c', l, r, &row, &col);
            double want = q->c.at[row][col];
            for (int k = 0; k < q->i->k; k++)
                want += q->a.at[row][k] * q->b.at[k][col];
            double got = dtype_load(q->i->c, q->host[2], l * n + r);
            if (!(fabs(got - want) <= slack) && count++ == 0) {
                bad[0] = l;
                bad[1] = r;
            }
        }
    return count;
}

/* Each element of the product names its place. */
static void probe_mma_named(ProbeMmaAsked *q)
{
    int rows = q->i->m;
    q->a = q->b = q->c = (Matrix){{{0}}};
    for (int m = 0; m < rows; m++) {
        q->a.at[m][0] = (m & 7) + 1;
        q->a.at[m][1] = m & 24;
        q->a.at[m][2] = q->a.at[m][3] = rows;
    }
    for (int n = 0; n < q->i->n; n++) {
        q->b.at[0][n] = q->b.at[1][n] = 1;
        q->b.at[2][n] = n & 7;
        q->b.at[3][n] = n & 24;
    }
}

/* Small integers that every type has, with signs where there are signs. */
static void random_numbers(ProbeMmaAsked *q)
{
    uint32_t x = 12345;
    for (int i = 0; i < MostK; i++)
        for (int j = 0; j < MostK; j++) {
            x = x * 1664525 + 1013904223;
            q->a.at[i][j] = q->i->a == DTu8 ? (int)(x >> 24) : (int)(x >> 28 & 7) - 3;
            q->b.at[i][j] = q->i->b == DTu8 ? (int)(x >> 16 & 255) : (int)(x >> 24 & 7) - 4;
            q->c.at[i][j] = (int)(x >> 20 & 15) - 8;
        }
}

/* What the registers of C say about the places of their elements: lane by lane. */
static void dump(const ProbeMmaAsked *q)
{
    int n = probe_mma_registers(q->i, 'c');
    char name[112];
    Str s = {0};
    for (int l = 0; l < q->p->d->opt.m->warp; l++) {
        str_fmt(&s, "%s%d:", l ? "; " : "", l);
        for (int r = 0; r < n; r++)
            str_fmt(&s, " %g", dtype_load(q->i->c, q->host[2], l * n + r));
    }
    snprintf(name, sizeof name, "%s.dump", q->name);
    devprobe_is(q->p->e, name, "%s", s.s ? s.s : "");
    str_free(&s);
}

static void probe_mma_judge(ProbeMmaAsked *q, bool first)
{
    int bad[2] = {0, 0}, n = probe_mma_wrong(q, bad), row, col;
    char name[112];
    if (!n) {
        if (!first)
            devprobe_is(q->p->e, q->name, "1");
        return;
    }
    probe_mma_where(q->i, 'c', bad[0], bad[1], &row, &col);
    devprobe_is(q->p->e, q->name, "0");
    snprintf(name, sizeof name, "%s.why", q->name);
    devprobe_is(q->p->e, name,
                "%d elements of D are not where they should be%s; the first one: lane "
                "%d, register %d (row %d, column %d)",
                n, first ? "" : ", with numbers at random", bad[0], bad[1], row, col);
    dump(q);
}

static bool probe_mma_prepare(ProbeMmaAsked *q, DevError *err)
{
    Gpu *d = q->p->d;
    Str s = {0};
    say_program(q->i, d->opt.m, &s);
    q->mod = probe_mma_load(d, &s, "product", err);
    str_free(&s);
    for (int k = 0; k < 3 && q->mod; k++) {
        enum Dtype t = k == 0 ? q->i->a : k == 1 ? q->i->b : q->i->c;
        q->bytes[k] = (size_t)(d->opt.m->warp * probe_mma_registers(q->i, "abc"[k]) *
                               dtypeinfo[probe_mma_stored(t)].bits / 8);
        q->at[k] = gpu_mem_new(d, NULL, q->bytes[k], err);
        if (!q->at[k])
            return false;
    }
    return q->mod != NULL;
}

static void probe_mma_ask(ProbeMmaAsked *q)
{
    DevError err = DEV_NO_ERROR;
    int bad[2];
    bool ok = probe_mma_prepare(q, &err), ran = ok;
    if (ok)
        devprobe_run_begins(q->p->e, q->name);
    probe_mma_named(q);
    ok = ok && probe_mma_run(q, &err);
    if (ok) {
        probe_mma_judge(q, true);
        if (probe_mma_wrong(q, bad) == 0) {
            random_numbers(q);
            ok = probe_mma_run(q, &err);
            if (ok)
                probe_mma_judge(q, false);
        }
    }
    if (!ok && (ran || probe_refused(&err)))
        devprobe_is(q->p->e, q->name, "0");
    if (!ok)
        probe_error(q->p, q->name, err);
    for (int k = 0; k < 3; k++)
        if (q->at[k])
            gpu_mem_free(q->p->d, q->at[k]);
    if (q->mod)
        gpu_unload(q->p->d, q->mod);
}

void probe_mma(const Probe *p)
{
    const Machine *m = p->d->opt.m;
    for (int i = 0; i < m->nmma && !p->d->opt.chip->no_mma; i++) {
        ProbeMmaAsked *q = calloc(1, sizeof *q);
        if (!q)
            return;
        q->p = p;
        q->i = &m->mma[i];
        snprintf(q->name, sizeof q->name, "mma.%s", q->i->name);
        if (devprobe_begin(p->e, q->name))
            probe_mma_ask(q);
        free(q);
    }
}
