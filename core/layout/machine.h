/* core/layout/machine.h: what a target's hardware is, as data.
 *
 * A Machine says what the passes may use; nothing else in core depends on a
 * vendor.  Tables live in targets/<vendor>/machines.c. */
#ifndef MOONTILE_MACHINE_H
#define MOONTILE_MACHINE_H

#include "layout.h"

/* A matrix instruction: D += A * B on m x n x k.  Bit strings name, low to
 * high, the logical bit that stands on each lane and register bit; they start
 * with the letters of layout_bits(): A "mk", B "kn", C "mn".  A wgmma is
 * written for one warp's 16 rows (m = 64: warp w of the group holds rows 16w ..)
 * with n given by the plan, in steps of nstep up to nmax; its C string is that
 * of 16 x 8. */
enum MmaKind { MMAwarp, MMAgroup };

/* How a matrix unit sums floats.  It takes `group` products in order of k at a time, exactly,
 * and the accumulator; cuts each, towards zero, to `bits` binary places behind the leading
 * place of the greatest, where the exponent of a product is the sum of its factors'; and cuts
 * their sum, which is exact, to `places` behind its own leading place (a float16 accumulator:
 * rounds it to nearest).  A sum of nothing but zeros is +0. */
typedef struct MmaSum MmaSum;
struct MmaSum {
    uint8_t group, bits, places;
    bool pairs;               /* 8-bit floats, widened: elements 0, 1, 4, 5, .. of k first, then
                               * 2, 3, 6, 7, ..; the accumulator last, rounded to nearest */
    bool measured;            /* on a card; else from the literature */
};
typedef struct Mma Mma;
struct Mma {
    const char *name;         /* "mma.m16n8k16.f32.f16", the same in IR text */
    uint8_t kind;
    uint16_t m, n, k;         /* wgmma: n is nstep */
    uint16_t nmax;
    uint8_t a, b, c;          /* enum Dtype */
    const char *alane, *areg, *blane, *breg, *clane, *creg;
    bool transposed;          /* operands are passed swapped: D^T = B^T A^T */
    bool kmajor_only;         /* wgmma: A and B must be K-major (8-bit, tf32) */
    int rate;                 /* dense flops a clock a multiprocessor; 0: not known */
    const MmaSum *sum;        /* NULL: integers, float64, and where nothing is known */
};

/* Peaks of a named card, for rooflines; 0: not known. */
typedef struct Card Card;
struct Card {
    const char *name;         /* "H200" */
    int sms; double ghz;
    double gbs;               /* memory, 1e9 bytes a second */
    double f64, f32, tf32, f16, f8, i8; /* 1e12 operations a second; f16: and bf16, matrix units */
};

/* How fast a multiprocessor is besides the peaks of its card, for models of time (traces, tuning):
 * in clocks and bytes, then parts of 1. */
typedef struct Timing Timing;
struct Timing {
    int l2;                   /* bytes a clock from the L2 when all multiprocessors ask */
    int latency;              /* of a load that hits there */
    int lanes;                /* lanes of ordinary arithmetic a clock */
    double matrix, warp;      /* of the peak: what matrix units keep up with random data; mma.sync
                               * where warp groups do better */
    double memory;            /* of the data sheet's bandwidth: what a copy reaches */
    double miss;              /* of repeated loads: those that the L2 does not hold */
    double launch;            /* microseconds from one kernel to the next */
    bool assumed;             /* nothing of it is published */
};

typedef struct Machine Machine;
struct Machine {
    const char *name;         /* "sm_90a" */
    const char *family;       /* "nvidia" "amd" "metax" "simt" */
    const char *summary;
    int warp, group;          /* lanes of a warp; warps of a warp group (4) or 0 */
    int max_threads;          /* of a block */
    int shared_block, shared_sm, shared_reserved; /* bytes */
    int regs_sm, regs_thread, regs_unit, warps_sm, blocks_sm; /* occupancy */
    int banks, bank_bytes, sector; /* of shared memory, of global memory */
    int vec_bytes;            /* widest load and store of a thread */
    int vec_atomic;           /* bytes of the widest atomic add of several floats; 0: single ones */
    int max_cluster;
    bool ldmatrix, stmatrix, cp_async, mbarrier, tma, wgmma, setmaxnreg, named_barriers, proxies;
    bool asked_async;         /* programs may use cp.async themselves only with -async=on: see
                               * targets/maca/copy.c */
    bool contracts;           /* compilers for it make one FMA of a * b + c */
    bool residents;           /* compilers for it are told how many blocks should fit on a multiprocessor */
    bool exact_banks;         /* the bank model is measured, not assumed */
    const Mma *mma; int nmma; /* best first */
    const Card *card;         /* the default one of this machine */
    const Timing *timing;         /* NULL: not known, see machine_timing() */
};

/* All that there are, NULL-terminated; handed in once at start-up (targets_init), before any
 * thread: core names no machine.  Empty until then. */
extern const Machine *const *machines;
extern const Card *const *cards;
void hardware_use(const Machine *const *m, const Card *const *c); /* both stay the caller's */
const Machine *machine_find(const char *name);
const Timing *machine_timing(const Machine *m); /* its own, or what is assumed of any */
const Mma *mma_find(const char *name);  /* over all machines; NULL */
/* The same, its row in m's table first: machines differ in rates and sums. */
const Mma *machine_mma(const Machine *m, const char *name);
const Card *card_find(const char *name);
/* Layout of an operand of one instruction: which 'a', 'b' or 'c'.  For wgmma
 * n is the plan's and the layout covers the 4 warps of a group. */
bool mma_layout(const Mma *i, char which, int n, Layout *out);

#endif
