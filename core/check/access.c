/* core/check/access.c: what a program reads and writes, in program order: the facts
 * that the source-level checks reason about. */
#include <string.h>

#include "check.h"
#include "counted.h"
#include "core/ir/effects.h"
#include "core/ir/walk.h"

enum { MaxLet = 200 }; /* longer ones stay variables: trees may double at each */

/* Lets ----------------------------------------------------------------- */

Ex facts_expand(Facts *f, Ex e)
{
    const Prog *p = f->p;
    e = counted_ex(f->p, f->counting, e);
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++)
        if (p->var[f->uses[i]].kind == Vlet && f->let[f->uses[i]])
            return x_subst(f->p, e, f->let, p->nvar);
    return e;
}

typedef struct AccessCount AccessCount;
struct AccessCount { const Facts *f; uint32_t n; };

static ExGo count_loads(void *ud, Ex e)
{
    AccessCount *k = ud;
    const Expr *x = &k->f->p->ex[e];
    k->n += x->op == Xvar ? k->f->letsize[x->sym] : 1;
    return k->n > MaxLet ? EXstop : EXinto;
}

/* Nodes of e written out with its lets, or more than MaxLet. */
static uint32_t expanded(const Facts *f, Ex e)
{
    AccessCount k = {f, f->p->ex[e].size > MaxLet ? MaxLet + 1 : 0};
    if (k.n == 0)
        ex_walk(f->p, e, count_loads, &k);
    return k.n;
}

static ExGo note_variable(void *ud, Ex e)
{
    Facts *f = ud;
    const Expr *x = &f->p->ex[e];
    if (x->op != Xvar)
        return EXinto;
    for (uint32_t i = 0; i < f->nuses; i++)
        if (f->uses[i] == x->sym)
            return EXinto;
    f->uses[f->nuses++] = x->sym;
    return EXinto;
}

uint32_t facts_uses(Facts *f, Ex e, uint32_t n)
{
    f->nuses = n;
    ex_walk(f->p, e, note_variable, f);
    return f->nuses;
}

/* Accesses ------------------------------------------------------------- */

static Access *access_add(Facts *f, uint32_t buf, int mode)
{
    agrow(&f->p->ctx, &f->a, &f->cap, f->n + 1, sizeof *f->a);
    Access *a = &f->a[f->n++];
    *a = (Access){.s = f->s, .in = f->in, .guard = f->guard, .moment = f->moment, .buf = buf,
                  .mode = (uint8_t)mode, .ndim = f->p->buf[buf].ndim};
    return a;
}

/* Does e name the thread, in a role?  The thread variable's domain is that of
 * the whole block, of which a role has a part. */
static bool access_partial(Facts *f, Ex e)
{
    if (!frame_find(f->in, Srole))
        return false;
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++)
        if (f->p->var[f->uses[i]].kind == Vthread)
            return true;
    return false;
}

/* The condition without its negations, so that it and its contrary are one: `not c`; of whole
 * numbers `a >= b`, which is `not (a < b)`. */
static Ex guard_plain(Prog *p, Ex cond, bool *not)
{
    for (const Expr *x = ex_at(p, cond); cond; x = ex_at(p, cond)) {
        bool le = x->op == Xle && !dtype_isfloat(ex_type(p, x->arg[0]));
        if (x->op != Xnot && x->op != Xne && !le)
            break;
        *not = !*not;
        cond = x->op == Xnot ? x->arg[0] : x_bin(p, le ? Xlt : Xeq, x->arg[le], x->arg[!le]);
    }
    return cond;
}

static void check_access_guard(Facts *f, Ex cond, bool not)
{
    Guard *g = anew(&f->p->ctx, sizeof *g);
    cond = cond ? facts_expand(f, cond) : 0;
    cond = guard_plain(f->p, cond, &not);
    *g = (Guard){cond && !access_partial(f, cond) ? cond : 0, not, f->guard};
    f->guard = g;
}

/* The access of the statement that is read, its indices expanded: at[0..ndim). */
static Access *check_access_of(Facts *f, uint32_t buf, const Ex *idx, int mode)
{
    const Guard *outer = f->guard;
    Ex at[MaxDim] = {0};
    bool unsaid = false;
    int n = f->p->buf[buf].ndim;
    for (int i = 0; i < n; i++) {
        at[i] = facts_expand(f, idx[i]);
        unsaid = unsaid || access_partial(f, at[i]);
    }
    if (unsaid)
        check_access_guard(f, 0, false);
    Access *a = access_add(f, buf, mode);
    memcpy(a->idx, at, sizeof at);
    f->guard = outer;
    return a;
}

