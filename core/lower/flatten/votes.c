/* core/lower/flatten/votes.c: votes of the block beside loads, in an order of their own.
 *
 * T.syncthreads_count/and/or are barriers within an expression.  Whether a load that stands in the same
 * statement is done in front of it or behind it, C++ leaves open, so that no barrier in front of the
 * statement or behind it would be right for both:
 *
 *     s[tx] = s[tx] + T.syncthreads_or(A[tx] > 3)
 *
 * Here each vote and each load of such a statement becomes a let of its own, one behind the other.  What
 * a choice may leave out stays where it is: the choice as a whole becomes a let then. */
#include "flatten.h"

typedef struct Beside Beside;
struct Beside {
    Low *l;
    ExUses uses;
    Ex *root; uint32_t nroot, caproot;  /* what the statement holds */
    Ex *is; uint32_t capis;             /* is[e]: what stands for e; 0: e itself */
};

static bool beside_vote(void *ud, Ex e)
{
    const Expr *x = ex_at(ud, e);
    return x->op == Xcall && vary_collective(x->sym);
}

/* A load of what other threads may write. */
static bool beside_load(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xload && !vary_private(p, x->sym) && p->buf[buf_root(p, x->sym)].scope != SCfragment;
}

static bool beside_either(void *ud, Ex e) { return beside_vote(ud, e) || beside_load(ud, e); }

static bool beside_choice(const Prog *p, Ex e)
{
    int op = ex_at(p, e)->op;
    return op == Xselect || op == Xand || op == Xor;
}

/* Operands that a choice may leave out. */
static bool beside_arm(void *ud, Ex e, int i) { return i > 0 && beside_choice(ud, e); }
/* ... and what a vote is of: neither stands beside the others. */
static bool beside_apart(void *ud, Ex e, int i) { return beside_vote(ud, e) || beside_arm(ud, e, i); }

/* The name of the let that e becomes, NULL: none. */
static const char *beside_name(Prog *p, Ex e)
{
    return beside_vote(p, e) ? "votes" :
           beside_load(p, e) ? "loaded" :
           beside_choice(p, e) && ex_any(p, e, beside_either, p) ? "chosen" : NULL;
}

static Ex beside_root(Low *l, Ex e, void *ud)
{
    Beside *b = ud;
    agrow(&l->p->ctx, &b->root, &b->caproot, b->nroot + 1, sizeof *b->root);
    b->root[b->nroot++] = e;
    return e;
}

/* Does a vote stand beside a load, or within a choice beside anything of that kind? */
static bool beside_any(Beside *b)
{
    Prog *p = b->l->p;
    bool vote = false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->nroot; i++)
        vote |= b->root[i] && ex_any(p, b->root[i], beside_vote, p);
    if (!vote)
        return false;
    ex_shared(p, &b->uses, b->root, (int)b->nroot, beside_apart, p);
    for (uint32_t i = 0; i < b->uses.nseen; i++) {
        Ex e = b->uses.seen[i];
        n += beside_name(p, e) != NULL;
        b->uses.n[e] = 0;
    }
    return n > 1;
}

static Ex beside_now(const Beside *b, Ex e) { return e < b->capis && b->is[e] ? b->is[e] : e; }

/* e with what stands for its operands. */
static Ex beside_made(Beside *b, Ex e)
{
    Prog *p = b->l->p;
    Expr x = *ex_at(p, e);
    Ex few[8], *arg = x.n <= COUNT(few) ? few : anew(&p->ctx, x.n * sizeof *arg);
    bool changed = false;
    for (int i = 0; i < x.n; i++) {
        arg[i] = beside_arm(p, e, i) ? x.arg[i] : beside_now(b, x.arg[i]);
        changed |= arg[i] != x.arg[i];
    }
    return changed ? low_rebuild(b->l, e, arg) : e;
}

static Ex beside_put(Low *l, Ex e, void *ud)
{
    (void)l;
    return beside_now(ud, e);
}

static Stmt *beside_lets(Beside *b, Stmt *s)
{
    Low *l = b->l;
    Prog *p = l->p;
    low_begin(l, s->loc);
    ex_shared(p, &b->uses, b->root, (int)b->nroot, beside_arm, p);
    for (uint32_t i = 0; i < b->uses.nseen; i++) {
        Ex e = b->uses.seen[i], made = beside_made(b, e);
        const char *name = beside_name(p, e);
        agrow(&p->ctx, &b->is, &b->capis, e + 1, sizeof *b->is);
        b->is[e] = name ? x_var(p, s_let(p, name, made)) : made;
        b->uses.n[e] = 0;
    }
    low_wholes(l, s, beside_put, b);
    for (uint32_t i = 0; i < b->uses.nseen; i++)
        b->is[b->uses.seen[i]] = 0;
    return low_append(low_end(l), s);
}

static Stmt *beside_statement(Low *l, Stmt *s, bool *into, void *ud)
{
    Beside *b = ud;
    *into = s->kind != Sfor || s->loop.kind != Fparallel;
    if (s->kind == Sfor || s->kind == Swhile || s->kind == Sop)
        return s;
    b->nroot = 0;
    low_wholes(l, s, beside_root, b);
    return beside_any(b) ? beside_lets(b, s) : s;
}

void flat_votes(Low *l)
{
    Beside b = {.l = l};
    low_rewrite(l, &l->launch->launch.body, beside_statement, &b);
}
