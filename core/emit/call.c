/* core/emit/call.c: functions of one thread, by the tables of a dialect. */
#include <string.h>

#include "emit_p.h"

static const char *join_args(Ctx *c, const char *const *arg, int n)
{
    const char *s = n ? arg[0] : "";
    for (int i = 1; i < n; i++)
        s = afmt(c, "%s, %s", s, arg[i]);
    return s;
}

/* The function's name; a helper is asked for. */
static const char *callee_name(Emit *e, const char *f)
{
    return *f == '+' ? emit_need(e, f + 1) : f;
}

/* stem with the mode in the place of its %s. */
static const char *moded(Emit *e, const char *stem, const char *mode)
{
    size_t at = strcspn(stem, "%");
    return callee_name(e, afmt(&e->p->ctx, "%.*s%s%s", (int)at, stem, mode, stem + at + 2));
}

/* The last argument is the mode: a number, or looked at when the kernel runs. */
static const char *call_ieee(Emit *e, const EmitMath *t, const char *stem, const char *const *arg,
                             int n)
{
    Ctx *c = &e->p->ctx;
    const char *m = arg[n - 1], *args = join_args(c, arg, n - 1), *s = "";
    for (int i = 0; i < 4; i++)
        if (m[0] == (char)('0' + i) && (!m[1] || strcmp(m + 1, ".0f") == 0 ||
                                        strcmp(m + 1, ".0") == 0))
            return afmt(c, "%s(%s)", moded(e, stem, t->mode[i]), args);
    for (int i = 1; i < 4; i++)
        s = afmt(c, "%s(%s) == %d ? %s(%s) : ", s, m, i, moded(e, stem, t->mode[i]), args);
    return afmt(c, "(%s%s(%s))", s, moded(e, stem, t->mode[0]), args);
}

const char *emit_math(Emit *e, const EmitMath *m, enum Intr fn, enum Dtype dt,
                      const char *const *arg, int n)
{
    Ctx *c = &e->p->ctx;
    bool d = dt == DTf64;
    if (m->rounding[fn].f32)
        return call_ieee(e, m, d ? m->rounding[fn].f64 : m->rounding[fn].f32, arg, n);
    const char *f = d ? m->function[fn].f64 : m->function[fn].f32;
    if (e->fast_math && !d && m->fast[fn])
        f = m->fast[fn];
    if (!f)
        return NULL;
    if (fn == Iieee_frsqrt || fn == Ifast_rcp)
        n = 1;
    return afmt(c, "%s(%s)", callee_name(e, f), join_args(c, arg, n));
}
