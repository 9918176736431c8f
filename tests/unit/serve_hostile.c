/* The server and peers that do not behave: slow, silent, lying, many, shouting.  Each gets an
 * answer or is hung up on; those who behave are served meanwhile, and nothing is left behind. */
#include "serve_client.h"
#include "../../targets/targets.h"

static int port;
static pid_t server;

/* A well-behaved client is served. */
static void served(void)
{
    Peer p = {.port = port, .fd = -1};
    Reply r = peer_do(&p, "GET", "/v1/hello", "", 0);
    EXPECT(r.status == 200 && reply_says(&r, "\"protocol\": 1"));
    str_free(&r.body);
    peer_close(&p);
}

/* Sends text as it is; the status of the answer, 0: hung up without one. */
static int raw(const char *text, size_t n)
{
    Peer p = {.port = port, .fd = -1};
    int status = 0;
    if (peer_open(&p)) {
        peer_send(&p, text, n);
        Reply r = peer_read(&p);
        status = r.status;
        str_free(&r.body);
    }
    peer_close(&p);
    return status;
}

#define RAW(text) raw(text, sizeof(text) - 1)
#define HOST "Host: localhost\r\n"

static void test_garbage(void)
{
    EXPECT(RAW("GET /v1/hello HTTP/1.1\r\n" HOST "\r\n") == 200);
    EXPECT(RAW("GET /v1/hello HTTP/1.0\r\n" HOST "\r\n") == 200);
    int s = RAW("\r\n\r\n\x01\x02\x03 what is this\r\n\r\n");
    EXPECT(s == 0 || s >= 400);
    s = RAW("GET /v1/hello HTTP/9.9\r\n" HOST "\r\n");
    EXPECT(s == 0 || s >= 400);
    s = RAW("GET /v1/hello HTTP/1.1\r\n\r\n");
    EXPECT(s >= 400);
    s = RAW("GET /v1/hello HTTP/1.1\r\n" HOST "Content-Length: -5\r\n\r\n");
    EXPECT(s == 0 || s >= 400);
    s = RAW("POST /v1/sessions HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999\r\n\r\n");
    EXPECT(s == 0 || s >= 400);
    s = RAW("POST /v1/sessions HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\nzz\r\n");
    EXPECT(s == 0 || s >= 400);
    s = RAW("POST /v1/sessions HTTP/1.1\r\n" HOST
            "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n");
    EXPECT(s == 0 || s >= 400);
    /* Heads that never end. */
    Str long_head = {0};
    str_puts(&long_head, "GET /v1/hello HTTP/1.1\r\n");
    for (int i = 0; i < 40000; i++)
        str_puts(&long_head, "X-Filler: 0123456789\r\n");
    s = raw(long_head.s, long_head.n);
    EXPECT(s == 0 || s >= 400);
    long_head.n = 0;
    str_puts(&long_head, "GET /");
    for (int i = 0; i < 100000; i++)
        str_puts(&long_head, "abcdef");
    s = raw(long_head.s, long_head.n);
    EXPECT(s == 0 || s >= 400);
    str_free(&long_head);
    served();
}

/* Requests one behind the other without waiting: answered in order. */
static void test_pipeline(void)
{
    enum { N = 50 };
    Peer p = {.port = port, .fd = -1};
    Str all = {0};
    for (int i = 0; i < N; i++)
        str_fmt(&all, "GET /v1/%s HTTP/1.1\r\n" HOST "\r\n", i % 3 ? "hello" : "none");
    EXPECT(peer_open(&p) && peer_send(&p, all.s, all.n));
    for (int i = 0; i < N; i++) {
        Reply r = peer_read(&p);
        EXPECT(r.status == (i % 3 ? 200 : 404));
        str_free(&r.body);
    }
    str_free(&all);
    peer_close(&p);
}

/* Who sends a body of another length than announced. */
static void test_lies(void)
{
    static const char text[] = "{\"target\": \"cpu -threads=1\"}";
    Peer p = {.port = port, .fd = -1};
    char head[256];
    /* Too little, then gone. */
    snprintf(head, sizeof head,
             "POST /v1/sessions HTTP/1.1\r\n" HOST "Content-Length: 500\r\n\r\n%s", text);
    EXPECT(peer_open(&p) && peer_send(&p, head, strlen(head)));
    peer_close(&p);
    /* Too much: the rest is no request. */
    snprintf(head, sizeof head, "POST /v1/sessions HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\n%s",
             text);
    EXPECT(raw(head, strlen(head)) == 400);
    /* A tensor's body that breaks off leaves the session as it was. */
    char s[64], path[128];
    EXPECT(session_path(&p, "cpu -threads=1", s) == 200);
    snprintf(path, sizeof path, "%s/tensors", s);
    Reply r = peer_post(&p, path, "{\"bytes\": 100000}");
    EXPECT(r.status == 200);
    str_free(&r.body);
    Peer q = {.port = port, .fd = -1};
    snprintf(head, sizeof head,
             "PUT %s/tensors/1 HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\nabc", s);
    EXPECT(peer_open(&q) && peer_send(&q, head, strlen(head)));
    peer_close(&q);
    snprintf(path, sizeof path, "%s/tensors/1?bytes=3", s);
    r = peer_do(&p, "GET", path, "", 0);
    EXPECT(r.status == 200 && r.body.n == 3);
    str_free(&r.body);
    r = peer_do(&p, "DELETE", s, "", 0);
    EXPECT(r.status == 204);
    str_free(&r.body);
    peer_close(&p);
}

