/* layout_viz/text_curve.c: curves in a terminal: braille dots, or characters.
 *
 * A character cell holds 2 x 4 dots of braille.  Where there is no Unicode, or
 * no colour to tell several curves apart, each curve has a character instead.
 * Points say their label beside them where nothing else stands, otherwise a
 * letter, which the legend below explains. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "axis.h"

enum { Rows = 16, RowsLeast = 4, TickRows = 4, LettersMost = 26, CurveMost = 120 };

/* A character cell of the plot. */
typedef struct CurveSpot CurveSpot;
struct CurveSpot {
    uint8_t dots;     /* of braille */
    char c;           /* or a character; 0: none */
    bool point;       /* the sign of a point */
    int32_t hue;
    Text label;       /* a label begins here */
    bool covered;     /* by a label that began further left */
};

typedef struct CurveFrame CurveFrame;
struct CurveFrame {
    const Figure *f;
    const Curve *c;
    Scale x, y;
    int rows, cols, label; /* label: columns of the y axis' numbers */
    bool braille;
    CurveSpot *spot;       /* rows * cols */
    Chip chip[LettersMost + Classes];
    int nchip, nletter;
};

static const char stroke_signs[Classes + 1] = "*+x#%@=~";

static CurveSpot *spot(const CurveFrame *m, int row, int col)
{
    return &m->spot[(size_t)row * (size_t)m->cols + (size_t)col];
}

static int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

/* The place of v among n steps, 0 at the low end. */
static int text_curve_step_of(const Scale *s, double v, int n)
{
    return clamp((int)lround(scale_at(s, v) * (n - 1)), 0, n - 1);
}

/* Strokes ------------------------------------------------------------------------ */

/* A dot at (x, y), counted from the lower left in the finest steps there are. */
static void dot(const CurveFrame *m, int x, int y, int k)
{
    static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int32_t hue = m->c->stroke[k].hue;
    if (hue == HUEplain)
        hue = k;
    if (m->braille) {
        int row = (4 * m->rows - 1 - y) / 4, line = (4 * m->rows - 1 - y) % 4;
        CurveSpot *s = spot(m, row, x / 2);
        s->dots |= bit[line][x % 2];
        s->hue = hue;
    } else {
        CurveSpot *s = spot(m, m->rows - 1 - y, x);
        s->c = stroke_signs[k % Classes];
        s->hue = hue;
    }
}

static void text_curve_stroke(const CurveFrame *m, int k)
{
    const Stroke *s = &m->c->stroke[k];
    int w = m->braille ? 2 * m->cols : m->cols, h = m->braille ? 4 * m->rows : m->rows;
    int x0 = 0, y0 = 0;
    for (int i = 0; i < s->n; i++) {
        int x = text_curve_step_of(&m->x, s->point[i].x, w),
            y = text_curve_step_of(&m->y, s->point[i].y, h);
        int n = i == 0 ? 1 : abs(x - x0) > abs(y - y0) ? abs(x - x0) : abs(y - y0);
        for (int j = i == 0 ? 0 : 1; j <= n && i > 0; j++)
            dot(m, x0 + (int)lround((double)(x - x0) * j / n),
                y0 + (int)lround((double)(y - y0) * j / n), k);
        dot(m, x, y, k);
        x0 = x;
        y0 = y;
    }
}

/* Points --------------------------------------------------------------------------- */

static bool vacant(const CurveFrame *m, int row, int from, int n)
{
    if (from < 0 || from + n > m->cols)
        return false;
    for (int c = from; c < from + n; c++) {
        const CurveSpot *s = spot(m, row, c);
        if (s->dots || s->c || s->covered)
            return false;
    }
    return true;
}

static void cover(const CurveFrame *m, int row, int from, int n, Text label)
{
    spot(m, row, from)->label = label;
    for (int c = from; c < from + n; c++)
        spot(m, row, c)->covered = true;
}

/* Would a label in row r, w columns from `from`, be read as that of the point at
 * (row, col) alone?  Not with another sign or label near it. */
