/* layout_viz/text_grid.c: a grid of cells in a terminal.
 *
 * The forms, from much to little, of a cell that says "T12\nL3":
 *     label   "T12:L3"                    in one line
 *     stack   "T12" above "L3"            where the grid is not too high
 *     first   "T12"
 *     block   two columns: a blank and the sign, on the cell's colour
 *     half    one column and half a line "▀"; without colour the sign
 *     sampled half (or the form asked for) of one in k rows and columns
 * A cell is as wide as the widest label, and one blank before it.  Without
 * colour a marked cell stands in brackets that take the blanks around it. */
#include <string.h>

#include "page.h"

enum {
    HeadMost = 24,  /* columns for the heads of rows */
    StackMost = 64, /* lines of a grid with stacked labels */
    RowsLeast = 16  /* so many rows are kept when a wide grid is sampled */
};

typedef struct GridForm GridForm;
struct GridForm {
    const Figure *f;
    const Grid *g;
    enum Rung rung;
    bool half;   /* two rows in one line */
    int cell;    /* columns of a cell */
    int lines;   /* lines of a row */
    int kr, kc;  /* one in so many is shown */
    int nr, nc;  /* so many are shown */
    int head;    /* columns before the first cell */
    int gap_rows, gap_cols; /* 0: none */
};

/* Measuring ------------------------------------------------------------------ */

static int text_grid_most(int a, int b) { return a > b ? a : b; }

static bool number_like(const char *s, size_t n)
{
    return n && strspn(s, "0123456789.+-eE%") >= n && strcspn(s, "0123456789") < n;
}

static void measure_label(GridFacts *k, const char *label)
{
    int lines = 0;
    const char *s;
    size_t n;
    k->whole = text_grid_most(k->whole, text_width(label, strlen(label))); /* "\n" counts one */
    for (const char *at = label; label_line(at, lines ? 1 : 0, &s, &n); at = s) {
        int w = text_width(s, n);
        k->line = text_grid_most(k->line, w);
        if (lines++ == 0) {
            k->first = text_grid_most(k->first, w);
            k->numbers = k->numbers && number_like(s, n);
        }
    }
    k->lines = text_grid_most(k->lines, lines);
}

static int widest_text(const Figure *f, const Text *t, int n)
{
    int w = 0;
    for (int i = 0; t && i < n; i++)
        w = text_grid_most(w, text_width(fig_str(f, t[i]), strlen(fig_str(f, t[i]))));
    return w;
}

void grid_measure(const Figure *f, Grid *g)
{
    GridFacts k = {.numbers = true};
    size_t n = (size_t)g->rows * (size_t)g->cols;
    for (size_t i = 0; i < n; i++) {
        const FigureCell *c = &g->cell[i];
        if (c->label && !c->hole)
            measure_label(&k, fig_str(f, c->label));
        k.marks = k.marks || c->mark;
    }
    int name = g->row_name ? widest_text(f, &g->row_name, 1) + 2 : 0;
    k.rowhead = text_grid_most(widest_text(f, g->row_head, g->rows), name);
    k.colhead = widest_text(f, g->col_head, g->cols);
    g->facts = k;
}

/* Fills what the rung decides; false: the grid has no such form. */
static bool text_grid_shape(GridForm *m, const Style *s, enum Rung r)
{
    const GridFacts *k = &m->g->facts;
    m->rung = r;
    m->kr = m->kc = 1;
    m->nr = m->g->rows;
    m->nc = m->g->cols;
    m->gap_rows = m->g->gap_rows;
    m->gap_cols = m->g->gap_cols;
    m->lines = r == Rstack ? k->lines : 1;
    m->half = r == Rhalf && s->unicode && s->colour;
    if (m->half && m->gap_rows % 2)
        m->gap_rows = 0; /* it would run through a character */
    int head = k->rowhead < HeadMost ? k->rowhead : HeadMost;
    head = head < s->width / 3 ? head : s->width / 3;
    m->head = head ? head + 1 : 0;
    switch (r) {
    case Rlabel: m->cell = k->whole + 1; break;
    case Rstack: m->cell = k->line + 1; break;
    case Rfirst: m->cell = k->first + 1; break;
    case Rblock: m->cell = 2; break;
    default:     m->cell = 1; break;
    }
    if (r == Rstack && (k->lines < 2 || m->nr > StackMost / k->lines))
        return false;
    if (r == Rstack && s->height && m->nr * k->lines > s->height)
        return false;
    return r >= Rblock || k->lines > 0;
}

