/* core/device/session_limit.c: how long a run may take.
 *
 * The limit is there for kernels that hang.  A large product on a slow processor does not: as long as nobody has
 * chosen the limit, a run whose program declares more operations than the target does in it at
 * its slowest gets the time that those take at that pace, within MostSeconds: a loop of 2^62
 * rounds does not end either.  They are counted when the time is up. */
#include <stdlib.h>

#include "core/ir/work.h"
#include "session_p.h"

static const double DefaultLimit = 10, PatienceLimit = 30, PatienceTimes = 300;
static const double Much = 0.5; /* of the limit at that pace: it may be late for the work alone */
static const double MostSeconds = 600;

static double limit_wanted(bool *chosen)
{
    const char *v = getenv("MOONTILE_TIME_LIMIT");
    char *end;
    double t = v && *v ? strtod(v, &end) : -1;
    *chosen = v && *v && !*end && t >= 0;
    return *chosen ? t : DefaultLimit;
}

void session_limit(Session *s, double seconds)
{
    bool chosen = seconds >= 0;
    s->limit = chosen ? seconds : limit_wanted(&chosen);
    s->grows = !chosen;
}

/* The values of a launch's scalars and sizes by Var: those behind the parameters are sizes. */
static void limit_bind(const Prog *p, const LaunchArg *arg, int narg, int64_t *env, bool *known)
{
    uint32_t dim = 0;
    for (int i = 0; i < narg; i++) {
        bool param = (uint32_t)i < p->nparam;
        uint32_t var = param && p->param[i].scalar ? p->param[i].id : 0;
        for (; !param && !var && dim < p->nvar; dim++)
            var = p->var[dim].kind == Vdim ? dim : 0;
        if (!var || arg[i].t || dtypeinfo[arg[i].dt].cls == 'F')
            continue;
        env[var] = arg[i].i;
        known[var] = true;
    }
}

static double limit_work(const Module *m, const LaunchArg *arg, int narg)
{
    const Prog *p = m->program;
    int64_t *env = p ? calloc(p->nvar + 1, sizeof *env) : NULL;
    bool *known = p ? calloc(p->nvar + 1, sizeof *known) : NULL;
    double n = 0;
    if (env && known) {
        limit_bind(p, arg, narg, env, known);
        n = prog_work(p, env, known);
    }
    free(env);
    free(known);
    return n;
}

/* Operations of the largest run of the request that is waited for; 0: not known. */
static double limit_asked(Session *s)
{
    const ArgLists *a = s->runs;
    if (s->work >= 0)
        return s->work;
    s->work = 0;
    for (int l = 0; a && l < a->lists; l++) {
        double n = limit_work(a->module[l % a->n], a->list[l], a->narg[l % a->n]);
        s->work = n > s->work ? n : s->work;
    }
    return s->work;
}

double worker_work(Session *s)
{
    double pace = s->target->pace, n = pace > 0 ? limit_asked(s) : 0;
    return n > pace * s->limit * Much ? n : 0;
}

/* What is not the kernel's own time gets more of it: there the machine is slow, and compilers are. */
double worker_limit(Session *s)
{
    double pace = s->target->pace, least = s->limit;
    if (atomic_load(&s->board->phase) != PHrun)
        least = s->limit * PatienceTimes < PatienceLimit ? s->limit * PatienceTimes : PatienceLimit;
    else if (s->grows && pace > 0)
        least = limit_asked(s) / pace < MostSeconds ? limit_asked(s) / pace : MostSeconds;
    return s->limit > least ? s->limit : least;
}
