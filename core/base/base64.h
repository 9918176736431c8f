/* core/base/base64.h: octets inside of JSON: RFC 4648, section 4, with its padding. */
#ifndef MOONTILE_BASE64_H
#define MOONTILE_BASE64_H

#include "base.h"

void base64_put(Str *out, const void *p, size_t n);
/* s[0 .. n) into to[0 .. most).  How many octets, SIZE_MAX: it does not read, or they are more. */
size_t base64_get(const char *s, size_t n, void *to, size_t most);

#endif
