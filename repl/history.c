/* repl/history.c: the history file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../core/base.h"
#include "line.h"

/* mkdir -p of the folders of path, private to the user */
static void make_folders(char *path)
{
    for (char *p = path + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
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
        make_folders(s.s);
    return s.s;
}

static char *history_path(bool make)
{
    return xdg_path("XDG_STATE_HOME", ".local/state", "history", make);
}

static void escape(Str *out, const char *s)
{
    for (; *s; s++)
        if (*s == '\n')
            str_puts(out, "\\n");
        else if (*s == '\\')
            str_puts(out, "\\\\");
        else
            str_add(out, s, 1);
}

static void unescape(char *s)
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

/* Rewrites the file with its lines from `skip` on, as a whole or not at all. */
static void shorten(const char *path, FILE *from, long skip)
{
    Str tmp = {0};
    str_fmt(&tmp, "%s.%ld", path, (long)getpid());
    int fd = tmp.bad ? -1 : open(tmp.s, O_WRONLY | O_CREAT | O_EXCL, 0600);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (to) {
        char *line = NULL;
        size_t cap = 0;
        ssize_t n;
        rewind(from);
        while ((n = getline(&line, &cap, from)) > 0)
            if (skip-- <= 0)
                fwrite(line, 1, (size_t)n, to);
        free(line);
        bool ok = !ferror(to);
        if (fclose(to) != 0 || !ok || rename(tmp.s, path) != 0)
            unlink(tmp.s);
    } else if (fd >= 0) {
        close(fd);
    }
    str_free(&tmp);
}

void history_load(void (*add)(const char *entry))
{
    char *path = history_path(false);
    FILE *f = path ? fopen(path, "r") : NULL;
    char *line = NULL;
    size_t cap = 0;
    long lines = 0;
    ssize_t n;
    if (f) {
        while (getline(&line, &cap, f) > 0)
            lines++;
        rewind(f);
        for (long i = 0; (n = getline(&line, &cap, f)) > 0; i++) {
            if (i < lines - HistoryMax)
                continue;
            if (line[n - 1] == '\n')
                line[n - 1] = '\0';
            unescape(line);
            add(line);
        }
        if (lines > HistoryMax)
            shorten(path, f, lines - HistoryMax);
        fclose(f);
    }
    free(line);
    free(path);
}

void history_append(const char *entry)
{
    char *path = history_path(true);
    if (!path)
        return;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    Str s = {0};
    escape(&s, entry);
    str_puts(&s, "\n");
    /* one write, so that sessions side by side do not mix their entries */
    if (fd >= 0 && !s.bad && fchmod(fd, 0600) == 0) {
        ssize_t n = write(fd, s.s, s.n);
        (void)n; /* a full disk must not stop the session */
    }
    if (fd >= 0)
        close(fd);
    str_free(&s);
    free(path);
}
