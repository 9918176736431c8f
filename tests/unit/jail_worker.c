/* The walls of core/device/jail_worker.c: what machine code behind them can still do, and what not. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
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

static int failures;
static char kernels[64], secret[80], kernel[80];

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("jail_worker.c:%d: failed: %s (%s)\n", line, what, strerror(errno));
        failures++;
    }
}

static bool readable(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Has this kernel Landlock, switched on? */
static bool has_landlock(void) { return syscall(444, NULL, 0, 1U) >= 1; }

#if FILTER
static bool refused(long r) { return r == -1 && errno == EPERM; }

/* What the C library makes of access, stat, readlink, poll and open differs from machine to
 * machine and from one of its versions to the next: each form may be used, on each machine. */
static void forms(void)
{
    char to[8];
    struct stat st;
    struct timespec none = {0, 0};
    EXPECT(access(kernel, R_OK) == 0);
    EXPECT(!refused(syscall(SYS_faccessat, AT_FDCWD, kernel, R_OK)));
#ifdef SYS_faccessat2
    EXPECT(!refused(syscall(SYS_faccessat2, AT_FDCWD, kernel, R_OK, 0)));
#endif
    EXPECT(stat(kernel, &st) == 0);
    EXPECT(!refused(syscall(SYS_newfstatat, AT_FDCWD, kernel, &st, 0)));
    EXPECT(!refused(syscall(SYS_readlinkat, AT_FDCWD, kernel, to, sizeof to)));
    EXPECT(!refused(syscall(SYS_ppoll, NULL, 0, &none, NULL, 0)));
#ifdef SYS_access
    EXPECT(!refused(syscall(SYS_access, kernel, R_OK)));
    EXPECT(!refused(syscall(SYS_stat, kernel, &st)));
    EXPECT(!refused(syscall(SYS_lstat, kernel, &st)));
    EXPECT(!refused(syscall(SYS_readlink, kernel, to, sizeof to)));
    EXPECT(!refused(syscall(SYS_poll, NULL, 0, 0)));
#endif
}
#endif

/* What every thread behind both walls meets. */
static void *look(void *ud)
{
    (void)ud;
    EXPECT(readable(kernel));
    EXPECT(readable("/proc/cpuinfo"));
    if (FILTER && has_landlock()) {
        EXPECT(!readable(secret));
        EXPECT(!readable("/etc/passwd"));
        EXPECT(!readable("/proc/self/environ"));
        EXPECT(!readable("/proc/1/cmdline"));
    }
#if FILTER
    char *argv[] = {NULL}, byte;
    EXPECT(refused(open(kernel, O_WRONLY)));
    EXPECT(refused(open("/tmp/jail-worker", O_RDONLY | O_CREAT, 0600)));
    EXPECT(refused(unlink(kernel)));
    EXPECT(refused(mkdir("/tmp/jail-worker", 0700)));
    EXPECT(refused(chmod(kernel, 0777)));
    EXPECT(refused(rename(kernel, secret)));
    EXPECT(refused(execve("/bin/true", argv, argv)));
    EXPECT(refused(fork()));
    EXPECT(refused(socket(AF_INET, SOCK_STREAM, 0)));
    EXPECT(refused(socket(AF_UNIX, SOCK_STREAM, 0)));
    EXPECT(refused(kill(getppid(), SIGTERM)));
    EXPECT(refused(syscall(SYS_tgkill, getppid(), getppid(), SIGTERM)));
    EXPECT(refused(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)));
    EXPECT(refused(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)));
    EXPECT(refused(memfd_create("x", 0)));
    EXPECT(syscall(SYS_tgkill, getpid(), gettid(), 0) == 0);
    EXPECT(read(-1, &byte, 1) == -1 && errno == EBADF);
    forms();
#endif
    char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(p != MAP_FAILED);
    if (p != MAP_FAILED)
        p[5] = 1;
    return NULL;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *later(void *ud)
{
    pthread_mutex_lock(&gate); /* until the walls stand */
    pthread_mutex_unlock(&gate);
    return look(ud);
}

static void behind(void)
{
    pthread_t t;
    EXPECT(jail_files(kernels) || !FILTER || !has_landlock());
    pthread_mutex_lock(&gate);
    EXPECT(pthread_create(&t, NULL, later, NULL) == 0);
    EXPECT(jail_calls() || !FILTER);
    look(NULL);
    pthread_mutex_unlock(&gate);
    pthread_join(t, NULL);
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
    setenv(JAIL_GUARD, "", 1);
    EXPECT(jail_asked() == 0);
    setenv(JAIL_GUARD, "60", 1);
    EXPECT(jail_asked() == 60);
    snprintf(kernels, sizeof kernels, "/tmp/moontile-jail-%d", (int)getpid());
    snprintf(kernel, sizeof kernel, "%s/kernel", kernels);
    snprintf(secret, sizeof secret, "%s-secret", kernels);
    EXPECT(mkdir(kernels, 0700) == 0);
    put(kernel);
    put(secret);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        failures = 0;
        behind();
        fflush(stdout);
        _exit(failures);
    }
    int status = -1;
    EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unlink(kernel);
    unlink(secret);
    rmdir(kernels);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
