/* core/lower/sync_state.c: sets of touches. */
#include <string.h>

#include "sync_walk.h"

/* Do they differ in nothing but where they were?  How old something is counts until
 * it has ended. */
static bool alike(const Entry *a, const Entry *b)
{
    return a->f == b->f && a->role == b->role && a->cleared == b->cleared && a->by == b->by &&
           a->fly == b->fly && (!a->fly || a->age == b->age) && a->proxy == b->proxy &&
           a->did == b->did && a->known == b->known && a->after == b->after &&
           a->lanes == b->lanes && a->alone == b->alone && a->lone == b->lone;
}

void state_push(Walk *w, State *s, const Entry *e)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (alike(&s->e[i], e)) {
            s->e[i].since = e->since;
            return;
        }
    agrow(&w->y->l->p->ctx, &s->e, &s->cap, s->n + 1, sizeof *s->e);
    s->e[s->n++] = *e;
}

void state_copy(Walk *w, State *to, const State *s)
{
    agrow(&w->y->l->p->ctx, &to->e, &to->cap, s->n + 1, sizeof *to->e);
    if (s->n)
        memcpy(to->e, s->e, s->n * sizeof *to->e);
    to->n = s->n;
}

void state_join(Walk *w, State *to, const State *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        state_push(w, to, &s->e[i]);
}

void state_tidy(Walk *w, State *s)
{
    uint32_t n = s->n;
    s->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        Entry e = s->e[i];
        state_push(w, s, &e);
    }
}

/* Is e in s?  Most often it stands at i. */
static bool holds(const State *s, const Entry *e, uint32_t i)
{
    if (i < s->n && alike(&s->e[i], e))
        return true;
    for (i = 0; i < s->n; i++)
        if (alike(&s->e[i], e))
            return true;
    return false;
}

static bool within(const State *a, const State *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!holds(b, &a->e[i], i))
            return false;
    return true;
}

/* A state may hold one twice, since a barrier makes them alike: to count does not do. */
bool state_same(const State *a, const State *b) { return within(a, b) && within(b, a); }

State *state_take(Walk *w)
{
    State *s = w->spare;
    if (!s)
        return anew(&w->y->l->p->ctx, sizeof *s);
    w->spare = s->next;
    s->n = 0;
    return s;
}

void state_give(Walk *w, State *s)
{
    s->next = w->spare;
    w->spare = s;
}
