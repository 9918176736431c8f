/* repl/serve/serve.h: the server: who owns what.
 *
 * Threads and locks: there is one thread and no lock.  The server is one loop over epoll
 * (server.c): signals by a signalfd, libmicrohttpd's own epoll descriptor, one socket to each
 * session's process (process.h), and each client's socket once more, only to learn at once that it
 * has hung up.  No call waits: sockets are non-blocking or used by libmicrohttpd, and all that
 * takes long happens in the session processes.  Memory of tensors is reached by pread and pwrite,
 * never mapped: a session process may truncate its file at any time.
 *
 * Owners:
 *   Server   everything below; serve_run() makes and frees it
 *   Client   who bears a token; made at its first request, kept until the server ends
 *   RemoteSession  one process and what that starts; belongs to a client.  When it is
 *            closed it is killed, and counts until the last of its processes is reaped
 *   Conn     a connection, from libmicrohttpd's first notice to its last
 *   Req      a request, from its head to libmicrohttpd's "completed"; owns its body and reply
 *   Task     what a session's process is to do; in the session's list, in order.  Its Req may go
 *            away first (req is NULL then), never the other way round: a session that is closed
 *            ends its tasks, and each then answers its Req.
 * Pointers in epoll events stay good for the turn: Conns and Sessions that end are put on
 * Server.ended and freed behind the events of the turn.
 *
 *   settings.c  numbers and flags            tokens.c   who may come in
 *   server.c    the loop, start and end      http.c     libmicrohttpd's calls (mhd.h)
 *   head.c      heads that say two things    route.c    paths, rights, rates
 *   reply.c     answers
 *   session.c   processes of sessions        queue.c    whose turn it is
 *   on_*.c      what each path does          stream.c   lines of a running kernel
 *   payload.c   bytes beside a launch        content.c  contents sent before
 *   environ.c   what sessions may know       reap.c     what they leave behind
 *   kin.c       processes of a session       warden.c   .. when the server is gone too
 *   log.c       what happened */
#ifndef MOONTILE_SERVE_H
#define MOONTILE_SERVE_H

#include <jansson.h>
#include <sys/types.h>

#include "mhd.h"
#include "say.h"
#include "process.h"
#include "tokens.h"

enum { Protocol = 1, IdBytes = 16, ClientBytes = 64, Gone = 256, TickMs = 250, TokenSessions = 4 };

/* settings.c --------------------------------------------------------------- */

typedef struct Settings Settings;
struct Settings {
#define SETTING(id, def, unit, least, most, who, en, zh) int64_t id;
#include "settings.h"
    const char *bind, *cert, *key, *tokens, *log, *targets, *env;
    int port, cores;
};

typedef struct Server Server;
typedef struct Client Client;
typedef struct RemoteSession RemoteSession;
typedef struct Conn Conn;
typedef struct Req Req;
typedef struct Task Task;

/* What an epoll event belongs to; the first member of those. */
enum Watched { Whttp, Wsignal, Wconn, Wsession };
typedef struct Watch Watch;
struct Watch { enum Watched kind; bool ended; Watch *next; void (*release)(Watch *w); };

/* Clients and sessions ----------------------------------------------------- */

/* Contents that a client has sent: an unchangeable file. */
typedef struct Content Content;
struct Content { Content *next; Hash hash; uint64_t bytes; int fd; };

struct Client {
    Client *next;             /* in a ring with all others */
    int ndying;               /* sessions that are closed and still have processes */
    char name[TokenNameMax + 1]; /* "local" without tokens */
    bool teacher, revoked;
    RemoteSession *session;   /* its sessions */
    int nsession, nconn;
    uint64_t memory;          /* of its tensors */
    double tokens, filled;    /* requests that it may still make; when that was counted */
    Content *content;         /* newest first */
    uint64_t content_bytes;
    int ncontent;
    uint64_t requests, runs;
};

/* A tensor as the server knows it: its place in a file of the session's process. */
typedef struct ServedTensor ServedTensor;
struct ServedTensor {
    uint64_t file, off, bytes;
    uint64_t claimed;         /* RemoteSession.epoch when the host was last made free to write */
    Hash hash;
    bool hashed;
    uint64_t filled;          /* bytes that came in order from 0 */
    bool freed;               /* nobody may name it any more; its bytes count until they are gone */
};

/* A file of tensors.  Large tensors have their own, small ones share. */
typedef struct Buffer Buffer;
struct Buffer { uint64_t id; int fd; };