/* The conditions inside the statement, outer first. */
static void guards(Facts *f, const MemIf *g)
{
    if (!g)
        return;
    guards(f, g->up);
    check_access_guard(f, g->cond, g->not);
}

static void effect_access(Facts *f, const MemEffect *e, int mode)
{
    Ex zero[MaxDim] = {0};
    if (!e->at) /* a variable's initial value */
        zero[0] = x_int(f->p, DTi32, 0);
    Access *a =
        check_access_of(f, e->buf, e->at ? e->at : zero, mode | (e->mode & FXatomic ? Aatomic : 0));
    a->adds = (e->mode & FXadds) != 0;
    a->update = e->update;
    a->tile = e->extent != NULL;
    for (int d = 0; a->tile && d < e->nd; d++)
        a->extent[d] = counted_ex(f->p, f->counting, e->extent[d]);
    if (e->lanes > 1 && !a->tile) { /* T.atomic_addx2: elements in a row */
        a->tile = true;
        for (int d = 0; d < a->ndim; d++)
            a->extent[d] = x_int(f->p, DTi32, d == a->ndim - 1 ? e->lanes : 1);
    }
}

static bool access_effect(void *ud, const MemEffect *e)
{
    Facts *f = ud;
    const Guard *outer = f->guard;
    if (e->letter == 'b')
        return true;
    guards(f, e->when);
    if (e->mode & FXread)
        effect_access(f, e, Aread);
    if (e->mode & FXwrite)
        effect_access(f, e, Awrite);
    f->guard = outer;
    return true;
}

/* Statements ----------------------------------------------------------- */

static void domain(Facts *f, uint32_t v, bool exact, int64_t lo, int64_t hi, int64_t step)
{
    f->dom[v] = (Domain){exact, lo, hi, step, f->moment, f->s};
}

/* -> false when the loop never runs. */
static bool loopvars(Facts *f, const Stmt *s)
{
    const Prog *p = f->p;
    int64_t step = 1, lo, hi;
    bool fixed = !s->loop.step || x_isint(p, s->loop.step, &step), runs = true;
    for (int i = 0; i < s->loop.n; i++) {
        uint32_t v = s->loop.var[i];
        bool exact = fixed && x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi) &&
                     lo > -(INT64_MAX >> 2) && lo < INT64_MAX >> 2 && hi > -(INT64_MAX >> 2) &&
                     hi < INT64_MAX >> 2 && step > 0;
        if (exact && hi <= lo)
            runs = false;
        if (exact)
            domain(f, v, true, lo, lo + (hi - 1 - lo) / step * step, step);
        else
            domain(f, v, false, p->var[v].lo, p->var[v].hi, 1);
    }
    return runs;
}

static void launchvars(Facts *f, const Stmt *s)
{
    int64_t n;
    for (int i = 0; i < s->launch.n; i++) {
        bool exact = x_isint(f->p, s->launch.grid[i], &n);
        domain(f, s->launch.block[i], exact, 0, exact ? n - 1 : INT64_MAX, 1);
    }
    for (int i = 0; i < s->launch.nthread; i++)
        domain(f, s->launch.thread[i], true, 0, s->launch.threads[i] - 1, 1);
}

static void collect_block(Facts *f, const Stmt *list);

static void access_inner(Facts *f, const Stmt *s, bool maybe)
{
    Stmt *b[2];
    int n = stmt_blocks(s, b);
    const Guard *outer = f->guard;
    CheckFrame *k = anew(&f->p->ctx, sizeof *k);
    *k = (CheckFrame){.s = s, .up = f->in, .first = f->n, .begin = f->moment, .maybe = maybe};
    for (int i = 0; i < n; i++) {
        f->in = k;
        if (s->kind == Sif)
            check_access_guard(f, s->cond.cond, i == 1);
        else if (maybe)
            check_access_guard(f, 0, false);
        collect_block(f, b[i]);
        f->guard = outer;
    }
    f->in = k->up;
    k->last = f->n;
    k->end = ++f->moment;
}

static void statement_accesses(Facts *f, const Stmt *s)
{
    const Prog *p = f->p;
    switch ((enum StmtKind)s->kind) {
    case Salloc:
        f->born[s->alloc.buf] = f->moment;
        break;
    case Slet: {
        const Var *v = &p->var[s->let.var];
        domain(f, s->let.var, false, v->lo, v->hi, 1);
        Ex value = counted_ex(f->p, f->counting, v->value);
        uint32_t n = expanded(f, value);
        if (n <= MaxLet && x_pure(p, value)) {
            f->let[s->let.var] = facts_expand(f, value);
            f->letsize[s->let.var] = n;
        }
        break;
    }
    case Satomic:
        if (s->atomic.prev)
            domain(f, s->atomic.prev, false, INT64_MIN, INT64_MAX, 1);
        break;
    default:
        break;
    }
}

