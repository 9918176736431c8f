/* repl/serve/reap.c: the processes of sessions that were closed: ended, whatever group they are
 * in, and counted until the last of them is gone.
 *
 * The server takes over the children of those that end (PR_SET_CHILD_SUBREAPER), so that nothing
 * hangs on below init.  A session process that has ended is reaped last: until then no other
 * process can have its number, by which the rest of its session is found. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/proc.h"
#include "kin.h"
#include "serve.h"

enum { EndRounds = 200, RoundMs = 10 };

/* The warden --------------------------------------------------------------- */

static void tell_warden(const Server *sv, pid_t session)
{
    int32_t v = session;
    if (sv->leash >= 0 && send(sv->leash, &v, sizeof v, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        kill(sv->warden, SIGKILL); /* it is stuck: another takes its place, and is told all */
}

/* 0 or an errno. */
static int reap_spawn(Server *sv, int sock)
{
    char name[] = "moontile", flag[] = "--warden", number[12];
    char *argv[] = {name, flag, number, sv->folder, NULL}, *none[] = {NULL};
    char *path = getenv("LD_LIBRARY_PATH"), *env[] = {NULL, NULL};
    Str library = {0};
    snprintf(number, sizeof number, "%d", ProcSocket);
    if (path)
        str_fmt(&library, "LD_LIBRARY_PATH=%s", path);
    env[0] = library.s;
    int e = spawn_self(&sv->warden, argv, library.s ? env : none, sock, SpawnSession, true);
    str_free(&library);
    return e;
}

static bool start_warden(Server *sv)
{
    int pair[2];
    if (sv->leash >= 0)
        close(sv->leash);
    sv->leash = -1;
    sv->warden = 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    int e = reap_spawn(sv, pair[1]);
    close(pair[1]);
    if (e) {
        close(pair[0]);
        errno = e;
        return false;
    }
    sv->leash = pair[0];
    for (const RemoteSession *g = sv->dying; g; g = g->next)
        tell_warden(sv, g->pid);
    const Client *c = sv->ring;
    do {
        for (const RemoteSession *g = c ? c->session : NULL; g; g = g->next)
            tell_warden(sv, g->pid);
        c = c ? c->next : NULL;
    } while (c != sv->ring);
    return true;
}

/* Sessions ----------------------------------------------------------------- */

void reap_begun(RemoteSession *g) { tell_warden(g->sv, g->pid); }

void reap_closed(RemoteSession *g)
{
    Server *sv = g->sv;
    kill(g->pid, SIGKILL);
    g->client->ndying++;
    g->next = sv->dying;
    sv->dying = g;
    sv->look = true;
}

static RemoteSession *led_by(Server *sv, pid_t session, bool *lives)
{
    *lives = false;
    for (RemoteSession *g = sv->dying; g; g = g->next)
        if (g->pid == session)
            return g;
    const Client *c = sv->ring;
    do {
        for (RemoteSession *g = c ? c->session : NULL; g; g = g->next)
            if (g->pid == session) {
                *lives = true;
                return g;
            }
        c = c ? c->next : NULL;
    } while (c != sv->ring);
    return NULL;
}

typedef struct ReapScan ReapScan;
struct ReapScan { Server *sv; pid_t self, session; bool warden; };

static bool reap_look_at(void *ud, const Kin *k)
{
    ReapScan *l = ud;
    bool lives, ours = k->parent == l->self;
    if (k->pid == l->sv->warden && ours) {
        l->warden = !k->dead;
        return true;
    }
    RemoteSession *g = led_by(l->sv, k->session, &lives);
    if (g && g->pid == k->pid) {
        g->here = g->here || !k->dead;
        return true; /* it is reaped when the others are gone */
    }
    if (k->dead && ours) {
        waitpid(k->pid, NULL, WNOHANG);
        return true;
    }
    if ((g && !lives) || (!g && ours && k->session != l->session)) /* it left its session */
        kill(k->pid, SIGKILL);
    if (g && !lives)
        g->here = true;
    return true;
}

void reap_turn(Server *sv)
{
    ReapScan l = {sv, getpid(), getsid(0), false};
    bool gone = false;
    sv->look = false;
    for (RemoteSession *g = sv->dying; g; g = g->next)
        g->here = false;
    if (!kin_each(reap_look_at, &l))
        return;
    for (RemoteSession **at = &sv->dying; *at;) {
        RemoteSession *g = *at;
        if (g->here) {
            at = &g->next;
            continue;
        }
        *at = g->next;
        tell_warden(sv, -g->pid);
        waitpid(g->pid, NULL, 0); /* from here on its number may be another's */
        g->client->ndying--;
        rsession_gone(g);
        gone = true;
    }
    if (!l.warden && sv->warden) {
        waitpid(sv->warden, NULL, WNOHANG);
        if (!start_warden(sv))
            log_event(sv, "warden", NULL, strerror(errno));
    }
    if (gone)
        open_again(sv);
}

bool reap_start(Server *sv)
{
    const char *tmp = getenv("TMPDIR");
    bool fits = tmp && *tmp == '/' && strlen(tmp) < sizeof sv->folder - 24;
    snprintf(sv->folder, sizeof sv->folder, "%s/moontile-serve-XXXXXX", fits ? tmp : "/tmp");
    sv->leash = -1;
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
    if (!mkdtemp(sv->folder)) {
        sv->folder[0] = '\0';
        return false;
    }
    return start_warden(sv);
}

/* What does not end in time is left to the warden, and with it the folder. */
void reap_end(Server *sv)
{
    for (int i = 0; sv->dying && i < EndRounds; i++) {
        reap_turn(sv);
        if (sv->dying)
            nanosleep(&(struct timespec){0, RoundMs * 1000000L}, NULL);
    }
    while (sv->dying) {
        RemoteSession *g = sv->dying;
        sv->dying = g->next;
        rsession_gone(g);
    }
    if (sv->leash >= 0)
        close(sv->leash);
    if (sv->warden)
        waitpid(sv->warden, NULL, 0);
    else if (sv->folder[0])
        folder_remove(sv->folder);
    prctl(PR_SET_CHILD_SUBREAPER, 0L, 0L, 0L, 0L);
}
