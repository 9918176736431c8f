/* targets/sim/build.c: a thread program as linear code over lanes.
 *
 * Pure values are computed as far out as they can be: what depends on nothing
 * but the thread once a launch, what depends on the block once a block, what
 * depends on a loop's variable at the head of its body.  What reads memory or
 * registers is computed where it stands.  Instructions are collected in lists,
 * one for each place, and joined at the end. */
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "run.h"

/* Instructions ------------------------------------------------------------ */

static void sbuild_append(List *l, BuildNode *n)
{
    if (l->last)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
}

static void sbuild_join(List *l, const List *more)
{
    if (!more->first)
        return;
    sbuild_append(l, more->first);
    l->last = more->last;
}

BuildNode *b_emit(Build *b, InsFn *fn)
{
    BuildNode *n = anew(b->c, sizeof *n);
    n->i.fn = fn;
    n->i.w = (uint8_t)b->w;
    n->i.level = (uint16_t)b->level;
    b->mostlevel = b->level > b->mostlevel ? b->level : b->mostlevel;
    n->loc = b->here;
    sbuild_append(b->out, n);
    return n;
}

BuildNode *b_label(Build *b) { return anew(b->c, sizeof(BuildNode)); }
void b_place(Build *b, BuildNode *label) { sbuild_append(b->out, label); }

/* The list as an array; labels become the instruction behind them.  locs: where they
 * stand in the user's text. */
static const Ins *list_to_array(Build *b, const List *l, const Loc **locs)
{
    uint32_t n = 0;
    for (BuildNode *k = l->first; k; k = k->next) {
        k->index = n;
        n += k->i.fn != NULL;
    }
    Ins *code = anew(b->c, (n + 1) * sizeof *code);
    Loc *loc = anew(b->c, (n + 1) * sizeof *loc);
    n = 0;
    for (const BuildNode *k = l->first; k; k = k->next) {
        if (!k->i.fn)
            continue;
        code[n] = k->i;
        if (k->to)
            code[n].to = code + k->to->index;
        loc[n++] = k->loc;
    }
    code[n].fn = run_end;
    b->l->ncode = n + 1;
    *locs = loc;
    return code;
}

/* Registers ---------------------------------------------------------------- */

Val b_reg(Build *b, enum Dtype dt)
{
    return (Val){SHu, (uint8_t)value_class(dt), (uint8_t)dt, b->nreg++};
}

/* A head runs before statements that were built earlier: its registers are new
 * ones.  Those of statements are used again. */
Val b_rows(Build *b, enum Dtype dt, enum Shape sh)
{
    enum ValueClass c = value_class(dt);
    uint32_t n = class_rows(c) * (sh == SHw ? (uint32_t)b->w : 1), at = b->nrow;
    if (b->life == &b->stmt && n < COUNT(b->free) && b->free[n].n)
        at = b->free[n].at[--b->free[n].n];
    else
        b->nrow += n;
    Life *f = b->life;
    agrow(b->c, &f->row, &f->caprow, f->nrow + 1, sizeof *f->row);
    f->row[f->nrow].at = at;
    f->row[f->nrow++].n = n;
    return (Val){(uint8_t)sh, (uint8_t)c, (uint8_t)dt, at};
}

Val b_forever(Build *b, enum Dtype dt, int64_t n)
{
    enum ValueClass c = value_class(dt);
    Val v = {SHt, (uint8_t)c, (uint8_t)dt, b->nrow};
    if (n > INT32_MAX / 16 || b->nrow > INT32_MAX / 2)
        diag_fail(b->c, E_memory, b->here, "more", "reached", NULL);
    b->nrow += class_rows(c) * (uint32_t)n;
    return v;
}

