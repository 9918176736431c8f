/* layout_viz/svg.c: a figure as one self-contained SVG: no scripts, no fonts to
 * load, text as text.  Title and source are its <title> and <desc>. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

/* Pieces ------------------------------------------------------------------------ */

void svg_escape(Str *out, const char *s, size_t n)
{
    static const char special[] = "&<>\"";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0, from = 0; i <= n; i++) {
        const char *c = i < n ? strchr(special, s[i]) : NULL;
        if (i < n && !c)
            continue;
        str_add(out, s + from, i - from);
        if (c)
            str_puts(out, entity[c - special]);
        from = i + 1;
    }
}

double svg_width(const char *s, size_t n, int font) { return text_width(s, n) * EM * font; }

void svg_grow(Svg *v, double w, double h)
{
    v->w = w > v->w ? w : v->w;
    v->h = h > v->h ? h : v->h;
}

void svg_rgb(Str *out, uint32_t rgb) { str_fmt(out, "#%06x", (unsigned)rgb); }

uint32_t svg_stroke(int32_t hue, int otherwise)
{
    enum { Dark = 90 }; /* on white */
    return hue_rgb(hue == HUEplain ? otherwise : hue, Dark);
}

/* A length in tenths, "12" or "12.5"; by hand, since a large grid has very many. */
static void svg_length(Str *out, double v)
{
    char buf[32], *end = buf + sizeof buf, *at = end;
    int64_t tenths = llround(v * 10);
    uint64_t u = (uint64_t)(tenths < 0 ? -tenths : tenths);
    if (u % 10) {
        *--at = (char)('0' + u % 10);
        *--at = '.';
    }
    u /= 10;
    do
        *--at = (char)('0' + u % 10);
    while ((u /= 10) != 0);
    if (tenths < 0)
        *--at = '-';
    str_add(out, at, (size_t)(end - at));
}

/* ' name="v"' */
static void svg_attr(Svg *v, const char *name, double value)
{
    str_puts(&v->out, " ");
    str_puts(&v->out, name);
    str_puts(&v->out, "=\"");
    svg_length(&v->out, value);
    str_puts(&v->out, "\"");
}

void svg_box(Svg *v, double x, double y, double w, double h, int32_t hue, int tone)
{
    str_puts(&v->out, "<rect");
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    svg_attr(v, "width", w);
    svg_attr(v, "height", h);
    if (hue == HUEplain) {
        str_puts(&v->out, " class=\"p\"");
    } else {
        str_puts(&v->out, " fill=\"");
        svg_rgb(&v->out, hue_rgb(hue, tone));
        str_puts(&v->out, "\"");
    }
    str_puts(&v->out, "/>\n");
}

void svg_line(Svg *v, double x1, double y1, double x2, double y2, const char *cls)
{
    str_fmt(&v->out, "<line class=\"%s\"", cls);
    svg_attr(v, "x1", x1);
    svg_attr(v, "y1", y1);
    svg_attr(v, "x2", x2);
    svg_attr(v, "y2", y2);
    str_puts(&v->out, "/>\n");
}

void svg_text(Svg *v, double x, double y, char anchor, const char *cls, const char *s, size_t n)
{
    if (n == 0)
        return;
    str_puts(&v->out, "<text");
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    if (anchor != 's')
        str_fmt(&v->out, " text-anchor=\"%s\"", anchor == 'm' ? "middle" : "end");
    if (cls[0])
        str_fmt(&v->out, " class=\"%s\"", cls);
    str_puts(&v->out, ">");
    svg_escape(&v->out, s, n);
    str_puts(&v->out, "</text>\n");
}

void svg_label(Svg *v, double x, double y, char anchor, const char *cls, Text t)
{
    const char *s = fig_str(v->f, t);
    svg_text(v, x, y, anchor, cls, s, strlen(s));
}

static double svg_width_of(const Svg *v, Text t, int font)
{
    const char *s = fig_str(v->f, t);
    return svg_width(s, strlen(s), font);
}

/* Panels without a file of their own ------------------------------------------------ */

static void svg_lines(Svg *v, const Lines *t)
{
    for (int i = 0; i < t->n; i++) {
        svg_label(v, 0, LineHigh * i + 13, 's', "k", t->line[i]);
        svg_grow(v, svg_width_of(v, t->line[i], FontText), LineHigh * (i + 1));
    }
}

