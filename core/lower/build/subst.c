/* core/lower/build.c: what the passes build with: lists of statements of their
 * own, rewriting, substitution, copies, and expressions of threads and layouts. */
#include <stdlib.h>
#include <string.h>

#include "../../ir/expr.h"
#include "../../ir/walk.h"
#include "../lower.h"

BufLow *low_buf(Low *l, uint32_t buf)
{
    if (buf >= l->capbuf)
        agrow(&l->p->ctx, &l->buf, &l->capbuf, l->p->nbuf + 32, sizeof *l->buf);
    return &l->buf[buf];
}

int low_slotdims(Low *l, uint32_t buf) { return low_buf(l, buf)->versions > 0; }

/* Lists ---------------------------------------------------------------- */

/* A loop that stands nowhere serves as the frame of the new list; its loc keeps
 * the builder's. */
void low_begin(Low *l, Loc loc)
{
    Prog *p = l->p;
    Stmt *f = anew(&p->ctx, sizeof *f);
    f->kind = Sfor;
    f->loop.kind = Fserial;
    f->loc = p->here;
    agrow(&p->ctx, &p->frame, &p->capframe, p->nframe + 1, sizeof *p->frame);
    p->frame[p->nframe++] = f;
    agrow(&p->ctx, &p->tail, &p->captail, p->ntail + 1, sizeof *p->tail);
    p->tail[p->ntail++] = &f->loop.body;
    p->here = loc;
}

Stmt *low_end(Low *l)
{
    Prog *p = l->p;
    Stmt *f = p->frame[--p->nframe];
    p->ntail--;
    p->here = f->loc;
    return f->loop.body;
}

void low_put(Low *l, Stmt *list)
{
    Stmt ***t = &l->p->tail[l->p->ntail - 1];
    **t = list;
    while (**t)
        *t = &(**t)->next;
}

Stmt *low_append(Stmt *list, Stmt *more)
{
    Stmt **t = &list;
    while (*t)
        t = &(*t)->next;
    *t = more;
    return list;
}

int low_blocks(Stmt *s, Stmt **block[2])
{
    switch ((enum StmtKind)s->kind) {
    case Slaunch: block[0] = &s->launch.body; return 1;
    case Sfor: block[0] = &s->loop.body; return 1;
    case Swhile: block[0] = &s->whil.body; return 1;
    case Srole: block[0] = &s->role.body; return 1;
    case Sif:
        block[0] = &s->cond.then;
        block[1] = &s->cond.els;
        return 2;
    default: return 0;
    }
}

LowRole low_enter(Low *l, const Stmt *s)
{
    LowRole outer = {l->base, l->threads};
    if (s && s->kind == Srole) {
        l->base = s->role.lo;
        l->threads = s->role.hi - s->role.lo;
    }
    return outer;
}

void low_leave(Low *l, LowRole outer)
{
    l->base = outer.base;
    l->threads = outer.threads;
}

void low_rewrite(Low *l, Stmt **at, LowFn *f, void *ud)
{
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        bool into = true;
        s->next = NULL;
        *at = f(l, s, &into, ud);
        for (; *at; at = &(*at)->next) {
            LowRole outer = low_enter(l, *at);
            for (int i = 0, n = into ? low_blocks(*at, b) : 0; i < n; i++)
                low_rewrite(l, b[i], f, ud);
            low_leave(l, outer);
        }
        *at = next;
    }
}

/* Buffers -------------------------------------------------------------- */

/* Into the list that is open, or else before all statements of the launch. */
static uint32_t newbuf(Low *l, enum Scope sc, enum Dtype dt, const char *name, const Ex *shape,
                       int ndim, bool here)
{
    Prog *p = l->p;
    uint32_t b = p_buf(p, sc, dt, name, shape, NULL, ndim);
    p->buf[b].at = -1;
    if (here && p->nframe) {
        s_alloc(p, b, 0);
        return b;
    }
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Salloc;
    s->loc = l->launch->loc;
    s->alloc.buf = b;
    s->next = l->launch->launch.body;
    l->launch->launch.body = s;
    return b;
}

