/* targets/cpu/emit_loop.c: loops and loop nests.
 *
 * A nest without tile operations is analysed as a whole: if a test before it
 * can prove every access inside its buffer, it is printed twice, once bare for
 * interior blocks, where it vectorises, once guarded for the edge.  T.Parallel
 * promises that iterations are independent, so its loops are ordered for
 * contiguous access and marked ivdep where each iteration writes its own
 * elements. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "emit.h"

/* What gcc puts behind each other, at most: iterations of one loop, statements of unrolled loops in each
 * other.  A tile operation counts as several: it is loops, often unrolled ones.  Two loops of 32 in each other
 * with two copies in them took gcc minutes and all memory. */
enum { MaxUnroll = 64, MaxUnrolled = 1024, OpStatements = 16 };

static bool is_tile_op(Stmt *s, void *ud)
{
    *(bool *)ud = s->kind == Sop;
    return s->kind != Sop;
}

static bool has_tile_op(const Stmt *s)
{
    bool found = false;
    stmt_walk((Stmt *)(uintptr_t)s, is_tile_op, &found);
    return found;
}

/* Strides -------------------------------------------------------------- */

bool access_stride(Gen *g, uint32_t buf, const Ex *idx, uint32_t var, int64_t *out)
{
    const Buf *b = &g->p->buf[buf];
    int64_t scale = 1, total = 0, extent;
    bool fixed = true; /* scale is the stride of dimension d */
    for (int d = b->ndim - 1; d >= 0; d--) {
        Ex v = x_var(g->p, var);
        int64_t coef = 0;
        ExSum s = x_linear(g->p, idx[d]);
        for (int i = 0; i < s.n; i++) {
            if (s.atom[i] == v)
                coef = s.coef[i];
            else if (x_uses(g->p, s.atom[i], var))
                return false;
        }
        b = &g->p->buf[buf];
        if (b->stride[0])
            fixed = x_isint(g->p, b->stride[d], &scale);
        if (coef && !fixed)
            return false;
        total += coef ? coef * scale : 0;
        if (!b->stride[0]) {
            fixed = fixed && x_isint(g->p, b->shape[d], &extent);
            scale = fixed ? scale * extent : 0;
        }
    }
    *out = total;
    return true;
}

/* How a loop uses one root's memory: as its first access does, or in several ways. */
typedef struct RootUse RootUse;
struct RootUse { uint32_t root, buf; const Ex *idx; bool stored, ways; };

typedef struct Score {
    Gen *g;
    uint32_t var;
    int score;
    bool distinct;
    Stmt *body;
    RootUse *use; uint32_t nuse, capuse;
} Score;

/* Is idx, of buffer buf, always as far from k's element? */
static bool score_alike(const Gen *g, const RootUse *k, uint32_t buf, const Ex *idx)
{
    int64_t apart;
    if (buf != k->buf)
        return false;
    for (int d = 0; d < g->p->buf[buf].ndim; d++)
        if (!x_isint(g->p, x_bin(g->p, Xsub, idx[d], k->idx[d]), &apart))
            return false;
    return true;
}

/* What ivdep says holds between iterations; of accesses of one iteration gcc then asks nothing
 * either where it cannot tell how far apart they are, and joins those around another one.  So it
 * must be able to tell. */
static void score_use(Score *q, uint32_t buf, const Ex *idx, bool store)
{
    uint32_t root = buf_root(q->g->p, buf);
    RootUse *k = q->use;
    while (k < q->use + q->nuse && k->root != root)
        k++;
    if (k == q->use + q->nuse) {
        agrow(q->g->c, &q->use, &q->capuse, q->nuse + 1, sizeof *q->use);
        k = &q->use[q->nuse++];
        *k = (RootUse){root, buf, idx, false, false};
    }
    k->stored |= store;
    k->ways |= !score_alike(q->g, k, buf, idx);
    q->distinct &= !(k->stored && k->ways);
}

static bool allocated_in(const Stmt *s, uint32_t buf)
{
    for (; s; s = s->next)
        if (s->kind == Salloc && s->alloc.buf == buf)
            return true;
    return false;
}

