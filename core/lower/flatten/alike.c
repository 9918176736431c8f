/* core/lower/flatten/alike.c: what the threads share out has to be alike in all of them.
 *
 * A nest gives its iterations, and an operation on a tile its elements, to threads of its own
 * choice.  Where a place, a value or a condition in it differs between threads, what comes out
 * depends on that choice, which is no program's meaning: an error.  This looks at what flat_ranges
 * left: ranges of threads are roles, and within a role what differs outside of it is alike.
 *
 * Let be: what each thread keeps for itself; copies and fills that every thread does by
 * itself (own.c); and sums in places of the thread's own (a histogram for each warp), which are
 * the same in total whoever does what.
 *
 * Values are followed in the order of execution.  Of each it is known between which neighbouring
 * threads it may differ, its steps: tid // 32 steps at 32, 64, ..; a variable that threads 0 to
 * 127 alone have set, at 128. */
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "err/kernel.h"
#include "flatten.h"

/* Bit t: thread t's value may not be thread t - 1's.  Alike.words words. */
typedef uint64_t Steps;

enum { MostAround = 4 * MaxLoop };

typedef struct Alike Alike;
struct Alike {
    Low *l;
    Eval ev;
    uint32_t words;
    uint32_t *slot, nslot;   /* of a private root: its place in now, from 1 */
    Steps *now, *var;        /* of private arrays, where we are; of variables */
    bool *kept;              /* by slot: stored in since the nest began */
    bool *each;              /* flat_own()'s */
    int lo, hi;              /* the threads that come to where we are */
    int nest;                /* depth: inside of a nest */
    int jumps;               /* loops around that some iterations leave */
    uint32_t around[MostAround]; int naround; /* the nest's variables */
    const Stmt *within;      /* the condition or loop in the nest that differs, or NULL */
    Ex cond;                 /* ... what differs of it */
};

/* Steps -------------------------------------------------------------------- */

static Steps *none(const Alike *a) { return anew(&a->l->p->ctx, a->words * sizeof(Steps)); }

static void step(Steps *s, int t) { s[t / 64] |= (Steps)1 << t % 64; }

static bool steps_at(const Steps *s, int t) { return s[t / 64] >> t % 64 & 1; }

static void join(const Alike *a, Steps *to, const Steps *from)
{
    for (uint32_t i = 0; i < a->words; i++)
        to[i] |= from[i];
}

/* At each multiple of n. */
static void every(const Alike *a, Steps *to, int n)
{
    for (int t = n; t < a->l->total; t += n)
        step(to, t);
}

/* Do the threads that are here differ? */
static bool differ(const Alike *a, const Steps *s)
{
    for (int t = a->lo + 1; t < a->hi; t++)
        if (steps_at(s, t))
            return true;
    return false;
}

static Steps *of_array(const Alike *a, uint32_t buf)
{
    uint32_t k = a->slot[buf_root(a->l->p, buf)];
    return k ? a->now + (size_t)(k - 1) * a->words : NULL;
}

static Steps *of_var(const Alike *a, uint32_t var) { return a->var + (size_t)var * a->words; }

/* Expressions ---------------------------------------------------------------- */

typedef struct Sought Sought;
struct Sought { Alike *a; Steps *to; Ex but; }; /* but: a load that does not count */

/* Where e, made of numbers and the thread's index, has another value than the thread
 * before; false: it is made of other things. */
static bool computed(Alike *a, Ex e, Steps *to)
{
    eval_reset(&a->ev);
    Lanes v = eval(&a->ev, e);
    bool boolean = ex_type(a->l->p, e) == DTbool;
    if (v.unknown || (v.v == NULL && boolean && v.one == EVmaybe))
        return false;
    for (int t = 0; v.v && boolean && t < a->l->total; t++)
        if (v.v[t] == EVmaybe)
            return false;
    for (int t = 1; v.v && t < a->l->total; t++)
        if (v.v[t] != v.v[t - 1])
            step(to, t);
    return true;
}

