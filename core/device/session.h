/* core/device/session.h: a device session: where kernels run.
 *
 * A Target knows how to turn a tile program into something loadable.  A
 * Session is a running device behind one interface, whether it is a worker
 * process on this machine, the simulator or another machine.  The session
 * process never runs a kernel itself: a crash or a hang costs the worker. */
#ifndef MOONTILE_SESSION_H
#define MOONTILE_SESSION_H

#include "error.h"
#include "core/ir/ir.h"
#include "core/layout/machine.h"
#include "core/tensor/tensor.h"

typedef struct Target Target;
typedef struct Session Session;
struct FetchOptions;             /* fetch.h */
struct Fetched;
typedef struct Module Module;   /* a kernel loaded in a session */

/* What compiling a program for a target gives.  The text is for people; the
 * path names what load() takes (a shared object of the cache, for cpu). */
typedef struct Artifact Artifact;
struct Artifact {
    Str source;
    Str program;       /* thread targets: the thread program as IR text, what the device loads */
    Str path;
    bool cached;       /* found in the cache */
    bool decides;      /* its device finds at run time what the checks left open: Target.decides */
    bool guards;       /* Target.guards */
    double emit_ms, build_ms;
};
/* Messages up to this level are for who compiles for it. */
static inline enum Level artifact_says(const Artifact *a)
{
    return a->decides ? Lwarning : a->guards ? Lopen : Lindex;
}
void artifact_free(Artifact *a);

/* A file of Target.bundle; both are the caller's: name in the Prog's arena. */
typedef struct BundleFile BundleFile;
struct BundleFile { const char *name; Str text; };
enum { BundleFiles = 8 };

/* The text that a target prints, for people: `compile --emit`, :src. */
typedef struct TargetText TargetText;
struct TargetText {
    const char *kind;      /* its word, "cuda" "c"; NULL: the text is of no use to people */
    const char *suffix;    /* of a file, ".cu" */
    const char *language;  /* "CUDA C++" */
    const char *other;     /* a chip besides the usual one, for examples; NULL: there is none */
};

struct Target {
    const char *name;   /* "cpu" */
    const char *summary;
    TargetText text;
    int rank;           /* `auto` takes the target with the highest one that has a device; 0: never */
    /* Thread targets: the machine that these options name; the program is
     * lowered to it before emit.  NULL with a message in c: unknown.  The
     * member is NULL for targets that take the tile program. */
    const Machine *(*machine)(Ctx *c, const char *options);
    /* Targets without a machine: are these options right?  false: reported.  NULL: only the device knows. */
    bool (*takes)(Ctx *c, const char *options);
    /* Targets that take the tile program: the machine to whose threads p has to be
     * lowered all the same, since it speaks of single ones; NULL: it need not.  The
     * member may be NULL. */
    const Machine *(*threads)(Prog *p);
    /* ... whose threads stand for those of the others: see prog_alike().  Likewise. */
    const Machine *(*stands_for)(void);
    /* The device finds races and reads of what nothing wrote, so that there is no need to say
     * where the checks could not. */
    bool decides;
    /* Operations on elements a second (core/ir/work.h) that its slowest device surely does, for
     * limits of time; 0: it is not said. */
    double pace;
    /* Indices of tiles are compared with their sizes when a kernel runs. */
    bool guards;
    /* Source text for p (tile or thread program); reports into p->ctx. */
    bool (*emit)(Prog *p, const char *options, Str *out);
    /* Of a target whose devices are on another machine: the target there, as this build
     * knows it, and what of the options is its own (in c's arena).  Programs are checked,
     * lowered and printed for that one here, and the device loads the program.  NULL with
     * a message in c: it cannot be told.  The member is NULL for all other targets. */
    const Target *(*there)(Ctx *c, const char *options, const char **rest);
    /* Gets a file of any web server.  No error: it is whole.  The member is NULL for targets
     * that speak to none. */
    DevError (*fetch)(const char *url, const struct FetchOptions *o, struct Fetched *f);
    /* Is there a device, as far as a look at the file system tells (no driver is
     * opened)?  NULL: always. */
    bool (*present)(void);
    /* Source text -> loadable artifact through the cache; diagnostics go to c.
     * Slow: honours interrupt_asked. */
    bool (*build)(Ctx *c, const char *options, Artifact *a);
    /* What runs the thread program p without moontile, beside its source and binary:
     * a launcher, a program that uses it, how to build both.  name: a C identifier.
     * Fills file[0 .. *n), whose texts the caller frees; false: reported.  May be NULL. */
    bool (*bundle)(Prog *p, const char *name, BundleFile file[BundleFiles], int *n);
    /* In the worker: load, launch, unload.  See worker.h. */
    const struct Device *device;
    /* For `moontile doctor`: what the device does not say by itself.  See probe.h.  May be
     * NULL. */
    const struct Examiner *devprobe;
};

/* compile.c: verify, check, lower to text and, when build is set, build.
 * False: errors in p->ctx.  p itself stays as it is. */
bool prog_compile(Prog *p, const Target *t, const char *options, bool build, Artifact *out);

/* compile.c: t itself, or the target that it stands for, whose options *options then are;
 * NULL: reported. */
const Target *target_there(Ctx *c, const Target *t, const char **options);

/* store.c: a->program as an entry of the cache: Target.build of thread targets. */
bool artifact_store(Ctx *c, const char *options, Artifact *a);

