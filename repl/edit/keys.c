/* repl/edit/keys.c: what the keys of keys.h do. */
#include "edit.h"

#ifndef USE_LIBEDIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include "core/base/disk.h"
#include "scan.h"
#include "lua/term/tty.h"

static char *keys_text(void) { return rl_line_buffer; }
static size_t keys_size(void) { return (size_t)rl_end; }
static size_t keys_point(void) { return (size_t)rl_point; }

/* Start and end of the line that a place is in. */
static size_t line_from(size_t at)
{
    while (at > 0 && keys_text()[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_to(size_t at)
{
    while (at < keys_size() && keys_text()[at] != '\n')
        at++;
    return at;
}

static size_t indent_at(size_t line) { return strspn(keys_text() + line, " "); }

/* Lines ------------------------------------------------------------------------ */

/* Gives a line another indentation; the cursor keeps its character. */
static void indent_line(size_t line, int columns)
{
    char blanks[2 * OpenMax + 2];
    size_t had = indent_at(line), at = keys_point();
    int n = columns < (int)sizeof blanks ? columns : (int)sizeof blanks - 1;
    if ((int)had == n)
        return;
    memset(blanks, ' ', (size_t)n);
    blanks[n] = '\0';
    rl_begin_undo_group();
    rl_delete_text((int)line, (int)(line + had));
    rl_point = (int)line;
    rl_insert_text(blanks);
    rl_end_undo_group();
    rl_point = (int)(at >= line + had ? at - had + (size_t)n : at > line ? line : at);
}

static bool keys_python(void) { return edit_python(keys_text(), keys_size()); }

static int keys_indent(size_t line)
{
    return (keys_python() ? pyscan_indent : scan_indent)(keys_text(), keys_size(), line);
}

/* `end` and its like move back below what they end. */
static void settle_line(void)
{
    size_t line = line_from(keys_point());
    EditToken t = {.to = line};
    bool python = keys_python();
    if (line > 0 && (python ? pytoken_next : token_next)(keys_text(), keys_size(), &t) &&
        t.from <= line_to(line) && (python ? pytoken_leads_out : token_leads_out)(keys_text(), &t))
        indent_line(line, keys_indent(line));
}

/* A new line at the cursor.  Lines that come faster than they are typed have
 * their own indentation. */
static void new_line(void)
{
    bool typed = !edit_lines_ahead();
    rl_begin_undo_group();
    if (typed) {
        settle_line();
        size_t from = line_from(keys_point()), at = keys_point();
        while (at > from && keys_text()[at - 1] == ' ')
            at--;
        rl_delete_text((int)at, rl_point);
        rl_point = (int)at;
    }
    rl_insert_text("\n");
    if (typed) {
        size_t line = keys_point();
        indent_line(line, keys_indent(line));
        rl_point = (int)(line + indent_at(line));
    }
    rl_end_undo_group();
}

static int k_newline(int count, int key)
{
    (void)count, (void)key;
    new_line();
    return 0;
}

/* Can the text run?  A block of Python goes on until an empty line, and behind it where indented lines of
 * it are still to come; one from the history is whole. */
static bool finished(void)
{
    const char *s = keys_text();
    if (s[strspn(s, " \t\r\n")] == '\0' || scan_mode(s, keys_size()))
        return true;
    if (edit_host->state(edit_host->ud, s, browse_shows()) == LineMore)
        return false;
    return !(strchr(s, '\n') && keys_python() && edit_indented_ahead());
}

static int k_enter(int count, int key)
{
    (void)count, (void)key;
    if (!edit_lines_ahead())
        settle_line(); /* as far in as it was typed, `else` may belong to nothing */
    if (finished()) {
        edit_finish(LineText);
    } else {
        new_line();
    }
    return 0;
}

/* Moving ------------------------------------------------------------------------ */

static int goal; /* the column that Up and Down keep to */

static int keys_column(size_t at)
{
    size_t from = line_from(at);
    return shown_width(keys_text() + from, at - from);
}

static size_t at_column(size_t line, int columns)
{
    size_t at = line, end = line_to(line);
    int width, sum = 0;
    while (at < end) {
        size_t k = glyph(keys_text() + at, end - at, &width);
        if (sum + width > columns)
            break;
        sum += width;
        at += k;
    }
    return at;
}

static int k_up(int count, int key);
static int k_down(int count, int key);

static void keep_goal(void)
{
    if (rl_last_func != k_up && rl_last_func != k_down)
        goal = keys_column(keys_point());
}

static int k_up(int count, int key)
{
    (void)count, (void)key;
    size_t line = line_from(keys_point());
    keep_goal();
    if (line > 0)
        rl_point = (int)at_column(line_from(line - 1), goal);
    else if (browse(-1, true))
        goal = keys_column(keys_point());
    return 0;
}

static int k_down(int count, int key)
{
    (void)count, (void)key;
    size_t end = line_to(keys_point());
    keep_goal();
    if (end < keys_size())
        rl_point = (int)at_column(end + 1, goal);
    else if (browse(1, true))
        goal = keys_column(keys_point());
    return 0;
}

static int k_line_home(int count, int key)
{
    (void)count, (void)key;
    rl_point = (int)line_from(keys_point());
    return 0;
}

static int k_block_home(int count, int key)
{
    (void)count, (void)key;
    rl_point = 0;
    return 0;
}

static int k_block_end(int count, int key)
{
    (void)count, (void)key;
    rl_point = rl_end;
    return 0;
}

static const char *suggestion(void) { return edit_suggests() ? browse_suggestion() : NULL; }

/* Takes n bytes of the suggestion, NoPlace: all; false when there is none. */
static bool take_suggestion(size_t n)
{
    const char *s = suggestion();
    char *part = s ? strndup(s, n == NoPlace ? strlen(s) : n) : NULL;
    if (!part)
        return false;
    rl_insert_text(part);
    free(part);
    return true;
}

static int k_right(int count, int key)
{
    return take_suggestion(NoPlace) ? 0 : rl_forward_char(count, key);
}

static int k_line_end(int count, int key)
{
    (void)count, (void)key;
    if (!take_suggestion(NoPlace))
        rl_point = (int)line_to(keys_point());
    return 0;
}

static int k_word_left(int count, int key) { return rl_backward_word(count, key); }

static int k_word_right(int count, int key)
{
    static const char signs[] = " \t\n()[]{}.,;:+-*/%^#&|~<>=\"'";
    const char *s = suggestion();
    if (!s)
        return rl_forward_word(count, key);
    size_t n = strspn(s, signs);
    take_suggestion(n + strcspn(s + n, signs));
    return 0;
}

/* History ------------------------------------------------------------------------- */

static int k_older(int count, int key)
{
    (void)count, (void)key;
    browse(-1, false);
    return 0;
}

static int k_newer(int count, int key)
{
    (void)count, (void)key;
    browse(1, false);
    return 0;
}

static int k_oldest(int count, int key)
{
    (void)count, (void)key;
    browse_end(true);
    return 0;
}

static int k_newest(int count, int key)
{
    (void)count, (void)key;
    browse_end(false);
    return 0;
}

static int k_search_back(int count, int key)
{
    (void)count, (void)key;
    search_start(-1);
    return 0;
}

static int k_search_on(int count, int key)
{
    (void)count, (void)key;
    search_start(1);
    return 0;
}

/* Deleting ------------------------------------------------------------------------ */

static int k_kill_home(int count, int key)
{
    (void)count, (void)key;
    size_t from = line_from(keys_point());
    rl_kill_text(rl_point, (int)from);
    rl_point = (int)from;
    return 0;
}

static int k_kill_end(int count, int key)
{
    (void)count, (void)key;
    size_t to = line_to(keys_point());
    to += to == keys_point() && to < keys_size();
    rl_kill_text(rl_point, (int)to);
    return 0;
}

static bool keys_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static int k_rubout(int count, int key)
{
    (void)count, (void)key;
    size_t from = keys_point();
    while (from > 0 && keys_blank(keys_text()[from - 1]))
        from--;
    while (from > 0 && !keys_blank(keys_text()[from - 1]))
        from--;
    rl_kill_text(rl_point, (int)from);
    rl_point = (int)from;
    return 0;
}

/* In a line's indentation it goes back to the step before. */
static int k_backspace(int count, int key)
{
    size_t from = line_from(keys_point()), in = keys_point() - from;
    if (count != 1 || in < 2 || from == 0 || indent_at(from) < in)
        return rl_rubout(count, key);
    size_t step = keys_python() ? 4 : 2, to = (in - 1) / step * step;
    rl_delete_text((int)(from + to), rl_point);
    rl_point = (int)(from + to);
    return 0;
}

static int k_delete_right(int count, int key) { return rl_delete(count, key); }

/* Tab --------------------------------------------------------------------------- */

static int k_complete(int count, int key);
static int k_complete_back(int count, int key);

bool keys_completing(void)
{
    return rl_last_func == k_complete || rl_last_func == k_complete_back;
}

static int complete_key(int step)
{
    size_t from = line_from(keys_point());
    if (!keys_completing())
        complete_stop();
    if (from > 0 && indent_at(from) >= keys_point() - from)
        rl_insert_text(keys_python() ? "    " : "  ");
    else
        complete_next(step);
    return 0;
}

static int k_complete(int count, int key)
{
    (void)count, (void)key;
    return complete_key(1);
}

static int k_complete_back(int count, int key)
{
    (void)count, (void)key;
    return complete_key(-1);
}

/* A paste whose mark came in pieces. */
static int k_paste(int count, int key)
{
    (void)count, (void)key;
    edit_paste();
    return 0;
}

/* Outside ------------------------------------------------------------------------- */

static void show_help(void *ud) { edit_host->help(edit_host->ud, ud); }

static int k_help(int count, int key)
{
    (void)count, (void)key;
    size_t from = 0, to = 0;
    if (!scan_name(keys_text(), keys_size(), keys_point(), &from, &to))
        from = to = 0;
    char *name = strndup(keys_text() + from, to - from);
    if (name && edit_host->help)
        edit_aside(show_help, name);
    free(name);
    return 0;
}

static int k_clear(int count, int key)
{
    (void)count, (void)key;
    edit_clear();
    return 0;
}

/* Writes the text into a new file of ours; its malloc'd name, or NULL. */
static char *keys_write_file(void)
{
    const char *dir = getenv("TMPDIR");
    Str s = {0};
    str_fmt(&s, "%s/moontile-XXXXXX.lua", dir && dir[0] ? dir : "/tmp");
    int fd = s.bad ? -1 : mkstemps(s.s, 4);
    bool ok = fd >= 0 && write(fd, keys_text(), keys_size()) == (ssize_t)keys_size() &&
              write(fd, "\n", 1) == 1;
    if (fd >= 0)
        close(fd);
    if (!ok) {
        str_free(&s);
        return NULL;
    }
    return s.s;
}

static void keys_read_file(const char *path)
{
    Str s = {0};
    int err = disk_read(path, &s);
    while (s.n && keys_blank(s.s[s.n - 1]))
        s.s[--s.n] = '\0';
    if (!err)
        edit_set(s.s ? s.s : "", NoPlace);
    str_free(&s);
}

static void run_editor(void *ud)
{
    const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
    const char *which = visual && visual[0] ? visual : editor && editor[0] ? editor : "vi";
    Str s = {0};
    str_fmt(&s, "%s \"$1\"", which);
    if (!s.bad && tty_shell(s.s, ud) == 0)
        keys_read_file(ud);
    str_free(&s);
}

static int k_editor(int count, int key)
{
    (void)count, (void)key;
    char *path = keys_write_file();
    if (!path)
        return 0;
    edit_aside(run_editor, path);
    unlink(path);
    free(path);
    return 0;
}

/* The table ------------------------------------------------------------------------ */

static const struct { const char *seqs; rl_command_func_t *f; } bindings[] = {
#define k_own NULL
#define KEY(name, seqs, action, en, zh) {seqs, k_##action},
#include "keys.h"
#undef KEY
};

/* readline's own commands that take the line without asking, print, or record. */
static const char *const unwanted[] = {
    "\\e#", "\\e?", "\\e=", "\\e*", "\\C-x\\C-r", "\\e\\C-r", "\\C-x(", "\\C-x)", "\\C-xe",
};

void keys_bind(void)
{
    rl_variable_bind("editing-mode", "emacs");
    rl_variable_bind("enable-bracketed-paste", "off");
    rl_variable_bind("blink-matching-paren", "off");
    rl_variable_bind("convert-meta", "off");
    rl_variable_bind("input-meta", "on");
    rl_variable_bind("output-meta", "on");
    Keymap map = rl_get_keymap_by_name("emacs-standard");
    rl_set_keymap(map);
    for (size_t i = 0; i < COUNT(unwanted); i++)
        rl_bind_keyseq_in_map(unwanted[i], NULL, map);
    for (size_t i = 0; i < COUNT(bindings); i++) {
        const char *s = bindings[i].seqs;
        while (bindings[i].f && s && *s) {
            char seq[32];
            size_t n = strcspn(s, " ");
            snprintf(seq, sizeof seq, "%.*s", (int)n, s);
            rl_bind_keyseq_in_map(seq, bindings[i].f, map);
            s += n + (s[n] == ' ');
        }
    }
}
#endif