/* The result of an intrinsic of several threads. */
static void together(const Alike *a, uint32_t fn, Steps *to)
{
    switch ((enum Intr)fn) {
    case Icount_sync: case Iand_sync: case Ior_sync: return; /* the block's */
    case Iany_sync: case Iall_sync: case Iballot: case Iwarp_sum: case Iwarp_max: case Iwarp_min:
    case Iwarp_bitand: case Iwarp_bitor: case Iwarp_bitxor: every(a, to, a->l->m->warp); return;
    default: every(a, to, 1);
    }
}

static ExGo node(void *ud, Ex e)
{
    Sought *k = ud;
    Alike *a = k->a;
    Prog *p = a->l->p;
    Expr x = *ex_at(p, e);
    if (e == k->but)
        return EXskip;
    if (x.op == Xcall && intrinfo[x.sym].level == 'T') {
        together(a, x.sym, k->to);
        return EXskip;
    }
    if (x.op == Xload && of_array(a, x.sym))
        join(a, k->to, of_array(a, x.sym));
    if (x.op != Xload && x.n && x_uses(p, e, a->l->tid) && computed(a, e, k->to))
        return EXskip;
    if (x.op == Xvar && x.sym == a->l->tid)
        every(a, k->to, 1);
    else if (x.op == Xvar)
        join(a, k->to, of_var(a, x.sym));
    return EXinto;
}

/* Adds e's steps; of `but`, where e holds that load, none. */
static void add(Alike *a, Steps *to, Ex e, Ex but)
{
    if (e)
        ex_walk(a->l->p, e, node, &(Sought){a, to, but});
}

static bool differs(Alike *a, Ex e, Ex but)
{
    Steps *s = none(a);
    add(a, s, e, but);
    return differ(a, s);
}

typedef struct All { Alike *a; Steps *to; } All;

static bool add_one(void *ud, Ex e)
{
    All *k = ud;
    add(k->a, k->to, e, 0);
    return true;
}

/* Adds those of all expressions of s itself. */
static void add_all(Alike *a, Steps *to, const Stmt *s)
{
    stmt_exprs(a->l->p, s, add_one, &(All){a, to});
}

/* What is wrong ---------------------------------------------------------------- */

typedef struct Cause { Alike *a; Ex e; } Cause;

/* Goes down as long as it is a term or a condition that differs. */
static ExGo narrower(void *ud, Ex e)
{
    Cause *k = ud;
    enum Xop op = (enum Xop)ex_at(k->a->l->p, e)->op;
    if (!differs(k->a, e, 0))
        return EXskip;
    k->e = e;
    return op == Xcast || op == Xadd || op == Xsub || op == Xmul || op == Xselect ? EXinto : EXstop;
}

/* What makes e, which differs, do so: of a choice its condition, of a sum its term. */
static Ex cause(Alike *a, Ex e)
{
    Cause k = {a, e};
    ex_walk(a->l->p, e, narrower, &k);
    return k.e;
}

NORETURN static void refuse(Alike *a, const Stmt *s, Err err, Ex what)
{
    diag_fail(&a->l->p->ctx, err, s->loc, low_text(a->l, cause(a, what)), NULL);
}

/* The load of the element that s stores in; 0: its value has none. */
typedef struct Same { const Prog *p; const Stmt *s; Ex load; } Same;

static ExGo same_place(void *ud, Ex e)
{
    Same *k = ud;
    const Expr *x = ex_at(k->p, e);
    size_t n = k->p->buf[k->s->store.buf].ndim * sizeof(Ex);
    if (x->op == Xload && x->sym == k->s->store.buf && memcmp(x->arg, k->s->store.idx, n) == 0)
        k->load = e;
    return EXinto;
}

static Ex updates(const Alike *a, const Stmt *s)
{
    Same k = {a->l->p, s, 0};
    ex_walk(a->l->p, s->store.value, same_place, &k);
    return k.load;
}