static bool gap_before(int every, int i) { return every > 0 && i > 0 && i % every == 0; }

/* The gaps before column c. */
static int gaps(const GridForm *m, int c) { return m->gap_cols > 0 ? c / m->gap_cols : 0; }

/* The bracket behind the last cell may stick out. */
static int text_grid_wide(const GridForm *m, const Style *s)
{
    bool sticks = m->g->facts.marks && !s->colour && m->cell > 1;
    int64_t w = m->head + (int64_t)m->nc * m->cell + gaps(m, m->nc - 1) + sticks;
    return w < INT32_MAX ? (int)w : INT32_MAX;
}

int grid_width(const Figure *f, const Grid *g, const Style *s, enum Rung r)
{
    GridForm m = {.f = f, .g = g};
    return text_grid_shape(&m, s, r) ? text_grid_wide(&m, s) : -1;
}

void rung_range(const Style *s, enum Rung *from, enum Rung *to)
{
    static const enum Rung range[NCellForm][2] = {
        [CELLauto] = {Rlabel, Rhalf}, [CELLlabel] = {Rlabel, Rstack},
        [CELLfirst] = {Rfirst, Rfirst}, [CELLblock] = {Rblock, Rblock}, [CELLhalf] = {Rhalf, Rhalf},
    };
    *from = range[s->cells][0];
    *to = range[s->cells][1];
}

static enum Rung choose_rung(GridForm *m, const Style *s)
{
    enum Rung from, to;
    rung_range(s, &from, &to);
    for (enum Rung r = from; r <= to; r++)
        if (text_grid_shape(m, s, r) && text_grid_wide(m, s) <= s->width)
            return r;
    return Rsampled;
}

enum Rung grid_rung(const Figure *f, const Grid *g, const Style *s)
{
    GridForm m = {.f = f, .g = g};
    return choose_rung(&m, s);
}

/* Finds the least k at which one column in k fits.  Rows follow the columns,
 * so that the picture keeps its form, as long as enough of them remain. */
static void text_grid_sample(GridForm *m, const Style *s)
{
    enum Rung from, to;
    rung_range(s, &from, &to);
    if (!text_grid_shape(m, s, to) && !text_grid_shape(m, s, from))
        text_grid_shape(m, s, Rblock);
    m->gap_rows = m->gap_cols = 0;
    const Grid *g = m->g;
    int all = s->width - m->head - 1;
    m->cell = m->cell < all ? m->cell : all; /* a label wider than that is cut */
    int room = all / m->cell;
    m->kc = g->cols / room + (g->cols % room != 0);
    m->nc = g->cols / m->kc + (g->cols % m->kc != 0);
    m->kr = g->rows / m->kc >= RowsLeast ? m->kc : text_grid_most(g->rows / RowsLeast, 1);
    m->nr = g->rows / m->kr + (g->rows % m->kr != 0);
}

/* Cells ---------------------------------------------------------------------- */

/* The cell at place (r, c) of what is shown: of those that it stands for, a
 * marked one before the first. */
static const FigureCell *cell_at(const GridForm *m, int r, int c)
{
    const Grid *g = m->g;
    int r0 = r * m->kr, c0 = c * m->kc;
    const FigureCell *first = &g->cell[(size_t)r0 * (size_t)g->cols + (size_t)c0];
    if (m->kr == 1 && m->kc == 1)
        return first;
    for (int i = r0; i < g->rows && i < r0 + m->kr; i++)
        for (int j = c0; j < g->cols && j < c0 + m->kc; j++) {
            const FigureCell *x = &g->cell[(size_t)i * (size_t)g->cols + (size_t)j];
            if (x->mark)
                return x;
        }
    return first;
}

/* What was given, a label of one character, or what stands for the colour. */
static char sign_of(const Figure *f, const FigureCell *c)
{
    const char *s = fig_str(f, c->label);
    if (c->sign)
        return c->sign;
    if (c->hue == HUEplain && *s > ' ' && *s <= '~' && (s[1] == '\0' || s[1] == '\n'))
        return *s;
    return hue_sign(c->hue, c->tone);
}

