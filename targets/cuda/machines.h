/* targets/cuda/machines.h: NVIDIA's machines and cards, for the tables of
 * targets/targets.c. */
#ifndef MOONTILE_CUDA_MACHINES_H
#define MOONTILE_CUDA_MACHINES_H

#include "core/layout/machine.h"

extern const Machine machine_sm75, machine_sm80, machine_sm89, machine_sm90a;
/* Other limits, but the instructions, and so the name, of sm_80, sm_89 and sm_89. */
extern const Machine machine_sm86, machine_sm100, machine_sm120;
extern const Card card_t4, card_rtx3090, card_a100, card_rtx4090, card_l40s, card_h100, card_h200;

#endif
