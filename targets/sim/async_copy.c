/* targets/sim/async_copy.c: cp.async, and copies of boxes and of bytes between
 * global and shared memory. */
#include <string.h>

#include "async.h"
#include "err/sim.h"

/* cp.async ---------------------------------------------------------------------- */

/* Lanes on in `on` whose predicate is as wanted. */
static void predicate(SimRun *r, Strand *s, const OpArgs *a, const uint8_t *on, uint8_t *out)
{
    for (int k = 0; k < s->n; k++)
        out[k] = (!on || on[k]) && ivalue(r, s, a->value, k) != 0;
}

static int64_t spot_element(const Spots *o, int k)
{
    return o->base + (o->at ? o->at[k] : k * o->step);
}

/* Do lanes k and j copy the same bytes to one place? */
static bool cp_same(void *ud, int k, int j)
{
    const Copy *c = ud;
    if (j < 0 || c->dst[k] != c->dst[j] || c->on[k] != c->on[j])
        return false;
    return c->on[k] == 2 || memcmp(c->src[k], c->src[j], (size_t)c->bytes) == 0;
}

static void owns(SimRun *r, Strand *s, const OpArgs *a, Copy *c, const Spots *src, bool reads,
                 const Spots *dst)
{
    HbAccess t = {.site = a->site[1], .mode = HBwrite, .cta = s->cta, .t0 = s->t0, .n = s->n,
                  .on = dst->on, .same = cp_same, .ud = c};
    c->h = hb_issue(r->hb, a->site[1], HAeach, (Who){s->t0, s->n, dst->on});
    access_places(r, a->acc[1], dst, s->n, &t, r->x->at[2]);
    hb_owns(r->hb, c->h, &t, false);
    if (reads && !a->acc[0]->quiet) {
        t = (HbAccess){.site = a->site[0], .mode = HBread, .t0 = s->t0, .n = s->n, .on = src->on};
        access_places(r, a->acc[0], src, s->n, &t, r->x->at[2]);
        hb_async_global(r->hb, c->h, a->acc[0]->buf, &t, false);
    }
    r->stop |= r->report.full;
}

const Ins *run_cpasync(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    uint8_t wants[1024], *full = wants;
    Spots src, dst;
    if (s->n > (int)sizeof wants)
        full = anew(r->ctx, (size_t)s->n);
    predicate(r, s, a, on, full);
    bool reads = r->sp->kern->count(full, s->n) && access_spots(r, s, full, a->acc[0], 0, &src);
    if (!access_spots(r, s, on, a->acc[1], 1, &dst))
        return i + 1;
    Copy *c = copy_new(r, a, CKcp, s->n);
    c->cta = s->cta;
    c->t0 = s->t0;
    c->n = s->n;
    c->bytes = a->a0;
    int sbits = dtypeinfo[a->acc[0]->dt].bits, dbits = dtypeinfo[a->acc[1]->dt].bits;
    int64_t mem = dst.mem - block_memory(r, s->cta);
    for (int k = 0; k < s->n; k++) {
        c->on[k] = 0;
        if (dst.on && !dst.on[k])
            continue;
        c->dst[k] = mem + spot_element(&dst, k) * dbits / 8;
        c->on[k] = 2;
        if (reads && full[k] && (!src.on || src.on[k])) {
            c->src[k] = src.mem + spot_element(&src, k) * sbits / 8;
            c->on[k] = 1;
        }
    }
    if (r->hb)
        owns(r, s, a, c, &src, reads, &dst);
    queue_add(r, &s->q[Qcp], c);
    return i + 1;
}

const Ins *run_cpcommit(SimRun *r, Strand *s, const Ins *i)
{
    queue_commit(r, s, &s->q[Qcp], mask_of(r, s, i->level));
    return i + 1;
}

const Ins *run_cpwait(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    queue_wait(r, s, &s->q[Qcp], a->a0, mask_of(r, s, i->level));
    return i + 1;
}

/* The arrival comes when the copies issued so far are there: both happen now. */
const Ins *run_cparrive(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    queue_commit(r, s, &s->q[Qcp], on);
    queue_wait(r, s, &s->q[Qcp], 0, on);
    return run_mbar(r, s, i);
}

/* Boxes and bytes ------------------------------------------------------------------ */

/* Bytes at whose multiples a box begins in shared memory, and a run of bytes; with a
 * swizzle the pattern of 8 rows begins there. */
