/* core/cost/feedback_access.c: what one memory access costs: wavefronts of shared
 * memory, sectors of global memory, by the addresses of each warp. */
#include <string.h>

#include "feedback_p.h"

typedef struct AccessLanes AccessLanes;
struct AccessLanes { int n, on; int64_t at[FbLanes]; /* byte address, -1 inactive */ };

typedef struct Cost Cost;   /* of one warp */
struct Cost { BankCost k; int sectors, ideal; };

/* Addresses -------------------------------------------------------------- */

/* Strides in elements and what is added; false: a size is not known. */
static bool strides(Fb *f, const Buf *b, int64_t *stride)
{
    int64_t step = 1, n;
    for (int d = b->ndim - 1; d >= 0; d--) {
        stride[d] = step;
        if (b->stride[d] && !fb_number(f, b->stride[d], &stride[d]))
            return false;
        if (d > 0 && !fb_number(f, b->shape[d], &n)) {
            bool rest = true; /* only needed where strides are not given */
            for (int k = 0; k < d; k++)
                rest = rest && b->stride[k];
            if (!rest)
                return false;
            n = 1;
        }
        step *= d > 0 ? n : 1;
    }
    return true;
}

/* Byte address of thread t; index values are in v. */
static int64_t fb_access_address(const Buf *b, const FbVal *const *v, const int64_t *stride, int t)
{
    int64_t off = 0;
    if (b->map && b->scope == SCshared) {
        int32_t i[LayDims] = {0};
        for (int d = 0; d < b->ndim; d++)
            i[d] = (int32_t)fb_at(v[d], t);
        off = layout_eval(b->map, i).at[AXoff];
        return off * dtypeinfo[b->dt].bits / 8 + (b->at > 0 ? b->at : 0);
    }
    for (int d = 0; d < b->ndim; d++)
        off += fb_at(v[d], t) * stride[d];
    return off * dtypeinfo[b->dt].bits / 8;
}

static void fb_access_warp_of(const Fb *f, const Buf *b, const FbVal *const *v,
                              const int64_t *stride, int w, AccessLanes *out)
{
    int base = f->lo + w * f->m->warp;
    out->n = f->m->warp;
    out->on = 0;
    for (int k = 0; k < out->n; k++) {
        out->at[k] = -1;
        if (base + k < f->hi && f->mask.on[base + k]) {
            out->at[k] = fb_access_address(b, v, stride, base + k);
            out->on += out->at[k] >= 0;
        }
    }
}

/* The same pattern as before, a whole number of bank rows and sectors away? */
static bool shifted(const AccessLanes *a, const AccessLanes *b, int64_t unit)
{
    int64_t by = 0;
    bool first = true;
    if (a->n != b->n || a->on != b->on)
        return false;
    for (int k = 0; k < a->n; k++) {
        if ((a->at[k] < 0) != (b->at[k] < 0))
            return false;
        if (a->at[k] < 0)
            continue;
        if (first)
            by = b->at[k] - a->at[k];
        if (b->at[k] - a->at[k] != by || by % unit)
            return false;
        first = false;
    }
    return true;
}

/* Costs ------------------------------------------------------------------ */

static Cost fb_access_cost(const Fb *f, const FbCall *c, const AccessLanes *l, bool shared)
{
    Cost k = {0};
    if (shared)
        k.k = bank_cost(l->at, c->rows ? c->rows : l->n, c->bytes, f->m->banks, f->m->bank_bytes);
    else
        sector_cost(l->at, l->n, c->bytes, f->m->sector, &k.sectors, &k.ideal);
    return k;
}

static bool worse(const FbAccess *a, const FbAccess *b)
{
    int x = a->waves - a->ideal + a->sectors - a->sector_ideal;
    int y = b->waves - b->ideal + b->sectors - b->sector_ideal;
    return x > y || (x == y && a->waves + a->sectors > b->waves + b->sectors);
}

