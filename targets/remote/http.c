/* targets/remote/http.c: one request and its answer: timeouts, certificates, what may be
 * tried again.
 *
 * Nothing is followed, nothing is believed about sizes, and where the token goes is
 * decided by the address that is really connected to.  A server that was met before may
 * be away for a moment: what is safe to repeat is tried again, which the user is told. */
#include "core/base/clock.h"
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "err/remote.h"

enum {
    ConnectMs = 10000,
    CallTickMs = 50,
    Tries = 4,
    ShortText = 1 << 20,   /* of an answer that is no success */
    AtOnce = 32 << 10,     /* bytes of a body that travels with the head */
    BufferBytes = 512 << 10
};
static const double Pause[Tries] = {0.25, 0.5, 1, 2}, LongestPause = 5;
static const double Moment = 0.5; /* seconds until a wait is said */

/* Where it may go ------------------------------------------------------------ */

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, a, sizeof in);
        return ntohl(in.sin_addr.s_addr) >> 24 == 127;
    }
    struct sockaddr_in6 in;
    if (a->sa_family != AF_INET6)
        return false;
    memcpy(&in, a, sizeof in);
    return IN6_IS_ADDR_LOOPBACK(&in.sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&in.sin6_addr) && in.sin6_addr.s6_addr[12] == 127);
}

/* Is only this machine good enough?  A token without TLS, and TLS without verification. */
static bool only_here(const Http *h)
{
    const RemoteOptions *o = h->opt;
    return o->insecure || (!o->tls && (o->here_only || (h->has_token && !o->plain)));
}

/* When a kept connection dies before an answer, libcurl sends the request again on a new
 * one: here it is told not to where that could run a kernel twice. */
