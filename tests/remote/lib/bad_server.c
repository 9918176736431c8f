/* bad_server.c: a server that answers as a sound one does, but for one thing.
 *
 *   bad_server MODE PORTFILE LOGFILE
 *
 * It runs no kernels: tensors keep what was sent.  LOGFILE gets a line a request.  The modes
 * are the names in mode_is() below.  A mode "say WHERE STATUS" answers what the file $SAY has
 * where the request's path has that word. */
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { Most = 64 << 20, Tensors = 64 };

static const char *mode;
static FILE *log_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { char *s; size_t n; } tensor[Tensors];
static int ntensor, nsession, asked; /* asked: how often the one thing was asked for */

static bool mode_is(const char *s) { return strcmp(mode, s) == 0; }

static void nap(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* A request: its head, and its body of n octets. */
typedef struct Req Req;
struct Req { char head[8192], method[16], path[512]; char *body; size_t n; };

static bool send_all(int fd, const char *s, size_t n)
{
    while (n) {
        ssize_t k = send(fd, s, n, MSG_NOSIGNAL);
        if (k <= 0)
            return false;
        s += k;
        n -= (size_t)k;
    }
    return true;
}

static bool reply_as(int fd, const char *status, const char *more, const char *body, size_t n)
{
    char head[512];
    int k = snprintf(head, sizeof head, "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\n\r\n", status, more,
                     n);
    return send_all(fd, head, (size_t)k) && send_all(fd, body, n);
}

static bool reply(int fd, const char *status, const char *body)
{
    return reply_as(fd, status, "", body, strlen(body));
}

static bool error(int fd, const char *status, const char *id, const char *args, const char *more)
{
    char body[512];
    snprintf(body, sizeof body, "{\"error\": {\"id\": \"%s\", \"args\": [%s], \"level\": \"error\", "
             "\"text\": {\"en\": \"%s it is\", \"zh\": \"%s\"}}}", id, args, id, id);
    return reply_as(fd, status, more, body, strlen(body));
}

/* The head up to the empty line, and the body that it announces. */
static bool receive(int fd, Req *r)
{
    size_t n = 0;
    while (n + 1 < sizeof r->head) {
        if (recv(fd, r->head + n, 1, 0) != 1)
            return false;
        r->head[++n] = '\0';
        if (n >= 4 && memcmp(r->head + n - 4, "\r\n\r\n", 4) == 0)
            break;
    }
    const char *length = strcasestr(r->head, "content-length:");
    r->n = length ? strtoul(length + 15, NULL, 10) : 0;
    r->body = r->n <= Most ? calloc(1, r->n + 1) : NULL;
    for (size_t at = 0; r->body && at < r->n;) {
        ssize_t k = recv(fd, r->body + at, r->n - at, 0);
        if (k <= 0)
            return false;
        at += (size_t)k;
    }
    return r->body && sscanf(r->head, "%15s %511s", r->method, r->path) == 2;
}

static long number(const char *s, const char *key)
{
    const char *at = strstr(s, key);
    return at ? strtol(at + strlen(key), NULL, 10) : 0;
}

static bool hello(int fd)
{
    static const char good[] = "{\"moontile\": \"0.1\", \"protocol\": %d, \"targets\": [{\"name\": "
                               "\"cpu\", \"summary\": \"\", \"present\": true}], \"limits\": {}}";
    char body[512];
    if (mode_is("garbage"))
        return reply(fd, "200 OK", "{\"moontile\": ");
    if (mode_is("twice"))
        return reply(fd, "200 OK", "{\"protocol\": 1, \"protocol\": 2}");
    if (mode_is("html"))
        return reply(fd, "502 Bad Gateway", "<html>\n<b>nginx</b>");
    if (mode_is("redirect"))
        return reply_as(fd, "301 Moved", "Location: http://127.0.0.1:1/v1/hello\r\n", "", 0);
    if (mode_is("huge")) {
        char zeros[4096] = {0};
        send_all(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 38);
        while (send_all(fd, zeros, sizeof zeros))
            ;
        return false;
    }
    if (mode_is("token"))
        return error(fd, "401 Unauthorized", "serve_token", "", "WWW-Authenticate: Bearer\r\n");
    if (mode_is("busy") && asked++ < 2)
        return error(fd, "429 Too Many", "serve_rate", "", "Retry-After: 0\r\n");
    if (mode_is("stopping"))
        return error(fd, "503 Unavailable", "serve_stopping", "", "Retry-After: 60\r\n");
    snprintf(body, sizeof body, good, mode_is("old") ? 0 : mode_is("new") ? 2 : 1);
    return reply(fd, "200 OK", body);
}

static bool session(int fd)
{
    char body[512];
    snprintf(body, sizeof body, "{\"session\": \"%032x\", \"options\": \"cpu\", \"describe\": "
             "\"processor: none\\n\", \"limits\": {\"memory\": 1048576, \"exclusive_s\": 1, \"compile_s\": 1}, "
             "\"idle_s\": 600}", ++nsession);
    return reply(fd, "200 OK", mode_is("nosession") ? "{\"session\": \"../x\", \"options\": \"\"}" : body);
}

static bool gone(int fd)
{
    return error(fd, "404 Not Found", "serve_session_gone", "\"00000000\", \"idle\", \"600\"", "");
}

static bool get(int fd, const char *s, size_t n)
{
    char head[128];
    size_t said = mode_is("longer") ? n + 100 : n;
    if (mode_is("shorter"))
        return reply_as(fd, "200 OK", "", s, n / 2);
    int k = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", said);
    if (mode_is("cutget") && asked++ < 1) {
        send_all(fd, head, (size_t)k);
        send_all(fd, s, n / 2);
        return false;
    }
    char more[100] = {0};
    return send_all(fd, head, (size_t)k) && send_all(fd, s, n) &&
           (said == n || send_all(fd, more, sizeof more));
}

static bool tensors(int fd, const Req *r)
{
    char body[128];
    long id = number(r->path, "/tensors/");
    if (strcmp(r->method, "POST") == 0 && id == 0) {
        long n = number(r->body, "\"bytes\":");
        if (mode_is("full") || n <= 0 || n > Most || ntensor + 1 >= Tensors)
            return error(fd, "413 Too Large", "serve_quota", "\"memory\", \"2\", \"1\"", "");
        tensor[++ntensor].s = calloc(1, (size_t)n);
        tensor[ntensor].n = (size_t)n;
        snprintf(body, sizeof body, "{\"tensor\": %d, \"known\": false}", ntensor);
        return reply(fd, "200 OK", mode_is("notensor") ? "{\"tensor\": \"1\"}" : body);
    }
    if (id < 1 || id > ntensor)
        return error(fd, "404 Not Found", "serve_unknown", "\"tensor\", \"1\"", "");
    if (strcmp(r->method, "DELETE") == 0 || strstr(r->path, "/zero"))
        return reply(fd, "204 No Content", "");
    size_t at = (size_t)number(r->path, "?at=");
    size_t n = (size_t)number(r->path, "&bytes=");
    if (at > tensor[id].n || n > tensor[id].n - at)
        return error(fd, "416 Range", "serve_range", "\"2\", \"1\"", "");
    if (strcmp(r->method, "GET") == 0)
        return get(fd, tensor[id].s + at, n);
    if (mode_is("cutput") && asked++ < 1)
        return false;
    if (mode_is("hold"))
        nap(120000);
    memcpy(tensor[id].s + at, r->body, r->n < n ? r->n : n);
    return reply(fd, "204 No Content", "");
}

static bool line(int fd, const char *s)
{
    char size[32];
    int k = snprintf(size, sizeof size, "%zx\r\n", strlen(s) + 1);
    return send_all(fd, size, (size_t)k) && send_all(fd, s, strlen(s)) && send_all(fd, "\n\r\n", 3);
}

/* The last line, with zeros for what is to be told behind the run. */
static void done_line(const Req *r, char out[2048])
{
    const char *at = strstr(r->body, "\"after\":");
    size_t n = (size_t)snprintf(out, 2048, "{\"done\": {\"ms\": [0.5], \"mhz\": []");
    if (at && !mode_is("noafter")) {
        n += (size_t)snprintf(out + n, 2048 - n, ", \"after\": [");
        for (bool first = true; (at = strstr(at, "\"bytes\":")); first = false) {
            long bytes = number(at, "\"bytes\":");
            at += 8;
            n += (size_t)snprintf(out + n, 2048 - n, first ? "\"" : ", \"");
            for (long i = 0; i < (bytes + 2) / 3 && n < 1900; i++)
                n += (size_t)snprintf(out + n, 2048 - n, "%s", mode_is("badafter") ? "!!!!" :
                                      i < bytes / 3 ? "AAAA" : bytes % 3 == 1 ? "AA==" : "AAA=");
            n += (size_t)snprintf(out + n, 2048 - n, mode_is("longafter") ? "AAAA\"" : "\"");
        }
        n += (size_t)snprintf(out + n, 2048 - n, "]");
    }
    snprintf(out + n, 2048 - n, "}}");
}

static bool launch(int fd, const Req *r)
{
    char done[2048];
    done_line(r, done);
    if (mode_is("gone") && nsession < 2)
        return gone(fd);
    if (mode_is("cutlaunch"))
        return false;
    send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n", 83);
    if (mode_is("cutstream")) {
        line(fd, "{\"wait\": true}");
        return false;
    }
    if (mode_is("badline"))
        line(fd, "{\"done\": ");
    if (mode_is("strange"))
        line(fd, "{\"surprise\": 1}");
    if (mode_is("nolast"))
        return send_all(fd, "0\r\n\r\n", 5);
    if (mode_is("times"))
        line(fd, "{\"done\": {\"ms\": [1, 2, 3], \"mhz\": []}}");
    if (mode_is("behind")) {
        line(fd, done);
        line(fd, "{\"print\": \"late\", \"block\": 0}");
    }
    if (mode_is("unknown"))
        line(fd, "{\"error\": \"@no_such_row\", \"failed_at\": 0, \"message\": {\"text\": "
                 "{\"en\": \"something new\", \"zh\": \"新\"}}}");
    for (int i = 0; mode_is("queue") && i < 600; i++) {
        if (!line(fd, "{\"queue\": 3, \"wait_s\": 12}"))
            return false;
        nap(100);
    }
    for (int i = 0; mode_is("slow") && i < 5; i++) {
        line(fd, "{\"wait\": true}");
        nap(100);
    }
    if (mode_is("print"))
        line(fd, "{\"print\": \"hello\\n\", \"block\": 0}");
    if (mode_is("silent"))
        nap(120000);
    return line(fd, done) && send_all(fd, "0\r\n\r\n", 5);
}

/* Is there an answer of $SAY to this request?  Gives it. */
static bool say(int fd, const Req *r, bool *on)
{
    static char body[1 << 16];
    char where[32] = "?", status[64] = "";
    if (sscanf(mode, "say %31s %63[^\n]", where, status) != 2 || !strstr(r->path, where))
        return false;
    FILE *f = fopen(getenv("SAY"), "rb");
    size_t n = f ? fread(body, 1, sizeof body, f) : 0;
    if (f)
        fclose(f);
    *on = reply_as(fd, status, "", body, n);
    return true;
}

static bool answer(int fd, const Req *r)
{
    static const char kernel[] = "{\"kernel\": 1, \"facts\": \"\", \"warnings\": []}";
    bool on;
    if (say(fd, r, &on))
        return on;
    if (strcmp(r->path, "/v1/hello") == 0)
        return hello(fd);
    if (strcmp(r->path, "/v1/sessions") == 0)
        return session(fd);
    if (strstr(r->path, "/tensors"))
        return tensors(fd, r);
    if (strstr(r->path, "/kernels"))
        return reply(fd, "200 OK", mode_is("nokernel") ? "{\"kernel\": -1}" : kernel);
    if (strstr(r->path, "/launch"))
        return launch(fd, r);
    return reply(fd, "204 No Content", "");
}

static void *serve(void *ud)
{
    int fd = (int)(intptr_t)ud;
    bool on = true;
    while (on) {
        Req *r = calloc(1, sizeof *r);
        on = receive(fd, r);
        if (on) {
            pthread_mutex_lock(&lock);
            const char *q = strchr(r->path, '?');
            fprintf(log_file, "%s %.*s%s\n", r->method,
                    (int)(q ? q - r->path : (long)strlen(r->path)), r->path,
                    strcasestr(r->head, "\r\nauthorization: bearer ") ? " (token)" : "");
            fflush(log_file);
            pthread_mutex_unlock(&lock);
            on = answer(fd, r);
        }
        free(r->body);
        free(r);
    }
    shutdown(fd, SHUT_RDWR);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    if (argc != 4)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    mode = argv[1];
    log_file = fopen(argv[3], "a");
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (!log_file || fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 ||
        listen(fd, 16) != 0 || getsockname(fd, (struct sockaddr *)&a, &len) != 0)
        return 1;
    char temp[512];
    snprintf(temp, sizeof temp, "%s.new", argv[2]);
    FILE *f = fopen(temp, "w");
    if (!f)
        return 1;
    fprintf(f, "%d\n", ntohs(a.sin_port));
    fclose(f);
    rename(temp, argv[2]);
    for (;;) {
        int c = accept(fd, NULL, NULL);
        pthread_t t;
        if (c >= 0 && pthread_create(&t, NULL, serve, (void *)(intptr_t)c) == 0)
            pthread_detach(t);
    }
}
