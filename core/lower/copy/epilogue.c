/* core/lower/copy/epilogue.c: tiles that leave through shared memory and TMA.
 *
 *     for i, j in parallel: C[r + i, c + j] = f(F[i, j])
 *
 * becomes, where every warp holds boxes of 16 rows (S: registers of C's type),
 *
 *     for each box of this warp:
 *       S[warp, i, j] = f(F[..])
 *       bulk_wait n=stages-1 read=1                        the stage was read
 *       warp_sync
 *       staging[stage, warp, i, j] = S[warp, i, j]           stmatrix
 *       fence_async; warp_sync
 *       if lane == 0 then tma_store staging[stage, warp] -> C[..]; bulk_commit
 *
 * T.atomic_add of a tile is a tma_store that adds.
 *
 * No warp waits for another one.  The last stores are waited for at the end of
 * the role, or of the launch: shared memory must outlive their reads. */
#include <string.h>

#include "epilogue.h"
#include "err/lower.h"

typedef struct Epi Epi;
struct Epi {
    Low *l;
    Stmt **top;            /* block of the role, or of the launch */
    int loops;             /* around the statement */
    bool any;              /* stores that its end waits for */
    uint32_t *used, nused, capused; /* staging buffers in use already */
};

/* How one warp's part of a tile is cut into boxes. */
typedef struct EpilogueCut EpilogueCut;
struct EpilogueCut {
    const Layout *loop;
    int64_t cols;          /* of a box */
    int n;                 /* loops over boxes: */
    struct { int dim; int32_t weight, extent; } box[LayModes];
};

/* Layouts ----------------------------------------------------------------- */

static const Mode *mode_with_weight(const Layout *m, int dim, int32_t weight)
{
    for (int i = 0; i < m->n; i++)
        if (m->d[i].dim == dim && m->d[i].weight == weight)
            return &m->d[i];
    return NULL;
}

static bool is(const Layout *m, int dim, int32_t weight, enum Axis a, int32_t extent)
{
    const Mode *g = mode_with_weight(m, dim, weight);
    return g && g->axis == a && g->extent == extent;
}

/* Every warp holds boxes of 16 rows and `cols` columns, all of it; what is left
 * of its registers numbers them. */
static bool epi_cut(const Layout *m, int64_t cols, EpilogueCut *c)
{
    *c = (EpilogueCut){.loop = m, .cols = cols};
    if (m->ndim != 2 || m->nb || m->size[0] != m->extent[0] || m->size[1] != m->extent[1] ||
        !is(m, 1, 1, AXreg, 2) || !is(m, 1, 2, AXlane, 4) ||
        mode_with_weight(m, 1, 2)->stride != 1 || !is(m, 0, 1, AXlane, 8) ||
        mode_with_weight(m, 0, 1)->stride != 4)
        return false;
    const Mode *r = mode_with_weight(m, 0, 8), *k = mode_with_weight(m, 1, 8);
    if (!r || r->axis != AXreg || r->extent % 2 || !k || k->axis != AXreg ||
        k->extent % (cols / 8))
        return false;
    for (int i = 0; i < m->n; i++) {
        const Mode *g = &m->d[i];
        int32_t in = g == r ? 2 : g == k ? (int32_t)cols / 8 : 1;
        if (g->axis == AXlane && g->weight > 2)
            return false;
        if (g->axis != AXreg || (g->dim == 1 && g->weight == 1) || g->extent == in)
            continue;
        c->box[c->n].dim = g->dim;
        c->box[c->n].weight = g->weight * in;
        c->box[c->n++].extent = g->extent / in;
    }
    return true;
}

/* Row (dim 0) or column of the tile where a warp's boxes begin; w: its number. */
static Ex epi_origin(Low *l, const Layout *m, int dim, Ex w)
{
    Ex sum = low_i(l, 0);
    for (int i = 0; i < m->n; i++) {
        const Mode *g = &m->d[i];
        if (g->dim == dim && g->axis == AXwarp)
            sum = low_add(l, sum, low_mul(l, low_mod(l, low_div(l, w, g->stride), g->extent),
                                          g->weight));
    }
    return sum;
}

/* Threads and registers of one box of each warp: dimensions warp, row, column. */
static void box_layout(Low *l, int64_t cols, Layout *out)
{
    int warps = l->threads / l->m->warp;
    layout_init(out, 3, (int32_t[3]){warps, BoxRows, (int32_t)cols});
    layout_mode(out, 0, warps, AXwarp, 1);
    layout_mode(out, 1, 8, AXlane, 4);
    layout_mode(out, 1, 2, AXreg, 2);
    layout_mode(out, 2, 2, AXreg, 1);
    layout_mode(out, 2, 4, AXlane, 1);
    layout_mode(out, 2, (int32_t)cols / 8, AXreg, 4);
    layout_canon(out);
}

