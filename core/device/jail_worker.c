/* core/device/jail_worker.c: walls around a worker whose kernels are machine code of this very
 * process, made from a program that a stranger sent.
 *
 * Its accesses are printed with tests, so that it stays inside of its tensors; these walls are
 * for the day when a test is missing.  Files: Landlock lets it read the compiled kernels of its
 * client and what the C library needs, and nothing else.  System calls: what loading, running
 * and answering take; no new process, no socket, no signal to others.  A wall that this machine
 * does not have is left out, and whoever asked for all of them (jail_must) runs nothing then. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail_filter.h"

unsigned jail_asked(void)
{
    const char *v = getenv(JAIL_GUARD);
    return v && *v ? (unsigned)strtoul(v, NULL, 10) : 0;
}

bool jail_must(void)
{
    const char *v = getenv(JAIL_GUARD);
    return v && strstr(v, JAIL_MUST) != NULL;
}

/* Files --------------------------------------------------------------------- */

/* As <linux/landlock.h> of newer kernels has them: version 1 is all that is needed. */
enum {
    FSexecute = 1, FSwrite = 2, FSread = 4, FSreaddir = 8,
    FSall = (1 << 13) - 1 /* and making, removing: everything of version 1 */
};
typedef struct RuleSet RuleSet;
struct RuleSet { uint64_t fs; };
typedef struct Beneath Beneath;
struct __attribute__((packed)) Beneath { uint64_t fs; int32_t fd; };
enum { CallCreate = 444, CallAdd = 445, CallRestrict = 446, PathBeneath = 1 };

static void jail_worker_allow(int rules, const char *path, uint64_t fs)
{
    Beneath b = {fs, open(path, O_PATH | O_CLOEXEC)};
    if (b.fd < 0)
        return;
    syscall(CallAdd, rules, PathBeneath, &b, 0U);
    close(b.fd);
}

/* Rules that allow nothing yet; -1: this kernel has none. */
static int rules_new(void)
{
    const RuleSet set = {FSall};
    return SANITIZED ? -1 : (int)syscall(CallCreate, &set, sizeof set, 0U);
}

static bool rules_enter(int rules)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    bool in = syscall(CallRestrict, rules, 0U) == 0;
    close(rules);
    return in;
}

void jail_folder(const char *folder)
{
    int rules = rules_new();
    if (rules < 0)
        return;
    if (folder && *folder)
        jail_worker_allow(rules, folder, FSread | FSreaddir);
    rules_enter(rules);
}

bool jail_files(const char *kernels)
{
    static const char *const libraries[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64",
                                            "/nix/store", "/gnu/store"};
    static const char *const files[] = {"/etc/ld.so.cache", "/proc/cpuinfo", "/dev/null"};
    int rules = rules_new();
    if (rules < 0)
        return SANITIZED;
    for (size_t i = 0; i < COUNT(libraries); i++)
        jail_worker_allow(rules, libraries[i], FSread | FSreaddir | FSexecute);
    for (size_t i = 0; i < COUNT(files); i++)
        jail_worker_allow(rules, files[i], FSread);
    jail_worker_allow(rules, "/sys/devices/system/cpu", FSread | FSreaddir);
    if (kernels && *kernels)
        jail_worker_allow(rules, kernels, FSread | FSexecute);
    return rules_enter(rules);
}

/* Calls --------------------------------------------------------------------- */

#if defined(ARCH) && !SANITIZED

bool jail_calls(void)
{
    const uint32_t self = (uint32_t)getpid();
    const struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
        REFUSE,
        FIELD(nr),
        /* waiting and answering */
        ALLOW(futex), ALLOW(recvmsg), ALLOW(sendmsg), ALLOW(ppoll),
#ifdef SYS_poll
        ALLOW(poll),
#endif
        ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(gettimeofday), ALLOW(sched_yield),
        ALLOW(sched_getaffinity), ALLOW(restart_syscall),
        /* a thread of the pool that begins only now */
        ALLOW(set_robust_list),
#ifdef SYS_rseq
        ALLOW(rseq),
#endif
        /* memory */
        ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise),
        /* descriptors that are open; loading */
        ALLOW(read), ALLOW(pread64), ALLOW(write), ALLOW(writev), ALLOW(lseek), ALLOW(close),
        ALLOW(fstat), ALLOW(newfstatat), ALLOW(readlinkat), ALLOW(faccessat),
#ifdef SYS_faccessat2
        ALLOW(faccessat2),
#endif
#ifdef SYS_readlink /* a machine has all of the calls without a folder, or none */
        ALLOW(readlink), ALLOW(access), ALLOW(stat), ALLOW(lstat),
#endif
        /* signals to itself, the end */
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
        ALLOW(getrandom), ALLOW(getpid), ALLOW(gettid), ALLOW(exit), ALLOW(exit_group),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4),
        LOW(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        LOW(2),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, Writing, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
    };
    struct sock_fprog prog = {COUNT(filter), (struct sock_filter *)(uintptr_t)filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &prog) == 0;
}

/* A machine may have the calls and refuse what they are for (a container, a limit of walls within
 * walls), so that asking is not enough: a thread puts both walls around itself and runs against
 * them.  They hold for it alone, and end with it. */
static bool trial_files(void)
{
    int rules = rules_new(), fd = -1;
    if (rules < 0 || !rules_enter(rules))
        return false;
    fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == EACCES;
}

static bool trial_calls(void)
{
    const struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
        REFUSE,
        FIELD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        REFUSE,
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = {COUNT(filter), (struct sock_filter *)(uintptr_t)filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &prog) == 0 &&
           syscall(SYS_getppid) == -1 && errno == EPERM;
}

static void *trial(void *ud)
{
    const char **missing = ud;
    *missing = !trial_files() ? "Landlock" : !trial_calls() ? "seccomp" : NULL;
    return NULL;
}

const char *jail_missing(void)
{
    const char *missing = "seccomp"; /* without a thread nothing is known */
    pthread_t t;
    if (pthread_create(&t, NULL, trial, &missing) == 0)
        pthread_join(t, NULL);
    return missing;
}

#else /* builds with sanitizers have no walls, and nobody serves with them */
bool jail_calls(void) { return SANITIZED; }
const char *jail_missing(void) { return SANITIZED ? NULL : "seccomp"; }
#endif
