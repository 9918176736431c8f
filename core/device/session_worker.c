/* core/device/session_worker.c: starting, watching and replacing a session's worker. */
#include <errno.h>
#include <fcntl.h>
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
#include "core/base/proc.h"
#include "jail.h"
#include "session_p.h"

enum {
    SliceMs = 20,     /* how late an interruption may be noticed */
    BuryMs = 2000,    /* a worker whose socket closed has this long to end */
    GraceMs = 1000,   /* an interrupted one that would take contents along, to finish */
    LeaveMs = 500,    /* one whose device is told that the session ends */
    BoardBytes = 1 << 20 /* enough to have a memfd of its own; mostly untouched */
};
_Static_assert(sizeof(Board) <= BoardBytes, "the board fits its file");

extern char **environ;

void worker_reap(Session *s, bool wait)
{
    for (int i = 0; i < Dying; i++)
        if (s->dying[i] && waitpid(s->dying[i], NULL, wait ? 0 : WNOHANG) != 0)
            s->dying[i] = 0;
}

/* Forgets everything that died with the worker. */
static void session_worker_reset(Session *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
    s->pid = 0;
    memory_forget(s);
}

/* Ends a worker that may be running.  Its memory can take long to return, so
 * it is reaped later, unless too many wait for that already. */
void worker_kill(Session *s)
{
    if (!s->pid)
        return;
    proc_end_children(s->pid); /* a compiler that hangs */
    kill(s->pid, SIGKILL);
    worker_reap(s, false);
    int i = 0;
    while (i < Dying && s->dying[i])
        i++;
    if (i < Dying)
        s->dying[i] = s->pid;
    else
        waitpid(s->pid, NULL, 0);
    session_worker_reset(s);
}

/* Waits for a worker whose socket has closed; returns its status. */
static int bury(Session *s, int patience)
{
    int status = 0;
    pid_t r = 0;
    double until = clock_s() + patience * 1e-3;
    while (r == 0 && clock_s() < until) {
        r = waitpid(s->pid, &status, WNOHANG);
        if (r < 0 && errno == EINTR)
            r = 0;
        if (r == 0)
            nanosleep(&(struct timespec){0, 200000}, NULL);
    }
    if (r == 0) {
        kill(s->pid, SIGKILL);
        waitpid(s->pid, &status, 0);
    }
    session_worker_reset(s);
    return status;
}

int worker_bury(Session *s) { return bury(s, BuryMs); }

void worker_leave(Session *s)
{
    close(s->fd);
    s->fd = -1;
    bury(s, LeaveMs);
}

/* Spawns this same program as a worker on `sock`; 0 or an errno.  It gets a
 * process group of its own, so that the terminal's Ctrl-C and Ctrl-Z reach the
 * session alone, and nothing to read from or write to. */
static int session_worker_spawn(pid_t *pid, int sock, const Target *target)
{
    bool native = target->device->native;
    /* What reaches a server is no stranger's, and needs proxies and the way to the token. */
    bool guarded = jail_asked() && strcmp(target->name, "remote") != 0;
    char name[] = "moontile", flag[] = WORKER_FLAG, own[] = WORKER_NATIVE, number[12];
    char *argv[] = {name, native ? own : flag, number, NULL};
    snprintf(number, sizeof number, "%d", ProcSocket);
    char **known = guarded ? jail_environ() : NULL;
    int e = guarded && !known ? ENOMEM : spawn_self(pid, argv, known ? known : environ, sock, SpawnGroup, false);
    free(known);
    return e;
}

/* Starts a worker and tells it what to open; its answer is read with the
 * first launch's.  0 or an errno. */
int worker_start(Session *s)
{
    int pair[2];
    Storage *board = storage_new(BoardBytes);
    if (!board)
        return ENOMEM;
    storage_unref(s->board_st);
    s->board_st = board;
    s->board = (Board *)(void *)board->data;
    s->status = 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return errno;
    /* A worker that reads nothing is stuck: never wait for it without end. */
    struct timeval patience = {.tv_sec = 10};
    setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    int e = session_worker_spawn(&s->pid, pair[1], s->target);
    close(pair[1]);
    if (e) {
        close(pair[0]);
        s->pid = 0;
        return e;
    }
    s->fd = pair[0];
    s->life++;
    msg_start(s->msg, Mopen, s->openseq = ++s->seq);
    put_text(s->msg, s->target->name, strlen(s->target->name));
    put_text(s->msg, s->options, strlen(s->options));
    s->msg->fd = s->board_st->fd;
    msg_send(s->fd, s->msg); /* a failure shows when the answer is awaited */
    return 0;
}

void session_warm(Session *s)
{
    worker_reap(s, false);
    if (!s->pid)
        worker_start(s);
}

/* Tells the owner what is waited for, where that is new; behind the wait, that it is over. */
static void tell_progress(Session *s, bool *told, bool over)
{
    char text[StatusBytes] = "";
    bool news = !over && board_now(s->board, &s->status, text);
    if (!s->hooks.progress || (over ? !*told : !news))
        return;
    DevMessage *m = dev_message_read(text);
    *told = m;
    s->hooks.progress(s->hooks.ud, m);
    free(m);
}

static enum WorkerWait await(Session *s, bool deaf, bool *told)
{
    uint32_t runs = atomic_load(&s->board->runs);
    bool obeys = s->target->device->attach;
    double since = clock_s(), asked = 0;
    msg_spin(s->fd, &s->spin);
    for (;;) {
        struct pollfd p = {s->fd, POLLIN, 0};
        int n = poll(&p, 1, SliceMs);
        if (n > 0) {
            enum Recv r = msg_recv(s->fd, s->msg);
            if (s->msg->fd >= 0)
                close(s->msg->fd);
            if (r == RECVbroken)
                kill(s->pid, SIGABRT); /* the kernel wrote over its messages */
            if (r != RECVok)
                return WAgone;
            if (s->msg->h.seq == s->seq || s->msg->h.kind == Mfail)
                return WAanswer;
            continue;
        }
        double t = clock_s();
        tell_progress(s, told, false);
        if (interrupt_asked > deaf) {
            asked = asked > 0 ? asked : t;
            atomic_store(&s->board->stop, 1);
            if ((!s->keeper.first && !obeys) || interrupt_asked > 1 || t - asked > GraceMs * 1e-3)
                return WAinterrupted;
        }
        uint32_t count = atomic_load(&s->board->runs);
        if (count != runs) {
            runs = count;
            since = t;
            if (s->hooks.alive)
                s->hooks.alive(s->hooks.ud);
        }
        if (s->limit > 0 && t - since > s->limit && t - since > worker_limit(s))
            return WAlate;
    }
}

enum WorkerWait worker_await(Session *s, bool deaf)
{
    bool told = false;
    enum WorkerWait w = await(s, deaf, &told);
    tell_progress(s, &told, true);
    atomic_store(&s->board->stop, 0);
    return w;
}
