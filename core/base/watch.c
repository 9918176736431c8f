/* core/base/watch.c: see watch.h. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc.h"
#include "watch.h"

/* Only what every shell does by itself: there are no files to be found, nor another process. */
static const char script[] =
    "# ends compilers whose program is gone\n"
    "trap '' HUP INT QUIT TERM\n"
    "g=' '\n"
    "while read -r line; do\n"
    "    id=${line#?}\n"
    "    case $line in\n"
    "    +*) g=\"$g$id \" ;;\n"
    "    -*) case $g in *\" $id \"*) g=\"${g%%\" $id \"*} ${g#*\" $id \"}\" ;; esac ;;\n"
    "    esac\n"
    "done\n"
    "for id in $g; do kill -KILL \"-$id\"; done\n";

/* Of the process `owner`. */
static struct { int fd, groups; pid_t pid, owner; bool none; } watch = {.fd = -1};
static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;

/* A socket, not a pipe: writing to one whose reader has left raises no signal. */
static bool watch_start(void)
{
    char name[] = "sh", flag[] = "-c", text[sizeof script];
    char *argv[] = {name, flag, text, NULL}, *env[] = {NULL};
    int pair[2] = {-1, -1};
    memcpy(text, script, sizeof text);
    bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0 && proc_lift(pair);
    Spawn s = {.path = "/bin/sh", .argv = argv, .env = env, .fd = {pair[1], -1, -1}, .nfd = 3,
               .how = SpawnSession | SpawnOnly};
    ok = ok && spawn(&watch.pid, &s) == 0;
    if (pair[1] >= 0)
        close(pair[1]);
    if (!ok && pair[0] >= 0)
        close(pair[0]);
    watch.fd = ok ? pair[0] : -1;
    return ok;
}

/* Killed, whatever it knows: it must not end, now or some day, a group that is not ours any more. */
static void watch_stop(void)
{
    if (watch.fd < 0)
        return;
    kill(watch.pid, SIGKILL);
    close(watch.fd);
    watch.fd = -1;
    waitpid(watch.pid, NULL, 0);
}

static bool watch_tell(char what, pid_t id)
{
    char line[16];
    int n = snprintf(line, sizeof line, "%c%d\n", what, (int)id);
    if (watch.fd >= 0 && send(watch.fd, line, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) == n)
        return true;
    watch_stop();
    return false;
}

/* A fork begins anew: the shell and the groups are its parent's. */
static void watch_own(void)
{
    if (watch.owner == getpid())
        return;
    if (watch.fd >= 0)
        close(watch.fd);
    watch.fd = -1;
    watch.groups = 0;
    watch.owner = getpid();
}

void watch_begin(pid_t id)
{
    pthread_mutex_lock(&watch_lock);
    watch_own();
    watch.groups++;
    if (!watch.none && !watch_tell('+', id) && watch_start())
        watch_tell('+', id);
    pthread_mutex_unlock(&watch_lock);
}

void watch_end(pid_t id)
{
    pthread_mutex_lock(&watch_lock);
    watch_own();
    if (watch.groups > 0 && --watch.groups > 0)
        watch_tell('-', id);
    else
        watch_stop();
    pthread_mutex_unlock(&watch_lock);
}

void watch_none(void)
{
    pthread_mutex_lock(&watch_lock);
    watch.none = true;
    pthread_mutex_unlock(&watch_lock);
}
