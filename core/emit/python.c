/* core/emit/python.c: the statements of a tile program as TileLang Python. */
#include <string.h>

#include "python.h"
#include "core/ir/walk.h"

/* Lines -------------------------------------------------------------------- */

void py_line(Py *w, const char *fmt, ...)
{
    va_list ap;
    for (int i = 0; i < w->indent; i++)
        str_puts(w->out, "    ");
    va_start(ap, fmt);
    str_vfmt(w->out, fmt, ap);
    va_end(ap);
    if (w->line)
        str_fmt(w->out, "  # line %u", (unsigned)w->line);
    w->line = 0;
    str_puts(w->out, "\n");
}

void py_missing(Py *w, const char *what)
{
    w->missing++;
    py_line(w, "# moontile: %s has no counterpart in TileLang", what);
}

static void py_source_line(Py *w, const Stmt *s)
{
    if (!s->loc.line || s->loc.line == w->last || s->loc.file == w->p->textfile)
        return;
    w->line = w->last = s->loc.line;
}

static void py_block(Py *w, const Stmt *s);

static void py_body(Py *w, const Stmt *s)
{
    w->indent++;
    if (s)
        py_block(w, s);
    else
        py_line(w, "pass");
    w->indent--;
}

/* Buffers ------------------------------------------------------------------- */

/* "lambda i0, i1: ..": offset of an index by a layout in memory. */
static const char *offset_of(Py *w, const Layout *l)
{
    Ctx *c = &w->p->ctx;
    const char *sum = "", *arg = "";
    for (int d = 0; d < l->ndim; d++)
        arg = afmt(c, "%s%si%d", arg, d ? ", " : "", d);
    for (int k = 0; k < l->n; k++) {
        const Mode *g = &l->d[k];
        const char *t = afmt(c, "i%d", g->dim);
        if (g->weight > 1)
            t = afmt(c, "%s // %d", t, g->weight);
        if ((int64_t)g->weight * g->extent < l->extent[g->dim])
            t = afmt(c, "%s %% %d", t, g->extent);
        if (g->stride != 1)
            t = afmt(c, "%s * %d", t, g->stride);
        sum = afmt(c, "%s%s%s", sum, k ? " + " : "", t);
    }
    if (!*sum)
        sum = "0";
    if (l->x.bits)
        sum = afmt(c, "(lambda o: o ^ ((o >> %d & %d) << %d))(%s)", l->x.base + l->x.shift,
                   (1 << l->x.bits) - 1, l->x.base, sum);
    return afmt(c, "lambda %s: %s", arg, sum);
}

static void annotate_layout(Py *w, uint32_t b)
{
    const Buf *buf = &w->p->buf[b];
    const char *name = py_buf(w, b);
    Layout l;
    if (!buf->layout)
        return;
    if (strncmp(buf->layout, "swizzle_", 8) == 0) {
        const char *which = strcmp(buf->layout + 8, "128") == 0 ? "full"
                          : strcmp(buf->layout + 8, "64") == 0  ? "half" : "quarter";
        py_line(w, "T.annotate_layout({%s: tilelang.layout.make_%s_bank_swizzled_layout(%s)})",
                name, which, name);
    } else if (strcmp(buf->layout, "linear") == 0) {
        py_line(w, "T.annotate_layout({%s: tilelang.layout.make_linear_layout(%s)})", name, name);
    } else if (layout_parse(&l, buf->layout) && buf->scope != SCfragment) {
        py_line(w, "T.annotate_layout({%s: T.Layout(%s.shape, %s)})", name, name, offset_of(w, &l));
    } else {
        py_missing(w, afmt(&w->p->ctx, "the layout %s of `%s`", buf->layout, name));
    }
}

static void py_views(Py *w, uint32_t root)
{
    Prog *p = w->p;
    for (uint32_t v = 1; v < p->nbuf; v++) {
        const Buf *b = &p->buf[v];
        if (b->base && v != root && buf_root(p, v) == root)
            py_line(w, "%s = T.view(%s, %s, \"%s\")", py_buf(w, v), py_buf(w, b->base),
                    py_list(w, b->shape, b->ndim, ","), py_dtype((enum Dtype)b->dt));
    }
}

/* "[1, 1]": arrivals of the objects, written in the program behind the alloc. */
static const char *arrivals(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    const char *t = "";
    for (const Stmt *i = s->next; i && i->kind == Sop && i->op.op == Ombar_init &&
         i->op.r[0].buf == s->alloc.buf; i = i->next)
        t = afmt(c, "%s%s%s", t, *t ? ", " : "", py_ex(w, i->op.value));
    return afmt(c, "[%s]", t);
}

