/* core/ir/walk.c: the expressions and inner blocks of a statement, by kind. */
#include <stdlib.h>
#include <string.h>

#include "effects.h"
#include "walk.h"

/* Expressions ----------------------------------------------------------- */

typedef struct ExWalk ExWalk;
struct ExWalk {
    const Prog *p;
    ExVisit *f;
    void *ud;
    uint32_t mark;         /* 0: of a small expression */
    bool lets;
};

uint32_t ex_marks(const Prog *p)
{
    struct ExMarks *m = p->marks;
    if (++m->last == 0) { /* all numbers used up: begin again */
        memset(m->mark, 0, m->cap * sizeof *m->mark);
        m->last = 1;
    }
    return m->last;
}

/* Has e been met?  From now on it has. */
static bool walk_met(const Prog *p, Ex e, uint32_t mark)
{
    uint32_t *m = ex_mark(p, e);
    bool was = *m == mark;
    *m = mark;
    return was;
}

static bool walk_visit(ExWalk *w, Ex e)
{
    if (w->mark && walk_met(w->p, e, w->mark))
        return true;
    ExGo go = w->f(w->ud, e);
    if (go != EXinto)
        return go != EXstop;
    for (int i = 0; i < w->p->ex[e].n; i++)
        if (!walk_visit(w, w->p->ex[e].arg[i]))
            return false;
    Ex is = w->lets ? ex_let(w->p, e) : 0;
    if (is && !w->mark) /* trees may double at each */
        w->mark = ex_marks(w->p);
    return !is || walk_visit(w, is);
}

static bool ir_walk(const Prog *p, Ex e, ExVisit *f, void *ud, bool lets)
{
    ExWalk w = {p, f, ud, ex_small(p, e) ? 0 : ex_marks(p), lets};
    return walk_visit(&w, e);
}

bool ex_walk(const Prog *p, Ex e, ExVisit *f, void *ud) { return ir_walk(p, e, f, ud, false); }

bool ex_walk_let(const Prog *p, Ex e, ExVisit *f, void *ud) { return ir_walk(p, e, f, ud, true); }

typedef struct ExEach ExEach;
struct ExEach { const Prog *p; ExFn *f; void *ud; uint32_t mark; bool lets; };

static bool walk_each(const ExEach *w, Ex e)
{
    if (w->mark && walk_met(w->p, e, w->mark))
        return true;
    for (int i = 0; i < w->p->ex[e].n; i++)
        if (!walk_each(w, w->p->ex[e].arg[i]))
            return false;
    Ex is = w->lets ? ex_let(w->p, e) : 0;
    return (!is || walk_each(w, is)) && w->f(w->ud, e);
}

/* ex_walk() the other way round: f sees a node behind its arguments. */
static bool ex_each(const Prog *p, Ex e, ExFn *f, void *ud)
{
    return walk_each(&(ExEach){p, f, ud, ex_small(p, e) ? 0 : ex_marks(p), false}, e);
}

bool ex_each_let(const Prog *p, Ex e, ExFn *f, void *ud)
{
    return walk_each(&(ExEach){p, f, ud, ex_marks(p), true}, e);
}

typedef struct EvalLets EvalLets;
struct EvalLets { const Prog *p; int64_t *env; };

static bool eval_let(void *ud, Ex e)
{
    EvalLets *k = ud;
    Ex is = ex_let(k->p, e);
    int64_t *v = is ? &k->env[ex_at(k->p, e)->sym] : NULL;
    if (v && !x_eval(k->p, is, k->env, v))
        *v = 0;
    return true;
}

void x_eval_lets(const Prog *p, Ex e, int64_t *env)
{
    EvalLets k = {p, env};
    ex_each_let(p, e, eval_let, &k);
}

typedef struct Any Any;
struct Any { ExTest *is; void *ud; };

static ExGo test(void *ud, Ex e)
{
    const Any *a = ud;
    return a->is(a->ud, e) ? EXstop : EXinto;
}

bool ex_any(const Prog *p, Ex e, ExTest *is, void *ud)
{
    return !ir_walk(p, e, test, &(Any){is, ud}, false);
}

