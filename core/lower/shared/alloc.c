/* core/lower/shared/alloc.c: byte offsets in the block's shared memory, by lifetimes.
 *
 * Statements are numbered in program order.  A buffer lives from its first to
 * its last touch; a loop that it enters from outside counts as a whole, since
 * the next iteration may still read what this one wrote.  Scratch of the passes
 * is written anew in each iteration that reads it, so it enters a loop only
 * where it is touched on both sides of the loop's border.  Roles that follow each
 * other run together, so to the others what one of them touches lives through all of
 * them; inside of one there is an order, of which use is made where bytes lack.
 * What is read asynchronously (wgmma, bulk stores) lives until everything of
 * that kind was waited for behind its last touch; where bytes lack, only until the wait
 * that each round of a loop makes behind its reads, or those who began them under their
 * condition, and roles that wait for nobody end before what follows.  An if of single threads
 * counts as a whole, since no barrier can stand inside of it.
 * Barriers live through the kernel.
 *
 * Two buffers whose lives overlap get bytes of their own; otherwise bytes are
 * used again, and low_sync, which looks at bytes, sees the conflict. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "core/lower/build/low.h"
#include "core/lower/flatten/flatten.h"
#include "shared.h"
#include "err/pipes.h"

enum Reader { RDwgmma, RDbulk, NReader }; /* what reads asynchronously */

typedef struct BufferLife BufferLife;
struct BufferLife {
    uint32_t buf;
    uint64_t age;        /* buf_age(): older ones come first where all else is alike */
    int64_t bytes, align, at;
    int first, last;     /* numbers of statements; first > last: never touched */
    int from, to;        /* the same, where roles that wait for nobody end before what follows */
    int loop;            /* scratch: where the loop began that holds all touches so far, or -1 */
    bool fresh;          /* scratch, and the first touch was a write */
    int role, in, out;   /* all touches are in the role that began at `role`, 0: not so; there,
                          * this is its life */
    int depth;           /* loops around its alloc */
    int async_r[NReader], async_w; /* last asynchronous reads and write, -1: none */
    int begun[NReader], ended[NReader]; /* the first of them behind `ended`: until there, all were waited
                                         * for by those who began them */
    int waited;          /* `to`, if waits of a loop's own rounds, or of some threads, end its reads */
    bool read;           /* by anything */
};

/* Bytes that are taken: the greatest end of this one and those before it. */
typedef struct Busy Busy;
struct Busy { int64_t at, end; };

enum { SmallBytes = 1024 };

/* A wait by all threads.  What is in flight since `from` or later comes to it for certain: that is
 * where its role began, or a loop or branch around it that may be left out.  sure: in the same round,
 * too, of the loops around it, none of which is left early. */
typedef struct AllocWait AllocWait;
struct AllocWait { int at, from; bool sure; };

typedef struct SharedAlloc SharedAlloc;
struct SharedAlloc {
    Low *l;
    BufferLife *life; uint32_t n, cap;
    uint32_t *index;     /* of a Buf: 1 + its BufferLife, 0 none */
    int now, depth;
    const int *stages;   /* estimates: how often a Buf will stand in memory */
    int part, role;      /* conditions around that only some threads take; where the role began */
    int apart;           /* where the outermost of those began */
    int ended[NReader];  /* the last wait that all who take it make, and nobody else */
    int open;            /* where the innermost block around began that may be left out; 0: none */
    int left;            /* loops around that may be left early */
    AllocWait *wait[NReader]; /* wgmma_wait 0 and bulk_wait 0 */
    uint32_t nwait[NReader], capwait[NReader];
    const BufferLife **placed; /* those that have a place, by it */
    Busy *busy; uint32_t nbusy; /* see alloc_busy() */
    int64_t *end; uint32_t nend; /* where they end, in order; 0 at first */
    int64_t small;        /* buffers of up to so many bytes share them with nobody */
    bool within;          /* buffers of one role share them */
    bool waited;          /* waits of a loop's own rounds, or of some threads, end reads; roles end */
};

/* Lives ----------------------------------------------------------------- */

static BufferLife *life_of(SharedAlloc *t, uint32_t buf)
{
    uint32_t root = buf_root(t->l->p, buf);
    return t->index[root] ? &t->life[t->index[root] - 1] : NULL;
}

