/* lua/term/tty.c: modes, signals and size of the terminal while a line is read. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "core/base/base.h"
#include "core/base/proc.h"
#include "tty.h"

/* A signal handler has no argument to find these by. */
static struct termios cooked, raw;
static volatile sig_atomic_t active, israw, arrived;
static bool pastes; /* do we ask for marks around pastes? */
static char goodbye[64];
static sigset_t during, before_mask; /* the mask to wait with, and that of outside */

/* What a signal does while a line is read: 'f' only sets its flag; 'd' puts
 * the terminal back and goes on to what it did before; 'c' is a crash, the
 * same, but cannot be blocked. */
static const struct { int sig; char does; int flag; } handled[] = {
    {SIGINT, 'f', TtyInt},   {SIGWINCH, 'f', TtyResize}, {SIGTSTP, 'f', TtyStop},
    {SIGCONT, 'f', TtyCont}, {SIGTERM, 'd', 0},          {SIGHUP, 'd', 0},
    {SIGQUIT, 'd', 0},       {SIGUSR1, 'd', 0},          {SIGUSR2, 'd', 0},
    {SIGALRM, 'd', 0},       {SIGXCPU, 'd', 0},          {SIGPIPE, 'd', 0},
    {SIGABRT, 'c', 0},       {SIGSEGV, 'c', 0},          {SIGBUS, 'c', 0},
    {SIGFPE, 'c', 0},        {SIGILL, 'c', 0},
};
static struct sigaction before[COUNT(handled)];

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

bool tty_capable(void)
{
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && term[0] &&
           strcmp(term, "dumb") != 0;
}

void tty_write(const char *s, size_t n)
{
    while (n > 0) {
        ssize_t k = write(STDOUT_FILENO, s, n);
        if (k < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (k <= 0)
            return; /* the terminal is gone: reading will say so */
        s += k;
        n -= (size_t)k;
    }
}

void tty_below(int rows)
{
    if (rows > 0)
        snprintf(goodbye, sizeof goodbye, "\033[%dB\r\n\033[J", rows);
    else
        snprintf(goodbye, sizeof goodbye, "\r\n\033[J");
}

void tty_goodbye(const char *s)
{
    snprintf(goodbye, sizeof goodbye, "%s", s);
}

static void tty_cooked(void)
{
    if (!israw)
        return;
    israw = 0;
    if (pastes)
        tty_write(PASTE_OFF, sizeof PASTE_OFF - 1);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &cooked);
}

void tty_raw(void)
{
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    if (pastes)
        tty_write(PASTE_ON, sizeof PASTE_ON - 1);
    israw = 1;
}

size_t tty_early(void)
{
    int n = 0;
    return ioctl(STDIN_FILENO, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
}

void tty_edited(void)
{
    tcgetattr(STDIN_FILENO, &raw);
    israw = 1;
}

static void on_flag(int sig)
{
    for (size_t i = 0; i < COUNT(handled); i++)
        if (handled[i].sig == sig)
            arrived |= handled[i].flag;
}

/* Only calls that a signal handler may make. */
static void on_death(int sig)
{
    int err = errno;
    if (active && israw) {
        tty_write(goodbye, strlen(goodbye));
        tty_cooked();
    }
    for (size_t i = 0; i < COUNT(handled); i++)
        if (handled[i].sig == sig)
            sigaction(sig, &before[i], NULL);
    errno = err;
    raise(sig); /* blocked here: it comes on return */
}

static bool ignored(const struct sigaction *sa)
{
    return !(sa->sa_flags & SA_SIGINFO) && sa->sa_handler == SIG_IGN;
}

/* Installs the handlers; a deadly signal that is ignored stays so. */
static void tty_take_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    arrived = 0;
    for (size_t i = 0; i < COUNT(handled); i++)
        if (handled[i].does != 'c')
            sigaddset(&set, handled[i].sig);
    sigprocmask(SIG_BLOCK, &set, &before_mask);
    during = before_mask;
    for (size_t i = 0; i < COUNT(handled); i++) {
        struct sigaction sa;
        memset(&sa, 0, sizeof sa);
        sigemptyset(&sa.sa_mask);
        sa.sa_handler = handled[i].does == 'f' ? on_flag : on_death;
        sigaction(handled[i].sig, &sa, &before[i]);
        if (handled[i].does != 'f' && ignored(&before[i]))
            sigaction(handled[i].sig, &before[i], NULL);
        sigdelset(&during, handled[i].sig);
    }
}

