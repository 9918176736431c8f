/* targets/sim/trace_p.h: inside the recording of a block's time line. */
#ifndef MOONTILE_SIM_TRACE_P_H
#define MOONTILE_SIM_TRACE_P_H

#include "trace.h"

enum {
    TrSubs = 4,        /* parts of a multiprocessor with a scheduler and a matrix unit each */
    TrGroups = 64,     /* open groups of asynchronous operations that a warp keeps apart */
    TrRounds = 4,      /* rounds of a loop that loads may be ahead */
    TrDepth = 8,       /* loops around an event that are kept */
    TrPhases = 4
};

/* When a unit is taken: ranges of cycles in order, with gaps between them. */
typedef struct TraceRange TraceRange;
struct TraceRange { int64_t from, to; };
typedef struct Calendar Calendar;
struct Calendar { TraceRange *r; uint32_t n, cap; int64_t busy; };

/* The units of a block's multiprocessor. */
typedef struct Units Units;
struct Units { Calendar way, shared, matrix[TrSubs]; };

/* A loop around what happens: instruction and value. */
typedef struct TrLoop TrLoop;
struct TrLoop { uint32_t at; int64_t value; };
typedef struct TrFrame TrFrame;
struct TrFrame { uint8_t n; TrLoop loop[TrDepth]; };

/* Kinds of events.  Of warps: TEwork.. are what they do, the others what they wait for. */
enum TrKind {
    TEcompute = 'c', TEload = 'l', TEstore = 's', TEcopy = 'i', TEmatrix = 'm',
    TEarrive = 'a', TEmbar = 'w', TEbarrier = 'b', TEgroup = 'g', TEmemory = 'p',
    TEflight = 'G',    /* of the way to memory: issued .. landed */
    TEproduct = 'M'    /* of the matrix units */
};

typedef struct TraceEvent TraceEvent;
struct TraceEvent {
    int64_t from, to;
    uint8_t kind, cta, queue;   /* queue: TEgroup, TEflight: Qcp ..; NQueue: none */
    uint16_t w0, w1;            /* warps of the cluster */
    Loc loc, by;                /* by: what ended a wait */
    uint32_t frame, n;          /* n: instructions */
    uint32_t buf;
    int64_t stage, phase;       /* -1: none */
    int64_t bytes, flops, busy, stall;
    int64_t asked;              /* of units: when the last part was */
    const char *what;
};

/* Asynchronous operations of a warp: when closed groups are done, oldest first. */
typedef struct TrQueue TrQueue;
struct TrQueue { TraceRange done[TrGroups]; Loc loc[TrGroups]; int n; int64_t open; Loc at; };

typedef struct WarpTime WarpTime;
struct WarpTime {
    int64_t clock;
    int64_t pending; Loc pended;   /* memory operations that a barrier waits for */
    int64_t stored;                /* the last of its stores to shared memory has been done */
    int64_t drain;                 /* the last of its stores is in memory */
    int64_t round[TrRounds]; uint32_t nround; int64_t loads; Loc loaded;
    int64_t product; Loc producer; /* the last of its matrix products */
    TrQueue q[NQueue];
    TrFrame frame; uint32_t frameid;
    uint32_t span;                 /* event + 1 that its next work may add to */
    uint32_t flight, products;     /* the same of units */
};

/* An mbarrier, or a barrier of threads: the latest of each phase's arrivals. */
typedef struct TrPhase TrPhase;
struct TrPhase { int64_t of, at; Loc by; bool copy; }; /* of: the phase + 1 */
typedef struct TrBar TrBar;
struct TrBar {
    uint8_t kind;                  /* TEmbar, TEbarrier */
    int cta; int64_t at;           /* byte offset, or number */
    int64_t phase;                 /* of an mbarrier: the one that runs */
    TrPhase reg[TrPhases];
};

/* What is known of an instruction: its kind is a function's (trace_step.c). */
typedef struct TrIns TrIns;
struct TrIns {
    uint8_t kind;                  /* 0: not looked at */
    bool measured, fused;
    int cycles;                    /* of a warp's issue, or lanes of units */
    int64_t waves, sectors;        /* of a strand of `warps` warps */
    int warps;
    const Mma *mma;
};

typedef struct Role Role;
struct Role { int lo, hi; const char *name; };

struct Trace {
    const Timing *timing;
    int warps, warp;               /* of the cluster; lanes of one */
    TrIns *ins;                    /* by instruction of l->code */
    WarpTime *w;                   /* [warps] */
    int64_t *ready;                /* [row][warps]: 2 * cycle, + 1: whoever needs it stops */
    Units *unit;                   /* by block of the cluster */
    TrBar *bar; uint32_t nbar, capbar;
    TraceEvent *e; uint32_t ne, cape;
    TraceEvent nowhere;            /* for what there is no room for */
    TrFrame *f; uint32_t nf, capf;
    Role *role; uint32_t nrole, caprole;
    int64_t cut;                   /* first cycle of what there was no room for; 0: all is there */
    bool guessed;                  /* a rate was assumed */
    int64_t start;                 /* work spans: clock of the instruction at hand */
};

/* trace_time.c */
/* n cycles of a unit, in gaps too, not before `at`; *end is behind the last. -> the first */
int64_t calendar_take(Ctx *c, Calendar *k, int64_t at, int64_t n, int64_t *end);
int64_t trace_clock(const Trace *t, int w0, int w1);
void trace_set(Trace *t, int w0, int w1, int64_t clock);
TrBar *trace_bar(SimRun *r, int kind, int cta, int64_t at);
/* Somebody arrives at phase, or bytes of a copy land in it; when all have: the latest. */
void bar_come(TrBar *b, int64_t phase, int64_t when, Loc by, bool copy);
const TrPhase *bar_done(const TrBar *b, int64_t phase); /* NULL: not known */
/* Flops a clock of the whole multiprocessor; *guess: the machine's data does not say. */
int64_t trace_rate(const Machine *m, const Mma *i, bool *guess);
/* Issue units of a kernel of arithmetic: 16 ordinary lanes count 1; 0: free. */
int kern_cycles(const KernTable *k, Kern *f, bool *special);

/* trace.c: events */
Loc trace_loc(const SimRun *r, const Ins *i);
void trace_work(SimRun *r, const Strand *s, const Ins *i, enum TrKind kind, int64_t stall);
TraceEvent *trace_event(SimRun *r, int w0, int w1, Loc loc, enum TrKind kind, int64_t from,
                        int64_t to);
/* A use of a unit by the instruction at hand; neighbours of one line become one event. */
TraceEvent *trace_unit(SimRun *r, int cta, int w0, int w1, Loc loc, enum TrKind kind, uint32_t buf,
                       int64_t stage, int64_t from, int64_t to);
void trace_round(SimRun *r, const Strand *s, const Ins *i, bool more);
void trace_role(SimRun *r, const Ins *i);

#endif
