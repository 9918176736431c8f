/* targets/maca/copy.c: copies from global to shared memory that a thread does not wait
 * for (-async=on).
 *
 * The machine counts a wave's accesses of global memory on their way and waits for all
 * but the newest n of them.  A program waits for all but its newest n groups of copies,
 * so the wait is for all but what those groups hold at least: accesses beside them only
 * make it longer.  A loop begins groups under a condition, and commits empty ones behind
 * its end: there the wait is for all.
 *
 * Not proven on the card: that the machine counts so, in the order of issue; the name
 * MACA_ICMP_EQ without an include.  Hence the switch. */
#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "maca.h"

enum { MostPending = 63 };

#define COPY(bytes, bits) \
    {"async_copy_" bytes, "", \
     "% void async_copy_" bytes "(void *to, const void *from)\n{\n" \
     "    __builtin_mxc_ldg_b" bits "_bsm_predicator(to, const_cast<void *>(from), 0, true, " \
     "true,\n        false, true, 1, 1, MACA_ICMP_EQ);\n}\n"}, \
    {"async_copy_" bytes "_or_zero", "", \
     "/* Writes zeros, and reads nothing, where `there` is false. */\n" \
     "% void async_copy_" bytes "_or_zero(void *to, const void *from, bool there)\n{\n" \
     "    __builtin_mxc_ldg_b" bits "_bsm_predicator(to, const_cast<void *>(from), 0, true, " \
     "true,\n        false, true, there, 1, MACA_ICMP_EQ);\n}\n"}

static const EmitText texts[] = {
    COPY("4", "32"), COPY("8", "64"), COPY("16", "128"), {NULL, NULL, NULL},
};

const char *maca_copy_helper(Emit *e, const char *name) { return emit_find(e, texts, name); }

/* How many copies a group holds ----------------------------------------------- */

static int64_t maca_copy_trips(const Prog *p, const Stmt *s)
{
    int64_t n = 1, lo, hi, step = 1;
    for (int k = 0; k < s->loop.n; k++) {
        if (!x_isint(p, s->loop.lo[k], &lo) || !x_isint(p, s->loop.hi[k], &hi) ||
            (s->loop.step && !x_isint(p, s->loop.step, &step)) || step < 1)
            return 0;
        n *= hi > lo ? (hi - lo + step - 1) / step : 0;
    }
    return n;
}

/* Copies that surely happen in this list of statements, up to a commit. */
static int64_t maca_copy_copies(const Prog *p, const Stmt *s, const Stmt *end)
{
    int64_t n = 0;
    for (; s && s != end; s = s->next) {
        if (s->kind == Sop && s->op.op == Ocp_async)
            n++;
        else if (s->kind == Sop && s->op.op == Ocp_async_commit)
            n = 0;
        else if (s->kind == Sfor)
            n += maca_copy_trips(p, s) * maca_copy_copies(p, s->loop.body, NULL);
    }
    return n;
}

/* The fewest copies of any group in the list and below. */
static int64_t fewest(const Prog *p, const Stmt *list)
{
    int64_t least = INT64_MAX, n;
    for (const Stmt *s = list; s; s = s->next) {
        Stmt *inner[2];
        union { const Stmt *c; Stmt *s; } at = {.c = s};
        n = INT64_MAX;
        if (s->kind == Sop && s->op.op == Ocp_async_commit)
            n = maca_copy_copies(p, list, s);
        least = n < least ? n : least;
        for (int i = 0, k = stmt_blocks(at.s, inner); i < k; i++) {
            n = fewest(p, inner[i]);
            least = n < least ? n : least;
        }
    }
    return least;
}

/* What a loop does with its copies: the wait stands in its body, and so do the copies of
 * one group, those that may be missing under one condition. */
typedef struct CopyGroups CopyGroups;
struct CopyGroups {
    const Stmt *loop, *commit;
    Ex there;          /* the condition; 0: they are always there */
    int64_t copies;    /* of a group where it holds */
    bool after;        /* the group is begun behind the wait: the newest is the last round's */
};

/* The loop in whose body s itself stands, in the list or below. */
static const Stmt *maca_copy_loop_of(const Stmt *list, const Stmt *s)
{
    for (const Stmt *k = list; k; k = k->next) {
        Stmt *inner[2];
        union { const Stmt *c; Stmt *s; } at = {.c = k};
        for (int i = 0, n = stmt_blocks(at.s, inner); i < n; i++) {
            const Stmt *in = maca_copy_loop_of(inner[i], s);
            if (in)
                return in;
            for (in = inner[i]; in && k->kind == Sfor; in = in->next)
                if (in == s)
                    return k;
        }
    }
    return NULL;
}

static int maca_copy_commits(const Stmt *list)
{
    int n = 0;
    for (const Stmt *k = list; k; k = k->next) {
        Stmt *inner[2];
        union { const Stmt *c; Stmt *s; } at = {.c = k};
        n += k->kind == Sop && k->op.op == Ocp_async_commit;
        for (int i = 0, m = stmt_blocks(at.s, inner); i < m; i++)
            n += maca_copy_commits(inner[i]);
    }
    return n;
}

typedef struct Loop Loop;
struct Loop { const Prog *p; uint32_t var; };

