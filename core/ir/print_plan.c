/* core/ir/print_plan.c: what the writer of IR text settles before its first line.
 *
 * The text must not depend on the order in which nodes were made, since the
 * reader makes them in another: terms of a sum and operands of a product are
 * ordered by the place in the text of their innermost variable, then by a key
 * made of nothing but what is printed.  Deep and large trees are cut into
 * parts that get a line `def` of their own. */
#include <string.h>

#include "handover.h"
#include "print.h"
#include "walk.h"

enum {
    DeepTree = 150,   /* levels, then the part below gets a name */
    BigTree = 400     /* nodes, likewise */
};

/* What a pass has made for itself and no statement names is left out; so is
 * nothing that a launch passes. */
bool pr_headvar(const Pr *w, uint32_t v)
{
    int kind = w->p->var[v].kind;
    return kind == Vdim || (kind == Vscalar && w->used[v]);
}

uint32_t pr_root(const Prog *p, uint32_t b)
{
    while (p->buf[b].base && p->buf[b].base < b)
        b = p->buf[b].base;
    return b;
}

bool pr_headbuf(const Pr *w, uint32_t b)
{
    const Buf *k = &w->p->buf[b];
    return !k->base && !w->allocated[b] &&
           (k->param || w->used[w->p->nvar + b]);
}

static void usefile(Pr *w, Loc l)
{
    if (l.file && l.file != w->p->textfile && l.file < w->p->ctx.nfile && !w->file[l.file])
        w->file[l.file] = ++w->nfile;
}

static void print_location_number(Pr *w, uint32_t *order, Loc l)
{
    usefile(w, l);
    if (!*order)
        *order = ++w->places;
}

static void placevar(Pr *w, uint32_t v)
{
    if (v && v < w->p->nvar)
        print_location_number(w, &w->order[v], w->p->var[v].loc);
}

static void placebuf(Pr *w, uint32_t b)
{
    print_location_number(w, &w->order[w->p->nvar + b], w->p->buf[b].loc);
    for (uint32_t v = b + 1; w->views && v < w->p->nbuf; v++)
        if (w->p->buf[v].base && pr_root(w->p, v) == b)
            print_location_number(w, &w->order[w->p->nvar + v], w->p->buf[v].loc);
}

static void print_plan_usebuf(Pr *w, uint32_t b)
{
    if (b && b < w->p->nbuf)
        w->used[w->p->nvar + pr_root(w->p, b)] = 1;
}

/* Marks what the text will hold; everything else in p->ex is left over. */
static bool print_plan_reach(void *ud, Ex root)
{
    Pr *w = ud;
    uint32_t n = 0;
    if (!root || root >= w->p->nex || w->seen[root])
        return true;
    w->seen[root] = 1;
    w->todo[n++] = root;
    while (n) {
        const Expr *x = &w->p->ex[w->todo[--n]];
        if (x->op == Xvar && x->sym < w->p->nvar)
            w->used[x->sym] = 1;
        else if (x->op == Xload)
            print_plan_usebuf(w, x->sym);
        for (int i = 0; i < x->n; i++)
            if (!w->seen[x->arg[i]]) {
                w->seen[x->arg[i]] = 1;
                w->todo[n++] = x->arg[i];
            }
    }
    return true;
}

static void reachbuf(Pr *w, const Buf *b)
{
    for (int i = 0; i < b->ndim; i++) {
        print_plan_reach(w, b->shape[i]);
        print_plan_reach(w, b->stride[i]);
    }
    print_plan_reach(w, b->safe);
}

static bool findalloc(Stmt *s, void *ud)
{
    Pr *w = ud;
    if (s->kind == Salloc && s->alloc.buf < w->p->nbuf)
        w->allocated[s->alloc.buf] = 1;
    if (s->kind == Sstore)
        print_plan_usebuf(w, s->store.buf);
    if (s->kind == Satomic)
        print_plan_usebuf(w, s->atomic.buf);
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
        print_plan_usebuf(w, s->op.r[i].buf);
    stmt_exprs(w->p, s, print_plan_reach, w);
    if (w->plans)
        handover_exprs(s, print_plan_reach, w);
    return true;
}

static bool placestmt(Stmt *s, void *ud)
{
    Pr *w = ud;
    usefile(w, s->loc);
    if (s->kind == Slaunch) {
        for (int i = 0; w->plans && i < s->launch.nthread; i++)
            if (s->launch.thread[i] < w->p->nvar)
                w->used[s->launch.thread[i]] = 1; /* later passes may name it */
        for (int i = 0; i < s->launch.n; i++)
            placevar(w, s->launch.block[i]);
        for (int i = 0; i < s->launch.nthread; i++)
            if (s->launch.thread[i] < w->p->nvar && w->used[s->launch.thread[i]])
                placevar(w, s->launch.thread[i]);
    } else if (s->kind == Sfor) {
        for (int i = 0; i < s->loop.n; i++)
            placevar(w, s->loop.var[i]);
    } else if (s->kind == Slet) {
        placevar(w, s->let.var);
    } else if (s->kind == Satomic) {
        placevar(w, s->atomic.prev);
    } else if (s->kind == Salloc && s->alloc.buf < w->p->nbuf) {
        placebuf(w, s->alloc.buf);
    }
    return true;
}

