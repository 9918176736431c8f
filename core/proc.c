/* core/proc.c: one child program with text in and text out.
 *
 * The child leads a process group, so that an interruption ends it together
 * with what it has started (cc runs cc1, as and ld). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proc.h"
#include "session.h"

extern char **environ;

enum { SliceMs = 20 };

/* Spawns p->argv with `in` and `out` as its streams; 0 or an errno. */
static int spawn(const Proc *p, pid_t *pid, int in, int out)
{
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t at;
    sigset_t none, all;
    int e = posix_spawn_file_actions_init(&fa);
    if (e)
        return e;
    if ((e = posix_spawnattr_init(&at)) != 0) {
        posix_spawn_file_actions_destroy(&fa);
        return e;
    }
    sigemptyset(&none);
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGPIPE);
    sigaddset(&all, SIGCHLD);
    posix_spawnattr_setflags(&at, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                      POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&at, 0);
    posix_spawnattr_setsigmask(&at, &none);
    posix_spawnattr_setsigdefault(&at, &all);
    e = posix_spawn_file_actions_adddup2(&fa, in, 0);
    e = e ? e : posix_spawn_file_actions_adddup2(&fa, out, 1);
    e = e ? e : posix_spawn_file_actions_adddup2(&fa, out, 2);
    e = e ? e : posix_spawn(pid, p->argv[0], &fa, &at, p->argv, environ);
    posix_spawnattr_destroy(&at);
    posix_spawn_file_actions_destroy(&fa);
    return e;
}

/* Moves fd[i] above the standard streams, so that placing it onto those in the
 * child never meets itself. */
static bool lift(int fd[2])
{
    for (int i = 0; i < 2; i++) {
        if (fd[i] > 2)
            continue;
        int up = fcntl(fd[i], F_DUPFD_CLOEXEC, 3);
        close(fd[i]);
        fd[i] = up;
    }
    return fd[0] >= 0 && fd[1] >= 0;
}

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Moves text both ways until the child closes its output, or ends and leaves
 * that open to a server it started; false: interrupted. */
static bool talk(Proc *p, pid_t *pid, int *in, int *out)
{
    char buf[4096];
    size_t sent = 0;
    while (*out >= 0) {
        struct pollfd f[2] = {{*out, POLLIN, 0}, {*in, POLLOUT, 0}};
        int n = poll(f, 2, SliceMs);
        if (session_interrupt)
            return false;
        if (n == 0 && waitpid(*pid, &p->status, WNOHANG) == *pid) {
            *pid = 0;
            return true;
        }
        if (n <= 0)
            continue;
        if (f[1].revents) {
            ssize_t k = send(*in, p->in + sent, p->nin - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            sent += k > 0 ? (size_t)k : 0;
            if (sent == p->nin || (k < 0 && errno != EAGAIN && errno != EINTR))
                shut(in);
        }
        if (f[0].revents) {
            ssize_t k = read(*out, buf, sizeof buf);
            if (k > 0 && p->out.n < ProcOutput)
                str_add(&p->out, buf, (size_t)k);
            if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR))
                shut(out);
        }
    }
    return true;
}

/* The child has closed its output and so is about to end. */
static bool reap(Proc *p, pid_t pid)
{
    for (;;) {
        pid_t r = waitpid(pid, &p->status, WNOHANG);
        if (r == pid)
            return true;
        if (r < 0 && errno != EINTR) {
            p->status = 0; /* someone else has it; its output must tell */
            return true;
        }
        if (session_interrupt)
            return false;
        nanosleep(&(struct timespec){0, 200000}, NULL);
    }
}

/* The input is a socket, not a pipe: writing to one whose reader has left
 * raises no signal. */
bool proc_run(Proc *p)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t pid = 0;
    p->interrupted = false;
    bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 && lift(in) &&
              pipe2(out, O_CLOEXEC) == 0 && lift(out);
    int e = ok ? spawn(p, &pid, in[1], out[1]) : errno;
    shut(&in[1]);
    shut(&out[1]);
    ok = !e && talk(p, &pid, &in[0], &out[0]);
    shut(&in[0]);
    shut(&out[0]);
    if (e) {
        errno = e;
        return false;
    }
    if (ok && (!pid || reap(p, pid)))
        return true;
    kill(-pid, SIGKILL);
    waitpid(pid, &p->status, 0);
    p->interrupted = true;
    return false;
}

static bool runnable(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *proc_find(const char *name)
{
    if (strchr(name, '/'))
        return runnable(name) ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    for (const char *s = path ? path : "/usr/local/bin:/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        Str file = {0};
        str_add(&file, n ? s : ".", n ? n : 1);
        str_fmt(&file, "/%s", name);
        if (!file.bad && runnable(file.s))
            return file.s;
        str_free(&file);
        s += n + (s[n] == ':');
    }
    return NULL;
}
