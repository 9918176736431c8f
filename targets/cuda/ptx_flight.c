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
typedef struct PtxFlightGroup PtxFlightGroup;
struct PtxFlightGroup { const Regs *regs; const PtxFlightGroup *older; };
/* n groups in flight; open: products that are not committed. */
typedef struct PtxFlight { const PtxFlightGroup *newest; int n; const Regs *open; } PtxFlight;

typedef struct PtxFlightFacts PtxFlightFacts;
struct PtxFlightFacts {
    Prog *p;
    const PlanLaunch *l;
    struct PtxFlightSlot { const Stmt *s; WgmmaFact *fact; } *slot; /* hash table */
    uint32_t n, cap;
};

/* The table ------------------------------------------------------------- */

static struct PtxFlightSlot *ptx_flight_place(const PtxFlightFacts *t, const Stmt *s)
{
    uint32_t i = (uint32_t)((uint64_t)(uintptr_t)s * 0x9E3779B97F4A7C15u >> 32) & (t->cap - 1);
    while (t->slot[i].s && t->slot[i].s != s)
        i = (i + 1) & (t->cap - 1);
    return &t->slot[i];
}

static WgmmaFact *ptx_flight_fact(PtxFlightFacts *t, const Stmt *s)
{
    if (2 * (t->n + 1) >= t->cap) {
        struct PtxFlightSlot *old = t->slot;
        uint32_t n = t->cap;
        t->cap = n ? 2 * n : 64;
        t->slot = anew(&t->p->ctx, t->cap * sizeof *t->slot);
        for (uint32_t i = 0; i < n; i++)
            if (old[i].s)
                *ptx_flight_place(t, old[i].s) = old[i];
    }
    struct PtxFlightSlot *k = ptx_flight_place(t, s);
    if (!k->s) {
        *k = (struct PtxFlightSlot){s, anew(&t->p->ctx, sizeof *k->fact)};
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

static void ptx_flight_commit(Prog *p, PtxFlight *f)
{
    PtxFlightGroup *g = anew(&p->ctx, sizeof *g);
    *g = (PtxFlightGroup){f->open, f->newest};
    *f = (PtxFlight){g, f->n + 1, NULL};
}

/* Accumulators of g, the oldest first, that are not in flight in f. */
static void regs_to(Prog *p, const Regs *r, const PtxFlight *f, Held *done)
{
    if (!r)
        return;
    regs_to(p, r->next, f, done);
    bool again = f && in_regs(f->open, r->buf);
    for (const PtxFlightGroup *g = f ? f->newest : NULL; g && !again; g = g->older)
        again = in_regs(g->regs, r->buf);
    if (!again)
        held_add(p, done, r->buf, false);
}

static void groups_to(Prog *p, const PtxFlightGroup *g, const PtxFlight *f, Held *done)
{
    if (!g)
        return;
    groups_to(p, g->older, f, done);
    regs_to(p, g->regs, f, done);
}

/* The newest n groups from g on. */
static const PtxFlightGroup *newest(Prog *p, const PtxFlightGroup *g, int n)
{
    if (n <= 0 || !g)
        return NULL;
    PtxFlightGroup *k = anew(&p->ctx, sizeof *k);
    *k = (PtxFlightGroup){g->regs, newest(p, g->older, n - 1)};
    return k;
}

/* At most `keep` groups stay; accumulators of the others that are in no younger one are
 * added to *done. */
static void retire(Prog *p, PtxFlight *f, int keep, Held *done)
{
    const PtxFlightGroup *gone = f->newest;
    if (f->n <= keep)
        return;
    for (int i = 0; i < keep; i++)
        gone = gone->older;
    f->newest = newest(p, f->newest, keep);
    f->n = keep;
    groups_to(p, gone, f, done);
}

/* The walk -------------------------------------------------------------- */

static bool ptx_flight_is_op(const Stmt *s, enum Op op) { return s->kind == Sop && s->op.op == op; }

static void ptx_flight_operation(PtxFlightFacts *t, const Stmt *s, const WgmmaAround *around,
                                 PtxFlight *f)
{
    if (ptx_flight_is_op(s, Owgmma)) {
        f->open = with(t->p, f->open, buf_root(t->p, s->op.r[2].buf));
        ptx_flight_fact(t, s)->around = around;
    } else if (ptx_flight_is_op(s, Owgmma_commit)) {
        ptx_flight_commit(t->p, f);
    } else if (ptx_flight_is_op(s, Owgmma_fence)) {
        groups_to(t->p, f->newest, NULL, &ptx_flight_fact(t, s)->held);
    } else if (ptx_flight_is_op(s, Owgmma_wait)) {
        retire(t->p, f, s->op.attr[0], &ptx_flight_fact(t, s)->held);
    }
}

/* Is there any of it in s and what follows? */
static bool ptx_flight_groups(const Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        if (ptx_flight_is_op(s, Owgmma) || ptx_flight_is_op(s, Owgmma_commit) ||
            ptx_flight_is_op(s, Owgmma_fence) || ptx_flight_is_op(s, Owgmma_wait))
            return true;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (ptx_flight_groups(b[i]))
                return true;
    }
    return false;
}

/* Follows the groups through a block; a loop's body is gone through twice, as groups may be
 * in flight when it begins again. */
static void ptx_flight_follow(PtxFlightFacts *t, const Stmt *s, const WgmmaAround *around,
                              PtxFlight *f)
{
    for (; s; s = s->next) {
        Stmt *b[2];
        int n = stmt_blocks(s, b);
        PtxFlight before = *f;
        ptx_flight_operation(t, s, around, f);
        if (s->kind == Sif) {
            ptx_flight_follow(t, b[0], around, f);
            ptx_flight_follow(t, b[1], around, &before);
            *f = before.n > f->n ? before : *f;
        } else if (s->kind == Srole) {
            ptx_flight_follow(t, b[0], around, &(PtxFlight){0});
        } else if (n && ptx_flight_groups(b[0])) {
            WgmmaAround *k = anew(&t->p->ctx, sizeof *k);
            *k = (WgmmaAround){s, around};
            for (int twice = 0; twice < 2; twice++)
                ptx_flight_follow(t, b[0], s->kind == Sfor ? k : around, f);
        }
    }
}

const WgmmaFact *wgmma_fact(Emit *e, const Stmt *s)
{
    PtxFlightFacts *t = e->own;
    if (!t || t->l != e->l) {
        t = e->own = anew(&e->p->ctx, sizeof *t);
        t->p = e->p;
        t->l = e->l;
        ptx_flight_follow(t, e->l->launch->launch.body, NULL, &(PtxFlight){0});
    }
    return ptx_flight_fact(t, s);
}
