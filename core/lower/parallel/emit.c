/* core/lower/parallel/emit.c: statements for w consecutive iterations at once.
 *
 * Iterations of a parallel loop are independent, so each statement is done for all w
 * values of v before the next one: a store becomes one vectorized loop, or
 * several when its access is narrower than w, or single stores.  A load that
 * can be less wide (or is wider, into registers that are not consecutive) than
 * the store goes to a register array first; so do lets that differ in v.  That
 * way every access has its own width. */
#include <string.h>

#include "core/ir/expr.h"
#include "parallel.h"
#include "err/lower.h"

/* What stands for the lets of open blocks that became registers: map[variable], and those that
 * have one, the innermost last.  A statement is changed when its turn comes, since to change all
 * that follows at each let takes the square of how many there are. */
typedef struct Lets Lets;
struct Lets {
    Ex *map;
    uint32_t *var, cap, capvar, n;
};

typedef struct VecEmit VecEmit;
struct VecEmit {
    Low *l;
    Vec x;
    int w;
    Ex first;
    Lets *lets;
    bool private;   /* an iteration's statements belong together: see parloop_private() */
};

/* Loops ----------------------------------------------------------------- */

Stmt *parloop_loop(Low *l, enum ForKind k, uint32_t var, int64_t n, Stmt *body)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Sfor;
    s->loc = body ? body->loc : l->p->here;
    s->loop.kind = (uint8_t)k;
    s->loop.n = 1;
    s->loop.var[0] = var;
    s->loop.lo[0] = low_i(l, 0);
    s->loop.hi[0] = low_i(l, n);
    s->loop.step = k == Fvectorized ? 0 : low_i(l, 1);
    s->loop.body = body;
    return s;
}

static uint32_t vectorize_counter(Low *l, const char *name, int64_t n)
{
    return p_var(l->p, Vloop, DTi32, name, 0, n - 1);
}

static void replace_v(const VecEmit *e, Stmt *s, Ex by)
{
    low_vars(e->l, s, &(LowNew){e->x.v, by}, 1);
}

static Ex value_at(const VecEmit *e, Ex x, Ex by)
{
    return low_varsx(e->l, x, &(LowNew){e->x.v, by}, 1);
}

/* What the w iterations do together, or is done for all of them. */
static void spans(const VecEmit *e, Stmt *s)
{
    if (!s->turn.loop)
        return;
    s->turn.last = value_at(e, s->turn.last, low_i(e->l, e->w - 1));
    s->turn.first = value_at(e, s->turn.first, low_i(e->l, 0));
}

/* s, a plain store, for all w values of v, ws at a time. */
static Stmt *vectors(const VecEmit *e, Stmt *s, int ws)
{
    Low *l = e->l;
    Ex at = low_i(l, 0);
    uint32_t q = 0, u = 0;
    if (ws < e->w) {
        q = vectorize_counter(l, "q", e->w / ws);
        at = low_mul(l, x_var(l->p, q), ws);
    }
    if (ws > 1) {
        u = vectorize_counter(l, "v", ws);
        at = low_add(l, at, x_var(l->p, u));
    }
    replace_v(e, s, at);
    if (u)
        s = parloop_loop(l, Fvectorized, u, ws, s);
    return q ? parloop_loop(l, Funroll, q, e->w / ws, s) : s;
}

/* Widths of expressions ------------------------------------------------- */

static bool vectorize_memory(const Prog *p, uint32_t buf)
{
    return p->buf[buf].scope == SCglobal || p->buf[buf].scope == SCshared;
}

/* A load from memory that depends on v? */
static bool is_moving(void *ud, Ex x)
{
    const VecEmit *e = *(const VecEmit *const *)ud;
    const Expr *k = &e->l->p->ex[x];
    return k->op == Xload && vectorize_memory(e->l->p, k->sym) && vec_uses(&e->x, x);
}

static bool loads_memory(const VecEmit *e, Ex x) { return ex_any(e->l->p, x, is_moving, &e); }

static bool guards_memory(const VecEmit *e, const Expr *k)
{
    return k->op == Xselect && (loads_memory(e, k->arg[1]) || loads_memory(e, k->arg[2]));
}

