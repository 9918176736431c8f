/* layout_viz/text.c: a figure as text: titles, rows of panels, panels side by
 * side, and an end where there are too many lines.
 *
 * Rows that follow each other and hold several panels are one block whose
 * panels stand in columns: B above C, A to the left of C.  A block is drawn so
 * when it fits with the labels' first lines at least, or with no less than its
 * panels would show alone; otherwise its panels stand one below another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { Apart = 3, ShareLeast = 36 }; /* columns between panels; of a chart at least */

static const char *const words[NWord][NLang] = {
    [Wevery] = {"showing 1 in {1} rows and columns", "行和列均每 {1} 个显示 1 个"},
    [Weveryrow] = {"showing 1 in {1} rows, 1 in {2} columns", "每 {1} 行显示 1 行，每 {2} 列显示 1 列"},
    [Weverycol] = {"showing 1 in {1} columns", "每 {1} 列显示 1 列"},
    [Wmore] = {"... {1} more lines", "……还有 {1} 行"},
};

void page_say(Page *p, enum Word w, int a, int b)
{
    char num[2][16];
    snprintf(num[0], sizeof num[0], "%d", a);
    snprintf(num[1], sizeof num[1], "%d", b);
    Diag d = {.arg = {num[0], num[1]}};
    Str text = {0};
    diag_text(&text, &d, words[w][p->style.lang], p->style.lang);
    if (text.bad)
        p->bad = true;
    else
        page_fold(p, ink_dim(&p->style), text.s, text.n, p->style.width, 0);
    str_free(&text);
}

/* One panel ------------------------------------------------------------------------ */

static void caption(const Figure *f, const Panel *v, Page *p)
{
    const char *s = fig_str(f, v->caption);
    if (v->caption)
        page_fold(p, ink_dim(&p->style), s, strlen(s), p->style.width, 2);
}

/* Draws one panel; a grid at the rung, other kinds in one way only. */
static void text_draw(const Figure *f, const Panel *v, Page *p, enum Rung r)
{
    switch (v->kind) {
    case Pgrid:   grid_page(f, &v->u.grid, p, r); break;
    case Ptable:  table_page(f, &v->u.table, p); break;
    case Pbars:   bars_page(f, &v->u.bars, p); break;
    case Ptrack:  track_page(f, &v->u.track, p); break;
    case Pcurve:  curve_page(f, &v->u.curve, p); break;
    case Ptext:   lines_page(f, &v->u.text, p); break;
    case Plegend: legend_page(f, &v->u.legend, p); break;
    default:      break;
    }
    caption(f, v, p);
}

static enum Rung rung_of(const Figure *f, const Panel *v, const Style *s)
{
    return v->kind == Pgrid ? grid_rung(f, &v->u.grid, s) : Rlabel;
}

/* Side by side ----------------------------------------------------------------------- */

/* Panels that may stand in columns, in the order of the figure's list. */
typedef struct PanelBlock PanelBlock;
struct PanelBlock {
    const Figure *f;
    const Panel *first, *end; /* end: the panel behind the last, or NULL */
    int n, rows;
    int most;                 /* panels in the fullest row */
    int per;                  /* of a block of one row: so many stand side by side */
    Page *page;               /* n */
    int *column;              /* widths, most of them */
};

static void count_columns(PanelBlock *b)
{
    int at = 0, row = -1;
    for (const Panel *v = b->first; v != b->end; v = v->next) {
        at = v->row == row ? at + 1 : 0;
        b->rows += v->row != row;
        row = v->row;
        b->n++;
        b->most = at + 1 > b->most ? at + 1 : b->most;
    }
    b->per = b->most;
}

/* The column in which the panel behind v stands, v being in column c. */
static int next_column(const PanelBlock *b, const Panel *v, int c)
{
    if (!v->next || v->next->row != v->row || c + 1 == b->per)
        return 0;
    return c + 1;
}

static int text_total(const PanelBlock *b)
{
    int w = (b->per - 1) * Apart;
    for (int c = 0; c < b->per; c++)
        w += b->column[c];
    return w;
}

/* The rung of a grid that has no form at r. */
static enum Rung form_at(const PanelBlock *b, const Panel *v, const Style *s, enum Rung r)
{
    while (v->kind == Pgrid && r < Rhalf && grid_width(b->f, &v->u.grid, s, r) < 0)
        r++;
    return r;
}

/* Could it fit, as far as the grids alone tell? */
static bool promising(PanelBlock *b, const Style *s, enum Rung r)
{
    int c = 0;
    memset(b->column, 0, (size_t)b->most * sizeof *b->column);
    for (const Panel *v = b->first; v != b->end; c = next_column(b, v, c), v = v->next) {
        int w = v->kind == Pgrid ? grid_width(b->f, &v->u.grid, s, form_at(b, v, s, r)) : 0;
        b->column[c] = w > b->column[c] ? w : b->column[c];
    }
    return text_total(b) <= s->width;
}

/* The width that a panel may take: charts and text take their share. */
static Style text_style_of(const PanelBlock *b, const Panel *v, const Style *s)
{
    Style own = *s;
    if (v->kind == Pgrid || v->kind == Ptable)
        return own;
    int share = (s->width - (b->per - 1) * Apart) / b->per;
    own.width = share > ShareLeast ? share : ShareLeast;
    return own;
}

/* Draws all panels at rung r; true when they fit side by side. */
static bool text_attempt(PanelBlock *b, const Style *s, enum Rung r)
{
    if (!promising(b, s, r))
        return false;
    int c = 0, i = 0;
    memset(b->column, 0, (size_t)b->most * sizeof *b->column);
    for (const Panel *v = b->first; v != b->end; c = next_column(b, v, c), v = v->next, i++) {
        Style own = text_style_of(b, v, s);
        page_free(&b->page[i]);
        page_init(&b->page[i], &own);
        text_draw(b->f, v, &b->page[i], form_at(b, v, s, r));
        int w = page_width(&b->page[i]);
        b->column[c] = w > b->column[c] ? w : b->column[c];
    }
    return text_total(b) <= s->width;
}

