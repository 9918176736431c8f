/* repl/serve/say.c: JSON texts.  See say.h. */
#include <stdio.h>
#include <string.h>

#include "core/base/json.h"
#include "say.h"

void say_text(Str *out, const char *s) { json_text(out, s ? s : "", s ? strlen(s) : 0); }

void say_key(Str *out, const char *name)
{
    char last = out->n ? out->s[out->n - 1] : '{';
    str_fmt(out, "%s\"%s\": ", last == '{' ? "" : ", ", name);
}

/* Messages ----------------------------------------------------------------- */

static void say_text_part(Str *out, const Diag *d, const char *const by[NLang], const char *before,
                          enum Lang lang)
{
    const char *pattern = by[lang];
    if (!*pattern)
        return;
    str_puts(out, before);
    diag_text(out, d, pattern, lang);
}

static void say_texts(Str *out, const Diag *d)
{
    static const char *const name[NLang] = {"en", "zh"};
    const ErrInfo *e = err_info(d->err);
    str_puts(out, "{");
    for (int l = 0; l < NLang; l++) {
        Str t = {0};
        say_text_part(&t, d, e->title, "", (enum Lang)l);
        say_text_part(&t, d, e->label, "\n", (enum Lang)l);
        say_text_part(&t, d, e->help, "\n", (enum Lang)l);
        say_key(out, name[l]);
        json_text(out, t.s ? t.s : "", t.n);
        str_free(&t);
    }
    str_puts(out, "}");
}

static void say_arguments(Str *out, const Diag *d)
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
    const ErrInfo *e = err_info(d->err);
    str_fmt(out, "{\"id\": \"%s\", \"code\": \"%s\", \"level\": \"%s\", \"args\": ",
            e->id, e->code, level_word(e->level));
    say_arguments(out, d);
    say_key(out, "text");
    say_texts(out, d);
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

typedef struct SayTrouble SayTrouble;
struct SayTrouble { Err e; const char *a, *b, *d; };

static void do_say_report(Ctx *c, void *ud)
{
    const SayTrouble *t = ud;
    diag(c, t->e, (Loc){0, 0, 0}, t->a, t->b, t->d, NULL);
}

bool serve_report(Ctx *c, Err e, const char *a, const char *b, const char *d)
{
    SayTrouble t = {e, a, b, d};
    ctx_try(c, do_say_report, &t);
    return false;
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