static int load_width(const VecEmit *e, const Expr *k)
{
    for (int i = 0; i < k->n; i++)
        if (loads_memory(e, k->arg[i]))
            return 1; /* gathers */
    return vec_width(&e->x, k->sym, k->arg, e->w);
}

static int64_t vectorize_width_of(ExFold *f, Ex x)
{
    const VecEmit *e = *(const VecEmit *const *)f->ud;
    const Expr *k = &f->p->ex[x];
    if (!vec_uses(&e->x, x))
        return ParLoopFree;
    if (k->op == Xload)
        return vectorize_memory(f->p, k->sym) ? load_width(e, k)
                                              : vec_width(&e->x, k->sym, k->arg, e->w);
    int64_t w = ex_fold_least(f, x, ParLoopFree);
    if (guards_memory(e, &f->p->ex[x])) {
        w = w > e->w ? e->w : w;
        while (w > 1 && !vec_cond(&e->x, f->p->ex[x].arg[0], (int)w))
            w /= 2;
    }
    return w;
}

/* How wide x can be evaluated as far as memory is concerned: the narrowest load
 * in it, and conditions of loads that hold for whole vectors. */
static int access_width(const VecEmit *e, Ex x)
{
    return (int)ex_fold(&(ExFold){.p = e->l->p, .f = vectorize_width_of, .ud = &e}, x);
}

static int64_t widest_of(ExFold *f, Ex x)
{
    const VecEmit *e = *(const VecEmit *const *)f->ud;
    const Expr *k = &f->p->ex[x];
    if (!vec_uses(&e->x, x))
        return 1;
    if (k->op == Xload && vectorize_memory(f->p, k->sym))
        return load_width(e, k);
    if (!guards_memory(e, k))
        return ex_fold_greatest(f, x, 1);
    int w = access_width(e, x);
    return w == ParLoopFree ? 1 : w;
}

/* The widest vector of any memory access in x. */
static int widest_access(const VecEmit *e, Ex x)
{
    return (int)ex_fold(&(ExFold){.p = e->l->p, .f = widest_of, .ud = &e}, x);
}

/* Values ---------------------------------------------------------------- */

static void store_leaf(const VecEmit *e, uint32_t buf, const Ex *idx, Ex value);

/* The buffer of which x is an element, or an element or something else; 0: none. */
static uint32_t element_of(const Prog *p, Ex x)
{
    const Expr *k = ex_at(p, x);
    while (k->op == Xcast || k->op == Xselect)
        k = ex_at(p, k->arg[k->op == Xselect]);
    return k->op == Xload ? k->sym : 0;
}

/* x for all values of v in an array of registers, filled here. */
static Ex vectorize_in_registers(const VecEmit *e, Ex x, const char *name)
{
    Low *l = e->l;
    uint32_t t = low_local(l, ex_type(l->p, x), name, e->w), of = element_of(l->p, x);
    Ex v = x_var(l->p, e->x.v);
    if (of)
        low_holds(l, t, of);
    store_leaf(e, t, &v, x);
    return low_load(l, t, &v);
}

/* What may not be read before the rest of its expression is: nothing; of shared memory what
 * has no condition of its own, right of an `and` or `or` (global loads have theirs: guard.c); all. */
enum { HDnothing, HDshared, HDall };

static int64_t held_width_of(ExFold *f, Ex x)
{
    const VecEmit *e = *(const VecEmit *const *)f->ud;
    const Expr *k = &f->p->ex[x];
    if (!vec_uses(&e->x, x) || guards_memory(e, k))
        return ParLoopFree;
    if (k->op == Xload)
        return f->p->buf[k->sym].scope == SCshared ? load_width(e, k) : ParLoopFree;
    return ex_fold_least(f, x, ParLoopFree);
}

/* How wide x, `a and b` or `a or b`, can be evaluated: as what stays in it, the loads of
 * HDshared in b. */
static int cut_width(const VecEmit *e, Ex x)
{
    ExFold f = {.p = e->l->p, .f = held_width_of, .ud = &e};
    const Expr *k = ex_at(f.p, x);
    return k->op == Xand || k->op == Xor ? (int)ex_fold(&f, k->arg[1]) : ParLoopFree;
}

