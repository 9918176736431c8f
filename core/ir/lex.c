/* core/ir/lex.c: IR text into tokens.
 *
 * A line ends a statement.  `--` starts a comment as in Lua.  Names are
 * letters, digits and _, or anything in 'single quotes'; both may carry a
 * suffix that tells equal names apart (i.2).  "Double quotes" hold text.  In
 * both, \n \\ \" \' \xHH mean what they mean in Lua. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "err/ir.h"

static const char *const reserved[] = {
    "alloc", "and", "assert", "assume", "atomic", "break", "buffer", "call", "continue",
    "copy", "def", "dim", "do", "else", "end", "false", "file", "fill", "for", "gemm", "if",
    "in", "inf", "kernel", "launch", "let", "nan", "not", "or", "print", "printf", "reduce",
    "scalar", "scan", "then", "transpose", "true", "view", "while",
}; /* all other operations are told from names by what follows: parse_stmt.c */

bool text_reserved(const char *s)
{
    for (size_t i = 0; i < COUNT(reserved); i++)
        if (strcmp(s, reserved[i]) == 0)
            return true;
    return false;
}

void lex_init(Lex *l, Ctx *c, const char *text, size_t n, uint16_t file)
{
    *l = (Lex){.ctx = c, .at = text, .end = text + n, .bol = text, .line = 1, .file = file};
    l->loc = (Loc){file, 1, 1};
}

static int lex_peek(const Lex *l, int k)
{
    return l->end - l->at > k ? (unsigned char)l->at[k] : -1;
}

static bool is_decimal(int ch) { return ch >= '0' && ch <= '9'; }

static bool ir_lex_letter(int ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}

static int lex_bad(Lex *l, Err e)
{
    l->bad = e;
    return Tbad;
}

/* A name or text of n bytes: the limit and n stand in the token's fields. */
static int lex_too_long(Lex *l, size_t limit, size_t n)
{
    l->n = (uint32_t)limit;
    l->i = n;
    return lex_bad(l, E_ir_limit);
}

/* Digits, at most 19 of them and below 2^64. */
static bool lex_decimal(Lex *l, uint64_t *v)
{
    *v = 0;
    bool ok = true;
    while (is_decimal(lex_peek(l, 0))) {
        unsigned d = (unsigned)(*l->at++ - '0');
        if (*v > (UINT64_MAX - d) / 10)
            ok = false;
        else
            *v = *v * 10 + d;
    }
    return ok;
}

static int numeral(Lex *l)
{
    const char *from = l->at;
    bool fits = lex_decimal(l, &l->i), real = false;
    if (lex_peek(l, 0) == '.' && is_decimal(lex_peek(l, 1))) {
        real = true;
        l->at++;
        while (is_decimal(lex_peek(l, 0)))
            l->at++;
    }
    int sign = lex_peek(l, 1) == '+' || lex_peek(l, 1) == '-';
    if ((lex_peek(l, 0) == 'e' || lex_peek(l, 0) == 'E') && is_decimal(lex_peek(l, 1 + sign))) {
        real = true;
        l->at += 1 + sign;
        while (is_decimal(lex_peek(l, 0)))
            l->at++;
    }
    if (ir_lex_letter(lex_peek(l, 0)))
        return lex_bad(l, E_ir_number);
    if (!real)
        return fits ? Tint : lex_bad(l, E_ir_number);
    char s[64];
    size_t n = (size_t)(l->at - from);
    if (n >= sizeof s)
        return lex_bad(l, E_ir_number);
    memcpy(s, from, n);
    s[n] = '\0';
    l->f = strtod(s, NULL);
    return Tfloat;
}

static int hexdigit(int ch)
{
    if (is_decimal(ch))
        return ch - '0';
    return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : -1;
}

/* What follows a backslash, or -1. */
static int ir_lex_escape(Lex *l)
{
    int ch = lex_peek(l, 0), hi, lo;
    if (ch == 'n' || ch == '\\' || ch == '"' || ch == '\'') {
        l->at++;
        return ch == 'n' ? '\n' : ch;
    }
    if (ch != 'x' || (hi = hexdigit(lex_peek(l, 1))) < 0 || (lo = hexdigit(lex_peek(l, 2))) < 0 ||
        hi + lo == 0)
        return -1;
    l->at += 3;
    return hi * 16 + lo;
}

