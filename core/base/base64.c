/* core/base/base64.c: see base64.h. */
#include "base64.h"

static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_put(Str *out, const void *p, size_t n)
{
    const unsigned char *s = p;
    char piece[256];
    size_t k = 0;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)s[i] << 16 | (i + 1 < n ? (uint32_t)s[i + 1] << 8 : 0) |
                     (i + 2 < n ? s[i + 2] : 0);
        piece[k++] = letter[v >> 18];
        piece[k++] = letter[v >> 12 & 63];
        piece[k++] = i + 1 < n ? letter[v >> 6 & 63] : '=';
        piece[k++] = i + 2 < n ? letter[v & 63] : '=';
        if (k == sizeof piece || i + 3 >= n) {
            str_add(out, piece, k);
            k = 0;
        }
    }
}

static int base64_digit(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 :
           c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t base64_get(const char *s, size_t n, void *to, size_t most)
{
    unsigned char *out = to;
    size_t pad = n && s[n - 1] == '=' ? 1U + (n > 1 && s[n - 2] == '=') : 0, k = 0;
    if (n % 4 || n / 4 * 3 - pad > most)
        return SIZE_MAX;
    for (size_t i = 0; i < n; i += 4) {
        uint32_t v = 0;
        size_t left = i + 4 == n ? 3 - pad : 3;
        for (size_t j = 0; j < 4; j++) {
            int d = j <= left ? base64_digit(s[i + j]) : 0;
            if (d < 0)
                return SIZE_MAX;
            v = v << 6 | (uint32_t)d;
        }
        if (left < 3 && v & (left == 2 ? 0xffU : 0xffffU))
            return SIZE_MAX; /* bits that are no octet's */
        for (size_t j = 0; j < left; j++)
            out[k++] = (unsigned char)(v >> (16 - 8 * j));
    }
    return k;
}
