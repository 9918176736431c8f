/* core/tensor/storage.c: bytes that the session and its worker both see.
 *
 * Everything lives in memfds.  A large storage owns one; small ones are cut
 * from slabs, one power of two a slab, so that ten thousand scalars do not
 * take ten thousand file descriptors.  A memfd's id is never used again, so a
 * worker can keep its mappings by id; storage_watch() tells when one is gone.
 * Freeing truncates the file first: its pages go back at once, even while a
 * worker still has them mapped.
 *
 * Devices with memory of their own make it a question who has the newest
 * contents: the host, or one device.  Who asks for the host's bytes goes through
 * storage_read() and storage_write(), which see to it that they are.
 *
 * The pool belongs to the process, as descriptors and the address space do;
 * it is this file's own and nothing else sees it. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "storage.h"

enum {
    MinBlock = 64,          /* bytes; also the alignment */
    NClass = 13,            /* 64 B, 128 B, .. 256 KiB */
    SlabBytes = 1 << 20,
    PageBytes = 4096,
    HugeBytes = 2 << 20,
    CheckBytes = 64 << 20   /* larger ones are compared with free memory */
};

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* A memfd.  Of a slab, blocks [0, fresh) have been used before; those of them
 * that are free stand in free[0 .. nfree). */
typedef struct File File;
struct File {
    File *next, **link; /* among the slabs of its class that have room */
    uint64_t id;
    char *data;
    size_t bytes;
    int fd;
    int size_class; /* -1: one storage's own */
    uint32_t nblock, fresh, nfree;
    uint32_t free[];
};

typedef struct FreeBlock FreeBlock;
struct FreeBlock {
    Storage st; /* first: a Storage * is a FreeBlock * */
    File *file;
    uint32_t index;
};

static struct {
    pthread_mutex_t lock;
    File *room[NClass];
    StorageWatch *watch;
    uint64_t lastid;
    size_t bytes; /* of all files */
    bool raised; /* RLIMIT_NOFILE */
    pthread_mutex_t door; /* held while contents move: several threads may knock */
    _Atomic uint64_t lasttag;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .door = PTHREAD_MUTEX_INITIALIZER};

/* Mapping -------------------------------------------------------------- */

char *storage_map(int fd, size_t bytes)
{
    const int prot = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_NORESERVE;
    if (bytes < HugeBytes) {
        char *p = mmap(NULL, bytes, prot, flags, fd, 0);
        return p == MAP_FAILED ? NULL : p;
    }
    /* Huge pages are mapped as such only at their own alignment. */
    size_t room = (bytes + PageBytes - 1) / PageBytes * PageBytes + HugeBytes;
    if (room < bytes)
        return NULL;
    char *hole = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (hole == MAP_FAILED)
        return NULL;
    size_t skip = (HugeBytes - (uintptr_t)hole % HugeBytes) % HugeBytes;
    char *p = mmap(hole + skip, bytes, prot, flags | MAP_FIXED, fd, 0);
    if (p == MAP_FAILED) {
        munmap(hole, room);
        return NULL;
    }
    if (skip)
        munmap(hole, skip);
    munmap(hole + skip + (room - HugeBytes), HugeBytes - skip);
    return p;
}

/* Fills a fresh file with huge pages.  A fault for each 4 KiB costs 0.75 us,
 * over ten times what clearing the same memory 2 MiB at a time does, and long
 * rows then stream a tenth faster.  Reading one word a piece gives the kernel
 * the page around which it collapses.  Without huge pages nothing is lost. */
static void collapse(char *p, size_t bytes)
{
    size_t n = bytes / HugeBytes * HugeBytes;
    if (!n)
        return;
    for (size_t i = 0; i < n; i += HugeBytes)
        (void)*(volatile char *)(p + i);
    madvise(p, n, MADV_COLLAPSE);
}

/* Every large tensor costs a descriptor; the soft limit is often only 1024. */
static void storage_raise_nofile(void)
{
    struct rlimit r;
    if (pool.raised)
        return;
    pool.raised = true;
    if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
        r.rlim_cur = r.rlim_max;
        setrlimit(RLIMIT_NOFILE, &r);
    }
}

/* The number after `name` in a file of the kernel's; false if there is none. */
static bool storage_fact(const char *path, const char *name, unsigned long long *n)
{
    char line[128];
    size_t len = strlen(name);
    bool found = false;
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    while (!found && fgets(line, sizeof line, f))
        found = strncmp(line, name, len) == 0 && sscanf(line + len, "%llu", n) == 1;
    fclose(f);
    return found;
}

/* Bytes of memory that can still be had, by the machine and by the container's
 * limit; SIZE_MAX if neither says. */
static size_t available(void)
{
    unsigned long long free = 0, swap = 0, max, now, n = SIZE_MAX;
    if (storage_fact("/proc/meminfo", "MemAvailable:", &free)) {
        storage_fact("/proc/meminfo", "SwapFree:", &swap);
        n = (free + swap) * 1024;
    }
    if (storage_fact("/sys/fs/cgroup/memory.max", "", &max) &&
        storage_fact("/sys/fs/cgroup/memory.current", "", &now))
        n = max < now ? 0 : max - now < n ? max - now : n;
    return n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}

