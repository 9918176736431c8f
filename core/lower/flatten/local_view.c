/* core/lower/flatten/local_view.c: views of each thread's own arrays that have elements of another width.
 *
 *     l: local int4[8]                  V[k] = v      l[2 * k] = int4 of the low bits of v
 *     view V of l: uint8[4]        ->                 l[2 * k + 1] = int4 of the high ones
 *     .. = V[k]                         .. = l[2 * k] | l[2 * k + 1] << 4
 *
 * Such an array is registers, which have no bytes: an element is put together from, or cut out of, those of
 * the array.  Views of the same width are the emitters' (bits under another type). */
#include "flatten.h"

/* A view and its array.  Elements of the wider of both hold n of the other's. */
typedef struct LocalView LocalView;
struct LocalView { uint32_t root; enum Dtype dt, held, word; int bits, n; bool narrow; };

static bool local_view_of(const Prog *p, uint32_t buf, LocalView *v)
{
    if (!buf || p->buf[buf].scope != SClocal || !p->buf[buf].base)
        return false;
    v->root = buf_root(p, buf);
    v->dt = (enum Dtype)p->buf[buf].dt;
    v->held = (enum Dtype)p->buf[v->root].dt;
    int a = dtypeinfo[v->dt].bits, b = dtypeinfo[v->held].bits;
    v->narrow = a < b;
    v->bits = v->narrow ? a : b;
    v->n = v->narrow ? b / a : a / b;
    v->word = a == 64 || b == 64 ? DTu64 : DTu32;
    return a != b || (v->dt == DTbool) != (v->held == DTbool); /* a bool has no bits to be taken as they are */
}

static enum Dtype unsigned_of(enum Dtype t)
{
    switch (dtypeinfo[t].bits) {
    case 4: return DTu4;
    case 8: return DTu8;
    case 16: return DTu16;
    case 32: return DTu32;
    default: return DTu64;
    }
}

/* The bits of a value of type t, in a word. */
static Ex local_view_bits(Low *l, const LocalView *v, enum Dtype t, Ex e)
{
    e = t == DTbool ? x_cast(l->p, DTu8, e) : x_bits(l->p, unsigned_of(t), e);
    return x_cast(l->p, v->word, e);
}

/* The value of type t whose bits are the lowest of a word. */
static Ex local_view_value(Low *l, enum Dtype t, Ex word)
{
    if (t == DTbool)
        return x_bin(l->p, Xne, word, x_int(l->p, ex_type(l->p, word), 0));
    return x_bits(l->p, t, x_cast(l->p, unsigned_of(t), word));
}

static Ex local_view_flat(Low *l, uint32_t buf, const Ex *idx)
{
    Ex flat = low_i(l, 0);
    for (int d = 0; d < l->p->buf[buf].ndim; d++)
        flat = low_add(l, x_bin(l->p, Xmul, flat, l->p->buf[buf].shape[d]), idx[d]);
    return flat;
}

static void local_view_index(Low *l, uint32_t buf, Ex flat, Ex *idx)
{
    Prog *p = l->p;
    for (int d = p->buf[buf].ndim - 1; d > 0; d--) {
        idx[d] = x_bin(p, Xfmod, flat, p->buf[buf].shape[d]);
        flat = x_bin(p, Xfdiv, flat, p->buf[buf].shape[d]);
    }
    idx[0] = flat;
}

/* Where part q of an element of n parts lies in its word. */
static Ex local_view_shift(Low *l, const LocalView *v, Ex q)
{
    return x_cast(l->p, v->word, x_bin(l->p, Xmul, q, low_i(l, v->bits)));
}

static Ex local_view_load(Low *l, Ex e, void *ud)
{
    Prog *p = l->p;
    Expr x = *ex_at(p, e);
    Ex idx[MaxDim];
    LocalView v;
    (void)ud;
    if (x.op != Xload || !local_view_of(p, x.sym, &v))
        return e;
    Ex flat = local_view_flat(l, x.sym, x.arg), n = low_i(l, v.n), word = 0;
    if (v.narrow) {
        local_view_index(l, v.root, x_bin(p, Xfdiv, flat, n), idx);
        word = local_view_bits(l, &v, v.held, low_load(l, v.root, idx));
        word = x_bin(p, Xshr, word, local_view_shift(l, &v, x_bin(p, Xfmod, flat, n)));
        return local_view_value(l, v.dt, x_bin(p, Xband, word, x_int(p, v.word, (1LL << v.bits) - 1)));
    }
    for (int q = 0; q < v.n; q++) {
        local_view_index(l, v.root, low_add(l, x_bin(p, Xmul, flat, n), low_i(l, q)), idx);
        Ex part = local_view_bits(l, &v, v.held, low_load(l, v.root, idx));
        part = x_bin(p, Xshl, part, local_view_shift(l, &v, low_i(l, q)));
        word = q ? x_bin(p, Xbor, word, part) : part;
    }
    return local_view_value(l, v.dt, word);
}

/* root[at] = what of it v's value leaves, and the value. */
static void local_view_insert(Low *l, const LocalView *v, Ex flat, Ex value)
{
    Prog *p = l->p;
    Ex idx[MaxDim], n = low_i(l, v->n), at = local_view_shift(l, v, x_bin(p, Xfmod, flat, n));
    local_view_index(l, v->root, x_bin(p, Xfdiv, flat, n), idx);
    Ex was = local_view_bits(l, v, v->held, low_load(l, v->root, idx));
    Ex hole = x_bin(p, Xshl, x_int(p, v->word, (1LL << v->bits) - 1), at);
    Ex rest = x_bin(p, Xband, was, x_un(p, Xbnot, hole));
    Ex new = x_bin(p, Xshl, local_view_bits(l, v, v->dt, value), at);
    low_put(l, low_store(l, v->root, idx, local_view_value(l, v->held, x_bin(p, Xbor, rest, new))));
}

static Stmt *local_view_store(Low *l, Stmt *s, bool *into, void *ud)
{
    Prog *p = l->p;
    LocalView v;
    (void)into;
    (void)ud;
    if (s->kind != Sstore || !local_view_of(p, s->store.buf, &v))
        return s;
    low_begin(l, s->loc);
    Ex flat = local_view_flat(l, s->store.buf, s->store.idx);
    if (v.narrow) {
        local_view_insert(l, &v, flat, s->store.value);
        return low_end(l);
    }
    /* the value and the place may be read from what is stored into */
    Ex word = x_var(p, s_let(p, "word", local_view_bits(l, &v, v.dt, s->store.value)));
    int64_t known;
    if (!x_isint(p, flat, &known))
        flat = x_var(p, s_let(p, "at", flat));
    for (int q = 0; q < v.n; q++) {
        Ex idx[MaxDim], part = x_bin(p, Xshr, word, local_view_shift(l, &v, low_i(l, q)));
        local_view_index(l, v.root, low_add(l, x_bin(p, Xmul, flat, low_i(l, v.n)), low_i(l, q)), idx);
        part = x_bin(p, Xband, part, x_int(p, v.word, (1LL << v.bits) - 1));
        low_put(l, low_store(l, v.root, idx, local_view_value(l, v.held, part)));
    }
    return low_end(l);
}

void flat_local_views(Low *l)
{
    low_map(l, l->launch->launch.body, local_view_load, NULL);
    low_rewrite(l, &l->launch->launch.body, local_view_store, NULL);
}
