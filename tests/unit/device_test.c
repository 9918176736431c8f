/* Sessions of devices with memory of their own, and what such a device may add to
 * the least that a device can do.  The devices here are made up: "own" has all of
 * it and counts what it is asked for, "plain" has nothing of it.  A kernel is a
 * word in the place of its path. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/tensor/storage.h"
#include "core/device/worker.h"
#include "../../targets/targets.h"
#include "err/run.h"
#include "err/target.h"
#include "err/launch.h"
#include "err/room.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("device_test.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

/* The devices, in the worker ----------------------------------------------- */

typedef struct Own Own;
struct Own {
    int news, puts, zeros, fills, gets, launches, benches, warm;
    bool mute; /* nothing can be read back */
    size_t limit, used;
};

typedef struct DeviceCopy DeviceCopy;
struct DeviceCopy { size_t bytes; _Alignas(64) char data[]; };

static DeviceCopy *devcopy_of(void *p) { return (DeviceCopy *)(void *)((char *)p - offsetof(DeviceCopy, data)); }

static void *own_open(const char *options, DevError *err)
{
    Own *o = calloc(1, sizeof *o);
    const char *limit = strstr(options, "limit=");
    if (strstr(options, "broken")) {
        *err = dev_error(E_target_option, "broken", "none");
        free(o);
        return NULL;
    }
    o->mute = strstr(options, "mute") != NULL;
    o->limit = limit ? (size_t)atoi(limit + 6) << 20 : SIZE_MAX;
    return o;
}

static void own_close(void *dev) { free(dev); }

static void *own_load(void *dev, const char *path, const char *name, DevError *err)
{
    (void)dev, (void)name;
    if (strcmp(path, "bad") != 0)
        return strdup(path);
    *err = dev_error(E_device_load, "it is bad");
    return NULL;
}

static void own_unload(void *dev, void *mod)
{
    (void)dev;
    free(mod);
}

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* "big": a workspace of arg[0] MiB, which must fit beside the device copies. */
static bool big(Own *o, int64_t mib, DevError *err)
{
    if (o->used + ((size_t)mib << 20) <= o->limit)
        return true;
    *err = dev_error(E_device_full, dev_text("%d MiB", (int)mib), "some", "all");
    return false;
}

static bool own_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                       double *ms, uint32_t *failed_at, DevError *err)
{
    Own *o = dev;
    const char *op = mod;
    int32_t *x = arg[0].p, *y = arg[narg > 1].p, *z = arg[narg > 2 ? 2 : 0].p;
    int64_t n = arg[narg - 1].i;
    o->launches++;
    *ms = 1;
    host->print(host->ud, 0, "ran\n", 4);
    if (is(op, "big"))
        return big(o, n, err);
    for (int64_t i = 0; i < n && is(op, "inc"); i++)
        x[i]++;
    for (int64_t i = 0; i < n && is(op, "add"); i++)
        z[i] = x[i] + y[i];
    if (is(op, "nap"))
        usleep((useconds_t)n * 1000);
    if (is(op, "crash"))
        raise(SIGSEGV);
    if (is(op, "assert") || is(op, "lose")) {
        x[0] = 77;
        *failed_at = 5;
        *err = dev_error(E_device_assert, "no", dev_block(0, 0, 0));
        if (is(op, "lose"))
            *err = dev_lost(*err);
        return false;
    }
    return true;
}

static void own_flush(void *dev) { (void)dev; }
static void own_describe(void *dev, Str *out) { (void)dev, str_puts(out, "made: up\n"); }

static void *own_new(void *dev, void *host, size_t bytes, DevError *err)
{
    Own *o = dev;
    (void)host;
    if (bytes > o->limit - o->used) {
        *err = dev_error(E_device_full, dev_text("%d MiB", (int)(bytes >> 20)),
                         dev_text("%d MiB", (int)((o->limit - o->used) >> 20)),
                         dev_text("%d MiB", (int)(o->limit >> 20)));
        return NULL;
    }
    DeviceCopy *t = aligned_alloc(64, (sizeof *t + bytes + 63) / 64 * 64);
    t->bytes = bytes;
    memset(t->data, 0x5a, bytes);
    o->used += bytes;
    o->news++;
    return t->data;
}