static void py_alloc(Py *w, const Stmt *s)
{
    uint32_t id = s->alloc.buf;
    const Buf *b = &w->p->buf[id];
    const char *name = py_buf(w, id), *dt = py_dtype((enum Dtype)b->dt);
    const char *shape = py_list(w, b->shape, b->ndim, ",");
    switch ((enum Scope)b->scope) {
    case SCvar:
        if (s->alloc.init)
            py_line(w, "%s = T.alloc_var(\"%s\", init=%s)", name, dt, py_ex(w, s->alloc.init));
        else
            py_line(w, "%s = T.alloc_var(\"%s\")", name, dt);
        return;
    case SCbarrier:
        py_line(w, "%s = T.alloc_barrier(%s)", name, arrivals(w, s));
        return;
    case SCshared: case SCfragment: case SClocal: case SCglobal:
        py_line(w, "%s = T.alloc_%s(%s, \"%s\")", name, scopename[b->scope], shape, dt);
        break;
    default:
        py_missing(w, scopename[b->scope]);
        return;
    }
    annotate_layout(w, id);
    if (b->safe)
        py_line(w, "T.annotate_safe_value({%s: %s})", name, py_ex(w, b->safe));
    py_views(w, id);
}

/* Control ------------------------------------------------------------------------- */

/* T.Parallel and T.vectorized count from 0: other beginnings are added where
 * the variable is used. */
static void py_shift(Py *w, const Stmt *s, int i)
{
    int64_t lo;
    uint32_t v = s->loop.var[i];
    const char *name = py_var(w, v);
    if (!x_isint(w->p, s->loop.lo[i], &lo) || lo != 0)
        w->var[v] = afmt(&w->p->ctx, "(%s + %s)", name, py_ex(w, s->loop.lo[i]));
}

static const char *py_int_list(Py *w, const char *name, const int32_t *v, uint32_t n)
{
    Ctx *c = &w->p->ctx;
    const char *t = "";
    for (uint32_t i = 0; i < n; i++)
        t = afmt(c, "%s%s%d", t, i ? ", " : "", (int)v[i]);
    return n ? afmt(c, ", %s=[%s]", name, t) : "";
}

static const char *range_of(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    int64_t lo;
    const char *step = s->loop.step ? py_ex(w, s->loop.step) : "1";
    bool one = strcmp(step, "1") == 0;
    bool zero = x_isint(w->p, s->loop.lo[0], &lo) && lo == 0;
    const char *hi = py_ex(w, s->loop.hi[0]);
    if (zero && one)
        return hi;
    return afmt(c, one ? "%s, %s" : "%s, %s, %s", py_ex(w, s->loop.lo[0]), hi, step);
}

static void py_parallel(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    const char *vars = "", *extents = "";
    for (int i = 0; i < s->loop.n; i++) {
        Ex n = x_bin(w->p, Xsub, s->loop.hi[i], s->loop.lo[i]);
        vars = afmt(c, "%s%s%s", vars, i ? ", " : "", py_loop_var(w, s->loop.var[i]));
        extents = afmt(c, "%s%s%s", extents, i ? ", " : "", py_ex(w, n));
    }
    py_line(w, "for %s in T.%s(%s):", vars, s->loop.kind == Fparallel ? "Parallel" : "vectorized",
            extents);
    const char *name[MaxLoop];
    for (int i = 0; i < s->loop.n; i++) {
        name[i] = w->var[s->loop.var[i]];
        py_shift(w, s, i);
    }
    py_body(w, s->loop.body);
    for (int i = 0; i < s->loop.n; i++)
        w->var[s->loop.var[i]] = name[i];
}

/* Several that count from 0, each by 1. */
static bool py_is_grid(const Py *w, const Stmt *s)
{
    int64_t lo, step = 1;
    if (s->loop.step && (!x_isint(w->p, s->loop.step, &step) || step != 1))
        return false;
    for (int i = 0; i < s->loop.n; i++)
        if (!x_isint(w->p, s->loop.lo[i], &lo) || lo != 0)
            return false;
    return s->loop.kind == Fserial;
}

static void py_grid(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    const char *vars = "", *extents = "";
    for (int i = 0; i < s->loop.n; i++) {
        extents = afmt(c, "%s%s%s", extents, i ? ", " : "", py_ex(w, s->loop.hi[i]));
        vars = afmt(c, "%s%s%s", vars, i ? ", " : "", py_loop_var(w, s->loop.var[i]));
    }
    py_line(w, "for %s in T.grid(%s):", vars, extents);
    py_body(w, s->loop.body);
}

