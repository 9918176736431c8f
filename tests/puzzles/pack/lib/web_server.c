/* web_server.c: the files of a folder over HTTP, and what a broken or hostile server does.
 *
 *   web_server FOLDER PORTFILE LOGFILE
 *
 * The first word of a path says how it is answered, the rest names the file:
 *   /plain/F    as it is               /cut/F     half of it, then the end
 *   /less/F     more than announced    /more/F    less than announced, and no end
 *   /endless/F  and then zeros         /drip/F    a byte at a time
 *   /silent/F   nothing at all         /vast/F    says that 8 GB follow
 *   /go/URL     a redirect there       /status/N  that status
 * LOGFILE gets a line a request. */
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { Most = 32 << 20 };

static const char *folder;
static FILE *log_file;

static void nap(int ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL); }

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

static bool head(int fd, const char *status, const char *more, long long length)
{
    char s[2048];
    int n = snprintf(s, sizeof s, "HTTP/1.1 %s\r\n%sConnection: close\r\n", status, more);
    if (length >= 0)
        n += snprintf(s + n, sizeof s - (size_t)n, "Content-Length: %lld\r\n", length);
    n += snprintf(s + n, sizeof s - (size_t)n, "\r\n");
    return send_all(fd, s, (size_t)n);
}

static char *read_file(const char *name, size_t *n)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = strstr(name, "..") ? NULL : fopen(path, "r");
    char *s = f ? malloc(Most) : NULL;
    *n = s ? fread(s, 1, Most, f) : 0;
    if (f)
        fclose(f);
    return s;
}

static void redirect(int fd, const char *to)
{
    char more[1500];
    snprintf(more, sizeof more, "Location: %s\r\n", to);
    head(fd, "302 Found", more, 0);
}

static void zeros(int fd)
{
    static const char zero[4096];
    while (send_all(fd, zero, sizeof zero))
        ;
}

static void send_file(int fd, const char *how, const char *s, size_t n)
{
    long long length = (long long)n;
    if (strcmp(how, "cut") == 0) {
        head(fd, "200 OK", "", length);
        send_all(fd, s, n / 2);
    } else if (strcmp(how, "less") == 0) {
        head(fd, "200 OK", "", length / 2);
        send_all(fd, s, n);
    } else if (strcmp(how, "more") == 0) {
        head(fd, "200 OK", "", length * 2);
        send_all(fd, s, n);
        nap(600000);
    } else if (strcmp(how, "vast") == 0) {
        head(fd, "200 OK", "", 8LL << 30);
        nap(600000);
    } else if (strcmp(how, "endless") == 0) {
        head(fd, "200 OK", "", -1);
        send_all(fd, s, n);
        zeros(fd);
    } else if (strcmp(how, "drip") == 0) {
        head(fd, "200 OK", "", length);
        for (size_t i = 0; i < n && send_all(fd, s + i, 1); i++)
            nap(20);
    } else if (strcmp(how, "silent") == 0) {
        nap(600000);
    } else {
        head(fd, "200 OK", "", length);
        send_all(fd, s, n);
    }
}

static void answer(int fd, const char *path)
{
    char how[32], status[64];
    const char *rest = strchr(path + 1, '/');
    size_t n = 0;
    snprintf(how, sizeof how, "%.*s", (int)(rest ? rest - path - 1 : 0), path + 1);
    rest = rest ? rest + 1 : "";
    if (strcmp(how, "go") == 0) {
        redirect(fd, rest);
        return;
    }
    if (strcmp(how, "status") == 0) {
        snprintf(status, sizeof status, "%.20s Said So", rest);
        head(fd, status, "", 0);
        return;
    }
    char *s = read_file(rest, &n);
    if (s)
        send_file(fd, how, s, n);
    else
        head(fd, "404 Not Found", "", 0);
    free(s);
}

static void *serve(void *ud)
{
    int fd = (int)(intptr_t)ud;
    char s[8192], path[2048];
    size_t n = 0;
    while (n + 1 < sizeof s && (n < 4 || memcmp(s + n - 4, "\r\n\r\n", 4) != 0)) {
        if (recv(fd, s + n, 1, 0) != 1)
            break;
        s[++n] = '\0';
    }
    if (n && sscanf(s, "GET %2047s", path) == 1) {
        fprintf(log_file, "%s%s\n", path, strcasestr(s, "\r\nauthorization:") ? " (token)" : "");
        fflush(log_file);
        answer(fd, path);
    }
    shutdown(fd, SHUT_WR);
    while (recv(fd, s, sizeof s, 0) > 0)
        ;
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    char temp[512];
    if (argc != 4)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    folder = argv[1];
    log_file = fopen(argv[3], "a");
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (!log_file || fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 ||
        listen(fd, 16) != 0 || getsockname(fd, (struct sockaddr *)&a, &len) != 0)
        return 1;
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
