/* repl/serve/seat_run.c: launches and benches in a session's process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seat.h"
#include "err/serve.h"

/* Bytes of a tensor that are set before a run, or told behind it.  data NULL: zeros. */
typedef struct Part Part;
struct Part { SeatTensor *t; size_t at, n; const char *data; };

/* A run as it was asked for, and what it gave. */
typedef struct Run Run;
struct Run {
    uint64_t kind, n, nsets, warmup, times, batch, nbefore, nafter;
    Part before[Parts], after[Parts];
    bool flush;
    const SeatKernel **kernel;
    Module **module;
    int *narg;
    LaunchArg *arg;         /* all of them, list behind list */
    Tensor *tensor;         /* as many */
    const LaunchArg **list; /* nsets * n */
    double *ms, *mhz;
};

static void run_free(Run *r)
{
    free(r->kernel);
    free(r->module);
    free(r->narg);
    free(r->arg);
    free(r->tensor);
    free(r->list);
    free(r->ms);
    free(r->mhz);
}

/* Words of the message, read in order. */
typedef struct Words Words;
struct Words { const uint64_t *at, *end; bool bad; };

static uint64_t take(Words *w)
{
    if (w->at == w->end) {
        w->bad = true;
        return 0;
    }
    return *w->at++;
}

static bool room(Run *r, uint64_t words)
{
    size_t lists = (size_t)(r->n * r->nsets), most = (size_t)words / 3 + 1;
    r->kernel = calloc(r->n, sizeof *r->kernel);
    r->module = calloc(r->n, sizeof *r->module);
    r->narg = calloc(r->n, sizeof *r->narg);
    r->list = calloc(lists, sizeof *r->list);
    r->arg = calloc(most, sizeof *r->arg);
    r->tensor = calloc(most, sizeof *r->tensor);
    r->ms = calloc(r->n * r->times + 1, sizeof *r->ms);
    r->mhz = calloc(r->times + 1, sizeof *r->mhz);
    return r->kernel && r->module && r->narg && r->list && r->arg && r->tensor && r->ms && r->mhz;
}

/* The head: what the server has held against its limits; false: it has not. */
static bool head(Run *r, Words *w)
{
    r->kind = take(w);
    r->n = take(w);
    r->nsets = take(w);
    r->warmup = take(w);
    r->times = take(w);
    r->batch = take(w);
    r->flush = take(w) != 0;
    r->nbefore = take(w);
    r->nafter = take(w);
    return !w->bad && r->nbefore <= Parts && r->nafter <= Parts &&
           (r->kind == Rlaunch || r->kind == Rbench) && r->n && r->n <= BenchModules && r->nsets &&
           r->nsets <= BenchSets / r->n && r->warmup <= INT32_MAX / 2 &&
           r->times <= INT32_MAX / 2 / r->n && r->batch && r->batch <= INT32_MAX / 2;
}

/* One list of parts; false: reported, or it does not read. */
static bool parts(Seat *s, Part *list, uint64_t n, Words *w)
{
    char name[24];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = take(w), at = take(w), bytes = take(w), full = take(w);
        uint64_t words = full ? bytes / sizeof(uint64_t) + (bytes % sizeof(uint64_t) != 0) : 0;
        SeatTensor *t = numbered_find(&s->tensor, k);
        snprintf(name, sizeof name, "%llu", (unsigned long long)k);
        if (!t) {
            seat_say(s, E_serve_unknown, "tensor", name, NULL);
            return false;
        }
        if (w->bad || words > (uint64_t)(w->end - w->at) || bytes > t->st->bytes ||
            at > t->st->bytes - bytes)
            return false;
        list[i] = (Part){t, (size_t)at, (size_t)bytes, full ? (const char *)w->at : NULL};
        w->at += words;
    }
    return true;
}

/* Kernels, arguments and parts; false: reported. */
static bool fill_in(Seat *s, Run *r, Words *w)
{
    char n[24];
    size_t at = 0;
    for (uint64_t i = 0; i < r->n; i++) {
        uint64_t k = take(w);
        if (!(r->kernel[i] = numbered_find(&s->kernel, k))) {
            snprintf(n, sizeof n, "%llu", (unsigned long long)k);
            seat_say(s, E_serve_unknown, "kernel", n, NULL);
            return false;
        }
        r->module[i] = r->kernel[i]->m;
    }
    for (uint64_t l = 0; l < r->nsets * r->n; l++) {
        uint64_t i = l % r->n, narg = take(w);
        if (w->bad || narg > (uint64_t)(w->end - w->at) / 3)
            return false;
        if (!seat_args(s, r->kernel[i], w->at, narg, r->arg + at, r->tensor + at))
            return false;
        r->narg[i] = (int)narg;
        r->list[l] = r->arg + at;
        at += narg;
        w->at += 3 * narg;
    }
    return !w->bad && parts(s, r->before, r->nbefore, w) && parts(s, r->after, r->nafter, w);
}

