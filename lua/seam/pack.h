/* lua/seam/pack.h: the C half of packs of puzzles: pack.c opens the module, pack_tree.c is
 * what it does to folders. */
#ifndef MOONTILE_PACK_H
#define MOONTILE_PACK_H

#include <lua.h>

#include "core/base/base.h"

enum {
    PackBytes = 16 << 20,  /* of a pack's file */
    PackTextBytes = 1 << 20, /* of one of its texts */
    PackName = 64,         /* bytes of a folder's or file's name */
    PackDepth = 3          /* of paths: "01-copy/wrong/zeros.lua" */
};

/* One text of a pack.  path and text are the caller's. */
typedef struct PackFile PackFile;
struct PackFile {
    const char *path, *text;
    size_t n;
};

/* A relative path of at most PackDepth names of [a-z0-9_.-], none beginning with a dot. */
bool pack_path(const char *path);

/* All of them take folders by their paths and give 0 or an errno; on failure what was
 * there before is there still. */

/* Makes a new folder in `parent`, with these files in it, down to the disk; its name,
 * which begins with a dot, goes to name. */
int pack_unpack(const char *parent, const PackFile *file, int n, char name[PackName]);
/* Gives parent/from the name `to`.  What has that name gets the name `from`: *swapped.  There
 * is no moment at which nothing is called `to`, where the file system can do that. */
int pack_swap(const char *parent, const char *from, const char *to, bool *swapped);
/* Removes parent/name and all below it, following no links. */
int pack_discard(const char *parent, const char *name);
/* The text of a plain file of at most `most` bytes: no link on the way below `dir` is
 * followed, nothing but files is opened.  EFBIG: it is larger. */
int pack_slurp(const char *dir, const char *path, size_t most, Str *out);

#endif
