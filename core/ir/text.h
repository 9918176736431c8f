/* core/ir/text.h: what the writer and the reader of IR text share. */
#ifndef MOONTILE_TEXT_H
#define MOONTILE_TEXT_H

#include "ir.h"

/* Limits of the reader.  A text that exceeds one is refused with its name. */
enum {
    TextBytes = 256 << 20,  /* of a whole text */
    TextName = 4000,        /* bytes of a name: of a user's 1000 at most, see core/check/names.c */
    TextString = 1 << 16,   /* bytes of a message or layout */
    TextParens = 200,       /* parentheses within each other */
    TextFiles = 1000
}; /* expressions: the builder's limits, expr.c */

enum Tok {
    Tend, Tline,            /* end of text, end of a line */
    Tname,                  /* s, n: a name and its suffix, 1 without */
    Tword,                  /* s: a reserved word */
    Tint, Tfloat,           /* i, f */
    Ttext,                  /* s: "..." */
    Tdef,                   /* i: $1 */
    Tbad,                   /* bad: what is wrong */
    Tle, Teq, Tne, Tshl, Tshr, Tfdiv, Tarrow, Tback, Tto, Textent,
    Tchar                   /* and above: the character itself, + Tchar */
};

typedef struct Lex Lex;
struct Lex {
    Ctx *ctx;
    const char *at, *end, *bol;
    uint32_t line;
    uint16_t file;
    /* the current token */
    int tok;
    Loc loc;
    const char *s;
    uint32_t n;
    uint64_t i;
    double f;
    Err bad;
};

/* lex.c */
void lex_init(Lex *l, Ctx *c, const char *text, size_t n, uint16_t file);
void lex_next(Lex *l);
const char *lex_saw(Lex *l);         /* the current token, for a message */
bool text_reserved(const char *s);   /* must a name be quoted? */

/* visible.c: bytes of the character at s, of n, when it can be shown as it is (str_visible); 0:
 * it is a control character, a hidden one, or no UTF-8. */
size_t text_plain(const char *s, size_t n);

#endif
