/* targets/cpu/emit_output.c: what whole.c has to know of a kernel's outputs: where they
 * are among the arguments, and how large.
 *
 * Only of kernels that may run a second time on the same arguments: those that write to
 * nothing that was there before, their outputs and workspaces aside. */
#include "emit.h"

static bool coutput_is_output(const Gen *g, uint32_t b)
{
    const Buf *x = &g->p->buf[b];
    return x->out && x->param && !x->base && x->ndim > 0 && !x->stride[0];
}

/* Does the kernel write to a tensor that is the caller's? */
static bool coutput_updates(const Gen *g)
{
    for (uint32_t b = 1; b < g->p->nbuf; b++)
        if (g->p->buf[b].param && !g->p->buf[b].base && !g->p->buf[b].out && g->place[b].written)
            return true;
    return false;
}

static void emit_sizes(Gen *g)
{
    int k = 0;
    line(g, "static void sizes(const MtArg *arg, long *size)");
    line(g, "{");
    g->indent++;
    emit_all_numbers(g);
    for (uint32_t b = 1; b < g->p->nbuf; b++)
        for (int d = 0; coutput_is_output(g, b) && d < g->p->buf[b].ndim; d++) {
            begin(g);
            put(g, "size[%d] = ", k++);
            emit_expr(g, g->p->buf[b].shape[d], PRany);
            put(g, ";\n");
        }
    g->indent--;
    line(g, "}\n");
}

int emit_outputs(Gen *g)
{
    int n = 0;
    for (uint32_t b = 1; b < g->p->nbuf; b++)
        n += coutput_is_output(g, b);
    if (!n || coutput_updates(g))
        return 0;
    emit_sizes(g);
    line(g, "static const MtOutput outputs[] = {");
    for (uint32_t b = 1; b < g->p->nbuf; b++) {
        const Buf *x = &g->p->buf[b];
        if (!coutput_is_output(g, b))
            continue;
        begin(g);
        put(g, "    {%d, %d, %d, %u, ", g->place[b].arg, dtypeinfo[x->dt].bits, (int)x->ndim,
            (unsigned)x->loc.line);
        put_string(g, x->name);
        put(g, "},\n");
    }
    line(g, "};");
    return n;
}
