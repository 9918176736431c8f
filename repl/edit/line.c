/* repl/edit/line.c: reads inputs: through an editor on a terminal that can move its
 * cursor, else line by line. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "line.h"
#include "lua/term/tty.h"

#ifdef USE_LIBEDIT
enum { Readline = 0 };
#else
enum { Readline = 1 };
#endif

static bool editing, show_prompts;
static const LineHost *host;

static char *entered; /* the next line of plain reading, malloc'd, or NULL */

enum {
    MaxAhead = 256 * 1024, /* of a text that is looked at at once */
    AheadWait = 50         /* ms: a program may still be writing it */
};

static char *back;   /* text that comes before what stdin has, malloc'd, or NULL */
static size_t taken; /* of it */

/* Waits until there is something to read; false: Ctrl-C. */
static bool line_readable(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        int n = tty_wait(&in, 1, -1), got = tty_take();
        if (got & TtyInt)
            return false;
        if (got & TtyStop)
            tty_stop();
        if (n > 0 || (n < 0 && errno != EINTR))
            return true;
    }
}

/* The rest of stdin that comes without a wait. */
static void read_ahead(Str *out)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    while (out->n < MaxAhead) {
        int c = getc(stdin);
        char byte = (char)c;
        if (c != EOF) {
            str_add(out, &byte, 1);
            continue;
        }
        bool ended = feof(stdin);
        clearerr(stdin);
        if (ended || poll(&in, 1, AheadWait) <= 0)
            return;
    }
}

char *line_ahead(void)
{
    Str text = {0};
    int flags = isatty(STDIN_FILENO) ? -1 : fcntl(STDIN_FILENO, F_GETFL);
    if (flags < 0)
        return NULL;
    if (back)
        str_puts(&text, back + taken);
    if (fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK) == 0) {
        read_ahead(&text);
        fcntl(STDIN_FILENO, F_SETFL, flags);
    }
    line_back(NULL);
    return text.s;
}

void line_back(char *text)
{
    free(back);
    back = text;
    taken = 0;
}

/* The next line of what was given back; its last one may go on in stdin. */
static enum LineResult read_back(char **text)
{
    const char *from = back + taken;
    size_t n = strcspn(from, "\n"), cap = 0;
    bool whole = from[n] == '\n';
    char *rest = NULL;
    Str line = {0};
    str_add(&line, from, n);
    taken += n + whole;
    if (!whole && getline(&rest, &cap, stdin) > 0)
        str_add(&line, rest, strcspn(rest, "\n"));
    if (!whole)
        clearerr(stdin);
    free(rest);
    *text = line.s ? line.s : strdup("");
    return *text ? LineText : LineEof;
}

/* A line of stdin without its newline.  At a terminal a whole line is there
 * when there is something to read. */
static enum LineResult read_line(char **text)
{
    size_t cap = 0;
    *text = NULL;
    if (back && back[taken])
        return read_back(text);
    if (isatty(STDIN_FILENO) && !line_readable())
        return LineDrop;
    ssize_t n = getline(text, &cap, stdin);
    if (n < 0) {
        free(*text);
        *text = NULL;
        clearerr(stdin);
        return LineEof;
    }
    if (n > 0 && (*text)[n - 1] == '\n')
        (*text)[n - 1] = '\0';
    return LineText;
}

void line_prompt(const LineHost *h, bool more, Str *out)
{
    Str first = {0};
    h->prompt(h->ud, more, out);
    if (out->n)
        return;
    h->prompt(h->ud, false, &first);
    for (size_t i = 3; i < first.n; i++)
        str_puts(out, " ");
    str_puts(out, " > ");
    str_free(&first);
}

static enum LineResult read_plain(bool more, char **text)
{
    Str prompt = {0};
    if (show_prompts) {
        line_prompt(host, more, &prompt);
        fputs(prompt.n ? prompt.s : "", stdout);
        str_free(&prompt);
    }
    if (entered) {
        if (show_prompts)
            puts(entered);
        *text = entered;
        entered = NULL;
        return LineText;
    }
    fflush(stdout);
    tty_begin(false);
    enum LineResult r = read_line(text);
    tty_end();
    if (r != LineText && show_prompts)
        putchar('\n');
    return r;
}

enum LineResult line_read(bool more, char **text)
{
    return editing ? editor_read(more, text) : read_plain(more, text);
}

bool line_blocks(void) { return editing && Readline; }

void line_remember(const char *entry)
{
    if (editing)
        editor_remember(entry);
}

void line_enter(const char *text)
{
    if (editing) {
        editor_enter(text);
        return;
    }
    free(entered);
    entered = strdup(text);
}

void line_forget_pasted(void)
{
    free(entered);
    entered = NULL;
    if (editing)
        editor_forget_pasted();
}

void line_open(const LineHost *h, bool prompts)
{
    host = h;
    show_prompts = prompts;
    editing = tty_capable();
    if (editing)
        editor_open(h);
}

/* The table of keys ------------------------------------------------------------- */

/* Rows without a name share the one above. */
static const KeyRow rows[] = {
#define KEY(name, seqs, action, en, zh) {name, {en, zh}, Readline || !(seqs)},
#include "keys.h"
#undef KEY
};

const KeyRow *line_keys(int *n)
{
    *n = (int)COUNT(rows);
    return rows;
}

/* Choices --------------------------------------------------------------------------- */

void choices_add(Choices *c, const char *text, const char *note)
{
    if (c->n == c->cap) {
        int cap = c->cap ? 2 * c->cap : 32;
        Completion *more = realloc(c->item, (size_t)cap * sizeof *more);
        if (!more)
            return;
        c->item = more;
        c->cap = cap;
    }
    Completion item = {strdup(text), note ? strdup(note) : NULL};
    if (item.text)
        c->item[c->n++] = item;
    else
        free(item.note);
}

void choices_free(Choices *c)
{
    for (int i = 0; i < c->n; i++) {
        free(c->item[i].text);
        free(c->item[i].note);
    }
    free(c->item);
    *c = (Choices){0};
}
