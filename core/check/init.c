/* core/check/init.c: reads of what nothing wrote, tiles that nothing reads,
 * results that nothing writes.
 *
 * The accesses stand in program order.  A read is wrong when no write comes
 * before it, unless a loop around both brings one first and a condition may
 * skip the read until then.  What a condition or a loop of unknown length may
 * skip counts as written: only certain mistakes are reported. */
#include "check.h"
#include "err/check.h"

/* Where a dimension was written, all writes together; unknown: everywhere. */
typedef struct Hull Hull;
struct Hull { int64_t lo, hi; };

static const char *init_num(Facts *f, int64_t v) { return afmt(&f->p->ctx, "%lld", (long long)v); }

/* The outermost loop around. */
static const CheckFrame *outer_loop(const CheckFrame *in)
{
    const CheckFrame *found = NULL;
    for (; in; in = in->up)
        if (in->s->kind == Sfor || in->s->kind == Swhile)
            found = in;
    return found;
}

/* The writes to a root before the access in hand. */
typedef struct Past Past;
struct Past {
    uint32_t at;       /* the access that is to be looked at next, + 1; 0: none is left */
    uint32_t buf;      /* what they name; 0: nothing yet */
    bool mixed;        /* they name several */
    bool open[MaxDim]; /* where is not known */
    Hull h[MaxDim];
};

typedef struct Init Init;
struct Init {
    Facts *f;
    Past *past;      /* of a root */
    uint32_t *next;  /* of an access: the next one of its storage, or 0 */
    uint32_t *first; /* of a root: its first access, + 1 */
    bool *told;      /* of a root */
    bool *read;      /* of a root: something in the text reads it */
    bool *fresh;     /* of a root: an output or a workspace, made for the launch */
};

enum InitWhen { Before, Again, Ever };

static bool is_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return (x->op == Xvar && p->var[x->sym].kind == Vthread) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

/* Are they under the two branches of a condition on the thread? */
static bool in_other_branch(const Facts *f, const Access *a, const Access *b)
{
    for (const Guard *x = a->guard; x; x = x->up)
        for (const Guard *y = b->guard; x->cond && y; y = y->up)
            if (x->cond == y->cond && x->not != y->not && ex_any(f->p, x->cond, is_thread, f->p))
                return true;
    return false;
}

bool check_concurrent(const Facts *f, const Access *a, const Access *b)
{
    if (in_other_branch(f, a, b))
        return true;
    const CheckFrame *x = frame_find(a->in, Srole), *y = frame_find(b->in, Srole);
    return x && y && (x->s->role.hi <= y->s->role.lo || y->s->role.hi <= x->s->role.lo);
}

/* The first write to the storage that access k reads: before it or by other
 * threads; or later, but in a loop around both; or anywhere in another statement. */
static const Access *init_writer(const Init *t, uint32_t k, enum InitWhen when)
{
    const Facts *f = t->f;
    const CheckFrame *loop = outer_loop(f->a[k].in);
    for (uint32_t i = t->first[buf_root(f->p, f->a[k].buf)]; i; i = t->next[i - 1]) {
        const Access *w = &f->a[i - 1];
        bool ok = when == Before  ? i - 1 < k || check_concurrent(f, w, &f->a[k])
                  : when == Again ? loop && i - 1 < loop->last
                                  : w->s != f->a[k].s;
        if (w->mode & Awrite && ok)
            return w;
    }
    return NULL;
}

static void init_unwritten(Init *t, uint32_t k)
{
    Facts *f = t->f;
    const Access *a = &f->a[k], *later = init_writer(t, k, Ever);
    Ctx *c = &f->p->ctx;
    const char *name = f->p->buf[a->buf].name;
    if (check_never_runs(f, a))
        return;
    if (!(later && later->s->loc.line) && check_idle_writer(f, buf_root(f->p, a->buf)))
        return;
    if (a->adds) {
        const char *what = opinfo[a->s->op.op].text;
        diag(c, E_init_accum, a->s->loc, name, what,
             a->s->op.op == Ogemm ? "clear_accum" : "clear", NULL);
    } else if (later && later->s->loc.line) {
        diag(c, E_init_before, a->s->loc, name, init_num(f, later->s->loc.line), NULL);
    } else {
        diag(c, E_init_never, a->s->loc, name, NULL);
    }
}

/* Partly written -------------------------------------------------------- */

static int64_t init_extent_of(const Facts *f, const Access *a, int d)
{
    int64_t n = 1;
    return a->tile && !x_isint(f->p, a->extent[d], &n) ? -1 : n;
}

/* At least what a write covers; false when that is not known. */
static bool init_covers(const Facts *f, const Access *w, int d, Hull *h)
{
    int64_t lo, hi, ext = init_extent_of(f, w, d);
    if (ext < 0 || !x_range(f->p, w->idx[d], &lo, &hi))
        return false;
    h->lo = lo < h->lo ? lo : h->lo;
    h->hi = hi + ext - 1 > h->hi ? hi + ext - 1 : h->hi;
    return true;
}

