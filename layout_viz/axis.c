/* layout_viz/axis.c: axes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"

double scale_at(const Scale *s, double v)
{
    if (s->log)
        return (log10(v) - log10(s->lo)) / (log10(s->hi) - log10(s->lo));
    /* wider, so that no difference of two doubles is infinite, or lost */
    long double lo = s->lo;
    return (double)((v - lo) / (s->hi - lo));
}

/* The least of 1, 2, 5 times a power of ten that is not below v. */
static double axis_round_up(double v)
{
    double base = pow(10, floor(log10(v)));
    double m = v / base;
    return base * (m <= 1.0000001 ? 1 : m <= 2.0000001 ? 2 : m <= 5.0000001 ? 5 : 10);
}

static int linear_ticks(const Scale *s, int most, double *tick)
{
    double step = axis_round_up((s->hi / most - s->lo / most));
    if (s->whole && step < 1)
        step = 1;
    double first = ceil(s->lo / step - 1e-9);
    int n = 0;
    if (!(step > 0) || !isfinite(first)) /* at the ends of what a double holds */
        return 0;
    for (double k = first; n < most && k * step <= s->hi + step * 1e-9; k++)
        tick[n++] = k * step;
    return n;
}

/* Powers of ten, or of a power of it; 1, 2, 5 between them where there is room. */
static int log_ticks(const Scale *s, int most, double *tick)
{
    static const double parts[] = {1, 2, 5};
    int from = (int)floor(log10(s->lo) + 1e-9), to = (int)ceil(log10(s->hi) - 1e-9), n = 0;
    bool fine = 3 * (to - from) <= most;
    int step = (to - from) / most + 1;
    for (int e = from; e <= to; e += step)
        for (size_t i = 0; i < (fine ? COUNT(parts) : 1); i++) {
            double v = parts[i] * pow(10, e);
            if (v >= s->lo * (1 - 1e-9) && v <= s->hi * (1 + 1e-9) && n < most)
                tick[n++] = v;
        }
    return n;
}

int scale_ticks(const Scale *s, int most, double tick[TicksMost])
{
    most = most < 2 ? 2 : most > TicksMost ? TicksMost : most;
    return s->log ? log_ticks(s, most, tick) : linear_ticks(s, most, tick);
}

int tick_text(char buf[TickText], double v)
{
    static const struct { double at; const char *sign; } unit[] = {
        {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"},
    };
    double a = fabs(v);
    for (size_t i = 0; i < COUNT(unit); i++)
        if (a >= unit[i].at && a < 1e15) {
            double one = unit[i].at == 1e4 ? 1e3 : unit[i].at;
            return snprintf(buf, TickText, "%.4g%s", v / one, unit[i].sign);
        }
    return snprintf(buf, TickText, "%.4g", v == 0 ? 0.0 : v);
}

/* What the panels span --------------------------------------------------------- */

static void include(Scale *s, bool *some, double v)
{
    if (!*some || v < s->lo)
        s->lo = v;
    if (!*some || v > s->hi)
        s->hi = v;
    *some = true;
}

/* An axis has a length: one around a single value begins or ends at 0. */
static void axis_stretch(Scale *s)
{
    double v = s->lo;
    if (s->hi > s->lo)
        return;
    if (s->log) {
        s->lo = v > 0 ? v / 2 : 1;
        s->hi = v > 0 ? v * 2 : 10;
    } else {
        s->lo = v < 0 ? v : 0;
        s->hi = v > 0 ? v : v < 0 ? 0 : 1;
    }
}

Scale bars_scale(const BarChart *b)
{
    Scale s = {0};
    bool some = true; /* 0 is on the axis */
    for (int i = 0; i < b->n; i++) {
        include(&s, &some, b->bar[i].value);
        include(&s, &some, b->bar[i].low);
        include(&s, &some, b->bar[i].high);
    }
    if (b->max > 0)
        s.hi = b->max;
    axis_stretch(&s);
    return s;
}

/* Do all spans begin and end at integers?  Marks may stand between. */
static bool all_whole(const Track *t)
{
    bool some = false;
    for (int i = 0; i < t->n; i++) {
        const Line *l = &t->line[i];
        some = some || l->nspan > 0;
        for (int k = 0; k < l->nspan; k++)
            if (l->span[k].from != floor(l->span[k].from) || l->span[k].to != floor(l->span[k].to))
                return false;
    }
    return some;
}

Scale track_scale(const Track *t)
{
    Scale s = {.lo = t->from, .hi = t->to, .whole = all_whole(t)};
    if (s.hi <= s.lo)
        s.hi = s.lo + 1;
    axis_stretch(&s); /* where 1 is nothing beside it */
    return s;
}

/* A linear axis starts at 0 when all that is on it does not. */
static void axis_from_zero(Scale *s)
{
    if (!s->log && s->lo > 0 && s->lo < s->hi / 2)
        s->lo = 0;
    axis_stretch(s);
}

void curve_scales(const Curve *c, Scale *x, Scale *y)
{
    bool somex = false, somey = false;
    *x = (Scale){.log = c->xlog};
    *y = (Scale){.log = c->ylog};
    for (int i = 0; i < c->nstroke; i++)
        for (int k = 0; k < c->stroke[i].n; k++) {
            include(x, &somex, c->stroke[i].point[k].x);
            include(y, &somey, c->stroke[i].point[k].y);
        }
    for (int k = 0; k < c->npoint; k++) {
        include(x, &somex, c->point[k].x);
        include(y, &somey, c->point[k].y);
    }
    axis_from_zero(x);
    axis_from_zero(y);
}

void bar_text(const Figure *f, const BarChart *b, const ChartBar *one, Str *out)
{
    if (one->text) {
        str_puts(out, fig_str(f, one->text));
        return;
    }
    str_fmt(out, "%.6g", one->value);
    if (b->unit)
        str_fmt(out, " %s", fig_str(f, b->unit));
}
