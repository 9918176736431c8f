/* targets/gpu/probe.h: inside the first contact with a device of HIP or MACA: questions
 * that it is asked, each of which may hang it or end the process.
 *
 *   probe.c        the answers: kept with the cache, and what the target makes of them
 *   probe_ask.c    the groups of questions     probe_text.c   the text of kernels
 *   probe_mma.c    lane maps of matrix instructions
 *   probe_run.c    waves, limits, forms of a launch, asynchronous copies
 *   probe_rate.c   times and rates             contact.c      the first contact
 *
 * Answers have names: "mma.mxc.16x16x16.f32.f16 1" is a number, "NAME.why" a text,
 * "NAME.dump" registers for a report.  Where something else is missing (a compiler,
 * memory) there is no answer. */
#ifndef MOONTILE_GPU_PROBE_H
#define MOONTILE_GPU_PROBE_H

#include "core/device/probe.h"
#include "device.h"

typedef struct Probe Probe;
struct Probe { const DeviceProbe *e; Gpu *d; };

/* A kernel of a text of ours. */
typedef struct ProbeKernel ProbeKernel;
struct ProbeKernel { void *mod, *fn; double compile_ms, load_ms; bool refused; };

/* probe_text.c: the words of the device's vendor in front of `text`. */
void probe_words(const Gpu *d, const char *text, Str *out);

/* probe_ask.c */
/* NAME.why of a failed call of the run-time, or an error as text, which is taken over. */
void probe_why(const Probe *p, const char *name, enum GpuCall call, GpuResult r);
void probe_error(const Probe *p, const char *name, DevError err);
/* It says that the compiler refuses the text, not that there is none. */
bool probe_refused(const DevError *err);
/* Compiles text and finds its kernel `probe`; false: NAME.why says it. */
bool probe_kernel(const Probe *p, const char *name, const char *text, ProbeKernel *k);
/* One launch in the form of the device's options, and a wait.  param: addresses of values
 * of 8 bytes, NULL behind the last. */
GpuResult probe_launch(const Probe *p, const ProbeKernel *k, const unsigned grid[3],
                        unsigned threads, unsigned shared, void **param);
/* n bytes of the device's, all of them `fill`; NULL: NAME.why says it. */
void *probe_memory(const Probe *p, const char *name, size_t n, int fill);
bool probe_fetch(const Probe *p, const char *name, void *host, const void *at, size_t n);

/* The groups. */
void probe_basic(const Probe *p); /* kernelParams, lanes */
void probe_mma(const Probe *p);
void probe_threads(const Probe *p);
void probe_shared(const Probe *p);
void probe_grid(const Probe *p);
void probe_packed(const Probe *p);
void probe_async(const Probe *p);
void probe_rates(const Probe *p);
void probe_attributes(const Probe *p);

/* probe_mma.c: a program that computes n products with instruction i in g blocks, and its
 * floating point operations for one of both; NULL: *err. */
void *probe_mma_loop(Gpu *d, const Mma *i, double *flops, DevError *err);

#endif