static void survey(Pr *w)
{
    const Prog *p = w->p;
    for (uint32_t i = 1; i < p->nbuf; i++) {
        w->views |= p->buf[i].base != 0;
        reachbuf(w, &p->buf[i]);
    }
    stmt_walk(p->body, findalloc, w);
    for (uint32_t i = 0; i < p->nparam; i++)
        if (p->param[i].scalar && p->param[i].id < p->nvar)
            w->used[p->param[i].id] = 1;
    usefile(w, p->loc);
    for (uint32_t i = 1; i < p->nvar; i++)
        if (pr_headvar(w, i)) {
            placevar(w, i);
            pr_declarevar(w, i);
        }
    for (uint32_t i = 1; i < p->nbuf; i++)
        if (pr_headbuf(w, i)) {
            placebuf(w, i);
            pr_declare(w, &w->buf[i], p->buf[i].name);
        }
    stmt_walk(p->body, placestmt, w);
}

static uint64_t print_plan_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* ... of a call of the user's own C: the number of its name is another in a copy. */
static uint64_t print_plan_own(const Pr *w, const Expr *x, uint64_t h)
{
    const char *name = x_extern_name(w->p, x);
    for (const char *s = name ? name : ""; *s; s++)
        h = print_plan_mix(h, (unsigned char)*s);
    for (int i = 1; i < x->n; i++)
        h = print_plan_mix(h, w->key[x->arg[i]]);
    return h;
}

/* A key that is equal for equal expressions of two programs that print the
 * same, whatever their handles. */
static uint64_t keyof(const Pr *w, Ex e)
{
    const Expr *x = &w->p->ex[e];
    uint64_t h = print_plan_mix(x->op * 31u + x->dt, x->n);
    PrintTerm t[SortTerms];
    bool maybe_sum = pr_isint(x) && (x->op == Xadd || x->op == Xsub || x->op == Xmul);
    int n = maybe_sum ? pr_terms(w, e, t) : 0;
    if (n > 1) { /* which of + and - comes last is a matter of handles */
        h = print_plan_mix(Xadd * 31u + x->dt, 2);
        for (int i = 0; i < n; i++)
            h += print_plan_mix(t[i].atom ? w->key[t[i].atom] : 7, (uint64_t)t[i].coef);
        return print_plan_mix(h, 1);
    }
    switch ((enum Xop)x->op) {
    case Xint: return print_plan_mix(h, (uint64_t)x->i);
    case Xfloat: return print_plan_mix(h, x->f != x->f ? 1 : (uint64_t)x->i);
    case Xvar: return print_plan_mix(h, x->sym < w->p->nvar ? w->order[x->sym] : 0);
    case Xload:
        h = print_plan_mix(h, x->sym < w->p->nbuf ? w->order[w->p->nvar + x->sym] : 0);
        break;
    case Xcall:
        h = print_plan_mix(h, x->sym);
        if (intr_own(x->sym)) /* its name's number is another in a copy */
            return print_plan_own(w, x, h);
        break;
    case Xmul: case Xmin: case Xmax: case Xeq: case Xne:
        return print_plan_mix(h, w->key[x->arg[0]] + w->key[x->arg[1]]);
    default: break;
    }
    for (int i = 0; i < x->n; i++)
        h = print_plan_mix(h, w->key[x->arg[i]]);
    return h;
}

/* Arguments have smaller handles than what they are arguments of. */
static void print_plan_measure(Pr *w)
{
    uint32_t *depth = w->todo, *size = w->inner; /* borrowed */
    for (Ex e = 1; e < w->p->nex; e++) {
        const Expr *x = &w->p->ex[e];
        uint32_t d = 0, n = 1;
        for (int i = 0; i < x->n; i++) {
            Ex a = x->arg[i];
            d = depth[a] > d ? depth[a] : d;
            n += size[a];
        }
        depth[e] = d + 1;
        size[e] = n;
        if (x->n && w->seen[e] && (d >= DeepTree || n > BigTree)) {
            w->def[e] = CUT;
            w->cuts = true;
            depth[e] = size[e] = 1;
        }
        if (!w->seen[e])
            depth[e] = size[e] = 1;
    }
    for (Ex e = 1; e < w->p->nex; e++) {
        const Expr *x = &w->p->ex[e];
        w->inner[e] = x->op == Xvar && x->sym < w->p->nvar ? w->order[x->sym] : 0;
        for (int i = 0; i < x->n; i++)
            if (w->inner[x->arg[i]] > w->inner[e])
                w->inner[e] = w->inner[x->arg[i]];
        w->key[e] = w->seen[e] ? keyof(w, e) : 0;
    }
}

void pr_plan(Pr *w)
{
    survey(w);
    print_plan_measure(w);
}
