/* core/lower/flatten/parts.c: registers that are stored in parts.
 *
 *     f: fragment int16[8]                  f: fragment int16[8]
 *     view v of f: int8[16]                 view v of f: int8[16]
 *     for k in serial(16) do          ->    fill f = 0
 *       v[k] = ..                           for k in serial(16) do
 *                                             v[k] = ..
 *
 * A register has a value or has none, whereas a store to a view with narrower elements gives one to a part of
 * it: the rest has to be something from the start.  Holds for fragments and for arrays of threads; in front of
 * the first statement that names one, inside of a role where that is one. */
#include "flatten.h"
#include "core/ir/effects.h"

typedef struct Parts Parts;
struct Parts {
    Low *l;
    bool *stored;  /* by root: in parts */
    uint32_t root; /* the one that is looked for */
};

static bool parts_store(void *ud, const MemEffect *e)
{
    Parts *q = ud;
    const Prog *p = q->l->p;
    const Buf *b = &p->buf[e->buf], *root = &p->buf[e->root];
    q->stored[e->root] |= (root->scope == SCfragment || root->scope == SClocal) &&
                          (e->mode & FXwrite) && dtypeinfo[b->dt].bits < dtypeinfo[root->dt].bits;
    return true;
}

static bool parts_other(void *ud, const MemEffect *e) { return e->root != ((Parts *)ud)->root; }

static Stmt *parts_fill(Low *l, uint32_t root, Loc loc)
{
    Region r[MaxRegion] = {r_whole(l->p, root)};
    low_begin(l, loc);
    s_op(l->p, Ofill, r, low_i(l, 0), NULL, NULL);
    return low_end(l);
}

/* Is s a copy of something else, or a number, to all of q->root? */
static bool parts_whole(const Parts *q, const Stmt *s)
{
    const Prog *p = q->l->p;
    if (s->kind != Sop || (s->op.op != Ocopy && s->op.op != Ofill))
        return false;
    const Region *to = &s->op.r[s->op.op == Ocopy];
    return buf_root(p, to->buf) == q->root && region_whole(p, to) &&
           (s->op.op == Ofill || buf_root(p, s->op.r[0].buf) != q->root);
}

/* In front of the first statement of the block that names q->root. */
static void parts_block(Parts *q, Stmt **at)
{
    Prog *p = q->l->p;
    for (; *at; at = &(*at)->next) {
        Stmt *s = *at;
        if (block_effects(p, s, false, parts_other, q))
            continue;
        if (s->kind != Srole) {
            if (!parts_whole(q, s))
                *at = low_append(parts_fill(q->l, q->root, s->loc), s);
            return;
        }
        parts_block(q, &s->role.body);
    }
}

/* The block that q->root is of: what stands behind its allocation. */
static void parts_allocated(Parts *q, Stmt **at)
{
    Stmt **b[2];
    for (; *at; at = &(*at)->next) {
        if ((*at)->kind == Salloc && (*at)->alloc.buf == q->root)
            parts_block(q, &(*at)->next);
        for (int i = 0, n = low_blocks(*at, b); i < n; i++)
            parts_allocated(q, b[i]);
    }
}

void flat_parts(Low *l)
{
    Parts q = {l, anew(&l->p->ctx, l->p->nbuf * sizeof *q.stored), 0};
    block_effects(l->p, l->launch->launch.body, true, parts_store, &q);
    for (q.root = 1; q.root < l->p->nbuf; q.root++)
        if (q.stored[q.root])
            parts_allocated(&q, &l->launch->launch.body);
}