static Text svg_entry(const Table *t, int r, int c)
{
    return r < 0 ? t->head[c] : t->entry[(size_t)r * (size_t)t->cols + (size_t)c];
}

static void svg_table(Svg *v, const Table *t)
{
    enum { Between = 18 };
    double x = 0;
    for (int c = 0; c < t->cols; c++) {
        double w = 0, y = 13;
        for (int r = t->head ? -1 : 0; r < t->rows; r++) {
            double own = svg_width_of(v, svg_entry(t, r, c), FontText);
            w = own > w ? own : w;
        }
        char a = t->align[c];
        double at = a == 'r' ? x + w : a == 'c' ? x + w / 2 : x;
        for (int r = t->head ? -1 : 0; r < t->rows; r++) {
            svg_label(v, at, y, a == 'r' ? 'e' : a == 'c' ? 'm' : 's', r < 0 ? "b" : "",
                      svg_entry(t, r, c));
            y += r < 0 ? LineHigh + 6 : LineHigh;
        }
        svg_grow(v, x + w, y - 13 + 4);
        x += w + Between;
    }
    if (t->head)
        svg_line(v, 0, LineHigh + 1, v->w, LineHigh + 1, "g");
    for (int r = 0; r < t->rows; r++) /* tints stand as bars before their rows */
        if (t->tint[r] != HUEplain)
            svg_box(v, -8, (t->head ? LineHigh + 6 : 0) + LineHigh * r + 1, 4, LineHigh - 3,
                    t->tint[r], ToneDefault);
}

static void svg_legend(Svg *v, const Legend *l)
{
    enum { Wide = 640, Box = 16, Between = 18 };
    double x = 0, y = 0;
    for (int i = 0; i < l->n; i++) {
        const Chip *c = &l->chip[i];
        double w = Box + 6 + svg_width_of(v, c->label, FontText);
        if (x > 0 && x + w > Wide) {
            x = 0;
            y += LineHigh + 2;
        }
        svg_box(v, x, y, Box, Box, c->hue, c->tone);
        if (c->sign && c->sign != ' ') {
            bool white = c->hue != HUEplain && rgb_dark(hue_rgb(c->hue, c->tone));
            svg_text(v, x + Box / 2.0, y + 12, 'm', white ? "c w" : "c", &c->sign, 1);
        }
        svg_label(v, x + Box + 6, y + 13, 's', "", c->label);
        svg_grow(v, x + w, y + LineHigh);
        x += w + Between;
    }
}

static void svg_panel(Svg *v, const Panel *p)
{
    v->w = v->h = 0;
    switch (p->kind) {
    case Pgrid:   svg_grid(v, &p->u.grid); break;
    case Ptable:  svg_table(v, &p->u.table); break;
    case Pbars:   svg_bars(v, &p->u.bars); break;
    case Ptrack:  svg_track(v, &p->u.track); break;
    case Pcurve:  svg_curve(v, &p->u.curve); break;
    case Ptext:   svg_lines(v, &p->u.text); break;
    case Plegend: svg_legend(v, &p->u.legend); break;
    default:      break;
    }
    if (p->caption) {
        svg_label(v, 0, v->h + 14, 's', "s", p->caption);
        svg_grow(v, svg_width_of(v, p->caption, FontSmall), v->h + LineHigh);
    }
}

/* Placing ------------------------------------------------------------------------------ */

enum { Margin = 16, Apart = 24 };

typedef struct Placed Placed;
struct Placed {
    const Panel *p;
    Svg v;
    int column;
};

static bool svg_has_company(const Placed *a, const Placed *end)
{
    return a + 1 < end && a[1].p->row == a->p->row;
}

/* The widest of column c in the block from a up to end. */
static double column_width(const Placed *a, const Placed *end, int c)
{
    double w = 0;
    for (; a < end; a++)
        if (a->column == c && a->v.w > w)
            w = a->v.w;
    return w;
}

/* Where the block of rows that begins at a ends: rows of several panels, whose
 * columns are aligned; or one panel alone. */
static Placed *svg_block_end(Placed *a, Placed *end)
{
    if (!svg_has_company(a, end))
        return a + 1;
    while (a < end && svg_has_company(a, end)) {
        int row = a->p->row;
        for (int c = 0; a < end && a->p->row == row; a++)
            a->column = c++;
    }
    return a;
}

