/* targets/cuda/machines.c: NVIDIA's machines as data.
 *
 * Fragments: reference lowering.md 3.1 and 3.3, measured there on an H200; a
 * lane is l = 4 * g + t, so its low two bits are t.  f64 and fp8 fragments are
 * the documented ones (f64 not measured, fp8 uses the map of 8-bit integers).
 * Limits: the occupancy tables of the CUDA programming guide. */
#include "machines.h"

/* Fragments ------------------------------------------------------------ */

/* C of every m16n8 instruction: row g + 8 * (i / 2), column 2 * t + i % 2 */
#define C16x8 "n1 n2 m0 m1 m2", "n0 m3"
#define K16   "k1 k2 m0 m1 m2", "k0 m3 k3", "k1 k2 n0 n1 n2", "k0 k3", C16x8
#define K8    "k1 k2 m0 m1 m2", "k0 m3", "k1 k2 n0 n1 n2", "k0", C16x8
#define KTF8  "k0 k1 m0 m1 m2", "m3 k2", "k0 k1 n0 n1 n2", "k2", C16x8
#define KTF4  "k0 k1 m0 m1 m2", "m3", "k0 k1 n0 n1 n2", "", C16x8
#define K32   "k2 k3 m0 m1 m2", "k0 k1 m3 k4", "k2 k3 n0 n1 n2", "k0 k1 k4", C16x8
#define K16B  "k2 k3 m0 m1 m2", "k0 k1 m3", "k2 k3 n0 n1 n2", "k0 k1", C16x8
#define F64   "k0 k1 m0 m1 m2", "", "k0 k1 n0 n1 n2", "", "n1 n2 m0 m1 m2", "n0"
/* wgmma: A in registers, 16 rows a warp; B is always in shared memory */
#define G16   "k1 k2 m0 m1 m2", "k0 m3 k3", 0, 0, C16x8
#define GTF   "k0 k1 m0 m1 m2", "m3 k2", 0, 0, C16x8
#define G32   "k2 k3 m0 m1 m2", "k0 k1 m3 k4", 0, 0, C16x8

/* How sums are made.  Hopper's were measured on an H200: 262,144 sums of each instruction,
 * ordinary and hostile ones, without a difference; integers wrap, float64 is one FMA after
 * the other in order of k.  It has no mma.sync of 8-bit floats: ptxas widens them to float16.
 * Ampere's, Ada's and Turing's are those of the literature (Fasi and others 2021, Xie and
 * others 2025, Khattak and Mikaitis 2025), not measured. */
static const MmaSum hopper4 = {4, 25, 23, false, true}, hopper8 = {8, 25, 23, false, true},
                    hopper16 = {16, 25, 23, false, true}, hopper32 = {32, 13, 13, false, true},
                    hopper_fp8 = {16, 25, 23, true, true};
static const MmaSum ampere4 = {4, 24, 23, false, false}, ampere8 = {8, 24, 23, false, false},
                    ada_fp8 = {16, 13, 13, false, false};

/* k, types, fragments, flops a clock a multiprocessor on the machine named, sums */
#define MMA(k, c, a, frag, flops, sum) \
    {"mma.m16n8k" #k "." #c "." #a, MMAwarp, 16, 8, k, 8, DT_##a, DT_##a, DT_##c, frag, \
     false, false, flops, sum}
#define MMA2(k, c, a, b, frag, flops, sum) \
    {"mma.m16n8k" #k "." #c "." #a "." #b, MMAwarp, 16, 8, k, 8, DT_##a, DT_##b, DT_##c, frag, \
     false, false, flops, sum}
#define MMA_F64(flops) \
    {"mma.m8n8k4.f64.f64", MMAwarp, 8, 8, 4, 8, DTf64, DTf64, DTf64, F64, false, false, flops, 0}
#define WGMMA(k, step, c, a, frag, kmajor, flops, sum) \
    {"wgmma.m64k" #k "." #c "." #a, MMAgroup, 64, step, k, 256, DT_##a, DT_##a, DT_##c, frag, \
     false, kmajor, flops, sum}
#define WGMMA2(k, step, c, a, b, frag, kmajor, flops, sum) \
    {"wgmma.m64k" #k "." #c "." #a "." #b, MMAgroup, 64, step, k, 256, DT_##a, DT_##b, DT_##c, \
     frag, false, kmajor, flops, sum}

/* Names of types in those of instructions. */
enum {
    DT_f16 = DTf16, DT_bf16 = DTbf16, DT_tf32 = DTtf32, DT_f32 = DTf32, DT_s8 = DTi8,
    DT_u8 = DTu8, DT_s32 = DTi32, DT_e4m3 = DTe4m3, DT_e5m2 = DTe5m2
};

/* What every one of them has; the longer k first.  by16, by8, tf8, tf4: sums of
 * 16-bit floats and of tf32, by k. */
