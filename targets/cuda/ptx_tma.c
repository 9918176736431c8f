/* targets/cuda/ptx_tma.c: boxes of tensor maps and runs of bytes, copied between
 * global and shared memory by the TMA unit for one thread that asks.
 *
 * Coordinates are elements, innermost first as the hardware counts them: the
 * IR's turned round.  A load names the mbarrier that its bytes arrive at; with
 * `_multicast` they go to the same place in each block of the cluster whose bit
 * is set, and arrive there.  Stores belong to the thread's bulk groups.  `_cached`
 * takes a policy of the L2 cache. */
#include "ptx.h"

#include <string.h>

/* Attributes, in the order of ops.h. */
enum { BoxSwizzle, BoxEviction, BoxKind };

/* Texts ------------------------------------------------------------------ */

#define POLICY(name) \
    {"l2_" name, \
     "/* What the L2 cache is to do with lines that are copied with it. */\n" \
     PTX_FN "unsigned long long l2_" name "()\n{\n" \
     "    unsigned long long policy;\n" \
     "    asm(\"createpolicy.fractional.L2::" name ".b64 %0, 1.0;\" : \"=l\"(policy));\n" \
     "    return policy;\n}\n"}

static const PtxText texts[] = {
    POLICY("evict_first"), POLICY("evict_last"),
    {"bulk_load",
     PTX_FN "void bulk_load(unsigned to, const void *from, int bytes, unsigned bar)\n{\n"
     "    asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes \"\n"
     "        \"[%0], [%1], %2, [%3];\"\n"
     "        :: \"r\"(to), \"l\"(from), \"r\"(bytes), \"r\"(bar) : \"memory\");\n}\n"},
    {"bulk_load_multicast",
     PTX_FN "void bulk_load_multicast(unsigned to, const void *from, int bytes, unsigned bar,\n"
     "    int blocks)\n{\n"
     "    asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes\"\n"
     "        \".multicast::cluster [%0], [%1], %2, [%3], %4;\"\n"
     "        :: \"r\"(to), \"l\"(from), \"r\"(bytes), \"r\"(bar), \"h\"((short)blocks)"
     " : \"memory\");\n}\n"},
    {"bulk_store",
     PTX_FN "void bulk_store(void *to, unsigned from, int bytes)\n{\n"
     "    asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\"\n"
     "        :: \"l\"(to), \"r\"(from), \"r\"(bytes) : \"memory\");\n}\n"},
    {"bulk_commit",
     PTX_FN "void bulk_commit()\n{\n"
     "    asm volatile(\"cp.async.bulk.commit_group;\" ::: \"memory\");\n}\n"},
    {"bulk_wait",
     "/* Waits until at most N of this thread's groups are not done yet. */\n"
     "template <int N> " PTX_FN "void bulk_wait()\n{\n"
     "    asm volatile(\"cp.async.bulk.wait_group %0;\" :: \"n\"(N) : \"memory\");\n}\n"},
    {"bulk_wait_read",
     "/* Waits until at most N of this thread's groups have not been read yet. */\n"
     "template <int N> " PTX_FN "void bulk_wait_read()\n{\n"
     "    asm volatile(\"cp.async.bulk.wait_group.read %0;\" :: \"n\"(N) : \"memory\");\n}\n"},
    {"own_block",
     "/* The bit of this block in a mask of the cluster's. */\n"
     PTX_FN "int own_block()\n{\n"
     "    unsigned rank;\n"
     "    asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));\n"
     "    return 1 << rank;\n}\n"},
};

/* What a function's name says: "tma_load_2d_multicast_cached", "tma_add_3d". */
typedef struct PtxTmaName PtxTmaName;
struct PtxTmaName {
    bool load, multicast, cached;
    int dims;
    const char *red; /* NULL: a store */
};

static const char *ptx_tma_name_of(Emit *e, const PtxTmaName *n)
{
    return afmt(&e->p->ctx, "tma_%s_%dd%s%s", n->load ? "load" : n->red ? n->red : "store", n->dims,
                n->multicast ? "_multicast" : "", n->cached ? "_cached" : "");
}

