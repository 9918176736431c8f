/* The server's doors, tried by a client that knows repl/serve/protocol.md and wishes it ill: what
 * its kernels get to know, what they leave behind, whom they hold up, what they are told. */
#include <pthread.h>
#include <zlib.h>

#include "core/device/jail.h"
#include "serve_client.h"
#include "../../targets/targets.h"

#define HOST "Host: localhost\r\n"

static int port;
static pid_t server;

static void start(int argc, char **argv) { server = server_start(argc, argv, &port); }

/* Runs until A[0] is 1 or more, which zeros never are. */
static const char spin_text[] = "kernel spin(A)\n  buffer A: global float32[64]\n"
                                "  launch bx in 1 threads 64 do\n    while A[0] < 1.0 do\n"
                                "      for i in parallel(64) do\n        A[i] = A[i]*0.5\n"
                                "      end\n    end\n  end\nend\n";
static const char fill_text[] = "kernel twos(A)\n  buffer A: global float32[64]\n"
                                "  launch bx in 1 threads 64 do\n    for i in parallel(64) do\n"
                                "      A[i] = 2.0\n    end\n  end\nend\n";
static const char run_body[] = "{\"kernel\": 1, \"args\": [{\"t\": 1}]}";

/* What takes a C compiler many seconds. */
static Str bomb(void)
{
    Str s = {0};
    str_puts(&s, "kernel bomb(B)\n  buffer B: global int32[16]\n  launch bx in 1 threads 64 do\n"
                 "    for i in unroll(16) do\n      for j in unroll(16) do\n");
    for (int i = 0; i < 1500; i++)
        str_fmt(&s, "        B[%d] = B[%d]*%d + B[%d]\n", i % 16, i * 7 % 16, i + 3, i * 5 % 16);
    str_puts(&s, "      end\n    end\n  end\nend\n");
    return s;
}

/* A session with a tensor of 256 bytes and this kernel; its status. */
static int with_kernel(Peer *p, const char *target, const char *text, char s[64])
{
    char path[128];
    int status = session_path(p, target, s);
    snprintf(path, sizeof path, "%s/tensors", s);
    Reply r = peer_post(p, path, "{\"bytes\": 256}");
    str_free(&r.body);
    snprintf(path, sizeof path, "%s/kernels", s);
    r = peer_post(p, path, text);
    status = status == 200 ? r.status : status;
    str_free(&r.body);
    return status;
}

/* Sends a run and does not wait for its answer. */
static void begin_run(Peer *p, const char *s)
{
    char path[128];
    snprintf(path, sizeof path, "%s/launch", s);
    EXPECT(peer_ask(p, "POST", path, run_body, sizeof run_body - 1));
}

static bool until(bool (*f)(void), double seconds)
{
    double end = ms_now() + seconds * 1e3;
    while (!f()) {
        if (ms_now() > end)
            return false;
        poll(NULL, 0, 20);
    }
    return true;
}

/* Processes ---------------------------------------------------------------- */

static pid_t seat;
static int kin;

static bool count_kin(void *ud, const Kin *k)
{
    (void)ud;
    kin += k->session == seat && !k->dead;
    return true;
}

static int kin_now(void)
{
    kin = 0;
    kin_each(count_kin, NULL);
    return kin;
}

static bool compiles(void) { return kin_now() > 2; } /* the seat, its worker, a compiler */
static bool nobody(void) { return kin_now() == 0; }

static Str slurp(const char *path)
{
    Str s = {0};
    char buf[4096];
    FILE *f = fopen(path, "re");
    for (size_t n; f && (n = fread(buf, 1, sizeof buf, f)) > 0;)
        str_add(&s, buf, n);
    if (f)
        fclose(f);
    return s;
}