/* x with whatever is less wide than ws, or in a way that differs, put into
 * registers before; conditions of loads without v.  What is guarded by a select
 * stays in it: read before, it would be read outside too. */
static Ex into_registers(const VecEmit *e, Ex x, int ws, int held)
{
    Low *l = e->l;
    Prog *p = l->p;
    Expr k = *ex_at(p, x);
    Ex arg[8];
    if (!vec_uses(&e->x, x) || k.n == 0)
        return x;
    bool select = guards_memory(e, &k), cut = k.op == Xand || k.op == Xor;
    if (!held && cut_width(e, x) < ws)
        return vectorize_in_registers(e, x, "t");
    if (k.op == Xload || select) {
        int w = access_width(e, x);
        bool stays = held == HDall || (held && !select && p->buf[k.sym].scope == SCshared);
        if (!stays && (w < ws || (w > ws && w != ParLoopFree && loads_memory(e, x))))
            return vectorize_in_registers(e, x, "t");
        if (k.op == Xload)
            return x;
    }
    if (k.n > (int)COUNT(arg))
        return x;
    for (int i = 0; i < k.n; i++) {
        int in = select && i > 0 ? HDall : cut && i > 0 ? HDshared : HDnothing;
        arg[i] = into_registers(e, k.arg[i], ws, in > held ? in : held);
    }
    if (select && ws > 1) {
        Ex c = vec_cond(&e->x, k.arg[0], ws);
        arg[0] = c ? c : arg[0];
    }
    return low_rebuild(l, x, arg);
}

/* A load, or a select around one, as the whole of a value. */
static bool is_access(const VecEmit *e, Ex x)
{
    const Expr *k = ex_at(e->l->p, x);
    return k->op == Xload || (k->op == Xselect && loads_memory(e, x));
}

/* buf[idx] = value for all values of v, as wide as dst and loads allow. */
static void store_leaf(const VecEmit *e, uint32_t buf, const Ex *idx, Ex value)
{
    Low *l = e->l;
    int wd = vec_width(&e->x, buf, idx, e->w), ws;
    if (e->w == 1) {
        Stmt *s = low_store(l, buf, idx, value);
        replace_v(e, s, low_i(l, 0));
        low_put(l, s);
        return;
    }
    if (wd == ParLoopFree) { /* one place: in order */
        ws = 1;
    } else if (vectorize_memory(l->p, buf)) {
        ws = wd;
    } else { /* registers follow what is loaded */
        ws = wd == 1 ? 1 : widest_access(e, value);
        if (ws > 1 && is_access(e, value) && wd > 1)
            ws = access_width(e, value) == ParLoopFree ? ws : access_width(e, value);
        if (ws > cut_width(e, value))
            ws = cut_width(e, value);
    }
    if (!is_access(e, value) || vectorize_memory(l->p, buf) || wd == ParLoopFree || wd == 1)
        value = into_registers(e, value, ws, HDnothing);
    else if (ws > 1 && ex_at(l->p, value)->op == Xselect)
        value = into_registers(e, value, ws, HDnothing);
    low_put(l, vectors(e, low_store(l, buf, idx, value), ws));
}

/* Statements ------------------------------------------------------------ */

static Stmt *vectorize_stmt(const VecEmit *e, Stmt *s);
static Stmt *vectorize_block(const VecEmit *e, Stmt *s);

static bool own_use(void *ud, Ex x)
{
    const VecEmit *e = ud;
    return !vec_uses(&e->x, x);
}

/* Do the expressions that s itself holds depend on v? */
static bool vectorize_uses(const VecEmit *e, const Stmt *s)
{
    VecEmit k = *e;
    return !stmt_exprs(e->l->p, s, own_use, &k);
}

static Stmt *lanewise(const VecEmit *e, Stmt *s)
{
    Low *l = e->l;
    VecEmit one = *e;
    uint32_t u = vectorize_counter(l, "v", e->w);
    one.w = 1;
    replace_v(e, s, e->w == 1 ? low_i(l, 0) : x_var(l->p, u));
    s = vectorize_stmt(&one, s);
    return e->w == 1 ? s : parloop_loop(l, Funroll, u, e->w, s);
}