static void access_join(FbAccess *a, const FbAccess *b)
{
    a->lanes = b->lanes; a->warp = b->warp;
    a->waves = b->waves; a->ideal = b->ideal; a->ways = b->ways; a->bank = b->bank;
    a->sectors = b->sectors; a->sector_ideal = b->sector_ideal;
}

static bool fb_access_same(const FbAccess *a, const FbAccess *b)
{
    return a->loc.line == b->loc.line && a->loc.file == b->loc.file && a->buf == b->buf &&
           a->dir == b->dir && a->bytes == b->bytes && a->fixed == b->fixed &&
           strcmp(a->what, b->what) == 0;
}

/* Joins a to the row of its line, or begins one. */
static void access_file(Fb *f, const FbAccess *a)
{
    Feedback *o = f->out;
    for (uint32_t i = 0; i < o->naccess; i++) {
        FbAccess *b = &o->access[i];
        if (!fb_access_same(b, a))
            continue;
        b->times = b->times < 0 || a->times < 0 ? -1 : b->times + a->times;
        b->all += a->all;
        b->all_ideal += a->all_ideal;
        b->active = a->active > b->active ? a->active : b->active;
        if (worse(a, b))
            access_join(b, a);
        return;
    }
    agrow(&f->p->ctx, &o->access, &o->capaccess, o->naccess + 1, sizeof *a);
    o->access[o->naccess++] = *a;
}

static void fb_access_traffic(Fb *f, uint32_t buf, double bytes)
{
    f->out->gbytes += bytes;
    f->traffic[buf_root(f->p, buf)] += bytes;
}

/* Keeps what warp a->warp does, if someone wants to see it: one shot a row of the
 * table, the one that costs most. */
static void shoot(Fb *f, const FbCall *c, const FbAccess *a, const AccessLanes *l)
{
    FbAsk *k = f->shots;
    FbShot *s = NULL;
    if (!k || (k->line && k->line != a->loc.line) ||
        (k->buf && strcmp(k->buf, f->p->buf[a->buf].name) != 0) ||
        (k->warp >= 0 && a->fixed && k->warp != a->warp))
        return;
    for (uint32_t i = 0; i < k->nshot && !s; i++)
        if (fb_access_same(&k->shot[i].a, a))
            s = &k->shot[i];
    if (s && !worse(a, &s->a))
        return;
    if (!s) {
        agrow(&f->p->ctx, &k->shot, &k->capshot, k->nshot + 1, sizeof *s);
        s = &k->shot[k->nshot++];
    }
    *s = (FbShot){.a = *a, .n = l->n, .rows = c->rows ? c->rows : l->n};
    memcpy(s->at, l->at, sizeof s->at);
}

/* All warps of an access whose addresses are known; returns how many ran. */
static int fb_access_warps(Fb *f, const FbCall *c, const FbVal *const *v, const int64_t *stride,
                           FbAccess *a)
{
    const Buf *b = &f->p->buf[c->buf];
    int n = (f->hi - f->lo + f->m->warp - 1) / f->m->warp, ran = 0;
    int64_t unit = a->shared ? (int64_t)f->m->banks * f->m->bank_bytes : f->m->sector;
    double times = f->times < 0 ? 0 : f->times, sum = 0, ideal = 0;
    AccessLanes last = {0};
    Cost k = {0};
    for (int w = 0; w < n; w++) {
        AccessLanes l;
        fb_access_warp_of(f, b, v, stride, w, &l);
        if (l.on == 0)
            continue;
        if (!shifted(&last, &l, unit))
            k = fb_access_cost(f, c, &l, a->shared);
        last = l;
        FbAccess one = *a;
        access_join(&one, &(FbAccess){.lanes = l.on, .warp = (f->lo / f->m->warp) + w,
                                      .waves = k.k.waves,
                                      .ideal = k.k.ideal, .ways = k.k.ways, .bank = k.k.bank,
                                      .sectors = k.sectors, .sector_ideal = k.ideal});
        shoot(f, c, &one, &l);
        if (ran++ == 0 || worse(&one, a))
            access_join(a, &one);
        sum += k.k.waves + k.sectors;
        ideal += k.k.ideal + k.ideal;
    }
    a->all = sum * times;
    a->all_ideal = ideal * times;
    return ran;
}

