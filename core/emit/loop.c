/* core/emit/loop.c: the heads of loops, and how much a round of them is.
 *
 *     for (int i = 0; i < n; i += 4) {
 *
 * Bounds that the body may change stand in front; rounds are counted where the variable would leave
 * its type behind the last one. */
#include <inttypes.h>

#include "core/ir/walk.h"
#include "emit_p.h"

/* A bound that could change while the loop runs is evaluated before it. */
static const char *hoisted_bound(Emit *e, Ex x, enum Dtype dt, const char *what)
{
    Ex y = x_cast(e->p, dt, x);
    const char *t = ex_text(e, y, PRshift);
    if (x_pure(e->p, x))
        return t;
    const char *name = emit_fresh(e, what);
    emit_line(e, "const %s %s = %s;", flight_type(dt), name, t);
    return name;
}

#define WORD(dt) (dtypeinfo[dt].bits == 64 ? "long long" : "int")

/* The rounds from bound[0] to bound[1] by bound[2], whose sign is that of step, 0 where it is not
 * known: counted where a sum behind the last one may leave the type. */
static const char *loop_rounds(Emit *e, enum Dtype dt, const char *const *bound, int64_t step)
{
    Ctx *c = &e->p->ctx;
    const char *u = afmt(c, "unsigned %s", WORD(dt)), *name = emit_fresh(e, "rounds");
    const char *lo = bound[0], *hi = bound[1], *by = bound[2];
    const char *up = afmt(c, "%s < %s ? ((%s)(%s) - (%s)(%s) - 1) / (%s)(%s) + 1 : 0", lo, hi, u, hi, u, lo, u, by);
    const char *down = afmt(c, "%s > %s ? ((%s)(%s) - (%s)(%s) - 1) / (0 - (%s)(%s)) + 1 : 0", lo, hi, u, lo, u,
                            hi, u, by);
    if (step)
        emit_line(e, "%s %s = %s;", u, name, step > 0 ? up : down);
    else
        emit_line(e, "%s %s = %s == 0 ? 0 : %s > 0 ? (%s) : (%s);", u, name, by, by, up, down);
    return name;
}

void emit_loop_head(Emit *e, const Stmt *s, int k, const char *unroll, uint32_t *inner)
{
    Ctx *c = &e->p->ctx;
    uint32_t v = s->loop.var[k];
    enum Dtype dt = (enum Dtype)e->p->var[v].dt;
    const char *lo = hoisted_bound(e, s->loop.lo[k], dt, "begin"),
               *hi = hoisted_bound(e, s->loop.hi[k], dt, "end");
    int64_t step = 1, slo = 1, shi = 1;
    bool fixed = !s->loop.step || x_isint(e->p, s->loop.step, &step);
    const char *by = fixed ? NULL : hoisted_bound(e, s->loop.step, dt, "step");
    if (!fixed && x_range(e->p, s->loop.step, &slo, &shi) && (slo > 0 || shi < 0))
        step = slo > 0 ? 1 : -1;
    else if (!fixed)
        step = 0;
    *inner = emit_mark(e);
    const char *n = emit_name_var(e, v), *t = flight_type(dt);
    const char *more = step > 0   ? afmt(c, "%s < %s", n, hi)
                       : step < 0 ? afmt(c, "%s > %s", n, hi)
                                  : afmt(c, "%s > 0 ? %s < %s : %s > %s", by, n, hi, n, hi);
    const char *next = !fixed      ? afmt(c, "%s += %s", n, by)
                       : step == 1 ? afmt(c, "%s++", n)
                       : step < 0  ? afmt(c, "%s -= %" PRId64, n, -step)
                                   : afmt(c, "%s += %" PRId64, n, step);
    if (!loop_stays(e->p, s, k)) {
        more = loop_rounds(e, dt, (const char *[]){lo, hi, fixed ? afmt(c, "%" PRId64, step) : by}, step);
        next = afmt(c, "%s--, %s = (%s)((unsigned %s)%s + (unsigned %s)(%s))", more, n, t, WORD(dt), n,
                    WORD(dt), fixed ? afmt(c, "%" PRId64, step) : by);
        more = afmt(c, "%s > 0", more);
    }
    if (unroll)
        emit_line(e, "%s", unroll);
    emit_line(e, "for (%s %s = %s; %s; %s) {", t, n, lo, more, next);
}

/* How much a round is -------------------------------------------------------- */

