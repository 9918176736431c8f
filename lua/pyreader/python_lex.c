/* lua/pyreader/python_lex.c: text -> tokens, as CPython's tokenizer reads them.
 *
 *     if a:          NAME-like tokens, then PTnewline
 *         f"{b:>3}"  PTindent PTfstart { b : PTfmiddle } PTfend PTnewline
 *                    PTdedent PTeof
 *
 * A stack holds what is open: brackets, f-strings and their fields.  Its top says how to go on: within an
 * f-string, or in the format of a field, the text itself is read, otherwise tokens.  Nothing recurses. */
#include <string.h>

#include "core/base/width.h"
#include "err/python.h"
#include "python_p.h"

const char *const py_word[NPyTk] = {
    "the end of the text", "", "the end of the line", "an indentation", "the end of a block",
    "a name", "a number", "a string", "f\"", "text", "\"",
#define K(id) #id,
    PY_KEYWORDS(K)
#undef K
#define P(id, text) text,
    PY_PUNCTUATION(P)
#undef P
};

static const struct { char text[4]; uint8_t kind, n; } punct[] = {
#define P(id, text) {text, PT##id, sizeof text - 1},
    PY_PUNCTUATION(P)
#undef P
};

enum { MaxIndents = 1000, Tab = 8 };

typedef struct Indent {
    uint32_t col, alt; /* with tabs of 8, and of 1, as CPython compares */
} Indent;

typedef struct Lexer {
    PyReader *p;
    const char *s, *e; /* where we are, the end */
    uint32_t line;
    bool fresh;        /* at the start of a logical line */
    Indent *indent;
    uint32_t nindent, capindent;
} Lexer;

static bool isdig(char c) { return c >= '0' && c <= '9'; }

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           ((unsigned char)c & 0x80);
}

bool py_isword(char c) { return starts_name(c) || isdig(c); }

static bool isnl(char c) { return c == '\n' || c == '\r'; }

static char char_at(const Lexer *x, size_t k) { return (size_t)(x->e - x->s) > k ? x->s[k] : '\0'; }

static uint32_t offset(const Lexer *x, const char *s) { return (uint32_t)(s - x->p->src); }

/* Remembers the error; where is what it is shown at. */
static bool bad(Lexer *x, Err e, const char *where, const char *a, const char *b, const char *c)
{
    PyReader *p = x->p;
    p->lexerr = e;
    p->lexat = offset(x, where);
    p->lexarg[0] = a;
    p->lexarg[1] = b;
    p->lexarg[2] = c;
    return false;
}

static const char *number_text(Lexer *x, uint32_t n) { return afmt(x->p->c, "%u", n); }

static PyTok *emit(Lexer *x, enum PyTk k, const char *from, const char *to, uint32_t line)
{
    PyReader *p = x->p;
    if (p->ntok == p->captok)
        agrow(p->c, &p->tok, &p->captok, p->captok * 2, sizeof *p->tok);
    PyTok *t = &p->tok[p->ntok++];
    *t = (PyTok){.at = offset(x, from), .end = offset(x, to), .line = line, .last = x->line, .kind = (uint8_t)k};
    return t;
}

static PyOpen *push(Lexer *x, char kind, const char *where)
{
    PyReader *p = x->p;
    if (p->nopen == p->capopen)
        agrow(p->c, &p->open, &p->capopen, p->capopen ? p->capopen * 2 : 16, sizeof *p->open);
    PyOpen *o = &p->open[p->nopen++];
    *o = (PyOpen){.at = offset(x, where), .line = x->line, .kind = kind};
    return o;
}

static PyOpen *top(const Lexer *x) { return x->p->nopen ? &x->p->open[x->p->nopen - 1] : NULL; }

static bool newline(Lexer *x)
{
    char c = *x->s++;
    if (c == '\r' && char_at(x, 0) == '\n')
        x->s++;
    x->line++;
    return true;
}

