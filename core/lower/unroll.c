/* core/lower/unroll.c: unrolled loops that would be too much text stay loops.
 *
 * Fragments are registers because the loops over their registers are unrolled: printed so,
 * the compiler of the target writes out every round.  Nested loops over large fragments
 * multiply, and the compiler takes minutes for what the machine's instruction cache does
 * not hold either.  The outermost loop that is too much stays one; a fragment whose register it
 * chooses lies in memory of the thread's then, and a note says so.  Matrix instructions
 * want their registers: loops around those are left. */
#include "core/ir/walk.h"
#include "core/lower/build/low.h"
#include "err/pipes.h"

enum { MaxText = 16384 }; /* of one loop, by the table: nvcc takes some 10 s for it at most */

/* What a statement adds to the text that is compiled; 0: as its blocks. */
static const uint8_t weight_of[NStmt] = {
    [Sstore] = 1, [Satomic] = 2, [Scall] = 1, [Sop] = 1, [Sprint] = 4, [Sassert] = 8,
    [Sif] = 8, [Swhile] = 8, /* blocks of their own, and what jumps there */
};

/* a times b, at most more than any text. */
static int64_t unroll_times(int64_t a, int64_t b)
{
    return a > MaxText || b > MaxText ? MaxText + 1 : a * b;
}

/* Rounds of an unrolled loop, whose bounds are constants. */
static int64_t unrolled_rounds(const Prog *p, const Stmt *s)
{
    int64_t n = 1, lo, hi, step = 1;
    bool known = s->loop.step && x_isint(p, s->loop.step, &step) && step && step != INT64_MIN;
    int64_t by = step < 0 ? -step : step;
    for (int i = 0; i < s->loop.n; i++) {
        if (!x_isint(p, s->loop.lo[i], &lo) || !x_isint(p, s->loop.hi[i], &hi) ||
            (step < 0 ? lo <= hi : hi <= lo))
            return 1;
        n = unroll_times(n, step < 0 ? lo - hi : hi - lo);
    }
    return known ? (n - 1) / by + 1 : n;
}

static bool unroll_unrolled(const Stmt *s)
{
    return s->kind == Sfor && s->loop.kind != Fserial && s->loop.unroll != 1;
}

static int64_t unroll_text_of(const Prog *p, const Stmt *s)
{
    Stmt *b[2];
    int64_t sum = 0;
    for (; s && sum <= MaxText; s = s->next) {
        int64_t own = weight_of[s->kind];
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            own += unroll_text_of(p, b[i]);
        sum += unroll_unrolled(s) ? unroll_times(unrolled_rounds(p, s), own) : own;
    }
    return sum;
}

/* Does s take registers as one operand, which no loop may choose? */
static bool no_operand(Stmt *s, void *ud)
{
    const Low *l = ud;
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
        if (s->op.r[i].buf && l->p->buf[s->op.r[i].buf].scope == SClocal)
            return false;
    return true;
}

static bool bounded(Stmt *s, void *ud)
{
    Low *l = ud;
    Stmt one = *s;
    one.next = NULL;
    if (!unroll_unrolled(s) || s->loop.kind != Funroll || unroll_text_of(l->p, &one) <= MaxText ||
        !stmt_walk(s->loop.body, no_operand, l))
        return true;
    s->loop.unroll = 1;
    low_note(l, E_unroll_size, s, l->p->var[s->loop.var[0]].name,
             afmt(&l->p->ctx, "%d", MaxText));
    return true;
}

void low_unroll(Low *l) { stmt_walk(l->launch->launch.body, bounded, l); }
