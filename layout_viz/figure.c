/* layout_viz/figure.c: making figures: their memory, texts, rows of panels. */
#include <string.h>

#include "figure.h"

void fig_init(Figure *f, const Mem *mem)
{
    memset(f, 0, sizeof *f);
    ctx_init(&f->ctx, mem, FigBytes);
    f->tail = &f->first;
}

void fig_free(Figure *f)
{
    ctx_free(&f->ctx);
    f->ctx.mem.alloc(f->ctx.mem.ud, f->pool, 0);
    f->pool = NULL;
    f->npool = f->cappool = 0;
    f->first = NULL;
    f->tail = &f->first;
}

/* Memory --------------------------------------------------------------- */

typedef struct Want Want;
struct Want {
    size_t n;
    void *p;
};

static void figure_get(Ctx *c, void *ud)
{
    Want *w = ud;
    w->p = anew(c, w->n);
}

void *fig_new(Figure *f, size_t n, size_t size)
{
    Want w = {n * size, NULL};
    if (n > SIZE_MAX / size || !ctx_try(&f->ctx, figure_get, &w))
        return NULL;
    return w.p;
}

/* Room for n more bytes of text, and the NUL before the very first. */
static bool figure_reserve(Figure *f, size_t n)
{
    if (n > FigText - 1 || f->npool > FigText - 1 - n)
        return false;
    size_t need = f->npool + n + 1;
    if (need <= f->cappool)
        return true;
    size_t cap = f->cappool ? f->cappool : 1024;
    while (cap < need)
        cap *= 2;
    char *p = f->ctx.mem.alloc(f->ctx.mem.ud, f->pool, cap);
    if (!p)
        return false;
    f->pool = p;
    f->cappool = (uint32_t)cap;
    if (f->npool == 0)
        f->pool[f->npool++] = '\0'; /* so that 0 is the empty text */
    return true;
}

/* Texts ---------------------------------------------------------------- */

/* Is s printable ASCII throughout (newlines if `lines`)?  Most texts are. */
static bool figure_simple(const char *s, size_t n, bool lines)
{
    for (size_t i = 0; i < n; i++)
        if ((s[i] < ' ' || s[i] > '~') && !(lines && s[i] == '\n'))
            return false;
    return true;
}

static bool figure_text(Figure *f, Text *t, const char *s, size_t n)
{
    if (!figure_reserve(f, n + 1))
        return false;
    *t = f->npool;
    memcpy(f->pool + f->npool, s, n);
    f->npool += (uint32_t)n;
    f->pool[f->npool++] = '\0';
    return true;
}

bool fig_text(Figure *f, Text *t, const char *s, size_t n, bool lines)
{
    *t = 0;
    if (n == 0)
        return true;
    if (n > FigText)
        return false;
    if (figure_simple(s, n, lines))
        return figure_text(f, t, s, n);
    Str clean = {0};
    text_clean(&clean, s, n, lines);
    bool ok = !clean.bad && (clean.n == 0 || figure_text(f, t, clean.s, clean.n));
    str_free(&clean);
    return ok;
}

int fig_format(const char *format)
{
    int n = 0;
    for (const char *p = format; *p; p++) {
        if (*p != '%')
            continue;
        p++;
        if (*p == 'd' || *p == 'x')
            n++;
        else if (*p != '%')
            return -1;
    }
    return n;
}

/* The digits of v, at the end of buf; returns where they start. */
static char *write_digits(char *end, int64_t v, unsigned base)
{
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        *--end = "0123456789abcdef"[u % base];
    while ((u /= base) != 0);
    if (v < 0)
        *--end = '-';
    return end;
}

bool fig_label(Figure *f, Text *t, const char *format, const int64_t *value)
{
    size_t most = strlen(format) + 1;
    char buf[24], *end = buf + sizeof buf;
    for (const char *p = format; (p = strchr(p, '%')) != NULL; p += 2)
        most += sizeof buf;
    if (!figure_reserve(f, most))
        return false;
    *t = f->npool;
    char *to = f->pool + f->npool;
    for (const char *p = format; *p; p++) {
        if (*p != '%' || *++p == '%') {
            *to++ = *p;
            continue;
        }
        char *from = write_digits(end, *value++, *p == 'x' ? 16 : 10);
        memcpy(to, from, (size_t)(end - from));
        to += end - from;
    }
    *to++ = '\0';
    f->npool = (uint32_t)(to - f->pool);
    return true;
}

/* Panels --------------------------------------------------------------- */

static void next_row(Figure *f)
{
    if (f->used)
        f->nrow++;
    f->used = false;
}

void fig_row(Figure *f)
{
    next_row(f);
    f->side = true;
}

void fig_add(Figure *f, Panel *p)
{
    if (!f->side)
        next_row(f);
    if (p->kind == Pgrid)
        grid_measure(f, &p->u.grid);
    p->row = f->nrow;
    f->used = true;
    f->npanel++;
    *f->tail = p;
    f->tail = &p->next;
}