/* Blanks, comments, lines -------------------------------------------------------- */

static void comment(Lexer *x, bool alone)
{
    PyReader *p = x->p;
    const char *from = x->s;
    while (x->s < x->e && !isnl(*x->s))
        x->s++;
    if (p->tree->ncomment == p->capcomment)
        agrow(p->c, &p->tree->comment, &p->capcomment, p->capcomment ? p->capcomment * 2 : 32,
              sizeof *p->tree->comment);
    p->tree->comment[p->tree->ncomment++] =
        (PyComment){.at = offset(x, from), .end = offset(x, x->s), .line = x->line, .alone = alone};
}

static bool no_line_end(Lexer *x, const char *from)
{
    uint32_t c;
    while (x->s < x->e && (*x->s == ' ' || *x->s == '\t'))
        x->s++;
    if (x->s >= x->e || isnl(*x->s))
        return bad(x, E_pysyn_continued, from, "a blank", NULL, NULL);
    int n = utf8_next(x->s, (size_t)(x->e - x->s), &c);
    return bad(x, E_pysyn_continued, from,
               py_quote(x->p, offset(x, x->s), offset(x, x->s) + (uint32_t)n), NULL, NULL);
}

/* A backslash that continues the line: over it and the line's end; false: it is none. */
static bool continues(Lexer *x)
{
    const char *from = x->s++;
    if (x->s < x->e && isnl(*x->s))
        newline(x);
    else if (x->s < x->e)
        return no_line_end(x, from);
    if (x->s >= x->e) {
        x->p->lexmore = true;
        return bad(x, E_pysyn_continued, from, "the end of the text", NULL, NULL);
    }
    return true;
}

/* Over the blanks at the start of a line; the first before a backslash count, if there are any, not
 * those of the next line. */
static bool measure(Lexer *x, Indent *in)
{
    uint32_t first = 0;
    *in = (Indent){0, 0};
    for (; x->s < x->e; x->s++) {
        if (*x->s == ' ') {
            in->col++;
            in->alt++;
        } else if (*x->s == '\t') {
            in->col = (in->col / Tab + 1) * Tab;
            in->alt++;
        } else if (*x->s == '\f') {
            *in = (Indent){0, 0};
        } else if (*x->s == '\\') {
            first = first ? first : in->col;
            if (!continues(x))
                return false;
            x->s--;
        } else {
            break;
        }
    }
    if (first)
        *in = (Indent){first, first};
    return true;
}

static bool mixed(Lexer *x)
{
    return bad(x, E_pysyn_tabs, x->s, NULL, NULL, NULL);
}

/* The columns in which blocks around begin: "0, 4 or 8". */
static const char *columns_open(Lexer *x)
{
    enum { Most = 4 };
    uint32_t from = x->nindent > Most ? x->nindent - Most : 0;
    const char *s = number_text(x, x->indent[from].col + 1);
    for (uint32_t i = from + 1; i < x->nindent; i++)
        s = afmt(x->p->c, "%s, %u", s, x->indent[i].col + 1);
    return s;
}

/* The line that begins here is in another block, if its indentation says so. */
static bool blocks(Lexer *x, Indent in)
{
    Indent *t = &x->indent[x->nindent - 1];
    if (in.col == t->col)
        return in.alt == t->alt || mixed(x);
    if (in.col > t->col) {
        if (in.alt <= t->alt)
            return mixed(x);
        if (x->nindent == MaxIndents)
            return bad(x, E_pysyn_deep, x->s, number_text(x, MaxIndents), NULL, NULL);
        if (x->nindent == x->capindent)
            agrow(x->p->c, &x->indent, &x->capindent, x->capindent * 2, sizeof *x->indent);
        x->indent[x->nindent++] = in;
        emit(x, PTindent, x->s, x->s, x->line);
        return true;
    }
    const char *open = columns_open(x);
    while (x->nindent > 1 && in.col < x->indent[x->nindent - 1].col) {
        x->nindent--;
        emit(x, PTdedent, x->s, x->s, x->line);
    }
    if (in.col != x->indent[x->nindent - 1].col)
        return bad(x, E_pysyn_unindent, x->s, number_text(x, in.col + 1), open, NULL);
    return in.alt == x->indent[x->nindent - 1].alt || mixed(x);
}

