/* targets/hip/machines.c: AMD's machines as data.
 *
 * Reference: lowering.md 3.7 and vendor-targets.md 3.4.  With s = K / 4: A row
 * l % 16, k = s * (l / 16) + e; B mirrored; D row 4 * (l / 16) + e, column
 * l % 16.  Operands are passed swapped, so C of the program is D^T: a lane
 * holds four consecutive columns of one row.
 *
 * RDNA3's waves have 32 lanes.  Of A lane l holds all k of row l % 16, of B of column
 * l % 16: both halves of the wave hold the same.  Of D it holds rows 2 * e + l / 16 of
 * column l % 16: lanes side by side store neighbours as it is, nothing is swapped. */
#include "machines.h"

#define C16 "m0 m1 m2 m3 n2 n3", "n0 n1"
#define S8  "m0 m1 m2 m3 k3 k4", "k0 k1 k2", "n0 n1 n2 n3 k3 k4", "k0 k1 k2", C16
#define S4  "m0 m1 m2 m3 k2 k3", "k0 k1", "n0 n1 n2 n3 k2 k3", "k0 k1", C16
#define S1  "m0 m1 m2 m3 k0 k1", "", "n0 n1 n2 n3 k0 k1", "", C16
/* f64: D row l / 16 + 4 * e */
#define S1D "m0 m1 m2 m3 k0 k1", "", "n0 n1 n2 n3 k0 k1", "", "m0 m1 m2 m3 n0 n1", "n2 n3"
/* 32x32x8: A row l % 32, k = 4 * (l / 32) + e; D row 8 * (e / 4) + 4 * (l / 32) + e % 4 */
#define W32 "m0 m1 m2 m3 m4 k2", "k0 k1", "n0 n1 n2 n3 n4 k2", "k0 k1", \
    "m0 m1 m2 m3 m4 n2", "n0 n1 n3 n4"

/* WMMA: * stands for a lane bit that makes a copy. */
#define R16 "m0 m1 m2 m3 *", "k0 k1 k2 k3", "n0 n1 n2 n3 *", "k0 k1 k2 k3", \
    "n0 n1 n2 n3 m0", "m1 m2 m3"

#define WMMA(name, a, b, c) \
    {"wmma.16x16x16." name, MMAwarp, 16, 16, 16, 16, a, b, c, R16, false, false, 512, 0}

#define MFMA(name, mn, k, a, b, c, frag, flops) \
    {name, MMAwarp, mn, mn, k, mn, a, b, c, frag, true, false, flops, 0}

/* h: flops a clock a compute unit with 16-bit operands */
#define COMMON(h) \
    MFMA("mfma.16x16x16.f32.f16", 16, 16, DTf16, DTf16, DTf32, S4, h), \
    MFMA("mfma.16x16x16.f32.bf16", 16, 16, DTbf16, DTbf16, DTf32, S4, h), \
    MFMA("mfma.32x32x8.f32.f16", 32, 8, DTf16, DTf16, DTf32, W32, h), \
    MFMA("mfma.32x32x8.f32.bf16", 32, 8, DTbf16, DTbf16, DTf32, W32, h), \
    MFMA("mfma.16x16x4.f32.f32", 16, 4, DTf32, DTf32, DTf32, S1, 256), \
    MFMA("mfma.16x16x4.f64.f64", 16, 4, DTf64, DTf64, DTf64, S1D, 256)

static const Mma gfx90a_mma[] = {
    COMMON(1024),
    MFMA("mfma.16x16x16.s32.s8", 16, 16, DTi8, DTi8, DTi32, S4, 1024),
};

static const Mma gfx1100_mma[] = {
    WMMA("f32.f16", DTf16, DTf16, DTf32), WMMA("f32.bf16", DTbf16, DTbf16, DTf32),
    WMMA("s32.s8", DTi8, DTi8, DTi32), WMMA("s32.u8", DTu8, DTu8, DTi32),
    WMMA("s32.s8.u8", DTi8, DTu8, DTi32), WMMA("s32.u8.s8", DTu8, DTi8, DTi32),
};

