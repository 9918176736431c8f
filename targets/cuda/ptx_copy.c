/* targets/cuda/ptx_copy.c: copies of a thread from global to shared memory that
 * it does not wait for (cp.async), and mbarriers.
 *
 * An address of shared memory is a number of 32 bits in the shared window.  Forms
 * that sm_80 knows too are written as it knows them: `.shared` is the block's
 * own memory there and on later chips. */
#include "ptx.h"

/* cp.async --------------------------------------------------------------- */

/* 16 bytes go past the L1 cache (.cg), fewer cannot. */
#define CP(n, cache) \
    {"cp_async_" n, \
     PTX_FN "void cp_async_" n "(unsigned to, const void *from)\n{\n" \
     "    asm volatile(\"cp.async." cache ".shared.global [%0], [%1], " n ";\"\n" \
     "        :: \"r\"(to), \"l\"(from) : \"memory\");\n}\n"}, \
    {"cp_async_" n "_or_zero", \
     "/* Writes zeros, and reads nothing, where `there` is false. */\n" \
     PTX_FN "void cp_async_" n "_or_zero(unsigned to, const void *from, bool there)\n{\n" \
     "    asm volatile(\"cp.async." cache ".shared.global [%0], [%1], " n ", %2;\"\n" \
     "        :: \"r\"(to), \"l\"(from), \"r\"(there ? " n " : 0) : \"memory\");\n}\n"}

/* mbarriers -------------------------------------------------------------- */

#define MBAR(name, params, line, operands) \
    {name, \
     PTX_FN "void " name "(unsigned bar" params ")\n{\n" \
     "    asm volatile(\"" line "\" :: \"r\"(bar)" operands " : \"memory\");\n}\n"}
/* Those that give back the barrier's state, which nobody looks at. */
#define MBAR_STATE(name, params, line, operands) \
    {name, \
     PTX_FN "void " name "(unsigned bar" params ")\n{\n" \
     "    asm volatile(\"{\\n.reg .b64 state;\\n" line "\\n}\"\n" \
     "        :: \"r\"(bar)" operands " : \"memory\");\n}\n"}

static const PtxText texts[] = {
    CP("4", "ca"), CP("8", "ca"), CP("16", "cg"),
    {"cp_async_commit",
     PTX_FN "void cp_async_commit()\n{\n"
     "    asm volatile(\"cp.async.commit_group;\" ::: \"memory\");\n}\n"},
    {"cp_async_wait",
     "/* Waits until at most N of this thread's groups are not there yet. */\n"
     "template <int N> " PTX_FN "void cp_async_wait()\n{\n"
     "    asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(N) : \"memory\");\n}\n"},
    MBAR("cp_async_arrive", "", "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];", ""),
    MBAR("mbar_init", ", int arrivals", "mbarrier.init.shared.b64 [%0], %1;", ", \"r\"(arrivals)"),
    MBAR_STATE("mbar_arrive", "", "mbarrier.arrive.shared.b64 state, [%0];", ""),
    {"mbar_arrive_at",
     "/* Arrives at the barrier at this place in another block of the cluster; its threads\n"
     " * see of this block's only what TMA brings. */\n"
     PTX_FN "void mbar_arrive_at(unsigned bar, int block)\n{\n"
     "    asm volatile(\"{\\n.reg .b32 remote;\\n\"\n"
     "        \"mapa.shared::cluster.u32 remote, %0, %1;\\n\"\n"
     "        \"mbarrier.arrive.shared::cluster.b64 _, [remote];\\n}\"\n"
     "        :: \"r\"(bar), \"r\"(block) : \"memory\");\n}\n"},
    MBAR("mbar_expect", ", int bytes",
         "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;", ", \"r\"(bytes)"),
    MBAR_STATE("mbar_arrive_expect", ", int bytes",
               "mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;", ", \"r\"(bytes)"),
};

/* With a hint how long (ns) to sleep before it looks again: sm_90 and later. */
static const char wait_sleeping[] =
    "/* Waits for the phase of this parity to complete. */\n"
    PTX_FN "void mbar_wait(unsigned bar, int parity)\n{\n"
    "    unsigned done;\n"
    "    do\n"
    "        asm volatile(\"{\\n.reg .pred p;\\n\"\n"
    "            \"mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3;\\n\"\n"
    "            \"selp.u32 %0, 1, 0, p;\\n}\"\n"
    "            : \"=r\"(done) : \"r\"(bar), \"r\"(parity), \"r\"(10000000) : \"memory\");\n"
    "    while (!done);\n}\n";
