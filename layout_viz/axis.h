/* layout_viz/axis.h: axes: from values to places, and round numbers on them. */
#ifndef MOONTILE_AXIS_H
#define MOONTILE_AXIS_H

#include "figure.h"

typedef struct Scale Scale;
struct Scale {
    double lo, hi;  /* lo < hi; above 0 when log */
    bool log;
    bool whole;     /* nothing stands between two integers: no ticks there */
};

enum { TicksMost = 64, TickText = 32 };

/* Where v lies: 0 at lo, 1 at hi; beyond them when v is. */
double scale_at(const Scale *s, double v);
/* Round values from lo to hi, at most `most` of them; how many. */
int scale_ticks(const Scale *s, int most, double tick[TicksMost]);
/* "0", "2.5", "40k", "1.2e-05"; the number of bytes. */
int tick_text(char buf[TickText], double v);

Scale bars_scale(const BarChart *b);
Scale track_scale(const Track *t);
void curve_scales(const Curve *c, Scale *x, Scale *y);
/* What stands beside a bar: its text, or its value and the unit. */
void bar_text(const Figure *f, const BarChart *b, const ChartBar *one, Str *out);

#endif
