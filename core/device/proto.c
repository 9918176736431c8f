/* core/device/proto.c: messages between session and worker.  See proto.h. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "proto.h"

void msg_start(Msg *m, enum MsgKind k, uint32_t seq)
{
    m->h = (MsgHead){MsgMagic, k, seq, 0};
    m->at = 0;
    m->fd = -1;
    m->bad = false;
}

static void msg_append(Msg *m, const void *p, size_t n)
{
    if (m->bad || n > sizeof m->body - m->at) {
        m->bad = true;
        return;
    }
    if (n)
        memcpy(m->body + m->at, p, n);
    m->at += n;
}

void put_u64(Msg *m, uint64_t v) { msg_append(m, &v, sizeof v); }

void put_double(Msg *m, double v) { msg_append(m, &v, sizeof v); }

void put_text(Msg *m, const char *s, size_t n)
{
    put_u64(m, n);
    msg_append(m, s, n);
    msg_append(m, "", 1);
}

enum { Flost = 1, Funbegun = 2, Freported = 4, Fall = 8 };

void put_error(Msg *m, const DevError *e)
{
    DevError sure = dev_error_sure(*e);
    put_u64(m, (uint64_t)sure.is);
    put_u64(m, (sure.lost ? Flost : 0U) | (sure.unbegun ? Funbegun : 0U) |
                   (sure.reported ? Freported : 0U) | (sure.all ? Fall : 0U));
    put_u64(m, sure.narg);
    const char *s = sure.text;
    for (int i = 0; i < sure.narg; i++) {
        size_t n = strlen(s);
        put_text(m, s, n);
        s += n + 1;
    }
}

static const char *proto_get(Msg *m, size_t n)
{
    if (m->bad || n > m->h.bytes - m->at) {
        m->bad = true;
        return NULL;
    }
    const char *p = m->body + m->at;
    m->at += n;
    return p;
}

uint64_t get_u64(Msg *m)
{
    uint64_t v = 0;
    const char *p = proto_get(m, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}

double get_double(Msg *m)
{
    double v = 0;
    const char *p = proto_get(m, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}

const char *get_text(Msg *m, size_t *n)
{
    uint64_t len = get_u64(m);
    const char *p = len < sizeof m->body ? proto_get(m, (size_t)len + 1) : NULL;
    if (!p || p[len] != '\0') {
        m->bad = true;
        len = 0;
        p = "";
    }
    if (n)
        *n = (size_t)len;
    return p;
}

DevError get_error(Msg *m)
{
    const char *arg[DiagArgs];
    Err is = err_row(get_u64(m));
    uint64_t flags = get_u64(m), n = get_u64(m);
    m->bad = m->bad || n > DiagArgs || is == E_none || err_info(is)->level != Lerror;
    for (uint64_t i = 0; i < n && !m->bad; i++)
        arg[i] = get_text(m, NULL);
    DevError e = m->bad ? dev_error_all(E_bug, "a worker's error does not read")
                        : dev_error_list(is, flags & Fall, arg, (int)n);
    e.reported = flags & Freported && !m->bad;
    e.lost = flags & (Flost | Funbegun);
    e.unbegun = flags & Funbegun;
    return e;
}

/* Room for one descriptor, aligned as the kernel wants it. */
typedef union FdRoom FdRoom;
union FdRoom {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool msg_send(int fd, Msg *m)
{
    if (m->bad) {
        errno = EMSGSIZE;
        return false;
    }
    m->h.bytes = (uint32_t)m->at;
    struct iovec v[2] = {{&m->h, sizeof m->h}, {m->body, m->at}};
    FdRoom room;
    struct msghdr h = {.msg_iov = v, .msg_iovlen = 2};
    if (m->fd >= 0) {
        memset(&room, 0, sizeof room);
        h.msg_control = &room;
        h.msg_controllen = sizeof room;
        struct cmsghdr *c = CMSG_FIRSTHDR(&h);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &m->fd, sizeof(int));
    }
    ssize_t n;
    do
        n = sendmsg(fd, &h, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)(sizeof m->h + m->at);
}

/* Takes the first descriptor that came along; any other would be a leak. */
static int take_fd(struct msghdr *h)
{
    int got = -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (got < 0)
                got = fd;
            else
                close(fd);
        }
    }
    return got;
}

Spin spin_new(void)
{
    return (Spin){sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SpinUs : 0, 0, 0};
}

void msg_spin(int fd, Spin *s)
{
    struct pollfd p = {fd, POLLIN, 0};
    if (s->us <= 0 || s->left) {
        s->left -= s->left > 0;
        return;
    }
    if (poll(&p, 1, 0) != 0)
        return; /* it was there already, which tells nothing */
    int64_t until = clock_ns() + s->us * INT64_C(1000);
    bool came = false;
    while (!came && clock_ns() < until)
        came = poll(&p, 1, 0) != 0;
    s->missed = came ? 0 : s->missed < SpinMissed ? s->missed + 1 : SpinMissed;
    s->left = (1U << s->missed) - 1;
}