/* Is the connection closed by the other side within so many seconds? */
static bool hung_up(Peer *p, double seconds)
{
    double until = ms_now() + seconds * 1e3;
    char c[512];
    while (ms_now() < until) {
        struct pollfd f = {p->fd, POLLIN, 0};
        if (poll(&f, 1, 100) > 0 && recv(p->fd, c, sizeof c, 0) <= 0)
            return true;
    }
    return false;
}

/* Heads that come a byte now and then; peers that say nothing; more of them than there is
 * room for.  head_s is 1 here. */
static void test_slow(void)
{
    enum { N = 300 };
    static Peer crowd[N];
    Peer slow = {.port = port, .fd = -1};
    for (int i = 0; i < N; i++) {
        crowd[i] = (Peer){.port = port, .fd = -1};
        EXPECT(peer_open(&crowd[i]));
        if (i % 7 == 0)
            served();
        if (i % 2)
            peer_send(&crowd[i], "GET /v1/he", 10);
    }
    EXPECT(peer_open(&slow));
    static const char head[] = "GET /v1/hello HTTP/1.1\r\nX: ";
    peer_send(&slow, head, sizeof head - 1);
    double until = ms_now() + 60e3;
    bool up = true;
    while (up && ms_now() < until) {
        up = peer_send(&slow, "y", 1);
        poll(NULL, 0, 50);
    }
    EXPECT(!up);
    served();
    for (int i = 0; i < N; i++) {
        EXPECT(hung_up(&crowd[i], 30));
        peer_close(&crowd[i]);
    }
    peer_close(&slow);
    served();
}

/* A run whose client reads nothing, one whose client is gone. */
static void test_deaf(void)
{
    Peer p = {.port = port, .fd = -1}, deaf = {.port = port, .fd = -1};
    char s[64], path[128], head[256];
    EXPECT(session_path(&p, "cpu -threads=1", s) == 200);
    snprintf(path, sizeof path, "%s/tensors", s);
    Reply r = peer_post(&p, path, "{\"bytes\": 50000000}");
    EXPECT(r.status == 200);
    str_free(&r.body);
    snprintf(head, sizeof head, "GET %s/tensors/1 HTTP/1.1\r\n" HOST "\r\n", s);
    EXPECT(peer_open(&deaf) && peer_send(&deaf, head, strlen(head)));
    for (int i = 0; i < 20; i++) {
        snprintf(path, sizeof path, "%s/tensors/1?at=%d&bytes=64", s, i);
        r = peer_do(&p, "GET", path, "", 0);
        EXPECT(r.status == 200 && r.body.n == 64);
        str_free(&r.body);
    }
    peer_close(&deaf);
    r = peer_do(&p, "DELETE", s, "", 0);
    EXPECT(r.status == 204);
    str_free(&r.body);
    peer_close(&p);
}

/* Whatever came, the server has as many descriptors as before in the end. */
static bool settles(int before)
{
    double until = ms_now() + 30e3;
    while (ms_now() < until) {
        if (descriptors(server) <= before)
            return true;
        poll(NULL, 0, 50);
    }
    return false;
}

static void test_hash(void)
{
    static const char *const known[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    unsigned char h[HashBytes];
    char hex[2 * HashBytes + 1];
    for (size_t i = 0; i < COUNT(known); i++) {
        sha256(known[i][0], strlen(known[i][0]), h);
        for (int k = 0; k < HashBytes; k++)
            snprintf(hex + 2 * k, 3, "%02x", h[k]);
        EXPECT(strcmp(hex, known[i][1]) == 0);
    }
}

int main(int argc, char **argv)
{
    targets_init();
    char dir[64], head[] = "--head-s=1", most[] = "--connections=200", log[] = "--log=/dev/null";
    char *words[] = {head, most, log};
    int self = other_self(argc, argv);
    if (self >= 0)
        return self;
    own_cache(dir);
    signal(SIGPIPE, SIG_IGN);
    test_hash();
    server = server_start(COUNT(words), words, &port);
    served();
    EXPECT(settles(descriptors(server)));
    int before = descriptors(server);
    test_garbage();
    test_pipeline();
    test_lies();
    test_slow();
    test_deaf();
    EXPECT(settles(before));
    EXPECT(server_stop(server) == 0);
    drop_cache(dir);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