/* The start of a logical line: its indentation, unless nothing stands in it. */
static bool line_start(Lexer *x)
{
    Indent in;
    if (!measure(x, &in))
        return false;
    if (x->s >= x->e)
        return true;
    if (*x->s == '#')
        comment(x, true);
    if (x->s < x->e && isnl(*x->s))
        return newline(x);
    if (x->s >= x->e)
        return true;
    x->fresh = false;
    return blocks(x, in);
}

/* Strings ------------------------------------------------------------------------ */

/* The prefix of a string literal at s: its bytes, and whether it is raw or an f-string; -1: none. */
static int string_prefix(const Lexer *x, bool *raw, bool *format)
{
    bool b = false, u = false;
    *raw = *format = false;
    for (int n = 0; n < 3; n++) {
        char c = char_at(x, (size_t)n);
        if (c == '"' || c == '\'')
            return n;
        c = (char)(c | 0x20);
        bool *seen = c == 'r' ? raw : c == 'f' ? format : c == 'b' ? &b : c == 'u' ? &u : NULL;
        if (!seen || *seen || (c == 'u' && n) || u || (c == 'f' && b) || (c == 'b' && *format))
            return -1;
        *seen = true;
    }
    return -1;
}

static bool at_quotes(const Lexer *x, char quote, bool triple)
{
    return char_at(x, 0) == quote &&
           (!triple || (char_at(x, 1) == quote && char_at(x, 2) == quote));
}

/* One character of a string's text, with what a backslash takes along. */
static void string_char(Lexer *x)
{
    if (*x->s == '\\') {
        x->s++;
        if (x->s >= x->e)
            return;
    }
    if (isnl(*x->s))
        newline(x);
    else
        x->s++;
}

static const char *quotes_text(char quote, bool triple)
{
    return quote == '"' ? (triple ? "`\"\"\"`" : "`\"`") : (triple ? "`'''`" : "`'`");
}

/* The innermost f-string, of which a field is open with these quotes; a string begun in it does not end. */
static const PyOpen *field_of(const Lexer *x, char quote)
{
    for (uint32_t i = x->p->nopen; i-- > 0;)
        if (x->p->open[i].kind == 'f')
            return x->p->open[i].quote == quote && i + 1 < x->p->nopen ? &x->p->open[i + 1] : NULL;
    return NULL;
}

static bool unfinished(Lexer *x, const char *from, uint32_t line, char quote, bool triple)
{
    const PyOpen *field = field_of(x, quote);
    if (field)
        return bad(x, E_pysyn_fstring, x->p->src + field->at, "expecting '}'",
                   "close the field that begins here with `}`", NULL);
    bool ended = x->s >= x->e;
    if (!triple && ended && x->e > from && x->e[-1] == '\\')
        x->p->lexmore = true;
    if (!triple)
        return bad(x, E_pysyn_string, from, quotes_text(quote, false), NULL, NULL);
    x->p->lexmore = true;
    return bad(x, E_pysyn_triple, from, quotes_text(quote, true), number_text(x, line),
               number_text(x, x->line));
}

/* A literal without fields; prefix: bytes before its quotes. */
static bool string(Lexer *x, int prefix)
{
    const char *from = x->s;
    uint32_t line = x->line;
    x->s += prefix;
    char quote = *x->s;
    bool triple = char_at(x, 1) == quote && char_at(x, 2) == quote;
    for (x->s += triple ? 3 : 1; !at_quotes(x, quote, triple); string_char(x))
        if (x->s >= x->e || (!triple && isnl(*x->s)))
            return unfinished(x, from, line, quote, triple);
    x->s += triple ? 3 : 1;
    emit(x, PTstring, from, x->s, line);
    return true;
}

