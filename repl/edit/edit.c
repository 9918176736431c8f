/* repl/edit/edit.c: reads an input at the terminal, through GNU readline.
 *
 * readline edits; waiting, reading and painting are done here.  It is driven
 * through its callback interface, its bytes come from a queue, and its
 * redisplay function only notes that something changed, so that a burst of
 * keys is painted once. */
#include "edit.h"

#ifndef USE_LIBEDIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include "paste.h"
#include "scan.h"
#include "lua/term/tty.h"

const LineHost *edit_host;

/* Seconds to wait for the rest of an escape sequence. */
static const double patience = 0.05;

static struct {
    Str queue;             /* bytes read and not yet used: from `used` on */
    size_t used;
    size_t early;          /* bytes still to be read that were typed before editing */
    Str paste;             /* of the paste that is coming in */
    bool pasting;
    Inputs pasted;         /* inputs of a paste that wait for their turn */
    int turn;
    char *rest;            /* what the next input starts with */
    bool hints, suggestions; /* are they wanted? */
    bool done, gone;       /* gone: the terminal is no more */
    bool dirty, warm;      /* warm: what typing needs is loaded */
    enum LineResult result;
    char *text;            /* of the result */
    Str prompt, more;      /* of this input; more: empty when we choose */
    Str hint;
} e;

static size_t edit_size(void) { return (size_t)rl_end; }

bool edit_python(const char *s, size_t n)
{
    return edit_host->python && edit_host->python(edit_host->ud, s, n);
}

/* Painting ------------------------------------------------------------------- */

static void on_redisplay(void) { e.dirty = true; }

enum { OpenColumns = 14 }; /* of what is open, before " > " */

/* One prompt a line of s; plain: without what is open.  Returns the columns
 * of the widest. */
static int make_prompts(const char *s, size_t n, bool plain, Str **prompts, int *lines)
{
    int count = 1, width, line = 0;
    for (size_t i = 0; i < n; i++)
        count += s[i] == '\n';
    Str *p = calloc((size_t)count, sizeof *p);
    *prompts = p;
    *lines = p ? count : 0;
    if (!p)
        return 0;
    str_add(&p[0], e.prompt.s ? e.prompt.s : "", e.prompt.n);
    width = shown_width(p[0].s, p[0].n);
    int room = paint_width() / 4 < OpenColumns ? paint_width() / 4 : OpenColumns;
    EditScan c;
    scan_begin(&c, s, n, edit_python(s, n));
    size_t at = 0;
    int open = 0;
    for (bool any = true; any && line + 1 < count;) {
        any = scan_next(&c);
        size_t upto = any ? c.token.from : n;
        int inner = any && c.token.unfinished ? c.nopen : open;
        for (; at < (any ? c.token.to : n) && line + 1 < count; at++) {
            if (s[at] != '\n')
                continue;
            Str *q = &p[++line];
            if (e.more.n)
                str_add(q, e.more.s, e.more.n);
            else if (!plain)
                scan_words(&c, at < upto ? open : inner, room, q);
            if (!e.more.n)
                str_puts(q, " > ");
            int w = shown_width(q->s, q->n);
            width = w > width ? w : width;
        }
        open = c.nopen;
    }
    return width;
}

enum { HintText = 4000 };

/* The signature of the call at the cursor.  What stands far before it is not
 * looked at. */
static void call_hint(Str *out)
{
    size_t from = (size_t)rl_point, point = from;
    while (from > 0 && (point - from < HintText || rl_line_buffer[from - 1] != '\n'))
        from--;
    edit_host->hint(edit_host->ud, rl_line_buffer + from, point - from, paint_width() - 3, out);
}

/* The marks around the argument, where the terminal has no others than ASCII. */
static void plain_marks(Str *s)
{
    size_t to = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool mark = s->s[i] == '\xc2' && (s->s[i + 1] == '\xab' || s->s[i + 1] == '\xbb');
        s->s[to++] = !mark ? s->s[i] : s->s[i + 1] == '\xab' ? '[' : ']';
        i += mark;
    }
    s->n = to;
}

