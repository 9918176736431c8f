/* lua/pyreader/python_wrong.c: what is said where the text is not valid Python.
 *
 * One message a text, at the place where it is noticed, unless something else explains it better: a character
 * that could not be read, a bracket that was never closed, a habit from another language. */
#include <string.h>

#include "core/base/width.h"
#include "err/python.h"
#include "python_p.h"

void py_fail(PyReader *p, Err e, uint32_t at, const char *a, const char *b, const char *c,
             const char *d)
{
    diag_fail(p->c, e, py_loc(p->tree, at), a, b, c, d, NULL);
}

/* Texts of the user's ---------------------------------------------------------------- */

enum { Shown = 24 }; /* bytes of a piece of text in a message */

const char *py_quote(PyReader *p, uint32_t at, uint32_t end)
{
    uint32_t n = 0;
    while (at + n < end && p->src[at + n] != '\n' && p->src[at + n] != '\r' && p->src[at + n]) {
        uint32_t c;
        int k = utf8_next(p->src + at + n, end - at - n, &c);
        if (n + (uint32_t)k > Shown)
            break;
        n += (uint32_t)k;
    }
    return afmt(p->c, "`%.*s%s`", (int)n, p->src + at, at + n < end && n ? ".." : "");
}

char *py_text(PyReader *p, uint32_t tok) { return py_copy(p, p->tok[tok].at, p->tok[tok].end); }

const char *py_quote_tok(PyReader *p, uint32_t tok)
{
    const PyTok *t = &p->tok[tok];
    switch (t->kind) {
    case PTeof: case PTnewline: case PTindent: case PTdedent: return py_word[t->kind];
    case PTfmiddle: return "the text of an f-string";
    default: return py_quote(p, t->at, t->end);
    }
}

/* The token before the current one that is text; the current one at the start. */
static uint32_t before(const PyReader *p)
{
    uint32_t i = p->at;
    while (i-- > 0) {
        enum PyTk k = py_kind(p, i);
        if (k != PTnewline && k != PTindent && k != PTdedent)
            return i;
    }
    return p->at;
}

uint32_t py_behind(const PyReader *p) { return p->tok[before(p)].end; }

static const char *previous(PyReader *p)
{
    uint32_t i = before(p);
    return i == p->at ? "the start of the text" : py_quote_tok(p, i);
}

/* Where the current token is shown: what is missing at the end of a line, behind the line's last. */
static uint32_t here(const PyReader *p)
{
    switch (py_cur(p)) {
    case PTnewline: case PTeof: case PTdedent: return py_behind(p);
    default: return p->tok[p->at].at;
    }
}

static bool at_end(const PyReader *p)
{
    uint32_t i = p->at;
    while (py_kind(p, i) == PTdedent)
        i++;
    return py_kind(p, i) == PTeof;
}

/* What explains more ----------------------------------------------------------------------- */

void py_error_token(PyReader *p)
{
    if (py_cur(p) != PTerr)
        return;
    p->info->incomplete = p->lexmore;
    py_fail(p, p->lexerr, p->lexat, p->lexarg[0], p->lexarg[1], p->lexarg[2], p->lexarg[3]);
}

static const char *closer_of(char kind)
{
    return kind == '(' ? "`)`" : kind == '[' ? "`]`" : "`}`";
}

NORETURN static void unclosed(PyReader *p, const PyOpen *o)
{
    py_fail(p, E_pysyn_unclosed, o->at, py_quote(p, o->at, o->at + 1), closer_of(o->kind), NULL,
            NULL);
}

/* A bracket of an earlier line that nothing closes up to the end.  Where the end could not be read, only
 * what begins a line tells. */
static void bracket_open(PyReader *p)
{
    const PyTok *t = &p->tok[p->at];
    bool read = p->tok[p->ntok - 1].kind == PTeof,
         first = p->at == 0 || p->tok[p->at - 1].last < t->line;
    for (uint32_t i = p->nopen; i-- > 0;) {
        const PyOpen *o = &p->open[i];
        if (o->kind == 'f' || o->at >= t->at)
            continue;
        if (t->kind == PTeof)
            p->info->incomplete = true;
        bool mismatched = i + 1 == p->nopen && p->lexerr == E_pysyn_mismatch;
        if (t->kind == PTeof || (o->line < t->line && (read || first || mismatched)))
            unclosed(p, o);
    }
}

bool py_ends_blank(const PyReader *p, int lines)
{
    uint32_t end = p->n;
    for (; lines >= 0; lines--) {
        while (end && strchr(" \t\r", p->src[end - 1]))
            end--;
        if (lines && (!end || p->src[--end] != '\n'))
            return false;
    }
    return true;
}

/* To be called before any message about the current token.  A block that is still to come may come in the next
 * line, until an empty one. */
static void explain(PyReader *p)
{
    py_error_token(p);
    bracket_open(p);
    py_habits(p);
    if (at_end(p) && !py_ends_blank(p, 1))
        p->info->incomplete = true;
}

