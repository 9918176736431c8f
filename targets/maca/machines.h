/* targets/maca/machines.h: MetaX's machines and cards, for the tables of
 * targets/targets.c. */
#ifndef MOONTILE_MACA_MACHINES_H
#define MOONTILE_MACA_MACHINES_H

#include "core/layout/machine.h"

extern const Machine machine_c500;
extern const Card card_c500;

#endif
