/* core/base/width.h: columns that a terminal gives to UTF-8 text. */
#ifndef MOONTILE_WIDTH_H
#define MOONTILE_WIDTH_H

#include "base.h"

/* Decodes one character of s[0 .. n), n > 0; returns its bytes.  A byte that is
 * no UTF-8 is one character, 0xFFFD. */
int utf8_next(const char *s, size_t n, uint32_t *c);
int char_width(uint32_t c); /* 0, 1 or 2 */
int text_width(const char *s, size_t n);
/* Bytes of the longest start of s that takes at most `columns`; its width. */
size_t text_fit(const char *s, size_t n, int columns, int *width);
/* Appends s as valid UTF-8 without control characters, "\n" kept if `lines`. */
void text_clean(Str *out, const char *s, size_t n, bool lines);

#endif
