/* core/check/init_cover.c: is every element that is read written before, whatever the values are?
 *
 *     for i in T.Parallel(64) do s[i] = 1 end
 *     if J[0] > 0 then for i in T.Parallel(64) do s[64 + i] = 1 end end
 *     T.copy(s, C)                                        -- 64 .. 127 rest on J[0]
 *
 * The elements of the read are compared with those of the writes before it, as bits
 * (init_points.c): for some blocks and rounds of the loops around the read, and for some values of
 * the sizes and integers that come with the call.  A condition on memory is taken both ways: the
 * writes that happen then have to cover what is missing. */
#include <string.h>

#include "err/check.h"
#include "init_open.h"
#include "race.h"

enum { MaxScalars = 4, MaxModels = 48, MaxChoices = 512, FewValues = 16 };

/* A write with a condition that has no value, and what it writes. */
typedef struct CoverIf CoverIf;
struct CoverIf {
    const Access *w;             /* NULL: it does not count */
    Ex cond[MaxCases];
    bool not[MaxCases];
    int n;
    uint64_t *bit;
};

typedef struct Cover Cover;
struct Cover {
    OpenInit *t;
    OpenStore o;
    const Access *r, *dest;
    uint32_t k;                  /* r's number */
    bool ever;                   /* later writes of its launch count, too */
    OpenDepends on;              /* what the accesses of the storage depend on */
    uint64_t *read, *have;       /* bits of the read that are to be written; of what is */
    uint64_t *all;               /* of the cases at work, MaxCases + 1 times */
    CoverIf some[MaxWrites];
    int nsome;
    const Access *elsewhere;     /* a write whose place is not known */
    const Stmt *axis[MaxUnknown]; int axis_i[MaxUnknown]; int naxis; /* what is chosen for a read */
    int choices;
    enum OpenSay say;
    OpenFound *found;
    bool data;                   /* where it reads rests on data */
    bool sizes;                  /* ... on sizes that were chosen */
};

/* Writes of one choice ----------------------------------------------------- */

static bool guard_of_both(const Guard *g, const Access *r)
{
    for (const Guard *h = r->guard; h; h = h->up)
        if (h == g)
            return true;
    return false;
}

/* Is variable v one that a loop from frame k inwards around a declares? */
static bool declared_in(const Access *a, const CheckFrame *k, uint32_t v)
{
    for (const CheckFrame *x = a->in; x; x = x->up) {
        for (int i = 0; i < open_vars(x->s); i++)
            if (open_var(x->s, i) == v)
                return true;
        if (x == k)
            return false;
    }
    return false;
}

/* Condition g of w, in an earlier round of loop k, holds as the read's does: it is the
 * same in each round. */
static bool held_in_rounds(const Cover *c, const Guard *g, const CheckFrame *k)
{
    Facts *f = c->t->f;
    bool is = open_guarded(f, c->r, g->cond, g->not);
    for (uint32_t i = 0, n = is ? facts_uses(f, g->cond, 0) : 0; i < n && is; i++)
        is = !declared_in(c->r, k, f->uses[i]);
    return is && !open_stored(f, g->cond, k->first, k->last);
}

/* The conditions of w that have no value and do not hold for the read as well; -1: too
 * many, or one of another round. */
static int cover_conditions(const Cover *c, const Access *w, const CheckFrame *round, CoverIf *is)
{
    is->w = w;
    is->n = 0;
    for (const Guard *g = w->guard; g; g = g->up) {
        if (!g->cond || open_plain(c->t, g->cond) || !open_by_data(c->t, g->cond) ||
            (!round && guard_of_both(g, c->r)))
            continue;
        if (round ? held_in_rounds(c, g, round) : open_held(c->t, w, c->r, g->cond, g->not))
            continue;
        if (round || is->n == MaxCases)
            return -1;
        is->cond[is->n] = g->cond;
        is->not[is->n++] = g->not;
    }
    return is->n;
}

static uint64_t *cover_bits(const Cover *c)
{
    return anew(&c->t->f->p->ctx, c->o.words * sizeof(uint64_t));
}

/* What is moved ------------------------------------------------------------- */

static bool cover_writes(Cover *c);

