/* targets/gpu/copy.c: copies between host and device.
 *
 * HIP's interface brings ordinary memory to the device through pinned buffers of its own.
 * With CUDA's driver only small copies are left to it.  Large ones go through pinned buffers
 * of ours: each of a few threads moves a part of its own through two of them, one being
 * filled while the other travels, so that the bus and not one processor's memcpy is the
 * limit. */
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
struct Lane { void *stream, *pin[2], *done[2]; };
struct GpuLanes { Lane lane[MaxLanes]; int n; };

/* Lanes ------------------------------------------------------------------ */

static GpuResult lane_open(const GpuDriver *u, Lane *l)
{
    GpuResult r = u->StreamCreate(&l->stream, GpuNonblocking);
    r = gpu_given(r, l->stream);
    for (int i = 0; i < 2 && r == GpuOk; i++) {
        r = gpu_pinned(u, &l->pin[i], Stage, GpuHostPortable);
        if (r == GpuOk)
            r = gpu_event(u, &l->done[i], GpuNoTiming);
    }
    return r;
}

static void lane_close(const GpuDriver *u, Lane *l)
{
    for (int i = 0; i < 2; i++) {
        if (l->pin[i])
            u->MemFreeHost(l->pin[i]);
        if (l->done[i])
            u->EventDestroy(l->done[i]);
    }
    if (l->stream)
        u->StreamDestroy(l->stream);
    *l = (Lane){0};
}

/* At least one lane, `want` at best. */
static GpuResult need_lanes(Gpu *d, int want)
{
    GpuResult r = GpuOk;
    if (!d->lanes && !(d->lanes = calloc(1, sizeof *d->lanes)))
        return 1;
    GpuLanes *l = d->lanes;
    while (l->n < want && r == GpuOk) {
        r = lane_open(&d->cu, &l->lane[l->n]);
        if (r == GpuOk)
            l->n++;
        else
            lane_close(&d->cu, &l->lane[l->n]);
    }
    return l->n ? GpuOk : r;
}

void gpu_lanes_close(Gpu *d)
{
    for (int i = 0; d->lanes && i < d->lanes->n; i++)
        lane_close(&d->cu, &d->lanes->lane[i]);
    free(d->lanes);
    d->lanes = NULL;
}

/* Parts -------------------------------------------------------------------- */

/* What one thread moves. */
typedef struct GpuCopyPart GpuCopyPart;
struct GpuCopyPart {
    Gpu *d;
    Lane *lane;
    GpuAddress at;
    char *host;       /* read, or written */
    size_t n;
    bool put;
    GpuResult r;
    pthread_t thread;
    bool apart;       /* has a thread of its own */
};

static size_t gpu_copy_piece(const GpuCopyPart *p, size_t k)
{
    size_t from = k * Stage;
    return p->n - from < Stage ? p->n - from : Stage;
}

static void gpu_copy_put_part(GpuCopyPart *p)
{
    const GpuDriver *u = &p->d->cu;
    Lane *l = p->lane;
    for (size_t k = 0; k * Stage < p->n && p->r == GpuOk; k++) {
        if (k > 1)
            p->r = u->EventSynchronize(l->done[k & 1]);
        memcpy(l->pin[k & 1], p->host + k * Stage, gpu_copy_piece(p, k));
        if (p->r == GpuOk)
            p->r = u->MemcpyHtoDAsync(p->at + k * Stage, l->pin[k & 1], gpu_copy_piece(p, k),
                                      l->stream);
        if (p->r == GpuOk)
            p->r = u->EventRecord(l->done[k & 1], l->stream);
    }
}

static void get_part(GpuCopyPart *p)
{
    const GpuDriver *u = &p->d->cu;
    Lane *l = p->lane;
    size_t chunks = (p->n + Stage - 1) / Stage;
    for (size_t k = 0; k <= chunks && p->r == GpuOk; k++) {
        if (k < chunks)
            p->r = u->MemcpyDtoHAsync(l->pin[k & 1], p->at + k * Stage, gpu_copy_piece(p, k),
                                      l->stream);
        if (k < chunks && p->r == GpuOk)
            p->r = u->EventRecord(l->done[k & 1], l->stream);
        if (k && p->r == GpuOk) {
            size_t j = k - 1;
            p->r = u->EventSynchronize(l->done[j & 1]);
            if (p->r == GpuOk)
                memcpy(p->host + j * Stage, l->pin[j & 1], gpu_copy_piece(p, j));
        }
    }
}

static void *run_part(void *ud)
{
    GpuCopyPart *p = ud;
    if (p->apart)
        p->r = p->d->cu.CtxSetCurrent(p->d->ctx);
    if (p->put)
        gpu_copy_put_part(p);
    else
        get_part(p);
    GpuResult r = p->d->cu.StreamSynchronize(p->lane->stream);
    p->r = p->r == GpuOk ? r : p->r;
    return NULL;
}

/* Copies ----------------------------------------------------------------- */

static GpuResult gpu_copy_staged(Gpu *d, GpuAddress at, char *host, size_t n, bool put)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int want = n < Spread ? 1 : cpus > MaxLanes ? MaxLanes : cpus > 1 ? (int)cpus : 1;
    GpuCopyPart part[MaxLanes];
    GpuResult r = need_lanes(d, want);
    if (r != GpuOk)
        return r;
    int k = d->lanes->n < want ? d->lanes->n : want;
    size_t each = (n / (size_t)k + Stage - 1) / Stage * Stage;
    for (int i = 0; i < k; i++) {
        size_t from = (size_t)i * each < n ? (size_t)i * each : n;
        size_t size = i == k - 1 || n - from < each ? n - from : each;
        part[i] = (GpuCopyPart){.d = d, .lane = &d->lanes->lane[i], .at = at + from,
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
        r = r == GpuOk ? part[i].r : r;
    }
    return r;
}

GpuResult gpu_put(Gpu *d, GpuAddress at, const void *host, size_t n)
{
    const GpuDriver *u = &d->cu;
    union { const void *c; char *v; } from = {.c = host}; /* only read */
    if (!n)
        return GpuOk;
    if (u->Memcpy)
        return u->Memcpy((void *)(uintptr_t)at, host, n, GpuToDevice);
    if (n > Direct)
        return gpu_copy_staged(d, at, from.v, n, true);
    GpuResult r = u->MemcpyHtoDAsync(at, host, n, u->stream);
    return r == GpuOk ? gpu_wait(u) : r;
}

GpuResult gpu_get(Gpu *d, void *host, GpuAddress at, size_t n)
{
    const GpuDriver *u = &d->cu;
    if (!n)
        return GpuOk;
    if (u->Memcpy)
        return u->Memcpy(host, (const void *)(uintptr_t)at, n, GpuToHost);
    if (n > Direct)
        return gpu_copy_staged(d, at, host, n, false);
    GpuResult r = u->MemcpyDtoHAsync(host, at, n, u->stream);
    return r == GpuOk ? gpu_wait(u) : r;
}

enum GpuCall gpu_copy_call(const Gpu *d, bool put)
{
    return d->v->api == GPUruntime ? GCMemcpy : put ? GCMemcpyHtoDAsync : GCMemcpyDtoHAsync;
}