enum { BoxBase = 128, RunBase = 16, PatternRows = 8 };

/* "X[3, 8]": where a box begins. */
static const char *begin_text(SimRun *r, const Buf *b, const int64_t *at)
{
    const char *t = afmt(r->ctx, "%s[", b->name);
    for (int d = 0; d < b->ndim; d++)
        t = afmt(r->ctx, "%s%s%lld", t, d ? ", " : "", (long long)at[d]);
    return afmt(r->ctx, "%s]", t);
}

/* A box's rows begin at 16 bytes of the tensor, where its first index says: hardware that
 * reads elsewhere stops with an illegal instruction.  false: reported. */
static bool rows_aligned(SimRun *r, Strand *s, const OpArgs *a, int k, int region, const Copy *c)
{
    const Buf *b = &r->sp->p->buf[a->s->op.r[region].buf];
    Report *q = &r->report;
    if (c->b.min[b->ndim - 1] * c->b.bits / 8 % RunBase == 0)
        return true;
    if (!report_has(q, E_sim_box_row, a->site[region], 0))
        report_add(q, E_sim_box_row, a->site[region], E_none, 0, begin_text(r, b, c->b.min),
                   report_number(q, RunBase * 8 / c->b.bits), report_thread(q, s->t0 + k),
                   report_block(q, s->t0 + k), report_where(q),
                   report_number(q, c->b.min[b->ndim - 1] * c->b.bits / 8), (const char *)NULL);
    r->stop |= q->full;
    return false;
}

/* The global side of c for lane k; false: outside or not aligned, reported. */
static bool global_side(SimRun *r, Strand *s, const OpArgs *a, int k, int region, Copy *c)
{
    const Region *g = &a->s->op.r[region];
    const Prog *p = r->sp->p;
    const Buf *b = &p->buf[g->buf];
    const SimShape *sh = &r->shape[g->buf];
    uint32_t root = buf_root(p, g->buf);
    int64_t at = 0;
    c->box = a->s->op.op == Otma_load || a->s->op.op == Otma_store;
    c->global = r->global[root].data;
    c->b = (TmaBox){.ndim = b->ndim, .bits = dtypeinfo[b->dt].bits};
    for (int d = 0; d < b->ndim; d++) {
        int64_t n = 1;
        x_isint(p, g->extent[d], &n);
        c->b.size[d] = sh->size[d];
        c->b.stride[d] = sh->stride[d];
        c->b.min[d] = ivalue(r, s, a->min[region][d], k);
        if (c->box)
            c->b.min[d] = (int32_t)c->b.min[d]; /* what the instruction takes */
        c->b.extent[d] = (int32_t)n;
        at = (int64_t)((uint64_t)at + (uint64_t)c->b.min[d] * (uint64_t)sh->stride[d]);
    }
    if (c->box) {
        c->b.swizzle = a->a0;
        c->size = box_bytes(&c->b);
        return rows_aligned(r, s, a, k, region, c);
    }
    c->size = a->a0;
    if (at >= 0 && at <= r->global[root].bytes * 8 / c->b.bits &&
        (at = at * c->b.bits / 8) <= r->global[root].bytes - c->size) {
        c->global += at;
        return true;
    }
    Report *q = &r->report;
    if (!report_has(q, E_sim_bounds, a->site[region], 0))
        report_add(q, E_sim_bounds, a->site[region], E_none, 0, b->name,
                   report_number(q, r->global[root].bytes), report_thread(q, s->t0 + k),
                   report_block(q, s->t0 + k), report_where(q), (const char *)NULL);
    r->stop |= q->full;
    return false;
}

/* The shared side: where it starts for lane k; false: outside or not aligned, reported. */
static bool shared_side(SimRun *r, Strand *s, const OpArgs *a, int k, int region, Copy *c)
{
    uint8_t *one = r->x->on[1];
    Spots o;
    memset(one, 0, (size_t)s->n);
    one[k] = 1;
    if (!access_spots(r, s, one, a->acc[region], 0, &o))
        return false;
    c->at = o.mem - block_memory(r, s->cta) +
            spot_element(&o, k) * dtypeinfo[a->acc[region]->dt].bits / 8;
    int base = !c->box ? RunBase : c->b.swizzle ? c->b.swizzle * PatternRows : BoxBase;
    if (c->at % base) {
        access_box_base(r, s, a->acc[region], k, base, c->at);
        return false;
    }
    return c->at + c->size <= r->l->shared;
}