/* Finds a rung, and for a single row a number of columns, that fit. */
static bool text_arrange(PanelBlock *b, const Style *s)
{
    enum Rung from, to, last = Rfirst;
    rung_range(s, &from, &to);
    for (const Panel *v = b->first; v != b->end; v = v->next) {
        enum Rung r = rung_of(b->f, v, s);
        last = r > last ? r : last;
    }
    last = last < to ? last : to;
    int room = (s->width + Apart) / (Apart + 1); /* columns of one character */
    if (b->per > room && b->rows > 1)
        return false;
    b->per = b->per < room ? b->per : room;
    for (; b->per > 1; b->per--) {
        for (enum Rung r = from; r <= last; r++)
            if (text_attempt(b, s, r))
                return true;
        if (b->rows > 1)
            return false;
    }
    return false;
}

/* Pages first .. last - 1 beside each other. */
static void text_beside(const PanelBlock *b, int first, int last, Page *out)
{
    int lines = 0;
    for (int i = first; i < last; i++)
        lines = b->page[i].n > lines ? b->page[i].n : lines;
    if (out->n && lines)
        page_end(out);
    for (int k = 0; k < lines; k++) {
        int at = 0;
        for (int i = first; i < last; i++) {
            if (k < b->page[i].n) {
                page_to(out, at);
                page_line(out, &b->page[i], k);
            }
            at += b->column[i - first] + Apart;
        }
        page_end(out);
    }
}

static void text_put_block(const PanelBlock *b, Page *out)
{
    int c = 0, i = 0, first = 0;
    for (const Panel *v = b->first; v != b->end; v = v->next) {
        c = next_column(b, v, c);
        i++;
        if (c == 0 || v->next == b->end) {
            text_beside(b, first, i, out);
            first = i;
        }
    }
}

/* One below another ------------------------------------------------------------------- */

static void text_below(const Figure *f, const Panel *v, Page *out)
{
    int before = out->n;
    if (before)
        page_end(out);
    text_draw(f, v, out, rung_of(f, v, &out->style));
    if (before && out->n == before + 1) /* it drew nothing: no blank line either */
        out->n = before;
}

static bool text_has_company(const Panel *v) { return v->next && v->next->row == v->row; }

/* Where the block that begins with v ends: rows of several panels. */
static const Panel *text_block_end(const Panel *v)
{
    while (v && text_has_company(v)) {
        int row = v->row;
        while (v && v->row == row)
            v = v->next;
    }
    return v;
}

static void text_panels(const Figure *f, const Panel *first, const Panel *end, Page *out)
{
    PanelBlock b = {.f = f, .first = first, .end = end};
    count_columns(&b);
    b.page = calloc((size_t)b.n, sizeof *b.page);
    b.column = calloc((size_t)b.most, sizeof *b.column);
    if (!b.page || !b.column)
        out->bad = true;
    else if (text_arrange(&b, &out->style))
        text_put_block(&b, out);
    else
        for (const Panel *v = first; v != end; v = v->next)
            text_below(f, v, out);
    for (int i = 0; b.page && i < b.n; i++) {
        out->bad = out->bad || b.page[i].bad;
        page_free(&b.page[i]);
    }
    free(b.page);
    free(b.column);
}

/* The whole ---------------------------------------------------------------------------- */

static void titles(const Figure *f, Page *p)
{
    const char *t = fig_str(f, f->title), *s = fig_str(f, f->source);
    if (f->title)
        page_fold(p, ink_bold(&p->style), t, strlen(t), p->style.width, 2);
    if (f->source)
        page_fold(p, ink_dim(&p->style), s, strlen(s), p->style.width, 2);
}

/* The lines of p, at most `height` of them, the last one saying what is left. */
static void put_lines(Page *p, Str *out)
{
    int shown = p->n, height = p->style.height;
    if (height && p->n > height)
        shown = height - 1;
    size_t start = 0;
    for (int i = 0; i < shown; i++) {
        str_add(out, p->text.s + start, p->end[i] - start);
        str_add(out, "\n", 1);
        start = p->end[i];
    }
    if (shown == p->n)
        return;
    Page rest;
    page_init(&rest, &p->style);
    rest.style.height = 0;
    page_say(&rest, Wmore, p->n - shown, 0);
    out->bad = out->bad || rest.bad;
    if (!rest.bad)
        put_lines(&rest, out);
    page_free(&rest);
}

/* Finds whether grids show signs, which the legends then name. */
static void find_signs(const Figure *f, Style *s)
{
    bool half = s->unicode && s->colour && s->cells != CELLblock; /* the last form is "▀" */
    bool grids = false;
    for (const Panel *v = f->first; v; v = v->next) {
        enum Rung r = rung_of(f, v, s);
        grids = grids || v->kind == Pgrid;
        s->signs = s->signs || r == Rblock || (r > Rblock && !half);
    }
    s->labels = grids && !s->signs;
}

void fig_write_text(const Figure *f, const Style *s, Str *out)
{
    Page p;
    page_init(&p, s);
    find_signs(f, &p.style);
    titles(f, &p);
    for (const Panel *v = f->first, *end; v; v = end) {
        end = v->next;
        if (text_has_company(v)) {
            end = text_block_end(v);
            text_panels(f, v, end, &p);
        } else {
            text_below(f, v, &p);
        }
    }
    if (p.bad)
        out->bad = true;
    else
        put_lines(&p, out);
    page_free(&p);
}
