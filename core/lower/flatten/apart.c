/* core/lower/flatten/apart.c: fragments that single threads speak of.
 *
 * `C[tx] = f[tx]` and `if tx == 5 then C[0] = f[77] end` name elements that other
 * threads hold.  The statement that threads take, or read, differently works on a
 * copy of the fragment in shared memory instead, filled in front of it by all who come
 * there, and brought back behind it where it was written.  Where a few elements at
 * indices known before are read, those alone are fetched.  A fragment that is born
 * inside of such a statement is shared memory from the beginning.  A vectorized loop
 * around such statements counts as one, so that it stays a vector. */
#include <string.h>

#include "flatten.h"

enum { Few = 4 };

typedef struct Apart Apart;
struct Apart {
    Low *l;
    Vary *v;
    /* the statement looked at */
    uint32_t root;         /* its first fragment, 0: none */
    bool written, whole;   /* whole: by more than loads of elements */
    bool *inner;           /* of a Var: declared in it */
    Ex few[Few]; int nfew; /* loads of root; Few + 1: more, or of an index made in it */
};

/* Looking at a statement ------------------------------------------------------ */

static bool apart_declared(Stmt *s, void *ud)
{
    Apart *a = ud;
    if (s->kind == Slet)
        a->inner[s->let.var] = true;
    else if (s->kind == Satomic && s->atomic.prev)
        a->inner[s->atomic.prev] = true;
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        a->inner[s->loop.var[i]] = true;
    return true;
}

static bool reads_fragment(void *ud, Ex e)
{
    const Apart *a = ud;
    const Expr *x = ex_at(a->l->p, e);
    return x->op == Xload || x->op == Xcall || (x->op == Xvar && a->inner[x->sym]);
}

/* Is e the same in all threads, and in front of the statement? */
static bool outer_index(Apart *a, Ex e)
{
    return !ex_any(a->l->p, e, reads_fragment, a) && !vary_ex(a->v, e);
}

static void note_element(Apart *a, Ex e)
{
    const Expr *x = ex_at(a->l->p, e);
    for (int i = 0; i < a->nfew && i < Few; i++)
        if (a->few[i] == e)
            return;
    for (int d = 0; d < x->n; d++)
        if (!outer_index(a, x->arg[d]))
            a->nfew = Few;
    if (a->nfew < Few)
        a->few[a->nfew] = e;
    a->nfew++;
}

static ExGo note_load(void *ud, Ex e)
{
    Apart *a = ud;
    const Prog *p = a->l->p;
    const Expr *x = ex_at(p, e);
    if (x->op == Xload && low_fragment(p, x->sym) && (!a->root || buf_root(p, x->sym) == a->root)) {
        a->root = buf_root(p, x->sym);
        a->whole |= x->sym != a->root;
        note_element(a, e);
    }
    return EXinto;
}

static void apart_region(Apart *a, uint32_t buf, bool writes)
{
    const Prog *p = a->l->p;
    if (!low_fragment(p, buf) || (a->root && buf_root(p, buf) != a->root))
        return;
    a->root = buf_root(p, buf);
    a->whole = true;
    a->written |= writes;
}

static bool fragment_use(Stmt *s, void *ud)
{
    Apart *a = ud;
    stmt_ex_walk(a->l->p, s, note_load, a);
    if (s->kind == Sstore)
        apart_region(a, s->store.buf, true);
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        apart_region(a, s->op.r[i].buf, opinfo[s->op.op].regions[i] != 'r');
    return true;
}

/* The first fragment that s, which stands alone, or its blocks name. */
static bool first_fragment(Apart *a, Stmt *s)
{
    a->root = 0;
    a->written = a->whole = false;
    a->nfew = 0;
    a->inner = anew(&a->l->p->ctx, a->l->p->nvar + 1);
    stmt_walk(s, apart_declared, a);
    stmt_walk(s, fragment_use, a);
    return a->root != 0;
}

/* Names an element of a fragment at an index that differs between threads. */
static bool varied(void *ud, Ex e)
{
    const Apart *a = ud;
    const Expr *x = ex_at(a->l->p, e);
    for (int i = 0; x->op == Xload && low_fragment(a->l->p, x->sym) && i < x->n; i++)
        if (vary_ex(a->v, x->arg[i]))
            return true;
    return false;
}

