/* layout_viz/page.h: lines of styled text, and the panels that write them.
 *
 * A Page is what a panel draws into: lines of known width, each beginning and
 * ending with the terminal's own colours, so that pages can stand side by side. */
#ifndef MOONTILE_PAGE_H
#define MOONTILE_PAGE_H

#include "palette.h"

enum { INKbold = 1, INKdim = 2, INKunder = 4, INKreverse = 8 };

typedef struct PageInk PageInk;
struct PageInk {
    Colour fg, bg;
    uint8_t attr;
};

typedef struct Page Page;
struct Page {
    Style style;
    Str text;
    size_t *end;     /* of each line in text */
    int *width;      /* of each line */
    int n, cap;
    PageInk pen;     /* what the terminal is set to */
    int column;      /* of the line being written */
    int blanks;      /* written, but nothing visible yet */
    bool bad;        /* there was no memory */
};

/* page.c */
void page_init(Page *p, const Style *s);
void page_free(Page *p);
void page_put(Page *p, PageInk ink, const char *s, size_t n, int width);
void page_ascii(Page *p, PageInk ink, const char *s); /* a width of strlen(s) */
void page_char(Page *p, PageInk ink, char c);
/* Cut to `columns` with "…" or "~" when it is wider; returns its width. */
int page_cut(Page *p, PageInk ink, const char *s, size_t n, int columns);
/* The same, filled up with blanks: 'l', 'r', 'c'. */
void page_field(Page *p, PageInk ink, const char *s, size_t n, int columns, char align);
void page_blank(Page *p, PageInk ink, int columns);
void page_to(Page *p, int column);                  /* blanks up to there */
void page_end(Page *p);                             /* of the line */
void page_line(Page *to, const Page *from, int i);  /* appends line i, not its end */
int page_width(const Page *p);                      /* of the widest line */
/* Text in lines of at most `width`, broken at blanks; `hang` indents the rest. */
void page_fold(Page *p, PageInk ink, const char *s, size_t n, int width, int hang);

/* The pen for a cell, for strokes, for what is secondary. */
PageInk ink_cell(const Style *s, int32_t hue, int tone);
PageInk ink_stroke(const Style *s, int32_t hue);
PageInk ink_dim(const Style *s);
PageInk ink_bold(const Style *s);

/* Width and start of line k of a label; false when it has no such line. */
bool label_line(const char *label, int k, const char **s, size_t *n);

/* What the writer says itself, in both languages. */
enum Word {
    Wevery, Weveryrow, Weverycol, Wmore, NWord
};
void page_say(Page *p, enum Word w, int a, int b);  /* text.c: a line */

/* The panels.  A rung says how much detail: the first that fits is taken. */
enum Rung { Rlabel, Rstack, Rfirst, Rblock, Rhalf, Rsampled, NRung };

/* text_grid.c: the width that the grid takes at the rung; -1: it has no such
 * form in this style. */
int grid_width(const Figure *f, const Grid *g, const Style *s, enum Rung r);
/* Draws at the rung, taking one of several rows and columns where the width
 * does not do. */
void grid_page(const Figure *f, const Grid *g, Page *p, enum Rung r);
/* The rung that shows most of those that fit. */
enum Rung grid_rung(const Figure *f, const Grid *g, const Style *s);
/* The rungs between which the style lets the writer choose. */
void rung_range(const Style *s, enum Rung *from, enum Rung *to);

/* text_table.c */
void table_page(const Figure *f, const Table *t, Page *p);
void lines_page(const Figure *f, const Lines *t, Page *p);
void legend_page(const Figure *f, const Legend *l, Page *p);

/* text_bars.c, text_track.c, text_curve.c */
void bars_page(const Figure *f, const BarChart *b, Page *p);
void track_page(const Figure *f, const Track *t, Page *p);
void curve_page(const Figure *f, const Curve *c, Page *p);

#endif
