/* repl/serve/json.c: JSON from strangers: one object of exactly known members. */
#include <stdio.h>
#include <string.h>

#include "serve.h"

enum { JsonDepth = 16 };

/* Nesting of a text, without regard to whether it is JSON: jansson itself goes 2048 deep. */
static bool too_deep(const char *s, size_t n)
{
    int depth = 0;
    bool text = false;
    for (size_t i = 0; i < n; i++) {
        if (text && s[i] == '\\')
            i++;
        else if (s[i] == '"')
            text = !text;
        else if (!text && (s[i] == '[' || s[i] == '{') && ++depth > JsonDepth)
            return true;
        else if (!text && (s[i] == ']' || s[i] == '}'))
            depth--;
    }
    return false;
}

static bool member_take(json_t *v, const Member *m, char why[160])
{
    switch (m->kind) {
    case 'u':
        if (!json_is_integer(v) || json_integer_value(v) < 0)
            break;
        *(uint64_t *)m->out = (uint64_t)json_integer_value(v);
        return true;
    case 'b':
        if (!json_is_boolean(v))
            break;
        *(bool *)m->out = json_is_true(v);
        return true;
    case 's':
    case '0':
        if (!json_is_string(v) && !(m->kind == '0' && json_is_null(v)))
            break;
        *(const char **)m->out = json_string_value(v);
        if (json_is_string(v) && strlen(json_string_value(v)) != json_string_length(v))
            break;
        return true;
    default:
        if (!json_is_array(v))
            break;
        *(json_t **)m->out = v;
        return true;
    }
    snprintf(why, 160, "\"%s\" is not %s", m->name, m->kind == 'u' ? "a number from 0" :
             m->kind == 'b' ? "true or false" : m->kind == 'a' ? "an array" : "a text");
    return false;
}

bool json_members(json_t *o, const Member *m, int nm, char why[160])
{
    const char *key;
    json_t *v;
    if (!json_is_object(o)) {
        snprintf(why, 160, "it is not an object");
        return false;
    }
    json_object_foreach(o, key, v) {
        int i = 0;
        while (i < nm && strcmp(m[i].name, key) != 0)
            i++;
        if (i == nm) {
            snprintf(why, 160, "there is no \"%.100s\"", key);
            return false;
        }
        if (!member_take(v, &m[i], why))
            return false;
    }
    for (int i = 0; i < nm; i++)
        if (m[i].needed && !json_object_get(o, m[i].name)) {
            snprintf(why, 160, "\"%s\" is missing", m[i].name);
            return false;
        }
    return true;
}

json_t *json_object_of(const char *s, size_t n, const Member *m, int nm, char why[160])
{
    json_error_t e;
    if (too_deep(s ? s : "", n)) {
        snprintf(why, 160, "it is nested more than %d deep", JsonDepth);
        return NULL;
    }
    json_t *o = json_loadb(s ? s : "", n, JSON_REJECT_DUPLICATES, &e);
    if (!o) {
        snprintf(why, 160, "%.120s (line %d)", e.text, e.line);
        return NULL;
    }
    if (json_members(o, m, nm, why))
        return o;
    json_decref(o);
    return NULL;
}
