/* core/lower/solve/stage.c: where a node and a fragment disagree, and what the
 * solver leaves behind: moves, plans of parallel loops, buffers of registers.
 *
 * The stronger side keeps its layout.  The weaker edge gets, first that fits:
 * a shuffle into a fragment of the node's layout; a staging buffer in shared
 * memory that the fragment's owners write before (and read back after) and the
 * node accesses by its own indices.  A value that a loop does not change is
 * moved in front of it.  An operand of an operation gets a fragment of its own
 * and a parallel loop that fills it, which then is a node like any other. */
#include <string.h>

#include "core/lower/parallel/parallel.h"
#include "core/lower/pipe/pipeline.h"
#include "solve.h"
#include "err/layouts.h"

/* Where statements are put ------------------------------------------------ */

Insert *solve_insert(Solve *s, Stmt *at)
{
    for (uint32_t i = 0; i < s->nins; i++)
        if (s->ins[i].at == at)
            return &s->ins[i];
    agrow(&s->l->p->ctx, &s->ins, &s->capins, s->nins + 1, sizeof *s->ins);
    s->ins[s->nins] = (Insert){.at = at};
    return &s->ins[s->nins++];
}

static void insert_before(Solve *s, Stmt *at, Stmt *list)
{
    Insert *i = solve_insert(s, at);
    i->pre = low_append(i->pre, list);
}

static void staging_after(Solve *s, Stmt *at, Stmt *list)
{
    Insert *i = solve_insert(s, at);
    i->post = low_append(i->post, list);
}

static Stmt *staging_expand(Solve *s, Stmt *list);

/* st in its loops. */
static Stmt *in_rounds(Solve *s, Stmt *st, const StageRound *r)
{
    for (; r; r = r->outer) {
        st = low_append(staging_expand(s, r->pre), st);
        r->loop->loop.body = low_append(st, staging_expand(s, r->post));
        st = r->loop;
    }
    return st;
}

/* s with all that stands before and after it, which may have more in turn. */
static Stmt *staging_expand(Solve *s, Stmt *list)
{
    Stmt *out = NULL;
    for (Stmt *st = list, *next; st; st = next) {
        Insert *i = NULL;
        next = st->next;
        st->next = NULL;
        for (uint32_t k = 0; k < s->nins && !i; k++)
            if (s->ins[k].at == st)
                i = &s->ins[k];
        if (!i) {
            out = low_append(out, st);
            continue;
        }
        Insert with = *i;
        i->at = NULL; /* once */
        out =
            low_append(out, low_append(staging_expand(s, with.pre), in_rounds(s, st, with.round)));
        out = low_append(out, staging_expand(s, with.post));
    }
    return out;
}

static Stmt *staging_insert(Low *l, Stmt *st, bool *into, void *ud)
{
    (void)l;
    *into = !(st->kind == Sfor && st->loop.kind == Fparallel);
    return staging_expand(ud, st);
}

/* By its name, or in its registers, as shuffles do. */
static bool writes_itself(const Solve *s, const Stmt *st, uint32_t buf)
{
    uint32_t regs = buf < s->l->capbuf ? s->l->buf[buf].regs : 0;
    if (st->kind == Sstore && (st->store.buf == buf || (regs && st->store.buf == regs)))
        return true;
    if (st->kind == Salloc && st->alloc.buf == buf)
        return true;
    for (int i = 0; st->kind == Sop && i < opinfo[st->op.op].nregion; i++)
        if (st->op.r[i].buf == buf && opinfo[st->op.op].regions[i] != 'r')
            return true;
    return false;
}

static bool writes_any(const Solve *s, Stmt *list, uint32_t buf);

/* Does st, or what shall stand around it, write fragment buf or declare it? */
static bool writes_fragment(const Solve *s, Stmt *st, uint32_t buf)
{
    Stmt *b[2];
    if (writes_itself(s, st, buf))
        return true;
    for (int i = 0, n = stmt_blocks(st, b); i < n; i++)
        if (writes_any(s, b[i], buf))
            return true;
    for (uint32_t i = 0; i < s->nins; i++) {
        bool here = s->ins[i].at == st;
        if (here && (writes_any(s, s->ins[i].pre, buf) || writes_any(s, s->ins[i].post, buf)))
            return true;
        for (const StageRound *r = here ? s->ins[i].round : NULL; r; r = r->outer)
            if (writes_any(s, r->post, buf))
                return true;
    }
    return false;
}

