/* repl/line.h: one line of input, and the history of entries. */
#ifndef MOONTILE_LINE_H
#define MOONTILE_LINE_H

#include <stdbool.h>

enum LineResult {
    LineText, /* *text is the line without its newline; free() it */
    LineEof,  /* Ctrl-D on an empty line, or the end of a pipe */
    LineDrop  /* Ctrl-C: forget what was typed */
};

/* Line editing when both ends are a capable terminal, plain reads otherwise.
 * prompts: whether a plain read shows its prompt. */
void line_open(bool prompts);
enum LineResult line_read(const char *prompt, char **text);
/* An entry, which may have several lines, for the arrow keys and the file. */
void line_remember(const char *entry);

/* history.c: the file $XDG_STATE_HOME/moontile/history: one entry a line,
 * newlines and backslashes escaped, mode 0600, the last HistoryMax entries. */
enum { HistoryMax = 10000 };
void history_load(void (*add)(const char *entry));
void history_append(const char *entry);
/* malloc'd path of a file of ours below an XDG folder: var, or fallback below
 * $HOME; its folders are made when make is set.  NULL when neither is set. */
char *xdg_path(const char *var, const char *fallback, const char *file, bool make);

#endif
