/* Fuzzing the server: requests of any kind to every path, JSON and IR bodies that were broken,
 * cut and mixed.  Each answer is one of protocol.md's, with its MESSAGE; a client that behaves
 * gets right answers all the time; the server neither crashes nor leaks.
 *
 *     serve_fuzz [SECONDS [SEED]]      4 seconds */
#include "serve_client.h"

enum { MaxFiles = 200, MaxText = 1 << 16 };

typedef struct Text Text;
struct Text { char *s; size_t n; };

static int port;
static Text ir[MaxFiles];
static int nir;
static long count[600]; /* answers, by status */

/* Texts -------------------------------------------------------------------- */

static void read_ir(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && nir < MaxFiles && (e = readdir(d));) {
        char path[512];
        size_t n = strlen(e->d_name);
        if (n < 4 || strcmp(e->d_name + n - 3, ".ir") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = fopen(path, "re");
        char *s = f ? malloc(MaxText) : NULL;
        if (s)
            ir[nir++] = (Text){s, fread(s, 1, MaxText, f)};
        if (f)
            fclose(f);
    }
    if (d)
        closedir(d);
}

/* Breaks a text in a few places. */
static void mutate(Dice *d, Str *t)
{
    static const char *const word[] = {
        "-1", "0", "2147483647", "9223372036854775807", "99999999999999999999", "[", "]", "{", "}",
        "\"", "null", "1e308", "int32", "float16", "end", "(((((((", "\xff", "N", "for", "A[0]",
        "\\u0000",
    };
    int n = (int)below(d, 4);
    for (int i = 0; i < n && t->n > 2; i++) {
        size_t at = below(d, (uint32_t)t->n), len = below(d, 12);
        if (len > t->n - at)
            len = t->n - at;
        const char *w = word[below(d, COUNT(word))];
        switch (below(d, 4)) {
        case 0: t->s[at] = (char)dice(d); break;
        case 1:
            memmove(t->s + at, t->s + at + len, t->n - at - len);
            t->n -= len;
            break;
        case 2: t->n = at; break;
        default:
            str_add(t, w, strlen(w));
            memmove(t->s + at + strlen(w), t->s + at, t->n - at - strlen(w));
            memcpy(t->s + at, w, strlen(w));
        }
    }
}

/* Requests ----------------------------------------------------------------- */

typedef struct Path Path;
struct Path { const char *method, *form; };

static const Path paths[] = {
    {"GET", "/v1/hello"}, {"GET", "/v1/status"}, {"POST", "/v1/sessions"}, {"GET", "%s"},
    {"POST", "%s/tensors"}, {"PUT", "%s/tensors/%d"}, {"GET", "%s/tensors/%d?at=%d"},
    {"PUT", "%s/tensors/%d?at=%d"}, {"PUT", "%s/tensors/%d?at=%d&bytes=7"},
    {"PUT", "%s/tensors/%d?bytes=%d"}, {"DELETE", "%s/tensors/%d"}, {"POST", "%s/tensors/%d/zero"},
    {"POST", "%s/kernels"}, {"POST", "%s/kernels"}, {"POST", "%s/kernels?name=fuzz"},
    {"DELETE", "%s/kernels/%d"}, {"GET", "%s/kernels/%d/text?what=source"},
    {"GET", "%s/kernels/%d/text?what=ir"}, {"POST", "%s/launch"}, {"POST", "%s/launch"},
    {"POST", "%s/bench"}, {"GET", "/v1/sessions/0/launch"}, {"GET", "/"}, {"GET", "//v1/hello"},
    {"GET", "/v1/hello/%%00"},
};
static const char *const methods[] = {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "BREW"};
static const char *const bodies[] = {
    "{\"bytes\": 64}", "{\"bytes\": 4096, \"hash\": null}", "{\"at\": 0, \"bytes\": 16}",
    "{\"bytes\": 16, \"hash\": \"0123456789abcdef0123456789abcdef\"}",
    "{\"kernel\": 1, \"args\": [{\"t\": 1}, {\"t\": 2}, {\"f\": \"0x1p+1\"}, {\"i\": 8}]}",
    "{\"kernel\": 2, \"args\": [{\"t\": 1, \"at\": 8}, {\"t\": 1}, {\"i\": 3}], \"times\": 2, "
        "\"flush\": true}",
    "{\"kernels\": [1, 1], \"sets\": [[[{\"t\": 1}], [{\"i\": 1}]]], \"rounds\": 2}",
    "{\"target\": \"cpu -threads=1\", \"client\": \"fuzz\"}", "", "abcdefgh",
};

