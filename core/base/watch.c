/* core/base/watch.c: see watch.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proc.h"
#include "watch.h"

enum { MostGroups = 256 }; /* at once; of more the first ones are known */

/* Of the process: whom it tells.  A fork of it tells another. */
static struct { int fd; pid_t owner; } leash = {-1, 0};
static pthread_mutex_t leash_lock = PTHREAD_MUTEX_INITIALIZER;

/* Telling ------------------------------------------------------------------ */

static bool watch_start(void)
{
    int pair[2], pid = 0;
    char name[] = "moontile", flag[] = WATCH_FLAG, number[12];
    char *argv[] = {name, flag, number, NULL};
    snprintf(number, sizeof number, "%d", ProcSocket);
    if (leash.fd >= 0)
        close(leash.fd);
    leash.fd = -1;
    leash.owner = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    leash.fd = spawn_self(&pid, argv, NULL, pair[1], SpawnSession, true) == 0 ? pair[0] : -1;
    close(pair[1]);
    if (leash.fd < 0)
        close(pair[0]);
    return leash.fd >= 0;
}

static bool tell(int32_t id)
{
    return leash.fd >= 0 && leash.owner == getpid() &&
           send(leash.fd, &id, sizeof id, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof id;
}

void watch_begin(int id)
{
    pthread_mutex_lock(&leash_lock);
    if (!tell(id) && watch_start())
        tell(id);
    pthread_mutex_unlock(&leash_lock);
}

void watch_end(int id)
{
    pthread_mutex_lock(&leash_lock);
    tell(-id);
    pthread_mutex_unlock(&leash_lock);
}

/* Watching ----------------------------------------------------------------- */

typedef struct Watch Watch;
struct Watch { int32_t group[MostGroups]; int n; };

static void watch_told(Watch *w, int32_t id)
{
    if (id > 1 && w->n < MostGroups)
        w->group[w->n++] = id;
    for (int i = 0; i < w->n; i++)
        if (w->group[i] == -id)
            w->group[i--] = w->group[--w->n];
}

int watch_main(int fd)
{
    static const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    Watch w = {.n = 0};
    int32_t id;
    for (size_t i = 0; i < COUNT(deaf); i++)
        signal(deaf[i], SIG_IGN);
    for (;;) {
        ssize_t n = recv(fd, &id, sizeof id, 0);
        if (n == (ssize_t)sizeof id)
            watch_told(&w, id);
        else if (n >= 0 || errno != EINTR)
            break;
    }
    for (int i = 0; i < w.n; i++)
        kill(-w.group[i], SIGKILL);
    return 0;
}