/* The while s of list as a loop over a variable, where it counts; false: it does not. */
static bool collect_counted(Facts *f, const Stmt *list, const Stmt *s)
{
    Prog *p = f->p;
    Counted k;
    if (!f->nspare || !counted_loop(p, list, s, &k))
        return false;
    if (k.rounds == 0)
        return true;
    uint32_t v = f->spare[--f->nspare];
    bool itself = k.by == 1; /* the variable is what is counted */
    int64_t lo = itself ? k.first : 0;
    enum Dtype dt = (enum Dtype)p->buf[k.buf].dt;
    Stmt *loop = anew(&p->ctx, sizeof *loop);
    *loop = (Stmt){.kind = Sfor, .loc = s->loc,
                   .loop = {.kind = Fserial, .n = 1, .var = {v}, .lo = {x_int(p, DTi32, lo)},
                            .hi = {x_int(p, DTi32, lo + k.rounds)}, .body = s->whil.body}};
    p->var[v].name = itself ? p->buf[k.buf].name : "round";
    p->var[v].lo = lo;
    p->var[v].hi = lo + k.rounds - 1;
    f->s = loop;
    domain(f, v, true, lo, lo + k.rounds - 1, 1);
    Ex by = x_int(p, dt, k.by), value = x_cast(p, dt, x_var(p, v));
    if (!itself)
        value = x_bin(p, Xadd, x_int(p, dt, k.first), x_bin(p, Xmul, value, by));
    Counting c = {k.buf, k.step, value, x_bin(p, Xadd, value, by), f->counting};
    f->counting = &c;
    access_inner(f, loop, false);
    f->counting = c.up;
    return true;
}

static void collect_statement(Facts *f, const Stmt *list, const Stmt *s)
{
    int64_t v;
    f->s = s;
    f->moment++;
    if (s->kind == Salloc) /* its storage is there before it is written */
        statement_accesses(f, s);
    stmt_effects(f->p, s, access_effect, f);
    if (s->kind != Salloc)
        statement_accesses(f, s);
    switch ((enum StmtKind)s->kind) {
    case Slaunch:
        launchvars(f, s);
        access_inner(f, s, false);
        break;
    case Srole:
        access_inner(f, s, false);
        break;
    case Sfor:
        if (loopvars(f, s))
            access_inner(f, s, stmt_leaves(s->loop.body));
        break;
    case Swhile:
        if (!collect_counted(f, list, s))
            access_inner(f, s, true);
        break;
    case Sif:
        if (x_isint(f->p, s->cond.cond, &v))
            collect_block(f, v ? s->cond.then : s->cond.els);
        else
            access_inner(f, s, false);
        break;
    default:
        break;
    }
}

static void collect_block(Facts *f, const Stmt *list)
{
    for (const Stmt *s = list; s; s = s->next) {
        collect_statement(f, list, s);
        if (f->counting && s == f->counting->step)
            f->counting->value = f->counting->behind;
    }
}

/* A variable for each while, which may count. */
static bool spare_variable(Stmt *s, void *ud)
{
    Facts *f = ud;
    uint32_t cap = f->nspare;
    if (s->kind != Swhile)
        return true;
    uint32_t v = p_var(f->p, Vloop, DTi32, "round", 0, 0);
    agrow(&f->p->ctx, &f->spare, &cap, f->nspare + 1, sizeof *f->spare);
    f->spare[f->nspare++] = v;
    return true;
}

/* What cond, which holds, says of variable v: `v < 8`, `v == n` says nothing. */
static void assumed_by(const Prog *p, Ex cond, uint32_t v, int64_t *lo, int64_t *hi)
{
    const Expr *x = ex_at(p, cond);
    if (x->op == Xand) {
        assumed_by(p, x->arg[0], v, lo, hi);
        assumed_by(p, x->arg[1], v, lo, hi);
        return;
    }
    if (x->op != Xlt && x->op != Xle && x->op != Xeq)
        return;
    for (int side = 0; side < 2; side++) {
        const Expr *y = ex_at(p, x->arg[side]);
        int64_t k, by = x->op == Xlt;
        if (y->op != Xvar || y->sym != v || !x_isint(p, x->arg[1 - side], &k))
            continue;
        if ((side == 0 || x->op == Xeq) && k - by < *hi)
            *hi = k - by;
        if ((side == 1 || x->op == Xeq) && k + by > *lo)
            *lo = k + by;
    }
}

static void assumed_in(const Prog *p, const Stmt *s, uint32_t v, int64_t *lo, int64_t *hi)
{
    for (; s; s = s->next)
        if (s->kind == Sassume && s->check.cond)
            assumed_by(p, s->check.cond, v, lo, hi);
}

