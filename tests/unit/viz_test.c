/* tests/unit/viz_test.c: figures whose allocator fails, the palette's promises,
 * UTF-8 byte by byte. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../layout_viz/palette.h"
#include "../../layout_viz/axis.h"

static int bad;

#define CHECK(cond, ...)                                                       \
    do {                                                                       \
        if (!(cond) && bad++ < 20) {                                           \
            printf("%s:%d: ", __FILE__, __LINE__);                             \
            printf(__VA_ARGS__);                                               \
            printf("\n");                                                      \
        }                                                                      \
    } while (0)

/* Memory --------------------------------------------------------------------- */

typedef struct Budget Budget;
struct Budget { int left, live; };

static void *stingy(void *ud, void *p, size_t n)
{
    Budget *b = ud;
    if (n == 0) {
        b->live -= p != NULL;
        free(p);
        return NULL;
    }
    if (b->left-- <= 0)
        return NULL;
    b->live += p == NULL;
    return realloc(p, n);
}

/* A figure with a large grid; false as soon as there is no memory. */
static bool build(Figure *f)
{
    enum { N = 100 };
    if (!fig_text(f, &f->title, "title \xff", 7, false))
        return false;
    for (int k = 0; k < 4; k++) {
        Panel *p = fig_new(f, 1, sizeof *p);
        if (!p)
            return false;
        Grid *g = &p->u.grid;
        *g = (Grid){.rows = N, .cols = N, .labels = true};
        g->cell = fig_new(f, N * N, sizeof *g->cell);
        if (!g->cell)
            return false;
        for (int i = 0; i < N * N; i++)
            if (!fig_label(f, &g->cell[i].label, "T%d\nL%x", (int64_t[]){i, -i}))
                return false;
        fig_add(f, p);
    }
    return true;
}

static void starve(void)
{
    bool done = false;
    int n = 0;
    for (; !done && n < 100; n++) {
        Budget b = {n, 0};
        Mem mem = {stingy, &b};
        Figure f;
        fig_init(&f, &mem);
        done = build(&f);
        CHECK(done || n < 90, "%d allocations are enough", n);
        if (done) {
            const FigureCell *last = &f.first->u.grid.cell[99 * 100 + 99];
            CHECK(strcmp(fig_str(&f, last->label), "T9999\nL-270f") == 0, "%s",
                  fig_str(&f, last->label));
            CHECK(strcmp(fig_str(&f, f.title), "title ?") == 0, "%s", fig_str(&f, f.title));
        }
        fig_free(&f);
        fig_free(&f); /* twice does no harm */
        CHECK(b.live == 0, "%d blocks leak after %d", b.live, n);
    }
    CHECK(done && n > 5, "it works in the end, n = %d", n);
}

static void sizes(void)
{
    Figure f;
    Text t;
    fig_init(&f, NULL);
    CHECK(!fig_new(&f, SIZE_MAX / 2, 16), "an absurd size");
    CHECK(!fig_new(&f, (size_t)1 << 32, 1), "beyond the limit of a context");
    CHECK(fig_text(&f, &t, "", 0, false) && t == 0, "the empty text is 0");
    CHECK(!fig_text(&f, &t, "x", (size_t)FigText + 1, false), "more text than there may be");
    CHECK(fig_format("a%d%x%%") == 2 && fig_format("%s") == -1 && fig_format("%") == -1,
          "formats");
    CHECK(fig_label(&f, &t, "%d %x", (int64_t[]){INT64_MIN, INT64_MAX}) &&
          strcmp(fig_str(&f, t), "-9223372036854775808 7fffffffffffffff") == 0, "%s",
          fig_str(&f, t));
    fig_free(&f);
}

/* Colours ----------------------------------------------------------------------- */

static double linear(uint32_t byte)
{
    double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Relative luminance, as the contrast of text is defined by it. */
static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 0xff) + 0.7152 * linear(rgb >> 8 & 0xff) +
           0.0722 * linear(rgb & 0xff);
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

/* The text on every colour can be read. */
static void readable(void)
{
    for (int32_t hue = HUElast; hue < Classes; hue++)
        for (int tone = 0; hue != HUEplain && tone < 256; tone++) {
            uint32_t rgb = hue_rgb(hue, tone);
            double c = contrast(rgb, rgb_dark(rgb) ? 0xffffff : 0x1c1c1c);
            CHECK(c >= 4, "hue %d tone %d: contrast %.2f", (int)hue, tone, c);
        }
}

/* Strokes can be told from a black and from a white ground. */
static void strokes(void)
{
    for (int32_t hue = HUElast; hue < Classes; hue++) {
        if (hue == HUEplain || hue == HUEheat || hue == HUEdiverging)
            continue;
        uint32_t rgb = hue_stroke(24, hue) & ~HAS;
        CHECK(contrast(rgb, 0) >= 3 && contrast(rgb, 0xffffff) >= 2.5, "hue %d: %.2f, %.2f",
              (int)hue, contrast(rgb, 0), contrast(rgb, 0xffffff));
    }
}

