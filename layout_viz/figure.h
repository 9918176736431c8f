/* layout_viz/figure.h: a figure as plain data, and its writers.
 *
 * A figure is a title and a list of panels in rows.  A panel is a grid of
 * cells, a table, bars, time lines, curves, text, a legend or an empty place.
 * Whoever builds one says what stands where; the writers decide how it looks
 * in a terminal of so many columns, as SVG, as JSON.
 *
 * All memory of a figure lies in one arena.  Texts are cleaned as they come
 * in (valid UTF-8, no control characters but the "\n" between the lines of a
 * label), so no writer has to look at them again. */
#ifndef MOONTILE_FIGURE_H
#define MOONTILE_FIGURE_H

#include "core/base/base.h"
#include "core/base/width.h"

/* Limits: a figure beyond one is refused with its name. */
enum {
    FigSide = 1 << 20,   /* rows, or columns, of a grid */
    FigCells = 1 << 22,  /* cells of a grid; points, spans, rows of a panel */
    FigPanels = 1 << 12,
    FigText = 1 << 28,   /* bytes of all texts */
    FigBytes = 1 << 30,  /* of a figure altogether */
    FigWidth = 1 << 14   /* columns that text may take */
};

/* Colours.  A hue from 0 on is a class, and colours repeat after 8 of them;
 * below 0 stand those that mean something by themselves. */
enum Hue {
    HUEplain = -1, HUEheat = -2, HUEdiverging = -3, HUEgood = -4, HUEbad = -5,
    HUEwarn = -6, HUEdim = -7, HUEaccent = -8, HUElast = HUEaccent
};
enum { Classes = 8, ToneDefault = 160 };

/* A text of the figure: where it starts in Figure.pool.  0: none, "". */
typedef uint32_t Text;

typedef struct FigureCell FigureCell;
struct FigureCell {
    Text label;
    int32_t hue;
    uint8_t tone;
    char sign;           /* 0: none was given */
    bool mark, hole;
};

/* What the labels and heads of a grid need, in columns of text. */
typedef struct GridFacts GridFacts;
struct GridFacts {
    int whole, line, first; /* all of a label in one line, its widest line, its first */
    int lines;              /* of labels, at most; 0: there are none */
    bool numbers, marks;    /* are all first lines numbers?  is a cell marked? */
    int rowhead, colhead;
};

typedef struct Grid Grid;
struct Grid {
    int rows, cols;
    FigureCell *cell;           /* rows * cols, row by row */
    Text *row_head, *col_head;  /* NULL: none */
    Text row_name, col_name;
    int gap_rows, gap_cols;     /* a gap after every so many; 0: none */
    bool labels, tones, signs;  /* which of them were given */
    GridFacts facts;            /* filled by fig_add */
};

typedef struct Table Table;
struct Table {
    int rows, cols;
    Text *head;          /* NULL: none */
    Text *entry;         /* rows * cols */
    char *align;         /* 'l' 'r' 'c', one a column */
    int32_t *tint;       /* a row's hue, HUEplain for none */
};

typedef struct ChartBar ChartBar;
struct ChartBar {
    Text label, text;
    double value, low, high;
    bool range;          /* low or high was given */
    int32_t hue;
};

typedef struct BarChart BarChart;
struct BarChart {
    int n;
    ChartBar *bar;
    double max;          /* of the axis; 0: the greatest value */
    Text unit;
};

typedef struct Span Span;
struct Span {
    double from, to;
    Text label;
    int32_t hue;
};

typedef struct FigureEvent FigureEvent;
struct FigureEvent {
    double at;
    char sign;
};

typedef struct Line Line;  /* a time line */
struct Line {
    Text label;
    Span *span;
    FigureEvent *mark;
    int nspan, nmark;
};

typedef struct Track Track;
struct Track {
    int n;
    Line *line;
    double from, to;
    Text unit;
};

typedef struct Point Point;
struct Point {
    double x, y;
    Text label;
    int32_t hue;
};

typedef struct Stroke Stroke;  /* a line of a curve panel */
struct Stroke {
    Point *point;
    int n;
    Text label;
    int32_t hue;
};

typedef struct Curve Curve;
struct Curve {
    Text xlabel, ylabel;
    bool xlog, ylog;
    Stroke *stroke;
    Point *point;
    int nstroke, npoint;
};

typedef struct Lines Lines;  /* of text */
struct Lines {
    int n;
    Text *line;
};

typedef struct Chip Chip;
struct Chip {
    int32_t hue;
    uint8_t tone;
    char sign;
    Text label;
};

typedef struct Legend Legend;
struct Legend {
    int n;
    Chip *chip;
};

enum PanelKind { Pgrid, Ptable, Pbars, Ptrack, Pcurve, Ptext, Plegend, Pblank, NPanel };

typedef struct Panel Panel;
struct Panel {
    enum PanelKind kind;
    int row;             /* panels of one row may stand side by side */
    Text caption;
    union {
        Grid grid;
        Table table;
        BarChart bars;
        Track track;
        Curve curve;
        Lines text;
        Legend legend;
    } u;
    Panel *next;
};

typedef struct Figure Figure;
struct Figure {
    Ctx ctx;             /* its arena */
    char *pool;          /* all texts, each with a NUL behind it */
    uint32_t npool, cappool;
    Text title, source;
    Panel *first, **tail;
    int npanel, nrow;
    bool side;           /* row() was called: panels stay in its row */
    bool used;           /* a panel stands in the row nrow */
};

/* How text is written. */
enum CellForm { CELLauto, CELLlabel, CELLfirst, CELLblock, CELLhalf, NCellForm };
typedef struct Style Style;
struct Style {
    int colour;          /* bits: 0, 4, 8 or 24 */
    bool unicode;
    int width, height;   /* columns; lines at most, 0: any number */
    enum CellForm cells;
    enum Lang lang;
    bool signs, labels;  /* set by the writer: cells show signs; none does, but labels */
};

/* figure.c -- false and NULL: there is no memory, or FigText is reached */
void fig_init(Figure *f, const Mem *mem);
void fig_free(Figure *f);
/* n elements of `size` bytes, zeroed. */
void *fig_new(Figure *f, size_t n, size_t size);
/* Takes a text in, cleaned; newlines become blanks unless `lines`. */
bool fig_text(Figure *f, Text *t, const char *s, size_t n, bool lines);
/* Takes in the label that `format` makes of integers; each %d takes the next. */
bool fig_label(Figure *f, Text *t, const char *format, const int64_t *value);
int fig_format(const char *format);  /* how many it takes; -1: it is no format */
/* Appends a panel; p is filled and was made by fig_new. */
void fig_add(Figure *f, Panel *p);
void grid_measure(const Figure *f, Grid *g); /* text_grid.c: fills g->facts */
void fig_row(Figure *f);             /* panels from here stand in a new row */

static inline const char *fig_str(const Figure *f, Text t) { return t ? f->pool + t : ""; }

/* text.c, svg.c, json.c: the writers.  out->bad: there was no memory. */
void fig_write_text(const Figure *f, const Style *s, Str *out);
void fig_write_svg(const Figure *f, Str *out);
void fig_write_json(const Figure *f, Str *out);

#endif