static Stmt *vectorize_store(const VecEmit *e, Stmt *s)
{
    Low *l = e->l;
    low_begin(l, s->loc);
    store_leaf(e, s->store.buf, s->store.idx, s->store.value);
    return low_if(l, vectorize_memory(l->p, s->store.buf) ? e->first : 0, low_end(l), NULL);
}

/* A let of a value that differs in v: registers; what follows in its block reads those. */
static Stmt *vectorize_let(const VecEmit *e, const Stmt *s)
{
    Low *l = e->l;
    Prog *p = l->p;
    Lets *to = e->lets;
    uint32_t var = s->let.var;
    Turn outer = l->making;
    l->making = s->turn;
    low_begin(l, s->loc);
    Ex in = vectorize_in_registers(e, p->var[var].value, p->var[var].name);
    agrow(&p->ctx, &to->map, &to->cap, var + 1, sizeof *to->map);
    agrow(&p->ctx, &to->var, &to->capvar, to->n + 1, sizeof *to->var);
    to->map[var] = in;
    to->var[to->n++] = var;
    l->making = outer;
    return low_end(l);
}

static int atomic_lanes(const VecEmit *e, const Stmt *s)
{
    const Buf *b = &e->l->p->buf[s->atomic.buf];
    int bits = dtypeinfo[b->dt].bits, most = e->l->m->vec_atomic * 8 / bits;
    if (s->atomic.kind != Rsum || s->atomic.prev || s->atomic.lanes != 1 ||
        s->atomic.order != MOrelaxed || b->scope != SCglobal || dtypeinfo[b->dt].cls != 'F' ||
        bits > 32)
        return 1;
    int w = vec_width(&e->x, s->atomic.buf, s->atomic.idx, e->w);
    if (w == ParLoopFree)
        return 1;
    w = w < most ? w : most;
    return w >= 4 ? 4 : w >= 2 ? 2 : 1;
}

static Stmt *vectorize_atomic(const VecEmit *e, Stmt *s)
{
    Low *l = e->l;
    int n = e->w > 1 ? atomic_lanes(e, s) : 1;
    if (s->atomic.prev && e->w == 1 && e->first)
        return parloop_prev(l, s, e->first);
    if (n == 1)
        return e->w > 1 ? lanewise(e, s) : low_if(l, e->first, s, NULL);
    uint32_t q = vectorize_counter(l, "q", e->w / n);
    Ex base = low_mul(l, x_var(l->p, q), n);
    if (e->w == n)
        base = low_i(l, 0);
    low_begin(l, s->loc);
    Ex value = into_registers(e, s->atomic.value[0], n, HDnothing);
    for (int i = 0; i < n; i++)
        s->atomic.value[i] = value_at(e, value, low_add(l, base, low_i(l, i)));
    for (int d = 0; d < l->p->buf[s->atomic.buf].ndim; d++)
        s->atomic.idx[d] = value_at(e, s->atomic.idx[d], base);
    s->turn.last = value_at(e, s->turn.last, low_add(l, base, low_i(l, n - 1)));
    s->turn.first = value_at(e, s->turn.first, base);
    s->atomic.lanes = (uint8_t)n;
    low_put(l, e->w == n ? s : parloop_loop(l, Funroll, q, e->w / n, s));
    return low_if(l, e->first, low_end(l), NULL);
}

static Ex zero_of(Low *l, uint32_t buf) { return x_int(l->p, (enum Dtype)l->p->buf[buf].dt, 0); }

/* cp_async of single elements -> of 4, 8 or 16 bytes; narrower ones are plain
 * loads and stores. */