/* Has each iteration of the nest a place of its own?  Then nothing is summed up in it. */
static bool each_its_own(const Alike *a, const Ex *idx, int nd)
{
    const Prog *p = a->l->p;
    for (int i = 0; i < a->naround; i++) {
        bool found = p->var[a->around[i]].lo == p->var[a->around[i]].hi;
        for (int d = 0; d < nd; d++) {
            ExSum s = x_linear(p, idx[d]);
            for (int k = 0; k < s.n; k++)
                found |= ex_at(p, s.atom[k])->op == Xvar && ex_at(p, s.atom[k])->sym == a->around[i];
        }
        if (!found)
            return false;
    }
    return true;
}

/* A place, by its indices, that differs: one that is added to may. */
static void place(Alike *a, const Stmt *s, const Ex *idx, int nd, bool sums)
{
    for (int d = 0; d < nd; d++)
        if (differs(a, idx[d], 0) && (!sums || each_its_own(a, idx, nd)))
            refuse(a, s, E_parallel_place, idx[d]);
}

static void conditions(Alike *a, const Stmt *s, const Steps *div)
{
    if (differ(a, div))
        refuse(a, a->within ? a->within : s, E_parallel_condition, a->cond);
}

static void store(Alike *a, const Stmt *s, const Steps *div)
{
    const Prog *p = a->l->p;
    Ex load = updates(a, s);
    bool own = flat_private(p, s->store.buf);
    if (own && !load)
        return;
    conditions(a, s, div);
    if (own)
        return;
    place(a, s, s->store.idx, p->buf[s->store.buf].ndim, load != 0);
    if (differs(a, s->store.value, load))
        refuse(a, s, E_parallel_value, s->store.value);
}

static void atomic(Alike *a, const Stmt *s, const Steps *div)
{
    if (s->atomic.kind == ATload)
        return;
    conditions(a, s, div);
    place(a, s, s->atomic.idx, a->l->p->buf[s->atomic.buf].ndim, s->atomic.kind != ATstore);
    for (int i = 0; i < s->atomic.lanes; i++)
        if (differs(a, s->atomic.value[i], 0))
            refuse(a, s, E_parallel_value, s->atomic.value[i]);
}

typedef struct First { Alike *a; Ex e; } First;

static bool first_that_differs(void *ud, Ex e)
{
    First *k = ud;
    k->e = differs(k->a, e, 0) ? e : 0;
    return !k->e;
}

/* An operation on a tile that the threads do together. */
static void tile(Alike *a, const Stmt *s)
{
    Low *l = a->l;
    const Region *r = s->op.r;
    First k = {a, 0};
    Ex why;
    if (opinfo[s->op.op].level != 'T' || s->op.op == Oprint)
        return;
    const Steps *from = s->op.op == Ocopy ? of_array(a, r[0].buf) : NULL;
    if (from && low_fragment(l->p, r[1].buf) && differ(a, from))
        diag_fail(&l->p->ctx, E_tile_thread, s->loc, op_name(l->p, Ocopy), l->p->buf[r[0].buf].name,
                  NULL);
    if (flat_by_each(l, a->each, s, &why))
        return;
    stmt_exprs(l->p, s, first_that_differs, &k);
    if (k.e)
        diag_fail(&l->p->ctx, E_tile_thread, s->loc, op_name(l->p, (enum Op)s->op.op),
                  low_text(l, cause(a, k.e)), NULL);
}

/* In the order of execution ------------------------------------------------------ */

static void block(Alike *a, const Stmt *s, const Steps *div);

/* The private array `buf` gets a value with these steps; all: it is its whole one. */
static void put(Alike *a, uint32_t buf, const Steps *value, const Steps *div, bool all)
{
    Steps *s = of_array(a, buf);
    if (!s)
        return;
    a->kept[a->slot[buf_root(a->l->p, buf)]] = true;
    for (int t = a->lo + 1; all && !a->jumps && t < a->hi; t++)
        s[t / 64] &= ~((Steps)1 << t % 64);
    for (int t = a->lo + 1; t < a->hi; t++)
        if (steps_at(value, t) || steps_at(div, t))
            step(s, t);
    if (a->lo > 0)
        step(s, a->lo);
    if (a->hi < a->l->total)
        step(s, a->hi);
}

