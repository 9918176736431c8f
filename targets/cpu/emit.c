/* targets/cpu/emit.c: a tile program as one C file.
 *
 * Read cpu_emit() first.  Each launch becomes a function for one block, a loop
 * over blocks that a thread runs, and a function that tells the grid; a table
 * at the end exports them (abi.h).  A block runs its statements in order, so
 * barriers vanish and shared tiles and fragments are plain arrays. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "cpu.h"
#include "emit.h"
#include "err/build.h"

/* Launches ------------------------------------------------------------- */

static bool note_loop(Stmt *s, void *ud)
{
    Gen *g = ud;
    room(g);
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        g->loop[s->loop.var[i]] = (LoopVar){s->loop.lo[i], s->loop.hi[i], s->loop.step, 0};
    return true;
}

static ExGo use_part(void *ud, Ex e)
{
    Gen *g = ud;
    const Expr *x = ex_at(g->p, e);
    if (x->op == Xload)
        g->place[x->sym].live = true;
    else if (x->op == Xvar)
        g->named[x->sym] = true;
    return EXinto;
}

static bool use_stmt(Stmt *s, void *ud)
{
    Gen *g = ud;
    if (s->kind == Sstore)
        g->place[s->store.buf].live = true;
    if (s->kind == Satomic)
        g->place[s->atomic.buf].live = true;
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
        if (s->op.r[i].buf)
            g->place[s->op.r[i].buf].live = true;
    stmt_ex_walk(g->p, s, use_part, g);
    return true;
}

/* A number is needed where a used tensor's shape or stride names it. */
static bool shapes_use(Gen *g, uint32_t var)
{
    for (uint32_t b = 1; b < g->p->nbuf; b++)
        for (int d = 0; g->place[b].live && d < g->p->buf[b].ndim; d++) {
            const Buf *x = &g->p->buf[b];
            if (x_uses(g->p, x->shape[d], var) || (x->stride[d] && x_uses(g->p, x->stride[d], var)))
                return true;
        }
    return false;
}

static bool grid_uses(Gen *g, const Stmt *launch, uint32_t var)
{
    for (int i = 0; i < launch->launch.n; i++)
        if (x_uses(g->p, launch->launch.grid[i], var))
            return true;
    return false;
}

static bool lets_use(Gen *g, uint32_t var)
{
    for (Stmt *s = g->p->body; s; s = s->next)
        if (s->kind == Slet && x_uses(g->p, g->p->var[s->let.var].value, var))
            return true;
    return false;
}

static void emit_scalar_arg(Gen *g, uint32_t v, int at)
{
    enum Dtype dt = (enum Dtype)g->p->var[v].dt;
    const char *type = value_type(dt);
    g->name[v] = declare(g, g->p->var[v].name);
    if (round_name(dt))
        line(g, "const float %s = %s((float)arg[%d].f);", g->name[v], use(g, round_name(dt)), at);
    else if (is_float(dt))
        line(g, "const %s %s = (%s)arg[%d].f;", type, g->name[v], type, at);
    else if (dt == DTbool)
        line(g, "const int %s = arg[%d].i != 0;", g->name[v], at);
    else if (bits_of(dt) == 4)
        line(g, dt == DTu4 ? "const int %s = (int)(arg[%d].i & 15);"
                           : "const int %s = (int)((unsigned)arg[%d].i << 28) >> 28;",
             g->name[v], at);
    else
        line(g, "const %s %s = %sarg[%d].i;", type, g->name[v], int_cast(dt), at);
}

/* Whether a number of the caller's is named: by the grid, or by a block. */
static bool number_used(Gen *g, const Stmt *launch, bool grid_only, uint32_t var)
{
    if (lets_use(g, var))
        return true;
    return grid_only ? grid_uses(g, launch, var)
                     : g->named[var] || shapes_use(g, var);
}

/* Scalars and dimensions. */
static void emit_numbers(Gen *g, Stmt *launch, bool grid_only)
{
    const Prog *p = g->p;
    int at = 0;
    room(g);
    for (uint32_t i = 0; i < p->nparam; i++, at++)
        if (p->param[i].scalar && number_used(g, launch, grid_only, p->param[i].id))
            emit_scalar_arg(g, p->param[i].id, at);
    for (uint32_t v = 1; v < p->nvar; v++) {
        if (p->var[v].kind != Vdim)
            continue;
        if (number_used(g, launch, grid_only, v))
            emit_scalar_arg(g, v, at);
        at++;
    }
}