static void own_free(void *dev, void *devcopy)
{
    ((Own *)dev)->used -= devcopy_of(devcopy)->bytes;
    free(devcopy_of(devcopy));
}

static bool own_zero(void *dev, void *devcopy, size_t at, size_t n, DevError *err)
{
    (void)err;
    memset((char *)devcopy + at, 0, n);
    ((Own *)dev)->zeros++;
    return true;
}

static bool own_fill(void *dev, void *devcopy, size_t at, size_t n, uint64_t fill, DevError *err)
{
    (void)err;
    for (size_t i = 0; i < n; i++)
        ((char *)devcopy)[at + i] = (char)(fill >> i % 8 * 8);
    ((Own *)dev)->fills++;
    return true;
}

static bool own_put(void *dev, void *devcopy, const void *host, size_t at, size_t n, DevError *err)
{
    (void)err;
    memcpy((char *)devcopy + at, host, n);
    ((Own *)dev)->puts++;
    return true;
}

static bool own_get(void *dev, void *devcopy, void *host, size_t at, size_t n, DevError *err)
{
    Own *o = dev;
    if (o->mute)
        *err = dev_lost(dev_error(E_device_load, "it is gone"));
    else
        memcpy(host, (char *)devcopy + at, n);
    o->gets++;
    return !o->mute;
}

static bool own_complete(void *dev, Str *options, DevError *err)
{
    (void)dev, (void)err;
    str_puts(options, " -arch=7");
    return true;
}

static void own_facts(void *dev, void *mod, Str *out)
{
    const Own *o = dev;
    str_fmt(out, "kernel %s\nnews %d\nputs %d\nzeros %d\nfills %d\ngets %d\n", (char *)mod, o->news,
            o->puts, o->zeros, o->fills, o->gets);
    str_fmt(out, "launches %d\nbenches %d\nwarm %d\n", o->launches, o->benches, o->warm);
}

static bool own_text(void *dev, void *mod, const char *what, Str *path, DevError *err)
{
    (void)dev;
    if (is(what, "ptx")) {
        str_fmt(path, "/tmp/%s.ptx", (char *)mod);
        return true;
    }
    *err = dev_no_text(what);
    return false;
}

/* The time of a run is the first number of the first tensor of its set. */
static bool own_bench(void *dev, const DevBench *b, const DevHost *host, DevError *err)
{
    (void)err;
    ((Own *)dev)->benches++;
    for (int r = 0; r < b->rounds; r++) {
        for (int i = 0; i < b->n; i++)
            b->ms[i * b->rounds + r] = *(int32_t *)b->set[r % b->nsets * b->n + i][0].p;
        b->mhz[r] = 1000 + b->batch;
        host->alive(host->ud);
    }
    return true;
}

static void own_warm(void *dev) { ((Own *)dev)->warm++; }

static const Device own_device = {
    .open = own_open, .close = own_close, .load = own_load, .unload = own_unload,
    .launch = own_launch, .flush = own_flush, .describe = own_describe,
    .mem_new = own_new, .mem_free = own_free, .mem_zero = own_zero, .mem_fill = own_fill,
    .mem_put = own_put,
    .mem_get = own_get, .complete = own_complete, .facts = own_facts, .text = own_text,
    .bench = own_bench, .warm = own_warm,
};
static const Device plain_device = {
    .open = own_open, .close = own_close, .load = own_load, .unload = own_unload,
    .launch = own_launch, .flush = own_flush, .describe = own_describe,
};
static const Target own = {.name = "own", .summary = "", .device = &own_device};
static const Target plain = {.name = "plain", .summary = "", .device = &plain_device};
static const Target *const table[] = {&own, &plain, NULL};

