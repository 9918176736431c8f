/* repl/edit/edit.h: what the files edit*.c share.  The text being edited is
 * readline's line buffer, which may have several lines.  readline keeps its
 * state in globals; so do these files. */
#ifndef MOONTILE_EDIT_H
#define MOONTILE_EDIT_H

#include "line.h"
#include "paint.h"

extern const LineHost *edit_host;

/* edit.c */
void edit_finish(enum LineResult r);       /* the input is given, or dropped */
void edit_set(const char *s, size_t point); /* another text, as one undo */
bool edit_suggests(void);                  /* is there a grey suggestion? */
bool edit_lines_ahead(void);               /* is there an Enter among keys not yet seen? */
bool edit_indented_ahead(void);            /* do they begin with an indented line? */
bool edit_python(const char *s, size_t n); /* is the text Python? */
void edit_paste(void);                     /* what follows is a paste */
void edit_clear(void);                     /* ^L */
/* Takes the block away and makes the terminal as outside, runs f, and shows
 * the block again below what f printed. */
void edit_aside(void (*f)(void *ud), void *ud);

/* keys.c: the bindings of keys.h */
bool keys_completing(void); /* was the last key Tab? */
void keys_bind(void);

/* browse.c: the arrows, the suggestion, incremental search */
void browse_begin(void);                   /* a new input */
bool browse(int step, bool by_prefix);     /* -1: older; false: there is none */
void browse_end(bool oldest);
bool browse_shows(void);                   /* is the text an entry as it is? */
const char *browse_suggestion(void);       /* what would complete the text, or NULL */
bool search_on(void);
void search_start(int step);
/* A byte of a key; false: the search is over and the byte means what it does. */
bool search_key(unsigned char c);
void search_leave(bool keep);
/* What is found, where in it, and the line that says what is looked for. */
const char *search_text(size_t *point, size_t *length);
void search_line(Str *out);

void edit_history_free(void);

/* complete.c: Tab */
void complete_next(int step);
void complete_stop(void);                  /* another key came */
void complete_list(Str *out, int columns, int rows); /* the list below, or nothing */

#endif
