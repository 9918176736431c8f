/* core/lower/parallel/regs.c: elements of fragments as registers.
 *
 * In a parallel loop whose layout agrees with a fragment's, the element that an
 * iteration touches is in the same thread's registers, at a number that is a sum
 * over the parallel loop's register modes (and the variables of unrolled loops).  The
 * coefficients are found, and the agreement checked, by evaluating the index
 * for the threads and modes themselves: no algebra on expressions.  Where the
 * register is no such sum (a[j // 2] in a thread that does four j), it is what the
 * fragment's register modes make of the index without the thread's share, which is
 * a constant as well once the loops over the modes are unrolled. */
#include <string.h>

#include "parallel.h"

/* A variable of an unrolled loop around. */
typedef struct RegTurn RegTurn;
struct RegTurn {
    uint32_t var;
    bool used;                    /* by the index in hand: the others need not turn */
    int64_t lo, hi;
    int64_t at;                   /* in the point in hand */
    int64_t coef;                 /* registers that a step moves */
    int64_t row[MaxDim];          /* ... and elements of each dimension, where RegRow.linear */
};

/* An index of the access in hand, of iterations that exist: where it is linear, c plus multiples of
 * the parallel loop's variables and of the turns. */
typedef struct RegRow RegRow;
struct RegRow { bool linear; int64_t c, of[LayDims]; };

typedef struct RegIndex RegIndex;
struct RegIndex {
    ParLoop *n;
    RegTurn *turn;
    uint32_t nturn, capturn;
    bool moves[ParLoopModes];     /* this register mode makes a difference to what is asked */
    RegRow row[MaxDim];
    int64_t var[LayDims];         /* the parallel loop's variables at the point in hand */
    Stmt *at;                     /* the statement in hand, for messages */
    bool stepped;                 /* n->step is set from a fragment */
    bool shared;                  /* the last regs_reg_index() may be that of iterations that do not
                                   * exist too */
    bool pads;                    /* the statement in hand runs in iterations that do not exist too */
};

/* Cuts ------------------------------------------------------------------ */

/* Splits the REG mode of dim that crosses weight, where it divides. */
static void regs_cut(Layout *l, int dim, int32_t weight)
{
    for (int i = 0; i < l->n; i++) {
        Mode g = l->d[i];
        if (g.dim != dim || g.axis != AXreg || g.weight >= weight ||
            (int64_t)g.weight * g.extent <= weight || weight % g.weight ||
            g.extent % (weight / g.weight) || l->n == LayModes)
            continue;
        int32_t low = weight / g.weight;
        memmove(&l->d[i + 2], &l->d[i + 1], (size_t)(l->n - i - 1) * sizeof *l->d);
        l->d[i].extent = low;
        l->d[i + 1] = (Mode){g.dim, g.axis, weight, g.extent / low, g.stride * low};
        l->n++;
        return;
    }
}

static uint32_t regs_regs_of(Low *l, uint32_t frag)
{
    return low_buf(l, buf_root(l->p, frag))->regs;
}

/* Cuts loop where the modes of a fragment indexed by plain variables are cut. */
static void cut_for(ParLoop *n, uint32_t frag, const Ex *idx)
{
    const Prog *p = n->l->p;
    const Layout *map = &low_buf(n->l, frag)->map;
    n->regs = true;
    for (int d = 0; d < p->buf[frag].ndim && d < map->ndim; d++)
        for (int v = 0; v < n->s->loop.n; v++)
            if (p->ex[idx[d]].op == Xvar && p->ex[idx[d]].sym == n->s->loop.var[v])
                for (int i = 0; i < map->n; i++)
                    if (map->d[i].dim == d && map->d[i].weight > 1)
                        regs_cut(&n->loop, v, map->d[i].weight);
}

static ExGo cut_loads(void *ud, Ex e)
{
    ParLoop *n = ud;
    Expr x = *ex_at(n->l->p, e);
    if (x.op == Xload && low_fragment(n->l->p, x.sym))
        cut_for(n, x.sym, x.arg);
    return EXinto;
}

static void cut_block(ParLoop *n, Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        stmt_ex_walk(n->l->p, s, cut_loads, n);
        if (s->kind == Sstore && low_fragment(n->l->p, s->store.buf))
            cut_for(n, s->store.buf, s->store.idx);
        for (int i = 0, k = stmt_blocks(s, b); i < k; i++)
            cut_block(n, b[i]);
    }
}

