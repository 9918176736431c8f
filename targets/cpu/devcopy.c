/* targets/cpu/devcopy.c: for tests: the cpu as if its memory were its own.
 *
 * With -devcopy, kernels see copies of the tensors only.  Fresh ones and freed ones
 * are filled with a pattern, so that a copy that should have been made is missed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "err/room.h"

enum { Head = 64, Pattern = 0xa5 }; /* Head: bytes before a copy: its size */

/* "3.2 MiB" */
static void size_text(char *out, size_t room, size_t n)
{
    snprintf(out, room, "%.4g MiB", (double)n / (1 << 20));
}

void *cpu_mem_new(void *dev, void *host, size_t bytes, DevError *err)
{
    CpuCopies *t = cpu_copies(dev);
    char asked[32], left[32], all[32];
    (void)host;
    char *p = NULL;
    if (bytes <= t->limit - t->used)
        p = aligned_alloc(Head, (bytes + 2 * Head - 1) / Head * Head);
    if (!p) {
        size_text(asked, sizeof asked, bytes);
        size_text(left, sizeof left, t->limit - t->used);
        size_text(all, sizeof all, t->limit);
        *err = dev_error(E_device_full, asked, left, all);
        return NULL;
    }
    memcpy(p, &bytes, sizeof bytes);
    memset(p + Head, Pattern, bytes);
    t->used += bytes;
    return p + Head;
}

void cpu_mem_free(void *dev, void *copy)
{
    char *p = (char *)copy - Head;
    size_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    memset(copy, Pattern, bytes);
    cpu_copies(dev)->used -= bytes;
    free(p);
}

bool cpu_mem_put(void *dev, void *copy, const void *host, size_t at, size_t n, DevError *err)
{
    (void)dev, (void)err;
    memcpy((char *)copy + at, host, n);
    return true;
}

bool cpu_mem_get(void *dev, void *copy, void *host, size_t at, size_t n, DevError *err)
{
    (void)dev, (void)err;
    memcpy(host, (const char *)copy + at, n);
    return true;
}
