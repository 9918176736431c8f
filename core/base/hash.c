/* core/base/hash.c: a 128-bit content hash for cache keys and integrity checks.
 *
 * Two lanes of multiply-and-fold over 16-byte blocks, the last block padded
 * with its length.  It finds accidents, not attackers: nobody may rely on it
 * against a forged collision. */
#include <string.h>

#include "base.h"

static uint64_t hash_fold(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static void hash_block(Hash *h, uint64_t x, uint64_t y)
{
    h->a = hash_fold(h->a ^ x) + h->b;
    h->b = hash_fold(h->b ^ y) + (h->a << 23 | h->a >> 41);
}

Hash hash_bytes(Hash seed, const void *p, size_t n)
{
    const unsigned char *s = p;
    Hash h = {seed.a ^ UINT64_C(0x9e3779b97f4a7c15), seed.b ^ UINT64_C(0x3c6ef372fe94f82b)};
    uint64_t w[2];
    size_t left = n;
    for (; left >= sizeof w; left -= sizeof w, s += sizeof w) {
        memcpy(w, s, sizeof w);
        hash_block(&h, w[0], w[1]);
    }
    w[0] = w[1] = 0;
    if (left)
        memcpy(w, s, left);
    hash_block(&h, w[0], w[1]);
    hash_block(&h, (uint64_t)n, UINT64_C(0x6d6f6f6e74696c65));
    return h;
}

void hash_hex(Hash h, char out[33])
{
    static const char digit[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        out[i] = digit[h.a >> (60 - 4 * i) & 15];
        out[16 + i] = digit[h.b >> (60 - 4 * i) & 15];
    }
    out[32] = '\0';
}
