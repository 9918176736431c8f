/* core/lower/audit/tree.c: the statements of a thread program as a tree, with what
 * each touches in shared memory. */
#include <string.h>

#include "audit.h"

enum { BarrierBytes = 8 };

/* What an expression is made of ----------------------------------------- */

typedef struct TreeMade TreeMade;
struct TreeMade {
    Audit *a;
    AuditAccess *t;        /* whose dep it becomes, or NULL */
    bool *tracked;         /* private buffers that it loads are marked, or NULL */
};

static void tree_depends(TreeMade *m, uint32_t var)
{
    AuditAccess *t = m->t;
    for (uint32_t i = 0; i < t->ndep; i++)
        if (t->dep[i] == var)
            return;
    agrow(m->a->c, &t->dep, &t->capdep, t->ndep + 1, sizeof *t->dep);
    t->dep[t->ndep++] = var;
}

static ExGo tree_part(void *ud, Ex e)
{
    TreeMade *m = ud;
    const Prog *p = m->a->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar) {
        if (p->var[x->sym].kind == Vloop && m->t)
            tree_depends(m, x->sym);
    } else if (x->op == Xload || (x->op == Xcall && intr_fleeting(x->sym))) {
        if (m->t)
            m->t->changes = true;
        if (m->tracked && x->op == Xload)
            m->tracked[buf_root(p, x->sym)] = true;
    }
    return EXinto;
}

static void made(TreeMade *m, Ex e)
{
    if (e)
        ex_walk_let(m->a->p, e, tree_part, m);
}

/* Gathering ------------------------------------------------------------- */

typedef struct CondGather CondGather;
struct CondGather { Audit *a; Step *at; uint32_t cap; };

static void tree_conditions(Audit *a, AuditAccess *t, const MemIf *g)
{
    t->if0 = a->ncond;
    for (; g; g = g->up) {
        agrow(a->c, &a->cond, &a->capcond, a->ncond + 1, sizeof *a->cond);
        a->cond[a->ncond++] = (Cond){g->cond, g->not};
        t->nif++;
    }
}

static bool tree_access(void *ud, const MemEffect *e)
{
    CondGather *g = ud;
    Audit *a = g->a;
    Step *k = g->at;
    const Stmt *s = k->s;
    int64_t v;
    int scope = a->p->buf[e->root].scope;
    if ((scope != SCshared && scope != SCbarrier) || a->p->buf[e->root].at < 0)
        return true;
    agrow(a->c, &k->access, &g->cap, k->naccess + 1, sizeof *k->access);
    AuditAccess *t = &k->access[k->naccess++];
    *t = (AuditAccess){.s = k->s,
                       .in = k,
                       .mode = e->mode,
                       .level = e->level,
                       .done = e->done,
                       .buf = e->buf,
                       .async = e->proxy == 'a',
                       .nd = (uint8_t)e->nd};
    for (int d = 0; d < e->nd; d++) {
        t->idx[d] = e->at ? e->at[d] : 0;
        t->ext[d] = !e->extent ? 1 : x_isint(a->p, e->extent[d], &v) && v <= INT32_MAX ? v : -1;
    }
    if (e->lanes > 1 && e->nd)
        t->ext[e->nd - 1] = e->lanes;
    if (s->kind == Sop && (s->op.op == Oldmatrix || s->op.op == Ostmatrix))
        t->lanes = 8 * s->op.attr[0];
    tree_conditions(a, t, e->when);
    return true;
}

/* A vote of the block that is taken. */
static bool tree_votes(void *ud, Ex e)
{
    const Expr *x = &((const Prog *)ud)->ex[e];
    return x->op == Xcall && (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync);
}

static bool tree_no_vote(void *ud, Ex e) { return !ex_any(ud, e, tree_votes, ud); }

static bool is_order(Prog *p, const Stmt *s)
{
    if (s->kind == Scall)
        return s->call.fn == Isync_threads || s->call.fn == Isync_warp || s->call.fn == Isync_grid;
    if (s->kind != Sop)
        return !stmt_exprs(p, s, tree_no_vote, p);
    switch ((enum Op)s->op.op) {
    case Obar_sync: case Obar_arrive: case Owarp_sync: case Ofence_async: case Ocluster_arrive:
    case Ocluster_wait: case Ocp_async_commit: case Ocp_async_wait: case Owgmma_commit:
    case Owgmma_wait: case Obulk_commit: case Obulk_wait: case Ombar_init: case Ombar_arrive:
    case Ombar_expect: case Ombar_arrive_expect: case Ombar_wait: case Ocp_async_arrive:
    case Otma_load: case Obulk_load:
        return true;
    default:
        return false;
    }
}

