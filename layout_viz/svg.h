/* layout_viz/svg.h: what the files that write SVG share.
 *
 * A panel draws itself from (0, 0) on and says how large it became; svg.c moves
 * it to its place.  Lengths are pixels at natural size. */
#ifndef MOONTILE_SVG_H
#define MOONTILE_SVG_H

#include "palette.h"

/* Characters are monospaced: so wide, as part of the font size. */
#define EM 0.602

enum { FontText = 13, FontCell = 11, FontSmall = 11, LineHigh = 18 };

typedef struct Svg Svg;
struct Svg {
    const Figure *f;
    Str out;
    double w, h;     /* of the panel that is being drawn */
};

/* svg.c */
void svg_escape(Str *out, const char *s, size_t n);
double svg_width(const char *s, size_t n, int font); /* of text */
void svg_grow(Svg *v, double w, double h);           /* at least so large */
void svg_rgb(Str *out, uint32_t rgb);                /* "#rrggbb" */
/* <rect>, filled with the hue; plain: an outline. */
void svg_box(Svg *v, double x, double y, double w, double h, int32_t hue, int tone);
void svg_line(Svg *v, double x1, double y1, double x2, double y2, const char *cls);
/* <text class="cls"> with its baseline at y; anchor 's', 'm' or 'e'. */
void svg_text(Svg *v, double x, double y, char anchor, const char *cls, const char *s, size_t n);
void svg_label(Svg *v, double x, double y, char anchor, const char *cls, Text t);
uint32_t svg_stroke(int32_t hue, int otherwise);     /* for lines and marks */

/* svg_grid.c, svg_chart.c */
void svg_grid(Svg *v, const Grid *g);
void svg_bars(Svg *v, const BarChart *b);
void svg_track(Svg *v, const Track *t);
void svg_curve(Svg *v, const Curve *c);

#endif