static void fstring_open(Lexer *x, int prefix, bool raw)
{
    const char *from = x->s;
    PyOpen *o = push(x, 'f', from);
    x->s += prefix;
    o->quote = *x->s;
    o->triple = char_at(x, 1) == o->quote && char_at(x, 2) == o->quote;
    o->raw = raw;
    x->s += o->triple ? 3 : 1;
    o->width = offset(x, x->s) - o->at;
    emit(x, PTfstart, from, x->s, x->line);
}

/* `\N{..}` of an f-string that is not raw: its braces are no field. */
static bool over_name(Lexer *x)
{
    if (char_at(x, 1) != 'N' || char_at(x, 2) != '{')
        return false;
    const char *s = x->s + 3;
    while (s < x->e && *s != '}' && !isnl(*s) && *s != '\'' && *s != '"')
        s++;
    if (s >= x->e || *s != '}')
        return false;
    x->s = s + 1;
    return true;
}

/* The text of an f-string up to a field or its end; of a format up to a field or the end of its own. */
static bool fstring_text(Lexer *x)
{
    PyReader *p = x->p;
    PyOpen *o = top(x), *f = o;
    const char *from = x->s;
    uint32_t line = x->line;
    while (f->kind != 'f')
        f--;
    bool spec = o != f;
    for (;;) {
        if (x->s >= x->e || (!f->triple && isnl(*x->s)))
            return spec ? bad(x, E_pysyn_fstring, p->src + o->at, "expecting '}'",
                              "close the field that begins here with `}`", NULL)
                        : unfinished(x, p->src + f->at, f->line, f->quote, f->triple);
        char c = *x->s;
        bool twice = char_at(x, 1) == c && !spec;
        if (at_quotes(x, f->quote, f->triple) || ((c == '{' || c == '}') && !twice))
            break;
        if (c == '\\' && !f->raw && over_name(x))
            continue;
        if (c == '\\' && (char_at(x, 1) == '{' || char_at(x, 1) == '}'))
            x->s++;
        else if (c == '{' || c == '}')
            x->s += 2;
        else
            string_char(x);
    }
    if (x->s > from)
        emit(x, PTfmiddle, from, x->s, line);
    from = x->s;
    if (*x->s == '{') {
        push(x, '$', x->s++);
        emit(x, PTlbrace, from, x->s, x->line);
    } else if (*x->s == '}' && spec) {
        p->nopen--;
        x->s++;
        emit(x, PTrbrace, from, x->s, x->line);
    } else if (*x->s == '}') {
        return bad(x, E_pysyn_fstring, x->s, "single '}' is not allowed",
                   "write `}}` for a brace in the text", NULL);
    } else if (spec) {
        return bad(x, E_pysyn_fstring, p->src + o->at, "expecting '}'",
                   "close the field that begins here with `}`", NULL);
    } else {
        x->s += f->triple ? 3 : 1;
        p->nopen--;
        emit(x, PTfend, from, x->s, x->line);
    }
    return true;
}

/* Tokens ------------------------------------------------------------------------- */

static enum PyTk keyword(const char *s, size_t n)
{
    if (n < 2 || n > 8)
        return PTname;
    for (int k = PTFalse; k <= PTyield; k++) {
        const char *t = py_word[k];
        if (t[0] == s[0] && t[1] == s[1] && strncmp(t, s, n) == 0 && t[n] == '\0')
            return (enum PyTk)k;
    }
    return PTname;
}

