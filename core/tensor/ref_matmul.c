/* core/tensor/ref_matmul.c: the reference product, and how references use threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ref.h"

/* Threads -------------------------------------------------------------- */

enum { MaxThreads = 64 };

typedef struct MatmulPiece MatmulPiece;
struct MatmulPiece {
    void (*f)(void *ud, int64_t lo, int64_t hi);
    void *ud;
    int64_t lo, hi;
};

static void *matmul_thread(void *ud)
{
    MatmulPiece *p = ud;
    p->f(p->ud, p->lo, p->hi);
    return NULL;
}

void ref_parallel(int64_t n, double work, void (*f)(void *ud, int64_t lo, int64_t hi), void *ud)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t nt = work < 2e6 || cpus < 1 ? 1 : cpus < MaxThreads ? cpus : MaxThreads;
    if (nt > n)
        nt = n;
    if (nt <= 1) {
        if (n > 0)
            f(ud, 0, n);
        return;
    }
    pthread_t id[MaxThreads];
    MatmulPiece piece[MaxThreads];
    int started[MaxThreads];
    for (int64_t i = 0; i < nt; i++) {
        piece[i] = (MatmulPiece){f, ud, n * i / nt, n * (i + 1) / nt};
        started[i] = i > 0 && pthread_create(&id[i], NULL, matmul_thread, &piece[i]) == 0;
    }
    for (int64_t i = 0; i < nt; i++)
        if (!started[i]) /* the first, and any that the system refused */
            matmul_thread(&piece[i]);
    for (int64_t i = 0; i < nt; i++)
        if (started[i])
            pthread_join(id[i], NULL);
}

double *ref_doubles(const Tensor *x)
{
    int64_t n = tensor_count(x), at = 0;
    double *v = malloc((size_t)(n ? n : 1) * sizeof *v);
    if (!v)
        return NULL;
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){x}); rows_next(&r); at += r.n)
        tensor_loadn(x, r.at[0], r.step[0], r.n, v + at);
    return v;
}

/* Product -------------------------------------------------------------- */

typedef struct MatmulProduct MatmulProduct;
struct MatmulProduct {
    Tensor *out;
    const double *a, *b;
    int64_t m, n, k;
};

enum { Width = 64, Height = 4 };

/* acc[i][j] = a[i, :] . b[:, j] for h rows of a and w columns of b.  The full
 * width is a constant so that the compiler can use vectors. */
static void matmul_block(const MatmulProduct *p, const double *a, const double *b, int64_t h,
                         int64_t w, double acc[Height][Width])
{
    memset(acc, 0, sizeof(double) * Height * Width);
    for (int64_t k = 0; k < p->k; k++) {
        const double *row = b + k * p->n;
        for (int64_t i = 0; i < h; i++) {
            double x = a[i * p->k + k], *to = acc[i];
            if (w == Width)
                for (int j = 0; j < Width; j++)
                    to[j] += x * row[j];
            else
                for (int64_t j = 0; j < w; j++)
                    to[j] += x * row[j];
        }
    }
}

/* Rows lo to hi - 1 of all batches, counted through. */
static void product_rows(void *ud, int64_t lo, int64_t hi)
{
    const MatmulProduct *p = ud;
    double acc[Height][Width];
    for (int64_t r = lo, h; r < hi; r += h) {
        int64_t batch = r / p->m, row = r % p->m;
        h = p->m - row < Height ? p->m - row : Height;
        h = hi - r < h ? hi - r : h;
        const double *b = p->b + batch * p->k * p->n;
        for (int64_t j = 0; j < p->n; j += Width) {
            int64_t w = p->n - j < Width ? p->n - j : Width;
            matmul_block(p, p->a + r * p->k, b + j, h, w, acc);
            for (int64_t i = 0; i < h; i++) {
                const Tensor *o = p->out;
                int64_t at = o->offset + batch * o->stride[0] + (row + i) * o->stride[1] +
                             j * o->stride[2];
                tensor_storen(p->out, at, o->stride[2], w, acc[i]);
            }
        }
    }
}

/* Sub-byte outputs share bytes between rows: one thread. */
static double honest_work(const Tensor *out, double work)
{
    return dtypeinfo[out->dt].bits < 8 ? 0 : work;
}

bool ref_matmul(Tensor *out, const Tensor *a, const Tensor *b)
{
    int64_t batch = a->shape[0], m = a->shape[1], k = a->shape[2], n = b->shape[2];
    double *x = ref_doubles(a), *y = x ? ref_doubles(b) : NULL;
    if (y) {
        MatmulProduct p = {out, x, y, m, n, k};
        double work = (double)batch * (double)m * (double)n * (double)k;
        ref_parallel(batch * m, honest_work(out, work), product_rows, &p);
    }
    bool ok = y != NULL;
    free(x);
    free(y);
    return ok;
}
