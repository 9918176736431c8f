/* core/lower/audit/audit.c: the trials of an audit; see audit.h. */
#include <string.h>

#include "core/lower/lower.h"
#include "audit.h"
#include "core/lower/build/low.h"

/* Most to look at where no round is left out: to find where the end is, or whether what lacks does. */
enum { Whole = 1 << 22, Again = 1 << 16 };

static bool audit_counter(void *ud, Ex e, int64_t *v)
{
    const Audit *a = ud;
    const Expr *x = &a->p->ex[e];
    if (x->op != Xload || !a->set[buf_root(a->p, x->sym)])
        return false;
    *v = a->mem[buf_root(a->p, x->sym)];
    return true;
}

/* mbarriers by number. */
static void count_objects(Audit *a)
{
    const Prog *p = a->p;
    int64_t n;
    a->object = anew(a->c, p->nbuf * sizeof *a->object);
    a->mbars = anew(a->c, p->nbuf * sizeof *a->mbars);
    for (uint32_t b = 1; b < p->nbuf; b++) {
        const Buf *u = &p->buf[b];
        if (u->scope != SCbarrier || u->base || u->at < 0 || u->ndim != 1 ||
            !x_isint(p, u->shape[0], &n) || n <= 0)
            continue;
        a->object[b] = a->nobject + 1;
        a->mbars[b] = n;
        a->nobject += (uint32_t)n;
    }
}

static void audit_make(Audit *a)
{
    const Prog *p = a->p;
    Ctx *c = a->c;
    size_t n = p->nbuf;
    a->threads = a->launch->launch.threads[0];
    a->warps = (a->threads + a->m->warp - 1) / a->m->warp;
    a->blocks = a->launch->launch.cluster[0] > 1 ? a->launch->launch.cluster[0] : 1;
    eval_init(&a->ev, a->p, a->launch->launch.thread[0], a->threads);
    a->ev.ask = audit_counter;
    a->ev.ud = a;
    a->mem = anew(c, n * sizeof *a->mem);
    a->set = anew(c, n);
    a->table = anew(c, n * sizeof *a->table);
    a->run = anew(c, n * sizeof *a->run);
    a->on = anew(c, (size_t)a->threads);
    count_objects(a);
}

static bool audit_over(const Audit *a) { return a->limit && a->work > a->limit; }

/* One run; where it comes to a stand, or NULL. */
static const Stmt *audit_skipping(Audit *a, int skip)
{
    a->skip = (uint8_t)skip;
    audit_trace(a);
    if (a->lost || audit_over(a))
        return NULL;
    audit_merge(a);
    return audit_play(a);
}

/* A run that leaves out rounds says more than there is where what it leaves out matters: nobody
 * comes to the end, or something lacks.  Then one that leaves out fewer says it. */
static const Stmt *play_surely(Audit *a)
{
    int64_t limit = a->limit;
    uint32_t before = a->nlack;
    const Stmt *at = audit_skipping(a, SKown);
    if (a->skipped && (at || a->nlack > before) && !a->lost && !audit_over(a)) {
        a->nlack = before;
        at = audit_skipping(a, SKcommon);
    }
    if (a->skipped && (at || a->nlack > before) && !a->lost && !audit_over(a)) {
        uint32_t n = a->nlack - before;
        Lack *found = anew(a->c, (n + 1) * sizeof *found);
        if (n)
            memcpy(found, a->lack + before, n * sizeof *found);
        a->nlack = before;
        bool ends = !at;
        int64_t most = a->work + (ends ? Again : Whole);
        a->limit = limit && limit < most ? limit : most;
        at = audit_skipping(a, SKnone);
        if (audit_over(a)) { /* those stand that were found */
            agrow(a->c, &a->lack, &a->caplack, before + n + 1, sizeof *a->lack);
            memcpy(a->lack + before, found, n * sizeof *found);
            a->nlack = before + n;
        }
        if (ends)
            a->limit = limit;
    }
    return at;
}

static void audit_trial(Audit *a, AuditFound *f, int64_t trips, bool truth)
{
    int64_t limit = a->limit;
    a->trial = (Trial){trips, truth};
    const Stmt *at = play_surely(a);
    if (at && !a->open && !a->fork && !a->guess)
        f->stuck = at;
    else if (at && f->part == APwhole)
        f->part = APwait;
    if (a->lost)
        f->part = APvalue;
    if (audit_over(a))
        f->part = APlimit;
    a->limit = limit;
}

/* Rounds of a loop that is open which show what all its stages and phases do. */
static int64_t enough(Audit *a, Step *k)
{
    int64_t n = 4, v;
    for (; k; k = k->next) {
        const Stmt *s = k->s;
        if (!k->busy)
            continue;
        eval_reset(&a->ev);
        if (s->kind == Sfor && s->loop.n == 1 && !audit_as_one(k) &&
            !eval_one(&a->ev, s->loop.hi[0], &v) && audit_period(a, k) + 2 > n)
            n = audit_period(a, k) + 2;
        for (int i = 0; i < 2; i++)
            if (k->child[i] && (v = enough(a, k->child[i])) > n)
                n = v;
    }
    return n;
}

AuditFound audit_run(Prog *p, const Machine *m, Stmt *launch, int64_t limit)
{
    int64_t trips[] = {4, 0, 1, 2, 3, 7};
    size_t ntrips = limit ? 3 : COUNT(trips);
    Audit *a = anew(&p->ctx, sizeof *a);
    *a = (Audit){.p = p, .launch = launch, .m = m, .c = &p->ctx, .limit = limit};
    AuditFound f = {0};
    audit_make(a);
    if (!audit_tree(a))
        return f;
    a->stamp = anew(a->c, a->ncell * sizeof *a->stamp);
    a->stampat = anew(a->c, a->ncell * sizeof *a->stampat);
    trips[0] = enough(a, a->root);
    for (size_t i = 0; i < ntrips && (i == 0 || a->open); i++)
        for (int truth = 1; truth >= 0 && (truth || a->fork); truth--)
            audit_trial(a, &f, trips[i], truth);
    f.lack = a->lack;
    f.n = a->nlack;
    f.work = a->work;
    return f;
}

typedef struct AuditAsked AuditAsked;
struct AuditAsked {
    Prog *p;
    const Machine *m;
    int64_t limit;
    Unordered *at; uint32_t n, cap;
    bool whole;
};

static void audit_ask(Ctx *c, void *ud)
{
    AuditAsked *k = ud;
    for (Stmt *s = k->p->body; s; s = s->next) {
        if (s->kind != Slaunch)
            continue;
        AuditFound f = audit_run(k->p, k->m, s, k->limit);
        k->whole &= f.part == APwhole;
        agrow(c, &k->at, &k->cap, k->n + f.n + 1, sizeof *k->at);
        if (f.stuck)
            k->at[k->n++] = (Unordered){.to = f.stuck->loc};
        for (uint32_t i = 0; i < f.n; i++)
            k->at[k->n++] = (Unordered){f.lack[i].a->loc, f.lack[i].b->loc,
                                        k->p->buf[f.lack[i].buf].name, f.lack[i].fence};
    }
}

const Unordered *prog_audit(Prog *p, const Machine *m, int64_t limit, uint32_t *n, bool *whole)
{
    AuditAsked k = {.p = p, .m = m, .limit = limit, .whole = true};
    *whole = ctx_try(&p->ctx, audit_ask, &k) && k.whole;
    *n = k.n;
    return k.at;
}
