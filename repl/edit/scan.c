/* repl/edit/scan.c: tokens of an unfinished text, and what is open in it. */
#include <ctype.h>
#include <string.h>

#include "scan.h"

/* Tokens -------------------------------------------------------------------- */

static const char *const keywords[] = {
    "and",   "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto", "if",
    "in",    "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until",
    "while",
};

static bool isname(char c)
{
    unsigned char u = (unsigned char)c;
    return isalnum(u) || c == '_' || u >= 0x80;
}

bool token_is(const char *s, const EditToken *t, const char *word)
{
    size_t n = strlen(word);
    return t->to - t->from == n && memcmp(s + t->from, word, n) == 0;
}

static bool iskeyword(const char *s, const EditToken *t)
{
    for (size_t i = 0; i < COUNT(keywords); i++)
        if (token_is(s, t, keywords[i]))
            return true;
    return false;
}

/* The level of the long bracket "[==[" at i, or -1. */
static int long_bracket(const char *s, size_t n, size_t i)
{
    int level = 0;
    for (i++; i < n && s[i] == '='; i++)
        level++;
    return i < n && s[i] == '[' ? level : -1;
}

/* Behind the closing bracket of that level; n when there is none. */
static size_t long_end(const char *s, size_t n, size_t i, int level, bool *unfinished)
{
    for (; i < n; i++) {
        if (s[i] != ']')
            continue;
        size_t j = i + 1;
        int k = 0;
        for (; j < n && s[j] == '='; j++)
            k++;
        if (k == level && j < n && s[j] == ']')
            return j + 1;
        i = j - 1;
    }
    *unfinished = true;
    return n;
}

/* A short string ends with its quote, or with the line. */
static size_t string_end(const char *s, size_t n, size_t i)
{
    char quote = s[i];
    for (i++; i < n && s[i] != quote && s[i] != '\n'; i++) {
        if (s[i] != '\\' || i + 1 >= n)
            continue;
        i++;
        if (s[i] == 'z')
            while (i + 1 < n && isspace((unsigned char)s[i + 1]))
                i++;
    }
    return i < n && s[i] == quote ? i + 1 : i;
}

static size_t number_end(const char *s, size_t n, size_t i)
{
    bool hex = i + 1 < n && s[i] == '0' && (s[i + 1] | 0x20) == 'x';
    for (; i < n; i++) {
        char low = (char)(s[i] | 0x20);
        if (low == (hex ? 'p' : 'e') && i + 1 < n && (s[i + 1] == '+' || s[i + 1] == '-'))
            i++;
        else if (s[i] == '.' && i + 1 < n && s[i + 1] == '.')
            break; /* 1 ..x: the two dots are a sign */
        else if (!isalnum((unsigned char)s[i]) && s[i] != '.')
            break;
    }
    return i;
}

static void comment(const char *s, size_t n, EditToken *t)
{
    size_t i = t->from + 2;
    int level = i < n && s[i] == '[' ? long_bracket(s, n, i) : -1;
    t->kind = TokenComment;
    if (level >= 0) {
        t->to = long_end(s, n, i + 2 + (size_t)level, level, &t->unfinished);
        return;
    }
    const char *eol = memchr(s + i, '\n', n - i);
    t->to = eol ? (size_t)(eol - s) : n;
}

bool token_next(const char *s, size_t n, EditToken *t)
{
    size_t i = t->to;
    while (i < n && isspace((unsigned char)s[i]))
        i++;
    *t = (EditToken){.kind = TokenSign, .from = i, .to = i + 1};
    if (i >= n)
        return false;
    char c = s[i], next = i + 1 < n ? s[i + 1] : '\0';
    if (c == '-' && next == '-') {
        comment(s, n, t);
    } else if (c == '"' || c == '\'') {
        t->kind = TokenString;
        t->to = string_end(s, n, i);
    } else if (c == '[' && long_bracket(s, n, i) >= 0) {
        int level = long_bracket(s, n, i);
        t->kind = TokenString;
        t->to = long_end(s, n, i + 2 + (size_t)level, level, &t->unfinished);
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) {
        t->kind = TokenNumber;
        t->to = number_end(s, n, i);
    } else if (isname(c)) {
        while (t->to < n && isname(s[t->to]))
            t->to++;
        t->kind = iskeyword(s, t) ? TokenKeyword : TokenName;
    }
    return true;
}

/* What is open ----------------------------------------------------------------- */