static bool writes_any(const Solve *s, Stmt *list, uint32_t buf)
{
    for (; list; list = list->next)
        if (writes_fragment(s, list, buf))
            return true;
    return false;
}

/* The outermost loop around the node in which buf does not change, or the
 * node's own statement. */
static Stmt *staging_outermost(const Solve *s, const SolveNode *n, uint32_t buf)
{
    Stmt *at = n->s;
    for (const Around *a = n->in; a; a = a->up) {
        if ((a->s->kind != Sfor && a->s->kind != Swhile) || writes_fragment(s, a->s, buf))
            break;
        at = a->s;
    }
    return at;
}

/* Buffers ---------------------------------------------------------------- */

static enum Dtype staging_type_of(const Solve *s, const Frag *f)
{
    return (enum Dtype)s->l->p->buf[f->buf].dt;
}

/* What is at the root of the chain of reasons that gave f its layout: into buffer b. */
static void root_reason(const Solve *s, const Frag *f, Buf *b)
{
    const SolveNode *n = NULL;
    for (uint32_t steps = 0; f->from >= 0 && steps <= s->nnode; steps++) {
        n = &s->node[f->from];
        if (n->from < 0)
            break;
        f = &s->frag[n->from];
        n = NULL;
    }
    b->cause = n ? n->kind == NDgemm ? "gemm" : n->kind == NDreduce ? "reduce" : "loop"
               : f->strength == STuser ? "annotate_layout" : "size";
    b->fixed = n ? n->s->loc : s->l->p->buf[f->buf].loc;
}

/* The local buffer of a fragment's registers. */
static uint32_t staging_regs_of(Solve *s, Frag *f)
{
    Low *l = s->l;
    BufLow *b = low_buf(l, f->buf);
    if (b->regs)
        return b->regs;
    const char *name = l->p->buf[f->buf].name;
    Loc loc = l->p->buf[f->buf].loc;
    Ex n = low_i(l, layout_extent(&f->map, AXreg));
    uint32_t k = p_buf(l->p, SClocal, staging_type_of(s, f), name, &n, NULL, 1);
    Layout *map = anew(&l->p->ctx, sizeof *map);
    *map = f->map;
    l->p->buf[k].map = l->p->buf[f->buf].map = map;
    l->p->buf[k].at = -1;
    l->p->buf[k].loc = loc;
    root_reason(s, f, &l->p->buf[k]);
    low_buf(l, k)->fragment = f->buf; /* may move the table */
    b = low_buf(l, f->buf);
    b->map = f->map;
    b->strength = f->strength ? f->strength : STfree;
    b->regs = k;
    return k;
}

static Stmt *alloc_stmt(Solve *s, uint32_t buf, Loc loc)
{
    low_begin(s->l, loc);
    s_alloc(s->l->p, buf, 0);
    return low_end(s->l);
}

uint32_t new_frag(Solve *s, const char *name, enum Dtype dt, const Layout *map, int from)
{
    Low *l = s->l;
    Ex shape[MaxDim];
    for (int d = 0; d < map->ndim; d++)
        shape[d] = low_i(l, map->size[d]);
    uint32_t b = p_buf(l->p, SCfragment, dt, name, shape, NULL, map->ndim);
    l->launch->launch.body =
        low_append(alloc_stmt(s, b, l->launch->loc), l->launch->launch.body);
    agrow(&l->p->ctx, &s->frag, &s->capfrag, s->nfrag + 1, sizeof *s->frag);
    Frag *f = &s->frag[s->nfrag];
    *f = (Frag){.buf = b, .ndim = map->ndim, .from = -1};
    memcpy(f->size, map->size, sizeof f->size);
    frag_set(s, s->nfrag, map, from, STweak);
    return s->nfrag++;
}

/* Replaces one buffer in one statement and all inside it. */
static void staging_replace(Solve *s, Stmt *st, uint32_t old, uint32_t now)
{
    Low *l = s->l;
    Stmt *next = st->next;
    st->next = NULL;
    low_bufs(l, st, &(LowNew){old, now}, 1);
    st->next = next;
}

/* Disagreements ---------------------------------------------------------- */

