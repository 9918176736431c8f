/* core/tensor/ref_conv.c: reference convolution, im2col, and packed 4-bit numbers. */
#include <stdlib.h>

#include "ref.h"

/* Convolution ----------------------------------------------------------- */

typedef struct ConvJob ConvJob;
struct ConvJob {
    Tensor *out;
    const double *x, *f, *bias;
    int64_t c, h, w;      /* input: channels, rows, columns */
    int64_t o, oh, ow;    /* output */
    int64_t cg, kh, kw;   /* a filter: channels of a group, rows, columns */
    Conv p;
};

/* One output: the sum over the filter, leaving out what lies outside x. */
static double conv_at(const ConvJob *j, int64_t n, int64_t o, int64_t y, int64_t x)
{
    double sum = j->bias ? j->bias[o] : 0;
    int64_t c0 = o / (j->o / j->p.groups) * j->cg;
    for (int64_t c = 0; c < j->cg; c++)
        for (int64_t r = 0; r < j->kh; r++) {
            int64_t iy = y * j->p.stride[0] - j->p.pad[0] + r * j->p.dilation[0];
            if (iy < 0 || iy >= j->h)
                continue;
            const double *row = j->x + ((n * j->c + c0 + c) * j->h + iy) * j->w;
            const double *f = j->f + ((o * j->cg + c) * j->kh + r) * j->kw;
            for (int64_t s = 0; s < j->kw; s++) {
                int64_t ix = x * j->p.stride[1] - j->p.pad[1] + s * j->p.dilation[1];
                if (ix >= 0 && ix < j->w)
                    sum += row[ix] * f[s];
            }
        }
    return sum;
}

/* Rows of the output, counted through n, o and y. */
static void conv_rows(void *ud, int64_t lo, int64_t hi)
{
    const ConvJob *j = ud;
    const Tensor *t = j->out;
    for (int64_t r = lo; r < hi; r++) {
        int64_t y = r % j->oh, o = r / j->oh % j->o, n = r / j->oh / j->o;
        int64_t at = t->offset + n * t->stride[0] + o * t->stride[1] + y * t->stride[2];
        for (int64_t x = 0; x < j->ow; x++) {
            double v = conv_at(j, n, o, y, x);
            tensor_storen(j->out, at + x * t->stride[3], 1, 1, &v);
        }
    }
}

bool ref_conv2d(Tensor *out, const Tensor *x, const Tensor *f, const Tensor *bias,
                const Conv *p)
{
    double *v[] = {ref_doubles(x), ref_doubles(f), bias ? ref_doubles(bias) : NULL};
    bool ok = v[0] && v[1] && (!bias || v[2]);
    if (ok) {
        ConvJob j = {out, v[0], v[1], v[2],
                     x->shape[1], x->shape[2], x->shape[3],
                     out->shape[1], out->shape[2], out->shape[3],
                     f->shape[1], f->shape[2], f->shape[3], *p};
        double work = (double)tensor_count(out) * (double)(j.cg * j.kh * j.kw);
        ref_parallel(out->shape[0] * j.o * j.oh, dtypeinfo[out->dt].bits < 8 ? 0 : work,
                     conv_rows, &j);
    }
    for (size_t i = 0; i < COUNT(v); i++)
        free(v[i]);
    return ok;
}

/* Column (r, s, c) of row (y, x): the element that filter place (r, s) of
 * channel c meets there. */
bool ref_im2col(Tensor *out, const Tensor *x, int64_t kh, int64_t kw, const Conv *p)
{
    int64_t c = x->shape[1], h = x->shape[2], w = x->shape[3];
    int64_t ow = (w + 2 * p->pad[1] - p->dilation[1] * (kw - 1) - 1) / p->stride[1] + 1;
    double *v = ref_doubles(x);
    if (!v)
        return false;
    int64_t cols = out->shape[2];
    for (int64_t n = 0; n < out->shape[0]; n++)
        for (int64_t row = 0; row < out->shape[1]; row++)
            for (int64_t col = 0; col < cols; col++) {
                int64_t ch = col % c, s = col / c % kw, r = col / c / kw;
                int64_t iy = row / ow * p->stride[0] - p->pad[0] + r * p->dilation[0];
                int64_t ix = row % ow * p->stride[1] - p->pad[1] + s * p->dilation[1];
                bool in = r < kh && iy >= 0 && iy < h && ix >= 0 && ix < w;
                double e = in ? v[((n * c + ch) * h + iy) * w + ix] : 0;
                dtype_store(out->dt, storage_write(out->st),
                            out->offset + (n * out->shape[1] + row) * cols + col, e);
            }
    free(v);
    return true;
}

/* Packed numbers ---------------------------------------------------------- */

bool ref_dequant4(Tensor *out, const Tensor *packed, const Tensor *scale, int64_t group,
                  double zero, bool is_signed)
{
    int64_t n = out->shape[0], k = out->shape[1], groups = group ? (k + group - 1) / group : 1;
    double *b = ref_doubles(packed), *s = scale ? ref_doubles(scale) : NULL;
    bool ok = b && (!scale || s);
    for (int64_t i = 0; i < n && ok; i++)
        for (int64_t j = 0; j < k; j++) {
            int byte = (int)b[i * (k / 2) + j / 2] & 255; /* int8 comes as its bits */
            int v = j % 2 ? byte >> 4 : byte & 15;
            double q = (is_signed && v > 7 ? v - 16 : v) - zero;
            double e = s ? q * s[i * groups + (group ? j / group : 0)] : q;
            tensor_set(out, (int64_t[]){i, j}, e);
        }
    free(b);
    free(s);
    return ok;
}