/* Several variables in order: a loop in each other. */
static void py_nested(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    for (int i = 0; i < s->loop.n; i++, w->indent++) {
        int64_t lo;
        const char *hi = py_ex(w, s->loop.hi[i]);
        if (!x_isint(w->p, s->loop.lo[i], &lo) || lo != 0)
            hi = afmt(c, "%s, %s", py_ex(w, s->loop.lo[i]), hi);
        py_line(w, "for %s in T.%s(%s):", py_loop_var(w, s->loop.var[i]),
                s->loop.kind == Funroll ? "unroll" : "serial", hi);
    }
    w->indent--;
    py_body(w, s->loop.body);
    w->indent -= s->loop.n - 1;
}

static void py_single(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    const char *range = range_of(w, s), *var = py_loop_var(w, s->loop.var[0]);
    if (s->loop.kind == Fpipelined)
        py_line(w, "for %s in T.Pipelined(%s, num_stages=%d%s%s):", var, range,
                (int)s->loop.num_stages, py_int_list(w, "order", s->loop.order, s->loop.norder),
                py_int_list(w, "stage", s->loop.stage, s->loop.nstage));
    else if (s->loop.kind == Funroll)
        py_line(w, "for %s in T.unroll(%s%s):", var, range,
                s->loop.unroll < 0 ? ", explicit=True"
                : s->loop.unroll ? afmt(c, ", unroll_factor=%d", (int)s->loop.unroll) : "");
    else
        py_line(w, "for %s in T.serial(%s):", var, range);
    py_body(w, s->loop.body);
}

static void py_for(Py *w, const Stmt *s)
{
    if (s->loop.kind == Fparallel || s->loop.kind == Fvectorized)
        py_parallel(w, s);
    else if (s->loop.n == 1)
        py_single(w, s);
    else if (py_is_grid(w, s))
        py_grid(w, s);
    else
        py_nested(w, s);
    for (int i = 0; i < s->loop.n; i++)
        py_loop_end(w, s->loop.var[i]);
}

static void py_if(Py *w, const Stmt *s)
{
    const char *word = "if";
    for (;; word = "elif") {
        py_line(w, "%s %s:", word, py_ex(w, s->cond.cond));
        py_body(w, s->cond.then);
        if (!s->cond.els)
            return;
        if (s->cond.els->kind != Sif || s->cond.els->next)
            break;
        s = s->cond.els;
    }
    py_line(w, "else:");
    py_body(w, s->cond.els);
}

static const char *dims_of(Py *w, const int32_t *v, int n)
{
    Ctx *c = &w->p->ctx;
    const char *t = "";
    for (int i = 0; i < n; i++)
        t = afmt(c, "%s%s%d", t, i ? ", " : "", (int)v[i]);
    return n == 1 ? t : afmt(c, "(%s)", t);
}

typedef struct UsedNames UsedNames;
struct UsedNames { const Prog *p; uint32_t var; };

static bool unused_ex(void *ud, Ex e)
{
    const UsedNames *u = ud;
    return !x_uses(u->p, e, u->var);
}

static bool py_unused(Stmt *s, void *ud)
{
    const UsedNames *u = ud;
    return stmt_exprs(u->p, s, unused_ex, ud);
}

/* Is the variable named anywhere in the launch? */
static bool py_uses(Py *w, const Stmt *s, uint32_t var)
{
    UsedNames u = {w->p, var};
    return var && s->launch.body && !stmt_walk(s->launch.body, py_unused, &u);
}

/* TileLang counts the groups of 128 threads. */
static void py_role(Py *w, const Stmt *s)
{
    const int32_t group = 128, lo = s->role.lo, hi = s->role.hi;
    const char *groups = "";
    for (int32_t g = lo / group; g < hi / group; g++)
        groups = afmt(&w->p->ctx, "%s%s%d", groups, *groups ? ", " : "", (int)g);
    if (lo % group || hi % group)
        py_missing(w, afmt(&w->p->ctx, "the threads %d..%d of a block", (int)lo, (int)hi));
    py_line(w, "with T.ws(%s):", groups);
    py_body(w, s->role.body);
}

