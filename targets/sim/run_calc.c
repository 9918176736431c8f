/* targets/sim/run_calc.c: instructions without effects: arithmetic over lanes. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "run.h"
#include "err/build.h"

/* Wide results take one kernel call when the strand is the whole cluster: then
 * the rows lie one behind the other. */
static void run_calc_wide(SimRun *r, Strand *s, const Ins *i)
{
    bool solid = s->n == r->x->T && i->a.shape != SHt && i->b.shape != SHt && i->c.shape != SHt;
    int rounds = solid ? 1 : i->w;
    int64_t n = solid ? (int64_t)s->n * i->w : s->n;
    for (int e = 0; e < rounds; e++)
        i->kern(operand(r, s, i->d, e), operand(r, s, i->a, e), operand(r, s, i->b, e),
                operand(r, s, i->c, e), n);
}

const Ins *run_kern(SimRun *r, Strand *s, const Ins *i)
{
    if (i->d.shape == SHu)
        i->kern(&s->u[i->d.at], &s->u[i->a.at], &s->u[i->b.at], &s->u[i->c.at], 1);
    else if (i->d.shape == SHt)
        i->kern(operand(r, s, i->d, 0), operand(r, s, i->a, 0), operand(r, s, i->b, 0),
                operand(r, s, i->c, 0), s->n);
    else
        run_calc_wide(r, s, i);
    return i + 1;
}

const Ins *run_lin(SimRun *r, Strand *s, const Ins *i)
{
    const Lin *l = i->x;
    uint64_t v = (uint64_t)l->c;
    (void)r;
    for (int k = 0; k < l->n; k++)
        v += (uint64_t)uvalue(s, l->term[k].v) * (uint64_t)l->term[k].k;
    if (i->d.cls == VCl)
        s->u[i->d.at].l = (int64_t)v;
    else
        s->u[i->d.at].i = (int32_t)v;
    return i + 1;
}

const Ins *run_lint(SimRun *r, Strand *s, const Ins *i)
{
    const Lin *l = i->x;
    const KernTable *k = r->sp->kern;
    bool big = i->d.cls == VCl;
    uint64_t c = (uint64_t)l->c;
    for (int j = 0; j < l->n; j++)
        if (l->term[j].v.shape == SHu)
            c += (uint64_t)uvalue(s, l->term[j].v) * (uint64_t)l->term[j].k;
    for (int e = 0; e < (i->d.shape == SHw ? i->w : 1); e++) {
        void *d = operand(r, s, i->d, e);
        bool first = true;
        for (int j = 0; j < l->n; j++) {
            if (l->term[j].v.shape == SHu)
                continue;
            (first ? k->scale : k->scaleadd)[big](d, operand(r, s, l->term[j].v, e),
                                                  &l->term[j].k, &c, s->n);
            first = false;
        }
    }
    return i + 1;
}

const Ins *run_const(SimRun *r, Strand *s, const Ins *i)
{
    (void)r;
    s->u[i->d.at].l = i->k;
    return i + 1;
}

const Ins *run_arg(SimRun *r, Strand *s, const Ins *i)
{
    s->u[i->d.at] = r->arg[i->k];
    return i + 1;
}

const Ins *run_setu(SimRun *r, Strand *s, const Ins *i)
{
    (void)r;
    s->u[i->d.at] = s->u[i->a.at];
    s->u[i->d.at + 1].i = 1;
    return i + 1;
}

static void run_calc_spread(SimRun *r, void *d, Val a, const void *from, int n)
{
    const KernTable *k = r->sp->kern;
    bool big = class_bytes((enum ValueClass)a.cls) == 8;
    if (a.shape == SHu)
        k->fill[big](d, from, NULL, NULL, n);
    else
        memcpy(d, from, (size_t)n * (big ? 8 : 4));
}

const Ins *run_copy(SimRun *r, Strand *s, const Ins *i)
{
    if (i->d.shape == SHu)
        s->u[i->d.at] = s->u[i->a.at];
    else
        for (int e = 0; e < (i->d.shape == SHw ? i->w : 1); e++)
            run_calc_spread(r, operand(r, s, i->d, e), i->a, operand(r, s, i->a, e), s->n);
    return i + 1;
}

