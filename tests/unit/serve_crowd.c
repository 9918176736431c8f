/* Many clients at once, with workers and whole sessions killed at random: no wrong answer, no
 * session lost that was not told so, no leak, no crash of the server.
 *
 *     serve_crowd [CLIENTS [REQUESTS [SEED]]]      12 clients, 2000 requests (300
 *                                                  with sanitizers); 64 10000: the figure
 *     serve_crowd calm [CLIENTS [REQUESTS]]        nothing is killed, nobody hurries: how long
 *                                                  a small launch takes; 16 2000 */
#include <pthread.h>

#include "core/base/base64.h"
#include "serve_client.h"
#include "../../targets/targets.h"
#include "times.h"

enum { Elements = 1000, Told = 8, MaxClients = 256, MaxTimes = 100000 };
enum { Asked = TIMES(2000, 300) }; /* requests, unless told */

static int port;
static pid_t server;
static long quota;               /* requests in all */
static int clients;
static _Atomic int ready;        /* clients that have a session and a kernel */
static _Atomic long asked, told, reopened, wrong;
static _Atomic bool over;
static bool calm;                /* launches alone, with pauses */
static double took[MaxTimes];    /* of launches */
static _Atomic int ntook;

typedef struct One One;
struct One {
    Peer p;
    Dice d;
    char session[64];
    float x[Elements], y[Elements]; /* what tensors 1 and 2 hold */
    bool sure;                      /* is y known? */
    long kernel;
};

/* The session is gone, or the answer: both are said.  A connection may be cut only by what was
 * killed: then the next request tells. */
static bool gone(One *o, const Reply *r)
{
    if (r->status == 404 && reply_says(r, "serve_session_gone")) {
        EXPECT(reply_says(r, "crashed") || reply_says(r, "replaced"));
        told++;
        o->session[0] = '\0';
        return true;
    }
    return false;
}

/* Does it say that something of the server's was killed? */
static bool killed(const Reply *r)
{
    static const char *const id[] = {"crash_kill", "worker_died", "worker_signal", "serve_died",
                                     "cc_killed", "serve_lost", "contents_gone"};
    for (size_t i = 0; i < COUNT(id); i++)
        if (reply_says(r, id[i]))
            return true;
    return false;
}

static Reply ask(One *o, const char *method, const char *rest, const void *body, size_t n)
{
    char path[160];
    snprintf(path, sizeof path, "%s%s", o->session, rest);
    Reply r = peer_do(&o->p, method, path, body, n);
    asked++;
    if (r.status == 429)
        poll(NULL, 0, 200);
    return r;
}

/* Is it the answer that was hoped for?  Otherwise it is one that tells why. */
static bool good(One *o, Reply *r, int status)
{
    bool ok = r->status == status;
    if (!ok && *o->session && !gone(o, r) && r->status != 429 && !killed(r)) {
        printf("%d%s %s\n", r->status, r->cut ? " cut" : "", r->body.s ? r->body.s : "");
        EXPECT(!"an answer that was not to be expected");
    }
    return ok;
}

static void upload(One *o)
{
    for (int i = 0; i < Elements; i++)
        o->x[i] = (float)below(&o->d, 1000);
    Reply r = ask(o, "PUT", "/tensors/1", o->x, sizeof o->x);
    good(o, &r, 204);
    str_free(&r.body);
}

static void begin(One *o)
{
    /* some devices have memory of their own: what only a killed worker had is gone */
    const char *target = !calm && below(&o->d, 3) == 0 ? "cpu -devcopy -threads=1" : "cpu -threads=1";
    int status = session_path(&o->p, target, o->session);
    asked++;
    /* 404, 422: killed as it was opened */
    EXPECT(status == 200 || status == 429 || status == 404 || status == 422);
    if (status != 200)
        return;
    reopened++;
    for (int i = 0; i < 2 && *o->session; i++) {
        Reply r = ask(o, "POST", "/tensors", "{\"bytes\": 4000}", 15);
        good(o, &r, 200);
        str_free(&r.body);
    }
    for (bool made = false; *o->session && !made;) {
        Reply r = ask(o, "POST", "/kernels", add_text, sizeof add_text - 1);
        bool died = r.status == 422 && killed(&r); /* as it was compiled or loaded */
        made = !died && good(o, &r, 200);
        o->kernel = reply_number(&r, "kernel");
        told += died;
        str_free(&r.body);
    }
    if (*o->session)
        upload(o);
    memset(o->y, 0, sizeof o->y);
    o->sure = true;
    ready++;
}

