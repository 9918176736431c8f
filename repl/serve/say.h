/* repl/serve/say.h: writing JSON: texts of any bytes, and messages as protocol.md
 * has them. */
#ifndef MOONTILE_SAY_H
#define MOONTILE_SAY_H

#include "core/base/base.h"

/* A JSON string; what is no UTF-8 becomes U+FFFD. */
void say_string(Str *out, const char *s, size_t n);
void say_text(Str *out, const char *s);
/* "name": , with a comma before it unless it is the first of its object */
void say_key(Str *out, const char *name);
void say_number(Str *out, double v); /* what JSON cannot say is 0 */
/* A MESSAGE.  c: where its files are named; may be NULL. */
void say_message(Str *out, const Ctx *c, const Diag *d);
/* The messages of c of that level or worse, as an array of at most `most` bytes. */
void say_messages(Str *out, const Ctx *c, enum Level level, size_t most);

const char *say_bytes(char out[32], int64_t n); /* "4 GiB" */

#endif
