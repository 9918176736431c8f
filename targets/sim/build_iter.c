/* targets/sim/build_iter.c: whose iteration an access is of, of a T.Parallel that the checks left
 * open: what core/lower/iterations.c says becomes operands of run_iteration. */
#include "build.h"
#include "run.h"

/* The loop's register: how often a strand has been at its beginning. */
static uint32_t iter_round(Build *b, uint32_t loop)
{
    if (!b->round[loop])
        b->round[loop] = b_reg(b, DTi64).at;
    return b->round[loop];
}

static IterArgs *iter_args(Build *b, uint32_t loop)
{
    IterArgs *a = anew(b->c, sizeof *a);
    a->loop = loop;
    a->round = iter_round(b, loop);
    b->l->open = true;
    return a;
}

void b_iterations(Build *b, const Stmt *s)
{
    int64_t loop = 0, dim = 0;
    x_isint(b->p, s->call.arg[0], &loop);
    if (s->call.fn == Iiteration) {
        b->turn = (Turn){(uint32_t)loop, s->call.arg[1], s->call.arg[2]};
        return;
    }
    x_isint(b->p, s->call.arg[1], &dim);
    IterArgs *a = iter_args(b, (uint32_t)loop);
    if (dim == 0)
        b->begins[loop] = b_site(b, b->here, 0, intrinfo[Iparallel].text);
    a->dim = (int)dim;
    a->first = b_ex(b, s->call.arg[2]);
    b_emit(b, run_parallel)->i.x = a;
}

/* The operands that all accesses have. */
static IterArgs *iter_access(Build *b, int mode, const Val *value, uint32_t site)
{
    IterArgs *a = iter_args(b, b->turn.loop);
    a->begins = b->begins[a->loop];
    a->mode = (uint8_t)mode;
    a->spans = b->turn.last != b->turn.first;
    a->first = b_ex(b, b->turn.first);
    a->last = b_ex(b, b->turn.last);
    a->value = value ? *value : (Val){0};
    BuildNode *n = b_emit(b, run_iteration);
    n->i.x = a;
    n->i.site = site;
    return a;
}

static int iter_narrowest(Build *b, uint32_t root)
{
    uint8_t *bits = &b->narrowest[root], known = *bits;
    for (uint32_t v = 1; v < b->p->nbuf && known == 0; v++)
        if (buf_root(b->p, v) == root && (!*bits || dtypeinfo[b->p->buf[v].dt].bits < *bits))
            *bits = (uint8_t)dtypeinfo[b->p->buf[v].dt].bits;
    return *bits;
}

void b_iter_memory(Build *b, const SimAccess *acc, int mode, const Val *value, int lanes)
{
    if (!b->turn.loop || acc->quiet)
        return;
    IterArgs *a = iter_access(b, mode, value, acc->site);
    a->acc = acc;
    int least = iter_narrowest(b, buf_root(b->p, acc->buf));
    a->parts = (uint8_t)(dtypeinfo[acc->dt].bits / least);
    a->wide = acc->w > 1 ? acc->w : 0;
    if (lanes > 1) {
        a->lanes = (uint8_t)lanes;
        a->spans = false;
    }
}

void b_iter_register(Build *b, const Local *l, Val at, int n, uint32_t site, const Val *value)
{
    if (!b->turn.loop || !b->p->buf[l->buf].map)
        return;
    IterArgs *a = iter_access(b, value ? ItWrite : ItRead, value, site);
    a->l = l;
    a->at = at;
    a->wide = n > 1 ? (uint16_t)n : 0;
}
