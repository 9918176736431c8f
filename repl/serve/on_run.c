/* repl/serve/on_run.c: launches and benches: JSON to words for the session process.  Numbers are
 * held against the limits here; tensors against the program there. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve.h"

enum { InlineBytes = 32 * 1024 };

/* Words -------------------------------------------------------------------- */

static void on_run_word(Str *out, uint64_t v) { str_add(out, (const char *)&v, sizeof v); }

/* "0x1.8p+1", "inf", "nan": as printf's %a and nothing else. */
static bool read_float(const char *s, double *v)
{
    static const char *const named[] = {"inf", "-inf", "nan", "-nan"};
    char *end;
    bool is_named = false;
    for (size_t i = 0; i < COUNT(named); i++)
        is_named = is_named || strcmp(s, named[i]) == 0;
    if (!is_named && (strspn(s, "+-.0123456789abcdefABCDEFxXpP") != strlen(s) || strlen(s) > 64))
        return false;
    *v = strtod(s, &end);
    return *s && !*end;
}

/* One ARG; false: why. */
static bool on_run_put_arg(json_t *a, Str *out, char why[160])
{
    json_t *t = json_object_get(a, "t"), *at = json_object_get(a, "at");
    json_t *i = json_object_get(a, "i"), *f = json_object_get(a, "f");
    size_t n = json_object_size(a);
    double v;
    uint64_t bits;
    if (t && n == 1U + (at != NULL) && json_is_integer(t) && json_integer_value(t) > 0 &&
        (!at || (json_is_integer(at) && json_integer_value(at) >= 0))) {
        on_run_word(out, RAtensor);
        on_run_word(out, (uint64_t)json_integer_value(t));
        on_run_word(out, at ? (uint64_t)json_integer_value(at) : 0);
        return true;
    }
    if (i && n == 1 && json_is_integer(i)) {
        on_run_word(out, RAint);
        on_run_word(out, (uint64_t)json_integer_value(i));
        on_run_word(out, 0);
        return true;
    }
    if (f && n == 1 && json_is_string(f) && read_float(json_string_value(f), &v)) {
        on_run_word(out, RAfloat);
        memcpy(&bits, &v, sizeof bits);
        on_run_word(out, bits);
        on_run_word(out, 0);
        return true;
    }
    snprintf(why, 160, "an argument is none of {\"t\", \"at\"}, {\"i\"}, {\"f\"}");
    return false;
}

static bool put_list(json_t *list, Str *out, char why[160])
{
    size_t i;
    json_t *a;
    if (!json_is_array(list) || json_array_size(list) > LaunchArgs) {
        snprintf(why, 160, "arguments are an array of at most %d", LaunchArgs);
        return false;
    }
    on_run_word(out, json_array_size(list));
    json_array_foreach(list, i, a) {
        if (!on_run_put_arg(a, out, why))
            return false;
    }
    return true;
}

static void on_run_put_head(Str *out, uint64_t kind, uint64_t n, uint64_t sets, uint64_t warmup,
                            uint64_t times, uint64_t batch, bool flush, bool chain,
                            uint64_t before, uint64_t after)
{
    const uint64_t head[RunHead] = {kind,  n,     sets,   warmup, times,
                                    batch, flush, chain,  before, after};
    for (int i = 0; i < RunHead; i++)
        on_run_word(out, head[i]);
}

/* Running ------------------------------------------------------------------ */

static void send_run(Task *t, Msg *m)
{
    t->session->client->runs++;
    t->session->sv->runs++;
    if (t->file < 0)
        put_text(m, t->text.s, t->text.n);
}

static void on_ran(Task *t, Msg *m)
{
    if (t->req && m && m->h.kind == (uint32_t)Sok)
        stream_done(t->req, m);
    else
        stream_failed(t, m);
}

/* Into the queue; takes the words. */
static void queue(Req *r, Str *words, bool timed, uint64_t kernel)
{
    const char *name = numbered_find(&r->session->kernel, kernel);
    bool large = words->n > InlineBytes;
    int file = large && !words->bad ? process_file(words->s, words->n) : -1;
    bool room = !words->bad && (!large || file >= 0);
    Task *t = room ? task_new(r, Srun,
                              timed              ? Cexclusive
                              : r->session->host ? Chost
                                                 : Crun,
                              on_ran)
                   : NULL;
    if (!t) {
        if (file >= 0)
            close(file);
        reply_memory(r);
        return;
    }
    t->send = send_run;
    snprintf(t->what, sizeof t->what, "%s", name);
    t->file = file;
    t->text = *words;
    *words = (Str){0};
    r->told = r->sv->now - 0.8; /* who waits hears so soon */
    str_free(&r->body);
    task_add(t);
}