#define COMMON(h, t, i, d, by16, by8, tf8, tf4) \
    MMA(16, f32, f16, K16, h, by16), MMA(16, f16, f16, K16, h, by16), \
    MMA(16, f32, bf16, K16, h, by16), MMA(8, f32, f16, K8, h, by8), MMA(8, f16, f16, K8, h, by8), \
    MMA(8, f32, bf16, K8, h, by8), MMA(8, f32, tf32, KTF8, t, tf8), MMA(4, f32, tf32, KTF4, t, tf4), \
    MMA(32, s32, s8, K32, i, 0), MMA(32, s32, u8, K32, i, 0), \
    MMA2(32, s32, s8, u8, K32, i, 0), MMA2(32, s32, u8, s8, K32, i, 0), \
    MMA(16, s32, s8, K16B, i, 0), MMA(16, s32, u8, K16B, i, 0), \
    MMA2(16, s32, s8, u8, K16B, i, 0), MMA2(16, s32, u8, s8, K16B, i, 0), MMA_F64(d)
#define AMPERE_SUMS &ampere8, &ampere8, &ampere4, &ampere4
#define HOPPER_SUMS &hopper16, &hopper8, &hopper8, &hopper4
#define FP8(f, sum) \
    MMA(32, f32, e4m3, K32, f, sum), MMA(32, f32, e5m2, K32, f, sum), \
    MMA2(32, f32, e4m3, e5m2, K32, f, sum), MMA2(32, f32, e5m2, e4m3, K32, f, sum)

/* Turing: 16-bit floats in steps of 8, 8-bit integers on 8 x 8 tiles. */
#define T16 "k2 k3 m0 m1 m2", "k0 k1", "k2 k3 n0 n1 n2", "k0 k1", "n1 n2 m0 m1 m2", "n0"
#define MMA8(a, flops) \
    {"mma.m8n8k16.s32." #a, MMAwarp, 8, 8, 16, 8, DT_##a, DT_##a, DTi32, T16, false, false, flops, \
     0}
static const Mma sm75_mma[] = {
    MMA(8, f32, f16, K8, 1024, &ampere8), MMA(8, f16, f16, K8, 1024, &ampere8),
    MMA8(s8, 2048), MMA8(u8, 2048)
};

/* Macros that stand for several arguments are taken apart on the second look. */
#define ROWS(...) COMMON(__VA_ARGS__)
static const Mma sm80_mma[] = {ROWS(2048, 1024, 4096, 128, AMPERE_SUMS)};
static const Mma sm89_mma[] = {ROWS(1024, 512, 2048, 4, AMPERE_SUMS), FP8(2048, &ada_fp8)};
/* mma.sync reaches about 0.65 of what wgmma does; its own rate is not known. */
static const Mma sm90_mma[] = {
    WGMMA(16, 8, f32, f16, G16, false, 4096, &hopper16),
    WGMMA(16, 8, f16, f16, G16, false, 4096, &hopper16),
    WGMMA(16, 8, f32, bf16, G16, false, 4096, &hopper16),
    WGMMA(8, 8, f32, tf32, GTF, true, 2048, &hopper8),
    WGMMA(32, 8, f32, e4m3, G32, true, 8192, &hopper32),
    WGMMA(32, 8, f32, e5m2, G32, true, 8192, &hopper32),
    WGMMA2(32, 8, f32, e4m3, e5m2, G32, true, 8192, &hopper32),
    WGMMA2(32, 8, f32, e5m2, e4m3, G32, true, 8192, &hopper32),
    WGMMA(32, 8, f16, e4m3, G32, true, 8192, &hopper32),
    WGMMA(32, 8, f16, e5m2, G32, true, 8192, &hopper32),
    WGMMA2(32, 8, f16, e4m3, e5m2, G32, true, 8192, &hopper32),
    WGMMA2(32, 8, f16, e5m2, e4m3, G32, true, 8192, &hopper32),
    WGMMA(32, 16, s32, s8, G32, true, 8192, 0), WGMMA(32, 16, s32, u8, G32, true, 8192, 0),
    WGMMA2(32, 16, s32, s8, u8, G32, true, 8192, 0),
    WGMMA2(32, 16, s32, u8, s8, G32, true, 8192, 0),
    ROWS(0, 0, 0, 256, HOPPER_SUMS), FP8(0, &hopper_fp8)
};

/* Cards ---------------------------------------------------------------- */
/* Dense peaks of the data sheets; f64 with matrix units where it has them. */

const Card card_t4 = {"T4", 40, 1.59, 320, 0.25, 8.1, 0, 65, 0, 130};
const Card card_rtx3090 = {"RTX3090", 82, 1.70, 936, 0.56, 35.6, 35.6, 71, 0, 284};
const Card card_a100 = {"A100", 108, 1.41, 2039, 19.5, 19.5, 156, 312, 0, 624};
const Card card_rtx4090 = {"RTX4090", 128, 2.52, 1008, 1.29, 82.6, 82.6, 165.2, 330.3, 660.6};
const Card card_l40s = {"L40S", 142, 2.52, 864, 1.43, 91.6, 183, 362, 733, 733};
const Card card_h100 = {"H100", 132, 1.83, 3350, 67, 67, 494.7, 989.4, 1978.9, 1978.9};
const Card card_h200 = {"H200", 132, 1.83, 4800, 67, 67, 494.7, 989.4, 1978.9, 1978.9};

