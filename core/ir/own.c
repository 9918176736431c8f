/* core/ir/own.c: C of the user's own: what T.import_source brings and T.call_extern calls.
 *
 *     sq(A[i]) + 1     call_extern("sq", float32, A[i]) + 1
 *
 * It is TileLang's `T.call_extern(dtype, name, values)`: an expression whose function nobody here
 * knows.  Nothing may be said of its value but its type, so it is neither folded nor computed ahead; and since it
 * may do something, or be another value each time, each call is a node of its own: its first
 * argument is a number that no other has, that of its name in Prog.called.  T.call_pure_extern says that it
 * is a function of its arguments, and equal ones are one node, as all other expressions are.
 *
 * A copy of a program numbers them anew, so the number is not to be taken for more than a name.
 * Programs that have it are told by prog_extern(): no text of a stranger's may go to a compiler. */
#include <string.h>

#include "expr.h"
#include "walk.h"
#include "err/ir.h"

/* The number of a name: of a call that is no other's a new one. */
static int64_t own_number(Prog *p, const char *name, bool pure)
{
    for (uint32_t i = 0; pure && i < p->ncalled; i++)
        if (p->called[i].pure && strcmp(p->called[i].name, name) == 0)
            return i;
    agrow(&p->ctx, &p->called, &p->capcalled, p->ncalled + 1, sizeof *p->called);
    p->called[p->ncalled] = (Called){afmt(&p->ctx, "%s", name), p->here, pure};
    return p->ncalled++;
}

Ex x_extern(Prog *p, enum Intr fn, enum Dtype dt, const char *name, const Ex *arg, int n)
{
    Ex a[1 + MaxExtern];
    if (n > MaxExtern)
        diag_fail(&p->ctx, E_extern_many, p->here, name, afmt(&p->ctx, "%d", n),
                  afmt(&p->ctx, "%d", MaxExtern), NULL);
    a[0] = x_int(p, DTi32, own_number(p, name, fn == Icall_pure_extern));
    for (int i = 0; i < n; i++)
        a[1 + i] = arg[i];
    return ex_mk(p, Xcall, dt, fn, a, 1 + n);
}

const char *x_extern_name(const Prog *p, const Expr *x)
{
    int64_t i = -1;
    bool known = x->n > 0 && x_isint(p, x->arg[0], &i) && i >= 0 && i < p->ncalled;
    return known ? p->called[i].name : NULL;
}

static bool own_does(void *ud, Ex e)
{
    const Prog *p = *(const Prog *const *)ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xcall && x->sym == Icall_extern;
}

bool x_extern_does(const Prog *p, Ex e)
{
    return p->ncalled > 0 && ex_any(p, e, own_does, &p);
}

static bool own_statement(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sop || (s->op.op != Oimport_source && s->op.op != Ocall_extern);
}

bool prog_extern(const Prog *p) { return p->ncalled > 0 || !stmt_walk(p->body, own_statement, NULL); }

/* Values that nobody uses --------------------------------------------------- */

typedef struct OwnUsed { const Prog *p; bool *used; } OwnUsed;

static ExGo own_in(void *ud, Ex e)
{
    OwnUsed *k = ud;
    const Expr *x = ex_at(k->p, e);
    int64_t i = 0;
    if (x->op == Xcall && intr_own(x->sym) && x_isint(k->p, x->arg[0], &i))
        k->used[i] = true;
    return EXinto;
}

static bool own_in_stmt(Stmt *s, void *ud)
{
    const OwnUsed *k = ud;
    stmt_ex_walk(k->p, s, own_in, ud);
    return true;
}

void prog_extern_used(Prog *p)
{
    OwnUsed k = {p, NULL};
    if (p->ncalled == 0)
        return;
    k.used = anew(&p->ctx, p->ncalled * sizeof *k.used);
    stmt_walk(p->body, own_in_stmt, &k);
    for (uint32_t i = 0; i < p->ncalled; i++)
        if (!k.used[i] && !p->called[i].pure)
            diag_fail(&p->ctx, E_extern_unused, p->called[i].loc, p->called[i].name, NULL);
}
