/* core/tensor/storage.h: what a session and its worker need of storage.c beyond
 * tensor.h: one mapping rule for both, and news of files that are gone. */
#ifndef MOONTILE_STORAGE_H
#define MOONTILE_STORAGE_H

#include "tensor.h"

/* Maps a whole memfd, shared and writable, so that its huge pages can be used;
 * NULL on failure. */
char *storage_map(int fd, size_t bytes);

/* Bytes of all storages of this process. */
size_t storage_held(void);

/* While registered, gone(ud, id) is called for each memfd that is freed.  The
 * caller owns w; it must not free storage inside the call. */
typedef struct StorageWatch StorageWatch;
struct StorageWatch {
    void (*gone)(void *ud, uint64_t id);
    void *ud;
    StorageWatch *next;
};
void storage_watch(StorageWatch *w);
void storage_unwatch(StorageWatch *w);

/* Coherence with devices that have memory of their own, where a whole memfd
 * has a device copy.  A device copy bears a tag, which is never used twice, so that one which
 * was evicted or died with its worker needs no forgetting: no storage names
 * the tag of the next.  The newest contents of a storage are the host's, unless
 * it has a keeper: then they are in the one device copy that it names. */
typedef struct Keeper Keeper;
struct Keeper {
    /* Brings the newest contents of s to the host and calls storage_back(), or
     * storage_lose() if that fails. */
    void (*fetch)(void *ud, Storage *s);
    void *ud;
    Storage *first; /* what it keeps */
};
uint64_t storage_tag(void);
bool storage_same(const Storage *s, uint64_t tag);  /* does the device copy have the newest
                                                     * contents? */
void storage_agree(Storage *s, uint64_t tag);       /* it was given those of the host */
void storage_disagree(Storage *s, uint64_t tag);    /* or perhaps it was not */
/* A kernel wrote to the device copy: it alone has the newest contents. */
void storage_keep(Storage *s, Keeper *k, uint64_t tag);
void storage_back(Storage *s);                      /* the host has them again */
void storage_lose(Storage *s);                      /* what the host last had is the newest now */

#endif