static void emit_host_lets(Gen *g)
{
    for (Stmt *s = g->p->body; s; s = s->next)
        if (s->kind == Slet)
            emit_let(g, s);
}

/* What the blocks of a launch name: buffers and variables. */
static void mark_live(Gen *g, Stmt *launch)
{
    g->named = anew(g->c, g->p->nvar * sizeof *g->named);
    for (uint32_t b = 1; b < g->p->nbuf; b++)
        g->place[b].live = false;
    stmt_walk(launch->launch.body, use_stmt, g);
    for (uint32_t b = 1; b < g->p->nbuf; b++) /* a view needs its root's name */
        if (g->place[b].live)
            g->place[buf_root(g->p, b)].live = true;
}

static void emit_tensors(Gen *g)
{
    for (uint32_t b = 1; b < g->p->nbuf; b++) {
        StorePlace *pl = &g->place[b];
        if (pl->kind != PLpointer || !pl->live)
            continue;
        const char *cnst = pl->written ? "" : "const ";
        pl->name = declare(g, g->p->buf[b].name);
        line(g, "%s%s *%s = arg[%d].p;", cnst, held_type(g, (enum Dtype)pl->held, pl->alias),
             pl->name, pl->arg);
        declare_views(g, b);
    }
}

static void forget_names(Gen *g)
{
    room(g);
    memset(g->name, 0, g->nvar * sizeof *g->name);
}

static void emit_block_fn(Gen *g, Stmt *s)
{
    uint32_t mark = scope_enter(g);
    g->scalar.out = &g->body;
    g->indent = 0;
    g->line = 0;
    g->streamed = false;
    forget_names(g);
    mark_live(g, s);
    plan_launch(g, s);
    put(g, "static void %s_block(const MtArg *arg", g->kernel);
    for (int i = 0; i < s->launch.n; i++) {
        uint32_t v = s->launch.block[i];
        room(g);
        g->loop[v] = (LoopVar){x_int(g->p, DTi32, 0), s->launch.grid[i], 0, 0};
        room(g);
        g->name[v] = declare(g, g->p->var[v].name);
        put(g, ", int %s", g->name[v]);
    }
    put(g, ", char *scratch, MtRt *rt)\n{\n");
    g->indent++;
    emit_numbers(g, s, false);
    emit_host_lets(g);
    emit_tensors(g);
    emit_list(g, s->launch.body);
    g->indent--;
    put(g, "}\n\n");
    scope_leave(g, mark);
}

static void emit_grid_fn(Gen *g, Stmt *s)
{
    uint32_t mark = scope_enter(g);
    forget_names(g);
    line(g, "static void %s_grid(const MtArg *arg, long grid[3])", g->kernel);
    line(g, "{");
    g->indent++;
    g->host = true;
    emit_numbers(g, s, true);
    if (s->launch.n)
        emit_host_lets(g);
    for (int i = 0; i < 3; i++) {
        begin(g);
        put(g, "grid[%d] = ", i);
        if (i < s->launch.n)
            emit_expr(g, s->launch.grid[i], PRany);
        else
            put(g, "1");
        put(g, ";\n");
    }
    g->indent--;
    g->host = false;
    line(g, "}\n");
    scope_leave(g, mark);
}

/* T.use_swizzle: blocks walk the grid in panels of `panel` rows (or columns),
 * every other panel backwards, so that neighbours in time share tiles in the
 * cache. */
static void emit_panels(Gen *g, const Stmt *s)
{
    int x = s->launch.order == 1, y = 1 - x;
    line(g, "/* T.use_swizzle: panels of %d %s */", s->launch.panel, x ? "columns" : "rows");
    line(g, "const long plane = grid[0] * grid[1], at = b %% plane;");
    line(g, "const long panel = at / (%d * grid[%d]), in = at %% (%d * grid[%d]);", s->launch.panel,
         x, s->launch.panel, x);
    line(g, "const long left = grid[%d] - panel * %d, high = left < %d ? left : %d;", y,
         s->launch.panel, s->launch.panel, s->launch.panel);
    line(g, "rt->b%c = panel %% 2 ? grid[%d] - 1 - in / high : in / high;", "xy"[x], x);
    line(g, "rt->b%c = panel * %d + in %% high;", "xy"[y], s -> launch.panel);
    line(g, "rt->bz = b / plane;");
}

