/* core/emit/atomic.c: atomics.
 *
 * Each is a call of a helper "atomic_sum_float16", which gives back the old value.  A
 * dialect may have its own text; the ones made here use the functions of the C family
 * where there are such, else a loop around compare-and-swap on the word that the
 * element stands in. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/reduce.h"
#include "emit_p.h"

static const char *kind_name(int kind)
{
    return kind == ATload ? "load" : kind == ATstore ? "store" : redinfo[kind].text;
}

/* Helpers ------------------------------------------------------------------ */

/* What memory gets for x (as it was) and v, values in flight. */
static const char *atomic_combined(Emit *e, int kind, enum Dtype dt)
{
    bool f = is_float(dt);
    const char *fn;
    switch (kind < NRed ? redinfo[kind].op : Xnone) {
    case Xnone: return "v";
    case Xmax: fn = !f ? "max" : dt == DTf64 ? "fmax" : "fmaxf"; break;
    case Xmin: fn = !f ? "min" : dt == DTf64 ? "fmin" : "fminf"; break;
    default: return afmt(&e->p->ctx, "x %s v", xopinfo[redinfo[kind].op].text);
    }
    return afmt(&e->p->ctx, "%s(x, v)", emit_fn(e, fn));
}

/* "atomicAdd" for integers of 32 and 64 bits and sums of floats; NULL: none. */
static const char *builtin(int kind, enum Dtype dt)
{
    static const char *const fn[NRed] = {
        [Rsum] = "atomicAdd", [Rmax] = "atomicMax", [Rmin] = "atomicMin",
        [Rbitand] = "atomicAnd", [Rbitor] = "atomicOr", [Rbitxor] = "atomicXor"};
    if (kind >= NRed || dtypeinfo[dt].bits < 32 || dt == DTtf32)
        return NULL;
    return is_float(dt) && kind != Rsum ? NULL : fn[kind];
}

/* The type that the function takes: sums and bits of int64 are those of unsigned. */
static const char *builtin_type(int kind, enum Dtype dt)
{
    return dt == DTi64 && kind != Rmax && kind != Rmin ? "unsigned long long" : flight_type(dt);
}

/* The value of an element from the unsigned integer of its width, and back. */
static const char *from_bits(Emit *e, enum Dtype dt, const char *x)
{
    return is_float(dt) || dt != bits_type(dt) ? bits_text(e, dt == DTbool ? DTi32 : dt,
                                                           bits_type(dt), x) : x;
}

static const char *to_bits(Emit *e, enum Dtype dt, const char *x)
{
    if (is_narrow(dt) && dt != DTtf32)
        return afmt(&e->p->ctx, "%s.x", to_stored(e, dt, x));
    return bits_text(e, bits_type(dt), dt == DTbool ? DTi32 : dt, x);
}

static void loop_text(Emit *e, Str *s, int kind, enum Dtype dt)
{
    int bits = dtypeinfo[dt].bits;
    const char *word = bits == 64 ? "unsigned long long" : "unsigned", *v = flight_type(dt);
    const char *part = "was", *next = to_bits(e, dt, atomic_combined(e, kind, dt));
    if (bits < 32) {
        part = "(was >> shift)";
        str_fmt(s, "    unsigned long long at = (unsigned long long)p;\n"
                   "    unsigned *word = (unsigned *)(at & ~3ull);\n"
                   "    unsigned shift = (unsigned)(at & 3) * 8, mask = 0x%xu << shift;\n",
                (1u << bits) - 1);
    } else {
        str_fmt(s, "    %s *word = (%s *)p;\n", word, word);
    }
    str_fmt(s, "    %s was, old = *(volatile %s *)word;\n    %s x;\n    do {\n        was = old;\n",
            word, word, v);
    str_fmt(s, "        x = %s;\n", from_bits(e, dt, part));
    if (bits < 32)
        str_fmt(s, "        old = %s(word, was, (was & ~mask) | "
                   "((unsigned)(%s) << shift & mask));\n", emit_fn(e, "atomicCAS"), next);
    else
        str_fmt(s, "        old = %s(word, was, (%s)(%s));\n", emit_fn(e, "atomicCAS"), word,
                next);
    str_puts(s, "    } while (old != was);\n    return x;\n");
}

static void plain_text(Emit *e, Str *s, int kind, enum Dtype dt)
{
    enum Dtype b = bits_type(dt);
    const char *t = e->d->type(e, b);
    if (kind == ATload)
        str_fmt(s, "    return %s;\n",
                from_bits(e, dt, afmt(&e->p->ctx, "*(const volatile %s *)p", t)));
    else
        str_fmt(s, "    *(volatile %s *)p = %s;\n    return v;\n", t, to_bits(e, dt, "v"));
}

/* kind and dt of "atomic_max_float16"; false: it is no such name. */
static bool atomic_parse(const char *name, int *kind, enum Dtype *dt)
{
    for (int k = 1; k <= ATstore; k++) {
        const char *n = kind_name(k);
        size_t len = n ? strlen(n) : 0;
        if (len && strncmp(name, "atomic_", 7) == 0 && strncmp(name + 7, n, len) == 0 &&
            name[7 + len] == '_') {
            *kind = k;
            *dt = dtypebyname(name + 8 + len);
            return *dt != DTnone;
        }
    }
    return false;
}

