/* repl/edit/paint.c: draws the input on the terminal. */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base.h"
#include "core/base/width.h"
#include "paint.h"
#include "scan.h"
#include "lua/term/tty.h"

typedef struct PaintRow PaintRow;
struct PaintRow {
    Str s;     /* with its colours */
    int width; /* columns */
};

typedef struct PaintRows PaintRows;
struct PaintRows {
    PaintRow *row;
    int n, cap;
};

/* The terminal has one cursor; this is what is known of it. */
static struct {
    int width, height;
    bool colour;
    PaintRows shown; /* what stands there, from the block's first row on */
    PaintRows next;  /* what should */
    int row, col;    /* of the cursor, from that row on */
    int top;         /* first row of the block that is seen */
} at;

/* Colours ------------------------------------------------------------------- */

static const char *const sgr[NHue8] = {
    [HuePlain] = "",             [HueKeyword] = "\033[35m", [HueNumber] = "\033[36m",
    [HueString] = "\033[32m",    [HueComment] = "\033[90m", [HueName] = "\033[94m",
    [HueCommand] = "\033[36m",   [HuePair] = "\033[1;4m",
};

static const char *const inks[NInk] = {
    [InkGhost] = "\033[90m", [InkNote] = "\033[2m", [InkMark] = "\033[7m",
    [InkPrompt] = "\033[1m", [InkOff] = "\033[m",
};

void paint_colour(bool on) { at.colour = on; }
const char *ink(enum Ink i) { return at.colour ? inks[i] : ""; }
int paint_width(void) { return at.width; }
int paint_height(void) { return at.height; }

/* Glyphs ----------------------------------------------------------------------- */

bool utf8_terminal(void)
{
    static int known = -1;
    if (known < 0)
        known = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return known == 1;
}

/* Is it a character of two to four bytes that can be shown as it is? */
static size_t wide_char(const char *s, size_t n, int *width)
{
    uint32_t c;
    size_t k = (size_t)utf8_next(s, n, &c);
    if (!utf8_terminal() || k == 1 || c < 0xa0)
        return 0;
    *width = char_width(c);
    return k;
}

size_t glyph(const char *s, size_t n, int *width)
{
    unsigned char c = (unsigned char)s[0];
    *width = 1;
    if (c >= 0x20 && c < 0x7f)
        return 1;
    size_t k = c >= 0x80 ? wide_char(s, n, width) : 0;
    if (k)
        return k;
    *width = c < 0x80 ? 2 : 4; /* "^A", "\xff" */
    return 1;
}

/* The glyph as it is shown. */
static void paint_put_glyph(Str *out, const char *s, size_t n)
{
    unsigned char c = (unsigned char)s[0];
    if (n > 1 || (c >= 0x20 && c < 0x7f))
        str_add(out, s, n);
    else if (c == '\t')
        str_puts(out, "  ");
    else if (c < 0x80)
        str_fmt(out, "^%c", c ^ 0x40);
    else
        str_fmt(out, "\\x%02x", c);
}

/* An escape sequence "\033[...m" at s: its length, else 0. */
static size_t escape_sequence(const char *s, size_t n)
{
    size_t i = 2;
    if (n < 3 || s[0] != '\033' || s[1] != '[')
        return 0;
    while (i < n && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x40)
        i++;
    return i < n ? i + 1 : 0;
}

int shown_width(const char *s, size_t n)
{
    int width = 0, w;
    for (size_t i = 0, k; i < n; i += k) {
        k = escape_sequence(s + i, n - i);
        if (k)
            continue;
        k = glyph(s + i, n - i, &w);
        width += w;
    }
    return width;
}

int cut_line(Str *out, const char *s, size_t n, int columns)
{
    const char *eol = memchr(s, '\n', n);
    size_t len = eol ? (size_t)(eol - s) : n;
    bool whole = shown_width(s, len) <= columns;
    int room = whole ? columns : columns - 1, width = 0, w;
    for (size_t i = 0, k; i < len; i += k) {
        k = glyph(s + i, len - i, &w);
        if (width + w > room)
            break;
        paint_put_glyph(out, s + i, k);
        width += w;
    }
    if (!whole && columns > 0) {
        str_puts(out, utf8_terminal() ? "…" : "~");
        width++;
    }
    return width;
}

/* Building the rows ------------------------------------------------------------- */

typedef struct PaintBuild PaintBuild;
struct PaintBuild {
    const View *v;
    PaintRows *rows;
    int col, hue;
    int cursor_row, cursor_col;
};

static PaintRow *add_row(PaintRows *r)
{
    if (r->n == r->cap) {
        int cap = r->cap ? 2 * r->cap : 16;
        PaintRow *more = realloc(r->row, (size_t)cap * sizeof *more);
        if (!more)
            return r->n ? &r->row[r->n - 1] : NULL;
        memset(more + r->cap, 0, (size_t)(cap - r->cap) * sizeof *more);
        r->row = more;
        r->cap = cap;
    }
    PaintRow *row = &r->row[r->n++];
    row->s.n = 0;
    row->s.bad = false;
    if (row->s.s)
        row->s.s[0] = '\0';
    row->width = 0;
    return row;
}

