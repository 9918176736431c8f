/* targets/gpu/probe_run.c: forms of a launch, waves, limits, asynchronous copies.
 *
 * Each kernel is named `probe` and fills memory that is compared here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

static const unsigned one[3] = {1, 1, 1};

/* Forms of a launch ------------------------------------------------------------ */

static const char forms_text[] =
    "extern \"C\" __global__ void __launch_bounds__(64) probe(long long *out, int a, double b, "
    "long long c, float d)\n{\n"
    "    if (MT_TID == 0) {\n"
    "        out[0] = a;\n        out[1] = (long long)b;\n        out[2] = c;\n"
    "        out[3] = (long long)d;\n    }\n}\n";

typedef struct Packed Packed;
struct Packed { void *out; int a; double b; long long c; float d; };

/* Do parameters of several sizes arrive? */
static void ask_form(const Probe *p, const char *name, bool packed)
{
    const GpuDriver *u = &p->d->cu;
    const intptr_t *key = p->d->v->launch_key;
    ProbeKernel k;
    long long got[4] = {0}, c = 0x123456789abcdll;
    int a = -7;
    double b = 42;
    float d = 1024;
    if (!devprobe_begin(p->e, name))
        return;
    void *out = probe_memory(p, name, sizeof got, 0xff);
    if (!out || !probe_kernel(p, name, forms_text, &k))
        return;
    Packed all = {out, a, b, c, d};
    size_t n = offsetof(Packed, d) + sizeof d;
    void *param[] = {&out, &a, &b, &c, &d};
    void *extra[] = {(void *)key[0], &all, (void *)key[1], &n, (void *)key[2]};
    devprobe_run_begins(p->e, name);
    GpuResult r = gpu_start(p->d, k.fn, one, 64, 0, packed ? NULL : param, packed ? extra : NULL);
    r = r == GpuOk ? gpu_wait(u) : r;
    bool ok = r == GpuOk && probe_fetch(p, name, got, out, sizeof got);
    if (r != GpuOk)
        probe_why(p, name, GCLaunchKernel, r);
    devprobe_is(p->e, name, "%d",
                ok && got[0] == a && got[1] == 42 && got[2] == c && got[3] == 1024);
}

void probe_packed(const Probe *p) { ask_form(p, "packed", true); }

/* Lanes ------------------------------------------------------------------------- */

enum { Block = 128 };

#define KERNEL(bounds) "extern \"C\" __global__ void __launch_bounds__(" bounds ") probe"

static const char warp_text[] = KERNEL("128") "(long long *out) { out[MT_TID] = MT_WIDTH; }\n";

static const char ballot_text[] =
    KERNEL("128") "(unsigned long long *out)\n{\n"
    "    out[MT_TID] = MT_BALLOT(true);\n"
    "    out[128 + MT_TID] = MT_BALLOT(MT_TID % 3 == 0);\n}\n";

static const char shuffle_text[] =
    KERNEL("128") "(int *out)\n{\n"
    "    int lane = MT_TID % MT_LANES;\n"
    "    out[MT_TID] = MT_SHUFFLE(MT_TID * 3 + 1, lane ^ MT_LANES / 2);\n"
    "    out[128 + MT_TID] = MT_SHUFFLE(MT_TID, (lane * 5 + 3) % MT_LANES);\n}\n";

/* Runs a kernel of one block whose only parameter is its memory. */
static bool gpu_probe_run_block_of(const Probe *p, const char *name, const char *text, void *host,
                                   size_t n)
{
    ProbeKernel k;
    void *out = probe_memory(p, name, n, 0);
    void *param[] = {&out, NULL};
    if (!out || !probe_kernel(p, name, text, &k))
        return false;
    devprobe_run_begins(p->e, name);
    GpuResult r = probe_launch(p, &k, one, Block, 0, param);
    if (r != GpuOk)
        probe_why(p, name, GCLaunchKernel, r);
    return r == GpuOk && probe_fetch(p, name, host, out, n);
}

static void ask_warp(const Probe *p)
{
    long long got[Block] = {0};
    if (devprobe_begin(p->e, "warp") &&
        gpu_probe_run_block_of(p, "warp", warp_text, got, sizeof got))
        devprobe_is(p->e, "warp", "%lld", got[0]);
}