/* Line k of what the cell says at this rung. */
static bool cell_text(const GridForm *m, const Page *p, const FigureCell *c, int k, const char **s,
                      size_t *n)
{
    *s = "";
    *n = 0;
    if (m->rung == Rblock)
        return c->sign || !p->style.colour || hue_speaks(c->hue);
    const char *label = fig_str(m->f, c->label);
    if (m->rung == Rlabel) {
        *s = label;
        *n = strlen(label);
        return true;
    }
    return label_line(label, k, s, n);
}

/* The lines of a label in one, with ':' between them. */
static void put_joined(Page *p, PageInk ink, const char *s, size_t n)
{
    while (n) {
        const char *nl = memchr(s, '\n', n);
        size_t part = nl ? (size_t)(nl - s) : n;
        page_put(p, ink, s, part, text_width(s, part));
        if (!nl)
            return;
        page_char(p, ink, ':');
        s += part + 1;
        n -= part + 1;
    }
}

static PageInk cell_ink(const Style *s, const FigureCell *c)
{
    PageInk ink = ink_cell(s, c->hue, c->tone);
    if (c->mark && s->colour)
        ink.attr = INKreverse | INKbold;
    return ink;
}

/* What the cell says on line k, as much as fits into the cell. */
typedef struct SaidCells SaidCells;
struct SaidCells {
    const char *s;
    size_t n;
    int width;  /* with the sign of the cut */
    bool cut;   /* only where a form is asked for that does not fit */
    char sign;
};

static void find_said(const GridForm *m, const Page *p, const FigureCell *c, int k, SaidCells *t)
{
    *t = (SaidCells){.s = "", .sign = sign_of(m->f, c)};
    if (c->hole || !cell_text(m, p, c, k, &t->s, &t->n))
        return;
    if (m->rung == Rblock) {
        t->s = &t->sign;
        t->n = 1;
    }
    t->width = text_width(t->s, t->n);
    t->cut = t->width >= m->cell;
    if (t->cut) {
        t->n = text_fit(t->s, t->n, m->cell - 2, &t->width);
        t->width++;
    }
}

static void put_said(Page *p, PageInk ink, const SaidCells *t)
{
    if (t->n == 1 && *t->s == ' ')
        page_blank(p, ink, 1);
    else
        put_joined(p, ink, t->s, t->n);
    if (t->cut)
        page_put(p, ink, p->style.unicode ? "…" : "~", p->style.unicode ? 3 : 1, 1);
}

/* One line of one cell of two columns or more.  *close: the cell before left
 * its bracket open. */
static void put_cell(const GridForm *m, Page *p, const FigureCell *c, int k, bool *close)
{
    PageInk none = {0}, ink = c->hole ? none : cell_ink(&p->style, c);
    bool bracket = c->mark && !p->style.colour && k == 0;
    bool right = m->g->facts.numbers && m->rung != Rblock;
    SaidCells t;
    find_said(m, p, c, k, &t);
    int room = m->cell - 1 - t.width;
    page_char(p, ink, bracket ? '[' : *close ? ']' : ' ');
    if (right)
        page_blank(p, ink, room);
    put_said(p, ink, &t);
    *close = bracket && (right || room == 0);
    if (bracket && !*close) {
        page_char(p, ink, ']');
        room--;
    }
    if (!right)
        page_blank(p, ink, room);
}

/* The colour that half a character shows; 0: nothing. */
static Colour half_colour(const Style *s, const FigureCell *c)
{
    if (!c || c->hole)
        return 0;
    Colour k = c->hue == HUEplain ? hue_ground(s->colour, HUEdim, 60)
                                  : hue_ground(s->colour, c->hue, c->tone);
    return c->mark ? ground_ink(s->colour, k) : k;
}

static void put_half(Page *p, const FigureCell *upper, const FigureCell *lower)
{
    Colour up = half_colour(&p->style, upper), low = half_colour(&p->style, lower);
    if (up == low)
        page_blank(p, (PageInk){0, up, 0}, 1);
    else if (up)
        page_put(p, (PageInk){up, low, 0}, "▀", 3, 1);
    else
        page_put(p, (PageInk){low, 0, 0}, "▄", 3, 1);
}

static void put_sign(const Figure *f, Page *p, const FigureCell *c)
{
    PageInk none = {0};
    if (c->hole)
        page_blank(p, none, 1);
    else if (p->style.colour)
        page_char(p, cell_ink(&p->style, c), c->sign ? c->sign : c->mark ? '#' :
                  hue_speaks(c->hue) ? sign_of(f, c) : ' ');
    else
        page_char(p, none, c->mark ? '#' : sign_of(f, c));
}

