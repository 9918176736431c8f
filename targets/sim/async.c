/* targets/sim/async.c: queues of asynchronous operations: groups that are closed
 * by a commit and happen, oldest first, when a wait asks for them. */
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/* Operations and groups, kept to be used again ---------------------------------- */

Copy *copy_new(SimRun *r, const OpArgs *a, enum CopyKind kind, int lanes)
{
    Copy *c = r->x->spare_copy;
    if (c)
        r->x->spare_copy = c->next;
    else
        c = anew(r->ctx, sizeof *c);
    Copy old = *c;
    *c = (Copy){.kind = (uint8_t)kind, .a = a, .cap = old.cap, .dst = old.dst, .src = old.src,
                .on = old.on};
    if (lanes > c->cap) {
        c->cap = lanes;
        c->dst = anew(r->ctx, (size_t)lanes * sizeof *c->dst);
        c->src = anew(r->ctx, (size_t)lanes * sizeof *c->src);
        c->on = anew(r->ctx, (size_t)lanes);
    }
    return c;
}

void copy_free(SimRun *r, Copy *c)
{
    r->x->inflight -= c->kind == CKwgmma;
    c->next = r->x->spare_copy;
    r->x->spare_copy = c;
}

static Group *group_new(SimRun *r)
{
    Group *g = r->x->spare_group;
    if (g)
        r->x->spare_group = g->next;
    else
        g = anew(r->ctx, sizeof *g);
    *g = (Group){0};
    return g;
}

static void group_add(Group *g, Copy *c)
{
    c->next = NULL;
    if (g->last)
        g->last->next = c;
    else
        g->first = c;
    g->last = c;
}

/* Queues ------------------------------------------------------------------------- */

void queue_add(SimRun *r, Queue *q, Copy *c)
{
    if (!q->open)
        q->open = group_new(r);
    group_add(q->open, c);
}

static void async_append(Queue *q, Group *g)
{
    g->next = NULL;
    if (q->last)
        q->last->next = g;
    else
        q->first = g;
    q->last = g;
    q->n++;
}

void queue_close(SimRun *r, Queue *q)
{
    async_append(q, q->open ? q->open : group_new(r)); /* empty groups count too */
    q->open = NULL;
}

static void copy_finish(SimRun *r, Copy *c);

static void group_end(SimRun *r, Group *g, bool happen)
{
    for (Copy *c = g->first, *next; c; c = next) {
        next = c->next;
        if (happen)
            copy_finish(r, c);
        copy_free(r, c);
    }
    g->next = r->x->spare_group;
    r->x->spare_group = g;
}

static void drop_oldest(SimRun *r, Queue *q, bool happen)
{
    Group *g = q->first;
    q->first = g->next;
    q->last = q->first ? q->last : NULL;
    q->n--;
    group_end(r, g, happen);
}

static void async_stored(SimRun *r, Copy *c);

/* Are all of g the copies of threads that wait here?  Groups are each thread's own. */
static bool group_of(const Strand *s, const Group *g, const uint8_t *on)
{
    for (const Copy *c = g->first; on && c; c = c->next)
        if (!on[c->t0 - s->t0])
            return false;
    return true;
}

void queue_wait(SimRun *r, const Strand *s, Queue *q, int left, const uint8_t *on)
{
    while (q->n > left && group_of(s, q->first, on))
        drop_oldest(r, q, true);
}

void queue_read(SimRun *r, Strand *s, int left, const uint8_t *on)
{
    Queue *q = &s->q[Qbulk];
    while (q->n > left && group_of(s, q->first, on)) {
        Group *g = q->first;
        for (Copy *c = g->first; c; c = c->next)
            async_stored(r, c);
        q->first = g->next;
        q->last = q->first ? q->last : NULL;
        q->n--;
        async_append(&s->q[Qstored], g);
    }
}

/* Stores that nobody waits for still happen, but not for the checks: their
 * block has given its memory away meanwhile. */
static void unwaited(Queue *q)
{
    for (Group *g = q->first; g; g = g->next)
        for (Copy *c = g->first; c; c = c->next)
            c->h = c->out = NULL;
}

void queue_drop(SimRun *r, Strand *s)
{
    for (int k = 0; k < NQueue; k++) {
        Queue *q = &s->q[k];
        if (q->open)
            queue_close(r, q);
        if (k == Qbulk)
            unwaited(q);
        while (q->first)
            drop_oldest(r, q, k == Qbulk);
        *q = (Queue){0};
    }
}

/* Splitting and joining strands ---------------------------------------------------- */

/* The part of c of the threads from `at` on; c keeps the others.  NULL: none. */
static Copy *copy_split(SimRun *r, Copy *c, int at)
{
    if (c->t0 + c->n <= at)
        return NULL;
    if (c->kind == CKwgmma && !c->happened) { /* of the whole group, at any time */
        wgmma_happens(r, c);
        c->happened = true;
    }
    r->x->inflight += c->kind == CKwgmma;
    Copy *k = copy_new(r, c->a, (enum CopyKind)c->kind, c->kind == CKcp ? c->n : 0);
    Copy own = *k;
    int skip = at - c->t0;
    *k = *c;
    k->cap = own.cap;
    k->dst = own.dst;
    k->src = own.src;
    k->on = own.on;
    k->t0 = at;
    k->n = c->n - skip;
    for (int i = 0; c->kind == CKcp && i < k->n; i++) {
        k->dst[i] = c->dst[skip + i];
        k->src[i] = c->src[skip + i];
        k->on[i] = c->on[skip + i];
    }
    c->n = skip;
    return k;
}