static bool move_in_place(const Prog *p, const Access *from, const Access *to)
{
    const Buf *a = &p->buf[from->buf], *b = &p->buf[to->buf];
    bool is = a->ndim == b->ndim && from->tile == to->tile;
    for (int d = 0; d < a->ndim && is; d++)
        is = a->shape[d] == b->shape[d] && from->idx[d] == to->idx[d] &&
             (!from->tile || from->extent[d] == to->extent[d]);
    return is;
}

/* w moves what is only partly written: that part of its source takes the place of what was there.
 * False where elements change their places. */
static bool cover_moved(Cover *c, const Access *w)
{
    Facts *f = c->t->f;
    const Access *from = w;
    while (from > f->a && from->s == w->s && !(from->mode & Aread && open_moves(f, from) == w))
        from--;
    Cover *src = anew(&f->p->ctx, sizeof *src);
    *src = (Cover){.t = c->t, .r = from, .k = (uint32_t)(from - f->a)};
    uint64_t *box = cover_bits(c);
    if (from->s != w->s || !move_in_place(f->p, from, w) ||
        !open_store(c->t, buf_root(f->p, from->buf), &src->o) || src->o.units != c->o.units)
        return false;
    src->have = cover_bits(src);
    if (!cover_writes(src) || open_mark(c->t, &c->o, w, c->r, NULL, box) != OPmarked)
        return false;
    for (size_t i = 0; i < c->o.words; i++)
        c->have[i] = (c->have[i] & ~box[i]) | (box[i] & src->have[i]);
    c->elsewhere = c->elsewhere ? c->elsewhere : src->elsewhere ? src->elsewhere : src->nsome ? src->some[0].w : NULL;
    c->nsome = 0;
    return true;
}

/* What w writes; round: in earlier rounds of that loop, or NULL.  False: that cannot be said. */
static bool cover_write(Cover *c, const Access *w, const CheckFrame *round)
{
    CoverIf is;
    int n = cover_conditions(c, w, round, &is);
    if (n < 0 || !open_loops_bring(c->t, w, c->r)) {
        c->elsewhere = c->elsewhere ? c->elsewhere : w;
        return true;
    }
    if (c->t->moved[w - c->t->f->a])
        return !round && n == 0 && cover_moved(c, w);
    if (n > 0 && c->nsome == MaxWrites)
        return false;
    is.bit = n > 0 ? cover_bits(c) : c->have;
    enum OpenMarked m = open_mark(c->t, &c->o, w, c->r, NULL, is.bit);
    if (m == OPunknown)
        return false;
    if (m == OPdata)
        c->elsewhere = w;
    if (n > 0)
        c->some[c->nsome++] = is;
    return true;
}

static bool cover_rounds(Cover *c, const Access *w, const CheckFrame *k)
{
    uint8_t *mode = c->t->mode;
    const Stmt *s = k->s;
    if (s->kind != Sfor || mode[s->loop.var[0]] != OMkept || c->t->f->born[c->o.root] > k->begin ||
        s->loop.kind == Fparallel)
        return true;
    uint8_t was[MaxLoop];
    bool all = true;
    for (const CheckFrame *x = c->r->in; x != k; x = x->up)
        for (int i = 0; x->s->kind == Sfor && x->s->loop.kind != Fparallel && i < x->s->loop.n; i++)
            mode[x->s->loop.var[i]] = OMall;
    for (int i = 0; i < s->loop.n; i++)
        was[i] = mode[s->loop.var[i]];
    for (int i = 0; i < s->loop.n && all; i++) { /* before it in variable i */
        for (int j = i; j < s->loop.n; j++)
            mode[s->loop.var[j]] = j > i ? OMall : OMbefore;
        all = cover_write(c, w, k);
        for (int j = 0; j < s->loop.n; j++)
            mode[s->loop.var[j]] = was[j];
    }
    for (const CheckFrame *x = c->r->in; x != k; x = x->up)
        for (int i = 0; x->s->kind == Sfor && x->s->loop.kind != Fparallel && i < x->s->loop.n; i++)
            mode[x->s->loop.var[i]] = OMkept;
    return all;
}

