/* core/ir/plan.c: the plan of each launch of a thread program: which parameters its
 * kernel takes, in which order and under which names, which tensor maps it needs,
 * which statements write to the side buffer.
 *
 * The order is fixed: tensors and scalars as the user lists them, dimensions,
 * workspaces, tensor maps, the side buffer, the counters of grid-wide barriers.
 * A tensor that is touched through tensor maps only has no pointer: its maps say
 * whether it is read or written.  One that has both: the pointer says all of it. */
#include <string.h>

#include "names.h"
#include "plan.h"
#include "walk.h"

/* How a launch touches a buffer. */
enum { PUread = 1, PUwritten = 2, PUpointer = 4 };

typedef struct Planner Planner;
struct Planner {
    Plan *q;
    Prog *p;
    PlanLaunch *l;        /* the launch that is walked */
    uint8_t *buf, *var;   /* by id, in this launch: how touched; whether used */
    uint8_t *map;         /* by PlanMap: how touched */
    bool prints;
    uint32_t caplaunch, capmap, capwork, capsite, capparam;
    Names names;
    const char *records, *arrived;     /* names of the side buffer, of the counters */
};

/* Names ------------------------------------------------------------------ */

static const char *plan_name_of(Planner *w, const char *want)
{
    return name_fresh(&w->p->ctx, &w->names, want);
}

/* One that all launches share, made when it is first needed. */
static const char *own_name(Planner *w, const char **name, const char *want)
{
    return *name ? *name : (*name = plan_name_of(w, want));
}

/* The program's name and _kernel, as TileLang has it: a function of the text's outermost
 * scope may not be called as any that a compiler or a header declares (select, y1).  _1,
 * _2 .. for the launches behind the first. */
static const char *kernel_name(Planner *w, int i)
{
    Ctx *c = &w->p->ctx;
    const char *base = name_identifier(c, w->p->name, 'k');
    size_t n = strlen(base);
    if (n < 8 || strcmp(base + n - 7, "_kernel"))
        base = afmt(c, "%s_kernel", base);
    return name_take(c, &w->names, i ? afmt(c, "%s_%d", base, i) : base);
}

/* What is used ------------------------------------------------------------ */

static void plan_uses(Planner *w, Ex e);

/* The variables that the address of an element of global buffer b needs. */
static void use_address(Planner *w, const Buf *b)
{
    for (int d = 0; d < b->ndim; d++) {
        if (b->stride[d])
            plan_uses(w, b->stride[d]);
        else
            for (int k = d + 1; k < b->ndim; k++)
                plan_uses(w, b->shape[k]);
    }
}

static void plan_access(Planner *w, uint32_t buf, int how)
{
    const Buf *b = &w->p->buf[buf];
    if (b->scope != SCglobal)
        return;
    w->buf[buf_root(w->p, buf)] |= (uint8_t)how;
    if (how & PUpointer)
        use_address(w, b);
}

static ExGo use_node(void *ud, Ex e)
{
    Planner *w = ud;
    const Expr *x = ex_at(w->p, e);
    if (x->op == Xvar && !w->var[x->sym]) {
        w->var[x->sym] = 1;
        if (w->p->var[x->sym].kind == Vlet) /* it may stand before the launch */
            plan_uses(w, w->p->var[x->sym].value);
    } else if (x->op == Xload) {
        plan_access(w, x->sym, PUread | PUpointer);
    } else if (x->op == Xcall && x->sym == Isync_grid) {
        w->l->grid_sync = true;
    }
    return EXinto;
}

/* Every variable and every load in e. */
static void plan_uses(Planner *w, Ex e)
{
    if (e)
        ex_walk(w->p, e, use_node, w);
}

/* Tensor maps ------------------------------------------------------------- */

static bool is_boxes(const Stmt *s)
{
    return s->kind == Sop && (s->op.op == Otma_load || s->op.op == Otma_store);
}

/* The map of s, without its name; false: s needs none. */
static bool ir_plan_map_of(const Prog *p, const Stmt *s, PlanMap *m)
{
    if (!is_boxes(s))
        return false;
    const Region *r = &s->op.r[s->op.op == Otma_store];
    *m = (PlanMap){.buf = r->buf, .ndim = p->buf[r->buf].ndim, .swizzle = s->op.attr[0]};
    for (int d = 0; d < m->ndim; d++) {
        int64_t v = 1;
        x_isint(p, r->extent[d], &v);
        m->box[d] = (int32_t)v;
    }
    return true;
}

static bool same_map(const PlanMap *a, const PlanMap *b)
{
    return a->buf == b->buf && a->swizzle == b->swizzle && a->ndim == b->ndim &&
           memcmp(a->box, b->box, sizeof a->box) == 0;
}

