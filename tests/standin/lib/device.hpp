#ifndef STANDIN_DEVICE_HPP
#define STANDIN_DEVICE_HPP
/* device.hpp: stands before the text of a kernel: the words, functions and built-ins of
 * HIP and MACA that printed text uses, for this processor.
 *
 * STANDIN_MACA: those of MACA; else HIP's.  compile.c writes `thread_local` for the
 * shared memory that the text declares extern. */
#include "standin.h"

static thread_local StandinApi standin_api;

#define __global__
#define __device__
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define STANDIN_FN static inline __attribute__((always_inline))
/* A place where lanes do something together is one place, however code is moved. */
#define STANDIN_MEET static __attribute__((noinline, convergent, noduplicate))
#define STANDIN_SITE __builtin_return_address(0)

/* Lanes ------------------------------------------------------------------------ */

STANDIN_MEET uint64_t standin_ballot(bool p) { return standin_api.ballot(STANDIN_SITE, p); }
STANDIN_MEET uint64_t standin_shuffle(uint64_t v, int lane)
{
    return standin_api.shuffle(STANDIN_SITE, v, lane);
}
STANDIN_MEET void standin_multiply(int i, StandinRegisters *r)
{
    standin_api.mma(STANDIN_SITE, i, r);
}
STANDIN_MEET void standin_wave() { standin_api.wave_barrier(STANDIN_SITE); }
STANDIN_MEET void standin_barrier() { standin_api.barrier(); }
STANDIN_MEET int standin_barrier_count(bool p) { return standin_api.barrier_count(p); }

template <class AB, class C> STANDIN_FN C standin_mma_of(int i, AB a, AB b, C c, int flags = 3)
{
    StandinRegisters r;
    static_assert(sizeof a <= sizeof r.a && sizeof c <= sizeof r.c, "");
    __builtin_memcpy(r.a, &a, sizeof a);
    __builtin_memcpy(r.b, &b, sizeof b);
    __builtin_memcpy(r.c, &c, sizeof c);
    r.flags = flags;
    standin_multiply(i, &r);
    __builtin_memcpy(&c, r.c, sizeof c);
    return c;
}

/* Atomics ------------------------------------------------------------------------ */

template <class T> struct standin_word { T x; };