static void score_access(Score *q, uint32_t buf, const Ex *idx, bool store)
{
    int64_t s;
    bool known = access_stride(q->g, buf, idx, q->var, &s);
    int weight = store ? 3 : 2;
    if (known && s == 1)
        q->score += weight;
    else if (!known || s != 0)
        q->score -= weight;
    if (store && q->g->place[buf].kind != PLscalar && (!known || s == 0) &&
        !allocated_in(q->body, buf_root(q->g->p, buf)))
        q->distinct = false;
    bool alone = q->body->kind == Sstore && !q->body->next; /* it reads all before it writes */
    if (q->g->place[buf].kind != PLscalar && !alone)
        score_use(q, buf, idx, store);
}

static ExGo score_ex(void *ud, Ex e)
{
    Score *q = ud;
    const Expr *x = ex_at(q->g->p, e);
    if (x->op == Xload)
        score_access(q, x->sym, x->arg, false);
    return EXinto;
}

static bool score_stmt(Stmt *s, void *ud)
{
    Score *q = ud;
    if (s->kind == Sstore)
        score_access(q, s->store.buf, s->store.idx, true);
    if (s->kind == Satomic)
        q->distinct = false;
    stmt_ex_walk(q->g->p, s, score_ex, q);
    return true;
}

static Score score_of(Gen *g, Stmt *s, uint32_t var)
{
    Score q = {.g = g, .var = var, .distinct = true, .body = s->loop.body};
    stmt_walk(s->loop.body, score_stmt, &q);
    return q;
}

/* Which loop of a parallel nest goes innermost: the one with most unit
 * strides; the last one on a tie. */
static int innermost(Gen *g, Stmt *s)
{
    int best = s->loop.n - 1, score = score_of(g, s, s->loop.var[best]).score;
    int64_t lo, hi;
    for (int i = s->loop.n - 2; i >= 0; i--) {
        int k = score_of(g, s, s->loop.var[i]).score;
        bool one =
            x_isint(g->p, s->loop.lo[i], &lo) && x_isint(g->p, s->loop.hi[i], &hi) && hi - lo <= 1;
        if (k > score && !one)
            best = i, score = k;
    }
    return best;
}

/* Loops ---------------------------------------------------------------- */

static int64_t cloop_extent_of(const Gen *g, const Stmt *s, int i)
{
    int64_t lo, hi;
    return x_isint(g->p, s->loop.lo[i], &lo) && x_isint(g->p, s->loop.hi[i], &hi) ? hi - lo : -1;
}

/* Bounds that read memory are evaluated once. */
static const char *bound_name(Gen *g, Ex e, const char *name, enum Dtype dt)
{
    if (x_pure(g->p, e))
        return NULL;
    const char *s = declare(g, name);
    begin(g);
    put(g, "const %s %s = ", value_type(dt), s);
    emit_as(g, e, dt, PRany);
    put(g, ";\n");
    return s;
}

static void put_bound(Gen *g, const char *name, Ex e, enum Dtype dt, int prec)
{
    if (name)
        put(g, "%s", name);
    else
        emit_as(g, e, dt, prec);
}

/* Steps other than 1: rounds are counted, so that the variable never leaves
 * the loop's bounds, not even by wrapping. */
static void emit_counted(Gen *g, const Stmt *s, int i, const char *to, const char *pragma)
{
    enum Dtype dt = (enum Dtype)g->p->var[s->loop.var[i]].dt;
    Ex e = s->loop.step;
    bool u = dt == DTu64;
    const char *from = declare(g, "from"), *by = declare(g, "step"), *k = declare(g, "round"),
               *n = declare(g, "nround");
    line(g, "{");
    g->indent++;
    begin(g);
    put(g, "const %s %s = ", u ? "unsigned long" : "long", from);
    emit_as(g, s->loop.lo[i], dt, PRany);
    put(g, ";\n");
    begin(g);
    put(g, "const long %s = ", by);
    emit_expr(g, e, PRany);
    put(g, ";\n");
    if (pragma)
        line(g, "%s", pragma);
    begin(g);
    put(g, "for (unsigned long %s = 0, %s = %s(%s, ", k, n, use(g, u ? "rounds_u" : "rounds"), from);
    put_bound(g, to, s->loop.hi[i], dt, PRany);
    put(g, ", %s); %s < %s; %s++)", by, k, n, k);
    room(g);
    open_brace(g);
    const char *name = declare(g, g->p->var[s->loop.var[i]].name);
    line(g, "const %s %s = (%s)((unsigned long)%s + %s * (unsigned long)%s);", value_type(dt), name,
         value_type(dt), from, k, by);
    g->name[s->loop.var[i]] = name;
}

