/* core/lower/sync/phases.c: what the program's own mbarriers order.
 *
 *     for _ in T.ws(1) do T.barrier_wait(done, (k + 1) % 2); .. S[..] = ..; T.barrier_arrive(ready) end
 *     for _ in T.ws(0) do T.barrier_wait(ready, k % 2); .. = S[..]; T.barrier_arrive(done) end
 *
 * Here the reads of one round are over when the next one writes: whoever waits for a phase comes
 * behind all that came before its arrivals. The walk takes roles one after the other, as the text
 * has them; threads do not. What it sees holds for them only where a wait cannot be let through by
 * an older phase of the same parity, and no arrival can count for an older phase:
 *
 *     a wait for the last phase counts for those who know that the one before it is complete,
 *     who arrives must know that the last one is complete,
 *
 * and that is known by having waited for it, or for another mbarrier whose phase tells it: an
 * arrival brings all along that its threads know. Since each wait and arrival has its phase then
 * whatever the threads' pace, the order that follows is that of the program.
 *
 * Else, and where some arrival stands under a condition, in a loop of its own, or is made by
 * something that is not followed here (another block, copies), the mbarrier is left to itself:
 * barriers stand where the accesses need them, one too many is slow, one too few is wrong. */
#include <string.h>

#include "walk.h"

/* Phases of mbarriers by number, 32 at most: bits of Entry.told. */
enum { MaxTurns = 16, MaxPhases = 32, MaxCount = 1 << 20 /* arrivals that PTX counts to */ };

struct OwnBarrier {
    uint32_t buf, at;      /* the element */
    int64_t count;         /* arrivals of a phase */
    const Node *loop;      /* the loop around all that names it, or NULL */
    bool used;
};

/* Which mbarriers ------------------------------------------------------- */

static bool phases_op(const Node *n)
{
    if (n->s->kind != Sop)
        return false;
    switch ((enum Op)n->s->op.op) {
    case Ombar_arrive: case Ombar_wait: case Ombar_arrive_expect: case Ombar_expect: return true;
    default: return false;
    }
}

static int own_number(const Sync *y, uint32_t buf, int64_t at)
{
    for (int i = 0; i < y->nown; i++)
        if (y->own[i].buf == buf && y->own[i].at == at)
            return i;
    return -1;
}

/* All of a buffer's: they are not followed. */
static void own_open(Sync *y, uint32_t buf)
{
    for (int i = 0; i < y->nown; i++)
        if (y->own[i].buf == buf && !(y->open & (uint32_t)1 << i)) {
            y->open |= (uint32_t)1 << i;
            y->changed = true;
        }
}

/* The mbarriers that n and what follows it make. */
static void own_make(Sync *y, const Node *n)
{
    const Prog *p = y->l->p;
    for (; n; n = n->next) {
        const Region *r = &n->s->op.r[0];
        int64_t count, at, elements;
        if (n->s->kind == Sop && n->s->op.op == Ombar_init && p->buf[r->buf].scope == SCbarrier &&
            !p->buf[r->buf].base && !low_buf(y->l, r->buf)->pipe && p->buf[r->buf].ndim == 1 &&
            x_isint(p, p->buf[r->buf].shape[0], &elements) && x_isint(p, r->min[0], &at) &&
            x_isint(p, n->s->op.value, &count) && count > 0 && count < MaxCount &&
            elements <= MaxPhases - y->nown && own_number(y, r->buf, at) < 0)
            y->own[y->nown++] = (struct OwnBarrier){.buf = r->buf, .at = (uint32_t)at, .count = count};
        own_make(y, n->child[0]);
        own_make(y, n->child[1]);
    }
}

/* The loop around n that is reached by all threads of its role, if between the two there are only
 * roles; *ok else false. */
static const Node *phases_loop(const Sync *y, const Node *n, bool *ok)
{
    for (n = n->up; n; n = n->up) {
        if (n->s->kind == Sfor || n->s->kind == Swhile) {
            *ok = *ok && uniform_loop(&y->u, n->s);
            return n;
        }
        int unit = y->l->m->warp;
        *ok = *ok && n->s->kind == Srole && n->s->role.lo % unit == 0 && n->s->role.hi % unit == 0;
    }
    return NULL;
}

/* What n does to a mbarrier that is followed: it must be one statement of all threads of a role, in
 * the loop in which all others stand. */