static void emit_run_fn(Gen *g, const Stmt *s)
{
    static const char *const args[] = {"", "rt->bx", "rt->bx, rt->by", "rt->bx, rt->by, rt->bz"};
    line(g, "static void %s_run(const MtArg *arg, const long grid[3], long from, long to,",
         g->kernel);
    line(g, "    char *scratch, MtRt *rt)");
    line(g, "{");
    g->indent++;
    line(g, "for (long b = from; b < to; b++) {");
    g->indent++;
    line(g, "rt->block = b;");
    if (s->launch.panel > 0 && s->launch.n >= 2) {
        emit_panels(g, s);
    } else {
        line(g, "rt->bx = b %% grid[0];");
        line(g, "rt->by = b / grid[0] %% grid[1];");
        line(g, "rt->bz = b / (grid[0] * grid[1]);");
    }
    line(g, "%s_block(arg, %s, scratch, rt);", g->kernel, args[s->launch.n]);
    close_brace(g);
    if (g->streamed)
        line(g, "%s();", use(g, "stream_end"));
    close_brace(g);
    put(g, "\n");
}

/* The file ------------------------------------------------------------- */

static const char abi_head[] =
    "typedef union MtArg { void *p; long i; double f; } MtArg;\n"
    "typedef struct MtPrint MtPrint;\n"
    "typedef struct MtRt MtRt;\n"
    "struct MtRt {\n"
    "    long block, bx, by, bz;\n"
    "    void (*print)(MtRt *rt, const MtPrint *what, const void *data);\n"
    "    void (*fail)(MtRt *rt, const char *message, int line);\n"
    "    void *ud;\n"
    "    void (*zero)(MtRt *rt, int line);\n"
    "};\n"
    "typedef struct MtLaunch {\n"
    "    void (*grid)(const MtArg *arg, long grid[3]);\n"
    "    void (*run)(const MtArg *arg, const long grid[3], long from, long to, char *scratch, MtRt "
    "*rt);\n"
    "    long scratch;\n"
    "    int sequential;\n"
    "} MtLaunch;\n"
    "typedef struct MtOutput {\n"
    "    int arg, bits, ndim, line;\n"
    "    const char *name;\n"
    "} MtOutput;\n"
    "typedef struct MtModule {\n"
    "    int abi, narg, nlaunch, nworkspace;\n"
    "    const MtLaunch *launch;\n"
    "    void (*workspace)(const MtArg *arg, long *bytes);\n"
    "    unsigned long check;\n"
    "    const char *(*unfit)(const MtArg *arg, long *value, long *least, long *most);\n"
    "    int noutput;\n"
    "    const MtOutput *output;\n"
    "    void (*sizes)(const MtArg *arg, long *size);\n"
    "    const char *tensor;\n"
    "} MtModule;\n\n";

static const char print_head[] = "struct MtPrint {\n"
                                 "    const char *message, *name;\n"
                                 "    int dtype, ndim;\n"
                                 "    long shape[8], stride[8];\n"
                                 "    int line;\n"
                                 "};\n\n";

/* Arguments: parameters, symbolic dimensions, workspaces. */
static void number_args(Gen *g, int *narg, int *nwork)
{
    Prog *p = g->p;
    int at = 0;
    for (uint32_t i = 0; i < p->nparam; i++, at++)
        if (!p->param[i].scalar)
            g->place[p->param[i].id].arg = at;
    for (uint32_t v = 1; v < p->nvar; v++)
        at += p->var[v].kind == Vdim;
    *narg = at;
    *nwork = 0;
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (g->place[b].kind == PLpointer && !p->buf[b].param) {
            g->place[b].arg = at++;
            ++*nwork;
        }
}

void emit_all_numbers(Gen *g)
{
    const Prog *p = g->p;
    int at = 0;
    room(g);
    for (uint32_t i = 0; i < p->nparam; i++, at++)
        if (p->param[i].scalar)
            emit_scalar_arg(g, p->param[i].id, at);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            emit_scalar_arg(g, v, at++);
    emit_host_lets(g);
}