static bool text_curve_alone(const CurveFrame *m, int r, int from, int w, int row, int col)
{
    enum { Near = 8 };
    for (int i = r - 1; i <= r + 1; i++)
        for (int c = from - Near; c < from + w + Near; c++) {
            if (i < 0 || i >= m->rows || c < 0 || c >= m->cols || (i == row && c == col))
                continue;
            if (spot(m, i, c)->point || spot(m, i, c)->covered)
                return false;
        }
    return true;
}

/* Puts the label beside the sign, or a line below or above it. */
static bool place_label(const CurveFrame *m, Text label, int w, int row, int col)
{
    static const int line[] = {0, 1, -1};
    for (size_t i = 0; i < COUNT(line); i++) {
        int r = row + line[i], from = line[i] ? col : col + 1;
        if (r < 0 || r >= m->rows)
            continue;
        bool clear = line[i] == 0 || text_curve_alone(m, r, from, w, row, col);
        if (clear && vacant(m, r, from, w + 1)) {
            cover(m, r, from + 1, w, label);
            return true;
        }
        from = line[i] ? col - w : col - w - 1;
        clear = line[i] == 0 || text_curve_alone(m, r, from, w, row, col);
        if (clear && vacant(m, r, from, w + 1)) {
            cover(m, r, from, w, label);
            return true;
        }
    }
    return false;
}

/* The sign of the point stands already; its label goes where there is room. */
static void label_point(CurveFrame *m, const Point *p, int row, int col)
{
    const char *s = fig_str(m->f, p->label);
    int w = text_width(s, strlen(s));
    if (w == 0 || place_label(m, p->label, w, row, col))
        return;
    if (m->nletter < LettersMost) {
        CurveSpot *at = spot(m, row, col);
        at->c = (char)('a' + m->nletter++);
        m->chip[m->nchip++] = (Chip){p->hue, ToneDefault, at->c, p->label};
    }
}

static void text_curve_points(CurveFrame *m)
{
    const Curve *c = m->c;
    for (int pass = 0; pass < 2; pass++) /* all signs before the first label */
        for (int i = 0; i < c->npoint; i++) {
            const Point *p = &c->point[i];
            int row = m->rows - 1 - text_curve_step_of(&m->y, p->y, m->rows);
            int col = text_curve_step_of(&m->x, p->x, m->cols);
            CurveSpot *s = spot(m, row, col);
            if (pass == 0)
                *s = (CurveSpot){.c = 'o', .point = true, .hue = p->hue};
            else
                label_point(m, p, row, col);
        }
}

/* The page --------------------------------------------------------------------------- */

static void put_spot(const CurveFrame *m, Page *p, const CurveSpot *s, int *col)
{
    PageInk ink = ink_stroke(&p->style, s->hue);
    if (s->label) {
        const char *t = fig_str(m->f, s->label);
        page_put(p, (PageInk){0}, t, strlen(t), text_width(t, strlen(t)));
        *col += text_width(t, strlen(t)) - 1;
    } else if (s->point) {
        ink.attr = p->style.colour ? INKbold : 0;
        if (s->c == 'o' && p->style.unicode)
            page_put(p, ink, "●", 3, 1);
        else
            page_char(p, ink, s->c);
    } else if (s->c) {
        page_char(p, ink, s->c);
    } else if (s->dots) {
        char b[3] = {(char)0xe2, (char)(0xa0 | s->dots >> 6), (char)(0x80 | (s->dots & 0x3f))};
        page_put(p, ink, b, sizeof b, 1);
    } else {
        page_blank(p, (PageInk){0}, 1);
    }
}

/* The number beside row r, when a tick of the y axis is there. */
static void put_tick(const CurveFrame *m, Page *p, const double *tick, int n, int r)
{
    const char *edge = p->style.unicode ? "│" : "|", *mark = p->style.unicode ? "┤" : "+";
    char buf[TickText] = "";
    int have = 0;
    for (int i = 0; i < n && !have; i++)
        if (m->rows - 1 - text_curve_step_of(&m->y, tick[i], m->rows) == r)
            have = tick_text(buf, tick[i]);
    page_field(p, ink_dim(&p->style), buf, (size_t)have, m->label, 'r');
    const char *s = have ? mark : edge;
    page_put(p, ink_dim(&p->style), s, strlen(s), 1);
}

