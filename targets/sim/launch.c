/* targets/sim/launch.c: a run of a program: arguments, buffers, the launches one
 * after the other, and of each the clusters. */
#include <stdlib.h>
#include <string.h>

#include "trace.h"
#include "err/sim.h"
#include "err/gpu.h"
#include "err/launch.h"
#include "err/room.h"

/* Arguments and buffers ------------------------------------------------------ */

static bool set_args(SimRun *r, const DevArg *arg, int narg, DevError *err)
{
    const Prog *p = r->sp->p;
    uint32_t n = p->nparam;
    for (uint32_t v = 1; v < p->nvar; v++)
        n += p->var[v].kind == Vdim;
    if ((uint32_t)narg != n) {
        *err = dev_error(E_device_args, narg, n);
        return false;
    }
    r->arg = anew(r->ctx, (p->nvar + 1) * sizeof *r->arg);
    r->global = anew(r->ctx, (p->nbuf + 1) * sizeof *r->global);
    for (uint32_t k = 0; k < p->nparam; k++) {
        uint32_t id = p->param[k].id;
        if (!p->param[k].scalar) {
            r->global[id].data = arg[k].p;
            continue;
        }
        switch (value_class((enum Dtype)p->var[id].dt)) {
        case VCf: r->arg[id].f = (float)arg[k].f; break;
        case VCd: r->arg[id].d = arg[k].f; break;
        case VCi: r->arg[id].i = (int32_t)arg[k].i; break;
        default: r->arg[id].l = arg[k].i; break;
        }
    }
    n = p->nparam;
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim) {
            int64_t i = arg[n++].i;
            if (value_class((enum Dtype)p->var[v].dt) == VCi)
                r->arg[v].i = (int32_t)i;
            else
                r->arg[v].l = i;
        }
    return true;
}

/* An expression of arguments alone. */
static int64_t launch_number(const SimRun *r, const int64_t *env, Ex e)
{
    int64_t v = 0;
    return e && x_eval(r->sp->p, e, env, &v) ? v : 0;
}

static void shapes(SimRun *r)
{
    const Prog *p = r->sp->p;
    int64_t *env = anew(r->ctx, (p->nvar + 1) * sizeof *env);
    for (uint32_t v = 1; v < p->nvar; v++)
        env[v] = value_class((enum Dtype)p->var[v].dt) == VCl ? r->arg[v].l : r->arg[v].i;
    r->shape = anew(r->ctx, (p->nbuf + 1) * sizeof *r->shape);
    for (uint32_t i = 1; i < p->nbuf; i++) {
        const Buf *b = &p->buf[i];
        const SharedMap *m = &r->sp->map[i];
        SimShape *s = &r->shape[i];
        int64_t step = 1, most = 0;
        bool shared = b->scope == SCshared || b->scope == SCbarrier;
        for (int d = b->ndim; d-- > 0;) {
            s->size[d] = launch_number(r, env, b->shape[d]);
            s->stride[d] = shared         ? m->stride[d]
                           : b->stride[d] ? launch_number(r, env, b->stride[d])
                                          : step;
            step *= s->size[d];
            most += (s->size[d] - 1) * s->stride[d];
        }
        if (b->scope == SCglobal && !b->base)
            r->global[i].bytes = step > 0 ? (int64_t)((most + 1) * dtypeinfo[b->dt].bits + 7) / 8 : 0;
        if (b->scope == SCglobal)
            report_shape(&r->report, i, s->size, s->stride);
    }
}

typedef struct Works Works;
struct Works { SimRun *r; int64_t total; bool ok; };

/* Workspaces: global buffers that the program itself allocates. */
static bool slaunch_workspace(Stmt *s, void *ud)
{
    Works *w = ud;
    if (s->kind != Salloc || w->r->sp->p->buf[s->alloc.buf].scope != SCglobal)
        return true;
    SimGlobal *g = &w->r->global[s->alloc.buf];
    if (g->data)
        return true;
    w->total += g->bytes;
    g->data = calloc(1, (size_t)g->bytes + 64);
    g->owned = g->data != NULL;
    w->ok &= g->data != NULL;
    return true;
}

static void free_globals(SimRun *r)
{
    for (uint32_t i = 1; r->global && i < r->sp->p->nbuf; i++)
        if (r->global[i].owned)
            free(r->global[i].data);
}

/* What the checks need ---------------------------------------------------------- */

static void slaunch_where(void *ud, Str *out)
{
    const SimRun *r = ud;
    const Strand *s = r->x ? r->x->cur : NULL;
    const Live *v = s && r->x->ins && r->x->ins->site < r->sp->nsite
                        ? r->sp->where[r->x->ins->site]
                        : NULL;
    for (uint32_t k = 0; v && k < v->n; k++)
        str_fmt(out, "%s%s = %lld", k ? ", " : "", v->name[k], (long long)s->u[v->reg[k]].i);
}