static void own_use(Sync *y, const Node *n)
{
    const Prog *p = y->l->p;
    const Stmt *s = n->s;
    int64_t block;
    bool ok = true, expects = s->op.op == Ombar_expect;
    const Node *loop = phases_loop(y, n, &ok);
    if (expects)
        return; /* who waits, waits longer */
    ok = ok && s->op.op != Ombar_arrive_expect &&
         (s->op.op == Ombar_wait || (x_isint(p, s->op.value, &block) && block == -1));
    for (int i = 0; i < y->nown; i++) {
        struct OwnBarrier *b = &y->own[i];
        if (b->buf != s->op.r[0].buf)
            continue;
        if (!ok || (b->used && b->loop != loop))
            own_open(y, b->buf);
        b->loop = loop;
        b->used = true;
    }
}

/* Uses of mbarriers in n and what follows it. */
static void own_uses(Sync *y, const Node *n)
{
    for (; n; n = n->next) {
        if (phases_op(n))
            own_use(y, n);
        else if (n->s->kind == Sop && n->s->op.op == Ocp_async_arrive)
            own_open(y, buf_root(y->l->p, n->s->op.r[0].buf));
        else if (n->s->kind == Sop && n->s->op.op == Ocall_extern)
            for (int i = 0; i < y->nown; i++) /* the user's own C may do anything */
                own_open(y, y->own[i].buf);
        own_uses(y, n->child[0]);
        own_uses(y, n->child[1]);
    }
}

/* Phases ---------------------------------------------------------------- */

void phases_clear(Walk *w, State *s)
{
    if (w->y->nown && !s->phase)
        s->phase = anew(&w->y->l->p->ctx, (size_t)w->y->nown * sizeof *s->phase);
    s->reached = false;
}

void phases_start(Walk *w, State *s)
{
    Warps all = walk_warps(w, NULL);
    phases_clear(w, s);
    for (int i = 0; i < w->y->nown; i++)
        s->phase[i] = (Phase){.known = {all, all}};
    s->reached = true;
}

void phases_copy(Walk *w, State *to, const State *s)
{
    phases_clear(w, to);
    if (w->y->nown)
        memcpy(to->phase, s->phase, (size_t)w->y->nown * sizeof *s->phase);
    to->reached = s->reached;
}

static bool phase_alike(const Phase *a, const Phase *b)
{
    return a->lost == b->lost && a->done == b->done && a->arrived == b->arrived && a->came == b->came &&
           memcmp(a->known, b->known, sizeof a->known) == 0 &&
           memcmp(a->told, b->told, sizeof a->told) == 0 &&
           memcmp(a->telling, b->telling, sizeof a->telling) == 0;
}

bool phases_same(const Walk *w, const State *a, const State *b)
{
    for (int i = 0; i < w->y->nown; i++)
        if (!(w->y->open & (uint32_t)1 << i) && !phase_alike(&a->phase[i], &b->phase[i]))
            return false;
    return true;
}

void phases_join(Walk *w, State *to, const State *s)
{
    if (!s->reached)
        return;
    if (!to->reached)
        phases_copy(w, to, s);
    for (int i = 0; i < w->y->nown; i++)
        if (!phase_alike(&to->phase[i], &s->phase[i]))
            to->phase[i] = (Phase){.lost = true};
}

void phases_met(Walk *w, Warps here, Warps who)
{
    for (int i = 0; i < w->y->nown; i++)
        for (int k = 0; k < 2; k++)
            if (w->s.phase[i].known[k] & here)
                w->s.phase[i].known[k] |= who;
}

/* The open phase of number i is complete: what its arrivals bring along is told. */
static void phase_complete(Walk *w, int i)
{
    Phase *b = &w->s.phase[i];
    uint32_t bit = (uint32_t)1 << i;
    for (uint32_t k = 0; k < w->s.n; k++) {
        Entry *e = &w->s.e[k];
        e->told |= e->telling & bit;
        e->telling &= ~bit;
    }
    for (int j = 0; j < w->y->nown; j++)
        for (int k = 0; k < 2; k++) {
            Phase *c = &w->s.phase[j];
            c->told[k] |= c->telling[k] & bit;
            c->telling[k] &= ~bit;
        }
    b->known[0] = b->known[1];
    b->told[0] = b->told[1];
    b->telling[0] = b->telling[1];
    b->known[1] = 0;
    b->told[1] = b->telling[1] = 0;
    b->done = b->done < 2 ? b->done + 1 : 5 - b->done; /* 0 1 2 3 2 3 .. */
    b->arrived = 0;
    b->came = 0;
}

