/* repl/serve/tokens.c: the file of tokens.  See tokens.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "core/base/disk.h"
#include "repl/edit/line.h"
#include "say.h"
#include "tokens.h"
#include "err/server.h"

enum { FileBytes = 1 << 20 };

bool random_bytes(void *p, size_t n)
{
    char *s = p;
    for (size_t at = 0; at < n;) {
        ssize_t k = getrandom(s + at, n - at, 0);
        if (k < 0 && errno != EINTR)
            return false;
        at += k > 0 ? (size_t)k : 0;
    }
    return true;
}

/* Messages ----------------------------------------------------------------- */

typedef struct FileTrouble FileTrouble;
struct FileTrouble { const char *path, *why; int reason; };

static void do_report_file(Ctx *c, void *ud)
{
    const FileTrouble *t = ud;
    static const char *const is[] = {"", "1"};
    diag(c, E_serve_token_file, (Loc){0, 0, 0}, t->path, t->why ? t->why : "", is[t->reason == 3],
         is[t->reason == 4], is[t->reason == 5], is[t->reason == 6], NULL);
}

/* why: the system's words; or NULL, and the number of a reason of the row's own. */
static bool report_file(Ctx *c, const char *path, const char *why, int reason)
{
    FileTrouble t = {path, why, reason};
    ctx_try(c, do_report_file, &t);
    return false;
}

/* Reading ------------------------------------------------------------------ */

static int tokens_nibble(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool tokens_good_name(const char *s, size_t n)
{
    if (n < 1 || n > TokenNameMax || s[0] == '-')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') ||
              (s[i] >= '0' && s[i] <= '9') || strchr("._-@", s[i])))
            return false;
    return true;
}

/* "name rights hash date" in s[0 .. n) */
static bool read_row(const char *s, size_t n, AccessToken *t)
{
    char name[TokenNameMax + 1], rights[8], hash[2 * HashBytes + 1], date[24], line[256];
    if (n >= sizeof line)
        return false;
    memcpy(line, s, n);
    line[n] = '\0';
    _Static_assert(TokenNameMax == 48 && HashBytes == 32, "the widths below");
    if (sscanf(line, "%48s %7s %64s %23s", name, rights, hash, date) != 4 ||
        !tokens_good_name(name, strlen(name)) || strlen(hash) != 2 * HashBytes)
        return false;
    *t = (AccessToken){.teacher = strchr(rights, 't') != NULL};
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(t->date, sizeof t->date, "%s", date);
    for (int i = 0; i < HashBytes; i++) {
        int hi = tokens_nibble(hash[2 * i]), lo = tokens_nibble(hash[2 * i + 1]);
        if (hi < 0 || lo < 0)
            return false;
        t->hash[i] = (unsigned char)(hi << 4 | lo);
    }
    return true;
}

/* The rows of a whole text; false: reported. */
static bool read_rows(Tokens *t, Ctx *c, const char *s, size_t n)
{
    AccessToken *row = NULL;
    size_t rows = 0, cap = 0;
    for (const char *end = s + n; s < end;) {
        size_t len = strcspn(s, "\n");
        if (len && *s != '#') {
            if (rows == cap) {
                AccessToken *more = realloc(row, (cap = cap ? 2 * cap : 16) * sizeof *row);
                if (!more) {
                    free(row);
                    return serve_report(c, E_memory, "more", "reached", NULL);
                }
                row = more;
            }
            if (!read_row(s, len, &row[rows])) {
                free(row);
                return report_file(c, t->path, NULL, 6);
            }
            rows++;
        }
        s += len + (s + len < end);
    }
    free(t->row);
    t->row = row;
    t->n = rows;
    return true;
}

/* A file that others can write to lets them in, one they can read tells who is there.  A
 * reason of E_serve_token_file, 0: none. */
static int unsafe(const struct stat *st)
{
    return !S_ISREG(st->st_mode) || st->st_size > FileBytes ? 3 :
           st->st_uid != geteuid() ? 4 : st->st_mode & 077 ? 5 : 0;
}