uint32_t low_local(Low *l, enum Dtype dt, const char *name, int64_t slots)
{
    Ex n = low_i(l, slots);
    return newbuf(l, SClocal, dt, name, &n, 1, true);
}

uint32_t low_sharedbuf(Low *l, enum Dtype dt, const char *name, const Ex *shape, int ndim)
{
    uint32_t b = newbuf(l, SCshared, dt, name, shape, ndim, false);
    low_buf(l, b)->scratch = true;
    return b;
}

uint32_t low_barrierbuf(Low *l, const char *name, int64_t n)
{
    Ex e = low_i(l, n);
    return newbuf(l, SCbarrier, DTu64, name, &e, 1, false);
}

/* Substitution --------------------------------------------------------- */

/* n: expressions made meanwhile lie beyond; 0: nothing is remembered. */
typedef struct Subst Subst;
struct Subst {
    Low *l;
    Prog *p;
    const Ex *map;
    const uint32_t *bufs;
    uint32_t nmap, nbufs, n, turn;
    const LowNew *var, *buf; /* sorted */
    int nvar, nbuf;
    LowExFn *f;
    void *ud;
};

/* Room to remember what the expressions that there are become. */
static void remember(Subst *t)
{
    Low *l = t->l;
    t->n = t->p->nex;
    agrow(&t->p->ctx, &l->memo, &l->capmemo, t->n, sizeof *l->memo);
    t->turn = ++l->turn;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const LowNew *)a)->id, y = ((const LowNew *)b)->id;
    return (x > y) - (x < y);
}

/* What stands for id, 0: itself. */
static uint32_t looked_up(const LowNew *list, int n, uint32_t id)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (list[mid].id == id)
            return list[mid].to;
        if (list[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}

static Ex new_var(const Subst *t, uint32_t v)
{
    return v < t->nmap ? t->map[v] : looked_up(t->var, t->nvar, v);
}

static uint32_t new_buf(const Subst *t, uint32_t b)
{
    uint32_t to = b < t->nbufs ? t->bufs[b] : looked_up(t->buf, t->nbuf, b);
    return to ? to : b;
}

Ex low_rebuild(Low *l, Ex e, const Ex *arg)
{
    Expr x = *ex_at(l->p, e);
    return ex_remake(l->p, &x, x.sym, arg);
}

static Ex subst(Subst *t, Ex e)
{
    Prog *p = t->p;
    Expr x = p->ex[e];
    if (x.op == Xvar) {
        Ex to = new_var(t, x.sym);
        return to ? to : e;
    }
    if (x.n == 0 && x.op != Xload && x.op != Xcall)
        return e;
    if (e < t->n && t->l->memo[e].turn == t->turn)
        return t->l->memo[e].is;
    Ex few[8], *a = x.n <= COUNT(few) ? few : anew(&p->ctx, x.n * sizeof *a);
    uint32_t sym = x.sym;
    if (x.op == Xload)
        sym = new_buf(t, sym);
    bool changed = sym != x.sym;
    for (int i = 0; i < x.n; i++) {
        a[i] = subst(t, x.arg[i]);
        changed |= a[i] != x.arg[i];
    }
    Ex r = changed ? ex_remake(p, &x, sym, a) : e;
    if (t->f)
        r = t->f(t->l, r, t->ud);
    if (e < t->n)
        t->l->memo[e] = (struct LowMemo){t->turn, r};
    return r;
}

static void subst_one(Subst *t, Ex *e)
{
    if (*e)
        *e = subst(t, *e);
}

static void subst_many(Subst *t, Ex *e, int n)
{
    for (int i = 0; i < n; i++)
        subst_one(t, &e[i]);
}

static void subst_buf(const Subst *t, uint32_t *b) { *b = new_buf(t, *b); }

static void subst_region(Subst *t, Region *r)
{
    subst_buf(t, &r->buf);
    subst_many(t, r->min, MaxDim);
    subst_many(t, r->extent, MaxDim);
}

static void subst_stmt(Subst *t, Stmt *s)
{
    switch ((enum StmtKind)s->kind) {
    case Slaunch: subst_many(t, s->launch.grid, s->launch.n); break;
    case Salloc:
        subst_buf(t, &s->alloc.buf);
        subst_one(t, &s->alloc.init);
        break;
    case Slet: {
        Ex v = t->p->var[s->let.var].value;
        subst_one(t, &v);
        t->p->var[s->let.var].value = v;
        break;
    }
    case Sstore:
        subst_buf(t, &s->store.buf);
        subst_one(t, &s->store.value);
        subst_many(t, s->store.idx, MaxDim);
        break;
    case Sfor:
        subst_many(t, s->loop.lo, s->loop.n);
        subst_many(t, s->loop.hi, s->loop.n);
        subst_one(t, &s->loop.step);
        break;
    case Swhile: subst_one(t, &s->whil.cond); break;
    case Sif: subst_one(t, &s->cond.cond); break;
    case Sop:
        for (int i = 0; i < MaxRegion; i++)
            subst_region(t, &s->op.r[i]);
        subst_one(t, &s->op.value);
        break;
    case Satomic:
        subst_buf(t, &s->atomic.buf);
        subst_many(t, s->atomic.idx, MaxDim);
        subst_many(t, s->atomic.value, (int)COUNT(s->atomic.value));
        break;
    case Scall: subst_many(t, s->call.arg, (int)COUNT(s->call.arg)); break;
    case Sprint: subst_one(t, &s->print.value); break;
    case Sassert: case Sassume: subst_one(t, &s->check.cond); break;
    case Sxxx: case Sbreak: case Scontinue: case Srole: case NStmt: break;
    }
}

static void subst_block(Subst *t, Stmt *s)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        subst_stmt(t, s);
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            subst_block(t, *b[i]);
    }
}

