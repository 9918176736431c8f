/* core/device/error.c: see error.h. */
#include "error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err/launch.h"
#include "err/room.h"
#include "err/run.h"

static const char missing[] = "?"; /* an argument that there was no memory for */

/* Making errors --------------------------------------------------------------- */

DevText dev_text(const char *fmt, ...)
{
    va_list ap;
    Str s = {0};
    va_start(ap, fmt);
    str_vfmt(&s, fmt, ap);
    va_end(ap);
    bool bad = s.bad;
    if (bad)
        str_free(&s);
    return (DevText){s.s || bad ? s.s : strdup("")};
}

DevText dev_block(int64_t x, int64_t y, int64_t z)
{
    return dev_text("%lld, %lld, %lld", (long long)x, (long long)y, (long long)z);
}

/* A part as text: its own, or a number's in buf. */
static const char *part_text(const DevPart *p, char buf[40], size_t *n)
{
    const char *s = buf;
    switch (p->kind) {
    case DPtext: s = p->v.s ? p->v.s : missing; break;
    case DPown: s = p->v.own ? p->v.own : missing; break;
    case DPint: snprintf(buf, 40, "%lld", p->v.i); break;
    case DPunsigned: snprintf(buf, 40, "%llu", p->v.u); break;
    case DPfloat: snprintf(buf, 40, "%g", p->v.f); break;
    }
    size_t most = p->kind == DPtext ? p->n : SIZE_MAX;
    *n = strnlen(s, most < DevErrorBytes ? most : DevErrorBytes);
    return s;
}

DevError dev_error_make(Err is, bool all, const DevPart *part, int n)
{
    char buf[40];
    size_t size = 0, k;
    n = n < DiagArgs ? n : DiagArgs;
    DevError e = {.is = is != E_none ? is : E_bug, .all = all || is == E_bug};
    for (int i = 0; i < n; i++) {
        part_text(&part[i], buf, &k);
        size += k + 1;
    }
    size = size < DevErrorBytes ? size : DevErrorBytes;
    e.text = n ? malloc(size) : NULL;
    char *at = e.text, *end = e.text ? e.text + size : NULL;
    for (int i = 0; i < n; i++) {
        const char *s = part_text(&part[i], buf, &k);
        size_t room = e.text ? (size_t)(end - at) - (size_t)(n - i) : 0; /* of text; a 0 for each */
        k = k < room ? k : room;
        if (e.text) {
            memcpy(at, s, k);
            at[k] = '\0';
            at += k + 1;
            e.narg++;
        }
        if (part[i].kind == DPown)
            free(part[i].v.own);
    }
    return e;
}

DevError dev_error_list(Err is, bool all, const char *const *arg, int n)
{
    DevPart part[DiagArgs];
    n = n < DiagArgs ? n : DiagArgs;
    for (int i = 0; i < n; i++)
        part[i] = dev_part_text(arg[i]);
    return dev_error_make(is, all, part, n);
}

DevError dev_reported(void)
{
    return (DevError){.is = E_bug, .all = true, .reported = true};
}

DevError dev_lost(DevError e)
{
    e.lost = true;
    return e;
}

DevError dev_unbegun(DevError e)
{
    e.lost = e.unbegun = true;
    return e;
}

DevError dev_no_file(const char *path, int why)
{
    return dev_error(E_device_load, dev_text("%s: %s", path, strerror(why)));
}

DevError dev_no_text(const char *what) { return dev_error(E_text_none, what); }

DevError dev_interrupted(void) { return dev_error(E_interrupted); }

DevError dev_error_of(const Diag *d, bool all)
{
    int n = 0;
    while (n < DiagArgs && d->arg[n])
        n++;
    if (all || !n || d->err == E_bug) /* whose {1} is no name */
        return dev_error_list(d->err, all, d->arg, n);
    return dev_error_list(d->err, false, d->arg + 1, n - 1);
}

DevError dev_error_load(const Ctx *c)
{
    const Diag *d = diag_first_error(c);
    if (!d)
        return DEV_NO_ERROR;
    Str s = {0};
    diag_text(&s, d, err_info(d->err)->title[LANGen], LANGen);
    str_puts(&s, ": ");
    diag_text(&s, d, err_info(d->err)->label[LANGen], LANGen);
    DevError e = dev_error(E_device_load, s.bad ? missing : s.s);
    str_free(&s);
    return e;
}

DevError dev_error_sure(DevError e)
{
    return e.is != E_none ? e : (DevError){.is = E_device_memory};
}

/* Having them -------------------------------------------------------------------- */

void dev_error_free(DevError e) { free(e.text); }

const char *dev_error_arg(const DevError *e, int n)
{
    const char *s = e->text;
    int i = n - (e->all ? 1 : 2);
    if (i < 0 || i >= e->narg)
        return NULL;
    while (i--)
        s += strlen(s) + 1;
    return s;
}

