/* layout_viz/palette.h: from a hue and a tone to a colour, in each medium. */
#ifndef MOONTILE_PALETTE_H
#define MOONTILE_PALETTE_H

#include "figure.h"

/* A colour as a terminal of some depth takes it: 0 is the terminal's own,
 * else HAS | rgb, HAS | index of 256, HAS | index of 16. */
typedef uint32_t Colour;
#define HAS 0x1000000u

uint32_t hue_rgb(int32_t hue, int tone);     /* never for HUEplain */
bool rgb_dark(uint32_t rgb);                 /* is a white text read best on it? */
int rgb_256(uint32_t rgb);                   /* the nearest of the 256 */

/* The ground of a cell and the text on it, and a colour for text and strokes
 * on the terminal's own ground, dark or light.  depth: 0, 4, 8, 24. */
Colour hue_ground(int depth, int32_t hue, int tone);
Colour ground_ink(int depth, Colour ground);
Colour hue_stroke(int depth, int32_t hue);

/* One ASCII character that stands for the colour where there is none. */
char hue_sign(int32_t hue, int tone);
/* Does that character say more than the colour's shade, so that it is worth
 * standing on the colour as well? */
bool hue_speaks(int32_t hue);
/* "heat", or NULL for a class. */
const char *hue_name(int32_t hue);

#endif
