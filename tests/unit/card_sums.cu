// tests/unit/card_sums.cu: asks an H200 for the sums of card_sums.h, prints a hash for each
// instruction and whether it is the one that stands there.
//
//     nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a tests/unit/card_sums.cu && ./a.out
#include <cstdio>
#include <vector>

#include "card_sums.h"

#define CK(x) \
    do { \
        cudaError_t e = (x); \
        if (e != cudaSuccess) { \
            printf("%s: %s\n", #x, cudaGetErrorString(e)); \
            exit(1); \
        } \
    } while (0)

// Registers of one operand: 4 bytes at 4 * t + 16 * (r >> 1) of row g + 8 * (r & 1).
static __device__ void fetch(unsigned *to, int n, const uint8_t *p, int row, int bytes, int t)
{
    for (int r = 0; r < n; r++)
        to[r] = *(const unsigned *)(p + (row + 8 * (r & 1)) * bytes + 4 * t + 16 * (r >> 1));
}

// The accumulators of a lane: float16 in pairs.  to: from the registers to memory.
template <bool half> static __device__ void move(unsigned *c, uint8_t *p, int row, int t, bool to)
{
    for (int i = 0; i < (half ? 2 : 4); i++) {
        int r = row + 8 * (half ? i : i / 2), col = 2 * t + (half ? 0 : i % 2);
        unsigned *m = (unsigned *)(p + (r * 8 + col) * (half ? 2 : 4));
        if (to)
            *m = c[i];
        else
            c[i] = *m;
    }
}

#define C4 "{%0,%1,%2,%3}"
#define F(i) "+f"(((float *)c)[i])
#define F4   F(0), F(1), F(2), F(3)
#define R4 "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
// mma.sync with rows of 32 and of 16 bytes; sums of 32 bits and of float16
#define WIDE(name, text, regs) \
    struct name { \
        enum { Bytes = 32 }; \
        static __device__ void go(unsigned *c, const unsigned *a, const unsigned *b) \
        { \
            asm volatile("mma.sync.aligned." text " " C4 ", {%4,%5,%6,%7}, {%8,%9}, " C4 ";" \
                         : regs \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
        } \
    };
#define SLIM(name, text) \
    struct name { \
        enum { Bytes = 16 }; \
        static __device__ void go(unsigned *c, const unsigned *a, const unsigned *b) \
        { \
            asm volatile("mma.sync.aligned." text " " C4 ", {%4,%5}, {%6}, " C4 ";" \
                         : F4 : "r"(a[0]), "r"(a[1]), "r"(b[0])); \
        } \
    };
struct WideHalf {
    enum { Bytes = 32 };
    static __device__ void go(unsigned *c, const unsigned *a, const unsigned *b)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, "
                     "{%6,%7}, {%0,%1};"
                     : "+r"(c[0]), "+r"(c[1])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};
struct SlimHalf {
    enum { Bytes = 16 };
    static __device__ void go(unsigned *c, const unsigned *a, const unsigned *b)
    {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, "
                     "{%0,%1};"
                     : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    }
};
WIDE(MmaF16, "m16n8k16.row.col.f32.f16.f16.f32", F4)
WIDE(MmaBf16, "m16n8k16.row.col.f32.bf16.bf16.f32", F4)
WIDE(MmaTf32, "m16n8k8.row.col.f32.tf32.tf32.f32", F4)
WIDE(Mma43, "m16n8k32.row.col.f32.e4m3.e4m3.f32", F4)
WIDE(Mma52, "m16n8k32.row.col.f32.e5m2.e5m2.f32", F4)
WIDE(Mma4352, "m16n8k32.row.col.f32.e4m3.e5m2.f32", F4)
WIDE(Mma5243, "m16n8k32.row.col.f32.e5m2.e4m3.f32", F4)
WIDE(MmaS8, "m16n8k32.row.col.s32.s8.s8.s32", R4)
SLIM(Mma8F16, "m16n8k8.row.col.f32.f16.f16.f32")
SLIM(Mma8Bf16, "m16n8k8.row.col.f32.bf16.bf16.f32")
SLIM(Mma4Tf32, "m16n8k4.row.col.f32.tf32.tf32.f32")

template <class I, bool half>
static __global__ void warp_sums(const uint8_t *a, const uint8_t *b, uint8_t *c)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    size_t q = blockIdx.x;
    unsigned ra[4], rb[4], rc[4];
    fetch(ra, I::Bytes / 8, a + q * 16 * I::Bytes, g, I::Bytes, t);
    for (int r = 0; r < I::Bytes / 16; r++)
        fetch(&rb[r], 1, b + q * 8 * I::Bytes + 16 * r, g, I::Bytes, t);
    c += q * 128 * (half ? 2 : 4);
    move<half>(rc, c, g, t, false);
    I::go(rc, ra, rb);
    move<half>(rc, c, g, t, true);
}

static __global__ void double_sums(const double *a, const double *b, double *c)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    size_t q = blockIdx.x;
    c += q * 64 + g * 8 + 2 * t;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[0]), "+d"(c[1]) : "d"(a[q * 32 + g * 4 + t]), "d"(b[q * 32 + g * 4 + t]));
}

