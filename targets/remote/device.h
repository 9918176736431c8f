/* targets/remote/device.h: the device's own state, and what its files give each other. */
#ifndef MOONTILE_REMOTE_DEVICE_H
#define MOONTILE_REMOTE_DEVICE_H

#include "answer.h"
#include "http.h"

/* What the server allows; 0: it did not say. */
#define REMOTE_LIMITS(X) \
    X(memory) X(body_bytes) X(ir_bytes) X(json_bytes) X(compile_s) X(exclusive_s) X(runs)
typedef struct RemoteLimits RemoteLimits;
struct RemoteLimits {
#define X(name) int64_t name;
    REMOTE_LIMITS(X)
#undef X
};

/* A device copy: bytes at an address of ours alone, which nothing is mapped at.  id: of the
 * server's tensor; 0: none was asked for yet. */
typedef struct DeviceCopy DeviceCopy;
struct DeviceCopy { uintptr_t at; size_t bytes; int64_t id; };

/* How fast bytes travel, bytes a second; 0: not measured yet.  inflated: what came
 * compressed. */
typedef struct NetLink NetLink;
struct NetLink {
    double up, down, inflated;
    size_t probe;          /* bytes of the next request that measures; 0: the least */
    int packed;            /* compressed ones since the last that was not */
};

/* payload.c: bytes that wait for the next launch, zeros where data is NULL; bytes that one told
 * behind it; which bytes of a kernel's argument are read behind its launches. */
enum { RemoteFills = 64, RemoteHabits = 4, RemoteLast = 32 };
typedef struct RemoteModule RemoteModule;
typedef struct Fill Fill;
struct Fill { uintptr_t devcopy; size_t at, n; char *data; };
typedef struct Fresh Fresh;
struct Fresh {
    uintptr_t devcopy;
    size_t at, n, want;    /* n is 0 until they are there, and when they are no longer so */
    char *data;
    RemoteModule *of; int habit;
    bool read;
};
typedef struct Habit Habit;
struct Habit { int arg; size_t n; ptrdiff_t from; }; /* n bytes, `from` behind its address */

typedef struct Remote Remote;
struct Remote {
    RemoteOptions opt;
    Http http;
    const DevHost *host;
    bool open;             /* http is */
    char session[40];      /* "": none */
    char *complete;        /* options of the target there, with what its device knows */
    char *describe;
    RemoteLimits limit;
    DeviceCopy *devcopy; size_t ndevcopy, capdevcopy; /* by address */
    uintptr_t next;        /* address of the next one */
    size_t held;           /* bytes of tensors at the server */
    NetLink link;
    bool flush;            /* before the next run */
    Fill fill[RemoteFills]; size_t nfill, filled; /* in order; bytes of data in them */
    Fresh fresh[RemoteHabits]; size_t nfresh;
    RemoteModule *last;    /* launched last, with these addresses of tensors */
    uintptr_t lastarg[RemoteLast]; int nlast;
};

/* A parameter of a loaded kernel: 't' tensor, 'i' integer, 'f' float. */
struct RemoteModule { int64_t id; char *facts; char *kind; int narg; Habit habit[RemoteHabits]; };

/* device.c: a session is there, opened now if need be; false: *err. */
bool remote_session(Remote *d, DevError *err);
/* A call below the session, "/v1/sessions/ID" + rest of the path; false: *err. */
PRINTF(3, 4) bool remote_path(const Remote *d, Call *c, const char *fmt, ...);
/* Asks with a JSON body, which is taken over, and gives the answer, or NULL and *err. */
json_t *remote_ask(Remote *d, const char *path, json_t *body, Call *c, DevError *err);
double remote_patience(const Remote *d); /* of a request that is not a run */

/* memory.c */
void *remote_mem_new(void *dev, void *host, size_t bytes, DevError *err);
void remote_mem_free(void *dev, void *devcopy);
bool remote_mem_zero(void *dev, void *devcopy, size_t at, size_t n, DevError *err);
bool remote_mem_put(void *dev, void *devcopy, const void *host, size_t at, size_t n, DevError *err);
bool remote_mem_get(void *dev, void *devcopy, void *host, size_t at, size_t n, DevError *err);
/* The device copy that an address lies in, or behind whose end it is; NULL: none. */
const DeviceCopy *remote_devcopy(const Remote *d, uintptr_t at);

/* Bytes of a device copy that the server has, in requests of their own. */
bool remote_send(Remote *d, const DeviceCopy *t, const char *s, size_t at, size_t n, DevError *err);
bool remote_send_zero(Remote *d, const DeviceCopy *t, size_t at, size_t n, DevError *err);

/* payload.c.  payload_later: bytes of a device copy that the server has can wait (data NULL:
 * zeros); false: they are to be sent.  payload_flush: what waits of this device copy is sent
 * now. */
bool payload_later(Remote *d, const DeviceCopy *t, size_t at, size_t n, const void *data);
bool payload_flush(Remote *d, uintptr_t devcopy, DevError *err);
bool payload_flush_all(Remote *d, DevError *err);
void payload_forget(Remote *d, uintptr_t devcopy);
/* What a launch takes along and asks for, into its body; its answer, false: that does not
 * read; what it told is no longer so; a kernel, or everything, goes. */
bool payload_begin(Remote *d, RemoteModule *m, const DevArg *arg, int narg, json_t *body);
bool payload_end(Remote *d, const json_t *after);
void payload_over(Remote *d);
void payload_unload(Remote *d, const RemoteModule *m);
void payload_free(Remote *d);
/* Bytes that were told behind the last launch; false: they must be asked for. */
bool payload_read(Remote *d, const DeviceCopy *t, size_t at, size_t n, void *to);

/* pack.c: deflates [s, s + n) into out when that saves time on this link. */
bool remote_pack(const NetLink *l, const char *s, size_t n, Str *out);

/* load.c */
void *remote_load(void *dev, const char *path, const char *name, DevError *err);
void remote_unload(void *dev, void *mod);
void remote_facts(void *dev, void *mod, Str *out);
bool remote_text(void *dev, void *mod, const char *what, Str *path, DevError *err);

/* launch.c, bench.c */
json_t *remote_args(const Remote *d, const RemoteModule *m, const DevArg *arg, int narg,
                    DevError *err);
bool remote_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host, double *ms,
                   uint32_t *failed_at, DevError *err);
bool remote_bench(void *dev, const DevBench *b, const DevHost *host, DevError *err);

/* stream.c: posts a run and follows its lines.  Times go to ms and mhz (NULL: not wanted). */
typedef struct RemoteRun RemoteRun;
struct RemoteRun {
    Remote *d;
    const DevHost *host;
    const char *path;
    json_t *body;          /* the caller's */
    double *ms, *mhz;
    size_t nms, nmhz;
    bool payload;          /* the last line may have what payload.c asked for */
    double patience;
    uint32_t failed_at;
    /* of stream.c */
    const Call *call;
    const char *line; size_t nline; /* that is being read */
    double since;
    int64_t before; double wait_s; /* the queue; before < 0: it is not in one */
    bool running, done, shown;
};
bool remote_run(RemoteRun *r, DevError *err);

#endif
