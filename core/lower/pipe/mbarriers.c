/* core/lower/pipe/mbarriers.c: barrier pairs of pipelines as mbarriers, and the initialisation of
 * all barrier objects of the block.
 *
 * The pair P of S stages becomes P_full[S] and P_empty[S].  Use number u has stage
 * u % S; the phases of a stage's barriers are counted by u // S:
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
 * must have released a stage: each has as many threads that arrive as there are
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
    int64_t stages;
};

typedef struct MbarrierLower MbarrierLower;
struct MbarrierLower {
    Low *l;
    Pair *pair;        /* of a buffer of scope pipe */
    uint32_t n;
    Stmt *init;        /* mbar_init of everything */
    const Stmt **synced;   /* releases right behind another's warp_sync */
    uint32_t nsynced, capsynced;
};

static bool frees(Stmt *s, void *ud)
{
    MbarrierLower *r = ud;
    if (s->kind == Sop && (s->op.op == Opipe_acquire || s->op.op == Opipe_release))
        r->pair[s->op.r[0].buf].freed = true;
    return true;
}

/* A buffer that single lanes touch, or warp groups. */
static void mbarriers_accessed(MbarrierLower *r, uint32_t buf, bool group)
{
    uint32_t pipe = buf < r->n ? low_buf(r->l, buf_root(r->l->p, buf))->pipe : 0;
    if (!pipe || r->l->p->buf[buf].scope != SCshared)
        return;
    r->pair[pipe].groups |= group;
    r->pair[pipe].lanes |= !group;
}

static ExGo count_loads_of(void *ud, Ex e)
{
    MbarrierLower *r = ud;
    const Expr *x = &r->l->p->ex[e];
    if (x->op == Xload)
        mbarriers_accessed(r, x->sym, false);
    return EXinto;
}

static bool mbarriers_reads(Stmt *s, void *ud)
{
    MbarrierLower *r = ud;
    stmt_ex_walk(r->l->p, s, count_loads_of, r);
    if (s->kind == Sstore)
        mbarriers_accessed(r, s->store.buf, false);
    else if (s->kind == Satomic)
        mbarriers_accessed(r, s->atomic.buf, false);
    else if (s->kind == Sop && s->op.op != Otma_load && s->op.op != Obulk_load)
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            mbarriers_accessed(r, s->op.r[i].buf, s->op.op == Owgmma);
    return true;
}

static Stmt *mbar(Low *l, enum Op op, uint32_t buf, Ex stage, Ex value, Loc loc)
{
    Stmt *s = low_op(l, op, loc);
    s->op.r[0].buf = buf;
    s->op.r[0].min[0] = stage;
    s->op.r[0].extent[0] = low_i(l, 1);
    s->op.value = value;
    return s;
}

static void init(MbarrierLower *r, uint32_t buf, int64_t stages, int64_t arrivals, Loc loc)
{
    Low *l = r->l;
    for (int64_t i = 0; i < stages; i++)
        r->init = low_append(r->init, mbar(l, Ombar_init, buf, low_i(l, i), low_i(l, arrivals),
                                           loc));
}

/* Threads for which one arrives. */
static int mbarriers_releases(const Low *l, const Pair *k)
{
    int group = l->m->group * l->m->warp;
    return k->lanes || !k->groups || group == 0 || l->threads % group ? l->m->warp : group;
}

/* Blocks of the cluster whose producers load into each other's memory. */
static int cluster_blocks(const Low *l) { return l->rank ? l->launch->launch.cluster[0] : 1; }

/* The barriers of a barrier pair, where it is allocated. */
static Stmt *make_barriers(MbarrierLower *r, Stmt *s)
{
    Low *l = r->l;
    Prog *p = l->p;
    Buf pipe = p->buf[s->alloc.buf];
    Pair *k = &r->pair[s->alloc.buf];
    Ex n = pipe.shape[0];
    Stmt *list;
    x_isint(p, n, &k->stages);
    k->full = p_buf(p, SCbarrier, DTu64, afmt(&p->ctx, "%s_full", pipe.name), &n, NULL, 1);
    p->buf[k->full].loc = s->loc;
    low_buf(l, k->full)->pipe = s->alloc.buf;
    list = low_alloc(l, k->full, s->loc);
    init(r, k->full, k->stages, 1, s->loc);
    if (k->freed) {
        k->empty = p_buf(p, SCbarrier, DTu64, afmt(&p->ctx, "%s_empty", pipe.name), &n, NULL, 1);
        p->buf[k->empty].loc = s->loc;
        low_buf(l, k->empty)->pipe = s->alloc.buf;
        list = low_append(list, low_alloc(l, k->empty, s->loc));
        init(r, k->empty, k->stages, cluster_blocks(l) * l->threads / mbarriers_releases(l, k),
             s->loc);
    }
    return list;
}

