/* targets/sim/run_atomic.c: atomics on shared and global memory: one lane after
 * the other, each a read, an operation rounded to the type, a write. */
#include <string.h>

#include "run.h"

/* What memory gets for `was` and v. */
static int64_t run_atomic_combine(const KernTable *k, enum Dtype dt, int kind, int64_t was,
                                  int64_t v)
{
    int64_t out = v;
    if (kind >= NRed)
        return v;
    k->bin[redinfo[kind].op][kern_class(dt)][KFvv](&out, &was, &v, NULL, 1);
    Kern *settle = k->round[dt] ? k->round[dt] : k->wrap[dt];
    if (settle)
        settle(&out, &out, NULL, NULL, 1);
    return out;
}

static void atomic_lane(SimRun *r, Strand *s, const AtomicArgs *a, const Spots *o, int k)
{
    const KernTable *q = r->sp->kern;
    enum Dtype dt = (enum Dtype)a->acc->dt;
    size_t bytes = (size_t)class_bytes(value_class(dt));
    int64_t at = o->base + (o->at ? o->at[k] : k * o->step);
    for (int l = 0; l < a->s->atomic.lanes || l == 0; l++) {
        int64_t was = 0, v = 0;
        q->load[dt](&was, o->mem, at + l, 0, NULL, NULL, 1);
        if (a->hasprev)
            memcpy((char *)operand(r, s, a->prev, 0) + (size_t)k * bytes, &was, bytes);
        if (a->s->atomic.kind == ATload)
            continue;
        memcpy(&v, (const char *)operand(r, s, a->value[l], 0) + (size_t)k * bytes, bytes);
        v = run_atomic_combine(q, dt, a->s->atomic.kind, was, v);
        q->store[dt](&v, o->mem, at + l, 0, NULL, NULL, 1);
    }
}

/* An atomic that only reads, or only writes, is told as such. */
static uint8_t run_atomic_mode_of(int kind)
{
    return kind == ATload ? HBatomic | HBread : kind == ATstore ? HBatomic | HBwrite : HBatomic;
}

const Ins *run_atomic(SimRun *r, Strand *s, const Ins *i)
{
    const AtomicArgs *a = i->x;
    uint32_t root = buf_root(r->sp->p, a->acc->buf);
    uint8_t mode = run_atomic_mode_of(a->s->atomic.kind);
    Spots o;
    if (!access_spots(r, s, mask_of(r, s, i->level), a->acc, 0, &o))
        return i + 1;
    access_access(r, s, a->acc, &o, mode, NULL, NULL);
    if (r->hb && r->sp->p->buf[root].scope == SCglobal) {
        HbAccess t = {.site = a->acc->site, .mode = mode, .t0 = s->t0, .n = s->n, .on = o.on};
        access_places(r, a->acc, &o, s->n, &t, r->x->at[2]);
        hb_atomic(r->hb, a->acc->buf, &t, a->s->atomic.order);
    }
    for (int k = 0; k < s->n; k++)
        if (!o.on || o.on[k])
            atomic_lane(r, s, a, &o, k);
    return i + 1;
}
