/* core/emit/mem.c: addresses, loads, stores, registers. */
#include <inttypes.h>
#include <string.h>

#include "emit_p.h"

bool in_registers(const Emit *e, uint32_t buf)
{
    uint8_t s = e->p->buf[buf_root(e->p, buf)].scope;
    return s == SClocal || s == SCfragment || s == SCvar;
}

bool is_variable(const Emit *e, uint32_t buf)
{
    return e->p->buf[buf_root(e->p, buf)].scope == SCvar;
}

bool is_nibble(const Emit *e, uint32_t buf) { return dtypeinfo[e->p->buf[buf].dt].bits == 4; }

const char *buf_type(Emit *e, uint32_t buf)
{
    return is_nibble(e, buf) ? "unsigned char" : e->d->type(e, (enum Dtype)e->p->buf[buf].dt);
}

static Ex mem_int(Emit *e, int64_t v) { return x_int(e->p, DTi32, v); }
static Ex mem_add(Emit *e, Ex a, Ex b) { return x_bin(e->p, Xadd, a, b); }
static Ex modulo(Emit *e, Ex a, int64_t k) { return x_bin(e->p, Xfmod, a, mem_int(e, k)); }

static Ex mem_times(Emit *e, Ex a, int64_t k)
{
    return k == 1 ? a : x_bin(e->p, Xmul, a, mem_int(e, k));
}

static Ex mem_divided(Emit *e, Ex a, int64_t k)
{
    return k == 1 ? a : x_bin(e->p, Xfdiv, a, mem_int(e, k));
}

Ex reg_index(Emit *e, uint32_t buf, const Ex *idx)
{
    Ex x = mem_int(e, 0);
    int n = e->p->buf[buf].ndim;
    for (int d = 0; d < n; d++)
        x = mem_add(e, x_bin(e->p, Xmul, x, e->p->buf[buf].shape[d]), idx[d]);
    return x;
}

/* Layouts of shared memory ------------------------------------------------ */

