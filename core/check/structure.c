/* core/check/structure.c: what may stand inside of what: T.Parallel loops,
 * what T.Parallel may hold, and the order and stage lists of T.Pipelined. */
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "check.h"
#include "err/check.h"

typedef struct Enclosing Enclosing;
struct Enclosing {
    Facts *f;
    const Stmt *parallel; /* the T.Parallel around, or NULL */
    bool perfect;         /* nothing but loops between it and here */
    bool vector;          /* inside of a vectorized loop */
    bool apart;           /* threads may differ in whether, or how often, they come here */
    int64_t threads;      /* of the block */
};

static const char *structure_num(Facts *f, int64_t v)
{
    return afmt(&f->p->ctx, "%lld", (long long)v);
}

static void check_block(Enclosing a, const Stmt *s);

/* Pipelines ------------------------------------------------------------ */

/* What the lists of loop count; out: NULL, or where it goes. */
static int listed_of(const Prog *p, const Stmt *loop, const Stmt **out)
{
    int n = 0;
    for (const Stmt *s = loop->loop.body; s; s = s->next)
        if (stmt_listed(p, loop, s)) {
            if (out)
                out[n] = s;
            n++;
        }
    return n;
}

static const Stmt *structure_outermost(const Access *a, const Stmt *loop)
{
    const Stmt *s = a->s;
    for (const CheckFrame *k = a->in; k && k->s != loop; k = k->up)
        s = k->s;
    return s;
}

static bool structure_length(Facts *f, const Stmt *s, const char *name, uint32_t have, int want)
{
    if (have == 0 || have == (uint32_t)want)
        return true;
    diag(&f->p->ctx, E_pipe_length, s->loc, name, structure_num(f, have), structure_num(f, want),
         NULL);
    return false;
}

/* Entries below 0 leave the choice to the compiler. */
static bool structure_distinct(Facts *f, const Stmt *s)
{
    for (uint32_t i = 0; i < s->loop.norder; i++)
        for (uint32_t j = 0; j < i; j++)
            if (s->loop.order[i] == s->loop.order[j] && s->loop.order[i] >= 0) {
                diag(&f->p->ctx, E_pipe_equal, s->loc, structure_num(f, s->loop.order[i]),
                     structure_num(f, j), structure_num(f, i), NULL);
                return false;
            }
    return true;
}

/* Statement j reads what statement i, before it in the body, has written. */
static bool structure_depends(Facts *f, const Stmt *s, int i, int j, uint32_t buf, Loc at)
{
    const int32_t *stage = s->loop.stage, *order = s->loop.order;
    const char *name = f->p->buf[buf].name;
    if (stage && (stage[i] < 0 || stage[j] < 0))
        return true;
    if (stage && stage[i] > stage[j]) {
        diag(&f->p->ctx, E_pipe_stage, at, name, structure_num(f, stage[i]),
             structure_num(f, stage[j]), NULL);
        return false;
    }
    if (order && order[i] >= 0 && order[j] >= 0 && order[i] > order[j] &&
        (!stage || stage[i] == stage[j])) {
        diag(&f->p->ctx, E_pipe_order, at, name, structure_num(f, order[i]),
             structure_num(f, order[j]), NULL);
        return false;
    }
    return true;
}

static int index_in_list(const Stmt *const *body, int n, const Stmt *s)
{
    for (int i = 0; i < n; i++)
        if (body[i] == s)
            return i;
    return -1;
}

/* Two updates of one kind need nothing of each other. */
static void dependencies(Facts *f, const Stmt *s, const Stmt *const *body, int n)
{
    const CheckFrame *frame = NULL;
    for (uint32_t k = 0; k < f->n && !frame; k++)
        for (const CheckFrame *q = f->a[k].in; q; q = q->up)
            if (q->s == s)
                frame = q;
    for (uint32_t k = frame ? frame->first : 0; frame && k < frame->last; k++) {
        if (!(f->a[k].mode & Awrite))
            continue;
        int i = index_in_list(body, n, structure_outermost(&f->a[k], s));
        for (uint32_t m = k + 1; m < frame->last; m++) {
            const Access *b = &f->a[m];
            int j = index_in_list(body, n, structure_outermost(b, s));
            if (b->mode & Aread && i >= 0 && j > i && !(b->update && b->update == f->a[k].update) &&
                buf_root(f->p, b->buf) == buf_root(f->p, f->a[k].buf) &&
                !structure_depends(f, s, i, j, b->buf, b->s->loc))
                return;
        }
    }
}

/* T.Pipelined(n, 3) runs from n up to 3: the stages were meant. */
static void stages(Facts *f, const Stmt *s)
{
    enum { MostStages = 8 };
    int64_t lo, hi;
    if (s->loop.num_stages == 0 && x_isint(f->p, s->loop.lo[0], &lo) &&
        x_isint(f->p, s->loop.hi[0], &hi) && 0 < hi && hi <= lo && hi <= MostStages)
        diag(&f->p->ctx, E_pipe_never, s->loc, afmt(&f->p->ctx, "%lld", (long long)lo),
             afmt(&f->p->ctx, "%lld", (long long)hi), NULL);
}

static void pipeline(Facts *f, const Stmt *s)
{
    stages(f, s);
    if (!s->loop.norder && !s->loop.nstage)
        return;
    int n = listed_of(f->p, s, NULL);
    if (!structure_length(f, s, "order", s->loop.norder, n) ||
        !structure_length(f, s, "stage", s->loop.nstage, n) || !structure_distinct(f, s))
        return;
    const Stmt **body = anew(&f->p->ctx, ((size_t)n + 1) * sizeof *body);
    listed_of(f->p, s, body);
    dependencies(f, s, body, n);
}

