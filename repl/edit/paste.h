/* repl/edit/paste.h: what a pasted text means. */
#ifndef MOONTILE_PASTE_H
#define MOONTILE_PASTE_H

#include "line.h"

/* Inputs to be run one after another, and what stays to be edited. */
typedef struct Inputs Inputs;
struct Inputs {
    char **text;
    int n, cap;
    char *rest; /* NULL: nothing */
};
void inputs_add(Inputs *in, const char *s, size_t n); /* without blanks behind it */
void inputs_free(Inputs *in);

/* Reads a paste.  One that starts with a prompt is a transcript: its prompts
 * go, and so do the lines without one, which are output.  Other text of several
 * whole lines is one input, or as many as its lines make when it is not one;
 * text that ends within a line, or is not complete, or is wrong, stays to be
 * edited.  state: can the text run as an input?  whole: if nothing follows it. */
typedef enum LineState (*PasteState)(void *ud, const char *text, bool whole);
void paste_inputs(const char *s, size_t n, PasteState state, void *ud, Inputs *out);
/* The same text as it is put between other text: malloc'd. */
char *paste_text(const char *s, size_t n);

#endif