/* How many lanes a vote reaches, and whether each has its own bit. */
static void ask_ballot(const Probe *p)
{
    unsigned long long got[2][Block] = {{0}};
    int lanes = p->d->opt.m->warp, good = 1, bits = 0;
    if (!devprobe_begin(p->e, "ballot") ||
        !gpu_probe_run_block_of(p, "ballot", ballot_text, got, sizeof got))
        return;
    for (int t = 0; t < Block; t++) {
        unsigned long long all = lanes == 64 ? ~0ull : 0xffffffffull, third = 0;
        for (int l = 0; l < lanes; l++)
            third |= (unsigned long long)((t / lanes * lanes + l) % 3 == 0) << l;
        good &= got[0][t] == all && got[1][t] == third;
    }
    devprobe_is(p->e, "ballot", "%d", good);
    for (unsigned long long all = got[0][0]; all; all &= all - 1)
        bits++;
    devprobe_is(p->e, "ballot.bits", "%d", bits);
    if (!good)
        devprobe_is(p->e, "ballot.dump", "%llx %llx, %llx %llx", got[0][0], got[0][lanes],
                    got[1][0], got[1][lanes]);
}

/* Values of the other half of the wave, and of lanes all over it. */
static void ask_shuffle(const Probe *p)
{
    int got[2][Block] = {{0}}, lanes = p->d->opt.m->warp, bad = 0;
    if (!devprobe_begin(p->e, "shuffle") ||
        !gpu_probe_run_block_of(p, "shuffle", shuffle_text, got, sizeof got))
        return;
    for (int t = 0; t < Block; t++) {
        int lane = t % lanes, first = t - lane;
        bad += got[0][t] != (first + (lane ^ lanes / 2)) * 3 + 1;
        bad += got[1][t] != first + (lane * 5 + 3) % lanes;
    }
    devprobe_is(p->e, "shuffle", "%d", bad == 0);
    if (bad)
        devprobe_is(p->e, "shuffle.why", "%d of %d values are not those of the lane asked for", bad,
                    2 * Block);
}

void probe_basic(const Probe *p)
{
    ask_form(p, "params", false);
    ask_warp(p);
    ask_ballot(p);
    ask_shuffle(p);
}

/* Threads and shared memory -------------------------------------------------------- */

static const char threads_text[] =
    KERNEL("1024") "(long long *out) { out[MT_TID] = MT_TID + 1; }\n";

/* Does a block of n threads run, all of them? */
static bool gpu_probe_run_threads(const Probe *p, const ProbeKernel *k, void *out, unsigned n,
                                  GpuResult *r)
{
    enum { Most = 2048 };
    long long got[Most];
    void *param[] = {&out, NULL};
    memset(got, 0, sizeof got);
    *r = gpu_put(p->d, (uintptr_t)out, got, sizeof got);
    *r = *r == GpuOk ? probe_launch(p, k, one, n, 0, param) : *r;
    if (*r != GpuOk || !probe_fetch(p, "threads", got, out, sizeof got))
        return false;
    for (unsigned t = 0; t < Most; t++)
        if (got[t] != (t < n ? (long long)t + 1 : 0))
            return false;
    return true;
}

void probe_threads(const Probe *p)
{
    static const unsigned size[] = {1024, 768, 512, 256};
    ProbeKernel k;
    GpuResult r = GpuOk;
    void *out = probe_memory(p, "threads", 2048 * 8, 0);
    if (!out || !probe_kernel(p, "threads", threads_text, &k))
        return;
    for (size_t i = 0; i < COUNT(size) && devprobe_begin(p->e, "threads"); i++) {
        if (gpu_probe_run_threads(p, &k, out, size[i], &r)) {
            devprobe_is(p->e, "threads", "%u", size[i]);
            break;
        }
        probe_why(p, "threads", GCLaunchKernel, r);
    }
    if (devprobe_begin(p->e, "threads_over"))
        devprobe_is(p->e, "threads_over", "%d", gpu_probe_run_threads(p, &k, out, 1088, &r));
}

static const char shared_text[] =
    "extern __shared__ __attribute__((aligned(1024))) unsigned char smem[];\n"
    "extern \"C\" __global__ void __launch_bounds__(256) probe(long long *out, long long n)\n{\n"
    "    unsigned *s = (unsigned *)smem;\n"
    "    int words = (int)n / 4, bad = 0;\n"
    "    for (int i = MT_TID; i < words; i += 256)\n        s[i] = i * 2654435761u;\n"
    "    MT_BARRIER();\n"
    "    for (int i = MT_TID; i < words; i += 256) {\n"
    "        int j = words - 1 - i;\n        bad += s[j] != j * 2654435761u;\n    }\n"
    "    out[MT_TID] = bad + 1;\n}\n";

