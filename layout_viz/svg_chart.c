/* layout_viz/svg_chart.c: bars, time lines and curves as SVG. */
#include <math.h>
#include <string.h>

#include "axis.h"
#include "svg.h"

enum { ChartWide = 640, BarHigh = 20, BarApart = 6, LaneHigh = 24, MarkHigh = 10, PlotHigh = 320 };

static double text_wide(const Svg *v, Text t, int font)
{
    const char *s = fig_str(v->f, t);
    return svg_width(s, strlen(s), font);
}

static double svg_chart_between(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Bars ---------------------------------------------------------------------------- */

static void svg_chart_bar(Svg *v, const BarChart *b, const ChartBar *one, double x, double y)
{
    Scale s = bars_scale(b);
    double zero = svg_chart_between(scale_at(&s, 0), 0, 1),
           to = svg_chart_between(scale_at(&s, one->value), 0, 1);
    double from = to < zero ? to : zero, len = fabs(to - zero);
    int32_t hue = one->hue == HUEplain ? HUEaccent : one->hue;
    svg_box(v, x + from * ChartWide, y, len * ChartWide, BarHigh, hue, 140);
    if (one->range) {
        double lo = x + svg_chart_between(scale_at(&s, one->low), 0, 1) * ChartWide;
        double hi = x + svg_chart_between(scale_at(&s, one->high), 0, 1) * ChartWide;
        svg_line(v, lo, y + BarHigh / 2.0, hi, y + BarHigh / 2.0, "g");
        svg_line(v, lo, y + 5, lo, y + BarHigh - 5, "g");
        svg_line(v, hi, y + 5, hi, y + BarHigh - 5, "g");
    }
}

void svg_bars(Svg *v, const BarChart *b)
{
    double label = 0, text = 0;
    for (int i = 0; i < b->n; i++) {
        double w = text_wide(v, b->bar[i].label, FontText);
        label = w > label ? w : label;
    }
    double x = label > 0 ? label + 10 : 0;
    for (int i = 0; i < b->n; i++) {
        const ChartBar *one = &b->bar[i];
        double y = i * (BarHigh + BarApart);
        Str t = {0};
        svg_label(v, 0, y + 15, 's', "", one->label);
        svg_chart_bar(v, b, one, x, y);
        bar_text(v->f, b, one, &t);
        svg_text(v, x + ChartWide + 10, y + 15, 's', "", t.s ? t.s : "", t.n);
        double w = svg_width(t.s ? t.s : "", t.n, FontText);
        text = w > text ? w : text;
        v->out.bad = v->out.bad || t.bad;
        str_free(&t);
    }
    Scale s = bars_scale(b);
    double zero = x + svg_chart_between(scale_at(&s, 0), 0, 1) * ChartWide;
    if (b->n)
        svg_line(v, zero, -2, zero, b->n * (BarHigh + BarApart) - BarApart + 2, "g");
    svg_grow(v, x + ChartWide + 10 + text, b->n * (BarHigh + BarApart));
}

/* Time lines ------------------------------------------------------------------------ */

static void svg_chart_span(Svg *v, const Span *s, double from, double to, double y)
{
    const char *label = fig_str(v->f, s->label);
    size_t n = strlen(label);
    bool white = s->hue != HUEplain && rgb_dark(hue_rgb(s->hue, ToneDefault));
    double w = to - from < 1 ? 1 : to - from;
    str_puts(&v->out, "<g><title>");
    svg_escape(&v->out, label, n);
    str_fmt(&v->out, " %.6g..%.6g</title>\n", s->from, s->to);
    svg_box(v, from, y, w, LaneHigh - 4, s->hue, ToneDefault);
    if (svg_width(label, n, FontCell) + 4 <= w) {
        svg_text(v, from + 3, y + 14, 's', white ? "c w" : "c", label, n);
    } else if (n && w > EM * FontCell + 2) { /* as much of it as there is room for */
        int width;
        size_t fit = text_fit(label, n, (int)((w - 3) / (EM * FontCell)), &width);
        svg_text(v, from + 2, y + 14, 's', white ? "c w" : "c", label, fit);
    }
    if (w > 3) /* so that neighbours of one colour can be told apart */
        svg_line(v, from, y, from, y + LaneHigh - 4, "x");
    str_puts(&v->out, "</g>\n");
}

static void time_axis(Svg *v, const Track *t, const Scale *s, double left, double y)
{
    double tick[TicksMost];
    int n = scale_ticks(s, 10, tick);
    svg_line(v, left, y, left + ChartWide, y, "g");
    for (int i = 0; i < n; i++) {
        char buf[TickText];
        double x = left + scale_at(s, tick[i]) * ChartWide;
        int w = tick_text(buf, tick[i]);
        svg_line(v, x, y, x, y + 4, "g");
        svg_text(v, x, y + 15, 'm', "s", buf, (size_t)w);
    }
    svg_label(v, left - 8, y + 15, 'e', "s", t->unit);
}

void svg_track(Svg *v, const Track *t)
{
    Scale s = track_scale(t);
    double left = text_wide(v, t->unit, FontSmall);
    for (int i = 0; i < t->n; i++) {
        double w = text_wide(v, t->line[i].label, FontText);
        left = w > left ? w : left;
    }
    left += left > 0 ? 10 : 0;
    double y = 0;
    for (int i = 0; i < t->n; i++, y += LaneHigh) {
        const Line *l = &t->line[i];
        y += l->nmark ? MarkHigh : 0; /* their signs stand above the line */
        svg_label(v, 0, y + 15, 's', "", l->label);
        for (int k = 0; k < l->nspan; k++) {
            double from = scale_at(&s, l->span[k].from), to = scale_at(&s, l->span[k].to);
            if (to >= 0 && from <= 1)
                svg_chart_span(v, &l->span[k], left + svg_chart_between(from, 0, 1) * ChartWide,
                               left + svg_chart_between(to, 0, 1) * ChartWide, y);
        }
        for (int k = 0; k < l->nmark; k++) {
            double x = scale_at(&s, l->mark[k].at);
            if (x < 0 || x > 1)
                continue;
            x = left + x * ChartWide;
            svg_line(v, x, y - 3, x, y + LaneHigh - 4, "g");
            svg_text(v, x, y - 4, 'm', "s b", &l->mark[k].sign, 1);
        }
    }
    time_axis(v, t, &s, left, y + 2);
    svg_grow(v, left + ChartWide + 24, y + 22);
}

/* Curves ------------------------------------------------------------------------------ */

typedef struct Plot Plot;
struct Plot {
    Scale x, y;
    double left, top;
};

static double plot_x(const Plot *p, double v) { return p->left + scale_at(&p->x, v) * ChartWide; }
static double plot_y(const Plot *p, double v)
{
    return p->top + (1 - scale_at(&p->y, v)) * PlotHigh;
}

static void axes(Svg *v, const Plot *p)
{
    double tick[TicksMost];
    char buf[TickText];
    int n = scale_ticks(&p->y, 8, tick);
    double bottom = p->top + PlotHigh;
    for (int i = 0; i < n; i++) {
        double y = plot_y(p, tick[i]);
        int w = tick_text(buf, tick[i]);
        svg_line(v, p->left, y, p->left + ChartWide, y, "h");
        svg_text(v, p->left - 6, y + 4, 'e', "s", buf, (size_t)w);
    }
    n = scale_ticks(&p->x, 10, tick);
    for (int i = 0; i < n; i++) {
        double x = plot_x(p, tick[i]);
        int w = tick_text(buf, tick[i]);
        svg_line(v, x, p->top, x, bottom, "h");
        svg_text(v, x, bottom + 15, 'm', "s", buf, (size_t)w);
    }
    svg_line(v, p->left, p->top, p->left, bottom, "g");
    svg_line(v, p->left, bottom, p->left + ChartWide, bottom, "g");
}

static void svg_chart_stroke(Svg *v, const Plot *p, const Stroke *s, int k)
{
    str_puts(&v->out, "<polyline class=\"r\" stroke=\"");
    svg_rgb(&v->out, svg_stroke(s->hue, k));
    str_puts(&v->out, "\" points=\"");
    for (int i = 0; i < s->n; i++)
        str_fmt(&v->out, "%s%.1f,%.1f", i ? " " : "", plot_x(p, s->point[i].x),
                plot_y(p, s->point[i].y));
    str_puts(&v->out, "\"/>\n");
}

/* Where a label is written. */
typedef struct Tag Tag;
struct Tag {
    double x, y, w; /* its left end, its base line */
    bool right;     /* of its point */
};

enum { TagsMost = 16 }; /* of more points than these the labels may meet */

/* Where the label of point k stands: at the side where there is room, below the labels
 * of earlier points that it would hide. */
static Tag point_tag(const Svg *v, const Plot *p, const Point *o, const Tag *before, int k)
{
    double x = plot_x(p, o->x), y = plot_y(p, o->y), w = text_wide(v, o->label, FontCell);
    bool right = x + 8 + w <= p->left + ChartWide + 8;
    Tag t = {right ? x + 7 : x - 7 - w, y > p->top + 14 ? y - 5 : y + 14, w, right};
    for (int i = 0; i < k; i++) {
        const Tag *b = &before[i];
        if (t.x < b->x + b->w + 6 && b->x < t.x + w + 6 && fabs(t.y - b->y) < FontCell + 2) {
            t.y = b->y + FontCell + 4;
            i = -1; /* it may meet one that it was clear of */
        }
    }
    return t;
}

static void svg_chart_point(Svg *v, const Plot *p, const Point *o, const Tag *t)
{
    double x = plot_x(p, o->x), y = plot_y(p, o->y);
    str_fmt(&v->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"", x, y);
    svg_rgb(&v->out, svg_stroke(o->hue, HUEaccent));
    str_puts(&v->out, "\"/>\n");
    svg_label(v, t->right ? t->x : t->x + t->w, t->y, t->right ? 's' : 'e', "c o", o->label);
}

/* The names of the strokes, below the axis. */
static double svg_chart_names(Svg *v, const Curve *c, double left, double y)
{
    double x = left;
    for (int k = 0; k < c->nstroke; k++) {
        const Stroke *s = &c->stroke[k];
        double w = 28 + text_wide(v, s->label, FontText);
        if (!s->label)
            continue;
        if (x > left && x + w > left + ChartWide) {
            x = left;
            y += LineHigh;
        }
        str_fmt(&v->out, "<path class=\"r\" d=\"M%.1f %.1fh20\" stroke=\"", x, y + 9);
        svg_rgb(&v->out, svg_stroke(s->hue, k));
        str_puts(&v->out, "\"/>\n");
        svg_label(v, x + 26, y + 13, 's', "", s->label);
        svg_grow(v, x + w, y + LineHigh);
        x += w + 16;
    }
    return y;
}

void svg_curve(Svg *v, const Curve *c)
{
    Plot p = {.top = c->ylabel ? 20 : 4};
    double tick[TicksMost];
    char buf[TickText];
    curve_scales(c, &p.x, &p.y);
    int n = scale_ticks(&p.y, 8, tick);
    for (int i = 0; i < n; i++) {
        double w = tick_text(buf, tick[i]) * EM * FontSmall + 10;
        p.left = w > p.left ? w : p.left;
    }
    axes(v, &p);
    for (int k = 0; k < c->nstroke; k++)
        svg_chart_stroke(v, &p, &c->stroke[k], k);
    Tag tag[TagsMost];
    for (int k = 0; k < c->npoint; k++) {
        Tag *t = &tag[k % TagsMost];
        *t = point_tag(v, &p, &c->point[k], tag, k < TagsMost ? k : 0);
        svg_chart_point(v, &p, &c->point[k], t);
    }
    svg_label(v, 0, 11, 's', "s", c->ylabel);
    double y = p.top + PlotHigh + 18;
    if (c->xlabel) {
        svg_label(v, p.left + ChartWide, y + 12, 'e', "s", c->xlabel);
        y += LineHigh;
    }
    svg_grow(v, p.left + ChartWide + 16, y);
    svg_chart_names(v, c, p.left, y);
}
