/* targets/remote/fetch.c: Target.fetch, over the client of http.h.
 *
 * Redirects are followed here, one request each, so that every step is under the same
 * rules: http and https alone, never from https to http, certificates verified, no token
 * beyond the first server. */
#include "core/base/clock.h"
#include "core/device/fetch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http.h"
#include "err/packs.h"
#include "err/remote.h"

static const double Silence = 30; /* seconds without a byte */

/* Addresses ---------------------------------------------------------------------- */

/* "https://host:8411" and "/path?query"; false: it is none that may be used. */
typedef struct Address Address;
struct Address {
    RemoteOptions server;
    char path[sizeof ((Call *)0)->path];
};

static bool rfetch_visible(const char *s)
{
    for (; *s; s++)
        if (*s <= ' ' || *s > '~' || strchr("\"\\^`{|}<>", *s))
            return false;
    return true;
}

static bool is_host(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && !strchr(".-_:[]", s[i]))
            return false;
    return n > 0 && s[0] != ':';
}

static bool rfetch_take_address(const char *url, Address *a)
{
    RemoteOptions *o = &a->server;
    *a = (Address){.server = {.tls = strncmp(url, "https://", 8) == 0}};
    if (!rfetch_visible(url) || (!o->tls && strncmp(url, "http://", 7) != 0))
        return false;
    size_t scheme = o->tls ? 8 : 7, host = strcspn(url + scheme, "/?#");
    const char *rest = url + scheme + host;
    size_t path = strcspn(rest, "#");
    if (!is_host(url + scheme, host) || host >= sizeof o->host || path + 2 > sizeof a->path)
        return false;
    snprintf(o->url, sizeof o->url, "%.*s", (int)(scheme + host), url);
    snprintf(o->host, sizeof o->host, "%.*s", (int)host, url + scheme);
    snprintf(a->path, sizeof a->path, "%s%.*s", *rest == '/' ? "" : "/", (int)path, rest);
    return true;
}

/* One request -------------------------------------------------------------------- */

typedef struct FetchJob FetchJob;
struct FetchJob {
    const FetchOptions *o;
    Http *http;
    double end;
    bool late, large; /* why it was given up */
};

/* Bytes that the server has announced; 0: none. */
static size_t rfetch_announced(const FetchJob *j)
{
    curl_off_t n = -1;
    j->http->curl.easy_getinfo(j->http->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &n);
    return n > 0 ? (size_t)n : 0;
}

static bool rfetch_tick(void *ud)
{
    FetchJob *j = ud;
    j->late = clock_s() > j->end;
    j->large = rfetch_announced(j) > j->o->most;
    return !j->late && !j->large && !(j->o->stopped && j->o->stopped(j->o->ud));
}

static void upload_progress(void *ud, size_t sent, size_t got)
{
    const FetchJob *j = ud;
    (void)sent;
    if (j->o->moved)
        j->o->moved(j->o->ud, got, rfetch_announced(j));
}

/* The client's words for servers of moontile as those for any server.  Takes err over. */
static DevError reworded(DevError err, const FetchJob *j, const char *url, const Call *c)
{
    const FetchOptions *o = j->o;
    DevError new = DEV_NO_ERROR;
    if (c->status >= 300)
        new = dev_error_all(E_pack_http, url, c->status);
    else if (j->late || err.is == E_remote_stalled)
        new = dev_error_all(E_pack_slow, url, j->late ? o->seconds : c->patience);
    else if (j->large || err.is == E_remote_answer)
        new = dev_error_all(E_pack_limit, url, dev_text("> %zu B", o->most),
                            dev_text("%zu B", o->most));
    else if (j->http->barred && j->http->opt->here_only)
        new = dev_error_all(E_pack_plain, url);
    else if (err.is == E_remote_connect)
        new = dev_error_all(E_pack_unreached, url, dev_error_arg(&err, 3));
    else if (err.is == E_remote_cut)
        new = dev_error_all(E_pack_broken, url, dev_error_arg(&err, 3), dev_error_arg(&err, 4),
                            dev_error_arg(&err, 5));
    if (!new.is)
        return err;
    dev_error_free(err);
    return new;
}

/* Where a redirect leads; "": it says nothing. */
static void take_location(const FetchJob *j, char to[FetchUrl])
{
    const char *s = NULL;
    j->http->curl.easy_getinfo(j->http->easy, CURLINFO_REDIRECT_URL, &s);
    to[0] = '\0';
    if (s && strlen(s) < FetchUrl)
        snprintf(to, FetchUrl, "%s", s);
}

static bool is_redirect(long status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Asks one server.  No error and an empty `to`: it is there. */
static DevError ask_server(const char *url, Address *a, FetchJob *j, Fetched *f, char to[FetchUrl])
{
    Http http;
    const FetchOptions *o = j->o;
    Call c = {.method = "GET",
              .once = true,
              .most = o->most,
              .tick = rfetch_tick,
              .moved = upload_progress,
              .ud = j,
              .patience = o->seconds < Silence ? o->seconds : Silence};
    snprintf(c.path, sizeof c.path, "%s", a->path);
    to[0] = '\0';
    j->http = &http;
    DevError err = http_open(&http, &a->server);
    if (!err.is) {
        err = http_call(&http, &c);
        if (err.is && is_redirect(c.status)) {
            take_location(j, to);
            dev_error_free(err);
            err = to[0] ? DEV_NO_ERROR : dev_error_all(E_pack_http, url, c.status);
        } else if (err.is) {
            err = reworded(err, j, url, &c);
        }
    }
    http_close(&http);
    j->http = NULL;
    str_free(&f->text);
    f->text = c.text;
    f->status = c.status;
    return err;
}

/* Why it does not go from one address to the next. */
static DevError bad_step(const Address *from, const char *url, const char *to, Address *next,
                         int hop)
{
    if (hop < FetchHops && rfetch_take_address(to, next) && (next->server.tls || !from->server.tls))
        return DEV_NO_ERROR;
    return dev_error_all(E_pack_redirect, url, to);
}

DevError fetch_get(const char *url, const FetchOptions *o, Fetched *f)
{
    Address at, next;
    char to[FetchUrl];
    FetchJob j = {.o = o, .end = clock_s() + o->seconds};
    *f = (Fetched){.status = 0};
    if (strlen(url) >= FetchUrl || !rfetch_take_address(url, &at)) /* a password is not repeated */
        return dev_error_all(E_pack_address, dev_text("%.200s", strchr(url, '@') ? ".." : url));
    char first[sizeof at.server.url];
    snprintf(first, sizeof first, "%s", at.server.url);
    snprintf(f->url, sizeof f->url, "%s", url);
    for (int hop = 0;; hop++) {
        at.server.anonymous = !o->token || strcmp(first, at.server.url) != 0;
        at.server.here_only = !o->pinned;
        DevError err = ask_server(f->url, &at, &j, f, to);
        if (err.is || !to[0])
            return err;
        if ((err = bad_step(&at, f->url, to, &next, hop)).is)
            return err;
        at = next;
        snprintf(f->url, sizeof f->url, "%s", to);
    }
}
