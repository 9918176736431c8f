/* core/tensor/op_product.c: products of matrices, for host programs.
 *
 * A matrix is packed as float64 into panels, `rows` of a or `cols` of b wide, in which the elements
 * of one step of k lie behind each other; the innermost block of vec.h then reads both in order.  A
 * tile of the output, small enough for a cache, stays in float64 while k is walked through in parts:
 *
 *     a  [panel of rows][k][rows]      tile [TileRows][TileCols] += part of k, block by block
 *     b  [panel of cols][k][cols]
 *
 * Large matrices are packed by all threads, then tiles are divided among them; of many small
 * matrices each thread takes some as a whole. */
#include <stdlib.h>
#include <string.h>

#include "op.h"
#include "vec.h"

enum { TileRows = 96, TileCols = 384, Part = 256 };

typedef struct Product Product;
struct Product {
    const Vec *v;
    Tensor out, a, b;
    int64_t m, n, k, batch;
    double *pa, *pb;
    _Atomic bool failed; /* no memory */
};

static int64_t panels(int64_t n, int64_t w) { return (n + w - 1) / w; }

/* w lines of x, `apart` elements from one to the next, from line i of n on: k steps of them, zeros
 * where there is no line. */
static void pack(const Tensor *x, int64_t at, int64_t apart, int64_t step, int64_t i, int64_t n,
                 int64_t w, int64_t k, double *to)
{
    double v[Part];
    int64_t have = n - i < w ? n - i : w;
    at += i * apart;
    if (have < w)
        memset(to, 0, (size_t)(k * w) * sizeof *to);
    if (apart == 1 && step != 1) { /* lines are neighbours: read across them */
        for (int64_t p = 0; p < k; p++)
            tensor_loadn(x, at + p * step, 1, have, to + p * w);
        return;
    }
    for (int64_t j = 0; j < have; j++)
        for (int64_t p = 0, c; p < k; p += c) {
            c = k - p < Part ? k - p : Part;
            tensor_loadn(x, at + j * apart + p * step, step, c, v);
            for (int64_t q = 0; q < c; q++)
                to[(p + q) * w + j] = v[q];
        }
}

static void pack_a(const Product *p, int64_t batch, double *to, int64_t lo, int64_t hi)
{
    int64_t w = p->v->rows, at = p->a.offset + batch * p->a.stride[0];
    for (int64_t i = lo; i < hi; i++)
        pack(&p->a, at, p->a.stride[1], p->a.stride[2], i * w, p->m, w, p->k, to + i * w * p->k);
}

static void pack_b(const Product *p, int64_t batch, double *to, int64_t lo, int64_t hi)
{
    int64_t w = p->v->cols, at = p->b.offset + batch * p->b.stride[0];
    for (int64_t i = lo; i < hi; i++)
        pack(&p->b, at, p->b.stride[2], p->b.stride[1], i * w, p->n, w, p->k, to + i * w * p->k);
}

/* The tile of the output that begins at row i and column j. */
static void tile(const Product *p, int64_t batch, const double *pa, const double *pb, int64_t i,
                 int64_t j, double *acc)
{
    int64_t r = p->v->rows, c = p->v->cols;
    int64_t rows = p->m - i < TileRows ? p->m - i : TileRows;
    int64_t cols = p->n - j < TileCols ? p->n - j : TileCols;
    memset(acc, 0, sizeof(double) * TileRows * TileCols);
    for (int64_t k = 0; k < p->k; k += Part) {
        int64_t len = p->k - k < Part ? p->k - k : Part;
        for (int64_t y = 0; y < cols; y += c)
            for (int64_t x = 0; x < rows; x += r)
                p->v->block(len, pa + (i + x) * p->k + k * r, pb + (j + y) * p->k + k * c,
                            acc + x * TileCols + y, TileCols);
    }
    Tensor out = p->out;
    for (int64_t x = 0; x < rows; x++)
        tensor_storen(&out, out.offset + batch * out.stride[0] + (i + x) * out.stride[1] +
                                j * out.stride[2], out.stride[2], cols, acc + x * TileCols);
}

/* Tiles lo to hi - 1 of a matrix, column by column. */
static void tiles(Product *p, int64_t batch, const double *pa, const double *pb, int64_t lo,
                  int64_t hi)
{
    double *acc = malloc(sizeof(double) * TileRows * TileCols);
    int64_t down = panels(p->m, TileRows);
    if (!acc)
        atomic_store(&p->failed, true);
    for (int64_t t = lo; acc && t < hi; t++)
        tile(p, batch, pa, pb, t % down * TileRows, t / down * TileCols, acc);
    free(acc);
}