void low_subst(Low *l, Stmt *s, const Ex *map, uint32_t nmap, const uint32_t *bufs, uint32_t nbufs)
{
    Subst t = {.l = l, .p = l->p, .map = map, .bufs = bufs, .nmap = nmap, .nbufs = nbufs};
    remember(&t);
    subst_block(&t, s);
}

void low_vars(Low *l, Stmt *s, LowNew *v, int n)
{
    Subst t = {.l = l, .p = l->p, .var = v, .nvar = n};
    if (n == 0)
        return;
    qsort(v, (size_t)n, sizeof *v, by_id);
    remember(&t);
    subst_block(&t, s);
}

Ex low_varsx(Low *l, Ex e, LowNew *v, int n)
{
    Subst t = {.l = l, .p = l->p, .var = v, .nvar = n};
    qsort(v, (size_t)n, sizeof *v, by_id);
    remember(&t);
    return e ? subst(&t, e) : 0;
}

void low_bufs(Low *l, Stmt *s, LowNew *b, int n)
{
    Subst t = {.l = l, .p = l->p, .buf = b, .nbuf = n};
    qsort(b, (size_t)n, sizeof *b, by_id);
    remember(&t);
    subst_block(&t, s);
}

int64_t *low_env(Low *l)
{
    agrow(&l->p->ctx, &l->env, &l->capenv, l->p->nvar + 1, sizeof *l->env);
    return l->env;
}

int64_t *low_zeros(Low *l)
{
    agrow(&l->p->ctx, &l->zeros, &l->capzeros, l->p->nvar + 1, sizeof *l->zeros);
    return l->zeros;
}

uint32_t *low_marks(Low *l, uint32_t *mine)
{
    agrow(&l->p->ctx, &l->mark, &l->capmark, l->p->nvar + 1, sizeof *l->mark);
    *mine = ++l->marks;
    return l->mark;
}

void low_map(Low *l, Stmt *s, LowExFn *f, void *ud)
{
    Subst t = {.l = l, .p = l->p, .f = f, .ud = ud};
    remember(&t);
    subst_block(&t, s);
}

