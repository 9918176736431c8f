/* targets/cpu/cpu.h: the cpu target's three halves: printing C, building it,
 * running it. */
#ifndef MOONTILE_CPU_H
#define MOONTILE_CPU_H

#include "core/device/worker.h"

bool cpu_takes(Ctx *c, const char *options);                  /* options.c */
const Machine *cpu_threads(Prog *p);                         /* threads.c */
const Machine *cpu_stands_for(void);
bool cpu_emit_threads(Prog *p, Str *out);                    /* of a thread program */
bool cpu_emit(Prog *p, const char *options, Str *out);       /* emit.c */
/* Lines of printed C: in front of each T.import_source, and behind all that is the user's own. */
#define CpuOwn  "#line 1 \"T.import_source\"\n"
#define CpuOurs "#line 1 \"moontile\"\n"
bool cpu_build(Ctx *c, const char *options, Artifact *a);    /* build.c */
extern const Device cpu_device;                              /* run.c */
extern const Target cpu_target;                              /* cpu.c */

#endif