static int64_t tile_count(const Product *p)
{
    return panels(p->m, TileRows) * panels(p->n, TileCols);
}

static double *room(int64_t lines, int64_t w, int64_t k)
{
    return malloc((size_t)(panels(lines, w) * w * k + 1) * sizeof(double));
}

/* Large matrices: pieces of one. */
static void piece_a(void *ud, int64_t lo, int64_t hi)
{
    Product *p = ud;
    pack_a(p, p->batch, p->pa, lo, hi);
}

static void piece_b(void *ud, int64_t lo, int64_t hi)
{
    Product *p = ud;
    pack_b(p, p->batch, p->pb, lo, hi);
}

static void piece_tiles(void *ud, int64_t lo, int64_t hi)
{
    Product *p = ud;
    tiles(p, p->batch, p->pa, p->pb, lo, hi);
}

/* Small matrices: some of them. */
static void piece_batch(void *ud, int64_t lo, int64_t hi)
{
    Product *p = ud;
    double *a = room(p->m, p->v->rows, p->k), *b = room(p->n, p->v->cols, p->k);
    if (!a || !b)
        atomic_store(&p->failed, true);
    for (int64_t i = lo; a && b && i < hi; i++) {
        pack_a(p, i, a, 0, panels(p->m, p->v->rows));
        pack_b(p, i, b, 0, panels(p->n, p->v->cols));
        tiles(p, i, a, b, 0, tile_count(p));
    }
    free(a);
    free(b);
}

static bool large(Product *p, int64_t batches)
{
    double work = (double)p->m * (double)p->n * (double)p->k;
    int64_t na = panels(p->m, p->v->rows), nb = panels(p->n, p->v->cols);
    p->pa = room(p->m, p->v->rows, p->k);
    p->pb = room(p->n, p->v->cols, p->k);
    bool ok = p->pa && p->pb;
    for (p->batch = 0; ok && p->batch < batches; p->batch++) {
        op_parallel(NULL, na, 4.0 * (double)p->m * (double)p->k, piece_a, p);
        op_parallel(NULL, nb, 4.0 * (double)p->n * (double)p->k, piece_b, p);
        op_parallel(&p->out, tile_count(p), work, piece_tiles, p);
    }
    free(p->pa);
    free(p->pb);
    return ok;
}

/* Integers of 32 bits and more: sums wrap. */
static void piece_ints(void *ud, int64_t lo, int64_t hi)
{
    Product *p = ud;
    int64_t x[Part], y[Part];
    for (int64_t i = lo; i < hi; i++)
        for (int64_t j = 0; j < p->n; j++) {
            int64_t bt = i / p->m, row = i % p->m, sum = 0;
            for (int64_t k = 0, c; k < p->k; k += c) {
                c = p->k - k < Part ? p->k - k : Part;
                tensor_loadin(&p->a, p->a.offset + bt * p->a.stride[0] + row * p->a.stride[1] +
                                         k * p->a.stride[2], p->a.stride[2], c, x);
                tensor_loadin(&p->b, p->b.offset + bt * p->b.stride[0] + j * p->b.stride[2] +
                                         k * p->b.stride[1], p->b.stride[1], c, y);
                for (int64_t q = 0; q < c; q++)
                    sum = (int64_t)((uint64_t)sum + (uint64_t)x[q] * (uint64_t)y[q]);
            }
            tensor_storein(&p->out, p->out.offset + bt * p->out.stride[0] +
                                        row * p->out.stride[1] + j * p->out.stride[2], 1, 1, &sum);
        }
}

bool product_apply(Tensor *out, const Tensor *a, const Tensor *b)
{
    Product p = {.v = vec_loops(), .out = *out, .a = *a, .b = *b, .m = a->shape[1],
                 .k = a->shape[2], .n = b->shape[2]};
    int64_t batches = a->shape[0];
    double one = (double)p.m * (double)p.n * (double)p.k;
    if (tensor_count(out) == 0)
        return true;
    storage_read(a->st);
    storage_read(b->st);
    storage_write(out->st);
    if (!dtype_isfloat(a->dt) && !dtype_isfloat(b->dt) &&
        (dtypeinfo[a->dt].bits > 16 || dtypeinfo[b->dt].bits > 16)) {
        op_parallel(out, batches * p.m, (double)batches * one, piece_ints, &p);
        return true;
    }
    if (batches > 1 && one < 1 << 24)
        op_parallel(out, batches, (double)batches * one, piece_batch, &p);
    else if (!large(&p, batches))
        return false;
    return !atomic_load(&p.failed);
}
