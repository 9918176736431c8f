/* targets/sim/run_reg.c: local buffers: registers by register, and whether they were
 * ever given a value. */
#include <string.h>

#include "run.h"
#include "err/sim.h"

static uint8_t *defined(const SimRun *r, const Strand *s, const Local *l, int64_t reg)
{
    return r->x->defat[l->index] + (size_t)reg * (size_t)r->x->T + s->t0;
}

static Val reg_val(const Local *l, int64_t reg, enum Shape sh)
{
    return (Val){(uint8_t)sh, l->cls, l->dt,
                 l->at + class_rows((enum ValueClass)l->cls) * (uint32_t)reg};
}

/* Findings ------------------------------------------------------------------- */

static const char *reg_name(SimRun *r, const Local *l, int64_t reg)
{
    const char *name = report_name(&r->report, l->buf);
    return r->sp->p->buf[l->buf].of ? name : afmt(r->ctx, "%s[%lld]", name, (long long)reg);
}

static void undefined(SimRun *r, Strand *s, const Local *l, int64_t reg, int lane, uint32_t site)
{
    Report *q = &r->report;
    if (!report_has(q, E_sim_undefined, site, 0))
        report_add(q, E_sim_undefined, site, E_none, 0, reg_name(r, l, reg),
                   report_thread(q, s->t0 + lane), report_block(q, s->t0 + lane),
                   report_where(q), (const char *)NULL);
    r->stop |= q->full;
}

static void run_reg_outside(SimRun *r, Strand *s, const Local *l, int64_t reg, int lane,
                            uint32_t site)
{
    Report *q = &r->report;
    if (!report_has(q, E_sim_reg, site, 0))
        report_add(q, E_sim_reg, site, E_none, 0, report_name(q, l->buf),
                   report_number(q, reg), report_number(q, l->regs),
                   report_thread(q, s->t0 + lane), report_block(q, s->t0 + lane),
                   report_where(q), (const char *)NULL);
    r->stop |= q->full;
}

static int first_on(const uint8_t *on, int n)
{
    for (int k = 0; on && k < n; k++)
        if (on[k])
            return k;
    return 0;
}

/* Has every lane that is on given registers [at, at + n) a value? */
static void run_reg_given(SimRun *r, Strand *s, const uint8_t *on, const Local *l, int64_t at,
                          int64_t n, uint32_t site)
{
    if (!r->x->undef[l->index] || !r->hb)
        return;
    for (int64_t j = at; j < at + n; j++) {
        const uint8_t *d = defined(r, s, l, j);
        if (!memchr(d, 0, (size_t)s->n))
            continue;
        for (int k = 0; k < s->n; k++)
            if (!d[k] && (!on || on[k])) {
                undefined(r, s, l, j, k, site);
                return;
            }
    }
}

static bool flies(const SimRun *r, const Local *l) { return l->async && r->x->inflight; }

/* May registers [at, at + n) be read? */
static void run_reg_check(SimRun *r, Strand *s, const uint8_t *on, const Local *l, int64_t at,
                          int64_t n, uint32_t site)
{
    if (flies(r, l))
        flight_regs(r, s, l, at, n, site, false);
    run_reg_given(r, s, on, l, at, n, site);
}

/* Registers [at, at + n) are about to be written by ordinary code. */
static void run_reg_claim(SimRun *r, Strand *s, const Local *l, int64_t at, int64_t n,
                          uint32_t site)
{
    if (flies(r, l))
        flight_regs(r, s, l, at, n, site, true);
    if (l->async)
        registers_written(r, s, l);
}

static void run_reg_define(SimRun *r, Strand *s, const uint8_t *on, const Local *l, int64_t at,
                           int64_t n)
{
    int64_t *left = &r->x->undef[l->index];
    for (int64_t j = at; *left && j < at + n; j++) {
        uint8_t *d = defined(r, s, l, j);
        int64_t had = r->sp->kern->count(d, s->n);
        if (had == s->n)
            continue;
        if (!on)
            memset(d, 1, (size_t)s->n);
        else
            for (int k = 0; k < s->n; k++)
                d[k] |= on[k];
        *left -= r->sp->kern->count(d, s->n) - had;
    }
}

/* Instructions ----------------------------------------------------------------- */

