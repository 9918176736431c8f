/* core/base/disk.h: files that are read or written whole, or not at all. */
#ifndef MOONTILE_DISK_H
#define MOONTILE_DISK_H

#include "base.h"

/* A file on its way: what is written to fd, or to the file named `temp`, takes the place of
 * the file only when all of it is on the disk.  What is no regular file (a pipe, a device)
 * is written to directly. */
typedef struct Disk Disk;
struct Disk {
    int fd;
    Str to, temp; /* temp is `to` where there is nothing to be replaced */
};

/* Begins; 0, or an errno, and there is nothing to end. */
int disk_begin(Disk *d, const char *path);
/* Ends: err 0 puts the file in its place, another leaves everything as it was.  0, or an errno:
 * err, or what went wrong now. */
int disk_end(Disk *d, int err);
/* Writes n bytes; 0, or an errno. */
int disk_put(int fd, const char *s, size_t n);
/* mkdir -p: the folder is there, with those above it; *made, unless NULL: it is new. 0, or an
 * errno. */
int disk_folder(const char *path, bool *made);
/* All three: the file has that text now, or is as it was.  0, or an errno. */
int disk_write(const char *path, const char *s, size_t n);
/* The same in a folder that is somebody else's: a link is not followed (ELOOP), and what
 * else is no plain file is not touched (EINVAL, EISDIR). */
int disk_write_strange(const char *path, const char *s, size_t n);
/* Appends what the file holds; 0, or an errno. */
int disk_read(const char *path, Str *out);
/* malloc'd path of a file of ours below an XDG folder: var, or fallback below
 * $HOME; its folders are made when make is set.  NULL when neither is set. */
char *xdg_path(const char *var, const char *fallback, const char *file, bool make);

#endif
