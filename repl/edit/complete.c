/* repl/edit/complete.c: Tab: the common part, then the list, then one by one. */
#include "edit.h"

#ifndef USE_LIBEDIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "scan.h"

static struct {
    Choices c;
    int pick;  /* the one that stands in the text, -1: only their common part */
    size_t to; /* where that ends */
    bool on;
} t;

void complete_stop(void)
{
    choices_free(&t.c);
    t.on = false;
}

/* Puts s in the place of what is there. */
static void complete_replace(const char *s, size_t n)
{
    char *copy = strndup(s, n);
    if (!copy)
        return;
    rl_begin_undo_group();
    rl_delete_text((int)t.c.from, (int)t.to);
    rl_point = (int)t.c.from;
    rl_insert_text(copy);
    rl_end_undo_group();
    t.to = t.c.from + n;
    free(copy);
}

/* Bytes that all choices begin with; whole characters. */
static size_t complete_common(void)
{
    const char *first = t.c.item[0].text;
    size_t n = strlen(first);
    for (int i = 1; i < t.c.n; i++) {
        size_t k = 0;
        while (k < n && t.c.item[i].text[k] == first[k])
            k++;
        n = k;
    }
    while (n > 0 && ((unsigned char)first[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void complete_begin(void)
{
    complete_stop();
    t.pick = -1;
    t.to = (size_t)rl_point;
    t.c.from = t.to;
    if (edit_host->complete)
        edit_host->complete(edit_host->ud, rl_line_buffer, t.to, &t.c);
    if (t.c.n == 0 || t.c.from > t.to)
        return;
    t.on = true;
    size_t n = complete_common(), typed = t.to - t.c.from;
    bool starts = n >= typed && memcmp(t.c.item[0].text, rl_line_buffer + t.c.from, typed) == 0;
    if (t.c.n == 1 || (starts && n > typed))
        complete_replace(t.c.item[0].text, t.c.n == 1 ? strlen(t.c.item[0].text) : n);
    if (t.c.n == 1)
        complete_stop();
}

void complete_next(int step)
{
    if (!t.on) {
        complete_begin();
        return;
    }
    t.pick = t.pick < 0 ? (step > 0 ? 0 : t.c.n - 1) : (t.pick + step + t.c.n) % t.c.n;
    const char *s = t.c.item[t.pick].text;
    complete_replace(s, strlen(s));
}

/* The list ------------------------------------------------------------------------ */

static int complete_width_of(const char *s) { return shown_width(s, strlen(s)); }

static void pad(Str *out, int n)
{
    for (; n > 0; n--)
        str_puts(out, " ");
}

/* A choice in a column of that width; the picked one is marked. */
static void put_choice(Str *out, int i, int width)
{
    const char *s = t.c.item[i].text;
    bool picked = i == t.pick;
    str_puts(out, picked ? ink(InkMark) : "");
    int w = cut_line(out, s, strlen(s), width);
    str_puts(out, picked ? ink(InkOff) : "");
    pad(out, width - w);
}

/* One a row, with its note. */
static void noted_row(Str *out, int i, int width, int columns)
{
    const char *note = t.c.item[i].note;
    put_choice(out, i, width);
    if (note && columns - width > 6) {
        str_fmt(out, "  %s", ink(InkNote));
        cut_line(out, note, strlen(note), columns - width - 2);
        str_puts(out, ink(InkOff));
    }
}

typedef struct ListShape ListShape;
struct ListShape {
    int rows, across, width; /* of the list; width: columns of one choice */
};

static ListShape complete_shape(int columns, bool *notes)
{
    int width = 1;
    *notes = false;
    for (int i = 0; i < t.c.n; i++) {
        int w = complete_width_of(t.c.item[i].text);
        width = w > width ? w : width;
        *notes = *notes || (t.c.item[i].note && t.c.item[i].note[0]);
    }
    if (*notes) {
        width = width > columns / 2 ? columns / 2 : width;
        return (ListShape){t.c.n, 1, width};
    }
    width = width > columns ? columns : width;
    int across = (columns + 2) / (width + 2);
    across = across < 1 ? 1 : across;
    return (ListShape){(t.c.n + across - 1) / across, across, width};
}

/* The last row says that there are more. */
static void how_many(Str *out, int seen)
{
    bool zh = edit_host->lang(edit_host->ud) == LANGzh;
    str_puts(out, ink(InkNote));
    str_fmt(out, zh ? "到第 %d 个，共 %d 个" : "to %d of %d", seen, t.c.n);
    str_puts(out, ink(InkOff));
}

void complete_list(Str *out, int columns, int rows)
{
    bool notes;
    if (!t.on || t.c.n < 2 || !keys_completing())
        return;
    ListShape s = complete_shape(columns, &notes);
    rows = rows > 12 ? 12 : rows < 3 ? 3 : rows;
    int seen = s.rows <= rows ? s.rows : rows - 1;
    int row = t.pick < 0 ? 0 : t.pick % s.rows;
    int top = row < seen ? 0 : row - seen + 1;
    for (int r = top; r < top + seen; r++) {
        for (int k = 0; k < s.across && k * s.rows + r < t.c.n; k++) {
            pad(out, k ? 2 : 0);
            if (notes)
                noted_row(out, r, s.width, columns);
            else
                put_choice(out, k * s.rows + r, s.width);
        }
        str_puts(out, "\n");
    }
    if (seen < s.rows)
        how_many(out, (top + seen) * s.across < t.c.n ? (top + seen) * s.across : t.c.n);
}
#endif
