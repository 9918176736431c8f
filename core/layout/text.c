/* core/layout/text.c: layouts as text, and matrix fragments from their bits. */
#include <string.h>

#include "layout.h"

/* Writing -------------------------------------------------------------- */

static void print_axis(const Layout *l, enum Axis a, Str *out)
{
    const char *sep = "";
    for (int i = 0; i < l->n; i++) {
        const Mode *g = &l->d[i];
        if (g->axis != a)
            continue;
        if (*sep == '\0')
            str_fmt(out, " %s(", axisname[a]);
        str_fmt(out, "%s%d/%d:%d*%d", sep, g->dim, g->weight, g->extent, g->stride);
        sep = " ";
    }
    if (*sep)
        str_puts(out, ")");
}

void layout_print(const Layout *l, Str *out)
{
    static const enum Axis order[NAxis] = {AXlane, AXwarp, AXreg, AXoff};
    str_puts(out, "[");
    for (int d = 0; d < l->ndim; d++)
        str_fmt(out, "%s%d", d ? "," : "", l->size[d]);
    str_puts(out, "]");
    for (int a = 0; a < NAxis; a++)
        print_axis(l, order[a], out);
    for (int i = 0; i < l->nb; i++)
        str_fmt(out, "%s%s:%d*%d", i ? " " : " bcast(", axisname[l->b[i].axis], l->b[i].extent,
                l->b[i].stride);
    if (l->nb)
        str_puts(out, ")");
    if (l->x.bits)
        str_fmt(out, " xor(%d,%d,%d)", l->x.bits, l->x.base, l->x.shift);
}

/* Reading -------------------------------------------------------------- */

typedef struct LayoutReader LayoutReader;
struct LayoutReader {
    const char *s;
    bool bad;
};

static bool see(LayoutReader *r, const char *text)
{
    size_t n = strlen(text);
    if (r->bad || strncmp(r->s, text, n) != 0)
        return false;
    r->s += n;
    return true;
}

static void layout_text_want(LayoutReader *r, const char *text)
{
    if (!see(r, text))
        r->bad = true;
}

static int32_t layout_text_number(LayoutReader *r)
{
    int64_t v = 0;
    if (*r->s < '0' || *r->s > '9')
        r->bad = true;
    while (*r->s >= '0' && *r->s <= '9' && !r->bad) {
        v = v * 10 + (*r->s++ - '0');
        r->bad = v > INT32_MAX;
    }
    return r->bad ? 0 : (int32_t)v;
}

static void read_sizes(LayoutReader *r, Layout *l)
{
    int32_t size[LayDims];
    int n = 0;
    layout_text_want(r, "[");
    while (!r->bad && !see(r, "]")) {
        if (n == LayDims) {
            r->bad = true;
            break;
        }
        if (n)
            layout_text_want(r, ",");
        size[n++] = layout_text_number(r);
    }
    layout_init(l, r->bad ? 0 : n, size);
}

/* Modes of one axis, up to the parenthesis. */
static void read_modes(LayoutReader *r, Layout *l, enum Axis a)
{
    for (bool more = false; !r->bad && !see(r, ")"); more = true) {
        Mode g = {.axis = (uint8_t)a};
        if (more)
            layout_text_want(r, " ");
        int32_t dim = layout_text_number(r);
        layout_text_want(r, "/");
        g.weight = layout_text_number(r);
        layout_text_want(r, ":");
        g.extent = layout_text_number(r);
        layout_text_want(r, "*");
        g.stride = layout_text_number(r);
        if (r->bad || dim >= l->ndim || l->n == LayModes) {
            r->bad = true;
            return;
        }
        g.dim = (uint8_t)dim;
        l->d[l->n++] = g;
    }
}

static void read_bcast(LayoutReader *r, Layout *l)
{
    for (bool more = false; !r->bad && !see(r, ")"); more = true) {
        int a = 0;
        if (more)
            layout_text_want(r, " ");
        while (a < AXoff && !see(r, axisname[a]))
            a++;
        layout_text_want(r, ":");
        int32_t extent = layout_text_number(r);
        layout_text_want(r, "*");
        int32_t stride = layout_text_number(r);
        if (r->bad || a == AXoff || l->nb == LayBroadcast) {
            r->bad = true;
            return;
        }
        l->b[l->nb++] = (Mode){0, (uint8_t)a, 0, extent, stride};
    }
}