/* A mapped file of `bytes` zeros with room for nblock free entries.  NULL: no
 * memory or no descriptor. */
static File *file_new(size_t bytes, int size_class, uint32_t nblock)
{
    storage_raise_nofile();
    if (bytes > PTRDIFF_MAX || (bytes >= CheckBytes && bytes > available()))
        return NULL;
    File *f = calloc(1, sizeof *f + nblock * sizeof f->free[0]);
    if (!f)
        return NULL;
    f->fd = memfd_create("moontile", MFD_CLOEXEC);
    if (f->fd >= 0 && ftruncate(f->fd, (off_t)bytes) == 0)
        f->data = storage_map(f->fd, bytes);
    if (!f->data) {
        if (f->fd >= 0)
            close(f->fd);
        free(f);
        return NULL;
    }
    f->bytes = bytes;
    f->size_class = size_class;
    f->nblock = nblock;
    f->id = ++pool.lastid;
    pool.bytes += bytes;
    return f;
}

static void file_free(File *f)
{
    for (StorageWatch *w = pool.watch; w; w = w->next)
        w->gone(w->ud, f->id);
    if (ftruncate(f->fd, 0) != 0)
        errno = 0; /* the pages then go when the worker drops its mapping */
    munmap(f->data, f->bytes);
    close(f->fd);
    pool.bytes -= f->bytes;
    free(f);
}

/* Slabs ---------------------------------------------------------------- */

static int storage_class_of(size_t bytes)
{
    int k = 0;
    for (size_t size = MinBlock; size < bytes; size *= 2)
        k++;
    return k;
}

static void slab_link(File *f)
{
    File **head = &pool.room[f->size_class];
    f->next = *head;
    f->link = head;
    if (*head)
        (*head)->link = &f->next;
    *head = f;
}

static void slab_unlink(File *f)
{
    *f->link = f->next;
    if (f->next)
        f->next->link = f->link;
    f->link = NULL;
}

/* A zeroed block of class k: the slab and the block's index. */
static File *slab_take(int k, uint32_t *index)
{
    size_t size = (size_t)MinBlock << k;
    File *f = pool.room[k];
    if (!f) {
        f = file_new(SlabBytes, k, (uint32_t)(SlabBytes / size));
        if (!f)
            return NULL;
        slab_link(f);
    }
    if (f->nfree) {
        *index = f->free[--f->nfree];
        memset(f->data + *index * size, 0, size);
    } else {
        *index = f->fresh++;
    }
    if (!f->nfree && f->fresh == f->nblock)
        slab_unlink(f);
    return f;
}

/* An empty slab goes, unless it is the only one of its class with room. */
static void slab_give(File *f, uint32_t index)
{
    if (!f->link)
        slab_link(f);
    f->free[f->nfree++] = index;
    if (f->nfree == f->fresh && (f->next || f->link != &pool.room[f->size_class])) {
        slab_unlink(f);
        file_free(f);
    }
}

/* Who has the newest contents ------------------------------------------- */

/* Takes s from its keeper's list. */
static void leave_keeper(Storage *s)
{
    if (!s->keeper)
        return;
    *s->link = s->next;
    if (s->next)
        s->next->link = s->link;
    s->keeper = NULL;
}

static void set_state(Storage *s, enum StorageState state)
{
    atomic_store_explicit(&s->state, (uint8_t)state, memory_order_release);
}

/* The host's bytes are about to be written, for the first time if nobody filled them later.
 * Not before, so that what only a device uses takes no memory here. */
static void make_room(const Storage *s)
{
    const FreeBlock *b = (const FreeBlock *)(const void *)s;
    if (s->unwritten && b->file->size_class < 0)
        collapse(s->data, s->bytes);
}

/* The state of what no device keeps, and may share with some. */
static enum StorageState kept_here(const Storage *s)
{
    return s->unwritten && s->fill ? SGaway : SGshared;
}

/* The host has no keeper's bytes to wait for, but its own to write. */
static void write_fill(Storage *s)
{
    if (!s->unwritten || !s->fill || s->keeper)
        return;
    make_room(s);
    uint64_t *word = (uint64_t *)(void *)s->data;
    size_t words = s->bytes / sizeof *word;
    for (size_t i = 0; i < words; i++)
        word[i] = s->fill;
    memcpy(word + words, &s->fill, s->bytes % sizeof *word);
    s->unwritten = false;
    set_state(s, SGshared);
}

uint64_t storage_tag(void) { return atomic_fetch_add(&pool.lasttag, 1) + 1; }

bool storage_same(const Storage *s, uint64_t tag)
{
    for (int i = 0; i < StorageDeviceCopies; i++)
        if (s->devcopy[i] == tag)
            return true;
    return false;
}

/* With more than StorageDeviceCopies of them the oldest is forgotten: it will be
 * given the same bytes again. */