int64_t frag_bytes(const Solve *s, const Frag *f)
{
    int64_t n = 1;
    for (int d = 0; d < f->ndim; d++)
        n *= f->size[d];
    return n * ((dtypeinfo[staging_type_of(s, f)].bits + 7) / 8);
}

static const Err why_row[NLinkWhy] = {
    [LWok] = E_layout_shared,       [LWdiagonal] = E_layout_diagonal,
    [LWdata] = E_layout_index,      [LWoverlap] = E_layout_index,
    [LWunaligned] = E_layout_slice,
};

static bool staging_agrees(const Solve *s, const SolveNode *n, const Use *u)
{
    return link_agrees(s, &n->loop, n->size, &u->link, &s->frag[u->frag].map, false);
}

/* false: all agree. */
static bool collect_access(const Solve *s, const SolveNode *n, uint32_t frag, NodeAccess *t)
{
    const Use *first = NULL;
    *t = (NodeAccess){.frag = frag, .one = true};
    for (uint32_t i = 0; i < n->nuse; i++) {
        const Use *u = &n->use[i];
        if (u->frag != frag)
            continue;
        t->read |= u->read;
        t->write |= u->write;
        t->whole |= u->whole;
        t->one &= !first || link_equal(&first->link, &u->link);
        first = first ? first : u;
        if (!t->use && !staging_agrees(s, n, u))
            t->use = u;
    }
    return t->use != NULL;
}

Marked whole_part(const Frag *f)
{
    Marked w = {.all = true};
    for (int d = 0; d < f->ndim; d++) {
        w.hi[d] = f->size[d];
        w.step[d] = 1;
    }
    return w;
}

/* Keeps the parallel loop's one statement to the elements of w. */
static void keep_to(Low *l, Stmt *parloop, const Frag *f, const Marked *w)
{
    Prog *p = l->p;
    Ex all = x_int(p, DTbool, 1);
    for (int d = 0; d < f->ndim; d++) {
        Ex v = x_var(p, parloop->loop.var[d]), off = low_add(l, v, low_i(l, -w->lo[d]));
        all = x_bin(p, Xand, all, x_bin(p, Xle, low_i(l, w->lo[d]), v));
        all = x_bin(p, Xand, all, x_bin(p, Xlt, v, low_i(l, w->hi[d])));
        all = x_bin(p, Xand, all, x_bin(p, Xeq, low_mod(l, off, w->step[d]), low_i(l, 0)));
    }
    low_begin(l, parloop->loc);
    low_put(l, low_if(l, all, parloop->loop.body, NULL));
    parloop->loop.body = low_end(l);
}

/* S = F, or F = S. */
Stmt *stage_parloop(Solve *s, const Frag *f, uint32_t dst, uint32_t src, const Marked *w,
                    const RoundCut *c, Loc loc)
{
    LayoutLink k;
    Layout loop;
    link_identity(f->ndim, f->size, &k);
    if (!node_from(s, &f->map, &k, f->ndim, f->size, false, 1, &loop))
        diag_fail(&s->l->p->ctx, E_bug, loc, "a fragment's own parallel loop has no layout", NULL);
    Stmt *parloop = move_parloop(s, dst, src, f->ndim, f->size, &loop, loc);
    keep_to(s->l, parloop, f, w);
    if (c)
        rounds_parloop(s->l, parloop, dst == f->buf ? src : dst, f, c);
    return parloop;
}

uint32_t stage_buf(Solve *s, const Frag *f, const Stmt *of, const Layout *reader, const RoundCut *c)
{
    Low *l = s->l;
    Ex shape[MaxDim];
    int32_t size[MaxDim];
    memcpy(size, f->size, sizeof size);
    if (c)
        size[c->dim] = c->rows;
    for (int d = 0; d < f->ndim; d++)
        shape[d] = low_i(l, size[d]);
    uint32_t b = low_sharedbuf(l, staging_type_of(s, f), l->p->buf[f->buf].name, shape, f->ndim);
    l->p->buf[b].loc = l->p->buf[f->buf].loc;
    l->p->buf[b].stage = true;
    if (c) /* indices are not the fragment's */
        low_holds(l, b, f->buf);
    BufLow *k = low_buf(l, b);
    int bits = dtypeinfo[staging_type_of(s, f)].bits;
    stage_map(s, f->ndim, size, bits < 8 ? 8 : bits, &f->map, reader, &k->map); /* solve_unpack() */
    k->strength = STuser; /* low_shared keeps it */
    k->why = of->loc;
    return b;
}

