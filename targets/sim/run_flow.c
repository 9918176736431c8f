/* targets/sim/run_flow.c: control flow.
 *
 * Masks stand in rows by level; level 0 is all threads of the strand.  A branch
 * of lanes makes the mask of the next level, and that of its other side beside
 * it.  A loop that lanes leave one by one has two levels: lanes still in the
 * loop, and lanes still in this round; leaving clears lanes from there down to
 * the level where they stand, so that outer branches find them gone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "err/launch.h"

enum { Turns = 4096 }; /* loops until others get their turn */

static uint8_t *run_flow_row(const SimRun *r, const Strand *s, int level, bool other)
{
    return r->x->mask + (size_t)(2 * level + other) * (size_t)r->x->T + s->t0;
}

const Ins *run_end(SimRun *r, Strand *s, const Ins *i)
{
    (void)r, (void)i;
    s->state = SRend;
    return NULL;
}

const Ins *run_jz(SimRun *r, Strand *s, const Ins *i)
{
    (void)r;
    return s->u[i->a.at].i ? i + 1 : i->to;
}

const Ins *run_jump(SimRun *r, Strand *s, const Ins *i)
{
    (void)r, (void)s;
    return i->to;
}

/* Back to the top of a loop; now and then others get their turn, who may be
 * waited for in it. */
const Ins *run_back(SimRun *r, Strand *s, const Ins *i)
{
    if (++s->turns < Turns && !r->stop)
        return i->to;
    s->turns = 0;
    s->pc = i->to;
    return NULL;
}

/* Branches of lanes --------------------------------------------------------- */

/* Whether warps of the strand go different ways; key gets a number for each: 1
 * all lanes into `then`, 2 none, 3 some; warps without lanes go with anybody. */
static bool warps_differ(const SimRun *r, const Strand *s, const Ins *i, uint8_t *key)
{
    const uint8_t *on = mask_of(r, s, i->level);
    const int32_t *c = operand(r, s, i->a, 0);
    int warp = r->sp->m->warp, last = 0;
    bool differ = false;
    for (int w = 0; w * warp < s->n; w++) {
        int how = 0;
        for (int k = w * warp; k < (w + 1) * warp && k < s->n; k++)
            if (!on || on[k])
                how |= c[k] ? 1 : 2;
        key[w] = (uint8_t)(how ? how : last);
        differ |= how && last && how != last;
        last = how ? how : last;
    }
    return differ;
}

const Ins *run_if(SimRun *r, Strand *s, const Ins *i)
{
    int l = i->level + 1;
    uint8_t key[64];
    if (i->k && s->n > r->sp->m->warp && s->n <= 64 * r->sp->m->warp &&
        warps_differ(r, s, i, key)) {
        s->pc = i;
        strand_parts(r, s, key);
    }
    const uint8_t *on = mask_of(r, s, i->level);
    uint8_t *then = run_flow_row(r, s, l, false), *els = run_flow_row(r, s, l, true);
    int64_t n = r->sp->kern->split(then, els, on, operand(r, s, i->a, 0), s->n);
    s->full[l] = n == s->n;
    return n ? i + 1 : i->to;
}

const Ins *run_else(SimRun *r, Strand *s, const Ins *i)
{
    int l = i->level + 1;
    uint8_t *els = run_flow_row(r, s, l, true);
    int64_t n = r->sp->kern->count(els, s->n);
    memcpy(run_flow_row(r, s, l, false), els, (size_t)s->n);
    s->full[l] = n == s->n;
    return n ? i + 1 : i->to;
}

const Ins *run_ifnone(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    return on && !r->sp->kern->count(on, s->n) ? i->to : i + 1;
}

/* The threads [k, d.at) of the block. */
const Ins *run_role(SimRun *r, Strand *s, const Ins *i)
{
    int lo = (int)i->k, hi = (int)i->d.at, t = s->t0 - s->cta * r->l->lanes;
    s->pc = i;
    if (t < lo && lo < t + s->n)
        strand_split(r, s, s->t0 + (lo - t));
    if (t < hi && hi < t + s->n)
        strand_split(r, s, s->t0 + (hi - t));
    return t >= lo && t < hi ? i + 1 : i->to;
}