/* Does a block with n bytes run, and are they all there? */
static bool gpu_probe_run_shared(const Probe *p, const ProbeKernel *k, void *out, unsigned n,
                                 GpuResult *r)
{
    long long got[256] = {0}, bytes = n;
    void *param[] = {&out, &bytes, NULL};
    *r = probe_launch(p, k, one, 256, n, param);
    if (*r != GpuOk || !probe_fetch(p, "shared", got, out, sizeof got))
        return false;
    for (int t = 0; t < 256; t++)
        if (got[t] != 1)
            return false;
    return true;
}

void probe_shared(const Probe *p)
{
    static const unsigned size[] = {65536, 49152, 32768, 16384};
    ProbeKernel k;
    GpuResult r = GpuOk;
    void *out = probe_memory(p, "shared", 256 * 8, 0);
    if (!out || !probe_kernel(p, "shared", shared_text, &k))
        return;
    for (size_t i = 0; i < COUNT(size) && devprobe_begin(p->e, "shared"); i++) {
        if (gpu_probe_run_shared(p, &k, out, size[i], &r)) {
            devprobe_is(p->e, "shared", "%u", size[i]);
            break;
        }
        probe_why(p, "shared", GCLaunchKernel, r);
    }
    if (devprobe_begin(p->e, "shared_over"))
        devprobe_is(p->e, "shared_over", "%d", gpu_probe_run_shared(p, &k, out, 65792, &r));
}

/* Grids ------------------------------------------------------------------------------ */

static const char grid_text[] =
    KERNEL("64") "(char *out) { out[MT_BLOCK_Y + MT_BLOCK_Z] = 1; }\n";

/* Do n blocks in this dimension run, each of them? */
static bool gpu_probe_run_grid(const Probe *p, const ProbeKernel *k, void *out, int axis,
                               unsigned n, GpuResult *r)
{
    enum { Most = 65536 };
    char *got = calloc(1, Most);
    unsigned size[3] = {1, 1, 1}, count = 0;
    void *param[] = {&out, NULL};
    size[axis] = n;
    *r = got ? gpu_put(p->d, (uintptr_t)out, got, Most) : 1;
    *r = *r == GpuOk ? probe_launch(p, k, size, 1, 0, param) : *r;
    if (*r == GpuOk && probe_fetch(p, "grid", got, out, Most))
        for (unsigned i = 0; i < Most; i++)
            count += got[i] == 1;
    free(got);
    return count == n;
}

void probe_grid(const Probe *p)
{
    static const char *const name[] = {"", "grid_y", "grid_z"};
    static const char *const over[] = {"", "grid_y_over", "grid_z_over"};
    static const unsigned size[] = {65535, 32767, 4095, 1023};
    ProbeKernel k;
    GpuResult r = GpuOk;
    void *out = probe_memory(p, "grid", 65536, 0);
    if (!out || !probe_kernel(p, "grid", grid_text, &k))
        return;
    for (int axis = 1; axis < 3; axis++) {
        for (size_t i = 0; i < COUNT(size) && devprobe_begin(p->e, name[axis]); i++) {
            if (gpu_probe_run_grid(p, &k, out, axis, size[i], &r)) {
                devprobe_is(p->e, name[axis], "%u", size[i]);
                break;
            }
            probe_why(p, name[axis], GCLaunchKernel, r);
        }
        if (devprobe_begin(p->e, over[axis]))
            devprobe_is(p->e, over[axis], "%d", gpu_probe_run_grid(p, &k, out, axis, 65536, &r));
    }
}

/* Asynchronous copies ------------------------------------------------------------------ */

/* Each thread copies `bytes` to its place of the shared memory, which held something
 * else; behind the wait and a barrier its neighbour's are read.  {to, from, there}. */
#define COPY(bits, to, from, zeros, there) \
    "__builtin_mxc_ldg_b" bits "_bsm_predicator(" to ", const_cast<void *>((const void *)(" from \
    ")), 0, " zeros ", true, false, true, " there ", 1, MACA_ICMP_EQ);\n"