/* A path with numbers that are mostly near those that exist. */
static void fill_path(Dice *d, const char *form, const char *session, char *out, size_t n)
{
    out[0] = '\0';
    for (size_t at = 0; *form && at + 40 < n; form++) {
        if (form[0] == '%' && form[1] == 's')
            at += (size_t)snprintf(out + at, n - at, "%s", session);
        else if (form[0] == '%' && form[1] == 'd')
            at += (size_t)snprintf(out + at, n - at, "%u",
                                   below(d, 8) ? below(d, 6) : below(d, 1u << 31));
        else if (form[0] == '%')
            at += (size_t)snprintf(out + at, n - at, "%%");
        else
            at += (size_t)snprintf(out + at, n - at, "%c", *form);
        form += form[0] == '%';
    }
}

static void body_of(Dice *d, const char *path, Str *out)
{
    if (strstr(path, "/kernels") && nir && below(d, 8)) {
        const Text *t = &ir[below(d, (uint32_t)nir)];
        str_add(out, t->s, t->n);
    } else {
        str_puts(out, bodies[below(d, COUNT(bodies))]);
    }
    if (below(d, 3))
        mutate(d, out);
}

/* Is it an answer that protocol.md knows? */
static void look_at(const Reply *r, const char *method, const char *path)
{
    static const int known[] = {200, 204, 400, 401, 403, 404, 405, 409, 413, 416, 422, 429, 503};
    bool ok = r->cut;
    for (size_t i = 0; i < COUNT(known); i++)
        ok = ok || r->status == known[i];
    /* libmicrohttpd's own: it has no MESSAGE */
    ok = ok || r->status == 501 || r->status == 414 || r->status == 431;
    bool spoken = !r->cut && r->status >= 400 && r->status != 501 && r->body.n;
    if (ok && spoken && strcmp(method, "HEAD") != 0)
        ok = reply_says(r, "{\"error\": {\"id\": \"") || r->body.s[0] == '<';
    if (!ok)
        printf("%s %s: %d %s\n", method, path, r->status, r->body.s ? r->body.s : "");
    EXPECT(ok);
    if (r->status > 0 && r->status < (int)COUNT(count))
        count[r->status]++;
}

/* One request, sometimes not whole.  Its session may be gone, as new ones take the room of
 * old ones, but no text may have ended its process. */
static void shot(Dice *d, Peer *p, char *session)
{
    char path[256], head[512];
    Str body = {0};
    const Path *at = &paths[below(d, COUNT(paths))];
    const char *method = below(d, 10) ? at->method : methods[below(d, COUNT(methods))];
    fill_path(d, at->form, session, path, sizeof path);
    if (strcmp(path, session) == 0 && strcmp(method, "DELETE") == 0)
        method = "GET"; /* the session is still needed */
    body_of(d, path, &body);
    bool lies = below(d, 50) == 0;
    size_t says = lies ? body.n + below(d, 100) : body.n;
    int n = snprintf(head, sizeof head,
                     "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %zu\r\n\r\n",
                     method, path, below(d, 9) ? "" : "Content-Encoding: deflate\r\n", says);
    if (p->fd < 0 && !peer_open(p)) {
        EXPECT(!"a connection");
    } else if (peer_send(p, head, (size_t)n) && peer_send(p, body.s ? body.s : "", body.n) &&
               !lies && strcmp(method, "HEAD") != 0) {
        Reply r = peer_read(p);
        look_at(&r, method, path);
        if (r.status == 404 && reply_says(&r, "serve_session_gone")) {
            EXPECT(!reply_says(&r, "crashed"));
            if (strncmp(path, session, strlen(session)) == 0)
                session[0] = '\0';
        }
        if (r.cut)
            peer_close(p);
        str_free(&r.body);
    } else {
        peer_close(p);
    }
    str_free(&body);
}

