/* layout_viz/text_bars.c: bars in a terminal.
 *
 *     cublas      ████████████████▊  612 TFLOP/s
 *     moontile    ████████████████▍  598 TFLOP/s
 *
 * Eighths of a column where there is Unicode, else '#'.  A range from low to
 * high stands on the bar: solid to low, shaded to the value, a line to high.
 * Negative values lie to the left of an axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "axis.h"

enum { BarMost = 80, BarLeast = 6 };

typedef struct BarsFrame BarsFrame;
struct BarsFrame {
    const Figure *f;
    const BarChart *b;
    Scale scale;
    int label, area, text; /* columns */
    int left;              /* of the area: for negative values */
};

static int text_bars_most(int a, int b) { return a > b ? a : b; }

static void text_bars_put_glyph(Page *p, PageInk ink, const char *unicode, char ascii)
{
    if (p->style.unicode)
        page_put(p, ink, unicode, strlen(unicode), 1);
    else
        page_char(p, ink, ascii);
}

static void put_repeated(Page *p, PageInk ink, const char *unicode, char ascii, int n)
{
    for (int i = 0; i < n; i++)
        text_bars_put_glyph(p, ink, unicode, ascii);
}

static BarsFrame measure_bars(const Figure *f, const BarChart *b, const Style *s)
{
    BarsFrame m = {.f = f, .b = b, .scale = bars_scale(b)};
    for (int i = 0; i < b->n; i++) {
        Str t = {0};
        const char *l = fig_str(f, b->bar[i].label);
        bar_text(f, b, &b->bar[i], &t);
        m.label = text_bars_most(m.label, text_width(l, strlen(l)));
        m.text = text_bars_most(m.text, t.s ? text_width(t.s, t.n) : 0);
        str_free(&t);
    }
    if (m.text > s->width / 2)
        m.text = s->width / 2;
    if (m.label > s->width / 3)
        m.label = text_bars_most(s->width / 3, s->width - m.text - 20);
    int gaps = (m.label > 0) + (m.text > 0);
    m.area = s->width - m.label - m.text - gaps;
    m.area = m.area > BarMost ? BarMost : m.area < BarLeast ? 0 : m.area;
    if (m.scale.lo < 0) /* the axis takes a column */
        m.left = (int)lround(scale_at(&m.scale, 0) * (m.area - 1));
    return m;
}

/* Columns from the axis to v, v >= 0. */
static double text_bars_columns(const BarsFrame *m, double v)
{
    double room = m->scale.lo < 0 ? m->area - 1 : m->area;
    double w = (scale_at(&m->scale, v) - scale_at(&m->scale, 0)) * room;
    return w < 0 ? 0 : w;
}

/* A bar without a range; returns the columns it took. */
static int plain_bar(const BarsFrame *m, Page *p, PageInk ink, double v, int room)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double w = text_bars_columns(m, v);
    if (v > m->scale.hi) {
        put_repeated(p, ink, "█", '#', room - 1);
        text_bars_put_glyph(p, ink, "▶", '>');
        return room;
    }
    if (!p->style.unicode) {
        int n = (int)lround(w);
        put_repeated(p, ink, "", '#', n);
        if (n > 0 || v <= 0)
            return n;
        page_char(p, ink, '|');
        return 1;
    }
    int n = (int)lround(w * 8);
    n = n == 0 && v > 0 ? 1 : n > room * 8 ? room * 8 : n;
    put_repeated(p, ink, "█", '#', n / 8);
    if (n % 8)
        page_put(p, ink, eighth[n % 8], 3, 1);
    return n / 8 + (n % 8 != 0);
}

static int range_bar(const BarsFrame *m, Page *p, PageInk ink, const ChartBar *b, int room)
{
    int low = (int)lround(text_bars_columns(m, b->low)),
        value = (int)lround(text_bars_columns(m, b->value));
    int high = (int)lround(text_bars_columns(m, b->high));
    high = high > room ? room : high;
    value = value > room ? room : value;
    low = low > value ? value : low;
    put_repeated(p, ink, "█", '#', low);
    put_repeated(p, ink, "▓", '=', value - low);
    if (high > value) {
        put_repeated(p, ink, "─", '-', high - value - 1);
        text_bars_put_glyph(p, ink, "┤", '|');
    }
    return text_bars_most(high, value);
}

/* The part to the left of the axis, in whole columns; and the axis. */
static void left_part(const BarsFrame *m, Page *p, PageInk ink, double v)
{
    if (m->scale.lo >= 0)
        return;
    int n = v < 0 ? (int)lround(-v / -m->scale.lo * m->left) : 0;
    n = n == 0 && v < 0 && m->left > 0 ? 1 : n > m->left ? m->left : n;
    page_blank(p, (PageInk){0}, m->left - n);
    put_repeated(p, ink, "█", '#', n);
    text_bars_put_glyph(p, ink_dim(&p->style), "│", '|');
}

static void bar_line(const BarsFrame *m, Page *p, const ChartBar *b)
{
    const char *label = fig_str(m->f, b->label);
    PageInk ink = ink_stroke(&p->style, b->hue == HUEplain ? HUEaccent : b->hue);
    if (m->label) {
        page_field(p, (PageInk){0}, label, strlen(label), m->label, 'l');
        page_blank(p, (PageInk){0}, 1);
    }
    if (m->area) {
        int start = p->column, room = m->area - m->left - (m->scale.lo < 0);
        left_part(m, p, ink, b->value);
        if (b->range && b->low >= 0)
            range_bar(m, p, ink, b, room);
        else if (b->value > 0)
            plain_bar(m, p, ink, b->value, room);
        page_to(p, start + m->area + 1);
    }
    Str t = {0};
    bar_text(m->f, m->b, b, &t);
    if (t.bad)
        p->bad = true;
    else
        page_field(p, (PageInk){0}, t.s ? t.s : "", t.n, m->text, 'r');
    str_free(&t);
    page_end(p);
}

void bars_page(const Figure *f, const BarChart *b, Page *p)
{
    BarsFrame m = measure_bars(f, b, &p->style);
    for (int i = 0; i < b->n; i++)
        bar_line(&m, p, &b->bar[i]);
}