Diag dev_error_diag(const DevError *e, const char *name)
{
    Diag d = {.err = e->is};
    int n = 0;
    if (!e->all)
        d.arg[n++] = name;
    for (const char *s; n < DiagArgs && (s = dev_error_arg(e, n + 1)); n++)
        d.arg[n] = s;
    return d;
}

DevMessage dev_message_make(Err is, const char *const *arg)
{
    DevMessage m = {.is = is};
    for (int i = 0; i < DiagArgs && arg[i]; i++)
        m.arg[i] = arg[i];
    return m;
}

DevMessage dev_message_of(const DevError *e)
{
    DevMessage m = {.is = e->is};
    for (int i = 0; i < DiagArgs; i++)
        m.arg[i] = dev_error_arg(e, i + 1);
    return m;
}

/* Text --------------------------------------------------------------------------- */

static void put_field(Str *out, const char *s)
{
    str_puts(out, DEV_SEP);
    for (; *s; s++)
        str_add(out, *s == *DEV_SEP || *s == '\n' || *s == '\r' ? " " : s, 1);
}

/* Takes the first field off *at, which may be NULL. */
static char *take_field(char **at)
{
    char *s = *at, *end = s ? strchr(s, *DEV_SEP) : NULL;
    if (end)
        *end++ = '\0';
    *at = end;
    return s;
}

void dev_error_text(const DevError *e, Str *out)
{
    str_puts(out, !e->lost ? "" : e->unbegun ? "!?" : "!");
    if (e->reported) {
        str_puts(out, "@reported");
        return;
    }
    str_fmt(out, "@%s%s", e->all && e->is != E_bug ? "=" : "", err_info(e->is)->id);
    const char *s = e->text;
    for (int i = 0; i < e->narg; i++, s += strlen(s) + 1)
        put_field(out, s);
}

/* "id" DEV_SEP .. -> its row, and the fields as parts of e. */
static Err read_fields(const char *s, bool all, DevError *e)
{
    char id[64];
    DevPart part[DiagArgs];
    int n = 0;
    size_t k = strcspn(s, DEV_SEP);
    snprintf(id, sizeof id, "%.*s", k < sizeof id ? (int)k : 0, s);
    Err is = err_by_id(id);
    for (const char *at = s + k; *at && n < DiagArgs; at += k) {
        k = strcspn(++at, DEV_SEP);
        part[n] = dev_part_text(at);
        part[n++].n = k;
    }
    if (is != E_none)
        *e = dev_error_make(is, all, part, n);
    return is;
}

enum DevRead dev_error_read(const char *text, DevError *e)
{
    bool lost = text[0] == '!', unbegun = lost && text[1] == '?';
    *e = (DevError){.lost = lost, .unbegun = unbegun};
    text += lost + unbegun;
    if (*text++ != '@')
        return DRwrong;
    bool all = *text == '=';
    if (strcmp(text, "reported") == 0)
        *e = dev_reported();
    else if (read_fields(text + all, all, e) == E_none)
        return DRother;
    e->lost = lost;
    e->unbegun = unbegun;
    return DRread;
}

void dev_message_text(const DevMessage *m, Str *out)
{
    char place[32];
    for (const DevMessage *l = m; l; l = l->note) {
        bool placed = l->line || (l->file && *l->file);
        str_fmt(out, "%s@%s", l == m ? "" : "\n", err_info(l->is)->id);
        put_field(out, l->file ? l->file : "");
        snprintf(place, sizeof place, ":%u:%u", (unsigned)l->line, (unsigned)l->col);
        str_puts(out, placed ? place : "");
        for (int i = 0; i < DiagArgs && l->arg[i]; i++)
            put_field(out, l->arg[i]);
    }
}

/* "file:line:col"; the file may hold colons itself. */
static void read_place(char *s, DevMessage *m)
{
    char *col = s ? strrchr(s, ':') : NULL;
    if (!col)
        return;
    *col = '\0';
    char *line = strrchr(s, ':');
    if (!line)
        return;
    *line = '\0';
    m->line = (uint32_t)strtoul(line + 1, NULL, 10);
    m->col = (uint16_t)strtoul(col + 1, NULL, 10);
    m->file = *s ? s : NULL;
}

static bool read_line(char *s, DevMessage *m)
{
    *m = (DevMessage){.is = E_none};
    char *id = take_field(&s);
    if (*id == '@')
        m->is = err_by_id(id + 1);
    read_place(take_field(&s), m);
    for (int i = 0; i < DiagArgs && s; i++)
        m->arg[i] = take_field(&s);
    return m->is != E_none;
}

DevMessage *dev_message_read(char *text)
{
    size_t lines = 1, n = 0;
    for (const char *s = text; *s; s++)
        lines += *s == '\n';
    DevMessage *m = calloc(lines, sizeof *m);
    for (char *s = text, *end; m && s; s = end) {
        if ((end = strchr(s, '\n')))
            *end++ = '\0';
        n += read_line(s, &m[n]);
    }
    for (size_t i = 0; i + 1 < n; i++)
        m[i].note = &m[i + 1];
    if (!n) {
        free(m);
        m = NULL;
    }
    return m;
}
