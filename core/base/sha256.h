/* core/base/sha256.h: SHA-256 as in FIPS 180-4, of one piece of memory. */
#ifndef MOONTILE_SHA256_H
#define MOONTILE_SHA256_H

#include "base.h"

enum { HashBytes = 32 };

void sha256(const void *p, size_t n, unsigned char out[HashBytes]);

#endif
