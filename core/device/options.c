/* core/device/options.c: see options.h. */
#include "options.h"

#include <string.h>

#include "err/target.h"

bool option_is(const OptionWord *w, const char *value)
{
    return w->value && w->nvalue == strlen(value) && memcmp(w->value, value, w->nvalue) == 0;
}

bool option_number(const OptionWord *w, uint64_t lo, uint64_t hi, uint64_t *out)
{
    uint64_t v = 0;
    if (!w->value || !w->nvalue || w->nvalue > 18)
        return false;
    for (size_t i = 0; i < w->nvalue; i++) {
        if (w->value[i] < '0' || w->value[i] > '9')
            return false;
        v = v * 10 + (uint64_t)(w->value[i] - '0');
    }
    *out = v;
    return v >= lo && v <= hi;
}

/* Words ---------------------------------------------------------------------- */

/* The first word of *text that is not the target's name, behind which *text then stands. */
static bool next_word(const Options *t, const char **text, OptionWord *w)
{
    size_t own = strlen(t->target);
    for (;;) {
        const char *s = *text + strspn(*text, " \t");
        size_t n = strcspn(s, " \t");
        const char *eq = memchr(s, '=', n);
        *text = s + n;
        *w = (OptionWord){s, n, eq ? eq + 1 : NULL, eq ? (size_t)(s + n - eq) - 1 : 0};
        if (!n)
            return false;
        if (n != own || memcmp(s, t->target, n) != 0)
            return true;
    }
}

static const Option *device_options_row_of(const Options *t, const OptionWord *w)
{
    size_t n = w->value ? (size_t)(w->value - w->s) - 1 : w->n;
    for (int i = 0; i < t->n; i++)
        if (strlen(t->row[i].name) == n && memcmp(t->row[i].name, w->s, n) == 0 &&
            (t->row[i].kind == OPTflag) == !w->value)
            return &t->row[i];
    return NULL;
}

static bool take_number(const Option *o, const OptionWord *w, char *to)
{
    uint64_t v;
    if (!option_number(w, (uint64_t)o->lo, (uint64_t)o->hi, &v))
        return false;
    int i = (int)v;
    if (o->kind == OPTint)
        memcpy(to, &i, sizeof i);
    else
        memcpy(to, &v, sizeof v);
    return true;
}

static bool device_options_take(const Option *o, const OptionWord *w, void *options, Str *known)
{
    char *to = (char *)options + o->at;
    bool on = o->kind == OPTflag || option_is(w, "on");
    switch (o->kind) {
    case OPTint: case OPTuint64: return take_number(o, w, to);
    case OPTown: return o->take(w, options, known);
    case OPTflag: case OPTon_off: break;
    }
    memcpy(to, &on, sizeof on);
    return on || option_is(w, "off");
}

static void list_known(const Options *t, Str *known)
{
    for (int i = 0; i < t->n; i++)
        if (t->row[i].help)
            str_fmt(known, "%s%s", known->n ? ", " : "", t->row[i].help);
}

/* Which word is wrong, and what may stand there instead. */
typedef struct DeviceOptionsWrong DeviceOptionsWrong;
struct DeviceOptionsWrong { OptionWord word; bool value; Str known; }; /* value: the name is
                                                                        * right */

static bool read_words(const Options *t, const char *text, void *options, DeviceOptionsWrong *x)
{
    const char *s = text ? text : "";
    while (next_word(t, &s, &x->word)) {
        const Option *o = device_options_row_of(t, &x->word);
        str_free(&x->known);
        if (!o && t->other) {
            t->other(&x->word, options);
        } else if (!o) {
            list_known(t, &x->known);
            return false;
        } else if (!device_options_take(o, &x->word, options, &x->known)) {
            x->value = true;
            if (!x->known.n)
                str_puts(&x->known, o->known ? o->known
                                    : o->kind == OPTon_off ? "on, off" : "");
            return false;
        }
    }
    return true;
}

/* Reports ---------------------------------------------------------------------- */

typedef struct DeviceOptionsReport DeviceOptionsReport;
struct DeviceOptionsReport { const char *target; const DeviceOptionsWrong *x; };

static void device_options_report(Ctx *c, void *ud)
{
    const DeviceOptionsReport *r = ud;
    const DeviceOptionsWrong *x = r->x;
    diag_fail(c, x->value ? E_target_value : E_target_option, (Loc){0, 0, 0}, r->target,
              astr(c, x->word.s, x->word.n), astr(c, x->known.s ? x->known.s : "", x->known.n),
              NULL);
}

bool options_read(Ctx *c, const Options *t, const char *text, void *options)
{
    DeviceOptionsWrong x = {.value = false};
    bool ok = read_words(t, text, options, &x);
    if (!ok)
        ctx_try(c, device_options_report, &(DeviceOptionsReport){t->target, &x});
    str_free(&x.known);
    return ok;
}

DevError options_error(const Options *t, const char *text, void *options)
{
    DeviceOptionsWrong x = {.value = false};
    DevError err = DEV_NO_ERROR;
    if (!read_words(t, text, options, &x)) {
        DevText word = dev_text("%.*s", (int)(x.word.n < 64 ? x.word.n : 64), x.word.s);
        const char *known = x.known.s ? x.known.s : "";
        err = x.value ? dev_error(E_target_value, word, known)
                      : dev_error(E_target_option, word, known);
    }
    str_free(&x.known);
    return err;
}