static const char wait_spinning[] =
    "/* Waits for the phase of this parity to complete. */\n"
    PTX_FN "void mbar_wait(unsigned bar, int parity)\n{\n"
    "    unsigned done;\n"
    "    do\n"
    "        asm volatile(\"{\\n.reg .pred p;\\n\"\n"
    "            \"mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\\n\"\n"
    "            \"selp.u32 %0, 1, 0, p;\\n}\"\n"
    "            : \"=r\"(done) : \"r\"(bar), \"r\"(parity) : \"memory\");\n"
    "    while (!done);\n}\n";
/* Initialised barriers are there for the whole cluster and for the async proxy. */
static const char fence_cluster[] =
    PTX_FN "void mbar_fence()\n{\n"
    "    asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n}\n";
static const char fence_block[] =
    PTX_FN "void mbar_fence()\n{\n    __threadfence_block();\n}\n";

const char *ptx_copy_helper(Emit *e, const char *name)
{
    const PtxText own[] = {
        {"mbar_wait", e->m->tma ? wait_sleeping : wait_spinning},
        {"mbar_fence", e->m->tma ? fence_cluster : fence_block},
    };
    const char *t = ptx_find(own, COUNT(own), name);
    return t ? t : ptx_find(texts, COUNT(texts), name);
}

/* Calls ------------------------------------------------------------------ */

void ptx_cp_async(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    const Region *r = s->op.r;
    const char *name = afmt(c, "cp_async_%d", s->op.attr[0]);
    const char *to = emit_shared(e, &r[1]), *from = emit_pointer(e, r[0].buf, r[0].min);
    if (ptx_true(e, s->op.value))
        emit_line(e, "%s(%s, %s);", emit_need(e, name), to, from);
    else
        emit_line(e, "%s(%s, %s, %s);", emit_need(e, afmt(c, "%s_or_zero", name)), to, from,
                  emit_top(e, s->op.value));
}

void ptx_cp_group(Emit *e, const Stmt *s)
{
    if (s->op.op == Ocp_async_commit)
        emit_line(e, "%s();", emit_need(e, "cp_async_commit"));
    else
        emit_line(e, "%s<%d>();", emit_need(e, "cp_async_wait"), s->op.attr[0]);
}

void ptx_cp_arrive(Emit *e, const Stmt *s)
{
    emit_line(e, "%s(%s);", emit_need(e, "cp_async_arrive"), emit_shared(e, &s->op.r[0]));
}

/* Arrivals: -1 is this block; a block that is not known before it runs may be. */
static void ptx_copy_arrive(Emit *e, const Stmt *s, const char *bar)
{
    int64_t lo, hi;
    bool known = x_range(e->p, s->op.value, &lo, &hi);
    if (known && hi < 0) {
        emit_line(e, "%s(%s);", emit_need(e, "mbar_arrive"), bar);
        return;
    }
    const char *block = emit_top(e, s->op.value);
    if (known && lo >= 0) {
        emit_line(e, "%s(%s, %s);", emit_need(e, "mbar_arrive_at"), bar, block);
        return;
    }
    emit_line(e, "if (%s < 0)", emit_ex(e, s->op.value));
    emit_line(e, "    %s(%s);", emit_need(e, "mbar_arrive"), bar);
    emit_line(e, "else");
    emit_line(e, "    %s(%s, %s);", emit_need(e, "mbar_arrive_at"), bar, block);
}

void ptx_mbar(Emit *e, const Stmt *s)
{
    const char *name = opinfo[s->op.op].text;
    if (s->op.op == Ombar_fence) {
        emit_line(e, "%s();", emit_need(e, name));
        return;
    }
    const char *bar = emit_shared(e, &s->op.r[0]);
    if (s->op.op == Ombar_arrive)
        ptx_copy_arrive(e, s, bar);
    else
        emit_line(e, "%s(%s, %s);", emit_need(e, name), bar, emit_top(e, s->op.value));
}