/* 0: it is not known. */
static int64_t loop_step(const Gen *g, const Stmt *s)
{
    int64_t step = 1;
    return !s->loop.step || x_isint(g->p, s->loop.step, &step) ? step : 0;
}

/* Prints the head of a loop and its open brace; returns how many are open.
 * to: the name of its bound, or NULL.  pragma: stands directly in front of the loop; or NULL. */
static int emit_header(Gen *g, Stmt *s, int i, const char *to, const char *pragma)
{
    uint32_t v = s->loop.var[i];
    enum Dtype dt = (enum Dtype)g->p->var[v].dt;
    room(g);
    if (loop_step(g, s) != 1) {
        emit_counted(g, s, i, to, pragma);
        return 2;
    }
    const char *name = declare(g, g->p->var[v].name);
    if (pragma)
        line(g, "%s", pragma);
    begin(g);
    put(g, "for (%s %s = ", value_type(dt), name);
    emit_as(g, s->loop.lo[i], dt, PRany);
    put(g, "; %s < ", name);
    put_bound(g, to, s->loop.hi[i], dt, PRrel + 1);
    put(g, "; %s++)", name);
    open_brace(g);
    room(g);
    g->name[v] = name;
    return 1;
}

bool stores_distinct(Gen *g, Stmt *nest, uint32_t var) { return score_of(g, nest, var).distinct; }

/* How many rounds of loop i of s gcc may put behind each other; by: it is asked to; -1: it cannot. */
static int64_t rounds_together(const Gen *g, const Stmt *s, int i, int64_t by)
{
    int64_t n = cloop_extent_of(g, s, i), step = loop_step(g, s);
    if (by > 1 || step <= 0)
        return 1;
    return n < 0 ? -1 : n / step;
}

/* Iterations of loop i of s that stand in its body, which is `size` statements; 1: it is not unrolled. */
static int64_t unroll_by(const Gen *g, const Stmt *s, int i, int64_t size)
{
    int64_t by = cloop_extent_of(g, s, i), step = 1, most = size < MaxUnrolled ? MaxUnrolled / size : 1;
    if (s->loop.kind != Funroll || by < 1)
        return 1; /* nor is one of unknown length */
    if (s->loop.step && x_isint(g->p, s->loop.step, &step) && step > 1)
        by = (by - 1) / step + 1;
    by = s->loop.unroll > 0 && s->loop.unroll < by ? s->loop.unroll : by;
    by = by < MaxUnroll ? by : MaxUnroll;
    return by < most ? by : most;
}

static int64_t unrolled_list(const Gen *g, const Stmt *list);

/* The statements of one iteration of loop i of s, with what is unrolled inside of it; of -1, of s. */
static int64_t unrolled(const Gen *g, const Stmt *s, int i)
{
    Stmt *block[2];
    int64_t size = s->kind == Sop ? OpStatements : 1;
    for (int b = 0, n = stmt_blocks(s, block); b < n; b++)
        size += unrolled_list(g, block[b]);
    for (int k = s->kind == Sfor ? s->loop.n - 1 : -1; k > i; k--)
        size *= unroll_by(g, s, k, size);
    return size;
}

static int64_t unrolled_list(const Gen *g, const Stmt *list)
{
    int64_t size = 0;
    for (; list && size < MaxUnrolled; list = list->next)
        size += unrolled(g, list, -1);
    return size;
}

static void emit_levels(Gen *g, Stmt *s, const int *order, int level)
{
    int i = order[level];
    bool last = level == s->loop.n - 1;
    if (last && emit_specially(g, s, i))
        return;
    enum Dtype dt = (enum Dtype)g->p->var[s->loop.var[i]].dt;
    const char *to = bound_name(g, s->loop.hi[i], "end", dt); /* stays in scope behind the loop */
    uint32_t mark = scope_enter(g);
    const char *pragma = NULL;
    size_t at = g->scalar.out->n;
    uint32_t branches = g->branches;
    Masks masks = masks_open(g);
    bool distinct = s->loop.kind == Fparallel && last && score_of(g, s, s->loop.var[i]).distinct;
    if (distinct)
        pragma = IVDEP;
    int64_t by = s->loop.kind == Funroll ? unroll_by(g, s, i, unrolled(g, s, i)) : 1;
    if (by > 1)
        pragma = afmt(g->c, "#pragma GCC unroll %d", (int)by);
    int open = emit_header(g, s, i, to, pragma);
    if (keeps_sums(g, s, i, last))
        line(g, "%s();", use(g, "no_vectors"));
    if (!last)
        emit_levels(g, s, order, level + 1);
    else
        emit_list(g, s->loop.body);
    masks_close(g, masks, s->loop.var[i], loop_step(g, s), rounds_together(g, s, i, by));
    for (; open; open--)
        close_brace(g);
    if (distinct)
        ivdep_keep(g, at, branches);
    scope_leave(g, mark);
    room(g);
    g->name[s->loop.var[i]] = NULL;
}

