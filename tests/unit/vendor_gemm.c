/* The vendor's matrix product, with a cublasLt and a driver that are made here: the
 * library counts column-major, so what this test proves is that A, B and C arrive in
 * the right places, with the right transpositions, leading dimensions and scales, and
 * that the fastest candidate is taken.  Skipped without a C compiler. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../targets/cuda/cublaslt.h"
#include "../../targets/cuda/routines.h"
#include "../../targets/targets.h"
#include "dev_said.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("vendor_gemm.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

/* A cublasLt for float32, column-major as the real one.  Candidate i costs 3 - i
 * ticks of fake_clock, but number 2 fails. */
static const char library[] =
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "typedef struct { int type; uint64_t rows, cols; int64_t ld; } Layout;\n"
    "typedef struct { int t[2], fast; void *scale[2]; } Desc;\n"
    "typedef struct { uint64_t algo[8]; size_t ws; int state; float waves; int r[4]; } Cand;\n"
    "double fake_clock;\n"
    "size_t cublasLtGetVersion(void) { return 120304; }\n"
    "int cublasLtCreate(void **h) { *h = malloc(1); return 0; }\n"
    "int cublasLtDestroy(void *h) { free(h); return 0; }\n"
    "int cublasLtMatmulDescCreate(Desc **d, int c, int s)\n"
    "{ *d = calloc(1, sizeof **d); return c == 68 && s == 0 ? 0 : 7; }\n"
    "int cublasLtMatmulDescDestroy(Desc *d) { free(d); return 0; }\n"
    "int cublasLtMatmulDescSetAttribute(Desc *d, int a, const void *p, size_t n)\n"
    "{ if (a == 3 || a == 4) memcpy(&d->t[a - 3], p, n); else if (a == 25) d->fast = 1;\n"
    "  else if (a == 17 || a == 18) memcpy(&d->scale[a - 17], p, n); else return 7; return 0; }\n"
    "int cublasLtMatrixLayoutCreate(Layout **l, int t, uint64_t r, uint64_t c, int64_t ld)\n"
    "{ *l = malloc(sizeof **l); **l = (Layout){t, r, c, ld}; return 0; }\n"
    "int cublasLtMatrixLayoutDestroy(Layout *l) { free(l); return 0; }\n"
    "int cublasLtMatrixLayoutSetAttribute(Layout *l, int a, const void *p, size_t n)\n"
    "{ (void)l, (void)a, (void)p, (void)n; return 0; }\n"
    "int cublasLtMatmulPreferenceCreate(void **p) { *p = malloc(1); return 0; }\n"
    "int cublasLtMatmulPreferenceDestroy(void *p) { free(p); return 0; }\n"
    "int cublasLtMatmulPreferenceSetAttribute(void *q, int a, const void *p, size_t n)\n"
    "{ (void)q, (void)a, (void)p, (void)n; return 0; }\n"
    "int cublasLtMatmulAlgoGetHeuristic(void *h, Desc *d, Layout *a, Layout *b, Layout *c,\n"
    "                                   Layout *e, void *p, int want, Cand *r, int *n)\n"
    "{ (void)h, (void)p, (void)want; *n = 0;\n"
    "  if (a->type == 28 && !(d->t[0] == 1 && d->t[1] == 0)) return 15;\n"
    "  uint64_t m = d->t[0] ? a->cols : a->rows, k = d->t[0] ? a->rows : a->cols;\n"
    "  uint64_t k2 = d->t[1] ? b->cols : b->rows, n2 = d->t[1] ? b->rows : b->cols;\n"
    "  if (k != k2 || c->rows != m || c->cols != n2 || e != c) return 7;\n"
    "  for (int i = 0; i < 3; i++) { memset(&r[i], 0, sizeof *r); r[i].algo[0] = (uint64_t)i; }\n"
    "  *n = 3; return 0; }\n"
    "int cublasLtMatmul(void *h, Desc *d, const float *alpha, const float *a, Layout *la,\n"
    "                   const float *b, Layout *lb, const float *beta, const float *c,\n"
    "                   Layout *lc,"
    "                   float *o, Layout *lo, const uint64_t *algo, void *w, size_t nw, void *s)\n"
    "{ (void)h, (void)c, (void)lc, (void)w, (void)nw, (void)s;\n"
    "  if (*algo == 2) return 13;\n"
    "  fake_clock += 3 - (double)*algo;\n"
    "  uint64_t k = d->t[0] ? la->rows : la->cols;\n"
    "  for (uint64_t i = 0; i < lo->rows; i++) for (uint64_t j = 0; j < lo->cols; j++) {\n"
    "    float sum = 0;\n"
    "    for (uint64_t x = 0; x < k; x++)\n"
    "      sum += (d->t[0] ? a[x + i * la->ld] : a[i + x * la->ld]) *\n"
    "             (d->t[1] ? b[j + x * lb->ld] : b[x + j * lb->ld]);\n"
    "    o[i + j * lo->ld] = *alpha * sum + (*beta != 0 ? *beta : 0);\n"
    "  } return 0; }\n";

