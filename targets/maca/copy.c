/* targets/maca/copy.c: copies from global to shared memory that a thread does not wait
 * for (-async=on).
 *
 * The machine counts a wave's accesses of global memory on their way and waits for all
 * but the newest n of them.  A program waits for all but its newest n groups of copies,
 * so the wait is for all but what those groups hold at least: accesses beside them only
 * make it longer.  Groups whose copies stand under a condition may be empty. */
#include "../../core/walk.h"
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

static int64_t trips(const Prog *p, const Stmt *s)
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
static int64_t copies(const Prog *p, const Stmt *s, const Stmt *end)
{
    int64_t n = 0;
    for (; s && s != end; s = s->next) {
        if (s->kind == Sop && s->op.op == Ocp_async)
            n++;
        else if (s->kind == Sop && s->op.op == Ocp_async_commit)
            n = 0;
        else if (s->kind == Sfor)
            n += trips(p, s) * copies(p, s->loop.body, NULL);
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
            n = copies(p, list, s);
        least = n < least ? n : least;
        for (int i = 0, k = stmt_blocks(at.s, inner); i < k; i++) {
            n = fewest(p, inner[i]);
            least = n < least ? n : least;
        }
    }
    return least;
}

static void wait(Emit *e, int groups)
{
    int64_t n = groups ? fewest(e->p, e->l->launch->launch.body) : 0;
    n = n > MostPending ? MostPending : n;
    n *= groups;
    emit_line(e, "__builtin_mxc_arrive_gvmcnt(%d);", (int)(n > MostPending ? MostPending : n));
}

/* Calls ------------------------------------------------------------------ */

void maca_copy(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    const Region *r = s->op.r;
    int64_t there;
    if (s->op.op == Ocp_async_wait)
        wait(e, s->op.attr[0]);
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
