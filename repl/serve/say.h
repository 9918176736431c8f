/* repl/serve/say.h: writing JSON: texts of any bytes, and messages as protocol.md
 * has them. */
#ifndef MOONTILE_SAY_H
#define MOONTILE_SAY_H

#include "core/base/base.h"

void say_text(Str *out, const char *s); /* a JSON string; NULL: an empty one */
/* "name": , with a comma before it unless it is the first of its object */
void say_key(Str *out, const char *name);
/* A MESSAGE.  c: where its files are named; may be NULL. */
void say_message(Str *out, const Ctx *c, const Diag *d);
/* The messages of c of that level or worse, as an array of at most `most` bytes. */
void say_messages(Str *out, const Ctx *c, enum Level level, size_t most);

/* Adds an error to c, with what fills its text; false. */
bool serve_report(Ctx *c, Err e, const char *a, const char *b, const char *d);

const char *say_bytes(char out[32], int64_t n); /* "4 GiB" */

#endif