static void report_start(SimRun *r)
{
    r->report = (Report){.c = r->ctx, .p = r->sp->p, .site = r->sp->site, .nsite = r->sp->nsite,
                         .max = r->opt->max_findings, .where = slaunch_where, .ud = r};
}

static int64_t launch_blocks(const int64_t g[3])
{
    int64_t n = 1;
    for (int i = 0; i < 3; i++)
        if (g[i] <= 0 || __builtin_mul_overflow(n, g[i], &n))
            return 0;
    return n;
}

static void machinery(SimRun *r);
static void slaunch_once(SimRun *r);

/* Blocks of a launch that all wait for each other: its whole grid. */
static int grid_blocks(SimRun *r, const SimLaunch *l)
{
    SimRun now = *r;
    int64_t most = MaxGridThreads / l->lanes;
    r->l = l;
    r->ncta = 1;
    machinery(r);
    slaunch_once(r);
    int64_t n = launch_blocks(r->grid);
    if (n > most)
        diag_fail(r->ctx, E_sim_grid, l->s->loc, report_number(&r->report, n),
                  report_number(&r->report, most), NULL);
    *r = now;
    return n ? (int)n : 1;
}

static Hb *slaunch_checks(SimRun *r)
{
    const Prog *p = r->sp->p;
    HbGlobal *g = anew(r->ctx, (p->nbuf + 1) * sizeof *g);
    for (uint32_t i = 1; i < p->nbuf; i++) {
        if (!r->global[i].data)
            continue;
        g[i] = (HbGlobal){.data = r->global[i].data, .bytes = r->global[i].bytes,
                          .written = r->sp->written[i], .output = p->buf[i].out,
                          .poisoned = p->buf[i].out || r->global[i].owned};
    }
    HbSetup s = {.report = &r->report, .m = r->sp->m, .threads = r->l->lanes, .global = g};
    for (uint32_t k = 0; k < r->sp->nlaunch; k++) { /* one for all launches */
        const SimLaunch *l = &r->sp->launch[k];
        int n = l->ncta ? (int)l->ncta : grid_blocks(r, l);
        s.blocks = n > s.blocks ? n : s.blocks;
        s.shared = l->shared > s.shared ? l->shared : s.shared;
    }
    return hb_new(&s);
}

DevMessage run_message(const SimRun *r, Err is, Loc l, const char *const *arg)
{
    const Ctx *c = &r->sp->p->ctx;
    DevMessage m = {.is = is, .file = l.file && l.file < c->nfile ? c->file[l.file] : NULL,
                    .line = l.line, .col = l.col};
    for (int i = 0; i < DiagArgs && arg[i]; i++)
        m.arg[i] = arg[i];
    return m;
}

/* Findings go to the session as soon as there are some: the kernel may never end. */
static void send_finding(SimRun *r, const Finding *f)
{
    DevMessage note = run_message(r, f->note, f->other, f->arg);
    DevMessage m = run_message(r, f->err, f->loc, f->arg);
    m.note = f->note != E_none ? &note : NULL;
    r->host->report(r->host->ud, &m);
}

void run_tell(SimRun *r)
{
    for (; r->told < r->report.n; r->told++)
        send_finding(r, &r->report.f[r->told]);
}

/* A launch ------------------------------------------------------------------------ */

static void machinery(SimRun *r)
{
    const SimLaunch *l = r->l;
    Machinery *x = r->x = anew(r->ctx, sizeof *x);
    size_t t = (size_t)(x->T = r->ncta * l->lanes);
    x->lanes = anew(r->ctx, ((size_t)l->nrow + 2) * 4 * t + 64);
    x->mask = anew(r->ctx, (2 * (size_t)l->nlevel + 2) * t);
    x->def = anew(r->ctx, (size_t)l->defined * t + 1);
    x->defat = anew(r->ctx, ((size_t)l->nlocal + 1) * sizeof *x->defat);
    x->undef = anew(r->ctx, ((size_t)l->nlocal + 1) * sizeof *x->undef);
    size_t at = 0;
    for (uint32_t k = 0; k < l->nlocal; k++) {
        x->defat[k] = x->def + at;
        at += (size_t)l->local[k]->regs * t;
    }
    for (size_t k = 0; k < COUNT(x->at); k++)
        x->at[k] = anew(r->ctx, t * sizeof **x->at);
    for (size_t k = 0; k < COUNT(x->on); k++)
        x->on[k] = anew(r->ctx, t);
    x->tally = anew(r->ctx, (size_t)r->ncta * sizeof *x->tally);
    x->dirty = anew(r->ctx, ((size_t)l->nlocal + 1) * (t / (size_t)r->sp->m->warp + 2));
    x->votes = anew(r->ctx, t * sizeof *x->votes);
    x->newer = anew(r->ctx, t * sizeof *x->newer);
    x->held = anew(r->ctx, SimWide * t);
    x->u = anew(r->ctx, ((size_t)l->nreg + 1) * sizeof *x->u);
    x->rng = r->opt->seed;
    r->shared = anew(r->ctx, (size_t)r->ncta * (size_t)l->shared + 64);
    r->block = anew(r->ctx, (size_t)r->ncta * sizeof *r->block);
}