/* Sets what comes before the run; false: contents that it depends on are gone. */
static bool prepare(Seat *s, const Run *r)
{
    for (uint64_t i = 0; i < r->nbefore; i++) {
        const Part *p = &r->before[i];
        Storage *st = p->t->st;
        if (!p->data && st->zero && atomic_load(&st->state) != STaway)
            continue;
        char *to = storage_write(st) + p->at;
        if (p->data)
            memcpy(to, p->data, p->n);
        else
            memset(to, 0, p->n);
    }
    return !seat_lost(s);
}

/* What is told behind the run, at most PartBytes; false: it is gone. */
static bool collect(Seat *s, const Run *r, Str *out)
{
    for (uint64_t i = 0; i < r->nafter && out->n + r->after[i].n <= PartBytes; i++)
        str_add(out, storage_read(r->after[i].t->st) + r->after[i].at, r->after[i].n);
    return !out->bad && !seat_lost(s);
}

/* What the kernel printed, in pieces. */
static void pass_output(Seat *s, const Str *out)
{
    for (size_t at = 0, n; at < out->n; at += n) {
        n = out->n - at < PrintBytes ? out->n - at : PrintBytes;
        while (n > 1 && at + n < out->n && ((unsigned char)out->s[at + n] & 0xc0) == 0x80)
            n--; /* characters stay whole */
        seat_event(s, EVprint, out->s + at, n);
    }
}

static bool run(Seat *s, Run *r)
{
    if (r->kind == Rbench) {
        BenchJob j = {.module = r->module, .n = (int)r->n, .set = r->list, .narg = r->narg,
                      .nsets = (int)r->nsets, .warmup = (int)r->warmup, .rounds = (int)r->times,
                      .batch = (int)r->batch, .flush = r->flush, .ms = r->ms, .mhz = r->mhz};
        return session_bench(s->session, &s->ctx, &j);
    }
    LaunchResult result = {.ms = r->ms, .nms = (int)(r->times ? r->times : 1)};
    bool ok = session_launch(s->session, &s->ctx, r->module[0], r->list[0], r->narg[0],
                             (int)r->warmup, r->flush, &result);
    pass_output(s, &result.output);
    str_free(&result.output);
    return ok;
}

static bool answer(Seat *s, const Run *r, const Str *after)
{
    size_t n = r->kind == Rbench ? r->n * r->times : r->times ? r->times : 1;
    size_t mhz = r->kind == Rbench ? r->times : 0;
    seat_start(s);
    put_u64(&s->out, n);
    put_u64(&s->out, mhz);
    if ((n + mhz) * sizeof(double) < MsgBytes / 2) {
        for (size_t i = 0; i < n + mhz; i++)
            put_double(&s->out, i < n ? r->ms[i] : r->mhz[i - n]);
        put_text(&s->out, after->s ? after->s : "", after->n);
        return seat_send(s);
    }
    put_text(&s->out, after->s ? after->s : "", after->n);
    int fd = seat_file(r->ms, n * sizeof *r->ms);
    if (fd >= 0 && mhz && write(fd, r->mhz, mhz * sizeof *r->mhz) < 0) {
        close(fd);
        fd = -1;
    }
    return seat_send_file(s, fd);
}

bool seat_run(Seat *s)
{
    Run r = {0};
    Str after = {0};
    size_t bytes = 0;
    char *own = s->in.fd >= 0 ? seat_slurp(s->in.fd, (size_t)64 << 20, &bytes) : NULL;
    const char *text = own ? own : get_text(&s->in, &bytes);
    size_t n = bytes / sizeof(uint64_t);
    uint64_t *word = malloc(n * sizeof *word + 1);
    if (word)
        memcpy(word, text, n * sizeof *word);
    free(own);
    Words w = {word, word + n, !word};
    bool good = word && head(&r, &w) && room(&r, n) && fill_in(s, &r, &w), ran = false;
    if (good)
        ran = prepare(s, &r) && run(s, &r) && collect(s, &r, &after);
    else if (!s->ctx.nerror)
        seat_say(s, E_bug, "a request to run does not read", NULL, NULL);
    bool ok = ran ? answer(s, &r, &after) : seat_fail(s, good ? 200 : 422, &s->ctx);
    run_free(&r);
    str_free(&after);
    free(word);
    return ok;
}
