/* core/ir/work.c: the operations that a program declares, added up statement by statement.
 *
 *     for bx in T.Kernel(T.ceildiv(N, 64)):              N = 4096: 64 blocks
 *         for k in T.serial(N // 32):                    .. of 128 rounds
 *             T.gemm(As, Bs, Cl)                         .. of 2 * 64 * 64 * 32 operations
 *             while flag[0] == 0: ..                     .. and one of what only the data knows */
#include <math.h>

#include "walk.h"
#include "work.h"

typedef struct Work Work;
struct Work { const Prog *p; int64_t *env; bool *known; };

static void work_set(const Work *w, uint32_t var, int64_t v)
{
    w->env[var] = v;
    w->known[var] = true;
}

/* e's value where it is known, else 1. */
static int64_t work_value(const Work *w, Ex e)
{
    int64_t v;
    return e && x_eval_known(w->p, e, w->env, w->known, &v) ? v : 1;
}

static double work_elements(const Work *w, const Region *r)
{
    double n = 1;
    for (int d = 0; d < region_dims(w->p, r); d++)
        n *= (double)work_value(w, r->extent[d]);
    return n;
}

/* Of A: M x K, B: K x N, C: M x N, in whatever order, sqrt(MK * KN * MN) is M * N * K. */
static double work_gemm(const Work *w, const Stmt *s)
{
    double n = 1;
    for (int i = 0; i < MaxRegion; i++)
        n *= work_elements(w, &s->op.r[i]);
    return 2 * sqrt(n);
}

static double work_op(const Work *w, const Stmt *s)
{
    double most = 1;
    if (s->op.op == Ogemm)
        return work_gemm(w, s);
    for (int i = 0; i < opinfo[s->op.op].nregion; i++) {
        double n = s->op.r[i].buf ? work_elements(w, &s->op.r[i]) : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* The rounds of variable i of loop s; the variable is at its middle then. */
static double work_rounds(const Work *w, const Stmt *s, int i)
{
    int64_t lo, hi, step = work_value(w, s->loop.step);
    uint32_t var = s->loop.var[i];
    w->known[var] = false;
    if (!x_eval_known(w->p, s->loop.lo[i], w->env, w->known, &lo) ||
        !x_eval_known(w->p, s->loop.hi[i], w->env, w->known, &hi))
        return 1;
    work_set(w, var, lo / 2 + hi / 2);
    double rounds = ((double)hi - (double)lo) / (double)(step ? step : 1);
    return rounds > 0 ? rounds : 0;
}

static bool work_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    return ex_at(p, e)->op == Xvar && p->var[ex_at(p, e)->sym].kind == Vthread;
}

/* Does a statement in list speak of its thread? */
static bool work_by_threads(const Prog *p, const Stmt *list)
{
    for (const Stmt *s = list; s; s = s->next) {
        Stmt *inner[2], one = stmt_bare(s);
        if (stmt_any(p, &one, work_thread, (void *)(uintptr_t)p))
            return true;
        for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
            if (work_by_threads(p, inner[i]))
                return true;
    }
    return false;
}

static double work_launch(const Work *w, const Stmt *s)
{
    double n = 1;
    bool each = work_by_threads(w->p, s->launch.body);
    for (int i = 0; i < s->launch.n; i++) {
        int64_t blocks = work_value(w, s->launch.grid[i]);
        n *= (double)(blocks > 0 ? blocks : 0);
        work_set(w, s->launch.block[i], blocks / 2);
    }
    for (int i = 0; i < s->launch.nthread; i++) {
        n *= each ? s->launch.threads[i] : 1;
        work_set(w, s->launch.thread[i], 0);
    }
    return n;
}

typedef struct WorkNodes WorkNodes;
struct WorkNodes { const Prog *p; double n; };

static bool work_nodes(void *ud, Ex e)
{
    WorkNodes *k = ud;
    k->n += ex_at(k->p, e)->size;
    return true;
}

/* Of s itself, without what is inside of it. */
static double work_own(const Work *w, const Stmt *s)
{
    WorkNodes k = {w->p, 0};
    int64_t v;
    if (s->kind == Sop)
        return work_op(w, s);
    if (s->kind == Slet && x_eval_known(w->p, w->p->var[s->let.var].value, w->env, w->known, &v))
        work_set(w, s->let.var, v);
    Stmt one = stmt_bare(s);
    if (s->kind != Sfor && s->kind != Slaunch)
        stmt_exprs(w->p, &one, work_nodes, &k);
    return k.n;
}

static double work_times(const Work *w, const Stmt *s)
{
    double n = 1;
    if (s->kind == Slaunch)
        return work_launch(w, s);
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        n *= work_rounds(w, s, i);
    return n;
}

static double work_block(const Work *w, const Stmt *s)
{
    double all = 0;
    for (; s; s = s->next) {
        Stmt *inner[2];
        double own = work_own(w, s), times = work_times(w, s), within = 0;
        for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
            within += work_block(w, inner[i]);
        all += own + times * within;
    }
    return all;
}

double prog_work(const Prog *p, int64_t *env, bool *known)
{
    return work_block(&(Work){p, env, known}, p->body);
}