/* ", int c0, int c1" or `, "r"(c0), "r"(c1)` */
static void coordinates(Str *s, const char *before, const char *after, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, ", %sc%d%s", before, i, after);
}

static const char *ptx_tma_load_text(Emit *e, const char *name, const PtxTmaName *n)
{
    Str s = {0};
    int more = 3 + n->dims;
    str_fmt(&s, PTX_FN "void %s(unsigned to, const void *map", name);
    coordinates(&s, "int ", "", n->dims);
    str_fmt(&s, ",\n    unsigned bar%s%s)\n{\n", n->multicast ? ", int blocks" : "",
            n->cached ? ", unsigned long long policy" : "");
    str_fmt(&s,
            "    asm volatile(\"cp.async.bulk.tensor.%dd.shared::cluster.global\"\n"
            "        \".mbarrier::complete_tx::bytes%s%s \"\n        \"[%%0], [%%1, ",
            n->dims, n->multicast ? ".multicast::cluster" : "",
            n->cached ? ".L2::cache_hint" : "");
    ptx_list(&s, 3, n->dims);
    str_puts(&s, "], [%2]");
    if (n->multicast)
        str_fmt(&s, ", %%%d", more);
    if (n->cached)
        str_fmt(&s, ", %%%d", more + n->multicast);
    str_puts(&s, ";\"\n        :: \"r\"(to), \"l\"(map), \"r\"(bar)");
    coordinates(&s, "\"r\"(", ")", n->dims);
    str_fmt(&s, "%s%s : \"memory\");\n}\n", n->multicast ? ", \"h\"((short)blocks)" : "",
            n->cached ? ", \"l\"(policy)" : "");
    return ptx_done(e, &s);
}

static const char *ptx_tma_store_text(Emit *e, const char *name, const PtxTmaName *n)
{
    Str s = {0};
    str_fmt(&s, PTX_FN "void %s(const void *map", name);
    coordinates(&s, "int ", "", n->dims);
    str_fmt(&s, ", unsigned from%s)\n{\n", n->cached ? ",\n    unsigned long long policy" : "");
    str_fmt(&s, "    asm volatile(\"cp.%sasync.bulk.tensor.%dd.global.shared::cta",
            n->red ? "reduce." : "", n->dims);
    str_fmt(&s, "%s%s.bulk_group%s \"\n", n->red ? "." : "", n->red ? n->red : "",
            n->cached ? ".L2::cache_hint" : "");
    str_puts(&s, "        \"[%0, ");
    ptx_list(&s, 2, n->dims);
    str_puts(&s, "], [%1]");
    if (n->cached)
        str_fmt(&s, ", %%%d", 2 + n->dims);
    str_puts(&s, ";\"\n        :: \"l\"(map), \"r\"(from)");
    coordinates(&s, "\"r\"(", ")", n->dims);
    str_fmt(&s, "%s : \"memory\");\n}\n", n->cached ? ", \"l\"(policy)" : "");
    return ptx_done(e, &s);
}

const char *ptx_tma_helper(Emit *e, const char *name)
{
    const char *t = ptx_find(texts, COUNT(texts), name);
    if (t || strncmp(name, "tma_", 4) != 0)
        return t;
    for (int k = -1; k < NRed; k++) /* load, store (a name that none has), reductions */
        for (int v = 0; v < 4 * 5; v++) {
            PtxTmaName n = {.load = k < 0, .multicast = v & 1, .cached = v & 2, .dims = v / 4 + 1,
                            .red = k > 0 ? redinfo[k].update : NULL};
            if ((k > 0 && !n.red) || (n.multicast && !n.load) ||
                strcmp(ptx_tma_name_of(e, &n), name) != 0)
                continue;
            return n.load ? ptx_tma_load_text(e, name, &n) : ptx_tma_store_text(e, name, &n);
        }
    return NULL;
}

