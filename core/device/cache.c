/* core/device/cache.c: the folder of compiled kernels.  See cache.h.
 *
 * An entry is the file itself with a trailer, which loaders of ELF files do
 * not mind.  Temporary files stand in the same folder, so that rename() can
 * publish them; those of dead processes are swept out later. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "core/base/disk.h"
#include "err/build.h"

enum {
    StaleSeconds = 3600, /* a temporary file this old is nobody's */
    TouchSeconds = 60,   /* uses closer together are not told apart */
    GraceSeconds = 300,  /* used this lately: whoever asked for it may still have to load it */
    SweepEvery = 512,    /* entries made, at the latest */
    Many = 256           /* entries: of so many, some more go than must */
};
static const uint64_t DefaultLimit = UINT64_C(512) << 20;

typedef struct Trailer Trailer;
struct Trailer {
    char magic[8];
    uint64_t bytes; /* of the file without this */
    Hash key, content;
};
static const char magic[8] = "mtcache1";

/* The folder ------------------------------------------------------------ */

static bool make_dirs(const char *dir)
{
    char path[4096];
    size_t n = strlen(dir);
    if (n >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path, dir, n + 1);
    for (char *s = path + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
        *s = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Why the folder cannot be used, E_none if it can; errno tells more of
 * E_cache_fallback. */
static Err unusable(const char *dir)
{
    struct stat st;
    struct statvfs fs;
    if (!make_dirs(dir) || stat(dir, &st) != 0)
        return E_cache_fallback;
    if (!S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        return E_cache_fallback;
    }
    if (st.st_uid != geteuid())
        return E_cache_foreign;
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return E_cache_shared;
    if (access(dir, R_OK | W_OK | X_OK) != 0)
        return E_cache_fallback;
    if (statvfs(dir, &fs) == 0 && (fs.f_flag & ST_NOEXEC))
        return E_cache_noexec;
    return E_none;
}

/* "512M" -> bytes; false if that is not what v looks like. */
static bool parse_size(const char *v, uint64_t *n)
{
    static const char unit[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long x = strtoull(v, &end, 10);
    if (end == v || *v == '-' || errno)
        return false;
    const char *u = *end ? strchr(unit, *end) : NULL;
    int shift = u ? 10 * (int)(u - unit + 1) : 0;
    if ((u ? end[1] : *end) || x > UINT64_MAX >> shift)
        return false;
    *n = (uint64_t)x << shift;
    return true;
}

static const char *env(const char *name)
{
    const char *v = getenv(name);
    return v && *v ? v : NULL;
}

static void wanted_dir(Str *dir)
{
    const char *v;
    if ((v = env("MOONTILE_CACHE_DIR")))
        str_puts(dir, v);
    else if ((v = env("XDG_CACHE_HOME")) && *v == '/')
        str_fmt(dir, "%s/moontile", v);
    else if ((v = env("HOME")))
        str_fmt(dir, "%s/.cache/moontile", v);
}

/* The messages of opening, made under ctx_try. */
typedef struct Opening Opening;
struct Opening { Err why, err; const char *a, *b, *text; };

static void do_cache_report(Ctx *c, void *ud)
{
    Opening *o = ud;
    diag(c, o->err, (Loc){0, 0, 0}, o->a, o->b, o->text, NULL);
}

static void cache_report(Ctx *c, Err e, const char *a, const char *b, const char *text)
{
    Opening o = {.err = e, .a = a, .b = b, .text = text};
    ctx_try(c, do_cache_report, &o);
}

/* Files of the folder that are no entries. */
static const char ledger[] = "ledger", heard[] = "told";

/* Is this the first time that somebody hears of the folder that is used instead?  A file in it tells:
 * the folder itself may have been made by one who says nothing. */
static bool first_told(const char *dir)
{
    Str told = {0};
    str_fmt(&told, "%s/%s", dir, heard);
    int fd = told.bad ? -1 : open(told.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    str_free(&told);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool cache_find(Cache *k, Ctx *c, bool quietly)
{
    Str other = {0};
    struct stat st;
    const char *v = env("MOONTILE_CACHE_SIZE"), *tmp = env("TMPDIR");
    *k = (Cache){.limit = DefaultLimit, .grace = GraceSeconds};
    if (v && !parse_size(v, &k->limit))
        cache_report(c, E_cache_size, v, NULL, NULL);
    wanted_dir(&k->dir);
    errno = ENOENT;
    Err why = k->dir.n ? unusable(k->dir.s) : E_cache_fallback;
    if (why == E_none)
        return true;
    const char *text = strerror(errno);
    str_fmt(&other, "%s/moontile-%lu", tmp ? tmp : "/tmp", (unsigned long)geteuid());
    bool there = !other.bad && lstat(other.s, &st) == 0;
    if (other.bad || (there && S_ISLNK(st.st_mode)) || unusable(other.s) != E_none) {
        cache_report(c, E_cache_none, k->dir.n ? k->dir.s : "~/.cache/moontile", text, NULL);
        str_free(&other);
        str_free(&k->dir);
        return false;
    }
    if (!quietly && first_told(other.s))
        cache_report(c, why, k->dir.n ? k->dir.s : "~/.cache/moontile", other.s, text);
    str_free(&k->dir);
    k->dir = other;
    return true;
}

bool cache_open(Cache *k, Ctx *c) { return cache_find(k, c, false); }

bool cache_open_quietly(Cache *k, Ctx *c) { return cache_find(k, c, true); }

void cache_close(Cache *k) { str_free(&k->dir); }

/* Entries --------------------------------------------------------------- */

void cache_path(const Cache *k, Hash key, const char *ext, Str *path)
{
    char hex[33];
    hash_hex(key, hex);
    str_fmt(path, "%s/%s.%s", k->dir.s, hex, ext);
}

void cache_temp(const Cache *k, const char *ext, Str *path)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    str_fmt(path, "%s/tmp.%ld.%lx.%lx.%s", k->dir.s, (long)gettid(), (long)t.tv_sec,
            (long)t.tv_nsec, ext);
}

/* Is what p[0 .. n) holds the entry of key, whole and unchanged? */
static bool cache_sound(const char *p, size_t n, Hash key)
{
    Trailer t;
    if (n < sizeof t)
        return false;
    memcpy(&t, p + n - sizeof t, sizeof t);
    if (memcmp(t.magic, magic, sizeof magic) != 0 || t.bytes != n - sizeof t ||
        t.key.a != key.a || t.key.b != key.b)
        return false;
    Hash h = hash_bytes(key, p, n - sizeof t);
    return h.a == t.content.a && h.b == t.content.b;
}

/* The file's bytes, mapped for reading; NULL if there are none. */
static char *map_file(int fd, size_t n)
{
    char *p = n ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    return p == MAP_FAILED ? NULL : p;
}

bool cache_get(const Cache *k, Hash key, const char *ext, Str *path)
{
    struct stat st;
    bool ok = false;
    size_t keep = path->n;
    cache_path(k, key, ext, path);
    if (path->bad)
        return false;
    int fd = open(path->s + keep, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        !(st.st_mode & (S_IWGRP | S_IWOTH))) {
        char *p = map_file(fd, (size_t)st.st_size);
        ok = p && cache_sound(p, (size_t)st.st_size, key);
        if (p)
            munmap(p, (size_t)st.st_size);
        if (ok && time(NULL) - st.st_mtime > TouchSeconds)
            ok = futimens(fd, NULL) != 0 || (fstat(fd, &st) == 0 && st.st_nlink > 0); /* swept? */
    }
    if (fd >= 0)
        close(fd);
    if (!ok) {
        path->n = keep;
        if (path->s)
            path->s[keep] = '\0';
    }
    return ok;
}

/* Eviction -------------------------------------------------------------- */

/* To look at all entries whenever one is made takes long in a large folder.  So a
 * ledger stands beside them: 8 bytes for what the last sweep left, 8 for the size of
 * each entry made since, appended by whoever makes it.  That is at least what the
 * folder holds; a ledger that is missing or torn is a reason to sweep. */

/* Enters `bytes`; must the folder be swept? */
static bool must_sweep(const Cache *k, uint64_t bytes)
{
    uint64_t part[SweepEvery], total = 0;
    Str path = {0};
    str_fmt(&path, "%s/%s", k->dir.s, ledger);
    int fd = path.bad ? -1 : open(path.s, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    str_free(&path);
    if (fd < 0)
        return true;
    ssize_t n = write(fd, &bytes, sizeof bytes) == sizeof bytes ? pread(fd, part, sizeof part, 0)
                                                                : -1;
    bool torn = n < (ssize_t)sizeof *part || n % (ssize_t)sizeof *part || n == sizeof part;
    close(fd);
    for (ssize_t i = 0; !torn && i < n / (ssize_t)sizeof *part; i++)
        total = part[i] > UINT64_MAX - total ? UINT64_MAX : total + part[i];
    return torn || total > k->limit;
}

/* A new ledger.  When that fails the old one goes: the next entry sweeps again. */
static void enter_total(const Cache *k, int dir, uint64_t total)
{
    Str temp = {0};
    cache_temp(k, ledger, &temp);
    int fd = temp.bad ? -1 : open(temp.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && write(fd, &total, sizeof total) == sizeof total;
    if (fd >= 0)
        ok = close(fd) == 0 && ok && renameat(AT_FDCWD, temp.s, dir, ledger) == 0;
    if (!ok) {
        unlinkat(dir, ledger, 0);
        if (fd >= 0)
            unlink(temp.s);
    }
    str_free(&temp);
}

typedef struct Old Old;
struct Old { time_t used; uint64_t bytes; char name[48]; };

static int by_use(const void *x, const void *y)
{
    const Old *a = x, *b = y;
    return a->used < b->used ? -1 : a->used > b->used;
}

/* Has nobody used the entry lately, nor since the folder was read? */
static bool cache_idle(const Cache *k, int dir, const Old *o, time_t now)
{
    struct stat st;
    return now - o->used >= k->grace && fstatat(dir, o->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           st.st_mtime == o->used;
}

/* Keeps the folder below its limit, but for what is in use; `name` was just made and stays.
 * What cannot be read or removed now is left for the next time. */
static void cache_sweep(const Cache *k, const char *name)
{
    Old *old = NULL;
    size_t n = 0, cap = 0;
    uint64_t total = 0;
    time_t t = time(NULL);
    DIR *d = opendir(k->dir.s);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        size_t len = strlen(e->d_name);
        if (len >= sizeof old->name * 2 || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(st.st_mode))
            continue;
        if (strncmp(e->d_name, "tmp.", 4) == 0) {
            if (t - st.st_mtime > StaleSeconds)
                unlinkat(dirfd(d), e->d_name, 0);
            continue;
        }
        if (len >= sizeof old->name || strcmp(e->d_name, ledger) == 0 ||
            strcmp(e->d_name, heard) == 0)
            continue; /* not a name of ours, or no entry */
        if (n == cap) {
            size_t want = cap ? cap * 2 : 64;
            Old *p = realloc(old, want * sizeof *p);
            if (!p)
                break;
            old = p;
            cap = want;
        }
        old[n] = (Old){.used = st.st_mtime, .bytes = (uint64_t)st.st_size};
        memcpy(old[n++].name, e->d_name, len + 1);
        total += (uint64_t)st.st_size;
    }
    bool over = total > k->limit;
    uint64_t most = over && n > Many ? k->limit - k->limit / 8 : k->limit;
    if (over && n)
        qsort(old, n, sizeof *old, by_use);
    for (size_t i = 0; i < n && total > most; i++) {
        if (strcmp(old[i].name, name) != 0 && cache_idle(k, dirfd(d), &old[i], t) &&
            unlinkat(dirfd(d), old[i].name, 0) == 0)
            total -= old[i].bytes;
    }
    /* Those in use are left out: else each new entry would read the folder again. */
    enter_total(k, dirfd(d), total < most ? total : most);
    closedir(d);
    free(old);
}

/* Publishing ------------------------------------------------------------ */

/* Appends the trailer to the finished file and makes it private. */
static bool seal(const char *temp, Hash key)
{
    struct stat st;
    Trailer t = {.key = key};
    bool ok = false;
    int fd = open(temp, O_RDWR | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0) {
        char *p = map_file(fd, (size_t)st.st_size);
        if (p) {
            memcpy(t.magic, magic, sizeof magic);
            t.bytes = (uint64_t)st.st_size;
            t.content = hash_bytes(key, p, (size_t)st.st_size);
            munmap(p, (size_t)st.st_size);
            ok = disk_put(fd, (const char *)&t, sizeof t) == 0 && fchmod(fd, 0600) == 0;
        }
    }
    return close(fd) == 0 && ok;
}

bool cache_put(const Cache *k, Hash key, const char *ext, const char *temp, Str *path)
{
    size_t keep = path->n;
    cache_path(k, key, ext, path);
    if (path->bad)
        errno = ENOMEM;
    bool ok = !path->bad && seal(temp, key);
    if (ok && rename(temp, path->s + keep) != 0) {
        /* A folder in its place, empty at best, is none of ours. */
        ok = rmdir(path->s + keep) == 0 && rename(temp, path->s + keep) == 0;
    }
    if (!ok) {
        int e = errno;
        unlink(temp);
        errno = e;
        return false;
    }
    struct stat st;
    if (stat(path->s + keep, &st) != 0 || must_sweep(k, (uint64_t)st.st_size))
        cache_sweep(k, strrchr(path->s, '/') + 1);
    return true;
}