/* *p becomes f(*p); what it was. */
template <class T, class F> STANDIN_FN T standin_atomic(T *p, F f)
{
    T was, next;
    __atomic_load(p, &was, __ATOMIC_SEQ_CST);
    do
        next = f(was);
    while (!__atomic_compare_exchange(p, &was, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return was;
}

template <class T> STANDIN_FN bool standin_swap_if(T *p, T *was, T v)
{
    return __atomic_compare_exchange(p, was, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Functions of the host's library, under their own names --------------------------- */

#define STANDIN_MATH1(DO) \
    DO(acos) DO(acosh) DO(asin) DO(asinh) DO(atan) DO(atanh) DO(cos) DO(cosh) DO(erf) DO(exp) \
    DO(exp2) DO(exp10) DO(log) DO(log10) DO(log1p) DO(log2) DO(sin) DO(sinh) DO(tan) DO(tanh) \
    DO(sqrt)
#define STANDIN_MATH2(DO) DO(atan2) DO(fmod) DO(hypot) DO(nextafter) DO(pow)

extern "C" {
#define DECLARE(name) float name##f(float) noexcept; double name(double) noexcept;
STANDIN_MATH1(DECLARE)
#undef DECLARE
#define DECLARE(name) float name##f(float, float) noexcept; double name(double, double) noexcept;
STANDIN_MATH2(DECLARE)
#undef DECLARE
int fesetround(int) noexcept;
}

#define MATH(name) standin_api.math[Fn_##name]
#define expf(x) MATH(exp)(x)
#define exp2f(x) MATH(exp2)(x)
#define exp10f(x) MATH(exp10)(x)
#define logf(x) MATH(log)(x)
#define log2f(x) MATH(log2)(x)
#define log10f(x) MATH(log10)(x)
#define tanhf(x) MATH(tanh)(x)
#define erff(x) MATH(erf)(x)
#define __builtin_exp2f(x) MATH(exp2)(x)

/* Arithmetic with a way to round: 0 to nearest, 1 towards zero, 2 up, 3 down. */
template <class F> static __attribute__((noinline, optnone)) auto standin_rounded(int mode, F f)
{
#if defined(__x86_64__)
    static const int way[] = {0, 0xc00, 0x800, 0x400};
#else
    static const int way[] = {0, 0xc00000, 0x400000, 0x800000};
#endif
    fesetround(way[mode]);
    volatile auto r = f();
    fesetround(way[0]);
    return (decltype(f()))r;
}

#define STANDIN_ROUND(DO, mode, rn) \
    DO(mode, rn, add, float, f32, x + y) DO(mode, rn, add, double, f64, x + y) \
    DO(mode, rn, sub, float, f32, x - y) DO(mode, rn, sub, double, f64, x - y) \
    DO(mode, rn, mul, float, f32, x * y) DO(mode, rn, mul, double, f64, x * y) \
    DO(mode, rn, div, float, f32, x / y) DO(mode, rn, div, double, f64, x / y)

#ifdef STANDIN_MACA

/* MACA ------------------------------------------------------------------------------ */

enum { MACA_ICMP_EQ = 32 };
#define __MACA_ARCH__ 1000

struct standin_x { operator unsigned() const { return standin_api.thread(); } };
template <int axis> struct standin_b {
    operator unsigned() const { return standin_api.block(axis); }
};
template <int axis> struct standin_g {
    operator unsigned() const { return standin_api.blocks(axis); }
};
struct standin_n { operator unsigned() const { return standin_api.threads(); } };
static const struct { standin_x x; } threadIdx = {};
static const struct { standin_b<0> x; standin_b<1> y; standin_b<2> z; } blockIdx = {};
static const struct { standin_g<0> x; standin_g<1> y; standin_g<2> z; } gridDim = {};
static const struct { standin_n x; } blockDim = {};
static const int warpSize = 64;

STANDIN_FN void __syncthreads() { standin_barrier(); }
STANDIN_FN int __syncthreads_count(int p) { return standin_barrier_count(p != 0); }
STANDIN_FN int __syncthreads_or(int p) { return standin_barrier_count(p != 0) != 0; }
STANDIN_FN int __syncthreads_and(int p) { return standin_barrier_count(p == 0) == 0; }
STANDIN_FN void __syncwarp(...) { standin_wave(); }
STANDIN_FN void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
STANDIN_FN void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
STANDIN_FN void __trap() { standin_api.trap("__trap()"); }
STANDIN_FN unsigned __lane_id() { return standin_api.thread() % 64; }

/* The type of the mask says how wide a wave is: 32 bits would be another function. */
STANDIN_FN uint64_t __ballot_sync(unsigned long, bool p) { return standin_ballot(p); }
uint64_t __ballot_sync(unsigned mask, bool p) = delete;

template <class T> STANDIN_FN T standin_shfl(T v, int lane)
{
    static_assert(sizeof v <= 8, "");
    uint64_t u = 0;
    __builtin_memcpy(&u, &v, sizeof v);
    u = standin_shuffle(u, lane);
    __builtin_memcpy(&v, &u, sizeof v);
    return v;
}

/* A lane outside of its group gives its own value back. */
#define SHFL(name, to) \
    template <class T> STANDIN_FN T name(unsigned long mask, T v, int by, int width = 64) \
    { \
        int lane = (int)__lane_id(), first = lane / width * width, from = to; \
        (void)mask; \
        return standin_shfl(v, from); \
    } \
    template <class T> T name(unsigned mask, T v, int by, int width = 64) = delete;
SHFL(__shfl_sync, first + (by % width + width) % width)
SHFL(__shfl_xor_sync, (lane ^ by) >= first + width || by < 0 ? lane : lane ^ by)
SHFL(__shfl_up_sync, by < 0 || lane - by < first ? lane : lane - by)
SHFL(__shfl_down_sync, by < 0 || by >= first + width - lane ? lane : lane + by)

#define ATOMIC(name, type, next) \
    STANDIN_FN type name(type *p, type v) \
    { \
        return standin_atomic(p, [=](type was) { return (type)(next); }); \
    }
#define ATOMICS(type) \
    ATOMIC(atomicAdd, type, was + v) ATOMIC(atomicMax, type, was < v ? v : was) \
    ATOMIC(atomicMin, type, v < was ? v : was)
#define ATOMICS_OF_BITS(type) \
    ATOMIC(atomicAnd, type, was & v) ATOMIC(atomicOr, type, was | v) \
    ATOMIC(atomicXor, type, was ^ v) ATOMIC(atomicExch, type, v) \
    STANDIN_FN type atomicCAS(type *p, type was, type v) \
    { \
        standin_swap_if(p, &was, v); \
        return was; \
    }
ATOMIC(atomicAdd, float, was + v)
ATOMIC(atomicAdd, double, was + v)
ATOMICS(int) ATOMICS(unsigned) ATOMICS(unsigned long long) ATOMICS(long long)
ATOMICS_OF_BITS(int) ATOMICS_OF_BITS(unsigned) ATOMICS_OF_BITS(unsigned long long)
STANDIN_FN unsigned short atomicCAS(unsigned short *p, unsigned short was, unsigned short v)
{
    standin_swap_if(p, &was, v);
    return was;
}

STANDIN_FN float ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
STANDIN_FN double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
STANDIN_FN float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
STANDIN_FN float __builtin_mxc_rcpf(float x) { return 1.0f / x; }
#define FAST(name, of) STANDIN_FN float name(float x) { return MATH(of)(x); }
FAST(__expf, fast_exp) FAST(__logf, log) FAST(__log2f, log2) FAST(__log10f, log10)
FAST(__sinf, fast_sin) FAST(__cosf, fast_cos)
STANDIN_FN float __powf(float x, float y) { return powf(x, y); }

#define IEEE(mode, rn, name, type, bits, of) STANDIN_IEEE_##bits(mode, rn, name, of)
#define STANDIN_IEEE_f32(mode, rn, name, of) \
    inline float __f##name##_##rn(float x, float y) \
    { return standin_rounded(mode, [=] { return of; }); }
#define STANDIN_IEEE_f64(mode, rn, name, of) \
    inline double __d##name##_##rn(double x, double y) \
    { return standin_rounded(mode, [=] { return of; }); }
#define IEEE_MODE(mode, rn) \
    STANDIN_ROUND(IEEE, mode, rn) \
    inline float __fmaf_##rn(float x, float y, float z) \
    { return standin_rounded(mode, [=] { return __builtin_fmaf(x, y, z); }); } \
    inline double __fma_##rn(double x, double y, double z) \
    { return standin_rounded(mode, [=] { return __builtin_fma(x, y, z); }); } \
    inline float __frcp_##rn(float x) { return __fdiv_##rn(1.0f, x); } \
    inline double __drcp_##rn(double x) { return __ddiv_##rn(1.0, x); } \
    inline float __fsqrt_##rn(float x) \
    { return standin_rounded(mode, [=] { return sqrtf(x); }); } \
    inline double __dsqrt_##rn(double x) \
    { return standin_rounded(mode, [=] { return sqrt(x); }); }
IEEE_MODE(0, rn) IEEE_MODE(1, rz) IEEE_MODE(2, ru) IEEE_MODE(3, rd)

#define MXC(name) \
    template <class AB, class C> STANDIN_FN C __builtin_mxc_mma_##name(AB a, AB b, C c) \
    { return standin_mma_of(Mma_##name, a, b, c); }
MXC(16x16x16f16) MXC(16x16x16bf16) MXC(16x16x8tf32) MXC(16x16x4f32) MXC(16x16x16i8) MXC(16x16x4f64)

/* lhs == rhs decides; zeros: what is written where they differ. */
#define BSM(bits) \
    STANDIN_FN void __builtin_mxc_ldg_b##bits##_bsm_predicator(void *to, void *from, int offset, \
        bool zeros, bool, bool, bool async, int lhs, int rhs, int cmp) \
    { \
        if (offset || cmp != MACA_ICMP_EQ || !async) \
            standin_api.trap("a form of the copy that is not known"); \
        standin_api.copy_async(to, from, bits / 8, lhs == rhs, zeros); \
    }
BSM(32) BSM(64) BSM(128)
STANDIN_FN void __builtin_mxc_arrive_gvmcnt(int n) { standin_api.arrive(n); }
STANDIN_FN void __builtin_mxc_arrive(int n)
{
    if (n & 64)
        standin_api.arrive(n & 63);
}

#else

/* HIP -------------------------------------------------------------------------------- */

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

STANDIN_FN unsigned __builtin_amdgcn_workitem_id_x() { return standin_api.thread(); }
STANDIN_FN unsigned __builtin_amdgcn_workgroup_id_x() { return standin_api.block(0); }
STANDIN_FN unsigned __builtin_amdgcn_workgroup_id_y() { return standin_api.block(1); }
STANDIN_FN unsigned __builtin_amdgcn_workgroup_id_z() { return standin_api.block(2); }
STANDIN_FN unsigned __builtin_amdgcn_workgroup_size_x() { return standin_api.threads(); }
STANDIN_FN unsigned __builtin_amdgcn_workgroup_size_y() { return 1; }
STANDIN_FN unsigned __builtin_amdgcn_workgroup_size_z() { return 1; }
STANDIN_FN unsigned __builtin_amdgcn_grid_size_x()
{
    return standin_api.blocks(0) * standin_api.threads();
}
STANDIN_FN unsigned __builtin_amdgcn_grid_size_y() { return standin_api.blocks(1); }
STANDIN_FN unsigned __builtin_amdgcn_grid_size_z() { return standin_api.blocks(2); }

STANDIN_FN void __builtin_amdgcn_s_barrier() { standin_barrier(); }
STANDIN_FN void __builtin_amdgcn_wave_barrier() { standin_wave(); }
STANDIN_FN void __builtin_amdgcn_endpgm() { standin_api.end(); }
STANDIN_FN void __builtin_amdgcn_fence(int, const char *)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
STANDIN_FN unsigned __builtin_amdgcn_wavefrontsize() { return (unsigned)standin_api.lanes; }
STANDIN_FN uint64_t __builtin_amdgcn_ballot_w64(bool p) { return standin_ballot(p); }
STANDIN_FN unsigned __builtin_amdgcn_ballot_w32(bool p) { return (unsigned)standin_ballot(p); }
STANDIN_FN int __builtin_amdgcn_ds_bpermute(int at, int v)
{
    return (int)standin_shuffle((unsigned)v, at / 4);
}

#define __hip_atomic_fetch_add(p, v, ...) standin_add(p, v)
#define __hip_atomic_fetch_and(p, v, ...) standin_and(p, v)
#define __hip_atomic_fetch_or(p, v, ...) standin_or(p, v)
#define __hip_atomic_fetch_xor(p, v, ...) standin_xor(p, v)
#define __hip_atomic_fetch_max(p, v, ...) standin_max(p, v)
#define __hip_atomic_fetch_min(p, v, ...) standin_min(p, v)
#define __hip_atomic_load(p, ...) __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define __hip_atomic_store(p, v, ...) __atomic_store_n(p, v, __ATOMIC_SEQ_CST)
#define __hip_atomic_compare_exchange_strong(p, was, v, ...) standin_swap_if(p, was, v)
#define ATOMIC(name, next) \
    template <class T> STANDIN_FN T standin_##name(T *p, T v) \
    { \
        return standin_atomic(p, [=](T was) { return (T)(next); }); \
    }
ATOMIC(add, was + v) ATOMIC(and, was & v) ATOMIC(or, was | v) ATOMIC(xor, was ^ v)
ATOMIC(max, was < v ? v : was) ATOMIC(min, v < was ? v : was)

STANDIN_FN float __builtin_amdgcn_rcpf(float x) { return 1.0f / x; }
STANDIN_FN float __builtin_amdgcn_rsqf(float x) { return 1.0f / __builtin_sqrtf(x); }
STANDIN_FN float __builtin_amdgcn_sqrtf(float x) { return __builtin_sqrtf(x); }
STANDIN_FN float __builtin_amdgcn_ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
STANDIN_FN double __builtin_amdgcn_ldexp(double x, int n) { return __builtin_ldexp(x, n); }

/* The device library. */
#define OCML1(name) \
    extern "C" inline __attribute__((const)) float __ocml_##name##_f32(float x) \
    { return name##f(x); } \
    extern "C" inline __attribute__((const)) double __ocml_##name##_f64(double x) \
    { return name(x); }
#define OCML2(name) \
    extern "C" inline __attribute__((const)) float __ocml_##name##_f32(float x, float y) \
    { return name##f(x, y); } \
    extern "C" inline __attribute__((const)) double __ocml_##name##_f64(double x, double y) \
    { return name(x, y); }
STANDIN_MATH1(OCML1)
STANDIN_MATH2(OCML2)
#define NATIVE(name, of) \
    extern "C" inline __attribute__((const)) float __ocml_native_##name##_f32(float x) \
    { return MATH(of)(x); }
NATIVE(exp, fast_exp) NATIVE(exp10, fast_exp10) NATIVE(log, log) NATIVE(log2, log2)
NATIVE(log10, log10) NATIVE(sin, fast_sin) NATIVE(cos, fast_cos)
extern "C" inline __attribute__((const)) float __ocml_rsqrt_f32(float x) { return 1.0f / sqrtf(x); }
extern "C" inline __attribute__((const)) double __ocml_rsqrt_f64(double x) { return 1.0 / sqrt(x); }

#define IEEE(mode, rn, name, type, bits, of) \
    extern "C" inline __attribute__((const)) type __ocml_##name##_##rn##_##bits(type x, type y) \
    { return standin_rounded(mode, [=] { return of; }); }
#define IEEE_MODE(mode, rn) \
    STANDIN_ROUND(IEEE, mode, rn) \
    extern "C" inline __attribute__((const)) float __ocml_fma_##rn##_f32(float x, float y, \
                                                                          float z) \
    { return standin_rounded(mode, [=] { return __builtin_fmaf(x, y, z); }); } \
    extern "C" inline __attribute__((const)) double __ocml_fma_##rn##_f64(double x, double y, \
                                                                         double z) \
    { return standin_rounded(mode, [=] { return __builtin_fma(x, y, z); }); } \
    extern "C" inline __attribute__((const)) float __ocml_sqrt_##rn##_f32(float x) \
    { return standin_rounded(mode, [=] { return sqrtf(x); }); } \
    extern "C" inline __attribute__((const)) double __ocml_sqrt_##rn##_f64(double x) \
    { return standin_rounded(mode, [=] { return sqrt(x); }); }
IEEE_MODE(0, rte) IEEE_MODE(1, rtz) IEEE_MODE(2, rtp) IEEE_MODE(3, rtn)

#define MFMA(fn, name) \
    template <class AB, class C> STANDIN_FN C __builtin_amdgcn_mfma_##fn(AB a, AB b, C c, int x, \
                                                                       int y, int z) \
    { \
        if (x || y || z) \
            __builtin_trap(); \
        return standin_mma_of(Mma_##name, a, b, c); \
    }
MFMA(f32_16x16x16f16, 16x16x16f16) MFMA(f32_16x16x16bf16_1k, 16x16x16bf16)
MFMA(f32_32x32x8f16, 32x32x8f16) MFMA(f32_32x32x8bf16_1k, 32x32x8bf16)
MFMA(f32_16x16x4f32, 16x16x4f32) MFMA(f64_16x16x4f64, 16x16x4f64)
MFMA(i32_16x16x16i8, 16x16x16i8) MFMA(i32_16x16x32_i8, 16x16x32i8)
MFMA(f32_16x16x32_fp8_fp8, 16x16x32fp8_fp8) MFMA(f32_16x16x32_bf8_bf8, 16x16x32bf8_bf8)
MFMA(f32_16x16x32_fp8_bf8, 16x16x32fp8_bf8) MFMA(f32_16x16x32_bf8_fp8, 16x16x32bf8_fp8)

template <class AB, class C>
STANDIN_FN C __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(AB a, AB b, C c)
{
    return standin_mma_of(Mma_wmma_f16, a, b, c);
}
template <class AB, class C>
STANDIN_FN C __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(AB a, AB b, C c)
{
    return standin_mma_of(Mma_wmma_bf16, a, b, c);
}
template <class AB, class C>
STANDIN_FN C __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(bool sa, AB a, bool sb, AB b, C c,
                                                         bool clamp)
{
    if (clamp)
        __builtin_trap();
    return standin_mma_of(Mma_wmma_iu8, a, b, c, sa | sb << 1);
}

#endif

/* The module ------------------------------------------------------------------------- */

#pragma clang diagnostic ignored "-Wunused-function"

template <class T> struct standin_plain { typedef T type; };
template <class T> struct standin_plain<const T> { typedef T type; };
template <int... i> struct standin_list {};
template <int n, int... i> struct standin_count : standin_count<n - 1, n - 1, i...> {};
template <int... i> struct standin_count<0, i...> { typedef standin_list<i...> type; };

template <class... A, int... i>
STANDIN_FN void standin_call(void (*f)(A...), void **p, standin_list<i...>)
{
    f(*(typename standin_plain<A>::type *)p[i]...);
}
template <class... A> static void standin_start(void (*f)(A...), void **p)
{
    standin_call(f, p, typename standin_count<(int)sizeof...(A)>::type());
}
template <class... A> static constexpr int standin_nparam(void (*)(A...))
{
    return (int)sizeof...(A);
}
template <class... A> static const int *standin_sizes(void (*)(A...))
{
    static const int size[] = {(int)sizeof(A)..., 0};
    return size;
}
#endif
