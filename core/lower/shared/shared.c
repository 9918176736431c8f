/* core/lower/shared/shared.c: where the elements of each shared buffer stand.
 *
 * In this order: what a pass has set already; the user's annotation; the wish
 * that the matrix instructions left in BufLow.span; row-major, with an XOR where
 * that spares bank conflicts (spread.c).  Leading dimensions that a layout does
 * not name, and the stages of a pipeline, stay outermost, each stage aligned so
 * that its swizzle begins anew. */
#include <stdlib.h>
#include <string.h>

#include "core/lower/build/low.h"
#include "shared.h"
#include "err/pipes.h"

enum { Padded = -1, Phased = -2 }; /* BufLow.span beside the bytes of a swizzle */

typedef struct Shared Shared;
struct Shared {
    Low *l;
    uint32_t buf;
    int bits;             /* of an element */
    int ndim, lead;       /* of the buffer; 1 when dimension 0 is a pipeline's stages */
    int32_t size[LayDims];
};

static Buf *shared_bufof(const Shared *s) { return &s->l->p->buf[s->buf]; }

#define TEXT(...) afmt(&s->l->p->ctx, __VA_ARGS__)

static void shared_sizes(Shared *s)
{
    const Prog *p = s->l->p;
    const Buf *b = shared_bufof(s);
    s->ndim = b->ndim;
    s->bits = dtypeinfo[b->dt].bits;
    s->lead = low_buf(s->l, s->buf)->versions > 0;
    for (int d = 0; d < b->ndim; d++) {
        int64_t v;
        if (!x_isint(p, b->shape[d], &v) || v < 1 || v > INT32_MAX)
            diag_fail(&s->l->p->ctx, E_shared_dynamic, b->loc, b->name, NULL);
        s->size[d] = (int32_t)v;
    }
}

static const char *shared_shape_text(const Shared *s, const int32_t *size, int n)
{
    Str t = {0};
    str_puts(&t, "(");
    for (int d = 0; d < n; d++)
        str_fmt(&t, "%s%d", d ? ", " : "", size[d]);
    str_puts(&t, ")");
    const char *text = astr(&s->l->p->ctx, t.s ? t.s : "", t.n);
    str_free(&t);
    return text;
}

/* Annotations ----------------------------------------------------------- */

/* "swizzle_64" -> 64; 0 if it is no such name */
static int shared_numbered(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    char *end;
    if (strncmp(text, prefix, n) != 0)
        return 0;
    long v = strtol(text + n, &end, 10);
    return *end == '\0' && v > 0 && v <= 1024 ? (int)v : 0;
}

/* Row pitch padded by `pad` elements. */
static void padded_by(Layout *m, int ndim, const int32_t *size, int pad)
{
    int32_t each = size[ndim - 1] + pad;
    layout_init(m, ndim, size);
    layout_mode(m, ndim - 1, size[ndim - 1], AXoff, 1);
    for (int d = ndim - 2; d >= 0; d--) {
        layout_mode(m, d, size[d], AXoff, each);
        each *= size[d];
    }
}

static bool layout_by_name(const Shared *s, const char *text, const int32_t *size, int n, Layout *m)
{
    int v;
    if (strcmp(text, "linear") == 0)
        layout_linear(m, n, size);
    else if ((v = shared_numbered(text, "padded_")) > 0)
        padded_by(m, n, size, v);
    else if ((v = shared_numbered(text, "swizzle_")) > 0)
        return layout_swizzled(m, n, size, s->bits, v);
    else
        return false;
    return true;
}

/* The layout that the user gave, over the buffer's last dimensions. */
static void shared_annotated(Shared *s, const char *text, Layout *m)
{
    Ctx *c = &s->l->p->ctx;
    const Buf *b = shared_bufof(s);
    int wish = low_buf(s->l, s->buf)->span;
    const int32_t *own = s->size + s->lead;
    int n = s->ndim - s->lead;
    if (*text == '[' ? !layout_parse(m, text) : !layout_by_name(s, text, own, n, m))
        diag_fail(c, E_shared_name, b->loc, b->name, text, NULL);
    for (int d = 0; d < m->ndim; d++)
        if (m->ndim > n || m->size[d] != own[n - m->ndim + d])
            diag_fail(c, E_shared_shape, b->loc, b->name, shared_shape_text(s, m->size, m->ndim),
                      shared_shape_text(s, own, n), NULL);
    if (wish > 16 && 16 << m->x.bits != wish)
        diag(c, E_shared_user, b->loc, b->name, TEXT("%d", wish), NULL);
}