static bool one_element(const Prog *p, uint32_t buf)
{
    int64_t n;
    for (int d = 0; d < p->buf[buf].ndim; d++)
        if (!x_isint(p, p->buf[buf].shape[d], &n) || n != 1)
            return false;
    return true;
}

/* What s itself leaves in private arrays and variables. */
static void leave(Alike *a, const Stmt *s, const Steps *div)
{
    const Prog *p = a->l->p;
    Steps *value = none(a);
    add_all(a, value, s);
    if (s->kind == Sstore) {
        put(a, s->store.buf, value, div, one_element(p, s->store.buf));
    } else if (s->kind == Salloc) {
        put(a, s->alloc.buf, value, div, true);
    } else if (s->kind == Slet) {
        add(a, of_var(a, s->let.var), p->var[s->let.var].value, 0);
    } else if (s->kind == Satomic && s->atomic.prev) {
        if (!a->nest)
            every(a, value, 1);
        join(a, value, div);
        join(a, of_var(a, s->atomic.prev), value);
    } else if (s->kind == Sop) {
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (opinfo[s->op.op].regions[i] == 'r' && of_array(a, s->op.r[i].buf))
                join(a, value, of_array(a, s->op.r[i].buf));
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (opinfo[s->op.op].regions[i] != 'r')
                put(a, s->op.r[i].buf, value, div, false);
    }
}

/* Both branches from the same values; behind them what either left. */
static void branches(Alike *a, const Stmt *s, const Steps *div)
{
    size_t n = (size_t)a->nslot * a->words;
    Steps *before = anew(&a->l->p->ctx, (n + 1) * sizeof *before), *then = NULL;
    memcpy(before, a->now, n * sizeof *before);
    block(a, s->cond.then, div);
    then = a->now;
    a->now = before;
    block(a, s->cond.els, div);
    for (size_t i = 0; i < n; i++)
        a->now[i] |= then[i];
}

/* Once or more times or never, until no value differs in more threads than it did. */
static void again(Alike *a, const Stmt *body, const Steps *div)
{
    size_t n = (size_t)a->nslot * a->words;
    Steps *head = anew(&a->l->p->ctx, (n + 1) * sizeof *head);
    bool more = true;
    a->jumps += stmt_leaves(body);
    while (more) {
        memcpy(head, a->now, n * sizeof *head);
        block(a, body, div);
        more = false;
        for (size_t i = 0; i < n; i++) {
            a->now[i] |= head[i];
            more |= a->now[i] != head[i];
        }
    }
    a->jumps -= stmt_leaves(body);
}

/* In a loop that some leave early under conditions that differ, they stay away from the rest. */
static void leaving(Alike *a, const Stmt *s, Steps *div)
{
    Stmt *b[2];
    for (; s; s = s->next)
        if (s->kind == Sif && (stmt_leaves(s->cond.then) || stmt_leaves(s->cond.els))) {
            add(a, div, s->cond.cond, 0);
            if (differs(a, s->cond.cond, 0)) {
                a->within = s;
                a->cond = s->cond.cond;
            }
            for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
                leaving(a, b[i], div);
        }
}

/* A private array that an iteration sets begins anew in it: threads have in common what
 * earlier ones left there. */
static bool begin(Stmt *s, void *ud)
{
    Alike *a = ud;
    Steps *had = s->kind == Sstore ? of_array(a, s->store.buf) : NULL;
    if (had && !one_element(a->l->p, s->store.buf))
        memset(had, 0, a->words * sizeof *had);
    return true;
}

