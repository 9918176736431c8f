/* core/ir/eval_key.c: expressions that are the same but for how they are written.
 *
 * What a kernel does not know before it runs, a count that it reads, say, is written once by
 * each role of a block: with lets of its own, and with terms in the order of its own handles.
 *     (k_end - k_start + 127) // 128        and        (127 - k_start.2 + k_end.2) // 128
 * have one key: that of a sum is the sum of its terms' keys, each times its coefficient, modulo
 * 2^64, and operands whose order does not count go into a key as a sum, too. */
#include "eval.h"
#include "expr.h"
#include "walk.h"

static const uint64_t odd = 0x9e3779b97f4a7c15u;

uint64_t eval_key_mix(uint64_t h, uint64_t by)
{
    h = (h ^ by) * odd;
    return h ^ (h >> 29);
}

uint64_t eval_key_int(int64_t c) { return (uint64_t)c * odd; }

static bool any_order(enum Xop op)
{
    switch (op) {
    case Xmul: case Xmin: case Xmax: case Xand: case Xor: case Xeq: case Xne: case Xband:
    case Xbor: case Xbxor: return true;
    default: return false;
    }
}

uint64_t eval_key_of(enum Xop op, enum Dtype dt, uint64_t x, uint64_t y, const int64_t *by)
{
    if (!dtype_isfloat(dt)) {
        if (op == Xadd || op == Xsub)
            return op == Xadd ? x + y : x - y;
        if (op == Xmul && by)
            return x * (uint64_t)*by;
    }
    if (!any_order(op))
        return 0;
    /* mixed, so that it is no sum of sums */
    return eval_key_mix(eval_key_mix(eval_key_mix(x, op) + eval_key_mix(y, op), op), dt);
}

static uint64_t key_of_parts(Eval *v, Ex e)
{
    const Prog *p = v->p;
    Expr x = p->ex[e];
    uint64_t h = 0;
    int64_t by = 0;
    if (x.op == Xint)
        return eval_key_int(x.i);
    if (x.n == 0)
        return eval_key_mix(eval_key_mix(odd, e), x.op);
    if (x.n == 2) {
        bool times = x_isint(p, x.arg[1], &by);
        h = eval_key_of((enum Xop)x.op, (enum Dtype)x.dt, eval_key(v, x.arg[0]),
                        eval_key(v, x.arg[1]), times ? &by : NULL);
        if (h)
            return h;
    }
    h = eval_key_mix(eval_key_mix(x.op, x.dt), x.sym);
    for (int i = 0; i < x.n; i++)
        h = eval_key_mix(h, eval_key(v, p->ex[e].arg[i]));
    return h;
}

uint64_t eval_key(Eval *v, Ex e)
{
    e = ex_named(v->p, e);
    agrow(&v->p->ctx, &v->key, &v->capkey, v->p->nex, sizeof *v->key);
    if (!v->key[e])
        v->key[e] = key_of_parts(v, e);
    return v->key[e];
}