bool ex_any_let(const Prog *p, Ex e, ExTest *is, void *ud)
{
    return !ir_walk(p, e, test, &(Any){is, ud}, true);
}

/* A mark that no remembered value bears. */
static uint32_t fold_mark(const Prog *p)
{
    struct ExMarks *m = p->marks;
    if (++m->lastfold == 0) {
        memset(m->fold, 0, m->capfold * sizeof *m->fold);
        m->lastfold = 1;
    }
    return m->lastfold;
}

int64_t ex_fold(ExFold *k, Ex e)
{
    if (!k->mark && !ex_small(k->p, e))
        k->mark = fold_mark(k->p);
    if (!k->mark || k->p->ex[e].n == 0)
        return k->f(k, e);
    const struct ExFolded *is = &k->p->marks->fold[e];
    if (is->mark == k->mark)
        return is->val;
    int64_t v = k->f(k, e); /* which may make expressions */
    k->p->marks->fold[e] = (struct ExFolded){k->mark, v};
    return v;
}

int64_t ex_fold_let(ExFold *k, Ex e)
{
    if (!k->mark) /* trees may double at each */
        k->mark = fold_mark(k->p);
    return ex_fold(k, ex_let(k->p, e));
}

int64_t ex_fold_least(ExFold *k, Ex e, int64_t none)
{
    for (int i = 0; i < k->p->ex[e].n; i++) {
        int64_t v = ex_fold(k, k->p->ex[e].arg[i]);
        none = v < none ? v : none;
    }
    return none;
}

int64_t ex_fold_greatest(ExFold *k, Ex e, int64_t none)
{
    for (int i = 0; i < k->p->ex[e].n; i++) {
        int64_t v = ex_fold(k, k->p->ex[e].arg[i]);
        none = v > none ? v : none;
    }
    return none;
}

Ex ex_named(const Prog *p, Ex e)
{
    while (ex_let(p, e))
        e = ex_let(p, e);
    return e;
}

typedef struct WalkFrom WalkFrom;
struct WalkFrom { const Prog *p; uint32_t root; };

static bool is_from(void *ud, Ex e)
{
    const WalkFrom *k = ud;
    const Expr *x = &k->p->ex[e];
    return x->op == Xload && buf_root(k->p, x->sym) == k->root;
}

bool ex_reads(const Prog *p, Ex e, uint32_t root)
{
    return ex_any(p, e, is_from, &(WalkFrom){p, root});
}

static bool walk_no_index(void *ud, Ex e)
{
    const Prog *p = *(const Prog *const *)ud;
    const Expr *x = &p->ex[e];
    switch ((enum Xop)x->op) {
    case Xint: return false;
    case Xvar:
        return p->var[x->sym].kind == Vscalar || (p->var[x->sym].kind == Vlet && !ex_let(p, e));
    case Xcall: return x->sym < Ilane_idx || x->sym > Iwarp_group_idx;
    case Xload: case Xbits: return true;
    default: return dtypeinfo[x->dt].cls == 'F';
    }
}

bool ex_index_like(const Prog *p, Ex e) { return !ex_any_let(p, e, walk_no_index, &p); }

static void ex_uses(Prog *p, ExUses *u, Ex e, ExSkip *skip, void *ud)
{
    int n = p->ex[e].n;
    agrow(&p->ctx, &u->n, &u->cap, p->nex, sizeof *u->n);
    if (n == 0 || u->n[e] == UINT16_MAX || u->n[e]++ > 0)
        return;
    agrow(&p->ctx, &u->seen, &u->capseen, u->nseen + 1, sizeof *u->seen);
    u->seen[u->nseen++] = e;
    for (int i = 0; i < n; i++)
        if (!skip || !skip(ud, e, i))
            ex_uses(p, u, p->ex[e].arg[i], skip, ud);
}

static int walk_by_handle(const void *a, const void *b)
{
    Ex x = *(const Ex *)a, y = *(const Ex *)b;
    return (x > y) - (x < y);
}

/* Handles grow from operands to results, so their order is one of evaluation. */
void ex_shared(Prog *p, ExUses *u, const Ex *e, int n, ExSkip *skip, void *ud)
{
    u->nseen = 0;
    for (int i = 0; i < n; i++)
        if (e[i])
            ex_uses(p, u, e[i], skip, ud);
    if (u->nseen > 1)
        qsort(u->seen, u->nseen, sizeof *u->seen, walk_by_handle);
}

