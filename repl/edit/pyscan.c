/* repl/edit/pyscan.c: as scan.c, of Python: tokens of an unfinished text, what is open in it, how far a line is indented.
 *
 *     with T.Kernel(8) as bx:
 *         for k in range(4):      open behind this line: with for
 *             T.copy(A[k,         with for ( [
 *     x = 1                       nothing: a line further left ends what is indented more */
#include <ctype.h>
#include <string.h>

#include "scan.h"

enum { Step = 4 }; /* columns of a block */

static bool pyscan_name(char c)
{
    unsigned char u = (unsigned char)c;
    return isalnum(u) || c == '_' || u >= 0x80;
}

static bool any_of(const char *s, const EditToken *t, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (token_is(s, t, words[i]))
            return true;
    return false;
}

/* Tokens -------------------------------------------------------------------- */

/* Behind the string whose quotes begin at i. */
static size_t pyscan_string(const char *s, size_t n, size_t i, bool *unfinished)
{
    char q = s[i];
    size_t k = i + 2 < n && s[i + 1] == q && s[i + 2] == q ? 3 : 1;
    for (i += k; i < n; i++) {
        if (s[i] == '\\' && i + 1 < n) {
            i++;
        } else if (k == 1 && (s[i] == q || s[i] == '\n')) {
            return s[i] == q ? i + 1 : i;
        } else if (k == 3 && s[i] == q && i + 2 < n && s[i + 1] == q && s[i + 2] == q) {
            return i + 3;
        }
    }
    *unfinished = k == 3;
    return n;
}

static size_t pyscan_number(const char *s, size_t n, size_t i)
{
    for (; i < n && (isalnum((unsigned char)s[i]) || s[i] == '.' || s[i] == '_'); i++)
        if ((s[i] | 0x20) == 'e' && i + 1 < n && (s[i + 1] == '+' || s[i + 1] == '-'))
            i++;
    return i;
}

bool pytoken_next(const char *s, size_t n, EditToken *t)
{
    static const char *const keywords[] = {
        "False", "None",   "True", "and",     "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def", "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global", "if",   "import",  "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",   "raise", "return", "try",  "while",  "with",   "yield",
    };
    size_t i = t->to, word = 0;
    while (i < n && isspace((unsigned char)s[i]))
        i++;
    *t = (EditToken){.kind = TokenSign, .from = i, .to = i + 1};
    if (i >= n)
        return false;
    while (i + word < n && pyscan_name(s[i + word]))
        word++;
    bool quote = i + word < n && (s[i + word] == '"' || s[i + word] == '\'');
    if (s[i] == '#') {
        const char *eol = memchr(s + i, '\n', n - i);
        t->kind = TokenComment;
        t->to = eol ? (size_t)(eol - s) : n;
    } else if (quote && word <= 2 && strspn(s + i, "rbfuRBFU") >= word) {
        t->kind = TokenString;
        t->to = pyscan_string(s, n, i + word, &t->unfinished);
    } else if (isdigit((unsigned char)s[i]) || (s[i] == '.' && i + 1 < n && isdigit((unsigned char)s[i + 1]))) {
        t->kind = TokenNumber;
        t->to = pyscan_number(s, n, i);
    } else if (word) {
        t->to = i + word;
        t->kind = any_of(s, t, keywords, COUNT(keywords)) ? TokenKeyword : TokenName;
    }
    return true;
}

/* What is open ----------------------------------------------------------------- */

static int pyscan_blanks(const char *s, size_t n, size_t line)
{
    int k = 0;
    while (line + (size_t)k < n && (s[line + (size_t)k] == ' ' || s[line + (size_t)k] == '\t'))
        k++;
    return k;
}

static bool bracket(const char *word) { return strchr("([{\"", word[0]) != NULL; }

static const char *const headers[] = {"def", "class", "for", "while", "if", "elif", "else",
                                      "with", "try", "except", "finally"};

/* A token that begins a line of statements: blocks that are not left of it have ended; it may begin one. */
static void begins(EditScan *c)
{
    int in = pyscan_blanks(c->s, c->n, c->line);
    while (c->nopen && pyscan_blanks(c->s, c->n, c->open[c->nopen - 1].line) >= in)
        c->nopen--;
    for (size_t i = 0; c->token.kind == TokenKeyword && i < COUNT(headers); i++)
        if (token_is(c->s, &c->token, headers[i]))
            scan_push(c, headers[i]);
}