/* targets/targets.c: the table of targets, NULL-terminated */
/* All that there are, NULL-terminated; handed in once at start-up, as the machines are. */
extern const Target *const *targets;
void targets_use(const Target *const *table); /* stays the caller's */
const Target *target_find(const char *spec); /* "cpu -threads=1": matches the first word */
const Target *target_best(void);             /* what `auto` takes; NULL: nothing has a device */

/* One argument of a launch, in the order of the kernel's parameters, then one
 * int64 for each symbolic dimension in the order of prog->var (kind Vdim). */
typedef struct LaunchArg LaunchArg;
struct LaunchArg {
    const Tensor *t;  /* NULL for a scalar or dimension */
    double f; int64_t i; enum Dtype dt;
    bool read_only;   /* the kernel surely does not write to t */
    bool written;     /* the kernel has statements that write to t */
    uint32_t group;   /* not 0: t may be the tensor of others of this group: see prog_together() */
};

typedef struct LaunchResult LaunchResult;
struct LaunchResult {
    double *ms; int nms;   /* time of each timed repetition; caller's array */
    Str output;            /* what T.print wrote */
};

/* session.c.  Errors are reported into c (E_worker_*, E_timeout, E_interrupted,
 * E_device_assert ...) with the kernel named, and false returned; the session
 * stays usable and starts a fresh worker at the next call. */
Session *session_open(Ctx *c, const Target *t, const char *options);
void session_close(Session *s);
/* Of one run; 0: none, below 0: as it was opened.  Without this, and $MOONTILE_TIME_LIMIT, it is 10,
 * and more for a run whose program declares more work than Target.pace does in that time. */
void session_limit(Session *s, double seconds);
/* What a session may ask of its owner; any may be NULL.  reclaim: the device is
 * full: free tensors that nobody uses.  warn: a message that belongs to no call of
 * the session's, in a context of its own.  progress: what a call waits for, as
 * DevHost.status says it; NULL: it waits no longer. */
typedef struct SessionHooks SessionHooks;
struct SessionHooks {
    void (*reclaim)(void *ud);
    void (*warn)(void *ud, const Ctx *c);
    void *ud;
    void (*progress)(void *ud, const DevMessage *m);
    /* For who passes on what a device says: what DevHost.report was told and the error of a
     * refused call as the device made them, beside the messages; a run has ended and others of
     * the same call follow. */
    void (*report)(void *ud, const DevMessage *m);
    void (*fail)(void *ud, uint32_t line, const DevError *e);
    void (*alive)(void *ud);
};
void session_hooks(Session *s, const SessionHooks *h);
/* Starts the worker if none runs, without waiting for it: call it early. */
void session_warm(Session *s);
/* name: the kernel's, for messages.  Loading is lazy and repeated by itself
 * in a fresh worker. */
Module *session_load(Session *s, Ctx *c, const char *path, const char *name);
void module_free(Module *m);
/* The chunk that the kernel stands in ("@gemm.lua"), for messages that have a
 * line of it. */
void module_source(Module *m, const char *file);
/* The program that the module was made of, which has to stay as it is while the module is used; NULL:
 * not known.  For estimates of time. */
void module_program(Module *m, const Prog *p);
/* An assert of that text stands in that line of another chunk, maybe: of a macro's file.
 * Without memory its line is shown of the kernel's. */
void module_assert(Module *m, uint32_t line, const char *file, const char *text);
/* Runs the kernel once, or: `warmup` untimed runs, then r->nms timed ones,
 * caches flushed between when flush is set. */
bool session_launch(Session *s, Ctx *c, Module *m, const LaunchArg *arg, int narg,
                    int warmup, bool flush, LaunchResult *r);
/* The options with what the device itself knows ("cuda" -> "cuda -arch=sm_90a
 * -sms=132"): programs are lowered for these.  Starts the worker and waits for it;
 * the answer is kept.  NULL: reported. */
const char *session_options(Session *s, Ctx *c);
/* Loads m now (compiling it where the device does that) and gives its facts as lines
 * "name value": regs, spill, shared, threads, compile_ms, cached ..  false: reported. */
bool session_prepare(Session *s, Ctx *c, Module *m, Str *facts);
/* A text or binary of a loaded kernel: what is "ptx", "sass", "cubin" ..; out: path of
 * a file that holds it.  false: reported. */
bool session_text(Session *s, Ctx *c, Module *m, const char *what, Str *out);
/* n modules, interleaved: in every round each of them runs once (order reversed every
 * other round), module i with the i-th list of sets[round % nsets] (nsets argument
 * sets, each of n lists of narg[i] arguments; rotation keeps caches honest), caches
 * flushed before when flush is set.  ms[i * rounds + r]; mhz[r]: the device's clock, 0
 * unknown.  batch > 1: so many launches back to back count as one and ms is divided.
 * chain: the modules are one program: they run in this order in every round, and caches are
 * flushed before the first of them alone. */
typedef struct BenchJob BenchJob;
struct BenchJob {
    Module *const *module; int n;
    const LaunchArg *const *set; const int *narg; int nsets; /* set[s * n + i] */
    int warmup, rounds, batch; bool flush, chain;
    double *ms, *mhz;      /* results: n * rounds, rounds */
};
bool session_bench(Session *s, Ctx *c, const BenchJob *j);
/* Bytes that went between the host and a device with memory of its own so far, zeros and
 * contents that both have not counted; always 0 where they share it. */
uint64_t session_moved(const Session *s);
bool session_is_apart(const Session *s);
/* Facts for people: {"name", "value"} pairs, NULL-terminated, as text. */
void session_describe(Session *s, Str *out);
int session_pid(const Session *s); /* of the worker, 0 when none: for tests */

#endif