/* Its registers may be used again; its values are forgotten. */
void b_free(Build *b, Life *f)
{
    for (uint32_t i = 0; i < f->nex; i++)
        b->has[f->ex[i]] = false;
    for (uint32_t i = 0; i < f->nrow; i++) {
        uint32_t n = f->row[i].n;
        if (n >= COUNT(b->free))
            continue;
        agrow(b->c, &b->free[n].at, &b->free[n].cap, b->free[n].n + 1, sizeof *b->free[n].at);
        b->free[n].at[b->free[n].n++] = f->row[i].at;
    }
    f->nex = f->nrow = 0;
}

void b_enter(Build *b)
{
    agrow(b->c, &b->scope, &b->capscope, (uint32_t)b->nscope + 1, sizeof *b->scope);
    if (!b->scope[b->nscope])
        b->scope[b->nscope] = anew(b->c, sizeof **b->scope);
    b->scope[b->nscope++]->head = (List){0};
}

void b_leave(Build *b, List *body, List *to)
{
    Hoist *s = b->scope[--b->nscope];
    sbuild_join(to, &s->head);
    sbuild_join(to, body);
    b_free(b, &s->life);
}

/* The visible loops, or all uniform variables, as they are now. */
const Live *b_live(Build *b, bool loops)
{
    Live *v = anew(b->c, sizeof *v);
    uint32_t *reg = anew(b->c, (b->nstate + 1) * sizeof *reg);
    v->name = anew(b->c, (b->nstate + 1) * sizeof *v->name);
    v->reg = reg;
    for (uint32_t i = 0; i < b->nstate; i++) {
        if (loops && !b->state[i].name)
            continue;
        reg[v->n] = b->state[i].reg;
        v->name[v->n++] = b->state[i].name;
    }
    return v;
}

uint32_t b_site(Build *b, Loc loc, uint32_t buf, const char *what)
{
    SimProg *sp = b->sp;
    agrow(b->c, &sp->site, &sp->capsite, sp->nsite + 1, sizeof *sp->site);
    agrow(b->c, &sp->where, &sp->capwhere, sp->nsite + 1, sizeof *sp->where);
    sp->site[sp->nsite] = (SimSite){loc, buf, what, 0};
    sp->where[sp->nsite] = b_live(b, true);
    return sp->nsite++;
}

/* What is read and written ------------------------------------------------- */

typedef struct RegUses RegUses;
struct RegUses { Prog *p; SimProg *sp; };

static ExGo build_load(void *ud, Ex e)
{
    RegUses *u = ud;
    const Expr *x = ex_at(u->p, e);
    if (x->op == Xload)
        u->sp->read[buf_root(u->p, x->sym)] = true;
    return EXinto;
}

static bool sbuild_reads(void *ud, Ex e)
{
    RegUses *u = ud;
    return ex_walk(u->p, e, build_load, u);
}

static bool sbuild_uses(Stmt *s, void *ud)
{
    RegUses *u = ud;
    if (s->kind == Salloc && u->p->buf[s->alloc.buf].scope == SCglobal)
        u->sp->written[s->alloc.buf] = true; /* a workspace: with what is undefined */
    if (s->kind == Sstore)
        u->sp->written[buf_root(u->p, s->store.buf)] = true;
    if (s->kind == Satomic) {
        u->sp->written[buf_root(u->p, s->atomic.buf)] |= s->atomic.kind != ATload;
        u->sp->read[buf_root(u->p, s->atomic.buf)] = true;
    }
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++) {
        uint32_t r = buf_root(u->p, s->op.r[i].buf);
        u->sp->written[r] |= opinfo[s->op.op].regions[i] != 'r';
        u->sp->read[r] |= opinfo[s->op.op].regions[i] != 'w';
    }
    stmt_exprs(u->p, s, sbuild_reads, u);
    return true;
}

/* Shared memory ------------------------------------------------------------ */

/* Offset of index i of one dimension: the sum of its modes. */
static int64_t mode_offset(const Layout *m, int dim, int64_t i)
{
    int64_t at = 0;
    for (int k = 0; k < m->n; k++)
        if (m->d[k].dim == dim && m->d[k].axis == AXoff)
            at += i / m->d[k].weight % m->d[k].extent * (int64_t)m->d[k].stride;
    return at;
}