/* What no block changes: once for all threads. */
static void slaunch_once(SimRun *r)
{
    Strand s = {.u = r->x->u, .n = r->x->T, .full = anew(r->ctx, r->l->nlevel * sizeof *s.full)};
    s.full[0] = true;
    int32_t *tid = (int32_t *)(void *)row_at(r, (Val){SHt, VCi, DTi32, r->l->index}, 0);
    for (int t = 0; t < r->x->T; t++)
        tid[t] = t % r->l->lanes;
    for (const Ins *i = r->l->once; i;)
        i = i->fn(r, &s, i);
    for (int k = 0; k < 3; k++)
        r->grid[k] = k < r->l->s->launch.n ? uvalue(&s, r->l->grid[k]) : 1;
}

/* The blocks of cluster k: neighbours in the grid. */
static void place_cluster(SimRun *r, int64_t k)
{
    const int *c = r->l->cluster;
    int64_t across = r->grid[0] / c[0], down = r->grid[1] / c[1];
    if (r->l->ncta == 0) {
        for (int i = 0; i < r->ncta; i++)
            r->block[i] = i;
        return;
    }
    int64_t x = k % across * c[0], y = k / across % down * c[1], z = k / across / down * c[2];
    for (int i = 0; i < r->ncta; i++)
        r->block[i] = (z + i / c[0] / c[1]) * r->grid[0] * r->grid[1] +
                      (y + i / c[0] % c[1]) * r->grid[0] + x + i % c[0];
}

static void slaunch_cluster(SimRun *r)
{
    if (r->hb)
        hb_cluster(r->hb, r->block);
    else
        report_blocks(&r->report, r->block, r->ncta);
    if (r->opt->undefined >= 0) {
        memset(r->shared, r->opt->undefined, (size_t)r->ncta * (size_t)r->l->shared);
        locals_fill(r, r->opt->undefined);
    }
    bars_cluster(r->x->bars);
    if (r->iters)
        iters_clear(r->iters);
    sched_start(r);
    if (sched_run(r))
        bars_finish(r->x->bars);
    run_tell(r);
}

/* Clusters in order, or with a seed in the order of a permutation of them. */
static void clusters(SimRun *r, int64_t n)
{
    int64_t *order = r->opt->seed && n < INT64_C(1) << 24 ? anew(r->ctx, (size_t)n * sizeof *order)
                                                          : NULL;
    for (int64_t k = 0; order && k < n; k++) {
        int64_t j = (int64_t)(run_random(r) % (uint64_t)(k + 1));
        order[k] = order[j];
        order[j] = k;
    }
    for (int64_t k = 0; k < n && !r->stop; k++) {
        place_cluster(r, order ? order[k] : k);
        slaunch_cluster(r);
    }
}

/* The cluster of the traced block, behind those before it where it may need what they
 * wrote; then the run is over, unless that was all there is. */
static void traced(SimRun *r, int64_t n)
{
    bool alone = trace_alone(r), here = false;
    for (int64_t k = 0; k < n && !r->stop && !here; k++) {
        place_cluster(r, k);
        here = trace_here(r);
        if (here)
            r->trace = trace_new(r);
        if (here || !alone)
            slaunch_cluster(r);
    }
    trace_write(r, r->opt->trace.out);
    r->trace = NULL;
    r->stop |= n > 1 || r->sp->nlaunch > 1;
}

/* The grid that a card's driver would not launch. */
static void check_grid(SimRun *r)
{
    enum { MostYZ = 65535 }; /* as targets/gpu/device.c asks of devices that do not say */
    const Stmt *s = r->l->s;
    for (int k = 1; k < 3; k++)
        if (r->grid[k] > MostYZ)
            diag_fail(r->ctx, E_gpu_grid, s->loc, r->sp->p->name, report_number(&r->report, r->grid[k]),
                      report_number(&r->report, k), report_number(&r->report, MostYZ), NULL);
}