/* What looks like a letter and is none: symbols, other blanks, emoji. */
static const struct { uint32_t from, to; } strange[] = {
    {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb6},     {0xb8, 0xb9},       {0xbb, 0xbf},
    {0xd7, 0xd7},     {0xf7, 0xf7},     {0x2000, 0x203e}, {0x2041, 0x2053},   {0x2055, 0x2070},
    {0x20a0, 0x20cf}, {0x2190, 0x2bff}, {0x2e00, 0x2e7f}, {0x3000, 0x3004},   {0x3008, 0x3020},
    {0x3030, 0x3030}, {0xd800, 0xf8ff}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe32},   {0xfe35, 0xfe4c},
    {0xfe50, 0xfe6f}, {0xfeff, 0xfeff}, {0xff00, 0xff0f}, {0xff1a, 0xff20},   {0xff3b, 0xff3e},
    {0xff40, 0xff40}, {0xff5b, 0xff65}, {0xffe0, 0xffff}, {0x1f000, 0x1faff}, {0xe0000, 0xe0fff},
};

/* The character at s, which no name, number or sign begins with; marks, then text with U+ in it. */
static bool wrong_char(Lexer *x)
{
    uint32_t c;
    size_t n = (size_t)utf8_next(x->s, (size_t)(x->e - x->s), &c), more;
    const char *instead = py_habit_char(x->s, x->e, &more);
    if (c == 0xfffd && !((unsigned char)x->s[0] == 0xef && n == 3))
        return bad(x, E_pysyn_utf8, x->s, afmt(x->p->c, "0x%02X", (unsigned)(unsigned char)x->s[0]),
                   NULL, NULL);
    if (c == 0xa0 || c == 0x3000 || c == 0x202f || c == 0x205f || c == 0xfeff ||
        (c >= 0x2000 && c <= 0x200b))
        return bad(x, E_pysyn_blank, x->s, afmt(x->p->c, "U+%04X", (unsigned)c), NULL, NULL);
    if (instead)
        return bad(x, E_pysyn_foreign, x->s,
                   py_quote(x->p, offset(x, x->s), offset(x, x->s) + (uint32_t)more), instead,
                   NULL);
    return bad(x, E_pysyn_char, x->s,
               py_quote(x->p, offset(x, x->s), offset(x, x->s) + (uint32_t)n),
               afmt(x->p->c, "U+%04X", (unsigned)c), NULL);
}

static bool letter(uint32_t c)
{
    for (size_t i = 0; i < COUNT(strange); i++)
        if (c >= strange[i].from && c <= strange[i].to)
            return false;
    return true;
}

static bool name(Lexer *x)
{
    const char *from = x->s;
    while (x->s < x->e && py_isword(*x->s)) {
        uint32_t c;
        int n = (unsigned char)*x->s & 0x80 ? utf8_next(x->s, (size_t)(x->e - x->s), &c) : 1;
        if (((unsigned char)*x->s & 0x80) && !letter(c)) {
            if (x->s == from)
                return wrong_char(x);
            break;
        }
        x->s += n;
    }
    emit(x, keyword(from, (size_t)(x->s - from)), from, x->s, x->line);
    return true;
}

static bool number(Lexer *x)
{
    Err err;
    const char *arg[2] = {NULL, NULL}, *end = x->s;
    const char *to = py_numeral(x->p->c, x->s, x->e, &err, arg, &end);
    if (!to)
        return bad(x, err, x->s, py_quote(x->p, offset(x, x->s), offset(x, end)), arg[0], arg[1]);
    emit(x, PTnumber, x->s, to, x->line);
    x->s = to;
    return true;
}

static bool closes(char kind, char c)
{
    return c == ')' ? kind == '(' : c == ']' ? kind == '[' : kind == '{' || kind == '$';
}

/* ) ] or } closes what is on top. */
static bool closer(Lexer *x)
{
    PyReader *p = x->p;
    PyOpen *o = top(x);
    if (o && closes(o->kind, *x->s)) {
        p->nopen--;
        return true;
    }
    const char *saw = py_quote(p, offset(x, x->s), offset(x, x->s) + 1);
    if (!o)
        return bad(x, E_pysyn_unmatched, x->s, saw, NULL, NULL);
    return bad(x, E_pysyn_mismatch, x->s, saw, py_quote(p, o->at, o->at + 1), number_text(x, o->line));
}

