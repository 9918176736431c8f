/* targets/simt/machines.c: a machine with threads, warps and shared memory and
 * nothing else: what every chip of the kind has, and the least that the passes
 * may count on. */
#include "machines.h"

const Machine machine_simt = {
    .name = "simt", .family = "simt",
    .summary = "a plain machine: warps of 32, no matrix units, no asynchronous copies",
    .warp = 32, .max_threads = 1024,
    .shared_block = 64 * 1024, .shared_sm = 64 * 1024,
    .regs_sm = 65536, .regs_thread = 255, .regs_unit = 256, .warps_sm = 32, .blocks_sm = 16,
    .banks = 32, .bank_bytes = 4, .sector = 32, .vec_bytes = 16, .max_cluster = 1
};
