/* core/device/session_p.h: what the files of a session share.
 *
 *   session.c         requests and their answers: launches, modules, life
 *   session_limit.c   how long a run may take
 *   session_worker.c  starting, ending and replacing the worker
 *   session_report.c  what went wrong, as messages
 *   session_memory.c  tensors that the worker maps; devices with memory of their own
 *   session_ask.c     options, facts and texts of kernels
 *   session_bench.c   interleaved, timed launches */
#ifndef MOONTILE_SESSION_P_H
#define MOONTILE_SESSION_P_H

#include <sys/types.h>

#include "proto.h"
#include "core/tensor/storage.h"

enum { Dying = 16 }; /* killed workers not yet reaped */

/* A memfd that the worker has mapped.  devcopy: the tag of its device copy on a device
 * with memory of its own, else 0; made: it was asked for. */
typedef struct KnownCopy KnownCopy;
struct KnownCopy { uint64_t id, devcopy; bool made; };

/* What was lost with a worker and not yet told. */
typedef struct Lost Lost;
struct Lost { int64_t n, bytes; };

struct Session {
    const Target *target;
    char *options;
    char *complete;       /* with what the device knows, once it was asked */
    bool apart;           /* the device has memory of its own */
    double limit;         /* seconds a run; 0: none */
    bool grows;           /* nobody has chosen it: a run with much to do gets more */
    const struct ArgLists *runs; /* of the request that is waited for; NULL: it runs no kernel */
    double work;          /* operations of the largest run among those, once asked for; < 0: not yet */
    pid_t pid;            /* of the worker, 0: none */
    int fd;
    Spin spin;            /* does waiting busily pay? */
    uint32_t life;        /* counts workers */
    uint32_t seq, openseq; /* of the last request; of this worker's Mopen */
    pid_t dying[Dying];
    Storage *board_st;    /* a fresh one for each worker: a killed one may */
    Board *board;         /* still write to its own for a moment */
    KnownCopy *known;     /* what the worker has mapped, by ascending id */
    size_t nknown, capknown;
    uint64_t *gone;       /* ids that it should drop */
    size_t ngone, capgone;
    StorageWatch watch;
    Keeper keeper;        /* of the contents that only the device has */
    Lost lost;
    uint64_t moved;       /* bytes put and fetched */
    uint32_t status;      /* count of the last text of the board's that was told */
    SessionHooks hooks;
    Module *module;
    uint64_t lastmodule;
    Msg *msg;
};

struct Module {
    Session *session;     /* NULL: closed */
    Module *next, **link;
    uint64_t id;
    uint32_t life;        /* of the worker that has it loaded; 0: none */
    uint32_t loadseq;     /* of the request that loaded it there */
    char *path, *name, *file;
    const Prog *program;  /* or NULL */
    struct ReportPlace { uint32_t line; char *file, *text; } *spot; /* module_assert()'s */
    size_t nspot, capspot;
};

/* session_worker.c */
void worker_reap(Session *s, bool wait);
void worker_kill(Session *s);
int worker_bury(Session *s); /* waits for one whose socket has closed: its status */
int worker_start(Session *s); /* 0 or an errno */
void worker_leave(Session *s); /* ends it in order, as far as it does so at once */
/* What became of a request.  Wgone: the worker ended. */
enum WorkerWait { WAanswer, WAgone, WAlate, WAinterrupted };
/* Waits for the answer to s->seq, which is left in s->msg.  A failure of an
 * earlier request of the same go counts as the answer.  deaf: only a second
 * interruption ends the wait. */
enum WorkerWait worker_await(Session *s, bool deaf);

/* session_limit.c */
/* Seconds that what it does now may take; 0: any. */
double worker_limit(Session *s);
/* Operations that the run at hand declares, of as many that its time may be too short for all of
 * them; 0: of fewer, or it is not known. */
double worker_work(Session *s);

/* session_report.c.  m NULL: no kernel is concerned, the target is named. */
bool report(Ctx *c, Err e, const char *a, const char *b, const char *d);
const char *name_of(const Session *s, const Module *m);
/* Adds what the device has reported so far to c, and hands it to the owner that wants it. */
void deliver(const Session *s, Ctx *c, const Module *m);
/* The error of a Mfail. */
bool report_device(Session *s, Ctx *c, const Module *m, uint32_t line, const DevError *e);
bool report_crash(Session *s, Ctx *c, const Module *m, int status); /* status: of waitpid */
/* Hangs what was lost with the worker on the last error in c, or says it in a
 * message of its own, of kind alone. */
void report_lost(Session *s, Ctx *c, Err alone);

/* session_memory.c: the tensors of a request.  list[l] has narg[l % n] arguments, of module[l % n]. */
typedef struct ArgLists ArgLists;
struct ArgLists {
    const LaunchArg *const *list; const int *narg; int n, lists;
    Module *const *module;
};
void memory_open(Session *s);
void memory_close(Session *s);
void memory_forget(Session *s); /* the worker ended */
bool memory_send(Session *s, const ArgLists *a); /* what the worker lacks of these */
void memory_unsent(Session *s, const ArgLists *a); /* it may not have got it */
void memory_ran(Session *s, const ArgLists *a);  /* the kernels that got these ran */
/* Makes room on the device, by harder means from call to call, which *stage counts
 * from 0; false: nothing more can be done. */
bool memory_room(Session *s, const ArgLists *a, int *stage);

/* session.c: one go of messages, the last of which is waited for. */
typedef struct Request Request;
struct Request {
    bool (*send)(Session *s, const Request *r); /* false: the worker is gone */
    Module *module;        /* for messages; NULL: none */
    const void *ud;
    Str *output;           /* what the kernel prints; or NULL */
    const ArgLists *args;  /* or NULL: the last message runs no kernel */
};
/* True: the answer, a Mok, is in s->msg.  False: reported. */
bool request(Session *s, Ctx *c, const Request *r);
bool send_load(Session *s, Module *m, bool again);
/* Are the arguments ones that a worker can be given? */
bool check_args(Ctx *c, const Module *m, const LaunchArg *arg, int narg);
void put_args(Msg *m, const LaunchArg *arg, int narg);

#endif
