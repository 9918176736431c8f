/* targets/cuda/memory.c: device twins of host memory, and copies between them.
 *
 * The host's side is ordinary memory that any process maps, which a GPU cannot
 * reach by itself.  Small copies are left to the driver.  Large ones go through
 * pinned buffers: each of a few threads moves a part of its own through two of
 * them, one being filled while the other travels, so that the bus and not one
 * processor's memcpy is the limit. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

enum {
    Direct = 256 << 10,  /* bytes: smaller copies go through the driver alone */
    Stage = 1 << 20,     /* of one pinned buffer */
    Spread = 8 << 20,    /* larger ones are spread over the threads */
    MaxLanes = 4
};

typedef struct Lane Lane;
struct Lane { CUstream stream; char *pin[2]; CUevent done[2]; };

struct CudaLanes {
    Lane lane[MaxLanes];
    int n;
    GpuBlocks blocks;
};

static void give_back(void *ud, uint64_t at)
{
    const Cuda *d = ud;
    d->cu.MemFree(at);
}

static CudaLanes *lanes(Cuda *d)
{
    if (!d->lanes && (d->lanes = calloc(1, sizeof *d->lanes)) != NULL) {
        d->lanes->blocks.ud = d;
        d->lanes->blocks.free = give_back;
    }
    return d->lanes;
}

/* Blocks ----------------------------------------------------------------- */

char *cuda_full(Cuda *d, const char *row, size_t bytes)
{
    size_t left = 0, total = 0;
    char a[32], b[32], c[32];
    d->cu.MemGetInfo(&left, &total);
    return dev_error("@%s" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", row,
                     bytes ? gpu_bytes((double)bytes, a) : "more", gpu_bytes((double)left, b),
                     gpu_bytes((double)total, c));
}

CUresult cuda_alloc(Cuda *d, CUdeviceptr *at, size_t bytes)
{
    size_t left = 0, total = 0;
    CUresult r = d->cu.MemAlloc(at, bytes);
    if (r != CUout_of_memory)
        return r;
    if (d->lanes && gpu_blocks_empty(&d->lanes->blocks))
        r = d->cu.MemAlloc(at, bytes);
    d->cu.MemGetInfo(&left, &total);
    while (r == CUout_of_memory && bytes <= total && cuda_patience(d))
        r = d->cu.MemAlloc(at, bytes);
    return r;
}

void *cuda_mem_new(void *dev, void *host, size_t bytes, char **err)
{
    Cuda *d = dev;
    CudaLanes *l = lanes(d);
    size_t want = bytes ? bytes : 1;
    (void)host;
    if (!l)
        return NULL;
    CUdeviceptr at = gpu_blocks_take(&l->blocks, want);
    CUresult r = at ? CUok : cuda_alloc(d, &at, want);
    if (r == CUok && !gpu_blocks_add(&l->blocks, at, want)) {
        d->cu.MemFree(at);
        return NULL;
    }
    if (r == CUok)
        return (void *)(uintptr_t)at;
    *err = r == CUout_of_memory ? cuda_full(d, "device_full", want)
                                : cuda_fault(d, r, NULL, "cuMemAlloc");
    return NULL;
}

void cuda_mem_free(void *dev, void *twin)
{
    Cuda *d = dev;
    if (d->lanes)
        gpu_blocks_drop(&d->lanes->blocks, (uintptr_t)twin);
}

bool cuda_mem_zero(void *dev, void *twin, size_t at, size_t n, char **err)
{
    Cuda *d = dev;
    CUresult r = n ? d->cu.MemsetD8Async((uintptr_t)twin + at, 0, n, d->stream) : CUok;
    if (r == CUok)
        r = d->cu.StreamSynchronize(d->stream);
    return cuda_ok(d, r, NULL, "cuMemsetD8Async", err);
}

/* Lanes ------------------------------------------------------------------ */

static CUresult lane_open(Cuda *d, Lane *l)
{
    CUresult r = d->cu.StreamCreate(&l->stream, CUSnonblocking);
    for (int i = 0; i < 2 && r == CUok; i++) {
        void *p = NULL;
        r = d->cu.MemHostAlloc(&p, Stage, CUHportable);
        l->pin[i] = p;
        if (r == CUok)
            r = d->cu.EventCreate(&l->done[i], CUEno_timing);
    }
    return r;
}

static void lane_close(Cuda *d, Lane *l)
{
    for (int i = 0; i < 2; i++) {
        if (l->pin[i])
            d->cu.MemFreeHost(l->pin[i]);
        if (l->done[i])
            d->cu.EventDestroy(l->done[i]);
    }
    if (l->stream)
        d->cu.StreamDestroy(l->stream);
    *l = (Lane){0};
}

/* At least one lane, `want` at best. */
static CUresult need_lanes(Cuda *d, int want)
{
    CudaLanes *l = d->lanes;
    CUresult r = CUok;
    while (l->n < want && r == CUok) {
        r = lane_open(d, &l->lane[l->n]);
        if (r == CUok)
            l->n++;
        else
            lane_close(d, &l->lane[l->n]);
    }
    return l->n ? CUok : r;
}