void storage_agree(Storage *s, uint64_t tag)
{
    if (storage_same(s, tag))
        return;
    memmove(s->devcopy + 1, s->devcopy, sizeof s->devcopy - sizeof s->devcopy[0]);
    s->devcopy[0] = tag;
    if (!s->keeper)
        set_state(s, kept_here(s));
}

void storage_disagree(Storage *s, uint64_t tag)
{
    for (int i = 0; i < StorageDeviceCopies; i++)
        if (s->devcopy[i] == tag)
            s->devcopy[i] = 0;
}

void storage_keep(Storage *s, Keeper *k, uint64_t tag)
{
    if (s->keeper == k && s->devcopy[0] == tag)
        return;
    leave_keeper(s);
    memset(s->devcopy, 0, sizeof s->devcopy);
    s->devcopy[0] = tag;
    s->keeper = k;
    s->next = k->first;
    s->link = &k->first;
    if (s->next)
        s->next->link = &s->next;
    k->first = s;
    set_state(s, SGaway);
}

void storage_back(Storage *s)
{
    leave_keeper(s);
    s->unwritten = false;
    set_state(s, SGshared);
}

void storage_lose(Storage *s)
{
    leave_keeper(s);
    memset(s->devcopy, 0, sizeof s->devcopy);
    set_state(s, kept_here(s));
}

/* A fetch that fails may have written some of the bytes: zeros are in memory no longer then, but
 * another fill still is to be written over them. */
static void fetch_bytes(Storage *s)
{
    if (s->keeper) {
        make_room(s);
        s->unwritten = s->unwritten && s->fill;
        s->keeper->fetch(s->keeper->ud, s);
    }
    write_fill(s);
}

void storage_fetch(Storage *s)
{
    pthread_mutex_lock(&pool.door);
    fetch_bytes(s);
    pthread_mutex_unlock(&pool.door);
}

/* Nobody else has what the host will have. */
static void tensor_storage_claim(Storage *s, bool keep)
{
    pthread_mutex_lock(&pool.door);
    if (keep)
        fetch_bytes(s);
    leave_keeper(s);
    make_room(s);
    s->unwritten = false;
    memset(s->devcopy, 0, sizeof s->devcopy);
    set_state(s, SGhost);
    pthread_mutex_unlock(&pool.door);
}

void storage_claim(Storage *s) { tensor_storage_claim(s, true); }

void storage_replace(Storage *s)
{
    if (atomic_load_explicit(&s->state, memory_order_acquire) != SGhost)
        tensor_storage_claim(s, false);
}

void storage_fill(Storage *s, uint64_t fill)
{
    if (s->unwritten && s->fill == fill && !s->keeper)
        return;
    if (!fill && (s->fill || !s->unwritten)) { /* memory that has other bytes */
        storage_replace(s);
        memset(s->data, 0, s->bytes);
        return;
    }
    pthread_mutex_lock(&pool.door);
    leave_keeper(s);
    memset(s->devcopy, 0, sizeof s->devcopy);
    s->unwritten = true;
    s->fill = fill;
    set_state(s, kept_here(s));
    pthread_mutex_unlock(&pool.door);
}

/* Storage -------------------------------------------------------------- */

Storage *storage_new(size_t bytes)
{
    FreeBlock *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    pthread_mutex_lock(&pool.lock);
    int k = storage_class_of(bytes < PTRDIFF_MAX ? bytes : 0);
    if (k < NClass && bytes < PTRDIFF_MAX)
        b->file = slab_take(k, &b->index);
    else
        b->file = file_new(bytes, -1, 0);
    pthread_mutex_unlock(&pool.lock);
    if (!b->file) {
        free(b);
        return NULL;
    }
    size_t at = k < NClass ? b->index * ((size_t)MinBlock << k) : 0;
    b->st = (Storage){.data = b->file->data + at, .bytes = bytes, .fd = b->file->fd,
                      .fdoff = at, .id = b->file->id, .ref = 1, .state = SGshared,
                      .unwritten = true};
    return &b->st;
}

Storage *storage_ref(Storage *s)
{
    if (s)
        s->ref++;
    return s;
}

void storage_unref(Storage *s)
{
    if (!s || --s->ref)
        return;
    FreeBlock *b = (FreeBlock *)s;
    leave_keeper(s);
    pthread_mutex_lock(&pool.lock);
    if (b->file->size_class < 0)
        file_free(b->file);
    else
        slab_give(b->file, b->index);
    pthread_mutex_unlock(&pool.lock);
    free(b);
}

size_t storage_held(void)
{
    pthread_mutex_lock(&pool.lock);
    size_t n = pool.bytes;
    pthread_mutex_unlock(&pool.lock);
    return n;
}

void storage_watch(StorageWatch *w)
{
    pthread_mutex_lock(&pool.lock);
    w->next = pool.watch;
    pool.watch = w;
    pthread_mutex_unlock(&pool.lock);
}

void storage_unwatch(StorageWatch *w)
{
    pthread_mutex_lock(&pool.lock);
    for (StorageWatch **p = &pool.watch; *p; p = &(*p)->next) {
        if (*p == w) {
            *p = w->next;
            break;
        }
    }
    pthread_mutex_unlock(&pool.lock);
}
