/* repl/edit/paint.h: draws the input, of one line or many, and what stands below it.
 *
 * A block begins at the left of a row of its own.  Each paint shows it anew,
 * and writes only the rows that changed.  Rows wrap at the terminal's width;
 * of a block taller than the screen the part around the cursor is seen. */
#ifndef MOONTILE_PAINT_H
#define MOONTILE_PAINT_H

#include "core/base/base.h"

typedef struct View View;
struct View {
    const char *text;
    size_t n, point;
    const unsigned char *hue;  /* enum Hue8 of each byte; NULL: no colour */
    const Str *prompt;         /* one a line of the text */
    int prompt_width;          /* columns of the widest; they end together */
    const char *ghost;         /* grey, behind the end; NULL: none */
    const char *below;         /* lines that fit the width (cut_line), with colours; or NULL */
};

void paint_begin(void);             /* at a fresh row, whatever was printed before */
void paint(const View *v);
void paint_final(const View *v, const char *after); /* all of it, then `after`, a new row */
void paint_lift(void);              /* takes it away: the cursor stands where it began */
void paint_resized(void);           /* the terminal has another width: before the next paint */
void paint_clear(void);             /* an empty screen, the block at its top */
int paint_width(void);
int paint_height(void);

/* The glyph at s: its bytes, and the columns that it takes as it is shown. */
size_t glyph(const char *s, size_t n, int *width);
int shown_width(const char *s, size_t n); /* escape sequences take none */
/* Appends as much of s as fits `columns`, its last a "…" (or "~") when cut; at
 * a newline it ends.  Returns the columns taken. */
int cut_line(Str *out, const char *s, size_t n, int columns);
bool utf8_terminal(void);

/* SGR sequences for what is no text: "" without colour. */
enum Ink { InkGhost, InkNote, InkMark, InkPrompt, InkOff, NInk };
void paint_colour(bool on);
const char *ink(enum Ink i);

#endif