/* Exactly how far a read reaches; false when that is not known. */
static bool reaches(Facts *f, const Access *a, int d, Hull *h)
{
    Affine x;
    int64_t ext = init_extent_of(f, a, d);
    if (ext < 0 || !affine_of(f, a->idx[d], &x) || x.nrest)
        return false;
    h->lo = x.c;
    h->hi = x.c + ext - 1;
    for (int i = 0; i < x.n; i++) {
        const Domain *k = &f->dom[x.var[i]];
        if (!k->exact)
            return false;
        int64_t lo, hi;
        if (__builtin_mul_overflow(x.coef[i], x.coef[i] > 0 ? k->lo : k->hi, &lo) ||
            __builtin_mul_overflow(x.coef[i], x.coef[i] > 0 ? k->hi : k->lo, &hi) ||
            __builtin_add_overflow(h->lo, lo, &h->lo) || __builtin_add_overflow(h->hi, hi, &h->hi))
            return false;
    }
    return true;
}

/* The writes before access k, which comes behind all that was asked about. */
static const Past *past(Init *t, uint32_t root, uint32_t k)
{
    Past *w = &t->past[root];
    for (; w->at && w->at - 1 < k; w->at = t->next[w->at - 1]) {
        const Access *b = &t->f->a[w->at - 1];
        if (!(b->mode & Awrite))
            continue;
        w->mixed |= w->buf && w->buf != b->buf;
        w->buf = b->buf;
        for (int d = 0; d < b->ndim; d++)
            w->open[d] |= !init_covers(t->f, b, d, &w->h[d]);
    }
    return w;
}

static void partly(Init *t, uint32_t k)
{
    Facts *f = t->f;
    const Access *a = &f->a[k];
    const CheckFrame *loop = outer_loop(a->in);
    uint32_t root = buf_root(f->p, a->buf);
    const Past *p = past(t, root, k);
    for (int d = 0; d < a->ndim && !a->guard; d++) {
        Hull r, w = {INT64_MAX, INT64_MIN};
        int64_t size;
        bool known = !p->mixed && (!p->buf || p->buf == a->buf) && !p->open[d] &&
                     reaches(f, a, d, &r) && x_isint(f->p, f->p->buf[a->buf].shape[d], &size);
        if (known && r.lo >= p->h[d].lo && r.hi <= p->h[d].hi)
            continue; /* most are */
        for (uint32_t i = t->first[root]; i && known; i = t->next[i - 1]) {
            const Access *b = &f->a[i - 1];
            bool counts = i - 1 < k || (loop && i - 1 < loop->last) || check_concurrent(t->f, a, b);
            if (b->mode & Awrite && counts)
                known = b->buf == a->buf && init_covers(f, b, d, &w);
        }
        if (!known || (r.lo >= w.lo && r.hi <= w.hi) || w.lo > w.hi)
            continue;
        int64_t bad = r.hi > w.hi ? w.hi + 1 : r.lo;
        diag(&f->p->ctx, E_init_part, a->s->loc, f->p->buf[a->buf].name, init_num(f, bad),
             init_num(f, d), afmt(&f->p->ctx, "%lld..%lld", (long long)w.lo, (long long)w.hi),
             NULL);
        t->told[root] = true;
        return;
    }
}

/* ----------------------------------------------------------------------- */

/* A new tensor is read at access k.  A condition or another block may let a write of other
 * statements come first. */
static void init_fresh(Init *t, uint32_t k)
{
    Facts *f = t->f;
    const Access *a = &f->a[k];
    if (init_writer(t, k, Before) || (a->guard && init_writer(t, k, Ever)))
        return;
    diag(&f->p->ctx, E_out_read, a->s->loc, f->p->buf[a->buf].name, NULL);
    t->told[buf_root(f->p, a->buf)] = true;
}

static void init_reads(Init *t)
{
    Facts *f = t->f;
    for (uint32_t k = 0; k < f->n && !check_full(f); k++) {
        const Access *a = &f->a[k];
        uint32_t root = buf_root(f->p, a->buf);
        const Buf *b = &f->p->buf[root];
        if (!(a->mode & Aread) || t->told[root])
            continue;
        if (b->scope == SCglobal) {
            if (t->fresh[root])
                init_fresh(t, k);
        } else if (init_writer(t, k, Before)) {
            partly(t, k);
        } else if (!a->guard || !init_writer(t, k, Again)) {
            init_unwritten(t, k);
            t->told[root] = true;
        }
    }
}

/* Marks the roots that the text reads, also where these sizes never come to it: whoever
 * reads the warning cannot remove what other sizes use. */
static ExGo mark_load(void *ud, Ex e)
{
    const Init *t = ud;
    const Prog *p = t->f->p;
    const Expr *x = ex_at(p, e);
    if (x->op == Xload)
        t->read[buf_root(p, x->sym)] = true;
    return EXinto;
}

