/* tests/bench/anchor.c: what `make bench` measures moontile against.
 *
 *     anchor gemm N THREADS REPS          OpenBLAS sgemm N^3 (OPENBLAS_CORETYPE)
 *     anchor vadd N THREADS REPS          c[i] = a[i] + b[i], plain loop
 *     anchor softmax ROWS COLS THREADS REPS   row softmax, plain loops
 *     anchor start REPS PROGRAM ARGS...   milliseconds until PROGRAM has ended
 *     anchor prompt REPS PROGRAM ARGS...  milliseconds until its first prompt "> "
 *     anchor keys REPS PROGRAM ARGS...    milliseconds until it has drawn what a key
 *                                         changed: the slowest of some forty keys
 *
 * Prints the median in milliseconds.  Compiled with the flags that the figure
 * names: -O3 -march=native -ffast-math.  Inputs are random, caches are flushed
 * before each run, as moontile's own do_bench does. */
#include <dlfcn.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MaxThreads = 256, FlushBytes = 96 << 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int before(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *t, int n)
{
    qsort(t, (size_t)n, sizeof *t, before);
    return t[n / 2];
}

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "anchor: out of memory\n");
        exit(1);
    }
    return p;
}

static float *numbers(size_t n)
{
    float *p = need(aligned_alloc(64, (n * sizeof *p + 63) / 64 * 64));
    unsigned s = 12345;
    for (size_t i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        p[i] = (float)(s >> 8) / 16777216.0f - 0.5f;
    }
    return p;
}

static void flush(void)
{
    static char *buf;
    if (!buf)
        buf = need(malloc(FlushBytes));
    static int v;
    memset(buf, ++v, FlushBytes);
}

/* Work split over threads by rows; the threads live as long as the run. */
typedef struct Job {
    void (*f)(size_t from, size_t to);
    size_t n;
    int id, threads;
} Job;

static pthread_barrier_t go, done;

static void part(const Job *j)
{
    size_t step = (j->n + (size_t)j->threads - 1) / (size_t)j->threads;
    size_t from = step * (size_t)j->id, to = from + step;
    if (from < j->n)
        j->f(from, to < j->n ? to : j->n);
}

static void *thread(void *ud)
{
    for (;;) {
        pthread_barrier_wait(&go);
        part(ud);
        pthread_barrier_wait(&done);
    }
    return NULL;
}

static double timed(void (*f)(size_t, size_t), size_t n, int threads, int reps)
{
    static Job job[MaxThreads];
    double *t = need(calloc((size_t)reps, sizeof *t));
    pthread_barrier_init(&go, NULL, (unsigned)threads);
    pthread_barrier_init(&done, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        job[i] = (Job){f, n, i, threads};
        pthread_t id;
        if (i && pthread_create(&id, NULL, thread, &job[i]))
            exit(1);
    }
    for (int r = -1; r < reps; r++) {
        flush();
        double start = now();
        pthread_barrier_wait(&go);
        part(&job[0]);
        pthread_barrier_wait(&done);
        if (r >= 0)
            t[r] = now() - start;
    }
    return median(t, reps);
}

static float *A, *B, *C;
static size_t cols;

static void vadd(size_t from, size_t to)
{
    const float *restrict a = A, *restrict b = B;
    float *restrict c = C;
    for (size_t i = from; i < to; i++)
        c[i] = a[i] + b[i];
}

static void softmax(size_t from, size_t to)
{
    for (size_t r = from; r < to; r++) {
        const float *restrict x = A + r * cols;
        float *restrict y = C + r * cols;
        float m = -INFINITY, s = 0;
        for (size_t i = 0; i < cols; i++)
            m = x[i] > m ? x[i] : m;
        for (size_t i = 0; i < cols; i++)
            s += y[i] = expf(x[i] - m);
        float k = 1 / s;
        for (size_t i = 0; i < cols; i++)
            y[i] *= k;
    }
}

typedef void Sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int,
                   float, float *, int);

static int gemm(int n, int threads, int reps)
{
    void *lib = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "anchor: libopenblas.so.0 is missing: apt-get install libopenblas0-pthread\n");
        return 2;
    }
    Sgemm *sgemm;
    void (*set)(int);
    void *f = dlsym(lib, "cblas_sgemm"), *g = dlsym(lib, "openblas_set_num_threads");
    if (!f || !g)
        return 2;
    memcpy(&sgemm, &f, sizeof f);
    memcpy(&set, &g, sizeof g);
    set(threads);
    size_t nn = (size_t)n * (size_t)n;
    A = numbers(nn);
    B = numbers(nn);
    C = numbers(nn);
    double *t = need(calloc((size_t)reps, sizeof *t));
    for (int r = -2; r < reps; r++) {
        flush();
        double start = now();
        sgemm(101, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n); /* row-major, no transposition */
        if (r >= 0)
            t[r] = now() - start;
    }
    printf("%.6f\n", median(t, reps));
    return 0;
}