/* Helpers, in the session --------------------------------------------------- */

static Session *session;
static Ctx ctx;
static Str output;

static Tensor ints(int64_t n)
{
    Tensor t;
    EXPECT(tensor_new(&t, DTi32, 1, &n));
    return t;
}

static int32_t get(const Tensor *t, int64_t i) { return (int32_t)tensor_geti(t, &i); }

enum { MiB = 1 << 20, Large = MiB / 4 }; /* elements: has a memfd of its own */

static void fresh(void)
{
    ctx_free(&ctx);
    ctx_init(&ctx, NULL, 0);
    str_free(&output);
}

static Err said(bool ok)
{
    EXPECT(ok == !ctx.diags);
    return ctx.diags ? ctx.diags->err : E_none;
}

/* Launches on n elements of the tensors, of which all but the last are read. */
static Err launch(Module *m, const Tensor *a, const Tensor *b, const Tensor *c, int64_t n)
{
    LaunchArg arg[4] = {{.t = a, .read_only = b != NULL}, {.t = b, .read_only = c != NULL},
                        {.t = c}};
    int narg = c ? 3 : b ? 2 : a ? 1 : 0;
    LaunchResult r = {0};
    arg[narg++] = (LaunchArg){.i = n, .dt = DTi64};
    fresh();
    bool ok = session_launch(session, &ctx, m, arg, narg, 0, false, &r);
    output = r.output;
    return said(ok);
}

static const char *text(void)
{
    static Str s;
    str_free(&s);
    for (const Diag *d = ctx.diags; d; d = d->next)
        diag_render(&s, &ctx, d, LANGen, false, NULL, NULL);
    return s.s ? s.s : "";
}

/* A fact of the device, by asking for those of a kernel. */
static int fact(const char *name)
{
    Str s = {0};
    int v = -1;
    Module *m = session_load(session, &ctx, "probe", "probe");
    fresh();
    if (session_prepare(session, &ctx, m, &s) && s.s && strstr(s.s, name))
        v = atoi(strstr(s.s, name) + strlen(name));
    str_free(&s);
    module_free(m);
    return v;
}

static Module *load(const char *op) { return session_load(session, &ctx, op, op); }

static void reopen(const Target *t, const char *options)
{
    session_close(session);
    session = session_open(&ctx, t, options);
}

/* Coherence ------------------------------------------------------------------ */

static void test_uploads(void)
{
    Tensor x = ints(Large), y = ints(Large), z = ints(Large);
    Module *add = load("add"), *inc = load("inc");
    tensor_filli(&x, 1);
    tensor_filli(&y, 2);
    EXPECT(launch(add, &x, &y, &z, Large) == E_none);
    EXPECT(strcmp(output.s, "ran\n") == 0);
    EXPECT(fact("news ") == 3 && fact("fills ") == 2 && fact("zeros ") == 1 && fact("puts ") == 0);
    EXPECT(launch(add, &x, &y, &z, Large) == E_none);
    EXPECT(fact("fills ") == 2 && fact("gets ") == 0); /* nothing changed */
    EXPECT(get(&z, 0) == 3 && get(&z, Large - 1) == 3);
    EXPECT(get(&x, 5) == 1 && fact("gets ") == 1);
    tensor_seti(&x, &(int64_t){7}, 41);
    EXPECT(launch(add, &x, &y, &z, Large) == E_none);
    EXPECT(fact("puts ") == 1); /* x only: z is known there, and was only read here */
    EXPECT(get(&z, 7) == 43 && get(&z, 8) == 3);
    tensor_seti(&z, &(int64_t){0}, -1);
    EXPECT(launch(inc, &z, NULL, NULL, Large) == E_none);
    EXPECT(get(&z, 0) == 0 && get(&z, 7) == 44 && fact("puts ") == 2);
    int gets = fact("gets ");
    EXPECT(launch(inc, &z, NULL, NULL, Large) == E_none);
    tensor_filli(&z, 9); /* all of it: nothing has to come back */
    EXPECT(get(&z, 3) == 9 && fact("gets ") == gets);
    EXPECT(launch(inc, &z, NULL, NULL, 4) == E_none); /* a part of it */
    EXPECT(get(&z, 3) == 10 && get(&z, 4) == 9);
    module_free(add);
    module_free(inc);
    tensor_free(&x);
    tensor_free(&y);
    tensor_free(&z);
}

