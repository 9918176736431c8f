/* core/lower/pipe/rings.c: rings as pairs of mbarriers, and the initialisation of
 * all barrier objects of the block.
 *
 * Ring R of S slots becomes R_full[S] and R_empty[S].  Use number u has slot
 * u % S; the phases of a slot's barriers are counted by u // S:
 *
 *     acquire  mbar_wait empty[s], (u // S + 1) % 2     a fresh barrier lets pass
 *     commit   mbar_arrive_expect full[s], bytes        the producer's one arrival
 *     wait     mbar_wait full[s], (u // S) % 2
 *     release  one arrival of each consumer warp, or warp group, on empty[s]
 *
 * Lane 0 arrives for its warp, behind a warp_sync if other lanes read by themselves.
 * What only warp groups read together has been read once one of their threads has
 * waited for it: that one arrives for all.
 *
 * In a cluster every producer loads into all blocks, so that all of their consumers
 * must have released a slot: each has as many threads that arrive as there are
 * blocks, one for each.  The blocks wait for each other before the first load, and
 * at the end, as long as somebody may still arrive.
 *
 * Reference: lowering.md 5.4. */
#include "core/ir/walk.h"
#include "pipeline.h"

typedef struct Pair Pair;
struct Pair {
    uint32_t full, empty;
    bool freed;
    bool lanes;        /* read by single lanes, not only by warp groups and TMA */
    bool groups;       /* read by warp groups */
    int64_t slots;
};

typedef struct Rings Rings;
struct Rings {
    Low *l;
    Pair *pair;        /* of a buffer of scope ring */
    uint32_t n;
    Stmt *init;        /* mbar_init of everything */
    const Stmt **synced;   /* releases right behind another's warp_sync */
    uint32_t nsynced, capsynced;
};

static bool frees(Stmt *s, void *ud)
{
    Rings *r = ud;
    if (s->kind == Sop && (s->op.op == Oring_acquire || s->op.op == Oring_release))
        r->pair[s->op.r[0].buf].freed = true;
    return true;
}

/* A buffer that single lanes touch, or warp groups. */
static void touched(Rings *r, uint32_t buf, bool group)
{
    uint32_t ring = buf < r->n ? low_buf(r->l, buf_root(r->l->p, buf))->ring : 0;
    if (!ring || r->l->p->buf[buf].scope != SCshared)
        return;
    r->pair[ring].groups |= group;
    r->pair[ring].lanes |= !group;
}

static ExGo loads(void *ud, Ex e)
{
    Rings *r = ud;
    const Expr *x = &r->l->p->ex[e];
    if (x->op == Xload)
        touched(r, x->sym, false);
    return EXinto;
}

static bool reads(Stmt *s, void *ud)
{
    Rings *r = ud;
    stmt_ex_walk(r->l->p, s, loads, r);
    if (s->kind == Sstore)
        touched(r, s->store.buf, false);
    else if (s->kind == Satomic)
        touched(r, s->atomic.buf, false);
    else if (s->kind == Sop && s->op.op != Otma_load && s->op.op != Obulk_load)
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            touched(r, s->op.r[i].buf, s->op.op == Owgmma);
    return true;
}

static Stmt *mbar(Low *l, enum Op op, uint32_t buf, Ex slot, Ex value, Loc loc)
{
    Stmt *s = low_op(l, op, loc);
    s->op.r[0].buf = buf;
    s->op.r[0].min[0] = slot;
    s->op.r[0].extent[0] = low_i(l, 1);
    s->op.value = value;
    return s;
}

static void init(Rings *r, uint32_t buf, int64_t slots, int64_t arrivals, Loc loc)
{
    Low *l = r->l;
    for (int64_t i = 0; i < slots; i++)
        r->init = low_append(r->init, mbar(l, Ombar_init, buf, low_i(l, i), low_i(l, arrivals),
                                           loc));
}

/* Threads for which one arrives. */
static int releases(const Low *l, const Pair *k)
{
    int group = l->m->group * l->m->warp;
    return k->lanes || !k->groups || group == 0 || l->threads % group ? l->m->warp : group;
}

/* Blocks of the cluster whose producers load into each other's memory. */
static int blocks(const Low *l) { return l->rank ? l->launch->launch.cluster[0] : 1; }

/* The barriers of a ring, where it is allocated. */
static Stmt *make(Rings *r, Stmt *s)
{
    Low *l = r->l;
    Prog *p = l->p;
    Buf ring = p->buf[s->alloc.buf];
    Pair *k = &r->pair[s->alloc.buf];
    Ex n = ring.shape[0];
    Stmt *list;
    x_isint(p, n, &k->slots);
    k->full = p_buf(p, SCbarrier, DTu64, afmt(&p->ctx, "%s_full", ring.name), &n, NULL, 1);
    p->buf[k->full].loc = s->loc;
    low_buf(l, k->full)->ring = s->alloc.buf;
    list = low_alloc(l, k->full, s->loc);
    init(r, k->full, k->slots, 1, s->loc);
    if (k->freed) {
        k->empty = p_buf(p, SCbarrier, DTu64, afmt(&p->ctx, "%s_empty", ring.name), &n, NULL, 1);
        p->buf[k->empty].loc = s->loc;
        low_buf(l, k->empty)->ring = s->alloc.buf;
        list = low_append(list, low_alloc(l, k->empty, s->loc));
        init(r, k->empty, k->slots, blocks(l) * l->threads / releases(l, k), s->loc);
    }
    return list;
}