void parloop_cut(ParLoop *n) { cut_block(n, n->s->loop.body); }

/* Places ---------------------------------------------------------------- */

/* The element of the root that element idx of a view shows. */
static bool to_root(const Prog *p, uint32_t frag, int64_t *idx)
{
    uint32_t root = buf_root(p, frag);
    int64_t flat = 0, n;
    if (root == frag)
        return true;
    for (int d = 0; d < p->buf[frag].ndim; d++) {
        if (!x_isint(p, p->buf[frag].shape[d], &n))
            return false;
        flat = flat * n + idx[d];
    }
    if (dtypeinfo[p->buf[frag].dt].bits != dtypeinfo[p->buf[root].dt].bits)
        return false;
    for (int d = p->buf[root].ndim - 1; d >= 0; d--) {
        if (!x_isint(p, p->buf[root].shape[d], &n) || n <= 0)
            return false;
        idx[d] = flat % n;
        flat /= n;
    }
    return true;
}

/* Mode g of element idx, which the layout has: in 32 bits, since millions are asked for. */
static int32_t mode_coord(const Mode *g, const int64_t *idx)
{
    return (int32_t)((uint32_t)idx[g->dim] / (uint32_t)g->weight % (uint32_t)g->extent);
}

/* What the register modes make of element idx. */
static int64_t regs_reg_of(const Layout *map, const int64_t *idx)
{
    int64_t reg = 0;
    for (int i = 0; i < map->n; i++)
        if (map->d[i].axis == AXreg)
            reg += (int64_t)mode_coord(&map->d[i], idx) * map->d[i].stride;
    return reg;
}

/* Register of element idx in this thread: -1 when another thread holds it, -2 when
 * it lies outside. */
static int64_t reg_of_element(const Layout *map, const int64_t *idx, int lane, int warp)
{
    for (int d = 0; d < map->ndim; d++)
        if (idx[d] < 0 || idx[d] >= map->extent[d])
            return -2;
    for (int i = 0; i < map->n; i++) {
        const Mode *g = &map->d[i];
        if (g->axis != AXreg &&
            mode_coord(g, idx) != (g->axis == AXlane ? lane : warp) / g->stride % g->extent)
            return -1;
    }
    return regs_reg_of(map, idx);
}

typedef struct RegPoint RegPoint;
struct RegPoint {
    int32_t reg[ParLoopModes], lane, warp;
};

static RegRow regs_row_of(RegIndex *t, Ex e, int d)
{
    const ParLoop *n = t->n;
    const Prog *p = n->l->p;
    ExSum s = x_linear(p, e);
    RegRow r = {.linear = x_whole(p, e), .c = s.c};
    for (uint32_t i = 0; i < t->nturn; i++)
        t->turn[i].row[d] = 0;
    for (int k = 0; k < s.n && r.linear; k++) {
        bool found = false;
        const Expr *v = &p->ex[s.atom[k]];
        for (int i = 0; i < n->s->loop.n && v->op == Xvar; i++)
            if (n->s->loop.var[i] == v->sym) {
                r.of[i] = s.coef[k];
                found = true;
            }
        for (uint32_t i = 0; i < t->nturn && v->op == Xvar; i++)
            if (t->turn[i].var == v->sym) {
                t->turn[i].row[d] = s.coef[k];
                found = true;
            }
        r.linear = found;
    }
    return r;
}

/* What the index of an access uses, and the first point. */
static RegPoint first_point(RegIndex *t, uint32_t frag, const Ex *idx)
{
    const ParLoop *n = t->n;
    const Prog *p = n->l->p;
    for (uint32_t i = 0; i < t->nturn; i++) {
        t->turn[i].at = t->turn[i].lo;
        t->turn[i].used = false;
        for (int d = 0; d < p->buf[frag].ndim; d++)
            t->turn[i].used |= x_uses(p, idx[d], t->turn[i].var);
    }
    for (int k = 0; k < n->nreg; k++) {
        t->moves[k] = false;
        for (int d = 0; d < p->buf[frag].ndim; d++)
            t->moves[k] |= x_uses(p, idx[d], n->s->loop.var[n->loop.d[n->mode[k]].dim]);
    }
    for (int d = 0; d < p->buf[frag].ndim; d++)
        t->row[d] = regs_row_of(t, idx[d], d);
    return (RegPoint){0};
}

