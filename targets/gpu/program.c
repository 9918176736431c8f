/* targets/gpu/program.c: a thread program as a device takes it: from its text, which
 * is verified like anybody's; what its arguments are and how they must be aligned. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/walk.h"
#include "gpu.h"

static Prog *read_program(const char *path, DevError *err)
{
    Str s = {0};
    if (!gpu_read_file(path, &s) || !s.s) {
        *err = dev_no_file(path, errno);
        str_free(&s);
        return NULL;
    }
    /* an entry of the cache ends with a 0 and a trailer */
    Prog *p = prog_parse_file(&mem_libc, s.s, strlen(s.s), path);
    str_free(&s);
    if (p && p->ctx.nerror == 0 && prog_verify(p, "load"))
        return p;
    *err = p ? dev_error_load(&p->ctx) : DEV_NO_ERROR;
    if (p)
        prog_free(p);
    return NULL;
}

/* Arguments --------------------------------------------------------------- */

typedef struct Widths Widths;
struct Widths {
    const Prog *p;
    uint32_t *align; /* by Buf, bytes */
    int64_t lanes;   /* of the vector that is looked at, and its variable */
    uint32_t var;
};

static void program_widen(const Widths *w, uint32_t buf, int64_t bytes)
{
    uint32_t root = buf_root(w->p, buf);
    if (bytes > 16)
        bytes = 16;
    if (w->p->buf[root].scope == SCglobal && bytes > w->align[root])
        w->align[root] = (uint32_t)bytes;
}

static int64_t program_element(const Prog *p, uint32_t buf, int64_t n)
{
    return n * dtypeinfo[p->buf[buf].dt].bits / 8;
}

/* Elements that e, an access or its index, touches at once. */
static int64_t program_lanes(const Widths *w, Ex e)
{
    return w->lanes > 1 && x_uses(w->p, e, w->var) ? w->lanes : 1;
}

static int64_t program_moved(const Widths *w, uint32_t buf, const Ex *idx)
{
    int64_t n = 1;
    for (int i = 0; i < w->p->buf[buf].ndim && n == 1; i++)
        n = program_lanes(w, idx[i]);
    return n;
}

static ExGo program_load(void *ud, Ex e)
{
    const Widths *w = ud;
    const Expr *x = ex_at(w->p, e);
    if (x->op == Xload)
        program_widen(w, x->sym, program_element(w->p, x->sym, program_lanes(w, e)));
    return EXinto;
}

static bool program_accesses(Stmt *s, void *ud);

static void program_vector(Widths *w, Stmt *s)
{
    int64_t lo = 0, hi = 1;
    x_isint(w->p, s->loop.lo[0], &lo);
    x_isint(w->p, s->loop.hi[0], &hi);
    Widths inner = {w->p, w->align, hi - lo, s->loop.var[0]};
    stmt_walk(s->loop.body, program_accesses, &inner);
}

/* The widest access of each tensor says how its first element must be aligned. */
static bool program_accesses(Stmt *s, void *ud)
{
    Widths *w = ud;
    if (s->kind == Sfor && s->loop.kind == Fvectorized && w->lanes == 1) {
        program_vector(w, s);
        return true;
    }
    stmt_ex_walk(w->p, s, program_load, w);
    if (s->kind == Sstore)
        program_widen(
            w, s->store.buf,
            program_element(w->p, s->store.buf, program_moved(w, s->store.buf, s->store.idx)));
    else if (s->kind == Satomic)
        program_widen(
            w, s->atomic.buf,
            program_element(w->p, s->atomic.buf,
                            program_moved(w, s->atomic.buf, s->atomic.idx) * s->atomic.lanes));
    else if (s->kind == Sop && s->op.op == Ocp_async)
        program_widen(w, s->op.r[0].buf, s->op.attr[0]);
    else if (s->kind == Sop && (s->op.op == Obulk_load || s->op.op == Otma_load))
        program_widen(w, s->op.r[0].buf, 16);
    else if (s->kind == Sop && (s->op.op == Obulk_store || s->op.op == Otma_store))
        program_widen(w, s->op.r[1].buf, 16);
    return true;
}

static bool program_list_args(GpuProgram *g)
{
    const Prog *p = g->p;
    int n = (int)p->nparam, k = 0;
    for (uint32_t v = 1; v < p->nvar; v++)
        n += p->var[v].kind == Vdim;
    g->arg = calloc((size_t)n + 1, sizeof *g->arg);
    g->place = calloc((size_t)p->nbuf + 1, sizeof *g->place);
    uint32_t *align = calloc((size_t)p->nbuf + 1, sizeof *align);
    if (!g->arg || !g->place || !align) {
        free(align);
        return false;
    }
    Widths w = {p, align, 1, 0};
    stmt_walk(p->body, program_accesses, &w);
    for (uint32_t b = 0; b < p->nbuf; b++)
        g->place[b] = -1;
    for (; k < (int)p->nparam; k++) {
        uint32_t id = p->param[k].id;
        bool tensor = !p->param[k].scalar;
        g->arg[k] = (GpuArg){.tensor = tensor, .id = id,
                             .dt = tensor ? p->buf[id].dt : p->var[id].dt,
                             .align = tensor && align[id] ? align[id] : 1};
        if (tensor)
            g->place[id] = k;
    }
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            g->arg[k++] = (GpuArg){.id = v, .dt = DTi32};
    g->narg = n;
    free(align);
    return true;
}

/* Both -------------------------------------------------------------------- */

bool gpu_read(GpuProgram *g, const char *path, DevError *err)
{
    g->p = read_program(path, err);
    g->plan = g->p ? plan_new(g->p) : NULL;
    if (g->p && !g->plan)
        *err = dev_error_load(&g->p->ctx);
    g->kernel = g->plan ? calloc((size_t)g->plan->nlaunch + 1, sizeof *g->kernel) : NULL;
    if (!g->kernel)
        return false;
    for (int i = 0; i < g->plan->nlaunch; i++)
        g->kernel[i].l = &g->plan->launch[i];
    return program_list_args(g);
}

void gpu_free(GpuProgram *g)
{
    for (int i = 0; g->kernel && i < g->plan->nlaunch; i++)
        free(g->kernel[i].param);
    free(g->kernel);
    free(g->arg);
    free(g->place);
    free(g->last);
    free(g->value);
    free(g->dim);
    free(g->env);
    free(g->work);
    free(g->counters);
    free(g->owner);
    if (g->p)
        prog_free(g->p);
    *g = (GpuProgram){.p = NULL};
}