/* The iterations of a nest, by whom they are done; afterwards each thread has what its own left. */
static void nest(Alike *a, const Stmt *s, const Steps *div)
{
    int n = a->naround;
    bool *outer = a->kept;
    for (int i = 0; i < s->loop.n && a->naround < MostAround; i++)
        a->around[a->naround++] = s->loop.var[i];
    a->kept = anew(&a->l->p->ctx, a->nslot + 1);
    stmt_walk(s->loop.body, begin, a);
    a->nest++;
    again(a, s->loop.body, div);
    a->nest--;
    a->naround = n;
    for (uint32_t k = 1; k <= a->nslot; k++)
        for (int t = a->lo + 1; a->kept[k] && !a->nest && t < a->hi; t++)
            step(a->now + (size_t)(k - 1) * a->words, t);
    for (uint32_t k = 1; k <= a->nslot; k++)
        outer[k] |= a->kept[k];
    a->kept = outer;
}

static void loop(Alike *a, const Stmt *s, Steps *div)
{
    const Stmt *body = s->kind == Swhile ? s->whil.body : s->loop.body;
    Steps *rounds = none(a);
    add_all(a, rounds, s);
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        join(a, of_var(a, s->loop.var[i]), rounds);
    if (stmt_leaves(body))
        leaving(a, body, rounds);
    join(a, div, rounds);
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        nest(a, s, div);
    else
        again(a, body, div);
}

static Ex bound(const Stmt *s)
{
    if (s->kind == Sif)
        return s->cond.cond;
    if (s->kind == Swhile)
        return s->whil.cond;
    return 0;
}

/* What is inside of s. */
static void inside(Alike *a, const Stmt *s, const Steps *around)
{
    Steps *div = none(a);
    const Stmt *within = a->within;
    Ex cond = a->cond;
    First k = {a, bound(s)};
    join(a, div, around);
    if (!k.e || !differs(a, k.e, 0))
        stmt_exprs(a->l->p, s, first_that_differs, &k);
    a->within = k.e ? s : within;
    a->cond = k.e ? k.e : cond;
    if (s->kind == Sif) {
        add(a, div, s->cond.cond, 0);
        branches(a, s, div);
    } else if (s->kind == Srole) {
        int lo = a->lo, hi = a->hi;
        a->lo = s->role.lo;
        a->hi = s->role.hi;
        block(a, s->role.body, div);
        a->lo = lo;
        a->hi = hi;
    } else {
        loop(a, s, div);
    }
    a->within = within;
    a->cond = cond;
}

static void block(Alike *a, const Stmt *s, const Steps *div)
{
    for (; s; s = s->next) {
        if (a->nest && s->kind == Sstore)
            store(a, s, div);
        else if (a->nest && s->kind == Satomic)
            atomic(a, s, div);
        else if (s->kind == Sop)
            tile(a, s);
        if (s->kind == Sfor || s->kind == Swhile || s->kind == Sif || s->kind == Srole)
            inside(a, s, div);
        else
            leave(a, s, div);
    }
}

/* -------------------------------------------------------------------------------- */

static bool of_thread(void *ud, Ex e)
{
    const Low *l = ud;
    const Expr *x = ex_at(l->p, e);
    return (x->op == Xvar && x->sym == l->tid) || (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

static bool names_no_thread(Stmt *s, void *ud)
{
    const Low *l = ud;
    return !stmt_any(l->p, s, of_thread, ud);
}

void flat_alike(Low *l)
{
    Prog *p = l->p;
    Alike a = {.l = l, .hi = l->total, .words = (uint32_t)l->total / 64 + 1};
    if (stmt_walk(l->launch->launch.body, names_no_thread, l))
        return;
    a.slot = anew(&p->ctx, p->nbuf * sizeof *a.slot);
    for (uint32_t i = 1; i < p->nbuf; i++)
        a.slot[i] = flat_private(p, i) && buf_root(p, i) == i ? ++a.nslot : 0;
    a.now = anew(&p->ctx, ((size_t)a.nslot * a.words + 1) * sizeof *a.now);
    a.var = anew(&p->ctx, (size_t)p->nvar * a.words * sizeof *a.var);
    a.kept = anew(&p->ctx, a.nslot + 1);
    a.each = flat_own(l);
    eval_init(&a.ev, p, l->tid, l->total);
    block(&a, l->launch->launch.body, none(&a));
}
