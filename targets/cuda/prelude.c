/* targets/cuda/prelude.c: finds the text of a helper. */
#include "prelude.h"

#include <stdlib.h>
#include <string.h>

int cuda_capability(const Machine *m)
{
    return atoi(m->name + strcspn(m->name, "0123456789"));
}

static void cuda_prelude_need_all(Emit *e, const char *names)
{
    while (*names) {
        size_t n = strcspn(names, " ");
        emit_need(e, astr(&e->p->ctx, names, n));
        names += n + (names[n] == ' ');
    }
}

static const char *cuda_prelude_look_up(Emit *e, const CudaText *table, const char *name)
{
    for (const CudaText *t = table; t->name; t++)
        if (strcmp(t->name, name) == 0 && cuda_capability(e->m) >= t->since) {
            cuda_prelude_need_all(e, t->needs);
            return t->text;
        }
    return NULL;
}

static const EmitLanes lanes = {
    .mask = "unsigned", .here = "__activemask()", .full = "0xffffffffu", .ffs = "__ffs",
    .get = "__shfl_sync(mask, v", .flip = "__shfl_xor_sync(mask, v, step)"
};

const char *cuda_helper(Emit *e, const char *name)
{
    const char *t = cuda_ptx_helper(e, name);
    t = t ? t : cuda_prelude_look_up(e, cuda_types, name);
    t = t ? t : cuda_prelude_look_up(e, cuda_math, name);
    return t ? t : emit_reduction(e, name, &lanes);
}