/* What a round of a loop is for one thread: statements, bytes that it reads of memory. */
typedef struct Round Round;
struct Round {
    const Emit *e;
    int64_t text, bytes, times;
    int64_t early;         /* bytes of tensors that nobody writes here: barriers do not keep their loads back */
    bool matrix;           /* instructions of single warps on matrices */
    bool meets;            /* barriers are part of a round: asked for, found */
};

static bool round_written(const Emit *e, uint32_t root)
{
    for (int i = 0; i < e->l->nparam; i++)
        if (e->l->param[i].kind == PKtensor && e->l->param[i].id == root)
            return e->l->param[i].written;
    return true;
}

static ExGo round_load(void *ud, Ex x)
{
    Round *r = ud;
    const Prog *p = r->e->p;
    const Expr *k = ex_at(p, x);
    uint32_t root = k->op == Xload ? buf_root(p, k->sym) : 0;
    enum Scope scope = root ? (enum Scope)p->buf[root].scope : SClocal;
    int64_t bytes = r->times * ((dtypeinfo[k->dt].bits + 7) / 8);
    if (scope == SCglobal || scope == SCshared)
        r->bytes += bytes;
    if (scope == SCglobal && !round_written(r->e, root))
        r->early += bytes;
    return EXinto;
}

/* false: there is more in it than moves and arithmetic. */
static bool loop_round(Round *r, const Stmt *s, bool left)
{
    enum { Extern = 16, Most = 1 << 16 };
    for (; s; s = s->next) {
        Stmt *inner[2];
        Round in = *r;
        int64_t lo, hi;
        bool loop = s->kind == Sfor, vector = loop && s->loop.kind == Fvectorized;
        if (s->kind == Sop && s->op.op == Ocall_extern)
            r->text += r->times * Extern;
        else if (s->kind == Sop && (s->op.op == Omma || s->op.op == Oldmatrix || s->op.op == Ostmatrix))
            r->text += r->times, r->matrix = true;
        else if (left && s->kind == Sop && (s->op.op == Obar_sync || s->op.op == Owarp_sync))
            r->meets = true;
        else if (s->kind != Sstore && s->kind != Slet && s->kind != Sif && s->kind != Sassume && !loop && !(left && s->kind == Salloc))
            return false;
        r->text += vector || loop ? 0 : r->times;
        stmt_ex_walk(r->e->p, s, round_load, r);
        for (int i = 0; loop && i < s->loop.n && in.times < Most; i++)
            in.times *= x_isint(r->e->p, s->loop.lo[i], &lo) && x_isint(r->e->p, s->loop.hi[i], &hi) &&
                        hi - lo > 1 && hi - lo < Most ? hi - lo : 1;
        for (int i = 0, n = stmt_blocks(s, inner); i < n; i++) {
            int64_t text = r->text;
            in.text = in.bytes = in.early = 0;
            if (!loop_round(&in, inner[i], left))
                return false;
            r->text = text + (vector ? r->times : in.text);
            r->bytes += in.bytes;
            r->early += in.early;
            r->matrix |= in.matrix;
            r->meets |= in.meets;
        }
    }
    return true;
}

/* Rounds whose loads are under way at once where registers are left over: powers of two. */
static int loop_deep(const Round *r, int64_t rounds)
{
    enum { Bytes = 256, Text = 512, Most = 8 };
    int n = 1;
    while (2 * n <= Most && 2 * n <= rounds && 2 * n * r->early <= Bytes && 2 * n * r->text <= Text)
        n *= 2;
    return r->early ? n : 1;
}

int emit_ahead(const Emit *e, const Stmt *s)
{
    enum { Few = 32, Short = 64, Ahead = 4, Farther = 8, Held = 160, All = 8, Whole = 256 };
    bool left = emit_few_blocks(e) > 0;
    Round r = {.e = e, .times = 1};
    int64_t lo, hi, step = 1;
    if (!loop_round(&r, s->loop.body, left))
        return 1;
    bool known = s->loop.n == 1 && x_isint(e->p, s->loop.lo[0], &lo) && x_isint(e->p, s->loop.hi[0], &hi) &&
                 (!s->loop.step || x_isint(e->p, s->loop.step, &step)) && step == 1;
    int deep = left && !r.matrix ? loop_deep(&r, known ? hi - lo : INT32_MAX) : 1;
    if (r.meets || (!r.matrix && (r.bytes == 0 || r.bytes > Few || r.text > Short)))
        return deep;
    int n = known && hi > lo && hi - lo <= All && r.text * (hi - lo) <= Whole ? (int)(hi - lo)
            : r.matrix                                                                       ? 1
            : e->m->residents && Farther * r.bytes <= Held                                   ? Farther
                                                                                             : Ahead;
    return n > deep ? n : deep;
}