/* Statements ------------------------------------------------------------ */

typedef struct ExprWalk ExprWalk;
struct ExprWalk {
    ExFn *f;
    void *ud;
    bool ok;
};

static void walk_expr(ExprWalk *w, Ex e)
{
    if (e && w->ok)
        w->ok = w->f(w->ud, e);
}

static void several(ExprWalk *w, const Ex *e, int n)
{
    for (int i = 0; i < n; i++)
        walk_expr(w, e[i]);
}

int region_dims(const Prog *p, const Region *r)
{
    return r->buf && r->buf < p->nbuf ? p->buf[r->buf].ndim : 0;
}

bool region_whole(const Prog *p, const Region *r)
{
    int n = region_dims(p, r);
    for (int d = 0; d < n; d++) {
        int64_t v;
        if (!x_isint(p, r->min[d], &v) || v != 0 ||
            ex_type(p, r->min[d]) != DTi32 ||
            r->extent[d] != p->buf[r->buf].shape[d])
            return false;
    }
    return r->buf != 0;
}

static int rank(const Prog *p, uint32_t buf)
{
    return buf < p->nbuf ? p->buf[buf].ndim : 0;
}

bool stmt_exprs(const Prog *p, const Stmt *s, ExFn *f, void *ud)
{
    ExprWalk w = {f, ud, true};
    switch ((enum StmtKind)s->kind) {
    case Slaunch:
        several(&w, s->launch.grid, s->launch.n);
        break;
    case Salloc:
        walk_expr(&w, s->alloc.init);
        break;
    case Slet:
        walk_expr(&w, p->var[s->let.var].value);
        break;
    case Sstore:
        several(&w, s->store.idx, rank(p, s->store.buf));
        walk_expr(&w, s->store.value);
        break;
    case Sfor:
        for (int i = 0; i < s->loop.n; i++) {
            walk_expr(&w, s->loop.lo[i]);
            walk_expr(&w, s->loop.hi[i]);
        }
        walk_expr(&w, s->loop.step);
        break;
    case Swhile:
        walk_expr(&w, s->whil.cond);
        break;
    case Sif:
        walk_expr(&w, s->cond.cond);
        break;
    case Sop:
        for (int i = 0; i < MaxRegion; i++) {
            const Region *r = &s->op.r[i];
            for (int d = 0; d < region_dims(p, r); d++) {
                walk_expr(&w, r->min[d]);
                walk_expr(&w, r->extent[d]);
            }
        }
        walk_expr(&w, s->op.value);
        break;
    case Satomic:
        several(&w, s->atomic.idx, rank(p, s->atomic.buf));
        several(&w, s->atomic.value, COUNT(s->atomic.value));
        break;
    case Scall:
        several(&w, s->call.arg, COUNT(s->call.arg));
        break;
    case Sprint:
        walk_expr(&w, s->print.value);
        break;
    case Sassert:
    case Sassume:
        walk_expr(&w, s->check.cond);
        break;
    case Sxxx: case Sbreak: case Scontinue: case Srole: case NStmt:
        break;
    }
    return w.ok;
}

typedef struct OwnLoad OwnLoad;
struct OwnLoad { const Prog *p; ExVisit *f; void *ud; };

static bool is_private_load(void *ud, Ex e)
{
    const OwnLoad *o = ud;
    return ex_walk(o->p, e, o->f, o->ud);
}

bool stmt_ex_walk(const Prog *p, const Stmt *s, ExVisit *f, void *ud)
{
    OwnLoad o = {p, f, ud};
    return stmt_exprs(p, s, is_private_load, &o);
}

static bool own_each(void *ud, Ex e)
{
    const ExEach *o = ud;
    return ex_each(o->p, e, o->f, o->ud);
}

bool stmt_ex_each(const Prog *p, const Stmt *s, ExFn *f, void *ud)
{
    return stmt_exprs(p, s, own_each, &(ExEach){p, f, ud, 0, false});
}