/* What threads t0 .. t0 + n - 1 hold in a register is padding here (NULL: none of it). */
static const uint8_t *run_reg_padding(const SimRun *r, const Local *l, int64_t reg, int t0)
{
    return l->pad ? l->pad + (size_t)reg * (size_t)r->l->lanes + t0 % r->l->lanes : NULL;
}

const Ins *run_undefine(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int64_t *left = &r->x->undef[l->index];
    for (int64_t j = 0; j < l->regs; j++) {
        uint8_t *d = defined(r, s, l, j);
        const uint8_t *pad = run_reg_padding(r, l, j, s->t0);
        int64_t had = r->sp->kern->count(d, s->n);
        if (!had)
            continue;
        if (!on && r->opt->undefined >= 0)
            memset(row_at(r, reg_val(l, j, SHt), s->t0), r->opt->undefined,
                   (size_t)s->n * (size_t)class_bytes((enum ValueClass)l->cls));
        if (!on && !pad)
            memset(d, 0, (size_t)s->n);
        else
            for (int k = 0; k < s->n; k++)
                d[k] = on && !on[k] ? d[k] : pad ? pad[k] : 0;
        *left += had - r->sp->kern->count(d, s->n);
    }
    return i + 1;
}

void locals_fill(SimRun *r, int byte)
{
    for (uint32_t k = 0; k < r->l->nlocal; k++) {
        const Local *l = r->l->local[k];
        size_t rows = (size_t)l->regs * class_rows((enum ValueClass)l->cls);
        memset(row_at(r, reg_val(l, 0, SHt), 0), byte, rows * 4 * (size_t)r->x->T);
    }
}

void locals_reset(SimRun *r)
{
    Machinery *x = r->x;
    if (r->l->defined)
        memset(x->def, 0, (size_t)r->l->defined * (size_t)x->T);
    for (uint32_t k = 0; k < r->l->nlocal; k++) {
        const Local *l = r->l->local[k];
        x->undef[k] = l->regs * (int64_t)r->l->threads * r->ncta;
        for (int64_t j = 0; l->pad && j < l->regs; j++)
            for (int c = 0; c < r->ncta; c++) {
                uint8_t *d = x->defat[k] + (size_t)j * (size_t)x->T + (size_t)c * (size_t)r->l->lanes;
                memcpy(d, run_reg_padding(r, l, j, 0), (size_t)r->l->threads);
                x->undef[k] -= r->sp->kern->count(d, r->l->threads);
            }
    }
}

/* Registers [k, k + n) are read as operands. */
const Ins *run_defined(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    if (r->x->undef[l->index] || flies(r, l))
        run_reg_check(r, s, mask_of(r, s, i->level), l, i->k, i->n, i->site);
    return i + 1;
}

const Ins *run_landed(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    if (flies(r, l))
        flight_regs(r, s, l, i->k, i->n, i->site, false);
    return i + 1;
}

/* A register of x, of other lanes, is used: a is 0 where it had no value there. */
const Ins *run_given(SimRun *r, Strand *s, const Ins *i)
{
    const int32_t *a = operand(r, s, i->a, 0);
    const uint8_t *on = mask_of(r, s, i->level);
    for (int k = 0; r->hb && k < s->n; k++)
        if (!a[k] && (!on || on[k])) {
            undefined(r, s, i->x, i->k, k, i->site);
            break;
        }
    return i + 1;
}

const Ins *run_definedu(SimRun *r, Strand *s, const Ins *i)
{
    Report *q = &r->report;
    uint32_t buf = r->sp->site[i->site].buf;
    if (!s->u[i->k].i && r->hb && !report_has(q, E_sim_undefined, i->site, 0)) {
        int k = first_on(mask_of(r, s, i->level), s->n);
        report_add(q, E_sim_undefined, i->site, E_none, 0, report_name(q, buf),
                   report_thread(q, s->t0 + k), report_block(q, s->t0 + k), report_where(q),
                   (const char *)NULL);
        r->stop |= q->full;
    }
    return i + 1;
}

/* The register of a uniform index; false: outside, reported. */
static bool reg_in_range(SimRun *r, Strand *s, const Ins *i, const Local *l, int64_t at, int64_t n,
                         uint32_t site)
{
    if (at >= 0 && at <= l->regs - n)
        return true;
    run_reg_outside(r, s, l, at < 0 || at >= l->regs ? at : at + n - 1,
                    first_on(mask_of(r, s, i->level), s->n), site);
    return false;
}

