/* repl/serve/session.c: sessions as the server sees them: a process, its socket, what it
 * owes and holds. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/proc.h"
#include "kin.h"
#include "serve.h"

/* Starting ----------------------------------------------------------------- */

/* 0 or an errno.  The session process has a login session of its own (kin.h), no descriptor but its
 * socket, and no signal blocked or ignored. */
static int rsession_spawn(pid_t *pid, int sock, char **env)
{
    char name[] = "moontile", flag[] = "--session-process", number[12];
    char *argv[] = {name, flag, number, NULL};
    snprintf(number, sizeof number, "%d", ProcSocket);
    return spawn_self(pid, argv, env, sock, SpawnSession | SpawnAllSignals, false);
}

static void rsession_release(Watch *w)
{
    RemoteSession *g = (RemoteSession *)(void *)w;
    for (size_t i = 0; i < g->tensor.n; i++)
        free(g->tensor.row[i].v);
    for (size_t i = 0; i < g->kernel.n; i++)
        free(g->kernel.row[i].v);
    numbered_free(&g->tensor);
    numbered_free(&g->kernel);
    for (size_t i = 0; i < g->nbuffer; i++)
        close(g->buffer[i].fd);
    free(g->buffer);
    free(g);
}

/* Spawns the process with one end of a socket; false: errno. */
static bool rsession_start(RemoteSession *g)
{
    int pair[2];
    Server *sv = g->sv;
    snprintf(g->tmp, sizeof g->tmp, "%s/%llu", sv->folder, (unsigned long long)++sv->nfolder);
    if (mkdir(g->tmp, 0700) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    char **env = environ_of(g);
    int e = env ? rsession_spawn(&g->pid, pair[1], env) : ENOMEM;
    environ_free(env);
    close(pair[1]);
    if (e) {
        close(pair[0]);
        errno = e;
        return false;
    }
    reap_begun(g);
    g->fd = pair[0];
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &g->watch};
    return epoll_ctl(g->sv->epoll, EPOLL_CTL_ADD, g->fd, &ev) == 0;
}

static bool make_id(char out[2 * IdBytes + 1])
{
    unsigned char r[IdBytes];
    if (!random_bytes(r, sizeof r))
        return false;
    for (int i = 0; i < IdBytes; i++)
        snprintf(out + 2 * i, 3, "%02x", r[i]);
    return true;
}

RemoteSession *rsession_open(Client *c, Server *sv, const char *target, const char *who)
{
    RemoteSession *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->watch = (Watch){.kind = Wsession, .release = rsession_release};
    g->sv = sv;
    g->client = c;
    g->fd = -1;
    g->tail = &g->task;
    g->epoch = 1;
    g->since = g->used = sv->now;
    snprintf(g->who, sizeof g->who, "%s", who ? who : "");
    snprintf(g->target, sizeof g->target, "%s", target);
    const Target *t = target_find(target);
    g->host = t && (t->device->native || !t->device->mem_new);
    if (!make_id(g->id) || !rsession_start(g)) {
        int e = errno;
        if (g->fd >= 0)
            close(g->fd);
        if (g->pid) {
            kill(g->pid, SIGKILL);
            waitpid(g->pid, NULL, 0); /* it has not yet been asked for anything */
        }
        folder_remove(g->tmp);
        free(g);
        errno = e;
        return NULL;
    }
    g->next = c->session;
    g->link = &c->session;
    if (g->next)
        g->next->link = &g->next;
    c->session = g;
    c->nsession++;
    sv->nsession++;
    sv->sessions++;
    return g;
}

/* Ending ------------------------------------------------------------------- */

/* Requests that have to do with g are answered; nobody names it any more. */
static void rsession_part(RemoteSession *g)
{
    for (Conn *k = g->sv->conn; k; k = k->next) {
        if (k->session == g)
            k->session = NULL;
        Req *r = k->req;
        if (!r || r->session != g)
            continue;
        if (!r->ready && !r->stream)
            reply_failed(r, NULL);
        r->session = NULL;
        r->place = NULL;
    }
}

