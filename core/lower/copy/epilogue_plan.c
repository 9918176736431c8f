/* core/lower/copy/epilogue_plan.c: results of matrix instructions that shall leave
 * through shared memory and TMA.
 *
 * Accumulators stand in registers as the instructions left them: four lanes
 * hold 16 bytes of a row.  Where the machine has TMA, each warp puts them into a
 * box of shared memory and one of its lanes stores it; the other warps, and the
 * loads of the next tile, need not wait.  Here it is decided which stores go
 * that way, before the pipelines share out the memory; what the user staged by
 * hand (fragment -> shared -> global) becomes one copy first.  The layouts have
 * the last word, see epilogue.c.
 *
 * Reference: performance.md 1.4, 7. */
#include <string.h>

#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "epilogue.h"
#include "err/lower.h"

enum { MostBoxes = 4 /* of a warp at once */ };

typedef struct EpiloguePlan EpiloguePlan;
struct EpiloguePlan {
    Low *l;
    bool (*fits)(void *ud); void *ud; /* see epilogue_plan() */
    Tile *tile; uint32_t captile;
    int n;
    const GemmPlan **product; uint32_t capproduct; /* by matrix instructions, in order */
    int nproduct;
    const Stmt **loop; uint32_t caploop; /* around the statement */
    int depth;
};

/* Staged by hand ---------------------------------------------------------- */

static bool epi_plan_copies(const Prog *p, const Stmt *s, enum Scope from, enum Scope to)
{
    return s && s->kind == Sop && s->op.op == Ocopy && p->buf[s->op.r[0].buf].scope == from &&
           p->buf[s->op.r[1].buf].scope == to;
}

static int use_of(const Low *l, const Stmt *s, uint32_t b)
{
    Stmt *in[2];
    int sum = 0;
    for (; s; s = s->next) {
        int n = stmt_blocks(s, in);
        sum += n == 0 && low_accesses(l, s, false, b) != 0;
        for (int i = 0; i < n; i++)
            sum += use_of(l, in[i], b);
    }
    return sum;
}

static bool epi_plan_barrier(const Stmt *s)
{
    return s->kind == Scall && s->call.fn == Isync_threads;
}

/* Shapes of the two sides, ones apart, are the same. */
static bool same_extents(const Prog *p, const Region *a, const Region *b)
{
    int i = p->buf[a->buf].ndim - 1, k = p->buf[b->buf].ndim - 1;
    int64_t v;
    for (;;) {
        while (i >= 0 && x_isint(p, a->extent[i], &v) && v == 1)
            i--;
        while (k >= 0 && x_isint(p, b->extent[k], &v) && v == 1)
            k--;
        if (i < 0 || k < 0)
            return i == k;
        if (a->extent[i--] != b->extent[k--])
            return false;
    }
}

/* `F -> S` at s and `S -> C` behind it, S used for nothing else and whole: the
 * second statement, or NULL. */
static Stmt *by_hand(Low *l, Stmt *s)
{
    const Prog *p = l->p;
    if (!epi_plan_copies(p, s, SCfragment, SCshared) || !region_whole(p, &s->op.r[1]))
        return NULL;
    uint32_t b = s->op.r[1].buf;
    Stmt *k = s->next;
    while (k && epi_plan_barrier(k))
        k = k->next;
    if (!epi_plan_copies(p, k, SCshared, SCglobal) || k->op.r[0].buf != b ||
        !region_whole(p, &k->op.r[0]) || p->buf[k->op.r[1].buf].dt != p->buf[b].dt ||
        low_viewed(l, b) || use_of(l, l->launch->launch.body, b) != 2 ||
        !same_extents(p, &s->op.r[0], &k->op.r[1]))
        return NULL;
    return k;
}

/* Candidates -------------------------------------------------------------- */

