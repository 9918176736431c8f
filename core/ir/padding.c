/* targets/cpu/padding.c: tiles that may hold what lies behind the end of a tensor.
 *
 * A ragged copy fills them up with zeros, and what is computed from those is not stored; so
 * what goes wrong with such an element is not the user's mistake.  Of every other tile each
 * element is one that the program means. */
#include "../../targets/cpu/emit.h"

#include "effects.h"
#include "walk.h"

typedef struct Pad Pad;
struct Pad {
    Gen *g;
    bool more;      /* found in this round */
    bool read;      /* the statement reads something that may be padding */
    uint32_t *to; uint32_t n, cap; /* the tiles that it writes */
};

/* Does e lie inside of its tensor, by what is known of the variables alone? */
static bool inside(const Prog *p, const MemEffect *e)
{
    for (int d = 0; d < e->nd; d++) {
        int64_t lo, hi, size, least, most = d == e->nd - 1 ? e->lanes : 1;
        if (!x_range(p, e->at[d], &lo, &hi) || !x_isint(p, p->buf[e->buf].shape[d], &size) ||
            (e->extent && !x_range(p, e->extent[d], &least, &most)) || lo < 0 || hi > size - most)
            return false;
    }
    return true;
}

static bool touch(void *ud, const MemEffect *e)
{
    Pad *k = ud;
    const Prog *p = k->g->p;
    bool global = p->buf[e->root].scope == SCglobal;
    if (e->mode & FXread && e->at)
        k->read = k->read || (global ? !inside(p, e) : k->g->padded[e->root]);
    if (e->mode & FXwrite && !global) {
        agrow(k->g->c, &k->to, &k->cap, k->n + 1, sizeof *k->to);
        k->to[k->n++] = e->root;
    }
    return true;
}

static bool statement(Stmt *s, void *ud)
{
    Pad *k = ud;
    k->read = false;
    k->n = 0;
    stmt_effects(k->g->p, s, touch, k);
    for (uint32_t i = 0; k->read && i < k->n; i++) {
        k->more = k->more || !k->g->padded[k->to[i]];
        k->g->padded[k->to[i]] = true;
    }
    return true;
}

void padding_find(Gen *g)
{
    Pad k = {.g = g, .more = true};
    g->npadded = g->p->nbuf;
    g->padded = anew(g->c, g->npadded * sizeof *g->padded);
    while (k.more) {
        k.more = false;
        stmt_walk(g->p->body, statement, &k);
    }
}

static bool is_padded(void *ud, Ex e)
{
    const Gen *g = ud;
    const Expr *x = ex_at(g->p, e);
    uint32_t root = x->op == Xload ? buf_root(g->p, x->sym) : 0;
    return root && (root >= g->npadded || g->padded[root]);
}

bool padding_read(Gen *g, Ex e) { return ex_any_let(g->p, e, is_padded, g); }