/* Nothing of the server's environment but what is needed; bounds of memory, on sim too. */
static void test_rooms(void)
{
    Peer p = {.port = port, .fd = -1};
    char s[64], path[64];
    pid_t all[2] = {0};
    EXPECT(session_path(&p, "sim -arch=sm_80", s) == 200);
    EXPECT(children_of(server, all, 1) == 1);
    EXPECT(children_of(all[0], all + 1, 1) == 1);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "/proc/%d/environ", (int)all[i]);
        Str e = slurp(path); /* empty where we may not even look */
        EXPECT(!e.n || !memmem(e.s, e.n, "hush", 4));
        EXPECT(!e.n || !memmem(e.s, e.n, "\0HOME=", 6));
        EXPECT(!e.n || memmem(e.s, e.n, "TMPDIR=", 7));
        str_free(&e);
        snprintf(path, sizeof path, "/proc/%d/limits", (int)all[i]);
        e = slurp(path);
        EXPECT(SANITIZED || !e.n || strstr(e.s, "Max data size             536870912"));
        str_free(&e);
    }
    Reply r = peer_do(&p, "DELETE", s, "", 0);
    EXPECT(r.status == 204);
    str_free(&r.body);
    peer_close(&p);
}

/* A session that is closed while its compiler works; a server that is killed then. */
static void test_orphans(bool killed)
{
    Peer p = {.port = port, .fd = -1}, q = {.port = port, .fd = -1};
    char s[64], path[128];
    Str text = bomb();
    EXPECT(session_path(&p, "cpu -threads=1", s) == 200);
    EXPECT(children_of(server, &seat, 1) == 1);
    snprintf(path, sizeof path, "%s/kernels", s);
    EXPECT(peer_ask(&p, "POST", path, text.s, text.n));
    EXPECT(until(compiles, 300));
    if (killed) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    } else {
        Reply r = peer_do(&q, "DELETE", s, "", 0);
        EXPECT(r.status == 204);
        str_free(&r.body);
        EXPECT(session_path(&q, "cpu -threads=1", s) == 200); /* waits for the old one's end */
        EXPECT(nobody());
        r = peer_do(&q, "DELETE", s, "", 0);
        str_free(&r.body);
    }
    EXPECT(until(nobody, 300));
    str_free(&text);
    peer_close(&p);
    peer_close(&q);
}

/* Bodies ------------------------------------------------------------------- */

typedef struct Bomb Bomb;
struct Bomb { char path[128]; unsigned char *body; size_t n; int status; _Atomic bool done; };

static void *drop_bomb(void *ud)
{
    Bomb *b = ud;
    char head[256];
    Peer p = {.port = port, .fd = -1};
    int n = snprintf(head, sizeof head, "PUT %s HTTP/1.1\r\n" HOST "Content-Encoding: deflate\r\n"
                     "Content-Length: %zu\r\n\r\n", b->path, b->n);
    if (peer_open(&p) && peer_send(&p, head, (size_t)n) && peer_send(&p, b->body, b->n)) {
        Reply r = peer_read(&p);
        b->status = r.status;
        str_free(&r.body);
    }
    peer_close(&p);
    b->done = true;
    return NULL;
}

