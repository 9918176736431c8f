/* lua/seam/pack_tree.c: folders of packs: written whole, put in place in one step.
 *
 * Whoever made the pack chose its paths: each step of the way is opened by itself, links
 * are never followed, and nothing that exists is opened for writing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pack.h"

enum { DeepestTree = 8, Folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

/* renameat2's, which not every C library has */
enum { NoReplace = 1, Exchange = 2 };

static bool lpack_tree_is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_.-", s[i]))
            return false;
    return n > 0 && n < PackName && s[0] != '.';
}

bool pack_path(const char *path)
{
    for (int depth = 0; depth < PackDepth; depth++) {
        size_t n = strcspn(path, "/");
        if (!lpack_tree_is_name(path, n))
            return false;
        if (!path[n])
            return true;
        path += n + 1;
    }
    return false;
}

/* Writing ------------------------------------------------------------------------ */

static int lpack_tree_write_all(int fd, const char *s, size_t n)
{
    while (n) {
        ssize_t k = write(fd, s, n);
        if (k < 0 && errno != EINTR)
            return errno;
        s += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    return 0;
}

/* Down to the disk, where the file system knows that. */
static int sync_file(int fd)
{
    return fsync(fd) != 0 && errno != EINVAL && errno != ENOSYS ? errno : 0;
}

static int lpack_tree_write_file(int dir, const char *name, const PackFile *f)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return errno;
    int err = lpack_tree_write_all(fd, f->text, f->n);
    err = err ? err : sync_file(fd);
    if (close(fd) != 0 && !err)
        err = errno;
    return err;
}

/* One file below `dir`, with the folders above it; depth: how many there may be. */
static int write_tree_entry(int dir, const char *path, const PackFile *f, int depth)
{
    char name[PackName];
    size_t n = strcspn(path, "/");
    if (!path[n])
        return lpack_tree_write_file(dir, path, f);
    if (depth == 0 || n >= sizeof name)
        return EINVAL;
    snprintf(name, sizeof name, "%.*s", (int)n, path);
    if (mkdirat(dir, name, 0755) != 0 && errno != EEXIST)
        return errno;
    int sub = openat(dir, name, Folder | O_NOFOLLOW);
    if (sub < 0)
        return errno;
    int err = write_tree_entry(sub, path + n + 1, f, depth - 1);
    err = err ? err : sync_file(sub);
    close(sub);
    return err;
}

static int lpack_tree_fill(int dir, const PackFile *file, int n)
{
    int err = 0;
    for (int i = 0; i < n && !err; i++)
        err = pack_path(file[i].path) ? write_tree_entry(dir, file[i].path, &file[i], PackDepth - 1)
                                      : EINVAL;
    return err ? err : sync_file(dir);
}

int pack_unpack(const char *parent, const PackFile *file, int n, char name[PackName])
{
    uint64_t chance;
    int up = open(parent, Folder);
    if (up < 0)
        return errno;
    int err = getrandom(&chance, sizeof chance, 0) == sizeof chance ? 0 : EIO;
    snprintf(name, PackName, ".moontile-new-%016llx", (unsigned long long)chance);
    if (!err && mkdirat(up, name, 0755) != 0)
        err = errno;
    if (!err) {
        int dir = openat(up, name, Folder | O_NOFOLLOW);
        err = dir < 0 ? errno : lpack_tree_fill(dir, file, n);
        if (dir >= 0)
            close(dir);
        if (err)
            pack_discard(parent, name);
    }
    close(up);
    return err;
}

/* Putting in place --------------------------------------------------------------- */

/* What there is instead of one step: the old one goes out of the way first. */
static int two_steps(int up, const char *from, const char *to)
{
    char aside[300];
    if (snprintf(aside, sizeof aside, ".moontile-old-%s", to) >= (int)sizeof aside)
        return ENAMETOOLONG;
    if (renameat(up, to, up, aside) != 0)
        return errno;
    int err = renameat(up, from, up, to) != 0 ? errno : 0;
    if (err)
        renameat(up, aside, up, to);
    else if (renameat(up, aside, up, from) != 0)
        err = errno;
    return err;
}

static int rename2(int up, const char *from, const char *to, unsigned flags)
{
    return syscall(SYS_renameat2, up, from, up, to, flags) != 0 ? errno : 0;
}

int pack_swap(const char *parent, const char *from, const char *to, bool *swapped)
{
    struct stat st;
    int up = open(parent, Folder);
    if (up < 0)
        return errno;
    *swapped = fstatat(up, to, &st, AT_SYMLINK_NOFOLLOW) == 0;
    int err = rename2(up, from, to, *swapped ? Exchange : NoReplace);
    if (err == EINVAL || err == ENOSYS) /* not on every file system */
        err = *swapped ? two_steps(up, from, to) : renameat(up, from, up, to) != 0 ? errno : 0;
    if (!err)
        sync_file(up); /* it has happened: a disk that fails now changes nothing */
    close(up);
    return err;
}

/* Removing ----------------------------------------------------------------------- */

static int lpack_tree_empty(int dir, int depth);

static int discard(int up, const char *name, int depth)
{
    if (unlinkat(up, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return errno;
    int dir = depth > 0 ? openat(up, name, Folder | O_NOFOLLOW) : -1;
    if (dir < 0)
        return depth > 0 ? errno : ELOOP;
    int err = lpack_tree_empty(dir, depth - 1);
    return err ? err : unlinkat(up, name, AT_REMOVEDIR) != 0 ? errno : 0;
}

/* Removes what is in the folder; closes it. */
static int lpack_tree_empty(int dir, int depth)
{
    DIR *d = fdopendir(dir);
    const struct dirent *e;
    int err = 0;
    if (!d) {
        err = errno;
        close(dir);
        return err;
    }
    while (!err && (e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            err = discard(dirfd(d), e->d_name, depth);
    closedir(d);
    return err;
}

int pack_discard(const char *parent, const char *name)
{
    int up = open(parent, Folder);
    if (up < 0)
        return errno;
    int err = strchr(name, '/') ? EINVAL : discard(up, name, DeepestTree);
    close(up);
    return err;
}

/* Reading ------------------------------------------------------------------------ */

static int lpack_tree_read_all(int fd, size_t most, Str *out)
{
    char buf[1 << 14];
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    for (;;) {
        ssize_t k = read(fd, buf, sizeof buf);
        if (k == 0)
            return out->bad ? ENOMEM : 0;
        if (k < 0 && errno != EINTR)
            return errno;
        if (k > 0 && (size_t)k > most - out->n)
            return EFBIG;
        str_add(out, buf, k > 0 ? (size_t)k : 0);
    }
}

int pack_slurp(const char *dir, const char *path, size_t most, Str *out)
{
    int at = open(dir, Folder), err = at < 0 ? errno : 0;
    while (!err) {
        char name[256];
        size_t n = strcspn(path, "/");
        bool last = !path[n];
        if (n == 0 || n >= sizeof name) {
            err = EINVAL;
            break;
        }
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        int fd = strcmp(name, "..") == 0 ? -1 : openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC |
                                                       O_NONBLOCK | (last ? 0 : O_DIRECTORY));
        err = fd < 0 ? errno : 0;
        close(at);
        at = fd;
        if (last && !err)
            err = lpack_tree_read_all(fd, most, out);
        if (last)
            break;
        path += n + 1;
    }
    if (at >= 0)
        close(at);
    return err;
}