/* Why an access that is understood needs memory all the same. */
static Err staging_row_of(const LayoutLink *k, bool known)
{
    for (int d = 0; d < k->ndim; d++)
        if (k->why == LWok && k->dyn[d])
            return E_layout_serial;
    return k->why == LWok && !known ? E_layout_slice : why_row[k->why];
}

/* The staging buffer that holds fragment buf at statement `at` already, or 0:
 * written before it in the same block, and the fragment has not changed since. */
static uint32_t staging_staged(const Solve *s, uint32_t buf, const Stmt *at)
{
    for (uint32_t i = 0; i < s->nstaged; i++) {
        const StagedFrag *k = &s->staged[i];
        if (k->buf != buf)
            continue;
        for (Stmt *st = k->at; st; st = st->next) {
            if (st == at)
                return k->shared;
            if (writes_fragment(s, st, buf))
                break;
        }
    }
    return 0;
}

/* Can the copy be made in rounds, and has it to be? */
static bool by_rounds(Solve *s, const SolveNode *n, const NodeAccess *t, const Marked *w,
                      RoundCut *c)
{
    Low *l = s->l;
    int64_t bytes = frag_bytes(s, &s->frag[t->frag]), most = l->retry.most;
    bool cut = most && bytes > most, can = rounds_find(s, n, t, w, cut ? most : bytes / 2, c);
    cut &= can;
    int64_t left = cut ? (c->more ? c->bytes : 0) : can ? bytes : 0;
    l->needs.cut = left > l->needs.cut ? left : l->needs.cut;
    return cut;
}

static void staging_stage(Solve *s, uint32_t node, const NodeAccess *t)
{
    SolveNode *n = &s->node[node];
    Frag *f = &s->frag[t->frag];
    Layout want;
    RoundCut c;
    bool known = frag_from(s, &n->loop, n->size, &t->use->link, f->ndim, f->size, false, &want);
    bool once = t->write || s->l->retry.tight;
    Stmt *at = once ? n->s : staging_outermost(s, n, f->buf);
    uint32_t sh = once ? 0 : staging_staged(s, f->buf, at);
    Err e = t->part                 ? E_layout_part
            : t->races              ? E_layout_races
            : n->kind == NDmemory   ? E_layout_memory
                                    : staging_row_of(&t->use->link, known);
    Diag *d = solve_note(s, e, n, f, known ? &want : NULL, frag_bytes(s, f));
    Marked all = whole_part(f), w = all; /* .. that comes back: no more than the node writes */
    if (t->write && !t->whole && !low_written(s->l, n->s, f->buf, &w)) {
        w = all;
        w.all = false;
    }
    if (!sh && by_rounds(s, n, t, &w, &c)) {
        rounds_note(s, d, n, f, &c);
        rounds_stage(s, node, t, &c, known ? &want : NULL, &w);
        return;
    }
    if (sh || at != n->s)
        s->l->needs.copies = true;
    else if (!t->write && s->l->retry.tight && staging_outermost(s, n, f->buf) != n->s)
        diag_note(&s->l->p->ctx, d, E_layout_again, n->s->loc, s->l->p->buf[f->buf].name,
                  s->l->m->name, NULL);
    if (!sh) {
        sh = stage_buf(s, f, n->s, known ? &want : NULL, NULL);
        if (t->read || !w.all)
            insert_before(s, at,
                          stage_parloop(s, f, sh, f->buf, t->read ? &all : &w, NULL, n->s->loc));
        if (!t->write) {
            agrow(&s->l->p->ctx, &s->staged, &s->capstaged, s->nstaged + 1, sizeof *s->staged);
            s->staged[s->nstaged++] = (StagedFrag){f->buf, sh, at};
        }
    }
    if (t->write)
        staging_after(s, n->s, stage_parloop(s, f, f->buf, sh, &w, NULL, n->s->loc));
    staging_replace(s, n->s, f->buf, sh);
}

Stmt *under_each(Low *l, Stmt *body, Ex cond, Loc loc)
{
    Stmt *out = NULL;
    bool together = parloop_joined(body);
    for (Stmt *b = body, *next; b; b = next) {
        next = together ? NULL : b->next;
        if (!together)
            b->next = NULL;
        low_begin(l, together ? loc : b->loc);
        s_if(l->p, cond);
        low_put(l, b);
        s_close(l->p);
        out = low_append(out, low_end(l));
    }
    return out;
}