/* Does s, by itself, mean an element of a fragment for each thread? */
static bool apart_speaks(Apart *a, const Stmt *s)
{
    const Prog *p = a->l->p;
    if (s->kind == Sop || s->kind == Srole)
        return false;
    if (stmt_any(p, s, varied, a))
        return true;
    if (s->kind == Sstore && low_fragment(p, s->store.buf)) {
        for (int d = 0; d < p->buf[s->store.buf].ndim; d++)
            if (vary_ex(a->v, s->store.idx[d]))
                return true;
        return false; /* the element's owner does it */
    }
    /* its owner would do it, with values of its own where each thread has some */
    bool effect = s->kind == Sstore || s->kind == Satomic || s->kind == Sprint || s->kind == Sassert;
    return effect && stmt_any(p, s, low_of_fragment, a->l->p) && vary_own(a->v, s);
}

/* Working on copies ------------------------------------------------------------- */

static bool born(Stmt *s, void *ud)
{
    Prog *p = ud;
    if (s->kind != Salloc || p->buf[s->alloc.buf].scope != SCfragment)
        return true;
    for (uint32_t v = s->alloc.buf; v < p->nbuf; v++)
        if (buf_root(p, v) == s->alloc.buf) {
            p->buf[v].scope = SCshared;
            p->buf[v].layout = NULL; /* it spoke of threads */
        }
    return true;
}

static Ex apart_fetched(Low *l, Ex e, void *ud)
{
    const Ex *pair = ud;
    (void)l;
    return e == pair[0] ? pair[1] : e;
}

/* The few loads in front of s, their values in place of them. */
static Stmt *hoist_loads(Apart *a, Stmt *s)
{
    Low *l = a->l;
    low_begin(l, s->loc);
    for (int i = 0; i < a->nfew; i++) {
        uint32_t v = s_let(l->p, l->p->buf[ex_at(l->p, a->few[i])->sym].name, a->few[i]);
        Ex pair[2] = {a->few[i], x_var(l->p, v)};
        low_map(l, s, apart_fetched, pair);
    }
    return low_append(low_end(l), s);
}

/* s, whose next is NULL, without fragments. */
static Stmt *without_fragments(Apart *a, Stmt *s)
{
    Stmt *pre = NULL, *post = NULL;
    stmt_walk(s, born, a->l->p);
    while (first_fragment(a, s)) {
        bool few = !a->whole && a->nfew <= Few;
        Stmt *list = few ? hoist_loads(a, s) : flat_through_shared(a->l, s, a->root, a->written);
        Stmt **at = &list;
        while (*at != s)
            at = &(*at)->next;
        *at = NULL;
        pre = low_append(pre, list);
        post = low_append(s->next, post);
        s->next = NULL;
    }
    return low_append(pre, low_append(s, post));
}

static void apart_block(Apart *a, Stmt **at);

/* Does s mean an element for each thread, by itself or in who comes to its blocks? */
static bool is_per_thread(Apart *a, const Stmt *s)
{
    bool loop = s->kind == Sfor || s->kind == Swhile;
    vary_at(a->v, s);
    return flat_ragged(a->l, s) || (loop && vary_loop(a->v, s)) ||
           (s->kind == Sif && vary_ex(a->v, s->cond.cond)) || apart_speaks(a, s);
}

static bool apart_alike(Stmt *s, void *ud) { return !is_per_thread(ud, s); }

static Stmt *apart_statement(Apart *a, Stmt *s)
{
    Stmt **b[2];
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        return s;
    bool vector = s->kind == Sfor && s->loop.kind == Fvectorized; /* stays one: taken as a whole */
    if (is_per_thread(a, s) || (vector && !stmt_walk(s->loop.body, apart_alike, a)))
        return without_fragments(a, s);
    for (int i = 0, n = low_blocks(s, b); i < n; i++)
        apart_block(a, b[i]);
    return s;
}

static void apart_block(Apart *a, Stmt **at)
{
    while (*at) {
        Stmt *s = *at, *next = s->next;
        s->next = NULL;
        *at = apart_statement(a, s);
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}

static bool apart_no_fragment(Stmt *s, void *ud)
{
    return s->kind != Salloc || !low_fragment(ud, s->alloc.buf);
}

void flat_apart(Low *l)
{
    Apart a = {.l = l};
    if (stmt_walk(l->launch->launch.body, apart_no_fragment, l->p))
        return;
    a.v = vary_look(l, VaryTiles, NULL, NULL);
    apart_block(&a, &l->launch->launch.body);
}
