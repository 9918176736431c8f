/* lua/reader/dialect_lex.c: text -> tokens, as llex.c of Lua 5.4 reads them, with the
 * compound assignments added.
 *
 * All tokens are read before parsing starts.  What cannot be read becomes one
 * last token Terr; the parser reports it when it gets there, so that errors
 * come in the order of the text. */
#include <string.h>

#include "dialect_p.h"
#include "err/lang.h"

const char *const rd_text[NTk] = {
    "<eof>", "", "a name", "a number", "a string",
#define K(id) #id,
    KEYWORDS(K)
#undef K
#define P(id, text) text,
    PUNCTUATION(P)
#undef P
};

static const struct { uint8_t kind, n; const char *text; } punct[] = {
#define P(id, text) {TK##id, sizeof text - 1, text},
    PUNCTUATION(P)
#undef P
};

/* What people of other languages and keyboards type, and Lua's word for it. */
static const struct { const char *text, *lua; } foreign[] = {
    {"!=", "`~=`"},     {"&&", "`and`"},    {"||", "`or`"},     {"++", "`+= 1`"},
    {"**", "`^`"},      {"!", "`not`"},     {"，", "`,`"},      {"（", "`(`"},
    {"）", "`)`"},      {"：", "`:`"},      {"；", "`;`"},      {"“", "`\"`"},
    {"”", "`\"`"},      {"＝", "`=`"},      {"【", "`[`"},      {"】", "`]`"},
    {"［", "`[`"},      {"］", "`]`"},      {"｛", "`{`"},      {"｝", "`}`"},
    {"‘", "`'`"},       {"’", "`'`"},       {"、", "`,`"},      {"＋", "`+`"},
    {"－", "`-`"},      {"–", "`-`"},       {"—", "`-`"},       {"＊", "`*`"},
    {"×", "`*`"},       {"÷", "`/`"},       {"／", "`/`"},      {"＜", "`<`"},
    {"＞", "`>`"},      {"≤", "`<=`"},      {"≥", "`>=`"},      {"≠", "`~=`"},
    {"．", "`.`"},      {"？", "`c and x or y`"},               {"?", "`c and x or y`"},
    {"@", "`f = tl.jit(function(...) ... end)`"},
};

typedef struct Lexer {
    Reader *p;
    const char *s, *e; /* where we are, the end */
    uint32_t line;
} Lexer;

static bool isdig(char c) { return c >= '0' && c <= '9'; }

