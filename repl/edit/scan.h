/* repl/edit/scan.h: what a text says while it is being typed: its tokens, what is
 * open, how far a line is indented.
 *
 * No text is wrong here: what cannot be read is passed over.  Whether an input
 * is complete is the compiler's to say. */
#ifndef MOONTILE_SCAN_H
#define MOONTILE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"

enum TokenKind { TokenName, TokenKeyword, TokenNumber, TokenString, TokenComment, TokenSign };

typedef struct EditToken EditToken;
struct EditToken {
    enum TokenKind kind;
    size_t from, to;
    bool unfinished; /* a long string or comment that the text ends in */
};

/* The token after place t->to; false at the end of the text. */
bool token_next(const char *s, size_t n, EditToken *t);
bool pytoken_next(const char *s, size_t n, EditToken *t); /* of Python */
bool token_is(const char *s, const EditToken *t, const char *word);

/* Does the token end a block, or begin its next part: "end", "else", ")"? */
bool token_leads_out(const char *s, const EditToken *t);
bool pytoken_leads_out(const char *s, const EditToken *t); /* of Python: "else" */

/* Something that was begun and not ended: "for", "(", "[[" ... */
typedef struct Open Open;
struct Open {
    const char *word;
    size_t at;     /* where it stands */
    size_t line;   /* start of the line where its construct begins */
    bool head;     /* its "do" or "then" is still to come */
};

enum { OpenMax = 128 }; /* deeper ones are not remembered */

typedef struct EditScan EditScan;
struct EditScan {
    const char *s;
    size_t n;
    bool python;
    EditToken token;
    size_t line;      /* start of the line of the token */
    Open open[OpenMax];
    int nopen;
    size_t closes;    /* what the token ends: where it stands; NoPlace: nothing */
};
#define NoPlace ((size_t)-1)

void scan_begin(EditScan *c, const char *s, size_t n, bool python);
bool scan_next(EditScan *c); /* the next token, and what is open behind it */

/* For pyscan.c: the token opens something that this word names; what the token of Python that begins behind
 * place `before` does to what is open. */
void scan_push(EditScan *c, const char *word);
void pyscan_step(EditScan *c, size_t before);

/* The words that are open, innermost last, in at most `columns` columns: what
 * does not fit is left out in front, shown by a "+".  upto: how many count. */
void scan_words(const EditScan *c, int upto, int columns, Str *out);
/* What is open at the end of the text, as scan_words has it. */
void scan_open(const char *s, size_t n, bool python, int columns, Str *out);

/* Blanks that a line should start with which begins at place `at`, after a
 * newline; its own first words count, so that `end` stands below its `for`. */
int scan_indent(const char *s, size_t n, size_t at);
/* The same of Python; a word as `else` that stands there already counts from where it stands. */
int pyscan_indent(const char *s, size_t n, size_t at);

/* The bracket or block word at place `at`, or just before it, and its partner.
 * False when there is none. */
bool scan_pair(const char *s, size_t n, bool python, size_t at, EditToken *one, EditToken *other);

/* The dotted name around place `at`: "T.gemm", ":load"; false: there is none. */
bool scan_name(const char *s, size_t n, size_t at, size_t *from, size_t *to);

/* Is the text a command, a question or a shell line instead of a chunk?
 * Gives its first sign: ':', '?' or '!', else 0.  `name?` counts as '?'. */
char scan_mode(const char *s, size_t n);

/* What a byte is, for its colour. */
enum Hue8 {
    HuePlain, HueKeyword, HueNumber, HueString, HueComment, HueName, HueCommand, HuePair, NHue8
};
/* highlight.c: fills hue[0..n).  point: where the cursor is, NoPlace: nowhere. */
void highlight(const char *s, size_t n, bool python, size_t point, unsigned char *hue);

#endif
