/* Parts of the run-time of GPUs that need no library: what the options make of a
 * machine, which blocks of memory are given out again, what is kept of a probe, how
 * parameters lie in a packed buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../targets/gpu/device.h"
#include "../../targets/cuda/cuda.h"
#include "../../targets/hip/hip.h"
#include "../../targets/maca/maca.h"
#include "../../targets/targets.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("gpu_parts.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

/* Options ---------------------------------------------------------------------- */

static const struct { const GpuVendor *v; const char *text; bool ok; } words[] = {
    {&hip_vendor, "hip", true}, {&hip_vendor, "hip -arch=gfx1100 -fast-math", true},
    {&hip_vendor, NULL, true}, {&maca_vendor, "maca  -async=on\t-packed=on ", true},
    {&maca_vendor, "maca -arch=gfx942", false}, {&hip_vendor, "hip -arch=gfx94", false},
    {&maca_vendor, "maca -async", false}, {&maca_vendor, "maca -async=yes", false},
    {&maca_vendor, "maca -sms=0", false}, {&maca_vendor, "maca -device=", false},
    {&maca_vendor, "maca -device=1234567890", false}, {&maca_vendor, "maca -device=-1", false},
    {&maca_vendor, "maca -card=none", false}, {&maca_vendor, "maca -fast-math=on", false},
    {&hip_vendor, "maca", false}, {&hip_vendor, "hip -archgfx942", false},
    {&cuda_vendor, "cuda -arch=sm_90a -shared=1024", true}, {&cuda_vendor, "cuda -arch=sm_121f", true},
    {&cuda_vendor, "cuda -arch=sm_70", false}, {&cuda_vendor, "cuda -arch=sm_", false},
    {&cuda_vendor, "cuda -arch=sm_90b", false}, {&cuda_vendor, "cuda -arch=", false},
    {&cuda_vendor, "cuda -arch=sm_1234567890", false}, {&cuda_vendor, "cuda -shared=0", false},
    {&cuda_vendor, "cuda -async=on", false}, {&cuda_vendor, "cuda -build=1", false},
};

/* What compilers are told of the chip that the words name, and its instructions. */
static const struct { const GpuVendor *v; const char *text, *told, *machine; } chips[] = {
    {&cuda_vendor, "cuda", "sm_90a", "sm_90a"}, {&cuda_vendor, "cuda -arch=sm_90", "sm_90a", "sm_90a"},
    {&cuda_vendor, "cuda -arch=sm_86", "sm_86", "sm_80"},
    {&cuda_vendor, "cuda -arch=sm_121f", "sm_121f", "sm_89"},
    {&cuda_vendor, "cuda -arch=sm_100a", "sm_100a", "sm_89"},
    {&maca_vendor, "maca -arch=c550", "xcore1000", "c500"},
    {&hip_vendor, "hip -arch=gfx1102", "gfx1102", "gfx1100"},
};

/* The list of what is known, made of the rows. */
static const char known[] = "-arch=sm_NN, -device=N, -fast-math, -build, -sms=N, -shared=BYTES, "
                            "-card=NAME";

static void chosen(void)
{
    Ctx c;
    GpuOptions o;
    for (size_t i = 0; i < COUNT(chips); i++) {
        ctx_init(&c, NULL, 0);
        bool ok = gpu_options(&c, chips[i].v, chips[i].text, &o);
        if (!ok || strcmp(gpu_told(&o), chips[i].told) != 0 ||
            strcmp(o.m->name, chips[i].machine) != 0) {
            printf("`%s`: %s, %s\n", chips[i].text, gpu_told(&o), o.m->name);
            failures++;
        }
        ctx_free(&c);
    }
    ctx_init(&c, NULL, 0);
    EXPECT(!gpu_options(&c, &cuda_vendor, "cuda -async=on", &o) && c.diags);
    EXPECT(c.diags && strcmp(c.diags->arg[1], "-async=on") == 0 &&
           strcmp(c.diags->arg[2], known) == 0);
    ctx_free(&c);
}

static void options(void)
{
    for (size_t i = 0; i < COUNT(words); i++) {
        Ctx c;
        GpuOptions o;
        ctx_init(&c, NULL, 0);
        bool ok = gpu_options(&c, words[i].v, words[i].text, &o);
        if (ok != words[i].ok || (ok ? 0 : 1) != c.nerror) {
            printf("`%s`\n", words[i].text ? words[i].text : "");
            EXPECT(ok == words[i].ok && (ok ? 0 : 1) == c.nerror);
        }
        ctx_free(&c);
    }
}

static void machine(void)
{
    Ctx c;
    ctx_init(&c, NULL, 0);
    const Machine *plain = gpu_machine(&c, &maca_vendor, "maca");
    const Machine *async = gpu_machine(&c, &maca_vendor, "maca -async=on -sms=52");
    const Machine *fma = gpu_machine(&c, &maca_vendor, "maca -mma=off");
    const Machine *hygon = gpu_machine(&c, &hip_vendor, "hip -arch=gfx936");
    const Machine *rdna = gpu_machine(&c, &hip_vendor, "hip -arch=gfx1102");
    EXPECT(plain && !plain->cp_async && plain->nmma > 0 && plain->warp == 64);
    EXPECT(async && async->cp_async && async->card && async->card->sms == 52);
    EXPECT(fma && fma->nmma == 0);
    EXPECT(hygon && hygon->nmma == 0 && hygon->warp == 64);
    EXPECT(rdna && rdna->warp == 32 && rdna->nmma > 0);
    ctx_free(&c);
}

