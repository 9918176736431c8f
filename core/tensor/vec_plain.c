/* core/tensor/vec_plain.c: the loops of vec.h for any processor, and which are taken. */
#include <string.h>

#include "vec.h"

#define TABLE static const Vec vec_plain
#define BYTES 16
#define ROWS 4
#define VECTORS 2
#include "vec_loops.h"

const Vec *vec_loops(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &vec_avx2;
#endif
    return &vec_plain;
}