void low_map_own(Low *l, Stmt *s, LowExFn *f, void *ud)
{
    Subst t = {.l = l, .p = l->p, .f = f, .ud = ud};
    subst_stmt(&t, s);
}

Ex low_mapx(Low *l, Ex e, LowExFn *f, void *ud)
{
    Subst t = {.l = l, .p = l->p, .f = f, .ud = ud};
    return e ? subst(&t, e) : 0;
}

Ex low_substx(Low *l, Ex e, const Ex *map, uint32_t nmap, const uint32_t *bufs, uint32_t nbufs)
{
    Subst t = {.l = l, .p = l->p, .map = map, .bufs = bufs, .nmap = nmap, .nbufs = nbufs};
    return e ? subst(&t, e) : 0;
}

/* Copies --------------------------------------------------------------- */

Stmt *low_clone(Low *l, const Stmt *s)
{
    Stmt *head = NULL, **t = &head, **b[2];
    for (; s; s = s->next) {
        Stmt *k = *t = anew(&l->p->ctx, sizeof *k);
        *k = *s;
        k->next = NULL;
        t = &k->next;
        for (int i = 0, n = low_blocks(k, b); i < n; i++)
            *b[i] = low_clone(l, *b[i]);
    }
    return head;
}

typedef struct Renew Renew;
struct Renew {
    Low *l;
    LowNew *var, *buf;
    uint32_t nvar, capvar, nbuf, capbuf;
};

static uint32_t renew_var(Renew *r, uint32_t v)
{
    Prog *p = r->l->p;
    Var old = p->var[v];
    uint32_t k = p_var(p, (enum VarKind)old.kind, (enum Dtype)old.dt, old.name, old.lo, old.hi);
    p->var[k] = old;
    agrow(&p->ctx, &r->var, &r->capvar, r->nvar + 1, sizeof *r->var);
    r->var[r->nvar++] = (LowNew){v, x_var(p, k)};
    return k;
}

static uint32_t renew_buf(Renew *r, uint32_t b)
{
    Prog *p = r->l->p;
    Buf old = p->buf[b];
    uint32_t n = p->nbuf;
    uint32_t k = p_buf(p, (enum Scope)old.scope, (enum Dtype)old.dt, old.name, old.shape, NULL,
                       old.ndim);
    p->buf[k] = old;
    agrow(&p->ctx, &r->buf, &r->capbuf, r->nbuf + 1, sizeof *r->buf);
    r->buf[r->nbuf++] = (LowNew){b, k};
    BufLow known = *low_buf(r->l, b);
    *low_buf(r->l, k) = known;
    for (uint32_t v = b + 1; v < n; v++) /* views come after what they show */
        if (p->buf[v].base == b)
            p->buf[renew_buf(r, v)].base = k;
    return k;
}

static void renew(Renew *r, Stmt *s)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        if (s->kind == Slet)
            s->let.var = renew_var(r, s->let.var);
        else if (s->kind == Satomic && s->atomic.prev)
            s->atomic.prev = renew_var(r, s->atomic.prev);
        else if (s->kind == Salloc)
            s->alloc.buf = renew_buf(r, s->alloc.buf);
        else if (s->kind == Sfor)
            for (int i = 0; i < s->loop.n; i++)
                s->loop.var[i] = renew_var(r, s->loop.var[i]);
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            renew(r, *b[i]);
    }
}

Stmt *low_renew(Low *l, Stmt *s)
{
    Renew r = {.l = l};
    renew(&r, s);
    Subst t = {.l = l, .p = l->p, .var = r.var, .buf = r.buf, .nvar = (int)r.nvar,
               .nbuf = (int)r.nbuf};
    if (r.nvar)
        qsort(r.var, r.nvar, sizeof *r.var, by_id);
    if (r.nbuf)
        qsort(r.buf, r.nbuf, sizeof *r.buf, by_id);
    if (r.nvar || r.nbuf) {
        remember(&t);
        subst_block(&t, s);
    }
    return s;
}

/* Accesses ------------------------------------------------------------- */