static curl_socket_t open_socket(void *ud, curlsocktype purpose, struct curl_sockaddr *a)
{
    Http *h = ud;
    long sent = 0;
    (void)purpose;
    h->curl.easy_getinfo(h->easy, CURLINFO_REQUEST_SIZE, &sent);
    if (h->call->once && sent > 0) {
        h->call->begun = h->resent = true;
        return CURL_SOCKET_BAD;
    }
    if (only_here(h) && !is_loopback(&a->addr)) {
        h->barred = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Opening ---------------------------------------------------------------------- */

static bool add_header(Http *h, struct curl_slist **list, const char *line)
{
    struct curl_slist *new = h->curl.slist_append(*list, line);
    *list = new ? new : *list;
    return new;
}

static bool make_headers(Http *h, struct curl_slist **list, const char *token)
{
    return add_header(h, list, "Expect:") && add_header(h, list, "Accept:") &&
           add_header(h, list, "Content-Type: application/octet-stream") &&
           (!token || add_header(h, list, token));
}

DevError http_open(Http *h, const RemoteOptions *o)
{
    Str token = {0};
    *h = (Http){.opt = o};
    DevError err = o->anonymous ? DEV_NO_ERROR : remote_token(&token);
    err = err.is ? err : curl_open(&h->curl);
    if (err.is) {
        str_free(&token);
        return err;
    }
    h->has_token = token.n > 0;
    h->multi = h->curl.multi_init();
    h->easy = h->curl.easy_init();
    bool ok = h->multi && h->easy && !token.bad && make_headers(h, &h->head, token.s) &&
              make_headers(h, &h->deflated, token.s) &&
              add_header(h, &h->deflated, "Content-Encoding: deflate");
    if (token.s)
        memset(token.s, 0, token.cap);
    str_free(&token);
    return ok ? DEV_NO_ERROR : dev_error_sure(DEV_NO_ERROR);
}

void http_close(Http *h)
{
    if (h->multi) {
        h->curl.easy_cleanup(h->easy);
        h->curl.multi_cleanup(h->multi);
    }
    if (h->head)
        h->curl.slist_free_all(h->head);
    if (h->deflated)
        h->curl.slist_free_all(h->deflated);
    h->multi = NULL;
    h->head = h->deflated = NULL;
}

/* What libcurl calls --------------------------------------------------------------- */

static size_t rhttp_on_read(char *to, size_t size, size_t n, void *ud)
{
    Call *c = ud;
    size_t room = size * n, left = c->nbody - c->at;
    room = room < left ? room : left;
    memcpy(to, c->body + c->at, room);
    c->at += room;
    c->sent = c->at;
    c->begun = true;
    return room;
}

static int on_seek(void *ud, curl_off_t at, int origin)
{
    Call *c = ud;
    if (c->once || origin != SEEK_SET || at < 0 || (size_t)at > c->nbody)
        return CURL_SEEKFUNC_FAIL;
    c->at = (size_t)at;
    return CURL_SEEKFUNC_OK;
}

/* The answer has more bytes than it may: what libcurl is told. */
static size_t rhttp_too_long(Call *c, size_t most)
{
    c->too_long = true;
    c->longest = most;
    return 0;
}

/* Whole lines of c->text go to line(). */
static bool take_lines(Call *c)
{
    for (;;) {
        char *s = c->text.s ? c->text.s + c->seen : NULL, *end;
        if (!s || !(end = memchr(s, '\n', c->text.n - c->seen)))
            break;
        *end = '\0';
        c->seen += (size_t)(end - s) + 1;
        if (!c->line(c->ud, s, (size_t)(end - s), &c->err))
            return false;
    }
    if (c->seen) { /* what was read goes */
        memmove(c->text.s, c->text.s + c->seen, c->text.n - c->seen);
        c->text.n -= c->seen;
        c->seen = 0;
    }
    return true;
}

static size_t on_write(char *s, size_t size, size_t n, void *ud)
{
    Call *c = ud;
    n *= size;
    c->curl->easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &c->status);
    bool good = c->status >= 200 && c->status < 300;
    if (good && c->into) {
        if (n > c->room - c->got)
            return rhttp_too_long(c, c->room);
        memcpy(c->into + c->got, s, n);
        c->got += n;
        return n;
    }
    size_t most = good && c->most ? c->most : ShortText;
    if (n > most - (c->text.n - c->seen))
        return rhttp_too_long(c, most);
    str_add(&c->text, s, n);
    c->got += n;
    if (c->text.bad || (good && c->line && !take_lines(c)))
        return 0;
    return n;
}

/* One attempt -------------------------------------------------------------------------- */

#define SET(option, value) h->curl.easy_setopt(h->easy, CURLOPT_##option, value)

/* What is the same for all requests. */
static void set_always(Http *h)
{
    const char *cacert = getenv("MOONTILE_CACERT");
    h->curl.easy_reset(h->easy);
    SET(PATH_AS_IS, 1L);
    SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2); /* or newer */
    SET(NOSIGNAL, 1L);
    SET(USERAGENT, "moontile");
    SET(FOLLOWLOCATION, 0L);
    SET(CONNECTTIMEOUT_MS, (long)ConnectMs);
    SET(TCP_NODELAY, 1L);
    SET(TCP_KEEPALIVE, 1L);
    SET(BUFFERSIZE, (long)BufferBytes);
    SET(UPLOAD_BUFFERSIZE, (long)BufferBytes);
    SET(ERRORBUFFER, h->why);
    SET(OPENSOCKETFUNCTION, open_socket);
    SET(OPENSOCKETDATA, h);
    SET(WRITEFUNCTION, on_write);
    if (only_here(h))
        SET(NOPROXY, "*");
    if (cacert && *cacert)
        SET(CAINFO, cacert);
    if (h->opt->insecure) {
        SET(SSL_VERIFYPEER, 0L);
        SET(SSL_VERIFYHOST, 0L);
    }
}

/* Most requests are small ones with or without a body, one behind the other: only what
 * differs from one to the next is set.  The others begin with everything anew. */
static void set_up(Http *h, Call *c, const char *url)
{
    bool body = c->nbody || strcmp(c->method, "PUT") == 0;
    c->at_once = body && c->nbody <= AtOnce;
    bool small = (c->at_once || strcmp(c->method, "GET") == 0) && !c->inflate;
    if (!small || !h->plain)
        set_always(h);
    h->plain = small;
    SET(URL, url);
    SET(CUSTOMREQUEST, c->method);
    SET(HTTPHEADER, c->deflated ? h->deflated : h->head);
    SET(WRITEDATA, c);
    if (small && !c->at_once)
        SET(HTTPGET, 1L);
    if (c->inflate)
        SET(ACCEPT_ENCODING, "deflate");
    if (c->at_once) { /* in one packet with the head */
        SET(POST, 1L);
        SET(POSTFIELDSIZE, (long)c->nbody);
        SET(POSTFIELDS, c->body ? c->body : "");
    } else if (body) {
        SET(UPLOAD, 1L);
        SET(INFILESIZE_LARGE, (curl_off_t)c->nbody);
        SET(READFUNCTION, rhttp_on_read);
        SET(READDATA, c);
        SET(SEEKFUNCTION, on_seek);
        SET(SEEKDATA, c);
    } else if (strcmp(c->method, "POST") == 0) {
        SET(POST, 1L);
        SET(POSTFIELDSIZE, 0L);
        SET(POSTFIELDS, "");
    }
}

