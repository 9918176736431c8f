/* core/lower/pipe/persist.c: a product's blocks become as many as the card has
 * multiprocessors, each of which walks over tiles; two work together.
 *
 *     launch bx, by in gx, gy                launch sm in min(gx * gy, sms)
 *       ..                                     for wave in serial:
 *                                                tile = wave * sms + sm
 *                                                bx, by = of the tile
 *                                                ..
 *
 * The producer goes on to the next tile while the consumers store this one:
 * the stores, and the first loads, cost nothing.  Tiles are taken in panels of
 * rows, so that those in work at one time share rows and columns of operands in
 * the L2 cache: with n rows of `sms` tiles, n * La + sms / n * Lb bytes are
 * loaded a step, least at n = sqrt(sms * Lb / La).
 *
 * Where the tiles along one variable are even in number, two blocks make a
 * cluster and take neighbours along it: what does not depend on that variable
 * is loaded half by each, for both (multicast).  Tile is then the number of a
 * pair, and the rank of a block in its cluster is which of the two is its own.
 * Both must load as often, in step: no condition or count that a load stands
 * under may depend on that variable, or on what other blocks or threads change.
 *
 * Only launches whose work is one pipelined loop of products by warp groups,
 * loaded by TMA; the order of T.use_swizzle is kept, T.Persistent as it is.
 *
 * Reference: performance.md 1.2, 1.4. */
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "persist.h"
#include "err/pipes.h"

typedef struct PersistScan PersistScan;
struct PersistScan {
    Low *l;
    const Stmt *loop;      /* the pipelined one */
    int loops;             /* pipelined loops; other loops around one: many */
    bool product, other;   /* in it: a product by warp groups; what is no part of one */
    const char *why;       /* something forbids it */
    const Stmt *written;   /* body of the launch: what it writes is no ground for a pair */
    Ex apart[MaxLaunchDim]; /* what lets neighbours along a block variable load differently, or 0 */
    int64_t bytes[MaxLaunchDim]; /* loaded each step that depend on a block variable */
    int64_t total;         /* loaded each step */
};

enum { Many = 100, Pair = 2 /* blocks of a cluster */, Worth = 4 /* a quarter is shared */ };

/* What the loop does ------------------------------------------------------ */

static void persist_loaded(PersistScan *k, const Stmt *s)
{
    const Low *l = k->l;
    const Prog *p = l->p;
    const Region *g = &s->op.r[0];
    int64_t bytes = dtypeinfo[p->buf[g->buf].dt].bits, v;
    for (int d = 0; d < p->buf[g->buf].ndim; d++)
        bytes *= x_isint(p, g->extent[d], &v) ? v : 1;
    for (int i = 0; i < l->launch->launch.n; i++) {
        bool on = false;
        for (int d = 0; d < p->buf[g->buf].ndim; d++)
            on |= eval_depends(p, g->min[d], l->launch->launch.block[i]);
        k->bytes[i] += on ? bytes / 8 : 0;
    }
    k->total += bytes / 8;
}

/* What may have another value in blocks that differ in variable `block` alone. */
typedef struct AlikeTiles AlikeTiles;
struct AlikeTiles { const PersistScan *k; uint32_t block; };

static bool differs_per_tile(void *ud, Ex e)
{
    const AlikeTiles *a = ud;
    const Low *l = a->k->l;
    const Prog *p = l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar) {
        const Var *v = &p->var[x->sym];
        if (v->kind == Vlet)
            return !v->value;
        return x->sym == a->block || v->kind == Vthread;
    }
    if (x->op == Xload && (p->buf[buf_root(p, x->sym)].scope != SCglobal ||
                           low_accesses(l, a->k->written, true, buf_root(p, x->sym)) & FXwrite))
        return true;
    return x->op == Xcall && intr_fleeting(x->sym);
}

static bool persist_alike(const PersistScan *k, Ex e, uint32_t block)
{
    AlikeTiles a = {k, block};
    return !ex_any_let(k->l->p, e, differs_per_tile, &a);
}

/* e decides whether, or how often, something is loaded. */
static bool persist_decides(void *ud, Ex e)
{
    PersistScan *k = ud;
    const Stmt *s = k->l->launch;
    for (int i = 0; i < s->launch.n; i++)
        if (!k->apart[i] && !persist_alike(k, e, s->launch.block[i]))
            k->apart[i] = e;
    return true;
}

static bool loads_memory_at(const Prog *p, const Stmt *s)
{
    return s->kind == Sop && s->op.op == Ocopy && p->buf[s->op.r[0].buf].scope == SCglobal;
}

static bool loads_not(Stmt *s, void *ud) { return !loads_memory_at(ud, s); }