enum { PTpad = -3, PTunknown = -4 };

/* Values of the variables at a point; false: one is beyond its size. */
static bool point_values(RegIndex *t, const RegPoint *at)
{
    ParLoop *n = t->n;
    int64_t *v = t->var;
    bool inside = true;
    memset(v, 0, sizeof t->var);
    for (int i = 0, r = 0; i < n->loop.n; i++) {
        const Mode *g = &n->loop.d[i];
        int64_t k = g->axis == AXreg ? at->reg[r++]
                    : (g->axis == AXlane ? at->lane : at->warp) / g->stride % g->extent;
        v[g->dim] += k * g->weight;
    }
    for (int i = 0; i < n->s->loop.n; i++) {
        inside = inside && v[i] < n->loop.size[i];
        n->env[n->s->loop.var[i]] = v[i];
    }
    for (uint32_t i = 0; i < t->nturn; i++)
        n->env[t->turn[i].var] = t->turn[i].at;
    return inside;
}

/* Index e of dimension d at the point in hand, which is an iteration; false: not known. */
static bool regs_index_at(const RegIndex *t, Ex e, int d, int64_t *at)
{
    const RegRow *r = &t->row[d];
    if (!r->linear)
        return x_eval(t->n->l->p, e, t->n->env, at);
    *at = r->c;
    for (int i = 0; i < t->n->s->loop.n; i++)
        *at += r->of[i] * t->var[i];
    for (uint32_t i = 0; i < t->nturn; i++)
        *at += t->turn[i].row[d] * t->turn[i].at;
    return true;
}

/* Register that the access touches at a point. */
static int64_t access_reg(RegIndex *t, uint32_t frag, const Ex *idx, const RegPoint *at)
{
    ParLoop *n = t->n;
    const Prog *p = n->l->p;
    int64_t at_idx[MaxDim];
    if (!point_values(t, at))
        return PTpad;
    for (int d = 0; d < p->buf[frag].ndim; d++)
        if (!regs_index_at(t, idx[d], d, &at_idx[d]))
            return PTunknown;
    if (!to_root(p, frag, at_idx))
        return PTunknown;
    return reg_of_element(&low_buf(n->l, buf_root(p, frag))->map, at_idx, at->lane, at->warp);
}

/* Other than the parallel loop's variables, those of unrolled loops and constants. */
static bool unknown_var(void *ud, Ex e)
{
    const RegIndex *t = ud;
    const Expr *x = ex_at(t->n->l->p, e);
    if (x->op != Xvar)
        return x->op == Xload || x->op == Xcall;
    for (int i = 0; i < t->n->s->loop.n; i++)
        if (t->n->s->loop.var[i] == x->sym)
            return false;
    for (uint32_t i = 0; i < t->nturn; i++)
        if (t->turn[i].var == x->sym)
            return false;
    return true;
}

/* register = c + sum over modes; RegTurn.coef has those of unrolled variables */
typedef struct RegFit RegFit;
struct RegFit {
    int64_t c, reg[ParLoopModes];
};

static int64_t regs_expected(const RegIndex *t, const RegFit *f, const RegPoint *at)
{
    int64_t s = f->c;
    for (int k = 0; k < t->n->nreg; k++)
        s += f->reg[k] * at->reg[k];
    for (uint32_t i = 0; i < t->nturn; i++)
        s += t->turn[i].coef * (t->turn[i].at - t->turn[i].lo);
    return s;
}

static int32_t loop_mode_extent(const ParLoop *n, int k) { return n->loop.d[n->mode[k]].extent; }

/* The register of a point that is no iteration: of the padding of the fragment's layout; negative
 * where it has none. */
static int64_t regs_padding(RegIndex *t, uint32_t frag, const Ex *idx, const RegPoint *at)
{
    const Prog *p = t->n->l->p;
    const Layout *map = &low_buf(t->n->l, buf_root(p, frag))->map;
    int64_t at_idx[MaxDim];
    point_values(t, at);
    if (buf_root(p, frag) != frag)
        return PTpad;
    for (int d = 0; d < map->ndim; d++)
        if (!x_eval(p, idx[d], t->n->env, &at_idx[d]) || at_idx[d] < 0 || at_idx[d] >= map->extent[d])
            return PTpad;
    return regs_reg_of(map, at_idx);
}