const char *emit_atomic_text(Emit *e, const char *name)
{
    Str s = {0};
    int kind;
    enum Dtype dt;
    if (!atomic_parse(name, &kind, &dt) || dtypeinfo[dt].bits < 8)
        return NULL;
    const char *v = flight_type(dt), *fn = builtin(kind, dt), *t = builtin_type(kind, dt);
    str_fmt(&s, "%s %s %s(%s%s *p%s%s)\n{\n", e->d->device_fn, v, name,
            kind == ATload ? "const " : "", e->d->type(e, dt),
            kind == ATload ? "" : ", ", kind == ATload ? "" : afmt(&e->p->ctx, "%s v", v));
    if (fn)
        str_fmt(&s, strcmp(t, v) == 0
                        ? "    return %s(p, v);\n"
                        : "    return (long long)%s((unsigned long long *)p, "
                          "(unsigned long long)v);\n",
                emit_fn(e, fn));
    else if (kind >= NRed)
        plain_text(e, &s, kind, dt);
    else
        loop_text(e, &s, kind, dt);
    str_puts(&s, "}\n");
    return emit_done(e, &s);
}

/* Statements --------------------------------------------------------------- */

static void atomic_lane_index(Emit *e, const Stmt *s, int lane, Ex *idx)
{
    int n = e->p->buf[s->atomic.buf].ndim;
    memcpy(idx, s->atomic.idx, sizeof s->atomic.idx);
    if (lane)
        idx[n - 1] = x_bin(e->p, Xadd, idx[n - 1], x_int(e->p, DTi32, lane));
}

static void atomic_declare(Emit *e, const Stmt *s, const char *value)
{
    enum Dtype dt = (enum Dtype)e->p->var[s->atomic.prev].dt;
    emit_line(e, "const %s %s = %s;", flight_type(dt), emit_name_var(e, s->atomic.prev), value);
}

/* Registers are the thread's own: a read and a write. */
static void atomic_in_place(Emit *e, const Stmt *s)
{
    Prog *p = e->p;
    Ex idx[MaxDim];
    for (int l = 0; l < s->atomic.lanes || l == 0; l++) {
        atomic_lane_index(e, s, l, idx);
        Ex was = x_load(p, s->atomic.buf, idx, p->buf[s->atomic.buf].ndim);
        Ex v = s->atomic.value[l];
        if (s->atomic.prev)
            atomic_declare(e, s, emit_top(e, was));
        if (s->atomic.kind == ATload)
            continue;
        v = red_update(p, s->atomic.kind, was, v);
        store_line(e, s->atomic.buf, idx, x_cast(p, (enum Dtype)p->buf[s->atomic.buf].dt, v));
    }
}

/* Several lanes at once, where the dialect has that: sums of floats in global memory. */
static bool vector_atomic(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    enum Dtype dt = (enum Dtype)e->p->buf[s->atomic.buf].dt;
    int n = s->atomic.lanes;
    if (n < 2 || s->atomic.kind != Rsum || s->atomic.prev ||
        e->p->buf[buf_root(e->p, s->atomic.buf)].scope != SCglobal)
        return false;
    const char *name = afmt(c, "atomic_sum_%s_x%d", dtypeinfo[dt].name, n);
    if (!emit_has(e, name))
        return false;
    const char *args = "";
    for (int i = 0; i < n; i++)
        args = afmt(c, "%s, %s", args, cast_text(e, s->atomic.value[i], dt, PRany, true));
    const char *at = emit_pointer(e, s->atomic.buf, s->atomic.idx);
    emit_line(e, "%s(%s%s);", emit_need(e, name), at, args);
    return true;
}

static void scalar_atomic(Emit *e, const Stmt *s, int lane)
{
    Ctx *c = &e->p->ctx;
    enum Dtype dt = (enum Dtype)e->p->buf[s->atomic.buf].dt;
    const char *name = afmt(c, "atomic_%s_%s", kind_name(s->atomic.kind), dtypeinfo[dt].name);
    Ex idx[MaxDim];
    atomic_lane_index(e, s, lane, idx);
    const char *at = emit_pointer(e, s->atomic.buf, idx);
    bool load = s->atomic.kind == ATload;
    const char *v = load ? "" : cast_text(e, s->atomic.value[lane], dt, PRany, false);
    const char *t = afmt(c, "%s(%s%s%s)", emit_need(e, name), at, load ? "" : ", ", v);
    if (s->atomic.prev)
        atomic_declare(e, s, t);
    else
        emit_line(e, "%s;", t);
}

void emit_atomics(Emit *e, const Stmt *s)
{
    int o = s->atomic.order;
    bool before = o == MOrelease || o == MOacq_rel || o == MOseq_cst;
    bool after = o == MOacquire || o == MOconsume || o == MOacq_rel || o == MOseq_cst;
    if (in_registers(e, s->atomic.buf)) {
        atomic_in_place(e, s);
        return;
    }
    if (before)
        emit_line(e, "%s();", emit_fn(e, "__threadfence"));
    if (!vector_atomic(e, s))
        for (int l = 0; l < s->atomic.lanes || l == 0; l++)
            scalar_atomic(e, s, l);
    if (after)
        emit_line(e, "%s();", emit_fn(e, "__threadfence"));
}