static bool compile(const char *dir, char *so, size_t n)
{
    char source[128], command[512];
    const char *cc = getenv("CC");
    snprintf(source, sizeof source, "%s/lt.c", dir);
    snprintf(so, n, "%s/lt.so", dir);
    FILE *f = fopen(source, "w");
    if (!f)
        return false;
    fputs(library, f);
    fclose(f);
    snprintf(command, sizeof command, "%s -w -shared -fPIC -o %s %s 2>/dev/null",
             cc && *cc ? cc : "cc", so, source);
    int status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The driver: device memory is host memory, and the clock is the library's. */

static double *clock_at; /* of the loaded library; found by the first event */

static GpuResult mem_alloc(GpuAddress *p, size_t n)
{
    void *q = malloc(n);
    *p = (GpuAddress)(uintptr_t)q;
    return q ? GpuOk : 2;
}
static GpuResult mem_free(GpuAddress p) { free((void *)(uintptr_t)p); return GpuOk; }
static GpuResult memset8(GpuAddress p, unsigned char v, size_t n, void *s)
{
    (void)s;
    memset((void *)(uintptr_t)p, v, n < 4096 ? n : 4096);
    return GpuOk;
}
static GpuResult memset32(GpuAddress p, unsigned v, size_t n, void *s)
{
    (void)s;
    for (size_t i = 0; i < n; i++)
        memcpy((char *)(uintptr_t)p + 4 * i, &v, 4);
    return GpuOk;
}
static GpuResult memcpy_dd(GpuAddress to, GpuAddress from, size_t n, void *s)
{
    (void)s;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return GpuOk;
}
static GpuResult stream_create(void **s, unsigned flags)
{
    (void)flags;
    *s = malloc(1);
    return GpuOk;
}
static GpuResult stream_done(void *s) { free(s); return GpuOk; }
static GpuResult stream_wait(void *s) { (void)s; return GpuOk; }
static GpuResult event_create(void **e, unsigned flags)
{
    (void)flags;
    *e = calloc(1, sizeof(double));
    return GpuOk;
}
static GpuResult event_done(void *e) { free(e); return GpuOk; }
static GpuResult event_record(void *e, void *s)
{
    (void)s;
    memcpy(e, clock_at, sizeof *clock_at);
    return GpuOk;
}
static GpuResult event_elapsed(float *ms, void *a, void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    *ms = (float)(y - x);
    return GpuOk;
}

static void fake_driver(Gpu *d)
{
    d->v = &cuda_vendor;
    d->cu = (GpuDriver){.v = &cuda_vendor, .version = 12040, .MemAlloc = mem_alloc, .MemFree = mem_free,
                         .MemsetD8Async = memset8, .MemsetD32Async = memset32,
                         .MemcpyDtoDAsync = memcpy_dd, .StreamCreate = stream_create,
                         .StreamDestroy = stream_done, .StreamSynchronize = stream_wait,
                         .EventCreate = event_create, .EventDestroy = event_done,
                         .EventRecord = event_record, .EventElapsedTime = event_elapsed};
}

/* Products ---------------------------------------------------------------- */

enum { M = 5, N = 3, K = 4 };

static bool product(Gpu *d, bool ta, bool tb)
{
    float a[M * K], b[K * N], c[M * N];
    char spec[128];
    DevError err = DEV_NO_ERROR;
    Str facts = {0};
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(i % 5 - 2);
    memset(c, 0xff, sizeof c);
    snprintf(spec, sizeof spec, "gemm m=5 n=3 k=4 a=float32 b=float32 c=float32 acc=float32 "
             "ta=%d tb=%d", ta, tb);
    Routine *v = cuda_routine_load(d, spec, &err);
    DevArg arg[3] = {{.p = a}, {.p = b}, {.p = c}};
    bool ok = v && cuda_routine_enqueue(d, v, arg, 3, &err);
    for (int i = 0; ok && i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[ta ? k * M + i : i * K + k] * b[tb ? j * K + k : k * N + j];
            ok = ok && fabsf(c[i * N + j] - sum) < 1e-6f;
        }
    if (v)
        cuda_routine_facts(v, &facts);
    ok = ok && strstr(facts.s, "candidates 3\nworked 2\nchosen 1\n");
    if (!ok)
        printf("ta %d tb %d: %s\n%s\n", ta, tb, err.is ? err_info(err.is)->id : "wrong",
               facts.s ? facts.s : "");
    str_free(&facts);
    dev_error_free(err);
    if (v)
        cuda_routine_unload(d, v);
    return ok;
}

static bool fails(Gpu *d, const char *spec, int narg, const char *with)
{
    DevError err = DEV_NO_ERROR;
    float x[64] = {0};
    DevArg arg[3] = {{.p = x}, {.p = x}, {.p = x}};
    Routine *v = cuda_routine_load(d, spec, &err);
    bool failed = !v || !cuda_routine_enqueue(d, v, arg, narg, &err);
    char *text = dev_said(err);
    bool ok = failed && text && strstr(text, with);
    if (!ok)
        printf("%s: %s\n", spec, text ? text : "no error");
    free(text);
    if (v)
        cuda_routine_unload(d, v);
    return ok;
}

static void copies(Gpu *d)
{
    char from[8] = "abcdefg", to[8] = "-------";
    DevError err = DEV_NO_ERROR;
    DevArg arg[2] = {{.p = from}, {.p = to}};
    Routine *v = cuda_routine_load(d, "copy bytes=4", &err);
    EXPECT(v && cuda_routine_enqueue(d, v, arg, 2, &err) && memcmp(to, "abcd---", 8) == 0);
    cuda_routine_unload(d, v);
    v = cuda_routine_load(d, "memset bytes=3", &err);
    EXPECT(v && cuda_routine_enqueue(d, v, arg + 1, 1, &err) && memcmp(to, "\0\0\0d", 4) == 0);
    cuda_routine_unload(d, v);
    dev_error_free(err);
}

int main(void)
{
    targets_init();
    char dir[] = "/tmp/vendor_gemm.XXXXXX", so[128], source[128];
    static Gpu d;
    CublasLt lib;
    fake_driver(&d);
    if (!mkdtemp(dir))
        return 1;
    setenv("MOONTILE_CUBLASLT_LIB", "/nonexistent/lt.so", 1);
    EXPECT(fails(&d, "gemm m=1 n=1 k=1 a=float32 b=float32 c=float32 acc=float32", 3,
                 "/nonexistent/lt.so (MOONTILE_CUBLASLT_LIB)"));
    snprintf(source, sizeof source, "%s/lt.c", dir);
    bool built = compile(dir, so, sizeof so);
    if (!built)
        puts("no C compiler");
    if (built) {
        setenv("MOONTILE_CUBLASLT_LIB", so, 1);
        DevError err = cublaslt_open(&lib, 12040);
        EXPECT(!err.is);
        dev_error_free(err);
        EXPECT(lib.version == 120304);
        clock_at = dlsym(lib.handle, "fake_clock");
        for (int t = 0; t < 4; t++)
            EXPECT(product(&d, t & 1, t >> 1));
        EXPECT(fails(&d, "gemm m=1 n=1 k=1 a=int16 b=int16 c=int16 acc=int32", 3, "@cublas_form"));
        EXPECT(fails(&d, "gemm m=4 n=4 k=4 a=float8_e4m3fn b=float8_e4m3fn c=float32 acc=float32",
                     3, "@cublas_form"));
        cublaslt_close(&lib);
    }
    EXPECT(fails(&d, "gemv m=1", 3, "@vendor_none"));
    EXPECT(fails(&d, "copy", 2, "@vendor_none"));
    EXPECT(fails(&d, "copy bytes=x", 2, "@vendor_none"));
    EXPECT(fails(&d, "copy bytes=4", 3, "@vendor_args"));
    copies(&d);
    unlink(so);
    unlink(source);
    rmdir(dir);
    if (failures == 0 && !built)
        return 77;
    return failures != 0;
}