/* Small tensors share a memfd, views a storage. */
static void test_slabs(void)
{
    enum { N = 50 };
    Tensor t[N], view;
    Module *inc = load("inc");
    int news = fact("news "), puts = fact("puts "), fills = fact("fills ");
    for (int i = 0; i < N; i++) {
        t[i] = ints(33);
        tensor_filli(&t[i], i);
    }
    for (int i = 0; i < N; i++)
        EXPECT(launch(inc, &t[i], NULL, NULL, 33) == E_none);
    EXPECT(fact("news ") == news + 1 && fact("fills ") == fills + N - 1); /* zeros are none */
    for (int i = 0; i < N; i++)
        EXPECT(get(&t[i], 0) == i + 1 && get(&t[i], 32) == i + 1);
    tensor_view(&view, &t[9]);
    tensor_narrow(&view, 0, 16, 33);
    tensor_filli(&view, 100);
    EXPECT(launch(inc, &t[9], NULL, NULL, 33) == E_none && fact("puts ") == puts + 1);
    EXPECT(launch(inc, &view, NULL, NULL, 17) == E_none && fact("puts ") == puts + 1);
    EXPECT(get(&t[9], 15) == 11 && get(&view, 0) == 102 && get(&t[8], 0) == 9);
    tensor_free(&view);
    for (int i = 0; i < N; i++)
        tensor_free(&t[i]);
    module_free(inc);
}

static void test_sessions(void)
{
    Session *a = session, *b = session_open(&ctx, &own, ""), *c = session_open(&ctx, &plain, "");
    Tensor x = ints(Large);
    Module *ma = load("inc");
    session = b;
    Module *mb = load("inc");
    session = c;
    Module *mc = load("inc");
    for (int i = 0; i < 5; i++) {
        session = a;
        EXPECT(launch(ma, &x, NULL, NULL, Large) == E_none);
        session = b;
        EXPECT(launch(mb, &x, NULL, NULL, Large) == E_none);
        EXPECT(launch(mb, &x, NULL, NULL, Large) == E_none);
        session = c;
        EXPECT(launch(mc, &x, NULL, NULL, Large) == E_none);
    }
    EXPECT(get(&x, 0) == 20 && get(&x, Large - 1) == 20);
    session = b;
    EXPECT(launch(mb, &x, NULL, NULL, Large) == E_none);
    session_close(b); /* which alone had the newest */
    EXPECT(get(&x, 1) == 21);
    session_close(c);
    session = a;
    module_free(ma);
    module_free(mb);
    module_free(mc);
    tensor_free(&x);
}

/* A failed launch leaves what the kernel wrote; a failed load leaves nothing. */
static void test_failures(void)
{
    Tensor x = ints(Large);
    Module *assert_ = load("assert"), *bad = load("bad"), *inc = load("inc");
    EXPECT(launch(bad, &x, NULL, NULL, 1) == E_device_load);
    EXPECT(launch(assert_, &x, NULL, NULL, 1) == E_device_assert);
    EXPECT(ctx.diags && ctx.diags->loc.line == 5 && get(&x, 0) == 77);
    EXPECT(launch(inc, &x, NULL, NULL, 1) == E_none && get(&x, 0) == 78);
    module_free(assert_);
    module_free(bad);
    module_free(inc);
    tensor_free(&x);
}

/* Loss ------------------------------------------------------------------------- */

static int warnings;
static Err warned; /* the last */

static void on_warn(void *ud, const Ctx *c)
{
    (void)ud;
    warned = c->diags ? c->diags->err : E_none;
    EXPECT(warned == E_contents_unread || (c->diags->note && warned == E_device_load &&
                                           c->diags->note->err == E_contents_lost));
    warnings++;
}

