/* repl/serve/route.c: what a request is, and whether whoever sent it may. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"
#include "err/serve.h"

static const Route routes[] = {
    {"GET", "/v1/hello", "", "hello", 'n', on_hello},
    {"GET", "/v1/status", "", "status", 'n', on_status},
    {"POST", "/v1/sessions", "", "open", 'j', on_open},
    {"DELETE", "/v1/sessions/*", "", "close", 'n', on_close},
    {"POST", "/v1/sessions/*/tensors", "", "tensor", 'j', on_tensor},
    {"PUT", "/v1/sessions/*/tensors/#", "at bytes", "put", 'o', on_put},
    {"GET", "/v1/sessions/*/tensors/#", "at bytes", "get", 'n', on_get},
    {"DELETE", "/v1/sessions/*/tensors/#", "", "free", 'n', on_free},
    {"POST", "/v1/sessions/*/tensors/#/zero", "", "zero", 'j', on_zero},
    {"POST", "/v1/sessions/*/kernels", "name", "kernel", 't', on_kernel},
    {"DELETE", "/v1/sessions/*/kernels/#", "", "drop", 'n', on_drop},
    {"GET", "/v1/sessions/*/kernels/#/text", "what", "text", 'n', on_text},
    {"POST", "/v1/sessions/*/launch", "", "launch", 'j', on_launch},
    {"POST", "/v1/sessions/*/bench", "", "bench", 'j', on_bench},
};

enum { NoBody = 4096 }; /* read and dropped, where none belongs */

/* Paths -------------------------------------------------------------------- */

/* Does url fit the pattern?  id: the text of *, number: that of #. */
static bool route_fits(const char *pattern, const char *url, char id[2 * IdBytes + 1],
                       uint64_t *number)
{
    while (*pattern) {
        if (*pattern == '*') {
            size_t n = strspn(url, "0123456789abcdef");
            if (n != 2 * IdBytes)
                return false;
            memcpy(id, url, n);
            id[n] = '\0';
            url += n;
        } else if (*pattern == '#') {
            size_t n = strspn(url, "0123456789");
            if (n < 1 || n > 18 || (n > 1 && *url == '0'))
                return false;
            *number = strtoull(url, NULL, 10);
            url += n;
        } else if (*pattern != *url++) {
            return false;
        }
        pattern++;
    }
    return !*url;
}

/* "GET, PUT": what a path takes; a constant, as there are few. */
static const char *methods(const char *url)
{
    static const struct { const char *set, *text; } content[] = {
        {"G", "GET"}, {"P", "POST"}, {"D", "DELETE"}, {"UGD", "PUT, GET, DELETE"},
    };
    char set[8] = "", id[2 * IdBytes + 1];
    uint64_t number;
    size_t n = 0;
    for (size_t i = 0; i < COUNT(routes) && n < sizeof set - 1; i++)
        if (route_fits(routes[i].path, url, id, &number))
            set[n++] = strcmp(routes[i].method, "PUT") == 0 ? 'U' : routes[i].method[0];
    for (size_t i = 0; i < COUNT(content); i++)
        if (strcmp(content[i].set, set) == 0)
            return content[i].text;
    return NULL;
}

/* Names after the "?" ------------------------------------------------------ */

typedef struct RouteNames RouteNames;
struct RouteNames { const char *content; const char *bad; char seen[64]; };

static bool route_has_word(const char *list, const char *s, size_t n)
{
    for (; *list; list += strcspn(list, " ") + (list[strcspn(list, " ")] == ' '))
        if (strcspn(list, " ") == n && memcmp(list, s, n) == 0)
            return true;
    return false;
}

static enum MHD_Result on_name(void *ud, enum MHD_ValueKind kind, const char *key, size_t key_n,
                               const char *v, size_t n)
{
    RouteNames *x = ud;
    (void)kind, (void)n;
    if (!route_has_word(x->content, key, key_n))
        x->bad = "there is no such name after the ?";
    else if (!v || route_has_word(x->seen, key, key_n))
        x->bad = "a name after the ? appears twice, or has no value";
    else
        snprintf(x->seen + strlen(x->seen), sizeof x->seen - strlen(x->seen), "%s ", key);
    return x->bad ? MHD_NO : MHD_YES;
}

bool arg_u64(Req *r, const char *name, uint64_t *v, bool *there)
{
    const char *s = request_value(r, MHD_GET_ARGUMENT_KIND, name);
    *there = s != NULL;
    if (!s)
        return true;
    size_t n = strspn(s, "0123456789");
    if (n < 1 || n > 18 || s[n]) {
        reply_bad(r, "a number after the ? is not valid");
        return false;
    }
    *v = strtoull(s, NULL, 10);
    return true;
}

/* Who ---------------------------------------------------------------------- */

static Client *client_named(Server *sv, const char *name, bool teacher)
{
    Client *c = sv->ring;
    do {
        if (c && strcmp(c->name, name) == 0) {
            c->teacher = teacher;
            return c;
        }
        c = c ? c->next : NULL;
    } while (c != sv->ring);
    c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    snprintf(c->name, sizeof c->name, "%s", name);
    c->teacher = teacher;
    c->tokens = (double)sv->set->requests_s;
    c->filled = sv->now;
    if (!sv->ring) {
        sv->ring = sv->compiles = c->next = c;
        return c;
    }
    Client *last = sv->ring; /* whose turn it is last: the new one comes behind */
    while (last->next != sv->ring)
        last = last->next;
    c->next = sv->ring;
    return last->next = c;
}

