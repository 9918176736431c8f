/* lua/reader/dialect_wrong.c: what is most likely meant where a text is not valid.
 *
 * The parser stops at the first token that cannot stand where it does, which
 * is often far behind the mistake.  Here the tokens up to there are walked
 * again: which blocks are open, and which `end` stands further left than the
 * block that it closes.  No function here returns, except rd_meant. */
#include <string.h>

#include "dialect_p.h"
#include "err/lang.h"

/* Open blocks -------------------------------------------------------------- */

enum { MaxOpen = 200 };

typedef struct WrongScan {
    uint32_t open[MaxOpen]; /* tokens that wait for their `end`, `)` ... */
    int n;
    bool loop;              /* a `while` or `for` waits for its `do` */
    uint32_t suspect;       /* opener that an `end` further left has closed; 0 none */
    uint32_t elseif;        /* an `if` right behind `else`; 0 none */
} WrongScan;

static enum Tk dwrong_kind(const Reader *p, uint32_t tok) { return (enum Tk)p->tok[tok].kind; }

static bool first_of_line(const Reader *p, uint32_t tok)
{
    return tok == 0 || p->tok[tok - 1].line != p->tok[tok].line;
}

/* How far the line of a token is indented, in characters. */
static uint32_t dwrong_indent(const Reader *p, uint32_t tok)
{
    while (!first_of_line(p, tok))
        tok--;
    uint32_t at = p->tok[tok].at, n = 0;
    while (at > n && (p->src[at - n - 1] == ' ' || p->src[at - n - 1] == '\t'))
        n++;
    return n;
}

static void scan_push(WrongScan *s, uint32_t tok)
{
    if (s->n < MaxOpen)
        s->open[s->n++] = tok;
}

static enum Tk closer(enum Tk opener)
{
    switch (opener) {
    case TKlparen: return TKrparen;
    case TKlbrace: return TKrbrace;
    case TKlbracket: return TKrbracket;
    case TKrepeat: return TKuntil;
    default: return TKend;
    }
}

static void scan_pop(const Reader *p, WrongScan *s, uint32_t tok)
{
    if (!s->n || closer(dwrong_kind(p, s->open[s->n - 1])) != dwrong_kind(p, tok))
        return;
    uint32_t opener = s->open[--s->n];
    if (dwrong_kind(p, tok) == TKend && !s->suspect && first_of_line(p, tok) &&
        dwrong_indent(p, tok) < dwrong_indent(p, opener))
        s->suspect = opener;
}

/* Walks the tokens before `end`. */
static void dwrong_scan(const Reader *p, WrongScan *s, uint32_t end)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < end; i++) {
        switch (dwrong_kind(p, i)) {
        case TKwhile: case TKfor:
            s->loop = true;
            scan_push(s, i);
            break;
        case TKdo:
            if (!s->loop)
                 scan_push(s, i);
            s->loop = false;
            break;
        case TKif:
            if (i && dwrong_kind(p, i - 1) == TKelse && p->tok[i - 1].line == p->tok[i].line)
                 s->elseif = i;
            scan_push(s, i);
            break;
        case TKfunction: case TKrepeat: case TKlparen: case TKlbrace: case TKlbracket:
            scan_push(s, i);
            break;
        case TKend: case TKuntil: case TKrparen: case TKrbrace: case TKrbracket:
            scan_pop(p, s, i);
            break;
        default: break;
        }
    }
}

/* Blocks as in other languages ---------------------------------------------------- */

/* What begins the block of the line on which a token stands; NULL: no loop or branch
 * begins there. */
static const char *block_word(const Reader *p, uint32_t tok)
{
    while (!first_of_line(p, tok))
        tok--;
    enum Tk k = dwrong_kind(p, tok);
    return k == TKfor || k == TKwhile ? "`do`" : k == TKif || k == TKelseif ? "`then`" : NULL;
}

/* A key of a table, as far as it is worth repeating. */
static const char *key_text(Reader *p, uint32_t tok)
{
    const DialectTok *t = &p->tok[tok];
    return t->end - t->at <= 40 ? rd_text_of(p, t->at, t->end) : "k";
}