Ex low_load(Low *l, uint32_t buf, const Ex *idx)
{
    const Buf *b = &l->p->buf[buf];
    return ex_mk(l->p, Xload, (enum Dtype)b->dt, buf, idx, b->ndim);
}

static Stmt *bare(Low *l, enum StmtKind k)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = (uint8_t)k;
    s->loc = l->p->here;
    return s;
}

Stmt *low_store(Low *l, uint32_t buf, const Ex *idx, Ex value)
{
    Stmt *s = bare(l, Sstore);
    s->store.buf = buf;
    s->store.value = x_cast(l->p, (enum Dtype)l->p->buf[buf].dt, value);
    memcpy(s->store.idx, idx, l->p->buf[buf].ndim * sizeof *idx);
    return s;
}

Stmt *low_atomic(Low *l, int kind, uint32_t buf, const Ex *idx, Ex value)
{
    Stmt *s = bare(l, Satomic);
    s->atomic.kind = (uint8_t)kind;
    s->atomic.lanes = 1;
    s->atomic.buf = buf;
    s->atomic.value[0] = x_cast(l->p, (enum Dtype)l->p->buf[buf].dt, value);
    memcpy(s->atomic.idx, idx, l->p->buf[buf].ndim * sizeof *idx);
    return s;
}

Stmt *low_if(Low *l, Ex cond, Stmt *then, Stmt *els)
{
    int64_t v;
    if (!then && !els)
        return NULL;
    if (!cond || (x_isint(l->p, cond, &v) && v))
        return then;
    if (x_isint(l->p, cond, &v))
        return els;
    Stmt *s = bare(l, Sif);
    s->loc = then ? then->loc : els->loc;
    s->cond.cond = cond;
    s->cond.then = then;
    s->cond.els = els;
    return s;
}

/* Named barriers ------------------------------------------------------- */

static bool name_taken(Stmt *s, void *ud)
{
    Low *l = ud;
    int64_t id = 0;
    if (s->kind == Scall && s->call.fn == Isync_threads)
        x_isint(l->p, s->call.arg[0], &id);
    else if (s->kind == Sop && (s->op.op == Obar_sync || s->op.op == Obar_arrive))
        id = s->op.attr[0];
    if (id > 0 && id < NamedBarriers)
        l->bars |= 1u << id;
    return true;
}

void low_names_taken(Low *l)
{
    l->bars = 1; /* number 0 is the barrier of the block */
    stmt_walk(l->launch->launch.body, name_taken, l);
}

int low_named(Low *l, int n)
{
    uint32_t want = n < NamedBarriers ? (1u << n) - 1 : ~0u;
    for (int id = 1; id + n <= NamedBarriers; id++)
        if (!(l->bars & want << id)) {
            l->bars |= want << id;
            return id;
        }
    return 0;
}

/* Expressions ---------------------------------------------------------- */

Ex low_i(Low *l, int64_t v) { return x_int(l->p, DTi32, v); }
Ex low_add(Low *l, Ex a, Ex b) { return x_bin(l->p, Xadd, a, b); }
Ex low_mul(Low *l, Ex a, int64_t k) { return x_bin(l->p, Xmul, a, low_i(l, k)); }
Ex low_div(Low *l, Ex a, int64_t k) { return x_bin(l->p, Xfdiv, a, low_i(l, k)); }
Ex low_mod(Low *l, Ex a, int64_t k) { return x_bin(l->p, Xfmod, a, low_i(l, k)); }

Ex low_thread(Low *l)
{
    return low_add(l, x_var(l->p, l->tid), low_i(l, -(int64_t)l->base));
}

Ex low_lane(Low *l) { return low_mod(l, low_thread(l), l->m->warp); }
Ex low_warp(Low *l) { return low_div(l, low_thread(l), l->m->warp); }



static bool of_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    if (v)
        return v->kind == Vthread || (v->kind == Vlet && !v->value);
    if (x->op == Xload)
        return p->buf[x->sym].scope != SCglobal && p->buf[x->sym].scope != SCshared;
    return x->op == Xcall && intrinfo[x->sym].level == 'T';
}

