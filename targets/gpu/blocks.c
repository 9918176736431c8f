/* targets/gpu/blocks.c: blocks of device memory, those in use by address and those
 * that wait to be used again. */
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

static const size_t SpareBytes = (size_t)1 << 30; /* of them all */

/* Takes spare block i out of the list. */
static GpuBlock unspare(GpuBlocks *b, int i)
{
    GpuBlock k = b->spare[i];
    b->nspare--;
    b->spared -= k.bytes;
    memmove(b->spare + i, b->spare + i + 1, (size_t)(b->nspare - i) * sizeof *b->spare);
    return k;
}

bool gpu_blocks_empty(GpuBlocks *b)
{
    if (!b->nspare)
        return false;
    while (b->nspare)
        b->free(b->ud, unspare(b, 0).at);
    return true;
}

static size_t blocks_find(const GpuBlocks *b, uint64_t at)
{
    size_t lo = 0, hi = b->nused;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (b->used[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool gpu_blocks_add(GpuBlocks *b, uint64_t at, size_t bytes)
{
    if (b->nused == b->capused) {
        size_t want = b->capused ? b->capused * 2 : 64;
        GpuBlock *p = realloc(b->used, want * sizeof *p);
        if (!p)
            return false;
        b->used = p;
        b->capused = want;
    }
    size_t i = blocks_find(b, at);
    memmove(b->used + i + 1, b->used + i, (b->nused - i) * sizeof *b->used);
    b->used[i] = (GpuBlock){at, bytes};
    b->nused++;
    return true;
}

uint64_t gpu_blocks_take(GpuBlocks *b, size_t bytes)
{
    for (int i = b->nspare; i-- > 0;)
        if (b->spare[i].bytes == bytes)
            return unspare(b, i).at;
    return 0;
}

void gpu_blocks_drop(GpuBlocks *b, uint64_t at)
{
    size_t i = blocks_find(b, at);
    if (i == b->nused || b->used[i].at != at)
        return;
    GpuBlock k = b->used[i];
    b->nused--;
    memmove(b->used + i, b->used + i + 1, (b->nused - i) * sizeof *b->used);
    /* those that wait longest go */
    while (b->nspare && (b->nspare == GpuSpare || b->spared + k.bytes > SpareBytes))
        b->free(b->ud, unspare(b, 0).at);
    if (k.bytes > SpareBytes) {
        b->free(b->ud, k.at);
        return;
    }
    b->spare[b->nspare++] = k;
    b->spared += k.bytes;
}

void gpu_blocks_free(GpuBlocks *b)
{
    gpu_blocks_empty(b);
    free(b->used);
    b->used = NULL;
    b->nused = b->capused = 0;
}
