/* targets/cpu/tests.c: tests in front of a loop nest.
 *
 * Where one comparison proves all accesses of a nest, the nest is printed
 * twice, once under the tests without guards and once with them.  A test is
 * about an expression that can be evaluated in front of the nest: the extreme
 * of an index over the nest's loops.  It is that comparison that is known to
 * hold inside, not the accesses that it was made for: each asks again, with
 * what the conditions around it say. */
#include "emit.h"

static bool not_yet(void *ud, Ex e)
{
    const Gen *g = ud;
    const Expr *x = ex_at(g->p, e);
    return x->op == Xload || x->op == Xcall || (x->op == Xvar && !g->name[x->sym]);
}

/* Whether e can be evaluated where the nest begins. */
static bool known_now(Gen *g, Ex e) { return !ex_any(g->p, e, not_yet, g); }

static bool same_test(const Test *a, const Test *b)
{
    return a->bound == b->bound && a->upper == b->upper && (!a->upper || a->extent == b->extent);
}

static void add_test(Gen *g, Tests *t, const Test *one)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (same_test(&t->t[i], one))
            return;
    agrow(g->c, &t->t, &t->cap, t->n + 1, sizeof *t->t);
    t->t[t->n++] = *one;
}

/* Tests for both ends of an index.  One end alone is worth testing where the
 * index cannot wrap. */
static void tests_want(Gen *g, Tests *t, Ex index, Ex extent)
{
    Test one[2];
    bool need[2], can[2], already;
    for (int up = 0; up < 2; up++) {
        need[up] = !in_range(g, index, extent, up);
        can[up] = false;
        if (test_for(g, index, extent, up, &one[up], &already)) {
            room(g);
            can[up] = already || (known_now(g, one[up].bound) && known_now(g, extent));
            need[up] = need[up] && !already;
            one[up].extent = already ? 0 : extent;
        }
    }
    if (!is_exact(g, index)) {
        if (!can[0] || !can[1] || (!need[0] && !need[1]))
            return;
        need[0] = need[1] = true;
    }
    for (int up = 0; up < 2; up++)
        if (need[up] && can[up] && one[up].extent)
            add_test(g, t, &one[up]);
}

static void want_access(Gen *g, Tests *t, uint32_t buf, const Ex *idx)
{
    for (int d = 0; d < g->p->buf[buf].ndim; d++)
        tests_want(g, t, idx[d], g->p->buf[buf].shape[d]);
}

static void want_loads(Gen *g, Tests *t, Ex e)
{
    Expr x = *ex_at(g->p, e);
    if (x.op == Xload)
        want_access(g, t, x.sym, x.arg);
    for (int i = 0; i < x.n; i++) {
        bool logic = x.op == Xand || x.op == Xor, branch = i > 0 && (x.op == Xselect || logic);
        uint32_t mark = branch ? refine(g, x.arg[0], logic ? x.op == Xand : i == 1) : 0;
        want_loads(g, t, x.arg[i]);
        if (branch)
            refine_end(g, mark);
    }
}

static void want_block(Gen *g, Tests *t, Stmt *s);

static void want_stmt(Gen *g, Tests *t, Stmt *s)
{
    uint32_t mark;
    switch (s->kind) {
    case Slet: want_loads(g, t, g->p->var[s->let.var].value); break;
    case Salloc:
        if (s->alloc.init)
            want_loads(g, t, s->alloc.init);
        break;
    case Sstore:
        want_access(g, t, s->store.buf, s->store.idx);
        for (int i = 0; i < g->p->buf[s->store.buf].ndim; i++)
            want_loads(g, t, s->store.idx[i]);
        want_loads(g, t, s->store.value);
        break;
    case Sfor:
        for (int i = 0; i < s->loop.n; i++) {
            want_loads(g, t, s->loop.lo[i]);
            want_loads(g, t, s->loop.hi[i]);
        }
        want_block(g, t, s->loop.body);
        break;
    case Swhile:
        want_loads(g, t, s->whil.cond);
        want_block(g, t, s->whil.body);
        break;
    case Sif:
        want_loads(g, t, s->cond.cond);
        mark = refine(g, s->cond.cond, true);
        want_block(g, t, s->cond.then);
        refine_end(g, mark);
        mark = refine(g, s->cond.cond, false);
        want_block(g, t, s->cond.els);
        refine_end(g, mark);
        break;
    case Satomic:
        want_access(g, t, s->atomic.buf, s->atomic.idx);
        for (int i = 0; i < 4; i++)
            if (s->atomic.value[i])
                want_loads(g, t, s->atomic.value[i]);
        break;
    default: break;
    }
}

static void want_block(Gen *g, Tests *t, Stmt *s)
{
    for (; s; s = s->next)
        want_stmt(g, t, s);
}

static bool mark_loop(Stmt *s, void *ud)
{
    Gen *g = ud;
    room(g);
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        g->loop[s->loop.var[i]].nest = g->nest;
    return true;
}

void begin_tests(Gen *g) { g->nest++; }

/* s is a nest's outermost loop. */
void collect_tests(Gen *g, Stmt *s, Tests *t)
{
    Stmt *next = s->next;
    s->next = NULL;
    stmt_walk(s, mark_loop, g);
    want_stmt(g, t, s);
    s->next = next;
}

/* The whole number e in 32 bits, or 0 where it may need more. */
static Ex shortened(Gen *g, Ex e)
{
    Expr x = *ex_at(g->p, e);
    int64_t lo, hi;
    Ex a, b;
    if (!reach(g, e, &lo, &hi) || lo < INT32_MIN || hi > INT32_MAX)
        return 0;
    if (x.op == Xint)
        return x_int(g->p, DTi32, x.i);
    if (x.op == Xcast)
        return ex_type(g->p, x.arg[0]) == DTi32 ? x.arg[0] : x_cast(g->p, DTi32, e);
    if (x.op == Xselect || x.n != 2)
        return x_cast(g->p, DTi32, e);
    return (a = shortened(g, x.arg[0])) && (b = shortened(g, x.arg[1]))
               ? x_bin(g->p, (enum Xop)x.op, a, b)
               : 0;
}

void emit_whole(Gen *g, Ex e, int prec)
{
    Ex less = shortened(g, e);
    emit_expr(g, less ? less : e, prec);
}

void emit_tests(Gen *g, const Tests *t)
{
    g->early = true;
    for (uint32_t i = 0; i < t->n; i++) {
        put(g, i ? " && " : "");
        emit_whole(g, t->t[i].bound, PRrel);
        put(g, t->t[i].upper ? " < " : " >= 0");
        if (t->t[i].upper)
            emit_expr(g, t->t[i].extent, PRrel + 1);
    }
    g->early = false;
}

uint32_t hold_tests(Gen *g, const Tests *t)
{
    uint32_t mark = g->nheld;
    agrow(g->c, &g->held, &g->capheld, mark + t->n, sizeof *g->held);
    for (uint32_t i = 0; i < t->n; i++)
        g->held[g->nheld++] = t->t[i];
    return mark;
}

void drop_tests(Gen *g, uint32_t mark) { g->nheld = mark; }

bool held(const Gen *g, Ex bound, Ex extent, bool upper)
{
    Test one = {bound, extent, upper};
    for (uint32_t i = 0; i < g->nheld; i++)
        if (same_test(&g->held[i], &one))
            return true;
    return false;
}
