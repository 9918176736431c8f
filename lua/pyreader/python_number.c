/* lua/pyreader/python_number.c: numerals of Python: 1_000, 0x1F, 0b1, 0o7, 1.5e-3; integers of 64 bits. */
#include <stdlib.h>
#include <string.h>

#include "err/python.h"
#include "python_p.h"

static bool isdig(char c) { return c >= '0' && c <= '9'; }

static bool ascii_word(char c) { return !((unsigned char)c & 0x80) && py_isword(c); }

/* What a digit is worth; 99: none. */
static unsigned digit(char c)
{
    if (isdig(c))
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 99;
}

/* Over digits of a base, with single `_` between them; NULL: there are none, or a `_` stands alone. */
static const char *digits(const char *s, const char *e, unsigned base)
{
    for (;;) {
        if (s >= e || digit(*s) >= base)
            return NULL;
        while (s < e && digit(*s) < base)
            s++;
        if (s >= e || *s != '_')
            return s;
        s++;
    }
}

/* Words that may follow without a blank: `1if x else 2`. */
static bool keyword_behind(const char *s, const char *e)
{
    static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
    for (size_t i = 0; i < COUNT(words); i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(e - s) >= n && memcmp(s, words[i], n) == 0)
            return true;
    }
    return false;
}

static unsigned base_of(const char *s, const char *e)
{
    char c = e - s > 1 && s[0] == '0' ? (char)(s[1] | 0x20) : ' ';
    return c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
}

/* The part behind the digits of a decimal number: fraction, exponent.  s as it was: there is none. */
static const char *fraction(const char *s, const char *e)
{
    if (s < e && *s == '.') {
        s++;
        if (s < e && isdig(*s) && !(s = digits(s, e, 10)))
            return NULL;
    }
    if (s < e && (*s | 0x20) == 'e') {
        const char *x = s + 1 + (e - s > 1 && (s[1] == '+' || s[1] == '-'));
        if (x < e && isdig(*x))
            return digits(x, e, 10);
    }
    return s;
}

/* Zeros before another digit: an octal number of Python 2. */
static bool leading_zeros(const char *s, const char *to)
{
    if (*s != '0')
        return false;
    while (s < to && (*s == '0' || *s == '_'))
        s++;
    return s < to && isdig(*s);
}

static const char *numeral_wrong(Err *err, const char *arg[2], const char *help)
{
    *err = E_pysyn_number;
    arg[0] = help;
    return NULL;
}

const char *py_numeral(Ctx *c, const char *s, const char *e, Err *err, const char *arg[2],
                       const char **end)
{
    unsigned base = base_of(s, e);
    const char *to, *word = s,
                    *help = "numbers are written 1000, 1_000, 1.5, 1e-3, 0x1F, 0o17, 0b11";
    while (word < e && (ascii_word(*word) || *word == '.'))
        word++;
    *end = word;
    if (base != 10) {
        const char *from = s + 2 + (e - s > 2 && s[2] == '_');
        to = digits(from, e, base);
        if (to && to < e && isdig(*to))
            return numeral_wrong(err, arg,
                                 base == 2 ? "behind 0b stand only 0 and 1"
                                           : "behind 0o stand only 0 to 7");
    } else {
        const char *whole = *s == '.' ? s : digits(s, e, 10);
        to = whole ? fraction(whole, e) : NULL;
        if (to && to == whole && leading_zeros(s, to) && !(to < e && (*to | 0x20) == 'j')) {
            while (*s == '0' || *s == '_')
                s++;
            return numeral_wrong(
                err, arg,
                afmt(c, "without zeros in front it is %.*s; an octal number is 0o%.*s",
                     (int)(to - s), s, (int)(to - s), s));
        }
    }
    if (to && to < e && (*to | 0x20) == 'j' && base == 10) {
        *err = E_pysyn_complex;
        return NULL;
    }
    if (to && to < e && (*to | 0x20) == 'l' && (to + 1 == e || !ascii_word(to[1])))
        help = "integers have no `L` in Python 3";
    if (!to || (to < e && ascii_word(*to) && !keyword_behind(to, e)))
        return numeral_wrong(err, arg, help);
    return to;
}

/* The whole number s[0..n); false: it has more than 64 bits. */
static bool whole(const char *s, size_t n, uint64_t *v)
{
    unsigned base = base_of(s, s + n);
    *v = 0;
    for (size_t i = base == 10 ? 0 : 2; i < n; i++) {
        unsigned d = digit(s[i]);
        if (s[i] == '_')
            continue;
        if (*v > (UINT64_MAX - d) / base)
            return false;
        *v = *v * base + d;
    }
    return true;
}

static bool is_whole(const char *s, size_t n)
{
    for (size_t i = 0; base_of(s, s + n) == 10 && i < n; i++)
        if (!isdig(s[i]) && s[i] != '_')
            return false;
    return true;
}

bool py_lowest(const PyReader *p, uint32_t tok)
{
    const PyTok *t = &p->tok[tok];
    const char *s = p->src + t->at;
    size_t n = t->end - t->at;
    uint64_t v;
    return t->kind == PTnumber && is_whole(s, n) && whole(s, n, &v) && v == (uint64_t)1 << 63;
}

static double floating(PyReader *p, const char *s)
{
    char *plain = py_copy(p, p->tok[p->at].at, p->tok[p->at].end), *to = plain;
    for (; *s; s++)
        if (*s != '_')
            *to++ = *s;
    *to = '\0';
    return strtod(plain, NULL);
}

PyNode *py_number(PyReader *p, bool minus)
{
    PyNode *n = py_node(p, PYConstant, p->at - minus);
    const PyTok *t = &p->tok[p->at];
    const char *s = py_copy(p, t->at, t->end);
    uint64_t v = 0;
    n->text = s;
    if (!is_whole(s, strlen(s))) {
        n->op = PCfloat;
        n->f = floating(p, s);
    } else {
        n->op = PCint;
        if (!whole(s, strlen(s), &v) || v > (uint64_t)INT64_MAX + minus)
            py_fail(p, E_pysyn_bigint, t->at, py_quote_tok(p, p->at), NULL, NULL, NULL);
        n->i = minus ? INT64_MIN : (int64_t)v;
    }
    if (minus)
        n->text = "-9223372036854775808";
    n->ntext = (uint32_t)strlen(n->text);
    py_next(p);
    return py_done(p, n);
}
