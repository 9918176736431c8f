/* core/tensor/vec_avx2.c: the loops of vec.h for processors with AVX2 and FMA, where the compiler can
 * make code for them beside other code. */
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "vec.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2,fma")
#endif
#define TABLE const Vec vec_avx2
#if defined(__x86_64__)
#define BYTES 32
#define ROWS 4
#define VECTORS 3
#define VEC_MADD(c, b, a) ((VecLane)_mm256_fmadd_pd((__m256d)(b), _mm256_set1_pd(a), (__m256d)(c)))
#else
#define BYTES 16
#define ROWS 4
#define VECTORS 2
#endif
#include "vec_loops.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
