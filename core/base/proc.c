/* core/base/proc.c: one child program with text in and text out.
 *
 * The child leads a process group, so that an interruption ends it together
 * with what it has started (cc runs cc1, as and ld). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "proc.h"
#include "watch.h"

extern char **environ;

enum { SliceMs = 20, StoodMs = 200, Channel = 3, AbandonMs = 2000 };

/* How long a child may go on, in milliseconds. */
typedef struct WaitClock WaitClock;
struct WaitClock {
    bool limited;
    int64_t until, asked; /* its end; when it was last asked for */
};

/* Descriptors: from the last one down, so that none takes the place of one that is still to be
 * placed where callers keep theirs above, or have one alone. */
static int spawn_files(posix_spawn_file_actions_t *fa, const Spawn *s)
{
    int e = 0;
    for (int i = s->nfd - 1; i >= 0 && !e; i--)
        e = s->fd[i] >= 0 ? posix_spawn_file_actions_adddup2(fa, s->fd[i], i)
                          : posix_spawn_file_actions_addopen(fa, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    if (!e && s->how & SpawnOnly)
        e = posix_spawn_file_actions_addclosefrom_np(fa, s->nfd);
#endif
    return e;
}

static void spawn_attributes(posix_spawnattr_t *at, unsigned how)
{
    static const int usual[] = {SIGINT, SIGQUIT, SIGPIPE, SIGCHLD};
    sigset_t none, dfl;
    sigemptyset(&none);
    if (how & SpawnAllSignals) {
        sigfillset(&dfl);
        sigdelset(&dfl, SIGKILL);
        sigdelset(&dfl, SIGSTOP);
    } else
        sigemptyset(&dfl);
    for (size_t i = 0; i < COUNT(usual) && how & SpawnSignals; i++)
        sigaddset(&dfl, usual[i]);
    posix_spawnattr_setflags(at, (short)((how & SpawnSession ? POSIX_SPAWN_SETSID : 0) |
                                         (how & SpawnGroup ? POSIX_SPAWN_SETPGROUP : 0) |
                                         POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    posix_spawnattr_setpgroup(at, 0);
    posix_spawnattr_setsigmask(at, &none);
    posix_spawnattr_setsigdefault(at, &dfl);
}

int spawn(int *pid, const Spawn *s)
{
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t at;
    int e = posix_spawn_file_actions_init(&fa);
    if (e)
        return e;
    if ((e = posix_spawnattr_init(&at)) != 0) {
        posix_spawn_file_actions_destroy(&fa);
        return e;
    }
    spawn_attributes(&at, s->how);
    e = spawn_files(&fa, s);
    e = e ? e : posix_spawn(pid, s->path, &fa, &at, s->argv, s->env ? s->env : environ);
    posix_spawnattr_destroy(&at);
    posix_spawn_file_actions_destroy(&fa);
    return e;
}

int spawn_self(int *pid, char *const argv[], char *const env[], int sock, unsigned how, bool mute)
{
    const char *err = getenv("MOONTILE_WORKER_STDERR"); /* for whoever debugs it */
    bool heard = !mute && err && *err;
    Spawn s = {.path = "/proc/self/exe", .argv = argv, .env = env, .fd = {-1, -1, heard ? 2 : -1, sock},
               .nfd = ProcSocket + 1, .how = how | SpawnOnly};
    return spawn(pid, &s);
}

bool proc_lift(int fd[2])
{
    for (int i = 0; i < 2; i++) {
        if (fd[i] > Channel)
            continue;
        int up = fcntl(fd[i], F_DUPFD_CLOEXEC, Channel + 1);
        close(fd[i]);
        fd[i] = up;
    }
    return fd[0] >= 0 && fd[1] >= 0;
}

static void proc_shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Sends what is left of the input; closes it when that is over. */
static void feed(const Proc *p, int *in, size_t *sent)
{
    ssize_t k = send(*in, p->in + *sent, p->nin - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    *sent += k > 0 ? (size_t)k : 0;
    if (*sent == p->nin || (k < 0 && errno != EAGAIN && errno != EINTR))
        proc_shut(in);
}

/* Reads what there is into s, of which about `most` bytes are kept, the first and the last ones;
 * closes *fd at its end.  How many it read. */
static int drain(int *fd, Str *s, size_t most)
{
    char buf[16384];
    ssize_t k = read(*fd, buf, sizeof buf);
    if (s->n >= most) {
        memmove(s->s + most / 2, s->s + most / 4 * 3, s->n - most / 4 * 3);
        s->n -= most / 4;
        s->s[s->n] = '\0';
    }
    if (k > 0)
        str_add(s, buf, (size_t)k);
    if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR))
        proc_shut(fd);
    return k > 0 ? (int)k : 0;
}

/* What an ended child has left in a pipe: as much as is there now, for others may hold it
 * open and go on. */
static void drain_rest(int *fd, Str *s, size_t most)
{
    int left = 0;
    if (*fd < 0 || ioctl(*fd, FIONREAD, &left) != 0)
        return;
    for (int got = 1; left > 0 && got > 0 && *fd >= 0; left -= got)
        got = drain(fd, s, most);
}

/* Is the time over?  What this process itself stood still between two questions, as after
 * Ctrl-Z or with its whole machine, was not the child's to use: the end moves by that. */
static bool is_late(WaitClock *c)
{
    int64_t now = (int64_t)clock_ms(), gap = now - c->asked;
    c->asked = now;
    if (gap > StoodMs)
        c->until += gap;
    return c->limited && now >= c->until;
}

/* The child has ended.  One that was killed leaves what it had started alone: that ends too. */
static void proc_ended(Proc *p)
{
    if (WIFSIGNALED(p->status))
        kill(-p->pid, SIGKILL);
    if (!p->follows)
        watch_end(p->pid);
    p->pid = 0;
}

/* Moves text both ways until the child closes its outputs, or ends and leaves
 * them open to a server it started; false: interrupted, or beyond a limit. */
static bool talk(Proc *p, WaitClock *clock)
{
    int *in = &p->fd[0], *out = &p->fd[1], *result = &p->fd[2];
    size_t sent = 0;
    while (*out >= 0 || *result >= 0) {
        struct pollfd f[3] = {{*out, POLLIN, 0}, {*in, POLLOUT, 0}, {*result, POLLIN, 0}};
        int n = poll(f, 3, SliceMs);
        if (interrupt_asked)
            return false;
        p->late = is_late(clock);
        p->large = p->result.bad || (p->most && p->result.n >= p->most);
        if (p->late || p->large)
            return false;
        if (n == 0 && waitpid(p->pid, &p->status, WNOHANG) == p->pid) {
            proc_ended(p);
            drain_rest(out, &p->out, ProcOutput); /* it wrote and ended after we had looked */
            drain_rest(result, &p->result, SIZE_MAX);
            p->large = p->result.bad || (p->most && p->result.n >= p->most);
            return !p->large;
        }
        if (n <= 0)
            continue;
        if (f[1].revents)
            feed(p, in, &sent);
        if (f[0].revents)
            drain(out, &p->out, ProcOutput);
        if (f[2].revents)
            drain(result, &p->result, SIZE_MAX);
    }
    return true;
}

/* The child has closed its output and so is about to end. */
static bool reap(Proc *p, WaitClock *clock)
{
    for (;;) {
        pid_t r = waitpid(p->pid, &p->status, WNOHANG);
        if (r < 0 && errno != EINTR)
            p->status = 0; /* someone else has it; its output must tell */
        if (r == p->pid || (r < 0 && errno != EINTR)) {
            proc_ended(p);
            return true;
        }
        p->late = is_late(clock);
        if (interrupt_asked || p->late)
            return false;
        nanosleep(&(struct timespec){0, 200000}, NULL);
    }
}

static void shut_all(Proc *p)
{
    for (int i = 0; i < 3; i++)
        proc_shut(&p->fd[i]);
}

void proc_drop(Proc *p)
{
    shut_all(p);
    if (!p->pid)
        return;
    kill(-p->pid, SIGKILL);
    if (!p->follows)
        watch_end(p->pid); /* while the number is still its own */
    int64_t until = (int64_t)clock_ms() + AbandonMs;
    while (p->abandon && waitpid(p->pid, &p->status, WNOHANG) == 0 && (int64_t)clock_ms() < until)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (!p->abandon)
        waitpid(p->pid, &p->status, 0);
    p->pid = 0;
}

/* What it starts inherits these; that it has begun already costs nothing. */
static void limit_child(const Proc *p)
{
    struct rlimit memory = {p->memory, p->memory}, cpu = {p->cpu, p->cpu + 1};
    if (p->pid && p->memory)
        prlimit(p->pid, RLIMIT_AS, &memory, NULL);
    if (p->pid && p->cpu)
        prlimit(p->pid, RLIMIT_CPU, &cpu, NULL);
}

/* The input is a socket, not a pipe: writing to one whose reader has left
 * raises no signal. */
bool proc_start(Proc *p)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, result[2] = {-1, -1}, pid = 0;
    bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 && proc_lift(in) &&
              pipe2(out, O_CLOEXEC) == 0 && proc_lift(out) &&
              (!p->channel || (pipe2(result, O_CLOEXEC) == 0 && proc_lift(result)));
    Spawn s = {.path = p->argv[0], .argv = p->argv, .env = p->env, .fd = {in[1], out[1], out[1], result[1]},
               .nfd = p->channel ? Channel + 1 : Channel,
               .how = SpawnGroup | SpawnSignals | (p->channel ? SpawnOnly : 0)};
    int e = ok ? spawn(&pid, &s) : errno;
    proc_shut(&in[1]);
    proc_shut(&out[1]);
    proc_shut(&result[1]);
    p->pid = e ? 0 : pid;
    limit_child(p);
    if (p->pid && !p->follows)
        watch_begin(p->pid);
    p->fd[0] = in[0];
    p->fd[1] = out[0];
    p->fd[2] = result[0];
    if (e)
        shut_all(p);
    errno = e;
    return !e;
}

bool proc_finish(Proc *p)
{
    int64_t now = (int64_t)clock_ms();
    WaitClock clock = {p->limit_ms > 0, now + p->limit_ms, now};
    p->interrupted = p->late = p->large = false;
    bool ok = talk(p, &clock);
    shut_all(p);
    if (ok && (!p->pid || reap(p, &clock)))
        return true;
    proc_drop(p);
    p->interrupted = !p->late && !p->large;
    return false;
}

bool proc_run(Proc *p)
{
    p->interrupted = p->late = p->large = false;
    return proc_start(p) && proc_finish(p);
}

/* Numbers of processes in a file of /proc, each of which leads a group. */
static void end_listed(const char *path)
{
    FILE *f = fopen(path, "re");
    int child;
    while (f && fscanf(f, "%d", &child) == 1)
        if (child > 1)
            kill(-child, SIGKILL);
    if (f)
        fclose(f);
}

void proc_end_children(int pid)
{
    char path[64], file[384];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *d = opendir(path); /* a child is that of the thread which started it */
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            snprintf(file, sizeof file, "%s/%s/children", path, e->d_name);
            end_listed(file);
        }
    if (d)
        closedir(d);
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