/* Wishes ---------------------------------------------------------------- */

static void set_row_major(Shared *s, Layout *m, const char *why)
{
    layout_linear(m, s->ndim - s->lead, s->size + s->lead);
    if (why)
        diag(&s->l->p->ctx, E_shared_plain, shared_bufof(s)->loc, shared_bufof(s)->name, why, NULL);
}

/* The swizzle that is wanted, or the widest one below it that divides a row. */
static void shared_swizzled(Shared *s, Layout *m, int span)
{
    const int32_t *size = s->size + s->lead;
    int n = s->ndim - s->lead;
    int64_t row = (int64_t)size[n - 1] * s->bits / 8;
    for (int w = span; w >= (span < 32 ? span : 32); w /= 2) {
        if (!layout_swizzled(m, n, size, s->bits, w))
            continue;
        if (w != span)
            diag(&s->l->p->ctx, E_shared_narrow, shared_bufof(s)->loc, shared_bufof(s)->name,
                 TEXT("%d", w), TEXT("%d", span), TEXT("%lld", (long long)row), NULL);
        return;
    }
    set_row_major(s, m, n < 2 ? TEXT("1-D") : TEXT("%lld B %% 32 != 0", (long long)row));
}

static void shared_padded(Shared *s, Layout *m)
{
    s->l->needs.padded = true;
    layout_padded(m, s->ndim - s->lead, s->size + s->lead, s->bits);
}

/* 64-lane chips: chunks of what travels as one, an async copy's 16 bytes or a
 * lane's 8. */
static void phased(Shared *s, Layout *m)
{
    const int32_t *size = s->size + s->lead;
    int n = s->ndim - s->lead, vec = (s->l->m->cp_async ? 128 : 64) / s->bits;
    if (layout_phased(m, n, size, s->bits, vec))
        return;
    if (n >= 2 && (int64_t)size[n - 1] * s->bits % 256 == 0 && !s->l->retry.dense)
        shared_padded(s, m); /* a row that is no power of two */
    else
        set_row_major(s, m, TEXT("%lld B != 2^n", (long long)size[n - 1] * s->bits / 8));
}

/* A view of another shape or type that something still uses, or 0. */
static uint32_t view_of(const Prog *p, uint32_t root)
{
    for (uint32_t v = 1; v < p->nbuf; v++)
        if (v != root && p->buf[v].base && buf_root(p, v) == root)
            return v;
    return 0;
}

static void wished(Shared *s, Layout *m)
{
    const BufLow *b = low_buf(s->l, s->buf);
    if (b->span == 0) {
        set_row_major(s, m, NULL);
        if (!view_of(s->l->p, s->buf))
            low_spread(s->l, s->buf, m);
    } else if (b->span > 0) {
        shared_swizzled(s, m, b->span);
    } else if (b->async) {
        set_row_major(s, m, "TMA"); /* boxes have no gaps */
    } else if (b->span == Phased) {
        phased(s, m);
    } else {
        shared_padded(s, m);
    }
}

/* Whole buffers --------------------------------------------------------- */

static int64_t shared_round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

/* Elements from one stage to the next: whole swizzle patterns, and the bytes
 * that asynchronous copies want. */
static int64_t stage_stride(const Shared *s, const Layout *m)
{
    int64_t align = low_align(s->l, s->buf, m) * 8 / s->bits;
    if (m->x.bits) {
        int64_t period = (int64_t)1 << (m->x.base + m->x.shift + m->x.bits);
        align = align < period ? period : align;
    }
    return shared_round_up(layout_extent(m, AXoff), align < 1 ? 1 : align);
}

