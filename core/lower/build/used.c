/* core/lower/build/used.c: who touches a buffer outside of a loop.
 *
 * A table counts what the launch's statements do to each buffer; a loop is taken out of it
 * while it is looked at, so that most questions about what is outside are answered at once.
 * Whether what a loop leaves in a buffer is read is asked of what follows it: in its block,
 * then in those around it, up to the first write of all of the buffer. */
#include "core/ir/walk.h"
#include "accesses.h"

typedef struct LowUses LowUses;
struct LowUses {
    int64_t *n; uint32_t capn;    /* of a buffer: effects of statements, */
    int64_t *writes; uint32_t capwrites; /* ... those that write */
    const Stmt **role; uint32_t caprole; /* of a buffer: the outermost role that reads it, or Several */
    bool *view; uint32_t capview, nview; /* of a buffer: it has views; known of the first nview */
    CoverRoom room;
    const Stmt *in;               /* the outermost role that is looked at */
};

CoverRoom *cover_room(const Low *l) { return &l->used->room; }

static const Stmt several; /* roles */

typedef struct UseCount UseCount;
struct UseCount { Low *l; int by; };

static bool note_effect(void *ud, const MemEffect *e)
{
    const UseCount *k = ud;
    LowUses *u = k->l->used;
    Ctx *c = &k->l->p->ctx;
    agrow(c, &u->n, &u->capn, k->l->p->nbuf, sizeof *u->n);
    agrow(c, &u->role, &u->caprole, k->l->p->nbuf, sizeof *u->role);
    agrow(c, &u->writes, &u->capwrites, k->l->p->nbuf, sizeof *u->writes);
    u->n[e->root] += k->by;
    u->writes[e->root] += e->mode & FXwrite ? k->by : 0;
    const Stmt **role = &u->role[e->root];
    if (u->in && e->mode & FXread)
        *role = *role && *role != u->in ? &several : u->in;
    return true;
}

static void count_all(UseCount *k, const Stmt *s, bool all)
{
    Stmt *b[2];
    for (; s; s = all ? s->next : NULL) {
        LowUses *u = k->l->used;
        const Stmt bare = stmt_bare(s), *in = u->in;
        bool parloop = s->kind == Sfor && s->loop.kind == Fparallel;
        block_effects(k->l->p, &bare, false, note_effect, k);
        if (s->kind == Srole && !in)
            u->in = s;
        for (int i = 0, n = parloop ? 0 : stmt_blocks(s, b); i < n; i++)
            count_all(k, b[i], true);
        u->in = in;
    }
}

void low_uses(Low *l)
{
    l->used = anew(&l->p->ctx, sizeof *l->used);
    low_uses_more(l, l->launch->launch.body, true);
}

void low_uses_less(Low *l, const Stmt *s)
{
    UseCount k = {l, -1};
    count_all(&k, s, false);
}

void low_uses_more(Low *l, const Stmt *s, bool all)
{
    UseCount k = {l, 1};
    count_all(&k, s, all);
}

bool low_viewed(const Low *l, uint32_t b)
{
    const Prog *p = l->p;
    LowUses *u = l->used;
    if (p->buf[b].base)
        return true;
    agrow(&l->p->ctx, &u->view, &u->capview, p->nbuf, sizeof *u->view);
    for (; u->nview < p->nbuf; u->nview++)
        if (p->buf[u->nview].base)
            u->view[buf_root(p, u->nview)] = true;
    return u->view[b];
}

int64_t low_uses_of(const Low *l, uint32_t b) { return b < l->used->capn ? l->used->n[b] : 0; }

bool low_in_use(const Low *l, uint32_t b) { return b < l->used->capn && l->used->n[b] != 0; }

bool low_changed(const Low *l, uint32_t b)
{
    return b < l->used->capwrites && l->used->writes[b] != 0;
}

/* Behind the loop ------------------------------------------------------- */

static bool used_no_jump(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sbreak && s->kind != Scontinue;
}

/* May something in s leave a block around it? */
static bool used_jumps(const Stmt *s)
{
    Stmt alone = *s;
    alone.next = NULL;
    return !stmt_walk(&alone, used_no_jump, NULL);
}

typedef enum Met { Nothing, Maybe, Whole, Read } Met;

/* What s and those behind it, as far as `until`, do first to b: a read of what it held; a
 * write of all of it, Maybe: which some jump may pass by. */
static Met used_meets(Low *l, Stmt *s, const Stmt *until, uint32_t b, bool jumped)
{
    Stmt *in[2];
    for (; s && s != until; s = s->next) {
        const Stmt bare = stmt_bare(s);
        bool parloop = s->kind == Sfor && s->loop.kind == Fparallel;
        int t = low_accesses(l, &bare, false, b);
        if (t & FXread)
            return Read;
        int n = parloop ? 0 : stmt_blocks(s, in);
        for (int i = 0; i < n; i++)
            if (used_meets(l, in[i], NULL, b, false) == Read)
                return Read;
        if ((t | (n ? low_accesses(l, s, false, b) : 0)) & FXwrite && low_covers(l, &s, 1, b))
            return jumped ? Maybe : Whole;
        jumped |= n && used_jumps(s);
        jumped |= s->kind == Sbreak || s->kind == Scontinue;
    }
    return Nothing;
}

/* Does another role than that around the loop read b? */
static bool read_beside(const Low *l, const Stmt *role, uint32_t b)
{
    const LowUses *u = l->used;
    return b < u->caprole && u->role[b] && u->role[b] != role;
}

bool low_read_behind(Low *l, const Stmt *from, const Above *above, uint32_t b)
{
    const Stmt *x = from;
    if (!low_in_use(l, b))
        return false;
    for (const Above *a = above;; a = a->up) {
        Met m = used_meets(l, x->next, NULL, b, x != from && used_jumps(x));
        if (m == Read)
            return true;
        if (!a)
            return false;
        if (a->s->kind == Srole && read_beside(l, a->s, b))
            return true;
        if (m == Whole)
            return false;
        bool loop = a->s->kind == Sfor || a->s->kind == Swhile;
        const Stmt bare = stmt_bare(a->s);
        Stmt *body[2];
        if (loop && stmt_blocks(a->s, body) &&
            (low_accesses(l, &bare, false, b) & FXread ||
             used_meets(l, body[0], x, b, false) == Read))
            return true;
        x = a->s;
    }
}

/* Allocations ----------------------------------------------------------- */

typedef struct GoneUse { bool *of; uint32_t n; } GoneUse;

static Stmt *used_unused(Low *l, Stmt *s, bool *into, void *ud)
{
    const GoneUse *g = ud;
    (void)l;
    (void)into;
    return s->kind == Salloc && s->alloc.buf < g->n && g->of[s->alloc.buf] ? NULL : s;
}

void low_drop(Low *l, const uint32_t *buf, uint32_t n)
{
    GoneUse g = {anew(&l->p->ctx, l->p->nbuf), l->p->nbuf};
    for (uint32_t i = 0; i < n; i++)
        g.of[buf[i]] = !low_in_use(l, buf[i]);
    if (n)
        low_rewrite(l, &l->launch->launch.body, used_unused, &g);
}
