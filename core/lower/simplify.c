/* core/lower/simplify.c: what has become constant goes.
 *
 *   - conditions that are decided; branches and loops with nothing in them, or
 *     nothing but names
 *   - loops of one iteration, and of none
 *   - neighbouring ifs on one condition of the block become one
 *   - a condition that an if around has decided already
 *   - parts of indices that many statements compute from the thread's number
 *     (its lane, its warp, ..) get names */
#include <string.h>

#include "core/ir/walk.h"
#include "core/lower/build/low.h"

typedef struct Simplify Simplify;
struct Simplify {
    Low *l;
    Ex *known; uint32_t capknown; /* true here, whatever is stored */
    int n;
    int64_t threads;    /* here `tid` stays below this */
};

static void simplify_block(Simplify *k, Stmt **at);

/* Conditions ------------------------------------------------------------ */

static ExGo simplify_learn(void *ud, Ex cond)
{
    Simplify *k = ud;
    Prog *p = k->l->p;
    Ex tid = x_var(p, k->l->tid);
    const Expr *x = ex_at(p, cond);
    int64_t v;
    if (x->op == Xlt && x->arg[0] == tid && x_isint(p, x->arg[1], &v) && v < k->threads)
        k->threads = v;
    if (x->op == Xand)
        return EXinto;
    if (x_pure(p, cond)) {
        agrow(&p->ctx, &k->known, &k->capknown, (uint32_t)k->n + 1, sizeof *k->known);
        k->known[k->n++] = cond;
    }
    return EXskip;
}

static void simplify_know(Simplify *k, Ex cond) { ex_walk(k->l->p, cond, simplify_learn, k); }

static Ex simplify_decide(Low *l, Ex e, void *ud)
{
    const Simplify *k = ud;
    const Expr *x = ex_at(l->p, e);
    int64_t m;
    if ((x->op == Xfmod || x->op == Xfdiv) && x->arg[0] == x_var(l->p, l->tid) &&
        x_isint(l->p, ex_at(l->p, e)->arg[1], &m) && m >= k->threads)
        return ex_at(l->p, e)->op == Xfmod ? x_var(l->p, l->tid) : low_i(l, 0);
    if (ex_type(l->p, e) != DTbool)
        return e;
    for (int i = 0; i < k->n; i++) {
        if (k->known[i] == e)
            return x_int(l->p, DTbool, 1);
        if (x_un(l->p, Xnot, k->known[i]) == e)
            return x_int(l->p, DTbool, 0);
    }
    return e;
}

/* Loops ----------------------------------------------------------------- */

/* How often a loop of one variable runs: 0, 1, or 2 for more or unknown. */
static int simplify_times(const Prog *p, const Stmt *s)
{
    int64_t lo, hi, step = 1;
    if (s->loop.n != 1 || !x_isint(p, s->loop.lo[0], &lo) || !x_isint(p, s->loop.hi[0], &hi) ||
        (s->loop.step && !x_isint(p, s->loop.step, &step)))
        return 2;
    if (step > 0)
        return hi <= lo ? 0 : hi - lo <= step ? 1 : 2;
    return hi >= lo ? 0 : lo - hi <= -step ? 1 : 2;
}

static Stmt *simplify_loop(Simplify *k, Stmt *s)
{
    Low *l = k->l;
    int n = simplify_times(l->p, s);
    if (n == 0 || !s->loop.body)
        return NULL;
    if (n > 1 || stmt_leaves(s->loop.body))
        return s;
    uint32_t v = s->loop.var[0];
    LowNew only = {v, x_cast(l->p, (enum Dtype)l->p->var[v].dt, s->loop.lo[0])};
    low_vars(l, s->loop.body, &only, 1);
    return s->loop.body;
}

/* Branches -------------------------------------------------------------- */

/* An ExTest; ud: the Prog.  What other threads take part in. */
static bool simplify_calls_threads(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xcall && intr_fleeting(x->sym);
}

/* Block s, or NULL when it gives values names and does nothing with them. */
static Stmt *simplify_used(Low *l, Stmt *s)
{
    const Stmt *k = s;
    while (k && k->kind == Slet &&
           !ex_any(l->p, l->p->var[k->let.var].value, simplify_calls_threads, l->p))
        k = k->next;
    return k ? s : NULL;
}

static Stmt *simplify_if(Simplify *k, Stmt *s)
{
    Prog *p = k->l->p;
    int64_t v;
    if (x_isint(p, s->cond.cond, &v))
        return v ? s->cond.then : s->cond.els;
    s->cond.then = simplify_used(k->l, s->cond.then);
    s->cond.els = simplify_used(k->l, s->cond.els);
    if (!s->cond.then && !s->cond.els)
        return NULL;
    if (!s->cond.then) {
        s->cond.cond = x_un(p, Xnot, s->cond.cond);
        s->cond.then = s->cond.els;
        s->cond.els = NULL;
    }
    return s;
}

static void simplify_nested(Simplify *k, Stmt *s)
{
    Stmt **b[2];
    int mark = k->n;
    int64_t threads = k->threads;
    for (int i = 0, n = low_blocks(s, b); i < n; i++) {
        if (s->kind == Sif)
            simplify_know(k, i ? x_un(k->l->p, Xnot, s->cond.cond) : s->cond.cond);
        simplify_block(k, b[i]);
        k->n = mark;
        k->threads = threads;
    }
}

