/* standin.h: what the stand-in run-times, the kernels that they run and their parts
 * share: C for the run-times, and for the text of kernels C++ behind device.hpp.
 *
 * A kernel is the printed text itself, compiled for this processor: the threads of a
 * block are fibres that switch at barriers and where the lanes of a wave do something
 * together. */
#ifndef STANDIN_H
#define STANDIN_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>

/* Matrix instructions: m, n, k, types and lane maps as the vendors document them. */
#define STANDIN_MMAS \
    MMA(16x16x16f16, 16, 16, Tf16, Map16) MMA(16x16x16bf16, 16, 16, Tbf16, Map16) \
    MMA(16x16x8tf32, 16, 8, Ttf32, Map16) MMA(16x16x4f32, 16, 4, Tf32, Map16) \
    MMA(16x16x16i8, 16, 16, Ti8, Map16) MMA(16x16x4f64, 16, 4, Tf64, Map64) \
    MMA(16x16x32i8, 16, 32, Ti8, Map16) MMA(16x16x32fp8_fp8, 16, 32, Tfp8, Map16) \
    MMA(16x16x32bf8_bf8, 16, 32, Tbf8, Map16) MMA(16x16x32fp8_bf8, 16, 32, Tfp8bf8, Map16) \
    MMA(16x16x32bf8_fp8, 16, 32, Tbf8fp8, Map16) MMA(32x32x8f16, 32, 8, Tf16, Map32) \
    MMA(32x32x8bf16, 32, 8, Tbf16, Map32) MMA(wmma_f16, 16, 16, Tf16, MapW) \
    MMA(wmma_bf16, 16, 16, Tbf16, MapW) MMA(wmma_iu8, 16, 16, Tiu8, MapW)

enum StandinMma {
#define MMA(name, mn, k, type, map) Mma_##name,
    STANDIN_MMAS
#undef MMA
    NMma
};

enum { StandinLanes = 64, StandinRegs = 128 /* bytes of an operand of one lane */ };

/* Operands of a matrix instruction, by lane; bit 0 and 1 of flags: A, B are signed. */
typedef struct StandinRegisters {
    unsigned char a[StandinRegs], b[StandinRegs], c[StandinRegs];
    int flags;
} StandinRegisters;

/* mma.c: c += a * b of one wave.  NULL, or what is wrong with the operands. */
const char *standin_mma(enum StandinMma i, StandinRegisters *lane);
/* Bytes of a lane's a (and b) and c; rows, products of the instruction. */
void standin_mma_sizes(enum StandinMma i, int *ab, int *c, int *mn, int *k);

/* math.c: functions of float that are not the host library's. */
#define STANDIN_FUNCTIONS \
    F(exp) F(exp2) F(exp10) F(log) F(log2) F(log10) F(tanh) F(erf) F(fast_exp) \
    F(fast_exp10) F(fast_sin) F(fast_cos)
enum StandinFunction {
#define F(name) Fn_##name,
    STANDIN_FUNCTIONS
#undef F
    NStandinMath
};
extern float (*const standin_math[NStandinMath])(float);

/* What a kernel calls; site: where the call stands in its text. */
typedef struct StandinApi {
    unsigned (*thread)(void);
    unsigned (*block)(int axis);
    unsigned (*threads)(void);
    unsigned (*blocks)(int axis);
    void (*barrier)(void);
    int (*barrier_count)(int p);           /* threads of the block where p holds */
    uint64_t (*ballot)(const void *site, int p);
    uint64_t (*shuffle)(const void *site, uint64_t v, int lane); /* 0 of a lane that is not here */
    void (*mma)(const void *site, int i, StandinRegisters *r);
    void (*wave_barrier)(const void *site);
    void (*copy_async)(void *to, const void *from, int bytes, int there, int zeros);
    void (*arrive)(int pending);           /* all but the newest `pending` copies are there */
    void (*trap)(const char *why);
    void (*end)(void);                     /* no lane of the wave goes on */
    float (*const *math)(float);
    int lanes;
} StandinApi;

/* What a module offers; its functions are found by name beside it. */
typedef struct StandinKernel {
    const char *name;
    void (*call)(void **param);            /* runs one thread */
    int nparam;
    const int *size;                       /* bytes of each parameter */
    int bound;                             /* of __launch_bounds__; 0: none */
    int resident;                          /* its blocks wait for each other */
} StandinKernel;

typedef struct StandinModule {
    const StandinKernel *kernel; int nkernel;
    void (*bind)(const StandinApi *api);   /* in each thread that runs it */
    unsigned char *(*shared)(void);        /* of this thread: 64 KiB, and as much behind */
} StandinModule;

/* grid.c: runs a grid.  NULL, or the vendor's name of the error ("ErrorLaunchFailure")
 * with a text for the log behind a space. */
typedef struct StandinGrid {
    const StandinModule *m;
    const StandinKernel *k;
    void **param;
    unsigned grid[3], threads, shared;
    int lanes;
} StandinGrid;
const char *standin_run(const StandinGrid *g);

/* ledger.c: must this call fail?  To be asked by each, with its name. */
bool standin_turn(const char *prefix, const char *call);
void standin_turns(void);                /* they are counted from 1 again */
/* p, which is handed out; false below: it does not live, and that is a crime. */
void *standin_made(const char *kind, void *p);
bool standin_is(const char *kind, const void *p, const char *call);
bool standin_end(const char *kind, const void *p, const char *call);  /* it is given back */
int standin_left(const char *kind);      /* how many live; NULL: of all kinds */
#ifndef __cplusplus
__attribute__((format(printf, 1, 2)))
#endif
void standin_crime(const char *fmt, ...);

/* compile.c: text -> a shared object at `path`.  0: made; else what the compiler said is
 * in *log (malloc'd). */
int standin_compile(const char *text, const char *arch, const char *path, char **log);

#endif
