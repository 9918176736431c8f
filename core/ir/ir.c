/* core/ir/ir.c: making programs: variables, buffers, statements.
 *
 * A builder call appends to the innermost open block.  Frames (launch, for,
 * while, if, role) open with s_launch() .. s_role() and close with s_close(). */
#include <string.h>

#include "elements.h"
#include "ir.h"
#include "reduce.h"
#include "walk.h"
#include "err/ir.h"
#include "err/kernel.h"

#define INFO(i) afmt(&p->ctx, "%lld", (long long)(i))

#define OPNREG(s) (sizeof(s) - 1)
const OpInfo opinfo[NOp] = {
#define OP(id, text, regions, values, attrs, level, done, proxy) \
    [O##id] = {text, regions, attrs, OPNREG(regions), values, #level[0], #done[0], #proxy[0]},
#include "ops.h"
};
const RedInfo redinfo[NRed] = {
#define RED(id, text, update, op, prog_start, enters, types) \
    [R##id] = {text, update, op, #prog_start[0], #enters[0], #types[0]},
#include "ops.h"
};
const char *const scopename[NScope] = {
#define SCOPE(id, text) [SC##id] = text,
#include "ops.h"
};
const char *const forname[NFor] = {
#define FOR(id, text) [F##id] = text,
#include "ops.h"
};

static const int64_t MaxGrid = INT32_MAX;
enum { MaxThreads = 1024, MaxBufBytesLog = 40, MaxFrames = 200, RoleThreads = 32 };

/* Life ----------------------------------------------------------------- */

static void prog_start(Ctx *c, void *ud)
{
    Prog *p = ud;
    const char *name = p->name;
    p->name = astr(c, name, strlen(name));
    agrow(c, &p->tail, &p->captail, 1, sizeof *p->tail);
    p->tail[0] = &p->body;
    p->ntail = 1;
    p->nex = p->nvar = p->nbuf = 1; /* handle 0 is none */
    agrow(c, &p->ex, &p->capex, 64, sizeof *p->ex);
    p->marks = anew(c, sizeof *p->marks);
    p->marks->ctx = c;
    agrow(c, &p->var, &p->capvar, 16, sizeof *p->var);
    agrow(c, &p->buf, &p->capbuf, 16, sizeof *p->buf);
}

Prog *prog_new(const Mem *mem, const char *name)
{
    const Mem *m = mem ? mem : &mem_libc;
    Prog *p = m->alloc(m->ud, NULL, sizeof *p);
    if (!p)
        return NULL;
    memset(p, 0, sizeof *p);
    ctx_init(&p->ctx, m, 0);
    p->name = name;
    if (ctx_try(&p->ctx, prog_start, p))
        return p;
    prog_free(p);
    return NULL;
}

void prog_free(Prog *p)
{
    if (!p)
        return;
    Mem m = p->ctx.mem;
    ctx_free(&p->ctx);
    m.alloc(m.ud, p, 0);
}

Prog *prog_copy(const Prog *p)
{
    Str text = {0};
    prog_print(p, &text);
    Prog *q = text.bad ? NULL : prog_parse(&p->ctx.mem, text.s ? text.s : "", text.n, p->name);
    str_free(&text);
    if (q)
        q->ctx.stop = p->ctx.stop;
    return q;
}

/* Variables and buffers ------------------------------------------------ */

uint32_t p_var(Prog *p, enum VarKind k, enum Dtype dt, const char *name, int64_t lo, int64_t hi)
{
    uint32_t id = p->nvar;
    agrow(&p->ctx, &p->var, &p->capvar, id + 1, sizeof *p->var);
    p->var[id] = (Var){.name = astr(&p->ctx, name, strlen(name)), .kind = (uint8_t)k,
                       .dt = (uint8_t)dt, .lo = lo, .hi = hi, .loc = p->here};
    p->nvar++;
    return id;
}

static bool ir_intlike(enum Dtype t)
{
    return dtypeinfo[t].cls == 'I' || dtypeinfo[t].cls == 'U';
}

static void check_extent(Prog *p, const char *name, enum Scope sc, int d, Ex e)
{
    int64_t v;
    if (!e || !ir_intlike(ex_type(p, e)))
        diag_fail(&p->ctx, E_shape_type, p->here, name, INFO(d),
                  e ? dtypeinfo[ex_type(p, e)].name : "nil", NULL);
    if (!x_isint(p, e, &v)) {
        if (sc == SCglobal)
            return;
        diag_fail(&p->ctx, E_shape_static, p->here, name, INFO(d), scopename[sc], NULL);
    }
    if (v < (sc == SCglobal ? 0 : 1))
        diag_fail(&p->ctx, E_shape_value, p->here, name, INFO(d), INFO(v), NULL);
}

/* Elements of a shape, or -1 when not constant or beyond 2^40. */
static int64_t element_count(const Prog *p, const Ex *shape, int ndim)
{
    int64_t n = 1, v;
    for (int i = 0; i < ndim; i++) {
        if (!x_isint(p, shape[i], &v) || __builtin_mul_overflow(n, v, &n) ||
            n > (int64_t)1 << MaxBufBytesLog)
            return -1;
    }
    return n;
}

int64_t buf_bytes(const Prog *p, uint32_t buf)
{
    const Buf *b = &p->buf[buf];
    int64_t n = element_count(p, b->shape, b->ndim);
    return n < 0 ? -1 : (n * dtypeinfo[b->dt].bits + 7) / 8;
}

uint32_t p_buf(Prog *p, enum Scope sc, enum Dtype dt, const char *name, const Ex *shape,
               const Ex *stride, int ndim)
{
    if (ndim < (sc == SCglobal ? 0 : 1) || ndim > MaxDim)
        diag_fail(&p->ctx, E_ndim, p->here, name, INFO(ndim), INFO(MaxDim), NULL);
    bool open = true;
    for (int i = 0; i < ndim; i++) {
        check_extent(p, name, sc, i, shape[i]);
        open = open && x_isint(p, shape[i], &(int64_t){0});
    }
    if (open && element_count(p, shape, ndim) < 0)
        diag_fail(&p->ctx, E_shape_size, p->here, name, NULL);
    if ((sc == SCbarrier || sc == SCpipe) && dt != DTu64)
        diag_fail(&p->ctx, E_barrier_type, p->here, name, dtypeinfo[dt].name, NULL);
    uint32_t id = p->nbuf;
    agrow(&p->ctx, &p->buf, &p->capbuf, id + 1, sizeof *p->buf);
    Buf *b = &p->buf[id];
    *b = (Buf){.name = astr(&p->ctx, name, strlen(name)), .scope = (uint8_t)sc,
               .dt = (uint8_t)dt, .ndim = (uint8_t)ndim, .at = -1, .loc = p->here};
    for (int i = 0; i < ndim; i++) {
        b->shape[i] = shape[i];
        b->stride[i] = stride ? stride[i] : 0;
    }
    p->nbuf++;
    return id;
}

uint32_t buf_root(const Prog *p, uint32_t buf)
{
    while (p->buf[buf].base)
        buf = p->buf[buf].base;
    return buf;
}

static const char *shapetext(Prog *p, const Ex *shape, int n)
{
    Str s = {0};
    str_puts(&s, "(");
    for (int i = 0; i < n; i++) {
        if (i)
            str_puts(&s, ", ");
        ex_print(p, shape[i], &s);
    }
    str_puts(&s, n == 1 ? ",)" : ")");
    char *t = s.s ? astr(&p->ctx, s.s, s.n) : astr(&p->ctx, "", 0);
    str_free(&s);
    return t;
}

uint32_t p_view(Prog *p, uint32_t buf, enum Dtype dt, const Ex *shape, int ndim)
{
    const Buf *b = &p->buf[buf];
    if (b->stride[0] || !shapes_same_bits(p, b->shape, b->ndim, dtypeinfo[b->dt].bits, shape, ndim,
                                          dtypeinfo[dt].bits))
        diag_fail(&p->ctx, E_view, p->here, b->name, shapetext(p, b->shape, b->ndim),
                  dtypeinfo[b->dt].name, shapetext(p, shape, ndim), dtypeinfo[dt].name, NULL);
    uint32_t id = p_buf(p, (enum Scope)b->scope, dt, b->name, shape, NULL, ndim);
    p->buf[id].base = buf;
    return id;
}

void p_name(Prog *p, uint32_t buf, const char *name)
{
    p->buf[buf].name = astr(&p->ctx, name, strlen(name));
}

static const char *const thread_name[] = {"tx", "ty", "tz"};

void p_name_thread(Prog *p, uint32_t var, const char *name)
{
    Var *v = &p->var[var];
    if (v->kind == Vthread && strcmp(v->name, thread_name[v->axis]) == 0)
        v->name = astr(&p->ctx, name, strlen(name));
}

void p_param(Prog *p, bool scalar, uint32_t id)
{
    agrow(&p->ctx, &p->param, &p->capparam, p->nparam + 1, sizeof *p->param);
    p->param[p->nparam++] = (Param){scalar, id};
    if (!scalar)
        p->buf[id].param = true;
}

void p_out(Prog *p, uint32_t buf)
{
    agrow(&p->ctx, &p->out, &p->capout, p->nout + 1, sizeof *p->out);
    p->out[p->nout++] = buf;
    p->buf[buf].out = true;
}

/* Blocks and frames ---------------------------------------------------- */

static Stmt *ir_append(Prog *p, enum StmtKind k)
{
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = (uint8_t)k;
    s->loc = p->here;
    s->own = p->own;
    p->own = false;
    Stmt ***t = &p->tail[p->ntail - 1];
    **t = s;
    *t = &s->next;
    return s;
}

Stmt **s_here(Prog *p) { return p->tail[p->ntail - 1]; }

Stmt *s_cut(Prog *p, Stmt **since)
{
    Stmt *list = *since;
    *since = NULL;
    p->tail[p->ntail - 1] = since;
    return list;
}

void s_paste(Prog *p, Stmt *list)
{
    Stmt ***t = &p->tail[p->ntail - 1];
    **t = list;
    while (**t)
        *t = &(**t)->next;
}

/* Statements of a kernel's body need an open launch. */
static Stmt *inkernel(Prog *p, enum StmtKind k, const char *what)
{
    if (p->nframe == 0)
        diag_fail(&p->ctx, E_outside_kernel, p->here, what, NULL);
    return ir_append(p, k);
}

static Stmt *ir_push(Prog *p, Stmt *frame, Stmt **body)
{
    if (p->nframe >= MaxFrames)
        diag_fail(&p->ctx, E_nesting, p->here, INFO(MaxFrames), INFO(p->nframe), NULL);
    agrow(&p->ctx, &p->frame, &p->capframe, p->nframe + 1, sizeof *p->frame);
    p->frame[p->nframe++] = frame;
    agrow(&p->ctx, &p->tail, &p->captail, p->ntail + 1, sizeof *p->tail);
    p->tail[p->ntail++] = body;
    return frame;
}

void s_close(Prog *p)
{
    if (p->nframe == 0)
        diag_fail(&p->ctx, E_bug, p->here, "s_close without an open frame", NULL);
    p->nframe--;
    p->ntail--;
}

Stmt *s_launch(Prog *p, const Ex *grid, int n, const int32_t *threads, int nthread,
               const char *const *names)
{
    static const char *const dflt[] = {"bx", "by", "bz"};
    if (p->nframe)
        diag_fail(&p->ctx, E_launch_nested, p->here, NULL);
    if (n < 1 || n > MaxLaunchDim)
        diag_fail(&p->ctx, E_grid_dims, p->here, INFO(n), NULL);
    if (nthread < 1 || nthread > MaxLaunchDim)
        diag_fail(&p->ctx, E_thread_dims, p->here, INFO(nthread), NULL);
    int64_t total = 1, v, lo, hi;
    for (int i = 0; i < nthread; i++) {
        if (threads[i] < 1)
            diag_fail(&p->ctx, E_threads, p->here, INFO(threads[i]), NULL);
        total *= threads[i];
        if (total > MaxThreads)
            diag_fail(&p->ctx, E_threads_many, p->here, INFO(total), INFO(MaxThreads), NULL);
    }
    for (int i = 0; i < n; i++) {
        if (!ir_intlike(ex_type(p, grid[i])))
            diag_fail(&p->ctx, E_grid_type, p->here, INFO(i), dtypeinfo[ex_type(p, grid[i])].name, NULL);
        if (!x_pure(p, grid[i]))
            diag_fail(&p->ctx, E_grid_reads, p->here, INFO(i), NULL);
        if (x_isint(p, grid[i], &v) && (v < 1 || v > MaxGrid))
            diag_fail(&p->ctx, E_grid_value, p->here, INFO(i), INFO(v), NULL);
    }
    Stmt *s = ir_append(p, Slaunch);
    s->launch.n = (uint8_t)n;
    s->launch.nthread = (uint8_t)nthread;
    for (int i = 0; i < n; i++) {
        s->launch.grid[i] = grid[i];
        stmt_range(p, s, i, &lo, &hi);
        s->launch.block[i] = p_var(p, Vblock, DTi32, names && names[i] ? names[i] : dflt[i], lo, hi);
        p->var[s->launch.block[i]].axis = (uint8_t)i;
    }
    for (int i = 0; i < nthread; i++) {
        s->launch.threads[i] = threads[i];
        s->launch.thread[i] = p_var(p, Vthread, DTi32, thread_name[i], 0, threads[i] - 1);
        p->var[s->launch.thread[i]].axis = (uint8_t)i;
    }
    return ir_push(p, s, &s->launch.body);
}

/* What a loop's variable of type t can be; a step whose sign is not known may go
 * either way from lo. */
static void loop_range(const Prog *p, Ex lo, Ex hi, Ex step, enum Dtype t, int64_t *from, int64_t *to)
{
    int64_t s0 = 1, s1 = 1, l0, l1, h0, h1;
    bool known = !step || x_range(p, step, &s0, &s1), up = known && s0 > 0, down = known && s1 < 0;
    bool l = x_range(p, lo, &l0, &l1), h = x_range(p, hi, &h0, &h1);
    *from = INT64_MIN;
    *to = INT64_MAX;
    if (h && (h0 == INT64_MIN || h1 == INT64_MIN || h0 == INT64_MAX || h1 == INT64_MAX))
        h = false;
    if (dtypeinfo[t].cls == 'U' && ((l && l0 < 0) || (h && h0 < 0)))
        return; /* wraps into that type */
    if (up) {
        *from = l ? l0 : *from;
        *to = h ? h1 - 1 : t == DTi32 ? INT32_MAX : *to;
    } else if (down) {
        *from = h ? h0 + 1 : *from;
        *to = l ? l1 : *to;
    } else if (l && h) {
        *from = l0 < h0 + 1 ? l0 : h0 + 1;
        *to = l1 > h1 - 1 ? l1 : h1 - 1;
    }
}

void stmt_range(const Prog *p, const Stmt *s, int i, int64_t *lo, int64_t *hi)
{
    bool known;
    if (s->kind == Sfor) {
        loop_range(p, s->loop.lo[i], s->loop.hi[i], s->loop.step,
                   (enum Dtype)p->var[s->loop.var[i]].dt, lo, hi);
    } else if (s->kind == Slaunch) {
        known = x_range(p, s->launch.grid[i], lo, hi);
        *lo = 0;
        *hi = (known ? *hi : INT32_MAX) - 1;
    } else {
        known = s->kind == Slet && x_range(p, p->var[s->let.var].value, lo, hi);
        *lo = known ? *lo : INT64_MIN;
        *hi = known ? *hi : INT64_MAX;
    }
}

Stmt *s_for(Prog *p, enum ForKind k, const Ex *lo, const Ex *hi, int n, Ex step,
            const char *const *names)
{
    static const char *const dflt[] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    int64_t v, from, to;
    if (n < 1 || n > MaxLoop)
        diag_fail(&p->ctx, E_loop_dims, p->here, forname[k], INFO(n), INFO(MaxLoop), NULL);
    if (step && x_isint(p, step, &v) && v == 0)
        diag_fail(&p->ctx, E_loop_step, p->here, NULL);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            Ex e = j ? hi[i] : lo[i];
            if (!e || !ir_intlike(ex_type(p, e)))
                diag_fail(&p->ctx, E_loop_type, p->here, forname[k],
                          e ? dtypeinfo[ex_type(p, e)].name : "nil", NULL);
        }
    Stmt *s = inkernel(p, Sfor, forname[k]);
    s->loop.kind = (uint8_t)k;
    s->loop.n = (uint8_t)n;
    s->loop.step = step;
    for (int i = 0; i < n; i++) {
        enum Dtype t = x_promote(ex_type(p, lo[i]), ex_type(p, hi[i]));
        t = dtypeinfo[t].bits < 32 ? DTi32 : t;
        s->loop.lo[i] = x_cast(p, t, lo[i]); /* differences of narrow bounds are not narrow */
        s->loop.hi[i] = x_cast(p, t, hi[i]);
        loop_range(p, s->loop.lo[i], s->loop.hi[i], step, t, &from, &to);
        s->loop.var[i] = p_var(p, Vloop, t, names && names[i] ? names[i] : dflt[i], from, to);
    }
    return ir_push(p, s, &s->loop.body);
}

bool loop_stays(const Prog *p, const Stmt *s, int i)
{
    enum Dtype t = (enum Dtype)p->var[s->loop.var[i]].dt;
    int64_t lo[2] = {1, 1}, hi[2], bits = dtypeinfo[t].bits - (dtypeinfo[t].cls != 'U');
    int64_t most = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    int64_t least = dtypeinfo[t].cls == 'U' ? 0 : -most - 1;
    if (!s->loop.step || (x_range(p, s->loop.step, &lo[0], &lo[1]) && lo[0] == 1 && lo[1] == 1))
        return true;
    return x_range(p, s->loop.step, &lo[0], &lo[1]) && x_range(p, s->loop.hi[i], &hi[0], &hi[1]) &&
           (lo[1] <= 0 || hi[1] <= most - lo[1] + 1) && (lo[0] >= 0 || hi[0] >= least - lo[0] - 1);
}

static Ex ir_truth(Prog *p, Ex e)
{
    return ex_type(p, e) == DTbool ? e : x_cast(p, DTbool, e);
}

Stmt *s_while(Prog *p, Ex cond)
{
    int64_t v;
    cond = ir_truth(p, cond);
    if (x_isint(p, cond, &v) && v)
        diag_fail(&p->ctx, E_while_true, p->here, NULL);
    Stmt *s = inkernel(p, Swhile, "while");
    s->whil.cond = cond;
    return ir_push(p, s, &s->whil.body);
}

Stmt *s_if(Prog *p, Ex cond)
{
    cond = ir_truth(p, cond);
    Stmt *s = inkernel(p, Sif, "if");
    s->cond.cond = cond;
    return ir_push(p, s, &s->cond.then);
}

void s_else(Prog *p)
{
    Stmt *s = p->nframe ? p->frame[p->nframe - 1] : NULL;
    if (!s || s->kind != Sif || s->cond.els)
        diag_fail(&p->ctx, E_bug, p->here, "s_else without an open if", NULL);
    p->tail[p->ntail - 1] = &s->cond.els;
}

/* The threads lo .. hi - 1 of the block; their number is a whole one of the
 * smallest warps there are, but for a program between two passes.  A role inside of a role is a part
 * of it. */
Stmt *s_role(Prog *p, int32_t lo, int32_t hi, const char *name)
{
    int64_t threads = 1;
    int step = p->between.after ? 1 : RoleThreads;
    bool tile = !p->machine && !p->between.after;
    const Stmt *l = NULL;
    for (uint32_t i = 0; i < p->nframe; i++) {
        const Stmt *f = p->frame[i];
        if (f->kind == Srole && (lo < f->role.lo || hi > f->role.hi || tile))
            diag_fail(&p->ctx, E_role_nested, p->here, NULL);
        if (p->frame[i]->kind == Sfor && p->frame[i]->loop.kind == Fparallel)
            diag_fail(&p->ctx, E_role_parallel, p->here, NULL);
        l = p->frame[i]->kind == Slaunch ? p->frame[i] : l;
    }
    for (int i = 0; l && i < l->launch.nthread; i++)
        threads *= l->launch.threads[i];
    if (lo < 0 || hi <= lo || (l && hi > threads) || lo % step || hi % step)
        diag_fail(&p->ctx, E_role_range, p->here, INFO(lo), INFO((int64_t)hi - 1), INFO(threads),
                  INFO(step), NULL);
    Stmt *s = inkernel(p, Srole, "ws");
    s->role.lo = lo;
    s->role.hi = hi;
    s->role.name = name ? astr(&p->ctx, name, strlen(name)) : NULL;
    return ir_push(p, s, &s->role.body);
}

/* Statements ----------------------------------------------------------- */

Stmt *s_alloc(Prog *p, uint32_t buf, Ex init)
{
    const Buf *b = &p->buf[buf];
    enum Scope sc = (enum Scope)b->scope;
    Stmt *s = sc == SCglobal ? ir_append(p, Salloc) : inkernel(p, Salloc, b->name);
    s->alloc.buf = buf;
    if (init)
        s->alloc.init = x_cast(p, (enum Dtype)p->buf[buf].dt, init);
    return s;
}

uint32_t s_let(Prog *p, const char *name, Ex value)
{
    uint32_t v = p_var(p, Vlet, ex_type(p, value), name, 0, 0);
    Stmt *s = ir_append(p, Slet);
    s->let.var = v;
    p->var[v].value = value;
    stmt_range(p, s, 0, &p->var[v].lo, &p->var[v].hi);
    return v;
}

void s_store(Prog *p, uint32_t buf, const Ex *idx, int n, Ex value)
{
    Ex at[MaxDim];
    x_index(p, buf, idx, n, at);
    value = x_cast(p, (enum Dtype)p->buf[buf].dt, value);
    Stmt *s = inkernel(p, Sstore, p->buf[buf].name);
    s->store.buf = buf;
    s->store.value = value;
    memcpy(s->store.idx, at, (size_t)n * sizeof *at);
}

/* break and continue belong to the innermost loop; T.Parallel and T.vectorized have no order
 * in which one could leave them. */
static void ir_jump(Prog *p, enum StmtKind k, const char *what)
{
    uint32_t i = p->nframe;
    while (i && p->frame[i - 1]->kind == Sif)
        i--; /* a role's threads cannot leave a loop that the others stay in */
    const Stmt *s = i ? p->frame[i - 1] : NULL;
    if (!s || s->kind == Slaunch || s->kind == Srole)
        diag_fail(&p->ctx, E_jump_outside, p->here, what, NULL);
    if (s->kind == Sfor && k == Sbreak &&
        (s->loop.kind == Fparallel || s->loop.kind == Fvectorized))
        diag_fail(&p->ctx, E_jump_parallel, p->here, what,
                  s->loop.kind == Fparallel ? "T.Parallel" : "T.vectorized", NULL);
    ir_append(p, k);
}

void s_break(Prog *p) { ir_jump(p, Sbreak, "break"); }
void s_continue(Prog *p) { ir_jump(p, Scontinue, "continue"); }

void s_call(Prog *p, enum Intr fn, const Ex *arg, int n)
{
    if (n != intrinfo[fn].arity)
        diag_fail(&p->ctx, E_intr_args, p->here, intrinfo[fn].text, INFO(intrinfo[fn].arity),
                  INFO(n), NULL);
    Stmt *s = inkernel(p, Scall, intrinfo[fn].text);
    s->call.fn = (uint8_t)fn;
    memcpy(s->call.arg, arg, (size_t)n * sizeof *arg);
}

void s_print(Prog *p, Ex value, const char *text)
{
    Stmt *s = inkernel(p, Sprint, "print");
    s->print.value = value;
    s->print.text = text ? astr(&p->ctx, text, strlen(text)) : NULL;
}

void s_check(Prog *p, enum StmtKind k, Ex cond, const char *text)
{
    cond = ir_truth(p, cond);
    Stmt *s = k == Sassume ? ir_append(p, k) : inkernel(p, k, "device_assert");
    s->check.cond = cond;
    s->check.text = text ? astr(&p->ctx, text, strlen(text)) : NULL;
}

bool kind_updates(int kind)
{
    return kind >= NRed || (kind > Rnone && redinfo[kind].update);
}

void kind_fail(Prog *p, const char *what, int kind)
{
    diag_fail(&p->ctx, E_op_attr, p->here, what, "kind", kind > Rnone && kind < NRed ? redinfo[kind].text : "?",
              red_names(&p->ctx, true, ", "), NULL);
}

uint32_t s_atomic(Prog *p, int kind, uint32_t buf, const Ex *idx, int n, const Ex *value,
                  int lanes, enum MemOrder o, const char *prev)
{
    Ex at[MaxDim], val[4] = {0};
    const Buf *b = &p->buf[buf];
    enum Dtype t = (enum Dtype)b->dt;
    bool bits = kind > 0 && kind < NRed && redinfo[kind].types == 'i';
    if (!kind_updates(kind))
        kind_fail(p, "atomic", kind);
    if (b->scope != SCglobal && b->scope != SCshared)
        diag_fail(&p->ctx, E_atomic_scope, p->here, b->name, scopename[b->scope], NULL);
    int least = bits || kind >= NRed ? 8 : 16; /* elements of 4 bits share their bytes */
    if ((bits && !ir_intlike(t)) || dtypeinfo[t].bits < least)
        diag_fail(&p->ctx, E_atomic_type, p->here, kind < NRed ? redinfo[kind].text : "access", b->name,
                  dtypeinfo[t].name, NULL);
    x_index(p, buf, idx, n, at);
    for (int i = 0; kind != ATload && i < lanes; i++)
        val[i] = x_cast(p, t, value[i]);
    Stmt *s = inkernel(p, Satomic, "atomic");
    s->atomic.kind = (uint8_t)kind;
    s->atomic.lanes = (uint8_t)lanes;
    s->atomic.order = (uint8_t)o;
    s->atomic.buf = buf;
    memcpy(s->atomic.idx, at, (size_t)n * sizeof *at);
    memcpy(s->atomic.value, val, sizeof val);
    if (prev)
        s->atomic.prev = p_var(p, Vlet, t, prev, INT64_MIN, INT64_MAX);
    return s->atomic.prev;
}

/* Safe values ------------------------------------------------------------ */

/* The value that buf itself has in a launch, or 0. */
static Ex own_safe(const Prog *p, const Stmt *launch, uint32_t buf)
{
    for (uint32_t i = 0; i < launch->launch.nsafe; i++)
        if (launch->launch.safe[i].buf == buf)
            return launch->launch.safe[i].value;
    return p->buf[buf].safe;
}

Ex buf_safe(const Prog *p, const Stmt *launch, uint32_t buf)
{
    Ex value = own_safe(p, launch, buf);
    for (uint32_t base; !value && (base = p->buf[buf].base) && p->buf[base].dt == p->buf[buf].dt;
         buf = base)
        value = own_safe(p, launch, base);
    return value;
}

/* Reads beyond a parameter give e in this launch. */
void s_safe(Prog *p, Stmt *launch, uint32_t buf, Ex e)
{
    uint32_t n = launch->launch.nsafe;
    Safe *all = anew(&p->ctx, (n + 1) * sizeof *all);
    if (n)
        memcpy(all, launch->launch.safe, n * sizeof *all);
    all[n] = (Safe){buf, e};
    launch->launch.safe = all;
    launch->launch.nsafe = n + 1;
}

/* Walking -------------------------------------------------------------- */

static bool walk_children(Stmt *s, bool (*f)(Stmt *, void *), void *ud)
{
    switch (s->kind) {
    case Slaunch: return stmt_walk(s->launch.body, f, ud);
    case Sfor: return stmt_walk(s->loop.body, f, ud);
    case Swhile: return stmt_walk(s->whil.body, f, ud);
    case Sif: return stmt_walk(s->cond.then, f, ud) && stmt_walk(s->cond.els, f, ud);
    case Srole: return stmt_walk(s->role.body, f, ud);
    default: return true;
    }
}

bool stmt_walk(Stmt *s, bool (*f)(Stmt *, void *), void *ud)
{
    for (; s; s = s->next)
        if (!f(s, ud) || !walk_children(s, f, ud))
            return false;
    return true;
}
