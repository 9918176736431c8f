/* core/lower/flatten/alike.c: what the threads share out has to be alike in all of them.
 *
 * A parallel loop gives its iterations, and an operation on a tile its elements, to threads of its
 * own choice.  Where a place, a value or a condition in it differs between threads, what comes out
 * depends on that choice, which is no program's meaning: an error.  This looks at what flat_ranges
 * left: ranges of threads are roles, and within a role what differs outside of it is alike.
 *
 * Let be: what each thread keeps for itself; copies and fills that every thread does by
 * itself (own.c); and sums in places of the thread's own (a histogram for each warp), which are
 * the same in total whoever does what.
 *
 * Values are followed in the order of execution.  Of each it is known between which neighbouring
 * threads it may differ, its steps: tid // 32 steps at 32, 64, ..; a variable that threads 0 to
 * 127 alone have set, at 128.  A short private array has steps for each element:
 *
 *     l[0] = tid       steps of l[0]: all
 *     l[1] = 4         of l[1]: none, it may be used in a parallel loop
 *     l[n] = tid       of both: all */
#include <string.h>

#include "alike.h"
#include "core/ir/effects.h"
#include "core/ir/walk.h"

enum {
    MostElements = 32,  /* of an array that are known apart */
    MostSlots = 128,    /* ... of all arrays */
    MostRounds = 32     /* of loops around that are gone through one by one */
};

/* In the order of execution ------------------------------------------------------ */

static void alike_block(Alike *a, const Stmt *s, const Steps *div);

/* Elements of private arrays get a value with these steps; all: each of them does. */
static void private_gets(Alike *a, Part k, const Steps *value, const Steps *div, bool all)
{
    for (uint32_t i = k.first; i < k.first + k.n; i++) {
        Steps *s = alike_slot(a, i);
        a->kept[i] = true;
        for (int t = a->lo + 1; all && t < a->hi; t++)
            s[t / 64] &= ~((Steps)1 << t % 64);
        for (int t = a->lo + 1; t < a->hi; t++)
            if (steps_at(value, t) || steps_at(div, t))
                steps_put(s, t);
        if (a->lo > 0)
            steps_put(s, a->lo);
        if (a->hi < a->l->total)
            steps_put(s, a->hi);
    }
}

static int64_t alike_elements(const Prog *p, uint32_t buf)
{
    int64_t n, all = 1;
    for (int d = 0; d < p->buf[buf].ndim; d++)
        if (!x_isint(p, p->buf[buf].shape[d], &n) || n < 1 || (all *= n) > MostElements)
            return 0;
    return all;
}

/* Is the part that an access is to known to be one element of it? */
static bool one_element(const Alike *a, uint32_t buf, Part k)
{
    uint32_t root = buf_root(a->l->p, buf);
    return k.n == 1 && (a->count[root] > 1 || alike_elements(a->l->p, root) == 1);
}

/* Does the block do this atomic once, and hand out what was there before (once.c)? */
static bool alike_once(const Alike *a, const Stmt *s)
{
    return !a->parloop && !a->apart && !vary_own(&a->vary, s);
}

/* What s itself leaves in private arrays and variables. */
static void private_leaves(Alike *a, const Stmt *s, const Steps *div)
{
    const Prog *p = a->l->p;
    Steps *value = steps_none(a);
    bool all;
    alike_add_all(a, value, s);
    if (s->kind == Sstore) {
        Part k = alike_element(a, s->store.buf, s->store.idx);
        private_gets(a, k, value, div, one_element(a, s->store.buf, k));
    } else if (s->kind == Salloc) {
        private_gets(a, alike_whole(a, s->alloc.buf), value, div, true);
    } else if (s->kind == Slet) {
        alike_add(a, alike_var(a, s->let.var), p->var[s->let.var].value, 0);
    } else if (s->kind == Satomic && s->atomic.prev) {
        if (!a->parloop && !alike_once(a, s))
            steps_every(a, value, 1);
        steps_join(a, value, div);
        steps_join(a, alike_var(a, s->atomic.prev), value);
    } else if (s->kind == Sop) {
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (opinfo[s->op.op].regions[i] == 'r')
                alike_join(a, value, alike_region(a, &s->op.r[i], &all));
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (opinfo[s->op.op].regions[i] != 'r') {
                Part k = alike_region(a, &s->op.r[i], &all);
                private_gets(a, k, value, div, all && opinfo[s->op.op].regions[i] == 'w');
            }
    }
}

static size_t alike_size(const Alike *a) { return (size_t)a->nslot * a->words; }

static Steps *alike_copy(const Alike *a, const Steps *from)
{
    Steps *to = anew(&a->l->p->ctx, (alike_size(a) + 1) * sizeof *to);
    return memcpy(to, from, alike_size(a) * sizeof *to);
}

