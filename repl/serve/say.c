/* repl/serve/say.c: JSON texts.  See say.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "say.h"

/* Length of the UTF-8 sequence at s[0 .. n), 0: it is none. */
static size_t sequence(const unsigned char *s, size_t n)
{
    size_t k = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
               (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    if (k > n)
        return 0;
    for (size_t i = 1; i < k; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (k == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)))
        return 0; /* too long a form; half of a pair */
    if (k == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90)))
        return 0;
    return k;
}

static void escape(Str *out, unsigned char c)
{
    if (c == '"' || c == '\\')
        str_fmt(out, "\\%c", c);
    else if (c == '\n')
        str_puts(out, "\\n");
    else
        str_fmt(out, "\\u%04x", c);
}

void say_string(Str *out, const char *s, size_t n)
{
    const unsigned char *u = (const unsigned char *)s;
    str_puts(out, "\"");
    for (size_t i = 0; i < n;) {
        size_t run = i, k;
        while (run < n && u[run] >= 0x20 && u[run] != '"' && u[run] != '\\' && u[run] != 0x7f &&
               (k = sequence(u + run, n - run)) != 0)
            run += k;
        str_add(out, s + i, run - i);
        if (run == n)
            break;
        if (u[run] < 0x80)
            escape(out, u[run]);
        else
            str_puts(out, "\xef\xbf\xbd");
        i = run + 1;
    }
    str_puts(out, "\"");
}

void say_text(Str *out, const char *s) { say_string(out, s ? s : "", s ? strlen(s) : 0); }

void say_key(Str *out, const char *name)
{
    char last = out->n ? out->s[out->n - 1] : '{';
    str_fmt(out, "%s\"%s\": ", last == '{' ? "" : ", ", name);
}

void say_number(Str *out, double v)
{
    if (!isfinite(v))
        v = 0;
    str_fmt(out, "%.17g", v);
}

/* Messages ----------------------------------------------------------------- */

static void part(Str *out, const Diag *d, const char *const by[NLang], const char *before,
                 enum Lang lang)
{
    const char *pattern = by[lang];
    if (!*pattern)
        return;
    str_puts(out, before);
    diag_text(out, d, pattern, lang);
}

static void texts(Str *out, const Diag *d)
{
    static const char *const name[NLang] = {"en", "zh"};
    const ErrInfo *e = err_info(d->err);
    str_puts(out, "{");
    for (int l = 0; l < NLang; l++) {
        Str t = {0};
        part(&t, d, e->title, "", (enum Lang)l);
        part(&t, d, e->label, "\n", (enum Lang)l);
        part(&t, d, e->help, "\n", (enum Lang)l);
        say_key(out, name[l]);
        say_string(out, t.s ? t.s : "", t.n);
        str_free(&t);
    }
    str_puts(out, "}");
}

static void arguments(Str *out, const Diag *d)
{
    int n = DiagArgs;
    while (n > 0 && !d->arg[n - 1])
        n--;
    str_puts(out, "[");
    for (int i = 0; i < n; i++) {
        str_puts(out, i ? ", " : "");
        say_text(out, d->arg[i]);
    }
    str_puts(out, "]");
}

void say_message(Str *out, const Ctx *c, const Diag *d)
{
    static const char *const level[] = {"error", "warning", "note"};
    const ErrInfo *e = err_info(d->err);
    str_fmt(out, "{\"id\": \"%s\", \"code\": \"%s\", \"level\": \"%s\", \"args\": ",
            e->id, e->code, level[e->level]);
    arguments(out, d);
    say_key(out, "text");
    texts(out, d);
    if (d->loc.line) {
        if (c && d->loc.file && d->loc.file < c->nfile) {
            say_key(out, "file");
            say_text(out, c->file[d->loc.file]);
        }
        str_fmt(out, ", \"line\": %u, \"col\": %u", (unsigned)d->loc.line, (unsigned)d->loc.col);
    }
    if (d->note) {
        say_key(out, "notes");
        for (const Diag *n = d->note; n; n = n->next) {
            str_puts(out, n == d->note ? "[" : ", ");
            say_message(out, c, n);
        }
        str_puts(out, "]");
    }
    str_puts(out, "}");
}

void say_messages(Str *out, const Ctx *c, enum Level level, size_t most)
{
    size_t from = out->n;
    bool first = true;
    str_puts(out, "[");
    for (const Diag *d = c->diags; d; d = d->next) {
        Str one = {0};
        if (err_info(d->err)->level > level)
            continue;
        say_message(&one, c, d);
        if (out->n - from + one.n + 4 < most) {
            str_puts(out, first ? "" : ", ");
            str_add(out, one.s, one.n);
            first = false;
        }
        str_free(&one);
    }
    str_puts(out, "]");
}

const char *say_bytes(char out[32], int64_t n)
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int u = 0;
    double v = (double)n;
    for (; v >= 1024 && u < 4; u++)
        v /= 1024;
    snprintf(out, 32, "%.4g %s", v, unit[u]);
    return out;
}