/* Loops --------------------------------------------------------------------- */

/* The mask of a level from that of another. */
static int64_t inherit(SimRun *r, Strand *s, int to, int from)
{
    const uint8_t *on = mask_of(r, s, from);
    s->full[to] = !on;
    if (!on) {
        memset(run_flow_row(r, s, to, false), 1, (size_t)s->n);
        return s->n;
    }
    memcpy(run_flow_row(r, s, to, false), on, (size_t)s->n);
    return r->sp->kern->count(on, s->n);
}

const Ins *run_live(SimRun *r, Strand *s, const Ins *i)
{
    inherit(r, s, i->level, i->level - 1);
    return i + 1;
}

const Ins *run_round(SimRun *r, Strand *s, const Ins *i)
{
    return inherit(r, s, i->level + 1, i->level) ? i + 1 : i->to;
}

/* Lanes stay while a is not 0. */
const Ins *run_trim(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    int64_t n =
        r->sp->kern->split(run_flow_row(r, s, i->level, false), run_flow_row(r, s, i->level, true),
                           on, operand(r, s, i->a, 0), s->n);
    s->full[i->level] = n == s->n;
    return n ? i + 1 : i->to;
}

const Ins *run_more(SimRun *r, Strand *s, const Ins *i)
{
    int64_t v = uvalue(s, i->a), hi = uvalue(s, i->b), step = uvalue(s, i->c);
    (void)r;
    return (step > 0 ? v < hi : v > hi) ? i + 1 : i->to;
}

const Ins *run_morelanes(SimRun *r, Strand *s, const Ins *i)
{
    uint8_t *on = run_flow_row(r, s, i->level, false);
    int64_t n = 0;
    for (int k = 0; k < s->n; k++) {
        int64_t v = ivalue(r, s, i->a, k), hi = ivalue(r, s, i->b, k);
        on[k] &= ivalue(r, s, i->c, k) > 0 ? v < hi : v > hi;
        n += on[k];
    }
    s->full[i->level] = n == s->n;
    return n ? i + 1 : i->to;
}

/* v + by, or hi where that is reached: the sum may leave the type. */
static int64_t flow_stepped(int64_t v, int64_t hi, int64_t by)
{
    uint64_t left = by > 0 ? (uint64_t)hi - (uint64_t)v : (uint64_t)v - (uint64_t)hi;
    uint64_t step = by > 0 ? (uint64_t)by : -(uint64_t)by;
    return left <= step ? hi : (int64_t)((uint64_t)v + (uint64_t)by);
}

const Ins *run_step(SimRun *r, Strand *s, const Ins *i)
{
    int64_t v = flow_stepped(uvalue(s, i->a), uvalue(s, i->c), uvalue(s, i->b));
    (void)r;
    if (i->d.cls == VCl)
        s->u[i->d.at].l = v;
    else
        s->u[i->d.at].i = (int32_t)v;
    return i + 1;
}

const Ins *run_steplanes(SimRun *r, Strand *s, const Ins *i)
{
    bool big = i->d.cls == VCl;
    r->sp->kern->bin[Xadd][big ? KCl : KCi][KFvv](operand(r, s, i->d, 0), operand(r, s, i->a, 0),
                                                  operand(r, s, i->b, 0), NULL, s->n);
    return i + 1;
}

/* The same where the sum may leave the type. */
const Ins *run_stepfar(SimRun *r, Strand *s, const Ins *i)
{
    bool big = i->d.cls == VCl;
    void *to = operand(r, s, i->d, 0);
    for (int k = 0; k < s->n; k++) {
        int64_t v = flow_stepped(ivalue(r, s, i->a, k), ivalue(r, s, i->c, k), ivalue(r, s, i->b, k));
        if (big)
            ((int64_t *)to)[k] = v;
        else
            ((int32_t *)to)[k] = (int32_t)v;
    }
    return i + 1;
}