void pyscan_step(EditScan *c, size_t before)
{
    static const char *const openers[] = {"(", "[", "{"}, closers[] = ")]}";
    const EditToken *t = &c->token;
    Open *o = c->nopen ? &c->open[c->nopen - 1] : NULL;
    bool fresh = before == 0 || memchr(c->s + before, '\n', t->from - before);
    if (fresh && t->kind != TokenComment && !(o && bracket(o->word)))
        begins(c);
    if (t->unfinished) {
        scan_push(c, "\"\"\"");
    } else if (t->kind == TokenSign) {
        const char *closer = strchr(closers, c->s[t->from]);
        for (size_t i = 0; i < COUNT(openers); i++)
            if (token_is(c->s, t, openers[i]))
                scan_push(c, openers[i]);
        o = c->nopen ? &c->open[c->nopen - 1] : NULL;
        if (closer && o && o->word[0] == openers[closer - closers][0]) {
            c->closes = o->at;
            c->nopen--;
        }
    }
}

/* Indentation ----------------------------------------------------------------- */

/* How far inside the bracket a line stands: below what follows it, or one step when nothing does. */
static int inside(const char *s, size_t n, const Open *o)
{
    EditToken t = {.to = o->at + 1};
    if (pytoken_next(s, n, &t) && !memchr(s + o->at, '\n', t.from - o->at) && t.kind != TokenComment)
        return (int)(t.from - o->line);
    return pyscan_blanks(s, n, o->line) + Step;
}

/* Where `else` and its like stand: below the nearest of those words that they may belong to. */
static int below(const char *s, size_t at, const EditToken *t, int in)
{
    static const struct { const char *word, *of[5]; } rows[] = {
        {"elif", {"if", "elif"}},
        {"else", {"if", "elif", "for", "while", "except"}},
        {"except", {"try", "except"}},
        {"finally", {"try", "except", "else"}},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        if (!token_is(s, t, rows[r].word))
            continue;
        for (size_t line = at; line > 0;) {
            EditToken head = {.to = --line};
            while (line > 0 && s[line - 1] != '\n')
                line--;
            head.to = line;
            int k = pyscan_blanks(s, at, line);
            bool word = pytoken_next(s, at, &head) && k <= in;
            for (size_t i = 0; word && i < COUNT(rows[r].of) && rows[r].of[i]; i++)
                if (token_is(s, &head, rows[r].of[i]))
                    return k;
        }
    }
    return in;
}

int pyscan_indent(const char *s, size_t n, size_t at)
{
    static const char *const leaves[] = {"return", "pass", "break", "continue", "raise"};
    EditScan c;
    EditToken first = {.to = at}, last = {0};
    scan_begin(&c, s, at, true);
    size_t line = 0;
    bool left = false; /* does the last line leave its block? */
    while (scan_next(&c)) {
        if (c.token.kind == TokenComment)
            continue;
        if (c.line != line || last.to == 0)
            left = any_of(s, &c.token, leaves, COUNT(leaves));
        line = c.line;
        last = c.token;
    }
    const Open *o = c.nopen ? &c.open[c.nopen - 1] : NULL;
    if (o && o->word[0] == '"')
        return pyscan_blanks(s, n, at);
    if (o && bracket(o->word))
        return inside(s, n, o);
    int in = pyscan_blanks(s, n, o ? o->line : 0);
    if (o)
        in += left && last.to && o->line != line ? 0 : Step;
    if (o && token_is(s, &last, ":") == false && line == o->line) /* if x: y */
        in -= Step;
    bool word = at < n && pytoken_next(s, n, &first) && !memchr(s + at, '\n', first.from - at);
    return word && first.kind == TokenKeyword ? below(s, at, &first, pyscan_blanks(s, n, at)) : in;
}

bool pytoken_leads_out(const char *s, const EditToken *t)
{
    static const char *const words[] = {"elif", "else", "except", "finally"};
    return t->kind == TokenKeyword && any_of(s, t, words, COUNT(words));
}