/* Writes the panels of a block from y down; grows the whole; returns the new y. */
static double svg_put_block(Svg *whole, const Placed *a, const Placed *end, double y)
{
    for (const Placed *first = a; a < end;) {
        double x = Margin, high = 0;
        int row = a->p->row;
        for (; a < end && a->p->row == row; a++) {
            str_puts(&whole->out, "<g transform=\"translate(");
            svg_length(&whole->out, x);
            str_puts(&whole->out, " ");
            svg_length(&whole->out, y);
            str_puts(&whole->out, ")\">\n");
            str_add(&whole->out, a->v.out.s ? a->v.out.s : "", a->v.out.n);
            str_puts(&whole->out, "</g>\n");
            double own = column_width(first, end, a->column);
            svg_grow(whole, x + own, 0);
            x += own + Apart;
            high = a->v.h > high ? a->v.h : high;
        }
        y += high + (high > 0 ? Apart : 0);
    }
    return y;
}

static double put_titles(Svg *v)
{
    const Figure *f = v->f;
    double y = Margin;
    if (f->title) {
        svg_label(v, Margin, y + 13, 's', "t", f->title);
        svg_grow(v, Margin + svg_width_of(v, f->title, FontText + 2), 0);
        y += LineHigh + 4;
    }
    if (f->source) {
        svg_label(v, Margin, y + 9, 's', "s k", f->source);
        svg_grow(v, Margin + svg_width_of(v, f->source, FontSmall), 0);
        y += LineHigh;
    }
    return y + (y > Margin ? 8 : 0);
}

/* Classes: t title, b bold, s small, k blanks kept, c text in cells, w white,
 * p plain cell, m mark, g rule, h faint rule, r curve, o text over curves, x seam. */
static const char css[] =
    "<style>\n"
    "text{font:13px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",\"Noto Sans Mono CJK SC\","
    "monospace;fill:#1c1c1c}\n"
    ".t{font-size:15px;font-weight:bold}.b{font-weight:bold}.s{font-size:11px;fill:#5a5a5a}\n"
    ".k{white-space:pre}.c{font-size:11px}.w{fill:#fff}\n"
    ".p{fill:none;stroke:#c4c4c4}.m{fill:none;stroke:#000;stroke-width:2}\n"
    ".g{stroke:#5a5a5a}.h{stroke:#e2e2e2}.r{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".o{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.x{stroke:#fff}\n"
    "</style>\n";

static void svg_open(const Svg *v, Str *out, double w, double h)
{
    const Figure *f = v->f;
    const char *title = fig_str(f, f->title), *source = fig_str(f, f->source);
    int iw = (int)w + 1, ih = (int)h + 1;
    str_fmt(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            " viewBox=\"0 0 %d %d\">\n<title>", iw, ih, iw, ih);
    svg_escape(out, title, strlen(title));
    str_puts(out, "</title>\n<desc>");
    svg_escape(out, source, strlen(source));
    str_puts(out, "</desc>\n");
    str_puts(out, css);
    str_fmt(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", iw, ih);
}

void fig_write_svg(const Figure *f, Str *out)
{
    Svg whole = {.f = f};
    Placed *all = calloc((size_t)f->npanel + 1, sizeof *all);
    if (!all) {
        out->bad = true;
        return;
    }
    Placed *end = all;
    for (const Panel *p = f->first; p; p = p->next, end++) {
        *end = (Placed){.p = p, .v = {.f = f}};
        svg_panel(&end->v, p);
        out->bad = out->bad || end->v.out.bad;
    }
    double y = put_titles(&whole);
    for (Placed *a = all; a < end;) {
        Placed *stop = svg_block_end(a, end);
        y = svg_put_block(&whole, a, stop, y);
        a = stop;
    }
    y = y > Margin + Apart && end > all ? y - Apart : y;
    svg_open(&whole, out, whole.w + Margin, y + Margin);
    str_add(out, whole.out.s ? whole.out.s : "", whole.out.n);
    str_puts(out, "</svg>\n");
    out->bad = out->bad || whole.out.bad;
    for (Placed *a = all; a < end; a++)
        str_free(&a->v.out);
    str_free(&whole.out);
    free(all);
}
