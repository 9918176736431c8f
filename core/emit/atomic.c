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

/* What every printer has -------------------------------------------------- */

static const char *kind_name(int kind)
{
    return kind == ATload ? "load" : kind == ATstore ? "store" : redinfo[kind].text;
}

const char *atomic_name(Ctx *c, int kind, enum Dtype dt)
{
    return afmt(c, "atomic_%s_%s", kind_name(kind), dtypeinfo[dt].name);
}

const char *atomic_next(Scalar *s, int kind, enum Dtype dt, const char *was)
{
    enum Xop op = kind < NRed ? redinfo[kind].op : Xnone;
    if (op == Xnone)
        return "v";
    if (op != Xmax && op != Xmin)
        return afmt(&s->p->ctx, "%s %s v", was, xopinfo[op].text);
    const char *fn = (op == Xmax ? s->w->max : s->w->min)[flight_of(dt)];
    return afmt(&s->p->ctx, "%s(%s, v)", s->w->fn(s, fn), was);
}

const char *atomic_from_bits(Scalar *s, enum Dtype dt, const char *x)
{
    return scalar_bits(s, dt == DTbool ? DTi32 : dt, bits_type(dt), x);
}

const char *atomic_to_bits(Scalar *s, enum Dtype dt, const char *x)
{
    if (is_narrow(dt) && dt != DTtf32)
        return s->w->float_bits(s, dt, x);
    return scalar_bits(s, bits_type(dt), dt == DTbool ? DTi32 : dt, x);
}

void atomic_index(Prog *p, const Stmt *s, int lane, Ex *idx)
{
    int n = p->buf[s->atomic.buf].ndim;
    memcpy(idx, s->atomic.idx, sizeof s->atomic.idx);
    if (lane)
        idx[n - 1] = x_bin(p, Xadd, idx[n - 1], x_int(p, DTi32, lane));
}

Ex atomic_stored(Prog *p, const Stmt *s, const Ex *idx, int lane, Ex *was)
{
    const Buf *b = &p->buf[s->atomic.buf];
    enum Dtype dt = (enum Dtype)b->dt;
    *was = x_load(p, s->atomic.buf, idx, b->ndim);
    return s->atomic.kind == ATload
               ? 0 : x_cast(p, dt, red_update(p, s->atomic.kind, *was, s->atomic.value[lane]));
}

/* Helpers ------------------------------------------------------------------ */

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

static void loop_text(Emit *e, Str *s, int kind, enum Dtype dt)
{
    int bits = dtypeinfo[dt].bits;
    const char *word = bits == 64 ? "unsigned long long" : "unsigned", *v = flight_type(dt);
    const char *part = "was", *next;
    next = atomic_to_bits(&priv(e)->scalar, dt, atomic_next(&priv(e)->scalar, kind, dt, "x"));
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
    str_fmt(s, "        x = %s;\n", atomic_from_bits(&priv(e)->scalar, dt, part));
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
    Scalar *x = &priv(e)->scalar;
    const char *t = e->d->type(e, bits_type(dt));
    if (kind == ATload)
        str_fmt(s, "    return %s;\n",
                atomic_from_bits(x, dt, afmt(&e->p->ctx, "*(const volatile %s *)p", t)));
    else
        str_fmt(s, "    *(volatile %s *)p = %s;\n    return v;\n", t,
                atomic_to_bits(x, dt, "v"));
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

static void atomic_declare(Emit *e, const Stmt *s, const char *value)
{
    enum Dtype dt = (enum Dtype)e->p->var[s->atomic.prev].dt;
    emit_line(e, "const %s %s = %s;", flight_type(dt), emit_name_var(e, s->atomic.prev), value);
}

/* Registers are the thread's own: a read and a write. */
static void atomic_in_place(Emit *e, const Stmt *s)
{
    Ex idx[MaxDim], was;
    for (int l = 0; l < s->atomic.lanes || l == 0; l++) {
        atomic_index(e->p, s, l, idx);
        Ex stored = atomic_stored(e->p, s, idx, l, &was);
        if (s->atomic.prev)
            atomic_declare(e, s, emit_top(e, was));
        if (stored)
            store_line(e, s->atomic.buf, idx, stored);
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
    const char *name = atomic_name(c, s->atomic.kind, dt);
    Ex idx[MaxDim];
    atomic_index(e->p, s, lane, idx);
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
