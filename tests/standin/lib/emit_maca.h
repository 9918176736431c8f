// What MetaX' compiler has built in, as clang's HIP mode can say it for gfx942, whose waves
// and 16x16x16 products are alike: types, address spaces and operands are checked, nothing
// else.  Masks of other types than 64 bits are refused, as the width of a warp hangs on them.
#pragma once

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
#define SHIM static __device__ inline __attribute__((always_inline, unused))

struct Index {
    unsigned x, y, z;
};
extern "C" __device__ Index shim_thread(), shim_block(), shim_grid();
#define threadIdx shim_thread()
#define blockIdx shim_block()
#define gridDim shim_grid()
#define warpSize 64

SHIM void __syncthreads() { __builtin_amdgcn_s_barrier(); }
SHIM void __syncwarp() { __builtin_amdgcn_wave_barrier(); }
SHIM void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
SHIM void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
SHIM void __trap() { __builtin_trap(); }
extern "C" __device__ int __syncthreads_count(int), __syncthreads_and(int), __syncthreads_or(int);

template <class T> SHIM T shim_lane(T v, int lane)
{
    int part[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(part, &v, sizeof v);
    for (int &x : part)
        x = __builtin_amdgcn_ds_bpermute(lane * 4, x);
    __builtin_memcpy(&v, part, sizeof v);
    return v;
}
#define SHUFFLE(name) \
    template <class T> SHIM T name(unsigned long, T v, int lane, int width) \
    { \
        return shim_lane(v, lane % width); \
    } \
    template <class T> SHIM T name(unsigned, T, int, int) = delete; \
    template <class T> SHIM T name(int, T, int, int) = delete;
SHUFFLE(__shfl_sync) SHUFFLE(__shfl_xor_sync) SHUFFLE(__shfl_up_sync) SHUFFLE(__shfl_down_sync)
SHIM unsigned long long __ballot_sync(unsigned long, int p)
{
    return __builtin_amdgcn_ballot_w64(p);
}
unsigned long long __ballot_sync(unsigned, int) = delete;

// Each name with the types that the vendor's headers have it for.
#define FETCH(name, fn, T) \
    SHIM T name(T *p, T v) \
    { \
        return __hip_atomic_##fn(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    }
#define FETCH4(name, fn) \
    FETCH(name, fn, int) FETCH(name, fn, unsigned) FETCH(name, fn, unsigned long long)
FETCH4(atomicAdd, fetch_add) FETCH(atomicAdd, fetch_add, float) FETCH(atomicAdd, fetch_add, double)
FETCH4(atomicMax, fetch_max) FETCH4(atomicMin, fetch_min) FETCH(atomicMax, fetch_max, long long)
FETCH(atomicMin, fetch_min, long long)
FETCH4(atomicAnd, fetch_and) FETCH4(atomicOr, fetch_or) FETCH4(atomicXor, fetch_xor)
template <class T> SHIM T atomicCAS(T *p, T was, T v)
{
    __hip_atomic_compare_exchange_strong(p, &was, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                         __HIP_MEMORY_SCOPE_AGENT);
    return was;
}

#define MATH1(name) \
    extern "C" __device__ float name##f(float); \
    extern "C" __device__ double name(double);
#define MATH2(name) \
    extern "C" __device__ float name##f(float, float); \
    extern "C" __device__ double name(double, double);
MATH1(acos) MATH1(acosh) MATH1(asin) MATH1(asinh) MATH1(atan) MATH1(atanh) MATH1(cos) MATH1(cosh)
MATH1(erf) MATH1(exp) MATH1(exp2) MATH1(exp10) MATH1(log) MATH1(log10) MATH1(log1p) MATH1(log2)
MATH1(sin) MATH1(sinh) MATH1(tan) MATH1(tanh)
MATH2(atan2) MATH2(copysign) MATH2(fmod) MATH2(hypot) MATH2(nextafter) MATH2(pow)
extern "C" __device__ float rsqrtf(float), ldexpf(float, int);
extern "C" __device__ double ldexp(double, int);
extern "C" __device__ float __expf(float), __logf(float), __log2f(float), __log10f(float),
    __sinf(float), __cosf(float), __powf(float, float);
#define ROUND(mode) \
    extern "C" __device__ float __fadd_##mode(float, float), __fsub_##mode(float, float), \
        __fmul_##mode(float, float), __fdiv_##mode(float, float), \
        __fmaf_##mode(float, float, float), __frcp_##mode(float), __fsqrt_##mode(float); \
    extern "C" __device__ double __dadd_##mode(double, double), __dsub_##mode(double, double), \
        __dmul_##mode(double, double), __ddiv_##mode(double, double), \
        __fma_##mode(double, double, double), __drcp_##mode(double), __dsqrt_##mode(double);
ROUND(rn) ROUND(rz) ROUND(ru) ROUND(rd)

#define LANES(n, type) type __attribute__((ext_vector_type(n)))
typedef LANES(4, _Float16) shim_h4;
typedef LANES(4, short) shim_s4;
typedef LANES(2, float) shim_f2;
typedef LANES(4, float) shim_f4;
typedef LANES(4, int) shim_i4;
typedef LANES(4, double) shim_d4;
SHIM shim_f4 __builtin_mxc_mma_16x16x16f16(shim_h4 a, shim_h4 b, shim_f4 c)
{
    return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}
SHIM shim_f4 __builtin_mxc_mma_16x16x16bf16(shim_h4 a, shim_h4 b, shim_f4 c)
{
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(__builtin_bit_cast(shim_s4, a),
                                                     __builtin_bit_cast(shim_s4, b), c, 0, 0, 0);
}
SHIM shim_f4 __builtin_mxc_mma_16x16x4f32(float a, float b, shim_f4 c)
{
    return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
}
SHIM shim_f4 __builtin_mxc_mma_16x16x8tf32(shim_f2 a, shim_f2 b, shim_f4 c)
{
    return __builtin_mxc_mma_16x16x4f32(a.y, b.y, __builtin_mxc_mma_16x16x4f32(a.x, b.x, c));
}
SHIM shim_d4 __builtin_mxc_mma_16x16x4f64(double a, double b, shim_d4 c)
{
    return __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 0);
}
extern "C" __device__ shim_i4 shim_i8(int, int, shim_i4); // K = 16 is not gfx942's
SHIM shim_i4 __builtin_mxc_mma_16x16x16i8(int a, int b, shim_i4 c) { return shim_i8(a, b, c); }
SHIM float __builtin_mxc_rcpf(float x) { return __builtin_amdgcn_rcpf(x); }

enum { MACA_ICMP_EQ = 32 };
#define BSM(bits) \
    SHIM void __builtin_mxc_ldg_b##bits##_bsm_predicator( \
        void *to, void *from, int offset, bool zero, bool, bool, bool, int a, int b, int how) \
    { \
        if (how == MACA_ICMP_EQ && a == b) \
            __builtin_memcpy(to, (char *)from + offset, bits / 8); \
        else if (zero) \
            __builtin_memset(to, 0, bits / 8); \
    }
BSM(32) BSM(64) BSM(128)
#define __builtin_mxc_arrive_gvmcnt(n) __builtin_amdgcn_s_waitcnt(shim_at_most<n>())
#define __builtin_mxc_arrive(n) __builtin_mxc_arrive_gvmcnt((n) & 63)
template <int N> constexpr int shim_at_most()
{
    static_assert(N >= 0 && N < 64, "six bits");
    return 0x0f70 | (N & 15) | (N & 48) << 10;
}