/* Is what a loop's iteration reads of buf what it wrote, if it wrote first? */
static bool alloc_scratch(SharedAlloc *t, uint32_t buf)
{
    const BufLow *b = low_buf(t->l, buf);
    return b->scratch && !b->versions && !b->pipe;
}

static void extend_life(SharedAlloc *t, uint32_t buf, bool write, char done)
{
    BufferLife *f = buf ? life_of(t, buf) : NULL;
    if (!f || f->last == INT32_MAX)
        return;
    if (f->first > f->last) {
        f->first = f->from = t->now;
        f->fresh = write && alloc_scratch(t, f->buf);
    }
    if (f->loop >= 0) /* it leaves that loop: the last iteration's may be meant */
        f->first = f->from = f->loop;
    f->loop = -1;
    f->role = 0;
    f->last = f->to = t->now;
    f->read |= !write;
    if (done == 's')
        return;
    if (write) {
        f->async_w = t->now;
    } else {
        enum Reader k = done == 'w' ? RDwgmma : RDbulk;
        f->begun[k] = f->async_r[k] <= f->ended[k] ? t->now : f->begun[k];
        f->async_r[k] = t->now;
    }
}

static bool alloc_effect(void *ud, const MemEffect *e)
{
    SharedAlloc *t = ud;
    if (e->mode & FXwrite)
        extend_life(t, e->buf, true, e->done);
    if (e->mode & FXread)
        extend_life(t, e->buf, false, e->done);
    return true;
}

/* Each thread waits for what it began itself: the wait of some ends nothing for the others, but
 * all that they began under the same condition. */
static void note_wait(SharedAlloc *t, enum Reader k)
{
    if (t->part > 0) {
        if (t->part == 1 && t->open == t->apart)
            t->ended[k] = t->now;
        return;
    }
    agrow(&t->l->p->ctx, &t->wait[k], &t->capwait[k], t->nwait[k] + 1, sizeof *t->wait[k]);
    t->wait[k][t->nwait[k]++] =
        (AllocWait){t->now, t->open > t->role ? t->open : t->role, t->left == 0};
}

static void op_lives(SharedAlloc *t, const Stmt *s)
{
    if (s->op.op == Owgmma_wait && s->op.attr[0] == 0)
        note_wait(t, RDwgmma);
    if (s->op.op == Obulk_wait && s->op.attr[0] == 0)
        note_wait(t, RDbulk);
}

/* Is f read or written by what does not wait for it? */
static bool alloc_async(const BufferLife *f)
{
    return f->async_r[RDwgmma] >= 0 || f->async_r[RDbulk] >= 0 || f->async_w >= 0;
}

/* Did f touch something since `start`? */
static bool alloc_accessed(const BufferLife *f, int start)
{
    return f->first <= f->last && f->last >= start && f->last != INT32_MAX;
}

static void alloc_widen(SharedAlloc *t, BufferLife *f, int start, bool all)
{
    f->first = f->first < start ? f->first : start;
    f->last = t->now;
    if (all) {
        f->from = f->from < start ? f->from : start;
        f->to = t->now;
    }
    f->loop = -1;
    f->role = 0;
}

static int64_t alloc_mapped(const Buf *b)
{
    return (layout_extent(b->map, AXoff) * dtypeinfo[b->dt].bits + 7) / 8;
}

/* Bytes before there is a map: its stages, and rows that will be padded. */
static int64_t alloc_expected(SharedAlloc *t, uint32_t buf)
{
    const Prog *p = t->l->p;
    const Buf *b = &p->buf[buf];
    int64_t n = buf_bytes(p, buf), row = 0;
    if (b->ndim > 1 && low_buf(t->l, buf)->span == -1 && x_isint(p, b->shape[b->ndim - 1], &row))
        n += n / (row * dtypeinfo[b->dt].bits / 8 + 1) * 16;
    return n * (t->stages ? t->stages[buf] : 1);
}

