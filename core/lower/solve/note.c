/* core/lower/solve/note.c: notes on fragments whose layout is another one here. */
#include <string.h>

#include "solve.h"
#include "err/layouts.h"

/* What stands on the place of stride `at` of an axis: r or c and the number of
 * the bit for the last two dimensions, d0. for others; - a copy. */
static void mode_name(const Layout *l, enum Axis a, int at, Str *out)
{
    const Mode *g = NULL;
    for (int i = 0; i < l->n; i++)
        if (l->d[i].axis == a && l->d[i].stride <= at && at < l->d[i].stride * l->d[i].extent)
            g = &l->d[i];
    if (!g) {
        str_puts(out, "-");
        return;
    }
    int64_t w = (int64_t)g->weight * (at / g->stride);
    int n = 0, back = l->ndim - 1 - g->dim;
    while (w > 1 && w % 2 == 0)
        w /= 2, n++;
    if (back < 2)
        str_fmt(out, "%c%d", back == 0 ? 'c' : 'r', n);
    else
        str_fmt(out, "d%d.%d", g->dim, n);
    if (w > 1)
        str_fmt(out, "*%d", (int)w);
}

/* "c1 c2 r0 r1 r2 | r4": the bits of the lane, low to high, and of the warp. */
static const char *lane_bits(Solve *s, const Layout *l, int warps)
{
    Str out = {0};
    for (int bit = 1; bit < s->l->m->warp; bit *= 2) {
        str_puts(&out, bit > 1 ? " " : "");
        mode_name(l, AXlane, bit, &out);
    }
    str_puts(&out, warps > 1 ? " |" : "");
    for (int bit = 1; bit < warps; bit *= 2) {
        str_puts(&out, " ");
        mode_name(l, AXwarp, bit, &out);
    }
    const char *t = astr(&s->l->p->ctx, out.s ? out.s : "", out.n);
    str_free(&out);
    return t;
}

/* "0 1 w0": the bits of lane and warp in which the two texts differ. */
static const char *differing(Solve *s, const char *a, const char *b)
{
    Str out = {0};
    int bit = 0;
    const char *warp = "";
    while (*a && *b) {
        size_t n = strcspn(a, " "), m = strcspn(b, " ");
        if (*a == '|')
            bit = -1, warp = "w";
        else if (n != m || memcmp(a, b, n) != 0)
            str_fmt(&out, "%s%s%d", out.n ? " " : "", warp, bit);
        bit++;
        a += n + (a[n] != 0);
        b += m + (b[m] != 0);
    }
    const char *t = astr(&s->l->p->ctx, out.n ? out.s : "-", out.n ? out.n : 1);
    str_free(&out);
    return t;
}

static const char *note_num(Solve *s, int64_t v)
{
    return afmt(&s->l->p->ctx, "%lld", (long long)v);
}

Diag *solve_note(Solve *s, Err e, const SolveNode *n, const Frag *f, const Layout *want,
                 int64_t cost)
{
    Prog *p = s->l->p;
    const char *a = lane_bits(s, &f->map, n->warps);
    const char *b = want ? lane_bits(s, want, n->warps) : "";
    Diag *d = diag(&p->ctx, e, n->s->loc, p->buf[f->buf].name, note_num(s, cost), a, b,
                   differing(s, a, b), NULL);
    const Stmt *x = anchor_frag(s, (uint32_t)(f - s->frag));
    const Stmt *y = anchor_node(s, (int)(n - s->node));
    if (f->strength == STuser)
        diag_note(&p->ctx, d, E_layout_user, p->buf[f->buf].loc, p->buf[f->buf].name, NULL);
    else if (x)
        diag_note(&p->ctx, d, E_layout_anchor, x->loc, p->buf[f->buf].name, NULL);
    if (y && y != n->s && y != x)
        diag_note(&p->ctx, d, E_layout_other, y->loc, NULL);
    return d;
}

void rounds_note(Solve *s, Diag *d, const SolveNode *n, const Frag *f, const RoundCut *c)
{
    Prog *p = s->l->p;
    diag_note(&p->ctx, d, E_layout_rounds, n->s->loc, p->buf[f->buf].name, note_num(s, c->n),
              note_num(s, c->bytes), s->l->m->name, NULL);
}
