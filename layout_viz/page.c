/* layout_viz/page.c: styled lines: a pen that says only what changes. */
#include <stdlib.h>
#include <string.h>

#include "page.h"

void page_init(Page *p, const Style *s)
{
    memset(p, 0, sizeof *p);
    p->style = *s;
}

void page_free(Page *p)
{
    str_free(&p->text);
    free(p->end);
    free(p->width);
    memset(p, 0, sizeof *p);
}

/* The pen --------------------------------------------------------------- */

static char *write_number(char *to, unsigned v)
{
    if (v >= 100)
        *to++ = (char)('0' + v / 100);
    if (v >= 10)
        *to++ = (char)('0' + v / 10 % 10);
    *to++ = (char)('0' + v % 10);
    return to;
}

/* ";38;2;R;G;B" and its kin; base is 30 for text, 40 for the ground. */
static char *colour_code(char *to, int depth, Colour c, unsigned base)
{
    *to++ = ';';
    if (!c)
        return write_number(to, base + 9);
    if (depth == 4) {
        unsigned i = c & 15;
        return write_number(to, i < 8 ? base + i : base + 60 + i - 8);
    }
    to = write_number(to, base + 8);
    *to++ = ';';
    *to++ = depth == 8 ? '5' : '2';
    if (depth == 8) {
        *to++ = ';';
        return write_number(to, c & 0xff);
    }
    for (int shift = 16; shift >= 0; shift -= 8) {
        *to++ = ';';
        to = write_number(to, c >> shift & 0xff);
    }
    return to;
}

static void set_pen(Page *p, PageInk ink)
{
    static const char attr[] = {'1', '2', '4', '7'};
    char buf[96], *to = buf;
    int depth = p->style.colour;
    PageInk was = p->pen;
    *to++ = '\033';
    *to++ = '[';
    char *first = to;
    if (was.attr & ~ink.attr) {
        *to++ = ';';
        *to++ = '0';
        was = (PageInk){0};
    }
    for (unsigned i = 0; i < COUNT(attr); i++)
        if (ink.attr & ~was.attr & 1u << i) {
            *to++ = ';';
            *to++ = attr[i];
        }
    if (ink.fg != was.fg)
        to = colour_code(to, depth, ink.fg, 30);
    if (ink.bg != was.bg)
        to = colour_code(to, depth, ink.bg, 40);
    memmove(first, first + 1, (size_t)(to - first) - 1); /* the first ';' */
    to[-1] = 'm';
    str_add(&p->text, buf, (size_t)(to - buf));
    p->pen = ink;
}

