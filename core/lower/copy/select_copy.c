/* core/lower/copy/select_copy.c: how the elements of a copy travel: as a parallel loop of
 * loads and stores, by cp.async, or as boxes of TMA.
 *
 * Here only what the user asks for is decided; pipelines ask select_async() and
 * select_tma() for the copies that they move.  Reference: lowering.md 3.6, 6.3. */
#include <string.h>

#include "core/ir/eval.h"
#include "select.h"
#include "core/ir/walk.h"
#include "err/lower.h"

#define TEXT(...) afmt(&l->p->ctx, __VA_ARGS__)

enum { CopyPrefer = 3, CopyNoTma = 1, PreferTma = 1, PreferAsync = 2 };
enum { MaxBox = 256, MaxRank = 5, AsyncBytes = 4, TmaBytes = 16 };

static const Buf *select_copy_bufof(const Low *l, const Region *r) { return &l->p->buf[r->buf]; }

static bool refuse_because(const char **why, const char *text)
{
    *why = text;
    return false;
}

/* Elements between neighbours along dimension d. */
static Ex select_copy_pitch(Low *l, const Buf *b, int d)
{
    if (b->stride[d])
        return b->stride[d];
    Ex e = low_i(l, 1);
    for (int i = b->ndim - 1; i > d; i--)
        e = x_bin(l->p, Xmul, e, x_cast(l->p, DTi32, b->shape[i]));
    return e;
}

