/* The cache: whole entries or none, damage of each kind found, the oldest
 * evicted, folders that cannot be used replaced, builders side by side. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/device/cache.h"
#include "../../targets/cpu/cpu.h"
#include "err/build.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("cache_test.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

static char root[64], other[128]; /* the cache, and its replacement */
static const Hash key = {1, 2}, key2 = {1, 3};

/* A shell command, run in dir. */
static void run(const char *dir, const char *command)
{
    char cmd[512];
    snprintf(cmd, sizeof cmd, "cd %s && %s", dir, command);
    if (system(cmd) != 0) {
        printf("failed: %s\n", cmd);
        failures++;
    }
}

/* The first message of c, E_none if none; empties c. */
static Err first(Ctx *c)
{
    Err e = c->diags ? c->diags->err : E_none;
    ctx_free(c);
    ctx_init(c, NULL, 0);
    return e;
}

static void write_file(const char *path, const char *s, size_t n)
{
    FILE *f = fopen(path, "we");
    EXPECT(f != NULL);
    if (!f)
        return;
    EXPECT(fwrite(s, 1, n, f) == n);
    fclose(f);
}

static bool put(const Cache *k, Hash h, const char *s, size_t n)
{
    Str temp = {0}, path = {0};
    cache_temp(k, "so", &temp);
    write_file(temp.s, s, n);
    bool ok = cache_put(k, h, "so", temp.s, &path);
    EXPECT(access(temp.s, F_OK) != 0);
    str_free(&temp);
    str_free(&path);
    return ok;
}

static bool get(const Cache *k, Hash h)
{
    Str path = {0};
    bool ok = cache_get(k, h, "so", &path);
    EXPECT(ok == (path.n > 0));
    str_free(&path);
    return ok;
}

static char text[10000];

static void test_damage(const Cache *k, Ctx *c)
{
    Str path = {0};
    struct stat st;
    (void)c;
    EXPECT(!get(k, key));
    EXPECT(put(k, key, text, sizeof text) && get(k, key) && !get(k, key2));
    cache_path(k, key, "so", &path);
    EXPECT(stat(path.s, &st) == 0 && (st.st_mode & 0777) == 0600);

    static const off_t place[] = {0, 5000, 9999, 10000, 10010, 10020, 10040, 10047};
    for (size_t i = 0; i < COUNT(place); i++) { /* one byte, of text or trailer */
        char ch;
        int fd = open(path.s, O_RDWR | O_CLOEXEC);
        EXPECT(pread(fd, &ch, 1, place[i]) == 1);
        ch ^= 1;
        EXPECT(pwrite(fd, &ch, 1, place[i]) == 1);
        close(fd);
        EXPECT(!get(k, key));
        EXPECT(put(k, key, text, sizeof text) && get(k, key));
    }
    static const off_t length[] = {0, 1, 47, 48, 5000, 10000, 10047, 10049};
    for (size_t i = 0; i < COUNT(length); i++) { /* shorter, or longer */
        EXPECT(truncate(path.s, length[i]) == 0 && !get(k, key));
        EXPECT(put(k, key, text, sizeof text) && get(k, key));
    }
    Str path2 = {0};
    cache_path(k, key2, "so", &path2);
    EXPECT(link(path.s, path2.s) == 0 && !get(k, key2)); /* mixed up */
    unlink(path2.s);
    EXPECT(symlink(path.s, path2.s) == 0 && !get(k, key2));
    EXPECT(put(k, key2, text, 10) && get(k, key2) && get(k, key));
    unlink(path2.s);
    EXPECT(mkdir(path2.s, 0700) == 0 && !get(k, key2)); /* a folder in its place */
    EXPECT(put(k, key2, text, 10) && get(k, key2));
    EXPECT(chmod(path.s, 0666) == 0 && !get(k, key)); /* others could have written */
    EXPECT(put(k, key, text, 10) && get(k, key));
    if (geteuid() == 0) {
        EXPECT(chown(path.s, 12345, 12345) == 0 && !get(k, key));
    } else {
        EXPECT(chmod(path.s, 0) == 0 && !get(k, key));
    }
    EXPECT(put(k, key, text, 10) && get(k, key));
    EXPECT(!put(k, key, "", 0)); /* nothing is no entry */
    str_free(&path);
    str_free(&path2);
}