/* Is what was told behind a launch the beginning of y? */
static void told_behind(const One *o, const Reply *r)
{
    static const char key[] = "\"after\": [\"";
    char *s = strstr(r->body.s, key), *end = s ? strchr(s + sizeof key - 1, '"') : NULL;
    float got[Told] = {0};
    EXPECT(end);
    if (!end)
        return;
    s += sizeof key - 1;
    EXPECT(base64_get(s, (size_t)(end - s), got, sizeof got) == sizeof got);
    for (int i = 0; i < Told; i++)
        wrong += got[i] != o->y[i];
}

/* y = x + a for the first n; what was killed in between is said. */
static void launch(One *o)
{
    char text[400];
    float a = (float)below(&o->d, 1000);
    int n = 1 + (int)below(&o->d, Elements);
    bool timed = !calm && below(&o->d, 20) == 0, along = !calm && below(&o->d, 3) == 0;
    snprintf(text, sizeof text,
             "{\"kernel\": %ld, \"args\": [{\"t\": 1}, {\"t\": 2}, {\"f\": \"%a\"}, {\"i\": %d}]%s%s}",
             o->kernel, (double)a, n, timed ? ", \"times\": 2" : "",
             along ? ", \"before\": [{\"t\": 2, \"bytes\": 4000}], "
                     "\"after\": [{\"t\": 2, \"bytes\": 32}]" : "");
    double t = ms_now();
    Reply r = ask(o, "POST", "/launch", text, strlen(text));
    t = ms_now() - t;
    if (r.status == 200 && reply_says(&r, "{\"done\"")) {
        for (int i = 0; i < Elements; i++)
            o->y[i] = i < n ? o->x[i] + a : along ? 0 : o->y[i];
        o->sure = o->sure || along;
        if (along)
            told_behind(o, &r);
        int k = calm && ready < clients ? MaxTimes : ntook++; /* others still compile */
        if (k < MaxTimes)
            took[k] = t;
    } else if (r.status == 200 && !r.cut) {
        EXPECT(reply_says(&r, "{\"error\""));
        EXPECT(killed(&r));
        if (!killed(&r))
            printf("answered %.300s\n", r.body.s ? r.body.s : "");
        told++;
        o->sure = false; /* some of it may have been written */
    } else {
        good(o, &r, 200);
    }
    str_free(&r.body);
}

static void look(One *o)
{
    float got[Elements];
    Reply r = ask(o, "GET", "/tensors/2", "", 0);
    if (good(o, &r, 200)) {
        EXPECT(r.body.n == sizeof got);
        memcpy(got, r.body.s, sizeof got);
        for (int i = 0; i < Elements && o->sure; i++)
            wrong += got[i] != o->y[i];
        memcpy(o->y, got, sizeof got);
        o->sure = true;
    } else {
        o->sure = false;
    }
    str_free(&r.body);
}

static void zero(One *o)
{
    Reply r = ask(o, "POST", "/tensors/2/zero", "{\"at\": 0, \"bytes\": 4000}", 24);
    if (good(o, &r, 204)) {
        memset(o->y, 0, sizeof o->y);
        o->sure = true;
    } else {
        o->sure = false;
    }
    str_free(&r.body);
}

/* A tensor that comes and goes; a kernel that does not read. */
static void other(One *o)
{
    char path[64];
    if (below(&o->d, 2)) {
        Reply r = ask(o, "POST", "/kernels", "kernel broken(", 14);
        good(o, &r, 422);
        str_free(&r.body);
        return;
    }
    Reply r = ask(o, "POST", "/tensors", "{\"bytes\": 300000}", 17);
    long k = reply_number(&r, "tensor");
    bool made = good(o, &r, 200);
    str_free(&r.body);
    if (!made)
        return;
    snprintf(path, sizeof path, "/tensors/%ld", k);
    r = ask(o, "DELETE", path, "", 0);
    good(o, &r, 204);
    str_free(&r.body);
}

