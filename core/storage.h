/* core/storage.h: what a session and its worker need of storage.c beyond
 * tensor.h: one mapping rule for both, and news of files that are gone. */
#ifndef MOONTILE_STORAGE_H
#define MOONTILE_STORAGE_H

#include "tensor.h"

/* Maps a whole memfd, shared and writable, so that its huge pages can be used;
 * NULL on failure. */
char *storage_map(int fd, size_t bytes);

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

#endif