/* `{a: 1}`, and the name was taken for an object.  Raises, or returns. */
static void entry_colon(Reader *p, uint32_t colon)
{
    WrongScan s;
    dwrong_scan(p, &s, colon);
    if (s.n && dwrong_kind(p, s.open[s.n - 1]) == TKlbrace && colon &&
        dwrong_kind(p, colon - 1) == TKname)
        rd_fail(p, E_lex_foreign, colon - 1, rd_quote_text(p, p->tok[colon - 1].at, p->tok[colon].end),
                afmt(p->c, "`%s = ...`", key_text(p, colon - 1)), NULL, NULL);
}

/* Is the colon one that ends a line, or that text and a blank follow: `if x: y`? */
static bool ends_line(const Reader *p, uint32_t colon)
{
    const DialectTok *t = &p->tok[colon];
    return p->tok[colon + 1].line != t->line || (t->end < p->n && p->src[t->end] == ' ');
}

/* `for i in range(n):`, and the next line was taken for the name of a method; or there is none
 * yet, and no line could follow that makes it right. */
void rd_colon(Reader *p)
{
    uint32_t colon = p->at - (p->at > 0);
    if (dwrong_kind(p, colon) == TKname && colon > 0)
        colon--;
    if (dwrong_kind(p, colon) != TKcolon)
        return;
    const char *word = block_word(p, colon);
    bool ends = colon + 1 == p->at ? cur(p) == TKeof : false;
    if (word && (ends || ends_line(p, colon)))
        rd_fail(p, E_lex_foreign, colon, "`:`", word, NULL, NULL);
    if (cur(p) != TKeof)
        entry_colon(p, colon);
}

/* `for i in f(n) {`, and the block was taken for a table.  Raises, or returns. */
static void block_brace(Reader *p, uint32_t brace)
{
    const char *word = block_word(p, brace);
    if (word && dwrong_kind(p, brace) == TKlbrace && first_of_line(p, brace + 1))
        rd_fail(p, E_syn_brace, brace, word, NULL, NULL, NULL);
}

/* Missing closers ------------------------------------------------------------------ */

static const char *dwrong_line_of(Reader *p, uint32_t tok)
{
    return afmt(p->c, "%u", p->tok[tok].line);
}

/* The closer of `opener` is missing where we are: says which block seems to be
 * the one, when the text's indentation or an `else if` shows it. */
void rd_unclosed(Reader *p, enum Tk k, uint32_t opener)
{
    WrongScan s;
    const char *want = afmt(p->c, "`%s`", rd_text[k]), *what = rd_quote_tok(p, opener);
    const char *saw = rd_quote_tok(p, p->at), *line = dwrong_line_of(p, opener);
    dwrong_scan(p, &s, p->at);
    if (k == TKrbrace && cur(p) == TKassign)
        block_brace(p, opener);
    if (k == TKend && s.elseif)
        rd_fail(p, E_syn_elseif, p->at, want, what, line, saw);
    if (k != TKend || !s.suspect || s.suspect == opener)
        rd_fail(p, E_syn_unclosed, p->at, want, what, line, saw);
    p->more[0] = rd_quote_tok(p, s.suspect);
    p->more[1] = dwrong_line_of(p, s.suspect);
    rd_fail(p, E_syn_suspect, p->at, want, what, line, saw);
}

static bool starts_entry(enum Tk k)
{
    return k == TKname || k == TKnumber || k == TKstring || k == TKlbrace || k == TKfunction ||
           k == TKnil || k == TKtrue || k == TKfalse;
}

static bool ends_operand(enum Tk k)
{
    return k == TKname || k == TKnumber || k == TKstring || k == TKnil || k == TKtrue ||
           k == TKfalse || k == TKrparen || k == TKrbracket || k == TKrbrace;
}

/* Statements ----------------------------------------------------------------- */

/* What closes something, and what it would close. */
static const struct { uint8_t tk; const char *text; } openers[] = {
    {TKend, "`do`, `then`, `function`"}, {TKelse, "`if`"}, {TKelseif, "`if`"},
    {TKuntil, "`repeat`"}, {TKrparen, "`(`"}, {TKrbrace, "`{`"}, {TKrbracket, "`[`"},
};