static void new_life(SharedAlloc *t, uint32_t buf)
{
    Prog *p = t->l->p;
    const Buf *b = &p->buf[buf];
    BufferLife f = {.buf = buf, .age = buf_age(low_buf(t->l, buf), buf), .first = 1, .last = 0, .from = 1,
                    .loop = -1, .depth = t->depth, .async_r = {-1, -1}, .ended = {-1, -1}, .async_w = -1};
    if (b->scope == SCshared) {
        f.bytes = b->map ? alloc_mapped(b) : alloc_expected(t, buf);
        f.align = low_align(t->l, buf, b->map);
    } else if (b->scope == SCbarrier) {
        f.bytes = buf_bytes(p, buf);
        f.align = 8;
        f.first = f.from = 0;
        f.last = f.to = INT32_MAX;
    } else {
        return;
    }
    agrow(&p->ctx, &t->life, &t->cap, t->n + 1, sizeof *t->life);
    t->life[t->n++] = f;
    t->index[buf] = t->n;
}

static void walk_lives(SharedAlloc *t, const Stmt *s);

static void block_lives(SharedAlloc *t, const Stmt *s)
{
    Stmt *b[2];
    for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
        walk_lives(t, b[i]);
}

static void lives_of(SharedAlloc *t, const Stmt *s)
{
    t->now++;
    stmt_effects(t->l->p, s, alloc_effect, t);
    if (s->kind == Salloc)
        new_life(t, s->alloc.buf);
    else if (s->kind == Sop)
        op_lives(t, s);
}

/* The end of a loop that began at `start` and has `depth` loops around it: what came
 * into it, or may be read by the next iteration, lives through all of it. */
static void close_loop(SharedAlloc *t, int start, int depth)
{
    t->now++;
    for (uint32_t i = 0; i < t->n; i++) {
        BufferLife *f = &t->life[i];
        if (!alloc_accessed(f, start) || f->depth > depth)
            continue;
        if (f->fresh && f->first >= start && !alloc_async(f))
            f->loop = start;
        else
            alloc_widen(t, f, start, true);
    }
}

/* Threads that run beside these may be anywhere since `start`: what is touched
 * there lives through all of it. */
static void close(SharedAlloc *t, int start)
{
    t->now++;
    for (uint32_t i = 0; i < t->n; i++)
        if (alloc_accessed(&t->life[i], start))
            alloc_widen(t, &t->life[i], start, true);
}

/* The end of a condition that only some threads take, which began at `start`. */
static void close_part(SharedAlloc *t, int start)
{
    for (uint32_t i = 0; i < t->n && t->part == 0; i++)
        for (int k = 0; k < NReader; k++) {
            BufferLife *f = &t->life[i];
            if (f->async_r[k] >= 0 && f->begun[k] >= start && f->async_r[k] < t->ended[k])
                f->ended[k] = t->now;
        }
    close(t, start);
}

/* Ends s, whatever other threads do? */
static bool alloc_ends(Stmt *s, void *ud)
{
    (void)ud;
    switch (s->kind == Sop ? (enum Op)s->op.op : Onone) {
    case Ombar_wait: case Obar_sync: case Ocluster_wait: case Opipe_acquire: case Opipe_wait:
    case Ocall_extern: return false;
    default: return s->kind != Swhile && s->kind != Scall;
    }
}

/* The same for roles, each of which follows its own order.  wait: one of them waits for others, so
 * that no barrier of all can stand behind it. */
static void close_roles(SharedAlloc *t, int start, bool wait)
{
    t->now++;
    for (uint32_t i = 0; i < t->n; i++) {
        BufferLife *f = &t->life[i];
        int role = f->role;
        if (!alloc_accessed(f, start))
            continue;
        alloc_widen(t, f, start, wait);
        f->role = role;
    }
}

/* The end of a role that began at `start`; can its threads wait for each other? */
static void close_role(SharedAlloc *t, int start, bool waits)
{
    for (uint32_t i = 0; i < t->n; i++) {
        BufferLife *f = &t->life[i];
        if (!alloc_accessed(f, start))
            continue;
        f->role = waits && f->first >= start && !alloc_async(f) ? start : 0;
        f->in = f->first;
        f->out = f->last;
    }
}

/* May what is in s be left out: a branch, a loop without rounds, or one that is left early? */
static bool alloc_open(const SharedAlloc *t, const Stmt *s)
{
    int64_t lo, most, least, hi;
    if (s->kind != Sfor)
        return s->kind == Sif || s->kind == Swhile;
    for (int i = 0; i < s->loop.n; i++)
        if (!x_range(t->l->p, s->loop.lo[i], &lo, &most) || !x_range(t->l->p, s->loop.hi[i], &least, &hi) ||
            most >= least)
            return true;
    return stmt_leaves(s->loop.body);
}