/* The two extents of r that are not 1, the last of them in the last dimension. */
static bool two(const Prog *p, Tile *t)
{
    int found[2], n = 0;
    int64_t v;
    for (int d = 0; d < p->buf[t->to.buf].ndim; d++) {
        if (!x_isint(p, t->to.extent[d], &v))
            return false;
        if (v != 1) {
            if (n == 2)
                return false;
            found[n++] = d;
        }
    }
    if (n != 2 || found[1] != p->buf[t->to.buf].ndim - 1)
        return false;
    t->row = found[0];
    t->col = found[1];
    return x_isint(p, t->to.extent[t->row], &t->m) && x_isint(p, t->to.extent[t->col], &t->n);
}

/* e = var + rest without it; the rest, or 0. */
static Ex epi_plan_beside(Low *l, Ex e, uint32_t var)
{
    Ex rest = low_add(l, e, low_mul(l, x_var(l->p, var), -1));
    return x_uses(l->p, rest, var) ? 0 : rest;
}

/* Nobody sees the old value, or an order of the updates. */
static bool sums(const Stmt *s)
{
    return s->kind == Satomic && s->atomic.kind == Rsum && s->atomic.lanes == 1 &&
           !s->atomic.prev && s->atomic.order == MOrelaxed;
}

bool epilogue_parloop(Low *l, const Stmt *s, Tile *out)
{
    Prog *p = l->p;
    const Stmt *st = s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.body : NULL;
    int64_t lo[2], hi[2];
    if (!st || st->next || s->loop.n != 2 || (st->kind != Sstore && !sums(st)))
        return false;
    bool sum = st->kind == Satomic;
    uint32_t buf = sum ? st->atomic.buf : st->store.buf;
    const Ex *idx = sum ? st->atomic.idx : st->store.idx;
    if (p->buf[buf].scope != SCglobal)
        return false;
    for (int i = 0; i < 2; i++)
        if (!x_isint(p, s->loop.lo[i], &lo[i]) || lo[i] || !x_isint(p, s->loop.hi[i], &hi[i]))
            return false;
    *out = (Tile){.s = s, .to = {.buf = buf}, .row = -1, .col = -1, .m = hi[0], .n = hi[1],
                  .value = sum ? st->atomic.value[0] : st->store.value,
                  .kind = sum ? Rsum : Rnone};
    uint32_t i = s->loop.var[0], j = s->loop.var[1];
    for (int d = 0; d < p->buf[buf].ndim; d++) {
        Ex e = idx[d];
        bool ui = x_uses(p, e, i), uj = x_uses(p, e, j);
        int *at = ui ? &out->row : &out->col;
        out->to.extent[d] = low_i(l, ui ? hi[0] : uj ? hi[1] : 1);
        out->to.min[d] = e;
        if (!ui && !uj)
            continue;
        if ((ui && uj) || *at >= 0 || !(out->to.min[d] = epi_plan_beside(l, e, ui ? i : j)))
            return false;
        *at = d;
    }
    return out->row >= 0 && out->col == p->buf[buf].ndim - 1;
}

/* T.atomic_add of a tile in registers. */
static bool tile_sum(const Prog *p, const Stmt *s)
{
    return s->kind == Sop && s->op.op == Oatomic && s->op.attr[0] == Rsum &&
           s->op.attr[1] == MOrelaxed && p->buf[s->op.r[0].buf].scope == SCglobal &&
           p->buf[s->op.r[1].buf].scope == SCfragment;
}

/* Types that TMA adds. */
static bool summed(enum Dtype dt)
{
    return dt == DTf32 || dt == DTf16 || dt == DTbf16 || dt == DTi32 || dt == DTu32;
}

/* In each iteration of the loops around another place is written: stores of
 * TMA keep no order among themselves. */
static bool epi_plan_moves(const EpiloguePlan *q, const Tile *t)
{
    const Prog *p = q->l->p;
    for (int k = 0; k < q->depth; k++) {
        bool any = false;
        if (q->loop[k]->kind != Sfor)
            return false;
        for (int d = 0; d < p->buf[t->to.buf].ndim; d++)
            for (int i = 0; i < q->loop[k]->loop.n; i++)
                any |= eval_depends(p, t->to.min[d], q->loop[k]->loop.var[i]);
        if (!any)
            return false;
    }
    return true;
}