static Stmt *vectorize_async(const VecEmit *e, Stmt *s)
{
    Low *l = e->l;
    const Prog *p = l->p;
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    int bits = dtypeinfo[p->buf[dst->buf].dt].bits, w = vec_async(&e->x, s, e->w);
    if (w * bits < 32 || w * bits > 128) {
        low_note(l, E_async_narrow, s, p->buf[src->buf].name, p->buf[dst->buf].name,
                 afmt(&l->p->ctx, "%d", w * bits / 8));
        Ex v = x_select(l->p, s->op.value, low_load(l, src->buf, src->min), zero_of(l, dst->buf));
        return vectorize_store(e, low_store(l, dst->buf, dst->min, v));
    }
    uint32_t q = vectorize_counter(l, "q", e->w / w);
    Ex base = w == e->w ? low_i(l, 0) : low_mul(l, x_var(l->p, q), w);
    s->op.value = vec_cond(&e->x, s->op.value, w);
    replace_v(e, s, base);
    for (int i = 0; w > 1 && i < 2; i++)
        s->op.r[i].extent[p->buf[s->op.r[i].buf].ndim - 1] = low_i(l, w);
    s->op.attr[0] = w * bits / 8;
    s = w == e->w ? s : parloop_loop(l, Funroll, q, e->w / w, s);
    return low_if(l, e->first, s, NULL);
}

static bool constant_rounds(const Prog *p, const Stmt *s)
{
    int64_t v;
    return x_isint(p, s->loop.lo[0], &v) && x_isint(p, s->loop.hi[0], &v);
}

static Stmt *vectorize_loop(const VecEmit *e, Stmt *s)
{
    if (s->loop.kind == Fvectorized && e->w == 1)
        return parloop_vectorized(e->l, s, e->first);
    if (s->loop.kind == Fvectorized)
        s->loop.kind = constant_rounds(e->l->p, s) ? Funroll : Fserial;
    if (e->w > 1 && (vectorize_uses(e, s) || stmt_leaves(s->loop.body)))
        return lanewise(e, s);
    spans(e, s);
    s->loop.body = vectorize_block(e, s->loop.body);
    return s->loop.body ? s : NULL;
}

/* Iterations that decide differently, one after the other; what they look at is loaded before, for all. */
static Stmt *vectorize_choices(const VecEmit *e, Stmt *s)
{
    Low *l = e->l;
    low_begin(l, s->loc);
    s->cond.cond = into_registers(e, s->cond.cond, 1, HDnothing);
    low_put(l, lanewise(e, s));
    return low_end(l);
}

bool parloop_choice(const Stmt *list) { return list && !list->next && list->kind == Sif; }

static Stmt *vectorize_if(const VecEmit *e, Stmt *s)
{
    Ex c = vec_cond(&e->x, s->cond.cond, e->w);
    bool apart = !e->private || (!s->cond.els && parloop_choice(s->cond.then));
    if (e->w > 1 && (!c || loads_memory(e, c) || !apart))
        return vectorize_choices(e, s);
    spans(e, s);
    s->cond.cond = e->w == 1 ? value_at(e, c, low_i(e->l, 0)) : c;
    s->cond.then = vectorize_block(e, s->cond.then);
    s->cond.els = vectorize_block(e, s->cond.els);
    return s->cond.then || s->cond.els ? s : NULL;
}

static Stmt *vectorize_kind(const VecEmit *e, Stmt *s)
{
    switch ((enum StmtKind)s->kind) {
    case Sstore: return vectorize_store(e, s);
    case Satomic: return vectorize_atomic(e, s);
    case Sfor: return vectorize_loop(e, s);
    case Sif: return vectorize_if(e, s);
    case Sop:
        if (s->op.op == Ocp_async)
            return vectorize_async(e, s);
        break;
    case Swhile:
        if (e->w > 1)
            return lanewise(e, s);
        s->whil.body = vectorize_block(e, s->whil.body);
        return s;
    case Sassume:
        return e->w > 1 && vectorize_uses(e, s) ? lanewise(e, s) : s;
    case Salloc: case Slet: case Sbreak: case Scontinue:
        spans(e, s);
        return s;
    default: break;
    }
    return e->w > 1 ? lanewise(e, s) : low_if(e->l, e->first, s, NULL);
}

/* What is made of s is of its iterations. */
static Stmt *vectorize_stmt(const VecEmit *e, Stmt *s)
{
    Turn outer = e->l->making;
    e->l->making = s->turn;
    s = vectorize_kind(e, s);
    e->l->making = outer;
    return s;
}