enum Outcome { OCdone, OCcut, OCunreached, OCtls, OCsilent, OCstopped };

/* May it go on?  The session's clock stands still meanwhile, unless tick() says other. */
static bool goes_on(Http *h, Call *c)
{
    if (c->tick)
        return c->tick(c->ud);
    if (h->host)
        h->host->alive(h->host->ud);
    return !h->host || !h->host->stopped(h->host->ud);
}

/* How far it has come: is there a head of an answer, may the request have arrived? */
static void call_progress(const Http *h, Call *c)
{
    long sent = 0;
    h->curl.easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &c->status);
    h->curl.easy_getinfo(h->easy, CURLINFO_REQUEST_SIZE, &sent);
    c->begun = c->begun || sent > 0;
}

/* Says once that it takes a while; who has a tick, or a bar, says more than that. */
static void say_waits(const Http *h, const Call *c, bool *said)
{
    char host[101];
    if (*said || c->tick || c->moved || !h->host)
        return;
    *said = true;
    snprintf(host, sizeof host, "%.100s", h->opt->host);
    DevMessage m = dev_message(E_remote_waits, host);
    h->host->status(h->host->ud, &m);
}

/* Drives the request to its end. */
static enum Outcome drive(Http *h, Call *c, CURLcode *code, bool *said)
{
    int running = 1, left;
    size_t before = 0;
    double begin = clock_s(), last = begin, ticked = last;
    for (;;) {
        if (h->curl.multi_perform(h->multi, &running) != CURLM_OK)
            return OCcut;
        if (!running)
            break;
        double t = clock_s();
        call_progress(h, c);
        if (c->sent + c->got != before) {
            before = c->sent + c->got;
            last = t;
            if (c->moved)
                c->moved(c->ud, c->sent, c->got);
        }
        if (t - ticked > CallTickMs * 1e-3) {
            ticked = t;
            if (!goes_on(h, c))
                return OCstopped;
            if (t - begin > Moment)
                say_waits(h, c, said);
        }
        if (t - last > c->patience)
            return OCsilent;
        h->curl.multi_poll(h->multi, NULL, 0, CallTickMs, NULL);
    }
    const CURLMsg *m = h->curl.multi_info_read(h->multi, &left);
    *code = m && m->msg == CURLMSG_DONE ? m->data.result : CURLE_RECV_ERROR;
    switch (*code) {
    case CURLE_OK: return OCdone;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT: return OCunreached;
    case CURLE_OPERATION_TIMEDOUT: return c->begun || c->got ? OCcut : OCunreached;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM: return c->got ? OCcut : OCtls;
    default: return OCcut;
    }
}

static enum Outcome rhttp_attempt(Http *h, Call *c, const char *url, CURLcode *code)
{
    c->status = 0;
    c->got = c->sent = c->at = c->seen = 0;
    c->text.n = 0;
    dev_error_free(c->err);
    c->err = DEV_NO_ERROR;
    c->too_long = false;
    c->easy = h->easy;
    c->curl = &h->curl;
    c->begun = false;
    h->call = c;
    h->barred = h->resent = false;
    h->why[0] = '\0';
    *code = CURLE_OK;
    set_up(h, c, url);
    if (h->curl.multi_add_handle(h->multi, h->easy) != CURLM_OK)
        return OCcut;
    bool said = false;
    enum Outcome o = drive(h, c, code, &said);
    if (said)
        h->host->status(h->host->ud, NULL);
    call_progress(h, c);
    o = h->resent ? OCcut : o;
    h->curl.multi_remove_handle(h->multi, h->easy);
    h->met = h->met || c->status > 0;
    return o;
}

/* What is wrong --------------------------------------------------------------------------- */

static const char *reason(const Http *h, CURLcode code)
{
    return h->why[0] ? h->why : h->curl.easy_strerror(code);
}