/* Coefficients from the first steps along each mode and variable. */
static bool guess(RegIndex *t, uint32_t frag, const Ex *idx, RegFit *f)
{
    RegPoint at = first_point(t, frag, idx);
    int64_t s;
    f->c = access_reg(t, frag, idx, &at);
    if (f->c < 0)
        return false;
    for (int k = 0; k < t->n->nreg; k++) {
        f->reg[k] = 0;
        if (loop_mode_extent(t->n, k) < 2)
            continue;
        at.reg[k] = 1;
        s = access_reg(t, frag, idx, &at);
        if (s == PTpad)
            s = regs_padding(t, frag, idx, &at);
        if (s < 0 && s != PTpad)
            return false;
        t->shared |= s < 0;
        f->reg[k] = s < 0 ? 0 : s - f->c;
        at.reg[k] = 0;
    }
    for (uint32_t i = 0; i < t->nturn; i++) {
        RegTurn *u = &t->turn[i];
        u->coef = 0;
        if (!u->used || u->hi - u->lo < 2)
            continue;
        u->at++;
        s = access_reg(t, frag, idx, &at);
        if (s < 0)
            return false;
        u->coef = s - f->c;
        u->at--;
    }
    return true;
}

/* The next point; the modes run first, then unrolled variables, lanes, warps.  Of modes
 * that make no difference and variables that the index does not use one value says all. */
static bool next_reg_point(RegIndex *t, RegPoint *at)
{
    const ParLoop *n = t->n;
    for (int k = 0; k < n->nreg; k++) {
        if (!t->moves[k])
            continue;
        if (++at->reg[k] < loop_mode_extent(n, k))
            return true;
        at->reg[k] = 0;
    }
    for (uint32_t i = 0; i < t->nturn; i++) {
        if (!t->turn[i].used)
            continue;
        if (++t->turn[i].at < t->turn[i].hi)
            return true;
        t->turn[i].at = t->turn[i].lo;
    }
    if (++at->lane < n->l->m->warp)
        return true;
    at->lane = 0;
    return ++at->warp < (n->l->threads + n->l->m->warp - 1) / n->l->m->warp;
}

/* Register at a point by the index alone: that of the first thread, whose share is 0. */
static int64_t shareless(RegIndex *t, uint32_t frag, const Ex *idx, const RegPoint *at)
{
    const Prog *p = t->n->l->p;
    const Layout *map = &low_buf(t->n->l, buf_root(p, frag))->map;
    int64_t at_idx[MaxDim];
    RegPoint first = *at;
    first.lane = first.warp = 0;
    point_values(t, &first);
    for (int d = 0; d < p->buf[frag].ndim; d++)
        if (!x_eval(p, idx[d], t->n->env, &at_idx[d]) || at_idx[d] < 0 || at_idx[d] > INT32_MAX)
            return PTunknown;
    return to_root(p, frag, at_idx) ? regs_reg_of(map, at_idx) : PTunknown;
}

/* The mode of the parallel loop that is mode g of a fragment, in its dimension v; or -1. */
static int twin(const Layout *loop, const Mode *g, int v)
{
    for (int i = 0; i < loop->n; i++) {
        const Mode *h = &loop->d[i];
        if (h->dim == v && h->axis == g->axis && h->weight == g->weight &&
            h->extent == g->extent && (g->axis == AXreg || h->stride == g->stride))
            return i;
    }
    return -1;
}

/* Are the modes of the parallel loop's variable v those of a number, each once?  From the one of
 * weight 1 on each begins where one ends, and there are no others. */
static bool regs_radix(const Layout *loop, int v)
{
    int64_t all = 1, top = 1;
    bool begins = false;
    for (int i = 0; i < loop->n; i++) {
        const Mode *h = &loop->d[i];
        if (h->dim != v)
            continue;
        int64_t end = (int64_t)h->weight * h->extent;
        bool joined = end >= loop->extent[v];
        for (int k = 0; k < loop->n; k++)
            joined |= loop->d[k].dim == v && loop->d[k].weight == end;
        if (!joined)
            return false;
        begins |= h->weight == 1;
        all *= h->extent;
        top = end > top ? end : top;
    }
    return begins && all == top;
}

/* Is f right because each index is a variable of the parallel loop whose modes are the
 * fragment's?  Most are, and then nothing needs to be looked at. */
