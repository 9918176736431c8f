/* core/lower/parallel/bind.c: what a guard tests is what its access uses.
 *
 * Both the guard of B[A[i]] and the access read A[i].  Where the launch writes A, another
 * thread may do so in between, and the access goes where nothing was tested.  Such a value
 * gets a name first, and the guard and the access speak of that:
 *
 *     B[A[i]] = x    ->    let at = A[i]; B[at] = x
 *
 * A name of the user's own, `local at = A[i]`, is as good.  That the C compiler, too, reads memory
 * once for it is said by Var.once.  Of shared memory it need not be: what is read there nobody
 * writes before the next barrier, but other blocks write to A when they like.
 *
 * A condition around is a fact for what is under it only as far as it lasts: see
 * parloop_lasting().  Conditions of while loops, in front of which nothing can stand, read no
 * memory: low_flatten has given them a variable. */
#include "core/ir/expr.h"
#include "core/lower/build/accesses.h"
#include "parallel.h"

/* A global access of the statement; evaluated where all of when[0..n) hold. */
typedef struct BindAccess BindAccess;
struct BindAccess {
    uint32_t buf;
    const Ex *at, *when;
    int n;
};

/* A value that gets a name; `value` speaks of those before by their names. */
typedef struct NamedValue NamedValue;
struct NamedValue {
    Ex value;
    uint32_t var;
    const Ex *when;
    int n;
};

typedef struct Bind Bind;
struct Bind {
    Low *l;
    BindAccess *place; uint32_t nplace, capplace;
    NamedValue *named; uint32_t nnamed, capnamed;
    Ex *leaf; uint32_t nleaf, capleaf;
};

/* What changes ------------------------------------------------------------ */

/* May others change what node x reads, from one evaluation to the next? */
static bool fleeting(const Low *l, const Expr *x)
{
    int sc = x->op == Xload ? l->p->buf[x->sym].scope : SCnone;
    return (x->op == Xcall && intr_fleeting(x->sym)) || sc == SCshared ||
           (sc == SCglobal && low_changed(l, buf_root(l->p, x->sym)));
}

/* ... or the thread itself? */
static bool bind_passing(void *ud, Ex e)
{
    const Low *l = ud;
    const Expr *x = ex_at(l->p, e);
    return fleeting(l, x) || (x->op == Xload && l->p->buf[x->sym].scope != SCglobal);
}

bool parloop_lasting(Low *l, Ex e) { return !ex_any(l->p, e, bind_passing, l); }

/* Must index e of a dimension of this size be tested?  What it is made of says not. */
static bool exposed(const Prog *p, Ex e, Ex size)
{
    int64_t lo, hi, n;
    return !x_range(p, e, &lo, &hi) || lo < 0 || !x_isint(p, size, &n) || hi >= n;
}

/* What is in an expression: a value that others may change; one in an index of global memory. */
enum { Fleeting = 1, Indexed = 2 };

/* An ExFoldFn; ud: the Low. */
static int64_t holds_node(ExFold *k, Ex e)
{
    const Low *l = k->ud;
    const Expr *x = ex_at(l->p, e);
    int64_t has = fleeting(l, x) ? Fleeting : 0;
    bool global = x->op == Xload && l->p->buf[x->sym].scope == SCglobal;
    for (int i = 0; i < x->n; i++) {
        int64_t in = ex_fold(k, x->arg[i]);
        if (global && in & Fleeting && exposed(l->p, x->arg[i], l->p->buf[x->sym].shape[i]))
            in |= Indexed;
        has |= in;
    }
    return has;
}

static int64_t index_facts(Low *l, Ex e)
{
    return ex_fold(&(ExFold){.p = l->p, .f = holds_node, .ud = l}, e);
}

/* The index of the global element that s itself writes, or copies; NULL: none. */
static Ex *own_index(const Prog *p, Stmt *s, uint32_t *buf)
{
    Ex *at = NULL;
    if (s->kind == Sstore)
        *buf = s->store.buf, at = s->store.idx;
    else if (s->kind == Satomic)
        *buf = s->atomic.buf, at = s->atomic.idx;
    else if (s->kind == Sop && s->op.op == Ocp_async)
        *buf = s->op.r[0].buf, at = s->op.r[0].min;
    return at && p->buf[*buf].scope == SCglobal ? at : NULL;
}