/* The first unit that is read and not in `have`; -1. */
static int64_t cover_first(const Cover *c, const uint64_t *have)
{
    for (size_t i = 0; i < c->o.words; i++)
        if (c->read[i] & ~have[i])
            return (int64_t)i * 64 + __builtin_ctzll(c->read[i] & ~have[i]);
    return -1;
}

/* Is all that is read in c->have?  Then no other write matters: none takes anything out again. */
static bool cover_done(const Cover *c)
{
    return c->read && !c->t->nmoved && cover_first(c, c->have) < 0;
}

static bool cover_writes(Cover *c)
{
    OpenInit *t = c->t;
    const Facts *f = t->f;
    c->nsome = 0;
    c->elsewhere = NULL;
    for (uint32_t i = t->first[c->o.root]; i; i = t->next[i - 1]) {
        const Access *w = &f->a[i - 1];
        if (!(w->mode & Awrite))
            continue;
        bool later = c->ever && frame_find(w->in, Slaunch) == frame_find(c->r->in, Slaunch);
        if ((i - 1 < c->k || later) && !cover_write(c, w, NULL))
            return false;
        if (cover_done(c))
            return true;
        for (const CheckFrame *k = c->r->in; k; k = k->up)
            if (open_around(w->in, k) && !cover_rounds(c, w, k))
                return false;
    }
    return true;
}

/* Cases -------------------------------------------------------------------- */

/* Does cond differ between the points of w? */
static bool cover_differs(const Cover *c, const Access *w, Ex cond)
{
    Facts *f = c->t->f;
    for (uint32_t i = 0, n = facts_uses(f, cond, 0); i < n; i++)
        if (c->t->mode[f->uses[i]] == OMall && declared_in(w, NULL, f->uses[i]))
            return true;
    return false;
}

/* Writes whose conditions differ between points count together where they go to the same place. */
static bool cover_alike(const Cover *c, int i)
{
    const CoverIf *x = &c->some[i];
    for (int k = 0; k < x->n; k++) {
        if (!cover_differs(c, x->w, x->cond[k]))
            continue;
        for (int j = 0; j < i; j++)
            for (int m = 0; c->some[j].w && m < c->some[j].n; m++)
                if (c->some[j].cond[m] == x->cond[k] &&
                    (c->some[j].w->buf != x->w->buf ||
                     memcmp(c->some[j].w->idx, x->w->idx, sizeof x->w->idx) != 0))
                    return false;
    }
    return true;
}

/* Was what the conditions of write i load stored to since another write under the same? */
static bool cover_changed(const Cover *c, int i)
{
    const Facts *f = c->t->f;
    const CoverIf *x = &c->some[i];
    for (int j = 0; j < i; j++)
        for (int m = 0; c->some[j].w && m < c->some[j].n; m++)
            for (int k = 0; k < x->n; k++)
                if (c->some[j].cond[m] == x->cond[k] &&
                    open_stored(f, x->cond[k], (uint32_t)(c->some[j].w - f->a), (uint32_t)(x->w - f->a)))
                    return true;
    return false;
}

typedef struct CoverCase CoverCase;
struct CoverCase { Ex cond[MaxCases]; bool not[MaxCases]; int n; };

/* 1: x happens in this case; 0: it does not; -1: *open decides. */
static int cover_happens(const CoverIf *x, const CoverCase *k, Ex *open)
{
    int all = 1;
    for (int i = 0; i < x->n; i++) {
        bool given = false;
        for (int j = 0; j < k->n; j++) {
            if (k->cond[j] != x->cond[i])
                continue;
            if (k->not[j] != x->not[i])
                return 0;
            given = true;
        }
        if (!given) {
            all = -1;
            *open = x->cond[i];
        }
    }
    return all;
}

/* Is what is read written in each case? -1, or the first unit that is not; *w: what decides. */
static int64_t cover_case(Cover *c, CoverCase *k, const Access **w)
{
    uint64_t *have = c->all + (size_t)k->n * c->o.words;
    Ex open = 0, cond = 0;
    memcpy(have, c->have, c->o.words * sizeof *have);
    for (int i = 0; i < c->nsome; i++) {
        int is = c->some[i].w ? cover_happens(&c->some[i], k, &cond) : 0;
        for (size_t j = 0; j < c->o.words && is > 0; j++)
            have[j] |= c->some[i].bit[j];
        if (is < 0) {
            open = cond;
            *w = *w ? *w : c->some[i].w;
        }
    }
    int64_t bad = cover_first(c, have);
    if (bad < 0 || !open || k->n == MaxCases)
        return bad;
    for (int not = 0; not < 2; not++) {
        k->cond[k->n] = open;
        k->not[k->n++] = not;
        int64_t other = cover_case(c, k, w);
        k->n--;
        if (other >= 0)
            return other;
    }
    return -1;
}

