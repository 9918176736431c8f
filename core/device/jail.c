/* core/device/jail.c: walls around a process that runs a program which nobody trusts.
 *
 * Such a program is a text in a language of ours, which has no way to files or
 * the network of its own: these walls are for the day when it finds a mistake of
 * ours.  They are the kernel's limits, Landlock and a filter of system calls.  The filter
 * names what may be done: memory, clocks, the descriptors that are open, reading
 * files, of which Landlock leaves those of one folder.  Everything else fails with EPERM, so that a C library which asks for
 * more than it needs goes on. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "jail_filter.h"

/* The filter ---------------------------------------------------------------- */

#if defined(ARCH) && !SANITIZED

static void set_filter(void)
{
    const uint32_t self = (uint32_t)getpid();
    const struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
        REFUSE,
        FIELD(nr),
        /* memory */
        ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise),
        /* descriptors that are open */
        ALLOW(read), ALLOW(readv), ALLOW(pread64), ALLOW(write), ALLOW(writev), ALLOW(lseek),
        ALLOW(close), ALLOW(fstat), ALLOW(newfstatat),
        /* time, signals, locks, the end */
        ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(gettimeofday), ALLOW(setitimer),
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(restart_syscall),
        ALLOW(futex), ALLOW(sched_yield), ALLOW(getrandom), ALLOW(getpid), ALLOW(gettid),
        ALLOW(exit), ALLOW(exit_group),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4),
        LOW(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
        /* tensors are files in memory */
        ALLOW(memfd_create), ALLOW(ftruncate), ALLOW(fallocate),
#ifdef SYS_open
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 4),
        LOW(1),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, Writing, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        LOW(2),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, Writing, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
    };
    struct sock_fprog prog = {COUNT(filter), (struct sock_filter *)(uintptr_t)filter};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0);
}

#else
static void set_filter(void) {}
#endif

/* Limits -------------------------------------------------------------------- */

static void jail_limit(int what, size_t soft, size_t hard)
{
    struct rlimit r = {0};
    if (getrlimit(what, &r) != 0)
        return;
    if (r.rlim_max == RLIM_INFINITY || r.rlim_max > hard)
        r.rlim_max = hard;
    r.rlim_cur = soft < r.rlim_max ? soft : r.rlim_max;
    setrlimit(what, &r);
}

/* Bytes of address space in use; 0: unknown. */
static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f)
        return 0;
    if (fscanf(f, "%lu", &pages) != 1)
        pages = 0;
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void set_limits(const Jail *j)
{
    struct timespec used = {0, 0};
    size_t now = address_space();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    if (j->bytes && now && !SANITIZED)
        jail_limit(RLIMIT_AS, now + j->bytes, now + j->bytes);
    jail_limit(RLIMIT_CPU, (size_t)used.tv_sec + j->cpu + 1, (size_t)used.tv_sec + j->cpu + 2);
    jail_limit(RLIMIT_FSIZE, j->file, j->file);
    jail_limit(RLIMIT_NOFILE, JailFiles, JailFiles);
    jail_limit(RLIMIT_CORE, 0, 0);
    if (!SANITIZED)
        jail_limit(RLIMIT_NPROC, 0, 0);
    signal(SIGXFSZ, SIG_IGN); /* too large a file is an error, not the end */
}

/* Descriptors above `last`.  The calls that newer kernels have for this are not
 * in every C library. */
static void close_above(int last)
{
    long most = sysconf(_SC_OPEN_MAX);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)last + 1, ~0U, 0U) == 0)
        return;
#endif
    for (int fd = last + 1; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        close(fd);
}

bool jail_follow(int parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    return getppid() == parent;
}

void jail_enter(const Jail *j)
{
    close_above(j->keep);
    set_limits(j);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    jail_folder(j->folder);
    set_filter();
}