static void read_xor(LayoutReader *r, Layout *l)
{
    int32_t v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = layout_text_number(r);
        layout_text_want(r, i < 2 ? "," : ")");
        r->bad |= v[i] > 64;
    }
    if (r->bad)
        return;
    l->x.bits = (int8_t)v[0];
    l->x.base = (int8_t)v[1];
    l->x.shift = (int8_t)v[2];
}

static void read_group(LayoutReader *r, Layout *l)
{
    layout_text_want(r, " ");
    if (see(r, "bcast(")) {
        read_bcast(r, l);
        return;
    }
    if (see(r, "xor(")) {
        read_xor(r, l);
        return;
    }
    for (int a = 0; a < NAxis; a++)
        if (see(r, axisname[a])) {
            layout_text_want(r, "(");
            read_modes(r, l, (enum Axis)a);
            return;
        }
    r->bad = true;
}

bool layout_parse(Layout *l, const char *text)
{
    LayoutReader r = {text, false};
    read_sizes(&r, l);
    while (!r.bad && *r.s)
        read_group(&r, l);
    if (r.bad)
        return false;
    for (int i = 1; i < l->n; i++) /* by dimension and weight */
        for (int j = i; j > 0 && (l->d[j].dim < l->d[j - 1].dim ||
                                  (l->d[j].dim == l->d[j - 1].dim &&
                                   l->d[j].weight < l->d[j - 1].weight)); j--) {
            Mode t = l->d[j];
            l->d[j] = l->d[j - 1];
            l->d[j - 1] = t;
        }
    for (int i = 0; i < l->n; i++) {
        int64_t e = (int64_t)l->d[i].weight * l->d[i].extent;
        if (e > INT32_MAX)
            return false;
        l->extent[l->d[i].dim] = (int32_t)e;
    }
    return layout_check(l, 0) == NULL;
}

/* Fragments by bits ---------------------------------------------------- */

/* Where the bits of a fragment stand: place[dim][bit], one more than the
 * position on lane (positive) or reg (negative); 0 is nowhere. */
typedef struct Bits Bits;
struct Bits {
    int place[2][16], top[2]; /* top: bits of a dimension */
    int wild[16], nwild;      /* lane bits of "*": copies */
};

static bool read_bits(Bits *b, const char *dims, const char *s, int sign)
{
    for (int pos = 0; *s; pos++) {
        while (*s == ' ')
            s++;
        if (*s == '*' && b->nwild < 16) {
            b->wild[b->nwild++] = sign * (pos + 1);
            s++;
            continue;
        }
        int d = *s == dims[0] ? 0 : *s == dims[1] ? 1 : -1;
        if (d < 0 || s[1] < '0' || s[1] > '9')
            return *s == '\0';
        int bit = 0;
        while (*++s >= '0' && *s <= '9' && bit < 16)
            bit = bit * 10 + (*s - '0');
        if (bit > 15 || b->place[d][bit])
            return false;
        b->place[d][bit] = sign * (pos + 1);
        if (bit >= b->top[d])
            b->top[d] = bit + 1;
    }
    return true;
}

/* position as a mode: axis and stride */
static enum Axis layout_text_placed(int at, int32_t *stride)
{
    *stride = (int32_t)1 << ((at < 0 ? -at : at) - 1);
    return at < 0 ? AXreg : AXlane;
}

bool layout_bits(Layout *l, const char *dims, const char *lane, const char *reg)
{
    Bits b = {{{0}}, {0}, {0}, 0};
    int32_t size[2], stride;
    if (!read_bits(&b, dims, lane, 1) || !read_bits(&b, dims, reg, -1))
        return false;
    for (int d = 0; d < 2; d++)
        size[d] = (int32_t)1 << b.top[d];
    layout_init(l, 2, size);
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < b.top[d]; i++) {
            if (!b.place[d][i])
                return false;
            enum Axis a = layout_text_placed(b.place[d][i], &stride);
            layout_mode(l, d, 2, a, stride);
        }
    for (int i = 0; i < b.nwild; i++) {
        enum Axis a = layout_text_placed(b.wild[i], &stride);
        layout_bcast(l, 2, a, stride);
    }
    layout_canon(l);
    return layout_check(l, 0) == NULL;
}
