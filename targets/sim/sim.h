/* targets/sim/sim.h: the parts of the simulator.
 *
 *   build.c   thread program -> SimProg: linear code over lanes (code.h)
 *   run.c ..  executes it for the threads of one cluster after another
 *   hb*.c     memory shadow and happens-before (hb.h)
 *   units*.c  matrix instructions, tile boxes, descriptors (units.h)
 *   mbar.c    barrier objects, named barriers, clusters (mbar.h)
 *   report.c  findings: one row of errs/sim.h each, with both lines
 *   trace*.c  when a block would do what it does: a model of its time line (trace.h)
 *   device.c  struct Device around it
 *
 * Values in registers are kept by class: every float type of up to 32 bits as
 * a float that is already rounded to its type, float64 as double, integers of
 * up to 32 bits and bool as int32_t, wider ones as int64_t; a register is an
 * array of the threads of the cluster, so registers of a local buffer are
 * [register][thread]. */
#ifndef MOONTILE_SIM_H
#define MOONTILE_SIM_H

#include "core/ir/ir.h"
#include "core/layout/machine.h"
#include "core/device/worker.h"

typedef struct SimProg SimProg;   /* one loaded thread program */
typedef struct SimRun SimRun;     /* one launch of it that runs */

/* A place in the program that reports can name. */
typedef struct SimSite SimSite;
struct SimSite {
    Loc loc;
    uint32_t buf;         /* Buf, or 0 */
    const char *what;     /* "reads", "writes", "mma", .. as messages say it */
    uint16_t update;      /* of an atomic: update_number(), see effects.h */
};

/* -trace=X,Y,Z[,N]: what block (X, Y, Z) of launch N does, as trace_write() says. */
typedef struct SimTrace SimTrace;
struct SimTrace {
    bool on;
    int64_t block[3], launch;
    Str *out;             /* where it goes; NULL: nowhere, then nothing is recorded */
};

typedef struct SimOptions SimOptions;
struct SimOptions {
    const Machine *m;
    bool async;            /* -async=on: as of a target that is told so */
    int warp, shared, sms; /* -warp=: lanes asked for; -shared=: bytes a block may have; -sms=:
                           * multiprocessors of the card; 0: the machine's */
    uint64_t seed;        /* 0: in order; else shuffles warps, blocks and completions */
    bool checks;          /* races, unwritten memory, waits: on unless -checks=0 */
    bool lanes;           /* what costs nothing to see: shuffles from lanes that are off, divisors
                           * of 0; on with the others, and alone with -checks=lanes */
    bool exact;           /* -exact=: matrix units sum as the machine's do, where that is known */
    int max_findings;     /* stop the launch after so many (16) */
    int undefined;        /* -undefined=: bytes that nobody has written are this; -1: as it comes */
    char who[64];         /* -who=BUFFER:ELEMENT: says who wrote that one of a global buffer last, "": no */
    SimTrace trace;
    int seconds;          /* -seconds=: a launch that takes longer is given up, and says where it was; 0:
                           * the session's limit alone */
    bool keep;            /* -keep: a launch with findings succeeds, for who wants its results */
};
bool sim_options(Ctx *c, const char *options, SimOptions *out); /* options.c; reports unknown words */

/* report.c, findings: report.h (struct Report: the launch's; SimRun keeps one). */

#endif