/* "localhost:8411" and the like: a page that a browser got elsewhere has another Host. */
static bool local_host(const Server *sv, const char *host)
{
    const char *const ours[] = {"localhost", "127.0.0.1", "[::1]", sv->set->bind};
    size_t n = host ? strlen(host) : 0, port = n;
    while (port && host[port - 1] >= '0' && host[port - 1] <= '9')
        port--;
    if (port && port < n && host[port - 1] == ':')
        n = port - 1;
    for (size_t i = 0; i < COUNT(ours); i++)
        if (n == strlen(ours[i]) && strncasecmp(host, ours[i], n) == 0)
            return true;
    return false;
}

/* Whose request it is; NULL: answered. */
static Client *client_of(Req *r)
{
    Server *sv = r->sv;
    const char *a = request_value(r, MHD_HEADER_KIND, "Authorization");
    if (serve_open(sv)) {
        const char *host = request_value(r, MHD_HEADER_KIND, "Host");
        if (local_host(sv, host))
            return client_named(sv, "local", false);
        reply_error(r, 403, E_serve_origin, "Host", NULL, NULL);
        return NULL;
    }
    const AccessToken *t = NULL;
    if (a && strncasecmp(a, "Bearer ", 7) == 0) {
        a += 7 + strspn(a + 7, " ");
        t = tokens_find(&sv->tokens, a, strlen(a));
    }
    if (!t)
        reply_error(r, 401, E_serve_token, NULL, NULL, NULL);
    return t ? client_named(sv, t->name, t->teacher) : NULL;
}

/* May c send another request now? */
static bool route_rate(Req *r, Client *c)
{
    char n[24];
    double most = (double)r->sv->set->requests_s;
    c->tokens += (r->sv->now - c->filled) * most;
    c->filled = r->sv->now;
    if (c->tokens > most)
        c->tokens = most;
    if (c->tokens >= 1) {
        c->tokens -= 1;
        return true;
    }
    snprintf(n, sizeof n, "%lld", (long long)r->sv->set->requests_s);
    r->retry = 1;
    reply_error(r, 429, E_serve_rate, n, NULL, NULL);
    return false;
}

/* The connection belongs to c from now on; false: it has too many. */
static bool belongs(Req *r, Client *c)
{
    Conn *k = r->conn;
    const Server *sv = r->sv;
    bool alone = serve_open(sv); /* the only client that there is */
    if (k->client == c)
        return true;
    if (!alone && c->nconn >= sv->set->connected) {
        reply_quota(r, "connected", (uint64_t)c->nconn + 1, (uint64_t)r->sv->set->connected);
        return false;
    }
    if (k->client)
        k->client->nconn--;
    else
        r->sv->nstranger--;
    k->client = c;
    c->nconn++;
    return true;
}

/* Sessions ----------------------------------------------------------------- */

static bool find_session(Req *r, const char *id)
{
    Conn *k = r->conn;
    char short_id[9], limit[24] = "";
    RemoteSession *g = rsession_find(r->sv, r->client, id);
    if (!g) {
        const EndNotice *o = rsession_end_notice(r->sv, r->client, id);
        snprintf(short_id, sizeof short_id, "%.8s", id);
        if (o && o->limit)
            snprintf(limit, sizeof limit, "%lld", (long long)o->limit);
        reply_error(r, 404, E_serve_session_gone, short_id, o ? o->why : "unknown", limit);
        return false;
    }
    r->session = g;
    g->used = r->sv->now;
    g->away = 0;
    if (k->session != g) {
        if (k->session)
            rsession_leave(k->session);
        k->session = g;
        g->nconn++;
    }
    return true;
}

/* While the server ends, what is there can be read and freed. */
static bool still_open(Req *r)
{
    if (!r->sv->stopping)
        return true;
    bool harmless = r->route->go == on_get || r->route->go == on_close ||
                    r->route->go == on_free || r->route->go == on_drop ||
                    r->route->go == on_text || r->route->go == on_status;
    if (!harmless)
        reply_stopping(r);
    return harmless;
}

static size_t route_limit_of(const Settings *set, char body)
{
    return (size_t)(body == 'j' ? set->json_bytes : body == 't' ? set->ir_bytes : NoBody);
}

bool route_find(Req *r, const char *method, const char *url)
{
    char id[2 * IdBytes + 1] = "";
    RouteNames names = {"", NULL, ""};
    const Route *path = NULL;
    for (size_t i = 0; i < COUNT(routes) && !r->route; i++)
        if (route_fits(routes[i].path, url, id, &r->number)) {
            path = &routes[i];
            if (strcmp(path->method, method) == 0)
                r->route = path;
        }
    if (request_value(r, MHD_HEADER_KIND, "Origin")) {
        reply_error(r, 403, E_serve_origin, "Origin", NULL, NULL);
        return false;
    }
    Client *c = client_of(r);
    if (!c || !belongs(r, c))
        return false;
    r->client = c;
    c->requests++;
    r->sv->requests++;
    if (!route_rate(r, c))
        return false;
    if (!path) {
        reply_error(r, 404, E_serve_path, NULL, NULL, NULL);
        return false;
    }
    if (!r->route) {
        r->allow = methods(url);
        reply_error(r, 405, E_serve_method, r->allow, NULL, NULL);
        return false;
    }
    r->limit = route_limit_of(r->sv->set, r->route->body);
    names.content = r->route->args;
    r->sv->mhd.get_connection_values_n(r->c, MHD_GET_ARGUMENT_KIND, on_name, &names);
    if (names.bad) {
        reply_bad(r, names.bad);
        return false;
    }
    return still_open(r) && (!*id || find_session(r, id));
}