static bool is_identity(const RegIndex *t, uint32_t frag, const Ex *idx, const RegFit *f)
{
    const ParLoop *n = t->n;
    const Prog *p = n->l->p;
    const Layout *map = &low_buf(n->l, frag)->map;
    int of[MaxDim], reg[LayModes], left = 0, used[LayDims] = {0};
    if (p->buf[frag].base || f->c != 0)
        return false;
    for (int i = 0, r = 0; i < n->loop.n; i++)
        reg[i] = n->loop.d[i].axis == AXreg ? r++ : -1;
    for (int d = 0; d < map->ndim; d++) {
        const Expr *x = &p->ex[idx[d]];
        for (of[d] = n->s->loop.n - 1; of[d] >= 0; of[d]--)
            if (x->op == Xvar && x->sym == n->s->loop.var[of[d]])
                break;
        if (of[d] < 0 || used[of[d]]++ || !regs_radix(&n->loop, of[d]))
            return false;
    }
    for (int i = 0; i < n->loop.n; i++)
        left += used[n->loop.d[i].dim];
    int64_t want[ParLoopModes] = {0};
    for (int i = 0; i < map->n; i++, left--) {
        int k = twin(&n->loop, &map->d[i], of[map->d[i].dim]);
        if (k < 0)
            return false;
        if (reg[k] >= 0)
            want[reg[k]] = map->d[i].stride;
    }
    for (int k = 0; k < n->nreg; k++)
        if (f->reg[k] != want[k] && loop_mode_extent(n, k) > 1)
            return false;
    for (uint32_t i = 0; i < t->nturn; i++)
        if (t->turn[i].coef)
            return false;
    return left == 0;
}

/* Do all threads find the element at the register that f says (NULL: shareless)?  All points are
 * looked at, however many: the loops over them are unrolled, so there is code for each. */
static bool regs_check(RegIndex *t, uint32_t frag, const Ex *idx, const RegFit *f)
{
    RegPoint at = first_point(t, frag, idx);
    do {
        int64_t s = access_reg(t, frag, idx, &at);
        if (s != PTpad && s != -2 &&
            s != (f ? regs_expected(t, f, &at) : shareless(t, frag, idx, &at)))
            return false;
    } while (next_reg_point(t, &at));
    return true;
}

/* What an iteration beyond the parallel loop's sizes finds at the element's place: NoPads: there
 * are no such iterations; PadsOwn: registers of the fragment's padding; PadsSame: an element that
 * an iteration that exists finds too; PadsOther: the register of any other element.  Only indices
 * in the padding of the fragment have registers of their own; those beyond are given some
 * register that there is. */
enum Pads { NoPads, PadsOwn, PadsSame, PadsOther };

static enum Pads pads_find(RegIndex *t, uint32_t frag, const Ex *idx)
{
    const ParLoop *n = t->n;
    const Prog *p = n->l->p;
    const Layout *map = &low_buf(n->l, frag)->map;
    bool padded = false, used = false;
    RegPoint at = first_point(t, frag, idx);
    for (int d = 0; d < n->loop.ndim; d++)
        if (n->loop.extent[d] > n->loop.size[d]) {
            padded = true;
            for (int k = 0; k < p->buf[frag].ndim; k++)
                used |= x_uses(p, idx[k], n->s->loop.var[d]);
            for (int k = 0; k < n->nreg; k++)
                t->moves[k] |= n->loop.d[n->mode[k]].dim == d;
        }
    if (!used)
        return padded ? PadsSame : NoPads;
    do {
        int64_t k = 0;
        bool beyond = !point_values(t, &at), padding = false, own = true;
        for (int d = 0; beyond && own && d < map->ndim; d++) {
            own = x_eval(p, idx[d], n->env, &k) && k >= 0 && k < map->extent[d];
            padding |= k >= map->size[d];
        }
        if (beyond && !(own && padding))
            return PadsOther;
    } while (next_reg_point(t, &at));
    return PadsOwn;
}

/* The largest register that f gives, of iterations that do not exist too. */
static int64_t regs_most(const RegIndex *t, const RegFit *f)
{
    int64_t s = f->c;
    for (int k = 0; k < t->n->nreg; k++)
        s += f->reg[k] > 0 ? f->reg[k] * (loop_mode_extent(t->n, k) - 1) : 0;
    for (uint32_t i = 0; i < t->nturn; i++) {
        const RegTurn *u = &t->turn[i];
        s += u->coef > 0 ? u->coef * (u->hi - u->lo - 1) : 0;
    }
    return s;
}