/* Is the kernel there?  False: answered. */
static bool content_kernel(Req *r, uint64_t k)
{
    r->number = k;
    if (numbered_find(&r->session->kernel, k))
        return true;
    reply_unknown(r, "kernel");
    return false;
}

void on_launch(Req *r)
{
    uint64_t kernel = 0, warmup = 0, times = 0, most = (uint64_t)r->sv->set->runs;
    bool flush = false;
    json_t *args = NULL, *before = NULL, *after = NULL;
    char why[160];
    Str words = {0};
    const Member m[] = {{"kernel", 'u', true, &kernel}, {"args", 'a', true, &args},
                        {"warmup", 'u', false, &warmup}, {"times", 'u', false, &times},
                        {"flush", 'b', false, &flush}, {"before", 'a', false, &before},
                        {"after", 'a', false, &after}};
    json_t *o = json_object_of(r->body.s, r->body.n, m, COUNT(m), why);
    if (!o) {
        reply_bad(r, why);
        return;
    }
    bool timed = warmup || times;
    if (warmup > most || times > most - warmup)
        reply_quota(r, "runs", warmup > most ? warmup : warmup + times, most);
    else if (content_kernel(r, kernel)) {
        on_run_put_head(&words, RQlaunch, 1, 1, warmup, times, 1, flush, false,
                        json_array_size(before), json_array_size(after));
        on_run_word(&words, kernel);
        if (!put_list(args, &words, why))
            reply_bad(r, why);
        else if (payload_words(r, before, after, &words))
            queue(r, &words, timed, kernel);
    }
    str_free(&words);
    json_decref(o);
}

/* Benches ------------------------------------------------------------------ */

typedef struct Bench Bench;
struct Bench { json_t *kernels, *sets; uint64_t n, nsets, warmup, rounds, batch; bool flush, chain; };

/* Kernels, sets and numbers within limits; false: answered. */
static bool bench_fits(Req *r, Bench *b)
{
    uint64_t most = (uint64_t)r->sv->set->runs, each;
    bool many;
    b->n = json_array_size(b->kernels);
    b->nsets = json_array_size(b->sets);
    if (b->n < 1 || b->n > BenchModules || b->nsets < 1 || b->nsets > BenchSets / b->n ||
        b->rounds < 1 || b->batch < 1)
        reply_bad(r, "1 to 64 kernels, 1 to 4096 lists of arguments, rounds and batch from 1");
    many = __builtin_add_overflow(b->warmup, b->rounds, &each);
    many = __builtin_mul_overflow(each, b->n, &each) || many;
    many = __builtin_mul_overflow(each, b->batch, &each) || many;
    if (many || each > most)
        reply_quota(r, "runs", many ? INT64_MAX : each, most);
    return !r->ready;
}

static bool bench_words(Req *r, const Bench *b, Str *words, char why[160])
{
    size_t i, k;
    json_t *v, *list;
    on_run_put_head(words, RQbench, b->n, b->nsets, b->warmup, b->rounds, b->batch, b->flush,
                    b->chain, 0, 0);
    json_array_foreach(b->kernels, i, v) {
        if (!json_is_integer(v) || json_integer_value(v) < 1) {
            snprintf(why, 160, "\"kernels\" are numbers");
            return false;
        }
        if (!content_kernel(r, (uint64_t)json_integer_value(v)))
            return false;
        on_run_word(words, (uint64_t)json_integer_value(v));
    }
    json_array_foreach(b->sets, i, v) {
        if (!json_is_array(v) || json_array_size(v) != b->n) {
            snprintf(why, 160, "a set has a list of arguments for each kernel");
            return false;
        }
        json_array_foreach(v, k, list) {
            if (!put_list(list, words, why))
                return false;
        }
    }
    return true;
}

void on_bench(Req *r)
{
    Bench b = {.rounds = 1, .batch = 1};
    char why[160] = "";
    Str words = {0};
    const Member m[] = {{"kernels", 'a', true, &b.kernels}, {"sets", 'a', true, &b.sets},
                        {"warmup", 'u', false, &b.warmup}, {"rounds", 'u', false, &b.rounds},
                        {"batch", 'u', false, &b.batch}, {"flush", 'b', false, &b.flush},
                        {"chain", 'b', false, &b.chain}};
    json_t *o = json_object_of(r->body.s, r->body.n, m, COUNT(m), why);
    if (!o) {
        reply_bad(r, why);
        return;
    }
    if (bench_fits(r, &b)) {
        if (bench_words(r, &b, &words, why))
            queue(r, &words, true, (uint64_t)json_integer_value(json_array_get(b.kernels, 0)));
        else
            reply_bad(r, why); /* unless it was answered */
    }
    str_free(&words);
    json_decref(o);
}
