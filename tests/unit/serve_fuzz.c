/* Fuzzing the server: requests of any kind to every path, JSON and IR bodies that were broken,
 * cut and mixed.  Each answer is one of protocol.md's, with its MESSAGE; a client that behaves
 * gets right answers all the time; the server neither crashes nor leaks.
 *
 *     serve_fuzz [SECONDS [SEED]]      4 seconds */
#include <zlib.h>

#include "serve_client.h"
#include "../../targets/targets.h"

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

/* Programs that are too much of something, or whose parts have strange numbers. */
static void repeat(Str *t, uint32_t n, const char *s)
{
    while (n--)
        str_puts(t, s);
}

static void odd_program(Dice *d, Str *t)
{
    static const char *const number[] = {
        "0", "1", "2", "-1", "64", "65", "4096", "1048576", "2147483647", "2147483648",
        "4294967296", "9223372036854775807", "(0 - 7)", "N", "N*N*N", "N // 0",
    };
    static const char *const op[] = {"+", "-", "*", "//", "%", "<<", ">>", "&", "|", "min"};
    static const char *const kind[] = {"serial", "parallel", "unroll", "vectorized", "pipelined",
                                       "thread"};
    uint32_t many = 1 + below(d, below(d, 4) ? 8 : 400);
#define ANY(list) list[below(d, COUNT(list))]
    str_fmt(t, "kernel odd(A, B%s)\n  dim N: int32%s\n  buffer A: global int32[%s]\n",
            below(d, 5) ? "" : ", A", below(d, 3) ? "" : " in 0 .. 2147483647", ANY(number));
    str_fmt(t, "  buffer B: global %s[%s, %s]\n", below(d, 2) ? "float32" : "int4", ANY(number),
            ANY(number));
    bool defs = below(d, 3) == 0;
    str_puts(t, defs ? "  def $1 = N + 1\n" : "");
    for (uint32_t i = 2; defs && i < many; i++) /* each uses the one before twice */
        str_fmt(t, "  def $%u = $%u %s $%u\n", i, i - 1, ANY(op), i - 1);
    str_fmt(t, "  launch bx in %s threads %s do\n", ANY(number), below(d, 4) ? "32" : ANY(number));
    if (below(d, 2))
        str_fmt(t, "    alloc s: shared int32[%s, %s]\n    fill s, 0\n", ANY(number), ANY(number));
    uint32_t depth = below(d, 3) ? 1 + below(d, 3) : many;
    for (uint32_t i = 0; i < depth; i++)
        str_fmt(t, "    for i%u in %s(%s) do\n", i, ANY(kind), ANY(number));
    switch (below(d, 6)) {
    case 0:
        str_puts(t, "A[i0] = ");
        repeat(t, many, "(");
        str_puts(t, "1");
        repeat(t, many, ")");
        break;
    case 1:
        str_puts(t, "A[i0] = 1");
        for (uint32_t i = 0; i < many; i++)
            str_fmt(t, " %s A[%s]", ANY(op), ANY(number));
        break;
    case 2: repeat(t, many, "A[i0 + bx*64 - 7] = A[A[i0]] + 1\n"); break;
    case 3: str_fmt(t, "while A[0] < %s do\nA[0] = A[0] + 1\nend", ANY(number)); break;
    case 4:
        str_fmt(t, "copy A[%s:+%s] -> A[%s:+%s]", ANY(number), ANY(number), ANY(number),
                ANY(number));
        break;
    default: str_fmt(t, "s[i0, %s] = A[bx %s %s]", ANY(number), ANY(op), ANY(number));
    }
    str_puts(t, "\n");
    repeat(t, depth + 2 - (below(d, 10) == 0), "end\n");
#undef ANY
}

/* A megabyte of zeros as 1 KiB in zlib's form, of which more and more is announced. */
static void bomb(Str *t)
{
    static char zeros[1 << 20];
    uLongf n = compressBound(sizeof zeros);
    char *s = malloc(n);
    if (s && compress2((Bytef *)s, &n, (const Bytef *)zeros, sizeof zeros, 9) == Z_OK)
        str_add(t, s, n);
    free(s);
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
    "{\"kernel\": 1, \"args\": [{\"t\": 1}, {\"t\": 2}, {\"f\": \"nan\"}, {\"i\": 8}], \"before\": "
        "[{\"t\": 1, \"at\": 4, \"data\": \"AAAAAAAA\"}, {\"t\": 2, \"bytes\": 8}], "
        "\"after\": [{\"t\": 2, \"bytes\": 16}, {\"t\": 1, \"at\": 8, \"bytes\": 3}]}",
    "{\"kernel\": 3, \"args\": [{\"t\": 2}, {\"t\": 1}, {\"i\": -9223372036854775808}]}",
    "{\"kernel\": 4, \"args\": [{\"t\": 2}, {\"t\": 1}, {\"i\": 64}], "
        "\"after\": [{\"t\": 2, \"bytes\": 64}]}",
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
    if (strstr(path, "/kernels") && below(d, 3) == 0) {
        odd_program(d, out);
        if (below(d, 3))
            return; /* as it is */
    } else if (strstr(path, "/kernels") && nir && below(d, 8)) {
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
    bool packed = below(d, 9) == 0;
    if (packed && below(d, 2))
        bomb(&body);
    else
        body_of(d, path, &body);
    bool lies = below(d, 50) == 0;
    size_t says = lies ? body.n + below(d, 100) : body.n;
    int n = snprintf(head, sizeof head,
                     "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %zu\r\n\r\n",
                     method, path, packed ? "Content-Encoding: deflate\r\n" : "", says);
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

/* What was opened is closed again when nobody is connected any more. */
static bool settles(pid_t server, int before)
{
    pid_t child;
    for (double until = ms_now() + 600e3; ms_now() < until; poll(NULL, 0, 50))
        if (descriptors(server) <= before && children_of(server, &child, 1) == 0)
            return true;
    printf("%d descriptors, %d before\n", descriptors(server), before);
    return false;
}

int main(int argc, char **argv)
{
    targets_init();
    int self = other_self(argc, argv);
    if (self >= 0)
        return self;
    char dir[64], log[] = "--log=/dev/null", limit[] = "--kernel-s=1", all[] = "--sessions-all=6";
    char away[] = "--away-s=1", compile[] = "--compile-s=3";
    char *words[] = {log, limit, all, away, compile};
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
    Reply hello = peer_do(&good, "GET", "/v1/hello", "", 0);
    str_free(&hello.body);
    int before = descriptors(server);
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
    EXPECT(settles(server, before));
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
