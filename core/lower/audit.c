/* core/lower/audit.c: the trials of an audit; see audit.h. */
#include "audit.h"
#include "lower.h"

static bool counter(void *ud, Ex e, int64_t *v)
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

static void make(Audit *a)
{
    const Prog *p = a->p;
    Ctx *c = a->c;
    size_t n = p->nbuf;
    a->threads = a->launch->launch.threads[0];
    a->warps = (a->threads + a->m->warp - 1) / a->m->warp;
    a->blocks = a->launch->launch.cluster[0] > 1 ? a->launch->launch.cluster[0] : 1;
    eval_init(&a->ev, a->p, a->launch->launch.thread[0], a->threads);
    a->ev.ask = counter;
    a->ev.ud = a;
    a->mem = anew(c, n * sizeof *a->mem);
    a->set = anew(c, n);
    a->table = anew(c, n * sizeof *a->table);
    a->run = anew(c, n * sizeof *a->run);
    a->on = anew(c, (size_t)a->threads);
    count_objects(a);
}

static void trial(Audit *a, AuditFound *f, int64_t trips, bool truth)
{
    a->trial = (Trial){trips, truth};
    audit_trace(a);
    if (!a->lost)
        audit_play(a);
    f->whole &= !a->lost && !(a->limit && a->work > a->limit);
}

AuditFound audit_run(Prog *p, const Machine *m, Stmt *launch, int64_t limit)
{
    static const int64_t trips[] = {4, 0, 1, 2, 3, 7};
    size_t ntrips = limit ? 3 : COUNT(trips);
    Audit *a = anew(&p->ctx, sizeof *a);
    *a = (Audit){.p = p, .launch = launch, .m = m, .c = &p->ctx, .limit = limit};
    AuditFound f = {.whole = true};
    make(a);
    if (!audit_tree(a))
        return f;
    a->stamp = anew(a->c, a->ncell * sizeof *a->stamp);
    a->stampat = anew(a->c, a->ncell * sizeof *a->stampat);
    for (size_t i = 0; i < ntrips && (i == 0 || a->open); i++)
        for (int truth = 1; truth >= 0 && (truth || a->fork); truth--)
            trial(a, &f, trips[i], truth);
    f.lack = a->lack;
    f.n = a->nlack;
    f.work = a->work;
    return f;
}

typedef struct Asked Asked;
struct Asked {
    Prog *p;
    const Machine *m;
    int64_t limit;
    Unordered *at; uint32_t n, cap;
    bool whole;
};

static void ask(Ctx *c, void *ud)
{
    Asked *k = ud;
    for (Stmt *s = k->p->body; s; s = s->next) {
        if (s->kind != Slaunch)
            continue;
        AuditFound f = audit_run(k->p, k->m, s, k->limit);
        k->whole &= f.whole;
        agrow(c, &k->at, &k->cap, k->n + f.n + 1, sizeof *k->at);
        for (uint32_t i = 0; i < f.n; i++)
            k->at[k->n++] = (Unordered){f.lack[i].a->loc, f.lack[i].b->loc,
                                        k->p->buf[f.lack[i].buf].name, f.lack[i].fence};
    }
}

const Unordered *prog_audit(Prog *p, const Machine *m, int64_t limit, uint32_t *n, bool *whole)
{
    Asked k = {.p = p, .m = m, .limit = limit, .whole = true};
    *whole = ctx_try(&p->ctx, ask, &k) && k.whole;
    *n = k.n;
    return k.at;
}