static Step *tree_gather(Audit *a, Stmt *s, Step *up)
{
    Step *head = NULL, **at = &head;
    Stmt *b[2];
    for (; s; s = s->next) {
        Step *k = anew(a->c, sizeof *k);
        CondGather g = {a, k, 0};
        *k = (Step){.s = s, .up = up};
        stmt_effects(a->p, s, tree_access, &g);
        k->orders = is_order(a->p, s);
        for (uint32_t i = 0; i < k->naccess; i++)
            k->writes |= (k->access[i].mode & FXwrite) != 0;
        k->jumps = s->kind == Sbreak || s->kind == Scontinue;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            k->child[i] = tree_gather(a, b[i], k);
        for (int i = 0; i < 2; i++)
            for (const Step *c = k->child[i]; c; c = c->next) {
                k->orders |= c->orders;
                k->writes |= c->writes;
                k->jumps |= c->jumps;
            }
        *at = k;
        at = &k->next;
    }
    return head;
}

/* What is worth following ------------------------------------------------ */

/* Private variables that decide something. */
static void tree_track(TreeMade *m, const Step *k)
{
    for (; k; k = k->next) {
        const Stmt *s = k->s;
        for (uint32_t i = 0; i < k->naccess; i++)
            for (int d = 0; d < k->access[i].nd; d++)
                made(m, k->access[i].idx[d]);
        if (s->kind == Sop)
            made(m, s->op.value);
        else if (s->kind == Sif)
            made(m, s->cond.cond);
        else if (s->kind == Swhile)
            made(m, s->whil.cond);
        for (int i = 0; s->kind == Sfor && i < s->loop.n; i++) {
            made(m, s->loop.lo[i]);
            made(m, s->loop.hi[i]);
        }
        tree_track(m, k->child[0]);
        tree_track(m, k->child[1]);
    }
}

static bool keeps_count(const Audit *a, const bool *tracked, const Stmt *s)
{
    uint32_t b = s->kind == Sstore ? s->store.buf : s->kind == Salloc ? s->alloc.buf : 0;
    int scope = b ? a->p->buf[b].scope : SCnone;
    return (scope == SCvar || scope == SClocal) && tracked[buf_root(a->p, b)];
}

/* Step.busy; what a private variable holds is written, too. */
static bool mark_busy(const Audit *a, const bool *tracked, Step *k)
{
    bool any = false;
    for (; k; k = k->next) {
        bool counts = keeps_count(a, tracked, k->s);
        k->busy = k->naccess || k->orders || counts || k->s->kind == Sbreak ||
                  k->s->kind == Scontinue;
        k->writes |= counts;
        for (int i = 0; i < 2; i++) {
            k->busy |= mark_busy(a, tracked, k->child[i]);
            for (const Step *c = k->child[i]; c; c = c->next)
                k->writes |= c->writes && c->busy;
        }
        any |= k->busy;
    }
    return any;
}

/* ... inside `one`, the statement that is taken as one with it (or NULL). */
void audit_each(const Audit *a, const Step *k, const Step *one, const AuditAccess *t, EachFn *f,
                void *ud)
{
    for (int d = 0; d < t->nd; d++)
        f(ud, t->idx[d]);
    for (uint32_t c = 0; c < t->nif; c++)
        f(ud, a->cond[t->if0 + c].e);
    for (const Step *u = k; one && u; u = u == one ? NULL : u->up) {
        if (u->s->kind == Sif)
            f(ud, u->s->cond.cond);
        for (int d = 0; u->s->kind == Sfor && d < u->s->loop.n; d++) {
            f(ud, u->s->loop.lo[d]);
            f(ud, u->s->loop.hi[d]);
        }
    }
}

static void tree_part_of(void *ud, Ex e) { made(ud, e); }

typedef struct Repeats Repeats;
struct Repeats { Eval *ev; uint32_t var; int64_t period; };

static void tree_repeats(void *ud, Ex e)
{
    Repeats *r = ud;
    if (e)
        r->period = eval_lcm(r->period, eval_period(r->ev, e, r->var));
}

static void find_deps(Audit *a, Step *k, const Step *in)
{
    for (; k; k = k->next) {
        const Step *one = in ? in : audit_as_one(k) ? k : NULL;
        for (uint32_t i = 0; i < k->naccess; i++) {
            AuditAccess *t = &k->access[i];
            TreeMade m = {.a = a, .t = t};
            audit_each(a, k, one, t, tree_part_of, &m);
            t->period = anew(a->c, (t->ndep + 1) * sizeof *t->period);
            for (uint32_t v = 0; v < t->ndep; v++) {
                Repeats r = {&a->ev, t->dep[v], 1};
                audit_each(a, k, one, t, tree_repeats, &r);
                t->period[v] = r.period;
            }
        }
        find_deps(a, k->child[0], one);
        find_deps(a, k->child[1], one);
    }
}

