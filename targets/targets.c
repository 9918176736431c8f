/* targets/targets.c: the tables of targets and machines.  A new one adds its
 * line here and a folder beside this file. */
#include "cpu/cpu.h"
#include "cuda/cuda.h"
#include "cuda/machines.h"
#include "hip/hip.h"
#include "hip/machines.h"
#include "maca/maca.h"
#include "maca/machines.h"
#include "remote/remote.h"
#include "sim/device.h"
#include "simt/machines.h"
#include "targets.h"

static const Target *const all_targets[] = {
    &cpu_target, &cuda_target, &hip_target, &maca_target, &sim_target, &remote_target, NULL
};

static const Machine *const all_machines[] = {
    &machine_sm75, &machine_sm80, &machine_sm89, &machine_sm90a, &machine_c500,
    &machine_gfx90a, &machine_gfx942, &machine_gfx1100, &machine_simt, NULL
};

static const Card *const all_cards[] = {
    &card_t4, &card_rtx3090, &card_a100, &card_rtx4090, &card_l40s, &card_h100, &card_h200,
    &card_c500, &card_mi210, &card_mi300x, &card_rx7900xtx, NULL
};

void targets_init(void)
{
    hardware_use(all_machines, all_cards);
    targets_use(all_targets);
}