static bool mark_reads(Stmt *s, void *ud)
{
    const Init *t = ud;
    const Prog *p = t->f->p;
    stmt_ex_walk(p, s, mark_load, ud);
    if (s->kind == Sop)
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (opinfo[s->op.op].regions[i] != 'w' && s->op.r[i].buf)
                t->read[buf_root(p, s->op.r[i].buf)] = true;
    if (s->kind == Satomic)
        t->read[buf_root(p, s->atomic.buf)] = true;
    return true;
}

static bool init_unused(Stmt *s, void *ud)
{
    Init *t = ud;
    Facts *f = t->f;
    if (s->kind != Salloc || t->told[s->alloc.buf] || f->p->buf[s->alloc.buf].aside ||
        f->p->buf[s->alloc.buf].scope == SCbarrier)
        return true;
    for (uint32_t i = t->first[s->alloc.buf]; i; i = t->next[i - 1])
        if (f->a[i - 1].mode & (Aread | Aatomic))
            return true;
    if (t->read[s->alloc.buf])
        return true;
    diag(&f->p->ctx, E_never_used, s->loc, f->p->buf[s->alloc.buf].name, NULL);
    return true;
}

/* Outputs ----------------------------------------------------------------- */

/* How far all writes to an output reach at most in a dimension, and the one that begins
 * first; false when that is not known. */
static bool init_written(const Init *t, uint32_t root, int d, Hull *h, const Access **least)
{
    const Facts *f = t->f;
    *h = (Hull){INT64_MAX, INT64_MIN};
    for (uint32_t k = t->first[root]; k; k = t->next[k - 1]) {
        const Access *a = &f->a[k - 1];
        int64_t lo = h->lo;
        if (!(a->mode & Awrite))
            continue;
        if (a->buf != root || !init_covers(f, a, d, h))
            return false;
        *least = h->lo < lo ? a : *least;
    }
    return h->lo <= h->hi;
}

/* Are the first or the last elements of a dimension surely not written? */
static void ends(Init *t, uint32_t root)
{
    Facts *f = t->f;
    const Buf *b = &f->p->buf[root];
    const Access *least = NULL;
    Hull h;
    int64_t size;
    for (int d = 0; d < b->ndim; d++) {
        if (!x_isint(f->p, b->shape[d], &size) || size <= 0 ||
            !init_written(t, root, d, &h, &least))
            continue;
        if (h.lo > 0 && h.lo < size)
            diag(&f->p->ctx, E_out_begins, least->s->loc, b->name, init_num(f, d),
                 init_num(f, h.lo), NULL);
        if (h.hi >= 0 && h.hi < size - 1)
            diag(&f->p->ctx, E_out_ends, b->loc, b->name, init_num(f, d), init_num(f, h.hi),
                 init_num(f, size), NULL);
    }
}

static bool writes_output(const Init *t, uint32_t root)
{
    uint32_t k = t->first[root];
    while (k && !(t->f->a[k - 1].mode & Awrite))
        k = t->next[k - 1];
    return k != 0;
}

/* A kernel that leaves one of its outputs as it was may be meant, as TileLang's examples do. */
static void init_outputs(Init *t)
{
    Facts *f = t->f;
    bool any = false;
    for (uint32_t i = 0; i < f->p->nout; i++)
        any |= writes_output(t, buf_root(f->p, f->p->out[i]));
    for (uint32_t i = 0; i < f->p->nout; i++) {
        uint32_t root = buf_root(f->p, f->p->out[i]);
        bool written = writes_output(t, root);
        if (!written && check_idle_writer(f, root))
            continue;
        if (!written)
            diag(&f->p->ctx, any ? E_out_left : E_out_unwritten, f->p->buf[root].loc,
                 f->p->buf[root].name, NULL);
        else
            ends(t, root);
    }
}

void check_init(Facts *f)
{
    Ctx *c = &f->p->ctx;
    Init t = {.f = f, .past = anew(c, f->p->nbuf * sizeof *t.past),
              .next = anew(c, (f->n + 1) * sizeof *t.next),
              .first = anew(c, f->p->nbuf * sizeof *t.first),
              .told = anew(c, f->p->nbuf * sizeof *t.told),
              .fresh = anew(c, f->p->nbuf * sizeof *t.fresh),
              .read = anew(c, f->p->nbuf * sizeof *t.read)};
    for (uint32_t b = 1; b < f->p->nbuf; b++)
        t.fresh[b] = buf_fresh(&f->p->buf[b]);
    for (uint32_t k = f->n; k-- > 0;) {
        uint32_t root = buf_root(f->p, f->a[k].buf);
        t.next[k] = t.first[root];
        t.first[root] = k + 1;
    }
    for (uint32_t i = 1; i < f->p->nbuf; i++) {
        t.past[i].at = t.first[i];
        for (int d = 0; d < MaxDim; d++)
            t.past[i].h[d] = (Hull){INT64_MAX, INT64_MIN};
    }
    init_reads(&t);
    stmt_walk(f->p->body, mark_reads, &t);
    stmt_walk(f->p->body, init_unused, &t);
    init_outputs(&t);
}
