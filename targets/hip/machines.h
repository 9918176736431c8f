/* targets/hip/machines.h: AMD's machines and cards, for the tables of
 * targets/targets.c. */
#ifndef MOONTILE_HIP_MACHINES_H
#define MOONTILE_HIP_MACHINES_H

#include "core/layout/machine.h"

extern const Machine machine_gfx90a, machine_gfx942, machine_gfx1100;
extern const Card card_mi210, card_mi300x, card_rx7900xtx;

#endif
