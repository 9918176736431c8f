/* targets/sim/build_uniform.c: which values all threads share.
 *
 * A variable is uniform when everything ever assigned to it is, and is assigned
 * where all threads are together.  All are taken for uniform first; whatever
 * contradicts that makes one a variable of the threads, until nothing changes. */
#include <string.h>

#include "build.h"

enum { Unknown, Same, Differs };

bool b_depends(Build *b, Ex e)
{
    if (e >= b->capdep)
        agrow(b->c, &b->dep, &b->capdep, b->p->nex + 1, 1);
    if (b->dep[e] != Unknown)
        return b->dep[e] == Differs;
    Expr x = *ex_at(b->p, e);
    bool d = false;
    if (x.op == Xvar)
        d = b->vardep[x.sym];
    else if (x.op == Xcall)
        d = intrinfo[x.sym].level == 'T';
    else if (x.op == Xload)
        d = b_isregister(b, x.sym) && !b_uniformvar(b, x.sym);
    for (int i = 0; i < x.n; i++)
        d |= b_depends(b, x.arg[i]);
    b->dep[e] = d ? Differs : Same;
    return d;
}

/* Does a break or continue of this loop stand under a condition of the threads? */
static bool sb_uniform_leaves(Build *b, const Stmt *s, bool under)
{
    for (; s; s = s->next) {
        if ((s->kind == Sbreak || s->kind == Scontinue) && under)
            return true;
        if (s->kind == Sif) {
            bool d = under || b_depends(b, s->cond.cond);
            if (sb_uniform_leaves(b, s->cond.then, d) || sb_uniform_leaves(b, s->cond.els, d))
                return true;
        }
        if (s->kind == Srole && sb_uniform_leaves(b, s->role.body, under))
            return true;
    }
    return false;
}

bool b_leaves(Build *b, const Stmt *body) { return sb_uniform_leaves(b, body, false); }

static bool buf_differs(Build *b, uint32_t buf)
{
    uint32_t r = buf_root(b->p, buf);
    if (b->p->buf[r].scope != SCvar || b->lane[r])
        return false;
    return b->lane[r] = true;
}

static bool uniform_mark(bool *what, bool is)
{
    bool new = is && !*what;
    *what |= is;
    return new;
}

/* div: not all threads may be here.  True if something changed. */
static bool uniform_walk(Build *b, const Stmt *s, bool div)
{
    bool ch = false;
    for (; s; s = s->next) {
        switch (s->kind) {
        case Salloc:
            if (s->alloc.init && b_depends(b, s->alloc.init))
                ch |= buf_differs(b, s->alloc.buf);
            break;
        case Slet:
            ch |= uniform_mark(&b->vardep[s->let.var], b_depends(b, b->p->var[s->let.var].value));
            break;
        case Sstore:
            if (div || b_depends(b, s->store.value))
                ch |= buf_differs(b, s->store.buf);
            break;
        case Sfor: {
            bool d = div || b_leaves(b, s->loop.body);
            for (int i = 0; i < s->loop.n; i++) {
                bool own = b_depends(b, s->loop.lo[i]) || b_depends(b, s->loop.hi[i]) ||
                           (s->loop.step && b_depends(b, s->loop.step));
                ch |= uniform_mark(&b->vardep[s->loop.var[i]], own);
                d |= own;
            }
            ch |= uniform_walk(b, s->loop.body, d);
            break;
        }
        case Swhile:
            ch |= uniform_walk(b, s->whil.body,
                               div || b_depends(b, s->whil.cond) || b_leaves(b, s->whil.body));
            break;
        case Sif: {
            bool d = div || b_depends(b, s->cond.cond);
            ch |= uniform_walk(b, s->cond.then, d);
            ch |= uniform_walk(b, s->cond.els, d);
            break;
        }
        case Srole: ch |= uniform_walk(b, s->role.body, div); break;
        case Satomic:
            if (s->atomic.prev)
                ch |= uniform_mark(&b->vardep[s->atomic.prev], true);
            break;
        case Sop:
            for (int i = 0; i < opinfo[s->op.op].nregion; i++)
                if (opinfo[s->op.op].regions[i] != 'r' && b_isregister(b, s->op.r[i].buf))
                    ch |= buf_differs(b, s->op.r[i].buf);
            break;
        default: break;
        }
    }
    return ch;
}

void b_uniform(Build *b, const Stmt *s)
{
    b->vardep = anew(b->c, b->p->nvar + 1);
    memset(b->lane, 0, b->p->nbuf);
    for (int i = 0; i < s->launch.nthread; i++)
        b->vardep[s->launch.thread[i]] = true;
    do {
        if (b->capdep)
            memset(b->dep, Unknown, b->capdep);
    } while (uniform_walk(b, s->launch.body, false));
}