// wgmma: a is a descriptor or registers
#define GROUP_BEGIN(name, flag) \
    struct name { \
        static __device__ void go(unsigned *c, const unsigned *, uint64_t a, uint64_t b, int acc) \
        { \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " flag ", 0;\n" \
                         "wgmma.mma_async.sync.aligned.m64n8"
#define GROUP_END : "l"(a), "l"(b), "r"(acc)); } };
#define GROUP32(name, text, immediates) \
    GROUP_BEGIN(name, "%6") text " " C4 ", %4, %5, p" immediates ";\n}" : F4 GROUP_END
#define GROUP16(name, text, immediates) \
    GROUP_BEGIN(name, "%4") text " {%0,%1}, %2, %3, p" immediates ";\n}" \
    : "+r"(c[0]), "+r"(c[1]) GROUP_END
#define GROUP_REGS(name, text, immediates) \
    struct name { \
        static __device__ void go(unsigned *c, const unsigned *a, uint64_t, uint64_t b, int acc) \
        { \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n" \
                         "wgmma.mma_async.sync.aligned.m64n8" text " " C4 ", {%4,%5,%6,%7}, %8, p" \
                         immediates ";\n}" \
                         : F4 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(acc)); \
        } \
    };
GROUP32(GrpF16, "k16.f32.f16.f16", ", 1, 1, 0, 0")
GROUP16(GrpHalf, "k16.f16.f16.f16", ", 1, 1, 0, 0")
GROUP32(GrpBf16, "k16.f32.bf16.bf16", ", 1, 1, 0, 0")
GROUP32(GrpTf32, "k8.f32.tf32.tf32", ", 1, 1")
GROUP32(Grp43, "k32.f32.e4m3.e4m3", ", 1, 1")
GROUP32(Grp52, "k32.f32.e5m2.e5m2", ", 1, 1")
GROUP32(Grp4352, "k32.f32.e4m3.e5m2", ", 1, 1")
GROUP32(Grp5243, "k32.f32.e5m2.e4m3", ", 1, 1")
GROUP16(GrpHalf43, "k32.f16.e4m3.e4m3", ", 1, 1")
GROUP16(GrpHalf52, "k32.f16.e5m2.e5m2", ", 1, 1")
GROUP_BEGIN(GrpS8, "%6") "k32.s32.s8.s8 " C4 ", %4, %5, p;\n}" : R4 GROUP_END
GROUP_REGS(RegF16, "k16.f32.f16.f16", ", 1, 1, 0")
GROUP_REGS(Reg43, "k32.f32.e4m3.e4m3", ", 1, 1")

// Rows of 32 bytes as core matrices: the second half of a row 128 bytes on, rows 8 .. 256.
static __device__ void place(uint8_t *to, const uint8_t *p, int rows)
{
    for (int i = threadIdx.x; i < rows * 32; i += 128)
        to[i % 32 / 16 * 128 + i / 32 / 8 * 256 + i / 32 % 8 * 16 + i % 16] = p[i];
}

static __device__ uint64_t descriptor(const void *p)
{
    uint64_t at = (unsigned)__cvta_generic_to_shared(p) & 0x3ffff;
    return at >> 4 | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
}

template <class I, bool half>
static __global__ void group_sums(const uint8_t *a, const uint8_t *b, uint8_t *c)
{
    __shared__ __align__(128) uint8_t sa[64 * 32], sb[8 * 32];
    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    size_t q = blockIdx.x;
    unsigned ra[4], rc[4];
    a += q * 64 * 32;
    place(sa, a, 64);
    place(sb, b + q * 8 * 32, 8);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    c += q * 64 * 8 * (half ? 2 : 4);
    fetch(ra, 4, a, row, 32, t);
    move<half>(rc, c, row, t, false);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    I::go(rc, ra, descriptor(sa), descriptor(sb), q % 16 < 12);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; i++)
        asm volatile("" : "+r"(rc[i])::"memory");
    move<half>(rc, c, row, t, true);
}

typedef void Sums(const uint8_t *a, const uint8_t *b, uint8_t *c);
static Sums *const sums[] = {
    group_sums<GrpF16, 0>, group_sums<GrpHalf, 1>, group_sums<GrpBf16, 0>, group_sums<GrpTf32, 0>,
    group_sums<Grp43, 0>, group_sums<Grp52, 0>, group_sums<Grp4352, 0>, group_sums<Grp5243, 0>,
    group_sums<GrpHalf43, 1>, group_sums<GrpHalf52, 1>, group_sums<GrpS8, 0>, group_sums<RegF16, 0>,
    group_sums<Reg43, 0>, warp_sums<MmaF16, 0>, warp_sums<WideHalf, 1>, warp_sums<MmaBf16, 0>,
    warp_sums<Mma8F16, 0>, warp_sums<SlimHalf, 1>, warp_sums<Mma8Bf16, 0>, warp_sums<MmaTf32, 0>,
    warp_sums<Mma4Tf32, 0>, warp_sums<Mma43, 0>, warp_sums<Mma52, 0>, warp_sums<Mma4352, 0>,
    warp_sums<Mma5243, 0>, warp_sums<MmaS8, 0>};

static uint8_t *on_card(const std::vector<uint8_t> &v)
{
    uint8_t *p;
    CK(cudaMalloc(&p, v.size()));
    CK(cudaMemcpy(p, v.data(), v.size(), cudaMemcpyHostToDevice));
    return p;
}

static bool ask(int which)
{
    static SumTile x;
    const CardSum *i = &card_sum[which];
    int tiles = sum_tiles(i), m = sum_rows(i);
    size_t na = (size_t)m * i->k * sumtype[i->a].bits / 8, nb = (size_t)8 * i->k * sumtype[i->b].bits / 8;
    std::vector<uint8_t> a, b, c;
    for (int t = 0; t < tiles; t++) {
        sum_tile(which, t, &x);
        a.insert(a.end(), x.a, x.a + na);
        b.insert(b.end(), x.b, x.b + nb);
        c.insert(c.end(), x.c, x.c + (size_t)m * 8 * sumtype[i->c].bits / 8);
    }
    uint8_t *da = on_card(a), *db = on_card(b), *dc = on_card(c);
    if (i->a == Sf64)
        double_sums<<<tiles, 32>>>((double *)da, (double *)db, (double *)dc);
    else
        sums[which]<<<tiles, i->group ? 128 : 32>>>(da, db, dc);
    CK(cudaGetLastError());
    CK(cudaMemcpy(c.data(), dc, c.size(), cudaMemcpyDeviceToHost));
    CK(cudaFree(da));
    CK(cudaFree(db));
    CK(cudaFree(dc));
    uint64_t hash = sum_hash(SUM_HASH, c.data(), c.size());
    printf("%s%s: %016llx %s\n", i->name, i->regs ? ", A in registers" : "", (unsigned long long)hash,
           hash == i->hash ? "as it stands here" : "DIFFERS");
    return hash == i->hash;
}

int main()
{
    bool same = true;
    for (int which = 0; which < CardSums; which++)
        same = ask(which) && same;
    return !same;
}
