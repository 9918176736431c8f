/* tests/unit/watch.c: what core/base/watch.c ends, and what not.
 *
 * This program is the parent of whatever loses its own, so that it sees how each ends. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/proc.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("watch.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

static void begin(Proc *p, char *text)
{
    static char sh[] = "/bin/sh", flag[] = "-c";
    static char *argv[] = {sh, flag, NULL, NULL};
    argv[2] = text;
    *p = (Proc){.argv = argv, .fd = {-1, -1, -1}};
    EXPECT(proc_start(p));
}

static char sleeps[] = "sleep 600 & wait", ends[] = "exit 0";

static void killed(void) { raise(SIGKILL); }
static void fast(void) { _exit(0); }
static void well(void) { exit(0); }

/* Our only child, or the only other one than pid; 0: none. */
static int child_but(int pid)
{
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%d", &child) == 1 && child == pid)
        child = 0;
    if (f)
        fclose(f);
    return child;
}

static void lose(int shell)
{
    siginfo_t si;
    EXPECT(shell > 0);
    if (shell > 0 && kill(shell, SIGKILL) == 0)
        waitid(P_PID, (id_t)shell, &si, WEXITED | WNOWAIT);
}

/* A process that begins three children, of which one ends and one is ended, and leaves the last one,
 * whose number this is.  loses: the shell of the others is gone by then. */
static int left_by(void (*leave)(void), bool loses)
{
    Proc p[3];
    int fd[2] = {-1, -1}, pid = 0, status;
    fflush(stdout);
    EXPECT(pipe(fd) == 0);
    pid_t parent = fork();
    if (parent == 0) {
        begin(&p[0], ends);
        EXPECT(proc_finish(&p[0]) && child_but(0) == 0);
        begin(&p[1], sleeps);
        if (loses)
            lose(child_but(p[1].pid));
        begin(&p[2], sleeps);
        proc_drop(&p[1]);
        if (!failures && write(fd[1], &p[2].pid, sizeof pid) == (ssize_t)sizeof pid)
            leave();
        _exit(1);
    }
    close(fd[1]);
    EXPECT(read(fd[0], &pid, sizeof pid) == (ssize_t)sizeof pid && pid > 0);
    EXPECT(waitpid(parent, &status, 0) == parent);
    close(fd[0]);
    return pid;
}

static void is_ended(int pid)
{
    int status = 0;
    EXPECT(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* A fork that ends is not the end of what its parent has begun; nor what it begins and ends itself. */
static void forked(void)
{
    Proc p, q;
    int status;
    begin(&p, sleeps);
    fflush(stdout);
    pid_t other = fork();
    if (other == 0) {
        begin(&q, ends);
        exit(!proc_finish(&q) || failures);
    }
    EXPECT(waitpid(other, &status, 0) == other && status == 0);
    is_ended(left_by(killed, false)); /* by then ours would have ended too */
    EXPECT(waitpid(p.pid, &status, WNOHANG) == 0);
    proc_drop(&p);
}

/* Shells too end, and what a group had begun. */
static void nothing_left(void)
{
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

int main(void)
{
    alarm(600); /* for what hangs */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return 1;
    is_ended(left_by(killed, false));
    is_ended(left_by(fast, false));
    is_ended(left_by(well, false));
    is_ended(left_by(killed, true));
    nothing_left();
    forked();
    nothing_left();
    printf("%d failures\n", failures);
    return failures != 0;
}
