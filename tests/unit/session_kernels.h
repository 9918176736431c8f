/* tests/unit/session_kernels.h: kernels written by hand against abi.h, as the
 * generator would print them, each with something for a session to survive. */
#ifndef MOONTILE_SESSION_KERNELS_H
#define MOONTILE_SESSION_KERNELS_H

/* ORDER ABI */
static const char kernel_head[] =
    "typedef long int64_t; typedef int int32_t; typedef unsigned long uint64_t;\n"
    "typedef union MtArg { void *p; int64_t i; double f; } MtArg;\n"
    "typedef struct MtPrint { const char *message, *name; int32_t dtype, ndim;\n"
    "    int64_t shape[8]; int64_t stride[8]; int32_t line; } MtPrint;\n"
    "typedef struct MtRt MtRt;\n"
    "struct MtRt { int64_t block, bx, by, bz;\n"
    "    void (*print)(MtRt *, const MtPrint *, const void *);\n"
    "    void (*fail)(MtRt *, const char *, int32_t); void *ud;\n"
    "    void (*zero)(MtRt *, int32_t); };\n"
    "typedef struct MtLaunch { void (*grid)(const MtArg *, int64_t *);\n"
    "    void (*run)(const MtArg *, const int64_t *, int64_t, int64_t, char *, MtRt *);\n"
    "    int64_t scratch; int32_t sequential; } MtLaunch;\n"
    "typedef struct MtModule { int32_t abi, narg, nlaunch, nworkspace;\n"
    "    const MtLaunch *launch; void (*workspace)(const MtArg *, int64_t *);\n"
    "    uint64_t check; const char *(*unfit)(const MtArg *, int64_t *, int64_t *, int64_t *);\n"
    "    int32_t noutput; const void *output; void *sizes; const char *tensor;\n"
    "} MtModule;\n";

/* Arguments a: int32 or float tensors, then n.  GRID, SCRATCH, SEQ and the
 * statements of one block b are filled in. */
static const char kernel_body[] =
    "static void grid(const MtArg *a, int64_t *g) { g[0] = %s; g[1] = g[2] = 1; }\n"
    "%s\n"
    "static void run(const MtArg *a, const int64_t *g, int64_t from, int64_t to,\n"
    "                char *scratch, MtRt *rt)\n"
    "{\n"
    "    for (int64_t b = from; b < to; b++) {\n"
    "        rt->block = rt->bx = b; rt->by = rt->bz = 0;\n"
    "        %s\n"
    "    }\n"
    "}\n"
    "static const MtLaunch launch[] = {{grid, run, %s, %s}};\n"
    "const MtModule mt_module = {3, %d, 1, 0, launch, 0, 0, 0, 0, 0, 0, 0};\n";

typedef struct Kernel Kernel;
struct Kernel {
    const char *name, *grid, *before, *block, *scratch, *sequential;
    int narg;
};

static const Kernel kernels[] = {
    {"add", "(a[3].i + 255) / 256", "",
     "const float *x = a[0].p, *y = a[1].p; float *z = a[2].p;\n"
     "for (int64_t i = b * 256; i < b * 256 + 256 && i < a[3].i; i++) z[i] = x[i] + y[i];",
     "0", "0", 4},
    {"nothing", "1", "", "", "0", "0", 0},
    {"segv", "4", "", "if (b == 3) *(volatile int *)8 = 1;", "0", "1", 0},
    {"fpe", "1", "", "volatile int z = 0, one = 1; z = one / z;", "0", "0", 0},
    {"ill", "1", "", "__builtin_trap();", "0", "0", 0},
    {"abort", "1", "void abort(void);", "abort();", "0", "0", 0},
    {"leave", "1", "void _exit(int);", "_exit(3);", "0", "0", 0},
    {"loop", "64", "", "for (volatile int i = 0;; i++) ;", "0", "0", 0},
    {"shout", "1", "int puts(const char *); int fflush(void *);",
     "puts(\"the worker must not be heard\"); fflush(0);", "0", "0", 0},
    {"deep", "8",
     "__attribute__((noinline)) static int down(int n, volatile char *p)\n"
     "{ volatile char x[4096]; x[0] = *p; return n ? down(n - 1, x) + x[0] : 0; }",
     "volatile char c = 0; down(8000, &c);", "0", "0", 0}, /* 32 MiB */
    {"overflow", "1",
     "__attribute__((noinline)) static int down(int n, volatile char *p)\n"
     "{ volatile char x[4096]; x[0] = *p; return n ? down(n - 1, x) + x[0] : 0; }",
     "volatile char c = 0; down(1 << 30, &c);", "0", "0", 0},
    {"check", "100", "", "if (b >= 40) rt->fail(rt, \"x | y must be positive\", 12);",
     "0", "1", 0},
    {"count", "a[1].i", "", "__atomic_fetch_add((int *)a[0].p + b, 1, 5);", "0", "0", 2},
    {"scratch", "a[1].i", "",
     "if ((uint64_t)scratch % 64) rt->fail(rt, \"not aligned\", 1);\n"
     "for (int i = 0; i < 4096; i++) scratch[i] = (char)b;\n"
     "for (int i = 0; i < 4096; i++) if (scratch[i] != (char)b) rt->fail(rt, \"shared\", 2);\n"
     "((int *)a[0].p)[b] = 1;", "4096", "0", 2},
    {"nap", "1", "int usleep(unsigned);", "usleep(20000);", "0", "0", 0},
    {"say", "3",
     "static const MtPrint p0 = {\"step\", 0, 5, 0, {0}, {0}, 3};\n"
     "static const MtPrint p1 = {\"after\", \"Cl\", 14, 2, {3, 4}, {4, 1}, 4};\n"
     "static const MtPrint p2 = {\"here\", 0, 0, -1, {0}, {0}, 5};\n",
     "int64_t v = 0; float m[12]; for (int i = 0; i < 12; i++) m[i] = i * 0.25f + b;\n"
     "int k = b * 7; rt->print(rt, &p2, 0); rt->print(rt, &p0, &v); \n"
     "if (b == 2) rt->print(rt, &p1, m);", "0", "0", 0},
    {"last_words", "2", "static const MtPrint p = {\"still here\", 0, 0, -1, {0}, {0}, 5};",
     "rt->print(rt, &p, 0); if (b == 1) *(volatile int *)8 = 1;", "0", "1", 0},
    {"flood", "1000000",
     "static const MtPrint p = {\"all work and no play\", 0, 0, -1, {0}, {0}, 5};",
     "rt->print(rt, &p, 0);", "0", "0", 0},
    {"wide", "1",
     "static const MtPrint p1 = {0, \"S\", 14, 2, {40, 64}, {64, 1}, 4};\n"
     "static const MtPrint p2 = {0, \"v\", 4, 1, {20}, {1}, 4};\n"
     "static const MtPrint p3 = {\"cube\", \"Q\", 5, 3, {2, 2, 2}, {4, 2, 1}, 4};\n",
     "static float m[40 * 64]; for (int i = 0; i < 40 * 64; i++) m[i] = i;\n"
     "static short v[20]; static int q[8]; static int once;\n"
     "for (int i = 0; i < 20; i++) v[i] = i - 5; for (int i = 0; i < 8; i++) q[i] = i;\n"
     "m[3] = 1 / 0.0f; m[5] = 0 / 0.0f; m[6] = 1e-7f;\n"
     "rt->print(rt, &p1, m); rt->print(rt, &p2, v); rt->print(rt, &p3, q); (void)once;",
     "0", "0", 0},
};

#endif