static PaintRow *paint_last(PaintRows *r) { return r->n ? &r->row[r->n - 1] : add_row(r); }

static void set_hue(PaintBuild *b, int hue)
{
    PaintRow *row = paint_last(b->rows);
    if (hue == b->hue || !row)
        return;
    if (b->hue != HuePlain)
        str_puts(&row->s, "\033[m");
    str_puts(&row->s, sgr[hue]);
    b->hue = hue;
}

static void end_row(PaintBuild *b)
{
    set_hue(b, HuePlain);
    PaintRow *row = paint_last(b->rows);
    if (row)
        row->width = b->col;
}

static void paint_blanks(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_add(s, " ", 1);
}

/* A row that goes on with the line of the one before; text stands below text
 * where there is room for that. */
static void wrap(PaintBuild *b)
{
    end_row(b);
    PaintRow *row = add_row(b->rows);
    b->col = b->v->prompt_width <= at.width / 4 ? b->v->prompt_width : 0;
    if (row)
        paint_blanks(&row->s, b->col);
}

static void build_put(PaintBuild *b, const char *s, size_t n, int width, int hue)
{
    if (b->col + width > at.width)
        wrap(b);
    set_hue(b, hue);
    PaintRow *row = paint_last(b->rows);
    if (row)
        paint_put_glyph(&row->s, s, n);
    b->col += width;
}

static void place_cursor(PaintBuild *b)
{
    if (b->col >= at.width)
        wrap(b);
    b->cursor_row = b->rows->n - 1;
    b->cursor_col = b->col;
}

/* Line `i` of the text begins: its prompt, of which the last columns are shown
 * when there is little room. */
static void begin_line(PaintBuild *b, int i)
{
    const Str *p = &b->v->prompt[i];
    PaintRow *row = add_row(b->rows);
    b->col = b->v->prompt_width;
    if (!row)
        return;
    paint_blanks(&row->s, b->v->prompt_width - shown_width(p->s ? p->s : "", p->n));
    str_puts(&row->s, ink(InkPrompt));
    str_add(&row->s, p->s ? p->s : "", p->n);
    str_puts(&row->s, ink(InkOff));
}

/* The suggestion fills what is left of the row. */
static void put_ghost(PaintBuild *b)
{
    const char *g = b->v->ghost;
    PaintRow *row = paint_last(b->rows);
    int room = at.width - b->col - 1;
    if (!g || !row || room <= 0)
        return;
    str_puts(&row->s, ink(InkGhost));
    b->col += cut_line(&row->s, g, strlen(g), room);
    str_puts(&row->s, ink(InkOff));
}

static void build_text(PaintBuild *b)
{
    const View *v = b->v;
    int line = 0, width;
    begin_line(b, 0);
    for (size_t i = 0, k; i < v->n; i += k) {
        if (v->text[i] == '\n') {
            if (i == v->point)
                place_cursor(b);
            end_row(b);
            begin_line(b, ++line);
            k = 1;
            continue;
        }
        k = glyph(v->text + i, v->n - i, &width);
        if (v->point >= i && v->point < i + k) {
            if (b->col + width > at.width)
                wrap(b);
            place_cursor(b);
        }
        build_put(b, v->text + i, k, width, v->hue ? v->hue[i] : HuePlain);
    }
    if (v->point >= v->n)
        place_cursor(b);
    set_hue(b, HuePlain);
    put_ghost(b);
    end_row(b);
}

static int build_below(const char *s)
{
    int n = 0;
    while (s && *s) {
        size_t len = strcspn(s, "\n");
        PaintRow *row = add_row(&at.next);
        if (row) {
            str_add(&row->s, s, len);
            row->width = shown_width(s, len);
        }
        n++;
        s += len + (s[len] == '\n');
    }
    return n;
}

/* Writing them --------------------------------------------------------------------- */

static void move_row(Str *o, int row)
{
    if (row < at.row)
        str_fmt(o, "\033[%dA", at.row - row);
    else if (row > at.row)
        str_fmt(o, "\033[%dB", row - at.row);
    at.row = row;
}

/* To the start of a row, which may be the one after the last there is. */
static void go_to(Str *o, int row, int *there)
{
    if (row < *there) {
        move_row(o, row);
        str_puts(o, "\r");
    } else {
        move_row(o, *there > 0 ? *there - 1 : 0);
        str_puts(o, *there > 0 ? "\r\n" : "\r");
        at.row = row;
        *there = row + 1;
    }
}

static bool paint_same(const PaintRow *a, const PaintRow *b)
{
    return a->s.n == b->s.n && (a->s.n == 0 || memcmp(a->s.s, b->s.s, a->s.n) == 0);
}