static const char async_head[] =
    "extern __shared__ __attribute__((aligned(1024))) unsigned char smem[];\n"
    "extern \"C\" __global__ void __launch_bounds__(256) probe(int *out, const int *in)\n{\n"
    "    int *s = (int *)smem, next = (MT_TID + 65) % 256;\n"
    "    for (int i = MT_TID; i < 2048; i += 256)\n        s[i] = -1;\n"
    "    in += MT_BLOCK_X * 2048;\n    out += MT_BLOCK_X * 2048;\n    MT_BARRIER();\n";

#define GATHER(words, base) \
    "    MT_BARRIER();\n    for (int i = 0; i < " words "; i++)\n" \
    "        out[" base " + next * " words " + i] = s[" base " + next * " words " + i];\n"

/* name, the copies and waits, how many numbers of each block arrive, zeros among them */
typedef struct AsyncCase AsyncCase;
struct AsyncCase { const char *name, *text; int words; bool zeros; };

#define PLAIN(bits, words) \
    "    " COPY(bits, "s + MT_TID * " words, "in + MT_TID * " words, "true", "1") \
    "    __builtin_mxc_arrive_gvmcnt(0);\n" GATHER(words, "0")
/* Two groups: the first is there when at most one copy is on its way. */
#define TWO(first, second) \
    "    " COPY("128", "s + MT_TID * 4", "in + MT_TID * 4", "true", "1") \
    "    " COPY("128", "s + 1024 + MT_TID * 4", "in + 1024 + MT_TID * 4", "true", "1") \
    "    " first "\n" GATHER("4", "0") "    " second "\n" GATHER("4", "1024")

static const AsyncCase async_case[] = {
    {"async.4", PLAIN("32", "1"), 256, false},
    {"async.8", PLAIN("64", "2"), 512, false},
    {"async.16", PLAIN("128", "4"), 1024, false},
    {"async.zeros", "    " COPY("128", "s + MT_TID * 4", "in + MT_TID * 4", "true", "MT_TID % 2")
     "    __builtin_mxc_arrive_gvmcnt(0);\n" GATHER("4", "0"), 1024, true},
    {"async.pending", TWO("__builtin_mxc_arrive_gvmcnt(1);", "__builtin_mxc_arrive_gvmcnt(0);"),
     2048, false},
    {"async.arrive", TWO("__builtin_mxc_arrive(64 + 1);", "__builtin_mxc_arrive(64);"), 2048,
     false},
};
enum { AsyncUsed = 5 }; /* of these the target makes use */

enum { Blocks = 64, Words = 2048 };

static bool async_right(const int *got, const AsyncCase *c)
{
    for (int b = 0; b < Blocks; b++)
        for (int i = 0; i < c->words; i++) {
            int want = c->zeros && i / 4 % 2 == 0 ? 0 : b * Words + i + 1;
            if (got[b * Words + i] != want)
                return false;
        }
    return true;
}

static bool gpu_probe_run_ask_async(const Probe *p, const AsyncCase *c)
{
    static const unsigned blocks[3] = {Blocks, 1, 1};
    size_t bytes = (size_t)Blocks * Words * sizeof(int);
    int *host = malloc(bytes);
    Str text = {0};
    ProbeKernel k = {.mod = NULL};
    void *out = probe_memory(p, c->name, bytes, 0xff), *in = probe_memory(p, c->name, bytes, 0);
    void *param[] = {&out, &in, NULL};
    bool ok = host && out && in;
    str_fmt(&text, "%s%s}\n", async_head, c->text);
    ok = ok && !text.bad && probe_kernel(p, c->name, text.s, &k);
    bool asked = ok || k.refused;
    for (int i = 0; ok && i < Blocks * Words; i++)
        host[i] = i + 1;
    GpuResult r = ok ? gpu_put(p->d, (uintptr_t)in, host, bytes) : GpuOk;
    if (ok && r == GpuOk) {
        devprobe_run_begins(p->e, c->name);
        r = probe_launch(p, &k, blocks, 256, Words * sizeof(int), param);
    }
    if (ok && r != GpuOk)
        probe_why(p, c->name, GCLaunchKernel, r);
    ok = ok && r == GpuOk && probe_fetch(p, c->name, host, out, bytes) && async_right(host, c);
    if (asked)
        devprobe_is(p->e, c->name, "%d", ok);
    str_free(&text);
    free(host);
    return ok;
}

void probe_async(const Probe *p)
{
    if (!p->d->opt.m->cp_async)
        return;
    for (size_t i = 0; i < COUNT(async_case); i++)
        if (devprobe_begin(p->e, async_case[i].name))
            gpu_probe_run_ask_async(p, &async_case[i]);
}
