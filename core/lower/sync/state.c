/* core/lower/sync/state.c: sets of touches.
 *
 * Small ones are searched from end to end.  Of a large one at[] is a hash table of
 * footprints, with the number of the newest entry of each (plus one), and same[] of each
 * entry the next older of its footprint.  Both are made when they are asked for: what only
 * is copied and cleared has none. */
#include <stdlib.h>
#include <string.h>

#include "walk.h"

enum { Small = 24 };

/* Are they roles of the same threads?  However many a program has, what each does to the order is
 * the same. */
static bool state_threads(const Stmt *a, const Stmt *b)
{
    return a == b || (a && b && a->role.lo == b->role.lo && a->role.hi == b->role.hi);
}

/* Do they differ in nothing but where they were, and where barriers followed?  How old
 * something is counts until it has ended. */
static bool state_alike(const Entry *a, const Entry *b)
{
    return a->f == b->f && state_threads(a->role, b->role) && a->quiet == b->quiet &&
           !a->cleared == !b->cleared && state_threads(a->by, b->by) &&
           a->fly == b->fly && (!a->fly || a->age == b->age) && a->proxy == b->proxy &&
           a->did == b->did && a->known == b->known && a->after == b->after &&
           a->lanes == b->lanes && a->alone == b->alone && a->lone == b->lone &&
           a->told == b->told && a->telling == b->telling && a->gate == b->gate;
}

/* Where the footprint of that number has its place in the table. */
static uint32_t *state_slot(const State *s, int footprint)
{
    uint32_t i = (uint32_t)footprint * 0x9E3779B1u & (s->capat - 1);
    while (s->at[i] && s->e[s->at[i] - 1].f->id != footprint)
        i = (i + 1) & (s->capat - 1);
    return &s->at[i];
}

/* Brings the table up to the newest entry. */
static void index_all(Walk *w, State *s)
{
    Ctx *c = &w->y->l->p->ctx;
    if (2 * s->n >= s->capat) {
        s->at = NULL;
        agrow(c, &s->at, &s->capat, 4 * s->n, sizeof *s->at);
        s->indexed = 0;
    } else if (s->indexed == 0) {
        memset(s->at, 0, s->capat * sizeof *s->at);
    }
    agrow(c, &s->same, &s->capsame, s->n, sizeof *s->same);
    for (; s->indexed < s->n; s->indexed++) {
        uint32_t *at = state_slot(s, s->e[s->indexed].f->id);
        s->same[s->indexed] = *at;
        *at = s->indexed + 1;
    }
}

/* The entry like e, or NULL. */
static Entry *state_find(Walk *w, State *s, const Entry *e)
{
    if (s->n <= Small) {
        for (uint32_t i = 0; i < s->n; i++)
            if (state_alike(&s->e[i], e))
                return &s->e[i];
        return NULL;
    }
    index_all(w, s);
    for (uint32_t i = *state_slot(s, e->f->id); i; i = s->same[i - 1])
        if (state_alike(&s->e[i - 1], e))
            return &s->e[i - 1];
    return NULL;
}

/* One that is not there. */
static void state_add(Walk *w, State *s, const Entry *e)
{
    agrow(&w->y->l->p->ctx, &s->e, &s->cap, s->n + 1, sizeof *s->e);
    s->e[s->n++] = *e;
}

/* Of those alike the newest place stands for all: a fence at its barrier serves them, too. */
void state_push(Walk *w, State *s, const Entry *e)
{
    Entry *old = state_find(w, s, e);
    if (old) {
        old->since = e->since;
        old->cleared = e->cleared;
        old->role = e->role;
        old->by = e->by;
        return;
    }
    state_add(w, s, e);
}

/* Was e done before by the same threads, and has ended?  Whoever is ordered behind e, which
 * nothing has followed yet, is so behind that one. */
static bool renews(const Entry *e, const Entry *old)
{
    return old->f == e->f && state_threads(old->role, e->role) && old->quiet == e->quiet &&
           old->fly == e->fly && (!e->fly || e->fly == SFload) && old->did == e->did &&
           old->after == e->after;
}

void state_renew(Walk *w, State *s, const Entry *e)
{
    if (s->n > Small)
        index_all(w, s);
    uint32_t i = s->n > Small ? *state_slot(s, e->f->id) : s->n;
    while (i && !renews(e, &s->e[i - 1]))
        i = s->n > Small ? s->same[i - 1] : i - 1;
    if (i)
        s->e[i - 1] = *e;
    else
        state_push(w, s, e);
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

const uint32_t *state_near(Walk *w, State *s, const Footprint *f, uint32_t *n)
{
    const Near *k = s->n > Small ? access_near(w->t, f) : NULL;
    *n = 0;
    if (!k || k->n > s->n / 4)
        return NULL;
    index_all(w, s);
    agrow(&w->y->l->p->ctx, &w->y->near, &w->y->capnear, s->n, sizeof *w->y->near);
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t e = *state_slot(s, (int)k->id[i]); e; e = s->same[e - 1])
            w->y->near[(*n)++] = e - 1;
    qsort(w->y->near, *n, sizeof *w->y->near, by_number);
    return w->y->near;
}

void state_copy(Walk *w, State *to, const State *s)
{
    agrow(&w->y->l->p->ctx, &to->e, &to->cap, s->n + 1, sizeof *to->e);
    if (s->n)
        memcpy(to->e, s->e, s->n * sizeof *to->e);
    to->n = s->n;
    to->tidied = s->tidied;
    to->indexed = 0;
    phases_copy(w, to, s);
}

void state_join(Walk *w, State *to, const State *s)
{
    phases_join(w, to, s);
    for (uint32_t i = 0; i < s->n; i++)
        state_push(w, to, &s->e[i]);
}

void state_join_older(Walk *w, State *to, const State *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (!state_find(w, to, &s->e[i]))
            state_add(w, to, &s->e[i]);
}

void state_tidy(Walk *w, State *s)
{
    uint32_t n = s->n;
    state_clear(s);
    for (uint32_t i = 0; i < n; i++) {
        Entry e = s->e[i];
        state_push(w, s, &e);
    }
    s->tidied = s->n;
}

void state_trim(Walk *w, State *s)
{
    if (s->n > 2 * s->tidied + Small)
        state_tidy(w, s);
}

/* Is e in s?  Most often it stands at i. */
static bool state_holds(Walk *w, State *s, const Entry *e, uint32_t i)
{
    return (i < s->n && state_alike(&s->e[i], e)) || state_find(w, s, e);
}

static bool state_within(Walk *w, const State *a, State *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!state_holds(w, b, &a->e[i], i))
            return false;
    return true;
}

/* A state may hold one twice, since a barrier makes them alike: to count does not do. */
bool state_same(Walk *w, State *a, State *b)
{
    return phases_same(w, a, b) && state_within(w, a, b) && state_within(w, b, a);
}

State *state_take(Walk *w)
{
    State *s = w->spare;
    if (s)
        w->spare = s->next;
    else
        s = anew(&w->y->l->p->ctx, sizeof *s);
    state_clear(s);
    phases_clear(w, s);
    return s;
}

void state_give(Walk *w, State *s)
{
    s->next = w->spare;
    w->spare = s;
}