/* frag[k, i] with k known only at run time, before the parallel loop, and all k in each
 * thread's registers: a parallel loop over all k that does something for one. */
static bool by_regs(Solve *s, uint32_t node, const NodeAccess *t)
{
    Low *l = s->l;
    Prog *p = l->p;
    SolveNode *n = &s->node[node];
    int32_t size = 0;
    uint32_t v = n->kind == NDloop ? reg_var(s, n, &s->frag[t->frag], &size) : 0;
    if (!v || n->nvar == MaxLoop || declares(n->s->loop.body, v))
        return false;
    Stmt *st = n->s;
    enum Dtype dt = (enum Dtype)p->var[v].dt;
    uint32_t own = p_var(p, Vloop, DTi32, p->var[v].name, 0, size - 1);
    Ex x = x_cast(p, dt, x_var(p, own));
    low_vars(l, st->loop.body, &(LowNew){v, x}, 1);
    st->loop.body = under_each(l, st->loop.body, x_bin(p, Xeq, x, x_var(p, v)), st->loc);
    int d = n->nvar++;
    st->loop.n = n->nvar;
    st->loop.var[d] = n->var[d] = own;
    st->loop.lo[d] = low_i(l, 0);
    st->loop.hi[d] = low_i(l, size);
    n->size[d] = size;
    n->lo[d] = 0;
    layout_insert(&n->loop, d, size, AXreg, (int32_t)layout_extent(&n->loop, AXreg));
    return true;
}

/* Does the node read and write another fragment, which may have to go to shared memory?  Threads with
 * copies of an iteration would read there what one of them writes, with no barrier in between. */
static bool staging_exchanges(const SolveNode *n, uint32_t frag)
{
    for (uint32_t i = 0; i < n->nuse; i++)
        for (uint32_t k = 0; n->use[i].write && n->use[i].frag != frag && k < n->nuse; k++)
            if (n->use[k].frag == n->use[i].frag && n->use[k].read)
                return true;
    return false;
}

/* Shuffles where that is cheap: no more than two a register. */
static bool by_shuffles(Solve *s, uint32_t node, const NodeAccess *t)
{
    SolveNode *n = &s->node[node];
    Frag *f = &s->frag[t->frag];
    Layout want;
    if (n->kind != NDloop || !t->one || dtypeinfo[staging_type_of(s, f)].bits > 32 ||
        !frag_from(s, &n->loop, n->size, &t->use->link, f->ndim, f->size, false, &want))
        return false;
    for (int d = 0; d < t->use->link.ndim; d++)
        if (t->use->link.dyn[d])
            return false;
    if (t->write && staging_exchanges(n, t->frag) && !parloop_alone(s->l, &n->loop))
        return false;
    int there = shuffle_count(s, &f->map, &want), back = shuffle_count(s, &want, &f->map);
    int64_t most = 2 * layout_extent(&want, AXreg) + 8;
    if (!there || there > most || (t->write && (!back || back > most)))
        return false;
    Layout map = f->map;
    uint32_t buf = f->buf, from = staging_regs_of(s, f);
    solve_note(s, E_layout_shuffle, n, f, &want,
         (t->read || !t->whole ? there : 0) + (t->write ? back : 0));
    uint32_t two = new_frag(s, s->l->p->buf[buf].name, staging_type_of(s, f), &want, (int)node);
    uint32_t to = staging_regs_of(s, &s->frag[two]);
    Stmt *at = t->write ? n->s : staging_outermost(s, n, buf);
    if (t->read || !t->whole)
        insert_before(s, at, shuffle_move(s, to, &want, from, &map, n->s->loc));
    if (t->write)
        staging_after(s, n->s, shuffle_move(s, from, &map, to, &want, n->s->loc));
    staging_replace(s, n->s, buf, s->frag[two].buf);
    return true;
}