/* A fragment of C's type for one box of each warp. */
static uint32_t box_fragment(Low *l, const Tile *t, const Layout *map)
{
    Prog *p = l->p;
    enum Dtype dt = (enum Dtype)p->buf[t->to.buf].dt;
    const char *name = afmt(&p->ctx, "%s_out", p->buf[t->to.buf].name);
    Ex shape[3], n = low_i(l, layout_extent(map, AXreg));
    for (int d = 0; d < 3; d++)
        shape[d] = low_i(l, map->size[d]);
    uint32_t f = p_buf(p, SCfragment, dt, name, shape, NULL, 3);
    uint32_t k = p_buf(p, SClocal, dt, name, &n, NULL, 1);
    Layout *own = anew(&p->ctx, sizeof *own);
    *own = *map;
    p->buf[k].map = p->buf[f].map = own;
    p->buf[k].at = p->buf[f].at = -1;
    p->buf[k].loc = p->buf[f].loc = t->s->loc;
    low_buf(l, k)->fragment = f;
    BufLow *b = low_buf(l, f);
    b->map = *map;
    b->strength = STfree;
    b->regs = k;
    s_alloc(p, f, 0);
    s_alloc(p, k, 0);
    return f;
}

/* Statements -------------------------------------------------------------- */

static Stmt *one_lane(Low *l, Stmt *body)
{
    return low_guard(l, x_bin(l->p, Xeq, low_lane(l), low_i(l, 0)), body);
}

/* All lanes wait: those that have stored nothing go on at once. */
static Stmt *epi_waits(Low *l, int n, bool read, Loc loc)
{
    enum { N, Read }; /* attributes */
    Stmt *s = low_op(l, Obulk_wait, loc);
    s->op.attr[N] = n;
    s->op.attr[Read] = read;
    return s;
}

/* Opens a parallel loop over the warps and one box of each; v: its variables. */
static void epi_open_parloop(Low *l, const Layout *loop, Ex v[3])
{
    static const char *const names[3] = {"w", "i", "j"};
    Ex lo[3], hi[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = low_i(l, 0);
        hi[d] = low_i(l, loop->size[d]);
    }
    Stmt *f = s_for(l->p, Fparallel, lo, hi, 3, 0, names);
    for (int d = 0; d < 3; d++)
        v[d] = x_var(l->p, f->loop.var[d]);
    f->loop.plan = low_loop_plan(l, loop);
}

/* S[w, i, j] = the value that the user's parallel loop has for the box at `at`. */
static void epi_compute(Low *l, const Tile *t, const EpilogueCut *c, const Layout *box,
                        uint32_t frag, const Ex at[2])
{
    Prog *p = l->p;
    Ex v[3];
    LowNew map[2];
    epi_open_parloop(l, box, v);
    for (int d = 0; d < 2; d++)
        map[d] = (LowNew){t->s->loop.var[d],
                          low_add(l, low_add(l, epi_origin(l, c->loop, d, v[0]), at[d]), v[d + 1])};
    low_put(l, low_store(l, frag, v, low_varsx(l, t->value, map, 2)));
    s_close(p);
}

/* staging[stage, w, i, j] = S[w, i, j] */
static void fill_staging(Low *l, const Layout *box, uint32_t frag, uint32_t staging, Ex stage)
{
    Ex v[3];
    epi_open_parloop(l, box, v);
    s_store(l->p, staging, (Ex[4]){stage, v[0], v[1], v[2]}, 4, low_load(l, frag, v));
    s_close(l->p);
}

static Stmt *send(Low *l, const Tile *t, const EpilogueCut *c, uint32_t staging, Ex stage,
                  const Ex at[2])
{
    Prog *p = l->p;
    Stmt *s = low_op(l, Otma_store, t->s->loc);
    Ex w = low_warp(l);
    int64_t size = dtypeinfo[p->buf[staging].dt].bits / 8;
    Region *m = &s->op.r[0], *g = &s->op.r[1];
    m->buf = staging;
    m->min[0] = stage;
    m->min[1] = w;
    m->min[2] = m->min[3] = low_i(l, 0);
    m->extent[0] = m->extent[1] = low_i(l, 1);
    *g = t->to;
    g->min[t->row] = x_bin(p, Xadd, g->min[t->row],
                           low_add(l, epi_origin(l, c->loop, 0, w), at[0]));
    g->min[t->col] = x_bin(p, Xadd, g->min[t->col],
                           low_add(l, epi_origin(l, c->loop, 1, w), at[1]));
    m->extent[2] = g->extent[t->row] = low_i(l, BoxRows);
    m->extent[3] = g->extent[t->col] = low_i(l, c->cols);
    s->op.attr[0] = (int32_t)(c->cols * size); /* swizzle */
    s->op.attr[2] = t->kind;
    return one_lane(l, low_append(s, low_op(l, Obulk_commit, t->s->loc)));
}

