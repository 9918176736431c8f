/* core/base/phrase.c: words that fill a message's holes, in Chinese.  See phrases.h. */
#include <string.h>

#include "base.h"
#include "err/host.h"
#include "err/ir.h"
#include "err/judge.h"
#include "err/kernel.h"
#include "err/lower.h"
#include "err/order.h"
#include "err/pipes.h"
#include "err/python.h"
#include "err/room.h"
#include "err/serve.h"
#include "err/gpu.h"
#include "err/python_convert.h"

typedef struct Phrase Phrase;
struct Phrase { Err of; const char *en, *zh; };

static const Phrase phrases[] = {
#define PHRASE(id, en, zh) {E_##id, en, zh},
#define HABIT(lua, python)
#include "phrases.h"
#undef HABIT
#undef PHRASE
};

static const struct { const char *lua, *python; } habits[] = {
#define PHRASE(id, en, zh)
#define HABIT(lua, python) {lua, python},
#include "phrases.h"
#undef HABIT
#undef PHRASE
};

/* A list as messages show it, "{4, {...}, 2}", as a tuple; false: a is none. */
static bool as_tuple(Str *out, const char *a)
{
    size_t n = strlen(a);
    if (n < 2 || a[0] != '{' || a[n - 1] != '}' || a[strspn(a, "{}0123456789.,- ")])
        return false;
    for (size_t i = 0; i < n; i++) {
        bool alone = i == n - 1 && !strchr(a, ',') && n > 2;
        str_puts(out, a[i] == '{' ? "(" : a[i] != '}' ? "" : alone ? ",)" : ")");
        if (a[i] != '{' && a[i] != '}')
            str_add(out, a + i, 1);
    }
    return true;
}

bool phrase_python(Str *out, const char *a)
{
    for (size_t i = 0; i < COUNT(habits); i++)
        if (strcmp(habits[i].lua, a) == 0) {
            str_puts(out, habits[i].python);
            return true;
        }
    return as_tuple(out, a);
}

/* Text that a `%` stands for. */
typedef struct PhrasePiece PhrasePiece;
struct PhrasePiece { const char *s; size_t n; };

enum { MaxPieces = 4 };

/* Where the first n bytes of what stand in s; at its end when nothing may follow. */
static const char *phrase_literal(const char *s, const char *what, size_t n, bool last)
{
    size_t m = strlen(s);
    if (last)
        return m >= n && memcmp(s + m - n, what, n) == 0 ? s + m - n : NULL;
    for (; m >= n; s++, m--)
        if (memcmp(s, what, n) == 0)
            return s;
    return NULL;
}

/* Is a the words of pattern?  Then piece has what its `%` stand for. */
static bool pattern_fits(const char *pattern, const char *a, PhrasePiece *piece)
{
    size_t n = strcspn(pattern, "%");
    if (strncmp(a, pattern, n) != 0)
        return false;
    a += n;
    for (pattern += n; *pattern; pattern += n) {
        n = strcspn(++pattern, "%");
        const char *end = phrase_literal(a, pattern, n, !pattern[n]);
        if (!end)
            return false;
        *piece++ = (PhrasePiece){a, (size_t)(end - a)};
        a = end + n;
    }
    return !*a;
}

bool phrase_zh(Str *out, Err of, const char *a)
{
    PhrasePiece piece[MaxPieces] = {{0}};
    for (size_t i = 0; i < COUNT(phrases); i++) {
        const Phrase *p = &phrases[i];
        const PhrasePiece *hole = piece;
        if ((p->of != E_none && p->of != of) || !pattern_fits(p->en, a, piece))
            continue;
        for (const char *s = p->zh; *s; s++) {
            if (*s == '%') {
                str_add(out, hole->s, hole->n);
                hole++;
            } else {
                str_add(out, s, 1);
            }
        }
        return true;
    }
    return false;
}

const char *phrase_row(size_t i, Err *of, const char **zh)
{
    if (i >= COUNT(phrases))
        return NULL;
    *of = phrases[i].of;
    *zh = phrases[i].zh;
    return phrases[i].en;
}