/* The one that behaves ----------------------------------------------------- */

enum { Elements = 100 };

static void put_floats(Peer *p, const char *session, const float *v)
{
    char path[128];
    snprintf(path, sizeof path, "%s/tensors/1", session);
    Reply r = peer_do(p, "PUT", path, v, Elements * sizeof *v);
    EXPECT(r.status == 204);
    str_free(&r.body);
}

/* Adds a number on the server and looks at the sums. */
static void sober(Dice *d, Peer *p, const char *session)
{
    char path[128], text[256];
    float v[Elements], a = (float)below(d, 1000), got[Elements];
    for (int i = 0; i < Elements; i++)
        v[i] = (float)below(d, 1000);
    put_floats(p, session, v);
    snprintf(path, sizeof path, "%s/launch", session);
    snprintf(text, sizeof text,
             "{\"kernel\": 1, \"args\": [{\"t\": 1}, {\"t\": 2}, {\"f\": \"%a\"}, {\"i\": %d}]}",
             (double)a, Elements);
    Reply r = peer_post(p, path, text);
    EXPECT(r.status == 200 && reply_says(&r, "\"done\""));
    str_free(&r.body);
    snprintf(path, sizeof path, "%s/tensors/2", session);
    r = peer_do(p, "GET", path, "", 0);
    EXPECT(r.status == 200 && r.body.n == sizeof got);
    if (r.body.n == sizeof got) {
        memcpy(got, r.body.s, sizeof got);
        for (int i = 0; i < Elements; i++)
            EXPECT(got[i] == v[i] + a);
    }
    str_free(&r.body);
}

static void prepare(Peer *p, char session[64])
{
    char path[128];
    EXPECT(session_path(p, "cpu -threads=1", session) == 200);
    snprintf(path, sizeof path, "%s/tensors", session);
    for (int i = 0; i < 2; i++) {
        Reply r = peer_post(p, path, "{\"bytes\": 400}");
        EXPECT(r.status == 200);
        str_free(&r.body);
    }
    snprintf(path, sizeof path, "%s/kernels", session);
    Reply r = peer_post(p, path, add_text);
    EXPECT(r.status == 200);
    str_free(&r.body);
}

int main(int argc, char **argv)
{
    int self = other_self(argc, argv);
    if (self >= 0)
        return self;
    char dir[64], log[] = "--log=/dev/null", limit[] = "--kernel-s=1", all[] = "--sessions-all=6";
    char *words[] = {log, limit, all};
    double seconds = argc > 1 ? atof(argv[1]) : 4;
    Dice d = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    Peer good = {0}, bad = {0};
    char session[64], broken[64] = "";
    long shots = 0;
    own_cache(dir);
    read_ir("../ir");
    read_ir("../ir/bad");
    read_ir("../ir/thread");
    EXPECT(nir > 0);
    pid_t server = server_start(COUNT(words), words, &port);
    good = bad = (Peer){.port = port, .fd = -1};
    prepare(&good, session);
    for (double until = ms_now() + seconds * 1e3; ms_now() < until && failures < 20; shots++) {
        if (!*broken || below(&d, 200) == 0)
            prepare(&bad, broken);
        shot(&d, &bad, broken);
        if (below(&d, 40) == 0)
            sober(&d, &good, session);
    }
    sober(&d, &good, session);
    long kib = resident(server);
    peer_close(&good);
    peer_close(&bad);
    EXPECT(server_stop(server) == 0);
    drop_cache(dir);
    printf("%ld requests, server %ld KiB;", shots, kib);
    for (size_t i = 0; i < COUNT(count); i++)
        if (count[i])
            printf(" %zu: %ld", i, count[i]);
    printf(failures ? "\n%d failures\n" : "\nok\n", failures);
    for (int i = 0; i < nir; i++)
        free(ir[i].s);
    return failures != 0;
}
