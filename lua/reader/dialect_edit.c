/* lua/reader/dialect_edit.c: the reader's messages, and the edits that turn the text
 * into plain Lua. */
#include <stdlib.h>
#include <string.h>

#include "dialect_p.h"
#include "err/lang.h"

enum { MaxQuote = 32 }; /* characters of the user's text in a message */

/* Messages ------------------------------------------------------------- */

Loc rd_loc_at(const Reader *p, uint32_t at)
{
    Loc l = {.file = p->file, .line = 1};
    uint32_t start = 0;
    for (uint32_t i = 0; i < at; i++) {
        char c = p->src[i];
        if (c != '\n' && c != '\r')
            continue;
        if (i + 1 < at && p->src[i + 1] != c && (p->src[i + 1] == '\n' || p->src[i + 1] == '\r'))
            i++;
        l.line++;
        start = i + 1;
    }
    uint32_t col = at - start + 1;
    l.col = (uint16_t)(col < UINT16_MAX ? col : 0);
    return l;
}

char *rd_text_of(Reader *p, uint32_t at, uint32_t end)
{
    return astr(p->c, p->src + at, end - at);
}

/* In backticks, one line of it, not too much of it. */
const char *rd_quote_text(Reader *p, uint32_t at, uint32_t end)
{
    uint32_t n = 0;
    while (at + n < end && n < MaxQuote && p->src[at + n] != '\n' && p->src[at + n] != '\r')
        n++;
    if (at + n == end)
        return afmt(p->c, "`%.*s`", (int)n, p->src + at);
    while (n && ((unsigned char)p->src[at + n] & 0xc0) == 0x80)
        n--; /* not inside a character */
    return afmt(p->c, "`%.*s...`", (int)n, p->src + at);
}

const char *rd_quote_tok(Reader *p, uint32_t tok)
{
    const DialectTok *t = &p->tok[tok];
    return t->kind == TKeof ? "<eof>" : rd_quote_text(p, t->at, t->end);
}

void rd_faillex(Reader *p)
{
    rd_python(p);
    p->info->incomplete = p->lexmore;
    diag_fail(p->c, p->lexerr, rd_loc_at(p, p->lexat), p->lexarg[0] ? p->lexarg[0] : "",
              p->lexarg[1] ? p->lexarg[1] : "", NULL);
}

/* At the end of the text the place is just behind the last token. */
void rd_fail(Reader *p, Err e, uint32_t tok, const char *a, const char *b,
             const char *c, const char *d)
{
    const DialectTok *t = &p->tok[tok];
    if (t->kind == TKerr)
        rd_faillex(p);
    rd_python(p);
    bool eof = t->kind == TKeof;
    if (eof)
        p->info->incomplete = true;
    uint32_t at = eof && tok ? p->tok[tok - 1].end : t->at;
    diag_fail(p->c, e, rd_loc_at(p, at), a, b, c, d, p->more[0], p->more[1], NULL);
}

static const char *previous(Reader *p) { return p->at ? rd_quote_tok(p, p->at - 1) : "<bof>"; }

void rd_expected(Reader *p, enum Tk what)
{
    const char *saw = rd_quote_tok(p, p->at);
    if (what == TKname || what == TKlparen)
        rd_colon(p);
    if (what == TKname)
        rd_fail(p, E_syn_name, p->at, previous(p), saw, NULL, NULL);
    rd_meant(p, what);
    rd_fail(p, E_syn_token, p->at, afmt(p->c, "`%s`", rd_text[what]), previous(p), saw, NULL);
}

void rd_noexpr(Reader *p)
{
    if (p->tok[p->at].kind == TKlbracket)
        rd_fail(p, E_lex_foreign, p->at, "`[...]`", "`{...}`", NULL, NULL);
    if (p->tok[p->at].kind == TKend && p->tok[p->at + 1].kind == TKassign) /* print(x, end="") */
        rd_fail(p, E_lex_foreign, p->at, "`end=`", "`io.write(...)`", NULL, NULL);
    rd_fail(p, E_syn_expr, p->at, previous(p), rd_quote_tok(p, p->at), NULL, NULL);
}

/* Edits ---------------------------------------------------------------- */

static uint32_t edit_add(Reader *p, uint32_t at, uint32_t del, enum Rank rank, const char *text)
{
    if (p->nedit == p->capedit)
        agrow(p->c, &p->edit, &p->capedit, p->capedit ? p->capedit * 2 : 64, sizeof *p->edit);
    p->edit[p->nedit] = (Edit){at, del, p->nedit, (uint8_t)rank, text};
    return p->nedit++;
}

uint32_t rd_edit_before(Reader *p, uint32_t tok, const char *text)
{
    return edit_add(p, p->tok[tok].at, 0, RKbefore, text);
}

void rd_edit_after(Reader *p, uint32_t tok, const char *text)
{
    edit_add(p, p->tok[tok].end, 0, RKafter, text);
}

void rd_edit_instead(Reader *p, uint32_t tok, const char *text)
{
    const DialectTok *t = &p->tok[tok];
    edit_add(p, t->at, t->end - t->at, RKinstead, text);
}

void rd_edit_at(Reader *p, uint32_t at, enum Rank rank, const char *text)
{
    edit_add(p, at, 0, rank, text);
}

static int dedit_order(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int later = x->seq < y->seq ? -1 : 1;
    return x->rank == RKbefore ? -later : later;
}

static bool dedit_isword(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Appends a piece; where two pieces meet, words stay apart.  The text began
 * at offset from of out. */
static void append_piece(Str *out, size_t from, const char *s, size_t n)
{
    if (n && out->n > from && dedit_isword(out->s[out->n - 1]) && dedit_isword(s[0]))
        str_add(out, " ", 1);
    str_add(out, s, n);
}

void rd_edit_write(Reader *p, Str *out)
{
    uint32_t at = 0;
    size_t from = out->n;
    if (p->nedit)
        qsort(p->edit, p->nedit, sizeof *p->edit, dedit_order);
    for (uint32_t i = 0; i < p->nedit; i++) {
        const Edit *e = &p->edit[i];
        append_piece(out, from, p->src + at, e->at - at);
        append_piece(out, from, e->text, strlen(e->text));
        at = e->at + e->del;
    }
    append_piece(out, from, p->src + at, p->n - at);
}