/* `pieces` MiB of zeros as deflate has them: one of them, again and again. */
static void deflated(Bomb *b, int pieces)
{
    static unsigned char zeros[1 << 20], piece[1 << 14];
    z_stream z = {.next_in = zeros, .avail_in = sizeof zeros, .next_out = piece,
                  .avail_out = sizeof piece};
    EXPECT(deflateInit2(&z, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    EXPECT(deflate(&z, Z_FULL_FLUSH) == Z_OK && z.avail_out > 0);
    size_t n = sizeof piece - z.avail_out;
    uint32_t sum = (uint32_t)((uint64_t)pieces * sizeof zeros % 65521) << 16 | 1; /* Adler-32 */
    const unsigned char end[] = {3, 0, (unsigned char)(sum >> 24), (unsigned char)(sum >> 16),
                                 (unsigned char)(sum >> 8), (unsigned char)sum};
    b->n = 2 + n * (size_t)pieces + sizeof end;
    b->body = malloc(b->n);
    memcpy(b->body, "\x78\xda", 2);
    for (int i = 0; i < pieces; i++)
        memcpy(b->body + 2 + n * (size_t)i, piece, n);
    memcpy(b->body + b->n - sizeof end, end, sizeof end);
    deflateEnd(&z);
}

/* Many others are answered while a body of a quarter of a MiB becomes 256 of them. */
static void test_bombs(void)
{
    enum { Large = 256 << 20 };
    Bomb b = {.status = 0};
    Peer p = {.port = port, .fd = -1};
    char s[64], path[128], body[64];
    pthread_t thread;
    int answered = 0;
    EXPECT(session_path(&p, "cpu -threads=1", s) == 200);
    snprintf(path, sizeof path, "%s/tensors", s);
    snprintf(body, sizeof body, "{\"bytes\": %d}", Large);
    Reply r = peer_post(&p, path, body);
    EXPECT(r.status == 200);
    str_free(&r.body);
    deflated(&b, Large >> 20);
    snprintf(b.path, sizeof b.path, "%s/tensors/1?bytes=%d", s, Large);
    EXPECT(pthread_create(&thread, NULL, drop_bomb, &b) == 0);
    while (!b.done) {
        r = peer_do(&p, "GET", "/v1/hello", "", 0);
        answered += r.status == 200;
        str_free(&r.body);
    }
    pthread_join(thread, NULL);
    EXPECT(b.status == 204 && answered >= 40);
    free(b.body);
    r = peer_do(&p, "DELETE", s, "", 0);
    str_free(&r.body);
    peer_close(&p);
}

/* Heads -------------------------------------------------------------------- */

#define GET "GET /v1/hello HTTP/1.1\r\n"
#define POST "POST /v1/sessions HTTP/1.1\r\n"

/* What two readers may read in two ways is refused, and nothing behind it is read. */
static void test_heads(void)
{
    static const char *const heads[] = {
        GET HOST HOST "\r\n", GET HOST "Host: elsewhere\r\n\r\n",
        GET "Host: elsewhere\r\n" HOST "\r\n", GET HOST "X: a\r\n b: c\r\n\r\n",
        GET HOST "X Y: a\r\n\r\n", GET HOST "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
        POST HOST "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        POST HOST "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        POST HOST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        POST HOST "Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}",
        POST HOST "Content-Length : 2\r\n\r\n{}", POST HOST "Transfer-Encoding: xchunked\r\n\r\n",
        POST HOST "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    };
    for (size_t i = 0; i < COUNT(heads); i++) {
        Peer p = {.port = port, .fd = -1};
        Str all = {0};
        str_fmt(&all, "%s%s", heads[i], GET HOST "\r\n"); /* the one that is smuggled in */
        EXPECT(peer_open(&p) && peer_send(&p, all.s, all.n));
        Reply r = peer_read(&p), next = peer_read(&p);
        if (r.status != 400 || next.status != 0)
            printf("head %zu: %d, then %d\n", i, r.status, next.status);
        EXPECT(r.status == 400 && next.status == 0);
        str_free(&r.body);
        str_free(&next.body);
        str_free(&all);
        peer_close(&p);
    }
}

/* Programs ----------------------------------------------------------------- */

/* Extents that nobody can count end in a message, and the session is still there. */
static void test_extents(void)
{
    static const char *const loops[] = {"1163191520", "2147483647", "9223372036854775807"};
    char s[64], path[128], text[512];
    Peer p = {.port = port, .fd = -1};
    EXPECT(session_path(&p, "sim -arch=sm_80", s) == 200);
    snprintf(path, sizeof path, "%s/kernels", s);
    for (size_t i = 0; i < COUNT(loops); i++) {
        snprintf(text, sizeof text, "kernel k(A)\n  buffer A: global float32[500]\n"
                 "  launch bx in 1 threads 128 do\n    for i in parallel(%s) do\n"
                 "      A[i] = A[i] + 1\n    end\n  end\nend\n", loops[i]);
        Reply r = peer_post(&p, path, text);
        EXPECT(r.status == 422 && !reply_says(&r, "\"bug\""));
        str_free(&r.body);
    }
    Reply r = peer_post(&p, path, fill_text);
    EXPECT(r.status == 200);
    str_free(&r.body);
    r = peer_do(&p, "DELETE", s, "", 0);
    str_free(&r.body);
    peer_close(&p);
}

/* One endless kernel does not hold up another's on the processor; its end is told as a limit of
 * the server's, without advice that helps only at home. */
static void test_endless(void)
{
    Peer p = {.port = port, .fd = -1}, q = {.port = port, .fd = -1};
    char s[64], t[64], path[128];
    EXPECT(with_kernel(&p, "cpu -threads=1", spin_text, s) == 200);
    EXPECT(with_kernel(&q, "cpu -threads=1", fill_text, t) == 200);
    begin_run(&p, s);
    snprintf(path, sizeof path, "%s/launch", t);
    Reply r = peer_post(&q, path, run_body);
    EXPECT(r.status == 200 && reply_says(&r, "\"done\""));
    struct pollfd f = {p.fd, POLLIN, 0};
    char some[16384];
    ssize_t n = poll(&f, 1, 0) > 0 ? recv(p.fd, some, sizeof some - 1, MSG_PEEK) : 0;
    some[n > 0 ? n : 0] = '\0';
    EXPECT(!strstr(some, "\"error\"")); /* it still runs */
    str_free(&r.body);
    r = peer_read(&p);
    EXPECT(reply_says(&r, "serve_late") && reply_says(&r, "the limit is the server's"));
    EXPECT(!reply_says(&r, ":limit") && !reply_says(&r, "MOONTILE_TIME_LIMIT"));
    str_free(&r.body);
    snprintf(path, sizeof path, "%s/tensors", t);
    r = peer_post(&q, path, "{\"bytes\": 70000000000000}");
    EXPECT(r.status == 413 && reply_says(&r, "the limit is the server's"));
    str_free(&r.body);
    peer_close(&p);
    peer_close(&q);
}

/* Whoever waits behind an endless kernel is never told that it takes no time. */
static void test_waits(void)
{
    Peer p = {.port = port, .fd = -1}, q = {.port = port, .fd = -1};
    char s[64], t[64], path[128];
    EXPECT(with_kernel(&p, "cpu -threads=1", spin_text, s) == 200);
    EXPECT(with_kernel(&q, "cpu -threads=1", fill_text, t) == 200);
    snprintf(path, sizeof path, "%s/launch", t);
    for (int i = 0; i < 5; i++) { /* what runs take so far */
        Reply r = peer_post(&q, path, run_body);
        EXPECT(reply_says(&r, "\"done\""));
        str_free(&r.body);
    }
    begin_run(&p, s);
    Reply r = peer_post(&q, path, run_body);
    for (int i = 0; i < 1000 && !reply_says(&r, "\"queue\": 1"); i++) { /* the other's may not have begun */
        str_free(&r.body);
        poll(NULL, 0, 1);
        r = peer_post(&q, path, run_body);
    }
    EXPECT(reply_says(&r, "\"done\"") && reply_says(&r, "\"queue\": 1"));
    for (const char *w = r.body.s; w && (w = strstr(w, "\"wait_s\": ")); w += 10) {
        double seconds = atof(w + 10);
        EXPECT(seconds > 0.1 && seconds <= 2);
    }
    str_free(&r.body);
    peer_close(&p);
    peer_close(&q);
}

int main(int argc, char **argv)
{
    targets_init();
    char dir[64], log[] = "--log=/dev/null", run[] = "--kernel-s=4", one[] = "--at-once=1";
    char process[] = "--process=512M", less[] = "--kernel-s=2";
    char *words[] = {log, run, process}, *waits[] = {log, less, process, one};
    int self = other_self(argc, argv);
    if (self >= 0)
        return self;
    own_cache(dir);
    setenv("NVIDIA_API_KEY", "hush", 1);
    setenv("MOONTILE_TOKEN", "hush", 1);
    setenv("LC_KEY", "hush", 1);
    setenv("MOONTILE_KEY_LIB", "hush", 1);
    setenv("HOME", dir, 1);
    signal(SIGPIPE, SIG_IGN);
    start(3, words);
    test_rooms();
    test_orphans(false);
    test_bombs();
    test_heads();
    test_extents();
    test_endless();
    EXPECT(server_stop(server) == 0);
    start(4, waits);
    test_waits();
    EXPECT(server_stop(server) == 0);
    start(3, words);
    test_orphans(true);
    drop_cache(dir);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