static bool makes(Stmt *s, void *ud)
{
    EpiloguePlan *q = ud;
    const GemmPlan *g = gemm_plan(s);
    if (!g || !g->mma || !g->wm || !g->wn)
        return true;
    agrow(&q->l->p->ctx, &q->product, &q->capproduct, (uint32_t)q->nproduct + 1, sizeof *q->product);
    q->product[q->nproduct++] = g;
    return true;
}

/* A product by matrix instructions of the tile's shape. */
static const GemmPlan *tile_product(const EpiloguePlan *q, const Tile *t)
{
    for (int i = 0; i < q->nproduct; i++)
        if (q->product[i]->M == t->m && q->product[i]->N == t->n)
            return q->product[i];
    return NULL;
}

static void candidate(EpiloguePlan *q, Stmt *s)
{
    Low *l = q->l;
    Tile t = {.s = s};
    bool sum = tile_sum(l->p, s);
    if (sum || epi_plan_copies(l->p, s, SCfragment, SCglobal)) {
        t.to = s->op.r[!sum];
        t.kind = sum ? Rsum : Rnone;
        if (!region_whole(l->p, &s->op.r[sum]) || !two(l->p, &t))
            return;
    } else if (!epilogue_parloop(l, s, &t)) {
        return;
    }
    if (t.kind == Rsum && !summed((enum Dtype)l->p->buf[t.to.buf].dt))
        return;
    if (!tile_product(q, &t) || (t.kind != Rsum && !epi_plan_moves(q, &t)))
        return;
    agrow(&l->p->ctx, &q->tile, &q->captile, (uint32_t)q->n + 1, sizeof *q->tile);
    q->tile[q->n++] = t;
}

static void plan_list(EpiloguePlan *q, Stmt **at)
{
    Stmt **b[2];
    for (; *at; at = &(*at)->next) {
        Stmt *s = *at, *second = by_hand(q->l, s);
        if (second) {
            second->op.r[0] = s->op.r[0];
            second->op.copy = NULL;
            s = *at = second;
        }
        candidate(q, s);
        if ((s->kind == Sif && !low_uniform(q->l, s->cond.cond)) || s->kind == Srole ||
            (s->kind == Sfor && s->loop.kind == Fparallel))
            continue;
        bool loop = s->kind == Sfor || s->kind == Swhile;
        if (loop) {
            agrow(&q->l->p->ctx, &q->loop, &q->caploop, (uint32_t)q->depth + 1, sizeof(Stmt *));
            q->loop[q->depth++] = s;
        }
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            plan_list(q, b[i]);
        q->depth -= loop;
    }
}

/* Staging buffers --------------------------------------------------------- */

/* Columns of a box: the widest span of a swizzle that divides what one warp
 * has, of n columns; 0: none does. */
static int64_t epi_plan_columns(const Tile *t, const GemmPlan *g, int bits)
{
    int64_t own = t->n / g->wn;
    for (int span = BoxSpan; span >= 32; span /= 2)
        if (own % (span * 8 / bits) == 0)
            return span * 8 / bits;
    return 0;
}

/* Why TMA cannot store boxes of t, or NULL. */
static const char *why_not_tma(Low *l, const Tile *t, uint32_t staging, int64_t cols)
{
    const char *why = NULL;
    Stmt s = {.kind = Sop, .loc = t->s->loc};
    s.op.op = Ocopy;
    if (t->s->kind == Sop && t->s->op.op == Ocopy)
        memcpy(s.op.attr, t->s->op.attr, sizeof s.op.attr);
    s.op.r[0].buf = staging;
    for (int d = 0; d < 4; d++)
        s.op.r[0].min[d] = low_i(l, 0);
    s.op.r[0].extent[0] = s.op.r[0].extent[1] = low_i(l, 1);
    s.op.r[1] = t->to;
    s.op.r[0].extent[2] = s.op.r[1].extent[t->row] = low_i(l, BoxRows);
    s.op.r[0].extent[3] = s.op.r[1].extent[t->col] = low_i(l, cols);
    return select_tma(l, &s, &why) ? NULL : why;
}

