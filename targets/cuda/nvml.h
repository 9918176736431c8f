/* targets/cuda/nvml.h: clocks and power of a card, by libnvidia-ml.  Optional: all of it
 * does nothing where the library is missing. */
#ifndef MOONTILE_CUDA_NVML_H
#define MOONTILE_CUDA_NVML_H

#include "core/base/base.h"

typedef struct Nvml Nvml;
struct Nvml {
    void *handle, *device;
    int (*shutdown)(void);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*power)(void *device, unsigned *milliwatt);
    int (*version)(char *s, unsigned n);
};
void nvml_open(Nvml *n, const unsigned char uuid[16]);
void nvml_close(Nvml *n);
double nvml_mhz(const Nvml *n);   /* of the multiprocessors, now; 0: unknown */
double nvml_watts(const Nvml *n); /* 0: unknown */
bool nvml_driver(const Nvml *n, char *out, size_t size); /* "570.86.15" */

#endif
