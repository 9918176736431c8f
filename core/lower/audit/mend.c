/* core/lower/audit/mend.c: what an audit of the finished program finds is put right: a
 * barrier for all threads of the role, as near as all of them come by, and a note.
 *
 * That is our mistake, or a program's whose own barriers between threads and roles are
 * not enough; where no barrier can stand, the note alone remains. */
#include "audit.h"
#include "core/lower/pipe/pipeline.h"
#include "err/order.h"

enum {
    Limit = 1 << 19,       /* cells to look at, of one launch: some 30 ms; ir.audit() has none */
    OwnLimit = 1 << 23,    /* ... where threads wait for each other as the program says */
    MaxMends = 64          /* faults that are put right, each with an audit: more are said */
};

/* Where ------------------------------------------------------------------- */

typedef struct Path Path;
struct Path {
    Low *l;
    const Stmt *to;
    Stmt **at;             /* in front of what the barrier may stand */
    const Stmt *role;      /* the innermost around it that is a whole role */
    bool fixed;            /* not every thread comes here */
};

/* Is there a break or continue under a condition? */
static bool mend_jumps(const Stmt *s, bool inside)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        if ((s->kind == Sbreak || s->kind == Scontinue) && inside)
            return true;
        if (s->kind == Sif)
            for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
                if (mend_jumps(b[i], true))
                    return true;
    }
    return false;
}

/* Do all threads that come to s go through its blocks as often? */
static bool same_for_all(Low *l, const Stmt *s)
{
    if (s->kind == Sif)
        return low_uniform(l, s->cond.cond);
    if (s->kind == Swhile)
        return low_uniform(l, s->whil.cond) && !mend_jumps(s->whil.body, false);
    if (s->kind != Sfor)
        return true;
    if (s->loop.kind == Fvectorized || s->loop.apart || mend_jumps(s->loop.body, false) ||
        (s->loop.step && !low_uniform(l, s->loop.step)))
        return false;
    for (int i = 0; i < s->loop.n; i++)
        if (!low_uniform(l, s->loop.lo[i]) || !low_uniform(l, s->loop.hi[i]))
            return false;
    return true;
}

static bool mend_find(Path *k, Stmt **at)
{
    for (; *at; at = &(*at)->next) {
        Path outer = *k;
        Stmt *s = *at, **b[2];
        if (!k->fixed)
            k->at = at;
        if (s == k->to)
            return true;
        k->fixed |= !same_for_all(k->l, s);
        if (s->kind == Srole && !k->fixed)
            k->role = s;
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            if (mend_find(k, b[i]))
                return true;
        *k = outer;
    }
    return false;
}

static bool mend_other(Stmt *s, void *ud)
{
    const Lack *k = ud;
    return s != k->a;
}

/* Does what came first stand in role, too? */
static bool role_holds_first(const Stmt *role, Lack *k)
{
    return !stmt_walk(role->role.body, mend_other, k);
}

/* What ---------------------------------------------------------------------- */

typedef struct NamedLack { int lo, hi, id; } NamedLack;

/* The number of the barrier at which the threads of role meet already, or a new one. */
static bool mend_numbered(Stmt *s, void *ud)
{
    NamedLack *n = ud;
    if (s->kind == Sop && s->op.op == Obar_sync && s->op.attr[1] == n->hi - n->lo)
        n->id = s->op.attr[0];
    return true;
}

static Stmt *meeting(Low *l, const Stmt *role, Loc loc)
{
    if (!role)
        return low_op(l, Obar_sync, loc);
    int n = role->role.hi - role->role.lo;
    if (n == l->m->warp && role->role.lo % n == 0)
        return low_op(l, Owarp_sync, loc);
    if (!l->m->named_barriers || n % l->m->warp || role->role.lo % l->m->warp)
        return NULL;
    NamedLack k = {role->role.lo, role->role.hi, 0};
    stmt_walk(role->role.body, mend_numbered, &k);
    if (!k.id)
        k.id = low_named(l, 1);
    if (!k.id)
        return NULL;
    Stmt *s = low_op(l, Obar_sync, loc);
    s->op.attr[0] = k.id;
    s->op.attr[1] = n;
    return s;
}

/* Something in front of which what was written must be fenced. */
static bool no_order(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sop && s->kind != Scall && s->kind != Sbreak && s->kind != Scontinue;
}

/* The place behind the outermost loop or condition around s that only computes. */
static Stmt **place_behind(Stmt **at, const Stmt *s)
{
    for (; *at; at = &(*at)->next) {
        Stmt **b[2];
        if (*at == s)
            return &(*at)->next;
        for (int i = 0, n = low_blocks(*at, b); i < n; i++) {
            Stmt **in = place_behind(b[i], s);
            bool plain = (*at)->kind == Sfor || (*at)->kind == Sif;
            if (in && plain && stmt_walk(*b[i], no_order, NULL))
                return &(*at)->next;
            if (in)
                return in;
        }
    }
    return NULL;
}