/* Calls ------------------------------------------------------------------ */

/* ", k, m": the box's first element, innermost dimension first. */
static const char *ptx_tma_corner(Emit *e, const Region *r)
{
    const char *s = "";
    for (int d = e->p->buf[r->buf].ndim; d-- > 0;)
        s = afmt(&e->p->ctx, "%s, %s", s, emit_top(e, r->min[d]));
    return s;
}

/* ", l2_evict_first()", or nothing. */
static const char *policy(Emit *e, int eviction)
{
    static const char *const name[] = {NULL, "l2_evict_first", "l2_evict_last"};
    if (eviction <= 0 || eviction >= (int)COUNT(name))
        return "";
    return afmt(&e->p->ctx, ", %s()", emit_need(e, name[eviction]));
}

/* The mask of blocks as an argument, or NULL when there is none; 0 is this block. */
static const char *ptx_tma_blocks(Emit *e, Ex mask)
{
    int64_t lo, hi;
    bool known = x_range(e->p, mask, &lo, &hi);
    if (known && lo == 0 && hi == 0)
        return NULL;
    if (known && lo > 0)
        return emit_top(e, mask);
    const char *m = emit_ex(e, mask);
    return afmt(&e->p->ctx, "%s ? %s : %s()", m, m, emit_need(e, "own_block"));
}

static const char *map_name(Emit *e, const Stmt *s)
{
    int i = plan_map_of(e->plan, s);
    if (i < 0)
        diag_fail(&e->p->ctx, E_bug, s->loc, "a copy of a box that the plan has no map for", NULL);
    return e->plan->map[i].name;
}

void ptx_tma_load(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    const char *mask = ptx_tma_blocks(e, s->op.value), *hint = policy(e, s->op.attr[BoxEviction]);
    PtxTmaName n = {.load = true, .multicast = mask != NULL, .cached = *hint != 0,
                    .dims = e->p->buf[r[0].buf].ndim};
    emit_line(e, "%s(%s, &%s%s, %s%s%s%s);", emit_need(e, ptx_tma_name_of(e, &n)),
              emit_shared(e, &r[1]), map_name(e, s), ptx_tma_corner(e, &r[0]),
              emit_shared(e, &r[2]), mask ? ", " : "", mask ? mask : "", hint);
}

void ptx_tma_store(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    const char *hint = policy(e, s->op.attr[BoxEviction]);
    int kind = s->op.attr[BoxKind];
    PtxTmaName n = {.cached = *hint != 0, .dims = e->p->buf[r[1].buf].ndim,
                    .red = kind > 0 && kind < NRed ? redinfo[kind].update : NULL};
    emit_line(e, "%s(&%s%s, %s%s);", emit_need(e, ptx_tma_name_of(e, &n)), map_name(e, s),
              ptx_tma_corner(e, &r[1]), emit_shared(e, &r[0]), hint);
}

void ptx_bulk_load(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    const char *mask = ptx_tma_blocks(e, s->op.value);
    emit_line(e, "%s(%s, %s, %d, %s%s%s);",
              emit_need(e, mask ? "bulk_load_multicast" : "bulk_load"), emit_shared(e, &r[1]),
              emit_pointer(e, r[0].buf, r[0].min), s->op.attr[0], emit_shared(e, &r[2]),
              mask ? ", " : "", mask ? mask : "");
}

void ptx_bulk_store(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    emit_line(e, "%s(%s, %s, %d);", emit_need(e, "bulk_store"),
              emit_pointer(e, r[1].buf, r[1].min), emit_shared(e, &r[0]), s->op.attr[0]);
}

void ptx_bulk_group(Emit *e, const Stmt *s)
{
    enum { N, Read };
    if (s->op.op == Obulk_commit)
        emit_line(e, "%s();", emit_need(e, "bulk_commit"));
    else
        emit_line(e, "%s<%d>();", emit_need(e, s->op.attr[Read] ? "bulk_wait_read" : "bulk_wait"),
                  s->op.attr[N]);
}
