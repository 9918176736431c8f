/* targets/sim/run_mem.c: loads and stores of shared and global memory.
 *
 * Bounds are settled from the uniform part of each index and the range of the
 * part that differs between threads; only when that fails is each lane looked
 * at.  An address is a base and a step over the lanes where it can be, else an
 * array of offsets. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "err/sim.h"

/* Sums and products as the IR has them: they wrap.  Where threads are inside of a buffer the
 * whole is right, whatever its parts are. */
static int64_t run_mem_sum(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t wrapping_product(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static const Buf *buf_of(const SimRun *r, const SimAccess *a) { return &r->sp->p->buf[a->buf]; }

/* Element 0 of a buffer, and its byte offset in the memory of which the checks know. */
static char *run_mem_memory(const SimRun *r, const Strand *s, uint32_t buf, int64_t *at)
{
    uint32_t root = buf_root(r->sp->p, buf);
    const Buf *b = &r->sp->p->buf[buf], *k = &r->sp->p->buf[root];
    *at = 0;
    if (k->scope == SCglobal)
        return r->global[root].data;
    *at = b->at >= 0 ? b->at : k->at;
    return r->shared + s->cta * r->l->shared + *at;
}

/* Findings --------------------------------------------------------------------- */

static const char *element_address(SimRun *r, const SimAccess *a, const int64_t *idx)
{
    Str s = {0};
    str_fmt(&s, "%s[", buf_of(r, a)->name);
    for (int d = 0; d < a->ndim; d++)
        str_fmt(&s, "%s%lld", d ? ", " : "", (long long)idx[d]);
    str_puts(&s, "]");
    const char *t = astr(r->ctx, s.s ? s.s : "?", s.s ? s.n : 1);
    str_free(&s);
    return t;
}

static const char *run_mem_shape_text(SimRun *r, const SimAccess *a)
{
    Str s = {0};
    for (int d = 0; d < a->ndim; d++)
        str_fmt(&s, "%s%lld", d ? ", " : "", (long long)r->shape[a->buf].size[d]);
    const char *t = astr(r->ctx, s.s ? s.s : "?", s.s ? s.n : 1);
    str_free(&s);
    return t;
}

static void run_mem_lane_index(const SimRun *r, const Strand *s, const SimAccess *a, int k,
                               int64_t *idx)
{
    for (int d = 0; d < a->ndim; d++)
        idx[d] = run_mem_sum(uvalue(s, a->u[d]), a->hast[d] ? ivalue(r, s, a->t[d], k) : 0);
}

static void report_outside(SimRun *r, Strand *s, const SimAccess *a, int k, int64_t *idx, int dim)
{
    Report *q = &r->report;
    if (report_has(q, E_sim_bounds, a->site, 0))
        return;
    if (a->vec == dim && idx[dim] >= 0 && idx[dim] < r->shape[a->buf].size[dim])
        idx[dim] = r->shape[a->buf].size[dim]; /* the element of the vector that is outside */
    report_add(q, E_sim_bounds, a->site, E_none, 0, element_address(r, a, idx),
               run_mem_shape_text(r, a), report_thread(q, s->t0 + k), report_block(q, s->t0 + k),
               report_where(q), r->sp->site[a->site].what, (const char *)NULL);
    r->stop |= q->full;
}

/* Reports that lane k's access does not begin at a multiple of `bytes`. */
static void access_misaligned(SimRun *r, Strand *s, const SimAccess *a, int k, int bytes)
{
    Report *q = &r->report;
    int64_t idx[MaxDim];
    if (report_has(q, E_sim_misaligned, a->site, 0))
        return;
    run_mem_lane_index(r, s, a, k, idx);
    report_add(q, E_sim_misaligned, a->site, E_none, 0, element_address(r, a, idx),
               report_number(q, bytes), report_thread(q, s->t0 + k), report_block(q, s->t0 + k),
               report_where(q), (const char *)NULL);
    r->stop |= q->full;
}

void access_box_base(SimRun *r, Strand *s, const SimAccess *a, int k, int bytes, int64_t at)
{
    Report *q = &r->report;
    int64_t idx[MaxDim];
    if (report_has(q, E_sim_box_base, a->site, 0))
        return;
    run_mem_lane_index(r, s, a, k, idx);
    report_add(q, E_sim_box_base, a->site, E_none, 0, element_address(r, a, idx),
               report_number(q, bytes), report_thread(q, s->t0 + k), report_block(q, s->t0 + k),
               report_where(q), report_number(q, at), (const char *)NULL);
    r->stop |= q->full;
}

/* Bounds ------------------------------------------------------------------------ */

static int64_t run_mem_reach(const SimAccess *a, int d) { return a->vec == d ? a->w - 1 : 0; }

/* All lanes that are on inside?  From ranges only; where one wraps, each lane is asked. */
static bool all_inside(SimRun *r, Strand *s, const SimAccess *a, const uint8_t *on, bool exact)
{
    const SimShape *sh = &r->shape[a->buf];
    for (int d = 0; d < a->ndim; d++) {
        int64_t u = uvalue(s, a->u[d]), range[2] = {0, 0}, lo, hi;
        if (a->hast[d] && a->isstatic && !exact) {
            range[0] = r->x->acc[a->id].lo[d];
            range[1] = r->x->acc[a->id].hi[d];
        } else if (a->hast[d] &&
                   !r->sp->kern->range[a->t[d].cls == VCl](operand(r, s, a->t[d], 0), on, s->n,
                                                           range)) {
            return true; /* nobody */
        }
        if (__builtin_add_overflow(u, range[0], &lo) || __builtin_add_overflow(u, range[1], &hi) ||
            lo < 0 || hi >= sh->size[d] - run_mem_reach(a, d))
            return false;
    }
    return true;
}

/* Takes out the lanes that would leave the buffer. */
static bool take_out(SimRun *r, Strand *s, const SimAccess *a, int scratch, Spots *o)
{
    const SimShape *sh = &r->shape[a->buf];
    uint8_t *on = r->x->on[scratch];
    bool any = false;
    for (int k = 0; k < s->n; k++) {
        int64_t idx[MaxDim];
        int bad = -1;
        on[k] = !o->on || o->on[k];
        if (!on[k])
            continue;
        run_mem_lane_index(r, s, a, k, idx);
        for (int d = 0; d < a->ndim && bad < 0; d++)
            if (idx[d] < 0 || idx[d] >= sh->size[d] - run_mem_reach(a, d))
                bad = d;
        if (bad >= 0) {
            report_outside(r, s, a, k, idx, bad);
            on[k] = 0;
        }
        any |= on[k];
    }
    o->on = on;
    return any;
}

/* Offsets ------------------------------------------------------------------------ */

/* at[k] = first + k * step for all of n? */
static bool is_affine(const int64_t *at, int n, int64_t *first, int64_t *step)
{
    int64_t bad = 0;
    *first = n ? at[0] : 0;
    *step = n > 1 ? run_mem_sum(at[1], -(uint64_t)at[0]) : 0;
    for (int k = 0; k < n; k++)
        bad |= at[k] ^ run_mem_sum(*first, wrapping_product(k, *step));
    return bad == 0;
}

static int64_t swizzle(const SharedMap *m, int64_t off)
{
    int64_t mask = ((int64_t)1 << m->bits) - 1;
    return off ^ (off >> (m->base + m->shift) & mask) << m->base;
}

/* By tables, element e of a vector. */
static void map_offsets(SimRun *r, Strand *s, const SimAccess *a, const uint8_t *on, int e,
                        int64_t *at)
{
    const SharedMap *m = &r->sp->map[a->buf];
    int64_t base = 0;
    memset(at, 0, (size_t)s->n * sizeof *at);
    for (int d = 0; d < a->ndim; d++) {
        int64_t u = run_mem_sum(uvalue(s, a->u[d]), a->vec == d ? e : 0);
        const int32_t *tab = m->tab[d];
        if (!a->hast[d]) {
            base += tab[u];
        } else if (a->t[d].cls == VCi && !on) {
            const int32_t *t = operand(r, s, a->t[d], 0);
            for (int k = 0; k < s->n; k++)
                at[k] += tab[run_mem_sum(u, t[k])];
        } else {
            for (int k = 0; k < s->n; k++)
                if (!on || on[k])
                    at[k] += tab[run_mem_sum(u, ivalue(r, s, a->t[d], k))];
        }
    }
    if (!m->bits) {
        for (int k = 0; k < s->n; k++)
            at[k] += base;
        return;
    }
    for (int k = 0; k < s->n; k++)
        at[k] = swizzle(m, at[k] + base);
}

static void run_mem_mapped(SimRun *r, Strand *s, const SimAccess *a, int scratch, Spots *o)
{
    int64_t *at = r->x->at[scratch], first, step;
    map_offsets(r, s, a, o->on, 0, at);
    o->base = o->step = 0;
    o->at = at;
    if (!o->on && is_affine(at, s->n, &first, &step)) {
        o->base = first;
        o->step = step;
        o->at = NULL;
    }
    if (a->w < 2)
        return;
    int64_t *last = r->x->at[3];
    map_offsets(r, s, a, o->on, a->w - 1, last);
    for (int k = 0; k < s->n && !o->apart; k++)
        o->apart = (!o->on || o->on[k]) && last[k] - at[k] != a->w - 1;
}

static void linear_spots(SimRun *r, Strand *s, const SimAccess *a, int scratch, Spots *o)
{
    const SimShape *sh = &r->shape[a->buf];
    int64_t *at = r->x->at[scratch], first, step;
    int t = s->t0 - s->cta * r->l->lanes;
    bool any = false;
    o->base = o->step = 0;
    o->at = NULL;
    for (int d = 0; d < a->ndim; d++) {
        o->base = run_mem_sum(o->base, wrapping_product(uvalue(s, a->u[d]), sh->stride[d]));
        any |= a->hast[d];
    }
    if (a->isstatic) {
        const AccState *st = &r->x->acc[a->id];
        if (st->affine) {
            o->base = run_mem_sum(o->base, run_mem_sum(st->first, wrapping_product(st->step, t)));
            o->step = st->step;
        } else {
            o->at = st->at + t;
        }
        return;
    }
    if (!any)
        return;
    memset(at, 0, (size_t)s->n * sizeof *at);
    for (int d = 0; d < a->ndim; d++)
        if (a->hast[d])
            r->sp->kern->offset[a->t[d].cls == VCl](at, operand(r, s, a->t[d], 0), &sh->stride[d],
                                                    NULL, s->n);
    o->at = at;
    if (!o->on && is_affine(at, s->n, &first, &step)) {
        o->base = run_mem_sum(o->base, first);
        o->step = step;
        o->at = NULL;
    }
}

/* A vector access starts at a multiple of its size. */
static void run_mem_aligned(SimRun *r, Strand *s, const SimAccess *a, int64_t memat, Spots *o)
{
    int bits = dtypeinfo[a->dt].bits, most = r->sp->m->vec_bytes * 8;
    int64_t unit = (int64_t)a->w * bits;
    unit = unit > most && most > 0 ? most : unit;
    int64_t base = run_mem_sum(wrapping_product(o->base, bits), memat * 8), low = 0;
    if (!o->at) {
        low = base | (s->n > 1 ? wrapping_product(o->step, bits) : 0);
    } else {
        for (int k = 0; k < s->n; k++)
            low |= !o->on || o->on[k] ? o->at[k] : 0;
        low = wrapping_product(low, bits) | base;
    }
    if (!(low & (unit - 1)) && !o->apart) /* sizes are powers of two */
        return;
    for (int k = 0; k < s->n; k++) {
        int64_t at = run_mem_sum(
            base, wrapping_product(o->at ? o->at[k] : wrapping_product(k, o->step), bits));
        if ((!o->on || o->on[k]) && (o->apart || at % unit)) {
            access_misaligned(r, s, a, k, (int)(unit / 8));
            return;
        }
    }
}

bool access_spots(SimRun *r, Strand *s, const uint8_t *on, const SimAccess *a, int scratch,
                  Spots *o)
{
    int64_t memat;
    *o = (Spots){.on = on};
    o->mem = run_mem_memory(r, s, a->buf, &memat);
    if (!all_inside(r, s, a, o->on, false) && !(a->isstatic && all_inside(r, s, a, o->on, true)) &&
        !take_out(r, s, a, scratch & 1, o))
        return false;
    uint32_t root = buf_root(r->sp->p, a->buf);
    if (r->sp->p->buf[root].scope != SCglobal && !r->sp->map[a->buf].linear)
        run_mem_mapped(r, s, a, scratch, o);
    else
        linear_spots(r, s, a, scratch, o);
    if (a->w > 1)
        run_mem_aligned(r, s, a, memat, o);
    return true;
}

/* What never changes in a launch -------------------------------------------------- */

/* From the first block's threads: others have the same indices. */
static void settle_offsets(SimRun *r, const SimAccess *a, AccState *st)
{
    Strand s = {.t0 = 0, .n = r->l->threads, .u = r->x->u};
    const SimShape *sh = &r->shape[a->buf];
    uint32_t root = buf_root(r->sp->p, a->buf);
    st->at = anew(r->ctx, (size_t)r->l->lanes * sizeof *st->at);
    st->mapped = r->sp->p->buf[root].scope != SCglobal && !r->sp->map[a->buf].linear;
    for (int d = 0; d < a->ndim; d++) {
        int64_t range[2] = {0, 0};
        if (!a->hast[d])
            continue;
        bool big = a->t[d].cls == VCl;
        const void *t = operand(r, &s, a->t[d], 0);
        r->sp->kern->range[big](t, NULL, s.n, range);
        st->lo[d] = range[0];
        st->hi[d] = range[1];
        if (!st->mapped)
            r->sp->kern->offset[big](st->at, t, &sh->stride[d], NULL, s.n);
    }
    st->affine = !st->mapped && is_affine(st->at, s.n, &st->first, &st->step);
}

void access_static(SimRun *r)
{
    r->x->acc = anew(r->ctx, (r->l->naccess + 1) * sizeof *r->x->acc);
    for (uint32_t k = 0; k < r->l->naccess; k++)
        settle_offsets(r, r->l->access[k], &r->x->acc[k]);
}

/* The checks ------------------------------------------------------------------------ */

void access_places(SimRun *r, const SimAccess *a, const Spots *o, int n, HbAccess *t, int64_t *room)
{
    int size = dtypeinfo[a->dt].bits * HbByte / 8;
    const Buf *b = &r->sp->p->buf[a->buf], *root = &r->sp->p->buf[buf_root(r->sp->p, a->buf)];
    int64_t memat = root->scope == SCglobal ? 0 : (b->at >= 0 ? b->at : root->at) * HbByte;
    t->size = size * a->w;
    t->at = NULL;
    if (!o->at) {
        t->base = memat + wrapping_product(o->base, size);
        t->step = wrapping_product(o->step, size);
        return;
    }
    for (int k = 0; k < n; k++)
        room[k] = memat + wrapping_product(run_mem_sum(o->base, o->at[k]), size);
    t->at = room;
}

void access_access(SimRun *r, Strand *s, const SimAccess *a, const Spots *o, int mode,
                   bool (*same)(void *, int, int), void *ud)
{
    if (!r->hb || a->quiet)
        return;
    HbAccess t = {.site = a->site, .mode = (uint8_t)mode, .cta = s->cta, .t0 = s->t0, .n = s->n,
                  .on = o->on, .same = same, .ud = ud, .moves = a->moves};
    access_places(r, a, o, s->n, &t, r->x->at[2]);
    if (r->sp->p->buf[buf_root(r->sp->p, a->buf)].scope == SCglobal)
        hb_global(r->hb, a->buf, &t);
    else
        hb_shared(r->hb, &t);
    r->stop |= r->report.full;
}

/* Instructions ------------------------------------------------------------------------ */

/* The elements of a vector, one after the other, where they are not together. */
static const int64_t *apart_at(SimRun *r, Strand *s, const SimAccess *a, const Spots *o, int e)
{
    if (!o->apart)
        return o->at;
    map_offsets(r, s, a, o->on, e, r->x->at[3]);
    return r->x->at[3];
}

/* Element e of a vector by itself. */
static Spots element_of(SimRun *r, Strand *s, const SimAccess *a, const Spots *o, int e)
{
    return (Spots){.mem = o->mem, .base = o->apart ? 0 : o->base + e, .step = o->step,
                   .at = apart_at(r, s, a, o, e), .on = o->on};
}

void access_held(SimRun *r, Strand *s, const SimAccess *a, const Spots *o, uint8_t *held)
{
    memset(held, 1, (size_t)s->n);
    if (!r->hb || (o->on && !r->sp->kern->count(o->on, s->n)))
        return;
    HbAccess t = {
        .site = a->site, .mode = HBread, .cta = s->cta, .t0 = s->t0, .n = s->n, .on = o->on};
    access_places(r, a, o, s->n, &t, r->x->at[2]);
    hb_held(r->hb, &t, held);
}

/* Where a load that moves is about to read; false: nowhere. */
static bool moving_spots(SimRun *r, Strand *s, const Ins *i, Spots *o)
{
    const SimAccess *a = i->x;
    SimAccess one = *a;
    one.w = 1;
    bool any = access_spots(r, s, mask_of(r, s, i->level), a, 0, o);
    for (int e = 0; e < a->w; e++) {
        Spots at = any ? element_of(r, s, a, o, e) : *o;
        if (any)
            access_held(r, s, &one, &at, held_row(r, s, e));
        else
            memset(held_row(r, s, e), 1, (size_t)s->n);
    }
    return any;
}

/* Where a load reads, of which the checks are told; false: nowhere. */
static bool load_spots(SimRun *r, Strand *s, const Ins *i, Spots *o)
{
    const SimAccess *a = i->x;
    bool any = a->moves ? moving_spots(r, s, i, o)
                        : access_spots(r, s, mask_of(r, s, i->level), a, 0, o);
    if (!any)
        return false;
    access_access(r, s, a, o, HBread, NULL, NULL);
    return true;
}

const Ins *run_load(SimRun *r, Strand *s, const Ins *i)
{
    const SimAccess *a = i->x;
    Spots o;
    if (!load_spots(r, s, i, &o))
        return i + 1;
    KernLoad *load = r->sp->kern->load[a->dt];
    KernLoadV *vector = r->sp->kern->loadv[a->dt];
    if (a->w > 1 && !o.apart && vector) {
        vector(operand(r, s, i->d, 0), r->x->T, o.mem, o.base, o.step, o.at, o.on, s->n, a->w);
        return i + 1;
    }
    for (int e = 0; e < a->w; e++)
        load(operand(r, s, i->d, e), o.mem, o.apart ? 0 : o.base + e, o.step,
             apart_at(r, s, a, &o, e), o.on, s->n);
    return i + 1;
}

const Ins *run_loadu(SimRun *r, Strand *s, const Ins *i)
{
    const SimAccess *a = i->x;
    Spots o;
    if (!load_spots(r, s, i, &o)) {
        s->u[i->d.at].l = 0;
        return i + 1;
    }
    int64_t base = o.base + (o.at ? o.at[0] : 0);
    r->sp->kern->load[a->dt](&s->u[i->d.at], o.mem, base, 0, NULL, NULL, 1);
    return i + 1;
}

/* For the checks: does lane k store the same as lane j, or as memory holds (-1)? */
typedef struct Storing Storing;
struct Storing { SimRun *r; Strand *s; const Ins *i; const SimAccess *a; const Spots *o; };

static bool stores_same(void *ud, int k, int j)
{
    const Storing *q = ud;
    const Spots *o = q->o;
    size_t bytes = (size_t)class_bytes((enum ValueClass)q->i->a.cls);
    for (int e = 0; e < q->a->w; e++) {
        const char *v = operand(q->r, q->s, q->i->a, e);
        bool u = q->i->a.shape == SHu;
        Reg old = {.l = 0};
        const char *w = v + (u ? 0 : (size_t)(j < 0 ? 0 : j) * bytes);
        if (j < 0) {
            int64_t at = o->base + (o->at ? o->at[k] : k * o->step) + e;
            q->r->sp->kern->load[q->a->dt](&old, o->mem, at, 0, NULL, NULL, 1);
            w = (const char *)&old;
        }
        if (memcmp(v + (u ? 0 : (size_t)k * bytes), w, bytes) != 0)
            return false;
    }
    return true;
}

void access_forget(SimRun *r, Strand *s, const SimAccess *a, const Spots *o)
{
    if (!r->hb || (o->on && !r->sp->kern->count(o->on, s->n)))
        return;
    HbAccess t = {
        .site = a->site, .mode = HBwrite, .cta = s->cta, .t0 = s->t0, .n = s->n, .on = o->on};
    access_places(r, a, o, s->n, &t, r->x->at[2]);
    hb_forget(r->hb, &t);
}

/* The lanes that are on and not in `with`. */
static const uint8_t *run_mem_others(SimRun *r, const Strand *s, const uint8_t *on,
                                     const uint8_t *with)
{
    uint8_t *out = r->x->on[3];
    for (int k = 0; k < s->n; k++)
        out[k] = (!on || on[k]) && with && !with[k];
    return out;
}

/* Element e of an access, for those lanes of o that have a value for it, or the others. */
static Spots run_mem_part_of(SimRun *r, Strand *s, const Ins *i, const Spots *o, int e, bool with)
{
    Spots at = element_of(r, s, i->x, o, e);
    at.on = moved_element(r, s, o->on, i->y, e);
    if (!with)
        at.on = run_mem_others(r, s, o->on, at.on);
    return at;
}

static void forget_parts(SimRun *r, Strand *s, const Ins *i, const SimAccess *one, const Spots *o)
{
    const SimAccess *a = i->x;
    for (int e = 0; e < a->w; e++) {
        Spots at = run_mem_part_of(r, s, i, o, e, false);
        access_forget(r, s, one, &at);
    }
}

/* The checks are told which lanes of an element that is stored have a value for it. */
static void tell_part(SimRun *r, Strand *s, const Ins *part, const SimAccess *one, const Spots *at)
{
    access_access(r, s, one, at, HBwrite, stores_same, &(Storing){r, s, part, one, at});
}

/* Is the place of an element also that of others, which one may read without it?  Staging buffers
 * have a place for each element of their own type: a view's may be narrower, as halves of bytes. */
static bool shares_place(const SimRun *r, const SimAccess *a)
{
    const Prog *p = r->sp->p;
    uint32_t root = buf_root(p, r->sp->site[a->site].buf);
    return p->buf[root].stage && dtypeinfo[a->dt].bits < dtypeinfo[p->buf[root].dt].bits;
}

/* A vector of which some elements never got a value, one element after the other.  What the checks
 * see as one place has a value where all of it has; where views' elements share it, where some of
 * it has: those are told again behind those that have none. */
static const Ins *store_parts(SimRun *r, Strand *s, const Ins *i)
{
    const SimAccess *a = i->x;
    SimAccess one = *a;
    Ins part = *i;
    Spots o;
    one.w = 1;
    part.a.shape = SHt;
    if (!access_spots(r, s, mask_of(r, s, i->level), a, 0, &o))
        return i + 1;
    for (int again = 0; again < (shares_place(r, a) ? 2 : 1); again++) {
        for (int e = 0; e < a->w; e++) {
            Spots at = run_mem_part_of(r, s, i, &o, e, true);
            part.a.at = i->a.at + (uint32_t)e * class_rows((enum ValueClass)i->a.cls);
            if (at.on && !r->sp->kern->count(at.on, s->n))
                continue;
            tell_part(r, s, &part, &one, &at);
            if (!again)
                r->sp->kern->store[a->dt](operand(r, s, part.a, 0), at.mem, at.base, at.step, at.at,
                                          at.on, s->n);
        }
        if (!again)
            forget_parts(r, s, i, &one, &o);
    }
    return i + 1;
}

const Ins *run_store(SimRun *r, Strand *s, const Ins *i)
{
    const SimAccess *a = i->x;
    const KernTable *q = r->sp->kern;
    const uint8_t *on = mask_of(r, s, i->level);
    Spots o;
    if (i->y && a->w > 1 && i->a.shape == SHw && moved_parts(r, s, i->y))
        return store_parts(r, s, i);
    if (i->y) {
        const uint8_t *with = moved_mask(r, s, on, i->y);
        if (with != on && access_spots(r, s, run_mem_others(r, s, on, with), a, 0, &o))
            access_forget(r, s, a, &o);
        on = with;
        if (on && !q->count(on, s->n))
            return i + 1;
    }
    if (!access_spots(r, s, on, a, 0, &o))
        return i + 1;
    Storing st = {r, s, i, a, &o};
    access_access(r, s, a, &o, HBwrite, stores_same, &st);
    if (a->w > 1 && !o.apart && q->storev[a->dt] && i->a.shape == SHw) {
        q->storev[a->dt](operand(r, s, i->a, 0), r->x->T, o.mem, o.base, o.step, o.at, o.on, s->n,
                         a->w);
        return i + 1;
    }
    for (int e = 0; e < a->w; e++) {
        const void *v = operand(r, s, i->a, e);
        if (i->a.shape == SHu) {
            q->fill[class_bytes((enum ValueClass)i->a.cls) == 8](r->x->votes, v, NULL, NULL, s->n);
            v = r->x->votes;
        }
        q->store[a->dt](v, o.mem, o.apart ? 0 : o.base + e, o.step, apart_at(r, s, a, &o, e), o.on,
                        s->n);
    }
    return i + 1;
}