static void test_loss(void)
{
    static const char note[] = "the newest contents of 1 tensor (1 MiB) were on the device";
    Tensor x = ints(Large), y = ints(Large);
    Module *inc = load("inc"), *crash = load("crash"), *lose = load("lose");
    session_hooks(session, &(SessionHooks){.warn = on_warn});
    tensor_filli(&x, 5);
    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none);
    EXPECT(launch(crash, &y, NULL, NULL, 1) == E_crash_segv);
    EXPECT(strstr(text(), note) != NULL); /* x; not y, which nobody wrote before */
    EXPECT(get(&x, 0) == 5 && get(&y, 0) == 0);

    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none && get(&x, 0) == 6);
    EXPECT(launch(crash, &y, NULL, NULL, 1) == E_crash_segv); /* x has a snapshot now */
    EXPECT(strstr(text(), "newest") == NULL && get(&x, 0) == 6);

    int pid = session_pid(session);
    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none);
    EXPECT(launch(lose, &y, NULL, NULL, 1) == E_device_assert);
    EXPECT(strstr(text(), note) != NULL && get(&x, 0) == 6 && get(&y, 0) == 0);
    EXPECT(session_pid(session) != pid);

    for (int i = 0; i < 2; i++) { /* while nothing runs */
        EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none);
        kill(session_pid(session), SIGKILL);
        usleep(i ? 20000 : 0);
        EXPECT(launch(inc, &y, NULL, NULL, 1) == E_contents_gone);
        EXPECT(strstr(text(), "1 tensor (1 MiB)") != NULL);
        EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none && get(&x, 0) == 7 + i);
    }
    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none && warnings == 0);
    kill(session_pid(session), SIGKILL);
    EXPECT(get(&x, 0) == 8 && warnings == 1 && warned == E_contents_unread);
    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none && get(&x, 0) == 9);

    Session *keep = session;
    session = session_open(&ctx, &own, "mute");
    session_hooks(session, &(SessionHooks){.warn = on_warn});
    Module *mute = load("inc");
    EXPECT(launch(mute, &x, NULL, NULL, Large) == E_none && get(&x, 0) == 9);
    EXPECT(warnings == 2 && warned == E_device_load);
    module_free(mute);
    session_close(session);
    session = keep;
    module_free(inc);
    module_free(crash);
    module_free(lose);
    tensor_free(&x);
    tensor_free(&y);
}

static void on_alarm(int sig)
{
    (void)sig;
    interrupt_asked = 1;
}

/* Who interrupts a kernel that ends soon does not lose what is on the device. */
static void test_interrupt(void)
{
    Tensor x = ints(Large), y = ints(8);
    Module *inc = load("inc"), *nap = load("nap");
    const struct itimerval soon = {.it_value = {.tv_usec = 50000}};
    signal(SIGALRM, on_alarm);
    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none);
    int pid = session_pid(session);
    setitimer(ITIMER_REAL, &soon, NULL);
    EXPECT(launch(nap, &y, NULL, NULL, 300) == E_none && interrupt_asked == 1);
    interrupt_asked = 0;
    EXPECT(session_pid(session) == pid && get(&x, 0) == 1);
    EXPECT(launch(inc, &x, NULL, NULL, Large) == E_none);
    setitimer(ITIMER_REAL, &soon, NULL);
    EXPECT(launch(nap, &y, NULL, NULL, 5000) == E_interrupted && interrupt_asked == 0);
    EXPECT(strstr(text(), "lost") != NULL && get(&x, 0) == 1);
    EXPECT(session_pid(session) != pid);
    module_free(inc);
    module_free(nap);
    tensor_free(&x);
    tensor_free(&y);
}

/* Room ------------------------------------------------------------------------- */

static Tensor garbage;
static int reclaimed;

