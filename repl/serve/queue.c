/* repl/serve/queue.c: whose turn it is on the device.
 *
 * Tasks of a session are done in order, one at a time.  Between sessions:
 *   light      reading, freeing, checking: at once
 *   compile    as many as there are processors
 *   run        one launch on a card, untimed: one at a time
 *   host       one launch on the processor, untimed: as many as there are processors, and one
 *              that takes long shares them with those behind it
 *   exclusive  timed: when nothing else is in work, and then nothing else is begun
 * --at-once and --compiles say other numbers.  Clients come in turn; of one client's tasks the
 * oldest is first, and the last place is left to a client that has none.  When an exclusive one
 * is first it waits until what runs is done, and nothing new is begun before it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve.h"

enum { LightLimit = 60, RunMargin = 60, KillMargin = 5 };
static const double SharesAfter = 1; /* seconds until a run on the processor holds nobody up */

/* Tasks -------------------------------------------------------------------- */

Task *task_new(Req *r, enum ProcessKind k, enum Class c, void (*answer)(Task *, Msg *))
{
    Task *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (Task){.req = r, .session = r->session, .class = c, .kind = k, .file = -1,
                .queued = r->sv->now, .answer = answer};
    r->task = t;
    return t;
}

void task_add(Task *t)
{
    RemoteSession *g = t->session;
    *g->tail = t;
    g->tail = &t->next;
    queue_turn(g->sv);
}

static bool queue_heavy(const Task *t) { return t->class >= Crun; }

static void pace(Pace *p, double took)
{
    p->seconds = p->content ? 0.8 * p->seconds + 0.2 * took : took;
    p->content = true;
}