/* A token that starts no statement. */
void rd_nostatement(Reader *p)
{
    WrongScan s;
    enum Tk k = cur(p);
    dwrong_scan(p, &s, p->at);
    uint32_t opener = s.n ? s.open[s.n - 1] : 0;
    bool block = s.n && closer(dwrong_kind(p, opener)) != TKrparen &&
                 closer(dwrong_kind(p, opener)) != TKrbrace &&
                 closer(dwrong_kind(p, opener)) != TKrbracket;
    if (block && (k == TKrparen || k == TKrbrace || k == TKrbracket || k == TKeof || k == TKend))
        rd_unclosed(p, closer(dwrong_kind(p, opener)), opener);
    if (k == TKlbracket)
        rd_noexpr(p);
    if (k == TKidiv)
        rd_fail(p, E_syn_hash, p->at, rd_quote_tok(p, p->at), NULL, NULL, NULL);
    if (k == TKcolon)
        rd_fail(p, E_syn_colon, p->at, rd_quote_tok(p, p->at - (p->at > 0)), NULL, NULL, NULL);
    for (size_t i = 0; i < COUNT(openers); i++)
        if (openers[i].tk == k)
            rd_fail(p, E_syn_extra, p->at, rd_quote_tok(p, p->at), openers[i].text, NULL, NULL);
    rd_fail(p, E_syn_statement, p->at, rd_quote_tok(p, p->at), NULL, NULL, NULL);
}

/* Words with which statements start elsewhere. */
static const struct { const char *word, *lua; } foreign[] = {
    {"def", "`function`"},      {"fn", "`function`"},     {"func", "`function`"},
    {"with", "`for bx in T.Kernel(...) do`"},             {"elif", "`elseif`"},
    {"elsif", "`elseif`"},      {"import", "`require`"},  {"from", "`require`"},
    {"var", "`local`"},         {"let", "`local`"},       {"const", "`local`"},
    {"auto", "`local`"},        {"int", "`local`"},       {"float", "`local`"},
    {"try", "`pcall`"},         {"raise", "`error(...)`"}, {"throw", "`error(...)`"},
    {"class", "a table"},       {"foreach", "`for`"},     {"unless", "`if not`"},
    {"del", "`x = nil`"},       {"lambda", "`function(x) return ... end`"},
    {"async", "`function`"},    {"yield", "`coroutine.yield(...)`"},
    {"global", "`x = ...`"},    {"nonlocal", "`x = ...`"},
};

/* Python ----------------------------------------------------------------------- */

enum { PythonLines = 2 }; /* one may be a slip of somebody who writes Lua */

/* Does the line s[0 .. left) begin with the word, and a name behind it? */
static bool word_at(const char *s, uint32_t left, const char *word)
{
    size_t n = strlen(word);
    return left > n + 1 && memcmp(s, word, n) == 0 && s[n] == ' ' && s[n + 1] != '=';
}

/* A line that only Lua has. */
static bool lua_line(const char *s, uint32_t n)
{
    return word_at(s, n, "local") || (n >= 3 && memcmp(s, "end", 3) == 0 &&
                                      (n == 3 || s[3] == ' ' || s[3] == ')' || s[3] == ','));
}

/* Is s[0 .. n), a line without its indentation, one that only Python has? */
static bool python_line(const char *s, uint32_t n)
{
    static const char *const plain[] = {"import", "from"};
    static const char *const opens[] = {"def", "class", "with", "for", "while", "if", "elif"};
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\r'))
        n--;
    for (size_t i = 0; i < COUNT(plain); i++)
        if (word_at(s, n, plain[i]))
            return true;
    for (size_t i = 0; n && s[n - 1] == ':' && i < COUNT(opens); i++)
        if (word_at(s, n, opens[i]))
            return true;
    return n > 1 && s[0] == '@' && (s[1] == 'T' || s[1] == 't');
}

void rd_python(Reader *p)
{
    uint32_t found = 0, first = 0;
    for (uint32_t from = 0, to; from < p->n; from = to + 1) {
        const char *end = memchr(p->src + from, '\n', p->n - from);
        to = end ? (uint32_t)(end - p->src) : p->n;
        while (from < to && (p->src[from] == ' ' || p->src[from] == '\t'))
            from++;
        if (lua_line(p->src + from, to - from))
            return;
        if (python_line(p->src + from, to - from) && found++ == 0)
            first = from;
    }
    if (found >= PythonLines)
        diag_fail(p->c, E_syn_python, rd_loc_at(p, first), NULL);
}

/* Words that are variables in Lua, which nobody has set: nil, where true was meant. */
static const char *const words[] = {"True", "False", "None"};

