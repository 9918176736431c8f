/* layout_viz/text_table.c: tables, lines of text and legends in a terminal. */
#include <stdlib.h>
#include <string.h>

#include "page.h"

/* Tables ----------------------------------------------------------------------- */

enum { Between = 2, Least = 12 }; /* columns between columns; of a cut column */

static Text text_table_entry(const Table *t, int r, int c)
{
    return r < 0 ? t->head[c] : t->entry[(size_t)r * (size_t)t->cols + (size_t)c];
}

/* The width that column c wants. */
static int text_table_natural(const Figure *f, const Table *t, int c)
{
    int most = 1;
    for (int r = t->head ? -1 : 0; r < t->rows; r++) {
        const char *s = fig_str(f, text_table_entry(t, r, c));
        int w = text_width(s, strlen(s));
        most = w > most ? w : most;
    }
    return most;
}

static int text_table_total(const int *w, int from, int to)
{
    int sum = 0;
    for (int c = from; c < to; c++)
        sum += w[c] + (c > from ? Between : 0);
    return sum;
}

/* Takes from the widest of the n columns until they fit; none goes below Least. */
static void text_table_squeeze(int *w, int n, int width)
{
    int over = text_table_total(w, 0, n) - width;
    while (over > 0) {
        int widest = 0, second = Least;
        for (int c = 1; c < n; c++)
            widest = w[c] > w[widest] ? c : widest;
        for (int c = 0; c < n; c++)
            if (w[c] < w[widest] && w[c] > second)
                second = w[c];
        if (w[widest] <= Least)
            return;
        int cut = w[widest] - second < over ? w[widest] - second : over;
        cut = cut > 0 ? cut : 1;
        w[widest] -= cut;
        over -= cut;
    }
}

static void table_entry(const Figure *f, const Table *t, Page *p, const int *w, int r, int c)
{
    const Style *s = &p->style;
    const char *e = fig_str(f, text_table_entry(t, r, c));
    PageInk ink = r < 0 ? ink_bold(s) : ink_stroke(s, t->tint[r]);
    if (p->column > 0)
        page_blank(p, (PageInk){0}, Between);
    page_field(p, ink, e, strlen(e), w[c], t->align[c]);
}

/* Row r (-1: the head), columns 0 (when `first`) and from .. to. */
static void table_row(const Figure *f, const Table *t, Page *p, const int *w, int r, bool first,
                      int from, int to)
{
    if (first)
        table_entry(f, t, p, w, r, 0);
    for (int c = from; c < to; c++)
        table_entry(f, t, p, w, r, c);
    page_end(p);
}

static void rule(Page *p, int width)
{
    const char *dash = p->style.unicode ? "─" : "-";
    for (int i = 0; i < width; i++)
        page_put(p, ink_dim(&p->style), dash, strlen(dash), 1);
    page_end(p);
}

/* Columns that do not fit stand below, the first column beside them again. */
static void table_blocks(const Figure *f, const Table *t, Page *p, const int *w)
{
    int width = p->style.width;
    for (int from = 0, to; from < t->cols; from = to) {
        bool first = from > 0 && w[0] + Between + w[from] <= width;
        int used = (first ? w[0] + Between : 0) + w[from];
        for (to = from + 1; to < t->cols && used + Between + w[to] <= width; to++)
            used += Between + w[to];
        if (from > 0)
            page_end(p);
        if (t->head) {
            table_row(f, t, p, w, -1, first, from, to);
            rule(p, used);
        }
        for (int r = 0; r < t->rows; r++)
            table_row(f, t, p, w, r, first, from, to);
    }
}

void table_page(const Figure *f, const Table *t, Page *p)
{
    if (t->cols == 0)
        return;
    int *w = malloc((size_t)t->cols * sizeof *w);
    if (!w) {
        p->bad = true;
        return;
    }
    for (int c = 0; c < t->cols; c++)
        w[c] = text_table_natural(f, t, c);
    text_table_squeeze(w, t->cols, p->style.width);
    for (int c = 0; c < t->cols; c++)
        if (w[c] > p->style.width)
            w[c] = p->style.width;
    table_blocks(f, t, p, w);
    free(w);
}

/* Text --------------------------------------------------------------------------- */

/* A line that is folded goes on below its first word, not below its indent. */
void lines_page(const Figure *f, const Lines *t, Page *p)
{
    for (int i = 0; i < t->n; i++) {
        const char *s = fig_str(f, t->line[i]);
        page_fold(p, (PageInk){0}, s, strlen(s), p->style.width, (int)strspn(s, " "));
    }
}

/* Legends -------------------------------------------------------------------------- */

/* A chip: its colour with the sign on it, when signs are to be seen elsewhere too;
 * without colour the sign and "=". */
enum { ChipWidth = 4 };

static void put_chip(Page *p, const Chip *c)
{
    const Style *s = &p->style;
    if (s->colour) {
        PageInk ink = ink_cell(s, c->hue, c->tone);
        page_blank(p, ink, 1);
        bool letter = s->signs && hue_speaks(c->hue);
        page_char(p, ink, c->sign ? c->sign : letter ? hue_sign(c->hue, c->tone) : ' ');
        page_blank(p, ink, 1);
        page_blank(p, (PageInk){0}, 1);
    } else {
        page_char(p, (PageInk){0}, c->sign ? c->sign : hue_sign(c->hue, c->tone));
        page_ascii(p, (PageInk){0}, " = ");
    }
}

/* A class has neither a colour nor a letter where the cells say their labels. */
static bool text_table_unseen(const Style *s, const Chip *c)
{
    return !s->colour && s->labels && !c->sign && c->hue >= 0;
}

void legend_page(const Figure *f, const Legend *l, Page *p)
{
    int width = p->style.width, chip = ChipWidth;
    for (int i = 0; i < l->n; i++) {
        const char *s = fig_str(f, l->chip[i].label);
        int w = text_width(s, strlen(s));
        if (text_table_unseen(&p->style, &l->chip[i]))
            continue;
        if (p->column > 0 && p->column + 3 + chip + w > width)
            page_end(p);
        if (p->column > 0)
            page_blank(p, (PageInk){0}, 3);
        put_chip(p, &l->chip[i]);
        page_cut(p, (PageInk){0}, s, strlen(s), width - p->column);
    }
    if (p->column > 0)
        page_end(p);
}