bool tokens_refresh(Tokens *t, Ctx *c)
{
    struct stat st;
    int fd = open(t->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        t->n = 0;
        t->inode = 0;
        return true;
    }
    const char *why = fd < 0 || fstat(fd, &st) != 0 ? strerror(errno) : NULL;
    int reason = why ? 0 : unsafe(&st);
    bool same = !why && !reason && st.st_ino == t->inode && st.st_size == t->size &&
                memcmp(&st.st_mtim, &t->changed, sizeof st.st_mtim) == 0;
    char *s = why || reason || same ? NULL : calloc(1, (size_t)st.st_size + 1);
    ssize_t n = s ? read(fd, s, (size_t)st.st_size) : 0;
    bool ok = same || (s && n >= 0 && read_rows(t, c, s, (size_t)n));
    if (why || reason)
        report_file(c, t->path, why, reason);
    else if (ok && !same) {
        t->changed = st.st_mtim;
        t->size = st.st_size;
        t->inode = st.st_ino;
    }
    free(s);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool tokens_open(Tokens *t, Ctx *c, const char *path)
{
    *t = (Tokens){0};
    t->path = path ? strdup(path) : xdg_path("XDG_CONFIG_HOME", ".config", "tokens", true);
    if (!t->path)
        return report_file(c, "tokens", "XDG_CONFIG_HOME, HOME: ?", 0);
    return tokens_refresh(t, c);
}

void tokens_free(Tokens *t)
{
    free(t->path);
    free(t->row);
    *t = (Tokens){0};
}

/* Asking ------------------------------------------------------------------- */

const AccessToken *tokens_find(const Tokens *t, const char *s, size_t n)
{
    unsigned char hash[HashBytes];
    const AccessToken *found = NULL;
    if (n > 2 * TokenText)
        return NULL; /* no token is so long, and hashing it is work */
    sha256(s, n, hash);
    for (size_t i = 0; i < t->n; i++) {
        unsigned char differ = 0;
        for (int k = 0; k < HashBytes; k++)
            differ |= (unsigned char)(hash[k] ^ t->row[i].hash[k]);
        found = differ ? found : &t->row[i];
    }
    return found;
}

const AccessToken *tokens_named(const Tokens *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].name, name) == 0)
            return &t->row[i];
    return NULL;
}

/* Changing ----------------------------------------------------------------- */

/* Writes all rows but `without` anew, whole or not at all. */
static bool write_rows(const Tokens *t, Ctx *c, const AccessToken *without, const AccessToken *more)
{
    Str text = {0}, temp = {0};
    str_puts(&text, "# moontile serve: name, rights, SHA-256 of the token, date\n");
    for (size_t i = 0; i <= t->n; i++) {
        const AccessToken *r = i < t->n ? &t->row[i] : more;
        if (!r || r == without)
            continue;
        str_fmt(&text, "%s %s ", r->name, r->teacher ? "t" : "-");
        for (int k = 0; k < HashBytes; k++)
            str_fmt(&text, "%02x", r->hash[k]);
        str_fmt(&text, " %s\n", r->date);
    }
    str_fmt(&temp, "%s.%d", t->path, (int)getpid());
    const int mode = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = text.bad || temp.bad ? -1 : open(temp.s, mode, 0600);
    bool ok = fd >= 0 && write(fd, text.s, text.n) == (ssize_t)text.n && fsync(fd) == 0;
    if (fd >= 0)
        ok = (close(fd) == 0) & ok;
    ok = ok && rename(temp.s, t->path) == 0;
    if (!ok)
        report_file(c, t->path, strerror(errno), 0);
    if (!ok && fd >= 0)
        unlink(temp.s);
    str_free(&text);
    str_free(&temp);
    return ok;
}

/* "mt_" and the random bytes, five bits a letter, without letters that look alike. */
static bool make_text(char out[TokenText + 1])
{
    static const char letter[] = "abcdefghijkmnpqrstuvwxyz23456789";
    unsigned char r[TokenText];
    if (!random_bytes(r, sizeof r))
        return false;
    snprintf(out, 4, "mt_");
    for (int i = 3; i < TokenText; i++)
        out[i] = letter[r[i] & 31];
    out[TokenText] = '\0';
    return true;
}

bool tokens_add(Tokens *t, Ctx *c, const char *name, bool teacher, char out[TokenText + 1])
{
    AccessToken row = {.teacher = teacher};
    time_t now = time(NULL);
    struct tm tm;
    if (!tokens_good_name(name, strlen(name)))
        return serve_report(c, E_serve_value, "NAME", name, "1 .. 48: a-z A-Z 0-9 . _ - @");
    if (tokens_named(t, name))
        return serve_report(c, E_serve_token_name, name, "1", NULL);
    if (!make_text(out))
        return serve_report(c, E_serve_start, "getrandom", strerror(errno), NULL);
    snprintf(row.name, sizeof row.name, "%s", name);
    sha256(out, TokenText, row.hash);
    strftime(row.date, sizeof row.date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    return write_rows(t, c, NULL, &row) && tokens_refresh(t, c);
}

bool tokens_remove(Tokens *t, Ctx *c, const char *name)
{
    const AccessToken *r = tokens_named(t, name);
    if (!r)
        return serve_report(c, E_serve_token_name, name, "0", NULL);
    return write_rows(t, c, r, NULL) && tokens_refresh(t, c);
}
