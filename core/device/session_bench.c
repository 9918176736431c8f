/* core/device/session_bench.c: timing several kernels against each other.
 *
 * The worker gets all argument sets (Mset) and then runs whole rounds (Mbench),
 * as many of them at once as its answer can hold. */
#include <string.h>

#include "session_p.h"
#include "err/run.h"

/* Rounds [first, first + rounds) of a job. */
typedef struct BenchPiece BenchPiece;
struct BenchPiece { const BenchJob *job; int first, rounds; };

static bool send_bench(Session *s, const Request *r)
{
    const BenchPiece *p = r->ud;
    const BenchJob *j = p->job;
    Msg *m = s->msg;
    for (int i = 0; i < j->n; i++)
        if (!send_load(s, j->module[i], false))
            return false;
    for (int i = 0; i < j->nsets * j->n; i++) {
        msg_start(m, Mset, ++s->seq);
        put_u64(m, (uint64_t)i);
        put_args(m, j->set[i], j->narg[i % j->n]);
        if (!msg_send(s->fd, m))
            return false;
    }
    msg_start(m, Mbench, ++s->seq);
    put_u64(m, (uint64_t)j->n);
    for (int i = 0; i < j->n; i++)
        put_u64(m, j->module[i]->id);
    put_u64(m, (uint64_t)j->nsets);
    put_u64(m, (uint64_t)(p->first % j->nsets));
    put_u64(m, p->first ? 0 : (uint64_t)j->warmup);
    put_u64(m, (uint64_t)p->rounds);
    put_u64(m, j->batch > 1 ? (uint64_t)j->batch : 1);
    put_u64(m, j->flush);
    put_u64(m, j->chain);
    return msg_send(s->fd, m);
}

/* How many rounds the next message asks for: as a later one goes on where it
 * ends, with the same sets in the same order, whole turns of both. */
static int session_bench_rounds_at(const BenchJob *j, int first)
{
    int left = j->rounds - first, most = BenchTimes / (j->n + 1), turn = 2 * j->nsets;
    if (left <= most)
        return left;
    return most < turn ? most / 2 * 2 : most / turn * turn;
}

static bool run_piece(Session *s, Ctx *c, const BenchPiece *p)
{
    const BenchJob *j = p->job;
    ArgLists args = {j->set, j->narg, j->n, j->nsets * j->n, j->module};
    Request r = {send_bench, j->module[0], p, NULL, &args};
    if (!request(s, c, &r))
        return false;
    get_u64(s->msg); /* as many as were asked for, or it reads as zeros */
    for (int i = 0; i < j->n; i++)
        for (int k = 0; k < p->rounds; k++)
            j->ms[i * j->rounds + p->first + k] = get_double(s->msg);
    for (int k = 0; k < p->rounds; k++)
        j->mhz[p->first + k] = get_double(s->msg);
    return !s->msg->bad || report(c, E_bug, "the answer to a bench does not read", NULL, NULL);
}

bool session_bench(Session *s, Ctx *c, const BenchJob *j)
{
    for (int i = 0; i < j->n; i++) {
        if (j->module[i]->session != s)
            return report(c, E_session_closed, NULL, NULL, NULL);
        for (int k = 0; k < j->nsets; k++)
            if (!check_args(c, j->module[i], j->set[k * j->n + i], j->narg[i]))
                return false;
    }
    if (j->n < 1 || j->n > BenchModules || j->nsets < 1 || j->nsets * j->n > BenchSets)
        return report(c, E_bug, "a bench of too many modules or sets", NULL, NULL);
    for (int first = 0, n; first < j->rounds; first += n) {
        n = session_bench_rounds_at(j, first);
        if (!run_piece(s, c, &(BenchPiece){j, first, n}))
            return false;
    }
    return true;
}