static void py_launch(Py *w, const Stmt *s)
{
    static const char *const orders[] = {"row", "column", "mlx"};
    Ctx *c = &w->p->ctx;
    const char *grid = "", *vars = "", *cluster = "";
    int32_t cd[MaxLaunchDim];
    bool clustered = false;
    for (int i = 0; i < s->launch.n; i++) {
        grid = afmt(c, "%s%s, ", grid, py_ex(w, s->launch.grid[i]));
        vars = afmt(c, "%s%s%s", vars, i ? ", " : "", py_loop_var(w, s->launch.block[i]));
        cd[i] = s->launch.cluster[i] ? s->launch.cluster[i] : 1;
        clustered |= cd[i] > 1;
    }
    if (clustered)
        cluster = afmt(c, ", cluster_dims=%s", dims_of(w, cd, s->launch.n));
    py_line(w, "with T.%s(%sthreads=%s%s) as %s%s%s:", clustered ? "ClusterKernel" : "Kernel", grid,
            dims_of(w, s->launch.threads, s->launch.nthread), cluster, s->launch.n > 1 ? "(" : "", vars,
            s->launch.n > 1 ? ")" : "");
    w->indent++;
    if (s->launch.panel)
        py_line(w, "T.use_swizzle(panel_size=%d, order=\"%s\")", (int)s->launch.panel,
                orders[s->launch.order % 3]);
    if (s->launch.blocks)
        py_line(w, "T.annotate_min_blocks_per_sm(%d)", s->launch.blocks);
    if (s->launch.regs[0])
        py_line(w, "T.annotate_producer_reg_dealloc(%d)", s->launch.regs[0]);
    if (s->launch.regs[1])
        py_line(w, "T.annotate_consumer_reg_alloc(%d)", s->launch.regs[1]);
    if (s->launch.keep_regs)
        py_line(w, "T.disable_warp_group_reg_alloc()");
    for (int i = 0; i < s->launch.nthread; i++)
        if (py_uses(w, s, s->launch.thread[i]))
            py_line(w, "%s = T.get_thread_binding(%d)", py_var(w, s->launch.thread[i]), i);
    for (uint32_t i = 0; i < w->p->nparam; i++) {
        const Param *a = &w->p->param[i];
        Ex safe = a->scalar ? 0 : buf_safe(w->p, s, a->id);
        if (safe)
            py_line(w, "T.annotate_safe_value({%s: %s})", py_buf(w, a->id), py_ex(w, safe));
    }
    py_block(w, s->launch.body);
    if (!s->launch.body)
        py_line(w, "pass");
    w->indent--;
    for (int i = 0; i < s->launch.n; i++)
        py_loop_end(w, s->launch.block[i]);
}

/* A statement of an intrinsic: arguments that stand for "none" are left out. */
static void py_call(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    const char *t = "";
    int64_t v;
    for (int i = 0; i < intrinfo[s->call.fn].arity; i++) {
        if (x_isint(w->p, s->call.arg[i], &v) && v == -1)
            break;
        t = afmt(c, "%s%s%s", t, i ? ", " : "", py_ex(w, s->call.arg[i]));
    }
    py_line(w, "T.%s(%s)", intrinfo[s->call.fn].text, s->call.fn == Isync_warp ? "" : t);
}

static void py_statement(Py *w, const Stmt *s)
{
    py_source_line(w, s);
    switch ((enum StmtKind)s->kind) {
    case Slaunch: py_launch(w, s); return;
    case Salloc: py_alloc(w, s); return;
    case Slet:
        py_line(w, "%s = %s", py_var(w, s->let.var), py_ex(w, w->p->var[s->let.var].value));
        return;
    case Sstore:
        py_line(w, "%s = %s", py_element(w, s->store.buf, s->store.idx), py_ex(w, s->store.value));
        return;
    case Sfor: py_for(w, s); return;
    case Swhile:
        py_line(w, "while %s:", py_ex(w, s->whil.cond));
        py_body(w, s->whil.body);
        return;
    case Sif: py_if(w, s); return;
    case Sbreak: py_line(w, s->next ? "T.loop_break()" : "break"); return; /* what is behind it stays */
    case Scontinue: py_line(w, "continue"); return;
    case Sop: py_op(w, s); return;
    case Satomic: py_atomic(w, s); return;
    case Scall: py_call(w, s); return;
    case Sprint:
        py_line(w, "T.print(%s%smsg=%s)", s->print.value ? py_ex(w, s->print.value) : "",
                s->print.value ? ", " : "", s->print.text ? py_quoted(w, s->print.text) : "\"\"");
        return;
    case Sassert:
        py_line(w, "T.device_assert(%s, %s)", py_ex(w, s->check.cond),
                s->check.text ? py_quoted(w, s->check.text) : "\"\"");
        return;
    case Sassume: py_line(w, "T.assume(%s)", py_ex(w, s->check.cond)); return;
    case Srole: py_role(w, s); return;
    case Sxxx: case NStmt: return;
    }
}