/* Roles run together, and threads may be in one while others are past it: from
 * the first of a list to its last. */
static void walk_lives(SharedAlloc *t, const Stmt *s)
{
    const Stmt *last = NULL;
    int roles = 0;
    bool wait = false;
    for (const Stmt *k = s; k; k = k->next) {
        last = k->kind == Srole ? k : last;
        wait = wait || (k->kind == Srole && !stmt_walk(k->role.body, alloc_ends, NULL));
    }
    for (; s; s = s->next) {
        int start = t->now + 1;
        bool loop = s->kind == Sfor || s->kind == Swhile;
        if (s->kind == Srole && !roles)
            roles = start;
        bool part = s->kind == Sif && !low_uniform(t->l, s->cond.cond);
        bool left = s->kind == Swhile || (s->kind == Sfor && stmt_leaves(s->loop.body));
        int outer = t->role, open = t->open;
        lives_of(t, s);
        t->open = alloc_open(t, s) ? start : open;
        t->depth += loop;
        t->part += part;
        if (part && t->part == 1) /* all of it, by the same threads? */
            t->apart = s->cond.els || stmt_leaves(s->cond.then) ? -1 : start;
        t->left += left;
        t->role = s->kind == Srole ? start : t->role;
        block_lives(t, s);
        t->role = outer;
        t->open = open;
        t->part -= part;
        t->left -= left;
        t->depth -= loop;
        if (loop)
            close_loop(t, start, t->depth);
        if (part)
            close_part(t, start);
        if (s->kind == Srole)
            close_role(t, start, t->l->m->named_barriers && !flat_ragged(t->l, s));
        if (s == last)
            close_roles(t, roles, wait);
    }
}

/* The first wait behind `at`, or the end of the kernel; sure: that comes in the same round. */
static int alloc_waited(const SharedAlloc *t, enum Reader k, int at, bool sure)
{
    for (uint32_t i = 0; i < t->nwait[k]; i++) {
        const AllocWait *w = &t->wait[k][i];
        if (w->at > at && at >= w->from && (w->sure || !sure))
            return w->at;
    }
    return INT32_MAX;
}

static int most(int a, int b) { return a > b ? a : b; }

static void finish_lives(SharedAlloc *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        BufferLife *f = &t->life[i];
        int end = f->last, soon = f->to;
        for (enum Reader k = 0; k < NReader; k++)
            if (f->async_r[k] >= 0) {
                int behind = alloc_waited(t, k, f->to, false);
                int same = most(f->to, alloc_waited(t, k, f->async_r[k], true));
                end = most(end, alloc_waited(t, k, f->last, false));
                soon = f->async_r[k] <= f->ended[k] ? soon : most(soon, same < behind ? same : behind);
            }
        if (f->async_w >= 0 && !f->read) /* nobody waits for it: it may arrive at any time */
            end = soon = INT32_MAX;
        f->last = end;
        f->waited = soon;
    }
}

/* Offsets --------------------------------------------------------------- */

typedef int Order(const void *a, const void *b);

static int larger(const void *a, const void *b)
{
    const BufferLife *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->age > y->age) - (x->age < y->age);
}

static int longer(const void *a, const void *b)
{
    const BufferLife *x = a, *y = b;
    int64_t n = (int64_t)x->last - x->first, m = (int64_t)y->last - y->first;
    return n != m ? (n > m ? -1 : 1) : larger(a, b);
}

static int alloc_earlier(const void *a, const void *b)
{
    const BufferLife *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : larger(a, b);
}

static int later(const void *a, const void *b)
{
    const BufferLife *x = a, *y = b;
    return x->last != y->last ? (x->last > y->last ? -1 : 1) : larger(a, b);
}

static int64_t alloc_aligned(int64_t at, int64_t align) { return (at + align - 1) / align * align; }