/* The nest without loops of one iteration, if its body is only stores; else s. */
Stmt *nest_squeezed(Gen *g, Stmt *s)
{
    int n = 0;
    bool unit = false;
    for (int i = 0; i < s->loop.n - 1; i++)
        unit = unit || cloop_extent_of(g, s, i) == 1;
    for (const Stmt *b = s->loop.body; b; b = b->next)
        if (b->kind != Sstore)
            return s;
    if (!unit || s->loop.step)
        return s;
    ExNew fixed[MaxLoop];
    int nfixed = 0;
    Stmt *t = anew(g->c, sizeof *t), **tail = &t->loop.body;
    *t = *s;
    t->next = NULL;
    for (int i = 0; i < s->loop.n; i++) {
        if (i < s->loop.n - 1 && cloop_extent_of(g, s, i) == 1) {
            fixed[nfixed++] = (ExNew){s->loop.var[i], s->loop.lo[i]};
            continue;
        }
        t->loop.var[n] = s->loop.var[i];
        t->loop.lo[n] = s->loop.lo[i];
        t->loop.hi[n++] = s->loop.hi[i];
    }
    t->loop.n = (uint8_t)n;
    for (const Stmt *b = s->loop.body; b; b = b->next) {
        Stmt *c = anew(g->c, sizeof *c);
        *c = *b;
        for (int d = 0; d < g->p->buf[b->store.buf].ndim; d++)
            c->store.idx[d] = x_replace_all(g->p, b->store.idx[d], fixed, nfixed);
        c->store.value = x_replace_all(g->p, b->store.value, fixed, nfixed);
        *tail = c;
        tail = &c->next;
    }
    *tail = NULL;
    return t;
}

static bool only_stores(const Stmt *s)
{
    for (; s; s = s->next) {
        if (s->kind == Sif ? !only_stores(s->cond.then) || !only_stores(s->cond.els)
                           : s->kind != Sstore && s->kind != Slet)
            return false;
    }
    return true;
}

/* for i, j in parallel { for k in serial { O[i, j] += ... } }
 *     ==> for i { for k { for j { ... } } }
 * Each (i, j) still sees its k in order, and now the inner loop is one that
 * vectorises. */
static Stmt *interchanged(Gen *g, Stmt *s)
{
    Stmt *k = s->loop.body;
    if (s->loop.kind != Fparallel || !k || k->next || k->kind != Sfor ||
        !only_stores(k->loop.body) || (k->loop.kind != Fserial && k->loop.kind != Funroll))
        return s;
    int in = s->loop.n > 1 ? innermost(g, s) : 0;
    uint32_t v = s->loop.var[in];
    if (score_of(g, s, v).score <= 0 || !score_of(g, s, v).distinct)
        return s;
    for (int i = 0; i < k->loop.n; i++)
        for (int d = 0; d < s->loop.n; d++)
            if (x_uses(g->p, k->loop.lo[i], s->loop.var[d]) ||
                x_uses(g->p, k->loop.hi[i], s->loop.var[d]) || !x_pure(g->p, k->loop.lo[i]) ||
                !x_pure(g->p, k->loop.hi[i]))
                return s;
    Stmt *outer = anew(g->c, sizeof *outer), *mid = anew(g->c, sizeof *mid),
         *inner = anew(g->c, sizeof *inner);
    *outer = *s;
    *mid = *k;
    *inner = *s;
    inner->next = NULL;
    inner->loop.n = 1;
    inner->loop.var[0] = v;
    inner->loop.lo[0] = s->loop.lo[in];
    inner->loop.hi[0] = s->loop.hi[in];
    inner->loop.body = k->loop.body;
    mid->loop.body = inner;
    outer->loop.body = mid;
    outer->loop.n = 0;
    for (int i = 0; i < s->loop.n; i++) {
        if (i == in)
            continue;
        outer->loop.var[outer->loop.n] = s->loop.var[i];
        outer->loop.lo[outer->loop.n] = s->loop.lo[i];
        outer->loop.hi[outer->loop.n++] = s->loop.hi[i];
    }
    return outer->loop.n ? outer : mid;
}

