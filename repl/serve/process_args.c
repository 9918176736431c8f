/* repl/serve/process_args.c: the arguments of a launch, from a stranger, held against the
 * program: their number and kinds, sizes within the ranges that the program was compiled
 * for, and no tensor shorter than what its parameter may touch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/walk.h"
#include "process.h"
#include "err/host.h"
#include "err/serve.h"
#include "err/launch.h"

typedef struct Binding Binding;
struct Binding {
    Process *s;
    const Prog *p;
    const char *name;
    const uint64_t *word; /* three an argument */
    uint64_t n;
    int64_t *env;         /* by Var */
    bool *known;          /* as many: integers that have come */
};

enum Why { WYkind, WYrange, WYdimension, WYoffset };
typedef struct ArgRefusal ArgRefusal;
struct ArgRefusal { const char *name, *n; enum Why why; };

static void do_refuse(Ctx *c, void *ud)
{
    const ArgRefusal *r = ud;
    static const char *const is[] = {"", "1"};
    diag(c, E_serve_argument, (Loc){0, 0, 0}, r->name, r->n, is[r->why == WYkind],
         is[r->why == WYrange], is[r->why == WYdimension], is[r->why == WYoffset], NULL);
}

static bool pargs_refuse(const Binding *b, uint64_t i, enum Why why)
{
    char n[24];
    ArgRefusal r = {b->name, n, why};
    snprintf(n, sizeof n, "%llu", (unsigned long long)i + 1);
    ctx_try(&b->s->ctx, do_refuse, &r);
    return false;
}

/* Numbers ------------------------------------------------------------------ */

/* Is v a value of a dim or an integer scalar, and in the range that is known of it? */
static bool pargs_in_range(const Var *x, int64_t v)
{
    const DtypeInfo *t = &dtypeinfo[x->dt];
    if (t->cls == 'B' && (v < 0 || v > 1))
        return false;
    if (t->cls == 'I' && t->bits < 64 &&
        (v < -(INT64_C(1) << (t->bits - 1)) || v >= INT64_C(1) << (t->bits - 1)))
        return false;
    if (t->cls == 'U' && t->bits < 64 && (v < 0 || v >= INT64_C(1) << t->bits))
        return false;
    if (t->cls == 'F')
        return true;
    return (x->lo == INT64_MIN || v >= x->lo) && (x->hi == INT64_MAX || v <= x->hi);
}

static bool pargs_number(const Binding *b, uint64_t i, uint32_t var, LaunchArg *a)
{
    const Var *x = &b->p->var[var];
    const uint64_t *w = b->word + 3 * i;
    bool real = dtypeinfo[x->dt].cls == 'F';
    if (w[0] != (real ? RAfloat : RAint))
        return pargs_refuse(b, i, WYkind);
    *a = (LaunchArg){.dt = (enum Dtype)x->dt};
    if (real) {
        memcpy(&a->f, &w[1], sizeof a->f);
        return true;
    }
    a->i = (int64_t)w[1];
    a->f = (double)a->i;
    if (!pargs_in_range(x, a->i))
        return pargs_refuse(b, i, WYrange);
    if (x->kind == Vdim && a->i < 0)
        return pargs_refuse(b, i, WYdimension);
    b->env[var] = a->i;
    b->known[var] = true;
    return true;
}

/* Tensors ------------------------------------------------------------------ */

/* How many elements parameter buf may touch, from its first; false: more than there can be,
 * or it cannot be told. */
static bool pargs_reach(const Binding *b, const Buf *buf, int64_t *out)
{
    int64_t shape[MaxDim], stride, n = 1, compact = 1;
    for (int d = 0; d < buf->ndim; d++) {
        if (!x_eval(b->p, buf->shape[d], b->env, &shape[d]) || shape[d] < 0)
            return false;
        if (shape[d] == 0)
            n = 0;
    }
    for (int d = buf->ndim - 1; d >= 0 && n; d--) {
        stride = compact;
        if (buf->stride[d] && (!x_eval(b->p, buf->stride[d], b->env, &stride) || stride < 0))
            return false;
        int64_t span;
        if (__builtin_mul_overflow(shape[d] - 1, stride, &span) ||
            __builtin_add_overflow(n, span, &n) ||
            __builtin_mul_overflow(compact, shape[d], &compact))
            return false;
    }
    *out = n;
    return true;
}

static bool tensor(const Binding *b, uint64_t i, uint32_t id, LaunchArg *a, Tensor *t)
{
    const Buf *buf = &b->p->buf[id];
    const uint64_t *w = b->word + 3 * i;
    uint64_t bits = dtypeinfo[buf->dt].bits, at = w[2];
    int64_t n, need;
    char text[24];
    if (w[0] != RAtensor)
        return pargs_refuse(b, i, WYkind);
    ProcessTensor *of = numbered_find(&b->s->tensor, w[1]);
    snprintf(text, sizeof text, "%llu", (unsigned long long)w[1]);
    if (!of) {
        process_say(b->s, E_serve_unknown, "tensor", text, NULL);
        return false;
    }
    if (bits >= 8 && at % (bits / 8))
        return pargs_refuse(b, i, WYoffset);
    snprintf(text, sizeof text, "%llu", (unsigned long long)i + 1);
    if (!pargs_reach(b, buf, &n) || __builtin_mul_overflow(n, (int64_t)bits, &need) ||
        at > of->st->bytes || (uint64_t)need / 8 + (need % 8 != 0) > of->st->bytes - at) {
        process_say(b->s, E_argument_bounds, b->name, text, NULL);
        return false;
    }
    *t = (Tensor){.st = of->st, .offset = (int64_t)(at * 8 / bits), .dt = (enum Dtype)buf->dt,
                  .ndim = 1, .shape = {n}, .stride = {1}};
    a->t = t;
    return true;
}