/* All that touches t's buffer are tiles. */
static bool epi_plan_alone(const EpiloguePlan *q, const Tile *t)
{
    const Low *l = q->l;
    int own = 0;
    for (int i = 0; i < q->n; i++)
        if (buf_root(l->p, q->tile[i].to.buf) == buf_root(l->p, t->to.buf)) {
            own++;
            if (q->tile[i].kind != t->kind ||
                (t->kind == Rnone &&
                 low_accesses(l, q->tile[i].s, false, buf_root(l->p, t->to.buf)) & FXread))
                return false;
        }
    return own == use_of(l, l->launch->launch.body, buf_root(l->p, t->to.buf));
}

/* May two of the tiles of t's buffer come to one place?  They are told by what waits. */
static bool epi_plan_settles(const EpiloguePlan *q, const Tile *t)
{
    const Low *l = q->l;
    uint32_t root = buf_root(l->p, t->to.buf);
    for (int i = 0; i < q->n && t->kind == Rnone; i++) {
        if (buf_root(l->p, q->tile[i].to.buf) != root)
            continue;
        if (store_repeats(l, q->tile[i].s, &q->tile[i].to))
            return true;
        for (int k = 0; k < i; k++)
            if (buf_root(l->p, q->tile[k].to.buf) == root &&
                !stores_apart(l, &q->tile[i].to, &q->tile[k].to))
                return true;
    }
    return false;
}

/* The buffer of `stages` boxes for each warp. */
static uint32_t make_staging(Low *l, const Tile *t, int stages, int64_t cols)
{
    Prog *p = l->p;
    enum Dtype dt = (enum Dtype)p->buf[t->to.buf].dt;
    Ex shape[4] = {low_i(l, stages), low_i(l, l->threads / l->m->warp), low_i(l, BoxRows),
                   low_i(l, cols)};
    uint32_t b = p_buf(p, SCshared, dt, afmt(&p->ctx, "%s_box", p->buf[t->to.buf].name), shape,
                       NULL, 4);
    p->buf[b].at = -1;
    p->buf[b].loc = t->s->loc;
    p->buf[b].cause = "copy";
    p->buf[b].fixed = t->s->loc;
    p->buf[b].layout = afmt(&p->ctx, "swizzle_%d",
                            (int)(cols * dtypeinfo[dt].bits / 8));
    low_async(l, b);
    return b;
}

/* Do boxes b, written and read at t alone, fit into what other buffers leave there? */
static bool epi_plan_after(EpiloguePlan *q, const Tile *t, uint32_t b)
{
    union { const Stmt *c; Stmt *s; } at = {.c = t->s};
    Low *l = q->l;
    if (l->retry.beside)
        return false;
    Stmt *fill = low_op(l, Ofill, t->s->loc);
    fill->op.r[0] = r_whole(l->p, b);
    fill->op.value = low_i(l, 0);
    fill->next = at.s->next;
    at.s->next = fill;
    bool fits = q->fits(q->ud);
    at.s->next = fill->next;
    return fits;
}

/* Their allocation, in front of all: boxes b, or 0: they do not fit. */
static uint32_t epi_plan_boxes(EpiloguePlan *q, const Tile *t, uint32_t b, bool own)
{
    Stmt *body = q->l->launch->launch.body, *a = low_alloc(q->l, b, q->l->launch->loc);
    a->next = body;
    q->l->launch->launch.body = a;
    if (own || epi_plan_after(q, t, b))
        return b;
    q->l->launch->launch.body = body;
    return 0;
}