static int find_map(const Plan *q, const PlanMap *m)
{
    for (int i = 0; i < q->nmap; i++)
        if (same_map(&q->map[i], m))
            return i;
    return -1;
}

int plan_map_of(const Plan *q, const Stmt *s)
{
    PlanMap m;
    return ir_plan_map_of(q->p, s, &m) ? find_map(q, &m) : -1;
}

static void use_map(Planner *w, const Stmt *s)
{
    PlanMap m;
    Plan *q = w->q;
    if (!ir_plan_map_of(w->p, s, &m))
        return;
    int i = find_map(q, &m);
    if (i < 0) {
        agrow(&w->p->ctx, &q->map, &w->capmap, (uint32_t)q->nmap + 1, sizeof *q->map);
        m.name = plan_name_of(w, afmt(&w->p->ctx, "%s_map", w->p->buf[m.buf].name));
        q->map[i = q->nmap++] = m;
    }
    uint8_t how = s->op.op == Otma_load ? PUread : PUwritten | (s->op.attr[2] ? PUread : 0);
    w->map[i] |= how;
    w->buf[buf_root(w->p, m.buf)] |= how; /* what a pointer to it must not assume */
}

/* Statements -------------------------------------------------------------- */

/* What s reads and writes of the regions that it names; through a map, their
 * coordinates need no address. */
static void plan_regions(Planner *w, const Stmt *s)
{
    const char *letter = opinfo[s->op.op].regions;
    for (int i = 0; i < opinfo[s->op.op].nregion; i++) {
        int how = letter[i] == 'r' ? PUread : letter[i] == 'w' ? PUwritten : PUread | PUwritten;
        if (s->op.r[i].buf && letter[i] != 'b')
            plan_access(w, s->op.r[i].buf, is_boxes(s) ? 0 : how | PUpointer);
    }
    use_map(w, s);
}

static bool plan_writes_out(const Stmt *s)
{
    return s->kind == Sprint || s->kind == Sassert || (s->kind == Sop && s->op.op == Oprint);
}

static void plan_site(Planner *w, const Stmt *s)
{
    Plan *q = w->q;
    agrow(&w->p->ctx, &q->site, &w->capsite, (uint32_t)q->nsite + 1, sizeof *q->site);
    q->site[q->nsite++] = (PlanSite){s};
    w->prints = true;
}

int plan_site_of(const Plan *q, const Stmt *s)
{
    for (int i = 0; i < q->nsite; i++)
        if (q->site[i].s == s)
            return i;
    return -1;
}

static bool plan_statement(Stmt *s, void *ud)
{
    Planner *w = ud;
    stmt_ex_walk(w->p, s, use_node, w);
    if (s->kind == Sstore)
        plan_access(w, s->store.buf, PUwritten | PUpointer);
    else if (s->kind == Satomic)
        plan_access(w, s->atomic.buf,
                    PUpointer | (s->atomic.kind == ATload ? PUread : PUread | PUwritten));
    else if (s->kind == Scall && s->call.fn == Isync_grid)
        w->l->grid_sync = true;
    else if (s->kind == Sop)
        plan_regions(w, s);
    if (plan_writes_out(s))
        plan_site(w, s);
    return true;
}

/* Workspaces belong to the program: launches share them. */
static bool plan_workspace(Stmt *s, void *ud)
{
    Planner *w = ud;
    Plan *q = w->q;
    if (s->kind != Salloc || w->p->buf[s->alloc.buf].scope != SCglobal ||
        w->p->buf[s->alloc.buf].base)
        return true;
    for (int i = 0; i < q->nwork; i++)
        if (q->work[i].buf == s->alloc.buf)
            return true;
    agrow(&w->p->ctx, &q->work, &w->capwork, (uint32_t)q->nwork + 1, sizeof *q->work);
    q->work[q->nwork++] = (PlanWork){s->alloc.buf, plan_name_of(w, w->p->buf[s->alloc.buf].name)};
    return true;
}

/* Parameters -------------------------------------------------------------- */

static void param(Planner *w, PlanParam a)
{
    PlanLaunch *l = w->l;
    agrow(&w->p->ctx, &l->param, &w->capparam, (uint32_t)l->nparam + 1, sizeof *l->param);
    l->param[l->nparam++] = a;
}

static void pointer(Planner *w, enum PlanKind k, uint32_t buf, uint32_t id, const char *name)
{
    uint8_t how = w->buf[buf];
    if (how & PUpointer)
        param(w, (PlanParam){.kind = (uint8_t)k, .dt = w->p->buf[buf].dt, .read = how & PUread,
                             .written = how & PUwritten, .id = id, .name = name});
}