/* Rows ------------------------------------------------------------------------- */

static void text_grid_put_head(const GridForm *m, Page *p, Text t)
{
    const char *s = fig_str(m->f, t);
    if (!m->head)
        return;
    page_field(p, ink_dim(&p->style), s, strlen(s), m->head - 1, 'r');
    page_blank(p, (PageInk){0}, 1);
}

/* One in so many heads stands above narrow columns: 1, 2, 4, 8 .. of them. */
static int thinned(const GridForm *m)
{
    int every = 1;
    while (every * m->cell < m->g->facts.colhead + 1 && every < m->nc)
        every *= 2;
    return every;
}

static int column_of(const GridForm *m, int c)
{
    return m->head + c * m->cell + gaps(m, c);
}

static void name_line(const GridForm *m, Page *p)
{
    const char *s = fig_str(m->f, m->g->col_name);
    PageInk ink = ink_dim(&p->style);
    int at = m->head + (m->cell > 1);
    int room = p->style.width - at - 2;
    page_to(p, at);
    page_cut(p, ink, s, strlen(s), text_grid_most(room, 1));
    page_put(p, ink, p->style.unicode ? " →" : " >", p->style.unicode ? 4 : 2, 2);
    page_end(p);
}

/* The name of the rows, and the heads of the columns. */
static void head_line(const GridForm *m, Page *p)
{
    const Grid *g = m->g;
    PageInk ink = ink_dim(&p->style);
    if (g->row_name) {
        const char *s = fig_str(m->f, g->row_name), *down = p->style.unicode ? " ↓" : " v";
        int w = text_width(s, strlen(s));
        page_blank(p, (PageInk){0}, m->head - 3 - w);
        page_cut(p, ink, s, strlen(s), m->head - 3);
        page_put(p, ink, down, strlen(down), 2);
    }
    int every = thinned(m);
    for (int c = 0; g->col_head && c < m->nc; c += every) {
        const char *s = fig_str(m->f, g->col_head[c * m->kc]);
        int w = text_width(s, strlen(s)), at = column_of(m, c) + (m->cell > 1);
        if (every == 1 && m->g->facts.numbers && m->rung < Rblock)
            at += m->cell - 1 - w;
        if (at < p->column || at + w > p->style.width)
            continue;
        page_to(p, at);
        page_put(p, ink, s, strlen(s), w);
    }
    page_end(p);
}

/* Line k of row r; with halves, of rows r and r + 1. */
static void row_line(const GridForm *m, Page *p, int r, int k)
{
    const Grid *g = m->g;
    bool close = false;
    text_grid_put_head(m, p, k == 0 && g->row_head ? g->row_head[r * m->kr] : 0);
    for (int c = 0; c < m->nc; c++) {
        if (gap_before(m->gap_cols, c)) {
            page_char(p, (PageInk){0}, close ? ']' : ' ');
            close = false;
        }
        const FigureCell *x = cell_at(m, r, c);
        if (m->half)
            put_half(p, x, r + 1 < m->nr ? cell_at(m, r + 1, c) : NULL);
        else if (m->cell == 1)
            put_sign(m->f, p, x);
        else
            put_cell(m, p, x, k, &close);
    }
    if (close)
        page_char(p, (PageInk){0}, ']');
    page_end(p);
}

/* "showing 1 in 4 rows and columns" */
static void say_sampled(const GridForm *m, Page *p)
{
    if (m->kr == 1 && m->kc == 1)
        return;
    if (m->kr == m->kc)
        page_say(p, Wevery, m->kc, 0);
    else if (m->kr == 1)
        page_say(p, Weverycol, m->kc, 0);
    else
        page_say(p, Weveryrow, m->kr, m->kc);
}

void grid_page(const Figure *f, const Grid *g, Page *p, enum Rung r)
{
    GridForm m = {.f = f, .g = g};
    if (r == Rsampled || !text_grid_shape(&m, &p->style, r))
        text_grid_sample(&m, &p->style);
    if (g->col_name)
        name_line(&m, p);
    if (g->col_head || g->row_name)
        head_line(&m, p);
    for (int i = 0; i < m.nr; i += m.half ? 2 : 1) {
        if (gap_before(m.gap_rows, i))
            page_end(p);
        for (int k = 0; k < m.lines; k++)
            row_line(&m, p, i, k);
    }
    say_sampled(&m, p);
}
