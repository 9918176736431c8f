/* core/device/compile.c: the way of a kernel, from the traced program to something a
 * device can load.  Read this first.
 *
 * Every pass reads the program and changes it or reports into p->ctx; the
 * verifier stands behind each one, so that a pass which breaks an invariant is
 * named at once instead of showing up as wrong code. */

#include "core/base/clock.h"
#include "core/ir/walk.h"
#include "core/lower/lower.h"
#include "session.h"

typedef struct Adopt { Ctx *to; const Ctx *from; } Adopt;

static void adopt(Ctx *c, void *ud)
{
    Adopt *a = ud;
    (void)c;
    diag_adopt(a->to, a->from);
}

/* What the checks left open in the loops of a is left open in its copy b. */
static void open_loops(const Stmt *a, Stmt *b)
{
    Stmt *in[2], *at[2];
    for (; a && b; a = a->next, b = b->next) {
        if (a->kind == Sfor && b->kind == Sfor)
            b->loop.open = a->loop.open;
        int n = stmt_blocks(a, in);
        for (int i = 0, m = stmt_blocks(b, at); i < n && i < m; i++)
            open_loops(in[i], at[i]);
    }
}

/* The thread program of p for m, a Prog of its own; its notes and errors are
 * added to p's.  decides: of a target that looks at what the checks left open.  NULL: errors. */
static Prog *compile_threads(Prog *p, const Machine *m, bool decides)
{
    if (!prog_verify(p, "trace") || !prog_check(p))
        return NULL;
    Prog *q = prog_copy(p);
    if (q && decides)
        open_loops(p->body, q->body);
    bool ok = q && q->ctx.nerror == 0 && (q->machine || prog_lower(q, m, NULL));
    Adopt a = {&p->ctx, q ? &q->ctx : NULL};
    if (q && ctx_try(&p->ctx, adopt, &a) && ok)
        return q;
    if (q)
        prog_free(q);
    return NULL;
}

/* Text for machine m, or NULL for none (reported), from a lowered copy. */
static bool emit_threads(Prog *p, const Target *t, const Machine *m, const char *options,
                         Artifact *out)
{
    Prog *q = m ? compile_threads(p, m, t->decides) : NULL;
    if (!q)
        return false;
    prog_print(q, &out->program);
    bool ok = !out->program.bad && t->emit(q, options, &out->source);
    Adopt a = {&p->ctx, &q->ctx};
    if (q->ctx.nerror > 0)
        ctx_try(&p->ctx, adopt, &a);
    prog_free(q);
    return ok;
}

/* Checks and lowers p for target t; texts go to out.  lower/lower.c lists the
 * passes between a tile program and the threads of a GPU. */
static bool compile_lower(Prog *p, const Target *t, const char *options, Artifact *out)
{
    const Target *at = target_there(&p->ctx, t, &options);
    if (!at)
        return false;
    out->decides = at->decides;
    out->guards = at->guards;
    if (at->machine)
        return emit_threads(p, at, at->machine(&p->ctx, options), options, out);
    const Machine *m = at->threads ? at->threads(p) : NULL;
    if (m)
        return emit_threads(p, at, m, options, out);
    bool ok = prog_verify(p, "trace")  /* what the front end built */
              && prog_check(p)         /* bounds, races, reads of nothing: check.c */
              && (!at->stands_for || prog_alike(p, at->stands_for()))
              && at->emit(p, options, &out->source)
              && prog_verify(p, "emit");
    if (ok && at != t) /* it travels as it is */
        prog_print(p, &out->program);
    return ok && !out->program.bad;
}

bool prog_compile(Prog *p, const Target *t, const char *options, bool build, Artifact *out)
{
    double start = clock_ms();
    p->ctx.stop = &interrupt_asked;
    bool lowers = compile_lower(p, t, options, out);
    p->ctx.stop = NULL;
    if (!lowers)
        return false;
    double lowered = clock_ms();
    out->emit_ms = lowered - start;
    bool ok = !build || t->build(&p->ctx, options, out);
    out->build_ms = clock_ms() - lowered;
    return ok;
}

void artifact_free(Artifact *a)
{
    str_free(&a->source);
    str_free(&a->program);
    str_free(&a->path);
    *a = (Artifact){0};
}
