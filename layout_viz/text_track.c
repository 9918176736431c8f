/* layout_viz/text_track.c: time lines in a terminal.
 *
 *     producer load 0──load 1──        load 2──
 *     consumer         mma 0─────mma 1─────
 *           us |0        |10       |20
 *
 * A span says its label where it fits, otherwise one letter, which a legend
 * below explains.  Marks stand on the lines as single characters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "axis.h"

enum { GlyphBytes = 12, SignsMost = 62 };

/* One column of a line. */
typedef struct Glyph Glyph;
struct Glyph {
    char s[GlyphBytes];
    uint8_t n;
    uint8_t width;  /* 0: the right half of a wide character */
    char mark;      /* stands above all; 0: none */
    int span;       /* -1: none */
};

/* A letter that stands for a label. */
typedef struct SpanLetter SpanLetter;
struct SpanLetter {
    Text label;
    int32_t hue;
    char sign;
};

typedef struct TrackFrame TrackFrame;
struct TrackFrame {
    const Figure *f;
    const Track *t;
    Scale scale;
    int label, area;
    Glyph *glyph;   /* area */
    SpanLetter letter[SignsMost];
    int nletter;
};

/* Places ------------------------------------------------------------------------ */

static int text_track_column(const TrackFrame *m, double at)
{
    double c = scale_at(&m->scale, at) * m->area;
    return c <= 0 ? 0 : c >= m->area ? m->area : (int)floor(c + 1e-9);
}

/* The columns of a span: at least one; false: it lies outside. */
static bool span_columns(const TrackFrame *m, const Span *s, int *from, int *to)
{
    if (s->to < m->scale.lo || s->from > m->scale.hi)
        return false;
    *from = text_track_column(m, s->from);
    *to = text_track_column(m, s->to);
    if (*from >= m->area)
        *from = m->area - 1;
    if (*to <= *from)
        *to = *from + 1;
    return true;
}

/* Letters ------------------------------------------------------------------------- */

static bool taken(const TrackFrame *m, char c)
{
    for (int i = 0; i < m->nletter; i++)
        if (m->letter[i].sign == c)
            return true;
    return false;
}

static bool free_letter(const TrackFrame *m, char c)
{
    bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return good && !taken(m, c);
}

/* The first letter of the label, its last digit, any other, or any at all. */
static char pick_letter(const TrackFrame *m, const char *label)
{
    size_t n = strlen(label);
    if (n && free_letter(m, label[0]))
        return label[0];
    if (n && label[n - 1] >= '0' && label[n - 1] <= '9' && free_letter(m, label[n - 1]))
        return label[n - 1];
    for (size_t i = 0; i < n; i++)
        if (free_letter(m, label[i]))
            return label[i];
    for (int32_t k = 0; k < SignsMost; k++)
        if (!taken(m, hue_sign(k, 0)))
            return hue_sign(k, 0);
    return '*';
}

static char letter_of(TrackFrame *m, const Span *s)
{
    const char *label = fig_str(m->f, s->label);
    if (label[0] > ' ' && !label[1]) /* one that is a letter itself */
        return label[0];
    for (int i = 0; i < m->nletter; i++)
        if (strcmp(fig_str(m->f, m->letter[i].label), label) == 0)
            return m->letter[i].sign;
    char c = pick_letter(m, label);
    if (m->nletter < SignsMost)
        m->letter[m->nletter++] = (SpanLetter){s->label, s->hue, c};
    return c;
}

/* Lines --------------------------------------------------------------------------- */

static void set_glyph(Glyph *g, const char *s, size_t n, int width, int span)
{
    memcpy(g->s, s, n);
    g->n = (uint8_t)n;
    g->width = (uint8_t)width;
    g->span = span;
}

/* Writes the label into the columns from `at`; it is known to fit. */
static void write_label(TrackFrame *m, const char *s, int at, int span)
{
    for (size_t n = strlen(s); n;) {
        uint32_t c;
        size_t bytes = (size_t)utf8_next(s, n, &c);
        int w = char_width(c);
        if (w > 0) {
            set_glyph(&m->glyph[at], s, bytes, w, span);
            if (w == 2)
                set_glyph(&m->glyph[at + 1], "", 0, 0, span);
            at += w;
        } else if (at > 0) {
            Glyph *g = &m->glyph[m->glyph[at - 1].width ? at - 1 : at - 2];
            if (g->n + bytes <= GlyphBytes) {
                memcpy(g->s + g->n, s, bytes);
                g->n = (uint8_t)(g->n + bytes);
            }
        }
        s += bytes;
        n -= bytes;
    }
}

/* Spans own columns: one that is narrower than its neighbours is kept. */
static void own_columns(TrackFrame *m, const Line *l)
{
    for (int c = 0; c < m->area; c++) {
        set_glyph(&m->glyph[c], " ", 1, 1, -1);
        m->glyph[c].mark = 0;
    }
    for (int i = 0; i < l->nspan; i++) {
        int from, to;
        if (!span_columns(m, &l->span[i], &from, &to))
            continue;
        if (to == from + 1 && m->glyph[from].span >= 0 && l->span[i].to == l->span[i].from)
            continue;
        for (int c = from; c < to; c++)
            m->glyph[c].span = i;
    }
}