/* Copies between the region of an operand and a fragment of its own. */
static void operand_parloop(Solve *s, uint32_t node, const Use *use, uint32_t two, bool in)
{
    static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    Low *l = s->l;
    Prog *p = l->p;
    const SolveNode *n = &s->node[node];
    Frag *own = &s->frag[two], *f = &s->frag[use->frag];
    Stmt *op = n->s;
    Region *r = NULL;
    for (int i = 0; i < MaxRegion; i++)
        if (op->op.r[i].buf == f->buf && (n->kind != NDgemm || i == n->operand))
            r = &op->op.r[i];
    if (!r)
        diag_fail(&p->ctx, E_bug, op->loc, "an operand that its operation lacks", NULL);
    low_begin(l, op->loc);
    Ex lo[MaxDim], hi[MaxDim], v[MaxDim], at[MaxDim];
    for (int d = 0; d < own->ndim; d++) {
        lo[d] = low_i(l, 0);
        hi[d] = low_i(l, own->size[d]);
    }
    Stmt *loop = s_for(p, Fparallel, lo, hi, own->ndim, 0, names);
    for (int d = 0; d < own->ndim; d++) {
        v[d] = x_var(p, loop->loop.var[d]);
        at[d] = low_add(l, r->min[d], v[d]);
    }
    if (in)
        s_store(p, own->buf, v, own->ndim, x_load(p, f->buf, at, own->ndim));
    else
        s_store(p, f->buf, at, own->ndim, x_load(p, own->buf, v, own->ndim));
    s_close(p);
    Stmt *parloop = low_end(l);
    SolveNode k = {.kind = NDloop, .nvar = (uint8_t)own->ndim, .warps = n->warps, .s = parloop,
                   .in = n->in, .out = n->in, .from = (int)two};
    for (int d = 0; d < own->ndim; d++) {
        k.var[d] = loop->loop.var[d];
        k.size[d] = own->size[d];
    }
    agrow(&p->ctx, &s->node, &s->capnode, s->nnode + 1, sizeof *s->node);
    uint32_t me = s->nnode++;
    s->node[me] = k;
    agrow(&p->ctx, &s->node[me].use, &s->node[me].capuse, 2, sizeof(Use));
    Use *u = s->node[me].use;
    s->node[me].nuse = 2;
    u[0] = (Use){.frag = use->frag, .read = in, .write = !in, .loc = op->loc};
    link_parse(s, &s->node[me], at, own->ndim, &u[0].link);
    u[0].whole = !in && link_covers(&u[0].link, f);
    u[1] = (Use){.frag = two, .read = !in, .write = in, .whole = in, .loc = op->loc};
    link_identity(own->ndim, own->size, &u[1].link);
    Layout plan;
    if (!node_from(s, &own->map, &u[1].link, own->ndim, own->size, false, 1, &plan))
        diag_fail(&p->ctx, E_bug, op->loc, "an operand's parallel loop has no layout", NULL);
    node_set(s, me, &plan, (int)two, STweak);
    if (in)
        insert_before(s, op, parloop);
    else
        staging_after(s, op, parloop);
}

/* An operand in the wrong layout: the operation gets a fragment of its own. */
static void staging_operand(Solve *s, uint32_t node, const NodeAccess *t)
{
    Prog *p = s->l->p;
    SolveNode *n = &s->node[node];
    Use use = *t->use;
    const Buf *b = &p->buf[s->frag[use.frag].buf];
    LayoutLink at = use.link;
    int32_t size[MaxDim];
    Layout map;
    Region *r = NULL;
    for (int i = 0; i < MaxRegion; i++)
        if (n->s->op.r[i].buf == s->frag[use.frag].buf && (n->kind != NDgemm || i == n->operand))
            r = &n->s->op.r[i];
    memset(at.off, 0, sizeof at.off);
    memset(at.dyn, 0, sizeof at.dyn);
    at.why = LWok; /* of where it begins alone */
    if (!r || !const_region(p, r, size) ||
        !frag_from(s, &n->loop, n->size, &at, b->ndim, size, n->exact, &map))
        diag_fail(&p->ctx, E_bug, n->s->loc, "an operand without a layout", NULL);
    uint32_t two = new_frag(s, b->name, (enum Dtype)b->dt, &map, (int)node);
    if (t->read || !t->whole)
        operand_parloop(s, node, &use, two, true);
    if (t->write)
        operand_parloop(s, node, &use, two, false);
    *r = r_whole(p, s->frag[two].buf);
}