static void sbuild_rowmajor(Prog *p, const Buf *k, SharedMap *m)
{
    int64_t step = 1, v = 0;
    m->linear = true;
    for (int d = k->ndim; d-- > 0;) {
        m->stride[d] = k->stride[d] && x_isint(p, k->stride[d], &v) ? v : step;
        step *= x_isint(p, k->shape[d], &v) ? v : 1;
    }
}

/* Offsets by a table for each dimension; they are linear more often than not. */
static void tables(Build *b, const Buf *k, SharedMap *m)
{
    const Layout *l = k->map;
    m->linear = l->x.bits == 0;
    m->bits = l->x.bits;
    m->base = l->x.base;
    m->shift = l->x.shift;
    for (int d = 0; d < l->ndim; d++) {
        int64_t n = l->size[d];
        m->tab[d] = anew(b->c, (size_t)(n + 1) * sizeof *m->tab[d]);
        for (int64_t i = 0; i < n; i++)
            m->tab[d][i] = (int32_t)mode_offset(l, d, i);
        m->stride[d] = n > 1 ? m->tab[d][1] : 0;
        for (int64_t i = 0; i < n && m->linear; i++)
            m->linear = m->tab[d][i] == i * m->stride[d];
    }
}

static void maps(Build *b)
{
    for (uint32_t i = 1; i < b->p->nbuf; i++) {
        const Buf *k = &b->p->buf[i];
        if (k->scope != SCshared && k->scope != SCbarrier)
            continue;
        if (k->map)
            tables(b, k, &b->sp->map[i]);
        else
            sbuild_rowmajor(b->p, k, &b->sp->map[i]);
    }
}

/* A launch ----------------------------------------------------------------- */

static bool syncs_grid(Stmt *s, void *ud)
{
    bool *found = ud;
    *found |= s->kind == Scall && s->call.fn == Isync_grid;
    return !*found;
}

static void sbuild_geometry(Build *b, const Stmt *s)
{
    SimLaunch *l = b->l;
    bool grid = false;
    int warp = b->m->warp;
    l->s = s;
    l->threads = 1;
    for (int i = 0; i < s->launch.nthread; i++)
        l->threads *= s->launch.threads[i];
    l->lanes = (l->threads + warp - 1) / warp * warp;
    l->ncta = 1;
    for (int i = 0; i < 3; i++) {
        l->cluster[i] = i < s->launch.n && s->launch.cluster[i] > 1 ? s->launch.cluster[i] : 1;
        l->ncta *= l->cluster[i];
    }
    stmt_walk(s->launch.body, syncs_grid, &grid);
    l->ncta = grid ? 0 : l->ncta;
    l->shared = s->launch.shared;
    for (uint32_t i = 1; i < b->p->nbuf; i++) { /* hand-written programs may not say it */
        const Buf *k = &b->p->buf[i];
        bool shared = (k->scope == SCshared || k->scope == SCbarrier) && !k->base && k->at >= 0;
        int64_t end = shared ? k->at + buf_bytes(b->p, i) : 0;
        l->shared = end > l->shared ? end : l->shared;
    }
    l->shared = (l->shared + 127) / 128 * 128;
}

/* Thread variables from the linear index: the first runs fastest. */
static void threadvars(Build *b, const Stmt *s)
{
    Val tid = b_forever(b, DTi32, 1), rest = tid;
    b->l->index = tid.at;
    for (int i = 0; i < s->launch.nthread; i++) {
        uint32_t v = s->launch.thread[i];
        if (i + 1 == s->launch.nthread) {
            b->var[v] = rest;
        } else {
            Val n = b_const(b, DTi32, s->launch.threads[i], 0);
            Val part[2];
            for (int k = 0; k < 2; k++) {
                part[k] = b_forever(b, DTi32, 1);
                BuildNode *q = b_emit(b, run_kern);
                q->i.kern = b->sp->kern->bin[k ? Xfdiv : Xfmod][KCi][KFvs];
                q->i.d = part[k];
                q->i.a = rest;
                q->i.b = n;
            }
            b->var[v] = part[0];
            rest = part[1];
        }
        b->varkind[v] = VKthread;
        b->varlevel[v] = 0;
    }
}