void rsession_close(RemoteSession *g, const char *why, int64_t limit)
{
    Server *sv = g->sv;
    if (g->closed)
        return;
    g->closed = true;
    EndNotice *o = &sv->gone[sv->ngone++ % Gone];
    *o = (EndNotice){.client = g->client, .why = why, .limit = limit};
    snprintf(o->id, sizeof o->id, "%s", g->id);
    log_event(sv, "session closed", g, why);
    close(g->fd);
    g->fd = -1;
    while (g->task) {
        Task *t = g->task;
        void (*answer)(Task *, Msg *) = t->answer;
        t->answer = NULL;
        if (answer)
            answer(t, NULL);
        task_done(t);
    }
    rsession_part(g);
    *g->link = g->next;
    if (g->next)
        g->next->link = g->link;
    reap_closed(g);
}

void rsession_gone(RemoteSession *g)
{
    Server *sv = g->sv;
    g->client->nsession--;
    g->client->memory -= g->memory;
    sv->memory -= g->memory;
    sv->nsession--;
    folder_remove(g->tmp);
    serve_end(sv, &g->watch);
}

RemoteSession *rsession_find(Server *sv, const Client *c, const char *id)
{
    (void)sv;
    for (RemoteSession *g = c->session; g; g = g->next) {
        unsigned char differ = 0;
        for (size_t i = 0; i < 2 * IdBytes; i++)
            differ |= (unsigned char)(id[i] ^ g->id[i]);
        if (!differ)
            return g;
    }
    return NULL;
}

const EndNotice *rsession_end_notice(const Server *sv, const Client *c, const char *id)
{
    for (int i = 0; i < Gone; i++)
        if (sv->gone[i].client == c && strcmp(sv->gone[i].id, id) == 0)
            return &sv->gone[i];
    return NULL;
}

void rsession_leave(RemoteSession *g)
{
    if (--g->nconn == 0)
        g->away = g->sv->now;
}

void rsession_tick(Server *sv)
{
    const Settings *set = sv->set;
    Client *c = sv->ring;
    do {
        for (RemoteSession *g = c ? c->session : NULL, *next; g; g = next) {
            next = g->next;
            if (g->task)
                continue;
            if (c->revoked)
                rsession_close(g, "revoked", 0);
            else if (sv->now - g->used > (double)set->idle_s)
                rsession_close(g, "idle", set->idle_s);
            else if (g->away > 0 && sv->now - g->away > (double)set->away_s)
                rsession_close(g, "away", set->away_s);
        }
        c = c ? c->next : NULL;
    } while (c != sv->ring);
}

/* Talking ------------------------------------------------------------------ */

bool rsession_send(RemoteSession *g, Task *t)
{
    Msg *m = &g->sv->msg;
    msg_start(m, (enum MsgKind)t->kind, ++g->seq);
    t->send(t, m);
    m->fd = t->file;
    bool ok = msg_send(g->fd, m);
    if (t->file >= 0)
        close(t->file);
    t->file = -1;
    return ok;
}

void rsession_interrupt(RemoteSession *g)
{
    if (!g->closed)
        kill(g->pid, SIGINT);
}

/* One message of the session process's.  A session process that says what nobody asked for is
 * broken. */
void rsession_event(RemoteSession *g)
{
    Msg *m = &g->sv->msg;
    Task *t = g->task;
    if (g->closed)
        return;
    bool good = msg_recv(g->fd, m) == RECVok && t && t->running && t->answer &&
                m->h.seq == g->seq;
    enum ProcessKind kind = good ? (enum ProcessKind)m->h.kind : Snone;
    if (kind == Sevent) {
        stream_event(t, m);
    } else if (kind == Sok || kind == Sfail) {
        void (*answer)(Task *, Msg *) = t->answer;
        t->answer = NULL;
        answer(t, m);
        if (!g->closed)
            (t->answer ? task_pause : task_done)(t);
    } else {
        rsession_close(g, "crashed", 0);
    }
    if (m->fd >= 0)
        close(m->fd);
    m->fd = -1;
}

/* Tensors ------------------------------------------------------------------ */

int rsession_buffer(const RemoteSession *g, uint64_t id)
{
    for (size_t i = 0; i < g->nbuffer; i++)
        if (g->buffer[i].id == id)
            return g->buffer[i].fd;
    return -1;
}

void rsession_drop_tensor(RemoteSession *g, uint64_t k)
{
    ServedTensor *p = numbered_take(&g->tensor, k);
    if (!p)
        return;
    for (const Conn *c = g->sv->conn; c; c = c->next)
        if (c->req && c->req->place == p)
            c->req->place = NULL; /* a body that leads nowhere now */
    g->memory -= p->bytes;
    g->client->memory -= p->bytes;
    g->sv->memory -= p->bytes;
    free(p);
}
