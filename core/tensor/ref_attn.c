/* core/tensor/ref_attn.c: reference attention, one query after the other. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ref.h"

static double *doubles(int64_t n) { return malloc((size_t)(n > 0 ? n : 1) * sizeof(double)); }

/* v, compact and row-major, into t. */
static void store_all(Tensor *t, const double *v)
{
    int64_t at = 0;
    Rows r;
    for (rows_start(&r, 1, (const Tensor *[]){t}); rows_next(&r); at += r.n)
        tensor_storen(t, r.at[0], r.step[0], r.n, v + at);
}

static void ref_attn_free_all(double *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(v[i]);
}

/* Softmax attention ----------------------------------------------------- */

typedef struct Attn Attn;
struct Attn {
    double *q, *k, *v, *out, *lse;
    int64_t h, hk, s, t, d, dv;
    double scale;
    bool causal;
    atomic_bool failed;
};

/* score[j] = scale * q . k[j]; four keys at a time, so that four sums are
 * under way, each in order. */
static void scores(const Attn *p, const double *q, const double *k, int64_t n, double *score)
{
    int64_t j = 0, d = p->d;
    for (; j + 4 <= n; j += 4) {
        double s[4] = {0};
        const double *row = k + j * d;
        for (int64_t c = 0; c < d; c++)
            for (int r = 0; r < 4; r++)
                s[r] += q[c] * row[r * d + c];
        for (int r = 0; r < 4; r++)
            score[j + r] = p->scale * s[r];
    }
    for (; j < n; j++) {
        double s = 0;
        for (int64_t c = 0; c < d; c++)
            s += q[c] * k[j * d + c];
        score[j] = p->scale * s;
    }
}

/* One query row: scores against the keys it may see, softmax, weighted sum of
 * the values.  A row that sees no key gives zeros and lse -inf. */
static void attend(const Attn *p, int64_t row, double *score)
{
    int64_t i = row % p->s, head = row / p->s % p->h, batch = row / p->s / p->h;
    int64_t group = batch * p->hk + head / (p->h / p->hk);
    const double *v = p->v + group * p->t * p->dv;
    double *out = p->out + row * p->dv, max = -HUGE_VAL, sum = 0;
    int64_t n = p->causal ? i + p->t - p->s + 1 : p->t;
    n = n < 0 ? 0 : n < p->t ? n : p->t;
    scores(p, p->q + row * p->d, p->k + group * p->t * p->d, n, score);
    for (int64_t j = 0; j < n; j++)
        max = score[j] > max || score[j] != score[j] ? score[j] : max;
    memset(out, 0, (size_t)p->dv * sizeof *out);
    for (int64_t j = 0; j < n; j++) {
        double w = exp(score[j] - max);
        sum += w;
        for (int64_t c = 0; c < p->dv; c++)
            out[c] += w * v[j * p->dv + c];
    }
    for (int64_t c = 0; c < p->dv && n; c++)
        out[c] /= sum;
    p->lse[row] = n ? max + log(sum) : -HUGE_VAL;
}

static void attend_rows(void *ud, int64_t lo, int64_t hi)
{
    Attn *p = ud;
    double *score = doubles(p->t);
    if (!score)
        p->failed = true;
    for (int64_t row = lo; row < hi && score; row++)
        attend(p, row, score);
    free(score);
}

bool ref_attention(Tensor *out, Tensor *lse, const Tensor *q, const Tensor *k,
                   const Tensor *v, double scale, bool causal)
{
    Attn p = {.h = q->shape[1], .hk = k->shape[1], .s = q->shape[2], .t = k->shape[2],
              .d = q->shape[3], .dv = v->shape[3], .scale = scale, .causal = causal};
    int64_t rows = q->shape[0] * p.h * p.s;
    p.q = ref_doubles(q);
    p.k = ref_doubles(k);
    p.v = ref_doubles(v);
    p.out = doubles(rows * p.dv);
    p.lse = doubles(rows);
    bool ok = p.q && p.k && p.v && p.out && p.lse;
    if (ok) {
        double work = (double)rows * (double)p.t * (double)(p.d + p.dv);
        ref_parallel(rows, work, attend_rows, &p);
        ok = !p.failed;
    }
    if (ok) {
        store_all(out, p.out);
        if (lse)
            store_all(lse, p.lse);
    }
    ref_attn_free_all((double *[]){p.q, p.k, p.v, p.out, p.lse}, 5);
    return ok;
}

/* Linear attention ------------------------------------------------------ */

/* One head: state becomes g state + k_t^T v_t, then o_t = scale q_t state. */
static void linear_head(const double *q, const double *k, const double *v, const double *g,
                        double *out, double *state, int64_t s, int64_t d, int64_t dv,
                        double scale)
{
    memset(state, 0, (size_t)(d * dv) * sizeof *state);
    for (int64_t t = 0; t < s; t++) {
        double decay = g ? g[t] : 1, *o = out + t * dv;
        memset(o, 0, (size_t)dv * sizeof *o);
        for (int64_t i = 0; i < d; i++) {
            double *line = state + i * dv, kt = k[t * d + i], qt = q[t * d + i];
            for (int64_t c = 0; c < dv; c++) {
                line[c] = decay * line[c] + kt * v[t * dv + c];
                o[c] += scale * qt * line[c];
            }
        }
    }
}

bool ref_linear_attention(Tensor *out, Tensor *state, const Tensor *q, const Tensor *k,
                          const Tensor *v, const Tensor *g, double scale)
{
    int64_t heads = q->shape[0] * q->shape[1], s = q->shape[2], d = q->shape[3],
            dv = v->shape[3];
    double *x[] = {ref_doubles(q), ref_doubles(k), ref_doubles(v), g ? ref_doubles(g) : NULL,
                   doubles(heads * s * dv), doubles(heads * d * dv)};
    bool ok = x[0] && x[1] && x[2] && (!g || x[3]) && x[4] && x[5];
    for (int64_t h = 0; h < heads && ok; h++)
        linear_head(x[0] + h * s * d, x[1] + h * s * d, x[2] + h * s * dv,
                    g ? x[3] + h * s : NULL, x[4] + h * s * dv, x[5] + h * d * dv, s, d, dv,
                    scale);
    if (ok) {
        store_all(out, x[4]);
        if (state)
            store_all(state, x[5]);
    }
    ref_attn_free_all(x, COUNT(x));
    return ok;
}
