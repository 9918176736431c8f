/* lua/pyreader/python_string.c: string literals: adjacent ones are one value.
 *
 *     "a" 'b'          Constant "ab"
 *     "a" f"b{x:>3}c"  JoinedStr: Constant "ab", FormattedValue x with the format JoinedStr ">3", Constant "c"
 *
 * A value is at most as long as what was written, so one buffer takes all of it. */
#include <string.h>

#include "err/python.h"
#include "python_p.h"

typedef struct PyPieces {
    PyReader *p;
    char *text;       /* gathered so far, since the last field */
    uint32_t n;
    uint32_t at, end, line, last; /* where it stands; end 0: nothing gathered */
    bool raw, bytes;
    PyList parts;
} PyPieces;

static unsigned hex(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* Appends a character in UTF-8; a lone half of a pair takes three bytes too. */
static void put(PyPieces *x, uint32_t c)
{
    char *t = x->text + x->n;
    if (c < 0x80 || x->bytes) {
        t[0] = (char)c;
        x->n += 1;
    } else if (c < 0x800) {
        t[0] = (char)(0xc0 | c >> 6);
        t[1] = (char)(0x80 | (c & 63));
        x->n += 2;
    } else if (c < 0x10000) {
        t[0] = (char)(0xe0 | c >> 12);
        t[1] = (char)(0x80 | (c >> 6 & 63));
        t[2] = (char)(0x80 | (c & 63));
        x->n += 3;
    } else {
        t[0] = (char)(0xf0 | c >> 18);
        t[1] = (char)(0x80 | (c >> 12 & 63));
        t[2] = (char)(0x80 | (c >> 6 & 63));
        t[3] = (char)(0x80 | (c & 63));
        x->n += 4;
    }
}

NORETURN static void bad_escape(PyPieces *x, const char *s, const char *to, const char *help)
{
    PyReader *p = x->p;
    uint32_t at = (uint32_t)(s - p->src);
    py_fail(p, E_pysyn_escape, at, py_quote(p, at, (uint32_t)(to - p->src)), help, NULL, NULL);
}

/* `digits` hexadecimal digits behind \x, \u or \U; s: the backslash. */
static const char *hex_escape(PyPieces *x, const char *s, const char *e, int ndigits,
                              const char *help)
{
    uint32_t v = 0;
    const char *d = s + 2;
    for (int i = 0; i < ndigits; i++, d++) {
        if (d >= e || hex(*d) > 15)
            bad_escape(x, s, d, help);
        v = v << 4 | hex(*d);
    }
    if (v > 0x10ffff)
        bad_escape(x, s, d, "characters end at \\U0010FFFF");
    put(x, v);
    return d;
}

/* One escape of s[0..e), which begins with the backslash; what follows it.  Unknown ones stay as they are. */
static const char *escape(PyPieces *x, const char *s, const char *e)
{
    static const char from[] = "abfnrtv\\'\"", to[] = "\a\b\f\n\r\t\v\\'\"";
    const char *known;
    if (s + 1 >= e) {
        put(x, '\\');
        return s + 1;
    }
    char c = s[1];
    if (c == '\n' || c == '\r')
        return s + 2 + (c == '\r' && s + 2 < e && s[2] == '\n');
    if (c && (known = strchr(from, c))) {
        put(x, (unsigned char)to[known - from]);
        return s + 2;
    }
    if (c >= '0' && c <= '7') {
        uint32_t v = 0;
        for (s++; s < e && *s >= '0' && *s <= '7' && v < 64; s++)
            v = v * 8 + (uint32_t)(*s - '0');
        put(x, x->bytes ? v & 255 : v);
        return s;
    }
    if (c == 'x')
        return hex_escape(x, s, e, 2, "\\x takes two hexadecimal digits: \\x1B");
    if (!x->bytes && c == 'u')
        return hex_escape(x, s, e, 4, "\\u takes four hexadecimal digits: \\u00e9");
    if (!x->bytes && c == 'U')
        return hex_escape(x, s, e, 8, "\\U takes eight hexadecimal digits: \\U0001F600");
    if (!x->bytes && c == 'N') {
        const char *end = memchr(s, '}', (size_t)(e - s));
        bad_escape(
            x, s, end ? end + 1 : s + 2,
            "names of characters are not known here: write the character itself, or \\uXXXX");
    }
    put(x, '\\');
    return s + 1;
}

/* A byte of UTF-8 that is in a text of bytes, or is no UTF-8. */
static const char *wide(PyPieces *x, const char *s, const char *e)
{
    PyReader *p = x->p;
    uint32_t at = (uint32_t)(s - p->src);
    unsigned char c = (unsigned char)*s;
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1, k = 1;
    if (x->bytes)
        py_fail(p, E_pysyn_bytes, at, NULL, NULL, NULL, NULL);
    while (k <= more && s + k < e && ((unsigned char)s[k] & 0xc0) == 0x80)
        k++;
    if (c < 0xc2 || c > 0xf4 || k <= more)
        py_fail(p, E_pysyn_utf8, at, afmt(p->c, "0x%02X", (unsigned)c), NULL, NULL, NULL);
    memcpy(x->text + x->n, s, (size_t)k);
    x->n += (uint32_t)k;
    return s + k;
}

/* The text src[at..end) as its value; twice: {{ and }} stand for one brace. */
static void decode(PyPieces *x, uint32_t at, uint32_t end, bool twice)
{
    const char *s = x->p->src + at, *e = x->p->src + end;
    while (s < e) {
        if (*s == '\\' && !x->raw) {
            s = escape(x, s, e);
        } else if ((unsigned char)*s & 0x80) {
            s = wide(x, s, e);
        } else if (*s == '\r') {
            put(x, '\n');
            s += 1 + (s + 1 < e && s[1] == '\n');
        } else if (*s == '\0') {
            py_fail(x->p, E_pysyn_char, (uint32_t)(s - x->p->src), "``", "U+0000", NULL, NULL);
        } else {
            put(x, (unsigned char)*s);
            s += 1 + (twice && (*s == '{' || *s == '}') && s + 1 < e && s[1] == *s);
        }
    }
}

/* Token t is part of the text that is gathered. */
static void gather(PyPieces *x, const PyTok *t)
{
    if (!x->end) {
        x->at = t->at;
        x->line = t->line;
    }
    x->end = t->end;
    x->last = t->last;
}

/* What was gathered, as a constant; the buffer goes on behind it. */
static PyNode *constant(PyPieces *x)
{
    PyNode *n = anew(x->p->c, sizeof *n);
    n->kind = PYConstant;
    n->op = x->bytes ? PCbytes : PCstr;
    n->at = x->at;
    n->end = x->end;
    n->line = x->line;
    n->last = x->last;
    n->text = x->text;
    n->ntext = x->n;
    x->text += x->n;
    *x->text++ = '\0';
    x->n = x->end = 0;
    return n;
}

static void flush(PyPieces *x)
{
    if (x->n)
        py_append(&x->parts, constant(x));
    x->end = 0;
}

/* A plain literal at the current token. */
static void literal(PyPieces *x)
{
    PyReader *p = x->p;
    const PyTok *t = &p->tok[p->at];
    uint32_t at = t->at, quotes = 1;
    x->raw = false;
    for (; p->src[at] != '"' && p->src[at] != '\''; at++)
        x->raw = x->raw || (p->src[at] | 0x20) == 'r';
    if (t->end - at >= 6 && p->src[at] == p->src[at + 1] && p->src[at] == p->src[at + 2])
        quotes = 3;
    gather(x, t);
    decode(x, at + quotes, t->end - quotes, false);
    py_next(p);
}

static void fstring_parts(PyPieces *x, bool spec);

/* `!r` */
static uint8_t conversion(PyReader *p)
{
    py_next(p);
    const PyTok *t = &p->tok[p->at];
    char c = t->kind == PTname && t->end - t->at == 1 ? p->src[t->at] : ' ';
    py_error_token(p);
    if (c != 'r' && c != 's' && c != 'a')
        py_fail(p, E_pysyn_fstring, t->at, "invalid conversion character",
                "behind `!` stands r, s or a", NULL, NULL);
    py_next(p);
    return (uint8_t)c;
}

/* The format of a field, behind its colon: a JoinedStr. */
static PyNode *format(PyPieces *x)
{
    PyReader *p = x->p;
    PyPieces in = {.p = p, .text = x->text, .raw = x->raw};
    PyNode *n = py_node(p, PYJoinedStr, p->at - 1);
    fstring_parts(&in, true);
    x->text = in.text;
    n->a = in.parts.first;
    return py_done(p, n);
}

/* What is wrong behind the value of a field, or in its place. */
NORETURN static void bad_field(PyReader *p, uint32_t open, bool empty)
{
    py_error_token(p);
    if (empty)
        py_fail(p, E_pysyn_fstring, p->tok[open].at, "empty expression not allowed",
                "write a value between `{` and `}`, or `{{` for a brace", NULL, NULL);
    if (py_cur(p) == PTeof)
        py_no_closer(p, open);
    py_fail(p, E_pysyn_fstring, p->tok[p->at].at, "expecting '}'",
            afmt(p->c, "behind the value stands `}`, `!r` or a format such as `:.3f`, not %s",
                 py_quote_tok(p, p->at)),
            NULL, NULL);
}

/* {value = !r :format}, at the brace. */
static void field(PyPieces *x)
{
    PyReader *p = x->p;
    uint32_t open = p->at, shown = 0;
    PyNode *n = py_node(p, PYFormattedValue, open);
    py_next(p);
    enum PyTk k = py_cur(p);
    if (k == PTrbrace || k == PTcolon || k == PTbang || k == PTassign)
        bad_field(p, open, true);
    if (k == PTlambda)
        py_fail(p, E_pysyn_fstring, p->tok[p->at].at,
                "lambda expressions are not allowed without parentheses",
                "put the lambda into parentheses: a colon begins the format", NULL, NULL);
    n->a = py_value(p);
    if (py_take(p, PTassign))
        shown = p->tok[p->at].at; /* the text of the value is shown too, with its blanks */
    if (py_cur(p) == PTbang)
        n->op = conversion(p);
    if (shown) {
        const PyTok text = {.at = p->tok[open].end,
                            .end = shown,
                            .line = p->tok[open].line,
                            .last = p->tok[p->at - 1].last};
        bool raw = x->raw;
        gather(x, &text);
        x->raw = true;
        decode(x, text.at, text.end, false);
        x->raw = raw;
        if (!n->op && py_cur(p) != PTcolon)
            n->op = 'r';
    }
    flush(x);
    if (py_take(p, PTcolon))
        n->b = format(x);
    if (py_cur(p) != PTrbrace)
        bad_field(p, open, false);
    py_next(p);
    py_append(&x->parts, py_done(p, n));
}

/* Texts and fields up to the end of the f-string, or of a format; the last text stays gathered, unless it is
 * that of a format. */
static void fstring_parts(PyPieces *x, bool spec)
{
    PyReader *p = x->p;
    for (;;) {
        if (py_cur(p) == PTfmiddle) {
            gather(x, &p->tok[p->at]);
            decode(x, p->tok[p->at].at, p->tok[p->at].end, !spec);
            py_next(p);
        } else if (py_cur(p) == PTlbrace) {
            py_deeper(p);
            field(x);
            py_shallower(p);
        } else {
            break;
        }
    }
    py_error_token(p);
    if (spec)
        flush(x);
}

static void fstring(PyPieces *x)
{
    PyReader *p = x->p;
    const PyTok *t = &p->tok[p->at];
    x->raw =
        memchr(p->src + t->at, 'r', t->end - t->at) || memchr(p->src + t->at, 'R', t->end - t->at);
    py_next(p);
    fstring_parts(x, false);
    if (!py_take(p, PTfend))
        py_expected(p, PTfend);
}

static bool is_bytes(const PyReader *p, uint32_t tok)
{
    const PyTok *t = &p->tok[tok];
    for (uint32_t at = t->at; t->kind == PTstring && p->src[at] != '"' && p->src[at] != '\''; at++)
        if ((p->src[at] | 0x20) == 'b')
            return true;
    return false;
}

/* Bytes that the values of the literals from the current token on may need: each byte that is written comes
 * into one of them once, and the braces between two leave room for the NUL. */
static size_t room(const PyReader *p)
{
    uint32_t end = p->tok[p->at].end;
    for (uint32_t i = p->at, fields = 0; i < p->ntok; i++) {
        enum PyTk k = py_kind(p, i);
        fields += k == PTfstart;
        if (!fields && k != PTstring)
            break;
        fields -= k == PTfend;
        end = p->tok[i].end;
    }
    return end - p->tok[p->at].at + 16;
}

PyNode *py_strings(PyReader *p)
{
    uint32_t from = p->at;
    PyPieces x = {.p = p, .bytes = is_bytes(p, from)};
    bool joined = false;
    x.text = anew(p->c, room(p));
    for (;;) {
        enum PyTk k = py_cur(p);
        if (k != PTstring && k != PTfstart)
            break;
        if (is_bytes(p, p->at) != x.bytes)
            py_fail(p, E_pysyn_mixed, p->tok[p->at].at, NULL, NULL, NULL, NULL);
        if (k == PTstring) {
            literal(&x);
        } else {
            joined = true;
            fstring(&x);
        }
    }
    if (!joined)
        return py_done(p, constant(&x));
    PyNode *j = py_node(p, PYJoinedStr, from);
    flush(&x);
    j->a = x.parts.first;
    return py_done(p, j);
}