static void emit_workspaces(Gen *g)
{
    Prog *p = g->p;
    int k = 0, at = 0;
    uint32_t mark = scope_enter(g);
    forget_names(g);
    line(g, "static void workspaces(const MtArg *arg, long *bytes)");
    line(g, "{");
    g->indent++;
    for (uint32_t b = 1; b < p->nbuf; b++)
        g->place[b].live = g->place[b].kind == PLpointer && !p->buf[b].param;
    at = (int)p->nparam;
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim) {
            if (shapes_use(g, v))
                emit_scalar_arg(g, v, at);
            at++;
        }
    for (uint32_t b = 1; b < p->nbuf; b++) {
        if (!g->place[b].live)
            continue;
        begin(g);
        put(g, "bytes[%d] = ", k++);
        for (int d = 0; d < p->buf[b].ndim; d++)
            put(g, "%s(", use(g, "room_for"));
        put(g, "%d", dtypeinfo[p->buf[b].dt].bits);
        for (int d = 0; d < p->buf[b].ndim; d++) {
            put(g, ", ");
            emit_expr(g, p->buf[b].shape[d], PRany);
            put(g, ")");
        }
        put(g, " / 8 + 1; /* %s */\n", aplain(g->c, p->buf[b].name));
    }
    g->indent--;
    line(g, "}\n");
    scope_leave(g, mark);
}

static uint64_t fnv1a(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return h;
}

typedef struct Launched {
    const char *name;
    int64_t scratch;
} Launched;

static void emit_launch(Gen *g, Stmt *s, Str *text, Launched *done, int number, int total)
{
    uint32_t mark = scope_enter(g);
    g->launch = s;
    g->nmasked = 0;
    const char *base = declare(g, g->p->name && *g->p->name ? g->p->name : "kernel");
    scope_leave(g, mark); /* its functions have longer names */
    g->kernel = total > 1 ? afmt(g->c, "%s_%d", base, number) : base;
    declare(g, afmt(g->c, "%s_block", g->kernel));
    stmt_walk(s, note_loop, g);
    uint32_t first = g->p->norigin;
    emit_block_fn(g, s);
    g->here = (Loc){0, 0, 0};
    emit_grid_fn(g, s);
    emit_run_fn(g, s);
    origin_shift(g->p, first, (int64_t)(text->n + g->statics.n));
    *done = (Launched){g->kernel, g->maxscratch};
    if (g->statics.n)
        str_add(text, g->statics.s, g->statics.n);
    if (g->body.n)
        str_add(text, g->body.s, g->body.n);
    text->bad |= g->statics.bad | g->body.bad;
    str_free(&g->statics);
    str_free(&g->body);
}

typedef struct CpuEmitJob {
    Prog *p;
    Gen g;
    Str text;
    Str *out;
} CpuEmitJob;

static void emit_tail(Gen *g, const Launched *l, int n, int narg, int nwork)
{
    const char *name = g->p->name ? g->p->name : "";
    g->host = true;
    if (nwork)
        emit_workspaces(g);
    line(g, "static const MtLaunch launches[] = {");
    for (int i = 0; i < n; i++)
        line(g, "    {%s_grid, %s_run, %" PRId64 ", 0},", l[i].name, l[i].name, l[i].scratch);
    line(g, "};");
    uint32_t mark = scope_enter(g);
    forget_names(g);
    emit_unfit(g);
    scope_leave(g, mark);
    mark = scope_enter(g);
    forget_names(g);
    int outputs = emit_outputs(g);
    scope_leave(g, mark);
    char *tensor = anew(g->c, (size_t)narg * 2 + 1);
    for (int i = 0; i < narg; i++)
        memcpy(tensor + 2 * i, (uint32_t)i < g->p->nparam && !g->p->param[i].scalar ? "\\1" : "\\0", 2);
    line(g, "const MtModule mt_module = {%d, %d, %d, %d, launches, %s, 0x%" PRIx64 "uL, unfit,",
         MtAbi, narg, n, nwork, nwork ? "workspaces" : "0", fnv1a(name));
    line(g, "                            %d, %s, \"%s\"};", outputs,
         outputs ? "outputs, sizes" : "0, 0", tensor);
}

/* C of the user's own, in front of what calls it: as C, with words that only compilers of GPUs know. */
static const char own_head[] =
    "#define __device__\n"
    "#define __host__\n"
    "#define __forceinline__ inline\n"
    "#define __noinline__ __attribute__((noinline))\n"
    "#define __restrict__ __restrict\n"
    "#pragma GCC visibility push(hidden)\n";

static bool emit_own(Stmt *s, void *ud)
{
    Str *out = ud;
    bool source = s->kind == Sop && s->op.op == Oimport_source && s->op.text;
    if (source && !(out->s && strstr(out->s, s->op.text)))
        str_fmt(out, CpuOwn "%s\n", s->op.text);
    return true;
}