bool stmt_any(const Prog *p, const Stmt *s, ExTest *is, void *ud)
{
    Any a = {is, ud};
    return !stmt_ex_walk(p, s, test, &a);
}

int stmt_blocks(const Stmt *s, Stmt *block[2])
{
    switch ((enum StmtKind)s->kind) {
    case Slaunch:
        return block[0] = s->launch.body, 1;
    case Sfor:
        return block[0] = s->loop.body, 1;
    case Swhile:
        return block[0] = s->whil.body, 1;
    case Sif:
        block[0] = s->cond.then;
        block[1] = s->cond.els;
        return 2;
    case Srole:
        return block[0] = s->role.body, 1;
    default:
        return 0;
    }
}

Stmt stmt_bare(const Stmt *s)
{
    Stmt one = *s;
    one.next = NULL;
    if (s->kind == Sif)
        one.cond.then = one.cond.els = NULL;
    else if (s->kind == Sfor && s->loop.kind != Fparallel)
        one.loop.body = NULL;
    else if (s->kind == Swhile)
        one.whil.body = NULL;
    else if (s->kind == Srole)
        one.role.body = NULL;
    return one;
}

bool stmt_leaves(const Stmt *list)
{
    Stmt *b[2];
    for (const Stmt *s = list; s; s = s->next) {
        if (s->kind == Sbreak || s->kind == Scontinue)
            return true;
        if (s->kind == Sfor || s->kind == Swhile)
            continue;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (stmt_leaves(b[i]))
                return true;
    }
    return false;
}

/* What a program writes to ------------------------------------------------- */

typedef struct WriteSearch WriteSearch;
struct WriteSearch { const Prog *p; bool *mark; };

static bool walk_writes(void *ud, const MemEffect *e)
{
    const WriteSearch *w = ud;
    if (e->mode & FXwrite)
        w->mark[e->root] = true;
    return true;
}

static bool mark_writes(Stmt *s, void *ud)
{
    WriteSearch *w = ud;
    return stmt_effects(w->p, s, walk_writes, w);
}

void prog_written(const Prog *p, bool *mark)
{
    WriteSearch w = {p, mark};
    memset(mark, 0, p->nbuf * sizeof *mark);
    stmt_walk(p->body, mark_writes, &w);
}

typedef struct Known Known;
struct Known { const Prog *p; const bool *known; };

static bool walk_unknown(void *ud, Ex e)
{
    const Known *k = ud;
    const Expr *x = ex_at(k->p, e);
    return x->op == Xvar && !k->known[x->sym];
}

bool x_eval_known(const Prog *p, Ex e, const int64_t *env, const bool *known, int64_t *v)
{
    return !ex_any(p, e, walk_unknown, &(Known){p, known}) && x_eval(p, e, env, v);
}

const Stmt *launch_negative(const Prog *p, const int64_t *env, const bool *known, int *d, int64_t *n)
{
    for (const Stmt *s = p->body; s; s = s->next)
        for (int i = 0; s->kind == Slaunch && i < s->launch.n; i++)
            if (x_eval_known(p, s->launch.grid[i], env, known, n) && *n < 0) {
                *d = i;
                return s;
            }
    return NULL;
}

/* Does s surely have a block? */
static bool launch_runs(const Prog *p, const Stmt *s, const int64_t *env, const bool *known)
{
    int64_t n;
    for (int i = 0; i < s->launch.n; i++)
        if (!x_eval_known(p, s->launch.grid[i], env, known, &n) || n <= 0)
            return false;
    return true;
}

static const Stmt *false_in(const Prog *p, const Stmt *s, const int64_t *env, const bool *known)
{
    int64_t v;
    for (; s; s = s->next)
        if (s->kind == Sassume && x_eval_known(p, s->check.cond, env, known, &v) && !v)
            return s;
    return NULL;
}

const Stmt *assume_false(const Prog *p, const int64_t *env, const bool *known)
{
    const Stmt *bad = false_in(p, p->body, env, known);
    for (const Stmt *s = p->body; s && !bad; s = s->next)
        if (s->kind == Slaunch && launch_runs(p, s, env, known))
            bad = false_in(p, s->launch.body, env, known);
    return bad;
}
