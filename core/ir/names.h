/* core/ir/names.h: identifiers of printed text.
 *
 * A kernel's name, its parameters' and what stands inside of it come from the user.  In
 * the text of any dialect they must be no word, no macro and no helper of it. */
#ifndef MOONTILE_NAMES_H
#define MOONTILE_NAMES_H

#include "core/base/base.h"

/* One name in scope.  of: 1 + the number of the name that it is a numbered copy of, or 0;
 * next: the number to try first for the next copy of this one. */
typedef struct NameEntry NameEntry;
struct NameEntry {
    const char *text;
    uint32_t chain, of, number, next;
};

/* Names in scope, the newest last; zeros are an empty set, all in the arena. */
typedef struct Names Names;
struct Names {
    NameEntry *name;
    uint32_t n, cap;
    uint32_t *bucket, nbucket;
};

/* s with _ for what an identifier cannot have; where it would begin with a digit, or is
 * empty, `digit` stands before it. */
char *name_identifier(Ctx *c, const char *s, char digit);
/* A name like `want` that nobody has, with _2, _3 .. where that is taken; it is in scope
 * from now on. */
const char *name_fresh(Ctx *c, Names *q, const char *want);
/* The same of an identifier that no text has as its own. */
const char *name_take(Ctx *c, Names *q, const char *base);
/* Forgets all but the first `mark` names. */
void name_forget(Names *q, uint32_t mark);

#endif
