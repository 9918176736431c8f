/* targets/sim/run_mma.c: matrix instructions of a warp, and fetches of their
 * operands. */
#include <string.h>

#include "run.h"

static const Val none = {0};

/* The registers of operand k; false: outside, reported. */
static bool mma_operand(SimRun *r, Strand *s, const Ins *i, const OpArgs *a, int k, Val *v)
{
    *v = none;
    return a->reg[k] && regs_at(r, s, i, a->reg[k], a->site[k], v);
}

static char *lane_at(const SimRun *r, const Strand *s, Val v, int k)
{
    return row_at(r, v, s->t0 + k);
}

static bool warp_on(const uint8_t *on, int k0) { return !on || on[k0]; }

const Ins *run_mma(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp;
    Val v[3];
    for (int k = 0; k < 3; k++)
        if (!mma_operand(r, s, i, a, k, &v[k]))
            return i + 1;
    if (!whole_warps(r, s, i, i->site))
        return i + 1;
    for (int k = 0; k < 3; k++)
        regs_read(r, s, i, a->reg[k], a->site[k], v[k]);
    for (int k0 = 0; k0 < s->n; k0 += warp)
        if (warp_on(on, k0))
            unit_mma(a->unit, lane_at(r, s, v[0], k0), lane_at(r, s, v[1], k0),
                     lane_at(r, s, v[2], k0), r->x->T);
    regs_written(r, s, i, a->reg[2], v[2]);
    return i + 1;
}

/* Byte offsets of the rows that the lanes of each warp name; lanes that name
 * none, or one that without (unless NULL) leaves out, are left out of the checks; mode 0: the
 * caller says what they touch.  false: one is outside or not aligned. */
static bool run_mma_rows(SimRun *r, Strand *s, const Ins *i, const OpArgs *a, int k, int num,
                         int mode, const uint8_t *without, int64_t *at)
{
    const uint8_t *on = mask_of(r, s, i->level);
    uint8_t *named = r->x->on[1];
    int warp = r->sp->m->warp;
    Spots o;
    for (int j = 0; j < s->n; j++)
        named[j] = (!on || on[j]) && j % warp < 8 * num && !(without && without[j]);
    if (!access_spots(r, s, named, a->acc[k], 0, &o))
        return false;
    if (mode)
        access_access(r, s, a->acc[k], &o, mode, NULL, NULL);
    int bits = dtypeinfo[a->acc[k]->dt].bits;
    for (int j = 0; j < s->n; j++) {
        int64_t e = o.base + (o.at ? o.at[j] : j * o.step);
        at[j] = (o.mem - (r->shared + s->cta * r->l->shared)) + e * bits / 8;
        if (!o.on[j])
            at[j] = without && without[j] ? -1 : 0;
        if (o.on[j] != named[j] || at[j] % 16)
            return false;
    }
    return true;
}

static const uint8_t *shared_of(const SimRun *r, const Strand *s)
{
    return (const uint8_t *)(r->shared + s->cta * r->l->shared);
}

/* Elements of a row of 16 bytes; k: which operand is the memory. */
static int row_elements(const OpArgs *a, int k)
{
    return 4 * (32 / dtypeinfo[a->acc[k]->dt].bits);
}

/* The lane of the warp, and its register, that hold element e of row j. */
typedef struct MmaHeld MmaHeld;
struct MmaHeld { int lane, reg; };

static MmaHeld run_mma_cell_of(const OpArgs *a, int k, int j, int e)
{
    int per = 32 / dtypeinfo[a->acc[k]->dt].bits;
    return (MmaHeld){a->a1 ? e * 4 + j % 8 / per : j % 8 * 4 + e / per,
                      j / 8 * per + (a->a1 ? j % 8 % per : e % per)};
}

/* What never got a value is loaded from a staging buffer: its registers have none either. */
static void move_undefined(SimRun *r, Strand *s, const Ins *i, Val v, int num)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    uint8_t *named = r->x->on[1], *held = held_row(r, s, 0);
    int warp = r->sp->m->warp;
    SimAccess one = *a->acc[0];
    Spots o;
    one.w = 1;
    for (int j = 0; j < s->n; j++)
        named[j] = (!on || on[j]) && j % warp < 8 * num;
    if (!access_spots(r, s, named, a->acc[0], 0, &o))
        return;
    for (int e = 0; e < row_elements(a, 0); e++, o.base++) {
        access_held(r, s, &one, &o, held);
        for (int j = 0; j < s->n; j++) {
            MmaHeld c = run_mma_cell_of(a, 0, j % warp, e);
            if (named[j] && !held[j])
                regs_undefine(r, s, a->reg[1], v, c.reg, j - j % warp + c.lane);
        }
    }
}

