/* targets/sim/device.h: the sim target's parts. */
#ifndef MOONTILE_SIM_DEVICE_H
#define MOONTILE_SIM_DEVICE_H

#include "sim.h"

const Machine *sim_machine(Ctx *c, const char *options);  /* options.c */
bool sim_emit(Prog *p, const char *options, Str *out);    /* store.c */
bool sim_store(Ctx *c, const char *options, Artifact *a); /* store.c: into the cache */
extern const Device sim_device;                           /* device.c */
extern const Target sim_target;                           /* sim.c */

#endif