static void emit_sources(Gen *g, Str *out)
{
    Str all = {0};
    if (!prog_extern(g->p))
        return;
    stmt_walk(g->p->body, emit_own, &all);
    str_fmt(out, "%s%s#pragma GCC visibility pop\n" CpuOurs "\n", own_head, all.s ? all.s : "");
    out->bad |= all.bad;
    str_free(&all);
}

static void cemit_emit_program(Ctx *c, void *ud)
{
    CpuEmitJob *job = ud;
    Gen *g = &job->g;
    Prog *p = job->p;
    int n = 0, k = 0, narg, nwork;
    g->p = p;
    g->c = c;
    g->ranges = 1;
    g->scalar = (Scalar){.p = p, .w = &cpu_words, .ud = g, .here = &g->here};
    g->used = anew(c, prelude_count());
    room(g);
    plan_places(g);
    number_args(g, &narg, &nwork);
    g->padding = padding_find(p);
    for (uint32_t i = 0; i < p->ncalled; i++)
        declare(g, p->called[i].name); /* no name of ours may hide it */
    for (Stmt *s = p->body; s; s = s->next) {
        if (s->kind == Slaunch)
            n++;
        else if (s->kind != Slet && s->kind != Sassume && s->kind != Salloc)
            diag_fail(c, E_cpu_host, s->loc, NULL);
    }
    Launched *done = anew(c, (size_t)(n + 1) * sizeof *done);
    for (Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            emit_launch(g, s, &job->text, &done[k], k + 1, n);
            k++;
        }
    uint32_t first = p->norigin;
    g->scalar.out = &g->body;
    emit_tail(g, done, n, narg, nwork);
    str_fmt(job->out, "/* %s, printed by moontile for the cpu target */\n",
            aplain(g->c, p->name ? p->name : "kernel"));
    str_puts(job->out, abi_head);
    if (g->prints)
        str_puts(job->out, print_head);
    prelude_print(g, job->out);
    emit_sources(g, job->out);
    origin_shift(p, first, (int64_t)job->text.n);
    origin_shift(p, 0, (int64_t)job->out->n);
    if (job->text.n)
        str_add(job->out, job->text.s, job->text.n);
    str_add(job->out, g->body.s, g->body.n);
}

/* What a variable can be, now that dimensions are bounded. */
static void narrow_var(Prog *p, uint32_t v, int64_t lo, int64_t hi)
{
    Var *x = &p->var[v];
    x->lo = lo > x->lo ? lo : x->lo;
    x->hi = hi < x->hi ? hi : x->hi;
}

static bool narrow_stmt(Stmt *s, void *ud)
{
    Prog *p = ud;
    int64_t lo, hi, a, b;
    for (int i = 0; s->kind == Slaunch && i < s->launch.n; i++)
        if (x_range(p, s->launch.grid[i], &lo, &hi) && hi > 0)
            narrow_var(p, s->launch.block[i], 0, hi - 1);
    for (int i = 0; s->kind == Sfor && !s->loop.step && i < s->loop.n; i++)
        if (dtypeinfo[p->var[s->loop.var[i]].dt].cls == 'I' &&
            x_range(p, s->loop.lo[i], &lo, &hi) && x_range(p, s->loop.hi[i], &a, &b) && lo < b)
            narrow_var(p, s->loop.var[i], lo, b - 1);
    if (s->kind == Slet && p->var[s->let.var].value &&
        x_range(p, p->var[s->let.var].value, &lo, &hi))
        narrow_var(p, s->let.var, lo, hi);
    return true;
}

/* Dimensions are never negative, and so far below 2^31 that rounding one up to
 * blocks does not wrap: with that, most index arithmetic provably stays in 32
 * bits.  Launching sees to it. */
static void bound_dims(Prog *p)
{
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            narrow_var(p, v, 0, DimMost);
    stmt_walk(p->body, narrow_stmt, p);
}

bool cpu_emit(Prog *p, const char *options, Str *out)
{
    CpuEmitJob job = {.p = p, .out = out};
    (void)options;
    if (p->machine)
        return cpu_emit_threads(p, out);
    bound_dims(p);
    p->norigin = 0;
    bool ok = ctx_try(&p->ctx, cemit_emit_program, &job);
    bool bad = job.text.bad || job.g.body.bad || job.g.statics.bad || out->bad;
    str_free(&job.text);
    str_free(&job.g.body);
    str_free(&job.g.statics);
    if (ok && bad)
        diag(&p->ctx, E_memory, p->loc, "more", "reached", NULL);
    return ok && !bad && p->ctx.nerror == 0;
}
