/* core/compile.c: the way of a kernel, from the traced program to something a
 * device can load.  Read this first.
 *
 * Every pass reads the program and changes it or reports into p->ctx; the
 * verifier stands behind each one, so that a pass which breaks an invariant is
 * named at once instead of showing up as wrong code. */
#include <time.h>

#include "session.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Checks and lowers p for target t; text goes to out->source. */
static bool lower(Prog *p, const Target *t, const char *options, Artifact *out)
{
    return prog_verify(p, "trace")              /* what the front end built */
           && prog_check(p)                     /* bounds, races, reads of nothing: check.c */
           && t->emit(p, options, &out->source) /* source text of the target */
           && prog_verify(p, "emit");
}

bool prog_compile(Prog *p, const Target *t, const char *options, bool build, Artifact *out)
{
    double start = now_ms();
    if (!lower(p, t, options, out))
        return false;
    double lowered = now_ms();
    out->emit_ms = lowered - start;
    bool ok = !build || t->build(&p->ctx, options, out);
    out->build_ms = now_ms() - lowered;
    return ok;
}

void artifact_free(Artifact *a)
{
    str_free(&a->source);
    str_free(&a->path);
    *a = (Artifact){0};
}
