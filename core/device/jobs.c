/* core/device/jobs.c: see jobs.h.
 *
 * Programs share nothing, so a job needs no lock but the counter that hands out
 * the next one.  The calling thread works too. */
#include <pthread.h>
#include <stdatomic.h>

#include "core/base/clock.h"
#include "core/base/deep.h"
#include "jobs.h"
#include "err/run.h"

typedef struct Jobs Jobs;
struct Jobs {
    BuildJob *job;
    int n;
    const Target *t;
    const char *options;
    atomic_int next;
    atomic_bool stop;
};

typedef struct Hand Hand; /* one of the threads */
struct Hand { Jobs *jobs; Session *session; pthread_t thread; bool runs; };

/* Has the device compile what was built. */
static bool jobs_prepare(Session *s, BuildJob *j)
{
    Ctx *c = &j->p->ctx;
    Module *m = session_load(s, c, j->a.path.s, j->p->name);
    bool ok = m && session_prepare(s, c, m, &j->facts);
    if (m)
        module_free(m);
    return ok;
}

/* Who sees an interruption tells the others: what ends a job by it sets
 * interrupt_asked back. */
static void *jobs_work(void *ud)
{
    Hand *h = ud;
    Jobs *k = h->jobs;
    for (;;) {
        if (interrupt_asked)
            atomic_store(&k->stop, true);
        int i = atomic_fetch_add(&k->next, 1);
        if (i >= k->n || atomic_load(&k->stop))
            return NULL;
        BuildJob *j = &k->job[i];
        double start = clock_ms();
        j->begun = true;
        j->ok = prog_compile(j->p, k->t, k->options, true, &j->a) &&
                (!h->session || jobs_prepare(h->session, j));
        j->ms = clock_ms() - start;
        for (const Diag *d = j->p->ctx.diags; d; d = d->next)
            if (d->err == E_build_interrupted || d->err == E_interrupted)
                atomic_store(&k->stop, true);
    }
}

bool build_jobs(BuildJob *job, int n, const Target *t, const char *options,
                Session *const *session, int threads)
{
    Jobs k = {.job = job, .n = n, .t = t, .options = options};
    Hand hand[MostJobs] = {{0}};
    pthread_attr_t attr;
    bool have = pthread_attr_init(&attr) == 0;
    bool deep = have && pthread_attr_setstacksize(&attr, DeepBytes) == 0;
    if (threads > n)
        threads = n;
    if (threads > MostJobs)
        threads = MostJobs;
    for (int i = 0; i < threads; i++) {
        hand[i] = (Hand){.jobs = &k, .session = session ? session[i] : NULL};
        if (i > 0 && deep) /* else the first does all */
            hand[i].runs = pthread_create(&hand[i].thread, &attr, jobs_work, &hand[i]) == 0;
    }
    if (have)
        pthread_attr_destroy(&attr);
    if (threads > 0)
        jobs_work(&hand[0]);
    for (int i = 1; i < threads; i++)
        if (hand[i].runs)
            pthread_join(hand[i].thread, NULL);
    if (!atomic_load(&k.stop))
        return true;
    interrupt_asked = 0;
    return false;
}
