/* core/check/check.c: the source-level checks, in the order in which they run.
 *
 * Each looks at the program as the user wrote it and reports everything it
 * finds, up to a limit, so that one run shows all mistakes.  Their rule: no
 * false alarm on a correct kernel goes before finding one more mistake. */
#include "check.h"
#include "err/ir.h"

bool check_full(const Facts *f) { return f->p->ctx.nerror >= CheckErrors; }

static void check_checks(Ctx *c, void *ud)
{
    check_names(ud);             /* that other programs have to read */
    Facts *f = facts_gather(ud); /* all reads and writes, in order: access.c */
    check_structure(f);          /* what may stand inside of what */
    if (c->nerror)
        return;                  /* the others rely on it */
    check_bounds(f);             /* indices and tiles against shapes */
    check_race(f);               /* iterations and blocks that meet in one element */
    check_overlap(f);            /* operations that write what they read */
    check_init(f);               /* reads of what nothing wrote, unwritten outputs */
    check_role(f);               /* registers that other threads wrote */
    if (!c->nerror)
        check_init_open(f);      /* reads that are right for some data alone */
}

static void check_between(Ctx *c, void *ud)
{
    const Prog *p = ud;
    diag_fail(c, E_pass_between, p->loc, p->between.after, p->between.machine, NULL);
}

/* Thread programs are looked at by the verifier and the simulator: these
 * checks know tile programs, whose blocks run as one.  What stands between the two is for
 * lowering alone. */
bool prog_check(Prog *p)
{
    if (p->machine)
        return p->ctx.nerror == 0;
    return ctx_try(&p->ctx, p->between.after ? check_between : check_checks, p) && p->ctx.nerror == 0;
}