static void blockvars(Build *b, const Stmt *s)
{
    for (int i = 0; i < 3; i++)
        b->l->block[i] = b_reg(b, DTi32).at;
    for (int i = 0; i < s->launch.n; i++) {
        uint32_t v = s->launch.block[i];
        b->var[v] = (Val){SHu, VCi, DTi32, b->l->block[i]};
        b->varkind[v] = VKuniform;
        b->varlevel[v] = 1;
    }
}

/* Arguments are in registers that the launch fills: by number of the variable. */
static void sbuild_arguments(Build *b)
{
    for (uint32_t v = 1; v < b->p->nvar; v++)
        if (b->p->var[v].kind == Vscalar || b->p->var[v].kind == Vdim) {
            b->var[v] = b_reg(b, (enum Dtype)b->p->var[v].dt);
            b->varkind[v] = VKuniform;
            b->varlevel[v] = 0;
            BuildNode *n = b_emit(b, run_arg);
            n->i.d = b->var[v];
            n->i.k = v;
        }
}

static void build_launch(Build *b, const Stmt *s)
{
    SimProg *sp = b->sp;
    List once = {0}, body = {0}, code = {0};
    agrow(b->c, &sp->launch, &sp->caplaunch, sp->nlaunch + 1, sizeof *sp->launch);
    b->l = &sp->launch[sp->nlaunch++];
    b->here = s->loc;
    b->nreg = 1; /* register 0 is 0 */
    b->nrow = 0;
    b->naccess = b->nlocals = 0;
    b->w = 1;
    for (size_t i = 0; i < COUNT(b->free); i++)
        b->free[i].n = 0;
    b->nstate = 0;
    b->nconst = 0;
    memset(b->has, 0, b->capval);
    memset(b->local, 0, b->p->nbuf * sizeof *b->local);
    memset(b->uvar, 0, b->p->nbuf * sizeof *b->uvar);
    memset(b->round, 0, (MaxOpen + 1) * sizeof *b->round);
    b->turn.loop = 0;
    sbuild_geometry(b, s);
    b_uniform(b, s);
    b->nscope = 0;
    b_enter(b);
    b->out = &b->scope[0]->head;
    b->life = &b->scope[0]->life;
    sbuild_arguments(b);
    threadvars(b, s);
    blockvars(b, s);
    for (int i = 0; i < s->launch.n; i++)
        b->l->grid[i] = b_ex(b, s->launch.grid[i]);
    b_enter(b);
    b->out = &body;
    b->life = &b->stmt;
    b_block(b, s->launch.body);
    b_leave(b, &body, &code);
    b_leave(b, &(List){0}, &once);
    b->l->once = list_to_array(b, &once, &b->l->loc);
    b->l->code = list_to_array(b, &code, &b->l->loc);
    b->l->nreg = b->nreg;
    b->l->nrow = b->nrow;
    b->l->nlevel = (uint32_t)b->mostlevel + 3; /* a loop of lanes makes two more */
    b->l->naccess = b->naccess;
    b->l->access = anew(b->c, (b->naccess + 1) * sizeof *b->l->access);
    if (b->naccess)
        memcpy(b->l->access, b->access, b->naccess * sizeof *b->l->access);
    b->l->nlocal = b->nlocals;
    b->l->local = anew(b->c, (b->nlocals + 1) * sizeof *b->l->local);
    if (b->nlocals)
        memcpy(b->l->local, b->locals, b->nlocals * sizeof *b->l->local);
    for (uint32_t i = 0; i < b->nlocals; i++)
        b->l->defined += b->locals[i]->regs;
}