static const char *select_copy_shown(Low *l, Ex e)
{
    Str s = {0};
    ex_print(l->p, e, &s);
    const char *t = astr(&l->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* Both sides: scopes and types.  store: shared to global is fine too. */
static bool sides(Low *l, const Stmt *s, bool store, const char **why)
{
    const Buf *a = select_copy_bufof(l, &s->op.r[0]), *b = select_copy_bufof(l, &s->op.r[1]);
    bool in = a->scope == SCglobal && b->scope == SCshared;
    bool out = a->scope == SCshared && b->scope == SCglobal;
    if (!in && !(out && store))
        return refuse_because(why, TEXT("`%s` %s, `%s` %s", a->name, scopename[a->scope], b->name,
                                        scopename[b->scope]));
    if (a->dt != b->dt)
        return refuse_because(why, TEXT("`%s` %s, `%s` %s", a->name, dtypeinfo[a->dt].name, b->name,
                                        dtypeinfo[b->dt].name));
    int64_t v;
    double zero = 0;
    Ex safe = in ? buf_safe(l->p, l->launch, s->op.r[0].buf) : 0;
    if (safe) { /* both can only fill up with zeros */
        const Expr *x = ex_at(l->p, safe);
        bool is = x->op == Xfloat ? memcmp(&x->f, &zero, sizeof zero) == 0
                                  : x_isint(l->p, safe, &v) && v == 0;
        if (!is)
            return refuse_because(why, TEXT("`%s`: T.annotate_safe_value", a->name));
    }
    return true;
}

/* The extents that are not 1, paired in order: false when a side has other ones. */
static int last_extent(Low *l, const Region *r, int64_t *n)
{
    const Buf *b = select_copy_bufof(l, r);
    for (int d = b->ndim - 1; d >= 0; d--)
        if (x_isint(l->p, r->extent[d], n) && *n != 1)
            return d;
    *n = 1;
    return b->ndim - 1;
}

bool select_async(Low *l, const Stmt *s, const char **why)
{
    const Region *g = &s->op.r[0];
    const Buf *b = select_copy_bufof(l, g);
    int64_t n, v;
    if (!l->m->cp_async || (s->op.op == Oasync_copy && l->m->asked_async))
        return refuse_because(why, l->m->name);
    if (!sides(l, s, false, why))
        return false;
    int bits = dtypeinfo[b->dt].bits, d = last_extent(l, g, &n);
    int per = AsyncBytes * 8 / bits;
    if (!x_isint(l->p, select_copy_pitch(l, b, d), &v) || v != 1)
        return refuse_because(why, TEXT("`%s`: stride[%d] != 1", b->name, d));
    if (per > 1 && n % per)
        return refuse_because(
            why, TEXT("`%s`: %lld * %d B %% %d != 0", b->name, (long long)n, bits / 8, AsyncBytes));
    if (per > 1 && !x_multiple(l->p, g->min[d], per))
        return refuse_because(why, TEXT("`%s`: %d B", b->name, bits / 8));
    for (int k = 0; k < b->ndim; k++) /* a symbolic pitch is tested when the kernel runs */
        if (k != d && per > 1 && x_isint(l->p, select_copy_pitch(l, b, k), &v) && v % per)
            return refuse_because(why, TEXT("`%s`: %lld * %d B %% %d != 0", b->name, (long long)v,
                                            bits / 8, AsyncBytes));
    return true;
}

typedef struct SelectNamed SelectNamed;
struct SelectNamed { const Low *l; const char *name; };

static bool select_copy_var(void *ud, Ex e)
{
    SelectNamed *k = ud;
    const Prog *p = k->l->p;
    const Expr *x = ex_at(p, e);
    bool is = x->op == Xload && p->buf[x->sym].scope == SCvar;
    k->name = is ? p->buf[x->sym].name : k->name;
    return is;
}

/* What the user calls e, or that in it of which each thread has its own. */
static const char *select_copy_named(Low *l, Ex e)
{
    SelectNamed k = {l, NULL};
    ex_any_let(l->p, e, select_copy_var, &k);
    return k.name ? k.name : select_copy_shown(l, e);
}

/* One thread starts a copy, with its own values.  Where the user asks for TMA, only what is known
 * to differ between threads is refused, as a box at each thread's own index; not what is read from
 * memory or from variables, which TileLang takes from that thread, too. */
static bool select_copy_alike(Low *l, const Stmt *s, Ex e)
{
    return low_uniform(l, e) || (s->op.op != Ocopy && !eval_depends(l->p, e, l->tid));
}

/* Is there a piece that so many elements are a multiple of, in whole steps of 16? */
static bool select_copy_cuts(int64_t n)
{
    int64_t k = MaxBox;
    while (k >= MaxBox / 4 && n % k)
        k -= TmaBytes;
    return k >= MaxBox / 4;
}

/* The box of one dimension; larger ones are cut into pieces of 256, where the user asks for TMA
 * also into less. */
static bool select_copy_box(Low *l, const Stmt *s, const Region *g, int d, const char **why)
{
    const Buf *b = select_copy_bufof(l, g);
    int64_t n;
    if (!x_isint(l->p, g->extent[d], &n))
        return refuse_because(why, TEXT("`%s`: extent[%d]", b->name, d));
    if (n > MaxBox && (s->op.op == Ocopy ? n % MaxBox != 0 : !select_copy_cuts(n)))
        return refuse_because(why, TEXT("`%s`: %lld > %d", b->name, (long long)n, MaxBox));
    if (!select_copy_alike(l, s, g->min[d]))
        return refuse_because(why, TEXT("`%s`: `%s` in index %d may differ between threads", b->name,
                                        select_copy_named(l, g->min[d]), d));
    return true;
}

/* Rows of the box begin at 16 bytes of memory: what reads elsewhere stops with an illegal
 * instruction.  Where the user asks for TMA, only what is known to be wrong is refused; the
 * simulator tells the rest. */
static bool select_copy_begins(Low *l, const Stmt *s, const Region *g, int per, const char **why)
{
    const Buf *b = select_copy_bufof(l, g);
    int last = b->ndim - 1;
    int64_t v;
    if (x_multiple(l->p, g->min[last], per) ||
        (s->op.op != Ocopy && !(x_isint(l->p, g->min[last], &v) && v % per)))
        return true;
    return refuse_because(why, TEXT("`%s`: min[%d] %% %d != 0", b->name, last, per));
}

bool select_tma(Low *l, const Stmt *s, const char **why)
{
    if (!l->m->tma)
        return refuse_because(why, l->m->name);
    if (s->op.op == Ocopy && s->op.attr[CopyNoTma])
        return refuse_because(why, "disable_tma");
    if (!sides(l, s, true, why))
        return false;
    const Region *g = &s->op.r[select_copy_bufof(l, &s->op.r[0])->scope == SCglobal ? 0 : 1];
    const Region *m = &s->op.r[g == &s->op.r[0]];
    const Buf *b = select_copy_bufof(l, g);
    int bits = dtypeinfo[b->dt].bits, last = b->ndim - 1, per = TmaBytes * 8 / bits;
    int64_t n, v, inner;
    if (bits < 8 || b->ndim > MaxRank)
        return refuse_because(why, TEXT("`%s` %s, %d-D", b->name, dtypeinfo[b->dt].name, b->ndim));
    if (!x_isint(l->p, select_copy_pitch(l, b, last), &v) || v != 1)
        return refuse_because(why, TEXT("`%s`: stride[%d] != 1", b->name, last));
    for (int d = 0; d < last; d++)
        if (!x_multiple(l->p, select_copy_pitch(l, b, d), per))
            return refuse_because(why, TEXT("`%s`: stride[%d] = %s * %d B %% %d != 0", b->name, d,
                                            select_copy_shown(l, select_copy_pitch(l, b, d)),
                                            bits / 8, TmaBytes));
    for (int d = 0; d <= last; d++)
        if (!select_copy_box(l, s, g, d, why))
            return false;
    if (!x_isint(l->p, g->extent[last], &n) || n % per)
        return refuse_because(
            why, TEXT("`%s`: %lld * %d B %% %d != 0", b->name, (long long)n, bits / 8, TmaBytes));
    if (!select_copy_begins(l, s, g, per, why))
        return false;
    int md = last_extent(l, m, &inner);
    if (inner != n && n != 1)
        return refuse_because(why,
                              TEXT("`%s`: extent[%d] %lld != %lld", select_copy_bufof(l, m)->name,
                                   md, (long long)inner, (long long)n));
    if (!x_multiple(l->p, m->min[md], per))
        return refuse_because(
            why, TEXT("`%s`: min[%d] %% %d != 0", select_copy_bufof(l, m)->name, md, per));
    return true;
}

/* One run of elements, certainly inside: needs no tensor map. */
static bool bulk(Low *l, const Stmt *s)
{
    const Prog *p = l->p;
    const char *why;
    bool in = select_copy_bufof(l, &s->op.r[0])->scope == SCglobal;
    const Region *g = &s->op.r[!in];
    const Buf *b = select_copy_bufof(l, g);
    int64_t n, lo, hi, size, v;
    int per = TmaBytes * 8 / dtypeinfo[b->dt].bits;
    if (!l->m->tma || !sides(l, s, true, &why) || b->ndim != 1 || (b->stride[0] &&
        (!x_isint(p, b->stride[0], &v) || v != 1)))
        return false;
    return x_isint(p, g->extent[0], &n) && n % per == 0 && x_isint(p, b->shape[0], &size) &&
           x_range(p, g->min[0], &lo, &hi) && lo >= 0 && hi + n <= size &&
           x_multiple(p, g->min[0], per) && low_uniform(l, g->min[0]);
}

static bool tma(Low *l, const Stmt *s, CopyPlan *c, const char **why)
{
    c->how = bulk(l, s) ? CPbulk : select_tma(l, s, why) ? CPtma : CPloop;
    return c->how != CPloop;
}

static bool select_copy_async(Low *l, const Stmt *s, CopyPlan *c, const char **why)
{
    c->how = select_async(l, s, why) ? CPasync : CPloop;
    return c->how != CPloop;
}

CopyPlan *select_copy(Low *l, Stmt *s)
{
    CopyPlan *c = anew(&l->p->ctx, sizeof *c);
    const char *why = NULL;
    c->how = CPloop;
    switch (s->op.op) {
    case Otma_copy: case Otma_put:
        if (!tma(l, s, c, &why))
            diag_fail(&l->p->ctx, E_copy_tma, s->loc, opinfo[s->op.op].text, why, NULL);
        c->bar = s->op.op == Otma_copy ? s->op.r[2].buf : 0;
        break;
    case Oasync_copy:
        if (!select_copy_async(l, s, c, &why))
            low_note(l, E_copy_plain, s, "cp.async", why);
        break;
    default:
        if (s->op.attr[CopyPrefer] == PreferTma && !tma(l, s, c, &why))
            low_note(l, E_copy_plain, s, "TMA", why);
        if (s->op.attr[CopyPrefer] == PreferAsync && !select_copy_async(l, s, c, &why))
            low_note(l, E_copy_plain, s, "cp.async", why);
    }
    if (c->how == CPtma) /* boxes begin at 128 bytes */
        low_async(l, s->op.r[l->p->buf[s->op.r[0].buf].scope == SCglobal].buf);
    return c;
}

Stmt *select_waits(Low *l, Stmt *s)
{
    const CopyPlan *c = copy_plan(s);
    if (s->op.op != Ocopy || c->how != CPasync)
        return s;
    low_begin(l, s->loc);
    s_op(l->p, Ocp_async_wait, (Region[MaxRegion]){{0}}, 0, NULL, NULL);
    return low_append(s, low_end(l));
}