const Ins *run_ldslot(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    int64_t at = uvalue(s, i->a);
    int n = i->d.shape == SHw ? i->w : 1, bytes = class_bytes((enum ValueClass)l->cls);
    if (!reg_in_range(r, s, i, l, at, n, i->site))
        return i + 1;
    if (!i->k)
        run_reg_check(r, s, mask_of(r, s, i->level), l, at, n, i->site);
    else if (flies(r, l)) /* it is only moved */
        flight_regs(r, s, l, at, n, i->site, false);
    for (int e = 0; e < n; e++)
        memcpy(operand(r, s, i->d, e), operand(r, s, reg_val(l, at + e, SHt), 0),
               (size_t)s->n * (size_t)bytes);
    return i + 1;
}

/* One lane's register, as the register class has it. */
static char *reg_cell(const SimRun *r, const Local *l, int64_t reg, int t)
{
    return row_at(r, reg_val(l, reg, SHt), t);
}

const Ins *run_ldindex(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    size_t bytes = (size_t)class_bytes((enum ValueClass)l->cls);
    char *d = operand(r, s, i->d, 0);
    for (int k = 0; k < s->n; k++) {
        int64_t at = ivalue(r, s, i->a, k);
        if (on && !on[k])
            continue;
        if (at < 0 || at >= l->regs) {
            run_reg_outside(r, s, l, at, k, i->site);
            continue;
        }
        if (r->hb && !i->k && !*(defined(r, s, l, at) + k))
            undefined(r, s, l, at, k, i->site);
        memcpy(d + (size_t)k * bytes, reg_cell(r, l, at, s->t0 + k), bytes);
    }
    return i + 1;
}

/* Values that are only moved ------------------------------------------------------ */

static int64_t moved_reg(const Strand *s, const Moved *m)
{
    return (int64_t)((uint64_t)m->reg + (uint64_t)uvalue(s, m->at));
}

/* Which lanes have a value for element j. */
static const uint8_t *moved_row(const SimRun *r, const Strand *s, const Moved *m, int64_t j)
{
    return m->l ? defined(r, s, m->l, moved_reg(s, m) + j) : held_row(r, s, m->reg + j);
}

/* Certainly, or is there no telling? */
static bool moved_known(const SimRun *r, const Strand *s, const Moved *m)
{
    if (!r->hb || !m->l)
        return !r->hb;
    int64_t at = moved_reg(s, m);
    return !r->x->undef[m->l->index] || at < 0 || at > m->l->regs - m->n;
}

/* Have all of them a value? */
static bool moved_all(const SimRun *r, const Strand *s, const Moved *m)
{
    if (moved_known(r, s, m))
        return true;
    for (int j = 0; j < m->n; j++)
        if (memchr(moved_row(r, s, m, j), 0, (size_t)s->n))
            return false;
    return true;
}

bool moved_parts(const SimRun *r, const Strand *s, const Moved *m)
{
    return m->n > 1 && !moved_all(r, s, m);
}

const uint8_t *moved_element(SimRun *r, Strand *s, const uint8_t *on, const Moved *m, int e)
{
    Moved one = *m;
    one.reg += e;
    one.n = 1;
    return moved_mask(r, s, on, &one);
}

const uint8_t *moved_mask(SimRun *r, Strand *s, const uint8_t *on, const Moved *m)
{
    uint8_t *out = r->x->on[2];
    if (moved_all(r, s, m))
        return on;
    for (int k = 0; k < s->n; k++) {
        out[k] = !on || on[k];
        for (int j = 0; j < m->n; j++)
            out[k] &= moved_row(r, s, m, j)[k];
    }
    return out;
}

/* Registers [at, at + n) of l are as defined as those they came from. */
static void spread_undefined(SimRun *r, Strand *s, const uint8_t *on, const Moved *m,
                             const Local *l, int64_t at, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        uint8_t *d = defined(r, s, l, at + j);
        const uint8_t *from = moved_row(r, s, m, m->n > 1 ? j : 0);
        const uint8_t *pad = run_reg_padding(r, l, at + j, s->t0);
        int64_t had = r->sp->kern->count(d, s->n);
        for (int k = 0; k < s->n; k++)
            if (!on || on[k])
                d[k] = from[k] || (pad && pad[k]);
        r->x->undef[l->index] += had - r->sp->kern->count(d, s->n);
    }
}