static bool lex_quoted(Lex *l, size_t limit)
{
    int quote = *l->at++;
    const char *from = l->at;
    while (lex_peek(l, 0) != quote) {
        if (lex_peek(l, 0) < 0 || lex_peek(l, 0) == '\n')
            return !lex_bad(l, E_ir_quote);
        l->at += lex_peek(l, 0) == '\\' && lex_peek(l, 1) >= 0 && lex_peek(l, 1) != '\n' ? 2 : 1;
    }
    if ((size_t)(l->at - from) > 4 * limit)
        return !lex_too_long(l, limit, (size_t)(l->at - from) / 4);
    const char *end = l->at;
    char *s = anew(l->ctx, (size_t)(end - from) + 1), *t = s;
    l->at = from;
    while (l->at < end) {
        int ch = (unsigned char)*l->at++;
        if (ch == '\\' && (ch = ir_lex_escape(l)) < 0)
            return !lex_bad(l, E_ir_escape);
        if (ch == 0) {
            l->i = 0;
            return !lex_bad(l, E_ir_char);
        }
        *t++ = (char)ch;
    }
    l->at++;
    l->s = s;
    return (size_t)(t - s) <= limit ? true : !lex_too_long(l, limit, (size_t)(t - s));
}

/* The suffix of a name. */
static int lex_suffix(Lex *l, int tok)
{
    uint64_t n;
    l->n = 1;
    if (lex_peek(l, 0) != '.' || !is_decimal(lex_peek(l, 1)))
        return tok;
    l->at++;
    if (!lex_decimal(l, &n) || n > UINT32_MAX / 2)
        return lex_bad(l, E_ir_number);
    l->n = (uint32_t)n;
    return Tname;
}

static int lex_name(Lex *l)
{
    const char *from = l->at;
    while (ir_lex_letter(lex_peek(l, 0)) || is_decimal(lex_peek(l, 0)))
        l->at++;
    size_t n = (size_t)(l->at - from);
    if (n > TextName)
        return lex_too_long(l, TextName, n);
    l->s = astr(l->ctx, from, n);
    return lex_suffix(l, text_reserved(l->s) ? Tword : Tname);
}

static const struct { char a, b; uint8_t tok; } two[] = {
    {'<', '=', Tle}, {'=', '=', Teq}, {'~', '=', Tne}, {'!', '=', Tne}, {'<', '<', Tshl},
    {'>', '>', Tshr}, {'/', '/', Tfdiv}, {'-', '>', Tarrow}, {'<', '-', Tback}, {'.', '.', Tto},
    {':', '+', Textent},
};

static int lex_scan(Lex *l)
{
    int ch = lex_peek(l, 0);
    if (ch < 0)
        return Tend;
    if (ch == '\n')
        return Tline;
    if (is_decimal(ch))
        return numeral(l);
    if (ir_lex_letter(ch))
        return lex_name(l);
    if (ch == '\'')
        return lex_quoted(l, TextName) ? lex_suffix(l, Tname) : Tbad;
    if (ch == '"')
        return lex_quoted(l, TextString) ? Ttext : Tbad;
    if (ch == '$' && is_decimal(lex_peek(l, 1))) {
        l->at++;
        return lex_decimal(l, &l->i) ? Tdef : lex_bad(l, E_ir_number);
    }
    for (size_t i = 0; i < COUNT(two); i++)
        if (ch == two[i].a && lex_peek(l, 1) == two[i].b) {
            l->at += 2;
            return two[i].tok;
        }
    l->at++;
    if (ch < ' ' || ch > '~') {
        l->i = (unsigned)ch;
        return lex_bad(l, E_ir_char);
    }
    return Tchar + ch;
}

void lex_next(Lex *l)
{
    if (l->tok == Tline) {
        l->at++;
        l->line++;
        l->bol = l->at;
    }
    for (;;) {
        int ch = lex_peek(l, 0);
        if (ch == '-' && lex_peek(l, 1) == '-')
            while (lex_peek(l, 0) >= 0 && lex_peek(l, 0) != '\n')
                l->at++;
        else if (ch == ' ' || ch == '\t' || ch == '\r')
            l->at++;
        else
            break;
    }
    size_t col = (size_t)(l->at - l->bol) + 1;
    l->loc = (Loc){l->file, (uint16_t)(col > UINT16_MAX ? UINT16_MAX : col), l->line};
    l->s = NULL;
    l->tok = lex_scan(l);
}

const char *lex_saw(Lex *l)
{
    static const char *const sign[] = {
        [Tle] = "`<=`", [Teq] = "`==`", [Tne] = "`~=`", [Tshl] = "`<<`", [Tshr] = "`>>`",
        [Tfdiv] = "`//`", [Tarrow] = "`->`", [Tback] = "`<-`", [Tto] = "`..`", [Textent] = "`:+`",
    };
    Ctx *c = l->ctx;
    switch (l->tok) {
    case Tend: return "EOF";
    case Tline: return "NL";
    case Tname: case Tword: return afmt(c, "`%s`", l->s);
    case Tint: return afmt(c, "%llu", (unsigned long long)l->i);
    case Tfloat: return afmt(c, "%.9g", l->f);
    case Ttext: return afmt(c, "\"%.40s\"", l->s);
    case Tdef: return afmt(c, "`$%llu`", (unsigned long long)l->i);
    case Tbad: return "-";
    default: return l->tok < Tchar ? sign[l->tok] : afmt(c, "`%c`", l->tok - Tchar);
    }
}
