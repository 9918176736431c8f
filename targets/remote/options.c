/* targets/remote/options.c: the words after "remote". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote.h"

/* What is wrong with an address, in the order of the row's choices. */
enum Wrong { Wscheme, Wsecret, Whost, Wnone };

static char *bad_url(const char *url, enum Wrong w)
{
    return dev_error("@remote_url" DEV_SEP "%.200s" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP
                     "%d", url, w == Wscheme, w == Wsecret, w == Whost, w == Wnone);
}

/* Characters of "host" "host:8411" "[::1]:8411" and of a path prefix. */
static bool in_address(const char *s)
{
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr(".-_:[]/~", *s))
            return false;
    return true;
}

/* "http://host:8411/" -> its parts.  What could hide a token is refused: an address
 * stands in the history, in messages and in the spec. */
static char *take_url(RemoteOptions *o, const char *url)
{
    size_t n = strlen(url);
    const char *rest;
    if (strncmp(url, "https://", 8) == 0) {
        o->tls = true;
        rest = url + 8;
    } else if (strncmp(url, "http://", 7) == 0) {
        o->tls = false;
        rest = url + 7;
    } else {
        return bad_url(url, Wscheme);
    }
    if (strpbrk(rest, "@?#")) /* and the message does not repeat it */
        return bad_url("..", Wsecret);
    if (!in_address(rest) || *rest == '/' || *rest == ':' || !*rest)
        return bad_url(url, Whost);
    if (n >= sizeof o->url || strcspn(rest, "/") >= sizeof o->host)
        return bad_url(url, Whost);
    while (n && url[n - 1] == '/')
        n--;
    snprintf(o->url, sizeof o->url, "%.*s", (int)n, url);
    snprintf(o->host, sizeof o->host, "%.*s", (int)strcspn(rest, "/"), rest);
    return NULL;
}

/* What stands behind `name` in the word; NULL: another word. */
static const char *value_of(const char *word, const char *name)
{
    size_t n = strlen(name);
    return strncmp(word, name, n) == 0 ? word + n : NULL;
}

static char *take_word(RemoteOptions *o, const char *word)
{
    const char *v;
    if ((v = value_of(word, "-url="))) {
        return take_url(o, v);
    } else if ((v = value_of(word, "-on="))) {
        if (!*v || strlen(v) >= sizeof o->on || !in_address(v) || strcmp(v, "remote") == 0)
            return dev_error("@target_value" DEV_SEP "%.64s" DEV_SEP "-on=cuda, -on=cpu ..", word);
        memcpy(o->on, v, strlen(v) + 1);
    } else if (strcmp(word, "-plain") == 0) {
        o->plain = true;
    } else if (strcmp(word, "-insecure") == 0) {
        o->insecure = true;
    } else {
        str_fmt(&o->rest, "%s%s", o->rest.n ? " " : "", word);
    }
    return NULL;
}

char *remote_options(const char *text, RemoteOptions *o)
{
    const char *env = getenv("MOONTILE_URL");
    char *err = NULL;
    *o = (RemoteOptions){.tls = false};
    for (const char *s = text ? text : ""; *s && !err;) {
        size_t n = strcspn(s, " \t");
        char word[RemotePath + 8];
        if (n >= sizeof word)
            return dev_error("@target_value" DEV_SEP "%.64s.." DEV_SEP "..", s);
        snprintf(word, sizeof word, "%.*s", (int)n, s);
        if (n && strcmp(word, "remote") != 0)
            err = take_word(o, word);
        s += n;
        s += strspn(s, " \t");
    }
    if (!err && !o->url[0] && env && *env)
        err = take_url(o, env);
    if (!err && !o->url[0])
        err = bad_url("", Wnone);
    return err;
}