/* (use // stages + flip) % 2 */
static Ex parity(Low *l, Ex use, int64_t stages, int flip)
{
    return low_mod(l, low_add(l, low_div(l, use, stages), low_i(l, flip)), 2);
}

/* Releases that stand behind one another need one warp_sync. */
static bool release_behind(Stmt *s, void *ud)
{
    MbarrierLower *r = ud;
    if (s->kind != Sop || s->op.op != Opipe_release || !r->pair[s->op.r[0].buf].lanes || !s->next ||
        s->next->kind != Sop || s->next->op.op != Opipe_release)
        return true;
    agrow(&r->l->p->ctx, &r->synced, &r->capsynced, r->nsynced + 1, sizeof *r->synced);
    r->synced[r->nsynced++] = s->next;
    return true;
}

static bool is_synced(const MbarrierLower *r, const Stmt *s)
{
    for (uint32_t i = 0; i < r->nsynced; i++)
        if (r->synced[i] == s)
            return true;
    return false;
}

static Stmt *mbarriers_release(const MbarrierLower *r, const Stmt *s, const Pair *k)
{
    Low *l = r->l;
    int unit = mbarriers_releases(l, k), each = unit / cluster_blocks(l);
    Ex first = x_bin(l->p, Xeq, low_mod(l, low_thread(l), each), low_i(l, 0));
    Ex to =
        cluster_blocks(l) == 1 ? low_i(l, -1) : low_div(l, low_mod(l, low_thread(l), unit), each);
    Stmt *list = k->lanes && !is_synced(r, s) ? low_op(l, Owarp_sync, s->loc) : NULL;
    Stmt *a = mbar(l, Ombar_arrive, k->empty, s->op.r[0].min[0], to, s->loc);
    return low_append(list, low_guard(l, first, a));
}

static Stmt *lower_op(Low *l, Stmt *s, bool *into, void *ud)
{
    MbarrierLower *r = ud;
    (void)into;
    if (s->kind == Salloc && l->p->buf[s->alloc.buf].scope == SCpipe)
        return make_barriers(r, s);
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
    Ex stage = s->op.r[0].min[0], use = s->op.value;
    switch ((enum Op)s->op.op) {
    case Opipe_acquire:
        return mbar(l, Ombar_wait, k->empty, stage, parity(l, use, k->stages, 1), s->loc);
    case Opipe_commit:
        if (s->op.attr[0] == 0)
            return mbar(l, Ombar_arrive, k->full, stage, low_i(l, -1), s->loc);
        return mbar(l, Ombar_arrive_expect, k->full, stage, low_i(l, s->op.attr[0]), s->loc);
    case Opipe_wait:
        return mbar(l, Ombar_wait, k->full, stage, parity(l, use, k->stages, 0), s->loc);
    case Opipe_release: return mbarriers_release(r, s, k);
    default: return s;
    }
}

/* Initialisations that stand among the launch's statements: the user's
 * barriers, those of single TMA loads. */
static void mbarriers_gather(MbarrierLower *r)
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
static Stmt *cluster_meets(Low *l)
{
    Loc loc = l->launch->loc;
    return low_append(low_op(l, Ocluster_arrive, loc), low_op(l, Ocluster_wait, loc));
}

/* One thread initialises, behind the allocations at the launch's beginning.
 * The barrier of the block that must follow is low_sync's. */
static void place_init(MbarrierLower *r)
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
    if (cluster_blocks(l) > 1) {
        s = low_append(s, cluster_meets(l));
        *at = low_append(*at, cluster_meets(l));
    }
    *at = low_append(allocs, low_append(s, *at));
}

/* The barrier pair is gone, its full barrier stands for it. */
static void name_pairs(MbarrierLower *r)
{
    for (uint32_t b = 1; b < r->l->p->nbuf; b++) {
        BufLow *k = low_buf(r->l, b);
        if (k->pipe && k->pipe < r->n && r->pair[k->pipe].full)
            k->pipe = r->pair[k->pipe].full;
    }
}

void low_mbarriers(Low *l)
{
    MbarrierLower r = {.l = l, .n = l->p->nbuf};
    r.pair = anew(&l->p->ctx, r.n * sizeof *r.pair);
    stmt_walk(l->launch->launch.body, frees, &r);
    stmt_walk(l->launch->launch.body, mbarriers_reads, &r);
    stmt_walk(l->launch->launch.body, release_behind, &r);
    mbarriers_gather(&r);
    low_rewrite(l, &l->launch->launch.body, lower_op, &r);
    name_pairs(&r);
    place_init(&r);
}
