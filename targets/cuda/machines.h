/* targets/cuda/machines.h: NVIDIA's machines and cards, for the tables of
 * targets/targets.c. */
#ifndef MOONTILE_CUDA_MACHINES_H
#define MOONTILE_CUDA_MACHINES_H

#include "../../core/machine.h"

extern const Machine machine_sm80, machine_sm89, machine_sm90a;
extern const Card card_a100, card_rtx4090, card_l40s, card_h100, card_h200;

#endif