/* Which of them the token is; -1: none. */
static int word_of(const Reader *p, uint32_t tok)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (rd_name_is(p, tok, words[i]))
            return (int)i;
    return -1;
}

/* With a local _ENV in sight the table of variables is the user's own. */
static bool own_variables(const Reader *p)
{
    for (uint32_t i = 0; i < p->nlocal; i++)
        if (!p->local[i].self && rd_name_is(p, p->local[i].tok, "_ENV"))
            return true;
    return false;
}

/* Kernels look after themselves (lua/stage/strict.lua), and what is called or indexed is an error
 * of Lua's. */
void rd_word_read(Reader *p, uint32_t tok)
{
    switch (peek(p, 1)) {
    case TKlparen: case TKlbracket: case TKlbrace: case TKdot: case TKcolon: case TKstring:
        return;
    default: break;
    }
    if (word_of(p, tok) < 0 || rd_local_find(p, tok) || own_variables(p))
        return;
    if (p->nword == p->capword)
        agrow(p->c, &p->word, &p->capword, p->capword ? p->capword * 2 : 8, sizeof *p->word);
    p->word[p->nword++] = tok;
}

void rd_word_set(Reader *p, uint32_t tok)
{
    int w = word_of(p, tok);
    if (w >= 0 && !rd_local_find(p, tok))
        p->owned |= 1u << w;
}

/* A program that gives such a variable a value, here or elsewhere, has it. */
void rd_words_write(Reader *p)
{
    for (uint32_t i = 0; i < p->nword; i++) {
        int w = word_of(p, p->word[i]);
        const char *s = words[w];
        if (!(p->owned & 1u << w))
            rd_edit_instead(p, p->word[i],
                            afmt(p->c, "(%s == nil and __stage and __stage.word(\"%s\") or %s)",
                                 s, s, s));
    }
}

/* `x is y`; at the token. */
static void is_compared(Reader *p, uint32_t tok)
{
    if (tok == 0 || !rd_name_is(p, tok, "is") || p->tok[tok - 1].line != p->tok[tok].line)
        return;
    bool no = tok + 1 < p->ntok && dwrong_kind(p, tok + 1) == TKnot;
    rd_fail(p, E_lex_foreign, tok, no ? "`is not`" : "`is`", no ? "`~=`" : "`==`", NULL, NULL);
}

/* A text between three quotes is an empty one before another; at the first. */
static void tripled(Reader *p, uint32_t tok)
{
    if (dwrong_kind(p, tok) == TKstring && dwrong_kind(p, tok + 1) == TKstring &&
        p->tok[tok].end == p->tok[tok + 1].at)
        rd_fail(p, E_lex_foreign, tok, afmt(p->c, "`%.3s`", p->src + p->tok[tok].at), "`[[...]]`",
                NULL, NULL);
}

/* `assert x == 1`, `print x`: a call without parentheses. */
static void bare_call(Reader *p, uint32_t start)
{
    static const char *const calls[] = {"assert", "print"};
    for (size_t i = 0; i < COUNT(calls); i++)
        if (rd_name_is(p, start, calls[i]))
            rd_fail(p, E_lex_foreign, start,
                    rd_quote_text(p, p->tok[start].at, p->tok[start + 1].end),
                    afmt(p->c, "`%s(...)`", calls[i]), NULL, NULL);
}

/* `import torch`, `from tilelang import T`: there is nothing to be had from these. */
static void imports(Reader *p, uint32_t start)
{
    static const char *const there[] = {"tilelang", "torch", "numpy", "cupy", "triton", "tvm", "jax",
                                        "math", "os", "sys", "time"};
    if (!rd_name_is(p, start, "import") && !rd_name_is(p, start, "from"))
        return;
    for (size_t i = 0; i < COUNT(there); i++)
        if (rd_name_is(p, start + 1, there[i]))
            rd_fail(p, E_syn_import, start, rd_quote_tok(p, start), NULL, NULL, NULL);
}

