/* repl/edit/history.c: the entries typed so far, and their file.
 *
 * Sessions side by side append to one file: each entry is one write, under a
 * lock that also keeps it from getting lost while another session cuts the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/disk.h"
#include "core/base/base.h"
#include "line.h"

static char *history_path(bool make)
{
    return xdg_path("XDG_STATE_HOME", ".local/state", "history", make);
}

static void history_escape(Str *out, const char *s)
{
    for (; *s; s++)
        if (*s == '\n')
            str_puts(out, "\\n");
        else if (*s == '\\')
            str_puts(out, "\\\\");
        else
            str_add(out, s, 1);
}

static void history_unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        if (s[0] == '\\' && s[1]) {
            s++;
            *to++ = *s == 'n' ? '\n' : *s;
        } else {
            *to++ = *s;
        }
    }
    *to = '\0';
}

/* In memory ------------------------------------------------------------------- */

/* One history a process, as it has one terminal. */
static struct {
    char **entry;
    int n, cap;
    bool atexit, told;
    int trouble; /* errno of the first entry that the file did not take */
} hist;

const char *entries_trouble(void)
{
    bool tell = hist.trouble && !hist.told;
    hist.told |= tell;
    return tell ? strerror(hist.trouble) : NULL;
}

static void history_forget(void)
{
    for (int i = 0; i < hist.n; i++)
        free(hist.entry[i]);
    free(hist.entry);
    hist.entry = NULL;
    hist.n = hist.cap = 0;
}

static void history_add_entry(char *entry)
{
    if (hist.n >= HistoryMax) {
        free(hist.entry[0]);
        memmove(hist.entry, hist.entry + 1, (size_t)--hist.n * sizeof *hist.entry);
    }
    if (hist.n == hist.cap) {
        int cap = hist.cap ? 2 * hist.cap : 256;
        char **more = realloc(hist.entry, (size_t)cap * sizeof *more);
        if (!more) {
            free(entry);
            return;
        }
        hist.entry = more;
        hist.cap = cap;
    }
    if (entry)
        hist.entry[hist.n++] = entry;
}

int entries_count(void) { return hist.n; }
const char *entries_at(int i) { return hist.entry[i]; }

/* The file ---------------------------------------------------------------------- */

/* Opens the file that the path names now, locked: another session may put a
 * shorter one in its place while this one waits. */
static int open_locked(const char *path, int flags)
{
    for (int tries = 0; tries < 100; tries++) {
        struct stat mine, there;
        int fd = open(path, flags | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        int r = flock(fd, LOCK_EX); /* where there are no locks, without one */
        if ((r == 0 || errno != EINTR) && fstat(fd, &mine) == 0 && stat(path, &there) == 0 &&
            mine.st_ino == there.st_ino)
            return fd;
        close(fd);
    }
    return -1;
}

/* All of the file in memory, with a NUL behind it. */
static char *history_slurp(int fd, size_t *n)
{
    struct stat st;
    char *s = fstat(fd, &st) == 0 ? malloc((size_t)st.st_size + 1) : NULL;
    *n = 0;
    while (s && *n < (size_t)st.st_size) {
        ssize_t k = read(fd, s + *n, (size_t)st.st_size - *n);
        if (k <= 0)
            break;
        *n += (size_t)k;
    }
    if (s)
        s[*n] = '\0';
    return s;
}

/* Writes s into the file's place, as a whole or not at all. */
static void history_replace(const char *path, const char *s, size_t n)
{
    Str tmp = {0};
    str_fmt(&tmp, "%s.%ld", path, (long)getpid());
    int fd = tmp.bad ? -1 : open(tmp.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        bool ok = write(fd, s, n) == (ssize_t)n;
        if (close(fd) != 0 || !ok || rename(tmp.s, path) != 0)
            unlink(tmp.s);
    }
    str_free(&tmp);
}

/* The last HistoryMax lines of s. */
static const char *last_lines(const char *s, size_t n)
{
    const char *at = s + n;
    if (n && at[-1] == '\n')
        at--;
    for (int lines = 0; at > s; at--)
        if (at[-1] == '\n' && ++lines == HistoryMax)
            break;
    return at;
}

void entries_open(void)
{
    char *path = history_path(false);
    int fd = path ? open_locked(path, O_RDONLY) : -1;
    size_t n = 0;
    char *text = fd >= 0 ? history_slurp(fd, &n) : NULL;
    if (text) {
        const char *from = last_lines(text, n);
        if (from > text)
            history_replace(path, from, n - (size_t)(from - text));
        for (char *line = text + (from - text); *line;) {
            char *eol = line + strcspn(line, "\n"), *next = eol + (*eol == '\n');
            *eol = '\0';
            history_unescape(line);
            if (*line)
                history_add_entry(strdup(line));
            line = next;
        }
    }
    free(text);
    free(path);
    if (fd >= 0)
        close(fd);
    if (!hist.atexit)
        atexit(history_forget);
    hist.atexit = true;
}

static void history_append(const char *entry)
{
    char *path = history_path(true);
    int fd = path ? open_locked(path, O_WRONLY | O_APPEND | O_CREAT) : -1;
    Str s = {0};
    history_escape(&s, entry);
    str_puts(&s, "\n");
    struct stat st;
    int err = fd < 0 && path ? errno : 0;
    if (fd >= 0 && !s.bad && fchmod(fd, 0600) == 0 && fstat(fd, &st) == 0) {
        ssize_t n = write(fd, s.s, s.n);
        err = n < 0 ? errno : n < (ssize_t)s.n ? ENOSPC : 0;
        if (n > 0 && err && ftruncate(fd, st.st_size) != 0) /* whole entries or none */
            err = errno;
    }
    if (!hist.trouble)
        hist.trouble = err; /* which does not stop the session */
    if (fd >= 0)
        close(fd);
    str_free(&s);
    free(path);
}

bool entries_add(const char *entry)
{
    if (!entry[0] || entry[0] == ' ' || (hist.n && strcmp(hist.entry[hist.n - 1], entry) == 0))
        return false;
    history_add_entry(strdup(entry));
    history_append(entry);
    return true;
}
