/* repl/serve/queue.c: whose turn it is on the device.
 *
 * Tasks of a session are done in order, one at a time.  Between sessions:
 *   light      reading, freeing, checking: at once
 *   compile    as many as there are processors
 *   run        one launch, untimed: --at-once of them (1)
 *   exclusive  timed: when nothing else is in work, and then nothing else is begun
 * Clients come in turn; of one client's tasks the oldest is first.  When an exclusive one is
 * first it waits until what runs is done, and nothing new is begun before it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve.h"

enum { LightLimit = 60, RunMargin = 60, KillMargin = 5 };

/* Tasks -------------------------------------------------------------------- */

Task *task_new(Req *r, enum SeatKind k, enum Class c, void (*answer)(Task *, Msg *))
{
    Task *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (Task){.req = r, .guest = r->guest, .class = c, .kind = k, .file = -1,
                .queued = r->sv->now, .answer = answer};
    r->task = t;
    return t;
}

void task_add(Task *t)
{
    Guest *g = t->guest;
    *g->tail = t;
    g->tail = &t->next;
    queue_turn(g->sv);
}

/* It no longer counts as running. */
static void stop(Server *sv, Task *t)
{
    if (!t->running)
        return;
    t->running = false;
    sv->running[t->class]--;
    if (t->class == Crun || t->class == Cexclusive) {
        double took = sv->now - t->started;
        sv->average = sv->average > 0 ? 0.8 * sv->average + 0.2 * took : took;
    }
}

static void task_free(Server *sv, Task *t)
{
    if (sv->next == t)
        sv->next = NULL;
    if (t->req)
        t->req->task = NULL;
    if (t->file >= 0)
        close(t->file);
    str_free(&t->text);
    free(t);
}

void task_done(Task *t)
{
    Guest *g = t->guest;
    stop(g->sv, t);
    g->task = t->next;
    if (!g->task)
        g->tail = &g->task;
    g->used = g->sv->now;
    task_free(g->sv, t);
}

void task_pause(Task *t) { stop(t->guest->sv, t); }

void task_leave(Task *t)
{
    Guest *g = t->guest;
    Server *sv = g->sv;
    t->req->task = NULL;
    t->req = NULL;
    if (t->running) {
        if (t->class != Clight)
            guest_interrupt(g);
        return;
    }
    if (t->kind == Sfree || t->kind == Sdrop)
        return; /* done all the same: the client was told that it will be */
    Task **at = &g->task;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    if (!*at)
        g->tail = at;
    g->used = sv->now;
    if (t->kind == Snew || t->kind == Sbuild)
        t->answer(t, NULL); /* takes back what was entered for it */
    task_free(sv, t);
    queue_turn(sv);
}

/* Turns -------------------------------------------------------------------- */

static int total(const Server *sv)
{
    return sv->running[Clight] + sv->running[Ccompile] + sv->running[Crun] +
           sv->running[Cexclusive];
}

/* Sends t to its seat. */
static void start(Server *sv, Task *t)
{
    if (t->kind == Sclaim && put_fresh(t))
        return;
    if (t->kind == Srun)
        t->guest->epoch++; /* which tensors the host may write to is open again */
    t->running = true;
    t->started = sv->now;
    sv->running[t->class]++;
    if (t->class == Crun || t->class == Cexclusive) {
        sv->began = sv->now;
        stream_runs(t);
    }
    if (!guest_send(t->guest, t))
        guest_close(t->guest, "crashed", 0);
}

/* The task of g that waits for its turn; NULL: none. */
static Task *waiting(const Guest *g)
{
    Task *t = g->task;
    return t && !t->running && !t->holds ? t : NULL;
}

/* The oldest waiting task of c that is of class a or b. */
static Task *oldest(const Client *c, enum Class a, enum Class b)
{
    Task *best = NULL;
    for (const Guest *g = c->guest; g; g = g->next) {
        Task *t = waiting(g);
        if (t && (t->class == a || t->class == b) && (!best || t->queued < best->queued))
            best = t;
    }
    return best;
}

/* The first client from `from` on that has such a task. */
static Task *next_of(Client *from, enum Class a, enum Class b)
{
    Client *c = from;
    do {
        Task *t = oldest(c, a, b);
        if (t)
            return t;
        c = c->next;
    } while (c != from);
    return NULL;
}

/* Starts one task; false: none can be started now. */
static bool start_one(Server *sv)
{
    Task *t;
    if (!sv->ring || sv->running[Cexclusive])
        return false;
    if (sv->next && total(sv) > 0)
        return false;
    if ((t = sv->next)) {
        sv->next = NULL;
        start(sv, t);
        return true;
    }
    if ((t = next_of(sv->ring, Clight, Clight))) {
        start(sv, t);
        return true;
    }
    if (sv->running[Ccompile] < sv->set->compiles &&
        (t = next_of(sv->compiles, Ccompile, Ccompile))) {
        sv->compiles = t->guest->client->next;
        start(sv, t);
        return true;
    }
    t = next_of(sv->ring, Crun, Cexclusive);
    if (!t || (t->class == Crun && sv->running[Crun] >= sv->set->at_once))
        return false;
    sv->ring = t->guest->client->next;
    if (t->class == Crun)
        start(sv, t);
    else
        sv->next = t;
    return true;
}

