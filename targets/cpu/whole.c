/* targets/cpu/whole.c: was every element of the outputs written?
 *
 * New tensors hold zeros, so an element that is not zero was written.  Where there are
 * zeros the kernel runs once more, on outputs full of another pattern: what is zero at
 * first and that pattern then was written neither time.  Both runs are the same but for
 * what the outputs held, so nothing else can look like it.
 *
 * Not every launch is looked at, which would make the small ones slower: the first one,
 * those whose numbers differ from those of the one before that was looked at, and then
 * the 2nd, 4th, 8th and so on.  Nor are large outputs and long runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/worker.h"
#include "run.h"
#include "err/sim.h"

static const int64_t MostBytes = 16 << 20; /* of all outputs */
static const double MostMs = 200;
enum { Pattern = 0xA5, NameBytes = 320 };

static int64_t bits_in(const MtOutput *o, const int64_t *size)
{
    int64_t n = o->bits;
    for (int d = 0; d < o->ndim; d++)
        if (size[d] <= 0 || __builtin_mul_overflow(n, size[d], &n))
            return 0;
    return n;
}

static int64_t bytes_in(const MtOutput *o, const int64_t *size)
{
    return (bits_in(o, size) + 7) / 8;
}

/* Is element i of p all zeros, and is it the pattern in q?  q NULL: not asked. */
static bool untouched(const unsigned char *p, const unsigned char *q, int bits, int64_t i)
{
    if (bits < 8) {
        int shift = (int)(i * bits % 8), mask = (1 << bits) - 1;
        int64_t at = i * bits / 8;
        return !(p[at] >> shift & mask) &&
               (!q || (q[at] >> shift & mask) == (Pattern >> shift & mask));
    }
    int64_t n = bits / 8;
    for (int64_t k = i * n; k < (i + 1) * n; k++)
        if (p[k] || (q && q[k] != Pattern))
            return false;
    return true;
}

static bool whole_any_zero(const MtOutput *o, const unsigned char *p, int64_t n)
{
    if (o->bits == 8)
        return memchr(p, 0, (size_t)n) != NULL;
    for (int64_t i = 0; i < n; i++)
        if (untouched(p, NULL, o->bits, i))
            return true;
    return false;
}

bool whole_ready(Whole *w, const MtModule *m, int64_t numbers)
{
    int dims = 0;
    for (int i = 0; i < m->noutput; i++)
        dims += m->output[i].ndim;
    w->size = calloc((size_t)dims + 1, sizeof *w->size);
    w->last = calloc((size_t)numbers + 1, sizeof *w->last);
    return w->size && w->last;
}

void whole_free(Whole *w)
{
    free(w->size);
    free(w->last);
}

/* Is this launch one to be looked at? */
static bool whole_due(Whole *w, const MtModule *m, const MtArg *arg)
{
    bool other = w->runs == 0;
    for (int i = 0; i < m->narg; i++)
        if (!m->tensor[i] && w->last[i] != arg[i].i)
            other = true;
    w->runs++;
    if (!other && (w->runs & (w->runs - 1)))
        return false;
    for (int i = 0; i < m->narg; i++)
        w->last[i] = m->tensor[i] ? 0 : arg[i].i;
    return true;
}

bool whole_doubted(Whole *w, const MtModule *m, const MtArg *arg, double ms)
{
    int64_t total = 0;
    bool zero = false;
    if (!m->noutput || !whole_due(w, m, arg) || ms > MostMs)
        return false;
    if (w->sizes)
        w->sizes(w->ud, arg, w->size);
    else
        m->sizes(arg, w->size);
    const int64_t *size = w->size;
    for (int i = 0; i < m->noutput; size += m->output[i++].ndim)
        total += bytes_in(&m->output[i], size);
    size = w->size;
    for (int i = 0; i < m->noutput && total <= MostBytes && !zero; size += m->output[i++].ndim)
        zero = whole_any_zero(&m->output[i], arg[m->output[i].arg].p,
                              bits_in(&m->output[i], size) / m->output[i].bits);
    return zero;
}

bool whole_again(Whole *w, const MtModule *m, MtArg *arg)
{
    const int64_t *size = w->size;
    w->shadow = calloc((size_t)m->noutput, sizeof *w->shadow);
    if (!w->shadow)
        return false;
    for (int i = 0; i < m->noutput; size += m->output[i++].ndim) {
        size_t n = (size_t)bytes_in(&m->output[i], size);
        unsigned char *p = aligned_alloc(64, (n + 63) / 64 * 64 + 64);
        if (!p) {
            while (i-- > 0) {
                void *was = arg[m->output[i].arg].p;
                arg[m->output[i].arg].p = w->shadow[i];
                free(was);
            }
            free(w->shadow);
            return false;
        }
        memset(p, Pattern, n);
        w->shadow[i] = arg[m->output[i].arg].p; /* while the other runs, the first one */
        arg[m->output[i].arg].p = p;
    }
    return true;
}

static void output_element(const MtOutput *o, const int64_t *size, int64_t i, char *text)
{
    int64_t idx[8];
    int n = snprintf(text, NameBytes, "%.100s", o->name);
    for (int d = o->ndim; d-- > 0; i /= size[d])
        idx[d] = i % size[d];
    for (int d = 0; d < o->ndim; d++)
        n += snprintf(text + n, NameBytes - (size_t)n, "%s%" PRId64, d ? ", " : "[", idx[d]);
    snprintf(text + n, NameBytes - (size_t)n, "]");
}

/* Of one output, whose elements were at p and are now at q. */
static DevError cpu_whole_missing(const MtOutput *o, const int64_t *size, const void *p,
                                  const void *q)
{
    char first[NameBytes] = "";
    int64_t n = bits_in(o, size) / o->bits, count = 0;
    for (int64_t i = 0; i < n; i++)
        if (untouched(p, q, o->bits, i) && count++ == 0)
            output_element(o, size, i, first);
    return count ? dev_error_all(E_sim_never_written, o->name, count, n, first) : DEV_NO_ERROR;
}

DevError whole_missing(Whole *w, const MtModule *m, MtArg *arg, bool ran, uint32_t *line)
{
    DevError err = DEV_NO_ERROR;
    const int64_t *size = w->size;
    for (int i = 0; i < m->noutput; size += m->output[i++].ndim) {
        const MtOutput *o = &m->output[i];
        void *q = arg[o->arg].p;
        if (ran && !err.is && (err = cpu_whole_missing(o, size, w->shadow[i], q)).is)
            *line = (uint32_t)o->line;
        arg[o->arg].p = w->shadow[i];
        free(q);
    }
    free(w->shadow);
    return err;
}