/* f as an expression.  What iterations beyond the parallel loop's sizes read, which nobody
 * uses, is some register that there is. */
static Ex regs_reg_ex(RegIndex *t, uint32_t frag, const RegFit *f)
{
    Low *l = t->n->l;
    int64_t last = layout_extent(&low_buf(l, buf_root(l->p, frag))->map, AXreg) - 1;
    Ex e = low_i(l, f->c);
    for (int k = 0; k < t->n->nreg; k++)
        if (f->reg[k])
            e = low_add(l, e, low_mul(l, x_var(l->p, t->n->reg[k]), f->reg[k]));
    for (uint32_t i = 0; i < t->nturn; i++) {
        const RegTurn *u = &t->turn[i];
        if (u->coef)
            e = low_add(l, e, low_mul(l, low_add(l, x_var(l->p, u->var), low_i(l, -u->lo)), u->coef));
    }
    if (regs_most(t, f) > last)
        e = x_bin(l->p, Xmin, e, low_i(l, last));
    return e;
}

/* The parallel loop's variables without the thread's share. */
static void regs_shares(RegIndex *t, LowNew *map)
{
    const ParLoop *n = t->n;
    Low *l = n->l;
    for (int d = 0; d < n->s->loop.n; d++)
        map[d] = (LowNew){n->s->loop.var[d], low_i(l, 0)};
    for (int k = 0; k < n->nreg; k++) {
        const Mode *g = &n->loop.d[n->mode[k]];
        Ex *v = &map[g->dim].to;
        *v = low_add(l, *v, low_mul(l, x_var(l->p, n->reg[k]), g->weight));
    }
}

/* The expression of shareless(). */
static Ex shareless_ex(RegIndex *t, uint32_t frag, const Ex *idx)
{
    Low *l = t->n->l;
    Prog *p = l->p;
    uint32_t root = buf_root(p, frag);
    const Layout *map = &low_buf(l, root)->map;
    Ex at[MaxDim], flat = low_i(l, 0), sum = flat;
    LowNew share[MaxLoop];
    regs_shares(t, share);
    for (int d = 0; d < p->buf[frag].ndim; d++) {
        at[d] = x_cast(p, DTi32, low_varsx(l, idx[d], share, t->n->s->loop.n));
        flat = low_add(l, x_bin(p, Xmul, flat, p->buf[frag].shape[d]), at[d]);
    }
    for (int d = p->buf[root].ndim - 1, n = root != frag; n && d >= 0; d--) {
        at[d] = low_mod(l, flat, map->size[d]);
        flat = low_div(l, flat, map->size[d]);
    }
    for (int i = 0; i < map->n; i++) {
        const Mode *g = &map->d[i];
        if (g->axis != AXreg)
            continue;
        Ex v = low_mod(l, low_div(l, at[g->dim], g->weight), g->extent);
        sum = low_add(l, sum, low_mul(l, v, g->stride));
    }
    return sum;
}

static Ex regs_reg_index(RegIndex *t, uint32_t frag, const Ex *idx)
{
    Low *l = t->n->l;
    Prog *p = l->p;
    RegFit f;
    bool ok = regs_regs_of(l, frag) != 0;
    t->shared = false;
    for (int d = 0; ok && d < p->buf[frag].ndim; d++)
        ok = !ex_any(p, idx[d], unknown_var, t);
    if (ok && guess(t, frag, idx, &f) &&
        (is_identity(t, frag, idx, &f) || regs_check(t, frag, idx, &f))) {
        if (!t->stepped)
            memcpy(t->n->step, f.reg, sizeof f.reg);
        t->stepped = true;
        return regs_reg_ex(t, frag, &f);
    }
    if (ok && regs_check(t, frag, idx, NULL))
        return shareless_ex(t, frag, idx);
    diag_fail(&p->ctx, E_bug, t->at->loc,
              afmt(&p->ctx, "an element of `%s` is not where the layouts say",
                   p->buf[frag].name), NULL);
}

/* Statements ------------------------------------------------------------ */

static Ex load_reg(Low *l, Ex e, void *ud)
{
    Expr x = *ex_at(l->p, e);
    if (x.op != Xload || !low_fragment(l->p, x.sym))
        return e;
    RegIndex *t = ud;
    Ex s = regs_reg_index(t, x.sym, x.arg), v = low_load(l, regs_regs_of(l, x.sym), &s);
    v = x_bits(l->p, (enum Dtype)x.dt, v); /* views of another type */
    if (!t->pads || pads_find(t, x.sym, x.arg) != PadsOther)
        return v;
    return x_select(l->p, parloop_exists(t->n), v, x_int(l->p, (enum Dtype)x.dt, 0));
}