enum Recv msg_recv(int fd, Msg *m)
{
    struct iovec v[2] = {{&m->h, sizeof m->h}, {m->body, sizeof m->body}};
    FdRoom room;
    struct msghdr h = {.msg_iov = v, .msg_iovlen = 2, .msg_control = &room,
                       .msg_controllen = sizeof room};
    ssize_t n;
    int resets = 0;
    /* One that ends with requests unread resets the socket, which is told once, and ahead of what
     * it had answered before. */
    do
        n = recvmsg(fd, &h, MSG_CMSG_CLOEXEC);
    while (n < 0 && (errno == EINTR || (errno == ECONNRESET && resets++ == 0)));
    m->fd = -1;
    m->at = 0;
    m->bad = false;
    if (n <= 0)
        return n == 0 || errno == ECONNRESET ? RECVclosed : RECVbroken;
    m->fd = take_fd(&h);
    if ((size_t)n >= sizeof m->h && !(h.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) &&
        m->h.magic == MsgMagic && m->h.kind > Mnone && m->h.kind < NMsg &&
        m->h.bytes == (size_t)n - sizeof m->h)
        return RECVok;
    if (m->fd >= 0)
        close(m->fd);
    m->fd = -1;
    return RECVbroken;
}

bool device_apart(const Device *d, const char *options)
{
    return d && d->mem_new && (!d->apart || d->apart(options));
}

/* The board ------------------------------------------------------------ */

void board_clear(Board *b)
{
    atomic_store(&b->phase, PHidle);
    atomic_store(&b->used, 0);
    atomic_store(&b->cut, 0);
    atomic_store(&b->reported, 0);
}

static size_t record(size_t n) { return sizeof(BoardText) + (n + 7) / 8 * 8; }

bool board_add(Board *b, int64_t block, const char *s, size_t n)
{
    uint32_t at = atomic_load(&b->used);
    if (atomic_load(&b->cut) || n > OutputBytes || record(n) > sizeof b->text - at) {
        atomic_store(&b->cut, 1);
        return false;
    }
    BoardText t = {block, n};
    memcpy(b->text + at, &t, sizeof t);
    memcpy(b->text + at + sizeof t, s, n);
    atomic_store(&b->used, at + (uint32_t)record(n)); /* only now it counts */
    return true;
}

bool board_report(Board *b, const DevMessage *m)
{
    uint32_t at = atomic_load(&b->reported);
    Str s = {0};
    dev_message_text(m, &s);
    bool fits = !s.bad && at < sizeof b->report && s.n < sizeof b->report - at;
    if (fits) {
        memcpy(b->report + at, s.s, s.n + 1);
        atomic_store(&b->reported, at + (uint32_t)s.n + 1);
    }
    str_free(&s);
    return fits;
}

void board_status(Board *b, const DevMessage *m)
{
    Str s = {0};
    if (m)
        dev_message_text(m, &s);
    const char *text = s.s ? s.s : "";
    if (!s.bad && s.n < sizeof b->now && strcmp(b->now, text) != 0) {
        atomic_fetch_add(&b->status, 1);
        atomic_thread_fence(memory_order_seq_cst);
        memcpy(b->now, text, s.n + 1);
        atomic_thread_fence(memory_order_seq_cst);
        atomic_fetch_add(&b->status, 1);
    }
    str_free(&s);
}

bool board_now(const Board *b, uint32_t *seen, char text[StatusBytes])
{
    uint32_t count = atomic_load(&b->status);
    if (count == *seen || count & 1)
        return false;
    memcpy(text, b->now, StatusBytes);
    text[StatusBytes - 1] = '\0'; /* the kernel may have written over the board */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&b->status) != count)
        return false; /* it is being rewritten: another time */
    *seen = count;
    return true;
}

/* A copy: the kernel may still write over the board. */
char *board_next(const Board *b, uint32_t *at)
{
    uint32_t used = atomic_load(&b->reported);
    if (used > sizeof b->report || *at >= used)
        return NULL;
    size_t left = used - *at;
    char *s = strndup(b->report + *at, left);
    size_t n = s ? strlen(s) : left;
    if (n == left) { /* no end: the kernel wrote over the board; or no memory */
        free(s);
        return NULL;
    }
    *at += (uint32_t)n + 1;
    return s;
}

typedef struct MsgPiece MsgPiece;
struct MsgPiece { int64_t block; const char *s; size_t n; };

static int by_block(const void *x, const void *y)
{
    const MsgPiece *a = x, *b = y;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->s < b->s ? -1 : a->s > b->s; /* as written */
}

void board_text(const Board *b, Str *out)
{
    size_t used = atomic_load(&b->used), n = 0, at = 0, left = OutputBytes;
    bool cut = atomic_load(&b->cut);
    if (used > sizeof b->text)
        used = sizeof b->text;
    size_t max = used / record(0);
    MsgPiece *p = max ? malloc(max * sizeof *p) : NULL;
    if (!p && max) {
        out->bad = true;
        return;
    }
    while (n < max && at + sizeof(BoardText) <= used) {
        BoardText t;
        memcpy(&t, b->text + at, sizeof t);
        if (t.n > used - at - sizeof t)
            break; /* the kernel wrote over the board */
        p[n++] = (MsgPiece){t.block, b->text + at + sizeof t, t.n};
        at += record(t.n);
    }
    if (n)
        qsort(p, n, sizeof *p, by_block);
    for (size_t i = 0; i < n && left; i++) {
        size_t k = p[i].n < left ? p[i].n : left;
        cut |= k < p[i].n || (k == left && i + 1 < n);
        str_add(out, p[i].s, k);
        left -= k;
    }
    if (cut)
        str_puts(out, out->n && out->s[out->n - 1] != '\n' ? "\n" : "");
    if (cut)
        str_puts(out, "... output cut after 64 KiB\n");
    free(p);
}

bool proto_room(void *p, size_t n, size_t *cap, size_t size)
{
    void *old, *new;
    if (n < *cap)
        return true;
    size_t want = *cap ? *cap * 2 : 16;
    memcpy(&old, p, sizeof old);
    new = realloc(old, want * size);
    if (!new)
        return false;
    memcpy(p, &new, sizeof new);
    *cap = want;
    return true;
}