/* Machines ------------------------------------------------------------- */

/* l2, latency: performance.md 0.1 (8.2 TB/s from the L2 of an H100; its latencies with what a copy
 * takes on top), matrix .. launch of sm_90a measured on an H200; lanes: units for float32 of the
 * vendor's architecture papers. */
static const Timing turing = {32, 800, 64, 0.85, 0.85, 0.85, 0.1, 4, false};
static const Timing ampere = {33, 520, 64, 0.9, 0.9, 0.9, 0.08, 2.4, false};
static const Timing ada = {22, 520, 128, 0.9, 0.9, 0.92, 0.06, 2.2, false};
static const Timing hopper = {34, 700, 128, 0.88, 0.55, 0.89, 0.06, 2.2, false};

const Machine machine_sm75 = {
    .name = "sm_75", .family = "nvidia",
    .summary = "NVIDIA Turing (T4, RTX 20): mma.sync, ldmatrix",
    .warp = 32, .max_threads = 1024,
    .shared_block = 64 * 1024, .shared_sm = 64 * 1024,
    .regs_sm = 65536, .regs_thread = 255, .regs_unit = 256, .warps_sm = 32, .blocks_sm = 16,
    .banks = 32, .bank_bytes = 4, .sector = 32, .vec_bytes = 16, .vec_atomic = 4, .max_cluster = 1,
    .ldmatrix = true, .named_barriers = true, .contracts = true, .residents = true, .exact_banks = true,
    .mma = sm75_mma, .nmma = (int)COUNT(sm75_mma), .card = &card_t4, .timing = &turing
};

/* What chips from Ampere on have in common: name, summary, KiB of shared memory of a
 * block and of a multiprocessor, warps, blocks, instructions, card, timing. */
#define AMPERE(text, about, block, sm, warps, blocks, table, c, p) \
    { \
        .name = text, .family = "nvidia", .summary = about, .warp = 32, .max_threads = 1024, \
        .shared_block = block * 1024, .shared_sm = sm * 1024, .shared_reserved = 1024, \
        .regs_sm = 65536, .regs_thread = 255, .regs_unit = 256, .warps_sm = warps, \
        .blocks_sm = blocks, .banks = 32, .bank_bytes = 4, .sector = 32, .vec_bytes = 16, \
        .vec_atomic = 4, .max_cluster = 1, .ldmatrix = true, .cp_async = true, .mbarrier = true, \
        .named_barriers = true, .contracts = true, .residents = true, .exact_banks = true, .mma = table, .nmma = (int)COUNT(table), \
        .card = c, .timing = p \
    }

const Machine machine_sm80 =
    AMPERE("sm_80", "NVIDIA Ampere (A100): mma.sync, ldmatrix, cp.async", 163, 164, 64, 32,
           sm80_mma, &card_a100, &ampere);
const Machine machine_sm86 =
    AMPERE("sm_80", "NVIDIA Ampere (RTX 30): as sm_80, less shared memory", 99, 100, 48, 16,
           sm80_mma, &card_rtx3090, &ampere);
const Machine machine_sm89 =
    AMPERE("sm_89", "NVIDIA Ada (RTX 4090, L40S): as sm_80, and 8-bit floats", 99, 100, 48, 24,
           sm89_mma, &card_rtx4090, &ada);
/* The limits of sm_89 are the least of what runs its instructions. */
const Machine machine_sm100 =
    AMPERE("sm_89", "NVIDIA Blackwell (B200): the instructions of sm_89", 99, 228, 64, 32,
           sm89_mma, &card_rtx4090, &ada);
const Machine machine_sm120 =
    AMPERE("sm_89", "NVIDIA Blackwell (RTX 50): the instructions of sm_89", 99, 100, 48, 24,
           sm89_mma, &card_rtx4090, &ada);

const Machine machine_sm90a = {
    .name = "sm_90a", .family = "nvidia",
    .summary = "NVIDIA Hopper (H100, H200): wgmma, TMA, mbarriers, clusters",
    .warp = 32, .group = 4, .max_threads = 1024,
    .shared_block = 227 * 1024, .shared_sm = 228 * 1024, .shared_reserved = 1024,
    .regs_sm = 65536, .regs_thread = 255, .regs_unit = 256, .warps_sm = 64, .blocks_sm = 32,
    .banks = 32, .bank_bytes = 4, .sector = 32, .vec_bytes = 16, .vec_atomic = 16, .max_cluster = 8,
    .ldmatrix = true, .stmatrix = true, .cp_async = true, .mbarrier = true, .tma = true,
    .wgmma = true, .setmaxnreg = true, .named_barriers = true, .proxies = true,
    .contracts = true, .residents = true, .exact_banks = true,
    .mma = sm90_mma, .nmma = (int)COUNT(sm90_mma), .card = &card_h200, .timing = &hopper
};
