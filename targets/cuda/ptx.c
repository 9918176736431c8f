/* targets/cuda/ptx.c: every operation of thread programs and who prints it; the
 * short ones: barriers of threads, fences, registers of a warp group, clusters. */
#include "ptx.h"

#include <string.h>

/* Texts ------------------------------------------------------------------ */

const char *ptx_find(const PtxText *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].text;
    return NULL;
}

const char *ptx_done(Emit *e, Str *s)
{
    Ctx *c = &e->p->ctx;
    bool bad = s->bad;
    size_t n = s->n;
    const char *text = bad ? NULL : astr(c, n ? s->s : "", n);
    str_free(s);
    if (bad)
        diag_fail(c, E_memory, e->here, afmt(c, "%zu", n), afmt(c, "%zu", c->limit), NULL);
    return text;
}

const char *ptx_words(Emit *e, const Region *r)
{
    return afmt(&e->p->ctx, "(unsigned *)%s", emit_regs(e, r));
}

char ptx_constraint(enum Dtype dt)
{
    return dt == DTf32 ? 'f' : dt == DTf64 ? 'd' : 'r';
}

const char *ptx_regtype(enum Dtype dt)
{
    return dt == DTf32 ? "float" : dt == DTf64 ? "double" : dt == DTi32 ? "int" : "unsigned";
}

void ptx_operands(Str *s, const char *mode, char constraint, const char *name, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "%s\"%s%c\"(%s[%d])",
                i % 6 ? ", " : i ? ",\n          " : "", mode, constraint, name, i);
}

void ptx_list(Str *s, int first, int n)
{
    str_puts(s, "{");
    for (int i = 0; i < n; i++)
        str_fmt(s, "%s%%%d", i % 16 ? ", " : i ? ", \"\n        \"" : "", first + i);
    str_puts(s, "}");
}

bool ptx_true(const Emit *e, Ex x)
{
    int64_t v;
    return x_isint(e->p, x, &v) && v != 0;
}

/* Functions without parameters, or with numbers only ---------------------- */

static const PtxText texts[] = {
    {"bar_sync",
     PTX_FN "void bar_sync(int id, int threads)\n{\n"
     "    asm volatile(\"bar.sync %0, %1;\" :: \"r\"(id), \"r\"(threads) : \"memory\");\n}\n"},
    {"bar_arrive",
     PTX_FN "void bar_arrive(int id, int threads)\n{\n"
     "    asm volatile(\"bar.arrive %0, %1;\" :: \"r\"(id), \"r\"(threads) : \"memory\");\n}\n"},
    {"fence_async",
     PTX_FN "void fence_async()\n{\n"
     "    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n}\n"},
    {"fence_async_global",
     PTX_FN "void fence_async_global()\n{\n"
     "    asm volatile(\"fence.proxy.async;\" ::: \"memory\");\n}\n"},
    {"setmaxnreg_inc",
     "template <int N> " PTX_FN "void setmaxnreg_inc()\n{\n"
     "    asm volatile(\"setmaxnreg.inc.sync.aligned.u32 %0;\" :: \"n\"(N));\n}\n"},
    {"setmaxnreg_dec",
     "template <int N> " PTX_FN "void setmaxnreg_dec()\n{\n"
     "    asm volatile(\"setmaxnreg.dec.sync.aligned.u32 %0;\" :: \"n\"(N));\n}\n"},
    {"cluster_arrive",
     PTX_FN "void cluster_arrive()\n{\n"
     "    asm volatile(\"barrier.cluster.arrive.release.aligned;\" ::: \"memory\");\n}\n"},
    {"cluster_wait",
     PTX_FN "void cluster_wait()\n{\n"
     "    asm volatile(\"barrier.cluster.wait.acquire.aligned;\" ::: \"memory\");\n}\n"},
};

const char *cuda_ptx_helper(Emit *e, const char *name)
{
    const char *t = ptx_find(texts, COUNT(texts), name);
    t = t ? t : ptx_mma_helper(e, name);
    t = t ? t : ptx_copy_helper(e, name);
    t = t ? t : ptx_tma_helper(e, name);
    return t ? t : ptx_wgmma_helper(e, name);
}

/* Barrier 0 with all threads of the block is __syncthreads. */
static void ptx_bar(Emit *e, const Stmt *s)
{
    enum { Id, Count }; /* attributes */
    const char *name = s->op.op == Obar_sync ? "bar_sync" : "bar_arrive";
    int n = s->op.attr[Count] ? s->op.attr[Count] : e->l->threads;
    if (s->op.op == Obar_sync && s->op.attr[Id] == 0 && n == e->l->threads)
        emit_line(e, "%s", e->d->sync_block);
    else
        emit_line(e, "%s(%d, %d);", emit_need(e, name), s->op.attr[Id], n);
}

static void warp_sync(Emit *e, const Stmt *s)
{
    (void)s;
    emit_line(e, "__syncwarp();");
}

static void fence_global(Emit *e, const Stmt *s)
{
    (void)s;
    emit_line(e, "__threadfence();");
}

static void fence_async(Emit *e, const Stmt *s)
{
    emit_line(e, "%s();", emit_need(e, s->op.attr[0] ? "fence_async_global" : "fence_async"));
}

/* The function of the operation's own name. */
static void ptx_plain(Emit *e, const Stmt *s)
{
    emit_line(e, "%s();", emit_need(e, opinfo[s->op.op].text));
}

static void setmaxnreg(Emit *e, const Stmt *s)
{
    enum { N, Inc };
    emit_line(e, "%s<%d>();", emit_need(e, s->op.attr[Inc] ? "setmaxnreg_inc" : "setmaxnreg_dec"),
              s->op.attr[N]);
}

/* The table -------------------------------------------------------------- */

static PtxFn *const printers[NOp] = {
    [Omma] = ptx_mma, [Oldmatrix] = ptx_matrices, [Ostmatrix] = ptx_matrices,
    [Ocp_async] = ptx_cp_async, [Ocp_async_commit] = ptx_cp_group,
    [Ocp_async_wait] = ptx_cp_group, [Ocp_async_arrive] = ptx_cp_arrive,
    [Otma_load] = ptx_tma_load, [Otma_store] = ptx_tma_store,
    [Obulk_load] = ptx_bulk_load, [Obulk_store] = ptx_bulk_store,
    [Obulk_commit] = ptx_bulk_group, [Obulk_wait] = ptx_bulk_group,
    [Owgmma] = ptx_wgmma, [Owgmma_fence] = ptx_wgmma_fence,
    [Owgmma_commit] = ptx_wgmma_commit, [Owgmma_wait] = ptx_wgmma_wait,
    [Ombar_init] = ptx_mbar, [Ombar_arrive] = ptx_mbar, [Ombar_expect] = ptx_mbar,
    [Ombar_arrive_expect] = ptx_mbar, [Ombar_wait] = ptx_mbar, [Ombar_fence] = ptx_mbar,
    [Obar_sync] = ptx_bar, [Obar_arrive] = ptx_bar, [Owarp_sync] = warp_sync,
    [Ofence_async] = fence_async, [Ofence_global] = fence_global, [Osetmaxnreg] = setmaxnreg,
    [Ocluster_arrive] = ptx_plain, [Ocluster_wait] = ptx_plain,
};

void cuda_op(Emit *e, const Stmt *s)
{
    PtxFn *f = printers[s->op.op];
    if (!f)
        diag_fail(&e->p->ctx, E_bug, s->loc,
                  afmt(&e->p->ctx, "`%s` has no text in cuda", opinfo[s->op.op].text), NULL);
    f(e, s);
}