bool low_uniform(const Low *l, Ex e) { return !ex_any_let(l->p, e, of_thread, l->p); }

/* Value of a digit on LANE or WARP, e being the thread's lane or warp. */
static Ex digit(Low *l, Ex e, const Digit *d)
{
    return low_mod(l, low_div(l, e, d->stride), d->extent);
}

/* Lanes and warps together number the threads: stride of a digit among them. */
static int64_t thread_stride(const Low *l, const Digit *g)
{
    return g->axis == AXwarp ? (int64_t)g->stride * l->m->warp : g->stride;
}

/* Part of the index that the thread gives from digit i on; *n receives how many
 * digits continue each other and were taken together. */
static Ex thread_part(Low *l, const Layout *map, int i, int *n)
{
    const Digit *g = &map->d[i];
    int64_t stride = thread_stride(l, g), extent = g->extent;
    for (*n = 1; i + *n < map->n; ++*n) {
        const Digit *k = &map->d[i + *n];
        if (k->axis == AXreg || k->dim != g->dim || k->weight != g->weight * extent ||
            thread_stride(l, k) != stride * extent)
            break;
        extent *= k->extent;
    }
    if (*n == 1)
        return digit(l, g->axis == AXlane ? low_lane(l) : low_warp(l), g);
    return low_mod(l, low_div(l, low_thread(l), stride), extent);
}

Ex low_index(Low *l, const Layout *map, int d, const Ex *reg)
{
    Ex sum = low_i(l, 0);
    int r = 0, n;
    for (int i = 0; i < map->n; i += n) {
        const Digit *g = &map->d[i];
        n = 1;
        if (g->axis == AXreg && g->dim == d)
            sum = low_add(l, sum, low_mul(l, reg[r], g->weight));
        else if (g->dim == d)
            sum = low_add(l, sum, low_mul(l, thread_part(l, map, i, &n), g->weight));
        r += g->axis == AXreg;
    }
    return sum;
}

/* A digit of the thread's number. */
typedef struct Part { int64_t stride, extent; } Part;

/* Broadcast digits of LANE and WARP as digits of the thread, ascending, those
 * that continue each other as one; warps that the layout does not have last. */
static int copies(const Low *l, const Layout *map, Part *p)
{
    int64_t top = layout_extent(map, AXwarp) * l->m->warp;
    int n = 0;
    for (int i = 0; i <= map->nb; i++) {
        const Digit *g = &map->b[i];
        if (i < map->nb && g->axis != AXlane && g->axis != AXwarp)
            continue;
        Part one = {top, l->total / top + 1};
        if (i < map->nb)
            one = (Part){thread_stride(l, g), g->extent};
        int k = n++;
        for (; k > 0 && p[k - 1].stride > one.stride; k--)
            p[k] = p[k - 1];
        p[k] = one;
    }
    int m = 0;
    for (int i = 1; i < n; i++)
        if (p[i].stride == p[m].stride * p[m].extent)
            p[m].extent *= p[i].extent;
        else
            p[++m] = p[i];
    return m + 1;
}

Ex low_first(Low *l, const Layout *map)
{
    Prog *p = l->p;
    Ex all = x_int(p, DTbool, 1), t = low_thread(l), one;
    Part part[LayBroadcast + 1];
    int64_t v;
    for (int i = 0, n = copies(l, map, part); i < n; i++) {
        if (part[i].stride >= l->threads)
            continue; /* no thread has another value of it than 0 */
        if (part[i].stride * part[i].extent > l->total && part[i].stride > 1)
            one = x_bin(p, Xlt, t, low_i(l, part[i].stride)); /* nothing above */
        else
            one = x_bin(p, Xeq, low_mod(l, low_div(l, t, part[i].stride), part[i].extent),
                        low_i(l, 0));
        all = x_bin(p, Xand, all, one);
    }
    return x_isint(p, all, &v) && v ? 0 : all;
}