/* A fence needs nobody else: the writers' own, behind what they write. */
static bool fence_behind(Low *l, const Lack *k)
{
    Stmt **at = place_behind(&l->launch->launch.body, k->a);
    if (!at || (k->a->kind == Sop && opinfo[k->a->op.op].done != 's') ||
        (*at && (*at)->kind == Sop && (*at)->op.op == Ofence_async))
        return false;
    Stmt *f = low_fence_async(l, k->a->loc);
    f->next = *at;
    *at = f;
    return true;
}

static bool mend(Low *l, Lack *k)
{
    Path to = {.l = l, .to = k->b};
    if (!mend_find(&to, &l->launch->launch.body))
        return false;
    if (to.role && !role_holds_first(to.role, k)) /* between roles nobody can meet */
        return k->fence && fence_behind(l, k);
    Loc loc = k->b->loc;
    Stmt *s = meeting(l, to.role, loc);
    if (!s)
        return false;
    if (k->fence) {
        Stmt *f = low_fence_async(l, loc);
        s = low_append(f, s);
    }
    Stmt *rest = *to.at;
    *to.at = low_append(s, rest);
    return true;
}

static void mend_say(Low *l, const Lack *k, bool mended)
{
    Ctx *c = &l->p->ctx;
    diag(c, mended ? E_order_mended : E_order_open, k->b->loc, l->p->buf[k->buf].name,
         afmt(c, "%d", (int)k->a->loc.line), k->fence ? "fence" : "barrier", NULL);
}

/* What was found, what has become of it. */
typedef struct Fault Fault;
struct Fault { Lack k; bool mended; };

typedef struct Faults Faults;
struct Faults { Fault *at; uint32_t n, cap; };

static Fault *mend_known(const Faults *f, const Lack *k)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->at[i].k.a == k->a && f->at[i].k.b == k->b)
            return &f->at[i];
    return NULL;
}

static Fault *mend_add(Low *l, Faults *all, const Lack *k)
{
    agrow(&l->p->ctx, &all->at, &all->cap, all->n + 1, sizeof *all->at);
    all->at[all->n] = (Fault){*k, false};
    return &all->at[all->n++];
}

/* One more barrier, for the first new fault that one can mend; false: there is none. */
static bool mend_one(Low *l, Faults *all, AuditFound *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        Fault *k = mend_known(all, &f->lack[i]);
        if (k) {
            k->mended = false; /* it was of no use */
            continue;
        }
        k = mend_add(l, all, &f->lack[i]);
        k->mended = mend(l, &k->k);
        if (k->mended)
            return true; /* it may do for the others, too */
    }
    return false;
}

/* T.ws, or an mbarrier of the program's own. */
static bool all_ours(Stmt *s, void *ud)
{
    Low *l = ud;
    if (s->kind == Salloc && l->p->buf[s->alloc.buf].scope == SCbarrier)
        return low_buf(l, s->alloc.buf)->pipe != 0;
    return s->kind != Srole || s->role.name;
}

static void say_part(Low *l, const AuditFound *f)
{
    Ctx *c = &l->p->ctx;
    Loc loc = l->launch->loc;
    if (f->part == APlimit)
        diag(c, E_order_part_limit, loc, afmt(c, "%lld", (long long)f->work), NULL);
    else if (f->part == APvalue)
        diag(c, E_order_part_value, loc, NULL);
    else if (f->part == APwait)
        diag(c, E_order_part_wait, loc, NULL);
    if (f->stuck)
        diag(c, E_order_stuck, f->stuck->loc, NULL);
}

static AuditFound audit_once(Low *l)
{
    int64_t limit = stmt_walk(l->launch, all_ours, l) ? Limit : OwnLimit;
    AuditFound f = audit_run(l->p, l->m, l->launch, limit);
    l->p->audit.part = f.part > l->p->audit.part ? f.part : l->p->audit.part;
    l->p->audit.work += f.work;
    return f;
}

void low_audit(Low *l)
{
    Faults all = {0};
    AuditFound f = audit_once(l);
    while (all.n < MaxMends && mend_one(l, &all, &f))
        f = audit_once(l);
    for (uint32_t i = 0; all.n >= MaxMends && i < f.n; i++) {
        Fault *k = mend_known(&all, &f.lack[i]);
        if (!k)
            k = mend_add(l, &all, &f.lack[i]);
        k->mended = false;
    }
    for (uint32_t i = 0; i < all.n; i++)
        mend_say(l, &all.at[i].k, all.at[i].mended);
    say_part(l, &f);
}
