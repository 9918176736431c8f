/* layout_viz/palette.c: colours by what they mean.
 *
 * The rows below are sRGB of colours chosen in OKLCH: one hue a row, at equal
 * steps of lightness from 0.44 to 0.86, so that tones of different hues that
 * are equally light look so.  Neighbouring classes are far apart in hue.  The
 * heat ramp rises in lightness throughout; the diverging one falls from its
 * middle to both sides.  Tones between the columns are mixed. */
#include <math.h>
#include <stdlib.h>

#include "palette.h"

enum { Tones = 5, Ramp = 9, Full = 255 };

static const uint32_t class_rgb[Classes][Tones] = {
    {0x024da9, 0x276ed2, 0x4a91f8, 0x7fb3ff, 0xb6d3fe}, /* blue */
    {0x7c4103, 0xa85b05, 0xd77500, 0xf89640, 0xfec397}, /* orange */
    {0x006425, 0x048936, 0x30ad51, 0x64cb77, 0xa1e4aa}, /* green */
    {0x8b1d66, 0xb23e88, 0xd861aa, 0xf486c7, 0xfeb9df}, /* pink */
    {0x035e63, 0x088187, 0x02a6ad, 0x4ac6cc, 0x95e0e4}, /* cyan */
    {0x5c5401, 0x7e7406, 0xa29504, 0xc2b432, 0xddd486}, /* yellow */
    {0x62349c, 0x8254c4, 0xa376e9, 0xc09aff, 0xd9c6fe}, /* violet */
    {0x9e0017, 0xc92f33, 0xf05653, 0xff8a82, 0xfebfb9}, /* red */
};

static const uint32_t heat_rgb[Ramp] = {
    0x0c0725, 0x251161, 0x5b1280, 0x9d1172, 0xd22c50, 0xef5b36, 0xf6922e, 0xfac547, 0xfaf6af,
};

static const uint32_t diverging_rgb[Ramp] = {
    0x063187, 0x145ec1, 0x4f93dc, 0x9ac2e9, 0xe8e8e8, 0xf1b499, 0xe4734f, 0xc13425, 0x7c1117,
};

static const uint32_t good_rgb[Tones] = {0x006425, 0x048936, 0x30ad51, 0x64cb77, 0xa1e4aa};
static const uint32_t bad_rgb[Tones] = {0x9d0217, 0xd01c29, 0xf84b4b, 0xff8a82, 0xfebfb9};
static const uint32_t warn_rgb[Tones] = {0x694e00, 0x8f6b02, 0xb88a06, 0xdba92b, 0xefcc84};
static const uint32_t dim_rgb[Tones] = {0x515355, 0x707274, 0x909295, 0xafb1b4, 0xd0d1d3};
static const uint32_t accent_rgb[Tones] = {0x015884, 0x0079b3, 0x069ce4, 0x54bbfe, 0xa3d8ff};

/* Of the 16, one a class: tones are lost where there are so few. */
static const uint8_t class_16[Classes] = {12, 11, 10, 13, 14, 3, 4, 9};
static const uint8_t heat_16[] = {0, 4, 5, 1, 9, 3, 11, 15};
static const uint8_t diverging_16[] = {4, 12, 14, 7, 7, 11, 9, 1};

/* What stands for a hue without colour. */
static const char heat_signs[] = " .:-=+*#%@";
static const char diverging_signs[] = "M=-. .:+#W";
static const char class_signs[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

typedef struct Special Special;
struct Special {
    const char *name;
    const uint32_t *rgb;
    int n;
    uint8_t dark, light; /* of the 16 */
    char sign;           /* 0: a ramp */
};

/* ORDER Hue: by -hue */
static const Special special[] = {
    [-HUEplain] = {"plain", dim_rgb, Tones, 8, 7, '.'},
    [-HUEheat] = {"heat", heat_rgb, Ramp, 0, 0, 0},
    [-HUEdiverging] = {"diverging", diverging_rgb, Ramp, 0, 0, 0},
    [-HUEgood] = {"good", good_rgb, Tones, 2, 10, '+'},
    [-HUEbad] = {"bad", bad_rgb, Tones, 1, 9, 'X'},
    [-HUEwarn] = {"warn", warn_rgb, Tones, 3, 11, '!'},
    [-HUEdim] = {"dim", dim_rgb, Tones, 8, 7, '.'},
    [-HUEaccent] = {"accent", accent_rgb, Tones, 6, 14, '*'},
};

static uint32_t blend(uint32_t a, uint32_t b, unsigned part)
{
    uint32_t out = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        uint32_t x = a >> shift & 0xff, y = b >> shift & 0xff;
        out |= (x * (Full - part) + y * part + Full / 2) / Full << shift;
    }
    return out;
}

static uint32_t palette_between(const uint32_t *rgb, int n, int tone)
{
    unsigned at = (unsigned)tone * (unsigned)(n - 1);
    unsigned i = at / Full;
    return at % Full ? blend(rgb[i], rgb[i + 1], at % Full) : rgb[i];
}