/* Moves what belongs to threads from `at` on to a new group. */
static Group *group_split(SimRun *r, Group *g, int at)
{
    Group old = *g, *more = group_new(r);
    g->first = g->last = NULL;
    for (Copy *c = old.first, *next; c; c = next) {
        next = c->next;
        if (c->t0 >= at) {
            group_add(more, c);
            continue;
        }
        Copy *k = copy_split(r, c, at);
        group_add(g, c);
        if (k)
            group_add(more, k);
    }
    return more;
}

void queue_split(SimRun *r, Strand *from, Strand *to, int at)
{
    for (int k = 0; k < NQueue; k++) {
        for (Group *g = from->q[k].first; g; g = g->next)
            async_append(&to->q[k], group_split(r, g, at));
        if (from->q[k].open)
            to->q[k].open = group_split(r, from->q[k].open, at);
    }
}

static void group_join(SimRun *r, Group *to, Group *from)
{
    for (Copy *c = from->first, *next; c; c = next) {
        next = c->next;
        group_add(to, c);
    }
    from->next = r->x->spare_group;
    r->x->spare_group = from;
}

/* Groups of nothing, older than all of q, which nobody notices: there are n then. */
static void queue_pad(SimRun *r, Queue *q, int n)
{
    for (; q->n < n; q->n++) {
        Group *g = group_new(r);
        g->next = q->first;
        q->first = g;
        q->last = q->last ? q->last : g;
    }
}

bool queue_join(SimRun *r, Strand *to, Strand *from)
{
    queue_pad(r, &to->q[Qstored], from->q[Qstored].n);
    queue_pad(r, &from->q[Qstored], to->q[Qstored].n);
    for (int k = 0; k < NQueue; k++)
        if (to->q[k].n != from->q[k].n)
            return false;
    for (int k = 0; k < NQueue; k++) {
        Queue *q = &to->q[k], *p = &from->q[k];
        for (Group *g = q->first, *h = p->first, *next; g && h; g = g->next, h = next) {
            next = h->next;
            group_join(r, g, h);
        }
        if (p->open && q->open)
            group_join(r, q->open, p->open);
        else if (p->open)
            q->open = p->open;
        *p = (Queue){0};
    }
    return true;
}

/* What happens ------------------------------------------------------------------------ */

static void lanes_copied(SimRun *r, const Copy *c)
{
    char *mem = block_memory(r, c->cta);
    for (int i = 0; i < c->n; i++) {
        if (c->on[i] == 1)
            memcpy(mem + c->dst[i], c->src[i], (size_t)c->bytes);
        else if (c->on[i] == 2)
            memset(mem + c->dst[i], 0, (size_t)c->bytes);
    }
    if (r->hb && c->h)
        hb_complete(r->hb, c->h, (Who){c->t0, c->n, c->on}, NULL);
}

static void async_stored(SimRun *r, Copy *c)
{
    c->happened = true;
    const uint8_t *mem = (const uint8_t *)block_memory(r, c->cta);
    if (!c->box)
        memcpy(c->global, mem + c->at, (size_t)c->size);
    else if (c->red)
        box_reduce(&c->b, (enum Dtype)r->sp->p->buf[c->a->s->op.r[1].buf].dt, c->red,
                   (uint8_t *)c->global, mem, c->at);
    else
        box_store(&c->b, (uint8_t *)c->global, mem, c->at);
    if (r->hb && c->h)
        hb_complete(r->hb, c->h, (Who){c->t0, c->n, NULL}, NULL);
}

static void async_loaded(SimRun *r, const Copy *c)
{
    uint8_t *mem = (uint8_t *)block_memory(r, c->cta);
    if (c->box)
        box_load(&c->b, (const uint8_t *)c->global, mem, c->at);
    else
        memcpy(mem + c->at, c->global, (size_t)c->size);
    mbar_done(r->x->bars, c->a->site[2], c->cta, c->mbar, c->size, c->h);
    if (r->trace)
        trace_landed(r, c);
}

static void copy_finish(SimRun *r, Copy *c)
{
    switch (c->kind) {
    case CKcp: lanes_copied(r, c); break;
    case CKload: async_loaded(r, c); break;
    case CKstore:
        if (!c->happened)
            async_stored(r, c);
        if (r->hb && c->out)
            hb_complete(r->hb, c->out, (Who){c->t0, c->n, NULL}, NULL);
        break;
    default:
        if (!c->happened)
            wgmma_happens(r, c);
        if (r->hb && c->h)
            hb_complete(r->hb, c->h, (Who){c->t0, c->n, NULL}, NULL);
        break;
    }
}

/* Loads on their way -------------------------------------------------------------------- */

/* As late as can be: when nobody can go on without it.  With a seed any of them. */
bool flight_land(SimRun *r)
{
    Machinery *x = r->x;
    Copy **at = &x->flight;
    if (!*at)
        return false;
    if (r->opt->seed)
        for (uint64_t skip = run_random(r) % 4; skip && (*at)->next; skip--)
            at = &(*at)->next;
    Copy *c = *at;
    *at = c->next;
    x->flight_last = NULL;
    for (Copy *k = x->flight; k; k = k->next)
        x->flight_last = k;
    copy_finish(r, c);
    copy_free(r, c);
    return true;
}

void flight_clear(SimRun *r)
{
    for (Copy *c = r->x->flight, *next; c; c = next) {
        next = c->next;
        copy_free(r, c);
    }
    r->x->flight = r->x->flight_last = NULL;
}