/* Chost: a run on this machine's processor; Crun: on a card. */
enum Class { Clight, Ccompile, Crun, Chost, Cexclusive, NTaskClass };
typedef struct Pace Pace;
struct Pace { double seconds; bool content; }; /* of runs, the last ones count most */

struct RemoteSession {
    Watch watch;
    Server *sv;
    Client *client;
    RemoteSession *next, **link; /* of its client */
    char id[2 * IdBytes + 1];
    char who[ClientBytes + 1], target[128];
    bool host;                /* its kernels run on this machine's processor */
    Pace pace;
    pid_t pid;
    int fd;
    Task *task, **tail;       /* in order; the first may be running */
    bool opened, closed;
    bool here;                /* closed: some of its processes were seen just now */
    char tmp[96];             /* a folder for what its compilers write on their way */
    Numbered tensor;          /* of ServedTensor */
    Numbered kernel;          /* of names */
    Buffer *buffer; size_t nbuffer, capbuffer;
    uint64_t last_tensor, last_kernel, epoch, memory;
    int nconn;                /* connections that carried a request of it */
    double since, used, away; /* times: opened; last request; without a connection, 0: has one */
    uint32_t seq;
};

/* The last sessions that were closed, and why. */
typedef struct EndNotice EndNotice;
struct EndNotice {
    char id[2 * IdBytes + 1];
    const Client *client;
    const char *why;
    int64_t limit;
};

/* What a session process is asked to do.  send() fills the message's fields; answer() gets Sok,
 * Sfail or Sevent, or NULL: the session ended without an answer. */
struct Task {
    Task *next;
    Req *req;                 /* NULL: its client has gone */
    RemoteSession *session;
    enum Class class;
    enum ProcessKind kind;
    bool running, holds;      /* holds: a PUT whose body is on its way; not at the session
                               * process */
    bool late, killed;
    double queued, started;
    uint64_t number, arg[5];  /* as the kind has them */
    int file;                 /* goes along, -1: none */
    Str text;
    char what[TokenNameMax + 65]; /* the kernel, for messages and the log */
    void (*send)(Task *t, Msg *m);
    void (*answer)(Task *t, Msg *m);
};

/* Requests ----------------------------------------------------------------- */

struct Conn {
    Watch watch;
    Server *sv;
    Conn *next, **link;
    struct MHD_Connection *c;
    int fd;
    Client *client;           /* once it has shown a token */
    RemoteSession *session;   /* the last session that it carried a request of */
    Req *req;                 /* now */
    double since;
    bool hung_up;
};

typedef struct Route Route;
struct Route {
    const char *method, *path;      /* "/v1/sessions/ * /tensors/#": * an id, # a number */
    const char *args;               /* names after the "?", or "" */
    const char *what;               /* for the log */
    char body;                      /* 'n' none, 'j' JSON, 't' text, 'o' bytes */
    void (*go)(Req *r);             /* the whole request is there */
};

struct Req {
    Server *sv;
    Conn *conn;
    struct MHD_Connection *c;
    const Route *route;
    Client *client;
    RemoteSession *session;
    uint64_t number;
    Str body;
    size_t limit;
    Task *task;               /* that this waits for */
    bool suspended, complete, ready, queued;
    double since, deadline;   /* of the body */
    double paused;            /* since when it is suspended */
    uint64_t got, sent;
    /* the reply */
    unsigned status;
    Str out;
    int file; uint64_t off, size;
    const char *type, *allow, *outcome;
    bool packed;              /* the file is compressed */
    int retry;
    bool hang_up;             /* where this request ends is not certain: none may follow it */
    /* a PUT */
    ServedTensor *place;
    uint64_t at, length;      /* decoded bytes that are announced */
    uint64_t done;            /* of these, written */
    bool hold, unpacked;      /* its task is first and the host may write; zlib's end came */
    void *inflate;            /* z_stream */
    char *raw;                /* a piece that is being unpacked */
    Req *behind;              /* in Server.unpacks */
    /* a run */
    bool stream, ended;       /* a stream has begun; its last line is there */
    bool room;                /* a POST of a session waits until those that were closed are gone */
    size_t read;              /* of out, by libmicrohttpd */
    double told, alive;
    bool waited;
    uint16_t after[Parts];    /* bytes of each part that is told behind it */
    size_t nafter;
};

/* The server --------------------------------------------------------------- */

