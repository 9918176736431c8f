/* targets/cpu/whole_threads.c: what whole.c has to know of a kernel that is executed
 * thread by thread; of others their compiled code says it (emit_output.c).
 *
 * As there only kernels that may run a second time are looked at: those that write to no
 * tensor of the caller's.  Nor those that may wait for what an output holds, which a second
 * run, on outputs that hold something else, might do for ever. */
#include <stdlib.h>

#include "core/ir/walk.h"
#include "../sim/code.h"
#include "run.h"

static bool whole_threads_is_output(const Buf *b)
{
    return b->out && b->param && !b->base && b->ndim > 0 && !b->stride[0];
}

static bool is_while(Stmt *s, void *ud)
{
    bool *found = ud;
    *found |= s->kind == Swhile;
    return !*found;
}

static bool whole_threads_again(const SimProg *sp)
{
    const Prog *p = sp->p;
    bool updates = false, reads = false, loops = false;
    for (uint32_t b = 1; b < p->nbuf; b++) {
        const Buf *x = &p->buf[b];
        updates |= x->param && !x->base && !x->out && sp->written[b];
        reads |= whole_threads_is_output(x) && sp->read[b];
    }
    if (reads && !updates)
        stmt_walk(p->body, is_while, &loops);
    return !updates && !loops;
}

/* WholeSizes */
static void whole_threads_sizes(void *ud, const MtArg *arg, int64_t *size)
{
    const Prog *p = ((const SimProg *)ud)->p;
    int64_t *env = calloc((size_t)p->nvar + 1, sizeof *env);
    uint32_t n = p->nparam;
    for (uint32_t k = 0; env && k < p->nparam; k++)
        if (p->param[k].scalar)
            env[p->param[k].id] = arg[k].i;
    for (uint32_t v = 1; env && v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            env[v] = arg[n++].i;
    for (uint32_t k = 0; k < p->nparam; k++) {
        const Buf *b = &p->buf[p->param[k].id];
        for (int d = 0; !p->param[k].scalar && whole_threads_is_output(b) && d < b->ndim;
             d++, size++)
            if (!env || !x_eval(p, b->shape[d], env, size))
                *size = 0; /* then nothing is looked at */
    }
    free(env);
}

static bool whole_threads_describe(WholeThreads *t, SimProg *sp)
{
    const Prog *p = sp->p;
    MtOutput *out = calloc((size_t)p->nparam + 1, sizeof *out);
    char *tensor = calloc((size_t)p->nvar + p->nparam + 1, 1);
    int narg = (int)p->nparam, n = 0;
    *t = (WholeThreads){.output = out, .tensor = tensor, .m = {.output = out, .tensor = tensor}};
    if (!out || !tensor)
        return false;
    for (uint32_t v = 1; v < p->nvar; v++)
        narg += p->var[v].kind == Vdim;
    for (uint32_t k = 0; k < p->nparam; k++) {
        const Buf *b = &p->buf[p->param[k].id];
        tensor[k] = !p->param[k].scalar;
        if (tensor[k] && whole_threads_is_output(b))
            out[n++] = (MtOutput){(int32_t)k, dtypeinfo[b->dt].bits, b->ndim, (int32_t)b->loc.line,
                                  b->name};
    }
    t->m.narg = narg;
    t->m.noutput = whole_threads_again(sp) ? n : 0;
    return true;
}

bool whole_threads_ready(WholeThreads *t, Whole *w, SimProg *sp)
{
    *w = (Whole){.sizes = whole_threads_sizes, .ud = sp};
    return whole_threads_describe(t, sp) && whole_ready(w, &t->m, t->m.narg);
}

void whole_threads_free(WholeThreads *t)
{
    free(t->output);
    free(t->tensor);
}
