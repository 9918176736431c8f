/* core/lower/pipeline.c: pipelined loops.
 *
 * Each T.Pipelined loop becomes a serial one whose copies run ahead: by a
 * producer role with rings where the machine has TMA (roles.c), by cp.async
 * where it has that, through registers elsewhere.  What stood in the way of a
 * pipeline is said in notes; the loop then runs as it is written. */
#include "../walk.h"
#include "persist.h"
#include "pipeline.h"

/* Small builders -------------------------------------------------------- */

const char *pipe_text(Low *l, Ex e)
{
    Str s = {0};
    ex_print(l->p, e, &s);
    const char *t = s.s && !s.bad ? astr(&l->p->ctx, s.s, s.n) : "";
    str_free(&s);
    return t;
}

Stmt *pipe_alloc(Low *l, uint32_t buf, Loc loc)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Salloc;
    s->loc = loc;
    s->alloc.buf = buf;
    return s;
}

Stmt *pipe_op(Low *l, enum Op op, Loc loc)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Sop;
    s->loc = loc;
    s->op.op = (uint8_t)op;
    return s;
}

Stmt *pipe_if(Low *l, Ex cond, Stmt *body)
{
    int64_t v;
    if (!body || (x_isint(l->p, cond, &v) && v))
        return body;
    if (x_isint(l->p, cond, &v))
        return NULL;
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Sif;
    s->loc = body->loc;
    s->cond.cond = cond;
    s->cond.then = body;
    return s;
}

/* The pass -------------------------------------------------------------- */

void pipe_serial(Stmt *loop)
{
    loop->loop.kind = Fserial;
    loop->loop.num_stages = 0;
    loop->loop.order = loop->loop.stage = NULL;
    loop->loop.norder = loop->loop.nstage = 0;
}

/* A loop that starts at a value known only at run time counts from 0, so that
 * `% S` of its variable is a slot. */
static void from_zero(Low *l, Stmt *loop)
{
    Prog *p = l->p;
    uint32_t v = loop->loop.var[0], nmap = p->nvar;
    Ex lo = loop->loop.lo[0], zero = x_int(p, ex_type(p, lo), 0);
    int64_t a, b;
    if (x_isint(p, lo, &a))
        return;
    Ex *map = anew(&p->ctx, nmap * sizeof *map);
    Ex trips = x_bin(p, Xsub, loop->loop.hi[0], lo);
    Var old = p->var[v];
    bool known = x_range(p, trips, &a, &b);
    uint32_t k = p_var(p, Vloop, (enum Dtype)old.dt, old.name, 0, known ? b - 1 : INT64_MAX);
    p->var[k].loc = old.loc;
    map[v] = x_bin(p, Xadd, lo, x_var(p, k));
    low_subst(l, loop->loop.body, map, nmap, NULL, 0);
    loop->loop.var[0] = k;
    loop->loop.lo[0] = zero;
    loop->loop.hi[0] = trips;
}

Pipe *pipe_new(Low *l, Stmt *loop)
{
    Pipe *q = anew(&l->p->ctx, sizeof *q);
    from_zero(l, loop);
    q->l = l;
    q->loop = loop;
    if (loop->loop.num_stages > 0 || loop->loop.norder || loop->loop.nstage) {
        q->cut = pipe_units(q);
        if (q->cut)
            pipe_loads(q);
    }
    return q;
}

Stmt *pipe_finish(Pipe *q)
{
    Stmt *loop = q->loop;
    if (q->cut && pipe_schedule(q)) {
        pipe_versions(q);
        return pipe_emit(q);
    }
    pipe_serial(loop);
    loop->next = NULL;
    return low_append(q->before, loop);
}

/* The rest of the launch stays in place around the loop meanwhile: questions
 * are asked about it. */
static void blocks(Low *l, Stmt **head)
{
    Stmt **b[2], **at = head;
    while (*at) {
        Stmt *s = *at, *next = s->next;
        if (s->kind == Sfor && s->loop.kind == Fpipelined) {
            Stmt *made = pipe_finish(s->plan ? s->plan : pipe_new(l, s));
            for (at = head; *at != s;) /* an allocation in front of it may be gone */
                at = &(*at)->next;
            *at = made;
            Stmt **end = at;
            while (*end)
                end = &(*end)->next;
            *end = next;
            continue; /* loops inside of it */
        }
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            blocks(l, b[i]);
        at = &s->next;
    }
}

void low_pipeline(Low *l)
{
    low_stages(l);
    low_persist(l);
    raster_user(l);
    roles_split(l);
    blocks(l, &l->launch->launch.body);
    tma_stores(l);
}