void fb_access(Fb *f, const FbCall *c)
{
    const Buf *b = &f->p->buf[c->buf];
    const FbVal *v[MaxDim] = {0};
    int64_t stride[MaxDim] = {0};
    FbAccess a = {.loc = f->s->loc, .buf = c->buf, .what = c->what, .dir = c->dir,
                  .shared = b->scope == SCshared, .bytes = c->bytes, .fixed = true,
                  .active = f->mask.n};
    if ((b->scope != SCshared && b->scope != SCglobal) || f->mask.n == 0 ||
        (f->brief && a.shared))
        return;
    for (int d = 0; d < b->ndim; d++) {
        v[d] = fb_value(f, c->idx[d]);
        a.fixed = a.fixed && v[d]->known;
    }
    a.fixed = a.fixed && ((b->map && a.shared) || strides(f, b, stride));
    int ran = (f->mask.n + f->m->warp - 1) / f->m->warp;
    if (a.fixed)
        ran = fb_access_warps(f, c, v, stride, &a);
    else
        shoot(f, c, &a, &(AccessLanes){.n = f->m->warp});
    a.times = f->times < 0 ? -1 : f->times * ran;
    if (!a.shared && f->times >= 0)
        fb_access_traffic(f, c->buf,
                          a.fixed ? a.all * f->m->sector : f->times * c->bytes * f->mask.n);
    if (!f->brief)
        access_file(f, &a);
}

/* Elements --------------------------------------------------------------- */

/* Bytes that a lane moves at once: an index that moves with the variable of
 * the innermost vector loop makes the access as wide as that loop. */
static int fb_access_width_of(Fb *f, uint32_t buf, const Ex *idx)
{
    int n = f->p->buf[buf].ndim, bits = dtypeinfo[f->p->buf[buf].dt].bits;
    bool moves = false;
    for (int d = 0; d < n && f->vecvar; d++)
        moves = moves || fb_uses(f, idx[d], f->vecvar);
    int64_t b = (int64_t)bits * (moves ? f->vec : 1);
    return (int)(b >= 8 ? b / 8 : 1);
}

/* An index into registers that is not constant once loops are unrolled: the
 * buffer then lives in memory. */
static void note_dynamic_index(Fb *f, uint32_t buf, const Ex *idx)
{
    Feedback *o = f->out;
    const Buf *b = &f->p->buf[buf];
    bool moves = false;
    for (int d = 0; d < b->ndim; d++) {
        const FbVal *v = fb_value(f, idx[d]);
        int64_t n;
        if (x_isint(f->p, b->shape[d], &n) && n == 1)
            continue;
        moves = moves || !v->known || !v->uniform;
        for (uint32_t i = 0; i < f->nserial; i++)
            moves = moves || fb_uses(f, idx[d], f->serial[i]);
    }
    for (uint32_t i = 0; i < o->nslot; i++)
        moves = moves && (o->slot[i].buf != buf || o->slot[i].loc.line != f->s->loc.line);
    if (!moves || f->brief)
        return;
    agrow(&f->p->ctx, &o->slot, &o->capslot, o->nslot + 1, sizeof *o->slot);
    o->slot[o->nslot++] = (FbSlot){f->s->loc, buf};
}

void fb_element(Fb *f, uint32_t buf, const Ex *idx, const char *what, char dir)
{
    int scope = f->p->buf[buf].scope;
    FbCall c = {.buf = buf, .idx = idx, .what = what, .dir = (uint8_t)dir};
    if (scope == SClocal || scope == SCfragment)
        note_dynamic_index(f, buf, idx);
    if (scope != SCshared && scope != SCglobal)
        return;
    c.bytes = fb_access_width_of(f, buf, idx);
    fb_access(f, &c);
}