/* All 32 lanes' rows count with num 4, the first 8 with num 1. */
const Ins *run_ldmatrix(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp, num = a->a0 ? a->a0 : 1;
    int64_t *at = r->x->votes;
    Val v;
    if (!mma_operand(r, s, i, a, 1, &v) || !whole_warps(r, s, i, i->site) ||
        !run_mma_rows(r, s, i, a, 0, num, HBread, NULL, at))
        return i + 1;
    for (int k0 = 0; k0 < s->n; k0 += warp)
        if (warp_on(on, k0))
            unit_ldmatrix(shared_of(r, s), at + k0, num, a->a1 != 0, (enum Dtype)a->acc[0]->dt,
                          lane_at(r, s, v, k0), r->x->T);
    regs_written(r, s, i, a->reg[1], v);
    if (a->acc[0]->moves && r->hb)
        move_undefined(r, s, i, v, num);
    return i + 1;
}

/* Has element e of row j of the warp at k0 a value? */
static bool valued(const SimRun *r, const Strand *s, const OpArgs *a, Val v, int k0, int j, int e)
{
    MmaHeld c = run_mma_cell_of(a, 1, j, e);
    const uint8_t *d = regs_defined(r, s, a->reg[0], v, c.reg);
    return !d || d[k0 + c.lane];
}

/* The rows to store.  As a store that only moves a value does, one without values leaves
 * its place unwritten; false: a row has some and lacks others.  *out NULL: all. */
static bool mma_result(SimRun *r, Strand *s, const OpArgs *a, Val v, int num, const uint8_t **out)
{
    uint8_t *without = r->x->on[2];
    int warp = r->sp->m->warp, n = row_elements(a, 1);
    bool whole = true;
    *out = NULL;
    if (!regs_defined(r, s, a->reg[0], v, 0))
        return true;
    memset(without, 0, (size_t)s->n);
    for (int j = 0; j < s->n; j++) {
        if (j % warp >= 8 * num)
            continue;
        int got = 0;
        for (int e = 0; e < n; e++)
            got += valued(r, s, a, v, j - j % warp, j % warp, e);
        whole = whole && (got == 0 || got == n);
        without[j] = got == 0;
    }
    *out = without;
    return whole;
}

/* The elements of the rows that have a value are written; or those that have none are as if
 * unwritten. */
static void access_elements(SimRun *r, Strand *s, const Ins *i, const OpArgs *a, Val v, int num,
                            bool with)
{
    const uint8_t *on = mask_of(r, s, i->level);
    uint8_t *some = r->x->on[1];
    int warp = r->sp->m->warp;
    SimAccess one = *a->acc[1];
    one.w = 1;
    for (int e = 0; e < row_elements(a, 1); e++) {
        Spots o;
        bool any = false;
        for (int j = 0; j < s->n; j++) {
            some[j] = (!on || on[j]) && j % warp < 8 * num &&
                      valued(r, s, a, v, j - j % warp, j % warp, e) == with;
            any |= some[j];
        }
        if (!any || !access_spots(r, s, some, a->acc[1], 0, &o))
            continue;
        o.base += e;
        if (with)
            access_access(r, s, &one, &o, HBwrite, NULL, NULL);
        else
            access_forget(r, s, &one, &o);
    }
}

const Ins *run_stmatrix(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp, num = a->a0 ? a->a0 : 1;
    int64_t *at = r->x->votes;
    Val v;
    if (!mma_operand(r, s, i, a, 0, &v) || !whole_warps(r, s, i, i->site))
        return i + 1;
    const uint8_t *without;
    bool whole = mma_result(r, s, a, v, num, &without);
    regs_landed(r, s, a->reg[0], a->site[0], v);
    if (!whole)
        access_elements(r, s, i, a, v, num, true);
    if (without)
        access_elements(r, s, i, a, v, num, false);
    if (!run_mma_rows(r, s, i, a, 1, num, whole ? HBwrite : 0, without, at))
        return i + 1;
    for (int k0 = 0; k0 < s->n; k0 += warp)
        if (warp_on(on, k0))
            unit_stmatrix((uint8_t *)r->shared + s->cta * r->l->shared, at + k0, num, a->a1 != 0,
                          (enum Dtype)a->acc[1]->dt, lane_at(r, s, v, k0), r->x->T);
    return i + 1;
}
