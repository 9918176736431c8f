/* tests/unit/proc.c: what a child writes just before its end arrives, whenever that is.
 *
 * A child that wrote and ended between a wait for its pipes that brought nothing and the
 * question whether it still runs was taken to have said nothing.  Here it always does: this
 * program's poll() answers "nothing" only once the child has ended. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/proc.h"

static int failures;
static int stands; /* milliseconds that the next poll() takes longer, as if this program were stopped */

/* Instead of the C library's. */
int poll(struct pollfd *f, nfds_t n, int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    struct timespec still = {stands / 1000, stands % 1000 * 1000000L};
    stands = 0;
    nanosleep(&still, NULL);
    int r = ppoll(f, n, &t, NULL);
    siginfo_t si;
    while (r == 0 && ms && waitid(P_ALL, 0, &si, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    return r;
}

/* A limit of time is the child's, not of a parent that was stopped meanwhile. */
static void stopped(void)
{
    char sh[] = "/bin/sh", c[] = "-c", text[] = "echo answer >&3; exec sleep 0.2";
    char *argv[] = {sh, c, text, NULL};
    Proc p = {.argv = argv, .channel = true, .in = "", .limit_ms = 4000, .fd = {-1, -1, -1}};
    stands = 4100;
    bool ok = proc_run(&p);
    if (!ok || p.late) {
        printf("stopped: %s\n", p.late ? "too late" : "did not run");
        failures++;
    }
    str_free(&p.out);
    str_free(&p.result);
}

static void child(const char *name, char *text, const char *answer, size_t said)
{
    char sh[] = "/bin/sh", c[] = "-c";
    char *argv[] = {sh, c, text, NULL};
    Proc p = {.argv = argv, .channel = true, .most = 1000, .in = "", .fd = {-1, -1, -1}};
    bool ok = proc_run(&p);
    if (!ok || p.status != 0 || strcmp(p.result.s ? p.result.s : "", answer) != 0 ||
        p.out.n != said) {
        printf("%s: %s, status %d, answer \"%s\", %lu bytes said\n", name, ok ? "ran" : "did not run",
               p.status, p.result.s ? p.result.s : "", (unsigned long)p.out.n);
        failures++;
    }
    str_free(&p.out);
    str_free(&p.result);
}

int main(void)
{
    char late[] = "sleep 0.1; echo answer >&3; echo said";
    char long_[] = "sleep 0.1; printf '%40000s' x; printf answer >&3";
    char silent[] = "sleep 0.1";
    /* One that leaves the pipes open to another, which is not waited for. */
    char open_[] = "sleep 0.1; echo answer >&3; echo said; (exec sleep 3) &";
    child("late", late, "answer\n", 5);
    child("long", long_, "answer", 40000);
    child("silent", silent, "", 0);
    child("open", open_, "answer\n", 5);
    stopped();
    printf("%d failures\n", failures);
    return failures != 0;
}
