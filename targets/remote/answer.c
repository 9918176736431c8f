/* targets/remote/answer.c: see answer.h. */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Quoted = 60 };

/* The beginning of what a server said, as it can be shown. */
static void quote(char to[Quoted + 1], const char *s, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k < Quoted && s[i] != '\n' && s[i] != '\r'; i++)
        to[k++] = s[i] >= ' ' && s[i] <= '~' ? s[i] : '?';
    to[k] = '\0';
}

char *said_wrong(const char *host, const char *wanted, const char *s, size_t n)
{
    char got[Quoted + 1];
    quote(got, s ? s : "", s ? n : 0);
    return dev_error("@remote_answer" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", host, wanted, got);
}

char *said_wrong_both(const char *host, const char *both)
{
    return dev_error("@remote_answer" DEV_SEP "%s" DEV_SEP "%s", host, both);
}

/* Reading --------------------------------------------------------------------- */

json_t *said_object(const char *s, size_t n)
{
    json_error_t e;
    json_t *o = s ? json_loadb(s, n, JSON_REJECT_DUPLICATES, &e) : NULL;
    if (o && !json_is_object(o)) {
        json_decref(o);
        o = NULL;
    }
    return o;
}

bool said_int(const json_t *o, const char *key, int64_t lo, int64_t hi, int64_t *out)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v) || json_integer_value(v) < lo || json_integer_value(v) > hi)
        return false;
    *out = (int64_t)json_integer_value(v);
    return true;
}

const char *said_text(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

Message said_message(const json_t *o)
{
    const json_t *e = json_object_get(o, "error"), *args;
    Message m = {.id = "", .o = json_is_object(e) ? e : NULL};
    if (!m.o || !said_text(m.o, "id"))
        return m;
    m.id = said_text(m.o, "id");
    args = json_object_get(m.o, "args");
    for (size_t i = 0; i < json_array_size(args) && i < DiagArgs; i++) {
        const char *a = json_string_value(json_array_get(args, i));
        m.arg[m.narg++] = a ? a : "";
    }
    return m;
}

/* Handing on ---------------------------------------------------------------------- */

/* One field of a device's message: no separator and no line's end in it. */
static void put_field(Str *out, const char *s)
{
    str_puts(out, DEV_SEP);
    for (; s && *s; s++)
        str_add(out, *s == *DEV_SEP || *s == '\n' || *s == '\r' ? " " : s, 1);
}

static bool put_message(const json_t *o, Str *out)
{
    const char *id = said_text(o, "id"), *file = said_text(o, "file");
    const json_t *args = json_object_get(o, "args");
    int64_t line = 0, col = 0;
    char at[64];
    if (!id || err_by_id(id) == E_none)
        return false;
    said_int(o, "line", 0, UINT32_MAX, &line);
    said_int(o, "col", 0, UINT16_MAX, &col);
    snprintf(at, sizeof at, ":%lld:%lld", (long long)line, (long long)col);
    str_fmt(out, "@%s", id);
    put_field(out, line && file ? file : "");
    str_puts(out, line ? at : "");
    for (size_t i = 0; i < json_array_size(args) && i < DiagArgs; i++)
        put_field(out, json_string_value(json_array_get(args, i)));
    return true;
}

bool said_report(const Message *m, Str *out)
{
    const json_t *notes = json_object_get(m->o, "notes");
    if (!m->o || !put_message(m->o, out))
        return false;
    for (size_t i = 0; i < json_array_size(notes); i++) {
        size_t was = out->n;
        str_puts(out, "\n");
        if (!put_message(json_array_get(notes, i), out) && !out->bad)
            out->s[out->n = was] = '\0';
    }
    return !out->bad;
}

char *said_device(const Message *m)
{
    Str s = {0};
    Err e = err_by_id(m->id);
    if (e == E_none || e == E_bug)
        return NULL;
    str_fmt(&s, "@%s", m->id);
    for (int i = 1; i < m->narg; i++)
        put_field(&s, m->arg[i]);
    if (s.bad)
        str_free(&s);
    return s.s;
}

/* Refusals ------------------------------------------------------------------------- */

/* Why a session is gone: see serve_session_gone in the protocol.  The number of the reason
 * travels as three choices of the row. */
static char *session_gone(const char *host, const Message *m)
{
    static const char *const why[] = {"idle", "away", "unknown", "replaced", "crashed", "revoked",
                                      "late", "stopped"};
    size_t k = 0;
    const char *said = m->narg > 1 ? m->arg[1] : "";
    if (strcmp(said, "closed") == 0)
        said = "replaced";
    while (k < COUNT(why) && strcmp(said, why[k]) != 0)
        k++;
    k = k < COUNT(why) ? k : 2;
    return dev_error("!?@remote_gone" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP "%d", host,
                     !(k & 4), !(k & 2), !(k & 1));
}

/* A row of this build as it is; of another build, what it says in both languages. */
static char *as_said(const char *host, const Message *m)
{
    const json_t *text = json_object_get(m->o, "text");
    const char *en = said_text(text, "en"), *zh = said_text(text, "zh");
    Str s = {0};
    if (err_by_id(m->id) != E_none) {
        str_fmt(&s, "@=%s", m->id);
        for (int i = 0; i < m->narg; i++)
            put_field(&s, m->arg[i]);
    } else {
        str_fmt(&s, "@remote_refused" DEV_SEP "%s", host);
        put_field(&s, en ? en : m->id);
        put_field(&s, zh ? zh : m->id);
        put_field(&s, "1");
    }
    if (s.bad)
        str_free(&s);
    return s.s;
}

static char *no_message(const char *host, long status, const char *s, size_t n)
{
    char line[Quoted + 1];
    quote(line, s, n);
    return dev_error("@remote_answer" DEV_SEP "%s" DEV_SEP "HTTP 2xx" DEV_SEP "HTTP %ld%s%s", host,
                     status, line[0] ? ": " : "", line);
}

char *said_refused(const char *host, long status, const char *s, size_t n, bool had_token)
{
    json_t *o = said_object(s, n);
    Message m = said_message(o);
    char *err;
    if (!m.o || !m.id[0])
        err = no_message(host, status, s ? s : "", n);
    else if (status == 401)
        err = dev_error("@remote_token" DEV_SEP "%s" DEV_SEP "%d", host, !had_token);
    else if (strcmp(m.id, "serve_session_gone") == 0)
        err = session_gone(host, &m);
    else
        err = as_said(host, &m);
    json_decref(o);
    return err;
}