/* The line below the input, when nothing else wants the place. */
static const char *edit_hint(void)
{
    e.hint.n = 0;
    if (e.hint.s)
        e.hint.s[0] = '\0';
    if (rl_display_prompt && rl_prompt && strcmp(rl_display_prompt, rl_prompt) != 0) {
        cut_line(&e.hint, rl_display_prompt, strlen(rl_display_prompt), paint_width() - 1);
        return e.hint.s;
    }
    complete_list(&e.hint, paint_width() - 1, paint_height() / 2);
    if (e.hint.n)
        return e.hint.s;
    if (e.hints && edit_host->hint && rl_end > 0 && !scan_mode(rl_line_buffer, edit_size())) {
        Str text = {0};
        call_hint(&text);
        if (!utf8_terminal())
            plain_marks(&text);
        if (text.n) {
            str_fmt(&e.hint, "%s  ", ink(InkNote));
            cut_line(&e.hint, text.s, text.n, paint_width() - 3);
            str_puts(&e.hint, ink(InkOff));
        }
        str_free(&text);
    }
    return e.hint.s;
}

static void free_prompts(Str *p, int n)
{
    for (int i = 0; i < n; i++)
        str_free(&p[i]);
    free(p);
}

/* Shows s: while it is edited, or for the last time, with `after` behind it. */
static void edit_show(const char *s, size_t n, size_t point, bool final, const char *after)
{
    Str *prompts;
    int lines;
    View v = {.text = s, .n = n, .point = point};
    v.prompt_width = make_prompts(s, n, final, &prompts, &lines);
    unsigned char *hue = edit_host->colour ? malloc(n + 1) : NULL;
    if (hue)
        highlight(s, n, edit_python(s, n), final ? NoPlace : point, hue);
    v.hue = hue;
    v.prompt = prompts;
    if (!prompts) {
        free(hue);
        return;
    }
    if (final) {
        paint_final(&v, after);
    } else if (search_on()) {
        size_t where, length;
        const char *found = search_text(&where, &length);
        for (size_t i = 0; hue && found && i < length; i++)
            hue[where + i] = HuePair;
        e.hint.n = 0;
        search_line(&e.hint);
        v.below = e.hint.s;
        paint(&v);
    } else {
        v.below = edit_hint();
        v.ghost = edit_suggests() ? browse_suggestion() : NULL;
        paint(&v);
    }
    free_prompts(prompts, lines);
    free(hue);
}

static void paint_now(void)
{
    e.dirty = false;
    size_t point = (size_t)rl_point, length;
    const char *found = search_on() ? search_text(&point, &length) : NULL;
    const char *s = found ? found : rl_line_buffer;
    edit_show(s, found ? strlen(s) : edit_size(), point, false, NULL);
}


void edit_clear(void)
{
    paint_clear();
    e.dirty = true;
}

static void show_final(const char *after)
{
    search_leave(false);
    complete_stop();
    edit_show(rl_line_buffer, edit_size(), edit_size(), true, after);
}

/* The text ---------------------------------------------------------------------- */

void edit_set(const char *s, size_t point)
{
    rl_begin_undo_group();
    rl_delete_text(0, rl_end);
    rl_point = 0;
    rl_insert_text(s);
    rl_end_undo_group();
    rl_point = (int)(point < edit_size() ? point : edit_size());
}

void edit_finish(enum LineResult r)
{
    e.result = r;
    e.done = true;
    if (r == LineText)
        e.text = strdup(rl_line_buffer);
}

/* Without colours it would look like something typed. */
bool edit_suggests(void) { return edit_host->colour && e.suggestions; }

static bool edit_typeahead(void) { return e.used < e.queue.n; }

bool edit_lines_ahead(void)
{
    size_t n = e.queue.n - e.used;
    return n && (memchr(e.queue.s + e.used, '\r', n) || memchr(e.queue.s + e.used, '\n', n));
}

