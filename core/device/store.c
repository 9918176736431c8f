/* core/device/store.c: the thread program as text, in the cache: what thread targets'
 * devices load. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "session.h"
#include "err/build.h"

typedef struct Failure Failure;
struct Failure { Err e; const char *a, *b; };

static void do_store_report(Ctx *c, void *ud)
{
    const Failure *f = ud;
    diag(c, f->e, (Loc){0, 0, 0}, f->a, f->b, NULL);
}

static bool write_text(const char *path, const Str *s)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return false;
    size_t n = fwrite(s->s, 1, s->n + 1, f); /* with its 0: the cache adds a trailer */
    return (fclose(f) == 0) & (n == s->n + 1);
}

bool artifact_store(Ctx *c, const char *options, Artifact *a)
{
    Cache k = {0};
    Str temp = {0};
    Hash key = hash_bytes((Hash){0x697274, 1}, a->program.s, a->program.n);
    (void)options;
    if (!cache_open(&k, c)) {
        cache_close(&k);
        return false;
    }
    a->path.n = 0;
    a->cached = cache_get(&k, key, "ir", &a->path);
    bool ok = a->cached;
    if (!ok) {
        cache_temp(&k, "ir", &temp);
        ok = !temp.bad && write_text(temp.s, &a->program) &&
             cache_put(&k, key, "ir", temp.s, &a->path);
    }
    if (!ok) {
        int e = errno;
        if (temp.s)
            unlink(temp.s); /* a part of it would take room that there is not */
        Failure f = {e == ENOSPC || e == EDQUOT ? E_disk_full : E_cache_none, k.dir.s, strerror(e)};
        ctx_try(c, do_store_report, &f);
    }
    str_free(&temp);
    cache_close(&k);
    return ok;
}