struct Server {
    Settings *set;
    Mhd mhd;
    struct MHD_Daemon *http;
    int epoll, signals, log, port;
    int unlogged;             /* why the log cannot be written to: errno; 0: it can */
    bool up;                  /* it was started, and says by itself what goes wrong */
    bool tls, local, stopping, over;
    bool guarded;             /* there were tokens once: without them nobody comes in again */
    double now, started, stop_at, ticked, looked;
    Tokens tokens;
    Client *ring;             /* one of them; NULL: none yet */
    Conn *conn, **lastconn;
    int nconn, nstranger, nsession;
    uint64_t memory;
    Watch *ended;
    RemoteSession *dying;     /* closed sessions whose processes are still to be reaped */
    bool look;                /* and perhaps some are gone now */
    pid_t warden; int leash;  /* the process of warden.c, the socket to it */
    char folder[64];          /* of the sessions' folders */
    uint64_t nfolder;
    Req *unpacks;             /* PUTs that have something to unpack, in turn */
    EndNotice gone[Gone]; unsigned ngone;
    /* queue.c */
    int running[NTaskClass];
    Task *next;               /* exclusive, and everything else waits for it to be done */
    Client *compiles;         /* whose turn it is to compile; `ring`: to run */
    bool turning;
    Pace pace[NTaskClass];
    uint64_t requests, runs, sessions;
    Watch http_watch, signal_watch;
    Msg msg;
};

/* settings.c.  Words and flags -> set; false: reported into c. */
bool settings_read(Settings *set, Ctx *c, int argc, char **argv);
bool settings_targets(const Settings *set, Ctx *c); /* does each word of --targets name one? */
void settings_help(Str *out, enum Lang lang);
void settings_limits(const Settings *set, Str *out); /* "limits" */

/* server.c: until a signal ends it; 0, or the exit status with the reason in c.  ready gets the
 * address once it listens. */
/* A number of *set that is found out at start is put there. */
int serve_run(Settings *set, Ctx *c, void (*ready)(void *ud, const char *url), void *ud);
bool serve_open(const Server *sv);    /* on this machine alone, for all, without tokens */
void serve_end(Server *sv, Watch *w); /* w is freed behind this turn */

/* http.c */
/* A header of r or an argument behind its path; NULL: there is none. */
const char *request_value(const Req *r, enum MHD_ValueKind kind, const char *name);
bool http_start(Server *sv, Ctx *c);
void http_stop(Server *sv);
void http_resume(Req *r);             /* something has changed for it */
void http_hung_up(Conn *k);
void http_tick(Server *sv);           /* limits of time */
bool http_busy(const Server *sv);     /* is there an answer still to be given? */

/* head.c: does the head of r say one thing only?  false: answered, and the connection ends. */
bool head_sound(Req *r);

/* route.c: finds r's route and looks at its rights; false: answered. */
bool route_find(Req *r, const char *method, const char *url);

/* reply.c: each completes r's reply. */
void reply_json(Req *r, Str *body);   /* takes the text */
void reply_empty(Req *r);             /* 204 */
void reply_error(Req *r, unsigned status, Err e, const char *a, const char *b, const char *d);
void reply_quota(Req *r, const char *what, uint64_t asked, uint64_t limit);
void reply_bad(Req *r, const char *why);                /* 400 */
void reply_memory(Req *r);                              /* 500 */
void reply_unknown(Req *r, const char *what);           /* r->number is none of its */
bool reply_range(Req *r, const ServedTensor *p, uint64_t at, uint64_t n); /* false: 416 */
void reply_file(Req *r, int fd, uint64_t off, uint64_t size, const char *type);
/* The same of a short piece of a file that stays open; false: it is not short, or not read. */
bool reply_bytes(Req *r, int fd, uint64_t off, size_t n, const char *type);
void reply_stopping(Req *r);          /* 503 */
void reply_failed(Req *r, Msg *m);    /* an Sfail, or NULL: the process has ended */

/* json.c: a JSON object of exactly known members. */
typedef struct Member Member;
struct Member { const char *name; char kind; bool needed; void *out; };
/* kind: 'u' uint64_t from 0, 's' const char * (in the json_t), 'b' bool, 'a' json_t * array,
 * '0' json_t * string or null.  NULL: *why says what is wrong.  What is absent stays as it was. */
json_t *json_object_of(const char *s, size_t n, const Member *m, int nm, char why[160]);
bool json_members(json_t *o, const Member *m, int nm, char why[160]);