/* Hangs up in the middle of something. */
static void rude(One *o)
{
    char path[128];
    snprintf(path, sizeof path, "%s/launch", o->session);
    if (o->p.fd >= 0 || peer_open(&o->p))
        peer_ask(&o->p, "POST", path, "{\"kernel\": 1, \"args\": [", below(&o->d, 22));
    close(o->p.fd);
    o->p.fd = -1;
    o->p.n = 0;
    asked++;
}

static void *client(void *ud)
{
    One *o = ud;
    while (asked < quota && failures < 20) {
        if (!*o->session)
            begin(o);
        else if (calm) {
            launch(o);
            poll(NULL, 0, (int)below(&o->d, 40));
        } else
            switch (below(&o->d, 12)) {
            case 0: case 1: upload(o); break;
            case 2: case 3: look(o); break;
            case 4: zero(o); break;
            case 5: other(o); break;
            case 6: below(&o->d, 8) ? look(o) : rude(o); break;
            default: launch(o);
            }
    }
    peer_close(&o->p);
    return NULL;
}

/* Kills workers, now and then a session's process. */
static void *killer(void *ud)
{
    Dice *d = ud;
    while (!over) {
        pid_t seat[MaxClients], worker[8];
        int n = children_of(server, seat, MaxClients);
        poll(NULL, 0, 1 + (int)below(d, 10));
        if (!n)
            continue;
        pid_t one = seat[below(d, (uint32_t)n)];
        int w = children_of(one, worker, COUNT(worker));
        if (below(d, 6) == 0)
            kill(one, SIGKILL);
        else if (w)
            kill(worker[below(d, (uint32_t)w)], SIGKILL);
    }
    return NULL;
}

/* Peers that send half a head, and nothing. */
static void *nuisance(void *ud)
{
    (void)ud;
    Peer p[20];
    while (!over) {
        for (size_t i = 0; i < COUNT(p); i++) {
            p[i] = (Peer){.port = port, .fd = -1};
            if (peer_open(&p[i]))
                peer_send(&p[i], "POST /v1/sessions HTTP/1.1\r\nConte", i % 34);
        }
        poll(NULL, 0, 100);
        for (size_t i = 0; i < COUNT(p); i++)
            peer_close(&p[i]);
    }
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

int main(int argc, char **argv)
{
    targets_init();
    static One all[MaxClients];
    pthread_t thread[MaxClients], extra[2];
    int self = other_self(argc, argv);
    if (self >= 0)
        return self;
    char dir[64], log[] = "--log=/dev/null", many[] = "--sessions-all=300";
    char rate[] = "--requests-s=1000000";
    char *words[] = {log, many, rate};
    calm = argc > 1 && strcmp(argv[1], "calm") == 0;
    argc -= calm;
    argv += calm;
    int n = argc > 1 ? atoi(argv[1]) : calm ? 16 : 12;
    quota = argc > 2 ? atol(argv[2]) : Asked;
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    Dice dicing = {seed};
    n = n < 1 ? 1 : n > MaxClients ? MaxClients : n;
    clients = n;
    own_cache(dir);
    signal(SIGPIPE, SIG_IGN);
    server = server_start(COUNT(words), words, &port);
    double t = ms_now();
    over = calm; /* then these two end at once */
    pthread_create(&extra[0], NULL, killer, &dicing);
    pthread_create(&extra[1], NULL, nuisance, NULL);
    for (int i = 0; i < n; i++) {
        all[i].p = (Peer){.port = port, .fd = -1};
        all[i].d.s = seed * 1000 + (uint64_t)i;
        pthread_create(&thread[i], NULL, client, &all[i]);
    }
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    over = true;
    for (size_t i = 0; i < COUNT(extra); i++)
        pthread_join(extra[i], NULL);
    t = (ms_now() - t) * 1e-3;
    EXPECT(wrong == 0);
    EXPECT(server_stop(server) == 0);
    drop_cache(dir);
    int k = ntook < MaxTimes ? ntook : MaxTimes;
    qsort(took, (size_t)k, sizeof *took, by_size);
    printf("%d clients, %ld requests in %.1f s, %ld sessions, %ld told of deaths, %ld wrong; "
           "launches %.2f ms median, %.2f ms 99th\n", n, asked, t, reopened, told, wrong,
           k ? took[k / 2] : 0, k ? took[k * 99 / 100] : 0);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
