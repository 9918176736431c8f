/* Storage: zeroed, aligned, apart from each other, returned to the system, and
 * refused cleanly when it is too large. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/tensor/storage.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("storage_test.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

static int open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static bool zero(const Storage *s)
{
    for (size_t i = 0; i < s->bytes; i++)
        if (s->data[i])
            return false;
    return true;
}

static void test_sizes(void)
{
    static const size_t size[] = {0, 1, 63, 64, 65, 4096, 100000, 262144, 262145,
                                  1 << 20, (2 << 20) - 1, 2 << 20, (5 << 20) + 12345};
    for (size_t i = 0; i < COUNT(size); i++) {
        Storage *a = storage_new(size[i]), *b = storage_new(size[i]);
        EXPECT(a && b);
        if (!a || !b)
            return;
        EXPECT(a->bytes == size[i] && (uintptr_t)a->data % 64 == 0 && zero(a));
        EXPECT(a->data + a->bytes <= b->data || b->data + b->bytes <= a->data || !size[i]);
        /* the file holds the bytes: what a worker would see */
        if (size[i]) {
            char c = 0;
            a->data[size[i] - 1] = 77;
            EXPECT(pread(a->fd, &c, 1, (off_t)(a->fdoff + size[i] - 1)) == 1 && c == 77);
        }
        storage_unref(b);
        storage_unref(a);
    }
}

/* Many small ones in random order: none overlaps, all read as zero again. */
static void test_slabs(void)
{
    enum { N = 3000 };
    static Storage *s[N];
    int files = open_files();
    uint32_t seed = 1;
    for (int round = 0; round < 20 * N; round++) {
        seed = seed * 1664525u + 1013904223u;
        int i = (int)(seed >> 8) % N;
        if (s[i]) {
            char mark = (char)(i + 1);
            bool same = s[i]->data[0] == mark && s[i]->data[s[i]->bytes - 1] == mark;
            EXPECT(same);
            storage_unref(s[i]);
            s[i] = NULL;
        } else {
            s[i] = storage_new(1 + (seed >> 12) % 3000);
            EXPECT(s[i] && zero(s[i]));
            memset(s[i]->data, i + 1, s[i]->bytes);
        }
    }
    EXPECT(open_files() < files + 30);
    for (int i = 0; i < N; i++)
        storage_unref(s[i]);
    EXPECT(open_files() < files + 10);
}

static uint64_t last_gone;
static int ngone;

static void on_gone(void *ud, uint64_t id)
{
    (void)ud;
    last_gone = id;
    ngone++;
}

static void test_watch(void)
{
    StorageWatch w = {on_gone, NULL, NULL};
    storage_watch(&w);
    Storage *a = storage_new(1 << 20);
    uint64_t id = a->id;
    storage_ref(a);
    storage_unref(a);
    EXPECT(ngone == 0);
    storage_unref(a);
    EXPECT(ngone == 1 && last_gone == id);
    a = storage_new(1 << 20);
    EXPECT(a->id > id);
    storage_unwatch(&w);
    storage_unref(a);
    EXPECT(ngone == 1);
}

static void test_absurd(void)
{
    EXPECT(storage_new(SIZE_MAX) == NULL);
    EXPECT(storage_new(SIZE_MAX / 2) == NULL);
    EXPECT(storage_new((size_t)1 << 60) == NULL);
    EXPECT(storage_new((size_t)1 << 45) == NULL); /* 32 TiB */
}

/* More large ones than the soft limit of descriptors allows in most shells. */
static void test_many(void)
{
    enum { N = 2000 };
    static Storage *s[N];
    int n = 0;
    while (n < N && (s[n] = storage_new(300 * 1024)))
        n++;
    EXPECT(n == N || n > 900);
    while (n)
        storage_unref(s[--n]);
}