/* Dimensions that m does not name are put before it. */
static void shared_outer(const Shared *s, Layout *m)
{
    while (m->ndim < s->ndim) {
        int64_t step = stage_stride(s, m);
        int32_t n = s->size[s->ndim - m->ndim - 1];
        if (step * n > INT32_MAX)
            diag_fail(&s->l->p->ctx, E_shared_dynamic, shared_bufof(s)->loc, shared_bufof(s)->name,
                      NULL);
        layout_insert(m, 0, n, AXoff, (int32_t)step);
    }
}

static void keep_layout(Low *l, uint32_t buf, const Layout *m)
{
    Layout *map = anew(&l->p->ctx, sizeof *map);
    *map = *m;
    layout_canon(map);
    l->p->buf[buf].map = map;
    low_buf(l, buf)->map = *map;
}

/* Views show the same bytes: they and their buffer are row-major, but for views
 * of the same type through which the layout can be carried. */
static bool carried(Shared *s, uint32_t view, const Layout *m, Layout *out)
{
    const Prog *p = s->l->p;
    const Buf *v = &p->buf[view];
    int32_t size[LayDims];
    for (int d = 0; d < v->ndim; d++) {
        int64_t n;
        if (!x_isint(p, v->shape[d], &n))
            return false;
        size[d] = (int32_t)n;
    }
    return v->dt == shared_bufof(s)->dt && layout_reshape(m, v->ndim, size, out);
}

static void shared_views(Shared *s, Layout *m)
{
    Prog *p = s->l->p;
    Layout out;
    for (uint32_t v = 1; v < p->nbuf; v++) {
        if (v == s->buf || !p->buf[v].base || buf_root(p, v) != s->buf)
            continue;
        if (carried(s, v, m, &out))
            continue;
        if (low_buf(s->l, s->buf)->span || shared_bufof(s)->layout)
            diag(&p->ctx, E_shared_view, shared_bufof(s)->loc, shared_bufof(s)->name,
                 p->buf[v].name, NULL);
        layout_linear(m, s->ndim, s->size);
        break;
    }
    for (uint32_t v = 1; v < p->nbuf; v++) {
        if (v == s->buf || !p->buf[v].base || buf_root(p, v) != s->buf)
            continue;
        if (!carried(s, v, m, &out)) {
            Shared t = {.l = s->l, .buf = v};
            shared_sizes(&t);
            layout_linear(&out, t.ndim, t.size);
        }
        keep_layout(s->l, v, &out);
    }
}

static void place_elements(Low *l, uint32_t buf)
{
    Shared s = {.l = l, .buf = buf};
    Layout m;
    const char *text = l->p->buf[buf].layout;
    if (l->p->buf[buf].map)
        return;
    shared_sizes(&s);
    const BufLow *k = low_buf(l, buf);
    if (s.ndim == s.lead) {
        layout_linear(&m, s.ndim, s.size);
    } else if (k->strength) { /* a copy of a fragment: chosen with it */
        m = k->map;
    } else if (text) {
        if (!shared_bufof(&s)->cause) {
            l->p->buf[buf].cause = "annotate_layout";
            l->p->buf[buf].fixed = shared_bufof(&s)->loc;
        }
        shared_annotated(&s, text, &m);
        shared_outer(&s, &m);
    } else {
        wished(&s, &m);
        shared_outer(&s, &m);
    }
    if (view_of(l->p, buf))
        shared_views(&s, &m);
    keep_layout(l, buf, &m);
}

int64_t low_align(Low *l, uint32_t buf, const Layout *m)
{
    bool async = low_buf(l, buf)->async;
    if (m && m->x.bits > 0 && m->x.bits <= 3)
        return async ? 1024 : (int64_t)128 << m->x.bits;
    return async || (m && m->x.bits) ? 128 : 16;
}

static bool shared_alloc(Stmt *s, void *ud)
{
    Low *l = ud;
    if (s->kind == Salloc && l->p->buf[s->alloc.buf].scope == SCshared)
        place_elements(l, s->alloc.buf);
    return true;
}

void low_shared(Low *l)
{
    if (l->retry.dense)
        low_note(l, E_shared_dense, l->launch, afmt(&l->p->ctx, "%lld", (long long)l->m->shared_block), l->m->name);
    /* no rewriting: spread.c looks at all statements */
    stmt_walk(l->launch->launch.body, shared_alloc, l);
}