static void params(Planner *w, const char *const *bufname, const char *const *varname)
{
    const Prog *p = w->p;
    const Plan *q = w->q;
    for (uint32_t i = 0; i < p->nparam; i++) {
        uint32_t id = p->param[i].id;
        if (!p->param[i].scalar)
            pointer(w, PKtensor, id, id, bufname[id]);
        else if (w->var[id])
            param(w, (PlanParam){.kind = PKscalar, .dt = p->var[id].dt, .id = id,
                                 .name = varname[id]});
    }
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim && w->var[v])
            param(w, (PlanParam){.kind = PKdim, .dt = DTi32, .id = v, .name = varname[v]});
    for (int i = 0; i < q->nwork; i++)
        pointer(w, PKwork, q->work[i].buf, (uint32_t)i, q->work[i].name);
    for (int i = 0; i < q->nmap; i++)
        if (w->map[i])
            param(w, (PlanParam){.kind = PKmap, .dt = p->buf[q->map[i].buf].dt,
                                 .read = w->map[i] & PUread, .written = w->map[i] & PUwritten,
                                 .id = (uint32_t)i, .name = q->map[i].name});
    if (w->prints)
        param(w, (PlanParam){.kind = PKout, .dt = DTu32,
                             .name = own_name(w, &w->records, "records")});
    if (w->l->grid_sync)
        param(w, (PlanParam){.kind = PKgrid, .dt = DTu32,
                             .name = own_name(w, &w->arrived, "blocks_arrived")});
}

/* Launches ---------------------------------------------------------------- */

static void plan_shape(Planner *w, const Stmt *s)
{
    PlanLaunch *l = w->l;
    l->launch = s;
    l->threads = 1;
    for (int i = 0; i < s->launch.nthread; i++)
        l->threads *= s->launch.threads[i];
    l->shared = s->launch.shared;
    l->blocks = s->launch.blocks;
    for (int i = 0; i < MaxLaunchDim; i++) {
        l->grid[i] = i < s->launch.n ? s->launch.grid[i] : x_int(w->p, DTi32, 1);
        l->cluster[i] = s->launch.cluster[i] ? s->launch.cluster[i] : 1;
    }
}

static int count_launches(const Stmt *s)
{
    int n = 0;
    for (; s; s = s->next)
        n += s->kind == Slaunch;
    return n;
}

static bool count_boxes(Stmt *s, void *ud)
{
    *(uint32_t *)ud += is_boxes(s);
    return true;
}

static void ir_plan_launch(Planner *w, Stmt *s, const char *const *bufname,
                           const char *const *varname)
{
    const Prog *p = w->p;
    uint32_t boxes = 0;
    stmt_walk(s->launch.body, count_boxes, &boxes);
    plan_shape(w, s);
    w->buf = anew(&w->p->ctx, p->nbuf + 1);
    w->var = anew(&w->p->ctx, p->nvar + 1);
    w->map = anew(&w->p->ctx, (size_t)w->q->nmap + boxes + 1);
    w->prints = false;
    w->capparam = 0;
    plan_statement(s, w); /* its grid */
    stmt_walk(s->launch.body, plan_statement, w);
    params(w, bufname, varname);
}

/* Names of what the user has declared come first: they stay as they are written. */
static void plan_declared(Planner *w, const char **bufname, const char **varname)
{
    const Prog *p = w->p;
    for (uint32_t i = 0; i < p->nparam; i++) {
        uint32_t id = p->param[i].id;
        if (p->param[i].scalar)
            varname[id] = plan_name_of(w, p->var[id].name);
        else
            bufname[id] = plan_name_of(w, p->buf[id].name);
    }
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            varname[v] = plan_name_of(w, p->var[v].name);
}

static void ir_plan(Ctx *c, void *ud)
{
    Planner *w = ud;
    Prog *p = w->p;
    Plan *q = w->q = anew(c, sizeof *q);
    const char **bufname = anew(c, (p->nbuf + 1) * sizeof *bufname);
    const char **varname = anew(c, (p->nvar + 1) * sizeof *varname);
    int n = count_launches(p->body);
    *q = (Plan){.p = p, .m = p->machine ? machine_find(p->machine) : NULL};
    if (!q->m)
        diag_fail(c, E_bug, p->loc, "a plan needs a thread program of a known machine", NULL);
    q->launch = anew(c, ((size_t)n + 1) * sizeof *q->launch);
    for (int i = 0; i < n; i++)
        q->launch[i].name = kernel_name(w, i);
    plan_declared(w, bufname, varname);
    stmt_walk(p->body, plan_workspace, w);
    for (Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            w->l = &q->launch[q->nlaunch++];
            ir_plan_launch(w, s, bufname, varname);
        }
}

Plan *plan_new(Prog *p)
{
    Planner w = {.p = p};
    return ctx_try(&p->ctx, ir_plan, &w) ? w.q : NULL;
}
