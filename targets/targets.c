/* targets/targets.c: the table of targets.  A new one adds its line here and a
 * folder beside this file. */
#include <string.h>

#include "cpu/cpu.h"

const Target *const targets[] = {&cpu_target, NULL};

const Target *target_find(const char *spec)
{
    size_t n = strcspn(spec, " \t");
    for (const Target *const *t = targets; *t; t++)
        if (strlen((*t)->name) == n && memcmp((*t)->name, spec, n) == 0)
            return *t;
    return NULL;
}
