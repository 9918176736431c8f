/* targets/cuda/ptx_flight.c: what printing a product of warp groups, its fences and its waits
 * needs to know of the statements around: found in one walk of the launch.
 *
 * The walk follows the groups of products through the statements.  Lists grow at their heads
 * and never change otherwise, so that both sides of a branch begin with one. */
#include "ptx.h"

#include "core/ir/walk.h"

/* Arrays of registers, the newest first. */
typedef struct Regs Regs;
struct Regs { uint32_t buf; const Regs *next; };
typedef struct Group Group;
struct Group { const Regs *regs; const Group *older; };
/* n groups in flight; open: products that are not committed. */
typedef struct Flight { const Group *newest; int n; const Regs *open; } Flight;

typedef struct Facts Facts;
struct Facts {
    Prog *p;
    const PlanLaunch *l;
    struct Slot { const Stmt *s; WgmmaFact *fact; } *slot; /* hash table */
    uint32_t n, cap;
};

/* The table ------------------------------------------------------------- */

static struct Slot *place(const Facts *t, const Stmt *s)
{
    uint32_t i = (uint32_t)((uint64_t)(uintptr_t)s * 0x9E3779B97F4A7C15u >> 32) & (t->cap - 1);
    while (t->slot[i].s && t->slot[i].s != s)
        i = (i + 1) & (t->cap - 1);
    return &t->slot[i];
}

static WgmmaFact *fact(Facts *t, const Stmt *s)
{
    if (2 * (t->n + 1) >= t->cap) {
        struct Slot *old = t->slot;
        uint32_t n = t->cap;
        t->cap = n ? 2 * n : 64;
        t->slot = anew(&t->p->ctx, t->cap * sizeof *t->slot);
        for (uint32_t i = 0; i < n; i++)
            if (old[i].s)
                *place(t, old[i].s) = old[i];
    }
    struct Slot *k = place(t, s);
    if (!k->s) {
        *k = (struct Slot){s, anew(&t->p->ctx, sizeof *k->fact)};
        t->n++;
    }
    return k->fact;
}

bool held_has(const Held *h, uint32_t buf)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (h->at[i].buf == buf)
            return true;
    return false;
}

void held_add(Prog *p, Held *h, uint32_t buf, bool fresh)
{
    if (held_has(h, buf))
        return;
    agrow(&p->ctx, &h->at, &h->cap, h->n + 1, sizeof *h->at);
    h->at[h->n].fresh = fresh;
    h->at[h->n++].buf = buf;
}

/* Groups ---------------------------------------------------------------- */

static bool in_regs(const Regs *r, uint32_t buf)
{
    while (r && r->buf != buf)
        r = r->next;
    return r;
}

static const Regs *with(Prog *p, const Regs *r, uint32_t buf)
{
    if (in_regs(r, buf))
        return r;
    Regs *k = anew(&p->ctx, sizeof *k);
    *k = (Regs){buf, r};
    return k;
}

static void commit(Prog *p, Flight *f)
{
    Group *g = anew(&p->ctx, sizeof *g);
    *g = (Group){f->open, f->newest};
    *f = (Flight){g, f->n + 1, NULL};
}

/* Accumulators of g, the oldest first, that are not in flight in f. */
static void regs_to(Prog *p, const Regs *r, const Flight *f, Held *done)
{
    if (!r)
        return;
    regs_to(p, r->next, f, done);
    bool again = f && in_regs(f->open, r->buf);
    for (const Group *g = f ? f->newest : NULL; g && !again; g = g->older)
        again = in_regs(g->regs, r->buf);
    if (!again)
        held_add(p, done, r->buf, false);
}

static void groups_to(Prog *p, const Group *g, const Flight *f, Held *done)
{
    if (!g)
        return;
    groups_to(p, g->older, f, done);
    regs_to(p, g->regs, f, done);
}

/* The newest n groups from g on. */
static const Group *newest(Prog *p, const Group *g, int n)
{
    if (n <= 0 || !g)
        return NULL;
    Group *k = anew(&p->ctx, sizeof *k);
    *k = (Group){g->regs, newest(p, g->older, n - 1)};
    return k;
}

/* At most `keep` groups stay; accumulators of the others that are in no younger one are
 * added to *done. */
static void retire(Prog *p, Flight *f, int keep, Held *done)
{
    const Group *gone = f->newest;
    if (f->n <= keep)
        return;
    for (int i = 0; i < keep; i++)
        gone = gone->older;
    f->newest = newest(p, f->newest, keep);
    f->n = keep;
    groups_to(p, gone, f, done);
}

/* The walk -------------------------------------------------------------- */

static bool is_op(const Stmt *s, enum Op op) { return s->kind == Sop && s->op.op == op; }

static void operation(Facts *t, const Stmt *s, const WgmmaAround *around, Flight *f)
{
    if (is_op(s, Owgmma)) {
        f->open = with(t->p, f->open, buf_root(t->p, s->op.r[2].buf));
        fact(t, s)->around = around;
    } else if (is_op(s, Owgmma_commit)) {
        commit(t->p, f);
    } else if (is_op(s, Owgmma_fence)) {
        groups_to(t->p, f->newest, NULL, &fact(t, s)->held);
    } else if (is_op(s, Owgmma_wait)) {
        retire(t->p, f, s->op.attr[0], &fact(t, s)->held);
    }
}

/* Is there any of it in s and what follows? */
static bool groups(const Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        if (is_op(s, Owgmma) || is_op(s, Owgmma_commit) || is_op(s, Owgmma_fence) ||
            is_op(s, Owgmma_wait))
            return true;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (groups(b[i]))
                return true;
    }
    return false;
}

/* Follows the groups through a block; a loop's body is gone through twice, as groups may be
 * in flight when it begins again. */
static void follow(Facts *t, const Stmt *s, const WgmmaAround *around, Flight *f)
{
    for (; s; s = s->next) {
        Stmt *b[2];
        int n = stmt_blocks(s, b);
        Flight before = *f;
        operation(t, s, around, f);
        if (s->kind == Sif) {
            follow(t, b[0], around, f);
            follow(t, b[1], around, &before);
            *f = before.n > f->n ? before : *f;
        } else if (s->kind == Srole) {
            follow(t, b[0], around, &(Flight){0});
        } else if (n && groups(b[0])) {
            WgmmaAround *k = anew(&t->p->ctx, sizeof *k);
            *k = (WgmmaAround){s, around};
            for (int twice = 0; twice < 2; twice++)
                follow(t, b[0], s->kind == Sfor ? k : around, f);
        }
    }
}

const WgmmaFact *wgmma_fact(Emit *e, const Stmt *s)
{
    Facts *t = e->own;
    if (!t || t->l != e->l) {
        t = e->own = anew(&e->p->ctx, sizeof *t);
        t->p = e->p;
        t->l = e->l;
        follow(t, e->l->launch->launch.body, NULL, &(Flight){0});
    }
    return fact(t, s);
}