static void epi_plan_reserve(EpiloguePlan *q, const Tile *t, int64_t *room)
{
    Low *l = q->l;
    Prog *p = l->p;
    const GemmPlan *g = tile_product(q, t);
    int bits = dtypeinfo[p->buf[t->to.buf].dt].bits, warps = l->threads / l->m->warp;
    int64_t cols = bits >= 8 ? epi_plan_columns(t, g, bits) : 0;
    if (low_buf(l, t->to.buf)->staging || !epi_plan_alone(q, t))
        return;
    if (l->threads % l->m->warp || g->wm * g->wn != warps || cols == 0 ||
        t->m % ((int64_t)BoxRows * g->wm)) {
        low_note(l, E_epilogue_direct, t->s, p->buf[t->to.buf].name,
                 afmt(&p->ctx, "%lld x %lld, %d warps", (long long)t->m, (long long)t->n, warps));
        return;
    }
    int64_t boxes = t->m / (BoxRows * g->wm) * (t->n / g->wn / cols);
    int64_t bytes = BoxRows * cols * bits / 8 * warps;
    int stages = MostBoxes;
    while (stages > 1 && (boxes % stages || bytes * stages > *room))
        stages /= 2;
    bool own = bytes * stages <= *room;
    for (stages = own ? stages : MostBoxes; stages > 1 && boxes % stages; stages /= 2)
        ;
    uint32_t b = 0;
    const char *why = NULL;
    for (; stages && !b; stages /= 2)
        b = epi_plan_boxes(q, t, make_staging(l, t, stages, cols), own);
    if (!b)
        why = afmt(&p->ctx, "%lld > %lld B", (long long)bytes, (long long)*room);
    else if ((why = why_not_tma(l, t, b, cols)))
        l->launch->launch.body = l->launch->launch.body->next;
    if (why) {
        low_note(l, E_epilogue_direct, t->s, p->buf[t->to.buf].name, why);
        return;
    }
    low_buf(l, t->to.buf)->settles = epi_plan_settles(q, t);
    low_buf(l, t->to.buf)->staging = b;
    low_buf(l, t->to.buf)->after = !own;
    l->needs.after |= !own;
    *room -= own ? buf_bytes(p, b) : 0;
}

static bool collect_stores(EpiloguePlan *q)
{
    if (!q->l->m->tma || !q->l->m->nmma)
        return false;
    stmt_walk(q->l->launch->launch.body, makes, q);
    plan_list(q, &q->l->launch->launch.body);
    return q->n > 0;
}

int64_t epilogue_wish(Low *l)
{
    EpiloguePlan *q = anew(&l->p->ctx, sizeof *q);
    int64_t sum = 0;
    q->l = l;
    if (!collect_stores(q))
        return 0;
    for (int i = 0; i < q->n; i++) {
        const Tile *t = &q->tile[i];
        int bits = dtypeinfo[l->p->buf[t->to.buf].dt].bits;
        int64_t cols = bits >= 8 ? epi_plan_columns(t, tile_product(q, t), bits) : 0;
        sum += BoxRows * cols * bits / 8 * (l->threads / l->m->warp);
    }
    return sum;
}

void epilogue_beside(Low *l)
{
    const Prog *p = l->p;
    for (uint32_t b = 1, n = p->nbuf; b < n; b++) {
        uint32_t box = low_buf(l, b)->after ? low_buf(l, b)->staging : 0;
        Stmt at = {.loc = p->buf[box].loc};
        if (!box)
            continue;
        low_note(l, E_epilogue_direct, &at, p->buf[b].name, afmt(&l->p->ctx, "%lld B", (long long)buf_bytes(p, box)));
        low_buf(l, b)->staging = 0;
    }
    l->needs.after = false;
}

int64_t epilogue_plan(Low *l, int64_t room, bool (*fits)(void *ud), void *ud)
{
    EpiloguePlan *q = anew(&l->p->ctx, sizeof *q);
    q->l = l;
    q->fits = fits;
    q->ud = ud;
    if (collect_stores(q))
        for (int i = 0; i < q->n; i++)
            epi_plan_reserve(q, &q->tile[i], &room);
    return room;
}
