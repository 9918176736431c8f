/* targets/remote/pack.c: does compressing pay?
 *
 * It does when compressing and sending less takes clearly less time than sending all, at
 * the rate that the link has shown and the rate and ratio that a sample of these very
 * bytes has. */
#include <stdlib.h>
#include <zlib.h>

#include "core/base/clock.h"
#include "device.h"

enum { Level = 1, Sample = 16 << 10, Samples = 4, Least = 64 << 10 };
static const double FastLink = 200e6; /* bytes a second: no compressor keeps up */
static const double Gain = 0.8;       /* of the time, to be worth it */

/* Compresses samples spread over s: their ratio, and seconds a byte. */
static bool rpack_sample(const char *s, size_t n, double *ratio, double *cost)
{
    unsigned char out[Sample + Sample / 8 + 64];
    size_t in = 0, packed = 0;
    double from = clock_s();
    for (size_t i = 0; i < Samples; i++) {
        uLongf len = sizeof out;
        size_t at = (n - Sample) / (Samples - 1) * i;
        if (compress2(out, &len, (const Bytef *)s + at, Sample, Level) != Z_OK)
            return false;
        in += Sample;
        packed += len;
    }
    *ratio = (double)packed / (double)in;
    *cost = (clock_s() - from) / (double)in;
    return true;
}

bool remote_pack(const NetLink *l, const char *s, size_t n, Str *out)
{
    double ratio, cost;
    if (n < Least || l->up <= 0 || l->up > FastLink || !rpack_sample(s, n, &ratio, &cost))
        return false;
    if (cost + ratio / l->up > Gain / l->up)
        return false;
    uLongf len = compressBound((uLong)n);
    char *to = malloc(len);
    if (!to || compress2((Bytef *)to, &len, (const Bytef *)s, (uLong)n, Level) != Z_OK || len >= n) {
        free(to);
        return false;
    }
    *out = (Str){.s = to, .n = len, .cap = len};
    return true;
}