static bool sign(Lexer *x)
{
    char c = *x->s;
    const PyOpen *o = top(x);
    bool field = o && o->kind == '$';
    for (size_t i = 0; i < COUNT(punct); i++) {
        if (punct[i].text[0] != c || (size_t)(x->e - x->s) < punct[i].n ||
            memcmp(punct[i].text, x->s, punct[i].n) != 0)
            continue;
        if (punct[i].kind == PTbang && !field)
            break;
        if (punct[i].kind == PTwalrus && field)
            continue; /* a field's format begins */
        if (c == '(' || c == '[' || c == '{')
            push(x, c, x->s);
        else if ((c == ')' || c == ']' || c == '}') && !closer(x))
            return false;
        else if (punct[i].kind == PTcolon && field)
            x->p->open[x->p->nopen - 1].spec = true;
        emit(x, (enum PyTk)punct[i].kind, x->s, x->s + punct[i].n, x->line);
        x->s += punct[i].n;
        return true;
    }
    return wrong_char(x);
}

/* The next token, or the end of the line. */
static bool token(Lexer *x)
{
    PyReader *p = x->p;
    bool raw, format;
    int prefix;
    char c = *x->s;
    if (c == ' ' || c == '\t' || c == '\f') {
        x->s++;
        return true;
    }
    if (c == '#') {
        comment(x, false);
        return true;
    }
    if (isnl(c)) {
        if (!p->nopen) {
            const char *from = x->s;
            emit(x, PTnewline, from, from, x->line);
            x->fresh = true;
        }
        return newline(x);
    }
    if (c == '\\')
        return continues(x);
    if (isdig(c) || (c == '.' && isdig(char_at(x, 1))))
        return number(x);
    if (!starts_name(c) && c != '"' && c != '\'')
        return sign(x);
    prefix = string_prefix(x, &raw, &format);
    if (prefix < 0)
        return name(x);
    if (!format)
        return string(x, prefix);
    fstring_open(x, prefix, raw);
    return true;
}

/* The end of the text: of its last line, of all blocks. */
static bool finish(Lexer *x)
{
    PyReader *p = x->p;
    const PyOpen *o = top(x);
    if (o && o->kind == 'f')
        return fstring_text(x); /* says that it does not end */
    if (!o && !x->fresh)
        emit(x, PTnewline, x->s, x->s, x->line);
    for (; !o && x->nindent > 1; x->nindent--)
        emit(x, PTdedent, x->s, x->s, x->line);
    emit(x, PTeof, x->s, x->s, x->line);
    p->at = 0;
    return true;
}

static bool step(Lexer *x)
{
    const PyOpen *o = top(x);
    if (o && (o->kind == 'f' || o->spec))
        return fstring_text(x);
    return x->fresh ? line_start(x) : token(x);
}

void py_lex(PyReader *p)
{
    Lexer x = {.p = p, .s = p->src, .e = p->src + p->n, .line = 1, .fresh = true};
    agrow(p->c, &p->tok, &p->captok, p->n / 4 + 64, sizeof *p->tok);
    agrow(p->c, &x.indent, &x.capindent, 32, sizeof *x.indent);
    x.nindent = 1;
    if (p->n >= 3 && memcmp(p->src, "\xEF\xBB\xBF", 3) == 0)
        x.s += 3;
    while (x.s < x.e)
        if (!step(&x)) {
            emit(&x, PTerr, x.p->src + p->lexat, x.p->src + p->lexat, x.line);
            return;
        }
    if (!finish(&x))
        emit(&x, PTerr, x.p->src + p->lexat, x.p->src + p->lexat, x.line);
}