/* Does the layout put an element into each register of each thread? */
static bool fills(const Layout *m, int64_t places)
{
    int64_t n = 1;
    for (int d = 0; d < m->ndim; d++) {
        if (m->extent[d] != m->size[d])
            return false;
        n *= m->size[d];
    }
    for (int k = 0; k < m->nb; k++)
        n *= m->b[k].extent;
    return n == places;
}

bool b_parted(Build *b, uint32_t buf)
{
    const Local *k = b_declared(b, buf);
    const Layout *m = b->p->buf[k->buf].map;
    return m && !fills(m, k->regs * b->l->threads);
}

static void pads(Build *b, const SimLaunch *l, Local *k)
{
    const Layout *m = b->p->buf[k->buf].map;
    int warp = b->m->warp;
    if (!m || fills(m, k->regs * l->threads))
        return;
    k->pad = anew(b->c, (size_t)k->regs * (size_t)l->lanes);
    for (int64_t j = 0; j < k->regs; j++)
        for (int t = k->first < 0 ? l->threads : k->first; t < l->threads; t++) {
            int own = t - k->first;
            Spot at = {{j, own % warp, own / warp, 0}};
            int32_t idx[LayDims];
            k->pad[j * l->lanes + t] = !layout_invert(m, &at, idx);
        }
}

SimProg *sim_build(Prog *p, const Machine *m, bool exact)
{
    Ctx *c = &p->ctx;
    Build *b = anew(c, sizeof *b);
    SimProg *sp = anew(c, sizeof *sp);
    *b = (Build){.p = p, .c = c, .m = m, .sp = sp};
    *sp = (SimProg){.p = p, .m = m, .nsite = 1, .kern = kern_table(), .exact = exact};
    agrow(c, &sp->site, &sp->capsite, 64, sizeof *sp->site);
    agrow(c, &sp->where, &sp->capwhere, 64, sizeof *sp->where);
    sp->written = anew(c, p->nbuf + 1);
    sp->read = anew(c, p->nbuf + 1);
    sp->map = anew(c, (p->nbuf + 1) * sizeof *sp->map);
    b->var = anew(c, (p->nvar + 1) * sizeof *b->var);
    b->env = anew(c, (p->nvar + 1) * sizeof *b->env);
    b->varkind = anew(c, p->nvar + 1);
    b->shuffled = anew(c, (p->nvar + 1) * sizeof *b->shuffled);
    b->varlevel = anew(c, (p->nvar + 1) * sizeof *b->varlevel);
    b->local = anew(c, (p->nbuf + 1) * sizeof *b->local);
    b->uvar = anew(c, (p->nbuf + 1) * sizeof *b->uvar);
    b->lane = anew(c, p->nbuf + 1);
    b->round = anew(c, (MaxOpen + 1) * sizeof *b->round);
    b->narrowest = anew(c, p->nbuf + 1);
    b->begins = anew(c, (MaxOpen + 1) * sizeof *b->begins);
    b->padding = padding_find(p);
    b_infos(b);
    RegUses u = {p, sp};
    stmt_walk(p->body, sbuild_uses, &u);
    maps(b);
    for (const Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch)
            build_launch(b, s);
    for (uint32_t i = 1; i < sp->nlaunch; i++) /* blocks of all launches have as much room */
        if (sp->launch[i].lanes > sp->launch[0].lanes)
            sp->launch[0].lanes = sp->launch[i].lanes;
    for (uint32_t i = 1; i < sp->nlaunch; i++)
        sp->launch[i].lanes = sp->launch[0].lanes;
    for (uint32_t i = 0; i < sp->nlaunch; i++)
        for (uint32_t k = 0; k < sp->launch[i].nlocal; k++)
            pads(b, &sp->launch[i], sp->launch[i].local[k]);
    return sp;
}

void sim_unbuild(SimProg *sp)
{
    for (uint32_t i = 0; sp && i < sp->nunit; i++)
        unit_free(sp->unit[i]);
}
