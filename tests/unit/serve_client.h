/* tests/unit/serve_client.h: for the tests of the server: one in a process of its own, and
 * a client that may say anything. */
#ifndef MOONTILE_SERVE_CLIENT_H
#define MOONTILE_SERVE_CLIENT_H

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/device/worker.h"
#include "../../repl/serve/kin.h"
#include "../../repl/serve/serve.h"

#define EXPECT(e) \
    ((e) ? (void)0 : (void)(printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #e), failures++))

static _Atomic int failures;

static inline double ms_now(void) { return clock_s() * 1e3; }

/* The server --------------------------------------------------------------- */

static inline void tell_port(void *ud, const char *url)
{
    int port = atoi(strrchr(url, ':') + 1);
    if (write(*(int *)ud, &port, sizeof port) != sizeof port)
        _exit(3);
}

/* Starts one with these words; its process, *port. */
static inline pid_t server_start(int argc, char **argv, int *port)
{
    int pipefd[2];
    if (pipe(pipefd) != 0)
        exit(2);
    pid_t pid = fork();
    if (pid == 0) {
        Ctx c;
        Settings set;
        ctx_init(&c, NULL, 0);
        close(pipefd[0]);
        int code = 2;
        if (settings_read(&set, &c, argc, argv)) {
            set.port = 0;
            code = serve_run(&set, &c, tell_port, &pipefd[1]);
        }
        for (const Diag *d = c.diags; d; d = d->next)
            printf("server: %s %s\n", err_info(d->err)->id, d->arg[0] ? d->arg[0] : "");
        ctx_free(&c);
        exit(code);
    }
    close(pipefd[1]);
    if (read(pipefd[0], port, sizeof *port) != sizeof *port)
        exit(2);
    close(pipefd[0]);
    return pid;
}

/* Asks it to end; its exit status, or 128 and the signal. */
static inline int server_stop(pid_t pid)
{
    int status = 0;
    kill(pid, SIGTERM);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Descriptors of a process. */
static inline int descriptors(pid_t pid)
{
    char path[64];
    int n = -2;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *d = opendir(path);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* KiB of memory that a process has in use. */
static inline long resident(pid_t pid)
{
    char path[64];
    long all = 0, rss = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%ld %ld", &all, &rss) != 2)
        rss = 0;
    if (f)
        fclose(f);
    return rss * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Is it the process that ends what a server leaves behind? */
static inline bool is_warden(pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    if (f)
        fclose(f);
    return n && memmem(text, n, "--warden", 8);
}

/* The children of a process but for that one: how many, the first `most` of them. */
static inline int children_of(pid_t pid, pid_t *list, int most)
{
    char path[64];
    int n = 0, id;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *f = fopen(path, "re");
    while (f && n < most && fscanf(f, "%d", &id) == 1)
        if (!is_warden(id))
            list[n++] = id;
    if (f)
        fclose(f);
    return n;
}

/* A client ----------------------------------------------------------------- */

typedef struct Peer Peer;
struct Peer {
    int port, fd;
    char *in;      /* what has come and was not read */
    size_t n, cap;
};

typedef struct Reply Reply;
struct Reply { int status; Str body; bool cut; }; /* cut: no whole answer came */

static inline bool peer_open(Peer *p)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)p->port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    struct timeval patience = {.tv_sec = 600};
    p->n = 0;
    p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (p->fd < 0)
        return false;
    setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(p->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(p->fd, (struct sockaddr *)(void *)&a, sizeof a) == 0)
        return true;
    close(p->fd);
    p->fd = -1;
    return false;
}

static inline void peer_close(Peer *p)
{
    if (p->fd >= 0)
        close(p->fd);
    free(p->in);
    p->fd = -1;
    p->in = NULL;
    p->n = p->cap = 0;
}

static inline bool peer_send(Peer *p, const void *s, size_t n)
{
    const char *at = s;
    while (n) {
        ssize_t k = send(p->fd, at, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

/* More bytes; false: none come. */
static inline bool peer_more(Peer *p)
{
    if (p->cap - p->n < 65536) {
        p->cap = 2 * p->cap + 131072;
        p->in = realloc(p->in, p->cap);
    }
    ssize_t k;
    do
        k = recv(p->fd, p->in + p->n, p->cap - p->n - 1, 0);
    while (k < 0 && errno == EINTR);
    if (k <= 0)
        return false;
    p->n += (size_t)k;
    p->in[p->n] = '\0';
    return true;
}

static inline void peer_skip(Peer *p, size_t n)
{
    p->n -= n;
    memmove(p->in, p->in + n, p->n + 1);
}

/* One chunk to the body; 1: there may be more, 0: it was the last, -1: cut. */
static inline int read_chunk(Peer *p, Str *body)
{
    char *end;
    while (!p->n || !(end = memmem(p->in, p->n, "\r\n", 2)))
        if (!peer_more(p))
            return -1;
    size_t size = strtoul(p->in, NULL, 16);
    peer_skip(p, (size_t)(end - p->in) + 2);
    while (p->n < size + 2)
        if (!peer_more(p))
            return -1;
    str_add(body, p->in, size);
    peer_skip(p, size + 2);
    return size > 0;
}

/* Reads an answer. */
static inline Reply peer_read(Peer *p)
{
    Reply r = {0, {0}, true};
    char *end = NULL;
    while (!p->n || !(end = memmem(p->in, p->n, "\r\n\r\n", 4)))
        if (!peer_more(p))
            return r;
    *end = '\0';
    if (sscanf(p->in, "HTTP/1.1 %d", &r.status) != 1)
        return r;
    const char *length = strcasestr(p->in, "\ncontent-length:");
    bool chunked = strcasestr(p->in, "\ntransfer-encoding: chunked") != NULL;
    size_t n = length ? strtoul(length + 16, NULL, 10) : 0, head = (size_t)(end - p->in) + 4;
    peer_skip(p, head);
    if (r.status == 100)
        return peer_read(p);
    if (chunked) {
        int more;
        while ((more = read_chunk(p, &r.body)) > 0)
            ;
        r.cut = more < 0;
        return r;
    }
    while (p->n < n)
        if (!peer_more(p))
            return r;
    str_add(&r.body, p->in ? p->in : "", n);
    peer_skip(p, n);
    r.cut = false;
    return r;
}

/* Sends a request; false: the connection is gone. */
static inline bool peer_ask(Peer *p, const char *method, const char *path, const void *body,
                            size_t n)
{
    char head[512];
    int k = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: localhost\r\n"
                     "Content-Length: %zu\r\n\r\n", method, path, n);
    return peer_send(p, head, (size_t)k) && peer_send(p, body, n);
}

/* A request and its answer, over a connection that is opened anew when it is gone. */
static inline Reply peer_do(Peer *p, const char *method, const char *path, const void *body,
                            size_t n)
{
    Reply none = {0, {0}, true};
    if (p->fd < 0 && !peer_open(p))
        return none;
    Reply r = none;
    if (peer_ask(p, method, path, body, n))
        r = peer_read(p);
    if (r.cut) {
        close(p->fd);
        p->fd = -1;
        p->n = 0;
    }
    return r;
}

static inline Reply peer_post(Peer *p, const char *path, const char *body)
{
    return peer_do(p, "POST", path, body, strlen(body));
}

/* The number or text behind "name": in a body. */
static inline long reply_number(const Reply *r, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *s = r->body.s ? strstr(r->body.s, key) : NULL;
    return s ? atol(s + strlen(key)) : -1;
}

static inline bool reply_says(const Reply *r, const char *text)
{
    return r->body.s && strstr(r->body.s, text);
}

/* Opens a session; its path "/v1/sessions/ID", or "" and the answer's status. */
static inline int session_path(Peer *p, const char *target, char path[64])
{
    char body[128];
    snprintf(body, sizeof body, "{\"target\": \"%s\"}", target);
    Reply r = peer_post(p, "/v1/sessions", body);
    const char *s = r.body.s ? strstr(r.body.s, "\"session\": \"") : NULL;
    path[0] = '\0';
    if (r.status == 200 && s)
        snprintf(path, 64, "/v1/sessions/%.32s", s + 12);
    str_free(&r.body);
    return r.status;
}

/* y[i] = x[i] + a */
static const char add_text[] =
    "kernel add(X, Y, a)\n"
    "  dim N: int32\n"
    "  scalar a: float32\n"
    "  buffer X: global float32[N]\n"
    "  buffer Y: global float32[N]\n"
    "  launch bx in (N + 63) // 64 threads 64 do\n"
    "    for i in parallel(64) do\n"
    "      if bx*64 + i < N then\n"
    "        Y[bx*64 + i] = X[bx*64 + i] + a\n"
    "      end\n"
    "    end\n"
    "  end\n"
    "end\n";

/* Random numbers ----------------------------------------------------------- */

typedef struct Dice Dice;
struct Dice { uint64_t s; };

static inline uint64_t dice(Dice *d)
{
    d->s += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = d->s;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline uint32_t below(Dice *d, uint32_t n) { return (uint32_t)(dice(d) % n); }

/* A folder of our own for what is compiled. */
static inline void own_cache(char dir[64])
{
    snprintf(dir, 64, "/tmp/moontile-serve-%d", (int)getpid());
    setenv("MOONTILE_CACHE_DIR", dir, 1);
    setenv("XDG_CONFIG_HOME", dir, 1);
}

static inline void drop_cache(const char *dir)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
    if (system(cmd) != 0)
        failures++;
}

/* What main() does first: this program is also the server's seats and their workers. */
static inline int other_self(int argc, char **argv)
{
    if (worker_flag(argc, argv))
        return worker_main(argv[1], atoi(argv[2]), targets);
    if (argc == 3 && strcmp(argv[1], "--session-process") == 0)
        return process_main(atoi(argv[2]));
    if (argc == 4 && strcmp(argv[1], "--warden") == 0)
        return warden_main(atoi(argv[2]), argv[3]);
    return -1;
}

#endif
