/* core/lower/vary/value.c: values of private variables, as expressions.
 *
 * A value is made of the thread's index, numbers, the program's names, and tokens: variables
 * that stand for what is not known, each for what one statement leaves in one slot:
 *
 *     v = tid + 3                       v is tid + 3
 *     v = any_sync(..)                  v is t1, the token of this statement
 *     if tid < 5 then v = 1 end         v is select(tid < 5, 1, t1)
 *     for .. do use; v = v + 1 end      v is t2 at `use`: what it begins with, or ends with
 *     w = h[0]                          w is t3: what h[0] is before memory changes again
 *
 * So two values that are one expression are one value, in whichever branch they were set; where
 * tokens differ is known of each.  A token stands for one value until its statement is come by
 * again; whatever has it then, in a loop, has another token from the loop's head on. */
#include "core/ir/expr.h"
#include "vary_p.h"

/* Names --------------------------------------------------------------------- */

VaryFact *vary_fact(Vary *v, uint32_t var)
{
    agrow(&v->l->p->ctx, &v->fact, &v->nfact, var + 1, sizeof *v->fact);
    return &v->fact[var];
}

Steps *vary_steps(Vary *v, uint32_t var)
{
    VaryFact *f = vary_fact(v, var);
    if (!f->steps)
        f->steps = steps_none(v);
    return f->steps;
}

/* What was found by its steps is found anew. */
void vary_gains(Vary *v, uint32_t var, const Steps *more)
{
    if (steps_join(v, vary_steps(v, var), more) && vary_fact(v, var)->read)
        v->grown++;
}

static uint32_t vary_name(Vary *v, uintptr_t at, uint32_t slot, uint32_t kind, enum Dtype dt)
{
    uint32_t h = (uint32_t)(at ^ at >> 4) * 2654435761u ^ slot * 40503u ^ kind * 97u;
    for (const VaryLink *i = vary_links(&v->names, h); i; i = i->next) {
        const VaryName *k = (const VaryName *)i;
        if (k->at == at && k->slot == slot && k->kind == kind)
            return k->var;
    }
    VaryName *k = anew(&v->l->p->ctx, sizeof *k);
    uint32_t var = p_var(v->l->p, Vlet, dt, "", INT64_MIN, INT64_MAX);
    *k = (VaryName){.at = at, .slot = slot, .kind = kind, .var = var};
    vary_link(v, &v->names, &k->link, h);
    return var;
}

Ex vary_token(Vary *v, const Stmt *at, uint32_t slot, int kind, enum Dtype dt, const Steps *steps)
{
    uint32_t var = vary_name(v, (uintptr_t)at, slot, (uint32_t)kind, dt);
    if (steps)
        vary_gains(v, var, steps);
    vary_fact(v, var)->stamp = v->clock;
    return x_var(v->l->p, var);
}

/* What is loaded, memory being as it is here.  Answers are about here alone. */
static Ex vary_memory_token(Vary *v, Ex load)
{
    enum Dtype dt = ex_type(v->l->p, load);
    if (v->asking)
        return load;
    uint32_t var = vary_name(v, load, v->now.memory, VTmemory, dt);
    VaryFact *f = vary_fact(v, var);
    f->load = load;
    f->memory = v->now.memory;
    return x_var(v->l->p, var);
}

/* Slots ---------------------------------------------------------------------- */

int64_t vary_elements(const Prog *p, uint32_t buf)
{
    int64_t n, all = 1;
    for (int d = 0; d < p->buf[buf].ndim; d++)
        if (!x_isint(p, p->buf[buf].shape[d], &n) || n < 1 || (all *= n) > MostElements)
            return 0;
    return all;
}

Part vary_whole(const Vary *v, uint32_t buf)
{
    uint32_t root = buf_root(v->l->p, buf);
    if (root >= v->nroot || !v->slot[root])
        return (Part){0, 0};
    return (Part){v->slot[root], v->count[root]};
}

bool vary_single(const Vary *v, Part k) { return k.n == 1 && v->single[k.first - 1]; }
enum Dtype vary_type(const Vary *v, uint32_t slot) { return (enum Dtype)v->type[slot - 1]; }

static bool vary_number(Vary *v, Ex e, int64_t *n)
{
    Ex is = vary_value(v, e);
    return eval_one(&v->ev, is ? is : e, n);
}

Part vary_element(Vary *v, uint32_t buf, const Ex *idx)
{
    const Prog *p = v->l->p;
    Part k = vary_whole(v, buf);
    int64_t at = 0;
    if (buf_root(p, buf) != buf)
        return k; /* a view has other elements */
    for (int d = 0; k.n > 1 && d < p->buf[buf].ndim; d++) {
        int64_t i, n = 0;
        if (!x_isint(p, p->buf[buf].shape[d], &n) || !vary_number(v, idx[d], &i) || i < 0 ||
            i >= n)
            return k;
        at = at * n + i;
    }
    return k.n > 1 ? (Part){k.first + (uint32_t)at, 1} : k;
}

Part vary_part(Vary *v, const Region *r, bool *all)
{
    const Prog *p = v->l->p;
    const Buf *b = &p->buf[r->buf];
    Part k = vary_whole(v, r->buf);
    int64_t lo, n, size;
    bool view = buf_root(p, r->buf) != r->buf;
    *all = !view && region_whole(p, r);
    if (k.n <= 1 || *all || view || b->ndim != 1 || !x_isint(p, b->shape[0], &size) ||
        !vary_number(v, r->min[0], &lo) || !vary_number(v, r->extent[0], &n) || lo < 0 || n < 1 ||
        lo + n > size)
        return k;
    *all = true;
    return (Part){k.first + (uint32_t)lo, (uint32_t)n};
}

