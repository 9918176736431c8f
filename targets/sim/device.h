/* targets/sim/device.h: the sim target's parts. */
#ifndef MOONTILE_SIM_DEVICE_H
#define MOONTILE_SIM_DEVICE_H

#include "sim.h"

const Machine *sim_machine(Ctx *c, const char *options);  /* options.c */
SimProg *sim_prog(void *mod);                             /* device.c: of a loaded module */
extern const Device sim_device;                           /* device.c */
/* Whether threads can be simulated: reports calls of C that is not ours. */
bool sim_takes(Prog *p);                                  /* sim.c */
extern const Target sim_target;                           /* sim.c */

#endif
