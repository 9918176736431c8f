/* targets/sim/build_vector.c: vectorized loops.
 *
 * All elements are done at once where the order of iterations cannot matter:
 * every store moves by one element with the variable, what is read of a stored
 * buffer is the same element, and nothing is evaluated for some elements only.
 * Any other loop runs one iteration after the other, with the same result. */
#include "build.h"

typedef struct BuildVec BuildVec;
struct BuildVec {
    Build *b;
    uint32_t var;
    struct VecStore { uint32_t root, buf; const Ex *idx; } *store; /* the loop's */
    uint32_t nstore, capstore;
};

static bool sb_vector_uses(const BuildVec *v, Ex e) { return x_uses(v->b->p, e, v->var); }

/* How e moves with the variable: 0 not at all, 1 by one, -1 otherwise. */
static int sb_vector_moves(const BuildVec *v, Ex e)
{
    Ex var = x_var(v->b->p, v->var);
    int how = 0;
    if (!sb_vector_uses(v, e))
        return 0;
    ExSum s = x_linear(v->b->p, e);
    for (int i = 0; i < s.n; i++) {
        if (s.atom[i] == var && s.coef[i] == 1)
            how = 1;
        else if (sb_vector_uses(v, s.atom[i]))
            return -1;
    }
    return how;
}

/* How an element moves; registers by their flat index. */
static int sb_vector_moves_at(const BuildVec *v, uint32_t buf, const Ex *idx)
{
    int how = 0;
    if (b_isregister(v->b, buf)) {
        Ex flat = b_flat(v->b, buf, idx);
        for (int d = 0; d < v->b->p->buf[buf].ndim; d++)
            if (sb_vector_uses(v, idx[d]) && b_depends(v->b, flat))
                return -1;
        return sb_vector_moves(v, flat);
    }
    for (int d = 0; d < v->b->p->buf[buf].ndim; d++) {
        int m = sb_vector_moves(v, idx[d]);
        if (m < 0 || (m && how))
            return -1;
        how += m;
    }
    return how;
}

static bool sb_vector_pure(const BuildVec *v, Ex e) { return x_pure(v->b->p, e); }

static bool sb_vector_same(const BuildVec *v, const Ex *a, const Ex *b, int n)
{
    (void)v;
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool spoils(void *ud, Ex e)
{
    const BuildVec *v = *(const BuildVec *const *)ud;
    Expr x = *ex_at(v->b->p, e);
    bool choice = x.op == Xselect || x.op == Xand || x.op == Xor;
    if (x.op == Xcall && intrinfo[x.sym].level == 'T')
        return true;
    if (choice && sb_vector_uses(v, x.arg[0]) && b_divides(v->b, e))
        return true;
    if (choice && sb_vector_uses(v, x.arg[0]) &&
        (!sb_vector_pure(v, x.arg[1]) || (x.op == Xselect && !sb_vector_pure(v, x.arg[2]))))
        return true;
    if (x.op != Xload)
        return false;
    if (sb_vector_moves_at(v, x.sym, x.arg) < 0)
        return true;
    for (uint32_t i = 0; i < v->nstore; i++)
        if (v->store[i].root == buf_root(v->b->p, x.sym) &&
            (v->store[i].buf != x.sym || !sb_vector_same(v, v->store[i].idx, x.arg, x.n)))
            return true;
    return false;
}

static bool expr_ok(const BuildVec *v, Ex e) { return !ex_any(v->b->p, e, spoils, &v); }

static bool sb_vector_stores(BuildVec *v, uint32_t buf, const Ex *idx)
{
    if (sb_vector_moves_at(v, buf, idx) != 1)
        return false;
    for (uint32_t i = 0; i < v->nstore; i++)
        if (v->store[i].root == buf_root(v->b->p, buf) &&
            (v->store[i].buf != buf ||
             !sb_vector_same(v, v->store[i].idx, idx, v->b->p->buf[buf].ndim)))
            return false;
    agrow(v->b->c, &v->store, &v->capstore, v->nstore + 1, sizeof *v->store);
    v->store[v->nstore++] = (struct VecStore){buf_root(v->b->p, buf), buf, idx};
    return true;
}

static bool vector_collect(BuildVec *v, const Stmt *s)
{
    for (; s; s = s->next) {
        switch (s->kind) {
        case Slet: case Sassume: break; /* of each element: exprs_ok() */
        case Scall:
            if (s->call.fn != Iiteration)
                return false;
            break;
        case Sstore:
            if (!sb_vector_stores(v, s->store.buf, s->store.idx))
                return false;
            break;
        case Sif:
            if (sb_vector_uses(v, s->cond.cond) || !vector_collect(v, s->cond.then) ||
                !vector_collect(v, s->cond.els))
                return false;
            break;
        default: return false;
        }
    }
    return true;
}

static bool exprs_ok(const BuildVec *v, const Stmt *s)
{
    for (; s; s = s->next) {
        if (s->kind == Slet) {
            Ex e = v->b->p->var[s->let.var].value;
            if (sb_vector_uses(v, e) || !expr_ok(v, e))
                return false;
        } else if (s->kind == Sstore) {
            if (!expr_ok(v, s->store.value))
                return false;
            for (int d = 0; d < v->b->p->buf[s->store.buf].ndim; d++)
                if (!expr_ok(v, s->store.idx[d]))
                    return false;
        } else if (s->kind == Sassume) {
            if (!expr_ok(v, s->check.cond))
                return false;
        } else if (s->kind == Sif) {
            if (!expr_ok(v, s->cond.cond) || !exprs_ok(v, s->cond.then) ||
                !exprs_ok(v, s->cond.els))
                return false;
        }
    }
    return true;
}

bool b_vectorizes(Build *b, const Stmt *s)
{
    BuildVec v = {.b = b, .var = s->loop.var[0]};
    int64_t lo, hi;
    return s->loop.n == 1 && x_isint(b->p, s->loop.lo[0], &lo) && lo == 0 &&
           x_isint(b->p, s->loop.hi[0], &hi) && hi > 1 && hi <= SimWide && !b->vecvar &&
           vector_collect(&v, s->loop.body) && exprs_ok(&v, s->loop.body);
}
