/* core/emit/head.c: a kernel's head, its bounds and its parameters:
 *
 *     extern "C" __global__ void __launch_bounds__(128, 1)
 *     main_kernel(const float *__restrict__ A, const __grid_constant__ TensorMap C_map)
 *     { */
#include <string.h>

#include "core/ir/walk.h"
#include "emit_p.h"

static const char *param_text(Emit *e, const PlanParam *a)
{
    Ctx *c = &e->p->ctx;
    switch ((enum PlanKind)a->kind) {
    case PKtensor: case PKwork: {
        uint32_t buf = a->kind == PKtensor ? a->id : e->plan->work[a->id].buf;
        const char *type = buf_type(e, buf), *name = e->bufname[buf] = emit_fresh(e, a->name);
        return afmt(c, "%s%s *%s%s%s", a->written ? "" : "const ", type,
                    a->written && a->read ? "" : e->d->restrict_word,
                    a->written && a->read ? "" : " ", name);
    }
    case PKscalar: case PKdim: {
        const char *name = e->varname[a->id] = emit_fresh(e, a->name);
        return afmt(c, "const %s %s",
                    a->kind == PKdim ? "int" : e->d->type(e, (enum Dtype)a->dt), name);
    }
    case PKmap: /* the dialect names it as the plan does */
        emit_fresh(e, a->name);
        return afmt(c, "const %s%s%s %s", e->d->grid_constant ? e->d->grid_constant : "",
                    e->d->grid_constant ? " " : "", emit_need(e, "TensorMap"), a->name);
    case PKout: return afmt(c, "unsigned *%s", priv(e)->out = emit_fresh(e, a->name));
    default: return afmt(c, "unsigned *%s", priv(e)->counters = emit_fresh(e, a->name));
    }
}

static bool no_matrix(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sop || (s->op.op != Omma && s->op.op != Owgmma && s->op.op != Osetmaxnreg);
}

/* Do sums in registers decide how fast the kernel is? */
static bool multiplies(const Emit *e)
{
    union { const Stmt *c; Stmt *s; } all = {.c = e->l->launch->launch.body};
    return !stmt_walk(all.s, no_matrix, NULL);
}

/* Blocks that a multiprocessor's shared memory has room for. */
static int64_t head_room(const Emit *e)
{
    int64_t n = e->m->shared_sm / (e->l->shared + e->m->shared_reserved + 1);
    return n < 1 ? 1 : n;
}

int emit_few_blocks(const Emit *e)
{
    const Machine *m = e->m;
    const PlanLaunch *l = e->l;
    int64_t n = head_room(e), grid = 1, v;
    int sms = m->card ? m->card->sms : 0;
    if (!m->residents)
        return 0;
    for (int i = 0; i < MaxLaunchDim; i++)
        grid = !x_isint(e->p, l->grid[i], &v) || v < 0 || v > INT32_MAX ? 0 : grid < INT32_MAX ? grid * v : grid;
    if (sms && grid && (grid + sms - 1) / sms < n)
        n = (grid + sms - 1) / sms;
    return n == 1 || n * l->threads * m->regs_thread <= m->regs_sm ? (int)n : 0;
}

typedef struct HeadStream HeadStream;
struct HeadStream { Emit *e; int64_t words; bool any; };

/* Loops whose rounds read ahead, and what threads hold in arrays of their own. */
static bool head_stream(Stmt *s, void *ud)
{
    HeadStream *k = ud;
    if (s->kind == Salloc && k->e->p->buf[s->alloc.buf].scope == SClocal)
        k->words += (buf_bytes(k->e->p, s->alloc.buf) + 3) / 4;
    k->any |= s->kind == Sfor && s->loop.kind == Fserial && s->loop.unroll < 2 && emit_ahead(k->e, s) > 1;
    return true;
}

/* Blocks that leave a thread registers for what its loops read ahead, 0: none does.  A compiler that is told
 * nothing gives so many threads room that nothing is read ahead. */
static int head_streams(Emit *e)
{
    enum { Regs = 64, Words = 32 };
    const Machine *m = e->m;
    union { const Stmt *c; Stmt *s; } all = {.c = e->l->launch->launch.body};
    HeadStream k = {.e = e};
    int64_t n = m->regs_sm / (Regs * e->l->threads), room = head_room(e);
    if (!m->residents)
        return 0;
    stmt_walk(all.s, head_stream, &k);
    return k.any && k.words <= Words ? (int)(n < room ? n : room) : 0;
}

void emit_kernel_head(Emit *e)
{
    const PlanLaunch *l = e->l;
    Ctx *c = &e->p->ctx;
    int blocks = l->blocks ? l->blocks : multiplies(e) ? 1 : emit_few_blocks(e);
    blocks = blocks ? blocks : head_streams(e);
    bool cluster = l->cluster[0] > 1 || l->cluster[1] > 1 || l->cluster[2] > 1;
    const char *line = afmt(c, "%s(", l->name);
    str_fmt(e->body, "%s ", e->d->global_fn);
    str_puts(e->body, e->d->bounds(e, l->threads, blocks));
    if (cluster && e->d->cluster) {
        str_fmt(e->body, " %s(%d, %d, %d)", e->d->cluster, l->cluster[0], l->cluster[1],
                l->cluster[2]);
    }
    str_puts(e->body, "\n");
    for (int i = 0; i < l->nparam; i++) {
        enum { Width = 92 };
        const char *t = param_text(e, &l->param[i]);
        if (i && strlen(line) + strlen(t) > Width) {
            str_fmt(e->body, "%s,\n", line);
            line = afmt(c, "    %s", t);
        } else {
            line = afmt(c, "%s%s%s", line, i ? ", " : "", t);
        }
    }
    str_fmt(e->body, "%s)\n{\n", line);
}