static void launch_grid(SimRun *r, const SimLaunch *l)
{
    r->l = l;
    r->ncta = (int)l->ncta;
    const Stmt *s = l->s;
    r->report.threads = l->lanes;
    for (int k = 0; k < 3; k++)
        r->report.shape[k] = k < s->launch.nthread ? s->launch.threads[k] : 1;
    if (!r->ncta) /* how many there are is not known before */
        r->ncta = grid_blocks(r, l);
    machinery(r);
    slaunch_once(r);
    check_grid(r);
    memcpy(r->report.grid, r->grid, sizeof r->grid);
    int64_t n = launch_blocks(r->grid) / r->ncta;
    if (!n)
        return;
    if (r->opt->checks && !r->hb)
        r->hb = slaunch_checks(r);
    else if (r->hb) {
        hb_launch(r->hb);
        hb_shape(r->hb, l->lanes, r->ncta);
    }
    r->iters = r->hb && l->open ? iters_new(r->ctx, &r->report) : NULL;
    access_static(r);
    r->x->bars = bars_new(&r->report, r->hb, r->sp->m, l->lanes, r->ncta);
    r->bars = r->x->bars;
    if (trace_wanted(r, (uint32_t)(l - r->sp->launch)))
        traced(r, n);
    else
        clusters(r, n);
    bars_free(r->bars);
    r->bars = NULL;
}

/* -who: a line "@who LINE COLUMN THREAD BLOCK FILE" to what the launch prints; nobody:
 * "@who 0". */
static void who(SimRun *r)
{
    const Prog *p = r->sp->p;
    const char *colon = strchr(r->opt->who, ':');
    size_t n = (size_t)(colon - r->opt->who);
    int64_t element = strtoll(colon + 1, NULL, 10), block = 0;
    uint32_t site = 0;
    int thread = 0;
    Str s = {0};
    for (uint32_t b = 1; b < p->nbuf && !site; b++) {
        const char *name = p->buf[b].name;
        if (p->buf[b].scope == SCglobal && strlen(name) == n && !memcmp(name, r->opt->who, n) &&
            !hb_writer(r->hb, b, element, &site, &block, &thread))
            site = 0;
    }
    Loc l = r->report.site[site].loc;
    if (site)
        str_fmt(&s, "@who %u %u %d %s %s\n", (unsigned)l.line, (unsigned)l.col, thread,
                report_grid(&r->report, block),
                l.file && l.file < p->ctx.nfile ? p->ctx.file[l.file] : "");
    else
        str_puts(&s, "@who 0\n");
    if (!s.bad)
        r->host->print(r->host->ud, 0, s.s, s.n);
    str_free(&s);
}

static void sim_launch_run(Ctx *c, void *ud)
{
    SimRun *r = ud;
    (void)c;
    shapes(r);
    Works w = {.r = r, .ok = true};
    stmt_walk(r->sp->p->body, slaunch_workspace, &w);
    if (!w.ok)
        diag_fail(r->ctx, E_memory, (Loc){0}, report_number(&r->report, w.total), "-", NULL);
    uint32_t first = r->opt->trace.out && trace_alone(r) ? (uint32_t)r->opt->trace.launch : 0;
    for (uint32_t k = first; k < r->sp->nlaunch && !r->stop; k++)
        launch_grid(r, &r->sp->launch[k]);
    if (r->opt->checks && !r->hb && r->l && !r->stop) /* no block ran: no output is written */
        r->hb = slaunch_checks(r);
    if (r->hb && !r->stop)
        hb_finish(r->hb);
    if (r->hb && r->opt->who[0])
        who(r);
    run_tell(r);
}

/* The first error of the run itself: lack of memory, a refusal. */
static DevError slaunch_refusal(const SimRun *r, const Ctx *c)
{
    const Diag *d = diag_first_error(c);
    if (!d)
        return dev_error(E_device_memory, "-");
    DevMessage m = run_message(r, d->err, d->loc, d->arg);
    r->host->report(r->host->ud, &m);
    return dev_reported();
}

bool sim_run(const SimProg *sp, const SimOptions *opt, const DevHost *host, const DevArg *arg,
             int narg, uint32_t *failed_at, DevError *err)
{
    Ctx c;
    SimRun r = {.ctx = &c, .sp = sp, .opt = opt, .host = host};
    ctx_init(&c, &mem_libc, (size_t)4 << 30);
    report_start(&r);
    late_start(&r);
    bool ok = set_args(&r, arg, narg, err);
    if (ok && !ctx_try(&c, sim_launch_run, &r)) {
        ok = false;
        run_tell(&r);
        dev_error_free(r.failed);
        *err = slaunch_refusal(&r, &c);
    } else if (ok && r.failed.is) {
        ok = false;
        *failed_at = r.assert_line;
        *err = r.failed;
    } else if (ok && report_wrong(&r.report) && !opt->keep) {
        ok = false;
        *err = dev_reported();
    }
    if (r.bars)
        bars_free(r.bars);
    hb_free(r.hb);
    free_globals(&r);
    ctx_free(&c);
    return ok;
}