static DevError rhttp_trouble(const Http *h, const Call *c, enum Outcome o, CURLcode code)
{
    const char *host = h->opt->host;
    if (c->too_long)
        return dev_error(E_remote_answer, host, dev_text("<= %zu B", c->longest),
                         dev_text("> %zu B", c->longest));
    if (h->barred)
        return h->opt->insecure ? dev_error(E_remote_insecure, host)
                                : dev_error(E_remote_plain, host);
    switch (o) {
    case OCunreached: return dev_error(E_remote_connect, host, reason(h, code));
    case OCtls: return dev_error(E_remote_tls, host, reason(h, code));
    case OCsilent: return dev_error(E_remote_stalled, host, c->patience);
    case OCstopped: return dev_interrupted();
    case OCcut:
    case OCdone: break;
    }
    bool closed = h->resent || code == CURLE_GOT_NOTHING || code == CURLE_SEND_FAIL_REWIND;
    bool broke = !closed && (code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR);
    return dev_error(E_remote_cut, host, closed, broke, closed || broke ? "" : reason(h, code));
}

/* What is wrong with a whole answer. */
static DevError rhttp_judge(const Http *h, const Call *c)
{
    if (c->status < 200 || c->status >= 300)
        return said_refused(h->opt->host, c->status, c->text.s, c->text.n, h->has_token);
    if (c->into && c->got != c->room)
        return dev_error(E_remote_answer, h->opt->host, dev_text("%zu B", c->room),
                         dev_text("%zu B", c->got));
    return DEV_NO_ERROR;
}

/* Trying again ---------------------------------------------------------------------------- */

/* Seconds until it may be tried again; < 0: never. */
static double pause_before(Http *h, const Call *c, enum Outcome o, int tried)
{
    curl_off_t wanted = 0;
    if (tried + 1 >= Tries || h->barred)
        return -1;
    if (o == OCdone) {
        if (c->status != 429 && c->status != 503)
            return -1;
        h->curl.easy_getinfo(h->easy, CURLINFO_RETRY_AFTER, &wanted);
        double s = wanted > 0 ? (double)wanted : Pause[tried];
        return s <= LongestPause ? s : -1;
    }
    if (!h->met || c->too_long || (o != OCunreached && o != OCcut))
        return -1;
    return o == OCunreached || !c->once || !c->begun ? Pause[tried] : -1;
}

/* Says so and waits; false: the user asks to stop. */
static bool wait_again(Http *h, const Call *c, double seconds, CURLcode code, int tried)
{
    char host[61], why[80], now[16], most[16];
    double until = clock_s() + seconds;
    if (c->status)
        snprintf(why, sizeof why, "HTTP %ld", c->status);
    else
        snprintf(why, sizeof why, "%.79s", reason(h, code));
    if (h->host) {
        snprintf(host, sizeof host, "%.60s", h->opt->host);
        snprintf(now, sizeof now, "%d", tried + 1);
        snprintf(most, sizeof most, "%d", Tries - 1);
        DevMessage m = dev_message(E_remote_again, host, why, now, most);
        h->host->status(h->host->ud, &m);
    }
    bool on = true;
    while (on && clock_s() < until) {
        nanosleep(&(struct timespec){0, CallTickMs * 1000000L}, NULL);
        if (h->host)
            h->host->alive(h->host->ud);
        on = !h->host || !h->host->stopped(h->host->ud);
    }
    if (h->host)
        h->host->status(h->host->ud, NULL);
    return on;
}

DevError http_call(Http *h, Call *c)
{
    Str url = {0};
    DevError err = DEV_NO_ERROR;
    str_fmt(&url, "%s%s", h->opt->url, c->path);
    for (int tried = 0; !url.bad; tried++) {
        CURLcode code = CURLE_OK;
        enum Outcome o = rhttp_attempt(h, c, url.s, &code);
        dev_error_free(err);
        err = c->err; /* the caller's own */
        c->err = DEV_NO_ERROR;
        if (err.is)
            break;
        err = o == OCdone ? rhttp_judge(h, c) : rhttp_trouble(h, c, o, code);
        double s = err.is ? pause_before(h, c, o, tried) : -1;
        if (s < 0)
            break;
        if (!wait_again(h, c, s, code, tried)) {
            dev_error_free(err);
            err = dev_interrupted();
            break;
        }
    }
    if (url.bad)
        err = dev_error_sure(err);
    str_free(&url);
    return err;
}
