/* core/lower/solve/rolled.c: serial loops that choose registers are unrolled.
 *
 *     for k in serial(0, 64) do                  for k in unroll(0, 64) do
 *       for i, j in parallel(32, 4) do             ...
 *         s[i, j] += x[i, k * 4 + j]      ->
 *
 * Registers have no addresses: left as it is, x would go through shared memory.  Whether the
 * threads hold what such a loop touches depends on the layouts, so these are found as if all
 * loops of this kind that are short, and not much text, were unrolled; where it was of no use
 * a loop goes back to what it was.  Those over what is stored stay unrolled: normal.c has made
 * their index a condition, which costs nothing then. */
#include <stdlib.h>

#include "solve.h"

enum {
    RolledRounds = 64,    /* of one loop */
    RolledText = 1024,    /* statements of one thread, when all is unrolled */
};

/* Rounds of a loop with one variable, and bounds and a step that are known; 0: another one. */
static int64_t rolled_rounds(const Prog *p, const Stmt *s)
{
    int64_t lo, hi, step = 1;
    if (s->loop.n != 1 || !x_isint(p, s->loop.lo[0], &lo) || !x_isint(p, s->loop.hi[0], &hi) ||
        (s->loop.step && !x_isint(p, s->loop.step, &step)) || llabs(lo) > INT32_MAX ||
        llabs(hi) > INT32_MAX || llabs(step) > INT32_MAX || step == 0)
        return 0;
    int64_t way = step < 0 ? lo - hi : hi - lo;
    return way < 1 ? 0 : (way - 1) / llabs(step) + 1;
}

/* The share of one thread of a parallel loop's iterations. */
static int64_t rolled_share(const Low *l, const Stmt *s)
{
    int64_t n = 1, hi;
    for (int i = 0; i < s->loop.n; i++)
        if (x_isint(l->p, s->loop.hi[i], &hi) && hi > 0 && n <= INT32_MAX / hi)
            n *= hi;
    return (n - 1) / l->threads + 1;
}

/* Statements of a thread in list, with unrolled loops written out; more than RolledText: too many,
 * or one that is not for such a loop: a copy in flight, a product, a jump out of it. */
static int64_t rolled_text(const Low *l, const Stmt *list)
{
    int64_t sum = 0;
    Stmt *b[2];
    for (const Stmt *s = list; s && sum <= RolledText; s = s->next) {
        int64_t n = 0, times = 1;
        switch ((enum StmtKind)s->kind) {
        case Slet: case Sassume: case Salloc: break;
        case Sstore: n = 1; break;
        case Satomic: n = 4; break;
        case Sif: break;
        case Sfor:
            if (s->loop.kind == Fpipelined)
                return RolledText + 1;
            if (s->loop.kind == Fparallel)
                times = rolled_share(l, s);
            else if (s->loop.kind == Funroll && s->loop.unroll != 1)
                times = rolled_rounds(l->p, s);
            break;
        case Sop:
            if (s->op.op != Oreduce)
                return RolledText + 1;
            n = 16;
            break;
        default: return RolledText + 1;
        }
        for (int i = 0, k = stmt_blocks(s, b); i < k; i++)
            n += rolled_text(l, b[i]);
        sum += times > RolledText || n > RolledText ? RolledText + 1 : times * n;
    }
    return sum;
}

typedef struct Chooses Chooses;
struct Chooses { const Prog *p; uint32_t var; };

static bool rolled_index(const Chooses *c, uint32_t buf, const Ex *idx)
{
    for (int d = 0; low_fragment(c->p, buf) && d < c->p->buf[buf].ndim; d++)
        if (x_uses(c->p, idx[d], c->var))
            return true;
    return false;
}

static bool rolled_load(void *ud, Ex e)
{
    const Chooses *c = ud;
    const Expr *x = ex_at(c->p, e);
    return x->op == Xload && rolled_index(c, x->sym, x->arg);
}

static bool rolled_elsewhere(Stmt *s, void *ud)
{
    Chooses *c = ud;
    return !(s->kind == Sstore && rolled_index(c, s->store.buf, s->store.idx)) &&
           !stmt_any(c->p, s, rolled_load, c);
}