static void on_reclaim(void *ud)
{
    (void)ud;
    reclaimed++;
    if (garbage.st)
        tensor_free(&garbage);
}

static void test_room(void)
{
    enum { N = 6, Size = MiB / 2 }; /* 2 MiB each, 8 MiB in all */
    Tensor t[N], huge = ints(9 * (MiB / 4));
    Session *keep = session;
    session = session_open(&ctx, &own, "limit=8");
    session_hooks(session, &(SessionHooks){.reclaim = on_reclaim});
    Module *inc = load("inc"), *add = load("add"), *large = load("big");
    garbage = ints(Size);
    EXPECT(launch(inc, &garbage, NULL, NULL, 1) == E_none);
    for (int i = 0; i < N; i++) {
        t[i] = ints(Size);
        EXPECT(launch(inc, &t[i], NULL, NULL, Size) == E_none);
    }
    EXPECT(reclaimed > 0 && !garbage.st && fact("gets ") >= 2);
    for (int i = 0; i < N; i++)
        EXPECT(launch(inc, &t[i], NULL, NULL, Size) == E_none);
    for (int i = 0; i < N; i++)
        EXPECT(get(&t[i], 0) == 2 && get(&t[i], Size - 1) == 2);
    EXPECT(launch(large, NULL, NULL, NULL, 7) == E_none); /* room for a workspace */
    EXPECT(launch(large, NULL, NULL, NULL, 9) == E_device_full);
    EXPECT(launch(add, &t[0], &t[1], &t[2], Size) == E_none && get(&t[2], 3) == 4);
    EXPECT(launch(inc, &huge, NULL, NULL, 1) == E_device_full);
    EXPECT(strstr(text(), "9 MiB asked for, 8 MiB free of 8 MiB") != NULL);
    EXPECT(launch(add, &t[2], &huge, &t[3], 8) == E_device_full);
    EXPECT(get(&t[3], 0) == 2); /* it did not run */
    EXPECT(launch(add, &t[2], &t[2], &t[3], 8) == E_none && get(&t[3], 0) == 8);
    module_free(inc);
    module_free(add);
    module_free(large);
    for (int i = 0; i < N; i++)
        tensor_free(&t[i]);
    tensor_free(&huge);
    session_close(session);
    session = keep;
}

/* What a device may know -------------------------------------------------------- */

static void test_facts(void)
{
    Str s = {0};
    Module *m = load("inc");
    for (int i = 0; i < 1000 && fact("warm ") < 1; i++)
        usleep(20000); /* it warms up once nothing waits, which on a busy machine is later */
    fresh();
    EXPECT(strcmp(session_options(session, &ctx), "own -arch=7") == 0);
    EXPECT(fact("warm ") == 1);
    EXPECT(session_prepare(session, &ctx, m, &s) && strncmp(s.s, "kernel inc\n", 11) == 0);
    str_free(&s);
    EXPECT(session_prepare(session, &ctx, m, &s) && strncmp(s.s, "kernel inc\n", 11) == 0);
    str_free(&s);
    EXPECT(session_text(session, &ctx, m, "ptx", &s) && strcmp(s.s, "/tmp/inc.ptx") == 0);
    str_free(&s);
    EXPECT(!session_text(session, &ctx, m, "sass", &s) && said(false) == E_text_none);
    fresh();
    kill(session_pid(session), SIGKILL);
    EXPECT(strcmp(session_options(session, &ctx), "own -arch=7") == 0);
    EXPECT(session_text(session, &ctx, m, "ptx", &s) && strcmp(s.s, "/tmp/inc.ptx") == 0);
    str_free(&s);
    module_free(m);
    Session *keep = session;
    session = session_open(&ctx, &own, "own -broken");
    EXPECT(!session_options(session, &ctx) && said(false) == E_target_option);
    session_close(session);
    session = session_open(&ctx, &plain, "-x");
    fresh();
    m = load("inc");
    EXPECT(strcmp(session_options(session, &ctx), "plain -x") == 0);
    EXPECT(session_prepare(session, &ctx, m, &s) && s.n == 0);
    str_free(&s);
    EXPECT(!session_text(session, &ctx, m, "ptx", &s) && said(false) == E_text_none);
    module_free(m);
    session_close(session);
    session = keep;
}

