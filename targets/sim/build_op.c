/* targets/sim/build_op.c: the operations of thread programs. */
#include <string.h>

#include "build.h"
#include "run.h"

int op_attr(const Stmt *s, const char *name)
{
    const char *k = opinfo[s->op.op].attrs;
    size_t len = strlen(name);
    for (int i = 0; *k; i++) {
        size_t n = strcspn(k, " ");
        if (n == len && memcmp(k, name, n) == 0)
            return s->op.attr[i];
        k += n;
        k += *k == ' ';
    }
    return 0;
}

static InsFn *const action[NOp] = {
    [Omma] = run_mma, [Oldmatrix] = run_ldmatrix, [Ostmatrix] = run_stmatrix,
    [Ocp_async] = run_cpasync, [Ocp_async_commit] = run_cpcommit, [Ocp_async_wait] = run_cpwait,
    [Ocp_async_arrive] = run_cparrive, [Otma_load] = run_load_box, [Otma_store] = run_store_box,
    [Obulk_load] = run_load_box, [Obulk_store] = run_store_box, [Obulk_commit] = run_bulkcommit,
    [Obulk_wait] = run_bulkwait, [Owgmma] = run_wgmma, [Owgmma_fence] = run_wgmmafence,
    [Owgmma_commit] = run_wgmmacommit, [Owgmma_wait] = run_wgmmawait, [Ombar_init] = run_mbar,
    [Ombar_arrive] = run_mbar, [Ombar_expect] = run_mbar, [Ombar_arrive_expect] = run_mbar,
    [Ombar_wait] = run_mbarwait, [Ombar_fence] = run_nothing, [Obar_sync] = run_barsync,
    [Obar_arrive] = run_bararrive, [Owarp_sync] = run_warpsync, [Ofence_async] = run_fenceasync,
    [Ofence_global] = run_fenceglobal, [Osetmaxnreg] = run_nothing,
    [Ocluster_arrive] = run_clusterarrive, [Ocluster_wait] = run_clusterwait,
};

/* Elements of the run that a region is, and the dimension along which it lies; 0: it is no run. */
static int run_length(Build *b, const Region *r, int *dim)
{
    int64_t w;
    for (*dim = b->p->buf[r->buf].ndim - 1; *dim >= 0; --*dim)
        if (x_isint(b->p, r->extent[*dim], &w) && w > 1)
            return w <= SimWide ? (int)w : 0;
    return 0;
}

static bool boxed(enum Op op)
{
    return op == Otma_load || op == Otma_store || op == Obulk_load || op == Obulk_store;
}

/* Is what the region says the memory that one thread touches? */
static bool sb_op_by_thread(enum Op op)
{
    return op == Oldmatrix || op == Ostmatrix || op == Ocp_async;
}

static void sb_op_region(Build *b, const Stmt *s, OpArgs *a, int k)
{
    enum Op op = (enum Op)s->op.op;
    const Region *r = &s->op.r[k];
    if (!r->buf)
        return;
    const Buf *buf = &b->p->buf[r->buf];
    uint8_t scope = b->p->buf[buf_root(b->p, r->buf)].scope;
    char way = opinfo[op].regions[k];
    a->site[k] = b_site(b, b->here, r->buf, opinfo[op].text);
    if (way == 'b' || scope == SCbarrier) {
        a->min[k][0] = b_ex(b, b_flat(b, r->buf, r->min));
    } else if (b_isregister(b, r->buf)) {
        a->reg[k] = b_regs(b, r);
    } else if (scope == SCglobal && boxed(op)) {
        for (int d = 0; d < buf->ndim; d++)
            a->min[k][d] = b_ex(b, r->min[d]);
    } else {
        int dim = 0, wide = sb_op_by_thread(op) ? run_length(b, r, &dim) : 0;
        SimAccess *m = b_access(b, r->buf, r->min, a->site[k], wide, dim, way == 'r');
        m->moves = op == Oldmatrix && b->p->buf[buf_root(b->p, r->buf)].stage;
        a->acc[k] = m;
    }
}

