/* layout_viz/svg_grid.c: a grid of cells as SVG.
 *
 * Neighbours of one colour are one rectangle, with lines drawn over all of
 * them, so that a large grid stays a small file. */
#include <string.h>

#include "svg.h"

typedef struct GridPlan GridPlan;
struct GridPlan {
    const Grid *g;
    double cw, ch;    /* of a cell */
    double left, top; /* of the first cell */
    int lines;        /* of labels */
};

enum { Gap = 8, LabelHigh = 13, CellLeast = 20, BareCell = 12 };

static double widest_label(const Svg *v, const Text *t, int n, int font)
{
    double w = 0;
    for (int i = 0; t && i < n; i++) {
        const char *s = fig_str(v->f, t[i]);
        double own = svg_width(s, strlen(s), font);
        w = own > w ? own : w;
    }
    return w;
}

/* The text of a cell: the label, or the sign where there are no labels. */
static void measure_cells(const Svg *v, GridPlan *p)
{
    const Grid *g = p->g;
    double w = 0;
    for (size_t i = 0; i < (size_t)g->rows * (size_t)g->cols; i++) {
        int lines = 0;
        for (const char *s = fig_str(v->f, g->cell[i].label); *s; lines++) {
            size_t n = strcspn(s, "\n");
            double own = svg_width(s, n, FontCell);
            w = own > w ? own : w;
            s += n + (s[n] == '\n');
        }
        p->lines = lines > p->lines ? lines : p->lines;
    }
    double least = p->lines || g->signs ? CellLeast : BareCell;
    p->cw = w + 10 > least ? w + 10 : least;
    p->ch = p->lines * LabelHigh + 9 > least ? p->lines * LabelHigh + 9 : least;
}

static double svg_grid_at(double first, double size, int gap, int i)
{
    return first + i * size + (gap > 0 ? i / gap * Gap : 0);
}

static double cell_x(const GridPlan *p, int c)
{
    return svg_grid_at(p->left, p->cw, p->g->gap_cols, c);
}
static double cell_y(const GridPlan *p, int r)
{
    return svg_grid_at(p->top, p->ch, p->g->gap_rows, r);
}

static const FigureCell *svg_grid_cell(const GridPlan *p, int r, int c)
{
    return &p->g->cell[(size_t)r * (size_t)p->g->cols + (size_t)c];
}

static bool svg_grid_same(const FigureCell *a, const FigureCell *b)
{
    return a->hole == b->hole && a->hue == b->hue && a->tone == b->tone;
}

/* Colours ------------------------------------------------------------------------ */

static void grounds(Svg *v, const GridPlan *p, int r)
{
    const Grid *g = p->g;
    for (int c = 0, to; c < g->cols; c = to) {
        const FigureCell *k = svg_grid_cell(p, r, c);
        for (to = c + 1; to < g->cols && svg_grid_same(k, svg_grid_cell(p, r, to)) &&
             !(g->gap_cols > 0 && to % g->gap_cols == 0); to++)
            ;
        if (!k->hole && k->hue != HUEplain)
            svg_box(v, cell_x(p, c), cell_y(p, r), (to - c) * p->cw, p->ch, k->hue, k->tone);
    }
}

/* Lines between cells, a block between gaps at a time. */
static void rules(Svg *v, const GridPlan *p)
{
    const Grid *g = p->g;
    int br = g->gap_rows > 0 ? g->gap_rows : g->rows, bc = g->gap_cols > 0 ? g->gap_cols : g->cols;
    str_puts(&v->out, "<path d=\"");
    for (int r0 = 0; r0 < g->rows; r0 += br)
        for (int c0 = 0; c0 < g->cols; c0 += bc) {
            int r1 = r0 + br < g->rows ? r0 + br : g->rows;
            int c1 = c0 + bc < g->cols ? c0 + bc : g->cols;
            double x = cell_x(p, c0), y = cell_y(p, r0);
            for (int r = r0; r <= r1; r++)
                str_fmt(&v->out, "M%.1f %.1fh%.1f", x, y + (r - r0) * p->ch, (c1 - c0) * p->cw);
            for (int c = c0; c <= c1; c++)
                str_fmt(&v->out, "M%.1f %.1fv%.1f", x + (c - c0) * p->cw, y, (r1 - r0) * p->ch);
        }
    str_puts(&v->out, "\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\"0.7\"/>\n");
}

