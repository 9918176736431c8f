/* targets/cpu/cpu.c: the cpu target: C for the system's compiler, run by all
 * cores of this machine. */
#include "cpu.h"

const Target cpu_target = {
    .name = "cpu",
    .summary = "this machine's cores, through the system's C compiler",
    .text = {.kind = "c", .suffix = ".c", .language = "C"},
    .rank = 1,
    .takes = cpu_takes,
    .threads = cpu_threads,
    .stands_for = cpu_stands_for,
    .pace = 2e8,
    .guards = true,
    .emit = cpu_emit,
    .build = cpu_build,
    .device = &cpu_device,
};