static bool pow2(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

/* The mode's value, 0 .. extent - 1, of an index. */
static Ex mode_of_index(Emit *e, const Layout *m, const Mode *g, const Ex *idx)
{
    Ex v = mem_divided(e, idx[g->dim], g->weight);
    return (int64_t)g->weight * g->extent < m->extent[g->dim] ? modulo(e, v, g->extent) : v;
}

/* Parts of an offset: below and from bit `low` on, and the bits that are XORed in. */
typedef struct IndexParts IndexParts;
struct IndexParts { Ex above, below, source; };

/* Adds one mode; its stride and extent are powers of two. */
static void split_mode(Emit *e, const Layout *m, const Mode *g, const Ex *idx, IndexParts *q)
{
    int low = m->x.base + m->x.bits, from = m->x.base + m->x.shift;
    int64_t s = g->stride, top = s * g->extent, cut = (int64_t)1 << low;
    int64_t first = (int64_t)1 << from, last = first << m->x.bits;
    Ex v = mode_of_index(e, m, g, idx);
    if (s >= cut) {
        q->above = mem_add(e, q->above, mem_times(e, v, s));
    } else if (top <= cut) {
        q->below = mem_add(e, q->below, mem_times(e, v, s));
    } else {
        q->above = mem_add(e, q->above, mem_times(e, mem_divided(e, v, cut / s), cut));
        q->below = mem_add(e, q->below, mem_times(e, modulo(e, v, cut / s), s));
    }
    if (s >= first && s < last)
        q->source =
            mem_add(e, q->source, mem_times(e, top > last ? modulo(e, v, last / s) : v, s / first));
    else if (s < first && top > first) {
        v = mem_divided(e, v, first / s);
        q->source = mem_add(e, q->source, top > last ? modulo(e, v, last / first) : v);
    }
}

/* off ^ ((off >> (base + shift)) & mask) << base.  The bits that change stand in a
 * term of their own, so that the rest remains a sum of constants and thread numbers
 * that the compiler folds into addresses. */
static Ex mem_swizzled(Emit *e, const Layout *m, const Ex *idx)
{
    IndexParts q = {mem_int(e, 0), mem_int(e, 0), mem_int(e, 0)};
    bool fits = true;
    int64_t v;
    for (int i = 0; i < m->n; i++)
        fits = fits && pow2(m->d[i].stride) && pow2(m->d[i].extent);
    for (int i = 0; fits && i < m->n; i++)
        split_mode(e, m, &m->d[i], idx, &q);
    if (!fits) {
        Ex off = mem_int(e, 0);
        for (int i = 0; i < m->n; i++)
            off = mem_add(e, off, mem_times(e, mode_of_index(e, m, &m->d[i], idx), m->d[i].stride));
        q.below = off;
        q.source = modulo(e, mem_divided(e, off, (int64_t)1 << (m->x.base + m->x.shift)),
                          (int64_t)1 << m->x.bits);
    }
    if (x_isint(e->p, q.source, &v) && v == 0)
        return mem_add(e, q.above, q.below);
    return mem_add(e, q.above,
                   x_bin(e->p, Xbxor, q.below, mem_times(e, q.source, (int64_t)1 << m->x.base)));
}

static Ex shared_index(Emit *e, uint32_t buf, const Ex *idx)
{
    const Layout *m = e->p->buf[buf].map;
    Ex off = mem_int(e, 0);
    if (!m)
        return reg_index(e, buf, idx);
    if (m->x.bits)
        return mem_swizzled(e, m, idx);
    for (int i = 0; i < m->n; i++)
        off = mem_add(e, off, mem_times(e, mode_of_index(e, m, &m->d[i], idx), m->d[i].stride));
    return off;
}

/* Global memory ---------------------------------------------------------- */

/* Can every offset be computed in 32 bits? */
static bool mem_fits32(Emit *e, uint32_t buf)
{
    const Buf *b = &e->p->buf[buf];
    int64_t last = 0, n, s = 1;
    for (int d = b->ndim; d-- > 0;) {
        if (!x_isint(e->p, b->shape[d], &n) || (b->stride[d] && !x_isint(e->p, b->stride[d], &s)))
            return false;
        last += (n - 1) * s;
        s = n > 0 && s < INT32_MAX ? s * n : s;
        if (last > INT32_MAX)
            return false;
    }
    return true;
}

/* Are the sizes of the dimensions behind d numbers? */
static bool constant_behind(Emit *e, uint32_t buf, int d)
{
    int64_t v;
    for (int k = d + 1; k < e->p->buf[buf].ndim; k++)
        if (!x_isint(e->p, e->p->buf[buf].shape[k], &v))
            return false;
    return true;
}

/* ((i * 56 + j) * 64 + k): one dimension after the other; zeros in front are left out. */
static const char *row_major(Emit *e, uint32_t buf, const Ex *idx, int prec)
{
    Ctx *c = &e->p->ctx;
    const char *s = NULL;
    bool wide = !mem_fits32(e, buf);
    int n = e->p->buf[buf].ndim, at = PRpost;
    int64_t v, size_, first = 0;
    for (int d = 0; d < n; d++) {
        bool fixed = x_isint(e->p, idx[d], &v), zero = fixed && v == 0, last = d == n - 1;
        if (!s) {
            Ex x = idx[d];
            if (first && x_isint(e->p, e->p->buf[buf].shape[d], &size_)) {
                first *= size_;
                x = x_bin(e->p, Xadd, x, x_int(e->p, wide ? DTi64 : DTi32, first));
                fixed = x_isint(e->p, x, &v);
            }
            if (!last && fixed && (v == 0 || constant_behind(e, buf, d))) {
                first = v; /* what is known so far is one number */
                continue;
            }
            bool cast = wide && !last && ex_type(e->p, x) != DTi64;
            s = ex_text(e, x, cast ? PRunary : last ? prec : PRmul);
            s = cast ? afmt(c, "(long long)%s", s) : s;
            at = last ? PRpost : PRmul;
            first = 0;
            continue;
        }
        Ex size = e->p->buf[buf].shape[d];
        s = afmt(c, "%s * %s", paren(e, at == PRadd, s), ex_text(e, size, PRunary));
        at = PRmul;
        if (!zero) {
            s = afmt(c, "%s + %s", s, ex_text(e, idx[d], PRterm));
            at = PRadd;
        }
    }
    return paren(e, prec > at, s ? s : "0");
}

static const char *strided(Emit *e, uint32_t buf, const Ex *idx, int prec)
{
    Ctx *c = &e->p->ctx;
    const char *s = NULL;
    bool wide = !mem_fits32(e, buf);
    int64_t v;
    for (int d = 0; d < e->p->buf[buf].ndim; d++) {
        Ex step = e->p->buf[buf].stride[d];
        bool one = x_isint(e->p, step, &v) && v == 1;
        if (x_isint(e->p, idx[d], &v) && v == 0)
            continue;
        const char *t = ex_text(e, idx[d], one ? PRterm : wide ? PRunary : PRmul);
        if (!one)
            t = afmt(c, "%s%s * %s", wide ? "(long long)" : "", t, ex_text(e, step, PRunary));
        s = s ? afmt(c, "%s + %s", s, t) : t;
    }
    return paren(e, prec > PRadd, s ? s : "0");
}

static const char *offset_text(Emit *e, uint32_t buf, const Ex *idx, int prec)
{
    const Buf *b = &e->p->buf[buf];
    if (e->p->buf[buf_root(e->p, buf)].scope != SCglobal)
        return ex_text(e, shared_index(e, buf, idx), prec);
    return b->ndim && b->stride[0] ? strided(e, buf, idx, prec) : row_major(e, buf, idx, prec);
}

/* The type of a buffer's elements; of a view of another type one that may stand for those. */
static const char *view_type(Emit *e, uint32_t buf, uint32_t root)
{
    const char *type = buf_type(e, buf);
    bool same = strcmp(type, buf_type(e, root)) == 0;
    return same || !e->d->word ? type : afmt(&e->p->ctx, "%s<%s>", emit_need(e, "any"), type);
}

/* The name of the first element, as something that [] may follow. */
static const char *base_text(Emit *e, uint32_t buf)
{
    Ctx *c = &e->p->ctx;
    uint32_t root = buf_root(e->p, buf);
    const Buf *b = &e->p->buf[buf], *r = &e->p->buf[root];
    bool global = r->scope == SCglobal, moved = !global && b->at >= 0 && b->at != r->at;
    if (e->bufname[buf])
        return e->bufname[buf];
    if (moved)
        return afmt(c, "((%s *)(smem + %" PRId64 "))", view_type(e, buf, root), b->at);
    if (strcmp(buf_type(e, buf), buf_type(e, root)) == 0)
        return emit_bufname(e, root);
    return afmt(c, "((%s *)%s)", view_type(e, buf, root), emit_bufname(e, root));
}

const char *emit_pointer(Emit *e, uint32_t buf, const Ex *idx)
{
    Ctx *c = &e->p->ctx;
    if (is_nibble(e, buf))
        return afmt(c, "&%s[%s / 2]", base_text(e, buf), offset_text(e, buf, idx, PRmul));
    const char *off = offset_text(e, buf, idx, PRany), *base = base_text(e, buf);
    return strcmp(off, "0") == 0 ? base : afmt(c, "&%s[%s]", base, off);
}

const char *emit_shared(Emit *e, const Region *r)
{
    return afmt(&e->p->ctx, "%s(%s)", emit_need(e, "shared_address"),
                emit_pointer(e, r->buf, r->min));
}

/* Registers -------------------------------------------------------------- */

/* Register of a local buffer: "Cl[i * 4]". */
static const char *emit_reg(Emit *e, uint32_t buf, const char *reg)
{
    return afmt(&e->p->ctx, "%s[%s]", emit_bufname(e, buf), reg);
}

const char *emit_regs(Emit *e, const Region *r)
{
    int64_t v, n = 1;
    bool first = x_isint(e->p, r->min[0], &v) && v == 0;
    x_isint(e->p, e->p->buf[r->buf].shape[0], &n);
    if (first && n > 1)
        return emit_bufname(e, r->buf);
    return afmt(&e->p->ctx, "&%s", emit_reg(e, r->buf, emit_top(e, r->min[0])));
}

/* Elements ---------------------------------------------------------------- */

const char *element_text(Emit *e, uint32_t buf, const Ex *idx)
{
    if (is_variable(e, buf))
        return emit_bufname(e, buf);
    if (in_registers(e, buf))
        return emit_reg(e, buf, ex_text(e, reg_index(e, buf, idx), PRany));
    return afmt(&e->p->ctx, "%s[%s]", base_text(e, buf), offset_text(e, buf, idx, PRany));
}

enum Dtype kept_type(const Emit *e, uint32_t buf)
{
    return (enum Dtype)e->p->buf[in_registers(e, buf) ? buf_root(e->p, buf) : buf].dt;
}

const char *read_text(Emit *e, Ex load, int prec)
{
    Ctx *c = &e->p->ctx;
    Expr k = *ex_at(e->p, load);
    enum Dtype dt = (enum Dtype)k.dt, kept = kept_type(e, k.sym);
    (void)prec;
    if (is_nibble(e, k.sym) && !in_registers(e, k.sym))
        return afmt(c, "%s(%s, %s)", emit_need(e, dt == DTi4 ? "i4_get" : "u4_get"),
                    base_text(e, k.sym), offset_text(e, k.sym, k.arg, PRany));
    const char *t = element_text(e, k.sym, k.arg);
    char cls = dtypeinfo[kept].cls;
    if (load == priv(e)->once && (cls == 'I' || cls == 'U' || cls == 'B'))
        t = afmt(c, "*(const volatile %s *)&%s", e->d->type(e, kept), t);
    if (!is_variable(e, k.sym))
        t = from_stored(e, kept, t, !in_registers(e, k.sym));
    return bits_text(e, dt, kept, t);
}

/* The assignment of what is stored, a text of a value as memory holds it. */
static const char *mem_store_text(Emit *e, uint32_t buf, const Ex *idx, const char *stored)
{
    Ctx *c = &e->p->ctx;
    if (is_nibble(e, buf) && !in_registers(e, buf))
        return afmt(c, "%s(%s, %s, %s)", emit_need(e, "i4_put"), base_text(e, buf),
                    offset_text(e, buf, idx, PRany), stored);
    return afmt(c, "%s = %s", element_text(e, buf, idx), stored);
}

void store_line(Emit *e, uint32_t buf, const Ex *idx, Ex x)
{
    enum Dtype kept = kept_type(e, buf), dt = ex_type(e->p, x);
    ex_begin(e, &x, 1);
    if (dt != kept && dtypeinfo[dt].bits == dtypeinfo[kept].bits &&
        kept != (enum Dtype)e->p->buf[buf].dt)
        x = x_bits(e->p, kept, x);
    else if (dt != kept)
        x = x_cast(e->p, kept, x);
    const char *value = is_variable(e, buf) ? ex_text(e, x, PRany) : stored_text(e, x, kept, PRany);
    const char *text = mem_store_text(e, buf, idx, value);
    ex_end(e);
    emit_line(e, "%s;", text);
}
