/* tests/unit/hostile_memory.h: tensors that lie directly before a page that nobody may touch, or
 * behind one. */
#ifndef MOONTILE_TESTS_HOSTILE_MEMORY_H
#define MOONTILE_TESTS_HOSTILE_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/tensor/tensor.h"
#include "hostile_text.h"

/* Memory between pages that nobody may touch ---------------------------------------- */

typedef struct Fenced {
    char *map, *at, *want;
    size_t size, bytes;
    bool large; /* never compared */
} Fenced;

static void fence(Fenced *f, size_t bytes, bool low)
{
    size_t page = 4096, room = (bytes + page - 1) / page * page;
    f->bytes = bytes;
    f->size = room + 2 * page;
    f->map = mmap(NULL, f->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->map == MAP_FAILED || (room && mprotect(f->map + page, room, PROT_READ | PROT_WRITE) != 0)) {
        perror("cpu_hostile: mmap");
        exit(1);
    }
    f->at = low ? f->map + page : f->map + page + room - bytes;
    f->large = bytes > 65536;
    f->want = f->large ? mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                       : malloc(bytes + 8);
}

static void unfence(Fenced *f)
{
    size_t room = (f->bytes + 4095) / 4096 * 4096;
    munmap(f->map, f->size);
    if (f->large)
        munmap(f->want, room + 4096);
    else
        free(f->want);
}

static void contents(Fenced *f, enum Dtype dt)
{
    static const int32_t values[] = {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, -1, -2, INT32_MAX, INT32_MIN,
                                     1000000000, -900000000, INT32_MAX - 1, 65536, 1 << 30, 0x7ffffff0};
    static const int64_t wide[] = {INT64_MAX, INT64_MIN, (int64_t)1 << 32, ((int64_t)1 << 32) + 3, -((int64_t)1 << 32),
                                   (int64_t)1 << 62, UINT32_MAX, (int64_t)INT32_MIN - 1, ((int64_t)1 << 61) + 1};
    int64_t n = f->large ? 0 : (int64_t)(f->bytes * 8 / (size_t)dtypeinfo[dt].bits);
    if (f->large) { /* zeros again */
        madvise(f->map + 4096, f->size - 2 * 4096, MADV_DONTNEED);
        madvise(f->want, f->size - 4096, MADV_DONTNEED);
    }
    for (int64_t i = 0; i < n; i++) {
        int32_t v = chance(70) ? (int32_t)draw(16) : PICK(values);
        if (dt == DTbool)
            f->at[i] = (char)(chance(70) ? draw(2) : draw(256));
        else if (dtype_isfloat(dt))
            dtype_store(dt, f->at, i, v % 100);
        else
            dtype_storei(dt, f->at, i, dtypeinfo[dt].bits == 64 && chance(20) ? PICK(wide) : v);
    }
    if (!f->large)
        memcpy(f->want, f->at, f->bytes);
}

#endif