/* As run_copy, where lanes are on. */
const Ins *run_assign(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    if (i->d.shape == SHu || !on)
        return run_copy(r, s, i);
    bool big = class_bytes((enum ValueClass)i->d.cls) == 8;
    for (int e = 0; e < (i->d.shape == SHw ? i->w : 1); e++) {
        const void *from = operand(r, s, i->a, e);
        if (i->a.shape == SHu) {
            run_calc_spread(r, r->x->at[0], i->a, from, s->n);
            from = r->x->at[0];
        }
        r->sp->kern->merge[big](operand(r, s, i->d, e), from, on, s->n);
    }
    return i + 1;
}

const Ins *run_iota(SimRun *r, Strand *s, const Ins *i)
{
    for (int e = 0; e < i->w; e++) {
        Reg v = {.l = 0};
        if (i->d.cls == VCl)
            v.l = e;
        else
            v.i = e;
        r->sp->kern->fill[i->d.cls == VCl](operand(r, s, i->d, e), &v, NULL, NULL, s->n);
    }
    return i + 1;
}

/* Is integer a, in the lanes that are on, zero somewhere? */
static bool run_calc_any_zero(SimRun *r, Strand *s, const Ins *i, const uint8_t *on)
{
    bool lanes = i->a.shape != SHu, wide = i->a.shape == SHw;
    for (int e = 0; e < (wide ? i->w : 1); e++) {
        const void *p = operand(r, s, i->a, e);
        for (int k = 0; k < (lanes || on ? s->n : 1); k++) {
            int at = lanes ? k : 0;
            int64_t v = i->a.cls == VCl ? ((const int64_t *)p)[at] : ((const int32_t *)p)[at];
            if (v == 0 && (!on || on[k]))
                return true;
        }
    }
    return false;
}

/* A divisor: by zero the quotient is 0, which is told once for each place. */
const Ins *run_divisor(SimRun *r, Strand *s, const Ins *i)
{
    if (r->opt->lanes && run_calc_any_zero(r, s, i, mask_of(r, s, i->level)) &&
        !report_has(&r->report, E_int_zero, i->site, 0))
        report_add(&r->report, E_int_zero, i->site, E_none, 0, (const char *)NULL);
    return i + 1;
}

/* Directed rounding ---------------------------------------------------------- */

static const int mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

/* volatile keeps the operation between the changes of mode. */
static double round64(int fn, double a, double b, double c, int how)
{
    volatile double x = a, y = b, z = c, v = 0;
    fesetround(mode[how & 3]);
    switch (fn) {
    case Iieee_add: v = x + y; break;
    case Iieee_sub: v = x - y; break;
    case Iieee_mul: v = x * y; break;
    case Iieee_fdiv: v = x / y; break;
    case Iieee_fmaf: v = fma(x, y, z); break;
    case Iieee_frcp: v = 1.0 / x; break;
    default: v = sqrt(x); break;
    }
    fesetround(FE_TONEAREST);
    return v;
}

static float round32(int fn, float a, float b, float c, int how)
{
    volatile float x = a, y = b, z = c, v = 0;
    fesetround(mode[how & 3]);
    switch (fn) {
    case Iieee_add: v = x + y; break;
    case Iieee_sub: v = x - y; break;
    case Iieee_mul: v = x * y; break;
    case Iieee_fdiv: v = x / y; break;
    case Iieee_fmaf: v = fmaf(x, y, z); break;
    case Iieee_frcp: v = 1.0f / x; break;
    default: v = sqrtf(x); break;
    }
    fesetround(FE_TONEAREST);
    return v;
}

static double fvalue(const SimRun *r, const Strand *s, Val v, int e, int k)
{
    const void *p = operand(r, s, v, e);
    k = v.shape == SHu ? 0 : k;
    return v.cls == VCd ? ((const double *)p)[k] : (double)((const float *)p)[k];
}

const Ins *run_ieee(SimRun *r, Strand *s, const Ins *i)
{
    const Ieee *q = i->x;
    int n = i->d.shape == SHu ? 1 : s->n;
    for (int e = 0; e < (i->d.shape == SHw ? i->w : 1); e++) {
        void *d = operand(r, s, i->d, e);
        for (int k = 0; k < n; k++) {
            double a[3] = {0};
            for (int j = 0; j < q->n; j++)
                a[j] = fvalue(r, s, q->arg[j], e, k);
            int how = (int)ivalue(r, s, q->arg[q->n], k);
            if (q->wide)
                ((double *)d)[k] = round64(q->fn, a[0], a[1], a[2], how);
            else
                ((float *)d)[k] =
                    round32(q->fn, (float)a[0], (float)a[1], (float)a[2], how);
        }
    }
    return i + 1;
}
