/* core/emit/cast.c: values as memory holds them. */
#include <string.h>

#include "core/ir/walk.h"
#include "emit_p.h"
#include "core/tensor/tensor.h"

const char *paren(Emit *e, bool on, const char *text)
{
    return on ? afmt(&e->p->ctx, "(%s)", text) : text;
}

/* Narrow floats ---------------------------------------------------------- */

static const char *stored_const(Emit *e, double v, enum Dtype dt)
{
    Ctx *c = &e->p->ctx;
    uint64_t cell = 0;
    if (!is_narrow(dt) || dt == DTtf32)
        return scalar_float(&priv(e)->scalar, v, dt, PRany);
    dtype_store(dt, &cell, 0, v);
    return afmt(c, cell ? "%s{0x%x}" : "%s{%x}", e->d->type(e, dt), (unsigned)cell);
}

const char *from_stored(Emit *e, enum Dtype dt, const char *text, bool memory)
{
    if (!is_narrow(dt) || (dt == DTtf32 && !memory))
        return text;
    return e->d->cast(e, dt == DTtf32 ? DTtf32 : DTf32, dt == DTtf32 ? DTf32 : dt, text);
}

/* A value in flight as memory holds it. */
static const char *to_stored(Emit *e, enum Dtype dt, const char *value)
{
    return is_narrow(dt) ? e->d->cast(e, dt, DTf32, value) : value;
}

ScalarFrame emit_rounding(Scalar *s, enum Dtype dt)
{
    Emit *e = s->ud;
    const char *t = e->d->cast(e, dt, DTf32, "\1");
    t = dt == DTtf32 ? t : e->d->cast(e, DTf32, dt, t);
    const char *x = strchr(t, 1);
    return (ScalarFrame){astr(&s->p->ctx, t, (size_t)(x - t)), x + 1};
}

const char *cast_text(Emit *e, Ex x, enum Dtype to, int prec, bool unrounded)
{
    Scalar *s = &priv(e)->scalar;
    size_t at = s->out->n;
    scalar_cast(s, x, to, prec, unrounded);
    return scalar_take(s, at);
}

/* Same bits --------------------------------------------------------------- */

const char *emit_float_bits(Scalar *s, enum Dtype from, const char *x)
{
    Emit *e = s->ud;
    Ctx *c = &e->p->ctx;
    if (from == DTf64)
        return afmt(c, "(unsigned long long)%s(%s)", emit_fn(e, "__double_as_longlong"), x);
    if (!is_narrow(from) || from == DTtf32)
        return afmt(c, "%s(%s)", emit_fn(e, "__float_as_uint"), x);
    return afmt(c, "%s.x", to_stored(e, from, x));
}

const char *emit_bits_float(Scalar *s, enum Dtype to, const char *x)
{
    Emit *e = s->ud;
    Ctx *c = &e->p->ctx;
    if (to == DTf64)
        return afmt(c, "%s((long long)(%s))", emit_fn(e, "__longlong_as_double"), x);
    if (to == DTf32)
        return afmt(c, "%s((unsigned)(%s))", emit_fn(e, "__uint_as_float"), x);
    if (to == DTtf32)
        return e->d->cast(e, to, DTf32,
                          afmt(c, "%s((unsigned)(%s))", emit_fn(e, "__uint_as_float"), x));
    return from_stored(e, to, afmt(c, "%s{%s(%s)}", e->d->type(e, to), cast_to(bits_type(to)), x),
                       true);
}

const char *emit_stored_bits(Scalar *s, Ex x)
{
    return afmt(&s->p->ctx, "%s.x", stored_text(s->ud, x, ex_type(s->p, x), PRpost));
}

/* Elements ---------------------------------------------------------------- */

const char *unrounded_text(Emit *e, Ex x, int prec)
{
    Scalar *s = &priv(e)->scalar;
    size_t at = s->out->n;
    scalar_unrounded(s, x, prec);
    return scalar_take(s, at);
}

typedef struct Copied Copied;
struct Copied { Emit *e; enum Dtype dt; };

static int64_t copied_node(ExFold *f, Ex x)
{
    const Copied *c = f->ud;
    const Expr *k = ex_at(f->p, x);
    if (k->dt != c->dt)
        return false;
    if (ex_raw(c->e, x))
        return true;
    if (k->op == Xselect)
        return ex_fold(f, k->arg[1]) || ex_fold(f, k->arg[2]);
    return k->op == Xload && !is_variable(c->e, k->sym) && kept_type(c->e, k->sym) == c->dt;
}

/* Is x an element of memory or registers as it is, or chosen from such? */
static bool copied(Emit *e, Ex x, enum Dtype dt)
{
    return ex_fold(&(ExFold){.p = e->p, .f = copied_node, .ud = &(Copied){e, dt}}, x);
}

const char *narrow_op(Emit *e, Ex x)
{
    const Expr *k = ex_at(e->p, x);
    bool is = (k->op == Xadd || k->op == Xsub || k->op == Xmul) && is_narrow((enum Dtype)k->dt) &&
              e->d->narrow_op && !scalar_name(&priv(e)->scalar, x) && !ex_raw(e, x);
    return is ? e->d->narrow_op(e, (enum Xop)k->op, (enum Dtype)k->dt) : NULL;
}

const char *stored_text(Emit *e, Ex x, enum Dtype dt, int prec)
{
    Ctx *c = &e->p->ctx;
    Expr k = *ex_at(e->p, x);
    if (!is_narrow(dt) || dt == DTtf32)
        return ex_text(e, x, prec);
    if (k.op == Xfloat)
        return stored_const(e, k.f, dt);
    if (copied(e, x, dt)) {
        if (ex_raw(e, x))
            return ex_raw(e, x);
        if (k.op == Xload)
            return element_text(e, k.sym, k.arg);
        const char *cond = ex_text(e, k.arg[0], PRlor), *a = stored_text(e, k.arg[1], dt, PRcond);
        return paren(e, prec > PRcond,
                     afmt(c, "%s ? %s : %s", cond, a, stored_text(e, k.arg[2], dt, PRcond)));
    }
    if (k.op == Xbits && !is_float(ex_type(e->p, k.arg[0])))
        return afmt(c, "%s{%s(%s)}", e->d->type(e, dt), cast_to(bits_type(dt)),
                    ex_text(e, k.arg[0], PRany));
    if (k.op == Xload && k.dt == dt && !ex_raw(e, x) && !is_variable(e, k.sym) &&
        kept_type(e, k.sym) == bits_type(dt))
        return afmt(c, "%s{%s(%s)}", e->d->type(e, dt), cast_to(bits_type(dt)),
                    element_text(e, k.sym, k.arg));
    const char *fn = (enum Dtype)k.dt == dt ? narrow_op(e, x) : NULL;
    if (fn) {
        const char *a = stored_text(e, k.arg[0], dt, PRany), *b = stored_text(e, k.arg[1], dt, PRany);
        return afmt(c, "%s(%s, %s)", emit_need(e, fn), a, b);
    }
    return to_stored(e, dt, unrounded_text(e, x, PRany));
}