/* environ.c: the environment of g's process; NULL: no memory. */
char **environ_of(const RemoteSession *g);
void environ_free(char **env);

/* reap.c: processes of sessions, until the last is gone. */
bool reap_start(Server *sv);          /* false: errno */
void reap_begun(RemoteSession *g);    /* its process has been started */
void reap_closed(RemoteSession *g);   /* from here on it is ended, whatever there is of it */
void reap_turn(Server *sv);           /* some process has ended */
void reap_end(Server *sv);

/* session.c */
RemoteSession *rsession_open(Client *c, Server *sv, const char *target,
                             const char *who); /* NULL: errno */
/* why: a word of protocol.md's; limit: seconds that it names, 0: none */
void rsession_close(RemoteSession *g, const char *why, int64_t limit);
RemoteSession *rsession_find(Server *sv, const Client *c, const char *id);
const EndNotice *rsession_end_notice(const Server *sv, const Client *c, const char *id);
void rsession_event(RemoteSession *g);
void rsession_gone(RemoteSession *g); /* none of its processes is left */
void rsession_tick(Server *sv);
void rsession_leave(RemoteSession *g); /* a connection that carried requests of it has ended */
bool rsession_send(RemoteSession *g, Task *t);
void rsession_interrupt(RemoteSession *g);
void rsession_drop_tensor(RemoteSession *g, uint64_t k);
ServedTensor *tensor_named(const RemoteSession *g, uint64_t k); /* on_tensor.c: NULL: no such
                                                                 * tensor, or freed */
int rsession_buffer(const RemoteSession *g, uint64_t id); /* its file; -1 */

/* queue.c */
Task *task_new(Req *r, enum ProcessKind k, enum Class c, void (*answer)(Task *, Msg *));
void task_add(Task *t);               /* to its session's list, which is then looked at */
void task_done(Task *t);              /* it is first and has its answer; frees it */
void task_pause(Task *t);             /* first, answered, and goes on later */
void task_leave(Task *t);             /* its request needs it no longer */
void queue_turn(Server *sv);          /* starts what can be started */
void queue_tick(Server *sv);          /* limits of time; lines for those who wait */
void queue_stop(Server *sv);          /* the server ends: what waits is told so */
void queue_status(Server *sv, Str *out);

/* stream.c */
void stream_event(Task *t, Msg *m);   /* an Sevent */
void stream_done(Req *r, Msg *m);     /* an Sok of a run */
void stream_failed(Task *t, Msg *m);  /* an Sfail; NULL: the process has ended */
void stream_waits(Task *t, int ahead, double seconds);
void stream_runs(Task *t);
void stream_stopped(Req *r);
struct MHD_Response *stream_response(Req *r);

/* content.c */
Content *content_find(Client *c, Hash h, uint64_t bytes);
void content_add(Client *c, Hash h, uint64_t bytes, int fd, uint64_t most);
void content_free(Client *c);

/* put.c: a piece of the body of a PUT: taken; not now, ask again; kept, and not before it is
 * unpacked does r want more. */
enum Put { PUTtaken, PUTlater, PUTkept };
enum Put put_body(Req *r, const char *data, size_t *n);
void put_turn(Server *sv);            /* unpacks for a moment; Server.unpacks: there is more */
void put_stop(Req *r);                /* nothing of it is unpacked any more */
void put_complete(Req *r);            /* the body has ended */
bool put_fresh(Task *t);              /* nothing needs to be asked: it holds now */
void put_free(Req *r);

/* on_*.c */
void on_hello(Req *r), on_status(Req *r);
void on_open(Req *r), on_close(Req *r);
void open_again(Server *sv);          /* there may be room for those that wait to be opened */
void on_tensor(Req *r), on_put(Req *r), on_get(Req *r), on_zero(Req *r), on_free(Req *r);
void on_kernel(Req *r), on_drop(Req *r), on_text(Req *r);
void on_launch(Req *r), on_bench(Req *r);
bool arg_u64(Req *r, const char *name, uint64_t *v, bool *there); /* of the "?"; false: answered */

/* payload.c: the parts of a launch as words; false: answered. */
bool payload_words(Req *r, json_t *before, json_t *after, Str *words);
void payload_answer(const Req *r, const char *bytes, size_t n, Str *out); /* "after" */

/* log.c: one object a line.  Never a token, a body or a whole session id. */
int log_open(const char *path);
void log_request(const Req *r);
void log_event(Server *sv, const char *what, const RemoteSession *g, const char *outcome);

#endif
