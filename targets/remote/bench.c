/* targets/remote/bench.c: timed rounds, measured at the server in its exclusive slot.
 *
 * One request holds the slot for a while, and a server limits that: a long bench goes in
 * pieces of whole turns of the argument sets, whose first one tells how long a round is. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "device.h"

enum { FirstRounds = 8 };
static const double Silence = 30;

static json_t *rbench_kernels(const DevBench *b)
{
    json_t *list = json_array();
    for (int i = 0; list && i < b->n; i++) {
        const RemoteModule *m = b->mod[i];
        json_array_append_new(list, json_integer((json_int_t)m->id));
    }
    return list;
}

/* All sets, the first-th one first. */
static json_t *sets(const Remote *d, const DevBench *b, int first, DevError *err)
{
    json_t *all = json_array();
    for (int s = 0; all && s < b->nsets; s++) {
        json_t *set = json_array();
        for (int i = 0; set && i < b->n; i++) {
            json_t *args = remote_args(d, b->mod[i], b->set[(s + first) % b->nsets * b->n + i],
                                       b->narg[i], err);
            if (!args || json_array_append_new(set, args) != 0) {
                json_decref(set);
                set = NULL;
            }
        }
        if (!set || json_array_append_new(all, set) != 0) {
            json_decref(all);
            all = NULL;
        }
    }
    return all;
}

/* Rounds [first, first + n): their times to where they belong. */
static bool rbench_piece(Remote *d, const DevBench *b, const DevHost *host, int first, int n,
                         DevError *err)
{
    double *ms = calloc((size_t)(b->n + 1) * (size_t)n, sizeof *ms);
    json_t *list = ms ? sets(d, b, first % b->nsets, err) : NULL;
    if (!list) {
        free(ms);
        return false;
    }
    RemoteRun r = {.d = d,
                   .host = host,
                   .path = "/bench",
                   .ms = ms,
                   .nms = (size_t)b->n * (size_t)n,
                   .mhz = ms + b->n * n,
                   .nmhz = (size_t)n,
                   .patience = Silence + (double)d->limit.exclusive_s,
                   .body = json_pack("{s:o, s:o, s:i, s:i, s:i, s:b}", "kernels", rbench_kernels(b),
                                     "sets", list, "warmup", first ? 0 : b->warmup, "rounds", n,
                                     "batch", b->batch > 1 ? b->batch : 1, "flush", (int)b->flush)};
    if (b->chain) /* servers before this word refuse it */
        json_object_set_new(r.body, "chain", json_true());
    bool ok = remote_run(&r, err);
    for (int i = 0; ok && i < b->n; i++)
        for (int k = 0; k < n; k++)
            b->ms[i * b->rounds + first + k] = ms[i * n + k];
    for (int k = 0; ok && k < n; k++)
        b->mhz[first + k] = r.mhz[k];
    json_decref(r.body);
    free(ms);
    return ok;
}

/* How many rounds the next piece takes.  Later ones go on where it ends, with the same
 * sets in the same order: whole turns of both. */
static int rbench_rounds_at(const Remote *d, const DevBench *b, int first, double each)
{
    int left = b->rounds - first, most = left;
    int64_t runs = (int64_t)b->n * (b->batch > 1 ? b->batch : 1);
    int turn = 2 * b->nsets;
    if (d->limit.runs > 0 && d->limit.runs / runs < most)
        most = (int)(d->limit.runs / runs);
    if (d->limit.exclusive_s > 0 && first == 0 && most > FirstRounds)
        most = FirstRounds;
    if (d->limit.exclusive_s > 0 && each > 0 && (double)d->limit.exclusive_s / 2 / each < most)
        most = (int)((double)d->limit.exclusive_s / 2 / each);
    if (most >= left)
        return left;
    most = most < turn ? turn : most / turn * turn;
    return most < left ? most : left;
}

bool remote_bench(void *dev, const DevBench *b, const DevHost *host, DevError *err)
{
    Remote *d = dev;
    double each = 0;
    payload_over(d);
    if (!payload_flush_all(d, err))
        return false;
    for (int first = 0; first < b->rounds;) {
        int n = rbench_rounds_at(d, b, first, each);
        double from = clock_s();
        if (!rbench_piece(d, b, host, first, n, err))
            return false;
        each = (clock_s() - from) / (n + (first ? 0 : b->warmup));
        first += n;
    }
    return true;
}
