/* core/lower/flatten/listed.c: the body of a pipelined loop whose statements the user gave an order
 * and stages, so that each entry of the lists still finds its statement when passes have made
 * several of it: each stands in a block of its own until the pipeline is cut (pipe/plan.c).
 *
 *     for k in pipelined(n) stage=[0, 1, 1] do          alloc v: var float32[1]
 *       copy A[k, ..] -> s                              for k in pipelined(n) stage=[0, 1, 1] do
 *       let v = s[0]                                      if true then copy A[k, ..] -> s end
 *       C[k] = v * 2                         becomes      if true then v[0] = s[0] end
 *     end                                                 if true then C[k] = v[0] * 2 end
 *                                                       end
 *
 * A name for what the loop changes is such a statement (stmt_listed), and a variable, since another
 * stage may ask for it; other names take no place in the lists: their values stand for them. */
#include "core/ir/effects.h"
#include "flatten.h"
#include "err/pipes.h"

typedef struct ListedBody ListedBody;
struct ListedBody {
    Low *l;
    Stmt *before;                   /* allocations, for in front of the loop */
    LowNew *name; uint32_t n, cap;  /* what stands for names of the body */
    uint32_t *counts, mine;         /* of each Var: it is a name that the lists count */
};

static void listed_stands_for(ListedBody *b, uint32_t v, Ex value)
{
    agrow(&b->l->p->ctx, &b->name, &b->cap, b->n + 1, sizeof *b->name);
    b->name[b->n++] = (LowNew){v, value};
}

/* `value` goes to a variable, which stands for the name v from here on. */
static Stmt *listed_named(ListedBody *b, uint32_t v, Ex value, Loc loc)
{
    Low *l = b->l;
    Prog *p = l->p;
    Ex one = low_i(l, 1), zero = low_i(l, 0);
    uint32_t k = p_buf(p, SCvar, (enum Dtype)p->var[v].dt, p->var[v].name, &one, NULL, 1);
    p->buf[k].loc = loc;
    b->before = low_append(b->before, low_alloc(l, k, loc));
    Stmt *s = low_store(l, k, &zero, value);
    s->loc = loc;
    listed_stands_for(b, v, x_load(p, k, &zero, 1));
    return s;
}

/* What statement s, alone, becomes; NULL: it takes no place. */
static Stmt *listed_one(ListedBody *b, Stmt *s)
{
    Prog *p = b->l->p;
    low_vars(b->l, s, b->name, (int)b->n);
    if (s->kind == Salloc) {
        b->before = low_append(b->before, s);
        return NULL;
    }
    if (s->kind == Slet && b->counts[s->let.var] == b->mine)
        return listed_named(b, s->let.var, p->var[s->let.var].value, s->loc);
    if (s->kind == Slet) {
        listed_stands_for(b, s->let.var, p->var[s->let.var].value);
        return NULL;
    }
    if (s->kind == Satomic && s->atomic.prev)
        s->next = listed_named(b, s->atomic.prev, x_var(p, s->atomic.prev), s->loc);
    return s;
}

/* Can its statements be told apart? */
static bool listed_apart(Low *l, const Stmt *loop)
{
    if (stmt_leaves(loop->loop.body)) {
        diag(&l->p->ctx, E_pipe_jump, loop->loc, NULL);
        return false;
    }
    for (const Stmt *s = loop->loop.body; s; s = s->next)
        if (s->kind == Salloc && s->alloc.init) {
            low_note(l, E_pipe_binding, loop, l->p->buf[s->alloc.buf].name);
            return false;
        }
    return true;
}

static Stmt *listed_loop(Low *l, Stmt *s, bool *into, void *ud)
{
    (void)into, (void)ud;
    if (s->kind != Sfor || s->loop.kind != Fpipelined || !(s->loop.norder || s->loop.nstage))
        return s;
    if (!listed_apart(l, s)) {
        low_serial(s);
        return s;
    }
    ListedBody b = {.l = l};
    b.counts = low_marks(l, &b.mine);
    for (const Stmt *k = s->loop.body; k; k = k->next)
        if (k->kind == Slet && stmt_listed(l->p, s, k))
            b.counts[k->let.var] = b.mine;
    Stmt *body = NULL;
    for (Stmt *k = s->loop.body, *next; k; k = next) {
        next = k->next;
        k->next = NULL;
        Loc loc = k->loc;
        Stmt *one = listed_one(&b, k);
        if (!one)
            continue;
        Stmt *block = anew(&l->p->ctx, sizeof *block);
        block->kind = Sif;
        block->loc = loc;
        block->cond.cond = x_int(l->p, DTbool, 1);
        block->cond.then = one;
        body = low_append(body, block);
    }
    s->loop.body = body;
    return low_append(b.before, s);
}

void flat_listed(Low *l) { low_rewrite(l, &l->launch->launch.body, listed_loop, NULL); }