void facts_assumed(const Prog *p, uint32_t v, int64_t *lo, int64_t *hi)
{
    const Stmt *launch = NULL;
    int n = 0;
    *lo = p->var[v].lo;
    *hi = p->var[v].hi;
    if (p->var[v].kind != Vscalar && p->var[v].kind != Vdim)
        return;
    assumed_in(p, p->body, v, lo, hi);
    for (const Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            launch = s;
            n++;
        }
    if (n == 1)
        assumed_in(p, launch->launch.body, v, lo, hi);
    if (*lo > *hi) { /* never run without an error */
        *lo = p->var[v].lo;
        *hi = p->var[v].hi;
    }
}

Facts *facts_gather(Prog *p)
{
    Ctx *c = &p->ctx;
    Facts *f = anew(c, sizeof *f);
    f->p = p;
    stmt_walk(p->body, spare_variable, f);
    f->dom = anew(c, p->nvar * sizeof *f->dom);
    f->let = anew(c, p->nvar * sizeof *f->let);
    f->letsize = anew(c, p->nvar * sizeof *f->letsize);
    f->env = anew(c, p->nvar * sizeof *f->env);
    f->uses = anew(c, p->nvar * sizeof *f->uses);
    f->born = anew(c, p->nbuf * sizeof *f->born);
    for (uint32_t v = 1; v < p->nvar; v++) {
        f->letsize[v] = 1;
        int64_t lo, hi;
        facts_assumed(p, v, &lo, &hi);
        if (p->var[v].kind == Vscalar && strchr("IU", dtypeinfo[p->var[v].dt].cls)) {
            int64_t least, most;
            x_extremes(p, x_var(p, v), &least, &most);
            lo = lo < least ? least : lo;
            hi = hi > most ? most : hi;
        }
        f->dom[v] = (Domain){lo == hi && lo != p->var[v].lo, lo, hi, 1, 0, NULL};
    }
    collect_block(f, p->body);
    return f;
}

/* Questions ------------------------------------------------------------ */

const CheckFrame *frame_find(const CheckFrame *in, enum StmtKind k)
{
    while (in && in->s->kind != k)
        in = in->up;
    return in;
}

const CheckFrame *frame_parallel(const CheckFrame *in)
{
    const CheckFrame *found = NULL;
    for (; in; in = in->up)
        if (in->s->kind == Sfor && in->s->loop.kind == Fparallel)
            found = in;
    return found;
}

int facts_holds(const Facts *f, const Guard *g)
{
    int all = 1;
    for (; g; g = g->up) {
        int64_t v;
        if (!g->cond || !x_eval(f->p, g->cond, f->env, &v))
            all = -1;
        else if ((v != 0) == g->not)
            return 0;
    }
    return all;
}

/* The variable that each term of s is, 0: none. */
static const uint32_t *access_variables(Facts *f, Ex e, const ExSum *s)
{
    const Prog *p = f->p;
    agrow(&f->p->ctx, &f->vars, &f->capvars, e + 1, sizeof *f->vars);
    if (f->vars[e])
        return f->vars[e];
    uint32_t *v = anew(&f->p->ctx, (size_t)s->n * sizeof *v);
    for (int i = 0; i < s->n; i++)
        v[i] = p->ex[s->atom[i]].op == Xvar ? p->ex[s->atom[i]].sym : 0;
    return f->vars[e] = v;
}

bool affine_of(Facts *f, Ex e, Affine *out)
{
    ExSum s = x_linear(f->p, e);
    *out = (Affine){
        .n = s.n, .c = s.c, .atom = s.atom, .coef = s.coef, .var = access_variables(f, e, &s)};
    for (int i = 0; i < s.n; i++) {
        if (s.coef[i] > INT32_MAX || s.coef[i] < -INT32_MAX)
            return false;
        out->nrest += out->var[i] == 0;
    }
    return out->c > -((int64_t)1 << 48) && out->c < (int64_t)1 << 48;
}

const char *facts_values(Facts *f, const uint32_t *var, int n, const int64_t *v)
{
    Str s = {0};
    for (int i = 0; i < n; i++)
        str_fmt(&s, i ? ", %lld" : "%lld", (long long)(var ? v[var[i]] : v[i]));
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

const char *facts_where(Facts *f, uint32_t n)
{
    Str s = {0};
    for (uint32_t i = 0; i < n && i < 6; i++)
        str_fmt(&s, i ? ", %s = %lld" : "%s = %lld", f->p->var[f->uses[i]].name,
                (long long)f->env[f->uses[i]]);
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}
