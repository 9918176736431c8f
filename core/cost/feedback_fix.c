/* core/cost/feedback_fix.c: which layout of a shared buffer takes its bank
 * conflicts away.
 *
 * Nothing is predicted: the tile program is lowered again with each layout
 * that one would try, as T.annotate_layout asks for it, and the launch's
 * wavefronts are counted again.  The layout may change who reads what and how
 * wide; all of that is in the count. */
#include <stdio.h>
#include <string.h>

#include "feedback_p.h"
#include "core/lower/lower.h"
#include "core/device/session.h"

enum { MaxFixes = 4 }; /* buffers that are looked at */

/* Names as in FbAccess.fix; the plainest first, the first of equals is taken. */
static const char *const tries[] = {"swizzle 128", "swizzle 64", "swizzle 32", "linear", "pad 16",
                                    "pad 4"};

/* The layout of that name for buffer b, as text of T.annotate_layout. */
static bool layout_of(const Prog *p, const Buf *b, const char *name, Str *out)
{
    Layout l;
    int32_t size[LayDims];
    int bits = dtypeinfo[b->dt].bits, span = 0;
    for (int d = 0; d < b->ndim; d++) {
        int64_t n;
        if (!x_isint(p, b->shape[d], &n))
            return false;
        size[d] = (int32_t)n;
    }
    bool ok = b->ndim >= 2;
    if (sscanf(name, "swizzle %d", &span) == 1) {
        ok = ok && layout_swizzled(&l, b->ndim, size, bits, span);
    } else if (strcmp(name, "linear") == 0) {
        layout_linear(&l, b->ndim, size);
    } else {
        int unit = strcmp(name, "pad 4") == 0 ? 32 : 128;
        ok = ok && b->ndim == 2 && bits >= 8 && bits <= unit;
        layout_init(&l, b->ndim, size);
        if (ok) {
            layout_mode(&l, 1, size[1], AXoff, 1);
            layout_mode(&l, 0, size[0], AXoff, size[1] + unit / bits);
        }
    }
    if (ok)
        layout_print(&l, out);
    return ok;
}

static double wavefronts(const Feedback *f)
{
    double sum = 0;
    for (uint32_t i = 0; i < f->naccess; i++)
        if (f->access[i].shared && f->access[i].fixed)
            sum += f->access[i].all;
    return sum;
}

static double sectors(const Feedback *f)
{
    double sum = 0;
    for (uint32_t i = 0; i < f->naccess; i++)
        if (!f->access[i].shared && f->access[i].fixed)
            sum += f->access[i].all;
    return sum;
}

/* Ways of the buffer's accesses on the line and of the direction of a, in the
 * program p that f looked at; ap is that of a. */
static int ways_of(const Prog *p, const Feedback *f, const Prog *ap, const FbAccess *a)
{
    int ways = 1;
    for (uint32_t i = 0; i < f->naccess; i++) {
        const FbAccess *x = &f->access[i];
        if (x->shared && x->loc.line == a->loc.line && x->dir == a->dir &&
            strcmp(p->buf[x->buf].name, ap->buf[a->buf].name) == 0 && x->waves > x->ideal &&
            x->ways > ways)
            ways = x->ways;
    }
    return ways;
}

typedef struct Fix Fix;
struct Fix {
    Prog *q;                /* the thread program */
    int launch;
    FbDim *value;
    void *ud;
    Feedback *f;
    uint32_t buf;           /* of q */
    double best;            /* wavefronts of the launch so far */
    bool free;              /* and the buffer has no conflict left */
};

/* The Buf of the tile program r that q's buffer comes from; 0: none. */
static uint32_t fb_fix_origin(const Prog *r, const Prog *q, uint32_t buf)
{
    const Buf *b = &q->buf[buf];
    for (uint32_t i = 1; i < r->nbuf; i++)
        if (r->buf[i].scope == SCshared && !r->buf[i].base && r->buf[i].dt == b->dt &&
            r->buf[i].loc.line == b->loc.line && strcmp(r->buf[i].name, b->name) == 0)
            return i;
    return 0;
}

typedef struct Note Note;
struct Note { Prog *r; uint32_t buf; const char *text; };

static void annotate(Ctx *c, void *ud)
{
    Note *n = ud;
    n->r->buf[n->buf].layout = astr(c, n->text, strlen(n->text));
}

/* Lowers r, a copy of the tile program, with the layout and counts. */
static bool lowered(Fix *x, Prog *r, const char *name, Feedback *g)
{
    Str text = {0};
    int64_t *dims;
    uint8_t *known;
    Note n = {r, fb_fix_origin(r, x->q, x->buf), NULL};
    bool ok = n.buf && layout_of(r, &r->buf[n.buf], name, &text) && !text.bad;
    n.text = text.s;
    ok = ok && ctx_try(&r->ctx, annotate, &n) && prog_lower(r, x->f->m, NULL) &&
         feedback_dims(r, x->value, x->ud, &dims, &known) &&
         fb_first(r, x->launch, x->f->m, dims, known, g);
    str_free(&text);
    return ok;
}

static void fb_fix_attempt(Fix *x, Prog *r, const char *name)
{
    Feedback g;
    if (!lowered(x, r, name, &g) || sectors(&g) > sectors(x->f) || wavefronts(&g) >= x->best)
        return;
    x->best = wavefronts(&g);
    x->free = true;
    for (uint32_t i = 0; i < x->f->naccess; i++) {
        FbAccess *a = &x->f->access[i];
        if (a->buf == x->buf && a->shared && a->fixed && a->waves > a->ideal) {
            a->fix = name;
            a->fixways = ways_of(r, &g, x->q, a);
            x->free = x->free && a->fixways == 1;
        }
    }
}

bool feedback_fixes(Prog *p, Prog *q, int launch, FbDim *value, void *ud, Feedback *f)
{
    Fix x = {q, launch, value, ud, f, 0, 0, false};
    uint32_t done[MaxFixes];
    int n = 0;
    for (uint32_t i = 0; i < f->naccess && n < MaxFixes; i++) {
        const FbAccess *a = &f->access[i];
        bool seen = false;
        for (int k = 0; k < n; k++)
            seen = seen || done[k] == a->buf;
        if (seen || !a->shared || !a->fixed || a->waves <= a->ideal)
            continue;
        done[n++] = x.buf = a->buf;
        x.best = wavefronts(f);
        x.free = false;
        for (size_t k = 0; k < COUNT(tries) && !x.free; k++) {
            Prog *r = prog_copy(p);
            if (!r)
                return false;
            if (r->ctx.nerror == 0)
                fb_fix_attempt(&x, r, tries[k]);
            prog_free(r);
        }
    }
    return true;
}
