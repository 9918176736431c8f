/* repl/serve/http.c: libmicrohttpd's calls: connections, requests, bodies, answers.
 *
 * A request that waits for a session process suspends its connection; http_resume() wakes it, and
 * libmicrohttpd asks again.  A suspended connection notices nothing, so each socket is also
 * watched for hanging up in the server's own epoll. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "serve.h"
#include "err/server.h"

enum {
    PoolBytes = 96 * 1024,   /* of a connection: its head, and pieces of its body */
    BodySeconds = 30,         /* a body may take this long .. */
    BodyRate = 16 * 1024,     /* .. and a second for each so many bytes */
    SmallBody = 256 * 1024,   /* a refused body that is read to its end, to keep the connection */
    UserTimeout = 30000,      /* milliseconds until a peer that answers nothing is gone */
    FileBlock = 512 * 1024,   /* of a tensor on its way out */
    Backlog = 511
};

/* Connections -------------------------------------------------------------- */

static void release_conn(Watch *w) { free(w); }

/* The kernel tells whether the other side is still there. */
static void watch_peer(Conn *k)
{
    unsigned patience = UserTimeout;
    int on = 1, idle = 30, every = 10, tries = 3;
    setsockopt(k->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
    setsockopt(k->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(k->fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(k->fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(k->fd, IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof tries);
    struct epoll_event ev = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = &k->watch};
    epoll_ctl(k->sv->epoll, EPOLL_CTL_ADD, k->fd, &ev);
}

/* Strangers have half of the connections at most: the oldest makes room. */
static void crowd(Server *sv)
{
    if (2 * sv->nstranger <= sv->set->connections)
        return;
    for (Conn *k = sv->conn; k; k = k->next)
        if (!k->client && !k->hung_up) {
            shutdown(k->fd, SHUT_RDWR);
            k->hung_up = true;
            return;
        }
}

static void conn_started(Server *sv, struct MHD_Connection *c, void **context)
{
    const union MHD_ConnectionInfo *i =
        sv->mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    Conn *k = i ? calloc(1, sizeof *k) : NULL;
    if (!k)
        return; /* its requests are refused */
    k->watch = (Watch){.kind = Wconn, .release = release_conn};
    k->sv = sv;
    k->c = c;
    k->fd = i->connect_fd;
    k->since = sv->now;
    k->link = sv->lastconn;
    *sv->lastconn = k;
    sv->lastconn = &k->next;
    sv->nconn++;
    sv->nstranger++;
    *context = k;
    watch_peer(k);
    crowd(sv);
}

static void conn_ended(Conn *k)
{
    Server *sv = k->sv;
    *k->link = k->next;
    if (k->next)
        k->next->link = k->link;
    else
        sv->lastconn = k->link;
    sv->nconn--;
    if (k->client)
        k->client->nconn--;
    else
        sv->nstranger--;
    if (k->session)
        rsession_leave(k->session);
    serve_end(sv, &k->watch);
}

static void on_connection(void *ud, struct MHD_Connection *c, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        conn_started(ud, c, context);
    else if (*context)
        conn_ended(*context);
}

/* libmicrohttpd may have read the last bytes and the end in one go, of which its epoll then
 * tells nothing more: shutting down gives it another event. */
void http_hung_up(Conn *k)
{
    Req *r = k->req;
    k->hung_up = true;
    shutdown(k->fd, SHUT_RDWR);
    if (!r)
        return;
    put_stop(r);
    if (r->task)
        task_leave(r->task);
    if (r->suspended)
        http_resume(r);
}

/* Requests ----------------------------------------------------------------- */

void http_resume(Req *r)
{
    if (!r->suspended)
        return;
    r->suspended = false;
    r->deadline += r->sv->now - r->paused; /* it was us who kept it waiting */
    r->sv->mhd.resume_connection(r->c);
}

/* Not of a client that has hung up: nothing would wake it. */
static enum MHD_Result http_suspend(Req *r)
{
    if (r->conn->hung_up)
        return MHD_NO;
    r->suspended = true;
    r->paused = r->sv->now;
    r->sv->mhd.suspend_connection(r->c);
    return MHD_YES;
}

/* A file, in pieces that are larger than libmicrohttpd's own. */
typedef struct BodySource BodySource;
struct BodySource { int fd; uint64_t off, size; };

static ssize_t read_source(void *ud, uint64_t pos, char *buf, size_t max)
{
    const BodySource *s = ud;
    if (max > s->size - pos)
        max = (size_t)(s->size - pos);
    ssize_t n;
    do
        n = pread(s->fd, buf, max, (off_t)(s->off + pos));
    while (n < 0 && errno == EINTR);
    return n > 0 ? n : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void close_source(void *ud)
{
    BodySource *s = ud;
    close(s->fd);
    free(s);
}

static struct MHD_Response *file_response(Req *r)
{
    BodySource *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (BodySource){r->file, r->off, r->size};
    r->sent = r->size;
    size_t block = r->size < FileBlock ? (size_t)r->size : FileBlock;
    struct MHD_Response *p =
        r->sv->mhd.create_response_from_callback(r->size, block, read_source, s, close_source);
    if (p)
        r->file = -1;
    else
        free(s);
    return p;
}

static struct MHD_Response *response_of(Req *r)
{
    static char none[1];
    if (r->stream)
        return stream_response(r);
    if (r->file >= 0 && r->size > 0)
        return file_response(r);
    if (!r->out.n)
        return r->sv->mhd.create_response_from_buffer(0, none, MHD_RESPMEM_PERSISTENT);
    r->sent = r->out.n;
    struct MHD_Response *p =
        r->sv->mhd.create_response_from_buffer(r->out.n, r->out.s, MHD_RESPMEM_MUST_FREE);
    if (p)
        r->out = (Str){0};
    return p;
}

static void headers(const Req *r, struct MHD_Response *p)
{
    enum MHD_Result (*add)(struct MHD_Response *, const char *, const char *) =
        r->sv->mhd.add_response_header;
    char n[16];
    add(p, "Cache-Control", "no-store");
    add(p, "X-Content-Type-Options", "nosniff");
    if (r->type)
        add(p, "Content-Type", r->type);
    if (r->packed)
        add(p, "Content-Encoding", "deflate");
    if (r->allow)
        add(p, "Allow", r->allow);
    if (r->hang_up)
        add(p, "Connection", "close");
    if (r->status == 401)
        add(p, "WWW-Authenticate", "Bearer");
    snprintf(n, sizeof n, "%d", r->retry);
    if (r->retry)
        add(p, "Retry-After", n);
}

static enum MHD_Result http_answer(Req *r)
{
    struct MHD_Response *p = response_of(r);
    if (!p)
        return MHD_NO;
    headers(r, p);
    enum MHD_Result ok = r->sv->mhd.queue_response(r->c, r->status, p);
    r->sv->mhd.destroy_response(p);
    r->queued = ok == MHD_YES;
    return ok;
}

const char *request_value(const Req *r, enum MHD_ValueKind kind, const char *name)
{
    return r->sv->mhd.lookup_connection_value(r->c, kind, name);
}

/* Bytes that the head announces; UINT64_MAX: it does not say. */
static uint64_t http_announced(const Req *r)
{
    const char *v = request_value(r, MHD_HEADER_KIND, "Content-Length");
    return v ? strtoull(v, NULL, 10) : UINT64_MAX;
}

/* The head of a request: what it is and whether it may be. */
static enum MHD_Result request_begin(Server *sv, Conn *k, const char *url, const char *method,
                                     void **own)
{
    Req *r = calloc(1, sizeof *r);
    if (!r)
        return MHD_NO;
    *own = r;
    r->sv = sv;
    r->conn = k;
    r->c = k->c;
    r->since = sv->now = clock_s();
    r->deadline = r->since + BodySeconds;
    r->file = -1;
    k->req = r;
    uint64_t n = http_announced(r);
    bool found = head_sound(r) && route_find(r, method, url);
    if (found && r->route->body != 'o' && n != UINT64_MAX && n > r->limit)
        reply_quota(r, r->route->body == 't' ? "ir_bytes" : "json_bytes", n, r->limit);
    if (found && r->route->body == 'o' && !r->ready)
        r->route->go(r);
    /* A large body that is refused is not worth reading, and who asks first is told first. */
    bool asks = request_value(r, MHD_HEADER_KIND, "Expect") != NULL;
    if (r->ready && (asks || r->hang_up || (n != UINT64_MAX && n > SmallBody)))
        return http_answer(r);
    return MHD_YES;
}

/* A piece of the body. */
static enum MHD_Result http_piece(Req *r, const char *data, size_t *n)
{
    if (r->ready || r->queued) {
        r->got += *n;
        *n = 0;
        return r->got > SmallBody ? MHD_NO : MHD_YES;
    }
    if (r->route->body == 'o')
        return put_body(r, data, n) == PUTtaken ? MHD_YES : http_suspend(r);
    if (r->body.n + *n > r->limit)
        reply_quota(r, r->route->body == 't' ? "ir_bytes" : r->route->body == 'j' ? "json_bytes" :
                    "body_bytes", r->body.n + *n, r->limit);
    else
        str_add(&r->body, data, *n);
    r->got += *n;
    *n = 0;
    return MHD_YES;
}

static enum MHD_Result on_request(void *ud, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *n, void **own)
{
    Req *r = *own;
    (void)version;
    if (!r) {
        Server *sv = ud;
        const union MHD_ConnectionInfo *i =
            sv->mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        Conn *k = i ? i->socket_context : NULL;
        return k && !k->hung_up ? request_begin(sv, k, url, method, own) : MHD_NO;
    }
    if (r->conn->hung_up)
        return MHD_NO;
    if (*n)
        return http_piece(r, data, n);
    if (!r->complete && !r->ready && r->route->body == 'o' && !r->hold)
        return http_suspend(r); /* an empty body, before its turn */
    if (!r->complete) {
        r->complete = true;
        if (r->body.bad)
            reply_error(r, 500, E_memory, "more", "reached", NULL);
        if (!r->ready)
            (r->route->body == 'o' ? put_complete : r->route->go)(r);
    }
    if (r->queued)
        return MHD_YES;
    return r->ready || r->stream ? http_answer(r) : http_suspend(r);
}

static void on_completed(void *ud, struct MHD_Connection *c, void **own,
                         enum MHD_RequestTerminationCode how)
{
    Req *r = *own;
    (void)ud, (void)c;
    if (!r)
        return;
    *own = NULL;
    if (how != MHD_REQUEST_TERMINATED_COMPLETED_OK)
        r->outcome = "cut";
    log_request(r);
    r->conn->req = NULL;
    if (r->task)
        task_leave(r->task);
    if (r->session)
        r->session->used = r->sv->now;
    if (r->file >= 0)
        close(r->file);
    put_free(r);
    str_free(&r->body);
    str_free(&r->out);
    free(r);
}

/* Time --------------------------------------------------------------------- */

/* A body that comes too slowly, a stranger who says nothing. */
static bool too_slow(const Server *sv, const Conn *k)
{
    const Req *r = k->req;
    if (!k->client && sv->now - k->since > (double)sv->set->head_s)
        return true;
    return r && !r->complete && !r->suspended &&
           sv->now > r->deadline + (double)r->got / BodyRate;
}

void http_tick(Server *sv)
{
    for (Conn *k = sv->conn; k; k = k->next)
        if (!k->hung_up && too_slow(sv, k)) {
            shutdown(k->fd, SHUT_RDWR);
            http_hung_up(k);
        }
}

bool http_busy(const Server *sv)
{
    for (const Conn *k = sv->conn; k; k = k->next)
        if (k->req && !k->hung_up)
            return true;
    return false;
}

/* Start and end ------------------------------------------------------------ */

typedef struct HttpTrouble HttpTrouble;
struct HttpTrouble { Err e; const char *a, *b, *d, *f, *g; };

static void do_http_report(Ctx *c, void *ud)
{
    const HttpTrouble *t = ud;
    diag(c, t->e, (Loc){0, 0, 0}, t->a, t->b, t->d, t->f, t->g, NULL);
}

static bool http_report(Ctx *c, Err e, const char *a, const char *b)
{
    HttpTrouble t = {e, a, b, "", "", ""};
    ctx_try(c, do_http_report, &t);
    return false;
}

/* E_serve_start with one of its own reasons, from 3 on. */
static bool http_refuse(Ctx *c, const char *what, int reason)
{
    HttpTrouble t = {E_serve_start, what, "", reason == 3 ? "1" : "", reason == 4 ? "1" : "",
                     reason == 5 ? "1" : ""};
    ctx_try(c, do_http_report, &t);
    return false;
}

/* This machine alone? */
static bool loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)a;
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *v6 = (const void *)a;
    return a->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

/* A listening socket; -1: reported. */
static int listener(Server *sv, Ctx *c)
{
    const Settings *set = sv->set;
    struct addrinfo want = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM}, *a = NULL;
    char port[12];
    snprintf(port, sizeof port, "%d", set->port);
    int e = getaddrinfo(set->bind, port, &want, &a), one = 1, fd = -1;
    if (e) {
        http_report(c, E_serve_start, set->bind, gai_strerror(e));
        return -1;
    }
    sv->local = loopback(a->ai_addr);
    if (!sv->local && sv->tokens.n == 0) {
        http_report(c, E_serve_open, set->bind, NULL);
        freeaddrinfo(a);
        return -1;
    }
    fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
              bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, Backlog) == 0;
    freeaddrinfo(a);
    if (ok)
        return fd;
    snprintf(port, sizeof port, ":%d", set->port);
    if (errno == EADDRINUSE)
        http_refuse(c, port, 4);
    else
        http_report(c, E_serve_start, port, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static int port_of(int fd)
{
    struct sockaddr_storage a = {0};
    socklen_t n = sizeof a;
    if (getsockname(fd, (struct sockaddr *)(void *)&a, &n) != 0)
        return 0;
    return ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&a)->sin6_port
                                         : ((struct sockaddr_in *)(void *)&a)->sin_port);
}

/* The text of a PEM file, malloc'd; NULL: reported. */
static char *pem(Ctx *c, const char *path)
{
    size_t n;
    FILE *f = fopen(path, "re");
    char *s = f ? process_slurp(fileno(f), 1 << 20, &n) : NULL;
    if (!s)
        errno ? http_report(c, E_serve_start, path, strerror(errno)) : http_refuse(c, path, 5);
    if (f)
        fclose(f);
    return s;
}

/* A NUL that was written as %00 must not end a path or a name early. */
static size_t http_unescape(void *ud, struct MHD_Connection *c, char *s)
{
    const Server *sv = ud;
    size_t n = sv->mhd.http_unescape(s);
    (void)c;
    for (size_t i = 0; i < n; i++)
        s[i] = s[i] ? s[i] : '\1';
    return n;
}

/* GnuTLS's own choice still has what browsers have given up (RFC 8996). */
static const char tls_versions[] = "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1";

static struct MHD_Daemon *daemon_of(Server *sv, int fd, const char *cert, const char *key)
{
    const unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (cert ? MHD_USE_TLS : 0U);
    const unsigned idle = (unsigned)sv->set->idle_s + 60;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)cert},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)tls_versions},
        {MHD_OPTION_END, 0, NULL},
    };
    return sv->mhd.start_daemon(flags, 0, NULL, NULL, on_request, sv,
                            MHD_OPTION_LISTEN_SOCKET, fd,
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, sv,
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, sv,
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)sv->set->connections,
                            MHD_OPTION_CONNECTION_TIMEOUT, idle,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)PoolBytes,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_UNESCAPE_CALLBACK, http_unescape, sv,
                            MHD_OPTION_ARRAY, cert ? tls : &tls[COUNT(tls) - 1], MHD_OPTION_END);
}