static void test_eviction(Cache *k)
{
    struct timeval old[2] = {{0}};
    Str path = {0};
    uint64_t keep = k->limit;
    int64_t grace = k->grace;
    k->limit = 55000;
    k->grace = -60; /* files' clock may run a little ahead of time()'s */
    for (uint64_t i = 0; i < 8; i++) {
        Hash h = {100, i};
        EXPECT(put(k, h, text, sizeof text));
        path.n = 0;
        cache_path(k, h, "so", &path);
        old[0].tv_sec = old[1].tv_sec = 1000000 + (time_t)i * 1000;
        EXPECT(utimes(path.s, old) == 0);
        if (i == 4)
            EXPECT(get(k, (Hash){100, 0})); /* the first is in use */
    }
    EXPECT(get(k, (Hash){100, 0}) && get(k, (Hash){100, 7}));
    EXPECT(!get(k, (Hash){100, 1}) && !get(k, (Hash){100, 2}));
    k->limit = 0;
    EXPECT(put(k, key, text, 10) && get(k, key)); /* the newest always stays */
    EXPECT(!get(k, (Hash){100, 7}));
    /* temporary files of the dead are swept, others left alone */
    path.n = 0;
    str_fmt(&path, "%s/tmp.1.so", k->dir.s);
    write_file(path.s, "x", 1);
    EXPECT(put(k, key, text, 10) && access(path.s, F_OK) == 0);
    EXPECT(utimes(path.s, old) == 0 && put(k, key, text, 10) && access(path.s, F_OK) != 0);
    /* what the folder holds is counted, and counted anew when the count is lost */
    k->limit = 55000;
    for (uint64_t i = 0; i < 40; i++) {
        EXPECT(put(k, (Hash){200, i}, text, sizeof text));
        path.n = 0;
        str_fmt(&path, "%s/ledger", k->dir.s);
        if (i % 4 == 1)
            EXPECT(truncate(path.s, 13) == 0); /* torn */
        if (i % 4 == 3)
            EXPECT(unlink(path.s) == 0);
        run(k->dir.s, "test $(cat -- *.so | wc -c) -le 55000");
    }
    EXPECT(get(k, (Hash){200, 39}) && !get(k, (Hash){200, 0}));
    /* what was handed out a moment ago may not have been loaded yet */
    k->limit = 0;
    k->grace = grace;
    EXPECT(put(k, (Hash){300, 0}, text, 10) && put(k, (Hash){300, 1}, text, 10));
    EXPECT(get(k, (Hash){300, 0}) && get(k, (Hash){200, 39}));
    str_free(&path);
    k->limit = keep;
}

/* Opens with MOONTILE_CACHE_DIR = dir; the message, and whether `other`
 * serves. */
static Err opened(const char *dir, bool *moved)
{
    Ctx c;
    Cache k;
    ctx_init(&c, NULL, 0);
    setenv("MOONTILE_CACHE_DIR", dir, 1);
    bool ok = cache_open(&k, &c);
    *moved = ok && strncmp(k.dir.s, other, strlen(other)) == 0;
    if (ok)
        cache_close(&k);
    Err e = first(&c);
    ctx_free(&c);
    return e;
}

static void test_folders(void)
{
    char dir[128];
    bool moved;
    snprintf(dir, sizeof dir, "%s/file", root);
    write_file(dir, "x", 1);
    EXPECT(opened(dir, &moved) == E_cache_fallback && moved);
    EXPECT(opened(dir, &moved) == E_none && moved); /* said once */
    run(other, "rm -rf moontile-*");
    snprintf(dir, sizeof dir, "%s/shared", root);
    EXPECT(mkdir(dir, 0700) == 0 && chmod(dir, 0777) == 0);
    EXPECT(opened(dir, &moved) == E_cache_shared && moved);
    run(other, "rm -rf moontile-*");
    if (geteuid() == 0) {
        EXPECT(chmod(dir, 0700) == 0 && chown(dir, 12345, 12345) == 0);
        EXPECT(opened(dir, &moved) == E_cache_foreign && moved);
    } else {
        EXPECT(chmod(dir, 0500) == 0);
        EXPECT(opened(dir, &moved) == E_cache_fallback && moved);
    }
    EXPECT(opened("/proc/nowhere", &moved) == E_none && moved);
    snprintf(dir, sizeof dir, "%s/deep/er/still", root);
    EXPECT(opened(dir, &moved) == E_none && !moved);
    run(other, "rm -rf moontile-*");
    setenv("TMPDIR", "/proc", 1);
    EXPECT(opened("/proc/nowhere", &moved) == E_cache_none);
    setenv("TMPDIR", other, 1);
    setenv("MOONTILE_CACHE_SIZE", "12Q", 1);
    EXPECT(opened(dir, &moved) == E_cache_size);
    setenv("MOONTILE_CACHE_SIZE", "12M", 1);
    EXPECT(opened(dir, &moved) == E_none);
    unsetenv("MOONTILE_CACHE_SIZE");
    setenv("MOONTILE_CACHE_DIR", root, 1);
}