static uint32_t rolled_var(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    while (x->op == Xcast)
        x = ex_at(p, x->arg[0]);
    return x->op == Xvar ? x->sym : 0;
}

/* Not a parallel loop that normal.c has widened over the variable:
 *     for i, v in parallel(..) do if v == k then frag[i, v] = ..
 * whose condition is decided where v is a register and k a number. */
static bool rolled_kept(Stmt *s, void *ud)
{
    const Chooses *c = ud;
    const Stmt *in = s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.body : NULL;
    if (!in || in->kind != Sif || ex_at(c->p, in->cond.cond)->op != Xeq)
        return true;
    const Expr *x = ex_at(c->p, in->cond.cond);
    uint32_t a = rolled_var(c->p, x->arg[0]), b = rolled_var(c->p, x->arg[1]), v = a == c->var ? b : a;
    bool own = false;
    for (int i = 0; i < s->loop.n; i++)
        own |= s->loop.var[i] == v;
    return !own || (a != c->var && b != c->var);
}

/* The loops of list, inner before outer. */
static void rolled_block(Solve *s, Stmt *list)
{
    Low *l = s->l;
    Stmt *b[2];
    for (Stmt *st = list; st; st = st->next) {
        if (st->kind == Sfor && st->loop.kind == Fparallel)
            continue; /* what is inside chooses when registers are known: parallel/regs.c */
        LowRole outer = low_enter(l, st);
        for (int i = 0, n = stmt_blocks(st, b); i < n; i++)
            rolled_block(s, b[i]);
        low_leave(l, outer);
        if (st->kind != Sfor || st->loop.kind != Fserial)
            continue;
        int64_t n = rolled_rounds(l->p, st);
        Chooses c = {l->p, st->loop.var[0]};
        if (n < 1 || n > RolledRounds || stmt_leaves(st->loop.body) ||
            n * rolled_text(l, st->loop.body) > RolledText)
            continue;
        if (!stmt_walk(st->loop.body, rolled_kept, &c)) {
            st->loop.kind = Funroll; /* whatever the layouts are */
            continue;
        }
        if (stmt_walk(st->loop.body, rolled_elsewhere, &c))
            continue;
        agrow(&l->p->ctx, &s->rolled, &s->caprolled, s->nrolled + 1, sizeof *s->rolled);
        s->rolled[s->nrolled++] = st;
        st->loop.kind = Funroll;
    }
}

void solve_unroll(Solve *s) { rolled_block(s, s->l->launch->launch.body); }

/* Does use u have an index with variable v? */
static bool rolled_uses(const Prog *p, const Use *u, uint32_t v)
{
    for (int d = 0; d < u->link.ndim && u->link.why == LWok; d++)
        if (u->link.dyn[d] && x_uses(p, u->link.dyn[d], v))
            return true;
    return false;
}

/* Calls f for each use with variable v until it says so. */
typedef bool RolledFn(const Solve *s, const SolveNode *n, Use *u);
static bool rolled_each(const Solve *s, uint32_t v, RolledFn *f)
{
    for (uint32_t i = 0; i < s->nnode; i++)
        for (uint32_t k = 0; k < s->node[i].nuse; k++) {
            Use *u = &s->node[i].use[k];
            if (rolled_uses(s->l->p, u, v) && f(s, &s->node[i], u))
                return true;
        }
    return false;
}

static bool rolled_agrees(const Solve *s, const SolveNode *n, Use *u)
{
    return link_agrees(s, &n->loop, n->size, &u->link, &s->frag[u->frag].map, false);
}

static bool rolled_again(const Solve *s, const SolveNode *n, Use *u)
{
    (void)s;
    (void)n;
    for (int d = 0; d < u->link.ndim; d++)
        u->link.fixed[d] = false;
    return false;
}

void solve_unrolled(Solve *s)
{
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < s->nrolled; i++) {
            Stmt *st = s->rolled[i];
            if (st->loop.kind == Fserial || rolled_each(s, st->loop.var[0], rolled_agrees))
                continue;
            st->loop.kind = Fserial;
            rolled_each(s, st->loop.var[0], rolled_again);
            any = true;
        }
    }
}
