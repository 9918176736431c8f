/* targets/remote/options.c: the words after "remote". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/options.h"
#include "remote.h"
#include "err/remote.h"

/* What is wrong with an address, in the order of the row's choices. */
enum RoptionsWrong { WRscheme, WRsecret, WRhost, WRnone };

static DevError bad_url(const char *url, enum RoptionsWrong w)
{
    return dev_error(E_remote_url, dev_text("%.200s", url), w == WRscheme, w == WRsecret,
                     w == WRhost, w == WRnone);
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
static DevError take_url(RemoteOptions *o, const char *url)
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
        return bad_url(url, WRscheme);
    }
    if (strpbrk(rest, "@?#")) /* and the message does not repeat it */
        return bad_url("..", WRsecret);
    if (!in_address(rest) || *rest == '/' || *rest == ':' || !*rest)
        return bad_url(url, WRhost);
    if (n >= sizeof o->url || strcspn(rest, "/") >= sizeof o->host)
        return bad_url(url, WRhost);
    while (n && url[n - 1] == '/')
        n--;
    snprintf(o->url, sizeof o->url, "%.*s", (int)n, url);
    snprintf(o->host, sizeof o->host, "%.*s", (int)strcspn(rest, "/"), rest);
    return DEV_NO_ERROR;
}

/* What the words say; err: an address is wrong. */
typedef struct RoptionsWords RoptionsWords;
struct RoptionsWords { RemoteOptions o; DevError err; };

static bool roptions_take_address(const OptionWord *w, void *options, Str *known)
{
    RoptionsWords *to = options;
    char url[RemotePath + 8];
    (void)known;
    snprintf(url, sizeof url, "%.*s", (int)w->nvalue, w->value);
    if (!to->err.is)
        to->err = take_url(&to->o, url);
    return true;
}

static bool take_on(const OptionWord *w, void *options, Str *known)
{
    char *on = ((RoptionsWords *)options)->o.on;
    (void)known;
    if (!w->nvalue || w->nvalue >= sizeof ((RoptionsWords *)NULL)->o.on || option_is(w, "remote"))
        return false;
    snprintf(on, w->nvalue + 1, "%s", w->value);
    return in_address(on);
}

/* A word of the target there. */
static void roptions_other(const OptionWord *w, void *options)
{
    Str *rest = &((RoptionsWords *)options)->o.rest;
    str_fmt(rest, "%s%.*s", rest->n ? " " : "", (int)w->n, w->s);
}

static const Option row[] = {
    {"-url", NULL, OPTown, 0, 0, 0, NULL, roptions_take_address},
    {"-on", NULL, OPTown, 0, 0, 0, "-on=cuda, -on=cpu ..", take_on},
    {"-plain", NULL, OPTflag, offsetof(RoptionsWords, o.plain), 0, 0, NULL, NULL},
    {"-insecure", NULL, OPTflag, offsetof(RoptionsWords, o.insecure), 0, 0, NULL, NULL},
};

DevError remote_options(const char *text, RemoteOptions *o)
{
    const Options t = {
        .target = "remote", .row = row, .n = (int)COUNT(row), .other = roptions_other};
    const char *env = getenv("MOONTILE_URL");
    RoptionsWords w = {.err = DEV_NO_ERROR};
    DevError err = options_error(&t, text, &w);
    *o = w.o;
    if (err.is)
        dev_error_free(w.err);
    else
        err = w.err;
    if (!err.is && !o->url[0] && env && *env)
        err = take_url(o, env);
    if (!err.is && !o->url[0])
        err = bad_url("", WRnone);
    return err;
}