void py_fail_here(PyReader *p, Err e, const char *a, const char *b, const char *c, const char *d)
{
    explain(p);
    py_fail(p, e, here(p), a, b, c, d);
}

void py_unsupported(PyReader *p, uint32_t tok, const char *what, const char *help)
{
    py_fail(p, E_pysyn_unsupported, p->tok[tok].at, what, help, NULL, NULL);
}

/* One thing should stand here, another does ------------------------------------------------- */

static void equals(PyReader *p, const char *want)
{
    if (py_cur(p) == PTassign)
        py_fail(p, E_pysyn_equals, here(p), want, previous(p), NULL, NULL);
}

static const char *word_of(PyReader *p, enum PyTk what)
{
    return what == PTfend   ? "the closing quotes"
           : what < PTFalse ? py_word[what]
                            : afmt(p->c, "`%s`", py_word[what]);
}

void py_expected(PyReader *p, enum PyTk what)
{
    explain(p);
    equals(p, word_of(p, what));
    py_fail(p, E_pysyn_token, here(p), word_of(p, what), previous(p), py_quote_tok(p, p->at), NULL);
}

void py_no_expr(PyReader *p)
{
    explain(p);
    py_fail(p, E_pysyn_expr, here(p), previous(p), py_quote_tok(p, p->at), NULL, NULL);
}

void py_no_name(PyReader *p)
{
    enum PyTk k = py_cur(p);
    explain(p);
    py_fail(p, E_pysyn_name, here(p), previous(p), py_quote_tok(p, p->at),
            k >= PTFalse && k <= PTyield ? "it is a keyword of Python: choose another name"
                                         : "write a name here",
            NULL);
}

/* What these words belong to. */
static const char *owner(enum PyTk k)
{
    switch (k) {
    case PTelse: return "`if`, `for`, `while` or `try`";
    case PTelif: return "`if`";
    case PTexcept: case PTfinally: return "`try`";
    default: return NULL;
    }
}

/* The column of the statement before, for one that is indented more than it. */
static const char *column_before(PyReader *p)
{
    uint32_t i = p->at;
    while (i > 1 && py_kind(p, i - 2) != PTnewline)
        i--;
    return afmt(p->c, "%u", (unsigned)py_loc(p->tree, p->tok[i ? i - 1 : 0].at).col);
}

void py_no_statement(PyReader *p)
{
    enum PyTk k = py_cur(p);
    explain(p);
    if (k == PTindent)
        py_fail(p, E_pysyn_indent, here(p), p->at ? column_before(p) : "1", NULL, NULL, NULL);
    if (k == PTif || k == PTfor || k == PTwhile || k == PTwith || k == PTtry || k == PTdef ||
        k == PTclass)
        py_fail(p, E_pysyn_oneline, here(p), py_quote_tok(p, p->at), "statement before it", NULL,
                NULL);
    if (owner(k))
        py_fail(p, E_pysyn_stray, here(p), py_quote_tok(p, p->at), owner(k), NULL, NULL);
    py_fail(p, E_pysyn_statement, here(p), py_quote_tok(p, p->at), NULL, NULL, NULL);
}

void py_no_end(PyReader *p)
{
    explain(p);
    equals(p, "the end of the statement");
    if (py_cur(p) == PTwalrus)
        py_fail(p, E_pysyn_walrus, here(p), "without parentheses",
                "write `=`, or put it into parentheses", NULL, NULL);
    py_fail(p, E_pysyn_end, here(p), previous(p), py_quote_tok(p, p->at), NULL, NULL);
}

void py_no_closer(PyReader *p, uint32_t opener)
{
    const PyTok *o = &p->tok[opener];
    const char *close = closer_of(p->src[o->at]);
    explain(p);
    equals(p, close);
    const char *want = afmt(p->c, "`,` or %s", close);
    for (uint32_t i = 0; !py_starts_expr(py_cur(p)) && i < p->nopen; i++)
        if (p->open[i].at == o->at)
            unclosed(p, &p->open[i]);
    py_fail(p, py_starts_expr(py_cur(p)) ? E_pysyn_comma : E_pysyn_token, here(p), want,
            previous(p), py_quote_tok(p, p->at), NULL);
}

void py_no_colon(PyReader *p, uint32_t opener)
{
    explain(p);
    equals(p, "`:`");
    py_fail(p, E_pysyn_colon, here(p), previous(p), py_quote_tok(p, p->at), py_quote_tok(p, opener),
            NULL);
}

void py_no_block(PyReader *p, uint32_t opener, const char *what)
{
    explain(p);
    py_fail(p, E_pysyn_block,
            p->tok[p->at].kind == PTeof || at_end(p) ? py_behind(p) : p->tok[p->at].at, what,
            afmt(p->c, "%u", p->tok[opener].line), NULL, NULL);
}