void scan_begin(EditScan *c, const char *s, size_t n, bool python)
{
    *c = (EditScan){.s = s, .n = n, .python = python, .closes = NoPlace};
}

/* A construct whose outer one stands on the same line starts with it, so that
 * `f(function()` indents once. */
static void edit_scan_push(EditScan *c, const char *word, bool head)
{
    if (c->nopen < OpenMax)
        c->open[c->nopen++] = (Open){word, c->token.from, c->line, head};
}

void scan_push(EditScan *c, const char *word) { edit_scan_push(c, word, false); }

/* Ends the innermost construct that one of the words names, and what is
 * forgotten open inside of it. */
static void pop(EditScan *c, const char *const *words)
{
    for (int i = c->nopen; i-- > 0;)
        for (const char *const *w = words; *w; w++)
            if (strcmp(c->open[i].word, *w) == 0) {
                c->closes = c->open[i].at;
                c->nopen = i;
                return;
            }
}

static Open *top(EditScan *c) { return c->nopen ? &c->open[c->nopen - 1] : NULL; }

/* `do` and `then` end the head of what is open; alone, `do` opens a block. */
static void head_ends(EditScan *c, bool isdo)
{
    Open *o = top(c);
    if (o && o->head)
        o->head = false;
    else if (isdo)
        edit_scan_push(c, "do", false);
}

/* What one keyword or sign does to the stack. */
static void open_close(EditScan *c)
{
    static const char *const blocks[] = {"function", "for", "while", "if", "do", NULL};
    static const char *const repeats[] = {"repeat", NULL};
    static const struct { const char *word; bool head; } openers[] = {
        {"function", false}, {"for", true}, {"while", true}, {"if", true},
        {"repeat", false},   {"(", false},  {"[", false},    {"{", false},
    };
    static const struct { const char *word; const char *of[2]; } closers[] = {
        {")", {"(", NULL}}, {"]", {"[", NULL}}, {"}", {"{", NULL}},
    };
    const EditToken *t = &c->token;
    for (size_t i = 0; i < COUNT(openers); i++)
        if (token_is(c->s, t, openers[i].word)) {
            edit_scan_push(c, openers[i].word, openers[i].head);
            return;
        }
    for (size_t i = 0; i < COUNT(closers); i++)
        if (token_is(c->s, t, closers[i].word)) {
            pop(c, closers[i].of);
            return;
        }
    if (token_is(c->s, t, "end"))
        pop(c, blocks);
    else if (token_is(c->s, t, "until"))
        pop(c, repeats);
    else if (token_is(c->s, t, "do") || token_is(c->s, t, "then"))
        head_ends(c, token_is(c->s, t, "do"));
    else if (token_is(c->s, t, "elseif") && top(c) && strcmp(top(c)->word, "if") == 0)
        top(c)->head = true;
}

bool scan_next(EditScan *c)
{
    size_t before = c->token.to;
    c->closes = NoPlace;
    if (!(c->python ? pytoken_next : token_next)(c->s, c->n, &c->token))
        return false;
    for (size_t i = before; i < c->token.from; i++)
        if (c->s[i] == '\n')
            c->line = i + 1;
    if (c->python)
        pyscan_step(c, before);
    else if (c->token.kind == TokenKeyword || c->token.kind == TokenSign)
        open_close(c);
    else if (c->token.unfinished)
        edit_scan_push(c, c->token.kind == TokenString ? "[[" : "--[[", false);
    if (c->token.kind == TokenString || c->token.kind == TokenComment)
        for (size_t i = c->token.from; i < c->token.to; i++)
            if (c->s[i] == '\n')
                c->line = i + 1;
    return true;
}

void scan_words(const EditScan *c, int upto, int columns, Str *out)
{
    int first = upto, width = 0;
    while (first > 0) {
        int more = (int)strlen(c->open[first - 1].word) + (width > 0);
        if (width + more + (first > 1 ? 2 : 0) > columns)
            break;
        width += more;
        first--;
    }
    if (first > 0 && columns > 0)
        str_puts(out, first < upto ? "+ " : "+");
    for (int i = first; i < upto; i++)
        str_fmt(out, "%s%s", i > first ? " " : "", c->open[i].word);
}

void scan_open(const char *s, size_t n, bool python, int columns, Str *out)
{
    EditScan c;
    scan_begin(&c, s, n, python);
    while (scan_next(&c))
        ;
    scan_words(&c, c.nopen, columns, out);
}