/* The statements of the loop, from s on. */
static void persist_in_loop(PersistScan *k, Stmt *s)
{
    const Prog *p = k->l->p;
    const char *why;
    Stmt *b[2];
    for (; s; s = s->next) {
        if (s->kind == Sop && s->op.op == Ogemm) {
            const GemmPlan *g = gemm_plan(s);
            k->product |= g && g->mma && g->mma->kind == MMAgroup;
            k->other |= !k->product;
        } else if (loads_memory_at(p, s)) {
            k->other |= !select_tma(k->l, s, &why);
            persist_loaded(k, s);
        } else if (s->kind == Sop && (s->op.op == Oreduce || s->op.op == Oscan)) {
            k->other = true;
        }
        int n = stmt_blocks(s, b);
        Stmt one = *s;
        one.next = NULL;
        if (n && !stmt_walk(&one, loads_not, k->l->p)) {
            one = stmt_bare(s);
            stmt_exprs(p, &one, persist_decides, k);
        }
        for (int i = 0; i < n; i++)
            persist_in_loop(k, b[i]);
    }
}

/* What stands outside of it. */
static void persist_scan(PersistScan *k, Stmt *s, bool within)
{
    const Prog *p = k->l->p;
    Stmt *b[2];
    for (; s; s = s->next) {
        if (s->kind == Srole)
            k->why = "T.ws";
        if (s->kind == Salloc && p->buf[s->alloc.buf].scope == SCbarrier)
            k->why = afmt(&k->l->p->ctx, "`%s`", p->buf[s->alloc.buf].name);
        if (s->kind == Scall && s->call.fn == Isync_grid)
            k->why = intrinfo[Isync_grid].text;
        if (s->kind == Sbreak || s->kind == Scontinue)
            k->why = s->kind == Sbreak ? "break" : "continue";
        if (s->kind == Sfor && s->loop.kind == Fpipelined) {
            k->loop = s;
            k->loops += within ? Many : 1;
            stmt_exprs(p, s, persist_decides, k);
            persist_in_loop(k, s->loop.body);
            continue;
        }
        bool loop = (s->kind == Sfor && s->loop.kind != Fparallel) || s->kind == Swhile;
        int loops = k->loops;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            persist_scan(k, b[i], within || loop);
        if (k->loops > loops) /* it stands under s */
            stmt_exprs(p, s, persist_decides, k);
    }
}

/* The grid ---------------------------------------------------------------- */

static Ex persist_tiles(Low *l)
{
    Ex n = low_i(l, 1);
    for (int i = 0; i < l->launch->launch.n; i++)
        n = x_bin(l->p, Xmul, n, x_cast(l->p, DTi32, l->launch->launch.grid[i]));
    return n;
}

/* The even number next to sqrt(sms * across / along), at least 2. */
static int64_t persist_rows(int64_t sms, int64_t across, int64_t along)
{
    int64_t n = 2;
    while ((n + 1) * (n + 1) * along <= sms * across)
        n += 2;
    return n;
}

/* The block variable along which two tiles make a pair: the one that more of
 * what is loaded does not depend on; -1: no such number of tiles is even, too
 * little is shared to be worth waiting for each other, or they load differently;
 * apart: never mind that. */
static int pairs_along(const PersistScan *k, bool apart)
{
    const Low *l = k->l;
    const Stmt *s = l->launch;
    int64_t n, all = k->total, best = all / Worth - 1;
    int along = -1;
    for (int i = 0; i < s->launch.n; i++)
        if (l->m->max_cluster >= Pair && k->bytes[i] && (apart || !k->apart[i]) && all - k->bytes[i] > best &&
            x_isint(l->p, s->launch.grid[i], &n) && n % Pair == 0) {
            best = all - k->bytes[i];
            along = i;
        }
    return along;
}

static void bind_index(Low *l, uint32_t v, Ex value, Ex *map)
{
    Prog *p = l->p;
    uint32_t w = s_let(p, p->var[v].name, value);
    p->var[w].lo = p->var[v].lo;
    p->var[w].hi = p->var[v].hi;
    p->var[w].loc = p->var[v].loc;
    map[v] = x_var(p, w);
}

/* Lets for the block variables of a tile; with pairs (along), of the first tile
 * of the pair, to which `rank` is added.  The launch's grid counts pairs then. */
static void persist_lets(Low *l, const PersistScan *k, Ex tile, int along, Ex rank, Ex *map)
{
    Prog *p = l->p;
    Stmt *s = l->launch;
    int n = s->launch.n;
    Ex rest = tile;
    if (n >= 2 && (s->launch.panel > 0 || (k->bytes[0] && k->bytes[1]))) {
        Ex plane = x_bin(p, Xmul, s->launch.grid[0], s->launch.grid[1]);
        Ex at = n == 2 ? tile : x_var(p, s_let(p, "flat", x_bin(p, Xfmod, tile, plane)));
        bool user = s->launch.panel > 0;
        int a = user ? raster_along(s) : 0;
        int64_t high =
            user ? s->launch.panel : persist_rows(l->m->card->sms, k->bytes[0], k->bytes[1]);
        rest = x_bin(p, Xfdiv, tile, plane);
        if (along == 1 - a)
            high = high > Pair ? high / Pair : 1;
        raster_panels(l, at, a, high, map);
        s->launch.panel = 0;
    }
    for (int i = 0; i < n; i++) {
        uint32_t v = s->launch.block[i];
        if (map[v])
            continue;
        bind_index(l, v, i == n - 1 ? rest : x_bin(p, Xfmod, rest, s->launch.grid[i]), map);
        rest = x_bin(p, Xfdiv, rest, s->launch.grid[i]);
    }
    if (along >= 0) {
        uint32_t v = s->launch.block[along];
        bind_index(l, v, low_add(l, low_mul(l, map[v], Pair), rank), map);
    }
}