/* The chip's own 8-bit floats have another bias (FNUZ); what prints or runs
 * these instructions converts. */
static const Mma gfx942_mma[] = {
    COMMON(2048),
    MFMA("mfma.16x16x32.s32.s8", 16, 32, DTi8, DTi8, DTi32, S8, 4096),
    MFMA("mfma.16x16x32.f32.e4m3", 16, 32, DTe4m3, DTe4m3, DTf32, S8, 4096),
    MFMA("mfma.16x16x32.f32.e5m2", 16, 32, DTe5m2, DTe5m2, DTf32, S8, 4096),
    MFMA("mfma.16x16x32.f32.e4m3.e5m2", 16, 32, DTe4m3, DTe5m2, DTf32, S8, 4096),
    MFMA("mfma.16x16x32.f32.e5m2.e4m3", 16, 32, DTe5m2, DTe4m3, DTf32, S8, 4096),
};

/* Dense peaks of the data sheets, f64 and f32 with matrix units. */
const Card card_mi210 = {"MI210", 104, 1.7, 1638, 45.3, 45.3, 0, 181, 0, 181};
const Card card_mi300x = {"MI300X", 304, 2.1, 5300, 163.4, 163.4, 653.7, 1307.4, 2614.9, 2614.9};

const Card card_rx7900xtx = {"RX7900XTX", 96, 2.5, 960, 1.92, 61.4, 0, 122.8, 0, 122.8};

/* A compute unit: 4 SIMDs of 512 registers x 64 lanes and 8 waves each, given
 * out by 8 registers of a wave; 64 KB of LDS.  Bank counts are a model. */
#define CDNA \
    .family = "amd", .warp = 64, .max_threads = 1024, \
    .shared_block = 65536, .shared_sm = 65536, \
    .regs_sm = 131072, .regs_thread = 512, .regs_unit = 512, .warps_sm = 32, .blocks_sm = 32, \
    .banks = 32, .bank_bytes = 4, .vec_bytes = 16, .max_cluster = 1

/* lanes: AMD's CDNA papers; the rest is what is assumed of any. */
static const Timing cdna2 = {32, 800, 64, 0.85, 0.85, 0.85, 0.1, 4, false};
static const Timing cdna3 = {32, 800, 128, 0.85, 0.85, 0.85, 0.1, 4, false};

const Machine machine_gfx90a = {
    .name = "gfx90a", .summary = "AMD CDNA2 (MI210, MI250): waves of 64 lanes, MFMA",
    CDNA, .sector = 64,
    .mma = gfx90a_mma, .nmma = (int)COUNT(gfx90a_mma), .card = &card_mi210, .timing = &cdna2
};

const Machine machine_gfx942 = {
    .name = "gfx942", .summary = "AMD CDNA3 (MI300X): waves of 64 lanes, MFMA, 8-bit types",
    CDNA, .sector = 128,
    .mma = gfx942_mma, .nmma = (int)COUNT(gfx942_mma), .card = &card_mi300x, .timing = &cdna3
};

/* A compute unit: 2 SIMDs of 1536 registers x 32 lanes and 16 waves each, given out by 24
 * registers of a wave; 16 barriers.  A workgroup may have 64 KB of LDS. */
const Machine machine_gfx1100 = {
    .name = "gfx1100", .summary = "AMD RDNA3 (RX 7900): waves of 32 lanes, WMMA",
    .family = "amd", .warp = 32, .max_threads = 1024,
    .shared_block = 65536, .shared_sm = 65536,
    .regs_sm = 98304, .regs_thread = 256, .regs_unit = 768, .warps_sm = 32, .blocks_sm = 16,
    .banks = 32, .bank_bytes = 4, .sector = 128, .vec_bytes = 16, .max_cluster = 1,
    .mma = gfx1100_mma, .nmma = (int)COUNT(gfx1100_mma), .card = &card_rx7900xtx
};
