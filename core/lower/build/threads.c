/* core/lower/build/threads.c: expressions of threads and of layouts. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "low.h"

Ex low_i(Low *l, int64_t v) { return x_int(l->p, DTi32, v); }
Ex low_add(Low *l, Ex a, Ex b) { return x_bin(l->p, Xadd, a, b); }
Ex low_mul(Low *l, Ex a, int64_t k) { return x_bin(l->p, Xmul, a, low_i(l, k)); }
Ex low_div(Low *l, Ex a, int64_t k) { return x_bin(l->p, Xfdiv, a, low_i(l, k)); }
Ex low_mod(Low *l, Ex a, int64_t k) { return x_bin(l->p, Xfmod, a, low_i(l, k)); }

Ex low_thread(Low *l)
{
    return low_add(l, x_var(l->p, l->tid), low_i(l, -(int64_t)l->base));
}

Ex low_shuffle(Low *l, enum Intr fn, Ex value, Ex lane, int width)
{
    Ex arg[4] = {value, lane, low_i(l, width),
                 l->m->warp > 32 ? x_int(l->p, DTu64, -1) : x_int(l->p, DTu32, -1)};
    return x_call(l->p, fn, arg, 4);
}

Ex low_lane(Low *l) { return low_mod(l, low_thread(l), l->m->warp); }
Ex low_warp(Low *l) { return low_div(l, low_thread(l), l->m->warp); }



static bool low_threads_of_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    if (v)
        return v->kind == Vthread || (v->kind == Vlet && !v->value);
    if (x->op == Xload)
        return p->buf[x->sym].scope != SCglobal && p->buf[x->sym].scope != SCshared;
    return x->op == Xcall && intrinfo[x->sym].level == 'T';
}

bool low_uniform(const Low *l, Ex e) { return !ex_any_let(l->p, e, low_threads_of_thread, l->p); }

/* Value of a mode on LANE or WARP, e being the thread's lane or warp. */
static Ex low_threads_mode(Low *l, Ex e, const Mode *d)
{
    return low_mod(l, low_div(l, e, d->stride), d->extent);
}

/* Lanes and warps together number the threads: stride of a mode among them. */
static int64_t thread_stride(const Low *l, const Mode *g)
{
    return g->axis == AXwarp ? (int64_t)g->stride * l->m->warp : g->stride;
}

/* Part of the index that the thread gives from mode i on; *n receives how many
 * modes continue each other and were taken together. */
static Ex thread_part(Low *l, const Layout *map, int i, int *n)
{
    const Mode *g = &map->d[i];
    int64_t stride = thread_stride(l, g), extent = g->extent;
    for (*n = 1; i + *n < map->n; ++*n) {
        const Mode *k = &map->d[i + *n];
        if (k->axis == AXreg || k->dim != g->dim || k->weight != g->weight * extent ||
            thread_stride(l, k) != stride * extent)
            break;
        extent *= k->extent;
    }
    if (*n == 1)
        return low_threads_mode(l, g->axis == AXlane ? low_lane(l) : low_warp(l), g);
    return low_mod(l, low_div(l, low_thread(l), stride), extent);
}

Ex low_index(Low *l, const Layout *map, int d, const Ex *reg)
{
    Ex sum = low_i(l, 0);
    int r = 0, n;
    for (int i = 0; i < map->n; i += n) {
        const Mode *g = &map->d[i];
        n = 1;
        if (g->axis == AXreg && g->dim == d)
            sum = low_add(l, sum, low_mul(l, reg[r], g->weight));
        else if (g->dim == d)
            sum = low_add(l, sum, low_mul(l, thread_part(l, map, i, &n), g->weight));
        r += g->axis == AXreg;
    }
    return sum;
}

/* A mode of the thread's number. */
typedef struct ThreadPart { int64_t stride, extent; } ThreadPart;

/* Broadcast modes of LANE and WARP as modes of the thread, ascending, those
 * that continue each other as one; warps that the layout does not have last. */
static int low_threads_copies(const Low *l, const Layout *map, ThreadPart *p)
{
    int64_t top = layout_extent(map, AXwarp) * l->m->warp;
    int n = 0;
    for (int i = 0; i <= map->nb; i++) {
        const Mode *g = &map->b[i];
        if (i < map->nb && g->axis != AXlane && g->axis != AXwarp)
            continue;
        ThreadPart one = {top, l->total / top + 1};
        if (i < map->nb)
            one = (ThreadPart){thread_stride(l, g), g->extent};
        int k = n++;
        for (; k > 0 && p[k - 1].stride > one.stride; k--)
            p[k] = p[k - 1];
        p[k] = one;
    }
    int m = 0;
    for (int i = 1; i < n; i++)
        if (p[i].stride == p[m].stride * p[m].extent)
            p[m].extent *= p[i].extent;
        else
            p[++m] = p[i];
    return m + 1;
}

Ex low_first(Low *l, const Layout *map)
{
    Prog *p = l->p;
    Ex all = x_int(p, DTbool, 1), t = low_thread(l), one;
    ThreadPart part[LayBroadcast + 1];
    int64_t v;
    for (int i = 0, n = low_threads_copies(l, map, part); i < n; i++) {
        if (part[i].stride >= l->threads)
            continue; /* no thread has another value of it than 0 */
        if (part[i].stride * part[i].extent > l->total && part[i].stride > 1)
            one = x_bin(p, Xlt, t, low_i(l, part[i].stride)); /* nothing above */
        else
            one = x_bin(p, Xeq, low_mod(l, low_div(l, t, part[i].stride), part[i].extent),
                        low_i(l, 0));
        all = x_bin(p, Xand, all, one);
    }
    return x_isint(p, all, &v) && v ? 0 : all;
}

void low_say(Low *l, Ex e, Ex was)
{
    agrow(&l->p->ctx, &l->said, &l->capsaid, e + 1, sizeof *l->said);
    if (!l->said[e] && e != was)
        l->said[e] = was < l->capsaid && l->said[was] ? l->said[was] : was;
}

const char *low_text(Low *l, Ex e)
{
    Str s = {0};
    ex_print(l->p, e < l->capsaid && l->said[e] ? l->said[e] : e, &s);
    const char *t = s.s && !s.bad ? astr(&l->p->ctx, s.s, s.n) : "";
    str_free(&s);
    return t;
}
