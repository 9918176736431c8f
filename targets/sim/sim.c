/* targets/sim/sim.c: the sim target: executes the thread program of any machine
 * on this one, and says what is wrong with it. */
#include "device.h"

static bool sim_emit(Prog *p, const char *options, Str *out)
{
    (void)options;
    prog_print(p, out);
    return !out->bad;
}

const Target sim_target = {
    .name = "sim",
    .summary = "a simulator of any machine's threads, which finds races and other faults",
    .machine = sim_machine,
    .decides = true,
    .guards = true,
    .emit = sim_emit,
    .build = artifact_store,
    .device = &sim_device,
};