/* Threads with copies of n's iterations would race, or some would miss a store. */
static bool races(Solve *s, const SolveNode *n, uint32_t frag, NodeAccess *t)
{
    if (n->kind != NDloop)
        return false;
    LowRole outer = low_enter(s->l, around_role(n->in));
    bool race = parloop_races(s->l, n->s, &n->loop);
    low_leave(s->l, outer);
    t->part = !race && t->write && !stores_reach(s, n, s->frag[frag].buf);
    if (!race && !t->part)
        return false;
    for (uint32_t i = 0; i < n->nuse && !t->use; i++)
        t->use = n->use[i].frag == frag ? &n->use[i] : NULL;
    t->races = race;
    return true;
}

typedef struct StagedSets { const Solve *s; uint32_t buf; } StagedSets;

static bool not_set(Stmt *st, void *ud)
{
    const StagedSets *k = ud;
    return !writes_itself(k->s, st, k->buf);
}

/* A fragment of the node that stays one, when others have gone to shared memory: what the parallel
 * loop reads and writes there, threads with copies would race for. */
static void settle_again(Solve *s, uint32_t node, uint32_t frag)
{
    SolveNode *n = &s->node[node];
    StagedSets k = {s, s->frag[frag].buf};
    NodeAccess t;
    if (n->kind != NDloop || stmt_walk(n->s->loop.body, not_set, &k))
        return;
    collect_access(s, n, frag, &t);
    if (races(s, n, frag, &t))
        staging_stage(s, node, &t);
}

/* Settles one fragment of one node. */
static void stage_fragment(Solve *s, uint32_t node, uint32_t frag)
{
    NodeAccess t;
    bool differs = collect_access(s, &s->node[node], frag, &t);
    if (races(s, &s->node[node], frag, &t)) {
        staging_stage(s, node, &t);
        return;
    }
    if (!differs)
        return;
    int kind = s->node[node].kind;
    if (kind == NDgemm || kind == NDreduce)
        staging_operand(s, node, &t);
    else if (!by_regs(s, node, &t) && !by_shuffles(s, node, &t))
        staging_stage(s, node, &t);
}

/* Plans ------------------------------------------------------------------ */

static void staging_plan(Solve *s, const SolveNode *n)
{
    ParLoopPlan **at = n->kind == NDloop ? &n->s->loop.plan
                       : n->kind == NDreduce ? &n->s->op.reduce : NULL;
    if (at && !*at)
        *at = low_loop_plan(s->l, &n->loop);
}

/* Registers of the last variable's lowest mode are what a vector can be made of. */
static bool widths(Stmt *st, void *ud)
{
    ParLoopPlan *q = loop_plan(st);
    if (!q)
        return true;
    int run = layout_run(&q->loop, q->loop.ndim - 1, AXreg), vec = parloop_width(ud, st);
    while (vec > 1 && run % vec)
        vec /= 2;
    q->vec = vec;
    return true;
}

/* Registers stand where their fragment does. */
static bool note_reg_index(Stmt *st, void *ud)
{
    Solve *s = ud;
    if (st->kind != Salloc || !low_fragment(s->l->p, st->alloc.buf))
        return true;
    for (uint32_t i = 0; i < s->nfrag; i++)
        if (s->frag[i].buf == st->alloc.buf)
            staging_after(s, st, alloc_stmt(s, staging_regs_of(s, &s->frag[i]), st->loc));
    return true;
}

/* Each fragment of a node once. */
static void settle_node(Solve *s, uint32_t node, void one(Solve *, uint32_t, uint32_t))
{
    for (uint32_t k = 0; k < s->node[node].nuse; k++) {
        uint32_t frag = s->node[node].use[k].frag;
        bool first = true;
        for (uint32_t j = 0; j < k; j++)
            first &= s->node[node].use[j].frag != frag;
        if (first)
            one(s, node, frag);
    }
}

void solve_finish(Solve *s)
{
    for (uint32_t i = 0; i < s->nnode; i++) {
        settle_node(s, i, stage_fragment);
        settle_node(s, i, settle_again);
    }
    for (uint32_t i = 0; i < s->nnode; i++)
        staging_plan(s, &s->node[i]);
    stmt_walk(s->l->launch->launch.body, note_reg_index, s);
    low_rewrite(s->l, &s->l->launch->launch.body, staging_insert, s);
    stmt_walk(s->l->launch->launch.body, widths, s->l);
}