/* Adds what is in from to to; is that more than there was? */
static bool alike_merge(const Alike *a, Steps *to, const Steps *from)
{
    bool more = false;
    for (size_t i = 0; i < alike_size(a); i++) {
        more |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return more;
}

/* Both branches from the same values; behind them what either left. */
static void branches(Alike *a, const Stmt *s, const Steps *div)
{
    Steps *before = alike_copy(a, a->now), *then;
    alike_block(a, s->cond.then, div);
    then = a->now;
    a->now = before;
    alike_block(a, s->cond.els, div);
    alike_merge(a, a->now, then);
}

/* Once or more times or never, until no value differs in more threads than it did.  A round
 * ends at its end, or with what was there where it was left. */
static void alike_again(Alike *a, const Stmt *body, const Steps *div)
{
    Steps *outer = a->left, *head;
    do {
        head = alike_copy(a, a->now);
        a->left = alike_copy(a, a->now);
        alike_block(a, body, div);
        alike_merge(a, a->now, a->left);
    } while (alike_merge(a, head, a->now));
    a->left = outer;
}

/* The rounds of a serial loop, where they are known and few and none is left early. */
static int64_t alike_few_rounds(const Alike *a, const Stmt *s)
{
    const Prog *p = a->l->p;
    int64_t lo, hi, step = 1;
    if (s->kind != Sfor || s->loop.n != 1 || stmt_leaves(s->loop.body) ||
        (s->loop.kind != Fserial && s->loop.kind != Funroll && s->loop.kind != Fvectorized) ||
        !x_isint(p, s->loop.lo[0], &lo) || !x_isint(p, s->loop.hi[0], &hi) || lo >= hi ||
        (s->loop.step && (!x_isint(p, s->loop.step, &step) || step < 1)))
        return 0;
    int64_t n = (hi - lo + step - 1) / step;
    return n <= MostRounds / a->rounds ? n : 0;
}

typedef struct Which { const Alike *a; bool yes; } Which;

/* Does s store in one element of several? */
static bool picks(Stmt *s, void *ud)
{
    Which *k = ud;
    k->yes |= s->kind == Sstore && alike_whole(k->a, s->store.buf).n > 1;
    return !k->yes;
}

/* One round after the other: `for k = 0, 3 do l[k] = 0 end` leaves nothing as it was in l. */
static void one_by_one(Alike *a, const Stmt *s, const Steps *div, int64_t n)
{
    int64_t lo = 0, step = 1;
    int outer = a->rounds;
    x_isint(a->l->p, s->loop.lo[0], &lo);
    if (s->loop.step)
        x_isint(a->l->p, s->loop.step, &step);
    a->rounds *= (int)n;
    for (int64_t i = 0; i < n; i++) {
        eval_bind(&a->ev, s->loop.var[0], lo + i * step);
        alike_block(a, s->loop.body, div);
    }
    eval_free(&a->ev, s->loop.var[0]);
    a->rounds = outer;
}

/* In a loop that some leave early under conditions that differ, they stay away from the rest. */
static void leaving(Alike *a, const Stmt *s, Steps *div)
{
    Stmt *b[2];
    for (; s; s = s->next)
        if (s->kind == Sif && (stmt_leaves(s->cond.then) || stmt_leaves(s->cond.els))) {
            alike_add(a, div, s->cond.cond, 0);
            if (alike_differs(a, s->cond.cond, 0)) {
                a->within = s;
                a->cond = s->cond.cond;
            }
            for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
                leaving(a, b[i], div);
        }
}

/* A private array that an iteration sets begins anew in it: threads have in common what
 * earlier ones left there. */
static bool reset_private(Stmt *s, void *ud)
{
    Alike *a = ud;
    if (s->kind != Sstore || alike_elements(a->l->p, s->store.buf) == 1)
        return true;
    Part k = alike_element(a, s->store.buf, s->store.idx);
    for (uint32_t i = 0; i < k.n; i++)
        memset(alike_slot(a, k.first + i), 0, a->words * sizeof(Steps));
    return true;
}

/* The iterations of a parallel loop, by whom they are done; afterwards each thread has what its own
 * left. */
static void alike_parloop(Alike *a, const Stmt *s, const Steps *div)
{
    int n = a->naround;
    bool *outer = a->kept;
    for (int i = 0; i < s->loop.n && a->naround < MostAround; i++)
        a->around[a->naround++] = s->loop.var[i];
    a->kept = anew(&a->l->p->ctx, a->nslot + 1);
    stmt_walk(s->loop.body, reset_private, a);
    a->parloop++;
    alike_again(a, s->loop.body, div);
    a->parloop--;
    a->naround = n;
    for (uint32_t k = 1; k <= a->nslot; k++)
        for (int t = a->lo + 1; a->kept[k] && !a->parloop && t < a->hi; t++)
            steps_put(alike_slot(a, k), t);
    for (uint32_t k = 1; k <= a->nslot; k++)
        outer[k] |= a->kept[k];
    a->kept = outer;
}

static void alike_loop(Alike *a, const Stmt *s, Steps *div)
{
    const Stmt *body = s->kind == Swhile ? s->whil.body : s->loop.body;
    Steps *rounds = steps_none(a);
    alike_add_all(a, rounds, s);
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        steps_join(a, alike_var(a, s->loop.var[i]), rounds);
    if (stmt_leaves(body))
        leaving(a, body, rounds);
    steps_join(a, div, rounds);
    Which k = {a, false};
    int64_t n = alike_few_rounds(a, s);
    a->div = div;
    if (n)
        stmt_walk(s->loop.body, picks, &k);
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        alike_parloop(a, s, div);
    else if (k.yes)
        one_by_one(a, s, div, n);
    else
        alike_again(a, body, div);
}

static Ex loop_bound(const Stmt *s)
{
    if (s->kind == Sif)
        return s->cond.cond;
    if (s->kind == Swhile)
        return s->whil.cond;
    return 0;
}

/* What is inside of s. */
static void alike_nested(Alike *a, const Stmt *s, const Steps *around)
{
    Steps *div = steps_none(a);
    const Stmt *within = a->within;
    Ex cond = a->cond;
    bool apart = a->apart;
    First k = {a, loop_bound(s)};
    steps_join(a, div, around);
    if (!k.e || !alike_differs(a, k.e, 0))
        stmt_exprs(a->l->p, s, alike_first, &k);
    a->within = k.e ? s : within;
    a->cond = k.e ? k.e : cond;
    a->apart |= s->kind == Sif ? vary_ex(&a->vary, s->cond.cond)
                               : s->kind != Srole && vary_loop(&a->vary, s);
    VaryPart was = vary_enter(&a->vary, s);
    if (s->kind == Sif) {
        alike_add(a, div, s->cond.cond, 0);
        branches(a, s, div);
    } else if (s->kind == Srole) {
        int lo = a->lo, hi = a->hi;
        a->lo = s->role.lo;
        a->hi = s->role.hi;
        alike_block(a, s->role.body, div);
        a->lo = lo;
        a->hi = hi;
    } else {
        alike_loop(a, s, div);
    }
    vary_leave(&a->vary, was);
    a->within = within;
    a->cond = cond;
    a->apart = apart;
}

static void alike_block(Alike *a, const Stmt *s, const Steps *div)
{
    for (; s; s = s->next) {
        a->div = div;
        if (a->parloop && s->kind == Sstore)
            alike_store(a, s, div);
        else if (a->parloop && s->kind == Satomic)
            alike_atomic(a, s, div);
        else if (s->kind == Sop)
            alike_tile(a, s);
        if (s->kind == Sfor || s->kind == Swhile || s->kind == Sif || s->kind == Srole)
            alike_nested(a, s, div);
        else if (s->kind == Sbreak || s->kind == Scontinue)
            alike_merge(a, a->left, a->now);
        else
            private_leaves(a, s, div);
    }
}

/* -------------------------------------------------------------------------------- */

static bool alike_of_thread(void *ud, Ex e)
{
    const Low *l = ud;
    const Expr *x = ex_at(l->p, e);
    return (x->op == Xvar && x->sym == l->tid) || (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

static bool names_no_thread(Stmt *s, void *ud)
{
    const Low *l = ud;
    return s->kind != Srole && !stmt_any(l->p, s, alike_of_thread, ud);
}

void flat_alike(Low *l)
{
    Prog *p = l->p;
    Alike a = {.l = l, .hi = l->total, .words = (uint32_t)l->total / 64 + 1, .rounds = 1};
    if (stmt_walk(l->launch->launch.body, names_no_thread, l))
        return;
    a.slot = anew(&p->ctx, p->nbuf * sizeof *a.slot);
    a.count = anew(&p->ctx, p->nbuf * sizeof *a.count);
    for (uint32_t i = 1; i < p->nbuf; i++)
        if (flat_private(p, i) && buf_root(p, i) == i) {
            int64_t n = alike_elements(p, i);
            a.slot[i] = a.nslot + 1;
            a.count[i] = n && a.nslot + n <= MostSlots ? (uint32_t)n : 1;
            a.nslot += a.count[i];
        }
    a.now = anew(&p->ctx, ((size_t)a.nslot * a.words + 1) * sizeof *a.now);
    a.var = anew(&p->ctx, (size_t)p->nvar * a.words * sizeof *a.var);
    a.kept = anew(&p->ctx, a.nslot + 1);
    a.each = flat_own(l);
    vary_init(&a.vary, l);
    eval_init(&a.ev, p, l->tid, l->total);
    alike_block(&a, l->launch->launch.body, steps_none(&a));
}