/* T.Parallel ----------------------------------------------------------- */

/* A private array whose element is chosen by an index of T.Parallel. */
static void structure_privates(Facts *f)
{
    const Prog *p = f->p;
    const Stmt *last = NULL;
    for (uint32_t k = 0; k < f->n && !check_full(f); k++) {
        const Access *a = &f->a[k];
        const CheckFrame *par = frame_parallel(a->in);
        if (!par || a->s == last || p->buf[a->buf].scope != SClocal ||
            f->born[buf_root(p, a->buf)] > par->begin)
            continue;
        for (int d = 0; d < a->ndim; d++)
            for (const CheckFrame *q = a->in; q; q = q->up)
                for (int i = 0; q->s->kind == Sfor && q->s->loop.kind == Fparallel &&
                                     i < q->s->loop.n && a->s != last; i++)
                    if (x_uses(p, a->idx[d], q->s->loop.var[i])) {
                        diag(&f->p->ctx, E_parallel_local, a->s->loc, p->buf[a->buf].name,
                             p->var[q->s->loop.var[i]].name, NULL);
                        last = a->s;
                    }
    }
}

/* Prints a message, or what a thread has for itself? */
static bool prints_own(const Prog *p, const Stmt *s)
{
    uint32_t b = s->op.r[0].buf;
    return s->op.op == Oprint && (!b || p->buf[b].scope == SClocal || p->buf[b].scope == SCvar);
}

static void check_inside_of(const Enclosing *a, const Stmt *s)
{
    Ctx *c = &a->f->p->ctx;
    if (s->kind == Sop && !prints_own(a->f->p, s))
        diag(c, E_parallel_op, s->loc, opinfo[s->op.op].text, "Parallel", NULL);
    else if (s->kind == Sfor && s->loop.kind == Fpipelined)
        diag(c, E_parallel_pipelined, s->loc, NULL);
    else if (s->kind == Sfor && s->loop.kind == Fparallel && !a->perfect)
        diag(c, E_parallel_nested, s->loc, NULL);
}

/* In a vectorized loop; prints are of one thread's, and let be. */
static void in_vector(const Enclosing *a, const Stmt *s)
{
    Ctx *c = &a->f->p->ctx;
    if (s->kind == Sop && s->op.op != Oprint && opinfo[s->op.op].level == 'T')
        diag(c, E_parallel_op, s->loc, opinfo[s->op.op].text, "vectorized", NULL);
    else if (s->kind == Sfor && (s->loop.kind == Fpipelined || s->loop.kind == Fparallel))
        diag(c, E_parallel_op, s->loc, s->loop.kind == Fparallel ? "Parallel" : "Pipelined", "vectorized",
             NULL);
}

/* Atomics of the block --------------------------------------------------- */

static bool of_a_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    bool load = x->op == Xload && (p->buf[x->sym].scope == SCvar || p->buf[x->sym].scope == SClocal);
    return load || (x->op == Xvar && p->var[x->sym].kind == Vthread);
}

static bool structure_one_for_all(void *ud, Ex e) { return !ex_any_let(ud, e, of_a_thread, ud); }

/* TileLang's atomic outside of T.Parallel is done by each thread, this one once for the block: that counts
 * where doing it again makes a difference.  What may differ between threads is done by each here too. */
static void check_once(const Enclosing *a, const Stmt *s)
{
    Prog *p = a->f->p;
    int64_t v;
    bool zero = s->atomic.value[0] && x_isint(p, s->atomic.value[0], &v) && v == 0;
    bool again = s->atomic.kind == Rsum ? !zero : s->atomic.prev && s->atomic.kind != ATload;
    if (a->parallel || a->apart || s->own || !again || a->threads < 2 || p->buf[s->atomic.buf].scope == SClocal ||
        !stmt_exprs(p, s, structure_one_for_all, p))
        return;
    diag(&p->ctx, E_atomic_once, s->loc, structure_num(a->f, a->threads), NULL);
}

static void check_statement(Enclosing a, const Stmt *s)
{
    Stmt *inner[2];
    if (s->kind == Slaunch)
        a.threads = (int64_t)s->launch.threads[0] * (s->launch.nthread > 1 ? s->launch.threads[1] : 1) *
                    (s->launch.nthread > 2 ? s->launch.threads[2] : 1);
    else if (s->kind == Satomic)
        check_once(&a, s);
    bool parallel = s->kind == Sfor && s->loop.kind == Fparallel;
    if (a.parallel)
        check_inside_of(&a, s);
    else if (a.vector)
        in_vector(&a, s);
    if (s->kind == Sfor && s->loop.kind == Fpipelined && !a.parallel)
        pipeline(a.f, s);
    a.perfect = parallel && (!a.parallel || a.perfect) && s->loop.body && !s->loop.body->next;
    if (parallel)
        a.parallel = s;
    a.vector |= s->kind == Sfor && s->loop.kind == Fvectorized;
    if (s->kind == Sif || s->kind == Swhile || (s->kind == Sfor && !parallel)) {
        Stmt one = stmt_bare(s);
        a.apart |= !stmt_exprs(a.f->p, &one, structure_one_for_all, a.f->p);
    }
    for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
        check_block(a, inner[i]);
}

static void check_block(Enclosing a, const Stmt *s)
{
    for (; s && !check_full(a.f); s = s->next)
        check_statement(a, s);
}

void check_structure(Facts *f)
{
    check_block((Enclosing){.f = f}, f->p->body);
    structure_privates(f);
}