uint32_t hue_rgb(int32_t hue, int tone)
{
    if (hue >= 0)
        return palette_between(class_rgb[hue % Classes], Tones, tone);
    return palette_between(special[-hue].rgb, special[-hue].n, tone);
}

/* Luma of sRGB, 0 to 255: near enough to find a grey. */
static unsigned luma(uint32_t rgb)
{
    return (299 * (rgb >> 16 & 0xff) + 587 * (rgb >> 8 & 0xff) + 114 * (rgb & 0xff)) / 1000;
}

/* Of a byte of sRGB, 0 to 1. */
static double linear_light(uint32_t byte)
{
    double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* White and our ink, #1c1c1c, differ equally from a relative luminance of 0.204. */
bool rgb_dark(uint32_t rgb)
{
    double r = linear_light(rgb >> 16 & 0xff), g = linear_light(rgb >> 8 & 0xff),
           b = linear_light(rgb & 0xff);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.204;
}

/* Converting --------------------------------------------------------------- */

static int nearest_level(int v) { return v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40; }

static int palette_distance(int r, int g, int b, uint32_t rgb)
{
    int dr = r - (int)(rgb >> 16 & 0xff), dg = g - (int)(rgb >> 8 & 0xff);
    int db = b - (int)(rgb & 0xff);
    return 3 * dr * dr + 4 * dg * dg + 2 * db * db;
}

int rgb_256(uint32_t rgb)
{
    static const int level[] = {0, 95, 135, 175, 215, 255};
    int r = nearest_level((int)(rgb >> 16 & 0xff)), g = nearest_level((int)(rgb >> 8 & 0xff));
    int b = nearest_level((int)(rgb & 0xff));
    int grey = ((int)luma(rgb) - 3) / 10;
    grey = grey < 0 ? 0 : grey > 23 ? 23 : grey;
    int v = 8 + 10 * grey;
    if (palette_distance(v, v, v, rgb) < palette_distance(level[r], level[g], level[b], rgb))
        return 232 + grey;
    return 16 + 36 * r + 6 * g + b;
}

/* Of the 16, chosen by what it means. */
static int hue_16(int32_t hue, int tone)
{
    if (hue == HUEheat)
        return heat_16[(size_t)tone * COUNT(heat_16) / (Full + 1)];
    if (hue == HUEdiverging)
        return diverging_16[(size_t)tone * COUNT(diverging_16) / (Full + 1)];
    if (hue >= 0)
        return class_16[hue % Classes];
    return tone >= 128 ? special[-hue].light : special[-hue].dark;
}

Colour hue_ground(int depth, int32_t hue, int tone)
{
    if (depth == 0 || hue == HUEplain)
        return 0;
    if (depth == 4)
        return HAS | (uint32_t)hue_16(hue, tone);
    uint32_t rgb = hue_rgb(hue, tone);
    return HAS | (depth == 8 ? (uint32_t)rgb_256(rgb) : rgb);
}

/* The rgb that the n-th of the 256 stands for, from 16 on. */
static uint32_t rgb_of_256(int n)
{
    static const uint32_t level[] = {0, 95, 135, 175, 215, 255};
    if (n >= 232)
        return (uint32_t)(8 + 10 * (n - 232)) * 0x010101u;
    n -= 16;
    return level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

Colour ground_ink(int depth, Colour ground)
{
    static const uint16_t dark16 = 1u << 0 | 1u << 1 | 1u << 4 | 1u << 5 | 1u << 8;
    uint32_t c = ground & ~HAS;
    if (!ground)
        return 0;
    if (depth == 4)
        return HAS | (dark16 >> c & 1 ? 15u : 0u);
    bool dark = rgb_dark(depth == 8 ? rgb_of_256((int)c) : c);
    if (depth == 8)
        return HAS | (dark ? 231u : 16u);
    return HAS | (dark ? 0xffffffu : 0x000000u);
}

Colour hue_stroke(int depth, int32_t hue)
{
    enum { Middle = 120 }; /* about as far from black as from white */
    if (depth == 4 && hue != HUEplain) { /* bright text is not seen on a bright ground */
        uint32_t c = (uint32_t)hue_16(hue, Middle);
        return HAS | (c == 0 || c == 8 ? 5 : c & 7);
    }
    return hue_ground(depth, hue, Middle);
}

/* Without colour ------------------------------------------------------------- */

static char on_ramp(const char *ramp, size_t n, int tone)
{
    return ramp[(size_t)tone * n / (Full + 1)];
}

char hue_sign(int32_t hue, int tone)
{
    if (hue == HUEheat)
        return on_ramp(heat_signs, sizeof heat_signs - 1, tone);
    if (hue == HUEdiverging)
        return on_ramp(diverging_signs, sizeof diverging_signs - 1, tone);
    if (hue >= 0)
        return class_signs[(size_t)hue % (sizeof class_signs - 1)];
    return special[-hue].sign;
}

bool hue_speaks(int32_t hue)
{
    return hue != HUEplain && hue != HUEdim && hue != HUEheat && hue != HUEdiverging;
}

const char *hue_name(int32_t hue) { return hue < 0 ? special[-hue].name : NULL; }