/* It no longer counts as running. */
static void serve_queue_stop(Server *sv, Task *t)
{
    if (!t->running)
        return;
    t->running = false;
    sv->running[t->class]--;
    if (queue_heavy(t)) {
        pace(&sv->pace[t->class], sv->now - t->started);
        if (t->class != Cexclusive)
            pace(&t->session->pace, sv->now - t->started);
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
    RemoteSession *g = t->session;
    serve_queue_stop(g->sv, t);
    g->task = t->next;
    if (!g->task)
        g->tail = &g->task;
    g->used = g->sv->now;
    task_free(g->sv, t);
}

void task_pause(Task *t) { serve_queue_stop(t->session->sv, t); }

void task_leave(Task *t)
{
    RemoteSession *g = t->session;
    Server *sv = g->sv;
    t->req->task = NULL;
    t->req = NULL;
    if (t->running) {
        if (t->class != Clight)
            rsession_interrupt(g);
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

static int queue_total(const Server *sv)
{
    int n = 0;
    for (int k = 0; k < NTaskClass; k++)
        n += sv->running[k];
    return n;
}

/* Sends t to its session process. */
static void queue_start(Server *sv, Task *t)
{
    if (t->kind == Sclaim && put_fresh(t))
        return;
    if (t->kind == Srun)
        t->session->epoch++; /* which tensors the host may write to is open again */
    t->running = true;
    t->started = sv->now;
    sv->running[t->class]++;
    if (queue_heavy(t))
        stream_runs(t);
    if (!rsession_send(t->session, t))
        rsession_close(t->session, "crashed", 0);
}

/* The task of g that waits for its turn; NULL: none. */
static Task *waiting(const RemoteSession *g)
{
    Task *t = g->task;
    return t && !t->running && !t->holds ? t : NULL;
}

/* Sets of classes. */
enum { Light = 1 << Clight, Compile = 1 << Ccompile, Run = 1 << Crun, Host = 1 << Chost,
       Exclusive = 1 << Cexclusive };

/* How many of class k are in work, of client c alone unless that is NULL. */
static int at_work(const Server *sv, const Client *only, enum Class k, double since)
{
    int n = 0;
    const Client *c = sv->ring;
    do {
        for (const RemoteSession *g = !only || c == only ? c->session : NULL; g; g = g->next)
            n += g->task && g->task->running && g->task->class == k && g->task->started > since;
        c = c->next;
    } while (c != sv->ring);
    return n;
}

/* Places that class k has. */
static int queue_width(const Server *sv, enum Class k)
{
    const Settings *set = sv->set;
    if (k == Ccompile)
        return (int)set->compiles;
    if (k == Crun || k == Chost)
        return set->at_once > 0 ? (int)set->at_once : k == Crun ? 1 : set->cores;
    return 1;
}

/* Those of them that are free. */
static int queue_places(const Server *sv, enum Class k)
{
    if (k == Chost && sv->set->at_once < 0)
        return queue_width(sv, k) - at_work(sv, NULL, Chost, sv->now - SharesAfter);
    return queue_width(sv, k) - sv->running[k];
}

/* May c have one more place of class k?  The last of several is for whoever has none. */
static bool entitled(const Server *sv, const Client *c, enum Class k)
{
    int n = queue_places(sv, k);
    return n > 1 || (n == 1 && (queue_width(sv, k) == 1 || serve_open(sv) ||
                                at_work(sv, c, k, -1) == 0));
}

/* The oldest waiting task of c whose class is in the set. */
static Task *queue_oldest(const Client *c, unsigned classes)
{
    Task *best = NULL;
    for (const RemoteSession *g = c->session; g; g = g->next) {
        Task *t = waiting(g);
        if (t && classes >> t->class & 1 && (!best || t->queued < best->queued))
            best = t;
    }
    return best;
}

/* The first client's from `from` on; only: of those that may have a place. */
static Task *next_of(const Server *sv, Client *from, unsigned classes, bool only)
{
    Client *c = from;
    do {
        unsigned may = classes;
        for (int k = 0; only && k < NTaskClass; k++)
            if (may >> k & 1 && !entitled(sv, c, (enum Class)k))
                may &= ~(1U << k);
        Task *t = queue_oldest(c, may);
        if (t)
            return t;
        c = c->next;
    } while (c != from);
    return NULL;
}

/* The run whose turn it is: one that is timed is not passed by those behind it, nor does it
 * pass those before it; what runs on cards does not wait for the processor. */
static Task *next_run(const Server *sv)
{
    Task *t = next_of(sv, sv->ring, Run | Host | Exclusive, false);
    if (!t || t->class == Cexclusive || entitled(sv, t->session->client, t->class))
        return t;
    return next_of(sv, sv->ring, Run | Host, true);
}

/* Starts one task; false: none can be started now. */
static bool start_one(Server *sv)
{
    Task *t;
    if (!sv->ring || sv->running[Cexclusive])
        return false;
    if (sv->next && queue_total(sv) > 0)
        return false;
    if ((t = sv->next)) {
        sv->next = NULL;
        queue_start(sv, t);
        return true;
    }
    if ((t = next_of(sv, sv->ring, Light, false))) {
        queue_start(sv, t);
        return true;
    }
    if ((t = next_of(sv, sv->compiles, Compile, true))) {
        sv->compiles = t->session->client->next;
        queue_start(sv, t);
        return true;
    }
    if (!(t = next_run(sv)))
        return false;
    sv->ring = t->session->client->next;
    if (t->class == Cexclusive)
        sv->next = t;
    else
        queue_start(sv, t);
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

/* What w's run is expected to take: what those of its session took, or else all of its class;
 * NULL: nobody has run yet. */
static const Pace *pace_of(const Server *sv, const Task *w)
{
    const Pace *own = &w->session->pace, *all = &sv->pace[w->class];
    return w->class != Cexclusive && own->content ? own : all->content ? all : NULL;
}

/* Seconds that a run still takes before t may begin: as long as its session's runs did; one that
 * has outlived that, as long again as until now; never beyond its limit. */
static double remaining(const Server *sv, const Task *t, const Task *w)
{
    const Pace *p = pace_of(sv, w);
    double past = sv->now - w->started, left = p && past < p->seconds ? p->seconds - past : past;
    double most = (double)(w->class == Cexclusive ? sv->set->exclusive_s : sv->set->kernel_s) - past;
    if (t->class == Chost && w->class == Chost && sv->set->at_once < 0 && most > SharesAfter - past)
        most = SharesAfter - past;
    left = left < most ? left : most;
    return left > 0 ? left : 0;
}

/* Does w go before t or beside it?  What runs on a card and on the processor do not meet. */
static bool queue_meets(const Task *t, const Task *w)
{
    return queue_heavy(w) &&
           (t->class == w->class || t->class == Cexclusive || w->class == Cexclusive);
}

/* Runs that wait before another, and the seconds that they take: where none has ended yet, as
 * `guess` says. */
typedef struct Ahead Ahead;
struct Ahead { int n; double seconds, guess; };

/* Adds c's runs that t meets and that were queued before `before`, but for sv->next; of several
 * the first `most`. */
static void queue_count(const Server *sv, const Client *c, const Task *t, double before, int most,
                        Ahead *a)
{
    int n = 0;
    double seconds = 0;
    for (const RemoteSession *g = c->session; g; g = g->next)
        for (const Task *w = g->task; w; w = w->next) {
            const Pace *p = pace_of(sv, w);
            if (!queue_meets(t, w) || w->running || w == sv->next || w->queued >= before)
                continue;
            seconds += p ? p->seconds : a->guess;
            n++;
        }
    a->seconds += n > most ? seconds * most / n : seconds;
    a->n += n < most ? n : most;
}

/* Runs that wait and come before t. */
static void waiting_before(const Server *sv, const Task *t, Ahead *a)
{
    const Client *me = t->session->client;
    const Pace *next = sv->next ? pace_of(sv, sv->next) : NULL;
    bool before = true; /* clients up to me have their turn first */
    if (sv->next == t)
        return;
    queue_count(sv, me, t, t->queued, INT_MAX, a);
    int mine = a->n;
    if (sv->next) {
        a->n++;
        a->seconds += next ? next->seconds : a->guess;
    }
    const Client *c = sv->ring;
    do {
        if (c == me)
            before = false;
        else
            queue_count(sv, c, t, 1e300, mine + before, a);
        c = c->next;
    } while (c != sv->ring);
}

/* Those that run and that t waits for: how many; *longest, *sum: seconds that they still take. */
static int running_before(const Server *sv, const Task *t, double *longest, double *sum)
{
    int n = 0;
    const Client *c = sv->ring;
    do {
        for (const RemoteSession *g = c->session; g; g = g->next) {
            const Task *w = g->task;
            if (!w || !w->running || !queue_meets(t, w))
                continue;
            double left = remaining(sv, t, w);
            *longest = left > *longest ? left : *longest;
            *sum += left;
            n++;
        }
        c = c->next;
    } while (c != sv->ring);
    return n;
}

static int queue_ahead(const Server *sv, const Task *t)
{
    double longest = 0, sum = 0;
    Ahead a = {0};
    waiting_before(sv, t, &a);
    return running_before(sv, t, &longest, &sum) + a.n;
}

/* Seconds until t begins, as far as the runs so far tell. */
static double wait_of(const Server *sv, const Task *t)
{
    double longest = 0, sum = 0;
    running_before(sv, t, &longest, &sum);
    Ahead a = {.guess = longest};
    waiting_before(sv, t, &a);
    return t->class == Cexclusive ? longest + a.seconds
                                  : (sum + a.seconds) / queue_width(sv, t->class);
}

/* Limits of time ----------------------------------------------------------- */

static int64_t queue_limit_of(const Settings *set, const Task *t)
{
    switch (t->class) {
    case Ccompile: return set->compile_s;
    case Crun: case Chost: return set->kernel_s + RunMargin;
    case Cexclusive: return set->exclusive_s;
    default: return LightLimit;
    }
}

/* A session process that is late is asked to stop, and then ended. */
static void queue_watch(Server *sv, RemoteSession *g)
{
    Task *t = g->task;
    if (!t || !t->running)
        return;
    int64_t limit = queue_limit_of(sv->set, t);
    double over = sv->now - t->started - (double)limit;
    if (over > 0 && !t->late) {
        t->late = true;
        rsession_interrupt(g);
    }
    if (over > KillMargin)
        rsession_close(g, "late", limit);
}

static void tell_place(const Server *sv, const RemoteSession *g)
{
    for (Task *t = g->task; t; t = t->next) {
        if (!queue_heavy(t) || !t->req || sv->now - t->req->told < 1)
            continue;
        if (!t->running) {
            stream_waits(t, queue_ahead(sv, t), wait_of(sv, t));
        } else if (sv->now - t->started > 1) {
            stream_waits(t, -1, 0);
        }
    }
}

void queue_tick(Server *sv)
{
    Client *c = sv->ring;
    do {
        for (RemoteSession *g = c ? c->session : NULL, *next; g; g = next) {
            next = g->next;
            tell_place(sv, g);
            queue_watch(sv, g);
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
        for (RemoteSession *g = c ? c->session : NULL; g; g = g->next)
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
        for (const RemoteSession *g = c ? c->session : NULL; g; g = g->next)
            for (const Task *t = g->task; t; t = t->next) {
                if (!queue_heavy(t) || t->running)
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