/* The lanes that are on here are gone from level k on. */
const Ins *run_leave(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    for (int l = (int)i->k; l <= i->level; l++) {
        uint8_t *m = run_flow_row(r, s, l, false);
        if (s->full[l])
            memset(m, 1, (size_t)s->n);
        s->full[l] = false;
        if (!on || l == i->level)
            memset(m, 0, (size_t)s->n);
        else
            for (int k = 0; k < s->n; k++)
                m[k] &= (uint8_t)!on[k];
    }
    return i + 1;
}

/* Assertions ----------------------------------------------------------------- */

static const char *run_flow_message(const Stmt *s)
{
    return s->check.text && *s->check.text ? s->check.text : "device_assert failed";
}

const Ins *run_assert(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    const int32_t *c = operand(r, s, i->a, 0);
    const Stmt *st = i->x;
    for (int k = 0; k < s->n; k++) {
        if ((on && !on[k]) || c[i->a.shape == SHu ? 0 : k])
            continue;
        int64_t b = r->block[s->cta], x = b % r->grid[0], y = b / r->grid[0];
        r->failed = dev_error(E_sim_assert, run_flow_message(st),
                              dev_block(x, y % r->grid[1], y / r->grid[1]),
                              s->t0 + k - s->cta * r->l->lanes);
        r->assert_line = st->loc.line;
        r->stop = true;
        s->state = SRend;
        return NULL;
    }
    return i + 1;
}

/* Element e of an operand in lane k, as text. */
static void run_flow_value(const SimRun *r, const Strand *s, Val v, int e, int k, char out[32])
{
    const void *p = operand(r, s, v, e);
    k = v.shape == SHu ? 0 : k;
    switch ((enum ValueClass)v.cls) {
    case VCf: snprintf(out, 32, "%.9g", (double)((const float *)p)[k]); break;
    case VCd: snprintf(out, 32, "%.17g", ((const double *)p)[k]); break;
    case VCi:
        if (dtypeinfo[v.dt].cls == 'U')
            snprintf(out, 32, "%" PRIu32, ((const uint32_t *)p)[k]);
        else
            snprintf(out, 32, "%" PRId32, ((const int32_t *)p)[k]);
        break;
    default:
        if (dtypeinfo[v.dt].cls == 'U')
            snprintf(out, 32, "%" PRIu64, ((const uint64_t *)p)[k]);
        else
            snprintf(out, 32, "%" PRId64, ((const int64_t *)p)[k]);
        break;
    }
}

/* What the program assumes is false of element e in lane k. */
static const Ins *assumption_failed(SimRun *r, Strand *s, const Ins *i, int e, int k)
{
    char values[80] = "", left[32], right[32];
    const Stmt *st = i->x;
    int64_t b = r->block[s->cta], x = b % r->grid[0], y = b / r->grid[0];
    if (i->k >= 0) {
        run_flow_value(r, s, i->b, e, k, left);
        run_flow_value(r, s, i->c, e, k, right);
        if (i->n) /* as the condition is printed: the constant stands on the right */
            snprintf(values, sizeof values, ": %s %s %s", right, i->k == Xlt ? ">" : i->k == Xle ? ">=" :
                     xopinfo[i->k].text, left);
        else
            snprintf(values, sizeof values, ": %s %s %s", left, xopinfo[i->k].text, right);
    }
    DevText said = dev_text("%s%s", (const char *)i->y, values), in = dev_block(x, y % r->grid[1], y / r->grid[1]);
    int thread = s->t0 + k - s->cta * r->l->lanes;
    r->failed = st->check.text ? dev_error(E_sim_presumed, said, in, thread)
                               : dev_error(E_sim_assume, said, in, thread);
    r->assert_line = st->loc.line;
    r->stop = true;
    s->state = SRend;
    return NULL;
}

const Ins *run_assume(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    for (int e = 0; e < (i->a.shape == SHw ? i->w : 1); e++) {
        const int32_t *c = operand(r, s, i->a, e);
        for (int k = 0; k < s->n; k++)
            if ((!on || on[k]) && !c[i->a.shape == SHu ? 0 : k])
                return assumption_failed(r, s, i, e, k);
    }
    return i + 1;
}