/* Cells ----------------------------------------------------------------- */

typedef struct CondUses CondUses;
struct CondUses { const Prog *p; uint32_t var; int n; };

static void count_uses(void *ud, Ex e)
{
    CondUses *u = ud;
    u->n += eval_depends(u->p, e, u->var);
}

int64_t audit_vector(const Audit *a, const Step *k, const Step *loop, const AuditAccess *t)
{
    const Stmt *s = loop->s;
    CondUses u = {a->p, s->loop.var[0], 0};
    int64_t lo, hi;
    if (!t->nd || !eval_counts(a->p, t->idx[t->nd - 1], u.var) ||
        !x_isint(a->p, s->loop.lo[0], &lo) || !x_isint(a->p, s->loop.hi[0], &hi))
        return 0;
    audit_each(a, k, loop, t, count_uses, &u);
    return u.n == 1 ? hi - lo : 0; /* that index alone */
}

int64_t audit_width(const Audit *a, const Step *k, const AuditAccess *t)
{
    int64_t w = 1, n;
    for (const Step *u = k; u; u = u->up)
        if (u->s->kind == Sfor && u->s->loop.kind == Fvectorized &&
            (n = audit_vector(a, k, u, t)) > 0)
            w *= n;
    return w;
}

/* The widest cells of each buffer that all its accesses are made of. */
static void tree_widest(const Audit *a, const Step *k, uint8_t *grain)
{
    for (; k; k = k->next) {
        for (uint32_t i = 0; i < k->naccess; i++) {
            const AuditAccess *t = &k->access[i];
            const Buf *b = &a->p->buf[t->buf];
            uint8_t *g = &grain[buf_root(a->p, t->buf)];
            int64_t n = b->scope == SCbarrier ? BarrierBytes : dtypeinfo[b->dt].bits / 8;
            if (b->scope != SCbarrier && t->nd && t->ext[t->nd - 1] > 0)
                n *= audit_width(a, k, t) * t->ext[t->nd - 1];
            *g = *g ? *g : AuditChunk;
            while (*g > 1 && (n < *g || n % *g))
                *g /= 2;
        }
        tree_widest(a, k->child[0], grain);
        tree_widest(a, k->child[1], grain);
    }
}

int64_t audit_bytes(const Audit *a, uint32_t root)
{
    const Buf *b = &a->p->buf[root];
    int64_t n = b->map ? (layout_extent(b->map, AXoff) * dtypeinfo[b->dt].bits + 7) / 8
                       : buf_bytes(a->p, root);
    int64_t room = a->chunks * AuditChunk - b->at;
    return n <= 0 || n > room ? room : n;
}

/* Buffers that share memory share cells. */
static void make_cells(Audit *a)
{
    uint8_t *grain = anew(a->c, a->p->nbuf);
    a->chunks = a->launch->launch.shared / AuditChunk + 1;
    a->first = anew(a->c, ((size_t)a->chunks + 1) * sizeof *a->first);
    a->shift = anew(a->c, (size_t)a->chunks + 1);
    tree_widest(a, a->root, grain);
    for (int64_t i = 0; i < a->chunks; i++)
        a->shift[i] = 4;
    for (uint32_t b = 1; b < a->p->nbuf; b++) {
        if (!grain[b])
            continue;
        int64_t at = a->p->buf[b].at, end = at + audit_bytes(a, b);
        uint8_t s = (uint8_t)__builtin_ctz(grain[b]);
        for (int64_t i = at / AuditChunk; i < a->chunks && i * AuditChunk < end; i++)
            a->shift[i] = s < a->shift[i] ? s : a->shift[i];
    }
    for (int64_t i = 0; i < a->chunks; i++)
        a->first[i + 1] = a->first[i] + (AuditChunk >> a->shift[i]);
    a->ncell = a->first[a->chunks];
}

bool audit_tree(Audit *a)
{
    bool *tracked = anew(a->c, a->p->nbuf * sizeof *tracked);
    TreeMade m = {.a = a, .tracked = tracked};
    a->root = tree_gather(a, a->launch->launch.body, NULL);
    tree_track(&m, a->root);
    if (!mark_busy(a, tracked, a->root))
        return false;
    find_deps(a, a->root, NULL);
    make_cells(a);
    return true;
}
