/* core/base/phrase.c: words that fill a message's holes, in Chinese.  See phrases.h. */
#include <string.h>

#include "base.h"
#include "err/host.h"
#include "err/ir.h"
#include "err/judge.h"
#include "err/kernel.h"
#include "err/lower.h"
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
#include "phrases.h"
#undef PHRASE
};

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