/* Runs a program and waits for its end; milliseconds. */
static double spawn(char **argv)
{
    double start = now();
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stdout))
            _exit(127);
        execv(argv[0], argv);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fprintf(stderr, "anchor: %s failed\n", argv[0]);
    return now() - start;
}

/* Runs a program on a terminal of its own until it shows "> "; milliseconds. */
static double prompt(char **argv)
{
    int tty;
    double start = now(), seen = 0;
    pid_t pid = forkpty(&tty, NULL, NULL, NULL);
    if (pid == 0) {
        setenv("TERM", "xterm", 1);
        execv(argv[0], argv);
        _exit(127);
    }
    static char text[65536];
    size_t n = 0;
    ssize_t got;
    while (n < sizeof text && (got = read(tty, text + n, sizeof text - n)) > 0) {
        n += (size_t)got;
        if (!seen && memmem(text, n, "> ", 2)) {
            seen = now();
            if (write(tty, "\004", 1) != 1) /* end of input */
                break;
        }
    }
    close(tty);
    waitpid(pid, NULL, 0);
    if (!seen)
        fprintf(stderr, "anchor: %s shows no prompt\n", argv[0]);
    return seen - start;
}

/* Reads what the terminal shows; the time of the last of it before `quiet` ms
 * without any, or 0. */
static double quiet(int tty, int ms, bool *ready)
{
    struct pollfd p = {.fd = tty, .events = POLLIN};
    char text[65536];
    double last = 0;
    ssize_t got;
    while (poll(&p, 1, ms) > 0 && (got = read(tty, text, sizeof text)) > 0) {
        last = now();
        *ready = *ready || memmem(text, (size_t)got, "> ", 2);
    }
    return last;
}

/* Types keys at a program's prompt, each when the one before is drawn; the
 * milliseconds that the slowest one took. */
static double keys(char **argv)
{
    static const char *const key[] = {
        "l", "o", "c", "a", "l", " ", "x", "9", "\033[A", "\033[A", "\033[B", "\003", "T", ".",
        "g", "e", "m", "m", "(", "A", ",", " ", "B", ",", "C", ")", "\001", "\033[C", "\005", "\003",
        "\022", "x", "9", "9", "9", "\022", "\007", "f", "o", "r", "\r", "p", "\t", "\t", "\003",
    };
    struct winsize size = {.ws_row = 40, .ws_col = 100};
    int tty;
    pid_t pid = forkpty(&tty, NULL, NULL, &size);
    if (pid == 0) {
        setenv("TERM", "xterm", 1);
        execv(argv[0], argv);
        _exit(127);
    }
    double most = 0;
    bool ready = false;
    for (int i = 0; i < 100 && !ready; i++)
        quiet(tty, 50, &ready);
    quiet(tty, 500, &ready); /* what it loads while nobody types */
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        double start = now();
        if (write(tty, key[i], strlen(key[i])) < 0)
            break;
        double end = quiet(tty, 60, &ready);
        if (end - start > most)
            most = end - start;
    }
    if (write(tty, "\003\004", 2) == 2)
        quiet(tty, 200, &ready);
    close(tty);
    waitpid(pid, NULL, 0);
    if (!ready)
        fprintf(stderr, "anchor: %s shows no prompt\n", argv[0]);
    return most;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int reps = argc > 2 ? atoi(argv[argc - 1]) : 1;
    if (strcmp(what, "gemm") == 0 && argc == 5)
        return gemm(atoi(argv[2]), atoi(argv[3]), reps);
    if (strcmp(what, "vadd") == 0 && argc == 5) {
        size_t n = (size_t)atoll(argv[2]);
        A = numbers(n);
        B = numbers(n);
        C = numbers(n);
        printf("%.6f\n", timed(vadd, n, atoi(argv[3]), reps));
        return 0;
    }
    if (strcmp(what, "softmax") == 0 && argc == 6) {
        size_t rows = (size_t)atoll(argv[2]);
        cols = (size_t)atoll(argv[3]);
        A = numbers(rows * cols);
        C = numbers(rows * cols);
        printf("%.6f\n", timed(softmax, rows, atoi(argv[4]), reps));
        return 0;
    }
    if (argc >= 4 && (strcmp(what, "start") == 0 || strcmp(what, "prompt") == 0 ||
                      strcmp(what, "keys") == 0)) {
        reps = atoi(argv[2]);
        double *t = need(calloc((size_t)reps, sizeof *t));
        for (int i = 0; i < reps; i++)
            t[i] = what[0] == 'p' ? prompt(argv + 3) : what[0] == 'k' ? keys(argv + 3) : spawn(argv + 3);
        printf("%.3f\n", median(t, reps));
        return 0;
    }
    fprintf(stderr, "usage: see the head of tests/bench/anchor.c\n");
    return 2;
}