void cuda_lanes_close(Cuda *d)
{
    CudaLanes *l = d->lanes;
    if (!l)
        return;
    for (int i = 0; i < l->n; i++)
        lane_close(d, &l->lane[i]);
    gpu_blocks_free(&l->blocks);
    free(l);
    d->lanes = NULL;
}

/* Copies ----------------------------------------------------------------- */

/* What one thread moves. */
typedef struct Part Part;
struct Part {
    Cuda *d;
    Lane *lane;
    CUdeviceptr at;
    char *host;       /* read, or written */
    size_t n;
    bool put;
    CUresult r;
    pthread_t thread;
    bool apart;       /* has a thread of its own */
};

static size_t piece(const Part *p, size_t k)
{
    size_t from = k * Stage;
    return p->n - from < Stage ? p->n - from : Stage;
}

static void put_part(Part *p)
{
    const CudaDriver *u = &p->d->cu;
    Lane *l = p->lane;
    for (size_t k = 0; k * Stage < p->n && p->r == CUok; k++) {
        if (k > 1)
            p->r = u->EventSynchronize(l->done[k & 1]);
        memcpy(l->pin[k & 1], p->host + k * Stage, piece(p, k));
        if (p->r == CUok)
            p->r = u->MemcpyHtoDAsync(p->at + k * Stage, l->pin[k & 1], piece(p, k), l->stream);
        if (p->r == CUok)
            p->r = u->EventRecord(l->done[k & 1], l->stream);
    }
}

static void get_part(Part *p)
{
    const CudaDriver *u = &p->d->cu;
    Lane *l = p->lane;
    size_t chunks = (p->n + Stage - 1) / Stage;
    for (size_t k = 0; k <= chunks && p->r == CUok; k++) {
        if (k < chunks)
            p->r = u->MemcpyDtoHAsync(l->pin[k & 1], p->at + k * Stage, piece(p, k), l->stream);
        if (k < chunks && p->r == CUok)
            p->r = u->EventRecord(l->done[k & 1], l->stream);
        if (k && p->r == CUok) {
            size_t j = k - 1;
            p->r = u->EventSynchronize(l->done[j & 1]);
            if (p->r == CUok)
                memcpy(p->host + j * Stage, l->pin[j & 1], piece(p, j));
        }
    }
}

static void *run_part(void *ud)
{
    Part *p = ud;
    if (p->apart)
        p->r = p->d->cu.CtxSetCurrent(p->d->ctx);
    if (p->put)
        put_part(p);
    else
        get_part(p);
    CUresult r = p->d->cu.StreamSynchronize(p->lane->stream);
    p->r = p->r == CUok ? r : p->r;
    return NULL;
}

static CUresult staged(Cuda *d, CUdeviceptr at, char *host, size_t n, bool put)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int want = n < Spread ? 1 : cpus > MaxLanes ? MaxLanes : cpus > 1 ? (int)cpus : 1;
    Part part[MaxLanes];
    if (!lanes(d))
        return CUout_of_memory;
    CUresult r = need_lanes(d, want);
    if (r != CUok)
        return r;
    int k = d->lanes->n < want ? d->lanes->n : want;
    size_t each = (n / (size_t)k + Stage - 1) / Stage * Stage;
    for (int i = 0; i < k; i++) {
        size_t from = (size_t)i * each < n ? (size_t)i * each : n;
        size_t size = i == k - 1 || n - from < each ? n - from : each;
        part[i] = (Part){.d = d, .lane = &d->lanes->lane[i], .at = at + from,
                         .host = host + from, .n = size, .put = put};
        part[i].apart = true;
        if (i == k - 1 || pthread_create(&part[i].thread, NULL, run_part, &part[i]) != 0) {
            part[i].apart = false;
            run_part(&part[i]);
        }
    }
    for (int i = 0; i < k; i++) {
        if (part[i].apart)
            pthread_join(part[i].thread, NULL);
        r = r == CUok ? part[i].r : r;
    }
    return r;
}

bool cuda_mem_put(void *dev, void *twin, const void *host, size_t at, size_t n, char **err)
{
    Cuda *d = dev;
    CUdeviceptr to = (uintptr_t)twin + at;
    union { const void *c; char *v; } from = {.c = host}; /* only read */
    CUresult r = CUok;
    if (n > Direct) {
        r = staged(d, to, from.v, n, true);
    } else if (n) {
        r = d->cu.MemcpyHtoDAsync(to, host, n, d->stream);
        if (r == CUok)
            r = d->cu.StreamSynchronize(d->stream);
    }
    return cuda_ok(d, r, NULL, "cuMemcpyHtoDAsync", err);
}

bool cuda_mem_get(void *dev, void *twin, void *host, size_t at, size_t n, char **err)
{
    Cuda *d = dev;
    CUdeviceptr from = (uintptr_t)twin + at;
    CUresult r = CUok;
    if (n > Direct) {
        r = staged(d, from, host, n, false);
    } else if (n) {
        r = d->cu.MemcpyDtoHAsync(host, from, n, d->stream);
        if (r == CUok)
            r = d->cu.StreamSynchronize(d->stream);
    }
    return cuda_ok(d, r, NULL, "cuMemcpyDtoHAsync", err);
}