/* The loops over boxes and what is done for each; fresh: nothing was staged before. */
static Stmt *boxes(Low *l, const Tile *t, const EpilogueCut *c, uint32_t staging, bool fresh)
{
    Prog *p = l->p;
    int64_t stages = 1;
    Layout box;
    box_layout(l, c->cols, &box);
    x_isint(p, p->buf[staging].shape[0], &stages);
    Ex at[2] = {low_i(l, 0), low_i(l, 0)}, number = low_i(l, 0);
    low_begin(l, t->s->loc);
    for (int i = 0; i < c->n; i++) {
        Ex lo = low_i(l, 0), hi = low_i(l, c->box[i].extent);
        static const char *const name = "box";
        Stmt *f = s_for(p, Funroll, &lo, &hi, 1, low_i(l, 1), &name);
        Ex v = x_var(p, f->loop.var[0]);
        number = low_add(l, low_mul(l, number, c->box[i].extent), v);
        at[c->box[i].dim] = low_add(l, at[c->box[i].dim], low_mul(l, v, c->box[i].weight));
    }
    Ex stage = low_mod(l, number, stages);
    uint32_t frag = box_fragment(l, t, &box);
    epi_compute(l, t, c, &box, frag, at);
    Stmt *free =
        low_append(epi_waits(l, (int)stages - 1, true, t->s->loc), low_op(l, Owarp_sync, t->s->loc));
    if (fresh) /* the first boxes find their stages unused */
        free = low_guard(l, x_bin(p, Xle, low_i(l, stages), number), free);
    low_put(l, free);
    fill_staging(l, &box, frag, staging, stage);
    low_put(l, low_fence_async(l, t->s->loc));
    low_put(l, low_op(l, Owarp_sync, t->s->loc));
    low_put(l, send(l, t, c, staging, stage, at));
    for (int i = 0; i < c->n; i++)
        s_close(p);
    if (low_buf(l, t->to.buf)->settles)
        low_put(l, epi_waits(l, 0, false, t->s->loc));
    return low_end(l);
}

/* The pass ---------------------------------------------------------------- */

/* Is this the first store through buffer stage, and the only time that it runs? */
static bool first_use(Epi *e, uint32_t staging)
{
    for (uint32_t i = 0; i < e->nused; i++)
        if (e->used[i] == staging)
            return false;
    agrow(&e->l->p->ctx, &e->used, &e->capused, e->nused + 1, sizeof *e->used);
    e->used[e->nused++] = staging;
    return e->loops == 0;
}

/* What takes the place of parallel loop s, or NULL: its layout is none of boxes. */
static Stmt *epi_staged(Epi *e, Stmt *s)
{
    Low *l = e->l;
    Prog *p = l->p;
    Tile t;
    EpilogueCut c;
    const ParLoopPlan *plan = loop_plan(s);
    if (!plan || !epilogue_parloop(l, s, &t))
        return NULL;
    uint32_t staging = low_buf(l, t.to.buf)->staging;
    int64_t cols = 0;
    if (!staging || !x_isint(p, p->buf[staging].shape[3], &cols))
        return NULL;
    if (!epi_cut(&plan->loop, cols, &c)) {
        low_note(l, E_epilogue_direct, s, p->buf[t.to.buf].name, p->buf[staging].name);
        return NULL;
    }
    return boxes(l, &t, &c, staging, first_use(e, staging));
}

/* The end of a block at which the stores are waited for. */
static void wait_for_stores(Epi *e, Loc loc)
{
    if (e->any)
        *e->top = low_append(*e->top, epi_waits(e->l, 0, true, loc));
}

static void epilogue_walk(Epi *e, Stmt **at)
{
    Low *l = e->l;
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        if (s->kind == Srole) {
            LowRole outer = low_enter(l, s);
            Epi in = {.l = l, .top = &s->role.body};
            epilogue_walk(&in, in.top);
            wait_for_stores(&in, s->loc);
            low_leave(l, outer);
        } else if (s->kind == Sfor && s->loop.kind == Fparallel) {
            s->next = NULL;
            Stmt *list = epi_staged(e, s);
            e->any |= list != NULL;
            *at = list ? list : s;
            while ((*at)->next)
                at = &(*at)->next;
            (*at)->next = next;
        } else {
            bool loop = s->kind == Sfor || s->kind == Swhile;
            e->loops += loop;
            for (int i = 0, n = low_blocks(s, b); i < n; i++)
                epilogue_walk(e, b[i]);
            e->loops -= loop;
        }
        at = &(*at)->next;
    }
}

void low_epilogue(Low *l)
{
    Epi e = {.l = l, .top = &l->launch->launch.body};
    if (!l->m->tma)
        return;
    epilogue_walk(&e, e.top);
    wait_for_stores(&e, l->launch->loc);
}
