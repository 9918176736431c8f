/* core/check/role.c: what the threads of a role have by themselves.
 *
 * Registers belong to the threads that write them.  A fragment that a role writes
 * is spread over the threads of that role; others have registers of the same name,
 * with values of their own.  A read needs that each of its threads has written: in
 * its own role, or where all threads write.
 *
 * What waits for all threads of the block has no place in a role: the others pass
 * no such line, or meet it at a barrier that the compiler means for something else. */
#include "check.h"
#include "err/check.h"

typedef struct Threads { int lo, hi; } Threads; /* lo <= thread < hi */

typedef struct RoleCheck RoleCheck;
struct RoleCheck {
    Facts *f;
    bool *told; /* of a root */
};

static int role_launch_threads(const Stmt *launch)
{
    int n = 1;
    for (int i = 0; i < launch->launch.nthread; i++)
        n *= launch->launch.threads[i];
    return n;
}

/* Registers ---------------------------------------------------------------- */

static Threads role_threads_of(const Access *a)
{
    const CheckFrame *role = frame_find(a->in, Srole), *launch = frame_find(a->in, Slaunch);
    if (role)
        return (Threads){role->s->role.lo, role->s->role.hi};
    return (Threads){0, launch ? role_launch_threads(launch->s) : 1};
}

static bool threads_within(Threads a, Threads b) { return a.lo <= b.lo && b.hi <= a.hi; }
static bool role_meet(Threads a, Threads b) { return a.lo < b.hi && b.lo < a.hi; }

static bool is_write(const RoleCheck *r, uint32_t i, uint32_t root)
{
    const Access *a = &r->f->a[i];
    return a->mode & Awrite && buf_root(r->f->p, a->buf) == root;
}

static void report_outside_role(RoleCheck *r, uint32_t k, uint32_t root, const Access *w)
{
    Facts *f = r->f;
    Ctx *c = &f->p->ctx;
    Threads a = role_threads_of(&f->a[k]), b = role_threads_of(w);
    diag(c, E_role_registers, f->a[k].s->loc, f->p->buf[f->a[k].buf].name,
         afmt(c, "%d..%d", a.lo, a.hi - 1), afmt(c, "%d..%d", b.lo, b.hi - 1),
         afmt(c, "%d", w->s->loc.line), NULL);
    r->told[root] = true;
}

/* A write somewhere, when no write at all reaches some thread that reads; else
 * NULL. */
static const Access *beyond(const RoleCheck *r, uint32_t k, uint32_t root)
{
    Threads t = role_threads_of(&r->f->a[k]);
    const Access *first = NULL;
    for (bool any = true; any && t.lo < t.hi;) {
        any = false;
        for (uint32_t i = 0; i < r->f->n; i++) {
            if (!is_write(r, i, root))
                continue;
            Threads w = role_threads_of(&r->f->a[i]);
            first = first ? first : &r->f->a[i];
            any |= w.lo <= t.lo && t.lo < w.hi;
            t.lo = w.lo <= t.lo && t.lo < w.hi ? w.hi : t.lo;
        }
    }
    return t.lo < t.hi ? first : NULL;
}

/* From access `from` back to `to`: the last write that some of k's threads do,
 * if not all; NULL: none.  *done: all of them write. */
static const Access *role_partial(const RoleCheck *r, uint32_t k, uint32_t root, uint32_t from,
                                  uint32_t to, bool *done)
{
    Threads t = role_threads_of(&r->f->a[k]);
    for (uint32_t i = from; i-- > to && !*done;) {
        if (!is_write(r, i, root))
            continue;
        Threads w = role_threads_of(&r->f->a[i]);
        *done = threads_within(w, t);
        if (!*done && role_meet(w, t))
            return &r->f->a[i];
    }
    return NULL;
}

/* The tile that fragment k reads was last written by a part of its threads: in
 * the loop around, in an earlier turn of it, or before it. */
static const Access *role_torn(const RoleCheck *r, uint32_t k, uint32_t root)
{
    const CheckFrame *loop = NULL;
    for (const CheckFrame *in = r->f->a[k].in; in; in = in->up)
        if (in->s->kind == Sfor || in->s->kind == Swhile)
            loop = in;
    bool done = false, again = false;
    const Access *w = role_partial(r, k, root, k, loop ? loop->first : 0, &done);
    if (!w && !done && loop) {
        w = role_partial(r, k, root, loop->last, k, &again);
        w = w ? w : role_partial(r, k, root, loop->first, 0, &done);
    }
    return w;
}

/* Barriers ----------------------------------------------------------------- */

typedef struct RoleInside RoleInside;
struct RoleInside {
    Facts *f;
    const Stmt *s, *role; /* the statement looked at; role: smaller than the block */
    int threads;          /* of the block */
};

static void refuse_collective(const RoleInside *k, enum Intr what)
{
    Ctx *c = &k->f->p->ctx;
    int lo = k->role->role.lo, n = k->role->role.hi - lo;
    diag(c, E_role_barrier, k->s->loc, intrinfo[what].text, afmt(c, "%d", n),
         afmt(c, "%d", k->threads), NULL);
}

static ExGo role_votes(void *ud, Ex e)
{
    const RoleInside *k = ud;
    const Expr *x = ex_at(k->f->p, e);
    if (x->op != Xcall || (x->sym != Icount_sync && x->sym != Iand_sync && x->sym != Ior_sync))
        return EXinto;
    refuse_collective(k, (enum Intr)x->sym);
    return EXstop;
}

static void check_inside(RoleInside k, const Stmt *s)
{
    Stmt *b[2];
    for (; s && !check_full(k.f); s = s->next) {
        RoleInside in = k;
        int64_t id;
        in.s = s;
        if (s->kind == Slaunch)
            in.threads = role_launch_threads(s);
        if (s->kind == Srole && s->role.hi - s->role.lo < in.threads)
            in.role = s;
        if (in.role && s->kind == Scall &&
            (s->call.fn == Isync_grid ||
             (s->call.fn == Isync_threads && x_isint(k.f->p, s->call.arg[0], &id) && id <= 0)))
            refuse_collective(&in, (enum Intr)s->call.fn);
        if (in.role)
            stmt_ex_walk(k.f->p, s, role_votes, &in);
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            check_inside(in, b[i]);
    }
}

/* -------------------------------------------------------------------------- */

void check_role(Facts *f)
{
    Prog *p = f->p;
    check_inside((RoleInside){.f = f}, p->body);
    RoleCheck r = {f, anew(&p->ctx, p->nbuf * sizeof *r.told)};
    bool any = false;
    for (uint32_t k = 0; k < f->n && !any; k++)
        any = frame_find(f->a[k].in, Srole) != NULL;
    for (uint32_t k = 0; any && k < f->n && !check_full(f); k++) {
        uint32_t root = buf_root(p, f->a[k].buf);
        int scope = p->buf[root].scope;
        if (!(f->a[k].mode & Aread) || r.told[root] ||
            (scope != SCfragment && scope != SClocal && scope != SCvar))
            continue;
        const Access *w = beyond(&r, k, root);
        if (!w && scope == SCfragment)
            w = role_torn(&r, k, root);
        if (w)
            report_outside_role(&r, k, root, w);
    }
}