/* Ctrl-D on an empty line; our Enter does not come here. */
static void edit_on_line(char *s)
{
    if (!e.done)
        edit_finish(LineEof);
    free(s);
    rl_callback_handler_remove();
}

/* Pauses --------------------------------------------------------------------------- */

void edit_aside(void (*f)(void *ud), void *ud)
{
    paint_lift();
    tty_end();
    f(ud);
    fflush(stdout);
    tty_begin(true);
    e.early = tty_early();
    paint_begin();
    e.dirty = true;
}

static void edit_suspend(void)
{
    show_final("");
    tty_stop();
    tty_raw();
    e.early = tty_early();
    paint_begin();
    e.dirty = true;
}

static void edit_wake(void *ud)
{
    (void)ud;
    edit_host->wake(edit_host->ud);
}

/* What signals asked for; true when there was something. */
static bool edit_take_signals(void)
{
    int got = tty_take();
    if (got & TtyInt)
        edit_finish(LineDrop);
    if (got & TtyStop)
        edit_suspend();
    if (got & TtyCont)
        tty_raw();
    if (got & TtyResize)
        paint_resized();
    if (got & (TtyResize | TtyCont))
        e.dirty = true;
    return got != 0;
}

/* Reading --------------------------------------------------------------------------- */

enum { Descriptors = 16 };

/* Waits for bytes, and adds them to the queue; false when none came within
 * the time (< 0: as long as it takes) or something else happened. */
static bool edit_fill(double seconds)
{
    struct pollfd fd[Descriptors] = {{.fd = STDIN_FILENO, .events = POLLIN}};
    double due = -1;
    int n = 1;
    if (edit_host->watch && seconds < 0)
        n += edit_host->watch(edit_host->ud, fd + 1, Descriptors - 1, &due);
    int r = tty_wait(fd, n, seconds >= 0 ? seconds : due);
    if (edit_take_signals())
        return false;
    if (r < 0)
        return false;
    if (n > 1 || due >= 0) {
        if (edit_host->due(edit_host->ud, fd + 1, n - 1))
            edit_aside(edit_wake, NULL);
    }
    if (r == 0 || !fd[0].revents)
        return false;
    char buf[4096];
    ssize_t k = read(STDIN_FILENO, buf, sizeof buf);
    if (k == 0 || (k < 0 && errno != EINTR && errno != EAGAIN)) {
        e.gone = true;
        edit_finish(LineEof);
        return false;
    }
    if (e.used == e.queue.n)
        e.used = e.queue.n = 0;
    for (ssize_t i = 0; i < k && e.early > 0; i++, e.early--)
        if (buf[i] == '\n') /* Enter, as the terminal gives it outside of editing */
            buf[i] = '\r';
    if (k > 0)
        str_add(&e.queue, buf, (size_t)k);
    return k > 0;
}

/* Does the line that the keys not yet seen give, behind empty ones, begin with a blank? */
bool edit_indented_ahead(void)
{
    size_t at = e.used;
    while (at < e.queue.n && (e.queue.s[at] == '\r' || e.queue.s[at] == '\n'))
        at++;
    return at < e.queue.n && (e.queue.s[at] == ' ' || e.queue.s[at] == '\t');
}

/* readline's next byte.  When it wants one that has not come, in the middle of
 * a key, this waits. */
static int next_byte(FILE *f)
{
    (void)f;
    while (!edit_typeahead() && !e.done)
        edit_fill(-1);
    return e.done ? EOF : (unsigned char)e.queue.s[e.used++];
}

static int input_available(void) { return edit_typeahead(); }

static size_t ahead(void) { return e.queue.n - e.used; }
static const char *edit_head(void) { return e.queue.s + e.used; }

/* The length of the key that starts the queue: of a whole escape sequence, or
 * 1; 0: the rest of it is still to come. */
static size_t key_length(void)
{
    const char *s = edit_head();
    size_t n = ahead(), i = 2;
    if (s[0] != '\033')
        return 1;
    if (n < 2)
        return 0;
    if (s[1] != '[' && s[1] != 'O')
        return 2;
    if (s[1] == '[' && n > 2 && s[2] == '[') /* F1 .. F5 of the Linux console */
        return n > 3 ? 4 : 0;
    while (i < n && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x40)
        i++;
    return i < n ? i + 1 : 0;
}

