/* core/lower/pipeline_used.c: who touches a buffer outside of a loop.
 *
 * A table counts what the launch's statements do to each buffer; a loop is taken out of it
 * while it is looked at, so that most questions about what is outside are answered at once.
 * Whether what a loop leaves in a buffer is read is asked of what follows it: in its block,
 * then in those around it, up to the first write of all of the buffer. */
#include "../../ir/walk.h"
#include "../pipe/pipeline.h"

typedef struct PipeUsed PipeUsed;
struct PipeUsed {
    int64_t *n; uint32_t capn;    /* of a buffer: effects of statements, */
    int64_t *writes; uint32_t capwrites; /* ... those that write */
    const Stmt **role; uint32_t caprole; /* of a buffer: the outermost role that reads it, or Several */
    bool *view; uint32_t capview, nview; /* of a buffer: it has views; known of the first nview */
    CoverRoom room;
    const Stmt *in;               /* the outermost role that is looked at */
};

CoverRoom *pipe_room(const Low *l) { return &l->used->room; }

static const Stmt several; /* roles */

typedef struct Count Count;
struct Count { Low *l; int by; };

static bool one(void *ud, const Effect *e)
{
    const Count *k = ud;
    PipeUsed *u = k->l->used;
    Ctx *c = &k->l->p->ctx;
    agrow(c, &u->n, &u->capn, k->l->p->nbuf, sizeof *u->n);
    agrow(c, &u->role, &u->caprole, k->l->p->nbuf, sizeof *u->role);
    agrow(c, &u->writes, &u->capwrites, k->l->p->nbuf, sizeof *u->writes);
    u->n[e->buf] += k->by;
    u->writes[e->buf] += e->mode & EFwrite ? k->by : 0;
    const Stmt **role = &u->role[e->buf];
    if (u->in && e->mode & EFread)
        *role = *role && *role != u->in ? &several : u->in;
    return true;
}

static void count_all(Count *k, const Stmt *s, bool all)
{
    Stmt *b[2];
    for (; s; s = all ? s->next : NULL) {
        PipeUsed *u = k->l->used;
        const Stmt bare = pipe_bare(s), *in = u->in;
        bool nest = s->kind == Sfor && s->loop.kind == Fparallel;
        pipe_effects(k->l, &bare, false, one, k);
        if (s->kind == Srole && !in)
            u->in = s;
        for (int i = 0, n = nest ? 0 : stmt_blocks(s, b); i < n; i++)
            count_all(k, b[i], true);
        u->in = in;
    }
}

void pipe_used(Low *l)
{
    l->used = anew(&l->p->ctx, sizeof *l->used);
    pipe_used_more(l, l->launch->launch.body, true);
}

void pipe_used_less(Low *l, const Stmt *s)
{
    Count k = {l, -1};
    count_all(&k, s, false);
}

void pipe_used_more(Low *l, const Stmt *s, bool all)
{
    Count k = {l, 1};
    count_all(&k, s, all);
}

bool pipe_viewed(const Low *l, uint32_t b)
{
    const Prog *p = l->p;
    PipeUsed *u = l->used;
    if (p->buf[b].base)
        return true;
    agrow(&l->p->ctx, &u->view, &u->capview, p->nbuf, sizeof *u->view);
    for (; u->nview < p->nbuf; u->nview++)
        if (p->buf[u->nview].base)
            u->view[buf_root(p, u->nview)] = true;
    return u->view[b];
}

bool pipe_in_use(const Low *l, uint32_t b) { return b < l->used->capn && l->used->n[b] != 0; }

bool pipe_changed(const Low *l, uint32_t b)
{
    return b < l->used->capwrites && l->used->writes[b] != 0;
}

bool pipe_outside(const Pipe *q, uint32_t b) { return pipe_in_use(q->l, b); }

/* Behind the loop ------------------------------------------------------- */

static bool no_jump(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sbreak && s->kind != Scontinue;
}

/* May something in s leave a block around it? */
static bool jumps(const Stmt *s)
{
    Stmt alone = *s;
    alone.next = NULL;
    return !stmt_walk(&alone, no_jump, NULL);
}

typedef enum Met { Nothing, Maybe, Whole, Read } Met;

/* What s and those behind it, as far as `until`, do first to b: a read of what it held; a
 * write of all of it, Maybe: which some jump may pass by. */
static Met meets(Low *l, Stmt *s, const Stmt *until, uint32_t b, bool jumped)
{
    Stmt *in[2];
    for (; s && s != until; s = s->next) {
        const Stmt bare = pipe_bare(s);
        bool nest = s->kind == Sfor && s->loop.kind == Fparallel;
        int t = pipe_touches(l, &bare, false, b);
        if (t & EFread)
            return Read;
        int n = nest ? 0 : stmt_blocks(s, in);
        for (int i = 0; i < n; i++)
            if (meets(l, in[i], NULL, b, false) == Read)
                return Read;
        if ((t | (n ? pipe_touches(l, s, false, b) : 0)) & EFwrite && pipe_covers(l, &s, 1, b))
            return jumped ? Maybe : Whole;
        jumped |= n && jumps(s);
        jumped |= s->kind == Sbreak || s->kind == Scontinue;
    }
    return Nothing;
}

/* Does another role than that around the loop read b? */
static bool read_beside(const Low *l, const Stmt *role, uint32_t b)
{
    const PipeUsed *u = l->used;
    return b < u->caprole && u->role[b] && u->role[b] != role;
}

bool pipe_live_out(const Pipe *q, uint32_t b)
{
    Low *l = q->l;
    const Stmt *x = q->loop;
    if (!pipe_outside(q, b))
        return false;
    for (const Above *a = q->above;; a = a->up) {
        Met m = meets(l, x->next, NULL, b, x != q->loop && jumps(x));
        if (m == Read)
            return true;
        if (!a)
            return false;
        if (a->s->kind == Srole && read_beside(l, a->s, b))
            return true;
        if (m == Whole)
            return false;
        bool loop = a->s->kind == Sfor || a->s->kind == Swhile;
        const Stmt bare = pipe_bare(a->s);
        Stmt *body[2];
        if (loop && stmt_blocks(a->s, body) &&
            (pipe_touches(l, &bare, false, b) & EFread || meets(l, body[0], x, b, false) == Read))
            return true;
        x = a->s;
    }
}

/* Allocations ----------------------------------------------------------- */

typedef struct Gone { bool *of; uint32_t n; } Gone;

static Stmt *unused(Low *l, Stmt *s, bool *into, void *ud)
{
    const Gone *g = ud;
    (void)l;
    (void)into;
    return s->kind == Salloc && s->alloc.buf < g->n && g->of[s->alloc.buf] ? NULL : s;
}

void pipe_drop(Low *l, const uint32_t *buf, uint32_t n)
{
    Gone g = {anew(&l->p->ctx, l->p->nbuf), l->p->nbuf};
    for (uint32_t i = 0; i < n; i++)
        g.of[buf[i]] = !pipe_in_use(l, buf[i]);
    if (n)
        low_rewrite(l, &l->launch->launch.body, unused, &g);
}