/* Building through the cpu target --------------------------------------- */

static Err build(const char *source, bool *cached)
{
    Ctx c;
    Artifact a = {0};
    ctx_init(&c, NULL, 0);
    str_puts(&a.source, source);
    bool ok = cpu_build(&c, "", &a);
    *cached = a.cached;
    EXPECT(!ok || access(a.path.s, R_OK) == 0);
    EXPECT(ok == !c.nerror);
    Err e = first(&c);
    ctx_free(&c);
    str_free(&a.source);
    str_free(&a.path);
    return e;
}

static void on_alarm(int sig)
{
    (void)sig;
    interrupt_asked = 1;
}

static void write_script(char *path, size_t n, const char *body)
{
    snprintf(path, n, "%s/fake-cc", root);
    write_file(path, body, strlen(body));
    chmod(path, 0755);
}

static void test_builds(void)
{
    bool cached;
    char cc[128], *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    EXPECT(build("int one;", &cached) == E_none && !cached);
    EXPECT(build("int one;", &cached) == E_none && cached);
    EXPECT(build("int two;", &cached) == E_none && !cached);
    EXPECT(build("int one wrong;", &cached) == E_cc_failed);
    run(root, "ls *.log >/dev/null");
    setenv("CC", "no-such-compiler -m64", 1);
    EXPECT(build("int one;", &cached) == E_no_cc);
    unsetenv("CC");
    setenv("PATH", "/nonexistent", 1);
    EXPECT(build("int one;", &cached) == E_no_cc);
    setenv("PATH", path, 1);
    setenv("CC", "cc -DEXTRA", 1);
    EXPECT(build("int one; int x = EXTRA;", &cached) == E_none && !cached);
    setenv("CC", cc, 1);
    write_script(cc, sizeof cc, "#!/bin/sh\nkill -9 $$\n");
    setenv("CC", cc, 1);
    EXPECT(build("int one;", &cached) == E_cc_killed);
    write_script(cc, sizeof cc, "#!/bin/sh\necho cc: error trying to exec as >&2; exit 1\n");
    EXPECT(build("int one;", &cached) == E_cc_broken);
    write_script(cc, sizeof cc, "#!/bin/sh\necho x: No space left on device >&2; exit 1\n");
    EXPECT(build("int one;", &cached) == E_disk_full);
    write_script(cc, sizeof cc, "#!/bin/sh\nexit 0\n"); /* and no output */
    EXPECT(build("int one;", &cached) == E_cc_output);
    /* Ctrl-C ends the compiler and what it started */
    write_script(cc, sizeof cc, "#!/bin/sh\nsleep 4321 & sleep 4321\n");
    struct itimerval when = {{0, 0}, {0, 100000}};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &when, NULL);
    EXPECT(build("int one;", &cached) == E_build_interrupted && !interrupt_asked);
    EXPECT(system("! ps -e -o args 2>/dev/null | grep -q '[s]leep 4321'") == 0);
    unsetenv("CC");
    free(path);
    run(root, "! ls tmp.* 2>/dev/null");
}

static void test_together(void)
{
    enum { N = 4 };
    pid_t pid[N];
    run(root, "rm -f *.so");
    for (int i = 0; i < N; i++) {
        pid[i] = fork();
        if (pid[i] == 0) {
            bool cached;
            int wrong = 0;
            for (int k = 0; k < 3; k++) {
                char source[64];
                snprintf(source, sizeof source, "int together%d;", k);
                wrong += build(source, &cached) != E_none;
            }
            _exit(wrong + failures);
        }
    }
    for (int i = 0; i < N; i++) {
        int status = -1;
        waitpid(pid[i], &status, 0);
        EXPECT(status == 0);
    }
    run(root, "test $(ls *.so | wc -l) = 3");
}

int main(void)
{
    Ctx c;
    Cache k;
    snprintf(root, sizeof root, "/tmp/moontile-cache-test-%d", getpid());
    snprintf(other, sizeof other, "%s/other", root);
    setenv("MOONTILE_CACHE_DIR", root, 1);
    setenv("TMPDIR", other, 1);
    unsetenv("MOONTILE_CACHE_SIZE");
    unsetenv("CC");
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * i);
    ctx_init(&c, NULL, 0);
    EXPECT(cache_open(&k, &c) && !c.diags && mkdir(other, 0700) == 0);
    test_damage(&k, &c);
    test_eviction(&k);
    test_folders();
    test_builds();
    test_together();
    cache_close(&k);
    ctx_free(&c);
    run("/tmp", "rm -rf moontile-cache-test-$PPID");
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