/* b -> registers of x from a on, where lanes are on. */
const Ins *run_stslot(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int64_t at = uvalue(s, i->a);
    int n = i->d.shape == SHw ? i->w : 1;
    if (!reg_in_range(r, s, i, l, at, n, i->site))
        return i + 1;
    run_reg_claim(r, s, l, at, n, i->site);
    Ins copy = *i;
    copy.d = reg_val(l, at, (enum Shape)i->d.shape);
    copy.a = i->b;
    if (copy.a.shape == SHu || copy.a.at != copy.d.at) /* not onto itself */
        run_assign(r, s, &copy);
    if (i->y && !moved_all(r, s, i->y))
        spread_undefined(r, s, on, i->y, l, at, n);
    else
        run_reg_define(r, s, on, l, at, n);
    return i + 1;
}

const Ins *run_stindex(SimRun *r, Strand *s, const Ins *i)
{
    const Local *l = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    size_t bytes = (size_t)class_bytes((enum ValueClass)l->cls);
    const char *v = operand(r, s, i->b, 0);
    for (int k = 0; k < s->n; k++) {
        int64_t at = ivalue(r, s, i->a, k);
        if (on && !on[k])
            continue;
        if (at < 0 || at >= l->regs) {
            run_reg_outside(r, s, l, at, k, i->site);
            continue;
        }
        run_reg_claim(r, s, l, at, 1, i->site);
        memcpy(reg_cell(r, l, at, s->t0 + k), v + (i->b.shape == SHu ? 0 : (size_t)k * bytes),
               bytes);
        uint8_t *d = defined(r, s, l, at) + k, had = *d;
        *d = !i->y || moved_known(r, s, i->y) || moved_row(r, s, i->y, 0)[k];
        r->x->undef[l->index] += had - *d;
    }
    return i + 1;
}

/* For instructions -------------------------------------------------------------- */

bool regs_at(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, uint32_t site, Val *v)
{
    int64_t at = uvalue(s, k->at);
    if (!reg_in_range(r, s, i, k->l, at, k->n, site))
        return false;
    *v = reg_val(k->l, at, SHt);
    return true;
}

static int64_t run_reg_reg_of(const RegArgs *k, Val v)
{
    return (v.at - k->l->at) / class_rows((enum ValueClass)k->l->cls);
}

void regs_read(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, uint32_t site, Val v)
{
    run_reg_check(r, s, mask_of(r, s, i->level), k->l, run_reg_reg_of(k, v), k->n, site);
}

void regs_landed(SimRun *r, Strand *s, const RegArgs *k, uint32_t site, Val v)
{
    if (flies(r, k->l))
        flight_regs(r, s, k->l, run_reg_reg_of(k, v), k->n, site, false);
}

const uint8_t *regs_defined(const SimRun *r, const Strand *s, const RegArgs *k, Val v, int j)
{
    return r->x->undef[k->l->index] && r->hb ? defined(r, s, k->l, run_reg_reg_of(k, v) + j) : NULL;
}

void regs_given(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, uint32_t site, Val v)
{
    run_reg_given(r, s, mask_of(r, s, i->level), k->l, run_reg_reg_of(k, v), k->n, site);
}

const uint8_t *local_undefined(const SimRun *r, const Strand *s, const Local *l, int64_t reg)
{
    return r->hb && r->x->undef[l->index] ? defined(r, s, l, reg) : NULL;
}

void regs_undefine(SimRun *r, const Strand *s, const RegArgs *regs, Val v, int j, int k)
{
    const Local *l = regs->l;
    int64_t reg = run_reg_reg_of(regs, v) + j;
    const uint8_t *pad = run_reg_padding(r, l, reg, s->t0);
    uint8_t *d = defined(r, s, l, reg) + k, had = *d;
    *d = pad && pad[k];
    r->x->undef[l->index] += had - *d;
}

void regs_written(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, Val v)
{
    run_reg_define(r, s, mask_of(r, s, i->level), k->l, run_reg_reg_of(k, v), k->n);
}