static void test_bench(void)
{
    enum { Sets = 3, Rounds = 9001 };
    Tensor t[2 * Sets];
    static double ms[2 * Rounds], mhz[Rounds];
    Module *m[2] = {load("inc"), load("add")};
    LaunchArg arg[2 * Sets][2];
    const LaunchArg *set[2 * Sets];
    const int narg[2] = {2, 2};
    int wrong = 0, benches = fact("benches "), launches = fact("launches ");
    for (int i = 0; i < 2 * Sets; i++) {
        t[i] = ints(64);
        tensor_filli(&t[i], 10 + i);
        arg[i][0] = (LaunchArg){.t = &t[i]};
        arg[i][1] = (LaunchArg){.i = 1, .dt = DTi64};
        set[i] = arg[i];
    }
    LaunchResult r = {.ms = ms, .nms = 10};
    EXPECT(session_launch(session, &ctx, m[0], set[0], 2, 2, false, &r));
    EXPECT(r.output.s && strcmp(r.output.s, "ran\n") == 0);
    str_free(&r.output);
    EXPECT(fact("benches ") == benches + 1 && fact("launches ") == launches + 1);
    EXPECT(ms[0] == 11 && ms[9] == 11); /* after the one run */
    BenchJob j = {.module = m, .n = 2, .set = set, .narg = narg, .nsets = Sets, .warmup = 1,
                  .rounds = Rounds, .batch = 2, .ms = ms, .mhz = mhz};
    fresh();
    EXPECT(session_bench(session, &ctx, &j));
    for (int k = 0; k < Rounds; k++) {
        wrong += ms[k] != get(&t[k % Sets * 2], 0) || mhz[k] != 1002;
        wrong += ms[Rounds + k] != get(&t[k % Sets * 2 + 1], 0);
    }
    EXPECT(wrong == 0);
    Session *keep = session;
    Module *own_m[2] = {m[0], m[1]};
    session = session_open(&ctx, &plain, "");
    m[0] = load("inc");
    m[1] = load("inc");
    for (int i = 0; i < 2 * Sets; i++)
        tensor_filli(&t[i], 0);
    j.rounds = 7;
    EXPECT(session_bench(session, &ctx, &j));
    for (int k = 0; k < 7; k++)
        wrong += ms[k] != 1 || ms[7 + k] != 1 || mhz[k] != 0;
    /* warm-up with the first set, and two runs a round: 0 3 6, 1 4, 2 5 */
    EXPECT(wrong == 0 && get(&t[0], 0) == 8 && get(&t[1], 0) == 8);
    EXPECT(get(&t[2], 0) == 4 && get(&t[5], 0) == 4);
    module_free(m[1]);
    m[1] = load("assert");
    EXPECT(!session_bench(session, &ctx, &j) && said(false) == E_device_assert);
    EXPECT(strstr(text(), "`assert`") != NULL); /* the one of them that failed */
    module_free(m[0]);
    module_free(m[1]);
    session_close(session);
    session = keep;
    module_free(own_m[0]);
    module_free(own_m[1]);
    for (int i = 0; i < 2 * Sets; i++)
        tensor_free(&t[i]);
    fresh();
}

int main(int argc, char **argv)
{
    targets_init();
    if (worker_flag(argc, argv))
        return worker_main(argv[1], atoi(argv[2]), table);
    ctx_init(&ctx, NULL, 0);
    session = session_open(&ctx, &own, "");
    session_warm(session);
    test_facts();
    test_uploads();
    test_slabs();
    test_sessions();
    test_failures();
    test_loss();
    test_interrupt();
    reopen(&own, "own");
    test_room();
    test_bench();
    session_close(session);
    text();
    ctx_free(&ctx);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
