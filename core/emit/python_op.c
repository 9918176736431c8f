/* core/emit/python_op.c: operations and atomics of a tile program as TileLang Python. */
#include <inttypes.h>
#include <string.h>

#include "python.h"
#include "core/ir/walk.h"

/* Tile operations ------------------------------------------------------------- */

/* ", a=1": attribute i of the operation where it is set. */
static const char *py_attr(Py *w, const Stmt *s, int i, const char *name)
{
    return s->op.attr[i] ? afmt(&w->p->ctx, ", %s=%d", name, (int)s->op.attr[i]) : "";
}

static const char *py_flag(const Stmt *s, int i, const char *text)
{
    return s->op.attr[i] ? text : "";
}

static const char *const policy[] = {"Square", "FullRow", "FullCol"};
static const char *const eviction[] = {"", ", eviction_policy=\"evict_first\"",
                                       ", eviction_policy=\"evict_last\""};
static const char *const prefer[] = {"", ", prefer_instruction=\"tma\"",
                                     ", prefer_instruction=\"cp_async\"",
                                     ", prefer_instruction=\"sync\""};

static void py_copy(Py *w, const Stmt *s)
{
    py_line(w, "T.copy(%s, %s%s%s%s%s)", py_region(w, &s->op.r[0]), py_region(w, &s->op.r[1]),
            py_attr(w, s, 0, "coalesced_width"), py_flag(s, 1, ", disable_tma=True"),
            eviction[s->op.attr[2] % 3], prefer[s->op.attr[3] % 4]);
}

static void py_gemm(Py *w, const Stmt *s)
{
    const int32_t *a = s->op.attr;
    Ctx *c = &w->p->ctx;
    const char *kpack = !a[5] && a[4] > 1 ? afmt(c, ", k_pack=%d", (int)a[4]) : "";
    py_line(w, "T.%s(%s, %s, %s%s%s%s%s%s)", a[5] ? "wgmma_gemm" : "gemm",
            py_region(w, &s->op.r[0]), py_region(w, &s->op.r[1]), py_region(w, &s->op.r[2]),
            py_flag(s, 0, ", transpose_A=True"), py_flag(s, 1, ", transpose_B=True"),
            a[2] > 0 && a[2] < 3 ? afmt(c, ", policy=T.GemmWarpPolicy.%s", policy[a[2]]) : "",
            py_flag(s, 3, ", clear_accum=True"), kpack);
}

static void py_reduce(Py *w, const Stmt *s)
{
    const int32_t *a = s->op.attr;
    Ctx *c = &w->p->ctx;
    const char *kind = redinfo[a[0]].text;
    const char *clear = a[0] == Rabssum ? "" : a[2] ? ", clear=True" : ", clear=False";
    if (a[0] == Rabssum && !a[2])
        py_missing(w, "T.reduce_abssum that adds to its result");
    py_line(w, "T.reduce_%s(%s, %s, dim=%d%s%s%s)", kind, py_region(w, &s->op.r[0]),
            py_region(w, &s->op.r[1]), (int)a[1], clear,
            a[3] > 1 ? afmt(c, ", batch=%d", (int)a[3]) : "",
            py_flag(s, 4, ", nan_propagate=True"));
}

static void py_scan(Py *w, const Stmt *s)
{
    const int32_t *a = s->op.attr;
    if (a[0] != Rsum && a[0] != Rmax) {
        py_missing(w, afmt(&w->p->ctx, "a scan by %s", redinfo[a[0]].text));
        return;
    }
    py_line(w, "T.%s(%s, %s, dim=%d%s)", a[0] == Rsum ? "cumsum" : "cummax",
            py_region(w, &s->op.r[0]), py_region(w, &s->op.r[1]), (int)a[1],
            py_flag(s, 2, ", reverse=True"));
}

static const char *const order[] = {"relaxed", "consume", "acquire",
                                    "release", "acq_rel", "seq_cst"};

static const char *memory_order(Py *w, int o)
{
    return o ? afmt(&w->p->ctx, ", memory_order=\"%s\"", order[o]) : "";
}

static void tile_atomic(Py *w, const Stmt *s)
{
    int kind = s->op.attr[0];
    if (kind != Rsum && kind != Rmax && kind != Rmin)
        py_missing(w, afmt(&w->p->ctx, "a tile atomic %s", redinfo[kind].text));
    else
        py_line(w, "T.atomic_%s(%s, %s%s)", redinfo[kind].update,
                py_region(w, &s->op.r[0]), py_region(w, &s->op.r[1]),
                memory_order(w, s->op.attr[1]));
}