/* An ExFn; ud: the Low. */
static bool bind_no_index(void *ud, Ex e) { return !(index_facts(ud, e) & Indexed); }

/* The load that value e of a name is, where others may change what it reads; or 0. */
static Ex of_others(const Low *l, Ex e)
{
    const Expr *x = ex_at(l->p, e);
    while (x->op == Xselect || x->op == Xcast) {
        e = x->arg[x->op == Xselect];
        x = ex_at(l->p, e);
    }
    return x->op == Xload && l->p->buf[x->sym].scope == SCglobal && fleeting(l, x) ? e : 0;
}

/* An ExTest, of no node: names in an index have one value. */
static bool bind_settle(void *ud, Ex e)
{
    Low *l = ud;
    const Expr *x = ex_at(l->p, e);
    Var *v = x->op == Xvar ? &l->p->var[x->sym] : NULL;
    if (v && v->kind == Vlet && v->value && of_others(l, v->value))
        v->once = true;
    return false;
}

static void settle_index(Low *l, uint32_t buf, const Ex *at)
{
    for (int d = 0; d < l->p->buf[buf].ndim; d++)
        if (exposed(l->p, at[d], l->p->buf[buf].shape[d]))
            ex_any_let(l->p, at[d], bind_settle, l);
}

/* An ExVisit. */
static ExGo settle_load(void *ud, Ex e)
{
    Low *l = ud;
    const Expr *x = ex_at(l->p, e);
    if (x->op == Xload && l->p->buf[x->sym].scope == SCglobal)
        settle_index(l, x->sym, x->arg);
    return EXinto;
}

/* Is there an index to bind in s itself? */
static bool concerns(Low *l, Stmt *s)
{
    const Prog *p = l->p;
    uint32_t buf;
    const Ex *own = own_index(p, s, &buf);
    for (int d = 0; own && d < p->buf[buf].ndim; d++)
        if (exposed(p, own[d], p->buf[buf].shape[d]) && index_facts(l, own[d]) & Fleeting)
            return true;
    return !stmt_exprs(p, s, bind_no_index, l);
}

/* Names -------------------------------------------------------------------- */

/* An ExFoldFn; ud: the Bind.  What a value is made of has its names already. */
static int64_t renamed_node(ExFold *k, Ex e)
{
    const Bind *b = k->ud;
    Prog *p = b->l->p;
    if (!fleeting(b->l, ex_at(p, e)))
        return ex_refold(p, k, e);
    for (uint32_t i = 0; i < b->nnamed; i++)
        if (b->named[i].value == e)
            return x_var(p, b->named[i].var);
    return e;
}

/* Index e of a dimension of this size by the names of what is in it. */
static Ex index_by_names(Bind *b, Ex e, Ex size)
{
    Prog *p = b->l->p;
    return exposed(p, e, size) ? (Ex)ex_fold(&(ExFold){.p = p, .f = renamed_node, .ud = b}, e) : e;
}

/* A LowExFn: global loads with their indices renamed. */
static Ex by_names(Low *l, Ex e, void *ud)
{
    Prog *p = l->p;
    Expr x = *ex_at(p, e);
    Ex at[MaxDim];
    bool changed = false;
    if (x.op != Xload || p->buf[x.sym].scope != SCglobal)
        return e;
    for (int d = 0; d < x.n; d++) {
        at[d] = index_by_names(ud, x.arg[d], p->buf[x.sym].shape[d]);
        changed |= at[d] != x.arg[d];
    }
    return changed ? low_rebuild(l, e, at) : e;
}

/* Value e, evaluated where what f's place says holds, gets a name.  One that has a name
 * already is then evaluated wherever both places evaluate it. */
static void bind_name(Bind *b, Ex e, const BindAccess *f)
{
    Prog *p = b->l->p;
    int64_t lo, hi;
    int n = 0;
    Ex value = low_mapx(b->l, e, by_names, b);
    for (uint32_t i = 0; i < b->nnamed; i++)
        if (b->named[i].value == value) {
            while (n < f->n && n < b->named[i].n && f->when[n] == b->named[i].when[n])
                n++;
            b->named[i].n = n;
            return;
        }
    if (!x_range(p, value, &lo, &hi))
        lo = INT64_MIN, hi = INT64_MAX;
    uint32_t v = p_var(p, Vlet, ex_type(p, value), "at", lo, hi);
    agrow(&p->ctx, &b->named, &b->capnamed, b->nnamed + 1, sizeof *b->named);
    b->named[b->nnamed++] = (NamedValue){value, v, f->when, f->n};
}