/* Shared memory is the block's, whatever tile it works on. */
static Stmt *shared_first(Low *l, Stmt **body)
{
    Stmt *list = NULL;
    for (Stmt **at = body; *at;) {
        Stmt *s = *at;
        if (s->kind == Salloc && l->p->buf[s->alloc.buf].scope == SCshared) {
            *at = s->next;
            s->next = NULL;
            list = low_append(list, s);
        } else {
            at = &s->next;
        }
    }
    return list;
}

/* The launch in its new form.  count: its tiles; wide: multiprocessors in use,
 * 0 when each block has one tile. */
static void loop_over(Low *l, const PersistScan *k, Ex count, int64_t wide)
{
    static const char *const name = "wave";
    Prog *p = l->p;
    Stmt *s = l->launch;
    int64_t n;
    int along = pairs_along(k, false), each = along < 0 ? 1 : Pair;
    bool known = x_isint(p, count, &n);
    uint32_t sm = p_var(p, Vblock, DTi32, "sm", 0, wide ? wide - 1 : n - 1);
    p->var[sm].loc = s->loc;
    Ex zero = low_i(l, 0), mine = low_div(l, x_var(p, sm), each), rank = 0;
    Ex *map = anew(&p->ctx, (p->nvar + 32) * sizeof *map), tile = mine;
    uint32_t nmap = p->nvar;
    low_begin(l, s->loc);
    low_put(l, shared_first(l, &s->launch.body));
    if (wide) {
        Ex left = x_bin(p, Xsub, low_div(l, count, each), mine);
        Ex hi = low_div(l, low_add(l, left, low_i(l, wide / each - 1)), wide / each);
        Stmt *f = s_for(p, Fserial, &zero, &hi, 1, low_i(l, 1), &name);
        Var *v = &p->var[f->loop.var[0]];
        v->lo = 0;
        v->hi = known ? (n + wide - 1) / wide - 1 : INT32_MAX / wide - 1;
        tile = low_add(l, low_mul(l, x_var(p, f->loop.var[0]), wide / each), mine);
    }
    uint32_t t = s_let(p, each > 1 ? "pair" : "tile", tile);
    p->var[t].lo = 0;
    p->var[t].hi = known ? n / each - 1 : INT32_MAX;
    if (each > 1) {
        l->rank = s_let(p, "rank", low_mod(l, x_var(p, sm), each));
        rank = x_var(p, l->rank);
        s->launch.grid[along] = low_div(l, s->launch.grid[along], each);
        s->launch.cluster[0] = Pair;
    }
    persist_lets(l, k, x_var(p, t), along, rank, map);
    low_subst(l, s->launch.body, map, nmap, NULL, 0);
    low_put(l, s->launch.body);
    if (wide)
        s_close(p);
    s->launch.body = low_end(l);
    for (int i = 1; i < MaxLaunchDim; i++)
        s->launch.grid[i] = 0;
    s->launch.n = 1;
    s->launch.block[0] = sm;
    s->launch.grid[0] = wide ? x_bin(p, Xmin, count, low_i(l, wide)) : count;
}

void low_persist(Low *l)
{
    PersistScan k = {.l = l, .written = l->launch->launch.body};
    int64_t n = INT64_MAX, sms = l->m->card ? l->m->card->sms : 0;
    Stmt *s = l->launch;
    if (!l->m->tma || !l->m->wgmma || sms < Pair)
        return;
    Ex count = persist_tiles(l);
    bool few = x_isint(l->p, count, &n) && n <= sms;
    persist_scan(&k, s->launch.body, false);
    if (k.loops != 1 || !k.product || n < Pair || s->launch.blocks > 1)
        return;
    for (int i = 0; i < MaxLaunchDim; i++)
        if (s->launch.cluster[i] > 1)
            k.why = "cluster";
    if (l->retry.apart)
        k.why = "buffers of a tile and of the next would not fit";
    else if (s->launch.fixed)
        k.why = "tl.disable_persistent";
    else if (k.other)
        k.why = "T.Pipelined";
    if (l->threads % 128 || k.loop->loop.num_stages < 1)
        k.why = afmt(&l->p->ctx, "threads=%d, num_stages=%d", l->threads, k.loop->loop.num_stages);
    if (k.why) {
        if (!few)
            low_note(l, E_persist_none, s, k.why);
        return;
    }
    int along = pairs_along(&k, false), might = pairs_along(&k, true);
    if (along != might)
        low_note(l, E_cluster_apart, k.loop, low_text(l, k.apart[might]),
                 l->p->var[s->launch.block[might]].name);
    l->needs.waves = !few;
    if (!few || along >= 0)
        loop_over(l, &k, count, few ? 0 : sms - sms % Pair);
}