static void write_out(Str *o)
{
    fflush(stdout);
    if (!o->bad && o->n)
        tty_write(o->s, o->n);
    str_free(o);
}

static void write_row(Str *o, const PaintRow *r)
{
    if (r->s.n)
        str_add(o, r->s.s, r->s.n);
    if (r->width < at.width) /* in the last column it would erase that */
        str_puts(o, "\033[K");
}

/* Makes the terminal show rows [from, from + n) of the next ones. */
static void paint_show(Str *o, int from, int n, int cursor_row, int cursor_col)
{
    int there = at.shown.n;
    for (int i = 0; i < n; i++) {
        const PaintRow *r = &at.next.row[from + i];
        if (i < at.shown.n && paint_same(r, &at.shown.row[i]))
            continue;
        go_to(o, i, &there);
        write_row(o, r);
    }
    if (there > n) {
        go_to(o, n, &there);
        str_puts(o, "\033[J");
    }
    move_row(o, cursor_row);
    str_puts(o, "\r");
    if (cursor_col > 0)
        str_fmt(o, "\033[%dC", cursor_col);
    at.row = cursor_row;
    at.col = cursor_col;
}

/* Keeps of the next rows those that are shown. */
static void paint_remember(int from, int n)
{
    for (int i = 0; i < n && from > 0; i++) {
        PaintRow swap = at.next.row[i];
        at.next.row[i] = at.next.row[from + i];
        at.next.row[from + i] = swap;
    }
    PaintRows old = at.shown;
    at.next.n = n;
    at.shown = at.next;
    at.next = old;
    tty_below(n - 1 - at.row);
}

static int paint_build(const View *v, PaintBuild *b)
{
    at.next.n = 0;
    *b = (PaintBuild){.v = v, .rows = &at.next, .hue = HuePlain};
    build_text(b);
    return at.next.n;
}

void paint(const View *v)
{
    PaintBuild b;
    Str o = {0};
    int text = paint_build(v, &b);
    int below = build_below(v->below);
    int most = at.height - 1 < below ? at.height - 1 : below;
    int seen = at.height - most < text ? at.height - most : text;
    if (at.top > b.cursor_row)
        at.top = b.cursor_row;
    if (at.top < b.cursor_row - seen + 1)
        at.top = b.cursor_row - seen + 1;
    if (at.top > text - seen)
        at.top = text - seen;
    /* what stands below follows what is seen */
    for (int i = 0; i < most; i++) {
        PaintRow swap = at.next.row[at.top + seen + i];
        at.next.row[at.top + seen + i] = at.next.row[text + i];
        at.next.row[text + i] = swap;
    }
    paint_show(&o, at.top, seen + most, b.cursor_row - at.top, b.cursor_col);
    paint_remember(at.top, seen + most);
    write_out(&o);
}

/* All rows, from the first one seen on; then the cursor is at the end of the
 * last one. */
static void paint_all(Str *o, const View *v)
{
    PaintBuild b;
    int n = paint_build(v, &b), there = at.shown.n;
    if (n <= at.height && at.top == 0) {
        paint_show(o, 0, n, n - 1, at.next.row[n - 1].width);
        paint_remember(0, n);
        return;
    }
    go_to(o, 0, &there);
    str_puts(o, "\033[J");
    for (int i = 0; i < n; i++) {
        if (i > 0)
            str_puts(o, "\r\n");
        write_row(o, &at.next.row[i]);
    }
}

void paint_final(const View *v, const char *after)
{
    Str o = {0};
    paint_all(&o, v);
    str_puts(&o, after);
    str_puts(&o, "\r\n");
    write_out(&o);
    at.shown.n = at.row = at.top = 0;
}

void paint_lift(void)
{
    Str o = {0};
    move_row(&o, 0);
    str_puts(&o, "\r\033[J");
    write_out(&o);
    at.shown.n = at.row = at.top = 0;
}

void paint_resized(void)
{
    int old = at.width, up = 0;
    tty_size(&at.width, &at.height);
    for (int i = 0; i < at.row && i < at.shown.n; i++)
        up += at.width < old && at.shown.row[i].width > at.width
                  ? (at.shown.row[i].width + at.width - 1) / at.width : 1;
    if (at.width < old)
        up += at.col / at.width;
    at.row = up;
    paint_lift();
}

void paint_clear(void)
{
    Str o = {0};
    str_puts(&o, "\033[H\033[2J");
    write_out(&o);
    at.shown.n = at.row = at.top = 0;
}

/* What was printed may have left the cursor in the middle of a row: as many
 * blanks as a row has end in the next one then, else in the same. */
void paint_begin(void)
{
    Str o = {0};
    tty_size(&at.width, &at.height);
    paint_blanks(&o, at.width);
    str_puts(&o, "\r\033[K");
    write_out(&o);
    at.shown.n = at.row = at.top = 0;
}
