/* core/lower/flatten/vary.c: what differs between the threads of a block.
 *
 * A value varies when it depends on the thread; a private array varies when
 * something that varies has been stored in it, or threads differ in whether they
 * stored.  Both are found by iterating until nothing changes. */
#include "flatten.h"

/* Does e vary? ---------------------------------------------------------- */

/* Did a part of the threads that are here store in it, as a role of theirs? */
static bool vary_torn(const Vary *o, uint32_t root)
{
    for (uint32_t i = 0; i < o->npart; i++) {
        const VaryPart *k = &o->part[i];
        bool meet = k->lo < o->hi && o->lo < k->hi, all = k->lo <= o->lo && o->hi <= k->hi;
        if (k->root == root && meet && !all)
            return true;
    }
    return false;
}

bool vary_collective(uint32_t fn)
{
    return fn == Icount_sync || fn == Iand_sync || fn == Ior_sync;
}

static ExGo node_varies(void *ud, Ex e)
{
    const Vary *o = *(const Vary *const *)ud;
    const Prog *p = o->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar)
        return x->sym == o->l->tid || o->var[x->sym] ? EXstop : EXinto;
    if (x->op == Xload && flat_private(p, x->sym) &&
        (o->buf[buf_root(p, x->sym)] || vary_torn(o, buf_root(p, x->sym))))
        return EXstop;
    if (x->op == Xcall && intrinfo[x->sym].level == 'T')
        return vary_collective(x->sym) ? EXskip : EXstop; /* their result is the block's */
    return EXinto;
}

bool vary_ex(const Vary *o, Ex e) { return !ex_walk(o->l->p, e, node_varies, &o); }

typedef struct OwnBuffer { const Vary *o; } OwnBuffer;

static bool one_varies(void *ud, Ex e) { return !vary_ex(((OwnBuffer *)ud)->o, e); }

/* Do the expressions that s itself holds vary? */
bool vary_own(const Vary *o, const Stmt *s)
{
    OwnBuffer own = {o};
    return !stmt_exprs(o->l->p, s, one_varies, &own);
}

static void vary_mark(Vary *o, bool *at)
{
    o->changed |= !*at;
    *at = true;
}

/* Those who are here store in it, with a value of one for all of them. */
static void vary_store(Vary *o, uint32_t root)
{
    if (o->lo == 0 && o->hi == o->l->total)
        return;
    for (uint32_t i = 0; i < o->npart; i++)
        if (o->part[i].root == root && o->part[i].lo == o->lo && o->part[i].hi == o->hi)
            return;
    agrow(&o->l->p->ctx, &o->part, &o->cappart, o->npart + 1, sizeof *o->part);
    o->part[o->npart++] = (VaryPart){root, o->lo, o->hi};
    o->changed = true;
}

static void vary_stored(Vary *o, const Stmt *s, uint32_t buf, bool div)
{
    uint32_t root = buf_root(o->l->p, buf);
    if (!flat_private(o->l->p, buf))
        return;
    if (div || vary_own(o, s))
        vary_mark(o, &o->buf[root]);
    else
        vary_store(o, root);
}

/* The condition that varies around a break or continue, or NULL; div: one around s. */
static const Stmt *vary_ragged(const Vary *o, const Stmt *s, const Stmt *div)
{
    for (; s; s = s->next) {
        if ((s->kind == Sbreak || s->kind == Scontinue) && div)
            return div;
        if (s->kind != Sif)
            continue;
        const Stmt *in = vary_ex(o, s->cond.cond) ? s : div;
        const Stmt *found = vary_ragged(o, s->cond.then, in);
        found = found ? found : vary_ragged(o, s->cond.els, in);
        if (found)
            return found;
    }
    return NULL;
}

Ex vary_cause(const Vary *o, const Stmt *s, const Stmt **at)
{
    const Stmt *jump;
    *at = s;
    if (s->kind == Sif)
        return vary_ex(o, s->cond.cond) ? s->cond.cond : 0;
    if (s->kind == Swhile && vary_ex(o, s->whil.cond))
        return s->whil.cond;
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++) {
        if (vary_ex(o, s->loop.lo[i]))
            return s->loop.lo[i];
        if (vary_ex(o, s->loop.hi[i]))
            return s->loop.hi[i];
    }
    if (s->kind == Sfor && s->loop.step && vary_ex(o, s->loop.step))
        return s->loop.step;
    jump = vary_ragged(o, s->kind == Swhile ? s->whil.body : s->loop.body, NULL);
    *at = jump ? jump : s;
    return jump ? jump->cond.cond : 0;
}

bool vary_loop(const Vary *o, const Stmt *s)
{
    const Stmt *at;
    return vary_cause(o, s, &at) != 0;
}

/* Marks what varies.  div: the threads may differ in whether they come here. */
static void vary_spread(Vary *o, const Stmt *s, bool div)
{
    const Prog *p = o->l->p;
    for (; s; s = s->next) {
        bool in = div;
        Stmt *b[2];
        switch ((enum StmtKind)s->kind) {
        case Slet:
            if (vary_ex(o, p->var[s->let.var].value))
                vary_mark(o, &o->var[s->let.var]);
            break;
        case Sstore: vary_stored(o, s, s->store.buf, div); break;
        case Satomic:
            if (s->atomic.prev && (div || vary_own(o, s)))
                vary_mark(o, &o->var[s->atomic.prev]);
            break;
        case Sop:
            for (int i = 0; i < opinfo[s->op.op].nregion; i++)
                if (opinfo[s->op.op].regions[i] != 'r')
                    vary_stored(o, s, s->op.r[i].buf, div);
            break;
        case Sfor:
            in |= s->loop.kind == Fparallel || vary_loop(o, s);
            for (int i = 0; in && i < s->loop.n; i++)
                vary_mark(o, &o->var[s->loop.var[i]]);
            break;
        case Swhile: in |= vary_loop(o, s); break;
        case Sif: in |= vary_ex(o, s->cond.cond); break;
        default: break;
        }
        VaryPart outer = vary_enter(o, s);
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            vary_spread(o, b[i], in);
        vary_leave(o, outer);
    }
}

VaryPart vary_enter(Vary *o, const Stmt *s)
{
    VaryPart outer = {0, o->lo, o->hi};
    if (s->kind == Srole) {
        o->lo = s->role.lo;
        o->hi = s->role.hi;
    }
    return outer;
}

void vary_leave(Vary *o, VaryPart outer)
{
    o->lo = outer.lo;
    o->hi = outer.hi;
}

void vary_init(Vary *o, Low *l)
{
    Prog *p = l->p;
    *o = (Vary){.l = l, .hi = l->total};
    o->var = anew(&p->ctx, p->nvar + 1);
    o->buf = anew(&p->ctx, p->nbuf + 1);
    do {
        o->changed = false;
        vary_spread(o, l->launch->launch.body, false);
    } while (o->changed);
}