static void text_curve_put_name(const CurveFrame *m, Page *p, Text t, char align)
{
    const char *s = fig_str(m->f, t);
    if (!t)
        return;
    page_field(p, ink_dim(&p->style), s, strlen(s), m->label + 1 + m->cols, align);
    page_end(p);
}

/* The x axis: a line with ticks, and the numbers below them. */
static void put_axis(const CurveFrame *m, Page *p)
{
    enum { Apart = 9 };
    double tick[TicksMost];
    int n = scale_ticks(&m->x, m->cols / Apart, tick);
    PageInk ink = ink_dim(&p->style);
    const char *corner = p->style.unicode ? "└" : "+";
    page_blank(p, (PageInk){0}, m->label);
    page_put(p, ink, corner, strlen(corner), 1);
    for (int c = 0; c < m->cols; c++) {
        bool here = false;
        for (int i = 0; i < n; i++)
            here = here || text_curve_step_of(&m->x, tick[i], m->cols) == c;
        const char *s = here ? (p->style.unicode ? "┬" : "+") : p->style.unicode ? "─" : "-";
        page_put(p, ink, s, strlen(s), 1);
    }
    page_end(p);
    int end = m->label + 1 + m->cols;
    for (int i = 0; i < n; i++) {
        char buf[TickText];
        int w = tick_text(buf, tick[i]);
        int at = m->label + 1 + text_curve_step_of(&m->x, tick[i], m->cols) - w / 2;
        at = at + w > end ? end - w : at;
        if (at < p->column + (i > 0))
            continue;
        page_to(p, at);
        page_ascii(p, ink, buf);
    }
    page_end(p);
}

/* The names of the strokes, before those of the points. */
static void name_strokes(CurveFrame *m, const Style *st)
{
    const Curve *c = m->c;
    for (int k = 0; k < c->nstroke && k < Classes; k++) {
        const Stroke *s = &c->stroke[k];
        char sign = !m->braille ? stroke_signs[k] : st->colour ? ' ' : '.';
        if (s->label)
            m->chip[m->nchip++] = (Chip){s->hue == HUEplain ? k : s->hue, 120, sign, s->label};
    }
}

static bool curve_frame(CurveFrame *m, Page *p)
{
    const Style *s = &p->style;
    double tick[TicksMost];
    char buf[TickText];
    curve_scales(m->c, &m->x, &m->y);
    m->rows = s->height ? clamp(s->height - 6, RowsLeast, Rows) : Rows;
    int n = scale_ticks(&m->y, m->rows / TickRows + 1, tick);
    for (int i = 0; i < n; i++) {
        int w = tick_text(buf, tick[i]);
        m->label = w > m->label ? w : m->label;
    }
    m->cols = clamp(s->width - m->label - 1, 2, CurveMost);
    m->braille = s->unicode && (s->colour || m->c->nstroke <= 1);
    m->spot = calloc((size_t)m->rows * (size_t)m->cols, sizeof *m->spot);
    return m->spot != NULL;
}

void curve_page(const Figure *f, const Curve *c, Page *p)
{
    CurveFrame m = {.f = f, .c = c};
    if (!curve_frame(&m, p)) {
        p->bad = true;
        return;
    }
    for (int k = 0; k < c->nstroke; k++)
        text_curve_stroke(&m, k);
    name_strokes(&m, &p->style);
    text_curve_points(&m);
    double tick[TicksMost];
    int n = scale_ticks(&m.y, m.rows / TickRows + 1, tick);
    text_curve_put_name(&m, p, c->ylabel, 'l');
    for (int r = 0; r < m.rows; r++) {
        put_tick(&m, p, tick, n, r);
        for (int col = 0; col < m.cols; col++)
            put_spot(&m, p, spot(&m, r, col), &col);
        page_end(p);
    }
    put_axis(&m, p);
    text_curve_put_name(&m, p, c->xlabel, 'r');
    Legend l = {m.nchip, m.chip};
    legend_page(f, &l, p);
    free(m.spot);
}