static bool live_together(const SharedAlloc *t, const BufferLife *a, const BufferLife *b)
{
    if (t->within && a->role && a->role == b->role)
        return a->in <= b->out && b->in <= a->out;
    if (t->waited)
        return a->from <= b->waited && b->from <= a->waited;
    return a->first <= b->last && b->first <= a->last;
}

/* Reuse of bytes costs a barrier: small exchanges keep their own. */
static bool keep_apart(const SharedAlloc *t, const BufferLife *a, const BufferLife *b)
{
    return a->bytes <= t->small || b->bytes <= t->small;
}

/* The placed lives that overlap f's, in order of place. */
static void alloc_busy(SharedAlloc *t, uint32_t n, const BufferLife *f)
{
    int64_t end = 0;
    t->nbusy = 0;
    for (uint32_t i = 0; i < n; i++) {
        const BufferLife *g = t->placed[i];
        if (g->bytes == 0 || (!live_together(t, f, g) && !keep_apart(t, f, g)))
            continue;
        end = g->at + g->bytes > end ? g->at + g->bytes : end;
        t->busy[t->nbusy++] = (Busy){g->at, end};
    }
}

/* The number of the first end that is not below at. */
static uint32_t ends_from(const SharedAlloc *t, int64_t at)
{
    uint32_t lo = 0, hi = t->nend;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (t->end[mid] < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Best fit: the smallest room that holds f, up to what stands above; candidates are 0 and
 * the ends of what is placed.  In each gap the greatest of them leaves the least room. */
static int64_t best_fit(SharedAlloc *t, uint32_t n, const BufferLife *f)
{
    int64_t best = -1, slack = INT64_MAX, from = 0;
    alloc_busy(t, n, f);
    for (uint32_t i = 0; i < t->nbusy; i++) {
        int64_t last = t->busy[i].at - f->bytes;
        if (last >= alloc_aligned(from, f->align)) {
            uint32_t k = ends_from(t, last / f->align * f->align + 1); /* 0 is an end */
            int64_t at = alloc_aligned(t->end[k - 1], f->align);
            if (at >= from && t->busy[i].at - at < slack) {
                best = at;
                slack = t->busy[i].at - at;
            }
        }
        from = t->busy[i].end > from ? t->busy[i].end : from;
    }
    if (best >= 0)
        return best;
    return alloc_aligned(t->end[ends_from(t, from ? (from - 1) / f->align * f->align + 1 : 0)],
                         f->align);
}

/* f joins the n that are placed. */
static void alloc_placed(SharedAlloc *t, uint32_t n, const BufferLife *f)
{
    uint32_t k = ends_from(t, f->at + f->bytes);
    memmove(t->end + k + 1, t->end + k, (t->nend - k) * sizeof *t->end);
    t->end[k] = f->at + f->bytes;
    t->nend++;
    while (n > 0 && t->placed[n - 1]->at > f->at) {
        t->placed[n] = t->placed[n - 1];
        n--;
    }
    t->placed[n] = f;
}

/* A place for each, in this order; bytes of all, or as soon as it is more than `most` of
 * those so far. */
static int64_t offsets(SharedAlloc *t, Order *order, int64_t most)
{
    int64_t total = 0;
    if (t->n > 1)
        qsort(t->life, t->n, sizeof *t->life, order);
    t->nend = 1;
    for (uint32_t i = 0; i < t->n && total <= most; i++) {
        BufferLife *f = &t->life[i];
        if (f->first > f->last) /* allocated and never used: no bytes of its own */
            f->bytes = 0;
        f->at = f->bytes ? best_fit(t, i, f) : 0;
        alloc_placed(t, i, f);
        if (f->at + f->bytes > total)
            total = f->at + f->bytes;
    }
    return alloc_aligned(total, 16);
}

/* Result ---------------------------------------------------------------- */

#define TEXT(...) afmt(c, __VA_ARGS__)

/* "3 x 16384" for the stages of a pipeline, the shape otherwise. */
static const char *alloc_made_of(SharedAlloc *t, const BufferLife *f)
{
    Prog *p = t->l->p;
    Ctx *c = &p->ctx;
    const Buf *b = &p->buf[f->buf];
    int stages = b->scope == SCshared ? low_buf(t->l, f->buf)->versions : 0;
    if (stages > 1)
        return TEXT("%d x %lld", stages, (long long)(f->bytes / stages));
    Str s = {0};
    str_fmt(&s, "%s", dtypeinfo[b->dt].name);
    for (int d = 0; d < b->ndim; d++) {
        int64_t v = 0;
        x_isint(p, b->shape[d], &v);
        str_fmt(&s, "%s%lld", d ? ", " : "[", (long long)v);
    }
    str_puts(&s, b->ndim ? "]" : "");
    const char *text = astr(c, s.s ? s.s : "", s.n);
    str_free(&s);
    return text;
}

/* One buffer: where it was declared, or which statement it is for. */
static void item(SharedAlloc *t, Diag *d, const BufferLife *f)
{
    Ctx *c = &t->l->p->ctx;
    const Buf *b = &t->l->p->buf[f->buf];
    const BufLow *k = low_buf(t->l, f->buf);
    bool held = f->async_r[RDbulk] >= 0 && f->waited > f->to;
    Err e = k->scratch ? E_shared_copy : held ? E_shared_held : E_shared_item;
    diag_note(c, d, e, k->scratch && k->why.line ? k->why : b->loc, b->name,
              TEXT("%lld", (long long)f->bytes), alloc_made_of(t, f), NULL);
}

NORETURN static void alloc_too_much(SharedAlloc *t, int64_t total)
{
    enum { MaxItems = 16 };
    Prog *p = t->l->p;
    Ctx *c = &p->ctx;
    const BufferLife *most = &t->life[0];
    Diag *d = diag(c, E_shared_over, t->l->launch->loc, TEXT("%lld", (long long)total),
                   t->l->m->name, TEXT("%d", t->l->m->shared_block), p->buf[most->buf].name,
                   TEXT("%lld", (long long)most->bytes),
                   low_buf(t->l, most->buf)->scratch ? "1" : "2", NULL);
    for (uint32_t i = 0; i < t->n && i < MaxItems; i++)
        if (t->life[i].bytes)
            item(t, d, &t->life[i]);
    ctx_unwind(c);
}

/* The first that fits is taken: what shares bytes waits for each other, in roles by named
 * barriers. */
static const struct { int64_t small; bool within, waited; Order *order; } tries[] = {
    {SmallBytes, false, false, larger}, {SmallBytes, false, true, larger}, {0, false, false, larger},
    {0, false, false, longer},          {0, false, false, alloc_earlier},  {0, false, false, later},
    {0, true, false, larger},           {0, true, false, longer},          {0, false, true, larger},
    {0, false, true, longer},           {0, true, true, larger},
};

static int64_t alloc_arrange(SharedAlloc *t)
{
    Prog *p = t->l->p;
    t->index = anew(&p->ctx, p->nbuf * sizeof *t->index);
    walk_lives(t, t->l->launch->launch.body);
    finish_lives(t);
    t->placed = anew(&p->ctx, ((size_t)t->n + 1) * sizeof *t->placed);
    t->busy = anew(&p->ctx, ((size_t)t->n + 1) * sizeof *t->busy);
    t->end = anew(&p->ctx, ((size_t)t->n + 1) * sizeof *t->end);
    int64_t most = t->l->m->shared_block, total = 0;
    for (size_t i = 0; i < COUNT(tries); i++) {
        t->small = tries[i].small;
        t->within = tries[i].within;
        t->waited = tries[i].waited;
        total = offsets(t, tries[i].order, most);
        if (total <= most)
            return total;
    }
    return offsets(t, larger, INT64_MAX);
}

int64_t low_estimate(Low *l, const int *stages)
{
    SharedAlloc t = {.l = l, .stages = stages};
    return alloc_arrange(&t);
}

void low_alloc_shared(Low *l)
{
    Prog *p = l->p;
    SharedAlloc t = {.l = l};
    int64_t total = alloc_arrange(&t);
    int64_t most = l->needs.spare ? l->needs.spare : l->m->shared_block;
    if (total > most) {
        l->needs.over = total - most;
        alloc_too_much(&t, total);
    }
    for (uint32_t i = 0; i < t.n; i++)
        p->buf[t.life[i].buf].at = t.life[i].at;
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (p->buf[b].base && p->buf[b].scope == SCshared)
            p->buf[b].at = p->buf[buf_root(p, b)].at;
    l->launch->launch.shared = total;
}
