/* core/base/disk.c: files that are written whole or not at all.  See disk.h.
 *
 * A full disk is often noticed as late as by fsync() or close(); so the new text stands
 * in a file beside until both have said that it is there. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk.h"

int disk_put(int fd, const char *s, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, s, n);
        if (k >= 0) {
            s += k;
            n -= (size_t)k;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* What the mode of a new file would be. */
static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static void disk_discard(Disk *d)
{
    str_free(&d->to);
    str_free(&d->temp);
    d->fd = -1;
}

/* Opens the file beside d->to, with the mode that it had or would have. A name may be as long
 * as names can be. */
static int open_beside(Disk *d, const struct stat *st)
{
    const char *slash = strrchr(d->to.s, '/'), *name = slash ? slash + 1 : d->to.s;
    size_t n = strlen(name), most = NAME_MAX - strlen(".XXXXXX");
    if (n > NAME_MAX)
        return ENAMETOOLONG;
    str_fmt(&d->temp, "%.*s.XXXXXX", (int)(name - d->to.s + (ptrdiff_t)(n < most ? n : most)), d->to.s);
    if (d->temp.bad)
        return ENOMEM;
    if ((d->fd = mkstemp(d->temp.s)) < 0)
        return errno;
    if (fchmod(d->fd, st ? st->st_mode & 07777 : new_mode()) != 0 && errno != EPERM) {
        int err = errno;
        close(d->fd);
        unlink(d->temp.s);
        return err;
    }
    return 0;
}

/* strange: as disk_write_strange(). */
static int create_temporary(Disk *d, const char *path, bool strange)
{
    char real[PATH_MAX];
    struct stat st;
    *d = (Disk){.fd = -1};
    /* what a link leads to, not the link */
    str_puts(&d->to, !strange && realpath(path, real) ? real : path);
    int err = d->to.bad ? ENOMEM : !d->to.n ? ENOENT : 0;
    bool there = !err && (strange ? lstat : stat)(d->to.s, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) {
        err = EISDIR;
    } else if (there && strange && !S_ISREG(st.st_mode)) {
        err = S_ISLNK(st.st_mode) ? ELOOP : EINVAL;
    } else if (there && !S_ISREG(st.st_mode)) {
        str_puts(&d->temp, d->to.s);
        d->fd = d->temp.bad ? -1 : open(d->to.s, O_WRONLY | O_CLOEXEC);
        err = d->fd < 0 ? errno : 0;
    } else if (there && access(d->to.s, W_OK) != 0) {
        err = errno; /* a file that is protected stays, also where its folder is not */
    } else if (!err) {
        err = open_beside(d, there ? &st : NULL);
    }
    if (err)
        disk_discard(d);
    return err;
}

int disk_begin(Disk *d, const char *path) { return create_temporary(d, path, false); }

int disk_end(Disk *d, int err)
{
    bool beside = strcmp(d->temp.s, d->to.s) != 0;
    if (!err && fsync(d->fd) != 0 && errno != EINVAL && errno != ENOSYS && errno != EROFS)
        err = errno;
    if (close(d->fd) != 0 && !err)
        err = errno;
    if (!err && beside && rename(d->temp.s, d->to.s) != 0)
        err = errno;
    if (err && beside)
        unlink(d->temp.s);
    disk_discard(d);
    return err;
}

/* The folders above path, as far as they can be made. */
static void make_above(char *path, mode_t mode)
{
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        mkdir(path, mode);
        *p = '/';
    }
}

int disk_folder(const char *path, bool *made)
{
    Str s = {0};
    struct stat st;
    str_puts(&s, path);
    int err = s.bad ? ENOMEM : 0;
    if (!err && s.n)
        make_above(s.s, 0777); /* when one cannot be, the last one says so */
    str_free(&s);
    if (!err && mkdir(path, 0777) != 0)
        err = errno;
    if (made)
        *made = !err;
    if (err == EEXIST)
        err = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
    return err;
}

int disk_write(const char *path, const char *s, size_t n)
{
    Disk d;
    int err = disk_begin(&d, path);
    return err ? err : disk_end(&d, disk_put(d.fd, s, n));
}

int disk_write_strange(const char *path, const char *s, size_t n)
{
    Disk d;
    int err = create_temporary(&d, path, true);
    return err ? err : disk_end(&d, disk_put(d.fd, s, n));
}

int disk_read(const char *path, Str *out)
{
    char buf[1 << 14];
    FILE *f = fopen(path, "re");
    if (!f)
        return errno;
    errno = 0;
    for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;)
        str_add(out, buf, n);
    int err = ferror(f) ? errno ? errno : EIO : out->bad ? ENOMEM : 0;
    fclose(f);
    return err;
}

char *xdg_path(const char *var, const char *fallback, const char *file, bool make)
{
    const char *dir = getenv(var), *home = getenv("HOME");
    Str s = {0};
    if (dir && dir[0] == '/')
        str_fmt(&s, "%s/moontile/%s", dir, file);
    else if (home && home[0] == '/')
        str_fmt(&s, "%s/%s/moontile/%s", home, fallback, file);
    if (s.bad) {
        str_free(&s);
        return NULL;
    }
    if (s.s && make)
        make_above(s.s, 0700);
    return s.s;
}