bool http_start(Server *sv, Ctx *c)
{
    const Settings *set = sv->set;
    const char *lacks = mhd_open(&sv->mhd);
    if (lacks)
        return http_report(c, E_serve_start, "libmicrohttpd", lacks);
    errno = 0;
    char *cert = set->cert ? pem(c, set->cert) : NULL, *key = set->key ? pem(c, set->key) : NULL;
    bool ok = (!set->cert || cert) && (!set->key || key);
    int fd = ok ? listener(sv, c) : -1;
    if (fd >= 0) {
        sv->port = port_of(fd);
        sv->tls = cert != NULL;
        sv->http = daemon_of(sv, fd, cert, key);
        if (!sv->http) {
            cert ? http_refuse(c, set->cert, 3)
                 : http_report(c, E_serve_start, "libmicrohttpd", "");
            close(fd);
        }
    }
    free(cert);
    free(key);
    const union MHD_DaemonInfo *i =
        sv->http ? sv->mhd.get_daemon_info(sv->http, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &sv->http_watch};
    return i && epoll_ctl(sv->epoll, EPOLL_CTL_ADD, i->epoll_fd, &ev) == 0;
}

void http_stop(Server *sv)
{
    for (Conn *k = sv->conn; k; k = k->next) {
        k->hung_up = true;
        if (k->req)
            http_resume(k->req); /* it must not be suspended when the daemon ends */
    }
    if (sv->http) {
        sv->mhd.run(sv->http);
        sv->mhd.stop_daemon(sv->http);
    }
    sv->http = NULL;
}