/* (use // slots + flip) % 2 */
static Ex parity(Low *l, Ex use, int64_t slots, int flip)
{
    return low_mod(l, low_add(l, low_div(l, use, slots), low_i(l, flip)), 2);
}

/* Releases that stand behind one another need one warp_sync. */
static bool behind(Stmt *s, void *ud)
{
    Rings *r = ud;
    if (s->kind != Sop || s->op.op != Oring_release || !r->pair[s->op.r[0].buf].lanes || !s->next ||
        s->next->kind != Sop || s->next->op.op != Oring_release)
        return true;
    agrow(&r->l->p->ctx, &r->synced, &r->capsynced, r->nsynced + 1, sizeof *r->synced);
    r->synced[r->nsynced++] = s->next;
    return true;
}

static bool is_synced(const Rings *r, const Stmt *s)
{
    for (uint32_t i = 0; i < r->nsynced; i++)
        if (r->synced[i] == s)
            return true;
    return false;
}

static Stmt *release(const Rings *r, const Stmt *s, const Pair *k)
{
    Low *l = r->l;
    int unit = releases(l, k), each = unit / blocks(l);
    Ex first = x_bin(l->p, Xeq, low_mod(l, low_thread(l), each), low_i(l, 0));
    Ex to = blocks(l) == 1 ? low_i(l, -1) : low_div(l, low_mod(l, low_thread(l), unit), each);
    Stmt *list = k->lanes && !is_synced(r, s) ? low_op(l, Owarp_sync, s->loc) : NULL;
    Stmt *a = mbar(l, Ombar_arrive, k->empty, s->op.r[0].min[0], to, s->loc);
    return low_append(list, low_guard(l, first, a));
}

static Stmt *each(Low *l, Stmt *s, bool *into, void *ud)
{
    Rings *r = ud;
    (void)into;
    if (s->kind == Salloc && l->p->buf[s->alloc.buf].scope == SCring)
        return make(r, s);
    if (s->kind != Sop)
        return s;
    if (s->op.op == Otma_load || s->op.op == Obulk_load) {
        uint32_t b = s->op.r[2].buf;
        if (b < r->n && r->pair[b].full)
            s->op.r[2].buf = r->pair[b].full;
        return s;
    }
    if (opinfo[s->op.op].nregion != 1 || s->op.r[0].buf >= r->n || !r->pair[s->op.r[0].buf].full)
        return s;
    const Pair *k = &r->pair[s->op.r[0].buf];
    Ex slot = s->op.r[0].min[0], use = s->op.value;
    switch ((enum Op)s->op.op) {
    case Oring_acquire:
        return mbar(l, Ombar_wait, k->empty, slot, parity(l, use, k->slots, 1), s->loc);
    case Oring_commit:
        if (s->op.attr[0] == 0)
            return mbar(l, Ombar_arrive, k->full, slot, low_i(l, -1), s->loc);
        return mbar(l, Ombar_arrive_expect, k->full, slot, low_i(l, s->op.attr[0]), s->loc);
    case Oring_wait:
        return mbar(l, Ombar_wait, k->full, slot, parity(l, use, k->slots, 0), s->loc);
    case Oring_release: return release(r, s, k);
    default: return s;
    }
}

/* Initialisations that stand among the launch's statements: the user's
 * barriers, those of single TMA loads. */
static void gather(Rings *r)
{
    for (Stmt **at = &r->l->launch->launch.body; *at;) {
        Stmt *s = *at;
        if (s->kind == Sop && s->op.op == Ombar_init) {
            *at = s->next;
            s->next = NULL;
            r->init = low_append(r->init, s);
        } else {
            at = &s->next;
        }
    }
}

/* All blocks of the cluster come here. */
static Stmt *together(Low *l)
{
    Loc loc = l->launch->loc;
    return low_append(low_op(l, Ocluster_arrive, loc), low_op(l, Ocluster_wait, loc));
}

/* One thread initialises, behind the allocations at the launch's beginning.
 * The barrier of the block that must follow is low_sync's. */
static void place(Rings *r)
{
    Low *l = r->l;
    Prog *p = l->p;
    Stmt *launch = l->launch, **at = &launch->launch.body, *allocs = NULL;
    if (!r->init)
        return;
    for (Stmt **s = at; *s;) { /* the objects come first, wherever they were */
        Stmt *a = *s;
        if (a->kind == Salloc && p->buf[a->alloc.buf].scope == SCbarrier) {
            *s = a->next;
            a->next = NULL;
            allocs = low_append(allocs, a);
        } else {
            s = &a->next;
        }
    }
    Ex one = x_bin(p, Xeq, x_var(p, launch->launch.thread[0]), low_i(l, 0));
    Stmt *fence = low_op(l, Ombar_fence, launch->loc);
    Stmt *s = low_guard(l, one, low_append(r->init, fence));
    s->loc = launch->loc;
    if (blocks(l) > 1) {
        s = low_append(s, together(l));
        *at = low_append(*at, together(l));
    }
    *at = low_append(allocs, low_append(s, *at));
}

void low_rings(Low *l)
{
    Rings r = {.l = l, .n = l->p->nbuf};
    r.pair = anew(&l->p->ctx, r.n * sizeof *r.pair);
    stmt_walk(l->launch->launch.body, frees, &r);
    stmt_walk(l->launch->launch.body, reads, &r);
    stmt_walk(l->launch->launch.body, behind, &r);
    gather(&r);
    low_rewrite(l, &l->launch->launch.body, each, &r);
    place(&r);
}
