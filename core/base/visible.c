/* core/base/visible.c: somebody else's text, so that it can only be read.
 *
 * A file, a name or a message may hold what moves a terminal's cursor, changes its title or
 * turns the order of characters around.  Whoever shows such a text shows it through
 * str_visible; whoever quotes it asks text_plain which characters stand for themselves. */
#include "core/ir/text.h"

/* The character at s, of n bytes that are not 0, and how many bytes it has; 0: no UTF-8. */
static size_t visible_decode(const unsigned char *s, size_t n, uint32_t *u)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t k = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    if (!k || k > n)
        return 0;
    *u = k == 1 ? s[0] : s[0] & (0x7fu >> k);
    for (size_t i = 1; i < k; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *u = *u << 6 | (s[i] & 0x3fu);
    }
    bool surrogate = *u >= 0xd800 && *u < 0xe000;
    return *u < least[k] || *u > 0x10ffff || surrogate ? 0 : k;
}

/* C1, and what turns the order of characters or ends a line without a line end. */
static bool visible_hidden(uint32_t u)
{
    return (u >= 0x80 && u < 0xa0) || u == 0x61c || u == 0x200e || u == 0x200f ||
           (u >= 0x2028 && u <= 0x202e) || (u >= 0x2066 && u <= 0x2069) || u == 0xfeff;
}

size_t text_plain(const char *s, size_t n)
{
    uint32_t u = 0;
    size_t k = visible_decode((const unsigned char *)s, n, &u);
    return k && u != 0x7f && (u >= 0x20 || u == '\n' || u == '\t') && !visible_hidden(u) ? k : 0;
}

void str_visible(Str *b, const char *s, size_t n)
{
    size_t plain = 0, k;
    for (size_t i = 0; i < n; i += k) {
        uint32_t u = 0;
        if ((k = text_plain(s + i, n - i)) != 0)
            continue;
        str_add(b, s + plain, i - plain);
        k = visible_decode((const unsigned char *)s + i, n - i, &u);
        if (k == 1) /* U+2400 and what follows are the pictures of these */
            str_add(b, (char[]){'\xe2', '\x90', (char)(u == 0x7f ? 0xa1 : 0x80 + u)}, 3);
        else
            str_puts(b, "\xef\xbf\xbd");
        k = k ? k : 1;
        plain = i + k;
    }
    str_add(b, s + plain, n - plain);
}
