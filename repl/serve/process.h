/* repl/serve/process.h: the process of one session, and what the server says to it.
 *
 * The server itself never reads a program, compiles nothing and holds no tensor: for each
 * session it starts `moontile --session-process FD`, a process that has the Session of
 * core/device/session.h, and with that a worker process of its own.  What runs where:
 *   server   HTTP, JSON, tokens, quotas, the queue; writes and reads tensors' files
 *   process  reads, verifies, checks, lowers and prints programs, checks arguments, holds
 *            tensors; the watchdog of its worker
 *   cc, as   children of the process (cpu)
 *   worker   NVRTC and the driver; kernels
 * A session process that crashes costs its session and nothing else.
 *
 * One datagram a message over a SOCK_SEQPACKET pair, in core/device/proto.h's form; its kinds are
 * these.  The server sends one request at a time; the answer to it, Sok or Sfail, comes
 * behind any number of Sevents.  The server trusts no answer: a program may have broken its session
 * process.
 *
 *   Sopen    target, seconds of a run, bytes of workspace, bytes of a process or 0
 *              -> options, text of describe, apart
 *   Snew     number, bytes, has a hash, its halves; a file of the contents, if the server has one
 *              -> known, file id, offset; the file that the tensor lies in where its id is new
 *   Sfree    number -> count, and ids of files that are gone
 *   Sclaim   number -> the host may write to it
 *   Sfilled  number, copy -> do the contents have their hash?  with a file of them if copy
 *   Szero    number, at, n ->
 *   Sread    number, at, n, compress -> bytes of the compressed form, with a file that holds
 *              it; 0: the host's bytes are current
 *   Sbuild   number, name; a file: the text -> facts, warnings as JSON, a byte a parameter:
 *              is it written to?
 *   Sdrop    number of a kernel ->
 *   Stext    number of a kernel, what -> bytes; a file
 *   Srun     kind (Slaunch, Sbench), bytes; a file: words as run.h has them
 *              -> count of ms, of mhz; a file: doubles; bytes of the parts after
 *   Sevent     kind of event, text
 *   Sok        as above
 *   Sfail      status of HTTP, line, error of the device as text, MESSAGE, messages as JSON */
#ifndef MOONTILE_SEAT_H
#define MOONTILE_SEAT_H

#include "core/device/proto.h"
#include "core/tensor/storage.h"
#include "numbered.h"

enum ProcessKind {
    Snone, Sopen, Snew, Sfree, Sclaim, Sfilled, Szero, Sread, Sbuild, Sdrop, Stext, Srun,
    Sok, Sfail, Sevent, NSeatKind
};
_Static_assert((int)NSeatKind <= (int)NMsg, "msg_recv() lets all kinds pass");

enum EventKind { EVprint = 1, EVreport, EValive };

enum {
    MessagesBytes = 40 * 1024, /* of a list of messages in an answer */
    PrintBytes = 4096,         /* of one EVprint */
    GoneFiles = 1000           /* told in one answer to Sfree */
};

/* A run, in words of 64 bits: kind (Rlaunch, Rbench), kernels, sets, warmup, times, batch,
 * flush, parts before, parts after; the kernels' numbers; then for each set and kernel:
 * arguments, and of each its kind and two words; then the parts: tensor, offset, bytes, has
 * contents, and these in whole words.  Rlaunch: one kernel, one set; times may be 0.  Rbench:
 * no parts. */
enum { RQlaunch = 1, RQbench, RunHead = 10 };
enum { Parts = 64, PartBytes = 16 * 1024 }; /* most of each list; most bytes of each in all */
enum RunArg { RAtensor = 1, RAint, RAfloat }; /* number and offset; value, 0; double, 0 */

/* process.c: `moontile --session-process FD` */
int process_main(int fd);

/* Inside the process ------------------------------------------------------- */

typedef struct ProcessTensor ProcessTensor;
struct ProcessTensor {
    Storage *st;
    Hash hash;        /* that its contents are to have; {0, 0}: nobody said */
};

typedef struct ProcessKernel ProcessKernel;
struct ProcessKernel {
    Prog *p;          /* as it was read: arguments are held against it */
    Artifact art;
    Module *m;
    bool *written;    /* by parameter */
    uint32_t *group;  /* the same: those of one group, not 0, may be one tensor; see prog_together() */
};

typedef struct Process Process;
struct Process {
    int fd;
    const Target *target;
    Session *session;
    Ctx ctx;                 /* messages of the present request */
    int64_t workspace;       /* most bytes that a kernel may allocate itself */
    uint64_t process;        /* .. that this process and its worker may have of their own; 0: any */
    Numbered tensor, kernel;
    uint64_t *given;         /* ids of memfds that the server has */
    size_t ngiven, capgiven;
    uint64_t gone[GoneFiles]; /* and of such that are no longer there */
    size_t ngone;
    StorageWatch watch;
    char *fail;              /* what the device said to the present request, as text, or NULL */
    uint32_t fail_line;
    char lost[2][24];        /* tensors and bytes that the worker took along unread; "": none */
    Msg in, out;
};

/* process.c: answers.  All return false when the server is gone. */
bool process_ok(Process *s);                    /* an answer without a field */
void process_start(Process *s);                 /* fields follow; then process_send() */
bool process_send(Process *s);
bool process_send_file(Process *s, int fd);     /* with a file, which is closed */
/* The first error of c: its row's id and arguments; 422. */
bool process_fail(Process *s, int status, const Ctx *c);
/* A row of its own with arguments, as a message of s->ctx. */
void process_say(Process *s, Err e, const char *a, const char *b, const char *d);
bool process_event(Process *s, enum EventKind k, const char *text, size_t n);
/* Did contents go with the worker since the last request?  Then that is reported. */
bool process_lost(Process *s);
/* A file in memory with these bytes; -1: none. */
int process_file(const void *p, size_t n);
/* All of a file, malloc'd and with a 0 behind it; NULL: no memory or not `most` bytes. */
char *process_slurp(int fd, size_t most, size_t *n);

/* process_tensor.c */
void process_forget(void *process, uint64_t id); /* StorageWatch.gone */
bool process_new(Process *s), process_free(Process *s), process_claim(Process *s),
    process_filled(Process *s);
bool process_zero(Process *s), process_read(Process *s);
/* process_kernel.c */
bool process_build(Process *s), process_drop(Process *s), process_text(Process *s);
/* process_run.c */
bool process_run(Process *s);
/* process_args.c: the words of one argument list as arguments of k; t[]: the tensors that they
 * name, LaunchArgs of them.  False: reported into s->ctx. */
bool process_args(Process *s, const ProcessKernel *k, const uint64_t *word, uint64_t narg,
                  LaunchArg *arg, Tensor *t);

#endif