/* A device's copy of one storage, and what the newest contents have to be. */
typedef struct Twin Twin;
struct Twin {
    Keeper keeper; /* first: the member that fetches */
    uint64_t tag;
    char copy[200], host[200], newest[200];
    bool fails;
};

static void fill_twin(char *to, size_t n, uint64_t fill)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (char)(fill >> i % 8 * 8);
}

static void twin_fetch(void *ud, Storage *s)
{
    Twin *t = ud;
    memcpy(s->data, t->copy, t->fails ? s->bytes / 2 : s->bytes); /* one that fails may have begun */
    if (!t->fails) {
        storage_back(s);
        return;
    }
    storage_lose(s);
    if (!s->fill || !s->unwritten) /* other bytes than a fill's are not got back */
        memcpy(t->host, s->data, s->bytes);
    memcpy(t->newest, t->host, s->bytes);
}

/* What a launch does: the copy gets what it lacks, and is written to. */
static void twin_launch(Twin *t, Storage *s, bool writes, char mark)
{
    if (s->keeper != &t->keeper && !storage_same(s, t->tag)) {
        if (s->unwritten && !s->keeper)
            fill_twin(t->copy, s->bytes, s->fill);
        else
            memcpy(t->copy, storage_read(s), s->bytes);
        storage_agree(s, t->tag);
    }
    EXPECT(memcmp(t->copy, t->newest, s->bytes) == 0);
    if (!writes)
        return;
    t->copy[(unsigned char)mark % s->bytes] = mark;
    memcpy(t->newest, t->copy, s->bytes);
    storage_keep(s, &t->keeper, t->tag);
}

static void twin_step(Twin *t, Storage *s, uint32_t r)
{
    static const uint64_t fills[] = {0, 0x7fc000007fc00000, 0x8000000000000000, 0x0101010101010101};
    size_t at = r / 64 % s->bytes;
    char mark = (char)(r >> 20);
    switch (r % 8) {
    case 0:
        storage_fill(s, fills[r / 8 % COUNT(fills)]);
        fill_twin(t->newest, s->bytes, fills[r / 8 % COUNT(fills)]);
        memcpy(t->host, t->newest, s->bytes);
        return;
    case 1:
        storage_write(s)[at] = mark;
        t->newest[at] = mark;
        memcpy(t->host, t->newest, s->bytes);
        return;
    case 2:
        storage_replace(s);
        memset(s->data, mark, s->bytes);
        memset(t->newest, mark, s->bytes);
        memcpy(t->host, t->newest, s->bytes);
        return;
    case 3: /* the worker ends */
        if (s->keeper) {
            storage_lose(s);
            memcpy(t->newest, t->host, s->bytes);
        }
        storage_disagree(s, t->tag);
        t->tag = storage_tag();
        return;
    case 4:
    case 5:
        twin_launch(t, s, r % 8 == 5, mark);
        return;
    default:
        t->fails = r / 8 % 4 == 0;
        EXPECT(memcmp(storage_read(s), t->newest, s->bytes) == 0);
        memcpy(t->host, t->newest, s->bytes);
    }
}

/* Fills that nobody has written yet, between writes, launches, fetches that fail and workers
 * that end: everybody who asks sees the newest contents. */
static void test_fills(void)
{
    static const size_t size[] = {1, 7, 8, 61, 200};
    uint32_t seed = 7;
    for (size_t i = 0; i < 400 * COUNT(size); i++) {
        Storage *s = storage_new(size[i % COUNT(size)]);
        Twin t = {.tag = storage_tag()};
        t.keeper = (Keeper){twin_fetch, &t, NULL};
        for (int k = 0; k < 60; k++) {
            seed = seed * 1664525u + 1013904223u;
            twin_step(&t, s, seed >> 4);
        }
        storage_unref(s);
    }
}

int main(void)
{
    int files = open_files();
    test_fills();
    test_sizes();
    test_slabs();
    test_watch();
    test_absurd();
    test_many();
    EXPECT(open_files() <= files + 14); /* a slab of each size is kept */
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