static void emit_nest(Gen *g, Stmt *s)
{
    s = interchanged(g, s);
    int order[MaxLoop], n = 0, in = s->loop.n - 1;
    if (s->loop.kind == Fparallel && s->loop.n > 1)
        in = innermost(g, s);
    for (int i = 0; i < s->loop.n; i++)
        if (i != in)
            order[n++] = i;
    order[n] = in;
    emit_levels(g, s, order, 0);
}

void emit_tested(Gen *g, const Tests *t, void (*print)(void *), void *ud)
{
    uint32_t mark, at = g->line;
    if (t->n == 0) {
        print(ud);
        return;
    }
    begin(g);
    put_if(g);
    emit_tests(g, t);
    put(g, ") { /* all of it inside */\n");
    g->indent++;
    mark = hold_tests(g, t);
    g->under++;
    print(ud);
    drop_tests(g, mark);
    g->indent--;
    line(g, "} else { /* at an edge */");
    g->indent++;
    g->line = at;
    print(ud);
    g->under--;
    close_brace(g);
}

typedef struct LoopNest {
    Gen *g;
    Stmt *s;
} LoopNest;

static void print_nest(void *ud)
{
    LoopNest *n = ud;
    emit_nest(n->g, n->s);
}

void emit_for(Gen *g, Stmt *s)
{
    Tests t = {0};
    forget_written(g, s); /* by an earlier round */
    s = nest_squeezed(g, s);
    if (g->innest || has_tile_op(s->loop.body)) {
        emit_nest(g, s);
        return;
    }
    begin_tests(g);
    collect_tests(g, s, &t);
    g->innest = true;
    emit_tested(g, &t, print_nest, &(LoopNest){g, s});
    g->innest = false;
}

/* Nests of our own ------------------------------------------------------ */

Stmt *nest_new(Gen *g, Loc l, const char *const *names, const Ex *extent, int n)
{
    Stmt *s = anew(g->c, sizeof *s);
    int64_t lo, hi;
    s->kind = Sfor;
    s->loc = l;
    s->loop.kind = Fparallel;
    s->loop.n = (uint8_t)n;
    for (int i = 0; i < n; i++) {
        bool known = x_range(g->p, extent[i], &lo, &hi);
        s->loop.var[i] =
            p_var(g->p, Vloop, DTi32, names[i], 0, known && hi > 0 ? hi - 1 : INT32_MAX);
        s->loop.lo[i] = x_int(g->p, DTi32, 0);
        s->loop.hi[i] = x_cast(g->p, DTi32, extent[i]);
        room(g);
        g->loop[s->loop.var[i]] = (LoopVar){s->loop.lo[i], s->loop.hi[i], 0, 0};
    }
    return s;
}

Stmt *store_new(Gen *g, Loc l, uint32_t buf, const Ex *idx, Ex value)
{
    Stmt *s = anew(g->c, sizeof *s);
    s->kind = Sstore;
    s->loc = l;
    s->store.buf = buf;
    s->store.value = x_cast(g->p, (enum Dtype)g->p->buf[buf].dt, value);
    memcpy(s->store.idx, idx, g->p->buf[buf].ndim * sizeof *idx);
    return s;
}

Ex value_new(Gen *g, enum Dtype dt, const char *name)
{
    uint32_t v = p_var(g->p, Vscalar, dt, name, INT64_MIN, INT64_MAX);
    room(g);
    g->name[v] = name;
    return x_var(g->p, v);
}

Masks loops_open(Gen *g, const char *const *names, const Ex *extent, int n, Ex *var)
{
    Masks masks = masks_open(g);
    Stmt *s = nest_new(g, g->here, names, extent, n);
    for (int i = 0; i < n; i++) {
        enum Dtype dt = (enum Dtype)g->p->var[s->loop.var[i]].dt;
        emit_header(g, s, i, bound_name(g, s->loop.hi[i], "end", dt), NULL);
        var[i] = x_var(g->p, s->loop.var[i]);
    }
    return masks;
}

void loops_close(Gen *g, Masks masks, const Ex *var, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        masks_close(g, masks, ex_at(g->p, var[i])->sym, 1, 1);
        close_brace(g);
        g->name[ex_at(g->p, var[i])->sym] = NULL;
    }
}