static Stmt *vectorize_block(const VecEmit *e, Stmt *s)
{
    Stmt *out = NULL, **t = &out;
    Lets *lets = e->lets;
    uint32_t outer = lets->n;
    while (s) {
        Stmt *next = s->next;
        s->next = NULL;
        if (lets->n > outer)
            low_subst(e->l, s, lets->map, lets->cap, NULL, 0);
        if (s->kind == Slet && e->w > 1 && vec_uses(&e->x, e->l->p->var[s->let.var].value))
            *t = vectorize_let(e, s);
        else
            *t = vectorize_stmt(e, s);
        while (*t)
            t = &(*t)->next;
        s = next;
    }
    while (lets->n > outer)
        lets->map[lets->var[--lets->n]] = 0;
    return out;
}

Stmt *parloop_emit(Low *l, Stmt *list, const Vec *x, int w, Ex first)
{
    Lets lets = {0};
    VecEmit e = {l, *x, w, first, &lets, w > 1 && parloop_private(l, list)};
    if (w == 1)
        replace_v(&e, list, low_i(l, 0));
    return vectorize_block(&e, list);
}

/* Which width? ---------------------------------------------------------- */

typedef struct BestWidth { VecEmit e; int w; bool global; } BestWidth;

static ExGo best_load(void *ud, Ex x)
{
    BestWidth *b = ud;
    const Prog *p = b->e.l->p;
    const Expr *k = &p->ex[x];
    if (b->global && (k->op != Xload || p->buf[k->sym].scope != SCglobal) && k->op != Xselect)
        return EXinto;
    int w = widest_access(&b->e, x);
    b->w = w != ParLoopFree && w > b->w ? w : b->w;
    return EXskip;
}

static void best_at(BestWidth *b, uint32_t buf, const Ex *idx)
{
    bool counts =
        b->global ? b->e.l->p->buf[buf].scope == SCglobal : vectorize_memory(b->e.l->p, buf);
    int w = counts ? vec_width(&b->e.x, buf, idx, b->e.w) : 1;
    b->w = w != ParLoopFree && w > b->w ? w : b->w;
}

static void best_block(BestWidth *b, Stmt *s, int cap)
{
    Stmt *in[2];
    for (; s; s = s->next) {
        VecEmit *e = &b->e;
        e->w = cap;
        int inner = cap;
        if (s->kind == Sif)
            while (inner > 1 && !vec_cond(&e->x, s->cond.cond, inner))
                inner /= 2;
        if (s->kind == Sop && s->op.op == Ocp_async) {
            while (e->w > 1 && !vec_cond(&e->x, s->op.value, e->w))
                e->w /= 2;
            best_at(b, s->op.r[0].buf, s->op.r[0].min);
            best_at(b, s->op.r[1].buf, s->op.r[1].min);
        } else {
            stmt_ex_walk(e->l->p, s, best_load, b);
        }
        if (s->kind == Sstore)
            best_at(b, s->store.buf, s->store.idx);
        if (s->kind == Satomic && atomic_lanes(e, s) > b->w)
            b->w = atomic_lanes(e, s);
        if (s->kind == Sfor && (vectorize_uses(e, s) || stmt_leaves(s->loop.body)))
            inner = 1;
        for (int i = 0, n = stmt_blocks(s, in); i < n; i++)
            best_block(b, in[i], inner);
    }
}

int parloop_widest(Low *l, Stmt *list, const Vec *x, int max, bool global)
{
    BestWidth b = {{l, *x, max, 0, NULL, false}, 1, global};
    best_block(&b, list, max);
    return b.w < max ? b.w : max;
}

/* Private values -------------------------------------------------------- */

static bool not_private(Stmt *s, void *ud)
{
    const Low *l = ud;
    if (s->kind == Satomic && s->atomic.prev)
        return false;
    if (s->kind == Salloc)
        return !s->alloc.init; /* which may differ, as what is stored may */
    const Buf *b = s->kind == Sstore ? &l->p->buf[s->store.buf] : NULL;
    return !b || b->map || (b->scope != SClocal && b->scope != SCvar);
}

bool parloop_private(const Low *l, Stmt *list)
{
    Low k = *l;
    return !stmt_walk(list, not_private, &k);
}

/* T.vectorized ---------------------------------------------------------- */

/* any: that element counts too. */
typedef struct Alias { const Prog *p; const Stmt *store; bool any; } Alias;

