/* core/lower/pipe/resident.c: how many blocks of a product work on a multiprocessor side by side.
 *
 * One block that walks over tiles hides its stores behind its loads, but not the steps of its own products:
 * between two of them its warp groups meet at barriers, which takes some hundred clocks.  Where the
 * products of a step take fewer, another block has to fill the gap; it hides first loads and stores, too.  A
 * single group that multiplies leaves the matrix units to nobody while it works on results or stores them.
 * So blocks are as many as make the products of a step long enough together, and two groups of them, if
 * registers and shared memory have room: then none of them loops over tiles or waits for a neighbour.
 *
 * Registers: a block has those of its launch, n blocks each an n-th of the multiprocessor's.  Where that is
 * too little for who multiplies, the producer's threads give up what they do not need.
 *
 * T.annotate_min_blocks_per_sm says it otherwise. */
#include "core/ir/walk.h"
#include "core/lower/mma/gemm.h"
#include "persist.h"
#include "err/pipes.h"

enum {
    StepClocks = 512,  /* products of a step that hide what stands between two */
    MostBlocks = 4,
    Groups = 2,        /* that multiply in turn */
    Beside = 40,       /* registers of a thread besides its fragments: indices, addresses, operands */
    Least = 32         /* the same in the leanest of kernels */
};

typedef struct Residents Residents;
struct Residents {
    Low *l;
    double step;       /* clocks of the products of the shortest step; 0: there are none */
    int most;          /* registers that an instruction wants at the launch */
    bool group;        /* all of them are products of warp groups */
};

static double resident_clocks(const GemmPlan *g)
{
    return 2.0 * g->M * g->N * g->K / g->mma->rate;
}

typedef struct ResidentStep ResidentStep;
struct ResidentStep { double clocks; int regs; bool group; };

static bool resident_product(Stmt *s, void *ud)
{
    ResidentStep *k = ud;
    const GemmPlan *g = gemm_plan(s);
    if (s->kind != Sop || s->op.op != Ogemm)
        return true;
    k->group &= g && g->mma && g->mma->kind == MMAgroup && g->mma->rate > 0;
    if (k->group) {
        int regs = gemm_launch_registers(g->mma, g->n);
        k->clocks += resident_clocks(g);
        k->regs = regs > k->regs ? regs : k->regs;
    }
    return true;
}

static bool resident_loop(Stmt *s, void *ud)
{
    Residents *k = ud;
    if (s->kind != Sfor || s->loop.kind != Fpipelined)
        return true;
    ResidentStep step = {0, 0, true};
    stmt_walk(s->loop.body, resident_product, &step);
    k->group &= step.group;
    k->most = step.regs > k->most ? step.regs : k->most;
    if (step.clocks > 0 && (k->step == 0 || step.clocks < k->step))
        k->step = step.clocks;
    return true;
}

/* Registers that a thread needs: of all its fragments and arrays, and so many beside them. */
static int resident_registers(const Low *l, int beside)
{
    const Prog *p = l->p;
    int64_t bytes = 0, own = 0;
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (!p->buf[b].base && low_in_use(l, b)) {
            bytes += low_fragment(p, b) ? buf_bytes(p, b) : 0;
            own += p->buf[b].scope == SClocal ? buf_bytes(p, b) : 0;
        }
    int64_t regs = (bytes / l->threads + own) / 4 + beside;
    return regs < INT16_MAX ? (int)regs : INT16_MAX;
}

/* Of setmaxnreg: the least, the most, in steps of; what a thread has at a launch at the most. */
enum { RegsLeast = 24, RegsMost = 240, RegsUnit = 8, RegsLaunch = 248 };

/* Registers of each thread at the launch of one of n blocks with `all` threads. */
static int resident_launch(const Low *l, int n, int all)
{
    int each = l->m->regs_sm / (n * all) / RegsUnit * RegsUnit;
    return each < RegsLaunch ? each : RegsLaunch;
}

