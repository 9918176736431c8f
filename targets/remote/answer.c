/* targets/remote/answer.c: see answer.h. */
#include "answer.h"
#include "err/remote.h"

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

DevError said_wrong(const char *host, const char *wanted, const char *s, size_t n)
{
    char got[Quoted + 1];
    quote(got, s ? s : "", s ? n : 0);
    return dev_error(E_remote_answer, host, wanted, got);
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

static bool take_message(const json_t *o, DevMessage *m)
{
    const char *id = said_text(o, "id");
    const json_t *args = json_object_get(o, "args");
    int64_t line = 0, col = 0;
    *m = (DevMessage){.is = id ? err_by_id(id) : E_none};
    said_int(o, "line", 0, UINT32_MAX, &line);
    said_int(o, "col", 0, UINT16_MAX, &col);
    m->line = (uint32_t)line;
    m->col = line ? (uint16_t)col : 0;
    m->file = line ? said_text(o, "file") : NULL;
    for (size_t i = 0; i < json_array_size(args) && i < DiagArgs; i++) {
        const char *a = json_string_value(json_array_get(args, i));
        m->arg[i] = a ? a : "";
    }
    return m->is != E_none;
}

DevMessage *said_report(const Message *m)
{
    const json_t *notes = json_object_get(m->o, "notes");
    size_t n = 1;
    DevMessage *list = m->o ? calloc(json_array_size(notes) + 1, sizeof *list) : NULL;
    if (!list || !take_message(m->o, &list[0])) {
        free(list);
        return NULL;
    }
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (take_message(json_array_get(notes, i), &list[n])) {
            list[n - 1].note = &list[n];
            n++;
        }
    return list;
}

/* e with each of its arguments on one line. */
static DevError one_line(DevError e)
{
    char *s = e.text;
    for (int i = 0; i < e.narg; i++, s++)
        for (; *s; s++)
            if (*s == '\n' || *s == '\r')
                *s = ' ';
    return e;
}

DevError said_device(const Message *m)
{
    Err is = err_by_id(m->id);
    int n = m->narg ? m->narg - 1 : 0;
    return is == E_none || is == E_bug ? DEV_NO_ERROR
                                       : one_line(dev_error_list(is, false, m->arg + 1, n));
}

/* Refusals ------------------------------------------------------------------------- */

/* Why a session is gone: see serve_session_gone in the protocol.  The number of the reason
 * travels as three choices of the row. */
static DevError session_gone(const char *host, const Message *m)
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
    return dev_unbegun(dev_error(E_remote_gone, host, !(k & 4), !(k & 2), !(k & 1)));
}

/* A row of this build as it is; of another build, what it says in both languages. */
static DevError as_said(const char *host, const Message *m)
{
    const json_t *text = json_object_get(m->o, "text");
    const char *en = said_text(text, "en"), *zh = said_text(text, "zh");
    Err is = err_by_id(m->id);
    return one_line(is != E_none ? dev_error_list(is, true, m->arg, m->narg)
                                 : dev_error(E_remote_refused, host, en ? en : m->id,
                                             zh ? zh : m->id, 1));
}

static DevError no_message(const char *host, long status, const char *s, size_t n)
{
    char line[Quoted + 1];
    quote(line, s, n);
    return dev_error(E_remote_answer, host, "HTTP 2xx",
                     dev_text("HTTP %ld%s%s", status, line[0] ? ": " : "", line));
}

DevError said_refused(const char *host, long status, const char *s, size_t n, bool had_token)
{
    json_t *o = said_object(s, n);
    Message m = said_message(o);
    DevError err;
    if (!m.o || !m.id[0])
        err = no_message(host, status, s ? s : "", n);
    else if (status == 401)
        err = dev_error(E_remote_token, host, !had_token);
    else if (strcmp(m.id, "serve_session_gone") == 0)
        err = session_gone(host, &m);
    else
        err = as_said(host, &m);
    json_decref(o);
    return err;
}