/* Frames of the plain cells, which have no colour to be seen by. */
static void svg_grid_frames(Svg *v, const GridPlan *p)
{
    const Grid *g = p->g;
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->cols; c++)
            if (!svg_grid_cell(p, r, c)->hole && svg_grid_cell(p, r, c)->hue == HUEplain)
                svg_box(v, cell_x(p, c) + 0.5, cell_y(p, r) + 0.5, p->cw - 1, p->ch - 1, HUEplain,
                        0);
}

/* Text ---------------------------------------------------------------------------- */

static void svg_grid_says(Svg *v, const GridPlan *p, int r, int c)
{
    const FigureCell *k = svg_grid_cell(p, r, c);
    const char *s = fig_str(v->f, k->label), *sign = &k->sign;
    bool white = k->hue != HUEplain && rgb_dark(hue_rgb(k->hue, k->tone));
    double x = cell_x(p, c) + p->cw / 2, y = cell_y(p, r) + p->ch / 2 + 4;
    if (k->hole)
        return;
    if (!p->lines) {
        if (p->g->signs && *sign != ' ')
            svg_text(v, x, y, 's', white ? "w" : "", sign, 1);
        return;
    }
    int lines = 1;
    for (const char *nl = s; (nl = strchr(nl, '\n')) != NULL; nl++)
        lines++;
    y -= (lines - 1) * LabelHigh / 2.0;
    for (int i = 0; i < lines; i++) {
        size_t n = strcspn(s, "\n");
        svg_text(v, x, y + i * LabelHigh, 's', white ? "w" : "", s, n);
        s += n + (s[n] == '\n');
    }
}

static void svg_grid_texts(Svg *v, const GridPlan *p)
{
    if (!p->lines && !p->g->signs)
        return;
    str_puts(&v->out, "<g class=\"c\" text-anchor=\"middle\">\n");
    for (int r = 0; r < p->g->rows; r++)
        for (int c = 0; c < p->g->cols; c++)
            svg_grid_says(v, p, r, c);
    str_puts(&v->out, "</g>\n");
}

static void marks(Svg *v, const GridPlan *p)
{
    for (int r = 0; r < p->g->rows; r++)
        for (int c = 0; c < p->g->cols; c++)
            if (svg_grid_cell(p, r, c)->mark)
                str_fmt(&v->out, "<rect class=\"m\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\""
                        " height=\"%.1f\"/>\n",
                        cell_x(p, c) + 1, cell_y(p, r) + 1, p->cw - 2, p->ch - 2);
}

/* Heads of columns: every 1, 2, 4, .. where they are wider than the cells. */
static void svg_grid_heads(Svg *v, const GridPlan *p)
{
    const Grid *g = p->g;
    int every = 1;
    double w = widest_label(v, g->col_head, g->cols, FontSmall) + 4;
    while (every * p->cw < w && every < g->cols)
        every *= 2;
    for (int c = 0; g->col_head && c < g->cols; c += every)
        svg_label(v, cell_x(p, c) + p->cw / 2, p->top - 5, 'm', "s", g->col_head[c]);
    for (int r = 0; g->row_head && r < g->rows; r++)
        svg_label(v, p->left - 6, cell_y(p, r) + p->ch / 2 + 4, 'e', "s", g->row_head[r]);
    if (g->row_name)
        svg_label(v, 0, p->top - 5, 's', "s b", g->row_name);
    if (g->col_name)
        svg_label(v, p->left, 11, 's', "s b", g->col_name);
}

void svg_grid(Svg *v, const Grid *g)
{
    GridPlan p = {.g = g};
    measure_cells(v, &p);
    double head = widest_label(v, g->row_head, g->rows, FontSmall);
    double name = widest_label(v, &g->row_name, 1, FontSmall);
    head = name > head ? name : head;
    p.left = head > 0 ? head + 8 : 0;
    p.top = (g->col_name ? 15 : 0) + (g->col_head || g->row_name ? 17 : 0);
    svg_grow(v, cell_x(&p, g->cols - 1) + p.cw, cell_y(&p, g->rows - 1) + p.ch);
    for (int r = 0; r < g->rows; r++)
        grounds(v, &p, r);
    rules(v, &p);
    svg_grid_frames(v, &p);
    svg_grid_texts(v, &p);
    marks(v, &p);
    svg_grid_heads(v, &p);
}
