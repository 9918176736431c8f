/* core/device/target.c: the targets by name.  The table is handed in: core names none. */
#include <string.h>

#include "session.h"

static const Target *const no_targets[] = {NULL};
const Target *const *targets = no_targets;

void targets_use(const Target *const *table)
{
    targets = table;
}

const Target *target_find(const char *spec)
{
    size_t n = strcspn(spec, " \t");
    for (const Target *const *t = targets; *t; t++)
        if (strlen((*t)->name) == n && memcmp((*t)->name, spec, n) == 0)
            return *t;
    return NULL;
}

const Target *target_best(void)
{
    const Target *best = NULL;
    for (const Target *const *t = targets; *t; t++)
        if ((*t)->rank > (best ? best->rank : 0) && (!(*t)->present || (*t)->present()))
            best = *t;
    return best;
}

const Target *target_there(Ctx *c, const Target *t, const char **options)
{
    return t->there ? t->there(c, *options, options) : t;
}