static Stmt *simplify_statement(Simplify *k, Stmt *s)
{
    int64_t v;
    low_map_own(k->l, s, simplify_decide, k);
    if (s->kind == Sif && x_isint(k->l->p, s->cond.cond, &v)) {
        Stmt *taken = v ? s->cond.then : s->cond.els;
        simplify_block(k, &taken);
        return taken;
    }
    simplify_nested(k, s);
    switch ((enum StmtKind)s->kind) {
    case Sif: return simplify_if(k, s);
    case Sfor: return simplify_loop(k, s);
    case Srole: return s->role.body ? s : NULL;
    default: return s;
    }
}

/* Two ifs side by side on a condition that nothing between them can change, and
 * that all threads agree on: a barrier may have to stand between the two. */
static bool joins(const Low *l, const Stmt *a, const Stmt *b)
{
    return a && b && a->kind == Sif && b->kind == Sif && a->cond.cond == b->cond.cond &&
           x_pure(l->p, a->cond.cond) && low_uniform(l, a->cond.cond);
}

static void simplify_join(Low *l, Stmt *s)
{
    for (; s; s = s->next)
        while (joins(l, s, s->next)) {
            Stmt *b = s->next;
            s->cond.then = low_append(s->cond.then, b->cond.then);
            s->cond.els = low_append(s->cond.els, b->cond.els);
            s->next = b->next;
            simplify_join(l, s->cond.then);
            simplify_join(l, s->cond.els);
        }
}

static void simplify_block(Simplify *k, Stmt **at)
{
    Stmt **head = at;
    while (*at) {
        Stmt *s = *at, *next = s->next;
        s->next = NULL;
        *at = simplify_statement(k, s);
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
    simplify_join(k->l, *head);
}

/* Names for parts of indices ---------------------------------------------- */

enum { MaxParts = 64, MaxNames = 6, Often = 5 };

typedef struct IndexPart { Ex e; int uses; } IndexPart;

typedef struct CommonParts CommonParts;
struct CommonParts {
    Low *l;
    uint32_t tid; /* the variable that numbers the threads here */
    IndexPart part[MaxParts];
    int n;
    Ex from, to; /* while one is replaced */
};

/* Other than the thread's number and constants. */
static bool not_thread(void *ud, Ex e)
{
    const CommonParts *k = ud;
    const Expr *x = ex_at(k->l->p, e);
    return x->op == Xload || x->op == Xcall || (x->op == Xvar && x->sym != k->tid);
}

/* Counts the largest quotients and remainders of the thread's number. */
static ExGo count_quotients(void *ud, Ex e)
{
    CommonParts *k = ud;
    Expr x = *ex_at(k->l->p, e);
    if ((x.op != Xfdiv && x.op != Xfmod) || ex_any(k->l->p, e, not_thread, k))
        return EXinto;
    int i = 0;
    while (i < k->n && k->part[i].e != e)
        i++;
    if (i == k->n && k->n < MaxParts)
        k->part[k->n++] = (IndexPart){e, 0};
    if (i < k->n)
        k->part[i].uses++;
    return EXskip;
}

static bool count_stmt(Stmt *s, void *ud)
{
    CommonParts *k = ud;
    return stmt_ex_walk(k->l->p, s, count_quotients, k);
}

static Ex simplify_replace(Low *l, Ex e, void *ud)
{
    const CommonParts *k = ud;
    (void)l;
    return e == k->from ? k->to : e;
}

static const char *simplify_part_name(const CommonParts *k, Ex e)
{
    Low *l = k->l;
    Expr x = *ex_at(l->p, e);
    Ex tid = x_var(l->p, k->tid);
    int64_t n;
    if (e == low_mod(l, tid, l->m->warp))
        return "lane";
    if (e == low_div(l, tid, l->m->warp))
        return "warp";
    if (x.arg[0] != tid || !x_isint(l->p, x.arg[1], &n))
        return "t";
    return afmt(&l->p->ctx, x.op == Xfdiv ? "t_div%lld" : "t_mod%lld", (long long)n);
}

/* Gives the part that is used most in the block at *at a name, declared there;
 * false: none is used often. */
static bool name_one(Low *l, uint32_t tid, Stmt **at)
{
    CommonParts k = {.l = l, .tid = tid};
    int best = -1;
    stmt_walk(*at, count_stmt, &k);
    for (int i = 0; i < k.n; i++)
        if (best < 0 || k.part[i].uses > k.part[best].uses)
            best = i;
    if (best < 0 || k.part[best].uses < Often)
        return false;
    low_begin(l, (*at)->loc);
    k.from = k.part[best].e;
    k.to = x_var(l->p, s_let(l->p, simplify_part_name(&k, k.from), k.from));
    Stmt *let = low_end(l);
    low_map(l, *at, simplify_replace, &k);
    *at = low_append(let, *at);
    return true;
}

/* What follows the let of var, at *at or inside. */
static Stmt **behind_let(Stmt **at, uint32_t var)
{
    Stmt **b[2], **found = NULL;
    for (; *at && !found; at = &(*at)->next) {
        if ((*at)->kind == Slet && (*at)->let.var == var)
            return &(*at)->next;
        for (int i = 0, n = low_blocks(*at, b); i < n && !found; i++)
            found = behind_let(b[i], var);
    }
    return found;
}

/* Producers and consumers count their threads by a let of their own. */
static void name_parts(Low *l)
{
    Stmt **body = &l->launch->launch.body;
    uint32_t tid = l->launch->launch.thread[0];
    Stmt **own = l->tid == tid ? NULL : behind_let(body, l->tid);
    for (int i = 0; own && *own && i < MaxNames && name_one(l, l->tid, own); i++)
        ;
    for (int i = 0; *body && i < MaxNames && name_one(l, tid, body); i++)
        ;
}

void low_simplify(Low *l)
{
    Simplify k = {.l = l, .threads = l->total};
    simplify_block(&k, &l->launch->launch.body);
    name_parts(l);
}