/* Expressions with what is known put in ---------------------------------------- */

static bool vary_not_plain(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xload || (x->op == Xvar && p->var[x->sym].kind == Vlet) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

/* Is e made of numbers, the thread's index and variables of loops and the call alone? */
static bool vary_plain(Vary *v, Ex e)
{
    Prog *p = v->l->p;
    agrow(&p->ctx, &v->plain, &v->nplain, e + 1, 1);
    if (!v->plain[e])
        v->plain[e] = ex_any(p, e, vary_not_plain, p) ? 2 : 1;
    return v->plain[e] == 1;
}

static Ex value_of_variable(const Vary *v, Ex e)
{
    uint32_t var = ex_at(v->l->p, e)->sym;
    Bound b = var < v->ev.nvar ? v->ev.var[var] : (Bound){EBfree, 0, 0};
    const VaryFact *f = var < v->nfact ? &v->fact[var] : NULL;
    if (b.how == EBvalue)
        return x_int(v->l->p, ex_type(v->l->p, e), b.val);
    Ex is = f ? v->asking ? f->ever : f->is : 0;
    return is ? is : e;
}

static Ex value_of_load(Vary *v, const Expr *x, const Ex *arg)
{
    Prog *p = v->l->p;
    int scope = p->buf[x->sym].scope;
    if (vary_private(p, x->sym)) {
        Part k = vary_element(v, x->sym, arg);
        bool known = buf_root(p, x->sym) == x->sym && vary_single(v, k);
        return known ? v->now.val[k.first - 1] : 0;
    }
    bool memory = scope == SCglobal || scope == SCshared || scope == SCfragment;
    return memory ? vary_memory_token(v, ex_remake(p, x, x->sym, arg)) : 0;
}

/* May the operation be made of these, as it was written of others?  Nothing that is no number. */
static bool value_makes(const Prog *p, const Expr *x, const Ex *arg)
{
    int64_t n;
    uint32_t size = 1;
    for (int i = 0; i < x->n; i++)
        size += ex_at(p, arg[i])->size;
    if (size > 2 * MostNodes)
        return false;
    if (x->n != 2 || !x_isint(p, arg[1], &n))
        return true;
    switch ((enum Xop)x->op) {
    case Xfdiv: case Xfmod: case Xtdiv: case Xtmod: return n != 0;
    case Xshl: case Xshr: return n >= 0 && n < dtypeinfo[x->dt].bits;
    default: return true;
    }
}

static int64_t value_node(ExFold *k, Ex e)
{
    Vary *v = k->ud;
    Prog *p = v->l->p;
    Expr x = *ex_at(p, e);
    Ex small[8], *arg = x.n <= 8 ? small : anew(&p->ctx, x.n * sizeof *arg);
    bool changed = false;
    if (e == v->but || (x.op == Xcall && intrinfo[x.sym].level == 'T'))
        return 0;
    if (x.op == Xvar)
        return value_of_variable(v, e);
    for (int i = 0; i < x.n; i++) {
        arg[i] = (Ex)ex_fold(k, ex_at(p, e)->arg[i]);
        if (!arg[i])
            return 0;
        changed |= arg[i] != ex_at(p, e)->arg[i];
    }
    if (x.op == Xload)
        return value_of_load(v, &x, arg);
    if (!changed)
        return e;
    Ex made = value_makes(p, &x, arg) ? ex_remake(p, &x, x.sym, arg) : 0;
    return made && ex_type(p, made) == (enum Dtype)x.dt ? made : 0;
}

Ex vary_value(Vary *v, Ex e)
{
    if (vary_plain(v, e) && !v->bound)
        return e;
    return (Ex)ex_fold(&(ExFold){.p = v->l->p, .f = value_node, .ud = v}, e);
}

/* What a value is made of ------------------------------------------------------- */

typedef struct VaryParts { Vary *v; uint32_t stamp, var; bool hold, found; } VaryParts;

static ExGo value_part(void *ud, Ex e)
{
    VaryParts *k = ud;
    const Expr *x = ex_at(k->v->l->p, e);
    if (x->op != Xvar)
        return EXinto;
    k->found |= x->sym == k->var;
    VaryFact *f = vary_fact(k->v, x->sym);
    f->held |= k->hold;
    uint32_t stamp = f->stamp;
    if (f->load && f->parts != k->v->parts) { /* once: a load at an index that was loaded twice, and so on */
        f->parts = k->v->parts;
        uint32_t memory = vary_fact(k->v, f->memory)->stamp, load = f->load;
        stamp = memory > stamp ? memory : stamp;
        ex_walk(k->v->l->p, load, value_part, k);
    }
    k->stamp = stamp > k->stamp ? stamp : k->stamp;
    return EXinto;
}

static VaryParts value_parts(Vary *v, Ex value, VaryParts k)
{
    k.v = v;
    v->parts++;
    ex_walk(v->l->p, value, value_part, &k);
    return k;
}

uint32_t vary_stamp(Vary *v, Ex value) { return value_parts(v, value, (VaryParts){0}).stamp; }
void vary_hold(Vary *v, Ex value) { value_parts(v, value, (VaryParts){.hold = true}); }

bool vary_names(Vary *v, Ex value, uint32_t var)
{
    return value_parts(v, value, (VaryParts){.var = var}).found;
}

Ex vary_keep(Vary *v, Ex e, const Stmt *at, uint32_t slot, enum VaryToken kind)
{
    if (ex_at(v->l->p, e)->size <= MostNodes && ex_type(v->l->p, e) == vary_type(v, slot))
        return e;
    Steps *steps = steps_none(v);
    steps_of_value(v, steps, e);
    return vary_token(v, at, slot, kind, vary_type(v, slot), steps);
}
