/* repl/serve/process_run.c: launches and benches in a session's process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "err/serve.h"

/* Bytes of a tensor that are set before a run, or told behind it.  data NULL: zeros. */
typedef struct RunPart RunPart;
struct RunPart { ProcessTensor *t; size_t at, n; const char *data; };

/* A run as it was asked for, and what it gave. */
typedef struct ProcessRun ProcessRun;
struct ProcessRun {
    uint64_t kind, n, nsets, warmup, times, batch, nbefore, nafter;
    RunPart before[Parts], after[Parts];
    bool flush, chain;
    const ProcessKernel **kernel;
    Module **module;
    int *narg;
    LaunchArg *arg;         /* all of them, list behind list */
    Tensor *tensor;         /* as many */
    const LaunchArg **list; /* nsets * n */
    double *ms, *mhz;
};

static void run_free(ProcessRun *r)
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
typedef struct PrunWords PrunWords;
struct PrunWords { const uint64_t *at, *end; bool bad; };

static uint64_t words_take(PrunWords *w)
{
    if (w->at == w->end) {
        w->bad = true;
        return 0;
    }
    return *w->at++;
}

static bool prun_room(ProcessRun *r, uint64_t words)
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
static bool prun_head(ProcessRun *r, PrunWords *w)
{
    r->kind = words_take(w);
    r->n = words_take(w);
    r->nsets = words_take(w);
    r->warmup = words_take(w);
    r->times = words_take(w);
    r->batch = words_take(w);
    r->flush = words_take(w) != 0;
    r->chain = words_take(w) != 0;
    r->nbefore = words_take(w);
    r->nafter = words_take(w);
    return !w->bad && r->nbefore <= Parts && r->nafter <= Parts &&
           (r->kind == RQlaunch || r->kind == RQbench) && r->n && r->n <= BenchModules &&
           r->nsets && r->nsets <= BenchSets / r->n && r->warmup <= INT32_MAX / 2 &&
           r->times <= INT32_MAX / 2 / r->n && r->batch && r->batch <= INT32_MAX / 2;
}

/* One list of parts; false: reported, or it does not read. */
static bool run_parts(Process *s, RunPart *list, uint64_t n, PrunWords *w)
{
    char name[24];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = words_take(w), at = words_take(w), bytes = words_take(w), full = words_take(w);
        uint64_t words = full ? bytes / sizeof(uint64_t) + (bytes % sizeof(uint64_t) != 0) : 0;
        ProcessTensor *t = numbered_find(&s->tensor, k);
        snprintf(name, sizeof name, "%llu", (unsigned long long)k);
        if (!t) {
            process_say(s, E_serve_unknown, "tensor", name, NULL);
            return false;
        }
        if (w->bad || words > (uint64_t)(w->end - w->at) || bytes > t->st->bytes ||
            at > t->st->bytes - bytes)
            return false;
        list[i] = (RunPart){t, (size_t)at, (size_t)bytes, full ? (const char *)w->at : NULL};
        w->at += words;
    }
    return true;
}

/* Kernels, arguments and parts; false: reported. */
static bool fill_in(Process *s, ProcessRun *r, PrunWords *w)
{
    char n[24];
    size_t at = 0;
    for (uint64_t i = 0; i < r->n; i++) {
        uint64_t k = words_take(w);
        if (!(r->kernel[i] = numbered_find(&s->kernel, k))) {
            snprintf(n, sizeof n, "%llu", (unsigned long long)k);
            process_say(s, E_serve_unknown, "kernel", n, NULL);
            return false;
        }
        r->module[i] = r->kernel[i]->m;
    }
    for (uint64_t l = 0; l < r->nsets * r->n; l++) {
        uint64_t i = l % r->n, narg = words_take(w);
        if (w->bad || narg > (uint64_t)(w->end - w->at) / 3)
            return false;
        if (!process_args(s, r->kernel[i], w->at, narg, r->arg + at, r->tensor + at))
            return false;
        r->narg[i] = (int)narg;
        r->list[l] = r->arg + at;
        at += narg;
        w->at += 3 * narg;
    }
    return !w->bad && run_parts(s, r->before, r->nbefore, w) &&
           run_parts(s, r->after, r->nafter, w);
}

