/* core/lower/sync/uniform.c: which values are the same for all threads of the
 * block, or of the role that they are computed in: those that do not vary. */
#include "sync.h"

enum { UniformKnown = 4096 };

/* An answer: places ask the same again and again. */
struct UniformAnswer { const Stmt *at; Ex e; bool is; };

bool uniform_ex(const Uniform *u, const Stmt *at, Ex e)
{
    UniformAnswer *k = &u->known[((uintptr_t)at / 16 * 31 + e) % UniformKnown];
    if (k->at == at && k->e == e)
        return k->is;
    vary_at(u->v, at);
    *k = (UniformAnswer){at, e, !vary_ex(u->v, e)};
    return k->is;
}

bool uniform_loop(const Uniform *u, const Stmt *s)
{
    UniformAnswer *k = &u->known[(uintptr_t)s / 16 * 31 % UniformKnown];
    if (k->at != s || k->e)
        *k = (UniformAnswer){s, 0, !vary_loop(u->v, s)};
    return k->is;
}

const Stmt *uniform_let(const Uniform *u, Ex name)
{
    return vary_let(u->v, ex_at(u->p, name)->sym);
}

void uniform_init(Uniform *u, Low *l)
{
    u->p = l->p;
    u->v = vary_look(l, VaryThreads, NULL, NULL);
    u->known = anew(&l->p->ctx, UniformKnown * sizeof *u->known);
}