/* What the program allocates itself, now that the sizes are known. */
static bool pargs_modest(const Binding *b)
{
    char n[24], most[24];
    int64_t sum = 0;
    for (uint32_t i = 1; i < b->p->nbuf; i++) {
        const Buf *buf = &b->p->buf[i];
        int64_t one, bits = dtypeinfo[buf->dt].bits;
        if (buf->param || buf->base)
            continue;
        if (!pargs_reach(b, buf, &one) || __builtin_mul_overflow(one, bits, &one) ||
            __builtin_add_overflow(sum, one / 8 + 1, &sum))
            sum = INT64_MAX;
        if (sum == INT64_MAX)
            break;
    }
    if (sum - (int64_t)b->p->nbuf <= b->s->workspace)
        return true;
    snprintf(n, sizeof n, "%lld", (long long)sum);
    snprintf(most, sizeof most, "%lld", (long long)b->s->workspace);
    process_say(b->s, E_serve_quota, "workspace", n, most);
    return false;
}

/* The statement that values do not fit; of a launch: a dimension, its blocks; or a size, the most it may be. */
typedef struct BadValue BadValue;
struct BadValue { const Binding *b; const Stmt *at; int d; int64_t n; uint32_t var; };

static void say_beyond(Ctx *c, void *ud)
{
    const BadValue *g = ud;
    diag(c, E_dim_beyond, (Loc){0, 0, 0}, g->b->name, g->b->p->var[g->var].name,
         afmt(c, "%lld", (long long)g->b->env[g->var]), afmt(c, "%lld", (long long)g->n), NULL);
}

static void say_negative(Ctx *c, void *ud)
{
    const BadValue *g = ud;
    Str text = {0};
    ex_print(g->b->p, g->at->launch.grid[g->d], &text);
    diag(c, E_grid_negative, (Loc){0, 0, 0}, g->b->name, afmt(c, "%d", g->d), text.s ? text.s : "",
         afmt(c, "%lld", (long long)g->n), NULL);
    str_free(&text);
}

static void say_assumed(Ctx *c, void *ud)
{
    const BadValue *g = ud;
    Str text = {0};
    ex_print(g->b->p, g->at->check.cond, &text);
    diag(c, E_assume_argument, (Loc){0, 0, 0}, g->b->name, afmt(c, "%u", (unsigned)g->at->loc.line),
         text.s ? text.s : "", NULL);
    str_free(&text);
}

/* As a launch at home asks, before it sends anything. */
static bool values_fit(const Binding *b)
{
    BadValue v = {.b = b};
    v.var = dim_beyond(b->p, b->env, b->known, &v.n);
    if (v.var) {
        ctx_try(&b->s->ctx, say_beyond, &v);
        return false;
    }
    v.at = launch_negative(b->p, b->env, b->known, &v.d, &v.n);
    if (v.at) {
        ctx_try(&b->s->ctx, say_negative, &v);
        return false;
    }
    v.at = assume_false(b->p, b->env, b->known);
    if (v.at)
        ctx_try(&b->s->ctx, say_assumed, &v);
    return !v.at;
}

/* All ---------------------------------------------------------------------- */

/* Dims and scalars first: the shapes of tensors depend on them. */
static bool pargs_bind(const Binding *b, const ProcessKernel *k, LaunchArg *arg, Tensor *t)
{
    const Prog *p = b->p;
    uint64_t i = p->nparam;
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim) {
            if (!pargs_number(b, i, v, &arg[i]))
                return false;
            i++;
        }
    for (i = 0; i < p->nparam; i++)
        if (p->param[i].scalar && !pargs_number(b, i, p->param[i].id, &arg[i]))
            return false;
    for (i = 0; i < p->nparam; i++) {
        if (p->param[i].scalar)
            continue;
        uint32_t root = buf_root(p, p->param[i].id);
        bool written = k->written[root];
        arg[i] = (LaunchArg){.read_only = !written, .written = written, .group = k->group[root]};
        if (!tensor(b, i, p->param[i].id, &arg[i], &t[i]))
            return false;
    }
    return values_fit(b) && pargs_modest(b);
}

bool process_args(Process *s, const ProcessKernel *k, const uint64_t *word, uint64_t narg,
                  LaunchArg *arg, Tensor *t)
{
    char n[24], want[24];
    const Prog *p = k->p;
    uint64_t need = p->nparam;
    for (uint32_t v = 1; v < p->nvar; v++)
        need += p->var[v].kind == Vdim;
    if (need != narg || narg > LaunchArgs) {
        snprintf(n, sizeof n, "%llu", (unsigned long long)narg);
        snprintf(want, sizeof want, "%llu", (unsigned long long)need);
        process_say(s, E_device_args, p->name, n, want);
        return false;
    }
    Binding b = {s, p, p->name, word, narg, calloc(p->nvar + 1, sizeof(int64_t)),
                 calloc(p->nvar + 1, sizeof(bool))};
    bool ok = b.env && b.known && pargs_bind(&b, k, arg, t);
    if (!b.env || !b.known)
        process_say(s, E_memory, "more", "reached", NULL);
    free(b.env);
    free(b.known);
    return ok;
}