/* Sets what comes before the run; false: contents that it depends on are gone. */
static bool run_prepare(Process *s, const ProcessRun *r)
{
    for (uint64_t i = 0; i < r->nbefore; i++) {
        const RunPart *p = &r->before[i];
        Storage *st = p->t->st;
        if (!p->data && storage_blank(st))
            continue;
        char *to = storage_write(st) + p->at;
        if (p->data)
            memcpy(to, p->data, p->n);
        else
            memset(to, 0, p->n);
    }
    return !process_lost(s);
}

/* What is told behind the run, at most PartBytes; false: it is gone. */
static bool run_collect(Process *s, const ProcessRun *r, Str *out)
{
    for (uint64_t i = 0; i < r->nafter && out->n + r->after[i].n <= PartBytes; i++)
        str_add(out, storage_read(r->after[i].t->st) + r->after[i].at, r->after[i].n);
    return !out->bad && !process_lost(s);
}

/* What the kernel printed, in pieces. */
static void pass_output(Process *s, const Str *out)
{
    for (size_t at = 0, n; at < out->n; at += n) {
        n = out->n - at < PrintBytes ? out->n - at : PrintBytes;
        while (n > 1 && at + n < out->n && ((unsigned char)out->s[at + n] & 0xc0) == 0x80)
            n--; /* characters stay whole */
        process_event(s, EVprint, out->s + at, n);
    }
}

static bool run_request(Process *s, ProcessRun *r)
{
    if (r->kind == RQbench) {
        BenchJob j = {.module = r->module, .n = (int)r->n, .set = r->list, .narg = r->narg,
                      .nsets = (int)r->nsets, .warmup = (int)r->warmup, .rounds = (int)r->times,
                      .batch = (int)r->batch, .flush = r->flush, .chain = r->chain, .ms = r->ms,
                      .mhz = r->mhz};
        return session_bench(s->session, &s->ctx, &j);
    }
    LaunchResult result = {.ms = r->ms, .nms = (int)(r->times ? r->times : 1)};
    bool ok = session_launch(s->session, &s->ctx, r->module[0], r->list[0], r->narg[0],
                             (int)r->warmup, r->flush, &result);
    pass_output(s, &result.output);
    str_free(&result.output);
    return ok;
}

static bool prun_answer(Process *s, const ProcessRun *r, const Str *after)
{
    size_t n = r->kind == RQbench ? r->n * r->times : r->times ? r->times : 1;
    size_t mhz = r->kind == RQbench ? r->times : 0;
    process_start(s);
    put_u64(&s->out, n);
    put_u64(&s->out, mhz);
    if ((n + mhz) * sizeof(double) < MsgBytes / 2) {
        for (size_t i = 0; i < n + mhz; i++)
            put_double(&s->out, i < n ? r->ms[i] : r->mhz[i - n]);
        put_text(&s->out, after->s ? after->s : "", after->n);
        return process_send(s);
    }
    put_text(&s->out, after->s ? after->s : "", after->n);
    int fd = process_file(r->ms, n * sizeof *r->ms);
    if (fd >= 0 && mhz && write(fd, r->mhz, mhz * sizeof *r->mhz) < 0) {
        close(fd);
        fd = -1;
    }
    return process_send_file(s, fd);
}

bool process_run(Process *s)
{
    ProcessRun r = {0};
    Str after = {0};
    size_t bytes = 0;
    char *own = s->in.fd >= 0 ? process_slurp(s->in.fd, (size_t)64 << 20, &bytes) : NULL;
    const char *text = own ? own : get_text(&s->in, &bytes);
    size_t n = bytes / sizeof(uint64_t);
    uint64_t *word = malloc(n * sizeof *word + 1);
    if (word)
        memcpy(word, text, n * sizeof *word);
    free(own);
    PrunWords w = {word, word + n, !word};
    bool good = word && prun_head(&r, &w) && prun_room(&r, n) && fill_in(s, &r, &w), ran = false;
    if (good)
        ran = run_prepare(s, &r) && run_request(s, &r) && run_collect(s, &r, &after);
    else if (!s->ctx.nerror)
        process_say(s, E_bug, "a request to run does not read", NULL, NULL);
    bool ok = ran ? prun_answer(s, &r, &after) : process_fail(s, good ? 200 : 422, &s->ctx);
    run_free(&r);
    str_free(&after);
    free(word);
    return ok;
}
