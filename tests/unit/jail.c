/* The walls of core/device/jail.c: what a process behind them can still do, and what not. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/device/jail.h"

#if defined(__SANITIZE_ADDRESS__) || !(defined(__x86_64__) || defined(__aarch64__))
#define FILTER 0
#else
#define FILTER 1
#endif

enum { Bytes = 64 << 20, File = 4 << 20, Leaked = 9 };

static int failures;
static char folder[64], own[80], secret[80], linked[80]; /* own and the link are in the folder */

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("jail.c:%d: failed: %s (%s)\n", line, what, strerror(errno));
        failures++;
    }
}

/* Runs f in a process of its own that leads behind the walls; what it fails is counted. */
static void behind(void (*f)(void))
{
    const Jail j = {.bytes = Bytes, .file = File, .cpu = 1, .keep = 4, .folder = folder};
    fflush(stdout);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        failures = 0;
        dup2(1, Leaked);
        EXPECT(jail_follow(parent));
        jail_enter(&j);
        f();
        fflush(stdout);
        _exit(failures);
    }
    int status = -1;
    EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#if FILTER
static bool refused(long r) { return r == -1 && errno == EPERM; }
#endif

static void files(void)
{
    char text[16];
    int fd = open(own, O_RDONLY);
    EXPECT(fd >= 0 && read(fd, text, sizeof text) == 1);
    bool walled = FILTER && syscall(444, NULL, 0, 1U) >= 1; /* this kernel has Landlock */
    static const char *const others[] = {"/etc/passwd", "/proc/self/environ", "/proc/self/maps",
                                         "/proc/1/cmdline", "/etc", "/", "/usr/lib", secret};
    for (size_t i = 0; i < COUNT(others); i++) {
        fd = open(others[i], O_RDONLY);
        EXPECT(walled ? fd == -1 && errno == EACCES : fd >= 0 || errno == EACCES);
        if (fd >= 0)
            close(fd);
    }
    if (walled) { /* ways around: links, other names, the descriptor of a folder */
        char around[200];
        snprintf(around, sizeof around, "%s/../%s", folder, strrchr(secret, '/') + 1);
        EXPECT(open(around, O_RDONLY) == -1);
        snprintf(around, sizeof around, "%s/link", folder);
        EXPECT(open(around, O_RDONLY) == -1 && errno == EACCES);
        EXPECT(openat(AT_FDCWD, "/proc/self/root/etc/passwd", O_RDONLY) == -1);
        EXPECT(openat(AT_FDCWD, "/proc/self/fd/0", O_RDONLY) == -1);
    }
    EXPECT(fcntl(Leaked, F_GETFD) == -1); /* closed, or not even to be asked for */
    EXPECT(write(Leaked, "x", 1) == -1 && errno == EBADF);
#if FILTER
    EXPECT(refused(open("/dev/null", O_WRONLY)));
    EXPECT(refused(open("/dev/null", O_RDWR)));
    EXPECT(refused(open("/tmp/jail-test", O_RDONLY | O_CREAT, 0600)));
    EXPECT(refused(unlink("/tmp/jail-test")));
    EXPECT(refused(mkdir("/tmp/jail-test", 0700)));
    EXPECT(refused(chdir("/")));
#endif
}

static void processes(void)
{
#if FILTER
    char *argv[] = {NULL};
    EXPECT(refused(execve("/bin/true", argv, argv)));
    EXPECT(refused(fork()));
    EXPECT(refused(socket(AF_UNIX, SOCK_STREAM, 0)));
    EXPECT(refused(kill(getppid(), 0)));
    EXPECT(refused(syscall(SYS_tgkill, getppid(), getppid(), 0)));
    EXPECT(syscall(SYS_tgkill, getpid(), gettid(), 0) == 0);
    EXPECT(refused(setrlimit(RLIMIT_CORE, &(struct rlimit){1, 1})));
#else
    struct rlimit r;
    EXPECT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    EXPECT(getrlimit(RLIMIT_CORE, &r) == 0 && r.rlim_max == 0);
    EXPECT(getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_max == JailFiles);
#endif
}

static void memory(void)
{
    int fd = memfd_create("x", 0);
    EXPECT(fd >= 0 && ftruncate(fd, File) == 0);
    EXPECT(ftruncate(fd, File + 1) == -1 && errno == EFBIG);
    char *p = malloc(Bytes / 4);
    EXPECT(p != NULL);
    free(p);
#if FILTER
    EXPECT(mmap(NULL, 2 * (size_t)Bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
           MAP_FAILED);
#endif
    int n = 0;
    while (n < JailFiles && memfd_create("x", 0) >= 0)
        n++;
    EXPECT(n < JailFiles);
}

/* A process that computes without end is ended by the kernel. */
static void computes(void)
{
    const Jail j = {.file = File, .cpu = 0, .keep = 4};
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        jail_enter(&j);
        for (volatile unsigned i = 0;; i++)
            ;
    }
    int status = -1;
    EXPECT(waitpid(pid, &status, 0) == pid);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
}

static void put(const char *path)
{
    FILE *f = fopen(path, "w");
    EXPECT(f && fputs("x", f) >= 0);
    if (f)
        fclose(f);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/moontile-jail-p-%d", (int)getpid());
    snprintf(own, sizeof own, "%s/own", folder);
    snprintf(secret, sizeof secret, "%s-secret", folder);
    snprintf(linked, sizeof linked, "%s/link", folder);
    EXPECT(mkdir(folder, 0700) == 0 && symlink(secret, linked) == 0);
    put(own);
    put(secret);
    behind(files);
    behind(processes);
    behind(memory);
    computes();
    EXPECT(!jail_follow(getpid())); /* that is not the parent */
    unlink(own);
    unlink(linked);
    unlink(secret);
    rmdir(folder);
    return failures != 0;
}
