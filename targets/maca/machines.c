/* targets/maca/machines.c: MetaX C500 as data.
 *
 * Reference: vendor-targets.md 1.4, read in the vendor's ports, not measured.
 * With s = K / 4: A row l % 16, k = s * (l / 16) + e; B mirrored; D row
 * 4 * (l / 16) + e, column l % 16 (f64: row l / 16 + 4 * e).  Operands are
 * passed swapped, so C of the program is D^T: a lane holds four consecutive
 * columns of one row. */
#include "machines.h"

#define C32 "m0 m1 m2 m3 n2 n3", "n0 n1"
#define S4  "m0 m1 m2 m3 k2 k3", "k0 k1", "n0 n1 n2 n3 k2 k3", "k0 k1", C32
#define S2  "m0 m1 m2 m3 k1 k2", "k0", "n0 n1 n2 n3 k1 k2", "k0", C32
#define S1  "m0 m1 m2 m3 k0 k1", "", "n0 n1 n2 n3 k0 k1", "", C32
#define S1D "m0 m1 m2 m3 k0 k1", "", "n0 n1 n2 n3 k0 k1", "", "m0 m1 m2 m3 n0 n1", "n2 n3"

#define MXC(name, k, a, c, frag) \
    {name, MMAwarp, 16, 16, k, 16, a, a, c, frag, true, false, 0, 0}

static const Mma c500_mma[] = {
    MXC("mxc.16x16x16.f32.f16", 16, DTf16, DTf32, S4),
    MXC("mxc.16x16x16.f32.bf16", 16, DTbf16, DTf32, S4),
    MXC("mxc.16x16x8.f32.tf32", 8, DTtf32, DTf32, S2),
    MXC("mxc.16x16x4.f32.f32", 4, DTf32, DTf32, S1),
    MXC("mxc.16x16x16.s32.s8", 16, DTi8, DTi32, S4),
    MXC("mxc.16x16x4.f64.f64", 4, DTf64, DTf64, S1D),
};

/* The f16 peak as the vendor's profiler prints it; others are not known. */
const Card card_c500 = {"C500", 0, 0, 1800, 0, 0, 0, 240, 0, 0};

/* Registers and limits of a multiprocessor are not published: 0.  Ports assume
 * 32 banks of 4 bytes. */
const Machine machine_c500 = {
    .name = "c500", .family = "metax",
    .summary = "MetaX C500: waves of 64 lanes, 16x16x16 matrix units, async copies",
    .warp = 64, .max_threads = 1024,
    .shared_block = 65536, .shared_sm = 65536,
    .regs_thread = 256,
    .banks = 32, .bank_bytes = 4, .sector = 64, .vec_bytes = 16, .max_cluster = 1,
    .cp_async = true, .asked_async = true,
    .mma = c500_mma, .nmma = (int)COUNT(c500_mma), .card = &card_c500
};
