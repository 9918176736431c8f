/* core/lower/pipe/pipeline.c: pipelined loops.
 *
 * Each T.Pipelined loop becomes a serial one whose copies run ahead: by a
 * producer role with barrier pairs where the machine has TMA (roles.c), by cp.async
 * where it has that, through registers elsewhere.  What stood in the way of a
 * pipeline is said in notes; the loop then runs as it is written. */
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "persist.h"
#include "pipeline.h"

/* The pass -------------------------------------------------------------- */

Pipe *pipe_new(Low *l, Stmt *loop, const Above *above)
{
    Pipe *q = anew(&l->p->ctx, sizeof *q);
    q->l = l;
    q->loop = loop;
    q->above = above;
    if (loop->loop.num_stages > 0 || loop->loop.norder || loop->loop.nstage) {
        q->cut = pipe_units(q);
        if (q->cut)
            pipe_loads(q);
    }
    return q;
}

/* Schedules what is left of q's units; the list that takes the loop's place. */
static Stmt *pipe_finish(Pipe *q)
{
    Stmt *loop = q->loop;
    pipe_forget(q);
    if (q->cut && pipe_schedule(q)) {
        pipe_versions(q);
        return pipe_emit(q);
    }
    low_serial(loop);
    loop->next = NULL;
    return low_append(q->before, loop);
}

/* Buffers that have got stages: of some only those are left. */
typedef struct MultiStage MultiStage;
struct MultiStage { uint32_t *buf, n, cap; };

static Stmt *pipeline_finish(Low *l, Stmt *s, const Above *above, MultiStage *all)
{
    low_uses_less(l, s);
    Pipe *q = s->loop.pipe ? s->loop.pipe : pipe_new(l, s, above);
    q->above = above;
    Stmt *made = pipe_finish(q);
    low_uses_more(l, made, true);
    for (const PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++) {
        if (!b->stages)
            continue;
        agrow(&l->p->ctx, &all->buf, &all->cap, all->n + 1, sizeof *all->buf);
        all->buf[all->n++] = b->buf;
    }
    return made;
}

/* The rest of the launch stays in place around the loop meanwhile: questions
 * are asked about it. */
static void pipeline_blocks(Low *l, Stmt **at, const Above *above, MultiStage *all)
{
    Stmt **b[2], **list = at;
    while (*at) {
        Stmt *s = *at, *next = s->next;
        if (s->kind == Sfor && s->loop.kind == Fpipelined) {
            Stmt *made = pipeline_finish(l, s, above, all);
            while (*at != s) /* an allocation was put in front of all */
                at = &(*at)->next;
            *at = made;
            Stmt **end = at;
            while (*end)
                end = &(*end)->next;
            *end = next;
            pipe_leads(l, *list, made);
            continue; /* loops inside of it */
        }
        Above here = {s, above};
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            pipeline_blocks(l, b[i], &here, all);
        at = &s->next;
    }
}

typedef struct HeldBound HeldBound;
struct HeldBound { const Low *l; const Stmt *loop; };

/* A load of what the loop itself writes. */
static bool bound_changes(void *ud, Ex e)
{
    const HeldBound *k = ud;
    const Expr *x = ex_at(k->l->p, e);
    return x->op == Xload && low_accesses(k->l, k->loop->loop.body, true,
                                          buf_root(k->l->p, x->sym)) & FXwrite;
}

/* A name for what e is in front of the loop. */
static Stmt *bound_held(Low *l, Ex *e, Loc loc)
{
    Prog *p = l->p;
    uint32_t v = p_var(p, Vlet, ex_type(p, *e), "bound", INT64_MIN, INT64_MAX);
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Slet;
    s->loc = p->var[v].loc = loc;
    s->let.var = v;
    p->var[v].value = *e;
    *e = x_var(p, v);
    return s;
}

/* Is hi - lo, of int32, one too, where it is not negative? */
static bool few_rounds(Prog *p, Ex lo, Ex hi)
{
    int64_t from, to, least, most;
    if (x_range(p, x_bin(p, Xsub, hi, lo), &least, &most) && least >= 0)
        return true;
    x_extremes(p, lo, &from, &most);
    x_extremes(p, hi, &least, &to);
    return to - from <= INT32_MAX;
}

/* hi - lo rounds in type t, none where that is negative. */
static Ex rounds(Prog *p, enum Dtype t, Ex lo, Ex hi)
{
    Ex some = x_bin(p, Xlt, lo, hi);
    Ex n = dtypeinfo[ex_type(p, lo)].cls == 'U'
               ? x_cast(p, t, x_bin(p, Xsub, hi, lo)) /* exact where there are some */
               : x_bin(p, Xsub, x_cast(p, t, hi), x_cast(p, t, lo));
    int64_t least, most;
    return x_range(p, n, &least, &most) && least >= 0 ? n : x_select(p, some, n, x_int(p, t, 0));
}

/* A loop that starts at a value known only at run time counts from 0, so that `% S` of its
 * variable is a stage; so does an unsigned one, where `hi - 1` may wrap, and one with so many rounds
 * that int32 does not count them. */
static void from_zero(Low *l, Stmt *loop)
{
    Prog *p = l->p;
    Var old = p->var[loop->loop.var[0]];
    enum Dtype from = (enum Dtype)old.dt;
    Ex lo = loop->loop.lo[0], at = x_cast(p, from, lo), end = x_cast(p, from, loop->loop.hi[0]);
    enum Dtype t = from == DTi32 && few_rounds(p, at, end) ? DTi32 : DTi64;
    int64_t a, b;
    if (from == t && x_isint(p, lo, &a))
        return;
    Ex trips = rounds(p, t, at, end);
    bool known = x_range(p, trips, &a, &b);
    uint32_t k = p_var(p, Vloop, t, old.name, 0, known ? b - 1 : INT64_MAX);
    p->var[k].loc = old.loc;
    LowNew to = {loop->loop.var[0], x_bin(p, Xadd, at, x_cast(p, from, x_var(p, k)))};
    low_vars(l, loop->loop.body, &to, 1);
    loop->loop.var[0] = k;
    loop->loop.lo[0] = x_int(p, t, 0);
    loop->loop.hi[0] = trips;
}

/* How many rounds there are is known at the loop's head: a pipeline asks again in each. */
static Stmt *hold_bounds(Low *l, Stmt *s, bool *into, void *ud)
{
    (void)into, (void)ud;
    HeldBound k = {l, s};
    Stmt *list = NULL;
    if (s->kind != Sfor || s->loop.kind != Fpipelined)
        return s;
    Ex *bound[] = {&s->loop.lo[0], &s->loop.hi[0]};
    for (size_t i = 0; i < COUNT(bound); i++)
        if (ex_any_let(l->p, *bound[i], bound_changes, &k))
            list = low_append(list, bound_held(l, bound[i], s->loc));
    from_zero(l, s);
    return low_append(list, s);
}

void low_pipeline(Low *l)
{
    MultiStage all = {0};
    low_rewrite(l, &l->launch->launch.body, hold_bounds, NULL);
    low_uses(l);
    low_stages(l);
    own_pipes(l);
    low_persist(l);
    raster_user(l);
    low_uses(l);
    roles_split(l);
    low_uses(l);
    pipeline_blocks(l, &l->launch->launch.body, NULL, &all);
    low_drop(l, all.buf, all.n);
    tma_stores(l);
}
