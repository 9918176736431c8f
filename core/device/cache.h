/* core/device/cache.h: files by the hash of what they were made from.
 *
 * A cache is a folder of ours alone.  An entry appears whole or not at all, and
 * carries the hash of its key and contents: a damaged, truncated, foreign or
 * mixed-up one counts as absent and is replaced.  Any number of processes may
 * use one folder. */
#ifndef MOONTILE_CACHE_H
#define MOONTILE_CACHE_H

#include "core/base/base.h"

typedef struct Cache Cache;
struct Cache {
    Str dir;
    uint64_t limit; /* bytes; beyond it the longest unused entries go */
    int64_t grace;  /* seconds since its last use for which an entry stays all the same */
};

/* Opens $MOONTILE_CACHE_DIR, else $XDG_CACHE_HOME/moontile, else
 * ~/.cache/moontile, made with mode 0700; if that cannot be used, a private
 * folder among the temporary files, with a warning the first time.  false:
 * reported.  $MOONTILE_CACHE_SIZE sets the limit (512M). */
bool cache_open(Cache *k, Ctx *c);
/* The same for those whose warnings nobody sees: the one about another folder is left to the next. */
bool cache_open_quietly(Cache *k, Ctx *c);
void cache_close(Cache *k);

/* Is there a sound entry?  Its path goes to `path` and its use is noted. */
bool cache_get(const Cache *k, Hash key, const char *ext, Str *path);

/* A new name in the folder for cache_put to take: the file is the caller's. */
void cache_temp(const Cache *k, const char *ext, Str *path);

/* Makes the finished file `temp` the entry; false: errno, temp is removed. */
bool cache_put(const Cache *k, Hash key, const char *ext, const char *temp, Str *path);

/* The path that an entry has or would have. */
void cache_path(const Cache *k, Hash key, const char *ext, Str *path);

#endif
