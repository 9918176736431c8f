/* targets/cpu/facts.c: what conditions have found true of indices.
 *
 * Under `if i < n` an access may rest on i < n.  A fact holds for the value
 * that the printed program computes, and as long as that stays the same: a
 * write to what it reads ends it, so does a loop whose body writes that, and
 * nothing is ever known of what another block may write meanwhile. */
#include "core/ir/expr.h"
#include "emit.h"

/* Writes --------------------------------------------------------------------- */

bool is_shared(const Gen *g, uint32_t buf)
{
    const StorePlace *root = &g->place[buf_root(g->p, buf)];
    return root->kind == PLpointer && root->written;
}

static bool loads_shared(void *ud, Ex e)
{
    const Gen *g = *(const Gen *const *)ud;
    const Expr *x = ex_at(g->p, e);
    return x->op == Xload && is_shared(g, x->sym);
}

bool reads_shared(const Gen *g, Ex e) { return ex_any(g->p, e, loads_shared, &g); }

static void facts_forget(Gen *g, uint32_t buf)
{
    uint32_t root = buf_root(g->p, buf);
    for (uint32_t i = 0; i < g->nproof; i++) {
        Proof *q = &g->proof[i];
        if (!q->dead && (ex_reads(g->p, q->index, root) || ex_reads(g->p, q->extent, root)))
            q->dead = true;
    }
}

static bool forget_stmt(Stmt *s, void *ud)
{
    Gen *g = ud;
    switch (s->kind) {
    case Sstore: facts_forget(g, s->store.buf); break;
    case Satomic: facts_forget(g, s->atomic.buf); break;
    case Salloc: facts_forget(g, s->alloc.buf); break;
    case Sop: {
        const char *r = opinfo[s->op.op].regions;
        for (int i = 0; r[i]; i++)
            if (s->op.r[i].buf && r[i] != 'r')
                facts_forget(g, s->op.r[i].buf);
        break;
    }
    default: break;
    }
    return true;
}

void forget_written(Gen *g, Stmt *s)
{
    Stmt *next = s->next;
    if (!g->nproof)
        return;
    s->next = NULL;
    stmt_walk(s, forget_stmt, g);
    s->next = next;
}

/* Facts ------------------------------------------------------------------------ */

static void prove(Gen *g, Ex index, Ex extent, bool upper)
{
    if (reads_shared(g, index) || reads_shared(g, extent))
        return;
    agrow(g->c, &g->proof, &g->capproof, g->nproof + 1, sizeof *g->proof);
    g->proof[g->nproof++] = (Proof){index, extent, upper, false};
}

bool assumed(const Gen *g, Ex index, Ex extent, bool upper)
{
    int64_t a, b;
    for (uint32_t i = 0; i < g->nproof; i++) {
        const Proof *q = &g->proof[i];
        if (q->dead || q->index != index || q->upper != upper)
            continue;
        if (!upper || q->extent == extent ||
            (x_isint(g->p, q->extent, &a) && x_isint(g->p, extent, &b) && a <= b))
            return true;
    }
    return false;
}

uint32_t facts_mark(const Gen *g) { return g->nproof; }

/* Under the guard of an access. */
void assume_inside(Gen *g, uint32_t buf, const Ex *idx)
{
    for (int d = 0; d < g->p->buf[buf].ndim; d++) {
        prove(g, idx[d], g->p->buf[buf].shape[d], false);
        prove(g, idx[d], g->p->buf[buf].shape[d], true);
    }
}

void facts_end(Gen *g, uint32_t mark) { g->nproof = mark; }

/* Conditions of the user --------------------------------------------------------- */

/* 0 <= k*v + c narrows v */
static void facts_narrow(Gen *g, uint32_t v, int64_t k, int64_t c)
{
    Var *var = &g->p->var[v];
    const int64_t far = (int64_t)1 << 60;
    if (k < -far || k > far || c < -far || c > far)
        return;
    agrow(g->c, &g->narrowed, &g->capnarrowed, g->nnarrowed + 1, sizeof *g->narrowed);
    g->narrowed[g->nnarrowed++] = (Narrowed){v, 0, var->lo, var->hi};
    g->ranges++;
    if (k > 0) {
        int64_t lo = -ex_floordiv(c, k);
        var->lo = lo > var->lo && lo <= var->hi ? lo : var->lo;
    } else {
        int64_t hi = ex_floordiv(c, -k);
        var->hi = hi < var->hi && hi >= var->lo ? hi : var->hi;
    }
}

/* a <= b - strict */
static void facts_learn(Gen *g, Ex a, Ex b, bool strict)
{
    Ex zero = x_int(g->p, ex_type(g->p, b), 0), most, least;
    int64_t v;
    if (class_of(ex_type(g->p, a)) != 'I')
        return;
    if (strict)
        prove(g, a, b, true);
    if (!strict && x_isint(g->p, a, &v) && v >= 0)
        prove(g, b, zero, false);
    if (strict && x_isint(g->p, a, &v) && v >= -1)
        prove(g, b, zero, false);
    if (!(most = whole_value(g, b)) || !(least = whole_value(g, a)))
        return;
    Ex rest = whole_op(g, Xsub, most, least);
    if (!rest)
        return;
    ExSum s = x_linear(g->p, rest);
    if (s.n != 1)
        return;
    Expr atom = *ex_at(g->p, s.atom[0]);
    if (atom.op == Xcast)
        atom = *ex_at(g->p, atom.arg[0]);
    if (atom.op == Xvar &&
        (g->p->var[atom.sym].kind == Vloop || g->p->var[atom.sym].kind == Vblock))
        facts_narrow(g, atom.sym, s.coef[0], s.c - strict);
}

typedef struct Learning Learning;
struct Learning { Gen *g; bool holds; };

static ExGo learn_node(void *ud, Ex cond)
{
    const Learning *k = ud;
    Expr x = *ex_at(k->g->p, cond);
    switch ((enum Xop)x.op) {
    case Xand: case Xor: return (x.op == Xand) == k->holds ? EXinto : EXskip;
    case Xnot:
        ex_walk(k->g->p, x.arg[0], learn_node, &(Learning){k->g, !k->holds});
        break;
    case Xlt: case Xle:
        if (k->holds)
            facts_learn(k->g, x.arg[0], x.arg[1], x.op == Xlt);
        else
            facts_learn(k->g, x.arg[1], x.arg[0], x.op == Xle);
        break;
    case Xeq: case Xne:
        if ((x.op == Xeq) == k->holds) {
            facts_learn(k->g, x.arg[0], x.arg[1], false);
            facts_learn(k->g, x.arg[1], x.arg[0], false);
        }
        break;
    default: break;
    }
    return EXskip;
}

uint32_t refine(Gen *g, Ex cond, bool holds)
{
    uint32_t mark = g->nnarrowed;
    g->under++;
    agrow(g->c, &g->narrowed, &g->capnarrowed, mark + 1, sizeof *g->narrowed);
    g->narrowed[g->nnarrowed++] = (Narrowed){0, g->nproof, 0, 0};
    ex_walk(g->p, cond, learn_node, &(Learning){g, holds});
    return mark;
}

void refine_end(Gen *g, uint32_t mark)
{
    g->under--;
    while (g->nnarrowed > mark) {
        Narrowed n = g->narrowed[--g->nnarrowed];
        if (n.var) {
            g->ranges++;
            g->p->var[n.var].lo = n.lo;
            g->p->var[n.var].hi = n.hi;
        } else {
            g->nproof = n.nproof;
        }
    }
}