static bool same_element(const Alias *a, const Expr *x)
{
    return x->sym == a->store->store.buf &&
           memcmp(x->arg, a->store->store.idx, x->n * sizeof(Ex)) == 0;
}

/* Reads another element of what it stores to? */
static bool reads_other(void *ud, Ex e)
{
    const Alias *a = ud;
    const Expr *x = &a->p->ex[e];
    return x->op == Xload && buf_root(a->p, x->sym) == buf_root(a->p, a->store->store.buf) &&
           (a->any || !same_element(a, x));
}

/* Reads or writes another element of what the store writes, or one that several iterations do? */
static bool touches_other(const Vec *x, const Stmt *store, Stmt *other)
{
    const Prog *p = x->l->p;
    Alias a = {p, store, false};
    if (buf_root(p, other->store.buf) == buf_root(p, store->store.buf) &&
        (other->store.buf != store->store.buf ||
         memcmp(other->store.idx, store->store.idx,
                (size_t)p->buf[other->store.buf].ndim * sizeof(Ex))))
        return true;
    if (stmt_any(p, other, reads_other, &a))
        return true;
    a.any = true;
    bool meets = buf_root(p, other->store.buf) == buf_root(p, store->store.buf) ||
                 stmt_any(p, other, reads_other, &a);
    return meets && !vec_contiguous(x, store->store.buf, store->store.idx);
}

/* May the iterations of the body, over v of x, be done statement by statement? */
static bool vectorize_independent(const Vec *x, Stmt *body)
{
    Prog *p = x->l->p;
    if (body->kind == Sop && body->op.op == Ocp_async)
        return !body->next;
    for (Stmt *s = body; s; s = s->next) {
        if (s->kind != Sstore)
            return false;
        Alias a = {p, s, false};
        if (stmt_any(p, s, reads_other, &a))
            return false;
    }
    for (Stmt *s = body; s; s = s->next)
        for (Stmt *t = body; t; t = t->next)
            if (t != s && touches_other(x, s, t))
                return false;
    return true;
}

Stmt *parloop_vectorized(Low *l, Stmt *s, Ex first)
{
    Prog *p = l->p;
    int64_t lo, hi;
    int max = 1, w = 1;
    uint32_t old = s->loop.var[0];
    bool fixed = s->loop.n == 1 && x_isint(p, s->loop.lo[0], &lo) && x_isint(p, s->loop.hi[0], &hi);
    Vec x = {.l = l, .v = 0};
    if (!fixed || hi - lo < 1 || !s->loop.body) {
        Lets lets = {0};
        VecEmit one = {l, x, 1, first, &lets, false};
        x.v = one.x.v = vectorize_counter(l, "v", 1);
        s->loop.kind = Fserial;
        s->loop.step = s->loop.step ? s->loop.step : low_i(l, 1);
        s->loop.body = vectorize_block(&one, s->loop.body);
        return s;
    }
    int64_t n = hi - lo;
    if (vectorize_independent(&(Vec){.l = l, .v = old}, s->loop.body))
        while (n % (max * 2) == 0 && max * 2 <= l->m->vec_bytes * 2)
            max *= 2;
    x.v = vectorize_counter(l, "v", max);
    uint32_t q = vectorize_counter(l, "q", n);
    Ex to = low_add(l, low_add(l, low_mul(l, x_var(p, q), max), x_var(p, x.v)), low_i(l, lo));
    if (max > 1) {
        Stmt *try = low_renew(l, low_clone(l, s->loop.body));
        low_vars(l, try, &(LowNew){old, to}, 1);
        w = parloop_widest(l, try, &x, max, false);
    }
    p->var[x.v].hi = w - 1;
    p->var[q].hi = n / w - 1;
    to = low_add(l, low_add(l, low_mul(l, x_var(p, q), w), x_var(p, x.v)), low_i(l, lo));
    low_vars(l, s->loop.body, &(LowNew){old, to}, 1);
    Stmt *body = parloop_emit(l, s->loop.body, &x, w, first);
    enum { Unrolled = 64 };
    return parloop_loop(l, n / w <= Unrolled ? Funroll : Fserial, q, n / w, body);
}