static void ordered(void)
{
    for (int tone = 1; tone < 256; tone++) {
        CHECK(luminance(hue_rgb(HUEheat, tone)) >= luminance(hue_rgb(HUEheat, tone - 1)) - 1e-3,
              "heat falls at %d", tone);
        for (int32_t hue = 0; hue < Classes; hue++)
            CHECK(luminance(hue_rgb(hue, tone)) >= luminance(hue_rgb(hue, tone - 1)) - 1e-3,
                  "class %d falls at %d", (int)hue, tone);
    }
    double middle = luminance(hue_rgb(HUEdiverging, 128));
    double low = luminance(hue_rgb(HUEdiverging, 0)), high = luminance(hue_rgb(HUEdiverging, 255));
    CHECK(middle > low && middle > high, "zero is lightest");
}

/* Two classes are different colours at every depth, and repeat after 8. */
static void distinct(void)
{
    static const int depth[] = {4, 8, 24};
    for (size_t d = 0; d < COUNT(depth); d++)
        for (int32_t a = 0; a < Classes; a++) {
            CHECK(hue_ground(depth[d], a, 160) == hue_ground(depth[d], a + Classes, 160), "repeat");
            for (int32_t b = 0; b < a; b++)
                CHECK(hue_ground(depth[d], a, 160) != hue_ground(depth[d], b, 160),
                      "classes %d and %d at depth %d", (int)a, (int)b, depth[d]);
        }
    CHECK(hue_ground(0, 1, 160) == 0 && hue_ground(24, HUEplain, 160) == 0, "no colour");
    CHECK(rgb_256(0) == 16 && rgb_256(0xffffff) == 231 && rgb_256(0xff0000) == 196 &&
          rgb_256(0x808080) == 244, "the 256");
    for (int32_t hue = HUElast; hue < 200; hue++)
        for (int tone = 0; tone < 256; tone++) {
            char c = hue_sign(hue, tone);
            CHECK(c >= ' ' && c <= '~', "sign of %d, %d", (int)hue, tone);
        }
}

/* Text ------------------------------------------------------------------------------ */

static void utf8(void)
{
    uint32_t c;
    for (uint32_t want = 1; want < 0x110000; want += want < 0x3000 ? 1 : 97) {
        char s[4];
        size_t n = 0;
        if (want >= 0xd800 && want < 0xe000)
            continue;
        if (want < 0x80) {
            s[n++] = (char)want;
        } else {
            if (want < 0x800) {
                s[n++] = (char)(0xc0 | want >> 6);
            } else {
                if (want < 0x10000) {
                    s[n++] = (char)(0xe0 | want >> 12);
                } else {
                    s[n++] = (char)(0xf0 | want >> 18);
                    s[n++] = (char)(0x80 | (want >> 12 & 63));
                }
                s[n++] = (char)(0x80 | (want >> 6 & 63));
            }
            s[n++] = (char)(0x80 | (want & 63));
        }
        int got = utf8_next(s, n, &c);
        CHECK(got == (int)n && (c == want || want == 0xfffd), "U+%04X", (unsigned)want);
        for (size_t cut = 1; cut < n; cut++)
            CHECK(utf8_next(s, cut, &c) == 1 && c == 0xfffd, "U+%04X cut", (unsigned)want);
        CHECK(char_width(want) >= 0 && char_width(want) <= 2, "width");
    }
}

/* Whatever the bytes, what comes in is clean, and cleaning it again changes nothing. */
static void clean(void)
{
    uint32_t state = 1;
    for (int round = 0; round < 2000; round++) {
        char s[24];
        for (size_t i = 0; i < sizeof s; i++) {
            state = state * 1664525 + 1013904223;
            s[i] = (char)(state >> 24);
        }
        Str once = {0}, twice = {0};
        text_clean(&once, s, sizeof s, true);
        text_clean(&twice, once.s, once.n, true);
        CHECK(once.n == twice.n && memcmp(once.s, twice.s, once.n) == 0, "round %d", round);
        for (int columns = 0; columns < 30; columns++) {
            int width;
            size_t n = text_fit(once.s, once.n, columns, &width);
            CHECK(width <= columns && width == text_width(once.s, n), "fit");
        }
        str_free(&once);
        str_free(&twice);
    }
}

/* Axes --------------------------------------------------------------------------------- */

static void ticks(void)
{
    static const Scale scale[] = {
        {0, 1, false, false}, {-5, 5, false, false}, {1e-300, 2e-300, false, false},
        {-1.7e308, 1.7e308, false, false}, {1, 1000, true, false}, {1e-300, 1e300, true, false},
        {3, 4, true, false}, {0, 5e-324, false, false}, {1e16, 1e16 + 4, false, false},
        {0, 3, false, true}, {0, 1, false, true}, {0, 1000, false, true}, {-7, 9, false, true},
    };
    for (size_t i = 0; i < COUNT(scale); i++)
        for (int most = 0; most < 100; most++) {
            double tick[TicksMost];
            int n = scale_ticks(&scale[i], most, tick);
            CHECK(n >= 0 && n <= TicksMost && (most < 2 || n <= most), "%d ticks of %d", n, most);
            for (int k = 0; k < n; k++) {
                double at = scale_at(&scale[i], tick[k]);
                char buf[TickText];
                CHECK(at > -0.01 && at < 1.01, "axis %zu: a tick at %g", i, at);
                CHECK(tick_text(buf, tick[k]) < TickText, "%s", buf);
                CHECK(!scale[i].whole || floor(tick[k]) == tick[k], "axis %zu: %g", i, tick[k]);
            }
        }
}

int main(void)
{
    starve();
    sizes();
    readable();
    strokes();
    ordered();
    distinct();
    utf8();
    clean();
    ticks();
    return bad != 0;
}
