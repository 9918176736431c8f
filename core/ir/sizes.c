/* core/ir/sizes.c: how large a size of 32 bits may be.
 *
 * Index arithmetic, tests of whole tiles and blocks rounded up reach beyond a size: by a tile, for what begins inside
 * ends there.  So sizes stay so far below 2^31, as an index goes with what is around it: by its longest step with
 * a variable, by the ranges of loops of known length, by a region's length. */
#include "effects.h"
#include "walk.h"

enum { Half = INT32_MAX / 2 };

typedef struct SizeReach SizeReach;
struct SizeReach { const Prog *p; int64_t step, most; };

/* The longest step with a variable, behind lets too. */
static ExGo reach_step(void *ud, Ex e)
{
    SizeReach *t = ud;
    const Expr *x = &t->p->ex[e];
    int64_t n;
    for (int i = 0; x->op == Xmul && i < 2; i++)
        if (x_isint(t->p, x->arg[i], &n) && (n < 0 ? -n : n) > t->step)
            t->step = n < 0 ? -n : n;
    return EXinto;
}

/* How far the parts of e go whose ranges are known; at the most half of all numbers. */
static int64_t reach_parts(const Prog *p, Ex e)
{
    ExSum s = x_linear(p, e);
    int64_t sum = 0, a, b;
    for (int i = 0; i < s.n && sum <= Half; i++) {
        int64_t k = s.coef[i] < 0 ? -s.coef[i] : s.coef[i];
        if (k <= Half && x_range(p, s.atom[i], &a, &b) && a >= -Half && b <= Half)
            sum += k * (b - a);
    }
    return sum < Half ? sum : Half;
}

static bool reach_access(void *ud, const MemEffect *e)
{
    SizeReach *t = ud;
    for (int i = 0; e->at && i < e->nd; i++) {
        int64_t n = 0;
        t->step = 0;
        ex_walk_let(t->p, e->at[i], reach_step, t);
        if (e->extent && !x_isint(t->p, e->extent[i], &n))
            n = 0;
        n += t->step + reach_parts(t->p, e->at[i]);
        t->most = n > t->most ? n : t->most;
    }
    return true;
}

/* How far indices of p may reach beyond a size. */
static int64_t sizes_reach(const Prog *p)
{
    SizeReach t = {p, 0, INT32_MAX - DimMost};
    block_effects(p, p->body, true, reach_access, &t);
    return t.most < Half ? t.most : Half;
}

uint32_t dim_beyond(const Prog *p, const int64_t *env, const bool *known, int64_t *most)
{
    *most = 0;
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim && dtypeinfo[p->var[v].dt].bits <= 32 && known[v] && env[v] > Half) {
            *most = *most ? *most : INT32_MAX - sizes_reach(p);
            if (env[v] > *most)
                return v;
        }
    return 0;
}