/* The first of w columns in a row without a mark, from .. to; else `from`. */
static int clear_of_marks(const TrackFrame *m, int from, int to, int w)
{
    for (int at = from, c = from; c < to; c++) {
        if (m->glyph[c].mark)
            at = c + 1;
        else if (c + 1 - at == w)
            return at;
    }
    return from;
}

/* The run of one span in the columns from .. to: its label or its letter. */
static void fill_run(TrackFrame *m, const Page *p, const Line *l, int from, int to)
{
    const Span *s = &l->span[m->glyph[from].span];
    const char *label = fig_str(m->f, s->label), *dash = p->style.unicode ? "─" : "-";
    bool colour = p->style.colour && s->hue != HUEplain;
    int w = text_width(label, strlen(label)), span = m->glyph[from].span;
    bool last = to == m->area || m->glyph[to].span < 0;
    for (int c = from; c < to; c++)
        set_glyph(&m->glyph[c], colour ? " " : dash, colour ? 1 : strlen(dash), 1, span);
    if (w < to - from || (w == to - from && last)) {
        write_label(m, label, clear_of_marks(m, from, to, w), span);
    } else if (w > 0) {
        char c = letter_of(m, s);
        set_glyph(&m->glyph[clear_of_marks(m, from, to, 1)], &c, 1, 1, span);
    }
}

static void set_marks(TrackFrame *m, const Line *l)
{
    for (int i = 0; i < l->nmark; i++) {
        const FigureEvent *e = &l->mark[i];
        if (e->at < m->scale.lo || e->at > m->scale.hi)
            continue;
        int c = text_track_column(m, e->at);
        m->glyph[c < m->area ? c : m->area - 1].mark = e->sign;
    }
}

/* Neighbours of one hue are two shades of it. */
static PageInk span_ink(const Page *p, const Line *l, int span)
{
    enum { Shade = 30 };
    if (span < 0)
        return (PageInk){0};
    return ink_cell(&p->style, l->span[span].hue, ToneDefault - (span % 2 ? Shade : 0));
}

static void put_label(const TrackFrame *m, Page *p, PageInk ink, Text t, char align)
{
    const char *s = fig_str(m->f, t);
    if (m->label) {
        page_field(p, ink, s, strlen(s), m->label, align);
        page_blank(p, (PageInk){0}, 1);
    }
}

static void put_line(TrackFrame *m, Page *p, const Line *l)
{
    own_columns(m, l);
    set_marks(m, l);
    for (int from = 0, to; from < m->area; from = to) {
        for (to = from + 1; to < m->area && m->glyph[to].span == m->glyph[from].span; to++)
            ;
        if (m->glyph[from].span >= 0)
            fill_run(m, p, l, from, to);
    }
    put_label(m, p, (PageInk){0}, l->label, 'l');
    for (int c = 0; c < m->area; c++) {
        const Glyph *g = &m->glyph[c];
        PageInk ink = span_ink(p, l, g->span);
        bool split = g->mark || (g->width == 2 && m->glyph[c + 1].mark) ||
                     (g->width == 0 && m->glyph[c - 1].mark);
        ink.attr = g->mark ? INKbold : 0;
        if (split || (g->n == 1 && g->s[0] == ' ')) /* a wide character goes as a whole */
            page_char(p, ink, g->mark ? g->mark : ' ');
        else if (g->width)
            page_put(p, ink, g->s, g->n, g->width);
    }
    page_end(p);
}

/* "|0      |10     |20" */
static void put_scale(const TrackFrame *m, Page *p)
{
    enum { Apart = 10 };
    double tick[TicksMost];
    int n = scale_ticks(&m->scale, m->area / Apart, tick);
    put_label(m, p, ink_dim(&p->style), m->t->unit, 'r');
    int start = p->column;
    for (int i = 0; i < n; i++) {
        char buf[TickText];
        int w = tick_text(buf, tick[i]) + 1, at = start + text_track_column(m, tick[i]);
        if (at + w > p->style.width || at < p->column + (i > 0))
            continue;
        page_to(p, at);
        page_char(p, ink_dim(&p->style), '|');
        page_ascii(p, ink_dim(&p->style), buf);
    }
    page_end(p);
}

static void put_letters(const TrackFrame *m, Page *p)
{
    Chip chip[SignsMost];
    Legend l = {m->nletter, chip};
    for (int i = 0; i < m->nletter; i++)
        chip[i] = (Chip){m->letter[i].hue, ToneDefault, m->letter[i].sign, m->letter[i].label};
    legend_page(m->f, &l, p);
}

void track_page(const Figure *f, const Track *t, Page *p)
{
    TrackFrame m = {.f = f, .t = t, .scale = track_scale(t)};
    const char *unit = fig_str(f, t->unit);
    m.label = text_width(unit, strlen(unit));
    for (int i = 0; i < t->n; i++) {
        const char *s = fig_str(f, t->line[i].label);
        int w = text_width(s, strlen(s));
        m.label = w > m.label ? w : m.label;
    }
    if (m.label > p->style.width / 3)
        m.label = p->style.width / 3;
    m.area = p->style.width - m.label - (m.label > 0);
    m.glyph = calloc((size_t)m.area, sizeof *m.glyph);
    if (!m.glyph) {
        p->bad = true;
        return;
    }
    for (int i = 0; i < t->n; i++)
        put_line(&m, p, &t->line[i]);
    put_scale(&m, p);
    put_letters(&m, p);
    free(m.glyph);
}