/* An expression stands where a statement should.  start: its first token. */
void rd_lone(Reader *p, uint32_t start)
{
    uint32_t after = start + 1 < p->ntok ? start + 1 : start;
    bool one = dwrong_kind(p, start) == TKname && p->tok[after].line == p->tok[start].line;
    bool word = one && (dwrong_kind(p, after) == TKname || dwrong_kind(p, after) == TKstring ||
                        dwrong_kind(p, after) == TKcolon);
    is_compared(p, start);
    if (after > start)
        tripled(p, start);
    for (uint32_t i = start + 1; i < p->ntok && p->tok[i].line == p->tok[start].line; i++)
        if (ends_operand(dwrong_kind(p, i - 1)))
            is_compared(p, i); /* `x is y`, `not x is y` */
    if (one && (starts_entry(dwrong_kind(p, after)) || dwrong_kind(p, after) == TKnot))
        bare_call(p, start);
    if (word)
        imports(p, start);
    for (size_t i = 0; word && i < COUNT(foreign); i++)
        if (rd_name_is(p, start, foreign[i].word))
            rd_fail(p, E_lex_foreign, start, rd_quote_tok(p, start), foreign[i].lua, NULL, NULL);
    if (rd_name_is(p, start, "pass"))
        rd_fail(p, E_lex_foreign, start, rd_quote_tok(p, start), "`do end`", NULL, NULL);
    if (dwrong_kind(p, start) == TKlen)
        rd_fail(p, E_syn_hash, start, rd_quote_tok(p, start), NULL, NULL, NULL);
    rd_fail(p, E_syn_effect, start, NULL, NULL, NULL, NULL);
}

/* Single tokens ----------------------------------------------------------------- */

/* A colon that ends the head of the construct that `do` or `then` should follow;
 * 0: there is none. */
static uint32_t line_colon(const Reader *p)
{
    for (uint32_t i = p->at; i > 0 && p->at - i < 64; i--) {
        enum Tk k = dwrong_kind(p, i);
        if (k == TKcolon && i + 1 < p->ntok && ends_line(p, i))
            return i;
        if (i < p->at && (k == TKdo || k == TKthen || k == TKend))
            break;
    }
    return 0;
}

/* What Python writes where something else should stand. */
static const struct { uint8_t want, saw; Err id; } python[] = {
    {TKrparen, TKassign, E_syn_keyword}, /* f(x, name=value) */
    {TKrparen, TKcolon, E_syn_paramtype}, /* function(A: type) */
    {TKrparen, TKcomma, E_syn_tuple},   /* (M, N) */
    {TKthen, TKelse, E_syn_ternary},    /* x if c else y */
};

/* `what` should stand where we are: raises a better message than that, or
 * returns. */
void rd_meant(Reader *p, enum Tk what)
{
    enum Tk k = cur(p);
    const char *want = afmt(p->c, "`%s`", rd_text[what]), *saw = rd_quote_tok(p, p->at);
    const char *after = rd_quote_tok(p, p->at - (p->at > 0));
    is_compared(p, p->at);
    uint32_t colon = what == TKdo || what == TKthen ? line_colon(p) : 0;
    if ((what == TKdo || what == TKthen) && p->at && dwrong_kind(p, p->at - 1) == TKrbrace) {
        WrongScan s;
        dwrong_scan(p, &s, p->at - 1);
        block_brace(p, s.n ? s.open[s.n - 1] : 0);
    }
    if (k == TKin)
        rd_fail(p, E_syn_in, p->at, want, after, saw, NULL);
    if (what == TKcomma && k == TKdo)
        rd_fail(p, E_syn_forin, p->at, want, after, saw, NULL);
    if (colon)
        rd_fail(p, E_lex_foreign, colon, "`:`", want, NULL, NULL);
    if (what == TKrbrace && k == TKcolon)
        rd_fail(p, E_lex_foreign, p->at, afmt(p->c, "`%s:`", key_text(p, p->at - 1)),
                afmt(p->c, "`[%s] = ...`", key_text(p, p->at - 1)), NULL, NULL);
    if (p->at && k == TKstring)
        tripled(p, p->at - 1);
    for (size_t i = 0; i < COUNT(python); i++)
        if (what == python[i].want && k == python[i].saw &&
            dwrong_kind(p, p->at - (p->at > 0)) != TKdots)
            rd_fail(p, python[i].id, p->at, want, after, saw, NULL);
    if ((what == TKthen || what == TKdo) && k == TKassign)
        rd_fail(p, E_syn_equals, p->at, want, after, saw, NULL);
    if ((what == TKrparen || what == TKrbrace || what == TKrbracket) && starts_entry(k))
        rd_fail(p, E_syn_comma, p->at, want, after, saw, NULL);
}