/* Probes ------------------------------------------------------------------------ */

static const char told[] =
    "begin\tparams\nrun\tparams\nis\tparams\t0\nis\tpacked\t1\nis\tcopy_gbs\t1450.5\n"
    "is\tasync.4\t1\nis\tasync.8\t0\nis\tasync.16\t1\nis\tthreads\t512\nis\tmma.one\t1\n"
    "begin\tmma.two\nrun\tmma.two\ndied\tmma.two\t11\nbegin\tmma.three\nrun\tmma.three\n"
    "late\tmma.three\t9\nbegin\tmma.four\nlate\tmma.four\t9\n";

static void probe(void)
{
    char dir[] = "/tmp/moontile-test-XXXXXX", command[64];
    Gpu *d = calloc(1, sizeof *d);
    Str text = {0};
    EXPECT(d && mkdtemp(dir) && setenv("MOONTILE_CACHE_DIR", dir, 1) == 0);
    if (!d)
        return;
    ctx_init(&d->c, NULL, 0);
    d->v = d->cu.v = &maca_vendor;
    d->probe = gpu_probe_none;
    gpu_use_arch(&d->opt, &maca_vendor.arch[0]);
    snprintf(d->is.name, sizeof d->is.name, "MetaX C500");
    EXPECT(cache_open(&d->cache, &d->c));
    EXPECT(!gpu_probe_text(d, &text));
    gpu_probe_load(d);
    EXPECT(d->probe.params == -1 && !d->probe.good && !d->probe.bad.n);
    EXPECT(gpu_probe_store(d, told));
    gpu_probe_load(d);
    EXPECT(d->probe.params == 0 && d->probe.packed == 1 && d->probe.shared == -1);
    EXPECT(d->probe.async == 0 && d->probe.max_threads == 512 && d->probe.good == 1);
    EXPECT(d->probe.bad.s && strcmp(d->probe.bad.s, "two,three") == 0); /* four: not asked */
    EXPECT(gpu_probe_text(d, &text) && strstr(text.s, "copy_gbs 1450.5\n"));
    EXPECT(strstr(text.s, "mma.four.why not compiled within 9 s\n"));
    snprintf(d->is.name, sizeof d->is.name, "MetaX C550"); /* another device knows nothing */
    gpu_probe_load(d);
    EXPECT(d->probe.params == -1 && !d->probe.bad.n);
    str_free(&text);
    cache_close(&d->cache);
    ctx_free(&d->c);
    free(d);
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    EXPECT(system(command) == 0);
}

/* Blocks of memory ----------------------------------------------------------------- */

static void count(void *ud, uint64_t at)
{
    (void)at;
    ++*(int *)ud;
}

static void blocks(void)
{
    int freed = 0;
    GpuBlocks b = {.ud = &freed, .free = count};
    EXPECT(gpu_blocks_take(&b, 100) == 0);
    for (uint64_t i = 1; i <= 200; i++) /* in no order */
        EXPECT(gpu_blocks_add(&b, i * 37 % 211 * 4096, (size_t)i));
    gpu_blocks_drop(&b, 5 * 37 % 211 * 4096);
    gpu_blocks_drop(&b, 12345); /* nobody's */
    EXPECT(gpu_blocks_take(&b, 6) == 0);
    EXPECT(gpu_blocks_take(&b, 5) == 5 * 37 % 211 * 4096);
    EXPECT(gpu_blocks_take(&b, 5) == 0 && freed == 0);
    for (uint64_t i = 6; i <= 200; i++)
        gpu_blocks_drop(&b, i * 37 % 211 * 4096);
    EXPECT(freed == 195 - GpuSpare); /* those that waited longest */
    EXPECT(gpu_blocks_take(&b, 6) == 0 && gpu_blocks_take(&b, 200) != 0);
    EXPECT(gpu_blocks_empty(&b) && !gpu_blocks_empty(&b));
    gpu_blocks_free(&b);
}

/* Packed parameters ------------------------------------------------------------------ */

static void packed(void)
{
    static const uint8_t type[] = {DTi8, DTf32, DTnone, DTbool, DTi64, DTf16};
    uint64_t tensor = 0x1122334455667788, big = 0x99aabbccddeeff00;
    int8_t small = -2;
    float f = 1.5f;
    bool flag = true;
    uint16_t half = 0x3c00;
    void *at[] = {&small, &f, &tensor, &flag, &big, &half};
    unsigned char out[64];
    PlanParam param[6];
    memset(param, 0, sizeof param);
    for (int i = 0; i < 6; i++)
        param[i] = (PlanParam){.kind = type[i] == DTnone ? PKtensor : PKscalar, .dt = type[i]};
    PlanLaunch l = {.param = param, .nparam = 6};
    GpuKernel k = {.l = &l, .param = at};
    GpuProgram g = {.kernel = &k};
    EXPECT(gpu_pack(&g, 0, out, sizeof out) == 34);
    EXPECT((int8_t)out[0] == -2 && memcmp(out + 4, &f, 4) == 0 && memcmp(out + 8, &tensor, 8) == 0);
    EXPECT(out[16] == 1 && memcmp(out + 24, &big, 8) == 0 && memcmp(out + 32, &half, 2) == 0);
    EXPECT(gpu_pack(&g, 0, out, 33) == 0);
}

int main(void)
{
    targets_init();
    options();
    chosen();
    machine();
    probe();
    blocks();
    packed();
    if (!failures)
        printf("all good\n");
    return failures != 0;
}
