/* core/base/json.h: the atoms of JSON texts. */
#ifndef MOONTILE_JSON_H
#define MOONTILE_JSON_H

#include "base.h"

void json_text(Str *out, const char *s, size_t n); /* in quotes; what is no UTF-8 becomes U+FFFD */
void json_double(Str *out, double v);              /* the shortest text that reads back as v, finite */

#endif
