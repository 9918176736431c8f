/* repl/edit/line_libedit.c: reads a line at the terminal, through libedit.
 *
 * What its readline-compatible interface has: one line at a time, the arrow
 * keys over the history, the editing keys.  It is driven through the callback
 * interface, so that the waiting, and with it every signal, is ours. */
#include "line.h"

#ifdef USE_LIBEDIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <editline/readline.h>

#include "lua/term/tty.h"

static const LineHost *host;

/* The library's callback has no argument to find this by. */
static struct {
    char *text;
    bool done;
    bool gone;     /* the terminal is: the library would ask it again and again */
    char *entered; /* the next line, as if it had been typed */
} got;

static void libedit_on_line(char *s)
{
    got.text = s;
    got.done = true;
    rl_callback_handler_remove();
}

/* Gives up the line being edited. */
static void drop_line(void)
{
    fputs("^C", stdout);
    fflush(stdout);
    rl_free_line_state();
    rl_replace_line("", 0);
    rl_callback_handler_remove();
    fputs("\n", stdout);
    fflush(stdout);
}

/* What else there is to wait for: its output stands above the line. */
static void libedit_wake(void)
{
    fputs("\r\033[K", stdout);
    host->wake(host->ud);
    fflush(stdout);
    rl_forced_update_display();
}

enum { Descriptors = 16 };

/* Waits for keys; false when the terminal is gone. */
static bool wait_key(bool *key)
{
    struct pollfd fd[Descriptors] = {{.fd = STDIN_FILENO, .events = POLLIN}};
    double due = -1;
    int n = 1;
    if (host->watch)
        n += host->watch(host->ud, fd + 1, Descriptors - 1, &due);
    int r = tty_wait(fd, n, due);
    got.gone = got.gone || (r > 0 && (fd[0].revents & (POLLHUP | POLLERR | POLLNVAL)));
    *key = r > 0 && fd[0].revents && !got.gone;
    if (r >= 0 && (n > 1 || due >= 0) && host->due(host->ud, fd + 1, n - 1))
        libedit_wake();
    return !got.gone && (r >= 0 || errno == EINTR);
}

/* What signals asked for; true when the line is given up. */
static bool libedit_take_signals(void)
{
    int s = tty_take();
    if (s & TtyStop) {
        tty_stop();
        tty_raw();
    }
    if (s & TtyResize)
        rl_resize_terminal();
    if (s & (TtyStop | TtyCont))
        rl_forced_update_display();
    return s & TtyInt;
}

static bool edit_line(void)
{
    for (bool key; !got.done;) {
        bool there = wait_key(&key);
        if (libedit_take_signals() || !there)
            return false;
        if (key)
            rl_callback_read_char();
    }
    return true;
}

enum LineResult editor_read(bool more, char **text)
{
    Str prompt = {0};
    fflush(stdout);
    line_prompt(host, more, &prompt);
    if (got.entered) {
        printf("%s%s\n", prompt.n ? prompt.s : "", got.entered);
        *text = got.entered;
        got.entered = NULL;
        str_free(&prompt);
        return LineText;
    }
    tty_begin(false);
    got.done = false;
    got.text = NULL;
    tty_edited(); /* from here on its modes may be there */
    rl_callback_handler_install(prompt.n ? prompt.s : "", libedit_on_line);
    tty_edited();
    bool whole = edit_line();
    if (!whole)
        drop_line();
    tty_end();
    str_free(&prompt);
    if (whole && !got.text) {
        putchar('\n');
        fflush(stdout);
    }
    *text = got.text;
    return got.gone ? LineEof : !whole ? LineDrop : got.text ? LineText : LineEof;
}

void editor_remember(const char *entry)
{
    if (entries_add(entry))
        add_history(entry);
}

void editor_enter(const char *text)
{
    free(got.entered);
    got.entered = strdup(text);
}

void editor_forget_pasted(void)
{
    free(got.entered);
    got.entered = NULL;
}

static void libedit_free_all(void)
{
    editor_forget_pasted();
    clear_history();
}

void editor_open(const LineHost *h)
{
    host = h;
    rl_readline_name = "moontile";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_initialize();
    rl_bind_key('\t', rl_insert);
    using_history();
    stifle_history(HistoryMax);
    entries_open();
    for (int i = 0; i < entries_count(); i++)
        add_history(entries_at(i));
    atexit(libedit_free_all);
}
#endif