static bool same_ink(PageInk a, PageInk b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

/* Nothing that can be seen of a blank. */
static bool page_unseen(PageInk i) { return !i.bg && !(i.attr & (INKunder | INKreverse)); }

static void flush_blanks(Page *p)
{
    static const char sixteen[] = "                ";
    if (!p->blanks)
        return;
    if (!page_unseen(p->pen))
        set_pen(p, (PageInk){0});
    for (; p->blanks > 0; p->blanks -= 16)
        str_add(&p->text, sixteen, p->blanks < 16 ? (size_t)p->blanks : 16);
    p->blanks = 0;
}

/* Writing --------------------------------------------------------------- */

void page_put(Page *p, PageInk ink, const char *s, size_t n, int width)
{
    if (n == 0)
        return;
    if (!p->style.colour)
        ink = (PageInk){0};
    flush_blanks(p);
    if (!same_ink(ink, p->pen))
        set_pen(p, ink);
    str_add(&p->text, s, n);
    p->column += width;
}

void page_ascii(Page *p, PageInk ink, const char *s)
{
    size_t n = strlen(s);
    page_put(p, ink, s, n, (int)n);
}

void page_char(Page *p, PageInk ink, char c)
{
    if (c == ' ')
        page_blank(p, ink, 1);
    else
        page_put(p, ink, &c, 1, 1);
}

void page_blank(Page *p, PageInk ink, int columns)
{
    static const char some[] = "                ";
    if (columns <= 0)
        return;
    if (!p->style.colour || page_unseen(ink)) {
        p->blanks += columns;
        p->column += columns;
        return;
    }
    for (int n = columns; n > 0; n -= 16)
        page_put(p, ink, some, n < 16 ? (size_t)n : 16, n < 16 ? n : 16);
}

void page_to(Page *p, int column) { page_blank(p, (PageInk){0}, column - p->column); }

int page_cut(Page *p, PageInk ink, const char *s, size_t n, int columns)
{
    int width;
    if (columns <= 0)
        return 0;
    if (text_fit(s, n, columns, &width) == n) {
        page_put(p, ink, s, n, width);
        return width;
    }
    size_t most = text_fit(s, n, columns - 1, &width);
    page_put(p, ink, s, most, width);
    const char *sign = p->style.unicode ? "…" : "~";
    page_put(p, ink, sign, strlen(sign), 1);
    return width + 1;
}

void page_field(Page *p, PageInk ink, const char *s, size_t n, int columns, char align)
{
    int width = text_width(s, n);
    int rest = columns > width ? columns - width : 0;
    int before = align == 'r' ? rest : align == 'c' ? rest / 2 : 0;
    page_blank(p, ink, before);
    int used = before + page_cut(p, ink, s, n, columns);
    page_blank(p, ink, columns - used);
}

/* Grows the table of lines. */
static bool more_lines(Page *p)
{
    int cap = p->cap ? 2 * p->cap : 64;
    size_t *end = realloc(p->end, (size_t)cap * sizeof *end);
    if (end)
        p->end = end;
    int *width = realloc(p->width, (size_t)cap * sizeof *width);
    if (width)
        p->width = width;
    if (!end || !width)
        return false;
    p->cap = cap;
    return true;
}

void page_end(Page *p)
{
    static const PageInk plain = {0};
    if (!same_ink(p->pen, plain)) {
        str_puts(&p->text, "\033[0m");
        p->pen = plain;
    }
    if (p->n == p->cap && !more_lines(p))
        p->bad = true;
    if (p->text.bad)
        p->bad = true;
    if (!p->bad) {
        p->end[p->n] = p->text.n;
        p->width[p->n++] = p->column - p->blanks;
    }
    p->column = p->blanks = 0;
}

void page_line(Page *to, const Page *from, int i)
{
    size_t start = i ? from->end[i - 1] : 0, n = from->end[i] - start;
    if (n == 0)
        return;
    flush_blanks(to);
    str_add(&to->text, from->text.s + start, n);
    to->column += from->width[i];
}

int page_width(const Page *p)
{
    int most = 0;
    for (int i = 0; i < p->n; i++)
        if (p->width[i] > most)
            most = p->width[i];
    return most;
}

/* Folding --------------------------------------------------------------- */

/* Marks that do not begin a line. */
static bool closing(uint32_t c)
{
    static const uint16_t mark[] = {
        0x3001, 0x3002, 0xff0c, 0xff1a, 0xff1b, 0xff1f, 0xff01, 0xff09, 0x300d, 0x300f, 0x3011,
        0x300b, 0x201d, 0x2019, ',', '.', ';', ':', '!', '?', ')', ']', '}',
    };
    for (size_t i = 0; i < COUNT(mark); i++)
        if (c == mark[i])
            return true;
    return false;
}

/* The bytes of s that go on a line of `width`, and what is skipped behind them:
 * the break is at the last blank, or beside a wide character, or anywhere. */
static size_t fold_at(const char *s, size_t n, int width, size_t *skip)
{
    int w;
    size_t fit = text_fit(s, n, width, &w);
    *skip = 0;
    if (fit == n)
        return n;
    size_t best = 0;
    bool waswide = false;
    for (size_t i = 0; i <= fit && i < n;) {
        uint32_t c;
        int bytes = utf8_next(s + i, n - i, &c);
        bool wide = char_width(c) == 2;
        if (i && (c == ' ' || ((wide || waswide) && !closing(c))))
            best = i;
        waswide = wide;
        i += (size_t)bytes;
    }
    uint32_t c;
    if (!best) /* not even one character fits: it stands there all the same */
        best = fit ? fit : (size_t)utf8_next(s, n, &c);
    while (best + *skip < n && s[best + *skip] == ' ')
        ++*skip;
    return best;
}

void page_fold(Page *p, PageInk ink, const char *s, size_t n, int width, int hang)
{
    int indent = 0;
    if (hang >= width / 2)
        hang = 0;
    do {
        size_t skip, take = fold_at(s, n, width - indent, &skip);
        page_blank(p, (PageInk){0}, indent);
        page_put(p, ink, s, take, text_width(s, take));
        page_end(p);
        s += take + skip;
        n -= take + skip;
        indent = hang;
    } while (n);
}

/* Pens ------------------------------------------------------------------- */

PageInk ink_cell(const Style *s, int32_t hue, int tone)
{
    Colour bg = hue_ground(s->colour, hue, tone);
    return (PageInk){ground_ink(s->colour, bg), bg, 0};
}

PageInk ink_stroke(const Style *s, int32_t hue)
{
    return (PageInk){hue_stroke(s->colour, hue), 0, 0};
}

PageInk ink_dim(const Style *s) { return (PageInk){0, 0, s->colour ? INKdim : 0}; }
PageInk ink_bold(const Style *s) { return (PageInk){0, 0, s->colour ? INKbold : 0}; }

bool label_line(const char *label, int k, const char **s, size_t *n)
{
    for (; k > 0; k--) {
        label = strchr(label, '\n');
        if (!label)
            return false;
        label++;
    }
    *s = label;
    *n = strcspn(label, "\n");
    return true;
}