/* Does readline know a key of that sequence? */
static bool edit_bound(const char *s, size_t n)
{
    char seq[32];
    int type;
    if (n >= sizeof seq)
        return false;
    memcpy(seq, s, n);
    seq[n] = '\0';
    rl_command_func_t *f = rl_function_of_keyseq(seq, NULL, &type);
    return f && type == ISFUNC;
}

#define PASTE_START "\033[200~"
#define PASTE_END   "\033[201~"
enum { PasteMark = sizeof PASTE_START - 1 };

static bool plain_state(void)
{
    return !RL_ISSTATE(RL_STATE_METANEXT | RL_STATE_MULTIKEY | RL_STATE_NUMERICARG |
                       RL_STATE_CHARSEARCH | RL_STATE_NSEARCH | RL_STATE_ISEARCH);
}

/* Of a pasted text: whole, a block that it ends in has ended. */
static enum LineState state_of(void *ud, const char *text, bool whole)
{
    (void)ud;
    return edit_host->state(edit_host->ud, text, whole);
}

/* The next input of a paste, or what stays of it to be edited. */
static void next_pasted(void)
{
    if (e.turn < e.pasted.n) {
        edit_set(e.pasted.text[e.turn++], NoPlace);
        edit_finish(LineText);
    } else if (e.rest) {
        edit_set(e.rest, NoPlace);
        free(e.rest);
        e.rest = NULL;
    }
}

/* The whole paste is there: as an input typed it is inserted; where there is
 * nothing else, inputs that are complete run. */
static void paste_done(void)
{
    const char *s = e.paste.s ? e.paste.s : "";
    size_t n = e.paste.n;
    e.pasting = false;
    search_leave(true);
    complete_stop();
    if (!plain_state())
        rl_callback_sigcleanup();
    if (strspn(rl_line_buffer, " \t") == edit_size()) {
        editor_forget_pasted();
        paste_inputs(s, n, state_of, NULL, &e.pasted);
        e.rest = e.pasted.rest;
        e.pasted.rest = NULL;
        next_pasted();
    } else {
        char *text = paste_text(s, n);
        rl_insert_text(text ? text : "");
        free(text);
    }
    e.paste.n = 0;
    e.dirty = true;
}

void edit_paste(void) { e.pasting = true; }

/* Takes the bytes of a paste; true when there is something left in the queue. */
static bool paste_more(void)
{
    char *end = memmem(edit_head(), ahead(), PASTE_END, PasteMark);
    size_t n = end ? (size_t)(end - edit_head()) : ahead();
    for (size_t k = PasteMark - 1; !end && k > 0; k--) /* the mark may be cut in two */
        if (n >= k && memcmp(edit_head() + n - k, PASTE_END, k) == 0) {
            n -= k;
            break;
        }
    str_add(&e.paste, edit_head(), n);
    e.used += n;
    if (end) {
        e.used += PasteMark;
        paste_done();
    }
    return end != NULL;
}

/* Handles the first key of the queue; false: more bytes are needed for that. */
static bool one_key(bool whole)
{
    if (e.pasting)
        return paste_more();
    size_t n = key_length();
    if (n == 0 && !whole && !RL_ISSTATE(RL_STATE_METANEXT))
        return false;
    if (n == 0)
        n = search_on() || ahead() < 2 ? 1 : ahead();
    if (n == PasteMark && memcmp(edit_head(), PASTE_START, n) == 0) {
        e.pasting = true;
        e.used += n;
        return true;
    }
    if (search_on()) {
        unsigned char c = (unsigned char)edit_head()[0];
        if (search_key(c)) {
            e.used++;
            e.dirty = true;
            return true;
        }
        if (n == 1 && c == '\033') { /* Escape alone has done its work */
            e.used++;
            return true;
        }
    }
    if (n > 2 && !RL_ISSTATE(RL_STATE_METANEXT) && !edit_bound(edit_head(), n)) {
        e.used += n;
        return true;
    }
    size_t stop = e.used + n;
    while (e.used < stop && !e.done && !e.pasting)
        rl_callback_read_char();
    return true;
}

