/* core/ir/padding.c: tiles and values that may hold padding. */
#include "padding.h"

#include "effects.h"
#include "walk.h"

typedef struct Pad Pad;
struct Pad {
    Prog *p;
    Padding *k;
    bool more;      /* found in this round */
    bool read;      /* the statement reads something that may be padding */
    uint32_t *to; uint32_t n, cap; /* the tiles that it writes */
};

/* Does e lie inside of its tensor, by what is known of the variables alone? */
static bool inside_tensor(const Prog *p, const MemEffect *e)
{
    for (int d = 0; d < e->nd; d++) {
        int64_t lo, hi, size, least, most = d == e->nd - 1 ? e->lanes : 1;
        if (!x_range(p, e->at[d], &lo, &hi) || !x_isint(p, p->buf[e->buf].shape[d], &size) ||
            (e->extent && !x_range(p, e->extent[d], &least, &most)) || lo < 0 || hi > size - most)
            return false;
    }
    return true;
}

static bool pad_effect(void *ud, const MemEffect *e)
{
    Pad *k = ud;
    const Prog *p = k->p;
    bool global = p->buf[e->root].scope == SCglobal;
    if (e->mode & FXread && e->at)
        k->read = k->read || (global ? !inside_tensor(p, e) : k->k->buf[e->root]);
    if (e->mode & FXwrite && !global) {
        agrow(&k->p->ctx, &k->to, &k->cap, k->n + 1, sizeof *k->to);
        k->to[k->n++] = e->root;
    }
    return true;
}

typedef struct PadAsked PadAsked;
struct PadAsked { const Prog *p; const Padding *k; };

static bool is_padded(void *ud, Ex e)
{
    const PadAsked *a = ud;
    const Expr *x = ex_at(a->p, e);
    if (x->op == Xvar)
        return x->sym < a->k->nvar && a->k->var[x->sym];
    uint32_t root = x->op == Xload ? buf_root(a->p, x->sym) : 0;
    return root && (root >= a->k->nbuf || a->k->buf[root]);
}

static void pad_mark(Pad *k, bool *is)
{
    k->more = k->more || !*is;
    *is = true;
}

static bool pad_statement(Stmt *s, void *ud)
{
    Pad *k = ud;
    k->read = false;
    k->n = 0;
    stmt_effects(k->p, s, pad_effect, k);
    k->read = k->read || stmt_any(k->p, s, is_padded, &(PadAsked){k->p, k->k});
    for (uint32_t i = 0; k->read && i < k->n; i++)
        pad_mark(k, &k->k->buf[k->to[i]]);
    if (k->read && s->kind == Slet)
        pad_mark(k, &k->k->var[s->let.var]);
    return true;
}

Padding padding_find(Prog *p)
{
    Padding r = {.nbuf = p->nbuf, .nvar = p->nvar};
    Pad k = {.p = p, .k = &r, .more = true};
    r.buf = anew(&p->ctx, (r.nbuf + 1) * sizeof *r.buf);
    r.var = anew(&p->ctx, (r.nvar + 1) * sizeof *r.var);
    while (k.more) {
        k.more = false;
        stmt_walk(p->body, pad_statement, &k);
    }
    return r;
}

bool padding_read(const Prog *p, const Padding *k, Ex e)
{
    return ex_any_let(p, e, is_padded, &(PadAsked){p, k});
}