bool resident_share(const Low *l, int n, int roles[2])
{
    const Machine *m = l->m;
    int producer = m->group * m->warp, all = l->threads + producer;
    int need = resident_registers(l, Beside), each = resident_launch(l, n, all);
    int most = (each * all - RegsLeast * producer) / l->threads / RegsUnit * RegsUnit;
    roles[0] = roles[1] = 0;
    if (need <= each)
        return true;
    roles[0] = RegsLeast;
    roles[1] = most < RegsMost ? most : RegsMost;
    return m->setmaxnreg && !l->launch->launch.keep_regs && need <= roles[1];
}

bool resident_said(const Low *l, int n, int roles[2], const char **why)
{
    const Stmt *s = l->launch;
    int producer = l->m->group * l->m->warp, all = l->threads + producer, have = resident_launch(l, n, all);
    roles[0] = s->launch.regs[0] ? s->launch.regs[0] : RegsLeast;
    roles[1] = s->launch.regs[1] ? s->launch.regs[1] : RegsMost;
    if (roles[0] <= have && have <= roles[1] && roles[0] * producer + roles[1] * l->threads <= have * all)
        return true;
    *why = afmt(&l->p->ctx, "%d * %d + %d * %d > %d * %d", roles[0], producer, roles[1], l->threads, have, all);
    return false;
}

/* Is there room for n blocks of so many bytes of shared memory? */
static bool resident_room(const Residents *k, int n, int64_t shared)
{
    const Low *l = k->l;
    const Machine *m = l->m;
    const uint16_t *regs = l->launch->launch.regs;
    int threads = l->threads + m->group * m->warp, roles[2]; /* a producer may come */
    const char *why;
    return (shared + m->shared_reserved) * n <= m->shared_sm && n * threads <= m->warps_sm * m->warp &&
           k->most <= resident_launch(l, n, threads) &&
           (regs[0] || regs[1] ? resident_said(l, n, roles, &why) : resident_share(l, n, roles));
}

/* Blocks of so many threads and bytes of shared memory that fit side by side, with few registers each; where
 * it has been decided how many work there, these. */
static int resident_side(const Low *l, int threads, int64_t shared)
{
    const Machine *m = l->m;
    int regs = resident_registers(l, Least), of = l->launch->launch.blocks;
    int64_t n = m->shared_sm / (shared + m->shared_reserved);
    int by[] = {m->warps_sm * m->warp / threads, m->blocks_sm,
                m->regs_sm / ((regs < m->regs_thread ? regs : m->regs_thread) * threads)};
    for (size_t i = 0; i < COUNT(by); i++)
        n = by[i] < n ? by[i] : n;
    n = of > 1 ? of : n;
    return n > 1 ? (int)n : 1;
}

int64_t resident_most(const Low *l, int64_t shared)
{
    const Machine *m = l->m;
    if (!m->regs_sm || !m->warps_sm)
        return shared;
    int64_t each = m->shared_sm / resident_side(l, l->threads, shared) - m->shared_reserved;
    return each < m->shared_block ? each : m->shared_block;
}

int64_t resident_shared(const Low *l)
{
    const Machine *m = l->m;
    int n = l->launch->launch.blocks;
    int64_t each = n > 1 ? m->shared_sm / n - m->shared_reserved : m->shared_block;
    return each < m->shared_block ? each : m->shared_block;
}

void low_resident(Low *l, int64_t shared)
{
    Stmt *s = l->launch;
    Residents k = {l, 0, 0, true};
    int n = 1;
    if (s->launch.blocks && !l->m->residents)
        low_note(l, E_launch_hint, s, "annotate_min_blocks_per_sm", l->m->name);
    if (!l->m->wgmma || !l->m->tma || s->launch.blocks || l->threads % (l->m->group * l->m->warp))
        return;
    stmt_walk(s->launch.body, resident_loop, &k);
    if (k.step == 0 || !k.group)
        return;
    int groups = l->threads / (l->m->group * l->m->warp);
    while (n < MostBlocks && (n * k.step < StepClocks || n * groups < Groups) &&
           resident_room(&k, n + 1, shared))
        n++;
    if (n > 1)
        s->launch.blocks = (uint8_t)n;
}
