/* repl/edit/line.h: reading inputs, and the history of them. */
#ifndef MOONTILE_LINE_H
#define MOONTILE_LINE_H

#include <poll.h>
#include <stdbool.h>

#include "core/base/base.h"

enum LineResult {
    LineText, /* *text is a line, or a block of lines, without its last newline; free() it */
    LineEof,  /* Ctrl-D on an empty line, or the end of a pipe */
    LineDrop  /* Ctrl-C: forget what was typed */
};

enum LineState { LineReady, LineMore, LineWrong };

/* What Tab offers. */
typedef struct Completion Completion;
struct Completion {
    char *text, *note; /* malloc'd; note may be NULL */
};
typedef struct Choices Choices;
struct Choices {
    size_t from; /* where the word starts that they replace */
    Completion *item;
    int n, cap;
};
void choices_add(Choices *c, const char *text, const char *note);
void choices_free(Choices *c);

/* What an editor asks of whoever reads the inputs.  All texts are
 * NUL-terminated; a hook that is NULL has nothing to say. */
typedef struct LineHost LineHost;
struct LineHost {
    void *ud;
    bool colour;
    enum Lang (*lang)(void *ud);
    bool (*setting)(void *ud, const char *name); /* is it on? "hints", "suggestions" */
    /* the prompt of an input's first line, or of its others; that of the
     * others may be left empty: what is open is shown then */
    void (*prompt)(void *ud, bool more, Str *out);
    /* whole: nothing will follow; else a block of Python may go on below its last line */
    enum LineState (*state)(void *ud, const char *text, bool whole);
    bool (*python)(void *ud, const char *text, size_t n); /* or Lua? */
    void (*complete)(void *ud, const char *text, size_t point, Choices *out);
    void (*hint)(void *ud, const char *text, size_t point, int columns, Str *out);
    /* what the session wants typed, as far as it goes on behind the text */
    void (*suggest)(void *ud, const char *text, Str *out);
    void (*help)(void *ud, const char *name);
    void (*warm)(void *ud); /* nobody types yet: load what typing will need */
    /* What else to wait for: fills at most max descriptors, sets *seconds to
     * the time until something is due, < 0 for never.  due: after the wait, is
     * there something to do?  wake: does it. */
    int (*watch)(void *ud, struct pollfd *fd, int max, double *seconds);
    bool (*due)(void *ud, const struct pollfd *fd, int n);
    void (*wake)(void *ud);
};

/* Line editing when both ends are a capable terminal, plain reads otherwise.
 * prompts: whether a plain read shows its prompt.  The host must stay. */
void line_open(const LineHost *host, bool prompts);
/* more: this line continues the one before; an editor of blocks, which gives
 * whole inputs, does not need it. */
enum LineResult line_read(bool more, char **text);
bool line_blocks(void); /* does it give whole inputs? */
/* An entry, which may have several lines, for the arrow keys and the file. */
void line_remember(const char *entry);
void line_enter(const char *text); /* the next input, as if it had been typed */
/* Of a pipe or a file: the text that is there to be read behind the last line, without waiting
 * for somebody who types; malloc'd, or NULL.  line_back gives it back, to be read as lines. */
char *line_ahead(void);
void line_back(char *text);
void line_forget_pasted(void);     /* inputs of a paste, or entered, that have not run yet */

/* One row of the table of keys; see keys.h. */
typedef struct KeyRow KeyRow;
struct KeyRow {
    const char *name, *text[NLang];
    bool here; /* does this build have it? */
};
const KeyRow *line_keys(int *n);

/* The prompt of a line; the default one of a further line ends where that of
 * the first does. */
void line_prompt(const LineHost *host, bool more, Str *out);

/* edit.c, over readline; line_libedit.c: the editors behind line_read. */
void editor_open(const LineHost *host);
enum LineResult editor_read(bool more, char **text);
void editor_remember(const char *entry);
void editor_enter(const char *text);
void editor_forget_pasted(void);

/* history.c: the file $XDG_STATE_HOME/moontile/history: one entry a line,
 * newlines and backslashes escaped, mode 0600, the last HistoryMax entries. */
enum { HistoryMax = 10000 };
void entries_open(void);
int entries_count(void);
const char *entries_at(int i); /* 0: the oldest */
/* Adds an entry and writes it to the file, unless it repeats the one before,
 * is empty or starts with a blank: then false. */
bool entries_add(const char *entry);
/* Why the file did not take an entry, told once; NULL: it takes all, or that was told. */
const char *entries_trouble(void);

#endif