static bool copy_differs(void *ud, Ex x)
{
    const Loop *o = ud;
    const Expr *k = ex_at(o->p, x);
    int kind = k->op == Xvar ? o->p->var[k->sym].kind : Vblock;
    return k->op == Xload || k->op == Xcall ||
           (kind != Vblock && kind != Vdim && k->sym != o->var);
}

/* Is x the same in all threads of a block, seen at once: made of the loop's variable,
 * blocks and sizes? */
static bool uniform(const Prog *p, Ex x, uint32_t var)
{
    return !ex_any(p, x, copy_differs, &(Loop){p, var});
}

/* false: the loop has another form. */
static bool find_ring(const Prog *p, const Stmt *body, const Stmt *s, CopyGroups *r)
{
    int64_t step = 1;
    bool behind = false;
    *r = (CopyGroups){.loop = maca_copy_loop_of(body, s)};
    if (!r->loop || r->loop->loop.n != 1 || maca_copy_commits(r->loop->loop.body) != 1 ||
        (r->loop->loop.step && !x_isint(p, r->loop->loop.step, &step)) || step != 1)
        return false;
    for (const Stmt *k = r->loop->loop.body; k && !r->commit; k = k->next) {
        behind |= k == s;
        if (k->kind == Sop && k->op.op == Ocp_async_commit)
            r->commit = k;
        if (k->kind != Sif || k->cond.els || maca_copy_copies(p, k->cond.then, NULL) == 0)
            continue;
        if (r->there || !uniform(p, k->cond.cond, r->loop->loop.var[0]))
            return false;
        r->there = k->cond.cond;
        r->copies += maca_copy_copies(p, k->cond.then, NULL);
    }
    r->after = behind;
    if (r->commit)
        r->copies += maca_copy_copies(p, r->loop->loop.body, r->commit);
    return r->commit != NULL;
}

/* The fewest copies of a group that is not this loop's. */
static int64_t fewest_outside(const Prog *p, const Stmt *list, const Stmt *loop)
{
    int64_t least = INT64_MAX, n;
    for (const Stmt *s = list; s; s = s->next) {
        Stmt *inner[2];
        union { const Stmt *c; Stmt *s; } at = {.c = s};
        n = s->kind == Sop && s->op.op == Ocp_async_commit ? maca_copy_copies(p, list, s)
                                                           : INT64_MAX;
        least = n < least ? n : least;
        for (int i = 0, k = s == loop ? 0 : stmt_blocks(at.s, inner); i < k; i++) {
            n = fewest_outside(p, inner[i], loop);
            least = n < least ? n : least;
        }
    }
    return least;
}

/* The condition under which the newest `groups` groups hold all of their copies. */
static const char *groups_full(Emit *e, const CopyGroups *r, int groups)
{
    Prog *p = e->p;
    uint32_t var = r->loop->loop.var[0];
    const char *text = "";
    for (int i = 0; i < groups; i++) {
        Ex was = x_bin(p, Xsub, x_var(p, var), x_int(p, DTi32, i + r->after));
        Ex x = x_replace(p, r->there, var, was);
        text = i || groups > 1 ? afmt(&p->ctx, "%s%s%s", text, i ? " && " : "", emit_ex(e, x))
                               : emit_top(e, x);
    }
    return text;
}

static int maca_copy_at_most(int64_t copies, int groups)
{
    copies = copies > MostPending ? MostPending : copies;
    return (int)(copies * groups > MostPending ? MostPending : copies * groups);
}

static void maca_copy_wait(Emit *e, const Stmt *s)
{
    const Stmt *body = e->l->launch->launch.body;
    int groups = s->op.attr[0];
    int64_t n = groups ? fewest(e->p, body) : 0;
    CopyGroups r;
    if (groups && n == 0 && find_ring(e->p, body, s, &r) && r.there) {
        int64_t first = fewest_outside(e->p, body, r.loop);
        n = first < r.copies ? first : r.copies;
        if (n > 0) {
            emit_line(e, "if (%s)", groups_full(e, &r, groups));
            emit_line(e, "    __builtin_mxc_arrive_gvmcnt(%d);", maca_copy_at_most(n, groups));
            emit_line(e, "else");
            emit_line(e, "    __builtin_mxc_arrive_gvmcnt(0);");
            return;
        }
    }
    emit_line(e, "__builtin_mxc_arrive_gvmcnt(%d);", maca_copy_at_most(n, groups));
}

/* Calls ------------------------------------------------------------------ */

void maca_copy(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    const Region *r = s->op.r;
    int64_t there;
    if (s->op.op == Ocp_async_wait)
        maca_copy_wait(e, s);
    if (s->op.op != Ocp_async)
        return;
    const char *name = afmt(c, "async_copy_%d", s->op.attr[0]);
    const char *to = emit_pointer(e, r[1].buf, r[1].min);
    const char *from = emit_pointer(e, r[0].buf, r[0].min);
    if (x_isint(e->p, s->op.value, &there) && there)
        emit_line(e, "%s(%s, %s);", emit_need(e, name), to, from);
    else
        emit_line(e, "%s(%s, %s, %s);", emit_need(e, afmt(c, "%s_or_zero", name)), to, from,
                  emit_top(e, s->op.value));
}