/* What is found ------------------------------------------------------------ */

static const char *cover_element(const Cover *c, int64_t unit)
{
    const Prog *p = c->t->f->p;
    const Buf *b = &p->buf[c->r->buf];
    if (b->scope == SCvar)
        return b->name;
    int64_t at[MaxDim], size, i = unit / (int64_t)(dtypeinfo[b->dt].bits / c->o.bits);
    for (int d = b->ndim; d-- > 0;) {
        size = 1;
        x_isint(p, b->shape[d], &size);
        at[d] = i % size;
        i /= size;
    }
    Str s = {0};
    str_fmt(&s, "%s[", b->name);
    for (int d = 0; d < b->ndim; d++)
        str_fmt(&s, d ? ", %lld" : "%lld", (long long)at[d]);
    str_puts(&s, "]");
    const char *text = astr(&c->t->f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return text;
}

static bool cover_size(const Prog *p, uint32_t v)
{
    return p->var[v].kind == Vscalar || p->var[v].kind == Vdim;
}

/* "n = 0": the sizes; or "bx = 0, k = 1": the variables that were chosen. */
static const char *cover_at(Cover *c)
{
    Facts *f = c->t->f;
    uint32_t n = 0;
    for (uint32_t v = 1; v < f->p->nvar && c->sizes; v++)
        if (cover_size(f->p, v) && c->on.used[v] && !dtype_isfloat(f->p->var[v].dt))
            f->uses[n++] = v;
    for (int i = 0; i < c->naxis && !c->sizes; i++)
        if (c->t->mode[open_var(c->axis[i], c->axis_i[i])] == OMkept)
            f->uses[n++] = open_var(c->axis[i], c->axis_i[i]);
    return facts_where(f, n);
}

/* Does the read happen for certain at the values that were chosen? */
static bool cover_certain(Cover *c)
{
    for (const Guard *g = c->r->guard; g; g = g->up)
        if (!g->cond || !open_plain(c->t, g->cond))
            return false;
    return true;
}

static void cover_tell(Cover *c, int64_t unit, const Access *w)
{
    w = w ? w : c->elsewhere;
    c->found->w = w;
    c->found->element = cover_element(c, unit);
    c->found->at = cover_at(c);
    c->say = w                                 ? OSwrite
             : c->data || !cover_certain(c)    ? OSread
             : c->sizes                        ? OSsize
                                               : OSnever;
}

/* One choice.  False: nothing more is to be looked at. */
static bool cover_here(Cover *c)
{
    OpenInit *t = c->t;
    size_t bytes = c->o.words * sizeof(uint64_t);
    memset(c->read, 0, bytes);
    memset(c->have, 0, bytes);
    t->idle = false;
    t->work -= (int64_t)c->o.words / 8;
    enum OpenMarked m = open_mark(t, &c->o, c->r, c->r, c->dest, c->read);
    if (m == OPunknown || ++c->choices > MaxChoices) {
        c->say = OSunknown;
        return false;
    }
    c->data = m == OPdata;
    if (cover_first(c, c->have) < 0)
        return true; /* it reads nothing */
    if (!cover_writes(c)) {
        c->say = OSunknown;
        return false;
    }
    if (t->idle)
        return true;
    for (int i = 0; i < c->nsome; i++)
        if (!cover_alike(c, i) || cover_changed(c, i)) {
            c->elsewhere = c->elsewhere ? c->elsewhere : c->some[i].w;
            c->some[i].w = NULL;
        }
    CoverCase k = {.n = 0};
    const Access *w = NULL;
    int64_t bad = cover_case(c, &k, &w);
    if (bad >= 0)
        cover_tell(c, bad, w);
    return bad < 0;
}

/* Choices ------------------------------------------------------------------ */

/* Values of lo, lo + step, .. n of them that are tried. */
static int cover_values(const Cover *c, uint32_t v, int64_t lo, int64_t step, int64_t n, int64_t *out)
{
    int m = 0;
    if (!c->on.used[v])
        n = n > 0;
    if (n <= FewValues) {
        for (int64_t i = 0; i < n; i++)
            out[m++] = lo + i * step;
        return m;
    }
    const int64_t at[4] = {0, 1, n / 2, n - 1};
    for (int i = 0; i < 4; i++)
        out[m++] = lo + at[i] * step;
    for (int i = 0; i < c->on.nvalue && m < FewValues; i++) {
        int64_t k = (c->on.value[i] - lo) / step;
        if (k > 1 && k < n - 1 && k != n / 2)
            out[m++] = lo + k * step;
    }
    return m;
}

static bool cover_choose(Cover *c, int k)
{
    if (k == c->naxis)
        return cover_here(c);
    OpenInit *t = c->t;
    const Stmt *s = c->axis[k];
    uint32_t v = open_var(s, c->axis_i[k]);
    int64_t lo, step, n, value[FewValues + 4];
    if (t->mode[v] != OMkept)
        return cover_choose(c, k + 1);
    if (!open_range(t, s, c->axis_i[k], &lo, &step, &n)) { /* some rounds */
        lo = 0;
        step = 1;
        n = 3;
    }
    int m = cover_values(c, v, lo, step, n, value);
    for (int i = 0; i < m; i++) {
        t->f->env[v] = value[i];
        if (!cover_choose(c, k + 1))
            return false;
    }
    return true;
}

/* What is the same for the read and a write in its round: blocks, loops; for private storage
 * threads and iterations of T.Parallel. */
static bool cover_axes(Cover *c, bool keep)
{
    const Facts *f = c->t->f;
    const Buf *b = &f->p->buf[c->o.root];
    const CheckFrame *frame[MaxUnknown];
    int n = 0;
    c->naxis = 0;
    for (const CheckFrame *k = c->r->in; k; k = k->up) {
        if (n == MaxUnknown)
            return false;
        frame[n++] = k;
    }
    bool own = b->scope == SClocal || b->scope == SCvar;
    while (n-- > 0) {
        const Stmt *s = frame[n]->s;
        bool in = f->born[c->o.root] > frame[n]->begin;
        for (int i = 0; i < open_vars(s); i++) {
            bool kept = s->kind == Slaunch      ? b->scope != SCglobal && (i < s->launch.n || own)
                        : s->loop.kind == Fparallel ? own || in
                                                : true;
            if (c->naxis == MaxUnknown)
                return false;
            c->axis[c->naxis] = s;
            c->axis_i[c->naxis++] = i;
            c->t->mode[open_var(s, i)] = keep && kept ? OMkept : OMall;
        }
    }
    return true;
}

/* Sizes -------------------------------------------------------------------- */

/* Numbers that are tried for a size: what it is compared with, and its neighbours. */
static int cover_numbers(const Cover *c, int64_t *out)
{
    const Prog *p = c->t->f->p;
    const Buf *b = &p->buf[c->o.root];
    int n = 0;
    for (int i = 0; i < 3; i++)
        out[n++] = i;
    for (int i = 0; i < c->on.nvalue + b->ndim && n < MaxModels - 3; i++) {
        int64_t v;
        if (i < c->on.nvalue)
            v = c->on.value[i];
        else if (!x_isint(p, b->shape[i - c->on.nvalue], &v))
            continue;
        for (int beside = -1; beside <= 1; beside++) {
            int64_t k;
            bool is = __builtin_add_overflow(v, beside, &k);
            for (int j = 0; j < n; j++)
                is |= out[j] == k;
            if (!is)
                out[n++] = k;
        }
    }
    return n;
}

/* What is chosen: sizes of tensors and integers of the call that accesses depend on. */
typedef struct CoverModels CoverModels;
struct CoverModels {
    int row;                     /* of race_choose_row(); -1: there are no sizes of tensors */
    SizeGiven given[MaxScalars];
    int n;
    int64_t number[MaxModels];
    int numbers;
    const Domain *dom;           /* as they were */
};

/* Gives the sizes the values of model m, and loops and launches what follows.  False: there is
 * none, as the program assumes something else. */
static bool cover_give(Cover *c, CoverModels *k, int64_t m)
{
    OpenInit *t = c->t;
    Facts *f = t->f;
    const Prog *p = f->p;
    SizeGiven given[MaxScalars];
    int n = 0;
    for (int i = 0; i < k->n; i++) {
        const Var *v = &p->var[k->given[i].var];
        int many = k->numbers + (v->kind == Vdim);
        int64_t at = m % many - (v->kind == Vdim); /* first the size of the row */
        m /= many;
        if (at < 0)
            continue;
        given[n++] = (SizeGiven){k->given[i].var, k->number[at]};
        if (k->number[at] < v->lo || k->number[at] > v->hi)
            return false;
    }
    memcpy(f->dom, k->dom, p->nvar * sizeof *f->dom);
    t->work -= p->nvar / 8;
    if ((k->row >= 0 || n > 0) && !race_choose_row(f, k->row < 0 ? 0 : k->row, given, n))
        return false;
    return open_assumed(t);
}

static void cover_models(Cover *c, CoverModels *k)
{
    const Prog *p = c->t->f->p;
    int64_t total = 1, tried = 0;
    k->numbers = cover_numbers(c, k->number);
    for (uint32_t v = 1; v < p->nvar; v++) {
        if (!cover_size(p, v) || !c->on.used[v] || dtype_isfloat(p->var[v].dt))
            continue;
        if (k->n == MaxScalars) {
            c->say = OSunknown;
            return;
        }
        k->given[k->n++].var = v;
        total *= k->numbers + (p->var[v].kind == Vdim);
        c->sizes = true;
    }
    int64_t stride = total / (MaxModels * 4) + 1;
    for (int64_t m = 0; m < total && c->say == OSwritten; m += stride)
        if (cover_give(c, k, m)) {
            tried++;
            c->choices = 0;
            cover_choose(c, 0);
        }
    if (!tried)
        c->say = OSunknown;
}

/* A row of sizes of tensors that the program does not exclude; -1: it has none.  False: none. */
static bool cover_row(Facts *f, int *row)
{
    bool dims = false;
    for (uint32_t v = 1; v < f->p->nvar; v++)
        dims |= f->p->var[v].kind == Vdim;
    for (*row = dims ? 0 : -1; *row >= 0 && *row < RaceRows; ++*row)
        if (race_choose_row(f, *row, NULL, 0))
            break;
    return *row < RaceRows;
}

static const Access *cover_dest(const Facts *f, const Access *r)
{
    for (const Access *a = r; a < f->a + f->n && a->s == r->s; a++)
        if (a->mode == Awrite && f->p->buf[a->buf].scope == SCglobal &&
            (a->s->kind == Sstore || a->s->op.op == Ocopy))
            return a;
    return NULL;
}

enum OpenSay open_cover(OpenInit *t, uint32_t r, bool ever, OpenFound *found)
{
    Facts *f = t->f;
    Ctx *x = &f->p->ctx;
    const Access *a = &f->a[r];
    Cover *c = anew(x, sizeof *c);
    *c = (Cover){.t = t, .r = a, .k = r, .ever = ever, .dest = cover_dest(f, a),
                 .found = found};
    if (!open_store(t, buf_root(f->p, a->buf), &c->o) || !cover_axes(c, true))
        return OSunknown;
    for (const Guard *g = a->guard; g; g = g->up)
        if (!g->cond && frame_find(a->in, Srole))
            return OSunknown; /* which threads of a role: see access.c */
    c->read = cover_bits(c);
    c->have = cover_bits(c);
    c->all = anew(x, (MaxCases + 1) * c->o.words * sizeof *c->all);
    open_depends(t, c->o.root, c->dest, &c->on);
    size_t size = f->p->nvar * sizeof *f->dom;
    Domain *dom = memcpy(t->dom, f->dom, size);
    CoverModels k = {.dom = dom};
    if (cover_row(f, &k.row))
        cover_models(c, &k);
    else
        c->say = OSunknown;
    memcpy(f->dom, dom, size);
    cover_axes(c, false);
    return c->say;
}