/* One input ---------------------------------------------------------------------------- */

static void edit_reset(Str *s)
{
    s->n = 0;
    if (s->s)
        s->s[0] = '\0';
}

/* A prompt is one row, and leaves room for what is typed. */
static void fit_prompt(Str *p, const char *otherwise)
{
    for (size_t i = 0; i < p->n; i++)
        if ((unsigned char)p->s[i] < 0x20 && p->s[i] != '\033')
            p->s[i] = ' ';
    if (p->n && shown_width(p->s, p->n) > paint_width() / 2) {
        edit_reset(p);
        str_puts(p, otherwise);
    }
}

static void edit_begin(void)
{
    edit_reset(&e.prompt);
    edit_reset(&e.more);
    edit_host->prompt(edit_host->ud, false, &e.prompt);
    edit_host->prompt(edit_host->ud, true, &e.more);
    e.hints = edit_host->setting(edit_host->ud, "hints");
    e.suggestions = edit_host->setting(edit_host->ud, "suggestions");
    e.done = e.pasting = false;
    e.text = NULL;
    e.paste.n = 0;
    fflush(stdout);
    tty_begin(true);
    e.early = tty_early();
    paint_begin();
    fit_prompt(&e.prompt, "> ");
    fit_prompt(&e.more, "> ");
    browse_begin();
    rl_callback_handler_install("", edit_on_line);
}

/* The editor's state is dropped with its line. */
static void edit_end(void)
{
    show_final(e.result == LineDrop ? "^C" : "");
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_replace_line("", 0);
    rl_callback_handler_remove();
    tty_end();
}

/* Before the first key, when that does not come at once; true when it waited. */
static bool warm_up(void)
{
    if (e.warm || !edit_host->warm || edit_typeahead())
        return false;
    if (!edit_fill(patience) && !e.done && !e.dirty) {
        e.warm = true;
        edit_host->warm(edit_host->ud);
    }
    return true;
}

static void edit_loop(void)
{
    while (!e.done) {
        if (edit_typeahead() && one_key(false))
            continue;
        bool partial = edit_typeahead() && !e.pasting;
        if (e.dirty && !e.done)
            paint_now();
        if (warm_up())
            continue;
        if (!edit_fill(partial ? patience : -1) && partial && !e.done && edit_typeahead())
            one_key(true);
    }
}

enum LineResult editor_read(bool more, char **text)
{
    (void)more;
    edit_begin();
    next_pasted();
    edit_loop();
    edit_end();
    *text = e.text;
    return e.result;
}

void editor_remember(const char *entry) { entries_add(entry); }

void editor_enter(const char *text)
{
    editor_forget_pasted();
    inputs_add(&e.pasted, text, strlen(text));
}

void editor_forget_pasted(void)
{
    inputs_free(&e.pasted);
    free(e.rest);
    e.rest = NULL;
    e.turn = 0;
}

static void edit_free_all(void)
{
    editor_forget_pasted();
    complete_stop();
    edit_history_free();
    str_free(&e.queue);
    str_free(&e.paste);
    str_free(&e.prompt);
    str_free(&e.more);
    str_free(&e.hint);
}

static void prep_terminal(int meta) { (void)meta; }
static void deprep_terminal(void) {}

void editor_open(const LineHost *host)
{
    edit_host = host;
    rl_readline_name = "moontile";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_getc_function = next_byte;
    rl_input_available_hook = input_available;
    rl_redisplay_function = on_redisplay;
    rl_prep_term_function = prep_terminal;
    rl_deprep_term_function = deprep_terminal;
    rl_initialize();
    rl_tty_set_echoing(1);
    keys_bind();
    paint_colour(host->colour);
    entries_open();
    atexit(edit_free_all);
}
#endif
