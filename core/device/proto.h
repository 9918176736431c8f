/* core/device/proto.h: what the session and its worker say to each other.
 *
 * One datagram a message over a SOCK_SEQPACKET pair: a header, then fields put
 * and got in the order of the list below.  The worker answers each message
 * marked with an arrow, in order, with the same seq.  Nothing that arrives is
 * trusted: a kernel may have written anywhere in the worker.
 *
 *   Mopen    -> target name, options; file descriptor of the Board
 *   Mmap        id; file descriptor of the memfd
 *   Mdrop       count, then ids
 *   Mput     -> (PutBytes, id, offset, bytes): from the host to the device copy, or
 *               (PutFill, fill, id, offset, bytes): 8 bytes over and over, up to PutEnd.
 *               When it fails, the next run is refused
 *   Mget     -> id, offset, bytes: from the device copy to the host
 *   Mevict      ids up to a 0: their device copies are freed
 *   Mload    -> module number, path, kernel's name; again: only its facts
 *   Munload     module number
 *   Mlaunch  -> module number, warmup, times, flush, narg, then (kind, value)
 *   Mset        number, narg, then (kind, value): arguments for Mbench
 *   Mbench   -> n, that many module numbers, sets, first set, warmup, rounds,
 *               batch, flush, chain; module i's s-th arguments are Mset s * n + i
 *   Mcomplete-> (nothing)
 *   Mtext    -> module number, what
 *   Mdescribe-> (nothing)
 *   Mok         by request: Mlaunch and Mbench count and that many doubles;
 *               Mload, Mcomplete, Mtext, Mdescribe text
 *   Mfail       line, error, module number or 0 */
#ifndef MOONTILE_PROTO_H
#define MOONTILE_PROTO_H

#include <stdatomic.h>

#include "worker.h"

enum MsgKind {
    Mnone, Mopen, Mmap, Mdrop, Mput, Mget, Mevict, Mload, Munload, Mlaunch, Mset, Mbench,
    Mcomplete, Mtext, Mdescribe, Mok, Mfail, NMsg
};

enum {
    MsgMagic = 0x6d743032,   /* "mt02": a worker of another version is refused */
    MsgBytes = 64 * 1024,    /* the largest message, header and all */
    LaunchArgs = 4096,       /* arguments of a kernel: 255 parameters and 8 dimensions of each are fewer */
    SpinUs = 60, SpinMissed = 6, /* microseconds; then every 64th wait is tried */
    LaunchTimes = 4096,      /* most timed runs of one message */
    BenchTimes = 8000,       /* most numbers that the answer to Mbench holds */
    BenchModules = 64, BenchSets = 4096, /* most of one Mbench: modules; Msets */
    OutputBytes = 64 * 1024, /* most text of one launch */
    ReportBytes = 128 * 1024, /* most messages of one launch */
    StatusBytes = 256        /* of a message of DevHost.status as text, with its 0 */
};

enum { PutEnd, PutBytes, PutFill }; /* what of Mput's follows */

/* Has the device memory of its own, with these options? */
bool device_apart(const Device *d, const char *options);

enum ArgKind { ARmem, ARint, ARfloat }; /* Amem: memfd id, byte offset */

typedef struct MsgHead MsgHead;
struct MsgHead { uint32_t magic, kind, seq, bytes; };

/* A message being written or read.  bad: it did not fit, or what was asked
 * for is not there; then numbers read as 0 and text as "". */
typedef struct Msg Msg;
struct Msg {
    MsgHead h;
    size_t at;
    int fd;   /* sent along, or -1; received: the receiver's to close */
    bool bad;
    char body[MsgBytes - sizeof(MsgHead)];
};

void msg_start(Msg *m, enum MsgKind k, uint32_t seq);
void put_u64(Msg *m, uint64_t v);
void put_double(Msg *m, double v);
void put_text(Msg *m, const char *s, size_t n);
void put_error(Msg *m, const DevError *e); /* none: there was no memory */
uint64_t get_u64(Msg *m);
double get_double(Msg *m);
const char *get_text(Msg *m, size_t *n); /* NUL-terminated, inside m */
DevError get_error(Msg *m); /* the caller's; what does not read is E_bug */

bool msg_send(int fd, Msg *m);  /* false: errno; EPIPE when the peer is gone */
/* Waits busily, for up to `us` microseconds, for something to read: a sleeping
 * processor takes longer to wake than a small kernel to run.  Where that was in vain it is
 * left out the next times, more of them each time: on a machine with more to do than
 * processors it would only take time from whoever has the answer. */
typedef struct Spin Spin;
struct Spin { int us; unsigned missed, left; };
Spin spin_new(void); /* none on a machine with one processor */
void msg_spin(int fd, Spin *s);
enum Recv { RECVok, RECVclosed, RECVbroken };
enum Recv msg_recv(int fd, Msg *m);

/* Memory that both sides map: what must survive the worker's death. */
enum BoardPhase { PHidle, PHload, PHrun };

typedef struct Board Board;
struct Board {
    _Atomic uint32_t phase; /* enum BoardPhase */
    _Atomic uint32_t runs;  /* counts up: the time limit is of one run */
    _Atomic uint32_t used;  /* bytes of text[] that are whole records */
    _Atomic uint32_t cut;   /* output did not fit */
    char text[2 * OutputBytes]; /* BoardText records, each padded to 8 bytes */
    _Atomic uint32_t reported;  /* bytes of report[]: whole messages as text, each ended by 0 */
    char report[ReportBytes];
    _Atomic uint32_t stop;      /* by the session: the user asks to stop */
    _Atomic uint32_t status;    /* counts the texts of now[]; odd while one is written */
    char now[StatusBytes];      /* what the device waits for, as text; "": nothing */
};

typedef struct BoardText BoardText;
struct BoardText { int64_t block; uint64_t n; }; /* then n bytes */

void board_clear(Board *b); /* between launches */
bool board_add(Board *b, int64_t block, const char *s, size_t n); /* one writer */
void board_text(const Board *b, Str *out); /* in the order of blocks */
bool board_report(Board *b, const DevMessage *m); /* false: no room */
void board_status(Board *b, const DevMessage *m); /* one writer; what is too long is left out */
/* The newest of them goes to text; "": nothing is waited for.  false: it is that of count *seen,
 * or is being written. */
bool board_now(const Board *b, uint32_t *seen, char text[StatusBytes]);
/* The text of the message at *at, which moves on behind it, malloc'd; NULL after the last. */
char *board_next(const Board *b, uint32_t *at);

/* Room for one more element of `size` in the array *p; false: no memory. */
bool proto_room(void *p, size_t n, size_t *cap, size_t size);

#endif