static bool isalpha_(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool dlex_isword(char c) { return isalpha_(c) || isdig(c); }

static int hexval(char c)
{
    if (isdig(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool isnl(char c) { return c == '\n' || c == '\r'; }

static char dlex_at(const Lexer *x, size_t k)
{
    return (size_t)(x->e - x->s) > k ? x->s[k] : '\0';
}

static bool dlex_ended(const Lexer *x) { return x->s >= x->e; }

/* Remembers the first error; at is where it will be shown. */
static bool dlex_bad(Lexer *x, Err e, const char *where, const char *arg0, const char *arg1)
{
    Reader *p = x->p;
    p->lexerr = e;
    p->lexat = (uint32_t)(where - p->src);
    p->lexarg[0] = arg0;
    p->lexarg[1] = arg1;
    return false;
}

static bool badtext(Lexer *x, Err e, const char *from, const char *to)
{
    const char *src = x->p->src;
    return dlex_bad(x, e, from, rd_quote_text(x->p, (uint32_t)(from - src), (uint32_t)(to - src)),
                    NULL);
}

/* Over one line end, of one or two characters. */
static void newline(Lexer *x)
{
    char c = *x->s++;
    if (!dlex_ended(x) && isnl(*x->s) && *x->s != c)
        x->s++;
    x->line++;
}

/* `[`, n times `=`, `[`: n, or -1 if that is not what stands here. */
static int longlevel(const Lexer *x)
{
    int n = 0;
    while (dlex_at(x, (size_t)n + 1) == '=')
        n++;
    return dlex_at(x, 0) == '[' && dlex_at(x, (size_t)n + 1) == '[' ? n : -1;
}

/* A long bracket, from its `[` to behind its end. */
static bool longtext(Lexer *x, int level, Err e, const char *start)
{
    for (x->s += level + 2; !dlex_ended(x);) {
        if (isnl(*x->s)) {
            newline(x);
            continue;
        }
        if (*x->s++ != ']')
            continue;
        int n = 0;
        while (dlex_at(x, (size_t)n) == '=')
            n++;
        if (n == level && dlex_at(x, (size_t)n) == ']') {
            x->s += n + 1;
            return true;
        }
    }
    x->p->lexmore = true;
    char *close = afmt(x->p->c, "`]%*s]`", level, "");
    for (char *s = close; *s; s++)
        if (*s == ' ')
            *s = '=';
    return dlex_bad(x, e, start, close, NULL);
}

/* Over blanks and comments; false on an unfinished comment. */
static bool dlex_blanks(Lexer *x)
{
    while (!dlex_ended(x)) {
        char c = *x->s;
        if (isnl(c)) {
            newline(x);
        } else if (c == ' ' || c == '\t' || c == '\f' || c == '\v') {
            x->s++;
        } else if (c == '-' && dlex_at(x, 1) == '-') {
            const char *start = x->s;
            x->s += 2;
            int level = longlevel(x);
            if (level >= 0) {
                if (!longtext(x, level, E_lex_comment, start))
                    return false;
            } else {
                while (!dlex_ended(x) && !isnl(*x->s))
                    x->s++;
            }
        } else {
            break;
        }
    }
    return true;
}

/* \u{XXX}: up to 2^31 - 1.  s stands behind the `u`. */
static const char *unicode(const char *s, const char *e)
{
    uint64_t v = 0;
    const char *from = s + 1;
    if (s >= e || *s != '{')
        return NULL;
    for (s++; s < e && hexval(*s) >= 0; s++) {
        v = v * 16 + (uint64_t)hexval(*s);
        if (v > 0x7fffffff)
            return NULL;
    }
    return s > from && s < e && *s == '}' ? s + 1 : NULL;
}

/* After a backslash: the end of the escape, or NULL if there is no such. */
static const char *dlex_escape(const char *s, const char *e)
{
    if (s >= e)
        return NULL;
    if (strchr("abfnrtvz\\\"'", *s) && *s)
        return s + 1;
    if (*s == 'x')
        return e - s > 2 && hexval(s[1]) >= 0 && hexval(s[2]) >= 0 ? s + 3 : NULL;
    if (*s == 'u')
        return unicode(s + 1, e);
    int v = 0, n = 0;
    for (; n < 3 && s + n < e && isdig(s[n]); n++)
        v = v * 10 + s[n] - '0';
    return n && v <= 255 ? s + n : NULL;
}

/* A quoted string; short strings end with their line. */
static bool string(Lexer *x)
{
    const char *start = x->s;
    char quote = *x->s++;
    const char *missing = quote == '"' ? "`\"`" : "`'`";
    while (!dlex_ended(x) && *x->s != quote) {
        if (isnl(*x->s))
            return dlex_bad(x, E_lex_string, start, missing, NULL);
        if (*x->s != '\\') {
            x->s++;
            continue;
        }
        const char *esc = x->s++;
        if (dlex_ended(x)) {
            x->p->lexmore = true;
            break;
        }
        if (isnl(*x->s)) {
            newline(x);
            continue;
        }
        const char *next = dlex_escape(x->s, x->e);
        if (!next) {
            const char *to = x->s;
            for (to++; to < x->e && to - esc < 12 && (dlex_isword(*to) || strchr("{}", *to)); to++)
                if (*to == '}')
                    break;
            return badtext(x, E_lex_escape, esc, to < x->e && *to == '}' ? to + 1 : to);
        }
        bool skip = *x->s == 'z';
        x->s = next;
        while (skip && !dlex_ended(x) && (isnl(*x->s) || strchr(" \t\f\v", *x->s))) {
            if (isnl(*x->s))
                newline(x);
            else
                x->s++;
        }
        if (skip && dlex_ended(x))
            x->p->lexmore = true;
    }
    if (dlex_ended(x))
        return dlex_bad(x, E_lex_string, start, missing, NULL);
    x->s++;
    return true;
}

/* Is s[0..n) a numeral of Lua? */
static bool isnumeral(const char *s, const char *e)
{
    bool hex = e - s > 1 && s[0] == '0' && (s[1] | 0x20) == 'x', any = false;
    if (hex)
        s += 2;
    for (int dots = 0; s < e; s++) {
        if (hex ? hexval(*s) >= 0 : isdig(*s))
            any = true;
        else if (*s != '.' || dots++)
            break;
    }
    if (any && s < e && (*s | 0x20) == (hex ? 'p' : 'e')) {
        s++;
        if (s < e && (*s == '+' || *s == '-'))
            s++;
        any = s < e && isdig(*s);
        while (s < e && isdig(*s))
            s++;
    }
    return any && s == e;
}

static bool lex_dialect_number(Lexer *x)
{
    const char *start = x->s;
    char expo = 'e';
    if (*x->s == '0' && (dlex_at(x, 1) | 0x20) == 'x') {
        expo = 'p';
        x->s += 2;
    }
    while (!dlex_ended(x)) {
        char c = *x->s;
        if ((c | 0x20) == expo) {
            x->s++;
            if (dlex_at(x, 0) == '+' || dlex_at(x, 0) == '-')
                x->s++;
        } else if (dlex_isword(c) || c == '.') {
            x->s++;
        } else {
            break;
        }
    }
    return isnumeral(start, x->s) || badtext(x, E_lex_number, start, x->s);
}

static enum Tk dlex_keyword(const char *s, size_t n)
{
    for (int k = TKand; k <= TKwhile; k++) {
        const char *t = rd_text[k];
        if (t[0] == s[0] && strncmp(t, s, n) == 0 && t[n] == '\0')
            return (enum Tk)k;
    }
    return TKname;
}

/* Length of the UTF-8 character at s, as far as it is one. */
static size_t utf8len(const char *s, const char *e)
{
    unsigned char c = (unsigned char)*s;
    size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1, k = 1;
    while (k < n && s + k < e && ((unsigned char)s[k] & 0xc0) == 0x80)
        k++;
    return k;
}

/* Blanks that look like ours and are none: copied text has them. */
static bool isblank_(const Lexer *x)
{
    static const char *const blanks[] = {"\u00a0", "\u3000", "\u200b", "\u2003", "\u2002", "\ufeff"};
    for (size_t i = 0; i < COUNT(blanks); i++) {
        size_t n = strlen(blanks[i]);
        if ((size_t)(x->e - x->s) >= n && memcmp(x->s, blanks[i], n) == 0)
            return true;
    }
    return false;
}

static bool isforeign(Lexer *x)
{
    if (!strchr("!&|+*@?", *x->s) && (unsigned char)*x->s < 0x80)
        return false;
    for (size_t i = 0; i < COUNT(foreign); i++) {
        size_t n = strlen(foreign[i].text);
        if ((size_t)(x->e - x->s) < n || memcmp(x->s, foreign[i].text, n) != 0)
            continue;
        badtext(x, E_lex_foreign, x->s, x->s + n);
        x->p->lexarg[1] = foreign[i].lua;
        return true;
    }
    return false;
}

static enum Tk punctuation(Lexer *x)
{
    if (isforeign(x))
        return TKerr;
    for (size_t i = 0; i < COUNT(punct); i++) {
        size_t n = punct[i].n;
        if (x->s[0] == punct[i].text[0] && (size_t)(x->e - x->s) >= n &&
            memcmp(x->s, punct[i].text, n) == 0) {
            x->s += n;
            return (enum Tk)punct[i].kind;
        }
    }
    unsigned char c = (unsigned char)*x->s;
    if (c >= 0x80 && isblank_(x))
        dlex_bad(x, E_lex_blank, x->s, NULL, NULL);
    else if (c < ' ' || c == 0x7f)
        dlex_bad(x, E_lex_char, x->s, afmt(x->p->c, "`\\x%02x`", c), NULL);
    else
        badtext(x, c < 0x80 ? E_lex_char : E_lex_letter, x->s, x->s + utf8len(x->s, x->e));
    return TKerr;
}

/* The token that starts here; the text goes on behind it. */
static enum Tk dlex_token(Lexer *x)
{
    char c = *x->s;
    if (isalpha_(c)) {
        const char *start = x->s;
        while (!dlex_ended(x) && dlex_isword(*x->s))
            x->s++;
        return dlex_keyword(start, (size_t)(x->s - start));
    }
    if (isdig(c) || (c == '.' && isdig(dlex_at(x, 1))))
        return lex_dialect_number(x) ? TKnumber : TKerr;
    if (c == '"' || c == '\'')
        return string(x) ? TKstring : TKerr;
    int level = c == '[' ? longlevel(x) : -1;
    if (level >= 0)
        return longtext(x, level, E_lex_longstring, x->s) ? TKstring : TKerr;
    return punctuation(x);
}

static DialectTok *dlex_push(Lexer *x)
{
    Reader *p = x->p;
    if (p->ntok == p->captok)
        agrow(p->c, &p->tok, &p->captok, p->captok ? p->captok * 2 : 256, sizeof *p->tok);
    DialectTok *t = &p->tok[p->ntok++];
    t->at = (uint32_t)(x->s - p->src);
    t->line = x->line;
    return t;
}

/* A byte order mark and a first line `#!` belong to nobody. */
static void skip_shebang(Lexer *x)
{
    if (x->e - x->s >= 3 && memcmp(x->s, "\xef\xbb\xbf", 3) == 0)
        x->s += 3;
    if (dlex_at(x, 0) == '#' && dlex_at(x, 1) == '!')
        while (!dlex_ended(x) && !isnl(*x->s))
                 x->s++;
}

void rd_lex(Reader *p)
{
    Lexer x = {p, p->src, p->src + p->n, 1};
    skip_shebang(&x);
    for (;;) {
        bool ok = dlex_blanks(&x);
        DialectTok *t = dlex_push(&x);
        t->kind = (uint8_t)(!ok ? TKerr : dlex_ended(&x) ? TKeof : dlex_token(&x));
        t->end = (uint32_t)(x.s - p->src);
        if (t->kind == TKeof || t->kind == TKerr)
            return;
    }
}