/* Places ------------------------------------------------------------------- */

/* The conditions of `when`, the outermost first: *n. */
static const Ex *bind_conditions(Prog *p, const MemIf *when, int *n)
{
    *n = 0;
    for (const MemIf *k = when; k; k = k->up)
        ++*n;
    Ex *all = anew(&p->ctx, ((size_t)*n + 1) * sizeof *all);
    int i = *n;
    for (const MemIf *k = when; k; k = k->up)
        all[--i] = k->not ? x_un(p, Xnot, k->cond) : k->cond;
    return all;
}

/* A MemEffectFn: keeps the accesses of single global elements, in the order of evaluation. */
static bool bind_gather(void *ud, const MemEffect *e)
{
    Bind *b = ud;
    Prog *p = b->l->p;
    bool region = e->extent && e->s->op.op != Ocp_async; /* not of elements */
    if (region || !e->at || p->buf[e->buf].scope != SCglobal)
        return true;
    BindAccess f = {.buf = e->buf, .at = e->at};
    f.when = bind_conditions(p, e->when, &f.n);
    agrow(&p->ctx, &b->place, &b->capplace, b->nplace + 1, sizeof *b->place);
    b->place[b->nplace++] = f;
    return true;
}

/* An ExVisit: keeps the outermost values that others may change. */
static ExGo bind_leaf(void *ud, Ex e)
{
    Bind *b = ud;
    if (!fleeting(b->l, ex_at(b->l->p, e)))
        return EXinto;
    agrow(&b->l->p->ctx, &b->leaf, &b->capleaf, b->nleaf + 1, sizeof *b->leaf);
    b->leaf[b->nleaf++] = e;
    return EXskip;
}

/* Names for what the index at f is made of. */
static void name_place(Bind *b, const BindAccess *f)
{
    const Prog *p = b->l->p;
    for (int d = 0; d < p->buf[f->buf].ndim; d++) {
        b->nleaf = 0;
        if (exposed(p, f->at[d], p->buf[f->buf].shape[d]))
            ex_walk(p, f->at[d], bind_leaf, b);
        for (uint32_t i = 0; i < b->nleaf; i++)
            bind_name(b, b->leaf[i], f);
    }
}

/* Statements --------------------------------------------------------------- */

/* What declares k: the value, or 0 where its conditions do not hold and it may not be read. */
static Stmt *declare_name(Bind *b, const NamedValue *k, Loc loc)
{
    Prog *p = b->l->p;
    Ex all = 0;
    for (int i = 0; i < k->n; i++) {
        Ex c = low_mapx(b->l, k->when[i], by_names, b);
        all = all ? x_bin(p, Xand, all, c) : c;
    }
    Ex none = x_int(p, ex_type(p, k->value), 0);
    p->var[k->var].value = all ? x_select(p, all, k->value, none) : k->value;
    p->var[k->var].once = of_others(b->l, k->value) != 0;
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Slet;
    s->loc = loc;
    s->let.var = k->var;
    return s;
}

Stmt *parloop_bind(Low *l, Stmt *s)
{
    Prog *p = l->p;
    Bind b = {.l = l};
    Stmt *out = NULL;
    uint32_t buf;
    Ex *own = own_index(p, s, &buf);
    if (own)
        settle_index(l, buf, own);
    stmt_ex_walk(p, s, settle_load, l);
    if (!concerns(l, s))
        return NULL;
    stmt_effects(p, s, bind_gather, &b);
    for (uint32_t i = 0; i < b.nplace; i++)
        name_place(&b, &b.place[i]);
    for (uint32_t i = 0; i < b.nnamed; i++)
        out = low_append(out, declare_name(&b, &b.named[i], s->loc));
    low_map_own(l, s, by_names, &b);
    for (int d = 0; own && d < p->buf[buf].ndim; d++)
        own[d] = index_by_names(&b, own[d], p->buf[buf].shape[d]);
    return out;
}
