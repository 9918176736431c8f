/* targets/sim/kern_avx2.c: the inner loops for processors with AVX2 and FMA, where the
 * compiler can make code for them beside other code. */
#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kern.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2,fma")
#endif
#define TABLE kern_avx2
#if defined(__x86_64__)
#define KERN_FMA 1
#define KERN_AVX2 1
#endif
#include "kern_loops.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
