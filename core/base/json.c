/* core/base/json.c: texts and numbers as JSON has them. */
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "width.h"

static void character(Str *out, const char *s, size_t bytes, uint32_t c)
{
    if (c == '"' || c == '\\')
        str_fmt(out, "\\%c", (int)c);
    else if (c == '\n')
        str_puts(out, "\\n");
    else if (c < 0x20 || c == 0x7f)
        str_fmt(out, "\\u%04x", (unsigned)c);
    else if (c == 0xfffd)
        str_puts(out, "\xef\xbf\xbd");
    else
        str_add(out, s, bytes);
}

void json_text(Str *out, const char *s, size_t n)
{
    uint32_t c;
    str_puts(out, "\"");
    for (size_t i = 0, bytes; i < n; i += bytes) {
        bytes = (size_t)utf8_next(s + i, n - i, &c);
        character(out, s + i, bytes, c);
    }
    str_puts(out, "\"");
}

void json_double(Str *out, double v)
{
    char text[40];
    double back = 0;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        back = strtod(text, NULL);
        if (back >= v && back <= v)
            break;
    }
    str_puts(out, text);
}