static void print_tile(Py *w, const Stmt *s)
{
    const char *msg = s->op.text ? py_quoted(w, s->op.text) : "\"\"";
    if (s->op.r[0].buf)
        py_line(w, "T.print(%s, msg=%s%s%s)", py_region(w, &s->op.r[0]), msg,
                py_attr(w, s, 0, "warp_group_id"), py_attr(w, s, 1, "warp_id"));
    else
        py_line(w, "T.print(msg=%s)", msg);
}

/* Operations on barriers and asynchronous copies: the word, and what stands in
 * its parentheses: v the value, letters 0 1 2 regions, n m attributes 0 and 1. */
static const struct { enum Op op; const char *word, *args; } plain[] = {
    {Otranspose, "transpose", "01"},
    {Ocp_async_commit, "ptx_commit_group", ""}, {Ocp_async_wait, "ptx_wait_group", "n"},
    {Ocp_async_arrive, "cp_async_barrier_noinc", "0"},
    {Owgmma_fence, "warpgroup_arrive", ""},
    {Owgmma_commit, "warpgroup_commit_batch", ""}, {Owgmma_wait, "warpgroup_wait", "n"},
    {Ombar_wait, "mbarrier_wait_parity", "0v"}, {Ombar_expect, "mbarrier_expect_tx", "0v"},
    {Ombar_arrive_expect, "mbarrier_arrive_expect_tx", "0v"},
    {Obar_sync, "sync_threads", "nm"},
    {Obar_arrive, "named_barrier_arrive", "nm"}, {Owarp_sync, "sync_warp", ""},
    {Ocluster_arrive, "cluster_arrive", ""},
    {Ocluster_wait, "cluster_wait", ""},
};

static bool py_plain_op(Py *w, const Stmt *s)
{
    Ctx *c = &w->p->ctx;
    for (size_t i = 0; i < COUNT(plain); i++) {
        const char *t = "";
        if (plain[i].op != s->op.op)
            continue;
        for (const char *a = plain[i].args; *a; a++) {
            const char *v = *a == 'v' ? py_ex(w, s->op.value)
                          : *a == 'n' ? afmt(c, "%d", (int)s->op.attr[0])
                          : *a == 'm' ? afmt(c, "%d", (int)s->op.attr[1])
                                      : py_region(w, &s->op.r[*a - '0']);
            t = afmt(c, "%s%s%s", t, *t ? ", " : "", v);
        }
        py_line(w, "T.%s(%s)", plain[i].word, t);
        return true;
    }
    return false;
}

/* "T.access_ptr(A[i, 0], "r", 8)": the n elements from a region's corner on. */
static const char *py_pointer(Py *w, const Region *r, const char *mode, int64_t n)
{
    return afmt(&w->p->ctx, "T.access_ptr(%s, \"%s\", %" PRId64 ")", py_element(w, r->buf, r->min), mode, n);
}

/* T.ptx_cp_async leaves its group open: who closes it stands behind it. */
static void py_async_copy(Py *w, const Stmt *s)
{
    const Region *from = &s->op.r[0], *to = &s->op.r[1];
    int last = w->p->buf[from->buf].ndim - 1;
    int64_t n;
    if (!s->op.attr[1])
        py_line(w, "T.async_copy(%s, %s%s)", py_region(w, from), py_region(w, to),
                py_attr(w, s, 0, "coalesced_width"));
    else if (last >= 0 && x_isint(w->p, from->extent[last], &n))
        py_line(w, "T.ptx_cp_async(%s, %s, %" PRId64 ")", py_pointer(w, to, "w", n),
                py_pointer(w, from, "r", n), n);
    else
        py_missing(w, "this asynchronous copy");
}

/* T.tma_copy to global memory closes its group. */
static void py_tma_put(Py *w, const Stmt *s)
{
    if (s->next && s->next->kind == Sop && s->next->op.op == Obulk_commit)
        w->closed = s->next;
    if (s->op.attr[1] || !w->closed || w->closed != s->next)
        py_missing(w, "this bulk store");
    py_line(w, "T.tma_copy(%s, %s%s)", py_region(w, &s->op.r[0]), py_region(w, &s->op.r[1]),
            eviction[s->op.attr[0] % 3]);
}

static void py_mbar_arrive(Py *w, const Stmt *s)
{
    int64_t block;
    bool here = x_isint(w->p, s->op.value, &block) && block == -1;
    py_line(w, "T.mbarrier_arrive(%s%s)", py_region(w, &s->op.r[0]),
            here ? "" : afmt(&w->p->ctx, ", %s", py_ex(w, s->op.value)));
}