static void make_raw(void)
{
    raw = cooked;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    raw.c_cflag |= CS8;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
}

void tty_begin(bool raw_mode)
{
    tcgetattr(STDIN_FILENO, &cooked);
    make_raw();
    goodbye[0] = '\0';
    tty_take_signals();
    active = 1;
    pastes = raw_mode;
    if (raw_mode)
        tty_raw();
}

void tty_end(void)
{
    tty_cooked();
    active = 0;
    for (size_t i = 0; i < COUNT(handled); i++)
        sigaction(handled[i].sig, &before[i], NULL);
    sigprocmask(SIG_SETMASK, &before_mask, NULL);
}

void tty_stop(void)
{
    struct sigaction dfl, mine;
    sigset_t set, old;
    tty_cooked();
    memset(&dfl, 0, sizeof dfl);
    dfl.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &dfl, &mine);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, &old); /* here it stops, until fg */
    sigprocmask(SIG_SETMASK, &old, NULL);
    sigaction(SIGTSTP, &mine, NULL);
    arrived &= ~(TtyCont | TtyStop);
}

int tty_take(void)
{
    int got = arrived;
    arrived = 0;
    return got;
}

void tty_open_signals(void)
{
    if (active)
        sigprocmask(SIG_SETMASK, &during, NULL);
}

void tty_close_signals(void)
{
    sigset_t set;
    if (!active)
        return;
    sigemptyset(&set);
    for (size_t i = 0; i < COUNT(handled); i++)
        if (handled[i].does != 'c')
            sigaddset(&set, handled[i].sig);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

int tty_wait(struct pollfd *fd, int n, double seconds)
{
    struct timespec t = {0};
    if (arrived) { /* since the last tty_take, while tty_open_signals let it through */
        errno = EINTR;
        return -1;
    }
    if (seconds > 0) {
        double most = seconds < 1e6 ? seconds : 1e6;
        t.tv_sec = (time_t)most;
        t.tv_nsec = (long)((most - (double)t.tv_sec) * 1e9);
    }
    return ppoll(fd, (nfds_t)n, seconds < 0 ? NULL : &t, &during);
}

void tty_size(int *width, int *height)
{
    struct winsize w;
    memset(&w, 0, sizeof w);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col == 0) {
        const char *columns = getenv("COLUMNS");
        int c = columns ? atoi(columns) : 0;
        w.ws_col = (unsigned short)(c > 0 && c < 1000 ? c : 80);
    }
    *width = w.ws_col < 4 ? 4 : w.ws_col;
    *height = w.ws_row == 0 ? 24 : w.ws_row < 2 ? 2 : w.ws_row;
}

/* Other programs ---------------------------------------------------------------- */

static int tty_wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int tty_shell(const char *command, const char *argument)
{
    char sh[] = "sh", opt[] = "-c";
    char *cmd = strdup(command), *arg = argument ? strdup(argument) : NULL;
    char *argv[] = {sh, opt, cmd, sh, arg, NULL};
    struct sigaction ign, old_int, old_quit;
    Spawn s = {.path = "/bin/sh", .argv = argv, .how = SpawnSignals};
    int pid;
    memset(&ign, 0, sizeof ign);
    ign.sa_handler = SIG_IGN; /* Ctrl-C and Ctrl-\ are the command's */
    sigaction(SIGINT, &ign, &old_int);
    sigaction(SIGQUIT, &ign, &old_quit);
    fflush(stdout);
    int r = cmd && (arg || !argument) && spawn(&pid, &s) == 0 ? tty_wait_for(pid) : -1;
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGQUIT, &old_quit, NULL);
    free(cmd);
    free(arg);
    return r;
}
