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

int main(void)
{
    int files = open_files();
    test_sizes();
    test_slabs();
    test_watch();
    test_absurd();
    test_many();
    EXPECT(open_files() <= files + 14); /* a slab of each size is kept */
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