void py_op(Py *w, const Stmt *s)
{
    switch ((enum Op)s->op.op) {
    case Ocopy: py_copy(w, s); return;
    case Oasync_copy: py_async_copy(w, s); return;
    case Otma_put: py_tma_put(w, s); return;
    case Obulk_commit:
        if (s != w->closed)
            py_line(w, "T.tma_store_arrive()");
        return;
    case Ombar_arrive: py_mbar_arrive(w, s); return;
    case Obulk_wait:
        py_line(w, "T.tma_store_wait(%d%s)", (int)s->op.attr[0], s->op.attr[1] ? "" : ", read=False");
        return;
    case Ofence_async:
        if (s->op.attr[0])
            py_missing(w, "a fence of global memory before bulk copies");
        else
            py_line(w, "T.fence_proxy_async()");
        return;
    case Ofill:
        if (ex_at(w->p, s->op.value)->op == Xfloat && ex_at(w->p, s->op.value)->f == 0)
            py_line(w, "T.clear(%s)", py_region(w, &s->op.r[0]));
        else
            py_line(w, "T.fill(%s, %s)", py_region(w, &s->op.r[0]), py_ex(w, s->op.value));
        return;
    case Ogemm: py_gemm(w, s); return;
    case Oreduce: py_reduce(w, s); return;
    case Oscan: py_scan(w, s); return;
    case Oatomic: tile_atomic(w, s); return;
    case Oprint: print_tile(w, s); return;
    case Oimport_source: py_line(w, "T.import_source(%s)", py_quoted(w, s->op.text)); return;
    case Ocall_extern:
        py_line(w, "T.call_extern(\"handle\", %s, T.access_ptr(%s, \"r\"), T.access_ptr(%s, \"w\")%s%s)",
                py_quoted(w, s->op.text), py_region(w, &s->op.r[0]), py_region(w, &s->op.r[1]),
                s->op.attr[0] ? ", " : "", s->op.attr[0] ? py_ex(w, s->op.value) : "");
        return;
    case Otma_copy:
        py_line(w, "T.tma_copy(%s, %s, barrier=%s%s%s)", py_region(w, &s->op.r[0]),
                py_region(w, &s->op.r[1]), py_region(w, &s->op.r[2]),
                py_attr(w, s, 1, "cluster_mask"), eviction[s->op.attr[0] % 3]);
        return;
    case Osetmaxnreg:
        py_line(w, "T.set_max_nreg(%d, %d)", (int)s->op.attr[0], (int)s->op.attr[1]);
        return;
    case Ombar_init: return; /* the arrive counts of T.alloc_barrier */
    default:
        if (!py_plain_op(w, s))
            py_missing(w, opinfo[s->op.op].text);
    }
}

/* Atomics on elements ----------------------------------------------------------- */

void py_atomic(Py *w, const Stmt *s)
{
    int k = s->atomic.kind;
    Ctx *c = &w->p->ctx;
    const char *at = py_element(w, s->atomic.buf, s->atomic.idx), *o = memory_order(w, s->atomic.order);
    const char *prev = s->atomic.prev ? afmt(c, "%s = ", py_var(w, s->atomic.prev)) : "";
    if (k == ATload) {
        py_line(w, "%sT.atomic_load(%s, memory_order=\"%s\")", prev, at, order[s->atomic.order]);
    } else if (k == ATstore) {
        py_line(w, "T.atomic_store(%s, %s, memory_order=\"%s\")", at, py_ex(w, s->atomic.value[0]),
                order[s->atomic.order]);
    } else if (s->atomic.lanes > 1) {
        /* TileLang reads the lanes behind one element; ours are values */
        const Expr *v = ex_at(w->p, s->atomic.value[0]);
        if (v->op == Xload)
            py_line(w, "T.atomic_addx%d(%s, %s)", s->atomic.lanes, at,
                    py_ex(w, s->atomic.value[0]));
        else
            py_missing(w, afmt(c, "T.atomic_addx%d of computed values", s->atomic.lanes));
    } else if (k == Rsum || k == Rmax || k == Rmin) {
        py_line(w, "%sT.atomic_%s(%s, %s%s%s)", prev, redinfo[k].update, at,
                py_ex(w, s->atomic.value[0]), o, s->atomic.prev ? ", return_prev=True" : "");
    } else if (k == Rbitor && !s->atomic.prev) {
        py_line(w, "T.atomic_or(%s, %s%s)", at, py_ex(w, s->atomic.value[0]), o);
    } else {
        py_missing(w, afmt(c, "an atomic %s", redinfo[k].text));
    }
}
