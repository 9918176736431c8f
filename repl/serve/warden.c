/* repl/serve/warden.c: the process that ends what a server leaves behind.
 *
 * Seats end with the server, as the kernel sees to it; what they have started does not: a
 * compiler goes on for as long as it likes.  The server ends it when it closes a session, and
 * when the server itself is killed nobody else is left to. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "kin.h"

enum { MostRounds = 500, RoundMs = 10 };

typedef struct Warden Warden;
struct Warden { pid_t *session; size_t n, cap; const char *folder; int left; };

static void warden_add(Warden *w, pid_t id)
{
    if (w->n == w->cap) {
        size_t cap = 2 * w->cap + 64;
        pid_t *more = realloc(w->session, cap * sizeof *more);
        if (!more)
            return; /* the server ends them as long as it lives */
        w->session = more;
        w->cap = cap;
    }
    w->session[w->n++] = id;
}

static void warden_forget(Warden *w, pid_t id)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->session[i] == id) {
            w->session[i] = w->session[--w->n];
            return;
        }
}

/* Until the server closes its end: by intent or because it is gone. */
static void listen_to(Warden *w, int fd)
{
    int32_t v;
    for (;;) {
        ssize_t n = recv(fd, &v, sizeof v, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n != (ssize_t)sizeof v)
            return;
        if (v > 0)
            warden_add(w, v);
        else
            warden_forget(w, -v);
    }
}

static bool warden_end(void *ud, const Kin *k)
{
    Warden *w = ud;
    bool ours = false;
    for (size_t i = 0; i < w->n && !ours; i++)
        ours = w->session[i] == k->session;
    if (!k->dead && (ours || kin_below(k, w->folder))) {
        kill(k->pid, SIGKILL);
        w->left++;
    }
    return true;
}

int warden_main(int fd, const char *folder)
{
    static const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    Warden w = {.folder = folder};
    for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++)
        signal(deaf[i], SIG_IGN);
    listen_to(&w, fd);
    for (int i = 0; i < MostRounds; i++) {
        w.left = 0;
        if (!kin_each(warden_end, &w) || !w.left)
            break;
        nanosleep(&(struct timespec){0, RoundMs * 1000000L}, NULL);
    }
    free(w.session);
    folder_remove(folder);
    return 0;
}