/* The unit of an instruction: one for all its places in the program. */
static const SimUnit *unit(Build *b, const Stmt *s, int n)
{
    const Mma *m = s->op.text ? machine_mma(b->m, s->op.text) : NULL;
    SimProg *sp = b->sp;
    if (!m)
        diag_fail(b->c, E_bug, b->here, "an unknown matrix instruction", NULL);
    for (uint32_t k = 0; k < sp->nunit; k++)
        if (unit_is(sp->unit[k], m, n))
            return sp->unit[k];
    agrow(b->c, &sp->unit, &sp->capunit, sp->nunit + 1, sizeof *sp->unit);
    SimUnit *u = unit_new(b->m, m, n, sp->exact);
    if (!u)
        diag_fail(b->c, E_bug, b->here, "a matrix instruction that this machine cannot do", NULL);
    sp->unit[sp->nunit++] = u;
    return u;
}

static void tile_print(Build *b, const Stmt *s)
{
    PrintArgs *a = anew(b->c, sizeof *a);
    const Region *r = &s->op.r[0];
    a->s = s;
    for (int d = 0; r->buf && d < b->p->buf[r->buf].ndim; d++) {
        a->min[d] = b_ex(b, r->min[d]);
        a->extent[d] = b_ex(b, r->extent[d]);
    }
    if (r->buf && b_isregister(b, r->buf))
        a->local = b_local(b, r->buf);
    b_emit(b, run_printtile)->i.x = a;
}

void b_op(Build *b, const Stmt *s)
{
    enum Op op = (enum Op)s->op.op;
    if (op == Oprint)
        tile_print(b, s);
    if (op == Oprint || op == Oimport_source)
        return; /* calls of the latter are refused: sim_takes() */
    OpArgs *a = anew(b->c, sizeof *a);
    if (!action[op])
        diag_fail(b->c, E_bug, b->here, "an operation that threads do not execute", NULL);
    a->s = s;
    for (int k = 0; k < opinfo[op].nregion; k++)
        sb_op_region(b, s, a, k);
    if (s->op.value)
        a->value = b_ex(b, s->op.value);
    if (op == Omma)
        a->unit = unit(b, s, 0);
    if (op == Owgmma) {
        a->unit = unit(b, s, op_attr(s, "n"));
        for (int k = 0; k < 3; k++)
            if (a->reg[k])
                b->local[a->reg[k]->l->buf]->async = true;
    }
    static const char *const first[NOp] = {
        [Oldmatrix] = "num", [Ostmatrix] = "num", [Ocp_async] = "bytes", [Ocp_async_wait] = "n",
        [Otma_load] = "swizzle", [Otma_store] = "swizzle", [Obulk_load] = "bytes",
        [Obulk_store] = "bytes", [Obulk_wait] = "n", [Owgmma_wait] = "n", [Obar_sync] = "id",
        [Obar_arrive] = "id", [Ofence_async] = "global"};
    static const char *const second[NOp] = {
        [Oldmatrix] = "trans", [Ostmatrix] = "trans", [Otma_store] = "kind", [Obulk_wait] = "read",
        [Obar_sync] = "count", [Obar_arrive] = "count"};
    a->mask = op == Owarp_sync ? b_mask(b, 0) : NULL;
    a->a0 = first[op] ? op_attr(s, first[op]) : 0;
    a->a1 = second[op] ? op_attr(s, second[op]) : 0;
    BuildNode *n = b_emit(b, action[op]);
    n->i.x = a;
    bool joins = op == Obar_sync || op == Ocluster_wait || op == Owgmma || op == Owgmma_fence;
    n->i.y = joins ? b_live(b, false) : NULL;
    n->i.site = a->site[0] ? a->site[0] : b_site(b, b->here, 0, opinfo[op].text);
}