/* Does s run in iterations beyond the parallel loop's sizes?  (parloop_mask keeps what touches
 * memory, and strict stores, from them.) */
static bool runs_in_pads(RegIndex *t, const Stmt *s)
{
    if (s->kind == Slet || s->kind == Sif)
        return true;
    return s->kind == Sstore && low_fragment(t->n->l->p, s->store.buf) &&
           pads_find(t, s->store.buf, s->store.idx) < PadsSame;
}

static void regs_unrolled(RegIndex *t, const Stmt *s)
{
    Prog *p = t->n->l->p;
    int64_t step = 1;
    if (s->loop.step && !x_isint(p, s->loop.step, &step))
        return;
    for (int i = 0; i < s->loop.n; i++) {
        RegTurn u = {.var = s->loop.var[i]};
        if (!x_isint(p, s->loop.lo[i], &u.lo) || !x_isint(p, s->loop.hi[i], &u.hi))
            continue;
        if (step < 0 && u.lo > u.hi) { /* downwards: the same turns from the other end */
            int64_t first = u.lo;
            u.lo -= (first - u.hi - 1) / -step * -step;
            u.hi = first + 1;
        }
        agrow(&p->ctx, &t->turn, &t->capturn, t->nturn + 1, sizeof *t->turn);
        t->turn[t->nturn++] = u;
    }
}

static void regs_block(RegIndex *t, Stmt *s)
{
    Low *l = t->n->l;
    Stmt **b[2];
    for (; s; s = s->next) {
        uint32_t mark = t->nturn;
        t->at = s;
        t->pads = runs_in_pads(t, s);
        low_map_own(l, s, load_reg, t);
        if (s->kind == Sstore && low_fragment(l->p, s->store.buf)) {
            uint32_t to = regs_regs_of(l, s->store.buf);
            bool strict = pads_find(t, s->store.buf, s->store.idx) >= PadsSame;
            Ex at = regs_reg_index(t, s->store.buf, s->store.idx);
            s->store.buf = to;
            s->store.value = x_bits(l->p, (enum Dtype)l->p->buf[to].dt, s->store.value);
            memset(s->store.idx, 0, sizeof s->store.idx);
            s->store.idx[0] = at;
            s->store.strict = strict || t->shared;
        }
        if (s->kind == Sfor)
            regs_unrolled(t, s);
        for (int i = 0, k = low_blocks(s, b); i < k; i++)
            regs_block(t, *b[i]);
        t->nturn = mark;
    }
}

typedef struct RegChoice { const Low *l; uint32_t var; } RegChoice;

/* Loops inside whose variables choose registers have to be unrolled. */
static bool chooses(void *ud, Ex e)
{
    const RegChoice *c = ud;
    const Prog *p = c->l->p;
    const Expr *x = &p->ex[e];
    return x->op == Xload && p->buf[x->sym].scope == SClocal && p->buf[x->sym].map &&
           x_uses(p, x->arg[0], c->var);
}

static bool regs_settles(Stmt *s, void *ud)
{
    RegChoice *c = ud;
    const Buf *b = s->kind == Sstore ? &c->l->p->buf[s->store.buf] : NULL;
    if (b && b->scope == SClocal && b->map && x_uses(c->l->p, s->store.idx[0], c->var))
        return false;
    return !stmt_any(c->l->p, s, chooses, c);
}

static bool unroll(Stmt *s, void *ud)
{
    Low *l = ud;
    if (s->kind != Sfor || s->loop.kind != Fserial)
        return true;
    for (int i = 0; i < s->loop.n; i++) {
        RegChoice c = {l, s->loop.var[i]};
        if (!stmt_walk(s->loop.body, regs_settles, &c))
            s->loop.kind = Funroll;
    }
    return true;
}

void parloop_regs(ParLoop *n, Stmt *list)
{
    RegIndex t = {.n = n};
    n->env = low_env(n->l);
    for (uint32_t i = 0; i < n->naround; i++)
        if (n->around[i]->loop.kind == Funroll)
            regs_unrolled(&t, n->around[i]);
    regs_block(&t, list);
    stmt_walk(list, unroll, n->l);
}
