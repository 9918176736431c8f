/* lua/term/term.c: what the terminal behind a stream can do. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "layout_viz/figure.h"

enum { Narrow = 80, Shallow = 24, Narrowest = 20 };

static bool has(const char *s, const char *word) { return s && strstr(s, word) != NULL; }

/* A number of columns or lines; 0: the variable says none. */
static int size_of(const char *s)
{
    char *end;
    long n = s ? strtol(s, &end, 10) : 0;
    return s && *end == '\0' && n > 0 && n <= FigWidth ? (int)n : 0;
}

static int depth(const char *term)
{
    const char *more = getenv("COLORTERM");
    if (!term || !*term || strcmp(term, "dumb") == 0)
        return 0;
    if (has(more, "truecolor") || has(more, "24bit") || has(term, "direct"))
        return 24;
    return has(term, "256color") ? 8 : 4;
}

/* The locale of the process was set at its start (repl/main.c). */
static bool utf8_locale(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

Terminal term_facts(int fd)
{
    Terminal t = {.tty = isatty(fd) == 1, .unicode = utf8_locale()};
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    struct winsize w = {0};
    if (t.tty && ioctl(fd, TIOCGWINSZ, &w) == 0) {
        t.width = w.ws_col;
        t.height = w.ws_row;
    }
    if (t.tty && !t.width)
        t.width = size_of(getenv("COLUMNS"));
    if (t.tty && !t.height)
        t.height = size_of(getenv("LINES"));
    if (!t.width)
        t.width = Narrow;
    if (!t.height)
        t.height = Shallow;
    if (t.width < Narrowest)
        t.width = Narrowest;
    if (t.width > FigWidth)
        t.width = FigWidth;
    t.depth = depth(term);
    t.colour = t.tty && !(no && *no) ? t.depth : 0;
    return t;
}
