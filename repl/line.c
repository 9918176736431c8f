/* repl/line.c: reads a line, through readline or libedit on a terminal.
 *
 * The library is driven through its callback interface, so that the waiting,
 * and with it every signal, is ours: Ctrl-C drops the line, Ctrl-Z and the
 * signals that end the process put the terminal back first.  readline keeps
 * its state in globals; so does this file. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#ifdef USE_LIBEDIT
#include <editline/readline.h>
#else
#include <readline/history.h>
#include <readline/readline.h>
#endif

#include "../core/base.h"
#include "line.h"

static bool editing, show_prompts;
static char *last_entry;

/* Signals ------------------------------------------------------------------ */

static struct termios cooked, raw; /* the terminal outside and inside of editing */
static volatile sig_atomic_t got_int, got_winch, got_cont;

/* What a signal does while a line is edited: 'f' only sets its flag, 'e' ends
 * the process, 's' stops it; the last two restore the terminal. */
static const struct { int sig; char does; } handled[] = {
    {SIGINT, 'f'}, {SIGWINCH, 'f'}, {SIGTERM, 'e'}, {SIGHUP, 'e'},
    {SIGQUIT, 'e'}, {SIGABRT, 'e'}, {SIGTSTP, 's'},
};
static struct sigaction before[COUNT(handled)];

static void set_terminal(const struct termios *t, const char *paste)
{
    int err = errno;
    tcsetattr(STDIN_FILENO, TCSADRAIN, t);
    ssize_t n = editing ? write(STDOUT_FILENO, paste, strlen(paste)) : 0;
    (void)n;
    errno = err;
}

static void on_flag(int sig)
{
    if (sig == SIGINT)
        got_int = 1;
    else
        got_winch = 1;
}

static void on_leave(int sig)
{
    struct sigaction mine, dfl;
    sigset_t set, old;
    memset(&dfl, 0, sizeof dfl);
    dfl.sa_handler = SIG_DFL;
    set_terminal(&cooked, "\033[?2004l");
    sigaction(sig, &dfl, &mine);
    sigemptyset(&set);
    sigaddset(&set, sig);
    kill(getpid(), sig);
    sigprocmask(SIG_UNBLOCK, &set, &old); /* here it ends, or stops until fg */
    sigprocmask(SIG_SETMASK, &old, NULL);
    sigaction(sig, &mine, NULL);
    set_terminal(&raw, "\033[?2004h");
    got_cont = 1;
}

/* Installs the handlers, and blocks their signals outside of ppoll; *during is
 * the mask to wait with. */
static void signals_on(sigset_t *during, sigset_t *old)
{
    sigset_t set;
    sigemptyset(&set);
    got_int = got_winch = got_cont = 0;
    for (size_t i = 0; i < COUNT(handled); i++)
        sigaddset(&set, handled[i].sig);
    sigprocmask(SIG_BLOCK, &set, old);
    *during = *old;
    for (size_t i = 0; i < COUNT(handled); i++) {
        struct sigaction sa;
        memset(&sa, 0, sizeof sa);
        sigemptyset(&sa.sa_mask);
        sa.sa_handler = handled[i].does == 'f' ? on_flag : on_leave;
        sigaction(handled[i].sig, &sa, &before[i]);
        sigdelset(during, handled[i].sig);
    }
}

static void signals_off(const sigset_t *old)
{
    for (size_t i = 0; i < COUNT(handled); i++)
        sigaction(handled[i].sig, &before[i], NULL);
    sigprocmask(SIG_SETMASK, old, NULL);
}

/* Editing ------------------------------------------------------------------- */

static char *line_got;
static bool line_done;

static void on_line(char *s)
{
    line_got = s;
    line_done = true;
    rl_callback_handler_remove();
}

/* Gives up the line being edited. */
static void drop_line(void)
{
    fputs("^C", stdout);
    fflush(stdout);
#ifndef USE_LIBEDIT
    rl_callback_sigcleanup();
#endif
    rl_free_line_state();
    rl_replace_line("", 0);
    rl_callback_handler_remove();
    fputs("\n", stdout);
    fflush(stdout);
}

static void redraw(void)
{
    if (got_winch)
        rl_resize_terminal();
    if (got_cont)
        rl_forced_update_display();
    got_winch = got_cont = 0;
}

static enum LineResult read_edited(const char *prompt, char **text)
{
    sigset_t during, old;
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    fflush(stdout);
    tcgetattr(STDIN_FILENO, &cooked);
    signals_on(&during, &old);
    line_done = false;
    line_got = NULL;
    rl_callback_handler_install(prompt, on_line);
    tcgetattr(STDIN_FILENO, &raw);
    while (!line_done && !got_int) {
        int n = ppoll(&in, 1, NULL, &during);
        if (got_winch || got_cont)
            redraw();
        if (n > 0)
            rl_callback_read_char();
        else if (n < 0 && errno != EINTR)
            break;
    }
    enum LineResult r = LineDrop;
    if (!line_done)
        drop_line();
    else if (line_got)
        r = LineText;
    else
        r = LineEof;
    signals_off(&old);
    if (r == LineEof) {
        putchar('\n');
        fflush(stdout);
    }
    *text = line_got;
    return r;
}

/* Plain reading -------------------------------------------------------------- */

static enum LineResult read_plain(const char *prompt, char **text)
{
    sigset_t during, old;
    size_t cap = 0;
    *text = NULL;
    if (show_prompts)
        fputs(prompt, stdout);
    fflush(stdout);
    tcgetattr(STDIN_FILENO, &cooked);
    raw = cooked;
    signals_on(&during, &old);
    sigprocmask(SIG_SETMASK, &during, NULL);
    ssize_t n = getline(text, &cap, stdin);
    while (n < 0 && errno == EINTR && ferror(stdin) && !got_int) {
        clearerr(stdin);
        n = getline(text, &cap, stdin);
    }
    signals_off(&old);
    if (n >= 0) {
        if (n > 0 && (*text)[n - 1] == '\n')
            (*text)[n - 1] = '\0';
        return LineText;
    }
    free(*text);
    *text = NULL;
    bool drop = got_int;
    clearerr(stdin);
    if (show_prompts)
        putchar('\n');
    return drop ? LineDrop : LineEof;
}

enum LineResult line_read(const char *prompt, char **text)
{
    return editing ? read_edited(prompt, text) : read_plain(prompt, text);
}

/* History ---------------------------------------------------------------------- */

static void add_entry(const char *entry)
{
    if (last_entry && strcmp(last_entry, entry) == 0)
        return;
    free(last_entry);
    last_entry = strdup(entry);
    add_history(entry);
}

void line_remember(const char *entry)
{
    if (!editing || !entry[0] || entry[0] == ' ' ||
        (last_entry && strcmp(last_entry, entry) == 0))
        return;
    add_entry(entry);
    history_append(entry);
}

static void free_history(void)
{
    free(last_entry);
    clear_history();
}

void line_open(bool prompts)
{
    const char *term = getenv("TERM");
    editing = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && term[0] &&
              strcmp(term, "dumb") != 0;
    show_prompts = prompts;
    if (!editing)
        return;
    rl_readline_name = "moontile";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_initialize();
    rl_bind_key('\t', rl_insert);
    using_history();
    stifle_history(HistoryMax);
    history_load(add_entry);
    atexit(free_history);
}