void queue_turn(Server *sv)
{
    if (sv->turning)
        return; /* the loop below goes on by itself */
    sv->turning = true;
    while (start_one(sv))
        ;
    sv->turning = false;
}

/* Waiting ------------------------------------------------------------------ */

static bool heavy(const Task *t) { return t->class == Crun || t->class == Cexclusive; }

/* How many of c's runs wait that were queued before `before`, but for sv->next. */
static int count(const Server *sv, const Client *c, double before)
{
    int n = 0;
    for (const Guest *g = c->guest; g; g = g->next)
        for (const Task *t = g->task; t; t = t->next)
            n += heavy(t) && !t->running && t != sv->next && t->queued < before;
    return n;
}

int queue_ahead(const Server *sv, const Task *t)
{
    const Client *me = t->guest->client;
    int mine = count(sv, me, t->queued), n = sv->running[Crun] + sv->running[Cexclusive];
    bool before = true; /* clients up to me have their turn first */
    if (sv->next == t)
        return n;
    n += mine + (sv->next != NULL);
    const Client *c = sv->ring;
    do {
        if (c == me) {
            before = false;
        } else {
            int theirs = count(sv, c, 1e300), most = mine + before;
            n += theirs < most ? theirs : most;
        }
        c = c->next;
    } while (c != sv->ring);
    return n;
}

/* Limits of time ----------------------------------------------------------- */

static int64_t limit_of(const Settings *set, const Task *t)
{
    switch (t->class) {
    case Ccompile: return set->compile_s;
    case Crun: return set->kernel_s + RunMargin;
    case Cexclusive: return set->exclusive_s;
    default: return LightLimit;
    }
}

/* A seat that is late is asked to stop, and then ended. */
static void watch(Server *sv, Guest *g)
{
    Task *t = g->task;
    if (!t || !t->running)
        return;
    int64_t limit = limit_of(sv->set, t);
    double over = sv->now - t->started - (double)limit;
    if (over > 0 && !t->late) {
        t->late = true;
        guest_interrupt(g);
    }
    if (over > KillMargin)
        guest_close(g, "late", limit);
}

static void tell(const Server *sv, const Guest *g)
{
    for (Task *t = g->task; t; t = t->next) {
        if (!heavy(t) || !t->req || sv->now - t->req->told < 1)
            continue;
        if (!t->running) {
            int ahead = queue_ahead(sv, t);
            double wait = ahead * sv->average - (sv->now - sv->began);
            stream_waits(t, ahead, wait > 0 ? wait : 0);
        } else if (sv->now - t->started > 1) {
            stream_waits(t, -1, 0);
        }
    }
}

void queue_tick(Server *sv)
{
    Client *c = sv->ring;
    do {
        for (Guest *g = c ? c->guest : NULL, *next; g; g = next) {
            next = g->next;
            tell(sv, g);
            watch(sv, g);
        }
        c = c ? c->next : NULL;
    } while (c != sv->ring);
    queue_turn(sv);
}

void queue_stop(Server *sv)
{
    Client *c = sv->ring;
    sv->turning = true; /* nothing new begins meanwhile */
    do {
        for (Guest *g = c ? c->guest : NULL; g; g = g->next)
            for (Task *t = g->task, *next; t; t = next) {
                next = t->next;
                if (t->running || t->holds || t->class == Clight || !t->req)
                    continue;
                Req *r = t->req;
                task_leave(t);
                if (r->stream)
                    stream_stopped(r);
                else
                    reply_stopping(r);
            }
        c = c ? c->next : NULL;
    } while (c != sv->ring);
    sv->turning = false;
}

void queue_status(Server *sv, Str *out)
{
    Client *c = sv->ring;
    str_puts(out, "[");
    bool first = true;
    do {
        for (const Guest *g = c ? c->guest : NULL; g; g = g->next)
            for (const Task *t = g->task; t; t = t->next) {
                if (!heavy(t) || t->running)
                    continue;
                str_fmt(out, "%s{\"token\": ", first ? "" : ", ");
                say_text(out, c->name);
                say_key(out, "kernel");
                say_text(out, t->what);
                str_fmt(out, ", \"ahead\": %d, \"waits_s\": %.1f, \"timed\": %s}",
                        queue_ahead(sv, t), sv->now - t->queued,
                        t->class == Cexclusive ? "true" : "false");
                first = false;
            }
        c = c ? c->next : NULL;
    } while (c != sv->ring);
    str_puts(out, "]");
}