/* All of w->mine arrive. */
static void phase_arrive(Walk *w, int i)
{
    Phase *b = &w->s.phase[i];
    int64_t count = w->y->own[i].count;
    uint32_t bit = (uint32_t)1 << i;
    if (!all_in(w->mine, b->known[1]) || b->came & w->mine ||
        b->arrived + (w->t->hi - w->t->lo) > count) {
        own_open(w->y, w->y->own[i].buf);
        return;
    }
    for (uint32_t k = 0; k < w->s.n; k++) {
        Entry *e = &w->s.e[k];
        if (!e->fly && !e->proxy &&
            (all_in(e->did, w->mine) || (e->known & w->mine && e->after & w->mine)))
            e->telling |= bit;
    }
    for (int j = 0; j < w->y->nown; j++)
        for (int k = 0; k < 2; k++)
            if (w->s.phase[j].known[k] & w->mine)
                w->s.phase[j].telling[k] |= bit;
    b->came |= w->mine;
    b->arrived += w->t->hi - w->t->lo;
    if (b->arrived == count)
        phase_complete(w, i);
}

/* All of w->mine wait at n for the phase of that parity. */
static void phase_wait(Walk *w, Node *n, int i, int64_t parity)
{
    Phase *b = &w->s.phase[i];
    uint32_t bit = (uint32_t)1 << i;
    bool ahead = ((b->done + 1) & 1) != (uint32_t)(parity & 1);
    if (ahead && !w->y->ahead)
        w->y->ahead = walk_role(n);
    if (ahead || !all_in(w->mine, b->known[0]) || !b->done)
        return; /* of one that the text has not come to, or that is long over */
    b->known[1] |= w->mine;
    for (uint32_t k = 0; k < w->s.n; k++) {
        Entry *e = &w->s.e[k];
        if (e->told & bit)
            e->known |= w->mine;
    }
    for (int j = 0; j < w->y->nown; j++)
        for (int k = 0; k < 2; k++)
            if (w->s.phase[j].told[k] & bit)
                w->s.phase[j].known[k] |= w->mine;
}

void walk_phase(Walk *w, Node *n)
{
    Sync *y = w->y;
    const Stmt *s = n->s;
    int64_t at, parity;
    if (!y->nown || s->op.op == Ombar_expect)
        return;
    uint32_t buf = s->op.r[0].buf;
    bool known = eval_one(&w->t->ev, s->op.r[0].min[0], &at);
    int i = known ? own_number(y, buf, at) : -1;
    if (i < 0 || w->s.phase[i].lost) {
        own_open(y, buf);
    } else if (y->open & (uint32_t)1 << i) {
        return;
    } else if (s->op.op == Ombar_arrive) {
        phase_arrive(w, i);
    } else if (s->op.op == Ombar_wait && eval_one(&w->t->ev, s->op.value, &parity)) {
        phase_wait(w, n, i, parity);
    } else {
        own_open(y, buf);
    }
}

void walk_phase_passed(Walk *w, const Node *n)
{
    if (w->y->nown && phases_op(n) && n->s->op.op != Ombar_expect)
        own_open(w->y, n->s->op.r[0].buf);
}

Ex phases_depend(const Sync *y, const Node *n, Ex *parity)
{
    if (!y->nown || !phases_op(n))
        return 0;
    *parity = n->s->op.op == Ombar_wait ? n->s->op.value : 0;
    return n->s->op.r[0].min[0];
}

/* Role n goes behind the next one, which runs beside it: it is the same program, but the walk, which goes
 * by the text, comes to what n waits for first. False: it does not. */
static bool phases_turn(Sync *y, Node *n)
{
    Node *k = n ? n->next : NULL;
    if (!k || k->s->kind != Srole || k->s->role.apart || n->turns >= MaxTurns ||
        (k->s->role.lo < n->s->role.hi && n->s->role.lo < k->s->role.hi))
        return false;
    Node **at = n->up ? &n->up->child[n->els] : &y->t.root;
    while (*at != n)
        at = &(*at)->next;
    *at = k;
    n->next = k->next;
    k->next = n;
    k->s->role.apart = n->s->role.apart;
    n->s->role.apart = false;
    n->turns++;
    return true;
}

/* Walked with no barrier of ours, until all that can be followed are: with more, each thread knows
 * more. */
void phases_find(Sync *y)
{
    y->own = anew(&y->l->p->ctx, MaxPhases * sizeof *y->own);
    own_make(y, y->t.root);
    own_uses(y, y->t.root);
    uint32_t all = y->nown < MaxPhases ? ((uint32_t)1 << y->nown) - 1 : ~(uint32_t)0;
    uint32_t open = y->open;
    y->blind = true;
    do {
        y->ahead = NULL;
        sync_run(y);
        if (phases_turn(y, y->ahead)) {
            y->open = open;
            y->changed = true;
        }
    } while (y->changed && y->open != all);
    y->blind = false;
    if (y->open == all)
        y->nown = 0;
}
