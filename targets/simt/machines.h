/* targets/simt/machines.h: a plain machine, for the table of targets/targets.c. */
#ifndef MOONTILE_SIMT_MACHINES_H
#define MOONTILE_SIMT_MACHINES_H

#include "core/layout/machine.h"

extern const Machine machine_simt;

#endif
