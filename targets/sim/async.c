/* targets/sim/async.c: queues of asynchronous operations: groups that are closed
 * by a commit and happen, oldest first, when a wait asks for them. */
#include <assert.h>
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
    *g = (Group){.on = g->on};
    return g;
}

static void group_free(SimRun *r, Group *g)
{
    g->next = r->x->spare_group;
    r->x->spare_group = g;
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
    group_free(r, g);
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

/* Groups of some lanes -------------------------------------------------------------- */

/* Groups are each thread's own (PTX: cp.async and cp.async.bulk).  The lanes of a strand that
 * commit and wait together share theirs; where some of them do, a group is of these. */
static bool group_has(const Group *g, int thr) { return !g->parted || g->on[thr]; }

/* Does c do something for thread t0 + k? */
static bool copy_has(const Copy *c, int k) { return c->kind != CKcp || c->on[k]; }

static void group_mask(SimRun *r, Group *g, const Strand *s)
{
    if (!g->on)
        g->on = anew(r->ctx, (size_t)r->x->T);
    memset(g->on, 0, (size_t)r->x->T);
    memset(g->on + s->t0, 1, (size_t)s->n);
    g->parted = true;
}

/* Of those threads of s that are on. */
static Group *group_of(SimRun *r, const Strand *s, const uint8_t *on)
{
    Group *g = group_new(r);
    group_mask(r, g, s);
    for (int k = 0; on && k < s->n; k++)
        g->on[s->t0 + k] = on[k] != 0;
    return g;
}

/* An empty copy like c, with room for its threads. */
static Copy *copy_like(SimRun *r, const Copy *c)
{
    Copy *k = copy_new(r, c->a, (enum CopyKind)c->kind, c->kind == CKcp ? c->n : 0);
    Copy own = *k;
    *k = *c;
    k->cap = own.cap;
    k->dst = own.dst;
    k->src = own.src;
    k->on = own.on;
    return k;
}

/* What c does for the threads that are on: c, a copy of its own, or NULL. */
static Copy *copy_pick(SimRun *r, Copy *c, const uint8_t *on)
{
    int of = 0, picked = 0;
    for (int k = 0; k < c->n; k++) {
        of += copy_has(c, k);
        picked += copy_has(c, k) && on[c->t0 + k];
    }
    if (!picked || picked == of)
        return picked ? c : NULL;
    assert(c->kind == CKcp); /* stores are one thread's, products a warp group's */
    if (c->h)
        hb_part(r->hb, c->h);
    Copy *p = copy_like(r, c);
    for (int k = 0; k < c->n; k++) {
        bool mine = on[c->t0 + k];
        p->dst[k] = c->dst[k];
        p->src[k] = c->src[k];
        p->on[k] = mine ? c->on[k] : 0;
        c->on[k] = mine ? 0 : c->on[k];
    }
    return p;
}

/* To `to` what g does for the threads of `to`. */
static void group_pick(SimRun *r, Group *g, Group *to)
{
    Copy *c = g->first, *next;
    g->first = g->last = NULL;
    for (; c; c = next) {
        next = c->next;
        Copy *p = copy_pick(r, c, to->on);
        if (p)
            group_add(to, p);
        if (p != c)
            group_add(g, c);
    }
}

void queue_commit(SimRun *r, const Strand *s, Queue *q, const uint8_t *on)
{
    if (!on) {
        queue_close(r, q);
        return;
    }
    Group *g = group_of(r, s, on);
    if (q->open) {
        group_pick(r, q->open, g);
        if (!q->open->first) {
            group_free(r, q->open);
            q->open = NULL;
        }
    }
    async_append(q, g);
}

static bool queue_parted(const Queue *q)
{
    for (const Group *g = q->first; g; g = g->next)
        if (g->parted)
            return true;
    return false;
}

/* count[k] += by for the threads of g. */
static void group_count(const Strand *s, const Group *g, int64_t *count, int by)
{
    for (int k = 0; k < s->n; k++)
        count[k] += group_has(g, s->t0 + k) ? by : 0;
}

/* Of g the part of the threads that wait and have at least `left` newer groups: NULL, none.  g
 * keeps the others; *rest: are there any? */
static Group *group_due(SimRun *r, const Strand *s, Group *g, int left, const uint8_t *on,
                        bool *rest)
{
    Group *due = NULL;
    *rest = false;
    for (int k = 0; k < s->n; k++) {
        int thr = s->t0 + k;
        if (!group_has(g, thr))
            continue;
        if ((on && !on[k]) || r->x->newer[k] < left) {
            *rest = true;
            continue;
        }
        if (!due) {
            due = group_new(r);
            group_mask(r, due, s);
            memset(due->on, 0, (size_t)r->x->T);
        }
        due->on[thr] = 1;
    }
    if (!due)
        return NULL;
    group_pick(r, g, due);
    if (*rest && !g->parted)
        group_mask(r, g, s);
    for (int k = 0; *rest && k < s->n; k++)
        g->on[s->t0 + k] &= !due->on[s->t0 + k];
    return due;
}

typedef void GroupFn(SimRun *r, Strand *s, Group *g);

/* fn for what the threads that are on wait for in q: all but the newest `left` groups of each,
 * where those of `more`, if any, are newer than those of q. */
static void queue_due(SimRun *r, Strand *s, Queue *q, const Queue *more, int left,
                      const uint8_t *on, GroupFn *fn)
{
    Queue all = *q;
    memset(r->x->newer, 0, (size_t)s->n * sizeof *r->x->newer);
    for (const Group *g = more ? more->first : NULL; g; g = g->next)
        group_count(s, g, r->x->newer, 1);
    for (const Group *g = all.first; g; g = g->next)
        group_count(s, g, r->x->newer, 1);
    q->first = q->last = NULL;
    q->n = 0;
    for (Group *g = all.first, *next; g; g = next) {
        bool rest;
        next = g->next;
        group_count(s, g, r->x->newer, -1);
        Group *due = group_due(r, s, g, left, on, &rest);
        if (due)
            fn(r, s, due);
        if (rest)
            async_append(q, g);
        else
            group_free(r, g);
    }
}

static void due_ends(SimRun *r, Strand *s, Group *g)
{
    (void)s;
    group_end(r, g, true);
}

/* A store's tile was read; it stays, for those who wait for what it writes. */
static void due_read(SimRun *r, Strand *s, Group *g)
{
    for (Copy *c = g->first; c; c = c->next)
        async_stored(r, c);
    async_append(&s->q[Qstored], g);
}

void queue_wait(SimRun *r, Strand *s, Queue *q, int left, const uint8_t *on)
{
    if (on || queue_parted(q))
        queue_due(r, s, q, NULL, left, on, due_ends);
    else
        while (q->n > left)
            drop_oldest(r, q, true);
}

void queue_read(SimRun *r, Strand *s, int left, const uint8_t *on)
{
    queue_due(r, s, &s->q[Qbulk], NULL, left, on, due_read);
}

void queue_written(SimRun *r, Strand *s, int left, const uint8_t *on)
{
    queue_read(r, s, left, on);
    queue_due(r, s, &s->q[Qstored], &s->q[Qbulk], left, on, due_ends);
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
    Copy *k = copy_like(r, c);
    int skip = at - c->t0;
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
    more->parted = g->parted;
    if (g->parted) {
        if (!more->on)
            more->on = anew(r->ctx, (size_t)r->x->T);
        memcpy(more->on, g->on, (size_t)r->x->T);
    }
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

static void group_join(SimRun *r, const Strand *s, Group *to, const Strand *other, Group *from)
{
    if (to->parted || from->parted) {
        if (!to->parted)
            group_mask(r, to, s);
        for (int t = other->t0; t < other->t0 + other->n; t++)
            to->on[t] = group_has(from, t);
    }
    for (Copy *c = from->first, *next; c; c = next) {
        next = c->next;
        group_add(to, c);
    }
    group_free(r, from);
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
            group_join(r, to, g, from, h);
        }
        if (p->open && q->open)
            group_join(r, to, q->open, from, p->open);
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
