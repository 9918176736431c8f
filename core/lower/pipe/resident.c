/* core/lower/pipe/resident.c: how many blocks of a product work on a multiprocessor side by side.
 *
 * One block that walks over tiles hides its stores behind its loads, but not the steps of its own products:
 * between two of them its warp groups meet at barriers, which takes some hundred clocks.  Where the
 * products of a step take fewer, another block has to fill the gap; it hides first loads and stores, too.  So
 * blocks are as many as make the products of a step long enough together, if registers and shared memory have
 * room for them: then none of them loops over tiles or waits for a neighbour, and all keep the registers that
 * they were launched with.
 *
 * T.annotate_min_blocks_per_sm says it otherwise. */
#include "core/ir/walk.h"
#include "persist.h"
#include "err/pipes.h"

enum {
    StepClocks = 512,  /* products of a step that hide what stands between two */
    MostBlocks = 4,
    Beside = 40        /* registers of a thread besides its fragments: indices, addresses, operands */
};

typedef struct Residents Residents;
struct Residents {
    Low *l;
    double step;       /* clocks of the products of the shortest step; 0: there are none */
    bool group;        /* all of them are products of warp groups */
};

static double resident_clocks(const GemmPlan *g)
{
    return 2.0 * g->M * g->N * g->K / g->mma->rate;
}

typedef struct ResidentStep ResidentStep;
struct ResidentStep { double clocks; bool group; };

static bool resident_product(Stmt *s, void *ud)
{
    ResidentStep *k = ud;
    const GemmPlan *g = gemm_plan(s);
    if (s->kind != Sop || s->op.op != Ogemm)
        return true;
    k->group &= g && g->mma && g->mma->kind == MMAgroup && g->mma->rate > 0;
    k->clocks += k->group ? resident_clocks(g) : 0;
    return true;
}

static bool resident_loop(Stmt *s, void *ud)
{
    Residents *k = ud;
    if (s->kind != Sfor || s->loop.kind != Fpipelined)
        return true;
    ResidentStep step = {0, true};
    stmt_walk(s->loop.body, resident_product, &step);
    k->group &= step.group;
    if (step.clocks > 0 && (k->step == 0 || step.clocks < k->step))
        k->step = step.clocks;
    return true;
}

/* Registers of a thread that hold fragments, all of them at a time. */
static int resident_fragments(const Low *l)
{
    const Prog *p = l->p;
    int64_t bytes = 0;
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (low_fragment(p, b) && !p->buf[b].base && low_in_use(l, b))
            bytes += buf_bytes(p, b);
    return (int)(bytes / l->threads / 4);
}

/* Is there room for n blocks of so many bytes of shared memory? */
static bool resident_room(const Low *l, int n, int64_t shared)
{
    const Machine *m = l->m;
    int threads = l->threads + m->group * m->warp; /* a producer may come */
    int regs = m->regs_sm / (n * threads) / 8 * 8;
    return (shared + m->shared_reserved) * n <= m->shared_sm && n * threads <= m->warps_sm * m->warp &&
           resident_fragments(l) + Beside <= regs;
}

void low_resident(Low *l)
{
    Stmt *s = l->launch;
    Residents k = {l, 0, true};
    int n = 1;
    if (s->launch.blocks && !l->m->residents)
        low_note(l, E_launch_hint, s, "annotate_min_blocks_per_sm", l->m->name);
    if (!l->m->wgmma || !l->m->tma || s->launch.blocks || l->threads % (l->m->group * l->m->warp))
        return;
    stmt_walk(s->launch.body, resident_loop, &k);
    if (k.step == 0 || !k.group)
        return;
    while (n < MostBlocks && n * k.step < StepClocks && resident_room(l, n + 1, l->needs.planned))
        n++;
    if (n > 1)
        s->launch.blocks = (uint8_t)n;
}