static void box_owns(SimRun *r, const OpArgs *a, Copy *c, int shared, int global, int mode,
                     int gmode)
{
    HbAccess t = {.site = a->site[shared],
                  .mode = (uint8_t)mode,
                  .cta = c->cta,
                  .t0 = c->t0,
                  .n = 1,
                  .base = c->at * HbByte,
                  .size = (int)c->size * HbByte};
    uint32_t buf = a->s->op.r[global].buf;
    c->h = hb_issue(r->hb, a->site[shared], HAthread, (Who){c->t0, 1, NULL});
    hb_owns(r->hb, c->h, &t, true);
    r->stop |= r->report.full;
    if (gmode == HBread && !r->sp->written[buf_root(r->sp->p, buf)])
        return;
    t = (HbAccess){.site = a->site[global], .mode = (uint8_t)gmode, .t0 = c->t0, .n = 1,
                   .base = (c->global - r->global[buf_root(r->sp->p, buf)].data) * HbByte,
                   .size = (int)c->size * HbByte};
    if (c->box) {
        int64_t max = 1;
        for (int d = 0; d < c->b.ndim; d++)
            max *= c->b.extent[d];
        int64_t *at = anew(r->ctx, (size_t)max * sizeof *at);
        t.n = (int)box_rows(&c->b, at, max, &t.size);
        t.size *= HbByte;
        for (int j = 0; j < t.n; j++)
            at[j] *= HbByte;
        t.at = at;
    }
    Async *by = c->h;
    if (gmode != HBread)
        by = c->out = hb_issue(r->hb, a->site[global], HAthread, (Who){c->t0, 1, NULL});
    if (t.n && t.size)
        hb_async_global(r->hb, by, buf, &t, true);
    r->stop |= r->report.full;
}

/* One load into block `cta`; its barrier is there too. */
static void async_copy_take_off(SimRun *r, Strand *s, const OpArgs *a, const Copy *c, int k,
                                int cta)
{
    Copy *f = copy_new(r, a, CKload, 0), own = *f;
    *f = *c;
    f->cap = own.cap;
    f->dst = own.dst;
    f->src = own.src;
    f->on = own.on;
    f->next = NULL;
    f->cta = cta;
    f->t0 = s->t0 + k;
    f->n = 1;
    f->mbar = mbar_place(r, a->s->op.r[2].buf, ivalue(r, s, a->min[2][0], k));
    if (r->hb)
        box_owns(r, a, f, 1, 0, HBwrite, HBread);
    if (r->x->flight_last)
        r->x->flight_last->next = f;
    else
        r->x->flight = f;
    r->x->flight_last = f;
}

const Ins *run_load_box(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    for (int k = 0; k < s->n; k++) {
        Copy c = {.kind = CKload, .a = a};
        if ((on && !on[k]) || !global_side(r, s, a, k, 0, &c) || !shared_side(r, s, a, k, 1, &c))
            continue;
        int64_t mask = ivalue(r, s, a->value, k);
        for (int cta = 0; cta < r->ncta; cta++)
            if (mask ? mask >> cta & 1 : cta == s->cta)
                async_copy_take_off(r, s, a, &c, k, cta);
    }
    return i + 1;
}

const Ins *run_store_box(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    for (int k = 0; k < s->n; k++) {
        if (on && !on[k])
            continue;
        Copy *c = copy_new(r, a, CKstore, 0);
        c->cta = s->cta;
        c->t0 = s->t0 + k;
        c->n = 1;
        c->red = a->a1;
        if (!global_side(r, s, a, k, 1, c) || !shared_side(r, s, a, k, 0, c)) {
            copy_free(r, c);
            continue;
        }
        if (r->hb)
            box_owns(r, a, c, 0, 1, HBread, c->red ? HBatomic : HBwrite);
        queue_add(r, &s->q[Qbulk], c);
    }
    return i + 1;
}

const Ins *run_bulkcommit(SimRun *r, Strand *s, const Ins *i)
{
    queue_commit(r, s, &s->q[Qbulk], mask_of(r, s, i->level));
    return i + 1;
}

const Ins *run_bulkwait(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    if (a->a1)
        queue_read(r, s, a->a0, on);
    else
        queue_written(r, s, a->a0, on);
    return i + 1;
}