static void py_block(Py *w, const Stmt *s)
{
    for (; s; s = s->next)
        py_statement(w, s);
}

/* The whole -------------------------------------------------------------------------- */

static const char *parameter(Py *w, const Param *a)
{
    Ctx *c = &w->p->ctx;
    if (a->scalar)
        return afmt(c, "%s: T.%s", py_var(w, a->id), py_dtype((enum Dtype)w->p->var[a->id].dt));
    const Buf *b = &w->p->buf[a->id];
    const char *shape = py_list(w, b->shape, b->ndim, ","), *dt = py_dtype((enum Dtype)b->dt);
    if (b->ndim && b->stride[0])
        return afmt(c, "%s: T.StridedTensor(%s, %s, \"%s\")", py_buf(w, a->id), shape,
                    py_list(w, b->stride, b->ndim, ","), dt);
    return afmt(c, "%s: T.Tensor(%s, \"%s\")", py_buf(w, a->id), shape, dt);
}

static const char *outputs(Py *w)
{
    const Prog *p = w->p;
    Ctx *c = &w->p->ctx;
    const char *t = "";
    for (uint32_t k = 0; k < p->nout; k++)
        for (uint32_t i = 0; i < p->nparam; i++)
            if (!p->param[i].scalar && p->param[i].id == p->out[k])
                t = afmt(c, "%s%s%u", t, *t ? ", " : "", (unsigned)i);
    return *t ? afmt(c, ", out_idx=[%s]", t) : "";
}

/* What was said of how all launches are lowered. */
static const char *configs(Py *w, bool fast_math)
{
    const char *t = fast_math ? "tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True" : "";
    bool fixed = false, own_syncs = false, own_stages = false;
    for (const Stmt *s = w->p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            fixed |= s->launch.fixed;
            own_syncs |= s->launch.own_syncs;
            own_stages |= s->launch.own_stages;
        }
    if (own_syncs)
        t = afmt(&w->p->ctx, "%s%stilelang.PassConfigKey.TL_DISABLE_THREAD_STORAGE_SYNC: True", t, *t ? ", " : "");
    if (fixed)
        py_missing(w, "the pass_config tl.disable_persistent");
    if (own_stages)
        py_missing(w, "the pass_config tl.disable_spare_stage");
    return *t ? afmt(&w->p->ctx, ", pass_configs={%s}", t) : "";
}

typedef struct PythonJob PythonJob;
struct PythonJob { Prog *p; bool fast_math; Str *out; int *missing; };

static void module(Ctx *c, void *ud)
{
    PythonJob *j = ud;
    Prog *p = j->p;
    Py w = {.p = p, .out = j->out};
    w.var = anew(c, (p->nvar + 1) * sizeof *w.var);
    w.buf = anew(c, (p->nbuf + 1) * sizeof *w.buf);
    const char *name = py_fresh(&w, p->name);
    py_line(&w, "# %s, written by moontile; runs with TileLang 0.1.13.", p->name);
    py_line(&w, "import tilelang");
    py_line(&w, "import tilelang.language as T");
    py_line(&w, "%s", "");
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            py_line(&w, "%s = T.dynamic(\"%s\")", py_var(&w, v), py_var(&w, v));
    py_line(&w, "%s", "");
    py_line(&w, "@T.prim_func");
    py_line(&w, "def %s(", name);
    for (uint32_t i = 0; i < p->nparam; i++)
        py_line(&w, "        %s,", parameter(&w, &p->param[i]));
    py_line(&w, "):");
    w.indent = 1;
    for (uint32_t i = 0; i < p->nparam; i++)
        if (!p->param[i].scalar)
            py_views(&w, p->param[i].id);
    py_block(&w, p->body);
    w.indent = 0;
    py_line(&w, "%s", "");
    const char *said = configs(&w, j->fast_math);
    py_line(&w, "%s = tilelang.compile(%s%s%s)", strcmp(name, "kernel") == 0 ? "compiled" : "kernel", name,
            outputs(&w), said);
    *j->missing = w.missing;
}

bool prog_python(Prog *p, bool fast_math, Str *out, int *miss)
{
    PythonJob j = {p, fast_math, out, miss};
    return ctx_try(&p->ctx, module, &j) && !out->bad;
}
