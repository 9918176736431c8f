/* without.c: runs a program as on a kernel without some of the walls: a filter answers
 * their calls with ENOSYS.  Or in a container where they seem to be there, but none more can
 * be put up: entering, filters.
 *
 *   without landlock|seccomp|entering|filters PROGRAM ARGS .. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | ENOSYS)

static struct sock_filter no_landlock[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    IS(444 /* landlock_create_ruleset */, 0, 1), REFUSE,
    ANSWER(SECCOMP_RET_ALLOW),
};

static struct sock_filter no_seccomp[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    IS(SYS_seccomp, 0, 1), REFUSE,
    IS(SYS_prctl, 1, 0), ANSWER(SECCOMP_RET_ALLOW),
    LOAD(offsetof(struct seccomp_data, args[0])),
    IS(PR_SET_SECCOMP, 1, 0), IS(PR_GET_SECCOMP, 0, 1), ANSWER(SECCOMP_RET_ERRNO | EINVAL),
    ANSWER(SECCOMP_RET_ALLOW),
};

static struct sock_filter no_entering[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    IS(446 /* landlock_restrict_self */, 0, 1), ANSWER(SECCOMP_RET_ERRNO | E2BIG),
    ANSWER(SECCOMP_RET_ALLOW),
};

static struct sock_filter no_filters[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    IS(SYS_seccomp, 0, 3),
    LOAD(offsetof(struct seccomp_data, args[0])),
    IS(SECCOMP_SET_MODE_FILTER, 0, 4), ANSWER(SECCOMP_RET_ERRNO | EPERM),
    IS(SYS_prctl, 0, 2),
    LOAD(offsetof(struct seccomp_data, args[0])),
    IS(PR_SET_SECCOMP, 1, 0),
    ANSWER(SECCOMP_RET_ALLOW),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
};

#define WALL(name, filter) {name, {sizeof (filter) / sizeof *(filter), (filter)}}
static const struct { const char *name; struct sock_fprog without; } walls[] = {
    WALL("landlock", no_landlock), WALL("seccomp", no_seccomp),
    WALL("entering", no_entering), WALL("filters", no_filters),
};

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const struct sock_fprog *prog = NULL;
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++)
        if (strcmp(argv[1], walls[i].name) == 0)
            prog = &walls[i].without;
    if (!prog || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, prog) != 0)
        return 77;
    execvp(argv[2], argv + 2);
    return 2;
}