/* Indentation ----------------------------------------------------------------- */

static int edit_scan_blanks(const char *s, size_t n, size_t line)
{
    int k = 0;
    while (line + (size_t)k < n && s[line + (size_t)k] == ' ')
        k++;
    return k;
}

bool token_leads_out(const char *s, const EditToken *t)
{
    static const char *const words[] = {"end", "until", "else", "elseif", ")", "]", "}"};
    for (size_t i = 0; i < COUNT(words); i++)
        if ((t->kind == TokenKeyword || t->kind == TokenSign) && token_is(s, t, words[i]))
            return true;
    return false;
}

static size_t edit_scan_line_start(const char *s, size_t at)
{
    while (at > 0 && s[at - 1] != '\n')
        at--;
    return at;
}

int scan_indent(const char *s, size_t n, size_t at)
{
    EditScan c;
    scan_begin(&c, s, at, false);
    while (scan_next(&c))
        ;
    Open *o = top(&c);
    if (o && strchr("-[", o->word[0]) && o->word[1]) /* the lines of a string are its own */
        return edit_scan_blanks(s, n, at);
    if (!o) {
        size_t last = at ? edit_scan_line_start(s, at - 1) : 0;
        return at ? edit_scan_blanks(s, n, last) : 0;
    }
    EditToken t = {.to = at};
    bool out = token_next(s, n, &t) && !memchr(s + at, '\n', t.from - at) && token_leads_out(s, &t);
    return edit_scan_blanks(s, n, o->line) + (out ? 0 : 2);
}

/* Pairs and names ----------------------------------------------------------------- */

static bool pairs(const char *s, const EditToken *t)
{
    static const char *const words[] = {"(", ")", "[", "]", "{", "}", "function", "for",
                                        "while", "if", "do", "repeat", "end", "until"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (token_is(s, t, words[i]))
            return t->kind == TokenSign || t->kind == TokenKeyword;
    return false;
}

/* The token at the place, a bracket before it when there is none. */
static bool at_place(const char *s, size_t n, bool python, size_t at, EditToken *one)
{
    EditToken t = {0};
    bool found = false;
    while ((python ? pytoken_next : token_next)(s, n, &t) && t.from <= at) {
        bool inside = at < t.to, before = at == t.to && t.kind == TokenSign;
        if ((inside || before) && pairs(s, &t)) {
            *one = t;
            found = true;
        }
    }
    return found;
}

bool scan_pair(const char *s, size_t n, bool python, size_t at, EditToken *one, EditToken *other)
{
    if (!at_place(s, n, python, at, one))
        return false;
    EditScan c;
    scan_begin(&c, s, n, python);
    while (scan_next(&c)) {
        if (c.closes == NoPlace)
            continue;
        if (c.closes == one->from) {
            *other = c.token;
            return true;
        }
        if (c.token.from == one->from) {
            *other = (EditToken){.to = c.closes};
            return token_next(s, n, other);
        }
    }
    return false;
}

static bool inname(char c) { return isname(c) || c == '.' || c == ':'; }

bool scan_name(const char *s, size_t n, size_t at, size_t *from, size_t *to)
{
    size_t a = at;
    if (a >= n || !inname(s[a])) /* behind a name, or behind the "(" of a call */
        while (a > 0 && strchr(" ({\"'", s[a - 1]))
            a--;
    size_t b = a;
    while (a > 0 && inname(s[a - 1]))
        a--;
    while (b < n && isname(s[b]))
        b++;
    while (b > a && (s[b - 1] == '.' || s[b - 1] == ':'))
        b--;
    *from = a;
    *to = b;
    return b > a && !isdigit((unsigned char)s[a]);
}

char scan_mode(const char *s, size_t n)
{
    size_t i = 0, end = n;
    while (i < n && (s[i] == ' ' || s[i] == '\t'))
        i++;
    while (end > i && isspace((unsigned char)s[end - 1]))
        end--;
    if (i == end)
        return 0;
    if (s[i] == ':')
        return i + 1 < end && s[i + 1] == ':' ? 0 : ':';
    if (s[i] == '?' || s[i] == '!')
        return s[i];
    if (s[end - 1] != '?')
        return 0;
    while (end > i && s[end - 1] == '?')
        end--;
    while (i < end && (inname(s[i]) || s[i] == '@'))
        i++;
    return i == end ? '?' : 0;
}
